//! Mutated files of every format (bytes changed, cut, repeated and spliced): reading one gives a value or an error.

use levada::checkpoint::{SafeTensors, Source};
use levada::graph::{read, write};
use levada::onnx::Model;
use levada::records::{Compression, Reader, Writer};
use levada::{Builder, Bytes, DType, Limits, PartialShape, Session, SessionOptions, Tensor};
use levada_testkit::mutants::mutate;
use std::fs;
use std::path::{Path, PathBuf};

fn at_root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn files(folder: &str, suffix: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(at_root(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(suffix));
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// A folder for files on disk.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("levada-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn graphs_in_json() {
    let graphs = [files("graphs", ".json"), files("graphs/bad", ".json")].concat();
    mutate("GraphDef in JSON", &graphs, |bytes| drop(read::bytes(bytes, &levada::registry())));
}

#[test]
fn graphs_in_binary() {
    let graphs: Vec<Vec<u8>> = files("graphs", ".json")
        .iter()
        .filter_map(|text| read::bytes(text, &levada::registry()).ok())
        .map(|graph| write::pb(&graph.to_def()).unwrap())
        .collect();
    mutate("GraphDef in binary", &graphs, |bytes| drop(read::pb(bytes, &levada::registry())));
}

#[test]
fn records() {
    let file = |compression: fn() -> Compression| {
        let mut writer = Writer::new(Vec::new(), compression());
        for record in [&b"one"[..], b"", &[7; 1000]] {
            writer.write(record).unwrap();
        }
        writer.finish().unwrap()
    };
    let kinds: [fn() -> Compression; 3] = [|| Compression::None, || Compression::Gzip, || Compression::Zlib];
    for kind in kinds {
        mutate("records", &[file(kind)], |bytes| {
            let mut reader = Reader::new(bytes, kind());
            while let Ok(Some(_)) = reader.read() {}
        });
    }
}

#[test]
fn checkpoints() {
    let folder = Folder::new("checkpoints");
    for name in ["plain", "strings", "variants"] {
        let data = format!("{name}.data-00000-of-00001");
        let source = at_root("crates/checkpoint/tests/data");
        let (index, values) = (folder.0.join(format!("{name}.index")), folder.0.join(&data));
        let read = || {
            if let Ok(reader) = levada::checkpoint::Reader::open(folder.0.join(name)) {
                let names: Vec<String> = reader.names().map(str::to_owned).collect();
                names.iter().for_each(|name| drop(reader.read(name)));
            }
        };
        fs::copy(source.join(&data), &values).unwrap();
        mutate("index of a checkpoint", &[fs::read(source.join(format!("{name}.index"))).unwrap()], |bytes| {
            fs::write(&index, bytes).unwrap();
            read();
        });
        fs::copy(source.join(format!("{name}.index")), &index).unwrap();
        mutate("data of a checkpoint", &[fs::read(source.join(&data)).unwrap()], |bytes| {
            fs::write(&values, bytes).unwrap();
            read();
        });
    }
}

#[test]
fn safetensors() {
    let folder = Folder::new("safetensors");
    let path = folder.0.join("mutant.safetensors");
    mutate("safetensors", &files("crates/checkpoint/tests/models", ".safetensors"), |bytes| {
        fs::write(&path, bytes).unwrap();
        if let Ok(file) = SafeTensors::open(&path) {
            let names: Vec<String> = file.names().into_iter().map(str::to_owned).collect();
            names.iter().for_each(|name| drop(file.read(name)));
        }
    });
}

/// A field of a protobuf message that holds bytes or a message.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, content.len() as u8], content].concat()
}

/// The model `y = Relu(x)`.
fn onnx() -> Vec<u8> {
    let dims = field(1, &[1 << 3, 2]).repeat(2);
    let tensor = [&[1 << 3, 1][..], &field(2, &dims)].concat();
    let value = |name: &str| [field(1, name.as_bytes()), field(2, &field(1, &tensor))].concat();
    let node = [field(1, b"x"), field(2, b"y"), field(4, b"Relu")].concat();
    let graph = [field(1, &node), field(2, b"g"), field(11, &value("x")), field(12, &value("y"))].concat();
    [&[1 << 3, 8][..], &field(7, &graph), &field(8, &[2 << 3, 13])].concat()
}

#[test]
fn onnx_models() {
    let model = onnx();
    Model::parse(model.clone()).unwrap().graph(&levada::registry()).unwrap();
    mutate("ONNX", &[model], |bytes| {
        if let Ok(model) = Model::parse(bytes.to_vec()) {
            drop(model.graph(&levada::registry()));
        }
    });
}

/// A session of an untrusted graph with a node of `op` that reads a string.
fn reads(op: &str, attrs: &[(&str, DType)]) -> Session {
    let mut b = Builder::new(levada::registry());
    let file = b.placeholder("file", DType::Str, PartialShape::scalar());
    let mut node = b.node(op).name("read").input(file);
    for (name, dtype) in attrs {
        node = node.attr(name, *dtype);
    }
    node.add();
    let limits = Limits { memory: 1 << 30, memory_of_step: 1 << 30, ..Limits::default() };
    Session::new(b.finish().unwrap(), SessionOptions { threads: 1, ..SessionOptions::untrusted(limits) }).unwrap()
}

