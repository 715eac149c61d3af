//! Checks input pipelines with known properties: whether the limiting stage is named and rates are predicted, threads,
//! idleness, and whether elements are lost or duplicated.
//!
//! ```text
//! cargo run --release -p levada-testkit --example pipelines -- limits     # 20 pipelines with a known limiting stage
//! cargo run --release -p levada-testkit --example pipelines -- threads    # 30 stages with 64 calls each, on two threads
//! cargo run --release -p levada-testkit --example pipelines -- idle       # processor time of an unread iterator
//! cargo run --release -p levada-testkit --example pipelines -- soak [ELEMENTS] [SEED]
//! ```

use levada::data::{Calls, Dataset, Item, Pipeline};
use levada::trace::PipelineTrace;
use levada::trace::pipeline::{Change, Limit};
use levada::{Builder, CancelToken, Code, DType, Error, PartialShape, Result, RunOptions, Session, SessionOptions};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const THREADS: usize = 2;
/// Time of one measurement.
const TIME: Duration = Duration::from_millis(1000);
/// Relative error up to which a prediction is right.
const RIGHT: f64 = 0.2;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, or: u64| args.get(i).and_then(|a| a.parse().ok()).unwrap_or(or);
    let done = match args.first().map(String::as_str) {
        Some("limits") => limits(),
        Some("threads") => threads(),
        Some("idle") => idle(),
        Some("soak") => soak(number(1, 1_000_000), number(2, 1)),
        _ => Err(Error::invalid("say limits, threads, idle or soak")),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// A session with a pipeline.
fn open<T: Item>(dataset: Dataset<T>, telemetry: bool) -> Result<(Session, Pipeline<T>)> {
    let mut b = Builder::new(levada::registry());
    let pipeline = dataset.iterator(&mut b, "it");
    let options = SessionOptions { threads: THREADS, telemetry, ..SessionOptions::default() };
    Ok((Session::new(b.finish()?, options)?, pipeline))
}

/// Elements per second, and a trace if requested.
fn measure(dataset: Dataset<i64>, consumer: Duration, traced: bool) -> Result<(f64, Option<PipelineTrace>)> {
    let (session, pipeline) = open(dataset, traced)?;
    let mut elements = pipeline.elements(&session)?;
    // Elements that were buffered at first do not count.
    let start = Instant::now();
    let (mut from, mut read) = (None, 0u32);
    while start.elapsed() < TIME {
        elements.next().ok_or_else(|| Error::internal("the pipeline has ended"))??;
        if !consumer.is_zero() {
            std::thread::sleep(consumer);
        }
        if start.elapsed() > TIME / 5 {
            read += 1;
            from.get_or_insert_with(Instant::now);
        }
    }
    let seconds = from.map_or(1.0, |from| from.elapsed().as_secs_f64());
    Ok((f64::from(read.saturating_sub(1)) / seconds, session.pipeline_traces().pop()))
}

/// Keeps its thread busy for this number of microseconds.
fn spin(us: u64) -> impl Fn(i64) -> Result<i64> + Send + Sync {
    move |x| {
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(us) {
            std::hint::spin_loop();
        }
        Ok(x)
    }
}

/// Waits for this number of microseconds.
fn wait(us: u64) -> impl Fn(i64) -> Result<i64> + Send + Sync {
    move |x| {
        std::thread::sleep(Duration::from_micros(us));
        Ok(x)
    }
}

const MANY: i64 = 1 << 40;

fn range() -> Dataset<i64> {
    Dataset::range(MANY)
}

fn spins(from: Dataset<i64>, us: u64) -> Dataset<i64> {
    from.map_with(Calls::default(), spin(us))
}

fn waits(from: Dataset<i64>, us: u64, calls: i64) -> Dataset<i64> {
    from.map_with(Calls::blocking(calls), wait(us))
}

/// As [`waits`], sequentially.
fn one(from: Dataset<i64>, us: u64) -> Dataset<i64> {
    waits(from, us, 1)
}

/// The dataset, prefetched if `n` is not 0.
fn ahead(from: Dataset<i64>, n: i64) -> Dataset<i64> {
    if n == 0 { from } else { from.prefetch(4) }
}

fn first(from: Dataset<Vec<i64>>) -> Dataset<i64> {
    from.map(|batch| batch[0])
}

fn waiting_source(us: u64) -> Dataset<i64> {
    Dataset::generate_blocking(move || {
        (0..).map(move |i| {
            std::thread::sleep(Duration::from_micros(us));
            Ok(i)
        })
    })
}

/// How the change of the number is described to the model.
#[derive(Clone, Copy)]
enum Told {
    Calls,
    Ahead,
    Nothing,
}

/// A pipeline with a parameter: its first and second value, the stage that limits it at first, the stage that the
/// parameter belongs to, and its kind.
struct Case {
    name: &'static str,
    build: fn(i64) -> Dataset<i64>,
    numbers: (i64, i64),
    limit: &'static str,
    of: &'static str,
    told: Told,
    consumer: u64,
}

const fn case(
    name: &'static str,
    build: fn(i64) -> Dataset<i64>,
    numbers: (i64, i64),
    limit: &'static str,
    (of, told): (&'static str, Told),
) -> Case {
    Case { name, build, numbers, limit, of, told, consumer: 0 }
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    case("one function", |n| waits(range(), 4000, n), (1, 4), "Map map", ("Map map", Told::Calls)),
    case("the second function", |n| one(ahead(one(range(), 1500), n), 4000), (0, 4), "Map map_1", ("Map map", Told::Ahead)),
    case("the first function", |n| one(ahead(one(range(), 4000), n), 1500), (0, 4), "Map map", ("Map map", Told::Ahead)),
    case("parallel calls", |n| waits(range(), 8000, n), (4, 8), "ParallelMapV2 map", ("ParallelMapV2 map", Told::Calls)),
    case("parallel, then serial", |n| one(waits(range(), 8000, n), 1500), (2, 4), "ParallelMapV2 map", ("ParallelMapV2 map", Told::Calls)),
    case("serial behind many", |n| one(waits(range(), 8000, n), 2000), (16, 2), "Map map_1", ("ParallelMapV2 map", Told::Calls)),
    case("a generator", |n| one(ahead(waiting_source(4000), n), 2000), (0, 4), "Generator generator_next", ("Generator generator_next", Told::Ahead)),
    case("behind a generator", |n| one(ahead(waiting_source(1500), n), 4000), (0, 4), "Map map", ("Generator generator_next", Told::Ahead)),
    case("a filter that computes", |n| one(ahead(range().filter(|x| { let _ = spin(2000)(*x); x % 2 == 0 }), n), 2000), (0, 4), "Filter filter", ("Filter filter", Told::Ahead)),
    case("before a batch", |n| one(ahead(first(one(range(), 1000).batch(5)), n), 2500), (0, 4), "Map map", ("Map map_1", Told::Ahead)),
    case("behind a batch", |n| one(ahead(first(one(range(), 500).batch(5)), n), 8000), (0, 4), "Map map_2", ("Map map_1", Told::Ahead)),
    case("one side of a zip", |n| ahead(one(range(), 4000), n).zip(one(range(), 1500)).map(|(a, _)| a), (0, 4), "Map[0] map", ("Map[0] map", Told::Ahead)),
    case("inside of an interleave", |n| range().interleave(n, Calls::parallel(n), |_| one(range(), 4000)), (2, 6), "Map[..] map", ("Map[..] map", Told::Ahead)),
    case("behind a shuffle", |n| waits(range().shuffle(100, Some(1)), 4000, n), (1, 3), "Map map", ("Map map", Told::Calls)),
    Case { consumer: 4000, ..case("whoever asks", |n| one(range(), 1500).prefetch(n), (4, 8), "whoever asks", ("Map map", Told::Nothing)) },
    case("without order", |n| range().map_with(Calls { ordered: false, ..Calls::blocking(n) }, wait(6000)), (3, 6), "ParallelMapV2 map", ("ParallelMapV2 map", Told::Calls)),
    case("three segments", |n| one(waits(one(range(), 2000).prefetch(4), 6000, n).prefetch(4), 3000), (1, 2), "Map map_1", ("Map map_1", Told::Calls)),
    case("three in a row", |n| one(ahead(one(one(range(), 1500), 4000), n), 3000), (0, 4), "Map map_1", ("Map map_1", Told::Ahead)),
    case("a source before many", |n| waits(waiting_source(4000), 8000, n), (8, 3), "Generator generator_next", ("ParallelMapV2 map", Told::Calls)),
    case("a function that computes", |n| spins(ahead(one(range(), 1500), n), 4000), (0, 4), "Map map_1", ("Map map", Told::Ahead)),
];

fn limit_name(trace: &PipelineTrace, limit: Limit) -> String {
    match limit {
        Limit::Stage(i) => trace.stages[i].name(),
        Limit::Threads => "the threads".to_owned(),
        Limit::Consumer => "whoever asks".to_owned(),
        Limit::Nothing => "nothing".to_owned(),
    }
}

fn limits() -> Result<bool> {
    let (mut named, mut predicted) = (0, 0);
    println!("{:24} {:26} {:>9} {:>9} {:>9} {:>7}", "pipeline", "limit", "before", "predicted", "measured", "error");
    for case in CASES {
        let consumer = Duration::from_micros(case.consumer);
        let (before, trace) = measure((case.build)(case.numbers.0), consumer, true)?;
        let trace = trace.ok_or_else(|| Error::internal("the session recorded no pipeline"))?;
        let model = trace.model();
        let limit = limit_name(&trace, model.limit());
        let stage = trace.stages.iter().position(|stage| stage.name() == case.of);
        let stage = stage.ok_or_else(|| Error::not_found(format!("{}: no stage {}", case.name, case.of)))?;
        let n = case.numbers.1;
        let expected = match case.told {
            Told::Calls => model.with(Change::Calls(stage, n as u64)),
            // The number of elements of a buffer, or of jobs of an interleave.
            Told::Ahead => model.with(Change::Ahead(stage, if trace.stages[stage].ahead > 0 { n as u64 } else { 1 })),
            Told::Nothing => model,
        };
        let (measured, _) = measure((case.build)(n), consumer, false)?;
        let error = expected.rate() / measured - 1.0;
        named += usize::from(limit == case.limit);
        predicted += usize::from(error.abs() <= RIGHT);
        let wrong = if limit == case.limit { "" } else { " (wrong)" };
        println!(
            "{:24} {:26} {before:9.0} {:9.0} {measured:9.0} {:6.0}%",
            case.name,
            format!("{limit}{wrong}"),
            expected.rate(),
            100.0 * error
        );
    }
    println!("{named} of {} named correctly, {predicted} predictions within {:.0}%", CASES.len(), 100.0 * RIGHT);
    Ok(named == CASES.len() && 10 * predicted >= 8 * CASES.len())
}

/// A number in a line of `/proc/self/status`.
fn threads_of_process() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Threads:"));
    line.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}

fn threads() -> Result<bool> {
    const STAGES: i64 = 30;
    const ELEMENTS: i64 = 20_000;
    let mut dataset = Dataset::range(ELEMENTS);
    for i in 0..STAGES {
        dataset = dataset.map_nodes(Calls::parallel(64), move |b, x| {
            let one = b.constant(levada::Tensor::scalar(i));
            vec![b.add(x[0], one)]
        });
    }
    let (session, pipeline) = open(dataset, false)?;
    let (start, mut most, mut read) = (Instant::now(), 0, 0);
    for element in pipeline.elements(&session)? {
        if element? != read + (0..STAGES).sum::<i64>() {
            return Err(Error::internal(format!("element {read} is wrong")));
        }
        read += 1;
        if read % 100 == 0 {
            most = most.max(threads_of_process());
        }
    }
    println!("{read} elements through {STAGES} stages in {:?}; at most {most} threads", start.elapsed());
    Ok(read == ELEMENTS && most <= THREADS + 1)
}

/// Ticks of processor time of the process, hundredths of a second.
fn ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

fn idle() -> Result<bool> {
    let dataset = Dataset::range(MANY)
        .map_nodes::<i64>(Calls::parallel(levada::data::AUTOTUNE), |b, x| vec![b.add(x[0], x[0])])
        .prefetch(levada::data::AUTOTUNE);
    let (session, pipeline) = open(dataset, false)?;
    let mut elements = pipeline.elements(&session)?;
    (0..10_000).try_for_each(|_| elements.next().map_or(Ok(()), |element| element.map(drop)))?;
    // The buffers fill up soon.
    std::thread::sleep(Duration::from_millis(500));
    let before = ticks();
    std::thread::sleep(Duration::from_secs(2));
    let used = ticks() - before;
    println!("{} ms of processor time in 2 s", 10 * used);
    Ok(used == 0)
}

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// One in this number of elements fails.
const FAILS: i64 = 997;

/// Reads elements with several threads while runs are cancelled or late, functions fail, and the position is saved and
/// restored.
fn soak(elements: u64, seed: u64) -> Result<bool> {
    let dataset = Dataset::range(elements as i64)
        .map_with(Calls::parallel(8), |x: i64| match x % FAILS {
            0 => Err(Error::data_loss(format!("element <{x}> is broken"))),
            _ => Ok(x),
        })
        .map_nodes::<i64>(Calls::parallel(4), |b, x| {
            let one = b.constant(levada::Tensor::scalar(1i64));
            vec![b.add(x[0], one)]
        })
        .prefetch(16);
    let mut b = Builder::new(levada::registry());
    let pipeline = dataset.iterator(&mut b, "it");
    let saved = b.node("SerializeIterator").name("save").input(pipeline.iterator).add();
    let given = b.placeholder("position", DType::Variant, PartialShape::Unknown);
    b.node("DeserializeIterator").name("restore").input(pipeline.iterator).input(given).add();
    let (init, next, save) = (b.node_name(pipeline.initializer), b.name(pipeline.components[0]), b.name(saved));
    let session = Session::new(b.finish()?, SessionOptions { threads: THREADS, ..SessionOptions::default() })?;
    pipeline.register(session.host());
    session.run(&[], &[], &[&init])?;

    let seen: Vec<AtomicU64> = (0..elements).map(|_| AtomicU64::new(0)).collect();
    let see = |x: i64| {
        if let Some(count) = usize::try_from(x).ok().and_then(|x| seen.get(x)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    };
    let (ended, failed) = (AtomicBool::new(false), Mutex::new(None));
    let (cancelled, errors) = (AtomicU64::new(0), AtomicU64::new(0));
    let mut random = Random(seed);
    let mut restarts = 0;
    while !ended.load(Ordering::Relaxed) && failed.lock().is_ok_and(|failed| failed.is_none()) {
        let quota = AtomicU64::new(elements / 20 + random.below(elements / 20 + 1));
        std::thread::scope(|scope| {
            for reader in 0..3 {
                let (session, mut random) = (session.clone(), Random(random.below(1 << 40) + reader));
                let (ended, failed, quota, see, next) = (&ended, &failed, &quota, &see, &next);
                let (cancelled, errors) = (&cancelled, &errors);
                scope.spawn(move || {
                    while !ended.load(Ordering::Relaxed)
                        && quota.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |q| q.checked_sub(1)).is_ok()
                    {
                        let mut options = RunOptions::default();
                        match random.below(8) {
                            0 => {
                                let token = CancelToken::new();
                                let later = token.clone();
                                let spins = random.below(3000);
                                options.cancel = Some(token);
                                std::thread::spawn(move || {
                                    (0..spins).for_each(|_| std::hint::spin_loop());
                                    later.cancel();
                                });
                            }
                            1 => options.timeout = Some(Duration::from_nanos(random.below(50_000))),
                            _ => {}
                        }
                        match session.run_with(&options, &[], &[next], &[]) {
                            Ok((values, _)) => {
                                if let Ok(x) = values[0].item::<i64>() {
                                    see(x - 1);
                                }
                            }
                            Err(error) => match error.code() {
                                Code::OutOfRange => ended.store(true, Ordering::Relaxed),
                                Code::Cancelled | Code::DeadlineExceeded => {
                                    cancelled.fetch_add(1, Ordering::Relaxed);
                                }
                                Code::DataLoss => {
                                    errors.fetch_add(1, Ordering::Relaxed);
                                    let text = error.message().split(['<', '>']).nth(1).map(str::to_owned);
                                    see(text.and_then(|text| text.parse().ok()).unwrap_or(-1));
                                }
                                _ => {
                                    if let Ok(mut failed) = failed.lock() {
                                        failed.get_or_insert(error);
                                    }
                                    return;
                                }
                            },
                        }
                    }
                });
            }
        });
        let position = session.run(&[], &[&save], &[])?.remove(0);
        session.run(&[], &[], &[&init])?;
        session.run(&[("position", position)], &[], &["restore"])?;
        restarts += 1;
    }
    if let Some(error) = failed.into_inner().ok().flatten() {
        return Err(error);
    }
    let lost = seen.iter().filter(|count| count.load(Ordering::Relaxed) == 0).count();
    let doubled = seen.iter().filter(|count| count.load(Ordering::Relaxed) > 1).count();
    println!(
        "{elements} elements, {} runs cancelled or late, {} elements failed, {restarts} restarts: {lost} lost, {doubled} doubled",
        cancelled.into_inner(),
        errors.into_inner()
    );
    Ok(lost == 0 && doubled == 0)
}
