#!/usr/bin/env python3
"""Plants faults in a copy of the code, enables one at a time, and reports which check finds each.

    .ci/faults.py [--only WORDS] [--checker loom|shuttle|simulate] [--markdown]

A fault is a piece of a file and its replacement; all are in one copy, which is built once for each checker. Loom runs first;
faults that it does not find are checked by shuttle, and then by the simulation of sessions. Faults of sessions, which have no
models of their own, are checked by the simulation alone. Without a fault the copy must pass.
"""

import argparse
import functools
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.abspath(os.environ.get("LEVADA_MODEL_TARGET", os.path.join(ROOT, "target/models")))
COPY = os.path.join(TARGET, "copy")
# Time limit in seconds for the models of a crate: a fault that makes them loop forever counts as found.
LIMIT = {"loom": 400, "shuttle": 200, "simulate": 400}
# Models that take long under loom, and run last.
SLOW = ["two_steps_that_wait_for_each_other_are_told", "a_fetch_whose_feed_nobody_can_give_is_told"]
# The arguments of the simulation.
LIVES = ["--seeds", "1..3000"]

ACTIVATION = "crates/executor/src/activation.rs"
HOLDS = "crates/executor/src/holds.rs"
OUTCOME = "crates/executor/src/outcome.rs"
PARK = "crates/executor/src/park.rs"
PARTIAL = "crates/executor/src/partial.rs"
SCHEDULE = "crates/executor/src/schedule.rs"
FIRE = "crates/executor/src/fire.rs"
CANCEL = "crates/kernel/src/cancel.rs"
RENDEZVOUS = "crates/kernel/src/rendezvous.rs"
FRAMES = "crates/executor/src/frames.rs"
STRAIGHT = "crates/executor/src/straight.rs"
ORDER = "crates/executor/src/order.rs"
IO = "crates/kernel/src/io.rs"
RESOURCES = "crates/kernel/src/resources.rs"
TURNS = "crates/kernel/src/turns.rs"
SESSION = "crates/session/src/session.rs"
RUNNER = "crates/session/src/queue_runner.rs"
COORDINATOR = "crates/session/src/coordinator.rs"
BARRIER = "crates/ops/families/queues/src/barrier.rs"
PRIORITY = "crates/ops/families/queues/src/priority.rs"
QUEUE = "crates/ops/families/queues/src/queue.rs"
SHUFFLE = "crates/ops/families/queues/src/shuffle.rs"
STAGE = "crates/ops/families/queues/src/stage.rs"
ACTIVITY = "crates/stall/src/activity.rs"
LISTING = "crates/stall/src/listing.rs"
MONITOR = "crates/ops/families/queues/src/monitor.rs"

