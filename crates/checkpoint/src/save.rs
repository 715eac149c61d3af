//! Saves many tensors: several threads checksum and write pieces of them, while written data is synced to disk.

use crate::codec::{Fault, encode};
use crate::disk::{Disk, DiskFile, System};
use crate::files::{Temporary, data_path, failed};
use crate::slice::Slice;
use crate::table::masked;
use crate::writer::{Entries, entry_of, place};
use levada_graph::{Error, Result, Shape, Tensor};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// Bytes that a thread writes at a time.
const PIECE: usize = 4 << 20;
/// Bytes after which written data is synced to disk.
const BATCH: usize = 64 << 20;

/// A tensor to save, or part of one.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name in the checkpoint.
    pub name: String,
    /// The full shape, and the part of it that this is; `None` for the whole.
    pub part: Option<(Shape, Slice)>,
    /// The elements.
    pub tensor: Tensor,
}

/// Options for saving.
pub struct SaveOptions {
    /// The file system to write to.
    pub disk: Arc<dyn Disk>,
    /// Threads that write; 0 for one per core, at most 4.
    pub threads: usize,
    /// Called with the size in bytes of each tensor when it is released after having been written.
    pub written: Option<Box<dyn Fn(usize) + Send + Sync>>,
}

impl Default for SaveOptions {
    fn default() -> SaveOptions {
        SaveOptions { disk: Arc::new(System), threads: 0, written: None }
    }
}

/// Saves tensors as the checkpoint with this prefix. Each is released as soon as it has been written. An existing
/// checkpoint stays until the new one is completely on disk. The files are identical to those of a
/// [`Writer`](crate::Writer).
///
/// # Errors
/// As [`Writer::add_slice`](crate::Writer::add_slice), and the errors of writing; an existing checkpoint is intact
/// then.
pub fn save(prefix: &Path, items: Vec<Item>, options: &SaveOptions) -> Result<()> {
    let mut entries = Entries::default();
    let mut keys = Vec::with_capacity(items.len());
    let mut pending = Vec::with_capacity(items.len());
    let mut end = 0;
    for item in items {
        let key = match &item.part {
            None => entries.whole(&item.name),
            Some((whole, slice)) => entries.part(&item.name, whole, slice, &item.tensor),
        }?;
        // The length of strings and variants is that of their encoding.
        let (size, crc32c) = match item.tensor.bytes() {
            Some(bytes) => (bytes.len() as u64, 0),
            None => encode(&item.tensor, false, &mut io::sink()).map_err(|fault| fault.of(&item.name, prefix))?,
        };
        entries.0.insert(key.clone(), entry_of(&item.tensor, end, size, crc32c));
        keys.push(key);
        pending.push(Pending::new(item, end, size as usize));
        end += size;
    }
    let (temporary, file) = Temporary::create(&options.disk, &data_path(prefix, 0, 1))?;
    let job = Job::new(pending, &*file, options);
    job.run(if options.threads == 0 { cores().min(4) } else { options.threads }, prefix)?;
    file.sync().map_err(|e| failed(prefix, &e))?;
    for (key, item) in keys.iter().zip(&job.items) {
        if let (Some(crc32c), Some(entry)) = (item.sum(), entries.0.get_mut(key)) {
            entry.crc32c = crc32c;
        }
    }
    drop(job);
    drop(file);
    place(&options.disk, prefix, temporary, false, &entries)
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A tensor that is being written.
struct Pending {
    name: String,
    /// The tensor, until all of it has been written, and the checksums of its pieces.
    state: Mutex<(Option<Tensor>, Vec<Option<u32>>)>,
    offset: u64,
    size: usize,
    /// Bytes that its elements take in memory.
    held: usize,
    /// True if the bytes in memory are identical to those in the file.
    is_plain: bool,
}

impl Pending {
    fn new(item: Item, offset: u64, size: usize) -> Pending {
        let is_plain = item.tensor.bytes().is_some();
        let pieces = if is_plain { size.div_ceil(PIECE).max(1) } else { 1 };
        let held = item.tensor.num_bytes();
        let state = Mutex::new((Some(item.tensor), vec![None; pieces]));
        Pending { name: item.name, state, offset, size, held, is_plain }
    }

    fn pieces(&self) -> usize {
        self.lock().1.len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (Option<Tensor>, Vec<Option<u32>>)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a piece; returns its size.
    fn write(&self, piece: usize, file: &dyn DiskFile, written: &dyn Fn(usize)) -> Result<usize, Fault> {
        let tensor = self.lock().0.clone().ok_or_else(|| Error::internal("a tensor was written twice"))?;
        let (sum, size) = match tensor.bytes() {
            Some(bytes) => {
                let start = piece * PIECE;
                let bytes = &bytes[start..bytes.len().min(start + PIECE)];
                file.write_at(bytes, self.offset + start as u64)?;
                (crc32c::crc32c(bytes), bytes.len())
            }
            None => {
                let mut out = At { file, offset: self.offset };
                let mut out = io::BufWriter::with_capacity(1 << 20, &mut out);
                let (_, sum) = encode(&tensor, false, &mut out)?;
                io::Write::flush(&mut out)?;
                (sum, self.size)
            }
        };
        drop(tensor);
        let mut state = self.lock();
        state.1[piece] = Some(sum);
        if state.1.iter().all(Option::is_some) {
            // The variable owns it exclusively again.
            let tensor = state.0.take();
            drop(state);
            drop(tensor);
            written(self.held);
        }
        Ok(size)
    }

    /// The checksum of a tensor that was written in pieces.
    fn sum(&self) -> Option<u32> {
        if !self.is_plain {
            return None;
        }
        let state = self.lock();
        let sizes = (0..).map(|i| PIECE.min(self.size.saturating_sub(i * PIECE)));
        let sum = state
            .1
            .iter()
            .zip(sizes)
            .try_fold(0, |sum, (piece, size)| Some(crc32c::crc32c_combine(sum, (*piece)?, size)))?;
        Some(masked(sum))
    }
}

/// Writes to a file from an offset on.
struct At<'a> {
    file: &'a dyn DiskFile,
    offset: u64,
}

impl io::Write for At<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_at(bytes, self.offset)?;
        self.offset += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The state that the threads share.
struct Job<'a> {
    items: Vec<Pending>,
    /// Item and piece, in the order of the file.
    pieces: Vec<(usize, usize)>,
    file: &'a dyn DiskFile,
    options: &'a SaveOptions,
    /// Number of the next piece. Each is taken once, in order.
    next: AtomicUsize,
    /// Set once a thread has failed, so that the others stop; its error is in `fault`.
    failed: AtomicBool,
    fault: Mutex<Option<(usize, Fault)>>,
    /// Bytes written since the last sync, and whether the writers are done. Protected by the lock, signalled by
    /// `grown`.
    unsynced: Mutex<(usize, bool)>,
    grown: Condvar,
}

