//! How the CPU computes a group: if its tensors are large, all its nodes on one piece after the other, so that what
//! they pass to each other stays in the nearest caches. Each node's own kernel computes its pieces, so the results are
//! bit for bit those of whole tensors.

use crate::arena::Arena;
use crate::env::{Env, StepCx};
use crate::finite::{self, Sought};
use crate::group::{Group, Origin, Part};
use crate::io::{Entry, Io, NeverParks, NodeMeta};
use crate::kernel::{AnyKernel, Cost, Piecewise};
use crate::pool::Pool;
use crate::resources::Resources;
use crate::scalars::ScalarFunction;
use crate::strips::Strips;
use crate::tiles::{Cuts, Given};
use levada_graph::{DType, Error, Result, Shape, Tensor};
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Bytes of a piece.
const PIECE: usize = 16 << 10;
/// A group with a smaller output is computed node by node: all of it stays in the caches anyway.
const WORTH_CUTTING: usize = 8 * PIECE;

/// The kernel of a group.
pub(crate) struct Pieces {
    group: Arc<Group>,
    arena: Arc<Arena>,
    /// What the nodes do with strips, if all of them have strip functions.
    strips: Option<Strips>,
    /// What is computed if the tensors cannot be strips, if there are several outputs or nodes that are not elementwise.
    split: Option<Group>,
    /// The step in which the nodes compute pieces: with one thread, since a piece is not worth splitting again.
    alone: StepCx,
    /// For each part, a bit mask of the group's inputs that it depends on.
    reach: Box<[u64]>,
    /// Bytes of the widest element among the nodes' outputs.
    widest: usize,
}

impl Pieces {
    pub(crate) fn new(group: Arc<Group>, arena: Arc<Arena>) -> Pieces {
        let mut reach: Vec<u64> = Vec::with_capacity(group.parts.len());
        for part in &group.parts {
            let of = |origin| match origin {
                Origin::Input(i) => 1u64.checked_shl(i as u32).unwrap_or(0),
                Origin::Part(p) => reach[p],
            };
            reach.push(part.inputs.iter().fold(0, |all, source| all | of(source.origin)));
        }
        let widest = group.parts.iter().flat_map(|p| p.meta.outputs.iter()).map(|d| d.size()).max().unwrap_or(1).max(1);
        let alone = StepCx::alone(Arc::new(Env::new(Arc::new(Pool::new(1)), Arc::new(Resources::default()))));
        let strips = Strips::of(&group);
        let kernel = |group| Arc::new(Pieces::new(Arc::new(group), arena.clone())) as Arc<dyn AnyKernel>;
        let is_elementwise = |part: &Part| part.kernel.piecewise() != Piecewise::No;
        let is_cut = group.outputs.len() == 1 && group.parts.iter().all(is_elementwise);
        let split = (!is_cut).then(|| group.split(kernel));
        Pieces { group, arena, strips, split, alone, reach: reach.into(), widest }
    }

