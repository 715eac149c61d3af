//! Records the runs of a session, and repeats them bit by bit.
//!
//! In: a session whose options a [`Recorder`] has changed. Out: a [`Recording`], which is written to a file and read
//! elsewhere; [`replay`] runs it again and says what came out otherwise. What runs give depends on their feeds, on the
//! order in which nodes use state that they share, and on values from outside: seeds that nobody gave, the time,
//! functions of the program. All of this is in the recording. It knows ops by what they do with state, not by name.
//!
//! Reading order: `recorder` notes what happens; [`file`](mod@file) has the format; `turns` holds nodes back until it
//! is their turn; `replay` begins runs as they began and compares what they give; `stop` keeps what a node takes and
//! gives; `digest` hashes.

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
