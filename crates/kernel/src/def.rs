//! An op as a value: one definition says everything about it, for all its names.
//!
//! A definition is a `static` that [`op`] begins, followed by one line for each property of the op. Its attrs are the
//! fields of a struct that [`attrs!`](levada_graph::attrs) declares; functions get them by reference. Ops that differ
//! only a little share a `const fn` that makes their definitions.
//!
//! ```
//! use levada_graph::prelude::*;
//! use levada_kernel::{Cpu, Def, KernelCx, form, op};
//!
//! attrs! {
//!     /// The number of tuples in a box.
//!     pub struct Count {}
//! }
//!
//! pub static COUNT: Def<Count> = op("BoxCount")
//!     .inputs(&[arg("box", is(DType::Str)).by_ref()])
//!     .outputs(&[arg("count", is(DType::I32))])
//!     .stateful()
//!     .also(&[form("BoxCountV2").inputs(&[arg("box", is(DType::Resource))])])
//!     .shape(|_, cx| cx.with_rank(0, 1).map(drop))
//!     .kernel(count);
//!
//! fn count(_: &Count, cx: &mut KernelCx<'_, '_, Cpu>) -> Result<()> {
//!     cx.set(0, Tensor::scalar(7));
//!     Ok(())
//! }
//!
//! let names: Vec<&str> = COUNT.ops().map(|op| op.spec.name).collect();
//! assert_eq!(names, ["BoxCount", "BoxCountV2"]);
//! ```

use crate::accumulate::Accumulation;
use crate::device::{Cpu, Device};
use crate::env::StepCx;
use crate::epilogue::{Epilogue, Finish};
use crate::io::{Io, NodeMeta};
use crate::kernel::{AnyCell, AnyKernel, Cost, KernelCx, KernelEntry, Make, Piecewise};
use crate::lane;
use crate::opaque::{self, Opaque, Open, Opened};
use crate::scalars::ScalarFunction;
use crate::strips::Strip;
use crate::tiles::{Cuts, Given, Stage};
use levada_graph::attr::Attrs as AttrMap;
use levada_graph::batch::{BatchCx, Batched, Vectorize};
use levada_graph::grad::{Differentiate, GradCx, Grads, V};
use levada_graph::infer::ShapeCx;
use levada_graph::op::{Attrs, Decode, check_attr};
use levada_graph::spec::{Act, Arg, AttrDefault, AttrSpec, Effect, Primitive, Role, Spec, Store};
use levada_graph::{AnyOp, AttrValue, DType, Error, OpDef, PartialShape, Result, Tensor};
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// The attrs of an op that is defined by a value.
pub trait OpAttrs: Attrs + Clone + fmt::Debug + Send + Sync + 'static {}

impl<T: Attrs + Clone + fmt::Debug + Send + Sync + 'static> OpAttrs for T {}

/// A further name of an op, and what differs under it.
#[derive(Clone, Copy)]
pub struct Form {
    name: &'static str,
    doc: Option<&'static str>,
    inputs: Option<&'static [Arg]>,
    outputs: Option<&'static [Arg]>,
    attrs: &'static [AttrSpec],
    without: &'static [&'static str],
    fixed: &'static [(&'static str, AttrDefault)],
    differentiable: bool,
}

/// A further name of an op.
pub const fn form(name: &'static str) -> Form {
    Form { name, doc: None, inputs: None, outputs: None, attrs: &[], without: &[], fixed: &[], differentiable: true }
}

impl Form {
    /// With other inputs.
    pub const fn inputs(mut self, inputs: &'static [Arg]) -> Form {
        self.inputs = Some(inputs);
        self
    }

    /// With other outputs.
    pub const fn outputs(mut self, outputs: &'static [Arg]) -> Form {
        self.outputs = Some(outputs);
        self
    }

    /// With different documentation.
    pub const fn doc(mut self, doc: &'static str) -> Form {
        self.doc = Some(doc);
        self
    }

    /// With these attrs in place of those of the same names.
    pub const fn attrs(mut self, attrs: &'static [AttrSpec]) -> Form {
        self.attrs = attrs;
        self
    }

    /// Without these attrs: their fields have their defaults.
    pub const fn without(mut self, attrs: &'static [&'static str]) -> Form {
        self.without = attrs;
        self
    }

    /// With these values for fields that are not attrs under this name.
    pub const fn fixed(mut self, fields: &'static [(&'static str, AttrDefault)]) -> Form {
        self.fixed = fields;
        self
    }

    /// Without a gradient.
    pub const fn not_differentiable(mut self) -> Form {
        self.differentiable = false;
        self
    }
}

