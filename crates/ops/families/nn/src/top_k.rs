//! `TopK` and `TopKV2`: the greatest elements of each row and where they are.

use super::heap;
use crate::prelude::*;
use std::cmp::Ordering;
use DType::*;

attrs! {
    /// The `k` greatest elements of each row and their indices, of equals the first.
    pub struct TopK {
        /// How many.
        k: i64 = Attr::int("k").at_least(0),
        /// True to have the greatest first.
        sorted: bool = Attr::bool("sorted").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
    }
}

impl Op for TopK {
    const SPEC: Spec = Spec {
        name: "TopK",
        inputs: &[arg("input", of("T"))],
        outputs: &[arg("values", of("T")), arg("indices", is(I32))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        infer(cx, Some(self.k))
    }
}

impl Kernel<Cpu> for TopK {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        compute(cx, self.dtype, self.k, self.sorted, I32)
    }
}

attrs! {
    /// The `k` greatest elements of each row and their indices, of equals the first.
    pub struct TopKV2 {
        /// True to have the greatest first.
        sorted: bool = Attr::bool("sorted").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Element type of `k`.
        k: DType = Attr::dtype("Tk", &[I16, I32, I64]).or_type(I32),
        /// Element type of the indices.
        index: DType = Attr::dtype("index_type", &[I16, I32, I64]).or_type(I32),
    }
}

