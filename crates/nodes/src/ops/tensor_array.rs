// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `tensor_array`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string};
use levada_graph::{DType, PartialShape};
use levada_builder::Output;

impl Ops<'_> {
    /// Creates an array of tensors.
    ///
    /// - `size`: a tensor of int32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array(&self, size: impl Input, dtype: DType) -> TensorArray<'_> {
        let mut node = Node::new(self, "TensorArray").input(size);
        node.set("dtype", dtype);
        TensorArray(node)
    }

    /// Closes an array and frees its memory.
    ///
    /// - `handle`: a reference to a variable of string
    pub fn tensor_array_close(&self, handle: impl Input) -> TensorArrayClose<'_> {
        TensorArrayClose(Node::new(self, "TensorArrayClose").input(handle))
    }

    /// Closes an array and frees its memory.
    ///
    /// - `handle`: a tensor of string
    pub fn tensor_array_close_v2(&self, handle: impl Input) -> TensorArrayCloseV2<'_> {
        TensorArrayCloseV2(Node::new(self, "TensorArrayCloseV2").input(handle))
    }

    /// Closes an array and frees its memory.
    ///
    /// - `handle`: a tensor of resource
    pub fn tensor_array_close_v3(&self, handle: impl Input) -> TensorArrayCloseV3<'_> {
        TensorArrayCloseV3(Node::new(self, "TensorArrayCloseV3").input(handle))
    }

    /// Concatenates the elements along their first axis, and returns their lengths.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `flow_in`: a tensor of float32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_concat(&self, handle: impl Input, flow_in: impl Input, dtype: DType) -> TensorArrayConcat<'_> {
        let mut node = Node::new(self, "TensorArrayConcat").input(handle).input(flow_in);
        node.set("dtype", dtype);
        TensorArrayConcat(node)
    }

    /// Concatenates the elements along their first axis, and returns their lengths.
    ///
    /// - `handle`: a tensor of string
    /// - `flow_in`: a tensor of float32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_concat_v2(&self, handle: impl Input, flow_in: impl Input, dtype: DType) -> TensorArrayConcatV2<'_> {
        let mut node = Node::new(self, "TensorArrayConcatV2").input(handle).input(flow_in);
        node.set("dtype", dtype);
        TensorArrayConcatV2(node)
    }

    /// Concatenates the elements along their first axis, and returns their lengths.
    ///
    /// - `handle`: a tensor of resource
    /// - `flow_in`: a tensor of float32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_concat_v3(&self, handle: impl Input, flow_in: impl Input, dtype: DType) -> TensorArrayConcatV3<'_> {
        let mut node = Node::new(self, "TensorArrayConcatV3").input(handle).input(flow_in);
        node.set("dtype", dtype);
        TensorArrayConcatV3(node)
    }

    /// Stacks the elements with the given indices along a new first axis.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `indices`: a tensor of int32
    /// - `flow_in`: a tensor of float32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_gather(&self, handle: impl Input, indices: impl Input, flow_in: impl Input, dtype: DType) -> TensorArrayGather<'_> {
        let mut node = Node::new(self, "TensorArrayGather").input(handle).input(indices).input(flow_in);
        node.set("dtype", dtype);
        TensorArrayGather(node)
    }

    /// Stacks the elements with the given indices along a new first axis.
    ///
    /// - `handle`: a tensor of string
    /// - `indices`: a tensor of int32
    /// - `flow_in`: a tensor of float32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_gather_v2(&self, handle: impl Input, indices: impl Input, flow_in: impl Input, dtype: DType) -> TensorArrayGatherV2<'_> {
        let mut node = Node::new(self, "TensorArrayGatherV2").input(handle).input(indices).input(flow_in);
        node.set("dtype", dtype);
        TensorArrayGatherV2(node)
    }

    /// Stacks the elements with the given indices along a new first axis.
    ///
    /// - `handle`: a tensor of resource
    /// - `indices`: a tensor of int32
    /// - `flow_in`: a tensor of float32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_gather_v3(&self, handle: impl Input, indices: impl Input, flow_in: impl Input, dtype: DType) -> TensorArrayGatherV3<'_> {
        let mut node = Node::new(self, "TensorArrayGatherV3").input(handle).input(indices).input(flow_in);
        node.set("dtype", dtype);
        TensorArrayGatherV3(node)
    }

    /// Returns the array of gradients of an array.
    ///
    /// - `handle`: a tensor of string
    /// - `flow_in`: a tensor of float32
    /// - `source`: Distinguishes several gradients of the same array.
    pub fn tensor_array_grad(&self, handle: impl Input, flow_in: impl Input, source: impl AsRef<[u8]>) -> TensorArrayGrad<'_> {
        let mut node = Node::new(self, "TensorArrayGrad").input(handle).input(flow_in);
        node.set("source", string(source));
        TensorArrayGrad(node)
    }

    /// Returns the array of gradients of an array.
    ///
    /// - `handle`: a tensor of string
    /// - `flow_in`: a tensor of float32
    /// - `source`: Distinguishes several gradients of the same array.
    pub fn tensor_array_grad_v2(&self, handle: impl Input, flow_in: impl Input, source: impl AsRef<[u8]>) -> TensorArrayGradV2<'_> {
        let mut node = Node::new(self, "TensorArrayGradV2").input(handle).input(flow_in);
        node.set("source", string(source));
        TensorArrayGradV2(node)
    }

    /// Returns the array of gradients of an array.
    ///
    /// - `handle`: a tensor of resource
    /// - `flow_in`: a tensor of float32
    /// - `source`: Distinguishes several gradients of the same array.
    pub fn tensor_array_grad_v3(&self, handle: impl Input, flow_in: impl Input, source: impl AsRef<[u8]>) -> TensorArrayGradV3<'_> {
        let mut node = Node::new(self, "TensorArrayGradV3").input(handle).input(flow_in);
        node.set("source", string(source));
        TensorArrayGradV3(node)
    }

    /// Returns the array of gradients of an array, whose elements have additional leading axes.
    ///
    /// - `handle`: a tensor of resource
    /// - `flow_in`: a tensor of float32
    /// - `shape_to_prepend`: a tensor of int32
    /// - `source`: Distinguishes several gradients of the same array.
    pub fn tensor_array_grad_with_shape(&self, handle: impl Input, flow_in: impl Input, shape_to_prepend: impl Input, source: impl AsRef<[u8]>) -> TensorArrayGradWithShape<'_> {
        let mut node = Node::new(self, "TensorArrayGradWithShape").input(handle).input(flow_in).input(shape_to_prepend);
        node.set("source", string(source));
        TensorArrayGradWithShape(node)
    }

    /// Stacks all elements along a new first axis.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `flow_in`: a tensor of float32
    /// - `dtype`: Element type. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn tensor_array_pack(&self, handle: impl Input, flow_in: impl Input, dtype: DType) -> TensorArrayPack<'_> {
        let mut node = Node::new(self, "TensorArrayPack").input(handle).input(flow_in);
        node.set("dtype", dtype);
        TensorArrayPack(node)
    }

    /// Reads an element.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `index`: a tensor of int32
    /// - `flow_in`: a tensor of float32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_read(&self, handle: impl Input, index: impl Input, flow_in: impl Input, dtype: DType) -> TensorArrayRead<'_> {
        let mut node = Node::new(self, "TensorArrayRead").input(handle).input(index).input(flow_in);
        node.set("dtype", dtype);
        TensorArrayRead(node)
    }

    /// Reads an element.
    ///
    /// - `handle`: a tensor of string
    /// - `index`: a tensor of int32
    /// - `flow_in`: a tensor of float32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_read_v2(&self, handle: impl Input, index: impl Input, flow_in: impl Input, dtype: DType) -> TensorArrayReadV2<'_> {
        let mut node = Node::new(self, "TensorArrayReadV2").input(handle).input(index).input(flow_in);
        node.set("dtype", dtype);
        TensorArrayReadV2(node)
    }

    /// Reads an element.
    ///
    /// - `handle`: a tensor of resource
    /// - `index`: a tensor of int32
    /// - `flow_in`: a tensor of float32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_read_v3(&self, handle: impl Input, index: impl Input, flow_in: impl Input, dtype: DType) -> TensorArrayReadV3<'_> {
        let mut node = Node::new(self, "TensorArrayReadV3").input(handle).input(index).input(flow_in);
        node.set("dtype", dtype);
        TensorArrayReadV3(node)
    }

    /// Writes the rows of a tensor to the elements with the given indices.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `indices`: a tensor of int32
    /// - `value`: a tensor of `T`
    /// - `flow_in`: a tensor of float32
    ///
    /// `T` is any dtype.
    pub fn tensor_array_scatter(&self, handle: impl Input, indices: impl Input, value: impl Input, flow_in: impl Input) -> TensorArrayScatter<'_> {
        TensorArrayScatter(Node::new(self, "TensorArrayScatter").input(handle).input(indices).input(value).input(flow_in))
    }

    /// Writes the rows of a tensor to the elements with the given indices.
    ///
    /// - `handle`: a tensor of string
    /// - `indices`: a tensor of int32
    /// - `value`: a tensor of `T`
    /// - `flow_in`: a tensor of float32
    ///
    /// `T` is any dtype.
    pub fn tensor_array_scatter_v2(&self, handle: impl Input, indices: impl Input, value: impl Input, flow_in: impl Input) -> TensorArrayScatterV2<'_> {
        TensorArrayScatterV2(Node::new(self, "TensorArrayScatterV2").input(handle).input(indices).input(value).input(flow_in))
    }

    /// Writes the rows of a tensor to the elements with the given indices.
    ///
    /// - `handle`: a tensor of resource
    /// - `indices`: a tensor of int32
    /// - `value`: a tensor of `T`
    /// - `flow_in`: a tensor of float32
    ///
    /// `T` is any dtype.
    pub fn tensor_array_scatter_v3(&self, handle: impl Input, indices: impl Input, value: impl Input, flow_in: impl Input) -> TensorArrayScatterV3<'_> {
        TensorArrayScatterV3(Node::new(self, "TensorArrayScatterV3").input(handle).input(indices).input(value).input(flow_in))
    }

    /// Returns the number of elements.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `flow_in`: a tensor of float32
    pub fn tensor_array_size(&self, handle: impl Input, flow_in: impl Input) -> TensorArraySize<'_> {
        TensorArraySize(Node::new(self, "TensorArraySize").input(handle).input(flow_in))
    }

    /// Returns the number of elements.
    ///
    /// - `handle`: a tensor of string
    /// - `flow_in`: a tensor of float32
    pub fn tensor_array_size_v2(&self, handle: impl Input, flow_in: impl Input) -> TensorArraySizeV2<'_> {
        TensorArraySizeV2(Node::new(self, "TensorArraySizeV2").input(handle).input(flow_in))
    }

    /// Returns the number of elements.
    ///
    /// - `handle`: a tensor of resource
    /// - `flow_in`: a tensor of float32
    pub fn tensor_array_size_v3(&self, handle: impl Input, flow_in: impl Input) -> TensorArraySizeV3<'_> {
        TensorArraySizeV3(Node::new(self, "TensorArraySizeV3").input(handle).input(flow_in))
    }

    /// Splits a tensor along its first axis into pieces of the given lengths, and writes them to the elements.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `value`: a tensor of `T`
    /// - `lengths`: a tensor of int64
    /// - `flow_in`: a tensor of float32
    ///
    /// `T` is any dtype.
    pub fn tensor_array_split(&self, handle: impl Input, value: impl Input, lengths: impl Input, flow_in: impl Input) -> TensorArraySplit<'_> {
        TensorArraySplit(Node::new(self, "TensorArraySplit").input(handle).input(value).input(lengths).input(flow_in))
    }

    /// Splits a tensor along its first axis into pieces of the given lengths, and writes them to the elements.
    ///
    /// - `handle`: a tensor of string
    /// - `value`: a tensor of `T`
    /// - `lengths`: a tensor of int64
    /// - `flow_in`: a tensor of float32
    ///
    /// `T` is any dtype.
    pub fn tensor_array_split_v2(&self, handle: impl Input, value: impl Input, lengths: impl Input, flow_in: impl Input) -> TensorArraySplitV2<'_> {
        TensorArraySplitV2(Node::new(self, "TensorArraySplitV2").input(handle).input(value).input(lengths).input(flow_in))
    }

    /// Splits a tensor along its first axis into pieces of the given lengths, and writes them to the elements.
    ///
    /// - `handle`: a tensor of resource
    /// - `value`: a tensor of `T`
    /// - `lengths`: a tensor of int64
    /// - `flow_in`: a tensor of float32
    ///
    /// `T` is any dtype.
    pub fn tensor_array_split_v3(&self, handle: impl Input, value: impl Input, lengths: impl Input, flow_in: impl Input) -> TensorArraySplitV3<'_> {
        TensorArraySplitV3(Node::new(self, "TensorArraySplitV3").input(handle).input(value).input(lengths).input(flow_in))
    }

    /// Writes the rows of a tensor to the elements.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `value`: a tensor of `T`
    /// - `flow_in`: a tensor of float32
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn tensor_array_unpack(&self, handle: impl Input, value: impl Input, flow_in: impl Input) -> TensorArrayUnpack<'_> {
        TensorArrayUnpack(Node::new(self, "TensorArrayUnpack").input(handle).input(value).input(flow_in))
    }

    /// Creates an array of tensors.
    ///
    /// - `size`: a tensor of int32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_v2(&self, size: impl Input, dtype: DType) -> TensorArrayV2<'_> {
        let mut node = Node::new(self, "TensorArrayV2").input(size);
        node.set("dtype", dtype);
        TensorArrayV2(node)
    }

    /// Creates an array of tensors.
    ///
    /// - `size`: a tensor of int32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn tensor_array_v3(&self, size: impl Input, dtype: DType) -> TensorArrayV3<'_> {
        let mut node = Node::new(self, "TensorArrayV3").input(size);
        node.set("dtype", dtype);
        TensorArrayV3(node)
    }

    /// Writes an element. A gradient array sums the values written to an element.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `index`: a tensor of int32
    /// - `value`: a tensor of `T`
    /// - `flow_in`: a tensor of float32
    ///
    /// `T` is any dtype.
    pub fn tensor_array_write(&self, handle: impl Input, index: impl Input, value: impl Input, flow_in: impl Input) -> TensorArrayWrite<'_> {
        TensorArrayWrite(Node::new(self, "TensorArrayWrite").input(handle).input(index).input(value).input(flow_in))
    }

    /// Writes an element. A gradient array sums the values written to an element.
    ///
    /// - `handle`: a tensor of string
    /// - `index`: a tensor of int32
    /// - `value`: a tensor of `T`
    /// - `flow_in`: a tensor of float32
    ///
    /// `T` is any dtype.
    pub fn tensor_array_write_v2(&self, handle: impl Input, index: impl Input, value: impl Input, flow_in: impl Input) -> TensorArrayWriteV2<'_> {
        TensorArrayWriteV2(Node::new(self, "TensorArrayWriteV2").input(handle).input(index).input(value).input(flow_in))
    }

    /// Writes an element. A gradient array sums the values written to an element.
    ///
    /// - `handle`: a tensor of resource
    /// - `index`: a tensor of int32
    /// - `value`: a tensor of `T`
    /// - `flow_in`: a tensor of float32
    ///
    /// `T` is any dtype.
    pub fn tensor_array_write_v3(&self, handle: impl Input, index: impl Input, value: impl Input, flow_in: impl Input) -> TensorArrayWriteV3<'_> {
        TensorArrayWriteV3(Node::new(self, "TensorArrayWriteV3").input(handle).input(index).input(value).input(flow_in))
    }
}