fn image(op: &str, channels: usize) -> Vec<u8> {
    let mut b = Builder::new(levada::registry());
    let pixels = (0..17 * 13 * channels).map(|i| (i * 37 % 256) as u8).collect();
    let pixels = Tensor::from_vec(levada::Shape::new([17, 13, channels]).unwrap(), pixels).unwrap();
    let pixels = b.constant(pixels);
    b.node(op).name("file").input(pixels).add();
    let session = Session::new(b.finish().unwrap(), SessionOptions::default()).unwrap();
    session.run(&[], &["file"], &[]).unwrap()[0].item::<Bytes>().unwrap().to_vec()
}

#[test]
fn images() {
    let bmp = [&b"BM\x4a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\x18\0"[..], &[0; 40]].concat();
    let gif = b"GIF89a\x02\0\x02\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x02\0\x02\0\0\x02\x03D\x02\x05\0;".to_vec();
    let files =
        [image("EncodePng", 3), image("EncodePng", 4), image("EncodeJpeg", 3), image("EncodeJpeg", 1), bmp, gif];
    for op in ["DecodeImage", "DecodePng", "DecodeJpeg", "DecodeGif", "DecodeBmp"] {
        let session = reads(op, &[]);
        mutate(op, &files, |bytes| {
            if let Err(error) = session.run(&[("file", Tensor::string(bytes))], &["read"], &[]) {
                assert!(!error.message().contains("panicked"), "{error}");
            }
        });
    }
}

#[test]
fn tensors_in_protobuf() {
    let tensor = Tensor::from_vec(levada::Shape::new([2, 3]).unwrap(), vec![1f32; 6]).unwrap();
    let files = [write::tensor_to_pb(&tensor).unwrap(), write::tensor_to_pb(&Tensor::string("text")).unwrap()];
    let session = reads("ParseTensor", &[("out_type", DType::F32)]);
    mutate("ParseTensor", &files, |bytes| {
        if let Err(error) = session.run(&[("file", Tensor::string(bytes))], &["read"], &[]) {
            assert!(!error.message().contains("panicked"), "{error}");
        }
    });
}

/// A session that parses the placeholder `file` with the node `read`, whose inputs are among `none`, `one`, `two`, `zeros` and
/// `yes`.
fn parses(op: &str, inputs: &str, attrs: &str) -> Session {
    let text = format!(
        r#"{{"node": [
        {{"name": "file", "op": "Placeholder", "attr": {{"dtype": "string", "shape": []}}}},
        {{"name": "none", "op": "Const", "attr": {{"dtype": "string", "value": []}}}},
        {{"name": "one", "op": "Const", "attr": {{"dtype": "string", "value": ["c"]}}}},
        {{"name": "two", "op": "Const", "attr": {{"dtype": "string", "value": ["a", "b"]}}}},
        {{"name": "zeros", "op": "Const", "attr": {{"dtype": "float32", "value": [0, 0]}}}},
        {{"name": "yes", "op": "Const", "attr": {{"dtype": "bool", "value": [true]}}}},
        {{"name": "read", "op": "{op}", "input": [{inputs}], "attr": {{{attrs}}}}}]}}"#
    );
    let graph = read::json(text.as_bytes(), &levada::registry()).unwrap();
    let limits = Limits { memory: 1 << 30, memory_of_step: 1 << 30, ..Limits::default() };
    Session::new(graph, SessionOptions { threads: 1, ..SessionOptions::untrusted(limits) }).unwrap()
}

#[test]
fn examples() {
    let ints = field(3, &field(1, &[1, 2, 0xff, 1]));
    let texts = field(1, &[field(1, b"text"), field(1, b"")].concat());
    let floats = field(2, &field(1, &[0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]));
    let named = |key: &str, value: &[u8]| field(1, &[field(1, key.as_bytes()), field(2, value)].concat());
    let features = [named("a", &ints), named("b", &texts), named("c", &floats)].concat();
    let lists = [
        named("a", &field(1, &ints).repeat(3)),
        named("b", &field(1, &texts)),
        named("c", &field(1, &floats).repeat(2)),
    ];
    let example = field(1, &features);
    let sequence = [field(1, &features), field(2, &lists.concat())].concat();
    let sessions = [
        (
            parses(
                "ParseExampleV2",
                r#""file", "none", "two", "one", "none", "zeros""#,
                r#""Tdense": ["float32"], "num_sparse": 2, "sparse_types": ["int64", "string"], "ragged_value_types": [],
                "ragged_split_types": [], "dense_shapes": [[2]]"#,
            ),
            example,
        ),
        (
            parses(
                "ParseSequenceExampleV2",
                r#""file", "none", "two", "one", "none", "two", "one", "none", "yes", "zeros""#,
                r#""Ncontext_sparse": 2, "Tcontext_dense": ["float32"], "context_sparse_types": ["int64", "string"],
                "context_dense_shapes": [[2]], "Nfeature_list_sparse": 2, "Nfeature_list_dense": 1,
                "feature_list_dense_types": ["float32"], "feature_list_sparse_types": ["int64", "string"],
                "feature_list_dense_shapes": [[2]]"#,
            ),
            sequence,
        ),
    ];
    for (session, file) in sessions {
        let parse = |bytes: &[u8]| session.run(&[("file", Tensor::string(bytes))], &["read:1"], &[]);
        let values = parse(&file).unwrap_or_else(|error| panic!("{error}"));
        assert!(values[0].num_elements() > 0);
        mutate("examples", &[file], |bytes| {
            if let Err(error) = parse(bytes) {
                assert!(!error.message().contains("panicked"), "{error}");
            }
        });
    }
}
