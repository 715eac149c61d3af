// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `host`.

use crate::node::{Input, Node, Ops, common, string};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// As PyFunc, with a gradient: the function registered under the token followed by `:gradient`, called with the arguments and the gradients of the results.
    ///
    /// - `input`: any number of tensors of any dtypes
    /// - `token`: Token of the function.
    /// - `tout`: Types of the results. Allowed: any dtype. Length at least 0.
    ///
    /// `Tin` is any dtype.
    pub fn eager_py_func(&self, input: impl IntoIterator<Item = impl Input>, token: impl AsRef<[u8]>, tout: &[DType]) -> EagerPyFunc<'_> {
        let mut node = Node::new(self, "EagerPyFunc").list(input);
        node.set("token", string(token));
        node.set("Tout", tout.to_vec());
        EagerPyFunc(node)
    }

    /// Calls the function registered in the session under `token`. It runs outside the session's threads and may block.
    ///
    /// - `input`: any number of tensors of any dtypes
    /// - `token`: Token of the function.
    /// - `tout`: Types of the results. Allowed: any dtype. Length at least 0.
    ///
    /// `Tin` is any dtype.
    ///
    /// It has no gradient.
    pub fn py_func(&self, input: impl IntoIterator<Item = impl Input>, token: impl AsRef<[u8]>, tout: &[DType]) -> PyFunc<'_> {
        let mut node = Node::new(self, "PyFunc").list(input);
        node.set("token", string(token));
        node.set("Tout", tout.to_vec());
        PyFunc(node)
    }

    /// As PyFunc, for a function whose results depend only on its arguments.
    ///
    /// - `input`: any number of tensors of any dtypes
    /// - `token`: Token of the function.
    /// - `tout`: Types of the results. Allowed: any dtype. Length at least 0.
    ///
    /// `Tin` is any dtype.
    ///
    /// It has no gradient.
    pub fn py_func_stateless(&self, input: impl IntoIterator<Item = impl Input>, token: impl AsRef<[u8]>, tout: &[DType]) -> PyFuncStateless<'_> {
        let mut node = Node::new(self, "PyFuncStateless").list(input);
        node.set("token", string(token));
        node.set("Tout", tout.to_vec());
        PyFuncStateless(node)
    }
}

/// A node of [`EagerPyFunc`](Ops::eager_py_func) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EagerPyFunc<'a>(Node<'a>);

impl EagerPyFunc<'_> {
    /// Ignored: the function never holds a worker. Default: `false`.
    pub fn is_async(mut self, is_async: bool) -> Self {
        self.0.set("is_async", is_async);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`PyFunc`](Ops::py_func) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PyFunc<'a>(Node<'a>);

impl PyFunc<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`PyFuncStateless`](Ops::py_func_stateless) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PyFuncStateless<'a>(Node<'a>);

impl PyFuncStateless<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

common! {
    EagerPyFunc
    PyFunc
    PyFuncStateless
}