/// What the kernel of an op does on a device of type `D`, and its properties. The type of the op's attrs is erased, so
/// that the code that runs kernels is compiled once and not for every op.
pub struct Body<D> {
    compute: fn(Opaque<'_>, &mut KernelCx<'_, '_, D>) -> Result<()>,
    supports: Option<fn(Opaque<'_>) -> bool>,
    piecewise: Option<fn(Opaque<'_>) -> Piecewise>,
    strip: Option<fn(Opaque<'_>) -> Option<Strip>>,
    strip_by_second: Option<fn(Opaque<'_>, &Tensor) -> Option<Strip>>,
    stacks: Option<fn(Opaque<'_>) -> bool>,
    epilogue: Option<fn(Opaque<'_>) -> Option<Epilogue>>,
    finished: Option<Finished<D>>,
    accumulates: Option<fn(Opaque<'_>) -> Option<Accumulation>>,
    stage: Option<Stage>,
    cuts: Option<CutsOpaque>,
    margin_input: Option<usize>,
    with_margin: Option<Rebind>,
    cost: Cost,
    labels: &'static [&'static str],
}

/// Computes an output including the nodes after it; false, with nothing changed, if that is not possible.
pub type Finishing<D, A> = fn(&A, &mut KernelCx<'_, '_, D>, &Finish<'_>) -> Result<bool>;

/// The attrs of the op that computes the same from its input 0 with zero padding: this many before and after each axis.
pub type WithMargin<A> = fn(&A, &[(usize, usize)]) -> Option<A>;

/// The attrs for which a kernel can do so, and how.
type Finished<D> = (fn(Opaque<'_>) -> bool, FinishingOpaque<D>);

/// [`Finishing`] of attrs whose type is erased.
pub(crate) type FinishingOpaque<D> = fn(Opaque<'_>, &mut KernelCx<'_, '_, D>, &Finish<'_>) -> Result<bool>;

/// How the output can be cut, by attrs whose type is forgotten.
pub(crate) type CutsOpaque = fn(Opaque<'_>, &[Given<'_>]) -> Option<Cuts>;

/// The op of a node with the attrs that [`WithMargin`] returns.
type Rebind = fn(&dyn AnyOp, &[(usize, usize)]) -> Option<Arc<dyn AnyOp>>;

impl<D> Clone for Body<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Body<D> {}

impl<D> Body<D> {
    const fn new(compute: fn(Opaque<'_>, &mut KernelCx<'_, '_, D>) -> Result<()>) -> Body<D> {
        Body {
            compute,
            supports: None,
            piecewise: None,
            strip: None,
            strip_by_second: None,
            stacks: None,
            epilogue: None,
            finished: None,
            accumulates: None,
            stage: None,
            cuts: None,
            margin_input: None,
            with_margin: None,
            cost: Cost::Cheap,
            labels: &[],
        }
    }
}

impl<D: Device> Body<D> {
    /// Returns the kernel of a node; `open` must return the attrs that the functions here take.
    fn make(&self, op: &Arc<dyn AnyOp>, open: Open, device: &Arc<D>) -> Option<Arc<dyn AnyKernel>> {
        let op = Opened::new(op.clone(), open)?;
        let handled = self.supports.is_none_or(|supports| supports(op.attrs()));
        let changes = op.is_stateful() || op.spec().inputs.iter().any(|input| input.is_ref);
        let ready = || Ready { op, open, body: *self, device: device.clone(), changes };
        handled.then(|| Arc::new(ready()) as Arc<dyn AnyKernel>)
    }
}

/// A kernel of one node.
struct Ready<D> {
    op: Opened,
    open: Open,
    body: Body<D>,
    device: Arc<D>,
    /// True if it may change state, which it does completely or not at all.
    changes: bool,
}

impl<D: Device> AnyKernel for Ready<D> {
    #[inline]
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let _whole = self.changes.then(lane::whole);
        (self.body.compute)(self.op.attrs(), &mut KernelCx { device: &*self.device, op: &*self.op, io })
    }
    fn cost(&self) -> Cost {
        self.body.cost
    }
    fn labels(&self) -> &'static [&'static str] {
        self.body.labels
    }
    fn piecewise(&self) -> Piecewise {
        self.body.piecewise.map_or(Piecewise::No, |piecewise| piecewise(self.op.attrs()))
    }
    fn strip(&self, second: Option<&Tensor>) -> Option<Strip> {
        let by_second = || self.body.strip_by_second.zip(second).and_then(|(strip, y)| strip(self.op.attrs(), y));
        self.body.strip.and_then(|strip| strip(self.op.attrs())).or_else(by_second)
    }
    fn scalar_function(&self, node: &NodeMeta, step: &StepCx) -> Option<ScalarFunction> {
        (self.piecewise() != Piecewise::No).then(|| Io::ask(self, node, step))?
    }
    fn stacks(&self) -> bool {
        self.body.stacks.is_some_and(|stacks| stacks(self.op.attrs()))
    }
    fn epilogue(&self) -> Option<Epilogue> {
        self.body.epilogue.and_then(|epilogue| epilogue(self.op.attrs()))
    }
    fn stage(&self) -> Option<Stage> {
        self.body.stage
    }
    fn is_cut(&self) -> bool {
        self.body.cuts.is_some() || self.piecewise() != Piecewise::No
    }
    fn cuts(&self, inputs: &[Given<'_>]) -> Option<Cuts> {
        match self.body.cuts {
            Some(cuts) => cuts(self.op.attrs(), inputs),
            None if self.piecewise() == Piecewise::No => None,
            None => {
                let shape = self.piecewise().shape(inputs.iter().map(|input| input.shape))?;
                Some(Cuts::elementwise(shape, inputs))
            }
        }
    }
    fn finishes(&self) -> bool {
        self.body.finished.is_some_and(|(finishes, _)| finishes(self.op.attrs()))
    }
    fn accumulates(&self) -> Option<Accumulation> {
        self.body.accumulates.and_then(|how| how(self.op.attrs()))
    }
    fn compute_finished(&self, io: &mut Io<'_>, finish: &Finish<'_>) -> Result<bool> {
        match self.body.finished {
            Some((_, compute)) => {
                compute(self.op.attrs(), &mut KernelCx { device: &*self.device, op: &*self.op, io }, finish)
            }
            None => Ok(false),
        }
    }
    fn margin_input(&self) -> Option<usize> {
        // Under a name with more inputs, the padding is not zeros.
        self.body.margin_input.filter(|&input| self.op.spec().inputs.len() == input + 1)
    }
    fn with_margin(&self, margin: &[(usize, usize)]) -> Option<Arc<dyn AnyKernel>> {
        let op = self.body.with_margin.and_then(|with_margin| with_margin(&*self.op, margin))?;
        self.body.make(&op, self.open, &self.device)
    }
    fn host_inputs(&self) -> &'static [isize] {
        self.op.facts().host_inputs
    }
    fn host_outputs(&self) -> &'static [isize] {
        self.op.facts().host_outputs
    }
}

/// Floating-point operations that one run takes, from the attrs and the shapes of inputs and outputs.
pub type Flops<A> = fn(&A, &[PartialShape], &[PartialShape]) -> Option<f64>;

/// An upper bound on the bytes of tensors that one run uses on the host besides its outputs, from the attrs, the shapes
/// of inputs and outputs and the number of threads.
pub type Workspace<A> = fn(&A, &[PartialShape], &[PartialShape], usize) -> Option<f64>;

/// The definition of an op, with attrs `A`.
pub struct Def<A: 'static> {
    facts: Facts,
    shape: fn(&A, &mut ShapeCx<'_>) -> Result<()>,
    flops: Option<Flops<A>>,
    workspace: Option<Workspace<A>>,
    constant: Option<fn(&A) -> Option<&Tensor>>,
    stateful: Option<fn(&A) -> bool>,
    gradient: Option<fn(&A, &GradCx) -> Grads>,
    batch: Option<fn(&A, &BatchCx<'_>) -> Batched>,
    with_margin: Option<WithMargin<A>>,
    cpu: Option<Body<Cpu>>,
}

/// Makes the op of a node, under this name, from its fields.
type Bind<'a> = dyn Fn(&'static Named, &AttrMap) -> Result<Arc<dyn AnyOp>> + 'a;

/// The part of a definition whose type is the same for all ops. Code that works on it is compiled once, not for every
/// op.
pub struct Facts {
    spec: Spec,
    doc: &'static str,
    fields: &'static [AttrSpec],
    attrs: &'static [AttrSpec],
    without: &'static [&'static str],
    fixed: &'static [(&'static str, AttrDefault)],
    also: &'static [Form],
    has_gradient: bool,
    has_batch: bool,
    has_kernel: bool,
    host_inputs: &'static [isize],
    host_outputs: &'static [isize],
    names: OnceLock<Box<[Named]>>,
}

/// One name of an op, with what differs under it.
struct Named {
    spec: Spec,
    doc: &'static str,
    attrs: Box<[AttrSpec]>,
    replaced: Vec<AttrSpec>,
    fixed: &'static [(&'static str, AttrDefault)],
    differentiable: bool,
}

impl Facts {
    fn names(&self) -> &[Named] {
        self.names.get_or_init(|| {
            let first = Form { without: self.without, fixed: self.fixed, ..form(self.spec.name) };
            std::iter::once(&first).chain(self.also).map(|form| self.named(form)).collect()
        })
    }

    fn named(&self, form: &Form) -> Named {
        let spec = Spec {
            name: form.name,
            inputs: form.inputs.unwrap_or(self.spec.inputs),
            outputs: form.outputs.unwrap_or(self.spec.outputs),
            primitive: self.spec.primitive.filter(|_| form.name == self.spec.name),
            ..self.spec
        };
        let general = self.attrs.iter().filter(|attr| !form.attrs.iter().any(|own| own.name == attr.name));
        let replaced: Vec<AttrSpec> = form.attrs.iter().chain(general).copied().collect();
        let own = |attr: &AttrSpec| {
            let other = replaced.iter().find(|other| other.name == attr.name);
            other.map_or(*attr, |other| AttrSpec { doc: attr.doc, ..*other })
        };
        let has = |attr: &&AttrSpec| {
            !form.without.contains(&attr.name) && !form.fixed.iter().any(|(name, _)| *name == attr.name)
        };
        let attrs = self.fields.iter().filter(has).map(own).collect();
        let doc = form.doc.unwrap_or(self.doc);
        Named { spec, doc, attrs, replaced, fixed: form.fixed, differentiable: form.differentiable }
    }

    /// Reads the attrs of a node under the name `name`; `bind` makes the op from their fields.
    fn decode(&'static self, name: &str, attrs: &AttrMap, bind: &Bind<'_>) -> Result<Arc<dyn AnyOp>> {
        let form = self.called(name).unwrap_or(&self.names()[0]);
        bind(form, &*form.fields(attrs)?)
    }

    fn called(&self, name: &str) -> Option<&Named> {
        self.names().iter().find(|form| form.spec.name == name)
    }

    /// The first name whose fixed fields have the values that they have in `attrs`.
    fn form_of(&self, attrs: &AttrMap) -> &Named {
        let fits = |form: &&Named| form.fixed.iter().all(|(field, value)| attrs.get(field) == Some(&value.value()));
        self.names().iter().find(fits).unwrap_or(&self.names()[0])
    }

    fn node<'g>(&'static self, g: &'g GradCx, mut all: AttrMap, inputs: &[V<'g>]) -> V<'g> {
        let form = self.form_of(&all);
        let pairs: Vec<(&'static str, AttrValue)> =
            form.attrs.iter().filter_map(|attr| Some((attr.name, all.remove(attr.name)?))).collect();
        g.node(form.spec.name, inputs, &pairs)
    }
}

