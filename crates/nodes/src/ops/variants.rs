// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `variants`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_graph::{DType, PartialShape};
use levada_builder::Output;

impl Ops<'_> {
    /// Creates an empty list.
    ///
    /// - `element_shape`: a tensor of `shape_type`
    /// - `max_num_elements`: a tensor of int32
    /// - `element_dtype`: Element type. Allowed: any dtype.
    ///
    /// `shape_type` is int32, int64.
    pub fn empty_tensor_list(&self, element_shape: impl Input, max_num_elements: impl Input, element_dtype: DType) -> EmptyTensorList<'_> {
        let mut node = Node::new(self, "EmptyTensorList").input(element_shape).input(max_num_elements);
        node.set("element_dtype", element_dtype);
        EmptyTensorList(node)
    }

    /// Creates an empty map.
    pub fn empty_tensor_map(&self) -> EmptyTensorMap<'_> {
        EmptyTensorMap(Node::new(self, "EmptyTensorMap"))
    }

    /// Creates an optional with a value.
    ///
    /// - `components`: any number of tensors of any dtypes
    ///
    /// `Toutput_types` is any dtype.
    pub fn optional_from_value(&self, components: impl IntoIterator<Item = impl Input>) -> OptionalFromValue<'_> {
        OptionalFromValue(Node::new(self, "OptionalFromValue").list(components))
    }

    /// Returns the value of an optional.
    ///
    /// - `optional`: a tensor of variant
    /// - `output_types`: Types of the components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of the components. Length at least 1.
    pub fn optional_get_value(&self, optional: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> OptionalGetValue<'_> {
        let mut node = Node::new(self, "OptionalGetValue").input(optional);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        OptionalGetValue(node)
    }

    /// Returns whether an optional has a value.
    ///
    /// - `optional`: a tensor of variant
    pub fn optional_has_value(&self, optional: impl Input) -> OptionalHasValue<'_> {
        OptionalHasValue(Node::new(self, "OptionalHasValue").input(optional))
    }

    /// Creates an optional without a value.
    pub fn optional_none(&self) -> OptionalNone<'_> {
        OptionalNone(Node::new(self, "OptionalNone"))
    }

    /// Concatenates the elements of a list along their first axis, and returns their lengths.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `element_dtype`: Element type. Allowed: any dtype.
    pub fn tensor_list_concat(&self, input_handle: impl Input, element_dtype: DType) -> TensorListConcat<'_> {
        let mut node = Node::new(self, "TensorListConcat").input(input_handle);
        node.set("element_dtype", element_dtype);
        TensorListConcat(node)
    }

    /// Concatenates pairs of lists.
    ///
    /// - `input_a`: a tensor of variant
    /// - `input_b`: a tensor of variant
    /// - `element_dtype`: Element type. Allowed: any dtype.
    pub fn tensor_list_concat_lists(&self, input_a: impl Input, input_b: impl Input, element_dtype: DType) -> TensorListConcatLists<'_> {
        let mut node = Node::new(self, "TensorListConcatLists").input(input_a).input(input_b);
        node.set("element_dtype", element_dtype);
        TensorListConcatLists(node)
    }

    /// Concatenates the elements of a list along their first axis, and returns their lengths. Uninitialized elements are zeros of the lengths in `leading_dims`.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `element_shape`: a tensor of `shape_type`
    /// - `leading_dims`: a tensor of int64
    /// - `element_dtype`: Element type. Allowed: any dtype.
    ///
    /// `shape_type` is int32, int64.
    pub fn tensor_list_concat_v2(&self, input_handle: impl Input, element_shape: impl Input, leading_dims: impl Input, element_dtype: DType) -> TensorListConcatV2<'_> {
        let mut node = Node::new(self, "TensorListConcatV2").input(input_handle).input(element_shape).input(leading_dims);
        node.set("element_dtype", element_dtype);
        TensorListConcatV2(node)
    }

    /// Returns the known shape of a list's elements, with -1 for unknown sizes.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `shape_type`: Type of the shape. Allowed: int32, int64.
    pub fn tensor_list_element_shape(&self, input_handle: impl Input, shape_type: DType) -> TensorListElementShape<'_> {
        let mut node = Node::new(self, "TensorListElementShape").input(input_handle);
        node.set("shape_type", shape_type);
        TensorListElementShape(node)
    }

    /// Creates a list of the rows of a tensor.
    ///
    /// - `tensor`: a tensor of `element_dtype`
    /// - `element_shape`: a tensor of `shape_type`
    ///
    /// `element_dtype` is any dtype. `shape_type` is int32, int64.
    pub fn tensor_list_from_tensor(&self, tensor: impl Input, element_shape: impl Input) -> TensorListFromTensor<'_> {
        TensorListFromTensor(Node::new(self, "TensorListFromTensor").input(tensor).input(element_shape))
    }

    /// Stacks the elements of a list at the given indices along a new first axis.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `indices`: a tensor of int32
    /// - `element_shape`: a tensor of int32
    /// - `element_dtype`: Element type. Allowed: any dtype.
    pub fn tensor_list_gather(&self, input_handle: impl Input, indices: impl Input, element_shape: impl Input, element_dtype: DType) -> TensorListGather<'_> {
        let mut node = Node::new(self, "TensorListGather").input(input_handle).input(indices).input(element_shape);
        node.set("element_dtype", element_dtype);
        TensorListGather(node)
    }

    /// Returns an element of a list; zeros if it is uninitialized.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `index`: a tensor of int32
    /// - `element_shape`: a tensor of `Tshape`
    /// - `element_dtype`: Element type. Allowed: any dtype.
    ///
    /// `Tshape` is int32, int64.
    pub fn tensor_list_get_item(&self, input_handle: impl Input, index: impl Input, element_shape: impl Input, element_dtype: DType) -> TensorListGetItem<'_> {
        let mut node = Node::new(self, "TensorListGetItem").input(input_handle).input(index).input(element_shape);
        node.set("element_dtype", element_dtype);
        TensorListGetItem(node)
    }

    /// Returns the number of elements of a list.
    ///
    /// - `input_handle`: a tensor of variant
    pub fn tensor_list_length(&self, input_handle: impl Input) -> TensorListLength<'_> {
        TensorListLength(Node::new(self, "TensorListLength").input(input_handle))
    }

    /// Removes the last element of a list; returns the list and the element.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `element_shape`: a tensor of int32
    /// - `element_dtype`: Element type. Allowed: any dtype.
    pub fn tensor_list_pop_back(&self, input_handle: impl Input, element_shape: impl Input, element_dtype: DType) -> TensorListPopBack<'_> {
        let mut node = Node::new(self, "TensorListPopBack").input(input_handle).input(element_shape);
        node.set("element_dtype", element_dtype);
        TensorListPopBack(node)
    }

    /// Appends an element to a list.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `tensor`: a tensor of `element_dtype`
    ///
    /// `element_dtype` is any dtype.
    pub fn tensor_list_push_back(&self, input_handle: impl Input, tensor: impl Input) -> TensorListPushBack<'_> {
        TensorListPushBack(Node::new(self, "TensorListPushBack").input(input_handle).input(tensor))
    }

    /// Appends the rows of a tensor to lists, one row to each.
    ///
    /// - `input_handles`: a tensor of variant
    /// - `tensor`: a tensor of `element_dtype`
    ///
    /// `element_dtype` is any dtype.
    pub fn tensor_list_push_back_batch(&self, input_handles: impl Input, tensor: impl Input) -> TensorListPushBackBatch<'_> {
        TensorListPushBackBatch(Node::new(self, "TensorListPushBackBatch").input(input_handles).input(tensor))
    }

    /// Creates a list of uninitialized elements.
    ///
    /// - `element_shape`: a tensor of `shape_type`
    /// - `num_elements`: a tensor of int32
    /// - `element_dtype`: Element type. Allowed: any dtype.
    ///
    /// `shape_type` is int32, int64.
    pub fn tensor_list_reserve(&self, element_shape: impl Input, num_elements: impl Input, element_dtype: DType) -> TensorListReserve<'_> {
        let mut node = Node::new(self, "TensorListReserve").input(element_shape).input(num_elements);
        node.set("element_dtype", element_dtype);
        TensorListReserve(node)
    }

    /// Truncates a list, or extends it with uninitialized elements.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `size`: a tensor of int32
    pub fn tensor_list_resize(&self, input_handle: impl Input, size: impl Input) -> TensorListResize<'_> {
        TensorListResize(Node::new(self, "TensorListResize").input(input_handle).input(size))
    }

    /// Creates a list with the rows of a tensor at the given indices, as long as the indices require.
    ///
    /// - `tensor`: a tensor of `element_dtype`
    /// - `indices`: a tensor of int32
    /// - `element_shape`: a tensor of `shape_type`
    ///
    /// `element_dtype` is any dtype. `shape_type` is int32, int64.
    pub fn tensor_list_scatter(&self, tensor: impl Input, indices: impl Input, element_shape: impl Input) -> TensorListScatter<'_> {
        TensorListScatter(Node::new(self, "TensorListScatter").input(tensor).input(indices).input(element_shape))
    }

    /// Replaces the elements of a list at the given indices by the rows of a tensor.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `tensor`: a tensor of `element_dtype`
    /// - `indices`: a tensor of int32
    ///
    /// `element_dtype` is any dtype.
    pub fn tensor_list_scatter_into_existing_list(&self, input_handle: impl Input, tensor: impl Input, indices: impl Input) -> TensorListScatterIntoExistingList<'_> {
        TensorListScatterIntoExistingList(Node::new(self, "TensorListScatterIntoExistingList").input(input_handle).input(tensor).input(indices))
    }

    /// Creates a list of the given length with the rows of a tensor at the given indices.
    ///
    /// - `tensor`: a tensor of `element_dtype`
    /// - `indices`: a tensor of int32
    /// - `element_shape`: a tensor of `shape_type`
    /// - `num_elements`: a tensor of int32
    ///
    /// `element_dtype` is any dtype. `shape_type` is int32, int64.
    pub fn tensor_list_scatter_v2(&self, tensor: impl Input, indices: impl Input, element_shape: impl Input, num_elements: impl Input) -> TensorListScatterV2<'_> {
        TensorListScatterV2(Node::new(self, "TensorListScatterV2").input(tensor).input(indices).input(element_shape).input(num_elements))
    }

    /// Returns a list with one element replaced.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `index`: a tensor of int32
    /// - `item`: a tensor of `element_dtype`
    ///
    /// `element_dtype` is any dtype.
    pub fn tensor_list_set_item(&self, input_handle: impl Input, index: impl Input, item: impl Input) -> TensorListSetItem<'_> {
        TensorListSetItem(Node::new(self, "TensorListSetItem").input(input_handle).input(index).input(item))
    }

    /// Splits a tensor along its first axis into pieces of the given lengths, and returns them as a list.
    ///
    /// - `tensor`: a tensor of `element_dtype`
    /// - `element_shape`: a tensor of `shape_type`
    /// - `lengths`: a tensor of int64
    ///
    /// `element_dtype` is any dtype. `shape_type` is int32, int64.
    pub fn tensor_list_split(&self, tensor: impl Input, element_shape: impl Input, lengths: impl Input) -> TensorListSplit<'_> {
        TensorListSplit(Node::new(self, "TensorListSplit").input(tensor).input(element_shape).input(lengths))
    }

    /// Stacks all elements of a list along a new first axis.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `element_shape`: a tensor of int32
    /// - `element_dtype`: Element type. Allowed: any dtype.
    pub fn tensor_list_stack(&self, input_handle: impl Input, element_shape: impl Input, element_dtype: DType) -> TensorListStack<'_> {
        let mut node = Node::new(self, "TensorListStack").input(input_handle).input(element_shape);
        node.set("element_dtype", element_dtype);
        TensorListStack(node)
    }

    /// Returns a map without one of its keys.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `key`: a tensor of `key_dtype`
    /// - `value_dtype`: Type of the value. Allowed: any dtype.
    ///
    /// `key_dtype` is any dtype.
    pub fn tensor_map_erase(&self, input_handle: impl Input, key: impl Input, value_dtype: DType) -> TensorMapErase<'_> {
        let mut node = Node::new(self, "TensorMapErase").input(input_handle).input(key);
        node.set("value_dtype", value_dtype);
        TensorMapErase(node)
    }

    /// Returns whether a key is in a map.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `key`: a tensor of `key_dtype`
    ///
    /// `key_dtype` is any dtype.
    pub fn tensor_map_has_key(&self, input_handle: impl Input, key: impl Input) -> TensorMapHasKey<'_> {
        TensorMapHasKey(Node::new(self, "TensorMapHasKey").input(input_handle).input(key))
    }

    /// Returns a map with a key's value inserted or replaced.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `key`: a tensor of `key_dtype`
    /// - `value`: a tensor of `value_dtype`
    ///
    /// `key_dtype` is any dtype. `value_dtype` is any dtype.
    pub fn tensor_map_insert(&self, input_handle: impl Input, key: impl Input, value: impl Input) -> TensorMapInsert<'_> {
        TensorMapInsert(Node::new(self, "TensorMapInsert").input(input_handle).input(key).input(value))
    }

    /// Returns the value of a key.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `key`: a tensor of `key_dtype`
    /// - `value_dtype`: Type of the value. Allowed: any dtype.
    ///
    /// `key_dtype` is any dtype.
    pub fn tensor_map_lookup(&self, input_handle: impl Input, key: impl Input, value_dtype: DType) -> TensorMapLookup<'_> {
        let mut node = Node::new(self, "TensorMapLookup").input(input_handle).input(key);
        node.set("value_dtype", value_dtype);
        TensorMapLookup(node)
    }

    /// Returns the number of keys in a map.
    ///
    /// - `input_handle`: a tensor of variant
    pub fn tensor_map_size(&self, input_handle: impl Input) -> TensorMapSize<'_> {
        TensorMapSize(Node::new(self, "TensorMapSize").input(input_handle))
    }

    /// Stacks all keys of a map.
    ///
    /// - `input_handle`: a tensor of variant
    /// - `key_dtype`: Type of the keys. Allowed: any dtype.
    pub fn tensor_map_stack_keys(&self, input_handle: impl Input, key_dtype: DType) -> TensorMapStackKeys<'_> {
        let mut node = Node::new(self, "TensorMapStackKeys").input(input_handle);
        node.set("key_dtype", key_dtype);
        TensorMapStackKeys(node)
    }
}

