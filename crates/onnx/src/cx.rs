//! The context of an operator's conversion: its view of the node, and methods that add nodes to the graph.

use crate::block::{Block, Val};
use crate::import::Importer;
use crate::known::integers;
use crate::proto::{AttributeProto, GraphProto, NodeProto};
use crate::tensor::{filled_in, tensor, text};
use crate::types::{Elem, Type};
use bytes::Bytes;
use levada_graph::attr::Attrs;
use levada_graph::op::FromAttr;
use levada_graph::{AttrValue, DType, Error, PartialShape, Result, Shape, Tensor, dispatch};

/// A node of the model that is being converted.
pub(crate) struct Cx<'a, 'm> {
    importer: &'a mut Importer<'m>,
    node: &'a NodeProto,
    /// The name of the node in the graph.
    pub name: &'a str,
    /// The version of the node's operator set that the model imports.
    pub version: i64,
    pub(crate) inputs: Vec<Option<Val>>,
}

impl<'a, 'm> Cx<'a, 'm> {
    pub fn new(
        importer: &'a mut Importer<'m>,
        node: &'a NodeProto,
        name: &'a str,
        version: i64,
        inputs: Vec<Option<Val>>,
    ) -> Cx<'a, 'm> {
        Cx { importer, node, name, version, inputs }
    }

