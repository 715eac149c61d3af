// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `control`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string, strings};
use levada_graph::{DType, Func, PartialShape};
use levada_builder::Output;

impl Ops<'_> {
    /// Fails the step. TensorFlow's ends the process; a graph that is only input must not be able to.
    pub fn abort(&self) -> Abort<'_> {
        Abort(Node::new(self, "Abort"))
    }

    /// Runs the function whose number is given, the last for numbers that none has.
    ///
    /// - `branch_index`: a tensor of int32
    /// - `input`: tensors of any number and dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `branches`: The functions. At least 1 of them.
    ///
    /// `Tin` is any dtype.
    pub fn case(&self, branch_index: impl Input, input: impl IntoIterator<Item = impl Input>, tout: &[DType], branches: &[Func]) -> Case<'_> {
        let mut node = Node::new(self, "Case").input(branch_index).list(input);
        node.set("Tout", tout.to_vec());
        node.set("branches", branches.to_vec());
        Case(node)
    }

    /// Does nothing, once its control inputs have run or turned out dead.
    pub fn control_trigger(&self) -> ControlTrigger<'_> {
        ControlTrigger(Node::new(self, "ControlTrigger"))
    }

    /// The position of the type of the node's device in a list, the length of the list where it is not there.
    ///
    /// - `device_names`: Types of devices.
    ///
    /// It has no gradient.
    pub fn device_index(&self, device_names: &[impl AsRef<[u8]>]) -> DeviceIndex<'_> {
        let mut node = Node::new(self, "DeviceIndex");
        node.set("device_names", strings(device_names));
        DeviceIndex(node)
    }

    /// The full name of the device that this node runs on. TensorFlow has it for tests of its placer.
    ///
    /// It has no gradient.
    pub fn device_placement_op(&self) -> DevicePlacementOp<'_> {
        DevicePlacementOp(Node::new(self, "DevicePlacementOp"))
    }

    /// Takes its input into a child frame.
    ///
    /// - `data`: a tensor of `T`
    /// - `frame_name`: Name of the frame.
    ///
    /// `T` is any dtype.
    pub fn enter(&self, data: impl Input, frame_name: impl AsRef<[u8]>) -> Enter<'_> {
        let mut node = Node::new(self, "Enter").input(data);
        node.set("frame_name", string(frame_name));
        Enter(node)
    }

    /// Takes its input out of the frame.
    ///
    /// - `data`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn exit(&self, data: impl Input) -> Exit<'_> {
        Exit(Node::new(self, "Exit").input(data))
    }

    /// Runs `body` for every number from `start` up to `limit`, which is not reached, in steps of `delta`.
    ///
    /// - `start`: a tensor of int32
    /// - `limit`: a tensor of int32
    /// - `delta`: a tensor of int32
    /// - `input`: tensors of any number and dtypes
    /// - `body`: The function; its first argument is the number.
    ///
    /// `T` is any dtype.
    pub fn for_(&self, start: impl Input, limit: impl Input, delta: impl Input, input: impl IntoIterator<Item = impl Input>, body: impl Into<Func>) -> For<'_> {
        let mut node = Node::new(self, "For").input(start).input(limit).input(delta).list(input);
        node.set("body", Into::<Func>::into(body));
        For(node)
    }

    /// Runs one of two functions.
    ///
    /// - `cond`: a tensor of `Tcond`
    /// - `input`: tensors of any number and dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `then_branch`: The function for true.
    /// - `else_branch`: The function for false.
    ///
    /// `Tcond` is any dtype. `Tin` is any dtype.
    pub fn if_(&self, cond: impl Input, input: impl IntoIterator<Item = impl Input>, tout: &[DType], then_branch: impl Into<Func>, else_branch: impl Into<Func>) -> If<'_> {
        let mut node = Node::new(self, "If").input(cond).list(input);
        node.set("Tout", tout.to_vec());
        node.set("then_branch", Into::<Func>::into(then_branch));
        node.set("else_branch", Into::<Func>::into(else_branch));
        If(node)
    }

    /// Says whether a loop goes on.
    ///
    /// - `input`: a tensor of bool
    ///
    /// It has no gradient.
    pub fn loop_cond(&self, input: impl Input) -> LoopCond<'_> {
        LoopCond(Node::new(self, "LoopCond").input(input))
    }

    /// Passes on the first of its inputs that arrives alive, and says which it was.
    ///
    /// - `inputs`: tensors of `T`, any number
    ///
    /// `T` is any dtype.
    pub fn merge(&self, inputs: impl IntoIterator<Item = impl Input>) -> Merge<'_> {
        Merge(Node::new(self, "Merge").list(inputs))
    }

    /// Takes its input into the next iteration.
    ///
    /// - `data`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn next_iteration(&self, data: impl Input) -> NextIteration<'_> {
        NextIteration(Node::new(self, "NextIteration").input(data))
    }

    /// Does nothing; its control edges order other nodes.
    pub fn no_op(&self) -> NoOp<'_> {
        NoOp(Node::new(self, "NoOp"))
    }

    /// Runs a function without side effects.
    ///
    /// - `args`: tensors of any number and dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `f`: The function.
    ///
    /// `Tin` is any dtype.
    pub fn partitioned_call(&self, args: impl IntoIterator<Item = impl Input>, tout: &[DType], f: impl Into<Func>) -> PartitionedCall<'_> {
        let mut node = Node::new(self, "PartitionedCall").list(args);
        node.set("Tout", tout.to_vec());
        node.set("f", Into::<Func>::into(f));
        PartitionedCall(node)
    }

    /// `Enter` for references.
    ///
    /// - `data`: a reference to a variable of `T`
    /// - `frame_name`: Name of the frame.
    ///
    /// `T` is any dtype.
    pub fn ref_enter(&self, data: impl Input, frame_name: impl AsRef<[u8]>) -> RefEnter<'_> {
        let mut node = Node::new(self, "RefEnter").input(data);
        node.set("frame_name", string(frame_name));
        RefEnter(node)
    }

    /// `Exit` for references.
    ///
    /// - `data`: a reference to a variable of `T`
    ///
    /// `T` is any dtype.
    pub fn ref_exit(&self, data: impl Input) -> RefExit<'_> {
        RefExit(Node::new(self, "RefExit").input(data))
    }

    /// `Merge` for references.
    ///
    /// - `inputs`: references to variables of `T`
    ///
    /// `T` is any dtype.
    pub fn ref_merge(&self, inputs: impl IntoIterator<Item = impl Input>) -> RefMerge<'_> {
        RefMerge(Node::new(self, "RefMerge").list(inputs))
    }

    /// `NextIteration` for references.
    ///
    /// - `data`: a reference to a variable of `T`
    ///
    /// `T` is any dtype.
    pub fn ref_next_iteration(&self, data: impl Input) -> RefNextIteration<'_> {
        RefNextIteration(Node::new(self, "RefNextIteration").input(data))
    }

    /// `Switch` for references.
    ///
    /// - `data`: a reference to a variable of `T`
    /// - `pred`: a tensor of bool
    ///
    /// `T` is any dtype.
    pub fn ref_switch(&self, data: impl Input, pred: impl Input) -> RefSwitch<'_> {
        RefSwitch(Node::new(self, "RefSwitch").input(data).input(pred))
    }

    /// Runs a function on the device that `target` names.
    ///
    /// - `target`: a tensor of string
    /// - `args`: tensors of any number and dtypes
    /// - `tout`: Types of the results. Allowed: any dtype. At least 1 of them.
    /// - `f`: The function.
    ///
    /// `Tin` is any dtype.
    pub fn remote_call(&self, target: impl Input, args: impl IntoIterator<Item = impl Input>, tout: &[DType], f: impl Into<Func>) -> RemoteCall<'_> {
        let mut node = Node::new(self, "RemoteCall").input(target).list(args);
        node.set("Tout", tout.to_vec());
        node.set("f", Into::<Func>::into(f));
        RemoteCall(node)
    }

    /// Runs a function.
    ///
    /// - `args`: tensors of any number and dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `f`: The function.
    ///
    /// `Tin` is any dtype.
    pub fn stateful_partitioned_call(&self, args: impl IntoIterator<Item = impl Input>, tout: &[DType], f: impl Into<Func>) -> StatefulPartitionedCall<'_> {
        let mut node = Node::new(self, "StatefulPartitionedCall").list(args);
        node.set("Tout", tout.to_vec());
        node.set("f", Into::<Func>::into(f));
        StatefulPartitionedCall(node)
    }

    /// `Case` for functions without side effects.
    ///
    /// - `branch_index`: a tensor of int32
    /// - `input`: tensors of any number and dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `branches`: The functions. At least 1 of them.
    ///
    /// `Tin` is any dtype.
    pub fn stateless_case(&self, branch_index: impl Input, input: impl IntoIterator<Item = impl Input>, tout: &[DType], branches: &[Func]) -> StatelessCase<'_> {
        let mut node = Node::new(self, "StatelessCase").input(branch_index).list(input);
        node.set("Tout", tout.to_vec());
        node.set("branches", branches.to_vec());
        StatelessCase(node)
    }

    /// Runs one of two functions without side effects.
    ///
    /// - `cond`: a tensor of `Tcond`
    /// - `input`: tensors of any number and dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `then_branch`: The function for true.
    /// - `else_branch`: The function for false.
    ///
    /// `Tcond` is any dtype. `Tin` is any dtype.
    pub fn stateless_if(&self, cond: impl Input, input: impl IntoIterator<Item = impl Input>, tout: &[DType], then_branch: impl Into<Func>, else_branch: impl Into<Func>) -> StatelessIf<'_> {
        let mut node = Node::new(self, "StatelessIf").input(cond).list(input);
        node.set("Tout", tout.to_vec());
        node.set("then_branch", Into::<Func>::into(then_branch));
        node.set("else_branch", Into::<Func>::into(else_branch));
        StatelessIf(node)
    }

    /// `While` for functions without side effects.
    ///
    /// - `input`: tensors of any number and dtypes
    /// - `cond`: The function that says whether to go on.
    /// - `body`: The function that computes the variables anew.
    ///
    /// `T` is any dtype.
    pub fn stateless_while(&self, input: impl IntoIterator<Item = impl Input>, cond: impl Into<Func>, body: impl Into<Func>) -> StatelessWhile<'_> {
        let mut node = Node::new(self, "StatelessWhile").list(input);
        node.set("cond", Into::<Func>::into(cond));
        node.set("body", Into::<Func>::into(body));
        StatelessWhile(node)
    }

    /// Passes its data to the output that `pred` chooses; the other is dead.
    ///
    /// - `data`: a tensor of `T`
    /// - `pred`: a tensor of bool
    ///
    /// `T` is any dtype.
    pub fn switch(&self, data: impl Input, pred: impl Input) -> Switch<'_> {
        Switch(Node::new(self, "Switch").input(data).input(pred))
    }

    /// The gradients of a function by its arguments, from the arguments and the gradients of its results.
    ///
    /// - `input`: tensors of any number and dtypes
    /// - `tout`: Dtypes of the arguments. Allowed: any dtype. At least 1 of them.
    /// - `f`: The function.
    ///
    /// `Tin` is any dtype.
    pub fn symbolic_gradient(&self, input: impl IntoIterator<Item = impl Input>, tout: &[DType], f: impl Into<Func>) -> SymbolicGradient<'_> {
        let mut node = Node::new(self, "SymbolicGradient").list(input);
        node.set("Tout", tout.to_vec());
        node.set("f", Into::<Func>::into(f));
        SymbolicGradient(node)
    }

    /// Runs `body` as long as `cond` says so.
    ///
    /// - `input`: tensors of any number and dtypes
    /// - `cond`: The function that says whether to go on.
    /// - `body`: The function that computes the variables anew.
    ///
    /// `T` is any dtype.
    pub fn while_(&self, input: impl IntoIterator<Item = impl Input>, cond: impl Into<Func>, body: impl Into<Func>) -> While<'_> {
        let mut node = Node::new(self, "While").list(input);
        node.set("cond", Into::<Func>::into(cond));
        node.set("body", Into::<Func>::into(body));
        While(node)
    }
}

