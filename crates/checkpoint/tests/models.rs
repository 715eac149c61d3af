//! Checkpoints of objects, tensors of types that graphs do not support, and safetensors files. `record_models.py` made
//! the files.

use levada_checkpoint::disk::{Disk, System};
use levada_checkpoint::safetensors::{self, Planned};
use levada_checkpoint::{
    Element, Objects, OldWriter, Reader, SafeTensors, Slice, Source, Writer, data_path, index_path, open,
};
use levada_graph::{Code, DType, Shape, Tensor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

/// The tensors of a part of `values.json`: dtype, shape, bytes.
fn values(part: &str) -> Vec<(String, Tensor)> {
    let values: Value = serde_json::from_slice(&fs::read(data("values.json")).unwrap()).unwrap();
    let tensor = |value: &Value| {
        let dtype = DType::parse(value["dtype"].as_str().unwrap()).unwrap();
        let dims: Vec<i64> = value["shape"].as_array().unwrap().iter().map(|d| d.as_i64().unwrap()).collect();
        let hex = value["data"].as_str().unwrap();
        let bytes: Vec<u8> =
            (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
        Tensor::from_bytes(dtype, Shape::from_signed(&dims).unwrap(), &bytes).unwrap()
    };
    values[part].as_object().unwrap().iter().map(|(name, value)| (name.clone(), tensor(value))).collect()
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("levada-models-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn check(source: &dyn Source, name: &str, expected: &Tensor) {
    let key = source.find(name).unwrap_or_else(|| panic!("{} has no {name}", source.place()));
    let found = source.read(&key).unwrap();
    assert_eq!((found.dtype(), found.shape()), (expected.dtype(), expected.shape()), "{name}");
    assert_eq!(found.bytes(), expected.bytes(), "{name}");
}

#[test]
fn variables_of_objects_are_found_by_name_and_by_path() {
    for (name, value) in values("keras2") {
        check(&Reader::open(data("trained")).unwrap(), &name, &value);
        if !name.starts_with("Adam") {
            check(&Reader::open(data("weights")).unwrap(), &name, &value);
        }
    }
    let (trained, keras3) = (Reader::open(data("trained")).unwrap(), Reader::open(data("keras3")).unwrap());
    for (name, value) in values("keras3") {
        check(&keras3, &name, &value);
    }
    let key = "model/layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE";
    let names = [key, "hidden/kernel", "model/layer_with_weights-0/kernel", "model/layer-0/kernel", "layer-0/kernel"];
    for name in names {
        assert_eq!(trained.find(name).as_deref(), Some(key), "{name}");
    }
    // A suffix is enough if it is unique.
    assert!(keras3.find("hidden/kernel").is_some());
    for name in ["kernel", "same", "model", "model/layer-0", "", "/", "layer-9/kernel"] {
        assert_eq!(keras3.find(name), None, "{name:?}");
    }
    let missing = Source::read(&trained, "hiden/kernel").unwrap_err();
    assert_eq!(missing.fault().help.as_deref(), Some("did you mean \"hidden/kernel\"?"));
    let objects = trained.objects().unwrap().unwrap();
    let paths: Vec<&str> = objects.attributes().iter().map(|a| a.path.as_str()).collect();
    assert!(paths.contains(&"model/layer_with_weights-0/kernel") && paths.contains(&"optimizer/iter"), "{paths:?}");
    assert!(paths.contains(&"model/layer_with_weights-0/kernel/optimizer/m"), "{paths:?}");
    assert!(Reader::open(data("others")).unwrap().objects().unwrap().is_none());
}

#[test]
fn graphs_of_objects_that_cannot_be_are_data_loss() {
    let good = Reader::open(data("trained")).unwrap().read("_CHECKPOINTABLE_OBJECT_GRAPH").unwrap();
    let good = good.item::<levada_graph::Bytes>().unwrap();
    Objects::decode(&good).unwrap();
    for at in 0..good.len() {
        for change in [1u8, 0x80, 0xff] {
            let mut bad = good.to_vec();
            bad[at] ^= change;
            match Objects::decode(&bad) {
                Ok(objects) => drop(objects.find("hidden/kernel")),
                Err(error) => assert_eq!(error.code(), Code::DataLoss),
            }
        }
        let _ = Objects::decode(&good[..at]);
    }
    // Objects that refer to each other.
    let cycle = [10, 7, 10, 5, 8, 0, 18, 1, b'a'];
    assert_eq!(Objects::decode(&cycle).unwrap().find("a/a/a"), None);
    let nowhere = [10, 4, 10, 2, 8, 7];
    assert_eq!(Objects::decode(&nowhere).unwrap_err().code(), Code::DataLoss);
}

#[test]
fn tensors_of_narrow_types_are_kept_as_they_are() {
    let (reader, folder) = (Reader::open(data("others")).unwrap(), scratch("others"));
    let mut writer = Writer::create(folder.join("others")).unwrap();
    for (name, bytes) in values("others") {
        let stored = reader.stored(&name).unwrap();
        assert_eq!((stored.element.name(), stored.shape.dims(), stored.bytes), (name.as_str(), &[2, 3][..], 6));
        assert_eq!(reader.read(&name).unwrap().bytes(), bytes.bytes());
        let raw = reader.read_raw(&name).unwrap();
        assert_eq!(raw.bytes(), bytes.bytes());
        writer.add_raw(&name, stored.element, &stored.shape, &raw).unwrap();
        let other = Shape::new([5]).unwrap();
        assert_eq!(writer.add_raw("x", stored.element, &other, &raw).unwrap_err().code(), Code::InvalidArgument);
    }
    writer.finish().unwrap();
    for of in [index_path, |p: &Path| data_path(p, 0, 1)] {
        assert_eq!(fs::read(of(&folder.join("others"))).unwrap(), fs::read(of(&data("others"))).unwrap());
    }
    fs::remove_dir_all(folder).unwrap();
}

fn disk() -> Arc<dyn Disk> {
    Arc::new(System)
}

/// Writes all of a safetensors file again.
fn rewritten(from: &SafeTensors, to: &Path) {
    let planned = |name: &&str| {
        let stored = from.stored(name).unwrap();
        Planned { name: (*name).to_owned(), element: stored.element, shape: stored.shape }
    };
    let planned = from.names().iter().map(planned).collect();
    safetensors::write(&disk(), to, planned, from.metadata(), |name| match from.stored(name).unwrap().element {
        Element::Graph(_) => from.read(name),
        Element::Other(_) => from.read_raw(name),
    })
    .unwrap();
}

#[test]
fn safetensors_are_read_and_written_as_by_their_library() {
    let folder = scratch("safe");
    let values = values("safe");
    for file in ["plain.safetensors", "float8.safetensors"] {
        let tensors = SafeTensors::open(data(file)).unwrap();
        rewritten(&tensors, &folder.join(file));
        let (ours, theirs) = (fs::read(folder.join(file)).unwrap(), fs::read(data(file)).unwrap());
        if tensors.metadata().len() < 2 {
            assert_eq!(ours, theirs, "{file}");
        }
        // The library writes metadata in arbitrary order.
        let again = SafeTensors::open(folder.join(file)).unwrap();
        assert_eq!((again.metadata(), again.names(), ours.len()), (tensors.metadata(), tensors.names(), theirs.len()));
        for name in tensors.names() {
            let expected = &values.iter().find(|(n, _)| n == name).unwrap().1;
            if tensors.stored(name).unwrap().element.name().starts_with("float8") {
                assert_eq!(tensors.read(name).unwrap().bytes(), expected.bytes());
            } else {
                check(&tensors, name, expected);
                check(&again, name, expected);
            }
        }
    }
    let plain = SafeTensors::open(data("plain.safetensors")).unwrap();
    assert_eq!(plain.metadata()["made \"by\""], "a script");
    let part = plain.read_slice("bool/0", &Slice::parse("1,1:-").unwrap()).unwrap();
    assert_eq!(part.bytes(), Some(&plain.read("bool/0").unwrap().bytes().unwrap()[3..]));
    assert_eq!(plain.read("bool/1").unwrap_err().code(), Code::NotFound);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_files_of_safetensors_cannot_have_is_refused() {
    let (folder, scalar) = (scratch("refused"), Shape::scalar());
    let planned = |name: &str, element| Planned { name: name.to_owned(), element, shape: scalar.clone() };
    let strings = [planned("a", Element::Graph(DType::Str)), planned("b", Element::Graph(DType::C128))];
    let write = |planned: &[Planned]| {
        let read = |_: &str| Ok(Tensor::scalar(1f32));
        safetensors::write(&disk(), &folder.join("x"), planned.to_vec(), &BTreeMap::new(), read)
    };
    let error = write(&strings).unwrap_err();
    assert_eq!((error.code(), error.all().count()), (Code::Unimplemented, 2));
    let float = Element::Graph(DType::F32);
    assert_eq!(write(&[planned("a", float), planned("a", float)]).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(write(&[planned("a", Element::Graph(DType::F64))]).unwrap_err().code(), Code::Internal);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn hostile_headers_are_refused() {
    let folder = scratch("hostile");
    let file = |header: &str, data: usize| {
        let path = folder.join("x.safetensors");
        let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &vec![0; data]].concat();
        fs::write(&path, bytes).unwrap();
        SafeTensors::open(path)
    };
    let tensor = |dtype: &str, shape: &str, from: u64, to: u64| {
        format!(r#"{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{from},{to}]}}"#)
    };
    let one = |text: String| format!(r#"{{"a":{text}}}"#);
    let two = |a: String, b: String| format!(r#"{{"a":{a},"b":{b}}}"#);
    file(&one(tensor("F32", "[1]", 0, 4)), 4).unwrap();
    file("{}", 0).unwrap();
    file(&two(tensor("F32", "[0]", 0, 0), tensor("U8", "[0,7]", 0, 0)), 0).unwrap();
    let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    let wrong = [
        (String::new(), 0),
        ("[]".to_owned(), 0),
        (" {}".to_owned(), 0),
        ("{\"a\":".to_owned(), 0),
        (deep, 0),
        // Ranges that are too long, too short, beyond the end, reversed, or overflow.
        (one(tensor("F32", "[1]", 0, 8)), 8),
        (one(tensor("F32", "[2]", 0, 4)), 4),
        (one(tensor("F32", "[1]", 0, 4)), 3),
        (one(tensor("F32", "[1]", 0, 4)), 5),
        (one(tensor("F32", "[1]", 4, 0)), 4),
        (one(tensor("F32", "[4611686018427387904]", 0, 0)), 0),
        (one(tensor("F32", "[4294967296,4294967296,2]", 0, 0)), 0),
        (one(tensor("F32", "[-1]", 0, 4)), 4),
        (one(tensor("F32", "[1.5]", 0, 4)), 4),
        (one(tensor("F32", "[18446744073709551616]", 0, 4)), 4),
        (one(tensor("F4", "[3]", 0, 1)), 1),
        // Overlaps, gaps, bytes that belong to no tensor.
        (two(tensor("F32", "[1]", 0, 4), tensor("F32", "[1]", 2, 6)), 6),
        (two(tensor("F32", "[1]", 0, 4), tensor("F32", "[1]", 0, 4)), 4),
        (two(tensor("F32", "[1]", 0, 4), tensor("F32", "[1]", 6, 10)), 10),
        (one(tensor("F32", "[1]", 4, 8)), 8),
        // Duplicate or unknown keys.
        (format!(r#"{{"a":{0},"a":{0}}}"#, tensor("U8", "[0]", 0, 0)), 0),
        (r#"{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"more":1}}"#.to_owned(), 0),
        (r#"{"__metadata__":{"a":1}}"#.to_owned(), 0),
        (r#"{"__metadata__":{"a":"x","a":"y"}}"#.to_owned(), 0),
    ];
    for (header, data) in wrong {
        let error = file(&header, data).err().unwrap_or_else(|| panic!("{header:.100}"));
        assert_eq!(error.code(), Code::DataLoss, "{header:.100}: {error}");
    }
    assert_eq!(file(&one(tensor("F99", "[1]", 0, 4)), 4).err().unwrap().code(), Code::Unimplemented);
    for length in [0u64, 1, 100_000_001, u64::MAX, 9] {
        let path = folder.join("y.safetensors");
        fs::write(&path, [&length.to_le_bytes()[..], b"{}"].concat()).unwrap();
        assert_eq!(SafeTensors::open(path).err().unwrap().code(), Code::DataLoss, "{length}");
    }
    // A truncated or modified file does no harm.
    let good = fs::read(data("plain.safetensors")).unwrap();
    let path = folder.join("z.safetensors");
    let all = || {
        let file = SafeTensors::open(&path)?;
        file.names().iter().try_for_each(|name| file.read(name).map(drop))
    };
    for at in (0..good.len()).step_by(7) {
        fs::write(&path, &good[..at]).unwrap();
        assert!(all().is_err(), "{at}");
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        fs::write(&path, &bad).unwrap();
        let _ = all();
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn several_files_of_safetensors_are_one_model() {
    let folder = scratch("sharded");
    let write = |file: &str, name: &str, value: f32| {
        let planned = Planned { name: name.to_owned(), element: Element::Graph(DType::F32), shape: Shape::scalar() };
        let read = |_: &str| Ok(Tensor::scalar(value));
        safetensors::write(&disk(), &folder.join(file), vec![planned], &BTreeMap::new(), read).unwrap();
    };
    write("model-1.safetensors", "a", 1.0);
    write("model-2.safetensors", "b", 2.0);
    let index = |text: &str| fs::write(folder.join("model.safetensors.index.json"), text).unwrap();
    index(r#"{"metadata": {"total_size": 8}, "weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}"#);
    for path in [folder.clone(), folder.join("model.safetensors.index.json")] {
        let source = open(&path).unwrap();
        assert_eq!((source.names(), source.kind().as_str()), (vec!["a", "b"], "safetensors in 2 files"));
        assert_eq!(source.read("b").unwrap().item::<f32>().unwrap(), 2.0);
        assert_eq!(source.read("c").unwrap_err().code(), Code::NotFound);
    }
    let wrong = [
        ("{}", Code::DataLoss),
        ("", Code::DataLoss),
        (r#"{"weight_map": {"b": "model-1.safetensors"}}"#, Code::DataLoss),
        (r#"{"weight_map": {"a": "../model-1.safetensors"}}"#, Code::DataLoss),
        (r#"{"weight_map": {"a": "/model-1.safetensors"}}"#, Code::DataLoss),
        (r#"{"weight_map": {"a": "model-3.safetensors"}}"#, Code::NotFound),
    ];
    for (text, code) in wrong {
        index(text);
        assert_eq!(open(&folder).err().unwrap().code(), code, "{text}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_path_leads_to_what_is_there() {
    let folder = scratch("paths");
    let model = folder.join("model-1");
    let mut writer = Writer::create(&model).unwrap();
    writer.add("x", &Tensor::scalar(1f32)).unwrap();
    writer.finish().unwrap();
    let mut old = OldWriter::default();
    old.add_slice("x", &Shape::scalar(), &Slice::full(0), &Tensor::scalar(2f32)).unwrap();
    old.write(&folder.join("old")).unwrap();
    let x = |path: &Path| open(path).unwrap().read("x").unwrap().item::<f32>().unwrap();
    for path in [model.clone(), index_path(&model), data_path(&model, 0, 1)] {
        assert_eq!(x(&path), 1.0);
    }
    assert_eq!(x(&folder.join("old")), 2.0);
    // Without a list, a directory has an ambiguous checkpoint; with one, the latest is opened.
    let error = open(&folder).err().unwrap();
    assert_eq!(error.code(), Code::NotFound);
    assert!(error.fault().help.as_deref().unwrap().contains("model-1"), "{error}");
    levada_checkpoint::State { latest: "model-1".to_owned(), ..Default::default() }.write(&folder).unwrap();
    assert_eq!(x(&folder), 1.0);
    // The variables of a SavedModel.
    let variables = folder.join("saved/variables");
    fs::create_dir_all(&variables).unwrap();
    for of in [index_path, |p: &Path| data_path(p, 0, 1)] {
        fs::copy(of(&model), of(&variables.join("variables"))).unwrap();
    }
    assert_eq!(x(&folder.join("saved")), 1.0);
    assert_eq!(open(&folder.join("nothing")).err().unwrap().code(), Code::NotFound);
    assert!(open(&data("plain.safetensors")).unwrap().kind().starts_with("safetensors"));
    fs::remove_dir_all(folder).unwrap();
}
