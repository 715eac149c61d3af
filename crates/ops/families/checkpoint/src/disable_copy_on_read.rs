//! `DisableCopyOnRead`: says that reads of a variable may share its elements, which they always do here.

use crate::prelude::*;
use crate::variable::Target;

attrs! {
    /// Lets reads of a variable share its elements. They always do; it fails where there is no such variable.
    pub struct DisableCopyOnRead {}
}

pub static DISABLE_COPY_ON_READ: Def<DisableCopyOnRead> = op("DisableCopyOnRead")
    .inputs(&[arg("resource", is(DType::Resource))])
    .stateful()
    .shape(|_, cx| cx.with_rank(0, 0).map(drop))
    .kernel(|_, cx| Target::of(cx, 0).map(drop));