/// A node of [`Abort`](Ops::abort) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Abort<'a>(Node<'a>);

impl Abort<'_> {
    /// What the error says. Default: `""`.
    pub fn error_msg(mut self, error_msg: impl AsRef<[u8]>) -> Self {
        self.0.set("error_msg", string(error_msg));
        self
    }

    /// In TensorFlow, whether the process ends with exit code 0. Default: `false`.
    pub fn exit_without_error(mut self, exit_without_error: bool) -> Self {
        self.0.set("exit_without_error", exit_without_error);
        self
    }
}

/// A node of [`Case`](Ops::case) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Case<'a>(Node<'a>);

impl Case<'_> {
    /// Shapes of the results. Default: none.
    pub fn output_shapes(mut self, output_shapes: &[PartialShape]) -> Self {
        self.0.set("output_shapes", output_shapes.to_vec());
        self
    }

    /// True where TensorFlow would make it part of the graph around it, so that nodes of the functions may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`ControlTrigger`](Ops::control_trigger) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ControlTrigger<'a>(Node<'a>);

/// A node of [`DeviceIndex`](Ops::device_index) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeviceIndex<'a>(Node<'a>);

/// A node of [`DevicePlacementOp`](Ops::device_placement_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DevicePlacementOp<'a>(Node<'a>);

