"""Writes models of the domains ai.onnx.ml and com.microsoft, with the results of ONNX Runtime.

    python tests/onnx/runtime.py DIR         every case: DIR/NAME/model.onnx, DIR/NAME/0/input_0.pb ..., DIR/NAME/tolerance
    python tests/onnx/runtime.py --sample    tests/onnx/runtime.bin.gz, packed as record.py does
    python tests/onnx/runtime.py --add NAME  the same, with the cases of one function here anew and the others as they are

Models of ai.onnx.ml are those that skl2onnx converts from scikit-learn, and handmade ones for what it does not write.
"""

import gzip
import os
import struct
import sys
import warnings

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto as T, helper as h, numpy_helper

warnings.filterwarnings("ignore")
rng = np.random.default_rng(7)
CASES = {}
OPSET = {"": 17, "ai.onnx.ml": 3}


def written(name, model, feeds, rtol=1e-4, atol=1e-5):
    """A model with inputs, and its outputs in ONNX Runtime."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        outputs = session.run(None, feeds)
    except Exception as error:
        print(f"{name}: {str(error)[:300]}", file=sys.stderr)
        return
    # Maps from classes to scores are matrices here, as in Levada.
    outputs = [np.array([list(row.values()) for row in y], np.float32) if isinstance(y, list) else y for y in outputs]
    files = {"model.onnx": model.SerializeToString(), "tolerance": f"{rtol} {atol}".encode()}
    for i, info in enumerate(model.graph.input):
        files[f"0/input_{i}.pb"] = numpy_helper.from_array(np.asarray(feeds[info.name]), info.name).SerializeToString()
    for i, (info, value) in enumerate(zip(model.graph.output, outputs)):
        files[f"0/output_{i}.pb"] = numpy_helper.from_array(np.asarray(value), info.name).SerializeToString()
    CASES[name] = files


def elem(array):
    return h.np_dtype_to_tensor_dtype(np.asarray(array).dtype)


def node(name, op, inputs, outputs, domain="com.microsoft", constants=(), rtol=1e-4, atol=1e-5, opset=17, own=None, **attrs):
    """A model of one node. `inputs`: pairs of name and array, or None; those named in `constants` are initializers.
    `outputs`: pairs of name and element type, or None. `own`: further attributes, with names of parameters here."""
    given = [(n, np.asarray(a)) for n, a in (p for p in inputs if p)]
    names = [p[0] if p else "" for p in inputs]
    n = h.make_node(op, names, [p[0] if p else "" for p in outputs], domain=domain, name="n", **attrs, **(own or {}))
    graph = h.make_graph(
        [n], "g",
        [h.make_tensor_value_info(k, elem(a), a.shape) for k, a in given if k not in constants],
        [h.make_tensor_value_info(p[0], p[1], None) for p in outputs if p],
        [numpy_helper.from_array(a, k) for k, a in given if k in constants],
    )
    opsets = [h.make_opsetid("", opset), h.make_opsetid("com.microsoft", 1), h.make_opsetid("ai.onnx.ml", 3)]
    model = h.make_model(graph, opset_imports=opsets, ir_version=9)
    written(name, model, {k: a for k, a in given if k not in constants}, rtol, atol)


def f(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def sklearn_models():
    from skl2onnx import to_onnx
    from sklearn import ensemble, linear_model, neural_network, neighbors, preprocessing, svm, tree, naive_bayes
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline

    x = rng.standard_normal((60, 4)).astype(np.float32)
    two, three = (x[:, 0] + x[:, 1] > 0).astype(np.int64), np.digitize(x[:, 0] - x[:, 2], [-0.7, 0.7]).astype(np.int64)
    value = (x @ np.array([1, -2, 0.5, 0], np.float32) + x[:, 0] ** 2).astype(np.float32)
    both = np.stack([value, -x[:, 3]], 1)
    test = rng.standard_normal((7, 4)).astype(np.float32)
    models = {
        "tree2": (tree.DecisionTreeClassifier(max_depth=3), two),
        "tree3": (tree.DecisionTreeClassifier(max_depth=4), three),
        "forest2": (ensemble.RandomForestClassifier(5, max_depth=4, random_state=0), two),
        "forest3": (ensemble.RandomForestClassifier(5, max_depth=4, random_state=0), three),
        "forest_strings": (ensemble.RandomForestClassifier(3, max_depth=3, random_state=0), np.array(["a", "b", "c"])[three]),
        "boosting2": (ensemble.GradientBoostingClassifier(n_estimators=5, random_state=0), two),
        "boosting3": (ensemble.GradientBoostingClassifier(n_estimators=4, random_state=0), three),
        "forest_regressor": (ensemble.RandomForestRegressor(4, max_depth=4, random_state=0), value),
        "forest_regressor2": (ensemble.RandomForestRegressor(3, max_depth=3, random_state=0), both),
        "boosting_regressor": (ensemble.GradientBoostingRegressor(n_estimators=5, random_state=0), value),
        "isolation": (ensemble.IsolationForest(n_estimators=3, max_samples=16, random_state=0), None),
        "logistic2": (linear_model.LogisticRegression(), two),
        "logistic3": (linear_model.LogisticRegression(), three),
        "ridge_classifier": (linear_model.RidgeClassifier(), three),
        "sgd": (linear_model.SGDClassifier(random_state=0), three),
        "linear": (linear_model.LinearRegression(), value),
        "lasso2": (linear_model.Lasso(alpha=0.1), both),
        "svc2": (svm.SVC(), two),
        "svc3": (svm.SVC(kernel="poly"), three),
        "svc_proba": (svm.SVC(probability=True, random_state=0), three),
        "linear_svc": (svm.LinearSVC(), three),
        "svr": (svm.SVR(kernel="sigmoid"), value),
        "one_class": (svm.OneClassSVM(gamma=0.5), None),
        "mlp": (neural_network.MLPClassifier((5,), max_iter=50, random_state=0), three),
        "bayes": (naive_bayes.GaussianNB(), three),
        "neighbours": (neighbors.KNeighborsClassifier(3), three),
        "scaler": (preprocessing.StandardScaler(), None),
        "minmax": (preprocessing.MinMaxScaler(), None),
        "norm1": (preprocessing.Normalizer("l1"), None),
        "norm2": (preprocessing.Normalizer("l2"), None),
        "binarizer": (preprocessing.Binarizer(threshold=0.2), None),
        "pipeline": (make_pipeline(preprocessing.StandardScaler(), linear_model.LogisticRegression()), three),
        "discretizer": (preprocessing.KBinsDiscretizer(3, encode="onehot-dense"), None),
    }
    for name, (model, y) in models.items():
        model.fit(x) if y is None else model.fit(x, y)
        for zipmap in ([False, True, "columns"] if name == "forest3" else [False]):
            kind = {"zipmap": zipmap} if hasattr(model, "classes_") and name not in ("linear_svc", "ridge_classifier") else {}
            try:
                onx = to_onnx(model, x[:1], options={id(model): kind} if kind else None, target_opset=OPSET)
            except Exception as error:
                print(f"sklearn_{name}: {str(error)[:200]}", file=sys.stderr)
                continue
            written(f"sklearn_{name}{f'_{zipmap}' if zipmap else ''}", onx, {onx.graph.input[0].name: test})
    holes = x.copy()
    holes[::5, 1] = np.nan
    onx = to_onnx(SimpleImputer().fit(holes), holes[:1], target_opset=OPSET)
    written("sklearn_imputer", onx, {"X": holes[:7]})
    ints = rng.integers(0, 4, (40, 2)).astype(np.int64)
    onx = to_onnx(preprocessing.OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(ints), ints[:1], target_opset=OPSET)
    written("sklearn_one_hot", onx, {"X": rng.integers(0, 6, (7, 2)).astype(np.int64)})
    onx = to_onnx(preprocessing.OrdinalEncoder().fit(ints), ints[:1], target_opset=OPSET)
    written("sklearn_ordinal", onx, {"X": ints[:7]})


def classical():
    ml = "ai.onnx.ml"
    x = f(5, 3)
    node("label_encoder_strings", "LabelEncoder", [("X", np.array(["a", "z", "b"], object))], [("Y", T.INT64)], ml,
         keys_strings=["a", "b"], values_int64s=[4, 5], default_int64=-3)
    node("label_encoder_floats", "LabelEncoder", [("X", np.array([1, 3, 2.5, 7], np.float32))], [("Y", T.STRING)], ml,
         keys_floats=[1.0, 7.0, 2.5], values_strings=["one", "seven", "more"], default_string="?")
    node("category_mapper", "CategoryMapper", [("X", np.array(["x", "y", "q"], object))], [("Y", T.INT64)], ml,
         cats_strings=["x", "y"], cats_int64s=[10, 20], default_int64=-1)
    node("feature_vectorizer", "FeatureVectorizer", [("a", x), ("b", rng.integers(0, 9, (5, 2)).astype(np.int64).astype(np.float32))],
         [("Y", T.FLOAT)], ml, inputdimensions=[3, 2])
    node("array_feature_extractor", "ArrayFeatureExtractor", [("X", x), ("Y", np.array([2, 0], np.int64))], [("Z", T.FLOAT)], ml)
    node("imputer_ints", "Imputer", [("X", np.array([[1, -1], [-1, 4]], np.int64))], [("Y", T.INT64)], ml,
         imputed_value_int64s=[7, 8], replaced_value_int64=-1)
    node("scaler", "Scaler", [("X", x)], [("Y", T.FLOAT)], ml, offset=[1.0, 2.0, 3.0], scale=[2.0, 0.5, 1.0])
    for norm in ["MAX", "L1", "L2"]:
        node(f"normalizer_{norm}", "Normalizer", [("X", x)], [("Y", T.FLOAT)], ml, norm=norm)
    for post in ["NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"]:
        node(f"linear_classifier_{post}", "LinearClassifier", [("X", x)], [("Y", T.INT64), ("Z", T.FLOAT)], ml,
             coefficients=list(map(float, f(9))), intercepts=[0.1, 0.2, 0.3], classlabels_ints=[5, 6, 7], post_transform=post)
    for post in ["NONE", "LOGISTIC", "SOFTMAX", "PROBIT"]:
        for aggregate in ["SUM", "AVERAGE", "MIN", "MAX"]:
            node(f"tree_regressor_{post}_{aggregate}", "TreeEnsembleRegressor", [("X", x)], [("Y", T.FLOAT)], ml,
                 nodes_treeids=[0, 0, 0, 1, 1, 1], nodes_nodeids=[0, 1, 2, 0, 1, 2], nodes_featureids=[0, 0, 0, 2, 0, 0],
                 nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"], nodes_values=[0.1, 0, 0, -0.2, 0, 0],
                 nodes_truenodeids=[1, 0, 0, 1, 0, 0], nodes_falsenodeids=[2, 0, 0, 2, 0, 0],
                 nodes_missing_value_tracks_true=[0, 0, 0, 1, 0, 0], n_targets=2,
                 target_treeids=[0, 0, 1, 1, 1], target_nodeids=[1, 2, 1, 2, 2], target_ids=[0, 1, 0, 1, 0],
                 target_weights=[0.1, 0.2, 0.3, 0.4, 0.45], base_values=[0.05, 0.1], post_transform=post, aggregate_function=aggregate)
    for post in ["NONE", "LOGISTIC", "SOFTMAX"]:
        for signs in ([0.2, 0.9, 0.3, 0.1], [-0.6, 0.9, 0.3, -0.1]):
            for ids in ([0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 1, 0]):
                node(f"tree_classifier_{post}_{'mixed' if min(signs) < 0 else 'positive'}_{''.join(map(str, ids))}", "TreeEnsembleClassifier",
                     [("X", x)], [("Y", T.INT64), ("Z", T.FLOAT)], ml,
                     nodes_treeids=[0, 0, 0, 1, 1, 1], nodes_nodeids=[0, 1, 2, 0, 1, 2], nodes_featureids=[0, 0, 0, 2, 0, 0],
                     nodes_modes=["BRANCH_LT", "LEAF", "LEAF", "BRANCH_GTE", "LEAF", "LEAF"], nodes_values=[0.1, 0, 0, -0.2, 0, 0],
                     nodes_truenodeids=[1, 0, 0, 1, 0, 0], nodes_falsenodeids=[2, 0, 0, 2, 0, 0],
                     class_treeids=[0, 0, 1, 1], class_nodeids=[1, 2, 1, 2], class_ids=ids, class_weights=signs,
                     classlabels_int64s=[0, 1] if ids == [0, 1, 1, 0] else [3, 8], post_transform=post)


def microsoft():
    x, h8 = f(2, 3, 8), 8
    one = [("Y", T.FLOAT)]
    node("gelu", "Gelu", [("X", x)], one)
    node("bias_gelu", "BiasGelu", [("X", x), ("B", f(8))], one)
    node("fast_gelu", "FastGelu", [("X", x)], one)
    node("fast_gelu_bias", "FastGelu", [("X", x), ("B", f(8))], one)
    node("quick_gelu", "QuickGelu", [("X", x)], one, alpha=1.5)
    node("skip_layer_normalization", "SkipLayerNormalization", [("X", x), ("S", f(2, 3, 8)), ("g", f(8)), ("b", f(8)), ("c", f(8))],
         [("Y", T.FLOAT), None, None, ("sum", T.FLOAT)], epsilon=1e-5)
    node("skip_simplified_layer_normalization", "SkipSimplifiedLayerNormalization", [("X", x), ("S", f(2, 3, 8)), ("g", f(8))],
         [("Y", T.FLOAT), None, None, ("sum", T.FLOAT)], epsilon=1e-5)
    node("simplified_layer_normalization", "SimplifiedLayerNormalization", [("X", x), ("g", f(8))], one, domain="", axis=-1, epsilon=1e-5)
    ids = rng.integers(0, 9, (2, 5)).astype(np.int32)
    node("embed_layer_normalization", "EmbedLayerNormalization",
         [("ids", ids), ("seg", rng.integers(0, 2, (2, 5)).astype(np.int32)), ("w", f(9, 8)), ("p", f(6, 8)), ("s", f(2, 8)),
          ("g", f(8)), ("b", f(8)), ("mask", np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32))],
         [("Y", T.FLOAT), ("index", T.INT32)])
    node("fused_matmul", "FusedMatMul", [("A", f(2, 4, 3)), ("B", f(2, 5, 4))], one, transA=1, transB=1, alpha=0.5)
    node("fused_gemm", "FusedGemm", [("A", f(3, 4)), ("B", f(4, 5)), ("C", f(5))], one, activation="LeakyRelu", activation_alpha=0.2, alpha=2.0)
    node("fused_conv", "FusedConv", [("X", f(1, 2, 5, 5)), ("W", f(3, 2, 3, 3)), ("B", f(3))], one, activation="Relu", pads=[1, 1, 1, 1])
    for bits, block, k, n in [(4, 16, 40, 5), (4, 32, 32, 3), (8, 16, 32, 4)]:
        blocks, blob = -(-k // block), block * bits // 8
        zeros = rng.integers(0, 256, n * -(-blocks * bits // 8)).astype(np.uint8)
        for zero in [None, ("z", zeros)]:
            node(f"matmul_n_bits_{bits}_{block}_{k}_{bool(zero)}", "MatMulNBits",
                 [("A", f(2, 3, k)), ("B", rng.integers(0, 256, (n, blocks, blob)).astype(np.uint8)), ("s", f(n * blocks) / 9), zero], one,
                 constants=("B", "s", "z"), K=k, N=n, bits=bits, block_size=block, rtol=1e-3, atol=1e-3)
    u8 = lambda *s: rng.integers(0, 256, s).astype(np.uint8)
    i8 = lambda *s: rng.integers(-128, 128, s).astype(np.int8)
    scalar = lambda v: np.array(v, np.float32)
    node("dynamic_quantize_matmul", "DynamicQuantizeMatMul", [("A", f(2, 3, 4)), ("B", i8(4, 5)), ("s", scalar(0.02)), ("z", np.array(3, np.int8)), ("b", f(5))], one)
    node("matmul_integer_to_float", "MatMulIntegerToFloat",
         [("A", u8(3, 4)), ("B", i8(4, 5)), ("a", scalar(0.1)), ("b", f(5)), ("za", np.array(120, np.uint8)), ("zb", i8(5)), ("c", f(5))], one)
    q = [("C", T.UINT8)]
    for op in ["QLinearAdd", "QLinearMul"]:
        node(op.lower(), op, [("A", u8(2, 3)), ("a", scalar(0.1)), ("za", np.array(100, np.uint8)), ("B", u8(3)), ("b", scalar(0.05)),
                              ("zb", np.array(90, np.uint8)), ("c", scalar(0.3)), ("zc", np.array(110, np.uint8))], q)
    parameters = [("a", scalar(0.1)), ("za", np.array(100, np.uint8)), ("c", scalar(0.02)), ("zc", np.array(30, np.uint8))]
    names = ("a", "za", "c", "zc")
    node("qlinear_sigmoid", "QLinearSigmoid", [("A", u8(2, 3)), *parameters], q, constants=names)
    node("qlinear_leaky_relu", "QLinearLeakyRelu", [("A", u8(2, 3)), *parameters], q, constants=names, alpha=0.1)
    node("qlinear_average_pool", "QLinearAveragePool", [("A", u8(1, 2, 5, 5)), *parameters], q, constants=names, kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    node("qlinear_global_average_pool", "QLinearGlobalAveragePool", [("A", u8(1, 2, 5, 5)), *parameters], q, constants=names, channels_last=0)
    node("qlinear_concat", "QLinearConcat", [("c", scalar(0.1)), ("zc", np.array(20, np.uint8)), ("A", u8(2, 3)), ("a", scalar(0.07)),
         ("za", np.array(9, np.uint8)), ("B", u8(2, 2)), ("b", scalar(0.2)), ("zb", np.array(30, np.uint8))], q, axis=1, constants=("c", "zc", "a", "za", "b", "zb"))
    node("qgemm", "QGemm", [("A", u8(3, 4)), ("a", scalar(0.1)), ("za", np.array(100, np.uint8)), ("B", i8(5, 4)), ("b", scalar(0.05)),
         ("zb", np.array(3, np.int8)), ("c", rng.integers(-99, 99, 5).astype(np.int32)), ("s", scalar(0.3)), ("z", np.array(110, np.uint8))],
         [("Y", T.UINT8)], transB=1, alpha=1.0)
    angles = rng.random((16, 4)).astype(np.float32) * 3
    for position in [np.array([2], np.int64), np.array([[3, 4, 5], [0, 1, 2]], np.int64)]:
        node(f"rotary_embedding_{position.size}", "RotaryEmbedding", [("X", f(2, 3, 16)), ("p", position), ("c", np.cos(angles)), ("s", np.sin(angles))], one)
    node("rotary_embedding_4d", "RotaryEmbedding", [("X", f(2, 2, 3, 8)), ("p", np.array([0], np.int64)), ("c", np.cos(angles)), ("s", np.sin(angles))], one, interleaved=1)

    attention = [("X", f(2, 3, 8)), ("W", f(8, 24) / 3), ("b", f(24))]
    node("attention", "Attention", attention, one, num_heads=2)
    node("attention_causal", "Attention", attention, one, num_heads=2, unidirectional=1)
    node("attention_lens", "Attention", [*attention, ("m", np.array([2, 3], np.int32))], one, num_heads=2)
    node("attention_mask", "Attention", [*attention, ("m", np.array([[1, 1, 0], [1, 1, 1]], np.int32))], one, num_heads=2)
    node("attention_past", "Attention", [*attention, None, ("past", f(2, 2, 2, 4, 4))], [("Y", T.FLOAT), ("P", T.FLOAT)], num_heads=2, unidirectional=1)
    node("attention_bias", "Attention", [*attention, None, None, ("extra", f(2, 2, 3, 3))], one, num_heads=2, scale=0.3)
    qkv = [("q", f(2, 3, 8)), ("k", f(2, 5, 8)), ("v", f(2, 5, 8))]
    node("multi_head_attention", "MultiHeadAttention", qkv, one, num_heads=2)
    node("multi_head_attention_bias", "MultiHeadAttention", [*qkv, ("b", f(24))], one, num_heads=4)
    node("multi_head_attention_mask", "MultiHeadAttention", [*qkv, None, ("m", np.array([[1, 1, 0, 1, 0], [1, 1, 1, 1, 1]], np.int32))], one, num_heads=2)
    node("multi_head_attention_added", "MultiHeadAttention", [*qkv, None, None, ("added", f(1, 2, 3, 5))], one, num_heads=2)
    node("multi_head_attention_past", "MultiHeadAttention", [("q", f(2, 1, 8)), ("k", f(2, 1, 8)), ("v", f(2, 1, 8)), None, None, None, ("pk", f(2, 2, 4, 4)), ("pv", f(2, 2, 4, 4))],
         [("Y", T.FLOAT), ("K", T.FLOAT), ("V", T.FLOAT)], num_heads=2)
    node("multi_head_attention_cross", "MultiHeadAttention", [("q", f(2, 3, 8)), ("k", f(2, 2, 5, 4)), ("v", f(2, 2, 5, 4))], one, num_heads=2)
    three = [("Y", T.FLOAT), ("K", T.FLOAT), ("V", T.FLOAT)]
    angles = rng.random((16, 8)).astype(np.float32) * 3
    caches = [("c", np.cos(angles)), ("s", np.sin(angles))]
    first = [("q", f(2, 3, 64)), ("k", f(2, 3, 32)), ("v", f(2, 3, 32)), ("pk", f(2, 2, 0, 16)), ("pv", f(2, 2, 0, 16)), ("l", np.array([2, 2], np.int32)), ("t", np.array([3], np.int32))]
    node("group_query_attention_prompt", "GroupQueryAttention", first, three, num_heads=4, kv_num_heads=2, constants=("t",))
    node("group_query_attention_rotary", "GroupQueryAttention", [*first, *caches], three, num_heads=4, kv_num_heads=2, do_rotary=1, constants=("t",))
    more = [("q", f(2, 1, 64)), ("k", f(2, 1, 32)), ("v", f(2, 1, 32)), ("pk", f(2, 2, 4, 16)), ("pv", f(2, 2, 4, 16)), ("l", np.array([4, 4], np.int32)), ("t", np.array([5], np.int32))]
    node("group_query_attention_token", "GroupQueryAttention", [*more, *caches], three, num_heads=4, kv_num_heads=2, do_rotary=1, constants=("t",))
    node("group_query_attention_window", "GroupQueryAttention", more, three, num_heads=4, kv_num_heads=2, local_window_size=2, constants=("t",))
    node("group_query_attention_packed", "GroupQueryAttention", [("q", f(1, 3, 64)), None, None, ("pk", f(1, 2, 0, 8)), ("pv", f(1, 2, 0, 8)), ("l", np.array([2], np.int32)), ("t", np.array([3], np.int32))],
         three, num_heads=4, kv_num_heads=2, softcap=5.0, constants=("t",))


def runtime_only():
    """Standard operators that the package's own cases do not fully cover."""
    one, x = [("Y", T.FLOAT)], f(1, 2, 5, 6)
    for mode in ["nearest", "linear", "cubic"]:
        for transform in ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]:
            for i, scales in enumerate([[1, 1, 2, 1.5], [1, 1, 0.6, 0.5]]):
                node(f"resize_{mode}_{transform}_{i}", "Resize", [("X", x), None, ("s", np.array(scales, np.float32))], one, "", opset=19,
                     mode=mode, coordinate_transformation_mode=transform, constants=("s",), **({"nearest_mode": "floor"} if mode == "nearest" else {}))
    for mode in ["linear", "cubic"]:
        node(f"resize_antialias_{mode}", "Resize", [("X", f(1, 2, 9, 12)), None, None, ("s", np.array([1, 2, 4, 5], np.int64))], one, "", opset=19,
             mode=mode, antialias=1, constants=("s",))
    for op, gates, functions in [("RNN", 1, ["Affine"]), ("GRU", 3, ["HardSigmoid", "Softsign"]), ("LSTM", 4, ["Sigmoid", "Relu", "Elu"])]:
        for direction, ways in [("forward", 1), ("reverse", 1), ("bidirectional", 2)]:
            inputs = [("X", f(4, 3, 2)), ("W", f(ways, gates * 5, 2)), ("R", f(ways, gates * 5, 5) / 2), ("B", f(ways, gates * 10)),
                      ("lens", np.array([4, 2, 1], np.int32)), ("h", f(ways, 3, 5))]
            outputs = [("Y", T.FLOAT), ("Y_h", T.FLOAT)]
            if op == "LSTM":
                inputs += [("c", f(ways, 3, 5)), ("P", f(ways, 15))]
                outputs += [("Y_c", T.FLOAT)]
            node(f"{op}_{direction}", op, inputs, outputs, "", direction=direction, hidden_size=5)
            node(f"{op}_{direction}_clip", op, inputs, outputs, "", direction=direction, hidden_size=5, clip=0.3)
        node(f"{op}_activations", op, [p for p in inputs], outputs, "", direction="bidirectional", hidden_size=5, activations=functions * 2,
             activation_alpha=[0.3] * 2, activation_beta=[0.1] * 2)
    node("GRU_linear", "GRU", [("X", f(4, 3, 2)), ("W", f(1, 15, 2)), ("R", f(1, 15, 5)), ("B", f(1, 30))], [("Y", T.FLOAT)], "", hidden_size=5, linear_before_reset=1)
    for include in [0, 1]:
        for ceil in [0, 1]:
            node(f"average_pool_{include}{ceil}", "AveragePool", [("X", f(1, 2, 7, 8))], one, "", opset=19, kernel_shape=[3, 2], strides=[2, 3], pads=[1, 0, 1, 1],
                 ceil_mode=ceil, count_include_pad=include)
    node("average_pool_dilated", "AveragePool", [("X", f(1, 2, 9))], one, "", opset=19, kernel_shape=[3], dilations=[2], pads=[1, 2])
    for order in [0, 1]:
        node(f"max_pool_indices_{order}", "MaxPool", [("X", f(2, 2, 6, 7))], [("Y", T.FLOAT), ("I", T.INT64)], "", kernel_shape=[2, 3], strides=[2, 2], pads=[0, 1, 1, 1],
             ceil_mode=1, storage_order=order)
    node("max_pool_3d", "MaxPool", [("X", f(1, 2, 5, 5, 5))], one, "", kernel_shape=[2, 2, 2], dilations=[2, 1, 2], auto_pad="VALID")
    node("lp_pool", "LpPool", [("X", f(1, 2, 6, 7))], one, "", opset=18, kernel_shape=[2, 3], p=3, strides=[2, 2], pads=[0, 1, 1, 1])
    boxes = np.sort(rng.random((2, 20, 4)).astype(np.float32), -1)
    node("nms", "NonMaxSuppression", [("b", boxes), ("s", rng.random((2, 3, 20)).astype(np.float32)), ("m", np.array([5], np.int64)),
         ("i", np.array([0.3], np.float32)), ("t", np.array([0.2], np.float32))], [("Y", T.INT64)], "")
    for mode in ["avg", "max"]:
        node(f"roi_align_{mode}", "RoiAlign", [("X", f(2, 3, 8, 9)), ("r", np.array([[0, 0, 7, 7], [1.5, 2, 20, 5]], np.float32)), ("i", np.array([1, 0], np.int64))], one, "",
             opset=16, output_height=3, output_width=2, spatial_scale=0.6, sampling_ratio=0, mode=mode)
    node("max_roi_pool", "MaxRoiPool", [("X", f(2, 3, 8, 9)), ("r", np.array([[1, 0, 0, 7, 7], [0, 1.5, 2, 20, 5]], np.float32))], one, "", pooled_shape=[3, 2], spatial_scale=0.7)
    u8 = lambda *s: rng.integers(0, 256, s).astype(np.uint8)
    i8 = lambda *s: rng.integers(-128, 128, s).astype(np.int8)
    scalar = lambda v: np.array(v, np.float32)
    node("qlinear_conv", "QLinearConv", [("X", u8(1, 4, 6, 6)), ("x", scalar(0.1)), ("zx", np.array(120, np.uint8)), ("W", i8(6, 2, 3, 3)), ("w", np.abs(f(6)) / 9),
         ("zw", np.zeros(6, np.int8)), ("y", scalar(0.5)), ("zy", np.array(100, np.uint8)), ("B", rng.integers(-99, 99, 6).astype(np.int32))],
         [("Y", T.UINT8)], "", group=2, pads=[1, 1, 1, 1], strides=[2, 2], constants=("W", "x", "w", "y", "zx", "zw", "zy", "B"))
    node("conv_integer", "ConvInteger", [("X", u8(2, 4, 6, 6)), ("W", u8(3, 4, 3, 3)), ("zx", np.array(7, np.uint8)), ("zw", np.array(9, np.uint8))], [("Y", T.INT32)], "", dilations=[2, 1])
    node("matmul_integer", "MatMulInteger", [("A", u8(3, 700)), ("B", i8(700, 5)), ("za", np.array(200, np.uint8)), ("zb", np.array(-100, np.int8))], [("Y", T.INT32)], "")
    node("qlinear_matmul", "QLinearMatMul", [("A", u8(2, 3, 40)), ("a", scalar(0.1)), ("za", np.array(120, np.uint8)), ("B", i8(40, 5)), ("b", np.abs(f(5))),
         ("zb", np.zeros(5, np.int8)), ("c", scalar(9.0)), ("zc", np.array(99, np.uint8))], [("Y", T.UINT8)], "", constants=("B", "b", "zb"))


