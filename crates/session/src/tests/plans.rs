//! Plans: which runs share one, and how many are kept.

use super::{ARITHMETIC, rows, session, session_of};
use crate::{CallableOptions, Session, SessionOptions};
use levada_executor::Plan;
use std::sync::Arc;

fn plan(session: &Session, feeds: &[&str], fetches: &[&str], targets: &[&str]) -> Arc<Plan> {
    session.inner.prepare(feeds, fetches, targets).unwrap().0
}

#[test]
fn runs_of_one_signature_share_a_plan() {
    let session = session(ARITHMETIC);
    let first = plan(&session, &["x"], &["y", "z"], &[]);
    assert!(Arc::ptr_eq(&first, &plan(&session, &["x:0"], &["y:0", "z"], &[])), "two names of one endpoint");
    let others = [
        plan(&session, &["x"], &["z", "y"], &[]),
        plan(&session, &["x"], &["y"], &[]),
        plan(&session, &["x"], &["y", "z"], &["one"]),
        session.inner.partial_plan(&["x"], &["y", "z"], &[]).unwrap().0,
    ];
    assert!(others.iter().all(|other| !Arc::ptr_eq(&first, other)));
}

#[test]
fn evicted_plans_are_compiled_again_and_callables_keep_theirs() {
    let session = session_of(ARITHMETIC, "", SessionOptions { plan_limit: 2, ..SessionOptions::default() });
    let callable = session.callable(&CallableOptions::new(["x"], ["y"], [])).unwrap();
    let first = plan(&session, &["x"], &["y"], &[]);
    assert!(std::ptr::eq(callable.plan(), &*first));
    for fetches in [&["z"][..], &["both"], &["y", "z"], &["y", "both"]] {
        plan(&session, &["x"], fetches, &[]);
    }
    assert!(!Arc::ptr_eq(&first, &plan(&session, &["x"], &["y"], &[])));
    assert_eq!(callable.run(&[rows(&[[2.0, 3.0]])]).unwrap()[0].slice::<f32>().unwrap(), [4.0, 9.0]);
}

#[test]
fn threads_that_compile_one_run_at_once_end_up_with_one_plan() {
    let session = session(ARITHMETIC);
    let plans: Vec<Arc<Plan>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let own = session.clone();
                scope.spawn(move || plan(&own, &["x"], &["both"], &[]))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(plans.iter().all(|other| Arc::ptr_eq(&plans[0], other)));
}

#[test]
fn a_callable_says_which_fetches_are_operations() {
    let session = session(ARITHMETIC);
    let callable = session.callable(&CallableOptions::new(["n"], ["nothing", "quotient", "^one"], [])).unwrap();
    assert_eq!([0, 1, 2].map(|fetch| callable.is_operation(fetch)), [true, false, true]);
    let wrong = callable.run(&[]).unwrap_err();
    assert_eq!(wrong.message(), "the number of feeds is wrong");
}
