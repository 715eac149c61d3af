//! Partial runs: a run that is fed and fetched in several calls.

use crate::holder::Holder;
use crate::names::{self, Fetch};
use crate::options::{RunMetadata, RunOptions};
use crate::session::{Active, Ending, Session};
use levada_executor::PartialStep;
use levada_graph::{Endpoint, Error, Result, Tensor};
use levada_kernel::Ask;
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A run in progress that is fed and fetched in several calls. Dropping it cancels it.
///
/// ```
/// # use levada_session::Session;
/// # use levada_graph::{Error, Tensor};
/// # fn example(session: &Session) -> Result<(), Error> {
/// let mut run = session.partial_run_setup(&["a", "b"], &["sum", "product"], &[])?;
/// let sum = run.run(&[("a", Tensor::scalar(2f32))], &["sum"])?;
/// let product = run.run(&[("b", sum[0].clone())], &["product"])?;
/// # let _ = product;
/// # Ok(())
/// # }
/// ```
pub struct PartialRun {
    session: Holder,
    step: PartialStep,
    id: u64,
    timeout: Option<Duration>,
    poll: Option<Arc<Ask>>,
    /// The endpoints that may be fed, and whether they have been.
    feeds: Vec<(Endpoint, bool)>,
    /// The endpoints that may be fetched, and whether they have been.
    fetches: Vec<(Endpoint, bool)>,
    outcome: Option<(Result<()>, RunMetadata)>,
    /// In a closed world it counts as a run in progress, also between calls.
    _active: Option<Active>,
    /// Cancels it when the session ends.
    _ending: Ending,
    one_thread: PhantomData<Cell<()>>,
}

impl Session {
    /// Begins a run that is fed and fetched in several calls. Nodes that need no feed run immediately, the others as
    /// soon as the feeds they need have arrived, including targets and operations among the fetches.
    ///
    /// # Errors
    /// As [`Session::run`] for the names; `INVALID_ARGUMENT` if nothing is to be fetched or run, and for an endpoint
    /// that is both fed and fetched.
    pub fn partial_run_setup(&self, feeds: &[&str], fetches: &[&str], targets: &[&str]) -> Result<PartialRun> {
        self.partial_run_setup_with(&RunOptions::default(), feeds, fetches, targets)
    }

    /// As [`Session::partial_run_setup`], with options: the token and the trace are those of the whole run, the timeout
    /// is that of each call of [`PartialRun::run`].
    ///
    /// # Errors
    /// As [`Session::partial_run_setup`].
    pub fn partial_run_setup_with(
        &self,
        options: &RunOptions,
        feeds: &[&str],
        fetches: &[&str],
        targets: &[&str],
    ) -> Result<PartialRun> {
        if fetches.is_empty() && targets.is_empty() {
            return Err(Error::invalid("Must specify at least one target to fetch or execute."));
        }
        let inner = &self.inner;
        if inner.is_recorded() {
            return Err(Error::unimplemented("partial runs cannot be recorded"));
        }
        let (plan, signature) = inner.partial_plan(feeds, fetches, targets)?;
        if let Some(both) = signature.feeds.iter().find(|feed| signature.fetches.contains(feed)) {
            let name = inner.graph().endpoint_name(*both);
            return Err(Error::invalid(format!("{name} is both fed and fetched."))
                .help("use the value that is fed instead of fetching it"));
        }
        let (mut step, ending) = inner.step_options(options)?;
        let id = step.id;
        // Each call has its own deadline, and possibly its own thread.
        (step.deadline, step.poll) = (None, None);
        let active = inner.is_closed_world().then(|| Active::of(&inner.shared()));
        let started = PartialStep::start(&plan, &inner.env, &step)?;
        Ok(PartialRun {
            session: inner.clone(),
            step: started,
            id,
            timeout: inner.timeout(options),
            poll: options.poll.clone(),
            feeds: signature.feeds.into_iter().map(|e| (e, false)).collect(),
            fetches: signature.fetches.into_iter().map(|e| (e, false)).collect(),
            outcome: None,
            _active: active,
            _ending: ending,
            one_thread: PhantomData,
        })
    }
}

