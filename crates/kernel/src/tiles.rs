//! How the CPU computes a chain of products and what lies between them, as attention is: tile by tile, so that the large result
//! of the first product, the scores, is never in memory as a whole.
//!
//! Each kernel of the chain says by [`Cuts`] along which axes its output can be computed in parts, and which axes of its inputs are
//! cut with them. A tile is a part of the chain's output along all axes that reach through the whole chain. Each node's own kernel
//! computes its part of a tile, so that the results are those of the whole tensors wherever a kernel adds in an order that does not
//! depend on the number of rows.

#![allow(unsafe_code)]

use crate::arena::Arena;
use crate::env::{Env, StepCx};
use crate::group::{Group, Origin, Part};
use crate::io::{Entry, Io, NeverParks};
use crate::kernel::{AnyKernel, Cost};
use crate::pieces::Pieces;
use crate::pool::Pool;
use crate::resources::Resources;
use levada_graph::{Error, Result, Shape, Tensor};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The role of a kernel in a chain that is computed tile by tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Multiplies two tensors.
    Product,
    /// Normalizes the rows of its first input.
    Rows,
    /// Moves the elements of its first input.
    Moves,
}

/// An input of a kernel whose output is split.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// Its shape.
    pub shape: &'a Shape,
    /// Its value, unless a node of the chain computes it.
    pub value: Option<&'a Tensor>,
}

/// For each input of a kernel, the axis that is cut together with an axis of the output; `None` for an input of which all is needed.
pub type Cut = SmallVec<[Option<usize>; 2]>;

/// How the output of a kernel can be cut.
pub struct Cuts {
    /// The shape of the output.
    pub shape: Shape,
    /// By axis of the output, how the inputs are cut along it; `None` for an axis that cannot be cut.
    pub axes: SmallVec<[Option<Cut>; 4]>,
}

impl Cuts {
    /// Of a kernel that computes each element of its output, which has this shape, from one element of each input.
    pub fn elementwise(shape: Shape, inputs: &[Given<'_>]) -> Cuts {
        let axes = (0..shape.rank()).map(|axis| {
            let cut = |input: &Given<'_>| {
                (axis + input.shape.rank()).checked_sub(shape.rank()).filter(|&a| input.shape[a] == shape[axis])
            };
            Some(inputs.iter().map(cut).collect())
        });
        Cuts { axes: axes.collect(), shape }
    }

