//! Ops that move elements: the operations of [`Mover`], as programs.

use super::entry::{self, Cx, count};
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Buf, Builder, E, Program, Ty};
use crate::print::Language;
use levada_graph::{DType, Result, Shape, Tensor};
use levada_kernel::def::CellOfDef;
use levada_kernel::{Arena, KernelEntry};
use levada_ops::shared::{Axis, Gathering, Layout, Mover};
use levada_ops::types::*;
use std::sync::Arc;

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &entry::cell(&BATCH_TO_SPACE, batch_to_space).heavy(),
    &entry::cell(&BATCH_TO_SPACE_ND, batch_to_space_nd).heavy(),
    &entry::cell(&BROADCAST_TO, broadcast_to).heavy(),
    &entry::cell(&CONCAT, concat).heavy(),
    &entry::cell(&CONCAT_V2, concat_v2).heavy(),
    &entry::cell(&DEPTH_TO_SPACE, depth_to_space).heavy(),
    &entry::cell(&FILL, levada_ops::types::fill).heavy(),
    &entry::cell(&GATHER, levada_ops::types::gather).heavy(),
    &entry::cell(&GATHER_ND, gather_nd).heavy(),
    &entry::cell(&MIRROR_PAD, mirror_pad).heavy(),
    &entry::cell(&ONE_HOT, levada_ops::types::one_hot).heavy(),
    &entry::cell(&PACK, pack).heavy(),
    &entry::cell(&PAD, pad).heavy(),
    &entry::cell(&RESOURCE_GATHER, resource_gather).heavy(),
    &entry::cell(&RESOURCE_GATHER_ND, resource_gather_nd).heavy(),
    &entry::cell(&REVERSE, reverse).heavy(),
    &entry::cell(&REVERSE_V2, reverse_v2).heavy(),
    &entry::cell(&ROLL, roll).heavy(),
    &entry::cell(&SLICE, slice).heavy(),
    &entry::cell(&SPACE_TO_DEPTH, space_to_depth).heavy(),
    &entry::cell(&SPLIT, split).heavy(),
    &entry::cell(&SPLIT_V, split_v).heavy(),
    &entry::cell(&STRIDED_SLICE, strided_slice).heavy(),
    &entry::cell(&STRIDED_SLICE_GRAD, strided_slice_grad).heavy(),
    &entry::cell(&TILE, tile).heavy(),
    &entry::cell(&TRANSPOSE, transpose).heavy(),
    &entry::cell(&UNPACK, unpack).heavy(),
];

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

/// The dtype as which elements of `dtype` are moved: unsigned integers of the same width, so that nothing is converted.
pub(super) fn cell(gpu: &Gpu, dtype: DType) -> DType {
    let language = gpu.backend.language();
    match (language, language.element_size(dtype)) {
        (_, Some(4)) => DType::U32,
        (Language::Cuda, Some(1)) => DType::U8,
        (Language::Cuda, Some(2)) => DType::U16,
        (Language::Cuda, Some(8)) => DType::U64,
        _ => dtype,
    }
}

/// The number of a cell dtype, for keys.
pub(super) fn number(dtype: DType) -> u64 {
    dtype as u64
}

/// Maximum number of runs of an axis in a program; longer lists go into a table.
const MOST_RUNS: usize = 4;

/// What a program knows of an axis.
#[derive(Clone, PartialEq, Eq)]
enum Kind {
    /// Runs, true for those that are filled.
    Runs(Vec<bool>),
    /// A location for each position.
    Table,
}

impl Kind {
    fn of(axis: &Axis) -> Kind {
        if axis.runs().len() > MOST_RUNS {
            return Kind::Table;
        }
        Kind::Runs(axis.runs().iter().map(|run| run.from.is_none()).collect())
    }

    fn key(&self) -> u64 {
        match self {
            Kind::Table => 0,
            Kind::Runs(filled) => filled.iter().fold(1, |key, &f| key << 1 | u64::from(f)),
        }
    }

    fn fills(&self) -> bool {
        match self {
            Kind::Table => true,
            Kind::Runs(filled) => filled.contains(&true),
        }
    }
}

/// An axis in a program.
struct ProgramAxis {
    size: E,
    at: At,
}

/// The end of a run, and the offset and the step if it is copied.
type Run = (Option<E>, Option<(E, E)>);

enum At {
    /// For each run its end, and the offset and the step of those that are copied.
    Runs(Vec<Run>),
    /// Where it begins in the table.
    Table(E),
}

