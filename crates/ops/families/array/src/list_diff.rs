//! `ListDiff`: the elements of one list that are not in another.

use super::keys::{Key, keyed};
use crate::prelude::*;
use crate::rules::never;
use std::collections::HashSet;

attrs! {
    /// Returns the elements of `x` that are not in `y`, in order, and their indices in `x`.
    pub struct ListDiff {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the indices.
        index: DType = Attr::dtype("out_idx", sets::INDEX).or_type(DType::I32),
    }
}

/// Returns the elements of `x` that are not in `y`, and their indices.
fn difference<T: Key>(x: &[T], y: &[T]) -> (Tensor, Vec<usize>) {
    let without: HashSet<_> = y.iter().filter_map(Key::key).collect();
    let kept = x.iter().enumerate().filter(|(_, v)| v.key().is_none_or(|key| !without.contains(&key)));
    let (places, values): (Vec<usize>, Vec<T>) = kept.map(|(i, v)| (i, v.clone())).unzip();
    (Tensor::vector(values), places)
}

pub static LIST_DIFF: Def<ListDiff> = op("ListDiff")
    .inputs(&[arg("x", of("T")), arg("y", of("T"))])
    .outputs(&[arg("out", of("T")), arg("idx", of("out_idx"))])
    .shape(|_, cx| {
        cx.with_rank(0, 1)?;
        cx.with_rank(1, 1)?;
        cx.output_vector(0, None);
        cx.output_vector(1, None);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(list_diff)
    .heavy();

fn list_diff(op: &ListDiff, cx: &mut Cx<'_, '_>) -> Result<()> {
    for (i, name) in ["x", "y"].iter().enumerate() {
        let shape = cx.input(i)?.shape();
        if shape.rank() != 1 {
            return Err(Error::invalid(format!("{name} should be a 1D vector, not shape {shape}")));
        }
    }
    let (values, places) = keyed!(op.dtype, |T| difference::<T>(cx.slice(0)?, cx.slice(1)?),
        else return Err(Error::unimplemented(format!("ListDiff of {}", op.dtype))));
    cx.set(0, values);
    cx.set(
        1,
        match op.index {
            DType::I32 => Tensor::vector(places.iter().map(|&i| i as i32).collect()),
            _ => Tensor::vector(places.iter().map(|&i| i as i64).collect()),
        },
    );
    Ok(())
}
