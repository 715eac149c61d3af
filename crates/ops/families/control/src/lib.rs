//! Ops that order others.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{flow, prelude};

family! {
    abort = ABORT;
    branch: Case, If, StatelessCase, StatelessIf;
    pub call: PartitionedCall, StatefulPartitionedCall = FUNCTION_ARG, FUNCTION_RETVAL, REMOTE_CALL, SYMBOLIC_GRADIENT;
    control_trigger: ControlTrigger;
    device_index = DEVICE_INDEX;
    device_placement = DEVICE_PLACEMENT_OP;
    frames: Enter, Exit, LoopCond, Merge, NextIteration, RefEnter, RefExit, RefMerge, RefNextIteration, RefSwitch, Switch = SWITCH_N;
    no_op: NoOp;
    repeat: StatelessWhile, While = FOR;
    transfer: HostRecv, HostSend, Recv, Send;
}
