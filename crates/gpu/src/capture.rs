//! Regions whose work is recorded while it is done, and then replayed without running their nodes.
//!
//! The work that the kernels of a region queue on the backend depends only on dtypes and shapes, on the elements of
//! inputs on the host and on the memory of variables. So a region that runs for the second time with the same values of
//! these records its commands, and from then on only those are queued. A recording has memory of its own: inputs are
//! copied into it, and outputs out of it. Variables stay where they are; if one has moved, or a tensor read from it is
//! still held while the region would change it in place, the region's nodes run as if nothing had been recorded.
//!
//! While a recording is queued the region's variables are locked, so that all its changes to them take effect
//! atomically.

use crate::backend::{Block, Piece, Recorded};
use crate::commands::{Command, logged};
use crate::copies::{Copies, Copying};
use crate::device::Gpu;
use crate::memory::{Arena, Holder, block_address};
use levada_graph::{DType, Handle, Result, Shape, Tensor};
use levada_kernel::io::Variable;
use levada_kernel::{AnyKernel, Cost, Entry, Io, Region, StepCx};
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Maximum number of recordings of a region: those of the latest shapes.
const MOST_CASES: usize = 4;
/// Maximum number of bytes of an input on the host that are compared.
const MOST_BYTES: usize = 4096;
/// A case is abandoned after this many useless recordings.
const MOST_FAILURES: u32 = 8;
/// This many replays reset the count of failures.
const FORGIVEN_AFTER: u32 = 64;
/// How long to wait for another step that uses the same recording.
const PATIENCE: Duration = Duration::from_micros(100);

/// How often regions were recorded and replayed on a device. For tests and reports.
#[derive(Default, Debug)]
pub struct Captures {
    /// Recordings that were made.
    pub recorded: AtomicUsize,
    /// Recordings that the backend can queue as a whole rather than command by command.
    pub instantiated: AtomicUsize,
    /// Regions that were replayed from a recording.
    pub replayed: AtomicUsize,
    /// Regions whose nodes ran.
    pub ran: AtomicUsize,
}

type Outputs = SmallVec<[Entry; 4]>;
type Inputs = SmallVec<[Entry; 8]>;

/// A region of a graphics processor.
pub(crate) struct Captured {
    region: Region,
    gpu: Arc<Gpu>,
    owner: Arc<str>,
    cases: Arc<Cases>,
    /// True once it has been reported that the backend cannot record it.
    told: AtomicBool,
}

/// Earlier cases, the latest first. The lock protects the list.
#[derive(Default)]
struct Cases(Mutex<Vec<Arc<Case>>>);

/// Inputs that agree in what a recording depends on.
struct Case {
    given: Vec<InputGuard>,
    /// Held while a thread records or replays.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    has_run: bool,
    failures: u32,
    repeated: u32,
    recording: Option<Recording>,
}

/// What must be the same about an input.
enum InputGuard {
    /// A tensor on the device.
    Device(DType, Shape),
    /// A tensor on the host.
    Host(Tensor),
    /// A resource.
    Resource(Weak<dyn Any + Send + Sync>),
}

/// Recorded work.
struct Recording {
    /// Its memory, besides that of variables and constants.
    _arena: Arc<Arena>,
    commands: Vec<Command>,
    recorded: Option<Arc<dyn Recorded>>,
    /// Inputs that are copied in: index, destination and number of bytes.
    inputs: Vec<(usize, Arc<dyn Block>, usize)>,
    outputs: Vec<Out>,
    variables: Vec<Used>,
    /// Tensors that do not change.
    _constants: Vec<Tensor>,
}

/// An output.
enum Out {
    /// Copied from this location.
    Device(TensorView),
    /// Always the same tensor.
    Host(Tensor),
}

/// A variable that a recording uses.
struct Used {
    /// The input with its handle.
    input: usize,
    view: TensorView,
    /// True if it is changed in place.
    is_written: bool,
    /// Where its value ends up, if not in its original location.
    back: Option<TensorView>,
}

/// The location of a tensor, without keeping the tensor shared.
struct TensorView {
    block: Arc<dyn Block>,
    first: usize,
    dtype: DType,
    shape: Shape,
}

impl TensorView {
    fn of(gpu: &Gpu, value: &Tensor) -> Option<TensorView> {
        let Piece { block, first } = gpu.piece(value).ok()?;
        Some(TensorView { block, first, dtype: value.dtype(), shape: value.shape().clone() })
    }