impl Named {
    /// The fields of a node with these attrs.
    fn fields<'a>(&self, attrs: &'a AttrMap) -> Result<Cow<'a, AttrMap>> {
        let mut attrs = Cow::Borrowed(attrs);
        for spec in &self.replaced {
            match (attrs.get(spec.name), spec.default) {
                (Some(value), _) => check_attr(value, spec)?,
                (None, Some(default)) => drop(attrs.to_mut().set(spec.name, default.value())),
                (None, None) => {}
            }
        }
        for (name, value) in self.fixed {
            attrs.to_mut().set(*name, value.value());
        }
        Ok(attrs)
    }

    /// Those of the fields that are attrs under this name.
    fn attrs(&self, mut fields: AttrMap, all: &[AttrSpec]) -> AttrMap {
        for spec in all.iter().filter(|spec| !self.attrs.iter().any(|attr| attr.name == spec.name)) {
            fields.remove(spec.name);
        }
        fields
    }
}

/// A definition of any op.
pub trait AnyDef: Decode + Differentiate + Vectorize + AnyCell<Cpu> {
    /// The part that does not depend on the type of the attrs.
    fn facts(&self) -> &Facts;
}

impl<A: OpAttrs> AnyDef for Def<A> {
    fn facts(&self) -> &Facts {
        &self.facts
    }
}

