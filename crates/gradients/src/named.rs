//! Gradients that a node refers to by name, in its attr `_gradient_op_type`: a function that the library registers
//! under that name, or the rule of another op.

use levada_graph::attr::AttrValue;
use levada_graph::def::FunctionDef;
use levada_graph::grad::{Differentiate, Grad, GradCx};
use levada_graph::op::FromAttr;
use levada_graph::{DType, Endpoint, Error, Func, NodeId, Registry, Result};

/// The attr.
const NAME: &str = "_gradient_op_type";

/// The source of a node's gradient.
pub(super) enum RuleSource {
    /// The rule of its own op.
    Own,
    /// The rule of the op with this name.
    Rule(&'static dyn Differentiate, String),
    /// A function: maps the gradients of the outputs, or the inputs and those gradients, to the gradients of the
    /// inputs.
    Function(Box<FunctionDef>),
}

/// True for the names that TensorFlow generates for calls, whose gradient is that of the function.
fn is_of_call(name: &str, op: &str) -> bool {
    let calls = ["PartitionedCall", "StatefulPartitionedCall"];
    let number = name.rsplit_once('-').filter(|(of, number)| calls.contains(of) && number.parse::<u64>().is_ok());
    calls.contains(&op) && number.is_some()
}

/// Determines how the gradient of a node is computed.
///
/// # Errors
/// `NOT_FOUND` if nothing is registered under the name that the node gives.
pub(super) fn asked(cx: &GradCx, registry: &Registry, id: NodeId) -> Result<RuleSource> {
    let found = cx.look(|graph| {
        let node = graph.node(id);
        let Some(AttrValue::S(name)) = node.attrs.get(NAME) else { return None };
        let name = String::from_utf8_lossy(name).into_owned();
        if name.is_empty() || name == node.op_name() || is_of_call(&name, node.op_name()) {
            return None;
        }
        let library = &graph.library;
        let listed = [&library.registered_gradients, &library.gradients].into_iter().flatten();
        let function = listed.filter(|(of, _)| *of == name).find_map(|(_, gradient)| library.function(gradient));
        Some((name, function.cloned()))
    });
    match found {
        None => Ok(RuleSource::Own),
        Some((_, Some(function))) => Ok(RuleSource::Function(Box::new(function))),
        Some((name, None)) => match registry.get(&name).and_then(|def| def.grad) {
            Some(rule) => Ok(RuleSource::Rule(rule, name)),
            None => Err(Error::not_found(format!("no gradient is registered under the name {name}"))
                .attr(NAME)
                .expected("a function that the library registers for it, or an op with a gradient")
                .found(&name)
                .help("save the model with its gradients (SaveOptions(experimental_custom_gradients=True)), or remove the attr")),
        },
    }
}

/// The gradients of a node's inputs, computed by a function.
///
/// # Errors
/// `UNIMPLEMENTED` for a function with another signature.
pub(super) fn call(
    cx: &GradCx,
    id: NodeId,
    dys: &[Option<Endpoint>],
    function: &FunctionDef,
    scope: &str,
) -> Result<Vec<Option<Grad>>> {
    let inputs = cx.look(|graph| graph.node(id).inputs.clone());
    let (takes, gives) = (&function.signature.inputs, &function.signature.outputs);
    let with_inputs = takes.len() == inputs.len() + dys.len();
    let dtypes = |args: &[levada_graph::def::ArgDef]| -> Option<Vec<DType>> {
        args.iter().map(|arg| arg.ty.map(|ty| ty.dtype)).collect()
    };
    let fits = (with_inputs || takes.len() == dys.len()) && gives.len() == inputs.len();
    let (Some(taken), Some(given), true) = (dtypes(takes), dtypes(gives), fits) else {
        return Err(Error::unimplemented("a gradient function that captures other values is not supported")
            .attr(NAME)
            .expected(format!(
                "{} gradients, perhaps after {} inputs, to {} gradients",
                dys.len(),
                inputs.len(),
                inputs.len()
            ))
            .found(format!("{}, which takes {} and returns {}", function.signature.name, takes.len(), gives.len())));
    };
    let called = cx.build(scope, |cx| {
        let dy = |(i, dy): (usize, &Option<Endpoint>)| match dy {
            Some(dy) => cx.value(*dy),
            None => cx.value(Endpoint::new(id, i as u32)).zeros_like(),
        };
        let first = inputs.iter().filter(|_| with_inputs).map(|&at| cx.value(at));
        let all: Vec<_> = first.chain(dys.iter().enumerate().map(dy)).collect();
        let f = Func::from(function.signature.name.as_str());
        let attrs = [("f", AttrValue::Func(f)), ("Tin", taken.to_attr()), ("Tout", given.to_attr())];
        cx.node("StatefulPartitionedCall", &all, &attrs).at
    })?;
    Ok((0..inputs.len()).map(|i| Some(Grad::Dense(Endpoint::new(called.node, i as u32)))).collect())
}