/// A node of [`EmptyTensorList`](Ops::empty_tensor_list) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EmptyTensorList<'a>(Node<'a>);

/// A node of [`EmptyTensorMap`](Ops::empty_tensor_map) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EmptyTensorMap<'a>(Node<'a>);

/// A node of [`OptionalFromValue`](Ops::optional_from_value) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OptionalFromValue<'a>(Node<'a>);

/// A node of [`OptionalGetValue`](Ops::optional_get_value) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OptionalGetValue<'a>(Node<'a>);

impl OptionalGetValue<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`OptionalHasValue`](Ops::optional_has_value) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OptionalHasValue<'a>(Node<'a>);

/// A node of [`OptionalNone`](Ops::optional_none) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OptionalNone<'a>(Node<'a>);

/// A node of [`TensorListConcat`](Ops::tensor_list_concat) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListConcat<'a>(Node<'a>);

impl TensorListConcat<'_> {
    /// Statically known shape of the elements. Default: not known.
    pub fn element_shape(mut self, element_shape: impl Into<PartialShape>) -> Self {
        self.0.set("element_shape", Into::<PartialShape>::into(element_shape));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TensorListConcatOutputs {
        let mut outputs = self.0.outputs();
        TensorListConcatOutputs { tensor: outputs.one(), lengths: outputs.one() }
    }
}

