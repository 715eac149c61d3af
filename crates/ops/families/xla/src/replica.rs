//! `XlaReplicaId`: the index of the executing replica. There is only one.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Returns the index of the replica that executes this node, which is 0: a session is a single replica.
    pub struct XlaReplicaId {}
}

pub static XLA_REPLICA_ID: Def<XlaReplicaId> = op::<XlaReplicaId>("XlaReplicaId")
    .outputs(&[arg("id", is(DType::I32))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|_, cx| {
        cx.set(0, Tensor::scalar(0i32));
        Ok(())
    });