    /// The copy from here to a tensor.
    fn copy_to(&self, gpu: &Gpu, to: &Tensor) -> Result<Copying> {
        let (size, target) = (gpu.element_size(to), gpu.piece(to)?);
        Ok(Copying {
            from: self.block.clone(),
            from_at: self.first * size,
            to: target.block,
            to_at: target.first * size,
            len: gpu.bytes(to),
        })
    }

    fn is_of(&self, gpu: &Gpu, value: &Tensor) -> bool {
        value.dtype() == self.dtype
            && *value.shape() == self.shape
            && gpu.piece(value).is_ok_and(|p| p.first == self.first && Arc::ptr_eq(&p.block, &self.block))
    }
}

impl InputGuard {
    /// `None` if it cannot be determined whether another input is the same.
    fn of(entry: &Entry) -> Option<InputGuard> {
        let tensor = entry.tensor()?;
        if tensor.device_memory().is_some() {
            return Some(InputGuard::Device(tensor.dtype(), tensor.shape().clone()));
        }
        if tensor.dtype() == DType::Resource {
            return object(tensor).map(|o| InputGuard::Resource(Arc::downgrade(o)));
        }
        let bytes = tensor.bytes().filter(|_| tensor.dtype().is_plain())?;
        (bytes.len() <= MOST_BYTES).then(|| InputGuard::Host(tensor.clone()))
    }

    fn accepts(&self, entry: &Entry) -> bool {
        let Some(tensor) = entry.tensor() else { return false };
        match self {
            InputGuard::Device(dtype, shape) => {
                tensor.device_memory().is_some() && tensor.dtype() == *dtype && tensor.shape() == shape
            }
            InputGuard::Host(known) => {
                tensor.device_memory().is_none()
                    && tensor.dtype() == known.dtype()
                    && tensor.shape() == known.shape()
                    && tensor.bytes().is_some()
                    && tensor.bytes() == known.bytes()
            }
            InputGuard::Resource(known) => {
                let same = |o: &Arc<dyn Any + Send + Sync>| std::ptr::addr_eq(Arc::as_ptr(o), known.as_ptr());
                tensor.dtype() == DType::Resource && object(tensor).is_some_and(same)
            }
        }
    }
}

/// The object that the only handle in a tensor refers to.
fn object(tensor: &Tensor) -> Option<&Arc<dyn Any + Send + Sync>> {
    match tensor.slice::<Handle>().ok()? {
        [handle] => handle.object.as_ref(),
        _ => None,
    }
}

fn variable(entry: &Entry) -> Option<Arc<Variable>> {
    object(entry.tensor()?)?.clone().downcast().ok()
}

impl Holder for Cases {
    fn give_back(&self) {
        // A thread that holds a lock is about to use what it protects.
        let Some(cases) = self.0.try_lock() else { return };
        for case in &*cases {
            if let Some(mut state) = case.state.try_lock() {
                state.recording = None;
            }
        }
    }
}

impl Captured {
    pub(crate) fn new(region: Region, gpu: &Arc<Gpu>) -> Captured {
        let first = region.members.first().map(|m| m.meta.name.clone()).unwrap_or_default();
        let cases: Arc<Cases> = Arc::default();
        let holder: Arc<dyn Holder> = cases.clone();
        gpu.pool.enlist(Arc::downgrade(&holder));
        Captured {
            owner: format!("the recording of {first} and {} more", region.members.len().saturating_sub(1)).into(),
            region,
            gpu: gpu.clone(),
            cases,
            told: AtomicBool::new(false),
        }
    }

    /// The case of these inputs; `None` if they have none.
    fn case(&self, inputs: &Inputs) -> Option<Arc<Case>> {
        let mut cases = self.cases.0.lock();
        let fits = |case: &Arc<Case>| {
            case.given.len() == inputs.len() && case.given.iter().zip(inputs).all(|(given, entry)| given.accepts(entry))
        };
        if let Some(at) = cases.iter().position(fits) {
            cases[..=at].rotate_right(1);
            return cases.first().cloned();
        }
        let given: Option<Vec<InputGuard>> = inputs.iter().map(InputGuard::of).collect();
        let case = Arc::new(Case { given: given?, state: Mutex::default() });
        cases.truncate(MOST_CASES - 1);
        cases.insert(0, case.clone());
        Some(case)
    }

    fn run(&self, cx: &StepCx, iteration: u64, inputs: Inputs) -> Result<Outputs> {
        self.gpu.captures.ran.fetch_add(1, Ordering::Relaxed);
        self.region.run(cx, iteration, inputs, |_, _| ())
    }

