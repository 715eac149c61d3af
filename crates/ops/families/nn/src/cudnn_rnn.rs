//! `CudnnRNN` and `CudnnRNNBackprop`: multi-layer recurrent networks compatible with cuDNN's, on every device.

use crate::cudnn_params::{DIRECTIONS, INPUTS, Kind, MODES, Network, TYPES, projected};
use crate::philox::reserve;
use crate::prelude::*;
use crate::rules::NONE;
use crate::sequence::{Back, Base, Pass, Runner, Times, zeros};

attrs! {
    /// Computes a recurrent network of one or more layers over all time steps of sequences.
    pub struct CudnnRnn {
        /// Element type.
        dtype: DType = Attr::dtype("T", TYPES),
        /// Cell type.
        mode: String = Attr::one_of("rnn_mode", MODES).or_str("lstm"),
        /// Whether the first layer has input weights.
        input_mode: String = Attr::one_of("input_mode", INPUTS).or_str("linear_input"),
        /// Whether layers are bidirectional.
        direction: String = Attr::one_of("direction", DIRECTIONS).or_str("unidirectional"),
        /// Fraction of each layer's output dropped before the next layer in training.
        dropout: f32 = Attr::float("dropout").or_float(0.0),
        /// First seed.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// Size of the recurrent projection; must be 0, since projections are not supported.
        projection: i64 = Attr::int("num_proj").or_int(0),
        /// Whether gradients may be requested.
        is_training: bool = Attr::bool("is_training").or_bool(true),
        /// If true, the first axis of inputs and outputs is time and the second is the batch.
        time_major: bool = Attr::bool("time_major").or_bool(true),
        /// Version of the op: the second has one more output, the third also takes sequence lengths.
        version: i64 = Attr::int("version").or_int(3),
    }
}

const fn t(name: &'static str) -> Arg {
    arg(name, of("T"))
}

const LENGTHS: Arg = arg("sequence_lengths", is(DType::I32));
const HOST: Arg = arg("host_reserved", is(DType::I8));
const FIRST: (&str, AttrDefault) = ("version", AttrDefault::Int(1));
const SECOND: (&str, AttrDefault) = ("version", AttrDefault::Int(2));
const THIRD: (&str, AttrDefault) = ("version", AttrDefault::Int(3));

pub static CUDNN_RNN: Def<CudnnRnn> = op::<CudnnRnn>("CudnnRNNV3")
    .inputs(&[t("input"), t("input_h"), t("input_c"), t("params"), LENGTHS])
    .outputs(&[t("output"), t("output_h"), t("output_c"), t("reserve_space"), HOST])
    .fixed(&[THIRD])
    .also(&[
        form("CudnnRNN")
            .inputs(&[t("input"), t("input_h"), t("input_c"), t("params")])
            .outputs(&[t("output"), t("output_h"), t("output_c"), t("reserve_space")])
            .without(&["num_proj", "time_major"])
            .fixed(&[FIRST]),
        form("CudnnRNNV2")
            .inputs(&[t("input"), t("input_h"), t("input_c"), t("params")])
            .without(&["num_proj", "time_major"])
            .fixed(&[SECOND]),
    ])
    .stateful()
    .shape(|op, cx| {
        let (input, h) = (cx.with_rank(0, 3)?, cx.with_rank(1, 3)?);
        let directions = if op.direction == "bidirectional" { 2 } else { 1 };
        let width = h.dim(2).map(|units| units * directions);
        cx.output(0, PartialShape::new([input.dim(0), input.dim(1), width]));
        cx.output(1, h.clone());
        cx.output(2, if op.mode == "lstm" { h } else { PartialShape::scalar() });
        cx.output_vector(3, None);
        if op.version > 1 {
            cx.output_vector(4, None);
        }
        Ok(())
    })
    .gradient(|op, g| {
        if !op.is_training {
            g.fail(Error::invalid("the gradient of a recurrent network needs is_training"));
            return vec![NONE; g.num_inputs()];
        }
        let mut inputs = g.inputs();
        inputs.extend((0..3).map(|i| g.output(i)));
        inputs.extend((0..3).map(|i| g.dy(i)));
        inputs.extend((3..g.num_outputs()).map(|i| g.output(i)));
        let back = CUDNN_RNN_BACKPROP.node(g, op, &inputs);
        let mut grads: Grads = (0..4).map(|i| back.out(i).into()).collect();
        grads.resize_with(g.num_inputs(), || NONE);
        grads
    })
    .kernel(|op, cx| match op.dtype {
        DType::F64 => forward::<f64>(op, cx),
        _ => forward::<f32>(op, cx),
    })
    .heavy();

