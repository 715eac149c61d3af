//! Single elements of lists, how many there are and what shape they have: `TensorListGetItem`, `TensorListSetItem`,
//! `TensorListLength`, `TensorListElementShape`, `TensorListResize`.

use super::list::{TensorList, change_list, check_len, list, scalar, size, strict};
use crate::moves::Mover;
use crate::prelude::*;
use crate::variant_tensors::constant_shape;

attrs! {
    /// An element of a list; zeros where it was never set.
    pub struct TensorListGetItem {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("Tshape", sets::INDEX).or_type(DType::I32),
    }
}

attrs! {
    /// A list with one element set.
    pub struct TensorListSetItem {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Makes a list that is too short longer.
        resize: bool = Attr::bool("resize_if_index_out_of_bounds").or_bool(false),
    }
}

attrs! {
    /// Number of elements.
    pub struct TensorListLength {}
}

attrs! {
    /// What a list knows of its elements' shapes, -1 for what it does not.
    pub struct TensorListElementShape {
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

attrs! {
    /// A list cut off, or made longer by elements that have not been set.
    pub struct TensorListResize {}
}

impl Op for TensorListGetItem {
    const SPEC: Spec = Spec {
        name: "TensorListGetItem",
        counts: Some("element_dtype"),
        inputs: &[
            arg("input_handle", is(DType::Variant)),
            arg("index", is(DType::I32)),
            arg("element_shape", of("Tshape")),
        ],
        outputs: &[arg("item", of("element_dtype"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let shape = constant_shape(cx, 2);
        cx.output(0, shape);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListGetItem {
    const HOST_INPUTS: &'static [isize] = &[1, 2];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let list = list(cx, 0)?;
        list.check_dtype(self.dtype)?;
        let at = list.position(scalar(cx, 1, "index")?, "access")?;
        let item = match &list.items[at] {
            Some(item) => item.clone(),
            None => {
                let asked = list.asked_shape(cx, 2)?;
                list.unset(cx, TensorList::infer(asked, &list.items)?)?
            }
        };
        cx.set(0, item);
        Ok(())
    }
}

impl Op for TensorListSetItem {
    const SPEC: Spec = Spec {
        name: "TensorListSetItem",
        counts: Some("element_dtype"),
        inputs: &[
            arg("input_handle", is(DType::Variant)),
            arg("index", is(DType::I32)),
            arg("item", of("element_dtype")),
        ],
        outputs: &[arg("output_handle", is(DType::Variant))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListSetItem {
    const HOST_INPUTS: &'static [isize] = &[1];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let found = list(cx, 0)?;
        found.check_dtype(self.dtype)?;
        let index = strict(cx, 1, "index")?;
        let at = match usize::try_from(index) {
            Ok(at) if self.resize => at,
            _ => found.position(index, "modify")?,
        };
        check_len(D::arena(cx), (at + 1).saturating_sub(found.items.len()))?;
        found.check_item(cx.input(2)?)?;
        let item = cx.take(2)?;
        change_list(cx, |list| {
            if at >= list.items.len() {
                list.items.resize(at + 1, None);
            }
            list.items[at] = Some(item);
            Ok(())
        })
    }
}

impl Op for TensorListLength {
    const SPEC: Spec = Spec {
        name: "TensorListLength",
        inputs: &[arg("input_handle", is(DType::Variant))],
        outputs: &[arg("length", is(DType::I32))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListLength {
    const HOST_OUTPUTS: &'static [isize] = &[0];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let n = list(cx, 0)?.items.len();
        cx.set(0, Tensor::scalar(i32::try_from(n).unwrap_or(i32::MAX)));
        Ok(())
    }
}

impl Op for TensorListElementShape {
    const SPEC: Spec = Spec {
        name: "TensorListElementShape",
        inputs: &[arg("input_handle", is(DType::Variant))],
        outputs: &[arg("element_shape", of("shape_type"))],
        ..Spec::PURE
    };
}

impl<D: Mover> Kernel<D> for TensorListElementShape {
    const HOST_OUTPUTS: &'static [isize] = &[0];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        let dims = list(cx, 0)?.shape.dims().map(|dims| dims.iter().map(|d| d.map_or(-1, |d| d as i64)).collect());
        let dims: Option<Vec<i64>> = dims;
        let shape = match (dims, self.index) {
            (None, DType::I32) => Tensor::scalar(-1i32),
            (None, _) => Tensor::scalar(-1i64),
            (Some(dims), DType::I32) => Tensor::vector(dims.into_iter().map(|d| d as i32).collect()),
            (Some(dims), _) => Tensor::vector(dims),
        };
        cx.set(0, shape);
        Ok(())
    }
}

impl Op for TensorListResize {
    const SPEC: Spec = Spec {
        name: "TensorListResize",
        inputs: &[arg("input_handle", is(DType::Variant)), arg("size", is(DType::I32))],
        outputs: &[arg("output_handle", is(DType::Variant))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl<D: Mover> Kernel<D> for TensorListResize {
    const HOST_INPUTS: &'static [isize] = &[1];

    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
        list(cx, 0)?;
        let n = size(cx, 1, "size of a list")?;
        change_list(cx, |list| {
            list.items.resize(n, None);
            Ok(())
        })
    }
}