    fn outputs(&self, cx: &StepCx, iteration: u64, inputs: Inputs) -> Result<Outputs> {
        let Some(case) = self.case(&inputs) else { return self.run(cx, iteration, inputs) };
        let Some(mut state) = case.state.try_lock_for(PATIENCE) else { return self.run(cx, iteration, inputs) };
        if !state.has_run || state.failures >= MOST_FAILURES {
            state.has_run = true;
            drop(state);
            return self.run(cx, iteration, inputs);
        }
        if let Some(recording) = &state.recording {
            cx.check()?;
            match self.replay(recording, &inputs) {
                Ok(Some(outputs)) => {
                    self.gpu.captures.replayed.fetch_add(1, Ordering::Relaxed);
                    state.repeated += 1;
                    if state.repeated.is_multiple_of(FORGIVEN_AFTER) {
                        state.failures = 0;
                    }
                    return Ok(outputs);
                }
                Ok(None) => {
                    // The outputs of a recording are not shared, so that recordings of other regions can be used.
                    state.failures += 1;
                    state.recording = None;
                }
                Err(error) => {
                    state.recording = None;
                    return Err(error);
                }
            }
        }
        if state.failures >= MOST_FAILURES || !self.has_room(&inputs) {
            drop(state);
            return self.run(cx, iteration, inputs);
        }
        let (outputs, recording) = self.record(cx, iteration, inputs)?;

        match recording {
            Some(recording) => {
                self.gpu.captures.recorded.fetch_add(1, Ordering::Relaxed);
                state.recording = Some(recording);
            }
            None => state.failures += 1,
        }
        Ok(outputs)
    }

    /// True if a recording will not take memory that others need: it must not make a step fail.
    fn has_room(&self, inputs: &Inputs) -> bool {
        let limit = self.gpu.pool.limit();
        let copies: usize = inputs.iter().filter_map(Entry::tensor).map(|t| self.gpu.bytes(t)).sum();
        let (_, peak) = self.gpu.pool.used();
        limit == usize::MAX || peak.saturating_add(copies).saturating_add(limit / 10) <= limit
    }

