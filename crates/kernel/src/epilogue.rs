//! What follows a product: nodes that the product's kernel computes for a part of its result while that is in registers
//! or the nearest cache.
//!
//! A group begins with a product, a kernel that [`finishes`](AnyKernel::finishes). Each node after it takes the output
//! of the one before it, and describes what it does by an [`Epilogue`]. [`Finished`] is the kernel of such a group: it
//! converts the nodes to a [`Finish`] and passes that to the product. If tensors are not what the nodes usually get, it
//! computes the nodes one by one, so that results and errors are those of the nodes.

use crate::accumulate::Accumulation;
use crate::finite;
use crate::group::{Group, Origin, Part};
use crate::io::{Entry, Io};
use crate::kernel::{AnyKernel, Cost};
use levada_graph::{DType, Error, Result, Shape, Tensor, bf16, f16};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A function of one value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Function {
    /// `x`, or 0 for negative `x`.
    Relu,
    /// `x`, but at least 0 and at most 6.
    Relu6,
    /// `x`, or this slope times `x` where it is not positive.
    LeakyRelu(f32),
    /// `x`, or `exp(x) - 1` for negative `x`.
    Elu,
    /// `1 / (1 + exp(-x))`
    Sigmoid,
    /// The hyperbolic tangent.
    Tanh,
    /// `x / (1 + exp(-x))`
    Swish,
    /// `x * clamp(x + 3, 0, 6) / 6`
    HardSwish,
}

/// What a node does with the result of the node before it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Epilogue {
    /// Adds input 1, which has one value per channel; channels are last.
    Bias,
    /// Normalizes each channel by inputs 1 to 4: scale, offset, mean and variance, to which this epsilon is added.
    /// Channels are last.
    Norm(f32),
    /// Adds its two inputs, which are broadcast together.
    Add,
    /// Adds its two inputs, which have the same shape.
    Sum,
    /// Multiplies its two inputs, which are broadcast together.
    Mul,
    /// Divides input 0 by input 1; they are broadcast together.
    Div,
    /// Applies a function.
    Function(Function),
}

impl Epilogue {
    /// True for the dtypes whose products compute what follows them, all of it in float32 and rounded once.
    pub const fn is_for(dtype: DType) -> bool {
        matches!(dtype, DType::F32 | DType::F16 | DType::BF16)
    }
}

/// What a product does to its result: `function(sum * scale + shift + addend)`, without the parts that are absent.
#[derive(Clone, Copy, Default, Debug)]
pub struct Finish<'a> {
    /// A factor for each channel.
    pub scale: Option<&'a [f32]>,
    /// A term for each channel.
    pub shift: Option<&'a [f32]>,
    /// A tensor of the shape and dtype of the result.
    pub addend: Option<&'a Tensor>,
    /// A function applied last.
    pub function: Option<Function>,
    /// True if the result must be images or volumes.
    pub of_images: bool,
    /// Minimum rank of the result: per-channel tensors may be given as rows of such a tensor.
    pub rank: usize,
}

impl Finish<'_> {
    /// True if a result of this shape and dtype has the channels, which are last, and the shape that the parts have.
    pub fn fits(&self, shape: &Shape, dtype: DType) -> bool {
        let channels = shape.last().copied();
        let of_channels = |v: &[f32]| channels == Some(v.len());
        (!self.of_images || matches!(shape.rank(), 4 | 5))
            && shape.rank() >= self.rank
            && self.scale.is_none_or(of_channels)
            && self.shift.is_none_or(of_channels)
            && self.addend.is_none_or(|t| t.shape() == shape && t.dtype() == dtype && t.bytes().is_some())
    }
}

/// True if a tensor has per-channel values only: all axes but the last have size 1.
fn is_row(tensor: &Tensor) -> bool {
    tensor.shape().last().is_some_and(|&channels| channels == tensor.num_elements())
}

/// Factors and terms of channels.
#[derive(Default)]
struct Affine {
    scale: Option<Vec<f32>>,
    shift: Option<Vec<f32>>,
    /// Maximum rank of the tensors that they come from.
    rank: usize,
}

impl Affine {
    fn multiply(&mut self, by: &[f32]) -> Option<()> {
        let times =
            |all: &mut Vec<f32>| (all.len() == by.len()).then(|| all.iter_mut().zip(by).for_each(|(a, b)| *a *= b));
        match &mut self.scale {
            Some(scale) => times(scale)?,
            none => *none = Some(by.to_vec()),
        }
        self.shift.as_mut().map_or(Some(()), times)
    }

    fn add(&mut self, what: impl ExactSizeIterator<Item = f32>) -> Option<()> {
        match &mut self.shift {
            Some(shift) if shift.len() == what.len() => shift.iter_mut().zip(what).for_each(|(a, b)| *a += b),
            Some(_) => return None,
            none => *none = Some(what.collect()),
        }
        Some(())
    }
}

