//! Groups with several outputs, as the cells of recurrent networks are: they may read the outputs of a split where they
//! lie in the tensor that was split, and write outputs where they lie in their concatenation.
//!
//! A cell is small and runs often, so what follows from the shapes of its inputs is kept from run to run.

use super::chain::{Ahead, Chain, Link, Operand};
use super::program::{Phase, Program, Slot, Vector};
use super::work::to_masks;
use super::{Basic, Each, Kind, LONG, Outputs, Plan, Strip, Strips};
use crate::arena::Arena;
use crate::group::{Group, Origin};
use crate::io::Io;
use crate::window::axis_of;
use levada_graph::{DType, Result, Shape};
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::Arc;

/// What a group writes.
pub(super) struct CellGroup {
    /// The elementwise parts that are outputs or are concatenated to outputs, in the order of the outputs.
    pub sinks: Vec<usize>,
    /// For each sink, the output that it belongs to, and its position there.
    places: Vec<(usize, usize)>,
    /// For each output, the input with the axis if it is a concatenation, and the number of its sinks.
    outputs: Vec<(Option<usize>, usize)>,
    last: Mutex<Option<Last>>,
}

/// What the last run was prepared for, and how it was computed, unless the nodes computed it.
struct Last {
    inputs: SmallVec<[(DType, Shape); 8]>,
    prepared: Option<Arc<Prepared>>,
}

/// Where rows of a strip lie in those of a tensor.
#[derive(Clone, Copy)]
struct Places {
    /// The distance from the start of the tensor's row.
    start: usize,
    /// Elements of the tensor's rows, and of the strip's.
    whole: usize,
    width: usize,
}

/// A part that is a piece of an input.
struct Read {
    part: usize,
    input: usize,
    places: Places,
}

/// How a cell reads and writes pieces of tensors.
#[derive(Default)]
pub(super) struct Layout {
    windows: Vec<Read>,
    /// Elements of a row of all pieces, if there are any.
    pub width: Option<usize>,
    /// The shapes of the outputs.
    outputs: Vec<Shape>,
}

impl CellGroup {
    /// True for a group that is more than its last node's output computed from whole tensors.
    pub fn is_needed(group: &Group, strips: &[Strip]) -> bool {
        group.outputs.len() != 1 || strips.iter().any(|strip| matches!(strip, Strip::Window(_) | Strip::Join))
    }

    /// The cell of a group; `None` if it is computed otherwise.
    pub fn of(group: &Group, strips: &[Strip]) -> Option<CellGroup> {
        let part_of = |origin| if let Origin::Part(part) = origin { Some(part) } else { None };
        let input_of = |origin| if let Origin::Input(input) = origin { Some(input) } else { None };
        let is_sink = |part: usize| {
            matches!(strips[part], Strip::Basic(_) | Strip::Series { .. } | Strip::Each(_))
                && group.parts[part].meta.outputs[..] == [DType::F32]
        };
        let mut cell = CellGroup { sinks: Vec::new(), places: Vec::new(), outputs: Vec::new(), last: Mutex::new(None) };
        for (output, &part) in group.outputs.iter().enumerate() {
            let (sinks, axis) = match strips[part] {
                Strip::Join => {
                    let (axis, pieces) = group.parts[part].inputs.split_last()?;
                    let pieces = pieces.iter().map(|source| part_of(source.origin)).collect::<Option<Vec<_>>>()?;
                    (pieces, Some(input_of(axis.origin)?))
                }
                _ => (vec![part], None),
            };
            if !sinks.iter().all(|&sink| is_sink(sink)) {
                return None;
            }
            cell.places.extend((0..sinks.len()).map(|place| (output, place)));
            cell.outputs.push((axis, sinks.len()));
            cell.sinks.extend(sinks);
        }
        // Inputs that are cut are not read otherwise, and what is concatenated is an output.
        let mut is_cut = vec![false; group.inputs.len()];
        for (part, strip) in group.parts.iter().zip(strips) {
            if let Strip::Window(_) = strip {
                is_cut[input_of(part.inputs.first()?.origin)?] = true;
            }
        }
        let is_fine = |(part, strip): (usize, &Strip)| match strip {
            Strip::Window(_) => true,
            Strip::Row(_) | Strip::Split => false,
            Strip::Join if !group.outputs.contains(&part) => false,
            Strip::Basic(_) | Strip::Series { .. } | Strip::Each(_) | Strip::Join => {
                group.parts[part].inputs.iter().all(|source| match source.origin {
                    Origin::Input(input) => !is_cut[input],
                    Origin::Part(before) => !matches!(strips[before], Strip::Join),
                })
            }
        };
        let is_fine = strips.iter().enumerate().all(is_fine) && !cell.sinks.is_empty();
        is_fine.then_some(cell)
    }

