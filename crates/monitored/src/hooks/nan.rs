//! Guards a loss.

use crate::hook::{Context, Hook, Request, Values};
use levada_graph::{DType, Error, Result, Tensor, bf16, f16};

/// Ends training when a loss is NaN: `tf.train.NanTensorHook`.
pub struct StopAtNan {
    loss: String,
    fails: bool,
}

impl StopAtNan {
    /// Fails when this endpoint has a NaN value.
    pub fn fail(loss: impl Into<String>) -> StopAtNan {
        StopAtNan { loss: loss.into(), fails: true }
    }

    /// Requests a stop when this endpoint has a NaN value.
    pub fn stop(loss: impl Into<String>) -> StopAtNan {
        StopAtNan { loss: loss.into(), fails: false }
    }
}

fn has_nan(tensor: &Tensor) -> Result<bool> {
    Ok(match tensor.dtype() {
        DType::F32 => tensor.slice::<f32>()?.iter().any(|v| v.is_nan()),
        DType::F64 => tensor.slice::<f64>()?.iter().any(|v| v.is_nan()),
        DType::F16 => tensor.slice::<f16>()?.iter().any(|v| v.is_nan()),
        DType::BF16 => tensor.slice::<bf16>()?.iter().any(|v| v.is_nan()),
        _ => false,
    })
}

impl Hook for StopAtNan {
    fn before_run(&mut self, _: &Context<'_>) -> Result<Request> {
        Ok(Request::fetch([self.loss.as_str()]))
    }

    fn after_run(&mut self, at: &Context<'_>, values: &Values<'_>) -> Result<()> {
        if !has_nan(&values.fetched[0])? {
            return Ok(());
        }
        if self.fails {
            return Err(Error::invalid("NaN loss during training.").node(&self.loss));
        }
        at.log("Model diverged with loss = NaN.");
        at.request_stop();
        Ok(())
    }
}
