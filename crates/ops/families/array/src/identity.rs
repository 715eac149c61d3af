//! `Identity` and the ops that are identities outside of gradients.

use crate::flow;
use crate::prelude::*;
use crate::rules::{never, pass};

attrs! {
    /// Returns its input.
    pub struct Identity {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Message of the error that asking for the gradient raises.
        message: Bytes = Attr::string("message").or_str(""),
    }
}

const INPUT: &[Arg] = &[arg("input", of("T"))];
const OUTPUT: &[Arg] = &[arg("output", of("T"))];
const MESSAGE: &[&str] = &["message"];

const fn identity(name: &'static str) -> Def<Identity> {
    op::<Identity>(name)
        .inputs(INPUT)
        .outputs(OUTPUT)
        .shape(same_as_input)
        .kernel(|_, cx| {
            let value = flow::pass(cx, 0, false)?;
            cx.set_entry(0, value);
            Ok(())
        })
        .strip(|op| (op.dtype == DType::F32).then_some(Strip::Basic(Basic::Identity)))
}

pub static IDENTITY: Def<Identity> =
    identity("Identity").without(MESSAGE).forwards().counts("T").gradient(|_, g| pass(g)).batch(elementwise);

pub static SNAPSHOT: Def<Identity> = identity("Snapshot")
    .doc("Returns a snapshot of its input, which later changes to the variable do not affect.")
    .without(MESSAGE)
    .gradient(|_, g| pass(g))
    .batch(elementwise);

pub static STOP_GRADIENT: Def<Identity> = identity("StopGradient")
    .doc("Returns its input and stops gradients from flowing through it.")
    .without(MESSAGE)
    .forwards()
    .gradient(|_, g| never(g))
    .batch(elementwise);

pub static PREVENT_GRADIENT: Def<Identity> = identity("PreventGradient")
    .doc("Returns its input; requesting a gradient through it is an error.")
    .forwards()
    .gradient(|op, g| {
        let why = String::from_utf8_lossy(&op.message);
        g.fail(Error::invalid(format!("Gradient explicitly disabled. Reason: {why}")));
        never(g)
    })
    .batch(elementwise);