# Name, file, original text, and replacement, in which FAULT is true if the fault is enabled; the crate whose models check it.
FAULTS = [
    ("a dropped release: the count of a node's inputs", ACTIVATION,
     "pending.now.fetch_sub(1, Ordering::AcqRel)",
     "pending.now.fetch_sub(1, if FAULT { Ordering::Relaxed } else { Ordering::AcqRel })", "executor"),
    ("a dropped release: the count with control flow", ACTIVATION,
     "pending.fetch_add(delta, Ordering::AcqRel)",
     "pending.fetch_add(delta, if FAULT { Ordering::Relaxed } else { Ordering::AcqRel })", "executor"),
    ("a dropped release: the holds on a step", HOLDS,
     "self.0.fetch_sub(1, Ordering::AcqRel)",
     "self.0.fetch_sub(1, if FAULT { Ordering::Relaxed } else { Ordering::AcqRel })", "executor"),
    ("two stores in the wrong order: a count before its slot", ACTIVATION,
     """    pub(crate) fn bring(self, value: Entry) -> Option<Ready> {
""",
     """    pub(crate) fn bring(self, value: Entry) -> Option<Ready> {
        if FAULT {
            let is_last = self.edge.node != FETCH && self.act.arrive(self.edge.node);
            unsafe { self.act.put(self.edge.slot, value) };
            return is_last.then(|| Ready::new(self.edge.node, false, self.act));
        }
""", "executor"),
    ("two stores in the wrong order: told before it is there", OUTCOME,
     """                self.outcome.status.lock().ended = Some(ended);
                self.outcome.done.notify_all();""",
     """                if FAULT {
                    self.outcome.done.notify_all();
                    self.outcome.status.lock().ended = Some(ended);
                } else {
                    self.outcome.status.lock().ended = Some(ended);
                    self.outcome.done.notify_all();
                }""", "executor"),
    ("a slot written twice", ACTIVATION,
     """        (self.edge.node != FETCH && self.act.arrive(self.edge.node))""",
     """        if FAULT {
            unsafe { self.act.put(self.edge.slot, Entry::Dead) };
        }
        (self.edge.node != FETCH && self.act.arrive(self.edge.node))""", "executor"),
    ("a slot written after its merge has run", ACTIVATION,
     "if old & 1 == 1 {", "if FAULT || old & 1 == 1 {", "executor"),
    ("a slot that is not emptied", FIRE,
     """        clear(inputs);
        if deferral.is_some() || result.is_err()""",
     """        if !FAULT {
            clear(inputs);
        }
        if deferral.is_some() || result.is_err()""", "executor"),
    ("a count that is not set back", ACTIVATION,
     "            pending.now.store(pending.start, Ordering::Relaxed);\n",
     "            if !FAULT {\n                pending.now.store(pending.start, Ordering::Relaxed);\n            }\n", "executor"),
    ("a completion called twice: a step ends with a hold left", HOLDS,
     "(before == 1).then_some(Ended(()))", "(before == 1 || FAULT && before == 2).then_some(Ended(()))", "executor"),
    ("a hold that is not counted", HOLDS,
     "self.0.fetch_add(1, Ordering::Relaxed);", "self.0.fetch_add(usize::from(!FAULT), Ordering::Relaxed);", "executor"),
    ("a missed wake: nobody is called for a node that was finished", PARK,
     "        self.step.call_helper();\n", "        if !FAULT {\n            self.step.call_helper();\n        }\n", "executor"),
    ("a missed wake: no second look before a thread leaves", SCHEDULE,
     "if self.work.list.is_empty() || !self.work.activity.join(self.work.max_threads) {",
     "if FAULT || self.work.list.is_empty() || !self.work.activity.join(self.work.max_threads) {", "executor"),
    ("a missed wake: the second look comes before leaving", SCHEDULE,
     """                    let last = self.work.activity.leave();
""",
     """                    let was_empty = FAULT && self.work.list.is_empty();
                    let last = self.work.activity.leave();
                    if was_empty {
                        break;
                    }
""", "executor"),
    ("a missed wake: a kernel's return and its completion pass each other", PARK,
     """                *state = DeferralState::Waiting(ready, event, self.step.work.holds.another(hold));
                None""",
     """                if FAULT {
                    *state = DeferralState::Running;
                    drop(state);
                    state = self.state.lock();
                }
                *state = DeferralState::Waiting(ready, event, self.step.work.holds.another(hold));
                None""", "executor"),
    ("a missed wake: a feed and its node pass each other", PARTIAL,
     """            Feed::Unfed => state.feeds[feed] = Feed::Given(value),""",
     """            Feed::Unfed => {
                if FAULT {
                    drop(state);
                    state = self.exchange.state.lock();
                }
                state.feeds[feed] = Feed::Given(value);
            }""", "executor"),
    ("a missed wake: a listener and a cancellation pass each other", CANCEL,
     """        let id = listeners.next;
        listeners.next += 1;
        listeners.callbacks""",
     """        if FAULT {
            drop(listeners);
            listeners = self.0.listeners.lock();
        }
        let id = listeners.next;
        listeners.next += 1;
        listeners.callbacks""", "executor"),
    ("a value lost: a send and a receive pass each other", RENDEZVOUS,
     """            let mut slots = self.slots.lock();
            match slots.entry(key) {
                hash_map::Entry::Vacant(free) => {
                    free.insert(Slot::Sent(value));""",
     """            let mut slots = self.slots.lock();
            if FAULT && !slots.contains_key(&key) {
                drop(slots);
                slots = self.slots.lock();
                slots.insert(key, Slot::Sent(value));
                return Ok(());
            }
            match slots.entry(key) {
                hash_map::Entry::Vacant(free) => {
                    free.insert(Slot::Sent(value));""", "executor"),
    ("two threads where one may be: a count that is read and then written", ACTIVITY,
     """        let room = |n: usize|""",
     """        if FAULT {
            let n = self.threads.load(Ordering::SeqCst);
            if n < most {
                self.threads.store(n + 1, Ordering::SeqCst);
            }
            return n < most;
        }
        let room = |n: usize|""", "executor"),
    ("a step that stays on the watch's list", LISTING,
     """            *state = State::Listed(enter());""",
     """            if FAULT {
                drop(state);
                state = self.state.lock();
            }
            *state = State::Listed(enter());""", "executor"),
    ("a batch that is given up and not put back", MONITOR,
     "        inner.state.give_up(&self.config, want);\n        inner.flush",
     "        if !FAULT {\n            inner.state.give_up(&self.config, want);\n        }\n        inner.flush", "ops-queues"),
    ("a missed wake: who waits at a queue is not served", MONITOR,
     "if inner.lanes.iter().any(|l| !l.is_empty()) {", "if !FAULT && inner.lanes.iter().any(|l| !l.is_empty()) {", "ops-queues"),
    ("a missed wake: a cancellation of one who waits is not heard", MONITOR,
     "        if waits {\n", "        if waits && !FAULT {\n", "ops-queues"),

    # Loops.
    ("a missed wake: loops that run straight are not looked for", SCHEDULE,
     "let straight = if local.is_empty() {", "let straight = if local.is_empty() && !FAULT {", "executor"),
    ("a loop that is handed over and lost", SCHEDULE,
     """            self.work.list.push(Work::Straight(run, self.work.holds.another(hold)));
            self.call_helper();""",
     """            if !FAULT {
                self.work.list.push(Work::Straight(run, self.work.holds.another(hold)));
            }
            self.call_helper();""", "executor"),
    ("a slot of a straight loop that keeps a value of the iteration before", STRAIGHT,
     """                    let mut value = std::mem::take(&mut slots[switch as usize]);
""",
     """                    let mut value = std::mem::take(&mut slots[switch as usize]);
                    if FAULT {
                        slots[switch as usize] = value.clone();
                        continue;
                    }
""", "executor"),
    ("two stores in the wrong order: an iteration is counted after its nodes can run", FRAMES,
     """    nodes.iter_mut().for_each(|ready| ready.bind(to.clone()));
    to.add_outstanding(nodes.len());""",
     """    nodes.iter_mut().for_each(|ready| ready.bind(to.clone()));
    if !FAULT {
        to.add_outstanding(nodes.len());
    }""", "loops"),
    ("a missed wake: an iteration that had to wait is not begun", FRAMES,
     "if let Some(by) = state.next.first().map(|(spent, _)| spent.node()) {",
     "if let Some(by) = state.next.first().map(|(spent, _)| spent.node()).filter(|_| !FAULT) {", "loops"),
    ("a loop whose end is not told where it is dead", FRAMES,
     "                None => self.activate_in(&frame.parent, exit, true, &mut [], local),",
     "                None if FAULT => {}\n                None => self.activate_in(&frame.parent, exit, true, &mut [], local),", "loops"),
    ("a missed wake: a loop around is not swept", FRAMES,
     "        if frame.parent.as_ref().is_some_and(|iteration| !iteration.is_busy()) {\n            self.sweep(&frame.parent, local);",
     "        if frame.parent.as_ref().is_some_and(|iteration| !iteration.is_busy() && !FAULT) {\n            self.sweep(&frame.parent, local);",
     "loops"),
    ("an iteration that begins although enough are under way", FRAMES,
     "if state.iterations.len() >= limit as usize {", "if !FAULT && state.iterations.len() >= limit as usize {", "loops"),
    ("a dropped lock: an input of a merge and what it waits for", ACTIVATION,
     "(!self.exclusive).then(|| self.merging.lock())", "(!self.exclusive && !FAULT).then(|| self.merging.lock())", "executor"),

    # The end of a step, and partial steps.
    ("two stores in the wrong order: aborted before there is an error", OUTCOME,
     """        {
            let mut status = self.outcome.status.lock();
            match &status.error {""",
     """        if FAULT {
            self.outcome.limit.store(0, Ordering::SeqCst);
        }
        {
            let mut status = self.outcome.status.lock();
            match &status.error {""", "executor"),
    ("two stores in the wrong order: cancelled before there is an error", OUTCOME,
     """        {
            let mut status = self.outcome.status.lock();
            match &status.error {""",
     """        if FAULT {
            self.cx.cancel.cancel_with(Error::cancelled("another node of the step failed"));
        }
        {
            let mut status = self.outcome.status.lock();
            match &status.error {""", "executor"),
    ("a missed wake: those who wait are not cancelled when a node fails", OUTCOME,
     """            self.outcome.limit.store(0, Ordering::SeqCst);
        }
        self.cx.cancel.cancel_with(Error::cancelled("another node of the step failed"));""",
     """            self.outcome.limit.store(0, Ordering::SeqCst);
        }
        if !FAULT {
            self.cx.cancel.cancel_with(Error::cancelled("another node of the step failed"));
        }""", "executor"),
    ("a missed wake: a watched node fails and another comes to wait", FIRE,
     "if self.outcome.is_cut() {", "if self.outcome.is_cut() && !FAULT {", "executor"),
    ("a missed wake: a feed that comes to wait after a cancellation", PARTIAL,
     "// A cancellation before the deferral found nothing to finish.\n        if let Some(reason) = io.cancel().reason() {", "if let Some(reason) = io.cancel().reason().filter(|_| !FAULT) {", "executor"),
    ("a missed wake: a fetch that is there is not told", PARTIAL,
     """        self.state.lock().fetches[fetch] = Fetched::Here(value);
        self.changed.notify_all();""",
     """        if FAULT {
            self.changed.notify_all();
        }
        self.state.lock().fetches[fetch] = Fetched::Here(value);
        if !FAULT {
            self.changed.notify_all();
        }""", "executor"),
    ("a completion called twice: that of a node", IO,
     "            Finish::Node(node) => node.finish(outputs),",
     """            Finish::Node(node) => {
                if FAULT {
                    node.clone().finish(outputs.clone());
                }
                node.finish(outputs);
            }""", "executor"),
    ("a value that the short way of a node does not pass on", FIRE,
     "if deferral.is_some() || result.is_err()", "if deferral.is_some() && !FAULT || result.is_err()", "executor"),

    # Work that waits for its turn.
    ("a missed wake: work that came in the middle of a kernel is dropped", SCHEDULE,
     "            Postponed::Step(step) => drop(step.drain(step.worker(), Lists::default(), None)),",
     "            Postponed::Step(_) if FAULT => {}\n            Postponed::Step(step) => drop(step.drain(step.worker(), Lists::default(), None)),",
     "executor"),
    ("a missed wake: postponed work is not worked off", SCHEDULE,
     "        if !outer {\n            work_off_postponed();", "        if !outer && !FAULT {\n            work_off_postponed();", "executor"),
    ("a missed wake: a node that is held back does not hear of a cancellation", ORDER,
     "let listening = self.cx.cancel.on_cancel(move |_| on_cancel());",
     "let listening = self.cx.cancel.on_cancel(move |_| if !FAULT { on_cancel() });", "executor"),

    # Stalls.
    ("two stores in the wrong order: a node is no longer parked before its work is there", PARK,
     """        self.step.cx.resources.wake();
        let aside =""",
     """        if FAULT {
            self.step.unpark(self.id);
        } else {
            self.step.cx.resources.wake();
        }
        let aside =""", "executor"),
    ("a wake that is not counted", RESOURCES,
     "self.waiting().wakes.fetch_add(1, Ordering::SeqCst);",
     "self.waiting().wakes.fetch_add(u64::from(!FAULT), Ordering::SeqCst);", "executor"),
    ("two stores in the wrong order: a step leaves the list before its end is told", OUTCOME,
     """    pub(crate) fn finish(&self, ended: Ended) {
""",
     """    pub(crate) fn finish(&self, ended: Ended) {
        if FAULT && let Some(id) = self.listing.over() {
            self.cx.env.watch.leave(id);
            self.cx.env.watch.check();
        }
""", "executor"),
    ("a missed wake: nobody looks for sleepers when a step has left the list", OUTCOME,
     """            self.cx.env.watch.leave(id);
            self.cx.env.watch.check();
        }
    }""",
     """            self.cx.env.watch.leave(id);
            if !FAULT {
                self.cx.env.watch.check();
            }
        }
    }""", "executor"),
    ("a missed wake: nobody looks for sleepers when a step falls asleep", SCHEDULE,
     "                        if last {", "                        if last && !FAULT {", "executor"),
    ("a missed wake: nobody looks for sleepers when a fetch begins to wait", PARTIAL,
     """        watch.check();
        let mut state = self.exchange.state.lock();""",
     """        if !FAULT {
            watch.check();
        }
        let mut state = self.exchange.state.lock();""", "executor"),
    ("two stores in the wrong order: a thread leaves before the end is told", SCHEDULE,
     """                    self.finish(ended);
                    // The thread counts as active until the end has been reported.
                    self.work.activity.leave();""",
     """                    if FAULT {
                        self.work.activity.leave();
                    }
                    self.finish(ended);
                    if !FAULT {
                        self.work.activity.leave();
                    }""", "executor"),

    # Cancellation and rendezvous.
    ("a missed wake: a token that comes to be after its parent was cancelled", CANCEL,
     "        let reason = listeners.reason.clone();\n        let child",
     "        let reason = listeners.reason.clone().filter(|_| !FAULT);\n        let child", "executor"),
    ("a missed wake: tokens are not cancelled with their parents", CANCEL,
     "open.extend(children.all.iter().flatten().filter_map(Weak::upgrade));",
     "open.extend(children.all.iter().flatten().filter_map(Weak::upgrade).filter(|_| !FAULT));", "executor"),
    ("a missed wake: a receiver that is there is not served", RENDEZVOUS,
     "        if let Slot::Awaited(receiver) = receiver {\n            receiver.finish_entries(Ok(vec![value]));",
     "        if let Slot::Awaited(receiver) = receiver {\n            if FAULT {\n                std::mem::forget(receiver);\n                return Ok(());\n            }\n            receiver.finish_entries(Ok(vec![value]));",
     "executor"),

    # Turns of the threads of a session.
    ("a missed wake: a turn is passed on and nobody is told", TURNS,
     "            wake.notify_one();", "            if !FAULT {\n                wake.notify_one();\n            }", "kernel"),
    ("two threads where one may be: a turn that is passed on is not counted", TURNS,
     "        if let Some((_, wake)) = self.queue.pop_front() {\n            self.begin();",
     "        if let Some((_, wake)) = self.queue.pop_front() {\n            if !FAULT {\n                self.begin();\n            }", "kernel"),
    ("a turn that is not given back", TURNS,
     "    pub(crate) fn end(&self, part: impl Fn() -> usize) {\n        let mut state = self.state.lock();\n        state.active -= 1;",
     "    pub(crate) fn end(&self, part: impl Fn() -> usize) {\n        let mut state = self.state.lock();\n        state.active -= usize::from(!FAULT);",
     "kernel"),
    ("a missed wake: who ends its work passes its turn on to nobody", TURNS,
     "        if !state.queue.is_empty() {\n            self.relieve(&mut state, part());",
     "        if !state.queue.is_empty() && !FAULT {\n            self.relieve(&mut state, part());", "kernel"),
    ("a missed wake: who interrupts its work passes its turn on to nobody", TURNS,
     "            self.relieve(&mut state, most);\n            self.wait", "            if !FAULT {\n                self.relieve(&mut state, most);\n            }\n            self.wait",
     "kernel"),
    ("two threads where one may be: a turn in which another works is taken", TURNS,
     "        if self.active < part && self.seen == self.begun {", "        if (self.active < part || FAULT) && self.seen == self.begun {",
     "kernel"),
    ("a turn that is taken twice: by one whose run is over, as it is given", TURNS,
     "            let Some(place) = state.queue.iter().position(|(other, _)| *other == number) else { return };",
     "            let place = state.queue.iter().position(|(other, _)| *other == number);\n"
     "            if place.is_none() && FAULT && !may_wait() {\n                state.begin();\n            }\n"
     "            let Some(place) = place else { return };", "kernel"),
    ("who waits stays in the queue when its run is over", TURNS,
     "                state.queue.remove(place);", "                if !FAULT {\n                    state.queue.remove(place);\n                }", "kernel"),

    # What waits at queues and the like.
    ("an element that leaves twice: a queue that shuffles", SHUFFLE,
     "        Some(self.elements.swap_remove(at))",
     "        if FAULT && self.elements.len() > 1 {\n            return self.elements.get(at).cloned();\n        }\n        Some(self.elements.swap_remove(at))", "lives"),
    ("an element that is lost when a batch is given up", QUEUE,
     "        while let Some(element) = taken.pop() {\n            self.elements.put_back(element);",
     "        while let Some(element) = taken.pop() {\n            if FAULT && taken.is_empty() {\n                break;\n            }\n            self.elements.put_back(element);", "lives"),
    ("a missed wake: a batch that comes in parts serves nobody", MONITOR,
     """        if moved {
            inner.flush(&self.config, &mut finished);""",
     """        if moved && !FAULT {
            inner.flush(&self.config, &mut finished);""", "ops-queues"),
    ("a missed wake: a change of a barrier serves nobody", MONITOR,
     """        let result = change(&mut inner.state);
        inner.flush(&self.config, &mut finished);""",
     """        let result = change(&mut inner.state);
        if !FAULT {
            inner.flush(&self.config, &mut finished);
        }""", "ops-queues"),
    ("a barrier that loses what a cancelled run had taken", BARRIER,
     "        want.taken.into_iter().for_each(|element| self.ready.put_back(element));",
     "        if !FAULT {\n            want.taken.into_iter().for_each(|element| self.ready.put_back(element));\n        }", "lives"),

    # The session, its runners and their coordinator.
    ("a missed wake: nobody looks for sleepers when something no longer acts", SESSION,
     """        self.0.running.fetch_sub(1, Ordering::SeqCst);
        self.0.env.watch.check();""",
     """        self.0.running.fetch_sub(1, Ordering::SeqCst);
        if !FAULT {
            self.0.env.watch.check();
        }""", "lives"),
    ("a handle that is not counted", SESSION,
     "        self.inner.handles.fetch_add(1, Ordering::SeqCst);\n        Holder::new(self.inner.clone())",
     "        self.inner.handles.fetch_add(usize::from(!FAULT), Ordering::SeqCst);\n        Holder::new(self.inner.clone())", "lives"),
    ("two stores in the wrong order: a runner's step is over before its result is there", RUNNER,
     """        *self.result.lock() = Some(result);
        if self.phase.swap(ENDED, Ordering::AcqRel) == RETURNED {
            self.resume();
        }""",
     """        if FAULT {
            let before = self.phase.swap(ENDED, Ordering::AcqRel);
            *self.result.lock() = Some(result);
            if before == RETURNED {
                self.resume();
            }
            return;
        }
        *self.result.lock() = Some(result);
        if self.phase.swap(ENDED, Ordering::AcqRel) == RETURNED {
            self.resume();
        }""", "lives"),
    ("a runner that is resumed by both", RUNNER,
     "if self.phase.swap(RETURNED, Ordering::AcqRel) == UNDER_WAY || !self.goes_on() {",
     "if self.phase.swap(RETURNED, Ordering::AcqRel) == UNDER_WAY && !FAULT || !self.goes_on() {", "lives"),
    ("a missed wake: paused runners do not go on", RUNNER,
     "        resumed.into_iter().for_each(Enqueue::resume);\n    }\n}",
     "        resumed.into_iter().filter(|_| !FAULT).for_each(Enqueue::resume);\n    }\n}", "lives"),
    ("a missed wake: a member of a coordinator ends and nobody is told", COORDINATOR,
     "        self.coordinator.0.state.lock().members.remove(&self.id);\n        self.coordinator.0.changed.notify_all();",
     "        self.coordinator.0.state.lock().members.remove(&self.id);\n        if !FAULT {\n            self.coordinator.0.changed.notify_all();\n        }", "simulate"),
    ("a missed wake: a stop calls nobody who comes meanwhile", COORDINATOR,
     """            if !self.should_stop() {
                state.on_stop.push(Box::new(callback));
                return;
            }""",
     """            if FAULT || !self.should_stop() {
                state.on_stop.push(Box::new(callback));
                return;
            }""", "simulate"),
    ("a session's end that cancels nobody with a token of its own", SESSION,
     "let closed = self.closed.on_cancel(move |reason| told.cancel_with(reason.clone()));",
     "let closed = self.closed.on_cancel(move |reason| if !FAULT { told.cancel_with(reason.clone()) });", "simulate"),
]

