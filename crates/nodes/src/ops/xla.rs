// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `xla`.

use crate::node::{Input, Node, Ops, common, one_output, string};
use levada_graph::{DType, Func};
use levada_builder::Output;

impl Ops<'_> {
    /// Joins blocks of equal shape, in row-major order, to a tensor.
    ///
    /// - `inputs`: any number of tensors of `T`
    /// - `num_concats`: Number of blocks along each axis.
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn xla_concat_nd(&self, inputs: impl IntoIterator<Item = impl Input>, num_concats: &[i64]) -> XlaConcatND<'_> {
        let mut node = Node::new(self, "XlaConcatND").list(inputs);
        node.set("num_concats", num_concats.to_vec());
        XlaConcatND(node)
    }

    /// Convolves `lhs` with `rhs`, with the axes given by `dimension_numbers`.
    ///
    /// - `lhs`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    /// - `window_strides`: a tensor of `Tindices`
    /// - `padding`: a tensor of `Tindices`
    /// - `lhs_dilation`: a tensor of `Tindices`
    /// - `rhs_dilation`: a tensor of `Tindices`
    /// - `feature_group_count`: a tensor of `Tindices`
    /// - `dimension_numbers`: A `ConvolutionDimensionNumbers` message.
    /// - `precision_config`: A `PrecisionConfig` message; has no effect here.
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn xla_conv(&self, lhs: impl Input, rhs: impl Input, window_strides: impl Input, padding: impl Input, lhs_dilation: impl Input, rhs_dilation: impl Input, feature_group_count: impl Input, dimension_numbers: impl AsRef<[u8]>, precision_config: impl AsRef<[u8]>) -> XlaConv<'_> {
        let mut node = Node::new(self, "XlaConv").input(lhs).input(rhs).input(window_strides).input(padding).input(lhs_dilation).input(rhs_dilation).input(feature_group_count);
        node.set("dimension_numbers", string(dimension_numbers));
        node.set("precision_config", string(precision_config));
        XlaConv(node)
    }

    /// Convolves `lhs` with `rhs`, with the axes given by `dimension_numbers`.
    ///
    /// - `lhs`: a tensor of `LhsT`
    /// - `rhs`: a tensor of `RhsT`
    /// - `window_strides`: a tensor of `Tindices`
    /// - `padding`: a tensor of `Tindices`
    /// - `lhs_dilation`: a tensor of `Tindices`
    /// - `rhs_dilation`: a tensor of `Tindices`
    /// - `feature_group_count`: a tensor of `Tindices`
    /// - `dimension_numbers`: A `ConvolutionDimensionNumbers` message.
    /// - `precision_config`: A `PrecisionConfig` message; has no effect here.
    /// - `preferred_element_type`: Element type of the output. Allowed: any number, also quantized.
    ///
    /// `LhsT` is any number, also quantized. `RhsT` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn xla_conv_v2(&self, lhs: impl Input, rhs: impl Input, window_strides: impl Input, padding: impl Input, lhs_dilation: impl Input, rhs_dilation: impl Input, feature_group_count: impl Input, dimension_numbers: impl AsRef<[u8]>, precision_config: impl AsRef<[u8]>, preferred_element_type: DType) -> XlaConvV2<'_> {
        let mut node = Node::new(self, "XlaConvV2").input(lhs).input(rhs).input(window_strides).input(padding).input(lhs_dilation).input(rhs_dilation).input(feature_group_count);
        node.set("dimension_numbers", string(dimension_numbers));
        node.set("precision_config", string(precision_config));
        node.set("preferred_element_type", preferred_element_type);
        XlaConvV2(node)
    }

    /// Contracts `lhs` and `rhs` over the axes given by `dimension_numbers`, for each index along their batch axes.
    ///
    /// - `lhs`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    /// - `dimension_numbers`: A `DotDimensionNumbers` message.
    /// - `precision_config`: A `PrecisionConfig` message; has no effect here.
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn xla_dot(&self, lhs: impl Input, rhs: impl Input, dimension_numbers: impl AsRef<[u8]>, precision_config: impl AsRef<[u8]>) -> XlaDot<'_> {
        let mut node = Node::new(self, "XlaDot").input(lhs).input(rhs);
        node.set("dimension_numbers", string(dimension_numbers));
        node.set("precision_config", string(precision_config));
        XlaDot(node)
    }

    /// Contracts `lhs` and `rhs` over the axes given by `dimension_numbers`, for each index along their batch axes.
    ///
    /// - `lhs`: a tensor of `LhsT`
    /// - `rhs`: a tensor of `RhsT`
    /// - `dimension_numbers`: A `DotDimensionNumbers` message.
    /// - `precision_config`: A `PrecisionConfig` message; has no effect here.
    /// - `preferred_element_type`: Element type of the output. Allowed: any number, also quantized.
    ///
    /// `LhsT` is any number, also quantized. `RhsT` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn xla_dot_v2(&self, lhs: impl Input, rhs: impl Input, dimension_numbers: impl AsRef<[u8]>, precision_config: impl AsRef<[u8]>, preferred_element_type: DType) -> XlaDotV2<'_> {
        let mut node = Node::new(self, "XlaDotV2").input(lhs).input(rhs);
        node.set("dimension_numbers", string(dimension_numbers));
        node.set("precision_config", string(precision_config));
        node.set("preferred_element_type", preferred_element_type);
        XlaDotV2(node)
    }

    /// Returns the slice of `input` of the sizes `size_indices` at `start_indices`, which are clamped so that the slice is in bounds.
    ///
    /// - `input`: a tensor of `T`
    /// - `start_indices`: a tensor of `Tindices`
    /// - `size_indices`: a tensor of `Tindices`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn xla_dynamic_slice(&self, input: impl Input, start_indices: impl Input, size_indices: impl Input) -> XlaDynamicSlice<'_> {
        XlaDynamicSlice(Node::new(self, "XlaDynamicSlice").input(input).input(start_indices).input(size_indices))
    }

    /// Returns `input` with the slice at `indices`, which are clamped so that the slice is in bounds, replaced by `update`.
    ///
    /// - `input`: a tensor of `T`
    /// - `update`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn xla_dynamic_update_slice(&self, input: impl Input, update: impl Input, indices: impl Input) -> XlaDynamicUpdateSlice<'_> {
        XlaDynamicUpdateSlice(Node::new(self, "XlaDynamicUpdateSlice").input(input).input(update).input(indices))
    }

    /// Contracts `a` and `b` according to an equation of labels.
    ///
    /// - `a`: a tensor of `T`
    /// - `b`: a tensor of `T`
    /// - `equation`: Equation of labels, such as `ij,jk->ik`.
    ///
    /// `T` is float32, complex64, bfloat16.
    pub fn xla_einsum(&self, a: impl Input, b: impl Input, equation: impl AsRef<[u8]>) -> XlaEinsum<'_> {
        let mut node = Node::new(self, "XlaEinsum").input(a).input(b);
        node.set("equation", string(equation));
        XlaEinsum(node)
    }

    /// Gathers slices of `operand` of the sizes `slice_sizes` at the indices in `start_indices`, which are clamped so that slices are in bounds; `dimension_numbers` describes the axes of all three.
    ///
    /// - `operand`: a tensor of `T`
    /// - `start_indices`: a tensor of `Tindices`
    /// - `slice_sizes`: a tensor of `Tindices`
    /// - `dimension_numbers`: A `GatherDimensionNumbers` message.
    /// - `indices_are_sorted`: Whether the indices are sorted; has no effect here.
    ///
    /// `T` is any number, also quantized, bool. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn xla_gather(&self, operand: impl Input, start_indices: impl Input, slice_sizes: impl Input, dimension_numbers: impl AsRef<[u8]>, indices_are_sorted: bool) -> XlaGather<'_> {
        let mut node = Node::new(self, "XlaGather").input(operand).input(start_indices).input(slice_sizes);
        node.set("dimension_numbers", string(dimension_numbers));
        node.set("indices_are_sorted", indices_are_sorted);
        XlaGather(node)
    }

    /// Calls one of two functions, depending on a condition.
    ///
    /// - `cond`: a tensor of `Tcond`
    /// - `inputs`: any number of tensors of any dtypes
    /// - `then_branch`: Function for a true condition.
    /// - `else_branch`: Function for a false condition.
    /// - `tout`: Types of the results. Allowed: any dtype.
    ///
    /// `Tcond` is any dtype. `Tin` is any dtype.
    pub fn xla_if(&self, cond: impl Input, inputs: impl IntoIterator<Item = impl Input>, then_branch: impl Into<Func>, else_branch: impl Into<Func>, tout: &[DType]) -> XlaIf<'_> {
        let mut node = Node::new(self, "XlaIf").input(cond).list(inputs);
        node.set("then_branch", Into::<Func>::into(then_branch));
        node.set("else_branch", Into::<Func>::into(else_branch));
        node.set("Tout", tout.to_vec());
        XlaIf(node)
    }

    /// Sorts `keys` along the last axis in ascending order, and `values` by their keys.
    ///
    /// - `keys`: a tensor of `K`
    /// - `values`: a tensor of `V`
    ///
    /// `K` is any integer or float. `V` is any dtype.
    ///
    /// It has no gradient.
    pub fn xla_key_value_sort(&self, keys: impl Input, values: impl Input) -> XlaKeyValueSort<'_> {
        XlaKeyValueSort(Node::new(self, "XlaKeyValueSort").input(keys).input(values))
    }

    /// Returns its inputs once all are available.
    ///
    /// - `input`: any number of tensors of any dtypes
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn xla_optimization_barrier(&self, input: impl IntoIterator<Item = impl Input>) -> XlaOptimizationBarrier<'_> {
        XlaOptimizationBarrier(Node::new(self, "XlaOptimizationBarrier").list(input))
    }

    /// Pads `operand` along each axis with `padding_low` elements before, `padding_high` after and `padding_interior` between its elements, all equal to `padding_value`. Negative padding removes elements.
    ///
    /// - `input`: a tensor of `T`
    /// - `padding_value`: a tensor of `T`
    /// - `padding_low`: a tensor of `Tindices`
    /// - `padding_high`: a tensor of `Tindices`
    /// - `padding_interior`: a tensor of `Tindices`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn xla_pad(&self, input: impl Input, padding_value: impl Input, padding_low: impl Input, padding_high: impl Input, padding_interior: impl Input) -> XlaPad<'_> {
        XlaPad(Node::new(self, "XlaPad").input(input).input(padding_value).input(padding_low).input(padding_high).input(padding_interior))
    }

    /// Reduces `input` along the axes `dimensions_to_reduce` with the function `reducer`, starting from `init_value`, in any order.
    ///
    /// - `input`: a tensor of `T`
    /// - `init_value`: a tensor of `T`
    /// - `dimensions_to_reduce`: Axes to reduce.
    /// - `reducer`: Function that maps the accumulators and the next elements to the new accumulators.
    ///
    /// `T` is any number, also quantized, bool.
    pub fn xla_reduce(&self, input: impl Input, init_value: impl Input, dimensions_to_reduce: &[i64], reducer: impl Into<Func>) -> XlaReduce<'_> {
        let mut node = Node::new(self, "XlaReduce").input(input).input(init_value);
        node.set("dimensions_to_reduce", dimensions_to_reduce.to_vec());
        node.set("reducer", Into::<Func>::into(reducer));
        XlaReduce(node)
    }

    /// Rounds `operand` to the precision of a float with the given number of exponent and mantissa bits, ties to even. Values that are too large become infinite, denormal ones zero.
    ///
    /// - `operand`: a tensor of `T`
    /// - `exponent_bits`: Number of exponent bits.
    /// - `mantissa_bits`: Number of mantissa bits, without the implicit one.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn xla_reduce_precision(&self, operand: impl Input, exponent_bits: i64, mantissa_bits: i64) -> XlaReducePrecision<'_> {
        let mut node = Node::new(self, "XlaReducePrecision").input(operand);
        node.set("exponent_bits", exponent_bits);
        node.set("mantissa_bits", mantissa_bits);
        XlaReducePrecision(node)
    }

    /// Reduces the elements of `input` in each window with the function `computation`, starting from `init_value`, in any order.
    ///
    /// - `input`: a tensor of `T`
    /// - `init_value`: a tensor of `T`
    /// - `window_dimensions`: a tensor of `Tindices`
    /// - `window_strides`: a tensor of `Tindices`
    /// - `base_dilations`: a tensor of `Tindices`
    /// - `window_dilations`: a tensor of `Tindices`
    /// - `padding`: a tensor of `Tindices`
    /// - `computation`: Function of two elements.
    ///
    /// `T` is any number, also quantized, bool. `Tindices` is int32, int64.
    pub fn xla_reduce_window(&self, input: impl Input, init_value: impl Input, window_dimensions: impl Input, window_strides: impl Input, base_dilations: impl Input, window_dilations: impl Input, padding: impl Input, computation: impl Into<Func>) -> XlaReduceWindow<'_> {
        let mut node = Node::new(self, "XlaReduceWindow").input(input).input(init_value).input(window_dimensions).input(window_strides).input(base_dilations).input(window_dilations).input(padding);
        node.set("computation", Into::<Func>::into(computation));
        XlaReduceWindow(node)
    }

    /// Returns the index of the replica that executes this node, which is 0: a session is a single replica.
    pub fn xla_replica_id(&self) -> XlaReplicaId<'_> {
        XlaReplicaId(Node::new(self, "XlaReplicaId"))
    }

    /// Generates a tensor of random bits with Philox (1) or Threefry (2) from the key and the counter in `initial_state`, and returns the next state.
    ///
    /// - `algorithm`: a tensor of int32
    /// - `initial_state`: a tensor of uint64
    /// - `shape`: a tensor of `Tshape`
    ///
    /// `Tshape` is int32, int64.
    ///
    /// It has no gradient.
    pub fn xla_rng_bit_generator(&self, algorithm: impl Input, initial_state: impl Input, shape: impl Input) -> XlaRngBitGenerator<'_> {
        XlaRngBitGenerator(Node::new(self, "XlaRngBitGenerator").input(algorithm).input(initial_state).input(shape))
    }

    /// Combines elements of `operand` with those of `updates` by the function `update_computation`, at the indices in `scatter_indices`; `dimension_numbers` describes the axes of all three. Out-of-bounds updates are skipped.
    ///
    /// - `operand`: a tensor of `T`
    /// - `scatter_indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    /// - `update_computation`: Function of an element and its update.
    /// - `dimension_numbers`: A `ScatterDimensionNumbers` message.
    /// - `indices_are_sorted`: Whether the indices are sorted; has no effect here.
    ///
    /// `T` is any number, also quantized, bool. `Tindices` is int32, int64.
    pub fn xla_scatter(&self, operand: impl Input, scatter_indices: impl Input, updates: impl Input, update_computation: impl Into<Func>, dimension_numbers: impl AsRef<[u8]>, indices_are_sorted: bool) -> XlaScatter<'_> {
        let mut node = Node::new(self, "XlaScatter").input(operand).input(scatter_indices).input(updates);
        node.set("update_computation", Into::<Func>::into(update_computation));
        node.set("dimension_numbers", string(dimension_numbers));
        node.set("indices_are_sorted", indices_are_sorted);
        XlaScatter(node)
    }

    /// For each window of `operand`, picks an element with `select` and combines the corresponding element of `source` into that position of the output, which starts as `init_value`, with `scatter`.
    ///
    /// - `operand`: a tensor of `T`
    /// - `window_dimensions`: a tensor of `Tindices`
    /// - `window_strides`: a tensor of `Tindices`
    /// - `padding`: a tensor of `Tindices`
    /// - `source`: a tensor of `T`
    /// - `init_value`: a tensor of `T`
    /// - `select`: Function that returns whether the first of two elements stays selected.
    /// - `scatter`: Function that combines an element with the value added to it.
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn xla_select_and_scatter(&self, operand: impl Input, window_dimensions: impl Input, window_strides: impl Input, padding: impl Input, source: impl Input, init_value: impl Input, select: impl Into<Func>, scatter: impl Into<Func>) -> XlaSelectAndScatter<'_> {
        let mut node = Node::new(self, "XlaSelectAndScatter").input(operand).input(window_dimensions).input(window_strides).input(padding).input(source).input(init_value);
        node.set("select", Into::<Func>::into(select));
        node.set("scatter", Into::<Func>::into(scatter));
        XlaSelectAndScatter(node)
    }

    /// Returns its input, annotated with how it may be sharded over devices.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn xla_sharding(&self, input: impl Input) -> XlaSharding<'_> {
        XlaSharding(Node::new(self, "XlaSharding").input(input))
    }

    /// Sorts `input` along its last axis in ascending order.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn xla_sort(&self, input: impl Input) -> XlaSort<'_> {
        XlaSort(Node::new(self, "XlaSort").input(input))
    }

    /// Splits a tensor into blocks of equal shape, in row-major order.
    ///
    /// - `input`: a tensor of `T`
    /// - `n`: Number of blocks. At least 1.
    /// - `num_splits`: Number of blocks along each axis.
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn xla_split_nd(&self, input: impl Input, n: i64, num_splits: &[i64]) -> XlaSplitND<'_> {
        let mut node = Node::new(self, "XlaSplitND").input(input);
        node.set("N", n);
        node.set("num_splits", num_splits.to_vec());
        XlaSplitND(node)
    }

    /// Like `XlaReduce` for several tensors of the same type.
    ///
    /// - `input`: any number of tensors of `T`
    /// - `init_value`: any number of tensors of `T`
    /// - `dimensions_to_reduce`: Axes to reduce.
    /// - `reducer`: Function that maps the accumulators and the next elements to the new accumulators.
    ///
    /// `T` is any number, also quantized, bool.
    pub fn xla_variadic_reduce(&self, input: impl IntoIterator<Item = impl Input>, init_value: impl IntoIterator<Item = impl Input>, dimensions_to_reduce: &[i64], reducer: impl Into<Func>) -> XlaVariadicReduce<'_> {
        let mut node = Node::new(self, "XlaVariadicReduce").list(input).list(init_value);
        node.set("dimensions_to_reduce", dimensions_to_reduce.to_vec());
        node.set("reducer", Into::<Func>::into(reducer));
        XlaVariadicReduce(node)
    }

    /// Like `XlaReduce` for several tensors of any types.
    ///
    /// - `inputs`: any number of tensors of any dtypes
    /// - `init_values`: any number of tensors of any dtypes
    /// - `dimensions_to_reduce`: Axes to reduce.
    /// - `reducer`: Function that maps the accumulators and the next elements to the new accumulators.
    ///
    /// `T` is any dtype.
    pub fn xla_variadic_reduce_v2(&self, inputs: impl IntoIterator<Item = impl Input>, init_values: impl IntoIterator<Item = impl Input>, dimensions_to_reduce: &[i64], reducer: impl Into<Func>) -> XlaVariadicReduceV2<'_> {
        let mut node = Node::new(self, "XlaVariadicReduceV2").list(inputs).list(init_values);
        node.set("dimensions_to_reduce", dimensions_to_reduce.to_vec());
        node.set("reducer", Into::<Func>::into(reducer));
        XlaVariadicReduceV2(node)
    }

    /// Sorts `inputs` together along one axis, in the order defined by `comparator`.
    ///
    /// - `inputs`: any number of tensors of any dtypes
    /// - `dimension`: a tensor of int32
    /// - `comparator`: Function that takes two elements of each tensor and returns whether the first ones precede the second.
    /// - `is_stable`: Whether the sort must be stable, as it always is.
    ///
    /// `T` is any dtype.
    pub fn xla_variadic_sort(&self, inputs: impl IntoIterator<Item = impl Input>, dimension: impl Input, comparator: impl Into<Func>, is_stable: bool) -> XlaVariadicSort<'_> {
        let mut node = Node::new(self, "XlaVariadicSort").list(inputs).input(dimension);
        node.set("comparator", Into::<Func>::into(comparator));
        node.set("is_stable", is_stable);
        XlaVariadicSort(node)
    }

    /// Calls `body` repeatedly, as long as `cond` returns true.
    ///
    /// - `input`: any number of tensors of any dtypes
    /// - `cond`: Function that returns whether to continue.
    /// - `body`: Function that computes the next values of the variables.
    ///
    /// `T` is any dtype.
    pub fn xla_while(&self, input: impl IntoIterator<Item = impl Input>, cond: impl Into<Func>, body: impl Into<Func>) -> XlaWhile<'_> {
        let mut node = Node::new(self, "XlaWhile").list(input);
        node.set("cond", Into::<Func>::into(cond));
        node.set("body", Into::<Func>::into(body));
        XlaWhile(node)
    }
}

