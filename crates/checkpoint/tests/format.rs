//! Checkpoints written by TensorFlow are read, and written back identically. `record.py` made them.

use levada_checkpoint::slice::Extent;
use levada_checkpoint::{OldWriter, Reader, Slice, Writer, data_path, index_path, merge};
use levada_graph::{Bytes, Code, DType, EncodedVariant, Shape, Tensor, Variant};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn values() -> Value {
    serde_json::from_str(&fs::read_to_string(data("values.json")).unwrap()).unwrap()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn tensor(value: &Value) -> Tensor {
    let dtype = DType::parse(value["dtype"].as_str().unwrap()).unwrap();
    let shape: Vec<i64> = value["shape"].as_array().unwrap().iter().map(|d| d.as_i64().unwrap()).collect();
    let shape = Shape::from_signed(&shape).unwrap();
    match &value["data"] {
        Value::String(bytes) => Tensor::from_bytes(dtype, shape, &unhex(bytes)).unwrap(),
        strings => {
            let strings = strings.as_array().unwrap().iter().map(|s| Bytes::from(unhex(s.as_str().unwrap()))).collect();
            Tensor::from_vec::<Bytes>(shape, strings).unwrap()
        }
    }
}

/// True if both are bitwise identical.
fn same(a: &Tensor, b: &Tensor) -> bool {
    (a.dtype(), a.shape()) == (b.dtype(), b.shape())
        && match a.bytes() {
            Some(bytes) => b.bytes() == Some(bytes),
            None => a.slice::<Bytes>().unwrap() == b.slice::<Bytes>().unwrap(),
        }
}

/// A directory of a test's own, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("levada-checkpoint-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_tensorflow_saved_is_read() {
    for name in ["plain", "strings", "sharded", "variants", "old.ckpt", "old_slices.ckpt"] {
        let reader = Reader::open(data(name)).unwrap();
        for (key, value) in values()[name].as_object().unwrap() {
            let read = reader.read(key).unwrap();
            assert!(same(&read, &tensor(value)), "{name}: {key} is {read:?}");
        }
    }
    assert!(Reader::open(data("old.ckpt")).unwrap().is_old());
}

#[test]
fn what_is_written_is_what_tensorflow_writes() {
    let scratch = Scratch::new("bytes");
    for name in ["plain", "strings"] {
        let prefix = scratch.0.join(name);
        let mut writer = Writer::create(&prefix).unwrap();
        for (key, value) in values()[name].as_object().unwrap() {
            writer.add(key, &tensor(value)).unwrap();
        }
        writer.finish().unwrap();
        for of in [index_path, |p: &Path| data_path(p, 0, 1)] {
            assert_eq!(fs::read(of(&prefix)).unwrap(), fs::read(of(&data(name))).unwrap(), "{name}");
        }
    }
    let mut old = OldWriter::default();
    for (key, value) in values()["old.ckpt"].as_object().unwrap() {
        let tensor = tensor(value);
        old.add_slice(key, tensor.shape(), &Slice::full(tensor.shape().rank()), &tensor).unwrap();
    }
    old.write(&scratch.0.join("old.ckpt")).unwrap();
    assert_eq!(fs::read(scratch.0.join("old.ckpt")).unwrap(), fs::read(data("old.ckpt")).unwrap());
    let prefix = scratch.0.join("many");
    let mut writer = Writer::create(&prefix).unwrap();
    for i in 0..6000 {
        let name = format!("layer_{i:05}/weights/with_a_long_name_{}", "x".repeat(i as usize % 37));
        writer.add(&name, &Tensor::vector(vec![i])).unwrap();
    }
    writer.finish().unwrap();
    let index = fs::read(index_path(&prefix)).unwrap();
    let fnv = index.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    assert_eq!(index.len() as u64, values()["many"]["length"].as_u64().unwrap());
    assert_eq!(fnv.to_string(), values()["many"]["fnv1a"].as_str().unwrap());
    assert_eq!(Reader::open(&prefix).unwrap().names().count(), 6000);
}

#[test]
fn checkpoints_are_merged_as_tensorflow_does() {
    let scratch = Scratch::new("merge");
    let whole = tensor(&values()["sharded"]["sliced"]);
    let parts = ["0,3:-", "3,4:0,2", "3,4:2,4"].map(|s| Slice::parse(s).unwrap());
    let reader = Reader::open(data("sharded")).unwrap();
    let mut prefixes = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let prefix = scratch.0.join(format!("temporary/part-{i}-of-3"));
        let mut writer = Writer::create(&prefix).unwrap();
        writer.add_slice("sliced", whole.shape(), part, &reader.read_slice("sliced", part).unwrap()).unwrap();
        writer.add(&format!("whole_{i}"), &Tensor::vector(vec![i as i32])).unwrap();
        writer.finish().unwrap();
        prefixes.push(prefix);
    }
    merge(&prefixes, &scratch.0.join("sharded"), false).unwrap();
    fs::remove_dir(scratch.0.join("temporary")).unwrap();
    for file in scratch.files() {
        assert_eq!(fs::read(scratch.0.join(&file)).unwrap(), fs::read(data(&file)).unwrap(), "{file}");
    }
    assert_eq!(scratch.files().len(), 4);
    let missing = merge(&prefixes, &scratch.0.join("again"), false).unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
}

