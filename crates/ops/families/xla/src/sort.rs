//! `XlaSort` and `XlaKeyValueSort`: sort rows in ascending order.

use crate::moves::Cell;
use crate::prelude::*;
use std::cmp::Ordering;

/// Types that have an order.
const KEYS: &[DType] = &[
    DType::F32,
    DType::F64,
    DType::I32,
    DType::U8,
    DType::I16,
    DType::I8,
    DType::I64,
    DType::BF16,
    DType::U16,
    DType::F16,
    DType::U32,
    DType::U64,
];

attrs! {
    /// Sorts `input` along its last axis in ascending order.
    pub struct XlaSort {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static XLA_SORT: Def<XlaSort> = op::<XlaSort>("XlaSort")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(|_, cx| {
        let order = orders(cx)?;
        let out = ordered(cx, 0, &order)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy()
    .supports(|op| KEYS.contains(&op.dtype));

attrs! {
    /// Sorts `keys` along the last axis in ascending order, and `values` by their keys.
    pub struct XlaKeyValueSort {
        /// Element type of `keys`.
        keys: DType = Attr::dtype("K", KEYS),
        /// Element type of `values`.
        values: DType = Attr::dtype("V", sets::ANY),
    }
}

pub static XLA_KEY_VALUE_SORT: Def<XlaKeyValueSort> = op::<XlaKeyValueSort>("XlaKeyValueSort")
    .inputs(&[arg("keys", of("K")), arg("values", of("V"))])
    .outputs(&[arg("sorted_keys", of("K")), arg("sorted_values", of("V"))])
    .shape(|_, cx| {
        let (keys, values) = (cx.input(0), cx.input(1));
        cx.output(0, keys);
        cx.output(1, values);
        Ok(())
    })
    .kernel(|_, cx| {
        let (keys, values) = (cx.input(0)?.shape(), cx.input(1)?.shape());
        if keys != values {
            return Err(Error::invalid("keys and values must have the same shape").expected(keys).found(values));
        }
        let order = orders(cx)?;
        for i in 0..2 {
            let out = ordered(cx, i, &order)?;
            cx.set(i, out);
        }
        Ok(())
    })
    .heavy();

/// For each element of the output, its index in the row of input 0.
fn orders(cx: &Cx<'_, '_>) -> Result<Vec<u32>> {
    let keys = cx.input(0)?;
    let width = keys.shape().last().copied().unwrap_or(1);
    if u32::try_from(width).is_err() {
        return Err(Error::unimplemented("rows of 2^32 elements and more").found(width));
    }
    cx.device.arena.check(keys.num_elements().saturating_mul(size_of::<u32>()))?;
    let mut order: Vec<u32> = (0..keys.num_elements()).map(|i| (i % width.max(1)) as u32).collect();
    dispatch!(keys.dtype(), reals, |T| {
        for (row, order) in keys.slice::<T>()?.chunks_exact(width.max(1)).zip(order.chunks_exact_mut(width.max(1))) {
            order.sort_by(|&a, &b| compare(row[a as usize], row[b as usize]));
        }
    }, else return Err(Error::unimplemented(format!("an order of {}", keys.dtype()))));
    Ok(order)
}

/// The total order: -0 before 0, and NaNs at the ends according to their signs.
fn compare<T: Real>(a: T, b: T) -> Ordering {
    match a.partial_cmp(&b) {
        Some(order) if order.is_ne() => order,
        _ if !T::DTYPE.is_float() => Ordering::Equal,
        _ => a.to_f64().total_cmp(&b.to_f64()),
    }
}

fn ordered(cx: &Cx<'_, '_>, i: usize, order: &[u32]) -> Result<Tensor> {
    let input = cx.input(i)?;
    let width = input.shape().last().copied().unwrap_or(1).max(1);
    let mut out = cx.alloc(input.dtype(), input.shape())?;
    cells!(input.dtype(), |T| {
        let rows = T::cells(input)?.chunks_exact(width).zip(order.chunks_exact(width));
        for (out, (row, order)) in T::cells_mut(&mut out)?.chunks_exact_mut(width).zip(rows) {
            out.iter_mut().zip(order).for_each(|(out, &at)| *out = row[at as usize].clone());
        }
    });
    Ok(out)
}