    /// Runs the region's nodes, and keeps the calls to the backend if they can be repeated.
    fn record(&self, cx: &StepCx, iteration: u64, inputs: Inputs) -> Result<(Outputs, Option<Recording>)> {
        let gpu = &self.gpu;
        let plain = |inputs| Ok((self.run(cx, iteration, inputs)?, None));
        let mut cells: Vec<(usize, Arc<Variable>, TensorView)> = Vec::new();
        for (i, entry) in inputs.iter().enumerate() {
            let Some(tensor) = entry.tensor() else { return plain(inputs) };
            if tensor.dtype() != DType::Resource || tensor.device_memory().is_some() {
                continue;
            }
            let Some(cell) = variable(entry) else { return plain(inputs) };
            if cells.iter().any(|(_, known, _)| Arc::ptr_eq(known, &cell)) {
                continue;
            }
            let view = cell.value.read().as_ref().and_then(|value| TensorView::of(gpu, value));
            let Some(view) = view else { return plain(inputs) };
            cells.push((i, cell, view));
        }
        let arena = Arena::new(&gpu.pool, &self.owner);
        let mut given = Inputs::new();
        let mut copied = Vec::new();
        for (i, entry) in inputs.iter().enumerate() {
            let tensor = entry.tensor().filter(|t| t.device_memory().is_some());
            given.push(match tensor {
                None => entry.clone(),
                Some(tensor) => {
                    let _in = arena.enter();
                    let Ok(own) = gpu.duplicate(&self.owner, tensor) else { return plain(inputs) };
                    copied.push((i, gpu.piece(&own)?.block, gpu.bytes(&own)));
                    Entry::Value(own)
                }
            });
        }
        drop(inputs);
        let mut constants: Vec<Tensor> =
            self.region.constants.iter().filter(|t| t.device_memory().is_some()).cloned().collect();
        let knows_resources = self.region.constants.iter().all(|t| t.dtype() != DType::Resource);
        let (result, log) = logged(|| {
            let _in = arena.enter();
            self.gpu.captures.ran.fetch_add(1, Ordering::Relaxed);
            self.region.run(cx, iteration, given, |member, outputs| {
                // An output that depends neither on inputs nor on state is kept by its kernel.
                if member.inputs.is_empty() {
                    constants.extend(
                        outputs.iter().filter_map(Entry::tensor).filter(|t| t.device_memory().is_some()).cloned(),
                    );
                }
            })
        });
        // Neither outputs nor variables may stay in the recording's memory, whatever becomes of it.
        let outside = |entry: Entry| -> (Entry, Option<Out>) {
            let Some(tensor) = entry.tensor() else { return (entry, None) };
            if tensor.device_memory().is_none() {
                let out = tensor.dtype().is_plain().then(|| Out::Host(tensor.clone()));
                return (entry, out);
            }
            match (TensorView::of(gpu, tensor), gpu.duplicate(&self.owner, tensor)) {
                (Some(view), Ok(copy)) => (Entry::Value(copy), Some(Out::Device(view))),
                _ => (entry, None),
            }
        };
        let made = result.map(|outputs| outputs.into_iter().map(outside).unzip::<_, _, Outputs, Vec<Option<Out>>>());
        let mut is_useful = knows_resources && !log.is_broken;
        let mut variables = Vec::new();
        // Variables that were moved, by their former location.
        let mut moved: HashMap<usize, Arc<dyn Block>> = HashMap::new();
        for (input, cell, view) in cells {
            match self.settle(&cell, &view, &arena) {
                Some(back) => {
                    let (back, now) = back.unzip();
                    moved.extend(now.map(|now| (block_address(&view.block), now)));
                    variables.push(Used { input, view, is_written: false, back });
                }
                None => is_useful = false,
            }
        }
        let (outputs, outs) = made?;
        let outs: Option<Vec<Out>> = outs.into_iter().collect();
        let Some(mut outs) = outs.filter(|_| is_useful) else { return Ok((outputs, None)) };
        constants.extend(log.kept);
        constants.retain(|t| gpu.piece(t).is_ok_and(|p| !arena.has(&p.block)));
        // Memory that is written again must not be held by anything else.
        if arena.live() > 0 || !self.is_known(&log.commands, &outs, &arena, &constants, &mut variables) {
            return Ok((outputs, None));
        }
        let mut commands = log.commands;
        if !moved.is_empty() {
            commands.iter_mut().for_each(|command| command.rename(&moved));
            let outs = outs.iter_mut().filter_map(|o| if let Out::Device(view) = o { Some(view) } else { None });
            for view in outs.chain(variables.iter_mut().map(|v| &mut v.view)) {
                if let Some(now) = moved.get(&block_address(&view.block)) {
                    view.block = now.clone();
                }
            }
        }
        let recorded = match gpu.backend.record(&commands) {
            None => None,
            Some(Ok(recorded)) => {
                gpu.captures.instantiated.fetch_add(1, Ordering::Relaxed);
                Some(recorded)
            }
            Some(Err(error)) => {
                if !self.told.swap(true, Ordering::Relaxed) {
                    let text =
                        format!("{} cannot be captured and is queued piece by piece: {}", self.owner, error.message());
                    (cx.env.log)(&text);
                }
                None
            }
        };
        let recording = Recording {
            _arena: arena,
            commands: if recorded.is_some() { Vec::new() } else { commands },
            recorded,
            inputs: copied,
            outputs: outs,
            variables,
            _constants: constants,
        };
        Ok((outputs, Some(recording)))
    }

    /// Makes sure that a variable is not in the memory of a recording. If it was, returns its location there and the
    /// block it has been moved to, which replaces the former one. The outer `None` means that this cannot be used, or
    /// that the variable was changed elsewhere meanwhile.
    fn settle(
        &self,
        cell: &Variable,
        view: &TensorView,
        arena: &Arc<Arena>,
    ) -> Option<Option<(TensorView, Arc<dyn Block>)>> {
        let gpu = &self.gpu;
        let mut value = cell.value.write();
        let now = value.as_mut()?;
        if view.is_of(gpu, now) {
            return Some(None);
        }
        let inner = TensorView::of(gpu, now).filter(|inner| arena.has(&inner.block))?;
        *now = gpu.duplicate(&self.owner, now).ok()?;
        let outer = gpu.piece(now).ok()?;
        let is_same = inner.dtype == view.dtype && inner.shape == view.shape && [view.first, outer.first] == [0, 0];
        is_same.then_some(Some((inner, outer.block)))
    }

