//! `Bitcast`: the same bytes reinterpreted as another type.

use crate::prelude::*;
use crate::rules::never;

const DTYPES: &[DType] = {
    use DType::*;
    &[BF16, F16, F32, F64, I64, I32, U8, U16, U32, U64, I8, I16, C64, C128, QI8, QU8, QI16, QU16, QI32]
};

attrs! {
    /// Reinterprets the bytes of `input` as `type`. A smaller element type adds a trailing axis; a larger one consumes
    /// the last axis.
    pub struct Bitcast {
        /// Element type of the input.
        from: DType = Attr::dtype("T", DTYPES),
        /// Element type of the result.
        to: DType = Attr::dtype("type", DTYPES),
    }
}

impl Bitcast {
    fn resized(&self, dims: &[Dim]) -> Result<Vec<Dim>> {
        let (from, to) = (self.from.size(), self.to.size());
        let mut dims = dims.to_vec();
        if from > to {
            dims.push(Some(from / to));
        } else if from < to {
            match dims.pop() {
                Some(last) if last.is_none_or(|d| d == to / from) => (),
                _ => {
                    return Err(
                        Error::invalid(format!("Cannot bitcast from {} to {}", self.from, self.to)).attr("type")
                    );
                }
            }
        }
        Ok(dims)
    }
}

pub static BITCAST: Def<Bitcast> = op::<Bitcast>("Bitcast")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("type"))])
    .shape(|op: &Bitcast, cx| {
        if let Some(dims) = cx.input(0).dims() {
            cx.output(0, PartialShape::new(op.resized(dims)?));
        }
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(bitcast)
    .batch(|op, b| if b.rank(0)? < 1 { None } else { leading(op, b) });

fn bitcast(op: &Bitcast, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.take(0)?;
    let out = if op.from.size() == op.to.size() {
        input.reinterpreted(op.to)?
    } else {
        let dims: Vec<Dim> = input.shape().iter().map(|&d| Some(d)).collect();
        let shape = Shape::new(op.resized(&dims)?.into_iter().flatten())?;
        // A copy, because the elements may not be aligned for larger ones.
        let mut out = cx.alloc(op.to, &shape)?;
        let missing = || Error::internal("a plain tensor without bytes");
        let from = input.bytes().ok_or_else(missing)?;
        out.bytes_mut().ok_or_else(missing)?.copy_from_slice(from);
        out
    };
    cx.set(0, out);
    Ok(())
}
