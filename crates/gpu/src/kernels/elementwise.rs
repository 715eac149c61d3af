//! Ops that compute each element of their output from one element of each input, broadcast together.

use super::shapes;
use crate::backend::Prepared;
use crate::device::{Gpu, reuse};
use crate::expressions::{self, Expression};
use crate::ir::{Access, Builder, E, Program};
use levada_graph::{AnyOp, DType, Error, Result, Shape, Tensor};
use levada_kernel::kernel::Make;
use levada_kernel::{AnyKernel, Cost, Io, KernelEntry, Piecewise};
use parking_lot::RwLock;
use smallvec::SmallVec;
use std::sync::Arc;

/// Number of buffers that every backend supports in a program.
pub(super) const MOST_BUFFERS: usize = 8;

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    let names = expressions::ALL.iter().flat_map(|row| row.names());
    names.map(|op| KernelEntry { op, make: Make::Fn(make), host_inputs: &[] })
}

fn make(op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
    let expression = expressions::of(op)?;
    let fits = expression.needs().iter().all(|&d| gpu.backend.has(d));
    if fits && expression.inputs.len() >= MOST_BUFFERS && expression.row.is_sum() {
        return Some(Arc::new(Many { op: op.clone(), dtype: expression.output, gpu: gpu.clone() }));
    }
    if !fits || expression.inputs.len() >= MOST_BUFFERS {
        return None;
    }
    let (key, piecewise) = (expression.key(), expression.piecewise());
    let last = RwLock::default();
    Some(Arc::new(Elementwise { op: op.clone(), expression, key, piecewise, gpu: gpu.clone(), last }))
}

struct Elementwise {
    op: Arc<dyn AnyOp>,
    expression: Expression,
    key: u64,
    /// The shapes that the inputs may have.
    piecewise: Piecewise,
    gpu: Arc<Gpu>,
    /// The last launch, which depends only on the shapes.
    last: RwLock<Option<Arc<Launch>>>,
}

/// How tensors of these shapes are processed.
struct Launch {
    given: Vec<Shape>,
    /// Shape of the output.
    shape: Shape,
    size: usize,
    program: Arc<Prepared>,
    params: Vec<u32>,
}

impl AnyKernel for Elementwise {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let launch = self.prepare(io)?;
        let inputs = self.expression.inputs.len();
        let reused = (0..inputs).find_map(|i| {
            let fits =
                self.expression.inputs[i] == self.expression.output && launch.given[i].num_elements() == launch.size;
            let taken = if fits { reuse(io, i, self.expression.output, &launch.shape) } else { None };
            taken.map(|t| (i, t))
        });
        let (at, out) = match reused {
            Some((i, tensor)) => (Some(i), tensor),
            None => (None, self.gpu.alloc(&io.node().name, self.expression.output, &launch.shape)?),
        };
        let mut buffers: SmallVec<[&Tensor; MOST_BUFFERS]> = SmallVec::new();
        for i in 0..inputs {
            buffers.push(if at == Some(i) { &out } else { io.input(i)? });
        }
        buffers.push(&out);
        self.gpu.launch(&io.node().name, &launch.program, launch.size, &buffers, &launch.params)?;
        drop(buffers);
        io.set(0, out);
        Ok(())
    }

    fn cost(&self) -> Cost {
        Cost::Cheap
    }

    fn piecewise(&self) -> Piecewise {
        self.piecewise
    }
}

/// A sum of more tensors than a program has buffers.
struct Many {
    op: Arc<dyn AnyOp>,
    dtype: DType,
    gpu: Arc<Gpu>,
}

