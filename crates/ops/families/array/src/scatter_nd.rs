//! `ScatterNd` and its siblings: write slices into a tensor at index tuples.

use super::gather_nd::{GATHER_ND, ignores_bad_indices};
use crate::moves::{Cell, owned, shape_of_dims, slice_numbers};
use crate::prelude::*;
use crate::rules::{Handles, NONE};

/// How an update is combined with the existing element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Update {
    /// Replaces the slice.
    Replace,
    /// Adds to the slice.
    Add,
    /// Subtracts from the slice.
    Subtract,
    /// Takes the minimum.
    Min,
    /// Takes the maximum.
    Max,
}

/// How a vector of indices is interpreted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Vectors {
    /// It is rejected.
    Refused,
    /// As row indices, of which only the first counts, as in TensorFlow.
    FirstRow,
}

/// Checks that `updates` has a slice of a tensor of shape `shape` for each index tuple of `indices`.
///
/// # Errors
/// `INVALID_ARGUMENT` otherwise.
pub fn check(shape: &Shape, indices: &Shape, updates: &Shape, target_is_empty: bool, vectors: Vectors) -> Result<()> {
    for (what, shape) in [("Indices", indices), ("Updates", updates)] {
        if shape.is_scalar() {
            return Err(Error::invalid(format!("{what} shape must have rank at least one. Found:{shape}")));
        }
    }
    let (some_indices, some_updates) = (indices.num_elements() > 0, updates.num_elements() > 0);
    if (some_indices || some_updates) && !(some_indices && some_updates && !target_is_empty) {
        return Err(Error::invalid("Indices and updates specified for empty output shape"));
    }
    if indices.rank() == 1 && some_indices {
        let fits = shape.rank() == updates.rank() && updates[0] == indices[0] && updates[1..] == shape[1..];
        if vectors == Vectors::Refused || !fits {
            return Err(Error::invalid(format!(
                "indices[shape={indices}] do not fit updates[shape={updates}] and input[shape={shape}]"
            ))
            .help("give indices a last axis for the coordinates of each slice"));
        }
        return Ok(());
    }
    let (depth, outer) = (indices[indices.rank() - 1], &indices[..indices.rank() - 1]);
    let batch = outer.len();
    if updates.len() < batch || updates[..batch] != *outer {
        return Err(Error::invalid(format!(
            "Dimensions [0,{batch}) of indices[shape={indices}] must match dimensions [0,{batch}) of \
             updates[shape={updates}]"
        )));
    }
    if depth > shape.rank() || updates[batch..] != shape[depth..] {
        return Err(Error::invalid(format!(
            "Dimensions [{depth},{}) of input[shape={shape}] must match dimensions [{batch},{}) of \
             updates[shape={updates}]",
            shape.rank(),
            updates.rank()
        )));
    }
    Ok(())
}

fn each<T: Element>(
    out: &mut Tensor,
    updates: &Tensor,
    numbers: &[Option<usize>],
    width: usize,
    update: impl Fn(&mut T, &T),
) -> Result<()> {
    let (out, updates) = (out.slice_mut::<T>()?, updates.slice::<T>()?);
    for (number, new) in numbers.iter().zip(updates.chunks_exact(width)) {
        if let Some(n) = number {
            out[n * width..(n + 1) * width].iter_mut().zip(new).for_each(|(o, v)| update(o, v));
        }
    }
    Ok(())
}

/// Updates the slices of `out` at the index tuples of `indices`.
pub fn scatter(out: &mut Tensor, indices: &Tensor, updates: &Tensor, update: Update, ignore: bool) -> Result<()> {
    if updates.num_elements() == 0 {
        return Ok(());
    }
    let first = match indices.shape().rank() {
        1 => Some(indices.rows(0..1)?.reshaped(Shape::new([1, 1])?)?),
        _ => None,
    };
    let indices = first.as_ref().unwrap_or(indices);
    let depth = indices.shape()[indices.shape().rank() - 1];
    let dtype = out.dtype();
    let numbers = slice_numbers(indices, &out.shape()[..depth], ignore)?;
    let width: usize = out.shape()[depth..].iter().product();
    let no_such = || Err(Error::unimplemented(format!("this scatter of {dtype}")));
    match (update, dtype) {
        (Update::Replace, _) => cells!(dtype, |T| {
            let (out, updates) = (T::cells_mut(out)?, T::cells(updates)?);
            for (number, new) in numbers.iter().zip(updates.chunks_exact(width)) {
                if let Some(n) = number {
                    out[n * width..(n + 1) * width].clone_from_slice(new);
                }
            }
            Ok(())
        }),
        (Update::Add, DType::Bool) => each::<bool>(out, updates, &numbers, width, |o, v| *o |= v),
        (Update::Subtract, DType::Bool) => each::<bool>(out, updates, &numbers, width, |o, v| *o ^= v),
        (Update::Add, DType::Str) => {
            each::<Bytes>(out, updates, &numbers, width, |o, v| *o = [&o[..], &v[..]].concat().into())
        }
        (Update::Add, _) => dispatch!(dtype, numbers, |T| {
            each::<T>(out, updates, &numbers, width, |o, v| *o = Number::add(*o, *v))
        }, else no_such()),
        (Update::Subtract, _) => dispatch!(dtype, numbers, |T| {
            each::<T>(out, updates, &numbers, width, |o, v| *o = Number::sub(*o, *v))
        }, else no_such()),
        // Like C++'s std::min and std::max: if one is NaN, the existing value stays.
        (Update::Min, _) => dispatch!(dtype, reals, |T| {
            each::<T>(out, updates, &numbers, width, |o, v| if *v < *o { *o = *v })
        }, else no_such()),
        (Update::Max, _) => dispatch!(dtype, reals, |T| {
            each::<T>(out, updates, &numbers, width, |o, v| if *o < *v { *o = *v })
        }, else no_such()),
    }
}

