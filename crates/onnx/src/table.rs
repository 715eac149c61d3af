//! The supported operators: the combined list of all families.

use crate::block::Val;
use crate::cx::Cx;
use crate::ops;
use levada_graph::Result;

/// Adds the nodes that implement a node of the operator; returns the values of its outputs. Outputs at the end that are
/// not used may be omitted.
pub(crate) type Convert = fn(&mut Cx<'_, '_>) -> Result<Vec<Val>>;

/// A supported operator.
#[derive(Clone, Copy)]
pub struct Operator {
    /// Its domain; `ai.onnx` for the standard one, which is empty in files.
    pub domain: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The supported versions of its operator set that changed it.
    pub since: &'static [i64],
    pub(crate) convert: Convert,
}

/// The standard domain, which is empty in files.
pub const STANDARD: &str = "ai.onnx";

/// The newest supported version of the standard operator set.
pub const NEWEST: i64 = 28;

/// An operator of the standard domain.
pub(crate) const fn op(name: &'static str, since: &'static [i64], convert: Convert) -> Operator {
    of(STANDARD, name, since, convert)
}

/// An operator of any domain.
pub(crate) const fn of(domain: &'static str, name: &'static str, since: &'static [i64], convert: Convert) -> Operator {
    Operator { domain, name, since, convert }
}

/// The families of operators by name.
pub fn families() -> &'static [(&'static str, &'static [Operator])] {
    ops::FAMILIES
}

/// The operator with this name.
pub(crate) fn find(domain: &str, name: &str) -> Option<&'static Operator> {
    let domain = if domain.is_empty() { STANDARD } else { domain };
    let all = families().iter().flat_map(|(_, operators)| operators.iter());
    all.into_iter().find(|operator| operator.name == name && operator.domain == domain)
}
