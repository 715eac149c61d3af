//! Ops on channels: `BiasAdd`, its gradient, and sums over each channel.

use super::entry::{self, Cx, cell};
use super::shapes;
use super::tiles::{dtype_of, small, sum_parts};
use crate::device::{Gpu, GpuCx, reuse};
use crate::ir::{Access, Buf, Builder, E, Ty};
use levada_graph::{Error, Result, Shape, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::sizes::Layout;
use levada_ops::types::{BIAS_ADD, BIAS_ADD_GRAD, BiasAdd, L2_LOSS, L2Loss};

/// Channels that a group sums if they are last, each with as many invocations as fit.
const WIDTH: u32 = 32;

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &cell(&BIAS_ADD, bias_add).supports(|op| Ty::of(op.dtype).is_some()),
    &cell(&BIAS_ADD_GRAD, bias_add_grad).heavy().supports(|op| Ty::of(op.dtype).is_some()),
    &cell(&L2_LOSS, l2_loss).heavy(),
];

fn bias_add(op: &BiasAdd, cx: &mut Cx<'_, '_>) -> Result<()> {
    shapes::outputs_of(&BIAS_ADD, op, cx)?;
    let (dtype, layout) = (op.dtype, Layout::of(&op.data_format)?);
    let shape = cx.input(0)?.shape().clone();
    let split = Split::of(&shape, layout.channel(shape.rank()));
    let last = split.inner == 1;
    let program = cx.device.program("bias_add", &[dtype as u64, u64::from(last)], || {
        let mut b = Builder::new("bias_add");
        let (x, bias) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Read));
        let out = b.buffer(dtype, Access::Write);
        let (count, channels, inner) = (b.param_u32(), b.param_u32(), b.param_u32());
        b.for_each(&count, |b, i| {
            let channel = if last { &i % &channels } else { &i / &inner % &channels };
            let sum = b.load(x, &i) + b.load(bias, channel);
            b.store(out, &i, sum);
        });
        b.finish()
    });
    let params = [small(shape.num_elements())?, small(split.channels)?, small(split.inner)?];
    let reused = reuse(cx, 0, dtype, &shape);
    let in_place = reused.is_some();
    let out = match reused {
        Some(out) => out,
        None => cx.alloc(dtype, &shape)?,
    };
    let x = if in_place { &out } else { cx.input(0)? };
    cx.launch(&program, out.num_elements(), &[x, cx.input(1)?, &out], &params)?;
    cx.set(0, out);
    Ok(())
}

fn bias_add_grad(op: &BiasAdd, cx: &mut Cx<'_, '_>) -> Result<()> {
    shapes::outputs_of(&BIAS_ADD_GRAD, op, cx)?;
    let input = cx.input(0)?;
    let axis = Layout::of(&op.data_format)?.channel(input.shape().rank());
    let split = Split::of(input.shape(), axis);
    let ty = Ty::of(op.dtype).unwrap_or(Ty::F32);
    let sums = Sums { name: "bias_add_grad", inputs: &[input], per_channel: &[], ty, count: 1 };
    let (sums, parts) = sums.compute(cx, &split, &|b, x, at, _| vec![b.load(x[0], at)])?;
    let out = cx.alloc(op.dtype, &Shape::vector(split.channels))?;
    sum_parts(cx, &sums, &out, parts, None)?;
    cx.set(0, out);
    Ok(())
}

fn l2_loss(op: &L2Loss, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let split = Split { outer: 1, channels: 1, inner: input.num_elements() };
    let ty = Ty::of(op.dtype).unwrap_or(Ty::F32);
    let sums = Sums { name: "l2_loss", inputs: &[input], per_channel: &[], ty, count: 1 };
    let (sums, parts) = sums.compute(cx, &split, &|b, x, at, _| {
        let x = b.let_(b.load(x[0], at));
        vec![&x * &x]
    })?;
    let out = cx.alloc(op.dtype, &Shape::scalar())?;
    sum_parts(cx, &sums, &out, parts, Some(2.0))?;
    cx.set(0, out);
    Ok(())
}

/// A shape, split at its channels' axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    /// Elements before the channels' axis.
    pub outer: usize,
    /// Number of channels.
    pub channels: usize,
    /// Elements after their axis.
    pub inner: usize,
}

impl Split {
    /// A shape whose channels are on an axis.
    pub(super) fn of(shape: &Shape, axis: usize) -> Split {
        let product = |dims: &[usize]| dims.iter().product();
        Split { outer: product(&shape[..axis]), channels: shape[axis], inner: product(&shape[axis + 1..]) }
    }

    /// Number of elements of each channel.
    pub(super) fn rows(&self) -> usize {
        self.outer * self.inner
    }
}

/// Sums over the elements of each channel.
pub(super) struct Sums<'a> {
    /// Name of the program.
    pub name: &'static str,
    /// Tensors of the shape that is split.
    pub inputs: &'a [&'a Tensor],
    /// Tensors with one element per channel.
    pub per_channel: &'a [&'a Tensor],
    /// The type of the sums.
    pub ty: Ty,
    /// Number of sums.
    pub count: usize,
}

