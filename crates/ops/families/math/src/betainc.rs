//! `Betainc`: the regularized incomplete beta function.

use super::exponential::EXP;
use super::gamma::LGAMMA;
use super::log_product::{XLOG1PY, XLOGY};
use super::special::beta;
use crate::prelude::*;
use crate::rules::{NONE, reduce_to};

attrs! {
    /// The regularized incomplete beta function `I_x(a, b)`. Inputs have the same shape or are scalars.
    pub struct Betainc {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F32, DType::F64]),
    }
}

pub static BETAINC: Def<Betainc> = op::<Betainc>("Betainc")
    .inputs(&[arg("a", of("T")), arg("b", of("T")), arg("x", of("T"))])
    .outputs(&[arg("z", of("T"))])
    .shape(shape)
    .gradient(|_, g| {
        let (a, b, x) = (g.input(0), g.input(1), g.input(2));
        // In logarithms, since the factors can be large.
        let beta = LGAMMA.call([a]) + LGAMMA.call([b]) - LGAMMA.call([a + b]);
        let slope = EXP.call([XLOG1PY.call([b - 1.0, -x]) + XLOGY.call([a - 1.0, x]) - beta]);
        vec![NONE, NONE, reduce_to(slope * g.dy(0), x).into()]
    })
    .kernel(betainc_op)
    .heavy()
    .batch(|op, b| {
        let same = b.rank(0)? == b.rank(1)? && b.rank(0)? == b.rank(2)?;
        if same { leading(op, b) } else { None }
    });

fn shape(_: &Betainc, cx: &mut ShapeCx<'_>) -> Result<()> {
    let inputs = [cx.input(0), cx.input(1), cx.input(2)];
    if inputs.iter().any(|s| s.rank().is_none()) {
        return Ok(());
    }
    let arrays = inputs.iter().filter(|s| s.rank() != Some(0));
    let shape = arrays.into_iter().try_fold(None::<PartialShape>, |all, s| {
        Ok::<_, Error>(Some(match all {
            Some(all) => all.merge(s)?,
            None => s.clone(),
        }))
    })?;
    cx.output(0, shape.unwrap_or_else(PartialShape::scalar));
    Ok(())
}

fn betainc_op(op: &Betainc, cx: &mut Cx<'_, '_>) -> Result<()> {
    let mut shape = Shape::scalar();
    for i in 0..3 {
        let input = cx.input(i)?.shape();
        if shape.is_scalar() {
            shape = input.clone();
        } else if !input.is_scalar() && *input != shape {
            return Err(Error::invalid(format!("Shapes of a, b and x are inconsistent: {shape} vs. {input}")));
        }
    }
    match op.dtype {
        DType::F32 => betainc::<f32>(&shape, beta::incomplete_single, cx),
        _ => betainc::<f64>(&shape, beta::incomplete, cx),
    }
}

fn betainc<T: Real>(shape: &Shape, function: fn(T, T, T) -> T, cx: &mut Cx<'_, '_>) -> Result<()> {
    cx.produce::<T>(0, shape, |cx, out| {
        let (a, b, x) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?, cx.slice::<T>(2)?);
        let at = |items: &[T], i: usize| if items.len() == 1 { items[0] } else { items[i] };
        cx.pool().for_chunks(out, 1, 200.0, |first, out| {
            for (i, out) in (first..).zip(out) {
                *out = function(at(a, i), at(b, i), at(x, i));
            }
        });
        Ok(())
    })
}
