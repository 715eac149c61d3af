//! `XlaReplicaId`: the number of the replica that runs it. There is one.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// The number of the replica that runs this node, which is 0: a session is one replica.
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
