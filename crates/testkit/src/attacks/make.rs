//! Makes the graph of an attack.

use super::dice::Dice;
use super::values::{INTEGERS, Mood, base, tensor, text};
use levada::graph::attr::{AttrKind, AttrList, Func};
use levada::graph::def::{ArgDef, FunctionDef, GraphDef, Library, NodeDef, Signature};
use levada::graph::dtype::EdgeType;
use levada::graph::op::OpDef;
use levada::graph::spec::{Arg, AttrSpec, Role, Ty};
use levada::{AttrValue, DType, PartialShape, Tensor};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Maximum nesting of nodes that make handles for nodes that make handles.
const DEPTH: usize = 2;

/// A graph that attacks an op.
#[derive(Clone, Debug)]
pub struct Attack {
    /// The graph.
    pub graph: GraphDef,
    /// The feeds.
    pub feeds: Vec<(String, Tensor)>,
    /// The fetches.
    pub fetches: Vec<String>,
    /// The targets.
    pub targets: Vec<String>,
    /// Nodes to run first, one after the other.
    pub init: Vec<String>,
    /// True if a second run may return other values.
    pub is_stateful: bool,
}

/// The functions that nodes may call.
const FUNCTIONS: [&str; 7] = ["same", "other", "nothing", "always", "itself", "twice", "missing"];

/// A function of float32 with this body that returns `out`.
fn function(name: &str, inputs: usize, ty: DType, nodes: Vec<NodeDef>, out: Option<&str>) -> FunctionDef {
    let arg = |name: String, ty: DType| ArgDef { name, ty: Some(ty.into()), ..ArgDef::default() };
    let signature = Signature {
        name: name.to_owned(),
        inputs: (0..inputs).map(|i| arg(format!("x{i}"), DType::F32)).collect(),
        outputs: out.iter().map(|_| arg("y".to_owned(), ty)).collect(),
        ..Signature::default()
    };
    let ret = out.iter().map(|out| ("y".to_owned(), (*out).to_owned())).collect();
    FunctionDef { signature, nodes, ret, ..FunctionDef::default() }
}

fn node(name: &str, op: &str, inputs: &[&str], attrs: &[(&str, AttrValue)]) -> NodeDef {
    let mut node = NodeDef {
        name: name.to_owned(),
        op: op.to_owned(),
        inputs: inputs.iter().map(|&i| i.to_owned()).collect(),
        ..NodeDef::default()
    };
    for (name, value) in attrs {
        node.attrs.set(*name, value.clone());
    }
    node
}

fn library() -> Library {
    let f32 = || AttrValue::Type(DType::F32.into());
    let calls = |name: &str, of: &str, input: &str| {
        let types = || AttrValue::List(AttrList::Type(vec![DType::F32.into()]));
        node(
            name,
            "PartitionedCall",
            &[input],
            &[("Tin", types()), ("Tout", types()), ("f", AttrValue::Func(Func::from(of)))],
        )
    };
    let truth = || {
        node(
            "t",
            "Const",
            &[],
            &[("dtype", AttrValue::Type(DType::Bool.into())), ("value", AttrValue::Tensor(Tensor::scalar(true)))],
        )
    };
    Library {
        functions: vec![
            function("same", 1, DType::F32, vec![], Some("x0")),
            function("other", 1, DType::F32, vec![node("y", "Neg", &["x0"], &[("T", f32())])], Some("y:y:0")),
            function("nothing", 0, DType::F32, vec![], None),
            function("always", 1, DType::Bool, vec![truth()], Some("t:output:0")),
            function("itself", 1, DType::F32, vec![calls("c", "itself", "x0")], Some("c:output:0")),
            function(
                "twice",
                1,
                DType::F32,
                vec![calls("a", "twice", "x0"), calls("b", "twice", "a:output:0")],
                Some("b:output:0"),
            ),
        ],
        ..Library::default()
    }
}

/// The ops that make handles of a dtype, and the family of every op.
struct Known {
    makers: HashMap<DType, Vec<&'static str>>,
    families: HashMap<&'static str, &'static str>,
    members: HashMap<&'static str, Vec<&'static str>>,
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let (mut makers, mut families, mut members) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (family, ops) in levada::families() {
            for op in ops {
                families.insert(op.spec.name, family);
                members.entry(family).or_insert_with(Vec::new).push(op.spec.name);
                let objects = |arg: &Arg| matches!(arg.ty, Ty::Is(DType::Resource)) || arg.is_ref;
                if let Some(Arg { ty: Ty::Is(dtype), is_ref: false, .. }) = op.spec.outputs.first()
                    && matches!(dtype, DType::Resource | DType::Variant)
                    && !op.spec.inputs.iter().any(objects)
                {
                    makers.entry(*dtype).or_insert_with(Vec::new).push(op.spec.name);
                }
            }
        }
        Known { makers, families, members }
    })
}