pub static CUDNN_RNN_BACKPROP: Def<CudnnRnn> = op::<CudnnRnn>("CudnnRNNBackpropV3")
    .doc("The gradient of [`CudnnRNNV3`].")
    .inputs(&[
        t("input"),
        t("input_h"),
        t("input_c"),
        t("params"),
        LENGTHS,
        t("output"),
        t("output_h"),
        t("output_c"),
        t("output_backprop"),
        t("output_h_backprop"),
        t("output_c_backprop"),
        t("reserve_space"),
        HOST,
    ])
    .outputs(&[t("input_backprop"), t("input_h_backprop"), t("input_c_backprop"), t("params_backprop")])
    .without(&["is_training"])
    .fixed(&[THIRD])
    .also(&[
        form("CudnnRNNBackprop")
            .doc("The gradient of [`CudnnRNN`].")
            .inputs(&[
                t("input"),
                t("input_h"),
                t("input_c"),
                t("params"),
                t("output"),
                t("output_h"),
                t("output_c"),
                t("output_backprop"),
                t("output_h_backprop"),
                t("output_c_backprop"),
                t("reserve_space"),
            ])
            .without(&["num_proj", "time_major", "is_training"])
            .fixed(&[FIRST]),
        form("CudnnRNNBackpropV2")
            .doc("The gradient of [`CudnnRNNV2`].")
            .inputs(&[
                t("input"),
                t("input_h"),
                t("input_c"),
                t("params"),
                t("output"),
                t("output_h"),
                t("output_c"),
                t("output_backprop"),
                t("output_h_backprop"),
                t("output_c_backprop"),
                t("reserve_space"),
                HOST,
            ])
            .without(&["num_proj", "time_major", "is_training"])
            .fixed(&[SECOND]),
    ])
    .stateful()
    .shape(|op, cx| {
        for i in 0..4 {
            let shape = cx.input(i);
            cx.output(i, if i == 2 && op.mode != "lstm" { PartialShape::scalar() } else { shape });
        }
        Ok(())
    })
    .kernel(|op, cx| match op.dtype {
        DType::F64 => backward::<f64>(op, cx),
        _ => backward::<f32>(op, cx),
    })
    .heavy();

/// The elements of input `i`; a batch-major input, with dimensions `by_sequence`, is converted to time-major.
fn elements<T: Base>(cx: &Cx<'_, '_>, i: usize, by_sequence: Option<[usize; 2]>) -> Result<Vec<T>> {
    let input = cx.input(i)?;
    let all: Vec<T> = dispatch!(input.dtype(), floats, |F| {
        input.slice::<F>()?.iter().map(|value| converted(value.to_f64())).collect()
    }, else return unsupported(cx, input.dtype()));
    Ok(match by_sequence {
        Some([outer, inner]) => swapped(&all, outer, inner),
        None => all,
    })
}

fn converted<T: Base>(value: f64) -> T {
    T::from(value).unwrap_or_else(T::nan)
}

/// Transposes the first two axes of `outer` times `inner` rows.
fn swapped<T: Copy>(all: &[T], outer: usize, inner: usize) -> Vec<T> {
    let width = all.len() / (outer * inner).max(1);
    let row = |at: usize| &all[at * width..(at + 1) * width];
    (0..inner).flat_map(|i| (0..outer).map(move |o| o * inner + i)).flat_map(row).copied().collect()
}

