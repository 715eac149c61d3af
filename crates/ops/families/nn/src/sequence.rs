//! The cells of recurrent networks, step by step, forward and backward: see [`Pass`].

use crate::cudnn_params::{Cell, Kind, Network};
use crate::prelude::*;
use levada_gemm::{self as gemm, Gemm, Mat, Size};
use levada_kernel::Pool;

/// A type that networks are computed in.
pub(super) trait Base: num_traits::Float + Gemm {}
impl Base for f32 {}
impl Base for f64 {}

/// The lengths of sequences.
pub(super) struct Times {
    pub(super) steps: usize,
    pub(super) batch: usize,
    /// The length of each sequence; `None` if all have the maximum length.
    pub(super) lengths: Option<Vec<usize>>,
}

impl Times {
    /// Number of rows of a tensor with one row per time step and sequence.
    pub(super) fn rows(&self) -> usize {
        self.steps * self.batch
    }

    fn is_in(&self, step: usize, row: usize) -> bool {
        self.lengths.as_ref().is_none_or(|lengths| step < lengths[row])
    }

    /// The time steps in the order in which a cell of this direction processes them.
    fn order(&self, direction: usize) -> Vec<usize> {
        let steps = 0..self.steps;
        if direction == 0 { steps.collect() } else { steps.rev().collect() }
    }
}

/// The result of a cell's forward pass over all time steps, with what its gradient needs.
pub(super) struct Pass<T> {
    /// The gates at each time step.
    gates: Vec<T>,
    /// The state before each time step.
    before: Vec<T>,
    /// For an LSTM, the cell state before each time step and after the last; for a GRU, the state's contribution to the
    /// candidate.
    inner: Vec<T>,
    inner_before: Vec<T>,
    /// The states after the last time step.
    pub(super) h: Vec<T>,
    pub(super) c: Vec<T>,
}

/// The gradients that flow back through a cell.
pub(super) struct Back<T> {
    pub(super) h: Vec<T>,
    pub(super) c: Vec<T>,
}

/// A cell of a network.
pub(super) struct Runner<'a, T> {
    pub(super) pool: &'a Pool,
    pub(super) network: &'a Network,
    pub(super) times: &'a Times,
    pub(super) params: &'a [T],
    pub(super) cell: Cell,
    pub(super) direction: usize,
}

fn sigmoid<T: Base>(x: T) -> T {
    <T as num_traits::One>::one() / (<T as num_traits::One>::one() + (-x).exp())
}

/// Allocates `n` zeros.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if there is not enough memory.
pub(super) fn zeros<T: Base>(n: usize) -> Result<Vec<T>> {
    let mut all = Vec::new();
    let no_memory = || Error::resource_exhausted(format!("no memory for {n} numbers of type {}", T::DTYPE));
    all.try_reserve_exact(n).map_err(|_| no_memory())?;
    all.resize(n, <T as num_traits::Zero>::zero());
    Ok(all)
}

