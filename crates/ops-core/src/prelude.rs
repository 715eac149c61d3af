//! Imports for files that define an op.

#[allow(unused_imports)]
pub use crate::number::{Float, Number, Real};
pub use levada_graph::prelude::*;
#[allow(unused_imports)]
pub use levada_kernel::def::{OpAttrs, unsupported};
#[allow(unused_imports)]
pub use levada_kernel::{
    Basic, Cost, Cpu, Cut, Cuts, Def, Entry, Epilogue, Finish, Form, Function, Given, KernelCx, Piecewise,
    ScalarFunction, Stage, Strip, form, op,
};

#[allow(unused_imports)]
pub use crate::batch::{axes_behind, axis_behind, elementwise, leading};
#[allow(unused_imports)]
pub use crate::shapes::{broadcast, same_as_input};
/// The context of a CPU kernel.
pub type Cx<'a, 'b> = KernelCx<'a, 'b, Cpu>;