    /// Computes the output piece by piece; `None`, with all inputs unchanged, if the nodes must be computed one by one:
    /// if tensors are small, of a kind that cannot be cut, or invalid.
    fn by_pieces(&self, io: &mut Io<'_>) -> Result<Option<Tensor>> {
        let Some(tiling) = self.tiling(io) else { return Ok(None) };
        let Some(last) = self.group.parts.last() else { return Ok(None) };
        let Some(dtype) = io.output_dtype(0).filter(|d| d.is_plain()) else { return Ok(None) };
        let given: Vec<Option<Tensor>> = (0..io.num_inputs()).map(|i| tiling.fixed(i, io)).collect();
        let found = AtomicBool::new(false);
        let looks = io.sought().map(|sought| (sought, &found));
        let mut work =
            Work { pieces: self, tiling: &tiling, whole: wholes(io, None), given, hoisted: Vec::new(), looks };
        let (first, nanos) = match work.hoist().and_then(|()| work.first(last)) {
            Ok(done) if done.0.dtype().size() == dtype.size() => done,
            _ => return Ok(None),
        };
        let Work { given, hoisted, .. } = work;
        let fits = |i: &usize| io.input(*i).is_ok_and(|t| t.dtype() == dtype && *t.shape() == tiling.shape);
        let taken = (0..io.num_inputs()).filter(fits).collect::<SmallVec<[usize; 4]>>();
        let taken = taken.into_iter().find_map(|i| Some((i, io.forward(i, dtype, &tiling.shape)?)));
        let (taken, mut out) = match taken {
            Some((i, out)) => (Some(i), out),
            None => (None, self.arena.tensor(dtype, tiling.shape.clone())?),
        };
        let work = Work { pieces: self, tiling: &tiling, whole: wholes(io, taken), given, hoisted, looks };
        let failed = work.rest(io.pool(), (taken, dtype), &first, &mut out, nanos);
        match failed {
            None => {
                if io.sought().is_some() {
                    io.set_looked(found.into_inner());
                }
                Ok(Some(out))
            }
            // Computing the nodes one by one reports which of them fails first, if their inputs are still there.
            Some(error) if taken.is_some() => Err(error),
            Some(_) => Ok(None),
        }
    }

    fn tiling(&self, io: &Io<'_>) -> Option<Tiling> {
        let inputs = io.num_inputs();
        let mut most = 0;
        for i in 0..inputs {
            let tensor = io.input(i).ok()?;
            most = most.max(tensor.num_elements());
            if !tensor.dtype().is_plain() {
                return None;
            }
        }
        if most < 1024 || inputs > 64 || (0..inputs).any(|i| io.input(i).is_ok_and(|t| t.bytes().is_none())) {
            return None;
        }
        let shapes = self.group.shapes(io)?;
        let shape = shapes.last()?;
        if shape.num_elements().checked_mul(self.widest)? < WORTH_CUTTING {
            return None;
        }
        Tiling::new(shape, &(0..inputs).map(|i| io.input(i).map(Tensor::shape)).collect::<Result<Vec<_>>>().ok()?, self)
    }
}

/// The inputs, except the one that was taken.
fn wholes<'a>(io: &'a Io<'_>, taken: Option<usize>) -> Vec<Option<&'a Tensor>> {
    (0..io.num_inputs()).map(|i| io.input(i).ok().filter(|_| taken != Some(i))).collect()
}

impl AnyKernel for Pieces {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        if let Some(out) = self.group.by_scalars(io) {
            io.set(0, out);
            return Ok(());
        }
        // A search of the nodes' outputs needs them as tensors.
        let strips = self.strips.as_ref().filter(|_| io.sought().is_none());
        if let Some(strips) = strips
            && let Some(outputs) = strips.compute(&self.group, &self.arena, io)?
        {
            outputs.into_iter().enumerate().for_each(|(i, out)| io.set(i, out));
            return Ok(());
        }
        if let Some(split) = &self.split {
            let group = if io.sought().is_some() { &*self.group } else { split };
            return group.one_by_one(io);
        }
        match self.by_pieces(io)? {
            Some(out) => {
                io.set(0, out);
                Ok(())
            }
            None => self.group.one_by_one(io),
        }
    }

    fn scalar_function(&self, _: &NodeMeta, step: &StepCx) -> Option<ScalarFunction> {
        self.group.function(step)
    }
    fn is_cut(&self) -> bool {
        self.split.is_none()
    }
    fn cuts(&self, inputs: &[Given<'_>]) -> Option<Cuts> {
        let shapes = if self.is_cut() { self.group.shapes_of(|i| inputs.get(i).copied()) } else { None };
        Some(Cuts::elementwise(shapes?.pop()?, inputs))
    }
    fn cost(&self) -> Cost {
        let heavy = self.group.parts.iter().any(|p| p.kernel.cost() == Cost::Heavy);
        if heavy { Cost::Heavy } else { Cost::Cheap }
    }
}

