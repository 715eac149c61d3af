//! `CTCLoss` and `CTCLossV2`: the negative log likelihood of label sequences.

use crate::log_sum::{FLOATS, Log};
use crate::prelude::*;
use crate::rules::{PREVENT_GRADIENT, expand, first};

attrs! {
    /// Computes for each sequence the negative log probability of its labels given the scores, and the gradient of that
    /// with respect to the scores. The last class is the blank.
    pub struct CTCLoss {
        /// Whether to collapse repeated labels into one before computing the loss.
        preprocess_collapse_repeated: bool = Attr::bool("preprocess_collapse_repeated").or_bool(false),
        /// Whether repeated labels need a blank between them; if false, each counts as a label of its own.
        ctc_merge_repeated: bool = Attr::bool("ctc_merge_repeated").or_bool(true),
        /// Whether sequences with more labels than steps have zero loss; otherwise they are an error.
        ignore_longer_outputs_than_inputs: bool = Attr::bool("ignore_longer_outputs_than_inputs").or_bool(false),
        /// Element type of the scores.
        dtype: DType = Attr::dtype("T", FLOATS).or_type(DType::F32),
    }
}

const LABELS: [Arg; 3] = [
    arg("labels_indices", is(DType::I64)),
    arg("labels_values", is(DType::I32)),
    arg("sequence_length", is(DType::I32)),
];

pub static CTC_LOSS: Def<CTCLoss> = op("CTCLoss")
    .inputs(&[arg("inputs", of("T")), LABELS[0], LABELS[1], LABELS[2]])
    .outputs(&[arg("loss", of("T")), arg("gradient", of("T"))])
    .shape(infer)
    .gradient(gradient)
    .kernel(|op: &CTCLoss, cx| match op.dtype {
        DType::F64 => loss::<f64>(op, cx, Blank::Last),
        _ => loss::<f32>(op, cx, Blank::Last),
    })
    .heavy();

pub static CTC_LOSS_V2: Def<CTCLoss> = op("CTCLossV2")
    .doc("`CTCLoss` with the first class as the blank, for the default attrs only.")
    .inputs(&[arg("inputs", is(DType::F32)), LABELS[0], LABELS[1], LABELS[2]])
    .outputs(&[arg("loss", is(DType::F32)), arg("gradient", is(DType::F32))])
    .without(&["T"])
    .shape(infer)
    .gradient(gradient)
    .kernel(|op: &CTCLoss, cx| {
        if op.preprocess_collapse_repeated || !op.ctc_merge_repeated || op.ignore_longer_outputs_than_inputs {
            return Err(Error::invalid("CTCLossV2 requires the default values of its attrs"));
        }
        loss::<f32>(op, cx, Blank::First)
    })
    .heavy();

/// Which class is the blank.
#[derive(Clone, Copy, PartialEq)]
enum Blank {
    First,
    Last,
}

fn infer(_: &CTCLoss, cx: &mut ShapeCx<'_>) -> Result<()> {
    let inputs = cx.with_rank(0, 3)?;
    let (indices, values) = (cx.with_rank(1, 2)?, cx.with_rank(2, 1)?);
    values.merge(&PartialShape::vector(indices.dim(0)))?;
    let batch = cx.with_rank(3, 1)?.merge(&PartialShape::vector(inputs.dim(1)))?.dim(0);
    cx.output_vector(0, batch);
    cx.output(1, PartialShape::new([inputs.dim(0), batch, inputs.dim(2)]));
    Ok(())
}

fn gradient(_: &CTCLoss, g: &GradCx) -> Grads {
    let message = "Currently there is no way to take the second derivative of ctc_loss due to the fused implementation";
    let fixed =
        PREVENT_GRADIENT.node(g, &[g.output(1)], &[("message", AttrValue::S(Bytes::from_static(message.as_bytes())))]);
    first(g, expand(g, g.dy(0), -1) * fixed)
}

