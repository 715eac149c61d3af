//! `PartitionedCall` and its siblings, which call a function once, and `_Arg` and `_Retval`, which make up the
//! signature of a function.

use crate::prelude::*;
use crate::rules::never;
use levada_graph::grad::{GRADIENT, is_differentiable, order};
use levada_kernel::{Site, StepCx, Used, Wait};

attrs! {
    /// A parameter of a function, fed by the call.
    pub struct FunctionArg {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Index of the parameter.
        index: i64 = Attr::int("index").at_least(0),
    }
}

pub static FUNCTION_ARG: Def<FunctionArg> =
    op("_Arg").outputs(&[arg("output", of("T"))]).stateful().role(Role::Arg).stateful_if(|_| false).kernel(
        |op: &FunctionArg, _| Err(Error::invalid(format!("parameter {} of a function has no value", op.index))),
    );

attrs! {
    /// A result of a function.
    pub struct FunctionRetval {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Index of the result.
        index: i64 = Attr::int("index").at_least(0),
    }
}

pub static FUNCTION_RETVAL: Def<FunctionRetval> =
    op("_Retval").inputs(&[arg("input", of("T"))]).stateful().role(Role::Retval).kernel(|_, _| Ok(()));

attrs! {
    /// The attrs of ops that call a function.
    pub struct PartitionedCall {
        /// Types of the arguments.
        inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY),
        /// Types of the results.
        outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY),
        /// The function to call.
        function: Func = Attr::func("f"),
        /// Not used.
        config: Bytes = Attr::string("config").or_str(""),
        /// Not used.
        config_proto: Bytes = Attr::string("config_proto").or_str(""),
        /// Not used.
        executor_type: Bytes = Attr::string("executor_type").or_str(""),
        /// Whether the graph used the function's name as the node's op.
        by_name: bool = Attr::bool("_by_name").or_bool(false),
    }
}

const fn partitioned_call(name: &'static str) -> Def<PartitionedCall> {
    op(name)
        .inputs(ARGS)
        .outputs(RESULTS)
        .role(Role::Call)
        .kernel(|op: &PartitionedCall, cx| {
            let args = take_inputs(cx, 0)?;
            let site = site(cx, op.by_name);
            call(cx, &op.function, site, args)
        })
        .heavy()
        .gradient(|op, g| {
            gradients(g, 0, |arguments, inputs, outputs| {
                let back = PartitionedCall {
                    inputs,
                    outputs,
                    function: gradient_of(&op.function),
                    config: Bytes::new(),
                    config_proto: Bytes::new(),
                    executor_type: Bytes::new(),
                    by_name: false,
                };
                STATEFUL_PARTITIONED_CALL.node(g, &back, arguments)
            })
        })
}

const ARGS: &[Arg] = &[arg("args", each("Tin"))];
const RESULTS: &[Arg] = &[arg("output", each("Tout"))];

pub static PARTITIONED_CALL: Def<PartitionedCall> =
    partitioned_call("PartitionedCall").doc("Calls a function without side effects.");

pub static STATEFUL_PARTITIONED_CALL: Def<PartitionedCall> =
    partitioned_call("StatefulPartitionedCall").doc("Calls a function.").stateful();

attrs! {
    /// Calls a function on the device named by `target`.
    pub struct RemoteCall {
        /// Types of the arguments.
        inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY).at_least(1),
        /// Types of the results.
        outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY).at_least(1),
        /// The function to call.
        function: Func = Attr::func("f"),
    }
}

pub static REMOTE_CALL: Def<RemoteCall> = op("RemoteCall")
    .inputs(&[arg("target", is(DType::Str)), arg("args", each("Tin"))])
    .outputs(&[arg("output", each("Tout"))])
    .stateful()
    .role(Role::Call)
    .kernel(remote_call)
    .heavy();

fn remote_call(op: &RemoteCall, cx: &mut Cx<'_, '_>) -> Result<()> {
    let target = cx.scalar::<Bytes>(0)?;
    let Ok(device) = std::str::from_utf8(&target) else {
        return Err(Error::invalid("the target of a RemoteCall is not the name of a device"));
    };
    let site = Site { device: device.into(), all: true, inlined: None, used: None, caller: 0 };
    let args = take_inputs(cx, 1)?;
    call(cx, &op.function, site, args)
}

attrs! {
    /// Computes the gradients of a function with respect to its arguments, given the arguments and the gradients of its
    /// results.
    pub struct SymbolicGradient {
        /// Dtypes of the arguments, followed by those of the gradients of the results.
        inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY).at_least(1),
        /// Dtypes of the arguments.
        outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY).at_least(1),
        /// The function to differentiate.
        function: Func = Attr::func("f"),
    }
}

pub static SYMBOLIC_GRADIENT: Def<SymbolicGradient> = op("SymbolicGradient")
    .inputs(&[arg("input", each("Tin"))])
    .outputs(&[arg("output", each("Tout"))])
    .role(Role::Call)
    .shape(|_, cx| {
        for i in 0..cx.num_outputs() {
            let shape = cx.input(i);
            cx.output(i, shape);
        }
        Ok(())
    })
    .kernel(symbolic_gradient);