impl dyn AnyDef {
    /// Its registry entries, one for every name.
    pub fn ops(&'static self) -> impl Iterator<Item = OpDef> {
        let facts = self.facts();
        facts.names().iter().map(move |name| OpDef {
            spec: &name.spec,
            doc: name.doc,
            attrs: &name.attrs,
            decoder: self,
            grad: (facts.has_gradient && name.differentiable).then_some(self),
            batch: facts.has_batch.then_some(self),
        })
    }

    /// Its kernel on the CPU, for every name.
    pub fn cpu_entries(&'static self) -> impl Iterator<Item = KernelEntry<Cpu>> {
        let names = if self.facts().has_kernel { self.entries(self) } else { Vec::new() };
        names.into_iter()
    }

    /// Entries of a kernel on a device, one for every name.
    pub fn entries<D>(&'static self, cell: &'static dyn AnyCell<D>) -> Vec<KernelEntry<D>> {
        let facts = self.facts();
        let entry =
            |name: &Named| KernelEntry { op: name.spec.name, make: Make::Cell(cell), host_inputs: facts.host_inputs };
        facts.names().iter().map(entry).collect()
    }
}

/// Begins the definition of the op named `name`, without state.
pub const fn op<A: OpAttrs>(name: &'static str) -> Def<A> {
    Def {
        facts: Facts {
            spec: Spec { name, ..Spec::PURE },
            doc: A::DOC,
            fields: A::ATTRS,
            attrs: &[],
            without: &[],
            fixed: &[],
            also: &[],
            has_gradient: false,
            has_batch: false,
            has_kernel: false,
            host_inputs: &[],
            host_outputs: &[],
            names: OnceLock::new(),
        },
        shape: |_, _| Ok(()),
        flops: None,
        workspace: None,
        constant: None,
        stateful: None,
        gradient: None,
        batch: None,
        with_margin: None,
        cpu: None,
    }
}

