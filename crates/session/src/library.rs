//! Runs the functions of a graph's library: instantiates and compiles them, and caches their plans.

use crate::SessionOptions;
use crate::finite::{self, NanWatch};
use crate::placing::{Homes, Placing};
use levada_compile::{CompileOptions, Signature, compile, prune};
use levada_executor::{Plan, StepOptions};
use levada_gradients::of_function;
use levada_graph::def::{self, FunctionDef};
use levada_graph::function::{Instance, instantiate};
use levada_graph::grad::{self, GRADIENT, is_differentiable};
use levada_graph::{Endpoint, Error, Func, Graph, NodeId, Registry, Result, Tensor};
use levada_kernel::arena::total_memory;
use levada_kernel::observe::line_of;
use levada_kernel::{Callee, Env, Functions, OnReturn, Site, StepCx, Tracing, Used};
use levada_sync::{Mutex, RwLock};

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// The number of nested calls that run on one thread's stack. The next one begins on another thread, so deeper calls
/// are on the heap only.
const CALLS_PER_STACK: u32 = 32;

/// The default limit on the bytes that nested calls keep; small machines have a lower one.
const MOST_KEPT: usize = 1 << 30;

/// The maximum number of enclosing functions that a trace names; of deeper nests only the last.
const NAMED: u32 = 32;

/// Bytes that calls in progress keep, by the id of their run. All calls of a run count, not only nested ones: a
/// function that calls itself twice has an ever growing number of calls in progress concurrently.
#[derive(Default)]
struct Kept(Mutex<HashMap<u64, usize>>);

impl Kept {
    /// Adds `bytes` for a run, unless the sum exceeds `most`.
    fn add(&self, run: u64, bytes: usize, most: usize) -> bool {
        let mut runs = self.0.lock();
        let kept = runs.entry(run).or_default();
        let is_allowed = kept.saturating_add(bytes) <= most;
        if is_allowed {
            *kept += bytes;
        }
        is_allowed
    }

    fn remove(&self, run: u64, bytes: usize) {
        let mut runs = self.0.lock();
        if let Some(kept) = runs.get_mut(&run) {
            *kept -= bytes;
            if *kept == 0 {
                runs.remove(&run);
            }
        }
    }
}

/// The limit on the bytes that the calls of a run keep.
#[derive(Clone)]
struct CallLimit {
    /// In bytes.
    most_kept: usize,
    kept: Arc<Kept>,
}

impl CallLimit {
    /// Calls the function with this plan within the step `caller`.
    fn call(
        &self,
        plan: &Arc<Plan>,
        (function, site): (&Func, &Site),
        args: Vec<Tensor>,
        caller: &StepCx,
        on_return: OnReturn,
    ) {
        let depth = caller.depth + 1;
        if let Some(Err(past)) = caller.resources.meter().map(|meter| meter.check_depth(depth)) {
            return on_return(Err(past));
        }
        let (run, bytes, kept) = (caller.id, plan.bytes_of_step(), self.kept.clone());
        if !kept.add(run, bytes, self.most_kept) {
            let (depth, most) = (caller.depth, self.most_kept);
            let error = Error::resource_exhausted(format!(
                "function calls are nested {depth} deep and keep more than {most} bytes"
            ));
            return on_return(Err(error
                .found(format!("a call of {}", function.name))
                .help("check that the recursion ends, or set SessionOptions::call_memory")));
        }
        let options = StepOptions {
            id: caller.id,
            cancel: caller.cancel.clone(),
            deadline: caller.deadline,
            resources: Some(caller.resources.clone()),
            depth,
            tracing: caller.tracing.as_ref().map(|outer| Tracing {
                recorder: outer.recorder.clone(),
                function: path(&outer.function, caller.depth, &function.name),
            }),
            within: caller.env.observer.as_ref().map(|_| {
                let outer = caller.within.clone().unwrap_or_default();
                path(&outer, caller.depth, &function.name)
            }),
            scope: Some(caller.scope.of_call(function, site)),
            line: Some(line_of(caller.line, &*function.name)),
            poll: caller.poll.clone(),
            ..StepOptions::default()
        };
        let begin = match options.depth.is_multiple_of(CALLS_PER_STACK) {
            true => levada_executor::call_aside,
            false => levada_executor::call,
        };
        let on_done = move |result: Result<_>, _| {
            kept.remove(run, bytes);
            on_return(result);
        };
        begin(plan, &caller.env, args, &options, Box::new(on_done));
    }
}

