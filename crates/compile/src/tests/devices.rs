//! `transfer`, `hops` and `regions`.

use super::Case;

#[test]
fn one_pair_brings_a_value_to_all_consumers_on_a_device() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = Neg(x)
        b = Exp(a) on 1
        c = Tanh(a) on 1
        d = AddV2(b, c)
        e = Neg(x, ^b)
        feed x
        fetch d
        fetch e
        fetch b
    ";
    Case::new(graph).with_cpu().check(
        &["frames", "references", "transfer"],
        "
        a = Neg(x)
        b = Exp(a/_1) on 1
        e = Neg(x, ^b/_3)
        c = Tanh(a/_1) on 1
        d = AddV2(b/_5, c/_7)
        feed x
        fetch d = d
        fetch e = e
        fetch b = b
        a/_0 = _Send(a)
        a/_1 = _Recv(a/_0) on 1
        b/_2 = _Send(^b) on 1
        b/_3 = _Recv(b/_2)
        b/_4 = _Send(b) on 1
        b/_5 = _Recv(b/_4)
        c/_6 = _Send(c) on 1
        c/_7 = _Recv(c/_6)
        ",
    );
}

#[test]
fn one_device_needs_no_transfers() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = Neg(x)
        feed x
        fetch a
    ";
    Case::new(graph).check(
        &["frames", "references", "transfer"],
        "
        a = Neg(x)
        feed x
        fetch a = a
        ",
    );
}

#[test]
fn feeds_constants_and_fetches_cross_into_the_memory_of_a_device() {
    let graph = "
        x = Placeholder[dtype=float32]
        two = Const[dtype=float32; value=2] on 1
        a = Mul(x, two) on 1
        b = Mul(a, two) on 1
        feed x
        fetch b
        fetch x
    ";
    Case::new(graph).with_memory().check(
        &["fold", "frames", "references", "transfer"],
        "
        two = Const = float32[] 2.0 on 1
        a = Mul(x/_0, two) on 1
        b = Mul(a, two) on 1
        feed x
        fetch b = b/_2
        fetch x = x
        x/_0 = _Recv(x) on 1
        two = Const = float32[] <on /job:localhost/replica:0/task:0/device:GPU:0> on 1
        b/_1 = _Send(b) on 1
        b/_2 = _Recv(b/_1) on 1
        ",
    );
    Case::new(graph).with_memory().partial().check(
        &["fold", "frames", "references", "partial", "transfer"],
        "
        two = Const = float32[] 2.0 on 1
        a = Mul(x/_1, two) on 1
        b = Mul(a, two) on 1
        x = Feed
        b = Fetch(b/_3)
        x = Fetch(x)
        x/_0 = _Send(x) on 1
        x/_1 = _Recv(x/_0) on 1
        two = Const = float32[] <on /job:localhost/replica:0/task:0/device:GPU:0> on 1
        b/_2 = _Send(b) on 1
        b/_3 = _Recv(b/_2) on 1
        ",
    );
}

#[test]
fn a_loop_crosses_devices_in_its_frame() {
    let graph = "
        x = Placeholder[dtype=float32]
        enter = Enter[frame_name=while](x)
        in = Neg(enter) on 1
        exit = Exit(in)
        feed x
        fetch exit
    ";
    Case::new(graph).with_cpu().check(
        &["frames", "references", "transfer"],
        "
        enter = Enter(x)
        in = Neg(enter/_1) on 1 in while
        exit = Exit(in/_3) in while
        feed x
        fetch exit = exit
        enter/_0 = _Send(enter) in while
        enter/_1 = _Recv(enter/_0) on 1 in while into a frame
        in/_2 = _Send(in) on 1 in while
        in/_3 = _Recv(in/_2) in while
        ",
    );
}

#[test]
fn a_reference_is_read_where_it_leaves_its_device() {
    let graph = "
        v = VariableV2[dtype=float32; shape=[2]]
        n = Neg(v) on 1
        fetch n
    ";
    Case::new(graph).with_cpu().check(
        &["frames", "references", "transfer"],
        "
        v = VariableV2
        n = Neg(v/_1) on 1 reads 0
        fetch n = n
        v/_0 = _Send(v) reads 0
        v/_1 = _Recv(v/_0) on 1
        ",
    );
}

const REGIONS: &[&str] = &["fold", "frames", "references", "transfer", "regions"];

#[test]
fn nodes_of_a_device_that_joins_them_become_one() {
    let graph = "
        x = Placeholder[dtype=float32]
        two = Const[dtype=float32; value=2]
        a = Mul(x, two) on 1
        b = Exp(a) on 1
        c = AddV2(a, b) on 1
        feed x
        fetch c
        fetch a
    ";
    Case::new(graph).with_joining().check(
        REGIONS,
        "
        two = Const = float32[] 2.0
        a..c (3 nodes) = _Region{a b c}(x) on 1
        feed x
        fetch c = a..c (3 nodes):1
        fetch a = a..c (3 nodes)
        ",
    );
}

#[test]
fn no_path_leaves_a_region_and_comes_back() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = Neg(x) on 1
        b = Exp(a) on 1
        away = Neg(b)
        c = Neg(away) on 1
        d = AddV2(c, a) on 1
        e = Neg(d) on 1
        feed x
        fetch e
    ";
    Case::new(graph).with_joining().check(
        REGIONS,
        "
        a..b (2 nodes) = _Region{a b}(x) on 1
        away = Neg(b/_1)
        c..e (3 nodes) = _Region{c d e}(away/_3, a..b (2 nodes)) on 1
        feed x
        fetch e = c..e (3 nodes)
        b/_0 = _Send(a..b (2 nodes):1) on 1
        b/_1 = _Recv(b/_0)
        away/_2 = _Send(away)
        away/_3 = _Recv(away/_2) on 1
        ",
    );
}

