//! `RNN`, `GRU` and `LSTM` of ONNX.

use crate::activation::Activation;
use crate::base::{Base, Inputs, buffer, check, product, read, sizes, write};
use crate::prelude::*;
use crate::quantize::dynamically_rounded;
use levada_gemm::{Mat, Size, multiply};
use levada_kernel::Pool;
use levada_ops_core::constant::Cache;
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

const DIRECTIONS: &[&str] = &["forward", "reverse", "bidirectional"];

attrs! {
    /// `RNN` of ONNX: a simple recurrent layer over sequences, with `X` of shape sequence length, batch, features.
    pub struct OnnxRNN {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// 1 if `B` is given, otherwise 0.
        bias: i64 = Attr::int("num_B").or_int(0).at_least(0),
        /// 1 if `sequence_lens` is given, otherwise 0.
        lens: i64 = Attr::int("num_sequence_lens").or_int(0).at_least(0),
        /// 1 if `initial_h` is given, otherwise 0.
        initial: i64 = Attr::int("num_initial_h").or_int(0).at_least(0),
        /// Alpha values of the activations that have one.
        alpha: Vec<f32> = Attr::floats("activation_alpha").or_empty(),
        /// Beta values of the activations that have one.
        beta: Vec<f32> = Attr::floats("activation_beta").or_empty(),
        /// Activation of each direction; `Tanh` by default.
        activations: Vec<String> = Attr::strings("activations").or_empty(),
        /// Limit to which gates are clipped before the activation; 0 for no clipping.
        clip: f32 = Attr::float("clip").or_float(0.0),
        /// Direction in which sequences are processed.
        direction: String = Attr::one_of("direction", DIRECTIONS).or_str("forward"),
        /// 1 if the batch is the first axis, otherwise 0.
        layout: i64 = Attr::int("layout").or_int(0),
    }
}

attrs! {
    /// `GRU` of ONNX: a gated recurrent unit layer over sequences, with `X` of shape sequence length, batch, features.
    pub struct OnnxGRU {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// 1 if `B` is given, otherwise 0.
        bias: i64 = Attr::int("num_B").or_int(0).at_least(0),
        /// 1 if `sequence_lens` is given, otherwise 0.
        lens: i64 = Attr::int("num_sequence_lens").or_int(0).at_least(0),
        /// 1 if `initial_h` is given, otherwise 0.
        initial: i64 = Attr::int("num_initial_h").or_int(0).at_least(0),
        /// Alpha values of the activations that have one.
        alpha: Vec<f32> = Attr::floats("activation_alpha").or_empty(),
        /// Beta values of the activations that have one.
        beta: Vec<f32> = Attr::floats("activation_beta").or_empty(),
        /// Activations of each direction; `Sigmoid`, `Tanh` by default.
        activations: Vec<String> = Attr::strings("activations").or_empty(),
        /// Limit to which gates are clipped before the activation; 0 for no clipping.
        clip: f32 = Attr::float("clip").or_float(0.0),
        /// Direction in which sequences are processed.
        direction: String = Attr::one_of("direction", DIRECTIONS).or_str("forward"),
        /// 1 if the batch is the first axis, otherwise 0.
        layout: i64 = Attr::int("layout").or_int(0),
        /// If true, the reset gate is applied after the linear transformation.
        linear: bool = Attr::bool("linear_before_reset").or_bool(false),
    }
}