def quantized():
    """What ONNX Runtime's quantization tools write for recurrent and transformer models, and other operators of its own."""
    u8 = lambda *s: rng.integers(0, 256, s).astype(np.uint8)
    # On machines without VNNI, ONNX Runtime's sums of pairs of products saturate for larger weights.
    i8 = lambda *s: rng.integers(-64, 64, s).astype(np.int8)
    scalar = lambda v: np.array(v, np.float32)
    zero = lambda v, dtype=np.uint8: np.array(v, dtype)
    one, outputs = [("Y", T.FLOAT)], [("Y", T.FLOAT), ("Y_h", T.FLOAT), ("Y_c", T.FLOAT)]
    for name, ways, weights, per_gate, batch, attrs in [
        ("forward", 1, i8, False, 1, {}), ("reverse", 1, u8, True, 1, {"direction": "reverse", "clip": 3.0}),
        ("bidirectional", 2, i8, True, 1, {"direction": "bidirectional"}), ("state", 2, i8, False, 1, {"direction": "bidirectional"}),
        ("coupled", 1, i8, False, 1, {"input_forget": 1}),
    ]:
        features, hidden, steps = 3, 5, 4
        scales = (ways, 4 * hidden) if per_gate else (ways,)
        point = lambda: np.full(scales, rng.integers(100, 150), np.uint8) if weights is u8 else np.zeros(scales, np.int8)
        state = name == "state"
        node(f"dynamic_quantize_lstm_{name}", "DynamicQuantizeLSTM",
             [("X", f(steps, batch, features)), ("W", weights(ways, features, 4 * hidden)), ("R", weights(ways, hidden, 4 * hidden)),
              ("B", f(ways, 8 * hidden)), ("lens", np.array([3] * batch, np.int32)) if state else None,
              ("h", f(ways, batch, hidden)) if state else None, ("c", f(ways, batch, hidden)) if state else None,
              ("P", f(ways, 3 * hidden)) if state else None,
              ("ws", rng.random(scales).astype(np.float32) / 99), ("wz", point()), ("rs", rng.random(scales).astype(np.float32) / 99), ("rz", point())],
             outputs, constants=("W", "R", "B", "P", "ws", "wz", "rs", "rz"), hidden_size=hidden, rtol=1e-3, atol=1e-3, **attrs)
    parameters = [("a", scalar(0.1)), ("za", zero(100)), ("c", scalar(1 / 256)), ("zc", zero(0))]
    names = ("a", "za", "c", "zc")
    node("qlinear_softmax", "QLinearSoftmax", [("A", u8(2, 3, 4)), *parameters], [("C", T.UINT8)], constants=names, axis=1, own={"opset": 13}, atol=1.0)
    node("qlinear_softmax_12", "QLinearSoftmax", [("A", u8(2, 3, 4)), *parameters], [("C", T.UINT8)], constants=names, axis=1, own={"opset": 12}, atol=1.0)
    node("qlinear_where", "QLinearWhere", [("X", rng.random((2, 3)) < 0.5), ("A", u8(2, 3)), ("a", scalar(0.1)), ("za", zero(90)), ("B", u8(3)), ("b", scalar(0.05)),
         ("zb", zero(20)), ("c", scalar(0.09)), ("zc", zero(70))], [("C", T.UINT8)], constants=("a", "za", "b", "zb", "c", "zc"))
    quantized_attention = [("X", u8(2, 3, 8)), ("W", i8(8, 24)), ("b", f(24)), ("x", scalar(0.02)), ("w", scalar(0.01))]
    points = [("zx", zero(120)), ("zw", zero(0, np.int8))]
    node("qattention", "QAttention", [*quantized_attention, None, *points], one, num_heads=2, constants=("W",))
    node("qattention_mask", "QAttention", [*quantized_attention, ("m", np.array([[1, 1, 0], [1, 1, 1]], np.int32)), *points], one, num_heads=2, constants=("W",))
    node("qattention_per_column", "QAttention", [*quantized_attention[:4], ("w", rng.random(24).astype(np.float32) / 50), None, points[0], ("zw", np.zeros(24, np.int8))],
         one, num_heads=2, unidirectional=1, constants=("W", "zw"))
    node("qattention_past", "QAttention", [*quantized_attention, None, *points, ("past", f(2, 2, 2, 4, 4))], [("Y", T.FLOAT), ("P", T.FLOAT)], num_heads=2,
         unidirectional=1, constants=("W",))
    ids, segments = rng.integers(0, 9, (2, 5)).astype(np.int32), rng.integers(0, 2, (2, 5)).astype(np.int32)
    scales = [(f"s{i}", scalar(0.01 + i / 200)) for i in range(5)]
    points = [(f"z{i}", zero(100 + i)) for i in range(5)]
    for name, has_segments in [("", True), ("_words", False)]:
        optional = lambda value: value if has_segments else None
        node(f"qembed_layer_normalization{name}", "QEmbedLayerNormalization",
             [("ids", ids), optional(("seg", segments)), ("w", u8(9, 8)), ("p", u8(6, 8)), optional(("s", u8(2, 8))), ("g", u8(8)), ("b", u8(8)),
              ("mask", np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)), *scales[:2], optional(scales[2]), *scales[3:],
              *points[:2], optional(points[2]), *points[3:]], [("Y", T.FLOAT), ("index", T.INT32)])
    node("transpose_matmul", "TransposeMatMul", [("A", f(2, 4, 3)), ("B", f(2, 5, 4))], one, transA=1, transB=1, alpha=0.5)
    node("inverse", "Inverse", [("X", f(2, 3, 3))], one, rtol=1e-3)
    for metric in ["euclidean", "sqeuclidean"]:
        node(f"c_dist_{metric}", "CDist", [("A", f(3, 4)), ("B", f(5, 4))], one, metric=metric)
    node("expand_dims", "ExpandDims", [("X", f(2, 3)), ("axis", np.array(-1, np.int32))], one, constants=("axis",))
    node("microsoft_trilu", "Trilu", [("X", f(3, 4)), ("k", np.array(1, np.int64))], one, upper=0)
    node("microsoft_range", "Range", [("start", np.array(2, np.int64)), ("limit", np.array(6, np.int64))], [("Y", T.INT64)])
    node("microsoft_range_step", "Range", [("start", scalar(2)), ("limit", scalar(-1)), ("delta", scalar(-0.5))], one)
    node("microsoft_unique", "Unique", [("X", np.array([2, 1, 1, 3, 4, 3], np.float32))], [("y", T.FLOAT), ("i", T.INT64), ("n", T.INT64)])
    node("microsoft_gather_nd", "GatherND", [("X", f(2, 3, 2)), ("i", np.array([[0, 1], [1, 2]], np.int64))], one)
    node("microsoft_pad", "Pad", [("X", f(2, 3)), ("p", np.array([0, 1, 2, 0], np.int64)), ("v", np.array([0.5], np.float32))], one)
    node("microsoft_grid_sample", "GridSample", [("X", f(1, 2, 4, 5)), ("g", rng.random((1, 3, 2, 2)).astype(np.float32) * 2.4 - 1.2)], one, mode="bilinear", padding_mode="border")
    node("stft_without_parts", "STFT", [("X", f(2, 20)), ("step", np.array(4, np.int64)), ("w", np.hanning(8).astype(np.float32))], one, "", constants=("step", "w"))
    # Only the run shows the number of parts.
    signal = h.make_tensor_value_info("X", T.FLOAT, ["batch", "length", "parts"])
    for parts in (1, 2):
        step, length = h.make_tensor("step", T.INT64, [], [3]), h.make_tensor("length", T.INT64, [], [8])
        graph = h.make_graph([h.make_node("STFT", ["X", "step", "", "length"], ["Y"], onesided=2 - parts)], "g", [signal],
                             [h.make_tensor_value_info("Y", T.FLOAT, None)], [step, length])
        written(f"stft_{parts}_parts", h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=9), {"X": f(2, 20, parts)})
    # Images whose channels are the last axis, as ONNX Runtime's optimizer makes them.
    parameters = [("a", scalar(0.1)), ("za", zero(100)), ("c", scalar(0.07)), ("zc", zero(90))]
    node("nhwc_max_pool", "NhwcMaxPool", [("X", u8(2, 5, 6, 3))], [("Y", T.UINT8)], kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1])
    node("qlinear_average_pool_last", "QLinearAveragePool", [("A", u8(1, 5, 5, 2)), *parameters], [("C", T.UINT8)], constants=names, kernel_shape=[3, 3],
         pads=[1, 1, 1, 1], channels_last=1)
    node("qlinear_global_average_pool_last", "QLinearGlobalAveragePool", [("A", u8(2, 5, 4, 3)), *parameters], [("C", T.UINT8)], constants=names, channels_last=1)
    for last in (0, 1):
        shape = (1, 6, 7, 4) if last else (1, 4, 6, 7)
        node(f"microsoft_qlinear_conv_{last}", "QLinearConv", [("X", u8(*shape)), ("x", scalar(0.1)), ("zx", zero(120)), ("W", i8(6, 2, 3, 3)), ("w", np.abs(f(6)) / 9),
             ("zw", np.zeros(6, np.int8)), ("y", scalar(0.5)), ("zy", zero(100)), ("B", rng.integers(-99, 99, 6).astype(np.int32))],
             [("Y", T.UINT8)], group=2, pads=[1, 1, 1, 1], strides=[2, 1], channels_last=last, constants=("W", "x", "w", "y", "zx", "zw", "zy", "B"))


