//! Writes traces in formats that other programs read: [`EXPORTERS`].

use crate::file::Trace;

/// An output format for traces.
pub struct Exporter {
    /// Its name in lower case, with hyphens; `levada trace` has a flag of this name.
    pub name: &'static str,
    /// Its description, for the help of that flag.
    pub about: &'static str,
    /// The trace in this format.
    pub write: fn(&Trace) -> String,
}

/// Declares the modules and [`EXPORTERS`].
macro_rules! exporters {
    ($($exporter:ident)+) => {
        $(mod $exporter;)+

        /// All formats.
        pub static EXPORTERS: &[Exporter] = &[$($exporter::EXPORTER),+];
    };
}

// To add an exporter, add a file and a line here.
exporters! {
    chrome
    json_lines
    step_stats
}

pub use chrome::{ChromeEvent, chrome, chrome_events};
pub use json_lines::json_lines;
pub use step_stats::step_stats;