/// Sets output `i`; `by_sequence` as in [`elements`], after the swap.
fn set<T: Base>(
    cx: &mut Cx<'_, '_>,
    i: usize,
    shape: &Shape,
    all: &[T],
    by_sequence: Option<[usize; 2]>,
) -> Result<()> {
    let dtype = cx.output_dtype(i).unwrap_or(DType::F32);
    let turned = by_sequence.map(|[outer, inner]| swapped(all, inner, outer));
    let all = turned.as_deref().unwrap_or(all);
    let mut out = cx.alloc(dtype, shape)?;
    dispatch!(dtype, floats, |F| {
        let out = out.slice_mut::<F>()?;
        out.iter_mut().zip(all).for_each(|(out, value)| *out = F::from_f64(value.to_f64().unwrap_or(f64::NAN)));
    }, else return unsupported(cx, dtype));
    cx.set(i, out);
    Ok(())
}

/// The inputs of a network, time-major.
struct Problem<T> {
    network: Network,
    times: Times,
    x: Vec<T>,
    h: Vec<T>,
    c: Vec<T>,
    params: Vec<T>,
    /// The axis swaps of batch-major inputs and outputs: for sequences, and for states.
    swaps: [Option<[usize; 2]>; 2],
}

impl<T: Base> Problem<T> {
    fn new(op: &CudnnRnn, cx: &Cx<'_, '_>) -> Result<Problem<T>> {
        if op.projection != 0 {
            return Err(projected());
        }
        let sizes = |i: usize, name: &str| -> Result<[usize; 3]> {
            let shape = cx.input(i)?.shape();
            shape.dims().try_into().map_err(|_| Error::invalid(format!("{name} must be a 3-D tensor")).found(shape))
        };
        let ([a, b, input], [e, f, units]) = (sizes(0, "input")?, sizes(1, "input_h")?);
        let ((steps, batch), (cells, rows)) = if op.time_major { ((a, b), (e, f)) } else { ((b, a), (f, e)) };
        let directions = if op.direction == "bidirectional" { 2 } else { 1 };
        let network = Network::new([&op.mode, &op.input_mode, &op.direction], [cells / directions, units, input])?;
        let fits = network.cells() == cells && rows == batch;
        let params = cx.input(3)?.shape();
        if !fits || (network.kind == Kind::Lstm && cx.input(2)?.shape() != cx.input(1)?.shape()) {
            return Err(Error::invalid("input_h and input_c must have a state for each layer, direction and sequence")
                .expected(format!("{} sequences, and a multiple of {directions} cells", batch))
                .found(format!("input_h {}, input_c {}", cx.input(1)?.shape(), cx.input(2)?.shape())));
        }
        if params.dims() != [network.size()] {
            return Err(Error::invalid("params must be a vector of the parameters of the network")
                .expected(format!("shape [{}]", network.size()))
                .found(format!("shape {params}")));
        }
        let lengths = if op.version == 3 { Some(lengths(cx, steps, batch)?) } else { None };
        let times = Times { steps, batch, lengths };
        // Per layer: gates and their gradients, states, cells, inputs and outputs.
        let kept =
            (network.rows() * 4).saturating_add(units * 6).saturating_mul(network.cells()).saturating_add(2 * input);
        let bytes = times.rows().saturating_mul(kept).saturating_add(2 * network.size()).saturating_mul(size_of::<T>());
        cx.device.arena.check(bytes)?;
        let swaps = match op.time_major {
            true => [None, None],
            false => [Some([batch, steps]), Some([batch, cells])],
        };
        let c = if network.kind == Kind::Lstm { elements(cx, 2, swaps[1])? } else { Vec::new() };
        let (x, h, params) = (elements(cx, 0, swaps[0])?, elements(cx, 1, swaps[1])?, elements(cx, 3, None)?);
        Ok(Problem { network, times, x, h, c, params, swaps })
    }