/// What the op is.
impl<A: 'static> Def<A> {
    /// Its inputs in order.
    pub const fn inputs(mut self, inputs: &'static [Arg]) -> Def<A> {
        self.facts.spec.inputs = inputs;
        self
    }

    /// Its outputs in order.
    pub const fn outputs(mut self, outputs: &'static [Arg]) -> Def<A> {
        self.facts.spec.outputs = outputs;
        self
    }

    /// What it does, if the struct of its attrs serves other ops too.
    pub const fn doc(mut self, doc: &'static str) -> Def<A> {
        self.facts.doc = doc;
        self
    }

    /// Attrs in place of those of the same names in the struct, if that serves other ops too. The struct must allow
    /// every value that these allow.
    pub const fn attrs(mut self, attrs: &'static [AttrSpec]) -> Def<A> {
        self.facts.attrs = attrs;
        self
    }

    /// Without these attrs under its first name: their fields have their defaults.
    pub const fn without(mut self, attrs: &'static [&'static str]) -> Def<A> {
        self.facts.without = attrs;
        self
    }

    /// With these values for fields that are not attrs under its first name.
    pub const fn fixed(mut self, fields: &'static [(&'static str, AttrDefault)]) -> Def<A> {
        self.facts.fixed = fields;
        self
    }

    /// Further names: other versions, or other kinds of handles.
    pub const fn also(mut self, forms: &'static [Form]) -> Def<A> {
        self.facts.also = forms;
        self
    }

    /// With state or side effects: it is never folded, merged or skipped.
    pub const fn stateful(mut self) -> Def<A> {
        self.facts.spec.stateful = true;
        self
    }

    /// With state or side effects for some attrs only.
    pub const fn stateful_if(mut self, stateful: fn(&A) -> bool) -> Def<A> {
        self.stateful = Some(stateful);
        self
    }

    /// What it does to a resource that ops wait on.
    pub const fn act(mut self, act: Act) -> Def<A> {
        self.facts.spec.act = Some(act);
        self.stateful()
    }

    /// How it affects variables or state of its own; such an op never waits.
    pub const fn effect(mut self, effect: Effect) -> Def<A> {
        self.facts.spec.effect = Some(effect);
        self.stateful()
    }

    /// The role it plays for the runtime.
    pub const fn role(mut self, role: Role) -> Def<A> {
        self.facts.spec.role = role;
        self
    }

    /// Its output 0 is its input 0, and it does nothing else.
    pub const fn forwards(mut self) -> Def<A> {
        self.facts.spec.forwards = true;
        self
    }

    /// Its outputs are its inputs at the same indices, and it does nothing else.
    pub const fn forwards_all(mut self) -> Def<A> {
        self.facts.spec.forwards_all = true;
        self
    }

    /// Its outputs may be parts of an input that share its memory.
    pub const fn views(mut self) -> Def<A> {
        self.facts.spec.views = true;
        self
    }

    /// Its outputs are finite if its inputs are: [`Spec::keeps_finite`].
    pub const fn keeps_finite(mut self) -> Def<A> {
        self.facts.spec.keeps_finite = true;
        self
    }

    /// A NaN or an infinity in any input shows in an output: [`Spec::spreads`].
    pub const fn spreads(mut self) -> Def<A> {
        self.facts.spec.spreads = true;
        self
    }

    /// What it does to a store of the step.
    pub const fn store(mut self, store: Store) -> Def<A> {
        self.facts.spec.store = Some(store);
        self
    }

    /// It reads only the shape of its input.
    pub const fn metadata(mut self) -> Def<A> {
        self.facts.spec.metadata = true;
        self
    }

    /// It mostly computes shapes and counters where `attr` is int32: [`Spec::counts`].
    pub const fn counts(mut self, attr: &'static str) -> Def<A> {
        self.facts.spec.counts = Some(attr);
        self
    }

    /// What gradient rules build with it, under its first name.
    pub const fn primitive(mut self, primitive: Primitive) -> Def<A> {
        self.facts.spec.primitive = Some(primitive);
        self
    }

    /// The outputs' shapes as far as they follow from the inputs'. Outputs not mentioned stay unknown.
    pub const fn shape(mut self, shape: fn(&A, &mut ShapeCx<'_>) -> Result<()>) -> Def<A> {
        self.shape = shape;
        self
    }

    /// Floating-point operations that one run takes, if more than a few for each element of the outputs.
    pub const fn flops(mut self, flops: Flops<A>) -> Def<A> {
        self.flops = Some(flops);
        self
    }

    /// An upper bound on the bytes of tensors that one run uses on the host besides its outputs.
    pub const fn workspace(mut self, workspace: Workspace<A>) -> Def<A> {
        self.workspace = Some(workspace);
        self
    }

    /// The value, for ops of role [`Role::Const`].
    pub const fn constant(mut self, constant: fn(&A) -> Option<&Tensor>) -> Def<A> {
        self.constant = Some(constant);
        self
    }

    /// Indices of the inputs that its kernels read on the host, on devices with memory of their own; negative indices
    /// count from the end.
    pub const fn host_inputs(mut self, inputs: &'static [isize]) -> Def<A> {
        self.facts.host_inputs = inputs;
        self
    }

    /// Outputs that its kernels leave on the host, as [`Def::host_inputs`].
    pub const fn host_outputs(mut self, outputs: &'static [isize]) -> Def<A> {
        self.facts.host_outputs = outputs;
        self
    }

    /// Its gradient rule.
    pub const fn gradient(mut self, rule: fn(&A, &GradCx) -> Grads) -> Def<A> {
        self.facts.has_gradient = true;
        self.gradient = Some(rule);
        self
    }

    /// Its batch rule: how it is computed for many examples in one call.
    pub const fn batch(mut self, rule: fn(&A, &BatchCx<'_>) -> Batched) -> Def<A> {
        self.facts.has_batch = true;
        self.batch = Some(rule);
        self
    }
}

/// What the op does on the CPU.
impl<A: 'static> Def<A> {
    /// Computes the outputs from the inputs.
    pub const fn kernel(mut self, compute: fn(&A, &mut KernelCx<'_, '_, Cpu>) -> Result<()>) -> Def<A> {
        let compute = opaque::kernel(compute);
        self.facts.has_kernel = true;
        self.cpu = Some(match self.cpu {
            Some(mut body) => {
                body.compute = compute;
                body
            }
            None => Body::new(compute),
        });
        self
    }

    const fn on_cpu(&mut self) -> &mut Body<Cpu> {
        self.cpu.as_mut().expect("the kernel is set before its properties")
    }

    /// The kernel's time grows with its inputs.
    pub const fn heavy(mut self) -> Def<A> {
        self.on_cpu().cost = Cost::Heavy;
        self
    }

    /// The attrs that the kernel supports, if not all.
    pub const fn supports(mut self, supports: fn(&A) -> bool) -> Def<A> {
        self.on_cpu().supports = Some(opaque::question(supports));
        self
    }

    /// Whether the kernel can be given pieces of its inputs. What it computes must not depend on how they are cut.
    pub const fn piecewise(mut self, piecewise: fn(&A) -> Piecewise) -> Def<A> {
        self.on_cpu().piecewise = Some(opaque::question(piecewise));
        self
    }

    /// What the kernel does with float32 values in the nearest cache: the same bits as otherwise.
    pub const fn strip(mut self, strip: fn(&A) -> Option<Strip>) -> Def<A> {
        self.on_cpu().strip = Some(opaque::question(strip));
        self
    }

    /// As [`Def::strip`] if the second input is known before the run: a scalar, with which input 0 keeps its shape.
    pub const fn strip_by_second(mut self, strip: fn(&A, &Tensor) -> Option<Strip>) -> Def<A> {
        self.on_cpu().strip_by_second = Some(opaque::question_of(strip));
        self
    }

    /// The attrs with which output 0 is the vector of the inputs when these are scalars.
    pub const fn stacks(mut self, stacks: fn(&A) -> bool) -> Def<A> {
        self.on_cpu().stacks = Some(opaque::question(stacks));
        self
    }

    /// What the kernel does with the result of a product before it, for float32, if the product can do that as well.
    pub const fn epilogue(mut self, epilogue: fn(&A) -> Option<Epilogue>) -> Def<A> {
        self.on_cpu().epilogue = Some(opaque::question(epilogue));
        self
    }

    /// For products: the attrs with which the kernel can also compute the nodes after it, and the function that does
    /// so.
    pub const fn finishes(mut self, which: fn(&A) -> bool, compute: Finishing<Cpu, A>) -> Def<A> {
        self.on_cpu().finished = Some((opaque::question(which), opaque::finishing(compute)));
        self
    }

    /// For products: how the kernel adds several of its results to a sum, if it does with these attrs.
    pub const fn accumulates(mut self, how: fn(&A) -> Option<Accumulation>) -> Def<A> {
        self.on_cpu().accumulates = Some(opaque::question(how));
        self
    }

    /// For ops that can be nodes of a chain that is computed tile by tile: the part that they play there, and how their output can be
    /// cut.
    pub const fn tiles(mut self, stage: Stage, cuts: fn(&A, &[Given<'_>]) -> Option<Cuts>) -> Def<A> {
        let body = self.on_cpu();
        (body.stage, body.cuts) = (Some(stage), Some(opaque::question_of_inputs(cuts)));
        self
    }

    /// For ops that only pad input 0 with zeros: the index of the input with the amounts, the last one.
    pub const fn margin_input(mut self, input: usize) -> Def<A> {
        self.on_cpu().margin_input = Some(input);
        self
    }

    /// Values of the attr `_kernel` that select the kernel, in addition to no value.
    pub const fn labels(mut self, labels: &'static [&'static str]) -> Def<A> {
        self.on_cpu().labels = labels;
        self
    }
}

/// How others use the op.
impl<A: OpAttrs> Def<A> {
    /// For ops that can take input 0 without its zero padding if their attrs describe the padding: those attrs.
    pub const fn with_margin(mut self, with_margin: WithMargin<A>) -> Def<A> {
        self.with_margin = Some(with_margin);
        self.on_cpu().with_margin = Some(Bound::<A>::with_margin);
        self
    }

    /// Its first name.
    pub const fn name(&self) -> &'static str {
        self.facts.spec.name
    }

    /// Its registry entries, one for every name.
    pub fn ops(&'static self) -> impl Iterator<Item = OpDef> {
        let any: &dyn AnyDef = self;
        any.ops()
    }

    /// Its kernel on the CPU, for every name.
    pub fn cpu_entries(&'static self) -> impl Iterator<Item = KernelEntry<Cpu>> {
        let any: &dyn AnyDef = self;
        any.cpu_entries()
    }

    /// A node's op, under the first name whose fixed fields are those of `attrs`.
    pub fn of(&'static self, attrs: A) -> Bound<A> {
        Bound { def: self, form: self.facts.form_of(&attrs.encode()), attrs }
    }

    /// A node's op, under the name `name`; `None` if it has no such name.
    pub fn called(&'static self, name: &str, attrs: A) -> Option<Bound<A>> {
        self.facts.called(name).map(|form| Bound { def: self, form, attrs })
    }

    /// The attrs of a node's op, if the op is this one under any of its names.
    pub fn attrs_of<'a>(&'static self, op: &'a dyn AnyOp) -> Option<&'a A> {
        let any: &dyn Any = op;
        any.downcast_ref::<Bound<A>>().filter(|op| std::ptr::eq(op.def, self)).map(|op| &op.attrs)
    }

    /// Whether its kernel on the CPU can be given pieces of its inputs, with these attrs.
    pub fn pieces(&self, attrs: &A) -> Piecewise {
        let piecewise = self.cpu.as_ref().and_then(|body| body.piecewise);
        piecewise.map_or(Piecewise::No, |piecewise| piecewise(Opaque::of(attrs)))
    }

    /// Builds a node of it for a gradient rule, with attrs that have their defaults or follow from the inputs; returns
    /// its first output.
    pub fn call<'g, const N: usize>(&'static self, inputs: [V<'g>; N]) -> V<'g> {
        const { assert!(N > 0, "attrs cannot be inferred for a node without inputs") };
        inputs[0].cx().op(self.name(), &inputs)
    }

    /// Infers the shapes of the outputs of a node with these attrs, under the name `name`, as far as they are known.
    ///
    /// # Errors
    /// If the inputs' shapes are invalid.
    pub fn infer(&'static self, name: &str, attrs: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
        if let Some(form) = self.facts.called(name) {
            cx.set_spec(&form.spec);
        }
        (self.shape)(attrs, cx)
    }

    /// Builds a node of it with these attrs, for a gradient rule, under the first name whose fixed fields are those of
    /// `attrs`; returns its first output.
    pub fn node<'g>(&'static self, g: &'g GradCx, attrs: &A, inputs: &[V<'g>]) -> V<'g> {
        self.facts.node(g, attrs.encode(), inputs)
    }
}