    /// True where they are of these inputs: axes that are cut together have one size.
    fn fit(&self, inputs: &[Given<'_>]) -> bool {
        let is_alike = |axis: usize, cut: &Cut| {
            let same = |(input, along): (&Given<'_>, &Option<usize>)| {
                along.is_none_or(|along| input.shape.get(along) == Some(&self.shape[axis]))
            };
            cut.len() == inputs.len() && inputs.iter().zip(cut).all(same)
        };
        self.axes.len() == self.shape.rank()
            && self.axes.iter().enumerate().all(|(axis, cut)| cut.as_ref().is_none_or(|cut| is_alike(axis, cut)))
    }
}

/// Bytes of the largest tensor of a tile, at most, where that leaves enough rows.
const MOST: usize = 1 << 20;
/// And where there are few tiles of that size.
const LEAST: usize = 16 << 10;
const FEW: usize = 32;
/// Estimated time for each byte of a chain's largest tensor: two products of 64 elements, and an exponential, for each element.
const NANOS: f64 = 1.0;
/// Chains whose largest tensor is smaller, or less than twice as large as a factor, are computed node by node.
const WORTH_CUTTING: usize = 256 << 10;
/// Rows of a tile, at least, if there are so many: its other factors are packed again for each tile, and products of few
/// rows add in another order.
const FEWEST_ROWS: usize = 128;

/// The number of bytes aimed at for the largest tensor of a tile, in a chain whose largest tensor and largest factor have these sizes;
/// `None` if the chain is computed node by node.
fn tile_bytes(largest: usize, factor: usize) -> Option<usize> {
    (largest >= WORTH_CUTTING.max(2 * factor)).then(|| (largest / FEW).clamp(LEAST, MOST))
}

/// An upper bound on the bytes that each thread needs for the intermediate tensors of a chain, whose largest tensor, a row of it, and
/// largest factor have these sizes; `None` if the chain is computed node by node.
pub fn workspace(largest: usize, row: usize, factor: usize) -> Option<usize> {
    // Axes are cut into parts of equal size, which takes up to twice as much; so does the last one, which has a minimum of rows.
    let tile = (2 * tile_bytes(largest, factor)?).max(2 * FEWEST_ROWS * row).min(largest);
    // The tensor, what the next node makes of it, and parts of the factors.
    Some(4 * tile)
}

/// The kernel of a chain.
pub(crate) struct Tiled {
    group: Arc<Group>,
    /// The chain with its elementwise nodes together.
    split: Group,
    arena: Arc<Arena>,
    /// Where the nodes compute tiles: with one thread, for a tile is not worth splitting again.
    alone: StepCx,
}

impl Tiled {
    /// The kernel of a chain; `None` where a node's output cannot be cut.
    pub(crate) fn new(group: Arc<Group>, arena: Arc<Arena>) -> Option<Tiled> {
        let split = group.split(|group| Arc::new(Pieces::new(Arc::new(group), arena.clone())) as Arc<dyn AnyKernel>);
        if !split.parts.iter().all(|part| part.kernel.is_cut()) {
            return None;
        }
        let alone = StepCx::alone(Arc::new(Env::new(Arc::new(Pool::new(1)), Arc::new(Resources::default()))));
        Some(Tiled { group, split, arena, alone })
    }

    /// Computes the output tile by tile; `None` if that does not pay, or on an error, which the nodes then report.
    fn by_tiles(&self, io: &Io<'_>) -> Result<Option<Tensor>> {
        let Some(plan) = Plan::new(&self.split, io) else { return Ok(None) };
        let Some(dtype) = io.output_dtype(0).filter(|dtype| dtype.is_plain()) else { return Ok(None) };
        let inputs = (0..io.num_inputs()).map(|i| io.input(i)).collect::<Result<Vec<&Tensor>>>()?;
        let work = Work { tiled: self, plan: &plan, inputs };
        let mut out = self.arena.tensor(dtype, plan.shape.clone())?;
        let Some(bytes) = out.bytes_mut() else { return Ok(None) };
        let target = Target::new(bytes);
        // Only saves work: after a failure, the chain is computed node by node.
        let failed = AtomicBool::new(false);
        io.pool().for_ranges(plan.count, plan.nanos, |range| {
            let mut lane = Lane::new(&self.split);
            for tile in range {
                if failed.load(Ordering::Relaxed) {
                    return;
                }
                let put = work.tile(&mut lane, tile).and_then(|computed| work.put(&target, tile, &computed));
                if put.is_err() {
                    failed.store(true, Ordering::Relaxed);
                }
            }
        });
        Ok((!failed.into_inner()).then_some(out))
    }
}

impl AnyKernel for Tiled {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        // A search for NaNs needs the tensors of all nodes.
        if io.sought().is_some() {
            return self.group.one_by_one(io);
        }
        match self.by_tiles(io)? {
            Some(out) => {
                io.set(0, out);
                Ok(())
            }
            None => self.split.one_by_one(io),
        }
    }

    fn cost(&self) -> Cost {
        Cost::Heavy
    }
}

/// An axis that is cut.
struct Axis {
    size: usize,
    /// The size of a tile along it; the last one may be smaller.
    tile: usize,
    count: usize,
}

/// Which axes of a tensor are cut: by number of the cut axis, an axis of the tensor.
type Along = SmallVec<[Option<usize>; 4]>;

