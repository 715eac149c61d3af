//! Variables of graphs that are built.

use levada_builder::{Builder, Output};
use levada_graph::collections::{VariableDef, add_variable, variables};
use levada_graph::op::FromAttr;
use levada_graph::{Collection, DType, Error, PartialShape, Result, Tensor};

/// The collection of the variables that are saved.
pub(super) const GLOBAL_VARIABLES: &str = "variables";
/// The collection of those saved variables that optimizers change.
const TRAINABLE_VARIABLES: &str = "trainable_variables";
/// The collection of the variables that are not saved.
pub(super) const LOCAL_VARIABLES: &str = "local_variables";

/// A variable of a graph.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its handle, or its reference.
    pub handle: Output,
    /// The output that reads it.
    pub value: Output,
    /// Its initial value, if known.
    pub initial: Option<Output>,
    is_resource: bool,
}

impl Variable {
    /// The variable that the node with this name makes, in an existing graph.
    ///
    /// # Errors
    /// `NOT_FOUND` if there is no such node, `INVALID_ARGUMENT` if it does not make a variable.
    pub fn find(b: &mut Builder, name: &str) -> Result<Variable> {
        let handle = b.find(name)?;
        let op = handle.node().map_or("", |id| b.graph().node(id).spec().name);
        let is_resource = match Variable::is_resource_of(op) {
            Some(is_resource) => is_resource,
            None => {
                return Err(Error::invalid("the node does not make a variable")
                    .at_node(name, op)
                    .expected("VarHandleOp or VariableV2"));
            }
        };
        let dtype = Variable::attr::<DType>(b, handle, "dtype").unwrap_or(DType::F32);
        let value = match is_resource {
            true => b.node("ReadVariableOp").input(handle).attr("dtype", dtype).add(),
            false => b.node("Identity").input(handle).add(),
        };
        Ok(Variable { handle, value, initial: None, is_resource })
    }

    /// Whether the variable that an op makes has a handle; `None` for an op that makes none.
    fn is_resource_of(op: &str) -> Option<bool> {
        match op {
            "VarHandleOp" => Some(true),
            "VariableV2" | "Variable" => Some(false),
            _ => None,
        }
    }

    /// True for an op that makes variables.
    pub(super) fn is_made_by(op: &str) -> bool {
        Variable::is_resource_of(op).is_some()
    }

    fn of(b: &Builder, def: &VariableDef) -> Result<Variable> {
        Ok(Variable {
            handle: b.find(&def.variable)?,
            value: b.find(&def.snapshot)?,
            initial: b.find(&def.initial_value).ok(),
            is_resource: def.is_resource,
        })
    }

    fn attr<T: FromAttr>(b: &Builder, handle: Output, name: &str) -> Option<T> {
        let node = b.graph().node(handle.node()?);
        node.op.encode().get(name).and_then(T::from_attr)
    }

    /// True for a variable with a handle, false for one that is used by reference.
    pub fn is_resource(&self) -> bool {
        self.is_resource
    }

    /// Type of its elements.
    pub fn dtype(&self, b: &Builder) -> DType {
        b.dtype(self.value).unwrap_or(DType::F32)
    }

    /// Its shape, as far as known.
    pub fn shape(&self, b: &Builder) -> PartialShape {
        Variable::attr(b, self.handle, "shape").unwrap_or_default()
    }

    /// Sets it to `value`; returns the node that does.
    pub fn assign(&self, b: &mut Builder, value: Output) -> Output {
        self.update(b, ["AssignVariableOp", "Assign"], &[value])
    }

    /// Sets it to `value`, even if it has no value yet; returns the node that does.
    pub(super) fn restore(&self, b: &mut Builder, value: Output) -> Output {
        let dtype = self.dtype(b);
        let node = match self.is_resource {
            true => b.node("AssignVariableOp").attr("dtype", dtype),
            // Without a value, a variable of unknown shape counts as a scalar.
            false => {
                let known = self.shape(b).known().is_some();
                b.node("Assign").attr("validate_shape", known)
            }
        };
        node.inputs([self.handle, value]).add()
    }

    /// Adds `value` to it; returns the node that does.
    pub fn assign_add(&self, b: &mut Builder, value: Output) -> Output {
        self.update(b, ["AssignAddVariableOp", "AssignAdd"], &[value])
    }

    /// Subtracts `value` from it; returns the node that does.
    pub fn assign_sub(&self, b: &mut Builder, value: Output) -> Output {
        self.update(b, ["AssignSubVariableOp", "AssignSub"], &[value])
    }

    /// Adds rows to it; returns the node that does.
    pub fn scatter_add(&self, b: &mut Builder, indices: Output, rows: Output) -> Output {
        self.update(b, ["ResourceScatterAdd", "ScatterAdd"], &[indices, rows])
    }

    /// A node of the first op for a handle, of the second for a reference.
    fn update(&self, b: &mut Builder, ops: [&str; 2], inputs: &[Output]) -> Output {
        let op = if self.is_resource { ops[0] } else { ops[1] };
        b.node(op).input(self.handle).inputs(inputs.iter().copied()).add()
    }

    /// The output that reads it once the nodes `after` have run.
    pub fn read_after(&self, b: &mut Builder, after: &[Output]) -> Output {
        let dtype = self.dtype(b);
        let node = match self.is_resource {
            true => b.node("ReadVariableOp").attr("dtype", dtype),
            false => b.node("Identity"),
        };
        after.iter().fold(node.input(self.handle), |node, &before| node.after(before)).add()
    }