attrs! {
    /// `LSTM` of ONNX: a long short-term memory layer over sequences, with `X` of shape sequence length, batch,
    /// features.
    pub struct OnnxLSTM {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// 1 if `B` is given, otherwise 0.
        bias: i64 = Attr::int("num_B").or_int(0).at_least(0),
        /// 1 if `sequence_lens` is given, otherwise 0.
        lens: i64 = Attr::int("num_sequence_lens").or_int(0).at_least(0),
        /// 1 if `initial_h` is given, otherwise 0.
        initial: i64 = Attr::int("num_initial_h").or_int(0).at_least(0),
        /// 1 if `initial_c` is given, otherwise 0.
        memory: i64 = Attr::int("num_initial_c").or_int(0).at_least(0),
        /// 1 if `P` is given, otherwise 0.
        peepholes: i64 = Attr::int("num_P").or_int(0).at_least(0),
        /// Alpha values of the activations that have one.
        alpha: Vec<f32> = Attr::floats("activation_alpha").or_empty(),
        /// Beta values of the activations that have one.
        beta: Vec<f32> = Attr::floats("activation_beta").or_empty(),
        /// Activations of each direction; `Sigmoid`, `Tanh`, `Tanh` by default.
        activations: Vec<String> = Attr::strings("activations").or_empty(),
        /// Limit to which gates are clipped before the activation; 0 for no clipping.
        clip: f32 = Attr::float("clip").or_float(0.0),
        /// Direction in which sequences are processed.
        direction: String = Attr::one_of("direction", DIRECTIONS).or_str("forward"),
        /// 1 if the batch is the first axis, otherwise 0.
        layout: i64 = Attr::int("layout").or_int(0),
        /// If true, the forget gate is 1 minus the input gate.
        coupled: bool = Attr::bool("input_forget").or_bool(false),
        /// If true, `X` and the output of each step are rounded as by `DynamicQuantizeLinear`.
        rounded: bool = Attr::bool("dynamic_quantization").or_bool(false),
    }
}

/// The parameters common to the three layers.
struct Layer<'a> {
    dtype: DType,
    cell: Cell,
    bias: Option<usize>,
    lens: Option<usize>,
    initial: Option<usize>,
    memory: Option<usize>,
    peepholes: Option<usize>,
    direction: &'a str,
    layout: i64,
    clip: f64,
    activations: Vec<Activation>,
    /// Whether the factors of weights are quantized dynamically.
    rounded: bool,
}

#[derive(Clone, Copy)]
enum Cell {
    Rnn,
    Gru { linear: bool },
    Lstm { coupled: bool },
}

impl Cell {
    fn gates(self) -> usize {
        match self {
            Cell::Rnn => 1,
            Cell::Gru { .. } => 3,
            Cell::Lstm { .. } => 4,
        }
    }

    /// Default activations.
    fn functions(self) -> &'static [&'static str] {
        match self {
            Cell::Rnn => &["tanh"],
            Cell::Gru { .. } => &["sigmoid", "tanh"],
            Cell::Lstm { .. } => &["sigmoid", "tanh", "tanh"],
        }
    }
}

fn directions(direction: &str) -> usize {
    if direction == "bidirectional" { 2 } else { 1 }
}

/// Infers the shapes of `Y` and the states.
fn shapes(cx: &mut ShapeCx<'_>, direction: &str, layout: i64) -> Result<()> {
    let (x, r) = (cx.with_rank(0, 3)?, cx.with_rank(2, 3)?);
    let (ways, hidden) = (Some(directions(direction)), r.dim(2));
    let batch_first = layout != 0;
    let (steps, batch) = if batch_first { (x.dim(1), x.dim(0)) } else { (x.dim(0), x.dim(1)) };
    let (whole, state) = match batch_first {
        true => (vec![batch, steps, ways, hidden], vec![batch, ways, hidden]),
        false => (vec![steps, ways, batch, hidden], vec![ways, batch, hidden]),
    };
    cx.output(0, PartialShape::new(whole));
    for i in 1..cx.num_outputs() {
        cx.output(i, PartialShape::new(state.iter().copied()));
    }
    Ok(())
}

pub static ONNX_RNN: Def<OnnxRNN> = op("OnnxRNN")
    .inputs(&[
        arg("X", of("T")),
        arg("W", of("T")),
        arg("R", of("T")),
        arg("B", of("T")).times("num_B"),
        arg("sequence_lens", is(DType::I32)).times("num_sequence_lens"),
        arg("initial_h", of("T")).times("num_initial_h"),
    ])
    .outputs(&[arg("Y", of("T")), arg("Y_h", of("T"))])
    .shape(|op: &OnnxRNN, cx| shapes(cx, &op.direction, op.layout))
    .kernel(onnx_rnn)
    .heavy();

