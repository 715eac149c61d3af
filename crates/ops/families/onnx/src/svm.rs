//! `SVMClassifier` and `SVMRegressor` of `ai.onnx.ml`.

use crate::base::{product, read};
use crate::linear_classifier::{Labels, rows};
use crate::post::{self, Post, logistic};
use crate::prelude::*;

const KERNELS: &[&str] = &["LINEAR", "POLY", "RBF", "SIGMOID"];

attrs! {
    /// `SVMClassifier` of `ai.onnx.ml`: classifies each row of `X` with a support vector machine, and returns its
    /// scores.
    pub struct OnnxSVMClassifier {
        /// Element type of `X`.
        dtype: DType = Attr::dtype("T1", sets::REALS),
        /// Element type of the class labels.
        label: DType = Attr::dtype("T2", &[DType::I64, DType::Str]),
        /// Class labels, if they are integers.
        labels: Vec<i64> = Attr::ints("classlabels_ints").or_empty(),
        /// Class labels, if they are strings.
        names: Vec<Bytes> = Attr::strings("classlabels_strings").or_empty(),
        /// Coefficients of the support vectors.
        coefficients: Vec<f32> = Attr::floats("coefficients"),
        /// Kernel parameters: gamma, coef0 and degree.
        parameters: Vec<f32> = Attr::floats("kernel_params").or_empty(),
        /// Kernel function.
        kernel: String = Attr::one_of("kernel_type", KERNELS).or_str("LINEAR"),
        /// Transform applied to the scores.
        post: String = Attr::one_of("post_transform", post::NAMES).or_str("NONE"),
        /// Slopes of the functions that convert scores to probabilities.
        prob_a: Vec<f32> = Attr::floats("prob_a").or_empty(),
        /// Intercepts of those functions.
        prob_b: Vec<f32> = Attr::floats("prob_b").or_empty(),
        /// Constants added to the scores.
        rho: Vec<f32> = Attr::floats("rho"),
        /// The support vectors, concatenated.
        vectors: Vec<f32> = Attr::floats("support_vectors").or_empty(),
        /// Number of support vectors per class.
        per_class: Vec<i64> = Attr::ints("vectors_per_class").or_empty(),
    }
}

attrs! {
    /// `SVMRegressor` of `ai.onnx.ml`: support vector regression of each row of `X`.
    pub struct OnnxSVMRegressor {
        /// Element type of `X`.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Coefficients of the support vectors.
        coefficients: Vec<f32> = Attr::floats("coefficients"),
        /// Kernel parameters: gamma, coef0 and degree.
        parameters: Vec<f32> = Attr::floats("kernel_params").or_empty(),
        /// Kernel function.
        kernel: String = Attr::one_of("kernel_type", KERNELS).or_str("LINEAR"),
        /// Number of support vectors.
        supports: i64 = Attr::int("n_supports").or_int(0).at_least(0),
        /// If true, returns 1 for inliers and -1 for outliers.
        one_class: bool = Attr::bool("one_class").or_bool(false),
        /// Transform applied to the result.
        post: String = Attr::one_of("post_transform", post::NAMES).or_str("NONE"),
        /// Constant added to the result.
        rho: Vec<f32> = Attr::floats("rho"),
        /// The support vectors, concatenated.
        vectors: Vec<f32> = Attr::floats("support_vectors").or_empty(),
    }
}

/// A kernel function with its parameters.
struct Kernels<'a> {
    kind: &'a str,
    parameters: [f32; 3],
}

impl Kernels<'_> {
    fn of<'a>(kind: &'a str, parameters: &[f32]) -> Kernels<'a> {
        let parameter = |i: usize| parameters.get(i).copied().unwrap_or(0.0);
        Kernels { kind, parameters: [parameter(0), parameter(1), parameter(2)] }
    }

    fn dot(&self, a: &[f32], b: &[f32]) -> f32 {
        let [gamma, constant, degree] = self.parameters;
        let dot = || a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        match self.kind {
            "POLY" => (dot() * gamma + constant).powf(degree),
            "SIGMOID" => (dot() * gamma + constant).tanh(),
            "RBF" => (-gamma * a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>()).exp(),
            _ => dot(),
        }
    }
}

pub static ONNX_SVM_CLASSIFIER: Def<OnnxSVMClassifier> = op("OnnxSVMClassifier")
    .inputs(&[arg("X", of("T1"))])
    .outputs(&[arg("Y", of("T2")), arg("Z", is(DType::F32))])
    .shape(|_, cx| {
        let rows = if cx.input(0).rank() == Some(1) { Some(1) } else { cx.input(0).dim(0) };
        cx.output_vector(0, rows);
        cx.output(1, PartialShape::new([rows, None]));
        Ok(())
    })
    .kernel(onnx_svm_classifier)
    .heavy();

