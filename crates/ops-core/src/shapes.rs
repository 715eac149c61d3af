//! Common shape functions, for [`Def::shape`](levada_kernel::Def::shape).

use levada_graph::Result;
use levada_graph::infer::ShapeCx;

/// The output has the shape of the first input.
///
/// # Errors
/// None.
pub fn same_as_input<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.same_as_input(0);
    Ok(())
}

/// The output has the broadcast shape of the two inputs.
///
/// # Errors
/// `INVALID_ARGUMENT` if they cannot be broadcast together.
pub fn broadcast<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.broadcast()
}
