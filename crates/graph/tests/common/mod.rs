//! A small registry: enough ops to show every kind of attr and argument.

#![allow(dead_code)]

use levada_graph::op::OpDef;
use levada_graph::prelude::*;
use levada_graph::{Graph, Registry, attrs, read, write};

/// Declares an op of which only the spec matters.
macro_rules! op {
    ($name:ident($($input:expr),*) -> [$($output:expr),*] $(as $role:ident)? {
        $($field:ident: $ty:ty = $spec:expr),* $(,)?
    }) => {
        attrs! { pub struct $name { $($field: $ty = $spec),* } }
        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[$($input),*],
                outputs: &[$($output),*],
                $(role: Role::$role,)?
                ..Spec::PURE
            };
        }
    };
}

macro_rules! unary {
    ($($name:ident)*) => {$(
        op!($name(arg("x", of("T"))) -> [arg("y", of("T"))] { dtype: DType = Attr::dtype("T", sets::FLOATS) });
    )*};
}

macro_rules! binary {
    ($($name:ident)*) => {$(
        op!($name(arg("x", of("T")), arg("y", of("T"))) -> [arg("z", of("T"))] {
            dtype: DType = Attr::dtype("T", sets::NUMBERS)
        });
    )*};
}

macro_rules! passing {
    ($($name:ident $(as $role:ident)?;)*) => {$(
        op!($name(arg("data", of("T"))) -> [arg("output", of("T"))] $(as $role)? {
            dtype: DType = Attr::dtype("T", sets::ANY)
        });
    )*};
}

unary!(Relu Softmax Neg Abs);
binary!(AddV2 Sub Mul Maximum Minimum);
passing!(Identity; NextIteration as NextIteration; Exit as Exit;);

op!(NoOp() -> [] {});
op!(Const() -> [arg("output", of("dtype"))] as Const {
    dtype: DType = Attr::dtype("dtype", sets::ANY),
    value: Tensor = Attr::tensor("value"),
});
op!(Placeholder() -> [arg("output", of("dtype"))] as Placeholder {
    dtype: DType = Attr::dtype("dtype", sets::ANY),
    shape: PartialShape = Attr::shape("shape").or_unknown_shape(),
});
op!(IdentityN(arg("input", each("T"))) -> [arg("output", each("T"))] {
    dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1)
});
op!(Less(arg("x", of("T")), arg("y", of("T"))) -> [arg("z", is(DType::Bool))] {
    dtype: DType = Attr::dtype("T", sets::REALS)
});
op!(MatMul(arg("a", of("T")), arg("b", of("T"))) -> [arg("product", of("T"))] {
    dtype: DType = Attr::dtype("T", sets::NUMBERS),
    transpose_a: bool = Attr::bool("transpose_a").or_bool(false),
    transpose_b: bool = Attr::bool("transpose_b").or_bool(false),
});
op!(BiasAdd(arg("value", of("T")), arg("bias", of("T"))) -> [arg("output", of("T"))] {
    dtype: DType = Attr::dtype("T", sets::NUMBERS),
    data_format: String = Attr::one_of("data_format", &["NHWC", "NCHW"]).or_str("NHWC"),
});
op!(ArgMax(arg("input", of("T")), arg("dimension", of("Tidx"))) -> [arg("output", of("output_type"))] {
    dtype: DType = Attr::dtype("T", sets::NUMBERS),
    index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
    output: DType = Attr::dtype("output_type", sets::INDEX).or_type(DType::I64),
});
op!(MaxPool(arg("input", of("T"))) -> [arg("output", of("T"))] {
    dtype: DType = Attr::dtype("T", sets::FLOATS).or_type(DType::F32),
    ksize: Vec<i64> = Attr::ints("ksize").at_least(4),
    strides: Vec<i64> = Attr::ints("strides").at_least(4),
    padding: String = Attr::one_of("padding", &["SAME", "VALID"]),
});
op!(AddN(arg("inputs", of("T")).times("N")) -> [arg("sum", of("T"))] {
    n: i64 = Attr::int("N").at_least(1),
    dtype: DType = Attr::dtype("T", sets::NUMBERS),
});
op!(Unpack(arg("value", of("T"))) -> [arg("output", of("T")).times("num")] {
    num: i64 = Attr::int("num").at_least(0),
    dtype: DType = Attr::dtype("T", sets::ANY),
    axis: i64 = Attr::int("axis").or_int(0),
});
op!(Pack(arg("values", of("T")).times("N")) -> [arg("output", of("T"))] {
    n: i64 = Attr::int("N").at_least(1),
    dtype: DType = Attr::dtype("T", sets::ANY),
    axis: i64 = Attr::int("axis").or_int(0),
});
op!(Cast(arg("x", of("SrcT"))) -> [arg("y", of("DstT"))] {
    from: DType = Attr::dtype("SrcT", sets::ANY),
    to: DType = Attr::dtype("DstT", sets::ANY),
    truncate: bool = Attr::bool("Truncate").or_bool(false),
});
op!(Switch(arg("data", of("T")), arg("pred", is(DType::Bool)))
    -> [arg("output_false", of("T")), arg("output_true", of("T"))] as Switch {
    dtype: DType = Attr::dtype("T", sets::ANY)
});
op!(Merge(arg("inputs", of("T")).times("N")) -> [arg("output", of("T")), arg("value_index", is(DType::I32))] as Merge {
    dtype: DType = Attr::dtype("T", sets::ANY),
    n: i64 = Attr::int("N").at_least(1),
});
op!(Enter(arg("data", of("T"))) -> [arg("output", of("T"))] as Enter {
    dtype: DType = Attr::dtype("T", sets::ANY),
    frame_name: String = Attr::string("frame_name"),
    is_constant: bool = Attr::bool("is_constant").or_bool(false),
    parallel_iterations: i64 = Attr::int("parallel_iterations").or_int(10),
});
op!(LoopCond(arg("input", is(DType::Bool))) -> [arg("output", is(DType::Bool))] as LoopCond {});
op!(VariableV2() -> [arg("ref", of("dtype")).by_ref()] {
    shape: PartialShape = Attr::shape("shape"),
    dtype: DType = Attr::dtype("dtype", sets::ANY),
});
op!(Assign(arg("ref", of("T")).by_ref(), arg("value", of("T"))) -> [arg("output_ref", of("T")).by_ref()] {
    dtype: DType = Attr::dtype("T", sets::ANY)
});
op!(LeakyRelu(arg("features", of("T"))) -> [arg("activations", of("T"))] {
    alpha: f32 = Attr::float("alpha").or_float(0.2),
    dtype: DType = Attr::dtype("T", sets::FLOATS).or_type(DType::F32),
});
op!(Queue() -> [arg("handle", is(DType::Str)).by_ref()] {
    types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
    shapes: Vec<PartialShape> = Attr::shapes("shapes").or_empty(),
    name: String = Attr::string("shared_name").or_str(""),
});
op!(If(arg("cond", of("Tcond")), arg("input", each("Tin"))) -> [arg("output", each("Tout"))] {
    cond: DType = Attr::dtype("Tcond", sets::ANY),
    inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY).at_least(0),
    outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY).at_least(0),
    then_branch: Func = Attr::func("then_branch"),
    else_branch: Func = Attr::func("else_branch"),
});

