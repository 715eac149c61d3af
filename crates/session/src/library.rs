//! Runs the functions of a graph's library: makes them concrete, compiles them, keeps their plans.

use crate::placing::Placing;
use levada_compile::{CompileOptions, Signature, compile};
use levada_executor::{Plan, StepOptions};
use levada_gradients::of_function;
use levada_graph::def::{self, FunctionDef};
use levada_graph::function::{Instance, instantiate};
use levada_graph::grad::{self, GRADIENT, is_differentiable};
use levada_graph::{Endpoint, Error, Func, Graph, Registry, Result, Tensor};
use levada_kernel::{Env, Functions, OnReturn, Site, StepCx, Tracing};
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// Calls of functions may be nested this deep: each takes a piece of the thread's stack.
const MAX_DEPTH: u32 = 64;

/// The functions of a session's graph.
pub(crate) struct Library {
    graph: Arc<RwLock<Arc<Graph>>>,
    registry: Arc<Registry>,
    placing: Arc<Placing>,
    /// The session's surroundings own this library.
    env: Weak<Env>,
    /// Whether elementwise nodes are computed as one.
    fuse: bool,
    plans: Mutex<Plans>,
    /// Functions that gradients of functions have been made of. Held while one is made, so that their names differ.
    made: Mutex<Vec<FunctionDef>>,
}

/// Plans by where they run (number of the device, and whether all nodes run there), then by function and attrs. A
/// function of a library never changes.
type Plans = HashMap<(u32, bool), HashMap<String, Arc<Plan>>>;

impl Library {
    pub(crate) fn new(
        graph: Arc<RwLock<Arc<Graph>>>,
        registry: Arc<Registry>,
        placing: Arc<Placing>,
        env: Weak<Env>,
        fuse: bool,
    ) -> Library {
        Library { graph, registry, placing, env, fuse, plans: Mutex::default(), made: Mutex::default() }
    }

    /// The graph's functions, and those that were made.
    fn all(&self, made: &[FunctionDef]) -> Arc<def::Library> {
        let mut library = self.graph.read().library.clone();
        if !made.is_empty() {
            Arc::make_mut(&mut library).functions.extend_from_slice(made);
        }
        library
    }

    /// The function made concrete, or its gradient.
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

    fn plan(&self, function: &Func, site: &Site, env: &Arc<Env>) -> Result<Arc<Plan>> {
        let device = self.placing.site(site)?;
        let named;
        let key = if function.attrs.is_empty() {
            &function.name
        } else {
            named = format!("{} {:?}", function.name, function.attrs);
            &named
        };
        if let Some(plan) = self.plans.lock().get(&(device, site.all)).and_then(|plans| plans.get(key)) {
            return Ok(plan.clone());
        }
        let mut instance = self.instance(function)?;
        let signature = Signature {
            feeds: instance.args,
            fetches: instance.rets,
            targets: if site.all { instance.targets } else { instance.controls },
            partial: false,
        };
        let devices = self.placing.place_function(&mut instance.graph, device, site.all)?;
        let placement = self.placing.placement(&devices);
        let options = CompileOptions { fuse: self.fuse, regions: false, ..CompileOptions::default() };
        let plan = compile(&instance.graph, &signature, &placement, env, &options)?;
        let mut plans = self.plans.lock();
        Ok(plans.entry((device, site.all)).or_default().entry(key.clone()).or_insert(Arc::new(plan)).clone())
    }
}

/// The gradient function that the library itself gives, in the form of [`GRADIENT`]: without what cannot have a gradient.
///
/// # Errors
/// `INVALID_ARGUMENT` where it does not take the function's arguments and the gradients of its results, or does not return a
/// gradient for each argument.
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
        if caller.depth >= MAX_DEPTH {
            let error = Error::resource_exhausted(format!("calls of functions are nested more than {MAX_DEPTH} deep"));
            return on_return(Err(error
                .found(format!("a call of {}", function.name))
                .help("check that the recursion ends")));
        }
        match self.plan(function, site, &env) {
            Err(error) => on_return(Err(error)),
            Ok(plan) => {
                let options = StepOptions {
                    id: caller.id,
                    cancel: caller.cancel.clone(),
                    deadline: caller.deadline,
                    resources: Some(caller.resources.clone()),
                    depth: caller.depth + 1,
                    tracing: caller.tracing.as_ref().map(|outer| Tracing {
                        recorder: outer.recorder.clone(),
                        function: match outer.function.is_empty() {
                            true => function.name.as_str().into(),
                            false => format!("{}/{}", outer.function, function.name).into(),
                        },
                    }),
                    scope: Some(caller.scope.of_call(function, site)),
                    poll: caller.poll.clone(),
                    ..StepOptions::default()
                };
                levada_executor::call(&plan, &env, args, &options, Box::new(|result, _| on_return(result)));
            }
        }
    }
}
