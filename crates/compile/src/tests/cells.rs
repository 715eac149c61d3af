//! `cells`.

use super::Case;

const PASSES: &[&str] = &["fold", "frames", "references", "cells", "fuse"];

#[test]
fn gates_read_pieces_where_they_lie_and_have_several_outputs() {
    let graph = "
        x = Placeholder[dtype=float32]
        c = Placeholder[dtype=float32]
        axis = Const[dtype=int32; value=1]
        split = Split[num_split=2](axis, x)
        gate = Sigmoid(split)
        new = Tanh(split:1)
        kept = Mul(gate, c)
        sum = AddV2(kept, new)
        out = Neg(sum)
        r = Rank(gate)
        feed x
        feed c
        fetch out
        fetch sum
        fetch r
    ";
    Case::new(graph).check(
        PASSES,
        "
        axis = Const = int32[] 1
        out = Neg{split gate kept new sum out}(x, c)
        r = Rank(out)
        feed x
        feed c
        fetch out = out:2
        fetch sum = out:1
        fetch r = r
        ",
    );
}

#[test]
fn gradients_of_gates_are_written_where_they_are_concatenated() {
    let graph = "
        a = Placeholder[dtype=float32]
        b = Placeholder[dtype=float32]
        axis = Const[dtype=int32; value=-1]
        da = SigmoidGrad(a, b)
        db = TanhGrad(b, a)
        joined = ConcatV2[N=2](da, db, axis)
        r = Rank(joined)
        feed a
        feed b
        fetch joined
        fetch r
    ";
    Case::new(graph).check(
        PASSES,
        "
        axis = Const = int32[] -1
        joined = ConcatV2{db da joined}(b, a, axis)
        r = Rank(joined)
        feed a
        feed b
        fetch joined = joined
        fetch r = r
        ",
    );
}

#[test]
fn a_path_out_of_a_cell_does_not_lead_back() {
    // A gated unit: `next` depends on `reset` through a product, so that they are not one node.
    let graph = "
        x = Placeholder[dtype=float32]
        h = Placeholder[dtype=float32]
        w = Placeholder[dtype=float32]
        axis = Const[dtype=int32; value=1]
        split = Split[num_split=2](axis, x)
        reset = Mul(split, h)
        product = MatMul(reset, w)
        new = Tanh(product)
        some = Mul(split:1, h)
        more = Sub(new, split:1)
        next = AddV2(some, more)
        feed x
        feed h
        feed w
        fetch next
    ";
    Case::new(graph).check(
        PASSES,
        "
        axis = Const = int32[] 1
        reset = Mul{split reset}(x, h)
        product = MatMul(reset, w)
        next = AddV2{new more some next}(x, product, h)
        feed x
        feed h
        feed w
        fetch next = next
        ",
    );
}

#[test]
fn nothing_waits_for_more_than_before_if_nodes_wait_for_each_other() {
    // The queue gets an element only once `gate` is known.
    let graph = r#"
        x = Placeholder[dtype=float32]
        axis = Const[dtype=int32; value=0]
        split = Split[num_split=2](axis, x)
        gate = Sigmoid(split)
        queue = FIFOQueueV2[component_types=["float32"]; capacity=1]
        put = QueueEnqueueV2[Tcomponents=["float32"]](queue, gate)
        got = QueueDequeueV2[component_types=["float32"]](queue)
        sum = AddV2(gate, got)
        other = Mul(sum, split:1)
        feed x
        fetch other
        target put
    "#;
    Case::new(graph).check(
        PASSES,
        "
        queue = FIFOQueueV2
        got = QueueDequeueV2(queue)
        axis = Const = int32[] 0
        split = Split(axis, x)
        gate = Sigmoid(split)
        put = QueueEnqueueV2(queue, gate)
        other = Mul{sum other}(split:1, gate, got)
        feed x
        fetch other = other
        ",
    );
}

#[test]
fn what_depends_on_elements_of_a_queue_as_a_whole_is_a_cell() {
    let graph = r#"
        axis = Const[dtype=int32; value=0]
        queue = FIFOQueueV2[component_types=["float32"]; capacity=1]
        got = QueueDequeueV2[component_types=["float32"]](queue)
        split = Split[num_split=2](axis, got)
        gate = Sigmoid(split)
        out = Mul(gate, split:1)
        fetch out
        fetch gate
    "#;
    Case::new(graph).check(
        PASSES,
        "
        queue = FIFOQueueV2
        got = QueueDequeueV2(queue)
        axis = Const = int32[] 0
        out = Mul{split gate out}(got)
        fetch out = out:1
        fetch gate = out
        ",
    );
}