#[test]
fn any_part_is_read_of_any_parts() {
    let reader = Reader::open(data("sharded")).unwrap();
    let old = Reader::open(data("old_slices.ckpt")).unwrap();
    let whole = reader.read("sliced").unwrap();
    let rows = whole.slice::<f32>().unwrap();
    for (r, h) in (0..7).flat_map(|r| (1..=7 - r).map(move |h| (r, h))) {
        for (c, w) in (0..6).flat_map(|c| (1..=6 - c).map(move |w| (c, w))) {
            let slice = Slice::new([(r, h), (c, w)].map(|(start, n)| Extent { start, length: Some(n) }));
            let expected: Vec<f32> = (r..r + h).flat_map(|i| rows[i * 6 + c..i * 6 + c + w].to_vec()).collect();
            assert_eq!(reader.read_slice("sliced", &slice).unwrap().slice::<f32>().unwrap(), expected, "{slice}");
            assert_eq!(old.read_slice("sliced", &slice).unwrap().slice::<f32>().unwrap(), expected, "{slice}");
        }
    }
    let beyond = reader.read_slice("sliced", &Slice::parse("6,2:-").unwrap()).unwrap_err();
    assert_eq!(beyond.code(), Code::InvalidArgument);
}

#[test]
fn variants_are_kept() {
    let list = Reader::open(data("variants")).unwrap().read("list").unwrap();
    let read = list.item::<Variant>().unwrap();
    let encoded = read.get::<EncodedVariant>().unwrap();
    assert_eq!(encoded.type_name, "tensorflow::TensorList");
    assert_eq!(encoded.tensors[1].slice::<f32>().unwrap(), [3.0, 4.0]);
    let scratch = Scratch::new("variants");
    let mut writer = Writer::create(scratch.0.join("v")).unwrap();
    writer.add("list", &list).unwrap();
    writer.finish().unwrap();
    let again = Reader::open(scratch.0.join("v")).unwrap().read("list").unwrap().item::<Variant>().unwrap();
    assert_eq!(again.get::<EncodedVariant>(), Some(encoded));
}

#[test]
fn both_byte_orders_are_read() {
    let scratch = Scratch::new("endian");
    for name in ["plain", "strings", "variants"] {
        let reader = Reader::open(data(name)).unwrap();
        let prefix = scratch.0.join(name);
        let mut writer = Writer::create(&prefix).unwrap().big_endian();
        for key in reader.names() {
            writer.add(key, &reader.read(key).unwrap()).unwrap();
        }
        writer.finish().unwrap();
        let turned = Reader::open(&prefix).unwrap();
        assert!(turned.is_big_endian());
        for key in reader.names().filter(|k| *k != "list") {
            assert!(same(&turned.read(key).unwrap(), &reader.read(key).unwrap()), "{key}");
        }
        assert_ne!(fs::read(data_path(&prefix, 0, 1)).unwrap(), fs::read(data_path(&data(name), 0, 1)).unwrap());
    }
}

#[test]
fn what_is_there_stays_until_the_new_one_is() {
    let scratch = Scratch::new("atomic");
    let prefix = scratch.0.join("model");
    let save = |value: f32| {
        let mut writer = Writer::create(&prefix).unwrap();
        writer.add("x", &Tensor::scalar(value)).unwrap();
        writer
    };
    let held = || Reader::open(&prefix).unwrap().read("x").unwrap().item::<f32>().unwrap();
    save(1.0).finish().unwrap();
    // Without `finish` it does not appear, and leaves nothing behind.
    drop(save(2.0));
    assert_eq!(held(), 1.0);
    assert_eq!(scratch.files(), ["model.data-00000-of-00001", "model.index"]);
    // The data has another name, so that an index never refers to other data.
    save(3.0).finish().unwrap();
    assert_eq!(held(), 3.0);
    assert_eq!(scratch.files(), ["model.data-00000-of-00002", "model.index"]);
    save(4.0).finish().unwrap();
    assert_eq!(held(), 4.0);
    assert_eq!(scratch.files(), ["model.data-00000-of-00001", "model.index"]);
}

