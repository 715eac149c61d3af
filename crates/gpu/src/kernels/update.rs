//! Ops that change variables. A variable whose elements are not shared is changed in place, any other is copied first:
//! tensors that were read from it do not change.

use super::entry::{self, Cx, cell, count};
use super::moves::{in_range, number};
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Bin, Builder, E, Program, Ty};
use levada_graph::{DType, Error, Result, Shape, Tensor};
use levada_kernel::def::{Cell, CellOfDef};
use levada_kernel::{Def, KernelEntry};
use levada_ops::shared::{
    Facts, Field, Formula, Real, Step, Target, check_addend, check_dense, check_sparse, together,
};
use levada_ops::types::*;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::sync::Arc;

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &cell(&ASSIGN_ADD, |_, cx| addition(cx, false)).supports(|op| adds(op.dtype)),
    &cell(&ASSIGN_ADD_VARIABLE_OP, |_, cx| addition(cx, false)).supports(|op| adds(op.dtype)),
    &cell(&ASSIGN_SUB, |_, cx| addition(cx, true)).supports(|op| adds(op.dtype)),
    &cell(&ASSIGN_SUB_VARIABLE_OP, |_, cx| addition(cx, true)).supports(|op| adds(op.dtype)),
    &dense::<AdaMax>(&APPLY_ADA_MAX),
    &dense::<Adadelta>(&APPLY_ADADELTA),
    &dense::<Adagrad>(&APPLY_ADAGRAD),
    &dense::<AdagradV2>(&APPLY_ADAGRAD_V2),
    &dense::<Adam>(&APPLY_ADAM),
    &dense::<AdamWithAmsgrad>(&APPLY_ADAM_WITH_AMSGRAD),
    &dense::<AddSign>(&APPLY_ADD_SIGN),
    &dense::<CenteredRMSProp>(&APPLY_CENTERED_RMS_PROP),
    &dense::<Ftrl>(&APPLY_FTRL),
    &dense::<FtrlV2>(&APPLY_FTRL_V2),
    &dense::<GradientDescent>(&APPLY_GRADIENT_DESCENT),
    &dense::<KerasMomentum>(&APPLY_KERAS_MOMENTUM),
    &dense::<Momentum>(&APPLY_MOMENTUM),
    &dense::<PowerSign>(&APPLY_POWER_SIGN),
    &dense::<ProximalAdagrad>(&APPLY_PROXIMAL_ADAGRAD),
    &dense::<ProximalGradientDescent>(&APPLY_PROXIMAL_GRADIENT_DESCENT),
    &dense::<RMSProp>(&APPLY_RMS_PROP),
    &sparse::<Adadelta>(&SPARSE_APPLY_ADADELTA),
    &sparse::<Adagrad>(&SPARSE_APPLY_ADAGRAD),
    &sparse::<AdagradV2>(&SPARSE_APPLY_ADAGRAD_V2),
    &sparse::<CenteredRMSProp>(&SPARSE_APPLY_CENTERED_RMS_PROP),
    &sparse::<Ftrl>(&SPARSE_APPLY_FTRL),
    &sparse::<FtrlV2>(&SPARSE_APPLY_FTRL_V2),
    &sparse::<KerasMomentum>(&SPARSE_APPLY_KERAS_MOMENTUM),
    &sparse::<Momentum>(&SPARSE_APPLY_MOMENTUM),
    &sparse::<ProximalAdagrad>(&SPARSE_APPLY_PROXIMAL_ADAGRAD),
    &sparse::<ProximalGradientDescent>(&SPARSE_APPLY_PROXIMAL_GRADIENT_DESCENT),
    &sparse::<RMSProp>(&SPARSE_APPLY_RMS_PROP),
];

/// True for dtypes that programs can add.
fn adds(dtype: DType) -> bool {
    Ty::of(dtype).is_some_and(|ty| ty != Ty::Bool)
}

fn addition(cx: &mut Cx<'_, '_>, subtracts: bool) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let delta = cx.take(1)?;
    target.update(|value| {
        check_addend(value, &delta)?;
        add_to(cx.device, &cx.node().name, value, &delta, subtracts)
    })?;
    target.forward(cx);
    Ok(())
}

