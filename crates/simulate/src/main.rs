//! Simulates sessions, and prints the number of operations and lives; if one fails, its seed.

use std::process::ExitCode;

#[cfg(not(shuttle))]
fn main() -> ExitCode {
    eprintln!("simulate: this is a build without a simulated scheduler; run .ci/threads simulate");
    ExitCode::from(2)
}

#[cfg(shuttle)]
fn main() -> ExitCode {
    use levada_simulate::{Lived, live};
    use std::cell::Cell;
    use std::time::{Duration, Instant};

    thread_local! {
        static SEED: Cell<u64> = const { Cell::new(0) };
    }

    const USAGE: &str = "simulate [--seed N] [--seeds FIRST..END] [--seconds N] [--threads N]";
    let (mut first, mut end, mut seconds, mut threads, mut tells) = (1, None, None, 1, false);
    let args: Vec<String> = std::env::args().skip(1).collect();
    for pair in args.chunks(2) {
        let number = pair.get(1).and_then(|value| value.parse::<u64>().ok());
        let range = pair.get(1).and_then(|value| value.split_once(".."));
        match (pair[0].as_str(), number, range.map(|(a, b)| (a.parse::<u64>(), b.parse::<u64>()))) {
            ("--seed", Some(seed), _) => (first, end, tells) = (seed, Some(seed + 1), true),
            ("--seeds", _, Some((Ok(from), Ok(to)))) => (first, end) = (from, Some(to)),
            ("--seconds", Some(n), _) => seconds = Some(Duration::from_secs(n)),
            ("--threads", Some(n), _) => threads = n.max(1),
            _ => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    let end = end.unwrap_or(if seconds.is_some() { u64::MAX } else { 10_001 });
    // The state of a failed life is inconsistent, so none of it is dropped.
    std::panic::set_hook(Box::new(|what| {
        eprintln!("{what}");
        println!("seed {} fails; to repeat it: .ci/threads simulate --seed {}", SEED.get(), SEED.get());
        std::process::exit(1);
    }));
    let began = Instant::now();
    // Each system thread simulates lives of its own.
    let part = |number: u64| {
        let mut all = Lived::default();
        let mut seed = first + number;
        while seed < end && seconds.is_none_or(|most| began.elapsed() < most) {
            SEED.set(seed);
            all += live(seed, tells);
            seed += threads;
        }
        all
    };
    let mut all = Lived::default();
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|number| scope.spawn(move || part(number))).collect();
        parts.into_iter().filter_map(|part| part.join().ok()).for_each(|lived| all += lived);
    });
    let taken = began.elapsed().as_secs_f64();
    println!("{all}, {:.0} operations a second", all.operations as f64 / taken);
    ExitCode::SUCCESS
}