#[test]
fn faults_are_told() {
    let reader = Reader::open(data("strings")).unwrap();
    let error = reader.read("vectro").unwrap_err();
    assert_eq!(error.code(), Code::NotFound);
    assert_eq!(error.fault().help.as_deref(), Some("did you mean \"vector\"?"));
    assert_eq!(Reader::open(data("nothing")).err().unwrap().code(), Code::NotFound);
    assert_eq!(Reader::open(data("values.json")).err().unwrap().code(), Code::NotFound);
    let scratch = Scratch::new("faults");
    let mut writer = Writer::create(scratch.0.join("x")).unwrap();
    let one = Tensor::scalar(1f32);
    writer.add("a", &one).unwrap();
    assert_eq!(writer.add("a", &one).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(writer.add("", &one).unwrap_err().code(), Code::InvalidArgument);
    let resource = Tensor::zeros(DType::Resource, Shape::scalar());
    assert_eq!(writer.add("r", &resource).unwrap_err().code(), Code::Unimplemented);
    let whole = Shape::new([4]).unwrap();
    let part = |text: &str| Slice::parse(text).unwrap();
    assert_eq!(writer.add_slice("s", &whole, &part("0,2"), &one).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(
        writer.add_slice("a", &whole, &part("0,1"), &Tensor::vector(vec![1f32])).unwrap_err().code(),
        Code::InvalidArgument
    );
    writer.add_slice("s", &whole, &part("0,2"), &Tensor::vector(vec![1f32, 2.0])).unwrap();
    writer.finish().unwrap();
    let partly = Reader::open(scratch.0.join("x")).unwrap();
    assert_eq!(partly.read_slice("s", &part("1,1")).unwrap().slice::<f32>().unwrap(), [2.0]);
    assert_eq!(partly.read("s").unwrap_err().code(), Code::DataLoss);
    for text in ["1", "x,1", "0,0", "1,-", "1,99999999999999999999"] {
        assert_eq!(Slice::parse(text).unwrap_err().code(), Code::InvalidArgument, "{text}");
    }
    for text in ["", "4", "4 0,5", "4 4 0,1", "a 0,1"] {
        assert_eq!(Slice::parse_with_shape(text).unwrap_err().code(), Code::InvalidArgument, "{text}");
    }
}

#[test]
fn nothing_in_a_corrupt_file_goes_unnoticed_or_does_harm() {
    let scratch = Scratch::new("corrupt");
    for name in ["plain", "strings", "sharded", "variants", "old.ckpt"] {
        let files: Vec<PathBuf> = fs::read_dir(data(""))
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.file_name().unwrap().to_str().unwrap().starts_with(name))
            .collect();
        for file in &files {
            fs::copy(file, scratch.0.join(file.file_name().unwrap())).unwrap();
        }
        let all = || -> levada_graph::Result<usize> {
            let reader = Reader::open(scratch.0.join(name))?;
            reader.names().try_fold(0, |n, key| reader.read(key).map(|_| n + 1))
        };
        let count = all().unwrap();
        for file in &files {
            let (good, path) = (fs::read(file).unwrap(), scratch.0.join(file.file_name().unwrap()));
            for at in 0..good.len() {
                let mut bad = good.clone();
                bad[at] ^= 1 << (at % 8);
                fs::write(&path, &bad).unwrap();
                // The padding of the footer has no meaning.
                if let Ok(read) = all() {
                    let padding = good.len() - 44..good.len() - 8;
                    assert!(read == count && padding.contains(&at), "{name}: byte {at} of {}", path.display());
                }
            }
            for cut in (0..good.len()).step_by(3) {
                fs::write(&path, &good[..cut]).unwrap();
                assert!(all().is_err(), "{name}: {cut} bytes");
            }
            fs::write(&path, &good).unwrap();
        }
    }
}

/// An index with valid checksums and invalid contents.
#[test]
fn entries_that_cannot_be_are_data_loss() {
    let scratch = Scratch::new("entries");
    let good = fs::read(index_path(&data("plain"))).unwrap();
    fs::copy(data_path(&data("plain"), 0, 1), data_path(&scratch.0.join("plain"), 0, 1)).unwrap();
    let footer = good.len() - 48;
    let end = (0..footer).find(|&i| masked(&good[..=i]) == good[i + 1..i + 5]).unwrap();
    for at in 0..end {
        for change in [1u8, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] ^= change;
            let sum = masked(&bad[..=end]);
            bad[end + 1..end + 5].copy_from_slice(&sum);
            fs::write(index_path(&scratch.0.join("plain")), &bad).unwrap();
            // Whatever it contains, reading it ends and takes no more memory than the size of the file.
            let Ok(reader) = Reader::open(scratch.0.join("plain")) else { continue };
            let names: Vec<&str> = reader.names().collect();
            for name in names {
                let _ = reader.read(name);
            }
        }
    }
}

fn masked(bytes: &[u8]) -> [u8; 4] {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}
