//! `While`, `StatelessWhile` and `For`: call a function repeatedly.

use super::branch::{is_switched, is_true};
use super::call::{fitting, site, site_of_flow, take_inputs};
use crate::flow::declared;
use crate::prelude::*;
use levada_kernel::{Callee, Completion, Site, StepCx, Wait};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

attrs! {
    /// The attrs of ops that call a function while a condition holds.
    pub struct While {
        /// Types of the loop variables.
        variables: Vec<DType> = Attr::dtypes("T", sets::ANY),
        /// The function that decides whether the loop continues.
        cond: Func = Attr::func("cond"),
        /// The function that computes the new loop variables.
        body: Func = Attr::func("body"),
        /// Shapes of the results.
        output_shapes: Vec<PartialShape> = Attr::shapes("output_shapes").or_empty(),
        /// Not used: iterations run one after the other.
        parallel_iterations: i64 = Attr::int("parallel_iterations").or_int(10),
        /// Whether TensorFlow would inline the functions into the surrounding graph, so that their nodes may have
        /// devices of their own.
        lowered: bool = Attr::bool("_lower_using_switch_merge").or_bool(false),
    }
}

const fn conditional_loop(name: &'static str) -> Def<While> {
    op(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .role(Role::Call)
        .shape(|op: &While, cx| {
            declared(cx, &op.output_shapes);
            Ok(())
        })
        .kernel(|op, cx| {
            let goes_on = Next::Condition(take_inputs(cx, 0)?);
            let site = site_of_flow(cx, op.lowered);
            let body = Called::new(&op.body, site_of_body(cx, op, &site));
            start(cx, Test::While(Called::new(&op.cond, site)), body, &op.variables, goes_on)
        })
        .heavy()
}

const INPUTS: &[Arg] = &[arg("input", each("T"))];
const OUTPUTS: &[Arg] = &[arg("output", each("T"))];

pub static WHILE: Def<While> = conditional_loop("While")
    .doc("Calls `body` repeatedly while `cond` is true.")
    .also(&[form("_While").without(&["output_shapes", "parallel_iterations"])])
    .stateful();

pub static STATELESS_WHILE: Def<While> =
    conditional_loop("StatelessWhile").doc("[`While`] for functions without side effects.");

attrs! {
    /// Calls `body` for each number from `start` up to but not including `limit` in steps of `delta`.
    pub struct For {
        /// Types of the loop variables.
        variables: Vec<DType> = Attr::dtypes("T", sets::ANY),
        /// The function to call; its first argument is the loop counter.
        body: Func = Attr::func("body"),
    }
}

pub static FOR: Def<For> = op("For")
    .inputs(&[
        arg("start", is(DType::I32)),
        arg("limit", is(DType::I32)),
        arg("delta", is(DType::I32)),
        arg("input", each("T")),
    ])
    .outputs(&[arg("output", each("T"))])
    .stateful()
    .role(Role::Call)
    .kernel(for_op)
    .heavy();

fn for_op(op: &For, cx: &mut Cx<'_, '_>) -> Result<()> {
    for (i, name) in ["start", "limit", "delta"].into_iter().enumerate() {
        let shape = cx.input(i)?.shape();
        if !shape.is_scalar() {
            return Err(Error::invalid(format!("{name} must be a scalar, but it has shape {shape}")));
        }
    }
    let (start_at, limit, delta) = (cx.scalar::<i32>(0)?, cx.scalar::<i32>(1)?, cx.scalar::<i32>(2)?);
    if (delta == 0 && start_at != limit) || (delta > 0 && start_at > limit) || (delta < 0 && start_at < limit) {
        return Err(Error::invalid(format!("Invalid start/limit/delta: {start_at} {limit} {delta}"))
            .help("delta must lead from start to limit"));
    }
    let variables = take_inputs(cx, 3)?;
    let (at, limit, delta) = (i64::from(start_at), i64::from(limit), i64::from(delta));
    let body = Called::new(&op.body, site(cx, true));
    start(cx, Test::For { at: Mutex::new(at), limit, delta }, body, &op.variables, Next::Condition(variables))
}

/// The site of a loop's body, like [`site_of_flow`]. In an inlined one, variables that nothing needs are not computed,
/// unless something waits for the whole loop.
fn site_of_body(cx: &Cx<'_, '_>, op: &While, site: &Site) -> Site {
    let mut site = site.clone();
    let step = cx.step();
    let used = cx.node().used.as_ref().filter(|used| !used.controls);
    if let (Some(_), Some(used), Some(functions)) = (&site.inlined, used, step.env.functions.get()) {
        // What is wrong with the functions is reported when they are called.
        let needed = functions.variables(&op.cond, &op.body, used).ok();
        site.used = needed.filter(|needed| needed.outputs.contains(&false));
    }
    site
}

/// The loop's termination test.
enum Test {
    While(Called),
    For { at: Mutex<i64>, limit: i64, delta: i64 },
}

/// The next step of the loop.
enum Next {
    /// Evaluate the condition for these variables.
    Condition(Vec<Tensor>),
    /// The condition returned the first list for the variables in the second.
    Decided(Vec<Tensor>, Vec<Tensor>),
    /// The body returned the first list; those in the second were not computed.
    Returned(Vec<Tensor>, Vec<Tensor>),
}

/// A function that the loop calls.
struct Called {
    function: Func,
    site: Site,
    found: OnceLock<Arc<dyn Callee>>,
}

impl Called {
    fn new(function: &Func, site: Site) -> Called {
        Called { function: function.clone(), site, found: OnceLock::new() }
    }

    /// The function, which is looked up once.
    fn find(&self, step: &StepCx) -> Result<Arc<dyn Callee>> {
        if let Some(found) = self.found.get() {
            return Ok(found.clone());
        }
        let functions = step.env.functions.get();
        let functions = functions.ok_or_else(|| Error::unimplemented("functions cannot be called here"))?;
        let found = functions.find(&self.function, &self.site)?;
        Ok(self.found.get_or_init(|| found).clone())
    }
}

struct Loop {
    test: Test,
    body: Called,
    types: Vec<DType>,
    step: StepCx,
    done: Mutex<Option<Completion>>,
}

fn start(cx: &mut Cx<'_, '_>, test: Test, body: Called, types: &[DType], next: Next) -> Result<()> {
    let step = cx.step().clone();
    let done = Mutex::new(Some(cx.defer_for(Wait::Call)));
    let state = Loop { test, body, types: types.to_vec(), step, done };
    advance(&Arc::new(state), next);
    Ok(())
}

/// Runs the loop as far as possible without blocking. A call that returns immediately is followed by another turn of
/// this loop rather than a nested call, so the stack does not grow with the number of iterations.
fn advance(state: &Arc<Loop>, first: Next) {
    let mut next = first;
    loop {
        let outcome = match next {
            Next::Condition(variables) => condition(state, variables),
            Next::Decided(decision, variables) => decide(state, &decision, variables),
            Next::Returned(results, unused) => match returned(state, results, unused) {
                Ok(variables) => Turn::Now(Next::Condition(variables)),
                Err(error) => Turn::End(Err(error)),
            },
        };
        match outcome {
            Turn::Now(n) => next = n,
            Turn::Later => return,
            Turn::End(result) => {
                let done = state.done.lock().take();
                if let Some(done) = done {
                    done.finish(result);
                }
                return;
            }
        }
    }
}

/// The loop variables after an iteration, if they have the right types.
fn returned(state: &Loop, results: Vec<Tensor>, unused: Vec<Tensor>) -> Result<Vec<Tensor>> {
    let results = match &state.body.site.used {
        None => results,
        Some(used) => {
            let (mut results, mut unused) = (results.into_iter(), unused.into_iter());
            used.outputs.iter().filter_map(|&is_used| if is_used { results.next() } else { unused.next() }).collect()
        }
    };
    fitting(results, &state.types).map_err(|error| Error::invalid(error.message()))
}

/// Calls the body.
fn iterate(state: &Arc<Loop>, variables: Vec<Tensor>) -> Turn {
    let used = state.body.site.used.iter().flat_map(|used| &*used.outputs);
    let unused = variables.iter().zip(used).filter(|(_, is_used)| !**is_used).map(|(v, _)| v.clone()).collect();
    wait_or_go_on(state, &state.body, variables, move |results| Next::Returned(results, unused))
}

enum Turn {
    Now(Next),
    Later,
    End(Result<Vec<Tensor>>),
}

fn condition(state: &Arc<Loop>, variables: Vec<Tensor>) -> Turn {
    let counted = state.step.resources.meter().map_or(Ok(()), |meter| meter.iteration());
    if let Err(error) = counted.and_then(|()| state.step.check()) {
        return Turn::End(Err(error));
    }
    match &state.test {
        Test::While(cond) => {
            let args = variables.clone();
            wait_or_go_on(state, cond, args, move |decision| Next::Decided(decision, variables))
        }
        Test::For { at, limit, delta } => {
            let mut at = at.lock();
            let more = if *delta > 0 { *at < *limit } else { *at > *limit };
            if !more {
                return Turn::End(Ok(variables));
            }
            let number = Tensor::scalar(*at as i32);
            *at += *delta;
            drop(at);
            iterate(state, std::iter::once(number).chain(variables).collect())
        }
    }
}

fn decide(state: &Arc<Loop>, decision: &[Tensor], variables: Vec<Tensor>) -> Turn {
    let [decision] = decision else {
        return Turn::End(Err(Error::invalid(format!(
            "Expected a single scalar return value from WhileOp cond, got {} tensors.",
            decision.len()
        ))));
    };
    let goes_on = match state.body.site.inlined {
        Some(_) => is_switched(decision),
        None => is_true(decision),
    };
    match goes_on {
        Err(error) => Turn::End(Err(error)),
        Ok(false) => Turn::End(Ok(variables)),
        Ok(true) => iterate(state, variables),
    }
}

/// The result of a call, which may arrive before or after the caller checks for it.
enum Slot {
    Empty,
    Waiting,
    Full(Result<Vec<Tensor>>),
}

/// Calls `function`; `then` turns its results into the next step.
fn wait_or_go_on(
    state: &Arc<Loop>,
    function: &Called,
    args: Vec<Tensor>,
    then: impl FnOnce(Vec<Tensor>) -> Next + Send + 'static,
) -> Turn {
    let function = match function.find(&state.step) {
        Ok(function) => function,
        Err(error) => return Turn::End(Err(error)),
    };
    let slot = Arc::new(Mutex::new(Slot::Empty));
    let then = Arc::new(Mutex::new(Some(then)));
    let (later, filled, continuation) = (state.clone(), slot.clone(), then.clone());
    let on_return = move |result| {
        let mut slot = filled.lock();
        if matches!(*slot, Slot::Empty) {
            *slot = Slot::Full(result);
            return;
        }
        drop(slot);
        let Some(then) = continuation.lock().take() else { return };
        match result {
            Ok(results) => advance(&later, then(results)),
            Err(error) => {
                let done = later.done.lock().take();
                if let Some(done) = done {
                    done.finish(Err(error));
                }
            }
        }
    };
    function.call(args, &state.step, Box::new(on_return));
    let mut slot = slot.lock();
    match std::mem::replace(&mut *slot, Slot::Waiting) {
        Slot::Full(result) => {
            drop(slot);
            match (result, then.lock().take()) {
                (Ok(results), Some(then)) => Turn::Now(then(results)),
                (Err(error), _) => Turn::End(Err(error)),
                (Ok(_), None) => Turn::End(Err(Error::internal("a call returned twice"))),
            }
        }
        _ => Turn::Later,
    }
}
