//! Builds graphs: nodes of any op, gradients, variables, and the nodes of training.
//!
//! Outputs of nodes are passed by name. A mistake raises an error immediately.

use crate::arrays;
use crate::dtypes;
use crate::graph::State;
use levada::gradients::GradientOptions;
use levada::graph::attr::AttrKind;
use levada::graph::spec::{Arg, AttrSpec, Ty, prose};
use levada::graph::{AttrList, Func};
use levada::train::{self, Batch, Minimize, Optimizer, Producer, Rate, Shuffle, Variable};
use levada::{AttrValue, Bytes, Error, Output, PartialShape};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

/// The attr value of this kind for `value`.
fn attr(value: &Bound<'_, PyAny>, spec: &AttrSpec, attrs: &Bound<'_, PyDict>) -> PyResult<AttrValue> {
    fn list<T>(value: &Bound<'_, PyAny>, of: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>) -> PyResult<Vec<T>> {
        value.try_iter()?.map(|item| of(&item?)).collect()
    }
    let tensor = |value: &Bound<'_, PyAny>| {
        let dtype = attrs.get_item("dtype")?.map(|dtype| dtypes::named(&dtype)).transpose()?;
        arrays::tensor(value, dtype, false)
    };
    let func = |value: &Bound<'_, PyAny>| Ok(Func::from(value.extract::<String>()?.as_str()));
    Ok(match spec.kind {
        AttrKind::S => AttrValue::S(bytes(value)?),
        AttrKind::I => AttrValue::I(value.extract()?),
        AttrKind::F => AttrValue::F(value.extract()?),
        AttrKind::B => AttrValue::B(value.extract()?),
        AttrKind::Type => AttrValue::Type(dtypes::named(value)?.into()),
        AttrKind::Shape => AttrValue::Shape(shape(value)?),
        AttrKind::Tensor => AttrValue::Tensor(tensor(value)?),
        AttrKind::Func => AttrValue::Func(func(value)?),
        AttrKind::ListS => AttrValue::List(AttrList::S(list(value, bytes)?)),
        AttrKind::ListI => AttrValue::List(AttrList::I(value.extract()?)),
        AttrKind::ListF => AttrValue::List(AttrList::F(value.extract()?)),
        AttrKind::ListB => AttrValue::List(AttrList::B(value.extract()?)),
        AttrKind::ListType => AttrValue::List(AttrList::Type(list(value, |v| dtypes::named(v).map(Into::into))?)),
        AttrKind::ListShape => AttrValue::List(AttrList::Shape(list(value, shape)?)),
        AttrKind::ListTensor => AttrValue::List(AttrList::Tensor(list(value, tensor)?)),
        AttrKind::ListFunc => AttrValue::List(AttrList::Func(list(value, func)?)),
    })
}

fn bytes(value: &Bound<'_, PyAny>) -> PyResult<Bytes> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Bytes::copy_from_slice(bytes.as_bytes()));
    }
    Ok(Bytes::from(value.extract::<String>()?))
}

/// A shape: None, or sizes, where None and -1 stand for unknown ones.
pub(crate) fn shape(value: &Bound<'_, PyAny>) -> PyResult<PartialShape> {
    if value.is_none() {
        return Ok(PartialShape::Unknown);
    }
    let sizes: Vec<Option<i64>> = value.extract()?;
    if let Some(size) = sizes.iter().flatten().find(|&&size| size < -1) {
        return Err(PyValueError::new_err(format!("{size} is not a valid axis size")));
    }
    Ok(PartialShape::new(sizes.into_iter().map(|size| size.and_then(|size| usize::try_from(size).ok()))))
}

/// A node to be added.
pub(crate) struct Described {
    op: String,
    inputs: Vec<String>,
    attrs: Vec<(String, AttrValue)>,
    name: Option<String>,
    device: Option<String>,
    after: Vec<String>,
}

