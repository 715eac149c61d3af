//! `Where`: the places of what is not zero.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// The indices of the elements that are true or not zero, one row each, in row-major order.
    pub struct Where {
        /// Element type.
        dtype: DType = Attr::dtype("T", DTYPES).or_type(DType::Bool),
    }
}

const DTYPES: &[DType] = {
    use DType::*;
    &[F32, F64, I32, U8, I16, I8, C64, I64, QI8, QU8, QI32, BF16, QI16, QU16, U16, C128, F16, U32, U64, Bool]
};

pub static WHERE: Def<Where> = op("Where")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("index", is(DType::I64))])
    .shape(|_, cx| {
        cx.output(0, PartialShape::new([None, cx.input(0).rank()]));
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(where_op)
    .heavy();

fn where_op(op: &Where, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let rank = input.shape().rank();
    if rank == 0 {
        return Err(Error::invalid("WhereOp : Unhandled input dimensions: 0"));
    }
    let found: Vec<usize> = dispatch!(op.dtype, plain, |T| {
        let zero = T::default();
        input.slice::<T>()?.iter().enumerate().filter(|(_, v)| **v != zero).map(|(i, _)| i).collect()
    }, else return Err(Error::unimplemented(format!("Where of {}", op.dtype))));
    let (dims, strides) = (input.shape().clone(), input.shape().strides());
    cx.produce::<i64>(0, &Shape::new([found.len(), rank])?, |_, out| {
        match rank {
            1 => out.iter_mut().zip(&found).for_each(|(o, &i)| *o = i as i64),
            _ => {
                for (row, &at) in out.chunks_exact_mut(rank).zip(&found) {
                    for (o, (d, s)) in row.iter_mut().zip(dims.iter().zip(&strides)) {
                        *o = (at / s % d) as i64;
                    }
                }
            }
        }
        Ok(())
    })
}
