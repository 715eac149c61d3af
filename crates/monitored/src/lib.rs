//! A session that recovers: TensorFlow's `MonitoredSession`.
//!
//! In: a graph, a function that opens a session on it, hooks. Out: runs of the session with the hooks around them;
//! checkpoints, and a new session from the latest of them if a run fails for a reason other than the graph. It knows no
//! op library and no kind of device, and handles no signals.
//!
//! ```
//! use levada_monitored::hooks::{Every, LogTensors, SaveCheckpoints, StopAtNan, StopAtStep};
//! use levada_monitored::{Monitored, Stop};
//! # use levada_graph::{Graph, Registry, Result};
//! # use levada_session::Session;
//! # use std::sync::Arc;
//! # fn train(graph: Graph, registry: Arc<Registry>, open: impl Fn(Graph) -> Result<Session> + 'static) -> Result<()> {
//! let stop = Stop::new();
//! let session = Monitored::new(graph, registry, open)
//!     .checkpoint_dir("checkpoints")
//!     .hook(StopAtStep::at(10_000))
//!     .hook(StopAtNan::fail("loss"))
//!     .hook(SaveCheckpoints::new("checkpoints", Every::Steps(500)))
//!     .hook(LogTensors::new(["loss"], Every::Steps(100)))
//!     .stop(&stop)
//!     .start()?;
//! session.train(|session| session.run(&[], &[], &["train_op"]).map(drop))
//! # }
//! ```
//!
//! Start with [`Monitored`] and [`MonitoredSession`] (`session`). [`Scaffold`] describes what a session needs before
//! its first step, [`Hook`] what is done around its runs, with the usual ones in [`hooks`]; [`Stop`] ends it from
//! elsewhere. `saving` and `pipeline` save variables and the state of the input.

mod hook;
pub mod hooks;
mod pipeline;
mod saving;
mod scaffold;
mod session;
mod stop;

pub use hook::{Context, Hook, Request, Values};
pub use pipeline::Unsaved;
pub use scaffold::Scaffold;
pub use session::{Monitored, MonitoredSession, Open};
pub use stop::Stop;
