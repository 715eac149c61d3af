//! `SerializeSparse`, `SerializeManySparse`, `DeserializeSparse`, `DeserializeManySparse`: sparse tensors serialized
//! as three strings or variants each.

use crate::coo::{self, Coo};
use crate::prelude::*;
use crate::rows;
use levada_graph::{EncodedVariant, Variant, VariantValue};
use levada_ops_core::text::summarize::described;

const FORMS: &[DType] = &[DType::Str, DType::Variant];

/// A tensor inside a variant.
#[derive(Debug)]
struct Held(Tensor);

impl VariantValue for Held {
    fn type_name(&self) -> &'static str {
        "tensorflow::Tensor"
    }

    fn summary(&self) -> Option<String> {
        described(&self.0)
    }
}

/// Encodes a variant that holds part of a sparse tensor for storage in files; `None` for other values.
pub fn encode(value: &Variant) -> Option<EncodedVariant> {
    let Held(tensor) = value.get()?;
    let (type_name, metadata) = ("tensorflow::Tensor".to_owned(), Bytes::new());
    Some(EncodedVariant { type_name, metadata, tensors: vec![tensor.clone()] })
}

attrs! {
    /// The attrs of ops that serialize sparse tensors.
    pub struct SerializedSparse {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Output type: string or variant.
        form: DType = Attr::dtype("out_type", FORMS).or_type(DType::Str),
    }
}

const INPUTS: &[Arg] =
    &[arg("sparse_indices", is(DType::I64)), arg("sparse_values", of("T")), arg("sparse_shape", is(DType::I64))];
const OUTPUTS: &[Arg] = &[arg("serialized_sparse", of("out_type"))];

const fn serializing(
    name: &'static str,
    kernel: fn(&SerializedSparse, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<SerializedSparse> {
    op::<SerializedSparse>(name).inputs(INPUTS).outputs(OUTPUTS).kernel(kernel)
}

pub static SERIALIZE_SPARSE: Def<SerializedSparse> = serializing("SerializeSparse", |op, cx| {
    Coo::input(cx, 0)?;
    let out = serialize(op.form, Shape::vector(3), [cx.input(0)?, cx.input(1)?, cx.input(2)?].into_iter())?;
    cx.set(0, out);
    Ok(())
})
.doc("Serializes a sparse tensor as three strings or variants: its indices, values and shape.")
.shape(|_, cx| {
    coo::infer(cx, [0, 1, 2])?;
    cx.output_vector(0, Some(3));
    Ok(())
});

pub static SERIALIZE_MANY_SPARSE: Def<SerializedSparse> = serializing("SerializeManySparse", serialize_many)
    .doc("Serializes each row of a sparse tensor as three strings or variants.")
    .shape(|_, cx| {
        coo::infer(cx, [0, 1, 2])?;
        let rows = cx.constant_shape(2).dim(0);
        cx.output(0, PartialShape::new([rows, Some(3)]));
        Ok(())
    });

fn serialize_many(op: &SerializedSparse, cx: &mut Cx<'_, '_>) -> Result<()> {
    let sparse = Coo::input(cx, 0)?;
    if sparse.rank < 2 {
        return Err(Error::invalid(format!("Rank of input SparseTensor should be > 1, but saw rank: {}", sparse.rank)));
    }
    let n = sparse.dense_shape()?[0];
    sparse.check_sorted()?;
    // The sizes are just values in a tensor and say nothing about available memory.
    cx.device.arena.check(n.saturating_mul(3 * 200))?;
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); n];
    for i in 0..sparse.len {
        let row = sparse.row(i)[0];
        let members = usize::try_from(row).ok().and_then(|r| members.get_mut(r)).ok_or_else(|| {
            Error::invalid(format!("Received unexpected column 0 value in input SparseTensor: {row} (>= {n})"))
        })?;
        members.push(i);
    }
    let shape = Tensor::vector(sparse.shape[1..].to_vec());
    let mut parts = Vec::with_capacity(3 * n);
    for members in &members {
        let indices = members.iter().flat_map(|&i| &sparse.row(i)[1..]).copied().collect();
        parts.push(coo::indices(sparse.rank - 1, members.len(), indices)?);
        parts.push(coo::pick(cx, sparse.values, members)?);
        parts.push(shape.clone());
    }
    let out = serialize(op.form, Shape::new([n, 3])?, parts.iter())?;
    cx.set(0, out);
    Ok(())
}

