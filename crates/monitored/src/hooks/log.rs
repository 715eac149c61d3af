//! Logs the values of tensors.

use super::timer::{Every, Timer};
use crate::hook::{Context, Hook, Request, Values};
use levada_graph::{Result, Tensor};
use std::time::Duration;

/// Logs the values of tensors at intervals of steps or time and, if requested, at the end:
/// `tf.train.LoggingTensorHook`.
pub struct LogTensors {
    tensors: Vec<(String, String)>,
    timer: Option<Timer>,
    at_end: bool,
    runs: i64,
    due: bool,
    format: Option<Box<Format>>,
}

type Format = dyn Fn(&[(&str, &Tensor)]) -> String;

impl LogTensors {
    /// Logs these endpoints under their names.
    pub fn new<S: Into<String>>(endpoints: impl IntoIterator<Item = S>, every: Every) -> LogTensors {
        let tensors = endpoints.into_iter().map(Into::into).map(|name: String| (name.clone(), name)).collect();
        LogTensors { tensors, timer: Some(Timer::new(every)), at_end: false, runs: 0, due: false, format: None }
    }

    /// Logs these endpoints only when the session is closed.
    pub fn only_at_end<S: Into<String>>(endpoints: impl IntoIterator<Item = S>) -> LogTensors {
        let mut hook = LogTensors::new(endpoints, Every::Steps(1));
        (hook.timer, hook.at_end) = (None, true);
        hook
    }

    /// Also logs them when the session is closed.
    #[must_use]
    pub fn at_end(mut self) -> LogTensors {
        self.at_end = true;
        self
    }

    /// Formats lines differently: `format` gets names and values.
    #[must_use]
    pub fn format(mut self, format: impl Fn(&[(&str, &Tensor)]) -> String + 'static) -> LogTensors {
        self.format = Some(Box::new(format));
        self
    }

    fn endpoints(&self) -> impl Iterator<Item = &str> {
        self.tensors.iter().map(|(_, endpoint)| endpoint.as_str())
    }

    fn log(&mut self, at: &Context<'_>, values: &[Tensor]) {
        let elapsed = self.timer.as_mut().and_then(|timer| timer.start(self.runs));
        let named: Vec<(&str, &Tensor)> = self.tensors.iter().map(|(name, _)| name.as_str()).zip(values).collect();
        match &self.format {
            Some(format) => at.log(&format(&named)),
            None => at.log(&line(&named, elapsed.map(|(time, _)| time))),
        }
    }
}

/// `loss = 0.5, step = 100 (1.234 sec)`
fn line(named: &[(&str, &Tensor)], elapsed: Option<Duration>) -> String {
    let value = |tensor: &Tensor| {
        let text = tensor.to_string();
        // Without dtype and shape.
        text.split_once(' ').map_or(text.clone(), |(_, value)| value.to_owned())
    };
    let values: Vec<String> = named.iter().map(|(name, tensor)| format!("{name} = {}", value(tensor))).collect();
    let time = elapsed.map_or_else(String::new, |time| format!(" ({:.3} sec)", time.as_secs_f64()));
    values.join(", ") + &time
}

impl Hook for LogTensors {
    fn before_run(&mut self, _: &Context<'_>) -> Result<Request> {
        self.due = self.timer.as_ref().is_some_and(|timer| timer.is_due(self.runs));
        Ok(if self.due { Request::fetch(self.endpoints()) } else { Request::default() })
    }

    fn after_run(&mut self, at: &Context<'_>, values: &Values<'_>) -> Result<()> {
        if self.due {
            self.log(at, values.fetched);
        }
        self.runs += 1;
        Ok(())
    }

    fn end(&mut self, at: &Context<'_>) -> Result<()> {
        if self.at_end {
            let endpoints: Vec<&str> = self.endpoints().collect();
            let values = at.session().run(&[], &endpoints, &[])?;
            self.log(at, &values);
        }
        Ok(())
    }
}
