//! Optimizers: the nodes of a training step.

use super::clip::clip_by_global_norm;
use super::variable::{Variable, add_hidden, scalar, trainable_variables};
use levada_builder::{Builder, Output, dense_gradient};
use levada_gradients::GradientOptions;
use levada_graph::grad::Grad;
use levada_graph::spec::Arg;
use levada_graph::{DType, Error, Result};

/// A hyperparameter of an optimizer: fixed, or computed in the graph, such as a decaying learning rate.
#[derive(Clone, Copy, Debug)]
pub enum Rate {
    /// The same value in each step.
    Fixed(f64),
    /// A scalar of the graph, which is cast to the variables' type.
    Computed(Output),
}

impl From<f64> for Rate {
    fn from(number: f64) -> Rate {
        Rate::Fixed(number)
    }
}

impl From<Output> for Rate {
    fn from(output: Output) -> Rate {
        Rate::Computed(output)
    }
}

/// How to update variables by their gradients. The hyperparameters have TensorFlow's names; [`Optimizer::adam`] and its
/// siblings use TensorFlow's defaults.
#[derive(Clone, Copy, Debug)]
pub enum Optimizer {
    /// Steps against the gradient.
    GradientDescent {
        /// Length of a step.
        learning_rate: Rate,
    },
    /// Gradient descent with momentum.
    Momentum {
        /// Length of a step.
        learning_rate: Rate,
        /// The momentum.
        momentum: Rate,
        /// True for Nesterov's variant (Sutskever et al., ICML 2013).
        use_nesterov: bool,
    },
    /// Duchi et al., JMLR 2011.
    Adagrad {
        /// Length of a step.
        learning_rate: Rate,
        /// Initial value of the sum of squares.
        initial_accumulator_value: f64,
        /// Added to the divisor, as `ApplyAdagradV2` does; `None` for `ApplyAdagrad`.
        epsilon: Option<f64>,
    },
    /// Zeiler, 2012.
    Adadelta {
        /// Length of a step.
        learning_rate: Rate,
        /// Decay.
        rho: f64,
        /// Prevents division by 0.
        epsilon: f64,
    },
    /// Kingma and Ba, ICLR 2015.
    Adam {
        /// Length of a step.
        learning_rate: Rate,
        /// Decay of the first moment.
        beta1: f64,
        /// Decay of the second moment.
        beta2: f64,
        /// Prevents division by 0.
        epsilon: f64,
    },
    /// Adam with the maximum norm (Kingma and Ba, ICLR 2015).
    AdaMax {
        /// Length of a step.
        learning_rate: Rate,
        /// Decay of the first moment.
        beta1: f64,
        /// Decay of the norm.
        beta2: f64,
        /// Prevents division by 0.
        epsilon: f64,
    },
    /// Tieleman and Hinton, 2012.
    RmsProp {
        /// Length of a step.
        learning_rate: Rate,
        /// Decay of the mean square.
        decay: f64,
        /// The fraction of a step that is carried over to the next.
        momentum: f64,
        /// Prevents division by 0.
        epsilon: f64,
        /// True to divide by the variance instead of the mean square.
        centered: bool,
    },
    /// "Follow the regularized leader" (McMahan et al., KDD 2013).
    Ftrl {
        /// Length of a step.
        learning_rate: Rate,
        /// Exponent of the sum of squares, at most 0.
        learning_rate_power: f64,
        /// Initial value of the sum of squares.
        initial_accumulator_value: f64,
        /// L1 penalty.
        l1: f64,
        /// L2 penalty.
        l2: f64,
        /// L2 penalty that does not change the sum of squares.
        l2_shrinkage: f64,
    },
    /// Gradient descent with penalties (Duchi and Singer, JMLR 2009).
    ProximalGradientDescent {
        /// Length of a step.
        learning_rate: Rate,
        /// L1 penalty.
        l1: f64,
        /// L2 penalty.
        l2: f64,
    },
    /// Adagrad with penalties.
    ProximalAdagrad {
        /// Length of a step.
        learning_rate: Rate,
        /// Initial value of the sum of squares.
        initial_accumulator_value: f64,
        /// L1 penalty.
        l1: f64,
        /// L2 penalty.
        l2: f64,
    },
    /// Longer steps where gradient and momentum agree in sign (Bello et al., ICML 2017).
    AddSign {
        /// Length of a step.
        learning_rate: Rate,
        /// Factor where they neither agree nor disagree.
        alpha: f64,
        /// Weight of the agreement.
        sign_decay: Rate,
        /// Decay of the momentum.
        beta: f64,
    },
    /// As [`Optimizer::AddSign`], with an exponential of the agreement.
    PowerSign {
        /// Length of a step.
        learning_rate: Rate,
        /// Logarithm of the base.
        logbase: f64,
        /// Weight of the agreement.
        sign_decay: Rate,
        /// Decay of the momentum.
        beta: f64,
    },
}

