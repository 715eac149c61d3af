//! Nodes that are computed as one: only nodes of the group use the outputs of most of them.

use crate::env::StepCx;
use crate::finite;
use crate::io::{Entry, Io, NeverParks, NodeMeta};
use crate::kernel::{AnyKernel, Piecewise};
use crate::scalars::{self, Call, Composed, ScalarFunction};
use crate::strips::{Basic, Strip};
use crate::tiles::Given;
use crate::window;
use levada_graph::spec::Spec;
use levada_graph::{AnyOp, DType, Error, Result, Shape, Tensor};
use smallvec::SmallVec;
use std::sync::{Arc, OnceLock};

/// True if an op whose outputs have these dtypes makes no NaN and no infinity from finite inputs.
pub fn keeps_finite(spec: &Spec, mut outputs: impl Iterator<Item = DType>) -> bool {
    spec.forwards || spec.views || spec.metadata || (spec.keeps_finite && !outputs.any(|dtype| dtype.is_complex()))
}

/// Limits of the groups that a device computes as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FuseLimits {
    /// Maximum number of nodes.
    pub parts: usize,
    /// Maximum number of tensors from outside, not counting scalars that are known before the run.
    pub inputs: usize,
}

/// Where a part's input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// This input of the group.
    Input(usize),
    /// The output of this part, which comes before.
    Part(usize),
}

/// An input of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// Where it comes from.
    pub origin: Origin,
    /// True for its last use.
    pub last: bool,
}

/// A node of a group, whose first output is used.
pub struct Part {
    /// Its op.
    pub op: Arc<dyn AnyOp>,
    /// Its kernel.
    pub kernel: Arc<dyn AnyKernel>,
    /// Its names.
    pub meta: NodeMeta,
    /// Its inputs.
    pub inputs: Box<[Source]>,
    /// True if its output has to be searched: a NaN or an infinity of another part shows in an output that is searched,
    /// or does not originate there.
    pub is_looked_at: bool,
}

/// Nodes that are computed as one.
pub struct Group {
    /// The nodes, each after those whose outputs it takes.
    pub parts: Box<[Part]>,
    /// For each output of the group, the part whose output it is; mostly that of the last part alone, which is always
    /// among them.
    pub outputs: Box<[usize]>,
    /// For each input of the group its value, if that is known before the run.
    pub inputs: Box<[Option<Tensor>]>,
    /// What the nodes compute together on scalars, once it was requested; `None` if a kernel needs tensors.
    composed: OnceLock<Option<Arc<Composed>>>,
}

impl Group {
    /// A group of nodes whose output is that of the last one: op, kernel, names and origins of the inputs.
    pub fn new(
        nodes: impl IntoIterator<Item = (Arc<dyn AnyOp>, Arc<dyn AnyKernel>, NodeMeta, Vec<Origin>)>,
        inputs: Vec<Option<Tensor>>,
    ) -> Group {
        Group::with_outputs(nodes, inputs, None)
    }

    /// As [`Group::new`], with the outputs of these nodes, the last one among them.
    pub fn with_outputs(
        nodes: impl IntoIterator<Item = (Arc<dyn AnyOp>, Arc<dyn AnyKernel>, NodeMeta, Vec<Origin>)>,
        inputs: Vec<Option<Tensor>>,
        outputs: Option<Box<[usize]>>,
    ) -> Group {
        let part = |(op, kernel, meta, origins): (_, _, _, Vec<Origin>)| {
            let inputs = origins.into_iter().map(|origin| Source { origin, last: false }).collect();
            Part { op, kernel, meta, inputs, is_looked_at: false }
        };
        let mut parts: Box<[Part]> = nodes.into_iter().map(part).collect();
        let outputs = outputs.unwrap_or_else(|| parts.len().checked_sub(1).into_iter().collect());
        let mut seen: std::collections::HashSet<Origin> = outputs.iter().map(|&part| Origin::Part(part)).collect();
        for source in parts.iter_mut().rev().flat_map(|p| p.inputs.iter_mut().rev()) {
            source.last = seen.insert(source.origin);
        }
        mark_looked_at(&mut parts);
        Group { parts, outputs, inputs: inputs.into(), composed: OnceLock::new() }
    }