/// What is done, in order, with the indices of the group's inputs.
enum Step {
    Bias(usize),
    Norm([usize; 4], f32),
    /// A per-channel vector or a tensor of the result's shape.
    Add(usize),
    /// A tensor of the result's shape.
    Sum(usize),
    Mul(usize),
    Function(Function),
}

/// The kernel of a product and what follows it.
pub(crate) struct Finished {
    group: Arc<Group>,
    /// Number of the product's inputs, which come first.
    own: usize,
    steps: Vec<Step>,
    /// Length of the prefix of the steps whose inputs are all known before the run.
    num_known: usize,
    /// The scale and shift that they amount to.
    known: OnceLock<Option<Affine>>,
}

impl Finished {
    /// The kernel of a group; `None` if it has none.
    pub(crate) fn new(group: Arc<Group>) -> Option<Finished> {
        let (product, rest) = group.parts.split_first()?;
        let own = product.inputs.len();
        let in_order = product.inputs.iter().enumerate().all(|(i, source)| source.origin == Origin::Input(i));
        if !product.kernel.finishes() || !in_order || rest.is_empty() {
            return None;
        }
        let (mut steps, mut at) = (Vec::new(), 1);
        while let Some(part) = group.parts.get(at) {
            let (step, count) = Self::step(&group, at, part)?;
            // A nonlinear step comes last.
            if matches!(steps.last(), Some(Step::Function(_))) {
                return None;
            }
            steps.push(step);
            at += count;
        }
        let value = |i: &usize| group.inputs.get(*i).and_then(Option::as_ref);
        let is_vector = |i: &usize| value(i).is_some_and(|t| t.shape().rank() == 1);
        let is_row = |i: &usize| value(i).is_some_and(is_row);
        // Other factors and scalars are better left to groups of elementwise nodes.
        let is_good = |step: &Step| match step {
            Step::Mul(i) => is_row(i),
            Step::Add(i) => value(i).is_none_or(|t| t.shape().rank() > 0),
            _ => true,
        };
        let is_known = |step: &&Step| match step {
            Step::Bias(i) => is_vector(i),
            Step::Mul(i) | Step::Add(i) => is_row(i),
            Step::Norm(all, _) => all.iter().all(is_vector),
            Step::Sum(_) | Step::Function(_) => false,
        };
        let num_known = steps.iter().take_while(is_known).count();
        steps.iter().all(is_good).then(|| Finished {
            group: group.clone(),
            own,
            steps,
            num_known,
            known: OnceLock::new(),
        })
    }

    /// What part `at` does, and the number of parts after it that this includes.
    fn step(group: &Group, at: usize, part: &Part) -> Option<(Step, usize)> {
        let parts = &group.parts;
        let before = Origin::Part(at - 1);
        let input = |i: usize| match part.inputs.get(i)?.origin {
            Origin::Input(input) => Some(input),
            Origin::Part(_) => None,
        };
        // The input of a binary node that is not the output of the previous node.
        let other = || match (part.inputs.first()?.origin, part.inputs.get(1)?.origin) {
            (a, Origin::Input(b)) if a == before => Some(b),
            (Origin::Input(a), b) if b == before => Some(a),
            _ => None,
        };
        let first = part.inputs.first()?.origin == before;
        match part.kernel.epilogue()? {
            Epilogue::Bias if first => Some((Step::Bias(input(1)?), 1)),
            Epilogue::Norm(epsilon) if first => {
                Some((Step::Norm([input(1)?, input(2)?, input(3)?, input(4)?], epsilon), 1))
            }
            Epilogue::Add if Self::is_hard_swish(group, at) => Some((Step::Function(Function::HardSwish), 4)),
            Epilogue::Add => Some((Step::Add(other()?), 1)),
            Epilogue::Sum => Some((Step::Sum(other()?), 1)),
            Epilogue::Mul => Some((Step::Mul(other()?), 1)),
            Epilogue::Function(Function::Sigmoid) if first && parts.len() == at + 2 => {
                // x * sigmoid(x)
                let product = &parts[at + 1];
                let mut origins: Vec<Origin> = product.inputs.iter().map(|source| source.origin).collect();
                origins.sort_by_key(|origin| matches!(origin, Origin::Part(p) if *p == at));
                let is_swish =
                    product.kernel.epilogue() == Some(Epilogue::Mul) && origins == [before, Origin::Part(at)];
                is_swish.then_some((Step::Function(Function::Swish), 2))
            }
            Epilogue::Function(function) if first => Some((Step::Function(function), 1)),
            _ => None,
        }
    }

