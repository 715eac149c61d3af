//! `Einsum`: each operand is brought into the order required by a product of matrices, after summing over labels that
//! only it has.

use super::entry::{self, Cx, count};
use super::moves::{cell, number};
use super::product::Product;
use super::reduce::{Fold, reduce};
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Builder, E, Ty};
use levada_graph::{Result, Shape, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::shared::Labels;
use levada_ops::types::{EINSUM, Einsum};

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[&entry::cell(&EINSUM, einsum).heavy().supports(supports)];

/// Results that repeat a label are diagonals, which the CPU computes.
fn supports(op: &Einsum) -> bool {
    let output = op.equation.split_once("->").map_or("", |(_, output)| output);
    let named = || output.bytes().filter(|c| *c != b'.');
    let repeats = named().any(|c| named().filter(|d| *d == c).count() > 1);
    !repeats && Ty::of(op.dtype).is_some_and(|ty| ty != Ty::Bool)
}

fn einsum(op: &Einsum, cx: &mut Cx<'_, '_>) -> Result<()> {
    let inputs: Vec<Tensor> = cx.inputs_from(0)?.into_iter().cloned().collect();
    let labels = Labels::of(&op.equation, &inputs.iter().collect::<Vec<_>>())?;
    let shape = Shape::new(labels.output.iter().map(|&l| labels.sizes[l]))?;
    let mut operands: Vec<Operand> =
        inputs.iter().zip(&labels.inputs).map(|(t, axes)| Operand::new(t, axes, &labels.sizes)).collect();
    if shape.num_elements() == 0 {
        let out = cx.alloc(op.dtype, &shape)?;
        cx.set(0, out);
        return Ok(());
    }
    for i in 0..operands.len() {
        // Values that are constant along a label of the result need not be repeated before the product.
        let other = operands.get(1 - i).filter(|_| operands.len() == 2).map(Operand::labels).unwrap_or_default();
        let own = &mut operands[i];
        own.axes.retain(|(l, stride)| *stride != 0 || !other.contains(l) || !labels.output.contains(l));
        let kept: Vec<usize> =
            own.labels().into_iter().filter(|l| labels.output.contains(l) || other.contains(l)).collect();
        own.sum_others(cx, &kept, &labels.sizes)?;
    }
    let out = match &operands[..] {
        [only] => only.ordered(cx, &labels.output, &labels.sizes)?,
        [a, b] => multiply(cx, a, b, &labels)?,
        _ => return Err(levada_graph::Error::invalid("an einsum has one or two inputs")),
    };
    let out = out.reshaped(shape)?;
    cx.set(0, out);
    Ok(())
}

/// A tensor whose axes have labels, each label once.
struct Operand {
    tensor: Tensor,
    /// Labels with the stride along them; 0 if the axis is broadcast.
    axes: Vec<(usize, usize)>,
}

impl Operand {
    /// Axes with the same label become their diagonal.
    fn new(tensor: &Tensor, labels: &[usize], sizes: &[usize]) -> Operand {
        let mut axes: Vec<(usize, usize)> = Vec::new();
        let shape = tensor.shape();
        for ((&label, &size), stride) in labels.iter().zip(shape.iter()).zip(shape.strides()) {
            let stride = if size == 1 && sizes[label] != 1 { 0 } else { stride };
            match axes.iter_mut().find(|(l, _)| *l == label) {
                Some((_, s)) => *s += stride,
                None => axes.push((label, stride)),
            }
        }
        Operand { tensor: tensor.clone(), axes }
    }

    fn labels(&self) -> Vec<usize> {
        self.axes.iter().map(|(l, _)| *l).collect()
    }

    fn has(&self, label: usize) -> bool {
        self.axes.iter().any(|(l, _)| *l == label)
    }

    /// Sizes and strides in the order of these labels, without axes of one element.
    fn walk(&self, order: &[usize], sizes: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let stride = |label: usize| self.axes.iter().find(|(l, _)| *l == label).map_or(0, |(_, s)| *s);
        order.iter().filter(|&&l| sizes[l] != 1).map(|&l| (sizes[l], stride(l))).unzip()
    }

    /// True if the elements are stored in the order of these labels.
    fn is_ordered(&self, order: &[usize], sizes: &[usize]) -> bool {
        let (dims, strides) = self.walk(order, sizes);
        let mut next = 1;
        let fits = dims.iter().zip(&strides).rev().all(|(d, s)| {
            let fits = *s == next;
            next *= d;
            fits
        });
        fits && next == self.tensor.num_elements()
    }

    /// The elements in the order of these labels.
    fn ordered(&self, cx: &Cx<'_, '_>, order: &[usize], sizes: &[usize]) -> Result<Tensor> {
        let (dims, strides) = self.walk(order, sizes);
        let shape = Shape::vector(dims.iter().product());
        if self.is_ordered(order, sizes) {
            return self.tensor.clone().reshaped(shape);
        }
        let out = cx.alloc(self.tensor.dtype(), &shape)?;
        let size = count(shape.num_elements())?;
        count(self.tensor.num_elements())?;
        let cell = cell(cx.device, self.tensor.dtype());
        let program = cx.device.program("strided", &[number(cell), dims.len() as u64], || {
            let mut b = Builder::new("strided");
            let (x, out) = (b.buffer(cell, Access::Read), b.buffer(cell, Access::Write));
            let size = b.param_u32();
            let axes: Vec<(E, E)> = dims.iter().map(|_| (b.param_u32(), b.param_u32())).collect();
            b.for_each(&size, |b, i| {
                let (mut rest, mut at) = (i.clone(), E::u32(0));
                for (dim, stride) in axes.iter().rev() {
                    at = at + &rest % dim * stride;
                    rest = b.let_(&rest / dim);
                }
                b.store(out, &i, b.load(x, at));
            });
            b.finish()
        });
        let mut params = vec![size];
        params.extend(dims.iter().zip(&strides).flat_map(|(&d, &s)| [d as u32, s as u32]));
        cx.launch(&program, size as usize, &[&self.tensor, &out], &params)?;
        Ok(out)
    }

    /// Sums over all labels but these.
    fn sum_others(&mut self, cx: &Cx<'_, '_>, kept: &[usize], sizes: &[usize]) -> Result<()> {
        let gone: Vec<usize> = self.labels().into_iter().filter(|l| !kept.contains(l)).collect();
        if gone.is_empty() {
            return Ok(());
        }
        let order: Vec<usize> = kept.iter().chain(&gone).copied().collect();
        let packed = self.ordered(cx, &order, sizes)?;
        let (rows, length) = (product(kept, sizes), product(&gone, sizes));
        self.tensor = reduce(cx, Fold::Sum, &packed, &[(rows, false), (length, true)], &Shape::vector(rows))?;
        self.axes = in_order(kept, sizes);
        Ok(())
    }
}

fn product(labels: &[usize], sizes: &[usize]) -> usize {
    labels.iter().map(|&l| sizes[l]).product()
}

/// Labels with their strides if the elements are stored in the order of the labels.
fn in_order(labels: &[usize], sizes: &[usize]) -> Vec<(usize, usize)> {
    let mut next = 1;
    let mut axes: Vec<(usize, usize)> = labels
        .iter()
        .rev()
        .map(|&l| {
            let stride = next;
            next *= sizes[l];
            (l, stride)
        })
        .collect();
    axes.reverse();
    axes
}

fn multiply(cx: &Cx<'_, '_>, a: &Operand, b: &Operand, labels: &Labels) -> Result<Tensor> {
    let sizes = &labels.sizes;
    let of = |in_a: bool, in_b: bool| -> Vec<usize> {
        labels.output.iter().copied().filter(|&l| a.has(l) == in_a && b.has(l) == in_b).collect()
    };
    let (batch, rows, columns) = (of(true, true), of(true, false), of(false, true));
    let inner: Vec<usize> = a.labels().into_iter().filter(|&l| b.has(l) && !labels.output.contains(&l)).collect();
    let join = |parts: [&[usize]; 3]| parts.concat();
    // Either order of rows and inner axes will do: take the one in which the elements are stored.
    let pick = |x: &Operand, plain: Vec<usize>, turned: Vec<usize>| {
        let turns = !x.is_ordered(&plain, sizes) && x.is_ordered(&turned, sizes);
        x.ordered(cx, if turns { &turned } else { &plain }, sizes).map(|t| (t, turns))
    };
    let (x, turned_x) = pick(a, join([&batch, &rows, &inner]), join([&batch, &inner, &rows]))?;
    let (y, turned_y) = pick(b, join([&batch, &inner, &columns]), join([&batch, &columns, &inner]))?;
    let (m, n, k) = (product(&rows, sizes), product(&columns, sizes), product(&inner, sizes));
    let many = product(&batch, sizes);
    let out = cx.alloc(a.tensor.dtype(), &Shape::new([many, m, n])?)?;
    let batches = if many == 1 { Shape::scalar() } else { Shape::vector(many) };
    let request = Product {
        sizes: [m, n, k],
        batch: batches.clone(),
        batches: [batches.clone(), batches],
        transposes: [turned_x, turned_y],
    };
    request.compute(cx, &x, &y, &out)?;
    let order = join([&batch, &rows, &columns]);
    Operand { tensor: out, axes: in_order(&order, sizes) }.ordered(cx, &labels.output, sizes)
}
