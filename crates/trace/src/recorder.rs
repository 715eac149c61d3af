//! The recorder: collects a step's events from all of its workers and devices.

use crate::device::DeviceEvent;
use crate::event::{Edge, NodeEvent, StepTrace};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long a step waits for a device that makes no progress.
const PATIENCE: Duration = Duration::from_secs(10);

/// Collects the events of one step. A step without a recorder pays only for a branch.
pub struct Recorder {
    step_id: u64,
    begin: Instant,
    /// One list per worker, so that workers do not contend; the locks are for `finish`.
    lanes: Vec<Mutex<Vec<NodeEvent>>>,
    /// The devices' work.
    devices: Mutex<Devices>,
    changed: Condvar,
}

#[derive(Default)]
struct Devices {
    events: Vec<DeviceEvent>,
    /// Number of pieces of work that are not done.
    expected: usize,
    /// Number of pieces of work whose times are lost.
    lost: u64,
    /// Callbacks to run before the step waits for devices.
    hurry: Vec<Box<dyn FnOnce() + Send>>,
    /// True once waiting for devices was given up.
    given_up: bool,
    /// When the step's last node ended.
    nodes_ended: Option<u64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `at` in nanoseconds since 1970. Within a process, results follow its own clock to the nanosecond, even if the
/// system's clock changes.
pub fn unix_ns(at: Instant) -> u64 {
    static BASE: OnceLock<(Instant, u64)> = OnceLock::new();
    let &(base, base_ns) = BASE.get_or_init(|| {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (Instant::now(), since_1970.as_nanos() as u64)
    });
    let nanos = |d: Duration| d.as_nanos() as u64;
    match at.checked_duration_since(base) {
        Some(later) => base_ns.saturating_add(nanos(later)),
        None => base_ns.saturating_sub(nanos(base.duration_since(at))),
    }
}

impl Recorder {
    /// Starts the clock of step `step_id`, which up to `threads` workers may run.
    pub fn new(step_id: u64, threads: usize) -> Recorder {
        Recorder {
            step_id,
            begin: Instant::now(),
            lanes: (0..threads.max(1)).map(|_| Mutex::default()).collect(),
            devices: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Nanoseconds since the step started.
    #[inline]
    pub fn now(&self) -> u64 {
        self.begin.elapsed().as_nanos() as u64
    }

    /// Nanoseconds from the start of the step until `time`; 0 if that is earlier.
    pub fn at(&self, time: Instant) -> u64 {
        time.saturating_duration_since(self.begin).as_nanos() as u64
    }

    /// The cost of reading the clock: the median of several readings.
    fn clock_ns(&self) -> u64 {
        let mut readings = [0; 64];
        readings.iter_mut().for_each(|r| *r = self.now());
        let mut gaps: Vec<u64> = readings.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_unstable();
        gaps[gaps.len() / 2]
    }

    /// Records `event`. Events may come from any thread, including workers beyond the number given to `new`.
    pub fn record(&self, event: NodeEvent) {
        lock(&self.lanes[event.worker as usize % self.lanes.len()]).push(event);
    }

    /// A piece of work was queued; returns the time.
    pub(crate) fn expect(&self) -> u64 {
        lock(&self.devices).expected += 1;
        self.now()
    }

    /// A piece of work is done, or its time will never be known.
    pub(crate) fn ran(&self, event: Option<DeviceEvent>) {
        let mut devices = lock(&self.devices);
        devices.expected = devices.expected.saturating_sub(1);
        match event {
            Some(event) => devices.events.push(event),
            None => devices.lost += 1,
        }
        drop(devices);
        self.changed.notify_all();
    }

    /// A piece of work that was expected was not queued.
    pub(crate) fn forget(&self) {
        let mut devices = lock(&self.devices);
        devices.expected = devices.expected.saturating_sub(1);
        drop(devices);
        self.changed.notify_all();
    }

    pub(crate) fn before_waiting(&self, hurry: Box<dyn FnOnce() + Send>) {
        lock(&self.devices).hurry.push(hurry);
    }

    /// Waits until devices have done all queued work, until `limit`, until a device makes no progress for too long, or
    /// until [`Recorder::give_up`] is called.
    pub fn settle(&self, limit: Option<Instant>) {
        let hurry = {
            let mut devices = lock(&self.devices);
            devices.nodes_ended = Some(self.now());
            std::mem::take(&mut devices.hurry)
        };
        hurry.into_iter().for_each(|hurry| hurry());
        let mut devices = lock(&self.devices);
        let (mut expected, mut since) = (devices.expected, Instant::now());
        while devices.expected > 0 && !devices.given_up {
            let now = Instant::now();
            if devices.expected < expected {
                (expected, since) = (devices.expected, now);
            }
            let patience = PATIENCE.saturating_sub(now.duration_since(since));
            let left = limit.map_or(patience, |l| l.saturating_duration_since(now).min(patience));
            if left.is_zero() {
                break;
            }
            devices = self.changed.wait_timeout(devices, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Ends the wait for devices.
    pub fn give_up(&self) {
        lock(&self.devices).given_up = true;
        self.changed.notify_all();
    }

    /// Ends the step.
    pub fn finish(&self) -> StepTrace {
        self.finish_with(Vec::new)
    }

    /// Ends the step and keeps the edges between its nodes. Later device work is left out.
    pub fn finish_with(&self, edges: impl FnOnce() -> Vec<Edge>) -> StepTrace {
        let now = self.now();
        let mut events: Vec<NodeEvent> = self.lanes.iter().flat_map(|lane| std::mem::take(&mut *lock(lane))).collect();
        events.sort_by_key(|e| (e.start_ns, e.end_ns));
        let (mut device_events, device_events_lost, nodes_ended) = {
            let mut devices = lock(&self.devices);
            (std::mem::take(&mut devices.events), devices.lost + devices.expected as u64, devices.nodes_ended)
        };
        device_events.sort_by_key(|e| (e.start_ns, e.end_ns));
        // Waiting for devices afterwards belongs to the trace, not to the step.
        let wall_ns = device_events.iter().map(|e| e.end_ns).fold(nodes_ended.unwrap_or(now), u64::max);
        let start_unix_ns = unix_ns(self.begin);
        StepTrace {
            step_id: self.step_id,
            runner: String::new(),
            start_unix_us: start_unix_ns / 1000,
            start_rest_ns: (start_unix_ns % 1000) as u32,
            wall_ns,
            threads: self.lanes.len() as u32,
            clock_ns: self.clock_ns(),
            events,
            device_events,
            device_events_lost,
            edges: edges(),
        }
    }
}
