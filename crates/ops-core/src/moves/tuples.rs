//! Index tuples.

use super::place_of;
use crate::prelude::*;

/// For each index tuple of `indices`, the number of its slice among the slices of `shape` below its leading axes.
/// `None` stands for an out-of-bounds tuple, which is an error unless `ignore` is set.
pub fn slice_numbers(indices: &Tensor, shape: &[usize], ignore: bool) -> Result<Vec<Option<usize>>> {
    let depth = indices.shape().last().copied().unwrap_or(0);
    let count: usize = indices.shape().split_last().map_or(1, |(_, outer)| outer.iter().product());
    let values = indices.to_i64s()?;
    let mut numbers = Vec::with_capacity(count);
    for at in 0..count {
        let tuple = &values[at * depth..(at + 1) * depth];
        let inside = tuple.iter().zip(shape).all(|(&i, &d)| (0..d as i64).contains(&i));
        if !inside && !ignore {
            let outer = Shape::new(indices.shape()[..indices.shape().rank() - 1].iter().copied())?;
            let whole = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
            return Err(Error::invalid(format!(
                "indices{} = {tuple:?} does not index into shape [{whole}]",
                place_of(at, &outer)
            )));
        }
        let number = tuple.iter().zip(shape).fold(0usize, |n, (&i, &d)| n.wrapping_mul(d).wrapping_add(i as usize));
        numbers.push(inside.then_some(number));
    }
    Ok(numbers)
}