impl<'a> Job<'a> {
    fn new(items: Vec<Pending>, file: &'a dyn DiskFile, options: &'a SaveOptions) -> Job<'a> {
        let of_item =
            |(i, item): (usize, &Pending)| (0..item.pieces()).map(move |piece| (i, piece)).collect::<Vec<_>>();
        let pieces = items.iter().enumerate().flat_map(of_item).collect();
        Job {
            items,
            pieces,
            file,
            options,
            next: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
            fault: Mutex::default(),
            unsynced: Mutex::default(),
            grown: Condvar::new(),
        }
    }

    fn run(&self, threads: usize, prefix: &Path) -> Result<()> {
        let total: usize = self.items.iter().map(|item| item.size).sum();
        thread::scope(|scope| {
            // Small amounts are synced at the end.
            let sync = || thread::Builder::new().spawn_scoped(scope, || self.sync()).ok();
            let syncing = (total > BATCH).then(sync).flatten();
            let threads = threads.min(total.div_ceil(PIECE)).max(1);
            // If no more threads can be started, this one does all the work.
            let write = |_| thread::Builder::new().spawn_scoped(scope, || self.write()).ok();
            let others: Vec<_> = (1..threads).filter_map(write).collect();
            self.write();
            others.into_iter().for_each(|other| drop(other.join()));
            self.unsynced.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
            self.grown.notify_all();
            drop(syncing.map(thread::ScopedJoinHandle::join));
        });
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).take();
        match fault {
            Some((item, fault)) => Err(fault.of(&self.items[item].name, prefix)),
            None if self.items.iter().any(|item| item.lock().0.is_some()) => {
                Err(Error::internal("a tensor was not written"))
            }
            None => Ok(()),
        }
    }

    /// Writes pieces until none is left.
    fn write(&self) {
        let written = |bytes| {
            if let Some(written) = &self.options.written {
                written(bytes);
            }
        };
        while !self.failed.load(Ordering::Relaxed) {
            let Some(&(item, piece)) = self.pieces.get(self.next.fetch_add(1, Ordering::Relaxed)) else { return };
            match self.items[item].write(piece, self.file, &written) {
                Ok(size) => {
                    let mut unsynced = self.unsynced.lock().unwrap_or_else(PoisonError::into_inner);
                    unsynced.0 += size;
                    if unsynced.0 >= BATCH {
                        self.grown.notify_all();
                    }
                }
                Err(fault) => self.fail(item, fault),
            }
        }
    }

    /// Syncs written data to disk, to keep the disk busy while there is more to write.
    fn sync(&self) {
        let mut unsynced = self.unsynced.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if unsynced.1 {
                return;
            }
            if unsynced.0 < BATCH {
                unsynced = self.grown.wait(unsynced).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            unsynced.0 = 0;
            drop(unsynced);
            if let Err(error) = self.file.sync() {
                return self.fail(0, error.into());
            }
            unsynced = self.unsynced.lock().unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn fail(&self, item: usize, fault: Fault) {
        self.failed.store(true, Ordering::Relaxed);
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert((item, fault));
    }
}
