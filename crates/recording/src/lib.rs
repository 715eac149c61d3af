//! Records the runs of a session, and repeats them bit by bit.
//!
//! In: a session whose options a [`Recorder`] has changed. Out: a [`Recording`], which can be written to a file and
//! read elsewhere; [`replay`] runs it again and reports differences. The results of runs depend on their feeds, on the
//! order in which nodes use shared state, and on values from outside: generated seeds, the time, functions of the
//! program. The recording contains all of these. The crate knows ops by how they use state, not by name.
//!
//! Reading order: `recorder` records events; [`file`](mod@file) has the format; `turns` delays nodes until it is their
//! turn; `replay` starts runs as recorded and compares their results; `stop` keeps the inputs and outputs of a node;
//! `digest` hashes.

mod digest;
pub mod file;
mod recorder;
mod recording;
mod replay;
mod stop;
mod turns;

pub use recorder::Recorder;
pub use recording::{Event, Outcome, Recording, Run, Setup};
pub use replay::{Change, Replay, Report, replay};
pub use stop::Stop;
