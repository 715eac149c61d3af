//! Partial runs that are fed, fetched from and cancelled at the same time.

use super::{EXPENSIVE, env, values};
use crate::StepOptions;
use crate::partial::PartialStep;
use crate::plan::Plan;
use crate::testing::Sketch;
use levada_graph::{Code, Error, Tensor};
use levada_kernel::CancelToken;
use levada_sync::{explore, thread};
use std::sync::Arc;

/// 1 is a feed of 0, which 2 fetches.
fn plan() -> Arc<Plan> {
    Sketch::of(&[EXPENSIVE; 3]).known().edges(&[(1, 0), (0, 2)]).partial(1, 1).plan()
}

#[test]
fn a_partial_step_is_fed_while_it_is_fetched_from() {
    explore(|| {
        let step = Arc::new(PartialStep::start(&plan(), &env(1), &StepOptions::default()).unwrap());
        let feeds = step.clone();
        let feeds = thread::spawn(move || feeds.feed(0, Tensor::scalar(5i64)));
        let fetched = step.fetch(&[0], None, None).unwrap();
        assert_eq!(values(&fetched), [6]);
        feeds.join().unwrap();
        assert!(step.end(None, None).0.is_ok());
    });
}

#[test]
fn a_partial_step_is_cancelled_while_its_feed_comes_to_wait() {
    explore(|| {
        let step = Arc::new(PartialStep::start(&plan(), &env(1), &StepOptions::default()).unwrap());
        let cancels = step.clone();
        let cancels = thread::spawn(move || cancels.cancel(Error::aborted("enough")));
        assert_eq!(step.fetch(&[0], None, None).unwrap_err().code(), Code::Aborted);
        cancels.join().unwrap();
        assert_eq!(step.end(None, None).0.unwrap_err().code(), Code::Aborted);
    });
}

#[test]
fn what_is_fed_after_a_cancellation_is_not_used() {
    explore(|| {
        let cancel = CancelToken::new();
        let options = StepOptions { cancel: cancel.clone(), ..StepOptions::default() };
        let step = PartialStep::start(&plan(), &env(1), &options).unwrap();
        cancel.cancel();
        step.feed(0, Tensor::scalar(5i64));
        assert_eq!(step.fetch(&[0], None, None).unwrap_err().code(), Code::Cancelled);
        assert_eq!(step.end(None, None).0.unwrap_err().code(), Code::Cancelled);
    });
}

#[test]
fn a_partial_step_is_cancelled_while_it_computes() {
    explore(|| {
        let step = Arc::new(PartialStep::start(&plan(), &env(1), &StepOptions::default()).unwrap());
        step.feed(0, Tensor::scalar(5i64));
        let cancels = step.clone();
        let cancels = thread::spawn(move || cancels.cancel(Error::aborted("enough")));
        // Either it ended before it was cancelled, or it returns the error.
        match step.fetch(&[0], None, None) {
            Ok(fetched) => assert_eq!(values(&fetched), [6]),
            Err(error) => assert_eq!(error.code(), Code::Aborted, "{error}"),
        }
        cancels.join().unwrap();
        if let Err(error) = step.end(None, None).0 {
            assert_eq!(error.code(), Code::Aborted, "{error}");
        }
    });
}

#[test]
fn a_fetch_comes_while_its_step_goes_on() {
    explore(|| {
        // 2 and 3 are feeds of 0 and 1, which 4 and 5 fetch.
        let plan = Sketch::of(&[EXPENSIVE; 6]).known().edges(&[(2, 0), (3, 1), (0, 4), (1, 5)]).partial(2, 2).plan();
        let step = PartialStep::start(&plan, &env(1), &StepOptions::default()).unwrap();
        for feed in 0..2 {
            step.feed(feed, Tensor::scalar(5i64));
            assert_eq!(values(&step.fetch(&[feed], None, None).unwrap()), [6]);
        }
        assert!(step.end(None, None).0.is_ok());
    });
}
