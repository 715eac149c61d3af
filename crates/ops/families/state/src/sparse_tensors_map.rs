//! `AddSparseToTensorsMap`, `AddManySparseToTensorsMap` and `TakeManySparseFromTensorsMap`: sparse tensors stored
//! under scalar handles, which can pass through a queue.

use crate::prelude::*;
use crate::rows;
use crate::variable::{container_here, resource_name};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// A sparse tensor: indices `[n, rank]`, values `[n]`, and the dense shape.
struct Sparse {
    indices: Vec<i64>,
    values: Tensor,
    shape: Vec<i64>,
}

#[derive(Default)]
struct Entries {
    next: i64,
    entries: HashMap<i64, Sparse>,
}

/// Sparse tensors by handle.
#[derive(Default)]
struct Map {
    /// Protects the entries and the next handle.
    entries: Mutex<Entries>,
}

impl Map {
    fn add(&self, sparse: impl IntoIterator<Item = Sparse>) -> Vec<i64> {
        let mut guard = self.entries.lock();
        let Entries { next, entries } = &mut *guard;
        let add = |sparse| {
            let number = *next;
            *next += 1;
            entries.insert(number, sparse);
            number
        };
        sparse.into_iter().map(add).collect()
    }
}

fn map_of(cx: &Cx<'_, '_>, container: &str, shared_name: &str) -> Result<Arc<Map>> {
    let container = container_here(container, cx);
    cx.env().resources.get_or_create(&container, resource_name(shared_name, cx), || Ok(Map::default()))
}

/// Returns the sparse tensor in inputs 0 to 2.
fn sparse_input(cx: &Cx<'_, '_>) -> Result<(Sparse, usize)> {
    let (indices, values, shape) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let wrong = |what: &str, expected: &str, found: &Shape| {
        Err(Error::invalid(format!("Input {what} should be a {expected} but received shape {found}")))
    };
    if indices.shape().rank() != 2 {
        return wrong("indices", "matrix", indices.shape());
    }
    if values.shape().rank() != 1 {
        return wrong("values", "vector", values.shape());
    }
    if shape.shape().rank() != 1 {
        return wrong("shape", "vector", shape.shape());
    }
    let rank = shape.num_elements();
    if indices.shape()[0] != values.num_elements() || indices.shape()[1] != rank {
        return Err(Error::invalid(format!(
            "Number of values must match first dimension of indices, and their second the rank: indices {}, values {}, \
             rank {rank}",
            indices.shape(),
            values.shape()
        )));
    }
    let (indices, shape) = (indices.slice::<i64>()?.to_vec(), shape.slice::<i64>()?.to_vec());
    for (at, index) in indices.chunks_exact(rank.max(1)).enumerate() {
        if !index.iter().zip(&shape).all(|(i, d)| (0..*d).contains(i)) {
            return Err(Error::invalid(format!(
                "indices[{at}] = {index:?} is out of bounds: need 0 <= index < {shape:?}"
            )));
        }
    }
    Ok((Sparse { indices, values: values.clone(), shape }, rank))
}

