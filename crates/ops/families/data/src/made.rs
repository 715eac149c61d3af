//! How datasets were made: the op, attrs and inputs of their nodes. Used to inspect the datasets that a dataset is made
//! of, or to recreate them with other inputs.

use crate::dataset::Source;
use crate::function::COPY;
use crate::prelude::*;
use levada_graph::attr::Attrs;
use levada_graph::{AttrList, Func};
use levada_kernel::io::{Io, NodeMeta, Parker};
use levada_kernel::{Completion, Wait};
use std::sync::Arc;

/// Maximum nesting depth of datasets for code that traverses all of them.
pub(crate) const MOST_DEEP: u32 = 256;

/// How a dataset was made.
pub(crate) struct Made {
    /// Its node.
    pub(crate) node: NodeMeta,
    /// The node's attrs.
    pub(crate) attrs: Attrs,
    /// The inputs that it was made of; `None` for those it took.
    pub(crate) inputs: Box<[Option<Tensor>]>,
}

impl Made {
    /// Records the node of a kernel.
    pub(crate) fn by(cx: &Cx<'_, '_>) -> Made {
        let inputs = (0..cx.num_inputs()).map(|i| cx.input(i).ok().cloned()).collect();
        Made { node: cx.node().clone(), attrs: cx.op.encode(), inputs }
    }

    /// Whether it calls functions.
    pub(crate) fn has_functions(&self) -> bool {
        self.attrs.iter().any(|(_, value)| matches!(value, AttrValue::Func(_) | AttrValue::List(AttrList::Func(_))))
    }

    /// The node's attrs for its `n`-th copy, whose functions have a state of their own.
    pub(crate) fn attrs_of_copy(&self, n: usize) -> Attrs {
        let mut attrs = self.attrs.clone();
        let mark = |function: &Func| {
            let mut function = function.clone();
            function.attrs.set(COPY, AttrValue::I(n as i64));
            function
        };
        for (name, value) in self.attrs.iter() {
            let marked = match value {
                AttrValue::Func(function) => AttrValue::Func(mark(function)),
                AttrValue::List(AttrList::Func(all)) => AttrValue::List(AttrList::Func(all.iter().map(mark).collect())),
                _ => continue,
            };
            attrs.set(name.clone(), marked);
        }
        attrs
    }

    /// Name of the op without its version.
    pub(crate) fn kind(&self) -> &str {
        without_version(self.node.op)
    }
}

/// Strips `V2` and the like from the name of an op.
pub(crate) fn without_version(op: &str) -> &str {
    let name = op.trim_end_matches(|c: char| c.is_ascii_digit());
    match name.strip_suffix('V') {
        Some(first) if name.len() < op.len() => first,
        _ => op,
    }
}

impl Source {
    /// Returns the inputs of the dataset's node; empty if no node made it.
    pub(crate) fn inputs(&self) -> Vec<Tensor> {
        let Some(made) = &self.made else { return Vec::new() };
        let (first, taken) = self.parts();
        let part = |i: usize| i.checked_sub(first).and_then(|i| taken.get(i));
        let given = made.inputs.iter().enumerate();
        given.filter_map(|(i, input)| part(i).or(input.as_ref()).cloned()).collect()
    }

    /// Returns its first input, if that is a dataset.
    pub(crate) fn first(&self) -> Option<Source> {
        let first = self.made.as_ref()?.inputs.first()?.as_ref()?;
        Source::of(first).ok()
    }

    /// Returns the same dataset made of other inputs.
    ///
    /// # Errors
    /// Those of [`make`].
    pub(crate) fn remade(&self, cx: &Cx<'_, '_>, inputs: Vec<Tensor>) -> Result<Source> {
        match &self.made {
            Some(made) => Ok(make(cx, &made.node, &made.attrs, inputs)?.passed_like(self)),
            None => Ok(self.clone()),
        }
    }

    /// Returns the `n`-th copy of the dataset, made of these inputs, whose functions have a state of their own.
    ///
    /// # Errors
    /// Those of [`make`].
    pub(crate) fn copied(&self, cx: &Cx<'_, '_>, inputs: Vec<Tensor>, n: usize) -> Result<Source> {
        match &self.made {
            Some(made) => Ok(make(cx, &made.node, &made.attrs_of_copy(n), inputs)?.passed_like(self)),
            None => Ok(self.clone()),
        }
    }

    /// Like [`Source::remade`], replacing only the first input.
    ///
    /// # Errors
    /// Those of [`make`].
    pub(crate) fn on(&self, cx: &Cx<'_, '_>, first: &Source) -> Result<Source> {
        let mut inputs = self.inputs();
        if let Some(input) = inputs.first_mut() {
            *input = first.tensor();
        }
        self.remade(cx, inputs)
    }
}

/// Returns the dataset that a node of this family makes of these inputs.
///
/// # Errors
/// Those of its kernel, and `UNIMPLEMENTED` if there is no such kernel.
pub(crate) fn make(cx: &Cx<'_, '_>, node: &NodeMeta, attrs: &Attrs, inputs: Vec<Tensor>) -> Result<Source> {
    let none = || {
        Error::unimplemented(format!("the op {} does not create a dataset here", node.op)).at_node(&node.name, node.op)
    };
    let entry = crate::ops().into_iter().find(|entry| entry.def.spec.name == node.op).ok_or_else(none)?;
    let op = entry.def.decode(attrs)?;
    let cpu = Arc::new(Cpu { arena: cx.device.arena.clone() });
    let kernel = entry.cpu.make(&op, &cpu).ok_or_else(none)?;
    let mut inputs: Vec<Entry> = inputs.into_iter().map(Entry::Value).collect();
    let mut outputs = [Entry::Empty];
    let mut alone = Alone;
    let mut io = Io::new(&mut inputs, &mut outputs, node, cx.step(), &mut alone);
    kernel.compute(&mut io)?;
    match (io.is_deferred(), outputs) {
        (false, [Entry::Value(dataset)]) => Source::of(&dataset),
        _ => Err(none()),
    }
}

/// Runs a node whose kernel does not wait for anything.
struct Alone;

impl Parker for Alone {
    fn park(&mut self, _: Wait) -> Completion {
        Completion::new(|_| ())
    }
}

/// Returns the attrs that describe elements.
pub(crate) fn element_attrs(types: &[DType], shapes: Vec<PartialShape>) -> Attrs {
    let mut attrs = Attrs::new();
    let types = types.iter().map(|&dtype| EdgeType::from(dtype)).collect();
    attrs.set("output_types", AttrValue::List(AttrList::Type(types)));
    attrs.set("output_shapes", AttrValue::List(AttrList::Shape(shapes)));
    attrs
}