/// The terms of an element: from the inputs, its index, and the per-channel values of its channel.
pub(super) type Terms<'a> = &'a dyn Fn(&mut Builder, &[Buf], &E, &[E]) -> Vec<E>;

impl Sums<'_> {
    /// The sums: for each part one sum after the other, each with one element per channel. The parts are to be added.
    ///
    /// # Errors
    /// Those of a launch.
    pub(super) fn compute(&self, cx: &Cx<'_, '_>, split: &Split, terms: Terms<'_>) -> Result<(Tensor, usize)> {
        let (rows, channels) = (split.rows(), split.channels);
        // If channels are last, neighbouring invocations take neighbouring channels; else elements of one channel.
        let last = split.inner == 1;
        let width = if last { WIDTH as usize } else { 1 };
        let slices = 256 / width;
        let blocks = channels.div_ceil(width);
        let parts = (512 / blocks.max(1)).min(rows / (slices * 8)).max(1);
        let each = rows.div_ceil(parts).max(1);
        let parts = rows.div_ceil(each).max(1);
        let size = channels.checked_mul(self.count).and_then(|n| n.checked_mul(parts));
        let size = size.ok_or_else(|| Error::invalid("a tensor is too large"))?;
        let sums = cx.alloc(dtype_of(self.ty), &Shape::vector(size))?;
        let mut key = vec![u64::from(last)];
        key.extend(self.inputs.iter().chain(self.per_channel).map(|t| t.dtype() as u64));
        let program = cx.device.program(self.name, &key, || {
            let mut b = Builder::new(self.name);
            let inputs: Vec<Buf> = self.inputs.iter().map(|t| b.buffer(t.dtype(), Access::Read)).collect();
            let vectors: Vec<Buf> = self.per_channel.iter().map(|t| b.buffer(t.dtype(), Access::Read)).collect();
            let out = b.buffer(dtype_of(self.ty), Access::Write);
            let (rows, channels, inner) = (b.param_u32(), b.param_u32(), b.param_u32());
            let (each, blocks, total) = (b.param_u32(), b.param_u32(), b.param_u32());
            let (width, slices) = (width as u32, slices as u32);
            let arrays: Vec<_> = (0..self.count).map(|_| b.shared(self.ty, 256)).collect();
            let lane = b.let_(if last { E::local() % width } else { E::u32(0) });
            let slice = b.let_(if last { E::local() / width } else { E::local() });
            b.for_(E::group(), &total, E::groups(), |b, group| {
                let part = b.let_(&group / &blocks);
                let channel = b.let_(&group % &blocks * width + &lane);
                let sums: Vec<E> = (0..self.count).map(|_| b.let_(E::num(self.ty, 0.0))).collect();
                b.if_(channel.lt(&channels), |b| {
                    let vectors: Vec<E> = vectors.iter().map(|&v| b.load(v, &channel)).collect();
                    let vectors: Vec<E> = vectors.into_iter().map(|v| b.let_(v)).collect();
                    let end = &part * &each + &each;
                    let end = b.let_(end.min(&rows));
                    b.for_(&part * &each + &slice, &end, slices, |b, row| {
                        let at = match last {
                            true => &row * &channels + &channel,
                            false => (&row / &inner * &channels + &channel) * &inner + &row % &inner,
                        };
                        let at = b.let_(at);
                        for (sum, term) in sums.iter().zip(terms(b, &inputs, &at, &vectors)) {
                            b.set(sum, sum + term);
                        }
                    });
                });
                for (&array, sum) in arrays.iter().zip(&sums) {
                    b.store_shared(array, E::local(), sum);
                }
                b.barrier();
                let mut half = slices / 2;
                while half > 0 {
                    b.if_(slice.lt(half), |b| {
                        for &array in &arrays {
                            let two = b.load_shared(array, E::local())
                                + b.load_shared(array, E::local() + E::u32(half * width));
                            b.store_shared(array, E::local(), two);
                        }
                    });
                    b.barrier();
                    half /= 2;
                }
                b.if_(slice.eq(0u32) & channel.lt(&channels), |b| {
                    for (i, &array) in arrays.iter().enumerate() {
                        let at = (&part * (self.count as u32) + i as u32) * &channels + &channel;
                        let sum = b.load_shared(array, &lane);
                        b.store(out, at, sum);
                    }
                });
                b.barrier();
            });
            b.finish()
        });
        let groups = blocks * parts;
        let mut params = Vec::new();
        for size in [rows, channels, split.inner, each, blocks, groups] {
            params.push(small(size)?);
        }
        let mut buffers: Vec<&Tensor> = self.inputs.iter().chain(self.per_channel).copied().collect();
        buffers.push(&sums);
        cx.launch_groups(&program, groups, &buffers, &params)?;
        Ok((sums, parts))
    }
}
