//! The passes, one in each file.

use crate::pass::Pass;

mod deadness;
mod region_order;

/// Declares the passes, each a file of the same name with a `PASS`, and lists them in the order in which they run.
macro_rules! passes {
    ($($pass:ident)+) => {
        $(pub(crate) mod $pass;)+

        /// The passes, in order.
        pub(crate) static PASSES: &[Pass] = &[$($pass::PASS),+];
    };
}

// To add a pass, add a file and a line here.
passes! {
    fold
    merge
    frames
    references
    joins
    loops
    lists
    neutral
    transposes
    margins
    tiles
    finish
    cells
    fuse
    partial
    transfer
    hops
    defer
    no_ops
    regions
    scalars
}
