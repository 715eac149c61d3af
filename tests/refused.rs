//! If the system provides no threads, runs that need one fail with an error, others continue, and nothing hangs: this
//! program runs itself again in a process that may have only one thread.

use levada::graph::read;
use levada::{CallableOptions, Code, Error, RunOptions, Session, SessionOptions, Tensor};
use std::process::Command;
use std::time::Duration;

/// Tells the program that it is the process without threads.
const ALONE: &str = "LEVADA_TEST_ALONE";

/// Products large enough for a thread each, a queue, a pipeline that maps concurrently with its reader, and a batch
/// that waits for its timeout.
const GRAPH: &str = r#"{"node": [
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [256, 256]}},
    {"name": "a", "op": "MatMul", "input": ["x", "x"]},
    {"name": "b", "op": "MatMul", "input": ["x", "a"]},
    {"name": "c", "op": "MatMul", "input": ["a", "x"]},
    {"name": "d", "op": "MatMul", "input": ["b", "c"]},
    {"name": "n", "op": "Placeholder", "attr": {"dtype": "int64", "shape": []}},
    {"name": "twice", "op": "AddV2", "input": ["n", "n"]},
    {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["int64"], "capacity": 2}},
    {"name": "put", "op": "QueueEnqueueV2", "input": ["q", "n"]},
    {"name": "take", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["int64"]}},
    {"name": "zero", "op": "Const", "attr": {"dtype": "int64", "value": 0}},
    {"name": "one", "op": "Const", "attr": {"dtype": "int64", "value": 1}},
    {"name": "many", "op": "Const", "attr": {"dtype": "int64", "value": 9}},
    {"name": "range", "op": "RangeDataset", "input": ["zero", "many", "one"],
     "attr": {"output_types": ["int64"], "output_shapes": [[]]}},
    {"name": "mapped", "op": "ParallelMapDatasetV2", "input": ["range", "many"],
     "attr": {"f": {"func": {"name": "doubles"}}, "Targuments": [], "output_types": ["int64"], "output_shapes": [[]]}},
    {"name": "iterator", "op": "IteratorV2", "attr": {"shared_name": "i", "container": "", "output_types": ["int64"], "output_shapes": [[]]}},
    {"name": "begin", "op": "MakeIterator", "input": ["mapped", "iterator"]},
    {"name": "next", "op": "IteratorGetNext", "input": ["iterator"], "attr": {"output_types": ["int64"], "output_shapes": [[]]}}],
  "library": {"function": [{"signature": {"name": "doubles", "inputArg": [{"name": "x", "type": "DT_INT64"}],
    "outputArg": [{"name": "y", "type": "DT_INT64"}]},
    "nodeDef": [{"name": "sum", "op": "AddV2", "input": ["x", "x"], "attr": {"T": {"type": "DT_INT64"}}}],
    "ret": {"y": "sum:z:0"}}]}}"#;

fn main() {
    if std::env::var_os(ALONE).is_some() {
        without_threads();
        return;
    }
    if !cfg!(target_os = "linux") {
        println!("skipped: threads are refused on Linux only");
        return;
    }
    let Some(mut command) = limited() else {
        println!("skipped: prlimit and, for root, setpriv are not there");
        return;
    };
    let output = command.env(ALONE, "1").output().expect("the program runs itself");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    print!("{text}");
}

/// This program in a process that may have one thread.
fn limited() -> Option<Command> {
    let works = |name: &str, args: &[&str]| Command::new(name).args(args).output().is_ok_and(|o| o.status.success());
    let this = std::env::current_exe().ok()?;
    let user = Command::new("id").arg("-u").output().ok()?.stdout;
    let mut command = Command::new("prlimit");
    command.arg("--nproc=1:1");
    if user.trim_ascii() != b"0" {
        works("prlimit", &["--nproc=1:1", "true"]).then_some(())?;
        command.arg(this);
        return Some(command);
    }
    // The limit does not hold for root, so another user runs a copy that it may read.
    let other = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    works("setpriv", &[&other[..], &["true"]].concat()).then_some(())?;
    let copy = std::env::temp_dir().join(format!("levada-refused-{}", std::process::id()));
    std::fs::copy(this, &copy).ok()?;
    command.arg("setpriv").args(other).arg(copy);
    Some(command)
}

fn without_threads() {
    let started = std::thread::Builder::new().spawn(|| ()).map(|thread| thread.join().is_ok());
    if started.is_ok() {
        println!("skipped: the limit does not hold here");
        return;
    }
    let x = Tensor::from_vec(levada::Shape::new([256, 256]).unwrap(), vec![0.5f32; 256 * 256]).unwrap();
    let n = || Tensor::scalar(3i64);
    let is_refused = |error: &Error| error.code() == Code::ResourceExhausted;
    for threads in [1, 4] {
        let graph = read::json(GRAPH.as_bytes(), &levada::registry()).unwrap();
        let session = Session::new(graph, SessionOptions { threads, ..SessionOptions::default() }).unwrap();
        let options = RunOptions { timeout: Some(Duration::from_secs(20)), ..RunOptions::default() };
        let run = |feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]| {
            session.run_with(&options, feeds, fetches, targets).map(|(tensors, _)| tensors)
        };
        // Work on the calling thread runs.
        for _ in 0..3 {
            assert_eq!(run(&[("n", n())], &["twice"], &[]).unwrap()[0].item::<i64>().unwrap(), 6);
        }
        let callable = session.callable(&CallableOptions::new(["n"], ["twice"], [])).unwrap();
        assert_eq!(callable.run(&[n()]).unwrap()[0].item::<i64>().unwrap(), 6);
        // Work that would share its nodes with other threads runs alone or fails with an error.
        for _ in 0..3 {
            match run(&[("x", x.clone())], &["d"], &[]) {
                Ok(product) => assert_eq!(product[0].shape().dims(), [256, 256]),
                Err(error) => assert!(is_refused(&error), "{error}"),
            }
        }
        run(&[("n", n())], &[], &["put"]).unwrap();
        assert_eq!(run(&[], &["take"], &[]).unwrap()[0].item::<i64>().unwrap(), 3);
        // A pipeline needs a thread.
        let begun = run(&[], &[], &["begin"]);
        let next = begun.and_then(|_| run(&[], &["next"], &[]));
        assert!(next.as_ref().err().is_none_or(is_refused), "{next:?}");
        // So does a partial run, whose parts run concurrently with the caller.
        let parts = session.partial_run_setup(&["n"], &["twice"], &[]);
        let parts = parts.and_then(|mut parts| parts.run(&[("n", n())], &["twice"]));
        assert!(parts.as_ref().err().is_none_or(is_refused), "{parts:?}");
        assert_eq!(run(&[("n", n())], &["twice"], &[]).unwrap()[0].item::<i64>().unwrap(), 6);
    }
    println!("a session without threads: ok");
}
