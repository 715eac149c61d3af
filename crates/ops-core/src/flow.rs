//! Values that ops pass on unchanged.

use crate::prelude::*;

/// Returns the entry of input `i`, moved if possible. A reference that stands for a value must have one unless
/// `by_ref`.
pub fn pass(cx: &mut Cx<'_, '_>, i: usize, by_ref: bool) -> Result<Entry> {
    match cx.entry(i) {
        Some(Entry::Ref(cell)) if by_ref || cell.value.read().is_some() => Ok(Entry::Ref(cell.clone())),
        Some(Entry::Ref(cell)) => {
            Err(Error::failed_precondition(format!("Attempting to use uninitialized value {}", cell.name)))
        }
        _ => Ok(Entry::Value(cx.take(i)?)),
    }
}

/// Sets the shapes that a node's attr declares for its outputs.
pub fn declared(cx: &mut ShapeCx<'_>, shapes: &[PartialShape]) {
    for (i, shape) in shapes.iter().enumerate() {
        cx.output(i, shape.clone());
    }
}
