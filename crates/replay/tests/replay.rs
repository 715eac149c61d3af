//! Replays against a runtime that does what the graph's text says: passes, returns wrong results, fails, panics or
//! hangs.

use levada_graph::{Code, Error, Result, Tensor};
use levada_replay::{Config, Limits, Outcome, Row, Run, Runtime, Session, Suite, Summary};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

struct Fake;

struct FakeSession {
    does: String,
    /// One step's put feeds another's take; the lock is held while waiting, so there is one taker at a time.
    queue: (Mutex<Option<Sender<i32>>>, Mutex<Receiver<i32>>),
}

impl Runtime for Fake {
    type Session = FakeSession;

    fn open(&self, graph: &[u8], config: &Config) -> Result<FakeSession> {
        let does = String::from_utf8(graph.to_vec()).unwrap().trim_matches('"').to_owned();
        match &*does {
            "refuse" => Err(Error::invalid("a bad graph")),
            "lack" => Err(Error::unimplemented("the op Fft is not supported").op("Fft")),
            "panic in open" => panic!("open"),
            "two devices" if config.cpu_devices != Some(2) => Err(Error::invalid("one device")),
            _ => {
                let (send, receive) = mpsc::channel();
                Ok(FakeSession { does, queue: (Mutex::new(Some(send)), Mutex::new(receive)) })
            }
        }
    }
}

impl Session for FakeSession {
    fn run(&self, run: &Run) -> Result<Vec<Tensor>> {
        match (&*self.does, run.fetches.first().map(String::as_str)) {
            ("fail", _) => Err(Error::out_of_range("the end").node("q").op("QueueDequeue")),
            ("lack in a step", _) => Err(Error::unimplemented("no kernel for quint8").op("Add")),
            ("panic", _) => panic!("in a step"),
            ("hang" | "take", _) | (_, Some("take")) => {
                let taken = self.queue.1.lock().unwrap().recv();
                taken.map(|v| vec![Tensor::scalar(v)]).map_err(|_| Error::cancelled("closed"))
            }
            (_, None) if run.targets == ["put"] => {
                self.queue.0.lock().unwrap().as_ref().unwrap().send(7).unwrap();
                Ok(vec![])
            }
            ("deadline", _) => match run.timeout {
                Some(t) => Err(Error::deadline_exceeded(format!("{t:?}"))),
                None => Ok(vec![]),
            },
            ("echo", _) => Ok(run.feeds.iter().map(|(_, t)| t.clone()).collect()),
            (_, _) => Ok(run.fetches.iter().map(|_| Tensor::scalar(1i32)).collect()),
        }
    }

    fn close(&self) {
        self.queue.0.lock().unwrap().take();
    }
}

const ONE: &str = r#"{"dtype": "DT_INT32", "tensorShape": {}, "intVal": [1]}"#;
const SEVEN: &str = r#"{"dtype": "DT_INT32", "tensorShape": {}, "intVal": [7]}"#;

fn line(name: &str, does: &str, steps: &str, more: &str) -> String {
    format!(
        r#"{{"name": "{name}", "graph": "{does}", "ops": ["Fft"], "rtol": 0, "atol": 0, "steps": [{steps}]{more}}}"#
    )
}

fn outcomes(lines: &[String]) -> Vec<Row> {
    let limits = Limits { case: Duration::from_millis(300), head_start: Duration::from_millis(5), tolerance: 1.0 };
    Suite { filter: None, jobs: 4, limits }.run(&Arc::new(Fake), lines, &|_| ()).unwrap()
}

fn outcome(does: &str, steps: &str, more: &str) -> Outcome {
    outcomes(&[line("case", does, steps, more)]).remove(0).outcome
}

