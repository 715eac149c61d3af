//! Monitored sessions: hooks are called as in TensorFlow, and after a failure training continues from the latest
//! checkpoint as if there had been none. `tests/monitored/record.py` recorded TensorFlow's calls.

use levada::graph::{Collection, collections, read};
use levada::monitored::hooks::{
    CountSteps, Every, FeedWith, FinalOps, LogTensors, Profile, SaveCheckpoints, SaveSummaries, StopAtNan, StopAtStep,
};
use levada::monitored::{Context, Hook, Request, Scaffold, Stop, Values};
use levada::summary::Writer;
use levada::train::{self, Batch, Minimize, Optimizer, Producer, Shuffle};
use levada::{
    Builder, Code, DType, Error, Graph, Monitored, MonitoredSession, Ops, PartialShape, Result, SessionOptions, Tensor,
};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// A directory that is removed when this is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("levada-monitored-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// The steps of the checkpoints in it.
    fn saved(&self) -> Vec<i64> {
        let names = std::fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let step = |name: String| name.strip_prefix("model.ckpt-")?.strip_suffix(".index")?.parse().ok();
        let mut steps: Vec<i64> = names.filter_map(step).collect();
        steps.sort_unstable();
        steps
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn monitored(graph: Graph) -> Monitored {
    monitored_with(graph, 2)
}

fn monitored_with(graph: Graph, threads: usize) -> Monitored {
    // The log belongs to no test.
    let options = SessionOptions { threads, log: Some(Arc::new(|_| ())), ..SessionOptions::default() };
    Monitored::new(graph, levada::registry(), levada::opener(options))
}

/// A counter of steps, which `train_op` increments.
fn counter() -> Graph {
    let mut b = Builder::new(levada::registry());
    let step = train::global_step(&mut b);
    let one = b.constant(Tensor::scalar(1i64));
    let add = step.assign_add(&mut b, one);
    b.node("NoOp").name("train_op").after(add).add();
    b.finish().unwrap()
}

type Plan = Rc<RefCell<HashMap<String, VecDeque<String>>>>;

/// Records each call, and fails or requests a stop as a scenario says.
struct Spy {
    name: String,
    calls: Rc<RefCell<Vec<String>>>,
    plan: Plan,
}

impl Spy {
    fn note(&self, call: &str, at: Option<&Context<'_>>) -> Result<()> {
        let call = format!("{}.{call}", self.name);
        let step = at.map_or(String::new(), |at| format!(" {}", at.global_step().unwrap()));
        self.calls.borrow_mut().push(call.clone() + &step);
        let act = self.plan.borrow_mut().get_mut(&call).and_then(VecDeque::pop_front);
        match act.as_deref() {
            None | Some("") => Ok(()),
            Some("aborted") => Err(Error::new(Code::Aborted, "lost")),
            Some("unavailable") => Err(Error::new(Code::Unavailable, "lost")),
            Some("invalid") => Err(Error::invalid("wrong")),
            Some("out of range") => Err(Error::out_of_range("no more")),
            Some("stop") => {
                at.unwrap().request_stop();
                Ok(())
            }
            Some(other) => panic!("{other}"),
        }
    }
}

impl Hook for Spy {
    fn begin(&mut self, _: &mut Builder) -> Result<()> {
        self.note("begin", None)
    }

    fn after_create_session(&mut self, at: &Context<'_>) -> Result<()> {
        self.note("after_create_session", Some(at))
    }

    fn before_run(&mut self, at: &Context<'_>) -> Result<Request> {
        self.note("before_run", Some(at)).map(|()| Request::default())
    }

    fn after_run(&mut self, at: &Context<'_>, _: &Values<'_>) -> Result<()> {
        self.note("after_run", Some(at))
    }

    fn end(&mut self, at: &Context<'_>) -> Result<()> {
        self.note("end", Some(at))
    }
}

#[test]
fn hooks_are_called_as_tensorflow_calls_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("monitored/hooks.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(cases.len() >= 13);
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let folder = Folder::new("hooks");
        let acts = |(call, acts): (&String, &Value)| {
            (call.clone(), acts.as_array().unwrap().iter().map(|act| act.as_str().unwrap().to_owned()).collect())
        };
        let plan: Plan = Rc::new(RefCell::new(case["plan"].as_object().unwrap().iter().map(acts).collect()));
        let calls = Rc::new(RefCell::new(Vec::new()));
        let keep = train::SaverOptions { keep: train::Keep { max: 0, every: None }, ..train::SaverOptions::default() };
        let mut session = monitored(counter()).checkpoint_dir(&folder.0).saver(keep);
        for hook in case["hooks"].as_array().unwrap() {
            session = match (hook.as_str(), hook[0].as_str(), hook[1].as_i64()) {
                (Some(spy), ..) => session.hook(Spy { name: spy.to_owned(), calls: calls.clone(), plan: plan.clone() }),
                (_, Some("stop at"), Some(step)) => session.hook(StopAtStep::at(step)),
                (_, Some("stop after"), Some(steps)) => session.hook(StopAtStep::after(steps)),
                (_, Some("save"), Some(steps)) => {
                    session.hook(SaveCheckpoints::new(&folder.0, Every::Steps(steps as u64)))
                }
                _ => panic!("{hook}"),
            };
        }
        let (mut runs, most) = (0, case["runs"].as_u64().unwrap());
        let outcome = session.start().and_then(|mut session| {
            while !session.should_stop() && runs < most {
                match session.run(&[], &[], &["train_op"]) {
                    Ok(_) => runs += 1,
                    Err(error) if error.code() == Code::OutOfRange => break,
                    Err(error) => return Err(error),
                }
            }
            session.close()
        });
        let expected = &case["expected"];
        let outcome = match outcome.map_err(|e| e.code()) {
            Ok(()) => "ended",
            Err(Code::InvalidArgument) => "InvalidArgumentError",
            Err(_) => "another error",
        };
        let found = serde_json::json!({
            "calls": *calls.borrow(), "outcome": outcome, "runs": runs, "saved": folder.saved(),
        });
        assert_eq!(found, *expected, "{name}");
    }
}

