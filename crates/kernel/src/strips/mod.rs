//! How the CPU computes a group of nodes on float32 and bool whose kernels describe themselves as a [`Strip`]: strip
//! after strip of its output, without tensors. Bools are masks in a strip. If nodes reduce rows, a strip is a row, so
//! that the pass that uses its sums reads it again before it has left the caches; between two reductions all nodes
//! compute one piece of it while that is in the nearest cache.
//!
//! A group that has several outputs, reads pieces of tensors or writes its outputs next to each other in one is a [`cell`].
//!
//! Every function returns the same bits as the nodes' kernels. [`chain`] computes cheap functions in registers,
//! [`program`] determines which of them form chains. [`normal`] has loops for normalizations of rows, and
//! [`pairs`] for distances and inner products.

mod cell;
mod chain;
mod normal;
mod pairs;
mod program;
mod work;

pub use chain::Basic;

use crate::arena::Arena;
use crate::group::{Group, Origin};
use crate::io::Io;
use crate::window::{Window, axis_of};
use cell::{CellGroup, Layout};
use levada_graph::{DType, Result, Shape, Tensor};
use normal::Normal;
use pairs::OfPair;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;
use work::{Given, Work, masks_of};

/// The outputs of a group.
pub(crate) type Outputs = SmallVec<[Tensor; 1]>;

/// A function of one value, applied to all elements of both slices.
pub type Each = fn(&[f32], &mut [f32]);

/// What a kernel does with float32 values, or bools as masks, in the nearest cache.
#[derive(Clone, Copy, Debug)]
pub enum Strip {
    /// A function of its inputs, broadcast together, or of the first if it takes only one.
    Basic(Basic),
    /// Functions one after the other: the first takes input `first`, and each that takes two values takes the input whose
    /// number follows it.
    Series {
        /// The input that the first function takes.
        first: usize,
        /// The functions.
        then: &'static [(Basic, usize)],
    },
    /// A function of each element of its first input.
    Each(Each),
    /// Reduces each row of its first input to a value, along the axes given by its second.
    Row(Row),
    /// Splits its second input into equal pieces, one for each output, along the axis given by its first. Groups have
    /// its outputs as parts of their own, each a [`Window`].
    Split,
    /// A piece of its input.
    Window(Window),
    /// Concatenates its inputs except the last along the axis given by that: an output of a group only.
    Join,
}

/// How a reduction treats a row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Reduces a row.
    pub reduce: fn(&mut dyn Pieces) -> f32,
    /// Reduces each run of this many values in the same way.
    pub reduce_runs: fn(&[f32], usize, &mut [f32]),
    /// True if the reduced axes stay with size 1.
    pub keep_dims: bool,
}

/// Values that are read in order, piece by piece.
pub trait Pieces {
    /// The number of values.
    fn count(&self) -> usize;
    /// The values in a range of at most [`PIECE`], which begins where the one before it ended.
    fn piece(&mut self, range: Range<usize>) -> &[f32];
}

impl Pieces for &[f32] {
    fn count(&self) -> usize {
        self.len()
    }

    fn piece(&mut self, range: Range<usize>) -> &[f32] {
        &self[range]
    }
}

/// Values that are computed before the next ones: those of all vectors together about fill the nearest cache.
pub const PIECE: usize = 2048;
/// Shorter rows are left to the nodes.
const SHORT: usize = 64;
/// The same for functions of pairs of rows.
const SHORT_PAIR: usize = 32;
/// Longer rows are reduced in pieces, in another order.
const LONG: usize = 1 << 16;
/// Inputs that are broadcast within rows are expanded if that adds at most one value for this many of the output.
const SPREAD: usize = 16;
/// Outputs with fewer elements are left to the nodes.
const FEW: usize = 1024;
/// The same for cells.
const FEW_OF_CELL: usize = 64;

/// The kind of a value in a strip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// One value for all.
    One,
    /// One value per row.
    Row,
    /// Values that are the same for all rows.
    Across,
    /// Rows of values; several rows of the output take the same one.
    Picked,
    /// One value per element of the output.
    Full,
}

impl Kind {
    pub(super) fn is_vector(self) -> bool {
        matches!(self, Kind::Across | Kind::Picked | Kind::Full)
    }

    /// The kind of a value that is computed from two.
    fn with(self, other: Kind) -> Kind {
        match (self, other) {
            (a, b) if a == b => a,
            (Kind::One, kind) | (kind, Kind::One) => kind,
            _ => Kind::Full,
        }
    }
}