    /// Where the pieces lie; `None` if the shapes of the parts do not fit together.
    pub fn layout(&self, group: &Group, strips: &[Strip], shapes: &[Shape], io: &Io<'_>) -> Option<Layout> {
        let domain = &shapes[self.sinks[0]];
        if domain.num_elements() == 0 || !self.sinks.iter().all(|&sink| shapes[sink] == *domain) {
            return None;
        }
        let mut width = None;
        let mut fits = |new: usize| new > 0 && new == *width.get_or_insert(new);
        for &axis in self.outputs.iter().filter_map(|(axis, _)| axis.as_ref()) {
            let [axis] = io.input(axis).ok()?.to_i64s().ok()?[..] else { return None };
            if !fits(domain[axis_of(axis, domain.rank())?..].iter().product()) {
                return None;
            }
        }
        let mut windows = Vec::new();
        for (part, (node, strip)) in group.parts.iter().zip(strips).enumerate() {
            let (Strip::Window(window), Origin::Input(input)) = (strip, node.inputs.first()?.origin) else { continue };
            let (whole, width) = window.rows(io.input(input).ok()?.shape())?;
            if shapes[part] != *domain || !fits(width) {
                return None;
            }
            windows.push(Read { part, input, places: Places { start: window.index * width, whole, width } });
        }
        let outputs = group.outputs.iter().map(|&part| shapes[part].clone()).collect();
        Some(Layout { windows, width, outputs })
    }

    /// Computes the outputs; `None`, with all inputs unchanged, if the nodes have to compute them.
    pub fn compute(
        &self,
        strips: &Strips,
        group: &Group,
        arena: &Arc<Arena>,
        io: &mut Io<'_>,
    ) -> Result<Option<Outputs>> {
        let Some(prepared) = self.prepared(strips, group, io) else { return Ok(None) };
        prepared.compute(self, arena, io).map(Some)
    }

    /// How the outputs are computed from inputs of these shapes.
    fn prepared(&self, strips: &Strips, group: &Group, io: &Io<'_>) -> Option<Arc<Prepared>> {
        let input = |i: usize| io.input(i).ok().map(|tensor| (tensor.dtype(), tensor.shape()));
        if let Some(last) = &*self.last.lock()
            && last.inputs.len() == io.num_inputs()
            && last.inputs.iter().enumerate().all(|(i, (dtype, shape))| input(i) == Some((*dtype, shape)))
        {
            return last.prepared.clone();
        }
        let inputs = (0..io.num_inputs()).map(|i| input(i).map(|(dtype, shape)| (dtype, shape.clone())));
        let inputs = inputs.collect::<Option<_>>()?;
        let plan = strips.plan(group, io);
        let prepared = plan.and_then(|plan| Prepared::new(self, strips, group, plan, io)).map(Arc::new);
        *self.last.lock() = Some(Last { inputs, prepared: prepared.clone() });
        prepared
    }
}

/// Where a step finds a value.
#[derive(Clone, Copy)]
enum Value {
    /// One value for all, of this input.
    Number(usize),
    /// The same values for all rows, of this input.
    Across(usize),
    /// One value per element, of this input.
    Full(usize),
    /// A buffer, or the strip of an output.
    Held(usize),
}

