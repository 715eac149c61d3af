//! ONNX's string operators.

use crate::base::broadcast;
use crate::prelude::*;
use std::collections::HashMap;

attrs! {
    /// `StringNormalizer` of ONNX: removes stop words and changes the case of the remaining words.
    pub struct OnnxStringNormalizer {
        /// Case conversion.
        case: String = Attr::one_of("case_change_action", &["NONE", "LOWER", "UPPER"]).or_str("NONE"),
        /// Whether stop words are matched case-sensitively.
        sensitive: bool = Attr::bool("is_case_sensitive").or_bool(false),
        /// The stop words.
        stop: Vec<String> = Attr::strings("stopwords").or_empty(),
    }
}

attrs! {
    /// `StringSplit` of ONNX: splits strings at a delimiter; returns the parts, padded with empty strings, and their
    /// counts.
    pub struct OnnxStringSplit {
        /// The delimiter; empty for white space.
        delimiter: String = Attr::string("delimiter").or_str(""),
        /// Maximum number of splits; -1 for no limit.
        most: i64 = Attr::int("maxsplit").or_int(-1),
    }
}

attrs! {
    /// `StringConcat` of ONNX: concatenates strings elementwise, with broadcasting.
    pub struct OnnxStringConcat {}
}

attrs! {
    /// `TfIdfVectorizer` of ONNX: counts the occurrences of a pool's n-grams in each row of `X`.
    pub struct OnnxTfIdfVectorizer {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::I32, DType::I64, DType::Str]),
        /// Maximum length of an n-gram.
        most: i64 = Attr::int("max_gram_length").at_least(1),
        /// Maximum number of elements skipped between two elements of an n-gram.
        skip: i64 = Attr::int("max_skip_count").at_least(0),
        /// Minimum length of an n-gram.
        least: i64 = Attr::int("min_gram_length").at_least(1),
        /// `TF` for counts, `IDF` for the weights of n-grams that occur, `TFIDF` for counts times weights.
        mode: String = Attr::one_of("mode", &["TF", "IDF", "TFIDF"]),
        /// Start of the n-grams of each length in the pool.
        counts: Vec<i64> = Attr::ints("ngram_counts").or_empty(),
        /// Output index of each n-gram.
        indexes: Vec<i64> = Attr::ints("ngram_indexes").or_empty(),
        /// The pool of concatenated integer n-grams.
        integers: Vec<i64> = Attr::ints("pool_int64s").or_empty(),
        /// The pool of concatenated string n-grams.
        strings: Vec<Bytes> = Attr::strings("pool_strings").or_empty(),
        /// Weight of each n-gram.
        weights: Vec<f32> = Attr::floats("weights").or_empty(),
    }
}

pub static ONNX_STRING_NORMALIZER: Def<OnnxStringNormalizer> = op("OnnxStringNormalizer")
    .inputs(&[arg("X", is(DType::Str))])
    .outputs(&[arg("Y", is(DType::Str))])
    .shape(onnx_string_normalizer_shape)
    .kernel(onnx_string_normalizer)
    .heavy();

fn onnx_string_normalizer_shape(_: &OnnxStringNormalizer, cx: &mut ShapeCx<'_>) -> Result<()> {
    let shape = match cx.input(0).rank() {
        Some(2) => PartialShape::new([Some(1), None]),
        Some(1) => PartialShape::of_rank(1),
        _ => PartialShape::Unknown,
    };
    cx.output(0, shape);
    Ok(())
}

fn onnx_string_normalizer(op: &OnnxStringNormalizer, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    if !matches!(shape.dims(), [_] | [1, _]) {
        return Err(Error::invalid("X must be a vector or one row").found(shape));
    }
    let text = |bytes: &Bytes| {
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| Error::invalid("a string of X is not UTF-8"))
    };
    let folded = |word: &str| if op.sensitive { word.to_owned() } else { word.to_lowercase() };
    let stop: Vec<String> = op.stop.iter().map(|word| folded(word)).collect();
    let mut out: Vec<Bytes> = Vec::new();
    for bytes in cx.slice::<Bytes>(0)? {
        let word = text(bytes)?;
        if stop.contains(&folded(&word)) {
            continue;
        }
        out.push(match op.case.as_str() {
            "LOWER" => Bytes::from(word.to_lowercase()),
            "UPPER" => Bytes::from(word.to_uppercase()),
            _ => bytes.clone(),
        });
    }
    if out.is_empty() {
        out.push(Bytes::new());
    }
    let n = out.len();
    let shape = if shape.rank() == 1 { Shape::vector(n) } else { Shape::new([1, n])? };
    cx.set(0, Tensor::from_vec(shape, out)?);
    Ok(())
}

