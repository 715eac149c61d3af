//! `LSTMBlockCell`, `BlockLSTM`, `BlockLSTMV2` and their gradients: an LSTM cell for one time step, or for all steps of
//! sequences.

use super::bias_add::BiasAdd;
use super::bias_add_grad::BIAS_ADD_GRAD;
use super::recurrent::{add_rows, check, floats, mat_mul, product, reserve, set_floats, sigmoid, sizes};
use crate::prelude::*;
use crate::rules::{Handles, NONE, PACK, concat};
use levada_gemm::Mat;
use std::borrow::Cow;

attrs! {
    /// The attrs of LSTM cells and their gradients.
    pub struct Lstm {
        /// Bias added to the forget gate.
        forget_bias: f32 = Attr::float("forget_bias").or_float(1.0),
        /// Limit to which the cell state is clipped; not clipped unless positive.
        cell_clip: f32 = Attr::float("cell_clip").or_float(3.0),
        /// If true, uses peephole connections from the cell state to the gates.
        peephole: bool = Attr::bool("use_peephole").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::F32]),
        /// If true, the gate order is input, forget, cell, output; otherwise input, cell, forget, output.
        forget_second: bool = Attr::bool("forget_second"),
    }
}

const fn t(name: &'static str) -> Arg {
    arg(name, of("T"))
}

const STATE: &[Arg] = &[t("i"), t("cs"), t("f"), t("o"), t("ci"), t("co"), t("h")];
const ICFO: (&str, AttrDefault) = ("forget_second", AttrDefault::Bool(false));
const IFCO: (&str, AttrDefault) = ("forget_second", AttrDefault::Bool(true));
/// The gradient ops have no default for this attr.
const PEEPHOLE: &[AttrSpec] = &[Attr::bool("use_peephole")];

pub static LSTM_BLOCK_CELL: Def<Lstm> = op("LSTMBlockCell")
    .doc("Computes one time step of an LSTM cell.")
    .fixed(&[ICFO])
    .inputs(&[t("x"), t("cs_prev"), t("h_prev"), t("w"), t("wci"), t("wcf"), t("wco"), t("b")])
    .outputs(STATE)
    .shape(|_, cx| {
        let shape = PartialShape::new([cx.with_rank(0, 2)?.dim(0), cell_size(cx, 7)]);
        (0..7).for_each(|i| cx.output(i, shape.clone()));
        Ok(())
    })
    .gradient(|op, g| {
        let mut inputs = g.inputs();
        inputs.extend((0..6).map(|i| g.output(i)));
        inputs.extend([g.dy(1), g.dy(6)]);
        let back = LSTM_BLOCK_CELL_GRAD.node(g, op, &inputs);
        let (x, h_prev, gates) = (g.input(0), g.input(2), back.out(1));
        let (dx, dh, dw) = through_weights(g, &[x, h_prev], gates, g.input(3));
        let db = BIAS_ADD_GRAD.node(g, &BiasAdd { dtype: op.dtype, data_format: "NHWC".into() }, &[gates]);
        let grads = [dx, back, dh, dw, back.out(2), back.out(3), back.out(4), db];
        grads.into_iter().map(Option::from).collect()
    })
    .kernel(|op, cx| {
        let dims = Dims::of(cx, 0, false, op.peephole)?.reserve(cx)?;
        forward(op, cx, 0, dims, 1, &[dims.batch, dims.cell])
    })
    .heavy();

pub static LSTM_BLOCK_CELL_GRAD: Def<Lstm> = op("LSTMBlockCellGrad")
    .doc("The gradient of [`LSTMBlockCell`].")
    .attrs(PEEPHOLE)
    .without(&["forget_bias", "cell_clip"])
    .fixed(&[ICFO])
    .inputs(&[
        t("x"),
        t("cs_prev"),
        t("h_prev"),
        t("w"),
        t("wci"),
        t("wcf"),
        t("wco"),
        t("b"),
        t("i"),
        t("cs"),
        t("f"),
        t("o"),
        t("ci"),
        t("co"),
        t("cs_grad"),
        t("h_grad"),
    ])
    .outputs(&[t("cs_prev_grad"), t("dicfo"), t("wci_grad"), t("wcf_grad"), t("wco_grad")])
    .kernel(cell_grad)
    .heavy();