attrs! {
    /// Stores a sparse tensor and returns its handle.
    pub struct AddSparseToTensorsMap {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Container that holds the sparse tensors; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

const SPARSE: &[Arg] =
    &[arg("sparse_indices", is(DType::I64)), arg("sparse_values", of("T")), arg("sparse_shape", is(DType::I64))];

pub static ADD_SPARSE_TO_TENSORS_MAP: Def<AddSparseToTensorsMap> =
    op("AddSparseToTensorsMap").inputs(SPARSE).outputs(&[arg("sparse_handle", is(DType::I64))]).stateful().kernel(
        |op, cx| {
            let (sparse, _) = sparse_input(cx)?;
            let numbers = map_of(cx, &op.container, &op.shared_name)?.add([sparse]);
            cx.set(0, Tensor::scalar(numbers.first().copied().unwrap_or(0)));
            Ok(())
        },
    );

pub static ADD_MANY_SPARSE_TO_TENSORS_MAP: Def<AddSparseToTensorsMap> = op("AddManySparseToTensorsMap")
    .doc("Stores each row of a sparse tensor as a separate sparse tensor and returns their handles.")
    .inputs(SPARSE)
    .outputs(&[arg("sparse_handles", is(DType::I64))])
    .stateful()
    .kernel(add_many);

fn add_many(op: &AddSparseToTensorsMap, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (sparse, rank) = sparse_input(cx)?;
    let map = map_of(cx, &op.container, &op.shared_name)?;
    if rank < 2 {
        return Err(Error::invalid(format!("Rank of input SparseTensor should be > 1, but saw rank: {rank}")));
    }
    let rows = split(&sparse, rank, &cx.device.arena)?;
    // Nonempty rows come first, as in TensorFlow.
    let (some, none): (Vec<_>, Vec<_>) = rows.into_iter().enumerate().partition(|(_, r)| r.values.num_elements() > 0);
    let (places, rows): (Vec<usize>, Vec<Sparse>) = some.into_iter().chain(none).unzip();
    let mut numbers = vec![0; rows.len()];
    places.into_iter().zip(map.add(rows)).for_each(|(place, number)| numbers[place] = number);
    cx.set(0, Tensor::vector(numbers));
    Ok(())
}

/// Returns the rows of a sparse tensor.
fn split(sparse: &Sparse, rank: usize, arena: &Arc<levada_kernel::Arena>) -> Result<Vec<Sparse>> {
    let n = usize::try_from(sparse.shape[0]).unwrap_or(0);
    // The sizes are just values in a tensor and say nothing about available memory.
    arena.check(n.saturating_mul(size_of::<Sparse>() + size_of::<Vec<usize>>()))?;
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (at, index) in sparse.indices.chunks_exact(rank).enumerate() {
        places[index[0] as usize].push(at);
    }
    let row = |places: &Vec<usize>| -> Result<Sparse> {
        let values: Vec<Tensor> = places.iter().map(|&at| sparse.values.row(at)).collect::<Result<_>>()?;
        Ok(Sparse {
            indices: places.iter().flat_map(|&at| &sparse.indices[at * rank + 1..(at + 1) * rank]).copied().collect(),
            values: rows::join(arena, sparse.values.dtype(), Shape::vector(values.len()), values.iter())?,
            shape: sparse.shape[1..].to_vec(),
        })
    };
    places.iter().map(row).collect()
}

attrs! {
    /// Removes the sparse tensors with the given handles and stacks them along a new first axis.
    pub struct TakeManySparseFromTensorsMap {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Container that holds the sparse tensors; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static TAKE_MANY_SPARSE_FROM_TENSORS_MAP: Def<TakeManySparseFromTensorsMap> = op("TakeManySparseFromTensorsMap")
    .inputs(&[arg("sparse_handles", is(DType::I64))])
    .outputs(&[
        arg("sparse_indices", is(DType::I64)),
        arg("sparse_values", of("dtype")),
        arg("sparse_shape", is(DType::I64)),
    ])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 1)?;
        cx.output(0, PartialShape::of_rank(2));
        cx.output_vector(1, None);
        cx.output_vector(2, None);
        Ok(())
    })
    .kernel(take_many_sparse_from_tensors_map);

fn take_many_sparse_from_tensors_map(op: &TakeManySparseFromTensorsMap, cx: &mut Cx<'_, '_>) -> Result<()> {
    let numbers = cx.input(0)?;
    if numbers.shape().rank() != 1 {
        return Err(Error::invalid(format!(
            "sparse_handles should be a vector but received shape {}",
            numbers.shape()
        )));
    }
    let numbers = numbers.slice::<i64>()?;
    if numbers.is_empty() {
        return Err(Error::invalid("Must have at least 1 serialized SparseTensor, but input matrix has 0 rows"));
    }
    let map = map_of(cx, &op.container, &op.shared_name)?;
    let taken: Vec<Sparse> = {
        let mut guard = map.entries.lock();
        let take = |number: &i64| {
            guard.entries.remove(number).ok_or_else(|| {
                Error::invalid(format!("Unable to find SparseTensor: {number} in map: {}", op.shared_name))
            })
        };
        numbers.iter().map(take).collect::<Result<_>>()?
    };
    let rank = taken[0].shape.len();
    let mut shape = vec![0i64; rank];
    let mut indices = Vec::new();
    for (i, sparse) in taken.iter().enumerate() {
        if sparse.shape.len() != rank {
            return Err(Error::invalid(format!(
                "Inconsistent rank across SparseTensors: rank prior to SparseTensor[{i}] was: {rank} but rank of \
                 SparseTensor[{i}] is: {}",
                sparse.shape.len()
            )));
        }
        if sparse.values.dtype() != op.dtype {
            return Err(Error::invalid(format!(
                "Requested SparseTensor of type {} but SparseTensor[{i}].values.dtype() == {}",
                op.dtype,
                sparse.values.dtype()
            )));
        }
        shape.iter_mut().zip(&sparse.shape).for_each(|(s, &d)| *s = (*s).max(d));
        for index in sparse.indices.chunks_exact(rank.max(1)) {
            indices.push(i as i64);
            indices.extend_from_slice(index);
        }
    }
    shape.insert(0, taken.len() as i64);
    let total = taken.iter().map(|s| s.values.num_elements()).sum::<usize>();
    let values = rows::join(&cx.device.arena, op.dtype, Shape::vector(total), taken.iter().map(|s| &s.values))?;
    cx.set(0, Tensor::from_vec(Shape::new([total, rank + 1])?, indices)?);
    cx.set(1, values);
    cx.set(2, Tensor::vector(shape));
    Ok(())
}
