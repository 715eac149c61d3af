//! A small registry: enough ops to show every kind of attr and argument.

#![allow(dead_code)]

use levada_graph::attr::Attrs as AttrMap;
use levada_graph::op::{Attrs, Decode, OpDef};
use levada_graph::prelude::*;
use levada_graph::{AnyOp, Graph, Registry, attrs, read, write};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

/// The definition of an op of which only the spec matters.
struct Plain<A> {
    spec: Spec,
    attrs: PhantomData<fn() -> A>,
}

/// The op of a node.
#[derive(Debug)]
struct Node<A> {
    spec: &'static Spec,
    attrs: A,
}

impl<A: Attrs + Debug + Send + Sync + 'static> Plain<A> {
    const fn new(spec: Spec) -> Plain<A> {
        Plain { spec, attrs: PhantomData }
    }

    fn def(&'static self) -> OpDef {
        OpDef { spec: &self.spec, doc: A::DOC, attrs: A::ATTRS, decoder: self, grad: None, batch: None }
    }
}

impl<A: Attrs + Debug + Send + Sync + 'static> Decode for Plain<A> {
    fn decode(&'static self, _: &str, attrs: &AttrMap) -> Result<Arc<dyn AnyOp>> {
        Ok(Arc::new(Node { spec: &self.spec, attrs: A::decode(attrs)? }))
    }
}

impl<A: Attrs + Debug + Send + Sync + 'static> AnyOp for Node<A> {
    fn spec(&self) -> &'static Spec {
        self.spec
    }
    fn name(&self) -> &str {
        self.spec.name
    }
    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.set_spec(self.spec);
        Ok(())
    }
    fn flops(&self, _: &[PartialShape], _: &[PartialShape]) -> Option<f64> {
        None
    }
    fn constant(&self) -> Option<&Tensor> {
        None
    }
    fn is_stateful(&self) -> bool {
        self.spec.stateful
    }
    fn encode(&self) -> AttrMap {
        self.attrs.encode()
    }
}

/// Makes a registry of ops that have only specs; several specs may share their attrs.
macro_rules! registry {
    ($($name:ident($($input:expr),*) -> [$($output:expr),*] $(as $role:ident)? $(also [$($also:ident)*])? {
        $($field:ident: $ty:ty = $spec:expr),* $(,)?
    })*) => {
        /// The registry.
        pub fn registry() -> Registry {
            let mut ops = Vec::new();
            $({
                attrs! { pub struct $name { $($field: $ty = $spec),* } }
                const SPEC: Spec = Spec {
                    name: stringify!($name),
                    inputs: &[$($input),*],
                    outputs: &[$($output),*],
                    $(role: Role::$role,)?
                    ..Spec::PURE
                };
                static OP: Plain<$name> = Plain::new(SPEC);
                ops.push(OP.def());
                $($({
                    static ALSO: Plain<$name> = Plain::new(Spec { name: stringify!($also), ..SPEC });
                    ops.push(ALSO.def());
                })*)?
            })*
            Registry::new(ops)
        }
    };
}

