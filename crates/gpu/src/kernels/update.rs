//! Ops that change variables. A variable whose elements nobody else holds is changed in place, any other is copied first:
//! what was read of it stays.

use super::entry::{count, fits};
use super::moves::{in_range, number};
use crate::device::Gpu;
use crate::ir::{Access, Bin, Builder, E, Program, Ty};
use levada_graph::spec::Spec;
use levada_graph::{AnyOp, DType, Error, Op, Result, Shape, Tensor};
use levada_kernel::kernel::Make;
use levada_kernel::{AnyKernel, Cost, Io, KernelEntry};
use levada_ops::shared::{Real, Rule, Target, Update, check_addend, check_dense, check_sparse, place, together};
use levada_ops::types::*;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::sync::Arc;

/// The ops.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    [
        addition::<AssignAdd>(),
        addition::<AssignAddVariableOp>(),
        addition::<AssignSub>(),
        addition::<AssignSubVariableOp>(),
        step::<ApplyAdaMax>(),
        step::<ApplyAdadelta>(),
        step::<ApplyAdagrad>(),
        step::<ApplyAdagradV2>(),
        step::<ApplyAdam>(),
        step::<ApplyAddSign>(),
        step::<ApplyCenteredRMSProp>(),
        step::<ApplyFtrl>(),
        step::<ApplyFtrlV2>(),
        step::<ApplyGradientDescent>(),
        step::<ApplyMomentum>(),
        step::<ApplyPowerSign>(),
        step::<ApplyProximalAdagrad>(),
        step::<ApplyProximalGradientDescent>(),
        step::<ApplyRMSProp>(),
        step::<ResourceApplyAdaMax>(),
        step::<ResourceApplyAdadelta>(),
        step::<ResourceApplyAdagrad>(),
        step::<ResourceApplyAdagradV2>(),
        step::<ResourceApplyAdam>(),
        step::<ResourceApplyAdamWithAmsgrad>(),
        step::<ResourceApplyAddSign>(),
        step::<ResourceApplyCenteredRMSProp>(),
        step::<ResourceApplyFtrl>(),
        step::<ResourceApplyFtrlV2>(),
        step::<ResourceApplyGradientDescent>(),
        step::<ResourceApplyKerasMomentum>(),
        step::<ResourceApplyMomentum>(),
        step::<ResourceApplyPowerSign>(),
        step::<ResourceApplyProximalAdagrad>(),
        step::<ResourceApplyProximalGradientDescent>(),
        step::<ResourceApplyRMSProp>(),
        step::<ResourceSparseApplyAdadelta>(),
        step::<ResourceSparseApplyAdagrad>(),
        step::<ResourceSparseApplyAdagradV2>(),
        step::<ResourceSparseApplyCenteredRMSProp>(),
        step::<ResourceSparseApplyFtrl>(),
        step::<ResourceSparseApplyFtrlV2>(),
        step::<ResourceSparseApplyKerasMomentum>(),
        step::<ResourceSparseApplyMomentum>(),
        step::<ResourceSparseApplyProximalAdagrad>(),
        step::<ResourceSparseApplyProximalGradientDescent>(),
        step::<ResourceSparseApplyRMSProp>(),
        step::<SparseApplyAdadelta>(),
        step::<SparseApplyAdagrad>(),
        step::<SparseApplyAdagradV2>(),
        step::<SparseApplyCenteredRMSProp>(),
        step::<SparseApplyFtrl>(),
        step::<SparseApplyFtrlV2>(),
        step::<SparseApplyMomentum>(),
        step::<SparseApplyProximalAdagrad>(),
        step::<SparseApplyProximalGradientDescent>(),
        step::<SparseApplyRMSProp>(),
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
        make: Make::Fn(|op, gpu| {
            let dtype = super::entry::dtypes(op, op.spec().inputs)?.pop()?;
            let adds = fits(op, gpu, &[], &[]) && Ty::of(dtype).is_some_and(|ty| ty != Ty::Bool);
            let subtracts = op.spec().name.starts_with("AssignSub");
            adds.then(|| Arc::new(Addition { subtracts, gpu: gpu.clone() }) as Arc<dyn AnyKernel>)
        }),
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
            add_to(&self.gpu, node, value, &delta, self.subtracts)
        })?;
        target.forward(io);
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