/// The outputs of [`TensorListConcat`](Ops::tensor_list_concat).
#[derive(Clone, Copy, Debug)]
pub struct TensorListConcatOutputs {
    /// A tensor of `element_dtype`.
    pub tensor: Output,
    /// A tensor of int64.
    pub lengths: Output,
}

/// A node of [`TensorListConcatLists`](Ops::tensor_list_concat_lists) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListConcatLists<'a>(Node<'a>);

/// A node of [`TensorListConcatV2`](Ops::tensor_list_concat_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListConcatV2<'a>(Node<'a>);

impl TensorListConcatV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TensorListConcatV2Outputs {
        let mut outputs = self.0.outputs();
        TensorListConcatV2Outputs { tensor: outputs.one(), lengths: outputs.one() }
    }
}

/// The outputs of [`TensorListConcatV2`](Ops::tensor_list_concat_v2).
#[derive(Clone, Copy, Debug)]
pub struct TensorListConcatV2Outputs {
    /// A tensor of `element_dtype`.
    pub tensor: Output,
    /// A tensor of int64.
    pub lengths: Output,
}

/// A node of [`TensorListElementShape`](Ops::tensor_list_element_shape) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListElementShape<'a>(Node<'a>);

/// A node of [`TensorListFromTensor`](Ops::tensor_list_from_tensor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListFromTensor<'a>(Node<'a>);