/// A node as Python describes it: op, inputs, attrs, name, device, and nodes that run before it.
pub(crate) type Description<'py> =
    (String, Vec<String>, Bound<'py, PyDict>, Option<String>, Option<String>, Vec<String>);

impl Described {
    pub(crate) fn of(node: Description<'_>) -> PyResult<Described> {
        let (op, inputs, values, name, device, after) = node;
        let registry = levada::registry();
        let known = registry.get(&op);
        let mut attrs = Vec::with_capacity(values.len());
        for (key, value) in values.iter() {
            let key: String = key.extract()?;
            let spec = known.and_then(|op| op.attr(&key));
            let value = match spec {
                Some(spec) => attr(&value, spec, &values),
                // Attrs that no op defines begin with an underscore; the registry's error names unknown ones.
                None => guessed(&value),
            };
            let value = value.map_err(|error| {
                PyTypeError::new_err(format!("the attr {key} of {op} cannot be set to this value: {error}"))
            })?;
            attrs.push((key, value));
        }
        Ok(Described { op, inputs, attrs, name, device, after })
    }

    /// Adds it; returns its name and the dtypes of its outputs.
    pub(crate) fn add(self, state: &mut State) -> levada::Result<(String, Vec<&'static str>)> {
        let b = &mut state.builder;
        let inputs: Vec<Output> = self.inputs.iter().map(|name| b.find(name)).collect::<levada::Result<_>>()?;
        let after = nodes(b, &self.after)?;
        let mut node = b.node(&self.op).inputs(inputs);
        for before in after {
            node = node.after(before);
        }
        for (key, value) in self.attrs {
            node = node.attr_value(&key, value);
        }
        if let Some(name) = &self.name {
            node = node.name(name);
        }
        if let Some(device) = &self.device {
            node = node.device(device);
        }
        let output = node.add();
        check(b)?;
        let types = output.node().map(|id| b.graph().node(id).output_types.iter().map(|ty| ty.dtype.name()).collect());
        Ok((b.node_name(output), types.unwrap_or_default()))
    }
}

/// The value of an attr that no op defines.
fn guessed(value: &Bound<'_, PyAny>) -> PyResult<AttrValue> {
    Ok(if let Ok(truth) = value.extract::<bool>() {
        AttrValue::B(truth)
    } else if let Ok(int) = value.extract::<i64>() {
        AttrValue::I(int)
    } else if let Ok(float) = value.extract::<f32>() {
        AttrValue::F(float)
    } else if let Ok(list) = value.cast::<PyList>() {
        AttrValue::List(AttrList::S(list.iter().map(|item| bytes(&item)).collect::<PyResult<_>>()?))
    } else {
        AttrValue::S(bytes(value)?)
    })
}

/// The nodes of these names, to run before others.
fn nodes(b: &levada::Builder, names: &[String]) -> levada::Result<Vec<Output>> {
    let find = |name: &String| {
        let node = name.strip_prefix('^').unwrap_or(name).split(':').next().unwrap_or_default();
        let found = b.graph().find(node).map(Output::of);
        found.ok_or_else(|| b.graph().unknown_node(name, node))
    };
    names.iter().map(find).collect()
}

/// The outputs of these names.
fn outputs(b: &levada::Builder, names: &[String]) -> levada::Result<Vec<Output>> {
    names.iter().map(|name| b.find(name)).collect()
}

/// Checks the builder for errors since the last check.
///
/// # Errors
/// The builder's errors.
fn check(b: &mut levada::Builder) -> levada::Result<()> {
    b.take_faults().map_or(Ok(()), Err)
}

/// The full name of an output: `node:0`.
fn named(b: &levada::Builder, output: Output) -> String {
    b.target(output)
}

/// The gradients of the sum of `ys` with respect to each of `xs`.
pub(crate) fn gradients(
    state: &mut State,
    ys: &[String],
    xs: &[String],
    grad_ys: &[Option<String>],
    stop: &[String],
    name: Option<String>,
) -> levada::Result<Vec<Option<String>>> {
    let b = &mut state.builder;
    let endpoint = |name: &String| b.graph().endpoint(name);
    let mut options = GradientOptions {
        grad_ys: grad_ys.iter().map(|name| name.as_ref().map(endpoint).transpose()).collect::<levada::Result<_>>()?,
        stop: stop.iter().map(endpoint).collect::<levada::Result<_>>()?,
        ..GradientOptions::default()
    };
    if let Some(name) = name {
        options.name = name;
    }
    let (ys, xs) = (outputs(b, ys)?, outputs(b, xs)?);
    let grads = b.gradients_with(&ys, &xs, &options)?;
    check(b)?;
    Ok(grads.into_iter().map(|grad| grad.map(|grad| named(b, grad))).collect())
}

/// The names of a variable's parts: its handle, the node that reads it, and its initial value.
pub(crate) type VariableNames = (String, String, Option<String>);

fn variable_names(b: &levada::Builder, variable: &Variable) -> VariableNames {
    let initial = variable.initial.map(|initial| named(b, initial));
    (named(b, variable.handle), named(b, variable.value), initial)
}

/// Adds a variable; optimizers change a `trainable` one.
pub(crate) fn variable(state: &mut State, name: &str, initial: &str, trainable: bool) -> levada::Result<VariableNames> {
    let b = &mut state.builder;
    let initial = b.find(initial)?;
    let made = match trainable {
        true => train::variable(b, name, initial),
        false => train::untrained_variable(b, name, initial),
    };
    check(b)?;
    Ok(variable_names(b, &made))
}

/// The counter of training steps.
pub(crate) fn global_step(state: &mut State) -> levada::Result<VariableNames> {
    let b = &mut state.builder;
    let step = train::global_step(b);
    check(b)?;
    Ok(variable_names(b, &step))
}

/// The variables that optimizers change.
pub(crate) fn trainable_variables(state: &mut State) -> levada::Result<Vec<VariableNames>> {
    let b = &state.builder;
    Ok(train::trainable_variables(b)?.iter().map(|variable| variable_names(b, variable)).collect())
}

/// A node that initializes all variables that are saved, or all that are not.
pub(crate) fn initializer(state: &mut State, local: bool) -> levada::Result<String> {
    let b = &mut state.builder;
    let node = if local { train::local_variables_initializer(b) } else { train::global_variables_initializer(b) };
    check(b)?;
    Ok(b.node_name(node))
}

/// Adds a node that changes a variable.
pub(crate) fn update(state: &mut State, how: &str, variable: &str, values: &[String]) -> levada::Result<String> {
    let b = &mut state.builder;
    let values = outputs(b, values)?;
    let handle = b.find(variable)?;
    let node = handle.node().map(|id| b.graph().node(id).name.to_string()).unwrap_or_default();
    let known = train::trainable_variables(b)?.into_iter().find(|known| known.handle == handle);
    let variable = known.map_or_else(|| Variable::find(b, &node), Ok)?;
    let updated = match (how, &values[..]) {
        ("assign", [value]) => variable.assign(b, *value),
        ("assign_add", [value]) => variable.assign_add(b, *value),
        ("assign_sub", [value]) => variable.assign_sub(b, *value),
        ("scatter_add", [indices, rows]) => variable.scatter_add(b, *indices, *rows),
        _ => return Err(Error::internal(format!("variables have no update {how}"))),
    };
    check(b)?;
    Ok(b.node_name(updated))
}

/// Hyperparameters of an optimizer by name: fixed numbers, and names of outputs for computed ones.
pub(crate) struct Numbers(Vec<(String, Number)>);

enum Number {
    Fixed(f64),
    Computed(String),
}

impl Numbers {
    pub(crate) fn of(numbers: &Bound<'_, PyDict>) -> PyResult<Numbers> {
        let number = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let value = match value.cast::<PyString>() {
                Ok(name) => Number::Computed(name.extract()?),
                Err(_) => Number::Fixed(value.extract::<f64>()?),
            };
            Ok((key.extract()?, value))
        };
        numbers.iter().map(number).collect::<PyResult<_>>().map(Numbers)
    }

    fn fixed(&self, name: &str, default: f64) -> f64 {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map_or(default, |(_, number)| match number {
            Number::Fixed(value) => *value,
            Number::Computed(_) => default,
        })
    }

    fn rate(&self, b: &levada::Builder, name: &str, default: f64) -> levada::Result<Rate> {
        match self.0.iter().find(|(key, _)| key == name) {
            Some((_, Number::Computed(name))) => b.find(name).map(Rate::Computed),
            Some((_, Number::Fixed(value))) => Ok(Rate::Fixed(*value)),
            None => Ok(Rate::Fixed(default)),
        }
    }

    /// The optimizer of this name.
    fn optimizer(&self, b: &levada::Builder, kind: &str) -> levada::Result<Optimizer> {
        let learning_rate = self.rate(b, "learning_rate", 0.001)?;
        let fixed = |name: &str, default: f64| self.fixed(name, default);
        Ok(match kind {
            "GradientDescent" => Optimizer::GradientDescent { learning_rate },
            "Momentum" => Optimizer::Momentum {
                learning_rate,
                momentum: self.rate(b, "momentum", 0.9)?,
                use_nesterov: fixed("use_nesterov", 0.0) != 0.0,
            },
            "Adagrad" => Optimizer::Adagrad {
                learning_rate,
                initial_accumulator_value: fixed("initial_accumulator_value", 0.1),
                epsilon: None,
            },
            "Adadelta" => {
                Optimizer::Adadelta { learning_rate, rho: fixed("rho", 0.95), epsilon: fixed("epsilon", 1e-8) }
            }
            "Adam" => Optimizer::Adam {
                learning_rate,
                beta1: fixed("beta1", 0.9),
                beta2: fixed("beta2", 0.999),
                epsilon: fixed("epsilon", 1e-8),
            },
            "AdaMax" => Optimizer::AdaMax {
                learning_rate,
                beta1: fixed("beta1", 0.9),
                beta2: fixed("beta2", 0.999),
                epsilon: fixed("epsilon", 1e-8),
            },
            "RMSProp" => Optimizer::RmsProp {
                learning_rate,
                decay: fixed("decay", 0.9),
                momentum: fixed("momentum", 0.0),
                epsilon: fixed("epsilon", 1e-10),
                centered: fixed("centered", 0.0) != 0.0,
            },
            "Ftrl" => Optimizer::Ftrl {
                learning_rate,
                learning_rate_power: fixed("learning_rate_power", -0.5),
                initial_accumulator_value: fixed("initial_accumulator_value", 0.1),
                l1: fixed("l1", 0.0),
                l2: fixed("l2", 0.0),
                l2_shrinkage: fixed("l2_shrinkage", 0.0),
            },
            _ => return Err(Error::invalid(format!("there is no optimizer {kind:?}"))),
        })
    }
}