impl<T: Base> Runner<'_, T> {
    fn weights(&self, at: usize, columns: usize) -> Mat<'_, T> {
        Mat::new(&self.params[at..at + columns * self.network.rows()], columns)
    }

    fn multiply(&self, [m, n, k]: [usize; 3], a: Mat<'_, T>, b: Mat<'_, T>, c: &mut [T]) -> Result<()> {
        gemm::multiply(self.pool, Size { m, n, k }, a, b, c)
    }

    /// The input's contribution to the gates of all time steps, including the input biases.
    fn of_input(&self, x: &[T]) -> Result<Vec<T>> {
        let (rows, width, units) = (self.times.rows(), self.network.rows(), self.network.units);
        let mut gates = zeros(rows.saturating_mul(width))?;
        match self.cell.inputs {
            0 => {
                for (gates, x) in gates.chunks_exact_mut(width).zip(x.chunks_exact(units)) {
                    gates.chunks_exact_mut(units).for_each(|gate| gate.copy_from_slice(x));
                }
            }
            inputs => {
                let weights = self.weights(self.cell.input_at, inputs).t();
                self.multiply([rows, width, inputs], Mat::new(x, inputs), weights, &mut gates)?;
            }
        }
        let bias = &self.params[self.cell.bias_at..][..width];
        for gates in gates.chunks_exact_mut(width) {
            gates.iter_mut().zip(bias).for_each(|(gate, &bias)| *gate = *gate + bias);
        }
        Ok(gates)
    }

    /// Runs over all time steps of `x`, whose rows are as wide as the cell's input, from the states `h` and `c`, and
    /// writes each state to the columns of `y` from `column` on.
    pub(super) fn forward(&self, x: &[T], h: &[T], c: &[T], y: &mut [T], column: usize) -> Result<Pass<T>> {
        let (batch, units, width) = (self.times.batch, self.network.units, self.network.rows());
        let (kind, all) = (self.network.kind, self.times.rows() * units);
        let of_inner = if matches!(kind, Kind::Lstm | Kind::Gru) { all } else { 0 };
        let mut pass = Pass {
            gates: self.of_input(x)?,
            before: zeros(all)?,
            inner: zeros(of_inner)?,
            inner_before: zeros(if kind == Kind::Lstm { all } else { 0 })?,
            h: h.to_vec(),
            c: c.to_vec(),
        };
        let weights = self.weights(self.cell.state_at, units).t();
        let bias = &self.params[self.cell.bias_at + width..][..width];
        let out_width = units * self.network.directions;
        let mut from_state = zeros(batch * width)?;
        for step in self.times.order(self.direction) {
            self.multiply([batch, width, units], Mat::new(&pass.h, units), weights, &mut from_state)?;
            for row in (0..batch).filter(|&row| self.times.is_in(step, row)) {
                let at = step * batch + row;
                let gates = &mut pass.gates[at * width..][..width];
                let state = &mut from_state[row * width..][..width];
                state.iter_mut().zip(bias).for_each(|(state, &bias)| *state = *state + bias);
                let h = &mut pass.h[row * units..][..units];
                pass.before[at * units..][..units].copy_from_slice(h);
                let one = <T as num_traits::One>::one();
                for j in 0..units {
                    let gate = |k: usize| gates[k * units + j] + state[k * units + j];
                    match kind {
                        Kind::Relu => gates[j] = gate(0).max(<T as num_traits::Zero>::zero()),
                        Kind::Tanh => gates[j] = gate(0).tanh(),
                        Kind::Lstm => {
                            let now = [sigmoid(gate(0)), sigmoid(gate(1)), gate(2).tanh(), sigmoid(gate(3))];
                            now.iter().enumerate().for_each(|(k, &now)| gates[k * units + j] = now);
                            let c = &mut pass.c[row * units + j];
                            pass.inner_before[at * units + j] = *c;
                            *c = now[1] * *c + now[0] * now[2];
                            pass.inner[at * units + j] = *c;
                        }
                        Kind::Gru => {
                            let (reset, update) = (sigmoid(gate(0)), sigmoid(gate(1)));
                            let inner = state[2 * units + j];
                            let candidate = (gates[2 * units + j] + reset * inner).tanh();
                            pass.inner[at * units + j] = inner;
                            [reset, update, candidate]
                                .iter()
                                .enumerate()
                                .for_each(|(k, &now)| gates[k * units + j] = now);
                        }
                    }
                    h[j] = match kind {
                        Kind::Relu | Kind::Tanh => gates[j],
                        Kind::Lstm => gates[3 * units + j] * pass.c[row * units + j].tanh(),
                        Kind::Gru => {
                            let update = gates[units + j];
                            (one - update) * gates[2 * units + j] + update * h[j]
                        }
                    };
                }
                y[at * out_width + column..][..units].copy_from_slice(h);
            }
        }
        Ok(pass)
    }

    /// Propagates the gradients `dy` of the states that [`Runner::forward`] wrote, and those of the final states in
    /// `back`, through all time steps. Accumulates the gradients of the input and the parameters; `back` becomes those
    /// of the initial states.
    pub(super) fn backward(
        &self,
        pass: &Pass<T>,
        x: &[T],
        (dy, column): (&[T], usize),
        back: &mut Back<T>,
        dx: &mut [T],
        dparams: &mut [T],
    ) -> Result<()> {
        let (batch, units, width) = (self.times.batch, self.network.units, self.network.rows());
        let (kind, rows) = (self.network.kind, self.times.rows());
        let out_width = units * self.network.directions;
        // The gradients of the gates, separately for the input's and the state's contribution.
        let mut by_input = zeros(rows * width)?;
        let mut by_state = zeros(if kind == Kind::Gru { rows * width } else { 0 })?;
        let mut through = zeros(batch * units)?;
        let mut gates_of_step = zeros(batch * width)?;
        let weights = self.weights(self.cell.state_at, units);
        for step in self.times.order(self.direction).into_iter().rev() {
            gates_of_step.fill(<T as num_traits::Zero>::zero());
            for row in (0..batch).filter(|&row| self.times.is_in(step, row)) {
                let at = step * batch + row;
                let gates = &pass.gates[at * width..][..width];
                let dgates = &mut by_input[at * width..][..width];
                for j in 0..units {
                    let one = <T as num_traits::One>::one();
                    let (k, state) = (at * units + j, row * units + j);
                    let dh = back.h[state] + dy[at * out_width + column + j];
                    let gate = |k: usize| gates[k * units + j];
                    match kind {
                        Kind::Relu => {
                            let zero = <T as num_traits::Zero>::zero();
                            dgates[j] = if gate(0) > zero { dh } else { zero };
                            back.h[state] = zero;
                        }
                        Kind::Tanh => {
                            dgates[j] = dh * (one - gate(0) * gate(0));
                            back.h[state] = <T as num_traits::Zero>::zero();
                        }
                        Kind::Lstm => {
                            let now = pass.inner[k].tanh();
                            let (i, f, g, o) = (gate(0), gate(1), gate(2), gate(3));
                            let dc = back.c[state] + dh * o * (one - now * now);
                            dgates[j] = dc * g * i * (one - i);
                            dgates[units + j] = dc * pass.inner_before[k] * f * (one - f);
                            dgates[2 * units + j] = dc * i * (one - g * g);
                            dgates[3 * units + j] = dh * now * o * (one - o);
                            back.c[state] = dc * f;
                            back.h[state] = <T as num_traits::Zero>::zero();
                        }
                        Kind::Gru => {
                            let (reset, update, candidate) = (gate(0), gate(1), gate(2));
                            let dn = dh * (one - update) * (one - candidate * candidate);
                            dgates[j] = dn * pass.inner[k] * reset * (one - reset);
                            dgates[units + j] = dh * (pass.before[k] - candidate) * update * (one - update);
                            dgates[2 * units + j] = dn;
                            back.h[state] = dh * update;
                        }
                    }
                }
                let to = &mut gates_of_step[row * width..][..width];
                to.copy_from_slice(dgates);
                if kind == Kind::Gru {
                    to[2 * units..].iter_mut().zip(gates).for_each(|(d, &reset)| *d = *d * reset);
                    by_state[at * width..][..width].copy_from_slice(to);
                }
            }
            self.multiply([batch, units, width], Mat::new(&gates_of_step, width), weights, &mut through)?;
            back.h.iter_mut().zip(&through).for_each(|(h, &d)| *h = *h + d);
        }
        let by_state = if kind == Kind::Gru { &by_state } else { &by_input };
        let inputs = self.cell.inputs;
        if inputs == 0 {
            for (dx, gates) in dx.chunks_exact_mut(units).zip(by_input.chunks_exact(width)) {
                for gate in gates.chunks_exact(units) {
                    dx.iter_mut().zip(gate).for_each(|(dx, &d)| *dx = *dx + d);
                }
            }
        } else {
            let mut more = zeros(rows * inputs)?;
            let weights = self.weights(self.cell.input_at, inputs);
            self.multiply([rows, inputs, width], Mat::new(&by_input, width), weights, &mut more)?;
            dx.iter_mut().zip(&more).for_each(|(dx, &d)| *dx = *dx + d);
            let to = &mut dparams[self.cell.input_at..][..inputs * width];
            self.multiply([width, inputs, rows], Mat::new(&by_input, width).t(), Mat::new(x, inputs), to)?;
        }
        let to = &mut dparams[self.cell.state_at..][..units * width];
        self.multiply([width, units, rows], Mat::new(by_state, width).t(), Mat::new(&pass.before, units), to)?;
        let (beside_input, beside_state) = dparams[self.cell.bias_at..][..2 * width].split_at_mut(width);
        for (sums, gates) in [(beside_input, &by_input), (beside_state, by_state)] {
            for gates in gates.chunks_exact(width) {
                sums.iter_mut().zip(gates).for_each(|(sum, &d)| *sum = *sum + d);
            }
        }
        Ok(())
    }
}