/// The registry.
pub fn registry() -> Registry {
    Registry::new([
        OpDef::of::<NoOp>(),
        OpDef::of::<Const>(),
        OpDef::of::<Placeholder>(),
        OpDef::of::<Identity>(),
        OpDef::of::<IdentityN>(),
        OpDef::of::<Relu>(),
        OpDef::of::<Softmax>(),
        OpDef::of::<Neg>(),
        OpDef::of::<Abs>(),
        OpDef::of::<Pack>(),
        OpDef::of::<AddV2>(),
        OpDef::of::<Sub>(),
        OpDef::of::<Mul>(),
        OpDef::of::<Maximum>(),
        OpDef::of::<Minimum>(),
        OpDef::of::<Less>(),
        OpDef::of::<MatMul>(),
        OpDef::of::<BiasAdd>(),
        OpDef::of::<ArgMax>(),
        OpDef::of::<MaxPool>(),
        OpDef::of::<AddN>(),
        OpDef::of::<Unpack>(),
        OpDef::of::<Cast>(),
        OpDef::of::<Switch>(),
        OpDef::of::<Merge>(),
        OpDef::of::<Enter>(),
        OpDef::of::<Exit>(),
        OpDef::of::<NextIteration>(),
        OpDef::of::<LoopCond>(),
        OpDef::of::<VariableV2>(),
        OpDef::of::<Assign>(),
        OpDef::of::<LeakyRelu>(),
        OpDef::of::<Queue>(),
        OpDef::of::<If>(),
    ])
}

/// Reads a graph of the registry's ops, refusing whatever is not supported.
pub fn read(text: &str) -> Result<Graph> {
    read::Options::STRICT.json(text.as_bytes(), &registry())
}

/// Reads a graph whose nodes are these, one a line.
pub fn nodes(lines: &[&str]) -> Result<Graph> {
    read(&format!("{{\"node\": [\n{}\n]}}", lines.join(",\n")))
}

/// The message of each fault, with its line.
pub fn faults(result: Result<Graph>) -> Vec<String> {
    let error = result.expect_err("the graph is at fault");
    error.all().map(|e| format!("{}: {}", e.fault().line.unwrap_or(0), e.message())).collect()
}

/// The attr of a node, as canonical JSON.
pub fn attr(graph: &Graph, node: &str, attr: &str) -> String {
    let node = graph.node(graph.find(node).expect("the node exists"));
    let value = node.attrs.get(attr).unwrap_or_else(|| panic!("{} has no attr {attr}", node.name));
    let def = levada_graph::GraphDef {
        nodes: vec![levada_graph::NodeDef {
            attrs: [(attr, value.clone())].into_iter().collect(),
            ..Default::default()
        }],
        ..Default::default()
    };
    let text = write::json(&def).unwrap();
    let line = text.lines().nth(2).unwrap().trim();
    line.strip_prefix(&format!("{{\"attr\": {{\"{attr}\": ")).unwrap().strip_suffix("}}").unwrap().to_owned()
}
