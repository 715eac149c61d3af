//! Writes traces in the formats of others.

mod chrome;
mod lines;
mod step_stats;

pub use chrome::{ChromeEvent, chrome, chrome_events};
pub use lines::{device_order, json_lines, order};
pub(crate) use lines::{micros, place, short};
pub use step_stats::step_stats;
