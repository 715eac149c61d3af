//! `AsString`: converts numbers, booleans and strings to text.

use crate::prelude::*;
use crate::rules::never;
use crate::text::printf::{Format, Notation};
use levada_graph::{EncodedVariant, Variant};
use levada_kernel::Pool;
use parking_lot::Mutex;

/// Approximate time to format a number, in nanoseconds.
const NANOS: f64 = 80.0;

attrs! {
    /// Formats every element as C's `printf` would.
    pub struct AsString {
        /// Element type of `input`.
        dtype: DType = Attr::dtype("T", &[
            DType::F32, DType::F64, DType::I32, DType::U8, DType::I16, DType::I8, DType::I64, DType::BF16, DType::U16,
            DType::F16, DType::U32, DType::U64, DType::C64, DType::C128, DType::Bool, DType::Variant, DType::Str,
        ]),
        /// Number of digits after the decimal point; negative for 6.
        precision: i64 = Attr::int("precision").or_int(-1),
        /// Whether to use scientific notation, as in `1.5e+00`.
        scientific: bool = Attr::bool("scientific").or_bool(false),
        /// Whether to use the shorter of the two notations.
        shortest: bool = Attr::bool("shortest").or_bool(false),
        /// Minimum number of bytes; negative for none.
        width: i64 = Attr::int("width").or_int(-1),
        /// Padding up to the width: empty or one of `printf`'s flags.
        fill: Bytes = Attr::string("fill").or_str(""),
    }
}

pub static AS_STRING: Def<AsString> = op::<AsString>("AsString")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(as_string)
    .batch(elementwise);

fn as_string(op: &AsString, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (notation, format) = (op.notation()?, op.format()?);
    let input = cx.input(0)?;
    let shortest = format.width.max(format.precision.unwrap_or(0));
    cx.check_strings(shortest.saturating_mul(input.num_elements()))?;
    let pool = cx.pool();
    fn each<T: Element>(
        pool: &Pool,
        values: &[T],
        text: impl Fn(&T) -> Result<Vec<u8>> + Sync + Send,
    ) -> Result<Vec<Bytes>> {
        let mut texts = vec![Bytes::new(); values.len()];
        let refused = Mutex::new(None);
        pool.for_chunks(&mut texts, 1, NANOS, |first, part| {
            for (slot, value) in part.iter_mut().zip(&values[first..]) {
                match text(value) {
                    Ok(text) => *slot = text.into(),
                    Err(error) => {
                        refused.lock().get_or_insert(error);
                        return;
                    }
                }
            }
        });
        refused.into_inner().map_or(Ok(texts), Err)
    }
    let complex = |re: f64, im: f64| -> Result<Vec<u8>> {
        let (re, im) = (format.float(re, notation)?, format.float(im, notation)?);
        Ok([b"(", &re[..], b",", &im, b")"].concat())
    };
    let texts = match op.dtype {
        DType::Bool => each::<bool>(pool, input.slice()?, |v| Ok(v.to_string().into_bytes())),
        // TensorFlow copies strings that are not to be padded, whatever the precision.
        DType::Str if format.width == 0 => Ok(input.slice::<Bytes>()?.to_vec()),
        DType::Str => each::<Bytes>(pool, input.slice()?, |v| format.bytes(v)),
        DType::Variant => each::<Variant>(pool, input.slice()?, |v| {
            let (name, summary) = match (&v.0, v.get::<EncodedVariant>()) {
                (None, _) => ("", Some("<empty>".to_owned())),
                (Some(_), Some(encoded)) => (encoded.type_name.as_str(), number(encoded)?),
                (Some(value), None) => (value.type_name(), value.summary()),
            };
            let summary =
                summary.ok_or_else(|| Error::unimplemented(format!("AsString of variants of type {name}")))?;
            Ok(format!("Variant<type: {name} value: {summary}>").into_bytes())
        }),
        DType::C64 => each::<Complex32>(pool, input.slice()?, |v| complex(v.re.into(), v.im.into())),
        DType::C128 => each::<Complex64>(pool, input.slice()?, |v| complex(v.re, v.im)),
        DType::U64 => each::<u64>(pool, input.slice()?, |v| format.unsigned(*v)),
        DType::U8 | DType::U16 | DType::U32 => each(pool, &input.to_i64s()?, |v| format.unsigned(*v as u64)),
        dtype if dtype.is_integer() => each(pool, &input.to_i64s()?, |v| format.signed(*v)),
        dtype => dispatch!(dtype, floats, |T| each::<T>(pool, input.slice()?, |v| format.float(v.to_f64(), notation)),
            else Err(Error::unimplemented(format!("AsString of {dtype}")))),
    }?;
    let shape = input.shape().clone();
    cx.set(0, Tensor::from_vec(shape, texts)?);
    Ok(())
}