# The function with which the copy checks whether a fault is enabled.
SWITCH = """
/// True if the fault with this number is enabled.
pub fn fault(number: usize) -> bool {
    static ON: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();
    *ON.get_or_init(|| std::env::var("LEVADA_FAULT").ok()?.parse().ok()) == Some(number)
}
"""


def copy():
    """Updates the copy and plants the faults. Unchanged files keep their modification times, so that little is rebuilt."""
    names = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True).splitlines()
    for name in names:
        source, there = os.path.join(ROOT, name), os.path.join(COPY, name)
        if not (name.startswith(("crates/", "benches/", "tests/")) or "/" not in name) or not os.path.isfile(source):
            continue
        if name.startswith("tests/") and not name.endswith((".rs", ".toml")):
            continue
        with open(source, "rb") as file:
            content = file.read()
        if name == "crates/sync/src/lib.rs":
            content += SWITCH.encode()
        for number, (what, file, before, planted, _) in enumerate(FAULTS):
            if file == name:
                places = content.count(before.encode())
                if places != 1:
                    sys.exit(f"{what}: {file} has {places} places for it in place of 1")
                content = content.replace(before.encode(), planted.replace("FAULT", f"levada_sync::fault({number})").encode())
        if os.path.exists(there):
            with open(there, "rb") as file:
                if file.read() == content:
                    continue
        os.makedirs(os.path.dirname(there), exist_ok=True)
        with open(there, "wb") as file:
            file.write(content)