const FILLED: i32 = i32::MIN;

fn rearranging(cell: DType, kinds: &[Kind], padded: bool) -> Program {
    let mut b = Builder::new("rearrange");
    let x = b.buffer(cell, Access::Read);
    let table = kinds.contains(&Kind::Table).then(|| b.buffer(DType::I32, Access::Read));
    let pad = padded.then(|| b.buffer(cell, Access::Read));
    let out = b.buffer(cell, Access::Write);
    let size = b.param_u32();
    let base = b.param(Ty::I32);
    let axes: Vec<ProgramAxis> = kinds
        .iter()
        .map(|kind| {
            let size = b.param_u32();
            let at = match kind {
                Kind::Table => At::Table(b.param_u32()),
                Kind::Runs(filled) => {
                    let last = filled.len().saturating_sub(1);
                    let mut run = |(k, &filled): (usize, &bool)| {
                        let end = (k < last).then(|| b.param_u32());
                        (end, (!filled).then(|| (b.param(Ty::I32), b.param(Ty::I32))))
                    };
                    At::Runs(filled.iter().enumerate().map(&mut run).collect())
                }
            };
            ProgramAxis { size, at }
        })
        .collect();
    let fills = kinds.iter().any(Kind::fills);
    b.for_each(&size, |b, i| {
        let (mut rest, mut offset, mut copied) = (i.clone(), base, E::bool(true));
        for (axis, along) in axes.iter().enumerate().rev() {
            let position = if axis == 0 { rest.clone() } else { b.let_(&rest % &along.size) };
            if axis > 0 {
                rest = b.let_(&rest / &along.size);
            }
            let (at, is_copied) = located(b, along, &position, table);
            offset = offset + at;
            if let Some(is_copied) = is_copied {
                copied = copied & is_copied;
            }
        }
        let offset = b.let_(offset.to(Ty::U32));
        if !fills {
            b.store(out, &i, b.load(x, &offset));
            return;
        }
        b.if_else(
            copied,
            |b| b.store(out, &i, b.load(x, &offset)),
            |b| {
                let value = match pad {
                    Some(pad) => b.load(pad, 0u32),
                    None => E::num(Ty::of(cell).unwrap_or(Ty::U32), 0.0),
                };
                b.store(out, &i, value);
            },
        );
    });
    b.finish()
}

/// Where a position of an axis is read, and whether it is.
fn located(b: &mut Builder, along: &ProgramAxis, position: &E, table: Option<Buf>) -> (E, Option<E>) {
    let runs = match (&along.at, table) {
        (At::Runs(runs), _) => runs,
        (At::Table(start), Some(table)) => {
            let found = b.let_(b.load(table, start + position));
            return (found.clone(), Some(found.ne(E::i32(FILLED))));
        }
        (At::Table(_), None) => return (E::i32(0), None),
    };
    let signed = position.to(Ty::I32);
    let one = |copy: &Option<(E, E)>| match copy {
        Some((from, step)) => from + &signed * step,
        None => E::i32(0),
    };
    let Some(((_, last), before)) = runs.split_last() else { return (E::i32(0), None) };
    let (mut at, mut copied) = (one(last), E::bool(last.is_some()));
    for (end, copy) in before.iter().rev() {
        let Some(end) = end else { continue };
        let here = position.lt(end);
        at = here.select(one(copy), at);
        copied = here.select(E::bool(copy.is_some()), copied);
    }
    let some_filled = runs.iter().any(|(_, copy)| copy.is_none());
    (b.let_(at), some_filled.then_some(copied))
}

/// Side of the squares in which elements are transposed, and rows of a square that are moved at a time.
const SIDE: u32 = 32;
const ROWS: u32 = 8;

/// Minimum length of an axis that is worth a side of a square.
const LEAST_SIDE: usize = 16;

/// The axis along which the source is read in order, if that is not the last axis and both are copied in a single run:
/// then either reads or writes of neighbouring invocations are far apart, unless they go through shared memory.
fn turned(axes: &[Axis]) -> Option<usize> {
    let step = |axis: &Axis| match axis.runs() {
        [run] => run.from.map(|_| run.step),
        _ => None,
    };
    let steps: Vec<isize> = axes.iter().map(step).collect::<Option<_>>()?;
    let at = steps.iter().rposition(|&step| step == 1)?;
    let is_long = |axis: &Axis| axis.size() >= LEAST_SIDE;
    (at + 1 < axes.len() && is_long(&axes[at]) && is_long(axes.last()?)).then_some(at)
}