/// How an output and the inputs broadcast to it are cut into pieces. Neighbouring output axes along which the same
/// inputs vary are merged. A piece is some rows of one of these axes, with all the axes inside it.
struct Tiling {
    shape: Shape,
    dims: SmallVec<[usize; 4]>,
    /// The axis that is cut. Those outside it are iterated index by index.
    split: usize,
    /// Rows of that axis in a piece, and elements in a row.
    rows: usize,
    row: usize,
    inputs: Vec<Walk>,
    /// Parts that are the same for all pieces.
    hoisted: Vec<bool>,
}

/// How an input is traversed.
struct Walk {
    /// Rank 0, which some kernels tell apart from other single elements.
    scalar: bool,
    /// Strides along the axes up to the one that is cut; 0 along axes where the input is repeated.
    strides: SmallVec<[usize; 4]>,
    /// Sizes of the axes of a piece after the first.
    inner: SmallVec<[usize; 4]>,
}

impl Tiling {
    fn new(shape: &Shape, inputs: &[&Shape], pieces: &Pieces) -> Option<Tiling> {
        let mut dims: SmallVec<[usize; 4]> = SmallVec::new();
        // For each axis, the inputs that vary along it.
        let mut masks: SmallVec<[u64; 4]> = SmallVec::new();
        for (axis, &size) in shape.iter().enumerate().filter(|(_, size)| **size != 1) {
            let varies = |s: &Shape| (axis + s.rank()).checked_sub(shape.rank()).is_some_and(|a| s[a] != 1);
            let mask = inputs.iter().enumerate().fold(0u64, |mask, (i, s)| mask | u64::from(varies(s)) << i);
            match (dims.last_mut(), masks.last()) {
                (Some(dim), Some(&last)) if last == mask => *dim *= size,
                _ => {
                    dims.push(size);
                    masks.push(mask);
                }
            }
        }
        let limit = (PIECE / pieces.widest).max(1);
        let (mut split, mut row) = (dims.len().checked_sub(1)?, 1);
        while split > 0 && row * dims[split] <= limit {
            row *= dims[split];
            split -= 1;
        }
        let rows = (limit / row).clamp(1, dims[split]);
        let walk = |(i, s): (usize, &&Shape)| {
            let mut inner = 1;
            let mut all: SmallVec<[usize; 4]> = SmallVec::from_elem(0, dims.len());
            for axis in (0..dims.len()).rev().filter(|&a| masks[a] >> i & 1 == 1) {
                all[axis] = inner;
                inner *= dims[axis];
            }
            let size = |a: usize| if all[a] == 0 { 1 } else { dims[a] };
            Walk {
                scalar: s.is_scalar(),
                inner: (split + 1..dims.len()).map(size).collect(),
                strides: all[..=split].iter().copied().collect(),
            }
        };
        let inputs = inputs.iter().enumerate().map(walk).collect();
        let outside = masks[..=split].iter().fold(0, |all, mask| all | mask);
        let hoisted = pieces.reach.iter().map(|reach| reach & outside == 0).collect();
        Some(Tiling { shape: shape.clone(), dims, split, rows, row, inputs, hoisted })
    }

    /// The shape of `n` rows of an input.
    fn piece_shape(&self, walk: &Walk, n: usize) -> Result<Shape> {
        let first = if walk.strides[self.split] == 0 { 1 } else { n };
        if walk.inner.is_empty() {
            return Ok(Shape::vector(first));
        }
        Shape::new(std::iter::once(first).chain(walk.inner.iter().copied()))
    }

    /// Input `i` in the shape it has in every piece, if it is the same in all.
    fn fixed(&self, i: usize, io: &Io<'_>) -> Option<Tensor> {
        let walk = &self.inputs[i];
        if walk.strides.iter().any(|&s| s != 0) {
            return None;
        }
        let tensor = io.input(i).ok()?.clone();
        if walk.scalar { Some(tensor) } else { tensor.reshaped(self.piece_shape(walk, 1).ok()?).ok() }
    }