pub static ONNX_STRING_SPLIT: Def<OnnxStringSplit> = op("OnnxStringSplit")
    .inputs(&[arg("X", is(DType::Str))])
    .outputs(&[arg("Y", is(DType::Str)), arg("Z", is(DType::I64))])
    .shape(|_, cx| {
        let shape = cx.input(0);
        cx.output(1, shape.clone());
        cx.output(0, shape.concat(&PartialShape::of_rank(1)));
        Ok(())
    })
    .kernel(onnx_string_split)
    .heavy();

fn onnx_string_split(op: &OnnxStringSplit, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let most = usize::try_from(op.most).unwrap_or(usize::MAX);
    let mut all = Vec::with_capacity(shape.num_elements());
    for bytes in cx.slice::<Bytes>(0)? {
        let text = std::str::from_utf8(bytes).map_err(|_| Error::invalid("a string of X is not UTF-8"))?;
        let parts: Vec<&str> = match op.delimiter.is_empty() {
            true => words(text, most),
            false if text.is_empty() => Vec::new(),
            false => text.splitn(most.saturating_add(1), &op.delimiter).collect(),
        };
        all.push(parts.into_iter().map(|part| bytes.slice_ref(part.as_bytes())).collect::<Vec<Bytes>>());
    }
    let width = all.iter().map(Vec::len).max().unwrap_or(0);
    let whole = Shape::new(shape.iter().copied().chain([width]))?;
    cx.device.arena.check(whole.num_elements().saturating_mul(size_of::<Bytes>()))?;
    let counts: Vec<i64> = all.iter().map(|parts| parts.len() as i64).collect();
    let mut out = Vec::with_capacity(whole.num_elements());
    for mut parts in all {
        parts.resize(width, Bytes::new());
        out.extend(parts);
    }
    cx.set(0, Tensor::from_vec(whole, out)?);
    cx.set(1, Tensor::from_vec(shape, counts)?);
    Ok(())
}

/// The parts of `text` between runs of white space; after `most` splits, the last part is the rest.
fn words(text: &str, most: usize) -> Vec<&str> {
    let (mut rest, mut parts) = (text.trim_start(), Vec::new());
    while !rest.is_empty() {
        match rest.find(char::is_whitespace).filter(|_| parts.len() < most) {
            Some(end) => {
                parts.push(&rest[..end]);
                rest = rest[end..].trim_start();
            }
            None => {
                parts.push(rest);
                break;
            }
        }
    }
    parts
}

pub static ONNX_STRING_CONCAT: Def<OnnxStringConcat> = op("OnnxStringConcat")
    .inputs(&[arg("X", is(DType::Str)), arg("Y", is(DType::Str))])
    .outputs(&[arg("Z", is(DType::Str))])
    .shape(|_, cx| cx.broadcast())
    .kernel(onnx_string_concat)
    .heavy();

fn onnx_string_concat(_: &OnnxStringConcat, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (x, y) = (cx.input(0)?, cx.input(1)?);
    let shape = x.shape().broadcast(y.shape())?;
    cx.device.arena.check(shape.num_elements().saturating_mul(size_of::<Bytes>()))?;
    let places = broadcast(x.shape(), &shape)?.zip(broadcast(y.shape(), &shape)?);
    let (x, y) = (x.slice::<Bytes>()?, y.slice::<Bytes>()?);
    let out: Vec<Bytes> = places.map(|(i, j)| [&x[i][..], &y[j][..]].concat().into()).collect();
    cx.set(0, Tensor::from_vec(shape, out)?);
    Ok(())
}

pub static ONNX_TF_IDF_VECTORIZER: Def<OnnxTfIdfVectorizer> = op("OnnxTfIdfVectorizer")
    .inputs(&[arg("X", of("T"))])
    .outputs(&[arg("Y", is(DType::F32))])
    .shape(onnx_tf_idf_vectorizer_shape)
    .kernel(onnx_tf_idf_vectorizer)
    .heavy();

fn onnx_tf_idf_vectorizer_shape(op: &OnnxTfIdfVectorizer, cx: &mut ShapeCx<'_>) -> Result<()> {
    let width = op.width().ok();
    let shape = match cx.input(0).rank() {
        Some(0 | 1) => PartialShape::vector(width),
        Some(2) => PartialShape::new([cx.input(0).dim(0), width]),
        _ => PartialShape::Unknown,
    };
    cx.output(0, shape);
    Ok(())
}

