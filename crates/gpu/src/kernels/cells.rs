//! Recurrent cells as one op: `LSTMBlockCell`, `BlockLSTM` and its second version, `GRUBlockCell`. A product of
//! matrices for each time step, and a program for the gates. All outputs of a node are parts of one tensor.

use super::entry::{self, Cx, cell, count};
use super::moves::{filled, number};
use super::product::Product;
use crate::device::{Gpu, GpuCx};
use crate::expressions::{sigmoid, tanh};
use crate::ir::{Access, Builder, E, Ty};
use levada_graph::{DType, Result, Shape, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::shared::{LstmDims, Mover, gru_dims, moments};
use levada_ops::types::{BLOCK_LSTM, GRU_BLOCK_CELL, Gru, LSTM_BLOCK_CELL, Lstm};

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &cell(&BLOCK_LSTM, |op, cx| {
        let dims = LstmDims::of(cx, 1, true, op.peephole)?;
        let moments = moments(cx, dims)?;
        forward(op, cx, 1, dims, moments, &Shape::new([dims.time, dims.batch, dims.cell])?)
    })
    .heavy(),
    &cell(&GRU_BLOCK_CELL, gru).heavy(),
    &cell(&LSTM_BLOCK_CELL, |op, cx| {
        let dims = LstmDims::of(cx, 0, false, op.peephole)?;
        forward(op, cx, 0, dims, 1, &Shape::new([dims.batch, dims.cell])?)
    })
    .heavy(),
];

/// A product of rows by weights, in float32.
fn product(cx: &Cx<'_, '_>, rows: &Tensor, weights: &Tensor, [m, n, k]: [usize; 3]) -> Result<Tensor> {
    let out = cx.alloc(DType::F32, &Shape::new([m, n])?)?;
    let scalar = Shape::scalar;
    let product =
        Product { sizes: [m, n, k], batch: scalar(), batches: [scalar(), scalar()], transposes: [false, false] };
    product.compute(cx, rows, weights, &out)?;
    Ok(out)
}

/// Runs the cell over `moments` time steps; the rest of the outputs (i, cs, f, o, ci, co, h) is zeros.
fn forward(op: &Lstm, cx: &mut Cx<'_, '_>, first: usize, dims: LstmDims, moments: usize, shape: &Shape) -> Result<()> {
    let LstmDims { time, batch, input, cell: n } = dims;
    let x = cx.input(first)?.clone();
    let dtype = x.dtype();
    let state = batch.saturating_mul(n);
    count(state.saturating_mul(time).saturating_mul(7))?;
    let whole = Shape::new([7, time, state])?;
    let all = if moments < time { filled(cx, dtype, &whole, None)? } else { cx.alloc(dtype, &whole)? };
    let mut others: Vec<Tensor> = vec![cx.input(first + 7)?.clone()];
    if op.peephole {
        for i in 4..7 {
            others.push(cx.input(first + i)?.clone());
        }
    }
    let weights = cx.input(first + 3)?.clone();
    let (cs, h) = (all.row(1)?, all.row(6)?);
    let by_moment = x.reshaped(Shape::new([time, batch, input])?)?;
    for t in 0..if state == 0 { 0 } else { moments } {
        let (cs_prev, h_prev) = match t {
            0 => (cx.input(first + 1)?.clone(), cx.input(first + 2)?.clone()),
            _ => (cs.row(t - 1)?, h.row(t - 1)?.reshaped(Shape::new([batch, n])?)?),
        };
        let rows = Gpu::join(cx, &[&by_moment.row(t)?, &h_prev], 1, &Shape::new([batch, input + n])?, dtype)?;
        let gates = product(cx, &rows, &weights, [batch, 4 * n, input + n])?;
        let clips = op.cell_clip > 0.0;
        let columns = op.gates();
        let layout = columns.iter().fold(0, |key, &at| key << 2 | at as u64);
        let key = [number(dtype), u64::from(op.peephole) << 1 | u64::from(clips), layout];
        let program = cx.device.program("lstm_cell", &key, || {
            let mut b = Builder::new("lstm_cell");
            let gates = b.buffer(DType::F32, Access::Read);
            let before = b.buffer(dtype, Access::Read);
            let bias = b.buffer(dtype, Access::Read);
            let holes: Vec<_> = (0..if op.peephole { 3 } else { 0 }).map(|_| b.buffer(dtype, Access::Read)).collect();
            let out = b.buffer(dtype, Access::Write);
            let (size, n, base, apart) = (b.param_u32(), b.param_u32(), b.param_u32(), b.param_u32());
            let (forget_bias, clip) = (b.param(Ty::F32), b.param(Ty::F32));
            b.for_each(&size, |b, k| {
                let (row, j) = (b.let_(&k / &n), b.let_(&k % &n));
                let gate = |b: &mut Builder, which: usize| {
                    let column = b.let_(&n * columns[which] as u32 + &j);
                    b.let_(b.load(gates, &row * (&n * 4u32) + &column) + b.load(bias, &column))
                };
                let hole = |b: &mut Builder, which: usize, state: &E| match holes.get(which) {
                    Some(&hole) => b.let_(state * b.load(hole, &j)),
                    None => E::f32(0.0),
                };
                let prev = b.let_(b.load(before, &k));
                let i = gate(b, 0) + hole(b, 0, &prev);
                let i = b.let_(i);
                let i = b.let_(sigmoid(&i));
                let f = gate(b, 2) + &forget_bias + hole(b, 1, &prev);
                let f = b.let_(f);
                let f = b.let_(sigmoid(&f));
                let candidate = gate(b, 1);
                let ci = b.let_(tanh(&candidate));
                let mut c = b.let_(&ci * &i + &prev * &f);
                if clips {
                    let low = clip.neg();
                    c = b.let_(c.lt(&low).select(&low, c.gt(&clip).select(&clip, &c)));
                }
                let o = gate(b, 3) + hole(b, 2, &c);
                let o = b.let_(o);
                let o = b.let_(sigmoid(&o));
                let co = b.let_(tanh(&c));
                let h = b.let_(&co * &o);
                for (which, value) in [i, c, f, o, ci, co, h].into_iter().enumerate() {
                    b.store(out, &base + &apart * which as u32 + &k, value);
                }
            });
            b.finish()
        });
        let params = [
            state as u32,
            n as u32,
            (t * state) as u32,
            (time * state) as u32,
            op.forget_bias.to_bits(),
            op.cell_clip.to_bits(),
        ];
        let buffers: Vec<&Tensor> = [&gates, &cs_prev].into_iter().chain(&others).chain([&all]).collect();
        cx.launch(&program, state, &buffers, &params)?;
    }
    for i in 0..7 {
        cx.set(i, all.row(i)?.reshaped(shape.clone())?);
    }
    Ok(())
}

