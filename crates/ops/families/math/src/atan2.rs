//! `Atan2`: the angle of a point.

use crate::prelude::*;

binary_ops! {
    /// The angle of the point `(x, y)` with the first axis, between -pi and pi.
    Atan2(y, x) -> z: sets::FLOATS, floats FLOATS;
}

map2! {
    Atan2: [f32, f64] @ 10.0 |y, x| y.atan2(x);
}