def unordered():
    """Models whose nodes are in no topological order, which ONNX Runtime reads: converters to float16 append their casts."""
    x = h.make_tensor_value_info("x", T.FLOAT, [2, 3])
    flag = h.make_tensor_value_info("flag", T.BOOL, [])
    y = h.make_tensor_value_info("y", T.FLOAT, None)
    one = h.make_tensor("one", T.FLOAT16, [], [1.0])
    nodes = [
        h.make_node("Add", ["x16", "one"], ["sum16"]),
        h.make_node("Mul", ["sum16", "later"], ["product16"]),
        h.make_node("Cast", ["product16"], ["y"], to=T.FLOAT),
        h.make_node("Neg", ["x16"], ["later"]),
        h.make_node("Cast", ["x"], ["x16"], to=T.FLOAT16),
    ]
    graph = h.make_graph(nodes, "g", [x], [y], [one])
    written("unordered", h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=9), {"x": f(2, 3)}, 1e-3, 1e-3)
    # A body uses a value of the graph around it that is computed later.
    branch = lambda name, op: h.make_graph([h.make_node(op, ["later"], [name])], name, [], [h.make_tensor_value_info(name, T.FLOAT, None)])
    nodes = [h.make_node("If", ["flag"], ["y"], then_branch=branch("a", "Exp"), else_branch=branch("b", "Neg")), h.make_node("Abs", ["x"], ["later"])]
    graph = h.make_graph(nodes, "g", [x, flag], [y])
    written("unordered_body", h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=9), {"x": f(2, 3), "flag": np.array(True)})


