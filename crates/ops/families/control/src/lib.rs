//! Control flow: ops that order, choose, repeat and call other ops.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{flow, prelude, rules};

family! {
    abort = ABORT;
    branch = CASE, IF, STATELESS_CASE, STATELESS_IF;
    pub call = FUNCTION_ARG, FUNCTION_RETVAL, PARTITIONED_CALL, REMOTE_CALL, STATEFUL_PARTITIONED_CALL,
        SYMBOLIC_GRADIENT;
    control_trigger = CONTROL_TRIGGER;
    device_index = DEVICE_INDEX;
    device_placement = DEVICE_PLACEMENT_OP;
    frames = ENTER, EXIT, LOOP_COND, MERGE, NEXT_ITERATION, SWITCH, SWITCH_N;
    no_op = NO_OP;
    repeat = FOR, STATELESS_WHILE, WHILE;
    transfer = RECV, SEND;
}
