//! `_Send` and `_Recv`: edges of a graph that was partitioned between devices.

use crate::prelude::*;
use levada_kernel::{Rendezvous, Wait};
use std::sync::Arc;

attrs! {
    /// Sends a tensor to another device.
    pub struct SendTensor {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Name of the tensor.
        tensor: String = Attr::string("tensor_name"),
        /// The sending device.
        from: String = Attr::string("send_device"),
        /// Distinguishes restarts of the sender.
        incarnation: i64 = Attr::int("send_device_incarnation").or_int(0),
        /// The receiving device.
        to: String = Attr::string("recv_device"),
        /// Whether the caller sends in place of a node.
        client_terminated: bool = Attr::bool("client_terminated").or_bool(false),
    }
}

const BETWEEN_HOSTS: &str = "Transfers a tensor between two devices; it is in host memory at both ends.";

pub static SEND: Def<SendTensor> = op("_Send")
    .inputs(&[arg("tensor", of("T"))])
    .also(&[form("_HostSend").doc(BETWEEN_HOSTS)])
    .stateful()
    .role(Role::Send)
    .kernel(|op, cx| {
        // A dead value must be propagated to the receiver.
        let value = match cx.entry(0).map(std::mem::take) {
            Some(Entry::Value(tensor) | Entry::Constant(tensor)) => Entry::Value(tensor),
            _ => Entry::Dead,
        };
        let key = (format!("{};{};{}", op.from, op.to, op.tensor), cx.iteration());
        rendezvous(cx)?.send(key, value)
    });

attrs! {
    /// Receives a tensor from another device.
    pub struct ReceiveTensor {
        /// Element type.
        dtype: DType = Attr::dtype("tensor_type", sets::ANY),
        /// Name of the tensor.
        tensor: String = Attr::string("tensor_name"),
        /// The sending device.
        from: String = Attr::string("send_device"),
        /// Distinguishes restarts of the sender.
        incarnation: i64 = Attr::int("send_device_incarnation").or_int(0),
        /// The receiving device.
        to: String = Attr::string("recv_device"),
        /// Whether the caller receives in place of a node.
        client_terminated: bool = Attr::bool("client_terminated").or_bool(false),
    }
}

pub static RECV: Def<ReceiveTensor> = op("_Recv")
    .outputs(&[arg("tensor", of("tensor_type"))])
    .also(&[form("_HostRecv").doc(BETWEEN_HOSTS)])
    .stateful()
    .role(Role::Recv)
    .kernel(|op, cx| {
        let key = (format!("{};{};{}", op.from, op.to, op.tensor), cx.iteration());
        let rendezvous = rendezvous(cx)?;
        rendezvous.receive(key, cx.defer_for(Wait::Send));
        Ok(())
    });

/// Returns the step's rendezvous. Cancelling the step cancels the transfers waiting there.
fn rendezvous(cx: &Cx<'_, '_>) -> Result<Arc<Rendezvous>> {
    struct Held {
        rendezvous: Arc<Rendezvous>,
        _on_cancel: levada_kernel::cancel::Registration,
    }
    let cancel = cx.cancel().clone();
    let held = cx.step().resources.get_or_create("", "rendezvous", || {
        let rendezvous = Arc::new(Rendezvous::new());
        let weak = Arc::downgrade(&rendezvous);
        let on_cancel = cancel.on_cancel(move |reason| {
            if let Some(rendezvous) = weak.upgrade() {
                rendezvous.abort(reason);
            }
        });
        Ok(Held { rendezvous, _on_cancel: on_cancel })
    })?;
    Ok(held.rendezvous.clone())
}