/// A node of [`TensorArray`](Ops::tensor_array) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArray<'a>(Node<'a>);

impl TensorArray<'_> {
    /// Statically known shape of the elements. Default: not known.
    pub fn element_shape(mut self, element_shape: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape", Into::<PartialShape>::into(element_shape));
        self
    }

    /// Whether writing past the end grows the array. Default: `false`.
    pub fn dynamic_size(mut self, dynamic_size: bool) -> Self {
        self.0.set("dynamic_size", dynamic_size);
        self
    }

    /// Whether an element can be read only once. Default: `true`.
    pub fn clear_after_read(mut self, clear_after_read: bool) -> Self {
        self.0.set("clear_after_read", clear_after_read);
        self
    }

    /// Name for messages; empty for the node's name. Default: `""`.
    pub fn tensor_array_name(mut self, tensor_array_name: impl AsRef<[u8]>) -> Self {
        self.0.set("tensor_array_name", string(tensor_array_name));
        self
    }
}

/// A node of [`TensorArrayClose`](Ops::tensor_array_close) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayClose<'a>(Node<'a>);

/// A node of [`TensorArrayCloseV2`](Ops::tensor_array_close_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayCloseV2<'a>(Node<'a>);

/// A node of [`TensorArrayCloseV3`](Ops::tensor_array_close_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayCloseV3<'a>(Node<'a>);

