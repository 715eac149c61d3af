//! `DenseToDenseSetOperation`, `DenseToSparseSetOperation`, `SparseToSparseSetOperation`.

use super::values::{Sets, TYPES, members};
use crate::coo;
use crate::prelude::*;
use levada_ops_core::rules::never;
use std::cmp::Ordering;
use std::collections::BTreeSet;

attrs! {
    /// Computes the difference, intersection or union of sets along the last axis of two dense tensors.
    pub struct SetOperation {
        /// `a-b`, `b-a`, `intersection` or `union`.
        operation: String = Attr::string("set_operation"),
        /// Whether to check that indices are sorted and in bounds.
        validate: bool = Attr::bool("validate_indices").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("T", TYPES),
    }
}

pub static SET_OPERATION: Def<SetOperation> = op::<SetOperation>("DenseToDenseSetOperation")
    .inputs(&[arg("set1", of("T")), arg("set2", of("T"))])
    .outputs(&[
        arg("result_indices", is(DType::I64)),
        arg("result_values", of("T")),
        arg("result_shape", is(DType::I64)),
    ])
    .also(&[
        form("DenseToSparseSetOperation")
            .doc(
                "Computes the difference, intersection or union of sets along the last axis of a dense and a sparse \
                tensor.",
            )
            .inputs(&[
                arg("set1", of("T")),
                arg("set2_indices", is(DType::I64)),
                arg("set2_values", of("T")),
                arg("set2_shape", is(DType::I64)),
            ]),
        form("SparseToSparseSetOperation")
            .doc("Computes the difference, intersection or union of sets along the last axis of two sparse tensors.")
            .inputs(&[
                arg("set1_indices", is(DType::I64)),
                arg("set1_values", of("T")),
                arg("set1_shape", is(DType::I64)),
                arg("set2_indices", is(DType::I64)),
                arg("set2_values", of("T")),
                arg("set2_shape", is(DType::I64)),
            ]),
    ])
    .shape(|_, cx| {
        let (first, second) = match cx.num_inputs() {
            2 => (dense_rank(cx, 0)?, dense_rank(cx, 1)?),
            4 => (dense_rank(cx, 0)?, sparse_rank(cx, 3)?),
            _ => (sparse_rank(cx, 2)?, sparse_rank(cx, 5)?),
        };
        let rank = first.or(second);
        cx.output(0, PartialShape::new([None, rank]));
        cx.output_vector(1, None);
        cx.output_vector(2, rank);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let operation = Operation::parse(&op.operation)?;
        members!(op.dtype, |T| match cx.num_inputs() {
            2 => dense_to_dense::<T>(cx, operation),
            4 => dense_to_sparse::<T>(cx, operation, op.validate),
            _ => sparse_to_sparse::<T>(cx, operation, op.validate),
        }, else Err(coo::unsupported(cx.node().op, op.dtype)))
    })
    .heavy();

/// Returns the rank of the dense tensor in input `i`.
fn dense_rank(cx: &ShapeCx<'_>, i: usize) -> Result<Option<usize>> {
    at_least_two(i, cx.input(i).rank())
}

/// Returns the rank of the sparse tensor whose shape is input `i`.
fn sparse_rank(cx: &ShapeCx<'_>, i: usize) -> Result<Option<usize>> {
    at_least_two(i, cx.with_rank(i, 1)?.dim(0))
}

fn at_least_two(i: usize, rank: Option<usize>) -> Result<Option<usize>> {
    match rank {
        Some(rank) if rank < 2 => Err(Error::invalid(format!("Input {i} expected rank >= 2, got {rank}."))),
        rank => Ok(rank),
    }
}

#[derive(Clone, Copy)]
enum Operation {
    FirstOnly,
    SecondOnly,
    Both,
    Either,
}

impl Operation {
    fn parse(name: &str) -> Result<Operation> {
        match name.to_ascii_lowercase().as_str() {
            "a-b" => Ok(Operation::FirstOnly),
            "b-a" => Ok(Operation::SecondOnly),
            "intersection" => Ok(Operation::Both),
            "union" => Ok(Operation::Either),
            _ => Err(Error::invalid(format!("Invalid set_operation {name}."))),
        }
    }

    fn apply<'a, T: Ord>(self, a: &BTreeSet<&'a T>, b: &BTreeSet<&'a T>) -> Vec<&'a T> {
        match self {
            Operation::FirstOnly => a.difference(b).copied().collect(),
            Operation::SecondOnly => b.difference(a).copied().collect(),
            Operation::Both => a.intersection(b).copied().collect(),
            Operation::Either => a.union(b).copied().collect(),
        }
    }
}

/// The resulting sets so far.
struct Found<T> {
    indices: Vec<i64>,
    values: Vec<T>,
    most: usize,
    shape: Shape,
}

impl<T: Element> Found<T> {
    fn new(shape: Shape) -> Found<T> {
        Found { indices: Vec::new(), values: Vec::new(), most: 0, shape }
    }

