//! The ops of version 1 control flow. The executor recognizes them by their roles and decides where their outputs go;
//! the kernels only forward values. Each has a variant for references to variables.

use crate::flow::pass;
use crate::prelude::*;
use crate::rules::first;

const DATA: Arg = arg("data", of("T"));
const OUTPUT: Arg = arg("output", of("T"));
const DATA_REFERENCE: &[Arg] = &[DATA.by_ref()];
const OUTPUT_REFERENCE: &[Arg] = &[OUTPUT.by_ref()];
const BY_VALUE: &[(&str, AttrDefault)] = &[("by_ref", AttrDefault::Bool(false))];
const BY_REFERENCE: &[(&str, AttrDefault)] = &[("by_ref", AttrDefault::Bool(true))];

attrs! {
    /// Passes its input into a child frame.
    pub struct Enter {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Name of the frame.
        frame_name: Bytes = Attr::string("frame_name"),
        /// Whether every iteration receives the value, rather than only the first.
        is_constant: bool = Attr::bool("is_constant").or_bool(false),
        /// Maximum number of iterations in flight.
        parallel_iterations: i64 = Attr::int("parallel_iterations").or_int(10),
        /// Whether it forwards a reference.
        by_ref: bool = Attr::bool("by_ref").or_bool(false),
    }
}

pub static ENTER: Def<Enter> = op("Enter")
    .inputs(&[DATA])
    .outputs(&[OUTPUT])
    .fixed(BY_VALUE)
    .also(&[form("RefEnter")
        .doc("[`Enter`] for references.")
        .inputs(DATA_REFERENCE)
        .outputs(OUTPUT_REFERENCE)
        .fixed(BY_REFERENCE)])
    .role(Role::Enter)
    .counts("T")
    .shape(same_as_input)
    .kernel(|op, cx| pass_on(cx, op.by_ref));

attrs! {
    /// The attrs of ops that pass a value from one iteration or frame to another.
    pub struct Exit {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Whether it forwards a reference.
        by_ref: bool = Attr::bool("by_ref").or_bool(false),
    }
}

pub static EXIT: Def<Exit> = op("Exit")
    .doc("Passes its input out of the frame.")
    .inputs(&[DATA])
    .outputs(&[OUTPUT])
    .fixed(BY_VALUE)
    .also(&[form("RefExit")
        .doc("[`Exit`] for references.")
        .inputs(DATA_REFERENCE)
        .outputs(OUTPUT_REFERENCE)
        .fixed(BY_REFERENCE)])
    .role(Role::Exit)
    .counts("T")
    .shape(same_as_input)
    .kernel(|op, cx| pass_on(cx, op.by_ref));

pub static NEXT_ITERATION: Def<Exit> = op("NextIteration")
    .doc("Passes its input to the next iteration.")
    .inputs(&[DATA])
    .outputs(&[OUTPUT])
    .fixed(BY_VALUE)
    .also(&[form("RefNextIteration")
        .doc("[`NextIteration`] for references.")
        .inputs(DATA_REFERENCE)
        .outputs(OUTPUT_REFERENCE)
        .fixed(BY_REFERENCE)])
    .role(Role::NextIteration)
    .counts("T")
    .shape(same_as_input)
    .kernel(|op, cx| pass_on(cx, op.by_ref));

fn same_as_input<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.same_as_input(0);
    Ok(())
}

/// Forwards input 0 to output 0.
fn pass_on(cx: &mut Cx<'_, '_>, by_ref: bool) -> Result<()> {
    let value = pass(cx, 0, by_ref)?;
    cx.set_entry(0, value);
    Ok(())
}

attrs! {
    /// Decides whether a loop continues.
    pub struct LoopCond {}
}

pub static LOOP_COND: Def<LoopCond> = op("LoopCond")
    .inputs(&[arg("input", is(DType::Bool))])
    .outputs(&[arg("output", is(DType::Bool))])
    .role(Role::LoopCond)
    .forwards()
    .host_inputs(&[0])
    .host_outputs(&[0])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(|_, cx| pass_on(cx, false));

attrs! {
    /// Forwards `data` to the output that `pred` selects; the other output is dead.
    pub struct Switch {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Whether it forwards a reference.
        by_ref: bool = Attr::bool("by_ref").or_bool(false),
    }
}

const PRED: Arg = arg("pred", is(DType::Bool));
const OUTPUT_FALSE: Arg = arg("output_false", of("T"));
const OUTPUT_TRUE: Arg = arg("output_true", of("T"));

