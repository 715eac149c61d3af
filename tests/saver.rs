//! `train::Saver`: what it saves and restores, which checkpoints it keeps, and the state after a crash.
//! `tests/saver/record.py` made the files of TensorFlow's saver.

use flate2::read::GzDecoder;
use levada::checkpoint::disk::{Disk, DiskFile, System};
use levada::checkpoint::{Reader, Slice, State};
use levada::graph::{Bytes, read};
use levada::train::{self, Keep, RestoreOptions, Saver, SaverOptions};
use levada::{Builder, Code, DType, Graph, Ops, Session, SessionOptions, Shape, Tensor};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("saver/data").join(name)
}

/// A session on a graph that TensorFlow exported.
fn recorded(name: &str) -> Session {
    let mut bytes = Vec::new();
    GzDecoder::new(File::open(data(name)).unwrap()).read_to_end(&mut bytes).unwrap();
    session(read::pb(&bytes, &levada::registry()).unwrap())
}

fn session(graph: Graph) -> Session {
    Session::new(graph, SessionOptions { threads: 2, ..SessionOptions::default() }).unwrap()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// The values of TensorFlow's variables, by their names.
fn expected(file: &str) -> BTreeMap<String, Tensor> {
    let values: Value = serde_json::from_slice(&fs::read(data(file)).unwrap()).unwrap();
    let tensor = |value: &Value| {
        let dtype = DType::parse(value["dtype"].as_str().unwrap()).unwrap();
        let dims: Vec<i64> = value["shape"].as_array().unwrap().iter().map(|d| d.as_i64().unwrap()).collect();
        let shape = Shape::from_signed(&dims).unwrap();
        match &value["data"] {
            Value::String(hex) => Tensor::from_bytes(dtype, shape, &unhex(hex)).unwrap(),
            strings => {
                let strings = strings.as_array().unwrap().iter().map(|s| unhex(s.as_str().unwrap()).into()).collect();
                Tensor::from_vec::<Bytes>(shape, strings).unwrap()
            }
        }
    };
    values.as_object().unwrap().iter().map(|(name, value)| (name.clone(), tensor(value))).collect()
}

/// The value of a variable of a session.
fn value(session: &Session, name: &str) -> Tensor {
    let is_handle = session.graph().node(session.graph().find(name).unwrap()).op_name() == "VarHandleOp";
    let read = if is_handle { format!("{name}/Read/ReadVariableOp") } else { format!("{name}/read") };
    session.run(&[], &[&read], &[]).unwrap().remove(0)
}

/// Equal bit for bit.
fn same(a: &Tensor, b: &Tensor) -> bool {
    (a.dtype(), a.shape(), a.bytes()) == (b.dtype(), b.shape(), b.bytes())
        && (a.bytes().is_some() || a.slice::<Bytes>().unwrap() == b.slice::<Bytes>().unwrap())
}

/// A directory for one test, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("levada-saver-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn files(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A session with a variable `w` of `size` floats, initially 0; `add` adds 1 to the first one, in place.
fn counter(size: usize) -> Session {
    let mut b = Builder::new(levada::registry());
    let zeros = b.constant(Tensor::zeros(DType::F32, Shape::vector(size)));
    let w = train::variable(&mut b, "w", zeros);
    let (indices, updates) = (b.constant(Tensor::vector(vec![0i32])), b.constant(Tensor::vector(vec![1f32])));
    Ops::new(&mut b).resource_scatter_add(w.handle, indices, updates).name("add").add();
    b.identity("first", w.value);
    let init = train::global_variables_initializer(&mut b);
    let init = b.node_name(init);
    let session = session(b.finish().unwrap());
    session.run(&[], &[], &[&init]).unwrap();
    session
}

fn first(session: &Session) -> f32 {
    session.run(&[], &["first"], &[]).unwrap()[0].slice::<f32>().unwrap()[0]
}

#[test]
fn what_tensorflows_saver_saved_is_restored_and_saved_again() {
    let (expected, scratch) = (expected("values.json"), Scratch::new("recorded"));
    // One with nodes that save it, and one without, whose names and slices come from its collections.
    for graph in ["graph.meta.gz", "plain.meta.gz"] {
        let session = recorded(graph);
        let saver = Saver::new(&session, Keep::default()).unwrap();
        let restored =
            saver.restore_from(&session, &Reader::open(data("model-3")).unwrap(), &RestoreOptions::default());
        let restored = restored.unwrap_or_else(|e| panic!("{graph}: {e}"));
        assert!(restored.unused.is_empty() && restored.missing.is_empty(), "{restored:?}");
        for (name, expected) in &expected {
            let found = value(&session, name);
            assert!(same(&found, expected), "{graph}: {name} is {found:?}, not {expected:?}");
        }
        // Saved again it is identical to TensorFlow's: names, slices, elements, their checksums.
        let prefix = saver.save(&session, scratch.0.join("again"), Some(3)).unwrap();
        let (ours, theirs) = (Reader::open(&prefix).unwrap(), Reader::open(data("model-3")).unwrap());
        assert!(ours.names().eq(theirs.names()));
        for name in theirs.names() {
            assert_eq!(ours.entry(name).unwrap(), theirs.entry(name).unwrap());
            assert!(same(&ours.read(name).unwrap(), &theirs.read(name).unwrap()), "{name}");
        }
        assert_eq!(
            ours.entry("parts_ref/table").unwrap().slices,
            ["0,3:0,4", "3,2:0,4", "5,2:0,4"].map(|s| Slice::parse(s).unwrap())
        );
    }
    assert_eq!(train::latest_checkpoint(&data("")).unwrap(), Some(data("model-3")));
}

/// `compress.py` wrote it; TensorFlow reads it too.
#[test]
fn indexes_may_be_compressed() {
    let [plain, compressed] = ["model-3", "compressed"].map(|name| Reader::open(data(name)).unwrap());
    assert!(compressed.names().eq(plain.names()));
    for name in plain.names() {
        assert_eq!(compressed.entry(name).unwrap(), plain.entry(name).unwrap());
        assert!(same(&compressed.read(name).unwrap(), &plain.read(name).unwrap()), "{name}");
    }
}

#[test]
fn what_was_saved_in_some_parts_is_restored_in_others() {
    let (session, scratch) = (recorded("repartitioned.meta.gz"), Scratch::new("parts"));
    let saver = Saver::new(&session, Keep::default()).unwrap();
    saver.restore(&session, data("model-3")).unwrap();
    let expected = expected("repartitioned.json");
    assert_eq!(expected.len(), 6);
    for (name, expected) in &expected {
        assert!(same(&value(&session, name), expected), "{name}");
    }
    // With its own slices it is the same tensor.
    let prefix = saver.save(&session, scratch.0.join("again"), None).unwrap();
    let (ours, theirs) = (Reader::open(prefix).unwrap(), Reader::open(data("model-3")).unwrap());
    let values = saver.values(&session).unwrap();
    for (name, parts) in [("parts_handle/table", 2), ("parts_ref/table", 4)] {
        assert_eq!(ours.entry(name).unwrap().slices.len(), parts);
        assert!(same(&ours.read(name).unwrap(), &theirs.read(name).unwrap()));
        assert!(same(&values[name], &theirs.read(name).unwrap()));
    }
}

#[test]
fn names_are_those_of_the_graphs_own_saver() {
    let (session, scratch) = (recorded("renamed.meta.gz"), Scratch::new("renamed"));
    let saver = Saver::new(&session, Keep::default()).unwrap();
    assert_eq!(saver.names().collect::<Vec<_>>(), ["a/average", "other/b"]);
    saver.restore(&session, data("renamed")).unwrap();
    assert_eq!(value(&session, "a").slice::<f32>().unwrap(), [1.0, 2.0]);
    assert_eq!(value(&session, "b").slice::<f32>().unwrap(), [3.0]);
    let prefix = saver.save(&session, scratch.0.join("renamed"), None).unwrap();
    for end in [".index", ".data-00000-of-00001"] {
        let file = |prefix: &Path| fs::read(format!("{}{end}", prefix.display())).unwrap();
        assert_eq!(file(&prefix), file(&data("renamed")));
    }
}

#[test]
fn the_latest_are_kept_and_listed() {
    let (session, scratch) = (counter(3), Scratch::new("kept"));
    let saver = Saver::new(&session, Keep { max: 2, every: None }).unwrap();
    for step in 1..=4 {
        session.run(&[], &[], &["add"]).unwrap();
        let saved = saver.save(&session, scratch.0.join("model"), Some(step)).unwrap();
        assert_eq!(saved, scratch.0.join(format!("model-{step}")));
        assert_eq!(train::latest_checkpoint(&scratch.0).unwrap(), Some(saved));
    }
    let listed =
        ["checkpoint", "model-3.data-00000-of-00001", "model-3.index", "model-4.data-00000-of-00001", "model-4.index"];
    assert_eq!(scratch.files(), listed);
    // Another saver of the directory continues from there.
    let another = Saver::new(&session, Keep { max: 2, every: None }).unwrap();
    another.save(&session, scratch.0.join("model"), Some(5)).unwrap();
    let state = State::read(&scratch.0).unwrap().unwrap();
    assert_eq!((&*state.latest, state.all), ("model-5", vec!["model-4".to_owned(), "model-5".to_owned()]));
    assert!(!scratch.0.join("model-3.index").exists());
    another.restore(&session, scratch.0.join("model-4")).unwrap();
    session.run(&[], &[], &["add"]).unwrap();
    assert_eq!(first(&session), 5.0);
    assert_eq!(another.restore_latest(&session, &scratch.0).unwrap(), Some(scratch.0.join("model-5")));
    assert_eq!(first(&session), 4.0);
    another.restore(&session, &scratch.0).unwrap();
    assert_eq!(first(&session), 4.0);
}

#[test]
fn one_is_kept_for_good_now_and_then() {
    let (session, scratch) = (counter(3), Scratch::new("every"));
    let hour = Duration::from_secs(3600);
    let all = |latest: &str| State::read(&scratch.0).unwrap().filter(|s| s.latest == latest).unwrap().all;
    let saver = Saver::new(&session, Keep { max: 1, every: Some(hour) }).unwrap();
    for step in 1..=2 {
        saver.save(&session, scratch.0.join("m"), Some(step)).unwrap();
    }
    assert_eq!(all("m-2"), ["m-2"]);
    // As if an hour had passed since the first one.
    let mut state = State::read(&scratch.0).unwrap().unwrap();
    state.last_preserved = state.last_preserved.map(|time| time - 3700.0);
    state.write(&scratch.0).unwrap();
    let saver = Saver::new(&session, Keep { max: 1, every: Some(hour) }).unwrap();
    for step in 3..=4 {
        saver.save(&session, scratch.0.join("m"), Some(step)).unwrap();
    }
    assert_eq!(all("m-4"), ["m-4"]);
    let kept = |step: i32| scratch.0.join(format!("m-{step}.index")).exists();
    assert_eq!([1, 2, 3, 4].map(kept), [false, true, false, true]);
    // All of them stay.
    let saver = Saver::new(&session, Keep { max: 0, every: None }).unwrap();
    for step in 5..=7 {
        saver.save(&session, scratch.0.join("m"), Some(step)).unwrap();
    }
    assert_eq!(all("m-7"), ["m-4", "m-5", "m-6", "m-7"]);
}

#[test]
fn everything_that_does_not_fit_is_told() {
    let (session, scratch) = (counter(3), Scratch::new("faults"));
    let saver = Saver::new(&session, Keep::default()).unwrap();
    let missing = saver.restore(&session, &scratch.0).unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
    assert_eq!(saver.restore_latest(&session, &scratch.0).unwrap(), None);
    let mut writer = levada::checkpoint::Writer::create(scratch.0.join("other")).unwrap();
    writer.add("w", &Tensor::zeros(DType::F64, Shape::vector(3))).unwrap();
    writer.add("ww", &Tensor::zeros(DType::F32, Shape::vector(4))).unwrap();
    writer.finish().unwrap();
    let dtype = saver.restore(&session, scratch.0.join("other")).unwrap_err();
    assert!(dtype.to_string().contains("a different dtype"), "{dtype}");
    let reader = Reader::open(scratch.0.join("other")).unwrap();
    let named =
        |name: &str| RestoreOptions { names: [("w".to_owned(), name.to_owned())].into(), ..RestoreOptions::default() };
    let shape = saver.restore_from(&session, &reader, &named("ww")).unwrap_err();
    assert!(shape.to_string().contains("shape [3]") && shape.to_string().contains("shape [4]"), "{shape}");
    let near = saver.restore_from(&session, &reader, &named("www")).unwrap_err();
    assert_eq!(near.fault().help.as_deref(), Some("did you mean \"ww\"?"));
    let unknown = RestoreOptions { names: [("v".to_owned(), "w".to_owned())].into(), ..RestoreOptions::default() };
    assert_eq!(saver.restore_from(&session, &reader, &unknown).unwrap_err().code(), Code::NotFound);
    let mut b = Builder::new(levada::registry());
    b.constant(Tensor::scalar(1f32));
    let none = Saver::new(&session_of(b), Keep::default()).err().unwrap();
    assert_eq!(none.code(), Code::InvalidArgument);
    let mut b = Builder::new(levada::registry());
    let zero = b.constant(Tensor::scalar(0f32));
    train::variable(&mut b, "unset", zero);
    let session = session_of(b);
    let unset = Saver::new(&session, Keep::default()).unwrap().save(&session, scratch.0.join("u"), None).unwrap_err();
    assert!(unset.to_string().contains("unset"), "{unset}");
}

fn session_of(b: Builder) -> Session {
    session(b.finish().unwrap())
}

/// A file system whose operations fail from one of them on, and which then simulates the state after a crash: data that
/// was not synced is truncated, and a name that was not synced is rolled back or stays, as `unsynced_names` says.
struct Crashing {
    left: AtomicUsize,
    done: AtomicUsize,
    unsynced_names: bool,
    world: Mutex<World>,
}

#[derive(Default)]
struct World {
    unsynced: HashSet<PathBuf>,
    /// Renames in directories that have not been synced: the target, and what was there before.
    renames: Vec<(PathBuf, Option<Vec<u8>>)>,
}

impl Crashing {
    fn after(operations: usize, unsynced_names: bool) -> Arc<Crashing> {
        let (left, done) = (AtomicUsize::new(operations), AtomicUsize::new(0));
        Arc::new(Crashing { left, done, unsynced_names, world: Mutex::default() })
    }

    fn step(&self) -> io::Result<()> {
        self.done.fetch_add(1, Ordering::SeqCst);
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        left.map(drop).map_err(|_| io::Error::other("the disk is gone"))
    }

    /// The state on disk after the crash.
    fn crash(&self) {
        let world = std::mem::take(&mut *self.world.lock().unwrap());
        for path in world.unsynced {
            if let Ok(file) = File::options().write(true).open(&path) {
                file.set_len(file.metadata().unwrap().len() / 2).unwrap();
            }
        }
        if self.unsynced_names {
            for (path, before) in world.renames.into_iter().rev() {
                match before {
                    Some(before) => fs::write(path, before).unwrap(),
                    None => drop(fs::remove_file(path)),
                }
            }
        }
    }
}

struct CrashingFile {
    file: Box<dyn DiskFile>,
    path: PathBuf,
    disk: Arc<Crashing>,
}

/// `Disk` for a shared file system.
struct Shared(Arc<Crashing>);

impl Disk for Shared {
    fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.0.step()?;
        System.make_directory(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.0.step()?;
        let file = System.create(path)?;
        Ok(Box::new(CrashingFile { file, path: path.to_owned(), disk: self.0.clone() }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.step()?;
        let before = fs::read(to).ok();
        System.rename(from, to)?;
        let mut world = self.0.world.lock().unwrap();
        if world.unsynced.remove(from) {
            world.unsynced.insert(to.to_owned());
        }
        world.renames.push((to.to_owned(), before));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.step()?;
        System.remove(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.0.step()?;
        // What is in the system's memory is on this disk.
        assert!(path.is_dir());
        self.0.world.lock().unwrap().renames.clear();
        Ok(())
    }
}

impl DiskFile for CrashingFile {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.disk.world.lock().unwrap().unsynced.insert(self.path.clone());
        // Half of it may be written.
        match self.disk.step() {
            Ok(()) => self.file.write_at(bytes, offset),
            Err(error) => self.file.write_at(&bytes[..bytes.len() / 2], offset).and(Err(error)),
        }
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.step()?;
        self.disk.world.lock().unwrap().unsynced.remove(&self.path);
        Ok(())
    }
}

/// The number of steps in the latest checkpoint of a directory.
fn latest_count(directory: &Path) -> Option<f32> {
    let prefix = train::latest_checkpoint(directory).unwrap()?;
    let w = Reader::open(prefix).unwrap().read("w").unwrap();
    Some(w.slice::<f32>().unwrap()[0])
}

#[test]
fn a_crash_at_any_operation_leaves_the_last_good_checkpoint() {
    let session = counter(3);
    let saver = |disk: &Arc<Crashing>| {
        let keep = Keep { max: 2, every: None };
        let options = SaverOptions { keep, disk: Arc::new(Shared(disk.clone())), ..SaverOptions::default() };
        Saver::with_options(&session, options).unwrap()
    };
    let saved = |scratch: &Scratch, disk: &Arc<Crashing>, same_name: bool| {
        let saver = saver(disk);
        // The results of the first and the second save, and what each saved.
        let mut results = Vec::new();
        for step in 1..=3 {
            session.run(&[], &[], &["add"]).unwrap();
            let step = (!same_name).then_some(step);
            results.push((saver.save(&session, scratch.0.join("model"), step).is_ok(), first(&session)));
        }
        results
    };
    for same_name in [false, true] {
        for unsynced_names in [false, true] {
            let disk = Crashing::after(usize::MAX, unsynced_names);
            saved(&Scratch::new("all"), &disk, same_name);
            let operations = disk.done.load(Ordering::SeqCst);
            assert!(operations > 30, "{operations}");
            for crash in 0..operations {
                let scratch = Scratch::new("crash");
                let disk = Crashing::after(crash, unsynced_names);
                let results = saved(&scratch, &disk, same_name);
                disk.crash();
                let found = latest_count(&scratch.0);
                // The last one that the saver reported as saved, or was about to report.
                let good = results.iter().rev().find(|(ok, _)| *ok).map(|(_, count)| *count);
                let next = results.iter().find(|(ok, _)| !*ok).map(|(_, count)| *count);
                assert!(found == good || found == next, "operation {crash}: {found:?} of {results:?}");
                // A saver continues from there.
                let saver = saver(&Crashing::after(usize::MAX, false));
                let steps = if same_name || unsynced_names { 9..=9 } else { 1..=4 };
                for step in steps.clone() {
                    saver.save(&session, scratch.0.join("model"), Some(step)).unwrap();
                }
                assert_eq!(latest_count(&scratch.0), Some(first(&session)));
                // Nothing is left of files that were removed or were to be removed.
                let listed = State::read(&scratch.0).unwrap().unwrap().all;
                let is_known = |name: &String| listed.iter().any(|known| name.starts_with(&format!("{known}.")));
                let mut left = scratch.files();
                left.retain(|name| name != "checkpoint" && !name.contains("tempstate") && !is_known(name));
                // A checkpoint whose number is not reused cannot be known to be unwanted.
                assert!(left.is_empty() || *steps.start() == 9, "operation {crash}: {left:?} beside {listed:?}");
            }
        }
    }
}

/// A file system that blocks before writing until it is released.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
    fails: bool,
}

impl Gate {
    fn set_open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

struct Gated(Arc<Gate>);

struct GatedFile(Box<dyn DiskFile>, Arc<Gate>);

impl Disk for Gated {
    fn make_directory(&self, path: &Path) -> io::Result<()> {
        System.make_directory(path)
    }
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(GatedFile(System.create(path)?, self.0.clone())))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        System.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        System.remove(path)
    }
    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        System.sync_directory(path)
    }
}