    /// The second input of a part if that is known before the run.
    pub(crate) fn second(&self, part: &Part) -> Option<&Tensor> {
        match part.inputs.get(1)?.origin {
            Origin::Input(i) => self.inputs.get(i)?.as_ref(),
            Origin::Part(_) => None,
        }
    }

    /// The shapes of the parts' outputs; `None` if their inputs do not fit.
    pub fn shapes(&self, io: &Io<'_>) -> Option<Vec<Shape>> {
        self.shapes_of(|i| io.input(i).ok().map(|tensor| Given { shape: tensor.shape(), value: Some(tensor) }))
    }

    /// As [`Group::shapes`], for these inputs.
    pub(crate) fn shapes_of<'a>(&self, input: impl Fn(usize) -> Option<Given<'a>>) -> Option<Vec<Shape>> {
        let mut shapes: Vec<Shape> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let of = |origin| match origin {
                Origin::Input(i) => input(i).map(|given| given.shape),
                Origin::Part(p) => shapes.get(p),
            };
            let (first, rest) = part.inputs.split_first()?;
            let first = of(first.origin)?;
            match part.kernel.strip(self.second(part)) {
                Some(Strip::Row(row)) => {
                    let Some(Origin::Input(axes)) = rest.first().map(|source| source.origin) else { return None };
                    let shape = row.shape(first, &input(axes)?.value?.to_i64s().ok()?)?;
                    shapes.push(shape);
                    continue;
                }
                Some(Strip::Basic(Basic::Identity)) => {
                    let shape = first.clone();
                    shapes.push(shape);
                    continue;
                }
                Some(Strip::Window(window)) => {
                    let shape = window.shape(first)?;
                    shapes.push(shape);
                    continue;
                }
                Some(Strip::Join) => {
                    let (axis, pieces) = part.inputs.split_last()?;
                    let Origin::Input(axis) = axis.origin else { return None };
                    let [axis] = input(axis)?.value?.to_i64s().ok()?[..] else { return None };
                    let pieces = pieces.iter().map(|source| of(source.origin)).collect::<Option<Vec<_>>>()?;
                    let shape = joined(axis, &pieces)?;
                    shapes.push(shape);
                    continue;
                }
                _ => {}
            }
            let all: SmallVec<[&Shape; 4]> =
                part.inputs.iter().map(|source| of(source.origin)).collect::<Option<_>>()?;
            let shape = part.kernel.piecewise().shape(all.into_iter())?;
            shapes.push(shape);
        }
        Some(shapes)
    }

    /// What the nodes compute together on scalars, composed of their own kernels' functions.
    fn composed(&self, step: &StepCx) -> Option<&Arc<Composed>> {
        let find = || {
            if self.outputs.len() != 1 {
                return None;
            }
            let arguments = self.inputs.len();
            let part = |part: &Part| {
                let from = part.inputs.iter().map(|source| match source.origin {
                    Origin::Input(i) => i as u32,
                    Origin::Part(p) => (arguments + p) as u32,
                });
                Some((part.kernel.scalar_function(&part.meta, step)?, from.collect()))
            };
            Composed::new(arguments, self.parts.iter().map(part).collect::<Option<Vec<_>>>()?).map(Arc::new)
        };
        self.composed.get_or_init(find).as_ref()
    }

    /// The group as one function of scalars.
    pub(crate) fn function(&self, step: &StepCx) -> Option<ScalarFunction> {
        let composed = self.composed(step)?;
        let (&takes, gives) = (composed.takes.first()?, composed.gives);
        if composed.takes.iter().any(|&dtype| dtype != takes) {
            return None;
        }
        let composed = composed.clone();
        let call = Call::Any(Box::new(move |given| composed.of(given.iter().copied())));
        Some(ScalarFunction { takes, gives, call })
    }

    /// Computes the nodes without tensors if all inputs are scalars; `None`, with all inputs unchanged, if that is not
    /// possible.
    pub(crate) fn by_scalars(&self, io: &mut Io<'_>) -> Option<Tensor> {
        if io.sought().is_some() || !io.input(0).ok()?.shape().is_scalar() {
            return None;
        }
        let composed = self.composed(io.step()).filter(|composed| composed.takes.len() == io.num_inputs())?;
        let mut given: SmallVec<[u64; 8]> = SmallVec::new();
        for (i, &dtype) in composed.takes.iter().enumerate() {
            let input = io.input(i).ok().filter(|input| input.dtype() == dtype)?;
            given.push(scalars::read(input, dtype)?);
        }
        (io.output_dtype(0) == Some(composed.gives)).then(|| scalars::tensor(composed.gives, composed.of(given)))
    }

    /// Computes the nodes one by one, as if they were not a group.
    ///
    /// # Errors
    /// The error of a node, with its name.
    pub fn one_by_one(&self, io: &mut Io<'_>) -> Result<()> {
        let mut values: SmallVec<[Entry; 8]> = SmallVec::new();
        let mut given: SmallVec<[Entry; 4]> = SmallVec::new();
        let mut outputs: SmallVec<[Entry; 1]> = SmallVec::new();
        let sought = io.sought();
        let mut found = false;
        for part in &self.parts {
            given.clear();
            for source in &part.inputs {
                given.push(match source.origin {
                    Origin::Input(i) => match io.entry(i) {
                        // A value that is kept for the next step must stay where it is.
                        Some(entry) if source.last && !matches!(entry, Entry::Constant(_)) => std::mem::take(entry),
                        Some(entry) => entry.clone(),
                        None => return Err(Error::internal(format!("missing input {i}"))),
                    },
                    Origin::Part(p) if source.last => std::mem::take(&mut values[p]),
                    Origin::Part(p) => values[p].clone(),
                });
            }
            outputs.clear();
            outputs.resize(part.meta.outputs.len().max(1), Entry::Empty);
            let computed = io.compute_part(&*part.kernel, &mut given, &mut outputs, &part.meta);
            computed.map_err(|e| part.named(e))?;
            let out = std::mem::take(&mut outputs[0]);
            if matches!(out, Entry::Empty) {
                return Err(part.named(Error::internal("the kernel did not set output 0")));
            }
            if let (Some(sought), true, Some(tensor)) = (sought, part.is_looked_at, out.tensor()) {
                found |= finite::holds(tensor, sought, io.pool());
            }
            values.push(out);
        }
        for (i, &part) in self.outputs.iter().enumerate() {
            io.set_entry(i, std::mem::take(&mut values[part]));
        }
        if sought.is_some() {
            io.set_looked(found);
        }
        Ok(())
    }
}

