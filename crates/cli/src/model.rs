//! Models on the command line: opens what a path holds, and resolves flags that use names of a signature.

use crate::args::StepArgs;
use crate::checks::{example, tensor_of};
use crate::feed::{self, Feed};
use levada::graph::graph::split_endpoint;
use levada::graph::meta::SignatureDef;
use levada::graph::read::{self, Kind};
use levada::graph::spec::Role;
use levada::saved_model::signature::endpoints;
use levada::{DType, Error, Graph, Model, OpenOptions, Result};
use std::collections::HashMap;
use std::path::Path;

/// Opens what a path holds; `-` is a graph from standard input.
///
/// # Errors
/// What is wrong with the file or the graph.
pub fn open(path: &Path, strict: bool, tags: &[String]) -> Result<Model> {
    if path == Path::new("-") {
        let graph = read::Options { strict }.bytes(&feed::standard_input()?, &levada::registry());
        let graph = graph.map_err(|e| e.in_file("standard input"))?;
        return Ok(Model { graph, kind: Kind::Graph, saved: None, values: Default::default() });
    }
    let tags = (!tags.is_empty()).then(|| tags.to_vec());
    levada::open(path, &OpenOptions { strict, tags })
}

/// True if a path holds a model that is called by a signature by default.
pub fn has_signatures(path: &Path) -> bool {
    matches!(Kind::of(path), Ok(Kind::SavedModel(_) | Kind::Onnx))
}

/// What a step feeds and fetches, in names of the graph.
pub struct Named {
    /// Values of endpoints.
    pub feed: Vec<Feed>,
    /// As `feed`, for those that are not split into batches.
    pub whole: Vec<Feed>,
    /// Endpoints to fetch.
    pub fetch: Vec<String>,
    /// The names by which `fetch` was requested.
    labels: Vec<String>,
}

impl Named {
    /// Resolves the flags of a step. If a signature was named, or the model is called by one, names may be those of the
    /// signature, and all of its outputs are fetched by default.
    ///
    /// # Errors
    /// `NOT_FOUND` if the model lacks the signature, or has several and none was named.
    pub fn of(args: &StepArgs, whole: &[Feed], model: &mut Model) -> Result<Named> {
        let mut named = Named {
            feed: args.feed.clone(),
            whole: whole.to_vec(),
            fetch: args.fetch.clone(),
            labels: args.fetch.clone(),
        };
        let nothing = args.fetch.is_empty() && args.target.is_empty() && args.init.is_empty();
        let signature = match &args.signature {
            Some(name) => Some(model.signature(Some(name))?),
            None if model.kind == Kind::Graph => None,
            None if nothing => Some(model.signature(None)?),
            None => model.signature(None).ok(),
        };
        if let Some((name, signature)) = signature {
            if nothing {
                named.all(&name, &signature, &model.graph)?;
            }
            named.apply(&signature);
        }
        named.translate(model);
        Ok(named)
    }

    /// Replaces names of an ONNX model's values by endpoints of the graph.
    fn translate(&mut self, model: &Model) {
        let feeds = self.feed.iter_mut().chain(&mut self.whole).map(|feed| &mut feed.name);
        for name in feeds.chain(&mut self.fetch) {
            if let (Err(_), Some(endpoint)) = (model.graph.endpoint(name), model.values.get(name)) {
                name.clone_from(endpoint);
            }
        }
    }

    /// Fetches all outputs, which need all inputs.
    fn all(&mut self, name: &str, signature: &SignatureDef, graph: &Graph) -> Result<()> {
        self.labels = endpoints(&signature.outputs).into_iter().map(|(name, _)| name).collect();
        self.fetch.clone_from(&self.labels);
        let fed: Vec<&str> = self.feed.iter().chain(&self.whole).map(|feed| feed.name.as_str()).collect();
        let mut faults = Vec::new();
        for (input, def) in endpoints(&signature.inputs) {
            let node = split_endpoint(&def.endpoint).0;
            // Another node may have a value of its own.
            let is_bare = graph.find(node).is_some_and(|id| graph.node(id).spec().role == Role::Placeholder);
            if !is_bare || fed.iter().any(|fed| *fed == input || split_endpoint(fed).0 == node) {
                continue;
            }
            let dtype = def.dtype.map_or(DType::F32, |ty| ty.dtype);
            faults.push(
                Error::invalid(format!("there is no value for {input}, an input of the signature {name}"))
                    .expected(tensor_of(dtype, &def.shape))
                    .help(format!("--feed {}", example(&input, dtype, &def.shape))),
            );
        }
        Error::join(faults).map_or(Ok(()), Err)
    }

    fn apply(&mut self, signature: &SignatureDef) {
        let outputs = endpoints(&signature.outputs);
        let inputs: HashMap<String, String> =
            endpoints(&signature.inputs).into_iter().map(|(name, def)| (name, def.endpoint.clone())).collect();
        for feed in self.feed.iter_mut().chain(&mut self.whole) {
            if let Some(endpoint) = inputs.get(&feed.name) {
                feed.name.clone_from(endpoint);
            }
        }
        for fetch in &mut self.fetch {
            if let Some((_, def)) = outputs.iter().find(|(name, _)| name == fetch) {
                fetch.clone_from(&def.endpoint);
            }
        }
    }

    /// The requested names of the fetches that are not operations.
    pub fn labels(&self, operations: &[String]) -> Vec<String> {
        let values = self.fetch.iter().zip(&self.labels).filter(|(fetch, _)| !operations.contains(fetch));
        values.map(|(_, label)| label.clone()).collect()
    }
}