/// Moves squares of the plane of two axes, the one that is read in order and the last, through shared memory, so that
/// both reads and writes are in order. `others`: the number of other axes.
fn turning(cell: DType, ty: Ty, others: usize) -> Program {
    let mut b = Builder::new("transpose");
    let (x, out) = (b.buffer(cell, Access::Read), b.buffer(cell, Access::Write));
    // One extra column: the elements of a column are in different banks.
    let square = b.shared(ty, SIDE * (SIDE + 1));
    let [total, across, down, squares_across, squares_down, pitch] = std::array::from_fn(|_| b.param_u32());
    let (base, step) = (b.param(Ty::I32), b.param(Ty::I32));
    let outer: Vec<[E; 3]> = (0..others).map(|_| [b.param_u32(), b.param(Ty::I32), b.param_u32()]).collect();
    let (column, row) = (b.let_(E::local() % SIDE), b.let_(E::local() / SIDE));
    b.for_(E::group(), &total, E::groups(), |b, number| {
        let left = b.let_((&number % &squares_across) * SIDE);
        let rest = b.let_(&number / &squares_across);
        let top = b.let_((&rest % &squares_down) * SIDE);
        let mut rest = b.let_(&rest / &squares_down);
        let (mut from, mut to) = (base.clone(), E::u32(0));
        for [size, step, pitch] in outer.iter().rev() {
            let position = b.let_(&rest % size);
            rest = b.let_(&rest / size);
            from = from + position.to(Ty::I32) * step;
            to = to + &position * pitch;
        }
        let (from, to) = (b.let_(from), b.let_(to));
        for first in (0..SIDE).step_by(ROWS as usize) {
            let (i, j) = (b.let_(&left + &row + first), b.let_(&top + &column));
            b.if_(i.lt(&across) & j.lt(&down), |b| {
                let at = b.let_((&from + i.to(Ty::I32) * &step + j.to(Ty::I32)).to(Ty::U32));
                b.store_shared(square, (&row + first) * (SIDE + 1) + &column, b.load(x, &at));
            });
        }
        b.barrier();
        for first in (0..SIDE).step_by(ROWS as usize) {
            let (i, j) = (b.let_(&left + &column), b.let_(&top + &row + first));
            b.if_(i.lt(&across) & j.lt(&down), |b| {
                let found = b.load_shared(square, &column * (SIDE + 1) + (&row + first));
                b.store(out, &to + &j * &pitch + &i, found);
            });
        }
        b.barrier();
    });
    b.finish()
}

/// Moves elements as [`turning`] does. `at`: the axis that is read in order.
fn turn(
    cx: &Cx<'_, '_>,
    input: &Tensor,
    out: &Tensor,
    (base, axes): (isize, &[Axis]),
    at: usize,
    ty: Ty,
) -> Result<()> {
    let run = |axis: &Axis| axis.runs().first().map_or((0, 0), |run| (run.from.unwrap_or(0), run.step));
    let base = axes.iter().map(|axis| run(axis).0).sum::<isize>() + base;
    let pitch = |axis: usize| axes[axis + 1..].iter().map(Axis::size).product::<usize>() as u32;
    let last = axes.len() - 1;
    let (across, down) = (axes[last].size(), axes[at].size());
    let squares = [across, down].map(|size| size.div_ceil(SIDE as usize));
    let others: Vec<usize> = (0..last).filter(|&axis| axis != at).collect();
    let total = squares.iter().product::<usize>() * others.iter().map(|&axis| axes[axis].size()).product::<usize>();
    let mut params = vec![total as u32, across as u32, down as u32, squares[0] as u32, squares[1] as u32, pitch(at)];
    params.extend([base as i32 as u32, run(&axes[last]).1 as i32 as u32]);
    for &axis in &others {
        params.extend([axes[axis].size() as u32, run(&axes[axis]).1 as i32 as u32, pitch(axis)]);
    }
    let cell = cell(cx.device, input.dtype());
    let key = [number(cell), others.len() as u64];
    let program = cx.device.program("transpose", &key, || turning(cell, ty, others.len()));
    cx.launch_groups(&program, total, &[input, out], &params)
}