/// The strips of a group.
pub(crate) struct Strips {
    of: Box<[Strip]>,
    /// What the group writes if that is more than the output of its last node.
    cell: Option<CellGroup>,
    /// What the group is if it is a normalization.
    normal: Option<Normal>,
    /// Rows of fewer elements are left to the nodes.
    shortest: usize,
}

impl Row {
    /// The shape of its result for a tensor of this shape; `None` if the axes are not the innermost ones.
    pub(crate) fn shape(&self, of: &Shape, axes: &[i64]) -> Option<Shape> {
        let rank = of.rank();
        let mut axes = axes.iter().map(|&axis| axis_of(axis, rank)).collect::<Option<SmallVec<[usize; 4]>>>()?;
        axes.sort_unstable();
        let kept = rank.checked_sub(axes.len())?;
        let ones = if self.keep_dims { axes.len() } else { 0 };
        let are_inner = !axes.is_empty() && axes.iter().copied().eq(kept..rank);
        are_inner.then(|| Shape::new(of[..kept].iter().copied().chain(std::iter::repeat_n(1, ones))).ok())?
    }

    /// True if these may be the innermost axes of tensors of unknown rank.
    pub fn may_take(axes: &[i64]) -> bool {
        let mut axes: SmallVec<[i64; 4]> = axes.iter().copied().collect();
        axes.sort_unstable();
        let follow = axes.windows(2).all(|pair| pair[1] == pair[0] + 1);
        follow && (axes.last() == Some(&-1) || axes.first().is_some_and(|&first| first > 0))
    }
}

impl Strips {
    /// The strips of a group; `None` if some nodes have none.
    pub(crate) fn of(group: &Group) -> Option<Strips> {
        let strip = |part: &crate::group::Part| {
            let strip = part.kernel.strip(group.second(part)).map(|strip| match (strip, &part.inputs[..]) {
                // The same argument twice, which need not be kept.
                (Strip::Basic(Basic::Mul), [x, y]) if x.origin == y.origin => Strip::Basic(Basic::Square),
                (strip, _) => strip,
            });
            let fits = matches!(part.meta.outputs[..], [DType::F32 | DType::Bool]) && !part.inputs.is_empty();
            strip.filter(|_| fits)
        };
        let strips = group.parts.iter().map(strip).collect::<Option<Box<[Strip]>>>()?;
        let cell = match CellGroup::is_needed(group, &strips) {
            true => Some(CellGroup::of(group, &strips)?),
            false => None,
        };
        // Bools alone are bytes for the nodes' own kernels: four times as many in a vector.
        let is_of_bools =
            |strip: &Strip| matches!(strip, Strip::Basic(Basic::And | Basic::Or | Basic::Xor | Basic::Not));
        if strips.iter().all(is_of_bools) {
            return None;
        }
        // A result that has lost its axes would be broadcast along others.
        let (_, inner) = strips.split_last()?;
        let keep = |strip: &Strip| !matches!(strip, Strip::Row(Row { keep_dims: false, .. }));
        if !inner.iter().all(keep) {
            return None;
        }
        let normal = if cell.is_some() { None } else { Normal::find(group, &strips) };
        let shortest = if pair(group, &strips).is_some() { SHORT_PAIR } else { SHORT };
        Some(Strips { of: strips, cell, normal, shortest })
    }

