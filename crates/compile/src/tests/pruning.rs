//! What a run needs: the draft before any pass.

use super::Case;

#[test]
fn what_nothing_asks_for_is_left_out() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = Exp(x)
        unused = Neg(a)
        b = Abs(x)
        last = NoOp(^b)
        feed x
        fetch a
        target last
    ";
    Case::new(graph).check(
        &[],
        "
        b = Abs(x)
        last = NoOp(^b)
        a = Exp(x)
        feed x
        fetch a = a
        ",
    );
}

#[test]
fn what_lies_behind_a_feed_is_left_out() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = Exp(x)
        b = Neg(a)
        c = AddV2(a, b)
        feed a
        fetch c
    ";
    Case::new(graph).check(
        &[],
        "
        b = Neg(a)
        c = AddV2(a, b)
        feed a
        fetch c = c
        ",
    );
}

#[test]
fn a_fed_node_runs_for_its_control_successors() {
    let graph = "
        x = Placeholder[dtype=float32]
        y = Placeholder[dtype=float32]
        a = Exp(y)
        b = Neg(a, ^a, ^x)
        feed x
        feed y
        feed a
        fetch b
    ";
    Case::new(graph).check(
        &[],
        "
        a = Exp(y)
        b = Neg(a, ^a, ^x)
        feed x
        feed y
        feed a
        fetch b = b
        ",
    );
}

#[test]
fn one_output_of_a_node_may_be_fed_and_another_computed() {
    let graph = "
        x = Placeholder[dtype=float32]
        m = Unpack[num=2; axis=0](x)
        sum = AddV2(m, m:1)
        feed x
        feed m:1
        fetch sum
    ";
    Case::new(graph).check(
        &[],
        "
        m = Unpack(x)
        sum = AddV2(m, m:1)
        feed x
        feed m:1
        fetch sum = sum
        ",
    );
}
