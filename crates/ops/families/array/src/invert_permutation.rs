//! `InvertPermutation`: the inverse of a permutation.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Returns the inverse `y` of the permutation `x`: `y[x[i]] = i`.
    pub struct InvertPermutation {
        /// Element type.
        index: DType = Attr::dtype("T", sets::INDEX).or_type(DType::I32),
    }
}

pub static INVERT_PERMUTATION: Def<InvertPermutation> = op("InvertPermutation")
    .inputs(&[arg("x", of("T"))])
    .outputs(&[arg("y", of("T"))])
    .counts("T")
    .shape(|_, cx| {
        let shape = cx.with_rank(0, 1)?;
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(invert_permutation);

fn invert_permutation(op: &InvertPermutation, cx: &mut Cx<'_, '_>) -> Result<()> {
    if cx.input(0)?.shape().rank() != 1 {
        return Err(Error::invalid("invert_permutation expects a 1D vector."));
    }
    dispatch!(op.index, index, |T| {
        let x = cx.slice::<T>(0)?;
        let mut inverse: Vec<T> = vec![-1; x.len()];
        for (i, &to) in x.iter().enumerate() {
            let place = usize::try_from(to).ok().and_then(|to| inverse.get_mut(to));
            let place =
                place.ok_or_else(|| Error::invalid(format!("{to} is not between 0 and {}", x.len())))?;
            if *place != -1 {
                return Err(Error::invalid(format!("{to} is duplicated in the input.")));
            }
            *place = i as T;
        }
        cx.set(0, Tensor::vector(inverse));
        Ok(())
    }, else Err(Error::unimplemented(format!("InvertPermutation of {}", op.index))))
}
