//! Files of every format with bytes changed, cut, repeated and put together: reading one gives a value or an error.

use levada::checkpoint::{SafeTensors, Source};
use levada::graph::{read, write};
use levada::onnx::Model;
use levada::records::{Compression, Reader, Writer};
use levada::{Builder, Bytes, DType, Limits, PartialShape, Session, SessionOptions, Tensor};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Mutants of each file, times `LEVADA_MUTANTS` where it is set.
const MUTANTS: u64 = 400;

/// Random numbers: SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % most.max(1) as u64) as usize
    }
}

/// Numbers at the ends of types, as text and as bytes: what sizes are replaced by.
const ENDS: [&[u8]; 10] = [
    b"-1",
    b"2147483648",
    b"9223372036854775807",
    b"1e999",
    b"[]",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\xff\xff\xff\x7f",
    b"\xff\xff\xff\xff\x0f",
    b"\0\0\0\0\0\0\0\x80",
    b"\"\"",
];

/// The file with a few changes, decided by the seed.
fn mutant(file: &[u8], seed: u64) -> Vec<u8> {
    let mut dice = Dice(seed);
    let mut bytes = file.to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len());
        let len = dice.below(64).min(bytes.len() - at);
        match dice.below(7) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + len)),
            2 => {
                let part = bytes[at..at + len].to_vec();
                let to = dice.below(bytes.len());
                drop(bytes.splice(to..to, part));
            }
            3 => {
                let end = ENDS[dice.below(ENDS.len())];
                drop(bytes.splice(at..(at + end.len()).min(bytes.len()), end.iter().copied()));
            }
            _ if bytes.is_empty() => {}
            4 => bytes[at] = dice.below(256) as u8,
            5 => bytes[at] ^= 1 << dice.below(8),
            _ => bytes[at] = [0, 0x7f, 0x80, 0xff][dice.below(4)],
        }
    }
    bytes
}

/// Gives `read` mutants of these files; says how many.
fn mutate(what: &str, files: &[Vec<u8>], mut read: impl FnMut(&[u8])) {
    let times = std::env::var("LEVADA_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut executions = 0;
    for (i, file) in files.iter().enumerate() {
        for seed in 0..MUTANTS * times {
            let bytes = mutant(file, seed << 8 | i as u64);
            let survived = catch_unwind(AssertUnwindSafe(|| read(&bytes)));
            assert!(survived.is_ok(), "{what}: file {i}, seed {seed}");
            executions += 1;
        }
    }
    println!("{what}: {executions} executions");
    assert!(executions > 0, "{what}: there are no files");
}

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

/// A folder for files that go through the disk.
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

/// The session of a node of `op` that reads a string, of a graph that nobody trusts.
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
    for op in ["DecodeImage", "DecodePng", "DecodeJpeg"] {
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
