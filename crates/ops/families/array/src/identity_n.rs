//! `IdentityN`: passes a list of tensors through.

use crate::prelude::*;
use crate::rules::NONE;

attrs! {
    /// Returns its inputs.
    pub struct IdentityN {
        /// Element types.
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1),
    }
}

pub static IDENTITY_N: Def<IdentityN> = op::<IdentityN>("IdentityN")
    .inputs(&[arg("input", each("T"))])
    .outputs(&[arg("output", each("T"))])
    .forwards_all()
    .shape(|_, cx| {
        for i in 0..cx.num_outputs() {
            let shape = cx.input(i);
            cx.output(i, shape);
        }
        Ok(())
    })
    .gradient(|_, g| (0..g.num_inputs()).map(|i| g.known_dy(i).map_or(NONE, Option::from)).collect())
    .kernel(|_, cx| {
        for i in 0..cx.num_inputs() {
            let tensor = cx.take(i)?;
            cx.set(i, tensor);
        }
        Ok(())
    })
    .batch(|_, b| {
        let all = b.again(&b.inputs());
        Some((0..b.num_inputs()).map(|i| Lanes { at: all.out(i).at, varies: b.varies(i) }).collect())
    });