impl Op for TopKV2 {
    const SPEC: Spec = Spec {
        name: "TopKV2",
        inputs: &[arg("input", of("T")), arg("k", of("Tk"))],
        outputs: &[arg("values", of("T")), arg("indices", of("index_type"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.with_rank(1, 0)?;
        let k = match cx.constant_i64s(1).as_deref() {
            Some(&[k]) => Some(k),
            _ => None,
        };
        infer(cx, k)
    }
}

impl Kernel<Cpu> for TopKV2 {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let k = cx.input(1)?;
        if !k.shape().is_scalar() {
            return Err(Error::invalid(format!("k must be scalar, got shape {}", k.shape())));
        }
        let k = k.to_i64s()?[0];
        compute(cx, self.dtype, k, self.sorted, self.index)
    }
}

fn infer(cx: &mut ShapeCx<'_>, k: Option<i64>) -> Result<()> {
    let input = cx.rank_at_least(0, 1)?;
    if let Some(k) = k.filter(|&k| k < 0) {
        return Err(Error::invalid(format!("Need k >= 0, got {k}")));
    }
    let Some((last, outer)) = input.dims().and_then(|d| d.split_last()) else { return Ok(()) };
    if let (Some(columns), Some(k)) = (*last, k)
        && (columns as i64) < k
    {
        return Err(Error::invalid(format!("input must have last dimension >= k = {k} but is {columns}")));
    }
    let shape = PartialShape::new(outer.iter().copied().chain([k.map(|k| k as usize)]));
    cx.output(0, shape.clone());
    cx.output(1, shape);
    Ok(())
}

fn compute(cx: &mut Cx<'_, '_>, dtype: DType, k: i64, sorted: bool, index: DType) -> Result<()> {
    let shape = cx.input(0)?.shape();
    let k = usize::try_from(k).map_err(|_| Error::invalid(format!("Need k >= 0, got {k}")))?;
    let Some((&columns, outer)) = shape.split_last() else {
        return Err(Error::invalid(format!("input must be >= 1-D, got shape {shape}")));
    };
    if columns < k {
        return Err(Error::invalid(format!("input must have at least k columns. Had {columns}, needed {k}")));
    }
    let most = match index {
        I16 => i16::MAX as usize,
        I32 => i32::MAX as usize,
        _ => i64::MAX as usize,
    };
    if columns > most {
        return Err(Error::invalid(format!("Not all indices of {columns} columns fit into {index}")));
    }
    let shape = Shape::new(outer.iter().copied().chain([k]))?;
    dispatch!(dtype, reals, |T| {
        let x = cx.input(0)?.clone();
        let x = x.slice::<T>()?;
        let mut found = vec![0usize; shape.num_elements()];
        let cost = columns as f64 * 2.0 + k as f64 * 20.0;
        cx.pool().for_chunks(&mut found, k, cost, |first, found| {
            for (i, found) in found.chunks_exact_mut(k).enumerate() {
                row(&x[(first + i) * columns..(first + i + 1) * columns], sorted, found);
            }
        });
        cx.produce::<T>(0, &shape, |_, out| {
            for (i, (o, &column)) in out.iter_mut().zip(&found).enumerate() {
                *o = x[i / k * columns + column];
            }
            Ok(())
        })?;
        dispatch!(index, integers, |I| cx.produce::<I>(1, &shape, |_, out| {
            out.iter_mut().zip(&found).for_each(|(o, &i)| *o = i as I);
            Ok(())
        }), else Err(Error::unimplemented(format!("indices of type {index}"))))
    }, else Err(Error::unimplemented(format!("the greatest elements of {dtype}"))))
}

/// The columns of the `found.len()` greatest elements. With `sorted` the greatest first, of equals the first column;
/// without, in the order in which TensorFlow's heap leaves them.
fn row<T: Real>(x: &[T], sorted: bool, found: &mut [usize]) {
    if let [found] = found {
        let best = x.iter().fold(T::MINUS_INFINITY, |best, &v| if v > best { v } else { best });
        *found = x.iter().position(|&v| v == best).unwrap_or(0);
    } else if found.len() == x.len() {
        found.iter_mut().enumerate().for_each(|(i, f)| *f = i);
        found.sort_by(|&a, &b| descending(x[a], x[b]));
    } else {
        // NaN is equal to everything, as in TensorFlow's comparison.
        let before = |a: usize, b: usize| x[b] < x[a] || (x[b] <= x[a] || x[b].is_nan() || x[a].is_nan()) && a < b;
        heap::greatest(x.len(), found, sorted, before);
    }
}

/// A total order: NaN first, then from the greatest to the least.
pub(super) fn descending<T: Real>(a: T, b: T) -> Ordering {
    b.partial_cmp(&a).unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{run, run_on};

    fn top(x: &[f32], k: i32, sorted: bool) -> Result<(Vec<f32>, Vec<i32>)> {
        let op = TopKV2 { sorted, dtype: F32, k: I32, index: I32 };
        let out = run(op, vec![Tensor::vector(x.to_vec()), Tensor::scalar(k)], &[F32, I32])?;
        Ok((out[0].slice()?.to_vec(), out[1].slice()?.to_vec()))
    }

    #[test]
    fn sorted_with_the_first_of_equals_first() {
        let x = [1., 5., 2., 5., 3., 1.];
        assert_eq!(top(&x, 3, true).unwrap(), (vec![5., 5., 3.], vec![1, 3, 4]));
        assert_eq!(top(&x, 1, true).unwrap(), (vec![5.], vec![1]));
        assert_eq!(top(&x, 6, false).unwrap().1, [1, 3, 4, 2, 0, 5]);
        assert_eq!(top(&x, 0, true).unwrap(), (vec![], vec![]));
        for k in [-1, 7] {
            assert_eq!(top(&x, k, true).unwrap_err().code(), Code::InvalidArgument);
        }
    }

    #[test]
    fn unsorted_in_the_order_of_the_heap() {
        let x = [1., 5., 2., 8., 3., 9., 4., 7.];
        assert_eq!(top(&x, 5, false).unwrap(), (vec![4., 5., 9., 8., 7.], vec![6, 1, 5, 3, 7]));
    }

    #[test]
    fn rows_of_integers() {
        let x: Vec<i16> = (0..200 * 50).map(|i: i32| (i * 7919 % 1009) as i16).collect();
        let input = Tensor::from_vec(Shape::new([10, 20, 50]).unwrap(), x.clone()).unwrap();
        let out = run_on(2, TopK { k: 7, sorted: true, dtype: I16 }, vec![input], &[I16, I32]).unwrap();
        assert_eq!(out[0].shape().dims(), [10, 20, 7]);
        for (r, (row, found)) in x.chunks(50).zip(out[1].slice::<i32>().unwrap().chunks(7)).enumerate() {
            let mut order: Vec<i32> = (0..50).collect();
            order.sort_by_key(|&i| -row[i as usize]);
            assert_eq!(order[..7], *found, "row {r}");
        }
    }
}
