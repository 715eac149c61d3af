//! `transposes`.

use super::Case;

const PASSES: &[&str] = &["fold", "frames", "references", "transposes"];

#[test]
fn a_transpose_that_undoes_another_is_bypassed() {
    let graph = "
        x = Placeholder[dtype=float32]
        first = Const[dtype=int32; value=[0, 3, 1, 2]]
        last = Const[dtype=int32; value=[0, 2, -1, 1]]
        a = Tanh(x)
        b = Transpose(a, first)
        c = Transpose(b, last)
        d = Neg(c)
        e = Transpose(d, first)
        f = Transpose(e, last)
        g = Exp(f)
        h = Neg(e)
        feed x
        fetch g
        fetch h
    ";
    Case::new(graph).check(
        PASSES,
        "
        a = Tanh(x)
        last = Const = int32[4] [0, 2, -1, 1]
        first = Const = int32[4] [0, 3, 1, 2]
        d = Neg(a)
        e = Transpose(d, first)
        g = Exp(d)
        h = Neg(e)
        feed x
        fetch g = g
        fetch h = h
        ",
    );
}

/// What is fetched or fed stays, as do transposes in another order or that wait for something.
#[test]
fn others_stay() {
    let graph = "
        x = Placeholder[dtype=float32]
        order = Const[dtype=int32; value=[1, 2, 0]]
        a = Transpose(x, order)
        b = Transpose(a, order)
        back = Const[dtype=int32; value=[2, 0, 1]]
        c = Transpose(b, back)
        d = Neg(c)
        e = Transpose(a, back, ^d)
        f = Neg(e)
        g = Transpose(f, back)
        h = Transpose(g, order)
        i = Neg(h)
        feed x
        feed g
        fetch d
        fetch f
        fetch h
        fetch i
    ";
    Case::new(graph).check(
        PASSES,
        "
        back = Const = int32[3] [2, 0, 1]
        order = Const = int32[3] [1, 2, 0]
        a = Transpose(x, order)
        d = Neg(a)
        e = Transpose(a, back, ^d)
        f = Neg(e)
        h = Transpose(g, order)
        i = Neg(h)
        feed x
        feed g
        fetch d = d
        fetch f = f
        fetch h = h
        fetch i = i
        ",
    );
}