/// The value to minimize, and the variables to change.
pub(crate) struct Goal {
    pub(crate) loss: String,
    /// Handles; if empty, all trainable variables.
    pub(crate) variables: Vec<String>,
    pub(crate) global_step: Option<String>,
    pub(crate) clip_norm: Option<f64>,
    pub(crate) name: Option<String>,
}

/// A node that performs a training step.
pub(crate) fn minimize(state: &mut State, kind: &str, numbers: &Numbers, goal: &Goal) -> levada::Result<String> {
    let b = &mut state.builder;
    let optimizer = numbers.optimizer(b, kind)?;
    let find = |b: &mut levada::Builder, handle: &String| {
        let output = b.find(handle)?;
        let known = train::trainable_variables(b)?.into_iter().find(|known| known.handle == output);
        known.map_or_else(|| Variable::find(b, handle.split(':').next().unwrap_or(handle)), Ok)
    };
    let options = Minimize {
        variables: goal.variables.iter().map(|handle| find(b, handle)).collect::<levada::Result<_>>()?,
        global_step: goal.global_step.as_ref().map(|handle| find(b, handle)).transpose()?,
        clip_norm: goal.clip_norm,
        name: goal.name.clone().unwrap_or_default(),
    };
    let loss = b.find(&goal.loss)?;
    let step = train::minimize(b, loss, &optimizer, &options)?;
    check(b)?;
    Ok(b.node_name(step))
}