/// A tensor with the same element everywhere: that of `value`, or zero.
pub(super) fn filled(cx: &Cx<'_, '_>, dtype: DType, shape: &Shape, value: Option<&Tensor>) -> Result<Tensor> {
    let out = cx.alloc(dtype, shape)?;
    let size = count(shape.num_elements())?;
    let cell = cell(cx.device, dtype);
    let program = cx.device.program("fill", &[number(cell), u64::from(value.is_some())], || {
        let mut b = Builder::new("fill");
        let from = value.is_some().then(|| b.buffer(cell, Access::Read));
        let out = b.buffer(cell, Access::Write);
        let size = b.param_u32();
        let value = match from {
            Some(from) => b.load(from, 0u32),
            None => E::num(Ty::of(cell).unwrap_or(Ty::U32), 0.0),
        };
        b.for_each(&size, |b, i| b.store(out, i, value));
        b.finish()
    });
    let buffers: Vec<&Tensor> = value.into_iter().chain([&out]).collect();
    cx.launch(&program, size as usize, &buffers, &[size])?;
    Ok(out)
}

/// The elements of a tensor in another dtype that is computed in the same type.
pub(super) fn converted(cx: &Cx<'_, '_>, x: &Tensor, dtype: DType) -> Result<Tensor> {
    let out = cx.alloc(dtype, x.shape())?;
    let size = count(x.num_elements())?;
    let from = x.dtype();
    let program = cx.device.program("convert", &[number(from), number(dtype)], || {
        let mut b = Builder::new("convert");
        let x = b.buffer(from, Access::Read);
        let out = b.buffer(dtype, Access::Write);
        let size = b.param_u32();
        b.for_each(&size, |b, i| b.store(out, &i, b.load(x, &i).to(Ty::of(dtype).unwrap_or(Ty::F32))));
        b.finish()
    });
    cx.launch(&program, size as usize, &[x, &out], &[size])?;
    Ok(out)
}

impl Mover for Gpu {
    fn rearrange(
        cx: &Cx<'_, '_>,
        input: &Tensor,
        layout: &Layout,
        shape: &Shape,
        pad: Option<&Tensor>,
    ) -> Result<Tensor> {
        let dtype = input.dtype();
        let size = count(shape.num_elements())?;
        count(input.num_elements())?;
        let Some((base, axes)) = layout.simplified().filter(|_| size > 0) else {
            return filled(cx, dtype, shape, pad);
        };
        let out = cx.alloc(dtype, shape)?;
        let held = Ty::of(cell(cx.device, dtype)).filter(|&ty| ty != Ty::Bool);
        if let (Some(ty), Some(at)) = (held, turned(&axes)) {
            turn(cx, input, &out, (base, &axes), at, ty)?;
            return Ok(out);
        }
        let kinds: Vec<Kind> = axes.iter().map(Kind::of).collect();
        let fills = kinds.iter().any(Kind::fills);
        let pad = pad.filter(|_| fills);
        let mut params = vec![size, base as i32 as u32];
        let mut table: Vec<i32> = Vec::new();
        for (axis, kind) in axes.iter().zip(&kinds) {
            params.push(axis.size() as u32);
            if *kind == Kind::Table {
                params.push(table.len() as u32);
                table.extend((0..axis.size()).map(|i| axis.at(i).map_or(FILLED, |at| at as i32)));
                continue;
            }
            for (k, run) in axis.runs().iter().enumerate() {
                if k + 1 < axis.runs().len() {
                    params.push((run.start + run.len) as u32);
                }
                if let Some(from) = run.from {
                    let from = from - run.start as isize * run.step;
                    params.extend([from as i32 as u32, run.step as i32 as u32]);
                }
            }
        }
        let table = match table.is_empty() {
            true => None,
            false => Some(cx.device.upload(&cx.node().name, &Tensor::vector(table))?),
        };
        let cell = cell(cx.device, dtype);
        let key: Vec<u64> =
            [number(cell), u64::from(pad.is_some())].into_iter().chain(kinds.iter().map(Kind::key)).collect();
        let program = cx.device.program("rearrange", &key, || rearranging(cell, &kinds, pad.is_some()));
        let buffers: Vec<&Tensor> = [input].into_iter().chain(&table).chain(pad).chain([&out]).collect();
        cx.launch(&program, size as usize, &buffers, &params)?;
        Ok(out)
    }