/// A line fitted to points from queues: `loss`, `points` (the numbers of those in the batch), `train_op`.
fn line(shuffled: bool, epochs: Option<i64>) -> Graph {
    const POINTS: i32 = 20;
    let mut b = Builder::new(levada::registry());
    let limit = b.constant(Tensor::scalar(POINTS));
    let producer = Producer { shuffle: false, num_epochs: epochs, ..Producer::default() };
    let numbers = train::range_input_producer(&mut b, limit, &producer);
    let number = Ops::new(&mut b).queue_dequeue_v2(numbers, &[DType::I32]).add();
    let x = b.node("Cast").input(number[0]).attr("DstT", DType::F32).add();
    let tenth = b.constant(Tensor::scalar(0.1f32));
    let x = b.mul(x, tenth);
    let mut options = Batch { ordered: shuffled, ..Batch::of(3) };
    let batch = if shuffled {
        options.num_threads = 2;
        options.capacity = 12;
        let shuffle = Shuffle { min_after_dequeue: 5, seed: Some(7) };
        train::shuffle_batch(&mut b, &[number[0], x], shuffle, &options)
    } else {
        options.capacity = 6;
        train::batch(&mut b, &[number[0], x], &options)
    };
    b.identity("points", batch[0]);
    let zero = b.constant(Tensor::scalar(0f32));
    let w = train::variable(&mut b, "w", zero);
    let y = b.mul(batch[1], w.value);
    let three = b.constant(Tensor::scalar(3f32));
    let wanted = b.mul(batch[1], three);
    let o = Ops::new(&mut b);
    let loss = o.mean(o.squared_difference(y, wanted), Tensor::scalar(0i32)).name("loss").add();
    let step = train::global_step(&mut b);
    let options = Minimize { global_step: Some(step), name: "train_op".to_owned(), ..Minimize::default() };
    train::minimize(&mut b, loss, &Optimizer::adam(0.1), &options).unwrap();
    train::local_variables_initializer(&mut b);
    b.finish().unwrap()
}

/// Fails once, after this number of successful runs.
struct Fails {
    after: Vec<u64>,
    runs: u64,
}

impl Fails {
    fn after(after: impl Into<Vec<u64>>) -> Fails {
        Fails { after: after.into(), runs: 0 }
    }
}

impl Hook for Fails {
    fn after_run(&mut self, _: &Context<'_>, _: &Values<'_>) -> Result<()> {
        self.runs += 1;
        match self.after.contains(&self.runs) {
            true => Err(Error::new(Code::Aborted, "the worker was lost")),
            false => Ok(()),
        }
    }
}

/// The results of a step: the loss's bits, and the numbers of the points.
type Step = (u32, Vec<i32>);

/// Trains until `last`; returns the steps by their number; repeated steps with their second result.
fn train_line(session: Monitored, last: i64) -> BTreeMap<i64, Step> {
    let mut session = session.hook(StopAtStep::at(last)).start().unwrap();
    let mut steps = BTreeMap::new();
    while !session.should_stop() {
        match session.run(&[], &["loss", "points"], &["train_op"]) {
            Ok(values) => {
                let step = session.session().unwrap().run(&[], &["global_step/Read/ReadVariableOp"], &[]).unwrap();
                let points = values[1].slice::<i32>().unwrap().to_vec();
                steps.insert(step[0].item::<i64>().unwrap(), (values[0].item::<f32>().unwrap().to_bits(), points));
            }
            Err(error) if error.code() == Code::OutOfRange => break,
            Err(error) => panic!("{error}"),
        }
    }
    session.close().unwrap();
    steps
}

#[test]
fn what_is_aborted_goes_on_as_if_it_had_not_been() {
    for threads in [1, 2, 8] {
        let whole = train_line(monitored_with(line(false, None), threads), 25);
        assert_eq!(whole.len(), 25);
        let folder = Folder::new(&format!("abort-{threads}"));
        let session = monitored_with(line(false, None), threads).checkpoint_dir(&folder.0);
        let session = session.hook(Fails::after([6, 7, 19])).hook(SaveCheckpoints::new(&folder.0, Every::Steps(4)));
        assert_eq!(train_line(session, 25), whole, "{threads} threads");
    }
}