/// The op of an optimizer, and the values of its inputs and attrs.
struct Form {
    /// Name of the op after `Apply`, which is also that of the optimizer's slots.
    op: &'static str,
    name: &'static str,
    /// Initial value of each slot, in the order in which TensorFlow makes them.
    slots: Vec<f64>,
    /// The slot for each slot input of the op, in order.
    order: &'static [usize],
    numbers: Vec<(&'static str, Rate)>,
    /// Values whose powers are kept in variables, with the inputs' names.
    powers: Vec<(&'static str, f64)>,
    flags: Vec<(&'static str, bool)>,
    has_sparse_op: bool,
}

impl Optimizer {
    /// Gradient descent.
    pub fn gradient_descent(learning_rate: impl Into<Rate>) -> Optimizer {
        Optimizer::GradientDescent { learning_rate: learning_rate.into() }
    }

    /// Momentum.
    pub fn momentum(learning_rate: impl Into<Rate>, momentum: impl Into<Rate>) -> Optimizer {
        Optimizer::Momentum { learning_rate: learning_rate.into(), momentum: momentum.into(), use_nesterov: false }
    }

    /// Adagrad with TensorFlow's defaults.
    pub fn adagrad(learning_rate: impl Into<Rate>) -> Optimizer {
        Optimizer::Adagrad { learning_rate: learning_rate.into(), initial_accumulator_value: 0.1, epsilon: None }
    }

    /// Adadelta with TensorFlow's defaults.
    pub fn adadelta(learning_rate: impl Into<Rate>) -> Optimizer {
        Optimizer::Adadelta { learning_rate: learning_rate.into(), rho: 0.95, epsilon: 1e-8 }
    }

    /// Adam with TensorFlow's defaults.
    pub fn adam(learning_rate: impl Into<Rate>) -> Optimizer {
        Optimizer::Adam { learning_rate: learning_rate.into(), beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }
    }

    /// AdaMax with the paper's defaults.
    pub fn adamax(learning_rate: impl Into<Rate>) -> Optimizer {
        Optimizer::AdaMax { learning_rate: learning_rate.into(), beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }
    }

    /// RMSProp with TensorFlow's defaults.
    pub fn rms_prop(learning_rate: impl Into<Rate>) -> Optimizer {
        Optimizer::RmsProp {
            learning_rate: learning_rate.into(),
            decay: 0.9,
            momentum: 0.0,
            epsilon: 1e-10,
            centered: false,
        }
    }

    /// FTRL with TensorFlow's defaults.
    pub fn ftrl(learning_rate: impl Into<Rate>) -> Optimizer {
        Optimizer::Ftrl {
            learning_rate: learning_rate.into(),
            learning_rate_power: -0.5,
            initial_accumulator_value: 0.1,
            l1: 0.0,
            l2: 0.0,
            l2_shrinkage: 0.0,
        }
    }

    fn form(&self) -> Form {
        let form = |op: &'static str, slots: &[f64], numbers: Vec<(&'static str, Rate)>| Form {
            op,
            name: op,
            slots: slots.to_vec(),
            order: &[0, 1, 2],
            numbers,
            powers: Vec::new(),
            flags: Vec::new(),
            has_sparse_op: true,
        };
        let fixed = Rate::Fixed;
        match *self {
            Optimizer::GradientDescent { learning_rate } => {
                form("GradientDescent", &[], vec![("alpha", learning_rate)])
            }
            Optimizer::Momentum { learning_rate, momentum, use_nesterov } => Form {
                flags: vec![("use_nesterov", use_nesterov)],
                ..form("Momentum", &[0.0], vec![("lr", learning_rate), ("momentum", momentum)])
            },
            Optimizer::Adagrad { learning_rate, initial_accumulator_value, epsilon } => {
                let mut numbers = vec![("lr", learning_rate)];
                numbers.extend(epsilon.map(|e| ("epsilon", fixed(e))));
                let op = if epsilon.is_some() { "AdagradV2" } else { "Adagrad" };
                Form { name: "Adagrad", ..form(op, &[initial_accumulator_value], numbers) }
            }
            Optimizer::Adadelta { learning_rate, rho, epsilon } => form(
                "Adadelta",
                &[0.0, 0.0],
                vec![("lr", learning_rate), ("rho", fixed(rho)), ("epsilon", fixed(epsilon))],
            ),
            Optimizer::Adam { learning_rate, beta1, beta2, epsilon } => Form {
                powers: vec![("beta1_power", beta1), ("beta2_power", beta2)],
                ..form(
                    "Adam",
                    &[0.0, 0.0],
                    vec![
                        ("lr", learning_rate),
                        ("beta1", fixed(beta1)),
                        ("beta2", fixed(beta2)),
                        ("epsilon", fixed(epsilon)),
                    ],
                )
            },
            Optimizer::AdaMax { learning_rate, beta1, beta2, epsilon } => Form {
                powers: vec![("beta1_power", beta1)],
                has_sparse_op: false,
                ..form(
                    "AdaMax",
                    &[0.0, 0.0],
                    vec![
                        ("lr", learning_rate),
                        ("beta1", fixed(beta1)),
                        ("beta2", fixed(beta2)),
                        ("epsilon", fixed(epsilon)),
                    ],
                )
            },
            Optimizer::RmsProp { learning_rate, decay, momentum, epsilon, centered } => {
                let numbers = vec![
                    ("lr", learning_rate),
                    ("rho", fixed(decay)),
                    ("momentum", fixed(momentum)),
                    ("epsilon", fixed(epsilon)),
                ];
                match centered {
                    false => form("RMSProp", &[1.0, 0.0], numbers),
                    true => Form {
                        name: "RMSProp",
                        order: &[1, 0, 2],
                        ..form("CenteredRMSProp", &[1.0, 0.0, 0.0], numbers)
                    },
                }
            }
            Optimizer::Ftrl { learning_rate, learning_rate_power, initial_accumulator_value, l1, l2, l2_shrinkage } => {
                let numbers = vec![
                    ("lr", learning_rate),
                    ("l1", fixed(l1)),
                    ("l2", fixed(l2)),
                    ("l2_shrinkage", fixed(l2_shrinkage)),
                    ("lr_power", fixed(learning_rate_power)),
                ];
                let op = if l2_shrinkage > 0.0 { "FtrlV2" } else { "Ftrl" };
                Form { name: "Ftrl", ..form(op, &[initial_accumulator_value, 0.0], numbers) }
            }
            Optimizer::ProximalGradientDescent { learning_rate, l1, l2 } => form(
                "ProximalGradientDescent",
                &[],
                vec![("alpha", learning_rate), ("l1", fixed(l1)), ("l2", fixed(l2))],
            ),
            Optimizer::ProximalAdagrad { learning_rate, initial_accumulator_value, l1, l2 } => form(
                "ProximalAdagrad",
                &[initial_accumulator_value],
                vec![("lr", learning_rate), ("l1", fixed(l1)), ("l2", fixed(l2))],
            ),
            Optimizer::AddSign { learning_rate, alpha, sign_decay, beta } => Form {
                has_sparse_op: false,
                ..form(
                    "AddSign",
                    &[0.0],
                    vec![
                        ("lr", learning_rate),
                        ("alpha", fixed(alpha)),
                        ("sign_decay", sign_decay),
                        ("beta", fixed(beta)),
                    ],
                )
            },
            Optimizer::PowerSign { learning_rate, logbase, sign_decay, beta } => Form {
                has_sparse_op: false,
                ..form(
                    "PowerSign",
                    &[0.0],
                    vec![
                        ("lr", learning_rate),
                        ("logbase", fixed(logbase)),
                        ("sign_decay", sign_decay),
                        ("beta", fixed(beta)),
                    ],
                )
            },
        }
    }
}

/// The gradient of a variable.
#[derive(Clone, Copy, Debug)]
pub enum Gradient {
    /// A tensor of the variable's shape.
    Dense(Output),
    /// Some rows; the others are zero (`IndexedSlices`).
    Slices {
        /// The rows.
        values: Output,
        /// Their indices.
        indices: Output,
        /// The variable's shape.
        shape: Output,
    },
}

impl Gradient {
    /// The gradient as one tensor.
    pub fn dense(self, b: &mut Builder) -> Output {
        match self {
            Gradient::Dense(gradient) => gradient,
            Gradient::Slices { .. } => dense_gradient(b, self.into_grad()),
        }
    }

    fn into_grad(self) -> Option<Grad> {
        Some(match self {
            Gradient::Dense(at) => Grad::Dense(at.endpoint()?),
            Gradient::Slices { values, indices, shape } => {
                Grad::Slices { values: values.endpoint()?, indices: indices.endpoint()?, shape: shape.endpoint()? }
            }
        })
    }
}

impl From<Grad> for Gradient {
    fn from(grad: Grad) -> Gradient {
        match grad {
            Grad::Dense(at) => Gradient::Dense(Output::at(at)),
            Grad::Slices { values, indices, shape } => {
                Gradient::Slices { values: Output::at(values), indices: Output::at(indices), shape: Output::at(shape) }
            }
        }
    }
}

/// Options for minimizing.
#[derive(Clone, Debug, Default)]
pub struct Minimize {
    /// The variables to update; empty for all [`trainable_variables`].
    pub variables: Vec<Variable>,
    /// A step counter, which each step increments.
    pub global_step: Option<Variable>,
    /// All gradients are scaled down together if their global norm exceeds this.
    pub clip_norm: Option<f64>,
    /// Name of the node that performs a step; empty for the optimizer's.
    pub name: String,
}

/// The gradients of `loss` with respect to variables, in their order; `None` if it does not depend on one.
///
/// # Errors
/// As [`gradients`](levada_gradients::gradients).
pub fn compute_gradients(b: &mut Builder, loss: Output, variables: &[Variable]) -> Result<Vec<Option<Gradient>>> {
    let handles: Vec<Output> = variables.iter().map(|v| v.handle).collect();
    let grads = b.sparse_gradients(&[loss], &handles, &GradientOptions::default())?;
    Ok(grads.into_iter().map(|grad| grad.map(Gradient::from)).collect())
}

/// A node that changes variables to reduce `loss`: one training step.
///
/// Its slots and counters are variables, which [`global_variables_initializer`](super::global_variables_initializer)
/// must set, so call that afterwards.
///
/// # Errors
/// As [`compute_gradients`], and `INVALID_ARGUMENT` if the loss depends on none of the variables.
pub fn minimize(b: &mut Builder, loss: Output, optimizer: &Optimizer, options: &Minimize) -> Result<Output> {
    let variables = match options.variables.as_slice() {
        [] => trainable_variables(b)?,
        some => some.to_vec(),
    };
    let gradients = compute_gradients(b, loss, &variables)?;
    let mut pairs: Vec<(Variable, Gradient)> =
        variables.into_iter().zip(gradients).filter_map(|(v, g)| Some((v, g?))).collect();
    if pairs.is_empty() {
        return Err(Error::invalid("the loss does not depend on any variable to be trained")
            .node(b.node_name(loss))
            .help("name the variables, or make them with train::variable"));
    }
    if let Some(norm) = options.clip_norm {
        let gradients: Vec<Gradient> = pairs.iter().map(|(_, g)| *g).collect();
        let limit = b.constant(levada_graph::Tensor::scalar(norm as f32));
        let (clipped, _) = clip_by_global_norm(b, &gradients, limit);
        pairs.iter_mut().zip(clipped).for_each(|((_, g), clipped)| *g = clipped);
    }
    Ok(apply_gradients(b, &pairs, optimizer, options))
}

/// A node that updates variables by their gradients. Of `options`, the counter and the name are used.
pub fn apply_gradients(
    b: &mut Builder,
    pairs: &[(Variable, Gradient)],
    optimizer: &Optimizer,
    options: &Minimize,
) -> Output {
    let form = optimizer.form();
    let name = if options.name.is_empty() { form.name } else { &options.name };
    b.new_scope(name, |b, scope| {
        let dtype = pairs.first().map_or(DType::F32, |(v, _)| v.dtype(b));
        let powers: Vec<(&'static str, f64, Variable)> = form
            .powers
            .iter()
            .map(|&(name, base)| {
                let start = scalar(b, dtype, base);
                (name, base, add_hidden(b, name, start))
            })
            .collect();
        let mut updates: Vec<Output> = Vec::new();
        for (variable, gradient) in pairs {
            let step = Step { form: &form, variable: *variable, powers: &powers };
            let name = format!("update_{}", b.node_name(variable.handle));
            updates.push(b.new_scope(&name, |b, _| step.add(b, *gradient)));
        }
        for (_, base, power) in &powers {
            let now = power.read_after(b, &updates);
            let base = scalar(b, dtype, *base);
            let next = b.mul(now, base);
            let set = power.assign(b, next);
            updates.push(set);
        }
        let done = |b: &mut Builder, name: &str, updates: &[Output]| {
            updates.iter().fold(b.node("NoOp").full_name(name), |node, &update| node.after(update)).add()
        };
        match &options.global_step {
            None => done(b, scope, &updates),
            Some(counter) => {
                let all = done(b, &format!("{scope}/update"), &updates);
                let dtype = counter.dtype(b);
                let one = b.node("OnesLike").input(counter.value).after(all).add();
                let one = b.node("Cast").input(one).attr("DstT", dtype).add();
                let counted = counter.assign_add(b, one);
                done(b, scope, &[counted])
            }
        }
    })
}

/// The update of one variable.
struct Step<'a> {
    form: &'a Form,
    variable: Variable,
    powers: &'a [(&'static str, f64, Variable)],
}

