//! Ops that change variables. A variable whose elements nobody else holds is changed in place, any other is copied first:
//! what was read of it stays.

use super::entry::{count, fits};
use super::moves::number;
use crate::device::Gpu;
use crate::ir::{Access, Bin, Builder, E, Program, Ty};
use levada_graph::{DType, Error, Op, Result, Shape, Tensor};
use levada_kernel::{AnyKernel, Cost, Io, KernelEntry};
use levada_ops::shared::{Real, Rule, Target, Update, check_addend, check_dense, place, together};
use levada_ops::types::*;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::sync::Arc;

/// The ops. Of the optimizers those whose rules compare numbers by [`Real::sign`] and [`Real::at_least`] only.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    [
        addition::<AssignAddVariableOp>(),
        addition::<AssignSubVariableOp>(),
        step::<ResourceApplyAdaMax>(),
        step::<ResourceApplyAdadelta>(),
        step::<ResourceApplyAdagrad>(),
        step::<ResourceApplyAdagradV2>(),
        step::<ResourceApplyAdam>(),
        step::<ResourceApplyAdamWithAmsgrad>(),
        step::<ResourceApplyAddSign>(),
        step::<ResourceApplyCenteredRMSProp>(),
        step::<ResourceApplyGradientDescent>(),
        step::<ResourceApplyKerasMomentum>(),
        step::<ResourceApplyMomentum>(),
        step::<ResourceApplyPowerSign>(),
        step::<ResourceApplyRMSProp>(),
    ]
    .into_iter()
}

/// Sees to it that nobody else holds a variable's elements.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` where memory runs out.
pub(super) fn own(gpu: &Gpu, node: &Arc<str>, value: &mut Tensor) -> Result<()> {
    if !value.is_unique() {
        *value = gpu.duplicate(node, value)?;
    }
    Ok(())
}

fn addition<T: Op>() -> KernelEntry<Gpu> {
    KernelEntry {
        op: T::SPEC.name,
        make: |op, gpu| {
            let dtype = super::entry::dtypes(op, op.spec().inputs)?.pop()?;
            let adds = fits(op, gpu, &[], &[]) && Ty::of(dtype).is_some_and(|ty| ty != Ty::Bool);
            let subtracts = op.spec().name.starts_with("AssignSub");
            adds.then(|| Arc::new(Addition { subtracts, gpu: gpu.clone() }) as Arc<dyn AnyKernel>)
        },
        host_inputs: &[],
    }
}

struct Addition {
    subtracts: bool,
    gpu: Arc<Gpu>,
}

impl AnyKernel for Addition {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let target = Target::of(io, 0)?;
        let delta = io.take(1)?;
        let node = &io.node().name;
        target.update(|value| {
            check_addend(value, &delta)?;
            let (dtype, size) = (value.dtype(), count(value.num_elements())?);
            if size == 0 {
                return Ok(());
            }
            let new = match value.is_unique() {
                true => value.clone(),
                false => self.gpu.alloc(node, dtype, value.shape())?,
            };
            let program = self.gpu.program("assign_add", &[number(dtype), u64::from(self.subtracts)], || {
                let mut b = Builder::new(if self.subtracts { "assign_sub" } else { "assign_add" });
                let (x, delta) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Read));
                let out = b.buffer(dtype, Access::Write);
                let size = b.param_u32();
                b.for_each(&size, |b, i| {
                    let (x, delta) = (b.let_(b.load(x, &i)), b.let_(b.load(delta, &i)));
                    b.store(out, &i, if self.subtracts { x - delta } else { x + delta });
                });
                b.finish()
            });
            self.gpu.launch(node, &program, size as usize, &[&*value, &delta, &new], &[size])?;
            *value = new;
            Ok(())
        })?;
        target.forward(io);
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

fn step<T: Update>() -> KernelEntry<Gpu> {
    KernelEntry {
        op: T::SPEC.name,
        make: |op, gpu| {
            let dtype = super::entry::dtypes(op, op.spec().inputs)?.pop()?;
            if !fits(op, gpu, &[], &[]) || !Ty::of(dtype).is_some_and(Ty::is_float) {
                return None;
            }
            let any: Arc<dyn std::any::Any + std::marker::Send + Sync> = op.clone();
            Some(Arc::new(Step { op: any.downcast::<T>().ok()?, gpu: gpu.clone() }))
        },
        host_inputs: &[],
    }
}

/// A step of an optimizer.
struct Step<T> {
    op: Arc<T>,
    gpu: Arc<Gpu>,
}

/// Buffers that every backend lets a program have.
const MOST_BUFFERS: usize = 8;

