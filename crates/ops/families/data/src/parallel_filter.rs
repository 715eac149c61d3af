//! `ParallelFilterDataset`: the elements of which a function says so.

use crate::dataset::{ARGUMENTS, DATASET, INPUT, input, make_like, scalar, scalar_output};
use crate::filter::Filter;
use crate::function::Function;
use crate::prelude::*;
use levada_graph::Func;

attrs! {
    /// The elements of a dataset of which a function says that they are to stay.
    pub struct ParallelFilterDataset {
        /// The function.
        predicate: Func = Attr::func("predicate"),
        /// Not used: the order is always that of the input.
        deterministic: String = Attr::string("deterministic").or_str("default"),
        /// Dtypes of what the function gets besides.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static PARALLEL_FILTER_DATASET: Def<ParallelFilterDataset> = op("ParallelFilterDataset")
    .inputs(&[INPUT, ARGUMENTS, arg("num_parallel_calls", is(DType::I64))])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &ParallelFilterDataset, cx| {
        let last = cx.num_inputs() - 1;
        let calls: i64 = scalar(cx, last, "num_parallel_calls")?;
        if calls != -1 && calls <= 0 {
            return Err(Error::invalid("num_parallel_calls must be greater than zero.").found(calls));
        }
        let source = input(cx, 0)?;
        let predicate = Function::of(cx, &op.predicate, 1..last)?;
        make_like(cx, &source.clone(), Filter { source, predicate })
    });
