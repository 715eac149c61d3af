//! One step of an optimizer on a variable: finds the variables and hyperparameters, checks, locks and loops. The
//! computation is the formula of a [`Rule`].
//!
//! All variables of a step are locked together, in address order, regardless of `use_locking`.

use super::rule::{Facts, Field, Formula, Inputs, MOST, Rule};
use crate::prelude::*;
use crate::variable::Target;
use levada_graph::spec::AttrSpec;
use levada_kernel::finite;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

attrs! {
    /// Performs one step of an optimizer.
    pub struct Step {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Type of the indices.
        index: DType = Attr::dtype("Tindices", sets::INDEX).or_type(DType::I64),
        /// Has no effect: the locks are always held.
        use_locking: bool = Attr::bool("use_locking").or_bool(false),
        /// Whether to use Nesterov momentum.
        use_nesterov: bool = Attr::bool("use_nesterov").or_bool(false),
        /// Whether to update the slots.
        update_slots: bool = Attr::bool("update_slots").or_bool(true),
        /// Whether the linear term is stored multiplied by the learning rate.
        multiply_linear_by_lr: bool = Attr::bool("multiply_linear_by_lr").or_bool(false),
    }
}

/// The CPU kernel of a step.
type Compute = fn(&Step, &mut Cx<'_, '_>) -> Result<()>;

const REFERENCE: &[Arg] = &[arg("out", of("T")).by_ref()];

/// The op for a step on a whole variable, by reference.
pub(crate) const fn dense<R: Rule>(name: &'static str, compute: Compute) -> Def<Step> {
    step(name, compute)
        .inputs(Inputs::<R, true, false>::ALL)
        .without(R::FACTS.lacks(false))
        .host_inputs(Inputs::<R, true, false>::ON_HOST)
        .effect(Effect::Changes)
}

/// The form of [`dense`] by handle.
pub(crate) const fn by_handle<R: Rule>(name: &'static str) -> Form {
    form(name).inputs(Inputs::<R, false, false>::ALL).outputs(&[]).without(R::FACTS.lacks(false))
}

/// [`dense`] for ops that exist only by handle.
pub(crate) const fn dense_by_handle<R: Rule>(name: &'static str, compute: Compute) -> Def<Step> {
    dense::<R>(name, compute).inputs(Inputs::<R, false, false>::ALL).outputs(&[])
}

const INDICES: &[AttrSpec] = &[Attr::dtype("Tindices", sets::INDEX)];

/// The op for a step on selected rows of a variable, by reference.
pub(crate) const fn sparse<R: Rule>(name: &'static str, compute: Compute) -> Def<Step> {
    step(name, compute)
        .inputs(Inputs::<R, true, true>::ALL)
        .attrs(INDICES)
        .without(R::FACTS.lacks(true))
        .host_inputs(Inputs::<R, true, true>::ON_HOST)
        .stateful()
}

/// The form of [`sparse`] by handle.
pub(crate) const fn rows_by_handle<R: Rule>(name: &'static str) -> Form {
    form(name).inputs(Inputs::<R, false, true>::ALL).outputs(&[]).without(R::FACTS.lacks(true))
}

/// [`sparse`] for ops that exist only by handle.
pub(crate) const fn sparse_by_handle<R: Rule>(name: &'static str, compute: Compute) -> Def<Step> {
    sparse::<R>(name, compute).inputs(Inputs::<R, false, true>::ALL).outputs(&[])
}

const fn step(name: &'static str, compute: Compute) -> Def<Step> {
    op(name)
        .outputs(REFERENCE)
        .shape(|_, cx| {
            cx.same_as_input(0);
            Ok(())
        })
        .kernel(compute)
        .heavy()
}

/// The kernel of an optimizer of real numbers.
pub(crate) fn reals<R>(op: &Step, cx: &mut Cx<'_, '_>) -> Result<()>
where
    R: Formula<f32> + Formula<f64> + Formula<f16> + Formula<bf16>,
{
    compute(&R::FACTS, op, cx, real_loop::<R>)
}