impl PartialRun {
    /// Feeds some of the feeds and waits for some of the fetches, each of which is named once over all calls. The run
    /// ends with the last feed and fetch.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for names that are not part of the setup or were fed or fetched before, values that do not
    /// fit, and fetches that need further feeds; the run continues after these. Any other error has ended the run.
    pub fn run(&mut self, feeds: &[(&str, Tensor)], fetches: &[&str]) -> Result<Vec<Tensor>> {
        if let Some((result, _)) = &self.outcome {
            return Err(match result {
                Err(error) => error.clone(),
                Ok(()) => Error::invalid("Must run 'setup' before performing partial runs!")
                    .help("everything has been fed and fetched, so the run is over"),
            });
        }
        let given = self.check_feeds(feeds)?;
        let asked = self.check_fetches(&given, fetches)?;
        let mut values: Vec<Tensor> = feeds.iter().map(|(_, tensor)| tensor.clone()).collect();
        self.session.values_of_handles(&mut values)?;
        for (&feed, value) in given.iter().zip(&values) {
            self.step.check(feed, value)?;
        }
        let deadline = self.timeout.and_then(|t| levada_sync::now().checked_add(t));
        for (&feed, value) in given.iter().zip(values) {
            self.feeds[feed].1 = true;
            self.step.feed(feed, value);
        }
        let fetched = self.step.fetch(&asked, deadline, self.poll.clone());
        let fetched = match fetched {
            Ok(tensors) => tensors,
            Err(error) => {
                self.step.cancel(error.clone());
                self.end(None);
                return Err(error);
            }
        };
        asked.iter().for_each(|&fetch| self.fetches[fetch].1 = true);
        self.session.env.tensors.keep(self.id, |node| fetches.contains(&node));
        if self.feeds.iter().chain(&self.fetches).all(|(_, done)| *done) {
            self.end(deadline);
            if let Some((Err(error), _)) = &self.outcome {
                return Err(error.clone());
            }
        }
        Ok(fetched)
    }

    /// True once everything has been fed and fetched, or the run has failed.
    pub fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// Ends the run, cancelling it if necessary, and returns its metadata.
    ///
    /// # Errors
    /// The error of the run; `CANCELLED` if something had not been fed or fetched.
    pub fn finish(mut self) -> (Result<()>, RunMetadata) {
        if self.outcome.is_none() {
            self.step.cancel(Error::cancelled("the partial run was ended before everything was fed and fetched"));
            self.end(None);
        }
        self.outcome.take().unwrap_or((Ok(()), RunMetadata::default()))
    }

    fn end(&mut self, deadline: Option<Instant>) {
        let (result, trace) = self.step.end(deadline, self.poll.clone());
        self.session.env.tensors.end(self.id);
        self.outcome = Some((result, RunMetadata { step_id: self.id, trace: trace.map(|trace| *trace) }));
        self._active = None;
    }

    /// The indices of the named feeds.
    fn check_feeds(&self, feeds: &[(&str, Tensor)]) -> Result<Vec<usize>> {
        let graph = self.session.graph();
        let mut numbers = Vec::with_capacity(feeds.len());
        for (name, _) in feeds {
            let endpoint = names::feed(&graph, name)?;
            let Some(at) = self.feeds.iter().position(|(e, _)| *e == endpoint) else {
                return Err(Error::invalid(format!("The feed {name} was not specified in partial_run_setup.")));
            };
            if self.feeds[at].1 || numbers.contains(&at) {
                return Err(Error::invalid(format!("The feed {name} has already been fed.")));
            }
            numbers.push(at);
        }
        Ok(numbers)
    }

    /// The indices of the named fetches.
    fn check_fetches(&self, given: &[usize], fetches: &[&str]) -> Result<Vec<usize>> {
        let graph = self.session.graph();
        let mut numbers: Vec<usize> = Vec::with_capacity(fetches.len());
        for name in fetches {
            let endpoint = match names::fetch(&graph, name)? {
                Fetch::Tensor(endpoint) => endpoint,
                Fetch::Operation(_) => {
                    return Err(Error::invalid(format!("the operation {name} cannot be fetched during a partial run"))
                        .help("name it in partial_run_setup: it runs as soon as its inputs have been fed"));
                }
            };
            let is_free = |i: usize| !self.fetches[i].1 && !numbers.contains(&i);
            let mut of_name = (0..self.fetches.len()).filter(|&i| self.fetches[i].0 == endpoint).peekable();
            if of_name.peek().is_none() {
                return Err(Error::invalid(format!("The fetch {name} was not specified in partial_run_setup.")));
            }
            match of_name.find(|&i| is_free(i)) {
                Some(at) => numbers.push(at),
                None => return Err(Error::invalid(format!("The fetch {name} has already been fetched."))),
            }
        }
        let unfed: Vec<usize> = (0..self.feeds.len()).filter(|i| !self.feeds[*i].1 && !given.contains(i)).collect();
        let behind = self.step.behind(&unfed);
        match numbers.iter().zip(fetches).find(|(number, _)| behind.contains(number)) {
            None => Ok(numbers),
            Some((_, name)) => {
                let names = unfed.iter().map(|&i| graph.endpoint_name(self.feeds[i].0)).collect::<Vec<_>>();
                Err(Error::invalid(format!("Fetch {name} can't be computed from the feeds that have been fed so far."))
                    .help(format!("feeds of the setup that have not been fed yet: {}", names.join(", "))))
            }
        }
    }
}
