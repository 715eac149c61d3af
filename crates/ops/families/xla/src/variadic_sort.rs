//! `XlaVariadicSort`: tensors sorted together, in the order that a function says.

use crate::calls::{Reducer, perform, take};
use crate::moves::axis_of;
use crate::prelude::*;

attrs! {
    /// `inputs` sorted together along one axis, so that `comparator` is true of elements and of those behind them.
    pub struct XlaVariadicSort {
        /// Element types.
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1),
        /// The function that says of two elements of each tensor whether the first ones come before.
        comparator: Func = Attr::func("comparator"),
        /// Whether equal elements stay in their order, as they always do.
        stable: bool = Attr::bool("is_stable"),
    }
}

pub static XLA_VARIADIC_SORT: Def<XlaVariadicSort> = op::<XlaVariadicSort>("XlaVariadicSort")
    .inputs(&[arg("inputs", each("T")), arg("dimension", is(DType::I32))])
    .outputs(&[arg("outputs", each("T"))])
    .role(Role::Call)
    .shape(|op, cx| {
        let whole = (1..op.dtypes.len()).try_fold(cx.input(0), |shape, i| shape.merge(&cx.input(i)))?;
        for i in 0..op.dtypes.len() {
            cx.output(i, whole.clone());
        }
        Ok(())
    })
    .kernel(sort)
    .heavy();

fn sort(op: &XlaVariadicSort, cx: &mut Cx<'_, '_>) -> Result<()> {
    let count = op.dtypes.len();
    let shape = cx.input(0)?.shape().clone();
    for i in 1..count {
        if *cx.input(i)?.shape() != shape {
            return Err(Error::invalid("all inputs must have one shape").expected(&shape).found(cx.input(i)?.shape()));
        }
    }
    let dimension = cx.scalar::<i32>(count)?;
    let axis = axis_of(dimension.into(), shape.rank()).ok_or_else(|| {
        Error::invalid("dimension must be an axis of the inputs")
            .expected(format!("below {}", shape.rank()))
            .found(dimension)
    })?;
    cx.device.arena.check(shape.num_elements().saturating_mul(4 * size_of::<usize>()))?;
    let flat = |i: usize| cx.input(i)?.clone().reshaped(Shape::vector(shape.num_elements()));
    let values = (0..count).map(flat).collect::<Result<Vec<Tensor>>>()?;
    let before = Reducer::of(cx, &op.comparator, vec![DType::Bool])?;
    perform(cx, async move {
        let length = shape[axis];
        let inner: usize = shape[axis + 1..].iter().product();
        // Where the elements of each row are, in order.
        let rows = if shape.num_elements() == 0 { 0 } else { shape.num_elements() / length };
        let place = |row: usize, i: usize| row / inner * length * inner + i * inner + row % inner;
        let mut order: Vec<usize> = (0..rows).flat_map(|row| (0..length).map(move |i| place(row, i))).collect();
        let mut run = 1;
        while run < length {
            order = merge(&before, &values, &order, length, run).await?;
            run *= 2;
        }
        let mut to = vec![0; order.len()];
        for (i, &from) in order.iter().enumerate() {
            to[place(i / length, i % length)] = from;
        }
        values.iter().map(|value| take(value, &to)?.reshaped(shape.clone())).collect()
    });
    Ok(())
}

/// An element that looks for its place in the other of two runs that are merged.
struct Seeker {
    /// Its number in the order so far.
    own: usize,
    /// Where the merged run begins.
    base: usize,
    /// Its place in its own run.
    place: usize,
    /// Where the other run begins.
    other: usize,
    /// How many of the other run come before it: from and to.
    low: usize,
    high: usize,
    /// True for an element of the first run, which comes before equal ones of the second.
    first: bool,
}

/// The order in which neighbouring sorted runs of `run` elements are one. All elements search their places at the same time, each by
/// halving what is left of the other run.
async fn merge(before: &Reducer, values: &[Tensor], order: &[usize], length: usize, run: usize) -> Result<Vec<usize>> {
    let seeker = |own: usize| {
        let i = own % length;
        let base = own - i % (2 * run);
        let end = (own - i + length).min(base + 2 * run);
        let middle = end.min(base + run);
        let first = own < middle;
        let (place, other, high) =
            if first { (own - base, middle, end - middle) } else { (own - middle, base, middle - base) };
        Seeker { own, base, place, other, low: 0, high, first }
    };
    let mut seekers: Vec<Seeker> = (0..order.len()).map(seeker).collect();
    loop {
        let open: Vec<usize> = (0..seekers.len()).filter(|&i| seekers[i].low < seekers[i].high).collect();
        if open.is_empty() {
            break;
        }
        // Does the middle of what is left come before the element? Of equal ones that of the first run does.
        let (left, right): (Vec<usize>, Vec<usize>) = open
            .iter()
            .map(|&i| {
                let seeker = &seekers[i];
                let middle = order[seeker.other + (seeker.low + seeker.high) / 2];
                let own = order[seeker.own];
                if seeker.first { (middle, own) } else { (own, middle) }
            })
            .unzip();
        let mut args = Vec::new();
        for value in values {
            args.push(take(value, &left)?);
            args.push(take(value, &right)?);
        }
        let answers = before.each(args).await?;
        let answers = answers.first().map_or(Ok(&[][..]), |answers| answers.slice::<bool>())?;
        for (&i, &answer) in open.iter().zip(answers) {
            let seeker = &mut seekers[i];
            let middle = (seeker.low + seeker.high) / 2;
            match answer == seeker.first {
                true => seeker.low = middle + 1,
                false => seeker.high = middle,
            }
        }
    }
    let mut merged = vec![0; order.len()];
    for seeker in seekers {
        merged[seeker.base + seeker.place + seeker.low] = order[seeker.own];
    }
    Ok(merged)
}
