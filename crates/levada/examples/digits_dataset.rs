//! The digits of `graphs/pipeline`, read from TFRecord files by a dataset instead of queues: files are read in
//! parallel, parsed, shuffled, repeated twice and batched. With an argument the graph is written to that file; this
//! example generates `graphs/pipeline/dataset.json`.
//!
//! ```text
//! cargo run --example digits_dataset -p levada [-- FILE]
//! ```

use levada::data::{AUTOTUNE, Calls, Compression, Dataset};
use levada::ndarray::ArrayD;
use levada::{Builder, Bytes, DType, Error, Files, Output, Result, SessionOptions, Tensor};
use std::path::Path;

/// The folder of the records, relative to the root of the repository.
const FOLDER: &str = "graphs/pipeline";
const FILES: usize = 4;
const DIGITS: i64 = 720;
const BATCH: i64 = 64;
const EPOCHS: i64 = 2;

/// An image of 8 x 8 with values from 0 to 1, and its label.
type Digit = (ArrayD<f32>, i64);

/// The digits in random order, the same each time, in batches.
fn digits(folder: &str) -> Dataset<(ArrayD<f32>, Vec<i64>)> {
    let file = |i| Bytes::from(format!("{folder}/digits-{i:05}-of-{FILES:05}.tfrecord.gz"));
    Dataset::<Bytes>::rows((0..FILES).map(file).collect())
        .interleave(FILES as i64, Calls::parallel(FILES as i64), |file| Dataset::tf_records(file[0], Compression::Gzip))
        .shuffle(DIGITS, Some(1))
        .repeat(EPOCHS)
        .map_nodes::<Digit>(Calls::parallel(AUTOTUNE), |b, record| parse(b, record[0]))
        .batch(BATCH)
        .prefetch(2)
}

/// The image and the label of an `Example`.
fn parse(b: &mut Builder, record: Output) -> Vec<Output> {
    let defaults = [b.constant(Tensor::string("")), b.constant(Tensor::scalar(-1i64))];
    let keys = vec!["image".to_owned(), "label".to_owned()];
    let example = b.node("ParseSingleExample").input(record).inputs(defaults).attr("num_sparse", 0i64);
    let example = example.attr("sparse_keys", Vec::<String>::new()).attr("sparse_types", Vec::<DType>::new());
    let scalars = vec![levada::PartialShape::scalar(); 2];
    let image = example.attr("dense_keys", keys).attr("dense_shapes", scalars).add();
    let bytes = b.node("DecodeRaw").input(image).attr("out_type", DType::U8).add();
    let values = b.node("Cast").input(bytes).attr("DstT", DType::F32).add();
    let part = b.constant(Tensor::scalar(1f32 / 16.0));
    let values = b.mul(values, part);
    let shape = b.constant(Tensor::vector(vec![8i32, 8, 1]));
    vec![b.op("Reshape", &[values, shape]), image.output(1)]
}

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    if let Some(path) = std::env::args().nth(1).filter(|path| path.ends_with(".json")) {
        let mut b = Builder::new(levada::registry());
        digits(FOLDER).iterator(&mut b, "digits");
        let text = levada::graph::write::json(&b.finish()?.to_def())?;
        return std::fs::write(path, text).map_err(|e| Error::internal(e.to_string()));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FOLDER);
    let files = Files::under([&root])?;
    let open = levada::opener(SessionOptions { files, ..SessionOptions::default() });
    let mut counts = [0i64; 10];
    for batch in digits(&root.display().to_string()).read(levada::registry(), open)? {
        let (images, labels) = batch?;
        assert_eq!(images.shape(), [labels.len(), 8, 8, 1]);
        labels.iter().for_each(|&label| counts[label as usize] += 1);
    }
    assert_eq!(counts.iter().sum::<i64>(), EPOCHS * DIGITS);
    println!("how often each digit was read: {counts:?}");
    Ok(())
}