fn serialize<'a>(form: DType, shape: Shape, parts: impl Iterator<Item = &'a Tensor>) -> Result<Tensor> {
    if form == DType::Variant {
        return Tensor::from_vec(shape, parts.map(|part| Variant::new(Held(part.clone()))).collect());
    }
    let strings = parts.map(|part| Ok(Bytes::from(levada_graph::write::tensor_to_pb(part)?)));
    Tensor::from_vec(shape, strings.collect::<Result<Vec<Bytes>>>()?)
}

/// Returns the tensor in element `at`.
fn tensor(serialized: &Tensor, at: usize) -> Result<Tensor> {
    if serialized.dtype() == DType::Str {
        return levada_graph::read::tensor_from_pb(&serialized.slice::<Bytes>()?[at]);
    }
    let variant = &serialized.slice::<Variant>()?[at];
    if let Some(Held(tensor)) = variant.get() {
        return Ok(tensor.clone());
    }
    match variant.get::<EncodedVariant>().map(|encoded| &encoded.tensors[..]) {
        Some([tensor]) => Ok(tensor.clone()),
        _ => Err(Error::invalid(format!("Could not get a tensor from the variant {variant:?}"))),
    }
}

/// A deserialized sparse tensor.
struct Sparse {
    indices: Tensor,
    values: Tensor,
    shape: Tensor,
}

/// Returns sparse tensor number `i`.
fn sparse(serialized: &Tensor, i: usize, dtype: DType) -> Result<Sparse> {
    let [indices, values, shape] = [0, 1, 2].map(|part| tensor(serialized, 3 * i + part));
    let (indices, values, shape) = (indices?, values?, shape?);
    for (part, what, found, rank) in [(0, "an index matrix", &indices, 2), (2, "a shape vector", &shape, 1)] {
        if found.dtype() != DType::I64 || found.shape().rank() != rank {
            return Err(Error::invalid(format!(
                "Expected serialized_sparse[{i}, {part}] to represent {what} but received shape {}",
                found.shape()
            ))
            .found(found.dtype()));
        }
    }
    if values.dtype() != dtype {
        return Err(Error::invalid(format!(
            "Requested SparseTensor of type {dtype} but SparseTensor[{i}].values.dtype() == {}",
            values.dtype()
        )));
    }
    Coo::of(&indices, &values, &shape)?;
    Ok(Sparse { indices, values, shape })
}

/// Joins `n` sparse tensors along new leading axes of these sizes, whose product is `n`.
fn deserialize(cx: &mut Cx<'_, '_>, dtype: DType, axes: &[usize], n: usize) -> Result<()> {
    let serialized = cx.input(0)?;
    let all: Vec<Sparse> = (0..n).map(|i| sparse(serialized, i, dtype)).collect::<Result<_>>()?;
    let rank = all[0].shape.num_elements();
    let mut whole = vec![0i64; rank];
    let mut indices = Vec::new();
    let axes_shape = Shape::new(axes.iter().copied())?;
    let strides = axes_shape.strides();
    for (i, sparse) in all.iter().enumerate() {
        let shape = sparse.shape.slice::<i64>()?;
        if shape.len() != rank {
            return Err(Error::invalid(format!(
                "Inconsistent shape across SparseTensors: rank prior to SparseTensor[{i}] was: {rank} but rank of \
                 SparseTensor[{i}] is: {}",
                shape.len()
            )));
        }
        whole.iter_mut().zip(shape).for_each(|(w, &d)| *w = (*w).max(d));
        let place: Vec<i64> = strides.iter().zip(axes).map(|(&s, &d)| (i / s % d) as i64).collect();
        let own = sparse.indices.slice::<i64>()?;
        for at in 0..sparse.values.num_elements() {
            indices.extend_from_slice(&place);
            indices.extend_from_slice(&own[at * rank..(at + 1) * rank]);
        }
    }
    let total = all.iter().map(|s| s.values.num_elements()).sum();
    let values = rows::join(&cx.device.arena, dtype, Shape::vector(total), all.iter().map(|s| &s.values))?;
    let shape: Vec<i64> = axes.iter().map(|&d| d as i64).chain(whole).collect();
    cx.set(0, coo::indices(axes.len() + rank, total, indices)?);
    cx.set(1, values);
    cx.set(2, Tensor::vector(shape));
    Ok(())
}

