//! Ops that order others.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{flow, prelude};

family! {
    abort: Abort;
    branch: Case, If, StatelessCase, StatelessIf;
    pub call: FunctionArg, FunctionRetval, PartitionedCall, RemoteCall, StatefulPartitionedCall, SymbolicGradient;
    control_trigger: ControlTrigger;
    device_index: DeviceIndex;
    device_placement: DevicePlacementOp;
    frames: Enter, Exit, LoopCond, Merge, NextIteration, RefEnter, RefExit, RefMerge, RefNextIteration, RefSwitch, Switch, SwitchN;
    no_op: NoOp;
    repeat: For, StatelessWhile, While;
    transfer: HostRecv, HostSend, Recv, Send;
}
