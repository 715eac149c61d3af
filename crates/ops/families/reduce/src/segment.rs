//! `SegmentSum`, `SegmentMean`, `SegmentProd`, `SegmentMin`, `SegmentMax` and their later versions: reductions of rows
//! that follow one another, with sorted segment numbers.

use super::segments::{Fold, MaxRows, MeanRows, MinRows, ProdRows, SumRows, num_segments, rows_of};
use crate::prelude::*;

macro_rules! segments {
    ($($(#[doc = $doc:literal])* $name:ident, $fold:ident, $group:ident, $dtypes:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type of `data`.
                dtype: DType = Attr::dtype("T", $dtypes),
                /// Element type of `segment_ids`.
                index: DType = Attr::dtype("Tindices", sets::INDEX),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("data", of("T")), arg("segment_ids", of("Tindices"))],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer(cx, None)
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn supports(&self) -> bool {
                self.dtype.storage() == self.dtype
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                dispatch!(self.dtype, $group, |T| reduce::<T, $fold>(cx, None), else {
                    Err(Error::unimplemented(format!(concat!(stringify!($name), " of {}"), self.dtype)))
                })
            }
        }
    )*};
}

macro_rules! segments_v2 {
    ($($(#[doc = $doc:literal])* $name:ident, $fold:ident, $group:ident, $dtypes:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type of `data`.
                dtype: DType = Attr::dtype("T", $dtypes),
                /// Element type of `segment_ids`.
                index: DType = Attr::dtype("Tindices", sets::INDEX),
                /// Element type of `num_segments`.
                num: DType = Attr::dtype("Tnumsegments", sets::INDEX).or_type(DType::I32),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("data", of("T")), arg("segment_ids", of("Tindices")), arg("num_segments", of("Tnumsegments"))],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer(cx, Some(2))
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn supports(&self) -> bool {
                self.dtype.storage() == self.dtype
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let n = num_segments(cx, 2)?;
                dispatch!(self.dtype, $group, |T| reduce::<T, $fold>(cx, Some(n)), else {
                    Err(Error::unimplemented(format!(concat!(stringify!($name), " of {}"), self.dtype)))
                })
            }
        }
    )*};
}

segments! {
    /// The sum of the rows of each segment.
    SegmentSum, SumRows, numbers, sets::NUMBERTYPE;
    /// The mean of the rows of each segment.
    SegmentMean, MeanRows, numbers, sets::NUMBERTYPE;
    /// The product of the rows of each segment.
    SegmentProd, ProdRows, numbers, sets::NUMBERTYPE;
    /// The least elements of the rows of each segment.
    SegmentMin, MinRows, reals, sets::REALS;
    /// The greatest elements of the rows of each segment.
    SegmentMax, MaxRows, reals, sets::REALS;
}

segments_v2! {
    /// The sum of the rows of each of `num_segments` segments.
    SegmentSumV2, SumRows, numbers, sets::NUMBERTYPE;
    /// The product of the rows of each of `num_segments` segments.
    SegmentProdV2, ProdRows, numbers, sets::NUMBERTYPE;
    /// The least elements of the rows of each of `num_segments` segments.
    SegmentMinV2, MinRows, reals, sets::REALS;
    /// The greatest elements of the rows of each of `num_segments` segments.
    SegmentMaxV2, MaxRows, reals, sets::REALS;
}

fn infer(cx: &mut ShapeCx<'_>, num: Option<usize>) -> Result<()> {
    let data = cx.rank_at_least(0, 1)?;
    cx.with_rank(1, 1)?;
    let Some(dims) = data.dims() else { return Ok(()) };
    let rows = match num.and_then(|i| cx.constant_i64s(i)).as_deref() {
        Some(&[n]) => usize::try_from(n).ok(),
        _ => None,
    };
    cx.output(0, PartialShape::new(std::iter::once(rows).chain(dims[1..].iter().copied())));
    Ok(())
}

/// The segment of each row of the input, which ascend, and the shape of the output. It has `num` rows, or as many as the
/// last segment number says.
///
/// # Errors
/// `INVALID_ARGUMENT` for inputs that do not fit together and for segments that do not ascend.
fn check(cx: &Cx<'_, '_>, num: Option<usize>) -> Result<(Vec<i64>, Shape)> {
    let (data, ids) = (cx.input(0)?, cx.input(1)?);
    if ids.shape().rank() != 1 {
        return Err(Error::invalid("segment_ids should be a vector.").found(format!("shape {}", ids.shape())));
    }
    if data.shape().is_scalar() {
        return Err(Error::invalid("data must be at least rank 1"));
    }
    let ids = ids.to_i64s()?;
    if ids.len() != data.shape()[0] {
        return Err(Error::invalid("segment_ids should be the same size as dimension 0 of input.")
            .expected(format!("{} segment ids", data.shape()[0]))
            .found(ids.len()));
    }
    let last = ids.last().copied().unwrap_or(-1);
    if ids.first().is_some_and(|&id| id < 0) || last < -1 || (last < 0 && !ids.is_empty()) {
        return Err(Error::invalid("segment ids must be >= 0"));
    }
    if ids.windows(2).any(|w| w[0] > w[1]) {
        return Err(Error::invalid("segment ids are not increasing"));
    }
    let rows = num.unwrap_or((last + 1) as usize);
    if last >= rows as i64 {
        return Err(Error::invalid(format!("Segment id {last} out of range [0, {rows})")));
    }
    let shape = rows_of(rows, &data.shape()[1..])?;
    Ok((ids, shape))
}

