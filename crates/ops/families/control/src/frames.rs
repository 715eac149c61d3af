//! The ops of version 1 control flow. The executor knows them by their roles and decides where their outputs go; the
//! kernels only move values.

use crate::flow::pass;
use crate::prelude::*;

macro_rules! moves {
    ($($(#[doc = $doc:literal])* $name:ident($role:ident, $ref:expr) { $($attr:tt)* })*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
                $($attr)*
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                counts: Some("T"),
                inputs: &[Arg { is_ref: $ref, ..arg("data", of("T")) }],
                outputs: &[Arg { is_ref: $ref, ..arg("output", of("T")) }],
                role: Role::$role,
                allows_uninitialized: $ref,
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let value = pass(cx, 0, $ref)?;
                cx.set_entry(0, value);
                Ok(())
            }
        }
    )*};
}

moves! {
    /// Takes its input into a child frame.
    Enter(Enter, false) {
        /// Name of the frame.
        frame_name: Bytes = Attr::string("frame_name"),
        /// True where every iteration sees the value, not only the first.
        is_constant: bool = Attr::bool("is_constant").or_bool(false),
        /// Iterations that may be under way at once.
        parallel_iterations: i64 = Attr::int("parallel_iterations").or_int(10),
    }
    /// [`Enter`] for references.
    RefEnter(Enter, true) {
        /// Name of the frame.
        frame_name: Bytes = Attr::string("frame_name"),
        /// True where every iteration sees the value, not only the first.
        is_constant: bool = Attr::bool("is_constant").or_bool(false),
        /// Iterations that may be under way at once.
        parallel_iterations: i64 = Attr::int("parallel_iterations").or_int(10),
    }
    /// Takes its input out of the frame.
    Exit(Exit, false) {}
    /// [`Exit`] for references.
    RefExit(Exit, true) {}
    /// Takes its input into the next iteration.
    NextIteration(NextIteration, false) {}
    /// [`NextIteration`] for references.
    RefNextIteration(NextIteration, true) {}
}

attrs! {
    /// Says whether a loop goes on.
    pub struct LoopCond {}
}

impl Op for LoopCond {
    const SPEC: Spec = Spec {
        name: "LoopCond",
        inputs: &[arg("input", is(DType::Bool))],
        outputs: &[arg("output", is(DType::Bool))],
        role: Role::LoopCond,
        forwards: true,
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for LoopCond {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let value = pass(cx, 0, false)?;
        cx.set_entry(0, value);
        Ok(())
    }
}

macro_rules! switches {
    ($($(#[doc = $doc:literal])* $name:ident($ref:expr);)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                counts: Some("T"),
                inputs: &[Arg { is_ref: $ref, ..arg("data", of("T")) }, arg("pred", is(DType::Bool))],
                outputs: &[
                    Arg { is_ref: $ref, ..arg("output_false", of("T")) },
                    Arg { is_ref: $ref, ..arg("output_true", of("T")) },
                ],
                role: Role::Switch,
                allows_uninitialized: $ref,
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.with_rank(1, 0)?;
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let taken = usize::from(scalar_pred(cx)?);
                let value = pass(cx, 0, $ref)?;
                cx.set_entry(taken, value);
                cx.set_entry(1 - taken, Entry::Dead);
                Ok(())
            }
        }
    )*};
}

switches! {
    /// Passes its data to the output that `pred` chooses; the other is dead.
    Switch(false);
    /// [`Switch`] for references.
    RefSwitch(true);
}

fn scalar_pred(cx: &Cx<'_, '_>) -> Result<bool> {
    let pred = cx.input(1)?;
    match pred.slice::<bool>()? {
        [value] if pred.shape().is_scalar() => Ok(*value),
        _ => Err(Error::invalid(format!("The second input must be a scalar, but it has shape {}", pred.shape()))),
    }
}

attrs! {
    /// Passes its data to the output that `output_index` chooses, to the last where there is no such output; the others
    /// are dead.
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

macro_rules! merges {
    ($($(#[doc = $doc:literal])* $name:ident($ref:expr);)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
                /// Number of inputs.
                n: i64 = Attr::int("N").at_least(1),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                counts: Some("T"),
                inputs: &[Arg { is_ref: $ref, ..arg("inputs", of("T")).times("N") }],
                outputs: &[
                    Arg { is_ref: $ref, ..arg("output", of("T")) },
                    arg("value_index", is(DType::I32)),
                ],
                role: Role::Merge,
                allows_uninitialized: $ref,
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let first = cx.input(0);
                let common = (1..cx.num_inputs()).fold(first, |common, i| common.relax(&cx.input(i)));
                cx.output(0, common);
                cx.output_scalar(1);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let arrived = (0..cx.num_inputs()).find(|&i| !matches!(cx.entry(i), None | Some(Entry::Empty | Entry::Dead)));
                let arrived = arrived.ok_or_else(|| Error::internal("no input of the merge has arrived"))?;
                let value = pass(cx, arrived, $ref)?;
                cx.set_entry(0, value);
                cx.set(1, Tensor::scalar(arrived as i32));
                Ok(())
            }
        }
    )*};
}

merges! {
    /// Passes on the first of its inputs that arrives alive, and says which it was.
    Merge(false);
    /// [`Merge`] for references.
    RefMerge(true);
}
