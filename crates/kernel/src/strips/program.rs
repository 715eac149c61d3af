//! The order in which the nodes of a group are computed for a strip: chains of cheap functions, and the steps between
//! them.

use super::{Basic, Each, Kind, Row, Strip};
use crate::group::{Group, Origin};
use smallvec::SmallVec;

/// What is done for every strip between two reductions: all vectors on one piece of the strip after the other, while it
/// is in the nearest cache.
#[derive(Default)]
pub(super) struct Phase {
    /// Parts that are scalars, which come before all vectors.
    pub numbers: Vec<usize>,
    pub vectors: Vec<Vector>,
    /// The reduction of the last of the vectors, piece by piece, or of a vector that exists already.
    pub reduce: Option<Reduce>,
}

/// A part that is one value per row.
pub(super) struct Reduce {
    pub part: usize,
    pub row: Row,
    pub of: Origin,
}

/// A part that is a vector for a strip, and is written to its slot.
pub(super) enum Vector {
    Each {
        part: usize,
        each: Each,
        of: Origin,
    },
    Chain {
        part: usize,
        first: Origin,
        links: Vec<Planned>,
        /// Parts before the last one that others need as well.
        kept: Vec<usize>,
    },
}

impl Phase {
    /// True if the last of the vectors is reduced while it is computed.
    pub fn is_fused(&self) -> bool {
        let of = self.reduce.as_ref().map(|reduce| reduce.of);
        of.is_some() && of == self.vectors.last().map(|vector| Origin::Part(vector.part()))
    }
}

impl Vector {
    pub fn part(&self) -> usize {
        match self {
            Vector::Each { part, .. } | Vector::Chain { part, .. } => *part,
        }
    }
}

/// A function of a chain.
pub(super) struct Planned {
    pub basic: Basic,
    pub other: Option<Origin>,
    /// True if the output of the previous link is the second argument.
    pub is_second: bool,
    /// The index of its output among the chain's kept parts.
    pub also: Option<usize>,
}

/// Where a vector is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// A piece of it at a time, since nothing after its phase reads it.
    Piece(usize),
    Strip(usize),
}

/// What is done for every strip.
pub(super) struct Program {
    pub phases: Vec<Phase>,
    /// The slot of each part that has one.
    pub slots: Vec<Option<Slot>>,
    pub num_pieces: usize,
    pub num_strips: usize,
    /// The phase, and the vector in it, that takes longest apart from the memory it reads: while it computes, the next
    /// strip is prefetched.
    pub slowest: (usize, usize),
}

impl Program {
    /// The program of a group whose parts are of these kinds. `sinks`: the parts that are kept for the whole strip; if
    /// there are none, the last part is the output.
    pub fn new(group: &Group, strips: &[Strip], sinks: &[usize], kinds: &[Kind]) -> Program {
        let mut uses = vec![0; strips.len()];
        for (part, &strip) in strips.iter().enumerate() {
            for origin in operands(group, strip, part) {
                if let Origin::Part(p) = origin {
                    uses[p] += 1;
                }
            }
        }
        sinks.iter().for_each(|&part| uses[part] += 1);
        let done = strips.iter().map(|strip| matches!(strip, Strip::Window(_))).collect();
        let mut order = Order { group, strips, kinds, uses, done, phases: vec![Phase::default()] };
        match sinks {
            [] => order.part(strips.len() - 1),
            // From the end, so that chains are long.
            sinks => sinks.iter().rev().for_each(|&part| order.need(Origin::Part(part))),
        }
        let phases = order.phases;
        let Slots { of: slots, num_pieces, num_strips } = slots(&phases, sinks, kinds.len());
        let last = |is_each: bool| {
            phases.iter().enumerate().rev().find_map(|(i, phase)| {
                let found = phase.vectors.iter().rposition(|vector| matches!(vector, Vector::Each { .. }) == is_each);
                found.map(|vector| (i, vector))
            })
        };
        let slowest = last(true).or_else(|| last(false)).unwrap_or_default();
        Program { phases, slots, num_pieces, num_strips, slowest }
    }
}