fn onnx_svm_classifier(op: &OnnxSVMClassifier, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (n, features) = rows(cx)?;
    let machine = op.machine(features)?;
    let x = read::<f32>(cx.input(0)?)?;
    cx.device.arena.check(product(&[n, machine.classes, machine.classes])?.saturating_mul(4))?;
    let post = Post::of(&op.post);
    let positive = op.coefficients.iter().all(|&c| c >= 0.0);
    let (mut classes, mut z) = (Vec::with_capacity(n), Vec::new());
    for row in 0..n {
        let (votes, mut scores) = machine.scores(&x[row * features..][..features]);
        let proba = !op.prob_a.is_empty() && machine.count > 0;
        if proba {
            scores = machine.probabilities(&scores);
        }
        let weights = if votes.is_empty() { &scores } else { &votes };
        let mut class = greatest(weights);
        if scores.len() == 1 {
            if machine.classes == 1 {
                class = usize::from(weights[class] > 0.0);
            } else if !proba && positive && machine.count == 0 {
                class = usize::from(weights[class] >= 0.5);
            }
            let score = scores[0];
            scores = vec![-score, score];
        }
        post.apply(&mut scores);
        classes.push(class);
        z.extend(scores);
    }
    let width = z.len().checked_div(n).unwrap_or(machine.classes);
    let y = Labels { numbers: &op.labels, names: &op.names }.of(op.label, &classes)?;
    cx.set(0, y);
    cx.set(1, Tensor::from_vec(Shape::new([n, width])?, z)?);
    Ok(())
}

/// The support vectors of the classes, with checked sizes.
struct Machine<'a> {
    op: &'a OnnxSVMClassifier,
    classes: usize,
    /// First support vector of each class, and their number.
    parts: Vec<(usize, usize)>,
    count: usize,
    features: usize,
}

impl OnnxSVMClassifier {
    fn machine(&self, features: usize) -> Result<Machine<'_>> {
        let mut parts = Vec::new();
        let mut count = 0usize;
        for &n in &self.per_class {
            let n = usize::try_from(n).ok().filter(|&n| n <= self.vectors.len()).ok_or_else(|| {
                Error::invalid("a class has an invalid number of support vectors").attr("vectors_per_class").found(n)
            })?;
            parts.push((count, n));
            count += n;
        }
        let labels = Labels { numbers: &self.labels, names: &self.names };
        let classes = labels.len().max(1);
        let pairs = classes * classes.saturating_sub(1) / 2;
        let fits = match count {
            0 => self.coefficients.len() == classes * features && !self.rho.is_empty(),
            _ => {
                parts.len() == classes
                    && count.checked_mul(features) == Some(self.vectors.len())
                    && count.checked_mul(classes - 1) == Some(self.coefficients.len())
                    && self.rho.len() >= pairs
                    && [&self.prob_a, &self.prob_b].iter().all(|p| p.is_empty() || p.len() >= pairs)
                    && self.prob_a.len() == self.prob_b.len()
            }
        };
        if !fits {
            return Err(Error::invalid("the support vector lists do not match each other or X")
                .attr("support_vectors")
                .found(format!("{classes} classes, {count} support vectors, {features} features")));
        }
        Ok(Machine { op: self, classes, parts, count, features })
    }
}

