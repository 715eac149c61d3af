//! `finish`.

use super::Case;

const PASSES: &[&str] = &["fold", "frames", "references", "finish"];

#[test]
fn a_product_takes_what_follows_it() {
    let graph = "
        x = Placeholder[dtype=float32]
        y = Placeholder[dtype=float32]
        w = Const[dtype=float32; value=[[0.5]]]
        b = Const[dtype=float32; value=[2.0]]
        product = MatMul(x, w)
        biased = BiasAdd(product, b)
        sum = AddV2(y, biased)
        out = Relu(sum)
        after = Tanh(out)
        feed x
        feed y
        fetch after
    ";
    Case::new(graph).check(
        PASSES,
        "
        b = Const = float32[1] [2.0]
        w = Const = float32[1,1] [[0.5]]
        out = Relu{product biased sum out}(x, w, b, y)
        after = Tanh(out)
        feed x
        feed y
        fetch after = after
        ",
    );
}

#[test]
fn an_activation_of_two_nodes_is_taken_whole() {
    let graph = "
        x = Placeholder[dtype=float32]
        w = Placeholder[dtype=float32]
        product = MatMul(x, w)
        gate = Sigmoid(product)
        out = Mul(gate, product)
        other = MatMul(x, out)
        half = Sigmoid(other)
        feed x
        feed w
        fetch half
    ";
    Case::new(graph).check(
        PASSES,
        "
        out = Mul{product gate out}(x, w)
        half = Sigmoid{other half}(x, out)
        feed x
        feed w
        fetch half = half
        ",
    );
}

#[test]
fn what_is_seen_from_outside_ends_a_chain() {
    let graph = "
        x = Placeholder[dtype=float32]
        b = Const[dtype=float32; value=[2.0]]
        first = MatMul(x, x)
        second = MatMul(first, x)
        biased = BiasAdd(second, b)
        out = Relu(biased)
        third = MatMul(out, x)
        twice = AddV2(third, third)
        feed x
        fetch first
        fetch twice
        fetch biased
    ";
    Case::new(graph).check(
        PASSES,
        "
        first = MatMul(x, x)
        b = Const = float32[1] [2.0]
        biased = BiasAdd{second biased}(first, x, b)
        out = Relu(biased)
        third = MatMul(out, x)
        twice = AddV2(third, third)
        feed x
        fetch first = first
        fetch twice = twice
        fetch biased = biased
        ",
    );
}

#[test]
fn factors_that_are_no_vectors_are_left_to_other_groups() {
    let graph = "
        x = Placeholder[dtype=float32]
        half = Const[dtype=float32; value=0.5]
        product = MatMul(x, x)
        scaled = Mul(product, half)
        out = Relu(scaled)
        doubles = Placeholder[dtype=float64]
        other = MatMul(doubles, doubles)
        rest = Relu(other)
        feed x
        feed doubles
        fetch out
        fetch rest
    ";
    Case::new(graph).check(
        PASSES,
        "
        other = MatMul(doubles, doubles)
        rest = Relu(other)
        product = MatMul(x, x)
        half = Const = float32[] 0.5
        scaled = Mul(product, half)
        out = Relu(scaled)
        feed x
        feed doubles
        fetch out = out
        fetch rest = rest
        ",
    );
}

#[test]
fn a_product_with_one_is_its_other_factor() {
    let graph = "
        x = Placeholder[dtype=float32]
        w = Placeholder[dtype=float32]
        one = Const[dtype=float32; value=1.0]
        product = MatMul(x, w)
        sloped = Mul(one, product)
        gate = Sigmoid(sloped)
        out = Mul(product, gate)
        awaited = Mul(out, one)
        scaled = Mul(awaited, one)
        later = Neg(x, ^awaited)
        of_feed = Mul(x, one)
        feed x
        feed w
        fetch scaled
        fetch later
        fetch of_feed
    ";
    Case::new(graph).check(
        &["fold", "frames", "references", "neutral", "finish"],
        "
        one = Const = float32[] 1.0
        out = Mul{product gate out}(x, w)
        awaited = Mul(out, one)
        later = Neg(x, ^awaited)
        of_feed = Mul(x, one)
        feed x
        feed w
        fetch scaled = out
        fetch later = later
        fetch of_feed = of_feed
        ",
    );
}