/// A node of [`Enter`](Ops::enter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Enter<'a>(Node<'a>);

impl Enter<'_> {
    /// True where every iteration sees the value, not only the first. Default: `false`.
    pub fn is_constant(mut self, is_constant: bool) -> Self {
        self.0.set("is_constant", is_constant);
        self
    }

    /// Iterations that may be under way at once. Default: `10`.
    pub fn parallel_iterations(mut self, parallel_iterations: i64) -> Self {
        self.0.set("parallel_iterations", parallel_iterations);
        self
    }
}

/// A node of [`Exit`](Ops::exit) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Exit<'a>(Node<'a>);

/// A node of [`For`](Ops::for_) that is being described.
#[must_use = "it is no node before it is added"]
pub struct For<'a>(Node<'a>);

impl For<'_> {
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`If`](Ops::if_) that is being described.
#[must_use = "it is no node before it is added"]
pub struct If<'a>(Node<'a>);

impl If<'_> {
    /// Shapes of the results. Default: none.
    pub fn output_shapes(mut self, output_shapes: &[PartialShape]) -> Self {
        self.0.set("output_shapes", output_shapes.to_vec());
        self
    }

    /// True where TensorFlow would make it part of the graph around it, so that nodes of the functions may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`LoopCond`](Ops::loop_cond) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LoopCond<'a>(Node<'a>);

