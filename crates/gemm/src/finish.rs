//! Epilogues of products: per-channel factors and terms, a tensor of the result's shape and a function, applied to
//! parts of the result while they are in the nearest caches.

use super::Ending;
use levada_graph::{DType, Result, Shape, Tensor, bf16, f16};
use levada_kernel::{Finish, Function, Pool};
use levada_ops_core::elementwise::vector_math as vector;
use levada_ops_core::halves::Half;
use levada_ops_core::vectorized;

/// Elements per iteration: enough to fill whole vectors on any machine.
const LANES: usize = 16;
/// Per-channel values are repeated up to about this many elements, so that loops over them are long.
const LONG: usize = 1024;
/// The number of elements of a 16-bit addend that are widened at a time.
const WIDENED: usize = 256;

/// The elements of the addend.
#[derive(Clone, Copy)]
enum Addend<'a> {
    F32(&'a [f32]),
    F16(&'a [f16]),
    BF16(&'a [bf16]),
}

impl<'a> Addend<'a> {
    fn of(tensor: &'a Tensor) -> Result<Addend<'a>> {
        Ok(match tensor.dtype() {
            DType::F16 => Addend::F16(tensor.slice()?),
            DType::BF16 => Addend::BF16(tensor.slice()?),
            _ => Addend::F32(tensor.slice()?),
        })
    }
}

/// A [`Finish`] for results of one shape.
pub struct Finisher<'a> {
    channels: usize,
    /// True if there are factors other than one.
    has_scale: bool,
    /// Per-channel factors and terms, repeated; empty if there are neither.
    scale: Vec<f32>,
    shift: Vec<f32>,
    /// The number of elements that are finished at a time, a whole number of channel rows.
    period: usize,
    addend: Option<Addend<'a>>,
    /// The result is clamped to this range.
    least: f32,
    most: f32,
    /// The part of the function that is not a clamp.
    function: Option<Function>,
}

impl<'a> Finisher<'a> {
    /// Prepares `finish` for a result of this shape and dtype, which is rounded afterwards; `None` if they do not
    /// match.
    pub fn new(finish: &Finish<'a>, shape: &Shape, dtype: DType) -> Option<Finisher<'a>> {
        let channels = shape.last().copied().filter(|_| finish.fits(shape, dtype) && shape.num_elements() > 0)?;
        let addend = finish.addend.map(Addend::of).transpose().ok()?;
        let is_affine = finish.scale.is_some() || finish.shift.is_some();
        // A whole number of rows and, if rows are short, of vectors.
        let vectors = LANES >> channels.trailing_zeros().min(LANES.ilog2());
        let rows = LONG.div_ceil(channels).next_multiple_of(vectors);
        let rows = rows.min(shape.num_elements() / channels).max(1);
        let period = rows * channels;
        let repeated = |numbers: Option<&[f32]>, none: f32| match numbers {
            _ if !is_affine => Vec::new(),
            Some(numbers) => numbers.repeat(rows),
            None => vec![none; period],
        };
        let (least, most, function) = match finish.function {
            Some(Function::Relu) => (0.0, f32::INFINITY, None),
            Some(Function::Relu6) => (0.0, 6.0, None),
            function => (f32::NEG_INFINITY, f32::INFINITY, function),
        };
        let (scale, shift) = (repeated(finish.scale, 1.0), repeated(finish.shift, 0.0));
        let has_scale = finish.scale.is_some();
        Some(Finisher { channels, has_scale, scale, shift, period, addend, least, most, function })
    }

    /// The same for sums in registers; `None` if that is not possible.
    pub fn ending(&self) -> Option<Ending<'_, f32>> {
        let scale = if self.has_scale { &self.scale[..self.channels] } else { &[] };
        let shift = self.shift.get(..self.channels).unwrap_or_default();
        let limit = |limit: f32| Some(limit).filter(|limit| limit.is_finite());
        let slope = match self.function {
            None => None,
            Some(Function::LeakyRelu(slope)) => Some(slope),
            Some(_) => return None,
        };
        let (least, most) = (limit(self.least), limit(self.most));
        self.addend.is_none().then_some(Ending { scale, shift, least, most, slope })
    }

    /// Finishes channel rows, starting at row `first` of the result.
    pub fn rows(&self, first: usize, out: &mut [f32]) {
        for (i, out) in out.chunks_mut(self.period).enumerate() {
            self.part(first + i * (self.period / self.channels), 0, out);
        }
    }

    /// Finishes parts of rows, or several whole rows.
    pub(super) fn then(&self) -> impl Fn(usize, usize, &mut [f32]) + Sync + '_ {
        |row, channel, out| match channel {
            0 => self.rows(row, out),
            _ => self.part(row, channel, out),
        }
    }

    /// Finishes a part of a row, starting at channel `channel`, or several rows, starting at channel 0.
    pub fn part(&self, row: usize, channel: usize, out: &mut [f32]) {
        let at = row * self.channels + channel;
        match self.addend {
            None => self.apply(channel, None, out),
            Some(Addend::F32(addend)) => self.apply(channel, Some(&addend[at..][..out.len()]), out),
            Some(Addend::F16(addend)) => self.widened(channel, &addend[at..][..out.len()], out),
            Some(Addend::BF16(addend)) => self.widened(channel, &addend[at..][..out.len()], out),
        }
    }

    /// Same as [`Finisher::part`] for a 16-bit addend.
    fn widened<H: Half>(&self, channel: usize, addend: &[H], out: &mut [f32]) {
        let mut wide = [0f32; WIDENED];
        for (i, (addend, out)) in addend.chunks(WIDENED).zip(out.chunks_mut(WIDENED)).enumerate() {
            let wide = &mut wide[..addend.len()];
            H::to_singles(addend, wide);
            self.apply(channel + i * WIDENED, Some(wide), out);
        }
    }

    /// Starts at channel `channel`, counted over channel rows.
    fn apply(&self, channel: usize, addend: Option<&[f32]>, out: &mut [f32]) {
        let n = out.len();
        // Plain zips: the compiler vectorizes these, but not loops that index several slices.
        let limits = (self.least, self.most);
        match (self.scale.is_empty(), addend) {
            (true, None) => vectorized!(out.iter_mut().for_each(|x| *x = within(*x, limits))),
            (true, Some(addend)) => {
                vectorized!(out.iter_mut().zip(addend).for_each(|(x, a)| *x = within(*x + a, limits)));
            }
            (false, addend) => {
                let (scale, shift) = (&self.scale[channel..][..n], &self.shift[channel..][..n]);
                let each = out.iter_mut().zip(scale).zip(shift);
                match addend {
                    None => vectorized!(each.for_each(|((x, s), t)| *x = within(*x * s + t, limits))),
                    Some(addend) => {
                        vectorized!(each.zip(addend).for_each(|(((x, s), t), a)| *x = within(*x * s + t + a, limits)));
                    }
                }
            }
        }
        match self.function {
            None | Some(Function::Relu | Function::Relu6) => {}
            Some(Function::LeakyRelu(slope)) => {
                vectorized!(out.iter_mut().for_each(|x| *x = if *x > 0.0 { *x } else { slope * *x }));
            }
            Some(Function::Elu) => {
                vectorized!(out.iter_mut().for_each(|x| *x = if *x < 0.0 { vector::exp_m1(*x) } else { *x }));
            }
            Some(Function::Sigmoid) => vectorized!(out.iter_mut().for_each(|x| *x = vector::sigmoid(*x))),
            Some(Function::Tanh) => vectorized!(out.iter_mut().for_each(|x| *x = vector::tanh(*x))),
            Some(Function::Swish) => vectorized!(out.iter_mut().for_each(|x| *x *= vector::sigmoid(*x))),
            Some(Function::HardSwish) => {
                vectorized!(out.iter_mut().for_each(|x| *x *= within(*x + 3.0, (0.0, 6.0)) / 6.0));
            }
        }
    }

    /// Finishes the whole result.
    pub fn all(&self, pool: &Pool, out: &mut [f32]) {
        pool.for_chunks(out, self.channels, self.channels as f64 * 0.3, |first, piece| self.rows(first, piece));
    }
}

/// The value, clamped. The comparisons are false for NaN and keep it.
#[inline(always)]
fn within(x: f32, (least, most): (f32, f32)) -> f32 {
    let x = if x < least { least } else { x };
    if x > most { most } else { x }
}