    /// True if the parts from `at` on, all that are left, are `x * (relu6(x + 3) / 6)`.
    fn is_hard_swish(group: &Group, at: usize) -> bool {
        let Some([sum, clipped, quotient, product]) = group.parts.get(at..) else { return false };
        let origins = |part: &Part| Some((part.inputs.first()?.origin, part.inputs.get(1)?.origin));
        let is_number = |origin: Origin, number: f32| match origin {
            Origin::Input(i) => group.inputs.get(i).and_then(Option::as_ref).is_some_and(|tensor| {
                tensor.shape().rank() == 0 && singles(tensor).is_some_and(|numbers| *numbers == [number])
            }),
            Origin::Part(_) => false,
        };
        let x = Origin::Part(at - 1);
        let is_sum = origins(sum).is_some_and(|(a, b)| (a == x && is_number(b, 3.0)) || (b == x && is_number(a, 3.0)));
        let is_clipped = clipped.kernel.epilogue() == Some(Epilogue::Function(Function::Relu6))
            && clipped.inputs.first().is_some_and(|source| source.origin == Origin::Part(at));
        let is_quotient = quotient.kernel.epilogue() == Some(Epilogue::Div)
            && origins(quotient).is_some_and(|(a, b)| a == Origin::Part(at + 1) && is_number(b, 6.0));
        let factor = Origin::Part(at + 2);
        let is_product = product.kernel.epilogue() == Some(Epilogue::Mul)
            && origins(product).is_some_and(|both| both == (x, factor) || both == (factor, x));
        is_sum && is_clipped && is_quotient && is_product
    }

    /// The factors and terms of some steps; `None` if inputs are not vectors.
    fn affine(steps: &[Step], io: &Io<'_>) -> Option<Affine> {
        let mut affine = Affine::default();
        let vector = |i: usize| io.input(i).ok().filter(|t| t.shape().rank() == 1).and_then(singles);
        // The elements of a row, and its rank.
        let row = |i: usize| {
            let tensor = io.input(i).ok().filter(|t| is_row(t))?;
            Some((singles(tensor)?, tensor.shape().rank()))
        };
        for step in steps {
            match step {
                Step::Bias(i) => affine.add(vector(*i)?.iter().copied())?,
                Step::Add(i) => {
                    let (numbers, rank) = row(*i)?;
                    affine.add(numbers.iter().copied())?;
                    affine.rank = affine.rank.max(rank);
                }
                Step::Mul(i) => {
                    let (numbers, rank) = row(*i)?;
                    affine.multiply(&numbers)?;
                    affine.rank = affine.rank.max(rank);
                }
                Step::Norm([scale, offset, mean, variance], epsilon) => {
                    let [scale, offset, mean, variance] = [*scale, *offset, *mean, *variance].map(vector);
                    let (scale, offset, mean, variance) = (scale?, offset?, mean?, variance?);
                    if [&offset, &mean, &variance].iter().any(|v| v.len() != scale.len()) {
                        return None;
                    }
                    let factors: Vec<f32> =
                        scale.iter().zip(&*variance).map(|(s, v)| s / (v + epsilon).sqrt()).collect();
                    affine.multiply(&factors)?;
                    affine.add((0..factors.len()).map(|c| offset[c] - mean[c] * factors[c]))?;
                }
                Step::Sum(_) | Step::Function(_) => return None,
            }
        }
        Some(affine)
    }

    /// Computes the product with what follows it; false, with all inputs unchanged, if the nodes have to be computed
    /// instead. Without `with_function`, the last function is left out.
    fn at_once(&self, io: &mut Io<'_>, with_function: bool) -> Result<bool> {
        let (linear, function) = match self.steps.split_last() {
            Some((Step::Function(function), before)) => (before, Some(*function).filter(|_| with_function)),
            _ => (&self.steps[..], None),
        };
        // The last addition may be of a tensor of the result's shape.
        let is_matrix = |i: &usize| io.input(*i).is_ok_and(|t| t.shape().rank() != 1);
        let (linear, addend) = match linear.split_last() {
            _ if linear.len() == self.num_known => (linear, None),
            Some((Step::Add(i), before)) if is_matrix(i) => (before, Some(*i)),
            Some((Step::Sum(i), before)) => (before, Some(*i)),
            _ => (linear, None),
        };
        let here;
        let affine = match linear.len() == self.num_known {
            true => self.known.get_or_init(|| Self::affine(linear, io)).as_ref(),
            false => {
                here = Self::affine(linear, io);
                here.as_ref()
            }
        };
        let Some(affine) = affine else { return Ok(false) };
        if let (Some(i), None, None, None) = (addend, &affine.scale, &affine.shift, function)
            && self.in_place(io, i)?
        {
            return Ok(true);
        }
        let addend = addend.and_then(|i| io.input(i).ok().cloned());
        let finish = Finish {
            scale: affine.scale.as_deref(),
            shift: affine.shift.as_deref(),
            addend: addend.as_ref(),
            function,
            of_images: linear.iter().any(|step| matches!(step, Step::Norm(..))),
            rank: affine.rank,
        };
        self.product(io, &finish)
    }

