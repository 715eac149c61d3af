//! The reader handles any bytes, and written graphs are read back unchanged.

mod common;

use common::registry;
use levada_graph::attr::Attrs;
use levada_graph::def::{FunctionDef, Library, Signature, Versions};
use levada_graph::{AttrList, AttrValue, DType, Func, GraphDef, NodeDef, PartialShape, Shape, Tensor, read, write};
use proptest::prelude::*;

/// Calls everything that reads bytes; none may panic.
fn read_all(bytes: &[u8]) {
    let registry = registry();
    let _ = read::bytes(bytes, &registry).map_err(|e| e.to_string());
    let _ = read::json(bytes, &registry).map_err(|e| e.to_string());
    let _ = read::pb(bytes, &registry).map_err(|e| e.to_string());
    let _ = read::parse_json(bytes, None).map_err(|e| e.to_string());
    if let Ok(value) = serde_json::from_slice::<serde_json::Value>(bytes) {
        let _ = read::tensor_from_json(&value);
        let _ = read::tensor_from_plain(&value, None);
        let _ = read::def_from_value(&value, Some(&registry));
    }
}

const SEED: &str = r#"{
  "node": [
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [null, 4]}},
    {"name": "w", "op": "Const", "attr": {"dtype": "float32", "value": [[0.5, -1.0], [1e3, 2]]}},
    {"name": "v", "op": "Const", "attr": {"dtype": {"type": "DT_INT64"}, "value": {"tensor": {"dtype": "DT_INT64", "tensorShape": {"dim": [{"size": "3"}]}, "int64Val": ["5"]}}}},
    {"name": "c", "op": "Const", "attr": {"value": {"tensor": {"dtype": "DT_FLOAT", "tensorShape": {}, "tensorContent": "AACAPw=="}}}},
    {"name": "s", "op": "Const", "attr": {"value": ["a", "\u00e9\n"]}},
    {"name": "m", "op": "MatMul", "input": ["x", "w"], "attr": {"transpose_b": true, "_class": ["loc:@x"]}},
    {"name": "n", "op": "IdentityN", "input": ["m", "v", "^done"], "device": "/CPU:0"},
    {"name": "p", "op": "MaxPool", "input": ["n:0"], "attr": {"ksize": [1, 2, 2, 1], "strides": {"list": {"i": [1, 1, 1, 1]}}, "padding": "SAME"}},
    {"name": "done", "op": "NoOp", "input": ["^x"]}
  ],
  "library": {"function": [{"signature": {"name": "f"}, "nodeDef": [{"name": "i", "op": "Identity", "input": ["i:output:0"]}], "ret": {}}]},
  "versions": {"producer": 2474, "badConsumers": [1]}
}"#;

/// A change at some position of the bytes.
#[derive(Clone, Debug)]
enum Change {
    Set(u8),
    Remove(usize),
    Insert(Vec<u8>),
    Copy(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let tokens = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "null",
        "-1",
        "1e400",
        "true",
        "\"x\"",
        "{\"i\": \"3\"}",
        "\\ud800",
        "[[",
        "\"^\"",
        "99999999999999999999",
        "0",
        "é",
        "\"node\": 3,",
        "\"DT_STRING\"",
        "\"DT_RESOURCE\"",
        "{\"size\": \"4611686018427387904\"},",
    ]);
    prop_oneof![
        any::<u8>().prop_map(Change::Set),
        (1usize..40).prop_map(Change::Remove),
        tokens.prop_map(|t| Change::Insert(t.as_bytes().to_vec())),
        (any::<u16>(), 1usize..200).prop_map(|(at, n)| Change::Copy(at as usize, n)),
    ]
}

fn mutate(seed: &[u8], changes: &[(u16, Change)]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for (at, change) in changes {
        let at = *at as usize % bytes.len().max(1);
        let at = at.min(bytes.len());
        match change {
            Change::Set(byte) => {
                if let Some(b) = bytes.get_mut(at) {
                    *b = *byte;
                }
            }
            Change::Remove(n) => drop(bytes.drain(at..(at + n).min(bytes.len()))),
            Change::Insert(new) => drop(bytes.splice(at..at, new.iter().copied())),
            Change::Copy(from, n) => {
                let from = from % bytes.len().max(1);
                let part = bytes[from.min(bytes.len())..(from + n).min(bytes.len())].to_vec();
                drop(bytes.splice(at..at, part));
            }
        }
    }
    bytes
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Za-z0-9.][A-Za-z0-9_./>-]{0,12}", ".{0,8}"]
}