/// The kernel of an optimizer of real and complex numbers.
pub(crate) fn numbers<R>(op: &Step, cx: &mut Cx<'_, '_>) -> Result<()>
where
    R: Formula<f32> + Formula<f64> + Formula<f16> + Formula<bf16> + Formula<Complex32> + Formula<Complex64>,
{
    compute(&R::FACTS, op, cx, any_loop::<R>)
}

fn any_loop<R>(dtype: DType) -> Option<Loop>
where
    R: Formula<f32> + Formula<f64> + Formula<f16> + Formula<bf16> + Formula<Complex32> + Formula<Complex64>,
{
    match dtype {
        DType::C64 => Some(loop_of::<R, Complex32>()),
        DType::C128 => Some(loop_of::<R, Complex64>()),
        _ => real_loop::<R>(dtype),
    }
}

fn real_loop<R>(dtype: DType) -> Option<Loop>
where
    R: Formula<f32> + Formula<f64> + Formula<f16> + Formula<bf16>,
{
    Some(match dtype {
        DType::F32 => loop_of::<R, f32>(),
        DType::F64 => loop_of::<R, f64>(),
        DType::F16 => loop_of::<R, f16>(),
        DType::BF16 => loop_of::<R, bf16>(),
        _ => return None,
    })
}

/// A step for elements of one type: the variable and its slots, the gradient, the rows, the hyperparameters, the
/// variant. Returns whether the sought value was found in the changed elements, if one is sought.
type Loop = fn(&Cx<'_, '_>, &mut [&mut Tensor], &Tensor, Option<&[i64]>, &[&Tensor], bool) -> Result<Option<bool>>;

fn loop_of<R: Formula<F>, F: Field + Element + bytemuck::NoUninit>() -> Loop {
    |cx, values, grad, indices, numbers, flag| {
        run::<F>(cx, values, grad, indices, numbers, &|slots, g, n| each::<R, F>(slots, g, n, flag))
    }
}

fn compute(facts: &Facts, op: &Step, cx: &mut Cx<'_, '_>, pick: fn(DType) -> Option<Loop>) -> Result<()> {
    let of_rows = facts.is_of_rows(cx.num_inputs());
    let targets: SmallVec<[Target; 4]> = (0..facts.slots.len()).map(|i| Target::of(cx, i)).collect::<Result<_>>()?;
    let mut numbers: SmallVec<[&Tensor; 8]> = SmallVec::new();
    for (name, i) in facts.numbers(of_rows) {
        let value = cx.input(i)?;
        if !value.shape().is_scalar() {
            return Err(unset_or(&targets, Error::invalid(format!("{name} is not a scalar: {}", value.shape()))));
        }
        numbers.push(value);
    }
    if facts.refuses(of_rows) {
        let numbers: SmallVec<[f64; 8]> = numbers.iter().map(|value| number(value)).collect::<Result<_>>()?;
        facts.check(of_rows, &numbers).map_err(|e| unset_or(&targets, e))?;
    }
    let gradient = facts.gradient();
    let indices = match of_rows {
        true if cx.input(gradient + 1)?.shape().len() != 1 => {
            return Err(Error::invalid("indices must be one-dimensional").found(cx.input(gradient + 1)?.shape()));
        }
        true => Some(cx.i64s(gradient + 1)?),
        false => None,
    };
    let grad = cx.input(gradient)?;
    let Some(run) = pick(grad.dtype()) else { return unsupported(cx, grad.dtype()) };
    let mut looked = None;
    together(&targets, &mut |values| {
        let bad = check(values, grad, indices.as_deref())?;
        if facts.rows_have_elements && indices.is_some() && grad.shape()[1..].contains(&0) {
            return Err(Error::invalid("Inner dimension should be greater than zero.").found(grad.shape()));
        }
        let rows = match (&indices, &bad) {
            (Some(indices), Some(bad)) if facts.checks_rows_first => return Err(bad.error(indices)),
            (Some(indices), Some(bad)) => Some(&indices[..bad.at]),
            (indices, _) => indices.as_deref(),
        };
        looked = run(cx, values, grad, rows, &numbers, facts.variant(op))?;
        // The rows before the invalid one have been changed, as in TensorFlow.
        if let (Some(indices), Some(bad)) = (&indices, bad) {
            return Err(bad.error(indices));
        }
        Ok(())
    })?;
    drop(numbers);
    if let Some(found) = looked {
        cx.set_looked(found);
    }
    if let Some(variable) = targets.into_iter().next() {
        variable.forward(cx);
    }
    Ok(())
}

