//! Converts a model's messages to a graph: scopes of values, bodies of control flow, inlined functions, and reporting
//! of all faults together.

use crate::block::{Block, Val};
use crate::cx::Cx;
use crate::order::ordered;
use crate::proto::{AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TypeProto};
use crate::table::{self, NEWEST, STANDARD};
use crate::tensor::{Beside, filled_in, tensor};
use crate::types::{Elem, Type};
use levada_graph::attr::Attrs;
use levada_graph::def::{FunctionDef, GraphDef, Library, Versions};
use levada_graph::meta::{SignatureDef, TensorDef};
use levada_graph::{AttrValue, Error, Graph, PartialShape, Registry, Result, Tensor};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// An input or output of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// Its name in the model.
    pub name: String,
    /// The endpoint of the graph to feed or to fetch.
    pub endpoint: String,
    /// Its type.
    pub ty: Type,
    /// The known part of a tensor's shape.
    pub shape: PartialShape,
}

/// A model as a graph.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The graph. Its signature `serving_default` uses the model's names of inputs and outputs.
    pub graph: Graph,
    /// The model's inputs without those that are initializers, in order.
    pub inputs: Vec<Value>,
    /// The model's outputs, in order.
    pub outputs: Vec<Value>,
    /// The endpoints of the graph by the model's names of values.
    pub endpoints: BTreeMap<String, String>,
}

/// The name of the signature of a model.
pub const SIGNATURE: &str = "serving_default";

/// Functions nested deeper than this are refused.
const DEEPEST: usize = 64;

/// Models that expand to more nodes than this, through functions that call functions, are refused.
const MOST_NODES: usize = 4_000_000;

/// Values up to this size are copied into the bodies that use them, rather than passed as arguments.
const COPIED: usize = 1024;

/// Versions of operator sets by domain.
type Opsets = Rc<HashMap<String, i64>>;

/// A scope of values.
struct Frame {
    /// Index of the block to which its nodes are added.
    block: usize,
    /// Values by name; `None` for those that could not be converted.
    values: HashMap<String, Option<Val>>,
    /// True if names that it lacks are looked up in the enclosing frame.
    is_open: bool,
    /// The prefix of the names of its nodes.
    prefix: String,
    opsets: Opsets,
}

/// A model during conversion.
pub(crate) struct Importer<'m> {
    pub registry: &'m Registry,
    pub beside: &'m Beside,
    functions: HashMap<(&'m str, &'m str, &'m str), &'m FunctionProto>,
    blocks: Vec<Block>,
    frames: Vec<Frame>,
    library: Vec<FunctionDef>,
    faults: Vec<Error>,
    depth: usize,
    added: usize,
}

/// `name` with characters replaced that node names cannot contain.
pub(crate) fn escape(name: &str) -> String {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '\\' | '/' | '>' | '-');
    let text: String = name.trim_start_matches('/').chars().map(|c| if legal(c) { c } else { '_' }).collect();
    match text.chars().next() {
        Some(c) if c.is_ascii_alphanumeric() || c == '.' => text,
        Some(_) => format!(".{text}"),
        None => "unnamed".to_owned(),
    }
}

fn opsets(imports: &[OperatorSetIdProto]) -> Opsets {
    let named = |domain: &str| if domain.is_empty() { STANDARD.to_owned() } else { domain.to_owned() };
    Rc::new(imports.iter().map(|set| (named(&set.domain), set.version)).collect())
}

/// Converts a model.
///
/// # Errors
/// Every fault of the model, and every unsupported operator in it.
pub(crate) fn import(model: &ModelProto, beside: &Beside, registry: &Registry) -> Result<Imported> {
    let graph = model.graph.as_ref().ok_or_else(|| Error::invalid("the model has no graph"))?;
    let functions = model.functions.iter().map(|f| ((&f.domain[..], &f.name[..], &f.overload[..]), f)).collect();
    let mut importer = Importer {
        registry,
        beside,
        functions,
        blocks: vec![Block::default()],
        frames: Vec::new(),
        library: Vec::new(),
        faults: Vec::new(),
        depth: 0,
        added: 0,
    };
    let opsets = opsets(&model.opset_import);
    if let Some(newest) = opsets.get(STANDARD).filter(|version| **version > NEWEST) {
        return Err(Error::unimplemented(format!("version {newest} of the operator set {STANDARD} is not known"))
            .expected(format!("at most {NEWEST}"))
            .help("convert the model with onnx.version_converter"));
    }
    importer.frames.push(Frame { block: 0, values: HashMap::new(), is_open: false, prefix: String::new(), opsets });
    importer.graph(graph)
}