    /// Computes the group's outputs; `None`, with all inputs unchanged, if its tensors are small or of shapes that are
    /// computed otherwise.
    pub(crate) fn compute(&self, group: &Group, arena: &Arc<Arena>, io: &mut Io<'_>) -> Result<Option<Outputs>> {
        if let Some(cell) = &self.cell {
            return cell.compute(self, group, arena, io);
        }
        let Some(plan) = self.plan(group, io) else { return Ok(None) };
        let Some(dtype) = io.output_dtype(0) else { return Ok(None) };
        let fits = |i: &usize| plan.inputs[*i] == Kind::Full && plan.output == Kind::Full && dtype == DType::F32;
        let may_take: SmallVec<[usize; 4]> = (0..io.num_inputs()).filter(fits).collect();
        let taken = may_take.into_iter().find_map(|i| Some((i, io.forward(i, DType::F32, &plan.shape)?)));
        let (taken, mut out) = match taken {
            Some((i, out)) => (Some(i), out),
            None => (None, arena.tensor(dtype, plan.shape.clone())?),
        };
        // Bools that are fewer than those of the output are converted to masks at once.
        let mut masks: SmallVec<[Vec<f32>; 4]> = SmallVec::new();
        let mut bools: SmallVec<[Option<&[bool]>; 8]> = SmallVec::new();
        for i in 0..io.num_inputs() {
            let of_bools = taken != Some(i) && io.input(i)?.dtype() == DType::Bool;
            let all = if of_bools { Some(io.input(i)?.slice()?) } else { None };
            masks.extend(all.filter(|_| plan.inputs[i] != Kind::Full).map(masks_of));
            bools.push(all);
        }
        let mut repeated: Vec<(usize, Vec<f32>)> = Vec::new();
        let mut inputs: SmallVec<[&[f32]; 8]> = SmallVec::new();
        let mut converted = masks.iter();
        for i in 0..io.num_inputs() {
            let is_numbers = taken != Some(i) && io.input(i)?.dtype() == DType::F32;
            inputs.push(match bools[i] {
                Some(_) if plan.inputs[i] != Kind::Full => converted.next().map_or(&[], Vec::as_slice),
                _ if is_numbers => io.input(i)?.slice()?,
                _ => &[],
            });
        }
        for (i, &input) in inputs.iter().enumerate() {
            let spread = plan.spreads[i].as_ref().map(|places| {
                let each = places.last().map_or(0, |&last| last as usize + 1);
                let row = |from: &[f32]| places.iter().map(|&place| from[place as usize]).collect::<Vec<f32>>();
                input.chunks_exact(each).flat_map(row).collect::<Vec<f32>>()
            });
            let n = spread.as_ref().map_or(input.len(), Vec::len);
            if plan.inputs[i] == Kind::Across && n < plan.row {
                repeated.push((i, spread.as_deref().unwrap_or(input).repeat(plan.row / n)));
            } else if let Some(spread) = spread {
                repeated.push((i, spread));
            }
        }
        for (i, numbers) in &repeated {
            inputs[*i] = numbers;
        }
        if let (Some(normal), DType::F32) = (&self.normal, dtype)
            && normal.compute(&plan, &inputs, taken, io, out.slice_mut::<f32>()?)
        {
            return Ok(Some(Outputs::from_iter([out])));
        }
        let work = Work::new(group, &self.of, &plan, Given { inputs: &inputs, bools: &bools, taken });
        match dtype {
            DType::Bool => work.run(io, out.slice_mut::<bool>()?),
            _ => work.run(io, out.slice_mut::<f32>()?),
        }
        Ok(Some(Outputs::from_iter([out])))
    }

