//! What kernels keep of inputs that are constants.

use crate::prelude::*;
use levada_kernel::lane;
use parking_lot::Mutex;
use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A constant, how it is packed, and what was made of it.
type Packed = (Tensor, usize, Arc<dyn Any + Send + Sync>);

/// What is made once of an input of a node that stays the same from step to step, such as packed weights.
#[derive(Default)]
pub struct Cache {
    /// Protects what is packed. The constant is held, so that its elements
    /// cannot change without being in another place.
    packed: Mutex<Option<Packed>>,
}

impl Cache {
    /// The cache of the node in `cx`, where input `i` is a constant.
    ///
    /// # Errors
    /// As [`levada_kernel::Io::node_state`].
    pub fn of_constant(cx: &mut Cx<'_, '_>, i: usize) -> Result<Option<Arc<Cache>>> {
        match cx.entry(i) {
            Some(Entry::Constant(_)) => cx.node_state(Cache::default).map(Some),
            _ => Ok(None),
        }
    }

    /// What was made of this constant in this way, where it is kept.
    fn find<P: Any + Send + Sync>(&self, constant: &Tensor, how: usize) -> Option<Arc<P>> {
        let place = |t: &Tensor| t.bytes().map(|b| (b.as_ptr() as usize, b.len()));
        let same = |held: &Tensor| held.shape() == constant.shape() && place(held) == place(constant);
        let packed = self.packed.lock();
        let (_, _, packed) = packed.as_ref().filter(|(held, held_how, _)| same(held) && *held_how == how)?;
        packed.clone().downcast().ok()
    }

    /// What `pack` makes of this constant, made where that is not done yet. `how` tells apart ways to pack it of one type, such as the number
    /// of groups.
    ///
    /// # Errors
    /// As `pack`.
    pub fn get<P: Any + Send + Sync>(
        &self,
        constant: &Tensor,
        how: usize,
        pack: impl FnOnce() -> Result<P>,
    ) -> Result<Arc<P>> {
        if let Some(packed) = self.find(constant, how) {
            return Ok(packed);
        }
        // Not under the lock: packing waits for other threads, and meanwhile this one may compute the node for another step.
        let packed = {
            // Wholly, also where the run is over: later steps compute with it.
            let _whole = lane::whole();
            Arc::new(pack()?)
        };
        // Tensors that are so small that they hold their elements themselves have no place.
        if constant.num_bytes() >= 1024 {
            *self.packed.lock() = Some((constant.clone(), how, packed.clone()));
        }
        Ok(packed)
    }
}

/// Tensors of fewer bytes are not kept for when they come again.
const SMALL: usize = 1 << 18;
/// How often another tensor may come before the node is taken for one that gets another each time.
const MISSES: u32 = 2;

/// What is made, for the rest of a step, of an input of a node that gets the same tensor in many iterations of a loop, such as a
/// variable's value. It makes no difference to results whether a tensor comes again: what iterations do at the same time may
/// decide it.
#[derive(Default)]
pub struct Recurring {
    cache: Cache,
    misses: AtomicU32,
}

impl Recurring {
    /// Those of the node in `cx`, where input `i` is large and others see it as well, so that it may come again. None where runs
    /// have limits, which do not count what is packed.
    ///
    /// # Errors
    /// `INTERNAL` where the step's resources hold something else under the node's name.
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

    /// What `pack` makes of this tensor, made where that is not done yet; `None` where it would be for once.
    ///
    /// # Errors
    /// As `pack`.
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
        // The second one is kept, whatever else comes.
        assert_eq!([get(2, 5), get(3, 6), get(1, 7), get(0, 8)], [None, None, Some(3), None]);
    }

    #[test]
    fn what_a_cancelled_run_packs_is_whole() {
        for threads in [1, 2] {
            let (pool, token, scope) = (Pool::new(threads), CancelToken::new(), Arc::new(Scope::default()));
            scope.ends(None, &token);
            let _entered = lane::enter(Some(scope.clone()));
            let constant = Tensor::vector(vec![1f32; 1000]);
            let cache = Cache::default();
            let pack = || {
                token.cancel();
                let mut packed = vec![0u8; 1000];
                // So long that the rest would be left out.
                pool.for_chunks(&mut packed, 1, 1e6, |_, part| part.fill(1));
                Ok(packed)
            };
            assert_eq!(*cache.get(&constant, 0, pack).unwrap(), [1u8; 1000]);
            let kept = cache.get::<Vec<u8>>(&constant, 0, || Err(Error::internal("it is kept"))).unwrap();
            assert_eq!(*kept, [1u8; 1000]);
            // What the kernel does afterwards may be left out again.
            assert!(!scope.was_cut() && lane::scope_of_work().is_some());
        }
    }
}
