//! Adds a GraphDef to a graph: unchanged ([`Graph::extend`]), or under a prefix with inputs remapped
//! ([`Graph::import`]).

use crate::attr::{AttrList, AttrValue};
use crate::check::{Checked, InputMap, Outside, Suspects, check};
use crate::def::{GraphDef, Library, Versions};
use crate::error::{Error, Result};
use crate::graph::{Graph, Node, NodeId, split_endpoint};
use crate::op::Registry;
use bytes::Bytes;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How a GraphDef is imported. The default adds it without a prefix, renaming nodes whose name is taken.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// Prepended to the names of the nodes, with a slash; empty for none. If it is in use, a number is appended.
    pub prefix: String,
    /// Inputs within the GraphDef (`x`, `x:1`, `^x`) and the parts of the graph that replace them (`y`, `y:1`, `^y`).
    pub input_map: Vec<(String, String)>,
    /// Nodes of the graph that must run before the imported nodes.
    pub control_inputs: Vec<String>,
    /// True if a taken name is a fault; otherwise a number is appended to the prefix, or without a prefix to the name
    /// of the node.
    pub exact_names: bool,
}

impl Graph {
    /// Adds the nodes of a GraphDef, whose inputs may be nodes of this graph, and its functions. Existing nodes are
    /// unchanged.
    ///
    /// # Errors
    /// Every fault of the new nodes, including names in use. The graph is unchanged then.
    pub fn extend(&mut self, mut def: GraphDef, registry: &Registry) -> Result<Vec<NodeId>> {
        def.library = merged(&self.library, &def.library)?;
        let outside = Outside { graph: Some(self), by_name: true, ..Outside::default() };
        let checked = check(def, registry, &Suspects::new(), outside);
        let checked = crate::read::settle(checked, Vec::new(), None, false)?;
        Ok(self.take_in(checked))
    }

    /// Adds a copy of the nodes of a GraphDef, as TensorFlow's `import_graph_def` does: under a prefix, with some
    /// inputs replaced by endpoints of this graph. Other inputs name nodes of the GraphDef only. The numbers are
    /// returned in the order of its nodes.
    ///
    /// # Errors
    /// Every fault of the nodes and of the options. The graph is unchanged then.
    pub fn import(&mut self, mut def: GraphDef, registry: &Registry, options: &Import) -> Result<Vec<NodeId>> {
        let (map, mut errors) = self.input_map(&options.input_map);
        let mut control = Vec::new();
        for name in &options.control_inputs {
            let name = name.strip_prefix('^').unwrap_or(name);
            match self.find(name) {
                Some(id) => control.push(id),
                None => errors.push(self.unknown_node(name, name)),
            }
        }
        def.library = merged(&self.library, &def.library)?;
        let names = self.imported_names(&def, options, &mut errors);
        let present: HashSet<String> = def.nodes.iter().map(|n| n.name.clone()).collect();
        let outside =
            Outside { graph: Some(self), by_name: false, map: Some(&map), control: &control, ..Outside::default() };
        let checked = check(def, registry, &Suspects::new(), outside);
        let checked = crate::read::settle(checked, Vec::new(), None, false);
        let outputs = |name: &str| match &checked {
            Ok(checked) => match checked.nodes.iter().find(|n| *n.name == *name) {
                Some(node) if node.unsupported().is_some() => usize::MAX,
                node => node.map_or(0, |n| n.output_types.len()),
            },
            Err(_) if present.contains(name) => usize::MAX,
            Err(_) => 0,
        };
        errors.extend(unused(&map, &present, outputs));
        let mut checked = match checked {
            Ok(checked) if errors.is_empty() => checked,
            Ok(_) => return Err(Error::join(errors).expect("there are errors")),
            Err(faults) => {
                errors.push(faults);
                return Err(Error::join(errors).expect("there are errors"));
            }
        };
        for node in &mut checked.nodes {
            rename(node, &names);
        }
        Ok(self.take_in(checked))
    }

    fn take_in(&mut self, checked: Checked) -> Vec<NodeId> {
        if checked.def.library != *self.library {
            self.library = Arc::new(checked.def.library);
        }
        self.versions = if self.is_empty() && self.versions == Versions::default() {
            checked.def.versions
        } else {
            both(&self.versions, &checked.def.versions)
        };
        self.append(checked.nodes)
    }

    fn input_map(&self, pairs: &[(String, String)]) -> (InputMap, Vec<Error>) {
        let (mut map, mut errors) = (InputMap::default(), Vec::new());
        for (from, to) in pairs {
            match (from.strip_prefix('^'), to.strip_prefix('^')) {
                (Some(from), Some(name)) => match self.find(name) {
                    Some(id) => drop(map.control.insert(from.to_owned(), id)),
                    None => errors.push(self.unknown_node(to, name)),
                },
                (None, None) => match self.endpoint(to) {
                    Ok(endpoint) => {
                        let (name, output) = split_endpoint(from);
                        map.data.insert((name.to_owned(), output), endpoint);
                    }
                    Err(error) => errors.push(error),
                },
                _ => errors.push(
                    Error::invalid("a data input cannot replace a control input, nor vice versa")
                        .found(format!("{from:?} mapped to {to:?}")),
                ),
            }
        }
        (map, errors)
    }