fn loss<T: Log>(op: &CTCLoss, cx: &mut Cx<'_, '_>, blank: Blank) -> Result<()> {
    let inputs = cx.input(0)?.shape().clone();
    let &[time, batch, classes] = inputs.dims() else {
        return Err(Error::invalid(format!("inputs is not a 3-Tensor, but has the shape {inputs}")));
    };
    let lengths = cx.input(3)?.shape();
    if lengths.dims() != [batch] {
        return Err(Error::invalid("sequence_length must be a vector with a length for each sequence")
            .expected(format!("{batch} lengths"))
            .found(format!("shape {lengths}")));
    }
    if classes == 0 || i32::try_from(classes).is_err() {
        return Err(Error::invalid("num_classes must be positive and fit into int32").found(classes));
    }
    if batch == 0 {
        return Err(Error::invalid("batch_size must not be 0"));
    }
    // A batch without steps takes no memory itself, but the state kept for each of its sequences does.
    cx.device.arena.check(batch.saturating_mul(4 * size_of::<Vec<i32>>()))?;
    let labels = labels(cx, batch)?;
    let lengths = cx.slice::<i32>(3)?;
    let mut targets = Vec::with_capacity(batch);
    for (b, (&length, labels)) in lengths.iter().zip(&labels).enumerate() {
        let steps = usize::try_from(length).ok().filter(|&steps| steps <= time);
        let Some(steps) = steps else {
            return Err(Error::invalid(format!("sequence_length({b}) must be between 0 and {time}")).found(length));
        };
        let target = Target::new(op, labels, classes, blank)
            .map_err(|error| error.found(format!("sequence {b}: {labels:?}")))?;
        if labels.len() > steps && !op.ignore_longer_outputs_than_inputs {
            return Err(Error::invalid(format!(
                "Not enough time for target transition sequence (required: {}, available: {steps}) in sequence {b}",
                labels.len()
            ))
            .help("set ignore_longer_outputs_than_inputs to skip such sequences"));
        }
        let is_counted = steps > 0 && labels.len() <= steps;
        targets.push((if is_counted { steps } else { 0 }, target));
    }
    let mut losses = vec![T::zero(); batch];
    let mut grads = cx.zeros(T::DTYPE, &inputs)?;
    let (scores, arena) = (cx.slice::<T>(0)?, &cx.device.arena);
    let step = |t: usize, b: usize| (t * batch + b) * classes..(t * batch + b + 1) * classes;
    let mut found: Vec<(Result<T>, Vec<T>)> = Vec::new();
    found.resize_with(batch, || (Ok(T::zero()), Vec::new()));
    cx.pool().for_chunks(&mut found, 1, (time * classes) as f64 * 50.0, |first, found| {
        for (i, (loss, grads)) in found.iter_mut().enumerate() {
            let (steps, target) = &targets[first + i];
            let probabilities = || -> Result<Vec<T>> {
                arena.check((steps * target.0.len() * 2 + steps * classes).saturating_mul(size_of::<T>()))?;
                Ok((0..*steps).flat_map(|t| softmax(&scores[step(t, first + i)])).collect())
            };
            *loss = probabilities().map(|y| {
                let (loss, dy) = target.loss(&y, classes, op.ctc_merge_repeated);
                *grads = dy;
                loss
            });
        }
    });
    let out = grads.slice_mut::<T>()?;
    for (b, ((steps, _), (loss, dy))) in targets.iter().zip(found).enumerate() {
        let loss = loss?;
        if *steps > 0 {
            losses[b] = loss;
            dy.chunks_exact(classes).enumerate().for_each(|(t, dy)| out[step(t, b)].copy_from_slice(dy));
        }
    }
    cx.set(0, Tensor::vector(losses));
    cx.set(1, grads);
    Ok(())
}

/// Reads the labels of each sequence from the sparse matrix in inputs 1 and 2.
fn labels(cx: &Cx<'_, '_>, batch: usize) -> Result<Vec<Vec<i32>>> {
    let (indices, values) = (cx.input(1)?.shape(), cx.input(2)?.shape());
    let &[count, 2] = indices.dims() else {
        return Err(Error::invalid(format!(
            "labels_indices is not a matrix with 2 columns, but has the shape {indices}"
        )));
    };
    if values.dims() != [count] {
        return Err(Error::invalid("labels_indices and labels_values must contain the same number of rows")
            .found(format!("shapes {indices} and {values}")));
    }
    let mut labels = vec![Vec::new(); batch];
    let mut before = None;
    for (index, &value) in cx.slice::<i64>(1)?.chunks_exact(2).zip(cx.slice::<i32>(2)?) {
        let at = usize::try_from(index[0]).ok().filter(|&b| b < batch && index[1] >= 0);
        let (Some(b), true) = (at, before < Some(index)) else {
            return Err(Error::invalid(
                "label SparseTensor is not valid: indices must be in order and within the batch",
            )
            .found(format!("{index:?} after {before:?}")));
        };
        labels[b].push(value);
        before = Some(index);
    }
    Ok(labels)
}

/// Converts scores to probabilities.
fn softmax<T: Log>(scores: &[T]) -> impl Iterator<Item = T> {
    let top = scores.iter().copied().fold(T::ZERO, |top, score| if score > top { score } else { top });
    let powers: Vec<T> = scores.iter().map(|&score| (score - top).exp()).collect();
    let sum = powers.iter().copied().fold(T::zero(), |sum, power| sum + power);
    powers.into_iter().map(move |power| power / sum)
}

/// The target of a sequence: its labels with blanks around each, and the blank class.
struct Target(Vec<usize>, usize);

