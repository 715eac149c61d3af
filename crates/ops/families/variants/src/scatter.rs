//! Elements of lists by their numbers: `TensorListGather`, `TensorListScatter`, `TensorListScatterV2`,
//! `TensorListScatterIntoExistingList`.

use super::list::{TensorList, change_list, check_len, list, scalar, set_list, stack};
use crate::moves::Mover;
use crate::prelude::*;
use crate::variant_tensors::{constant_shape, described_shape};

attrs! {
    /// Elements of a list side by side along a new first axis.
    pub struct TensorListGather {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
    }
}

attrs! {
    /// A list whose elements at the given positions are the rows of a tensor, as long as that takes.
    pub struct TensorListScatter {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

attrs! {
    /// A list of given length whose elements at the given positions are the rows of a tensor.
    pub struct TensorListScatterV2 {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

attrs! {
    /// A list with the elements at the given positions replaced by the rows of a tensor.
    pub struct TensorListScatterIntoExistingList {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
    }
}

impl Op for TensorListGather {
    const SPEC: Spec = Spec {
        name: "TensorListGather",
        counts: Some("element_dtype"),
        inputs: &[
            arg("input_handle", is(DType::Variant)),
            arg("indices", is(DType::I32)),
            arg("element_shape", is(DType::I32)),
        ],
        outputs: &[arg("values", of("element_dtype"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let n = cx.input(1).num_elements();
        let shape = PartialShape::vector(n).concat(&constant_shape(cx, 2));
        cx.output(0, shape);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListGather {
    const HOST_INPUTS: &'static [isize] = &[1, 2];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let list = list(cx, 0)?;
        list.check_dtype(self.dtype)?;
        let asked = list.asked_shape(cx, 2)?;
        let indices = cx.slice::<i32>(1)?;
        let mut items = Vec::with_capacity(indices.len());
        for &index in indices {
            items.push(&list.items[list.position(index, "gather")?]);
        }
        let shape = TensorList::infer(asked, items.iter().copied())?;
        let shape = shape.known().ok_or_else(|| {
            Error::invalid(format!(
                "Tried to gather uninitialized tensors from a list with non-fully-defined element_shape: {shape}"
            ))
        })?;
        let values = stack(cx, self.dtype, &shape, &items)?;
        cx.set(0, values);
        Ok(())
    }
}

/// The rows of input `tensor` with the positions on input `indices` that they go to.
fn rows<D: Mover>(
    cx: &KernelCx<'_, '_, D>,
    tensor: usize,
    indices: usize,
    shape: &PartialShape,
) -> Result<Vec<(usize, Tensor)>> {
    let (tensor, indices) = (cx.input(tensor)?, cx.slice::<i32>(indices)?);
    let Some((&n, row)) = tensor.shape().split_first() else {
        return Err(Error::invalid("Tensor must be at least a vector, but saw shape: []"));
    };
    let row = Shape::new(row.iter().copied())?;
    if !shape.accepts(&row) {
        return Err(Error::invalid(format!("Specified a list with shape {shape} from a tensor with shape {row}")));
    }
    if indices.len() != n {
        return Err(Error::invalid(format!(
            "Invalid number of rows in input tensor. Expected: {} Actual: {n}",
            indices.len()
        )));
    }
    let place = |(i, &index): (usize, &i32)| {
        let at = usize::try_from(index)
            .map_err(|_| Error::invalid("Indices in TensorListScatter must all be non-negative."))?;
        Ok((at, tensor.row(i)?))
    };
    let rows: Vec<(usize, Tensor)> = indices.iter().enumerate().map(place).collect::<Result<_>>()?;
    check_len(D::arena(cx), rows.iter().map(|(at, _)| at + 1).max().unwrap_or(0))?;
    Ok(rows)
}

fn place(items: &mut Vec<Option<Tensor>>, rows: Vec<(usize, Tensor)>) {
    let needed = rows.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
    if needed > items.len() {
        items.resize(needed, None);
    }
    for (at, row) in rows {
        items[at] = Some(row);
    }
}

fn scatter<D: Mover>(cx: &mut KernelCx<'_, '_, D>, dtype: DType, count: i32) -> Result<()> {
    if count < -1 {
        return Err(Error::invalid(format!("TensorListScatter expects num_elements >= -1, found: {count}")));
    }
    let shape = described_shape(cx.input(2)?)?;
    let rows = rows(cx, 0, 1, &shape)?;
    let mut items = Vec::new();
    if let Ok(count) = usize::try_from(count) {
        if let Some((at, _)) = rows.iter().find(|(at, _)| *at >= count) {
            return Err(Error::invalid(format!(
                "TensorListScatter: Trying to scatter at index {at} in list with size {count}"
            )));
        }
        check_len(D::arena(cx), count)?;
        items = vec![None; count];
    }
    place(&mut items, rows);
    set_list(cx, TensorList::new(dtype, shape, items));
    Ok(())
}

impl Op for TensorListScatter {
    const SPEC: Spec = Spec {
        name: "TensorListScatter",
        counts: Some("element_dtype"),
        inputs: &[
            arg("tensor", of("element_dtype")),
            arg("indices", is(DType::I32)),
            arg("element_shape", of("shape_type")),
        ],
        outputs: &[arg("output_handle", is(DType::Variant))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListScatter {
    const HOST_INPUTS: &'static [isize] = &[1, 2];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        scatter(cx, self.dtype, -1)
    }
}

impl Op for TensorListScatterV2 {
    const SPEC: Spec = Spec {
        name: "TensorListScatterV2",
        counts: Some("element_dtype"),
        inputs: &[
            arg("tensor", of("element_dtype")),
            arg("indices", is(DType::I32)),
            arg("element_shape", of("shape_type")),
            arg("num_elements", is(DType::I32)),
        ],
        outputs: &[arg("output_handle", is(DType::Variant))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListScatterV2 {
    const HOST_INPUTS: &'static [isize] = &[1, 2, 3];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let count = scalar(cx, 3, "num_elements")?;
        scatter(cx, self.dtype, count)
    }
}

impl Op for TensorListScatterIntoExistingList {
    const SPEC: Spec = Spec {
        name: "TensorListScatterIntoExistingList",
        counts: Some("element_dtype"),
        inputs: &[
            arg("input_handle", is(DType::Variant)),
            arg("tensor", of("element_dtype")),
            arg("indices", is(DType::I32)),
        ],
        outputs: &[arg("output_handle", is(DType::Variant))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListScatterIntoExistingList {
    const HOST_INPUTS: &'static [isize] = &[2];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let found = list(cx, 0)?;
        found.check_dtype(self.dtype)?;
        let indices = cx.input(2)?.shape();
        if indices.len() != 1 {
            return Err(Error::invalid(format!("Expected indices to be a vector, but received shape: {indices}")));
        }
        // TensorFlow does not hold the rows to the list's shape either.
        let rows = rows(cx, 1, 2, &PartialShape::Unknown)?;
        change_list(cx, |list| {
            place(&mut list.items, rows);
            Ok(())
        })
    }
}
