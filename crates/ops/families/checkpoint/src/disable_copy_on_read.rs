//! `DisableCopyOnRead`: lets reads of a variable share its elements, which is always the case here.

use crate::prelude::*;
use crate::variable::{Target, handle_input};

attrs! {
    /// Lets reads of a variable share its elements, which they always do here; fails if the variable does not exist.
    pub struct DisableCopyOnRead {}
}

pub static DISABLE_COPY_ON_READ: Def<DisableCopyOnRead> = op("DisableCopyOnRead")
    .inputs(&[arg("resource", is(DType::Resource))])
    .stateful()
    .shape(|_, cx| cx.with_rank(0, 0).map(drop))
    .kernel(|_, cx| match Target::of(cx, 0).and_then(|variable| variable.read()) {
        Err(error) if error.code() == Code::NotFound => {
            let name = &handle_input(cx, 0)?.name;
            Err(Error::failed_precondition(format!("Could not find variable {name}, or it has no value."))
                .help("run the variable's initializer first, for instance with --init"))
        }
        found => found.map(drop),
    });
