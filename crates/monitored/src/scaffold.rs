//! What a session needs before its first step, as nodes of the graph: TensorFlow's `Scaffold`.

use crate::pipeline::Pipeline;
use levada_builder::{Builder, Output};
use levada_graph::collections::{VariableDef, nodes, variables};
use levada_graph::{Collections, Error, Result, Tensor};
use levada_session::Session;
use levada_train::Variable;

/// Initializes what nodes cannot.
pub type InitFn = dyn Fn(&Session) -> Result<()>;

/// What a session needs before its first step. Missing parts are taken from the graph's collections (`init_op`,
/// `local_init_op`, `ready_op`, `ready_for_local_init_op`, `summary_op`) or, if it has none, from its variables, tables
/// and summaries.
#[derive(Default)]
pub struct Scaffold {
    /// Nodes that initialize variables if no checkpoint does.
    pub init: Vec<String>,
    /// The feeds for these nodes.
    pub init_feeds: Vec<(String, Tensor)>,
    /// Called after them if no checkpoint was restored.
    pub init_fn: Option<Box<InitFn>>,
    /// Nodes that initialize local variables and tables, in every case.
    pub local_init: Vec<String>,
    /// Endpoint with the names of what is not ready after all that; empty if everything is.
    pub ready: Option<String>,
    /// Endpoint with the names of what is not ready before local variables are set.
    pub ready_for_local_init: Option<String>,
    /// Endpoint of all summaries.
    pub summary: Option<String>,
}

/// How to check that variables have values.
pub(crate) enum Ready {
    /// An endpoint with the names of those without a value.
    Endpoint(String),
    /// Names, and endpoints that are true for those with a value.
    Each(Vec<(String, String)>),
}

/// The names of everything in the complete graph.
pub(crate) struct Parts {
    pub(crate) init: Vec<String>,
    pub(crate) local_init: Vec<String>,
    pub(crate) ready_for_local_init: Ready,
    pub(crate) ready: Ready,
    pub(crate) global_step: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) pipeline: Pipeline,
}

impl Parts {
    /// Completes the graph.
    pub(crate) fn of(b: &mut Builder, scaffold: &Scaffold) -> Result<Parts> {
        b.new_scope("monitored", |b, _| {
            let collections = b.graph().collections.clone();
            let globals = variables(&collections, "variables")?;
            let locals = variables(&collections, "local_variables")?;
            let or_collected = |given: &[String], name: &str, otherwise: &dyn Fn() -> Vec<String>| match given {
                [] if nodes(&collections, name).is_empty() => otherwise(),
                [] => nodes(&collections, name).to_vec(),
                given => given.to_vec(),
            };
            let init = or_collected(&scaffold.init, "init_op", &|| initializers(&globals));
            let local_init = or_collected(&scaffold.local_init, "local_init_op", &|| {
                let tables = nodes(&collections, "table_initializer").iter().cloned();
                initializers(&locals).into_iter().chain(tables).collect()
            });
            let ready_for_local_init =
                ready(b, &scaffold.ready_for_local_init, &collections, "ready_for_local_init_op", &[&globals])?;
            let ready = ready(b, &scaffold.ready, &collections, "ready_op", &[&globals, &locals])?;
            Ok(Parts {
                init,
                local_init,
                ready_for_local_init,
                ready,
                global_step: global_step(b, &collections)?,
                summary: summary(b, scaffold, &collections),
                pipeline: Pipeline::of(b, &locals)?,
            })
        })
    }
}

fn initializers(variables: &[VariableDef]) -> Vec<String> {
    variables.iter().map(|v| v.initializer.clone()).filter(|name| !name.is_empty()).collect()
}

fn ready(
    b: &mut Builder,
    given: &Option<String>,
    collections: &Collections,
    collection: &str,
    variables: &[&[VariableDef]],
) -> Result<Ready> {
    let collected = nodes(collections, collection).first().cloned();
    if let Some(endpoint) = given.clone().or(collected) {
        return Ok(Ready::Endpoint(endpoint));
    }
    let mut each = Vec::new();
    for def in variables.iter().copied().flatten() {
        let variable = b.find(&def.variable)?;
        let op = if def.is_resource { "VarIsInitializedOp" } else { "IsVariableInitialized" };
        let is_set = b.op(op, &[variable]);
        each.push((b.node_name(variable), b.name(is_set)));
    }
    Ok(Ready::Each(each))
}

impl Ready {
    /// Checks that the variables are ready.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION` with the names of what is not ready.
    pub(crate) fn check(&self, session: &Session, what: &str) -> Result<()> {
        let lacking: Vec<String> = match self {
            Ready::Endpoint(endpoint) => {
                let names = session.run(&[], &[endpoint], &[])?;
                let names = names[0].slice::<levada_graph::Bytes>()?;
                names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
            }
            Ready::Each(each) if each.is_empty() => Vec::new(),
            Ready::Each(each) => {
                let endpoints: Vec<&str> = each.iter().map(|(_, endpoint)| endpoint.as_str()).collect();
                let are_set = session.run(&[], &endpoints, &[])?;
                let mut lacking = Vec::new();
                for ((name, _), is_set) in each.iter().zip(&are_set) {
                    if !is_set.item::<bool>()? {
                        lacking.push(name.clone());
                    }
                }
                lacking
            }
        };
        if lacking.is_empty() {
            return Ok(());
        }
        Err(Error::failed_precondition(format!(
            "Init operations did not make model {what}: Variables not initialized: {}",
            lacking.join(", ")
        ))
        .help("the checkpoint or the nodes of Scaffold::init must give each variable a value"))
    }
}

/// An endpoint that reads the global step.
fn global_step(b: &mut Builder, collections: &Collections) -> Result<Option<String>> {
    let collected = match variables(collections, "global_step") {
        Ok(defs) => defs.into_iter().next().map(|def| def.variable),
        // Files of other versions contain its name there.
        Err(_) => nodes(collections, "global_step").first().cloned(),
    };
    let name = collected.unwrap_or_else(|| "global_step".to_owned());
    let name = name.strip_suffix(":0").unwrap_or(&name);
    if b.graph().find(name).is_none() {
        return Ok(None);
    }
    let variable = Variable::find(b, name)?;
    let value = b.identity("global_step", variable.value);
    Ok(Some(b.name(value)))
}

/// An endpoint with all summaries.
fn summary(b: &mut Builder, scaffold: &Scaffold, collections: &Collections) -> Option<String> {
    let collected = nodes(collections, "summary_op").first().cloned();
    if let Some(endpoint) = scaffold.summary.clone().or(collected) {
        return Some(endpoint);
    }
    let all: Vec<Output> = nodes(collections, "summaries").iter().filter_map(|name| b.find(name).ok()).collect();
    if all.is_empty() {
        return None;
    }
    let merged = b.node("MergeSummary").inputs(all).add();
    Some(b.name(merged))
}
