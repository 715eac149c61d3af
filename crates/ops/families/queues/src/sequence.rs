//! `OrderedEnter`, `OrderedLeave` and `OrderedEnqueue`: several concurrent runs of one input pipeline, with the
//! elements in the order of sequential runs. TensorFlow has no such ops.
//!
//! Each run first enters and gets a ticket. Until it leaves no other run may enter: in this section it reads its
//! records and draws its random values. The rest runs concurrently with other runs, up to the enqueue, which happens
//! in the order of the ticket numbers. If several pipelines feed one queue, they enter in turns. A ticket that is
//! dropped because its run failed does not block the others.

use super::create::queue_input;
use super::monitor::{Monitor, Observer, Served, State};
use super::queue::{Queue, Want as Wanted};
use crate::prelude::*;
use crate::variable::{container_here, resource_name};
use crate::{HANDLE, scalar};
use levada_graph::{Variant, VariantValue};
use levada_kernel::env::Env;
use levada_kernel::watch::{Need, WaitableState};
use levada_kernel::{CancelToken, Completion, Wait};
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Determines which run is next.
type Sequencer = Monitor<Sequence>;

/// The run has entered and not left.
const INSIDE: u8 = 0;
/// The run has left and not enqueued.
const LEFT: u8 = 1;
/// The run has enqueued.
const DONE: u8 = 2;

/// A place in the order.
struct Ticket {
    sequencer: Arc<Sequencer>,
    number: u64,
    lane: usize,
    /// Progress; changed by one node of its run at a time.
    stage: AtomicU8,
}

impl Ticket {
    /// Returns the ticket held by a tensor.
    fn of(tensor: &Tensor) -> Result<&Ticket> {
        let ticket = tensor.slice::<Variant>().ok().and_then(|v| v.first()?.get::<Ticket>());
        ticket.ok_or_else(|| Error::invalid("the input is not a ticket of OrderedEnter"))
    }

    fn advance(&self, to: u8, failed: bool) {
        let from = self.stage.fetch_max(to, Ordering::AcqRel);
        if from >= to {
            return;
        }
        self.sequencer.change(|sequence| {
            if from == INSIDE {
                sequence.leave(self.lane, failed);
            }
            if to == DONE {
                sequence.finish(self.number);
            }
        });
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.advance(DONE, true);
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ticket({})", self.number)
    }
}

impl VariantValue for Ticket {
    fn type_name(&self) -> &'static str {
        "ticket"
    }
}

struct Config {
    name: String,
    lanes: usize,
}

struct Sequence {
    /// The number of the ticket that has entered and not left.
    inside: Option<u64>,
    /// The lane that may enter next.
    turn: usize,
    /// Lanes to skip because their last run failed after entering, for instance at the end of its files.
    ended: Vec<bool>,
    /// Number of the next ticket.
    next: u64,
    /// Number of the ticket that may enqueue.
    head: u64,
    /// Tickets after `head` that are done.
    gone: BTreeSet<u64>,
    /// For each ticket that is not done, the node that received it and the number of its step.
    holders: HashMap<u64, (Arc<str>, u64)>,
}

enum Want {
    /// Enter by a lane.
    Enter(Entrant),
    /// Enqueue with a ticket.
    Turn(u64),
}

/// A node that wants to enter.
struct Entrant {
    lane: usize,
    sequencer: Arc<Sequencer>,
    node: Arc<str>,
    step: u64,
}

impl Sequence {
    fn leave(&mut self, lane: usize, failed: bool) {
        self.inside = None;
        let lanes = self.ended.len();
        if lanes == 1 {
            return;
        }
        self.ended[lane] = failed;
        if self.ended.iter().all(|e| *e) {
            self.ended.fill(false);
        }
        let next = (1..=lanes).map(|i| (lane + i) % lanes).find(|&l| !self.ended[l]);
        self.turn = next.unwrap_or(0);
    }

    fn finish(&mut self, number: u64) {
        self.holders.remove(&number);
        if number != self.head {
            self.gone.insert(number);
            return;
        }
        self.head += 1;
        while !self.gone.is_empty() && self.gone.remove(&self.head) {
            self.head += 1;
        }
    }
}

impl State for Sequence {
    type Config = Config;
    type Want = Want;
    type Answer = Option<Ticket>;
    type Outputs = Option<Tensor>;
    const LANES: usize = 2;

    fn lane(want: &Want) -> usize {
        match want {
            Want::Enter(_) => 0,
            Want::Turn(_) => 1,
        }
    }

    fn in_order(_: usize) -> bool {
        false
    }

    fn serve(&mut self, _: &Config, want: &mut Want) -> Served<Option<Ticket>> {
        match want {
            Want::Enter(Entrant { lane, sequencer, node, step }) => {
                // A lane that enters again is not skipped.
                self.ended[*lane] = false;
                if self.inside.is_some() || self.turn != *lane {
                    return Served::Wait;
                }
                let number = self.next;
                self.inside = Some(number);
                self.holders.insert(number, (node.clone(), *step));
                self.next += 1;
                let (sequencer, stage) = (sequencer.clone(), AtomicU8::new(INSIDE));
                let ticket = Ticket { sequencer, number, lane: *lane, stage };
                Served::Done(Ok(Some(ticket)))
            }
            Want::Turn(number) if *number == self.head => Served::Done(Ok(None)),
            Want::Turn(_) => Served::Wait,
        }
    }