fn onnx_rnn(op: &OnnxRNN, cx: &mut Cx<'_, '_>) -> Result<()> {
    let mut inputs = Inputs::from(3);
    let layer = Layer {
        dtype: op.dtype,
        cell: Cell::Rnn,
        bias: inputs.optional("num_B", op.bias)?,
        lens: inputs.optional("num_sequence_lens", op.lens)?,
        initial: inputs.optional("num_initial_h", op.initial)?,
        memory: None,
        peepholes: None,
        direction: &op.direction,
        layout: op.layout,
        clip: f64::from(op.clip),
        activations: functions(Cell::Rnn, &op.direction, &op.activations, &op.alpha, &op.beta)?,
        rounded: false,
    };
    layer.compute(cx)
}

pub static ONNX_GRU: Def<OnnxGRU> = op("OnnxGRU")
    .inputs(&[
        arg("X", of("T")),
        arg("W", of("T")),
        arg("R", of("T")),
        arg("B", of("T")).times("num_B"),
        arg("sequence_lens", is(DType::I32)).times("num_sequence_lens"),
        arg("initial_h", of("T")).times("num_initial_h"),
    ])
    .outputs(&[arg("Y", of("T")), arg("Y_h", of("T"))])
    .shape(|op: &OnnxGRU, cx| shapes(cx, &op.direction, op.layout))
    .kernel(onnx_gru)
    .heavy();

fn onnx_gru(op: &OnnxGRU, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (mut inputs, cell) = (Inputs::from(3), Cell::Gru { linear: op.linear });
    let layer = Layer {
        dtype: op.dtype,
        cell,
        bias: inputs.optional("num_B", op.bias)?,
        lens: inputs.optional("num_sequence_lens", op.lens)?,
        initial: inputs.optional("num_initial_h", op.initial)?,
        memory: None,
        peepholes: None,
        direction: &op.direction,
        layout: op.layout,
        clip: f64::from(op.clip),
        activations: functions(cell, &op.direction, &op.activations, &op.alpha, &op.beta)?,
        rounded: false,
    };
    layer.compute(cx)
}

pub static ONNX_LSTM: Def<OnnxLSTM> = op("OnnxLSTM")
    .inputs(&[
        arg("X", of("T")),
        arg("W", of("T")),
        arg("R", of("T")),
        arg("B", of("T")).times("num_B"),
        arg("sequence_lens", is(DType::I32)).times("num_sequence_lens"),
        arg("initial_h", of("T")).times("num_initial_h"),
        arg("initial_c", of("T")).times("num_initial_c"),
        arg("P", of("T")).times("num_P"),
    ])
    .outputs(&[arg("Y", of("T")), arg("Y_h", of("T")), arg("Y_c", of("T"))])
    .shape(|op: &OnnxLSTM, cx| shapes(cx, &op.direction, op.layout))
    .kernel(onnx_lstm)
    .heavy();

fn onnx_lstm(op: &OnnxLSTM, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (mut inputs, cell) = (Inputs::from(3), Cell::Lstm { coupled: op.coupled });
    let layer = Layer {
        dtype: op.dtype,
        cell,
        bias: inputs.optional("num_B", op.bias)?,
        lens: inputs.optional("num_sequence_lens", op.lens)?,
        initial: inputs.optional("num_initial_h", op.initial)?,
        memory: inputs.optional("num_initial_c", op.memory)?,
        peepholes: inputs.optional("num_P", op.peepholes)?,
        direction: &op.direction,
        layout: op.layout,
        clip: f64::from(op.clip),
        activations: functions(cell, &op.direction, &op.activations, &op.alpha, &op.beta)?,
        rounded: op.rounded,
    };
    layer.compute(cx)
}

fn functions(cell: Cell, direction: &str, names: &[String], alpha: &[f32], beta: &[f32]) -> Result<Vec<Activation>> {
    let default = cell.functions();
    Activation::list(names, default, default.len() * directions(direction), alpha, beta)
}

