//! The operators, a file for each family.

mod elementwise;
mod logic;
mod moving;

use crate::table::Operator;

/// What the file of a family needs.
mod prelude {
    pub(crate) use crate::block::Val;
    pub(crate) use crate::cx::Cx;
    #[allow(unused_imports)]
    pub(crate) use crate::table::{Operator, of, op};
    #[allow(unused_imports)]
    pub(crate) use crate::types::{Elem, Type};
    #[allow(unused_imports)]
    pub(crate) use levada_graph::{DType, Error, PartialShape, Result, Shape, Tensor};
}

/// The operators of each family, by the name of its file.
pub(crate) const FAMILIES: &[(&str, &[Operator])] =
    &[("elementwise", elementwise::OPERATORS), ("logic", logic::OPERATORS), ("moving", moving::OPERATORS)];