/// A node of [`TensorListGather`](Ops::tensor_list_gather) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListGather<'a>(Node<'a>);

/// A node of [`TensorListGetItem`](Ops::tensor_list_get_item) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListGetItem<'a>(Node<'a>);

/// A node of [`TensorListLength`](Ops::tensor_list_length) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListLength<'a>(Node<'a>);

/// A node of [`TensorListPopBack`](Ops::tensor_list_pop_back) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListPopBack<'a>(Node<'a>);

impl TensorListPopBack<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TensorListPopBackOutputs {
        let mut outputs = self.0.outputs();
        TensorListPopBackOutputs { output_handle: outputs.one(), tensor: outputs.one() }
    }
}

/// The outputs of [`TensorListPopBack`](Ops::tensor_list_pop_back).
#[derive(Clone, Copy, Debug)]
pub struct TensorListPopBackOutputs {
    /// A tensor of variant.
    pub output_handle: Output,
    /// A tensor of `element_dtype`.
    pub tensor: Output,
}

/// A node of [`TensorListPushBack`](Ops::tensor_list_push_back) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListPushBack<'a>(Node<'a>);

/// A node of [`TensorListPushBackBatch`](Ops::tensor_list_push_back_batch) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListPushBackBatch<'a>(Node<'a>);

