//! Runs of a session by the names that a signature gives its arguments and results.

use levada_graph::meta::{SignatureDef, TensorDef};
use levada_graph::op::nearest;
use levada_graph::{Error, Result, Tensor};
use levada_session::{Callable, CallableOptions, RunOptions, Session};
use std::collections::BTreeMap;

/// The default signature for serving.
pub const DEFAULT: &str = "serving_default";
/// A signature that cannot be called: it names the op that initializes the model.
pub(crate) const INIT: &str = "__saved_model_init_op";
/// A signature that names the op that trains, in models of old exporters.
const TRAIN: &str = "__saved_model_train_op";

/// The signatures that a model can be called by.
pub fn callable(signatures: &BTreeMap<String, SignatureDef>) -> impl Iterator<Item = (&str, &SignatureDef)> {
    signatures.iter().map(|(name, def)| (name.as_str(), def)).filter(|(name, _)| *name != INIT && *name != TRAIN)
}

/// The signature with this name; without a name the only one or the default.
///
/// # Errors
/// `NOT_FOUND` with the available names.
pub fn choose<'s>(
    signatures: &'s BTreeMap<String, SignatureDef>,
    name: Option<&str>,
) -> Result<(&'s str, &'s SignatureDef)> {
    let all: Vec<(&str, &SignatureDef)> = callable(signatures).collect();
    let found = match (name, all.as_slice()) {
        (Some(name), _) => all.iter().find(|(known, _)| *known == name),
        (None, [one]) => Some(one),
        (None, all) => all.iter().find(|(known, _)| *known == DEFAULT),
    };
    found.copied().ok_or_else(|| missing(name, all.iter().map(|(name, _)| *name)))
}

/// The error for a signature that a model does not have.
pub(crate) fn missing<'n>(name: Option<&str>, known: impl Iterator<Item = &'n str> + Clone) -> Error {
    let listed = known.clone().collect::<Vec<_>>().join(", ");
    let error = match name {
        Some(name) => Error::not_found(format!("the model has no signature {name:?}")),
        None if listed.is_empty() => Error::not_found("the model has no signature"),
        None => Error::not_found(format!("the model has several signatures and none named {DEFAULT}")),
    };
    let error = if listed.is_empty() { error } else { error.found(listed) };
    match name.and_then(|name| nearest(name, known)) {
        Some(near) => error.help(format!("did you mean {near:?}?")),
        None => error.help("name one of them; `levada inspect` shows their inputs and outputs"),
    }
}

/// Endpoints of one side of a signature, by name. Tensors with several components have one name for each, such as
/// `x.values`.
pub fn endpoints(side: &BTreeMap<String, TensorDef>) -> Vec<(String, &TensorDef)> {
    let mut all = Vec::new();
    for (name, def) in side {
        if def.parts.is_empty() {
            all.push((name.clone(), def));
        }
        all.extend(def.parts.iter().map(|(part, def)| (format!("{name}.{part}"), def)));
    }
    all
}

/// A signature of a model in a session, prepared to be run. Each thread has its own clone, as of a [`Session`].
#[derive(Clone)]
pub struct Signature {
    name: String,
    inputs: Vec<(String, TensorDef)>,
    outputs: Vec<String>,
    defaults: BTreeMap<String, Tensor>,
    callable: Callable,
}

