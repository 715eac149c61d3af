//! How datasets were made: the op, attrs and inputs of their nodes. What looks at the datasets behind a dataset, or makes them anew
//! with other inputs, begins here.

use crate::dataset::Source;
use crate::prelude::*;
use levada_graph::AttrList;
use levada_graph::attr::Attrs;
use levada_kernel::io::{Io, NodeMeta, Parker};
use levada_kernel::{Completion, Wait};
use std::sync::Arc;

/// How deep datasets may be made of one another for what looks through all of them.
pub(crate) const MOST_DEEP: u32 = 256;

/// How a dataset was made.
pub(crate) struct Made {
    /// Its node.
    pub(crate) node: NodeMeta,
    /// The node's attrs.
    pub(crate) attrs: Attrs,
    /// What it was made of; `None` for what it took.
    pub(crate) inputs: Box<[Option<Tensor>]>,
}

impl Made {
    /// By the node of a kernel.
    pub(crate) fn by(cx: &Cx<'_, '_>) -> Made {
        let inputs = (0..cx.num_inputs()).map(|i| cx.input(i).ok().cloned()).collect();
        Made { node: cx.node().clone(), attrs: cx.op.encode(), inputs }
    }

    /// Name of the op without its version.
    pub(crate) fn kind(&self) -> &str {
        without_version(self.node.op)
    }
}

/// The name of an op without `V2` and the like.
pub(crate) fn without_version(op: &str) -> &str {
    let name = op.trim_end_matches(|c: char| c.is_ascii_digit());
    match name.strip_suffix('V') {
        Some(first) if name.len() < op.len() => first,
        _ => op,
    }
}

impl Source {
    /// What the node of the dataset was given; nothing where no node made it.
    pub(crate) fn inputs(&self) -> Vec<Tensor> {
        let Some(made) = &self.made else { return Vec::new() };
        let (first, taken) = self.parts();
        let part = |i: usize| i.checked_sub(first).and_then(|i| taken.get(i));
        let given = made.inputs.iter().enumerate();
        given.filter_map(|(i, input)| part(i).or(input.as_ref()).cloned()).collect()
    }

    /// Its first input, where that is a dataset.
    pub(crate) fn first(&self) -> Option<Source> {
        let first = self.made.as_ref()?.inputs.first()?.as_ref()?;
        Source::of(first).ok()
    }

    /// The same dataset made of other inputs.
    ///
    /// # Errors
    /// As [`remake`].
    pub(crate) fn remade(&self, cx: &Cx<'_, '_>, inputs: Vec<Tensor>) -> Result<Source> {
        match &self.made {
            Some(made) => {
                let new = make(cx, &made.node, &made.attrs, inputs)?;
                // Options of nodes that give their input on.
                let (options, budget) = (self.options.clone(), self.budget());
                Ok(new.with_options(options).within(budget))
            }
            None => Ok(self.clone()),
        }
    }

    /// As [`Source::remade`], with another first input.
    ///
    /// # Errors
    /// As [`remake`].
    pub(crate) fn on(&self, cx: &Cx<'_, '_>, first: &Source) -> Result<Source> {
        let mut inputs = self.inputs();
        if let Some(input) = inputs.first_mut() {
            *input = first.tensor();
        }
        self.remade(cx, inputs)
    }
}

/// The dataset that a node of this family makes of these inputs.
///
/// # Errors
/// What its kernel fails with, and `UNIMPLEMENTED` where there is none.
pub(crate) fn make(cx: &Cx<'_, '_>, node: &NodeMeta, attrs: &Attrs, inputs: Vec<Tensor>) -> Result<Source> {
    let none =
        || Error::unimplemented(format!("the op {} makes no dataset here", node.op)).at_node(&node.name, node.op);
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

/// A node whose kernel does not wait for anything.
struct Alone;

impl Parker for Alone {
    fn park(&mut self, _: Wait) -> Completion {
        Completion::new(|_| ())
    }
}

/// The attrs that say what elements are.
pub(crate) fn element_attrs(types: &[DType], shapes: Vec<PartialShape>) -> Attrs {
    let mut attrs = Attrs::new();
    let types = types.iter().map(|&dtype| EdgeType::from(dtype)).collect();
    attrs.set("output_types", AttrValue::List(AttrList::Type(types)));
    attrs.set("output_shapes", AttrValue::List(AttrList::Shape(shapes)));
    attrs
}