impl AnyKernel for Many {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let shape = shapes::outputs(&*self.op, io)?.into_iter().next().unwrap_or_default();
        let node = io.node().name.clone();
        let inputs: Vec<Tensor> = io.inputs_from(0)?.into_iter().cloned().collect();
        if let Some(other) = inputs.iter().find(|t| *t.shape() != shape) {
            return Err(Error::invalid(format!(
                "Inputs must have the same size and shape. Input 0: {shape} != {}",
                other.shape()
            )));
        }
        let (dtype, size) = (self.dtype, shape.num_elements());
        // Partial sums are not rounded to fewer bits.
        let wide = if matches!(dtype, DType::F16 | DType::BF16) { DType::F32 } else { dtype };
        let mut sum: Option<Tensor> = None;
        let mut rest = &inputs[..];
        while !rest.is_empty() {
            let room = if sum.is_some() { MOST_BUFFERS - 2 } else { MOST_BUFFERS - 1 };
            let (some, after) = rest.split_at(room.min(rest.len()));
            let to = if after.is_empty() { dtype } else { wide };
            let out = self.gpu.alloc(&node, to, &shape)?;
            let key = [dtype as u64, to as u64, some.len() as u64, u64::from(sum.is_some())];
            let program = self.gpu.program("add_many", &key, || {
                let mut b = Builder::new("add_many");
                let before = sum.as_ref().map(|_| b.buffer(wide, Access::Read));
                let all: Vec<_> = some.iter().map(|_| b.buffer(dtype, Access::Read)).collect();
                let out = b.buffer(to, Access::Write);
                let size = b.param_u32();
                b.for_each(&size, |b, i| {
                    let terms = before.iter().chain(&all).map(|&x| b.load(x, &i));
                    if let Some(total) = terms.reduce(|sum, x| sum + x) {
                        b.store(out, &i, total);
                    }
                });
                b.finish()
            });
            let buffers: Vec<&Tensor> = sum.iter().chain(some).chain([&out]).collect();
            self.gpu.launch(&node, &program, size, &buffers, &[size as u32])?;
            (sum, rest) = (Some(out), after);
        }
        if let Some(sum) = sum {
            io.set(0, sum);
        }
        Ok(())
    }

    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

impl Elementwise {
    fn prepare(&self, io: &Io<'_>) -> Result<Arc<Launch>> {
        let inputs = self.expression.inputs.len();
        if let Some(last) = self.last.read().clone() {
            let is_same = |i: usize| io.input(i).is_ok_and(|t| *t.shape() == last.given[i]);
            if io.num_inputs() == inputs && (0..inputs).all(is_same) {
                return Ok(last);
            }
        }
        let shape = shapes::outputs(&*self.op, io)?.into_iter().next().unwrap_or_default();
        let size = shape.num_elements();
        let mut given = Vec::with_capacity(inputs);
        for i in 0..inputs {
            given.push(io.input(i)?.shape().clone());
        }
        let walk = match self.expression.row.spread() {
            Some(spread) => Walk::new(&shape, &spread(&given)?)?,
            None => {
                let other = given.iter().position(|found| found.num_elements() != size);
                if let Some(i) = other.filter(|_| self.piecewise == Piecewise::Alike) {
                    return Err(Error::invalid(format!("input {i} has shape {}, input 0 has {shape}", given[i])));
                }
                Walk::new(&shape, &given)?
            }
        };
        let program = self.gpu.program("elementwise", &[self.key, walk.key()], || self.program(&walk));
        let mut params = vec![size as u32];
        walk.params(&mut params);
        let launch = Arc::new(Launch { given, shape, size, program, params });
        *self.last.write() = Some(launch.clone());
        Ok(launch)
    }

    fn program(&self, walk: &Walk) -> Program {
        let mut b = Builder::new(self.op.spec().name);
        let inputs: Vec<_> = self.expression.inputs.iter().map(|&d| b.buffer(d, Access::Read)).collect();
        let output = b.buffer(self.expression.output, Access::Write);
        let count = b.param_u32();
        let walk = walk.declare(&mut b);
        b.for_each(&count, |b, i| {
            let places = walk.places(b, &i);
            let values: Vec<E> = inputs.iter().zip(places).map(|(&x, at)| b.load(x, at)).collect();
            let values: Vec<E> = values.into_iter().map(|v| b.let_(v)).collect();
            b.store(output, &i, self.expression.build(&values));
        });
        b.finish()
    }
}

/// How several tensors that are broadcast to one shape are traversed together.
pub(super) struct Walk {
    /// Sizes of the axes, merged where possible.
    dims: Vec<usize>,
    /// For each tensor the stride along each axis, 0 where it is repeated.
    strides: Vec<Vec<usize>>,
}

/// A [`Walk`] in a program.
pub(super) struct Places {
    dims: Vec<E>,
    strides: Vec<Stride>,
}

/// How a tensor is traversed.
enum Stride {
    /// Always its one element.
    Still,
    /// Element by element.
    Straight,
    /// With a stride for each axis.
    Along(Vec<E>),
}

