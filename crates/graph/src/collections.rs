//! Collections: named lists stored with a graph in a file. One of them lists the queue runners.

use crate::error::{Code, Error, Result};
use crate::proto;
use prost::Message;
use prost::bytes::Bytes;
use std::collections::BTreeMap;

/// Name of the collection of queue runners.
pub const QUEUE_RUNNERS: &str = "queue_runners";

/// Collections by name.
pub type Collections = BTreeMap<String, Collection>;

/// A collection, as a `MetaGraphDef` holds it.
#[derive(Clone, PartialEq, Debug)]
pub enum Collection {
    /// Names of nodes or of their outputs.
    Nodes(Vec<String>),
    /// Serialized messages of some kind.
    Bytes(Vec<Bytes>),
    /// Integers.
    Ints(Vec<i64>),
    /// Floats.
    Floats(Vec<f32>),
}

/// A queue runner: enqueues until its input ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueRunnerDef {
    /// Name of the queue's node.
    pub queue: String,
    /// Nodes that enqueue, each of which runs repeatedly; a node may be listed several times.
    pub enqueue: Vec<String>,
    /// Node that closes the queue once its input has ended.
    pub close: String,
    /// Node that closes the queue and cancels pending enqueues.
    pub cancel: String,
    /// Codes with which an enqueue fails at the end of its input.
    pub closed_by: Vec<Code>,
}

impl QueueRunnerDef {
    /// Decodes a `QueueRunnerDef` message.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the bytes are not such a message.
    pub fn decode(bytes: &[u8]) -> Result<QueueRunnerDef> {
        let message = proto::QueueRunnerDef::decode(bytes).map_err(|error| {
            Error::invalid("the bytes are not a serialized queue runner").expected("a QueueRunnerDef").found(error)
        })?;
        let code = |number: &i32| {
            Code::from_number(*number).ok_or_else(|| Error::invalid(format!("there is no status code {number}")))
        };
        let mut closed_by = message.queue_closed_exception_types.iter().map(code).collect::<Result<Vec<_>>>()?;
        if closed_by.is_empty() {
            closed_by.push(Code::OutOfRange);
        }
        Ok(QueueRunnerDef {
            queue: message.queue_name,
            enqueue: message.enqueue_op_name,
            close: message.close_op_name,
            cancel: message.cancel_op_name,
            closed_by,
        })
    }

    /// Encodes a `QueueRunnerDef` message.
    pub fn encode(&self) -> Bytes {
        let message = proto::QueueRunnerDef {
            queue_name: self.queue.clone(),
            enqueue_op_name: self.enqueue.clone(),
            close_op_name: self.close.clone(),
            cancel_op_name: self.cancel.clone(),
            queue_closed_exception_types: self.closed_by.iter().map(|c| *c as i32).collect(),
        };
        Bytes::from(message.encode_to_vec())
    }
}

/// A variable, as the variable collections store it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariableDef {
    /// Endpoint of the variable: its handle or reference.
    pub variable: String,
    /// Node that sets it to its initial value.
    pub initializer: String,
    /// Endpoint that reads it.
    pub snapshot: String,
    /// Endpoint of its initial value.
    pub initial_value: String,
    /// True for a resource variable.
    pub is_resource: bool,
    /// True if training changes it.
    pub trainable: bool,
}

impl VariableDef {
    /// Decodes a `VariableDef` message.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the bytes are not such a message.
    pub fn decode(bytes: &[u8]) -> Result<VariableDef> {
        let message = proto::VariableDef::decode(bytes).map_err(|error| {
            Error::invalid("the bytes are not a serialized variable").expected("a VariableDef").found(error)
        })?;
        Ok(VariableDef {
            variable: message.variable_name,
            initializer: message.initializer_name,
            snapshot: message.snapshot_name,
            initial_value: message.initial_value_name,
            is_resource: message.is_resource,
            trainable: message.trainable,
        })
    }

    /// Encodes a `VariableDef` message.
    pub fn encode(&self) -> Bytes {
        let message = proto::VariableDef {
            variable_name: self.variable.clone(),
            initializer_name: self.initializer.clone(),
            snapshot_name: self.snapshot.clone(),
            is_resource: self.is_resource,
            initial_value_name: self.initial_value.clone(),
            trainable: self.trainable,
        };
        Bytes::from(message.encode_to_vec())
    }
}

