//! `fold`, `merge` and `references`: graphs without control flow.

use super::Case;
use crate::CompileOptions;

const FOLD: &str = "
    a = Const[dtype=float32; value=2]
    b = Const[dtype=float32; value=3]
    sum = AddV2(a, b)
    x = Placeholder[dtype=float32]
    y = Mul(x, sum)
    after = Neg(x, ^sum)
    feed x
    fetch y
    fetch after
";

#[test]
fn what_depends_on_constants_only_is_known() {
    Case::new(FOLD).check(
        &["fold"],
        "
        b = Const = float32[] 3.0
        a = Const = float32[] 2.0
        sum = AddV2(a, b) = float32[] 5.0
        y = Mul(x, sum)
        after = Neg(x)
        feed x
        fetch y = y
        fetch after = after
        ",
    );
}

#[test]
fn what_takes_much_memory_stays_a_node() {
    let graph = |limit: &str| {
        format!(
            "
            start = Const[dtype=int32; value=0]
            limit = Const[dtype=int32; value={limit}]
            delta = Const[dtype=int32; value=1]
            y = Range(start, limit, delta)
            fetch y
            "
        )
    };
    let is_known = |limit: &str| {
        let after = Case::new(&graph(limit)).after(&["fold"]).unwrap();
        after.lines().any(|line| line.trim().starts_with("y = Range(start, limit, delta) = int32["))
    };
    assert!(is_known("1000"));
    assert!(!is_known("3000000"));
    // This many elements are not even tried.
    assert!(!is_known("2147483647"));
}

#[test]
fn without_the_option_only_constants_are_known() {
    let options = CompileOptions { fold_constants: false, ..CompileOptions::default() };
    Case::new(FOLD).options(options).check(
        &["fold"],
        "
        b = Const = float32[] 3.0
        a = Const = float32[] 2.0
        sum = AddV2(a, b)
        y = Mul(x, sum)
        after = Neg(x, ^sum)
        feed x
        fetch y = y
        fetch after = after
        ",
    );
}

#[test]
fn targets_and_fed_nodes_are_not_folded() {
    let graph = "
        a = Const[dtype=float32; value=2]
        b = Neg(a)
        c = Neg(b)
        d = Neg(b, ^a)
        feed b
        fetch c
        fetch d
        target a
    ";
    Case::new(graph).check(
        &["fold"],
        "
        c = Neg(b)
        a = Const
        d = Neg(b, ^a)
        feed b
        fetch c = c
        fetch d = d
        ",
    );
}

#[test]
fn a_node_that_fails_is_not_folded() {
    let graph = "
        a = Const[dtype=int32; value=1]
        zero = Const[dtype=int32; value=0]
        b = FloorDiv(a, zero)
        fetch b
    ";
    Case::new(graph).check(
        &["fold"],
        "
        zero = Const = int32[] 0
        a = Const = int32[] 1
        b = FloorDiv(a, zero)
        fetch b = b
        ",
    );
}

const MERGE: &str = "
    x = Placeholder[dtype=float32]
    a = Const[dtype=float32; value=2]
    b = Const[dtype=float32; value=2]
    c = Const[dtype=float32; value=3]
    p = Mul(x, a)
    q = Mul(x, b)
    r = Mul(x, c)
    all = AddN(p, q, r)
    after = Neg(x, ^q)
    feed x
    fetch all
    fetch after
";

#[test]
fn nodes_that_compute_the_same_become_one() {
    Case::new(MERGE).check(
        &["merge"],
        "
        c = Const
        r = Mul(x, c)
        b = Const
        q = Mul(x, b)
        after = Neg(x, ^q)
        all = AddN(q, q, r)
        feed x
        fetch all = all
        fetch after = after
        ",
    );
}

#[test]
fn targets_stateful_nodes_and_nodes_with_controls_stay() {
    let graph = "
        x = Placeholder[dtype=float32]
        shape = Const[dtype=int32; value=[2]]
        p = RandomUniform[dtype=float32](shape)
        q = RandomUniform[dtype=float32](shape)
        a = Neg(x)
        b = Neg(x, ^p)
        c = Neg(x)
        d = Neg(x)
        feed x
        fetch q
        fetch a
        fetch b
        fetch d
        target c
    ";
    Case::new(graph).check(
        &["merge"],
        "
        d = Neg(x)
        c = Neg(x)
        shape = Const
        p = RandomUniform(shape)
        b = Neg(x, ^p)
        q = RandomUniform(shape)
        feed x
        fetch q = q
        fetch a = d
        fetch b = b
        fetch d = d
        ",
    );
}

