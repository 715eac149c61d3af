//! Holds back nodes that use state until the session's [`Chooser`] admits them.

use crate::activation::{Ready, Task};
use crate::frames::line_of_iteration;
use crate::holds::Hold;
use crate::schedule::Work;
use crate::step::Step;
use levada_graph::Error;
use levada_kernel::observe::{Admission, Turn, instance};
use levada_kernel::{Chooser, Entry, NodeMeta, Uses};
use levada_sync::Mutex;
use std::sync::Arc;
use std::sync::mpsc;

/// Shows that a node was admitted; dropped once its kernel has returned.
pub(crate) struct Pass<'a> {
    pub(crate) chooser: &'a dyn Chooser,
    pub(crate) number: u64,
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.chooser.left(self.number);
    }
}

impl Step {
    /// A number for a node in its iteration that is the same in every session that does the same.
    pub(crate) fn instance(&self, task: &Task) -> u64 {
        instance(self.cx.line, &self.plan.meta(task.node).name, line_of_iteration(&task.act))
    }

    /// Whether a node that uses state may run.
    pub(crate) fn admit(&self, chooser: &Arc<dyn Chooser>, task: &Task, inputs: &[Entry]) -> Admission {
        let names = &self.plan.names[task.node as usize];
        let (uses, instance) = (names.nature.uses, self.instance(task));
        chooser.admit(&Turn { node: &names.meta, uses, inputs, instance, step: &self.cx })
    }

    /// Puts a node aside until it may ask again, or the step is cancelled. `hold` is that of the thread's list.
    pub(crate) fn hold_back(self: &Arc<Self>, ready: Ready, hold: &Hold, ticket: u64) {
        let Some(chooser) = &self.cx.env.chooser else { return };
        self.put_aside(chooser, ticket, Work::Nodes(vec![ready], self.work.holds.another(hold)));
    }

    /// Ends the step with the error of a node, once it is that node's turn.
    pub(crate) fn fail_in_turn(self: &Arc<Self>, error: Error, hold: &Hold) {
        match &self.cx.env.chooser {
            Some(chooser) if !self.is_part && !self.outcome.is_aborted() => match chooser.fails(self.cx.id, &error) {
                Admission::Later(ticket) => {
                    let work = Work::Failed(Box::new(error), self.work.holds.another(hold));
                    self.put_aside(chooser, ticket, work);
                }
                Admission::Free | Admission::Now(_) => self.fail(error),
            },
            _ => self.fail(error),
        }
    }

    fn put_aside(self: &Arc<Self>, chooser: &Arc<dyn Chooser>, ticket: u64, work: Work) {
        let (step, taken) = (self.clone(), Arc::new(Mutex::new(Some(work))));
        let resume = move || {
            let held = taken.lock().take();
            if let Some(work) = held {
                step.cx.resources.wake();
                step.shared().push(work);
                step.call_helper();
            }
        };
        let on_cancel = resume.clone();
        let listening = self.cx.cancel.on_cancel(move |_| on_cancel());
        let again = move || {
            resume();
            drop(listening);
        };
        chooser.wait(ticket, Box::new(again));
    }

    /// Reports to the chooser that the run ends here, for a reason outside its nodes.
    pub(crate) fn cut(&self, reason: &Error) {
        if let (Some(chooser), false) = (&self.cx.env.chooser, self.is_part) {
            chooser.cut(self.cx.id, reason);
        }
    }

    /// If variables are fetched by reference, waits until it is the turn to read them, and reads them.
    pub(crate) fn read_in_turn(&self, slots: &mut [Entry]) {
        let Some(chooser) = &self.cx.env.chooser else { return };
        if !slots.iter().any(|slot| matches!(slot, Entry::Ref(_))) {
            return;
        }
        let node = NodeMeta {
            name: "fetches".into(),
            op: "Retval",
            device: "".into(),
            outputs: [].into(),
            used: None,
            in_loop: false,
        };
        let instance = instance(self.cx.line, &node.name, 0);
        let number = loop {
            match chooser.admit(&Turn { node: &node, uses: Uses::Inputs, inputs: slots, instance, step: &self.cx }) {
                Admission::Free => break None,
                Admission::Now(number) => break Some(number),
                Admission::Later(ticket) => {
                    let (send, receive) = mpsc::channel();
                    // A receiver that is gone needs nothing, and what holds this one back is another run, which
                    // continues.
                    let tell = move || send.send(()).unwrap_or_default();
                    chooser.wait(ticket, Box::new(tell));
                    receive.recv().unwrap_or_default();
                }
            }
        };
        let _pass = number.map(|number| Pass { chooser: &**chooser, number });
        for slot in slots {
            if let Entry::Ref(cell) = slot {
                let value = cell.value.read().clone();
                if let Some(value) = value {
                    *slot = Entry::Value(value);
                }
            }
        }
    }
}