/// A node of [`XlaConcatND`](Ops::xla_concat_nd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaConcatND<'a>(Node<'a>);

impl XlaConcatND<'_> {
    /// Number of elements removed from the end of each axis. Default: none.
    pub fn paddings(mut self, paddings: &[i64]) -> Self {
        self.0.set("paddings", paddings.to_vec());
        self
    }
}

/// A node of [`XlaConv`](Ops::xla_conv) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaConv<'a>(Node<'a>);

/// A node of [`XlaConvV2`](Ops::xla_conv_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaConvV2<'a>(Node<'a>);

impl XlaConvV2<'_> {
    /// Number of batch groups; must be 1. Default: `1`.
    pub fn batch_group_count(mut self, batch_group_count: i64) -> Self {
        self.0.set("batch_group_count", batch_group_count);
        self
    }
}

/// A node of [`XlaDot`](Ops::xla_dot) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaDot<'a>(Node<'a>);

/// A node of [`XlaDotV2`](Ops::xla_dot_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaDotV2<'a>(Node<'a>);

/// A node of [`XlaDynamicSlice`](Ops::xla_dynamic_slice) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaDynamicSlice<'a>(Node<'a>);

/// A node of [`XlaDynamicUpdateSlice`](Ops::xla_dynamic_update_slice) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaDynamicUpdateSlice<'a>(Node<'a>);