struct Maker {
    dice: Dice,
    mood: Mood,
    base: Vec<usize>,
    attack: Attack,
    /// Endpoints of existing handles, by dtype.
    handles: HashMap<DType, Vec<String>>,
}

impl Attack {
    /// The attack on an op for this seed.
    pub fn new(op: &OpDef, seed: u64) -> Attack {
        let mut dice = Dice::new(op.spec.name, seed);
        let mood = Mood::ALL[(seed % 4) as usize];
        let base = base(&mut dice, mood);
        let attack = Attack {
            graph: GraphDef { library: library(), ..GraphDef::default() },
            feeds: Vec::new(),
            fetches: Vec::new(),
            targets: Vec::new(),
            init: Vec::new(),
            is_stateful: false,
        };
        let mut maker = Maker { dice, mood, base, attack, handles: HashMap::new() };
        maker.op(op, 0);
        // Other ops of its family, on the same handles.
        let known = known();
        if !maker.handles.is_empty()
            && let Some(members) = known.families.get(op.spec.name).and_then(|family| known.members.get(family))
        {
            for _ in 0..maker.dice.below(3) {
                let name = *maker.dice.pick(members);
                if let Some(other) = levada::registry().get(name) {
                    maker.op(other, 0);
                }
            }
        }
        maker.attack
    }
}

impl Maker {
    fn name(&self, op: &str) -> String {
        format!("{}_{op}", self.attack.graph.nodes.len())
    }

    /// Adds a node of `op` with the inputs it needs, fetches its outputs, and returns its name.
    fn op(&mut self, op: &OpDef, depth: usize) -> String {
        let spec = op.spec;
        let mut made = NodeDef { op: spec.name.to_owned(), ..NodeDef::default() };
        let counts: Vec<&str> = spec.inputs.iter().chain(spec.outputs).filter_map(|arg| arg.times).collect();
        for attr in op.attrs {
            let is_count = counts.contains(&attr.name);
            if attr.default.is_some() && !self.dice.once_in(if self.mood == Mood::Tame { 4 } else { 2 }) {
                made.attrs.set(attr.name, attr.default.map_or(AttrValue::I(0), |default| default.value()));
                continue;
            }
            let value = self.attr(attr, is_count);
            made.attrs.set(attr.name, value);
        }
        for arg in spec.inputs {
            let dtypes: Vec<DType> = match (
                arg.ty,
                made.attrs.get(match arg.ty {
                    Ty::Is(_) => "",
                    Ty::Of(attr) | Ty::Each(attr) => attr,
                }),
            ) {
                (Ty::Is(dtype), _) => vec![dtype],
                (Ty::Of(_), Some(AttrValue::Type(ty))) => vec![ty.dtype],
                (Ty::Each(_), Some(AttrValue::List(AttrList::Type(types)))) => types.iter().map(|t| t.dtype).collect(),
                (Ty::Each(_), _) => vec![],
                _ => vec![DType::F32],
            };
            let times = match arg.times.and_then(|attr| made.attrs.get(attr)) {
                Some(AttrValue::I(n)) => (*n).clamp(0, 8) as usize,
                _ => 1,
            };
            for _ in 0..times {
                for &dtype in &dtypes {
                    let input = self.input(arg, dtype, spec.name, depth);
                    made.inputs.push(input);
                }
            }
        }
        made.name = self.name(spec.name);
        self.attack.is_stateful |= spec.stateful || spec.role == Role::Call;
        let name = made.name.clone();
        if depth == 0 {
            self.attack.targets.push(name.clone());
            let plain = spec.outputs.iter().all(|out| {
                let dtype = match out.ty {
                    Ty::Is(dtype) => Some(dtype),
                    Ty::Of(attr) => match made.attrs.get(attr) {
                        Some(AttrValue::Type(ty)) => Some(ty.dtype),
                        _ => None,
                    },
                    Ty::Each(_) => None,
                };
                !out.is_ref && out.times.is_none() && dtype.is_some()
            });
            if plain && spec.role == Role::Plain {
                self.attack.fetches.extend((0..spec.outputs.len()).map(|i| format!("{name}:{i}")));
            }
        }
        for (i, out) in spec.outputs.iter().enumerate().take(1) {
            if let Ty::Is(dtype @ (DType::Resource | DType::Variant)) = out.ty {
                self.handles.entry(dtype).or_default().push(format!("{name}:{i}"));
            }
        }
        self.attack.graph.nodes.push(made);
        name
    }