impl Target {
    fn new(op: &CTCLoss, labels: &[i32], classes: usize, blank: Blank) -> Result<Target> {
        if labels.is_empty() && blank == Blank::Last {
            return Err(Error::invalid("a sequence must have labels"));
        }
        let blank_class = if blank == Blank::First { 0 } else { classes - 1 };
        let mut target = vec![blank_class];
        let mut has_ended = false;
        for (i, &label) in labels.iter().enumerate() {
            if op.preprocess_collapse_repeated && i > 0 && label == labels[i - 1] {
                continue;
            }
            match usize::try_from(label) {
                // The last class and those above it end a sequence.
                Ok(class) if blank == Blank::Last && class >= blank_class => has_ended = true,
                Ok(_) if has_ended => return Err(Error::invalid("a sequence must have no label after a blank one")),
                Ok(class) if class < classes && class != blank_class => target.extend([class, blank_class]),
                _ => return Err(Error::invalid("all labels must be classes other than the blank")),
            }
        }
        Ok(Target(target, blank_class))
    }

    /// Computes the loss for the probabilities `y`, and its gradient: equations 7.5 to 7.34 of Graves, "Supervised
    /// Sequence Labelling with Recurrent Neural Networks" (2012).
    fn loss<T: Log>(&self, y: &[T], classes: usize, merge_repeated: bool) -> (T, Vec<T>) {
        let steps = y.len() / classes;
        if steps == 0 {
            return (T::zero(), Vec::new());
        }
        let count = self.0.len();
        let (alpha, beta) = (self.forward(y, classes, merge_repeated), self.backward(y, classes, merge_repeated));
        let total = (0..count).fold(T::ZERO, |sum, u| sum.log_sum(alpha[u] + beta[u]));
        let mut dy = y.to_vec();
        if total == T::ZERO {
            return (-total, dy);
        }
        let mut sums = vec![T::ZERO; classes];
        for (t, dy) in dy.chunks_exact_mut(classes).enumerate() {
            sums.fill(T::ZERO);
            for (u, &class) in self.0.iter().enumerate() {
                sums[class] = sums[class].log_sum(alpha[t * count + u] + beta[t * count + u]);
            }
            for (dy, sum) in dy.iter_mut().zip(&sums) {
                *dy = *dy - (*sum - total).exp();
            }
        }
        (-total, dy)
    }

    /// The positions in the target that can be reached at step `t` of `steps` and from which its end can be reached.
    fn reachable(&self, t: usize, steps: usize) -> std::ops::Range<usize> {
        self.0.len().saturating_sub(2 * (steps - t))..self.0.len().min(2 * (t + 1))
    }

    /// Whether a step may go from position `u` to position `u + 2`.
    fn may_skip(&self, u: usize, class: usize, merge_repeated: bool) -> bool {
        self.0.get(u + 2).is_some_and(|&next| class != self.1 && !(merge_repeated && self.0[u] == next))
    }

    /// Whether a step may stay at a position of this class.
    fn may_stay(&self, class: usize, merge_repeated: bool) -> bool {
        merge_repeated || class == self.1
    }

    /// Log probabilities of being at each position after each step.
    fn forward<T: Log>(&self, y: &[T], classes: usize, merge_repeated: bool) -> Vec<T> {
        let (count, steps) = (self.0.len(), y.len() / classes);
        let mut alpha = vec![T::ZERO; count * steps];
        for u in 0..count.min(2) {
            alpha[u] = y[self.0[u]].ln();
        }
        for t in 1..steps {
            for u in self.reachable(t, steps) {
                let class = self.0[u];
                let before = &alpha[(t - 1) * count..t * count];
                let mut sum = if self.may_stay(class, merge_repeated) { before[u] } else { T::ZERO };
                if u > 0 {
                    sum = sum.log_sum(before[u - 1]);
                }
                if u > 1 && self.may_skip(u - 2, class, merge_repeated) {
                    sum = sum.log_sum(before[u - 2]);
                }
                alpha[t * count + u] = y[t * classes + class].ln() + sum;
            }
        }
        alpha
    }

    /// Log probabilities of getting from each position after each step to the end.
    fn backward<T: Log>(&self, y: &[T], classes: usize, merge_repeated: bool) -> Vec<T> {
        let (count, steps) = (self.0.len(), y.len() / classes);
        let mut beta = vec![T::ZERO; count * steps];
        for u in count.saturating_sub(2)..count {
            beta[(steps - 1) * count + u] = T::zero();
        }
        for t in (0..steps - 1).rev() {
            for u in self.reachable(t, steps) {
                let class = self.0[u];
                let after = |u: usize| beta[(t + 1) * count + u] + y[(t + 1) * classes + self.0[u]].ln();
                let mut sum = if self.may_stay(class, merge_repeated) { after(u) } else { T::ZERO };
                if u + 1 < count {
                    sum = sum.log_sum(after(u + 1));
                }
                if self.may_skip(u, class, merge_repeated) {
                    sum = sum.log_sum(after(u + 2));
                }
                beta[t * count + u] = sum;
            }
        }
        beta
    }
}