/// A function that was resolved once for many calls.
struct Found {
    plan: Arc<Plan>,
    function: Func,
    site: Site,
    placing: Arc<Placing>,
    limit: CallLimit,
}

impl Callee for Found {
    fn call(&self, args: Vec<Tensor>, caller: &StepCx, on_return: OnReturn) {
        if let (false, Some(functions)) = (self.placing.homes(&args).is_empty(), caller.env.functions.get()) {
            return functions.call(&self.function, &self.site, args, caller, on_return);
        }
        self.limit.call(&self.plan, (&self.function, &self.site), args, caller, on_return);
    }
}

/// The functions of a session's graph.
pub(crate) struct Library {
    graph: Arc<RwLock<Arc<Graph>>>,
    registry: Arc<Registry>,
    placing: Arc<Placing>,
    /// The session's environment owns this library.
    env: Weak<Env>,
    /// Whether elementwise nodes are fused.
    fuse: bool,
    /// Whether nodes of a device run as one region where possible.
    regions: bool,
    /// Whether NaNs and infinities are looked for.
    watch: Option<NanWatch>,
    limit: CallLimit,
    plans: Mutex<Plans>,
    loops: Mutex<Loops>,
    /// Functions made for gradients of functions. Locked while one is made, so that their names differ.
    made: Mutex<Vec<FunctionDef>>,
}

/// Plans, first by where they and their resources are (number of the device, and whether all nodes run there) and which
/// results are needed, then by function and attrs. A function of a library never changes.
type Plans = HashMap<Asked, HashMap<String, Arc<Plan>>>;
type Asked = (u32, bool, Homes, Option<Arc<Used>>);

/// The variables that loops compute, by condition and body and by the requested ones.
type Loops = HashMap<String, HashMap<Arc<Used>, Arc<Used>>>;

/// The name of a function, and its attrs if it has any.
fn key(function: &Func) -> Cow<'_, str> {
    match function.attrs.is_empty() {
        true => Cow::Borrowed(&function.name),
        false => Cow::Owned(format!("{} {:?}", function.name, function.attrs)),
    }
}

impl Library {
    pub(crate) fn new(
        graph: Arc<RwLock<Arc<Graph>>>,
        registry: Arc<Registry>,
        placing: Arc<Placing>,
        env: Weak<Env>,
        options: &SessionOptions,
    ) -> Library {
        let fuse = !options.plain && !options.no_fusion;
        let regions = !options.plain && !options.separate_nodes;
        let most_kept = match options.call_memory {
            0 => total_memory().map_or(MOST_KEPT, |bytes| (bytes / 8).min(MOST_KEPT)),
            bytes => bytes,
        };
        let limit = CallLimit { most_kept, kept: Arc::default() };
        let (plans, loops, made) = (Mutex::default(), Mutex::default(), Mutex::default());
        Library { graph, registry, placing, env, fuse, regions, watch: options.watch, limit, plans, loops, made }
    }

    /// The functions of the graph, and the made ones.
    fn all(&self, made: &[FunctionDef]) -> Arc<def::Library> {
        let mut library = self.graph.read().library.clone();
        if !made.is_empty() {
            Arc::make_mut(&mut library).functions.extend_from_slice(made);
        }
        library
    }