    /// Determines what kinds the group's values are for a strip.
    fn plan(&self, group: &Group, io: &Io<'_>) -> Option<Plan> {
        let shapes = group.shapes(io)?;
        let input = |i: usize| io.input(i).ok();
        let of = |origin| match origin {
            Origin::Input(i) => input(i).map(Tensor::shape),
            Origin::Part(p) => shapes.get(p),
        };
        let cell = self.cell.as_ref();
        let mut domain = shapes[cell.map_or(shapes.len().checked_sub(1)?, |cell| cell.sinks[0])].clone();
        let mut row = None;
        let mut layout = Layout::default();
        if let Some(cell) = cell {
            layout = cell.layout(group, &self.of, &shapes, io)?;
            row = layout.width;
        }
        for (part, strip) in self.of.iter().enumerate().filter(|(_, strip)| matches!(strip, Strip::Row(_))) {
            let whole = of(program::operands(group, *strip, part)[0])?;
            let size = whole.num_elements().checked_div(shapes[part].num_elements())?;
            if row.is_some_and(|row| row != size || *whole != domain) {
                return None;
            }
            (row, domain) = (Some(size), whole.clone());
        }
        let total = domain.num_elements();
        if total < if cell.is_some() { FEW_OF_CELL } else { FEW } {
            return None;
        }
        let has_rows = self.of.iter().any(|strip| matches!(strip, Strip::Row(_)));
        let mut is_axes: SmallVec<[bool; 8]> = SmallVec::from_elem(false, io.num_inputs());
        for (part, strip) in group.parts.iter().zip(&self.of) {
            let aside = match strip {
                Strip::Row(_) => part.inputs.get(1),
                Strip::Window(_) => part.inputs.first(),
                Strip::Join => part.inputs.last(),
                _ => None,
            };
            if let Some(Origin::Input(i)) = aside.map(|source| source.origin) {
                is_axes[i] = true;
            }
        }
        let mut shapes_of: SmallVec<[Option<&Shape>; 8]> = SmallVec::new();
        for (i, &is_axes) in is_axes.iter().enumerate() {
            let tensor = input(i)?;
            let is_read = is_axes || (matches!(tensor.dtype(), DType::F32 | DType::Bool) && tensor.bytes().is_some());
            if !is_read {
                return None;
            }
            shapes_of.push((!is_axes && tensor.num_elements() != 1).then(|| tensor.shape()));
        }
        let Inputs { kinds: inputs, picks, spreads, row } = Inputs::in_order(&shapes_of, &domain, row)
            .or_else(|| Inputs::picked(&shapes_of, &domain, row, self.shortest))?;
        let across = inputs.contains(&Kind::Across);
        let of_rows = has_rows || inputs.iter().any(|kind| matches!(kind, Kind::Row | Kind::Picked));
        let size = row.unwrap_or(PIECE);
        if size == 0 || (of_rows && size < self.shortest) || ((has_rows || cell.is_some()) && size > LONG) {
            return None;
        }
        let rows = total / size;
        let mut parts: SmallVec<[Kind; 8]> = SmallVec::new();
        for (part, strip) in self.of.iter().enumerate() {
            if matches!(strip, Strip::Window(_) | Strip::Join) {
                parts.push(Kind::Full);
                continue;
            }
            let kind = |origin| match origin {
                Origin::Input(i) if inputs[i] == Kind::Picked => Kind::Full,
                Origin::Input(i) => inputs[i],
                Origin::Part(p) => parts[p],
            };
            let made = program::operands(group, *strip, part).into_iter().map(kind).reduce(Kind::with)?;
            let (made, count) = match (strip, made) {
                (Strip::Row(_), Kind::Full) => (Kind::Row, rows),
                (Strip::Row(_), _) => return None,
                (_, Kind::One) => (made, 1),
                (_, Kind::Row) => (made, rows),
                (_, Kind::Across) => (made, size),
                (_, Kind::Picked | Kind::Full) => (made, total),
            };
            // A smaller value is recomputed wherever it is broadcast to, if that is cheap.
            let is_cheap = matches!(strip, Strip::Basic(_) | Strip::Series { .. });
            let may_repeat =
                is_cheap && part + 1 < self.of.len() && cell.is_none_or(|cell| !cell.sinks.contains(&part));
            let n = shapes[part].num_elements();
            if n != count && !(may_repeat && n < count) {
                return None;
            }
            parts.push(made);
        }
        let output = *parts.last().filter(|kind| matches!(kind, Kind::Full | Kind::Row))?;
        // Several short rows form one, if only values that are the same for all of them depend on rows.
        let row = if (across || cell.is_some()) && !of_rows && size < PIECE { size * (PIECE / size) } else { size };
        let shape = if cell.is_some() { domain } else { shapes.last()?.clone() };
        Some(Plan { shape, inputs, picks, spreads, parts, output, row, is_whole: has_rows, layout })
    }
}

/// The function of two inputs that the first reduction of a group reduces, if there is nothing else before it.
fn pair(group: &Group, strips: &[Strip]) -> Option<OfPair> {
    let before = strips.iter().position(|strip| matches!(strip, Strip::Row(_)))?;
    let functions = strips[..before].iter().map(|strip| match strip {
        Strip::Basic(basic) => Some(*basic),
        _ => None,
    });
    let functions = functions.collect::<Option<SmallVec<[Basic; 2]>>>()?;
    let of_inputs = group.parts[0].inputs.iter().all(|source| matches!(source.origin, Origin::Input(_)));
    OfPair::of(&functions).filter(|_| of_inputs)
}

/// True if a tensor is broadcast along the outer axes only.
fn is_suffix(shape: &Shape, domain: &Shape) -> bool {
    let skip = shape.iter().take_while(|&&size| size == 1).count();
    domain.ends_with(&shape[skip..])
}

/// True if a tensor is broadcast along the inner axes only.
fn is_prefix(shape: &Shape, domain: &Shape) -> bool {
    let inner = shape.iter().rev().take_while(|&&size| size == 1).count();
    shape.rank() == domain.rank() && domain.starts_with(&shape[..shape.rank() - inner])
}

/// How a strip reads a group's inputs.
struct Inputs {
    kinds: SmallVec<[Kind; 8]>,
    picks: SmallVec<[Picks; 8]>,
    spreads: SmallVec<[Spreads; 8]>,
    /// Length of a row, if inputs or reductions determine it.
    row: Option<usize>,
}

