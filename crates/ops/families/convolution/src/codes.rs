//! Shared parts of quantized layers: cached packed weights, and the conversion of sums of products to results.
//!
//! A uint8 code `c` represents `(c - zero_point) * scale`, an int8 code `w` of channel `j` represents `w * scales[j]`.
//! Sums of products are exact in int32. Everything after that is computed in float32 in a fixed order of operations, so
//! results are the same on every machine.

use crate::prelude::*;
use levada_gemm::int8::{PANEL, Packed, Tile};
use parking_lot::Mutex;
use std::sync::Arc;

/// The result types.
pub(crate) const RESULTS: &[DType] = &[DType::QU8, DType::F32];

/// How codes represent values.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    /// Distance between the values of two adjacent codes.
    pub scale: f32,
    /// The code of zero.
    pub zero: u8,
}

impl Scale {
    /// Builds the scale from two attrs.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if they are invalid.
    pub(crate) fn new(what: &str, scale: f32, zero: i64) -> Result<Scale> {
        if !(scale.is_finite() && scale > 0.0) {
            return Err(Error::invalid("a scale must be positive").attr(format!("{what}_scale")).found(scale));
        }
        let zero = u8::try_from(zero).map_err(|_| {
            let error = Error::invalid("a zero point must be a quint8 value").attr(format!("{what}_zero_point"));
            error.expected("0 to 255").found(zero)
        })?;
        Ok(Scale { scale, zero })
    }
}

/// The attrs that determine how sums become results.
pub(crate) struct Ending<'a> {
    pub input: Scale,
    pub activation: &'a str,
    pub sides: i64,
    pub side: (f32, i64),
    pub output: (f32, i64),
}

/// Activations that can be applied to results.
pub(crate) const ACTIVATIONS: &[&str] = &["Identity", "Relu", "Relu6"];

/// Inputs after the codes and the weights: the scales of the weights, the biases and the side input.
const SCALES: usize = 2;
const BIAS: usize = 3;
const SIDE: usize = 4;

/// Converts sums to results.
pub(crate) struct Rest<'a> {
    /// Subtracted from the sums of each channel: the products of the weights with the code of zero.
    offsets: Vec<i32>,
    factors: Vec<f32>,
    bias: &'a [f32],
    /// Codes of the side input, as wide as all channels.
    side: Option<(&'a [u8], Scale)>,
    low: f32,
    high: f32,
    inverse: f32,
    zero: u8,
}

impl<'a> Rest<'a> {
    /// Prepares the conversion for the node in `cx`, whose sums have `sums.len()` channels; `sums` holds the sum of
    /// each channel's weights. The result has the shape `out`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if scales or inputs do not match.
    pub(crate) fn new(cx: &'a Cx<'_, '_>, ending: &Ending<'_>, sums: &[i32], out: &Shape) -> Result<Rest<'a>> {
        let channels = sums.len();
        let vector = |i: usize, what: &str| -> Result<&'a [f32]> {
            let tensor = cx.input(i)?;
            if tensor.shape().dims() == [channels] {
                return tensor.slice::<f32>();
            }
            let error = Error::invalid(format!("{what} must have a value for each channel of the result"));
            Err(error.expected(format!("shape [{channels}]")).found(format!("shape {}", tensor.shape())))
        };
        let (scales, bias) = (vector(SCALES, "filter_scales")?, vector(BIAS, "bias")?);
        let side = match ending.sides {
            0 => None,
            _ => {
                let side = cx.input(SIDE)?;
                if side.shape() != out {
                    let error = Error::invalid("the side input must have the shape of the result");
                    return Err(error.expected(format!("shape {out}")).found(format!("shape {}", side.shape())));
                }
                Some((side.slice::<u8>()?, Scale::new("side", ending.side.0, ending.side.1)?))
            }
        };
        let (low, high) = match ending.activation {
            "Relu" => (0.0, f32::INFINITY),
            "Relu6" => (0.0, 6.0),
            _ => (f32::NEG_INFINITY, f32::INFINITY),
        };
        let output = Scale::new("output", ending.output.0, ending.output.1)?;
        Ok(Rest {
            offsets: sums.iter().map(|sum| sum.wrapping_mul(ending.input.zero.into())).collect(),
            factors: scales.iter().map(|scale| ending.input.scale * scale).collect(),
            bias,
            side,
            low,
            high,
            inverse: output.scale.recip(),
            zero: output.zero,
        })
    }

    /// Converts a tile of sums to results, starting at channel `channel`. The tile's rows are those of the result.
    pub(crate) fn tile<T: Made>(&self, tile: &Tile<'_>, channel: usize, out: &mut [T], width: usize) {
        vectorized!({
            for i in 0..tile.rows {
                let sums = &tile.sums[i * PANEL..][..tile.columns];
                self.row(tile.row + i, channel + tile.column, sums, &mut out[i * width..][..tile.columns]);
            }
        });
    }

    /// Converts the sums of a row to results, starting at channel `channel`.
    #[inline(always)]
    pub(crate) fn row<T: Made>(&self, row: usize, channel: usize, sums: &[i32], out: &mut [T]) {
        let n = sums.len();
        let (offsets, factors) = (&self.offsets[channel..][..n], &self.factors[channel..][..n]);
        let (bias, out) = (&self.bias[channel..][..n], &mut out[..n]);
        let number = |j: usize| sums[j].wrapping_sub(offsets[j]) as f32 * factors[j] + bias[j];
        match self.side {
            None => (0..n).for_each(|j| out[j] = T::made(self, self.activated(number(j)))),
            Some((side, scale)) => {
                let side = &side[row * self.factors.len() + channel..][..n];
                for j in 0..n {
                    let side = (i32::from(side[j]) - i32::from(scale.zero)) as f32 * scale.scale;
                    out[j] = T::made(self, self.activated(number(j) + side));
                }
            }
        }
    }

    /// NaN is kept.
    #[inline(always)]
    fn activated(&self, y: f32) -> f32 {
        let y = if y < self.low { self.low } else { y };
        if y > self.high { self.high } else { y }
    }
}