/// Adds `delta` to `value` or subtracts it, in place where nobody else holds the elements.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` where memory runs out.
pub(super) fn add_to(gpu: &Gpu, node: &Arc<str>, value: &mut Tensor, delta: &Tensor, subtracts: bool) -> Result<()> {
    let (dtype, size) = (value.dtype(), count(value.num_elements())?);
    if size == 0 {
        return Ok(());
    }
    if !Ty::of(dtype).is_some_and(|ty| ty != Ty::Bool) {
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

/// What a step needs to know of its op.
struct Facts {
    spec: &'static Spec,
    /// Number of variables that it changes: the first inputs.
    slots: usize,
    /// Names of the numbers that the rule takes.
    hyper: &'static [&'static str],
    /// True where the rule refuses some numbers.
    checks: bool,
    /// The inputs that the host must see: the numbers of rules that refuse some. They go to the program as parameters.
    host: &'static [isize],
    check: fn(&[f64]) -> Result<()>,
    check_sparse: fn(&[&mut Tensor], &Tensor, &Shape) -> Result<()>,
    apply: fn(&mut [Term], Term, &[Term], bool),
}

struct Of<T>(std::marker::PhantomData<T>);

impl<T: Update> Of<T> {
    const PLACES: ([isize; 8], usize) = {
        let (mut places, mut count, mut i) = ([0; 8], 0, T::SLOTS);
        while i < T::SPEC.inputs.len() && T::Rule::CHECKS_NUMBERS {
            let name = T::SPEC.inputs[i].name.as_bytes();
            // Neither the gradient nor the indices.
            if name[0] != b'g' && name[0] != b'd' && name[0] != b'i' {
                places[count] = i as isize;
                count += 1;
            }
            i += 1;
        }
        (places, count)
    };
    const FACTS: &'static Facts = &Facts {
        spec: &T::SPEC,
        slots: T::SLOTS,
        hyper: T::Rule::HYPER,
        checks: T::Rule::CHECKS_NUMBERS,
        host: Self::PLACES.0.split_at(Self::PLACES.1).0,
        check: T::Rule::check,
        check_sparse: check_sparse::<T::Rule>,
        apply: T::Rule::apply::<Term>,
    };
}

fn step<T: Update>() -> KernelEntry<Gpu> {
    KernelEntry {
        op: T::SPEC.name,
        make: Make::Fn(|op, gpu| {
            let any: Arc<dyn std::any::Any + std::marker::Send + Sync> = op.clone();
            let flag = any.downcast::<T>().ok()?.flag();
            Step::kernel(Of::<T>::FACTS, op, flag, gpu)
        }),
        host_inputs: Of::<T>::FACTS.host,
    }
}

/// A step of an optimizer.
struct Step {
    facts: &'static Facts,
    /// The optimizer's variant.
    flag: bool,
    gpu: Arc<Gpu>,
}

impl Step {
    fn kernel(facts: &'static Facts, op: &Arc<dyn AnyOp>, flag: bool, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
        let spec = facts.spec;
        let grad = place(spec, "grad").or_else(|_| place(spec, "delta")).ok()?;
        let dtype = *super::entry::dtypes(op, spec.inputs)?.get(grad)?;
        let handled = Ty::of(dtype).is_some_and(Ty::is_float) && (dtype != DType::F64 || facts.host.is_empty());
        if !fits(op, gpu, facts.host, &[]) || !handled {
            return None;
        }
        Some(Arc::new(Step { facts, flag, gpu: gpu.clone() }))
    }
}

/// Buffers that every backend lets a program have.
const MOST_BUFFERS: usize = 8;

/// Where a program finds the numbers of a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// Each in a buffer of its own.
    Apart,
    /// All in one buffer.
    Packed,
    /// Among the parameters.
    Params,
}

