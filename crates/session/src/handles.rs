//! Handles of tensors kept in a session: the Rust side of `GetSessionHandle`.

use crate::session::{Inner, Session};
use levada_graph::{Bytes, DType, Error, Handle, Result, Tensor};
use levada_kernel::SessionTensors;
use std::fmt;

/// The handle of a tensor kept in a session: `node;number;device`.
///
/// A run that fetches a node `GetSessionHandle` or `GetSessionHandleV2` makes one; [`Session::session_handle`] makes
/// one without a run. Fed to an endpoint ([`TensorHandle::feed`]) it stands for the tensor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TensorHandle(String);

impl TensorHandle {
    /// The handle that a run fetched.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for anything but a scalar string or handle of a tensor.
    pub fn of(fetched: &Tensor) -> Result<TensorHandle> {
        let wrong = || {
            Error::invalid("this is not a tensor handle")
                .expected("the output of a GetSessionHandle or GetSessionHandleV2 node")
                .found(format!("{} of shape {}", fetched.dtype(), fetched.shape()))
        };
        match fetched.dtype() {
            DType::Str => match fetched.slice::<Bytes>()? {
                [text] => String::from_utf8(text.to_vec()).map(TensorHandle).map_err(|_| wrong()),
                _ => Err(wrong()),
            },
            DType::Resource => handle_in(fetched).map(|handle| TensorHandle(handle.name.to_string())).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }

    /// The handle as text, as `GetSessionTensor` and `DeleteSessionTensor` take it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A feed with the tensor as the endpoint's value.
    pub fn feed(&self) -> Tensor {
        let container = SessionTensors::CONTAINER.into();
        Tensor::scalar(Handle { container, name: self.0.as_str().into(), object: None })
    }
}

impl fmt::Display for TensorHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The handle of a tensor that a scalar holds.
fn handle_in(tensor: &Tensor) -> Option<&Handle> {
    match tensor.slice::<Handle>().ok()? {
        [handle] if *handle.container == *SessionTensors::CONTAINER => Some(handle),
        _ => None,
    }
}

impl Session {
    /// Keeps a tensor in the session, to be fed by its handle or read by a node `GetSessionTensor`, until it is
    /// deleted.
    pub fn session_handle(&self, tensor: Tensor) -> TensorHandle {
        let device = self.devices().first().map_or("", |d| d.name());
        TensorHandle(self.env().tensors.put("Tensor", device, tensor))
    }

    /// The tensor that a handle stands for.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it was deleted or belongs to another session.
    pub fn session_tensor(&self, handle: &TensorHandle) -> Result<Tensor> {
        self.env().tensors.get(&handle.0)
    }

    /// Forgets the tensor that a handle stands for.
    ///
    /// # Errors
    /// As [`Session::session_tensor`].
    pub fn delete_session_tensor(&self, handle: &TensorHandle) -> Result<()> {
        self.env().tensors.remove(&handle.0)
    }
}

impl Inner {
    /// Replaces handles among the feeds by their tensors.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a handle without a tensor.
    pub(crate) fn values_of_handles(&self, feeds: &mut [Tensor]) -> Result<()> {
        for feed in feeds.iter_mut().filter(|feed| feed.dtype() == DType::Resource) {
            if let Some(handle) = handle_in(feed) {
                *feed = self.env.tensors.get(&handle.name)?;
            }
        }
        Ok(())
    }
}