impl DiskFile for GatedFile {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut open = self.1.open.lock().unwrap();
        while !*open {
            open = self.1.opened.wait(open).unwrap();
        }
        if self.1.fails { Err(io::ErrorKind::StorageFull.into()) } else { self.0.write_at(bytes, offset) }
    }
    fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }
}

#[test]
fn steps_go_on_while_a_checkpoint_is_written() {
    let (session, scratch, gate) = (counter(1000), Scratch::new("background"), Arc::new(Gate::default()));
    let options = SaverOptions { disk: Arc::new(Gated(gate.clone())), ..SaverOptions::default() };
    let saver = Saver::with_options(&session, options).unwrap();
    session.run(&[], &[], &["add"]).unwrap();
    let prefix = saver.save_in_background(&session, scratch.0.join("model"), Some(1)).unwrap();
    // Nothing can be written yet, and the current value is saved.
    for _ in 0..5 {
        session.run(&[], &[], &["add"]).unwrap();
    }
    assert!(train::latest_checkpoint(&scratch.0).unwrap().is_none());
    gate.set_open();
    saver.wait().unwrap();
    assert_eq!(latest_count(&scratch.0), Some(1.0));
    assert_eq!(first(&session), 6.0);
    saver.restore(&session, prefix).unwrap();
    assert_eq!(first(&session), 1.0);
}

