//! Regions: nodes of one device that run as one node, in a fixed order.
//!
//! For every node, the executor checks whether its inputs have arrived, and delivers its outputs along its edges. For
//! nodes that only queue work on a device, this costs more than the nodes do. A [`Region`] fixes in advance which value
//! goes where.

use crate::device::AnyDevice;
use crate::env::StepCx;
use crate::io::{Completion, Entry, Io, NodeMeta, Parker};
use crate::kernel::{AnyKernel, Cost};
use crate::watch::Wait;
use levada_graph::{DType, Error, Result, Tensor};
use smallvec::SmallVec;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Name of the op of a region in plans and errors.
pub const REGION: &str = "_Region";

/// Members between two checks of the clock.
const LOOK_EVERY: usize = 16;

/// How a node may be run with others ([`AnyDevice::joins`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Join {
    /// It runs alone, and may wait for something that no edge shows.
    Never,
    /// It runs alone and never waits.
    Alone,
    /// It may run in a region, and later than it could if nothing needs it earlier. The work it queues on the device
    /// depends on its attrs, on the dtypes and shapes of its inputs, on the elements of inputs on the host, and on
    /// which variables it receives; it has no other state, never waits and always sets all of its outputs.
    Reads,
    /// As [`Join::Reads`], and it changes variables that it receives.
    Changes,
}

/// Where a member of a region takes an input from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A value, by number: the region's inputs, then the members' outputs.
    Value(u32),
    /// A constant, by number.
    Constant(u32),
}

/// A node in a region.
pub struct Member {
    /// What it does.
    pub kernel: Arc<dyn AnyKernel>,
    /// Its names.
    pub meta: NodeMeta,
    /// Where its inputs come from.
    pub inputs: Box<[Source]>,
    /// Numbers of its outputs.
    pub outputs: Range<u32>,
}

/// Nodes that run as one.
pub struct Region {
    /// The members, each after those whose outputs it takes.
    pub members: Vec<Member>,
    /// Number of inputs.
    pub inputs: u32,
    /// Numbers of the values that leave it, each once.
    pub outputs: Vec<u32>,
    /// Values that are known before the run.
    pub constants: Vec<Tensor>,
    values: u32,
    /// For each input of each member, in order, whether this is the last use of the value.
    last: Box<[bool]>,
    /// Values that no member and no output uses.
    unused: Box<[bool]>,
}

impl Region {
    /// A region. Each value has one number, and members follow those whose outputs they take.
    pub fn new(members: Vec<Member>, inputs: u32, outputs: Vec<u32>, constants: Vec<Tensor>) -> Region {
        let values = members.iter().map(|m| m.outputs.end).max().unwrap_or(inputs).max(inputs);
        let mut needed = vec![false; values as usize];
        outputs.iter().for_each(|&v| needed[v as usize] = true);
        let mut last = Vec::new();
        for source in members.iter().rev().flat_map(|m| m.inputs.iter().rev()) {
            last.push(match source {
                Source::Value(v) => !std::mem::replace(&mut needed[*v as usize], true),
                Source::Constant(_) => false,
            });
        }
        last.reverse();
        let unused = needed.into_iter().map(|n| !n).collect();
        Region { members, inputs, outputs, constants, values, last: last.into(), unused }
    }

    /// Dtypes of the values that leave it; unknown for inputs that are passed on.
    pub fn output_dtypes(&self) -> Box<[DType]> {
        let dtype = |value: u32| {
            let member = self.members.iter().find(|m| m.outputs.contains(&value))?;
            member.meta.outputs.get((value - member.outputs.start) as usize).copied()
        };
        self.outputs.iter().map(|&v| dtype(v).unwrap_or(DType::F32)).collect()
    }

