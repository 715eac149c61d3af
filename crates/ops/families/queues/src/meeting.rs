//! The rendezvous of the members of a collective: each contributes its value and waits for all others.
//!
//! A meeting lives as long as its step. The failure of one member ends the step, and with it the waiting of all
//! others.

use super::monitor::{Monitor, Served, State};
use crate::prelude::*;
use levada_kernel::watch::{Need, WaitableState};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;

/// The kind of exchange, which all members of a group must have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exchange {
    /// All members receive the reduction of all values.
    Reduce(Reduction, Last),
    /// All members receive the concatenation of all values along the first axis.
    Gather,
    /// All members receive the value of the sender.
    Broadcast,
    /// Each member receives a part of every value.
    AllToAll,
}

/// How values are reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reduction {
    Min,
    Max,
    Mul,
    Add,
}

/// What is applied to the reduced values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Last {
    Id,
    Div,
}

/// The name of a group and its size.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) size: usize,
}

/// A member with its contribution.
#[derive(Clone)]
pub(crate) struct Member {
    /// Its rank among the members: kind and index of its device, and its node.
    pub(crate) rank: (Arc<str>, u64, Arc<str>),
    pub(crate) exchange: Exchange,
    pub(crate) dtype: DType,
    /// `None` for a receiver.
    pub(crate) value: Option<Tensor>,
    /// The shape that it expects to receive.
    pub(crate) shape: PartialShape,
}

/// A waiting member.
pub(crate) struct Attendance {
    member: Member,
    /// The round that it has joined.
    round: Option<u64>,
    /// Number of members.
    size: usize,
}

/// The members of one exchange, in the order of their ranks.
struct Round {
    number: u64,
    members: Vec<Member>,
    /// The results, once all members have arrived.
    results: Option<Arc<Results>>,
    /// Number of members that have received theirs.
    gone: usize,
}

/// The results of a round.
pub(crate) struct Results {
    members: Vec<Member>,
    /// Computed by the first member that asks for it; the lock is uncontended, because all ask on one thread.
    outputs: Mutex<Option<Result<Vec<Tensor>>>>,
}

/// The rounds of a group: a second value of a member belongs to the next round.
#[derive(Default)]
pub(crate) struct Rounds {
    rounds: VecDeque<Round>,
    next: u64,
}

/// The meeting of a group.
pub(crate) type Meeting = Monitor<Rounds>;

impl State for Rounds {
    type Config = Group;
    type Want = Attendance;
    /// The results, and the index of the member among them.
    type Answer = (Arc<Results>, usize);
    type Outputs = [Tensor; 1];
    const LANES: usize = 1;

    fn lane(_: &Attendance) -> usize {
        0
    }

    fn in_order(_: usize) -> bool {
        false
    }

    fn serve(&mut self, group: &Group, want: &mut Attendance) -> Served<Self::Answer> {
        let arrived = want.round.is_none();
        let number = *want.round.get_or_insert_with(|| self.arrive(group.size, &want.member));
        let Some(at) = self.rounds.iter().position(|round| round.number == number) else {
            return Served::Done(Err(Error::internal("a round of a collective ended before all members have left")));
        };
        let round = &mut self.rounds[at];
        let Some(results) = &round.results else {
            return if arrived { Served::Progress } else { Served::Wait };
        };
        let place = results.members.iter().position(|m| m.rank == want.member.rank);
        let answer = place.map(|place| (results.clone(), place));
        round.gone += 1;
        if round.gone == group.size {
            self.rounds.remove(at);
        }
        Served::Done(answer.ok_or_else(|| Error::internal("a member is missing from its round of a collective")))
    }

    fn give_up(&mut self, _: &Group, want: Attendance) {
        let Some(round) = self.rounds.iter_mut().find(|round| Some(round.number) == want.round) else { return };
        round.members.retain(|m| m.rank != want.member.rank);
    }

    fn outputs(_: &Group, (results, place): Self::Answer) -> Result<[Tensor; 1]> {
        let mut outputs = results.outputs.lock();
        let all = outputs.get_or_insert_with(|| exchange(&results.members));
        Ok([all.as_ref().map_err(Clone::clone)?[place].clone()])
    }