    /// A node for an input.
    fn input(&mut self, arg: &Arg, dtype: DType, of: &str, depth: usize) -> String {
        if arg.is_ref {
            return self.reference(dtype, of, depth);
        }
        if matches!(dtype, DType::Resource | DType::Variant) && depth < DEPTH {
            if let Some(there) = self.handles.get(&dtype).filter(|there| !there.is_empty())
                && !self.dice.once_in(3)
            {
                return there[self.dice.below(there.len())].clone();
            }
            return self.handle(dtype, of, depth);
        }
        let value = tensor(&mut self.dice, self.mood, &self.base, arg.name, dtype);
        let feed = dtype != DType::Resource && dtype != DType::Variant && self.dice.once_in(2);
        let name = self.name(arg.name);
        let node = match feed {
            true => {
                self.attack.feeds.push((name.clone(), value));
                node(&name, "Placeholder", &[], &[("dtype", AttrValue::Type(dtype.into()))])
            }
            false => node(
                &name,
                "Const",
                &[],
                &[("dtype", AttrValue::Type(dtype.into())), ("value", AttrValue::Tensor(value))],
            ),
        };
        self.attack.graph.nodes.push(node);
        name
    }

    /// A node that makes a handle, usually one of the family of the op that takes it.
    fn handle(&mut self, dtype: DType, of: &str, depth: usize) -> String {
        let known = known();
        let Some(all) = known.makers.get(&dtype) else { return "nothing".to_owned() };
        let family = known.families.get(of);
        let near: Vec<&str> = all.iter().copied().filter(|maker| known.families.get(maker) == family).collect();
        let maker = match near.is_empty() || self.dice.once_in(4) {
            true => *self.dice.pick(all),
            false => near[self.dice.below(near.len())],
        };
        let registry = levada::registry();
        let Some(op) = registry.get(maker) else { return "nothing".to_owned() };
        let name = self.op(op, depth + 1);
        if maker == "VarHandleOp" && !self.dice.once_in(4) {
            self.assign(&name, "AssignVariableOp");
        }
        format!("{name}:0")
    }

    /// A node that makes a reference.
    fn reference(&mut self, dtype: DType, of: &str, depth: usize) -> String {
        let registry = levada::registry();
        let mut makers: Vec<&OpDef> = registry
            .iter()
            .filter(|op| op.spec.inputs.is_empty() && op.spec.outputs.first().is_some_and(|out| out.is_ref))
            .filter(|op| dtype == DType::Str || matches!(op.spec.outputs[0].ty, Ty::Of(_)))
            .collect();
        makers.sort_by_key(|op| op.spec.name);
        let known = known();
        let near: Vec<&OpDef> =
            makers.iter().copied().filter(|op| known.families.get(op.spec.name) == known.families.get(of)).collect();
        let from = if near.is_empty() || self.dice.once_in(4) { &makers } else { &near };
        let Some(op) = from.get(self.dice.below(from.len())).copied().copied() else { return "nothing".to_owned() };
        let name = self.op(&op, depth + 1);
        if let Some(made) = self.attack.graph.nodes.iter_mut().rev().find(|made| made.name == name)
            && let Ty::Of(attr) = op.spec.outputs[0].ty
        {
            made.attrs.set(attr, AttrValue::Type(dtype.into()));
            if !self.dice.once_in(4) {
                self.assign(&name, "Assign");
            }
        }
        format!("{name}:0")
    }

