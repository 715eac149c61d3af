//! A timer for deferred actions. Its thread waits for the earliest action and exits when none is left.

use parking_lot::{Condvar, Mutex};
use std::collections::BTreeMap;
use std::time::Instant;

type Act = Box<dyn FnOnce() + Send>;

struct Timer {
    /// Actions by deadline; the number distinguishes those with the same deadline.
    acts: BTreeMap<(Instant, u64), Act>,
    next: u64,
    runs: bool,
}

static TIMER: Mutex<Timer> = Mutex::new(Timer { acts: BTreeMap::new(), next: 0, runs: false });
static CHANGED: Condvar = Condvar::new();

/// Calls `act` at `when` on the timer thread, or immediately if that thread cannot be started.
pub(super) fn at(when: Instant, act: impl FnOnce() + Send + 'static) {
    let mut timer = TIMER.lock();
    let number = timer.next;
    timer.next += 1;
    timer.acts.insert((when, number), Box::new(act));
    if timer.runs {
        CHANGED.notify_one();
        return;
    }
    timer.runs = std::thread::Builder::new().name("levada-timer".to_owned()).spawn(wait).is_ok();
    if !timer.runs {
        let acts = std::mem::take(&mut timer.acts);
        drop(timer);
        acts.into_values().for_each(|act| act());
    }
}

fn wait() {
    let mut timer = TIMER.lock();
    while let Some((&(when, _), _)) = timer.acts.first_key_value() {
        if when > Instant::now() {
            CHANGED.wait_until(&mut timer, when);
            continue;
        }
        if let Some((_, act)) = timer.acts.pop_first() {
            drop(timer);
            act();
            timer = TIMER.lock();
        }
    }
    timer.runs = false;
}

#[cfg(test)]
mod tests {
    use super::at;
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    #[test]
    fn acts_in_the_order_of_their_times() {
        let (send, receive) = channel();
        let now = Instant::now();
        for ms in [30u64, 10, 20] {
            let send = send.clone();
            at(now + Duration::from_millis(ms), move || {
                let _ = send.send(ms);
            });
        }
        let order: Vec<u64> = (0..3).map_while(|_| receive.recv_timeout(Duration::from_secs(10)).ok()).collect();
        assert_eq!(order, [10, 20, 30]);
        assert!(now.elapsed() >= Duration::from_millis(30));
    }
}
