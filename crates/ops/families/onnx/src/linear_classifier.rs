//! `LinearClassifier` of `ai.onnx.ml`.

use crate::base::{buffer, product, read};
use crate::post::{self, Post};
use crate::prelude::*;
use levada_gemm::{Mat, Size, multiply};

attrs! {
    /// `LinearClassifier` of `ai.onnx.ml`: returns the class with the highest score for each row of `X`, and the scores
    /// of all classes.
    pub struct OnnxLinearClassifier {
        /// Element type of `X`.
        dtype: DType = Attr::dtype("T1", sets::REALS),
        /// Element type of the class labels.
        label: DType = Attr::dtype("T2", &[DType::I64, DType::Str]),
        /// Class labels, if they are integers.
        labels: Vec<i64> = Attr::ints("classlabels_ints").or_empty(),
        /// Class labels, if they are strings.
        names: Vec<Bytes> = Attr::strings("classlabels_strings").or_empty(),
        /// Weights, one row per class.
        coefficients: Vec<f32> = Attr::floats("coefficients"),
        /// Intercept added to the score of each class.
        intercepts: Vec<f32> = Attr::floats("intercepts").or_empty(),
        /// Transform applied to the scores.
        post: String = Attr::one_of("post_transform", post::NAMES).or_str("NONE"),
    }
}

pub static ONNX_LINEAR_CLASSIFIER: Def<OnnxLinearClassifier> = op("OnnxLinearClassifier")
    .inputs(&[arg("X", of("T1"))])
    .outputs(&[arg("Y", of("T2")), arg("Z", is(DType::F32))])
    .shape(|_, cx| {
        let rows = if cx.input(0).rank() == Some(1) { Some(1) } else { cx.input(0).dim(0) };
        cx.output_vector(0, rows);
        cx.output(1, PartialShape::new([rows, None]));
        Ok(())
    })
    .kernel(onnx_linear_classifier)
    .heavy();

fn onnx_linear_classifier(op: &OnnxLinearClassifier, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (n, features) = rows(cx)?;
    let labels = Labels { numbers: &op.labels, names: &op.names };
    let classes = op.coefficients.len() / features.max(1);
    if classes == 0
        || classes * features != op.coefficients.len()
        || !(op.intercepts.is_empty() || op.intercepts.len() == classes)
    {
        return Err(Error::invalid("the weights do not match X")
            .attr("coefficients")
            .expected(format!("{features} for each class"))
            .found(op.coefficients.len()));
    }
    let post = Post::of(&op.post);
    let x = read::<f32>(cx.input(0)?)?;
    let mut scores = buffer::<f32>(cx, product(&[n, classes])?)?;
    let weights = Mat::new(&op.coefficients, features).t();
    multiply(cx.pool(), Size { m: n, n: classes, k: features }, Mat::new(&x, features), weights, &mut scores)?;
    let (mut best, mut z) = (Vec::with_capacity(n), Vec::new());
    for row in scores.chunks_exact_mut(classes) {
        row.iter_mut().zip(&op.intercepts).for_each(|(s, b)| *s += b);
        let mut row = row.to_vec();
        if classes == 1 && labels.len() == 2 {
            row.insert(0, -row[0]);
        }
        best.push(match row.len() {
            1 => usize::from(row[0] > 0.0),
            _ => (0..row.len()).fold(0, |best, i| if row[i] > row[best] { i } else { best }),
        });
        post.apply(&mut row);
        z.extend(row);
    }
    let width = z.len().checked_div(n).unwrap_or(classes);
    let y = labels.of(op.label, &best)?;
    cx.set(0, y);
    cx.set(1, Tensor::from_vec(Shape::new([n, width])?, z)?);
    Ok(())
}

/// Class labels: strings, integers, or the class indices themselves.
pub(crate) struct Labels<'a> {
    pub(crate) numbers: &'a [i64],
    pub(crate) names: &'a [Bytes],
}

impl Labels<'_> {
    /// Number of labelled classes.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len().max(self.names.len())
    }

    /// A vector with the labels of these classes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a class without a label.
    pub(crate) fn of(&self, dtype: DType, classes: &[usize]) -> Result<Tensor> {
        let missing = |class: &usize| Error::invalid(format!("class {class} has no label"));
        if dtype == DType::Str {
            let name = |class: &usize| self.names.get(*class).cloned().ok_or_else(|| missing(class));
            return Ok(Tensor::vector(classes.iter().map(name).collect::<Result<Vec<Bytes>>>()?));
        }
        let number = |class: &usize| match self.numbers.is_empty() {
            true => Ok(*class as i64),
            false => self.numbers.get(*class).copied().ok_or_else(|| missing(class)),
        };
        Ok(Tensor::vector(classes.iter().map(number).collect::<Result<Vec<i64>>>()?))
    }
}

/// The rows and columns of `X`, which may also be a single row.
///
/// # Errors
/// `INVALID_ARGUMENT` for any other rank.
pub(crate) fn rows(cx: &Cx<'_, '_>) -> Result<(usize, usize)> {
    match *cx.input(0)?.shape().dims() {
        [features] => Ok((1, features)),
        [n, features] => Ok((n, features)),
        _ => Err(Error::invalid("X must be a vector or a matrix").found(cx.input(0)?.shape())),
    }
}
