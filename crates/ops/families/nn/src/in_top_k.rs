//! `InTopK` and `InTopKV2`: whether targets are among the top k predictions.

use crate::prelude::*;
use crate::rules::never;
use DType::*;
use levada_kernel::Io;
use levada_ops_core::vectorized;

attrs! {
    /// Returns for each row whether its target is among the `k` largest predictions.
    pub struct InTopK {
        /// Number of top predictions considered.
        k: i64 = Attr::int("k"),
        /// Element type of `targets`, and of `k` if that is an input.
        index: DType = Attr::dtype("T", sets::INDEX).or_type(I32),
    }
}

pub static IN_TOP_K: Def<InTopK> = op::<InTopK>("InTopK")
    .inputs(&[arg("predictions", is(F32)), arg("targets", of("T"))])
    .outputs(&[arg("precision", is(Bool))])
    .also(&[form("InTopKV2")
        .inputs(&[arg("predictions", is(F32)), arg("targets", of("T")), arg("k", of("T"))])
        .fixed(&[("k", AttrDefault::Int(0))])])
    .shape(|_, cx| {
        if cx.num_inputs() > 2 {
            cx.with_rank(2, 0)?;
        }
        let predictions = cx.with_rank(0, 2)?;
        let rows = PartialShape::vector(predictions.dim(0)).merge(&cx.with_rank(1, 1)?)?;
        cx.output(0, rows);
        Ok(())
    })
    .host_inputs(&[2])
    .gradient(|_, g| never(g))
    .kernel(in_top_k)
    .batch(|_, b| {
        if b.rank(0)? != 2 || b.rank(1)? != 1 || b.shape(0).dim(0)? != b.shape(1).dim(0)? {
            None
        } else {
            levada_ops_core::batch::fold_rows(b, &[0, 1])
        }
    });

impl InTopK {
    /// The value of `k`, from the attr or input 2.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the input is not a scalar.
    pub fn count(&self, io: &Io<'_>) -> Result<i64> {
        if io.num_inputs() < 3 {
            return Ok(self.k);
        }
        let k = io.input(2)?;
        if !k.shape().is_scalar() {
            return Err(Error::invalid(format!("k must be 0-D, got shape {}", k.shape())));
        }
        Ok(k.to_i64s()?[0])
    }
}

fn in_top_k(op: &InTopK, cx: &mut Cx<'_, '_>) -> Result<()> {
    let k = op.count(cx)?;
    let (predictions, targets) = (cx.input(0)?.shape(), cx.input(1)?.shape());
    let &[rows, classes] = predictions.dims() else {
        return Err(Error::invalid("predictions must be 2-dimensional").found(format!("shape {predictions}")));
    };
    let &[n] = targets.dims() else {
        return Err(Error::invalid("targets must be 1-dimensional").found(format!("shape {targets}")));
    };
    if n != rows {
        return Err(Error::invalid(format!("First dimension of predictions {rows} must match length of targets {n}")));
    }
    let targets = cx.i64s(1)?;
    cx.produce::<bool>(0, &Shape::vector(rows), |cx, out| {
        let predictions = cx.slice::<f32>(0)?;
        cx.pool().for_chunks(out, 1, classes as f64 * 0.2 + 5.0, |first, out| {
            for (row, o) in (first..).zip(out) {
                *o = is_among(&predictions[row * classes..(row + 1) * classes], targets[row], k);
            }
        });
        Ok(())
    })
}

/// False if the target is out of range, or if any prediction of the row is not finite.
fn is_among(row: &[f32], target: i64, k: i64) -> bool {
    let Some(&prediction) = usize::try_from(target).ok().and_then(|t| row.get(t)) else { return false };
    let (greater, infinite) = vectorized!({
        let (mut greater, mut infinite) = (0u32, 0u32);
        for &p in row {
            greater += u32::from(p > prediction);
            infinite += u32::from(!p.is_finite());
        }
        (greater, infinite)
    });
    infinite == 0 && i64::from(greater) < k
}
