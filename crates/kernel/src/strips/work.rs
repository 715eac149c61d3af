//! Computes the strips of a group, and finds the values that each reads.

use super::chain::{self, Ahead, Chain, Link, Operand};
use super::pairs::{OfPair, Pairs};
use super::program::{self, Phase, Program, Reduce, Slot, Vector};
use super::{Basic, Kind, PIECE, Pieces, Plan, Strip};
use crate::group::{Group, Origin};
use crate::io::Io;
use crate::stream::{Stream, is_at_line, line};
use pulp::Arch;
use smallvec::SmallVec;
use std::ops::Range;

/// Inputs of at least this many elements are prefetched.
pub(super) const FAR: usize = 1 << 18;
/// Values that a function takes between two prefetches.
const FETCHED: usize = 256;

/// A group that is being computed.
pub(super) struct Work<'a> {
    group: &'a Group,
    strips: &'a [Strip],
    plan: &'a Plan,
    inputs: Vec<Source<'a>>,
    parts: Vec<Source<'a>>,
    num_bools: usize,
    /// The output uses an input's memory.
    is_taken: bool,
    /// What vectors take that is not one value per element, if several rows are computed together: it is expanded.
    expanded: Vec<Origin>,
    /// The function of two rows that the first phase reduces, if it is nothing else.
    pair: Option<Pair>,
    program: Program,
}

/// A function of two rows, the part that it is, and what they are rows of.
type Pair = (OfPair, usize, [Origin; 2]);

/// The inputs of a group.
pub(super) struct Given<'g, 'a> {
    /// Their elements; none for bools as many as those of the output, and for the input whose memory the output uses.
    pub inputs: &'g [&'a [f32]],
    /// Those that are bools.
    pub bools: &'g [Option<&'a [bool]>],
    /// The input whose memory the output uses.
    pub taken: Option<usize>,
}

/// An element type of outputs.
pub(super) trait Made: Copy + Send {
    /// The element for a number or a mask.
    fn of(number: f32) -> Self;
    /// The elements if they are numbers.
    fn numbers(_: &mut [Self]) -> Option<&mut [f32]> {
        None
    }
}

impl Made for f32 {
    fn of(number: f32) -> f32 {
        number
    }
    fn numbers(out: &mut [f32]) -> Option<&mut [f32]> {
        Some(out)
    }
}

impl Made for bool {
    #[inline(always)]
    fn of(mask: f32) -> bool {
        mask.to_bits() != 0
    }
}

/// The masks of some bools.
pub(super) fn masks_of(bools: &[bool]) -> Vec<f32> {
    let mut masks = vec![0.0; bools.len()];
    to_masks(bools, &mut masks);
    masks
}

pub(super) fn to_masks(bools: &[bool], masks: &mut [f32]) {
    Arch::new().dispatch(
        #[inline(always)]
        || masks.iter_mut().zip(bools).for_each(|(mask, &b)| *mask = chain::mask(b)),
    );
}

fn from_masks<T: Made>(masks: &[f32], out: &mut [T]) {
    Arch::new().dispatch(
        #[inline(always)]
        || out.iter_mut().zip(masks).for_each(|(out, &mask)| *out = T::of(mask)),
    );
}