/// A node of [`TensorArrayConcat`](Ops::tensor_array_concat) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayConcat<'a>(Node<'a>);

impl TensorArrayConcat<'_> {
    /// Statically known shape of the elements without the first axis. Default: not known.
    pub fn element_shape_except0(mut self, element_shape_except0: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape_except0", Into::<PartialShape>::into(element_shape_except0));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TensorArrayConcatOutputs {
        let mut outputs = self.0.outputs();
        TensorArrayConcatOutputs { value: outputs.one(), lengths: outputs.one() }
    }
}

/// The outputs of [`TensorArrayConcat`](Ops::tensor_array_concat).
#[derive(Clone, Copy, Debug)]
pub struct TensorArrayConcatOutputs {
    /// A tensor of `dtype`.
    pub value: Output,
    /// A tensor of int64.
    pub lengths: Output,
}

/// A node of [`TensorArrayConcatV2`](Ops::tensor_array_concat_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayConcatV2<'a>(Node<'a>);

impl TensorArrayConcatV2<'_> {
    /// Statically known shape of the elements without the first axis. Default: not known.
    pub fn element_shape_except0(mut self, element_shape_except0: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape_except0", Into::<PartialShape>::into(element_shape_except0));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TensorArrayConcatV2Outputs {
        let mut outputs = self.0.outputs();
        TensorArrayConcatV2Outputs { value: outputs.one(), lengths: outputs.one() }
    }
}