attrs! {
    /// Deserializes sparse tensors made by `SerializeSparse`; all axes but the last become leading axes of the result.
    pub struct DeserializeSparse {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Input type: string or variant.
        form: DType = Attr::dtype("Tserialized", FORMS).or_type(DType::Str),
    }
}

pub static DESERIALIZE_SPARSE: Def<DeserializeSparse> = op("DeserializeSparse")
    .inputs(&[arg("serialized_sparse", of("Tserialized"))])
    .outputs(&[
        arg("sparse_indices", is(DType::I64)),
        arg("sparse_values", of("dtype")),
        arg("sparse_shape", is(DType::I64)),
    ])
    .shape(deserialize_sparse_shape)
    .kernel(deserialize_sparse);

fn deserialize_sparse_shape(_: &DeserializeSparse, cx: &mut ShapeCx<'_>) -> Result<()> {
    if let Some(dims) = cx.input(0).dims() {
        PartialShape::vector(dims.last().copied().flatten()).merge(&PartialShape::vector(Some(3)))?;
    }
    cx.output(0, PartialShape::of_rank(2));
    cx.output_vector(1, None);
    cx.output_vector(2, None);
    Ok(())
}

fn deserialize_sparse(op: &DeserializeSparse, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let Some((&last, axes)) = shape.split_last() else {
        return Err(Error::invalid(format!("Serialized sparse should have non-zero rank {shape}")));
    };
    if last != 3 {
        return Err(Error::invalid(format!("Serialized sparse should have 3 as the last dimension {shape}")));
    }
    let n: usize = axes.iter().product();
    if n == 0 {
        return Err(Error::invalid(format!(
            "Serialized sparse should have at least 1 serialized tensor, but has a zero dimension {shape}"
        )));
    }
    deserialize(cx, op.dtype, axes, n)
}

attrs! {
    /// Deserializes the rows made by `SerializeManySparse` into one sparse tensor.
    pub struct DeserializeManySparse {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
    }
}

pub static DESERIALIZE_MANY_SPARSE: Def<DeserializeManySparse> = op("DeserializeManySparse")
    .inputs(&[arg("serialized_sparse", is(DType::Str))])
    .outputs(&[
        arg("sparse_indices", is(DType::I64)),
        arg("sparse_values", of("dtype")),
        arg("sparse_shape", is(DType::I64)),
    ])
    .shape(|_, cx| {
        cx.with_rank(0, 2)?.merge(&PartialShape::new([None, Some(3)]))?;
        cx.output(0, PartialShape::of_rank(2));
        cx.output_vector(1, None);
        cx.output_vector(2, None);
        Ok(())
    })
    .kernel(deserialize_many_sparse);

fn deserialize_many_sparse(op: &DeserializeManySparse, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let &[n, width] = shape.dims() else {
        return Err(Error::invalid(format!("Serialized sparse should be a matrix but received shape {shape}")));
    };
    if width != 3 {
        return Err(Error::invalid(format!("Serialized sparse input should have 3 columns but has {width}")));
    }
    if n == 0 {
        return Err(Error::invalid("Must have at least 1 serialized SparseTensor, but input matrix has 0 rows"));
    }
    deserialize(cx, op.dtype, &[n], n)
}
