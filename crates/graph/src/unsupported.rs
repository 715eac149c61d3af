//! Unsupported nodes: their op, an attr or a dtype is not supported, so that no run can execute them.

use crate::attr::Attrs;
use crate::error::{Error, Result};
use crate::graph::{Graph, Node, NodeId};
use crate::infer::ShapeCx;
use crate::op::AnyOp;
use crate::shape::PartialShape;
use crate::spec::Spec;
use crate::tensor::Tensor;
use std::any::Any;
use std::collections::HashSet;
use std::sync::Arc;

/// The op of an unsupported node, or of a node whose types are unknown because of an unsupported node before it.
///
/// The node keeps its position, attrs and inputs, so that the graph can be written, placed and imported unchanged. A
/// run that reaches the node fails with [`Unsupported::errors`].
#[derive(Clone, Debug)]
pub struct Unsupported {
    name: Arc<str>,
    stateful: bool,
    errors: Arc<[Error]>,
    own: bool,
}

impl Unsupported {
    /// The op named `name` of a node that has these errors; `own` if the node itself is unsupported.
    pub(crate) fn new(name: &str, errors: Arc<[Error]>, own: bool) -> Unsupported {
        Unsupported { name: name.into(), stateful: crate::known_ops::is_stateful(name), errors, own }
    }

    /// The unsupported features, each error with its location in the file. Errors of another node name that node.
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    /// True if this node itself is unsupported, false if an input of it is.
    pub fn is_own(&self) -> bool {
        self.own
    }

    /// All errors as one.
    pub fn error(&self) -> Error {
        Error::join(self.errors.to_vec()).unwrap_or_else(|| Error::internal("a node is not supported without a reason"))
    }
}

impl AnyOp for Unsupported {
    fn spec(&self) -> &'static Spec {
        if self.stateful { &Spec::STATEFUL } else { &Spec::PURE }
    }
    fn name(&self) -> &str {
        &self.name
    }
    fn shape(&self, _: &mut ShapeCx<'_>) -> Result<()> {
        Ok(())
    }
    fn flops(&self, _: &[PartialShape], _: &[PartialShape]) -> Option<f64> {
        None
    }
    fn constant(&self) -> Option<&Tensor> {
        None
    }
    fn is_stateful(&self) -> bool {
        self.stateful
    }
    fn encode(&self) -> Attrs {
        Attrs::new()
    }
}

impl Node {
    /// The unsupported features of the node; `None` for a supported node.
    pub fn unsupported(&self) -> Option<&Unsupported> {
        let op: &dyn Any = &*self.op;
        op.downcast_ref()
    }
}

impl Graph {
    /// All unsupported features of nodes in this graph, in one error; `None` if every node is supported.
    pub fn unsupported(&self) -> Option<Error> {
        self.unsupported_among(self.ids())
    }

    /// The unsupported features of these nodes, in one error. A fault that several of them share is listed once.
    pub fn unsupported_among(&self, nodes: impl IntoIterator<Item = NodeId>) -> Option<Error> {
        let lacking = nodes.into_iter().filter_map(|id| self.node(id).unsupported());
        // A node at fault comes before those that fail because of it.
        let (own, others): (Vec<&Unsupported>, Vec<&Unsupported>) = lacking.partition(|op| op.is_own());
        let mut seen = HashSet::new();
        let faults = own.into_iter().chain(others).flat_map(Unsupported::errors);
        let once = faults.filter(|e| seen.insert((e.fault().node.clone(), e.fault().path.clone(), e.message())));
        Error::join(once.cloned().collect())
    }

    /// Names the file in the errors of unsupported nodes.
    pub(crate) fn name_file(&mut self, file: &str) {
        for id in self.ids() {
            let Some(op) = self.node(id).unsupported() else { continue };
            let errors = op.errors.iter().map(|e| e.clone().in_file(file)).collect();
            self.node_mut(id).op = Arc::new(Unsupported { errors, ..op.clone() });
        }
    }
}