/// Returns the number in an encoded value, as text.
fn number(encoded: &EncodedVariant) -> Result<Option<String>> {
    let Some(number) = encoded.number() else { return Ok(None) };
    let general = |value: f64| -> Result<String> {
        let text = Format { width: 0, precision: None, flag: None }.float(value, Notation::General)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    Ok(Some(match number.dtype() {
        DType::F32 => general(number.item::<f32>()?.into())?,
        DType::F64 => general(number.item::<f64>()?)?,
        DType::Bool => u8::from(number.item::<bool>()?).to_string(),
        _ => number.item::<i32>()?.to_string(),
    }))
}

impl AsString {
    fn notation(&self) -> Result<Notation> {
        let with_fraction = self.dtype.is_float() || self.dtype.is_complex() || self.dtype == DType::Str;
        match (self.scientific, self.shortest) {
            (true, true) => Err(Error::invalid("Cannot select both scientific and shortest notation")),
            (false, false) => Ok(Notation::Fixed),
            _ if !with_fraction => {
                Err(Error::invalid(format!("scientific and shortest format not supported for datatype {}", self.dtype)))
            }
            (true, false) => Ok(Notation::Scientific),
            (false, true) => Ok(Notation::General),
        }
    }

    fn format(&self) -> Result<Format> {
        let flag = match &self.fill[..] {
            [] => None,
            [flag @ (b'-' | b'+' | b'0' | b'#' | b' ')] => Some(*flag),
            [_] => {
                let fill = String::from_utf8_lossy(&self.fill);
                return Err(Error::invalid(format!("Fill argument not supported: \"{fill}\"")).attr("fill"));
            }
            _ => return Err(Error::invalid("Fill string must be one or fewer characters").attr("fill")),
        };
        let int32 = |name: &str, value: i64| match i32::try_from(value) {
            Ok(value) => Ok(usize::try_from(value).ok()),
            Err(_) => Err(Error::invalid(format!("{name} does not fit into int32")).attr(name).found(value)),
        };
        let precision = int32("precision", self.precision)?;
        if precision.is_some() && (self.dtype.is_integer() || matches!(self.dtype, DType::Bool | DType::Variant)) {
            return Err(Error::invalid(format!("precision not supported for datatype {}", self.dtype)));
        }
        Ok(Format { flag, width: int32("width", self.width)?.unwrap_or(0), precision })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(dtype: DType) -> AsString {
        AsString { dtype, precision: -1, scientific: false, shortest: false, width: -1, fill: Bytes::new() }
    }

    fn run(op: AsString, input: Tensor) -> Result<Vec<String>> {
        let out = crate::testing::run(AS_STRING.of(op), vec![input], &[DType::Str])?.remove(0);
        Ok(out.slice::<Bytes>()?.iter().map(|b| String::from_utf8(b.to_vec()).unwrap()).collect())
    }

    #[test]
    fn every_kind_of_element_has_its_text() {
        let filled = |dtype, width, fill: &'static str| AsString { width, fill: fill.into(), ..op(dtype) };
        assert_eq!(run(op(DType::Bool), Tensor::vector(vec![true, false])).unwrap(), ["true", "false"]);
        assert_eq!(run(filled(DType::I8, 5, "0"), Tensor::vector(vec![-1i8, 5])).unwrap(), ["-0001", "00005"]);
        assert_eq!(run(filled(DType::U64, -1, "+"), Tensor::vector(vec![u64::MAX])).unwrap(), ["18446744073709551615"]);
        let complex = Tensor::vector(vec![Complex32::new(0.1, f32::INFINITY)]);
        assert_eq!(run(filled(DType::C64, 5, "-"), complex).unwrap(), ["(0.100000,inf  )"]);
        let half = Tensor::vector(vec![f16::from_f32(0.1)]);
        assert_eq!(run(AsString { shortest: true, ..op(DType::F16) }, half).unwrap(), ["0.0999756"]);
        let cut = AsString { precision: 2, width: 4, ..op(DType::Str) };
        assert_eq!(run(cut, Tensor::string("abcdef")).unwrap(), ["  ab"]);
    }

    #[test]
    fn attrs_that_contradict_are_errors() {
        let ints = || Tensor::vector(vec![1]);
        for wrong in [
            AsString { precision: 3, ..op(DType::I32) },
            AsString { scientific: true, ..op(DType::I32) },
            AsString { fill: "a".into(), ..op(DType::I32) },
            AsString { fill: "00".into(), ..op(DType::I32) },
            AsString { width: 1 << 40, ..op(DType::I32) },
        ] {
            assert_eq!(run(wrong, ints()).unwrap_err().code(), Code::InvalidArgument);
        }
    }
}