pub static BLOCK_LSTM: Def<Lstm> = op("BlockLSTM")
    .doc("Computes an LSTM over all time steps of sequences.")
    .fixed(&[ICFO])
    .inputs(&[
        arg("seq_len_max", is(DType::I64)),
        t("x"),
        t("cs_prev"),
        t("h_prev"),
        t("w"),
        t("wci"),
        t("wcf"),
        t("wco"),
        t("b"),
    ])
    .outputs(STATE)
    .also(&[form("BlockLSTMV2")
        .doc("Computes an LSTM over all time steps of sequences, with gates ordered input, forget, cell, output.")
        .attrs(&[Attr::float("cell_clip").or_float(0.0)])
        .fixed(&[("forget_bias", AttrDefault::Float(0.0)), IFCO])])
    .shape(|_, cx| {
        let x = cx.with_rank(1, 3)?;
        let shape = PartialShape::new([x.dim(0), x.dim(1), cell_size(cx, 8)]);
        (0..7).for_each(|i| cx.output(i, shape.clone()));
        Ok(())
    })
    .host_inputs(&[0])
    .gradient(|op, g| {
        let mut inputs = g.inputs();
        inputs.extend((0..7).map(|i| g.output(i)));
        inputs.extend([g.dy(1), g.dy(6)]);
        let back = BLOCK_LSTM_GRAD.node(g, op, &inputs);
        std::iter::once(NONE).chain((0..8).map(|i| back.out(i).into())).collect()
    })
    .kernel(|op, cx| {
        let dims = Dims::of(cx, 1, true, op.peephole)?.reserve(cx)?;
        let moments = moments(cx, dims)?;
        forward(op, cx, 1, dims, moments, &[dims.time, dims.batch, dims.cell])
    })
    .heavy();

pub static BLOCK_LSTM_GRAD: Def<Lstm> = op("BlockLSTMGrad")
    .doc("The gradient of [`BlockLSTM`].")
    .attrs(PEEPHOLE)
    .without(&["forget_bias", "cell_clip"])
    .fixed(&[ICFO])
    .inputs(&[
        arg("seq_len_max", is(DType::I64)),
        t("x"),
        t("cs_prev"),
        t("h_prev"),
        t("w"),
        t("wci"),
        t("wcf"),
        t("wco"),
        t("b"),
        t("i"),
        t("cs"),
        t("f"),
        t("o"),
        t("ci"),
        t("co"),
        t("h"),
        t("cs_grad"),
        t("h_grad"),
    ])
    .outputs(&[
        t("x_grad"),
        t("cs_prev_grad"),
        t("h_prev_grad"),
        t("w_grad"),
        t("wci_grad"),
        t("wcf_grad"),
        t("wco_grad"),
        t("b_grad"),
    ])
    .also(&[form("BlockLSTMGradV2")
        .doc("The gradient of [`BlockLSTMV2`].")
        .without(&["forget_bias", "cell_clip"])
        .fixed(&[IFCO])])
    .shape(|_, cx| {
        for i in 0..8 {
            let shape = cx.input(1 + i);
            cx.output(i, shape);
        }
        Ok(())
    })
    .kernel(sequence_grad)
    .heavy();

/// Number of cell units, from the shape of `b`.
fn cell_size(cx: &ShapeCx<'_>, b: usize) -> Dim {
    cx.input(b).dim(0).map(|gates| gates / 4)
}

/// The gradients of `x`, `h` and the weights of `[x, h] w`, from that of the product.
fn through_weights<'g>(g: &'g GradCx, both: &[V<'g>; 2], dy: V<'g>, w: V<'g>) -> (V<'g>, V<'g>, V<'g>) {
    let back = mat_mul(dy, w, [false, true]);
    let width = both[0].dims().slice1(1, 1).reshape(g.ints(&[]));
    let zero = width.like(0.0);
    let column = |from: V<'g>| PACK.node(g, &[zero, from], &[("N", AttrValue::I(2))]);
    let part = |from: V<'g>, of: V<'g>| g.primitive(Primitive::Slice, &[back, column(from), of.dims()], &[]);
    let (dx, dh) = (part(zero, both[0]), part(width, both[1]));
    (dx, dh, mat_mul(concat(g, both, 1), dy, [true, false]))
}

/// The dimensions of the operands.
#[derive(Clone, Copy)]
pub struct Dims {
    /// Time steps.
    pub time: usize,
    /// Batch size.
    pub batch: usize,
    /// Input width of the cell.
    pub input: usize,
    /// Number of cell units.
    pub cell: usize,
}

