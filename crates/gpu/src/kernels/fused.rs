//! Groups of elementwise nodes as one program each: intermediate values stay in registers.

use super::elementwise::{MOST_BUFFERS, Walk};
use crate::device::{Gpu, reuse};
use crate::expressions::{self, Expression, narrowed};
use crate::ir::{Access, Builder, E, Program, Ty};
use levada_graph::{DType, Error, Result, Shape, Tensor, bf16, f16};
use levada_kernel::group::{FuseLimits, Group, Origin};
use levada_kernel::{AnyKernel, Cost, Io};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Maximum size of groups.
pub(crate) const LIMITS: FuseLimits = FuseLimits { parts: 32, inputs: MOST_BUFFERS - 1 };

/// The kernel of a group; `None` if one of its nodes has no expression, or it takes too many tensors.
pub(crate) fn fuse(group: &Arc<Group>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
    let expressions = group.parts.iter().map(|p| expressions::of(&p.op)).collect::<Option<Vec<_>>>()?;
    let mut inputs: Vec<Option<Input>> = vec![None; group.inputs.len()];
    for (part, expression) in group.parts.iter().zip(&expressions) {
        for (source, &dtype) in part.inputs.iter().zip(&expression.inputs) {
            if let Origin::Input(i) = source.origin {
                let known = group.inputs[i].as_ref().and_then(|tensor| word(tensor, dtype));
                inputs[i] = Some(Input { dtype, known });
            }
        }
    }
    let inputs = inputs.into_iter().collect::<Option<Vec<Input>>>()?;
    let fits = expressions.iter().all(|e| e.needs().iter().all(|&d| gpu.backend.has(d)));
    if !fits || inputs.iter().filter(|i| i.known.is_none()).count() >= MOST_BUFFERS {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    for (part, expression) in group.parts.iter().zip(&expressions) {
        expression.key().hash(&mut hasher);
        part.inputs.iter().for_each(|source| source.origin.hash(&mut hasher));
    }
    inputs.iter().for_each(|input| (input.dtype, input.known.is_some()).hash(&mut hasher));
    Some(Arc::new(Fused { group: group.clone(), expressions, inputs, key: hasher.finish(), gpu: gpu.clone() }))
}

/// An input of a group.
#[derive(Clone, Copy)]
struct Input {
    dtype: DType,
    /// Its one element as the bits of a parameter, if that is known before the run.
    known: Option<u32>,
}

struct Fused {
    group: Arc<Group>,
    expressions: Vec<Expression>,
    inputs: Vec<Input>,
    key: u64,
    gpu: Arc<Gpu>,
}

impl AnyKernel for Fused {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        // Invalid inputs are reported by the nodes.
        let Some(shape) = self.group.shapes(io).and_then(|mut shapes| shapes.pop()) else {
            return self.group.one_by_one(io);
        };
        let Some(output) = self.expressions.last().map(|e| e.output) else { return Ok(()) };
        let taken: Vec<usize> = (0..self.inputs.len()).filter(|&i| self.inputs[i].known.is_none()).collect();
        let given = taken.iter().map(|&i| Ok(io.input(i)?.shape().clone())).collect::<Result<Vec<Shape>>>()?;
        let walk = Walk::new(&shape, &given)?;
        let size = shape.num_elements();
        let reused = taken.iter().zip(&given).find_map(|(&i, given)| {
            let fits = given.num_elements() == size && self.inputs[i].dtype == output;
            let tensor = if fits { reuse(io, i, output, &shape) } else { None };
            tensor.map(|t| (i, t))
        });
        let (at, out) = match reused {
            Some((i, tensor)) => (Some(i), tensor),
            None => (None, self.gpu.alloc(&io.node().name, output, &shape)?),
        };
        let mut buffers: Vec<&Tensor> = Vec::with_capacity(taken.len() + 1);
        for &i in &taken {
            buffers.push(if at == Some(i) { &out } else { io.input(i)? });
        }
        buffers.push(&out);
        let program = self.gpu.program("fused", &[self.key, walk.key()], || self.program(&walk));
        let count = u32::try_from(size).map_err(|_| Error::unimplemented("too many elements for a program"))?;
        let mut params = vec![count];
        params.extend(self.inputs.iter().filter_map(|input| input.known));
        walk.params(&mut params);
        self.gpu.launch(&io.node().name, &program, size, &buffers, &params)?;
        io.set(0, out);
        Ok(())
    }

    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

impl Fused {
    fn program(&self, walk: &Walk) -> Program {
        let mut b = Builder::new(self.name());
        let taken = self.inputs.iter().filter(|i| i.known.is_none());
        let buffers: Vec<_> = taken.map(|i| b.buffer(i.dtype, Access::Read)).collect();
        let output = b.buffer(self.expressions.last().map_or(DType::F32, |e| e.output), Access::Write);
        let count = b.param_u32();
        let known: Vec<Option<E>> = self.inputs.iter().map(|i| i.known.map(|_| param(&mut b, i.dtype))).collect();
        let walk = walk.declare(&mut b);
        b.for_each(&count, |b, i| {
            let mut places = buffers.iter().zip(walk.places(b, &i));
            let mut inputs: Vec<E> = Vec::with_capacity(known.len());
            for known in &known {
                let value = match (known, if known.is_none() { places.next() } else { None }) {
                    (Some(known), _) => known.clone(),
                    (None, Some((&buffer, at))) => b.load(buffer, at),
                    (None, None) => continue,
                };
                inputs.push(b.let_(value));
            }
            let mut values: Vec<E> = Vec::with_capacity(self.expressions.len());
            for (part, expression) in self.group.parts.iter().zip(&self.expressions) {
                let of = |origin| match origin {
                    Origin::Input(i) => inputs[i].clone(),
                    Origin::Part(p) => E::clone(&values[p]),
                };
                let given: Vec<E> = part.inputs.iter().map(|source| of(source.origin)).collect();
                // The output of a node has the precision of its dtype, in registers as in memory.
                let value = narrowed(&b.let_(expression.build(&given)), expression.output);
                values.push(b.let_(value));
            }
            if let Some(last) = values.pop() {
                b.store(output, &i, last);
            }
        });
        b.finish()
    }

    /// The first and the last op, and the number of ops.
    fn name(&self) -> String {
        let ops: Vec<&str> = self.expressions.iter().map(|e| e.row.name()).collect();
        match ops[..] {
            [first, .., last] => format!("{first}_{}_{last}", ops.len()),
            _ => "fused".to_owned(),
        }
    }
}

/// A parameter that holds an element of a dtype.
fn param(b: &mut Builder, dtype: DType) -> E {
    match Ty::of(dtype) {
        Some(Ty::Bool) => b.param_u32().ne(0),
        Some(ty) => b.param(ty),
        None => b.param_u32(),
    }
}

/// The one element of a tensor as the bits of a parameter: of dtypes that are computed in 32 bits.
fn word(tensor: &Tensor, dtype: DType) -> Option<u32> {
    if tensor.num_elements() != 1 || tensor.dtype() != dtype {
        return None;
    }
    Some(match dtype {
        DType::F32 => tensor.item::<f32>().ok()?.to_bits(),
        DType::F16 => tensor.item::<f16>().ok()?.to_f32().to_bits(),
        DType::BF16 => tensor.item::<bf16>().ok()?.to_f32().to_bits(),
        DType::I32 => tensor.item::<i32>().ok()? as u32,
        DType::I16 => i32::from(tensor.item::<i16>().ok()?) as u32,
        DType::I8 => i32::from(tensor.item::<i8>().ok()?) as u32,
        DType::U32 => tensor.item::<u32>().ok()?,
        DType::U16 => u32::from(tensor.item::<u16>().ok()?),
        DType::U8 => u32::from(tensor.item::<u8>().ok()?),
        DType::Bool => u32::from(tensor.item::<bool>().ok()?),
        _ => return None,
    })
}
