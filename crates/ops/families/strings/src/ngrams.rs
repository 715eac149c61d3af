//! `StringNGrams`: n-grams of strings.

use super::join::join;
use crate::prelude::*;

/// Maximum total number of parts in the n-grams of one row and width.
const MOST_PARTS: usize = 1 << 31;

/// Number of strings in n-grams between checks for cancellation.
const LOOK_EVERY: usize = 1 << 16;

attrs! {
    /// Returns the n-grams of `ngram_widths` strings in each row of `data`; `data_splits` delimit the rows.
    pub struct StringNGrams {
        /// Separator.
        separator: Bytes = Attr::string("separator"),
        /// Widths of the n-grams.
        ngram_widths: Vec<i64> = Attr::ints("ngram_widths").at_least(0),
        /// Padding before a row.
        left_pad: Bytes = Attr::string("left_pad"),
        /// Padding after a row.
        right_pad: Bytes = Attr::string("right_pad"),
        /// Number of pads on each side; negative for as many as fit the n-gram.
        pad_width: i64 = Attr::int("pad_width"),
        /// Whether a row too short for any n-gram yields one with the whole row.
        preserve_short_sequences: bool = Attr::bool("preserve_short_sequences"),
        /// Element type of the splits.
        splits: DType = Attr::dtype("Tsplits", sets::INDEX).or_type(DType::I64),
    }
}

pub static STRING_N_GRAMS: Def<StringNGrams> = op("StringNGrams")
    .inputs(&[arg("data", is(DType::Str)), arg("data_splits", of("Tsplits"))])
    .outputs(&[arg("ngrams", is(DType::Str)), arg("ngrams_splits", of("Tsplits"))])
    .shape(|_, cx| {
        cx.with_rank(0, 1)?;
        let splits = cx.with_rank(1, 1)?;
        cx.output_vector(0, None);
        cx.output(1, splits);
        Ok(())
    })
    .kernel(string_n_grams);

fn string_n_grams(op: &StringNGrams, cx: &mut Cx<'_, '_>) -> Result<()> {
    let widths: Option<Vec<usize>> =
        op.ngram_widths.iter().map(|w| usize::try_from(*w).ok().filter(|w| *w > 0)).collect();
    let widths =
        widths.ok_or_else(|| Error::invalid("ngram_widths must contain positive values").attr("ngram_widths"))?;
    let (data, splits) = (cx.input(0)?, cx.input(1)?);
    let splits_shape = splits.shape().clone();
    let strings = data.slice::<Bytes>()?;
    let splits = splits.to_i64s()?;
    check_splits(&splits, strings.len())?;
    let (mut ngrams, mut ends) = (Vec::new(), Vec::with_capacity(splits.len()));
    if splits.is_empty() || strings.is_empty() {
        let empty = Tensor::zeros(DType::Str, data.shape().clone());
        cx.set(0, empty);
        ends.resize(splits.len(), 0);
    } else {
        ends.push(0);
        for pair in splits.windows(2) {
            let row = &strings[pair[0] as usize..pair[1] as usize];
            let before = ngrams.len();
            for &width in &widths {
                op.runs(&|| cx.step().check(), row, width, &mut ngrams)?;
            }
            if op.preserve_short_sequences && ngrams.len() == before && !row.is_empty() {
                let pads = usize::try_from(op.pad_width).map_err(|_| {
                    Error::invalid("pad_width must be given where short sequences are preserved").attr("pad_width")
                })?;
                // The width of an n-gram of the whole row with its padding.
                let whole = row.len().saturating_add(pads.saturating_mul(2));
                op.runs(&|| cx.step().check(), row, whole, &mut ngrams)?;
            }
            ends.push(ngrams.len() as i64);
        }
        cx.set(0, Tensor::vector(ngrams));
    }
    let ends = match op.splits {
        DType::I32 => Tensor::from_vec(splits_shape, ends.into_iter().map(|e| e as i32).collect()),
        _ => Tensor::from_vec(splits_shape, ends),
    };
    cx.set(1, ends?);
    Ok(())
}

/// Checks that splits go from 0 to `size` without decreasing.
pub(super) fn check_splits(splits: &[i64], size: usize) -> Result<()> {
    let Some(first) = splits.first() else { return Ok(()) };
    if *first != 0 {
        return Err(Error::invalid(format!("First split value must be 0, got {first}")));
    }
    for pair in splits.windows(2) {
        if pair[1] < pair[0] || pair[1] > size as i64 {
            return Err(Error::invalid(format!("Invalid split value {}, must be in [{}, {size}]", pair[1], pair[0])));
        }
    }
    match splits.last() {
        Some(last) if *last != size as i64 => {
            Err(Error::invalid(format!("Last split value must be data size. Expected {size}, got {last}")))
        }
        _ => Ok(()),
    }
}

impl StringNGrams {
    /// Returns the number of pads on each side of a row for n-grams of `width`.
    fn pads(&self, width: usize) -> usize {
        usize::try_from(self.pad_width).unwrap_or(usize::MAX).min(width - 1)
    }

    /// The n-grams of `width` in a row.
    fn runs(&self, goes_on: &dyn Fn() -> Result<()>, row: &[Bytes], width: usize, out: &mut Vec<Bytes>) -> Result<()> {
        let pads = self.pads(width);
        let padded = row.len().saturating_add(pads.saturating_mul(2));
        if padded < width {
            return Ok(());
        }
        let count = padded - width + 1;
        if count.saturating_mul(width) > MOST_PARTS {
            return Err(Error::resource_exhausted(format!("{count} n-grams of {width} strings are too many")));
        }
        let each = (LOOK_EVERY / width).max(1);
        for start in 0..count {
            if start % each == 0 {
                goes_on()?;
            }
            let part = |i: usize| match i {
                i if i < pads => &self.left_pad,
                i => row.get(i - pads).unwrap_or(&self.right_pad),
            };
            let parts: Vec<&Bytes> = (start..start + width).map(part).collect();
            out.push(join(&parts, &self.separator)?);
        }
        Ok(())
    }
}