    /// The operator's name.
    pub fn operator(&self) -> &'a str {
        &self.node.op_type
    }

    /// Input `i`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the node lacks it.
    pub fn input(&self, i: usize) -> Result<Val> {
        self.optional(i).ok_or_else(|| {
            Error::invalid(format!("missing input {i}")).found(format!("{} inputs", self.node.input.len()))
        })
    }

    /// Input `i`, if the node has it.
    pub fn optional(&self, i: usize) -> Option<Val> {
        self.inputs.get(i).cloned().flatten()
    }

    /// All inputs.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if one is left out.
    pub fn inputs(&self) -> Result<Vec<Val>> {
        (0..self.inputs.len()).map(|i| self.input(i)).collect()
    }

    /// Number of outputs that the node names, including omitted ones in between.
    pub fn outputs(&self) -> usize {
        self.node.output.len()
    }

    /// True if output `i` is used.
    pub fn wants(&self, i: usize) -> bool {
        self.node.output.get(i).is_some_and(|name| !name.is_empty())
    }

    // Attributes.

    fn attribute(&self, name: &str) -> Option<&'a AttributeProto> {
        self.node.attribute.iter().find(|attr| attr.name == name)
    }

    /// True if the node has this attribute.
    pub fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    fn wrong(&self, name: &str, expected: &str) -> Error {
        Error::invalid(format!("the attribute {name} is of another type")).attr(name).expected(expected)
    }

    /// An integer.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an attribute of another type; so for all of these.
    pub fn int(&self, name: &str) -> Result<Option<i64>> {
        let Some(attr) = self.attribute(name) else { return Ok(None) };
        match (attr.i, attr.r#type) {
            (Some(i), _) => Ok(Some(i)),
            (None, 2) => Ok(Some(0)),
            _ => Err(self.wrong(name, "an int")),
        }
    }

    /// An integer with a default.
    pub fn int_or(&self, name: &str, default: i64) -> Result<i64> {
        Ok(self.int(name)?.unwrap_or(default))
    }

    /// A required integer.
    pub fn int_needed(&self, name: &str) -> Result<i64> {
        self.int(name)?.ok_or_else(|| missing(name))
    }

    /// An integer as a bool.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool> {
        Ok(self.int_or(name, i64::from(default))? != 0)
    }

    /// A float.
    pub fn float(&self, name: &str) -> Result<Option<f32>> {
        let Some(attr) = self.attribute(name) else { return Ok(None) };
        match (attr.f, attr.r#type) {
            (Some(f), _) => Ok(Some(f)),
            (None, 1) => Ok(Some(0.0)),
            _ => Err(self.wrong(name, "a float")),
        }
    }

    /// A float with a default.
    pub fn float_or(&self, name: &str, default: f32) -> Result<f32> {
        Ok(self.float(name)?.unwrap_or(default))
    }

    /// Integers.
    pub fn ints(&self, name: &str) -> Result<Option<Vec<i64>>> {
        Ok(self.attribute(name).map(|attr| attr.ints.clone()))
    }

    /// Floats.
    pub fn floats(&self, name: &str) -> Result<Option<Vec<f32>>> {
        Ok(self.attribute(name).map(|attr| attr.floats.clone()))
    }

    /// A string.
    pub fn text(&self, name: &str) -> Result<Option<String>> {
        let Some(attr) = self.attribute(name) else { return Ok(None) };
        match (&attr.s, attr.r#type) {
            (Some(s), _) => Ok(Some(text(s))),
            (None, 3) => Ok(Some(String::new())),
            _ => Err(self.wrong(name, "a string")),
        }
    }

    /// A string with a default.
    pub fn text_or(&self, name: &str, default: &str) -> Result<String> {
        Ok(self.text(name)?.unwrap_or_else(|| default.to_owned()))
    }

    /// Strings.
    pub fn strings(&self, name: &str) -> Result<Option<Vec<Bytes>>> {
        Ok(self.attribute(name).map(|attr| attr.strings.clone()))
    }

    /// A tensor and its element type.
    pub fn tensor(&self, name: &str) -> Result<Option<(Tensor, Elem)>> {
        let Some(attr) = self.attribute(name) else { return Ok(None) };
        match (&attr.t, &attr.sparse_tensor) {
            (Some(proto), _) => tensor(proto, self.importer.beside).map(Some),
            (None, Some(proto)) => filled_in(proto, self.importer.beside).map(Some),
            (None, None) => Err(self.wrong(name, "a tensor")),
        }
    }

    /// A type.
    pub fn type_of(&self, name: &str) -> Result<Option<Type>> {
        let Some(attr) = self.attribute(name) else { return Ok(None) };
        let proto = attr.tp.as_ref().ok_or_else(|| self.wrong(name, "a type"))?;
        Ok(Some(Type::of_proto(proto)?.0))
    }

    /// A required graph.
    pub fn graph(&self, name: &str) -> Result<&'a GraphProto> {
        let attr = self.attribute(name).ok_or_else(|| missing(name))?;
        attr.g.as_ref().ok_or_else(|| self.wrong(name, "a graph"))
    }

    // Known properties of values.

    /// The dtype.
    pub fn dtype(&mut self, val: &Val) -> DType {
        self.importer.block().dtype(val)
    }

    /// The element type of a tensor.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a value that is not a tensor.
    pub fn elem(&self, val: &Val) -> Result<Elem> {
        val.ty.elem().ok_or_else(|| Error::invalid("an input is not a tensor").expected("a tensor").found(&val.ty))
    }

    /// The known part of the shape.
    pub fn shape(&mut self, val: &Val) -> PartialShape {
        self.importer.block().shape(val)
    }

    /// Records the known part of the shape.
    pub fn set_shape(&mut self, val: &Val, shape: PartialShape) {
        self.importer.block().set_shape(val, shape);
    }

    /// The rank, if known.
    pub fn rank(&mut self, val: &Val) -> Option<usize> {
        self.shape(val).rank()
    }

    /// The rank.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` if it is unknown.
    pub fn rank_needed(&mut self, val: &Val) -> Result<usize> {
        self.rank(val).ok_or_else(|| {
            Error::unimplemented("the rank of an input is not known before the run")
                .help("add shapes to the model with onnx.shape_inference.infer_shapes")
        })
    }

    /// An axis of a tensor of this rank; negative axes count from the end.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an axis that the tensor lacks.
    pub fn axis(&self, axis: i64, rank: usize) -> Result<usize> {
        let n = rank as i64;
        match axis {
            a if (0..n).contains(&a) => Ok(a as usize),
            a if (-n..0).contains(&a) => Ok((a + n) as usize),
            _ => Err(Error::invalid(format!("an axis is not one of a tensor of rank {rank}")).found(axis)),
        }
    }

    /// The value as a tensor, if it is known.
    pub fn constant_of(&mut self, val: &Val) -> Option<Tensor> {
        self.importer.block().known(val).cloned()
    }

    /// The value as integers, if it is known.
    pub fn ints_of(&mut self, val: &Val) -> Option<Vec<i64>> {
        self.constant_of(val)?.to_i64s().ok()
    }

    // Nodes.

    /// A node of an op of the library. Finish it with [`Node::add`].
    pub fn node(&mut self, op: &'static str) -> Node<'_, 'a, 'm> {
        Node { cx: self, op, inputs: Vec::new(), attrs: Attrs::new() }
    }

    /// A node whose attrs all follow from its inputs; its first output.
    ///
    /// # Errors
    /// The faults of the node, as for all methods that follow.
    pub fn op(&mut self, op: &'static str, inputs: &[&Val]) -> Result<Val> {
        let val = self.importer.add(op, Attrs::new(), inputs)?;
        if matches!(op, "AddV2" | "Mul" | "Relu6") {
            let inputs = inputs.iter().map(|val| (*val).clone()).collect();
            self.importer.block().sources.insert(val.at(), (op, inputs));
        }
        Ok(val)
    }

    /// The inputs of the node of this op that a value comes from, if it does: for sums, products and `Relu6`.
    pub fn made_by(&mut self, val: &Val, op: &str) -> Option<Vec<Val>> {
        let (made_by, inputs) = self.importer.block().sources.get(&val.at())?;
        (*made_by == op).then(|| inputs.clone())
    }

    /// The value as a number, if it is known and has one element.
    pub fn number_of(&mut self, val: &Val) -> Option<f64> {
        let known = self.importer.block().known(val).filter(|known| known.num_elements() == 1)?;
        match known.dtype() {
            DType::F32 => known.slice::<f32>().ok().map(|v| f64::from(v[0])),
            DType::F64 => known.slice::<f64>().ok().map(|v| v[0]),
            _ => None,
        }
    }

    /// Makes the node of `val` run only after that of `before`.
    pub fn control(&mut self, before: &Val, val: &Val) {
        self.importer.block().control(before.node, val.node);
    }

    /// A constant.
    pub fn constant(&mut self, value: Tensor) -> Result<Val> {
        self.importer.constant(value)
    }

    /// A scalar of a dtype.
    pub fn scalar(&mut self, dtype: DType, value: f64) -> Result<Val> {
        let value = scalar(dtype, value)?;
        self.constant(value)
    }

    /// A scalar of the dtype of `like`.
    pub fn scalar_like(&mut self, like: &Val, value: f64) -> Result<Val> {
        let dtype = self.dtype(like);
        self.scalar(dtype, value)
    }

    /// A vector of int64.
    pub fn i64s(&mut self, values: &[i64]) -> Result<Val> {
        self.constant(Tensor::vector(values.to_vec()))
    }

    /// A vector of int32; larger numbers are clamped.
    pub fn i32s(&mut self, values: &[i64]) -> Result<Val> {
        let clamped = values.iter().map(|&v| v.clamp(i32::MIN.into(), i32::MAX.into())).collect();
        let tensor = integers(DType::I32, Shape::vector(values.len()), clamped);
        self.constant(tensor.ok_or_else(|| Error::internal("clamped integers fit"))?)
    }

    /// A scalar int64.
    pub fn i64(&mut self, value: i64) -> Result<Val> {
        self.constant(Tensor::scalar(value))
    }

    /// A scalar int32.
    pub fn i32(&mut self, value: i64) -> Result<Val> {
        self.constant(Tensor::scalar(value.clamp(i32::MIN.into(), i32::MAX.into()) as i32))
    }

    /// A value as another dtype.
    pub fn cast(&mut self, val: &Val, to: DType) -> Result<Val> {
        if self.dtype(val) == to {
            return Ok(val.clone());
        }
        let cast = self.node("Cast").input(val).attr("DstT", to).add()?;
        Ok(cast.of_elem(Elem::of(to)))
    }

    /// The shape of a value as a vector of int64.
    pub fn shape_of(&mut self, val: &Val) -> Result<Val> {
        if let Some(shape) = self.shape(val).known() {
            return self.i64s(&shape.to_signed());
        }
        Ok(self.node("Shape").input(val).attr("out_type", DType::I64).add()?.of_elem(Elem::INT64))
    }

    /// The size of axis `axis` of a value, a scalar int64; a negative axis counts from the end.
    pub fn size_of(&mut self, val: &Val, axis: i64) -> Result<Val> {
        if let Some(size) = self.shape(val).dim(axis as isize) {
            return self.i64(size as i64);
        }
        let (shape, axis, zero) = (self.shape_of(val)?, self.i32(axis)?, self.i32(0)?);
        if self.ints_of(&axis).is_some_and(|a| a[0] >= 0) {
            return self.op("GatherV2", &[&shape, &axis, &zero]);
        }
        let n = self.node("Size").input(&shape).attr("out_type", DType::I32).add()?.of_elem(Elem::INT32);
        let axis = self.op("AddV2", &[&axis, &n])?;
        self.op("GatherV2", &[&shape, &axis, &zero])
    }

    /// Reshapes to a known shape, of which one size may be -1.
    pub fn reshape(&mut self, val: &Val, dims: &[i64]) -> Result<Val> {
        let shape = self.i64s(dims)?;
        self.op("Reshape", &[val, &shape])
    }

    /// Permutes the axes.
    pub fn transpose(&mut self, val: &Val, order: &[usize]) -> Result<Val> {
        if order.iter().enumerate().all(|(i, axis)| i == *axis) {
            return Ok(val.clone());
        }
        let order: Vec<i64> = order.iter().map(|&axis| axis as i64).collect();
        let order = self.i32s(&order)?;
        self.op("Transpose", &[val, &order])
    }

    /// Inserts an axis of size one.
    pub fn expand(&mut self, val: &Val, axis: i64) -> Result<Val> {
        let axis = self.i32(axis)?;
        self.op("ExpandDims", &[val, &axis])
    }

    /// Removes these axes of size one.
    pub fn squeeze(&mut self, val: &Val, axes: &[i64]) -> Result<Val> {
        Ok(self.node("Squeeze").input(val).attr("squeeze_dims", axes.to_vec()).add()?.like(val))
    }

    /// Packs scalars into a vector.
    pub fn pack(&mut self, scalars: &[Val]) -> Result<Val> {
        let all: Vec<&Val> = scalars.iter().collect();
        self.op("Pack", &all)
    }

    /// Concatenates values along an axis.
    pub fn concat(&mut self, vals: &[Val], axis: i64) -> Result<Val> {
        if let [one] = vals {
            return Ok(one.clone());
        }
        let axis = self.i32(axis)?;
        let all: Vec<&Val> = vals.iter().chain([&axis]).collect();
        self.op("ConcatV2", &all)
    }

    /// Elements `begin..end` of a vector.
    pub fn range_of(&mut self, vector: &Val, begin: i64, end: Option<i64>) -> Result<Val> {
        let (from, to, step) = (self.i64s(&[begin])?, self.i64s(&[end.unwrap_or(0)])?, self.i64s(&[1])?);
        let open = i64::from(end.is_none());
        let slice = self.node("StridedSlice").input(vector).input(&from).input(&to).input(&step);
        slice.attr("end_mask", open).add()
    }

    /// A reduction over some axes.
    pub fn reduce(&mut self, op: &'static str, val: &Val, axes: &[i64], keep: bool) -> Result<Val> {
        let axes = self.i32s(axes)?;
        self.node(op).input(val).input(&axes).attr("keep_dims", keep).add()
    }

    /// `x + y`, broadcast.
    pub fn plus(&mut self, x: &Val, y: &Val) -> Result<Val> {
        self.op("AddV2", &[x, y])
    }

    /// `x - y`, broadcast.
    pub fn minus(&mut self, x: &Val, y: &Val) -> Result<Val> {
        self.op("Sub", &[x, y])
    }

    /// `x * y`, broadcast.
    pub fn times(&mut self, x: &Val, y: &Val) -> Result<Val> {
        self.op("Mul", &[x, y])
    }

    /// `x / y`, broadcast; for floats.
    pub fn over(&mut self, x: &Val, y: &Val) -> Result<Val> {
        self.op("RealDiv", &[x, y])
    }

    /// `x` plus a number.
    pub fn plus_number(&mut self, x: &Val, y: f64) -> Result<Val> {
        let y = self.scalar_like(x, y)?;
        self.op("AddV2", &[x, &y])
    }

    /// `x` times a number.
    pub fn times_number(&mut self, x: &Val, y: f64) -> Result<Val> {
        let y = self.scalar_like(x, y)?;
        self.op("Mul", &[x, &y])
    }

    // Bodies of functions.

    /// Opens the body of a function: nodes are added to it until [`Cx::close`].
    pub fn open(&mut self) {
        self.importer.open();
    }

    /// Closes the body.
    pub fn close(&mut self) -> Block {
        self.importer.close()
    }

    /// A parameter of the body.
    pub fn parameter(&mut self, ty: Type, shape: PartialShape) -> Result<Val> {
        let dtype = ty.dtype()?;
        Ok(self.importer.block().parameter(ty, dtype, shape))
    }

    /// The importer, for control flow.
    pub fn importer(&mut self) -> &mut Importer<'m> {
        self.importer
    }
}