    fn join(cx: &Cx<'_, '_>, parts: &[&Tensor], axis: usize, shape: &Shape, dtype: DType) -> Result<Tensor> {
        let out = cx.alloc(dtype, shape)?;
        let size = count(shape.num_elements())?;
        if size == 0 {
            return Ok(out);
        }
        let outer: usize = shape[..axis].iter().product();
        let width = size as usize / outer;
        let cell = cell(cx.device, dtype);
        let parts: Vec<&Tensor> = parts.iter().copied().filter(|p| p.num_elements() > 0).collect();
        let mut at = 0;
        for group in parts.chunks(7) {
            let widths: Vec<usize> = group.iter().map(|p| p.num_elements() / outer).collect();
            let whole: usize = widths.iter().sum();
            let program = cx.device.program("join", &[number(cell), group.len() as u64], || joining(cell, group.len()));
            let mut params = vec![(outer * whole) as u32, width as u32, at as u32, whole as u32];
            params.extend(widths.iter().map(|&w| w as u32));
            let buffers: Vec<&Tensor> = group.iter().copied().chain([&out]).collect();
            cx.launch(&program, outer * whole, &buffers, &params)?;
            at += whole;
        }
        Ok(out)
    }

    fn fill(cx: &Cx<'_, '_>, dtype: DType, shape: &Shape, value: &Tensor) -> Result<Tensor> {
        filled(cx, dtype, shape, Some(value))
    }

    fn zeros(cx: &Cx<'_, '_>, dtype: DType, shape: &Shape) -> Result<Tensor> {
        filled(cx, dtype, shape, None)
    }

    fn add_to(cx: &Cx<'_, '_>, sum: &mut Tensor, value: &Tensor) -> Result<()> {
        super::update::add_to(cx.device, &cx.node().name, sum, value, false)
    }

    fn arena<'a>(cx: &'a Cx<'_, '_>) -> &'a Arc<Arena> {
        cx.device.arena()
    }

    fn gather(cx: &Cx<'_, '_>, params: &Tensor, indices: &Tensor, what: &Gathering) -> Result<Tensor> {
        let out = cx.alloc(params.dtype(), &what.shape)?;
        let size = count(what.shape.num_elements())?;
        count(params.num_elements())?;
        if size == 0 {
            return Ok(out);
        }
        let (cell, index) = (cell(cx.device, params.dtype()), indices.dtype());
        let program = cx.device.program("gather", &[number(cell), number(index)], || gathering(cell, index));
        let values = [what.limit, what.outer, what.inner, what.picks].map(|v| v as u32);
        let values: Vec<u32> = [size].into_iter().chain(values).collect();
        cx.launch(&program, size as usize, &[params, indices, &out], &values)?;
        Ok(out)
    }

    fn gather_slices(
        cx: &Cx<'_, '_>,
        params: &Tensor,
        indices: &Tensor,
        depth: usize,
        shape: &Shape,
        _: bool,
    ) -> Result<Tensor> {
        let out = cx.alloc(params.dtype(), shape)?;
        let size = count(shape.num_elements())?;
        count(params.num_elements())?;
        if size == 0 {
            return Ok(out);
        }
        let (picked, rest) = params.shape().split_at(depth);
        let width: usize = rest.iter().product();
        let (cell, index) = (cell(cx.device, params.dtype()), indices.dtype());
        let key = [number(cell), number(index), depth as u64];
        let program = cx.device.program("gather_slices", &key, || {
            let mut b = Builder::new("gather_slices");
            let x = b.buffer(cell, Access::Read);
            let indices = b.buffer(index, Access::Read);
            let out = b.buffer(cell, Access::Write);
            let (size, width) = (b.param_u32(), b.param_u32());
            let dims: Vec<E> = (0..depth).map(|_| b.param_u32()).collect();
            b.for_each(&size, |b, i| {
                let tuple = b.let_(&i / &width);
                let (number, inside) = slice_number(b, indices, &tuple, &dims);
                store_where(b, cell, out, &i, inside, x, number * &width + &i % &width);
            });
            b.finish()
        });
        let mut values = vec![size, width as u32];
        values.extend(picked.iter().map(|&d| d as u32));
        cx.launch(&program, size as usize, &[params, indices, &out], &values)?;
        Ok(out)
    }

    fn one_hot(
        cx: &Cx<'_, '_>,
        indices: &Tensor,
        on: &Tensor,
        off: &Tensor,
        shape: &Shape,
        depth: usize,
        inner: usize,
    ) -> Result<Tensor> {
        let out = cx.alloc(on.dtype(), shape)?;
        let size = count(shape.num_elements())?;
        if size == 0 {
            return Ok(out);
        }
        let (cell, index) = (cell(cx.device, on.dtype()), indices.dtype());
        let program = cx.device.program("one_hot", &[number(cell), number(index)], || {
            let mut b = Builder::new("one_hot");
            let indices = b.buffer(index, Access::Read);
            let (on, off) = (b.buffer(cell, Access::Read), b.buffer(cell, Access::Read));
            let out = b.buffer(cell, Access::Write);
            let (size, depth, inner) = (b.param_u32(), b.param_u32(), b.param_u32());
            let (on, off) = (b.load(on, 0u32), b.load(off, 0u32));
            b.for_each(&size, |b, i| {
                let row = b.let_(&i / &inner);
                let found = b.let_(b.load(indices, &row / &depth * &inner + &i % &inner));
                let position = (&row % &depth).to(found.ty);
                b.store(out, &i, found.eq(position).select(on, off));
            });
            b.finish()
        });
        cx.launch(&program, size as usize, &[indices, on, off, &out], &[size, depth as u32, inner as u32])?;
        Ok(out)
    }

    /// Only the host could check this.
    fn check_indices(_: &Cx<'_, '_>, _: &Tensor, _: usize) -> Result<()> {
        Ok(())
    }
}