    fn outputs(_: &Config, ticket: Option<Ticket>) -> Result<Option<Tensor>> {
        Ok(ticket.map(|ticket| Tensor::scalar(Variant::new(ticket))))
    }

    fn cancelled(_: &Want) -> &'static str {
        "Waiting for a turn was cancelled"
    }

    fn describe(&self, config: &Config) -> WaitableState {
        WaitableState {
            kind: "Sequence",
            name: config.name.clone(),
            size: usize::from(self.inside.is_none()),
            capacity: Some(1),
            closed: false,
            min_after_dequeue: 0,
            incomplete: 0,
        }
    }

    fn need(&self, _: &Want) -> Need {
        Need { act: levada_graph::Act::Take, elements: 1, so_far: 0, key: None, turn: true }
    }

    fn holder(&self, want: &Want) -> Option<(Arc<str>, u64)> {
        let number = match want {
            Want::Enter(_) => self.inside?,
            Want::Turn(_) => self.head,
        };
        self.holders.get(&number).cloned()
    }

    fn obstacle(&self, _: &Config, want: &Want) -> Option<String> {
        match want {
            Want::Enter(Entrant { lane, .. }) if self.inside.is_none() && self.turn != *lane => {
                Some(format!("lane {} must enter before lane {lane}, but has not arrived", self.turn))
            }
            _ => None,
        }
    }
}