def corners():
    """Corner cases that models in use have."""
    for name, dtype, bounds in [("ints", np.int64, (5, 2, 1)), ("down", np.int32, (-3, 2, -2)), ("floats", np.float32, (5, 2, 1))]:
        node(f"range_of_none_{name}", "Range", [(n, np.array(v, dtype)) for n, v in zip(("start", "limit", "delta"), bounds)], [("Y", elem(dtype(0)))], "")
    node("range_down", "Range", [(n, np.array(v, np.int64)) for n, v in zip(("start", "limit", "delta"), (7, -4, -3))], [("Y", T.INT64)], "")
    node("feature_vectorizer_ranks", "FeatureVectorizer", [("a", f(1, 1, 3)), ("b", f(2)), ("c", f(1, 2))], [("Y", T.FLOAT)], "ai.onnx.ml", inputdimensions=[3, 2, 2])
    # Not an even length beyond twice the frequencies, where ONNX Runtime differs from the standard.
    for length in (6, 9):
        node(f"irdft_{length}", "DFT", [("X", f(2, 5, 2)), ("length", np.array(length, np.int64))], [("Y", T.FLOAT)], "", constants=("length",), axis=1, inverse=1, onesided=1)
    node("irdft_padded", "DFT", [("X", f(2, 5, 2)), ("length", np.array(21, np.int64))], [("Y", T.FLOAT)], "", constants=("length",), axis=1, inverse=1, onesided=1)


