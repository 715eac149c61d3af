//! Messages are byte for byte equal to those that TensorFlow's ops returned for the same values.

use levada_graph::{Shape, Tensor};
use levada_summary::{Summary, Writer, tags};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn scalars_and_tensors() {
    let mut summary = Summary::default();
    summary.scalar("a", 1.0);
    assert_eq!(hex(summary.bytes()), "0a080a0161150000803f");
    let mut summary = Summary::default();
    summary.tensor("t", &Tensor::vector(vec![1f32, 2.0]), Some(b"")).unwrap();
    assert_eq!(hex(summary.bytes()), "0a190a01744212080112041202080222080000803f000000404a00");
    let mut summary = Summary::default();
    summary.node("TensorSummary", &Tensor::vector(vec![1i32, 2])).unwrap();
    assert_eq!(hex(summary.bytes()), "0a233a0d54656e736f7253756d6d6172794212080312041202080222080100000002000000");
}

#[test]
fn histograms() {
    let mut summary = Summary::default();
    summary.histogram("s", [1.5]).unwrap();
    let recorded = "0a660a01732a6109000000000000f83f11000000000000f83f19000000000000f03f21000000000000f83f29000000000000\
                    024032188545cc9fc0a2f73f794cfae2d3fff93fffffffffffffef7f3a180000000000000000000000000000f03f0000000000\
                    000000";
    assert_eq!(hex(summary.bytes()), recorded);
    let mut none = Summary::default();
    none.histogram("h", []).unwrap();
    let recorded = "0a2b0a01682a2609ffffffffffffef7f11ffffffffffffefff3208ffffffffffffef7f3a080000000000000000";
    assert_eq!(hex(none.bytes()), recorded);
    assert!(none.histogram("h", [f64::NAN]).is_err());
}

#[test]
fn sound() {
    let mut summary = Summary::default();
    let batch = Tensor::from_vec(Shape::new([2, 3, 1]).unwrap(), vec![0.5f32; 6]).unwrap();
    summary.audio("a", &batch, 8000.0, 3).unwrap();
    assert_eq!(tags(summary.bytes()).unwrap(), [b"a/audio/0", b"a/audio/1"]);
    let recorded = "0a550a09612f617564696f2f3032480d0000fa45100118032232524946462a00000057415645666d74201000000001000100401f\
                    0000803e00000200100064617461060000000040004000402a09617564696f2f776176";
    assert!(hex(summary.bytes()).starts_with(recorded));
}

#[test]
fn files_of_events_are_records() {
    let directory = std::env::temp_dir().join(format!("levada-summary-{}", std::process::id()));
    let writer = Writer::create(&directory, ".v2").unwrap();
    let other = Writer::create(&directory, ".v2").unwrap();
    assert_ne!(writer.path(), other.path());
    let mut summary = Summary::default();
    summary.scalar("s", 1.5);
    writer.summary(1, &summary).unwrap();
    writer.flush().unwrap();
    let file = std::fs::read(writer.path()).unwrap();
    let records = levada_records::Reader::new(&file[..], levada_records::Compression::None);
    let records: Vec<Vec<u8>> = records.map(Result::unwrap).collect();
    assert_eq!(records.len(), 2);
    // The version of the format, and the program that wrote the file.
    assert!(hex(&records[0]).ends_with("1a0d627261696e2e4576656e743a3252080a066c6576616461"));
    assert!(hex(&records[1]).ends_with("10012a0a0a080a0173150000c03f"));
    std::fs::remove_dir_all(directory).unwrap();
}