    fn cancelled(_: &Attendance) -> &'static str {
        "Collective ops was cancelled."
    }

    fn describe(&self, group: &Group) -> WaitableState {
        WaitableState {
            kind: "CollectiveGroup",
            name: group.name.clone(),
            size: self.rounds.front().map_or(0, |round| round.members.len()),
            capacity: None,
            closed: false,
            min_after_dequeue: 0,
            incomplete: 0,
        }
    }

    fn obstacle(&self, group: &Group, want: &Attendance) -> Option<String> {
        let round = self.rounds.iter().find(|round| Some(round.number) == want.round)?;
        let (there, size) = (round.members.len(), group.size);
        (there < size).then(|| {
            format!("{there} of the {size} members of the group have arrived, and no other will arrive in this run")
        })
    }

    fn need(&self, want: &Attendance) -> Need {
        let round = self.rounds.iter().find(|round| Some(round.number) == want.round);
        let so_far = round.map_or(0, |round| round.members.len());
        Need { act: Act::Take, elements: want.size, so_far, key: None, turn: false }
    }
}

impl Rounds {
    /// Adds a member to the first round that it has not joined yet.
    fn arrive(&mut self, size: usize, member: &Member) -> u64 {
        let is_free = |round: &Round| round.results.is_none() && round.members.iter().all(|m| m.rank != member.rank);
        let at = self.rounds.iter().position(is_free).unwrap_or_else(|| {
            self.rounds.push_back(Round { number: self.next, members: Vec::new(), results: None, gone: 0 });
            self.next += 1;
            self.rounds.len() - 1
        });
        let round = &mut self.rounds[at];
        round.members.push(member.clone());
        if round.members.len() == size {
            let mut members = round.members.clone();
            members.sort_by(|a, b| a.rank.cmp(&b.rank));
            round.results = Some(Arc::new(Results { members, outputs: Mutex::new(None) }));
        }
        round.number
    }
}

/// Joins the collective of the group of this name.
pub(crate) fn meet(cx: &mut Cx<'_, '_>, name: &str, size: i64, exchange: Exchange, is: Value) -> Result<()> {
    let Some(size) = usize::try_from(size).ok().filter(|n| *n > 0) else {
        return Err(Error::invalid(format!("group_size must be positive integer but got {size}")).attr("group_size"));
    };
    let (value, dtype, shape) = match is {
        Value::Sent(value) => {
            let (dtype, shape) = (value.dtype(), value.shape().into());
            (Some(value), dtype, shape)
        }
        Value::Received(dtype, shape) => (None, dtype, shape),
    };
    let node = cx.node();
    let (kind, number) = node.device.rsplit_once(':').unwrap_or((&node.device, "0"));
    let rank = (kind.into(), number.parse().unwrap_or(0), node.name.clone());
    let member = Member { rank, exchange, dtype, value, shape };
    let place = format!("{name}, iteration {}", cx.iteration());
    let meeting = cx.step().resources.get_or_create("collectives", &place, || {
        Ok(Arc::new(Monitor::new(Group { name: name.to_owned(), size }, Rounds::default())))
    })?;
    if meeting.config.size != size {
        return Err(Error::internal(format!(
            "the members of {name} disagree about its size: {size} and {}",
            meeting.config.size
        ))
        .expected("the same group_size for all members"));
    }
    let meeting: Arc<Meeting> = Arc::clone(&meeting);
    meeting.submit(cx, Attendance { member, round: None, size })
}

/// What a member contributes.
pub(crate) enum Value {
    Sent(Tensor),
    /// Nothing: it receives a tensor of this dtype and shape.
    Received(DType, PartialShape),
}

