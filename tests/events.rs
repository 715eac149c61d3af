//! Event files: ops write the same as TensorFlow's, as recorded by `tests/events/record.py`.

use levada::graph::{Bytes, read};
use levada::records::{Compression, Reader};
use levada::{Builder, DType, Files, Ops, Session, SessionOptions, Tensor};
use serde_json::Value;
use std::path::Path;

/// A field of a message: its number, all of its bytes, and the content of a message or bytes field.
struct Field<'a> {
    number: u64,
    whole: &'a [u8],
    content: &'a [u8],
}

fn varint(rest: &mut &[u8]) -> u64 {
    let mut value = 0;
    for i in 0.. {
        let byte = rest[0];
        *rest = &rest[1..];
        value |= u64::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            break;
        }
    }
    value
}

fn fields(mut rest: &[u8]) -> Vec<Field<'_>> {
    let mut found = Vec::new();
    while !rest.is_empty() {
        let start = rest;
        let tag = varint(&mut rest);
        let length = match tag & 7 {
            0 => {
                varint(&mut rest);
                0
            }
            1 => 8,
            2 => varint(&mut rest) as usize,
            5 => 4,
            other => panic!("wire type {other}"),
        };
        let (content, after) = rest.split_at(length);
        rest = after;
        found.push(Field { number: tag >> 3, whole: &start[..start.len() - rest.len()], content });
    }
    found
}

/// The message with the fields of this number replaced, or removed if there is no replacement.
fn changed(message: &[u8], number: u64, mut change: impl FnMut(&[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut out = Vec::new();
    for field in fields(message) {
        if field.number != number {
            out.extend(field.whole);
        } else if let Some(content) = change(field.content) {
            out.push((number << 3 | 2) as u8);
            let mut length = content.len();
            while length >= 0x80 {
                out.push(length as u8 | 0x80);
                length >>= 7;
            }
            out.push(length as u8);
            out.extend(content);
        }
    }
    out
}

/// An event without its time, and the image files in it.
fn plain(event: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut images = Vec::new();
    let event = changed(event, 1, |_| None);
    let event = changed(&event, 5, |summary| {
        Some(changed(summary, 1, |value| {
            Some(changed(value, 4, |image| {
                Some(changed(image, 4, |file| {
                    images.push(file.to_vec());
                    None
                }))
            }))
        }))
    });
    (event, images)
}

fn pixels(file: &[u8]) -> Vec<u8> {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let image = o.decode_png(Tensor::string(file)).channels(0).dtype(DType::U8).name("image").add();
    assert!(b.name(image) == "image");
    let session = Session::new(b.finish().unwrap(), SessionOptions::default()).unwrap();
    session.run(&[], &["image"], &[]).unwrap()[0].slice::<u8>().unwrap().to_vec()
}

fn base64(text: &Value) -> Vec<u8> {
    let text = serde_json::json!({"dtype": "DT_STRING", "tensorShape": {}, "stringVal": [text]});
    read::tensor_from_json(&text).unwrap().item::<Bytes>().unwrap().to_vec()
}

/// The name of the file without the parts that vary from run to run.
fn varied(name: &str) -> String {
    let parts: Vec<&str> = name.split('.').collect();
    // events.out.tfevents.TIME.HOST.PID.N and what follows; a host's name may have dots.
    let pid = std::process::id().to_string();
    let at = parts.iter().position(|part| *part == pid).unwrap();
    assert!(parts[3].len() == 10 && parts[3].bytes().all(|b| b.is_ascii_digit()), "{name}");
    [&parts[..3], &["TIME", "HOST", "PID", "N"], &parts[at + 2..]].concat().join(".")
}

fn check(case: &Value, faults: &mut Vec<String>) {
    let name = case["name"].as_str().unwrap();
    let folder =
        std::env::temp_dir().join(format!("levada-events-{}-{}", std::process::id(), name.replace([' ', '/'], "_")));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let graph = read::pb(&base64(&case["graph"]), &levada::registry()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let files = Files::under([&folder]).unwrap();
    let session = Session::new(graph, SessionOptions { files, ..SessionOptions::default() }).unwrap();
    let logdir = Tensor::string(folder.to_str().unwrap());
    for (i, target) in case["targets"].as_array().unwrap().iter().enumerate() {
        let feeds = if i == 0 { vec![("logdir", logdir.clone())] } else { Vec::new() };
        let code = session.run(&feeds, &[], &[target[0].as_str().unwrap()]).map_or_else(|e| e.code() as i64, |_| 0);
        if Some(code) != target[1].as_i64() {
            faults.push(format!("{name}: {target} ends with code {code}"));
        }
    }
    let [file] = &std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect::<Vec<_>>()[..] else {
        panic!("{name}: not one file")
    };
    let found = varied(file.file_name().unwrap().to_str().unwrap());
    if Some(found.as_str()) != case["file"].as_str() {
        faults.push(format!("{name}: the file is {found}, TensorFlow's {}", case["file"]));
    }
    let bytes = std::fs::read(file).unwrap();
    let events: Vec<Vec<u8>> = Reader::new(&bytes[..], Compression::None).map(Result::unwrap).collect();
    let expected = case["events"].as_array().unwrap();
    if events.len() != expected.len() {
        faults.push(format!("{name}: {} events, TensorFlow has {}", events.len(), expected.len()));
    }
    // The first event also names the writer of the file.
    assert!(events[0].windows(13).any(|w| w == b"brain.Event:2"), "{name}");
    for (i, (event, expected)) in events.iter().zip(expected).enumerate().skip(1) {
        let (event, images) = plain(event);
        let wanted = base64(&expected["event"]);
        if event != wanted {
            faults.push(format!("{name}, event {i}:\n  {:?}\n  {:?}", Bytes::from(event), Bytes::from(wanted)));
        }
        let images: Vec<Vec<u8>> = images.iter().map(|file| pixels(file)).collect();
        if serde_json::json!(images) != expected["pixels"] {
            faults.push(format!("{name}, event {i}: pixels\n  {images:?}\n  {}", expected["pixels"]));
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn ops_write_the_events_that_tensorflow_writes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("events/events.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(cases.len() >= 70, "{}", cases.len());
    let mut faults = Vec::new();
    cases.iter().for_each(|case| check(case, &mut faults));
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
