//! Every form in which a file may give a value.

mod common;

use common::{attr, read, registry};
use levada_graph::{
    AttrList, AttrValue, Bytes, Complex32, Complex64, DType, EncodedVariant, Tensor, Variant, bf16, f16,
};
use levada_graph::{Code, Element, QueueRunnerDef, collections, read, write};

fn tensor(json: &str) -> Tensor {
    read::tensor_from_json(&serde_json::from_str(json).unwrap()).unwrap_or_else(|e| panic!("{json}: {e}"))
}

fn values<T: Element>(json: &str) -> Vec<T> {
    tensor(json).slice::<T>().unwrap().to_vec()
}

#[test]
fn typed_lists() {
    let vector = |dtype: &str, n: usize, list: &str| {
        format!(r#"{{"dtype": "{dtype}", "tensorShape": {{"dim": [{{"size": "{n}"}}]}}, {list}}}"#)
    };
    assert_eq!(values::<f32>(&vector("DT_FLOAT", 2, r#""floatVal": [1.5, -2]"#)), [1.5, -2.0]);
    assert_eq!(values::<f64>(&vector("DT_DOUBLE", 2, r#""doubleVal": [0.1, "1e300"]"#)), [0.1, 1e300]);
    assert_eq!(values::<i32>(&vector("DT_INT32", 2, r#""intVal": [1.0, "-2"]"#)), [1, -2]);
    assert_eq!(values::<i8>(&vector("DT_INT8", 2, r#""intVal": [300, -200]"#)), [44, 56]);
    assert_eq!(values::<u8>(&vector("DT_UINT8", 1, r#""intVal": [255]"#)), [255]);
    assert_eq!(values::<i16>(&vector("DT_INT16", 1, r#""intVal": [-3]"#)), [-3]);
    assert_eq!(values::<u16>(&vector("DT_UINT16", 1, r#""intVal": [65535]"#)), [65535]);
    assert_eq!(
        values::<i64>(&vector("DT_INT64", 2, r#""int64Val": ["9223372036854775807", -9223372036854775808]"#)),
        [i64::MAX, i64::MIN]
    );
    assert_eq!(values::<u32>(&vector("DT_UINT32", 1, r#""uint32Val": [4294967295]"#)), [u32::MAX]);
    assert_eq!(values::<u64>(&vector("DT_UINT64", 1, r#""uint64Val": ["18446744073709551615"]"#)), [u64::MAX]);
    assert_eq!(values::<u64>(&vector("DT_UINT64", 1, r#""uint64_val": [18446744073709551615]"#)), [u64::MAX]);
    assert_eq!(values::<bool>(&vector("DT_BOOL", 2, r#""boolVal": [true, false]"#)), [true, false]);
    assert_eq!(values::<Bytes>(&vector("DT_STRING", 2, r#""stringVal": ["YQ==", "_-8"]"#)), [&b"a"[..], b"\xff\xef"]);
    assert_eq!(
        values::<f16>(&vector("DT_HALF", 2, r#""halfVal": [15360, 49152]"#)),
        [f16::from_f32(1.0), f16::from_f32(-2.0)]
    );
    assert_eq!(
        values::<bf16>(&vector("DT_BFLOAT16", 2, r#""halfVal": [16256, 49152]"#)),
        [bf16::from_f32(1.0), bf16::from_f32(-2.0)]
    );
    assert_eq!(
        values::<Complex32>(&vector("DT_COMPLEX64", 2, r#""scomplexVal": [1, 2, 3, 4]"#)),
        [Complex32::new(1.0, 2.0), Complex32::new(3.0, 4.0)]
    );
    assert_eq!(
        values::<Complex64>(&vector("DT_COMPLEX128", 2, r#""dcomplexVal": [1, 2, 3]"#)),
        [Complex64::new(1.0, 2.0), Complex64::new(1.0, 2.0)]
    );
    let quantized = tensor(&vector("DT_QINT8", 2, r#""intVal": [-1, 2]"#));
    assert_eq!((quantized.dtype(), quantized.slice::<i8>().unwrap()), (DType::QI8, &[-1, 2][..]));
}

#[test]
fn the_last_value_is_repeated_and_surplus_ignored() {
    let three = r#""tensorShape": {"dim": [{"size": "3"}]}"#;
    assert_eq!(values::<i32>(&format!(r#"{{"dtype": 3, {three}, "intVal": [1, 2]}}"#)), [1, 2, 2]);
    assert_eq!(values::<i32>(&format!(r#"{{"dtype": 3, {three}, "intVal": [1, 2, 3, 4]}}"#)), [1, 2, 3]);
    assert_eq!(values::<i32>(&format!(r#"{{"dtype": 3, {three}, "intVal": []}}"#)), [0, 0, 0]);
    assert_eq!(values::<f16>(&format!(r#"{{"dtype": "DT_HALF", {three}}}"#)), [f16::ZERO; 3]);
    assert_eq!(
        values::<Bytes>(&format!(r#"{{"dtype": "DT_STRING", {three}}}"#)),
        [Bytes::new(), Bytes::new(), Bytes::new()]
    );
    assert_eq!(values::<bool>(&format!(r#"{{"dtype": "DT_BOOL", {three}, "boolVal": null}}"#)), [false; 3]);
    assert_eq!(values::<f32>(r#"{"dtype": "DT_FLOAT", "tensorShape": {"dim": [{}]}, "floatVal": [1]}"#), [0.0f32; 0]);
    assert_eq!(values::<f32>(r#"{"dtype": "DT_FLOAT", "floatVal": ["NaN"]}"#)[0].to_bits(), f32::NAN.to_bits());
    assert_eq!(
        values::<f32>(
            r#"{"dtype": "DT_FLOAT", "tensor_shape": {"dim": [{"size": 2, "name": "n"}]}, "float_val": ["Infinity", "-Infinity"]}"#
        ),
        [f32::INFINITY, f32::NEG_INFINITY]
    );
}

#[test]
fn content_is_bytes() {
    assert_eq!(values::<f32>(r#"{"dtype": "DT_FLOAT", "tensorContent": "AACAPw=="}"#), [1.0]);
    assert_eq!(values::<f32>(r#"{"dtype": "DT_FLOAT", "tensor_content": "AACAPw", "floatVal": [7]}"#), [1.0]);
    let shape = r#""tensorShape": {"dim": [{"size": "2"}]}"#;
    assert_eq!(values::<bool>(&format!(r#"{{"dtype": "DT_BOOL", {shape}, "tensorContent": "AAI="}}"#)), [false, true]);
    assert_eq!(
        values::<Bytes>(&format!(r#"{{"dtype": "DT_STRING", {shape}, "tensorContent": "AQJhYmM="}}"#)),
        [&b"a"[..], b"bc"]
    );
    for content in ["AQJhYg==", "AQJhYmNk", "/////w==", "gICAgIABAQ==", "!", "AA"] {
        let json = format!(r#"{{"dtype": "DT_STRING", {shape}, "tensorContent": "{content}"}}"#);
        read::tensor_from_json(&serde_json::from_str(&json).unwrap()).unwrap_err();
        let json = format!(r#"{{"dtype": "DT_INT32", {shape}, "tensorContent": "{content}"}}"#);
        read::tensor_from_json(&serde_json::from_str(&json).unwrap()).unwrap_err();
    }
}

#[test]
fn variants_are_kept_encoded_and_resources_refused() {
    let json =
        r#"{"dtype": "DT_VARIANT", "tensorShape": {}, "variantVal": [{"typeName": "int", "metadata": "AAAAAA=="}]}"#;
    let value = tensor(json);
    let variants = value.slice::<Variant>().unwrap();
    assert_eq!(variants[0].get::<EncodedVariant>().unwrap().type_name, "int");
    assert_eq!(write::tensor_to_json(&value).unwrap(), serde_json::from_str::<serde_json::Value>(json).unwrap());
    let handle = r#"{"dtype": "DT_RESOURCE", "tensorShape": {}, "resourceHandleVal": [{"name": "v"}]}"#;
    let error = read::tensor_from_json(&serde_json::from_str(handle).unwrap()).unwrap_err();
    assert_eq!(error.code(), levada_graph::Code::Unimplemented);
}

#[test]
fn every_kind_of_attr_value_in_the_long_form() {
    let text = r#"{"node": [{"name": "a", "op": "NoOp", "attr": {
        "_s": {"s": "aGk="}, "_i": {"i": "-3"}, "_f": {"f": 0.1}, "_nan": {"f": "NaN"}, "_b": {"b": true},
        "_type": {"type": "DT_FLOAT_REF"}, "_number": {"type": 101}, "_shape": {"shape": {"dim": [{"size": "-1"}, {"size": 3}]}},
        "_unknown": {"shape": {"unknown_rank": true}}, "_scalar": {"shape": {}},
        "_tensor": {"tensor": {"dtype": "DT_INT32", "intVal": [7]}},
        "_func": {"func": {"name": "f", "attr": {"T": {"type": 1}}}}, "_placeholder": {"placeholder": "T"},
        "_empty": {"list": {}}, "_nothing": {}, "_null": null,
        "_ls": {"list": {"s": ["aGk="]}}, "_li": {"list": {"i": [1, "2"]}}, "_lf": {"list": {"f": [1, 2.5]}},
        "_lb": {"list": {"b": [true]}}, "_ltype": {"list": {"type": ["DT_INT32", 9]}},
        "_lshape": {"list": {"shape": [{}, {"unknownRank": true}]}},
        "_ltensor": {"list": {"tensor": [{"dtype": "DT_FLOAT"}]}}, "_lfunc": {"list": {"func": [{"name": "g"}]}}
    }}]}"#;
    let (def, _) = read::parse_json(text.as_bytes(), None).unwrap();
    let attrs = &def.nodes[0].attrs;
    assert_eq!(attrs.len(), 22, "absent values are left out");
    assert_eq!(attrs.get("_number"), attrs.get("_type"));
    assert_eq!(attrs.get("_empty"), Some(&AttrValue::List(AttrList::Empty)));
    assert_eq!(attrs.get("_f"), Some(&AttrValue::F(0.1)));
    let canonical = write::json(&def).unwrap();
    let line = r#"    {"name": "a", "op": "NoOp", "attr": {"_b": {"b": true}, "_empty": {"list": {}}, "_f": {"f": 0.1}, "_func": {"func": {"name": "f", "attr": {"T": {"type": "DT_FLOAT"}}}}, "_i": {"i": "-3"}, "_lb": {"list": {"b": [true]}}, "_lf": {"list": {"f": [1.0, 2.5]}}, "_lfunc": {"list": {"func": [{"name": "g"}]}}, "_li": {"list": {"i": ["1", "2"]}}, "_ls": {"list": {"s": ["aGk="]}}, "_lshape": {"list": {"shape": [{}, {"unknownRank": true}]}}, "_ltensor": {"list": {"tensor": [{"dtype": "DT_FLOAT", "tensorShape": {}, "floatVal": [0.0]}]}}, "_ltype": {"list": {"type": ["DT_INT32", "DT_INT64"]}}, "_nan": {"f": "NaN"}, "_number": {"type": "DT_FLOAT_REF"}, "_placeholder": {"placeholder": "T"}, "_s": {"s": "aGk="}, "_scalar": {"shape": {}}, "_shape": {"shape": {"dim": [{"size": "-1"}, {"size": "3"}]}}, "_tensor": {"tensor": {"dtype": "DT_INT32", "tensorShape": {}, "intVal": [7]}}, "_type": {"type": "DT_FLOAT_REF"}, "_unknown": {"shape": {"unknownRank": true}}}}"#;
    assert_eq!(canonical.lines().nth(2).unwrap(), line);
    let back = read::parse_pb(&write::pb(&def).unwrap()).unwrap();
    assert_eq!(write::json(&back).unwrap(), canonical);
}

#[test]
fn the_short_form() {
    let lines = [
        r#"{"name": "f", "op": "Const", "attr": {"value": [[1, 2.5], [3, 4]]}}"#,
        r#"{"name": "i", "op": "Const", "attr": {"value": [1, 2]}}"#,
        r#"{"name": "b", "op": "Const", "attr": {"value": true}}"#,
        r#"{"name": "s", "op": "Const", "attr": {"value": ["SAME", "é"]}}"#,
        r#"{"name": "h", "op": "Const", "attr": {"dtype": "half", "value": [0.1, "NaN", "-Infinity"]}}"#,
        r#"{"name": "c", "op": "Const", "attr": {"dtype": "complex64", "value": [1, "2-0.5j"]}}"#,
        r#"{"name": "l", "op": "Const", "attr": {"value": [5], "dtype": "int64"}}"#,
        r#"{"name": "none", "op": "Const", "attr": {"dtype": "float32", "value": [[], []]}}"#,
        r#"{"name": "x", "op": "Placeholder", "attr": {"dtype": "DT_FLOAT", "shape": [null, -1, 3]}}"#,
        r#"{"name": "y", "op": "Placeholder", "attr": {"dtype": {"type": 1}, "shape": null}}"#,
        r#"{"name": "m", "op": "MatMul", "input": ["x", "y"], "attr": {"transpose_b": true, "transpose_a": {"b": false}}}"#,
        r#"{"name": "p", "op": "MaxPool", "input": ["m"], "attr": {"ksize": [1, 2, 2, 1], "strides": {"list": {"i": [1, 1, 1, 1]}}, "padding": "SAME"}}"#,
        r#"{"name": "n", "op": "IdentityN", "input": ["x", "i"]}"#,
        r#"{"name": "r", "op": "LeakyRelu", "input": ["x"], "attr": {"alpha": 1}}"#,
        r#"{"name": "q", "op": "Queue", "attr": {"component_types": ["float32", "string"], "shapes": [[2, null], null], "shared_name": "queue", "_class": ["loc:@x"], "_mark": 3}}"#,
        r#"{"name": "w", "op": "If", "input": ["b", "i"], "attr": {"Tout": [], "then_branch": "yes", "else_branch": {"name": "no", "attr": {"T": {"type": "DT_FLOAT"}}}}}"#,
        r#"{"name": "cast", "op": "Cast", "input": ["i"], "attr": {"DstT": "bool"}}"#,
        r#"{"name": "add", "op": "AddN", "input": ["x", "y", "m"]}"#,
    ];
    let functions = r#""library": {"function": [{"signature": {"name": "yes"}}, {"signature": {"name": "no"}}]}"#;
    let graph = read(&format!("{{\"node\": [\n{}\n], {functions}}}", lines.join(",\n"))).unwrap();
    let value = |name: &str| attr(&graph, name, "value");
    assert_eq!(
        value("f"),
        r#"{"tensor": {"dtype": "DT_FLOAT", "tensorShape": {"dim": [{"size": "2"}, {"size": "2"}]}, "floatVal": [1.0, 2.5, 3.0, 4.0]}}"#
    );
    assert_eq!(
        value("i"),
        r#"{"tensor": {"dtype": "DT_INT32", "tensorShape": {"dim": [{"size": "2"}]}, "intVal": [1, 2]}}"#
    );
    assert_eq!(value("b"), r#"{"tensor": {"dtype": "DT_BOOL", "tensorShape": {}, "boolVal": [true]}}"#);
    assert_eq!(
        value("s"),
        r#"{"tensor": {"dtype": "DT_STRING", "tensorShape": {"dim": [{"size": "2"}]}, "stringVal": ["U0FNRQ==", "w6k="]}}"#
    );
    assert_eq!(
        value("h"),
        r#"{"tensor": {"dtype": "DT_HALF", "tensorShape": {"dim": [{"size": "3"}]}, "halfVal": [11878, 32256, 64512]}}"#
    );
    assert_eq!(
        value("c"),
        r#"{"tensor": {"dtype": "DT_COMPLEX64", "tensorShape": {"dim": [{"size": "2"}]}, "scomplexVal": [1.0, 0.0, 2.0, -0.5]}}"#
    );
    assert_eq!(
        value("l"),
        r#"{"tensor": {"dtype": "DT_INT64", "tensorShape": {"dim": [{"size": "1"}]}, "int64Val": ["5"]}}"#
    );
    assert_eq!(
        value("none"),
        r#"{"tensor": {"dtype": "DT_FLOAT", "tensorShape": {"dim": [{"size": "2"}, {"size": "0"}]}}}"#
    );
    assert_eq!(attr(&graph, "f", "dtype"), r#"{"type": "DT_FLOAT"}"#);
    assert_eq!(attr(&graph, "x", "shape"), r#"{"shape": {"dim": [{"size": "-1"}, {"size": "-1"}, {"size": "3"}]}}"#);
    assert_eq!(attr(&graph, "m", "T"), r#"{"type": "DT_FLOAT"}"#);
    assert_eq!(attr(&graph, "p", "ksize"), r#"{"list": {"i": ["1", "2", "2", "1"]}}"#);
    assert_eq!(attr(&graph, "p", "padding"), r#"{"s": "U0FNRQ=="}"#);
    assert_eq!(attr(&graph, "n", "T"), r#"{"list": {"type": ["DT_FLOAT", "DT_INT32"]}}"#);
    assert_eq!(attr(&graph, "r", "alpha"), r#"{"f": 1.0}"#);
    assert_eq!(
        attr(&graph, "q", "shapes"),
        r#"{"list": {"shape": [{"dim": [{"size": "2"}, {"size": "-1"}]}, {"unknownRank": true}]}}"#
    );
    assert_eq!(attr(&graph, "q", "_class"), r#"{"list": {"s": ["bG9jOkB4"]}}"#);
    assert_eq!(attr(&graph, "q", "_mark"), r#"{"i": "3"}"#);
    assert_eq!(attr(&graph, "w", "then_branch"), r#"{"func": {"name": "yes"}}"#);
    assert_eq!(attr(&graph, "w", "else_branch"), r#"{"func": {"name": "no", "attr": {"T": {"type": "DT_FLOAT"}}}}"#);
    assert_eq!(attr(&graph, "w", "Tin"), r#"{"list": {"type": ["DT_INT32"]}}"#);
    assert_eq!(attr(&graph, "cast", "SrcT"), r#"{"type": "DT_INT32"}"#);
    assert_eq!(attr(&graph, "add", "N"), r#"{"i": "3"}"#);
}

#[test]
fn strings_of_the_short_form_may_be_bytes_in_base64() {
    let plain = |json: &str, dtype| read::tensor_from_plain(&serde_json::from_str(json).unwrap(), dtype);
    let mixed = plain(r#"["a", {"base64": "_-8"}, {"b64": "YQ=="}]"#, None).unwrap();
    assert_eq!(mixed.slice::<Bytes>().unwrap(), [&b"a"[..], b"\xff\xef", b"a"]);
    let scalar = plain(r#"{"base64": ""}"#, Some(DType::Str)).unwrap();
    assert_eq!((scalar.shape().rank(), scalar.slice::<Bytes>().unwrap()), (0, &[Bytes::new()][..]));
    for (json, message) in [
        (r#"{"base64": "?"}"#, "the bytes are not in base64"),
        (r#"{"text": "a"}"#, "a string has no field \"text\""),
        ("{}", "this is not a string"),
        ("[1]", "this is not a string"),
    ] {
        assert_eq!(plain(json, Some(DType::Str)).unwrap_err().message(), message, "{json}");
    }
    assert_eq!(plain(r#"{"base64": ""}"#, Some(DType::F32)).unwrap_err().code(), Code::InvalidArgument);
}

#[test]
fn wrappers_and_old_fields() {
    let graph = read(
        r#"{"metaInfoDef": {"tags": ["serve"]}, "graphDef": {"node": [{"name": "a", "op": "NoOp"}], "version": 21}}"#,
    );
    let graph = graph.unwrap();
    assert_eq!((graph.len(), graph.versions.producer), (1, 21));
    let error = read("{\"graphDef\": {\"node\": [\n{\"name\": \"a\", \"op\": \"NoOpp\"}]}}").unwrap_err();
    assert_eq!(error.fault().line, Some(2));
    assert_eq!(read("{}").unwrap().len(), 0);
    assert_eq!(
        read(r#"{"node": null, "library": null, "versions": {}, "debugInfo": {"files": []}}"#).unwrap().len(),
        0
    );
    let marked =
        [b"\xef\xbb\xbf", &br#"{"node": [{"name": "a", "op": "NoOp", "experimentalDebugInfo": {}}]}"#[..]].concat();
    assert_eq!(read::bytes(&marked, &registry()).unwrap().len(), 1);
}

#[test]
fn collections_beside_the_graph() {
    let text = r#"{"graphDef": {"node": [{"name": "a", "op": "NoOp"}]}, "metaInfoDef": {}, "collectionDef": {
      "queue_runners": {"bytesList": {"value": ["CgJxMRICZTESAmUxGgJjMSICeDEqAgsB"]}},
      "local_init_op": {"nodeList": {"value": ["a"]}}, "steps": {"int64List": {"value": ["7"]}},
      "rates": {"floatList": {"value": [0.5]}}, "odd": {"anyList": {"value": [{"@type": "t"}]}}}}"#;
    let graph = read(text).unwrap();
    let runner = QueueRunnerDef {
        queue: "q1".into(),
        enqueue: vec!["e1".into(), "e1".into()],
        close: "c1".into(),
        cancel: "x1".into(),
        closed_by: vec![Code::OutOfRange, Code::Cancelled],
    };
    assert_eq!(collections::queue_runners(&graph.collections).unwrap(), [runner]);
    assert_eq!(collections::nodes(&graph.collections, "local_init_op"), ["a"]);
    assert_eq!(graph.collections.len(), 4);
    let def = graph.to_def();
    let json = write::json(&def).unwrap();
    assert_eq!(read::parse(json.as_bytes(), None).unwrap(), def);
    assert_eq!(read::parse(&write::pb(&def).unwrap(), None).unwrap(), def);

    let short = r#"{"node": [{"name": "a", "op": "NoOp"}], "collectionDef": {"local_init_op": ["a"], "queue_runners": [
      {"queueName": "q", "enqueueOpName": ["e"], "closeOpName": "c", "cancelOpName": "x"}]}}"#;
    let runners = collections::queue_runners(&read(short).unwrap().collections).unwrap();
    assert_eq!((runners[0].queue.as_str(), &runners[0].closed_by[..]), ("q", &[Code::OutOfRange][..]));

    let wrong = "{\"node\": [], \"collectionDef\": {\"queue_runners\": [\n{\"queueNam\": \"q\"}]}}";
    let error = read(wrong).unwrap_err();
    assert_eq!((error.fault().line, error.fault().help.as_deref()), (Some(2), Some("did you mean \"queueName\"?")));
}

#[test]
fn signatures_and_the_saver_beside_the_graph() {
    let text = r#"{"graphDef": {"node": [{"name": "a", "op": "NoOp"}]},
      "saverDef": {"filenameTensorName": "save/Const:0", "saveTensorName": "save/control_dependency:0",
        "restoreOpName": "save/restore_all", "maxToKeep": 5, "keepCheckpointEveryNHours": 10000.0, "version": "V2"},
      "signatureDef": {"serving_default": {"methodName": "tensorflow/serving/predict",
        "inputs": {"x": {"name": "x:0", "dtype": "DT_FLOAT", "tensorShape": {"dim": [{"size": "-1"}, {"size": "4"}]}}},
        "outputs": {"y": {"name": "y:0", "dtype": "DT_INT32", "tensorShape": {"unknownRank": true}}}}}}"#;
    let def = read(text).unwrap().to_def();
    let signature = &def.meta.signatures["serving_default"];
    let (x, y) = (&signature.inputs["x"], &signature.outputs["y"]);
    assert_eq!((x.endpoint.as_str(), x.shape.to_string().as_str()), ("x:0", "[?,4]"));
    assert_eq!((y.endpoint.as_str(), y.shape.rank()), ("y:0", None));
    assert_eq!(signature.method, "tensorflow/serving/predict");
    assert_eq!(def.meta.saver.as_ref().unwrap().restore, "save/restore_all");
    let json = write::json(&def).unwrap();
    assert_eq!(read::parse(json.as_bytes(), None).unwrap(), def);
    assert_eq!(read::parse(&write::pb(&def).unwrap(), None).unwrap(), def);

    let wrong = "{\"graphDef\": {\"node\": []}, \"signatureDef\": {\"s\": {\n\"input\": {}}}}";
    let error = read(wrong).unwrap_err();
    assert_eq!((error.fault().line, error.fault().help.as_deref()), (Some(2), Some("did you mean \"inputs\"?")));
}

#[test]
fn functions_in_the_library() {
    let text = r#"{"node": [], "library": {
      "function": [{
        "signature": {"name": "f", "inputArg": [{"name": "x", "type": "DT_FLOAT"}, {"name": "y", "typeAttr": "T"}, {"name": "z", "type": "DT_INVALID", "typeListAttr": "L"}],
          "outputArg": [{"name": "o", "type": 1, "isRef": true}], "controlOutput": ["c"], "isStateful": true,
          "attr": [{"name": "T", "type": "type", "defaultValue": {"type": "DT_INT32"}, "allowedValues": {"list": {"type": ["DT_INT32"]}}},
                   {"name": "L", "type": "list(type)", "hasMinimum": true, "minimum": "1"}], "summary": "s", "description": "d"},
        "attr": {"_noinline": {"b": true}},
        "argAttr": {"0": {"attr": {"_user_specified_name": {"s": "eA=="}}}},
        "resourceArgUniqueId": {"1": 5},
        "nodeDef": [{"name": "n", "op": "Cast", "input": ["x", "m:out:0", "^m"], "attr": {"DstT": "float32", "SrcT": {"placeholder": "T"}}}, {"name": "m", "op": "NoOp"}],
        "ret": {"o": "n:y:0"}, "controlRet": {"c": "n"}}],
      "gradient": [{"functionName": "f", "gradientFunc": "g"}]}}"#;
    let graph = read(text).unwrap();
    let f = graph.library.function("f").unwrap();
    assert_eq!((f.signature.inputs.len(), f.signature.inputs[2].ty, f.signature.is_stateful), (3, None, true));
    assert_eq!(f.resource_arg_unique_ids[&1], 5);
    assert_eq!(f.nodes[0].attrs.get("DstT"), Some(&AttrValue::Type(DType::F32.value())));
    assert_eq!(graph.library.gradients, [("f".to_owned(), "g".to_owned())]);
    let def = graph.to_def();
    let json = write::json(&def).unwrap();
    assert_eq!(read::parse(json.as_bytes(), None).unwrap(), def);
    assert_eq!(read::parse_pb(&write::pb(&def).unwrap()).unwrap(), def);
}

#[test]
fn numbers_are_written_so_that_they_come_back() {
    let exact = [0.1f32, -0.0, f32::MAX, f32::MIN_POSITIVE, 1e-45, 16777217.0, 1.0 / 3.0, f32::INFINITY];
    for value in exact {
        let json = serde_json::to_string(&write::tensor_to_json(&Tensor::scalar(value)).unwrap()).unwrap();
        assert_eq!(values::<f32>(&json)[0].to_bits(), value.to_bits(), "{json}");
    }
    let exact = [0.1f64, -0.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, 9007199254740993.0, 1.0 / 3.0];
    for value in exact {
        let json = serde_json::to_string(&write::tensor_to_json(&Tensor::scalar(value)).unwrap()).unwrap();
        assert_eq!(values::<f64>(&json)[0].to_bits(), value.to_bits(), "{json}");
    }
    let odd = f32::from_bits(0x7fc0_1234);
    let json = serde_json::to_string(&write::tensor_to_json(&Tensor::vector(vec![odd; 3])).unwrap()).unwrap();
    assert_eq!(values::<f32>(&json)[2].to_bits(), odd.to_bits(), "{json}");
    let zeros = Tensor::vector(vec![0.0f32, -0.0]);
    let json = serde_json::to_string(&write::tensor_to_json(&zeros).unwrap()).unwrap();
    assert!(values::<f32>(&json)[1].is_sign_negative());
}

#[test]
fn scalar_placeholders_of_old_producers_have_unknown_shapes() {
    let shape = |producer: i32| {
        let text = format!(
            r#"{{"versions": {{"producer": {producer}}}, "node": [{{"name": "x", "op": "Placeholder",
                "attr": {{"dtype": {{"type": "DT_FLOAT"}}, "shape": {{"shape": {{}}}}}}}}]}}"#
        );
        let (def, _) = read::parse_json(text.as_bytes(), Some(&registry())).unwrap();
        let again = read::parse_pb(&levada_graph::write::pb(&def).unwrap()).unwrap();
        assert_eq!(def, again);
        match def.nodes[0].attrs.get("shape") {
            Some(AttrValue::Shape(shape)) => shape.rank(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((shape(23), shape(24)), (None, Some(0)));
}