/// A node of [`Merge`](Ops::merge) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Merge<'a>(Node<'a>);

impl Merge<'_> {
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> MergeOutputs {
        let mut outputs = self.0.outputs();
        MergeOutputs { output: outputs.one(), value_index: outputs.one() }
    }
}

/// The outputs of [`Merge`](Ops::merge).
#[derive(Clone, Copy, Debug)]
pub struct MergeOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of int32.
    pub value_index: Output,
}

/// A node of [`NextIteration`](Ops::next_iteration) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NextIteration<'a>(Node<'a>);

/// A node of [`NoOp`](Ops::no_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NoOp<'a>(Node<'a>);

/// A node of [`PartitionedCall`](Ops::partitioned_call) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PartitionedCall<'a>(Node<'a>);

impl PartitionedCall<'_> {
    /// Not used. Default: `""`.
    pub fn config(mut self, config: impl AsRef<[u8]>) -> Self {
        self.0.set("config", string(config));
        self
    }

    /// Not used. Default: `""`.
    pub fn config_proto(mut self, config_proto: impl AsRef<[u8]>) -> Self {
        self.0.set("config_proto", string(config_proto));
        self
    }

    /// Not used. Default: `""`.
    pub fn executor_type(mut self, executor_type: impl AsRef<[u8]>) -> Self {
        self.0.set("executor_type", string(executor_type));
        self
    }

    /// True for a node that the graph gave the function's name as its op. Default: `false`.
    pub fn _by_name(mut self, _by_name: bool) -> Self {
        self.0.set("_by_name", _by_name);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`RefEnter`](Ops::ref_enter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RefEnter<'a>(Node<'a>);

