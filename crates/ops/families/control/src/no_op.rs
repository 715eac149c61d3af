//! `NoOp`: does nothing but order other nodes.

use crate::prelude::*;

attrs! {
    /// Does nothing; its control edges order other nodes.
    pub struct NoOp {}
}

pub static NO_OP: Def<NoOp> = op("NoOp").kernel(|_, _| Ok(()));