/// A node of [`TensorListReserve`](Ops::tensor_list_reserve) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListReserve<'a>(Node<'a>);

/// A node of [`TensorListResize`](Ops::tensor_list_resize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListResize<'a>(Node<'a>);

/// A node of [`TensorListScatter`](Ops::tensor_list_scatter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListScatter<'a>(Node<'a>);

/// A node of [`TensorListScatterIntoExistingList`](Ops::tensor_list_scatter_into_existing_list) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListScatterIntoExistingList<'a>(Node<'a>);

/// A node of [`TensorListScatterV2`](Ops::tensor_list_scatter_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListScatterV2<'a>(Node<'a>);

/// A node of [`TensorListSetItem`](Ops::tensor_list_set_item) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListSetItem<'a>(Node<'a>);

impl TensorListSetItem<'_> {
    /// Whether to extend a list that is too short. Default: `false`.
    pub fn resize_if_index_out_of_bounds(mut self, resize_if_index_out_of_bounds: bool) -> Self {
        self.0.set("resize_if_index_out_of_bounds", resize_if_index_out_of_bounds);
        self
    }
}

/// A node of [`TensorListSplit`](Ops::tensor_list_split) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListSplit<'a>(Node<'a>);

/// A node of [`TensorListStack`](Ops::tensor_list_stack) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorListStack<'a>(Node<'a>);

impl TensorListStack<'_> {
    /// Required number of elements; -1 for any. Default: `-1`.
    pub fn num_elements(mut self, num_elements: i64) -> Self {
        self.0.set("num_elements", num_elements);
        self
    }
}

/// A node of [`TensorMapErase`](Ops::tensor_map_erase) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorMapErase<'a>(Node<'a>);

/// A node of [`TensorMapHasKey`](Ops::tensor_map_has_key) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorMapHasKey<'a>(Node<'a>);

/// A node of [`TensorMapInsert`](Ops::tensor_map_insert) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorMapInsert<'a>(Node<'a>);

/// A node of [`TensorMapLookup`](Ops::tensor_map_lookup) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorMapLookup<'a>(Node<'a>);

/// A node of [`TensorMapSize`](Ops::tensor_map_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorMapSize<'a>(Node<'a>);

/// A node of [`TensorMapStackKeys`](Ops::tensor_map_stack_keys) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorMapStackKeys<'a>(Node<'a>);

common! {
    EmptyTensorList
    EmptyTensorMap
    OptionalFromValue
    OptionalGetValue
    OptionalHasValue
    OptionalNone
    TensorListConcat
    TensorListConcatLists
    TensorListConcatV2
    TensorListElementShape
    TensorListFromTensor
    TensorListGather
    TensorListGetItem
    TensorListLength
    TensorListPopBack
    TensorListPushBack
    TensorListPushBackBatch
    TensorListReserve
    TensorListResize
    TensorListScatter
    TensorListScatterIntoExistingList
    TensorListScatterV2
    TensorListSetItem
    TensorListSplit
    TensorListStack
    TensorMapErase
    TensorMapHasKey
    TensorMapInsert
    TensorMapLookup
    TensorMapSize
    TensorMapStackKeys
}

one_output! {
    EmptyTensorList
    EmptyTensorMap
    OptionalFromValue
    OptionalHasValue
    OptionalNone
    TensorListConcatLists
    TensorListElementShape
    TensorListFromTensor
    TensorListGather
    TensorListGetItem
    TensorListLength
    TensorListPushBack
    TensorListPushBackBatch
    TensorListReserve
    TensorListResize
    TensorListScatter
    TensorListScatterIntoExistingList
    TensorListScatterV2
    TensorListSetItem
    TensorListSplit
    TensorListStack
    TensorMapErase
    TensorMapHasKey
    TensorMapInsert
    TensorMapLookup
    TensorMapSize
    TensorMapStackKeys
}
