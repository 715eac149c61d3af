//! `tiles`.

use super::Case;

const PASSES: &[&str] = &["fold", "frames", "references", "tiles"];

#[test]
fn attention_is_one_node_with_its_transposes() {
    let graph = "
        q = Placeholder[dtype=float32]
        k = Placeholder[dtype=float32]
        v = Placeholder[dtype=float32]
        mask = Placeholder[dtype=float32]
        perm = Const[dtype=int32; value=[0, 2, 1, 3]]
        half = Const[dtype=float32; value=0.5]
        heads = Transpose(q, perm)
        scores = BatchMatMulV2[adj_y=true](heads, k)
        scaled = Mul(scores, half)
        masked = AddV2(mask, scaled)
        weights = Softmax(masked)
        sums = BatchMatMulV2(weights, v)
        out = Transpose(sums, perm)
        after = Tanh(out)
        feed q
        feed k
        feed v
        feed mask
        fetch after
    ";
    Case::new(graph).check(
        PASSES,
        "
        half = Const = float32[] 0.5
        perm = Const = int32[4] [0, 2, 1, 3]
        out = Transpose{heads scores scaled masked weights sums out}(q, perm, k, half, mask, v, perm)
        after = Tanh(out)
        feed q
        feed k
        feed v
        feed mask
        fetch after = after
        ",
    );
}

#[test]
fn products_may_be_sums_over_labels() {
    let graph = "
        q = Placeholder[dtype=float32]
        k = Placeholder[dtype=float32]
        v = Placeholder[dtype=float32]
        scores = Einsum[equation=\"aecd,abcd->acbe\"; N=2](k, q)
        weights = Softmax(scores)
        out = Einsum[equation=\"acbe,aecd->abcd\"; N=2](weights, v)
        feed q
        feed k
        feed v
        fetch out
    ";
    Case::new(graph).check(
        PASSES,
        "
        out = Einsum{scores weights out}(k, q, v)
        feed q
        feed k
        feed v
        fetch out = out
        ",
    );
}

#[test]
fn what_something_else_sees_stays() {
    let graph = "
        q = Placeholder[dtype=float32]
        k = Placeholder[dtype=float32]
        v = Placeholder[dtype=float32]
        scores = BatchMatMulV2(q, k)
        weights = Softmax(scores)
        out = BatchMatMulV2(weights, v)
        feed q
        feed k
        feed v
        fetch out
        fetch weights
    ";
    Case::new(graph).check(
        PASSES,
        "
        scores = BatchMatMulV2(q, k)
        weights = Softmax(scores)
        out = BatchMatMulV2(weights, v)
        feed q
        feed k
        feed v
        fetch out = out
        fetch weights = weights
        ",
    );
}

#[test]
fn without_a_softmax_there_is_no_attention() {
    let graph = "
        x = Placeholder[dtype=float32]
        y = Placeholder[dtype=float32]
        first = BatchMatMulV2(x, y)
        between = Tanh(first)
        out = BatchMatMulV2(between, y)
        feed x
        feed y
        fetch out
    ";
    Case::new(graph).check(
        PASSES,
        "
        first = BatchMatMulV2(x, y)
        between = Tanh(first)
        out = BatchMatMulV2(between, y)
        feed x
        feed y
        fetch out = out
        ",
    );
}