/// How the output is cut.
struct Plan {
    shape: Shape,
    /// The axes that are cut. The tiles along the last follow each other.
    axes: SmallVec<[Axis; 4]>,
    /// Number of tiles.
    count: usize,
    /// Estimated time to compute a tile, in nanoseconds.
    nanos: f64,
    /// Which axes of the output are cut.
    out: Along,
    /// For each part, which axes of its inputs are cut.
    inputs: Vec<SmallVec<[Along; 2]>>,
    /// For each part, the cut axes before this one are those that its output varies along.
    depths: Vec<usize>,
    /// As `depths`, for the output.
    depth: usize,
}

impl Plan {
    /// `None` where cutting does not pay or is not possible.
    fn new(group: &Group, io: &Io<'_>) -> Option<Plan> {
        let cuts = cuts(group, io)?;
        let shape = cuts.last()?.shape.clone();
        // The axes that reach through the chain, with what they cut: by part and input.
        let reaching = |axis: usize| Some((axis, reach(group, &cuts, axis)?));
        let mut found: Vec<(usize, Vec<Cut>)> =
            (0..shape.rank()).filter(|&axis| shape[axis] > 1).filter_map(reaching).collect();
        // Factors that are cut.
        let factors = |cut: &[Cut]| {
            let products = group.parts.iter().zip(cut).filter(|(part, _)| part.kernel.stage() == Some(Stage::Product));
            products.map(|(_, cut)| cut.iter().flatten().count()).sum::<usize>()
        };
        // The rows of the first product come last: the other factors are the same for all of them.
        found.sort_by_key(|(_, cut)| Reverse(factors(cut)));
        let mut axes: SmallVec<[Axis; 4]> =
            found.iter().map(|&(axis, _)| Axis { size: shape[axis], tile: shape[axis], count: 1 }).collect();
        let along = |p: usize, s: usize| -> Along { found.iter().map(|(_, cut)| cut[p][s]).collect() };
        let inputs: Vec<SmallVec<[Along; 2]>> = group
            .parts
            .iter()
            .enumerate()
            .map(|(p, part)| (0..part.inputs.len()).map(|s| along(p, s)).collect())
            .collect();
        let out: Along = found.iter().map(|&(axis, _)| Some(axis)).collect();
        // The largest tensor that nodes of the chain hand on, whole, and the cut axes that it has.
        let made = group.parts.iter().enumerate().flat_map(|(p, part)| {
            let of = part.inputs.iter().enumerate().filter_map(move |(s, source)| match source.origin {
                Origin::Part(q) => Some((q, p, s)),
                Origin::Input(_) => None,
            });
            of.collect::<SmallVec<[_; 2]>>()
        });
        let size = |q: usize| Some(cuts[q].shape.num_elements() * group.parts[q].meta.outputs.first()?.size());
        let (largest, at) =
            made.filter_map(|(q, p, s)| Some((size(q)?, &inputs[p][s]))).max_by_key(|(size, _)| *size)?;
        let factors = group.parts.iter().filter(|part| part.kernel.stage().is_some()).flat_map(|part| &part.inputs);
        let given = factors.filter_map(|source| match source.origin {
            Origin::Input(i) => Some(io.input(i).ok()?.bytes()?.len()),
            Origin::Part(_) => None,
        });
        let given = given.max().unwrap_or(0);
        let most = tile_bytes(largest, given)?;
        let (mut now, last) = (largest, axes.len().checked_sub(1)?);
        for (a, axis) in axes.iter_mut().enumerate().filter(|(a, _)| at[*a].is_some()) {
            let least = if a == last { FEWEST_ROWS.min(axis.size) } else { 1 };
            let count = now.div_ceil(most).min(axis.size / least);
            axis.tile = axis.size.div_ceil(count);
            axis.count = axis.size.div_ceil(axis.tile);
            now = now / axis.size * axis.tile;
        }
        let count: usize = axes.iter().map(|axis| axis.count).product();
        let nanos = largest as f64 * NANOS / count as f64;
        let varies = |along: &Along| {
            let cut = along.iter().zip(&axes).rposition(|(along, axis)| along.is_some() && axis.count > 1);
            cut.map_or(0, |last| last + 1)
        };
        let mut depths: Vec<usize> = Vec::with_capacity(inputs.len());
        for (part, inputs) in group.parts.iter().zip(&inputs) {
            let depth = part.inputs.iter().zip(inputs).map(|(source, along)| match source.origin {
                Origin::Input(_) => varies(along),
                Origin::Part(p) => depths[p],
            });
            depths.push(depth.max().unwrap_or(0));
        }
        let depth = axes.iter().rposition(|axis| axis.count > 1)? + 1;
        Some(Plan { shape, axes, count, nanos, out, inputs, depths, depth })
    }

