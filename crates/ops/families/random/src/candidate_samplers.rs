//! The candidate samplers, which draw negative classes for losses over large numbers of classes.

use super::candidates::{Draws, Sampler};
use crate::philox::Stream;
use crate::prelude::*;
use parking_lot::Mutex;

/// Number of 32-bit samples of the stream that a run reserves per class.
const RESERVED_PER_CLASS: i64 = 2048;

const INPUTS: &[Arg] = &[arg("true_classes", is(DType::I64))];
const OUTPUTS: &[Arg] = &[
    arg("sampled_candidates", is(DType::I64)),
    arg("true_expected_count", is(DType::F32)),
    arg("sampled_expected_count", is(DType::F32)),
];

/// The attrs common to all samplers.
struct Request {
    num_true: i64,
    num_sampled: i64,
    unique: bool,
    seed: i64,
    seed2: i64,
}

/// The state of a sampler's node.
struct State {
    stream: Stream,
    /// Locked so that runs change the sampler one at a time.
    sampler: Mutex<Result<Sampler>>,
}

fn infer(cx: &mut ShapeCx<'_>, num_true: i64, num_sampled: i64) -> Result<()> {
    let rows = cx.with_rank(0, 2)?.dim(0);
    let (columns, sampled) = (usize::try_from(num_true).ok(), usize::try_from(num_sampled).ok());
    cx.output_vector(0, sampled);
    cx.output(1, PartialShape::new([rows, columns]));
    cx.output_vector(2, sampled);
    Ok(())
}

/// Returns the true classes, all checked to be below `range`.
fn true_classes(cx: &Cx<'_, '_>, num_true: i64, range: u64) -> Result<Tensor> {
    let classes = cx.input(0)?;
    let &[_, columns] = classes.shape().dims() else {
        return Err(Error::invalid("true_classes must be a matrix"));
    };
    if columns as i64 != num_true {
        return Err(Error::invalid(format!(
            "true_classes must have num_true columns, expected: {columns} was: {num_true}"
        )));
    }
    for &class in classes.slice::<i64>()? {
        if class < 0 || class as u64 >= range {
            return Err(Error::invalid(format!("`true_candidate` out of range [0, {range}), received {class}")));
        }
    }
    Ok(classes.clone())
}

fn positive(name: &str, value: i64) -> Result<usize> {
    let value = i32::try_from(value).ok().and_then(|v| usize::try_from(v).ok());
    value.ok_or_else(|| Error::invalid(format!("{name} must be positive and fit into int32")).attr(name))
}

/// Draws the outputs with the sampler that `make` creates on the node's first run.
fn sample(cx: &mut Cx<'_, '_>, request: &Request, make: impl FnOnce() -> Result<Sampler>) -> Result<()> {
    let count = positive("num_sampled", request.num_sampled)?;
    let state =
        cx.node_state(|| State { stream: Stream::new(request.seed, request.seed2), sampler: Mutex::new(make()) })?;
    let mut guard = state.sampler.lock();
    let sampler = guard.as_mut().map_err(|e| e.clone())?;
    let classes = true_classes(cx, request.num_true, sampler.range())?;
    if request.unique && count as u64 > sampler.range() {
        return Err(Error::invalid("Sampler's range is too small."));
    }
    // Memory for the classes, their expected counts, and the set of classes drawn so far.
    cx.device.arena.check(count.saturating_mul(if request.unique { 40 } else { 12 }))?;
    let philox = state.stream.reserve((RESERVED_PER_CLASS * count as i64) as u64 / 4);
    let (sampled, tries) = sampler.sample(&mut Draws::new(philox), count, request.unique, || cx.step().check())?;
    let expected = |classes: &[i64]| classes.iter().map(|c| sampler.expected(*c, count, tries)).collect::<Vec<f32>>();
    let seen = classes.slice::<i64>()?;
    let of_true = Tensor::from_vec(classes.shape().clone(), expected(seen))?;
    let of_sampled = Tensor::vector(expected(&sampled));
    sampler.see(seen);
    drop(guard);
    cx.set(0, Tensor::vector(sampled));
    cx.set(1, of_true);
    cx.set(2, of_sampled);
    Ok(())
}

attrs! {
    /// The attrs of samplers that depend only on the number of classes.
    pub struct RangeSampler {
        /// Number of true classes per row.
        num_true: i64 = Attr::int("num_true").at_least(1),
        /// Number of classes to draw.
        num_sampled: i64 = Attr::int("num_sampled").at_least(1),
        /// Whether to draw without replacement.
        unique: bool = Attr::bool("unique"),
        /// Number of classes.
        range_max: i64 = Attr::int("range_max").at_least(1),
        /// First seed; if both seeds are 0, the classes differ from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
    }
}

