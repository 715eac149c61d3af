//! `ToBool`: converts a tensor to a boolean.

use crate::prelude::*;

attrs! {
    /// Returns whether a scalar is neither zero nor empty, or whether another tensor has elements.
    pub struct ToBool {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static TO_BOOL: Def<ToBool> = op("ToBool")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", is(DType::Bool))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(to_bool);

fn to_bool(op: &ToBool, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let holds = match (input.shape().is_scalar(), op.dtype) {
        (false, _) => input.num_elements() > 0,
        (true, DType::Bool) => input.item::<bool>()?,
        (true, DType::Str) => !input.item::<Bytes>()?.is_empty(),
        (true, dtype) => dispatch!(@go dtype, T, input.item::<T>()? != T::zero(),
            return Err(Error::invalid(format!("{dtype} cannot be converted to a boolean"))),
            [F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8]),
    };
    cx.set(0, Tensor::scalar(holds));
    Ok(())
}