impl Machine<'_> {
    /// Votes for each class and the pairwise scores of classes; without support vectors, the scores of the classes.
    fn scores(&self, x: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let op = self.op;
        if self.count == 0 {
            let one = |w: &[f32]| op.rho[0] + w.iter().zip(x).map(|(w, x)| w * x).sum::<f32>();
            return (Vec::new(), op.coefficients.chunks_exact(self.features.max(1)).map(one).collect());
        }
        let kernels = Kernels::of(&op.kernel, &op.parameters);
        let products: Vec<f32> = op.vectors.chunks_exact(self.features.max(1)).map(|v| kernels.dot(x, v)).collect();
        let sum = |row: usize, (from, n): (usize, usize)| {
            let weights = &op.coefficients[row * self.count + from..][..n];
            weights.iter().zip(&products[from..]).map(|(w, p)| w * p).sum::<f32>()
        };
        let (mut votes, mut scores) = (vec![0.0; self.classes], Vec::new());
        for i in 0..self.classes {
            for j in i + 1..self.classes {
                let score = op.rho[scores.len()] + sum(j - 1, self.parts[i]) + sum(i, self.parts[j]);
                votes[if score > 0.0 { i } else { j }] += 1.0;
                scores.push(score);
            }
        }
        (votes, scores)
    }

    /// Class probabilities from pairwise probabilities.
    fn probabilities(&self, scores: &[f32]) -> Vec<f32> {
        let k = self.classes;
        let mut r = vec![0f32; k * k];
        let mut next = 0;
        for i in 0..k {
            for j in i + 1..k {
                let value = scores[next] * self.op.prob_a[next] + self.op.prob_b[next];
                let p = (1.0 - logistic(value)).clamp(1e-7, 1.0 - 1e-7);
                (r[i * k + j], r[j * k + i]) = (p, 1.0 - p);
                next += 1;
            }
        }
        let mut q = vec![0f32; k * k];
        for t in 0..k {
            q[t * k + t] = (0..k).filter(|&j| j != t).map(|j| r[j * k + t] * r[j * k + t]).sum();
            for j in (0..k).filter(|&j| j != t) {
                q[t * k + j] = -r[j * k + t] * r[t * k + j];
            }
        }
        let mut p = vec![1.0 / k as f32; k];
        for _ in 0..k.max(100) {
            let mut qp: Vec<f32> = q.chunks_exact(k).map(|row| row.iter().zip(&p).map(|(q, p)| q * p).sum()).collect();
            let mut pqp: f32 = p.iter().zip(&qp).map(|(p, q)| p * q).sum();
            if qp.iter().all(|q| (q - pqp).abs() < 0.005 / k as f32) {
                break;
            }
            for t in 0..k {
                let own = q[t * k + t];
                let diff = (-qp[t] + pqp) / own;
                p[t] += diff;
                pqp = (pqp + diff * (diff * own + 2.0 * qp[t])) / (1.0 + diff) / (1.0 + diff);
                p.iter_mut().for_each(|p| *p /= 1.0 + diff);
                qp.iter_mut().zip(&q[t * k..]).for_each(|(qp, q)| *qp = (*qp + diff * q) / (1.0 + diff));
            }
        }
        p
    }
}

fn greatest(values: &[f32]) -> usize {
    (0..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}

pub static ONNX_SVM_REGRESSOR: Def<OnnxSVMRegressor> = op("OnnxSVMRegressor")
    .inputs(&[arg("X", of("T"))])
    .outputs(&[arg("Y", is(DType::F32))])
    .shape(|_, cx| {
        let rows = if cx.input(0).rank() == Some(1) { Some(1) } else { cx.input(0).dim(0) };
        cx.output(0, PartialShape::new([rows, Some(1)]));
        Ok(())
    })
    .kernel(onnx_svm_regressor)
    .heavy();

fn onnx_svm_regressor(op: &OnnxSVMRegressor, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (n, features) = rows(cx)?;
    let count = usize::try_from(op.supports).unwrap_or(usize::MAX);
    let fits = match count {
        0 => op.coefficients.len() == features,
        _ => count.checked_mul(features) == Some(op.vectors.len()) && op.coefficients.len() == count,
    };
    if !fits || op.rho.is_empty() {
        return Err(Error::invalid("the support vector lists do not match each other or X")
            .attr("support_vectors")
            .found(format!("{count} support vectors, {features} features")));
    }
    let x = read::<f32>(cx.input(0)?)?;
    let kernels = if count == 0 { Kernels::of("LINEAR", &[]) } else { Kernels::of(&op.kernel, &op.parameters) };
    let mut y = Vec::with_capacity(n);
    for row in 0..n {
        let x = &x[row * features..][..features];
        let sum: f32 = match count {
            0 => kernels.dot(x, &op.coefficients),
            _ => {
                let vectors = op.vectors.chunks_exact(features.max(1));
                op.coefficients.iter().zip(vectors).map(|(c, v)| c * kernels.dot(x, v)).sum()
            }
        };
        let sum = sum + op.rho[0];
        let mut value = [if !op.one_class {
            sum
        } else if sum > 0.0 {
            1.0
        } else {
            -1.0
        }];
        // As in other runtimes, a single target is transformed by probit only.
        if op.post == "PROBIT" {
            Post::Probit.apply(&mut value);
        }
        y.extend(value);
    }
    cx.set(0, Tensor::from_vec(Shape::new([n, 1])?, y)?);
    Ok(())
}