/// Adds `delta` to `value` or subtracts it, in place if the elements are not shared.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if memory runs out.
pub(super) fn add_to(gpu: &Gpu, node: &Arc<str>, value: &mut Tensor, delta: &Tensor, subtracts: bool) -> Result<()> {
    let (dtype, size) = (value.dtype(), count(value.num_elements())?);
    if size == 0 {
        return Ok(());
    }
    if !adds(dtype) {
        return Err(Error::invalid(format!("tensors of type {dtype} cannot be added")));
    }
    let new = match value.is_unique() {
        true => value.clone(),
        false => gpu.alloc(node, dtype, value.shape())?,
    };
    let program = gpu.program("assign_add", &[number(dtype), u64::from(subtracts)], || {
        let mut b = Builder::new(if subtracts { "assign_sub" } else { "assign_add" });
        let (x, delta) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Read));
        let out = b.buffer(dtype, Access::Write);
        let size = b.param_u32();
        b.for_each(&size, |b, i| {
            let (x, delta) = (b.let_(b.load(x, &i)), b.let_(b.load(delta, &i)));
            b.store(out, &i, if subtracts { x - delta } else { x + delta });
        });
        b.finish()
    });
    gpu.launch(node, &program, size as usize, &[&*value, delta, &new], &[size])?;
    *value = new;
    Ok(())
}

/// A step of an optimizer on a whole variable.
const fn dense<R: Formula<Term>>(def: &'static Def<Step>) -> Cell<Gpu, Step> {
    cell(def, step::<R>).supports(|op| handles(op, R::FACTS.refuses(false)))
}

/// A step of an optimizer on some rows of a variable.
const fn sparse<R: Formula<Term>>(def: &'static Def<Step>) -> Cell<Gpu, Step> {
    cell(def, step::<R>).supports(|op| handles(op, R::FACTS.refuses(true)))
}

/// True for floats; if the host checks the hyperparameters, they are parameters, which have 32 bits.
fn handles(op: &Step, checked: bool) -> bool {
    Ty::of(op.dtype).is_some_and(Ty::is_float) && (op.dtype != DType::F64 || !checked)
}

/// Number of buffers that every backend supports in a program.
const MOST_BUFFERS: usize = 8;

/// Where a program finds the hyperparameters of a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// Each in a buffer of its own.
    Apart,
    /// All in one buffer.
    Packed,
    /// Among the parameters.
    Params,
}

fn step<R: Formula<Term>>(op: &Step, cx: &mut Cx<'_, '_>) -> Result<()> {
    apply(&R::FACTS, R::apply, op, cx)
}

/// A formula as a program computes it.
type Apply = fn(&mut [Term], Term, &[Term], bool);

fn apply(facts: &Facts, formula: Apply, op: &Step, cx: &mut Cx<'_, '_>) -> Result<()> {
    let of_rows = facts.is_of_rows(cx.num_inputs());
    let slots = facts.slots.len();
    let targets: Vec<Target> = (0..slots).map(|i| Target::of(cx, i)).collect::<Result<_>>()?;
    let grad = cx.input(facts.gradient())?;
    let mut numbers = Vec::new();
    for (name, i) in facts.numbers(of_rows) {
        let value = cx.input(i)?;
        if !value.shape().is_scalar() {
            return Err(Error::invalid(format!("{name} is not a scalar: {}", value.shape())));
        }
        numbers.push(value.clone());
    }
    let indices = if of_rows { Some(cx.input(facts.gradient() + 1)?) } else { None };
    let mut params = Vec::new();
    let dtype = grad.dtype();
    let kept = match () {
        () if facts.refuses(of_rows) => {
            let values: Vec<f32> = numbers.drain(..).map(|n| single(&n)).collect::<Result<_>>()?;
            facts.check(of_rows, &values.iter().map(|&v| f64::from(v)).collect::<Vec<f64>>())?;
            params.extend(values.iter().map(|v| v.to_bits()));
            Numbers::Params
        }
        () if slots + 1 + numbers.len() + usize::from(of_rows) > MOST_BUFFERS => Numbers::Packed,
        () => Numbers::Apart,
    };
    together(&targets, &mut |values| {
        match indices {
            Some(indices) => check_sparse(facts, values, grad, indices.shape())?,
            None => check_dense(values, grad)?,
        }
        let size = count(grad.num_elements())?;
        if size == 0 {
            return Ok(());
        }
        if kept == Numbers::Packed {
            numbers = vec![pack(cx, dtype, &numbers)?];
        }
        for value in values.iter_mut() {
            cx.device.unshare(&cx.node().name, value)?;
        }
        let (flag, index) = (facts.variant(op), indices.map(Tensor::dtype));
        let key = [number(dtype), u64::from(flag), index.map_or(0, |i| 1 + number(i))];
        let build = || program(facts, formula, flag, &Operands { dtype, kept, index });
        let program = cx.device.program(facts.name, &key, build);
        let buffers: Vec<&Tensor> = values.iter().map(|v| &**v).chain([grad]).chain(&numbers).chain(indices).collect();
        let Some(indices) = indices else {
            params.insert(0, size);
            return cx.launch(&program, size as usize, &buffers, &params);
        };
        let (rows, limit) = (count(indices.num_elements())?, count(values[0].shape()[0])?);
        params.splice(0..0, [rows, size / rows, limit]);
        cx.launch_groups(&program, rows as usize, &buffers, &params)
    })?;
    if let Some(variable) = targets.into_iter().next() {
        variable.forward(cx);
    }
    Ok(())
}

