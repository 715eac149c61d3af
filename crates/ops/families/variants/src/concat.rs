//! `TensorListConcat`, `TensorListConcatV2` and `TensorListSplit`: elements one after the other in one tensor.

use super::list::{TensorList, check_len, join, list, set_list};
use crate::moves::Mover;
use crate::prelude::*;
use crate::variant_tensors::{constant_shape, described_shape};

attrs! {
    /// The elements, one after the other along their first axis, and how long each is.
    pub struct TensorListConcat {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// What is known of the elements' shapes.
        shape: PartialShape = Attr::shape("element_shape").or_unknown_shape(),
    }
}

attrs! {
    /// The elements, one after the other along their first axis, and how long each is. Those that were never set are
    /// zeros, as long as `leading_dims` says.
    pub struct TensorListConcatV2 {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

attrs! {
    /// A list of parts of a tensor along its first axis, of the given lengths.
    pub struct TensorListSplit {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

/// What is known of an element's shape besides the first axis.
fn rest_of(shape: &PartialShape) -> PartialShape {
    shape.dims().map_or(PartialShape::Unknown, |dims| PartialShape::new(dims.iter().skip(1).copied()))
}

impl Op for TensorListConcat {
    const SPEC: Spec = Spec {
        name: "TensorListConcat",
        counts: Some("element_dtype"),
        inputs: &[arg("input_handle", is(DType::Variant))],
        outputs: &[arg("tensor", of("element_dtype")), arg("lengths", is(DType::I64))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output(0, PartialShape::vector(None).concat(&rest_of(&self.shape)));
        cx.output_vector(1, None);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListConcat {
    const HOST_OUTPUTS: &'static [isize] = &[1];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        // The attr says nothing of the first axis.
        let rest = rest_of(&self.shape);
        let asked = if self.shape.rank().is_some() { PartialShape::vector(None).concat(&rest) } else { rest };
        concat(cx, self.dtype, asked, &[])
    }
}

impl Op for TensorListConcatV2 {
    const SPEC: Spec = Spec {
        name: "TensorListConcatV2",
        counts: Some("element_dtype"),
        inputs: &[
            arg("input_handle", is(DType::Variant)),
            arg("element_shape", of("shape_type")),
            arg("leading_dims", is(DType::I64)),
        ],
        outputs: &[arg("tensor", of("element_dtype")), arg("lengths", is(DType::I64))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let rest = rest_of(&constant_shape(cx, 1));
        cx.output(0, PartialShape::vector(None).concat(&rest));
        cx.output_vector(1, None);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListConcatV2 {
    const HOST_INPUTS: &'static [isize] = &[1, 2];
    const HOST_OUTPUTS: &'static [isize] = &[1];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let list = list(cx, 0)?;
        list.check_dtype(self.dtype)?;
        let asked = list.asked_shape(cx, 1)?;
        if asked.rank() == Some(0) {
            return Err(Error::invalid("Concat requires elements to be at least vectors, found scalars instead."));
        }
        let leading = cx.slice::<i64>(2)?.to_vec();
        concat(cx, self.dtype, asked, &leading)
    }
}

fn concat<D: Mover>(cx: &mut KernelCx<'_, '_, D>, dtype: DType, asked: PartialShape, leading: &[i64]) -> Result<()> {
    let list = list(cx, 0)?;
    list.check_dtype(dtype)?;
    let first = asked.dim(0);
    let mut rest = rest_of(&asked);
    if list.items.is_empty() && rest.known().is_none() {
        return Err(Error::invalid(format!(
            "All except the first dimension must be fully defined when concating an empty tensor list. element_shape: \
             {asked}"
        )));
    }
    // The length of elements that were never set, where all others have one.
    let mut common: Option<Dim> = None;
    for (i, item) in list.items.iter().enumerate() {
        let Some(item) = item else { continue };
        let Some((&length, own)) = item.shape().split_first() else {
            return Err(Error::invalid(format!(
                "Concat saw a scalar shape at index {i} but requires at least vectors."
            )));
        };
        rest = rest.merge(&PartialShape::new(own.iter().map(|&d| Some(d))))?;
        if first.is_some_and(|first| first != length) {
            return Err(Error::invalid(format!(
                "First entry of element_shape input does not match the first dim of list element at index: {i} \
                 Expected: {first:?} Actual: {length}"
            )));
        }
        common = match common {
            None => Some(Some(length)),
            Some(c) => Some(c.filter(|&c| c == length)),
        };
    }
    let default = first.or(common.flatten());
    let rest = rest.known().ok_or_else(|| {
        Error::invalid(format!(
            "Trying to concat list with only uninitialized tensors but element_shape_except_first_dim is not fully \
             defined: {rest}"
        ))
    })?;
    let mut lengths = Vec::with_capacity(list.items.len());
    for (i, item) in list.items.iter().enumerate() {
        let length = match (item, leading.get(i), default) {
            (Some(item), _, _) => item.shape()[0],
            (None, Some(&length), _) => usize::try_from(length)
                .map_err(|_| Error::invalid(format!("leading_dims[{i}] is negative: {length}")))?,
            (None, None, Some(length)) => length,
            (None, None, None) => {
                return Err(Error::invalid(format!(
                    "List contains uninitialized tensor at index {i} but leading_dims has only {} elements.",
                    leading.len()
                )));
            }
        };
        lengths.push(length);
    }
    let long = || Error::invalid("the elements are too long together");
    let total = lengths.iter().try_fold(0usize, |sum, &n| sum.checked_add(n)).ok_or_else(long)?;
    let with = |n: usize| Shape::new(std::iter::once(n).chain(rest.iter().copied()));
    let whole = with(total)?;
    let mut parts = Vec::with_capacity(lengths.len());
    for (item, &length) in list.items.iter().zip(&lengths) {
        parts.push(match item {
            Some(item) => Ok(item),
            None => Err(with(length)?),
        });
    }
    let joined = join(cx, dtype, whole, parts.into_iter())?;
    cx.set(0, joined);
    cx.set(1, Tensor::vector(lengths.into_iter().map(|n| n as i64).collect()));
    Ok(())
}

impl Op for TensorListSplit {
    const SPEC: Spec = Spec {
        name: "TensorListSplit",
        counts: Some("element_dtype"),
        inputs: &[
            arg("tensor", of("element_dtype")),
            arg("element_shape", of("shape_type")),
            arg("lengths", is(DType::I64)),
        ],
        outputs: &[arg("output_handle", is(DType::Variant))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListSplit {
    const HOST_INPUTS: &'static [isize] = &[1, 2];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let (tensor, lengths) = (cx.input(0)?, cx.input(2)?);
        let shape = described_shape(cx.input(1)?)?;
        if shape.rank() == Some(0) {
            return Err(Error::invalid("TensorListSplit requires element_shape to be at least of rank 1, but saw: []"));
        }
        if lengths.shape().rank() != 1 {
            return Err(Error::invalid(format!(
                "Expected lengths to be a vector, received shape: {}",
                lengths.shape()
            )));
        }
        let Some((&n, row)) = tensor.shape().split_first() else {
            return Err(Error::invalid("Tensor must be at least a vector, but saw shape: []"));
        };
        let rest = rest_of(&shape);
        if !rest.accepts(&Shape::new(row.iter().copied())?) {
            return Err(Error::invalid(format!(
                "tensor shape {} is not compatible with element_shape {shape}",
                tensor.shape()
            )));
        }
        let lengths = lengths.slice::<i64>()?;
        check_len(D::arena(cx), lengths.len())?;
        let (mut items, mut at) = (Vec::with_capacity(lengths.len()), 0);
        for &length in lengths {
            let length =
                usize::try_from(length).map_err(|_| Error::invalid(format!("Invalid value in lengths: {length}")))?;
            let end = length.checked_add(at).filter(|&end| end <= n).ok_or_else(|| {
                Error::invalid(format!("Attempting to slice {length} rows from {at} from tensor with length {n}"))
            })?;
            items.push(Some(tensor.rows(at..end)?));
            at = end;
        }
        if at != n {
            return Err(Error::invalid(format!("Unused values in tensor. Length of tensor: {n} Values used: {at}")));
        }
        set_list(cx, TensorList::new(self.dtype, shape, items));
        Ok(())
    }
}