impl Dims {
    /// Reads and checks the dimensions of the inputs from `first` on: x, cs_prev, h_prev, w, wci, wcf, wco, b.
    pub fn of(cx: &levada_kernel::Io<'_>, first: usize, sequence: bool, peephole: bool) -> Result<Dims> {
        let (time, batch, input) = if sequence {
            let [time, batch, input] = sizes(cx, first, "x")?;
            (time, batch, input)
        } else {
            let [batch, input] = sizes(cx, first, "x")?;
            (1, batch, input)
        };
        let [_, cell] = sizes(cx, first + 1, "cs_prev")?;
        check(cx, first + 1, "cs_prev", &[batch, cell])?;
        check(cx, first + 2, "h_prev", &[batch, cell])?;
        let large = || Error::invalid("the cell is too large");
        let gates = cell.checked_mul(4).ok_or_else(large)?;
        check(cx, first + 3, "w", &[input.checked_add(cell).ok_or_else(large)?, gates])?;
        for (i, name) in ["wci", "wcf", "wco"].into_iter().enumerate() {
            match peephole || sequence {
                true => check(cx, first + 4 + i, name, &[cell])?,
                false => sizes::<1>(cx, first + 4 + i, name).map(|_| ())?,
            }
        }
        if !sequence && batch * cell == 0 {
            return Err(Error::invalid(format!("cs_prev_tensor is empty, has shape: [{batch},{cell}]")));
        }
        check(cx, first + 7, "b", &[gates])?;
        Ok(Dims { time, batch, input, cell })
    }

    /// Checks that there is memory for the CPU's temporaries.
    fn reserve(self, cx: &Cx<'_, '_>) -> Result<Dims> {
        reserve(cx, 24, &[self.time, self.batch, self.cell.max(self.input)])?;
        Ok(self)
    }

    /// Elements of the state at one time step.
    fn state(&self) -> usize {
        self.batch * self.cell
    }
}

/// Number of time steps to compute, given by input 0.
pub fn moments(cx: &levada_kernel::Io<'_>, dims: Dims) -> Result<usize> {
    if !cx.input(0)?.shape().is_scalar() {
        return Err(Error::invalid("seq_len_max is not a scalar").expected("a scalar").found(cx.input(0)?.shape()));
    }
    let found = cx.scalar::<i64>(0)?;
    usize::try_from(found).ok().filter(|&n| n <= dims.time).ok_or_else(|| {
        Error::invalid(format!("seq_len_max must be from 0 to the number of time steps, {}", dims.time)).found(found)
    })
}

impl Lstm {
    /// The positions of the gates in the product with the weights: input, cell, forget, output.
    pub fn gates(&self) -> [usize; 4] {
        if self.forget_second { [0, 2, 1, 3] } else { [0, 1, 2, 3] }
    }
}

/// Runs the cell for `moments` time steps. The rest of the outputs (i, cs, f, o, ci, co, h) is zero.
fn forward(op: &Lstm, cx: &mut Cx<'_, '_>, first: usize, dims: Dims, moments: usize, out: &[usize]) -> Result<()> {
    let Dims { time, batch, input, cell: n } = dims;
    let state = dims.state();
    let mut outputs: [Vec<f32>; 7] = std::array::from_fn(|_| vec![0.0; time * state]);
    {
        let x = floats(cx, first)?;
        let (cs0, h0) = (floats(cx, first + 1)?, floats(cx, first + 2)?);
        let (w, b) = (floats(cx, first + 3)?, floats(cx, first + 7)?);
        let hole = |i: usize| if op.peephole { floats(cx, first + 4 + i) } else { Ok(Cow::Owned(vec![0.0; n])) };
        let (wci, wcf, wco) = (hole(0)?, hole(1)?, hole(2)?);
        let (w_x, w_h) = w.split_at(input * 4 * n);
        // The contribution of the inputs is computed for all time steps together.
        let rows = moments * batch;
        let mut gates = vec![0.0; rows * 4 * n];
        product(cx, (rows, 4 * n, input), Mat::new(&x, input), Mat::new(w_x, 4 * n), &mut gates)?;
        let mut from_h = vec![0.0; batch * 4 * n];
        let [is, css, fs, os, cis, cos, hs] = &mut outputs;
        let [at_i, at_c, at_f, at_o] = op.gates();
        for t in 0..moments {
            let here = t * state..(t + 1) * state;
            let (before, cs) = css.split_at_mut(here.start);
            let cs_prev = if t == 0 { &cs0[..] } else { &before[here.start - state..] };
            let (before, h) = hs.split_at_mut(here.start);
            let h_prev = if t == 0 { &h0[..] } else { &before[here.start - state..] };
            product(cx, (batch, 4 * n, n), Mat::new(h_prev, n), Mat::new(w_h, 4 * n), &mut from_h)?;
            let gates = &gates[t * batch * 4 * n..(t + 1) * batch * 4 * n];
            for row in 0..batch {
                let gate = |which: usize, j: usize| {
                    let at = row * 4 * n + which * n + j;
                    gates[at] + from_h[at] + b[which * n + j]
                };
                for j in 0..n {
                    let k = row * n + j;
                    let prev = cs_prev[k];
                    let i = sigmoid(gate(at_i, j) + prev * wci[j]);
                    let f = sigmoid(gate(at_f, j) + op.forget_bias + prev * wcf[j]);
                    let ci = gate(at_c, j).tanh();
                    let mut c = ci * i + prev * f;
                    if op.cell_clip > 0.0 {
                        c = c.clamp(-op.cell_clip, op.cell_clip);
                    }
                    let o = sigmoid(gate(at_o, j) + c * wco[j]);
                    let co = c.tanh();
                    (cs[k], h[k]) = (c, co * o);
                    let k = here.start + k;
                    (is[k], fs[k], os[k], cis[k], cos[k]) = (i, f, o, ci, co);
                }
            }
        }
    }
    for (i, values) in outputs.iter().enumerate() {
        set_floats(cx, i, out, values)?;
    }
    Ok(())
}

