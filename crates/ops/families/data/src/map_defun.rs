//! `MapDefun`: applies a function to each row.

use crate::dataset::{Setup, Tuple};
use crate::function::{Call, Calls, Function, check_results};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver, broken};
use crate::prelude::*;
use crate::rows;
use crate::stream::Stream;
use crate::unbatch::rows_of;
use levada_graph::Func;
use levada_kernel::Arena;
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Calls a function with each row of the arguments and stacks the results.
    pub struct MapDefun {
        /// Dtypes of the arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY).at_least(1),
        /// Dtypes of the captured arguments.
        captured: Vec<DType> = Attr::dtypes("Tcaptured", sets::ANY),
        /// Dtypes of the results.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of the results of one call.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// The function to call.
        function: Func = Attr::func("f"),
        /// Not used.
        max_intra_op_parallelism: i64 = Attr::int("max_intra_op_parallelism").or_int(1),
    }
}

pub static MAP_DEFUN: Def<MapDefun> = op("MapDefun")
    .inputs(&[arg("arguments", each("Targuments")), arg("captured_inputs", each("Tcaptured"))])
    .outputs(&[arg("output", each("output_types"))])
    .role(Role::Call)
    .shape(|op: &MapDefun, cx| {
        op.check()?;
        let rows = (0..op.arguments.len()).find_map(|i| cx.input(i).dim(0));
        for (i, shape) in op.shapes.iter().enumerate() {
            cx.output(i, PartialShape::vector(rows).concat(shape));
        }
        Ok(())
    })
    .kernel(map_defun);

impl MapDefun {
    fn check(&self) -> Result<()> {
        let (shapes, types) = (self.shapes.len(), self.types.len());
        if shapes == types {
            return Ok(());
        }
        let what = format!("`output_shapes` must be the same length as `output_types` ({shapes} vs. {types})");
        Err(Error::invalid(what).attr("output_shapes"))
    }
}

fn map_defun(op: &MapDefun, cx: &mut Cx<'_, '_>) -> Result<()> {
    op.check()?;
    let n = op.arguments.len();
    let arguments: Tuple = (0..n).map(|i| cx.input(i).cloned()).collect::<Result<_>>()?;
    if let Some(i) = arguments.iter().position(|argument| argument.shape().rank() == 0) {
        return Err(Error::invalid(format!("All inputs must have rank at least 1. Input {i} has a rank of 0.")));
    }
    let rows = rows_of(&arguments).map_err(|_| Error::invalid("All inputs must have the same dimension 0."))?;
    let function = Function::of(cx, &op.function, n..cx.num_inputs())?;
    let (types, shapes): (Arc<[DType]>, Arc<[PartialShape]>) =
        (op.types.as_slice().into(), op.shapes.as_slice().into());
    let arena = cx.device.arena.clone();
    let make = |setup: &Setup| -> Result<Box<dyn Iter>> {
        let calls = function.at(setup);
        let (under_way, results) = (VecDeque::new(), Vec::new());
        Ok(Box::new(Rows { calls, arguments, rows, called: 0, under_way, results, types, shapes, arena }))
    };
    Stream::once(cx, make, |element| element.ok_or_else(|| Error::internal("no results of MapDefun")))
}

/// Maximum number of concurrent calls.
const MOST_CALLS: usize = 64;

/// An iterator whose single element is the results of all rows.
struct Rows {
    calls: Calls,
    arguments: Tuple,
    rows: usize,
    called: usize,
    under_way: VecDeque<Call>,
    results: Vec<Tuple>,
    types: Arc<[DType]>,
    shapes: Arc<[PartialShape]>,
    arena: Arc<Arena>,
}

impl Rows {
    /// Stacks component `i` of all results.
    fn join(&self, i: usize) -> Result<Tensor> {
        let Some(first) = self.results.first() else {
            let shape = &self.shapes[i];
            let dims = (0..shape.rank().unwrap_or(0)).map(|axis| shape.dim(axis as isize).unwrap_or(0));
            return Tensor::try_zeros(self.types[i], Shape::new(std::iter::once(0).chain(dims))?);
        };
        let parts = || self.results.iter().map(|result| &result[i]);
        if let Some(other) = parts().find(|part| part.shape() != first[i].shape()) {
            return Err(Error::invalid(format!(
                "the results of MapDefun's function are of different shapes: output {i} is {} and {}",
                first[i].shape(),
                other.shape()
            )));
        }
        rows::join(&self.arena, self.types[i], rows::batch_shape(self.rows, first[i].shape())?, parts())
    }
}

impl Iter for Rows {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while self.results.len() < self.rows {
            while self.called < self.rows && self.under_way.len() < MOST_CALLS {
                let args = self.arguments.iter().map(|argument| argument.row(self.called)).collect::<Result<_>>()?;
                self.under_way.push_back(self.calls.call(args, turn));
                self.called += 1;
            }
            let Some(call) = self.under_way.front_mut() else { return Poll::Pending };
            let result = ready!(call.poll(turn))?;
            self.under_way.pop_front();
            check_results(&result, &self.types)?;
            self.results.push(result);
            ready!(turn.pass());
        }
        Poll::Ready((0..self.types.len()).map(|i| self.join(i)).collect::<Result<Tuple>>().map(Some))
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::internal("a call of MapDefun has no position")))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(broken())
    }
}