impl Signature {
    /// Prepares a signature of the session's graph.
    ///
    /// # Errors
    /// `NOT_FOUND` if the graph lacks a node that it names, and any error that prevents its nodes from running.
    pub fn new(session: &Session, name: &str, def: &SignatureDef) -> Result<Signature> {
        let inputs: Vec<(String, TensorDef)> =
            endpoints(&def.inputs).into_iter().map(|(name, def)| (name, def.clone())).collect();
        let outputs = endpoints(&def.outputs);
        let named = |what: &str, error: Error| error.found(format!("{what} of the signature {name}"));
        let graph = session.graph();
        for (argument, def) in &inputs {
            graph.endpoint(&def.endpoint).map_err(|e| named(&format!("the input {argument}"), e))?;
        }
        // An output without a value is an operation, which is run.
        let options = CallableOptions::new(
            inputs.iter().map(|(_, def)| def.endpoint.clone()),
            outputs.iter().map(|(_, def)| def.endpoint.clone()),
            [],
        );
        let callable = session.callable(&options)?;
        let outputs = outputs.into_iter().map(|(name, _)| name).collect();
        Ok(Signature { name: name.to_owned(), inputs, outputs, defaults: def.defaults.clone(), callable })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names and descriptions of its arguments.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, &TensorDef)> {
        self.inputs.iter().map(|(name, def)| (name.as_str(), def))
    }

    /// Names of its results.
    pub fn outputs(&self) -> impl Iterator<Item = &str> {
        self.outputs.iter().map(String::as_str)
    }

    /// Runs it with a value for each argument by name, in any order. Returns the results by name.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for missing and unknown arguments and those of another dtype or shape, all in one error;
    /// otherwise the error of the run.
    pub fn run(&self, arguments: &[(&str, Tensor)]) -> Result<BTreeMap<String, Tensor>> {
        self.run_with(&RunOptions::default(), arguments)
    }

    /// As [`Signature::run`], with options.
    ///
    /// # Errors
    /// As [`Signature::run`]; `CANCELLED` and `DEADLINE_EXCEEDED` as the options say.
    pub fn run_with(&self, options: &RunOptions, arguments: &[(&str, Tensor)]) -> Result<BTreeMap<String, Tensor>> {
        let feeds = self.feeds(arguments)?;
        let values = self.callable.run_with(options, &feeds).0?;
        Ok(self.outputs.iter().cloned().zip(values).collect())
    }

    fn feeds(&self, arguments: &[(&str, Tensor)]) -> Result<Vec<Tensor>> {
        let mut faults = Vec::new();
        let known = || self.inputs.iter().map(|(name, _)| name.as_str());
        for (i, (name, _)) in arguments.iter().enumerate() {
            if !known().any(|known| known == *name) {
                let error = Error::invalid(format!("the signature {} has no argument {name:?}", self.name))
                    .expected(known().collect::<Vec<_>>().join(", "));
                faults.push(match nearest(name, known()) {
                    Some(near) => error.help(format!("did you mean {near:?}?")),
                    None => error,
                });
            } else if arguments[..i].iter().any(|(other, _)| other == name) {
                faults.push(Error::invalid(format!("the argument {name} is given twice")));
            }
        }
        let mut feeds = Vec::with_capacity(self.inputs.len());
        for (name, def) in &self.inputs {
            let given = arguments.iter().find(|(given, _)| given == name).map(|(_, tensor)| tensor);
            let Some(tensor) = given.or(self.defaults.get(name)) else {
                let dtype = def.dtype.map_or_else(|| "a tensor".to_owned(), |dtype| dtype.to_string());
                faults.push(
                    Error::invalid(format!("the signature {} lacks its argument {name}", self.name))
                        .expected(format!("{dtype} of shape {}", def.shape)),
                );
                continue;
            };
            let wrong_dtype = def.dtype.is_some_and(|dtype| dtype.dtype != tensor.dtype());
            if wrong_dtype || !def.shape.accepts(tensor.shape()) {
                let what = if wrong_dtype { "dtype" } else { "shape" };
                let dtype = def.dtype.map_or_else(String::new, |dtype| dtype.to_string());
                faults.push(
                    Error::invalid(format!("the argument {name} of the signature {} has the wrong {what}", self.name))
                        .expected(format!("{dtype}{}", def.shape))
                        .found(format!("{}{}", tensor.dtype(), tensor.shape())),
                );
                continue;
            }
            feeds.push(tensor.clone());
        }
        Error::join(faults).map_or(Ok(feeds), Err)
    }
}