/// Runs `change` on the values of variables while all of them are locked.
///
/// # Errors
/// `INVALID_ARGUMENT` for a duplicate variable, TensorFlow's error for one without a value, and the error of `change`.
pub fn together(targets: &[Target], change: &mut dyn FnMut(&mut [&mut Tensor]) -> Result<()>) -> Result<()> {
    let mut order: SmallVec<[usize; 4]> = (0..targets.len()).collect();
    let address = |i: usize| std::ptr::from_ref(&*targets[i].cell).addr();
    order.sort_by_key(|&i| address(i));
    if order.windows(2).any(|w| address(w[0]) == address(w[1])) {
        return Err(Error::invalid("the variable and its slots must be different variables"));
    }
    let mut guards: SmallVec<[_; 4]> = order.iter().map(|&i| (i, targets[i].cell.value.write())).collect();
    guards.sort_by_key(|(i, _)| *i);
    let mut values: SmallVec<[&mut Tensor; 4]> = SmallVec::new();
    for ((_, guard), target) in guards.iter_mut().zip(targets) {
        values.push(guard.as_mut().ok_or_else(|| unset(target))?);
    }
    change(&mut values)
}

/// Checks that a variable, its slots and a dense gradient match.
///
/// # Errors
/// `INVALID_ARGUMENT` if they do not.
pub fn check_dense(values: &[&mut Tensor], grad: &Tensor) -> Result<()> {
    check(values, grad, None).map(drop)
}

/// Returns the value of a hyperparameter that the host checks.
fn number(value: &Tensor) -> Result<f64> {
    Ok(match value.dtype() {
        DType::F32 => f64::from(value.item::<f32>()?),
        DType::F64 => value.item::<f64>()?,
        DType::F16 => value.item::<f16>()?.to_f64(),
        DType::BF16 => value.item::<bf16>()?.to_f64(),
        other => return Err(Error::unimplemented(format!("training with numbers of type {other}"))),
    })
}

#[cold]
fn unset(target: &Target) -> Error {
    let name = &target.cell.name;
    let error = match target.is_ref {
        true => Error::failed_precondition(format!("Attempting to use uninitialized variables: {name}")),
        false => Error::internal(format!("Invalid variable reference: {name} has no value")),
    };
    error.help("run the variable's initializer first, for instance with --init")
}

/// `error`, unless a variable has no value: as in TensorFlow, that is reported before faults of the hyperparameters.
#[cold]
fn unset_or(targets: &[Target], error: Error) -> Error {
    targets.iter().find(|target| target.is_ref && target.cell.value.read().is_none()).map_or(error, unset)
}

/// The index of a row that is out of range.
struct Bad {
    at: usize,
    rows: usize,
}

impl Bad {
    fn error(&self, indices: &[i64]) -> Error {
        let Bad { at, rows } = self;
        Error::invalid(format!("Index {} at offset {at} in indices is out of range", indices[*at]))
            .expected(format!("below {rows}"))
    }
}

/// Performs the checks that precede any change, and finds the first index that is out of range.
fn check(values: &[&mut Tensor], grad: &Tensor, indices: Option<&[i64]>) -> Result<Option<Bad>> {
    check_shapes(values, grad, indices.map(<[i64]>::len))?;
    let (Some(indices), Some(variable)) = (indices, values.first()) else { return Ok(None) };
    let rows = variable.shape()[0];
    let bad = indices.iter().position(|i| usize::try_from(*i).map_or(true, |i| i >= rows));
    Ok(bad.map(|at| Bad { at, rows }))
}

