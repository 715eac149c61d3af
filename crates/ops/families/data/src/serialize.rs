//! `SerializeIterator`, `DeserializeIterator`: save and restore the position of an iterator.

use crate::encoding::{decode_position, encode_position};
use crate::iterator::iterator;
use crate::prelude::*;
use levada_graph::Variant;

attrs! {
    /// Returns the position of an iterator, which does not move.
    pub struct SerializeIterator {
        /// Not used: the state of functions stays with the session.
        external_state_policy: i64 = Attr::int("external_state_policy").or_int(0),
    }
}

pub static SERIALIZE_ITERATOR: Def<SerializeIterator> = op("SerializeIterator")
    .inputs(&[arg("resource_handle", is(DType::Resource))])
    .outputs(&[SERIALIZED])
    .stateful()
    .role(Role::Call)
    .shape(|_: &SerializeIterator, cx| {
        cx.output_vector(0, None);
        Ok(())
    })
    .kernel(|_, cx| {
        let stream = iterator(cx, 0)?.stream()?;
        stream.position(cx, |position| Ok(vec![Tensor::vector(vec![encode_position(position)?])]))
    })
    .heavy();

attrs! {
    /// Moves an iterator to a saved position in its dataset.
    pub struct DeserializeIterator {}
}

pub static DESERIALIZE_ITERATOR: Def<DeserializeIterator> = op("DeserializeIterator")
    .inputs(&[arg("resource_handle", is(DType::Resource)), SERIALIZED])
    .stateful()
    .kernel(|_: &DeserializeIterator, cx| {
        let [serialized] = cx.slice::<Variant>(1)? else {
            return Err(Error::invalid("a position is a vector of one variant")
                .found(format!("shape {}", cx.input(1)?.shape())));
        };
        let position = decode_position(serialized, &cx.env().files)?;
        iterator(cx, 0)?.resume(cx.step(), position)
    });

const SERIALIZED: Arg = arg("serialized", is(DType::Variant));