#[test]
fn another_process_goes_on_where_one_has_stopped() {
    let whole = train_line(monitored(line(true, None)), 24);
    let folder = Folder::new("again");
    let mut steps = BTreeMap::new();
    for last in [5, 6, 17, 24] {
        let session = monitored(line(true, None)).checkpoint_dir(&folder.0);
        let session = session.hook(SaveCheckpoints::new(&folder.0, Every::Steps(100)));
        steps.append(&mut train_line(session, last));
    }
    assert_eq!(steps, whole);
    // Without the state of the input it restarts: the first elements are among the first ones of the input.
    let session = monitored(line(false, None)).checkpoint_dir(&folder.0).fresh_input();
    assert_eq!(train_line(session, 25)[&25].1, [0, 1, 2]);
}

/// Every point of a limited input is seen exactly this often, whatever fails on the way.
#[test]
fn no_element_is_lost_or_doubled() {
    for (shuffled, threads) in [(false, 1), (false, 4), (true, 1), (true, 4)] {
        let folder = Folder::new(&format!("elements-{shuffled}-{threads}"));
        let session = monitored_with(line(shuffled, Some(3)), threads).checkpoint_dir(&folder.0);
        let session = session.hook(Fails::after([3, 9, 10, 16])).hook(SaveCheckpoints::new(&folder.0, Every::Steps(1)));
        let steps = train_line(session, 1000);
        let mut points: Vec<i32> = steps.values().flat_map(|(_, points)| points.clone()).collect();
        points.sort_unstable();
        let all: Vec<i32> = (0..20).flat_map(|point| [point; 3]).collect();
        assert_eq!(points, all, "shuffled: {shuffled}, {threads} threads");
    }
}

/// Trains until it is killed, when the test below runs it.
#[test]
#[ignore = "a part of the test below, which runs it"]
fn child() {
    let Some(folder) = std::env::var_os("LEVADA_TEST_CHECKPOINTS").map(PathBuf::from) else { return };
    let session = monitored(line(true, None)).checkpoint_dir(&folder);
    let mut session = session.hook(SaveCheckpoints::new(&folder, Every::Steps(2))).start().unwrap();
    loop {
        let values = session.run(&[], &["loss", "points"], &["train_op"]).unwrap();
        let step = session.session().unwrap().run(&[], &["global_step/Read/ReadVariableOp"], &[]).unwrap();
        let (step, loss) = (step[0].item::<i64>().unwrap(), values[0].item::<f32>().unwrap().to_bits());
        println!("\nstep {step} {loss} {:?}", values[1].slice::<i32>().unwrap());
    }
}

#[test]
fn a_process_that_is_killed_goes_on_from_its_latest_checkpoint() {
    let whole = train_line(monitored(line(true, None)), 60);
    let folder = Folder::new("kill");
    let mut reached = 0;
    for steps in [1, 5, 2, 9, 1, 7] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
            .env("LEVADA_TEST_CHECKPOINTS", &folder.0)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let lines: Vec<String> = lines.filter(|line| line.starts_with("step ")).take(steps).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(lines.len(), steps);
        for line in lines {
            let mut words = line.splitn(4, ' ').skip(1);
            let (step, loss): (i64, u32) =
                (words.next().unwrap().parse().unwrap(), words.next().unwrap().parse().unwrap());
            let (expected, points) = &whole[&step];
            assert_eq!((loss, words.next().unwrap()), (*expected, format!("{points:?}").as_str()), "step {step}");
            reached = reached.max(step);
        }
    }
    assert!(reached >= 9, "{reached}");
    // Leftovers of killed processes are removed when the next one begins: the checkpoints that are kept have their
    // inputs' state.
    let last = monitored(line(true, None)).checkpoint_dir(&folder.0);
    train_line(last.hook(SaveCheckpoints::new(&folder.0, Every::Steps(2))), reached + 1);
    let names = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let (inputs, others): (Vec<String>, Vec<String>) = names.partition(|name| name.contains(".pipeline."));
    assert!(!inputs.is_empty());
    for name in inputs {
        let index = name.split(".pipeline.").next().unwrap().to_owned() + ".index";
        assert!(others.contains(&index), "{name}: {others:?}");
    }
    assert!(!others.iter().any(|name| name.contains("tempstate")), "{others:?}");
}

fn collected(session: Monitored, target: &str) -> Result<MonitoredSession> {
    let mut session = session.start()?;
    while !session.should_stop() {
        session.run(&[], &[], &[target])?;
    }
    Ok(session)
}

