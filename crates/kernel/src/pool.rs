//! The threads of a session: one rayon pool of exactly the configured size, used by the executor for nodes and by
//! kernels for loops.

use crate::divided;
use crate::lane;
use crate::resources::Scope;
use crate::share::Share;
use crate::subnormals;
use levada_graph::{Error, Result};
use levada_trace::Workers;
use parking_lot::Mutex;
use rayon::prelude::*;
use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Work below this many nanoseconds is not worth handing to another thread.
const WORTH_SPLITTING: usize = 40_000;

/// The same for a worker that is awake: [`WARM`].
const WORTH_HELP: f64 = 12_000.0;

/// Work of more nanoseconds than this is cut into pieces, with a check before each of them whether its run is over.
const LOOK_AFTER: f64 = 2e7;

/// Nanoseconds of such a piece.
const LOOK_EVERY: f64 = 5e6;

/// How long a worker that has helped a caller looks for more work before it sleeps: waking one takes as long as a small
/// product, and the pause between two products of a step is mostly short.
const WARM: Duration = Duration::from_micros(50);

/// Work of fewer nanoseconds than this is done by its caller alone while the workers have jobs of their own: waking a
/// worker, and the caller afterwards, takes as long.
const ALONE: f64 = 100_000.0;

/// Work of fewer nanoseconds than this is shared between its caller and workers even if these have had jobs a short
/// time ago.
const BRIEF: f64 = 400_000.0;

/// How long after a job more jobs are expected.
const QUIET: Duration = Duration::from_millis(100);

/// Workers of all pools of the process.
static WORKERS: AtomicUsize = AtomicUsize::new(0);

/// The number of threads of the process that are not workers of any pool; `None` if the system does not report it, and
/// while workers start or end.
pub fn threads_besides() -> Option<usize> {
    if levada_sync::MODELED {
        return None;
    }
    let workers = WORKERS.load(Ordering::SeqCst);
    // A worker exists before it is counted and still exists after it is uncounted, so the only possible error is to
    // count it as another thread.
    let threads = std::fs::read_dir("/proc/self/task").ok()?.count();
    (workers == WORKERS.load(Ordering::SeqCst)).then(|| threads.saturating_sub(workers))
}

/// A pool of worker threads, started when they are first needed.
pub struct Pool {
    threads: usize,
    /// The number of threads that work is divided for.
    shares: usize,
    pool: OnceLock<Option<rayon::ThreadPool>>,
    #[cfg(any(loom, shuttle))]
    workers: model::Workers,
    /// Jobs in the order they came. Rayon would run what a worker spawns before jobs from elsewhere, so that a few jobs
    /// that spawn each other could starve all others: rayon only sees tokens, each of which runs the oldest job.
    jobs: Arc<Mutex<Jobs>>,
    /// How long the workers have been busy, if that is measured.
    load: Option<Arc<Load>>,
    /// How many threads may work.
    share: Arc<Share>,
    warm: Arc<Warm>,
}

#[derive(Default)]
struct Jobs {
    waiting: VecDeque<Job>,
    /// Number of workers' calls that are running jobs.
    running: usize,
    /// Jobs left to the workers that are running jobs; no other worker will come for them.
    left: usize,
    /// When the last job came.
    last: Option<Instant>,
}

type Job = Box<dyn FnOnce() + Send>;

/// How long the workers of a pool were busy.
#[derive(Default)]
struct Load {
    /// Nanoseconds, of all workers together. Relaxed: a sum.
    busy: AtomicU64,
    /// When the first work began, and when the last ended.
    span: Mutex<Option<(Instant, Instant)>>,
}

thread_local! {
    /// True while this worker's time is counted.
    static COUNTED: Cell<bool> = const { Cell::new(false) };
}

