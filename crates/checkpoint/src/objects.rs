//! The object graph that TensorFlow 2 saves with its checkpoints: which variable of which object each tensor is.

use levada_graph::{Error, Result};
use prost::Message;
use std::collections::{BTreeMap, VecDeque};

/// The name of the tensor that holds the object graph.
pub const KEY: &str = "_CHECKPOINTABLE_OBJECT_GRAPH";
/// Maximum length of a path in bytes. Paths consist of names that many objects share, and could take far more memory
/// than the file.
const LONGEST: usize = 512;

#[derive(Clone, PartialEq, Message)]
struct TrackableObjectGraph {
    #[prost(message, repeated, tag = "1")]
    nodes: Vec<TrackableObject>,
}

#[derive(Clone, PartialEq, Message)]
struct TrackableObject {
    #[prost(message, repeated, tag = "1")]
    children: Vec<ObjectReference>,
    #[prost(message, repeated, tag = "2")]
    attributes: Vec<SerializedTensor>,
    #[prost(message, repeated, tag = "3")]
    slot_variables: Vec<SlotVariableReference>,
}

#[derive(Clone, PartialEq, Message)]
struct ObjectReference {
    #[prost(int32, tag = "1")]
    node_id: i32,
    #[prost(string, tag = "2")]
    local_name: String,
}

#[derive(Clone, PartialEq, Message)]
struct SerializedTensor {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    full_name: String,
    #[prost(string, tag = "3")]
    checkpoint_key: String,
}

#[derive(Clone, PartialEq, Message)]
struct SlotVariableReference {
    #[prost(int32, tag = "1")]
    original_variable_node_id: i32,
    #[prost(string, tag = "2")]
    slot_name: String,
    #[prost(int32, tag = "3")]
    slot_variable_node_id: i32,
}

/// A tensor of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The shortest path of names from the root to the object, joined by `/`: `model/layer-0/kernel`. If that is too
    /// long, the path in the key.
    pub path: String,
    /// The name of the variable in the program, such as `dense/kernel`; may be empty.
    pub full_name: String,
    /// The name of the tensor in the checkpoint.
    pub key: String,
}

/// Objects, the names that their owners give them, and their tensors.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    /// Names and numbers of the children of each object, and keys of its tensors.
    nodes: Vec<Node>,
    attributes: Vec<Attribute>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    children: BTreeMap<String, usize>,
    /// Keys of its tensors by name; a variable's only tensor is `VARIABLE_VALUE`.
    keys: Vec<(String, String)>,
}

impl Objects {
    /// Decodes a `TrackableObjectGraph` message.
    ///
    /// # Errors
    /// `DATA_LOSS` if the bytes are not such a message, or an object number is invalid.
    pub fn decode(bytes: &[u8]) -> Result<Objects> {
        let message = TrackableObjectGraph::decode(bytes)
            .map_err(|e| Error::data_loss(format!("the object graph of the checkpoint cannot be read: {e}")))?;
        let count = message.nodes.len();
        let number = |id: i32| {
            usize::try_from(id).ok().filter(|id| *id < count).ok_or_else(|| {
                Error::data_loss("the object graph of the checkpoint names an object that does not exist")
                    .expected(format!("a number below {count}"))
                    .found(id)
            })
        };
        let mut nodes = Vec::with_capacity(count);
        for object in &message.nodes {
            let children = object.children.iter().map(|c| Ok((c.local_name.clone(), number(c.node_id)?)));
            let keys = object.attributes.iter().map(|a| (a.name.clone(), a.checkpoint_key.clone())).collect();
            nodes.push(Node { children: children.collect::<Result<_>>()?, keys });
        }
        let mut paths: Vec<Option<String>> = vec![None; count];
        let mut open = VecDeque::new();
        if let Some(root) = paths.first_mut() {
            *root = Some(String::new());
            open.push_back(0);
        }
        while let Some(node) = open.pop_front() {
            // In the order of the file, so that the first of equally short paths is taken.
            for child in &message.nodes[node].children {
                let id = number(child.node_id)?;
                let before = paths[node].as_deref().unwrap_or_default();
                if paths[id].is_none() && before.len() + child.local_name.len() < LONGEST {
                    paths[id] = Some(joined(before, &child.local_name));
                    open.push_back(id);
                }
            }
        }
        // An optimizer's slot has no path of its own, only those of the optimizer and the variable.
        for (optimizer, object) in message.nodes.iter().enumerate() {
            for slot in &object.slot_variables {
                let (variable, id) = (number(slot.original_variable_node_id)?, number(slot.slot_variable_node_id)?);
                if paths[id].is_none() && slot.slot_name.len() < LONGEST {
                    let of = |node: usize| paths[node].clone().unwrap_or_default();
                    paths[id] = Some(joined(&joined(&of(variable), &of(optimizer)), &slot.slot_name));
                }
            }
        }
        let mut attributes = Vec::new();
        for (object, path) in message.nodes.into_iter().zip(paths) {
            let many = object.attributes.len() > 1;
            for attribute in object.attributes {
                let path = path.as_deref().unwrap_or(stem(&attribute.checkpoint_key));
                let path = if many { joined(path, &attribute.name) } else { path.to_owned() };
                attributes.push(Attribute { path, full_name: attribute.full_name, key: attribute.checkpoint_key });
            }
        }
        Ok(Objects { nodes, attributes })
    }

    /// The tensors of all objects.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The key of the tensor that a name refers to: a variable's name in the program, a path from the root or from one
    /// of its children, or a unique suffix of a variable's name.
    pub fn find(&self, name: &str) -> Option<&str> {
        let named = |a: &&Attribute| a.full_name == name || a.path == name || stem(&a.key) == name;
        if let Some(key) = only(self.attributes.iter().filter(named)) {
            return Some(key);
        }
        if let Some(key) = self.walk(0, name) {
            return Some(key);
        }
        let mut below: Vec<&str> =
            self.nodes.first()?.children.values().filter_map(|child| self.walk(*child, name)).collect();
        below.sort_unstable();
        below.dedup();
        if let [key] = below[..] {
            return Some(key);
        }
        let end = format!("/{name}");
        only(self.attributes.iter().filter(|a| a.full_name.ends_with(&end)))
    }

    /// The key of the only tensor of the object at the end of a path of names.
    fn walk(&self, from: usize, path: &str) -> Option<&str> {
        let mut at = self.nodes.get(from)?;
        let mut names = path.split('/').peekable();
        while let Some(name) = names.next() {
            match at.children.get(name) {
                Some(child) => at = self.nodes.get(*child)?,
                // The last name may be that of one of several tensors of an object.
                None if names.peek().is_none() => {
                    return at.keys.iter().find(|(n, _)| n == name).map(|(_, key)| key.as_str());
                }
                None => return None,
            }
        }
        match &at.keys[..] {
            [(_, key)] => Some(key),
            _ => None,
        }
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}

/// A key without the suffix that TensorFlow appends to the path of an object.
fn stem(key: &str) -> &str {
    key.split("/.ATTRIBUTES/").next().unwrap_or(key)
}

/// The key of the only attribute.
fn only<'a>(mut attributes: impl Iterator<Item = &'a Attribute>) -> Option<&'a str> {
    let first = attributes.next()?;
    attributes.all(|other| other.key == first.key).then_some(&first.key)
}
