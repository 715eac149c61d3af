//! `If`, `StatelessIf`, `Case`, `StatelessCase`: call one of several functions.

use super::call::{call, gradient_of, gradients, site_of_branch, take_inputs};
use crate::flow::declared;
use crate::prelude::*;

/// Converts a tensor to a condition: true for a scalar that is nonzero or a nonempty string, and for any other tensor
/// that has elements.
pub(crate) fn is_true(tensor: &Tensor) -> Result<bool> {
    if !tensor.shape().is_scalar() {
        return Ok(tensor.num_elements() > 0);
    }
    match tensor.dtype() {
        DType::Bool => tensor.item::<bool>(),
        DType::Str => Ok(!tensor.item::<Bytes>()?.is_empty()),
        // TensorFlow's kernels support only these types.
        dtype @ (DType::F32 | DType::F64 | DType::U8 | DType::I8 | DType::I16 | DType::I32 | DType::I64) => {
            dispatch!(dtype, reals, |T| Ok(tensor.item::<T>()? != T::zero()),
                else Err(Error::internal(format!("{dtype} is not a number"))))
        }
        dtype => Err(Error::invalid(format!("{dtype} cannot be a condition"))),
    }
}

/// Converts a tensor to a condition as a switch does, which accepts only booleans.
pub(crate) fn is_switched(tensor: &Tensor) -> Result<bool> {
    match (tensor.dtype(), tensor.shape().is_scalar()) {
        (DType::Bool, true) => tensor.item::<bool>(),
        (DType::Bool, false) => {
            let shape = tensor.shape();
            Err(Error::invalid(format!("The second input must be a scalar, but it has shape {shape}")))
        }
        (dtype, _) => Err(Error::invalid(format!("{dtype} cannot be a condition here")).expected("bool")),
    }
}

attrs! {
    /// The attrs of ops that call one of two functions.
    pub struct If {
        /// Type of the condition.
        cond: DType = Attr::dtype("Tcond", sets::ANY),
        /// Types of the arguments.
        inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY),
        /// Types of the results.
        outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY),
        /// The function to call if the condition is true.
        then_branch: Func = Attr::func("then_branch"),
        /// The function to call if the condition is false.
        else_branch: Func = Attr::func("else_branch"),
        /// Shapes of the results.
        output_shapes: Vec<PartialShape> = Attr::shapes("output_shapes").or_empty(),
        /// Whether TensorFlow would inline the functions into the surrounding graph, so that their nodes may have
        /// devices of their own.
        lowered: bool = Attr::bool("_lower_using_switch_merge").or_bool(false),
    }
}

const fn choice(name: &'static str) -> Def<If> {
    op(name)
        .inputs(CHOICE_INPUTS)
        .outputs(OUTPUTS)
        .role(Role::Call)
        .shape(|op: &If, cx| {
            declared(cx, &op.output_shapes);
            Ok(())
        })
        .kernel(|op, cx| {
            let site = site_of_branch(cx, op.lowered);
            let is_taken = match site.inlined {
                Some(_) => is_switched(cx.input(0)?)?,
                None => is_true(cx.input(0)?)?,
            };
            let branch = if is_taken { &op.then_branch } else { &op.else_branch };
            let args = take_inputs(cx, 1)?;
            call(cx, branch, site, args)
        })
        .heavy()
}

impl If {
    /// Returns the gradients, computed by a node of the op `by`.
    fn gradients(&self, g: &GradCx, by: &'static Def<If>) -> Grads {
        gradients(g, 1, |arguments, inputs, outputs| {
            let back = If {
                cond: self.cond,
                inputs,
                outputs,
                then_branch: gradient_of(&self.then_branch),
                else_branch: gradient_of(&self.else_branch),
                output_shapes: Vec::new(),
                lowered: false,
            };
            by.node(g, &back, arguments)
        })
    }
}

const INPUT: Arg = arg("input", each("Tin"));
const CHOICE_INPUTS: &[Arg] = &[arg("cond", of("Tcond")), INPUT];
const OUTPUTS: &[Arg] = &[arg("output", each("Tout"))];

pub static IF: Def<If> = choice("If")
    .doc("Calls one of two functions, chosen by `cond`.")
    .also(&[form("_If").without(&["output_shapes"])])
    .stateful()
    .gradient(|op, g| op.gradients(g, &IF));

pub static STATELESS_IF: Def<If> = choice("StatelessIf")
    .doc("[`If`] for functions without side effects.")
    .gradient(|op, g| op.gradients(g, &STATELESS_IF));

attrs! {
    /// The attrs of ops that call one of several functions.
    pub struct Case {
        /// Types of the arguments.
        inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY),
        /// Types of the results.
        outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY),
        /// The functions to choose from.
        branches: Vec<Func> = Attr::funcs("branches").at_least(1),
        /// Shapes of the results.
        output_shapes: Vec<PartialShape> = Attr::shapes("output_shapes").or_empty(),
        /// Whether TensorFlow would inline the functions into the surrounding graph, so that their nodes may have
        /// devices of their own.
        lowered: bool = Attr::bool("_lower_using_switch_merge").or_bool(false),
    }
}

const fn cases(name: &'static str) -> Def<Case> {
    op(name)
        .inputs(CASE_INPUTS)
        .outputs(OUTPUTS)
        .role(Role::Call)
        .shape(|op: &Case, cx| {
            declared(cx, &op.output_shapes);
            Ok(())
        })
        .kernel(case)
        .heavy()
}

const CASE_INPUTS: &[Arg] = &[arg("branch_index", is(DType::I32)), INPUT];

impl Case {
    /// Returns the gradients, computed by a node of the op `by`.
    fn gradients(&self, g: &GradCx, by: &'static Def<Case>) -> Grads {
        gradients(g, 1, |arguments, inputs, outputs| {
            let branches = self.branches.iter().map(gradient_of).collect();
            let back = Case { inputs, outputs, branches, output_shapes: Vec::new(), lowered: false };
            by.node(g, &back, arguments)
        })
    }
}

pub static CASE: Def<Case> = cases("Case")
    .doc("Calls the function with index `branch_index`; the last one if the index is out of range.")
    .stateful()
    .gradient(|op, g| op.gradients(g, &CASE));

pub static STATELESS_CASE: Def<Case> = cases("StatelessCase")
    .doc("[`Case`] for functions without side effects.")
    .gradient(|op, g| op.gradients(g, &STATELESS_CASE));

fn case(op: &Case, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape();
    if !shape.is_scalar() {
        return Err(Error::invalid(format!("branch_index must be a scalar, but it has shape {shape}")));
    }
    let index = cx.scalar::<i32>(0)?;
    // An index out of range selects the last branch.
    let last = op.branches.len().saturating_sub(1);
    let branch = usize::try_from(index).map_or(last, |i| i.min(last));
    let args = take_inputs(cx, 1)?;
    let site = site_of_branch(cx, op.lowered);
    match op.branches.get(branch) {
        Some(function) => call(cx, function, site, args),
        None => Err(Error::invalid("there are no branches")),
    }
}