class Network:
    """A model of several nodes: each method adds one and returns the name of its output."""

    def __init__(self, **inputs):
        self.feeds, self.nodes, self.constants = inputs, [], []

    def __getattr__(self, op):
        def add(*inputs, outputs=1, **attrs):
            names = [self.constant(x) if isinstance(x, (np.ndarray, np.generic)) else x for x in inputs]
            made = [f"{op}_{len(self.nodes)}_{i}" for i in range(outputs)]
            self.nodes.append(h.make_node(op, names, made, name=f"{op}_{len(self.nodes)}", **attrs))
            return made if outputs > 1 else made[0]

        return add

    def constant(self, array):
        self.constants.append(numpy_helper.from_array(np.asarray(array), f"c{len(self.constants)}"))
        return self.constants[-1].name

    def written(self, name, *outputs, sizes=True, rtol=1e-4, atol=1e-4):
        shape = lambda a: a.shape if sizes else [None] * a.ndim
        inputs = [h.make_tensor_value_info(k, elem(a), shape(a)) for k, a in self.feeds.items()]
        results = [h.make_empty_tensor_value_info(k) for k in outputs]
        graph = h.make_graph(self.nodes, "g", inputs, results, self.constants)
        graph = h.make_model(graph, opset_imports=[h.make_opsetid("", 18)], ir_version=9)
        for result in onnx.shape_inference.infer_shapes(graph).graph.value_info:
            if result.name in outputs:
                kind = result.type.tensor_type.elem_type
                graph.graph.output[outputs.index(result.name)].CopyFrom(h.make_tensor_value_info(result.name, kind, None))
        for i, k in enumerate(outputs):
            if not graph.graph.output[i].type.tensor_type.elem_type:
                graph.graph.output[i].CopyFrom(h.make_tensor_value_info(k, T.FLOAT, None))
        written(name, graph, self.feeds, rtol, atol)


