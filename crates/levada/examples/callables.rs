//! A step prepared once and called from several threads, text that the graph prints, a cancelled run, and a run that
//! exceeds its timeout.
//!
//! ```text
//! cargo run --example callables -p levada
//! ```

use levada::{
    Builder, CallableOptions, CancelToken, Code, DType, Ops, Result, RunOptions, Session, SessionOptions, Tensor,
};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let x = o.placeholder(DType::F32).shape([-1]).name("x").add();
    let total = o.sum(o.square(x), Tensor::scalar(0i32)).name("total").add();
    o.print(total, [total]).message("the sum of squares is ").name("printed").add();
    let queue = o.fifo_queue_v2(&[DType::F32]).name("queue").add();
    o.queue_dequeue_v2(queue, &[DType::F32]).name("element").add();

    // The session calls this for each text that `Print` and similar ops write.
    let texts = Arc::new(Mutex::new(Vec::new()));
    let heard = texts.clone();
    let log = move |text: &str| heard.lock().expect("no holder panics").push(text.trim().to_owned());
    let options = SessionOptions { log: Some(Arc::new(log)), ..SessionOptions::default() };
    let session = Session::new(b.finish()?, options)?;

    // Names are looked up and the plan is made once, here; a call only runs. Each thread has its own clone.
    let callable = session.callable(&CallableOptions::new(["x"], ["total"], []))?;
    let totals: Vec<Result<f32>> = std::thread::scope(|scope| {
        let work = |i: usize, callable: levada::Callable| {
            let mut total = 0.0;
            for _ in 0..100 {
                total += callable.run(&[Tensor::vector(vec![i as f32; 3])])?[0].item::<f32>()?;
            }
            Ok(total)
        };
        let threads: Vec<_> =
            (0..4).map(|i| (i, callable.clone())).map(|(i, c)| scope.spawn(move || work(i, c))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    });
    for (i, total) in totals.into_iter().enumerate() {
        let total = total?;
        println!("thread {i}: 100 calls add up to {total}");
        assert_eq!(total, 300.0 * (i * i) as f32);
    }

    session.run(&[("x", Tensor::vector(vec![3f32, 4.0]))], &["printed"], &[])?;
    println!("the graph said: {:?}", texts.lock().expect("no holder panics"));

    // Nothing fills this queue. While another thread could fill it, a run waits until it is cancelled or times out.
    let token = CancelToken::new();
    let others = session.share();
    let waits = std::thread::spawn({
        let token = token.clone();
        move || {
            let options = RunOptions { cancel: Some(token), ..RunOptions::default() };
            others.session().run_with(&options, &[], &["element"], &[]).map(drop)
        }
    });
    token.cancel();
    let cancelled = waits.join().expect("no thread panics").unwrap_err();
    println!("cancelled: {}", cancelled.message());
    assert_eq!(cancelled.code(), Code::Cancelled);

    let _others = session.share();
    let short = RunOptions { timeout: Some(Duration::from_millis(20)), ..RunOptions::default() };
    let late = session.run_with(&short, &[], &["element"], &[]).unwrap_err();
    println!("out of time: {}", late.message());
    assert_eq!(late.code(), Code::DeadlineExceeded);
    Ok(())
}