    /// The range of a cell's state in the states.
    fn state(&self, layer: usize, direction: usize) -> std::ops::Range<usize> {
        let size = self.times.batch * self.network.units;
        let cell = layer * self.network.directions + direction;
        cell * size..(cell + 1) * size
    }

    fn runner<'a>(&'a self, cx: &'a Cx<'_, '_>, layer: usize, direction: usize) -> Runner<'a, T> {
        Runner {
            pool: cx.pool(),
            network: &self.network,
            times: &self.times,
            params: &self.params,
            cell: self.network.cell(layer, direction),
            direction,
        }
    }

    /// Width of one layer's output.
    fn width(&self) -> usize {
        self.times.rows() * self.network.units * self.network.directions
    }

    /// Runs all layers. `factors` are the dropout factors of every layer's output but the last.
    fn run(&self, cx: &Cx<'_, '_>, factors: &[T]) -> Result<Layers<T>> {
        let mut layers = Layers { passes: Vec::new(), inputs: Vec::new(), output: self.x.clone() };
        let (directions, units) = (self.network.directions, self.network.units);
        for layer in 0..self.network.layers {
            let mut y = zeros(self.width())?;
            for direction in 0..directions {
                let state = self.state(layer, direction);
                let c = self.c.get(state.clone()).unwrap_or(&[]);
                let runner = self.runner(cx, layer, direction);
                layers.passes.push(runner.forward(&layers.output, &self.h[state], c, &mut y, direction * units)?);
            }
            if layer + 1 < self.network.layers && !factors.is_empty() {
                let factors = &factors[layer * self.width()..][..self.width()];
                y.iter_mut().zip(factors).for_each(|(y, &factor)| *y = *y * factor);
            }
            layers.inputs.push(std::mem::replace(&mut layers.output, y));
        }
        Ok(layers)
    }
}

/// All layers after a forward pass.
struct Layers<T> {
    passes: Vec<Pass<T>>,
    /// The input of each layer.
    inputs: Vec<Vec<T>>,
    output: Vec<T>,
}

/// The length of each sequence.
fn lengths(cx: &Cx<'_, '_>, steps: usize, batch: usize) -> Result<Vec<usize>> {
    let lengths = cx.slice::<i32>(4)?;
    if lengths.len() != batch {
        return Err(Error::invalid("sequence_lengths must have an element for each sequence")
            .expected(batch)
            .found(lengths.len()));
    }
    let length = |&length: &i32| {
        usize::try_from(length).ok().filter(|length| *length <= steps).ok_or_else(|| {
            Error::invalid("a sequence must not be longer than the input")
                .expected(format!("at most {steps}"))
                .found(length)
        })
    };
    lengths.iter().map(length).collect()
}

fn forward<T: Base>(op: &CudnnRnn, cx: &mut Cx<'_, '_>) -> Result<()> {
    let problem = Problem::<T>::new(op, cx)?;
    let between = (problem.network.layers - 1) * problem.width();
    let drops = op.is_training && op.dropout > 0.0 && between > 0;
    let factors: Vec<T> = if drops {
        let mut random = reserve(cx, op.seed, op.seed2, between)?.singles();
        let kept = converted(1.0 / f64::from(1.0 - op.dropout));
        let mut factor = || if random.unit_f32() < op.dropout { <T as num_traits::Zero>::zero() } else { kept };
        (0..between).map(|_| factor()).collect()
    } else {
        Vec::new()
    };
    let layers = problem.run(cx, &factors)?;
    let width = problem.network.units * problem.network.directions;
    let [a, b, _] = [0, 1, 2].map(|i| cx.input(0).map_or(0, |input| input.shape()[i]));
    let states = cx.input(1)?.shape().clone();
    set(cx, 0, &Shape::new([a, b, width])?, &layers.output, problem.swaps[0])?;
    let all = |of: fn(&Pass<T>) -> &Vec<T>| layers.passes.iter().flat_map(of).copied().collect::<Vec<T>>();
    set(cx, 1, &states, &all(|pass| &pass.h), problem.swaps[1])?;
    match problem.network.kind {
        Kind::Lstm => set(cx, 2, &states, &all(|pass| &pass.c), problem.swaps[1])?,
        _ => set(cx, 2, &Shape::scalar(), &[<T as num_traits::Zero>::zero()], None)?,
    }
    // The gradient recomputes everything except the random dropout.
    set(cx, 3, &Shape::vector(factors.len()), &factors, None)?;
    if op.version > 1 {
        cx.set(4, Tensor::vector(Vec::<i8>::new()));
    }
    Ok(())
}