#[test]
fn a_variable_changes_after_the_last_use_of_what_was_read() {
    let graph = "
        v = VarHandleOp[dtype=float32; shape=[]] on 1
        x = Placeholder[dtype=float32]
        read = ReadVariableOp[dtype=float32](v) on 1
        set = AssignVariableOp(v, x, ^read) on 1
        use = Neg(read) on 1
        more = Neg(use) on 1
        feed x
        fetch more
        target set
    ";
    Case::new(graph).with_joining().check(
        REGIONS,
        "
        v = VarHandleOp on 1
        read..more (4 nodes) = _Region{read use set more}(v, x) on 1
        feed x
        fetch more = read..more (4 nodes)
        ",
    );
}

#[test]
fn nodes_behind_different_barriers_stay_apart() {
    let graph = "
        x = Placeholder[dtype=float32]
        shape = Const[dtype=int32; value=[2]]
        p = RandomUniform[dtype=float32](shape) on 1
        q = RandomUniform[dtype=float32](shape) on 1
        a = Neg(p) on 1
        b = Exp(a) on 1
        c = Neg(q) on 1
        d = Exp(c) on 1
        fetch b
        fetch d
    ";
    Case::new(graph).with_joining().check(
        REGIONS,
        "
        shape = Const = int32[1] [2]
        p = RandomUniform(shape) on 1
        a..b (2 nodes) = _Region{a b}(p) on 1
        q = RandomUniform(shape) on 1
        c..d (2 nodes) = _Region{c d}(q) on 1
        fetch b = a..b (2 nodes)
        fetch d = c..d (2 nodes)
        ",
    );
}

#[test]
fn each_branch_has_a_region() {
    let graph = "
        x = Placeholder[dtype=float32]
        p = Placeholder[dtype=bool]
        s = Switch(x, p) on 1
        a = Neg(s:1) on 1
        b = Neg(a) on 1
        c = Exp(s:0) on 1
        d = Exp(c) on 1
        m = Merge(d, b) on 1
        e = Neg(m) on 1
        f = Neg(e) on 1
        feed x
        feed p
        fetch f
    ";
    let text = Case::new(graph).with_joining().after(REGIONS).unwrap();
    for line in [
        "a..b (2 nodes) = _Region{a b}(s:1) on 1",
        "c..d (2 nodes) = _Region{c d}(s) on 1",
        "m = Merge(c..d (2 nodes), a..b (2 nodes)) on 1",
        "e..f (2 nodes) = _Region{e f}(m) on 1",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn what_runs_in_any_case_does_not_join_a_branch() {
    let graph = "
        x = Placeholder[dtype=float32]
        y = Placeholder[dtype=float32]
        p = Placeholder[dtype=bool]
        s = Switch(x, p) on 1
        a = Neg(y) on 1
        b = Exp(s:1) on 1
        c = AddV2(a, b) on 1
        d = Merge(c, s:0) on 1
        feed x
        feed y
        feed p
        fetch d
    ";
    let text = Case::new(graph).with_joining().after(REGIONS).unwrap();
    assert!(text.contains("a = Neg(y) on 1"), "{text}");
    assert!(text.contains("b..c (2 nodes) = _Region{b c}(s:1, a) on 1"), "{text}");
}

#[test]
fn the_body_of_a_loop_has_a_region() {
    let graph = "
        x = Placeholder[dtype=float32]
        w = Placeholder[dtype=float32]
        limit = Placeholder[dtype=float32]
        start = Enter[frame_name=f](x) on 1
        each = Enter[frame_name=f; is_constant=true](w) on 1
        most = Enter[frame_name=f; is_constant=true](limit)
        now = Merge(start, next) on 1
        less = Less(now, most)
        goes = LoopCond(less)
        s = Switch(now, goes) on 1
        a = Mul(s:1, each) on 1
        b = AddV2(a, each) on 1
        next = NextIteration(b) on 1
        out = Exit(s:0) on 1
        feed x
        feed w
        feed limit
        fetch out
    ";
    let text = Case::new(graph).with_joining().after(REGIONS).unwrap();
    assert!(text.contains("a..b (2 nodes) = _Region{a b}(s:1, each) on 1 in f"), "{text}");
}

#[test]
fn transfers_within_a_memory_are_bypassed() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = Neg(x)
        b = Exp(a) on 1
        c = Tanh(a) on 1
        d = AddV2(b, c)
        e = Neg(x, ^b)
        feed x
        fetch d
        fetch e
    ";
    Case::new(graph).with_cpu().check(
        &["frames", "references", "transfer", "hops"],
        "
        a = Neg(x)
        b = Exp(a) on 1
        e = Neg(x, ^b)
        c = Tanh(a) on 1
        d = AddV2(b, c)
        feed x
        fetch d = d
        fetch e = e
        ",
    );
}

#[test]
fn transfers_between_memories_stay() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = Neg(x)
        b = Exp(a) on 1
        feed x
        fetch b
    ";
    let case = Case::new(graph).with_memory();
    let passes = ["frames", "references", "transfer", "hops"];
    assert_eq!(case.after(&passes).unwrap(), case.after(&passes[..3]).unwrap());
}
