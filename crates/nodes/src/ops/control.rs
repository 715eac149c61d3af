// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `control`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string, strings};
use levada_graph::{DType, Func, PartialShape};
use levada_builder::Output;

impl Ops<'_> {
    /// Fails the step. TensorFlow aborts the process; a graph, being untrusted input, must not be able to.
    pub fn abort(&self) -> Abort<'_> {
        Abort(Node::new(self, "Abort"))
    }

    /// Calls the function with index `branch_index`; the last one if the index is out of range.
    ///
    /// - `branch_index`: a tensor of int32
    /// - `input`: any number of tensors of any dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `branches`: The functions to choose from. Length at least 1.
    ///
    /// `Tin` is any dtype.
    pub fn case(&self, branch_index: impl Input, input: impl IntoIterator<Item = impl Input>, tout: &[DType], branches: &[Func]) -> Case<'_> {
        let mut node = Node::new(self, "Case").input(branch_index).list(input);
        node.set("Tout", tout.to_vec());
        node.set("branches", branches.to_vec());
        Case(node)
    }

    /// Does nothing; runs once all its control inputs have run or are known to be dead.
    pub fn control_trigger(&self) -> ControlTrigger<'_> {
        ControlTrigger(Node::new(self, "ControlTrigger"))
    }

    /// Returns the position of the node's device type in `device_names`, or the length of the list if it is not in there.
    ///
    /// - `device_names`: Device types.
    ///
    /// It has no gradient.
    pub fn device_index(&self, device_names: &[impl AsRef<[u8]>]) -> DeviceIndex<'_> {
        let mut node = Node::new(self, "DeviceIndex");
        node.set("device_names", strings(device_names));
        DeviceIndex(node)
    }

    /// Returns the full name of the device that this node runs on. TensorFlow uses it to test its placer.
    ///
    /// It has no gradient.
    pub fn device_placement_op(&self) -> DevicePlacementOp<'_> {
        DevicePlacementOp(Node::new(self, "DevicePlacementOp"))
    }

    /// Passes its input into a child frame.
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

    /// Passes its input out of the frame.
    ///
    /// - `data`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn exit(&self, data: impl Input) -> Exit<'_> {
        Exit(Node::new(self, "Exit").input(data))
    }

    /// Calls `body` for each number from `start` up to but not including `limit` in steps of `delta`.
    ///
    /// - `start`: a tensor of int32
    /// - `limit`: a tensor of int32
    /// - `delta`: a tensor of int32
    /// - `input`: any number of tensors of any dtypes
    /// - `body`: The function to call; its first argument is the loop counter.
    ///
    /// `T` is any dtype.
    pub fn for_(&self, start: impl Input, limit: impl Input, delta: impl Input, input: impl IntoIterator<Item = impl Input>, body: impl Into<Func>) -> For<'_> {
        let mut node = Node::new(self, "For").input(start).input(limit).input(delta).list(input);
        node.set("body", Into::<Func>::into(body));
        For(node)
    }

    /// Calls one of two functions, chosen by `cond`.
    ///
    /// - `cond`: a tensor of `Tcond`
    /// - `input`: any number of tensors of any dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `then_branch`: The function to call if the condition is true.
    /// - `else_branch`: The function to call if the condition is false.
    ///
    /// `Tcond` is any dtype. `Tin` is any dtype.
    pub fn if_(&self, cond: impl Input, input: impl IntoIterator<Item = impl Input>, tout: &[DType], then_branch: impl Into<Func>, else_branch: impl Into<Func>) -> If<'_> {
        let mut node = Node::new(self, "If").input(cond).list(input);
        node.set("Tout", tout.to_vec());
        node.set("then_branch", Into::<Func>::into(then_branch));
        node.set("else_branch", Into::<Func>::into(else_branch));
        If(node)
    }

    /// Decides whether a loop continues.
    ///
    /// - `input`: a tensor of bool
    ///
    /// It has no gradient.
    pub fn loop_cond(&self, input: impl Input) -> LoopCond<'_> {
        LoopCond(Node::new(self, "LoopCond").input(input))
    }

    /// Forwards the first of its inputs that arrives alive, and returns its index.
    ///
    /// - `inputs`: any number of tensors of `T`
    ///
    /// `T` is any dtype.
    pub fn merge(&self, inputs: impl IntoIterator<Item = impl Input>) -> Merge<'_> {
        Merge(Node::new(self, "Merge").list(inputs))
    }

    /// Passes its input to the next iteration.
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

    /// Calls a function without side effects.
    ///
    /// - `args`: any number of tensors of any dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `f`: The function to call.
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

    /// Calls a function on the device named by `target`.
    ///
    /// - `target`: a tensor of string
    /// - `args`: any number of tensors of any dtypes
    /// - `tout`: Types of the results. Allowed: any dtype. Length at least 1.
    /// - `f`: The function to call.
    ///
    /// `Tin` is any dtype.
    pub fn remote_call(&self, target: impl Input, args: impl IntoIterator<Item = impl Input>, tout: &[DType], f: impl Into<Func>) -> RemoteCall<'_> {
        let mut node = Node::new(self, "RemoteCall").input(target).list(args);
        node.set("Tout", tout.to_vec());
        node.set("f", Into::<Func>::into(f));
        RemoteCall(node)
    }

    /// Calls a function.
    ///
    /// - `args`: any number of tensors of any dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `f`: The function to call.
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
    /// - `input`: any number of tensors of any dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `branches`: The functions to choose from. Length at least 1.
    ///
    /// `Tin` is any dtype.
    pub fn stateless_case(&self, branch_index: impl Input, input: impl IntoIterator<Item = impl Input>, tout: &[DType], branches: &[Func]) -> StatelessCase<'_> {
        let mut node = Node::new(self, "StatelessCase").input(branch_index).list(input);
        node.set("Tout", tout.to_vec());
        node.set("branches", branches.to_vec());
        StatelessCase(node)
    }

    /// `If` for functions without side effects.
    ///
    /// - `cond`: a tensor of `Tcond`
    /// - `input`: any number of tensors of any dtypes
    /// - `tout`: Types of the results. Allowed: any dtype.
    /// - `then_branch`: The function to call if the condition is true.
    /// - `else_branch`: The function to call if the condition is false.
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
    /// - `input`: any number of tensors of any dtypes
    /// - `cond`: The function that decides whether the loop continues.
    /// - `body`: The function that computes the new loop variables.
    ///
    /// `T` is any dtype.
    pub fn stateless_while(&self, input: impl IntoIterator<Item = impl Input>, cond: impl Into<Func>, body: impl Into<Func>) -> StatelessWhile<'_> {
        let mut node = Node::new(self, "StatelessWhile").list(input);
        node.set("cond", Into::<Func>::into(cond));
        node.set("body", Into::<Func>::into(body));
        StatelessWhile(node)
    }

    /// Forwards `data` to the output that `pred` selects; the other output is dead.
    ///
    /// - `data`: a tensor of `T`
    /// - `pred`: a tensor of bool
    ///
    /// `T` is any dtype.
    pub fn switch(&self, data: impl Input, pred: impl Input) -> Switch<'_> {
        Switch(Node::new(self, "Switch").input(data).input(pred))
    }

    /// Computes the gradients of a function with respect to its arguments, given the arguments and the gradients of its results.
    ///
    /// - `input`: any number of tensors of any dtypes
    /// - `tout`: Dtypes of the arguments. Allowed: any dtype. Length at least 1.
    /// - `f`: The function to differentiate.
    ///
    /// `Tin` is any dtype.
    pub fn symbolic_gradient(&self, input: impl IntoIterator<Item = impl Input>, tout: &[DType], f: impl Into<Func>) -> SymbolicGradient<'_> {
        let mut node = Node::new(self, "SymbolicGradient").list(input);
        node.set("Tout", tout.to_vec());
        node.set("f", Into::<Func>::into(f));
        SymbolicGradient(node)
    }

    /// Calls `body` repeatedly while `cond` is true.
    ///
    /// - `input`: any number of tensors of any dtypes
    /// - `cond`: The function that decides whether the loop continues.
    /// - `body`: The function that computes the new loop variables.
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
    /// The error message. Default: `""`.
    pub fn error_msg(mut self, error_msg: impl AsRef<[u8]>) -> Self {
        self.0.set("error_msg", string(error_msg));
        self
    }

    /// In TensorFlow, whether the process exits with code 0. Default: `false`.
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

    /// Whether TensorFlow would inline the functions into the surrounding graph, so that their nodes may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Whether every iteration receives the value, rather than only the first. Default: `false`.
    pub fn is_constant(mut self, is_constant: bool) -> Self {
        self.0.set("is_constant", is_constant);
        self
    }

    /// Maximum number of iterations in flight. Default: `10`.
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
    /// Adds the node to the graph; returns its outputs.
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

    /// Whether TensorFlow would inline the functions into the surrounding graph, so that their nodes may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Adds the node to the graph; returns its outputs.
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

    /// Whether the graph used the function's name as the node's op. Default: `false`.
    pub fn _by_name(mut self, _by_name: bool) -> Self {
        self.0.set("_by_name", _by_name);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`RefEnter`](Ops::ref_enter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RefEnter<'a>(Node<'a>);