impl Walk {
    /// Through tensors of these shapes, each of which is broadcast to `to` or has as many elements.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a tensor that cannot be broadcast.
    pub(super) fn new(to: &Shape, shapes: &[Shape]) -> Result<Walk> {
        let rank = to.rank();
        let mut strides = Vec::with_capacity(shapes.len());
        for shape in shapes {
            if shape.num_elements() == to.num_elements() {
                strides.push(to.strides().to_vec());
                continue;
            }
            let missing = rank.checked_sub(shape.rank());
            let fits = missing.is_some_and(|m| shape.iter().zip(&to[m..]).all(|(&d, &t)| d == t || d == 1));
            let Some(missing) = missing.filter(|_| fits) else {
                return Err(Error::invalid(format!("Incompatible shapes: {shape} cannot be broadcast to {to}")));
            };
            let own = shape.strides();
            let stride = |axis: usize| axis.checked_sub(missing).filter(|&a| shape[a] != 1).map_or(0, |a| own[a]);
            strides.push((0..rank).map(stride).collect());
        }
        let mut walk = Walk { dims: Vec::new(), strides: vec![Vec::new(); shapes.len()] };
        for axis in 0..rank {
            if to[axis] == 1 {
                continue;
            }
            let joins = !walk.dims.is_empty()
                && strides.iter().zip(&walk.strides).all(|(s, w)| w.last() == Some(&(s[axis] * to[axis])));
            if joins {
                if let Some(dim) = walk.dims.last_mut() {
                    *dim *= to[axis];
                }
                for (own, given) in walk.strides.iter_mut().zip(&strides) {
                    if let Some(last) = own.last_mut() {
                        *last = given[axis];
                    }
                }
            } else {
                walk.dims.push(to[axis]);
                walk.strides.iter_mut().zip(&strides).for_each(|(w, s)| w.push(s[axis]));
            }
        }
        Ok(walk)
    }

    /// 0 for a tensor that stays at its one element, 1 for one traversed in order, 2 otherwise.
    fn kind(&self, tensor: usize) -> u64 {
        let strides = &self.strides[tensor];
        let mut inner = 1;
        let straight = self.dims.iter().zip(strides).rev().all(|(d, s)| {
            let fits = *s == inner;
            inner *= d;
            fits
        });
        match () {
            () if straight => 1,
            () if strides.iter().all(|&s| s == 0) => 0,
            () => 2,
        }
    }

    /// What a program depends on.
    pub(super) fn key(&self) -> u64 {
        let kinds = (0..self.strides.len()).fold(0, |key, tensor| key * 3 + self.kind(tensor));
        kinds * 64 + self.dims.len() as u64
    }

    /// Appends the values of the parameters that [`Walk::declare`] declares.
    pub(super) fn params(&self, params: &mut Vec<u32>) {
        params.extend(self.dims.iter().map(|&d| d as u32));
        for (tensor, strides) in self.strides.iter().enumerate() {
            if self.kind(tensor) == 2 {
                params.extend(strides.iter().map(|&s| s as u32));
            }
        }
    }

    /// Declares its parameters.
    pub(super) fn declare(&self, b: &mut Builder) -> Places {
        let dims: Vec<E> = self.dims.iter().map(|_| b.param_u32()).collect();
        let strides = (0..self.strides.len())
            .map(|tensor| match self.kind(tensor) {
                0 => Stride::Still,
                1 => Stride::Straight,
                _ => Stride::Along(self.dims.iter().map(|_| b.param_u32()).collect()),
            })
            .collect();
        Places { dims, strides }
    }
}

impl Places {
    /// The location of each tensor's element `i`.
    pub(super) fn places(&self, b: &mut Builder, i: &E) -> Vec<E> {
        let along = self.strides.iter().any(|s| matches!(s, Stride::Along(_)));
        let mut axes = Vec::new();
        if along {
            let mut rest = i.clone();
            for dim in self.dims.iter().rev() {
                axes.push(b.let_(&rest % dim));
                rest = b.let_(&rest / dim);
            }
            axes.reverse();
        }
        let place = |stride: &Stride| match stride {
            Stride::Still => E::u32(0),
            Stride::Straight => i.clone(),
            Stride::Along(strides) => {
                axes.iter().zip(strides).map(|(a, s)| a * s).reduce(|sum, x| sum + x).unwrap_or_else(|| E::u32(0))
            }
        };
        self.strides.iter().map(place).collect()
    }
}
