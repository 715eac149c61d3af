//! When the device did its work in traced steps: events before and after each piece of work, whose times are read by a
//! separate thread, so that nothing else waits for them.

use cudarc::driver::sys::CUevent_flags::{CU_EVENT_BLOCKING_SYNC, CU_EVENT_DEFAULT};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, DriverError};
use levada_gpu::{Clock, Tracks};
use levada_trace::Stamp;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How long times are measured from the same event: the driver returns them in milliseconds as float32.
const BASE_LASTS: Duration = Duration::from_secs(1);

/// Maximum number of readings of the device's clock until it is known well enough, and the required precision.
const READINGS: usize = 8;
const WELL_KNOWN_NS: f64 = 5_000.0;

/// Times of one device.
pub(crate) struct Times {
    context: Arc<CudaContext>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    clock: Clock,
    base: Option<Arc<Base>>,
    /// A stream without work, for reading the clock.
    idle: Option<Arc<CudaStream>>,
    /// The channel to the thread that waits for the ends of work. The thread ends with it.
    thread: Option<Sender<Timed>>,
}

/// An event that times are measured from.
struct Base {
    event: CudaEvent,
    /// Its own time, in nanoseconds since the first base.
    at: f64,
    made: Instant,
}

impl Base {
    /// Nanoseconds since the first base.
    fn time(&self, event: &CudaEvent) -> Result<f64, DriverError> {
        Ok(self.at + f64::from(self.event.elapsed_ms(event)?) * 1e6)
    }
}

/// Work whose start was marked.
pub(crate) struct Begun {
    stamp: Stamp,
    base: Arc<Base>,
    queued: Instant,
    start: CudaEvent,
}

impl Begun {
    /// Discards this: the work was not queued after all.
    pub(crate) fn forget(self) {
        self.stamp.forget();
    }
}

struct Timed {
    begun: Begun,
    end: CudaEvent,
}

impl Times {
    pub(crate) fn new(context: Arc<CudaContext>) -> Times {
        Times { context, state: Arc::default() }
    }

    /// Calibrates the device's clock if needed: in traced steps, once in a while. Waits for an idle stream.
    pub(crate) fn look_at_clock(&self) {
        if Tracks::is_traced() {
            // Without it stamps are dropped, and the trace reports that.
            let _ = self.calibrate(&mut self.state.lock());
        }
    }

    fn calibrate(&self, state: &mut State) -> Result<(), DriverError> {
        let stale = state.base.as_ref().is_none_or(|base| base.made.elapsed() > BASE_LASTS);
        if !stale && state.clock.is_known(f64::INFINITY) {
            return Ok(());
        }
        let idle = match &state.idle {
            Some(idle) => idle.clone(),
            None => state.idle.insert(self.context.new_stream()?).clone(),
        };
        for i in 0..READINGS {
            let before = Instant::now();
            let event = idle.record_event(Some(CU_EVENT_DEFAULT))?;
            event.synchronize()?;
            let after = Instant::now();
            let time = state.base.as_ref().map_or(Ok(0.0), |base| base.time(&event))?;
            state.clock.observe(before, time, time, after);
            if i == 0 && stale {
                state.base = Some(Arc::new(Base { event, at: time, made: before }));
            }
            if state.clock.is_known(WELL_KNOWN_NS) {
                break;
            }
        }
        Ok(())
    }

    /// Marks the start of work that is queued next in `stream`, for which there is a stamp in traced steps.
    #[inline]
    pub(crate) fn begin(&self, stream: &CudaStream, stamp: Option<Stamp>) -> Option<Begun> {
        let stamp = stamp?;
        let base = self.state.lock().base.clone()?;
        let queued = Instant::now();
        let start = stream.record_event(Some(CU_EVENT_BLOCKING_SYNC)).ok()?;
        Some(Begun { stamp, base, queued, start })
    }

    /// Marks the end of work that was queued in `stream` after [`Times::begin`].
    #[inline]
    pub(crate) fn end(&self, stream: &CudaStream, begun: Option<Begun>) {
        let Some(begun) = begun else { return };
        let Ok(end) = stream.record_event(Some(CU_EVENT_BLOCKING_SYNC)) else { return };
        let mut state = self.state.lock();
        if state.thread.is_none() {
            let (send, receive) = channel();
            let known = self.state.clone();
            let wait = move || tell(&known, receive);
            if std::thread::Builder::new().name("cuda-times".to_owned()).spawn(wait).is_err() {
                return;
            }
            state.thread = Some(send);
        }
        if let Some(thread) = &state.thread {
            let _ = thread.send(Timed { begun, end });
        }
    }
}

impl Drop for Times {
    fn drop(&mut self) {
        self.state.lock().thread = None;
    }
}

/// Waits for the end of each piece of work and reports its times. A stamp without times is dropped, and is not waited
/// for.
fn tell(state: &Mutex<State>, work: Receiver<Timed>) {
    for Timed { begun, end } in work {
        let Begun { stamp, base, queued, start } = begun;
        if end.synchronize().is_err() {
            continue;
        }
        let seen = Instant::now();
        let (Ok(first), Ok(last)) = (base.time(&start), base.time(&end)) else { continue };
        let mut state = state.lock();
        state.clock.observe(queued, first, last, seen);
        let times = stamp.track().and_then(|track| state.clock.times(track, first, last));
        drop(state);
        if let Some((start, end, error)) = times {
            stamp.ran(start, end, error);
        }
    }
}