    /// Adds the product to input `i`, which becomes the output; false, with all inputs unchanged, if that is not
    /// possible.
    fn in_place(&self, io: &mut Io<'_>, i: usize) -> Result<bool> {
        let Some(accumulation) = self.group.parts[0].kernel.accumulates() else { return Ok(false) };
        let (sum, factors) = (io.input(i)?, [io.input(0)?.clone(), io.input(1)?.clone()]);
        if !accumulation.fits(sum, &factors) {
            return Ok(false);
        }
        let (dtype, shape) = (sum.dtype(), sum.shape().clone());
        let Some(mut sum) = io.forward(i, dtype, &shape) else { return Ok(false) };
        accumulation.add(io.pool(), &mut sum, &[factors]).map_err(|error| self.group.parts[0].named(error))?;
        io.set(0, sum);
        Ok(true)
    }

    /// How the product adds to a sum, and the group's input with the sum, if these are all nodes of the group.
    pub(crate) fn accumulation(&self) -> Option<(Accumulation, usize)> {
        match self.steps[..] {
            [Step::Add(sum) | Step::Sum(sum)] if self.own == 2 => {
                Some((self.group.parts[0].kernel.accumulates()?, sum))
            }
            _ => None,
        }
    }

    /// An error of the product, with its name.
    pub(crate) fn named(&self, error: Error) -> Error {
        self.group.parts[0].named(error)
    }

    fn product(&self, io: &mut Io<'_>, finish: &Finish<'_>) -> Result<bool> {
        let product = &self.group.parts[0];
        let computed = io.with_first_inputs(self.own, &product.meta, |io| product.kernel.compute_finished(io, finish));
        computed.map_err(|error| product.named(error))
    }
}

/// The elements as float32.
fn singles(tensor: &Tensor) -> Option<Cow<'_, [f32]>> {
    match tensor.dtype() {
        DType::F16 => Some(tensor.slice::<f16>().ok()?.iter().map(|v| v.to_f32()).collect()),
        DType::BF16 => Some(tensor.slice::<bf16>().ok()?.iter().map(|v| v.to_f32()).collect()),
        _ => tensor.slice::<f32>().ok().map(Cow::Borrowed),
    }
}

impl Finished {
    /// Applies the last function to what has been computed, and searches the result.
    fn function(&self, io: &mut Io<'_>) -> Result<()> {
        let parts = &self.group.parts;
        let first = match self.steps.last() {
            Some(Step::Function(Function::Swish)) => parts.len() - 2,
            Some(Step::Function(Function::HardSwish)) => parts.len() - 4,
            _ => parts.len() - 1,
        };
        let mut values = vec![io.output_entry(0).map(std::mem::take).unwrap_or_default()];
        let holds = |io: &Io<'_>, value: &Entry| {
            let both = io.sought().zip(value.tensor());
            both.is_some_and(|(sought, tensor)| finite::holds(tensor, sought, io.pool()))
        };
        let mut found = holds(io, &values[0]);
        for part in parts.iter().skip(first) {
            let mut given: SmallVec<[Entry; 2]> = SmallVec::new();
            for source in &part.inputs {
                let value = match source.origin {
                    Origin::Part(p) => values.get_mut((p + 1).wrapping_sub(first)),
                    Origin::Input(i) => {
                        // A constant of the function.
                        given.push(Entry::Value(io.input(i)?.clone()));
                        continue;
                    }
                };
                let value = value.ok_or_else(|| Error::internal("a function of something other than the product"))?;
                given.push(if source.last { std::mem::take(value) } else { value.clone() });
            }
            let mut outputs = [Entry::Empty];
            let computed = io.compute_part(&*part.kernel, &mut given, &mut outputs, &part.meta);
            computed.map_err(|error| part.named(error))?;
            let [output] = outputs;
            found |= part.is_looked_at && holds(io, &output);
            values.push(output);
        }
        io.set_entry(0, values.pop().unwrap_or_default());
        io.set_looked(found);
        Ok(())
    }
}

impl AnyKernel for Finished {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        // A function may hide what is sought.
        let hides = io.sought().is_some() && matches!(self.steps.last(), Some(Step::Function(_)));
        match self.at_once(io, !hides)? {
            true if hides => self.function(io),
            true => Ok(()),
            false => self.group.one_by_one(io),
        }
    }

    fn cost(&self) -> Cost {
        Cost::Heavy
    }
}