/// Where a strip finds a value.
enum Source<'a> {
    /// One value for all.
    Number(f32),
    /// The value of a scalar part.
    Part(usize),
    /// One value per row, or the one that each row picks.
    Row(&'a [f32], Option<&'a [u32]>),
    /// Values that are the same for all rows.
    Across(&'a [f32]),
    /// Rows, and which of them each row of the output takes.
    Picked(&'a [f32], &'a [u32]),
    /// One value per element of the output.
    Full(&'a [f32]),
    /// As `Full`, but the output overwrites them.
    Taken,
    /// As `Full`: bools, of which a strip is converted to masks in a buffer with this number.
    Bools(&'a [bool], usize),
    /// A slot.
    Slot(Slot),
}

/// Values at a multiple of a cache line.
#[derive(Default)]
struct Buffer {
    numbers: Vec<f32>,
    start: usize,
}

impl Buffer {
    fn of(len: usize) -> Buffer {
        let numbers = vec![0.0; len + line::<f32>()];
        let start = numbers.as_ptr().align_offset(64).min(line::<f32>());
        Buffer { numbers, start }
    }

    #[inline(always)]
    fn range(&self, from: usize, len: usize) -> &[f32] {
        &self.numbers[self.start + from..self.start + from + len]
    }

    #[inline(always)]
    fn range_mut(&mut self, from: usize, len: usize) -> &mut [f32] {
        &mut self.numbers[self.start + from..self.start + from + len]
    }
}

/// A slot's memory, which is taken out while it is written.
type Held = Option<Box<Buffer>>;

#[inline(always)]
fn near(slot: &Held) -> &Buffer {
    slot.as_ref().expect("what is written is not read")
}

/// What one thread keeps from strip to strip.
struct Lane {
    strips: Vec<Held>,
    pieces: Vec<Held>,
    numbers: Vec<f32>,
    /// A strip of the input whose memory the output uses.
    taken: Buffer,
    /// A strip of each input of bools, as masks.
    masks: Vec<Buffer>,
    /// A strip of the output if its elements are bools.
    whole: Buffer,
    /// A piece of the output before it is stored bypassing the caches.
    made: Buffer,
    /// Values for several rows of each expanded source.
    expanded: Vec<Buffer>,
}

/// A strip or a piece of it.
#[derive(Clone, Copy)]
struct At {
    /// Its place in the output.
    first: usize,
    len: usize,
    row: usize,
    /// Its place in the row.
    column: usize,
    /// Its place in the strip.
    offset: usize,
    /// Its place in the piece that the slots hold.
    inner: usize,
}

impl At {
    fn piece(self, range: Range<usize>) -> At {
        let start = range.start;
        At { first: self.first + start, len: range.len(), column: self.column + start, offset: start, inner: 0, ..self }
    }
}

/// A strip of the output, and what stores it bypassing the caches.
struct Out<'a> {
    numbers: &'a mut [f32],
    stream: Option<&'a mut Stream>,
}

/// The last vector of a phase, computed while it is reduced.
struct Running<'a, 'w> {
    work: &'a Work<'w>,
    lane: &'a mut Lane,
    at: At,
    phase: usize,
    of: Origin,
    ahead: &'a [&'a [f32]],
}

impl Pieces for Running<'_, '_> {
    fn count(&self) -> usize {
        self.at.len
    }

    fn piece(&mut self, range: Range<usize>) -> &[f32] {
        let at = self.at.piece(range);
        self.work.vectors(self.lane, at, self.phase, self.ahead, &mut Out { numbers: &mut [], stream: None });
        self.work.numbers(self.lane, at, self.of)
    }
}