    fn push(&mut self, place: &[i64], values: &[&T]) {
        for (i, &value) in values.iter().enumerate() {
            self.indices.extend_from_slice(place);
            self.indices.push(i as i64);
            self.values.push(value.clone());
        }
        self.most = self.most.max(values.len());
    }

    fn set(self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let mut shape = self.shape.to_signed();
        shape.push(self.most as i64);
        cx.set(0, coo::indices(shape.len(), self.values.len(), self.indices)?);
        cx.set(1, Tensor::vector(self.values));
        cx.set(2, Tensor::vector(shape));
        Ok(())
    }
}

/// Returns the shape of the sets formed by the rows of a dense tensor, and their width.
fn rows(tensor: &Tensor) -> Result<(Shape, usize)> {
    match tensor.shape().dims() {
        [outer @ .., width] if !outer.is_empty() => Ok((Shape::new(outer.iter().copied())?, *width)),
        dims => Err(Error::invalid(format!("Shape {} has rank {} < 2", tensor.shape(), dims.len()))),
    }
}

fn same(a: &Shape, b: &Shape) -> Result<()> {
    if a == b { Ok(()) } else { Err(Error::invalid(format!("Mismatched shapes {a} vs {b}"))) }
}

/// Calls `f` with the linear and the multi-dimensional index of each position of a shape.
fn each_place(shape: &Shape, mut f: impl FnMut(usize, &[i64])) {
    let mut place = vec![0i64; shape.rank()];
    for n in 0..shape.num_elements() {
        f(n, &place);
        for (p, &d) in place.iter_mut().zip(shape.iter()).rev() {
            *p += 1;
            if *p < d as i64 {
                break;
            }
            *p = 0;
        }
    }
}

/// Checks that there is memory for the sets: rows of width 0 take none in the input.
fn check_memory(cx: &Cx<'_, '_>, shape: &Shape) -> Result<()> {
    cx.device.arena.check(shape.num_elements())
}

fn dense_to_dense<T: Element + Ord>(cx: &mut Cx<'_, '_>, operation: Operation) -> Result<()> {
    let ((shape, n), (other, m)) = (rows(cx.input(0)?)?, rows(cx.input(1)?)?);
    same(&shape, &other)?;
    let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
    let mut found = Found::new(shape.clone());
    if n + m > 0 {
        each_place(&shape, |row, place| {
            let (a, b) = (a[row * n..(row + 1) * n].iter().collect(), b[row * m..(row + 1) * m].iter().collect());
            found.push(place, &operation.apply(&a, &b));
        });
    }
    found.set(cx)
}

fn dense_to_sparse<T: Element + Ord>(cx: &mut Cx<'_, '_>, operation: Operation, validate: bool) -> Result<()> {
    let sets = Sets::<T>::input(cx, 1, validate)?;
    let (shape, n) = rows(cx.input(0)?)?;
    same(&shape, &sets.shape()?)?;
    let a = cx.slice::<T>(0)?;
    let mut found = Found::new(shape.clone());
    let mut groups = sets.groups();
    let mut next = groups.next().transpose()?;
    let mut fault = None;
    if n > 0 || next.is_some() {
        check_memory(cx, &shape)?;
        each_place(&shape, |row, place| {
            let mut b = BTreeSet::new();
            if fault.is_none() && next.as_ref().is_some_and(|(at, _)| *at == place) {
                b = next.take().map(|(_, values)| values).unwrap_or_default();
                match groups.next().transpose() {
                    Ok(group) => next = group,
                    Err(error) => fault = Some(error),
                }
            }
            found.push(place, &operation.apply(&a[row * n..(row + 1) * n].iter().collect(), &b));
        });
    }
    drop(groups);
    match fault {
        Some(error) => Err(error),
        None => found.set(cx),
    }
}

fn sparse_to_sparse<T: Element + Ord>(cx: &mut Cx<'_, '_>, operation: Operation, validate: bool) -> Result<()> {
    let (a, b) = (Sets::<T>::input(cx, 0, validate)?, Sets::<T>::input(cx, 3, validate)?);
    let shape = a.shape()?;
    same(&shape, &b.shape()?)?;
    let mut found = Found::new(shape);
    let (mut firsts, mut seconds) = (a.groups(), b.groups());
    let (mut first, mut second) = (firsts.next().transpose()?, seconds.next().transpose()?);
    let none = BTreeSet::new();
    loop {
        let order = match (&first, &second) {
            (Some((x, _)), Some((y, _))) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => break,
        };
        let x = first.as_ref().filter(|_| order.is_le());
        let y = second.as_ref().filter(|_| order.is_ge());
        let place = x.or(y).map_or(&[][..], |(place, _)| *place);
        let sets = (x.map_or(&none, |(_, values)| values), y.map_or(&none, |(_, values)| values));
        found.push(place, &operation.apply(sets.0, sets.1));
        if order.is_le() {
            first = firsts.next().transpose()?;
        }
        if order.is_ge() {
            second = seconds.next().transpose()?;
        }
    }
    drop((firsts, seconds));
    found.set(cx)
}
