//! Functions of a model without signatures: those of the saved Python objects.

use crate::proto::{Child, ConcreteFunction, Kind, ObjectGraph, Structured, TensorShape, TensorSpec, Value};
use levada_graph::def::{ArgDef, FunctionDef, Library};
use levada_graph::meta::TensorDef;
use levada_graph::{EdgeType, Error, PartialShape, Result};
use std::collections::{HashMap, HashSet, VecDeque};

/// A function of a saved object, specialized for some types and shapes.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Names of the objects on the path to it, joined by dots; if the function was saved for several types or shapes,
    /// the number of this one comes last.
    pub name: String,
    /// Its arguments, in order; the endpoints are empty.
    pub inputs: Vec<(String, TensorDef)>,
    /// Its results, in order; the endpoints are empty.
    pub outputs: Vec<(String, TensorDef)>,
    /// Its name in the library.
    pub(crate) concrete: String,
    /// Numbers of the objects that it captures.
    pub(crate) captures: Vec<i32>,
}

/// Children that are not functions for users of the model: those that create resources, those behind signatures, and
/// Keras's variants of `__call__`.
const INTERNAL: [&str; 8] = [
    "signatures",
    "keras_api",
    "_create_resource",
    "_initialize",
    "_destroy_resource",
    "_default_save_signature",
    "call_and_return_conditional_losses",
    "call_and_return_all_conditional_losses",
];

/// Names on the path from the root to each object, in the order of their distance.
pub(crate) fn paths(objects: &ObjectGraph) -> Vec<(usize, String)> {
    let mut seen = HashSet::from([0]);
    let mut queue = VecDeque::from([(0usize, String::new())]);
    let mut found = Vec::new();
    while let Some((number, path)) = queue.pop_front() {
        let Some(object) = objects.nodes.get(number) else { continue };
        let is_function = matches!(object.kind, Some(Kind::Function(_)));
        for Child { node, name } in &object.children {
            let next = usize::try_from(*node).unwrap_or(usize::MAX);
            // A function's children are its concrete functions.
            if is_function || INTERNAL.contains(&name.as_str()) || !seen.insert(next) {
                continue;
            }
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            queue.push_back((next, path));
        }
        found.push((number, path));
    }
    found
}

/// The functions of the saved objects that exist in the library.
pub(crate) fn functions(objects: &ObjectGraph, library: &Library) -> Vec<Function> {
    let defs: HashMap<&str, &FunctionDef> = library.functions.iter().map(|f| (f.signature.name.as_str(), f)).collect();
    let mut functions = Vec::new();
    for (number, path) in paths(objects) {
        let concrete: Vec<&String> = match &objects.nodes[number].kind {
            Some(Kind::Function(function)) => function.concrete.iter().collect(),
            Some(Kind::Bare(bare)) => vec![&bare.concrete],
            _ => continue,
        };
        let several = concrete.len() > 1;
        for (i, concrete) in concrete.into_iter().enumerate() {
            let name = if several { format!("{path}.{i}") } else { path.clone() };
            if let (Some(def), Some(saved)) =
                (defs.get(concrete.as_str()), objects.concrete_functions.get(concrete.as_str()))
            {
                functions.extend(function(name, def, saved));
            }
        }
    }
    functions
}

fn function(name: String, def: &FunctionDef, saved: &ConcreteFunction) -> Option<Function> {
    let taken = def.signature.inputs.len().checked_sub(saved.bound_inputs.len())?;
    let inputs = named(&def.signature.inputs[..taken], &leaves(saved.inputs.as_ref()), false);
    let outputs = named(&def.signature.outputs, &leaves(saved.outputs.as_ref()), true);
    let (concrete, captures) = (def.signature.name.clone(), saved.bound_inputs.clone());
    Some(Function { name, inputs, outputs, concrete, captures })
}

/// A tensor of a structure: its path and its spec.
struct Leaf {
    path: Vec<String>,
    spec: TensorSpec,
}