/// A value of `options`, or its default.
fn option<'py, T: FromPyObjectOwned<'py>>(options: &Bound<'py, PyDict>, name: &str, default: T) -> PyResult<T> {
    match options.get_item(name)?.filter(|value| !value.is_none()) {
        Some(value) => value.extract().map_err(Into::into),
        None => Ok(default),
    }
}

/// Options for batching and shuffling.
pub(crate) struct Batching {
    batch: Batch,
    shuffle: Option<Shuffle>,
    keep_input: Option<String>,
}

impl Batching {
    pub(crate) fn of(options: &Bound<'_, PyDict>) -> PyResult<Batching> {
        let plain = Batch::of(option(options, "batch_size", 1)?);
        let shapes = match options.get_item("shapes")?.filter(|shapes| !shapes.is_none()) {
            Some(shapes) => Some(shapes.try_iter()?.map(|item| shape(&item?)).collect::<PyResult<_>>()?),
            None => None,
        };
        let shuffle = match option::<bool>(options, "shuffle", false)? {
            true => Some(Shuffle {
                min_after_dequeue: option(options, "min_after_dequeue", 0)?,
                seed: option(options, "seed", None)?,
            }),
            false => None,
        };
        let batch = Batch {
            num_threads: option(options, "num_threads", plain.num_threads)?,
            capacity: option(options, "capacity", plain.capacity)?,
            enqueue_many: option(options, "enqueue_many", false)?,
            shapes,
            dynamic_pad: option(options, "dynamic_pad", false)?,
            allow_smaller_final_batch: option(options, "allow_smaller_final_batch", false)?,
            shared_name: option(options, "shared_name", String::new())?,
            name: option(options, "name", String::new())?,
            ordered: option(options, "ordered", false)?,
            ..plain
        };
        Ok(Batching { batch, shuffle, keep_input: option(options, "keep_input", None)? })
    }
}