/// A node of [`XlaEinsum`](Ops::xla_einsum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaEinsum<'a>(Node<'a>);

/// A node of [`XlaGather`](Ops::xla_gather) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaGather<'a>(Node<'a>);

/// A node of [`XlaIf`](Ops::xla_if) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaIf<'a>(Node<'a>);

impl XlaIf<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`XlaKeyValueSort`](Ops::xla_key_value_sort) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaKeyValueSort<'a>(Node<'a>);

impl XlaKeyValueSort<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> XlaKeyValueSortOutputs {
        let mut outputs = self.0.outputs();
        XlaKeyValueSortOutputs { sorted_keys: outputs.one(), sorted_values: outputs.one() }
    }
}

/// The outputs of [`XlaKeyValueSort`](Ops::xla_key_value_sort).
#[derive(Clone, Copy, Debug)]
pub struct XlaKeyValueSortOutputs {
    /// A tensor of `K`.
    pub sorted_keys: Output,
    /// A tensor of `V`.
    pub sorted_values: Output,
}

/// A node of [`XlaOptimizationBarrier`](Ops::xla_optimization_barrier) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaOptimizationBarrier<'a>(Node<'a>);

impl XlaOptimizationBarrier<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`XlaPad`](Ops::xla_pad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaPad<'a>(Node<'a>);

