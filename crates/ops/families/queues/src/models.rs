//! Models of waiting at a queue, with loom, and a simulation of queues under random operations, cancellations and
//! deadlines, with shuttle. Every operation finishes exactly once, and no element is lost or duplicated.

use crate::barrier::{self, Barrier, Take};
use crate::fifo::FIFO;
use crate::handle::Shared;
use crate::monitor::Observer;
use crate::queue::{Answer, Config, Element, Queue, QueueState, Want};
use levada_graph::{Bytes, Code, DType, Error, PartialShape, Result, Tensor};
use levada_kernel::{Arena, CancelToken, Completion};
use levada_sync::{Condvar, Mutex, explore, thread};
use smallvec::smallvec;
use std::sync::Arc;
use std::time::Instant;

fn queue(capacity: usize) -> Arc<Queue> {
    let config = Config {
        kind: &FIFO,
        name: "queue".to_owned(),
        types: vec![DType::I64],
        shapes: vec![PartialShape::scalar()],
        capacity: Some(capacity),
        min_after_dequeue: 0,
        most: 1000,
        seeds: (0, 0),
    };
    let state = QueueState::new((FIFO.order)((0, 0)));
    Arc::new(Queue::new(config, state))
}

fn element(value: i64) -> Want {
    Want::Enqueue(smallvec![Tensor::scalar(value)])
}

fn elements(values: &[i64]) -> Want {
    let batch: Element = smallvec![Tensor::vector(values.to_vec())];
    Want::EnqueueMany { batch, next: 0, size: values.len() }
}

fn many(n: usize, up_to: bool) -> Want {
    Want::DequeueMany { n, up_to, taken: Vec::new(), arena: Arena::new(usize::MAX, 0) }
}

fn values(outputs: &[Tensor]) -> Vec<i64> {
    outputs.iter().flat_map(|tensor| tensor.slice::<i64>().unwrap().to_vec()).collect()
}

/// The result of a waiting operation.
#[derive(Default)]
struct Told {
    result: Mutex<Option<Result<Vec<Tensor>>>>,
    changed: Condvar,
}

/// Performs an operation as a run with this token and deadline does: past the deadline it is cancelled, and its
/// outcome counts.
fn act(queue: &Arc<Queue>, want: Want, cancel: &CancelToken, deadline: Option<Instant>) -> Result<Vec<i64>> {
    let told = Arc::new(Told::default());
    let tells = told.clone();
    let completion = Completion::new(move |entries| {
        let tensors = entries.map(|entries| entries.iter().filter_map(|entry| entry.tensor().cloned()).collect());
        assert!(tells.result.lock().replace(tensors).is_none(), "an operation is finished twice");
        tells.changed.notify_all();
    });
    let wait = |_| ("node".into(), cancel.clone(), completion);
    if let Some(answer) = queue.ask(want, Observer::new(&None, &"node".into()), wait) {
        return answer.map(|answer| match answer {
            Answer::Nothing => Vec::new(),
            Answer::Element(element) => values(&element),
            Answer::Batch(elements, _) => elements.iter().flat_map(|element| values(element)).collect(),
        });
    }
    let mut result = told.result.lock();
    loop {
        if let Some(result) = result.take() {
            return result.map(|tensors| values(&tensors));
        }
        match deadline.filter(|_| !cancel.is_cancelled()) {
            None => told.changed.wait(&mut result),
            Some(until) => {
                if told.changed.wait_until(&mut result, until).timed_out() {
                    drop(result);
                    cancel.cancel_with(Error::deadline_exceeded("the run passed its deadline"));
                    result = told.result.lock();
                }
            }
        }
    }
}

/// Performs an operation that nothing cancels.
fn does(queue: &Arc<Queue>, want: Want) -> Result<Vec<i64>> {
    act(queue, want, &CancelToken::new(), None)
}

#[test]
fn an_operation_is_served_while_it_is_cancelled() {
    explore(|| {
        let (queue, token) = (queue(1), CancelToken::new());
        let (takes, cancel) = (queue.clone(), token.clone());
        let takes = thread::spawn(move || act(&takes, Want::Dequeue, &cancel, None));
        let cancels = thread::spawn(move || token.cancel());
        does(&queue, element(7)).unwrap();
        cancels.join().unwrap();
        match takes.join().unwrap() {
            Ok(values) => assert_eq!(values, [7]),
            Err(error) => {
                assert_eq!(error.code(), Code::Cancelled);
                assert_eq!(does(&queue, Want::Dequeue).unwrap(), [7], "the element is lost");
            }
        }
    });
}

#[test]
fn those_who_wait_for_room_are_served_in_their_order() {
    explore(|| {
        let queue = queue(1);
        let puts = queue.clone();
        let puts = thread::spawn(move || {
            for value in 0..2 {
                does(&puts, element(value)).unwrap();
            }
        });
        let taken: Vec<i64> = (0..2).flat_map(|_| does(&queue, Want::Dequeue).unwrap()).collect();
        puts.join().unwrap();
        assert_eq!(taken, [0, 1]);
    });
}

#[test]
fn a_batch_that_is_given_up_goes_back() {
    explore(|| {
        let (queue, token) = (queue(2), CancelToken::new());
        let (takes, cancel) = (queue.clone(), token.clone());
        let takes = thread::spawn(move || act(&takes, many(2, false), &cancel, None));
        does(&queue, element(0)).unwrap();
        token.cancel();
        assert_eq!(takes.join().unwrap().unwrap_err().code(), Code::Cancelled);
        assert_eq!(does(&queue, Want::Dequeue).unwrap(), [0]);
    });
}