fn edge_type() -> impl Strategy<Value = levada_graph::EdgeType> {
    (prop::sample::select(DType::ALL), any::<bool>())
        .prop_map(|(dtype, is_ref)| levada_graph::EdgeType { dtype, is_ref })
}

fn shape() -> impl Strategy<Value = PartialShape> {
    prop_oneof![
        Just(PartialShape::Unknown),
        prop::collection::vec(prop::option::of(0usize..1 << 40), 0..4).prop_map(PartialShape::new)
    ]
}

fn tensor() -> impl Strategy<Value = Tensor> {
    let dtypes: Vec<DType> =
        DType::ALL.iter().copied().filter(|d| !matches!(d, DType::Resource | DType::Variant)).collect();
    let dims = prop::collection::vec(0usize..12, 0..3);
    (prop::sample::select(dtypes), dims, prop::collection::vec(any::<u8>(), 1..64), any::<bool>()).prop_map(
        |(dtype, dims, bytes, repeat)| {
            let shape = Shape::new(dims).unwrap();
            let n = shape.num_elements();
            if dtype == DType::Str {
                let strings =
                    (0..n).map(|i| bytes[..if repeat { 1 } else { i % bytes.len() }].to_vec().into()).collect();
                return Tensor::from_vec::<levada_graph::Bytes>(shape, strings).unwrap();
            }
            let period = if repeat { dtype.size() } else { bytes.len() };
            // Elements of fewer than 8 bits use the low bits of a byte.
            let mask = if dtype.is_narrow() { 0xff >> (8 - dtype.narrow_bits()) } else { 0xff };
            let content: Vec<u8> = (0..n * dtype.size()).map(|i| bytes[i % period % bytes.len()] & mask).collect();
            Tensor::from_bytes(dtype, shape, &content).unwrap()
        },
    )
}

fn value() -> impl Strategy<Value = AttrValue> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..10).prop_map(levada_graph::Bytes::from);
    let leaf = prop_oneof![
        bytes().prop_map(AttrValue::S),
        any::<i64>().prop_map(AttrValue::I),
        any::<f32>().prop_filter("one NaN", |f| !f.is_nan()).prop_map(AttrValue::F),
        any::<bool>().prop_map(AttrValue::B),
        edge_type().prop_map(AttrValue::Type),
        shape().prop_map(AttrValue::Shape),
        tensor().prop_map(AttrValue::Tensor),
        text().prop_map(AttrValue::Placeholder),
        Just(AttrValue::List(AttrList::Empty)),
        prop::collection::vec(bytes(), 1..4).prop_map(|v| AttrValue::List(AttrList::S(v))),
        prop::collection::vec(any::<i64>(), 1..4).prop_map(|v| AttrValue::List(AttrList::I(v))),
        prop::collection::vec(-1e30f32..1e30, 1..4).prop_map(|v| AttrValue::List(AttrList::F(v))),
        prop::collection::vec(any::<bool>(), 1..4).prop_map(|v| AttrValue::List(AttrList::B(v))),
        prop::collection::vec(edge_type(), 1..4).prop_map(|v| AttrValue::List(AttrList::Type(v))),
        prop::collection::vec(shape(), 1..4).prop_map(|v| AttrValue::List(AttrList::Shape(v))),
        prop::collection::vec(tensor(), 1..3).prop_map(|v| AttrValue::List(AttrList::Tensor(v))),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let func = (text(), prop::collection::vec((text(), inner), 0..3))
            .prop_map(|(name, attrs)| Func { name, attrs: attrs.into_iter().collect() })
            .boxed();
        prop_oneof![
            func.clone().prop_map(AttrValue::Func),
            prop::collection::vec(func, 1..3).prop_map(|v| AttrValue::List(AttrList::Func(v)))
        ]
    })
}

fn attrs() -> impl Strategy<Value = Attrs> {
    prop::collection::vec((text(), value()), 0..4).prop_map(|pairs| pairs.into_iter().collect())
}

fn node() -> impl Strategy<Value = NodeDef> {
    (text(), text(), prop::collection::vec(text(), 0..3), text(), attrs()).prop_map(
        |(name, op, inputs, device, attrs)| NodeDef {
            name: format!("n{name}"),
            op: format!("o{op}"),
            inputs,
            device,
            attrs,
        },
    )
}

