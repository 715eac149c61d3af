//! `scalars`.

use super::Case;

const PASSES: &[&str] = &["fold", "frames", "references", "fuse", "transfer", "scalars"];

#[test]
fn scalars_that_become_ready_together_are_one_node() {
    let graph = "
        x = Placeholder[dtype=float32; shape=[3]]
        n = Const[dtype=int32; value=0]
        two = Const[dtype=float32; value=2]
        u = Unpack[num=3](x)
        a = AddV2(u, u:1)
        b = Mul(a, u:2)
        c = Sub(a, two)
        d = Identity(c)
        y = Pack[N=3](a, b, d)
        feed x
        fetch y
    ";
    Case::new(graph).check(
        PASSES,
        "
        u = Unpack(x)
        two = Const = float32[] 2.0
        a..y (4 nodes) = _Region{a b c d y}(u, u:1, u:2)
        feed x
        fetch y = a..y (4 nodes)
        ",
    );
}

#[test]
fn a_scalar_does_not_wait_for_what_only_another_needs() {
    let graph = "
        x = Placeholder[dtype=float32; shape=[]]
        v = Placeholder[dtype=float32; shape=[2]]
        u = Unpack[num=2](v)
        a = Neg(x)
        b = AddV2(a, x)
        c = Exp(u)
        d = AddV2(c, a)
        e = AddV2(u:1, d)
        f = Pack[N=2](b, e)
        g = Pack[N=2](a, d)
        feed x
        feed v
        fetch f
        fetch g
    ";
    Case::new(graph).check(
        PASSES,
        "
        a..b (2 nodes) = _Region{a b}(x)
        u = Unpack(v)
        c..e (3 nodes) = _Region{c d e}(a..b (2 nodes), u, u:1)
        f = Pack(a..b (2 nodes):1, c..e (3 nodes))
        g = Pack(a..b (2 nodes), c..e (3 nodes):1)
        feed x
        feed v
        fetch f = f
        fetch g = g
        ",
    );
}

#[test]
fn shapes_decide_what_is_a_scalar() {
    let graph = "
        x = Placeholder[dtype=float32; shape=[2]]
        s = Placeholder[dtype=float32; shape=[]]
        w = Placeholder[dtype=float32]
        a = Neg(x)
        b = AddV2(a, s)
        u = Unpack[num=2](b)
        c = AddV2(u, s)
        d = Mul(c, u:1)
        e = Neg(w)
        f = Neg(w)
        feed x
        feed s
        feed w
        fetch b
        fetch c
        fetch d
        fetch e
        fetch f
    ";
    Case::new(graph).check(
        PASSES,
        "
        f = Neg(w)
        e = Neg(w)
        b = AddV2{a b}(s, x)
        u = Unpack(b)
        c..d (2 nodes) = _Region{c d}(u, s, u:1)
        feed x
        feed s
        feed w
        fetch b = b
        fetch c = c..d (2 nodes)
        fetch d = c..d (2 nodes):1
        fetch e = e
        fetch f = f
        ",
    );
}

#[test]
fn branches_stay_apart_and_so_do_targets_and_other_dtypes() {
    let graph = "
        x = Placeholder[dtype=float32; shape=[]]
        h = Placeholder[dtype=half; shape=[]]
        p = Placeholder[dtype=bool; shape=[]]
        s = Switch(x, p)
        a = Neg(s:1)
        b = Neg(a)
        c = Exp(s:1)
        d = Neg(s)
        e = Exp(s)
        i = Neg(x)
        j = Exp(x)
        k = Neg(h)
        l = Exp(h)
        m = Merge(d, b)
        n = Merge(e, c)
        o = Neg(x, ^j)
        feed x
        feed h
        feed p
        fetch m
        fetch n
        fetch i
        fetch o
        fetch k
        fetch l
        fetch a
        target j
    ";
    Case::new(graph).check(
        PASSES,
        "
        l = Exp(h)
        k = Neg(h)
        j = Exp(x)
        o = Neg(x, ^j)
        i = Neg(x)
        s = Switch(x, p)
        a..c (3 nodes) = _Region{a b c}(s:1)
        m = Merge(d..e (2 nodes), a..c (3 nodes))
        d..e (2 nodes) = _Region{d e}(s)
        n = Merge(d..e (2 nodes):1, a..c (3 nodes):1)
        feed x
        feed h
        feed p
        fetch m = m
        fetch n = n
        fetch i = i
        fetch o = o
        fetch k = k
        fetch l = l
        fetch a = a..c (3 nodes):2
        ",
    );
}

#[test]
fn a_node_that_stacks_more_than_scalars_of_one_region_is_no_part_of_it() {
    let graph = "
        x = Placeholder[dtype=float32; shape=[]]
        v = Placeholder[dtype=float32; shape=[2]]
        u = Unpack[num=2](v)
        a = Neg(x)
        b = AddV2(a, x)
        one = Const[dtype=float32; value=1]
        c = Pack[N=3](b, one, a)
        d = Pack[N=2](b, u)
        e = Pack[N=2; axis=-1](a, b, ^c)
        feed x
        feed v
        fetch c
        fetch d
        fetch e
    ";
    Case::new(graph).check(
        PASSES,
        "
        one = Const = float32[] 1.0
        a..c (3 nodes) = _Region{a b c}(x)
        e = Pack(a..c (3 nodes), a..c (3 nodes):1, ^a..c (3 nodes))
        u = Unpack(v)
        d = Pack(a..c (3 nodes):1, u)
        feed x
        feed v
        fetch c = a..c (3 nodes):2
        fetch d = d
        fetch e = e
        ",
    );
}

#[test]
fn a_region_spans_devices_of_one_memory() {
    let graph = "
        x = Placeholder[dtype=float32; shape=[]]
        a = Neg(x)
        b = Exp(a) on 1
        c = Tanh(b)
        d = AddV2(a, c) on 1
        feed x
        fetch d
    ";
    Case::new(graph).with_cpu().check(
        &["frames", "references", "transfer", "hops", "scalars"],
        "
        a..d (4 nodes) = _Region{a b c d}(x)
        feed x
        fetch d = a..d (4 nodes)
        ",
    );
}