/// Checks that a sparse gradient matches the variable and its slots.
///
/// # Errors
/// `INVALID_ARGUMENT` if it does not.
pub fn check_sparse(facts: &Facts, values: &[&mut Tensor], grad: &Tensor, indices: &Shape) -> Result<()> {
    if indices.len() != 1 {
        return Err(Error::invalid("indices must be one-dimensional").found(indices));
    }
    check_shapes(values, grad, Some(indices.num_elements()))?;
    if facts.rows_have_elements && grad.shape()[1..].contains(&0) {
        return Err(Error::invalid("Inner dimension should be greater than zero.").found(grad.shape()));
    }
    Ok(())
}

fn check_shapes(values: &[&mut Tensor], grad: &Tensor, indices: Option<usize>) -> Result<()> {
    let Some(variable) = values.first() else { return Err(Error::internal("an update without a variable")) };
    for value in values {
        if value.dtype() != grad.dtype() {
            return Err(Error::invalid("the variable and the gradient have different types")
                .expected(grad.dtype())
                .found(value.dtype()));
        }
        if value.shape() != variable.shape() {
            return Err(Error::invalid(format!(
                "var and its slots do not have the same shape: {} {}",
                variable.shape(),
                value.shape()
            )));
        }
    }
    let Some(indices) = indices else {
        if variable.shape() != grad.shape() {
            return Err(Error::invalid(format!(
                "var and grad do not have the same shape {} {}",
                variable.shape(),
                grad.shape()
            )));
        }
        return Ok(());
    };
    if variable.shape().is_scalar() {
        return Err(Error::invalid("var must be at least 1 dimensional"));
    }
    if grad.shape().first() != Some(&indices) {
        return Err(Error::invalid("grad must be the same size as indices in the first dimension.")
            .expected(indices)
            .found(grad.shape()));
    }
    if grad.shape()[1..] != variable.shape()[1..] {
        return Err(Error::invalid(format!(
            "var and grad must match in dimension 1 and higher, got {} and {}",
            variable.shape(),
            grad.shape()
        )));
    }
    Ok(())
}

/// Number of elements that one thread updates and scans at a time: those of a variable and its slots stay in the
/// nearest cache.
const PIECE: usize = 4096;

/// Applies a rule to elements of the variable and its slots, given the gradient and the hyperparameters.
type Change<'a, F> = &'a (dyn Fn(&mut [&mut [F]], &[F], &[F]) + Sync);

/// Shared by all rules, so that it is compiled once per type.
fn run<F: Field + Element + bytemuck::NoUninit>(
    cx: &Cx<'_, '_>,
    values: &mut [&mut Tensor],
    grad: &Tensor,
    indices: Option<&[i64]>,
    numbers: &[&Tensor],
    change: Change<'_, F>,
) -> Result<Option<bool>> {
    for value in values.iter_mut() {
        if value.is_unique() {
            continue;
        }
        let mut own = cx.alloc(value.dtype(), value.shape())?;
        own.slice_mut::<F>()?.clone_from_slice(value.slice::<F>()?);
        **value = own;
    }
    let number = |value: &&Tensor| match value.dtype() {
        // The global step.
        DType::I64 => Ok(F::from_f64(value.item::<i64>()? as f64)),
        _ => value.item::<F>(),
    };
    let n: SmallVec<[F; 8]> = numbers.iter().map(number).collect::<Result<_>>()?;
    let g = grad.slice::<F>()?;
    let values_count = values.len();
    let mut slots: SmallVec<[&mut [F]; 4]> = values.iter_mut().map(|v| v.slice_mut::<F>()).collect::<Result<_>>()?;
    let sought = cx.sought();
    let found = AtomicBool::new(false);
    let look = |parts: &[&mut [F]]| {
        let holds = |sought| parts.iter().any(|part| finite::any(bytemuck::cast_slice(part), F::DTYPE, sought));
        if sought.is_some_and(holds) {
            found.store(true, Relaxed);
        }
    };
    let Some(indices) = indices else {
        let mut slots: SmallVec<[_; 4]> = slots.into_iter().map(|slot| slot.chunks_mut(PIECE)).collect();
        let pieces = g.chunks(PIECE).map(|g| {
            let parts: SmallVec<[&mut [F]; 4]> = slots.iter_mut().filter_map(Iterator::next).collect();
            (parts, g)
        });
        let pieces: Vec<_> = pieces.collect();
        cx.pool().for_each(pieces, nanos::<F>(values_count) * PIECE as f64, |(mut parts, g)| {
            change(&mut parts, g, &n);
            look(&parts);
        });
        return Ok(sought.map(|_| found.into_inner()));
    };
    let width: usize = grad.shape()[1..].iter().product();
    for (row, &index) in indices.iter().enumerate() {
        let at = index as usize * width;
        let mut rows: SmallVec<[&mut [F]; 4]> = slots.iter_mut().map(|s| &mut s[at..at + width]).collect();
        change(&mut rows, &g[row * width..(row + 1) * width], &n);
        look(&rows);
    }
    Ok(sought.map(|_| found.into_inner()))
}