attrs! {
    /// Returns a tensor of shape `shape` that holds the sums of the slices `updates` at the index tuples `indices`, and
    /// 0 elsewhere.
    pub struct ScatterNd {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `indices` and `shape`.
        index: DType = Attr::dtype("Tindices", &[DType::I16, DType::I32, DType::I64]),
        /// Handling of out-of-bounds indices: an error by default; with `IGNORE` their updates are skipped.
        policy: String = Attr::string("bad_indices_policy").or_str(""),
    }
}

pub static SCATTER_ND: Def<ScatterNd> = op::<ScatterNd>("ScatterNd")
    .inputs(&[arg("indices", of("Tindices")), arg("updates", of("T")), arg("shape", of("Tindices"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        cx.output(0, cx.constant_shape(2));
        Ok(())
    })
    .host_inputs(&[2])
    .gradient(|_, g| vec![NONE, GATHER_ND.call([g.dy(0), g.input(0)]).into(), NONE])
    .kernel(scatter_nd)
    .heavy()
    .batch(|op, b| {
        let rank = b.rank(0)?;
        if rank == 0 || b.varies(2) {
            return None;
        }
        let shape = b.concat(&[b.size1().cast(op.index), b.input(2)]);
        b.one(b.again(&[numbered(b, b.each(0), rank), b.each(1), shape]))
    });

fn scatter_nd(op: &ScatterNd, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (indices, updates, sizes) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    if sizes.shape().rank() != 1 {
        return Err(Error::invalid("Shape must be a vector"));
    }
    let shape = shape_of_dims(sizes, "shape")?;
    let is_empty = sizes.num_elements() == 0 || shape.num_elements() == 0;
    check(&shape, indices.shape(), updates.shape(), is_empty, Vectors::Refused)?;
    let mut out = cx.zeros(op.dtype, &shape)?;
    scatter(&mut out, indices, updates, Update::Add, ignores_bad_indices(&op.policy)?)?;
    cx.set(0, out);
    Ok(())
}

attrs! {
    /// The attrs of ops that update slices of a tensor.
    pub struct TensorScatter {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", &[DType::I16, DType::I32, DType::I64, DType::U16]),
        /// Handling of out-of-bounds indices: an error by default; with `IGNORE` their updates are skipped.
        policy: String = Attr::string("bad_indices_policy").or_str(""),
    }
}

const TENSOR: &[Arg] = &[arg("tensor", of("T")), arg("indices", of("Tindices")), arg("updates", of("T"))];
const OUTPUT: &[Arg] = &[arg("output", of("T"))];

const fn changed(name: &'static str, kernel: fn(&TensorScatter, &mut Cx<'_, '_>) -> Result<()>) -> Def<TensorScatter> {
    const INDICES: &[AttrSpec] = &[Attr::dtype("Tindices", sets::INDEX)];
    op(name).attrs(INDICES).inputs(TENSOR).outputs(OUTPUT).shape(same_as_input).kernel(kernel).heavy()
}

fn change(op: &TensorScatter, cx: &mut Cx<'_, '_>, update: Update, vectors: Vectors) -> Result<()> {
    let (tensor, indices, updates) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    check(tensor.shape(), indices.shape(), updates.shape(), tensor.num_elements() == 0, vectors)?;
    let mut out = owned(cx, 0)?;
    scatter(&mut out, cx.input(1)?, cx.input(2)?, update, ignores_bad_indices(&op.policy)?)?;
    cx.set(0, out);
    Ok(())
}

pub static SCATTER_ND_NON_ALIASING_ADD: Def<TensorScatter> =
    changed("ScatterNdNonAliasingAdd", |op, cx| change(op, cx, Update::Add, Vectors::FirstRow))
        .doc("Returns `input` with `updates` added at the index tuples `indices`.")
        .inputs(&[arg("input", of("T")), arg("indices", of("Tindices")), arg("updates", of("T"))])
        .gradient(added)
        .batch(|_, b| {
            let rank = b.rank(1)?;
            if rank < 2 {
                return None;
            }
            b.one(b.again(&[b.each(0), numbered(b, b.each(1), rank), b.each(2)]))
        });

pub static TENSOR_SCATTER_ADD: Def<TensorScatter> =
    changed("TensorScatterAdd", |op, cx| change(op, cx, Update::Add, Vectors::Refused))
        .doc("Returns `tensor` with `updates` added at the index tuples `indices`.")
        .gradient(added)
        .batch(|_, b| {
            let rank = b.rank(1)?;
            if rank < 2 {
                return None;
            }
            b.one(b.again(&[b.each(0), numbered(b, b.each(1), rank), b.each(2)]))
        });

pub static TENSOR_SCATTER_MAX: Def<TensorScatter> =
    changed("TensorScatterMax", |op, cx| change(op, cx, Update::Max, Vectors::Refused))
        .doc("Takes the elementwise maximum of `tensor` and `updates` at the index tuples `indices`.")
        .gradient(extremum)
        .batch(|_, b| {
            let rank = b.rank(1)?;
            if rank < 2 {
                return None;
            }
            b.one(b.again(&[b.each(0), numbered(b, b.each(1), rank), b.each(2)]))
        });

pub static TENSOR_SCATTER_MIN: Def<TensorScatter> =
    changed("TensorScatterMin", |op, cx| change(op, cx, Update::Min, Vectors::Refused))
        .doc("Takes the elementwise minimum of `tensor` and `updates` at the index tuples `indices`.")
        .gradient(extremum)
        .batch(|_, b| {
            let rank = b.rank(1)?;
            if rank < 2 {
                return None;
            }
            b.one(b.again(&[b.each(0), numbered(b, b.each(1), rank), b.each(2)]))
        });

pub static TENSOR_SCATTER_SUB: Def<TensorScatter> =
    changed("TensorScatterSub", |op, cx| change(op, cx, Update::Subtract, Vectors::Refused))
        .doc("Returns `tensor` with `updates` subtracted at the index tuples `indices`.")
        .gradient(|_, g| vec![g.dy(0).into(), NONE, (-GATHER_ND.call([g.dy(0), g.input(1)])).into()])
        .batch(|_, b| {
            let rank = b.rank(1)?;
            if rank < 2 {
                return None;
            }
            b.one(b.again(&[b.each(0), numbered(b, b.each(1), rank), b.each(2)]))
        });

pub static TENSOR_SCATTER_UPDATE: Def<TensorScatter> =
    changed("TensorScatterUpdate", |op, cx| change(op, cx, Update::Replace, Vectors::Refused))
        .doc("Returns `tensor` with the slices at the index tuples `indices` replaced by `updates`.")
        .attrs(&[])
        .gradient(|_, g| {
            let (indices, dy) = (g.input(1), g.dy(0));
            let rest = TENSOR_SCATTER_UPDATE.call([dy, indices, g.input(2).zeros_like()]);
            vec![rest.into(), NONE, GATHER_ND.call([dy, indices]).into()]
        })
        .batch(|_, b| {
            let rank = b.rank(1)?;
            if rank < 2 {
                return None;
            }
            b.one(b.again(&[b.each(0), numbered(b, b.each(1), rank), b.each(2)]))
        });

/// The gradient of sums with slices.
fn added(_: &TensorScatter, g: &GradCx) -> Grads {
    vec![g.dy(0).into(), NONE, GATHER_ND.call([g.dy(0), g.input(1)]).into()]
}

/// If several elements tie for the minimum or maximum of a position, the gradient is split equally among them.
fn extremum(_: &TensorScatter, g: &GradCx) -> Grads {
    let (x, indices, updates, out, dy) = (g.input(0), g.input(1), g.input(2), g.output(0), g.dy(0));
    let from_x = x.equal(out).cast(dy.dtype());
    let chosen = updates.equal(GATHER_ND.call([out, indices])).cast(dy.dtype());
    let shape = x.dims().cast(indices.dtype());
    let share = dy / (from_x + SCATTER_ND.call([indices, chosen, shape]));
    vec![(share * from_x).into(), NONE, (GATHER_ND.call([share, indices]) * chosen).into()]
}

/// Prefixes each example's indices with the number of the example. `rank` is the rank of one example's indices.
pub(super) fn numbered<'g>(b: &BatchCx<'g>, indices: V<'g>, rank: usize) -> V<'g> {
    let g = b.g();
    let rows = crate::rules::range(g, b.size()).cast(indices.dtype());
    let rows = rows.reshape(g.ints(&[&[-1], &vec![1; rank][..]].concat()));
    let dims = b.concat(&[b.dims(indices).slice1(0, rank as i32), g.ints(&[1])]);
    crate::rules::concat(g, &[rows.broadcast_to(dims), indices], -1)
}
