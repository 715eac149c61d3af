//! Trains in a session that saves, logs, recovers from failures, and resumes where an earlier run of the program
//! stopped, with the next element of its input.
//!
//! ```text
//! cargo run --example monitored -p levada
//! CHECKPOINTS=checkpoints cargo run --example monitored -p levada
//! ```

use levada::monitored::hooks::{Every, LogTensors, SaveCheckpoints, SaveSummaries, StopAtNan, StopAtStep};
use levada::monitored::{Context, Hook, Stop, Values};
use levada::summary::Writer;
use levada::train::{self, Batch, Minimize, Optimizer, Producer};
use levada::{Builder, Code, DType, Error, Graph, Monitored, Ops, Result, SessionOptions, Tensor};
use std::path::PathBuf;
use std::sync::Arc;

/// Learns `y = 3 x` from the numbers 0 to 99, which come from a queue.
fn graph() -> Result<Graph> {
    let mut b = Builder::new(levada::registry());
    let limit = b.constant(Tensor::scalar(100i32));
    let numbers = train::range_input_producer(&mut b, limit, &Producer { shuffle: false, ..Producer::default() });
    let number = Ops::new(&mut b).queue_dequeue_v2(numbers, &[DType::I32]).add();
    let batch = train::batch(&mut b, &number, &Batch::of(8))[0];

    let start = b.constant(Tensor::scalar(0f32));
    let slope = train::variable(&mut b, "slope", start);
    let o = Ops::new(&mut b);
    let x = o.mul(o.cast(batch, DType::F32), Tensor::scalar(0.02f32)).add();
    let loss =
        o.mean(o.squared_difference(o.mul(x, slope.value), o.mul(x, Tensor::scalar(3f32))), Tensor::scalar(0i32));
    let loss = loss.name("loss").add();
    o.identity(batch).name("batch").add();
    let summary = o.scalar_summary(Tensor::string("loss"), loss).add();
    let name = format!("{}:0", b.name(summary));
    levada::graph::collections::add_node(b.collections_mut(), "summaries", &name)?;

    let step = train::global_step(&mut b);
    let options = Minimize { global_step: Some(step), name: "train_op".to_owned(), ..Minimize::default() };
    train::minimize(&mut b, loss, &Optimizer::gradient_descent(0.1), &options)?;
    train::local_variables_initializer(&mut b);
    b.finish()
}

/// Fails once, as a machine might.
struct Accident(bool);

impl Hook for Accident {
    fn after_run(&mut self, at: &Context<'_>, _: &Values<'_>) -> Result<()> {
        if !self.0 && at.global_step()? == 25 {
            self.0 = true;
            return Err(Error::new(Code::Unavailable, "the network was gone for a moment"));
        }
        Ok(())
    }
}

/// Trains until the last step, across failures and restarts.
pub fn main() -> Result<()> {
    // A folder given to the program is kept: run it again, or end it with kill -9 and run it again.
    let given = std::env::var_os("CHECKPOINTS").map(PathBuf::from);
    let own = std::env::temp_dir().join(format!("levada-example-monitored-{}", std::process::id()));
    let folder = given.clone().unwrap_or(own);
    let writer = Arc::new(Writer::create(&folder, "")?);
    let stop = Stop::new();
    // With the crate signal-hook: signal_hook::flag::register(signal_hook::consts::SIGTERM, stop.flag())

    let session = Monitored::new(graph()?, levada::registry(), levada::opener(SessionOptions::default()))
        .checkpoint_dir(&folder)
        .hook(StopAtStep::after(50))
        .hook(StopAtNan::fail("loss"))
        .hook(Accident(false))
        .hook(SaveCheckpoints::new(&folder, Every::Steps(10)).events(writer.clone()))
        .hook(SaveSummaries::new(writer, Every::Steps(5)))
        .hook(LogTensors::new(["loss"], Every::Steps(10)).at_end())
        .stop(&stop)
        .start()?;
    for unsaved in session.unsaved() {
        println!("not saved: {} ({}): {}", unsaved.node, unsaved.op, unsaved.reason);
    }

    session.train(|session| {
        let batch = session.run(&[], &["batch"], &["train_op"])?[0].slice::<i32>()?.to_vec();
        let step = session.session().expect("it has just run").run(&[], &["global_step/Read/ReadVariableOp"], &[])?;
        let step: i64 = step[0].item()?;
        // Each step gets the numbers that belong to it, including steps repeated after the accident.
        assert_eq!(i64::from(batch[0]), (step - 1) * 8 % 100, "step {step}");
        Ok(())
    })?;
    let latest = levada::checkpoint::latest(&folder)?.expect("training has saved a checkpoint");
    let slope = levada::checkpoint::Reader::open(&latest)?.read("slope")?.item::<f32>()?;
    println!("{}: y = {slope:.4} x", latest.display());
    assert!((slope - 3.0).abs() < 0.01);
    if given.is_none() {
        std::fs::remove_dir_all(&folder).map_err(|e| Error::internal(e.to_string()))?;
    }
    Ok(())
}
