//! `_Send` and `_Recv`: where a graph was cut between two devices.

use crate::prelude::*;
use levada_kernel::{Entry, Rendezvous};
use std::sync::Arc;

macro_rules! transfers {
    ($($(#[doc = $doc:literal])* $send:ident = $send_name:literal, $recv:ident = $recv_name:literal;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $send {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
                /// Name of the tensor.
                tensor: String = Attr::string("tensor_name"),
                /// The device that sends.
                from: String = Attr::string("send_device"),
                /// Distinguishes starts of the sender.
                incarnation: i64 = Attr::int("send_device_incarnation").or_int(0),
                /// The device that receives.
                to: String = Attr::string("recv_device"),
                /// True where the caller sends in place of a node.
                client_terminated: bool = Attr::bool("client_terminated").or_bool(false),
            }
        }

        impl Op for $send {
            const SPEC: Spec =
                Spec { name: $send_name, inputs: &[arg("tensor", of("T"))], role: Role::Send, ..Spec::STATEFUL };
        }

        impl Kernel<Cpu> for $send {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                // Where the value is dead, the other side must hear of that.
                let value = match cx.entry(0).map(std::mem::take) {
                    Some(Entry::Value(tensor) | Entry::Constant(tensor)) => Entry::Value(tensor),
                    _ => Entry::Dead,
                };
                let key = (format!("{};{};{}", self.from, self.to, self.tensor), cx.iteration());
                rendezvous(cx)?.send(key, value)
            }
        }

        attrs! {
            $(#[doc = $doc])*
            pub struct $recv {
                /// Element type.
                dtype: DType = Attr::dtype("tensor_type", sets::ANY),
                /// Name of the tensor.
                tensor: String = Attr::string("tensor_name"),
                /// The device that sends.
                from: String = Attr::string("send_device"),
                /// Distinguishes starts of the sender.
                incarnation: i64 = Attr::int("send_device_incarnation").or_int(0),
                /// The device that receives.
                to: String = Attr::string("recv_device"),
                /// True where the caller receives in place of a node.
                client_terminated: bool = Attr::bool("client_terminated").or_bool(false),
            }
        }

        impl Op for $recv {
            const SPEC: Spec = Spec {
                name: $recv_name,
                outputs: &[arg("tensor", of("tensor_type"))],
                role: Role::Recv,
                ..Spec::STATEFUL
            };
        }

        impl Kernel<Cpu> for $recv {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let key = (format!("{};{};{}", self.from, self.to, self.tensor), cx.iteration());
                let rendezvous = rendezvous(cx)?;
                rendezvous.receive(key, cx.defer_for(levada_kernel::Wait::Send));
                Ok(())
            }
        }
    )*};
}

transfers! {
    /// A tensor that goes from one device to another.
    Send = "_Send", Recv = "_Recv";
    /// A tensor that goes from one device to another and is in the host's memory at both ends.
    HostSend = "_HostSend", HostRecv = "_HostRecv";
}

/// The step's rendezvous. When the step is cancelled, those who wait there are too.
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
