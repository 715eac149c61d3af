//! `_EagerConst`: a constant in a traced function.

use crate::flow::pass;
use crate::prelude::*;
use crate::rules;

attrs! {
    /// Returns its input, which was a constant when its function was traced.
    pub struct EagerConst {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static EAGER_CONST: Def<EagerConst> = op("_EagerConst")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .forwards()
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| rules::pass(g))
    .kernel(|_, cx| {
        let value = pass(cx, 0, false)?;
        cx.set_entry(0, value);
        Ok(())
    });