@functools.cache
def program(checker, crate):
    """Builds the models of a crate of the copy; returns the program's path."""
    if checker == "simulate":
        env = {**os.environ, "RUSTFLAGS": "--cfg shuttle"}
        command = ["cargo", "build", "--profile", "model", "-p", "levada-simulate", "--target-dir", f"{TARGET}/shuttle"]
        build = subprocess.run(command, cwd=COPY, env=env, capture_output=True, text=True)
        if build.returncode != 0:
            sys.exit(f"the copy does not build:\n{build.stderr[-4000:]}")
        return f"{TARGET}/shuttle/model/levada-simulate"
    env = {**os.environ, "RUSTFLAGS": f"--cfg {checker}"}
    crate = "executor" if crate == "loops" else crate
    command = ["cargo", "test", "--profile", "model", "--lib", "-p", f"levada-{crate}", "--target-dir", f"{TARGET}/{checker}"]
    build = subprocess.run([*command, "--no-run"], cwd=COPY, env=env, capture_output=True, text=True)
    if build.returncode != 0:
        sys.exit(f"the copy does not build:\n{build.stderr[-4000:]}")
    return re.search(r"\((\S+)\)\s*$", build.stderr.strip()).group(1)


def look(checker, crate, fault):
    """None if all models of the crate pass; otherwise the first failure."""
    if checker == "simulate":
        return watch(checker, crate, fault, LIVES)
    models = ["--test-threads", "2", "--nocapture"]
    skipped = [word for model in SLOW for word in ("--skip", model)]
    if crate == "simulate":
        lives = ["--skip", "sessions_live", "--skip", "a_seed_gives"]
        return watch(checker, crate, fault, ["models::", *lives, *models])
    if checker == "shuttle" or crate != "executor":
        return watch(checker, crate, fault, ["models::", *models])
    return watch(checker, crate, fault, ["models::", *skipped, *models]) or watch(checker, crate, fault, [*SLOW, *models])


