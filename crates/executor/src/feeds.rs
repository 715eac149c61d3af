//! Checks what the caller feeds.

use crate::plan::{Plan, PlanFeed};
use levada_graph::{DType, Error, Result, Tensor};
use levada_kernel::Meter;

pub(crate) fn check_feeds(plan: &Plan, feeds: &[Tensor]) -> Result<()> {
    if feeds.len() != plan.feeds.len() {
        return Err(Error::invalid("the number of feeds is wrong")
            .expected(format!("{} feeds", plan.feeds.len()))
            .found(format!("{} feeds", feeds.len())));
    }
    plan.feeds.iter().zip(feeds).try_for_each(|(feed, tensor)| check_feed(feed, tensor))
}

/// Counts the bytes that a run is fed.
pub(crate) fn count_feeds(plan: &Plan, feeds: &[Tensor], meter: &Meter) -> Result<()> {
    plan.feeds.iter().zip(feeds).try_for_each(|(feed, tensor)| {
        let counted = meter.feed(tensor.num_bytes());
        counted.map_err(|error| error.node(&feed.name))
    })
}

/// Checks a value for a feed.
pub(crate) fn check_feed(feed: &PlanFeed, tensor: &Tensor) -> Result<()> {
    let name = &feed.name;
    if feed.dtype != tensor.dtype() {
        let wrong = |text: String| Error::invalid(text).node(name).expected(feed.dtype).found(tensor.dtype());
        return Err(match feed.dtype {
            DType::Resource | DType::Variant => wrong(format!("{name} is a handle, which cannot be fed a value")).help(
                "feed the node that reads the value, such as the output of a ReadVariableOp, or assign to the variable",
            ),
            _ => wrong(format!("the tensor fed to {name} has the wrong type")),
        });
    }
    if !feed.shape.accepts(tensor.shape()) {
        let (expected, found) = (&feed.shape, tensor.shape());
        return Err(Error::invalid(format!(
            "Cannot feed value of shape {found} for Tensor {name}, which has shape {expected}"
        ))
        .node(name)
        .expected(format!("shape {expected}"))
        .found(format!("shape {found}")));
    }
    Ok(())
}