    /// Where a tile starts and how large it is along the axes that are cut, the last one first to change.
    fn place(&self, tile: usize) -> SmallVec<[Range<usize>; 4]> {
        let mut rest = tile;
        let mut place: SmallVec<[Range<usize>; 4]> = SmallVec::from_elem(0..0, self.axes.len());
        for (place, axis) in place.iter_mut().zip(&self.axes).rev() {
            let start = rest % axis.count * axis.tile;
            *place = start..(start + axis.tile).min(axis.size);
            rest /= axis.count;
        }
        place
    }
}

/// How the output of each part can be cut; `None` where one cannot, or the inputs do not fit.
fn cuts(group: &Group, io: &Io<'_>) -> Option<Vec<Cuts>> {
    for i in 0..io.num_inputs() {
        io.input(i).ok().filter(|tensor| tensor.dtype().is_plain() && tensor.bytes().is_some())?;
    }
    let mut cuts: Vec<Cuts> = Vec::with_capacity(group.parts.len());
    for part in &group.parts {
        let given = part.inputs.iter().map(|source| match source.origin {
            Origin::Input(i) => io.input(i).ok().map(|tensor| Given { shape: tensor.shape(), value: Some(tensor) }),
            Origin::Part(p) => Some(Given { shape: &cuts.get(p)?.shape, value: None }),
        });
        let given: Vec<Given<'_>> = given.collect::<Option<_>>()?;
        let found = part.kernel.cuts(&given).filter(|found| found.fit(&given))?;
        drop(given);
        cuts.push(found);
    }
    Some(cuts)
}

/// By part, how its inputs are cut where the output is cut along `axis`; `None` where a part would be computed again for each tile, or
/// cannot be cut.
fn reach(group: &Group, cuts: &[Cuts], axis: usize) -> Option<Vec<Cut>> {
    let mut own: Vec<Option<usize>> = vec![None; cuts.len()];
    *own.last_mut()? = Some(axis);
    let mut all: Vec<Cut> = vec![Cut::new(); cuts.len()];
    for (p, part) in group.parts.iter().enumerate().rev() {
        all[p] = match own[p] {
            Some(axis) => cuts[p].axes[axis].clone()?,
            // The same for all tiles along this axis.
            None => SmallVec::from_elem(None, part.inputs.len()),
        };
        for (source, along) in part.inputs.iter().zip(&all[p]) {
            if let (Origin::Part(before), Some(along)) = (source.origin, along) {
                own[before] = Some(*along);
            }
        }
    }
    // A product that every tile needs as a whole would be computed again for each of them.
    let is_product = |part: &Part| part.kernel.stage() == Some(Stage::Product);
    let is_whole = |(part, own): (&Part, &Option<usize>)| own.is_none() && is_product(part);
    (!group.parts.iter().zip(&own).any(is_whole)).then_some(all)
}

/// The tensors of a chain that is being computed.
struct Work<'a> {
    tiled: &'a Tiled,
    plan: &'a Plan,
    inputs: Vec<&'a Tensor>,
}