fn missing(name: &str) -> Error {
    Error::invalid(format!("missing attribute {name}")).attr(name)
}

/// A scalar tensor of a dtype.
///
/// # Errors
/// `INVALID_ARGUMENT` for a dtype that is not numeric.
pub(crate) fn scalar(dtype: DType, value: f64) -> Result<Tensor> {
    use levada_graph::{Complex32, Complex64, bf16, f16};
    Ok(match dtype {
        DType::F32 => Tensor::scalar(value as f32),
        DType::F64 => Tensor::scalar(value),
        DType::F16 => Tensor::scalar(f16::from_f64(value)),
        DType::BF16 => Tensor::scalar(bf16::from_f64(value)),
        DType::C64 => Tensor::scalar(Complex32::new(value as f32, 0.0)),
        DType::C128 => Tensor::scalar(Complex64::new(value, 0.0)),
        DType::Bool => Tensor::scalar(value != 0.0),
        other => {
            return dispatch!(other, integers, |T| Ok(Tensor::scalar(value as T)),
            else Err(Error::invalid(format!("{other} is not a numeric type"))));
        }
    })
}

/// A node that is being described.
pub(crate) struct Node<'c, 'a, 'm> {
    cx: &'c mut Cx<'a, 'm>,
    op: &'static str,
    inputs: Vec<Val>,
    attrs: Attrs,
}