/// A node of [`XlaReduce`](Ops::xla_reduce) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaReduce<'a>(Node<'a>);

/// A node of [`XlaReducePrecision`](Ops::xla_reduce_precision) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaReducePrecision<'a>(Node<'a>);

/// A node of [`XlaReduceWindow`](Ops::xla_reduce_window) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaReduceWindow<'a>(Node<'a>);

/// A node of [`XlaReplicaId`](Ops::xla_replica_id) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaReplicaId<'a>(Node<'a>);

/// A node of [`XlaRngBitGenerator`](Ops::xla_rng_bit_generator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaRngBitGenerator<'a>(Node<'a>);

impl XlaRngBitGenerator<'_> {
    /// Element type. Allowed: int32, uint8, int8, int64, uint32, uint64. Default: uint64.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> XlaRngBitGeneratorOutputs {
        let mut outputs = self.0.outputs();
        XlaRngBitGeneratorOutputs { output_key: outputs.one(), output: outputs.one() }
    }
}

/// The outputs of [`XlaRngBitGenerator`](Ops::xla_rng_bit_generator).
#[derive(Clone, Copy, Debug)]
pub struct XlaRngBitGeneratorOutputs {
    /// A tensor of uint64.
    pub output_key: Output,
    /// A tensor of `dtype`.
    pub output: Output,
}