impl Load {
    /// Runs work of a worker and counts its time, but not again when it is nested in other work.
    fn count<R>(&self, work: impl FnOnce() -> R) -> R {
        struct Counted<'a>(&'a Load, Instant);
        impl Drop for Counted<'_> {
            fn drop(&mut self) {
                let (Counted(load, begin), end) = (&*self, Instant::now());
                load.busy.fetch_add((end - *begin).as_nanos() as u64, Ordering::Relaxed);
                let mut span = load.span.lock();
                *span = Some(span.map_or((*begin, end), |(first, last)| (first.min(*begin), last.max(end))));
                COUNTED.set(false);
            }
        }
        if COUNTED.replace(true) {
            return work();
        }
        let _counted = Counted(self, Instant::now());
        work()
    }
}

thread_local! {
    /// True while this worker does something that others may wait for, or looks for such work.
    static BUSY: Cell<bool> = const { Cell::new(false) };
}

/// Does work with this thread marked as busy.
fn busy<R>(work: impl FnOnce() -> R) -> R {
    struct Busy(bool);
    impl Drop for Busy {
        fn drop(&mut self) {
            BUSY.set(self.0);
        }
    }
    let _busy = Busy(BUSY.replace(true));
    work()
}

/// Workers that have helped a caller and look for a while whether another caller needs help.
struct Warm {
    /// Workers that are looking and are not yet reserved by a caller.
    looking: AtomicUsize,
    /// A job for each worker that a caller has reserved.
    help: Mutex<VecDeque<Job>>,
    began: Instant,
    /// When a caller last had work for a warm worker, in nanoseconds after `began`, and in the lowest bits, which one.
    /// Relaxed, as the next: a wrong time is slow, and does no other harm.
    wanted: AtomicU64,
    /// When that was last another caller than before.
    changed: AtomicU64,
}

/// Bits that tell callers apart.
const CALLER: u32 = 16;
/// How long after several callers had work each does its own: together they keep the processors busy.
const CROWDED: Duration = Duration::from_millis(1);

impl Default for Warm {
    fn default() -> Warm {
        let (looking, help) = (AtomicUsize::default(), Mutex::default());
        Warm { looking, help, began: Instant::now(), wanted: AtomicU64::new(0), changed: AtomicU64::new(0) }
    }
}

impl Warm {
    /// True if a caller may expect help within a microsecond or so, now or for the next work of this size: a worker is
    /// looking, or was wanted so shortly before that it would be if it had been called then.
    fn is_expected(&self) -> bool {
        let caller = levada_sync::this_thread() & ((1 << CALLER) - 1);
        let now = self.began.elapsed().as_nanos() as u64;
        let before = self.wanted.swap(now << CALLER | caller, Ordering::Relaxed);
        let since = now.saturating_sub(before >> CALLER);
        let crowded = CROWDED.as_nanos() as u64;
        if before & ((1 << CALLER) - 1) != caller && since < crowded {
            self.changed.store(now, Ordering::Relaxed);
        }
        now.saturating_sub(self.changed.load(Ordering::Relaxed)) >= crowded
            && (self.looking.load(Ordering::Relaxed) > 0 || since < WARM.as_nanos() as u64)
    }

    /// Gives a job to a worker that is looking for one; returns it if there is no such worker.
    fn give(&self, job: Job) -> std::result::Result<(), Job> {
        let one_less = |looking: usize| looking.checked_sub(1);
        match self.looking.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less) {
            Ok(_) => {
                self.help.lock().push_back(job);
                Ok(())
            }
            Err(_) => Err(job),
        }
    }

    /// Does a job, and others that come within [`WARM`] if this worker has nothing else to do.
    fn work(&self, job: Job) {
        if BUSY.get() {
            return job();
        }
        busy(|| {
            let mut next = Some(job);
            while let Some(job) = next {
                job();
                next = self.look();
            }
        });
    }

    fn look(&self) -> Option<Job> {
        self.looking.fetch_add(1, Ordering::Relaxed);
        let since = Instant::now();
        loop {
            if let Some(job) = self.help.lock().pop_front() {
                return Some(job);
            }
            let one_less = |looking: usize| looking.checked_sub(1);
            // If it cannot stop looking, a caller has reserved it and brings a job.
            if since.elapsed() >= WARM
                && self.looking.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
            {
                return None;
            }
            std::thread::yield_now();
        }
    }
}

