//! `OnnxDequantizeNBits`: dequantizes the packed low-bit weights of `com.microsoft` ops.

use crate::base::{Base, Inputs, buffer, product, read, write};
use crate::prelude::*;

attrs! {
    /// Dequantizes the weights of `MatMulNBits` of `com.microsoft`: a matrix of `N` rows and `K` columns, in which each
    /// run of `block_size` elements along a row has its own scale and zero point.
    pub struct OnnxDequantizeNBits {
        /// Element type.
        dtype: DType = Attr::dtype("T1", sets::FLOATS),
        /// Element type of the zero points; uint8 zero points are packed like the weights.
        zero_type: DType = Attr::dtype("T3", sets::REALS).or_type(DType::U8),
        /// 1 if `zero_points` are given, otherwise 0.
        zero: i64 = Attr::int("num_zero_points").or_int(0).at_least(0),
        /// Number of columns.
        k: i64 = Attr::int("K").at_least(1),
        /// Number of rows.
        n: i64 = Attr::int("N").at_least(1),
        /// Bits per weight.
        bits: i64 = Attr::int("bits").or_int(4),
        /// Number of weights in a row per scale.
        block: i64 = Attr::int("block_size").at_least(1),
    }
}

pub static ONNX_DEQUANTIZE_N_BITS: Def<OnnxDequantizeNBits> = op("OnnxDequantizeNBits")
    .inputs(&[arg("B", is(DType::U8)), arg("scales", of("T1")), arg("zero_points", of("T3")).times("num_zero_points")])
    .outputs(&[arg("Y", of("T1"))])
    .shape(|op: &OnnxDequantizeNBits, cx| {
        let size = |n: i64| usize::try_from(n).ok();
        cx.output(0, PartialShape::new([size(op.n), size(op.k)]));
        Ok(())
    })
    .kernel(onnx_dequantize_n_bits)
    .heavy();

fn onnx_dequantize_n_bits(op: &OnnxDequantizeNBits, cx: &mut Cx<'_, '_>) -> Result<()> {
    let y = in_base!(op.dtype, |B| op.run::<B>(cx)?);
    cx.set(0, y);
    Ok(())
}

/// Value `i` of those packed into bytes, lowest bits first.
fn unpacked(bytes: &[u8], i: usize, bits: usize) -> u8 {
    let at = i * bits;
    let low = u16::from(bytes[at / 8]) | bytes.get(at / 8 + 1).map_or(0, |&b| u16::from(b) << 8);
    ((low >> (at % 8)) & ((1 << bits) - 1)) as u8
}

impl OnnxDequantizeNBits {
    fn run<B: Base>(&self, cx: &Cx<'_, '_>) -> Result<Tensor> {
        let size = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
        let (k, n, bits, block) = (size(self.k), size(self.n), size(self.bits), size(self.block));
        if !(1..=8).contains(&bits) {
            return Err(Error::unimplemented("this number of bits per weight is not supported")
                .attr("bits")
                .expected("1 to 8")
                .found(bits));
        }
        let shape = Shape::new([n, k])?;
        let blocks = k.div_ceil(block);
        product(&[blocks, block])?;
        // Each block starts at a byte boundary.
        let blob = block.checked_mul(bits).map(|bits| bits.div_ceil(8));
        let blob = blob.ok_or_else(|| Error::invalid("block_size is too large").attr("block_size"))?;
        let bytes = cx.slice::<u8>(0)?;
        let expected = product(&[n, blocks, blob])?;
        if bytes.len() != expected {
            return Err(Error::invalid("B has the wrong size")
                .expected(format!("{expected} bytes"))
                .found(cx.input(0)?.shape()));
        }
        let scales = read::<B>(cx.input(1)?)?;
        if scales.len() != n * blocks {
            return Err(Error::invalid("scales has the wrong size").expected(n * blocks).found(cx.input(1)?.shape()));
        }
        let middle = B::of(f64::from(1u32 << (bits - 1)));
        let zeros: Vec<B> = match Inputs::from(2).optional("num_zero_points", self.zero)? {
            None => vec![middle; scales.len()],
            Some(at) if self.zero_type == DType::U8 => {
                let packed = cx.slice::<u8>(at)?;
                let each = (blocks * bits).div_ceil(8);
                if packed.len() != n * each {
                    return Err(Error::invalid("zero_points has the wrong size")
                        .expected(n * each)
                        .found(cx.input(at)?.shape()));
                }
                let one = |i: usize| unpacked(&packed[i / blocks * each..][..each], i % blocks, bits);
                (0..n * blocks).map(|i| B::of(f64::from(one(i)))).collect()
            }
            Some(at) => {
                let zeros = read::<B>(cx.input(at)?)?;
                if zeros.len() != scales.len() {
                    return Err(Error::invalid("zero_points has the wrong size")
                        .expected(scales.len())
                        .found(cx.input(at)?.shape()));
                }
                zeros.into_owned()
            }
        };
        let mut y = buffer::<B>(cx, shape.num_elements())?;
        cx.pool().for_chunks(&mut y, k, k as f64, |first, rows| {
            for (i, out) in rows.chunks_exact_mut(k).enumerate() {
                for (b, out) in out.chunks_mut(block).enumerate() {
                    let number = (first + i) * blocks + b;
                    let (scale, zero, bytes) = (scales[number], zeros[number], &bytes[number * blob..][..blob]);
                    for (j, out) in out.iter_mut().enumerate() {
                        *out = (B::of(f64::from(unpacked(bytes, j, bits))) - zero) * scale;
                    }
                }
            }
        });
        write(cx, self.dtype, &shape, y)
    }
}
