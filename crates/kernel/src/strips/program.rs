//! The order in which the nodes of a group are computed for a strip: chains of cheap functions, and what is between them.

use super::{Basic, Each, Kind, Row, Strip};
use crate::group::{Group, Origin};

/// A step of a program. A part that is a vector for a strip is written to its slot, one that is a number for a row to its number.
pub(super) enum Step {
    /// A part that is a number.
    Number(usize),
    /// A part that is a number for the row.
    Reduce {
        part: usize,
        row: Row,
        of: Origin,
    },
    Each {
        part: usize,
        each: Each,
        of: Origin,
    },
    Chain {
        part: usize,
        first: Origin,
        links: Vec<Planned>,
    },
}

/// A function of a chain.
pub(super) struct Planned {
    /// Its part.
    pub part: usize,
    pub basic: Basic,
    pub other: Option<Origin>,
    /// True where what comes from the link before is the second argument.
    pub is_second: bool,
    /// True where others need what it gives, too.
    pub is_kept: bool,
}

/// What is done for every strip.
pub(super) struct Program {
    pub steps: Vec<Step>,
    /// The slot of each part that has one.
    pub slots: Vec<Option<usize>>,
    pub num_slots: usize,
    /// The step that takes longest beside the memory it reads: while it computes, the next strip is fetched.
    pub slowest: usize,
}

impl Program {
    /// The program of a group whose parts are of these kinds.
    pub fn new(group: &Group, strips: &[Strip], kinds: &[Kind]) -> Program {
        let mut uses = vec![0; strips.len()];
        for (part, &strip) in strips.iter().enumerate() {
            let (x, y) = operands(group, strip, part);
            for origin in [Some(x), y].into_iter().flatten() {
                if let Origin::Part(p) = origin {
                    uses[p] += 1;
                }
            }
        }
        let done = vec![false; strips.len()];
        let mut order = Order { group, strips, kinds, uses, done, steps: Vec::new() };
        order.part(strips.len() - 1);
        let steps = order.steps;
        let (slots, num_slots) = slots(&steps, kinds);
        let vectors = |is_each: bool| {
            steps.iter().rposition(|step| match step {
                Step::Each { .. } => is_each,
                Step::Chain { .. } => !is_each,
                Step::Number(_) | Step::Reduce { .. } => false,
            })
        };
        let slowest = vectors(true).or_else(|| vectors(false)).unwrap_or(0);
        Program { steps, slots, num_slots, slowest }
    }
}

struct Order<'a> {
    group: &'a Group,
    strips: &'a [Strip],
    kinds: &'a [Kind],
    /// How often each part is taken.
    uses: Vec<usize>,
    done: Vec<bool>,
    steps: Vec<Step>,
}

impl Order<'_> {
    /// Computes a part, after what it takes.
    fn part(&mut self, part: usize) {
        let (x, y) = self.operands(part);
        let step = match self.strips[part] {
            Strip::Basic(_) if self.kinds[part].is_vector() => {
                let mut links = Vec::new();
                let first = self.chain(part, &mut links);
                Step::Chain { part, first, links }
            }
            strip => {
                self.need(x);
                y.into_iter().for_each(|y| self.need(y));
                match strip {
                    Strip::Row(row) => Step::Reduce { part, row, of: x },
                    Strip::Each(each) if self.kinds[part].is_vector() => Step::Each { part, each, of: x },
                    _ => Step::Number(part),
                }
            }
        };
        self.steps.push(step);
        self.done[part] = true;
    }

    fn need(&mut self, origin: Origin) {
        if let Origin::Part(part) = origin
            && !self.done[part]
        {
            self.part(part);
        }
    }

    /// Puts a part at the end of a chain, with what only has to be computed for it before it. What the chain begins with.
    fn chain(&mut self, part: usize, links: &mut Vec<Planned>) -> Origin {
        let (x, y) = self.operands(part);
        let is_second = !self.can_chain(x) && y.is_some_and(|y| self.can_chain(y));
        let (main, other) = match y {
            Some(y) if is_second => (y, Some(x)),
            y => (x, y),
        };
        // All that is computed elsewhere comes before the chain begins.
        other.into_iter().for_each(|other| self.need(other));
        let first = match main {
            Origin::Part(before) if self.can_chain(main) => {
                let first = self.chain(before, links);
                self.done[before] = true;
                if let Some(last) = links.last_mut() {
                    last.is_kept = self.uses[before] > 1;
                }
                first
            }
            main => {
                self.need(main);
                main
            }
        };
        if let Strip::Basic(basic) = self.strips[part] {
            links.push(Planned { part, basic, other, is_second, is_kept: false });
        }
        first
    }

    /// True for a part that is not yet computed and can be part of a chain.
    fn can_chain(&self, origin: Origin) -> bool {
        let Origin::Part(part) = origin else { return false };
        !self.done[part] && self.kinds[part].is_vector() && matches!(self.strips[part], Strip::Basic(_))
    }

    fn operands(&self, part: usize) -> (Origin, Option<Origin>) {
        operands(self.group, self.strips[part], part)
    }
}

/// What a part takes: reductions take a second input, but not in every strip.
pub(super) fn operands(group: &Group, strip: Strip, part: usize) -> (Origin, Option<Origin>) {
    let inputs = &group.parts[part].inputs;
    let second = inputs.get(1).filter(|_| matches!(strip, Strip::Basic(basic) if basic.is_of_two()));
    (inputs[0].origin, second.map(|source| source.origin))
}

/// A slot for every vector that a step writes but for the output, which others take over once it is read no more.
fn slots(steps: &[Step], kinds: &[Kind]) -> (Vec<Option<usize>>, usize) {
    let mut last = vec![0; kinds.len()];
    for (i, step) in steps.iter().enumerate() {
        each_read(step, |part| last[part] = i);
    }
    let mut slots = vec![None; kinds.len()];
    let (mut free, mut count) = (Vec::new(), 0);
    for (i, step) in steps.iter().enumerate() {
        let mut give = |part: usize| {
            if part + 1 == kinds.len() {
                return;
            }
            slots[part] = Some(free.pop().unwrap_or_else(|| {
                count += 1;
                count - 1
            }));
        };
        match step {
            Step::Each { part, .. } => give(*part),
            Step::Chain { part, links, .. } => {
                links.iter().filter(|link| link.is_kept).for_each(|link| give(link.part));
                give(*part);
            }
            Step::Number(_) | Step::Reduce { .. } => {}
        }
        // Not before: what is written must not be what is read.
        each_read(step, |part| {
            if last[part] == i
                && let Some(slot) = slots[part]
                && !free.contains(&slot)
            {
                free.push(slot);
            }
        });
    }
    (slots, count)
}

/// The parts that a step reads and that may have slots.
fn each_read(step: &Step, mut visit: impl FnMut(usize)) {
    let mut see = |origin: &Origin| {
        if let Origin::Part(part) = origin {
            visit(*part);
        }
    };
    match step {
        Step::Number(_) => {}
        Step::Reduce { of, .. } | Step::Each { of, .. } => see(of),
        Step::Chain { first, links, .. } => {
            see(first);
            links.iter().filter_map(|link| link.other.as_ref()).for_each(see);
        }
    }
}