fn gru(_: &Gru, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (batch, input, n) = gru_dims(cx)?;
    let inputs: Vec<Tensor> = cx.inputs_from(0)?.into_iter().cloned().collect();
    let [x, h_prev, w_ru, w_c, b_ru, b_c] = &inputs[..] else {
        return Err(levada_graph::Error::internal("six inputs"));
    };
    let state = count(batch.saturating_mul(n))?;
    count(state as usize * 4)?;
    let shape = Shape::new([batch, n])?;
    let all = cx.alloc(DType::F32, &Shape::new([4, batch, n])?)?;
    if state > 0 {
        let reset = cx.alloc(DType::F32, &shape)?;
        let both = Shape::new([batch, input + n])?;
        let rows = Gpu::join(cx, &[x, h_prev], 1, &both, DType::F32)?;
        let gates = product(cx, &rows, w_ru, [batch, 2 * n, input + n])?;
        let first = cx.device.program("gru_gates", &[], || {
            let mut b = Builder::new("gru_gates");
            let [gates, bias, before] = std::array::from_fn(|_| b.buffer(DType::F32, Access::Read));
            let [reset, out] = std::array::from_fn(|_| b.buffer(DType::F32, Access::Write));
            let (size, n) = (b.param_u32(), b.param_u32());
            b.for_each(&size, |b, k| {
                let (row, j) = (b.let_(&k / &n), b.let_(&k % &n));
                let at = b.let_(&row * (&n * 2u32) + &j);
                let r = b.let_(b.load(gates, &at) + b.load(bias, &j));
                let u = b.let_(b.load(gates, &at + &n) + b.load(bias, &n + &j));
                let (r, u) = (b.let_(sigmoid(&r)), b.let_(sigmoid(&u)));
                b.store(reset, &k, b.load(before, &k) * &r);
                b.store(out, &k, r);
                b.store(out, &size + &k, u);
            });
            b.finish()
        });
        let params = [state, n as u32];
        cx.launch(&first, state as usize, &[&gates, b_ru, h_prev, &reset, &all], &params)?;
        let rows = Gpu::join(cx, &[x, &reset], 1, &both, DType::F32)?;
        let gates = product(cx, &rows, w_c, [batch, n, input + n])?;
        let second = cx.device.program("gru_state", &[], || {
            let mut b = Builder::new("gru_state");
            let [gates, bias, before] = std::array::from_fn(|_| b.buffer(DType::F32, Access::Read));
            let out = b.buffer(DType::F32, Access::Write);
            let (size, n) = (b.param_u32(), b.param_u32());
            b.for_each(&size, |b, k| {
                let c = b.let_(b.load(gates, &k) + b.load(bias, &k % &n));
                let c = b.let_(tanh(&c));
                let u = b.let_(b.load(out, &size + &k));
                b.store(out, &size * 2u32 + &k, &c);
                b.store(out, &size * 3u32 + &k, &u * b.load(before, &k) + (c.like(1.0) - &u) * &c);
            });
            b.finish()
        });
        cx.launch(&second, state as usize, &[&gates, b_c, h_prev, &all], &params)?;
    }
    for i in 0..4 {
        cx.set(i, all.row(i)?.reshaped(shape.clone())?);
    }
    Ok(())
}
