#!/usr/bin/env python3
"""Plants faults in a copy of the code, switches on one after the other, and says which check finds each.

    .ci/faults.py [--only WORDS] [--checker loom|shuttle|simulate] [--markdown]

A fault is a piece of a file and what stands there instead; all are in one copy, which is built once for each checker. Loom is
asked first; what it does not find, shuttle is asked. The simulation of sessions is asked on request, and looks for the faults of
all crates. Without a fault the copy must hold.
"""

import argparse
import functools
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.abspath(os.environ.get("LEVADA_MODEL_TARGET", os.path.join(ROOT, "target/models")))
COPY = os.path.join(TARGET, "copy")
# Seconds for the models of a crate: where a fault makes them go round for ever, it is found.
LIMIT = 120
# What the simulation looks at.
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
ACTIVITY = "crates/stall/src/activity.rs"
LISTING = "crates/stall/src/listing.rs"
MONITOR = "crates/ops/families/queues/src/monitor.rs"

# What it is, where, what stands there, and what is planted, with FAULT where the fault is switched on; whose models look.
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
     """        let deferral = parker.deferral;
        clear(inputs);""",
     """        let deferral = parker.deferral;
        if !FAULT {
            clear(inputs);
        }""", "executor"),
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
]

# What the copy asks whether a fault is switched on.
SWITCH = """
/// True where the fault of this number is switched on.
pub fn fault(number: usize) -> bool {
    static ON: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();
    *ON.get_or_init(|| std::env::var("LEVADA_FAULT").ok()?.parse().ok()) == Some(number)
}
"""


def copy():
    """Brings the copy up to date and plants the faults. What has not changed keeps its time, so that little is built."""
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
    """The models of a crate of the copy, built."""
    if checker == "simulate":
        env = {**os.environ, "RUSTFLAGS": "--cfg shuttle"}
        command = ["cargo", "build", "--profile", "model", "-p", "levada-simulate", "--target-dir", f"{TARGET}/shuttle"]
        build = subprocess.run(command, cwd=COPY, env=env, capture_output=True, text=True)
        if build.returncode != 0:
            sys.exit(f"the copy does not build:\n{build.stderr[-4000:]}")
        return f"{TARGET}/shuttle/model/levada-simulate"
    env = {**os.environ, "RUSTFLAGS": f"--cfg {checker}"}
    command = ["cargo", "test", "--profile", "model", "--lib", "-p", f"levada-{crate}", "--target-dir", f"{TARGET}/{checker}"]
    build = subprocess.run([*command, "--no-run"], cwd=COPY, env=env, capture_output=True, text=True)
    if build.returncode != 0:
        sys.exit(f"the copy does not build:\n{build.stderr[-4000:]}")
    return re.search(r"\((\S+)\)\s*$", build.stderr.strip()).group(1)


def look(checker, crate, fault):
    """None where all models of the crate hold; else what was found."""
    env = {**os.environ, "RUST_BACKTRACE": "0", "LEVADA_FAULT": str(fault)}
    try:
        command = [program(checker, crate), *(LIVES if checker == "simulate" else ["models::", "--test-threads", "2"])]
        run = subprocess.run(command, cwd=COPY, env=env, capture_output=True, text=True, timeout=LIMIT, errors="replace")
    except subprocess.TimeoutExpired:
        return "goes round for ever"
    if run.returncode == 0:
        return None
    said = run.stdout + run.stderr
    if seed := re.search(r"^seed (\d+) goes wrong", said, re.M):
        why = re.search(r"panicked at [^\n]*\n([^\n]*)", said)
        return f"seed {seed.group(1)}: {why.group(1).strip()[:80] if why else ''}"
    failed = re.search(r"^test models::(\w+) \.\.\. FAILED", said, re.M) or re.search(r"thread 'models::(\w+)'", said)
    why = re.search(r"panicked at [^\n]*\n([^\n]*)", said)
    name = failed.group(1) if failed else f"exit {run.returncode}"
    return f"{name}: {why.group(1).strip()[:80]}" if why else name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="faults whose names, files or crates contain this")
    parser.add_argument("--checker", choices=["loom", "shuttle", "simulate"], help="asks this one only")
    parser.add_argument("--markdown", action="store_true", help="prints a table for docs/concurrency.md")
    options = parser.parse_args()
    checkers = [options.checker] if options.checker else ["loom", "shuttle"]
    os.makedirs(COPY, exist_ok=True)
    copy()
    chosen = [(n, f) for n, f in enumerate(FAULTS) if any(options.only in text for text in (f[0], f[1], f[4]))]
    for crate in sorted({fault[4] for _, fault in chosen}):
        wrong = look(checkers[0], crate, len(FAULTS))
        if wrong:
            sys.exit(f"{crate} without a fault: {wrong}")
    found = 0
    for number, (name, _, _, _, crate) in chosen:
        start = time.time()
        by, what = next(((c, w) for c in checkers if (w := look(c, crate, number))), (None, ""))
        found += by is not None
        if options.markdown:
            print(f"| {name} | {by or 'not found'} | {what.split(':')[0]} |", flush=True)
        else:
            print(f"{by or 'NOT FOUND':9} {time.time() - start:5.1f} s  {name}: {what}", flush=True)
    print(f"{found} of {len(chosen)} found")
    return 0 if found == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
