//! `AutoShardDataset`: the part of a dataset that one of several workers reads.

use crate::dataset::{DATASET, INPUT, Source, input, make_like, scalar, scalar_output};
use crate::prelude::*;
use crate::shard::Shard;

attrs! {
    /// The part of a dataset that worker `index` of `num_workers` reads: its elements whose number divided by that of the
    /// workers leaves the index.
    pub struct AutoShardDataset {
        /// What is divided: -1 for nothing, 0 for what suits, 1 for files, 2 for elements, 3 for what the graph marks.
        policy: i64 = Attr::int("auto_shard_policy").or_int(0),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        replicas: i64 = Attr::int("num_replicas").or_int(0),
    }
}

const OFF: i64 = -1;
const AUTO: i64 = 0;
const DATA: i64 = 2;

pub static AUTO_SHARD_DATASET: Def<AutoShardDataset> = op("AutoShardDataset")
    .inputs(&[INPUT, arg("num_workers", is(DType::I64)), arg("index", is(DType::I64))])
    .outputs(DATASET)
    .also(&[form("ExperimentalAutoShardDataset").without(&["num_replicas"])])
    .shape(scalar_output)
    .kernel(auto_shard)
    .supports(|op| matches!(op.policy, OFF | AUTO | DATA));

fn auto_shard(op: &AutoShardDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let source: Source = input(cx, 0)?;
    let (workers, index): (i64, i64) = (scalar(cx, 1, "num_workers")?, scalar(cx, 2, "index")?);
    if workers <= 0 || index < 0 || index >= workers {
        return Err(Error::invalid(format!("index must be >= 0 and < {workers}, currently {index}")));
    }
    if op.policy == OFF || workers == 1 {
        cx.set(0, source.tensor());
        return Ok(());
    }
    if op.policy == AUTO && source.may_read {
        return Err(Error::unimplemented("an AutoShardDataset over files divides elements or nothing")
            .attr("auto_shard_policy")
            .expected("auto_shard_policy 2 for elements or -1 for nothing")
            .help("put shard(num_workers, index) behind the names of the files"));
    }
    let shard = Shard::new(source.clone(), workers, index, true)?;
    make_like(cx, &source, shard)
}