impl<A: OpAttrs> Decode for Def<A> {
    fn decode(&'static self, name: &str, attrs: &AttrMap) -> Result<Arc<dyn AnyOp>> {
        self.facts
            .decode(name, attrs, &|form, fields| Ok(Arc::new(Bound { def: self, form, attrs: A::decode(fields)? })))
    }
}

impl<A: OpAttrs> Differentiate for Def<A> {
    fn gradients(&'static self, op: &dyn AnyOp, g: &GradCx) -> Grads {
        let any: &dyn Any = op;
        match (any.downcast_ref::<Bound<A>>(), self.gradient) {
            (Some(op), Some(rule)) => rule(&op.attrs, g),
            _ => gradients_of_another(self, op, g),
        }
    }
}

impl<A: OpAttrs> Vectorize for Def<A> {
    fn batch(&'static self, op: &dyn AnyOp, b: &BatchCx<'_>) -> Batched {
        let any: &dyn Any = op;
        let op = any.downcast_ref::<Bound<A>>()?;
        self.batch.and_then(|rule| rule(&op.attrs, b))
    }
}

/// A node may ask for the gradient of another op, whose rule reads the attrs that the other op has.
#[cold]
fn gradients_of_another(def: &'static dyn AnyDef, op: &dyn AnyOp, g: &GradCx) -> Grads {
    let facts = def.facts();
    let decoded = match facts.has_gradient {
        true => def.decode(facts.spec.name, &op.encode()),
        false => Err(Error::internal("an op without a gradient rule")),
    };
    match decoded {
        Ok(op) => def.gradients(&*op, g),
        Err(error) => {
            g.fail(error);
            vec![None; g.num_inputs()]
        }
    }
}

