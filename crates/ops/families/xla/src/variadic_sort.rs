//! `XlaVariadicSort`: sorts tensors together with a comparison function.

use crate::calls::{Reducer, perform, take};
use crate::moves::axis_of;
use crate::prelude::*;

attrs! {
    /// Sorts `inputs` together along one axis, in the order defined by `comparator`.
    pub struct XlaVariadicSort {
        /// Element types.
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1),
        /// Function that takes two elements of each tensor and returns whether the first ones precede the second.
        comparator: Func = Attr::func("comparator"),
        /// Whether the sort must be stable, as it always is.
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
            return Err(Error::invalid("all inputs must have the same shape")
                .expected(&shape)
                .found(cx.input(i)?.shape()));
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
        // The positions of the elements of each row, in order.
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

/// An element searching for its position in the other of two runs being merged.
struct Seeker {
    /// Its index in the current order.
    own: usize,
    /// Start of the merged run.
    base: usize,
    /// Its position in its own run.
    place: usize,
    /// Start of the other run.
    other: usize,
    /// Bounds for the number of elements of the other run that precede it.
    low: usize,
    high: usize,
    /// Whether it belongs to the first run, whose elements precede equal ones of the second.
    first: bool,
}

/// Merges adjacent sorted runs of `run` elements and returns the order. All elements perform a binary search in the
/// other run at the same time.
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
        // Does the middle of the remaining range precede the element? If they are equal, the one of the first run
        // precedes.
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
