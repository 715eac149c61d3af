//! Replays recorded sessions: graphs, the steps of one session on each, and TensorFlow's results.
//!
//! In: lines of JSON ([`case`](mod@case) has the format) and a [`Runtime`] that opens sessions. Out: an [`Outcome`] for
//! every case. A case passes if every step returns the expected tensors (dtype and shape exactly, floats within the
//! case's tolerance, NaN equal to NaN) or fails with the expected code. It is skipped if the runtime reports that
//! something is not supported, and fails in all other cases, including hangs and panics. This crate knows no executor
//! and no op.
//!
//! ```
//! use levada_graph::{Result, Tensor};
//! use levada_replay::{Case, Config, Limits, Outcome, Run, Runtime, Session, replay};
//!
//! struct AlwaysOne;
//! impl Runtime for AlwaysOne {
//!     type Session = AlwaysOne;
//!     fn open(&self, _graph: &[u8], _config: &Config) -> Result<AlwaysOne> {
//!         Ok(AlwaysOne)
//!     }
//! }
//! impl Session for AlwaysOne {
//!     fn run(&self, run: &Run) -> Result<Vec<Tensor>> {
//!         Ok(run.fetches.iter().map(|_| Tensor::scalar(1i32)).collect())
//!     }
//!     fn close(&self) {}
//! }
//!
//! let line = r#"{"name": "one", "graph": {}, "ops": [], "rtol": 0, "atol": 0, "steps": [
//!     {"feeds": {}, "fetches": ["c:0"], "targets": [], "expect": [{"dtype": "DT_INT32", "tensorShape": {}, "intVal": [1]}]}]}"#;
//! let case = Case::parse(line).unwrap();
//! assert_eq!(replay(&std::sync::Arc::new(AlwaysOne), case, &Limits::default()), Outcome::Passed);
//! ```
//!
//! Reading order: [`case`](mod@case), [`runtime`], [`compare`](mod@compare), [`replay`](mod@replay), [`schedule`],
//! [`suite`].

pub mod case;
pub mod compare;
pub mod replay;
pub mod runtime;
pub mod schedule;
pub mod suite;

pub use case::{Case, Config, Expected, Step};
pub use replay::{Limits, Outcome, replay};
pub use runtime::{Run, Runtime, Session};
pub use suite::{Row, Suite, Summary, read_lines};