/// A graph from a file, with its own collections, saver and input pipeline, learns as recorded from TensorFlow, in one
/// session and in parts.
#[test]
fn graphs_from_tensorflow_are_trained_and_go_on() {
    let path = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("monitored").join(name);
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path("pipeline.meta.gz")).unwrap();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(file), &mut bytes).unwrap();
    let expected: Vec<f32> = serde_json::from_slice(&std::fs::read(path("pipeline.json")).unwrap()).unwrap();
    let graph = || read::pb(&bytes, &levada::registry()).unwrap();
    let losses = |session: Monitored, runs: usize| -> Vec<f32> {
        let mut session = session.start().unwrap();
        let loss =
            |session: &mut MonitoredSession| session.run(&[], &["loss"], &["train_op"]).unwrap()[0].item().unwrap();
        let losses = (0..runs).map(|_| loss(&mut session)).collect();
        session.close().unwrap();
        losses
    };
    let whole = losses(monitored_with(graph(), 1), expected.len());
    for (step, (found, expected)) in whole.iter().zip(&expected).enumerate() {
        assert!((found - expected).abs() <= 1e-5 * expected.abs(), "step {step}: {found}, TensorFlow {expected}");
    }
    let folder = Folder::new("imported");
    let start = || {
        let session = monitored_with(graph(), 1).checkpoint_dir(&folder.0);
        session.hook(SaveCheckpoints::new(&folder.0, Every::Steps(3)))
    };
    let mut parts = losses(start(), 4);
    parts.extend(losses(start(), expected.len() - 4));
    assert_eq!(parts, whole);
    let reader = levada::checkpoint::Reader::open(levada::checkpoint::latest(&folder.0).unwrap().unwrap()).unwrap();
    assert!(
        reader.contains("out/kernel") && reader.contains("global_step"),
        "{:?}",
        reader.names().collect::<Vec<_>>()
    );
}

/// `loss` is `1 / (limit - step)`, and infinite once the step is there.
fn diverging() -> Graph {
    let mut b = Builder::new(levada::registry());
    let step = train::global_step(&mut b);
    let one = b.constant(Tensor::scalar(1i64));
    let add = step.assign_add(&mut b, one);
    b.node("NoOp").name("train_op").after(add).add();
    let value = step.read_after(&mut b, &[add]);
    let value = b.node("Cast").input(value).attr("DstT", DType::F32).add();
    let three = b.constant(Tensor::scalar(3f32));
    let left = b.sub(three, value);
    let loss = b.op("Sqrt", &[left]);
    b.identity("loss", loss);
    let tags = b.constant(Tensor::string("the loss"));
    let summary = b.op("ScalarSummary", &[tags, loss]);
    let name = format!("{}:0", b.name(summary));
    collections::add_node(b.collections_mut(), "summaries", &name).unwrap();
    b.finish().unwrap()
}

#[test]
fn a_loss_that_is_no_number_stops_or_fails() {
    let stopped = collected(monitored(diverging()).hook(StopAtNan::stop("loss")), "train_op").unwrap();
    let step = stopped.session().unwrap().run(&[], &["global_step/Read/ReadVariableOp"], &[]).unwrap();
    assert_eq!(step[0].item::<i64>().unwrap(), 4);
    stopped.close().unwrap();
    let failed = collected(monitored(diverging()).hook(StopAtNan::fail("loss")), "train_op");
    let error = failed.map(drop).unwrap_err();
    assert_eq!((error.message(), error.fault().node.as_deref()), ("NaN loss during training.", Some("loss")));
}

#[test]
fn values_are_logged_every_so_many_runs() {
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = lines.clone();
    let log = move |text: &str| log.lock().unwrap().push(text.split(" (").next().unwrap().trim().to_owned());
    let options = SessionOptions { threads: 1, log: Some(Arc::new(log)), ..SessionOptions::default() };
    let session = Monitored::new(diverging(), levada::registry(), levada::opener(options))
        .hook(StopAtStep::at(3))
        .hook(LogTensors::new(["loss"], Every::Steps(2)).at_end());
    collected(session, "train_op").unwrap().close().unwrap();
    let lines = lines.lock().unwrap().clone();
    assert_eq!(lines, ["loss = 1.4142135", "loss = 0.0", "loss = NaN"]);
}

#[test]
fn events_hold_summaries_speed_graph_and_traces() {
    let folder = Folder::new("events");
    let writer = Arc::new(Writer::create(&folder.0, "").unwrap());
    let session = monitored(diverging())
        .hook(StopAtStep::at(5))
        .hook(SaveSummaries::new(writer.clone(), Every::Steps(2)))
        .hook(CountSteps::new(Every::Steps(2)).events(writer.clone()))
        .hook(SaveCheckpoints::new(&folder.0, Every::Steps(100)).events(writer.clone()))
        .hook(Profile::new(&folder.0, Every::Steps(3)).events(writer.clone()));
    collected(session, "train_op").unwrap().close().unwrap();
    let file = std::fs::read(writer.path()).unwrap();
    let mut records = levada::records::Reader::new(&file[..], levada::records::Compression::None);
    let events: Vec<Vec<u8>> = std::iter::from_fn(|| records.read().unwrap()).collect();
    let holds = |text: &[u8]| events.iter().filter(|event| event.windows(text.len()).any(|w| w == text)).count();
    assert_eq!((holds(b"brain.Event:2"), holds(b"the loss"), holds(b"global_step/sec")), (1, 5, 2));
    assert_eq!((holds(b"model.ckpt"), holds(b"ScalarSummary"), holds(b"step_4")), (2, 2, 1));
    assert!(folder.0.join("timeline-4.json").exists());
}

