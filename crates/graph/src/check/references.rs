//! References in nodes and functions: devices, functions, and nodes within a function's body.

use super::{Fault, Faults};
use crate::attr::{AttrList, AttrValue, Attrs, Func};
use crate::def::{FunctionDef, GraphDef};
use crate::device::DeviceName;
use crate::error::Error;
use crate::op::{Registry, nearest};
use std::collections::{HashMap, HashSet};

/// Checks the device strings of nodes.
pub(crate) fn devices(faults: &mut Faults<'_>) {
    let def = faults.def;
    let mut known: HashMap<&str, Option<Error>> = HashMap::new();
    for (i, node) in def.nodes.iter().enumerate().filter(|(_, node)| !node.device.is_empty()) {
        let wrong = known.entry(&node.device).or_insert_with(|| DeviceName::parse(&node.device).err());
        if let Some(error) = wrong {
            faults.push(i, error.clone().path("device"));
        }
    }
}

/// Checks that the functions named in attrs of nodes exist.
pub(crate) fn functions(attrs: &[Attrs], registry: &Registry, faults: &mut Faults<'_>) {
    let names: HashSet<&str> = faults.def.library.functions.iter().map(|f| f.signature.name.as_str()).collect();
    for (i, attrs) in attrs.iter().enumerate() {
        for (name, error) in unknown_functions(attrs, &names, registry) {
            faults.push(i, error.path(format!("attr.{name}")).attr(name));
        }
    }
}

/// The error for each attr that names a function that does not exist.
fn unknown_functions<'a>(attrs: &'a Attrs, names: &HashSet<&str>, registry: &Registry) -> Vec<(&'a str, Error)> {
    let mut found = Vec::new();
    for (name, value) in attrs.iter() {
        let called: &[Func] = match value {
            AttrValue::Func(function) => std::slice::from_ref(function),
            AttrValue::List(AttrList::Func(functions)) => functions,
            _ => continue,
        };
        // A function attr may also name an op.
        let lacks =
            |f: &&Func| !f.name.is_empty() && !names.contains(f.name.as_str()) && registry.get(&f.name).is_none();
        for function in called.iter().filter(lacks) {
            let error = Error::not_found(format!("the function {} is not in the library", function.name));
            let error = error.expected("the name of a function of the library").found(format!("{:?}", function.name));
            found.push((
                &**name,
                match nearest(&function.name, names.iter().copied()) {
                    Some(near) => error.help(format!("did you mean {near:?}?")),
                    None => error,
                },
            ));
        }
    }
    found
}

/// Checks the bodies of functions: names, inputs, results.
pub(crate) fn bodies(def: &GraphDef, registry: &Registry) -> Vec<Fault> {
    let mut faults = Vec::new();
    let names: HashSet<&str> = def.library.functions.iter().map(|f| f.signature.name.as_str()).collect();
    let mut seen: HashSet<&str> = HashSet::new();
    for (i, function) in def.library.functions.iter().enumerate() {
        let mut note = |path: String, error: Error| {
            faults.push(Fault { node: None, path: format!("library.function[{i}].{path}"), error, lack: false });
        };
        if !seen.insert(&function.signature.name) {
            let error = Error::invalid(format!("two functions are named {}", function.signature.name));
            note("signature.name".to_owned(), error.help("give one of the two another name"));
        }
        body(function, &mut note);
        for (n, node) in function.nodes.iter().enumerate() {
            for (attr, error) in unknown_functions(&node.attrs, &names, registry) {
                note(format!("nodeDef[{n}].attr.{attr}"), error.attr(attr).at_node(&node.name, &node.op));
            }
        }
    }
    faults
}

fn body(function: &FunctionDef, note: &mut impl FnMut(String, Error)) {
    let of = &function.signature.name;
    let mut names: HashSet<&str> = function.signature.inputs.iter().map(|arg| arg.name.as_str()).collect();
    for (n, node) in function.nodes.iter().enumerate() {
        if !names.insert(&node.name) && !node.name.is_empty() {
            let error = Error::invalid(format!("two nodes or parameters of the function {of} are named {}", node.name));
            let error = error.at_node(&node.name, &node.op).help("give one of the two another name");
            note(format!("nodeDef[{n}].name"), error);
        }
    }
    let unknown = |text: &str, what: &str| -> Option<Error> {
        let name = text.trim_start_matches('^').split(':').next().unwrap_or_default();
        if names.contains(name) {
            return None;
        }
        let error = Error::invalid(format!("{what} names no node or parameter of the function {of}"))
            .found(format!("{text:?}"));
        Some(match nearest(name, names.iter().copied()) {
            Some(near) => error.help(format!("did you mean {near:?}?")),
            None => error.expected("a parameter, or node:argument:index"),
        })
    };
    for (n, node) in function.nodes.iter().enumerate() {
        for (i, input) in node.inputs.iter().enumerate() {
            if let Some(error) = unknown(input, "an input") {
                note(format!("nodeDef[{n}].input[{i}]"), error.at_node(&node.name, &node.op));
            }
        }
    }
    for (result, source) in &function.ret {
        if let Some(error) = unknown(source, "a result") {
            note(format!("ret.{result}"), error);
        }
    }
    for result in function.signature.outputs.iter().filter(|arg| !function.ret.contains_key(&arg.name)) {
        let error = Error::invalid(format!("the result {} of the function {of} has no source", result.name));
        note("ret".to_owned(), error.help(format!("add \"{}\": \"node:argument:0\" to \"ret\"", result.name)));
    }
}
