//! `XlaReduce` and `XlaVariadicReduce`: reductions along axes with a given function.

use crate::ELEMENTS_AND_BOOL;
use crate::calls::{Reducer, perform, put, spread, take};
use crate::moves::{Axis, Layout, rearrange};
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// The attrs of reductions.
    pub struct XlaReduce {
        /// Number of tensors.
        n: i64 = Attr::int("N").or_int(1).at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", ELEMENTS_AND_BOOL),
        /// Axes to reduce.
        axes: Vec<i64> = Attr::ints("dimensions_to_reduce"),
        /// Function that maps the accumulators and the next elements to the new accumulators.
        reducer: Func = Attr::func("reducer"),
    }
}

pub static XLA_REDUCE: Def<XlaReduce> = op::<XlaReduce>("XlaReduce")
    .doc(
        "Reduces `input` along the axes `dimensions_to_reduce` with the function `reducer`, starting from \
        `init_value`, in any order.",
    )
    .inputs(&[arg("input", of("T")), arg("init_value", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .without(&["N"])
    .role(Role::Call)
    .shape(|op, cx| shape(&op.axes, cx))
    .kernel(|op, cx| reduce(&op.axes, &op.reducer, cx))
    .heavy();

pub static XLA_VARIADIC_REDUCE: Def<XlaReduce> = op::<XlaReduce>("XlaVariadicReduce")
    .doc("Like [`XlaReduce`] for several tensors of the same type.")
    .inputs(&[arg("input", of("T")).times("N"), arg("init_value", of("T")).times("N")])
    .outputs(&[arg("output", of("T")).times("N")])
    .role(Role::Call)
    .shape(|op, cx| shape(&op.axes, cx))
    .gradient(|_, g| never(g))
    .kernel(|op, cx| reduce(&op.axes, &op.reducer, cx))
    .heavy();

attrs! {
    /// Like [`XlaReduce`] for several tensors of any types.
    pub struct XlaVariadicReduceV2 {
        /// Element types.
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1),
        /// Axes to reduce.
        axes: Vec<i64> = Attr::ints("dimensions_to_reduce"),
        /// Function that maps the accumulators and the next elements to the new accumulators.
        reducer: Func = Attr::func("reducer"),
    }
}

pub static XLA_VARIADIC_REDUCE_V2: Def<XlaVariadicReduceV2> = op::<XlaVariadicReduceV2>("XlaVariadicReduceV2")
    .inputs(&[arg("inputs", each("T")), arg("init_values", each("T"))])
    .outputs(&[arg("outputs", each("T"))])
    .role(Role::Call)
    .shape(|op, cx| shape(&op.axes, cx))
    .kernel(|op, cx| reduce(&op.axes, &op.reducer, cx))
    .heavy();

/// Returns whether each of `rank` axes is reduced.
fn reduced(axes: &[i64], rank: usize) -> Result<Vec<bool>> {
    let mut reduced = vec![false; rank];
    for &axis in axes {
        let place = usize::try_from(axis).ok().and_then(|axis| reduced.get_mut(axis)).filter(|taken| !**taken);
        *place.ok_or_else(|| {
            Error::invalid("dimensions_to_reduce has an axis that is out of range or duplicated")
                .attr("dimensions_to_reduce")
                .expected(format!("different axes below {rank}"))
                .found(axis)
        })? = true;
    }
    Ok(reduced)
}

fn shape(axes: &[i64], cx: &mut ShapeCx<'_>) -> Result<()> {
    let count = cx.num_inputs() / 2;
    let whole = (1..count).try_fold(cx.input(0), |shape, i| shape.merge(&cx.input(i)))?;
    for i in count..2 * count {
        cx.with_rank(i, 0)?;
    }
    let Some(dims) = whole.dims() else { return Ok(()) };
    let reduced = reduced(axes, dims.len())?;
    let kept: Vec<Dim> = dims.iter().zip(&reduced).filter(|(_, reduced)| !**reduced).map(|(dim, _)| *dim).collect();
    for i in 0..count {
        cx.output(i, PartialShape::new(kept.clone()));
    }
    Ok(())
}

fn reduce(axes: &[i64], reducer: &Func, cx: &mut Cx<'_, '_>) -> Result<()> {
    let count = cx.num_inputs() / 2;
    let whole = cx.input(0)?.shape().clone();
    let reduced = reduced(axes, whole.rank())?;
    for i in 0..count {
        let (found, init) = (cx.input(i)?.shape(), cx.input(count + i)?.shape());
        if *found != whole {
            return Err(Error::invalid("all inputs must have the same shape").expected(&whole).found(found));
        }
        if !init.is_scalar() {
            return Err(Error::invalid("init_value must be a scalar").found(format!("shape {init}")));
        }
    }
    let strides = whole.strides();
    let of = |wanted: bool| (0..whole.rank()).filter(|&axis| reduced[axis] == wanted).collect::<Vec<usize>>();
    let kept = Shape::new(of(false).into_iter().map(|axis| whole[axis]))?;
    let length: usize = of(true).into_iter().map(|axis| whole[axis]).product();
    // The reduced axes come last, so that the elements to combine are adjacent.
    let order: Vec<usize> = of(false).into_iter().chain(of(true)).collect();
    let flat = Shape::vector(whole.num_elements());
    let rows = |i: usize| -> Result<Tensor> {
        let axes = order.iter().map(|&axis| Axis::strided(whole[axis], 0, strides[axis] as isize));
        rearrange(cx, cx.input(i)?, &Layout::new(axes), &flat, None)
    };
    let values = (0..count).map(rows).collect::<Result<Vec<Tensor>>>()?;
    let inits = (count..2 * count).map(|i| cx.input(i).cloned()).collect::<Result<Vec<Tensor>>>()?;
    let reducer = Reducer::of(cx, reducer, values.iter().map(Tensor::dtype).collect())?;
    let (rows, reduces) = (kept.num_elements(), !axes.is_empty());
    perform(cx, async move {
        let line = Shape::vector(rows);
        let inits = inits.into_iter().map(|init| spread(init, &line)).collect::<Result<Vec<Tensor>>>()?;
        let results = match (rows, length) {
            // Without axes there is nothing to reduce, and the initial values are ignored.
            _ if !reduces => values,
            (0, _) | (_, 0) => inits,
            _ => {
                let folded = fold(&reducer, values, rows, length).await?;
                reducer.each(inits.into_iter().chain(folded).collect()).await?
            }
        };
        results.into_iter().map(|result| result.reshaped(kept.clone())).collect()
    });
    Ok(())
}

/// One element for each of `rows` rows of `length` elements: adjacent pairs are reduced until one is left.
async fn fold(reducer: &Reducer, mut values: Vec<Tensor>, rows: usize, mut length: usize) -> Result<Vec<Tensor>> {
    while length > 1 {
        let pairs = length / 2;
        let places = |odd: usize| -> Vec<usize> {
            (0..rows).flat_map(|row| (0..pairs).map(move |pair| row * length + 2 * pair + odd)).collect()
        };
        let (left, right) = (places(0), places(1));
        let both = values.iter().map(|value| take(value, &left)).chain(values.iter().map(|value| take(value, &right)));
        let reduced = reducer.each(both.collect::<Result<_>>()?).await?;
        values = match length % 2 {
            0 => reduced,
            _ => {
                // The last one of each row has no partner.
                let to: Vec<usize> =
                    (0..rows).flat_map(|row| (0..pairs).map(move |pair| row * (pairs + 1) + pair)).collect();
                let last_to: Vec<usize> = (0..rows).map(|row| row * (pairs + 1) + pairs).collect();
                let last: Vec<usize> = (0..rows).map(|row| row * length + length - 1).collect();
                let all = reduced.iter().zip(&values).map(|(reduced, value)| {
                    let mut all = Tensor::try_zeros(value.dtype(), Shape::vector(rows * (pairs + 1)))?;
                    put(&mut all, &to, reduced)?;
                    put(&mut all, &last_to, &take(value, &last)?)?;
                    Ok(all)
                });
                all.collect::<Result<_>>()?
            }
        };
        length = length.div_ceil(2);
    }
    Ok(values)
}