#[test]
fn feeds_of_a_function_are_fed_and_the_last_values_are_fetched() {
    let mut b = Builder::new(levada::registry());
    let x = b.placeholder("x", DType::F32, PartialShape::scalar());
    b.mul(x, x);
    b.identity("y", x);
    let graph = b.finish().unwrap();
    let mut values = [1f32, 2.0, 3.0].into_iter();
    let feed = FeedWith::new(move || match values.next() {
        Some(value) => Ok(vec![("x".to_owned(), Tensor::scalar(value))]),
        None => Err(Error::out_of_range("no more")),
    });
    let (last, found) = FinalOps::new(["Mul"]);
    let last = last.feed("x", Tensor::scalar(5f32));
    let session = monitored(graph.clone()).hook(feed).hook(last).start().unwrap();
    let mut seen = Vec::new();
    let step = |session: &mut MonitoredSession| {
        seen.push(session.run(&[], &["y"], &[])?[0].item::<f32>()?);
        Ok(())
    };
    session.train(step).unwrap();
    assert_eq!(seen, [1.0, 2.0, 3.0]);
    assert_eq!(found.get().unwrap()[0].item::<f32>().unwrap(), 25.0);

    let fed = || FeedWith::new(|| Ok(vec![("x:0".to_owned(), Tensor::scalar(1f32))]));
    let mut session = monitored(graph.clone()).hook(fed()).start().unwrap();
    let error = session.run(&[("x", Tensor::scalar(2f32))], &["y"], &[]).unwrap_err();
    assert_eq!(error.message(), "x:0 is fed by a hook and by the caller");
    let mut session = monitored(graph).hook(fed()).hook(fed()).start().unwrap();
    assert_eq!(session.run(&[], &["y"], &[]).unwrap_err().message(), "x:0 is fed by two hooks");
}

#[test]
fn a_stop_saves_and_ends() {
    let folder = Folder::new("stop");
    let stop = Stop::new();
    let session = monitored(counter()).checkpoint_dir(&folder.0).stop(&stop);
    let session = session.hook(SaveCheckpoints::new(&folder.0, Every::Steps(100))).start().unwrap();
    let mut runs = 0;
    let step = |session: &mut MonitoredSession| {
        runs += 1;
        if runs == 2 {
            // As a signal handler would.
            stop.flag().store(true, std::sync::atomic::Ordering::Relaxed);
        }
        session.session().unwrap().run(&[], &[], &["train_op"]).map(drop)
    };
    session.train(step).unwrap();
    assert_eq!((runs, folder.saved()), (2, vec![0, 2]));
}

/// Requests a stop during a run.
struct StopInRun(Stop);

impl Hook for StopInRun {
    fn before_run(&mut self, _: &Context<'_>) -> Result<Request> {
        self.0.request();
        Ok(Request::default())
    }
}

#[test]
fn a_stop_saves_also_where_the_run_under_way_would_wait_for_ever() {
    let mut b = Builder::on(counter(), levada::registry());
    let queue = b.node("FIFOQueueV2").name("queue").attr("component_types", vec![DType::F32]).add();
    Ops::new(&mut b).queue_dequeue_v2(queue, &[DType::F32]).name("element").add();
    let folder = Folder::new("wait");
    let stop = Stop::new();
    let session = monitored(b.finish().unwrap()).checkpoint_dir(&folder.0).stop(&stop).hook(StopInRun(stop.clone()));
    let session = session.hook(SaveCheckpoints::new(&folder.0, Every::Steps(100))).start().unwrap();
    session.session().unwrap().run(&[], &[], &["train_op"]).unwrap();
    // While this exists, another thread may fill the queue.
    let shared = session.session().unwrap().share();
    session.train(|session| session.run(&[], &[], &["element"]).map(drop)).unwrap();
    assert_eq!(folder.saved(), [0, 1]);
    drop(shared);
}

