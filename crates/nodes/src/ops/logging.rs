// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `logging`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string};

impl Ops<'_> {
    /// Fails with `data` in the message if `condition` is false.
    ///
    /// - `condition`: a tensor of bool
    /// - `data`: any number of tensors of any dtypes
    ///
    /// `T` is any dtype.
    pub fn assert(&self, condition: impl Input, data: impl IntoIterator<Item = impl Input>) -> Assert<'_> {
        Assert(Node::new(self, "Assert").input(condition).list(data))
    }

    /// Returns its input, or fails if it contains NaN or infinity.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `message`: Prefix of the error message.
    ///
    /// `T` is any float.
    pub fn check_numerics(&self, tensor: impl Input, message: impl AsRef<[u8]>) -> CheckNumerics<'_> {
        let mut node = Node::new(self, "CheckNumerics").input(tensor);
        node.set("message", string(message));
        CheckNumerics(node)
    }

    /// Returns its input, or fails if it contains NaN or infinity, distinguishing the two infinities.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `message`: Prefix of the error message.
    ///
    /// `T` is any float.
    pub fn check_numerics_v2(&self, tensor: impl Input, message: impl AsRef<[u8]>) -> CheckNumericsV2<'_> {
        let mut node = Node::new(self, "CheckNumericsV2").input(tensor);
        node.set("message", string(message));
        CheckNumericsV2(node)
    }

    /// Writes `data` to the log and returns `input`.
    ///
    /// - `input`: a tensor of `T`
    /// - `data`: any number of tensors of any dtypes
    ///
    /// `T` is any dtype. `U` is any dtype.
    pub fn print(&self, input: impl Input, data: impl IntoIterator<Item = impl Input>) -> Print<'_> {
        Print(Node::new(self, "Print").input(input).list(data))
    }

    /// Writes `input` to the log.
    ///
    /// - `input`: a tensor of string
    pub fn print_v2(&self, input: impl Input) -> PrintV2<'_> {
        PrintV2(Node::new(self, "PrintV2").input(input))
    }

    /// Returns the current time in seconds since the Unix epoch (1970).
    pub fn timestamp(&self) -> Timestamp<'_> {
        Timestamp(Node::new(self, "Timestamp"))
    }
}

/// A node of [`Assert`](Ops::assert) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Assert<'a>(Node<'a>);

impl Assert<'_> {
    /// Number of elements of each tensor in the message; negative for all. Default: `3`.
    pub fn summarize(mut self, summarize: i64) -> Self {
        self.0.set("summarize", summarize);
        self
    }
}

/// A node of [`CheckNumerics`](Ops::check_numerics) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CheckNumerics<'a>(Node<'a>);

/// A node of [`CheckNumericsV2`](Ops::check_numerics_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CheckNumericsV2<'a>(Node<'a>);

/// A node of [`Print`](Ops::print) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Print<'a>(Node<'a>);

impl Print<'_> {
    /// Prefix of the line. Default: `""`.
    pub fn message(mut self, message: impl AsRef<[u8]>) -> Self {
        self.0.set("message", string(message));
        self
    }

    /// Number of times to write; negative for no limit. Default: `-1`.
    pub fn first_n(mut self, first_n: i64) -> Self {
        self.0.set("first_n", first_n);
        self
    }

    /// Number of elements of each tensor to write; negative for all. Default: `3`.
    pub fn summarize(mut self, summarize: i64) -> Self {
        self.0.set("summarize", summarize);
        self
    }
}

/// A node of [`PrintV2`](Ops::print_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PrintV2<'a>(Node<'a>);

impl PrintV2<'_> {
    /// `stdout`, `stderr`, `log(info)`, `log(warning)`, `log(error)` or `file://` followed by a path. Default: `"stderr"`.
    pub fn output_stream(mut self, output_stream: impl AsRef<[u8]>) -> Self {
        self.0.set("output_stream", string(output_stream));
        self
    }

    /// Text appended to the string. Default: `"\n"`.
    pub fn end(mut self, end: impl AsRef<[u8]>) -> Self {
        self.0.set("end", string(end));
        self
    }
}

/// A node of [`Timestamp`](Ops::timestamp) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Timestamp<'a>(Node<'a>);

common! {
    Assert
    CheckNumerics
    CheckNumericsV2
    Print
    PrintV2
    Timestamp
}

no_output! {
    Assert
    PrintV2
}

one_output! {
    CheckNumerics
    CheckNumericsV2
    Print
    Timestamp
}