/// Runs the oldest job, unless the maximum number of workers are running jobs; then one of them runs it after its own.
fn run_next(jobs: &Mutex<Jobs>, load: Option<&Load>, share: &Share, threads: usize) {
    thread_local! {
        /// True while this worker runs a job.
        static RUNS: Cell<bool> = const { Cell::new(false) };
    }
    let mut all = jobs.lock();
    let most = share.of(threads);
    if most < threads && all.running >= most {
        all.left += 1;
        return;
    }
    all.running += 1;
    let is_inside = RUNS.replace(true);
    while let Some(job) = all.waiting.pop_front() {
        drop(all);
        busy(|| match load {
            Some(load) => load.count(job),
            None => job(),
        });
        all = jobs.lock();
        // Rayon has brought a worker here that waits inside a job: that worker takes what is left after its job.
        if is_inside || all.left == 0 {
            break;
        }
        all.left -= 1;
    }
    RUNS.set(is_inside);
    all.running -= 1;
}

impl Pool {
    /// A pool of `threads` workers; 0 for one per core.
    pub fn new(threads: usize) -> Pool {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores() } else { threads };
        Pool {
            threads,
            shares: threads,
            pool: OnceLock::new(),
            #[cfg(any(loom, shuttle))]
            workers: model::Workers::default(),
            jobs: Arc::default(),
            load: None,
            share: Arc::default(),
            warm: Arc::default(),
        }
    }

    /// Limits the pool to the session's share of the processors: [`share`](crate::share).
    pub fn limited(self) -> Pool {
        Pool { share: Arc::new(Share::limited()), ..self }
    }

    /// The session's share of the processors.
    pub fn share(&self) -> &Share {
        &self.share
    }

    /// The number of workers that may work now.
    #[inline]
    pub fn free(&self) -> usize {
        self.share.of(self.threads)
    }

    /// As [`Pool::new`]; the pool measures how long its workers are busy.
    pub fn watched(threads: usize) -> Pool {
        Pool { load: Some(Arc::default()), ..Pool::new(threads) }
    }

    /// The pool, with work divided as for `threads` workers; 0 for as many as it has. The division of work determines
    /// the order of additions, so results have the same bits on any number of workers.
    pub fn divided_for(self, threads: usize) -> Pool {
        Pool { shares: if threads == 0 { self.threads } else { threads }, ..self }
    }

    /// What its workers have done since the first of them had work, if the pool was made by [`Pool::watched`].
    pub fn workers(&self) -> Option<Workers> {
        let load = self.load.as_ref()?;
        let span = load.span.lock().map_or(Duration::ZERO, |(first, last)| last - first);
        Some(Workers {
            threads: self.threads as u32,
            cores: std::thread::available_parallelism().map_or(1, usize::from) as u32,
            span_ns: span.as_nanos() as u64,
            busy_ns: load.busy.load(Ordering::Relaxed),
        })
    }

    /// Number of workers.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The number of threads that kernels divide work for, usually that of the workers.
    pub fn shares(&self) -> usize {
        self.shares
    }

    fn rayon(&self) -> Option<&rayon::ThreadPool> {
        self.pool
            .get_or_init(|| {
                let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
                let builder = builder.start_handler(|_| {
                    WORKERS.fetch_add(1, Ordering::SeqCst);
                    std::mem::forget(subnormals::flush());
                });
                let builder = builder.exit_handler(|_| {
                    WORKERS.fetch_sub(1, Ordering::SeqCst);
                });
                builder.thread_name(|i| format!("levada-{i}")).build().ok()
            })
            .as_ref()
    }

    /// Runs `job` on a worker after those that came before. It must not block.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if the system cannot start threads; `job` is dropped.
    pub fn spawn(&self, job: impl FnOnce() + Send + 'static) -> Result<()> {
        #[cfg(any(loom, shuttle))]
        if levada_sync::MODELED {
            self.workers.spawn(self.threads, Box::new(job));
            return Ok(());
        }
        match self.rayon() {
            Some(pool) => {
                let mut all = self.jobs.lock();
                all.waiting.push_back(Box::new(job));
                all.last = Some(Instant::now());
                drop(all);
                let (jobs, load, share, threads) =
                    (self.jobs.clone(), self.load.clone(), self.share.clone(), self.threads);
                pool.spawn(move || run_next(&jobs, load.as_deref(), &share, threads));
                Ok(())
            }
            None => Err(Error::resource_exhausted(format!("cannot start {} threads", self.threads))),
        }
    }

    /// Runs the oldest job on this thread, as rayon may do while a kernel waits here for pieces of its work; false if
    /// there is none.
    #[cfg(any(loom, shuttle))]
    pub fn work_meanwhile(&self) -> bool {
        self.workers.work_once()
    }

    /// Number of this thread among the workers; `None` on other threads.
    pub fn worker(&self) -> Option<usize> {
        self.pool.get()?.as_ref()?.current_thread_index()
    }

    /// Runs `job` so that rayon's parallel iterators inside it use this pool. If work is divided for one thread, it
    /// runs on the calling thread, and the kernel should not split at all: see [`Pool::parts`].
    pub fn install<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        match if self.threads.max(self.shares) > 1 && !levada_sync::MODELED { self.rayon() } else { None } {
            Some(pool) => pool.install(job),
            None => job(),
        }
    }

    /// How many parts to split `items` pieces of work of `nanos` nanoseconds each into: 1 if splitting is not worth it.
    pub fn parts(&self, items: usize, nanos: f64) -> usize {
        let total = (items as f64 * nanos) as usize;
        if self.shares == 1 || total < WORTH_SPLITTING {
            return 1;
        }
        (total / (WORTH_SPLITTING / 2)).min(self.shares * 4).min(items).max(1)
    }

    /// Calls `f` with every number below `parts`, in parallel; the work takes `nanos` nanoseconds in total. Not
    /// generic, so that rayon is compiled once and not for every kernel.
    fn for_parts(&self, parts: usize, nanos: f64, f: &(dyn Fn(usize) + Sync)) {
        let part = |p| match &self.load {
            // A caller that works in the pool counts as one of its workers meanwhile.
            Some(load) => load.count(|| f(p)),
            None => f(p),
        };
        // If the pool has no threads, the work is not left to rayon's global pool, whose threads the system may refuse
        // as well.
        let is_alone = || !levada_sync::MODELED && self.rayon().is_none();
        match self.free() {
            1 => (0..parts).for_each(part),
            _ if nanos < WORTH_SPLITTING as f64 && !self.has_help() => (0..parts).for_each(part),
            _ if is_alone() => (0..parts).for_each(part),
            free if free < self.threads => {
                let next = AtomicUsize::new(0);
                let take = || next.fetch_add(1, Ordering::Relaxed);
                let work = |_| std::iter::repeat_with(take).take_while(|&p| p < parts).for_each(part);
                self.install(|| (0..free).into_par_iter().with_max_len(1).for_each(work));
            }
            free => {
                let pool = self.pool.get().and_then(Option::as_ref);
                match (self.done_by(nanos, free), pool) {
                    (DoneBy::Caller, _) => (0..parts).for_each(part),
                    (DoneBy::CallerWithHelp, Some(pool)) => {
                        self.with_help(pool, parts, free.min(parts).saturating_sub(1), &part);
                    }
                    _ => self.install(|| (0..parts).into_par_iter().with_max_len(1).for_each(|p| busy(|| part(p)))),
                }
            }
        }
    }

    /// Chooses who does work of `nanos` nanoseconds when `free` workers may work. If the workers have jobs, a caller
    /// that works as well is one thread too many, and if they have jobs now and then, the system is slow to move
    /// threads between processors: that takes longer than brief work. If they have none, the caller works however long
    /// the work takes: a step that leaves some of its work to workers has one thread more than processors, and the
    /// system may keep two of them on one processor for milliseconds.
    fn done_by(&self, nanos: f64, free: usize) -> DoneBy {
        if self.worker().is_some() {
            return DoneBy::Workers;
        }
        let jobs = self.jobs.lock();
        let is_quiet = || jobs.last.is_none_or(|last| last.elapsed() > QUIET);
        match jobs.running {
            0 if nanos < BRIEF || is_quiet() => DoneBy::CallerWithHelp,
            running if nanos < ALONE && running + 1 >= free => DoneBy::Caller,
            _ => DoneBy::Workers,
        }
    }

    /// Calls `f` with ranges that cover `0..items`, in parallel if it is worth it. `nanos`: cost of one item.
    #[inline]
    pub fn for_ranges(&self, items: usize, nanos: f64, f: impl Fn(Range<usize>) + Sync + Send) {
        self.ranges(items, nanos, &f);
    }

    /// As [`Pool::for_ranges`], compiled once for all kernels.
    fn ranges(&self, items: usize, nanos: f64, f: &(dyn Fn(Range<usize>) + Sync)) {
        let (parts, scope) = self.pieces(items, nanos);
        match parts {
            1 => f(0..items),
            parts => {
                let size = items.div_ceil(parts);
                self.for_pieces(parts, items as f64 * nanos, scope.as_deref(), &|p| {
                    f((p * size).min(items)..((p + 1) * size).min(items));
                });
            }
        }
    }

    /// The number of pieces to cut work into, and for long work the scope of the run that it belongs to.
    fn pieces(&self, items: usize, nanos: f64) -> (usize, Option<Arc<Scope>>) {
        let total = items as f64 * nanos;
        let parts = match self.parts(items, nanos) {
            // The same pieces whether or not there is help: some kernels' results depend on them.
            1 if total >= WORTH_HELP => ((total / WORTH_HELP * 2.0) as usize).min(self.shares),
            parts => parts,
        };
        let parts = parts.min(items).max(1);
        match if total > LOOK_AFTER { lane::scope_of_work() } else { None } {
            None => (parts, None),
            scope => (parts.max((total / LOOK_EVERY) as usize).min(items).max(1), scope),
        }
    }

    /// True if this thread gets help with work that is not worth waking a worker for.
    fn has_help(&self) -> bool {
        !levada_sync::MODELED && self.worker().is_none() && self.warm.is_expected()
    }

    /// Calls `f` with every number below `pieces`, until the run is over. Skipped pieces do not matter then, since the
    /// run fails: [`Scope::was_cut`].
    fn for_pieces(&self, pieces: usize, nanos: f64, scope: Option<&Scope>, f: &(dyn Fn(usize) + Sync)) {
        let unless_over = |p| {
            if scope.is_none_or(Scope::goes_on) {
                f(p);
            }
        };
        match self.threads {
            1 => (0..pieces).for_each(unless_over),
            _ => self.for_parts(pieces, nanos, &unless_over),
        }
    }

    /// Calls `f` with consecutive pieces of `out` and the number of each piece's first item, in parallel if it is worth
    /// it. An item is `width` elements; pieces are whole items. `nanos`: cost of one item.
    #[inline]
    pub fn for_chunks<T: Send>(
        &self,
        out: &mut [T],
        width: usize,
        nanos: f64,
        f: impl Fn(usize, &mut [T]) + Sync + Send,
    ) {
        self.chunks(out, width, nanos, &f);
    }

    /// Calls `f` with each of the items, in parallel if it is worth it. `nanos`: cost of one item. Unlike in the loops
    /// above, the caller may hold locks: it waits only for items that other threads have begun, and those threads do
    /// nothing else before they have finished them.
    pub fn for_each<T: Send>(&self, items: impl IntoIterator<Item = T>, nanos: f64, f: impl Fn(T) + Sync + Send) {
        // Each lock is taken once, by the thread that does the item.
        let items: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
        let parts = self.parts(items.len(), nanos);
        let size = items.len().div_ceil(parts).max(1);
        self.by_caller(items.len().div_ceil(size), &|p| {
            let part = items.iter().skip(p * size).take(size);
            part.filter_map(|item| item.lock().take()).for_each(&f);
        });
    }

    /// Calls `f` with every number below `parts`, on this thread and on workers that come in time.
    fn by_caller(&self, parts: usize, f: &(dyn Fn(usize) + Sync)) {
        let part = |p| match &self.load {
            Some(load) => load.count(|| f(p)),
            None => f(p),
        };
        let helpers = self.free().min(parts).saturating_sub(1);
        match if helpers > 0 && !levada_sync::MODELED { self.rayon() } else { None } {
            Some(pool) => self.with_help(pool, parts, helpers, &part),
            None => (0..parts).for_each(part),
        }
    }

    /// As [`Pool::by_caller`], with the help of `helpers` workers.
    fn with_help(&self, pool: &rayon::ThreadPool, parts: usize, helpers: usize, part: &(dyn Fn(usize) + Sync)) {
        divided::run(parts, helpers, part, |help| {
            if let Err(help) = self.warm.give(help) {
                let warm = self.warm.clone();
                pool.spawn(move || warm.work(help));
            }
        });
    }

    /// As [`Pool::for_chunks`], compiled once for each type of elements rather than for each kernel.
    fn chunks<T: Send>(&self, out: &mut [T], width: usize, nanos: f64, f: &(dyn Fn(usize, &mut [T]) + Sync)) {
        if out.is_empty() || width == 0 {
            return;
        }
        let items = out.len() / width;
        let (parts, scope) = self.pieces(items, nanos);
        match parts {
            1 => f(0, out),
            parts => {
                let size = items.div_ceil(parts);
                // Each lock is taken once, by the part that owns the piece.
                let pieces: Vec<Mutex<&mut [T]>> = out.chunks_mut(size * width).map(Mutex::new).collect();
                let nanos = items as f64 * nanos;
                self.for_pieces(pieces.len(), nanos, scope.as_deref(), &|p| f(p * size, &mut pieces[p].lock()));
            }
        }
    }
}

