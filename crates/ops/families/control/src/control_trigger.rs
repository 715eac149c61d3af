//! `ControlTrigger`: runs even where what it waits for is dead.

use crate::prelude::*;

attrs! {
    /// Does nothing, once its control inputs have run or turned out dead.
    pub struct ControlTrigger {}
}

pub static CONTROL_TRIGGER: Def<ControlTrigger> = op("ControlTrigger").role(Role::ControlTrigger).kernel(|_, _| Ok(()));
