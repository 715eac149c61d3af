//! Ctrl-C and SIGTERM: the first ends a run after the current step, the second immediately.

use crate::term;
use levada::{CancelToken, Error, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Exit code of a run that was interrupted: 128 and the number of SIGINT, as shells have it.
pub const INTERRUPTED: u8 = 130;
/// How long the current step may take after an interrupt; then it is cancelled, since it may wait forever.
const GRACE: Duration = Duration::from_secs(2);
/// Polling interval for interrupts.
const ATTENTION: Duration = Duration::from_millis(50);

/// Whether there was an interrupt. Atomics without locks: signal handlers set them.
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    done: Arc<AtomicBool>,
    cancel: CancelToken,
}

impl Interrupt {
    /// Handles interrupts until the returned value is dropped.
    ///
    /// # Errors
    /// If the system does not allow it, or has no thread for it.
    pub fn listen() -> Result<Interrupt> {
        let (asked, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag clear and sets it, the second finds it set.
            flag::register_conditional_shutdown(signal, i32::from(INTERRUPTED), asked.clone())
                .and_then(|_| flag::register(signal, asked.clone()))
                .map_err(|e| Error::internal(format!("signals cannot be handled: {e}")))?;
        }
        let cancel = CancelToken::new();
        let watch = (asked.clone(), done.clone(), cancel.clone());
        let listens = move || {
            let (asked, done, cancel) = watch;
            while !asked.load(Ordering::Relaxed) {
                if done.load(Ordering::Relaxed) {
                    return;
                }
                std::thread::sleep(ATTENTION);
            }
            term::note("\ninterrupted: the run ends after the current step; interrupt again to end it immediately\n");
            std::thread::sleep(GRACE);
            cancel.cancel_with(Error::cancelled("the run was interrupted"));
        };
        let thread = std::thread::Builder::new().name("levada-interrupt".to_owned()).spawn(listens);
        thread.map_err(|e| Error::resource_exhausted(format!("cannot start a thread that waits for signals: {e}")))?;
        Ok(Interrupt { asked, done, cancel })
    }

    /// True once the run should end.
    pub fn asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Cancelled some time after the interrupt.
    pub fn token(&self) -> CancelToken {
        self.cancel.clone()
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}
