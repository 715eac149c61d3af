//! The hooks that training needs, modelled on those of `tf.train`.

mod checkpoint;
mod counter;
mod feed;
mod final_ops;
mod log;
mod nan;
mod profile;
mod stop;
mod summaries;
mod timer;
mod wait;

pub use checkpoint::SaveCheckpoints;
pub use counter::CountSteps;
pub use feed::FeedWith;
pub use final_ops::{FinalOps, FinalValues};
pub use log::LogTensors;
pub use nan::StopAtNan;
pub use profile::Profile;
pub use stop::StopAtStep;
pub use summaries::SaveSummaries;
pub use timer::{Every, Timer};
pub use wait::WaitForStep;
