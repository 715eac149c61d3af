//! `GRUBlockCell` and `GRUBlockCellGrad`: a GRU cell for one time step.

use super::bias_add::BiasAdd;
use super::bias_add_grad::BIAS_ADD_GRAD;
use super::recurrent::{check, columns, floats, mat_mul, product, reserve, set_floats, sigmoid, sizes};
use crate::prelude::*;
use crate::rules::concat;
use levada_gemm::Mat;

const fn t(name: &'static str) -> Arg {
    arg(name, of("T"))
}

attrs! {
    /// The attrs of GRU cells and their gradients.
    pub struct Gru {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F32]),
    }
}

pub static GRU_BLOCK_CELL: Def<Gru> = op("GRUBlockCell")
    .doc("Computes one time step of a GRU cell: reset gate, update gate, candidate and new state.")
    .inputs(&[t("x"), t("h_prev"), t("w_ru"), t("w_c"), t("b_ru"), t("b_c")])
    .outputs(&[t("r"), t("u"), t("c"), t("h")])
    .shape(|_, cx| {
        let shape = cx.with_rank(1, 2)?;
        (0..4).for_each(|i| cx.output(i, shape.clone()));
        Ok(())
    })
    .gradient(|op, g| {
        let mut inputs = g.inputs();
        inputs.extend([g.output(0), g.output(1), g.output(2), g.dy(3)]);
        let back = GRU_BLOCK_CELL_GRAD.node(g, op, &inputs);
        let (x, h_prev) = (g.input(0), g.input(1));
        let dw_ru = mat_mul(concat(g, &[x, h_prev], 1), back.out(3), [true, false]);
        let dw_c = mat_mul(concat(g, &[x, h_prev * g.output(0)], 1), back.out(2), [true, false]);
        let bias = BiasAdd { dtype: op.dtype, data_format: "NHWC".into() };
        let [db_ru, db_c] = [3, 2].map(|i| BIAS_ADD_GRAD.node(g, &bias, &[back.out(i)]));
        [back, back.out(1), dw_ru, dw_c, db_ru, db_c].into_iter().map(Option::from).collect()
    })
    .kernel(gru_block_cell)
    .heavy();

pub static GRU_BLOCK_CELL_GRAD: Def<Gru> = op("GRUBlockCellGrad")
    .doc("The gradient of [`GRUBlockCell`].")
    .inputs(&[t("x"), t("h_prev"), t("w_ru"), t("w_c"), t("b_ru"), t("b_c"), t("r"), t("u"), t("c"), t("d_h")])
    .outputs(&[t("d_x"), t("d_h_prev"), t("d_c_bar"), t("d_r_bar_u_bar")])
    .kernel(gru_block_cell_grad)
    .heavy();

/// Reads and checks the dimensions of the inputs: batch, input, cell.
pub fn dims(cx: &levada_kernel::Io<'_>) -> Result<(usize, usize, usize)> {
    let [batch, input] = sizes(cx, 0, "x")?;
    let [_, cell] = sizes(cx, 1, "h_prev")?;
    check(cx, 1, "h_prev", &[batch, cell])?;
    let large = || Error::invalid("the cell is too large");
    let rows = input.checked_add(cell).ok_or_else(large)?;
    let both = cell.checked_mul(2).ok_or_else(large)?;
    check(cx, 2, "w_ru", &[rows, both])?;
    check(cx, 3, "w_c", &[rows, cell])?;
    check(cx, 4, "b_ru", &[both])?;
    check(cx, 5, "b_c", &[cell])?;
    Ok((batch, input, cell))
}

fn dims_with_memory(cx: &Cx<'_, '_>) -> Result<(usize, usize, usize)> {
    let (batch, input, cell) = dims(cx)?;
    reserve(cx, 12, &[batch, (input + cell).max(1)])?;
    Ok((batch, input, cell))
}

/// `x` and `h` concatenated row by row.
fn beside(x: &[f32], input: usize, h: &[f32], cell: usize, batch: usize) -> Vec<f32> {
    let mut both = Vec::with_capacity(batch * (input + cell));
    for row in 0..batch {
        both.extend_from_slice(&x[row * input..(row + 1) * input]);
        both.extend_from_slice(&h[row * cell..(row + 1) * cell]);
    }
    both
}