/// What is copied to a buffer before a strip is computed.
enum Load {
    /// Rows of an input.
    Window { input: usize, places: Places, to: usize },
    /// An input of bools, as masks.
    Masks { input: usize, to: usize },
}

/// What is computed for a strip.
enum Step {
    Each { each: Each, of: Value, to: usize },
    Chain { first: Value, links: Vec<StepLink>, kept: SmallVec<[usize; 4]>, to: usize },
}

/// A function of a chain.
struct StepLink {
    basic: Basic,
    other: Option<Value>,
    is_second: bool,
    also: Option<usize>,
}

/// How the outputs are computed from inputs of certain shapes.
struct Prepared {
    plan: Plan,
    loads: Vec<Load>,
    steps: Vec<Step>,
    /// The number of buffers; the strips of the outputs are numbered after them.
    buffers: usize,
    /// The concatenated outputs: the buffer, the output, and where the buffer's rows lie in it.
    copies: Vec<(usize, usize, Places)>,
    /// Estimated nanoseconds for a strip.
    nanos: f64,
}

/// Elements between two buffers, so that they do not all begin at the same distance from a page.
const APART: usize = 80;

thread_local! {
    /// This thread's last buffers: clearing new memory would take as long as a small cell does.
    static LAST: Cell<Vec<f32>> = const { Cell::new(Vec::new()) };
}

impl Prepared {
    /// `None` for inputs that the nodes have to take.
    fn new(cell: &CellGroup, strips: &Strips, group: &Group, plan: Plan, io: &Io<'_>) -> Option<Prepared> {
        let program = Program::new(group, &strips.of, &cell.sinks, &plan.parts);
        let [Phase { numbers, vectors, reduce: None }] = &program.phases[..] else { return None };
        if !numbers.is_empty() || plan.row > LONG || plan.spreads.iter().any(Option::is_some) {
            return None;
        }
        let mut buffers = program.num_pieces + program.num_strips;
        let mut loads = Vec::new();
        let mut new_buffer = || {
            buffers += 1;
            buffers - 1
        };
        let mut windows: Vec<Option<usize>> = vec![None; group.parts.len()];
        for read in &plan.layout.windows {
            let to = *windows[read.part].insert(new_buffer());
            loads.push(Load::Window { input: read.input, places: read.places, to });
        }
        let mut masks: Vec<Option<usize>> = vec![None; plan.inputs.len()];
        for (input, kind) in plan.inputs.iter().enumerate() {
            let is_mask = io.input(input).ok()?.dtype() == DType::Bool;
            match kind {
                Kind::Full if is_mask => {
                    let to = *masks[input].insert(new_buffer());
                    loads.push(Load::Masks { input, to });
                }
                Kind::One | Kind::Across if !is_mask => {}
                Kind::Full => {}
                _ => return None,
            }
        }
        // An output that is not a concatenation is computed where it lies.
        let place = |part: usize| {
            let is_whole = |(sink, (output, _)): (&usize, &(usize, usize))| {
                (*sink == part && cell.outputs[*output].0.is_none()).then_some(buffers + output)
            };
            let output = cell.sinks.iter().zip(&cell.places).find_map(is_whole);
            output.or_else(|| match program.slots[part]? {
                Slot::Piece(slot) => Some(slot),
                Slot::Strip(slot) => Some(program.num_pieces + slot),
            })
        };
        let value = |origin: Origin| match origin {
            Origin::Input(i) => Some(match (plan.inputs[i], masks[i]) {
                (_, Some(mask)) => Value::Held(mask),
                (Kind::One, _) => Value::Number(i),
                (Kind::Across, _) => Value::Across(i),
                _ => Value::Full(i),
            }),
            Origin::Part(part) => windows[part].or_else(|| place(part)).map(Value::Held),
        };
        let mut steps = Vec::new();
        for vector in vectors {
            steps.push(match vector {
                Vector::Each { part, each, of } => Step::Each { each: *each, of: value(*of)?, to: place(*part)? },
                Vector::Chain { part, first, links, kept } => {
                    let link = |link: &super::program::Planned| {
                        let other = match link.other {
                            Some(other) => Some(value(other)?),
                            None => None,
                        };
                        let (basic, is_second, also) = (link.basic, link.is_second, link.also);
                        Some(StepLink { basic, other, is_second, also })
                    };
                    Step::Chain {
                        first: value(*first)?,
                        links: links.iter().map(link).collect::<Option<_>>()?,
                        kept: kept.iter().map(|&part| place(part)).collect::<Option<_>>()?,
                        to: place(*part)?,
                    }
                }
            });
        }
        let width = plan.layout.width.unwrap_or(1);
        let mut copies = Vec::new();
        for (&sink, &(output, position)) in cell.sinks.iter().zip(&cell.places) {
            let (axis, count) = cell.outputs[output];
            if axis.is_some() {
                let places = Places { start: position * width, whole: count * width, width };
                copies.push((place(sink)?, output, places));
            }
        }
        let nanos = |step: &Step| match step {
            Step::Each { .. } => 0.8,
            Step::Chain { links, .. } => 0.1 + 0.05 * links.len() as f64,
        };
        let nanos = (0.2 + steps.iter().map(nanos).sum::<f64>()) * plan.row as f64;
        Some(Prepared { plan, loads, steps, buffers, copies, nanos })
    }