#[test]
fn restarts_are_bounded_and_what_the_caller_names_is_recovered_from() {
    let always = || Fails::after((1..100).collect::<Vec<u64>>());
    let mut session = monitored(counter()).hook(always()).restarts(4).start().unwrap();
    assert_eq!(session.run(&[], &[], &["train_op"]).unwrap_err().code(), Code::Aborted);

    struct Wrong(u32);
    impl Hook for Wrong {
        fn before_run(&mut self, _: &Context<'_>) -> Result<Request> {
            self.0 += 1;
            if self.0 == 2 { Err(Error::data_loss("a file was short")) } else { Ok(Request::default()) }
        }
    }
    let mut session = monitored(counter()).hook(Wrong(0)).start().unwrap();
    session.run(&[], &[], &["train_op"]).unwrap();
    assert_eq!(session.run(&[], &[], &["train_op"]).unwrap_err().code(), Code::DataLoss);
    let recovers = |error: &Error| error.code() == Code::DataLoss;
    let mut session = monitored(counter()).hook(Wrong(0)).recover_if(recovers).start().unwrap();
    session.run(&[], &[], &["train_op"]).unwrap();
    session.run(&[], &[], &["train_op"]).unwrap();

    // A deadlocked run is a fault of the graph.
    let mut b = Builder::on(counter(), levada::registry());
    let queue = b.node("FIFOQueueV2").name("queue").attr("component_types", vec![DType::F32]).add();
    Ops::new(&mut b).queue_dequeue_v2(queue, &[DType::F32]).name("element").add();
    let calls = Rc::new(RefCell::new(Vec::new()));
    let spy = Spy { name: "a".to_owned(), calls: calls.clone(), plan: Plan::default() };
    let mut session = monitored(b.finish().unwrap()).hook(spy).start().unwrap();
    assert_eq!(session.run(&[], &[], &["element"]).unwrap_err().code(), Code::Aborted);
    assert_eq!(calls.borrow().iter().filter(|call| call.contains("after_create_session")).count(), 1);
}

#[test]
fn what_initialization_leaves_out_is_named() {
    let mut b = Builder::new(levada::registry());
    let zero = b.constant(Tensor::scalar(0f32));
    train::variable(&mut b, "set", zero);
    train::variable(&mut b, "left_out", zero);
    let graph = b.finish().unwrap();
    let scaffold = || Scaffold { init: vec!["set/Assign".to_owned()], ..Scaffold::default() };
    let error = monitored(graph.clone()).scaffold(scaffold()).start().map(drop).unwrap_err();
    assert!(error.message().ends_with("Variables not initialized: left_out"), "{error}");
    let init_fn = |session: &levada::session::Session| session.run(&[], &[], &["left_out/Assign"]).map(drop);
    let scaffold = Scaffold { init_fn: Some(Box::new(init_fn)), ..scaffold() };
    monitored(graph).scaffold(scaffold).start().unwrap().close().unwrap();
}

#[test]
fn state_that_is_not_saved_is_named() {
    let mut b = Builder::on(line(false, None), levada::registry());
    let shape = b.constant(Tensor::vector(vec![2i32]));
    b.node("RandomUniform").name("noise").input(shape).attr("dtype", DType::F32).attr("seed", 3i64).add();
    b.node("Barrier").name("barrier").attr("component_types", vec![DType::F32]).add();
    let session = monitored(b.finish().unwrap()).start().unwrap();
    let unsaved: Vec<(&str, &str)> = session.unsaved().iter().map(|u| (u.node.as_str(), u.op.as_str())).collect();
    assert_eq!(unsaved, [("noise", "RandomUniform"), ("barrier", "Barrier")]);
}

/// Two readers of files, in the older form and in the newer one, whose records go into one queue.
fn readers(files: &[PathBuf]) -> Graph {
    let mut b = Builder::new(levada::registry());
    let names: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let names = b.constant(Tensor::vector(names.iter().map(|n| levada::graph::Bytes::from(n.to_string())).collect()));
    let producer = || Producer { shuffle: false, num_epochs: Some(2), ..Producer::default() };
    let mut lists = Vec::new();
    for (reader, read, form) in [("TextLineReader", "ReaderRead", ""), ("TextLineReaderV2", "ReaderReadV2", "V2")] {
        let queue = match form {
            "V2" => train::string_input_producer(&mut b, names, &producer()),
            _ => {
                let types = vec![DType::Str];
                let queue = b.node("FIFOQueue").name("old").attr("component_types", types).attr("capacity", 2i64).add();
                let enqueue = b.node("QueueEnqueueMany").name("fill").input(queue).input(names).add();
                let close = b.node("QueueClose").name("close").input(queue).attr("cancel_pending_enqueues", true).add();
                let runner = levada::QueueRunnerDef {
                    queue: "old".to_owned(),
                    enqueue: vec![b.node_name(enqueue)],
                    close: b.node_name(close),
                    cancel: b.node_name(close),
                    closed_by: vec![Code::OutOfRange],
                };
                collections::add_queue_runner(b.collections_mut(), &runner).unwrap();
                queue
            }
        };
        let reader = b.node(reader).add();
        let record = b.op(read, &[reader, queue]);
        lists.push(vec![record, record.output(1)]);
    }
    let batch = train::batch_join(&mut b, &lists, &Batch { capacity: 4, ..Batch::of(2) });
    b.identity("keys", batch[0]);
    let step = train::global_step(&mut b);
    let one = b.constant(Tensor::scalar(1i64));
    let add = step.assign_add(&mut b, one);
    b.node("NoOp").name("train_op").after(add).add();
    train::local_variables_initializer(&mut b);
    b.finish().unwrap()
}