/// A node of [`XlaScatter`](Ops::xla_scatter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaScatter<'a>(Node<'a>);

/// A node of [`XlaSelectAndScatter`](Ops::xla_select_and_scatter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaSelectAndScatter<'a>(Node<'a>);

/// A node of [`XlaSharding`](Ops::xla_sharding) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaSharding<'a>(Node<'a>);

impl XlaSharding<'_> {
    /// Sharding of the tensor; has no effect here. Default: `""`.
    pub fn sharding(mut self, sharding: impl AsRef<[u8]>) -> Self {
        self.0.set("sharding", string(sharding));
        self
    }

    /// Axes whose sharding is left to the compiler. Default: none.
    pub fn unspecified_dims(mut self, unspecified_dims: &[i64]) -> Self {
        self.0.set("unspecified_dims", unspecified_dims.to_vec());
        self
    }
}

/// A node of [`XlaSort`](Ops::xla_sort) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaSort<'a>(Node<'a>);

/// A node of [`XlaSplitND`](Ops::xla_split_nd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaSplitND<'a>(Node<'a>);

impl XlaSplitND<'_> {
    /// Number of zeros added at the end of each axis. Default: none.
    pub fn paddings(mut self, paddings: &[i64]) -> Self {
        self.0.set("paddings", paddings.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`XlaVariadicReduce`](Ops::xla_variadic_reduce) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaVariadicReduce<'a>(Node<'a>);