/// The outputs of [`TensorArrayConcatV2`](Ops::tensor_array_concat_v2).
#[derive(Clone, Copy, Debug)]
pub struct TensorArrayConcatV2Outputs {
    /// A tensor of `dtype`.
    pub value: Output,
    /// A tensor of int64.
    pub lengths: Output,
}

/// A node of [`TensorArrayConcatV3`](Ops::tensor_array_concat_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayConcatV3<'a>(Node<'a>);

impl TensorArrayConcatV3<'_> {
    /// Statically known shape of the elements without the first axis. Default: not known.
    pub fn element_shape_except0(mut self, element_shape_except0: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape_except0", Into::<PartialShape>::into(element_shape_except0));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TensorArrayConcatV3Outputs {
        let mut outputs = self.0.outputs();
        TensorArrayConcatV3Outputs { value: outputs.one(), lengths: outputs.one() }
    }
}

/// The outputs of [`TensorArrayConcatV3`](Ops::tensor_array_concat_v3).
#[derive(Clone, Copy, Debug)]
pub struct TensorArrayConcatV3Outputs {
    /// A tensor of `dtype`.
    pub value: Output,
    /// A tensor of int64.
    pub lengths: Output,
}

/// A node of [`TensorArrayGather`](Ops::tensor_array_gather) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayGather<'a>(Node<'a>);