#[test]
fn readers_go_on_within_their_files() {
    let folder = Folder::new("readers");
    let files: Vec<PathBuf> = (0..3).map(|i| folder.0.join(format!("{i}.txt"))).collect();
    for (i, file) in files.iter().enumerate() {
        let lines: Vec<String> = (0..7 + i).map(|line| format!("line {line}")).collect();
        std::fs::write(file, lines.join("\n")).unwrap();
    }
    let options = SessionOptions {
        threads: 2,
        files: levada::Files::under([&folder.0]).unwrap(),
        log: Some(Arc::new(|_| ())),
        ..SessionOptions::default()
    };
    let session = Monitored::new(readers(&files), levada::registry(), levada::opener(options));
    let session = session.checkpoint_dir(&folder.0).hook(Fails::after([2, 7, 8, 13]));
    let mut session = session.hook(SaveCheckpoints::new(&folder.0, Every::Steps(3))).start().unwrap();
    let mut keys: BTreeMap<i64, Vec<levada::graph::Bytes>> = BTreeMap::new();
    // The old pipeline ends only with its queue, which its runner fills repeatedly.
    for _ in 0..24 {
        let found = session.run(&[], &["keys"], &["train_op"]).unwrap();
        let step = session.session().unwrap().run(&[], &["global_step/Read/ReadVariableOp"], &[]).unwrap();
        keys.insert(step[0].item().unwrap(), found[0].slice::<levada::graph::Bytes>().unwrap().to_vec());
    }
    let steps = keys.len() as u32;
    let mut counts: HashMap<levada::graph::Bytes, u32> = HashMap::new();
    keys.into_values().flatten().for_each(|key| *counts.entry(key).or_default() += 1);
    assert_eq!(counts.values().sum::<u32>(), 2 * steps);
    // Each reader cycles through all lines of all files, so no line has come less often than a later one.
    let lines =
        files.iter().enumerate().flat_map(|(i, file)| (1..=7 + i).map(move |n| format!("{}:{n}", file.display())));
    let counts: Vec<u32> = lines.map(|key| counts.get(key.as_bytes()).copied().unwrap_or(0)).collect();
    assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    session.close().unwrap();
}

#[test]
fn collections_of_the_graph_say_what_is_run_first() {
    let mut b = Builder::on(counter(), levada::registry());
    let five = b.constant(Tensor::scalar(5i64));
    let step = train::global_step(&mut b);
    let init = step.assign(&mut b, five);
    let init = b.node_name(init);
    b.collections_mut().insert("init_op".to_owned(), Collection::Nodes(vec![init]));
    let session = monitored(b.finish().unwrap()).start().unwrap();
    let step = session.session().unwrap().run(&[], &["global_step/Read/ReadVariableOp"], &[]).unwrap();
    assert_eq!(step[0].item::<i64>().unwrap(), 5);
}

/// Pairs of elements of two queues: a run dequeues from one, and then waits for the other.
fn pairs() -> Graph {
    let mut b = Builder::new(levada::registry());
    let limit = b.constant(Tensor::scalar(14i32));
    let mut number = || {
        let producer = Producer { shuffle: false, num_epochs: Some(3), capacity: 2, ..Producer::default() };
        let numbers = train::range_input_producer(&mut b, limit, &producer);
        Ops::new(&mut b).queue_dequeue_v2(numbers, &[DType::I32]).add()[0]
    };
    let both = [number(), number()];
    let batch = train::batch(&mut b, &both, &Batch { capacity: 3, num_threads: 1, ..Batch::of(2) });
    b.identity("first", batch[0]);
    b.identity("second", batch[1]);
    let step = train::global_step(&mut b);
    let one = b.constant(Tensor::scalar(1i64));
    let add = step.assign_add(&mut b, one);
    b.node("NoOp").name("train_op").after(add).add();
    train::local_variables_initializer(&mut b);
    b.finish().unwrap()
}

#[test]
fn what_a_run_has_taken_of_one_queue_is_not_lost_while_it_waits_for_another() {
    for threads in [1, 3] {
        let folder = Folder::new(&format!("pairs-{threads}"));
        let session = monitored_with(pairs(), threads).checkpoint_dir(&folder.0).hook(Fails::after([1, 4, 5, 11, 20]));
        let mut session = session.hook(SaveCheckpoints::new(&folder.0, Every::Steps(1))).start().unwrap();
        let mut found: Vec<(i32, i32)> = Vec::new();
        loop {
            match session.run(&[], &["first", "second"], &["train_op"]) {
                Ok(values) => {
                    let [first, second] = [0, 1].map(|i: usize| values[i].slice::<i32>().unwrap().to_vec());
                    found.extend(first.into_iter().zip(second));
                }
                Err(error) if error.code() == Code::OutOfRange => break,
                Err(error) => panic!("{error}"),
            }
        }
        session.close().unwrap();
        let all: Vec<(i32, i32)> = (0..3).flat_map(|_| (0..14).map(|i| (i, i))).collect();
        assert_eq!(found, all, "{threads} threads");
    }
}