impl AnyKernel for Step {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let facts = self.facts;
        let spec = facts.spec;
        let node = io.node().name.clone();
        let targets: Vec<Target> = (0..facts.slots).map(|i| Target::of(io, i)).collect::<Result<_>>()?;
        let grad = io.input(place(spec, "grad").or_else(|_| place(spec, "delta"))?)?.clone();
        let mut numbers = Vec::new();
        for name in facts.hyper {
            let value = io.input(place(spec, name)?)?;
            if !value.shape().is_scalar() {
                return Err(Error::invalid(format!("{name} is not a scalar: {}", value.shape())));
            }
            numbers.push(value.clone());
        }
        let indices = match place(spec, "indices") {
            Ok(i) => Some(io.input(i)?.clone()),
            Err(_) => None,
        };
        let mut params = Vec::new();
        let dtype = grad.dtype();
        let kept = match () {
            () if facts.checks => {
                let values: Vec<f32> = numbers.drain(..).map(|n| single(&n)).collect::<Result<_>>()?;
                (facts.check)(&values.iter().map(|&v| f64::from(v)).collect::<Vec<f64>>())?;
                params.extend(values.iter().map(|v| v.to_bits()));
                Numbers::Params
            }
            () if facts.slots + 1 + numbers.len() + usize::from(indices.is_some()) > MOST_BUFFERS => Numbers::Packed,
            () => Numbers::Apart,
        };
        together(&targets, &mut |values| {
            match &indices {
                Some(indices) => (facts.check_sparse)(values, &grad, indices.shape())?,
                None => check_dense(values, &grad)?,
            }
            let size = count(grad.num_elements())?;
            if size == 0 {
                return Ok(());
            }
            if kept == Numbers::Packed {
                numbers = vec![self.pack(&node, dtype, &numbers)?];
            }
            for value in values.iter_mut() {
                own(&self.gpu, &node, value)?;
            }
            let (flag, index) = (self.flag, indices.as_ref().map(Tensor::dtype));
            let key = [number(dtype), u64::from(flag), index.map_or(0, |i| 1 + number(i))];
            let program = self.gpu.program(spec.name, &key, || program(facts, dtype, flag, kept, index));
            let buffers: Vec<&Tensor> =
                values.iter().map(|v| &**v).chain([&grad]).chain(&numbers).chain(&indices).collect();
            let Some(indices) = &indices else {
                params.insert(0, size);
                return self.gpu.launch(&node, &program, size as usize, &buffers, &params);
            };
            let (rows, limit) = (count(indices.num_elements())?, count(values[0].shape()[0])?);
            params.splice(0..0, [rows, size / rows, limit]);
            self.gpu.launch_groups(&node, &program, rows as usize, &buffers, &params)
        })?;
        if let Some(variable) = targets.into_iter().next() {
            variable.forward(io);
        }
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Cheap
    }
    fn host_inputs(&self) -> &'static [isize] {
        self.facts.host
    }
}

/// The number in a scalar of the host.
fn single(value: &Tensor) -> Result<f32> {
    match value.dtype() {
        DType::F32 => value.item::<f32>(),
        DType::F16 => value.item::<half::f16>().map(half::f16::to_f32),
        DType::BF16 => value.item::<half::bf16>().map(half::bf16::to_f32),
        other => Err(Error::unimplemented(format!("training with numbers of type {other}"))),
    }
}

impl Step {
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

fn program(facts: &Facts, dtype: DType, flag: bool, kept: Numbers, index: Option<DType>) -> Program {
    let mut b = Builder::new(facts.spec.name);
    let hyper = facts.hyper.len();
    let slots: Vec<_> = (0..facts.slots).map(|_| b.buffer(dtype, Access::Write)).collect();
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
        (facts.apply)(&mut terms, Term::of(grad), &hyper, flag);
        let new: Vec<E> = terms.into_iter().map(|t| b.let_(t.get())).collect();
        for (&slot, value) in slots.iter().zip(new) {
            b.store(slot, at, value);
        }
    };
    match indices {
        None => b.for_each(&sizes[0], |b, i| change(b, &i, &i)),
        // A group takes a row of the variable, at the first of the indices that name it, and makes the changes of all of
        // them in turn.
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