impl Group {
    /// Computes the nodes one by one from these inputs, which stay unchanged, and passes each with its inputs and its
    /// output to `visit`, until that returns true or a node fails.
    pub fn walk(&self, inputs: &[Entry], step: &StepCx, visit: &mut dyn FnMut(&Part, &[Tensor], &Tensor) -> bool) {
        let mut values: Vec<Tensor> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let of = |source: &Source| match source.origin {
                Origin::Input(i) => inputs.get(i).and_then(Entry::tensor).or(self.inputs[i].as_ref()).cloned(),
                Origin::Part(p) => values.get(p).cloned(),
            };
            let Some(given) = part.inputs.iter().map(of).collect::<Option<Vec<Tensor>>>() else { return };
            let mut entries: Vec<Entry> = given.iter().cloned().map(Entry::Value).collect();
            let mut outputs = vec![Entry::Empty; part.meta.outputs.len().max(1)];
            let mut parker = NeverParks;
            let computed = part.kernel.compute(&mut Io::new(&mut entries, &mut outputs, &part.meta, step, &mut parker));
            let (Ok(()), Some(value)) = (computed, outputs[0].tensor()) else { return };
            if visit(part, &given, value) {
                return;
            }
            values.push(value.clone());
        }
    }
}

impl Group {
    /// Splits the group so that nodes that are not elementwise are separate: each part of the result is a node, or a
    /// group of elementwise nodes whose kernel is made by `kernel`.
    pub(crate) fn split(&self, kernel: impl Fn(Group) -> Arc<dyn AnyKernel>) -> Group {
        let is_elementwise = |part: usize| self.parts[part].kernel.piecewise() != Piecewise::No;
        let mut consumers: Vec<Vec<usize>> = vec![Vec::new(); self.parts.len()];
        for (p, part) in self.parts.iter().enumerate() {
            for source in &part.inputs {
                if let Origin::Part(before) = source.origin {
                    consumers[before].push(p);
                }
            }
        }
        // For each part, the last one of those that it is grouped with.
        let mut ends: Vec<usize> = (0..self.parts.len()).collect();
        for p in (0..self.parts.len()).rev().filter(|&p| is_elementwise(p) && !self.outputs.contains(&p)) {
            if let Some((&first, rest)) = consumers[p].split_first()
                && is_elementwise(first)
                && rest.iter().all(|&other| ends[other] == ends[first])
            {
                ends[p] = ends[first];
            }
        }
        let mut place = vec![0; self.parts.len()];
        let mut nodes = Vec::new();
        for (end, part) in self.parts.iter().enumerate().filter(|&(p, _)| ends[p] == p) {
            let mut origins: Vec<Origin> = Vec::new();
            let mut inner: Vec<usize> = Vec::new();
            let mut members = Vec::new();
            for (p, member) in self.parts.iter().enumerate().filter(|&(p, _)| ends[p] == end) {
                let given = member.inputs.iter().map(|source| match source.origin {
                    Origin::Part(before) if ends[before] == end => {
                        Origin::Part(inner.iter().position(|&at| at == before).unwrap_or_default())
                    }
                    origin => {
                        let at = origins.iter().position(|other| *other == origin).unwrap_or(origins.len());
                        origins.extend((at == origins.len()).then_some(origin));
                        Origin::Input(at)
                    }
                });
                let given = given.collect();
                members.push((member.op.clone(), member.kernel.clone(), member.meta.clone(), given));
                inner.push(p);
            }
            let known = origins.iter().map(|origin| match origin {
                Origin::Input(i) => self.inputs.get(*i).cloned().flatten(),
                Origin::Part(_) => None,
            });
            let known = known.collect();
            let (kernel, given) = match members.len() {
                // With the original inputs, some of which it may take several times.
                1 => (part.kernel.clone(), part.inputs.iter().map(|source| source.origin).collect()),
                _ => (kernel(Group::new(members, known)), origins),
            };
            let given = given.into_iter().map(|origin: Origin| match origin {
                Origin::Part(before) => Origin::Part(place[before]),
                origin => origin,
            });
            let given = given.collect();
            place[end] = nodes.len();
            nodes.push((part.op.clone(), kernel, part.meta.clone(), given));
        }
        let outputs = self.outputs.iter().map(|&part| place[part]).collect();
        Group::with_outputs(nodes, self.inputs.to_vec(), Some(outputs))
    }
}