#[test]
fn no_more_memory_is_held_than_the_caller_allows() {
    let (session, scratch, gate) = (counter(1000), Scratch::new("memory"), Arc::new(Gate::default()));
    let options = SaverOptions { disk: Arc::new(Gated(gate.clone())), memory: 3999, ..SaverOptions::default() };
    let saver = Saver::with_options(&session, options).unwrap();
    // With less memory than the variable takes, the save is finished except for the disk when the call returns;
    // otherwise it would not return before.
    let opener = std::thread::spawn(move || gate.set_open());
    saver.save_in_background(&session, scratch.0.join("model"), Some(1)).unwrap();
    opener.join().unwrap();
    saver.wait().unwrap();
    assert_eq!(latest_count(&scratch.0), Some(0.0));
}

#[test]
fn what_a_save_in_the_background_fails_with_is_told_once() {
    let (session, scratch) = (counter(10), Scratch::new("told"));
    let gate = Arc::new(Gate { fails: true, open: Mutex::new(true), ..Gate::default() });
    let options = SaverOptions { disk: Arc::new(Gated(gate)), ..SaverOptions::default() };
    let saver = Saver::with_options(&session, options).unwrap();
    let save = || saver.save_in_background(&session, scratch.0.join("model"), None);
    save().unwrap();
    assert_eq!(saver.wait().unwrap_err().code(), Code::ResourceExhausted);
    saver.wait().unwrap();
    save().unwrap();
    assert_eq!(save().unwrap_err().code(), Code::ResourceExhausted);
    saver.wait().unwrap();
    assert!(scratch.files().is_empty());
}

