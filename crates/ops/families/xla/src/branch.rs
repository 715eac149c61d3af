//! `XlaIf` and `XlaWhile`: branches and loops, as in graphs exported from JAX.

use crate::calls::{Calls, perform};
use crate::prelude::*;
use levada_ops_control::types::take_inputs;

attrs! {
    /// Calls one of two functions, depending on a condition.
    pub struct XlaIf {
        /// Type of the condition.
        cond: DType = Attr::dtype("Tcond", sets::ANY),
        /// Function for a true condition.
        then_branch: Func = Attr::func("then_branch"),
        /// Function for a false condition.
        else_branch: Func = Attr::func("else_branch"),
        /// Types of the arguments.
        inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY),
        /// Types of the results.
        outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY),
    }
}

pub static XLA_IF: Def<XlaIf> = op::<XlaIf>("XlaIf")
    .inputs(&[arg("cond", of("Tcond")), arg("inputs", each("Tin"))])
    .outputs(&[arg("output", each("Tout"))])
    .stateful()
    .role(Role::Call)
    .kernel(|op, cx| {
        let branch = if is_true(cx.input(0)?)? { &op.then_branch } else { &op.else_branch };
        let calls = Calls::of(cx, branch)?;
        let args = take_inputs(cx, 1)?;
        perform(cx, async move { calls.call(args).await });
        Ok(())
    })
    .heavy();

attrs! {
    /// Calls `body` repeatedly, as long as `cond` returns true.
    pub struct XlaWhile {
        /// Types of the loop variables.
        variables: Vec<DType> = Attr::dtypes("T", sets::ANY),
        /// Function that returns whether to continue.
        cond: Func = Attr::func("cond"),
        /// Function that computes the next values of the variables.
        body: Func = Attr::func("body"),
    }
}

pub static XLA_WHILE: Def<XlaWhile> = op::<XlaWhile>("XlaWhile")
    .inputs(&[arg("input", each("T"))])
    .outputs(&[arg("output", each("T"))])
    .stateful()
    .role(Role::Call)
    .kernel(|op, cx| {
        let (cond, body) = (Calls::of(cx, &op.cond)?, Calls::of(cx, &op.body)?);
        let mut variables = take_inputs(cx, 0)?;
        perform(cx, async move {
            loop {
                let [decision] = &cond.call(variables.clone()).await?[..] else {
                    return Err(Error::invalid("the condition of a loop must return one scalar"));
                };
                if !is_true(decision)? {
                    return Ok(variables);
                }
                variables = body.call(variables).await?;
            }
        });
        Ok(())
    })
    .heavy();

/// Returns the truth value of a condition: a scalar that is true or nonzero.
fn is_true(tensor: &Tensor) -> Result<bool> {
    if !tensor.shape().is_scalar() {
        return Err(Error::invalid("a condition must be a scalar").found(format!("shape {}", tensor.shape())));
    }
    match tensor.dtype() {
        DType::Bool => tensor.item::<bool>(),
        dtype if dtype.is_integer() => Ok(tensor.to_i64s()? != [0]),
        dtype => Err(Error::invalid("a condition must be a bool or an integer").found(dtype)),
    }
}