    fn compute(&self, cell: &CellGroup, arena: &Arc<Arena>, io: &mut Io<'_>) -> Result<Outputs> {
        let (row, total) = (self.plan.row, self.plan.shape.num_elements());
        let made = self.plan.layout.outputs.iter().map(|shape| arena.tensor(DType::F32, shape.clone()));
        let mut made = made.collect::<Result<Outputs>>()?;
        let mut repeated: SmallVec<[(usize, Vec<f32>); 2]> = SmallVec::new();
        let mut inputs: SmallVec<[&[f32]; 16]> = SmallVec::new();
        let mut bools: SmallVec<[&[bool]; 16]> = SmallVec::new();
        for (i, kind) in self.plan.inputs.iter().enumerate() {
            let input = io.input(i)?;
            let numbers: &[f32] = if input.dtype() == DType::F32 { input.slice()? } else { &[] };
            if *kind == Kind::Across && numbers.len() < row {
                repeated.push((i, numbers.repeat(row.div_ceil(numbers.len()))));
            }
            inputs.push(numbers);
            bools.push(if input.dtype() == DType::Bool { input.slice()? } else { &[] });
        }
        repeated.iter().for_each(|(i, numbers)| inputs[*i] = numbers);
        let given = Inputs { inputs: &inputs, bools: &bools };
        // For each strip, its part of every output.
        let mut strips: SmallVec<[SmallVec<[&mut [f32]; 8]>; 4]> =
            (0..total.div_ceil(row)).map(|_| SmallVec::new()).collect();
        for out in &mut made {
            let out = out.slice_mut::<f32>()?;
            let each = row * (out.len() / total);
            strips.iter_mut().zip(out.chunks_mut(each)).for_each(|(strip, out)| strip.push(out));
        }
        let apart = row.next_multiple_of(16) + APART;
        io.pool().for_chunks(&mut strips, 1, self.nanos, |first, strips| {
            let mut memory = LAST.take();
            memory.resize(memory.len().max(self.buffers * apart + 16), 0.0);
            let start = memory.as_ptr().align_offset(64).min(16);
            for (at, out) in (first..).zip(strips) {
                let len = row.min(total - at * row);
                let buffers = memory[start..].chunks_mut(apart).take(self.buffers).map(|buffer| &mut buffer[..len]);
                let mut held: SmallVec<[&mut [f32]; 32]> = buffers.collect();
                for (output, out) in out.iter_mut().enumerate() {
                    let is_whole = cell.outputs[output].0.is_none();
                    held.push(if is_whole { std::mem::take(out) } else { &mut [] });
                }
                self.strip(given, at * row, len, &mut held);
                for &(from, output, Places { start, whole, width }) in &self.copies {
                    copy_rows((&*held[from], 0, width), (&mut *out[output], start, whole), width);
                }
            }
            LAST.set(memory);
        });
        drop(strips);
        Ok(made)
    }

