//! `Assert`: fails the step if a condition is false.

use crate::prelude::*;
use crate::rules::never;
use crate::text::summarize;

attrs! {
    /// Fails with `data` in the message if `condition` is false.
    pub struct Assert {
        /// Dtypes of `data`.
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1),
        /// Number of elements of each tensor in the message; negative for all.
        summarize: i64 = Attr::int("summarize").or_int(3),
    }
}

pub static ASSERT: Def<Assert> = op::<Assert>("Assert")
    .inputs(&[arg("condition", is(DType::Bool)), arg("data", each("T"))])
    .stateful()
    .shape(|_, cx| cx.with_rank(0, 0).map(drop))
    .gradient(|_, g| never(g))
    .kernel(assert)
    .batch(|_, b| {
        let mut inputs = b.inputs();
        if b.varies(0) {
            inputs[0] = b.g().op("All", &[inputs[0], b.g().ints(&[0])]);
        }
        b.again(&inputs);
        Some(Vec::new())
    });

fn assert(op: &Assert, cx: &mut Cx<'_, '_>) -> Result<()> {
    let condition = cx.input(0)?;
    if !condition.shape().is_scalar() {
        return Err(Error::invalid(format!("In[0] should be a scalar: {}", condition.shape())));
    }
    if condition.item::<bool>()? {
        return Ok(());
    }
    let data = cx.inputs_from(1)?;
    let shown: Result<Vec<String>> =
        data.iter().map(|t| Ok(format!("[{}]", String::from_utf8_lossy(&summarize::flat(t, op.summarize)?)))).collect();
    Err(Error::invalid(format!("assertion failed: {}", shown?.join(" "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_false_condition_fails_with_the_data() {
        let op = || ASSERT.of(Assert { dtypes: vec![DType::Str, DType::I32], summarize: 3 });
        let run = |condition: Tensor| {
            let data = [Tensor::string("x was"), Tensor::vector(vec![1, 2, 3, 4])];
            crate::testing::run(op(), std::iter::once(condition).chain(data).collect(), &[])
        };
        assert!(run(Tensor::scalar(true)).is_ok());
        let error = run(Tensor::scalar(false)).unwrap_err();
        assert_eq!((error.code(), error.message()), (Code::InvalidArgument, "assertion failed: [x was] [1 2 3...]"));
        assert_eq!(run(Tensor::vector(vec![true])).unwrap_err().code(), Code::InvalidArgument);
    }
}