#[test]
fn a_reference_that_is_passed_on_is_read_by_the_one_that_looks_at_it() {
    let graph = "
        v = VariableV2[dtype=float32; shape=[2]]
        i = Identity(v)
        n = Neg(i)
        two = Const[dtype=float32; value=[2, 2]]
        set = Assign(v, two)
        after = Neg(v, ^set)
        fed = Identity(v)
        of_fed = Neg(fed)
        feed fed
        fetch n
        fetch after
        fetch of_fed
    ";
    Case::new(graph).check(
        &["references"],
        "
        of_fed = Neg(fed)
        two = Const
        v = VariableV2
        i = Identity(v)
        n = Neg(i) reads 0
        set = Assign(v, two)
        after = Neg(v, ^set) reads 0
        feed fed
        fetch n = n
        fetch after = after
        fetch of_fed = of_fed
        ",
    );
}

#[test]
fn nodes_that_only_order_others_are_bypassed() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = Neg(x)
        b = Exp(x)
        start = NoOp
        both = NoOp(^a, ^b, ^start)
        y = Log(x, ^both)
        z = Sin(x, ^start)
        feed x
        fetch y
        fetch z
    ";
    Case::new(graph).check(
        &["no_ops"],
        "
        z = Sin(x)
        b = Exp(x)
        a = Neg(x)
        y = Log(x, ^b, ^a)
        feed x
        fetch y = y
        fetch z = z
        ",
    );
}

#[test]
fn nodes_that_save_edges_and_targets_are_kept() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = Neg(x)
        b = Exp(x)
        c = Cos(x)
        all = NoOp(^a, ^b, ^c)
        d = Log(x, ^all)
        e = Sin(x, ^all)
        end = NoOp(^d, ^e)
        feed x
        target end
        fetch d
        fetch e
    ";
    Case::new(graph).check(
        &["no_ops"],
        "
        c = Cos(x)
        b = Exp(x)
        a = Neg(x)
        all = NoOp(^c, ^b, ^a)
        d = Log(x, ^all)
        e = Sin(x, ^all)
        end = NoOp(^d, ^e)
        feed x
        fetch d = d
        fetch e = e
        ",
    );
}

/// The draft after `joins` for two values that `tuple` joins; `t` and `u` forward the first and the second.
fn joined(before: &str, after: &str) -> String {
    let graph = format!(
        "
        x = Placeholder[dtype=float32]
        v = VarHandleOp[dtype=float32; shape=[]]
        r = ReadVariableOp[dtype=float32](v)
        {before}
        group = NoOp(^a, ^b)
        t = Identity(a, ^group)
        {after}
        feed x
        "
    );
    Case::new(&graph).after(&["fold", "frames", "references", "joins"]).unwrap()
}

#[test]
fn a_value_is_passed_on_before_those_it_is_joined_with() {
    let both = joined("a = Mul(x, r)\nb = Neg(r)", "u = Identity(b, ^group)\nfetch t\nfetch u");
    assert!(both.contains("t = Identity(a)") && both.contains("u = Identity(b)") && !both.contains("group"), "{both}");
}

#[test]
fn what_is_only_waited_for_does_not_run() {
    let unused = joined("a = Mul(x, r)\nc = Exp(r)\nb = Neg(c)", "fetch t");
    assert!(unused.contains("t = Identity(a)"), "{unused}");
    assert!(!["b =", "c =", "group"].iter().any(|gone| unused.contains(gone)), "{unused}");
    let target = joined("a = Mul(x, r)\nb = Neg(r)", "fetch t\ntarget b");
    assert!(target.contains("t = Identity(a)") && target.contains("b = Neg(r)"), "{target}");
}

#[test]
fn a_value_waits_for_reads_of_variables_that_it_does_not_depend_on() {
    let write = "w = AssignVariableOp[dtype=float32](v, t)\nfetch u\ntarget w";
    let other = joined("a = Exp(x)\nb = Neg(r)", &format!("u = Identity(b, ^group)\n{write}"));
    assert!(other.contains("t = Identity(a, ^group)"), "{other}");
    // Nothing that the first value depends on can change the variable that the second reads.
    assert!(other.contains("u = Identity(b)"), "{other}");
    // A reference is read when the reading node runs.
    let reference = |b: &str| {
        let graph = format!(
            "
            x = Placeholder[dtype=float32]
            v = VariableV2[dtype=float32; shape=[]]
            r = Identity(v)
            a = Exp(x)
            b = {b}
            group = NoOp(^a, ^b)
            t = Identity(a, ^group)
            u = Identity(b, ^group)
            w = Assign(v, t)
            feed x
            fetch u
            target w
            "
        );
        Case::new(&graph).after(&["fold", "frames", "references", "joins"]).unwrap()
    };
    assert!(reference("Neg(r)").contains("t = Identity(a, ^group)"), "{}", reference("Neg(r)"));
    assert!(reference("Neg(x)").contains("t = Identity(a)\n"), "{}", reference("Neg(x)"));
}