impl TensorArrayGather<'_> {
    /// Statically known shape of the elements. Default: not known.
    pub fn element_shape(mut self, element_shape: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape", Into::<PartialShape>::into(element_shape));
        self
    }
}

/// A node of [`TensorArrayGatherV2`](Ops::tensor_array_gather_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayGatherV2<'a>(Node<'a>);

impl TensorArrayGatherV2<'_> {
    /// Statically known shape of the elements. Default: not known.
    pub fn element_shape(mut self, element_shape: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape", Into::<PartialShape>::into(element_shape));
        self
    }
}

/// A node of [`TensorArrayGatherV3`](Ops::tensor_array_gather_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayGatherV3<'a>(Node<'a>);

impl TensorArrayGatherV3<'_> {
    /// Statically known shape of the elements. Default: not known.
    pub fn element_shape(mut self, element_shape: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape", Into::<PartialShape>::into(element_shape));
        self
    }
}

/// A node of [`TensorArrayGrad`](Ops::tensor_array_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayGrad<'a>(Node<'a>);

/// A node of [`TensorArrayGradV2`](Ops::tensor_array_grad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayGradV2<'a>(Node<'a>);

/// A node of [`TensorArrayGradV3`](Ops::tensor_array_grad_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayGradV3<'a>(Node<'a>);