#[test]
fn a_one_that_changes_the_shape_stays_a_factor() {
    let graph = "
        x = Placeholder[dtype=float32]
        one = Const[dtype=float32; value=[[1.0]]]
        y = Neg(x)
        out = Mul(y, one)
        feed x
        fetch out
    ";
    Case::new(graph).check(
        &["fold", "frames", "references", "neutral"],
        "
        y = Neg(x)
        one = Const = float32[1,1] [[1.0]]
        out = Mul(y, one)
        feed x
        fetch out = out
        ",
    );
}

#[test]
fn a_hard_swish_is_taken_whole() {
    let graph = "
        x = Placeholder[dtype=float32]
        w = Placeholder[dtype=float32]
        three = Const[dtype=float32; value=3.0]
        six = Const[dtype=float32; value=6.0]
        product = MatMul(x, w)
        sum = AddV2(three, product)
        clipped = Relu6(sum)
        quotient = RealDiv(clipped, six)
        out = Mul(product, quotient)
        other = MatMul(x, out)
        more = AddV2(other, six)
        clipped_too = Relu6(more)
        fraction = RealDiv(clipped_too, six)
        last = Mul(other, fraction)
        feed x
        feed w
        fetch last
    ";
    Case::new(graph).check(
        PASSES,
        "
        six = Const = float32[] 6.0
        three = Const = float32[] 3.0
        out = Mul{product sum clipped quotient out}(x, w, three, six)
        other = MatMul(x, out)
        more = AddV2(other, six)
        clipped_too = Relu6(more)
        fraction = RealDiv(clipped_too, six)
        last = Mul(other, fraction)
        feed x
        feed w
        fetch last = last
        ",
    );
}

#[test]
fn a_convolution_takes_the_margin_before_it() {
    let graph = "
        x = Placeholder[dtype=float32]
        w = Const[dtype=float32; value=[[[[0.5]]]]]
        v = Placeholder[dtype=float32]
        around = Const[dtype=int32; value=[[0, 0], [0, 1], [2, 0], [0, 0]]]
        channels = Const[dtype=int32; value=[[0, 0], [0, 0], [0, 0], [1, 0]]]
        five = Const[dtype=float32; value=5.0]
        images = Neg(x)
        padded = Pad(images, around)
        a = Conv2D[strides=[1, 1, 1, 1]; padding=VALID](padded, w)
        b = Relu(a)
        more = Pad(b, channels)
        c = Conv2D[strides=[1, 1, 1, 1]; padding=VALID](more, w)
        fives = PadV2(c, around, five)
        d = Conv2D[strides=[1, 1, 1, 1]; padding=VALID](fives, w)
        twice = Pad(d, around)
        e = Conv2D[strides=[1, 1, 1, 1]; padding=VALID](twice, w)
        same = Pad(e, around)
        f = Conv2D[strides=[1, 1, 1, 1]; padding=SAME](same, w)
        unknown = Pad(images, around)
        g = Conv2D[strides=[1, 1, 1, 1]; padding=VALID](unknown, v)
        feed x
        feed v
        fetch g
        fetch f
        fetch twice
    ";
    Case::new(graph).check(
        &["fold", "frames", "references", "margins", "finish"],
        "
        images = Neg(x)
        five = Const = float32[] 5.0
        channels = Const = int32[4,2] [[0, 0], [0, 0], [0, 0], [1, 0]]
        around = Const = int32[4,2] [[0, 0], [0, 1], [2, 0], [0, 0]]
        unknown = Pad(images, around)
        g = Conv2D(unknown, v)
        w = Const = float32[1,1,1,1] [[[[0.5]]]]
        b = Relu{padded a b}(images, w)
        more = Pad(b, channels)
        c = Conv2D(more, w)
        fives = PadV2(c, around, five)
        d = Conv2D(fives, w)
        twice = Pad(d, around)
        e = Conv2D(twice, w)
        same = Pad(e, around)
        f = Conv2D(same, w)
        feed x
        feed v
        fetch g = g
        fetch f = f
        fetch twice = twice
        ",
    );
}