    /// Runs the members in order, and calls `seen` with each member's outputs.
    ///
    /// # Errors
    /// The first error of a member, with its name; the step's error once the step is cancelled or past its deadline.
    pub fn run(
        &self,
        cx: &StepCx,
        iteration: u64,
        inputs: impl IntoIterator<Item = Entry>,
        mut seen: impl FnMut(&Member, &[Entry]),
    ) -> Result<SmallVec<[Entry; 4]>> {
        let mut values: Vec<Entry> = Vec::with_capacity(self.values as usize);
        values.extend(inputs);
        values.resize_with(self.values as usize, Entry::default);
        let (mut given, mut made) = (Vec::new(), Vec::new());
        let mut parker = NeverParks { iteration };
        let mut edge = 0;
        for (i, member) in self.members.iter().enumerate() {
            if i.is_multiple_of(LOOK_EVERY) {
                cx.check()?
            } else {
                cx.cancel.check()?
            }
            given.clear();
            for source in &member.inputs {
                let last = self.last[edge];
                edge += 1;
                given.push(match *source {
                    Source::Value(v) if last => std::mem::take(&mut values[v as usize]),
                    Source::Value(v) => values[v as usize].clone(),
                    Source::Constant(c) => Entry::Constant(self.constants[c as usize].clone()),
                });
            }
            made.clear();
            made.resize_with(member.outputs.len(), Entry::default);
            let mut io = Io::new(&mut given, &mut made, &member.meta, cx, &mut parker);
            let computed = catch_unwind(AssertUnwindSafe(|| {
                let result = member.kernel.compute(&mut io);
                if io.is_deferred() { Err(Error::internal("a node of a region would wait")) } else { result }
            }));
            let result = computed.unwrap_or_else(|panic| {
                let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
                Err(Error::internal(format!("the kernel panicked: {text}")))
            });
            let result =
                result.and_then(|()| match made.iter().position(|o| matches!(o, Entry::Empty | Entry::Dead)) {
                    Some(output) => Err(Error::internal(format!("the kernel did not set output {output}"))),
                    None => Ok(()),
                });
            result.map_err(|e| e.at_node(&member.meta.name, member.meta.op))?;
            seen(member, &made);
            for (v, entry) in member.outputs.clone().zip(made.drain(..)) {
                if !self.unused[v as usize] {
                    values[v as usize] = entry;
                }
            }
        }
        Ok(self.outputs.iter().map(|&v| std::mem::take(&mut values[v as usize])).collect())
    }

    /// Takes the inputs of a node that is this region. Constants stay.
    pub fn take_inputs(&self, io: &mut Io<'_>) -> SmallVec<[Entry; 8]> {
        (0..self.inputs as usize)
            .map(|i| match io.entry(i) {
                Some(Entry::Constant(tensor)) => Entry::Constant(tensor.clone()),
                Some(entry) => std::mem::take(entry),
                None => Entry::Empty,
            })
            .collect()
    }

    /// A name for the region, from its first and last member and their number.
    pub fn name(&self) -> Arc<str> {
        let name = |m: Option<&Member>| m.map(|m| m.meta.name.clone()).unwrap_or_default();
        let (first, last) = (name(self.members.first()), name(self.members.last()));
        format!("{first}..{last} ({} nodes)", self.members.len()).into()
    }

    /// Names of the region as a node of a device.
    pub fn meta(&self, device: &dyn AnyDevice) -> NodeMeta {
        NodeMeta {
            name: self.name(),
            op: REGION,
            device: device.name().clone(),
            outputs: self.output_dtypes(),
            used: None,
            in_loop: false,
        }
    }
}

impl AnyKernel for Region {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let inputs = self.take_inputs(io);
        let outputs = self.run(io.step(), io.iteration(), inputs, |_, _| ())?;
        for (i, entry) in outputs.into_iter().enumerate() {
            io.set_entry(i, entry);
        }
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Heavy
    }
}

/// Members of a region do not wait.
struct NeverParks {
    iteration: u64,
}

impl Parker for NeverParks {
    fn park(&mut self, _: Wait) -> Completion {
        Completion::new(|_| ())
    }
    fn iteration(&self) -> u64 {
        self.iteration
    }
}
