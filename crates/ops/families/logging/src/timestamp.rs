//! `Timestamp`: the current time.

use crate::prelude::*;
use crate::rules::never;
use levada_kernel::outside;
use std::time::{SystemTime, UNIX_EPOCH};

attrs! {
    /// Returns the current time in seconds since the Unix epoch (1970).
    pub struct Timestamp {}
}

pub static TIMESTAMP: Def<Timestamp> = op("Timestamp")
    .outputs(&[arg("ts", is(DType::F64))])
    .stateful()
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(timestamp);

fn timestamp(_: &Timestamp, cx: &mut Cx<'_, '_>) -> Result<()> {
    let now = outside::value("time", || {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let since = since.map_err(|_| Error::internal("the clock is set to a time before 1970"))?;
        Ok(Tensor::scalar(since.as_secs_f64()))
    })?;
    cx.set(0, now);
    Ok(())
}
