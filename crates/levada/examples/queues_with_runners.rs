//! An input pipeline: queue runners produce, process and batch numbers while steps consume the batches.
//!
//! ```text
//! cargo run --example queues_with_runners -p levada
//! ```

use levada::train::{self, Batch, Producer};
use levada::{Builder, Code, Coordinator, DType, Ops, Result, Session, SessionOptions, Tensor};
use std::time::Duration;

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    let mut b = Builder::new(levada::registry());

    // A queue of the numbers below 20, repeated twice, that a runner fills.
    let limit = b.constant(Tensor::scalar(20i32));
    let numbers = Producer { num_epochs: Some(2), shuffle: false, ..Producer::default() };
    let numbers = train::range_input_producer(&mut b, limit, &numbers);

    // The work on each element: any nodes, run by as many threads as the batch asks for.
    let o = Ops::new(&mut b);
    let square = o.square(o.queue_dequeue_v2(numbers, &[DType::I32]).add()[0]).add();

    // Another queue makes batches of eight. With `ordered` they are the same for any number of runners.
    let options = Batch { num_threads: 3, ordered: true, allow_smaller_final_batch: true, ..Batch::of(8) };
    let batch = train::batch(&mut b, &[square], &options);
    b.identity("batch", batch[0]);
    let init = train::local_variables_initializer(&mut b);
    let init = b.node_name(init);

    let session = Session::new(b.finish()?, SessionOptions { telemetry: true, ..SessionOptions::default() })?;
    session.run(&[], &[], &[&init])?;

    // A coordinator stops all background work together.
    let coordinator = Coordinator::new();
    println!("{} runners started", session.start_queue_runners(&coordinator)?);
    let mut taken = 0;
    let end = loop {
        match session.run(&[], &["batch"], &[]) {
            Ok(batch) => {
                println!("{}", batch[0]);
                taken += batch[0].num_elements();
            }
            Err(end) => break end,
        }
    };

    // The input ends with OUT_OF_RANGE, after the remaining elements of the queues.
    println!("the input ended: {}", end.message());
    assert_eq!((taken, end.code()), (40, Code::OutOfRange));
    coordinator.request_stop();
    coordinator.join(Duration::from_secs(10))?;

    // How full the queues were, which side waited for which, and the bottleneck.
    let workers = session.workers();
    println!("\n{}", levada::trace::report::queues_text(&session.queue_traces(), workers.as_ref()));
    Ok(())
}
