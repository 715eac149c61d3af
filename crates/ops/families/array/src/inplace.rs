//! `InplaceUpdate`, `InplaceAdd`, `InplaceSub`: rows of a tensor changed. Tensors are values, so `x` itself stays.

use crate::moves::{Cell, owned};
use crate::prelude::*;

macro_rules! inplace {
    ($($(#[doc = $doc:literal])* $name:ident = $update:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("x", of("T")), arg("i", is(DType::I32)), arg("v", of("T"))],
                outputs: &[arg("y", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                update(cx, self.dtype, $update)
            }
        }
    )*};
}

#[derive(Clone, Copy, PartialEq)]
enum Update {
    Replace,
    Add,
    Subtract,
}

inplace! {
    /// `x` with the rows `v` added to the rows `i`.
    InplaceAdd = Update::Add;
    /// `x` with the rows `v` subtracted from the rows `i`.
    InplaceSub = Update::Subtract;
    /// `x` with the rows `v` in place of the rows `i`.
    InplaceUpdate = Update::Replace;
}

fn update(cx: &mut Cx<'_, '_>, dtype: DType, update: Update) -> Result<()> {
    let (x, i, v) = (cx.input(0)?.shape(), cx.input(1)?.shape(), cx.input(2)?.shape());
    if i.rank() != 1 {
        return Err(Error::invalid(format!("i must be a vector. {i}")));
    }
    if x.rank() != v.rank() || x.is_scalar() {
        return Err(Error::invalid(format!("x and v shape doesn't match (ranks differ): {x} vs. {v}")));
    }
    if x[1..] != v[1..] {
        return Err(Error::invalid(format!("x and v shape doesn't match: {x} vs. {v}")));
    }
    if i[0] != v[0] {
        return Err(Error::invalid(format!("i and x shape doesn't match at index 0: {} vs {}", i[0], v[0])));
    }
    let (count, width) = (x[0] as i64, x[1..].iter().product::<usize>());
    if count == 0 && v.num_elements() > 0 {
        return Err(Error::invalid("x has no rows to update"));
    }
    // Numbers of rows wrap around at both ends.
    let rows: Vec<usize> =
        cx.slice::<i32>(1)?.iter().map(|&i| i64::from(i).rem_euclid(count.max(1)) as usize * width).collect();
    let mut out = owned(cx, 0)?;
    let v = cx.input(2)?;
    if v.num_elements() > 0 {
        match update {
            Update::Replace => cells!(dtype, |T| {
                let to = T::cells_mut(&mut out)?;
                for (&at, row) in rows.iter().zip(T::cells(v)?.chunks_exact(width)) {
                    to[at..at + width].clone_from_slice(row);
                }
            }),
            _ => dispatch!(dtype, numbers, |T| {
                let to = out.slice_mut::<T>()?;
                let subtract = update == Update::Subtract;
                for (&at, row) in rows.iter().zip(v.slice::<T>()?.chunks_exact(width)) {
                    let change = |(o, v): (&mut T, &T)| *o = if subtract { Number::sub(*o, *v) } else { Number::add(*o, *v) };
                    to[at..at + width].iter_mut().zip(row).for_each(change);
                }
            }, else return Err(Error::invalid(format!("Unsupported data type: {dtype}")))),
        }
    }
    cx.set(0, out);
    Ok(())
}
