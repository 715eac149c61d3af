//! `Timestamp`: the time.

use crate::prelude::*;
use std::time::{SystemTime, UNIX_EPOCH};

attrs! {
    /// Gives the seconds since 1970.
    pub struct Timestamp {}
}

impl Op for Timestamp {
    const SPEC: Spec = Spec { name: "Timestamp", outputs: &[arg("ts", is(DType::F64))], ..Spec::STATEFUL };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for Timestamp {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let since = since.map_err(|_| Error::internal("the clock is set to a time before 1970"))?;
        cx.set(0, Tensor::scalar(since.as_secs_f64()));
        Ok(())
    }
}