/// The value of a scalar on the host.
fn single(value: &Tensor) -> Result<f32> {
    match value.dtype() {
        DType::F32 => value.item::<f32>(),
        DType::F16 => value.item::<half::f16>().map(half::f16::to_f32),
        DType::BF16 => value.item::<half::bf16>().map(half::bf16::to_f32),
        other => Err(Error::unimplemented(format!("training with numbers of type {other}"))),
    }
}

/// Packs scalars into one tensor.
fn pack(cx: &Cx<'_, '_>, dtype: DType, numbers: &[Tensor]) -> Result<Tensor> {
    let out = cx.alloc(dtype, &Shape::vector(numbers.len()))?;
    let program = cx.device.program("pack_scalars", &[number(dtype), numbers.len() as u64], || {
        let mut b = Builder::new("pack_scalars");
        b.group_size(32);
        let all: Vec<_> = numbers.iter().map(|_| b.buffer(dtype, Access::Read)).collect();
        let out = b.buffer(dtype, Access::Write);
        b.if_((E::group() + E::local()).eq(0u32), |b| {
            for (i, &x) in all.iter().enumerate() {
                b.store(out, i as u32, b.load(x, 0u32));
            }
        });
        b.finish()
    });
    let buffers: Vec<&Tensor> = numbers.iter().chain([&out]).collect();
    cx.launch(&program, 1, &buffers, &[])?;
    Ok(out)
}

/// The operands of a program of a step.
struct Operands {
    dtype: DType,
    kept: Numbers,
    /// The dtype of row indices; `None` for a step on a whole variable.
    index: Option<DType>,
}

fn program(facts: &Facts, formula: Apply, flag: bool, operands: &Operands) -> Program {
    let &Operands { dtype, kept, index } = operands;
    let mut b = Builder::new(facts.name);
    let hyper = facts.numbers(index.is_some()).count();
    let slots: Vec<_> = facts.slots.iter().map(|_| b.buffer(dtype, Access::Write)).collect();
    let grad = b.buffer(dtype, Access::Read);
    let tensors = match kept {
        Numbers::Apart => hyper,
        Numbers::Packed => 1,
        Numbers::Params => 0,
    };
    let tensors: Vec<_> = (0..tensors).map(|_| b.buffer(dtype, Access::Read)).collect();
    let indices = index.map(|index| b.buffer(index, Access::Read));
    let sizes: Vec<E> = (0..if index.is_some() { 3 } else { 1 }).map(|_| b.param_u32()).collect();
    let numbers: Vec<E> = (0..hyper as u32)
        .map(|i| match kept {
            Numbers::Apart => b.let_(b.load(tensors[i as usize], 0u32)),
            Numbers::Packed => b.let_(b.load(tensors[0], i)),
            Numbers::Params => b.param(Ty::F32),
        })
        .collect();
    // The element at `at` changed by element `from` of the gradient.
    let change = |b: &mut Builder, at: &E, from: &E| {
        let values: Vec<E> = slots.iter().map(|&slot| b.load(slot, at)).collect();
        let values: Vec<E> = values.into_iter().map(|v| b.let_(v)).collect();
        let grad = b.let_(b.load(grad, from));
        let ty = grad.ty;
        let mut terms: Vec<Term> = values.into_iter().map(Term::of).collect();
        let hyper: Vec<Term> = numbers.iter().cloned().map(Term::of).collect();
        TYPE.set(ty);
        formula(&mut terms, Term::of(grad), &hyper, flag);
        let new: Vec<E> = terms.into_iter().map(|t| b.let_(t.get())).collect();
        for (&slot, value) in slots.iter().zip(new) {
            b.store(slot, at, value);
        }
    };
    match indices {
        None => b.for_each(&sizes[0], |b, i| change(b, &i, &i)),
        // A group takes a row of the variable, at the first of the indices that name it, and applies all of its updates
        // in order.
        Some(indices) => {
            let [rows, width, limit] = &sizes[..] else { return b.finish() };
            b.for_(E::group(), rows, E::groups(), |b, row| {
                let index = b.let_(b.load(indices, &row));
                let fresh = b.let_(in_range(&index, limit));
                let earlier = b.let_(E::u32(0));
                b.while_(&fresh & earlier.lt(&row), |b| {
                    b.set(&fresh, b.load(indices, &earlier).ne(&index));
                    b.set(&earlier, &earlier + 1u32);
                });
                b.if_(&fresh, |b| {
                    b.for_(&row, rows, 1u32, |b, later| {
                        b.if_(b.load(indices, &later).eq(&index), |b| {
                            b.for_(E::local(), width, 256u32, |b, column| {
                                let at = b.let_(index.to(Ty::U32) * width + &column);
                                let from = b.let_(&later * width + &column);
                                change(b, &at, &from);
                            });
                        });
                    });
                });
            });
        }
    }
    TERMS.with_borrow_mut(Vec::clear);
    b.finish()
}