struct Order<'a> {
    group: &'a Group,
    strips: &'a [Strip],
    kinds: &'a [Kind],
    /// How often each part is used.
    uses: Vec<usize>,
    done: Vec<bool>,
    /// The last one has no reduction yet.
    phases: Vec<Phase>,
}

impl Order<'_> {
    /// Computes a part, after its operands.
    fn part(&mut self, part: usize) {
        let of = self.operands(part);
        match self.strips[part] {
            Strip::Basic(_) | Strip::Series { .. } if self.kinds[part].is_vector() => {
                let (mut links, mut kept) = (Vec::new(), Vec::new());
                let first = self.chain(part, &mut links, &mut kept);
                self.phase().vectors.push(Vector::Chain { part, first, links, kept });
            }
            strip => {
                of.iter().for_each(|&of| self.need(of));
                let x = of[0];
                match strip {
                    Strip::Row(row) => {
                        self.phase().reduce = Some(Reduce { part, row, of: x });
                        self.phases.push(Phase::default());
                    }
                    Strip::Each(each) if self.kinds[part].is_vector() => {
                        self.phase().vectors.push(Vector::Each { part, each, of: x });
                    }
                    _ => self.phase().numbers.push(part),
                }
            }
        }
        self.done[part] = true;
    }

    fn phase(&mut self) -> &mut Phase {
        self.phases.last_mut().expect("there is always one that has not ended")
    }

    fn need(&mut self, origin: Origin) {
        if let Origin::Part(part) = origin
            && !self.done[part]
        {
            self.part(part);
        }
    }

    /// Puts a part at the end of a chain, preceded by the parts that are computed only for it. Returns what the chain
    /// begins with.
    fn chain(&mut self, part: usize, links: &mut Vec<Planned>, kept: &mut Vec<usize>) -> Origin {
        let of = self.operands(part);
        let is_second = match (self.strips[part], &of[..]) {
            (Strip::Basic(_), &[x, y]) => !self.can_chain(x) && self.can_chain(y),
            _ => false,
        };
        let main = of[usize::from(is_second)];
        let made: SmallVec<[(Basic, Option<Origin>); 3]> = match self.strips[part] {
            Strip::Basic(basic) => SmallVec::from_slice(&[(basic, of.get(usize::from(!is_second)).copied())]),
            Strip::Series { then, .. } => {
                let inputs = &self.group.parts[part].inputs;
                then.iter().map(|&(basic, i)| (basic, basic.is_of_two().then(|| inputs[i].origin))).collect()
            }
            _ => SmallVec::new(),
        };
        // Everything that is computed elsewhere comes before the chain begins.
        made.iter().filter_map(|link| link.1).for_each(|other| self.need(other));
        let first = match main {
            Origin::Part(before) if self.can_chain(main) => {
                let first = self.chain(before, links, kept);
                self.done[before] = true;
                if let Some(last) = links.last_mut().filter(|_| self.uses[before] > 1) {
                    last.also = Some(kept.len());
                    kept.push(before);
                }
                first
            }
            main => {
                self.need(main);
                main
            }
        };
        links.extend(made.into_iter().map(|(basic, other)| Planned { basic, other, is_second, also: None }));
        first
    }

    /// True for a part that is not yet computed and can be part of a chain.
    fn can_chain(&self, origin: Origin) -> bool {
        let Origin::Part(part) = origin else { return false };
        let is_cheap = matches!(self.strips[part], Strip::Basic(_) | Strip::Series { .. });
        !self.done[part] && self.kinds[part].is_vector() && is_cheap
    }

    fn operands(&self, part: usize) -> Operands {
        operands(self.group, self.strips[part], part)
    }
}

/// The operands of a part, the one that its first function takes first.
pub(super) type Operands = SmallVec<[Origin; 4]>;

