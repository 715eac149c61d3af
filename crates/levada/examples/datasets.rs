//! Input pipelines in Rust: numbers, functions, files of records, Rust iterators, and the elements as Rust values.
//!
//! ```text
//! cargo run --example datasets -p levada
//! ```

use levada::data::{AUTOTUNE, Calls, Compression, Dataset};
use levada::records;
use levada::{Builder, Bytes, DType, Error, Files, Ops, Result, Session, SessionOptions, Tensor};

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    let open = || levada::opener(SessionOptions { threads: 2, ..SessionOptions::default() });

    // Rust functions take Rust values. Elements are batched, shuffled, repeated and zipped as in `tf.data`.
    let squares = Dataset::range(10).map(|x| x * x).filter(|x| x % 2 == 0).batch(2);
    let squares: Vec<Vec<i64>> = squares.read(levada::registry(), open())?.collect::<Result<_>>()?;
    assert_eq!(squares, [vec![0, 4], vec![16, 36], vec![64]]);

    // Functions of nodes are part of the graph. Several calls run concurrently; elements keep their order.
    let halves = Dataset::range(1000)
        .map_nodes::<f32>(Calls::parallel(AUTOTUNE), |b, x| {
            let o = Ops::new(b);
            vec![o.mul(o.cast(x[0], DType::F32), Tensor::scalar(0.5f32)).add()]
        })
        .prefetch(AUTOTUNE);
    let sum: f32 = halves.read(levada::registry(), open())?.sum::<Result<f32>>()?;
    assert_eq!(sum, 999.0 * 1000.0 / 4.0);

    // A Rust iterator as a source; its elements have two components.
    let letters = Dataset::generate(|| "levada".chars().map(|c| (c as i32, c.is_alphabetic())));
    let pairs = Dataset::range(3).zip(letters);
    let pairs: Vec<(i64, (i32, bool))> = pairs.read(levada::registry(), open())?.collect::<Result<_>>()?;
    assert_eq!(pairs, [(0, ('l' as i32, true)), (1, ('e' as i32, true)), (2, ('v' as i32, true))]);

    // Files of records, two at a time, in a graph with other nodes: a step takes the elements that it needs.
    let folder = std::env::temp_dir().join(format!("levada-datasets-{}", std::process::id()));
    let paths = write_files(&folder)?;
    let names: Vec<Bytes> = paths.into_iter().map(Bytes::from).collect();
    let mut b = Builder::new(levada::registry());
    let records = Dataset::<Bytes>::rows(names)
        .interleave(2, Calls::parallel(2), |file| Dataset::tf_records(file[0], Compression::None))
        .shuffle(4, Some(7))
        .repeat(2);
    let pipeline = records.iterator(&mut b, "records");
    let length = Ops::new(&mut b).string_length(pipeline.components[0]).name("length").add();
    let (init, length) = (b.node_name(pipeline.initializer), b.name(length));
    let files = Files::under([&folder])?;
    let session = Session::new(b.finish()?, SessionOptions { files, ..SessionOptions::default() })?;
    pipeline.register(session.host());
    session.run(&[], &[], &[&init])?;
    let mut bytes = 0;
    for _ in 0..20 {
        bytes += session.run(&[], &[&length], &[])?[0].item::<i32>()?;
    }
    assert_eq!(bytes, 2 * (0..10).map(|i: i32| format!("record {i}").len() as i32).sum::<i32>());
    println!("{bytes} bytes of records");
    std::fs::remove_dir_all(&folder).map_err(|e| Error::internal(e.to_string()))
}

fn write_files(folder: &std::path::Path) -> Result<Vec<String>> {
    let failed = |e: std::io::Error| Error::internal(e.to_string());
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut paths = Vec::new();
    for file in 0..2 {
        let path = folder.join(format!("{file}.tfrecord"));
        let mut writer =
            records::Writer::new(std::fs::File::create(&path).map_err(failed)?, records::Compression::None);
        for i in (file..10).step_by(2) {
            writer.write(format!("record {i}").as_bytes())?;
        }
        writer.finish()?;
        paths.push(path.display().to_string());
    }
    Ok(paths)
}