/// The gradients within one cell at one time step.
struct Back<'a> {
    peephole: bool,
    gates: [usize; 4],
    batch: usize,
    n: usize,
    /// wci, wcf, wco
    holes: &'a [Cow<'a, [f32]>; 3],
}

/// A cell's state at one time step.
struct Moment<'a> {
    cs_prev: &'a [f32],
    i: &'a [f32],
    cs: &'a [f32],
    f: &'a [f32],
    o: &'a [f32],
    ci: &'a [f32],
    co: &'a [f32],
}

impl Back<'_> {
    /// Computes the gradients of the gates and of the previous `cs` from those of `cs` and `h`; accumulates the
    /// peephole gradients.
    fn step(
        &self,
        at: &Moment<'_>,
        (cs_grad, h_grad): (&[f32], &[f32]),
        gates: &mut [f32],
        cs_prev_grad: &mut [f32],
        holes: &mut [Vec<f32>; 3],
    ) {
        let n = self.n;
        let [at_i, at_c, at_f, at_o] = self.gates;
        let [wci, wcf, wco] = self.holes;
        let [wci_grad, wcf_grad, wco_grad] = holes;
        for row in 0..self.batch {
            let gates = &mut gates[row * 4 * n..(row + 1) * 4 * n];
            for j in 0..n {
                let k = row * n + j;
                let (i, f, o, ci, co, dh) = (at.i[k], at.f[k], at.o[k], at.ci[k], at.co[k], h_grad[k]);
                let d_o = o * (1.0 - o) * dh * co;
                let mut dcs = (1.0 - co * co) * dh * o + cs_grad[k];
                if self.peephole {
                    dcs += d_o * wco[j];
                }
                let d_ci = (1.0 - ci * ci) * dcs * i;
                let d_f = f * (1.0 - f) * dcs * at.cs_prev[k];
                let d_i = i * (1.0 - i) * dcs * ci;
                (gates[at_i * n + j], gates[at_c * n + j]) = (d_i, d_ci);
                (gates[at_f * n + j], gates[at_o * n + j]) = (d_f, d_o);
                let mut back = dcs * f;
                if self.peephole {
                    back += d_i * wci[j] + d_f * wcf[j];
                    wci_grad[j] += d_i * at.cs_prev[k];
                    wcf_grad[j] += d_f * at.cs_prev[k];
                    wco_grad[j] += d_o * at.cs[k];
                }
                cs_prev_grad[k] = back;
            }
        }
    }
}

fn cell_grad(op: &Lstm, cx: &mut Cx<'_, '_>) -> Result<()> {
    let peephole = op.peephole;
    let dims = Dims::of(cx, 0, false, peephole)?.reserve(cx)?;
    let (batch, n) = (dims.batch, dims.cell);
    for (i, name) in ["i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad"].into_iter().enumerate() {
        check(cx, 8 + i, name, &[batch, n])?;
    }
    let mut gates = vec![0.0; batch * 4 * n];
    let mut back = vec![0.0; batch * n];
    let mut hole_grads: [Vec<f32>; 3] = std::array::from_fn(|_| vec![0.0; n]);
    {
        let hole = |i: usize| if peephole { floats(cx, 4 + i) } else { Ok(Cow::Owned(vec![0.0; n])) };
        let holes = [hole(0)?, hole(1)?, hole(2)?];
        let all = (8..16).map(|i| floats(cx, i)).collect::<Result<Vec<_>>>()?;
        let cs_prev = floats(cx, 1)?;
        let moment =
            Moment { cs_prev: &cs_prev, i: &all[0], cs: &all[1], f: &all[2], o: &all[3], ci: &all[4], co: &all[5] };
        let cell = Back { peephole, gates: op.gates(), batch, n, holes: &holes };
        cell.step(&moment, (&all[6], &all[7]), &mut gates, &mut back, &mut hole_grads);
    }
    set_floats(cx, 0, &[batch, n], &back)?;
    set_floats(cx, 1, &[batch, 4 * n], &gates)?;
    for (i, grad) in hole_grads.iter().enumerate() {
        set_floats(cx, 2 + i, &[n], grad)?;
    }
    Ok(())
}