fn leaves(structure: Option<&Structured>) -> Vec<Leaf> {
    let mut found = Vec::new();
    if let Some(structure) = structure {
        collect(structure, &mut Vec::new(), &mut found);
    }
    found
}

/// The depth is that of a message, which the decoder bounds.
fn collect(structure: &Structured, path: &mut Vec<String>, found: &mut Vec<Leaf>) {
    let mut inside = |key: String, value: &Structured| {
        path.push(key);
        collect(value, path, found);
        path.pop();
    };
    match &structure.value {
        Some(Value::Tensor(spec) | Value::Bounded(spec)) => {
            found.push(Leaf { path: path.clone(), spec: spec.clone() });
        }
        Some(Value::Composite(spec)) => {
            // Composite tensors have few components.
            for i in 0..spec.num_flat_components.clamp(0, 64) {
                let path = path.iter().cloned().chain([i.to_string()]).collect();
                found.push(Leaf { path, spec: TensorSpec::default() });
            }
        }
        Some(Value::List(items) | Value::Tuple(items)) => {
            items.values.iter().enumerate().for_each(|(i, value)| inside(i.to_string(), value));
        }
        Some(Value::Dict(fields)) => fields.fields.iter().for_each(|(key, value)| inside(key.clone(), value)),
        Some(Value::Named(items)) => {
            for pair in &items.values {
                if let Some(value) = &pair.value {
                    inside(pair.key.clone(), value);
                }
            }
        }
        None => {}
    }
}

/// Names for the arguments or results of a function, from its structure if that has as many tensors.
fn named(args: &[ArgDef], leaves: &[Leaf], results: bool) -> Vec<(String, TensorDef)> {
    let fits = leaves.len() == args.len();
    let wish = |i: usize| -> String {
        let Some(leaf) = leaves.get(i).filter(|_| fits) else {
            return if results { format!("output_{i}") } else { args[i].name.clone() };
        };
        if !results {
            return if leaf.spec.name.is_empty() { args[i].name.clone() } else { leaf.spec.name.clone() };
        }
        // As TensorFlow names the results of a signature: by key, or by number without one.
        match leaf.path.as_slice() {
            [] => "output_0".to_owned(),
            [first, rest @ ..] if first.bytes().all(|b| b.is_ascii_digit()) => {
                [&format!("output_{first}")].into_iter().chain(rest).map(String::as_str).collect::<Vec<_>>().join("/")
            }
            path => path.join("/"),
        }
    };
    let wishes: Vec<String> = (0..args.len()).map(wish).collect();
    let unique = wishes.iter().collect::<HashSet<_>>().len() == wishes.len();
    let one = |(i, (arg, wish)): (usize, (&ArgDef, String))| {
        let name = match (unique, results) {
            (true, _) => wish,
            (false, true) => format!("output_{i}"),
            (false, false) => arg.name.clone(),
        };
        let spec = leaves.get(i).filter(|leaf| fits && leaf.spec.dtype != 0).map(|leaf| &leaf.spec);
        let dtype = arg.ty.or_else(|| spec.and_then(|spec| EdgeType::from_number(spec.dtype)));
        let shape = spec.map_or(PartialShape::Unknown, |spec| shape(spec.shape.as_ref()));
        (name, TensorDef { dtype, shape, ..TensorDef::default() })
    };
    args.iter().zip(wishes).enumerate().map(one).collect()
}

fn shape(proto: Option<&TensorShape>) -> PartialShape {
    match proto {
        Some(shape) if !shape.unknown_rank => {
            PartialShape::new(shape.dim.iter().map(|dim| usize::try_from(dim.size).ok()))
        }
        _ => PartialShape::Unknown,
    }
}

impl Function {
    /// The dtypes of its inputs or outputs, which are fixed in a concrete function.
    pub(crate) fn types(&self, side: &[(String, TensorDef)]) -> Result<Vec<EdgeType>> {
        let one = |(name, def): &(String, TensorDef)| {
            def.dtype.ok_or_else(|| {
                Error::unimplemented(format!("the function {} is for several dtypes", self.name)).found(name)
            })
        };
        side.iter().map(one).collect()
    }
}