fn backward<T: Base>(op: &CudnnRnn, cx: &mut Cx<'_, '_>) -> Result<()> {
    let problem = Problem::<T>::new(op, cx)?;
    let first = if op.version == 3 { 5 } else { 4 };
    let (network, times) = (&problem.network, &problem.times);
    let of = |i: usize, count: usize, by_sequence| -> Result<Vec<T>> {
        let found = cx.input(first + i)?;
        match found.num_elements() == count {
            true => elements(cx, first + i, by_sequence),
            false => Err(Error::invalid(format!("input {} of a gradient has the wrong size", first + i))
                .expected(count)
                .found(format!("shape {}", found.shape()))),
        }
    };
    let mut dy = of(3, problem.width(), problem.swaps[0])?;
    let dh = of(4, problem.h.len(), problem.swaps[1])?;
    let dc = if network.kind == Kind::Lstm { of(5, problem.c.len(), problem.swaps[1])? } else { Vec::new() };
    let between = (network.layers - 1) * problem.width();
    let factors = match cx.input(first + 6)?.num_elements() {
        0 => Vec::new(),
        _ => of(6, between, None)?,
    };
    let layers = problem.run(cx, &factors)?;
    let mut dparams = zeros(network.size())?;
    let (mut dh_first, mut dc_first) = (dh.clone(), dc.clone());
    for layer in (0..network.layers).rev() {
        let x = &layers.inputs[layer];
        let mut dx = zeros(x.len())?;
        for direction in 0..network.directions {
            let state = problem.state(layer, direction);
            let c = dc.get(state.clone()).unwrap_or(&[]);
            let mut back = Back { h: dh[state.clone()].to_vec(), c: c.to_vec() };
            let pass = &layers.passes[layer * network.directions + direction];
            let runner = problem.runner(cx, layer, direction);
            runner.backward(pass, x, (&dy, direction * network.units), &mut back, &mut dx, &mut dparams)?;
            dh_first[state.clone()].copy_from_slice(&back.h);
            if let Some(c) = dc_first.get_mut(state) {
                c.copy_from_slice(&back.c);
            }
        }
        if layer > 0 && !factors.is_empty() {
            let factors = &factors[(layer - 1) * problem.width()..][..problem.width()];
            dx.iter_mut().zip(factors).for_each(|(dx, &factor)| *dx = *dx * factor);
        }
        dy = dx;
    }
    debug_assert_eq!(dy.len(), times.rows() * network.input);
    let shapes: Vec<Shape> = (0..4).map(|i| cx.input(i).map(|input| input.shape().clone())).collect::<Result<_>>()?;
    set(cx, 0, &shapes[0], &dy, problem.swaps[0])?;
    set(cx, 1, &shapes[1], &dh_first, problem.swaps[1])?;
    match network.kind {
        Kind::Lstm => set(cx, 2, &shapes[2], &dc_first, problem.swaps[1])?,
        _ => set(cx, 2, &Shape::scalar(), &[<T as num_traits::Zero>::zero()], None)?,
    }
    set(cx, 3, &shapes[3], &dparams, None)
}
