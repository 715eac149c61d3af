//! Ops that order others.

family! {
    abort: Abort;
    branch: Case, If, StatelessCase, StatelessIf;
    pub(crate) call: FunctionArg, FunctionRetval, PartitionedCall, RemoteCall, StatefulPartitionedCall, SymbolicGradient;
    control_trigger: ControlTrigger;
    device_index: DeviceIndex;
    device_placement: DevicePlacementOp;
    pub(crate) frames: Enter, Exit, LoopCond, Merge, NextIteration, RefEnter, RefExit, RefMerge, RefNextIteration, RefSwitch, Switch, SwitchN;
    no_op: NoOp;
    repeat: For, StatelessWhile, While;
    transfer: HostRecv, HostSend, Recv, Send;
}

pub(crate) use branch::declared;
