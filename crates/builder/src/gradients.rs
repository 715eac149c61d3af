//! Differentiates what a builder has built.

use crate::{Builder, Output};
use levada_gradients::{GradientOptions, dense, gradients};
use levada_graph::grad::{Grad, GradCx};
use levada_graph::{Endpoint, Error, PartialShape, Result};

/// The tensor of a gradient; no output if there is no gradient.
pub fn dense_gradient(b: &mut Builder, grad: Option<Grad>) -> Output {
    let registry = b.registry().clone();
    let graph = std::mem::take(b.graph_mut());
    let cx = GradCx::new(graph, registry, |_| PartialShape::Unknown);
    let built = match grad {
        Some(grad) => cx.build("gradients", |cx| Output::at(dense(cx, grad))),
        None => Err(Error::invalid("a gradient of a node that could not be added")),
    };
    *b.graph_mut() = cx.finish();
    built.unwrap_or_else(|fault| b.fault(fault))
}

impl Builder {
    /// The gradients of the sum of `ys` with respect to each of `xs`; `None` if nothing depends on it. Gradients of
    /// gathered rows are assembled into a tensor of the variable's shape.
    ///
    /// # Errors
    /// As [`gradients`]. The builder is unchanged then.
    pub fn gradients(&mut self, ys: &[Output], xs: &[Output]) -> Result<Vec<Option<Output>>> {
        self.gradients_with(ys, xs, &GradientOptions::default())
    }

    /// As [`Builder::gradients`], with options.
    ///
    /// # Errors
    /// As [`gradients`]. The builder is unchanged then.
    pub fn gradients_with(
        &mut self,
        ys: &[Output],
        xs: &[Output],
        options: &GradientOptions,
    ) -> Result<Vec<Option<Output>>> {
        let grads = self.sparse_gradients(ys, xs, options)?;
        Ok(grads.into_iter().map(|grad| grad.map(|grad| dense_gradient(self, Some(grad)))).collect())
    }

    /// As [`Builder::gradients`], with gradients of gathered rows left sparse.
    ///
    /// # Errors
    /// As [`gradients`]. The builder is unchanged then.
    pub fn sparse_gradients(
        &mut self,
        ys: &[Output],
        xs: &[Output],
        options: &GradientOptions,
    ) -> Result<Vec<Option<Grad>>> {
        let endpoints = |outputs: &[Output]| -> Result<Vec<Endpoint>> {
            let missing = || Error::invalid("an output of a node that could not be added");
            outputs.iter().map(|o| o.endpoint().ok_or_else(missing)).collect()
        };
        let (ys, xs) = (endpoints(ys)?, endpoints(xs)?);
        let (graph, grads) = gradients(self.graph().clone(), &self.registry().clone(), &ys, &xs, options)?;
        *self.graph_mut() = graph;
        Ok(grads)
    }
}
