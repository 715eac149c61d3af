//! Turns the feeds and fetches of a partial run into nodes: a node for each feed waits for its value, and a node for
//! each fetch keeps its value until it is fetched.

use crate::draft::{Draft, Origin};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_executor::NodeKind;
use levada_executor::partial::{FEED_OP, FETCH_OP, FeedKernel, FetchKernel};
use levada_graph::Result;
use levada_kernel::AnyKernel;
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    name: "partial",
    is_on: |cx| cx.partial,
    needs: &[Fact::Frames],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    let feeds = draft.first_feed..draft.first_fetch();
    for node in &mut draft.nodes {
        match node.origin {
            Origin::Feed(feed) => {
                let kernel: Arc<dyn AnyKernel> = Arc::new(FeedKernel(feed));
                (node.op, node.kernel) = (FEED_OP, Some(kernel));
                node.name = draft.feeds[feed].name.clone();
            }
            Origin::Fetch(fetch) => {
                let kernel: Arc<dyn AnyKernel> = Arc::new(FetchKernel { fetch, name: node.name.clone() });
                // Like a transfer, it also runs when its input is dead, to report that.
                (node.op, node.kernel, node.kind) = (FETCH_OP, Some(kernel), NodeKind::Transfer);
            }
            // Nothing in a loop can wait for a feed.
            _ if node.frame != 0 => node.controls.retain(|before| !feeds.contains(before)),
            _ => {}
        }
    }
    Ok(true)
}
