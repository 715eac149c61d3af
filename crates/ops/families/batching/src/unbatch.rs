//! `Unbatch`, which splits the batches of `Batch`, and its gradient, which concatenates them again.

use super::batcher::slice;
use super::pending::Pending;
use super::{resource_of, timer};
use crate::prelude::*;
use crate::rows;
use crate::variable::container_here;
use levada_kernel::watch::{Need, Usage, Waitable, WaitableState};
use levada_kernel::{Arena, Wait};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Returns the rows of a batch's index: id, first row, end.
fn index_rows(index: &Tensor) -> Result<&[[i64; 3]]> {
    if index.shape().rank() != 2 || index.shape()[1] != 3 {
        return Err(Error::invalid(format!("batch_index must be a matrix of three columns, not {}", index.shape())));
    }
    Ok(index.slice::<i64>()?.as_chunks::<3>().0)
}

fn id_input(cx: &Cx<'_, '_>, i: usize) -> Result<i64> {
    let id = cx.input(i)?;
    if !id.shape().is_scalar() {
        return Err(Error::invalid(format!("Expected `id` to be scalar. Received a tensor of shape {}", id.shape())));
    }
    id.item::<i64>()
}

attrs! {
    /// Returns each run its own rows of a batch, whichever run holds the batch.
    pub struct Unbatch {
        /// How long a run waits for its rows, and rows wait for their run, in microseconds.
        timeout: i64 = Attr::int("timeout_micros"),
        /// Container of the state that the runs share; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name of the state within the container.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static UNBATCH: Def<Unbatch> = op("Unbatch")
    .inputs(&[arg("batched_tensor", of("T")), arg("batch_index", is(DType::I64)), arg("id", is(DType::I64))])
    .outputs(&[arg("unbatched_tensor", of("T"))])
    .stateful()
    .kernel(unbatch);

fn unbatch(op: &Unbatch, cx: &mut Cx<'_, '_>) -> Result<()> {
    let name = resource_of(cx, &op.shared_name);
    let meeting =
        cx.env()
            .resources
            .get_or_create::<Arc<Meeting>>(&container_here(&op.container, cx), &name, || Ok(Arc::default()))?;
    let (data, own) = (cx.input(0)?.clone(), id_input(cx, 2)?);
    let Some(&rows) = data.shape().first() else {
        return Err(Error::invalid("input must have at least one dimension"));
    };
    let index = index_rows(cx.input(1)?)?.to_vec();
    let fits = |&[_, from, to]: &[i64; 3]| 0 <= from && from <= to && to as u64 <= rows as u64;
    if let Some(row) = index.iter().find(|row| !fits(row)) {
        return Err(Error::invalid(format!("batch_index has {row:?}, but the batch has {rows} rows")));
    }
    let part =
        |&[id, from, to]: &[i64; 3]| Ok((id, slice(&data, from as usize, (to - from) as usize, &cx.device.arena)?));
    let parts: Vec<(i64, Tensor)> = index.iter().map(part).collect::<Result<_>>()?;
    let until = Instant::now() + Duration::from_micros(u64::try_from(op.timeout).unwrap_or(0));
    let mut found = Vec::new();
    let mut late = Vec::new();
    let mut mine = None;
    let mut waiting = meeting.lock();
    for (id, rows) in parts {
        if id == own {
            mine = Some(rows);
            continue;
        }
        late.push(id);
        match waiting.insert(id, Half::Rows(rows.clone())) {
            Some(Half::Run(run)) => {
                waiting.remove(&id);
                found.push((run, rows));
            }
            Some(Half::Rows(_)) => {
                return Err(Error::already_exists("Tensor already present for a key of the batch"));
            }
            None => {}
        }
    }
    if mine.is_none() && matches!(waiting.get(&own), Some(Half::Rows(_))) {
        let half = waiting.remove(&own);
        mine = half.and_then(|half| if let Half::Rows(rows) = half { Some(rows) } else { None });
    }
    match mine {
        Some(rows) => {
            drop(waiting);
            cx.set(0, rows);
        }
        None => {
            if waiting.contains_key(&own) {
                return Err(Error::already_exists("Multiple session runs with the same batch key."));
            }
            let done = Pending::of(cx);
            waiting.insert(own, Half::Run(done));
            drop(waiting);
            late.push(own);
        }
    }
    for (run, rows) in found {
        run.finish(Ok(vec![rows]));
    }
    if !late.is_empty() {
        let meeting = Arc::downgrade(&meeting);
        timer::at(until, move || {
            let Some(meeting) = meeting.upgrade() else { return };
            for id in late {
                let half = meeting.lock().remove(&id);
                if let Some(Half::Run(run)) = half {
                    run.finish(Err(Error::deadline_exceeded("Batched data did not arrive within timeout window.")));
                }
            }
        });
    }
    Ok(())
}

/// Rows waiting for their run, or runs waiting for their rows, by id.
type Meeting = Mutex<HashMap<i64, Half>>;

enum Half {
    Rows(Tensor),
    Run(Arc<Pending>),
}

attrs! {
    /// Concatenates the gradients of the rows that [`Unbatch`] returned to several runs; the run that held the batch
    /// receives them.
    pub struct UnbatchGrad {
        /// Container of the state that the runs share; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name of the state within the container.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static UNBATCH_GRAD: Def<UnbatchGrad> = op("UnbatchGrad")
    .inputs(&[
        arg("original_input", of("T")),
        arg("batch_index", is(DType::I64)),
        arg("grad", of("T")),
        arg("id", is(DType::I64)),
    ])
    .outputs(&[arg("batched_grad", of("T"))])
    .stateful()
    .kernel(unbatch_grad);

fn unbatch_grad(op: &UnbatchGrad, cx: &mut Cx<'_, '_>) -> Result<()> {
    let name = resource_of(cx, &op.shared_name);
    let resources = &cx.env().resources;
    let make = || Ok(Grads { name: name.to_string(), gradients: Mutex::default() });
    let shared = resources.get_or_create::<Grads>(&container_here(&op.container, cx), &name, make)?;
    let (own, grad, arena) = (id_input(cx, 3)?, cx.input(2)?.clone(), cx.device.arena.clone());
    let has_batch = cx.input(0)?.num_elements() > 0;
    if has_batch && cx.input(1)?.num_elements() == 0 {
        return Err(Error::invalid("batch_index is empty while the tensor isn't."));
    }
    let ids: Vec<i64> = match has_batch {
        true => index_rows(cx.input(1)?)?.iter().map(|row| row[0]).collect(),
        false => Vec::new(),
    };
    if !has_batch {
        let Some(_) = grad.shape().first() else {
            return Err(Error::invalid("grad must have at least one dimension"));
        };
        cx.set(0, slice(&grad, 0, 0, &arena)?);
    }
    let mut all = shared.gradients.lock();
    if all.there.contains_key(&own) {
        return Err(Error::invalid("Two runs with the same batch key."));
    }
    all.there.insert(own, grad);
    if has_batch {
        let missing: HashSet<i64> = ids.iter().copied().filter(|id| !all.there.contains_key(id)).collect();
        if missing.is_empty() {
            let whole = all.take(&ids, op.dtype, &arena);
            drop(all);
            cx.set(0, whole?);
            return Ok(());
        }
        if all.wholes.contains_key(&own) {
            return Err(Error::invalid("Batch key with valid batch used twice."));
        }
        if missing.iter().any(|id| all.wanted.contains_key(id)) {
            return Err(Error::invalid("Missing tensor wanted by more than one batch."));
        }
        all.wanted.extend(missing.iter().map(|&id| (id, own)));
        let done = Pending::at(cx, Wait::On(shared.clone(), own as u64));
        all.wholes.insert(own, Whole { missing, ids, dtype: op.dtype, arena, done });
    }
    // Check whether a batch is waiting for this gradient.
    let Some(by) = all.wanted.remove(&own) else { return Ok(()) };
    let complete = all.wholes.get_mut(&by).is_some_and(|whole| {
        whole.missing.remove(&own);
        whole.missing.is_empty()
    });
    if complete && let Some(whole) = all.wholes.remove(&by) {
        let outputs = all.take(&whole.ids, whole.dtype, &whole.arena).map(|t| vec![t]);
        drop(all);
        whole.done.finish(outputs);
    }
    Ok(())
}

/// A run that held a batch, and the gradients it is still missing.
struct Whole {
    missing: HashSet<i64>,
    ids: Vec<i64>,
    dtype: DType,
    arena: Arc<Arena>,
    done: Arc<Pending>,
}

/// The gradients, shared between runs.
struct Grads {
    name: String,
    gradients: Mutex<Gradients>,
}

impl Waitable for Grads {
    fn state(&self) -> WaitableState {
        WaitableState {
            kind: "UnbatchGrad",
            name: self.name.clone(),
            size: self.gradients.lock().there.len(),
            capacity: None,
            closed: false,
            min_after_dequeue: 0,
            incomplete: 0,
        }
    }

    fn need(&self, waiter: u64) -> Option<Need> {
        let all = self.gradients.lock();
        let whole = all.wholes.get(&(waiter as i64)).filter(|whole| whole.done.waits())?;
        let (elements, so_far) = (whole.ids.len(), whole.ids.len() - whole.missing.len());
        Some(Need { act: Act::Take, elements, so_far, key: None, turn: false })
    }

    fn obstacle(&self, waiter: u64) -> Option<String> {
        /// Maximum number of ids to list.
        const NAMED: usize = 4;
        let all = self.gradients.lock();
        let whole = all.wholes.get(&(waiter as i64))?;
        let mut ids: Vec<i64> = whole.missing.iter().copied().collect();
        ids.sort_unstable();
        let more = ids.len().saturating_sub(NAMED);
        let named = ids.iter().take(NAMED).map(i64::to_string).collect::<Vec<_>>().join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Some(format!("the runs of the batch with the ids {named}{more} have not given their gradients"))
    }

    fn usage(&self) -> Option<Usage> {
        None
    }
}

#[derive(Default)]
struct Gradients {
    /// Gradients that have arrived, by id.
    there: HashMap<i64, Tensor>,
    /// Waiting runs, by their own id.
    wholes: HashMap<i64, Whole>,
    /// For each missing gradient, the id of the run that waits for it.
    wanted: HashMap<i64, i64>,
}

impl Gradients {
    /// Removes the gradients with these ids and concatenates them.
    fn take(&mut self, ids: &[i64], dtype: DType, arena: &Arc<Arena>) -> Result<Tensor> {
        let gone = || Error::invalid("a gradient of the batch is missing");
        let parts: Vec<Tensor> = ids.iter().map(|id| self.there.remove(id).ok_or_else(gone)).collect::<Result<_>>()?;
        let rows = parts.iter().map(|t| t.shape().first().copied().unwrap_or(1)).sum();
        let row = parts.first().map(|t| t.shape().iter().skip(1).copied().collect::<Vec<_>>()).unwrap_or_default();
        rows::join(arena, dtype, Shape::new(std::iter::once(rows).chain(row))?, parts.iter())
    }
}