impl RefEnter<'_> {
    /// Whether every iteration receives the value, rather than only the first. Default: `false`.
    pub fn is_constant(mut self, is_constant: bool) -> Self {
        self.0.set("is_constant", is_constant);
        self
    }

    /// Maximum number of iterations in flight. Default: `10`.
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
    /// Adds the node to the graph; returns its outputs.
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
    /// Adds the node to the graph; returns its outputs.
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
    /// Adds the node to the graph; returns its outputs.
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

    /// Whether the graph used the function's name as the node's op. Default: `false`.
    pub fn _by_name(mut self, _by_name: bool) -> Self {
        self.0.set("_by_name", _by_name);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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

    /// Whether TensorFlow would inline the functions into the surrounding graph, so that their nodes may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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

    /// Whether TensorFlow would inline the functions into the surrounding graph, so that their nodes may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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

    /// Not used: iterations run one after the other. Default: `10`.
    pub fn parallel_iterations(mut self, parallel_iterations: i64) -> Self {
        self.0.set("parallel_iterations", parallel_iterations);
        self
    }

    /// Whether TensorFlow would inline the functions into the surrounding graph, so that their nodes may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`Switch`](Ops::switch) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Switch<'a>(Node<'a>);

impl Switch<'_> {
    /// Adds the node to the graph; returns its outputs.
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
    /// Adds the node to the graph; returns its outputs.
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

    /// Not used: iterations run one after the other. Default: `10`.
    pub fn parallel_iterations(mut self, parallel_iterations: i64) -> Self {
        self.0.set("parallel_iterations", parallel_iterations);
        self
    }

    /// Whether TensorFlow would inline the functions into the surrounding graph, so that their nodes may have devices of their own. Default: `false`.
    pub fn _lower_using_switch_merge(mut self, _lower_using_switch_merge: bool) -> Self {
        self.0.set("_lower_using_switch_merge", _lower_using_switch_merge);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