/// Batches of the elements of one pipeline, or of several.
pub(crate) fn batch(state: &mut State, lists: &[Vec<String>], options: &Batching) -> levada::Result<Vec<String>> {
    let b = &mut state.builder;
    let lists: Vec<Vec<Output>> = lists.iter().map(|list| outputs(b, list)).collect::<levada::Result<_>>()?;
    let keep = options.keep_input.as_ref().map(|name| b.find(name)).transpose()?;
    let Batching { batch, shuffle, .. } = options;
    let made = match (&lists[..], *shuffle, keep) {
        ([one], None, None) => train::batch(b, one, batch),
        ([one], None, Some(keep)) => train::maybe_batch(b, one, keep, batch),
        ([one], Some(shuffle), None) => train::shuffle_batch(b, one, shuffle, batch),
        ([one], Some(shuffle), Some(keep)) => train::maybe_shuffle_batch(b, one, keep, shuffle, batch),
        (many, None, None) => train::batch_join(b, many, batch),
        (many, None, Some(keep)) => train::maybe_batch_join(b, many, keep, batch),
        (many, Some(shuffle), None) => train::shuffle_batch_join(b, many, shuffle, batch),
        (many, Some(shuffle), Some(keep)) => train::maybe_shuffle_batch_join(b, many, keep, shuffle, batch),
    };
    check(b)?;
    Ok(made.into_iter().map(|output| named(b, output)).collect())
}

/// Options of an input producer.
pub(crate) fn producer(options: &Bound<'_, PyDict>) -> PyResult<Producer> {
    let plain = Producer::default();
    Ok(Producer {
        num_epochs: option(options, "num_epochs", None)?,
        shuffle: option(options, "shuffle", plain.shuffle)?,
        seed: option(options, "seed", None)?,
        capacity: option(options, "capacity", plain.capacity)?,
        element_shape: options.get_item("element_shape")?.map(|value| shape(&value)).transpose()?,
        shared_name: option(options, "shared_name", String::new())?,
        name: option(options, "name", String::new())?,
        ..plain
    })
}

/// A queue of rows, strings, numbers, or of rows of several tensors.
pub(crate) fn produce(
    state: &mut State,
    kind: &str,
    inputs: &[String],
    options: &Producer,
) -> levada::Result<Vec<String>> {
    let b = &mut state.builder;
    let inputs = outputs(b, inputs)?;
    let made = match (kind, &inputs[..]) {
        ("input", [input]) => vec![train::input_producer(b, *input, options)],
        ("string", [strings]) => vec![train::string_input_producer(b, *strings, options)],
        ("range", [limit]) => vec![train::range_input_producer(b, *limit, options)],
        ("slice", tensors) => train::slice_input_producer(b, tensors, options),
        _ => return Err(Error::internal(format!("there is no producer {kind}"))),
    };
    check(b)?;
    Ok(made.into_iter().map(|output| named(b, output)).collect())
}

