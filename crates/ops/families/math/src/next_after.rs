//! `NextAfter`: neighbouring floats.

use crate::elementwise::binary;
use crate::prelude::*;

attrs! {
    /// The next float after `x1` on the way to `x2`.
    pub struct NextAfter {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F32, DType::F64]).or_type(DType::F32),
    }
}

pub static NEXT_AFTER: Def<NextAfter> = op("NextAfter")
    .inputs(&[arg("x1", of("T")), arg("x2", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| cx.broadcast())
    .kernel(|op: &NextAfter, cx| binary::floats(op, op.dtype, cx))
    .piecewise(|_| Piecewise::Broadcast);

map2! {
    NextAfter: [f32, f64] @ 1.0 |x, y| {
        if x == y {
            y
        } else if x < y {
            x.next_up()
        } else if x > y {
            x.next_down()
        } else {
            x + y
        }
    };
}