#[test]
fn large_tensors_are_written_in_pieces() {
    // More than two of the pieces that a thread writes at a time, and not a whole number of them.
    let size = (9 << 20) / 4 + 3;
    let (session, scratch) = (counter(size), Scratch::new("pieces"));
    session.run(&[], &[], &["add"]).unwrap();
    for threads in [1, 3] {
        let saver = Saver::with_options(&session, SaverOptions { threads, ..SaverOptions::default() }).unwrap();
        let prefix = saver.save(&session, scratch.0.join("large"), None).unwrap();
        let w = Reader::open(prefix).unwrap().read("w").unwrap();
        assert_eq!((w.num_elements(), w.slice::<f32>().unwrap()[..2].to_vec()), (size, vec![1.0, 0.0]));
    }
}

#[test]
fn what_a_killed_process_left_is_removed() {
    let (session, scratch) = (counter(3), Scratch::new("leftovers"));
    for name in ["model-1.data-00000-of-00001.tempstate4294967295-0", "other.tempstate4294967295-0"] {
        fs::write(scratch.0.join(name), "half").unwrap();
    }
    let saver = Saver::new(&session, Keep::default()).unwrap();
    saver.save(&session, scratch.0.join("model"), Some(2)).unwrap();
    let left: Vec<String> = scratch.files().into_iter().filter(|name| name.contains("tempstate")).collect();
    let expected: &[&str] = if Path::new("/proc/self").exists() { &["other.tempstate4294967295-0"] } else { &[] };
    assert!(expected.is_empty() || left == expected, "{left:?}");
}