impl RefEnter<'_> {
    /// True where every iteration sees the value, not only the first. Default: `false`.
    pub fn is_constant(mut self, is_constant: bool) -> Self {
        self.0.set("is_constant", is_constant);
        self
    }

    /// Iterations that may be under way at once. Default: `10`.
    pub fn parallel_iterations(mut self, parallel_iterations: i64) -> Self {
        self.0.set("parallel_iterations", parallel_iterations);
        self
    }
}

/// A node of [`RefExit`](Ops::ref_exit) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RefExit<'a>(Node<'a>);

/// A node of [`RefMerge`](Ops::ref_merge) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RefMerge<'a>(Node<'a>);

impl RefMerge<'_> {
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> RefMergeOutputs {
        let mut outputs = self.0.outputs();
        RefMergeOutputs { output: outputs.one(), value_index: outputs.one() }
    }
}

/// The outputs of [`RefMerge`](Ops::ref_merge).
#[derive(Clone, Copy, Debug)]
pub struct RefMergeOutputs {
    /// A reference to a variable of `T`.
    pub output: Output,
    /// A tensor of int32.
    pub value_index: Output,
}

/// A node of [`RefNextIteration`](Ops::ref_next_iteration) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RefNextIteration<'a>(Node<'a>);

/// A node of [`RefSwitch`](Ops::ref_switch) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RefSwitch<'a>(Node<'a>);

impl RefSwitch<'_> {
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> RefSwitchOutputs {
        let mut outputs = self.0.outputs();
        RefSwitchOutputs { output_false: outputs.one(), output_true: outputs.one() }
    }
}

/// The outputs of [`RefSwitch`](Ops::ref_switch).
#[derive(Clone, Copy, Debug)]
pub struct RefSwitchOutputs {
    /// A reference to a variable of `T`.
    pub output_false: Output,
    /// A reference to a variable of `T`.
    pub output_true: Output,
}

/// A node of [`RemoteCall`](Ops::remote_call) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RemoteCall<'a>(Node<'a>);

impl RemoteCall<'_> {
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`StatefulPartitionedCall`](Ops::stateful_partitioned_call) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatefulPartitionedCall<'a>(Node<'a>);

impl StatefulPartitionedCall<'_> {
    /// Not used. Default: `""`.
    pub fn config(mut self, config: impl AsRef<[u8]>) -> Self {
        self.0.set("config", string(config));
        self
    }

    /// Not used. Default: `""`.
    pub fn config_proto(mut self, config_proto: impl AsRef<[u8]>) -> Self {
        self.0.set("config_proto", string(config_proto));
        self
    }

    /// Not used. Default: `""`.
    pub fn executor_type(mut self, executor_type: impl AsRef<[u8]>) -> Self {
        self.0.set("executor_type", string(executor_type));
        self
    }

    /// True for a node that the graph gave the function's name as its op. Default: `false`.
    pub fn _by_name(mut self, _by_name: bool) -> Self {
        self.0.set("_by_name", _by_name);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`StatelessCase`](Ops::stateless_case) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessCase<'a>(Node<'a>);

