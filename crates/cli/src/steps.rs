//! Progress output of a run: a bar, occasional lines, and a line of JSON for every step.

use crate::args::RunArgs;
use crate::prepare::Prepared;
use crate::run::json_line;
use crate::{elements, term};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use levada::Tensor;
use std::fmt::Write;
use std::time::Duration;

/// Maximum number of progress lines.
const REPORTS: u64 = 20;
/// Maximum number of columns for a scalar in such a line.
const SCALAR: usize = 40;

/// Shows the progress of the steps.
pub struct Steps {
    bar: ProgressBar,
    steps: Option<u64>,
    json: bool,
    quiet: bool,
}

impl Steps {
    /// For this number of steps, if known.
    pub fn new(args: &RunArgs, steps: Option<u64>) -> Steps {
        let bar = if args.quiet { ProgressBar::hidden() } else { progress(steps) };
        Steps { bar, steps, json: args.json, quiet: args.quiet }
    }

    /// Reports a finished step.
    pub fn done(&self, step: u64, prepared: &Prepared, values: &[Tensor]) {
        self.bar.inc(1);
        if self.json {
            self.bar.suspend(|| term::print(&json_line(step, prepared, values)));
        } else if !self.quiet {
            self.report(step, prepared, values);
        }
    }

    /// Ends the output after the last step.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints occasional lines with the fetched scalars in a long run, such as a falling loss.
    fn report(&self, step: u64, prepared: &Prepared, values: &[Tensor]) {
        let shown = match self.steps {
            Some(1) => false,
            Some(steps) => step == 1 || step == steps || step.is_multiple_of(steps.div_ceil(REPORTS)),
            // 1 to 10, 20, 30 and so on to 100, 200 ...
            None => step.is_multiple_of(10u64.pow(step.saturating_sub(1).max(1).ilog10())),
        };
        if !shown {
            return;
        }
        let scalars = prepared.fetches.iter().zip(values).filter(|(_, v)| v.shape().is_scalar());
        let text: Vec<String> = scalars.map(|(name, v)| format!("{name} {}", elements::value(v, SCALAR))).collect();
        if !text.is_empty() {
            let width = self.steps.map_or(6, |steps| steps.to_string().len());
            self.bar.suspend(|| term::print(&format!("step {step:>width$}  {}\n", text.join("  "))));
        }
    }
}

/// A bar on a terminal once a run takes long; nothing in a pipe.
fn progress(steps: Option<u64>) -> ProgressBar {
    let (bar, style) = match steps {
        Some(1) => return ProgressBar::hidden(),
        Some(steps) => (ProgressBar::new(steps), "{bar:30} step {pos}/{len}  {rate}  {eta} left"),
        None => (ProgressBar::new_spinner(), "{spinner} step {pos}  {rate}"),
    };
    let style = ProgressStyle::with_template(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    match style {
        Ok(style) => bar.with_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
            let _ = out.write_str(&rate(state.per_sec()));
        })),
        Err(_) => bar,
    }
}

/// `12 steps/s`, `3.4 s/step`.
fn rate(per_second: f64) -> String {
    match per_second {
        r if !r.is_finite() || r <= 0.0 => String::new(),
        r if r < 1.0 => format!("{:.1} s/step", 1.0 / r),
        r if r < 10.0 => format!("{r:.1} steps/s"),
        r if r < 10_000.0 => format!("{r:.0} steps/s"),
        r => format!("{:.0}k steps/s", r / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_short() {
        let texts = [0.0, 0.25, 3.21, 123.4, 45_678.0].map(rate);
        assert_eq!(texts, ["", "4.0 s/step", "3.2 steps/s", "123 steps/s", "46k steps/s"]);
    }
}
