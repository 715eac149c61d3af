//! Tiled products: what products of matrices and convolutions have in common.
//!
//! A group computes a square tile of a result, with a few rows and columns for each invocation. It advances along the
//! inner size in steps, in which it gathers a piece of each factor into shared arrays. If a result has few tiles and
//! the inner size is large, several groups sum a part each, and [`sum_parts`] adds the parts in a fixed order.

use super::entry::Cx;
use crate::device::GpuCx;
use crate::ir::{Access, Buf, Builder, E, Ty};
use levada_graph::{DType, Error, Result, Shape, Tensor};

/// Size of a step along the inner size, and number of invocations along each side of a tile.
const STEP: u32 = 16;

/// Number of groups that keep a device busy.
const BUSY: usize = 256;

/// How a result is divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Rows and columns of the result, inner size, number of results.
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub batch: usize,
    /// Rows and columns of an invocation.
    pub micro: usize,
    /// Parts of the inner size.
    pub splits: usize,
}

/// A [`Grid`] in a program.
pub(super) struct Cut {
    m: E,
    n: E,
    k: E,
    tiles_m: E,
    tiles_n: E,
    splits: E,
    each: E,
    total: E,
}

impl Grid {
    /// For `batch` results of `m` rows and `n` columns.
    pub(super) fn new(m: usize, n: usize, k: usize, batch: usize) -> Grid {
        let micro = match m.min(n) {
            33.. => 4,
            17.. => 2,
            _ => 1,
        };
        let mut grid = Grid { m, n, k, batch, micro, splits: 1 };
        let tiles = grid.total().max(1);
        if tiles * 2 <= BUSY {
            let parts = (BUSY / tiles).min(k / 128).max(1);
            grid.splits = k.div_ceil(grid.each_of(parts)).max(1);
        }
        grid
    }

    fn side(&self) -> usize {
        STEP as usize * self.micro
    }

    fn each_of(&self, parts: usize) -> usize {
        self.k.div_ceil(parts).next_multiple_of(STEP as usize).max(STEP as usize)
    }

    /// Number of groups.
    pub(super) fn total(&self) -> usize {
        self.m.div_ceil(self.side()) * self.n.div_ceil(self.side()) * self.splits * self.batch
    }

    /// What a program depends on.
    pub(super) fn key(&self) -> u64 {
        self.micro as u64
    }

    /// Appends the values of the parameters that [`Grid::declare`] declares.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` if a size does not fit.
    pub(super) fn params(&self, params: &mut Vec<u32>) -> Result<()> {
        let (tiles_m, tiles_n) = (self.m.div_ceil(self.side()), self.n.div_ceil(self.side()));
        for size in [self.m, self.n, self.k, tiles_m, tiles_n, self.splits, self.each_of(self.splits), self.total()] {
            params.push(small(size)?);
        }
        Ok(())
    }

    /// Declares its parameters.
    pub(super) fn declare(b: &mut Builder) -> Cut {
        let mut next = || b.param_u32();
        Cut {
            m: next(),
            n: next(),
            k: next(),
            tiles_m: next(),
            tiles_n: next(),
            splits: next(),
            each: next(),
            total: next(),
        }
    }
}

/// A size as a parameter.
///
/// # Errors
/// `UNIMPLEMENTED` if programs cannot count that far.
pub(super) fn small(size: usize) -> Result<u32> {
    match u32::try_from(size) {
        Ok(size) if size <= 1 << 31 => Ok(size),
        _ => Err(Error::unimplemented(format!("a size of {size} is too large for a graphics processor"))),
    }
}

/// From the positions in the outer and inner sizes to the condition and the index of an element.
type Address<'a> = dyn Fn(&[E], &[E]) -> (Option<E>, E) + 'a;

/// Where the elements of a factor are. Lines are the rows of the first factor and the columns of the second.
pub(super) struct Factor<'a> {
    /// The buffer that holds it.
    pub buffer: Buf,
    /// True if neighbours along the inner size are neighbours in memory; else neighbouring lines are.
    pub inner_first: bool,
    /// Values computed once for a line of a result, from the indices of the result and of the line.
    pub line: &'a dyn Fn(&mut Builder, &E, &E) -> Vec<E>,
    /// Values computed once for a position along the inner size.
    pub depth: &'a dyn Fn(&mut Builder, &E) -> Vec<E>,
    /// From both, the index of the element and, unless it always exists, whether it exists; else it counts as 0.
    pub at: &'a Address<'a>,
}