attrs! {
    /// Returns a ticket. Waits until no other run is between enter and leave and, with several lanes, it is this
    /// lane's turn.
    pub struct OrderedEnter {
        /// Index of the lane.
        lane: i64 = Attr::int("lane").or_int(0).at_least(0),
        /// Number of lanes.
        lanes: i64 = Attr::int("lanes").or_int(1).at_least(1),
        /// Container that holds the order; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static ORDERED_ENTER: Def<OrderedEnter> =
    op("OrderedEnter").outputs(&[arg("ticket", is(DType::Variant))]).stateful().shape(scalar).kernel(enter);

fn enter(op: &OrderedEnter, cx: &mut Cx<'_, '_>) -> Result<()> {
    let lanes = usize::try_from(op.lanes).ok().filter(|n| (1..=1 << 16).contains(n));
    let lane = usize::try_from(op.lane).ok().filter(|l| lanes.is_some_and(|n| *l < n));
    let (Some(lanes), Some(lane)) = (lanes, lane) else {
        return Err(Error::invalid(format!("there is no lane {} of {}", op.lane, op.lanes)).attr("lane"));
    };
    let name = resource_name(&op.shared_name, cx);
    let make = || {
        let (gone, ended) = (BTreeSet::new(), vec![false; lanes]);
        let config = Config { name: name.to_owned(), lanes };
        let sequence = Sequence { inside: None, turn: 0, ended, next: 0, head: 0, gone, holders: HashMap::new() };
        Ok(Sequencer::new(config, sequence))
    };
    let container = container_here(&op.container, cx);
    let sequencer = cx.env().resources.get_or_create::<Sequencer>(&container, name, make)?;
    if sequencer.config.lanes != lanes {
        return Err(Error::invalid(format!("the order {name} has {} lanes, not {lanes}", sequencer.config.lanes)));
    }
    let (node, step) = (cx.node().name.clone(), cx.step().id);
    let want = Want::Enter(Entrant { lane, sequencer: sequencer.clone(), node, step });
    sequencer.submit(cx, want)
}

attrs! {
    /// Lets the next run enter. Returns the ticket.
    pub struct OrderedLeave {}
}

pub static ORDERED_LEAVE: Def<OrderedLeave> = op("OrderedLeave")
    .inputs(&[arg("ticket", is(DType::Variant))])
    .outputs(&[arg("left", is(DType::Variant))])
    .stateful()
    .shape(scalar)
    .kernel(leave);

fn leave(_: &OrderedLeave, cx: &mut Cx<'_, '_>) -> Result<()> {
    let ticket = cx.take(0)?;
    Ticket::of(&ticket)?.advance(LEFT, false);
    cx.set(0, ticket);
    Ok(())
}

attrs! {
    /// Adds an element to a queue in the ticket's turn; if `keep` is false, only lets the next ticket proceed.
    pub struct OrderedEnqueue {
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("Tcomponents", sets::ANY).at_least(1),
        /// Whether the components are batches of elements.
        many: bool = Attr::bool("many").or_bool(false),
    }
}

pub static ORDERED_ENQUEUE: Def<OrderedEnqueue> = op("OrderedEnqueue")
    .inputs(&[
        HANDLE,
        arg("ticket", is(DType::Variant)),
        arg("keep", is(DType::Bool)),
        arg("components", each("Tcomponents")),
    ])
    .act(Act::Put)
    .kernel(enqueue);

/// A request waiting for the turn of a ticket, registered with its queue until this is dropped.
struct Promise {
    queue: Arc<Queue>,
    number: u64,
}

impl Promise {
    fn of(queue: &Arc<Queue>, number: u64, want: &Option<Wanted>) -> Option<Promise> {
        let waits = want.as_ref()?.to_enqueue()?;
        queue.change(|state| state.promised.insert(number, waits));
        Some(Promise { queue: queue.clone(), number })
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.queue.change(|state| state.promised.remove(&self.number));
    }
}

/// A ticket, and the request to serve in its turn.
struct Job {
    queue: Arc<Queue>,
    ticket: Tensor,
    /// `None` if the element is not kept.
    want: Option<Wanted>,
    /// The registration with the queue while waiting for the turn.
    promise: Option<Promise>,
    node: Arc<str>,
    cancel: CancelToken,
    env: Arc<Env>,
}

thread_local! {
    /// Nesting depth of ticket turns on this thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Maximum nesting depth; deeper turns move to another thread's stack.
const MAX_DEPTH: u32 = 16;

impl Job {
    /// Enqueues. Returns `None` if that must wait; the completion made by `wait` is finished later.
    fn enqueue(mut self, wait: impl FnOnce(Wait) -> Completion) -> Option<Result<()>> {
        drop(self.promise.take());
        let Some(want) = self.want.take() else {
            return Some(Ticket::of(&self.ticket).map(|ticket| ticket.advance(DONE, false)));
        };
        let Job { queue, ticket, node, cancel, env, .. } = self;
        let observer = Observer::new(&env.telemetry, &node);
        let parked = ticket.clone();
        let answer = queue.ask(want, observer, |at| {
            let done = wait(at);
            (
                node,
                cancel,
                Completion::new(move |result| {
                    // The next ticket's turn comes before this run ends.
                    drop(parked);
                    done.finish_entries(result);
                }),
            )
        })?;
        // Dropping the ticket starts the next ticket's turn.
        Some(answer.map(|_| drop(ticket)))
    }

    /// Like [`Job::enqueue`], for a node that already waits.
    fn enqueue_later(self, done: Completion) {
        if DEPTH.get() >= MAX_DEPTH {
            let env = self.env.clone();
            let _ = env.pool.spawn(move || self.enqueue_later(done));
            return;
        }
        DEPTH.set(DEPTH.get() + 1);
        let mut done = Some(done);
        let answer = self.enqueue(|at| match done.take() {
            Some(done) => {
                done.wait_for(at);
                done
            }
            None => Completion::new(|_| ()),
        });
        if let (Some(answer), Some(done)) = (answer, done) {
            done.finish(answer.map(|()| Vec::new()));
        }
        DEPTH.set(DEPTH.get() - 1);
    }
}

fn enqueue(op: &OrderedEnqueue, cx: &mut Cx<'_, '_>) -> Result<()> {
    let queue = queue_input(cx, 0)?;
    let keep = cx.scalar::<bool>(2)?;
    let element = (3..cx.num_inputs()).map(|i| cx.take(i)).collect::<Result<super::queue::Element>>()?;
    let want = match (keep, op.many) {
        (false, _) => None,
        (true, false) => {
            queue.config.check_element(&element)?;
            Some(Wanted::Enqueue(element))
        }
        (true, true) => {
            let size = queue.config.check_batch(&element)?;
            cx.device.arena.check(queue.config.fitting(size).saturating_mul(size_of_val(&element[..])))?;
            Some(Wanted::EnqueueMany { batch: element, next: 0, size })
        }
    };
    let ticket = cx.take(1)?;
    let (node, cancel, env) = (cx.node().name.clone(), cx.cancel().clone(), cx.step().env.clone());
    let (sequencer, number) = {
        let ticket = Ticket::of(&ticket)?;
        (ticket.sequencer.clone(), ticket.number)
    };
    let mut job = Some(Job { queue, ticket, want, promise: None, node, cancel, env });
    let turn = sequencer.ask(Want::Turn(number), Observer::of(cx), |at| match job.take() {
        Some(mut job) => {
            job.promise = Promise::of(&job.queue, number, &job.want);
            let done = cx.defer_for(at);
            let (node, cancel) = (job.node.clone(), job.cancel.clone());
            let then = move |turn: Result<Vec<Entry>>| match turn {
                Ok(_) => {
                    done.wait_for(Wait::External);
                    job.enqueue_later(done);
                }
                Err(error) => done.finish(Err(error)),
            };
            (node, cancel, Completion::new(then))
        }
        None => ("".into(), CancelToken::new(), Completion::new(|_| ())),
    });
    let (Some(turn), Some(job)) = (turn, job) else { return Ok(()) };
    turn?;
    job.enqueue(|at| cx.defer_for(at)).unwrap_or(Ok(()))
}
