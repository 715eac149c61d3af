//! `Equal`, `NotEqual` and `ApproximateEqual`.

use crate::elementwise::binary::ComparePlain;
use crate::elementwise::{Map2, binary, no_kernel};
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// The attrs of equality comparisons.
    pub struct Equality {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// If true, shapes that cannot be broadcast together are an error; otherwise the result is a single bool.
        incompatible_shape_error: bool = Attr::bool("incompatible_shape_error").or_bool(true),
    }
}

impl Equality {
    /// Adds a node that compares `x` and `y` with `def`.
    pub(super) fn compare<'g>(def: &'static Def<Equality>, x: V<'g>, y: V<'g>) -> V<'g> {
        def.node(x.cx(), &Equality { dtype: x.dtype(), incompatible_shape_error: true }, &[x, y])
    }
}

const INPUTS: &[Arg] = &[arg("x", of("T")), arg("y", of("T"))];
const OUTPUTS: &[Arg] = &[arg("z", is(DType::Bool))];

/// Dtypes whose elements can be compared for equality.
const EQUATABLE: &[DType] = {
    use DType::*;
    &[F32, F64, I32, U8, I16, I8, Str, C64, I64, Bool, QI8, QU8, QI32, BF16, QI16, QU16, U16, C128, F16, U32, U64]
};

const fn equality(name: &'static str, kernel: fn(&Equality, &mut Cx<'_, '_>) -> Result<()>) -> Def<Equality> {
    op::<Equality>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(|op, cx| {
            match (op.incompatible_shape_error, cx.input(0).known(), cx.input(1).known()) {
                (false, Some(x), Some(y)) if x.broadcast(&y).is_err() => cx.output_scalar(0),
                (true, ..) | (false, Some(_), Some(_)) => cx.broadcast()?,
                _ => {}
            }
            Ok(())
        })
        .counts("T")
        .gradient(|_, g| never(g))
        .kernel(kernel)
        .supports(|op| EQUATABLE.contains(&op.dtype))
        .piecewise(|op| if op.dtype == DType::Str { Piecewise::No } else { Piecewise::Broadcast })
}

pub static EQUAL: Def<Equality> =
    equality("Equal", |op, cx| compare(op, cx, &map2! { [T: PartialEq] |x, y| -> bool { x == y }; }, |x, y| x == y))
        .strip(|op| (op.dtype == DType::F32).then_some(Strip::Basic(Basic::Equal)))
        .doc("`x == y`; NaN is not equal to NaN.")
        .batch(|op, b| match op.incompatible_shape_error {
            true => elementwise(op, b),
            // Shapes that do not broadcast yield one bool per example.
            false => b.shape(0).known()?.broadcast(&b.shape(1).known()?).ok().and_then(|_| elementwise(op, b)),
        });

pub static NOT_EQUAL: Def<Equality> =
    equality("NotEqual", |op, cx| compare(op, cx, &map2! { [T: PartialEq] |x, y| -> bool { x != y }; }, |x, y| x != y))
        .strip(|op| (op.dtype == DType::F32).then_some(Strip::Basic(Basic::NotEqual)))
        .doc("`x != y`; NaN is not equal to NaN.")
        .batch(|op, b| match op.incompatible_shape_error {
            true => elementwise(op, b),
            // Shapes that do not broadcast yield one bool per example.
            false => b.shape(0).known()?.broadcast(&b.shape(1).known()?).ok().and_then(|_| elementwise(op, b)),
        });

/// Compares with one of these functions; inputs that cannot be broadcast together are unequal.
fn compare(
    op: &Equality,
    cx: &mut Cx<'_, '_>,
    f: &impl ComparePlain,
    strings: impl Fn(&Bytes, &Bytes) -> bool,
) -> Result<()> {
    if !op.incompatible_shape_error && cx.input(0)?.shape().broadcast(cx.input(1)?.shape()).is_err() {
        let different = strings(&Bytes::from_static(b"x"), &Bytes::from_static(b"y"));
        cx.set(0, Tensor::scalar(different));
        return Ok(());
    }
    match op.dtype {
        DType::Str => binary::objects(cx, strings),
        dtype => binary::compare_plain(f, dtype.storage(), cx),
    }
}

attrs! {
    /// `|x - y| < tolerance`, for inputs of the same shape.
    pub struct ApproximateEqual {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Maximum difference between elements considered equal.
        tolerance: f32 = Attr::float("tolerance").or_float(1e-5),
    }
}

pub static APPROXIMATE_EQUAL: Def<ApproximateEqual> = op::<ApproximateEqual>("ApproximateEqual")
    .inputs(INPUTS)
    .outputs(OUTPUTS)
    .shape(|_, cx| {
        let merged = cx.input(0).merge(&cx.input(1))?;
        cx.output(0, merged);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op: &ApproximateEqual, cx| {
        let (x, y) = (cx.input(0)?.shape(), cx.input(1)?.shape());
        if x != y {
            return Err(Error::invalid(format!("x and y must be of the same shape, not {x} and {y}")));
        }
        match op.dtype {
            DType::F32 => binary::to::<f32, bool, _>(op, cx),
            DType::F64 => binary::to::<f64, bool, _>(op, cx),
            other => Err(no_kernel(other)),
        }
    })
    .supports(|op| matches!(op.dtype, DType::F32 | DType::F64))
    .piecewise(|_| Piecewise::Alike)
    .batch(leading);

impl Map2<f32> for ApproximateEqual {
    type Out = bool;
    #[inline(always)]
    fn call(&self, x: f32, y: f32) -> bool {
        (x - y).abs() < self.tolerance
    }
}

impl Map2<f64> for ApproximateEqual {
    type Out = bool;
    #[inline(always)]
    fn call(&self, x: f64, y: f64) -> bool {
        (x - y).abs() < f64::from(self.tolerance)
    }
}
