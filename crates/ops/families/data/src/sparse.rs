//! `SparseTensorSliceDataset`, `DenseToSparseBatchDataset`: the rows of sparse tensors, and elements as the rows of
//! sparse tensors.

use crate::batch::{Gathered, batch_size, batches};
use crate::dataset::{DATASET, Dataset, INPUT, Plain, Setup, Source, Tuple, input, make, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::rows;
use levada_graph::{EncodedVariant, Variant};
use levada_kernel::Arena;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// A dataset of the rows of a sparse tensor: the indices, values and shape of each.
    pub struct SparseTensorSliceDataset {
        /// Dtype of the values.
        dtype: DType = Attr::dtype("Tvalues", sets::ANY),
    }
}

pub static SPARSE_TENSOR_SLICE_DATASET: Def<SparseTensorSliceDataset> = op("SparseTensorSliceDataset")
    .inputs(&[arg("indices", is(DType::I64)), arg("values", of("Tvalues")), arg("dense_shape", is(DType::I64))])
    .outputs(DATASET)
    .stateful()
    .shape(scalar_output)
    .kernel(sparse_tensor_slice);

fn sparse_tensor_slice(op: &SparseTensorSliceDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (indices, values, sizes) = (cx.input(0)?.clone(), cx.input(1)?.clone(), cx.input(2)?.clone());
    if indices.shape().rank() != 2 {
        return Err(Error::invalid(format!("Input indices must be a matrix. Got: {}", indices.shape())));
    }
    if values.shape().rank() != 1 {
        return Err(Error::invalid(format!("Input values must be a vector. Got: {}", values.shape())));
    }
    if sizes.shape().rank() != 1 {
        return Err(Error::invalid(format!("Input shape must be a vector. Got: {}", sizes.shape())));
    }
    let dims = Shape::from_signed(sizes.slice::<i64>()?)?;
    let (n, rank) = (indices.shape()[0], indices.shape()[1]);
    if n != values.shape()[0] {
        return Err(Error::invalid(format!(
            "Number of values must match first dimension of indices. Got {} values, indices shape: {}",
            values.shape()[0],
            indices.shape()
        )));
    }
    if rank != dims.rank() {
        return Err(Error::invalid(format!(
            "Number of dimensions must match second dimension of indices. Got {} dimensions, indices shape: {}",
            dims.rank(),
            indices.shape()
        )));
    }
    if n > 0 && rank == 0 {
        return Err(Error::invalid(format!(
            "The SparseTensor argument must have rank at least one, but indices has shape {}",
            indices.shape()
        )));
    }
    let all = indices.slice::<i64>()?;
    let firsts = all.chunks_exact(rank.max(1)).map(|index| index[0]);
    if !firsts.is_sorted() {
        return Err(Error::unimplemented(
            "The SparseTensor must be ordered in the batch dimension; handling arbitrarily ordered input is not \
             currently supported.",
        ));
    }
    let bounds = dims.dims().iter().zip(0..).map(|(&size, _)| size as i64).collect::<Vec<_>>();
    if all.chunks_exact(rank.max(1)).any(|index| index.iter().zip(&bounds).any(|(&i, &size)| i < 0 || i >= size)) {
        return Err(
            Error::invalid("an index of the SparseTensor is out of bounds").expected(format!("indices within {dims}"))
        );
    }
    let count = dims.dims().first().copied().unwrap_or(0);
    let inner = dims.dims().get(1..).unwrap_or(&[]).iter().map(|&size| size as i64).collect::<Vec<i64>>();
    let width = rank.saturating_sub(1);
    let shapes =
        vec![PartialShape::new([None, Some(width)]), PartialShape::vector(None), PartialShape::vector(Some(width))];
    let slices = Slices { indices, values, inner: Tensor::vector(inner), count };
    make(cx, vec![DType::I64, op.dtype, DType::I64], shapes, SparseSlices(Arc::new(slices)))
}

/// A sparse tensor whose indices are sorted by row and within each row.
struct Slices {
    indices: Tensor,
    values: Tensor,
    /// Shape of a row.
    inner: Tensor,
    count: usize,
}

struct SparseSlices(Arc<Slices>);

impl Dataset for SparseSlices {
    fn kind(&self) -> &'static str {
        "SparseTensorSlice"
    }

    fn cardinality(&self) -> i64 {
        self.0.count as i64
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(SlicesIter { slices: self.0.clone(), row: 0, at: 0 }))
    }
}

struct SlicesIter {
    slices: Arc<Slices>,
    row: usize,
    /// Number of values in the rows returned so far.
    at: usize,
}

impl Iter for SlicesIter {
    fn poll(&mut self, _: &mut Turn<'_>) -> Next {
        let Slices { indices, values, inner, count } = &*self.slices;
        if self.row >= *count {
            return Poll::Ready(Ok(None));
        }
        let rank = indices.shape()[1];
        let rest = &indices.slice::<i64>()?[self.at * rank..];
        let own = || rest.chunks_exact(rank.max(1)).take_while(|index| index[0] == self.row as i64);
        let n = own().count();
        let flat: Vec<i64> = own().flat_map(|index| index[1..].iter().copied()).collect();
        let shape = Shape::new([n, rank.saturating_sub(1)])?;
        let element = vec![Tensor::from_vec(shape, flat)?, values.rows(self.at..self.at + n)?, inner.clone()];
        self.row += 1;
        self.at += n;
        Poll::Ready(Ok(Some(element)))
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.count(self.row);
        to.count(self.at);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.row, self.at) = (from.count()?, from.count()?.min(self.slices.values.num_elements()));
        Ok(())
    }
}