    /// The instantiated function, or its gradient.
    fn instance(&self, function: &Func) -> Result<Instance> {
        let order = grad::order(&function.attrs);
        if order == 0 {
            let library = self.all(&self.made.lock());
            return instantiate(&library, function, &self.registry);
        }
        let mut function = function.clone();
        function.attrs.remove(GRADIENT);
        let mut made = self.made.lock();
        let library = self.all(&made);
        let own = library.gradients.iter().find(|(of, _)| *of == function.name);
        let (mut instance, rest) = match own {
            Some((_, gradient)) => {
                let forward = instantiate(&library, &function, &self.registry)?;
                let own = Func { name: gradient.clone(), attrs: function.attrs.clone() };
                let own = instantiate(&library, &own, &self.registry)?;
                (own_gradient(gradient, own, &forward)?, order - 1)
            }
            None => (instantiate(&library, &function, &self.registry)?, order),
        };
        for _ in 0..rest {
            instance = of_function(instance, &self.registry)?;
        }
        made.extend_from_slice(&instance.graph.library.functions[library.functions.len()..]);
        Ok(instance)
    }

    fn plan(&self, function: &Func, site: &Site, homes: Homes, env: &Arc<Env>) -> Result<Arc<Plan>> {
        let device = self.placing.site(site)?;
        let key = key(function);
        let asked: Asked = (device, site.all, homes, site.used.clone());
        if let Some(plan) = self.plans.lock().get(&asked).and_then(|plans| plans.get(&*key)) {
            return Ok(plan.clone());
        }
        let mut instance = self.instance(function)?;
        let devices = self.placing.place_function(&mut instance, device, site.all, &asked.2)?;
        let (mut fetches, mut targets) = (instance.rets, if site.all { instance.targets } else { instance.controls });
        if let Some(used) = &site.used {
            let mut is_used = used.outputs.iter();
            fetches.retain(|_| is_used.next() != Some(&false));
            if !used.controls {
                targets.clear();
            }
        }
        let signature = Signature { feeds: instance.args, fetches, targets, partial: false, of_function: true };
        let placement = self.placing.placement(&devices);
        let options = CompileOptions {
            fuse: self.fuse,
            regions: self.regions,
            watched: self.watch.is_some(),
            ..CompileOptions::default()
        };
        if let Some(watch) = self.watch.filter(|watch| watch.brought) {
            finite::check_constants(watch, &instance.graph, &signature)?;
        }
        let plan = compile(&instance.graph, &signature, &placement, env, &options)?;
        let mut plans = self.plans.lock();
        Ok(plans.entry(asked).or_default().entry(key.into_owned()).or_insert(Arc::new(plan)).clone())
    }
}

/// The variables that the loop needs: see [`Functions::variables`].
fn needed_variables(cond: Instance, body: Instance, used: &Used) -> Result<Used> {
    let mut outputs = used.outputs.clone();
    if [body.args.len(), body.rets.len(), cond.args.len()].iter().any(|&count| count != outputs.len()) {
        // The calls say what does not fit.
        outputs.fill(true);
    }
    add_arguments(&cond.graph, cond.rets, cond.controls, &cond.args, &mut outputs)?;
    loop {
        let before = outputs.iter().filter(|needed| **needed).count();
        let fetches = body.rets.iter().zip(&outputs).filter(|(_, needed)| **needed).map(|(ret, _)| *ret).collect();
        add_arguments(&body.graph, fetches, body.controls.clone(), &body.args, &mut outputs)?;
        if outputs.iter().filter(|needed| **needed).count() == before {
            return Ok(Used { outputs, controls: true });
        }
    }
}

/// Adds those of the arguments that fetches and targets depend on.
fn add_arguments(
    graph: &Graph,
    fetches: Vec<Endpoint>,
    targets: Vec<NodeId>,
    args: &[Endpoint],
    needed: &mut [bool],
) -> Result<()> {
    let signature = Signature { feeds: Vec::new(), fetches, targets, partial: false, of_function: true };
    let pruned = prune(graph, &signature)?;
    for (arg, needed) in args.iter().zip(needed) {
        *needed |= pruned.contains(arg.node);
    }
    Ok(())
}

