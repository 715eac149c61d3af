//! `DynamicPartition`: distributes slices over several tensors.

use super::dynamic_stitch::{DYNAMIC_STITCH, Stitch};
use crate::moves::{Cell, place_of};
use crate::prelude::*;
use crate::rules::{Handles, NONE, range};

attrs! {
    /// Splits `data` into `num_partitions` tensors: tensor `i` holds, in order, the slices whose entry in `partitions`
    /// is `i`.
    pub struct DynamicPartition {
        /// Number of partitions.
        count: i64 = Attr::int("num_partitions").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static DYNAMIC_PARTITION: Def<DynamicPartition> = op("DynamicPartition")
    .inputs(&[arg("data", of("T")), arg("partitions", is(DType::I32))])
    .outputs(&[arg("outputs", of("T")).times("num_partitions")])
    .shape(shape)
    .gradient(|op, g| {
        let (x, partitions) = (g.input(0), g.input(1));
        let prefix = partitions.dims();
        let all = range(g, prefix.prod()).reshape(prefix);
        let own = DynamicPartition { count: op.count, dtype: DType::I32 };
        let places = DYNAMIC_PARTITION.node(g, &own, &[all, partitions]);
        let mut inputs: Vec<V<'_>> = (0..g.num_outputs()).map(|i| places.out(i)).collect();
        inputs.extend((0..g.num_outputs()).map(|i| g.dy(i)));
        let dx = DYNAMIC_STITCH.node(g, &Stitch { count: op.count, dtype: op.dtype }, &inputs);
        vec![dx.reshape_as(x).into(), NONE]
    })
    .kernel(dynamic_partition)
    .heavy();

fn shape(_: &DynamicPartition, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (data, partitions) = (cx.input(0), cx.input(1));
    let (Some(dims), Some(prefix)) = (data.dims(), partitions.rank()) else { return Ok(()) };
    if prefix > dims.len() {
        return Err(Error::invalid("data.shape must start with partitions.shape"));
    }
    let shape = PartialShape::new(std::iter::once(None).chain(dims[prefix..].iter().copied()));
    (0..cx.num_outputs()).for_each(|i| cx.output(i, shape.clone()));
    Ok(())
}

fn dynamic_partition(op: &DynamicPartition, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (data, partitions) = (cx.input(0)?, cx.input(1)?);
    let (whole, prefix) = (data.shape(), partitions.shape());
    if !whole.starts_with(prefix) {
        return Err(Error::invalid(format!(
            "data.shape must start with partitions.shape, got data.shape = {whole}, partitions.shape = {prefix}"
        )));
    }
    let (count, names) = (op.count as usize, partitions.slice::<i32>()?);
    let mut sizes = vec![0usize; cx.num_outputs()];
    for (i, &p) in names.iter().enumerate() {
        match usize::try_from(p).ok().and_then(|p| sizes.get_mut(p)) {
            Some(size) => *size += 1,
            None => {
                let place = place_of(i, prefix);
                return Err(Error::invalid(format!("partitions{place} = {p} is not in [0, {count})")));
            }
        }
    }
    let rest = &whole[prefix.rank()..];
    let width: usize = rest.iter().product();
    let mut outs = Vec::with_capacity(sizes.len());
    for &size in &sizes {
        outs.push(cx.alloc(op.dtype, &Shape::new(std::iter::once(size).chain(rest.iter().copied()))?)?);
    }
    cells!(op.dtype, |T| {
        let src = T::cells(data)?;
        let mut spaces = outs.iter_mut().map(T::cells_mut).collect::<Result<Vec<&mut [T]>>>()?;
        for (i, &p) in names.iter().enumerate().filter(|_| width > 0) {
            let (now, after) = std::mem::take(&mut spaces[p as usize]).split_at_mut(width);
            now.clone_from_slice(&src[i * width..(i + 1) * width]);
            spaces[p as usize] = after;
        }
    });
    outs.into_iter().enumerate().for_each(|(i, out)| cx.set(i, out));
    Ok(())
}