/// How an invocation helps to gather a factor.
struct Gather<'a, 'b> {
    factor: &'a Factor<'b>,
    shared: crate::ir::Shared,
    ty: Ty,
    pitch: u32,
    /// For each element that it gathers in a step, the indices of line and inner position in the tile.
    places: Vec<(E, E)>,
    /// The values of [`Factor::line`] and whether the line exists, for each element or once for all.
    lines: Vec<(E, Vec<E>)>,
}

impl Gather<'_, '_> {
    fn step(&self, b: &mut Builder, from: &E, end: &E) {
        let micro = self.places.len();
        let deep = if self.factor.inner_first { 1 } else { micro };
        let depths: Vec<(E, Vec<E>)> = (0..deep)
            .map(|r| {
                let k = b.let_(from + &self.places[r].1);
                let given = (self.factor.depth)(b, &k);
                (k.lt(end), given)
            })
            .collect();
        for (r, (line, inner)) in self.places.iter().enumerate() {
            let (is_line, lines) = &self.lines[r.min(self.lines.len() - 1)];
            let (is_inner, depths) = &depths[r.min(deep - 1)];
            let (inside, index) = (self.factor.at)(lines, depths);
            let there = is_line & is_inner;
            let there = inside.map_or(there.clone(), |inside| there & inside);
            let value = b.let_(E::num(self.ty, 0.0));
            b.if_(there, |b| {
                let found = b.load(self.factor.buffer, index).to(self.ty);
                b.set(&value, found);
            });
            b.store_shared(self.shared, inner * self.pitch + line, &value);
        }
    }
}