/// Returns the time of a step per element, in nanoseconds: it reads and writes this many values and reads a gradient.
fn nanos<F: Field>(values: usize) -> f64 {
    let number = if F::WIDE { 0.1 * size_of::<F>() as f64 } else { 4.0 };
    number * (2 * values + 1) as f64
}

#[inline(never)]
fn each<R: Formula<F>, F: Field>(slots: &mut [&mut [F]], g: &[F], n: &[F], flag: bool) {
    if const { !F::WIDE } {
        return change::<R, F>(slots, g, n, flag, None);
    }
    // A loop for each variant and for the usual value, which is chosen before it.
    let usual = const { R::FACTS.usual };
    let is_usual = usual.is_some_and(|usual| n.last() == Some(&F::from_f64(usual)));
    match (const { R::FACTS.has_variant() } && flag, is_usual) {
        (true, _) => vectorized!(change::<R, F>(slots, g, n, true, None)),
        (false, true) => vectorized!(change::<R, F>(slots, g, n, false, const { R::FACTS.usual })),
        (false, false) => vectorized!(change::<R, F>(slots, g, n, false, None)),
    }
}

/// `last` is the value of the last hyperparameter, if it is known.
#[inline(always)]
fn change<R: Formula<F>, F: Field>(slots: &mut [&mut [F]], g: &[F], n: &[F], flag: bool, last: Option<f64>) {
    // In an array of known length that nothing else refers to, so that what depends on it alone is computed before the loop.
    let mut numbers = [F::zero(); MOST];
    let count = const { R::FACTS.num_numbers() };
    let (Some(numbers), Some(n)) = (numbers.get_mut(..count), n.get(..count)) else { return };
    numbers.copy_from_slice(n);
    if let (Some(number), Some(last)) = (numbers.last_mut(), last) {
        *number = F::from_f64(last);
    }
    let n = &*numbers;
    // A separate loop per number of slots, so that each is vectorized.
    match slots {
        [a] if const { R::FACTS.slots.len() == 1 } => {
            for (a, &g) in a.iter_mut().zip(g) {
                let mut v = [*a];
                R::apply(&mut v, g, n, flag);
                [*a] = v;
            }
        }
        [a, b] if const { R::FACTS.slots.len() == 2 } => {
            for ((a, b), &g) in a.iter_mut().zip(b.iter_mut()).zip(g) {
                let mut v = [*a, *b];
                R::apply(&mut v, g, n, flag);
                [*a, *b] = v;
            }
        }
        [a, b, c] if const { R::FACTS.slots.len() == 3 } => {
            for (((a, b), c), &g) in a.iter_mut().zip(b.iter_mut()).zip(c.iter_mut()).zip(g) {
                let mut v = [*a, *b, *c];
                R::apply(&mut v, g, n, flag);
                [*a, *b, *c] = v;
            }
        }
        [a, b, c, d] if const { R::FACTS.slots.len() == 4 } => {
            for ((((a, b), c), d), &g) in a.iter_mut().zip(b.iter_mut()).zip(c.iter_mut()).zip(d.iter_mut()).zip(g) {
                let mut v = [*a, *b, *c, *d];
                R::apply(&mut v, g, n, flag);
                [*a, *b, *c, *d] = v;
            }
        }
        _ => {}
    }
}