impl Step<'_> {
    fn add(&self, b: &mut Builder, gradient: Gradient) -> Output {
        let name = b.node_name(self.variable.handle);
        let made: Vec<Variable> = (self.form.slots.iter())
            .map(|&start| {
                let slot = format!("{name}/{}", self.form.name);
                let start = self.variable.full(b, start);
                add_hidden(b, &slot, start)
            })
            .collect();
        let slots: Vec<Variable> = self.form.order.iter().filter_map(|&i| made.get(i).copied()).collect();
        let gradient = match gradient {
            Gradient::Slices { .. } if !self.form.has_sparse_op => Gradient::Dense(gradient.dense(b)),
            other => other,
        };
        match gradient {
            Gradient::Dense(gradient) => self.update(b, "", &slots, gradient, None),
            Gradient::Slices { values, indices, .. } => {
                let plain = self.form.op == "GradientDescent";
                // A duplicate row is updated once, by the sum.
                let (values, indices) = if plain { (values, indices) } else { unique_rows(b, values, indices) };
                match self.form.op {
                    "GradientDescent" => {
                        let rate = self.number(b, "alpha");
                        let step = b.mul(values, rate);
                        let step = b.op("Neg", &[step]);
                        self.variable.scatter_add(b, indices, step)
                    }
                    "Adam" => self.sparse_adam(b, &slots, values, indices),
                    _ => self.update(b, "Sparse", &slots, values, Some(indices)),
                }
            }
        }
    }

    /// The optimizer's own op. Its inputs are matched by name.
    fn update(
        &self,
        b: &mut Builder,
        sparse: &str,
        slots: &[Variable],
        gradient: Output,
        indices: Option<Output>,
    ) -> Output {
        let reference = self.variable.is_resource();
        let op = format!("{}{sparse}Apply{}", if reference { "Resource" } else { "" }, self.form.op);
        let Some(spec) = b.registry().get(&op).map(|def| def.spec) else {
            return b.fault(levada_graph::graph::unknown_op(b.registry(), &op));
        };
        let mut variables = std::iter::once(&self.variable).chain(slots);
        let inputs: Vec<Output> = spec
            .inputs
            .iter()
            .map(|Arg { name, .. }| match *name {
                "grad" | "delta" => gradient,
                "indices" => indices.unwrap_or(gradient),
                number if self.form.numbers.iter().any(|(n, _)| *n == number) => self.number(b, number),
                power if self.powers.iter().any(|(n, ..)| *n == power) => self.power(b, power),
                _ => variables.next().unwrap_or(&self.variable).handle,
            })
            .collect();
        let node = b.node(&op).inputs(inputs);
        self.form.flags.iter().fold(node, |node, (name, flag)| node.attr(name, *flag)).add()
    }

    fn number(&self, b: &mut Builder, name: &str) -> Output {
        let dtype = self.variable.dtype(b);
        match self.form.numbers.iter().find(|(n, _)| *n == name) {
            Some((_, Rate::Fixed(number))) => scalar(b, dtype, *number),
            Some((_, Rate::Computed(output))) if b.dtype(*output) == Some(dtype) => *output,
            Some((_, Rate::Computed(output))) => b.node("Cast").input(*output).attr("DstT", dtype).add(),
            None => b.fault(Error::internal(format!("the optimizer has no number {name}"))),
        }
    }

    fn power(&self, b: &mut Builder, name: &str) -> Output {
        let dtype = self.variable.dtype(b);
        match self.powers.iter().find(|(n, ..)| *n == name) {
            Some((_, _, power)) if power.dtype(b) == dtype => power.value,
            Some((_, _, power)) => b.node("Cast").input(power.value).attr("DstT", dtype).add(),
            None => b.fault(Error::internal(format!("the optimizer has no power {name}"))),
        }
    }

    /// Adam has no sparse op: all moments decay, those of the rows change, and the whole variable is updated.
    fn sparse_adam(&self, b: &mut Builder, slots: &[Variable], values: Output, indices: Output) -> Output {
        let [m, v] = slots else { return b.fault(Error::internal("Adam has two slots")) };
        let [rate, beta1, beta2, epsilon] = ["lr", "beta1", "beta2", "epsilon"].map(|n| self.number(b, n));
        let [power1, power2] = ["beta1_power", "beta2_power"].map(|n| self.power(b, n));
        let one = scalar(b, self.variable.dtype(b), 1.0);
        let rest = b.sub(one, power2);
        let root = b.op("Sqrt", &[rest]);
        let scaled = b.mul(rate, root);
        let rest = b.sub(one, power1);
        let rate = b.op("RealDiv", &[scaled, rest]);
        let moment = |b: &mut Builder, slot: &Variable, beta: Output, rows: Output| {
            let rest = b.sub(one, beta);
            let rows = b.mul(rows, rest);
            let decayed = b.mul(slot.value, beta);
            let decay = slot.assign(b, decayed);
            let add = b.node("ResourceScatterAdd").inputs([slot.handle, indices, rows]).after(decay).add();
            slot.read_after(b, &[add])
        };
        let m = moment(b, m, beta1, values);
        let squares = b.op("Square", &[values]);
        let v = moment(b, v, beta2, squares);
        let root = b.op("Sqrt", &[v]);
        let divisor = b.add(root, epsilon);
        let step = b.mul(rate, m);
        let step = b.op("RealDiv", &[step, divisor]);
        self.variable.assign_sub(b, step)
    }
}

/// Rows with duplicates added up.
fn unique_rows(b: &mut Builder, values: Output, indices: Output) -> (Output, Output) {
    let unique = b.op("Unique", &[indices]);
    let count = b.op("Size", &[unique]);
    let sums = b.op("UnsortedSegmentSum", &[values, unique.output(1), count]);
    (sums, unique)
}