impl<A: OpAttrs> AnyCell<Cpu> for Def<A> {
    fn make(&self, op: &Arc<dyn AnyOp>, device: &Arc<Cpu>) -> Option<Arc<dyn AnyKernel>> {
        make_on_cpu(self.cpu.as_ref()?, op, Bound::<A>::open, device)
    }
}

/// Not generic, so that it is compiled here and not with every family of ops.
fn make_on_cpu(body: &Body<Cpu>, op: &Arc<dyn AnyOp>, open: Open, cpu: &Arc<Cpu>) -> Option<Arc<dyn AnyKernel>> {
    body.make(op, open, cpu)
}

/// The op of a node: one name of a definition, and the node's attrs.
#[derive(Clone)]
pub struct Bound<A: 'static> {
    def: &'static Def<A>,
    form: &'static Named,
    attrs: A,
}

impl<A> Deref for Bound<A> {
    type Target = A;
    fn deref(&self) -> &A {
        &self.attrs
    }
}

/// Compiled once for all ops.
fn debug(f: &mut fmt::Formatter<'_>, form: &Named, attrs: &dyn fmt::Debug) -> fmt::Result {
    write!(f, "{} {attrs:?}", form.spec.name)
}

impl<A: fmt::Debug> fmt::Debug for Bound<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(f, self.form, &self.attrs)
    }
}

