//! Common parts of the decoders: their inputs, and paths as sparse tensors.

use crate::prelude::*;

/// The inputs of a decoder.
pub(crate) const INPUTS: &[Arg] = &[arg("inputs", of("T")), arg("sequence_length", is(DType::I32))];

/// Validated sequences of scores.
pub(crate) struct Batch<'a, T> {
    scores: &'a [T],
    pub(crate) size: usize,
    pub(crate) classes: usize,
    lengths: &'a [i32],
}

impl<'a, T: Element> Batch<'a, T> {
    /// Reads the sequences from inputs 0 and 1.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` or `FAILED_PRECONDITION` if they are inconsistent.
    pub(crate) fn of(cx: &'a Cx<'_, '_>) -> Result<Batch<'a, T>> {
        let (inputs, lengths) = (cx.input(0)?.shape(), cx.input(1)?.shape());
        let &[time, size, classes] = inputs.dims() else {
            return Err(Error::invalid(format!("inputs is not a 3-Tensor, but has the shape {inputs}")));
        };
        if inputs.num_elements() == 0 {
            return Err(Error::invalid("inputs must not be empty").found(format!("shape {inputs}")));
        }
        if lengths.rank() != 1 {
            return Err(Error::invalid(format!("sequence_length is not a vector, but has the shape {lengths}")));
        }
        if lengths.dims() != [size] {
            return Err(Error::failed_precondition("sequence_length must have a length for each sequence")
                .expected(format!("{size} lengths"))
                .found(lengths[0]));
        }
        let lengths = cx.slice::<i32>(1)?;
        if let Some(b) = lengths.iter().position(|&length| i64::from(length) > time as i64) {
            return Err(Error::failed_precondition(format!("sequence_length({b}) <= {time}")).found(lengths[b]));
        }
        Ok(Batch { scores: cx.slice(0)?, size, classes, lengths })
    }

    /// Returns the scores of sequence `b`, step by step.
    pub(crate) fn steps(&self, b: usize) -> impl Iterator<Item = &'a [T]> + use<'a, T> {
        let steps = self.scores.chunks_exact(self.classes).skip(b).step_by(self.size);
        steps.take(usize::try_from(self.lengths[b]).unwrap_or(0))
    }

    /// Cost of decoding a sequence, in nanoseconds, at `nanos` per element.
    pub(crate) fn cost(&self, nanos: f64) -> f64 {
        self.scores.len() as f64 / self.size as f64 * nanos
    }
}

/// Infers the shapes of `paths` sparse tensors of paths and of their scores.
pub(crate) fn infer(cx: &mut ShapeCx<'_>, paths: usize) -> Result<()> {
    let batch = cx.with_rank(0, 3)?.dim(1);
    let batch = cx.with_rank(1, 1)?.merge(&PartialShape::vector(batch))?.dim(0);
    for path in 0..paths {
        cx.output(path, PartialShape::new([None, Some(2)]));
        cx.output_vector(paths + path, None);
        cx.output_vector(2 * paths + path, Some(2));
    }
    cx.output(3 * paths, PartialShape::new([batch, Some(paths)]));
    Ok(())
}

/// Sets the outputs of path `path` of `paths`: the labels of each sequence as a sparse matrix.
pub(crate) fn put<'a>(
    cx: &mut Cx<'_, '_>,
    [path, paths]: [usize; 2],
    sequences: impl ExactSizeIterator<Item = &'a Vec<i32>>,
) -> Result<()> {
    let (mut indices, mut values, mut longest) = (Vec::new(), Vec::new(), 0);
    let batch = sequences.len();
    for (b, sequence) in sequences.enumerate() {
        longest = longest.max(sequence.len());
        indices.extend((0..sequence.len()).flat_map(|i| [b as i64, i as i64]));
        values.extend(sequence.iter().map(|&label| i64::from(label)));
    }
    cx.set(path, Tensor::from_vec(Shape::new([values.len(), 2])?, indices)?);
    cx.set(paths + path, Tensor::vector(values));
    cx.set(2 * paths + path, Tensor::vector(vec![batch as i64, longest as i64]));
    Ok(())
}