registry! {
    Relu(arg("x", of("T"))) -> [arg("y", of("T"))] also [Softmax Neg Abs] {
        dtype: DType = Attr::dtype("T", sets::FLOATS),
    }
    AddV2(arg("x", of("T")), arg("y", of("T"))) -> [arg("z", of("T"))] also [Sub Mul Maximum Minimum] {
        dtype: DType = Attr::dtype("T", sets::NUMBERS),
    }
    Identity(arg("data", of("T"))) -> [arg("output", of("T"))] {
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
    NextIteration(arg("data", of("T"))) -> [arg("output", of("T"))] as NextIteration {
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
    Exit(arg("data", of("T"))) -> [arg("output", of("T"))] as Exit {
        dtype: DType = Attr::dtype("T", sets::ANY),
    }

    NoOp() -> [] {}
    Const() -> [arg("output", of("dtype"))] as Const {
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        value: Tensor = Attr::tensor("value"),
    }
    Placeholder() -> [arg("output", of("dtype"))] as Placeholder {
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        shape: PartialShape = Attr::shape("shape").or_unknown_shape(),
    }
    IdentityN(arg("input", each("T"))) -> [arg("output", each("T"))] {
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1)
    }
    Less(arg("x", of("T")), arg("y", of("T"))) -> [arg("z", is(DType::Bool))] {
        dtype: DType = Attr::dtype("T", sets::REALS)
    }
    MatMul(arg("a", of("T")), arg("b", of("T"))) -> [arg("product", of("T"))] {
        dtype: DType = Attr::dtype("T", sets::NUMBERS),
        transpose_a: bool = Attr::bool("transpose_a").or_bool(false),
        transpose_b: bool = Attr::bool("transpose_b").or_bool(false),
    }
    BiasAdd(arg("value", of("T")), arg("bias", of("T"))) -> [arg("output", of("T"))] {
        dtype: DType = Attr::dtype("T", sets::NUMBERS),
        data_format: String = Attr::one_of("data_format", &["NHWC", "NCHW"]).or_str("NHWC"),
    }
    ArgMax(arg("input", of("T")), arg("dimension", of("Tidx"))) -> [arg("output", of("output_type"))] {
        dtype: DType = Attr::dtype("T", sets::NUMBERS),
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
        output: DType = Attr::dtype("output_type", sets::INDEX).or_type(DType::I64),
    }
    MaxPool(arg("input", of("T"))) -> [arg("output", of("T"))] {
        dtype: DType = Attr::dtype("T", sets::FLOATS).or_type(DType::F32),
        ksize: Vec<i64> = Attr::ints("ksize").at_least(4),
        strides: Vec<i64> = Attr::ints("strides").at_least(4),
        padding: String = Attr::one_of("padding", &["SAME", "VALID"]),
    }
    AddN(arg("inputs", of("T")).times("N")) -> [arg("sum", of("T"))] {
        n: i64 = Attr::int("N").at_least(1),
        dtype: DType = Attr::dtype("T", sets::NUMBERS),
    }
    Unpack(arg("value", of("T"))) -> [arg("output", of("T")).times("num")] {
        num: i64 = Attr::int("num").at_least(0),
        dtype: DType = Attr::dtype("T", sets::ANY),
        axis: i64 = Attr::int("axis").or_int(0),
    }
    Pack(arg("values", of("T")).times("N")) -> [arg("output", of("T"))] {
        n: i64 = Attr::int("N").at_least(1),
        dtype: DType = Attr::dtype("T", sets::ANY),
        axis: i64 = Attr::int("axis").or_int(0),
    }
    Cast(arg("x", of("SrcT"))) -> [arg("y", of("DstT"))] {
        from: DType = Attr::dtype("SrcT", sets::ANY),
        to: DType = Attr::dtype("DstT", sets::ANY),
        truncate: bool = Attr::bool("Truncate").or_bool(false),
    }
    Switch(arg("data", of("T")), arg("pred", is(DType::Bool)))
        -> [arg("output_false", of("T")), arg("output_true", of("T"))] as Switch {
        dtype: DType = Attr::dtype("T", sets::ANY)
    }
    Merge(arg("inputs", of("T")).times("N")) -> [arg("output", of("T")), arg("value_index", is(DType::I32))] as Merge {
        dtype: DType = Attr::dtype("T", sets::ANY),
        n: i64 = Attr::int("N").at_least(1),
    }
    Enter(arg("data", of("T"))) -> [arg("output", of("T"))] as Enter {
        dtype: DType = Attr::dtype("T", sets::ANY),
        frame_name: String = Attr::string("frame_name"),
        is_constant: bool = Attr::bool("is_constant").or_bool(false),
        parallel_iterations: i64 = Attr::int("parallel_iterations").or_int(10),
    }
    LoopCond(arg("input", is(DType::Bool))) -> [arg("output", is(DType::Bool))] as LoopCond {}
    VariableV2() -> [arg("ref", of("dtype")).by_ref()] {
        shape: PartialShape = Attr::shape("shape"),
        dtype: DType = Attr::dtype("dtype", sets::ANY),
    }
    Assign(arg("ref", of("T")).by_ref(), arg("value", of("T"))) -> [arg("output_ref", of("T")).by_ref()] {
        dtype: DType = Attr::dtype("T", sets::ANY)
    }
    LeakyRelu(arg("features", of("T"))) -> [arg("activations", of("T"))] {
        alpha: f32 = Attr::float("alpha").or_float(0.2),
        dtype: DType = Attr::dtype("T", sets::FLOATS).or_type(DType::F32),
    }
    Queue() -> [arg("handle", is(DType::Str)).by_ref()] {
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        shapes: Vec<PartialShape> = Attr::shapes("shapes").or_empty(),
        name: String = Attr::string("shared_name").or_str(""),
    }
    If(arg("cond", of("Tcond")), arg("input", each("Tin"))) -> [arg("output", each("Tout"))] {
        cond: DType = Attr::dtype("Tcond", sets::ANY),
        inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY).at_least(0),
        outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY).at_least(0),
        then_branch: Func = Attr::func("then_branch"),
        else_branch: Func = Attr::func("else_branch"),
    }
}

/// Reads a graph of the registry's ops, refusing unsupported features.
pub fn read(text: &str) -> Result<Graph> {
    read::Options::STRICT.json(text.as_bytes(), &registry())
}

/// Reads a graph of these nodes, one per line.
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
