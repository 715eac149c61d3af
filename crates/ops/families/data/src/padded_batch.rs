//! `PaddedBatchDataset`: combines elements of different shapes into padded batches.

use crate::batch::{Gathered, batch_size, batches};
use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, Tuple, input, make, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::rows;
use levada_kernel::Arena;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Combines `batch_size` consecutive elements of a dataset into one; each component becomes the rows of a tensor,
    /// padded at the end of each axis to the size in `padded_shapes`, or for -1 to the largest size in the batch.
    pub struct PaddedBatchDataset {
        /// Not used.
        parallel_copy: bool = Attr::bool("parallel_copy").or_bool(false),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("Toutput_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Number of components.
        n: i64 = Attr::int("N").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

const INPUTS: &[Arg] = &[INPUT, SIZE, SHAPES, VALUES];
const SIZE: Arg = arg("batch_size", is(DType::I64));
const SHAPES: Arg = arg("padded_shapes", is(DType::I64)).times("N");
const VALUES: Arg = arg("padding_values", each("Toutput_types"));
const DROP: Arg = arg("drop_remainder", is(DType::Bool));

pub static PADDED_BATCH_DATASET: Def<PaddedBatchDataset> = op("PaddedBatchDataset")
    .inputs(INPUTS)
    .outputs(DATASET)
    .without(&["parallel_copy"])
    .also(&[form("PaddedBatchDatasetV2").inputs(&[INPUT, SIZE, SHAPES, VALUES, DROP])])
    .shape(scalar_output)
    .kernel(padded_batch_dataset);

fn padded_batch_dataset(op: &PaddedBatchDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (source, size) = (input(cx, 0)?, batch_size(cx, 1)?);
    let n = op.types.len();
    if source.types.len() != n || usize::try_from(op.n) != Ok(n) {
        return Err(Error::invalid(format!(
            "Number of padded shapes ({}) must match the number of components in the input dataset's elements ({})",
            op.n,
            source.types.len()
        )));
    }
    let drops = cx.num_inputs() > 2 + 2 * n && scalar(cx, 2 + 2 * n, "drop_remainder")?;
    let mut padding = Vec::with_capacity(n);
    for i in 0..n {
        let dims = cx.input(2 + i)?;
        if dims.shape().rank() != 1 {
            return Err(Error::invalid("All padded shapes must be vectors"));
        }
        if let Some(dim) = dims.slice::<i64>()?.iter().find(|&&dim| dim < -1) {
            return Err(Error::invalid(format!("Dimension {dim} must be >= -1")));
        }
        let dims: Vec<Option<usize>> = dims.slice::<i64>()?.iter().map(|&d| usize::try_from(d).ok()).collect();
        let value = cx.input(2 + n + i)?;
        if !value.shape().is_scalar() {
            return Err(Error::invalid("All padding values must be scalars"));
        }
        if value.dtype() != source.types[i] {
            return Err(Error::invalid(format!(
                "Mismatched type between padding value {i} and input dataset's component {i}: {} vs. {}",
                value.dtype(),
                source.types[i]
            )));
        }
        padding.push(Padding { dims, value: value.clone() });
    }
    let arena = cx.device.arena.clone();
    let rows = if drops || source.cardinality() == -1 { Some(size as usize) } else { None };
    let shape = |p: &Padding| PartialShape::vector(rows).concat(&PartialShape::new(p.dims.iter().copied()));
    let shapes: Vec<PartialShape> = padding.iter().map(shape).collect();
    let types = source.types.clone();
    make(cx, types, shapes, PaddedBatch { source, size, drops, padding: padding.into(), arena })
}

/// The padding of a component.
struct Padding {
    /// `None` for the largest size in a batch.
    dims: Vec<Option<usize>>,
    value: Tensor,
}

struct PaddedBatch {
    source: Source,
    size: u64,
    drops: bool,
    padding: Arc<[Padding]>,
    arena: Arc<Arena>,
}

impl Dataset for PaddedBatch {
    fn kind(&self) -> &'static str {
        "PaddedBatchV2"
    }

    fn cardinality(&self) -> i64 {
        batches(self.source.cardinality(), self.size, self.drops)
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let input = setup.make(&self.source)?;
        let gathered = Gathered { input, size: self.size, drops: self.drops, rows: Vec::new(), ended: false };
        Ok(Box::new(PaddedBatchIter { gathered, padding: self.padding.clone(), arena: self.arena.clone() }))
    }
}

struct PaddedBatchIter {
    gathered: Gathered,
    padding: Arc<[Padding]>,
    arena: Arc<Arena>,
}

impl Iter for PaddedBatchIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let Some(rows) = ready!(self.gathered.poll(turn))? else { return Poll::Ready(Ok(None)) };
        let padded = self.padding.iter().enumerate().map(|(i, padding)| padding.apply(i, &rows, &self.arena));
        Poll::Ready(padded.collect::<Result<Tuple>>().map(Some))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        self.gathered.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.gathered.restore(from)
    }
}

impl Padding {
    /// Combines component `i` of these elements into one tensor.
    fn apply(&self, i: usize, rows: &[Tuple], arena: &Arc<Arena>) -> Result<Tensor> {
        let parts: Vec<&Tensor> = rows.iter().filter_map(|row| row.get(i)).collect();
        let rank = self.dims.len();
        let mut row = self.dims.iter().map(|dim| dim.unwrap_or(0)).collect::<Vec<usize>>();
        for part in &parts {
            let shape = part.shape();
            if shape.rank() != rank {
                return Err(Error::invalid(format!(
                    "All elements in a batch must have the same rank as the padded shape for component{i}: expected \
                     rank {rank} but got element with rank {}",
                    shape.rank()
                )));
            }
            for (axis, (&found, dim)) in shape.iter().zip(&self.dims).enumerate() {
                match dim {
                    None => row[axis] = row[axis].max(found),
                    Some(dim) if found > *dim => {
                        return Err(Error::data_loss(format!(
                            "Attempted to pad to a smaller size than the input element. Component {i} has shape \
                             {shape}, but dimension {axis} is to be padded to {dim}."
                        )));
                    }
                    Some(_) => {}
                }
            }
        }
        let shape = rows::batch_shape(parts.len(), &Shape::new(row.iter().copied())?)?;
        let mut out = arena.tensor(self.value.dtype(), shape)?;
        dispatch!(self.value.dtype(), any, |T| {
            let step = row.iter().product::<usize>();
            let value: T = self.value.item()?;
            let items = out.slice_mut::<T>()?;
            for (to, part) in items.chunks_mut(step.max(1)).zip(&parts) {
                let from = part.slice::<T>()?;
                if from.len() < to.len() {
                    pad(to, &value);
                }
                place(to, &row, from, part.shape());
            }
        }, else return Err(Error::unimplemented(format!("batches of {}", self.value.dtype()))));
        Ok(out)
    }
}

/// Pads an element that is shorter than its space.
fn pad<T: Clone>(to: &mut [T], value: &T) {
    to.fill(value.clone());
}

/// Copies a tensor of shape `dims` to the start of each axis of one of shape `row`.
fn place<T: Clone>(to: &mut [T], row: &[usize], from: &[T], dims: &[usize]) {
    match (row, dims) {
        ([_, row_rest @ ..], [n, dims_rest @ ..]) if row_rest != dims_rest => {
            let (step, part) = (row_rest.iter().product::<usize>(), dims_rest.iter().product::<usize>());
            for i in 0..*n {
                place(&mut to[i * step..], row_rest, &from[i * part..(i + 1) * part], dims_rest);
            }
        }
        _ => to[..from.len()].clone_from_slice(from),
    }
}