/// Computes tiles: calls `store` with the indices of result, part, row and column, and the sum.
pub(super) fn tiles(
    b: &mut Builder,
    ty: Ty,
    micro: u32,
    cut: &Cut,
    [first, second]: [&Factor<'_>; 2],
    store: &dyn Fn(&mut Builder, [&E; 4], &E),
) {
    let side = STEP * micro;
    // An odd pitch spreads a column over the banks of the memory; wide elements leave no room for it.
    let pitch = side + u32::from(ty.bits() < 64);
    let arrays = [b.shared(ty, STEP * pitch), b.shared(ty, STEP * pitch)];
    let x = b.let_(E::local() % STEP);
    let y = b.let_(E::local() / STEP);
    b.for_(E::group(), &cut.total, E::groups(), |b, tile| {
        let column = b.let_(&tile % &cut.tiles_n * side);
        let rest = b.let_(&tile / &cut.tiles_n);
        let row = b.let_(&rest % &cut.tiles_m * side);
        let rest = b.let_(&rest / &cut.tiles_m);
        let part = b.let_(&rest % &cut.splits);
        let result = b.let_(&rest / &cut.splits);
        let start = b.let_(&part * &cut.each);
        let end = &start + &cut.each;
        let end = b.let_(end.min(&cut.k));
        let gather = |b: &mut Builder, factor, shared, from: &E, limit: &E| {
            let factor: &Factor<'_> = factor;
            let places: Vec<(E, E)> = (0..micro)
                .map(|r| match factor.inner_first {
                    true => (&y + STEP * r, x.clone()),
                    false => (E::local() % side, E::local() / side + 256 / side * r),
                })
                .map(|(line, inner)| (b.let_(line), b.let_(inner)))
                .collect();
            let wide = if factor.inner_first { micro as usize } else { 1 };
            let lines = (0..wide)
                .map(|r| {
                    let line = b.let_(from + &places[r].0);
                    let given = (factor.line)(b, &result, &line);
                    (b.let_(line.lt(limit)), given)
                })
                .collect();
            Gather { factor, shared, ty, pitch, places, lines }
        };
        let first = gather(b, first, arrays[0], &row, &cut.m);
        let second = gather(b, second, arrays[1], &column, &cut.n);
        let sums: Vec<E> = (0..micro * micro).map(|_| b.let_(E::num(ty, 0.0))).collect();
        b.for_(&start, &end, STEP, |b, from| {
            first.step(b, &from, &end);
            second.step(b, &from, &end);
            b.barrier();
            b.for_(0u32, STEP, 1u32, |b, inner| {
                let at = b.let_(&inner * pitch);
                let left: Vec<E> =
                    (0..micro).map(|i| b.let_(b.load_shared(arrays[0], &at + &(&y * micro) + i))).collect();
                let right: Vec<E> = (0..micro).map(|j| b.let_(b.load_shared(arrays[1], &at + &x + STEP * j))).collect();
                for (i, left) in left.iter().enumerate() {
                    for (j, right) in right.iter().enumerate() {
                        let sum = &sums[i * micro as usize + j];
                        b.set(sum, sum + left * right);
                    }
                }
            });
            b.barrier();
        });
        for i in 0..micro {
            for j in 0..micro {
                let (row, column) = (b.let_(&row + &(&y * micro) + i), b.let_(&column + &x + STEP * j));
                let sum = &sums[(i * micro + j) as usize];
                b.if_(row.lt(&cut.m) & column.lt(&cut.n), |b| store(b, [&result, &part, &row, &column], sum));
            }
        }
    });
}

/// The dtype of sums in `ty`.
pub(super) fn dtype_of(ty: Ty) -> DType {
    match ty {
        Ty::Bool | Ty::U32 => DType::U32,
        Ty::I32 => DType::I32,
        Ty::I64 => DType::I64,
        Ty::U64 => DType::U64,
        Ty::F32 => DType::F32,
        Ty::F64 => DType::F64,
    }
}

/// Fills `out` with the sums of `parts` contiguous tensors of its size, divided by `divisor`; with zeros if there are
/// none.
///
/// # Errors
/// Those of a launch.
pub(super) fn sum_parts(
    cx: &Cx<'_, '_>,
    sums: &Tensor,
    out: &Tensor,
    parts: usize,
    divisor: Option<f32>,
) -> Result<()> {
    let (from, to) = (sums.dtype(), out.dtype());
    let program = cx.device.program("sum_parts", &[from as u64, to as u64, u64::from(divisor.is_some())], || {
        let mut b = Builder::new("sum_parts");
        let (x, y) = (b.buffer(from, Access::Read), b.buffer(to, Access::Write));
        let (count, parts) = (b.param_u32(), b.param_u32());
        let by = divisor.map(|_| b.param(Ty::F32));
        let ty = Ty::of(from).unwrap_or(Ty::F32);
        b.for_each(&count, |b, i| {
            let sum = b.let_(E::num(ty, 0.0));
            b.for_(0u32, &parts, 1u32, |b, part| {
                let one = b.load(x, &part * &count + &i);
                b.set(&sum, &sum + one);
            });
            let sum = by.map_or(sum.clone(), |by| &sum / by.to(ty));
            b.store(y, &i, sum.to(Ty::of(to).unwrap_or(ty)));
        });
        b.finish()
    });
    let mut params = vec![small(out.num_elements())?, small(parts)?];
    params.extend(divisor.map(f32::to_bits));
    cx.launch(&program, out.num_elements(), &[sums, out], &params)
}

/// A tensor of zeros.
///
/// # Errors
/// Those of a launch, and if memory runs out.
pub(super) fn zeros(cx: &Cx<'_, '_>, dtype: DType, shape: &Shape) -> Result<Tensor> {
    let out = cx.alloc(dtype, shape)?;
    sum_parts(cx, &Tensor::zeros(dtype, Shape::vector(0)), &out, 0, None)?;
    Ok(out)
}

/// The buffer for sums in `ty` before [`sum_parts`] adds them; `None` if there is one part, which goes to `out` itself.
///
/// # Errors
/// If memory runs out.
pub(super) fn sums_for(cx: &Cx<'_, '_>, out: &Tensor, ty: Ty, parts: usize) -> Result<Option<Tensor>> {
    if parts == 1 {
        return Ok(None);
    }
    let size = out.num_elements().checked_mul(parts);
    let size = size.ok_or_else(|| Error::invalid("a tensor is too large"))?;
    Ok(Some(cx.alloc(dtype_of(ty), &Shape::vector(size))?))
}