    /// A tensor of its shape and type filled with a number; the shape must be known before the run.
    pub(super) fn full(&self, b: &mut Builder, number: f64) -> Output {
        let value = scalar(b, self.dtype(b), number);
        let shape = match (self.shape(b).known(), self.initial) {
            (Some(dims), _) => {
                let dims: Vec<i64> = dims.iter().map(|&d| d as i64).collect();
                b.constant(Tensor::vector(dims))
            }
            (None, Some(initial)) => b.op("Shape", &[initial]),
            (None, None) => {
                let name = b.node_name(self.handle);
                return b.fault(
                    Error::invalid("the shape of the variable is not known, so it can have no slots")
                        .at_node(&name, ""),
                );
            }
        };
        b.op("Fill", &[shape, value])
    }
}

/// A scalar constant of a numeric type.
pub(super) fn scalar(b: &mut Builder, dtype: DType, number: f64) -> Output {
    match levada_graph::grad::scalar(dtype, number) {
        Some(value) => b.constant(value),
        None => b.fault(Error::unimplemented(format!("training with numbers of type {dtype}"))),
    }
}

/// A variable named `name` that optimizers change, with `initial` as its initial value.
///
/// Run [`global_variables_initializer`] to set it.
pub fn variable(b: &mut Builder, name: &str, initial: Output) -> Variable {
    b.new_scope(name, |b, name| {
        let shape = b.shape(initial);
        add(b, name, initial, shape, &[GLOBAL_VARIABLES, TRAINABLE_VARIABLES])
    })
}

/// As [`variable`], not changed by optimizers.
pub fn untrained_variable(b: &mut Builder, name: &str, initial: Output) -> Variable {
    b.new_scope(name, |b, name| {
        let shape = b.shape(initial);
        add(b, name, initial, shape, &[GLOBAL_VARIABLES])
    })
}

/// The counter of training steps, `global_step`; an existing one is reused.
pub fn global_step(b: &mut Builder) -> Variable {
    if let Ok(found) = Variable::find(b, "global_step") {
        return found;
    }
    let zero = b.constant(Tensor::scalar(0i64));
    untrained_variable(b, "global_step", zero)
}

/// A variable that is not saved. `name` is its full name.
pub(super) fn local_variable(b: &mut Builder, name: &str, initial: Output, shape: PartialShape) -> Variable {
    add(b, name, initial, shape, &[LOCAL_VARIABLES])
}

fn add(b: &mut Builder, name: &str, initial: Output, shape: PartialShape, collections: &[&str]) -> Variable {
    let dtype = b.dtype(initial).unwrap_or(DType::F32);
    let handle = b.node("VarHandleOp").full_name(name).attr("dtype", dtype).attr("shape", shape);
    let handle = handle.attr("container", String::new()).attr("shared_name", name.to_owned());
    let handle = handle.attr("_class", vec![format!("loc:@{name}")]).add();
    let part = |end: &str| format!("{name}/{end}");
    b.node("VarIsInitializedOp").full_name(&part("IsInitialized/VarIsInitializedOp")).input(handle).add();
    let assign = b.node("AssignVariableOp").full_name(&part("Assign")).inputs([handle, initial]);
    assign.attr("dtype", dtype).attr("validate_shape", false).add();
    let read = b.node("ReadVariableOp").full_name(&part("Read/ReadVariableOp")).input(handle);
    let value = read.attr("dtype", dtype).add();
    let def = VariableDef {
        variable: format!("{name}:0"),
        initializer: part("Assign"),
        snapshot: part("Read/ReadVariableOp:0"),
        initial_value: format!("{}:0", b.node_name(initial)),
        is_resource: true,
        trainable: collections.contains(&TRAINABLE_VARIABLES),
    };
    for collection in collections {
        if let Err(fault) = add_variable(b.collections_mut(), collection, &def) {
            b.fault(fault);
        }
    }
    Variable { handle, value, initial: Some(initial), is_resource: true }
}

/// A variable of an optimizer. `name` is its full name, with a numeric suffix if it is taken.
pub(super) fn add_hidden(b: &mut Builder, name: &str, initial: Output) -> Variable {
    b.outside(|b| untrained_variable(b, name, initial))
}

/// The variables that optimizers change: those of the graph's collection `trainable_variables`.
///
/// # Errors
/// `INVALID_ARGUMENT` for a collection that holds something else, `NOT_FOUND` if the graph lacks one of them.
pub fn trainable_variables(b: &Builder) -> Result<Vec<Variable>> {
    variables(&b.graph().collections, TRAINABLE_VARIABLES)?.iter().map(|def| Variable::of(b, def)).collect()
}

/// A node that gives every variable its initial value, except those that are not saved.
pub fn global_variables_initializer(b: &mut Builder) -> Output {
    initializer(b, GLOBAL_VARIABLES)
}

/// A node that gives every local variable its initial value; `levada run --queue-runners` runs it automatically.
pub fn local_variables_initializer(b: &mut Builder) -> Output {
    let init = initializer(b, LOCAL_VARIABLES);
    let name = b.node_name(init);
    b.collections_mut().insert("local_init_op".to_owned(), Collection::Nodes(vec![name]));
    init
}

fn initializer(b: &mut Builder, collection: &str) -> Output {
    let variables = match variables(b.collections_mut(), collection) {
        Ok(variables) => variables,
        Err(fault) => return b.fault(fault),
    };
    let initializers: Vec<Output> =
        variables.iter().filter_map(|v| b.graph().find(&v.initializer)).map(Output::of).collect();
    initializers.into_iter().fold(b.node("NoOp").name("init"), |node, before| node.after(before)).add()
}
