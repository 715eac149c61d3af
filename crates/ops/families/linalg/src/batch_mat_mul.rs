//! `BatchMatMul` and its later versions: matrix products over the last two axes.

use super::matrix::{check_matrices, pairs, same_inner};
use super::nodes::{of_factors, product, unbroadcast};
use crate::prelude::*;
use DType::*;
use levada_gemm::{self as gemm, Gemm, Mat, Size};

attrs! {
    /// Multiplies the matrices in the last two axes; the batch axes are broadcast.
    pub struct BatchMatMul {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[BF16, F16, F32, F64, I16, I32, I64, U8, U16, U32, U64, C64, C128]),
        /// If true, uses the conjugate transpose of `x`.
        adj_x: bool = Attr::bool("adj_x").or_bool(false),
        /// If true, uses the conjugate transpose of `y`.
        adj_y: bool = Attr::bool("adj_y").or_bool(false),
        /// Whether `x` is a gradient; a hint without effect here.
        grad_x: bool = Attr::bool("grad_x").or_bool(false),
        /// Whether `y` is a gradient; a hint without effect here.
        grad_y: bool = Attr::bool("grad_y").or_bool(false),
        /// Whether the batch axes are broadcast.
        broadcast: bool = Attr::bool("broadcast"),
    }
}