/// Stores the element of `x` at `from` if `inside`, else zero.
fn store_where(b: &mut Builder, cell: DType, out: Buf, at: &E, inside: E, x: Buf, from: E) {
    b.if_else(
        inside,
        |b| b.store(out, at, b.load(x, from)),
        |b| b.store(out, at, E::num(Ty::of(cell).unwrap_or(Ty::U32), 0.0)),
    );
}

/// True for an index in `0..limit`.
pub(super) fn in_range(index: &E, limit: &E) -> E {
    index.ge(index.like(0.0)) & index.lt(limit.to(index.ty))
}

/// The index of the slice that tuple `tuple` of `indices` names among slices below axes of sizes `dims`, and whether it
/// exists.
pub(super) fn slice_number(b: &mut Builder, indices: Buf, tuple: &E, dims: &[E]) -> (E, E) {
    let (mut number, mut inside) = (E::u32(0), E::bool(true));
    for (axis, dim) in dims.iter().enumerate() {
        let index = b.let_(b.load(indices, tuple * dims.len() as u32 + axis as u32));
        inside = inside & in_range(&index, dim);
        number = number * dim + index.to(Ty::U32);
    }
    (b.let_(number), b.let_(inside))
}

fn joining(cell: DType, parts: usize) -> Program {
    let mut b = Builder::new("join");
    let parts: Vec<Buf> = (0..parts).map(|_| b.buffer(cell, Access::Read)).collect();
    let out = b.buffer(cell, Access::Write);
    let (size, width, first, whole) = (b.param_u32(), b.param_u32(), b.param_u32(), b.param_u32());
    let widths: Vec<E> = parts.iter().map(|_| b.param_u32()).collect();
    /// Stores element `column` of row `row` of the parts from the first on.
    fn place(b: &mut Builder, parts: &[Buf], widths: &[E], out: Buf, row: &E, column: E, to: &E) {
        let (Some(&part), Some(width)) = (parts.first(), widths.first()) else { return };
        let copy = |b: &mut Builder, column: &E| b.store(out, to, b.load(part, row * width + column));
        if parts.len() == 1 {
            return copy(b, &column);
        }
        b.if_else(
            column.lt(width),
            |b| copy(b, &column),
            |b| place(b, &parts[1..], &widths[1..], out, row, &column - width, to),
        );
    }
    b.for_each(&size, |b, i| {
        let (row, column) = (b.let_(&i / &whole), b.let_(&i % &whole));
        let to = b.let_(&row * &width + &first + &column);
        place(b, &parts, &widths, out, &row, column, &to);
    });
    b.finish()
}

fn gathering(cell: DType, index: DType) -> Program {
    let mut b = Builder::new("gather");
    let x = b.buffer(cell, Access::Read);
    let indices = b.buffer(index, Access::Read);
    let out = b.buffer(cell, Access::Write);
    let (size, limit) = (b.param_u32(), b.param_u32());
    let (outer, inner, picks) = (b.param_u32(), b.param_u32(), b.param_u32());
    b.for_each(&size, |b, i| {
        let row = b.let_(&i / &inner);
        let block = b.let_(&row / &picks);
        let index = b.let_(b.load(indices, &block / &outer * &picks + &row % &picks));
        let from = (&block * &limit + index.to(Ty::U32)) * &inner + &i % &inner;
        store_where(b, cell, out, &i, in_range(&index, &limit), x, from);
    });
    b.finish()
}