impl Node<'_, '_, '_> {
    /// Adds an input.
    #[must_use]
    pub fn input(mut self, val: &Val) -> Self {
        self.inputs.push(val.clone());
        self
    }

    /// Adds inputs.
    #[must_use]
    pub fn inputs<'v>(mut self, vals: impl IntoIterator<Item = &'v Val>) -> Self {
        self.inputs.extend(vals.into_iter().cloned());
        self
    }

    /// Sets an attr.
    #[must_use]
    pub fn attr(mut self, name: &'static str, value: impl FromAttr) -> Self {
        self.attrs.set(name, value.to_attr());
        self
    }

    /// Sets an attr to a string.
    #[must_use]
    pub fn text(mut self, name: &'static str, value: &str) -> Self {
        self.attrs.set(name, AttrValue::S(Bytes::copy_from_slice(value.as_bytes())));
        self
    }

    /// Adds an optional input that an attr counts, if it is present.
    #[must_use]
    pub fn maybe(mut self, count: &'static str, val: Option<&Val>) -> Self {
        self.inputs.extend(val.cloned());
        self.attr(count, i64::from(val.is_some()))
    }

    /// Sets attrs.
    #[must_use]
    pub fn with(mut self, attrs: GivenAttrs) -> Self {
        for (name, value) in attrs.0 {
            self.attrs.set(name, value);
        }
        self
    }

    /// Adds the node; returns its first output.
    pub fn add(self) -> Result<Val> {
        let inputs: Vec<&Val> = self.inputs.iter().collect();
        self.cx.importer.add(self.op, self.attrs, &inputs)
    }

    /// Adds the node; returns all its outputs.
    pub fn all(self) -> Result<Vec<Val>> {
        let inputs: Vec<&Val> = self.inputs.iter().collect();
        self.cx.importer.add_all(self.op, self.attrs, &inputs)
    }
}