/// Returns the result for each member.
fn exchange(members: &[Member]) -> Result<Vec<Tensor>> {
    let first = &members[0];
    for other in members {
        if other.dtype != first.dtype {
            return Err(Error::internal(format!("members of a collective have {} and {}", first.dtype, other.dtype)));
        }
        if other.exchange != first.exchange {
            let (expected, found) = (format!("{:?}", first.exchange), format!("{:?}", other.exchange));
            return Err(Error::invalid("members of a collective perform different operations")
                .expected(expected)
                .found(found));
        }
    }
    let values: Vec<&Tensor> = members.iter().filter_map(|m| m.value.as_ref()).collect();
    if first.exchange == Exchange::Broadcast {
        let &[value] = &values[..] else {
            return Err(Error::internal(format!(
                "a broadcast must have one member that sends, but has {}",
                values.len()
            )));
        };
        if let Some(other) = members.iter().find(|m| !m.shape.accepts(value.shape())) {
            let shape = value.shape();
            return Err(Error::invalid(format!("a broadcast of shape {shape} to a member of shape {}", other.shape)));
        }
        return Ok(vec![value.clone(); members.len()]);
    }
    let shape = values[0].shape();
    if let Some(other) = values.iter().find(|v| v.shape() != shape) {
        return Err(Error::invalid(format!("Shape mismatch in a collective: {shape} and {}", other.shape())));
    }
    match first.exchange {
        Exchange::Reduce(reduction, last) => Ok(vec![reduce(&values, reduction, last)?; members.len()]),
        Exchange::Gather => Ok(vec![gather(&values)?; members.len()]),
        Exchange::AllToAll | Exchange::Broadcast => all_to_all(&values),
    }
}

/// Reduces the values element-wise.
pub(crate) fn reduce(values: &[&Tensor], reduction: Reduction, last: Last) -> Result<Tensor> {
    let (first, n) = (values[0], values.len());
    let unknown = || Error::unimplemented(format!("no collective of {}", first.dtype()));
    let sum = dispatch!(first.dtype(), reals, |T| {
        let mut sum = first.slice::<T>()?.to_vec();
        for value in &values[1..] {
            let both = sum.iter_mut().zip(value.slice::<T>()?);
            match reduction {
                Reduction::Min => both.for_each(|(a, &b)| *a = if b < *a { b } else { *a }),
                Reduction::Max => both.for_each(|(a, &b)| *a = if b > *a { b } else { *a }),
                Reduction::Mul => both.for_each(|(a, &b)| *a = Number::mul(*a, b)),
                Reduction::Add => both.for_each(|(a, &b)| *a = Number::add(*a, b)),
            }
        }
        Tensor::from_vec(first.shape().clone(), sum)?
    }, else return Err(unknown()));
    if last == Last::Id {
        return Ok(sum);
    }
    let shape = sum.shape().clone();
    dispatch!(sum.dtype(), floats, |T| {
        let quotients = sum.slice::<T>()?.iter().map(|v| T::from_f64(v.to_f64() / n as f64));
        Tensor::from_vec(shape, quotients.collect())
    }, else dispatch!(sum.dtype(), index, |T| {
        Tensor::from_vec(shape, sum.slice::<T>()?.iter().map(|v| v / n as T).collect())
    }, else Err(unknown())))
}

/// Concatenates the values along the first axis; scalars count as vectors.
fn gather(values: &[&Tensor]) -> Result<Tensor> {
    let dims = values[0].shape().dims();
    let (rows, row) = dims.split_first().map_or((1, dims), |(rows, row)| (*rows, row));
    let shape = Shape::new([rows * values.len()].iter().chain(row).copied())?;
    dispatch!(values[0].dtype(), plain, |T| {
        let mut all = Vec::with_capacity(shape.num_elements());
        for value in values {
            all.extend_from_slice(value.slice::<T>()?);
        }
        Tensor::from_vec(shape, all)
    }, else Err(Error::unimplemented(format!("no collective of {}", values[0].dtype()))))
}

/// Returns the result for each member: its part of every value, in the order of the members.
fn all_to_all(values: &[&Tensor]) -> Result<Vec<Tensor>> {
    let (shape, n) = (values[0].shape(), values.len());
    if shape.dims().first() != Some(&n) {
        return Err(Error::invalid(format!(
            "input to each device in all-to-all has shape {shape}, but there are {n} devices"
        ))
        .expected(format!("a first dimension of {n}")));
    }
    dispatch!(values[0].dtype(), plain, |T| {
        let part = shape.num_elements() / n;
        (0..n).map(|to| {
            let mut all = Vec::with_capacity(shape.num_elements());
            for value in values {
                all.extend_from_slice(&value.slice::<T>()?[to * part..(to + 1) * part]);
            }
            Tensor::from_vec(shape.clone(), all)
        }).collect()
    }, else Err(Error::unimplemented(format!("no collective of {}", values[0].dtype()))))
}