fn gru_block_cell(_: &Gru, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (batch, input, n) = dims_with_memory(cx)?;
    let mut outputs: [Vec<f32>; 4] = std::array::from_fn(|_| vec![0.0; batch * n]);
    {
        let all = (0..6).map(|i| floats(cx, i)).collect::<Result<Vec<_>>>()?;
        let [x, h_prev, w_ru, w_c, b_ru, b_c] = &all[..] else { return Err(Error::internal("six inputs")) };
        let [r, u, c, h] = &mut outputs;
        let mut gates = vec![0.0; batch * 2 * n];
        let xh = beside(x, input, h_prev, n, batch);
        product(cx, (batch, 2 * n, input + n), Mat::new(&xh, input + n), Mat::new(w_ru, 2 * n), &mut gates)?;
        for row in 0..batch {
            for j in 0..n {
                let at = row * 2 * n + j;
                r[row * n + j] = sigmoid(gates[at] + b_ru[j]);
                u[row * n + j] = sigmoid(gates[at + n] + b_ru[n + j]);
            }
        }
        let reset: Vec<f32> = h_prev.iter().zip(&*r).map(|(h, r)| h * r).collect();
        let xh = beside(x, input, &reset, n, batch);
        product(cx, (batch, n, input + n), Mat::new(&xh, input + n), Mat::new(w_c, n), c)?;
        for k in 0..batch * n {
            c[k] = (c[k] + b_c[k % n]).tanh();
            h[k] = u[k] * h_prev[k] + (1.0 - u[k]) * c[k];
        }
    }
    for (i, values) in outputs.iter().enumerate() {
        set_floats(cx, i, &[batch, n], values)?;
    }
    Ok(())
}

fn gru_block_cell_grad(_: &Gru, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (batch, input, n) = dims_with_memory(cx)?;
    for (i, name) in ["r", "u", "c", "d_h"].into_iter().enumerate() {
        check(cx, 6 + i, name, &[batch, n])?;
    }
    let width = input + n;
    let mut d_c = vec![0.0; batch * n];
    let mut d_ru = vec![0.0; batch * 2 * n];
    let mut d_x;
    let mut d_h_prev = vec![0.0; batch * n];
    {
        let all = (0..10).map(|i| floats(cx, i)).collect::<Result<Vec<_>>>()?;
        let [_, h_prev, w_ru, w_c, _, _, r, u, c, d_h] = &all[..] else {
            return Err(Error::internal("ten inputs"));
        };
        for k in 0..batch * n {
            d_c[k] = d_h[k] * (1.0 - u[k]) * (1.0 - c[k] * c[k]);
            d_ru[(k / n) * 2 * n + n + k % n] = d_h[k] * (h_prev[k] - c[k]) * u[k] * (1.0 - u[k]);
        }
        let mut from_c = vec![0.0; batch * width];
        product(cx, (batch, width, n), Mat::new(&d_c, n), Mat::new(w_c, n).t(), &mut from_c)?;
        let d_hr = columns(&from_c, width, input, n);
        for k in 0..batch * n {
            d_ru[(k / n) * 2 * n + k % n] = d_hr[k] * h_prev[k] * r[k] * (1.0 - r[k]);
        }
        let mut from_ru = vec![0.0; batch * width];
        product(cx, (batch, width, 2 * n), Mat::new(&d_ru, 2 * n), Mat::new(w_ru, 2 * n).t(), &mut from_ru)?;
        d_x = columns(&from_c, width, 0, input);
        d_x.iter_mut().zip(columns(&from_ru, width, 0, input)).for_each(|(d, x)| *d += x);
        let from_gates = columns(&from_ru, width, input, n);
        for k in 0..batch * n {
            d_h_prev[k] = from_gates[k] + d_hr[k] * r[k] + d_h[k] * u[k];
        }
    }
    set_floats(cx, 0, &[batch, input], &d_x)?;
    set_floats(cx, 1, &[batch, n], &d_h_prev)?;
    set_floats(cx, 2, &[batch, n], &d_c)?;
    set_floats(cx, 3, &[batch, 2 * n], &d_ru)
}
