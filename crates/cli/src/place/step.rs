//! The step that `levada place` analyses: the nodes that run, and the shapes of the feeds.

use crate::feed;
use levada::compile::infer::{Shapes, infer};
use levada::compile::known::Known;
use levada::compile::{Pruned, Signature, prune};
use levada::graph::spec::Role;
use levada::graph::{DType, NodeId, PartialShape};
use levada::kernel::AnyDevice;
use levada::placer::Costs;
use levada::{Endpoint, Error, Graph, Result, Tensor};
use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;
use std::sync::Arc;

/// One `--feed`: an endpoint and the shape of its value.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapedFeed {
    /// The endpoint.
    pub name: String,
    /// Where its shape comes from.
    pub shape: ShapeSource,
}

/// Where a shape comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeSource {
    /// The shape in the graph.
    Graph,
    /// These sizes.
    Dims(Vec<usize>),
    /// The array that `run` would feed, written as for `run` but without the `@`.
    File(String),
}

const HOW: &str = "write NAME=32x784, NAME=[32, 784], NAME=@FILE.npy for the shape of an array, or only NAME";

impl FromStr for ShapedFeed {
    type Err = String;

    fn from_str(text: &str) -> Result<ShapedFeed, String> {
        let (name, shape) = text.split_once('=').map_or((text, None), |(name, shape)| (name, Some(shape)));
        if name.is_empty() {
            return Err(HOW.to_owned());
        }
        let shape = match shape {
            None => ShapeSource::Graph,
            Some(text) => match text.strip_prefix('@') {
                Some("") => return Err("write a file name after the @".to_owned()),
                Some(file) => ShapeSource::File(file.to_owned()),
                None => ShapeSource::Dims(dims(text).ok_or_else(|| HOW.to_owned())?),
            },
        };
        Ok(ShapedFeed { name: name.to_owned(), shape })
    }
}

/// `32x784`, `[32, 784]`, `[]` for a single value; a dtype may follow, as in `[32, 784]:float32`.
fn dims(text: &str) -> Option<Vec<usize>> {
    let text = match text.rsplit_once(':') {
        Some((shape, dtype)) if DType::parse(dtype).is_some() => shape,
        Some(_) => return None,
        None => text,
    };
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    let parts: Vec<&str> = match inner {
        Some(list) if list.trim().is_empty() => Vec::new(),
        Some(list) => list.split(',').collect(),
        None => text.split('x').collect(),
    };
    parts.into_iter().map(|part| part.trim().parse().ok()).collect()
}

/// A step of a graph.
pub struct Step {
    /// Nodes that run and those that are fed, inputs first.
    pub nodes: Vec<NodeId>,
    pruned: Pruned,
    known: Known,
}

impl Step {
    /// The requested step; `None` for the whole graph.
    ///
    /// # Errors
    /// What is wrong with a name or a shape.
    pub fn of(
        (fetch, target, feed): (&[String], &[String], &[ShapedFeed]),
        graph: &Graph,
        devices: &[Arc<dyn AnyDevice>],
    ) -> Result<Option<Step>> {
        if fetch.is_empty() && target.is_empty() {
            return match feed.first() {
                None => Ok(None),
                Some(feed) => Err(Error::invalid(format!("--feed {} feeds nothing that runs", feed.name))
                    .help("name the step with --fetch or --target")),
            };
        }
        let whole = shapes(graph);
        let mut feeds = HashMap::new();
        let mut order = Vec::new();
        for feed in feed {
            let endpoint = graph.endpoint(&feed.name)?;
            let known = whole.get(endpoint);
            let shape = feed.checked(graph, &known)?;
            feeds.insert(endpoint, shape);
            order.push(endpoint);
        }
        let find = |name: &String| graph.find(name).ok_or_else(|| graph.unknown_node(name, name));
        let mut targets = target.iter().map(find).collect::<Result<Vec<_>>>()?;
        let mut fetches = Vec::new();
        for name in fetch {
            match graph.find(name) {
                // Fetching an operation runs it.
                Some(id) if graph.node(id).output_types.is_empty() => targets.push(id),
                _ => fetches.push(graph.endpoint(name)?),
            }
        }
        let pruned = prune(graph, &Signature { feeds: order.clone(), fetches, targets, ..Signature::default() })?;
        let fed: BTreeSet<_> = order.iter().map(|e| e.node).filter(|&id| !pruned.contains(id)).collect();
        let nodes = fed.into_iter().chain(pruned.order.iter().copied()).collect();
        let known = Known::on(devices, graph, &pruned, &feeds);
        Ok(Some(Step { nodes, pruned, known }))
    }

