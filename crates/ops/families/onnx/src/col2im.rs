//! `Col2Im` of ONNX.

use crate::base::{Base, buffer, product, read, write};
use crate::prelude::*;
use crate::windows::{Slide, check_places, outputs, places, positions};

attrs! {
    /// `Col2Im` of ONNX: accumulates columns of window elements into images.
    pub struct OnnxCol2Im {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Dilation of the window along each spatial axis.
        dilations: Vec<i64> = Attr::ints("dilations").or_empty(),
        /// Padding before each spatial axis, followed by the padding after each.
        pads: Vec<i64> = Attr::ints("pads").or_empty(),
        /// Stride along each spatial axis.
        strides: Vec<i64> = Attr::ints("strides").or_empty(),
    }
}

pub static ONNX_COL2_IM: Def<OnnxCol2Im> = op("OnnxCol2Im")
    .inputs(&[arg("input", of("T")), arg("image_shape", is(DType::I64)), arg("block_shape", is(DType::I64))])
    .outputs(&[arg("output", of("T"))])
    .shape(shape)
    .kernel(|op, cx| in_base!(op.dtype, |B| op.run::<B>(cx)))
    .heavy();

fn shape(_: &OnnxCol2Im, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.with_rank(0, 3)?;
    if let (Some(image), Some(block)) = (cx.constant_i64s(1), cx.constant_i64s(2)) {
        let block: Option<usize> = block.iter().try_fold(1usize, |n, &b| n.checked_mul(usize::try_from(b).ok()?));
        let channels = input.dim(1).zip(block.filter(|&b| b > 0)).map(|(rows, block)| rows / block);
        cx.output(0, PartialShape::new([input.dim(0), channels]).concat(&PartialShape::from_signed(&image)));
    }
    Ok(())
}

impl OnnxCol2Im {
    fn run<B: Base>(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let [batch, rows, columns] = crate::base::sizes(cx, 0, "input")?;
        let (image, block) = (cx.i64s(1)?, cx.i64s(2)?);
        let image = Shape::from_signed(&image)?;
        let slide = Slide {
            kernel: &block,
            strides: &self.strides,
            dilations: &self.dilations,
            pads: &self.pads,
            auto_pad: "NOTSET",
            ceil: false,
        };
        let axes = slide.axes(&image)?;
        let (kernel, sizes) = (axes.iter().map(|axis| axis.kernel).collect::<Vec<_>>(), outputs(&axes));
        let (taps, windows) = (product(&kernel)?, product(&sizes)?);
        if windows != columns || !rows.is_multiple_of(taps) {
            return Err(Error::invalid("the input has the wrong shape")
                .expected(format!("a multiple of {taps} rows and {windows} columns"))
                .found(cx.input(0)?.shape()));
        }
        check_places(cx, &axes)?;
        let channels = rows / taps;
        let whole = Shape::new([batch, channels].into_iter().chain(image.iter().copied()))?;
        let tables: Vec<Vec<Option<usize>>> = axes.iter().map(places).collect();
        let x = read::<B>(cx.input(0)?)?;
        let mut y = buffer::<B>(cx, whole.num_elements())?;
        let plane = image.num_elements();
        if plane > 0 && windows > 0 {
            for (number, out) in y.chunks_exact_mut(plane).enumerate() {
                let mut from = x[number * taps * windows..].iter();
                positions(&kernel, |tap| {
                    positions(&sizes, |window| {
                        let place = (0..sizes.len()).try_fold(0, |place, i| {
                            Some(place * image[i] + tables[i][window[i] * kernel[i] + tap[i]]?)
                        });
                        if let (Some(&v), Some(place)) = (from.next(), place) {
                            out[place] = out[place] + v;
                        }
                    });
                });
            }
        }
        let y = write(cx, self.dtype, &whole, y)?;
        cx.set(0, y);
        Ok(())
    }
}
