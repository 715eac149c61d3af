//! Moving averages of variables.

use super::variable::{Variable, add_hidden, scalar};
use levada_builder::{Builder, Output};
use levada_graph::DType;

/// Exponential moving averages of variables, as `tf.train.ExponentialMovingAverage` keeps them.
#[derive(Clone, Copy, Debug)]
pub struct ExponentialMovingAverage {
    /// The fraction of the average that a step keeps.
    pub decay: f64,
    /// The number of steps, which lets the average adapt faster at first: the decay is at most `(1 + n) / (10 + n)`.
    pub num_updates: Option<Output>,
}

impl ExponentialMovingAverage {
    /// Adds the averages of `variables`, which start at the variables' initial values: returns the node that updates
    /// them by a step, and the averages in the variables' order. Run it after the variables have changed.
    pub fn apply(&self, b: &mut Builder, variables: &[Variable], after: &[Output]) -> (Output, Vec<Variable>) {
        b.new_scope("ExponentialMovingAverage", |b, scope| {
            let mut updates = Vec::new();
            let mut averages = Vec::new();
            for variable in variables {
                let name = format!("{}/ExponentialMovingAverage", b.node_name(variable.handle));
                let start = match variable.initial {
                    Some(initial) => initial,
                    None => variable.full(b, 0.0),
                };
                let average = add_hidden(b, &name, start);
                let dtype = variable.dtype(b);
                let (one, decay) = (scalar(b, dtype, 1.0), self.decay(b, dtype));
                let share = b.sub(one, decay);
                let now = variable.read_after(b, after);
                let distance = b.sub(average.value, now);
                let step = b.mul(distance, share);
                updates.push(average.assign_sub(b, step));
                averages.push(average);
            }
            let node = b.node("NoOp").full_name(scope);
            (updates.into_iter().fold(node, |node, update| node.after(update)).add(), averages)
        })
    }

    fn decay(&self, b: &mut Builder, dtype: DType) -> Output {
        let decay = scalar(b, dtype, self.decay);
        let Some(updates) = self.num_updates else { return decay };
        let n = b.node("Cast").input(updates).attr("DstT", dtype).add();
        let (one, ten) = (scalar(b, dtype, 1.0), scalar(b, dtype, 10.0));
        let (above, below) = (b.add(one, n), b.add(ten, n));
        let early = b.op("RealDiv", &[above, below]);
        b.op("Minimum", &[decay, early])
    }
}
