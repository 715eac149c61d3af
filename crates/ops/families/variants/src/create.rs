//! `EmptyTensorList` and `TensorListReserve`.

use super::list::{TensorList, scalar, set_list, size};
use crate::moves::Mover;
use crate::prelude::*;
use crate::variant_tensors::described_shape;

attrs! {
    /// A list without elements.
    pub struct EmptyTensorList {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

attrs! {
    /// A list of elements that have not been set.
    pub struct TensorListReserve {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

impl Op for EmptyTensorList {
    const SPEC: Spec = Spec {
        name: "EmptyTensorList",
        counts: Some("element_dtype"),
        inputs: &[arg("element_shape", of("shape_type")), arg("max_num_elements", is(DType::I32))],
        outputs: &[arg("handle", is(DType::Variant))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for EmptyTensorList {
    const HOST_INPUTS: &'static [isize] = &[0, 1];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let max = scalar(cx, 1, "max_num_elements")?;
        let shape = described_shape(cx.input(0)?)?;
        let mut list = TensorList::new(self.dtype, shape, Vec::new());
        list.max = usize::try_from(max).ok();
        set_list(cx, list);
        Ok(())
    }
}

impl Op for TensorListReserve {
    const SPEC: Spec = Spec {
        name: "TensorListReserve",
        counts: Some("element_dtype"),
        inputs: &[arg("element_shape", of("shape_type")), arg("num_elements", is(DType::I32))],
        outputs: &[arg("handle", is(DType::Variant))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListReserve {
    const HOST_INPUTS: &'static [isize] = &[0, 1];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let shape = described_shape(cx.input(0)?)?;
        let n = size(cx, 1, "num_elements to reserve")?;
        set_list(cx, TensorList::new(self.dtype, shape, vec![None; n]));
        Ok(())
    }
}
