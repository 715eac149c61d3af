//! `TopKUnique`, `TopKWithUnique`, `MakeUnique` and `KthOrderStatistic`: the top k elements of rows with distinct
//! values.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// The attrs of ops on the `k` largest elements of each row.
    pub struct UniqueTopK {
        /// Number of elements.
        k: i64 = Attr::int("k"),
        /// Whether elements are first made distinct in their low bits.
        made_unique: bool = Attr::bool("made_unique"),
    }
}

attrs! {
    /// Replaces the low bits of each element of `input` by its column index, so that all values in a row are distinct.
    pub struct MakeUnique {}
}

const INPUT: &[Arg] = &[arg("input", is(DType::F32))];

pub static TOP_K_UNIQUE: Def<UniqueTopK> = op::<UniqueTopK>("TopKUnique")
    .doc(
        "The `k` largest distinct values of each row, and the column of each value's last occurrence. NaN is skipped; \
         missing values are negative infinity with index -1.",
    )
    .inputs(INPUT)
    .outputs(&[arg("topk", is(DType::F32)), arg("topk_indices", is(DType::I32))])
    .fixed(&[("made_unique", AttrDefault::Bool(false))])
    .also(&[form("TopKWithUnique")
        .doc(
            "`TopKUnique` applied to the result of `MakeUnique`: the `k` largest elements, whose low bits are their \
             column indices.",
        )
        .fixed(&[("made_unique", AttrDefault::Bool(true))])])
    .shape(|op, cx| {
        let rows = cx.with_rank(0, 2)?.dim(0);
        let shape = PartialShape::new([rows, usize::try_from(op.k).ok()]);
        cx.output(0, shape.clone());
        cx.output(1, shape);
        Ok(())
    })
    .kernel(top_k_unique)
    .heavy();

pub static MAKE_UNIQUE: Def<MakeUnique> = op::<MakeUnique>("MakeUnique")
    .inputs(INPUT)
    .outputs(&[arg("output", is(DType::F32))])
    .shape(|_, cx| {
        let shape = cx.with_rank(0, 2)?;
        cx.output(0, shape);
        Ok(())
    })
    .kernel(|_, cx| {
        let shape = matrix(cx)?;
        let columns = shape[1];
        cx.produce::<f32>(0, &shape, |cx, out| {
            let rows = out.chunks_exact_mut(columns.max(1)).zip(cx.slice::<f32>(0)?.chunks_exact(columns.max(1)));
            rows.for_each(|(out, row)| {
                row.iter().enumerate().for_each(|(i, &value)| out[i] = unique(value, i, columns))
            });
            Ok(())
        })
    })
    .heavy();

attrs! {
    /// The `k`-th largest element of each row, in the total order of floats: NaN above infinity, -0 below 0.
    pub struct KthOrderStatistic {
        /// Rank of the element, starting at 1.
        k: i64 = Attr::int("k"),
    }
}

pub static KTH_ORDER_STATISTIC: Def<KthOrderStatistic> = op::<KthOrderStatistic>("KthOrderStatistic")
    .inputs(INPUT)
    .outputs(&[arg("output", is(DType::F32))])
    .shape(|_, cx| {
        let rows = cx.with_rank(0, 2)?.dim(0);
        cx.output_vector(0, rows);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(kth_order_statistic)
    .heavy();

/// The shape of the input, which must be a matrix.
fn matrix(cx: &Cx<'_, '_>) -> Result<Shape> {
    let shape = cx.input(0)?.shape();
    if shape.rank() != 2 {
        return Err(Error::invalid("input must be a matrix").found(format!("shape {shape}")));
    }
    Ok(shape.clone())
}

/// The bit mask of column indices.
fn column_bits(columns: usize) -> u32 {
    columns.checked_next_power_of_two().map_or(u32::MAX, |size| (size - 1) as u32)
}

/// The element with its column index in its low bits. Zeros are first replaced by the smallest normal number.
fn unique(value: f32, column: usize, columns: usize) -> f32 {
    let bits = if value == 0.0 { f32::MIN_POSITIVE.copysign(value).to_bits() } else { value.to_bits() };
    f32::from_bits(bits & !column_bits(columns) | column as u32)
}

fn top_k_unique(op: &UniqueTopK, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = matrix(cx)?;
    let (rows, columns) = (shape[0], shape[1]);
    let k = usize::try_from(op.k).map_err(|_| Error::invalid("k must not be negative").found(op.k))?;
    if k > columns {
        return Err(Error::invalid("k must not be above the number of columns").expected(columns).found(k));
    }
    let found = Shape::new([rows, k])?;
    let mut values = cx.alloc(DType::F32, &found)?;
    let mut places = cx.alloc(DType::I32, &found)?;
    if found.num_elements() > 0 {
        // The row in sorted order, with the position of each element.
        let mut row: Vec<(f32, usize)> = Vec::new();
        let outs = values.slice_mut::<f32>()?.chunks_exact_mut(k).zip(places.slice_mut::<i32>()?.chunks_exact_mut(k));
        for ((values, places), from) in outs.zip(cx.slice::<f32>(0)?.chunks_exact(columns)) {
            let made = |(i, &value): (usize, &f32)| (if op.made_unique { unique(value, i, columns) } else { value }, i);
            row.clear();
            row.extend(from.iter().enumerate().map(made).filter(|(value, _)| !value.is_nan()));
            row.iter_mut().filter(|(value, _)| value.is_subnormal()).for_each(|(value, _)| *value = 0.0);
            row.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(std::cmp::Ordering::Equal).then(b.1.cmp(&a.1)));
            row.dedup_by(|next, kept| next.0 == kept.0);
            let least = row.iter().find(|(value, _)| *value == f32::NEG_INFINITY).map_or(-1, |&(_, i)| i as i32);
            for (i, (value, place)) in values.iter_mut().zip(places).enumerate() {
                (*value, *place) = match row.get(i) {
                    Some(&(found, at)) => (found, at as i32),
                    None => (f32::NEG_INFINITY, least),
                };
            }
        }
    }
    cx.set(0, values);
    cx.set(1, places);
    Ok(())
}

fn kth_order_statistic(op: &KthOrderStatistic, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = matrix(cx)?;
    let columns = shape[1];
    let k = usize::try_from(op.k).ok().filter(|&k| k >= 1 && k <= columns).ok_or_else(|| {
        Error::invalid("k must be from 1 to the number of columns").expected(format!("1 to {columns}")).found(op.k)
    })?;
    let mut row: Vec<f32> = Vec::new();
    cx.produce::<f32>(0, &Shape::vector(shape[0]), |cx, out| {
        for (out, from) in out.iter_mut().zip(cx.slice::<f32>(0)?.chunks_exact(columns)) {
            row.clear();
            row.extend_from_slice(from);
            *out = *row.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a)).1;
        }
        Ok(())
    })
}