/// Which of an input's rows, or of its per-row values, each row of the output takes; `None` if the rows are taken in
/// order.
type Picks = Option<Box<[u32]>>;

/// For an input that is broadcast within a row: for each element of the row, its position in the input's row.
type Spreads = Option<Box<[u32]>>;

impl Inputs {
    /// Classifies these shapes if rows of the output take an input's rows in order or all take the same one; `None` if
    /// one does not fit.
    fn in_order(shapes: &[Option<&Shape>], domain: &Shape, mut row: Option<usize>) -> Option<Inputs> {
        let total = domain.num_elements();
        let mut kinds = SmallVec::new();
        for shape in shapes {
            let n = shape.map_or(1, Shape::num_elements);
            let (kind, size) = match shape {
                None => (Kind::One, None),
                Some(_) if n == total => (Kind::Full, None),
                Some(shape) if is_suffix(shape, domain) => (Kind::Across, Some(n)),
                Some(shape) if is_prefix(shape, domain) => (Kind::Row, Some(total.checked_div(n)?)),
                _ => return None,
            };
            if row.is_some() && size.is_some() && row != size {
                return None;
            }
            row = row.or(size);
            kinds.push(kind);
        }
        let none = || SmallVec::from_elem(None, shapes.len());
        Some(Inputs { kinds, picks: none(), spreads: none(), row })
    }

    /// As [`Inputs::in_order`], for inputs that are broadcast along any axes: along those of a row, they are expanded
    /// first.
    fn picked(shapes: &[Option<&Shape>], domain: &Shape, row: Option<usize>, shortest: usize) -> Option<Inputs> {
        let total = domain.num_elements();
        let rank = domain.rank();
        if shapes.iter().flatten().any(|shape| shape.rank() > rank) {
            return None;
        }
        let size = |shape: &Shape, axis: usize| (axis + shape.rank()).checked_sub(rank).map_or(1, |axis| shape[axis]);
        let covers = |shape: &Shape, inner: usize| (inner..rank).all(|axis| size(shape, axis) == domain[axis]);
        let is_one = |shape: &Shape, inner: usize| (inner..rank).all(|axis| size(shape, axis) == 1);
        let of_row = |inner: usize| domain[inner..].iter().product::<usize>();
        // The number of values after expansion, if it is needed.
        let spread = |shape: &Shape, inner: usize| match covers(shape, inner) || is_one(shape, inner) {
            true => 0,
            false => (0..inner).map(|axis| size(shape, axis)).product::<usize>() * of_row(inner),
        };
        let inner = (0..rank).find(|&inner| {
            let spread: usize = shapes.iter().flatten().map(|shape| spread(shape, inner)).sum();
            row.is_none_or(|row| row == of_row(inner)) && spread <= total / SPREAD
        })?;
        let row = of_row(inner);
        if row < shortest || u32::try_from(total).is_err() {
            return None;
        }
        let mut inputs =
            Inputs { kinds: SmallVec::new(), picks: SmallVec::new(), spreads: SmallVec::new(), row: Some(row) };
        for shape in shapes {
            let (mut picks, mut spreads) = (None, None);
            let kind = match shape {
                None => Kind::One,
                Some(shape) if shape.num_elements() == total => Kind::Full,
                Some(shape) => {
                    let along = |axes: Range<usize>| places(axes.map(|axis| (domain[axis], size(shape, axis))));
                    let is_one = is_one(shape, inner);
                    if !is_one && !covers(shape, inner) {
                        spreads = Some(along(inner..rank));
                    }
                    let is_same = (0..inner).all(|axis| size(shape, axis) == 1);
                    if is_one || !is_same {
                        picks = Some(along(0..inner));
                    }
                    match (is_one, is_same) {
                        (true, _) => Kind::Row,
                        (false, true) => Kind::Across,
                        (false, false) => Kind::Picked,
                    }
                }
            };
            inputs.kinds.push(kind);
            inputs.picks.push(picks);
            inputs.spreads.push(spreads);
        }
        Some(inputs)
    }
}