fn graph_def() -> impl Strategy<Value = GraphDef> {
    let function =
        ("[a-z]{1,5}", attrs(), prop::collection::vec("[a-z]{1,5}", 0..3)).prop_map(|(name, attrs, names)| {
            FunctionDef {
                signature: Signature { name, is_stateful: names.is_empty(), ..Signature::default() },
                attrs,
                ret: names.iter().map(|n| (n.clone(), format!("{n}:0"))).collect(),
                nodes: names
                    .iter()
                    .map(|n| NodeDef { name: n.clone(), op: "NoOp".into(), ..NodeDef::default() })
                    .collect(),
                ..FunctionDef::default()
            }
        });
    let versions = (any::<i32>(), any::<i32>(), prop::collection::vec(any::<i32>(), 0..3)).prop_map(
        |(producer, min_consumer, bad_consumers)| Versions { producer: producer.max(0), min_consumer, bad_consumers },
    );
    (prop::collection::vec(node(), 0..5), prop::collection::vec(function, 0..3), versions).prop_map(
        |(nodes, functions, versions)| GraphDef {
            nodes,
            versions,
            library: Library { functions, ..Library::default() },
            ..GraphDef::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_all(&bytes);
    }

    #[test]
    fn damaged_json_is_answered(changes in prop::collection::vec((any::<u16>(), change()), 1..6)) {
        read_all(&mutate(SEED.as_bytes(), &changes));
    }

    #[test]
    fn damaged_protobuf_is_answered(changes in prop::collection::vec((any::<u16>(), change()), 1..6)) {
        let (def, _) = read::parse_json(SEED.as_bytes(), Some(&registry())).unwrap();
        read_all(&mutate(&write::pb(&def).unwrap(), &changes));
    }

    #[test]
    fn what_is_written_is_read(def in graph_def()) {
        let json = write::json(&def).unwrap();
        let pb = write::pb(&def).unwrap();
        let from_json = read::parse(json.as_bytes(), None).unwrap();
        let from_pb = read::parse_pb(&pb).unwrap();
        prop_assert_eq!(&write::json(&from_json).unwrap(), &json);
        prop_assert_eq!(&write::json(&from_pb).unwrap(), &json);
        prop_assert_eq!(&write::pb(&from_json).unwrap(), &pb);
        // NaN differs from itself, so tensors are compared by their text.
        prop_assert_eq!(format!("{from_json:?}"), format!("{def:?}"));
        prop_assert_eq!(format!("{from_pb:?}"), format!("{def:?}"));
    }

    #[test]
    fn tensors_keep_every_bit(tensor in tensor()) {
        let json = write::tensor_to_json(&tensor).unwrap();
        let back = read::tensor_from_json(&json).unwrap();
        prop_assert_eq!((back.dtype(), back.shape()), (tensor.dtype(), tensor.shape()));
        prop_assert_eq!(back.bytes(), tensor.bytes());
    }
}

#[test]
fn the_seed_is_right_and_stable() {
    let graph = read::json(SEED.as_bytes(), &registry()).unwrap();
    let text = write::json(&graph.to_def()).unwrap();
    let again = read::json(text.as_bytes(), &registry()).unwrap();
    assert_eq!(write::json(&again.to_def()).unwrap(), text);
    let binary = write::pb(&graph.to_def()).unwrap();
    let again = read::bytes(&binary, &registry()).unwrap();
    assert_eq!(write::json(&again.to_def()).unwrap(), text);
}

#[test]
fn deep_nesting_is_answered() {
    for open in ["[", "{\"node\":[", "{\"node\":[{\"attr\":{\"a\":{\"list\":{\"func\":[{\"attr\":{\"a\":"] {
        read_all(open.repeat(100_000).as_bytes());
    }
    // A function within a function within a function, in protobuf.
    let mut inner: Vec<u8> = Vec::new();
    for _ in 0..5000 {
        // AttrValue.func.attr["a"] = inner
        let entry = [&[0x0a, 1, b'a', 0x12][..], &varint(inner.len()), &inner].concat();
        let func = [&[0x12][..], &varint(entry.len()), &entry].concat();
        inner = [&[0x52][..], &varint(func.len()), &func].concat();
    }
    let entry = [&[0x0a, 1, b'a', 0x12][..], &varint(inner.len()), &inner].concat();
    let node = [&[0x2a][..], &varint(entry.len()), &entry].concat();
    read_all(&[&[0x0a][..], &varint(node.len()), &node].concat());
}

fn varint(mut n: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
    out
}