pub static DENSE_TO_SPARSE_BATCH_DATASET: Def<Plain> = op("DenseToSparseBatchDataset")
    .doc(
        "Combines `batch_size` elements of a dataset into the rows of a sparse tensor. `row_shape` is the shape of a row, \
         -1 for the largest size in the batch.",
    )
    .inputs(&[INPUT, arg("batch_size", is(DType::I64)), arg("row_shape", is(DType::I64))])
    .outputs(DATASET)
    .without(&["metadata"])
    .also(&[form("ExperimentalDenseToSparseBatchDataset")])
    .shape(scalar_output)
    .kernel(dense_to_sparse_batch);

fn dense_to_sparse_batch(_: &Plain, cx: &mut Cx<'_, '_>) -> Result<()> {
    let source = input(cx, 0)?;
    let [dtype] = *source.types else {
        return Err(Error::invalid("DenseToSparseBatchDataset only supports inputs with a single component."));
    };
    let size = batch_size(cx, 1)?;
    let row_shape = cx.input(2)?;
    if row_shape.shape().rank() != 1 {
        return Err(Error::invalid("row_shape must be a vector"));
    }
    let row: Vec<Option<usize>> = row_shape.slice::<i64>()?.iter().map(|&dim| usize::try_from(dim).ok()).collect();
    let shape = PartialShape::vector(None).concat(&PartialShape::new(row.iter().copied()));
    let sparse = SparseBatch { source, size, row: row.into(), dtype, arena: cx.device.arena.clone() };
    make(cx, vec![DType::Variant], vec![shape], sparse)
}

struct SparseBatch {
    source: Source,
    size: u64,
    /// `None` for the largest size in a batch.
    row: Arc<[Option<usize>]>,
    dtype: DType,
    arena: Arc<Arena>,
}

impl Dataset for SparseBatch {
    fn kind(&self) -> &'static str {
        "DenseToSparseBatch"
    }

    fn cardinality(&self) -> i64 {
        batches(self.source.cardinality(), self.size, false)
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let input = setup.make(&self.source)?;
        let gathered = Gathered { input, size: self.size, drops: false, rows: Vec::new(), ended: false };
        let (row, dtype, arena) = (self.row.clone(), self.dtype, self.arena.clone());
        Ok(Box::new(SparseBatchIter { gathered, row, dtype, arena }))
    }
}

struct SparseBatchIter {
    gathered: Gathered,
    row: Arc<[Option<usize>]>,
    dtype: DType,
    arena: Arc<Arena>,
}

impl SparseBatchIter {
    /// Combines elements into the rows of a sparse tensor, held by a vector of three variants.
    fn batch(&self, rows: &[Tuple]) -> Result<Tuple> {
        let parts: Vec<&Tensor> = rows.iter().filter_map(|row| row.first()).collect();
        let mut dims: Vec<usize> = self.row.iter().map(|dim| dim.unwrap_or(0)).collect();
        for part in &parts {
            let shape = part.shape();
            if shape.rank() != dims.len() {
                return Err(Error::invalid(format!(
                    "Input element had shape ({shape}) that is incompatible with the row shape {:?}.",
                    self.row
                )));
            }
            for (axis, (&found, given)) in shape.iter().zip(self.row.iter()).enumerate() {
                match given {
                    None => dims[axis] = dims[axis].max(found),
                    Some(most) if found > *most => {
                        return Err(Error::data_loss(format!(
                            "Input element had shape {shape} that is larger than the row shape in dimension {axis}: \
                             {found} > {most}."
                        )));
                    }
                    Some(_) => {}
                }
            }
        }
        let total: usize = parts.iter().map(|part| part.num_elements()).sum();
        let width = dims.len() + 1;
        self.arena.check(total.saturating_mul(width).saturating_mul(8))?;
        let mut indices = Vec::with_capacity(total * width);
        for (i, part) in parts.iter().enumerate() {
            let shape = part.shape().dims();
            let mut index = vec![0i64; shape.len()];
            for _ in 0..part.num_elements() {
                indices.push(i as i64);
                indices.extend_from_slice(&index);
                for axis in (0..shape.len()).rev() {
                    index[axis] += 1;
                    if index[axis] < shape[axis] as i64 {
                        break;
                    }
                    index[axis] = 0;
                }
            }
        }
        let values = rows::join(&self.arena, self.dtype, Shape::vector(total), parts.iter().copied())?;
        let sizes = std::iter::once(parts.len()).chain(dims).map(|dim| dim as i64).collect::<Vec<_>>();
        let indices = Tensor::from_vec(Shape::new([total, width])?, indices)?;
        Ok(vec![Tensor::vector([indices, values, Tensor::vector(sizes)].map(held).to_vec())])
    }
}

/// Wraps a tensor in a variant, as in the representation of sparse tensors.
pub(crate) fn held(tensor: Tensor) -> Variant {
    let (type_name, metadata) = ("tensorflow::Tensor".into(), Default::default());
    Variant::new(EncodedVariant { type_name, metadata, tensors: vec![tensor] })
}

impl Iter for SparseBatchIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let rows = ready!(self.gathered.poll(turn))?;
        Poll::Ready(rows.map(|rows| self.batch(&rows)).transpose())
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        self.gathered.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.gathered.restore(from)
    }
}
