//! `ReadVariableOp` and `_ReadVariablesOp`: the values of resource variables.

use crate::prelude::*;
use crate::rules::pass;
use crate::variable::{Target, check_dtype};

/// Returns the value of the variable in input `i`.
fn read(cx: &Cx<'_, '_>, i: usize, dtype: DType) -> Result<Tensor> {
    let missing = |name: &str| {
        Error::failed_precondition(format!(
            "Could not find variable {name}. This could mean that the variable has been deleted. In TF1, it can also \
             mean the variable is uninitialized."
        ))
        .help("run the variable's initializer first, for instance with --init")
    };
    let target = match Target::of(cx, i) {
        Ok(target) => target,
        Err(error) if error.code() == Code::NotFound => {
            return Err(missing(&crate::variable::handle_input(cx, i)?.name));
        }
        Err(error) => return Err(error),
    };
    let value = target.cell.value.read().clone().ok_or_else(|| missing(&target.cell.name))?;
    if value.dtype() != dtype {
        check_dtype("read", dtype, value.dtype())?;
    }
    Ok(value)
}

attrs! {
    /// Returns the value of a resource variable.
    pub struct ReadVariableOp {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
    }
}

pub static READ_VARIABLE_OP: Def<ReadVariableOp> = op("ReadVariableOp")
    .inputs(&[arg("resource", is(DType::Resource))])
    .outputs(&[arg("value", of("dtype"))])
    .effect(Effect::Reads)
    .gradient(|_, g| pass(g))
    .kernel(|op, cx| {
        let value = read(cx, 0, op.dtype)?;
        cx.set(0, value);
        Ok(())
    });

attrs! {
    /// Returns the values of several resource variables.
    pub struct ReadVariablesOp {
        /// Number of variables.
        n: i64 = Attr::int("N").at_least(0),
        /// Element types of the variables.
        dtypes: Vec<DType> = Attr::dtypes("dtypes", sets::ANY).at_least(0),
    }
}

pub static READ_VARIABLES_OP: Def<ReadVariablesOp> = op("_ReadVariablesOp")
    .inputs(&[arg("resources", is(DType::Resource)).times("N")])
    .outputs(&[arg("values", each("dtypes"))])
    .stateful()
    .kernel(read_variables_op);

fn read_variables_op(op: &ReadVariablesOp, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.dtypes.len() != cx.num_inputs() {
        return Err(Error::invalid("dtypes must have one element per variable").attr("dtypes"));
    }
    for (i, &dtype) in op.dtypes.iter().enumerate() {
        let value = read(cx, i, dtype)?;
        cx.set(i, value);
    }
    Ok(())
}