def watch(checker, crate, fault, arguments):
    """Runs some of the models until a failure is found."""
    env = {**os.environ, "RUST_BACKTRACE": "0", "LEVADA_FAULT": str(fault)}
    command = [program(checker, crate), *arguments]
    until = time.time() + LIMIT[checker]
    with tempfile.TemporaryFile() as output:
        run = subprocess.Popen(command, cwd=COPY, env=env, stdout=output, stderr=subprocess.STDOUT)

        def text():
            return os.pread(output.fileno(), 1 << 24, 0).decode(errors="replace")

        while run.poll() is None and time.time() < until and "panicked at" not in text():
            time.sleep(0.2)
        if run.poll() is None and "panicked at" in text():
            # Wait for the rest of its output.
            time.sleep(1)
        is_over = run.poll() is not None
        run.kill()
        code, said = run.wait(), text()
    if is_over and code == 0:
        return None
    if "panicked at" not in said and not is_over:
        return "loops forever"
    why = re.search(r"panicked at [^\n]*\n([^\n]*)", said)
    why = why.group(1).strip()[:80] if why else ""
    if seed := re.search(r"^seed (\d+) goes wrong", said, re.M):
        return f"seed {seed.group(1)}: {why}"
    failed = re.search(r"thread 'models::([\w:]+)'", said)
    return f"{failed.group(1) if failed else f'exit {code}'}: {why}"


