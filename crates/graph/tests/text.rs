//! Protobuf's text format.

mod common;

use common::registry;
use levada_graph::{AttrValue, Code, DType, Error, GraphDef, read, write};

fn parse(text: &str) -> Result<GraphDef, Error> {
    read::parse(text.as_bytes(), Some(&registry()))
}

/// A constant with this attr.
fn constant(value: &str) -> String {
    format!("node {{ name: 'c' op: 'Const' attr {{ key: 'value' value {{ {value} }} }} }}")
}

fn value(text: &str) -> AttrValue {
    let def = parse(&constant(text)).unwrap_or_else(|e| panic!("{text}: {e}"));
    def.nodes[0].attrs.get("value").unwrap().clone()
}

#[test]
fn every_way_of_writing_is_read() {
    let plain =
        parse("node { name: \"a\" op: \"NoOp\" input: \"^b\" input: \"^c\" } node { name: \"b\" op: \"NoOp\" }")
            .unwrap();
    let other = "# a comment\nnode: < name: 'a'; op: 'No' \"Op\", input: ['^b', # another\n \"^c\"] >\nnode { name: 'b', op: 'NoOp' experimental_debug_info { x: [1, { y: 2 }] } }";
    assert_eq!(write::pb(&parse(other).unwrap()).unwrap(), write::pb(&plain).unwrap());
    assert_eq!(write::pb(&parse(&format!("\u{feff}{other}")).unwrap()).unwrap(), write::pb(&plain).unwrap());
    for (text, expected) in [
        ("i: 12", AttrValue::I(12)),
        ("i: -0x1F", AttrValue::I(-31)),
        ("i: 017", AttrValue::I(15)),
        ("i: -9223372036854775808", AttrValue::I(i64::MIN)),
        ("f: 1.5e-2f", AttrValue::F(0.015)),
        ("f: -inf", AttrValue::F(f32::NEG_INFINITY)),
        ("f: 3", AttrValue::F(3.0)),
        ("b: true", AttrValue::B(true)),
        ("b: 0", AttrValue::B(false)),
        ("type: DT_INT64", AttrValue::Type(DType::I64.into())),
        ("type: 9", AttrValue::Type(DType::I64.into())),
        (
            r#"s: "a\n\t\\\"\'\x41\101\u00e9\U0001F600\377\?""#,
            AttrValue::S(b"a\n\t\\\"'AA\xc3\xa9\xf0\x9f\x98\x80\xff?"[..].into()),
        ),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    assert!(matches!(value("f: nan"), AttrValue::F(x) if x.is_nan()));
}

#[test]
fn faults_have_places() {
    for (text, message, line, column) in [
        ("node {\n  nme: 'a'\n}", "NodeDef has no field nme", 2, 3),
        ("node {\n  name: 5\n}", "the text is not a graph in protobuf's text format", 2, 9),
        ("node {\n  name: 'a\n'}", "a string has no end on its line", 2, 9),
        ("node { name: 'a", "a string has no end", 1, 14),
        ("node { name: '\\q' }", "an escape sequence of a string is invalid", 1, 15),
        ("node { name: '\\xff' }", "the text is not UTF-8", 1, 14),
        ("node { name: 'a'", "the text is not a graph in protobuf's text format", 1, 17),
        ("node { name: 'a' } }", "the text is not a graph in protobuf's text format", 1, 20),
        ("node { name 'a' }", "the text is not a graph in protobuf's text format", 1, 13),
        ("versions { producer: 4294967296 }", "the text is not a graph in protobuf's text format", 1, 22),
        ("versions { producer: 0x }", "the text is not a graph in protobuf's text format", 1, 22),
        ("node { name: \u{fc} }", "the text is not a graph in protobuf's text format", 1, 14),
    ] {
        let error = parse(text).unwrap_err();
        let fault = error.fault();
        assert_eq!((error.message(), fault.line, fault.column), (message, Some(line), Some(column)), "{text}");
    }
    assert_eq!(parse("node { nme: 'a' }").unwrap_err().fault().help.as_deref(), Some("did you mean \"name\"?"));
    let deep = "node { attr { value { list { func { ".to_owned() + &"attr { value { func { ".repeat(40);
    assert_eq!(parse(&deep).unwrap_err().message(), "the messages are nested too deeply");
    let skipped = "graph_def { debug_info { ".to_owned() + &"x { ".repeat(100_000);
    assert!(parse(&skipped).unwrap_err().message().starts_with("the text is not a graph"));
    let open = "graph_def { } collection_def { value { any_list { value { [tensorflow.AssetFileDef { } } } } }";
    assert_eq!(parse(open).unwrap_err().message(), "a type in brackets has no end");
    let objects = parse("graph_def { } object_graph_def { }").unwrap_err();
    assert_eq!(objects.code(), Code::Unimplemented);
}

/// Messages of any type are written by their type, or as the bytes of the binary format.
#[test]
fn messages_of_any_type_are_read() {
    let collection = |value: &str| {
        let text = format!("graph_def {{ }} collection_def {{ key: 'k' value {{ any_list {{ {value} }} }} }}");
        read::saved_model_from_text(format!("meta_graphs {{ {text} }}").as_bytes()).unwrap_or_else(|e| panic!("{e}"))
    };
    let asset = collection("value { [type.googleapis.com/tensorflow.AssetFileDef] { filename: 'words' }, }");
    let bytes =
        collection(r#"value { type_url: "type.googleapis.com/tensorflow.AssetFileDef" value: "\x12\x05words" }"#);
    assert!(asset == bytes && asset.ends_with(b"\x12\x05words"));
    let unknown = collection("value [{ [ example.org / a.B ]: < x { y: 1 } > }, { [tensorflow.AssetFileDef] { } }]");
    assert!(unknown.windows(17).any(|part| part == b"example.org / a.B"));
}
