//! `LRN` and `LRNGrad`: normalization of each element by its neighbours in other channels.

use super::entry::{self, Cx, cell};
use super::shapes;
use super::tiles::small;
use crate::device::{Gpu, GpuCx};
use crate::expressions::power;
use crate::ir::{Access, Buf, Builder, E, Ty};
use levada_graph::{DType, Error, Result, Shape, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::types::{LRN, LRN_GRAD, Lrn};

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &cell(&LRN, |op, cx| {
        let out = Norm::of(op)?.forward(cx, &shapes::output_of(&LRN, op, cx)?)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy(),
    &cell(&LRN_GRAD, |op, cx| {
        let out = Norm::of(op)?.backward(cx, &shapes::output_of(&LRN_GRAD, op, cx)?)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy(),
];

struct Norm {
    radius: u32,
    /// Bias, alpha and beta.
    numbers: [f32; 3],
    dtype: DType,
}

/// A [`Norm`] in a program.
struct Numbers {
    count: E,
    channels: E,
    radius: E,
    bias: E,
    alpha: E,
    beta: E,
}

impl Numbers {
    fn declare(b: &mut Builder) -> Numbers {
        Numbers {
            count: b.param_u32(),
            channels: b.param_u32(),
            radius: b.param_u32(),
            bias: b.param(Ty::F32),
            alpha: b.param(Ty::F32),
            beta: b.param(Ty::F32),
        }
    }

    /// Calls `f` with the index of each element in the channels around element `i`.
    fn around(&self, b: &mut Builder, i: &E, f: impl FnOnce(&mut Builder, E)) {
        let channel = b.let_(i % &self.channels);
        let first = b.let_(i - &channel);
        let start = channel.gt(&self.radius).select(&channel - &self.radius, E::u32(0));
        let end = (&channel + &self.radius + 1u32).min(&self.channels);
        b.for_(&first + start, &first + end, 1u32, f);
    }

    /// The norm of element `i`.
    fn norm(&self, b: &mut Builder, x: Buf, i: &E) -> E {
        let squares = b.let_(E::f32(0.0));
        self.around(b, i, |b, at| {
            let value = b.let_(b.load(x, at));
            b.set(&squares, &squares + &value * &value);
        });
        b.let_(&self.bias + &self.alpha * squares)
    }
}

impl Norm {
    fn of(op: &Lrn) -> Result<Norm> {
        let radius = i32::try_from(op.depth_radius).ok().and_then(|r| u32::try_from(r).ok());
        let radius = radius.ok_or_else(|| {
            Error::invalid(format!("depth_radius = {} is negative or larger than int max", op.depth_radius))
        })?;
        Ok(Norm { radius, numbers: [op.bias, op.alpha, op.beta], dtype: op.dtype })
    }

    fn params(&self, shape: &Shape) -> Result<Vec<u32>> {
        let channels = shape.last().copied().unwrap_or(0);
        // A radius beyond all channels makes no difference.
        let radius = self.radius.min(small(channels)?);
        let mut params = vec![small(shape.num_elements())?, small(channels)?, radius];
        params.extend(self.numbers.map(f32::to_bits));
        Ok(params)
    }

    fn forward(&self, cx: &Cx<'_, '_>, shape: &Shape) -> Result<Tensor> {
        let program = cx.device.program("lrn", &[self.dtype as u64], || {
            let mut b = Builder::new("lrn");
            let (x, out) = (b.buffer(self.dtype, Access::Read), b.buffer(self.dtype, Access::Write));
            let numbers = Numbers::declare(&mut b);
            b.for_each(&numbers.count, |b, i| {
                let norm = numbers.norm(b, x, &i);
                let y = b.load(x, &i) * power(&norm, &numbers.beta.neg());
                b.store(out, &i, y);
            });
            b.finish()
        });
        let out = cx.alloc(self.dtype, shape)?;
        cx.launch(&program, out.num_elements(), &[cx.input(0)?, &out], &self.params(shape)?)?;
        Ok(out)
    }

    fn backward(&self, cx: &Cx<'_, '_>, shape: &Shape) -> Result<Tensor> {
        let (dy, x, y) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
        let dtype = self.dtype;
        // What each element contributes to its own gradient, and what to those of all around it.
        let parts = cx.device.program("lrn_grad_parts", &[dtype as u64], || {
            let mut b = Builder::new("lrn_grad_parts");
            let [dy, x, y] = [0, 1, 2].map(|_| b.buffer(dtype, Access::Read));
            let (own, spread) = (b.buffer(DType::F32, Access::Write), b.buffer(DType::F32, Access::Write));
            let numbers = Numbers::declare(&mut b);
            b.for_each(&numbers.count, |b, i| {
                let norm = numbers.norm(b, x, &i);
                let dy = b.let_(b.load(dy, &i));
                b.store(own, &i, &dy * power(&norm, &numbers.beta.neg()));
                let factor = E::f32(-2.0) * &numbers.alpha * &numbers.beta;
                b.store(spread, &i, factor * dy * b.load(y, &i) / norm);
            });
            b.finish()
        });
        let sums = cx.device.program("lrn_grad", &[dtype as u64], || {
            let mut b = Builder::new("lrn_grad");
            let (own, spread) = (b.buffer(DType::F32, Access::Read), b.buffer(DType::F32, Access::Read));
            let (x, out) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Write));
            let numbers = Numbers::declare(&mut b);
            b.for_each(&numbers.count, |b, i| {
                let others = b.let_(E::f32(0.0));
                numbers.around(b, &i, |b, at| {
                    let other = b.load(spread, at);
                    b.set(&others, &others + other);
                });
                let dx = b.load(own, &i) + b.load(x, &i) * others;
                b.store(out, &i, dx);
            });
            b.finish()
        });
        let (own, spread) = (cx.alloc(DType::F32, shape)?, cx.alloc(DType::F32, shape)?);
        let out = cx.alloc(dtype, shape)?;
        let params = self.params(shape)?;
        cx.launch(&parts, out.num_elements(), &[dy, x, y, &own, &spread], &params)?;
        cx.launch(&sums, out.num_elements(), &[&own, &spread, x, &out], &params)?;
        Ok(out)
    }
}