/// What one thread keeps from tile to tile.
struct Lane {
    /// The last tile.
    last: Option<usize>,
    /// For each part its inputs that come from outside.
    taken: Vec<SmallVec<[Option<Tensor>; 2]>>,
    values: Vec<Entry>,
    given: SmallVec<[Entry; 4]>,
}

impl Lane {
    fn new(group: &Group) -> Lane {
        let taken = group.parts.iter().map(|part| SmallVec::from_elem(None, part.inputs.len())).collect();
        let values = vec![Entry::Empty; group.parts.len()];
        Lane { last: None, taken, values, given: SmallVec::new() }
    }
}

impl Work<'_> {
    /// Computes a tile.
    fn tile(&self, lane: &mut Lane, tile: usize) -> Result<Tensor> {
        let (group, plan) = (&self.tiled.split, self.plan);
        let place = plan.place(tile);
        // The first axis along which this tile differs from the last one: parts that vary only along earlier axes are reused.
        let last = lane.last.replace(tile).map(|last| plan.place(last));
        let changed =
            last.as_ref().map(|last| last.iter().zip(&place).position(|(a, b)| a != b).unwrap_or(place.len()));
        for (p, part) in group.parts.iter().enumerate() {
            if changed.is_some_and(|changed| plan.depths[p] <= changed) {
                continue;
            }
            lane.given.clear();
            for (s, source) in part.inputs.iter().enumerate() {
                let entry = match source.origin {
                    Origin::Input(i) => {
                        let along = &plan.inputs[p][s];
                        let varies = along.iter().skip(changed.unwrap_or(0)).any(Option::is_some);
                        let taken = &mut lane.taken[p][s];
                        let tensor = match taken {
                            Some(tensor) if !varies => tensor.clone(),
                            _ => taken.insert(self.part(self.inputs[i], along, &place)?).clone(),
                        };
                        Entry::Constant(tensor)
                    }
                    // Reused by the next tile, so it must not be changed in place.
                    Origin::Part(q) if plan.depths[q] < plan.depth => match &lane.values[q] {
                        Entry::Value(tensor) => Entry::Constant(tensor.clone()),
                        other => other.clone(),
                    },
                    Origin::Part(q) if source.last => std::mem::take(&mut lane.values[q]),
                    Origin::Part(q) => lane.values[q].clone(),
                };
                lane.given.push(entry);
            }
            let mut out = [Entry::Empty];
            let mut parker = NeverParks;
            let mut io = Io::new(&mut lane.given, &mut out, &part.meta, &self.tiled.alone, &mut parker);
            part.kernel.compute(&mut io).map_err(|error| part.named(error))?;
            [lane.values[p]] = out;
        }
        match lane.values.last_mut().map(std::mem::take) {
            Some(Entry::Value(tensor)) => Ok(tensor),
            _ => Err(Error::internal("a chain without an output")),
        }
    }

    /// The part of an input that a tile needs.
    fn part(&self, input: &Tensor, along: &Along, place: &[Range<usize>]) -> Result<Tensor> {
        let region = Region::new(input.shape(), along, place);
        let shape = Shape::new(region.sizes.iter().copied())?;
        if region.is_one_run() {
            return input.part(region.start, shape);
        }
        let mut copy = self.tiled.arena.tensor(input.dtype(), shape)?;
        let (Some(from), Some(to)) = (input.bytes(), copy.bytes_mut()) else {
            return Err(Error::internal("a tensor of the host has no bytes"));
        };
        let width = input.dtype().size();
        let mut to = to.chunks_exact_mut((region.run * width).max(1));
        region.for_each_run(|at| {
            if let (Some(to), Some(from)) = (to.next(), from.get(at * width..(at + region.run) * width)) {
                to.copy_from_slice(from);
            }
        });
        Ok(copy)
    }

    /// Copies a tile to its place in the output. Each tile may be put only once.
    fn put(&self, target: &Target<'_>, tile: usize, computed: &Tensor) -> Result<()> {
        let region = Region::new(&self.plan.shape, &self.plan.out, &self.plan.place(tile));
        let (fits, width) = (computed.shape().dims() == &region.sizes[..], computed.dtype().size());
        let Some(from) = computed.bytes().filter(|_| fits) else {
            return Err(Error::internal("a tile has another shape than expected"));
        };
        let mut from = from.chunks_exact((region.run * width).max(1));
        let mut done = true;
        region.for_each_run(|at| {
            // SAFETY: each tile is put once, by one thread, and tiles do not overlap, for they are parts of the output along axes of it.
            done &= from.next().is_some_and(|run| unsafe { target.write(at * width, run) });
        });
        if done { Ok(()) } else { Err(Error::internal("a tile lies outside of the output")) }
    }
}

