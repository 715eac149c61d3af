//! `EditDistance`: the Levenshtein distance between sequences.

use crate::prelude::*;
use crate::rules::never;
use std::cmp::Ordering;

attrs! {
    /// Computes the Levenshtein distance between corresponding sequences of `hypothesis` and `truth`: the minimum
    /// number of insertions, deletions and replacements. The sequences lie along the last axis of the sparse tensors.
    pub struct EditDistance {
        /// Whether to divide by the length of the sequence in `truth`.
        normalize: bool = Attr::bool("normalize").or_bool(true),
        /// Element type of the sequences.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static EDIT_DISTANCE: Def<EditDistance> = op("EditDistance")
    .inputs(&[
        arg("hypothesis_indices", is(DType::I64)),
        arg("hypothesis_values", of("T")),
        arg("hypothesis_shape", is(DType::I64)),
        arg("truth_indices", is(DType::I64)),
        arg("truth_values", of("T")),
        arg("truth_shape", is(DType::I64)),
    ])
    .outputs(&[arg("output", is(DType::F32))])
    .shape(|_, cx| {
        for i in [0, 3] {
            cx.with_rank(i, 2)?;
            cx.with_rank(i + 1, 1)?;
            cx.with_rank(i + 2, 1)?;
        }
        if let (Some(h), Some(t)) = (cx.constant_i64s(2), cx.constant_i64s(5))
            && h.len() == t.len()
            && h.len() > 1
        {
            let dims: Vec<i64> = h.iter().zip(&t).take(h.len() - 1).map(|(h, t)| *h.max(t)).collect();
            cx.output(0, PartialShape::from_signed(&dims));
        }
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op: &EditDistance, cx| match op.dtype {
        DType::Str => distances::<Bytes>(op, cx),
        dtype => dispatch!(dtype, plain, |T| distances::<T>(op, cx), else unsupported(cx, dtype)),
    })
    .heavy();

/// The sequences of a sparse tensor.
struct Sequences<'a, T> {
    indices: &'a [i64],
    values: &'a [T],
    dims: &'a [i64],
}

impl<'a, T: Element> Sequences<'a, T> {
    /// Reads the sequences of the input `i` and the two after it.
    fn of(cx: &'a Cx<'_, '_>, i: usize, name: &str) -> Result<Sequences<'a, T>> {
        let [indices, values, dims] = [cx.input(i)?.shape(), cx.input(i + 1)?.shape(), cx.input(i + 2)?.shape()];
        let (&[count, columns], &[numbers], &[rank]) = (indices.dims(), values.dims(), dims.dims()) else {
            return Err(Error::invalid(format!("{name} must be a matrix of indices, a vector of values and a shape"))
                .found(format!("shapes {indices}, {values} and {dims}")));
        };
        if columns != rank || count != numbers {
            return Err(Error::invalid(format!("the indices of {name} must match its values and its shape"))
                .found(format!("shapes {indices}, {values} and {dims}")));
        }
        if rank < 2 {
            return Err(Error::invalid(format!(
                "Input SparseTensors must have rank at least 2, but that of {name} is {rank}"
            )));
        }
        Ok(Sequences { indices: cx.slice(i)?, values: cx.slice(i + 1)?, dims: cx.slice(i + 2)? })
    }

    /// Returns the position of the next sequence, and its elements.
    fn next(&mut self) -> Option<(&'a [i64], &'a [T])> {
        let rank = self.dims.len();
        let place = self.indices.get(..rank - 1)?;
        let rows = self.indices.chunks_exact(rank);
        let count = rows.take_while(|row| row[..rank - 1] == *place).count();
        let sequence;
        (sequence, self.values) = self.values.split_at(count);
        self.indices = &self.indices[count * rank..];
        Some((place, sequence))
    }
}

fn distances<T: Element + PartialEq>(op: &EditDistance, cx: &mut Cx<'_, '_>) -> Result<()> {
    let mut hypothesis = Sequences::<T>::of(cx, 0, "hypothesis")?;
    let mut truth = Sequences::<T>::of(cx, 3, "truth")?;
    let (h, t) = (hypothesis.dims, truth.dims);
    if h.len() != t.len() {
        return Err(
            Error::invalid("truth and hypothesis must have matching ranks").found(format!("shapes {t:?} and {h:?}"))
        );
    }
    Shape::from_signed(h)?;
    Shape::from_signed(t)?;
    let dims: Vec<i64> = h.iter().zip(t).take(h.len() - 1).map(|(h, t)| *h.max(t)).collect();
    let shape = Shape::from_signed(&dims)?;
    let strides = shape.strides();
    let mut out = cx.zeros(DType::F32, &shape)?;
    let distances = out.slice_mut::<f32>()?;
    let (mut h, mut t) = (hypothesis.next(), truth.next());
    loop {
        let order = match (h, t) {
            (None, None) => break,
            (Some((h, _)), Some((t, _))) => h.cmp(t),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
        };
        let (has_h, has_t) = (order != Ordering::Greater, order != Ordering::Less);
        let place = if has_h { h } else { t }.map_or(&[][..], |(place, _)| place);
        let (from, to) = (h.filter(|_| has_h).map_or(&[][..], |h| h.1), t.filter(|_| has_t).map_or(&[][..], |t| t.1));
        let distance = levenshtein(to, from) as f32;
        *at(distances, &dims, &strides, place)? = if op.normalize { distance / to.len() as f32 } else { distance };
        if has_h {
            h = hypothesis.next();
        }
        if has_t {
            t = truth.next();
        }
    }
    cx.set(0, out);
    Ok(())
}

/// Returns the element at `place` of a tensor.
fn at<'a>(out: &'a mut [f32], dims: &[i64], strides: &[usize], place: &[i64]) -> Result<&'a mut f32> {
    let is_inside = place.iter().zip(dims).all(|(i, n)| (0..*n).contains(i));
    let offset: usize =
        if is_inside { place.iter().zip(strides).map(|(&i, s)| i as usize * s).sum() } else { out.len() };
    out.get_mut(offset).ok_or_else(|| {
        Error::internal("the index of a sequence is outside of the result")
            .expected(format!("{dims:?}"))
            .found(format!("{place:?}"))
    })
}

/// Minimum number of insertions, deletions and replacements that turn `a` into `b`.
fn levenshtein<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, a) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
