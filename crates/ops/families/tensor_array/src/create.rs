//! `TensorArrayV3` and its older forms: new arrays.

use super::array::{Make, TensorArray};
use super::handle::{ARRAYS, Form, array_ops, set_array, unique_name};
use crate::moves::Mover;
use crate::prelude::*;
use std::sync::Arc;

macro_rules! creates {
    ($($name:ident, $form:ident, [$($flow:expr)?];)*) => {$(
        attrs! {
            /// A new array of tensors.
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("dtype", sets::ANY),
                /// Shape of the elements, as far as it is known.
                element_shape: PartialShape = Attr::shape("element_shape").or_unknown_shape(),
                /// True where writing past the end makes it grow.
                dynamic_size: bool = Attr::bool("dynamic_size").or_bool(false),
                /// True where an element can be read once only.
                clear_after_read: bool = Attr::bool("clear_after_read").or_bool(true),
                /// True where all elements have the shape of the first.
                identical_element_shapes: bool = Attr::bool("identical_element_shapes").or_bool(false),
                /// Name for messages; empty for the node's.
                tensor_array_name: String = Attr::string("tensor_array_name").or_str(""),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: if matches!(Form::$form, Form::Reference) { "TensorArray" } else { stringify!($name) },
                inputs: &[arg("size", is(DType::I32))],
                outputs: &[array_ops!(@handle $form, "handle"), $($flow)?],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.with_rank(0, 0)?;
                cx.output(0, if Form::$form == Form::Resource { PartialShape::scalar() } else { PartialShape::vector(Some(2)) });
                cx.output_scalar(1);
                Ok(())
            }
        }

        impl<D: Mover> Kernel<D> for $name {
            const HOST_INPUTS: &'static [isize] = &[0];

            fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
                let size = cx.input(0)?;
                if !size.shape().is_scalar() {
                    return Err(Error::invalid(format!("TensorArray size must be scalar, but had shape: {}", size.shape())));
                }
                let size = size.item::<i32>()?;
                let size = usize::try_from(size).map_err(|_| Error::invalid(format!("Size should be >= 0, not {size}.")))?;
                let make = Make {
                    name: unique_name(cx, &self.tensor_array_name)?,
                    dtype: self.dtype,
                    size,
                    shape: self.element_shape.clone(),
                    dynamic: self.dynamic_size,
                    clear_after_read: self.clear_after_read,
                    identical_shapes: self.identical_element_shapes,
                };
                let array = TensorArray::new(D::arena(cx), make)?;
                set_array(cx, ARRAYS, Arc::new(array), Form::$form);
                let flow = D::zeros(cx, DType::F32, &Shape::scalar())?;
                cx.set(1, flow);
                Ok(())
            }
        }
    )*};
}

creates! {
    TensorArrayV1, Reference, [];
    TensorArrayV2, Strings, [];
    TensorArrayV3, Resource, [arg("flow", is(DType::F32))];
}