/// Bytes of an output that several threads write.
struct Target<'a> {
    start: *mut u8,
    len: usize,
    of: PhantomData<&'a mut [u8]>,
}

// SAFETY: `Target::write` is all that uses the pointer, and whoever calls it promises that threads write different bytes.
unsafe impl Sync for Target<'_> {}

impl<'a> Target<'a> {
    fn new(bytes: &'a mut [u8]) -> Target<'a> {
        Target { start: bytes.as_mut_ptr(), len: bytes.len(), of: PhantomData }
    }

    /// Writes bytes from byte `at` on; false where they lie outside.
    ///
    /// # Safety
    /// No other thread writes any of these bytes meanwhile.
    unsafe fn write(&self, at: usize, bytes: &[u8]) -> bool {
        if at > self.len || bytes.len() > self.len - at {
            return false;
        }
        // SAFETY: these bytes lie within the exclusive borrow that this was made of, as checked, and no other thread writes them,
        // as the contract says; `bytes` are others, since they are borrowed as well.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.add(at), bytes.len()) };
        true
    }
}

/// A part of a tensor along some of its axes.
struct Region {
    /// The size of the part along each axis.
    sizes: SmallVec<[usize; 6]>,
    strides: SmallVec<[usize; 4]>,
    /// Number of the first element.
    start: usize,
    /// Elements side by side.
    run: usize,
    /// The axes before this one are gone through index by index.
    outer: usize,
}

impl Region {
    fn new(shape: &Shape, along: &Along, place: &[Range<usize>]) -> Region {
        let (mut sizes, strides): (SmallVec<[usize; 6]>, _) = (shape.iter().copied().collect(), shape.strides());
        let mut start = 0;
        for (axis, place) in along.iter().zip(place).filter_map(|(axis, place)| Some((axis.as_ref()?, place))) {
            sizes[*axis] = place.len();
            start += place.start * strides[*axis];
        }
        // Whole axes at the end, and one before them.
        let whole = (0..sizes.len()).rev().take_while(|&axis| sizes[axis] == shape[axis]).count();
        let outer = (sizes.len() - whole).saturating_sub(1);
        let run = sizes[outer..].iter().product();
        Region { sizes, strides, start, run, outer }
    }

    /// True where all its elements lie side by side.
    fn is_one_run(&self) -> bool {
        self.sizes[..self.outer].iter().all(|&size| size == 1)
    }

    /// Calls `f` with the number of the first element of each run, in order.
    fn for_each_run(&self, mut f: impl FnMut(usize)) {
        let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, self.outer);
        if self.sizes.contains(&0) {
            return;
        }
        let mut at = self.start;
        loop {
            f(at);
            let mut axis = self.outer;
            loop {
                let Some(before) = axis.checked_sub(1) else { return };
                axis = before;
                index[axis] += 1;
                at += self.strides[axis];
                if index[axis] < self.sizes[axis] {
                    break;
                }
                at -= self.sizes[axis] * self.strides[axis];
                index[axis] = 0;
            }
        }
    }
}