fn symbolic_gradient(op: &SymbolicGradient, cx: &mut Cx<'_, '_>) -> Result<()> {
    let args = op.outputs.len();
    let inputs = take_inputs(cx, 0)?;
    if inputs.len() < args {
        return Err(Error::invalid("SymbolicGradient has more outputs than inputs"));
    }
    // Arguments of non-differentiable dtypes get zero gradients; results of such dtypes contribute none.
    let zeros: Vec<Option<Tensor>> = inputs[..args]
        .iter()
        .map(|arg| (!is_differentiable(arg.dtype())).then(|| Tensor::zeros(arg.dtype(), arg.shape().clone())))
        .collect();
    let given = inputs.into_iter().enumerate().filter(|(i, t)| *i < args || is_differentiable(t.dtype()));
    let given: Vec<Tensor> = given.map(|(_, tensor)| tensor).collect();
    let function = gradient_of(&op.function);
    let (expected, step, site) = (cx.node().outputs.clone(), cx.step().clone(), site(cx, true));
    let done = cx.defer_for(Wait::Call);
    run(&function, &site, given, &step, move |results| {
        let outputs = results.and_then(|results| {
            let mut results = results.into_iter();
            let all: Option<Vec<Tensor>> = zeros.into_iter().map(|zero| zero.or_else(|| results.next())).collect();
            fitting(all.unwrap_or_default(), &expected)
        });
        done.finish(outputs);
    });
    Ok(())
}

/// Returns the function that computes the gradients of `function`. Applied to a gradient it returns the second
/// derivative.
pub fn gradient_of(function: &Func) -> Func {
    let mut gradient = function.clone();
    gradient.attrs.set(GRADIENT, AttrValue::I(order(&function.attrs) + 1));
    gradient
}

/// Returns the gradients of a node that calls functions with its inputs from `first` on. `call` adds the node that
/// calls the functions' gradients: it receives the arguments followed by the gradients of the results, and the dtypes
/// of its arguments and of its results.
pub fn gradients<'g>(
    g: &'g GradCx,
    first: usize,
    call: impl FnOnce(&[V<'g>], Vec<DType>, Vec<DType>) -> V<'g>,
) -> Grads {
    let mut arguments = g.inputs();
    let wanted: Vec<usize> = (first..arguments.len()).filter(|&i| is_differentiable(arguments[i].dtype())).collect();
    let outputs = wanted.iter().map(|&i| arguments[i].dtype()).collect();
    let results = (0..g.num_outputs()).filter(|&i| is_differentiable(g.output(i).dtype()));
    arguments.extend(results.map(|i| g.dy(i)));
    let inputs = arguments[first..].iter().map(|v| v.dtype()).collect();
    let called = call(&arguments, inputs, outputs);
    let mut grads = never(g);
    for (i, &argument) in wanted.iter().enumerate() {
        grads[argument] = called.out(i).into();
    }
    grads
}

/// Takes all inputs from `first` on.
pub fn take_inputs(cx: &mut Cx<'_, '_>, first: usize) -> Result<Vec<Tensor>> {
    (first..cx.num_inputs()).map(|i| cx.take(i)).collect()
}

/// Returns the device of the calling node. `all` forces it on the function's nodes, whatever device they request.
pub fn site(cx: &Cx<'_, '_>, all: bool) -> Site {
    Site { device: cx.node().device.clone(), all, inlined: None, used: None, caller: 0 }
}

/// Returns the site of a branch or a loop. `lowered`: whether TensorFlow would inline it into the surrounding graph,
/// which it does whenever there is one.
pub fn site_of_flow(cx: &Cx<'_, '_>, lowered: bool) -> Site {
    match lowered && !cx.step().scope.is_closed {
        true => Site { inlined: Some(cx.node().name.clone()), ..site(cx, false) },
        false => site(cx, true),
    }
}

/// Returns the site of a branch, like [`site_of_flow`]. In an inlined branch, as everywhere in a graph, only nodes
/// whose results are used run.
pub fn site_of_branch(cx: &Cx<'_, '_>, lowered: bool) -> Site {
    let site = site_of_flow(cx, lowered);
    let used = site.inlined.as_ref().and_then(|_| cx.node().used.clone());
    Site { used, ..site }
}

/// Calls `function`; its results become the node's outputs.
pub fn call(cx: &mut Cx<'_, '_>, function: &Func, site: Site, args: Vec<Tensor>) -> Result<()> {
    let expected = cx.node().outputs.clone();
    let step = cx.step().clone();
    let done = cx.defer_for(Wait::Call);
    let used = site.used.clone();
    run(function, &site, args, &step, move |results| {
        let all = results.and_then(|results| with_unused(results, used.as_deref(), &expected));
        done.finish(all.and_then(|all| fitting(all, &expected)));
    });
    Ok(())
}

/// Fills in empty tensors for the results of a call that nothing uses.
fn with_unused(results: Vec<Tensor>, used: Option<&Used>, dtypes: &[DType]) -> Result<Vec<Tensor>> {
    let Some(used) = used else { return Ok(results) };
    let mut results = results.into_iter();
    let all: Option<Vec<Tensor>> = used
        .outputs
        .iter()
        .zip(dtypes)
        .map(|(&is_used, &dtype)| if is_used { results.next() } else { Some(Tensor::zeros(dtype, Shape::vector(0))) })
        .collect();
    all.ok_or_else(|| Error::internal("a function returned fewer results than were asked for"))
}

/// Calls `function` and passes on its results, either before this returns or later.
pub fn run(
    function: &Func,
    site: &Site,
    args: Vec<Tensor>,
    step: &StepCx,
    on_return: impl FnOnce(Result<Vec<Tensor>>) + Send + 'static,
) {
    match step.env.functions.get() {
        Some(functions) => functions.call(function, site, args, step, Box::new(on_return)),
        None => on_return(Err(Error::unimplemented("functions cannot be called here"))),
    }
}

/// Checks that the number and types of the results match the node's outputs.
pub fn fitting(results: Vec<Tensor>, expected: &[DType]) -> Result<Vec<Tensor>> {
    let found: Vec<DType> = results.iter().map(Tensor::dtype).collect();
    if found == expected {
        return Ok(results);
    }
    Err(Error::internal("a function's results do not match the outputs of its node")
        .expected(format!("{expected:?}"))
        .found(format!("{found:?}")))
}