pub static SWITCH: Def<Switch> = op("Switch")
    .inputs(&[DATA, PRED])
    .outputs(&[OUTPUT_FALSE, OUTPUT_TRUE])
    .fixed(BY_VALUE)
    .also(&[form("RefSwitch")
        .doc("[`Switch`] for references.")
        .inputs(&[DATA.by_ref(), PRED])
        .outputs(&[OUTPUT_FALSE.by_ref(), OUTPUT_TRUE.by_ref()])
        .fixed(BY_REFERENCE)])
    .role(Role::Switch)
    .counts("T")
    .host_inputs(&[1])
    .shape(|_, cx| {
        cx.with_rank(1, 0)?;
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| {
        // If only one branch uses the value, the other contributes zeros.
        let (x, pred) = (g.input(0), g.input(1));
        let zeros = |branch: usize| SWITCH.call([x, pred]).out(branch).zeros_like();
        let either = |branch: usize| g.known_dy(branch).unwrap_or_else(|| zeros(branch));
        first(g, MERGE.call([either(0), either(1)]))
    })
    .kernel(|op, cx| {
        let taken = usize::from(scalar_pred(cx)?);
        let value = pass(cx, 0, op.by_ref)?;
        cx.set_entry(taken, value);
        cx.set_entry(1 - taken, Entry::Dead);
        Ok(())
    });

fn scalar_pred(cx: &Cx<'_, '_>) -> Result<bool> {
    let pred = cx.input(1)?;
    match pred.slice::<bool>()? {
        [value] if pred.shape().is_scalar() => Ok(*value),
        _ => Err(Error::invalid(format!("The second input must be a scalar, but it has shape {}", pred.shape()))),
    }
}

attrs! {
    /// Forwards `data` to the output with index `output_index`, or to the last one if the index is out of range; the
    /// others are dead.
    pub struct SwitchN {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Number of outputs.
        outputs: i64 = Attr::int("num_outs").at_least(1),
    }
}

pub static SWITCH_N: Def<SwitchN> = op("_SwitchN")
    .inputs(&[arg("data", of("T")), arg("output_index", is(DType::I32))])
    .outputs(&[arg("outputs", of("T")).times("num_outs")])
    .role(Role::Switch)
    .shape(|_, cx| {
        cx.with_rank(1, 0)?;
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(switch_n);

fn switch_n(_: &SwitchN, cx: &mut Cx<'_, '_>) -> Result<()> {
    if !cx.input(1)?.shape().is_scalar() {
        let shape = cx.input(1)?.shape();
        return Err(Error::invalid(format!("The second input must be a scalar, but it has shape {shape}")));
    }
    let index = cx.scalar::<i32>(1)?;
    let outputs = cx.num_outputs();
    let taken = usize::try_from(index).ok().filter(|&i| i < outputs).unwrap_or(outputs - 1);
    let value = pass(cx, 0, false)?;
    for i in 0..outputs {
        cx.set_entry(i, Entry::Dead);
    }
    cx.set_entry(taken, value);
    Ok(())
}

attrs! {
    /// Forwards the first of its inputs that arrives alive, and returns its index.
    pub struct Merge {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Number of inputs.
        n: i64 = Attr::int("N").at_least(1),
        /// Whether it forwards a reference.
        by_ref: bool = Attr::bool("by_ref").or_bool(false),
    }
}

const INPUTS: Arg = arg("inputs", of("T")).times("N");
const VALUE_INDEX: Arg = arg("value_index", is(DType::I32));

pub static MERGE: Def<Merge> = op("Merge")
    .inputs(&[INPUTS])
    .outputs(&[OUTPUT, VALUE_INDEX])
    .fixed(BY_VALUE)
    .also(&[form("RefMerge")
        .doc("[`Merge`] for references.")
        .inputs(&[INPUTS.by_ref()])
        .outputs(&[OUTPUT.by_ref(), VALUE_INDEX])
        .fixed(BY_REFERENCE)])
    .role(Role::Merge)
    .counts("T")
    .host_outputs(&[1])
    .shape(|_, cx| {
        let first = cx.input(0);
        let common = (1..cx.num_inputs()).fold(first, |common, i| common.relax(&cx.input(i)));
        cx.output(0, common);
        cx.output_scalar(1);
        Ok(())
    })
    .kernel(|op, cx| {
        let n = cx.num_inputs();
        let arrived = (0..n).find(|&i| !matches!(cx.entry(i), None | Some(Entry::Empty | Entry::Dead)));
        let arrived = arrived.ok_or_else(|| Error::internal("no input of the merge has arrived"))?;
        let value = pass(cx, arrived, op.by_ref)?;
        cx.set_entry(0, value);
        cx.set(1, Tensor::scalar(arrived as i32));
        Ok(())
    });