const fn sampling(name: &'static str, kernel: fn(&RangeSampler, &mut Cx<'_, '_>) -> Result<()>) -> Def<RangeSampler> {
    op::<RangeSampler>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .stateful()
        .shape(|op, cx| infer(cx, op.num_true, op.num_sampled))
        .kernel(kernel)
}

impl RangeSampler {
    fn sample(&self, cx: &mut Cx<'_, '_>, make: impl FnOnce() -> Result<Sampler>) -> Result<()> {
        let &RangeSampler { num_true, num_sampled, unique, seed, seed2, .. } = self;
        sample(cx, &Request { num_true, num_sampled, unique, seed, seed2 }, make)
    }
}

pub static UNIFORM_CANDIDATE_SAMPLER: Def<RangeSampler> =
    sampling("UniformCandidateSampler", |op, cx| op.sample(cx, || Ok(Sampler::Uniform(op.range_max.max(1) as u64))))
        .doc("Draws classes from the uniform distribution.");

pub static LOG_UNIFORM_CANDIDATE_SAMPLER: Def<RangeSampler> = sampling("LogUniformCandidateSampler", |op, cx| {
    op.sample(cx, || Ok(Sampler::LogUniform(op.range_max.max(1) as u64)))
})
.doc("Draws classes from the log-uniform distribution, which favors low class numbers.");

pub static LEARNED_UNIGRAM_CANDIDATE_SAMPLER: Def<RangeSampler> =
    sampling("LearnedUnigramCandidateSampler", |op, cx| op.sample(cx, || Sampler::unseen(op.range_max)))
        .also(&[form("ThreadUnsafeUnigramCandidateSampler")])
        .doc("Draws classes in proportion to their frequency among the true classes of earlier runs.");

attrs! {
    /// Draws classes in proportion to fixed weights.
    pub struct FixedUnigramCandidateSampler {
        /// Number of true classes per row.
        num_true: i64 = Attr::int("num_true").at_least(1),
        /// Number of classes to draw.
        num_sampled: i64 = Attr::int("num_sampled").at_least(1),
        /// Whether to draw without replacement.
        unique: bool = Attr::bool("unique"),
        /// Number of classes.
        range_max: i64 = Attr::int("range_max").at_least(1),
        /// File that contains the weights.
        vocab_file: String = Attr::string("vocab_file").or_str(""),
        /// Power to which the weights are raised.
        distortion: f32 = Attr::float("distortion").or_float(1.0),
        /// Number of leading classes that are never drawn.
        num_reserved_ids: i64 = Attr::int("num_reserved_ids").or_int(0),
        /// Number of samplers that the classes are divided among.
        num_shards: i64 = Attr::int("num_shards").or_int(1).at_least(1),
        /// Index of this sampler among them.
        shard: i64 = Attr::int("shard").or_int(0).at_least(0),
        /// The weights.
        unigrams: Vec<f32> = Attr::floats("unigrams").or_empty(),
        /// First seed; if both seeds are 0, the classes differ from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
    }
}

pub static FIXED_UNIGRAM_CANDIDATE_SAMPLER: Def<FixedUnigramCandidateSampler> = op("FixedUnigramCandidateSampler")
    .inputs(INPUTS)
    .outputs(OUTPUTS)
    .stateful()
    .shape(|op: &FixedUnigramCandidateSampler, cx| infer(cx, op.num_true, op.num_sampled))
    .kernel(fixed_unigram_candidate_sampler);

fn fixed_unigram_candidate_sampler(op: &FixedUnigramCandidateSampler, cx: &mut Cx<'_, '_>) -> Result<()> {
    let &FixedUnigramCandidateSampler { num_true, num_sampled, unique, seed, seed2, .. } = op;
    sample(cx, &Request { num_true, num_sampled, unique, seed, seed2 }, || op.sampler())
}