/// The variables in a collection; none if it does not exist.
///
/// # Errors
/// `INVALID_ARGUMENT` if the collection holds something else.
pub fn variables(collections: &Collections, collection: &str) -> Result<Vec<VariableDef>> {
    match collections.get(collection) {
        None => Ok(Vec::new()),
        Some(Collection::Bytes(variables)) => variables.iter().map(|bytes| VariableDef::decode(bytes)).collect(),
        Some(_) => {
            Err(Error::invalid(format!("the collection {collection} holds messages"))
                .expected("a list of VariableDefs"))
        }
    }
}

/// Adds a variable to a collection.
///
/// # Errors
/// As [`variables`].
pub fn add_variable(collections: &mut Collections, collection: &str, variable: &VariableDef) -> Result<()> {
    match collections.entry(collection.to_owned()).or_insert_with(|| Collection::Bytes(Vec::new())) {
        Collection::Bytes(list) => {
            list.push(variable.encode());
            Ok(())
        }
        _ => variables(collections, collection).map(drop),
    }
}

/// The queue runners among collections.
///
/// # Errors
/// `INVALID_ARGUMENT` if the collection of that name holds something else.
pub fn queue_runners(collections: &Collections) -> Result<Vec<QueueRunnerDef>> {
    match collections.get(QUEUE_RUNNERS) {
        None => Ok(Vec::new()),
        Some(Collection::Bytes(runners)) => runners.iter().map(|bytes| QueueRunnerDef::decode(bytes)).collect(),
        Some(_) => Err(Error::invalid(format!("the collection {QUEUE_RUNNERS} holds messages"))
            .expected("a list of QueueRunnerDefs")),
    }
}

/// Adds a queue runner to collections.
///
/// # Errors
/// As [`queue_runners`].
pub fn add_queue_runner(collections: &mut Collections, runner: &QueueRunnerDef) -> Result<()> {
    let list = collections.entry(QUEUE_RUNNERS.to_owned()).or_insert_with(|| Collection::Bytes(Vec::new()));
    match list {
        Collection::Bytes(runners) => {
            runners.push(runner.encode());
            Ok(())
        }
        _ => queue_runners(collections).map(drop),
    }
}

/// Adds the name of a node to a collection, which is created if it does not exist.
///
/// # Errors
/// `INVALID_ARGUMENT` if the collection holds something other than names.
pub fn add_node(collections: &mut Collections, collection: &str, node: &str) -> Result<()> {
    match collections.entry(collection.to_owned()).or_insert_with(|| Collection::Nodes(Vec::new())) {
        Collection::Nodes(nodes) => {
            nodes.push(node.to_owned());
            Ok(())
        }
        _ => Err(Error::invalid(format!("the collection {collection} does not hold names of nodes"))),
    }
}

/// The names of nodes in a collection; none if it does not exist or holds something else.
pub fn nodes<'c>(collections: &'c Collections, collection: &str) -> &'c [String] {
    match collections.get(collection) {
        Some(Collection::Nodes(nodes)) => nodes,
        _ => &[],
    }
}

impl Collection {
    pub(crate) fn from_proto(message: proto::CollectionDef) -> Option<Collection> {
        Some(match message.kind? {
            proto::CollectionKind::Nodes(list) => Collection::Nodes(list.value),
            proto::CollectionKind::Bytes(list) => Collection::Bytes(list.value),
            proto::CollectionKind::Ints(list) => Collection::Ints(list.value),
            proto::CollectionKind::Floats(list) => Collection::Floats(list.value),
        })
    }

    pub(crate) fn to_proto(&self) -> proto::CollectionDef {
        use proto::CollectionKind as K;
        let kind = match self {
            Collection::Nodes(value) => K::Nodes(proto::NodeList { value: value.clone() }),
            Collection::Bytes(value) => K::Bytes(proto::BytesList { value: value.clone() }),
            Collection::Ints(value) => K::Ints(proto::Int64List { value: value.clone() }),
            Collection::Floats(value) => K::Floats(proto::FloatList { value: value.clone() }),
        };
        proto::CollectionDef { kind: Some(kind) }
    }
}
