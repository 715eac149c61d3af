//! `SoftmaxCrossEntropyWithLogits` and `SparseSoftmaxCrossEntropyWithLogits`: loss and gradient in one pass.

use super::logits::{Rows, exp_sum, greatest};
use super::softmax::{LOG_SOFTMAX, SOFTMAX, Softmax, last_axis_sum};
use crate::prelude::*;
use crate::rules::{NONE, expand};
use crate::simd::Exp;
use num_traits::Float as _;
use rayon::prelude::*;

attrs! {
    /// The cross entropy between `labels` and the softmax of `features`, and its gradient with respect to `features`.
    /// Both inputs are matrices with one row per example and are broadcast together.
    pub struct SoftmaxCrossEntropyWithLogits {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
    }
}

pub static SOFTMAX_CROSS_ENTROPY_WITH_LOGITS: Def<SoftmaxCrossEntropyWithLogits> =
    op::<SoftmaxCrossEntropyWithLogits>("SoftmaxCrossEntropyWithLogits")
        .inputs(&[arg("features", of("T")), arg("labels", of("T"))])
        .outputs(&[arg("loss", of("T")), arg("backprop", of("T"))])
        .shape(|_, cx| {
            let both = match (cx.input(0).rank(), cx.input(1).rank()) {
                (Some(_), Some(_)) => cx.input(0).broadcast(&cx.input(1))?,
                _ => PartialShape::of_rank(2),
            };
            let Some(&[rows, classes]) = both.dims() else {
                return Err(Error::invalid("Shape must be rank 2").found(format!("shape {both}")));
            };
            cx.output_vector(0, rows);
            cx.output(1, PartialShape::new([rows, classes]));
            Ok(())
        })
        .gradient(|op, g| {
            let by_label = expand(g, g.dy(0), -1);
            let labels = by_label * -LOG_SOFTMAX.node(g, &Softmax { dtype: op.dtype }, &[g.input(0)]);
            vec![by_logits(op.dtype, g).into(), labels.into()]
        })
        .kernel(|op, cx| {
            let shape = cx.input(0)?.shape().broadcast(cx.input(1)?.shape())?;
            if shape.rank() != 2 {
                return Err(Error::invalid(
                    "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional",
                )
                .found(format!("shapes {} and {}", cx.input(0)?.shape(), cx.input(1)?.shape())));
            }
            dispatch!(op.dtype, floats, |T| dense::<T>(cx, &shape), else unsupported(cx, op.dtype))
        })
        .heavy()
        .batch(|_, b| {
            let known = b.shape(0).known();
            if known.is_some() && known == b.shape(1).known() && b.rank(0)? == 2 {
                return levada_ops_core::batch::fold_rows(b, &[0, 1]);
            }
            // One input may be broadcast to the other.
            let shape = b.g().op("BroadcastArgs", &[b.example_dims(0), b.example_dims(1)]);
            let whole = b.concat(&[b.size1(), shape]);
            let both = levada_ops_core::batch::broadcast_together(b);
            let both: Vec<_> = both
                .into_iter()
                .map(|input| levada_ops_core::batch::folded(b, b.g().op("BroadcastTo", &[input, whole])))
                .collect();
            let (out, rows) = (b.again(&both), shape.slice1(0, 1));
            let output = |i: usize| Lanes::each(levada_ops_core::batch::unfolded(b, out.out(i), rows));
            Some(vec![output(0), output(1)])
        });

attrs! {
    /// The cross entropy between one class label per row and the softmax of that row of `features`, and its gradient
    /// with respect to `features`.
    pub struct SparseSoftmaxCrossEntropyWithLogits {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Element type of `labels`.
        labels: DType = Attr::dtype("Tlabels", sets::INDEX).or_type(DType::I64),
    }
}

pub static SPARSE_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS: Def<SparseSoftmaxCrossEntropyWithLogits> =
    op::<SparseSoftmaxCrossEntropyWithLogits>("SparseSoftmaxCrossEntropyWithLogits")
        .inputs(&[arg("features", of("T")), arg("labels", of("Tlabels"))])
        .outputs(&[arg("loss", of("T")), arg("backprop", of("T"))])
        .shape(|_, cx| {
            let features = cx.with_rank(0, 2)?;
            let rows = PartialShape::vector(features.dim(0)).merge(&cx.with_rank(1, 1)?)?;
            cx.output(1, PartialShape::new([rows.dim(0), features.dim(1)]));
            cx.output(0, rows);
            Ok(())
        })
        // On the host, so that out-of-range labels can be rejected.
        .host_inputs(&[1])
        .gradient(|op, g| vec![by_logits(op.dtype, g).into(), NONE])
        .kernel(|op, cx| {
            let (rows, classes, labels) =
                SparseSoftmaxCrossEntropyWithLogits::labels(cx.input(0)?.shape(), cx.input(1)?)?;
            dispatch!(op.dtype, floats, |T| sparse::<T>(cx, &labels, rows, classes), else unsupported(cx, op.dtype))
        })
        .heavy()
        .batch(|_, b| {
            // Rows of an example without labels must not receive those of another example.
            match b.shape(0).dim(0).zip(b.shape(1).dim(0)) {
                Some((rows, labels)) if rows != labels => None,
                _ => levada_ops_core::batch::fold_rows(b, &[0, 1]),
            }
        });

