//! `fuse`.

use super::Case;

#[test]
fn a_tree_of_elementwise_nodes_becomes_one() {
    let graph = "
        x = Placeholder[dtype=float32]
        half = Const[dtype=float32; value=0.5]
        a = Mul(x, half)
        b = Tanh(x)
        c = Sub(a, b)
        d = Mul(c, c)
        r = Rank(d)
        feed x
        fetch r
    ";
    Case::new(graph).check(
        &["fold", "frames", "references", "fuse"],
        "
        half = Const = float32[] 0.5
        d = Mul{b a c d}(x, half)
        r = Rank(d)
        feed x
        fetch r = r
        ",
    );
}

#[test]
fn what_is_seen_from_outside_ends_a_group() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = Neg(x)
        b = Neg(a)
        c = Neg(b)
        d = Neg(c)
        e = Neg(d)
        f = Neg(e)
        g = Neg(f)
        r = Rank(g, ^f)
        feed x
        feed d
        fetch b
        fetch c
        fetch r
        target e
    ";
    Case::new(graph).check(
        &["frames", "references", "fuse"],
        "
        e = Neg(d)
        f = Neg(e)
        g = Neg(f)
        r = Rank(g, ^f)
        b = Neg{a b}(x)
        c = Neg(b)
        feed x
        feed d
        fetch b = b
        fetch c = c
        fetch r = r
        ",
    );
}

#[test]
fn a_group_waits_for_what_its_nodes_waited_for() {
    let graph = "
        x = Placeholder[dtype=float32]
        first = NoOp
        second = NoOp
        a = Neg(x, ^second)
        b = Neg(a, ^first)
        c = Neg(b, ^second)
        feed x
        fetch c
    ";
    Case::new(graph).check(
        &["frames", "references", "fuse"],
        "
        second = NoOp
        first = NoOp
        c = Neg{a b c}(x, ^second, ^first)
        feed x
        fetch c = c
        ",
    );
}

#[test]
fn references_and_other_devices_are_borders() {
    let graph = "
        v = VariableV2[dtype=float32; shape=[2]]
        a = Neg(v)
        b = Neg(a)
        c = Neg(b) on 1
        d = Neg(c) on 1
        fetch d
    ";
    Case::new(graph).with_cpu().check(
        &["frames", "references", "fuse"],
        "
        v = VariableV2
        a = Neg(v) reads 0
        b = Neg(a)
        d = Neg{c d}(b) on 1
        fetch d = d
        ",
    );
}

#[test]
fn nodes_of_different_branches_stay_apart() {
    let graph = "
        x = Placeholder[dtype=float32]
        p = Placeholder[dtype=bool]
        s = Switch(x, p)
        a = Neg(s:1)
        b = Neg(a)
        m = Merge(s:0, b)
        outside = Exp(x)
        c = AddV2(outside, s:1)
        d = Merge(s:0, c)
        e = Neg(m)
        f = AddV2(e, d)
        feed x
        feed p
        fetch f
    ";
    Case::new(graph).check(
        &["frames", "references", "fuse"],
        "
        outside = Exp(x)
        s = Switch(x, p)
        b = Neg{a b}(s:1)
        m = Merge(s, b)
        c = AddV2(outside, s:1)
        d = Merge(s, c)
        f = AddV2{e f}(d, m)
        feed x
        feed p
        fetch f = f
        ",
    );
}

#[test]
fn reductions_of_rows_are_part_of_a_group() {
    let graph = "
        x = Placeholder[dtype=float32]
        g = Placeholder[dtype=float32]
        axes = Const[dtype=int32; value=[-1]]
        m = Mean[keep_dims=true](x, axes)
        s = StopGradient(m)
        q = SquaredDifference(x, s)
        v = Mean[keep_dims=true](q, axes)
        r = Rsqrt(v)
        d = Sub(x, m)
        n = Mul(d, r)
        y = Mul(n, g)
        z = Rank(y)
        feed x
        feed g
        fetch z
    ";
    Case::new(graph).check(
        &["fold", "frames", "references", "fuse"],
        "
        axes = Const = int32[1] [-1]
        y = Mul{m s q v r d n y}(g, x, axes)
        z = Rank(y)
        feed x
        feed g
        fetch z = z
        ",
    );
}

#[test]
fn other_reductions_are_borders() {
    let graph = "
        x = Placeholder[dtype=float32]
        inner = Const[dtype=int32; value=[1]]
        outer = Const[dtype=int32; value=[0]]
        a = Square(x)
        b = Sum(a, inner)
        c = Sum(x, inner)
        d = Sub(x, c)
        e = Square(d)
        f = Sum[keep_dims=true](e, outer)
        h = Square(f)
        i = Identity(h)
        feed x
        fetch b
        fetch i
    ";
    Case::new(graph).check(
        &["fold", "frames", "references", "fuse"],
        "
        outer = Const = int32[1] [0]
        inner = Const = int32[1] [1]
        b = Sum{a b}(inner, x)
        c = Sum(x, inner)
        e = Square{d e}(x, c)
        f = Sum(e, outer)
        h = Square(f)
        i = Identity(h)
        feed x
        fetch b = b
        fetch i = i
        ",
    );
}
