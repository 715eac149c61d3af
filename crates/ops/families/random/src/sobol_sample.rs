//! `SobolSample`: a low-discrepancy sequence of points.

use crate::prelude::*;

attrs! {
    /// Returns `num_results` points of the Sobol sequence in the `dim`-dimensional unit cube, skipping the first
    /// `skip`.
    pub struct SobolSample {
        /// Element type of the points.
        dtype: DType = Attr::dtype("dtype", &[DType::F32, DType::F64]).or_type(DType::F32),
    }
}

pub static SOBOL_SAMPLE: Def<SobolSample> = op("SobolSample")
    .inputs(&[arg("dim", is(DType::I32)), arg("num_results", is(DType::I32)), arg("skip", is(DType::I32))])
    .outputs(&[arg("samples", of("dtype"))])
    .shape(|_: &SobolSample, cx| {
        (0..3).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
        let size = |i: usize| cx.constant_i64s(i).and_then(|n| usize::try_from(*n.first()?).ok());
        cx.output(0, PartialShape::new([size(1), size(0)]));
        Ok(())
    })
    .kernel(|op, cx| match op.dtype {
        DType::F64 => sample::<f64>(cx),
        _ => sample::<f32>(cx),
    })
    .heavy();

/// Primitive polynomials and initial direction numbers of all dimensions but the first; see `sobol.py`.
static NUMBERS: &[u8] = include_bytes!("sobol.bin");

/// Maximum number of dimensions.
const DIMS: i32 = 21_200;

/// Number of polynomials of each degree.
const POLYNOMIALS: [usize; 18] = [1, 1, 2, 2, 6, 6, 18, 16, 48, 60, 176, 144, 630, 756, 1800, 2048, 7710, 7776];

/// A position in the bit stream of [`NUMBERS`].
struct Bits(usize);

impl Bits {
    fn take(&mut self, count: usize) -> u32 {
        let bit = |at: usize| u32::from(NUMBERS[at / 8] >> (at % 8) & 1);
        let value = (0..count).map(|i| bit(self.0 + i) << i).sum();
        self.0 += count;
        value
    }
}

/// Returns the first `digits` direction numbers of each of `dims` dimensions, in units of `2^-digits`, digit by digit.
fn directions(dims: usize, digits: usize) -> Vec<u32> {
    let mut directions = vec![0; digits * dims];
    let scaled = |k: usize, m: u32| m << (digits - 1 - k);
    (0..digits).for_each(|k| directions[k * dims] = scaled(k, 1));
    let degrees = (1..).zip(POLYNOMIALS).flat_map(|(degree, count)| std::iter::repeat_n(degree, count));
    let mut bits = Bits(0);
    for (dim, degree) in (1..dims).zip(degrees) {
        let coefficients = bits.take(degree - 1);
        let mut m: Vec<u32> = (0..degree).map(|i| bits.take(i) << 1 | 1).collect();
        for k in degree..digits {
            let mut next = m[k - degree] ^ m[k - degree] << degree;
            for i in 1..degree {
                if coefficients >> (degree - 1 - i) & 1 == 1 {
                    next ^= m[k - i] << i;
                }
            }
            m.push(next);
        }
        (0..digits).for_each(|k| directions[k * dims + dim] = scaled(k, m[k]));
    }
    directions
}

fn sample<T: Real>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let mut given = [0; 3];
    for (i, (name, least)) in [("dim", 1), ("num_results", 1), ("skip", 0)].into_iter().enumerate() {
        let tensor = cx.input(i)?;
        if !tensor.shape().is_scalar() {
            return Err(Error::invalid(format!("{name} must be a scalar, got shape {}", tensor.shape())));
        }
        given[i] = tensor.item::<i32>()?;
        if given[i] < least {
            return Err(Error::invalid(format!("{name} must be at least {least}")).found(given[i]));
        }
    }
    let [dims, count, skip] = given;
    if dims > DIMS {
        return Err(Error::invalid(format!("dim must be at most {DIMS}")).found(dims));
    }
    if count >= i32::MAX - skip {
        return Err(Error::invalid(format!("num_results+skip must be less than {}", i32::MAX))
            .found(i64::from(count) + i64::from(skip)));
    }
    let (dims, skip) = (dims as usize, skip as usize);
    // One digit more than the index of the last point has.
    let digits = (skip + count as usize + 1).ilog2() as usize + 1;
    let shape = Shape::new([count as usize, dims])?;
    cx.produce::<T>(0, &shape, |cx, out| {
        let directions = directions(dims, digits);
        let row = |k: usize| &directions[k * dims..(k + 1) * dims];
        let unit = 1.0 / (1u64 << digits) as f64;
        cx.pool().for_chunks(out, dims, dims as f64, |first, out| {
            // Points are counted from 1; successive points differ by one direction number.
            let at = skip + first + 1;
            let gray = at ^ at >> 1;
            let mut point = vec![0; dims];
            let turn = |k: usize, point: &mut [u32]| point.iter_mut().zip(row(k)).for_each(|(p, d)| *p ^= d);
            (0..digits).filter(|k| gray >> k & 1 == 1).for_each(|k| turn(k, &mut point));
            for (i, out) in out.chunks_exact_mut(dims).enumerate() {
                if i > 0 {
                    turn((at + i - 1).trailing_ones() as usize, &mut point);
                }
                out.iter_mut().zip(&point).for_each(|(out, p)| *out = T::from_f64(f64::from(*p) * unit));
            }
        });
        Ok(())
    })
}