    /// The offset of the element of an input that row `at` starts with.
    fn offset(&self, walk: &Walk, at: usize) -> usize {
        let mut rest = at / self.dims[self.split];
        let mut offset = at % self.dims[self.split] * walk.strides[self.split];
        for axis in (0..self.split).rev() {
            offset += rest % self.dims[axis] * walk.strides[axis];
            rest /= self.dims[axis];
        }
        offset
    }
}

/// The tensors of a group that is being computed.
struct Work<'a> {
    pieces: &'a Pieces,
    tiling: &'a Tiling,
    /// The inputs; `None` for the one whose memory the output uses.
    whole: Vec<Option<&'a Tensor>>,
    /// Inputs that are the same in all pieces.
    given: Vec<Option<Tensor>>,
    /// For each part, its output if that is the same in all pieces.
    hoisted: Vec<Option<Tensor>>,
    /// What to look for in the outputs of the parts, and whether it was found.
    looks: Option<(Sought, &'a AtomicBool)>,
}

impl Work<'_> {
    /// Computes the parts that are the same in all pieces.
    fn hoist(&mut self) -> Result<()> {
        self.hoisted = vec![None; self.pieces.group.parts.len()];
        let mut lane = Lane::default();
        for (p, part) in self.pieces.group.parts.iter().enumerate().filter(|(p, _)| self.tiling.hoisted[*p]) {
            self.compute(part, &mut lane, (0, 1), None)?;
            let output = lane.output();
            self.hoisted[p] =
                Some(output.ok_or_else(|| part.named(Error::internal("the kernel did not set output 0")))?);
        }
        Ok(())
    }

    /// Computes the first piece, and returns how many nanoseconds that took.
    fn first(&self, last: &Part) -> Result<(Tensor, f64)> {
        let n = self.tiling.rows;
        let clock = Instant::now();
        let mut lane = Lane::default();
        let out = self.piece(&mut lane, (0, n), None)?;
        if out.num_elements() != n * self.tiling.row || out.bytes().is_none() {
            return Err(last.named(Error::internal("a piece has another size than expected")));
        }
        Ok((out, clock.elapsed().as_nanos() as f64))
    }

    /// Puts the first piece into `out` and computes all others. `nanos`: cost of a piece.
    fn rest(
        &self,
        pool: &Pool,
        (taken, dtype): (Option<usize>, DType),
        first: &Tensor,
        out: &mut Tensor,
        nanos: f64,
    ) -> Option<Error> {
        let tiling = self.tiling;
        let width = tiling.row * dtype.size();
        let (Some(bytes), Some(done)) = (out.bytes_mut(), first.bytes()) else {
            return Some(Error::internal("a tensor of the host has no bytes"));
        };
        let axis = tiling.dims[tiling.split];
        let (head, tail) = bytes.split_at_mut(done.len());
        head.copy_from_slice(done);
        // Whole pieces if they follow each other, so that all start at even addresses.
        let step = if tiling.split == 0 || axis.is_multiple_of(tiling.rows) { tiling.rows } else { 1 };
        let failed: Mutex<Option<Error>> = Mutex::new(None);
        // Set once `failed` is; only saves work.
        let stop = AtomicBool::new(false);
        let nanos = nanos / tiling.rows as f64 * step as f64;
        pool.for_chunks(tail, step * width, nanos, |item, mut chunk| {
            let mut lane = Lane::default();
            let mut at = tiling.rows + item * step;
            while !chunk.is_empty() && !stop.load(Ordering::Relaxed) {
                let n = tiling.rows.min(axis - at % axis).min(chunk.len() / width);
                let (piece, rest) = chunk.split_at_mut(n * width);
                let computed = self.piece(&mut lane, (at, n), taken.map(|i| (i, &*piece)));
                match computed.as_ref().map(Tensor::bytes) {
                    Ok(Some(found)) if found.len() == piece.len() => piece.copy_from_slice(found),
                    _ => {
                        let error = computed.err();
                        let other = || Error::internal("a piece has another size than expected");
                        failed.lock().get_or_insert_with(|| error.unwrap_or_else(other));
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                at += n;
                chunk = rest;
            }
        });
        failed.into_inner()
    }

    /// Computes `n` rows starting at row `at`. `taken`: an input whose rows are in these bytes.
    fn piece(&self, lane: &mut Lane, rows: (usize, usize), taken: Option<(usize, &[u8])>) -> Result<Tensor> {
        lane.values.clear();
        let taken = match taken {
            Some((i, bytes)) => {
                let shape = self.tiling.piece_shape(&self.tiling.inputs[i], rows.1)?;
                let dtype = self.pieces.group.parts.last().and_then(|p| p.meta.outputs.first().copied());
                let mut copy = self.pieces.arena.tensor(dtype.unwrap_or(DType::U8), shape)?;
                if let Some(to) = copy.bytes_mut().filter(|to| to.len() == bytes.len()) {
                    to.copy_from_slice(bytes);
                }
                Some(copy)
            }
            None => None,
        };
        for (p, part) in self.pieces.group.parts.iter().enumerate() {
            let value = match &self.hoisted[p] {
                Some(value) => Entry::Constant(value.clone()),
                None => {
                    self.compute(part, lane, rows, taken.as_ref())?;
                    std::mem::take(&mut lane.out[0])
                }
            };
            lane.values.push(value);
        }
        match lane.values.pop() {
            Some(Entry::Value(out)) => Ok(out),
            _ => Err(Error::internal("a group without an output")),
        }
    }

    /// Computes some rows of a part.
    fn compute(&self, part: &Part, lane: &mut Lane, rows: (usize, usize), taken: Option<&Tensor>) -> Result<()> {
        lane.given.clear();
        for source in &part.inputs {
            let entry = match source.origin {
                Origin::Input(i) => match (&self.given[i], self.whole[i], taken) {
                    (Some(fixed), ..) => Entry::Constant(fixed.clone()),
                    (None, Some(whole), _) => {
                        let walk = &self.tiling.inputs[i];
                        let shape = self.tiling.piece_shape(walk, rows.1)?;
                        Entry::Value(whole.part(self.tiling.offset(walk, rows.0), shape)?)
                    }
                    (None, None, Some(taken)) => Entry::Value(taken.clone()),
                    (None, None, None) => return Err(Error::internal(format!("missing input {i}"))),
                },
                Origin::Part(p) => match self.hoisted.get(p) {
                    Some(Some(value)) => Entry::Constant(value.clone()),
                    _ if source.last => std::mem::take(&mut lane.values[p]),
                    _ => lane.values[p].clone(),
                },
            };
            lane.given.push(entry);
        }
        lane.out[0] = Entry::Empty;
        let mut parker = NeverParks;
        let step = &self.pieces.alone;
        let mut io = Io::new(&mut lane.given, &mut lane.out, &part.meta, step, &mut parker);
        part.kernel.compute(&mut io).map_err(|e| part.named(e))?;
        if let (Some((sought, found)), true, Some(tensor)) = (self.looks, part.is_looked_at, lane.out[0].tensor())
            && finite::holds(tensor, sought, &step.env.pool)
        {
            found.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// What one thread keeps from piece to piece.
#[derive(Default)]
struct Lane {
    values: Vec<Entry>,
    given: SmallVec<[Entry; 4]>,
    out: [Entry; 1],
}

impl Lane {
    fn output(&mut self) -> Option<Tensor> {
        match std::mem::take(&mut self.out[0]) {
            Entry::Value(tensor) | Entry::Constant(tensor) => Some(tensor),
            _ => None,
        }
    }
}