impl<A: OpAttrs> Bound<A> {
    /// The attrs of a node's op and the facts of its definition, if the op is of this type.
    fn open(op: &dyn AnyOp) -> Option<(Opaque<'_>, &'static Facts)> {
        let any: &dyn Any = op;
        any.downcast_ref::<Bound<A>>().map(|op| (Opaque::of(&op.attrs), &op.def.facts))
    }

    /// Applies [`Def::with_margin`] to a node's op.
    fn with_margin(op: &dyn AnyOp, margin: &[(usize, usize)]) -> Option<Arc<dyn AnyOp>> {
        let any: &dyn Any = op;
        let Bound { def, form, attrs } = any.downcast_ref::<Bound<A>>()?;
        let attrs = def.with_margin.and_then(|with_margin| with_margin(attrs, margin))?;
        Some(Arc::new(Bound { def, form, attrs }))
    }

    /// Returns the kernel on the CPU; `None` if the op has none, or none for these attrs.
    pub fn on_cpu(self, cpu: &Arc<Cpu>) -> Option<Arc<dyn AnyKernel>> {
        let def = self.def;
        let op: Arc<dyn AnyOp> = Arc::new(self);
        def.make(&op, cpu)
    }
}

impl<A: OpAttrs> AnyOp for Bound<A> {
    fn spec(&self) -> &'static Spec {
        &self.form.spec
    }
    fn name(&self) -> &str {
        self.form.spec.name
    }
    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.set_spec(&self.form.spec);
        (self.def.shape)(&self.attrs, cx)
    }
    fn flops(&self, inputs: &[PartialShape], outputs: &[PartialShape]) -> Option<f64> {
        self.def.flops.and_then(|flops| flops(&self.attrs, inputs, outputs))
    }
    fn workspace(&self, inputs: &[PartialShape], outputs: &[PartialShape], threads: usize) -> Option<f64> {
        self.def.workspace.and_then(|workspace| workspace(&self.attrs, inputs, outputs, threads))
    }
    fn constant(&self) -> Option<&Tensor> {
        self.def.constant.and_then(|constant| constant(&self.attrs))
    }
    fn is_stateful(&self) -> bool {
        self.def.stateful.map_or(self.form.spec.stateful, |stateful| stateful(&self.attrs))
    }
    fn encode(&self) -> AttrMap {
        self.form.attrs(self.attrs.encode(), A::ATTRS)
    }
}

/// The error of a kernel that does not handle tensors of `dtype`.
///
/// # Errors
/// `UNIMPLEMENTED`, always.
#[cold]
pub fn unsupported<T>(io: &Io<'_>, dtype: DType) -> Result<T> {
    Err(Error::unimplemented(format!("{} of {dtype}", io.node().op)))
}

/// Whether a device can hold the tensors of an op, besides those of these inputs and outputs, which stay on the host.
type Holds<D> = fn(&Arc<dyn AnyOp>, &D, &[isize], &[isize]) -> bool;

/// The kernel of a definition on a device that is not the CPU, in a `static` list of that device.
pub struct Cell<D, A: 'static> {
    def: &'static Def<A>,
    body: Body<D>,
    holds: Holds<D>,
}

impl<D: Device, A: OpAttrs> Cell<D, A> {
    /// The kernel of `def`, under all its names. `holds` returns whether the device can hold the tensors of a node.
    pub const fn new(
        def: &'static Def<A>,
        holds: Holds<D>,
        compute: fn(&A, &mut KernelCx<'_, '_, D>) -> Result<()>,
    ) -> Cell<D, A> {
        Cell { def, body: Body::new(opaque::kernel(compute)), holds }
    }

    /// The kernel's time grows with its inputs.
    pub const fn heavy(mut self) -> Cell<D, A> {
        self.body.cost = Cost::Heavy;
        self
    }

    /// The attrs that the kernel supports, if not all.
    pub const fn supports(mut self, supports: fn(&A) -> bool) -> Cell<D, A> {
        self.body.supports = Some(opaque::question(supports));
        self
    }
}

/// The cell of any definition.
pub trait CellOfDef<D: 'static>: AnyCell<D> {
    /// The definition.
    fn def(&self) -> &'static dyn AnyDef;
}

impl<D: Device> dyn CellOfDef<D> {
    /// The kernel under every name of the op.
    pub fn entries(&'static self) -> Vec<KernelEntry<D>> {
        self.def().entries(self)
    }
}

impl<D: Device, A: OpAttrs> AnyCell<D> for Cell<D, A> {
    fn make(&self, op: &Arc<dyn AnyOp>, device: &Arc<D>) -> Option<Arc<dyn AnyKernel>> {
        if (self.holds)(op, device, self.def.facts.host_inputs, self.def.facts.host_outputs) {
            self.body.make(op, Bound::<A>::open, device)
        } else {
            None
        }
    }
}

impl<D: Device, A: OpAttrs> CellOfDef<D> for Cell<D, A> {
    fn def(&self) -> &'static dyn AnyDef {
        self.def
    }
}
