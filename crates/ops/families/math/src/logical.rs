//! `LogicalAnd`, `LogicalOr` and `LogicalNot`.

use crate::elementwise::{binary, unary};
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// The attrs of logical ops: none.
    pub struct Logical {}
}

const fn logical(name: &'static str, kernel: fn(&Logical, &mut Cx<'_, '_>) -> Result<()>) -> Def<Logical> {
    op(name).gradient(|_, g| never(g)).kernel(kernel).piecewise(|_| Piecewise::Broadcast)
}

const XY: &[Arg] = &[arg("x", is(DType::Bool)), arg("y", is(DType::Bool))];
const Z: &[Arg] = &[arg("z", is(DType::Bool))];

pub static LOGICAL_AND: Def<Logical> =
    logical("LogicalAnd", |_, cx| binary::same::<bool, _>(&map2! { [bool] |x, y| x & y; }, cx))
        .doc("Logical AND of `x` and `y`.")
        .strip(|_| Some(Strip::Basic(Basic::And)))
        .inputs(XY)
        .outputs(Z)
        .shape(broadcast)
        .batch(elementwise);

pub static LOGICAL_OR: Def<Logical> =
    logical("LogicalOr", |_, cx| binary::same::<bool, _>(&map2! { [bool] |x, y| x | y; }, cx))
        .doc("Logical OR of `x` and `y`.")
        .strip(|_| Some(Strip::Basic(Basic::Or)))
        .inputs(XY)
        .outputs(Z)
        .shape(broadcast)
        .batch(elementwise);

pub static LOGICAL_NOT: Def<Logical> =
    logical("LogicalNot", |_, cx| unary::same::<bool, _>(&map1! { [bool] |x| !x; }, cx))
        .doc("Logical NOT of `x`.")
        .strip(|_| Some(Strip::Basic(Basic::Not)))
        .inputs(&[arg("x", is(DType::Bool))])
        .outputs(&[arg("y", is(DType::Bool))])
        .shape(same_as_input)
        .batch(elementwise);
