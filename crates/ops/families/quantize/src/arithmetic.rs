//! `QuantizedAdd` and `QuantizedMul`: element-wise sums and products of quantized tensors.

use crate::code::{Widen, from_float, from_float_unclamped, greatest, least, range_of_products, to_float};
use crate::prelude::*;
use crate::{QUANTIZED, proper_range, range_outputs, set_range};

attrs! {
    /// The attrs of quantized arithmetic.
    pub struct QuantizedArithmetic {
        /// Quantized type of `x`.
        left: DType = Attr::dtype("T1", QUANTIZED),
        /// Quantized type of `y`.
        right: DType = Attr::dtype("T2", QUANTIZED),
        /// Quantized type of the output.
        to: DType = Attr::dtype("Toutput", QUANTIZED).or_type(DType::QI32),
    }
}

const INPUTS: &[Arg] = &[
    arg("x", of("T1")),
    arg("y", of("T2")),
    arg("min_x", is(DType::F32)),
    arg("max_x", is(DType::F32)),
    arg("min_y", is(DType::F32)),
    arg("max_y", is(DType::F32)),
];
const OUTPUTS: &[Arg] = &[arg("z", of("Toutput")), arg("min_z", is(DType::F32)), arg("max_z", is(DType::F32))];

const fn arithmetic(
    name: &'static str,
    kernel: fn(&QuantizedArithmetic, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<QuantizedArithmetic> {
    op::<QuantizedArithmetic>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(|_, cx| {
            cx.broadcast()?;
            range_outputs(cx);
            Ok(())
        })
        .kernel(kernel)
        .heavy()
        .supports(|op| (op.left, op.right, op.to) == (DType::QU8, DType::QU8, DType::QI32))
}

pub static QUANTIZED_ADD: Def<QuantizedArithmetic> = arithmetic("QuantizedAdd", |_, cx| {
    let (x, y) = (proper_range(cx, 2)?, proper_range(cx, 4)?);
    // A range that is symmetric around zero, so that adding zero changes nothing, with headroom.
    let largest = greatest(least(x.0, y.0).abs(), greatest(x.1, y.1).abs()) * (1 << 14) as f32;
    let to = (-largest, largest);
    // A scalar is converted more exactly than the elements of a tensor.
    let widened = |range: (f32, f32), alone: bool| {
        let widen = Widen::new(range, to);
        table(move |code: u8| if alone { from_float(to_float(code, range), to) } else { widen.call(code) })
    };
    let one = |i: usize| Ok::<bool, Error>(cx.input(i)?.num_elements() == 1);
    let (x_alone, y_alone) = (one(0)?, one(1)?);
    let (x, y) = (widened(x, x_alone), widened(y, y_alone && !x_alone));
    broadcast(cx, &x, &y, i32::wrapping_add)?;
    set_range(cx, to);
    Ok(())
})
.doc("Returns the element-wise sum of the quantized tensors `x` and `y`, with broadcasting.");

pub static QUANTIZED_MUL: Def<QuantizedArithmetic> = arithmetic("QuantizedMul", |_, cx| {
    let (range_x, range_y) = (proper_range(cx, 2)?, proper_range(cx, 4)?);
    let differences = |range: (f32, f32)| {
        let zero = from_float_unclamped::<u8>(0.0, range) as i32;
        table(|code: u8| i32::from(code).wrapping_sub(zero))
    };
    let (x, y) = (differences(range_x), differences(range_y));
    broadcast(cx, &x, &y, i32::wrapping_mul)?;
    set_range(cx, range_of_products::<u8, u8>(range_x, range_y));
    Ok(())
})
.doc("Returns the element-wise product of the quantized tensors `x` and `y`, with broadcasting.");

/// Number of outputs between two checks for cancellation.
const LOOK_EVERY: usize = 1 << 20;

/// The value of each code.
type Table = [i32; 256];

fn table(of: impl Fn(u8) -> i32) -> Table {
    std::array::from_fn(|code| of(code as u8))
}

/// Sets output 0 to `f` of the values of the codes of inputs 0 and 1.
fn broadcast(cx: &mut Cx<'_, '_>, in_x: &Table, in_y: &Table, f: fn(i32, i32) -> i32) -> Result<()> {
    let (left, right) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    let shape = left.broadcast(&right)?;
    let steps = |of: &Shape| -> Vec<usize> {
        let (strides, skip) = (of.strides(), shape.rank() - of.rank());
        (0..shape.rank()).map(|d| if d < skip || of[d - skip] == 1 { 0 } else { strides[d - skip] }).collect()
    };
    let (steps_x, steps_y) = (steps(&left), steps(&right));
    cx.produce::<i32>(0, &shape, |cx, out| {
        let (x, y) = (cx.slice::<u8>(0)?, cx.slice::<u8>(1)?);
        let mut place = vec![0usize; shape.rank()];
        let (mut i, mut j) = (0, 0);
        for (at, out) in out.iter_mut().enumerate() {
            if at % LOOK_EVERY == 0 {
                cx.step().check()?;
            }
            *out = f(in_x[usize::from(x[i])], in_y[usize::from(y[j])]);
            for d in (0..shape.rank()).rev() {
                place[d] += 1;
                (i, j) = (i + steps_x[d], j + steps_y[d]);
                if place[d] < shape[d] {
                    break;
                }
                (i, j) = (i - steps_x[d] * shape[d], j - steps_y[d] * shape[d]);
                place[d] = 0;
            }
        }
        Ok(())
    })
}
