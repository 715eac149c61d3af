//! `ZerosLike` and `OnesLike`: tensors of the same shape.

use crate::moves::Cell;
use crate::prelude::*;

attrs! {
    /// Zeros in the shape of `x`; for variants what their kind takes for zero.
    pub struct ZerosLike {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

attrs! {
    /// Ones in the shape of `x`.
    pub struct OnesLike {
        /// Element type.
        dtype: DType = Attr::dtype("T", ONES),
    }
}

const ONES: &[DType] = {
    use DType::*;
    &[BF16, F16, F32, F64, I8, U8, I16, U16, I32, U32, I64, U64, C64, C128, Bool]
};

impl Op for ZerosLike {
    const SPEC: Spec =
        Spec { name: "ZerosLike", inputs: &[arg("x", of("T"))], outputs: &[arg("y", of("T"))], ..Spec::PURE };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.same_as_input(0);
        Ok(())
    }
}

impl Kernel<Cpu> for ZerosLike {
    const COST: Cost = Cost::Heavy;

    fn piecewise(&self) -> Piecewise {
        if self.dtype.is_plain() { Piecewise::Broadcast } else { Piecewise::No }
    }

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let shape = cx.input(0)?.shape().clone();
        let out = if self.dtype == DType::Variant {
            crate::variant_tensors::zeros_like(cx.input(0)?)?
        } else {
            match cx.forward(0, self.dtype, &shape) {
                Some(mut out) => {
                    cells!(self.dtype, |T| T::cells_mut(&mut out)?.fill(T::default()));
                    out
                }
                None => cx.zeros(self.dtype, &shape)?,
            }
        };
        cx.set(0, out);
        Ok(())
    }
}

impl Op for OnesLike {
    const SPEC: Spec =
        Spec { name: "OnesLike", inputs: &[arg("x", of("T"))], outputs: &[arg("y", of("T"))], ..Spec::PURE };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.same_as_input(0);
        Ok(())
    }
}

impl Kernel<Cpu> for OnesLike {
    const COST: Cost = Cost::Heavy;

    fn piecewise(&self) -> Piecewise {
        Piecewise::Broadcast
    }

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let shape = cx.input(0)?.shape().clone();
        let (mut out, _) = cx.forward_or_alloc(0, self.dtype, &shape)?;
        if self.dtype == DType::Bool {
            out.slice_mut::<bool>()?.fill(true);
        } else {
            dispatch!(self.dtype, numbers, |T| out.slice_mut::<T>()?.fill(T::one()),
                else return Err(Error::unimplemented(format!("OnesLike of {}", self.dtype))));
        }
        cx.set(0, out);
        Ok(())
    }
}