/// A result type.
pub(crate) trait Made: Element + Copy + Default {
    /// Converts a value to the result type.
    fn made(rest: &Rest<'_>, y: f32) -> Self;
}

impl Made for f32 {
    #[inline(always)]
    fn made(_: &Rest<'_>, y: f32) -> f32 {
        y
    }
}

impl Made for u8 {
    #[inline(always)]
    fn made(rest: &Rest<'_>, y: f32) -> u8 {
        // Adding this rounds to the nearest integer, ties to even, and leaves it in the lowest bits of the sum.
        const ROUND: f32 = 12_582_912.0;
        let zero = f32::from(rest.zero);
        let y = y * rest.inverse;
        let y = if y > -zero { y } else { -zero };
        let y = if y < 255.0 - zero { y } else { 255.0 - zero };
        ((y + ROUND).to_bits() as u8).wrapping_add(rest.zero)
    }
}

/// Runs `$body` with `$T` bound to the Rust type of a result of `$dtype`.
macro_rules! dispatch_result {
    ($cx:expr, $dtype:expr, |$T:ident| $body:expr) => {
        match $dtype {
            DType::QU8 => {
                type $T = u8;
                $body
            }
            DType::F32 => {
                type $T = f32;
                $body
            }
            other => unsupported($cx, other),
        }
    };
}
pub(crate) use dispatch_result;

/// Packed weights for each group of channels.
pub(crate) type Groups = Arc<Vec<Packed>>;

/// The packed weights of a node whose weights do not change from step to step.
#[derive(Default)]
pub(crate) struct Kept {
    /// Protects the packed weights and the tensor they were packed from. Holding that tensor ensures that its address
    /// is not reused for different elements.
    packed: Mutex<Option<(Tensor, Groups)>>,
}

impl Kept {
    /// Returns the packed weights of the node in `cx`, from input 1; they are cached if the input is a constant.
    ///
    /// # Errors
    /// Those of `pack`.
    pub(crate) fn weights(cx: &mut Cx<'_, '_>, pack: impl FnOnce(&Tensor) -> Result<Vec<Packed>>) -> Result<Groups> {
        let kept = match cx.entry(1) {
            Some(Entry::Constant(_)) => cx.node_state(Kept::default)?,
            _ => Arc::new(Kept::default()),
        };
        let weights = cx.input(1)?;
        let place = |t: &Tensor| t.bytes().map(|b| (b.as_ptr() as usize, b.len()));
        let mut packed = kept.packed.lock();
        if let Some((held, groups)) = &*packed
            && held.shape() == weights.shape()
            && place(held) == place(weights)
        {
            return Ok(groups.clone());
        }
        let groups = Arc::new(pack(weights)?);
        // Tensors small enough to store their elements inline have no stable address.
        if weights.num_bytes() >= 1024 {
            *packed = Some((weights.clone(), groups.clone()));
        }
        Ok(groups)
    }
}