    /// Costs estimated from the shapes that follow from those of the feeds.
    pub fn costs(&self, graph: &Graph) -> Costs {
        let mut costs = Costs::estimate(graph, &|endpoint| self.known.shape(endpoint));
        self.nodes.iter().filter(|&&id| !self.pruned.contains(id)).for_each(|&id| costs.feed(id));
        costs
    }

    /// Names of placeholders whose size neither the graph nor a feed determines, so that their costs are unknown.
    pub fn unknown<'g>(&self, graph: &'g Graph) -> Vec<&'g str> {
        vague(graph, |endpoint| self.known.shape(endpoint), self.nodes.iter().copied())
    }
}

impl ShapedFeed {
    /// Its shape, checked against `known`, the shape in the graph.
    ///
    /// # Errors
    /// A file that cannot be read, and a shape that the graph does not allow.
    pub fn checked(&self, graph: &Graph, known: &PartialShape) -> Result<PartialShape> {
        let endpoint = graph.endpoint(&self.name)?;
        let shape = self.shape(known)?;
        if !shape.is_compatible(known) {
            let node = graph.node(endpoint.node);
            return Err(Error::invalid(format!("--feed {} has a shape that the graph does not allow", self.name))
                .at_node(&node.name, node.op_name())
                .expected(known)
                .found(shape));
        }
        Ok(shape)
    }

    fn shape(&self, known: &PartialShape) -> Result<PartialShape> {
        Ok(match &self.shape {
            ShapeSource::Graph => known.clone(),
            ShapeSource::Dims(dims) => PartialShape::new(dims.iter().map(|&d| Some(d))),
            ShapeSource::File(path) => PartialShape::new(feed::file(path)?.shape().dims().iter().map(|&d| Some(d))),
        })
    }
}

/// Zeros for an endpoint that is fed.
///
/// # Errors
/// `INVALID_ARGUMENT` for a shape that is not fully known, `RESOURCE_EXHAUSTED` if there is no memory.
pub fn zeros(graph: &Graph, name: &str, shape: &PartialShape) -> Result<Tensor> {
    let dtype = graph.endpoint_type(graph.endpoint(name)?).map_or(DType::F32, |t| t.dtype);
    let shape = shape.known().ok_or_else(|| {
        Error::invalid(format!("the step cannot run: the shape of {name} is not known"))
            .found(shape)
            .help(format!("--feed {name}=SHAPE sets it"))
    })?;
    Tensor::try_zeros(dtype, shape)
}

/// The shapes that shape inference finds for the whole graph.
pub fn shapes(graph: &Graph) -> Shapes {
    let signature = Signature { targets: graph.ids().collect(), ..Signature::default() };
    prune(graph, &signature).map(|pruned| infer(graph, &pruned).0).unwrap_or_default()
}

/// As [`Step::unknown`], for the whole graph.
pub fn unknown(graph: &Graph) -> Vec<&str> {
    let shapes = shapes(graph);
    vague(graph, |endpoint| shapes.get(endpoint), graph.ids())
}

fn vague(graph: &Graph, shape: impl Fn(Endpoint) -> PartialShape, nodes: impl Iterator<Item = NodeId>) -> Vec<&str> {
    let is_vague = |id: &NodeId| {
        graph.node(*id).spec().role == Role::Placeholder && shape(Endpoint::from(*id)).num_elements().is_none()
    };
    nodes.filter(is_vague).map(|id| &*graph.node(id).name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feeds_have_shapes() {
        let shape = |text: &str| ShapedFeed::from_str(text).unwrap().shape;
        assert_eq!(shape("x"), ShapeSource::Graph);
        assert_eq!(shape("x=32x784"), ShapeSource::Dims(vec![32, 784]));
        assert_eq!(shape("x=[32, 784]"), ShapeSource::Dims(vec![32, 784]));
        assert_eq!(shape("x=[]"), ShapeSource::Dims(vec![]));
        assert_eq!(shape("x:1=5"), ShapeSource::Dims(vec![5]));
        assert_eq!(shape("x=[2,3]:float32"), ShapeSource::Dims(vec![2, 3]));
        assert_eq!(shape("x=@a.npz:b"), ShapeSource::File("a.npz:b".to_owned()));
        for wrong in ["", "=3", "x=", "x=@", "x=-1", "x=3x", "x=[1", "x=1.5", "x=[1]:flat"] {
            ShapedFeed::from_str(wrong).unwrap_err();
        }
    }
}