impl TensorArrayGradV3<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TensorArrayGradV3Outputs {
        let mut outputs = self.0.outputs();
        TensorArrayGradV3Outputs { grad_handle: outputs.one(), flow_out: outputs.one() }
    }
}

/// The outputs of [`TensorArrayGradV3`](Ops::tensor_array_grad_v3).
#[derive(Clone, Copy, Debug)]
pub struct TensorArrayGradV3Outputs {
    /// A tensor of resource.
    pub grad_handle: Output,
    /// A tensor of float32.
    pub flow_out: Output,
}

/// A node of [`TensorArrayGradWithShape`](Ops::tensor_array_grad_with_shape) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayGradWithShape<'a>(Node<'a>);

impl TensorArrayGradWithShape<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TensorArrayGradWithShapeOutputs {
        let mut outputs = self.0.outputs();
        TensorArrayGradWithShapeOutputs { grad_handle: outputs.one(), flow_out: outputs.one() }
    }
}

/// The outputs of [`TensorArrayGradWithShape`](Ops::tensor_array_grad_with_shape).
#[derive(Clone, Copy, Debug)]
pub struct TensorArrayGradWithShapeOutputs {
    /// A tensor of resource.
    pub grad_handle: Output,
    /// A tensor of float32.
    pub flow_out: Output,
}

/// A node of [`TensorArrayPack`](Ops::tensor_array_pack) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayPack<'a>(Node<'a>);

impl TensorArrayPack<'_> {
    /// Statically known shape of the elements. Default: not known.
    pub fn element_shape(mut self, element_shape: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape", Into::<PartialShape>::into(element_shape));
        self
    }
}

/// A node of [`TensorArrayRead`](Ops::tensor_array_read) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayRead<'a>(Node<'a>);

/// A node of [`TensorArrayReadV2`](Ops::tensor_array_read_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayReadV2<'a>(Node<'a>);

/// A node of [`TensorArrayReadV3`](Ops::tensor_array_read_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayReadV3<'a>(Node<'a>);

/// A node of [`TensorArrayScatter`](Ops::tensor_array_scatter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayScatter<'a>(Node<'a>);

/// A node of [`TensorArrayScatterV2`](Ops::tensor_array_scatter_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayScatterV2<'a>(Node<'a>);

/// A node of [`TensorArrayScatterV3`](Ops::tensor_array_scatter_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayScatterV3<'a>(Node<'a>);

/// A node of [`TensorArraySize`](Ops::tensor_array_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArraySize<'a>(Node<'a>);

/// A node of [`TensorArraySizeV2`](Ops::tensor_array_size_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArraySizeV2<'a>(Node<'a>);

/// A node of [`TensorArraySizeV3`](Ops::tensor_array_size_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArraySizeV3<'a>(Node<'a>);

/// A node of [`TensorArraySplit`](Ops::tensor_array_split) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArraySplit<'a>(Node<'a>);

/// A node of [`TensorArraySplitV2`](Ops::tensor_array_split_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArraySplitV2<'a>(Node<'a>);

/// A node of [`TensorArraySplitV3`](Ops::tensor_array_split_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArraySplitV3<'a>(Node<'a>);

/// A node of [`TensorArrayUnpack`](Ops::tensor_array_unpack) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayUnpack<'a>(Node<'a>);

/// A node of [`TensorArrayV2`](Ops::tensor_array_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayV2<'a>(Node<'a>);

impl TensorArrayV2<'_> {
    /// Statically known shape of the elements. Default: not known.
    pub fn element_shape(mut self, element_shape: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape", Into::<PartialShape>::into(element_shape));
        self
    }

    /// Whether writing past the end grows the array. Default: `false`.
    pub fn dynamic_size(mut self, dynamic_size: bool) -> Self {
        self.0.set("dynamic_size", dynamic_size);
        self
    }

    /// Whether an element can be read only once. Default: `true`.
    pub fn clear_after_read(mut self, clear_after_read: bool) -> Self {
        self.0.set("clear_after_read", clear_after_read);
        self
    }

    /// Name for messages; empty for the node's name. Default: `""`.
    pub fn tensor_array_name(mut self, tensor_array_name: impl AsRef<[u8]>) -> Self {
        self.0.set("tensor_array_name", string(tensor_array_name));
        self
    }
}