def images():
    """Networks of convolutions, which are computed with their channels last, with known and unknown sizes."""
    for sizes in [True, False]:
        suffix = "" if sizes else "_dynamic"
        n = Network(x=f(2, 3, 13, 11))
        y = n.Conv("x", f(8, 3, 3, 3) / 5, f(8), strides=[2, 2], pads=[1, 1, 0, 1])
        y = n.Relu(n.BatchNormalization(y, f(8), f(8), f(8), f(8) ** 2 + 0.5))
        y = n.MaxPool(y, kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1], ceil_mode=1)
        a = n.Conv(y, f(8, 8, 1, 1) / 3)
        b = n.Conv(y, f(8, 1, 3, 3) / 3, f(8), group=8, pads=[1, 1, 1, 1])
        c = n.Concat(n.Add(a, b), y, axis=-3)
        left, right = n.Split(c, np.array([5, 11]), axis=1, outputs=2)
        y = n.Conv(right, f(4, 11, 2, 2) / 6, auto_pad="SAME_LOWER", dilations=[1, 1])
        z = n.Flatten(n.GlobalAveragePool(y))
        averages = n.AveragePool(left, kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=0)
        padded = n.AveragePool(left, kernel_shape=[2, 3], strides=[1, 2], pads=[0, 1, 1, 0], count_include_pad=1)
        n.written("images_residual" + suffix, y, n.Gemm(z, f(4, 5)), averages, padded, n.GlobalMaxPool(c), sizes=sizes)

        n = Network(x=f(2, 4, 6, 5))
        y = n.Conv("x", f(4, 4, 3, 3) / 6, pads=[1, 1, 1, 1])
        gate = n.Relu(n.Conv(n.GlobalAveragePool(y), f(2, 4, 1, 1)))
        gate = n.HardSigmoid(n.Conv(gate, f(4, 2, 1, 1), f(4)), alpha=1 / 6, beta=0.5)
        y = n.Mul(gate, y)
        three, six, zero = np.float32(3), np.float32(6), np.float32(0)
        clipped = n.Clip(n.Add(y, three), zero, six)
        y = n.Div(n.Mul(y, clipped), six)
        swish = n.HardSwish(n.Conv(y, f(4, 4, 1, 1), f(4)))
        y = n.PRelu(n.Add(swish, f(4, 1, 1)), f(4, 1, 1))
        y = n.Sub(n.Mul(y, f(5)), n.Add(f(6, 5), y))
        y = n.Where(n.Greater(y, zero), y, n.Max(swish, f(1, 4, 1, 1)))
        y = n.LRN(n.InstanceNormalization(y, f(4), f(4)), size=3)
        n.written("images_gates" + suffix, y, swish, sizes=sizes)

        n = Network(x=f(1, 3, 7, 8))
        y = n.Conv("x", f(6, 3, 3, 3) / 5)
        y = n.Pad(y, np.array([0, 1, 1, 2, 0, 0, 2, 0]), mode="reflect")
        y = n.Slice(y, np.array([1, -1]), np.array([6, -9]), np.array([1, 3]), np.array([2, -1]))
        small = n.Slice(n.Shape(n.MaxPool("x", kernel_shape=[2, 2])), np.array([2]), np.array([4]))
        sizes_of = n.Concat(n.Slice(n.Shape(y), np.array([0]), np.array([2])), small, axis=0)
        resized = n.Resize(y, "", "", sizes_of, mode="linear")
        nearest = n.Resize(y, "", np.array([1, 1, 2, 1.5], np.float32), mode="nearest")
        last = n.Softmax(n.Transpose(resized, perm=[0, 2, 3, 1]), axis=-1)
        first = n.Conv(n.Transpose(last, perm=[0, 3, 1, 2]), f(2, 3, 1, 1))
        means = n.ReduceMean(first, np.array([2, 3]), keepdims=0)
        sums = n.ReduceSum(first, np.array([0, 2]), keepdims=0)
        best = n.Cast(n.ArgMax(first, axis=1, keepdims=0), to=T.FLOAT)
        turned = n.Transpose(first, perm=[3, 1, 0, 2])
        tiled = n.Tile(n.Reshape(first, np.array([0, 2, -1])), np.array([1, 2, 1]))
        n.written("images_moves" + suffix, first, nearest, means, sums, best, turned, tiled, sizes=sizes)

        n = Network(x=f(2, 3, 16))
        y = n.Relu(n.Conv("x", f(5, 3, 4) / 3, f(5), strides=[2], pads=[1, 2]))
        y = n.ConvTranspose(y, f(5, 4, 3) / 3, f(4), strides=[2], pads=[1, 0])
        y = n.Squeeze(n.Tanh(n.Unsqueeze(y, np.array([2]))), np.array([2]))
        y = n.Add(y, n.Conv(y, f(4, 1, 3), group=4, pads=[1, 1]))
        n.written("signals" + suffix, y, n.ReduceMax(y, np.array([2]), keepdims=0), n.Reshape(y, np.array([2, -1])), sizes=sizes)

        n = Network(x=f(2, 4, 6, 7))
        codes, scale, zero = n.DynamicQuantizeLinear("x", outputs=3)
        weights = rng.integers(-64, 64, (6, 4, 3, 2)).astype(np.int8)
        parts = [n.ConvInteger(codes, weights, zero, np.int8(0), pads=[1, 1, 1, 0], strides=[1, 2])]
        weights = rng.integers(0, 128, (4, 1, 3, 3)).astype(np.uint8)
        parts.append(n.ConvInteger(codes, weights, zero, np.uint8(70), group=4, dilations=[2, 2], pads=[2, 2, 2, 2]))
        weights = rng.integers(0, 128, (6, 2, 1, 3)).astype(np.uint8)
        parts.append(n.ConvInteger(codes, weights, zero, np.uint8(70), group=2))
        n.written("images_integer" + suffix, *[n.Mul(n.Cast(y, to=T.FLOAT), scale) for y in parts], sizes=sizes)

        n = Network(x=f(1, 3, 9, 8))
        scales, zeros = np.array([0.02, 0.03, 0.04], np.float32), np.array([3, 0, -5], np.int8)
        y = n.DequantizeLinear(n.QuantizeLinear("x", scales, zeros), scales, zeros)
        filters = rng.integers(-127, 127, (4, 3, 3, 3)).astype(np.int8)
        filters = n.DequantizeLinear(filters, np.array([0.01, 0.02, 0.03, 0.01], np.float32), axis=0)
        y = n.Relu(n.Conv(y, filters, f(4)))
        y = n.DequantizeLinear(n.QuantizeLinear(y, np.float32(0.25), np.uint8(3)), np.float32(0.25), np.uint8(3))
        n.written("images_quantized" + suffix, n.MaxPool(y, kernel_shape=[2, 2], strides=[2, 2]), sizes=sizes, atol=0.26)

        n = Network(x=f(2, 3, 8, 6))
        wide = n.Conv("x", f(4, 3, 2, 2), strides=[2, 2])
        narrow = n.Conv(wide, f(4, 4, 2, 3), strides=[2, 3])
        rows = [n.Reshape(wide, np.array([2, 4, -1])), n.Reshape(narrow, np.array([-1, 4, 2])), n.Reshape(narrow, np.array([0, 0, -1]))]
        tokens = n.Transpose(n.Concat(*rows, axis=2), perm=[0, 2, 1])
        other = n.Reshape(wide, np.array([2, -1, 6]))
        n.written("images_tokens" + suffix, n.MatMul(tokens, f(4, 5)), n.Flatten(wide, axis=2), other, sizes=sizes)


