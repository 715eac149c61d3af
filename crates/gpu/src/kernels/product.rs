//! Products of matrices: `MatMul`, `BatchMatMul` and its later versions.

use super::elementwise::Walk;
use super::entry::{self, Cx, cell};
use super::shapes::output_of;
use super::tiles::{Factor, Grid, dtype_of, small, sum_parts, sums_for, tiles};
use crate::backend::MatMul as Request;
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Builder, E, Ty};
use levada_graph::{DType, Result, Shape, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::types::{BATCH_MAT_MUL, BATCH_MAT_MUL_V3, MAT_MUL};

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &cell(&MAT_MUL, |op, cx| products(cx, output_of(&MAT_MUL, op, cx)?, op.dtype, [op.transpose_a, op.transpose_b]))
        .heavy()
        .supports(|op| Ty::of(op.dtype).is_some()),
    &cell(&BATCH_MAT_MUL, |op, cx| products(cx, output_of(&BATCH_MAT_MUL, op, cx)?, op.dtype, [op.adj_x, op.adj_y]))
        .heavy()
        .supports(|op| Ty::of(op.dtype).is_some()),
    // Bytes may be multiplied with a wider type.
    &cell(&BATCH_MAT_MUL_V3, |op, cx| {
        products(cx, output_of(&BATCH_MAT_MUL_V3, op, cx)?, op.out, [op.adj_x, op.adj_y])
    })
    .heavy()
    .supports(|op| op.is_handled() && [op.x, op.y, op.out].iter().all(|&d| Ty::of(d).is_some())),
];

fn products(cx: &mut Cx<'_, '_>, shape: Shape, dtype: DType, transposes: [bool; 2]) -> Result<()> {
    let (a, b) = (cx.input(0)?, cx.input(1)?);
    let out = cx.alloc(dtype, &shape)?;
    let (outer, _) = shape.split_at(shape.rank() - 2);
    let batch = |t: &Tensor| Shape::new(t.shape()[..t.shape().rank() - 2].iter().copied());
    let batches = [batch(a)?, batch(b)?];
    let (m, n) = (shape[shape.rank() - 2], shape[shape.rank() - 1]);
    let k = a.shape()[a.shape().rank() - if transposes[0] { 2 } else { 1 }];
    let outer = Shape::new(outer.iter().copied())?;
    let mut product = Product { sizes: [m, n, k], batch: outer, batches, transposes };
    if product.batches[1].num_elements() == 1
        && product.batches[0].num_elements() == product.batch.num_elements()
        && !transposes[0]
    {
        // Every row of every `a` is multiplied with the single `b`: that is one product.
        product.sizes[0] *= product.batch.num_elements();
        product.batch = Shape::scalar();
        product.batches = [Shape::scalar(), Shape::scalar()];
    }
    product.compute(cx, a, b, &out)?;
    cx.set(0, out);
    Ok(())
}

/// Products of matrices, one for each element of `batch`.
pub(super) struct Product {
    /// Rows and columns of a product, and the inner size.
    pub sizes: [usize; 3],
    /// Batch shape of the products.
    pub batch: Shape,
    /// Batch shapes of the factors, which are broadcast.
    pub batches: [Shape; 2],
    /// Whether each factor's matrices are stored transposed.
    pub transposes: [bool; 2],
}