/// The dimensions of a layer.
#[derive(Clone, Copy)]
struct Dims {
    steps: usize,
    batch: usize,
    features: usize,
    hidden: usize,
    ways: usize,
}

/// The weights of all directions.
struct Weights<'a, B: Clone> {
    data: Cow<'a, [B]>,
    /// Whether there is a column for each gate and unit, rather than a row.
    is_transposed: bool,
    rows: usize,
    columns: usize,
}

impl<B: Base> Weights<'_, B> {
    /// The weights of a direction, with a column for each gate and unit.
    fn of(&self, way: usize) -> Mat<'_, B> {
        let data = &self.data[way * self.rows * self.columns..];
        if self.is_transposed { Mat::new(data, self.columns) } else { Mat::new(data, self.rows).t() }
    }
}

/// Matrices of this many rows and columns, transposed.
fn transposed<B: Base>(matrices: &[B], rows: usize, columns: usize) -> Vec<B> {
    let mut out = Vec::with_capacity(matrices.len());
    for matrix in matrices.chunks_exact((rows * columns).max(1)) {
        for j in 0..columns {
            out.extend(matrix[j..].iter().step_by(columns).copied());
        }
    }
    out
}

/// One direction of a layer.
struct Way<'a, B> {
    /// `X` times the weights plus the bias: the gates of each step and sequence.
    gates: Vec<B>,
    /// Weights, one column per gate and unit.
    weights: Mat<'a, B>,
    /// Recurrent weights, one column per gate and unit.
    recurrent: Mat<'a, B>,
    /// The biases of the gates, then their recurrent biases; empty if there are none.
    bias: &'a [B],
    peepholes: &'a [B],
    functions: &'a [Activation],
    h: Vec<B>,
    c: Vec<B>,
    /// The output of each step and sequence, in the layout of `X`.
    y: Vec<B>,
    /// Work buffers: for all gates, and for one.
    scratch: [Vec<B>; 2],
}

