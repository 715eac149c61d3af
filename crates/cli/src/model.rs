//! Models on the command line: what a path holds, and flags in the names of a signature.

use crate::args::StepArgs;
use crate::feed::{self, Feed};
use levada::graph::meta::SignatureDef;
use levada::graph::read::{self, Kind};
use levada::saved_model::signature::endpoints;
use levada::{Model, OpenOptions, Result};
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

/// True where a path holds something that is called by a signature where nothing else is asked for.
pub fn has_signatures(path: &Path) -> bool {
    matches!(Kind::of(path), Ok(Kind::SavedModel(_) | Kind::Onnx))
}

/// What a step feeds and fetches, in names of the graph.
pub struct Named {
    /// Values of endpoints.
    pub feed: Vec<Feed>,
    /// As `feed`, for those that are not cut into batches.
    pub whole: Vec<Feed>,
    /// Endpoints to fetch.
    pub fetch: Vec<String>,
    /// How each of `fetch` was asked for.
    labels: Vec<String>,
}

impl Named {
    /// What the flags of a step ask for. Where a signature was named, or the model is called by one, names may be its own, and
    /// all of its outputs are fetched where nothing is asked for.
    ///
    /// # Errors
    /// `NOT_FOUND` where the model lacks the signature, or has several and none was named.
    pub fn of(args: &StepArgs, whole: &[Feed], model: &mut Model) -> Result<Named> {
        let mut named = Named {
            feed: args.feed.clone(),
            whole: whole.to_vec(),
            fetch: args.fetch.clone(),
            labels: args.fetch.clone(),
        };
        let nothing = args.fetch.is_empty() && args.target.is_empty() && args.init.is_empty();
        let signature = match &args.signature {
            Some(name) => Some(model.signature(Some(name))?.1),
            None if model.kind == Kind::Graph => None,
            None if nothing => Some(model.signature(None)?.1),
            None => model.signature(None).ok().map(|(_, def)| def),
        };
        if let Some(signature) = signature {
            named.apply(&signature, nothing);
        }
        named.translate(model);
        Ok(named)
    }

    /// Puts endpoints of the graph in the place of names of an ONNX model's values.
    fn translate(&mut self, model: &Model) {
        let feeds = self.feed.iter_mut().chain(&mut self.whole).map(|feed| &mut feed.name);
        for name in feeds.chain(&mut self.fetch) {
            if let (Err(_), Some(endpoint)) = (model.graph.endpoint(name), model.values.get(name)) {
                name.clone_from(endpoint);
            }
        }
    }

    fn apply(&mut self, signature: &SignatureDef, all: bool) {
        let outputs = endpoints(&signature.outputs);
        if all {
            self.labels = outputs.iter().map(|(name, _)| name.clone()).collect();
            self.fetch.clone_from(&self.labels);
        }
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

    /// How those of the fetches were asked for that are no operations.
    pub fn labels(&self, operations: &[String]) -> Vec<String> {
        let values = self.fetch.iter().zip(&self.labels).filter(|(fetch, _)| !operations.contains(fetch));
        values.map(|(_, label)| label.clone()).collect()
    }
}
