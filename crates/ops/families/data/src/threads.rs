//! `ThreadPoolDataset` and its siblings: datasets with threads of their own in TensorFlow; here they use the session's
//! threads.

use crate::dataset::{DATASET, INPUT, Plain, scalar, scalar_output};
use crate::handle::{self, Shared, set_handle};
use crate::options::pass;
use crate::prelude::*;

const NO_METADATA: &[&str] = &["metadata"];

pub static PRIVATE_THREAD_POOL_DATASET: Def<Plain> = op("PrivateThreadPoolDataset")
    .doc("Passes a dataset through. TensorFlow gives it threads of its own; here it uses the session's threads.")
    .inputs(&[INPUT, arg("num_threads", is(DType::I64))])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalPrivateThreadPoolDataset")])
    .shape(scalar_output)
    .kernel(|_, cx| {
        if scalar::<i64>(cx, 1, "num_threads")? < 0 {
            return Err(Error::invalid("`num_threads` must be >= 0"));
        }
        pass(&(), cx)
    });

/// A thread pool without threads.
struct ThreadPool;

impl Shared for ThreadPool {
    type Spec = ();

    fn make((): ()) -> Result<ThreadPool> {
        Ok(ThreadPool)
    }

    fn check(&self, (): &()) -> Result<()> {
        Ok(())
    }
}

attrs! {
    /// Creates a handle to a thread pool. Datasets use the session's threads instead.
    pub struct ThreadPoolHandle {
        /// Not used.
        threads: i64 = Attr::int("num_threads"),
        /// Not used.
        parallelism: i64 = Attr::int("max_intra_op_parallelism").or_int(1),
        /// Not used.
        display_name: String = Attr::string("display_name"),
        /// Container that holds the handle; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name within the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static THREAD_POOL_HANDLE: Def<ThreadPoolHandle> = op("ThreadPoolHandle")
    .outputs(&[arg("handle", is(DType::Resource))])
    .also(&[form("ExperimentalThreadPoolHandle")])
    .effect(Effect::Own)
    .shape(scalar_output)
    .kernel(|op: &ThreadPoolHandle, cx| set_handle::<ThreadPool>(cx, &op.container, &op.shared_name, |_| Ok(())));

pub static THREAD_POOL_DATASET: Def<Plain> = op("ThreadPoolDataset")
    .doc("Passes a dataset through. The thread pool is not used: it runs on the session's threads.")
    .inputs(&[INPUT, arg("thread_pool", is(DType::Resource))])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalThreadPoolDataset")])
    .stateful()
    .shape(scalar_output)
    .kernel(|op, cx| {
        handle::input::<ThreadPool>(cx, 1)?;
        pass(op, cx)
    });