impl Layer<'_> {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let dims = self.dims(cx)?;
        in_base!(self.dtype, |B| self.run::<B>(cx, dims))
    }

    /// Reads and checks the dimensions.
    fn dims(&self, cx: &Cx<'_, '_>) -> Result<Dims> {
        let [first, second, features] = sizes(cx, 0, "X")?;
        let [_, _, hidden] = sizes(cx, 2, "R")?;
        let (ways, gates) = (directions(self.direction), self.cell.gates());
        let (steps, batch) = if self.layout != 0 { (second, first) } else { (first, second) };
        let state = if self.layout != 0 { [batch, ways, hidden] } else { [ways, batch, hidden] };
        // Being sizes of tensors, these products do not overflow.
        check(cx, 2, "R", &[ways, gates * hidden, hidden])?;
        check(cx, 1, "W", &[ways, gates * hidden, features])?;
        for (at, name, dims) in [
            (self.bias, "B", &[ways, 2 * gates * hidden] as &[usize]),
            (self.lens, "sequence_lens", &[batch]),
            (self.initial, "initial_h", &state),
            (self.memory, "initial_c", &state),
            (self.peepholes, "P", &[ways, 3 * hidden]),
        ] {
            if let Some(at) = at {
                check(cx, at, name, dims)?;
            }
        }
        Ok(Dims { steps, batch, features, hidden, ways })
    }

    /// Number of steps of each sequence.
    fn lens(&self, cx: &Cx<'_, '_>, dims: Dims) -> Result<Vec<usize>> {
        let Some(at) = self.lens else { return Ok(vec![dims.steps; dims.batch]) };
        let valid = |n: i64| {
            usize::try_from(n).ok().filter(|&n| n <= dims.steps).ok_or_else(|| {
                Error::invalid("sequence_lens has a length out of range")
                    .expected(format!("0 to {}", dims.steps))
                    .found(n)
            })
        };
        cx.i64s(at)?.into_iter().map(valid).collect()
    }

    /// The state of direction `way` from input `at`; zeros if it is not given.
    fn state<B: Base>(&self, cx: &Cx<'_, '_>, at: Option<usize>, dims: Dims, way: usize) -> Result<Vec<B>> {
        let Dims { batch, hidden, ways, .. } = dims;
        let mut state = buffer::<B>(cx, product(&[batch, hidden])?)?;
        if let Some(at) = at
            && hidden > 0
        {
            let given = read::<B>(cx.input(at)?)?;
            for (b, row) in state.chunks_exact_mut(hidden).enumerate() {
                let place = if self.layout != 0 { b * ways + way } else { way * batch + b };
                row.copy_from_slice(&given[place * hidden..][..hidden]);
            }
        }
        Ok(state)
    }

    fn run<B: Base>(&self, cx: &mut Cx<'_, '_>, dims: Dims) -> Result<()> {
        let Dims { steps, batch, features, hidden, ways } = dims;
        let width = self.cell.gates() * hidden;
        let lens = self.lens(cx, dims)?;
        let are_constant = [1, 2].into_iter().all(|i| matches!(cx.entry(i), Some(Entry::Constant(_))));
        let cache = if are_constant { Cache::of_constant(cx, 2)? } else { None };
        let mut x = read::<B>(cx.input(0)?)?;
        let pack = || {
            let (w, r) = (read::<B>(cx.input(1)?)?, read::<B>(cx.input(2)?)?);
            Ok([transposed(&w, width, features), transposed(&r, width, hidden)])
        };
        let kept = cache.map(|cache| cache.get(cx.input(2)?, 0, pack)).transpose()?;
        let weights = |i: usize, rows: usize| -> Result<Weights<'_, B>> {
            let (data, is_transposed) = match &kept {
                Some(kept) => (Cow::Borrowed(&kept[i - 1][..]), true),
                None => (read::<B>(cx.input(i)?)?, false),
            };
            Ok(Weights { data, is_transposed, rows, columns: width })
        };
        let (w, r) = (weights(1, features)?, weights(2, hidden)?);
        if self.rounded {
            x = dynamically_rounded(&x).into();
        }
        let bias = self.bias.map(|at| read::<B>(cx.input(at)?)).transpose()?;
        let peepholes = self.peepholes.map(|at| read::<B>(cx.input(at)?)).transpose()?;
        let mut y = buffer::<B>(cx, product(&[steps, ways, batch, hidden])?)?;
        let mut states = [buffer::<B>(cx, product(&[ways, batch, hidden])?)?, Vec::new()];
        states[1] = states[0].clone();
        let mut all = Vec::with_capacity(ways);
        for way in 0..ways {
            let bias = bias.as_ref().map_or(&[][..], |b| &b[2 * way * width..][..2 * width]);
            all.push(Way {
                gates: buffer::<B>(cx, product(&[steps, batch, width])?)?,
                weights: w.of(way),
                recurrent: r.of(way),
                bias,
                peepholes: peepholes.as_ref().map_or(&[], |p| &p[way * 3 * hidden..][..3 * hidden]),
                functions: &self.activations[way * self.cell.functions().len()..],
                h: self.state(cx, self.initial, dims, way)?,
                c: self.state(cx, self.memory, dims, way)?,
                y: buffer::<B>(cx, product(&[steps, batch, hidden])?)?,
                scratch: [buffer::<B>(cx, product(&[batch, width])?)?, buffer::<B>(cx, product(&[batch, hidden])?)?],
            });
        }
        let (pool, failed) = (cx.pool(), Mutex::new(None));
        let nanos = (steps * batch) as f64 * width as f64 * (features + hidden) as f64 * 0.05;
        pool.for_each(all.iter_mut().enumerate(), nanos, |(way, one)| {
            let reverse = self.direction == "reverse" || way == 1;
            if let Err(error) = self.sequence(pool, dims, &lens, reverse, &x, one) {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        });
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        for (way, one) in all.iter().enumerate().filter(|_| hidden > 0) {
            for (at, row) in one.y.chunks_exact(hidden).enumerate() {
                // Rows are in the layout of `X`.
                let place = match self.layout != 0 {
                    true => at * ways + way,
                    false => (at / batch * ways + way) * batch + at % batch,
                };
                y[place * hidden..][..hidden].copy_from_slice(row);
            }
            for b in 0..batch {
                let place = (if self.layout != 0 { b * ways + way } else { way * batch + b }) * hidden;
                states[0][place..][..hidden].copy_from_slice(&one.h[b * hidden..][..hidden]);
                states[1][place..][..hidden].copy_from_slice(&one.c[b * hidden..][..hidden]);
            }
        }
        let (whole, state) = match self.layout != 0 {
            true => (Shape::new([batch, steps, ways, hidden])?, Shape::new([batch, ways, hidden])?),
            false => (Shape::new([steps, ways, batch, hidden])?, Shape::new([ways, batch, hidden])?),
        };
        let y = write(cx, self.dtype, &whole, y)?;
        cx.set(0, y);
        for (i, values) in states.into_iter().enumerate().take(cx.num_outputs() - 1) {
            let tensor = write(cx, self.dtype, &state, values)?;
            cx.set(i + 1, tensor);
        }
        Ok(())
    }

    /// Computes one direction.
    fn sequence<B: Base>(
        &self,
        pool: &Pool,
        dims: Dims,
        lens: &[usize],
        reverse: bool,
        x: &[B],
        one: &mut Way<'_, B>,
    ) -> Result<()> {
        let Dims { steps, batch, features, hidden, .. } = dims;
        let width = self.cell.gates() * hidden;
        let size = Size { m: steps * batch, n: width, k: features };
        multiply(pool, size, Mat::new(x, features), one.weights, &mut one.gates)?;
        self.add_bias(&mut one.gates, one.bias, width, hidden);
        // The row of a step and sequence, in the layout of `X`.
        let row = |t: usize, b: usize| if self.layout != 0 { b * steps + t } else { t * batch + b };
        for step in 0..lens.iter().copied().max().unwrap_or(0) {
            let at = |b: usize| (step < lens[b]).then(|| row(if reverse { lens[b] - 1 - step } else { step }, b));
            self.step(pool, dims, one, at)?;
            for (b, at) in (0..batch).filter_map(|b| Some((b, at(b)?))) {
                one.y[at * hidden..][..hidden].copy_from_slice(&one.h[b * hidden..][..hidden]);
            }
        }
        Ok(())
    }

    /// Adds both biases to the gates, except the last gate's recurrent bias if that is needed separately.
    fn add_bias<B: Base>(&self, gates: &mut [B], bias: &[B], width: usize, hidden: usize) {
        if bias.is_empty() {
            return;
        }
        let (input, recurrent) = bias.split_at(width);
        let own = matches!(self.cell, Cell::Gru { linear: true });
        let mut sum: Vec<B> = input.to_vec();
        let until = if own { width - hidden } else { width };
        sum.iter_mut().zip(&recurrent[..until]).for_each(|(s, &r)| *s = *s + r);
        for row in gates.chunks_exact_mut(width) {
            row.iter_mut().zip(&sum).for_each(|(g, &b)| *g = *g + b);
        }
    }

    /// Applies a function to sums of gates.
    fn activate<B: Base>(&self, f: &Activation, gates: &mut [B]) {
        if self.clip > 0.0 {
            let limit = B::of(self.clip);
            gates.iter_mut().for_each(|x| *x = x.min(limit).max(-limit));
        }
        f.each(gates);
    }

    /// Computes one step of the sequences for which `row` returns the row of their gates.
    fn step<B: Base>(
        &self,
        pool: &Pool,
        Dims { batch, hidden, .. }: Dims,
        one: &mut Way<'_, B>,
        row: impl Fn(usize) -> Option<usize>,
    ) -> Result<()> {
        let width = self.cell.gates() * hidden;
        let f = one.functions;
        let [wide, narrow] = &mut one.scratch;
        let recurrent = one.recurrent;
        let times = |n: usize, skip: usize, h: &[B], out: &mut [B]| {
            let weights = Mat { data: &recurrent.data[skip * recurrent.col..], ..recurrent };
            multiply(pool, Size { m: batch, n, k: hidden }, Mat::new(h, hidden), weights, out)
        };
        let add = |out: &mut [B], more: &[B]| vectorized!(out.iter_mut().zip(more).for_each(|(o, &m)| *o = *o + m));
        if !matches!(self.cell, Cell::Gru { .. }) {
            match self.rounded {
                true => times(width, 0, &dynamically_rounded(&one.h), wide)?,
                false => times(width, 0, &one.h, wide)?,
            }
            for b in 0..batch {
                let Some(at) = row(b) else { continue };
                let gates = &mut wide[b * width..][..width];
                add(gates, &one.gates[at * width..][..width]);
                let (h, c) = (&mut one.h[b * hidden..][..hidden], &mut one.c[b * hidden..][..hidden]);
                let Cell::Lstm { coupled } = self.cell else {
                    self.activate(&f[0], gates);
                    h.copy_from_slice(gates);
                    continue;
                };
                let peep = |gate: &mut [B], g: usize, c: &[B]| {
                    let peepholes = one.peepholes.get(g * hidden..).unwrap_or(&[]);
                    gate.iter_mut().zip(peepholes).zip(c).for_each(|((x, &p), &c)| *x = *x + p * c);
                };
                // The input, output and forget gates, and the candidate.
                let (input, rest) = gates.split_at_mut(hidden);
                let (output, rest) = rest.split_at_mut(hidden);
                let (forget, candidate) = rest.split_at_mut(hidden);
                peep(input, 0, c);
                self.activate(&f[0], input);
                if coupled {
                    forget.iter_mut().zip(&*input).for_each(|(forget, &input)| *forget = B::of(1.0) - input);
                } else {
                    peep(forget, 2, c);
                    self.activate(&f[0], forget);
                }
                self.activate(&f[1], candidate);
                for (((c, &forget), &input), &candidate) in c.iter_mut().zip(&*forget).zip(&*input).zip(&*candidate) {
                    *c = forget * *c + input * candidate;
                }
                peep(output, 1, c);
                self.activate(&f[0], output);
                h.copy_from_slice(c);
                f[2].each(h);
                h.iter_mut().zip(&*output).for_each(|(h, &output)| *h = output * *h);
            }
            return Ok(());
        }
        let linear = matches!(self.cell, Cell::Gru { linear: true });
        let two = 2 * hidden;
        times(two, 0, &one.h, &mut wide[..batch * two])?;
        // The update gate, then the reset gate.
        for b in 0..batch {
            let Some(at) = row(b) else { continue };
            let gates = &mut wide[b * two..][..two];
            add(gates, &one.gates[at * width..][..two]);
            self.activate(&f[0], gates);
        }
        let mut reset = one.h.clone();
        if linear {
            times(hidden, two, &one.h, narrow)?;
        } else {
            for (at, h) in reset.iter_mut().enumerate() {
                let (b, j) = (at / hidden, at % hidden);
                *h = *h * wide[b * two + hidden + j];
            }
            times(hidden, two, &reset, narrow)?;
        }
        // The recurrent bias of the candidate, which is not among the gates.
        let own = if linear { one.bias.get(2 * width - hidden..).unwrap_or(&[]) } else { &[] };
        for b in 0..batch {
            let Some(at) = row(b) else { continue };
            let candidate = &mut narrow[b * hidden..][..hidden];
            let (update, reset) = wide[b * two..][..two].split_at(hidden);
            if linear {
                add(candidate, own);
                candidate.iter_mut().zip(reset).for_each(|(c, &reset)| *c = reset * *c);
            }
            add(candidate, &one.gates[at * width + two..][..hidden]);
            self.activate(&f[1], candidate);
            let h = &mut one.h[b * hidden..][..hidden];
            for ((h, &update), &candidate) in h.iter_mut().zip(update).zip(&*candidate) {
                *h = (B::of(1.0) - update) * candidate + update * *h;
            }
        }
        Ok(())
    }
}
