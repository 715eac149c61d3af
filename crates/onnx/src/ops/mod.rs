//! The operators, a file for each family.

mod activation;
mod constant;
mod control;
mod conv;
mod elementwise;
mod gather;
mod image;
mod logic;
mod loss;
mod moving;
mod norm;
mod product;
mod random;
mod reduce;
mod spectral;
mod training;

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
pub(crate) const FAMILIES: &[(&str, &[Operator])] = &[
    ("activation", activation::OPERATORS),
    ("constant", constant::OPERATORS),
    ("control", control::OPERATORS),
    ("conv", conv::OPERATORS),
    ("elementwise", elementwise::OPERATORS),
    ("gather", gather::OPERATORS),
    ("image", image::OPERATORS),
    ("logic", logic::OPERATORS),
    ("loss", loss::OPERATORS),
    ("moving", moving::OPERATORS),
    ("norm", norm::OPERATORS),
    ("product", product::OPERATORS),
    ("random", random::OPERATORS),
    ("reduce", reduce::OPERATORS),
    ("spectral", spectral::OPERATORS),
    ("training", training::OPERATORS),
];
