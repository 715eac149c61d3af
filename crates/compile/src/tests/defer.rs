//! `defer`.

use super::Case;

const PASSES: &[&str] = &["fold", "frames", "references", "joins", "loops", "finish", "fuse", "defer"];

/// A loop that adds a product to a sum in every iteration. `more`: further nodes.
fn graph(sum: &str, more: &str) -> String {
    format!(
        "
        x = Placeholder[dtype=float32]
        w = Placeholder[dtype=float32]
        zero = Const[dtype=int32; value=0]
        end = Const[dtype=int32; value=5]
        one = Const[dtype=int32; value=1]
        i_enter = Enter[frame_name=while](zero)
        x_enter = Enter[frame_name=while](x)
        w_enter = Enter[frame_name=while](w)
        end_enter = Enter[frame_name=while; is_constant=true](end)
        one_enter = Enter[frame_name=while; is_constant=true](one)
        i = Merge(i_enter, i_next)
        w_merge = Merge(w_enter, w_next)
        x_merge = Merge(x_enter, x_next)
        less = Less(i, end_enter)
        cond = LoopCond(less)
        i_switch = Switch(i, cond)
        w_switch = Switch(w_merge, cond)
        x_switch = Switch(x_merge, cond)
        step = AddV2(i_switch:1, one_enter)
        i_next = NextIteration(step)
        product = MatMul[transpose_a=true](x_switch:1, x_switch:1)
        sum = {sum}
        x_next = NextIteration(x_switch:1)
        w_next = NextIteration(sum)
        exit = Exit(w_switch)
        {more}
        feed x
        feed w
        fetch exit
        "
    )
}

/// Compares what follows the loop's condition.
#[track_caller]
fn check(graph: &str, after: &str) {
    let before = "
        w_enter = Enter(w)
        w_merge = Merge(w_enter, w_next) in while
        x_enter = Enter(x)
        x_merge = Merge(x_enter, x_next) in while
        one = Const = int32[] 1
        one_enter = Enter(one)
        end = Const = int32[] 5
        end_enter = Enter(end)
        zero = Const = int32[] 0
        i_enter = Enter(zero)
        i = Merge(i_enter, i_next) in while
        less = Less(i, end_enter) in while
        i_switch = Switch(i, less) in while
        step = AddV2(i_switch:1, one_enter) in while
        i_next = NextIteration(step) in while
        w_switch = Switch(w_merge, less) in while
        exit = Exit(w_switch) in while";
    Case::new(graph).check(PASSES, &format!("{before}{after}"));
}

#[test]
fn a_sum_that_a_loop_carries_is_settled_after_it() {
    check(
        &graph("AddV2(w_switch:1, product)", ""),
        "
        x_switch = Switch(x_merge, less) in while
        sum = AddV2{product sum}(x_switch:1, x_switch:1, w_switch:1) in while
        w_next = NextIteration(sum) in while
        x_next = NextIteration(x_switch:1) in while
        feed x
        feed w
        fetch exit = sum/settle
        sum/settle = Settle(exit)",
    );
    check(
        &graph("AddN[N=2](product, w_switch:1)", "r = Neg(exit)\nt = Add(exit, r)\nfetch t"),
        "
        t = Add{r t}(sum/settle)
        x_switch = Switch(x_merge, less) in while
        sum = AddN{product sum}(x_switch:1, x_switch:1, w_switch:1) in while
        w_next = NextIteration(sum) in while
        x_next = NextIteration(x_switch:1) in while
        feed x
        feed w
        fetch t = t
        fetch exit = sum/settle
        sum/settle = Settle(exit)",
    );
}

#[test]
fn a_sum_that_is_seen_within_the_loop_is_not() {
    check(
        &graph("AddV2(w_switch:1, product)", "p = Shape(w_switch:1)\nq = Exit(p)\nfetch q"),
        "
        p = Shape(w_switch:1) in while
        q = Exit(p) in while
        x_switch = Switch(x_merge, less) in while
        sum = AddV2{product sum}(x_switch:1, x_switch:1, w_switch:1) in while
        w_next = NextIteration(sum) in while
        x_next = NextIteration(x_switch:1) in while
        feed x
        feed w
        fetch q = q
        fetch exit = exit",
    );
    // A node that waits for it must not run before the sum is complete either.
    check(
        &graph("AddV2(w_switch:1, product)", "n = NoOp(^sum)\ntarget n"),
        "
        x_switch = Switch(x_merge, less) in while
        sum = AddV2{product sum}(x_switch:1, x_switch:1, w_switch:1) in while
        w_next = NextIteration(sum) in while
        n = NoOp(^sum) in while
        x_next = NextIteration(x_switch:1) in while
        feed x
        feed w
        fetch exit = exit",
    );
}