/// Who does divided work.
enum DoneBy {
    /// The calling thread.
    Caller,
    /// The calling thread, with the workers that come in time.
    CallerWithHelp,
    /// Workers, while the caller waits unless it is one.
    Workers,
}

/// The threads that a model checker runs.
#[cfg(any(loom, shuttle))]
mod model {
    use super::Job;
    use levada_sync::{Mutex, thread};
    use std::collections::VecDeque;
    use std::sync::Arc;

    /// The stack size of a thread, in words: steps need more than the default of model threads.
    const STACK: usize = 1 << 16;

    /// Threads that end when there is nothing left to do.
    #[derive(Default)]
    pub(super) struct Workers(Arc<Mutex<State>>);

    #[derive(Default)]
    struct State {
        jobs: VecDeque<Job>,
        running: usize,
    }

    impl Workers {
        pub(super) fn work_once(&self) -> bool {
            let job = self.0.lock().jobs.pop_front();
            job.map(|job| job()).is_some()
        }

        pub(super) fn spawn(&self, most: usize, job: Job) {
            let mut state = self.0.lock();
            state.jobs.push_back(job);
            if state.running == most {
                return;
            }
            state.running += 1;
            drop(state);
            let state = self.0.clone();
            let work = move || {
                loop {
                    let mut state = state.lock();
                    let Some(job) = state.jobs.pop_front() else {
                        state.running -= 1;
                        return;
                    };
                    drop(state);
                    job();
                }
            };
            thread::Builder::new().stack_size(STACK).spawn(work).expect("a model starts threads");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::CancelToken;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_item_is_visited_once() {
        for threads in [1, 2, 8] {
            let pool = Pool::new(threads);
            let mut out = vec![0usize; 3 * 10_001];
            pool.for_chunks(&mut out, 3, 1000.0, |first, piece| {
                piece.iter_mut().enumerate().for_each(|(i, o)| *o += first * 3 + i + 1);
            });
            assert!(out.iter().enumerate().all(|(i, &o)| o == i + 1));
        }
    }

    #[test]
    fn help_is_expected_by_one_caller_at_a_time() {
        let warm = Warm::default();
        std::thread::sleep(2 * CROWDED);
        // Nothing was wanted before; the system may delay this thread.
        warm.is_expected();
        assert!((0..1000).any(|_| warm.is_expected()));
        std::thread::scope(|scope| scope.spawn(|| warm.is_expected()).join().unwrap());
        let since = Instant::now();
        let expected = warm.is_expected();
        assert!(!expected || since.elapsed() > CROWDED / 2);
        std::thread::sleep(2 * CROWDED);
        warm.is_expected();
        assert!((0..1000).any(|_| warm.is_expected()));
    }

    #[test]
    fn work_is_divided_by_what_it_is_divided_for() {
        let ranges = |pool: Pool| {
            let found = Mutex::new(Vec::new());
            pool.for_ranges(10_001, 1000.0, |range| found.lock().push((range.start, range.end)));
            let mut found = found.into_inner();
            found.sort_unstable();
            found
        };
        let of_four = ranges(Pool::new(4));
        assert!(of_four.len() > 4 && ranges(Pool::new(1)).len() == 1);
        for threads in [1, 2, 8] {
            assert_eq!(ranges(Pool::new(threads).divided_for(4)), of_four);
            assert_eq!(ranges(Pool::new(threads).divided_for(1)).len(), 1);
            assert_eq!(Pool::new(threads).divided_for(0).shares(), threads);
        }
        let workers =
            Pool::new(1).divided_for(4).install(|| (0..64).into_par_iter().map(|_| rayon::current_num_threads()).max());
        assert_eq!(workers, Some(1));
    }

    #[test]
    fn a_watched_pool_knows_how_long_its_workers_had_work() {
        let pool = Pool::watched(2);
        assert_eq!(pool.workers().unwrap().busy_ns, 0);
        let (done, wait) = std::sync::mpsc::channel();
        let (first, begin) = (done.clone(), Instant::now());
        let work = move || {
            std::thread::sleep(Duration::from_millis(20));
            first.send(()).unwrap();
        };
        pool.spawn(work.clone()).unwrap();
        pool.spawn(work).unwrap();
        (0..2).for_each(|_| wait.recv().unwrap());
        // Counted once they have ended.
        while pool.workers().unwrap().busy_ns < 40_000_000 {
            std::thread::yield_now();
        }
        let workers = pool.workers().unwrap();
        assert!(workers.threads == 2 && workers.span_ns >= 20_000_000, "{workers:?}");
        assert!(u128::from(workers.busy_ns) <= 2 * begin.elapsed().as_nanos(), "{workers:?}");
        assert!(Pool::new(1).workers().is_none());
    }

    #[test]
    fn long_work_of_a_run_that_is_over_is_cut_short() {
        for threads in [1, 4] {
            let (pool, token) = (Pool::new(threads), CancelToken::new());
            let scope = Arc::new(Scope::of_run(None, None, &token));
            let _entered = lane::enter(Some(scope.clone()));
            let done = AtomicUsize::new(0);
            let work = |cancel: bool| {
                pool.for_ranges(1000, 1e6, |range| {
                    if cancel {
                        token.cancel();
                    }
                    done.fetch_add(range.len(), Ordering::Relaxed);
                });
                done.swap(0, Ordering::Relaxed)
            };
            assert_eq!((work(false), scope.was_cut()), (1000, false));
            assert!(work(true) < 1000 && scope.was_cut());
            let _whole = lane::whole();
            assert_eq!(work(true), 1000);
        }
    }
}
