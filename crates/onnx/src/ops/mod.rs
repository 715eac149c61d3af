//! The operators, one file for each family.

mod activation;
mod attention;
mod constant;
mod control;
mod conv;
mod elementwise;
mod gather;
mod image;
mod logic;
mod loss;
mod microsoft;
mod ml;
mod moving;
mod norm;
mod pooling;
mod product;
mod quantize;
mod random;
mod recurrent;
mod reduce;
mod resample;
mod sequence;
mod set;
mod spectral;
mod text;
mod training;

use crate::table::Operator;

/// Common imports of the families.
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
    ("attention", attention::OPERATORS),
    ("constant", constant::OPERATORS),
    ("control", control::OPERATORS),
    ("conv", conv::OPERATORS),
    ("elementwise", elementwise::OPERATORS),
    ("gather", gather::OPERATORS),
    ("image", image::OPERATORS),
    ("logic", logic::OPERATORS),
    ("loss", loss::OPERATORS),
    ("microsoft", microsoft::OPERATORS),
    ("ml", ml::OPERATORS),
    ("moving", moving::OPERATORS),
    ("norm", norm::OPERATORS),
    ("pooling", pooling::OPERATORS),
    ("product", product::OPERATORS),
    ("quantize", quantize::OPERATORS),
    ("random", random::OPERATORS),
    ("recurrent", recurrent::OPERATORS),
    ("reduce", reduce::OPERATORS),
    ("resample", resample::OPERATORS),
    ("sequence", sequence::OPERATORS),
    ("set", set::OPERATORS),
    ("spectral", spectral::OPERATORS),
    ("text", text::OPERATORS),
    ("training", training::OPERATORS),
];