impl StatelessCase<'_> {
    /// Shapes of the results. Default: none.
    pub fn output_shapes(mut self, output_shapes: &[PartialShape]) -> Self {
        self.0.set("output_shapes", output_shapes.to_vec());
        self
    }

    /// True where TensorFlow would make it part of the graph around it, so that nodes of the functions may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`StatelessIf`](Ops::stateless_if) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessIf<'a>(Node<'a>);

impl StatelessIf<'_> {
    /// Shapes of the results. Default: none.
    pub fn output_shapes(mut self, output_shapes: &[PartialShape]) -> Self {
        self.0.set("output_shapes", output_shapes.to_vec());
        self
    }

    /// True where TensorFlow would make it part of the graph around it, so that nodes of the functions may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`StatelessWhile`](Ops::stateless_while) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessWhile<'a>(Node<'a>);

impl StatelessWhile<'_> {
    /// Shapes of the results. Default: none.
    pub fn output_shapes(mut self, output_shapes: &[PartialShape]) -> Self {
        self.0.set("output_shapes", output_shapes.to_vec());
        self
    }

    /// Not used: an iteration starts when the one before has ended. Default: `10`.
    pub fn parallel_iterations(mut self, parallel_iterations: i64) -> Self {
        self.0.set("parallel_iterations", parallel_iterations);
        self
    }

    /// True where TensorFlow would make it part of the graph around it, so that nodes of the functions may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`Switch`](Ops::switch) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Switch<'a>(Node<'a>);

impl Switch<'_> {
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> SwitchOutputs {
        let mut outputs = self.0.outputs();
        SwitchOutputs { output_false: outputs.one(), output_true: outputs.one() }
    }
}

/// The outputs of [`Switch`](Ops::switch).
#[derive(Clone, Copy, Debug)]
pub struct SwitchOutputs {
    /// A tensor of `T`.
    pub output_false: Output,
    /// A tensor of `T`.
    pub output_true: Output,
}

/// A node of [`SymbolicGradient`](Ops::symbolic_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SymbolicGradient<'a>(Node<'a>);

impl SymbolicGradient<'_> {
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`While`](Ops::while_) that is being described.
#[must_use = "it is no node before it is added"]
pub struct While<'a>(Node<'a>);

impl While<'_> {
    /// Shapes of the results. Default: none.
    pub fn output_shapes(mut self, output_shapes: &[PartialShape]) -> Self {
        self.0.set("output_shapes", output_shapes.to_vec());
        self
    }

    /// Not used: an iteration starts when the one before has ended. Default: `10`.
    pub fn parallel_iterations(mut self, parallel_iterations: i64) -> Self {
        self.0.set("parallel_iterations", parallel_iterations);
        self
    }

    /// True where TensorFlow would make it part of the graph around it, so that nodes of the functions may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

common! {
    Abort
    Case
    ControlTrigger
    DeviceIndex
    DevicePlacementOp
    Enter
    Exit
    For
    If
    LoopCond
    Merge
    NextIteration
    NoOp
    PartitionedCall
    RefEnter
    RefExit
    RefMerge
    RefNextIteration
    RefSwitch
    RemoteCall
    StatefulPartitionedCall
    StatelessCase
    StatelessIf
    StatelessWhile
    Switch
    SymbolicGradient
    While
}

no_output! {
    Abort
    ControlTrigger
    NoOp
}

one_output! {
    DeviceIndex
    DevicePlacementOp
    Enter
    Exit
    LoopCond
    NextIteration
    RefEnter
    RefExit
    RefNextIteration
}
