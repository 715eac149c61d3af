"""Models for gaps in the cases of the onnx package: attributes and shapes computed during the run, functions, nested
control flow, old operator sets. onnxruntime computes the expected values."""

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, parser

F, I, B = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def numbers(*shape, dtype=np.float32):
    """Numbers without a period that is a power of two."""
    return ((np.arange(np.prod(shape, dtype=int)) * 7 % 23) / 8 - 1).reshape(shape).astype(dtype)


def texts():
    """Models in ONNX's textual form, with their feeds."""
    x = numbers(2, 3, 4, 5)
    yield "reduce_axes_computed", 18, """
        (float[N,C,H,W] x, int64[K] axes) => (float y, float z, float w)
        { y = ReduceSum (x, axes) z = ReduceMean <keepdims=0> (x, axes) w = ReduceLogSumExp (x, axes) }
    """, [x, np.array([-1, 1])]
    yield "squeeze_computed", 13, """
        (float[A,B,C,D] x, int64[K] axes, int64[L] more) => (float y, float z)
        { y = Squeeze (x, axes) z = Unsqueeze (x, more) }
    """, [numbers(1, 3, 1, 2), np.array([2, -4]), np.array([-1, 1])]
    yield "slice_computed", 13, """
        (float[A,B,C,D] x, int64[K] starts, int64[K] ends, int64[K] axes, int64[K] steps) => (float y, float z)
        { y = Slice (x, starts, ends, axes, steps) z = Slice (x, starts, ends) }
    """, [x, np.array([0, -2]), np.array([9, -9]), np.array([3, -2]), np.array([2, -1])]
    yield "slice_from_shape", 13, """
        (float[N,C,H,W] x) => (float[A,B,D,E] y)
        <int64[1] two = {2}, int64[1] three = {3}, int64[1] one = {1}, int64[1] half = {2}>
        { s = Shape (x) h = Slice (s, two, three) e = Div (h, half) y = Slice (x, one, e, two) }
    """, [x]
    yield "pad_computed", 18, """
        (float[A,B] x, int64[K] pads, int64[L] some, int64[M] axes) => (float y, float z, float w, float v)
        { y = Pad (x, pads) z = Pad <mode = "edge"> (x, pads) w = Pad <mode = "reflect"> (x, pads)
          v = Pad (x, some, , axes) }
    """, [numbers(4, 3), np.array([1, 0, 2, 1]), np.array([2, 1]), np.array([-1])]
    yield "pad_negative", 13, """
        (float[A,B] x) => (float y) <int64[4] pads = {-1, 2, 1, -1}> { y = Pad (x, pads) }
    """, [numbers(4, 3)]
    yield "reshape_zero_computed", 14, """
        (float[A,B,C,D] x, int64[3] shape) => (float[E,G,H] y) { y = Reshape (x, shape) }
    """, [x, np.array([0, -1, 5])]
    yield "reshape_by_shape", 14, """
        (float[A,B,C,D] x) => (float[E,G] y)
        <int64 zero = {0}, int64[1] rest = {-1}, int64[1] first = {0}>
        { s = Shape (x) n = Gather (s, zero) m = Unsqueeze (n, first) t = Concat <axis = 0> (m, rest) y = Reshape (x, t) }
    """, [x]
    yield "expand_computed", 13, """
        (float[A,B] x, int64[3] shape) => (float y) { y = Expand (x, shape) }
    """, [numbers(3, 1), np.array([2, 1, 4])]
    yield "split_uneven", 18, """
        (float[A,B] x) => (float a, float b, float c) { a, b, c = Split <axis = 1, num_outputs = 3> (x) }
    """, [numbers(2, 7)]
    yield "gather_negative", 13, """
        (float[A,B,C] x, int64[K] i, int32[2,2] j) => (float y, float z, float w)
        { y = Gather <axis = 1> (x, i) z = Gather <axis = -1> (x, j)
          k = Constant <value = int64[2,3,2] {0,-1,1,2,3,0,-2,1,0,0,1,1}> () w = GatherElements <axis = 2> (x, k) }
    """, [numbers(2, 3, 4), np.array([-1, 0]), np.array([[0, -4], [3, 1]], np.int32)]
    yield "scatter_reductions", 18, """
        (float[A,B] x, int64[A,B] i, float[A,B] u) => (float a, float m, float n, float p)
        { j = Constant <value = int64[2,3] {0,1,0,0,0,-1}> () k = Constant <value = int64[3,1] {1,0,1}> ()
          v = Constant <value = float[3,3] {1,2,3,4,5,6,7,8,9}> ()
          a = ScatterElements <axis = 1, reduction = "add"> (x, i, u) m = ScatterElements <axis = 1, reduction = "max"> (x, i, u)
          n = ScatterElements <axis = 0, reduction = "mul"> (x, j, u) p = ScatterND <reduction = "mul"> (x, k, v) }
    """, [numbers(2, 3), np.array([[0, 0, 2], [1, -1, 1]]), numbers(2, 3) + 2]
    yield "top_k_least", 11, """
        (float[A,B,C] x, int64[1] k) => (float v, int64 i, int64 w, int64 j)
        { v, i = TopK <axis = 1, largest = 0> (x, k) y = Cast <to = 7> (x) w, j = TopK <largest = 0> (y, k) }
    """, [numbers(2, 4, 3) * 5, np.array([2])]
    yield "einsum_three", 12, """
        (float[2,3] a, float[3,4] b, float[4,2] c, float[2,2] d) => (float y, float z, float w)
        { y = Einsum <equation = "ij, jk, kl -> il"> (a, b, c) z = Einsum <equation = "ii->i"> (d)
          w = Einsum <equation = "...j,jk"> (a, b) }
    """, [numbers(2, 3), numbers(3, 4), numbers(4, 2), numbers(2, 2)]
    yield "conv_same_lower", 11, """
        (float[N,2,H,W] x, float[3,2,2,3] w, float[3] b) => (float y, float z)
        { y = Conv <auto_pad = "SAME_LOWER", strides = [2, 1]> (x, w, b) z = Conv <pads = [1,0,0,2], dilations = [2,1]> (x, w) }
    """, [numbers(2, 2, 5, 6), numbers(3, 2, 2, 3), numbers(3)]
    yield "conv_line_groups", 11, """
        (float[N,4,L] x, float[6,2,3] w, float[6] b) => (float y) { y = Conv <group = 2, pads = [1, 2], strides = [2]> (x, w, b) }
    """, [numbers(2, 4, 9), numbers(6, 2, 3), numbers(6)]
    yield "conv_volume_groups", 11, """
        (float[N,4,D,H,W] x, float[4,2,2,2,2] w) => (float y) { y = Conv <group = 2, pads = [1,0,0,0,1,0]> (x, w) }
    """, [numbers(1, 4, 3, 4, 3), numbers(4, 2, 2, 2, 2)]
    yield "conv_transpose_kinds", 11, """
        (float[N,4,H,W] x, float[4,3,3,2] w, float[6] b) => (float y, float z, float v)
        { y = ConvTranspose <group = 2, strides = [2, 3], pads = [1, 0, 0, 1], output_padding = [1, 2]> (x, w, b)
          z = ConvTranspose <group = 2, strides = [2, 3], output_shape = [9, 10]> (x, w)
          v = ConvTranspose <group = 2, strides = [2, 1], auto_pad = "SAME_UPPER"> (x, w) }
    """, [numbers(2, 4, 4, 3), numbers(4, 3, 3, 2), numbers(6)]
    yield "conv_transpose_volume", 11, """
        (float[1,2,D,H,W] x, float[2,2,2,3,2] w) => (float y) { y = ConvTranspose <strides = [2,1,2], pads = [0,1,0,1,0,0]> (x, w) }
    """, [numbers(1, 2, 2, 3, 2), numbers(2, 2, 2, 3, 2)]
    yield "conv_transpose_volume_groups", 11, """
        (float[1,4,D,H,W] x, float[4,1,2,3,2] w) => (float y) { y = ConvTranspose <group = 2, strides = [2,1,2]> (x, w) }
    """, [numbers(1, 4, 2, 3, 2), numbers(4, 1, 2, 3, 2)]
    yield "matmul_ranks", 13, """
        (float[3] a, float[2,3,4] b, float[4] c) => (float y, float z, float w)
        { y = MatMul (a, b) z = MatMul (b, c) w = MatMul (a, a) }
    """, [numbers(3), numbers(2, 3, 4), numbers(4)]
    yield "gemm_kinds", 13, """
        (float[3,2] a, float[4,3] b, float[4] c, float[2,1] d) => (float y, float z)
        { y = Gemm <transA = 1, transB = 1, alpha = 0.5, beta = 2.0> (a, b, c) z = Gemm <transA = 1, transB = 1> (a, b, d) }
    """, [numbers(3, 2), numbers(4, 3), numbers(4), numbers(2, 1)]
    yield "softmax_old", 11, """
        (float[N,C,H] x) => (float y, float z, float h)
        { y = Softmax (x) z = LogSoftmax <axis = 0> (x) h = Hardmax <axis = 1> (x) }
    """, [numbers(2, 3, 4)]
    yield "batch_norm_7", 7, """
        (float[N,3,L] x, float[3] s, float[3] b, float[3] m, float[3] v) => (float y) { y = BatchNormalization (x, s, b, m, v) }
    """, [numbers(2, 3, 5), numbers(3), numbers(3) + 1, numbers(3), np.abs(numbers(3)) + 0.5]
    yield "operators_of_7", 7, """
        (float[2,3] x, float[3] y) => (float a, float b, float c, float d, float e)
        { a = Max (x, x) b = Clip <min = -0.5, max = 0.5> (x) c = Slice <axes = [1], starts = [1], ends = [3]> (x)
          d = Sum (x, x, x) e = Div (x, y) }
    """, [numbers(2, 3), np.array([1, 2, 4], np.float32)]
    yield "integers", 14, """
        (int32[4] x, int32[4] y, uint8[4] u, int8[4] s) => (int32 d, int32 m, int32 f, uint8 a, int8 b, int32 p, uint8 c)
        { d = Div (x, y) m = Mod (x, y) f = Mod <fmod = 1> (x, y) a = Add (u, u) b = Max (s, s) p = Pow (x, y) c = Div (u, u) }
    """, [np.array([7, -7, 9, -9], np.int32), np.array([2, 3, 4, 2], np.int32), np.array([1, 200, 3, 4], np.uint8),
          np.array([-1, 2, -128, 4], np.int8)]
    yield "trilu_computed", 14, """
        (float[A,B,C] x, int64 k) => (float y, float z) { y = Trilu (x, k) z = Trilu <upper = 0> (x, k) }
    """, [numbers(2, 4, 3), np.array(1)]
    yield "one_hot_negative", 11, """
        (int64[A,B] i, int64 d, float[2] v) => (float y, float z) { y = OneHot (i, d, v) z = OneHot <axis = 0> (i, d, v) }
    """, [np.array([[0, -1], [5, 2]]), np.array(3), np.array([-1, 2], np.float32)]
    yield "if_captures", 13, """
        (bool c, float[N] x, float[N] y) => (float[M] z)
        { w = Mul (x, y)
          z = If (c) <then_branch = g1 () => (float[M] a) { a = Add (w, x) },
                      else_branch = g2 () => (float[M] b) { d = Concat <axis = 0> (w, y) b = Neg (d) }> }
    """, [np.array(False), numbers(3), numbers(3)]
    yield "if_in_if", 13, """
        (bool c, bool d, float[N] x) => (float[N] z)
        { z = If (c) <then_branch = g1 () => (float[N] a)
              { a = If (d) <then_branch = h1 () => (float[N] p) { p = Add (x, x) },
                            else_branch = h2 () => (float[N] q) { q = Mul (x, x) }> },
                      else_branch = g2 () => (float[N] b) { b = Neg (x) }> }
    """, [np.array(True), np.array(False), numbers(3)]
    yield "loop_grows", 13, """
        (int64 n, float[K] x) => (float[M] y, float[T,K] s, int64 last)
        <bool go = {1}, int64 start = {0}>
        { y, last, s = Loop (n, go, x, start) <body = b (int64 i, bool c, float[P] v, int64 t) => (bool d, float[Q] w, int64 u, float[K] e)
            { d = Identity (c) w = Concat <axis = 0> (v, x) u = Add (t, i) f = Cast <to = 1> (i) e = Mul (x, f) }> }
    """, [np.array(3), numbers(2)]
    yield "loop_until", 13, """
        (float x) => (float y, float[T] s)
        <bool go = {1}>
        { y, s = Loop ("", go, x) <body = b (int64 i, bool c, float v) => (bool d, float w, float e)
            { two = Constant <value_float = 2.0> () w = Mul (v, two) most = Constant <value_float = 100.0> ()
              d = Less (w, most) e = Identity (v) }> }
    """.replace('("", go', "(, go"), [np.array(3, np.float32)]
    yield "loop_none", 13, """
        (int64 n, float[2] x) => (float[2] y, float[T,2] s)
        <bool go = {1}>
        { y, s = Loop (n, go, x) <body = b (int64 i, bool c, float[2] v) => (bool d, float[2] w, float[2] e)
            { d = Identity (c) w = Add (v, x) e = Identity (w) }> }
    """, [np.array(0), numbers(2)]
    yield "loop_in_loop", 13, """
        (int64 n, float[2] x) => (float[2] y)
        <bool go = {1}>
        { y = Loop (n, go, x) <body = b (int64 i, bool c, float[2] v) => (bool d, float[2] w)
            { d = Identity (c)
              w = Loop (i, c, v) <body = g (int64 j, bool p, float[2] a) => (bool q, float[2] r)
                  { q = Identity (p) z = Add (a, x) f = Cast <to = 1> (i) r = Mul (z, f) }> }> }
    """, [np.array(4), numbers(2)]
    yield "scan_backwards", 16, """
        (float[2] h, float[3,T,2] x, float[T,2] z) => (float[2] last, float[2,U] y)
        { last, y = Scan <num_scan_inputs = 2, scan_input_axes = [1, 0], scan_input_directions = [1, 0], scan_output_axes = [1],
              scan_output_directions = [1], body = b (float[2] s, float[3,2] e, float[2] f) => (float[2] t, float[2] o)
            { axes = Constant <value_ints = [0]> () r = ReduceSum <keepdims = 0> (e, axes) g = Mul (r, f) t = Add (s, g) o = Identity (t) }> (h, x, z) }
    """, [numbers(2), numbers(3, 4, 2), numbers(4, 2)]
    yield "layer_norm_axes", 17, """
        (float[2,3,4] x, float[3,4] s, float[3,4] b) => (float y, float m, float d)
        { y, m, d = LayerNormalization <axis = 1, epsilon = 0.001> (x, s, b) }
    """, [numbers(2, 3, 4), numbers(3, 4), numbers(3, 4)]
    yield "windows_and_range", 17, """
        (float a, float b, float c) => (float y) { y = Range (a, b, c) }
    """, [np.array(1, np.float32), np.array(-2, np.float32), np.array(-0.3, np.float32)]
    yield "names", 13, """
        (float[2] x) => (float[2] y) { a = Add (x, x) y = Mul (a, x) }
    """, [numbers(2)]