impl<'a> Work<'a> {
    /// A group with these inputs.
    pub fn new(group: &'a Group, strips: &'a [Strip], plan: &'a Plan, given: Given<'_, 'a>) -> Work<'a> {
        let program = Program::new(group, strips, &[], &plan.parts);
        let Given { inputs, bools, taken } = given;
        let mut num_bools = 0;
        let input = |(i, &numbers): (usize, &&'a [f32])| match (plan.inputs[i], plan.picks[i].as_deref()) {
            _ if taken == Some(i) => Source::Taken,
            (Kind::Full, _) if bools[i].is_some() => {
                num_bools += 1;
                Source::Bools(bools[i].unwrap_or_default(), num_bools - 1)
            }
            (Kind::Row, picks) => Source::Row(numbers, picks),
            (Kind::Picked, Some(picks)) => Source::Picked(numbers, picks),
            (Kind::Across, _) => Source::Across(numbers),
            (Kind::Full | Kind::Picked, _) => Source::Full(numbers),
            // Empty if an input does not hold values but axes.
            (Kind::One, _) => Source::Number(numbers.first().copied().unwrap_or_default()),
        };
        let inputs = inputs.iter().enumerate().map(input).collect();
        let part = |(part, slot): (usize, &Option<Slot>)| slot.map_or(Source::Part(part), Source::Slot);
        let parts = program.slots.iter().enumerate().map(part).collect();
        let is_taken = taken.is_some();
        let mut work =
            Work { group, strips, plan, inputs, parts, num_bools, is_taken, expanded: Vec::new(), pair: None, program };
        if work.rows_together() > 1 {
            work.pair = work.find_pair();
            if work.pair.is_none() {
                work.expanded = work.differ_by_row();
            }
        }
        work
    }

    pub fn run<T: Made>(&self, io: &Io<'_>, out: &mut [T]) {
        let row = self.plan.row;
        let strip = if self.plan.is_whole { row } else { row.min(PIECE) };
        let nanos = row as f64 * self.nanos();
        let bytes = size_of_val(out);
        match self.plan.output {
            Kind::Row => io.pool().for_chunks(out, 1, nanos, |first, out| {
                let together = self.rows_together();
                let mut lane = self.lane(strip * together, false);
                for (i, out) in out.chunks_mut(together).enumerate() {
                    let row_at = first + i * together;
                    let at =
                        At { first: row_at * row, len: row * out.len(), row: row_at, column: 0, offset: 0, inner: 0 };
                    if together > 1 {
                        self.rows(&mut lane, at, out);
                        continue;
                    }
                    self.strip(&mut lane, at, Out { numbers: &mut [], stream: None });
                    out.fill(T::of(lane.numbers.last().copied().unwrap_or_default()));
                }
            }),
            _ => io.pool().for_chunks(out, row, nanos, |first, out| {
                let mut lane = self.lane(strip, T::numbers(&mut []).is_none());
                let mut stream = Stream::to(bytes).filter(|_| !self.is_taken);
                for (i, out) in out.chunks_mut(row).enumerate() {
                    for (j, out) in out.chunks_mut(strip).enumerate() {
                        let (row_at, column) = (first + i, j * strip);
                        let at = At {
                            first: row_at * row + column,
                            len: out.len(),
                            row: row_at,
                            column,
                            offset: 0,
                            inner: 0,
                        };
                        let Some(out) = T::numbers(out) else {
                            let mut whole = std::mem::take(&mut lane.whole);
                            self.strip(&mut lane, at, Out { numbers: whole.range_mut(0, at.len), stream: None });
                            from_masks(whole.range(0, at.len), out);
                            lane.whole = whole;
                            continue;
                        };
                        if self.is_taken {
                            lane.taken.range_mut(0, out.len()).copy_from_slice(out);
                        }
                        self.strip(&mut lane, at, Out { numbers: out, stream: stream.as_mut() });
                    }
                }
            }),
        }
    }

    /// The number of rows that are computed at a time if each gives a value: as many as make a piece.
    fn rows_together(&self) -> usize {
        let [first, last] = &self.program.phases[..] else { return 1 };
        let is_so = first.is_fused() && last.vectors.is_empty();
        if is_so { (PIECE / self.plan.row).max(1) } else { 1 }
    }

    /// Computes the values of several rows. What is the same for all of them is computed for all at once.
    fn rows<T: Made>(&self, lane: &mut Lane, at: At, out: &mut [T]) {
        let [first, last] = &self.program.phases[..] else { return };
        let Some(Reduce { part, row, of }) = &first.reduce else { return };
        let (size, count) = (self.plan.row, out.len());
        let nth = |i: usize| {
            let start = i * size;
            At { first: at.first + start, len: size, row: at.row + i, offset: start, inner: start, ..at }
        };
        self.load_masks(lane, at);
        let ahead = self.ahead(at);
        // The values of each row, part by part.
        let mut values: SmallVec<[(usize, Vec<f32>); 4]> = SmallVec::new();
        for &part in &first.numbers {
            if self.plan.parts[part] == Kind::One {
                lane.numbers[part] = self.compute(lane, at, part);
            } else {
                let of_rows = self.values(lane, part, &values, (0..count).map(nth));
                values.push((part, of_rows));
            }
        }
        let enter = |lane: &mut Lane, i: usize| values.iter().for_each(|(part, of)| lane.numbers[*part] = of[i]);
        for (i, &origin) in self.expanded.iter().enumerate() {
            let mut whole = std::mem::take(&mut lane.expanded[i]);
            for (n, out) in whole.range_mut(0, at.len).chunks_exact_mut(size).enumerate() {
                enter(lane, n);
                match self.operand(lane, nth(n), origin) {
                    Operand::Number(number) => out.fill(number),
                    Operand::Numbers(numbers) => out.copy_from_slice(numbers),
                }
            }
            lane.expanded[i] = whole;
        }
        match self.pair {
            Some(pair) => self.pairs(lane, at, count, pair),
            None => self.vectors(lane, at, 0, &ahead, &mut Out { numbers: &mut [], stream: None }),
        }
        let mut made = vec![0.0; count];
        match self.has_all_rows(*of) {
            true => (row.reduce_runs)(self.numbers(lane, at, *of), size, &mut made),
            false => (0..count).for_each(|i| made[i] = (row.reduce)(&mut self.numbers(lane, nth(i), *of))),
        }
        if last.numbers.is_empty() && *part + 1 == self.strips.len() {
            out.iter_mut().zip(made).for_each(|(out, made)| *out = T::of(made));
            return;
        }
        for (i, out) in out.iter_mut().enumerate() {
            let at = nth(i);
            enter(lane, i);
            lane.numbers[*part] = made[i];
            for &part in &last.numbers {
                lane.numbers[part] = self.compute(lane, at, part);
            }
            *out = T::of(lane.numbers.last().copied().unwrap_or_default());
        }
    }

    /// The function of two rows that the first phase reduces, if it is nothing else.
    fn find_pair(&self) -> Option<Pair> {
        let [Vector::Chain { part, first, links, kept }] = &self.program.phases.first()?.vectors[..] else {
            return None;
        };
        let functions: SmallVec<[Basic; 2]> = links.iter().map(|link| link.basic).collect();
        let other = links.first()?.other?;
        let of = if links[0].is_second { [other, *first] } else { [*first, other] };
        let is_vector = |&origin: &Origin| match origin {
            Origin::Input(i) => matches!(self.inputs[i], Source::Across(_) | Source::Picked(..) | Source::Full(_)),
            Origin::Part(_) => false,
        };
        let function = OfPair::of(&functions).filter(|_| kept.is_empty() && of.iter().all(is_vector))?;
        Some((function, *part, of))
    }

    /// Computes a function of two rows for the `count` pairs of rows that begin at `at`.
    fn pairs(&self, lane: &mut Lane, at: At, count: usize, (function, part, of): Pair) {
        let size = self.plan.row;
        // The numbers, which of its rows each pair takes, and how far the next pair's row is otherwise.
        let rows_of = |origin: Origin| match origin {
            Origin::Input(i) => match self.inputs[i] {
                Source::Full(numbers) => (numbers, None, size),
                Source::Picked(numbers, picks) => (numbers, Some(&picks[at.row..at.row + count]), size),
                Source::Across(numbers) => (numbers, None, 0),
                _ => (&[][..], None, 0),
            },
            Origin::Part(_) => (&[][..], None, 0),
        };
        let all = of.map(rows_of);
        let row = |i: usize, (numbers, picks, step): (&'a [f32], Option<&[u32]>, usize)| {
            let start = picks.map_or((at.row + i) * step, |picks| picks[i] as usize * step);
            &numbers[start..start + size]
        };
        let rows: SmallVec<[(&[f32], &[f32]); 32]> = (0..count).map(|i| (row(i, all[0]), row(i, all[1]))).collect();
        let mut slot = self.slot(lane, part).and_then(Option::take);
        let out = self.place(part, at, &mut slot);
        Arch::new().dispatch(Pairs { function, size, rows: &rows, out });
        self.put(lane, part, slot);
    }

    /// The values of a part that has one for each row.
    fn values(
        &self,
        lane: &mut Lane,
        part: usize,
        before: &[(usize, Vec<f32>)],
        rows: impl Iterator<Item = At>,
    ) -> Vec<f32> {
        let of = program::operands(self.group, self.strips[part], part)[0];
        let is_each = if let Strip::Each(each) = self.strips[part] { Some(each) } else { None };
        let of_row = |(i, at): (usize, At)| {
            before.iter().for_each(|(part, of)| lane.numbers[*part] = of[i]);
            if is_each.is_some() { self.number(lane, at, of) } else { self.compute(lane, at, part) }
        };
        let values: Vec<f32> = rows.enumerate().map(of_row).collect();
        let Some(each) = is_each else { return values };
        let mut made = vec![0.0; values.len()];
        each(&values, &mut made);
        made
    }

    /// What the vectors of the first phase take that is not one value per element of the output.
    fn differ_by_row(&self) -> Vec<Origin> {
        let mut found = Vec::new();
        let mut see = |origin: Origin| {
            let differs = match origin {
                Origin::Input(i) => matches!(self.plan.inputs[i], Kind::Row | Kind::Across | Kind::Picked),
                Origin::Part(part) => self.plan.parts[part] == Kind::Row,
            };
            if differs && !found.contains(&origin) {
                found.push(origin);
            }
        };
        for vector in self.program.phases.iter().take(1).flat_map(|phase| &phase.vectors) {
            match vector {
                Vector::Each { of, .. } => see(*of),
                Vector::Chain { first, links, .. } => {
                    see(*first);
                    links.iter().filter_map(|link| link.other).for_each(&mut see);
                }
            }
        }
        found
    }

    /// Converts the bools that a strip reads.
    fn load_masks(&self, lane: &mut Lane, at: At) {
        for source in &self.inputs {
            if let Source::Bools(bools, i) = *source {
                to_masks(&bools[at.first..at.first + at.len], lane.masks[i].range_mut(0, at.len));
            }
        }
    }

    /// Estimated nanoseconds per element of the output.
    fn nanos(&self) -> f64 {
        let of = |vector: &Vector| match vector {
            Vector::Each { .. } => 0.5,
            Vector::Chain { links, .. } => 0.1 + 0.05 * links.len() as f64,
        };
        let of = |phase: &Phase| {
            let reduce = if phase.reduce.is_some() { 0.1 } else { 0.0 };
            reduce + phase.vectors.iter().map(of).sum::<f64>()
        };
        0.2 + self.program.phases.iter().map(of).sum::<f64>()
    }

    fn lane(&self, strip: usize, is_converted: bool) -> Lane {
        let (program, piece) = (&self.program, strip.min(PIECE));
        Lane {
            strips: (0..program.num_strips).map(|_| Some(Box::new(Buffer::of(strip)))).collect(),
            pieces: (0..program.num_pieces).map(|_| Some(Box::new(Buffer::of(piece)))).collect(),
            numbers: vec![0.0; self.strips.len()],
            taken: Buffer::of(if self.is_taken { strip } else { 0 }),
            masks: (0..self.num_bools).map(|_| Buffer::of(strip)).collect(),
            whole: Buffer::of(if is_converted { strip } else { 0 }),
            made: Buffer::of(piece),
            expanded: self.expanded.iter().map(|_| Buffer::of(strip)).collect(),
        }
    }

    /// Computes a strip of the output, or the value of a row, which is then the last part's.
    fn strip(&self, lane: &mut Lane, at: At, mut out: Out<'_>) {
        self.load_masks(lane, at);
        let ahead = self.ahead(at);
        for (i, phase) in self.program.phases.iter().enumerate() {
            for &part in &phase.numbers {
                lane.numbers[part] = self.compute(lane, at, part);
            }
            let ahead: &[&[f32]] = if i == self.program.slowest.0 { &ahead } else { &[] };
            match &phase.reduce {
                Some(Reduce { part, row, of }) if phase.is_fused() => {
                    let made = (row.reduce)(&mut Running { work: self, lane, at, phase: i, of: *of, ahead });
                    lane.numbers[*part] = made;
                }
                reduce => {
                    if !phase.vectors.is_empty() {
                        for start in (0..at.len).step_by(PIECE) {
                            let piece = at.piece(start..at.len.min(start + PIECE));
                            self.vectors(lane, piece, i, ahead, &mut out);
                        }
                    }
                    if let Some(Reduce { part, row, of }) = reduce {
                        lane.numbers[*part] = (row.reduce)(&mut self.numbers(lane, at, *of));
                    }
                }
            }
        }
    }

    /// Computes a scalar part.
    fn compute(&self, lane: &Lane, at: At, part: usize) -> f32 {
        let of = program::operands(self.group, self.strips[part], part);
        let number = |i: usize| of.get(i).map_or(0.0, |&origin| self.number(lane, at, origin));
        let x = number(0);
        match self.strips[part] {
            Strip::Basic(basic) => basic.of(x, number(1)),
            Strip::Series { then, .. } => {
                let mut others = 1..;
                let mut other = |basic: Basic| if basic.is_of_two() { others.next().map_or(0.0, number) } else { 0.0 };
                then.iter().fold(x, |x, &(basic, _)| basic.of(x, other(basic)))
            }
            Strip::Each(each) => {
                let mut made = [0.0];
                each(&[x], &mut made);
                made[0]
            }
            Strip::Row(row) => (row.reduce)(&mut &[x][..]),
            // Parts of cells, none of which is a scalar.
            Strip::Split | Strip::Window(_) | Strip::Join => x,
        }
    }

    /// Computes a piece of the vectors of a phase.
    fn vectors(&self, lane: &mut Lane, at: At, phase: usize, ahead: &[&[f32]], out: &mut Out<'_>) {
        (0..self.program.phases[phase].vectors.len()).for_each(|i| self.vector_of(lane, at, (phase, i), ahead, out));
    }

    /// Computes a piece of a vector of a phase.
    fn vector_of(&self, lane: &mut Lane, at: At, (phase, i): (usize, usize), ahead: &[&[f32]], out: &mut Out<'_>) {
        let vector = &self.program.phases[phase].vectors[i];
        let of = if self.program.slowest == (phase, i) { ahead } else { &[] };
        let ahead = Ahead { of, from: at.offset };
        let part = vector.part();
        if part + 1 < self.strips.len() {
            let mut slot = self.slot(lane, part).and_then(Option::take);
            self.vector(lane, at, vector, ahead, self.place(part, at, &mut slot), None);
            return self.put(lane, part, slot);
        }
        let numbers = &mut out.numbers[at.offset..at.offset + at.len];
        let is_direct = matches!(vector, Vector::Chain { .. }) && is_at_line(numbers);
        match &mut out.stream {
            Some(stream) if !is_direct => {
                let mut made = std::mem::take(&mut lane.made);
                self.vector(lane, at, vector, ahead, made.range_mut(0, at.len), None);
                stream.copy(made.range(0, at.len), numbers);
                lane.made = made;
            }
            stream => self.vector(lane, at, vector, ahead, numbers, stream.as_deref_mut()),
        }
    }

    fn vector(
        &self,
        lane: &mut Lane,
        at: At,
        vector: &Vector,
        ahead: Ahead<'_>,
        made: &mut [f32],
        stream: Option<&mut Stream>,
    ) {
        match vector {
            Vector::Each { each, of, .. } => {
                let Operand::Numbers(numbers) = self.taken_by_vector(lane, at, *of) else { return };
                let size = if ahead.of.is_empty() { at.len } else { FETCHED };
                for (i, (x, made)) in numbers.chunks(size).zip(made.chunks_mut(size)).enumerate() {
                    ahead.fetch(i * size..i * size + x.len());
                    each(x, made);
                }
            }
            Vector::Chain { first, links, kept, .. } => {
                let mut taken: SmallVec<[(usize, Held); 2]> = SmallVec::new();
                for &part in kept {
                    taken.push((part, self.slot(lane, part).and_then(Option::take)));
                }
                let mut also: SmallVec<[&mut [f32]; 2]> =
                    taken.iter_mut().map(|(part, slot)| self.place(*part, at, slot)).collect();
                let mut given: SmallVec<[Link<'_>; 16]> = SmallVec::new();
                for link in links {
                    let other = link.other.map_or(Operand::Number(0.0), |other| self.taken_by_vector(lane, at, other));
                    given.push(Link { basic: link.basic, other, is_second: link.is_second, also: link.also });
                }
                let first = self.taken_by_vector(lane, at, *first);
                Chain { first, links: &given, also: &mut also, out: made, stream, ahead }.compute();
                drop((given, also));
                for (part, slot) in taken {
                    self.put(lane, part, slot);
                }
            }
        }
    }

    /// What the next strip reads from far memory.
    fn ahead(&self, at: At) -> SmallVec<[&[f32]; 4]> {
        let next = at.first + at.len;
        let far = |source: &Source<'a>| match *source {
            Source::Full(numbers) if numbers.len() >= FAR => numbers.get(next..),
            _ => None,
        };
        self.inputs.iter().filter_map(far).collect()
    }

    /// The slot of a part, to be written while others are read.
    #[inline(always)]
    fn slot<'l>(&self, lane: &'l mut Lane, part: usize) -> Option<&'l mut Held> {
        match self.program.slots[part]? {
            Slot::Piece(slot) => lane.pieces.get_mut(slot),
            Slot::Strip(slot) => lane.strips.get_mut(slot),
        }
    }

    #[inline(always)]
    fn put(&self, lane: &mut Lane, part: usize, held: Held) {
        if let Some(slot) = self.slot(lane, part) {
            *slot = held;
        }
    }

    /// Where a piece of a part lies in its slot.
    #[inline(always)]
    fn place<'b>(&self, part: usize, at: At, slot: &'b mut Held) -> &'b mut [f32] {
        let from = if matches!(self.program.slots[part], Some(Slot::Strip(_))) { at.offset } else { at.inner };
        slot.as_mut().map_or(&mut [], |slot| slot.range_mut(from, at.len))
    }

    /// What a vector takes, expanded if several rows are computed together.
    #[inline(always)]
    fn taken_by_vector<'l>(&'l self, lane: &'l Lane, at: At, origin: Origin) -> Operand<'l> {
        match self.expanded.iter().position(|&expanded| expanded == origin) {
            Some(i) => Operand::Numbers(lane.expanded[i].range(at.offset, at.len)),
            None => self.operand(lane, at, origin),
        }
    }

    /// A piece of a vector; empty for a scalar.
    fn numbers<'l>(&'l self, lane: &'l Lane, at: At, origin: Origin) -> &'l [f32] {
        match self.operand(lane, at, origin) {
            Operand::Numbers(numbers) => numbers,
            Operand::Number(_) => &[],
        }
    }

    /// True for values of which every row has its own, one after the other.
    fn has_all_rows(&self, origin: Origin) -> bool {
        let source = match origin {
            Origin::Input(i) => &self.inputs[i],
            Origin::Part(p) => &self.parts[p],
        };
        matches!(source, Source::Full(_) | Source::Taken | Source::Bools(..) | Source::Slot(_))
    }

    /// The value of a scalar for the row.
    #[inline(always)]
    fn number(&self, lane: &Lane, at: At, origin: Origin) -> f32 {
        match self.operand(lane, at, origin) {
            Operand::Number(number) => number,
            Operand::Numbers(numbers) => numbers.first().copied().unwrap_or_default(),
        }
    }

    #[inline(always)]
    fn operand<'l>(&'l self, lane: &'l Lane, at: At, origin: Origin) -> Operand<'l> {
        let source = match origin {
            Origin::Input(i) => &self.inputs[i],
            Origin::Part(p) => &self.parts[p],
        };
        match *source {
            Source::Number(number) => Operand::Number(number),
            Source::Part(part) => Operand::Number(lane.numbers[part]),
            Source::Row(numbers, picks) => {
                Operand::Number(numbers[picks.map_or(at.row, |picks| picks[at.row] as usize)])
            }
            Source::Across(numbers) => Operand::Numbers(&numbers[at.column..at.column + at.len]),
            Source::Picked(numbers, picks) => {
                let start = picks[at.row] as usize * self.plan.row + at.column;
                Operand::Numbers(&numbers[start..start + at.len])
            }
            Source::Full(numbers) => Operand::Numbers(&numbers[at.first..at.first + at.len]),
            Source::Taken => Operand::Numbers(lane.taken.range(at.offset, at.len)),
            Source::Bools(_, i) => Operand::Numbers(lane.masks[i].range(at.offset, at.len)),
            Source::Slot(Slot::Piece(slot)) => Operand::Numbers(near(&lane.pieces[slot]).range(at.inner, at.len)),
            Source::Slot(Slot::Strip(slot)) => Operand::Numbers(near(&lane.strips[slot]).range(at.offset, at.len)),
        }
    }
}