/// The shape of tensors of these shapes, one after the other along an axis.
fn joined(axis: i64, shapes: &[&Shape]) -> Option<Shape> {
    let (first, rest) = shapes.split_first()?;
    let axis = window::axis_of(axis, first.rank())?;
    let others = |shape: &Shape| (shape[..axis].to_vec(), shape[axis + 1..].to_vec());
    let same = rest.iter().all(|shape| shape.rank() == first.rank() && others(shape) == others(first));
    let size = shapes.iter().try_fold(0usize, |size, shape| size.checked_add(*shape.get(axis)?)).filter(|_| same)?;
    Shape::new(first.iter().enumerate().map(|(i, &n)| if i == axis { size } else { n })).ok()
}

/// Marks the parts whose outputs are searched. What a part makes shows in the output of a part that takes it, if that
/// part spreads it.
fn mark_looked_at(parts: &mut [Part]) {
    let mut shows = vec![false; parts.len()];
    for at in (0..parts.len()).rev() {
        let part = &mut parts[at];
        let spec = part.op.spec();
        let can_hold = part.meta.outputs.first().is_some_and(|dtype| finite::can_hold(*dtype));
        part.is_looked_at = can_hold && !shows[at] && (spec.spreads || !part.keeps_finite());
        if can_hold && spec.spreads && (part.is_looked_at || shows[at]) {
            for source in &part.inputs {
                if let Origin::Part(before) = source.origin {
                    shows[before] = true;
                }
            }
        }
    }
}

impl Part {
    /// True if it makes no NaN and no infinity from finite inputs.
    pub fn keeps_finite(&self) -> bool {
        keeps_finite(self.op.spec(), self.meta.outputs.iter().copied())
    }

    /// The error with the node's name.
    pub fn named(&self, error: Error) -> Error {
        error.at_node(&self.meta.name, self.meta.op)
    }
}
