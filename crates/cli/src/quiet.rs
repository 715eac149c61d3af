//! Keeps the output of drivers and their loaders out of the command's own.

/// Looks for GPUs, once, with standard error closed to the messages of loaders and drivers: the devices show what was
/// found, and each backend says why it found nothing. `loud` leaves standard error open.
pub fn find_devices(loud: bool) {
    let silence = if loud { None } else { Silence::new() };
    levada::gpus::backends();
    drop(silence);
}

/// Redirects standard error to `/dev/null` until it is dropped.
#[cfg(unix)]
struct Silence {
    kept: std::os::fd::OwnedFd,
}

#[cfg(unix)]
impl Silence {
    /// `None` if the system does not allow it.
    fn new() -> Option<Silence> {
        use std::os::fd::AsFd;
        let nowhere = std::fs::OpenOptions::new().write(true).open("/dev/null").ok()?;
        let kept = std::io::stderr().as_fd().try_clone_to_owned().ok()?;
        lead_stderr(&nowhere).then_some(Silence { kept })
    }
}

#[cfg(unix)]
impl Drop for Silence {
    fn drop(&mut self) {
        lead_stderr(&self.kept);
    }
}

/// Redirects standard error to `to`; returns whether that worked.
#[cfg(unix)]
fn lead_stderr(to: &impl std::os::fd::AsRawFd) -> bool {
    // SAFETY: dup2 takes numbers alone. `to` is open as long as it is borrowed, and standard error is open before and
    // after: nothing in this process owns number 2 and would close what is there now.
    #[allow(unsafe_code)]
    let done = unsafe { libc::dup2(to.as_raw_fd(), libc::STDERR_FILENO) };
    done >= 0
}

/// On other systems drivers do not write to standard error.
#[cfg(not(unix))]
struct Silence;

#[cfg(not(unix))]
impl Silence {
    fn new() -> Option<Silence> {
        None
    }
}
