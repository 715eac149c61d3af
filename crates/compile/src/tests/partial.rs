//! `partial`.

use super::Case;

#[test]
fn feeds_and_fetches_of_a_partial_run_are_nodes() {
    let graph = "
        x = Placeholder[dtype=float32]
        y = Placeholder[dtype=float32]
        a = Neg(x, ^y)
        b = Neg(y)
        feed x
        feed y
        fetch a
        fetch b
        fetch y
    ";
    Case::new(graph).check(
        &["frames", "partial"],
        "
        b = Neg(y)
        a = Neg(x, ^y)
        feed x
        feed y
        fetch a = a
        fetch b = b
        fetch y = y
        ",
    );
    Case::new(graph).partial().check(
        &["frames", "partial"],
        "
        b = Neg(y)
        a = Neg(x, ^y)
        x = Feed
        y = Feed
        a = Fetch(a)
        b = Fetch(b)
        y = Fetch(y)
        ",
    );
}

#[test]
fn nodes_in_a_loop_do_not_wait_for_a_feed() {
    let graph = "
        x = Placeholder[dtype=float32]
        y = Placeholder[dtype=float32]
        enter = Enter[frame_name=while](x)
        in = Neg(enter, ^y)
        exit = Exit(in)
        feed x
        feed y
        fetch exit
    ";
    Case::new(graph).partial().check(
        &["frames", "partial"],
        "
        enter = Enter(x)
        in = Neg(enter) in while
        exit = Exit(in) in while
        x = Feed
        y = Feed
        exit = Fetch(exit)
        ",
    );
}
