//! `QuantizedRelu`, `QuantizedRelu6` and `QuantizedReluX`: activations of quantized tensors.

use crate::code::{Code, from_float};
use crate::prelude::*;
use crate::{QUANTIZED, end_of_range, range, same_and_range, set_range};

attrs! {
    /// The attrs of quantized activations.
    pub struct QuantizedRelu {
        /// Quantized type of `features`.
        from: DType = Attr::dtype("Tinput", QUANTIZED),
        /// Quantized type of the output, which must be that of `features`.
        to: DType = Attr::dtype("out_type", QUANTIZED).or_type(DType::QU8),
    }
}

const FEATURES: Arg = arg("features", of("Tinput"));
const MIN: Arg = arg("min_features", is(DType::F32));
const MAX: Arg = arg("max_features", is(DType::F32));

const INPUTS: &[Arg] = &[FEATURES, MIN, MAX];
const OUTPUTS: &[Arg] = &[
    arg("activations", of("out_type")),
    arg("min_activations", is(DType::F32)),
    arg("max_activations", is(DType::F32)),
];

const fn relu(name: &'static str, kernel: fn(&QuantizedRelu, &mut Cx<'_, '_>) -> Result<()>) -> Def<QuantizedRelu> {
    op::<QuantizedRelu>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(same_and_range)
        .kernel(kernel)
        .heavy()
        .supports(|op| op.from == op.to && matches!(op.from, DType::QU8 | DType::QI32))
}

pub static QUANTIZED_RELU: Def<QuantizedRelu> = relu("QuantizedRelu", |op, cx| {
    let range = range(cx, 1)?;
    clamp(op, cx, range, None)
})
.doc("Computes ReLU of the quantized tensor `features`.");

pub static QUANTIZED_RELU6: Def<QuantizedRelu> = relu("QuantizedRelu6", |op, cx| {
    let range = range(cx, 1)?;
    clamp(op, cx, range, Some(6.0))
})
.doc("Computes ReLU6 of the quantized tensor `features`: clamps it to the range from 0 to 6.");

pub static QUANTIZED_RELU_X: Def<QuantizedRelu> = relu("QuantizedReluX", |op, cx| {
    let (most, range) = (end_of_range(cx, 1)?, range(cx, 2)?);
    clamp(op, cx, range, Some(most))
})
.doc("Clamps the quantized tensor `features` to the range from 0 to `max_value`.")
.inputs(&[FEATURES, arg("max_value", is(DType::F32)), MIN, MAX]);

fn clamp(op: &QuantizedRelu, cx: &mut Cx<'_, '_>, range: (f32, f32), most: Option<f32>) -> Result<()> {
    fn fill<T: Code>(cx: &mut Cx<'_, '_>, range: (f32, f32), most: Option<f32>) -> Result<()> {
        let shape = cx.input(0)?.shape().clone();
        let low = from_float::<T>(0.0, range);
        let high = most.map_or(T::wrap(T::LARGEST), |most| from_float(most, range));
        cx.produce::<T>(0, &shape, |cx, out| {
            out.iter_mut().zip(cx.slice::<T>(0)?).for_each(|(out, &code)| *out = code.max(low).min(high));
            Ok(())
        })
    }
    match op.from {
        DType::QU8 => fill::<u8>(cx, range, most)?,
        _ => fill::<i32>(cx, range, most)?,
    }
    set_range(cx, range);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada_ops_core::testing::run;

    #[test]
    fn a_limit_of_six_is_relu6() {
        let codes = || Tensor::vector((0..=255u8).collect::<Vec<_>>()).reinterpreted(DType::QU8).unwrap();
        let end = |v: f32| Tensor::scalar(v);
        let types = [DType::QU8, DType::F32, DType::F32];
        let attrs = || QuantizedRelu { from: DType::QU8, to: DType::QU8 };
        let six = run(QUANTIZED_RELU6.of(attrs()), vec![codes(), end(-3.0), end(9.0)], &types).unwrap();
        let x = run(QUANTIZED_RELU_X.of(attrs()), vec![codes(), end(6.0), end(-3.0), end(9.0)], &types).unwrap();
        assert_eq!(six, x);
        let few = run(QUANTIZED_RELU_X.of(attrs()), vec![codes(), end(1.0), end(-3.0), end(9.0)], &types).unwrap();
        assert_eq!(few[0].slice::<u8>().unwrap()[..3], [64; 3]);
        assert_eq!(few[0].slice::<u8>().unwrap()[200], 85);
    }
}