    /// True if commands only use memory of the recording, of its variables and of constants, each separate from the
    /// others. Determines which variables are written.
    fn is_known(
        &self,
        commands: &[Command],
        outputs: &[Out],
        arena: &Arena,
        constants: &[Tensor],
        variables: &mut [Used],
    ) -> bool {
        let mut of: HashMap<usize, usize> = HashMap::new();
        // Variables that share a value, as after the same initializer: they are one until one of them is changed.
        let mut shared = Vec::new();
        for (i, variable) in variables.iter().enumerate() {
            let first = *of.entry(block_address(&variable.view.block)).or_insert(i);
            if first != i {
                shared.extend([first, i]);
            }
        }
        let constants: Vec<Arc<dyn Block>> =
            constants.iter().filter_map(|t| self.gpu.piece(t).ok()).map(|p| p.block).collect();
        let fixed: HashSet<usize> = constants.iter().map(block_address).collect();
        if of.keys().any(|variable| fixed.contains(variable)) {
            return false;
        }
        let mut is_known = outputs.iter().all(|out| match out {
            Out::Device(p) => {
                of.contains_key(&block_address(&p.block))
                    || arena.has(&p.block)
                    || fixed.contains(&block_address(&p.block))
            }
            Out::Host(_) => true,
        });
        for command in commands {
            command.each_use(|block, writes| match of.get(&block_address(block)) {
                Some(&variable) => variables[variable].is_written |= writes,
                None if arena.has(block) => {}
                None => is_known &= !writes && fixed.contains(&block_address(block)),
            });
        }
        is_known && shared.iter().all(|&i| !variables[i].is_written && variables[i].back.is_none())
    }

    /// Replays a recording; `None` if it differs from what the nodes would do now.
    fn replay(&self, recording: &Recording, inputs: &Inputs) -> Result<Option<Outputs>> {
        let gpu = &self.gpu;
        let cells: Option<SmallVec<[Arc<Variable>; 16]>> =
            recording.variables.iter().map(|v| variable(&inputs[v.input])).collect();
        let Some(cells) = cells else { return Ok(None) };
        let mut order: SmallVec<[usize; 16]> = (0..cells.len()).collect();
        order.sort_by_key(|&i| std::ptr::from_ref(&*cells[i]).addr());
        let mut values: SmallVec<[_; 16]> = order.iter().map(|&i| (i, cells[i].value.write())).collect();
        for (i, value) in &mut values {
            let used = &recording.variables[*i];
            let Some(value) = value.as_mut() else { return Ok(None) };
            let changes = used.is_written || used.back.is_some();
            if !used.view.is_of(gpu, value) || (changes && !value.is_unique()) {
                return Ok(None);
            }
        }
        let mut outputs = Outputs::new();
        for out in &recording.outputs {
            outputs.push(Entry::Value(match out {
                Out::Host(tensor) => tensor.clone(),
                Out::Device(like) => match gpu.alloc(&self.owner, like.dtype, &like.shape) {
                    Ok(tensor) => tensor,
                    Err(_) => return Ok(None),
                },
            }));
        }
        let mut copies = Copies::new();
        for (i, to, bytes) in &recording.inputs {
            // A tensor without elements may be on the host.
            if let Some(tensor) = inputs[*i].tensor().filter(|_| *bytes > 0) {
                let Piece { block: from, first } = gpu.piece(tensor)?;
                let from_at = first * gpu.element_size(tensor);
                copies.push(Copying { from, from_at, to: to.clone(), to_at: 0, len: *bytes });
            }
        }
        gpu.copy_all(&self.owner, copies)?;
        match &recording.recorded {
            Some(recorded) => gpu.backend.replay(recorded)?,
            None => recording.commands.iter().try_for_each(|command| command.run(&*gpu.backend))?,
        }
        let mut copies = Copies::new();
        for (out, entry) in recording.outputs.iter().zip(&outputs) {
            if let (Out::Device(from), Some(to)) = (out, entry.tensor().filter(|to| to.num_elements() > 0)) {
                copies.push(from.copy_to(gpu, to)?);
            }
        }
        gpu.copy_all(&self.owner, copies)?;
        // After the outputs, which may be the former value of a variable.
        let mut copies = Copies::new();
        for (i, value) in &values {
            let value = value.as_ref().filter(|value| value.num_elements() > 0);
            if let (Some(back), Some(value)) = (&recording.variables[*i].back, value) {
                copies.push(back.copy_to(gpu, value)?);
            }
        }
        gpu.copy_all(&self.owner, copies)?;
        Ok(Some(outputs))
    }
}

/// Copies its input to the device, as a member of a region.
pub(crate) struct Receive(pub(crate) Arc<Gpu>);

impl AnyKernel for Receive {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let tensor = io.take(0)?;
        // Tensors without elements stay where they are.
        let there = match tensor.num_elements() {
            0 => tensor,
            _ => self.0.upload(&io.node().name, &tensor)?,
        };
        io.set(0, there);
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

impl AnyKernel for Captured {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let inputs: Inputs = self.region.take_inputs(io);
        let outputs = self.outputs(io.step(), io.iteration(), inputs)?;
        for (i, entry) in outputs.into_iter().enumerate() {
            io.set_entry(i, entry);
        }
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Heavy
    }
}