/// The specs of the ops by family, each with name, documentation, inputs, outputs and attrs, as Python objects.
#[pyfunction]
pub(crate) fn op_specs(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let argument = |arg: &Arg| -> PyResult<Bound<'_, PyDict>> {
        let made = PyDict::new(py);
        made.set_item("name", arg.name)?;
        made.set_item("dtype", if let Ty::Is(dtype) = arg.ty { Some(dtype.name()) } else { None })?;
        made.set_item("attr", if let Ty::Of(attr) | Ty::Each(attr) = arg.ty { Some(attr) } else { None })?;
        made.set_item("each", matches!(arg.ty, Ty::Each(_)))?;
        made.set_item("times", arg.times)?;
        made.set_item("ref", arg.is_ref)?;
        Ok(made)
    };
    let attribute = |attr: &AttrSpec| -> PyResult<Bound<'_, PyDict>> {
        let made = PyDict::new(py);
        made.set_item("name", attr.name)?;
        made.set_item("kind", format!("{:?}", attr.kind))?;
        made.set_item("required", attr.default.is_none())?;
        made.set_item("dtypes", attr.dtypes.iter().map(|dtype| dtype.name()).collect::<Vec<_>>())?;
        made.set_item("strings", attr.strings)?;
        made.set_item("default", attr.default.and_then(|default| plain(py, &default.value())))?;
        made.set_item("doc", prose(attr.doc))?;
        Ok(made)
    };
    let families = PyDict::new(py);
    for (family, ops) in levada::families() {
        let list = PyList::empty(py);
        for op in ops {
            let made = PyDict::new(py);
            made.set_item("name", op.spec.name)?;
            made.set_item("doc", prose(op.doc))?;
            made.set_item("inputs", op.spec.inputs.iter().map(argument).collect::<PyResult<Vec<_>>>()?)?;
            made.set_item("outputs", op.spec.outputs.iter().map(argument).collect::<PyResult<Vec<_>>>()?)?;
            made.set_item("attrs", op.attrs.iter().map(attribute).collect::<PyResult<Vec<_>>>()?)?;
            list.append(made)?;
        }
        families.set_item(family, list)?;
    }
    Ok(families)
}

/// A default value in Python syntax; `None` if it cannot be written.
fn plain(py: Python<'_>, value: &AttrValue) -> Option<Py<PyAny>> {
    fn made<'py, T: IntoPyObject<'py>>(py: Python<'py>, value: T) -> Option<Py<PyAny>> {
        value.into_py_any(py).ok()
    }
    let text = |bytes: &Bytes| String::from_utf8_lossy(bytes).into_owned();
    match value {
        AttrValue::S(bytes) => made(py, text(bytes)),
        AttrValue::I(int) => made(py, *int),
        // The shortest text that round-trips to this float, as in the op's definition.
        AttrValue::F(float) => made(py, float.to_string().parse::<f64>().unwrap_or(f64::from(*float))),
        AttrValue::B(truth) => made(py, *truth),
        AttrValue::Type(ty) => made(py, ty.dtype.name()),
        AttrValue::Shape(shape) => made(py, shape.dims().map(|dims| dims.to_vec())),
        AttrValue::List(AttrList::Empty) => made(py, Vec::<i64>::new()),
        AttrValue::List(AttrList::S(list)) => made(py, list.iter().map(text).collect::<Vec<_>>()),
        AttrValue::List(AttrList::I(list)) => made(py, list.clone()),
        AttrValue::List(AttrList::F(list)) => made(py, list.clone()),
        AttrValue::List(AttrList::B(list)) => made(py, list.clone()),
        AttrValue::List(AttrList::Type(list)) => made(py, list.iter().map(|ty| ty.dtype.name()).collect::<Vec<_>>()),
        _ => None,
    }
}
