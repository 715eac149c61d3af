//! `TensorListStack` and `TensorListFromTensor`: the elements of a list as the rows of a tensor.

use super::list::{TensorList, list, set_list, stack};
use crate::moves::Mover;
use crate::prelude::*;
use crate::variant_tensors::{constant_shape, described_shape};

attrs! {
    /// All elements of a list side by side along a new first axis.
    pub struct TensorListStack {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Number of elements that there must be; -1 for any.
        count: i64 = Attr::int("num_elements").or_int(-1),
    }
}

attrs! {
    /// A list of the rows of a tensor.
    pub struct TensorListFromTensor {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

impl Op for TensorListStack {
    const SPEC: Spec = Spec {
        name: "TensorListStack",
        counts: Some("element_dtype"),
        inputs: &[arg("input_handle", is(DType::Variant)), arg("element_shape", is(DType::I32))],
        outputs: &[arg("tensor", of("element_dtype"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let count = usize::try_from(self.count).ok();
        let shape = PartialShape::vector(count).concat(&constant_shape(cx, 1));
        cx.output(0, shape);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListStack {
    const HOST_INPUTS: &'static [isize] = &[1];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let list = list(cx, 0)?;
        list.check_dtype(self.dtype)?;
        let n = list.items.len();
        if self.count != -1 && usize::try_from(self.count) != Ok(n) {
            return Err(Error::invalid(format!(
                "Operation expected a list with {} elements but got a list with {n} elements.",
                self.count
            )));
        }
        let asked = list.asked_shape(cx, 1)?;
        if n == 0 && asked.known().is_none() {
            return Err(Error::invalid(format!(
                "Tried to stack elements of an empty list with non-fully-defined element_shape: {asked}"
            )));
        }
        let shape = TensorList::infer(asked, &list.items)?;
        let shape = shape.known().ok_or_else(|| {
            Error::invalid(format!(
                "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined \
                 element_shape: {shape}"
            ))
        })?;
        let items: Vec<&Option<Tensor>> = list.items.iter().collect();
        let stacked = stack(cx, self.dtype, &shape, &items)?;
        cx.set(0, stacked);
        Ok(())
    }
}

impl Op for TensorListFromTensor {
    const SPEC: Spec = Spec {
        name: "TensorListFromTensor",
        counts: Some("element_dtype"),
        inputs: &[arg("tensor", of("element_dtype")), arg("element_shape", of("shape_type"))],
        outputs: &[arg("output_handle", is(DType::Variant))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListFromTensor {
    const HOST_INPUTS: &'static [isize] = &[1];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let tensor = cx.input(0)?;
        let Some((&n, row)) = tensor.shape().split_first() else {
            return Err(Error::invalid("Tensor must be at least a vector, but saw shape: []"));
        };
        let shape = described_shape(cx.input(1)?)?;
        let row = Shape::new(row.iter().copied())?;
        if !shape.accepts(&row) {
            return Err(Error::invalid(format!("Specified a list with shape {shape} from a tensor with shape {row}")));
        }
        super::list::check_len(D::arena(cx), n)?;
        let items = (0..n).map(|i| tensor.row(i).map(Some)).collect::<Result<_>>()?;
        set_list(cx, TensorList::new(self.dtype, shape, items));
        Ok(())
    }
}