impl FixedUnigramCandidateSampler {
    fn sampler(&self) -> Result<Sampler> {
        match (self.vocab_file.is_empty(), self.unigrams.is_empty()) {
            (true, false) => {}
            (false, true) => {
                return Err(Error::permission_denied(format!(
                    "reading weights from {} is not permitted",
                    self.vocab_file
                ))
                .attr("vocab_file")
                .help("give the weights in unigrams"));
            }
            _ => return Err(Error::invalid("Must provide either vocab_file or unigrams.")),
        }
        if self.shard >= self.num_shards {
            return Err(Error::invalid("shard must be less than num_shards").attr("shard").found(self.shard));
        }
        let reserved = usize::try_from(self.num_reserved_ids).ok().filter(|n| *n as i64 <= self.range_max);
        let reserved = reserved.ok_or_else(|| {
            Error::invalid("num_reserved_ids must not be negative nor above range_max").attr("num_reserved_ids")
        })?;
        let mut weights = vec![0f32; reserved];
        for (i, weight) in self.unigrams.iter().enumerate() {
            if (reserved + i) as i64 % self.num_shards == self.shard {
                weights.push(weight.powf(self.distortion));
            }
        }
        if weights.len() as i64 != self.range_max {
            return Err(Error::invalid(format!(
                "range_max is {}, but there are weights for {} classes",
                self.range_max,
                weights.len()
            ))
            .attr("range_max"));
        }
        Ok(Sampler::fixed(weights))
    }
}

attrs! {
    /// Returns every class once.
    pub struct AllCandidateSampler {
        /// Number of true classes per row.
        num_true: i64 = Attr::int("num_true").at_least(1),
        /// Number of classes.
        num_sampled: i64 = Attr::int("num_sampled").at_least(1),
        /// Has no effect.
        unique: bool = Attr::bool("unique"),
        /// Has no effect.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Has no effect.
        seed2: i64 = Attr::int("seed2").or_int(0),
    }
}

pub static ALL_CANDIDATE_SAMPLER: Def<AllCandidateSampler> = op("AllCandidateSampler")
    .inputs(INPUTS)
    .outputs(OUTPUTS)
    .stateful()
    .shape(|op: &AllCandidateSampler, cx| infer(cx, op.num_true, op.num_sampled))
    .kernel(all_candidate_sampler);

fn all_candidate_sampler(op: &AllCandidateSampler, cx: &mut Cx<'_, '_>) -> Result<()> {
    let count = positive("num_sampled", op.num_sampled)?;
    let classes = true_classes(cx, op.num_true, count as u64)?;
    let shape = Shape::vector(count);
    cx.produce(0, &shape, |_, out| {
        out.iter_mut().enumerate().for_each(|(i, class)| *class = i as i64);
        Ok(())
    })?;
    for (i, shape) in [(1, classes.shape()), (2, &shape)] {
        cx.produce(i, shape, |_, out| {
            out.fill(1f32);
            Ok(())
        })?;
    }
    Ok(())
}

attrs! {
    /// Finds the sampled classes that are among the true classes of each row.
    pub struct ComputeAccidentalHits {
        /// Number of true classes per row.
        num_true: i64 = Attr::int("num_true"),
        /// Has no effect.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Has no effect.
        seed2: i64 = Attr::int("seed2").or_int(0),
    }
}

pub static COMPUTE_ACCIDENTAL_HITS: Def<ComputeAccidentalHits> = op("ComputeAccidentalHits")
    .inputs(&[arg("true_classes", is(DType::I64)), arg("sampled_candidates", is(DType::I64))])
    .outputs(&[arg("indices", is(DType::I32)), arg("ids", is(DType::I64)), arg("weights", is(DType::F32))])
    .shape(compute_accidental_hits_shape)
    .kernel(compute_accidental_hits);

fn compute_accidental_hits_shape(_: &ComputeAccidentalHits, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.with_rank(0, 2)?;
    cx.with_rank(1, 1)?;
    for i in 0..3 {
        cx.output_vector(i, None);
    }
    Ok(())
}

fn compute_accidental_hits(op: &ComputeAccidentalHits, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (classes, sampled) = (cx.input(0)?, cx.input(1)?);
    if classes.shape().rank() != 2 || classes.shape()[1] as i64 != op.num_true {
        return Err(Error::invalid("true_candidates must be a batch_size * num_true matrix"));
    }
    if sampled.shape().rank() != 1 {
        return Err(Error::invalid(
            "sampled_candidates must be a vector, which is typically the output from CandidateSampler",
        ));
    }
    let sampled = sampled.slice::<i64>()?;
    let places: std::collections::HashMap<i64, usize> = sampled.iter().enumerate().map(|(i, c)| (*c, i)).collect();
    let (mut indices, mut ids) = (Vec::new(), Vec::new());
    for (i, class) in classes.slice::<i64>()?.iter().enumerate() {
        if let Some(&place) = places.get(class) {
            indices.push((i / classes.shape()[1]) as i32);
            ids.push(place as i64);
        }
    }
    let weights = vec![f32::MIN; ids.len()];
    cx.set(0, Tensor::vector(indices));
    cx.set(1, Tensor::vector(ids));
    cx.set(2, Tensor::vector(weights));
    Ok(())
}
