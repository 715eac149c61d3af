//! `ControlTrigger`: runs even if its control inputs are dead.

use crate::prelude::*;

attrs! {
    /// Does nothing; runs once all its control inputs have run or are known to be dead.
    pub struct ControlTrigger {}
}

pub static CONTROL_TRIGGER: Def<ControlTrigger> = op("ControlTrigger").role(Role::ControlTrigger).kernel(|_, _| Ok(()));
