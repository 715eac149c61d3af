//! `ReverseSequence`: reverses a prefix of each sequence in a batch.

use crate::moves::Cell;
use crate::prelude::*;
use crate::rules::first;

attrs! {
    /// Reverses the first `seq_lengths[b]` positions along `seq_dim` for each index `b` along `batch_dim`.
    pub struct ReverseSequence {
        /// The axis to reverse along.
        seq_dim: i64 = Attr::int("seq_dim"),
        /// The batch axis.
        batch_dim: i64 = Attr::int("batch_dim").or_int(0),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `seq_lengths`.
        index: DType = Attr::dtype("Tlen", sets::INDEX).or_type(DType::I64),
    }
}

impl ReverseSequence {
    fn axes(&self, rank: usize) -> Result<(usize, usize)> {
        let find = |name: &str, axis: i64| {
            usize::try_from(axis)
                .ok()
                .filter(|&a| a < rank)
                .ok_or_else(|| Error::invalid(format!("{name} must be < input rank ( {axis} vs. {rank})")).attr(name))
        };
        let (seq, batch) = (find("seq_dim", self.seq_dim)?, find("batch_dim", self.batch_dim)?);
        if seq == batch {
            return Err(Error::invalid(format!("batch_dim == seq_dim == {seq}")).attr("seq_dim"));
        }
        Ok((seq, batch))
    }
}

pub static REVERSE_SEQUENCE: Def<ReverseSequence> = op("ReverseSequence")
    .inputs(&[arg("input", of("T")), arg("seq_lengths", of("Tlen"))])
    .outputs(&[arg("output", of("T"))])
    .shape(same_as_input)
    .gradient(|op, g| first(g, REVERSE_SEQUENCE.node(g, op, &[g.dy(0), g.input(1)])))
    .kernel(reverse_sequence)
    .heavy();

fn reverse_sequence(op: &ReverseSequence, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, lengths) = (cx.input(0)?, cx.input(1)?);
    let dims = input.shape().dims();
    if lengths.shape().rank() != 1 {
        return Err(Error::invalid(format!("seq_lengths must be 1-dim, not {}", lengths.shape().rank())));
    }
    let (seq, batch) = op.axes(dims.len())?;
    if lengths.num_elements() != dims[batch] {
        return Err(Error::invalid(format!(
            "Length of seq_lengths != input.dims({batch}), ({} vs. {})",
            lengths.num_elements(),
            dims[batch]
        )));
    }
    let lengths = lengths.to_i64s()?;
    if let Some((b, n)) = lengths.iter().enumerate().find(|(_, n)| !(0..=dims[seq] as i64).contains(n)) {
        let fault = if *n < 0 { "< 0".to_owned() } else { format!("> input.dims({seq})") };
        return Err(Error::invalid(format!("seq_lens({b}) {fault}")));
    }
    let (low, high) = (seq.min(batch), seq.max(batch));
    let middle: usize = dims[low + 1..high].iter().product();
    let inner: usize = dims[high + 1..].iter().product();
    let strides = input.shape().strides();
    let mut out = cx.alloc(op.dtype, input.shape())?;
    if out.num_elements() > 0 {
        cells!(op.dtype, |T| {
            let src = T::cells(input)?;
            let nanos = 3.0 + (inner * size_of::<T>()) as f64 / 8.0;
            cx.pool().for_chunks(T::cells_mut(&mut out)?, inner, nanos, |first, piece| {
                for (row, to) in (first..).zip(piece.chunks_exact_mut(inner)) {
                    let at_high = row % dims[high];
                    let at_low = row / dims[high] / middle % dims[low];
                    let (s, b) = if seq == high { (at_high, at_low) } else { (at_low, at_high) };
                    let length = lengths[b] as usize;
                    let from = if s < length { length - 1 - s } else { s };
                    let at = row * inner - s * strides[seq] + from * strides[seq];
                    to.clone_from_slice(&src[at..at + inner]);
                }
            });
        });
    }
    cx.set(0, out);
    Ok(())
}