def asked(checkers, crate):
    """The checkers that apply to this crate: loom has no iterations, and sessions have no models."""
    without = {"lives": ("loom", "shuttle"), "loops": ("loom",), "simulate": ("loom",)}
    return [checker for checker in checkers if checker not in without.get(crate, ())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="faults whose names, files or crates contain this")
    parser.add_argument("--checker", choices=["loom", "shuttle", "simulate"], help="asks this one only")
    parser.add_argument("--markdown", action="store_true", help="prints a table for docs/concurrency.md")
    options = parser.parse_args()
    checkers = [options.checker] if options.checker else ["loom", "shuttle", "simulate"]
    os.makedirs(COPY, exist_ok=True)
    copy()
    chosen = [(n, f) for n, f in enumerate(FAULTS) if any(options.only in text for text in (f[0], f[1], f[4]))]
    for checker, crate in sorted({(c, fault[4]) for _, fault in chosen for c in asked(checkers, fault[4])}):
        if wrong := look(checker, crate, len(FAULTS)):
            sys.exit(f"{checker} of {crate} without a fault: {wrong}")
    found = 0
    for number, (name, _, _, _, crate) in chosen:
        start = time.time()
        by, what = next(((c, w) for c in asked(checkers, crate) if (w := look(c, crate, number))), (None, ""))
        found += by is not None
        if options.markdown:
            print(f"| {name} | {by or 'not found'} | {what.split(': ', 1)[0]} |", flush=True)
        else:
            print(f"{by or 'NOT FOUND':9} {time.time() - start:5.1f} s  {name}: {what}", flush=True)
    print(f"{found} of {len(chosen)} found")
    return 0 if found == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