impl Product {
    /// Multiplies.
    ///
    /// # Errors
    /// Those of a launch.
    pub(super) fn compute(&self, cx: &Cx<'_, '_>, a: &Tensor, b: &Tensor, out: &Tensor) -> Result<()> {
        if out.num_elements() == 0 {
            return Ok(());
        }
        let [m, n, k] = self.sizes;
        let walk = Walk::new(&self.batch, &self.batches)?;
        let batch = self.batch.num_elements();
        if let Some(done) = self.by_library(cx, a, b, out) {
            return done;
        }
        let grid = Grid::new(m, n, k, batch);
        let (x, y, to) = (a.dtype(), b.dtype(), out.dtype());
        let ty = Ty::of(to).unwrap_or(Ty::F32);
        let parts = sums_for(cx, out, ty, grid.splits)?;
        let sums = parts.as_ref().map_or(to, |_| dtype_of(ty));
        let [ta, tb] = self.transposes;
        let flags = u64::from(ta) | u64::from(tb) << 1;
        let key = [x as u64, y as u64, to as u64, sums as u64, flags, grid.key(), walk.key()];
        let program = cx.device.program("mat_mul", &key, || {
            let mut b = Builder::new("mat_mul");
            let buffers = [b.buffer(x, Access::Read), b.buffer(y, Access::Read), b.buffer(sums, Access::Write)];
            let cut = Grid::declare(&mut b);
            let (m, n, k, size) = (b.param_u32(), b.param_u32(), b.param_u32(), b.param_u32());
            let places = walk.declare(&mut b);
            let line = |rows: &E, contiguous: bool, i: usize| {
                let (rows, k, places) = (rows.clone(), k.clone(), &places);
                move |b: &mut Builder, z: &E, line: &E| {
                    let matrix = places.places(b, z).swap_remove(i);
                    let first = matrix * &(&rows * &k);
                    vec![b.let_(if contiguous { first + line } else { first + line * &k })]
                }
            };
            let depth = |rows: &E, contiguous: bool| {
                let rows = rows.clone();
                move |_: &mut Builder, at: &E| vec![if contiguous { at.clone() } else { at * &rows }]
            };
            let at = |line: &[E], depth: &[E]| (None, &line[0] + &depth[0]);
            let first = Factor {
                buffer: buffers[0],
                inner_first: !ta,
                line: &line(&m, ta, 0),
                depth: &depth(&m, !ta),
                at: &at,
            };
            let second =
                Factor { buffer: buffers[1], inner_first: tb, line: &line(&n, !tb, 1), depth: &depth(&n, tb), at: &at };
            tiles(&mut b, ty, grid.micro as u32, &cut, [&first, &second], &|b, [z, part, row, column], sum| {
                b.store(buffers[2], part * &size + (z * &m + row) * &n + column, sum);
            });
            b.finish()
        });
        let mut params = Vec::new();
        grid.params(&mut params)?;
        for size in [m, n, k, out.num_elements()] {
            params.push(small(size)?);
        }
        walk.params(&mut params);
        cx.launch_groups(&program, grid.total(), &[a, b, parts.as_ref().unwrap_or(out)], &params)?;
        match parts {
            Some(parts) => sum_parts(cx, &parts, out, grid.splits, None),
            None => Ok(()),
        }
    }

    /// Lets the backend multiply with a library of its own.
    fn by_library(&self, cx: &Cx<'_, '_>, a: &Tensor, b: &Tensor, out: &Tensor) -> Option<Result<()>> {
        let [m, n, k] = self.sizes;
        let batch = self.batch.num_elements();
        if a.dtype() != out.dtype() || b.dtype() != out.dtype() || a.num_elements() == 0 || b.num_elements() == 0 {
            return None;
        }
        let stride = |shape: &Shape, size: usize| match shape.num_elements() {
            1 => Some(0),
            count if count == batch => Some(size),
            _ => None,
        };
        let strides = [stride(&self.batches[0], m * k)?, stride(&self.batches[1], k * n)?];
        let piece = |t| cx.device.piece(t);
        let (a, b, out, dtype) = (piece(a).ok()?, piece(b).ok()?, piece(out).ok()?, out.dtype());
        let [transpose_a, transpose_b] = self.transposes;
        let leading = [if transpose_a { m } else { k }, if transpose_b { k } else { n }];
        cx.device.backend.matmul(&Request {
            node: &cx.node().name,
            dtype,
            sizes: [m, n, k],
            batch,
            a,
            b,
            out,
            transpose_a,
            transpose_b,
            leading,
            strides,
            tf32: cx.device.tf32,
        })
    }
}
