//! What a caller of `levada bench` runs repeatedly: one signature, or two in turn.

use crate::args::BenchArgs;
use crate::prepare::Prepared;
use levada::{Callable, Error, Result, RunOptions, Tensor};
use std::time::Instant;

/// One signature with its feeds.
#[derive(Clone)]
struct Request {
    callable: Callable,
    feeds: Vec<Tensor>,
}

/// The signatures that are run in turn. Each thread has a clone of its own.
#[derive(Clone)]
pub struct Requests {
    list: Vec<Request>,
    options: RunOptions,
}

/// The results of a round of all requests.
pub struct Round {
    /// Nanoseconds of each request.
    pub times: Vec<f64>,
    /// The values that the first of them fetched.
    pub fetched: Vec<Tensor>,
}

impl Requests {
    /// The step, and the signature that alternates with it.
    ///
    /// # Errors
    /// What is wrong with the names or feeds of the second signature.
    pub fn of(args: &BenchArgs, prepared: &Prepared) -> Result<Requests> {
        let mut list = vec![Request { callable: prepared.callable.clone(), feeds: prepared.feeds.clone() }];
        let also = &args.also;
        if also.also_fetch.is_empty() && also.also_target.is_empty() {
            if let Some(feed) = also.also_feed.first() {
                return Err(Error::invalid(format!("--also-feed {} feeds nothing that runs", feed.name))
                    .help("name something with --also-fetch or --also-target"));
            }
        } else {
            let (callable, feeds) = prepared.second(also, args.step.cast)?;
            list.push(Request { callable, feeds });
        }
        Ok(Requests { list, options: prepared.options.clone() })
    }

    /// Number of signatures.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Runs each of them once.
    ///
    /// # Errors
    /// The error of the first one that fails.
    pub fn round(&self) -> Result<Round> {
        let (mut times, mut fetched) = (Vec::with_capacity(self.list.len()), Vec::new());
        for (i, request) in self.list.iter().enumerate() {
            let start = Instant::now();
            let values = request.callable.run_with(&self.options, &request.feeds).0?;
            times.push(start.elapsed().as_nanos() as f64);
            if i == 0 {
                fetched = values;
            }
        }
        Ok(Round { times, fetched })
    }
}
