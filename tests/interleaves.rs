//! Parallel interleaves: how many datasets are processed concurrently, and which element comes first.

use levada::data::{AUTOTUNE, Calls, Dataset};
use levada::{Result, SessionOptions};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

fn read(dataset: Dataset<i64>) -> impl Iterator<Item = Result<i64>> {
    let options = SessionOptions { threads: 2, ..SessionOptions::default() };
    dataset.read(levada::registry(), levada::opener(options)).unwrap()
}

#[test]
fn so_many_datasets_are_worked_on_at_a_time() {
    for parallel in [2, 3] {
        let (now, most) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let seen = most.clone();
        let numbers = move |x: i64| {
            seen.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_micros(200));
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(x)
        };
        let inner = move |_: &[levada::Output]| Dataset::range(6).map_with(Calls::blocking(1), numbers);
        let dataset = Dataset::range(10).interleave(5, Calls::parallel(parallel), inner);
        // Elements of five datasets in turn, twice, in order.
        let expected: Vec<i64> = (0..60).map(|i| i / 5 % 6).collect();
        assert_eq!(read(dataset).collect::<Result<Vec<_>>>().unwrap(), expected);
        assert!(most.load(Ordering::SeqCst) <= parallel as usize, "{most:?} of {parallel}");
    }
}

#[test]
fn a_number_that_is_chosen_changes_no_order() {
    let inner = |_: &[levada::Output]| Dataset::range(500).map(|x| x + 1);
    let dataset = Dataset::range(6).interleave(3, Calls::parallel(AUTOTUNE), inner);
    let expected: Vec<i64> = (0..3000).map(|i| i / 3 % 500 + 1).collect();
    assert_eq!(read(dataset).collect::<Result<Vec<_>>>().unwrap(), expected);
}

#[test]
fn without_order_a_dataset_that_waits_holds_up_no_other() {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let (opened, first) = (gate.clone(), AtomicUsize::new(0));
    let waits = move |x: i64| {
        if first.fetch_add(1, Ordering::SeqCst) == 0 {
            let (open, changed) = &*opened;
            let guard = open.lock().unwrap();
            let (_open, waited) = changed.wait_timeout_while(guard, Duration::from_secs(120), |open| !*open).unwrap();
            assert!(!waited.timed_out(), "nobody opened");
        }
        Ok(x)
    };
    let inner = move |_: &[levada::Output]| Dataset::range(3).map_with(Calls::blocking(1), waits);
    let calls = Calls { ordered: false, ..Calls::parallel(2) };
    let mut elements = read(Dataset::range(2).interleave(2, calls, inner));
    // One dataset waits for the gate; all elements of the other one arrive.
    let mut next = || elements.next().unwrap().unwrap();
    assert_eq!([next(), next(), next()], [0, 1, 2]);
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    assert_eq!([next(), next(), next()], [0, 1, 2]);
    assert!(elements.next().is_none());
}