def function_model():
    """Functions that call each other, with forwarded attributes and defaults."""
    scale = helper.make_function(
        "own", "Scale", ["x", "bias"], ["y"],
        [
            helper.make_node("Constant", [], ["f"]),
            helper.make_node("Mul", ["x", "f"], ["m"]),
            helper.make_node("Add", ["m", "bias"], ["y"]),
        ],
        [helper.make_opsetid("", 13)], attributes=["by"],
    )
    attr = scale.node[0].attribute.add()
    attr.name, attr.ref_attr_name, attr.type = "value_float", "by", onnx.AttributeProto.FLOAT
    twice = helper.make_function(
        "own", "Twice", ["x"], ["z"],
        [
            helper.make_node("Scale", ["x", "x"], ["y"], domain="own", by=3.0),
            helper.make_node("LeakyRelu", ["y"], ["z"]),
        ],
        [helper.make_opsetid("", 13), helper.make_opsetid("own", 1)],
        attribute_protos=[helper.make_attribute("alpha", 0.25)],
    )
    attr = twice.node[1].attribute.add()
    attr.name, attr.ref_attr_name, attr.type = "alpha", "alpha", onnx.AttributeProto.FLOAT
    nodes = [
        helper.make_node("Twice", ["x"], ["a"], domain="own", name="first"),
        helper.make_node("Twice", ["a"], ["y"], domain="own", alpha=0.5, name="second"),
    ]
    graph = helper.make_graph(
        nodes, "functions", [helper.make_tensor_value_info("x", F, ["N"])], [helper.make_tensor_value_info("y", F, ["N"])]
    )
    opsets = [helper.make_opsetid("", 13), helper.make_opsetid("own", 1)]
    return helper.make_model(graph, opset_imports=opsets, functions=[scale, twice], ir_version=8)


def cases():
    """Name, model, feeds and outputs of each."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    models = []
    for name, opset, text, feeds in texts():
        ir = 4 if opset < 10 else 8
        models.append((name, parser.parse_model(f'<ir_version: {ir}, opset_import: ["" : {opset}]> {name} {text}'), feeds))
    models.append(("functions", function_model(), [numbers(5)]))
    for name, model, feeds in models:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        named = {info.name: value for info, value in zip(model.graph.input, feeds)}
        yield name, model, feeds, session.run(None, named)