fn fetch(expect: &str) -> String {
    format!(r#"{{"feeds": {{}}, "fetches": ["c:0"], "targets": [], "expect": [{expect}]}}"#)
}

fn error(code: &str) -> String {
    format!(r#"{{"feeds": {{}}, "fetches": ["c:0"], "targets": [], "error": "{code}", "message": "..."}}"#)
}

fn failed(outcome: Outcome) -> String {
    match outcome {
        Outcome::Failed(why) => why,
        other => panic!("expected a failure, found {other:?}"),
    }
}

#[test]
fn what_is_expected_passes() {
    assert_eq!(outcome("one", &fetch(ONE), ""), Outcome::Passed);
    assert_eq!(outcome("fail", &error("OUT_OF_RANGE"), ""), Outcome::Passed);
    assert_eq!(outcome("refuse", &error("INVALID_ARGUMENT"), ""), Outcome::Passed);
    assert_eq!(outcome("two devices", &fetch(ONE), r#", "config": {"deviceCount": {"CPU": 2}}"#), Outcome::Passed);
    let timeout = r#", "config": {"operationTimeoutInMs": 20}"#;
    assert_eq!(outcome("deadline", &error("DEADLINE_EXCEEDED"), timeout), Outcome::Passed);
    let echo = format!(r#"{{"feeds": {{"x:0": {SEVEN}}}, "fetches": ["x:0"], "targets": [], "expect": [{SEVEN}]}}"#);
    assert_eq!(outcome("echo", &echo, ""), Outcome::Passed);
}

#[test]
fn everything_else_fails_and_says_why() {
    let wrong = outcome("one", &format!("{},{}", fetch(ONE), fetch(SEVEN)), "");
    assert_eq!(failed(wrong), "step 1: c:0: element [] is 1, expected 7 (1 of 1 differ)");
    assert_eq!(failed(outcome("one", &error("ABORTED"), "")), "step 0: expected ABORTED, did not fail");
    assert_eq!(
        failed(outcome("fail", &error("ABORTED"), "")),
        "step 0: expected ABORTED, failed with OUT_OF_RANGE at q (QueueDequeue): the end"
    );
    assert!(failed(outcome("refuse", &fetch(ONE), "")).contains("a bad graph"));
    assert_eq!(failed(outcome("panic", &fetch(ONE), "")), "panicked: in a step");
    assert_eq!(failed(outcome("panic in open", &error("INTERNAL"), "")), "panicked: open");
    assert_eq!(failed(outcome("hang", &fetch(ONE), "")), "not done after 300ms");
}

#[test]
fn what_is_not_supported_is_skipped_and_named() {
    assert_eq!(outcome("lack", &fetch(ONE), ""), Outcome::Skipped("the op Fft is not supported".into()));
    assert_eq!(outcome("lack in a step", &fetch(ONE), ""), Outcome::Skipped("Add: no kernel for quint8".into()));
    assert_eq!(outcome("lack", &error("UNIMPLEMENTED"), ""), Outcome::Passed);
}

#[test]
fn schedules_run_steps_from_several_threads() {
    let take = format!(r#"{{"fetches": ["take"], "expect": [{SEVEN}], "thread": 0}}"#);
    let put = r#"{"targets": ["put"], "thread": 1}"#;
    let events = r#", "threads": true, "events": [["start", 0], ["start", 1], ["end", 1], ["end", 0], ["close"]]"#;
    assert_eq!(outcome("one", &format!("{take},{put}"), events), Outcome::Passed);

    let cancelled = r#"{"fetches": ["take"], "error": "CANCELLED", "thread": 0}"#;
    let events = r#", "threads": true, "events": [["start", 0], ["close"], ["end", 0]]"#;
    assert_eq!(outcome("one", cancelled, events), Outcome::Passed);
}

#[test]
fn bags_compare_everything_together() {
    let take = |v: &str, thread: u32| format!(r#"{{"fetches": ["take"], "expect": [{v}], "thread": {thread}}}"#);
    let put = r#"{"targets": ["put"], "thread": 2}"#;
    let bag = r#", "threads": true, "compare": "bag""#;
    assert_eq!(outcome("one", &format!("{},{},{put},{put}", take(SEVEN, 0), take(SEVEN, 1)), bag), Outcome::Passed);
    let why = failed(outcome("one", &format!("{},{},{put},{put}", take(SEVEN, 0), take(ONE, 1)), bag));
    assert!(why.contains("only expected: 1"), "{why}");
}

#[test]
fn a_suite_keeps_the_order_and_counts() {
    let lines: Vec<String> = (0..20)
        .map(|i| match i % 3 {
            0 => line(&format!("pass/{i}"), "one", &fetch(ONE), ""),
            1 => line(&format!("fail/{i}"), "one", &fetch(SEVEN), ""),
            _ => line(&format!("skip/{i}"), "lack", &fetch(ONE), ""),
        })
        .collect();
    let rows = outcomes(&lines);
    assert!(rows.iter().zip(0..).all(|(row, i)| row.name.ends_with(&format!("/{i}"))));
    assert_eq!(Summary::of(&rows).to_string(), "7 passed, 7 failed, 6 skipped");

    let suite = Suite { filter: Some("fail/1".into()), jobs: 1, limits: Limits::default() };
    let names: Vec<String> = suite.run(&Arc::new(Fake), &lines, &|_| ()).unwrap().into_iter().map(|r| r.name).collect();
    assert_eq!(names, ["fail/1", "fail/10", "fail/13", "fail/16", "fail/19"]);
}

#[test]
fn a_line_that_is_no_case_is_an_error_with_its_number() {
    let suite = Suite { filter: None, jobs: 2, limits: Limits::default() };
    let lines = [line("a", "one", &fetch(ONE), ""), "{\"name\": 3}".to_owned()];
    let error = suite.run(&Arc::new(Fake), &lines, &|_| ()).unwrap_err();
    assert_eq!((error.code(), error.fault().line), (Code::InvalidArgument, Some(2)));
}

#[test]
fn a_case_of_a_dtype_that_is_not_known_is_skipped() {
    let odd = r#"{"dtype": "DT_FLOAT3", "tensorShape": {}, "intVal": [1]}"#;
    let rows = outcomes(&[line("odd", "one", &fetch(odd), ""), line("a", "one", &fetch(ONE), "")]);
    assert_eq!(rows[0].outcome, Outcome::Skipped("the dtype DT_FLOAT3 is not supported".to_owned()));
    assert_eq!(rows[1].outcome, Outcome::Passed);
    let suite = Suite { filter: Some("a".into()), jobs: 1, limits: Limits::default() };
    let rows = suite.run(&Arc::new(Fake), &[line("odd", "one", &fetch(odd), "")], &|_| ()).unwrap();
    assert_eq!(rows.len(), 0);
}