impl XlaVariadicReduce<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`XlaVariadicReduceV2`](Ops::xla_variadic_reduce_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaVariadicReduceV2<'a>(Node<'a>);

impl XlaVariadicReduceV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`XlaVariadicSort`](Ops::xla_variadic_sort) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaVariadicSort<'a>(Node<'a>);

impl XlaVariadicSort<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`XlaWhile`](Ops::xla_while) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaWhile<'a>(Node<'a>);

impl XlaWhile<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

common! {
    XlaConcatND
    XlaConv
    XlaConvV2
    XlaDot
    XlaDotV2
    XlaDynamicSlice
    XlaDynamicUpdateSlice
    XlaEinsum
    XlaGather
    XlaIf
    XlaKeyValueSort
    XlaOptimizationBarrier
    XlaPad
    XlaReduce
    XlaReducePrecision
    XlaReduceWindow
    XlaReplicaId
    XlaRngBitGenerator
    XlaScatter
    XlaSelectAndScatter
    XlaSharding
    XlaSort
    XlaSplitND
    XlaVariadicReduce
    XlaVariadicReduceV2
    XlaVariadicSort
    XlaWhile
}

one_output! {
    XlaConcatND
    XlaConv
    XlaConvV2
    XlaDot
    XlaDotV2
    XlaDynamicSlice
    XlaDynamicUpdateSlice
    XlaEinsum
    XlaGather
    XlaPad
    XlaReduce
    XlaReducePrecision
    XlaReduceWindow
    XlaReplicaId
    XlaScatter
    XlaSelectAndScatter
    XlaSharding
    XlaSort
}
