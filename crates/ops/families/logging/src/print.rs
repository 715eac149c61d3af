//! `Print`: writes tensors to the log and passes its input through.

use crate::prelude::*;
use crate::rules::pass;
use crate::text::summarize;
use std::sync::atomic::{AtomicI64, Ordering};

attrs! {
    /// Writes `data` to the log and returns `input`.
    pub struct Print {
        /// Dtype of `input`.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Dtypes of `data`.
        dtypes: Vec<DType> = Attr::dtypes("U", sets::ANY).at_least(0),
        /// Prefix of the line.
        message: Bytes = Attr::string("message").or_str(""),
        /// Number of times to write; negative for no limit.
        first_n: i64 = Attr::int("first_n").or_int(-1),
        /// Number of elements of each tensor to write; negative for all.
        summarize: i64 = Attr::int("summarize").or_int(3),
    }
}

pub static PRINT: Def<Print> = op::<Print>("Print")
    .inputs(&[arg("input", of("T")), arg("data", each("U"))])
    .outputs(&[arg("output", of("T"))])
    .stateful()
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| pass(g))
    .kernel(print)
    .batch(|_, b| Some(vec![Lanes { at: b.again(&b.inputs()).at, varies: b.varies(0) }]));

fn print(op: &Print, cx: &mut Cx<'_, '_>) -> Result<()> {
    // Number of writes by this node; a standalone counter, so no ordering with other memory is needed.
    let written = cx.node_state(|| AtomicI64::new(0))?;
    let counted = op.first_n >= 0;
    let silent = counted
        && written.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < op.first_n).then_some(n + 1)).is_err();
    if !silent {
        let mut line = op.message.to_vec();
        for tensor in cx.inputs_from(1)? {
            line.push(b'[');
            line.extend_from_slice(&summarize::flat(tensor, op.summarize)?);
            line.push(b']');
        }
        (cx.env().log)(&String::from_utf8_lossy(&line));
    }
    let tensor = cx.take(0)?;
    cx.set(0, tensor);
    Ok(())
}
