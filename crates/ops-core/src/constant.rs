//! Caches for what kernels derive from constant inputs.

use crate::prelude::*;
use levada_kernel::lane;
use parking_lot::Mutex;
use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A constant, how it was packed, and the result.
type Packed = (Tensor, usize, Arc<dyn Any + Send + Sync>);

/// Caches what is derived from an input that is the same in every step, such as packed weights.
#[derive(Default)]
pub struct Cache {
    /// Protects the entry. The constant is kept alive, so that its elements cannot change without moving to another
    /// address.
    packed: Mutex<Option<Packed>>,
}

impl Cache {
    /// Returns the cache of the node in `cx`, where input `i` is a constant.
    ///
    /// # Errors
    /// See [`levada_kernel::Io::node_state`].
    pub fn of_constant(cx: &mut Cx<'_, '_>, i: usize) -> Result<Option<Arc<Cache>>> {
        match cx.entry(i) {
            Some(Entry::Constant(_)) => cx.node_state(Cache::default).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the cached result of packing this constant in this way, if any.
    fn find<P: Any + Send + Sync>(&self, constant: &Tensor, how: usize) -> Option<Arc<P>> {
        let place = |t: &Tensor| t.bytes().map(|b| (b.as_ptr() as usize, b.len()));
        let same = |held: &Tensor| held.shape() == constant.shape() && place(held) == place(constant);
        let packed = self.packed.lock();
        let (_, _, packed) = packed.as_ref().filter(|(held, held_how, _)| same(held) && *held_how == how)?;
        packed.clone().downcast().ok()
    }

    /// Returns the result of `pack` for this constant, computed on first use. `how` distinguishes packings of the same
    /// type, for example by the number of groups.
    ///
    /// # Errors
    /// See `pack`.
    pub fn get<P: Any + Send + Sync>(
        &self,
        constant: &Tensor,
        how: usize,
        pack: impl FnOnce() -> Result<P>,
    ) -> Result<Arc<P>> {
        if let Some(packed) = self.find(constant, how) {
            return Ok(packed);
        }
        // The lock is not held here: packing waits for other threads, and meanwhile this one may compute the node for
        // another step.
        let packed = {
            // Completed even if the run is over, because later steps use it.
            let _whole = lane::whole();
            Arc::new(pack()?)
        };
        // Tensors small enough to hold their elements inline have no stable address.
        if constant.num_bytes() >= 1024 {
            *self.packed.lock() = Some((constant.clone(), how, packed.clone()));
        }
        Ok(packed)
    }
}

/// Size in bytes below which tensors are not cached for reuse.
const SMALL: usize = 1 << 18;
/// Number of misses after which the node is assumed to receive a different tensor each time.
const MISSES: u32 = 2;

/// Caches, for the rest of a step, what is derived from an input that is the same tensor in many iterations of a loop,
/// such as a variable's value. Results do not depend on whether a tensor is reused, which concurrent iterations may
/// affect.
#[derive(Default)]
pub struct Recurring {
    cache: Cache,
    misses: AtomicU32,
}

impl Recurring {
    /// Returns the cache of the node in `cx`, if input `i` is large and shared, so that it may be reused. None for
    /// runs with memory limits, since packed data is not counted.
    ///
    /// # Errors
    /// `INTERNAL` if the step's resources hold something else under the node's name.
    pub fn of_input(cx: &mut Cx<'_, '_>, i: usize) -> Result<Option<Arc<Recurring>>> {
        let Some(Entry::Value(tensor)) = cx.entry(i) else { return Ok(None) };
        if tensor.num_bytes() < SMALL || tensor.is_unique() || cx.step().resources.meter().is_some() {
            return Ok(None);
        }
        let name = match cx.step().scope.id {
            0 => Cow::Borrowed(&*cx.node().name),
            scope => Cow::Owned(format!("{}@{scope:x}", cx.node().name)),
        };
        cx.step().resources.get_or_create("_recurring", &name, || Ok(Recurring::default())).map(Some)
    }

    /// Returns the result of `pack` for this tensor, computed on first use; `None` if reuse is unlikely.
    ///
    /// # Errors
    /// See `pack`.
    pub fn get<P: Any + Send + Sync>(
        &self,
        tensor: &Tensor,
        how: usize,
        pack: impl FnOnce() -> Result<P>,
    ) -> Result<Option<Arc<P>>> {
        if let Some(packed) = self.cache.find(tensor, how) {
            return Ok(Some(packed));
        }
        if self.misses.fetch_add(1, Ordering::Relaxed) >= MISSES {
            return Ok(None);
        }
        self.cache.get(tensor, how, pack).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada_kernel::resources::Scope;
    use levada_kernel::{CancelToken, Pool};

    #[test]
    fn what_comes_again_is_packed_once_and_what_changes_no_more() {
        let recurring = Recurring::default();
        let tensors: Vec<Tensor> = (0..5).map(|i| Tensor::vector(vec![i as f32; 1000])).collect();
        let get = |i: usize, made: usize| recurring.get(&tensors[i], 0, || Ok(made)).unwrap().map(|made| *made);
        assert_eq!([get(0, 1), get(0, 2), get(1, 3), get(1, 4)], [Some(1), Some(1), Some(3), Some(3)]);
        // The second one is kept, no matter what follows.
        assert_eq!([get(2, 5), get(3, 6), get(1, 7), get(0, 8)], [None, None, Some(3), None]);
    }

    #[test]
    fn what_a_cancelled_run_packs_is_whole() {
        for threads in [1, 2] {
            let (pool, token) = (Pool::new(threads), CancelToken::new());
            let scope = Arc::new(Scope::of_run(None, None, &token));
            let _entered = lane::enter(Some(scope.clone()));
            let constant = Tensor::vector(vec![1f32; 1000]);
            let cache = Cache::default();
            let pack = || {
                token.cancel();
                let mut packed = vec![0u8; 1000];
                // Long enough that the rest would be skipped.
                pool.for_chunks(&mut packed, 1, 1e6, |_, part| part.fill(1));
                Ok(packed)
            };
            assert_eq!(*cache.get(&constant, 0, pack).unwrap(), [1u8; 1000]);
            let kept = cache.get::<Vec<u8>>(&constant, 0, || Err(Error::internal("it is kept"))).unwrap();
            assert_eq!(*kept, [1u8; 1000]);
            // Later work of the kernel may be skipped again.
            assert!(!scope.was_cut() && lane::scope_of_work().is_some());
        }
    }
}
