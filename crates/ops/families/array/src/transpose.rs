//! `Transpose` and `ConjugateTranspose`: permute axes.

use super::invert_permutation::INVERT_PERMUTATION;
use crate::moves::{Axis, Layout, Mover, axis_of, rearrange};
use crate::prelude::*;
use crate::rules::first;

attrs! {
    /// Permutes the axes: axis `i` of the result is axis `perm[i]` of `x`.
    pub struct Transpose {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `perm`.
        index: DType = Attr::dtype("Tperm", sets::INDEX).or_type(DType::I32),
    }
}

const INPUTS: &[Arg] = &[arg("x", of("T")), arg("perm", of("Tperm"))];
const OUTPUTS: &[Arg] = &[arg("y", of("T"))];

/// Checks that `perm` is a permutation of `0..rank`.
fn permutation(perm: &[i64], rank: usize) -> Result<Vec<usize>> {
    if perm.len() != rank {
        return Err(Error::invalid(format!(
            "transpose expects a vector of size {rank}. But input(1) is a vector of size {}",
            perm.len()
        )));
    }
    let mut seen = vec![false; rank];
    perm.iter()
        .map(|&p| {
            let axis = axis_of(p, rank).ok_or_else(|| Error::invalid(format!("{p} is out of range [0 .. {rank})")))?;
            if std::mem::replace(&mut seen[axis], true) {
                return Err(Error::invalid(format!("{p} is duplicated in the permutation {perm:?}")));
            }
            Ok(axis)
        })
        .collect()
}

fn infer(cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.input(0);
    let shape = match (input.dims(), cx.constant_i64s(1)) {
        (Some(dims), Some(perm)) => PartialShape::new(permutation(&perm, dims.len())?.iter().map(|&p| dims[p])),
        (Some(dims), None) => PartialShape::of_rank(dims.len()),
        (None, Some(perm)) => PartialShape::of_rank(perm.len()),
        (None, None) => PartialShape::Unknown,
    };
    cx.output(0, shape);
    Ok(())
}

/// Returns input 0 with its axes permuted by input 1.
fn transposed<D: Mover>(cx: &mut KernelCx<'_, '_, D>) -> Result<Tensor> {
    let perm = cx.input(1)?;
    if perm.shape().rank() != 1 {
        return Err(Error::invalid(format!("perm must be rank 1, got shape {}", perm.shape())));
    }
    let input = cx.input(0)?;
    let perm = permutation(&perm.to_i64s()?, input.shape().rank())?;
    let dims = input.shape().dims();
    let shape = Shape::new(perm.iter().map(|&p| dims[p]))?;
    // If only axes of size 1 move, the elements keep their order.
    let moved: Vec<usize> = perm.iter().copied().filter(|&p| dims[p] != 1).collect();
    if moved.is_sorted() {
        return cx.take(0)?.reshaped(shape);
    }
    let strides = input.shape().strides();
    let layout = Layout::new(perm.iter().map(|&p| Axis::strided(dims[p], 0, strides[p] as isize)));
    rearrange(cx, input, &layout, &shape, None)
}

pub static TRANSPOSE: Def<Transpose> = op::<Transpose>("Transpose")
    .keeps_finite()
    .inputs(INPUTS)
    .outputs(OUTPUTS)
    .shape(|_, cx| infer(cx))
    .gradient(|_, g| first(g, TRANSPOSE.call([g.dy(0), INVERT_PERMUTATION.call([g.input(1)])])))
    .kernel(transpose::<Cpu>)
    .heavy()
    .host_inputs(&[1])
    .tiles(Stage::Moves, |_, inputs| {
        let &[Given { shape, .. }, Given { value: Some(perm), .. }] = inputs else { return None };
        let perm = permutation(&perm.to_i64s().ok()?, shape.rank()).ok()?;
        let shape = Shape::new(perm.iter().map(|&axis| shape[axis])).ok()?;
        Some(Cuts { shape, axes: perm.into_iter().map(|axis| Some(Cut::from_slice(&[Some(axis), None]))).collect() })
    })
    .batch(|op, b| {
        if b.varies(1) {
            return None;
        }
        let first = b.g().ints(&[0]).cast(op.index);
        b.one(b.again(&[b.input(0), b.concat(&[first, b.input(1) + 1.0])]))
    });

/// The kernel of `Transpose`, on any device that moves elements.
pub fn transpose<D: Mover>(_: &Transpose, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let out = transposed(cx)?;
    cx.set(0, out);
    Ok(())
}

pub static CONJUGATE_TRANSPOSE: Def<Transpose> = op::<Transpose>("ConjugateTranspose")
    .doc("Like `Transpose`, and conjugates complex numbers.")
    .inputs(INPUTS)
    .outputs(OUTPUTS)
    .shape(|_, cx| infer(cx))
    .gradient(|_, g| first(g, CONJUGATE_TRANSPOSE.call([g.dy(0), INVERT_PERMUTATION.call([g.input(1)])])))
    .kernel(conjugate_transpose)
    .heavy()
    .batch(|op, b| {
        if b.varies(1) {
            return None;
        }
        let first = b.g().ints(&[0]).cast(op.index);
        b.one(b.again(&[b.input(0), b.concat(&[first, b.input(1) + 1.0])]))
    });

fn conjugate_transpose(op: &Transpose, cx: &mut Cx<'_, '_>) -> Result<()> {
    let mut out = transposed(cx)?;
    match op.dtype {
        DType::C64 => out.slice_mut::<Complex32>()?.iter_mut().for_each(|z| *z = z.conj()),
        DType::C128 => out.slice_mut::<Complex64>()?.iter_mut().for_each(|z| *z = z.conj()),
        _ => (),
    }
    cx.set(0, out);
    Ok(())
}