    /// Computes the `len` elements that begin at element `first`.
    fn strip(&self, given: Inputs<'_>, first: usize, len: usize, held: &mut [&mut [f32]]) {
        for load in &self.loads {
            match *load {
                Load::Masks { input, to } => to_masks(&given.bools[input][first..first + len], held[to]),
                Load::Window { input, places: Places { start, whole, width }, to } => {
                    let from = &given.inputs[input][first / width * whole..];
                    copy_rows((from, start, whole), (&mut *held[to], 0, width), width);
                }
            }
        }
        for step in &self.steps {
            match step {
                Step::Each { each, of, to } => {
                    let out = std::mem::take(&mut held[*to]);
                    if let Operand::Numbers(numbers) = given.operand(*of, first, len, held) {
                        each(numbers, out);
                    }
                    held[*to] = out;
                }
                Step::Chain { first: begin, links, kept, to } => {
                    let out = std::mem::take(&mut held[*to]);
                    let mut also: SmallVec<[&mut [f32]; 4]> =
                        kept.iter().map(|&to| std::mem::take(&mut held[to])).collect();
                    {
                        let operand = |value: Value| given.operand(value, first, len, held);
                        let link = |link: &StepLink| Link {
                            basic: link.basic,
                            other: link.other.map_or(Operand::Number(0.0), operand),
                            is_second: link.is_second,
                            also: link.also,
                        };
                        let links: SmallVec<[Link<'_>; 8]> = links.iter().map(link).collect();
                        let (begin, ahead) = (operand(*begin), Ahead { of: &[], from: 0 });
                        let (links, also) = (&links, &mut also);
                        Chain { first: begin, links, also, out, stream: None, ahead }.compute();
                    }
                    kept.iter().zip(also).for_each(|(&to, also)| held[to] = also);
                    held[*to] = out;
                }
            }
        }
    }
}

/// Copies a piece of `width` elements of every row, given with where it begins in a row and the elements of a row.
fn copy_rows(
    (from, start, step): (&[f32], usize, usize),
    (to, start_to, step_to): (&mut [f32], usize, usize),
    width: usize,
) {
    let rows = from.chunks_exact(step).map(|row| &row[start..start + width]);
    let rows = to.chunks_exact_mut(step_to).map(|row| &mut row[start_to..start_to + width]).zip(rows);
    // Short rows of known length take a few instructions each.
    match width {
        8 => rows.for_each(copy::<8>),
        16 => rows.for_each(copy::<16>),
        32 => rows.for_each(copy::<32>),
        64 => rows.for_each(copy::<64>),
        _ => rows.for_each(|(to, from)| to.copy_from_slice(from)),
    }
}

#[inline(always)]
fn copy<const WIDTH: usize>((to, from): (&mut [f32], &[f32])) {
    to[..WIDTH].copy_from_slice(&from[..WIDTH]);
}

/// The elements of the inputs, by dtype.
#[derive(Clone, Copy)]
struct Inputs<'a> {
    inputs: &'a [&'a [f32]],
    bools: &'a [&'a [bool]],
}

impl<'a> Inputs<'a> {
    #[inline(always)]
    fn operand<'h>(self, value: Value, first: usize, len: usize, held: &'h [&mut [f32]]) -> Operand<'h>
    where
        'a: 'h,
    {
        match value {
            Value::Number(i) => Operand::Number(self.inputs[i].first().copied().unwrap_or_default()),
            Value::Across(i) => Operand::Numbers(&self.inputs[i][..len]),
            Value::Full(i) => Operand::Numbers(&self.inputs[i][first..first + len]),
            Value::Held(i) => Operand::Numbers(&*held[i]),
        }
    }
}