#[test]
fn who_waits_is_told_that_the_queue_is_closed() {
    explore(|| {
        let queue = queue(2);
        let takes = queue.clone();
        let takes = thread::spawn(move || [does(&takes, Want::Dequeue), does(&takes, Want::Dequeue)]);
        does(&queue, element(3)).unwrap();
        does(&queue, Want::Close).unwrap();
        let [first, second] = takes.join().unwrap();
        assert_eq!(first.unwrap(), [3]);
        assert_eq!(second.unwrap_err().code(), Code::OutOfRange);
    });
}

#[test]
fn a_batch_that_comes_in_parts_serves_those_who_wait() {
    explore(|| {
        let queue = queue(1);
        let takes = queue.clone();
        let takes = thread::spawn(move || [does(&takes, Want::Dequeue), does(&takes, Want::Dequeue)]);
        does(&queue, elements(&[4, 5])).unwrap();
        assert_eq!(takes.join().unwrap().map(Result::unwrap), [[4], [5]]);
    });
}

#[test]
fn what_completes_a_tuple_serves_those_who_wait_at_a_barrier() {
    explore(|| {
        let (types, shapes) = (vec![DType::I64], Vec::new());
        let config = barrier::Config { name: "barrier".to_owned(), types, shapes, most: 10 };
        let barrier = Arc::new(Barrier::make(config).unwrap());
        let inserts = barrier.clone();
        let inserts = thread::spawn(move || {
            let (key, value) = (Bytes::from(b"key".to_vec()), Tensor::vector(vec![6i64]));
            inserts.change(|tuples| tuples.insert(&inserts.config, &[key], 0, &value)).unwrap();
        });
        let told = Arc::new(Told::default());
        let tells = told.clone();
        let completion = Completion::new(move |entries| {
            *tells.result.lock() = Some(entries.map(|_| Vec::new()));
            tells.changed.notify_all();
        });
        let want = Take { n: 1, up_to: false, taken: Vec::new(), waits: false, arena: Arena::new(usize::MAX, 0) };
        let wait = |_| ("node".into(), CancelToken::new(), completion);
        match barrier.ask(want, Observer::new(&None, &"node".into()), wait) {
            Some(answer) => drop(answer.unwrap()),
            None => {
                let mut result = told.result.lock();
                while result.is_none() {
                    told.changed.wait(&mut result);
                }
                result.take().unwrap().unwrap();
            }
        }
        inserts.join().unwrap();
        assert_eq!(barrier.look(|tuples| tuples.ready()), 0);
    });
}

/// Producers and consumers with random operations, some of which are cancelled and some late; the queue is closed
/// after all producers have ended. Each schedule makes its own choices.
#[cfg(shuttle)]
#[test]
fn no_element_is_lost_or_doubled() {
    use levada_sync::checker::rand::{Rng, thread_rng};
    use levada_sync::clock;
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    static OPERATIONS: AtomicU64 = AtomicU64::new(0);

    /// Performs an operation with a token that may be cancelled and a deadline that may pass at any time.
    fn disturbed(queue: &Arc<Queue>, want: Want) -> Result<Vec<i64>> {
        OPERATIONS.fetch_add(1, Ordering::Relaxed);
        let token = CancelToken::new();
        match thread_rng().gen_range(0..4) {
            0 => {
                let cancel = token.clone();
                let cancels = thread::spawn(move || cancel.cancel());
                let result = act(queue, want, &token, None);
                cancels.join().unwrap();
                result
            }
            1 => {
                let passes = thread::spawn(|| clock::pass(Duration::from_millis(100)));
                let deadline = levada_sync::now() + Duration::from_millis(100);
                let result = act(queue, want, &token, Some(deadline));
                passes.join().unwrap();
                result
            }
            _ => act(queue, want, &token, None),
        }
    }

    explore(|| {
        let queue = queue(thread_rng().gen_range(1..4));
        // How often each element was taken, and whether it is certain that it was put.
        let (taken, put): (Arc<Mutex<Vec<i64>>>, Arc<Mutex<BTreeMap<i64, bool>>>) = Default::default();
        let producers: Vec<_> = (0..2)
            .map(|number| {
                let (queue, put) = (queue.clone(), put.clone());
                thread::spawn(move || {
                    for turn in 0..3 {
                        let first = 100 * number + 10 * turn;
                        let size = thread_rng().gen_range(1..4);
                        let batch: Vec<i64> = (first..first + size).collect();
                        let want = if size == 1 { element(first) } else { elements(&batch) };
                        let result = disturbed(&queue, want);
                        put.lock().extend(batch.into_iter().map(|value| (value, result.is_ok())));
                    }
                })
            })
            .collect();
        let consumers: Vec<_> = (0..thread_rng().gen_range(1..3))
            .map(|_| {
                let (queue, taken) = (queue.clone(), taken.clone());
                thread::spawn(move || {
                    loop {
                        let want = match thread_rng().gen_range(0..3) {
                            0 => many(2, true),
                            _ => Want::Dequeue,
                        };
                        match disturbed(&queue, want) {
                            Ok(values) => taken.lock().extend(values),
                            Err(error) if error.code() == Code::OutOfRange => break,
                            Err(_) => {}
                        }
                    }
                })
            })
            .collect();
        producers.into_iter().for_each(|producer| producer.join().unwrap());
        does(&queue, Want::Close).unwrap();
        consumers.into_iter().for_each(|consumer| consumer.join().unwrap());
        let (mut taken, put) = (std::mem::take(&mut *taken.lock()), put.lock());
        taken.sort_unstable();
        assert!(taken.windows(2).all(|pair| pair[0] != pair[1]), "an element is taken twice: {taken:?}");
        for (value, certain) in &*put {
            assert!(!certain || taken.contains(value), "{value} is lost: {taken:?}");
        }
    });
    println!("{} operations", OPERATIONS.load(Ordering::Relaxed));
}