GROUPS = [sklearn_models, classical, microsoft, runtime_only, quantized, unordered, corners, images]


def packed_before(path):
    """The cases of a packed file."""
    data, at, parts = gzip.open(path).read(), 0, []
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        parts.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    cases = {}
    for file, content in zip(parts[::2], parts[1::2]):
        name, file = file.decode().split("/", 1)
        cases.setdefault(name, {})[file] = content
    return cases


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "runtime.bin.gz")
    added = sys.argv[2:] if sys.argv[1] == "--add" else None
    for group in GROUPS:
        if added is None or group.__name__ in added:
            group()
    print(len(CASES), "cases", file=sys.stderr)
    if sys.argv[1] in ("--sample", "--add"):
        if added is not None:
            CASES.update({name: files for name, files in packed_before(path).items() if name not in CASES})
        small = {name: files for name, files in CASES.items() if sum(map(len, files.values())) < 12_000}
        with gzip.GzipFile(path, "wb", mtime=0) as out:
            for name, files in sorted(small.items()):
                for file, data in sorted(files.items()):
                    for part in (f"{name}/{file}".encode(), data):
                        out.write(struct.pack("<I", len(part)) + part)
        return
    for name, files in CASES.items():
        for file, data in files.items():
            path = os.path.join(sys.argv[1], name, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(data)


main()