#[test]
fn reductions_are_left_to_larger_groups() {
    let graph = "
        x = Placeholder[dtype=float32]
        axis = Const[dtype=int32; value=1]
        axes = Const[dtype=int32; value=[-1]]
        split = Split[num_split=2](axis, x)
        mean = Mean[keep_dims=true](split, axes)
        centered = Sub(split, mean)
        scaled = Mul(centered, split:1)
        feed x
        fetch scaled
    ";
    Case::new(graph).check(
        PASSES,
        "
        axes = Const = int32[1] [-1]
        axis = Const = int32[] 1
        split = Split(axis, x)
        scaled = Mul{mean centered scaled}(split:1, split, axes)
        feed x
        fetch scaled = scaled
        ",
    );
}

#[test]
fn a_path_out_of_a_cell_does_not_lead_back_through_a_loop() {
    // What leaves the loop entered it as `gate`, two iterations before.
    let graph = "
        x = Placeholder[dtype=float32]
        c = Placeholder[dtype=float32]
        axis = Const[dtype=int32; value=1]
        split = Split[num_split=2](axis, x)
        gate = Sigmoid(split)
        new = Tanh(split:1)
        zero = Const[dtype=int32; value=0]
        end = Const[dtype=int32; value=5]
        one = Const[dtype=int32; value=1]
        i_enter = Enter[frame_name=while](zero)
        gate_enter = Enter[frame_name=while](gate)
        c_enter = Enter[frame_name=while](c)
        end_enter = Enter[frame_name=while; is_constant=true](end)
        one_enter = Enter[frame_name=while; is_constant=true](one)
        i = Merge(i_enter, i_next)
        gate_merge = Merge(gate_enter, gate_next)
        c_merge = Merge(c_enter, c_next)
        less = Less(i, end_enter)
        cond = LoopCond(less)
        i_switch = Switch(i, cond)
        gate_switch = Switch(gate_merge, cond)
        c_switch = Switch(c_merge, cond)
        step = AddV2(i_switch:1, one_enter)
        i_next = NextIteration(step)
        gate_next = NextIteration(gate_switch:1)
        c_next = NextIteration(gate_switch:1)
        exit = Exit(c_switch)
        out = AddV2(new, exit)
        feed x
        feed c
        fetch out
    ";
    Case::new(graph).check(
        PASSES,
        "
        c_enter = Enter(c)
        c_merge = Merge(c_enter, c_next) in while
        one = Const = int32[] 1
        one_enter = Enter(one)
        end = Const = int32[] 5
        end_enter = Enter(end)
        zero = Const = int32[] 0
        i_enter = Enter(zero)
        i = Merge(i_enter, i_next) in while
        less = Less(i, end_enter) in while
        cond = LoopCond(less) in while
        i_switch = Switch(i, cond) in while
        step = AddV2(i_switch:1, one_enter) in while
        i_next = NextIteration(step) in while
        c_switch = Switch(c_merge, cond) in while
        exit = Exit(c_switch) in while
        axis = Const = int32[] 1
        split = Split(axis, x)
        gate = Sigmoid(split)
        gate_enter = Enter(gate)
        gate_merge = Merge(gate_enter, gate_next) in while
        gate_switch = Switch(gate_merge, cond) in while
        gate_next = NextIteration(gate_switch:1) in while
        c_next = NextIteration(gate_switch:1) in while
        out = AddV2{new out}(x, exit)
        feed x
        feed c
        fetch out = out
        ",
    );
}

#[test]
fn nodes_that_get_other_numbers_wait_for_the_same_nodes_as_before() {
    let graph = "
        x = Placeholder[dtype=float32]
        y = Placeholder[dtype=float32]
        axis = Const[dtype=int32; value=1]
        split = Split[num_split=2](axis, x)
        gate = Sigmoid(split)
        rank = Rank(gate)
        later = Rank(y, ^rank)
        new = Tanh(split:1)
        feed x
        feed y
        fetch later
        fetch gate
        fetch new
    ";
    Case::new(graph).check(
        PASSES,
        "
        axis = Const = int32[] 1
        new = Tanh{split gate new}(x)
        rank = Rank(new)
        later = Rank(y, ^rank)
        feed x
        feed y
        fetch later = later
        fetch gate = new
        fetch new = new:1
        ",
    );
}