    /// The new names of the nodes.
    fn imported_names(&self, def: &GraphDef, options: &Import, errors: &mut Vec<Error>) -> HashMap<Arc<str>, Arc<str>> {
        let prefix = options.prefix.trim_end_matches('/');
        if !prefix.is_empty() {
            errors.extend(crate::check::legal_name(prefix).err());
        }
        let prefix = if options.exact_names { prefix.to_owned() } else { self.free_prefix(prefix) };
        let prefixed = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") };
        let mut taken: HashSet<String> = def.nodes.iter().map(|n| prefixed(&n.name)).collect();
        let mut names = HashMap::with_capacity(def.nodes.len());
        for node in &def.nodes {
            let wanted = prefixed(&node.name);
            let mut name = wanted.clone();
            if self.find(&wanted).is_some() {
                if options.exact_names {
                    errors.push(
                        Error::invalid(format!("the graph already has a node named {wanted}"))
                            .at_node(&node.name, &node.op)
                            .help("import under another prefix"),
                    );
                }
                let free = |name: &String| self.find(name).is_none() && !taken.contains(name);
                name = (1u64..).map(|i| format!("{wanted}_{i}")).find(free).unwrap_or(wanted);
                taken.insert(name.clone());
            }
            names.insert(Arc::from(node.name.as_str()), Arc::from(name));
        }
        names
    }

    /// The prefix, with a number appended if nodes already have it.
    fn free_prefix(&self, prefix: &str) -> String {
        if prefix.is_empty() {
            return String::new();
        }
        let mut plain = false;
        let mut numbers: HashSet<u64> = HashSet::new();
        for rest in self.names().filter_map(|name| name.strip_prefix(prefix)) {
            let rest = rest.split('/').next().unwrap_or_default();
            plain |= rest.is_empty();
            numbers.extend(rest.strip_prefix('_').and_then(|digits| digits.parse::<u64>().ok()));
        }
        match plain {
            false => prefix.to_owned(),
            true => (1..).find(|i| !numbers.contains(i)).map_or_else(String::new, |i| format!("{prefix}_{i}")),
        }
    }
}

/// Renames a node, also in colocation attrs.
fn rename(node: &mut Node, names: &HashMap<Arc<str>, Arc<str>>) {
    if let Some(AttrValue::List(AttrList::S(classes))) = node.attrs.get("_class") {
        let moved = |class: &Bytes| {
            let name = class.strip_prefix(b"loc:@").and_then(|name| std::str::from_utf8(name).ok());
            match name.and_then(|name| names.get(name)) {
                Some(name) => Bytes::from(format!("loc:@{name}")),
                None => class.clone(),
            }
        };
        let classes = classes.iter().map(moved).collect();
        node.attrs.set("_class", AttrValue::List(AttrList::S(classes)));
    }
    if let Some(name) = names.get(&node.name) {
        node.name = name.clone();
    }
}

/// Faults for mapped inputs that the GraphDef neither uses nor defines.
fn unused(map: &InputMap, present: &HashSet<String>, outputs: impl Fn(&str) -> usize) -> Vec<Error> {
    let (used, used_control) = (map.used.borrow(), map.used_control.borrow());
    let data = map.data.keys().filter(|key| !used.contains(*key) && key.1 as usize >= outputs(&key.0));
    let control = map.control.keys().filter(|name| !used_control.contains(*name) && !present.contains(*name));
    let mut names: Vec<String> =
        data.map(|(n, o)| format!("{n}:{o}")).chain(control.map(|n| format!("^{n}"))).collect();
    names.sort();
    let error = |name| Error::invalid(format!("the mapped input {name} is not in the imported graph"));
    names.into_iter().map(error).collect()
}

/// Merges two libraries.
fn merged(old: &Library, new: &Library) -> Result<Library> {
    let mut library = old.clone();
    for function in &new.functions {
        match old.function(&function.signature.name) {
            None => library.functions.push(function.clone()),
            Some(known) if known == function => {}
            Some(_) => {
                return Err(Error::invalid(format!(
                    "the graph has another function named {} already",
                    function.signature.name
                )));
            }
        }
    }
    merge_gradients(&mut library.gradients, &new.gradients, "function")?;
    merge_gradients(&mut library.registered_gradients, &new.registered_gradients, "op type")?;
    Ok(library)
}

/// Adds the gradients of functions or op types that have none yet.
fn merge_gradients(old: &mut Vec<(String, String)>, new: &[(String, String)], what: &str) -> Result<()> {
    for (of, gradient) in new {
        match old.iter().find(|(known, _)| known == of) {
            None => old.push((of.clone(), gradient.clone())),
            Some((_, known)) if known == gradient => {}
            Some((_, known)) => {
                return Err(Error::invalid(format!("the {what} {of} has two gradients"))
                    .found(format!("{known} and {gradient}")));
            }
        }
    }
    Ok(())
}

/// The versions of a graph merged from two writers.
fn both(a: &Versions, b: &Versions) -> Versions {
    let mut bad_consumers = a.bad_consumers.clone();
    bad_consumers.extend(b.bad_consumers.iter().filter(|v| !a.bad_consumers.contains(v)));
    Versions { producer: a.producer.min(b.producer), min_consumer: a.min_consumer.max(b.min_consumer), bad_consumers }
}