fn onnx_tf_idf_vectorizer(op: &OnnxTfIdfVectorizer, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.least > op.most {
        return Err(Error::invalid("min_gram_length is larger than max_gram_length").attr("min_gram_length"));
    }
    let pool = cx.node_state(|| op.pool())?;
    let pool = (*pool).as_ref().map_err(Clone::clone)?;
    let x = cx.input(0)?;
    let words: Vec<Option<u32>> = match x.dtype() {
        DType::Str => x.slice::<Bytes>()?.iter().map(|word| pool.strings.get(word).copied()).collect(),
        _ => x.to_i64s()?.iter().map(|word| pool.integers.get(word).copied()).collect(),
    };
    let width = op.width()?;
    let (rows, length, shape) = match *x.shape().dims() {
        [] => (1, 1, Shape::new([width])?),
        [n] => (1, n, Shape::new([width])?),
        [rows, n] => (rows, n, Shape::new([rows, width])?),
        _ => return Err(Error::invalid("X must be a vector or a matrix").found(x.shape())),
    };
    let mut y = crate::base::buffer::<f32>(cx, shape.num_elements())?;
    for row in 0..rows {
        let out = &mut y[row * width..][..width];
        op.count(pool, &words[row * length..][..length], |number| {
            let weight = op.weights.get(number).copied().unwrap_or(1.0);
            let out = &mut out[op.indexes[number] as usize];
            match op.mode.as_str() {
                "TF" => *out += 1.0,
                "IDF" => *out = weight,
                _ => *out += weight,
            }
        });
    }
    cx.set(0, Tensor::from_vec(shape, y)?);
    Ok(())
}

/// A pool's n-grams as sequences of vocabulary indices.
struct Pool {
    integers: HashMap<i64, u32>,
    strings: HashMap<Bytes, u32>,
    /// The index of each n-gram.
    grams: HashMap<Vec<u32>, usize>,
}

impl OnnxTfIdfVectorizer {
    /// Number of elements in an output row.
    fn width(&self) -> Result<usize> {
        let most = self.indexes.iter().copied().max().unwrap_or(-1);
        let valid = self.indexes.iter().all(|&i| i >= 0);
        usize::try_from(most.saturating_add(1))
            .ok()
            .filter(|_| valid)
            .ok_or_else(|| Error::invalid("ngram_indexes must not be negative").attr("ngram_indexes"))
    }

    fn pool(&self) -> Result<Pool> {
        let (mut integers, mut strings) = (HashMap::new(), HashMap::new());
        let mut words: Vec<u32> = Vec::new();
        for &word in &self.integers {
            let next = integers.len() as u32;
            words.push(*integers.entry(word).or_insert(next));
        }
        for word in self.strings.iter().filter(|_| self.integers.is_empty()) {
            let next = strings.len() as u32;
            words.push(*strings.entry(word.clone()).or_insert(next));
        }
        let wrong = || Error::invalid("ngram_counts do not fit the pool").attr("ngram_counts");
        let mut grams = HashMap::new();
        let mut number = 0;
        for (i, &from) in self.counts.iter().enumerate() {
            let end = self.counts.get(i + 1).copied().unwrap_or(words.len() as i64);
            let range = usize::try_from(from).ok().zip(usize::try_from(end).ok()).ok_or_else(wrong)?;
            let part = words.get(range.0..range.1).filter(|part| part.len().is_multiple_of(i + 1)).ok_or_else(wrong)?;
            for gram in part.chunks_exact(i + 1) {
                grams.entry(gram.to_vec()).or_insert(number);
                number += 1;
            }
        }
        if number != self.indexes.len() || (!self.weights.is_empty() && self.weights.len() != number) {
            return Err(Error::invalid("ngram_indexes and weights must have an element for each n-gram")
                .attr("ngram_indexes")
                .expected(number)
                .found(self.indexes.len()));
        }
        Ok(Pool { integers, strings, grams })
    }

    /// Counts the n-grams of a row; `None` marks a word that is not in the pool.
    fn count(&self, pool: &Pool, row: &[Option<u32>], mut found: impl FnMut(usize)) {
        let (least, most) = (self.least as usize, (self.most as usize).min(row.len()).min(self.counts.len()));
        for skip in 0..=usize::try_from(self.skip).unwrap_or(0).min(row.len()) {
            // Unigrams have no gaps to skip.
            for n in least.max(if skip > 0 { 2 } else { 1 })..=most {
                let span = (n - 1) * (skip + 1);
                for from in 0..row.len().saturating_sub(span) {
                    let gram: Option<Vec<u32>> = (0..n).map(|i| row[from + i * (skip + 1)]).collect();
                    if let Some(&number) = gram.and_then(|gram| pool.grams.get(&gram)) {
                        found(number);
                    }
                }
            }
        }
    }
}
