//! `RefIdentity`, `RefSelect` and `IsVariableInitialized`: ops on references that do not modify the variable.

use crate::prelude::*;
use crate::rules::pass;
use crate::variable::Target;

attrs! {
    /// Forwards its reference.
    pub struct RefIdentity {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static REF_IDENTITY: Def<RefIdentity> = op("RefIdentity")
    .inputs(&[arg("input", of("T")).by_ref()])
    .outputs(&[arg("output", of("T")).by_ref()])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| pass(g))
    .kernel(|_, cx| {
        let cell = cx.ref_input(0)?.clone();
        cx.set_entry(0, Entry::Ref(cell));
        Ok(())
    });

attrs! {
    /// Forwards the reference selected by `index`.
    pub struct RefSelect {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Number of references.
        n: i64 = Attr::int("N").at_least(1),
    }
}

pub static REF_SELECT: Def<RefSelect> = op("RefSelect")
    .inputs(&[arg("index", is(DType::I32)), arg("inputs", of("T")).by_ref().times("N")])
    .outputs(&[arg("output", of("T")).by_ref()])
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        let common = (2..cx.num_inputs()).fold(cx.input(1), |common, i| common.relax(&cx.input(i)));
        cx.output(0, common);
        Ok(())
    })
    .kernel(ref_select);

fn ref_select(_: &RefSelect, cx: &mut Cx<'_, '_>) -> Result<()> {
    let index = cx.input(0)?;
    if !index.shape().is_scalar() {
        return Err(Error::invalid(format!("Index must be a scalar, but it has shape {}", index.shape())));
    }
    let (index, n) = (index.item::<i32>()?, cx.num_inputs() - 1);
    let chosen = usize::try_from(index).ok().filter(|&i| i < n);
    let chosen =
        chosen.ok_or_else(|| Error::invalid(format!("Index must be in the range [0, {n}) but got {index}")))?;
    let cell = cx.ref_input(chosen + 1)?.clone();
    cx.set_entry(0, Entry::Ref(cell));
    Ok(())
}

attrs! {
    /// Returns whether a reference variable is initialized.
    pub struct IsVariableInitialized {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
    }
}

pub static IS_VARIABLE_INITIALIZED: Def<IsVariableInitialized> = op("IsVariableInitialized")
    .inputs(&[arg("ref", of("dtype")).by_ref()])
    .outputs(&[arg("is_initialized", is(DType::Bool))])
    .stateful()
    .effect(Effect::Own)
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .host_outputs(&[0])
    .kernel(|_, cx| {
        let set = Target::of(cx, 0)?.cell.value.read().is_some();
        cx.set(0, Tensor::scalar(set));
        Ok(())
    });
