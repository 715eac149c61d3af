//! `CountUpTo` and `ResourceCountUpTo`: counters with a limit.

use crate::prelude::*;
use crate::variable::Target;

attrs! {
    /// Increments a variable and returns its previous value; fails with `OUT_OF_RANGE` once the variable has reached
    /// the limit.
    pub struct CountUpTo {
        /// Limit of the counter.
        limit: i64 = Attr::int("limit"),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::INDEX),
    }
}

pub static COUNT_UP_TO: Def<CountUpTo> = op("CountUpTo")
    .inputs(&[arg("ref", of("T")).by_ref()])
    .outputs(&[arg("output", of("T"))])
    .also(&[form("ResourceCountUpTo").inputs(&[arg("resource", is(DType::Resource))])])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(count);

fn count(op: &CountUpTo, cx: &mut Cx<'_, '_>) -> Result<()> {
    let &CountUpTo { limit, dtype } = op;
    let before = Target::of(cx, 0)?.update(|value| {
        if !value.shape().is_scalar() {
            return Err(Error::invalid(format!("input is not a scalar: {}", value.shape())));
        }
        if value.dtype() != dtype {
            return Err(Error::invalid(format!("expected a variable of type {dtype}, found {}", value.dtype())));
        }
        let before = value.clone();
        let over = || Error::out_of_range(format!("Reached limit of {limit}"));
        match dtype {
            DType::I32 => {
                let count = value.item::<i32>()?;
                *value =
                    Tensor::scalar(if i64::from(count) < limit { count.wrapping_add(1) } else { return Err(over()) });
            }
            _ => {
                let count = value.item::<i64>()?;
                *value = Tensor::scalar(if count < limit { count.wrapping_add(1) } else { return Err(over()) });
            }
        }
        Ok(before)
    })?;
    cx.set(0, before);
    Ok(())
}