/// Attributes of a node of the model that become attrs of the same name, if they are given.
#[derive(Default)]
pub(crate) struct GivenAttrs(Vec<(&'static str, AttrValue)>);

impl GivenAttrs {
    fn set(mut self, name: &'static str, value: Option<impl FromAttr>) -> GivenAttrs {
        self.0.extend(value.map(|value| (name, value.to_attr())));
        self
    }
}

impl Cx<'_, '_> {
    /// Attributes that are integers.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an attribute of another type; so for all of these.
    pub fn given_ints(&self, given: GivenAttrs, names: &[&'static str]) -> Result<GivenAttrs> {
        names.iter().try_fold(given, |given, name| Ok(given.set(name, self.int(name)?)))
    }

    /// Attributes that are bools.
    pub fn given_flags(&self, given: GivenAttrs, names: &[&'static str]) -> Result<GivenAttrs> {
        names.iter().try_fold(given, |given, name| Ok(given.set(name, self.int(name)?.map(|v| v != 0))))
    }

    /// Attributes that are floats.
    pub fn given_floats(&self, given: GivenAttrs, names: &[&'static str]) -> Result<GivenAttrs> {
        names.iter().try_fold(given, |given, name| Ok(given.set(name, self.float(name)?)))
    }

    /// Attributes that are strings.
    pub fn given_texts(&self, given: GivenAttrs, names: &[&'static str]) -> Result<GivenAttrs> {
        names.iter().try_fold(given, |given, name| Ok(given.set(name, self.text(name)?)))
    }

    /// Attributes that are lists of integers.
    pub fn given_int_lists(&self, given: GivenAttrs, names: &[&'static str]) -> Result<GivenAttrs> {
        names.iter().try_fold(given, |given, name| Ok(given.set(name, self.ints(name)?)))
    }

    /// Attributes that are lists of floats.
    pub fn given_float_lists(&self, given: GivenAttrs, names: &[&'static str]) -> Result<GivenAttrs> {
        names.iter().try_fold(given, |given, name| Ok(given.set(name, self.floats(name)?)))
    }

    /// Attributes that are lists of strings.
    pub fn given_string_lists(&self, given: GivenAttrs, names: &[&'static str]) -> Result<GivenAttrs> {
        names.iter().try_fold(given, |given, name| Ok(given.set(name, self.strings(name)?)))
    }

    /// Attributes that are tensors, as lists of one.
    pub fn given_tensors(&self, given: GivenAttrs, names: &[&'static str]) -> Result<GivenAttrs> {
        names.iter().try_fold(given, |given, name| Ok(given.set(name, self.tensor(name)?.map(|(t, _)| vec![t]))))
    }
}