fn sequence_grad(op: &Lstm, cx: &mut Cx<'_, '_>) -> Result<()> {
    let peephole = op.peephole;
    let dims = Dims::of(cx, 1, true, peephole)?.reserve(cx)?;
    let Dims { time, batch, input, cell: n } = dims;
    let moments = moments(cx, dims)?;
    for (i, name) in ["i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad"].into_iter().enumerate() {
        check(cx, 9 + i, name, &[time, batch, n])?;
    }
    let state = dims.state();
    let mut x_grad = vec![0.0; time * batch * input];
    let (mut cs_back, mut h_back) = (vec![0.0; state], vec![0.0; state]);
    let mut w_grad = vec![0.0; (input + n) * 4 * n];
    let mut b_grad = vec![0.0; 4 * n];
    let mut hole_grads: [Vec<f32>; 3] = std::array::from_fn(|_| vec![0.0; n]);
    {
        let hole = |i: usize| if peephole { floats(cx, 5 + i) } else { Ok(Cow::Owned(vec![0.0; n])) };
        let holes = [hole(0)?, hole(1)?, hole(2)?];
        let all = (9..18).map(|i| floats(cx, i)).collect::<Result<Vec<_>>>()?;
        let (x, cs0, h0, w) = (floats(cx, 1)?, floats(cx, 2)?, floats(cx, 3)?, floats(cx, 4)?);
        let (w_x, w_h) = w.split_at(input * 4 * n);
        let cell = Back { peephole, gates: op.gates(), batch, n, holes: &holes };
        let mut gates = vec![0.0; moments * batch * 4 * n];
        // The state before each time step.
        let mut h_before = Vec::with_capacity(moments * state);
        let mut cs_total = vec![0.0; state];
        let mut h_total = vec![0.0; state];
        for t in (0..moments).rev() {
            let here = t * state..(t + 1) * state;
            let part = |i: usize| &all[i][here.clone()];
            let cs_prev = if t == 0 { &cs0[..] } else { &all[1][here.start - state..here.start] };
            let moment = Moment { cs_prev, i: part(0), cs: part(1), f: part(2), o: part(3), ci: part(4), co: part(5) };
            let sum = |to: &mut [f32], a: &[f32], b: &[f32]| {
                to.iter_mut().zip(a).zip(b).for_each(|((t, a), b)| *t = a + b);
            };
            sum(&mut cs_total, part(7), &cs_back);
            sum(&mut h_total, part(8), &h_back);
            let gates = &mut gates[t * batch * 4 * n..(t + 1) * batch * 4 * n];
            cell.step(&moment, (&cs_total, &h_total), gates, &mut cs_back, &mut hole_grads);
            product(cx, (batch, n, 4 * n), Mat::new(gates, 4 * n), Mat::new(w_h, 4 * n).t(), &mut h_back)?;
        }
        if moments > 0 {
            h_before.extend_from_slice(&h0);
            h_before.extend_from_slice(&all[6][..(moments - 1) * state]);
        }
        let rows = moments * batch;
        let gate_rows = Mat::new(&gates, 4 * n);
        product(cx, (rows, input, 4 * n), gate_rows, Mat::new(w_x, 4 * n).t(), &mut x_grad[..rows * input])?;
        let (w_x_grad, w_h_grad) = w_grad.split_at_mut(input * 4 * n);
        product(cx, (input, 4 * n, rows), Mat::new(&x, input).t(), gate_rows, w_x_grad)?;
        product(cx, (n, 4 * n, rows), Mat::new(&h_before, n).t(), gate_rows, w_h_grad)?;
        add_rows(&mut b_grad, &gates);
    }
    set_floats(cx, 0, &[time, batch, input], &x_grad)?;
    set_floats(cx, 1, &[batch, n], &cs_back)?;
    set_floats(cx, 2, &[batch, n], &h_back)?;
    set_floats(cx, 3, &[input + n, 4 * n], &w_grad)?;
    for (i, grad) in hole_grads.iter().enumerate() {
        set_floats(cx, 4 + i, &[n], grad)?;
    }
    set_floats(cx, 7, &[4 * n], &b_grad)
}