/// A node of [`TensorArrayV3`](Ops::tensor_array_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayV3<'a>(Node<'a>);

impl TensorArrayV3<'_> {
    /// Statically known shape of the elements. Default: not known.
    pub fn element_shape(mut self, element_shape: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape", Into::<PartialShape>::into(element_shape));
        self
    }

    /// Whether writing past the end grows the array. Default: `false`.
    pub fn dynamic_size(mut self, dynamic_size: bool) -> Self {
        self.0.set("dynamic_size", dynamic_size);
        self
    }

    /// Whether an element can be read only once. Default: `true`.
    pub fn clear_after_read(mut self, clear_after_read: bool) -> Self {
        self.0.set("clear_after_read", clear_after_read);
        self
    }

    /// Whether all elements have the shape of the first. Default: `false`.
    pub fn identical_element_shapes(mut self, identical_element_shapes: bool) -> Self {
        self.0.set("identical_element_shapes", identical_element_shapes);
        self
    }

    /// Name for messages; empty for the node's name. Default: `""`.
    pub fn tensor_array_name(mut self, tensor_array_name: impl AsRef<[u8]>) -> Self {
        self.0.set("tensor_array_name", string(tensor_array_name));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TensorArrayV3Outputs {
        let mut outputs = self.0.outputs();
        TensorArrayV3Outputs { handle: outputs.one(), flow: outputs.one() }
    }
}

/// The outputs of [`TensorArrayV3`](Ops::tensor_array_v3).
#[derive(Clone, Copy, Debug)]
pub struct TensorArrayV3Outputs {
    /// A tensor of resource.
    pub handle: Output,
    /// A tensor of float32.
    pub flow: Output,
}

/// A node of [`TensorArrayWrite`](Ops::tensor_array_write) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayWrite<'a>(Node<'a>);

/// A node of [`TensorArrayWriteV2`](Ops::tensor_array_write_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayWriteV2<'a>(Node<'a>);

/// A node of [`TensorArrayWriteV3`](Ops::tensor_array_write_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorArrayWriteV3<'a>(Node<'a>);

common! {
    TensorArray
    TensorArrayClose
    TensorArrayCloseV2
    TensorArrayCloseV3
    TensorArrayConcat
    TensorArrayConcatV2
    TensorArrayConcatV3
    TensorArrayGather
    TensorArrayGatherV2
    TensorArrayGatherV3
    TensorArrayGrad
    TensorArrayGradV2
    TensorArrayGradV3
    TensorArrayGradWithShape
    TensorArrayPack
    TensorArrayRead
    TensorArrayReadV2
    TensorArrayReadV3
    TensorArrayScatter
    TensorArrayScatterV2
    TensorArrayScatterV3
    TensorArraySize
    TensorArraySizeV2
    TensorArraySizeV3
    TensorArraySplit
    TensorArraySplitV2
    TensorArraySplitV3
    TensorArrayUnpack
    TensorArrayV2
    TensorArrayV3
    TensorArrayWrite
    TensorArrayWriteV2
    TensorArrayWriteV3
}

no_output! {
    TensorArrayClose
    TensorArrayCloseV2
    TensorArrayCloseV3
}

one_output! {
    TensorArray
    TensorArrayGather
    TensorArrayGatherV2
    TensorArrayGatherV3
    TensorArrayGrad
    TensorArrayGradV2
    TensorArrayPack
    TensorArrayRead
    TensorArrayReadV2
    TensorArrayReadV3
    TensorArrayScatter
    TensorArrayScatterV2
    TensorArrayScatterV3
    TensorArraySize
    TensorArraySizeV2
    TensorArraySizeV3
    TensorArraySplit
    TensorArraySplitV2
    TensorArraySplitV3
    TensorArrayUnpack
    TensorArrayV2
    TensorArrayWrite
    TensorArrayWriteV2
    TensorArrayWriteV3
}
