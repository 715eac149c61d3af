//! `L2Loss`: half the sum of squares.

use crate::prelude::*;
use levada_reduction::{Axes, Reduce};
use std::marker::PhantomData;

attrs! {
    /// Returns half the sum of the squares of the elements: `sum(t * t) / 2`.
    pub struct L2Loss {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
    }
}

pub static L2_LOSS: Def<L2Loss> = op::<L2Loss>("L2Loss")
    .inputs(&[arg("t", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| vec![(g.input(0) * g.dy(0)).into()])
    .kernel(l2_loss)
    .heavy()
    .batch(|_, b| {
        let rank = i32::try_from(b.rank(0)?).ok()?;
        let x = b.input(0);
        b.one((x * x).sum(b.g().ints(&(1..=rank).collect::<Vec<i32>>())) * 0.5)
    });

fn l2_loss(op: &L2Loss, cx: &mut Cx<'_, '_>) -> Result<()> {
    let axes = Axes::new(&Shape::vector(cx.input(0)?.num_elements()), &[0], false)?;
    dispatch!(op.dtype, floats, |T| cx.produce::<T>(0, &Shape::scalar(), |cx, out| {
        axes.reduce::<T, Squares<T>>(cx.pool(), cx.slice(0)?, out);
        Ok(())
    }), else unsupported(cx, op.dtype))
}

struct Squares<T>(PhantomData<T>);

impl<T: Float> Reduce<T> for Squares<T> {
    type Acc = T::Base;
    type Out = T;
    const VECTOR: bool = matches!(T::DTYPE, DType::F32 | DType::F64);
    const EXACT: bool = false;
    fn start() -> T::Base {
        T::Base::zero()
    }
    #[inline(always)]
    fn lift(x: T) -> T::Base {
        x.base().mul(x.base())
    }
    #[inline(always)]
    fn merge(a: T::Base, b: T::Base) -> T::Base {
        a.add(b)
    }
    #[inline(always)]
    fn finish(acc: T::Base, _: usize) -> T {
        let two = T::Base::one().add(T::Base::one());
        T::of_base(acc / two)
    }
}