impl Importer<'_> {
    /// The whole model.
    fn graph(mut self, graph: &GraphProto) -> Result<Imported> {
        let constants: std::collections::HashSet<&str> = graph.initializer.iter().map(|t| &t.name[..]).collect();
        let fed = graph.input.iter().filter(|input| !constants.contains(&input.name[..]));
        let fed: Vec<_> = fed.collect();
        fed.iter().for_each(|input| self.block().reserve(&escape(&input.name)));
        graph.output.iter().for_each(|output| self.block().reserve(&escape(&output.name)));
        let mut inputs = Vec::new();
        for input in fed {
            match self.placeholder(&input.name, input.r#type.as_ref()) {
                Ok((val, ty, shape)) => inputs.push((input.name.clone(), val, ty, shape)),
                Err(error) => self.faults.push(error.at_node(&input.name, "input")),
            }
        }
        self.nodes(graph);
        let mut outputs = Vec::new();
        for output in &graph.output {
            match self.lookup(&output.name) {
                Ok(Some(val)) => {
                    let val = self.output(&output.name, val)?;
                    let (ty, shape) = (val.ty.clone(), self.block().shape(&val));
                    outputs.push((output.name.clone(), val, ty, shape));
                }
                Ok(None) => {}
                Err(error) => self.faults.push(error.at_node(&output.name, "output")),
            }
        }
        if let Some(error) = Error::join(std::mem::take(&mut self.faults)) {
            return Err(error);
        }
        let values = std::mem::take(&mut self.frame().values);
        let block = self.close();
        let value = |(name, val, ty, shape): (String, Val, Type, PartialShape)| {
            let endpoint = block.endpoint(val.at());
            let def = TensorDef {
                endpoint: format!("{}:{}", block.nodes[val.node].name, val.output),
                dtype: Some(block.dtype(&val).value()),
                shape: shape.clone(),
                ..TensorDef::default()
            };
            (Value { name: name.clone(), endpoint, ty, shape }, (name, def))
        };
        let (inputs, fed): (Vec<Value>, BTreeMap<String, TensorDef>) = inputs.into_iter().map(value).unzip();
        let (outputs, fetched): (Vec<Value>, BTreeMap<String, TensorDef>) = outputs.into_iter().map(value).unzip();
        let mut endpoints: BTreeMap<String, String> =
            values.into_iter().filter_map(|(name, val)| Some((name, block.endpoint(val?.at())))).collect();
        endpoints.extend(outputs.iter().map(|output| (output.name.clone(), output.endpoint.clone())));
        let def = GraphDef {
            nodes: block.into_nodes(),
            versions: Versions { producer: 1882, min_consumer: 0, bad_consumers: Vec::new() },
            library: Library { functions: self.library, ..Library::default() },
            ..GraphDef::default()
        };
        let mut built = Graph::from_def(def, self.registry)?;
        let method = "tensorflow/serving/predict".to_owned();
        let signature = SignatureDef { inputs: fed, outputs: fetched, method, ..SignatureDef::default() };
        built.meta.signatures.insert(SIGNATURE.to_owned(), signature);
        Ok(Imported { graph: built, inputs, outputs, endpoints })
    }

    /// The endpoint of an output: a node with its name.
    fn output(&mut self, name: &str, val: Val) -> Result<Val> {
        let wish = escape(name);
        let block = self.block();
        if block.nodes[val.node].name == wish && val.output == 0 {
            return Ok(val);
        }
        let first = block.nodes.len();
        let named = self.add("Identity", Attrs::new(), &[&val])?.like(&val);
        self.block().name_from(first, Some(named.node), &wish, true);
        Ok(named)
    }

    fn placeholder(&mut self, name: &str, ty: Option<&TypeProto>) -> Result<(Val, Type, PartialShape)> {
        let proto = ty.ok_or_else(|| Error::invalid("an input has no type"))?;
        let (ty, shape) = Type::of_proto(proto)?;
        let mut attrs = Attrs::new();
        attrs.set("dtype", AttrValue::Type(ty.dtype()?.value()));
        attrs.set("shape", AttrValue::Shape(shape.clone()));
        let val = self.add("Placeholder", attrs, &[])?.typed(ty.clone());
        self.block().name(val.node, &escape(name), true);
        self.bind(name, Some(val.clone()));
        Ok((val, ty, shape))
    }

    /// The block to which nodes are added.
    pub fn block(&mut self) -> &mut Block {
        self.blocks.last_mut().expect("an importer has a block while it imports")
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("an importer has a frame while it imports")
    }

    /// Adds a node to the block; returns its first output.
    ///
    /// # Errors
    /// The faults of the node.
    pub fn add(&mut self, op: &str, attrs: Attrs, inputs: &[&Val]) -> Result<Val> {
        match self.channels_last(op, &attrs, inputs)?.and_then(|outputs| outputs.into_iter().next()) {
            Some(val) => Ok(val),
            None => self.plain(op, attrs, inputs),
        }
    }

    /// Adds a node to the block; returns all its outputs.
    ///
    /// # Errors
    /// The faults of the node.
    pub fn add_all(&mut self, op: &str, attrs: Attrs, inputs: &[&Val]) -> Result<Vec<Val>> {
        if let Some(outputs) = self.channels_last(op, &attrs, inputs)? {
            return Ok(outputs);
        }
        let first = self.plain(op, attrs, inputs)?;
        let block = self.block();
        let output = |output: u32| {
            let val = Val { output, ..first.clone() };
            let dtype = block.dtype(&val);
            let same = first.ty.dtype() == Ok(dtype);
            if same { val } else { val.of_elem(Elem::of(dtype)) }
        };
        Ok((0..block.outputs(&first) as u32).map(output).collect())
    }

    /// Adds a node to the block as it is; returns its first output.
    ///
    /// # Errors
    /// The faults of the node.
    pub fn plain(&mut self, op: &str, attrs: Attrs, inputs: &[&Val]) -> Result<Val> {
        self.count()?;
        let registry = self.registry;
        self.block().add(registry, op, attrs, inputs)
    }

    /// Counts a node: functions that call functions can expand to very many.
    fn count(&mut self) -> Result<()> {
        self.added += 1;
        match self.added > MOST_NODES {
            true => Err(Error::resource_exhausted(format!("the model expands to more than {MOST_NODES} nodes"))),
            false => Ok(()),
        }
    }

    /// Adds a constant to the block.
    ///
    /// # Errors
    /// The faults of the node.
    pub fn constant(&mut self, value: Tensor) -> Result<Val> {
        let mut attrs = Attrs::new();
        attrs.set("dtype", AttrValue::Type(value.dtype().value()));
        attrs.set("value", AttrValue::Tensor(value));
        self.add("Const", attrs, &[])
    }

    fn bind(&mut self, name: &str, val: Option<Val>) {
        self.frame().values.insert(name.to_owned(), val);
    }

    /// The value with this name; `None` if it could not be converted.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a name that no earlier node computes.
    pub fn lookup(&mut self, name: &str) -> Result<Option<Val>> {
        let mut found = None;
        for frame in self.frames.iter().rev() {
            if let Some(val) = frame.values.get(name) {
                found = Some((frame.block, val.clone()));
                break;
            }
            if !frame.is_open {
                break;
            }
        }
        let Some((block, val)) = found else {
            return Err(Error::invalid(format!("no earlier node computes the value {name:?}"))
                .help("either no node does, or nodes are on a cycle; onnx.checker.check_model says more"));
        };
        match val {
            Some(val) => self.bring(block, val).map(Some),
            None => Ok(None),
        }
    }

    /// Index of the innermost block, for [`Importer::bring`].
    pub fn depth_of_blocks(&self) -> usize {
        self.blocks.len() - 1
    }

    /// The value of the innermost block that represents a value of the block with this index.
    pub fn bring(&mut self, block: usize, val: Val) -> Result<Val> {
        let last = self.blocks.len() - 1;
        if block == last {
            return Ok(val);
        }
        let of = &self.blocks[block];
        if let Some(known) = of.known(&val).filter(|known| known.num_bytes() <= COPIED) {
            let known = known.clone();
            return Ok(self.constant(known)?.typed(val.ty));
        }
        let mut outer = val;
        for inner in block + 1..=last {
            let (dtype, shape) = (self.blocks[inner - 1].dtype(&outer), self.blocks[inner - 1].shape(&outer));
            let into = &mut self.blocks[inner];
            outer = match into.captured(&outer) {
                Some(there) => there,
                None => {
                    let parameter = into.parameter(outer.ty.clone(), dtype, shape);
                    into.capture(outer, &parameter);
                    parameter
                }
            };
        }
        Ok(outer)
    }

    /// Initializers and nodes of a graph.
    fn nodes(&mut self, graph: &GraphProto) {
        for proto in &graph.initializer {
            let value = tensor(proto, self.beside);
            self.initializer(&proto.name, value);
        }
        for proto in &graph.sparse_initializer {
            let name = proto.values.as_ref().map_or("", |values| &values.name[..]);
            let value = filled_in(proto, self.beside);
            self.initializer(name, value);
        }
        let info: HashMap<&str, &TypeProto> =
            graph.value_info.iter().filter_map(|info| Some((&info.name[..], info.r#type.as_ref()?))).collect();
        for (i, node) in ordered(&graph.node) {
            self.node(node, i, &info);
            if self.added > MOST_NODES {
                break;
            }
        }
    }

    fn initializer(&mut self, name: &str, value: Result<(Tensor, Elem)>) {
        let added = value.and_then(|(value, elem)| Ok(self.constant(value)?.of_elem(elem)));
        let val = added.map_err(|e| self.faults.push(e.at_node(name, "initializer"))).ok();
        if let Some(val) = &val {
            let wish = escape(name);
            self.block().name(val.node, &wish, false);
        }
        self.bind(name, val);
    }

    /// Converts a node; records its faults.
    fn node(&mut self, node: &NodeProto, number: usize, info: &HashMap<&str, &TypeProto>) {
        let domain = if node.domain.is_empty() { STANDARD } else { &node.domain };
        let first_output = node.output.iter().find(|name| !name.is_empty());
        let shown = match (node.name.is_empty(), first_output) {
            (false, _) => node.name.clone(),
            (true, Some(output)) => output.clone(),
            (true, None) => format!("{}_{number}", node.op_type),
        };
        match self.converted(node, domain, &shown) {
            Ok(Some(outputs)) => {
                for (name, val) in node.output.iter().zip(outputs).filter(|(name, _)| !name.is_empty()) {
                    let val = self.informed(val, info.get(&name[..]).copied());
                    self.bind(name, Some(val));
                }
            }
            Ok(None) => node.output.iter().for_each(|name| self.bind(name, None)),
            Err(error) => {
                let version = self.frame().opsets.get(domain).copied().unwrap_or(1);
                self.faults.push(error.at_node(&shown, &format!("{domain}.{}, version {version}", node.op_type)));
                node.output.iter().for_each(|name| self.bind(name, None));
            }
        }
    }

    /// The values of a node's outputs; `None` if one of its inputs could not be converted.
    fn converted(&mut self, node: &NodeProto, domain: &str, shown: &str) -> Result<Option<Vec<Val>>> {
        self.count()?;
        let first = self.block().nodes.len();
        let mut inputs = Vec::with_capacity(node.input.len());
        for name in &node.input {
            inputs.push(match name.is_empty() {
                true => None,
                false => match self.lookup(name)? {
                    Some(val) => Some(val),
                    None => return Ok(None),
                },
            });
        }
        let function = self.functions.get(&(&node.domain[..], &node.op_type[..], &node.overload[..])).copied();
        let version = self.frame().opsets.get(domain).copied();
        let wish = format!("{}{}", self.frame().prefix, escape(shown));
        if let Some(function) = function {
            return self.call(function, node, inputs, &wish);
        }
        let unknown = || Error::unimplemented(format!("the operator {} is not supported", node.op_type));
        let operator = table::find(domain, &node.op_type).ok_or_else(unknown)?;
        let version = version.unwrap_or(1);
        let mut outputs = (operator.convert)(&mut Cx::new(self, node, &wish, version, inputs))?;
        if outputs.len() > node.output.len() {
            outputs.truncate(node.output.len());
        }
        if let Some(missing) = node.output.iter().skip(outputs.len()).find(|name| !name.is_empty()) {
            return Err(Error::unimplemented(format!("the output {missing:?} is not supported"))
                .expected(format!("at most {} outputs", outputs.len())));
        }
        // Every node of the model is a node of the graph.
        if let Some(main) = outputs.first_mut().filter(|val| val.node < first) {
            *main = self.add("Identity", Attrs::new(), &[main])?.like(main);
        }
        let is_output = self.blocks.len() == 1
            && self.frames.len() == 1
            && node.output.first().is_some_and(|name| escape(name) == wish)
            && outputs.first().is_some_and(|val| val.output == 0);
        let main = outputs.first().map(|val| val.node).or(Some(self.block().nodes.len().saturating_sub(1)));
        self.block().name_from(first, main, &wish, is_output);
        Ok(Some(outputs))
    }

    /// A value with the type information of the file, if less is known.
    fn informed(&mut self, val: Val, info: Option<&TypeProto>) -> Val {
        let Some((ty, shape)) = info.and_then(|proto| Type::of_proto(proto).ok()) else { return val };
        if let (Type::Tensor(_), Ok(merged)) = (&ty, self.block().shape(&val).merge(&shape)) {
            self.block().set_shape(&val, merged);
        }
        let refines = |elem: Elem| elem.is_narrow() && val.ty.elem().is_some_and(|known| known.dtype() == elem.dtype());
        match ty.elem() {
            Some(elem) if refines(elem) => val.of_elem(elem),
            _ => val,
        }
    }

    /// Replaces a node that calls a function by the nodes of the function.
    fn call(
        &mut self,
        function: &FunctionProto,
        node: &NodeProto,
        inputs: Vec<Option<Val>>,
        wish: &str,
    ) -> Result<Option<Vec<Val>>> {
        if self.depth >= DEEPEST {
            return Err(Error::invalid(format!("functions call each other more than {DEEPEST} levels deep")));
        }
        let mut given: HashMap<&str, &AttributeProto> =
            function.attribute_proto.iter().map(|attr| (&attr.name[..], attr)).collect();
        given.extend(node.attribute.iter().map(|attr| (&attr.name[..], attr)));
        let mut values: HashMap<String, Option<Val>> = HashMap::new();
        let mut absent = Vec::new();
        for (i, name) in function.input.iter().enumerate() {
            match inputs.get(i).cloned().flatten() {
                Some(val) => drop(values.insert(name.clone(), Some(val))),
                None => absent.push(&name[..]),
            }
        }
        let (block, prefix) = (self.blocks.len() - 1, format!("{wish}/"));
        let mut versions = (*self.frame().opsets).clone();
        versions.extend(opsets(&function.opset_import).iter().map(|(domain, version)| (domain.clone(), *version)));
        let opsets = Rc::new(versions);
        let info: HashMap<&str, &TypeProto> =
            function.value_info.iter().filter_map(|info| Some((&info.name[..], info.r#type.as_ref()?))).collect();
        self.frames.push(Frame { block, values, is_open: false, prefix, opsets });
        self.depth += 1;
        for (i, inner) in ordered(&function.node) {
            let mut inner = filled(inner, &given);
            inner.input.iter_mut().filter(|name| absent.contains(&&name[..])).for_each(String::clear);
            self.node(&inner, i, &info);
            if self.added > MOST_NODES {
                break;
            }
        }
        let outputs: Result<Vec<Option<Val>>> =
            function.output.iter().take(node.output.len()).map(|name| self.lookup(name)).collect();
        self.depth -= 1;
        self.frames.pop();
        Ok(outputs?.into_iter().collect())
    }

    /// Opens the body of a function: nodes are added to it until [`Importer::close`].
    pub fn open(&mut self) {
        self.blocks.push(Block::default());
        let opsets = self.frame().opsets.clone();
        let block = self.blocks.len() - 1;
        self.frames.push(Frame { block, values: HashMap::new(), is_open: true, prefix: String::new(), opsets });
    }

    /// Closes the body.
    pub fn close(&mut self) -> Block {
        self.frames.pop();
        let mut block = self.blocks.pop().expect("a body that was opened is closed once");
        block.name_from(0, None, "body", false);
        block
    }

    /// Adds the nodes of a graph to the block, with these values as its inputs; returns its outputs. `None` if one of
    /// its nodes could not be converted, which is recorded.
    ///
    /// # Errors
    /// A number of inputs that differs from that of the graph, and an output that no node computes.
    pub fn inner(&mut self, graph: &GraphProto, inputs: &[Val], prefix: &str) -> Result<Option<Vec<Val>>> {
        if graph.input.len() != inputs.len() {
            return Err(Error::invalid(format!("the graph {:?} has the wrong number of inputs", graph.name))
                .expected(inputs.len())
                .found(graph.input.len()));
        }
        if self.depth >= DEEPEST {
            return Err(Error::invalid(format!("graphs are nested more than {DEEPEST} levels deep")));
        }
        let (block, opsets) = (self.blocks.len() - 1, self.frame().opsets.clone());
        let names = graph.input.iter().map(|input| input.name.clone());
        let values = names.zip(inputs.iter().cloned().map(Some)).collect();
        self.frames.push(Frame { block, values, is_open: true, prefix: prefix.to_owned(), opsets });
        self.depth += 1;
        self.nodes(graph);
        let outputs: Result<Vec<Option<Val>>> = graph.output.iter().map(|output| self.lookup(&output.name)).collect();
        self.depth -= 1;
        self.frames.pop();
        Ok(outputs?.into_iter().collect())
    }

    /// Adds a function to the library; returns its name.
    pub fn function(&mut self, kind: &str, body: Block, parameters: &[usize], results: &[Val]) -> String {
        let name = format!("onnx_{kind}_{}", self.library.len());
        self.library.push(body.into_function(self.registry, &name, parameters, results));
        name
    }

    /// The current number of faults and of functions, to restore with [`Importer::forget`].
    pub fn mark(&self) -> (usize, usize) {
        (self.faults.len(), self.library.len())
    }

    /// Forgets the faults and functions since then.
    pub fn forget(&mut self, (faults, functions): (usize, usize)) {
        self.faults.truncate(faults);
        self.library.truncate(functions);
    }
}

/// A node of a function with references to the function's attributes replaced by their values.
fn filled(node: &NodeProto, given: &HashMap<&str, &AttributeProto>) -> NodeProto {
    let attribute = node.attribute.iter().filter_map(|attr| {
        if !attr.ref_attr_name.is_empty() {
            let value = given.get(&attr.ref_attr_name[..])?;
            return Some(AttributeProto { name: attr.name.clone(), ref_attr_name: String::new(), ..(*value).clone() });
        }
        let mut attr = attr.clone();
        for graph in attr.g.iter_mut().chain(&mut attr.graphs) {
            for inner in &mut graph.node {
                *inner = filled(inner, given);
            }
        }
        Some(attr)
    });
    NodeProto {
        input: node.input.clone(),
        output: node.output.clone(),
        name: node.name.clone(),
        op_type: node.op_type.clone(),
        domain: node.domain.clone(),
        overload: node.overload.clone(),
        attribute: attribute.collect(),
    }
}
