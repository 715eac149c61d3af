//! Random graphs return the same as a node-by-node reference, with any number of workers, and their traces are
//! consistent with the graphs.

use levada::graph::read;
use levada::{RunOptions, Session, SessionOptions, Tensor, trace};
use levada_testkit::WORKERS;
use levada_testkit::dag::{Dag, dags};
use proptest::prelude::*;
use std::sync::Arc;

fn session(dag: &Dag, threads: usize, plain: bool) -> Session {
    let graph = read::json(dag.json().to_string().as_bytes(), &levada::registry()).unwrap();
    Session::new(graph, SessionOptions { threads, plain, ..SessionOptions::default() }).unwrap()
}

fn run(dag: &Dag, session: &Session, trace: bool) -> (Vec<Vec<i32>>, Option<levada::StepTrace>) {
    let feeds: Vec<(String, Tensor)> = dag.feeds().into_iter().map(|(n, v)| (n, Tensor::vector(v))).collect();
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
    let (fetches, targets) = (dag.fetches(), dag.targets());
    let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let options = RunOptions { trace, ..RunOptions::default() };
    let (found, metadata) = session.run_with(&options, &feeds, &fetches, &targets).unwrap();
    (found.iter().map(|t| t.slice::<i32>().unwrap().to_vec()).collect(), metadata.trace)
}

/// Results and traces of one graph, with every number of workers, unchanged and rewritten.
fn check(dag: &Dag) {
    let expected = dag.expected();
    let nodes: Vec<Arc<str>> = dag.traced().into_iter().map(|i| Dag::name(i).into()).collect();
    let edges: Vec<trace::Edge> =
        dag.edges().into_iter().map(|(a, b)| (Dag::name(a).into(), Dag::name(b).into())).collect();
    for threads in WORKERS {
        let plain = session(dag, threads, true);
        for _ in 0..2 {
            let (found, trace) = run(dag, &plain, true);
            assert_eq!(found, expected, "with {threads} workers");
            if let Err(violations) = trace::check(&trace.unwrap(), &nodes, &edges) {
                panic!("with {threads} workers: {violations:?}");
            }
        }
        let rewritten = session(dag, threads, false);
        assert_eq!(run(dag, &rewritten, false).0, expected, "rewritten, with {threads} workers");
        let trace = run(dag, &rewritten, true).1.unwrap();
        let ran: Vec<Arc<str>> = trace.events.iter().flat_map(|e| e.nodes().iter().cloned()).collect();
        if let Err(violations) = trace::check(&trace, &ran, &trace.edges) {
            panic!("rewritten, with {threads} workers: {violations:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn small_tensors(dag in dags(40, 3)) {
        check(&dag);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    // Expensive enough that the executor hands nodes to other workers, and kernels split their loops.
    #[test]
    fn large_tensors(dag in dags(60, 30_000)) {
        check(&dag);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn several_callers_of_one_session_get_what_one_gets(dag in dags(40, 1_000)) {
        let expected = dag.expected();
        let session = session(&dag, 2, false);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let (session, dag, expected) = (session.clone(), &dag, &expected);
                scope.spawn(move || {
                    for _ in 0..4 {
                        assert_eq!(run(dag, &session, false).0, *expected);
                    }
                });
            }
        });
    }
}