thread_local! {
    /// The expressions that terms stand for, while a program is built.
    static TERMS: RefCell<Vec<E>> = const { RefCell::new(Vec::new()) };
    /// The type of constants.
    static TYPE: std::cell::Cell<Ty> = const { std::cell::Cell::new(Ty::F32) };
}

/// A value that is not known yet: what a rule computes from terms is an expression.
#[derive(Clone, Copy)]
struct Term(usize);

impl Term {
    fn of(e: E) -> Term {
        TERMS.with_borrow_mut(|terms| {
            terms.push(e);
            Term(terms.len() - 1)
        })
    }

    fn get(self) -> E {
        TERMS.with_borrow(|terms| terms[self.0].clone())
    }

    fn bin(self, f: Bin, other: Term) -> Term {
        Term::of(self.get().bin(f, other.get()))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident;)*) => {$(
        impl $trait for Term {
            type Output = Term;
            fn $method(self, other: Term) -> Term {
                self.bin(Bin::$trait, other)
            }
        }
    )*};
}

operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl Neg for Term {
    type Output = Term;
    fn neg(self) -> Term {
        Term::of(self.get().neg())
    }
}

impl AddAssign for Term {
    fn add_assign(&mut self, other: Term) {
        *self = *self + other;
    }
}

impl SubAssign for Term {
    fn sub_assign(&mut self, other: Term) {
        *self = *self - other;
    }
}

impl PartialEq for Term {
    fn eq(&self, _: &Term) -> bool {
        false
    }
}

impl PartialOrd for Term {
    /// Not known before the run.
    fn partial_cmp(&self, _: &Term) -> Option<Ordering> {
        None
    }
}

impl Field for Term {
    fn zero() -> Term {
        Term::from_f64(0.0)
    }
    fn one() -> Term {
        Term::from_f64(1.0)
    }
    fn sqrt(self) -> Term {
        Term::of(self.get().sqrt())
    }
    fn from_f64(value: f64) -> Term {
        Term::of(E::num(TYPE.get(), value))
    }
}

impl Real for Term {
    fn abs(self) -> Term {
        Term::of(self.get().abs())
    }
    fn powf(self, exponent: Term) -> Term {
        self.bin(Bin::Pow, exponent)
    }
    fn exp(self) -> Term {
        Term::of(self.get().exp())
    }
    fn sign(self) -> Term {
        let x = self.get();
        let (zero, one) = (x.like(0.0), x.like(1.0));
        Term::of(x.gt(&zero).select(&one, x.lt(&zero).select(one.neg(), &x)))
    }
    fn if_above(self, other: Term, yes: impl FnOnce() -> Term, no: impl FnOnce() -> Term) -> Term {
        let above = self.get().gt(other.get());
        Term::of(above.select(yes().get(), no().get()))
    }
    fn if_equal(self, other: Term, yes: impl FnOnce() -> Term, no: impl FnOnce() -> Term) -> Term {
        let equal = self.get().eq(other.get());
        Term::of(equal.select(yes().get(), no().get()))
    }
    fn at_least(self, low: Term) -> Term {
        let (x, low) = (self.get(), low.get());
        Term::of(x.lt(&low).select(&low, &x))
    }
}