/// The operands of a part: the second input of a reduction is not read for every strip.
pub(super) fn operands(group: &Group, strip: Strip, part: usize) -> Operands {
    let inputs = &group.parts[part].inputs;
    let of = |i: usize| inputs[i].origin;
    match strip {
        Strip::Basic(basic) if basic.is_of_two() && inputs.len() > 1 => Operands::from_slice(&[of(0), of(1)]),
        Strip::Series { first, then } => {
            let others = then.iter().filter(|(basic, _)| basic.is_of_two()).map(|&(_, i)| of(i));
            std::iter::once(of(first)).chain(others).collect()
        }
        _ => Operands::from_slice(&[of(0)]),
    }
}

/// A slot for each part that has one, and how many there are of either kind.
struct Slots {
    of: Vec<Option<Slot>>,
    num_pieces: usize,
    num_strips: usize,
}

/// Assigns a slot to every vector that is written except the output; slots are reused after their last read.
fn slots(phases: &[Phase], sinks: &[usize], num_parts: usize) -> Slots {
    // Where each part is written and last read: phases, and positions in them.
    let mut written = vec![(0, 0); num_parts];
    let mut last = vec![(0, 0); num_parts];
    let mut is_whole = vec![false; num_parts];
    for (i, phase) in phases.iter().enumerate() {
        for (j, vector) in phase.vectors.iter().enumerate() {
            each_read(vector, |part| last[part] = (i, j));
            each_written(vector, |part| written[part] = (i, j));
        }
        if let Some(Reduce { of: Origin::Part(part), .. }) = phase.reduce {
            last[part] = (i, phase.vectors.len());
            is_whole[part] |= !phase.is_fused();
        }
    }
    sinks.iter().for_each(|&part| last[part] = (usize::MAX, 0));
    let mut slots = Slots { of: vec![None; num_parts], num_pieces: 0, num_strips: 0 };
    let (mut pieces, mut strips) = (Vec::new(), Vec::new());
    for (i, phase) in phases.iter().enumerate() {
        for j in 0..=phase.vectors.len() {
            if let Some(vector) = phase.vectors.get(j) {
                each_written(vector, |part| {
                    if part + 1 == num_parts && sinks.is_empty() {
                        return;
                    }
                    let is_piece = last[part].0 == i && !is_whole[part];
                    let (free, count) = match is_piece {
                        true => (&mut pieces, &mut slots.num_pieces),
                        false => (&mut strips, &mut slots.num_strips),
                    };
                    let slot = free.pop().unwrap_or_else(|| {
                        *count += 1;
                        *count - 1
                    });
                    slots.of[part] = Some(if is_piece { Slot::Piece(slot) } else { Slot::Strip(slot) });
                });
            }
            // Not before: the vector that is written must not be one that is read.
            for part in (0..num_parts).filter(|&part| last[part] == (i, j) && written[part] <= (i, j)) {
                match slots.of[part] {
                    Some(Slot::Piece(slot)) if !pieces.contains(&slot) => pieces.push(slot),
                    Some(Slot::Strip(slot)) if !strips.contains(&slot) => strips.push(slot),
                    _ => {}
                }
            }
        }
    }
    slots
}

/// The parts that a vector writes.
fn each_written(vector: &Vector, mut visit: impl FnMut(usize)) {
    if let Vector::Chain { kept, .. } = vector {
        kept.iter().copied().for_each(&mut visit);
    }
    visit(vector.part());
}

/// The parts that a vector reads and that may have slots.
fn each_read(vector: &Vector, mut visit: impl FnMut(usize)) {
    let mut see = |origin: &Origin| {
        if let Origin::Part(part) = origin {
            visit(*part);
        }
    };
    match vector {
        Vector::Each { of, .. } => see(of),
        Vector::Chain { first, links, .. } => {
            see(first);
            links.iter().filter_map(|link| link.other.as_ref()).for_each(see);
        }
    }
}