/// A session that has been saved, and one restored from that, return the same.
#[test]
fn queues_of_every_kind_are_restored() {
    let kinds = ["FIFOQueue", "FIFOQueueV2", "PaddingFIFOQueueV2", "PriorityQueueV2", "RandomShuffleQueueV2"];
    for (kind, ends) in kinds.iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let form = if kind.ends_with("V2") { "V2" } else { "" };
        let op = |name: &str| format!("{name}{form}");
        let mut b = Builder::new(levada::registry());
        let types = if *kind == "PriorityQueueV2" { vec![DType::Str] } else { vec![DType::I64, DType::Str] };
        let node = b.node(kind).name("q").attr("component_types", types.clone()).attr("capacity", 5i64);
        let queue = match *kind {
            "RandomShuffleQueueV2" => node.attr("seed", 4i64).attr("min_after_dequeue", 1i64).add(),
            "PaddingFIFOQueueV2" | "PriorityQueueV2" => {
                node.attr("shapes", vec![PartialShape::scalar(); types.len()]).add()
            }
            _ => node.add(),
        };
        let first = b.placeholder("first", DType::I64, PartialShape::vector(None));
        let second = b.placeholder("second", DType::Str, PartialShape::vector(None));
        b.node(&op("QueueEnqueueMany")).name("enqueue").inputs([queue, first, second]).add();
        b.node(&op("QueueClose")).name("close").input(queue).add();
        let types = vec![DType::I64, DType::Str];
        b.node(&op("QueueDequeue")).name("dequeue").input(queue).attr("component_types", types).add();
        b.node(&op("QueueSave")).name("save").input(queue).add();
        let state = b.placeholder("state", DType::I64, PartialShape::Unknown);
        let elements = b.placeholder("elements", DType::Str, PartialShape::Unknown);
        b.node(&op("QueueRestore")).name("restore").inputs([queue, state, elements]).add();
        let graph = b.finish().unwrap();
        let open =
            || levada::Session::new(graph.clone(), SessionOptions { threads: 1, ..SessionOptions::default() }).unwrap();
        let rest = |session: &levada::Session| -> Vec<(i64, String)> {
            std::iter::from_fn(|| {
                let found = session.run(&[], &["dequeue:0", "dequeue:1"], &[]).ok()?;
                Some((found[0].item().unwrap(), format!("{}", found[1])))
            })
            .collect()
        };
        let session = open();
        let numbers: Vec<i64> = vec![5, 3, 8, 3, 1, 9, 2];
        let texts = numbers.iter().enumerate().map(|(i, n)| levada::graph::Bytes::from(format!("{n} at {i}")));
        let feeds = [("first", Tensor::vector(numbers.clone())), ("second", Tensor::vector(texts.collect::<Vec<_>>()))];
        // Seven elements into a queue of capacity five: the run waits with two, and when it ends a close waits behind
        // it.
        let waiting = |targets: &'static str, feeds: Vec<(&'static str, Tensor)>| {
            let shared = session.share();
            std::thread::spawn(move || shared.session().run(&feeds, &[], &[targets]).map(drop))
        };
        let until = |nodes: usize| {
            while session.waiting().nodes.len() < nodes {
                std::thread::yield_now();
            }
        };
        let mut threads = vec![waiting("enqueue", feeds.to_vec())];
        until(1);
        if ends {
            threads.push(waiting("close", Vec::new()));
            until(2);
        }
        let taken = session.run(&[], &["dequeue:0"], &[]).unwrap();
        assert!(numbers.contains(&taken[0].item().unwrap()));
        let saved = session.run(&[], &["save:0", "save:1"], &[]).unwrap();
        let restored = open();
        let state = [("state", saved[0].clone()), ("elements", saved[1].clone())];
        restored.run(&state, &[], &["restore"]).unwrap();
        let again = restored.run(&[], &["save:0", "save:1"], &[]).unwrap();
        assert_eq!(again, saved, "{kind}");
        let (found, expected) = (rest(&restored), rest(&session));
        assert_eq!(found, expected, "{kind}, closed: {ends}");
        let stay = usize::from(*kind == "RandomShuffleQueueV2" && !ends);
        assert_eq!(found.len(), 6 - stay, "{kind}, closed: {ends}");
        threads.into_iter().for_each(|thread| thread.join().unwrap().unwrap());

        // A state that does not fit this queue is refused.
        for (state, elements) in [
            (vec![2, 0, 0, 0, 0, 0], vec![]),
            (vec![1, 0, 0, 9, 0, 0], vec![]),
            (vec![1, 0, 0, -1, 1, 0], vec![]),
            (vec![1, 0, 0, i64::MAX, i64::MAX, 0], vec![]),
            (vec![1], vec![]),
            (vec![1, 0, 0, 1, 0, 0], vec!["no", "tensors"]),
        ] {
            let elements =
                elements.into_iter().map(|text| levada::graph::Bytes::from(text.to_owned())).collect::<Vec<_>>();
            let feeds = [("state", Tensor::vector(state)), ("elements", Tensor::vector(elements))];
            let code = restored.run(&feeds, &[], &["restore"]).unwrap_err().code();
            assert!(matches!(code, Code::DataLoss | Code::InvalidArgument), "{code:?}");
        }
    }
}
