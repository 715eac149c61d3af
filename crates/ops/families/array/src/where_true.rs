//! `Where`: the positions of nonzero elements.

use crate::prelude::*;
use crate::rules::never;
use levada_ops_core::vectorized_for;

attrs! {
    /// Returns the index tuples of the elements that are true or nonzero, one per row, in row-major order.
    pub struct Where {
        /// Element type.
        dtype: DType = Attr::dtype("T", DTYPES).or_type(DType::Bool),
    }
}

const DTYPES: &[DType] = {
    use DType::*;
    &[F32, F64, I32, U8, I16, I8, C64, I64, QI8, QU8, QI32, BF16, QI16, QU16, U16, C128, F16, U32, U64, Bool]
};

pub static WHERE: Def<Where> = op("Where")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("index", is(DType::I64))])
    .shape(|_, cx| {
        cx.output(0, PartialShape::new([None, cx.input(0).rank()]));
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(where_op)
    .heavy();

fn where_op(op: &Where, cx: &mut Cx<'_, '_>) -> Result<()> {
    let rank = cx.input(0)?.shape().rank();
    if rank == 0 {
        return Err(Error::invalid("WhereOp : Unhandled input dimensions: 0"));
    }
    dispatch!(op.dtype, plain, |T| find::<T>(cx, rank), else Err(Error::unimplemented(format!("Where of {}", op.dtype))))
}

/// Elements that one thread processes at a time.
const PIECE: usize = 1 << 14;

fn find<T: Element + Copy + Default + PartialEq>(cx: &mut Cx<'_, '_>, rank: usize) -> Result<()> {
    let elements = cx.input(0)?.slice::<T>()?;
    let mut counts = vec![0; elements.len().div_ceil(PIECE)];
    cx.pool().for_chunks(&mut counts, 1, PIECE as f64 * 0.2, |first, counts| {
        for (count, piece) in counts.iter_mut().zip(elements.chunks(PIECE).skip(first)) {
            // Byte sums that cannot overflow vectorize to the maximum number of lanes.
            vectorized_for!(
                T,
                for part in piece.chunks(128) {
                    let mut few = 0u8;
                    for value in part {
                        few += u8::from(*value != T::default());
                    }
                    *count += usize::from(few);
                }
            );
        }
    });
    let shape = Shape::new([counts.iter().sum(), rank])?;
    cx.produce::<i64>(0, &shape, |cx, out| {
        let input = cx.input(0)?;
        let (dims, elements) = (input.shape().dims(), input.slice::<T>()?);
        let mut rest = out;
        let places = counts.iter().map(|count| rest.split_off_mut(..count * rank).unwrap_or_default());
        let pieces: Vec<_> = places.zip(elements.chunks(PIECE)).enumerate().collect();
        let write = match rank {
            1 => write::<T, 1>,
            2 => write::<T, 2>,
            _ => write_any,
        };
        cx.pool().for_each(pieces, PIECE as f64, |(i, (out, piece))| write(dims, i * PIECE, piece, out));
        Ok(())
    })
}

/// [`write_any`] specialized for tensors of `R` dimensions.
fn write<T: Copy + Default + PartialEq, const R: usize>(
    dims: &[usize],
    first: usize,
    mut elements: &[T],
    out: &mut [i64],
) {
    let (mut line, mut column) = (first / dims[R - 1], first % dims[R - 1]);
    let mut at = 0;
    while !elements.is_empty() {
        let count = elements.len().min(dims[R - 1] - column);
        // At most two dimensions, so the line is the first of them.
        let mut row = [line as i64; R];
        for (&value, column) in elements[..count].iter().zip(column as i64..) {
            row[R - 1] = column;
            if let Some(out) = out[at..].first_chunk_mut::<R>() {
                *out = row;
            }
            at += if value != T::default() { R } else { 0 };
        }
        elements = &elements[count..];
        (line, column) = (line + 1, 0);
    }
}

/// Writes the positions of the nonzero elements among `elements`, which start at flat index `first`, to `out`, which
/// has room for them.
fn write_any<T: Copy + Default + PartialEq>(dims: &[usize], first: usize, mut elements: &[T], out: &mut [i64]) {
    let mut place = vec![0; dims.len()];
    let mut rest = first;
    for (place, &size) in place.iter_mut().zip(dims).rev() {
        (*place, rest) = ((rest % size) as i64, rest / size);
    }
    let (mut at, inner) = (0, dims.len() - 1);
    while !elements.is_empty() {
        let count = elements.len().min(dims[inner] - place[inner] as usize);
        for &value in &elements[..count] {
            // No branch on the value: rows of zero elements are overwritten.
            if let Some(row) = out.get_mut(at..at + dims.len()) {
                row.iter_mut().zip(&place).for_each(|(o, p)| *o = *p);
            }
            at += if value != T::default() { dims.len() } else { 0 };
            place[inner] += 1;
        }
        elements = &elements[count..];
        for axis in (1..dims.len()).rev() {
            if place[axis] == dims[axis] as i64 {
                place[axis] = 0;
                place[axis - 1] += 1;
            }
        }
    }
}