pub static BATCH_MAT_MUL: Def<BatchMatMul> = op::<BatchMatMul>("BatchMatMulV2")
    .fixed(&[("broadcast", AttrDefault::Bool(true))])
    .inputs(&[arg("x", of("T")), arg("y", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .also(&[form("BatchMatMul")
        .doc("Multiplies the matrices in the last two axes; the batch axes must be equal.")
        .attrs(&[Attr::dtype("T", &[BF16, F16, F32, F64, I32, I64, C64, C128])])
        .fixed(&[("broadcast", AttrDefault::Bool(false))])])
    .shape(|op, cx| infer(cx, [op.adj_x, op.adj_y], op.broadcast))
    .gradient(|op, g| gradient(g, [op.adj_x, op.adj_y]))
    .kernel(|op, cx| {
        let plan = Plan::new(cx.input(0)?.shape(), cx.input(1)?.shape(), [op.adj_x, op.adj_y], op.broadcast)?;
        plan.run(cx, op.dtype)
    })
    .heavy()
    .tiles(Stage::Product, cuts)
    .batch(|op, b| {
        let (x, y) = (b.rank(0)?, b.rank(1)?);
        if x < 2 || y < 2 {
            return None;
        }
        if x == y {
            leading(op, b)
        } else if op.broadcast {
            elementwise(op, b)
        } else {
            None
        }
    });

attrs! {
    /// As `BatchMatMulV2`, with separate element types for the factors and the result.
    pub struct BatchMatMulV3 {
        /// Element type of `x`.
        x: DType = Attr::dtype("Ta", &[BF16, F16, F32, F64, U8, I8, I16, I32, I64, C64, C128]),
        /// Element type of `y`.
        y: DType = Attr::dtype("Tb", &[BF16, F16, F32, F64, U8, I8, I16, I32, I64, C64, C128]),
        /// Element type of the result.
        out: DType = Attr::dtype("Tout", &[BF16, F16, F32, F64, I16, I32, I64, C64, C128]),
        /// If true, uses the conjugate transpose of `x`.
        adj_x: bool = Attr::bool("adj_x").or_bool(false),
        /// If true, uses the conjugate transpose of `y`.
        adj_y: bool = Attr::bool("adj_y").or_bool(false),
        /// Whether `x` is a gradient; a hint without effect here.
        grad_x: bool = Attr::bool("grad_x").or_bool(false),
        /// Whether `y` is a gradient; a hint without effect here.
        grad_y: bool = Attr::bool("grad_y").or_bool(false),
    }
}

pub static BATCH_MAT_MUL_V3: Def<BatchMatMulV3> = op::<BatchMatMulV3>("BatchMatMulV3")
    .inputs(&[arg("x", of("Ta")), arg("y", of("Tb"))])
    .outputs(&[arg("output", of("Tout"))])
    .shape(|op, cx| infer(cx, [op.adj_x, op.adj_y], true))
    .gradient(|op, g| gradient(g, [op.adj_x, op.adj_y]))
    .kernel(batch_mat_mul_v3)
    .heavy()
    .supports(BatchMatMulV3::is_handled)
    .batch(|op, b| {
        let (x, y) = (b.rank(0)?, b.rank(1)?);
        if x < 2 || y < 2 {
            return None;
        }
        if x == y { leading(op, b) } else { elementwise(op, b) }
    });

impl BatchMatMulV3 {
    /// True if the kernel supports this combination of factor and result types.
    pub fn is_handled(&self) -> bool {
        let same = self.x == self.out && self.y == self.out;
        let bytes = |d| matches!(d, I8 | U8);
        let narrow = |a, b| bytes(a) && (bytes(b) || b == BF16);
        same || (self.out == I32 && bytes(self.x) && bytes(self.y))
            || (self.out == BF16
                && (narrow(self.x, self.y) || narrow(self.y, self.x))
                && (self.x == BF16 || self.y == BF16))
    }
}

fn batch_mat_mul_v3(op: &BatchMatMulV3, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (x, y) = (cx.input(0)?, cx.input(1)?);
    let plan = Plan::new(x.shape(), y.shape(), [op.adj_x, op.adj_y], true)?;
    if op.x == op.out && op.y == op.out {
        return plan.run(cx, op.out);
    }
    let (x, y) = (widened(x, op.out)?, widened(y, op.out)?);
    match op.out {
        BF16 => cx.produce::<bf16>(0, &plan.shape, |cx, out| plan.multiply(cx, x.slice()?, y.slice()?, out)),
        _ => cx.produce::<i32>(0, &plan.shape, |cx, out| plan.multiply(cx, x.slice()?, y.slice()?, out)),
    }
}

/// Along the axes before the matrices, the rows of `x` and the columns of `y`.
fn cuts(op: &BatchMatMul, inputs: &[Given<'_>]) -> Option<Cuts> {
    let &[Given { shape: x, .. }, Given { shape: y, .. }] = inputs else { return None };
    let shape = Plan::new(x, y, [op.adj_x, op.adj_y], op.broadcast).ok()?.shape;
    let (row, col) = (x.rank() - 2 + usize::from(op.adj_x), y.rank() - 1 - usize::from(op.adj_y));
    let axes = (0..shape.rank()).map(|axis| {
        let before = |input: &Shape| {
            let own = (axis + input.rank()).checked_sub(shape.rank());
            own.filter(|&own| input[own] == shape[axis])
        };
        let cut = match shape.rank() - axis {
            1 => [None, Some(col)],
            2 => [Some(row), None],
            _ => [before(x), before(y)],
        };
        Some(Cut::from(cut))
    });
    Some(Cuts { axes: axes.collect(), shape })
}

fn gradient(g: &GradCx, adjoint: [bool; 2]) -> Grads {
    let [dx, dy] = of_factors([g.input(0), g.input(1), g.dy(0)], adjoint, product);
    unbroadcast(g, dx, dy)
}

/// Converts 8-bit integers to `dtype`, which is int32 or bfloat16; returns tensors of that dtype unchanged.
fn widened(t: &Tensor, dtype: DType) -> Result<Tensor> {
    if t.dtype() == dtype {
        return Ok(t.clone());
    }
    let values: Vec<i32> = match t.dtype() {
        I8 => t.slice::<i8>()?.iter().map(|&v| v.into()).collect(),
        _ => t.slice::<u8>()?.iter().map(|&v| v.into()).collect(),
    };
    match dtype {
        BF16 => Tensor::from_vec(t.shape().clone(), values.into_iter().map(|v| bf16::from_f32(v as f32)).collect()),
        _ => Tensor::from_vec(t.shape().clone(), values),
    }
}

fn infer(cx: &mut ShapeCx<'_>, adjoint: [bool; 2], broadcast: bool) -> Result<()> {
    let (x, y) = (cx.rank_at_least(0, 2)?, cx.rank_at_least(1, 2)?);
    let (Some(x_dims), Some(y_dims)) = (x.dims(), y.dims()) else {
        if !broadcast && let Some(rank) = x.rank().or(y.rank()) {
            cx.output(0, PartialShape::of_rank(rank));
        }
        return Ok(());
    };
    let split = |dims: &[Dim], adjoint: bool| {
        let (batch, matrix) = dims.split_at(dims.len() - 2);
        let matrix = if adjoint { (matrix[1], matrix[0]) } else { (matrix[0], matrix[1]) };
        (PartialShape::new(batch.iter().copied()), matrix)
    };
    let (x_batch, (m, inner_x)) = split(x_dims, adjoint[0]);
    let (y_batch, (inner_y, n)) = split(y_dims, adjoint[1]);
    same_inner([inner_x, inner_y], [&x, &y])?;
    let batch = if broadcast { x_batch.broadcast(&y_batch)? } else { x_batch.merge(&y_batch)? };
    cx.output(0, batch.concat(&PartialShape::new([m, n])));
    Ok(())
}

/// The products to compute.
struct Plan {
    shape: Shape,
    size: Size,
    x_cols: usize,
    y_cols: usize,
    adjoint: [bool; 2],
    /// For each product the indices of its two matrices; `None` if they equal the product's own index.
    pairs: Option<Vec<(usize, usize)>>,
}

impl Plan {
    fn new(x: &Shape, y: &Shape, adjoint: [bool; 2], broadcast: bool) -> Result<Plan> {
        check_matrices(x, y)?;
        let (x_batch, x_matrix) = x.split_at(x.rank() - 2);
        let (y_batch, y_matrix) = y.split_at(y.rank() - 2);
        let (m, k) = if adjoint[0] { (x_matrix[1], x_matrix[0]) } else { (x_matrix[0], x_matrix[1]) };
        let (inner, n) = if adjoint[1] { (y_matrix[1], y_matrix[0]) } else { (y_matrix[0], y_matrix[1]) };
        if k != inner {
            return Err(Error::invalid(format!("Matrix size-incompatible: In[0]: {x}, In[1]: {y}")));
        }
        if !broadcast && x_batch != y_batch {
            return Err(Error::invalid(format!("In[0] and In[1] must have compatible batch dimensions: {x} vs. {y}")));
        }
        let (x_batch, y_batch) = (Shape::new(x_batch.iter().copied())?, Shape::new(y_batch.iter().copied())?);
        let batch = x_batch.broadcast(&y_batch)?;
        let shape = Shape::new(batch.iter().copied().chain([m, n]))?;
        let mut plan =
            Plan { shape, size: Size { m, n, k }, x_cols: x_matrix[1], y_cols: y_matrix[1], adjoint, pairs: None };
        if x_batch.num_elements() == batch.num_elements() && y_batch.num_elements() == 1 && !adjoint[0] {
            // Every row of every `x` is multiplied with the only `y`, so a single product suffices.
            plan.size.m *= batch.num_elements();
        } else if x_batch != batch || y_batch != batch {
            plan.pairs = Some(pairs(&x_batch, &y_batch, &batch));
        }
        Ok(plan)
    }

    /// Multiplies inputs of type `dtype`.
    fn run(&self, cx: &mut Cx<'_, '_>, dtype: DType) -> Result<()> {
        dispatch!(dtype, numbers, |T| cx.produce::<T>(0, &self.shape, |cx, out| {
            self.multiply(cx, cx.slice::<T>(0)?, cx.slice::<T>(1)?, out)
        }), else unsupported(cx, dtype))
    }

    fn multiply<T: Gemm>(&self, cx: &Cx<'_, '_>, x: &[T], y: &[T], out: &mut [T]) -> Result<()> {
        let (x_size, y_size) = (self.size.m * self.size.k, self.size.k * self.size.n);
        gemm::multiply_batch(cx.pool(), self.size, out, |i| {
            let (i, j) = self.pairs.as_ref().map_or((i, i), |pairs| pairs[i]);
            let x = Mat::new(&x[i * x_size..(i + 1) * x_size], self.x_cols).adjoint_if(self.adjoint[0]);
            let y = Mat::new(&y[j * y_size..(j + 1) * y_size], self.y_cols).adjoint_if(self.adjoint[1]);
            (x, y)
        })
    }
}
