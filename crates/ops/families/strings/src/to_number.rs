//! `StringToNumber`: parses numbers.

use crate::prelude::*;
use crate::rules::never;
use crate::text::parse::Parse;

attrs! {
    /// Parses each string as a number.
    pub struct StringToNumber {
        /// Element type of the output.
        out_type: DType = Attr::dtype("out_type", &[
            DType::F32, DType::F64, DType::I32, DType::I64, DType::U32, DType::U64,
        ]).or_type(DType::F32),
    }
}

pub static STRING_TO_NUMBER: Def<StringToNumber> = op::<StringToNumber>("StringToNumber")
    .inputs(&[arg("string_tensor", is(DType::Str))])
    .outputs(&[arg("output", of("out_type"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(string_to_number)
    .batch(elementwise);

fn string_to_number(op: &StringToNumber, cx: &mut Cx<'_, '_>) -> Result<()> {
    fn go<T: Element + Parse>(cx: &mut Cx<'_, '_>) -> Result<()> {
        let input = cx.input(0)?;
        let read = |s: &Bytes| {
            T::parse(s).ok_or_else(|| {
                let text = String::from_utf8_lossy(s);
                Error::invalid(format!("StringToNumberOp could not correctly convert string: {text}"))
            })
        };
        let numbers: Result<Vec<T>> = input.slice::<Bytes>()?.iter().map(read).collect();
        let output = Tensor::from_vec(input.shape().clone(), numbers?)?;
        cx.set(0, output);
        Ok(())
    }
    match op.out_type {
        DType::F32 => go::<f32>(cx),
        DType::F64 => go::<f64>(cx),
        DType::I32 => go::<i32>(cx),
        DType::I64 => go::<i64>(cx),
        DType::U32 => go::<u32>(cx),
        DType::U64 => go::<u64>(cx),
        other => Err(Error::unimplemented(format!("reading numbers of type {other}"))),
    }
}