/// The gradient function that the library defines, in the form of [`GRADIENT`]: without values that cannot have a
/// gradient.
///
/// # Errors
/// `INVALID_ARGUMENT` if its arguments are not the function's arguments and the gradients of its results, or if it does
/// not return a gradient for each argument.
fn own_gradient(name: &str, mut instance: Instance, forward: &Instance) -> Result<Instance> {
    let Instance { graph, args, rets, .. } = &mut instance;
    let own = forward.args.len();
    for (what, found, expected) in [("takes", args.len(), own + forward.rets.len()), ("returns", rets.len(), own)] {
        if found != expected {
            return Err(Error::invalid(format!("the gradient function {name} {what} {found} values")).expected(
                format!(
                    "{expected} values: the function that it belongs to takes {own} and returns {}",
                    forward.rets.len()
                ),
            ));
        }
    }
    let flows = |e: &Endpoint| graph.endpoint_type(*e).is_some_and(|ty| is_differentiable(ty.dtype));
    let keep: Vec<bool> = args.iter().map(flows).collect();
    let mut i = 0;
    rets.retain(|_| {
        i += 1;
        keep[i - 1]
    });
    let mut i = 0;
    args.retain(|_| {
        i += 1;
        i <= own || keep[i - 1]
    });
    Ok(instance)
}

impl Functions for Library {
    fn call(&self, function: &Func, site: &Site, args: Vec<Tensor>, caller: &StepCx, on_return: OnReturn) {
        let Some(env) = self.env.upgrade() else {
            return on_return(Err(Error::cancelled("the session has ended")));
        };
        match self.plan(function, site, self.placing.homes(&args), &env) {
            Err(error) => on_return(Err(error)),
            Ok(plan) => self.limit.call(&plan, (function, site), args, caller, on_return),
        }
    }

    fn find(&self, function: &Func, site: &Site) -> Result<Arc<dyn Callee>> {
        let env = self.env.upgrade().ok_or_else(|| Error::cancelled("the session has ended"))?;
        let plan = self.plan(function, site, Homes::default(), &env)?;
        let (placing, limit) = (self.placing.clone(), self.limit.clone());
        Ok(Arc::new(Found { plan, function: function.clone(), site: site.clone(), placing, limit }))
    }

    fn variables(&self, cond: &Func, body: &Func, used: &Arc<Used>) -> Result<Arc<Used>> {
        let key = format!("{} {}", key(cond), key(body));
        if let Some(known) = self.loops.lock().get(&key).and_then(|known| known.get(used)) {
            return Ok(known.clone());
        }
        let needed = Arc::new(needed_variables(self.instance(cond)?, self.instance(body)?, used)?);
        Ok(self.loops.lock().entry(key).or_default().entry(used.clone()).or_insert(needed).clone())
    }

    fn library(&self) -> Arc<def::Library> {
        self.all(&self.made.lock())
    }

    fn add(&self, functions: Vec<FunctionDef>) -> Result<()> {
        let mut made = self.made.lock();
        let library = self.all(&made);
        let mut new: Vec<FunctionDef> = Vec::new();
        for function in functions {
            let name = &function.signature.name;
            match library.function(name).or_else(|| new.iter().find(|other| other.signature.name == *name)) {
                None => new.push(function),
                Some(same) if *same == function => {}
                Some(_) => return Err(Error::already_exists(format!("another function has the name {name}"))),
            }
        }
        made.extend(new);
        Ok(())
    }

    fn spawn(&self, job: Box<dyn FnOnce() + Send>) -> Result<()> {
        match self.env.upgrade() {
            Some(env) => levada_executor::spawn(&env, job),
            None => Err(Error::cancelled("the session has ended")),
        }
    }
}

/// The functions that enclose a step of `function`, as in `outer/inner`. Beyond the depth that a trace names, the
/// number of calls replaces the names.
fn path(outer: &Arc<str>, depth: u32, function: &str) -> Arc<str> {
    match depth {
        0 => function.into(),
        _ if depth < NAMED => format!("{outer}/{function}").into(),
        _ => format!("..{depth} calls/{function}").into(),
    }
}