impl SparseSoftmaxCrossEntropyWithLogits {
    /// The numbers of rows and classes, and the label of each row.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if features and labels do not match, or a label is out of range.
    pub fn labels(features: &Shape, labels: &Tensor) -> Result<(usize, usize, Vec<i64>)> {
        let &[rows, classes] = features.dims() else {
            return Err(Error::invalid(format!("logits must be 2-D, but got shape {features}")));
        };
        let &[n] = labels.shape().dims() else {
            return Err(Error::invalid(format!("labels must be 1-D, but got shape {}", labels.shape())));
        };
        if n != rows {
            return Err(Error::invalid(format!(
                "logits and labels must have the same first dimension, got logits shape {features} and labels shape {}",
                labels.shape()
            )));
        }
        if classes == 0 {
            return Err(Error::invalid(format!("Must have at least one class, but got logits shape {features}")));
        }
        let labels = labels.to_i64s()?;
        if let Some(label) = labels.iter().find(|&&l| l < 0 || l >= classes as i64) {
            return Err(Error::invalid(format!(
                "Received a label value of {label} which is outside the valid range of [0, {classes})."
            )));
        }
        Ok((rows, classes, labels))
    }
}

/// The gradient of the cross entropy with respect to the logits, also if the gradient itself is differentiated.
fn by_logits(dtype: DType, g: &GradCx) -> V<'_> {
    let dx = expand(g, g.dy(0), -1) * g.output(1);
    match g.known_dy(1) {
        None => dx,
        Some(second) => {
            let softmax = SOFTMAX.node(g, &Softmax { dtype }, &[g.input(0)]);
            dx + (second - last_axis_sum(second * softmax)) * softmax
        }
    }
}

fn dense<T: Rows<Base: Exp>>(cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<()> {
    // Broadcast rows are materialized outside of the arena.
    cx.device.arena.check(2 * shape.num_elements() * size_of::<T>())?;
    let features = expanded::<T>(cx.input(0)?, shape)?;
    let labels = expanded::<T>(cx.input(1)?, shape)?;
    let (x, labels) = (features.slice::<T>()?, labels.slice::<T>()?);
    let classes = shape[1];
    rows(
        cx,
        x,
        shape,
        #[inline(always)]
        |row, x, backprop: &mut [T::Base]| {
            let labels = &labels[row * classes..(row + 1) * classes];
            let max = greatest(x);
            let sum = exp_sum(x, max, backprop);
            let (log, scale) = (sum.ln(), sum.recip());
            let mut loss = <T::Base as Number>::zero();
            for ((b, &x), label) in backprop.iter_mut().zip(x).zip(labels) {
                let label = label.base();
                loss = loss + label * (log - (x - max));
                *b = *b * scale - label;
            }
            loss
        },
    )
}

fn sparse<T: Rows<Base: Exp>>(cx: &mut Cx<'_, '_>, labels: &[i64], n: usize, classes: usize) -> Result<()> {
    let features = cx.input(0)?.clone();
    let shape = Shape::new([n, classes])?;
    rows(
        cx,
        features.slice::<T>()?,
        &shape,
        #[inline(always)]
        |row, x, backprop: &mut [T::Base]| {
            let label = labels[row] as usize;
            let max = greatest(x);
            let sum = exp_sum(x, max, backprop);
            let scale = sum.recip();
            backprop.iter_mut().for_each(|b| *b = *b * scale);
            backprop[label] = backprop[label] - <T::Base as Number>::one();
            sum.ln() - (x[label] - max)
        },
    )
}

/// A tensor broadcast to a matrix of this shape.
fn expanded<T: Element + Copy>(t: &Tensor, shape: &Shape) -> Result<Tensor> {
    if t.shape() == shape {
        return Ok(t.clone());
    }
    let x = t.slice::<T>()?;
    let (rows, cols) = match t.shape().dims() {
        [rows, cols] => (*rows, *cols),
        [cols] => (1, *cols),
        _ => (1, 1),
    };
    let at = |i: usize, j: usize| x[if rows == 1 { 0 } else { i * cols } + if cols == 1 { 0 } else { j }];
    let values = (0..shape[0]).flat_map(|i| (0..shape[1]).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect();
    Tensor::from_vec(shape.clone(), values)
}

/// Calls `f`, which should be inlined, for each row: it writes the gradient and returns the loss.
fn rows<T: Rows>(
    cx: &mut Cx<'_, '_>,
    x: &[T],
    shape: &Shape,
    f: impl Fn(usize, &[T::Base], &mut [T::Base]) -> T::Base + Sync + Send,
) -> Result<()> {
    let (n, classes) = (shape[0], shape[1]);
    let (mut loss, mut backprop) = (cx.alloc(T::DTYPE, &Shape::vector(n))?, cx.alloc(T::DTYPE, shape)?);
    let (losses, gradient) = (loss.slice_mut::<T>()?, backprop.slice_mut::<T>()?);
    if classes == 0 {
        losses.fill(T::zero());
    } else if n > 0 {
        let parts = cx.pool().parts(n, 30.0 + classes as f64);
        let size = n.div_ceil(parts);
        let part = |(p, (losses, gradient)): (usize, (&mut [T], &mut [T]))| {
            let first = p * size;
            let x = &x[first * classes..first * classes + gradient.len()];
            T::map(x, gradient, |x, gradient| {
                vectorized!({
                    let rows = x.chunks_exact(classes).zip(gradient.chunks_exact_mut(classes));
                    for (i, ((x, gradient), loss)) in rows.zip(losses).enumerate() {
                        *loss = T::of_base(f(first + i, x, gradient));
                    }
                });
            });
        };
        if parts == 1 {
            part((0, (losses, gradient)));
        } else {
            cx.pool().install(|| {
                let pieces = losses.par_chunks_mut(size).zip(gradient.par_chunks_mut(size * classes));
                pieces.enumerate().for_each(part);
            });
        }
    }
    cx.set(0, loss);
    cx.set(1, backprop);
    Ok(())
}
