//! `Bucketize`: the bucket that each value falls into.

use crate::prelude::*;
use crate::rules::never;
use std::cmp::Ordering;

const DTYPES: &[DType] = &[DType::I32, DType::I64, DType::F32, DType::F64];

attrs! {
    /// Returns for each element the index of its bucket: the number of `boundaries` that are less than or equal to it.
    pub struct Bucketize {
        /// Element type.
        dtype: DType = Attr::dtype("T", DTYPES),
        /// The boundaries, in ascending order.
        boundaries: Vec<f32> = Attr::floats("boundaries"),
    }
}

pub static BUCKETIZE: Def<Bucketize> = op::<Bucketize>("Bucketize")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", is(DType::I32))])
    .shape(same_as_input)
    .gradient(|_, g| never(g))
    .kernel(bucketize)
    .heavy()
    .batch(elementwise);

fn bucketize(op: &Bucketize, cx: &mut Cx<'_, '_>) -> Result<()> {
    if !op.boundaries.is_sorted() {
        return Err(Error::invalid("Expected sorted boundaries").attr("boundaries"));
    }
    let shape = cx.input(0)?.shape().clone();
    macro_rules! count {
        ($ty:ty, |$v:ident| $wide:expr, $compared:ty) => {{
            let input = cx.slice::<$ty>(0)?.to_vec();
            cx.produce::<i32>(0, &shape, |cx, out| {
                cx.pool().for_chunks(out, 1, 10.0, |first, piece| {
                    for (o, &$v) in piece.iter_mut().zip(&input[first..]) {
                        let value = $wide;
                        // NaN is beyond all boundaries.
                        let past = |b: &f32| value.partial_cmp(&(*b as $compared)) != Some(Ordering::Less);
                        *o = op.boundaries.partition_point(past) as i32;
                    }
                });
                Ok(())
            })
        }};
    }
    // C++ compares with a float, so integers are rounded to float.
    match op.dtype {
        DType::I32 => count!(i32, |v| v as f32, f32),
        DType::I64 => count!(i64, |v| v as f32, f32),
        DType::F64 => count!(f64, |v| v, f64),
        _ => count!(f32, |v| v, f32),
    }
}
