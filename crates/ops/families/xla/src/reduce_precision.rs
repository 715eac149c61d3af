//! `XlaReducePrecision`: rounds floats to fewer bits.

use crate::moves::{Cell, owned};
use crate::prelude::*;

attrs! {
    /// Rounds `operand` to the precision of a float with the given number of exponent and mantissa bits, ties to even.
    /// Values that are too large become infinite, denormal ones zero.
    pub struct XlaReducePrecision {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::BF16, DType::F16, DType::F32, DType::F64]),
        /// Number of exponent bits.
        exponent_bits: i64 = Attr::int("exponent_bits"),
        /// Number of mantissa bits, without the implicit one.
        mantissa_bits: i64 = Attr::int("mantissa_bits"),
    }
}

pub static XLA_REDUCE_PRECISION: Def<XlaReducePrecision> = op::<XlaReducePrecision>("XlaReducePrecision")
    .inputs(&[arg("operand", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(same_as_input)
    .kernel(|op, cx| match op.dtype {
        DType::F64 => reduce::<u64>(op, cx, Format { exponent: 11, mantissa: 52 }),
        DType::F32 => reduce::<u32>(op, cx, Format { exponent: 8, mantissa: 23 }),
        DType::F16 => reduce::<u16>(op, cx, Format { exponent: 5, mantissa: 10 }),
        DType::BF16 => reduce::<u16>(op, cx, Format { exponent: 8, mantissa: 7 }),
        dtype => unsupported(cx, dtype),
    })
    .batch(elementwise);

/// The format of a float, in bits.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    mantissa: u32,
}

impl Format {
    /// Returns the bits of a float of this format, rounded to the format `to`.
    fn rounded(self, bits: u64, to: Format) -> u64 {
        let sign = 1 << (self.exponent + self.mantissa);
        let infinity = ((1 << self.exponent) - 1) << self.mantissa;
        let magnitude = bits & (sign - 1);
        if magnitude > infinity {
            return bits;
        }
        let mut magnitude = magnitude;
        if to.mantissa < self.mantissa {
            let dropped = self.mantissa - to.mantissa;
            let odd = magnitude >> dropped & 1;
            magnitude = (magnitude + (1 << (dropped - 1)) - 1 + odd) >> dropped << dropped;
        }
        if to.exponent < self.exponent {
            let bias = (1u64 << (self.exponent - 1)) - 1;
            let reach = (1u64 << (to.exponent - 1)) - 1;
            let exponent = magnitude >> self.mantissa;
            if exponent > bias + reach {
                magnitude = infinity;
            } else if exponent <= bias - reach {
                magnitude = 0;
            }
        }
        bits & sign | magnitude
    }
}

/// An unsigned integer as wide as a float.
trait Word: Copy + Send + Sync {
    fn wide(self) -> u64;
    fn narrow(bits: u64) -> Self;
}

macro_rules! words {
    ($($ty:ty)*) => {$(
        impl Word for $ty {
            fn wide(self) -> u64 { self.into() }
            fn narrow(bits: u64) -> Self { bits as $ty }
        }
    )*};
}

words!(u16 u32 u64);

fn reduce<W: Word + Cell>(op: &XlaReducePrecision, cx: &mut Cx<'_, '_>, from: Format) -> Result<()> {
    let bits = |name: &str, bits: i64, least: i64| {
        u32::try_from(bits)
            .ok()
            .filter(|_| bits >= least)
            .ok_or_else(|| Error::invalid(format!("{name} must be at least {least}")).found(bits))
    };
    let exponent = bits("exponent_bits", op.exponent_bits, 1)?;
    let to = Format { exponent, mantissa: bits("mantissa_bits", op.mantissa_bits, 0)? };
    let mut out = owned(cx, 0)?;
    cx.pool().for_chunks(W::cells_mut(&mut out)?, 1, 2.0, |_, words| {
        words.iter_mut().for_each(|word| *word = W::narrow(from.rounded(word.wide(), to)));
    });
    cx.set(0, out);
    Ok(())
}