/// For each position along some axes of the output, given with an input's size along them, the position in the input.
fn places(axes: impl DoubleEndedIterator<Item = (usize, usize)>) -> Box<[u32]> {
    let mut step = 1;
    let mut steps: SmallVec<[(usize, usize); 8]> = SmallVec::new();
    for (n, own) in axes.rev() {
        steps.push((n, if own == 1 { 0 } else { step }));
        step *= own;
    }
    let mut all = vec![0];
    for &(n, step) in steps.iter().rev() {
        let mut next = Vec::with_capacity(all.len() * n);
        for place in all {
            // Every position fits.
            next.extend((0..n).map(|i| place + (i * step) as u32));
        }
        all = next;
    }
    all.into()
}

/// How a strip computes the values of a group.
struct Plan {
    /// The shape of the output.
    shape: Shape,
    inputs: SmallVec<[Kind; 8]>,
    picks: SmallVec<[Picks; 8]>,
    spreads: SmallVec<[Spreads; 8]>,
    parts: SmallVec<[Kind; 8]>,
    output: Kind,
    /// Length of a row.
    row: usize,
    /// True if a strip has to be a whole row.
    is_whole: bool,
    /// How a cell reads and writes pieces of tensors.
    layout: Layout,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(dims: &[usize]) -> Shape {
        Shape::new(dims.iter().copied()).unwrap()
    }

    /// How inputs of these shapes are read for `domain`, and what each picks.
    fn found(domain: &[usize], row: Option<usize>, inputs: &[&[usize]]) -> Option<(Vec<Kind>, Vec<Vec<u32>>, usize)> {
        let shapes: Vec<Shape> = inputs.iter().map(|dims| shape(dims)).collect();
        let shapes: Vec<Option<&Shape>> = shapes.iter().map(|s| (s.num_elements() != 1).then_some(s)).collect();
        let domain = shape(domain);
        assert!(Inputs::in_order(&shapes, &domain, row).is_none());
        let Inputs { kinds, picks, row, .. } = Inputs::picked(&shapes, &domain, row, SHORT)?;
        let picks = picks.iter().map(|picks| picks.iter().flatten().copied().collect());
        Some((kinds.to_vec(), picks.collect(), row?))
    }

    #[test]
    fn rows_are_picked_along_outer_axes() {
        use Kind::{Across, Full, One, Picked, Row};
        let pairs = found(&[2, 3, 100], None, &[&[2, 1, 100], &[1, 3, 100], &[100], &[]]);
        let picks = [vec![0, 0, 0, 1, 1, 1], vec![0, 1, 2, 0, 1, 2], vec![], vec![]];
        // The second is the same for all rows of two axes, but the first is not.
        assert_eq!(pairs, Some((vec![Picked, Picked, Across, One], picks.into(), 100)));
        let numbers = found(&[2, 3, 100], Some(100), &[&[2, 3, 100], &[3, 1]]);
        assert_eq!(numbers, Some((vec![Full, Row], vec![vec![], vec![0, 1, 2, 0, 1, 2]], 100)));
        let larger = found(&[2, 3, 10, 10], None, &[&[2, 1, 10, 10], &[2, 3, 1, 1]]);
        assert_eq!(larger, Some((vec![Picked, Row], vec![vec![0, 0, 0, 1, 1, 1], (0..6).collect()], 100)));
    }

    #[test]
    fn small_inputs_are_spread_within_rows() {
        use Kind::{Across, Full, Picked};
        let groups = found(&[2, 50, 4, 32], None, &[&[2, 50, 4, 32], &[2, 1, 4, 1]]);
        let picks = [0, 1].into_iter().flat_map(|n| [n; 50]).collect();
        assert_eq!(groups, Some((vec![Full, Picked], vec![vec![], picks], 128)));
        // In rows of the length for which this adds few values: a whole image.
        let same = found(&[40, 6, 3, 32], None, &[&[40, 6, 3, 32], &[3, 1]]);
        assert_eq!(same, Some((vec![Full, Across], vec![vec![], vec![]], 6 * 3 * 32)));
        let places = places([(2, 1), (3, 3), (2, 1)].into_iter());
        assert_eq!(places[..], [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn other_broadcasts_are_left_to_the_nodes() {
        // Not handled: broadcasting within a row, short rows, and rows that do not match the reductions.
        assert_eq!(found(&[4, 100, 100], Some(100), &[&[4, 100, 100], &[4, 1, 100], &[100, 50]]), None);
        assert_eq!(found(&[2, 3, 20], None, &[&[2, 1, 20], &[1, 3, 20]]), None);
        assert_eq!(found(&[2, 3, 100], Some(300), &[&[2, 1, 100], &[1, 3, 100]]), None);
        assert_eq!(found(&[0, 3, 100], None, &[&[3, 1]]), None);
    }
}
