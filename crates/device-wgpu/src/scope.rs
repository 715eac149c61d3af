//! Errors of wgpu, which it reports to scopes and handlers.

use levada_graph::{Code, Error};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The result of a future that does not wait: outside of browsers, this holds for all of wgpu's.
pub(crate) fn ready<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    // One that yields once or twice is ready soon.
    for _ in 0..1_000 {
        if let Poll::Ready(value) = future.as_mut().poll(&mut cx) {
            return Some(value);
        }
        std::thread::yield_now();
    }
    None
}

/// The result of `f`, and the first error that wgpu reported in it.
pub(crate) fn scoped<T>(device: &wgpu::Device, f: impl FnOnce() -> T) -> (T, Option<wgpu::Error>) {
    let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
    let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let value = f();
    let errors = [ready(validation.pop()), ready(internal.pop()), ready(memory.pop())];
    (value, errors.into_iter().flatten().flatten().next())
}

/// Converts an error of wgpu. `doing` says what was attempted.
pub(crate) fn error(error: &wgpu::Error, doing: &str) -> Error {
    let code = match error {
        wgpu::Error::OutOfMemory { .. } => Code::ResourceExhausted,
        _ => Code::Internal,
    };
    Error::new(code, format!("{doing}: {error}"))
}