    /// Initializes a variable before the attack.
    fn assign(&mut self, variable: &str, op: &str) {
        let Some(made) = self.attack.graph.nodes.iter().find(|made| made.name == variable) else { return };
        let Some(AttrValue::Type(ty)) = made.attrs.get("dtype").or_else(|| made.attrs.get("T")) else { return };
        let dtype = ty.dtype;
        let value = tensor(&mut self.dice, self.mood, &self.base, "value", dtype);
        let of = self.name("value");
        self.attack.graph.nodes.push(node(
            &of,
            "Const",
            &[],
            &[("dtype", AttrValue::Type(dtype.into())), ("value", AttrValue::Tensor(value))],
        ));
        let name = self.name(op);
        let dtype = AttrValue::Type(dtype.into());
        let attrs: Vec<(&str, AttrValue)> = match op {
            "Assign" => vec![("T", dtype), ("validate_shape", AttrValue::B(false))],
            _ => vec![("dtype", dtype)],
        };
        self.attack.graph.nodes.push(node(&name, op, &[variable, &of], &attrs));
        self.attack.init.push(name);
    }

    fn int(&mut self) -> i64 {
        match self.mood.values() {
            true => *self.dice.pick(&INTEGERS),
            false => self.dice.below(4) as i64,
        }
    }

    fn float(&mut self) -> f32 {
        match self.mood.values() {
            true => *self.dice.pick(&[0.0, -1.0, 1.0, f32::NAN, f32::INFINITY, 1e38, 1e-45, -0.0]),
            false => self.dice.below(4) as f32 * 0.5,
        }
    }

    fn shape(&mut self) -> PartialShape {
        match self.dice.below(6) {
            0 => PartialShape::Unknown,
            1 => PartialShape::scalar(),
            2 if self.mood.values() => {
                let dims: Vec<Option<usize>> =
                    (0..self.dice.below(5)).map(|_| Some(self.int().unsigned_abs() as usize)).collect();
                PartialShape::new(dims)
            }
            3 => PartialShape::new(self.base.iter().map(|&d| if self.dice.once_in(2) { None } else { Some(d) })),
            _ => PartialShape::new(self.base.iter().map(|&d| Some(d))),
        }
    }

    fn dtype(&mut self, allowed: &[DType]) -> EdgeType {
        match allowed.is_empty() {
            true => (*self.dice.pick(DType::ALL)).into(),
            false => (*self.dice.pick(allowed)).into(),
        }
    }

    fn string(&mut self, attr: &AttrSpec) -> levada::Bytes {
        match attr.strings.is_empty() {
            true => text(&mut self.dice, self.mood),
            false => levada::Bytes::from_static(self.dice.pick(attr.strings).as_bytes()),
        }
    }

    fn func(&mut self) -> Func {
        Func::from(*self.dice.pick(&FUNCTIONS))
    }

    fn attr(&mut self, attr: &AttrSpec, is_count: bool) -> AttrValue {
        let least = attr.min.unwrap_or(0).max(0) as usize;
        let len = least + self.dice.below(4);
        match attr.kind {
            AttrKind::S => AttrValue::S(self.string(attr)),
            AttrKind::I if is_count => AttrValue::I((least + self.dice.below(4)) as i64),
            AttrKind::I => AttrValue::I(self.int().max(attr.min.unwrap_or(i64::MIN))),
            AttrKind::F => AttrValue::F(self.float()),
            AttrKind::B => AttrValue::B(self.dice.once_in(2)),
            AttrKind::Type => AttrValue::Type(self.dtype(attr.dtypes)),
            AttrKind::Shape => AttrValue::Shape(self.shape()),
            AttrKind::Tensor => {
                let dtype = *self.dice.pick(&[DType::F32, DType::I32, DType::I64, DType::Str, DType::U8]);
                AttrValue::Tensor(tensor(&mut self.dice, self.mood, &self.base, "", dtype))
            }
            AttrKind::Func => AttrValue::Func(self.func()),
            AttrKind::ListS => AttrValue::List(AttrList::S((0..len).map(|_| self.string(attr)).collect())),
            AttrKind::ListI => AttrValue::List(AttrList::I((0..len).map(|_| self.int()).collect())),
            AttrKind::ListF => AttrValue::List(AttrList::F((0..len).map(|_| self.float()).collect())),
            AttrKind::ListB => AttrValue::List(AttrList::B((0..len).map(|_| self.dice.once_in(2)).collect())),
            AttrKind::ListType => AttrValue::List(AttrList::Type((0..len).map(|_| self.dtype(attr.dtypes)).collect())),
            AttrKind::ListShape => AttrValue::List(AttrList::Shape((0..len).map(|_| self.shape()).collect())),
            AttrKind::ListTensor => AttrValue::List(AttrList::Empty),
            AttrKind::ListFunc => AttrValue::List(AttrList::Func((0..len).map(|_| self.func()).collect())),
        }
    }
}
