//! `BroadcastArgs` and `BroadcastGradientArgs`: the broadcast of two shapes.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Returns the shape that results from broadcasting the shapes `s0` and `s1` together.
    pub struct BroadcastArgs {
        /// Element type of the shapes.
        index: DType = Attr::dtype("T", sets::INDEX).or_type(DType::I32),
    }
}

attrs! {
    /// Returns the axes over which the gradients of two operands of shapes `s0` and `s1` must be summed.
    pub struct BroadcastGradientArgs {
        /// Element type of the shapes.
        index: DType = Attr::dtype("T", sets::INDEX).or_type(DType::I32),
    }
}

/// Returns the two shapes, padded with leading ones to the same rank.
fn aligned<T: Element + Copy + From<bool>>(cx: &Cx<'_, '_>) -> Result<(Vec<T>, Vec<T>)> {
    for i in [0, 1] {
        if cx.input(i)?.shape().rank() != 1 {
            return Err(Error::invalid(format!("In[{i}] must be a vector.{}", cx.input(i)?.shape())));
        }
    }
    let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
    let rank = a.len().max(b.len());
    let pad = |s: &[T]| std::iter::repeat_n(T::from(true), rank - s.len()).chain(s.iter().copied()).collect();
    Ok((pad(a), pad(b)))
}

fn incompatible<T: std::fmt::Debug>(a: &[T], b: &[T]) -> Error {
    Error::invalid(format!("Incompatible shapes: {a:?} vs. {b:?}"))
}

pub static BROADCAST_ARGS: Def<BroadcastArgs> = op("BroadcastArgs")
    .inputs(&[arg("s0", of("T")), arg("s1", of("T"))])
    .outputs(&[arg("r0", of("T"))])
    .counts("T")
    .shape(|_, cx| {
        let rank = cx.with_rank(0, 1)?.dim(0).zip(cx.with_rank(1, 1)?.dim(0)).map(|(a, b)| a.max(b));
        cx.output_vector(0, rank);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(broadcast_args);

fn broadcast_args(op: &BroadcastArgs, cx: &mut Cx<'_, '_>) -> Result<()> {
    dispatch!(op.index, index, |T| {
        let (a, b) = aligned::<T>(cx)?;
        let size = |(&x, &y): (&T, &T)| match (x, y) {
            _ if x == y => Some(x),
            (1, d) | (d, 1) => Some(d),
            _ => None,
        };
        let sizes: Option<Vec<T>> = a.iter().zip(&b).map(size).collect();
        cx.set(0, Tensor::vector(sizes.ok_or_else(|| incompatible(&a, &b))?));
        Ok(())
    }, else Err(Error::unimplemented(format!("BroadcastArgs of {}", op.index))))
}

pub static BROADCAST_GRADIENT_ARGS: Def<BroadcastGradientArgs> = op("BroadcastGradientArgs")
    .inputs(&[arg("s0", of("T")), arg("s1", of("T"))])
    .outputs(&[arg("r0", of("T")), arg("r1", of("T"))])
    .counts("T")
    .primitive(Primitive::BroadcastGradientArgs)
    .shape(|_, cx| {
        cx.with_rank(0, 1)?;
        cx.with_rank(1, 1)?;
        cx.output_vector(0, None);
        cx.output_vector(1, None);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(broadcast_gradient_args);

fn broadcast_gradient_args(op: &BroadcastGradientArgs, cx: &mut Cx<'_, '_>) -> Result<()> {
    dispatch!(op.index, index, |T| {
        let same = cx.slice::<T>(0)? == cx.slice::<T>(1)?;
        let (a, b) = aligned::<T>(cx)?;
        let (mut sum_a, mut sum_b) = (Vec::new(), Vec::new());
        for (i, (&x, &y)) in a.iter().zip(&b).enumerate().filter(|_| !same) {
            if x != y && x != 1 && y != 1 {
                return Err(incompatible(&a, &b));
            }
            if x == 1 {
                sum_a.push(i as T);
            }
            if y == 1 {
                sum_b.push(i as T);
            }
        }
        cx.set(0, Tensor::vector(sum_a));
        cx.set(1, Tensor::vector(sum_b));
        Ok(())
    }, else Err(Error::unimplemented(format!("BroadcastGradientArgs of {}", op.index))))
}