/// Without `num` zeros (ones for products) are left where there are no rows; with it, what a reduction of nothing gives.
fn reduce<T: Number, F: Fold<T>>(cx: &mut Cx<'_, '_>, num: Option<usize>) -> Result<()> {
    let (ids, shape) = check(cx, num)?;
    let (rows, width) = (shape[0], shape[1..].iter().product::<usize>());
    let empty = if num.is_some() { F::of_nothing() } else { F::missing() };
    cx.produce::<T>(0, &shape, |cx, out| {
        let data = cx.slice::<T>(0)?;
        // Where each segment's rows start; one entry more says where the last ends.
        let cost = (ids.len() * width) as f64 / rows.max(1) as f64;
        cx.pool().for_chunks(out, width, 5.0 + cost, |first, out| {
            let mut at = ids.partition_point(|&id| id < first as i64);
            let mut accs = vec![F::start(); width];
            for (i, out) in out.chunks_exact_mut(width).enumerate() {
                let id = (first + i) as i64;
                let end = at + ids[at..].iter().take_while(|&&other| other == id).count();
                match end - at {
                    0 => out.fill(empty),
                    // As in TensorFlow a single row is copied, NaN included.
                    1 => out.copy_from_slice(&data[at * width..end * width]),
                    count => {
                        accs.fill(F::start());
                        for row in data[at * width..end * width].chunks_exact(width) {
                            accs.iter_mut().zip(row).for_each(|(acc, &x)| *acc = F::merge(*acc, x));
                        }
                        out.iter_mut().zip(&accs).for_each(|(o, &acc)| *o = F::finish(acc, count));
                    }
                }
                at = end;
            }
        });
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{run, run_on};
    use DType::*;

    fn rows(values: &[f32]) -> Tensor {
        Tensor::from_vec(Shape::new([values.len() / 2, 2]).unwrap(), values.to_vec()).unwrap()
    }

    fn ids(values: &[i32]) -> Tensor {
        Tensor::vector(values.to_vec())
    }

    #[test]
    fn gaps_are_filled() {
        let data = rows(&[3., 2., 4., 4., 5., 6.]);
        let inputs = || vec![data.clone(), ids(&[1, 1, 3])];
        let out = run_on(2, SegmentSum { dtype: F32, index: I32 }, inputs(), &[F32]).unwrap();
        assert_eq!(out[0], rows(&[0., 0., 7., 6., 0., 0., 5., 6.]));
        let out = run(SegmentProd { dtype: F32, index: I32 }, inputs(), &[F32]).unwrap();
        assert_eq!(out[0], rows(&[1., 1., 12., 8., 1., 1., 5., 6.]));
        let out = run(SegmentMax { dtype: F32, index: I32 }, inputs(), &[F32]).unwrap();
        assert_eq!(out[0], rows(&[0., 0., 4., 4., 0., 0., 5., 6.]));
        let out = run(SegmentMean { dtype: F32, index: I32 }, inputs(), &[F32]).unwrap();
        assert_eq!(out[0], rows(&[0., 0., 3.5, 3., 0., 0., 5., 6.]));
        let mut inputs = inputs();
        inputs.push(Tensor::scalar(5i32));
        let out = run(SegmentProdV2 { dtype: F32, index: I32, num: I32 }, inputs, &[F32]).unwrap();
        assert_eq!(out[0], rows(&[1., 1., 12., 8., 1., 1., 5., 6., 1., 1.]));
    }

    #[test]
    fn faults() {
        for wrong in [&[0, 2, 1][..], &[-1, 0, 1], &[0, 1, -3], &[0, 1], &[0, 3, 1, 3]] {
            let inputs = vec![rows(&[1., 2., 3., 4., 5., 6.]), ids(wrong)];
            let error = run(SegmentSum { dtype: F32, index: I32 }, inputs, &[F32]).unwrap_err();
            assert_eq!(error.code(), Code::InvalidArgument);
        }
        let none = vec![Tensor::zeros(F32, Shape::new([0, 2]).unwrap()), ids(&[])];
        let out = run(SegmentSum { dtype: F32, index: I32 }, none, &[F32]).unwrap();
        assert_eq!(out[0].shape().dims(), [0, 2]);
    }
}