impl<T: Update> AnyKernel for Step<T> {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let hyper = T::Rule::HYPER;
        let node = io.node().name.clone();
        let targets: Vec<Target> = (0..T::SLOTS).map(|i| Target::of(io, i)).collect::<Result<_>>()?;
        let grad = io.input(place(&T::SPEC, "grad").or_else(|_| place(&T::SPEC, "delta"))?)?.clone();
        let mut numbers = Vec::new();
        for name in hyper {
            let value = io.input(place(&T::SPEC, name)?)?;
            if !value.shape().is_scalar() {
                return Err(Error::invalid(format!("{name} is not a scalar: {}", value.shape())));
            }
            numbers.push(value.clone());
        }
        let dtype = grad.dtype();
        let packed = T::SLOTS + 1 + numbers.len() > MOST_BUFFERS;
        together(&targets, |values| {
            check_dense(values, &grad)?;
            let size = count(grad.num_elements())?;
            if size == 0 {
                return Ok(());
            }
            if packed {
                numbers = vec![self.pack(&node, dtype, &numbers)?];
            }
            for value in values.iter_mut() {
                own(&self.gpu, &node, value)?;
            }
            let flag = self.op.flag();
            let key = [number(dtype), u64::from(flag)];
            let program = self.gpu.program(T::SPEC.name, &key, || program::<T>(dtype, flag, packed));
            let buffers: Vec<&Tensor> = values.iter().map(|v| &**v).chain([&grad]).chain(&numbers).collect();
            self.gpu.launch(&node, &program, size as usize, &buffers, &[size])
        })?;
        if let Some(variable) = targets.into_iter().next() {
            variable.forward(io);
        }
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

impl<T> Step<T> {
    /// Scalars side by side in one tensor.
    fn pack(&self, node: &Arc<str>, dtype: DType, numbers: &[Tensor]) -> Result<Tensor> {
        let out = self.gpu.alloc(node, dtype, &Shape::vector(numbers.len()))?;
        let program = self.gpu.program("pack_scalars", &[number(dtype), numbers.len() as u64], || {
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
        self.gpu.launch(node, &program, 1, &buffers, &[])?;
        Ok(out)
    }
}

fn program<T: Update>(dtype: DType, flag: bool, packed: bool) -> Program {
    let mut b = Builder::new(T::SPEC.name);
    let hyper = T::Rule::HYPER.len();
    let slots: Vec<_> = (0..T::SLOTS).map(|_| b.buffer(dtype, Access::Write)).collect();
    let grad = b.buffer(dtype, Access::Read);
    let numbers: Vec<_> = (0..if packed { 1 } else { hyper }).map(|_| b.buffer(dtype, Access::Read)).collect();
    let size = b.param_u32();
    let numbers: Vec<E> = (0..hyper as u32)
        .map(|i| {
            let number = if packed { b.load(numbers[0], i) } else { b.load(numbers[i as usize], 0u32) };
            b.let_(number)
        })
        .collect();
    b.for_each(&size, |b, i| {
        let values: Vec<E> = slots.iter().map(|&slot| b.load(slot, &i)).collect();
        let values: Vec<E> = values.into_iter().map(|v| b.let_(v)).collect();
        let grad = b.let_(b.load(grad, &i));
        let ty = grad.ty;
        let mut terms: Vec<Term> = values.into_iter().map(Term::of).collect();
        let hyper: Vec<Term> = numbers.iter().cloned().map(Term::of).collect();
        TYPE.set(ty);
        T::Rule::apply(&mut terms, Term::of(grad), &hyper, flag);
        let new: Vec<E> = terms.into_iter().map(|t| b.let_(t.get())).collect();
        for (&slot, value) in slots.iter().zip(new) {
            b.store(slot, &i, value);
        }
    });
    TERMS.with_borrow_mut(Vec::clear);
    b.finish()
}

thread_local! {
    /// What terms stand for, while a program is built.
    static TERMS: RefCell<Vec<E>> = const { RefCell::new(Vec::new()) };
    /// The type of constants.
    static TYPE: std::cell::Cell<Ty> = const { std::cell::Cell::new(Ty::F32) };
}

/// A number that is not known yet: what a rule makes of terms is an expression.
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

impl Real for Term {
    fn zero() -> Term {
        Term::from_f64(0.0)
    }
    fn one() -> Term {
        Term::from_f64(1.0)
    }
    fn sqrt(self) -> Term {
        Term::of(self.get().sqrt())
    }
    fn abs(self) -> Term {
        Term::of(self.get().abs())
    }
    fn powf(self, exponent: Term) -> Term {
        self.bin(Bin::Pow, exponent)
    }
    fn exp(self) -> Term {
        Term::of(self.get().exp())
    }
    fn from_f64(value: f64) -> Term {
        Term::of(E::num(TYPE.get(), value))
    }
    fn sign(self) -> Term {
        let x = self.get();
        let (zero, one) = (x.like(0.0), x.like(1.0));
        Term::of(x.gt(&zero).select(&one, x.lt(&zero).select(one.neg(), &x)))
    }
    fn at_least(self, low: Term) -> Term {
        let (x, low) = (self.get(), low.get());
        Term::of(x.lt(&low).select(&low, &x))
    }
}
