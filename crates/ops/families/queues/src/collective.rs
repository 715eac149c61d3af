//! Collectives: ops that exchange tensors among the devices of one session.

use super::meeting::{Exchange, Last, Reduction, Value, meet, reduce};
use crate::prelude::*;
use DType::{BF16, Bool, F16, F32, F64, I32, I64};

const REDUCED: &[DType] = &[BF16, F32, F16, F64, I32, I64];
const GATHERED: &[DType] = &[F32, F16, F64, I32, I64];
const SENT: &[DType] = &[Bool, F32, F16, F64, I32, I64];
const MERGES: &[&str] = &["Min", "Max", "Mul", "Add"];
const FINALS: &[&str] = &["Id", "Div"];
const REDUCTIONS: &[&str] = &["min", "max", "prod", "sum"];

const INPUT: Arg = arg("input", of("T"));
const SIZE: Arg = arg("group_size", is(I32));
const GROUP: Arg = arg("group_key", is(I32));
const INSTANCE: Arg = arg("instance_key", is(I32));
const TOKEN: Arg = arg("ordering_token", is(DType::Resource)).times("Nordering_token");
const DATA: &[Arg] = &[arg("data", of("T"))];

/// Returns the reduction of this name.
fn reduction(name: &[u8]) -> Reduction {
    match name {
        b"Min" | b"min" => Reduction::Min,
        b"Max" | b"max" => Reduction::Max,
        b"Mul" | b"prod" => Reduction::Mul,
        _ => Reduction::Add,
    }
}

fn last(name: &[u8]) -> Last {
    if name == b"Div" { Last::Div } else { Last::Id }
}

/// Returns the name of a group, made from its keys.
fn named(group: i64, instance: i64) -> String {
    format!("group {group}, instance {instance}")
}

/// Joins a collective whose group size and keys are the inputs from `first` on.
fn meet_by_inputs(cx: &mut Cx<'_, '_>, first: usize, exchange: Exchange, value: Value) -> Result<()> {
    let [size, group, instance] = [0, 1, 2].map(|i| cx.scalar::<i32>(first + i).map(i64::from));
    meet(cx, &named(group?, instance?), size?, exchange, value)
}

fn sent(cx: &mut Cx<'_, '_>) -> Result<Value> {
    Ok(Value::Sent(cx.take(0)?))
}

attrs! {
    /// Reduces the values of all members of a group element-wise.
    pub struct CollectiveReduce {
        /// Element type.
        dtype: DType = Attr::dtype("T", REDUCED),
        /// Number of members of the group.
        group_size: i64 = Attr::int("group_size"),
        /// Identifies the group.
        group_key: i64 = Attr::int("group_key"),
        /// Identifies the collective within the group.
        instance_key: i64 = Attr::int("instance_key"),
        /// Reduction applied to the values.
        merge_op: Bytes = Attr::one_of("merge_op", MERGES),
        /// Whether the result is divided by the group size.
        final_op: Bytes = Attr::one_of("final_op", FINALS),
        /// Has no effect.
        subdiv_offsets: Vec<i64> = Attr::ints("subdiv_offsets"),
        /// Has no effect.
        wait_for: Vec<i64> = Attr::ints("wait_for").or_ints(&[]),
        /// Has no effect.
        communication_hint: String = Attr::string("communication_hint").or_str("auto"),
        /// Has no effect: a group that cannot become complete is detected immediately.
        timeout_seconds: f32 = Attr::float("timeout_seconds").or_float(0.0),
    }
}

pub static COLLECTIVE_REDUCE: Def<CollectiveReduce> = op("CollectiveReduce")
    .inputs(&[INPUT])
    .outputs(DATA)
    .stateful()
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(|op, cx| {
        let value = sent(cx)?;
        let exchange = Exchange::Reduce(reduction(&op.merge_op), last(&op.final_op));
        meet(cx, &named(op.group_key, op.instance_key), op.group_size, exchange, value)
    });

attrs! {
    /// Reduces the values of all members of a group element-wise.
    pub struct CollectiveReduceV2 {
        /// Element type.
        dtype: DType = Attr::dtype("T", REDUCED),
        /// Reduction applied to the values.
        merge_op: Bytes = Attr::one_of("merge_op", MERGES),
        /// Whether the result is divided by the group size.
        final_op: Bytes = Attr::one_of("final_op", FINALS),
        /// Has no effect.
        communication_hint: String = Attr::string("communication_hint").or_str("auto"),
        /// Has no effect: a group that cannot become complete is detected immediately.
        timeout_seconds: f32 = Attr::float("timeout_seconds").or_float(0.0),
        /// Has no effect.
        is_stateless: bool = Attr::bool("is_stateless").or_bool(false),
        /// Number of ordering tokens.
        tokens: i64 = Attr::int("Nordering_token").or_int(0).at_least(0),
        /// Has no effect.
        max_subdivs_per_device: i64 = Attr::int("max_subdivs_per_device").or_int(-1),
    }
}

pub static COLLECTIVE_REDUCE_V2: Def<CollectiveReduceV2> = op("CollectiveReduceV2")
    .inputs(&[INPUT, SIZE, GROUP, INSTANCE, TOKEN])
    .outputs(DATA)
    .stateful()
    .host_inputs(&[1, 2, 3])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(|op, cx| {
        let value = sent(cx)?;
        meet_by_inputs(cx, 1, Exchange::Reduce(reduction(&op.merge_op), last(&op.final_op)), value)
    });

attrs! {
    /// Concatenates the values of all members of a group, in the order of the devices.
    pub struct CollectiveGather {
        /// Element type.
        dtype: DType = Attr::dtype("T", GATHERED),
        /// Number of members of the group.
        group_size: i64 = Attr::int("group_size"),
        /// Identifies the group.
        group_key: i64 = Attr::int("group_key"),
        /// Identifies the collective within the group.
        instance_key: i64 = Attr::int("instance_key"),
        /// Shape of the result.
        shape: PartialShape = Attr::shape("shape"),
        /// Has no effect.
        communication_hint: String = Attr::string("communication_hint").or_str("auto"),
        /// Has no effect: a group that cannot become complete is detected immediately.
        timeout_seconds: f32 = Attr::float("timeout_seconds").or_float(0.0),
    }
}

pub static COLLECTIVE_GATHER: Def<CollectiveGather> = op("CollectiveGather")
    .inputs(&[INPUT])
    .outputs(DATA)
    .stateful()
    .shape(|op: &CollectiveGather, cx| {
        cx.output(0, op.shape.clone());
        Ok(())
    })
    .kernel(|op, cx| {
        let value = sent(cx)?;
        meet(cx, &named(op.group_key, op.instance_key), op.group_size, Exchange::Gather, value)
    });

attrs! {
    /// Concatenates the values of all members of a group, in the order of the devices.
    pub struct CollectiveGatherV2 {
        /// Element type.
        dtype: DType = Attr::dtype("T", GATHERED),
        /// Has no effect.
        communication_hint: String = Attr::string("communication_hint").or_str("auto"),
        /// Has no effect: a group that cannot become complete is detected immediately.
        timeout_seconds: f32 = Attr::float("timeout_seconds").or_float(0.0),
        /// Has no effect.
        is_stateless: bool = Attr::bool("is_stateless").or_bool(false),
        /// Number of ordering tokens.
        tokens: i64 = Attr::int("Nordering_token").or_int(0).at_least(0),
    }
}

pub static COLLECTIVE_GATHER_V2: Def<CollectiveGatherV2> = op("CollectiveGatherV2")
    .inputs(&[INPUT, SIZE, GROUP, INSTANCE, TOKEN])
    .outputs(DATA)
    .stateful()
    .host_inputs(&[1, 2, 3])
    .kernel(|_, cx| {
        let value = sent(cx)?;
        meet_by_inputs(cx, 1, Exchange::Gather, value)
    });

pub static COLLECTIVE_ALL_TO_ALL_V2: Def<CollectiveGatherV2> = op("CollectiveAllToAllV2")
    .doc(
        "Exchanges values all-to-all: each member of a group receives its part of every member's value, in the order \
        of the devices.",
    )
    .attrs(&[Attr::dtype("T", REDUCED)])
    .inputs(&[INPUT, SIZE, GROUP, INSTANCE, TOKEN])
    .outputs(DATA)
    .stateful()
    .host_inputs(&[1, 2, 3])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(|_, cx| {
        let value = sent(cx)?;
        meet_by_inputs(cx, 1, Exchange::AllToAll, value)
    });

attrs! {
    /// Sends a value to all other members of a group.
    pub struct CollectiveBcast {
        /// Element type.
        dtype: DType = Attr::dtype("T", SENT),
        /// Number of members of the group.
        group_size: i64 = Attr::int("group_size"),
        /// Identifies the group.
        group_key: i64 = Attr::int("group_key"),
        /// Identifies the collective within the group.
        instance_key: i64 = Attr::int("instance_key"),
        /// Shape of the value.
        shape: PartialShape = Attr::shape("shape"),
        /// Has no effect.
        communication_hint: String = Attr::string("communication_hint").or_str("auto"),
        /// Has no effect: a group that cannot become complete is detected immediately.
        timeout_seconds: f32 = Attr::float("timeout_seconds").or_float(0.0),
    }
}

pub static COLLECTIVE_BCAST_SEND: Def<CollectiveBcast> = op("CollectiveBcastSend")
    .inputs(&[INPUT])
    .outputs(DATA)
    .stateful()
    .shape(|op: &CollectiveBcast, cx| {
        cx.output(0, op.shape.clone());
        Ok(())
    })
    .kernel(|op, cx| {
        let value = cx.take(0)?;
        if !op.shape.accepts(value.shape()) {
            let (expected, found) = (&op.shape, value.shape());
            return Err(
                Error::internal(format!("the shape of the value is {found}, the attr shape {expected}")).attr("shape")
            );
        }
        meet(cx, &named(op.group_key, op.instance_key), op.group_size, Exchange::Broadcast, Value::Sent(value))
    });

pub static COLLECTIVE_BCAST_RECV: Def<CollectiveBcast> = op("CollectiveBcastRecv")
    .doc("Receives the value broadcast by another member of the group.")
    .outputs(DATA)
    .stateful()
    .shape(|op: &CollectiveBcast, cx| {
        cx.output(0, op.shape.clone());
        Ok(())
    })
    .kernel(|op, cx| {
        let value = Value::Received(op.dtype, op.shape.clone());
        meet(cx, &named(op.group_key, op.instance_key), op.group_size, Exchange::Broadcast, value)
    });

attrs! {
    /// Sends a value to all other members of a group.
    pub struct CollectiveBcastSendV2 {
        /// Element type.
        dtype: DType = Attr::dtype("T", SENT),
        /// Has no effect.
        communication_hint: String = Attr::string("communication_hint").or_str("auto"),
        /// Has no effect: a group that cannot become complete is detected immediately.
        timeout_seconds: f32 = Attr::float("timeout_seconds").or_float(0.0),
    }
}

pub static COLLECTIVE_BCAST_SEND_V2: Def<CollectiveBcastSendV2> = op("CollectiveBcastSendV2")
    .inputs(&[INPUT, SIZE, GROUP, INSTANCE])
    .outputs(DATA)
    .stateful()
    .host_inputs(&[1, 2, 3])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(|_, cx| {
        let value = sent(cx)?;
        meet_by_inputs(cx, 1, Exchange::Broadcast, value)
    });

attrs! {
    /// Receives the value broadcast by another member of the group.
    pub struct CollectiveBcastRecvV2 {
        /// Element type.
        dtype: DType = Attr::dtype("T", SENT),
        /// Element type of `shape`.
        index: DType = Attr::dtype("Tshape", sets::INDEX).or(AttrDefault::Type(I32)),
        /// Has no effect.
        communication_hint: String = Attr::string("communication_hint").or_str("auto"),
        /// Has no effect: a group that cannot become complete is detected immediately.
        timeout_seconds: f32 = Attr::float("timeout_seconds").or_float(0.0),
    }
}

pub static COLLECTIVE_BCAST_RECV_V2: Def<CollectiveBcastRecvV2> = op("CollectiveBcastRecvV2")
    .inputs(&[SIZE, GROUP, INSTANCE, arg("shape", of("Tshape"))])
    .outputs(DATA)
    .stateful()
    .host_inputs(&[0, 1, 2, 3])
    .kernel(|op, cx| {
        let size = |d: &i64| usize::try_from(*d).map_err(|_| Error::invalid(format!("a shape with the size {d}")));
        let shape = cx.i64s(3)?.iter().map(size).collect::<Result<Vec<_>>>()?;
        let value = Value::Received(op.dtype, (&Shape::new(shape)?).into());
        meet_by_inputs(cx, 0, Exchange::Broadcast, value)
    });

attrs! {
    /// Returns the size and the key of the group that a device belongs to: its row of `group_assignment`.
    pub struct CollectiveAssignGroup {}
}

pub static COLLECTIVE_ASSIGN_GROUP_V2: Def<CollectiveAssignGroup> = op("CollectiveAssignGroupV2")
    .inputs(&[arg("group_assignment", is(I32)), arg("device_index", is(I32)), arg("base_key", is(I32))])
    .outputs(&[arg("group_size", is(I32)), arg("group_key", is(I32))])
    .stateful()
    .host_inputs(&[0, 1, 2])
    .shape(|_, cx| {
        cx.output_scalar(0);
        cx.output_scalar(1);
        Ok(())
    })
    .kernel(|_, cx| {
        let (device, base) = (cx.scalar::<i32>(1)?, cx.scalar::<i32>(2)?);
        let groups = cx.input(0)?;
        let &[rows, columns] = groups.shape().dims() else {
            return Err(Error::invalid(format!("group_assignment must be a matrix, got {}", groups.shape())));
        };
        let at = groups.slice::<i32>()?.iter().position(|d| *d == device);
        let row = at.filter(|_| rows > 0).map(|at| at / columns);
        let row =
            row.ok_or_else(|| Error::invalid(format!("Device index {device} is not found in the group assignment")))?;
        cx.set(0, Tensor::scalar(columns as i32));
        cx.set(1, Tensor::scalar(base.wrapping_add(row as i32)));
        Ok(())
    });

attrs! {
    /// Reduces the values of all devices element-wise; every device receives the result.
    pub struct NcclAllReduce {
        /// Element type.
        dtype: DType = Attr::dtype("T", GATHERED),
        /// Reduction applied to the values.
        reduction: Bytes = Attr::one_of("reduction", REDUCTIONS),
        /// Number of devices.
        num_devices: i64 = Attr::int("num_devices"),
        /// Identifies the group.
        shared_name: String = Attr::string("shared_name"),
    }
}

pub static NCCL_ALL_REDUCE: Def<NcclAllReduce> = op("NcclAllReduce")
    .inputs(&[INPUT])
    .outputs(DATA)
    .stateful()
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|op: &NcclAllReduce, g| {
        if &op.reduction[..] != b"sum" {
            g.fail(Error::not_found("No gradient defined for NcclAllReduce except sum.").attr("reduction"));
            return vec![None];
        }
        let shared_name = format!("{}_grad", op.shared_name);
        let back = NcclAllReduce { reduction: op.reduction.clone(), shared_name, ..*op };
        crate::rules::first(g, NCCL_ALL_REDUCE.node(g, &back, &[g.dy(0)]))
    })
    .kernel(|op, cx| {
        let value = sent(cx)?;
        let exchange = Exchange::Reduce(reduction(&op.reduction), Last::Id);
        meet(cx, &op.shared_name, op.num_devices, exchange, value)
    });

attrs! {
    /// Reduces tensors of several devices element-wise.
    pub struct NcclReduce {
        /// Element type.
        dtype: DType = Attr::dtype("T", GATHERED),
        /// Reduction applied to the tensors.
        reduction: Bytes = Attr::one_of("reduction", REDUCTIONS),
        /// Number of tensors.
        num_devices: i64 = Attr::int("num_devices").at_least(1),
    }
}

pub static NCCL_REDUCE: Def<NcclReduce> = op("NcclReduce")
    .inputs(&[arg("input", of("T")).times("num_devices")])
    .outputs(DATA)
    .stateful()
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|op: &NcclReduce, g| {
        if &op.reduction[..] != b"sum" {
            g.fail(Error::not_found("No gradient defined for NcclReduce except sum.").attr("reduction"));
        }
        (0..g.num_inputs()).map(|_| Some(Grad::Dense(g.dy(0).at))).collect()
    })
    .kernel(|op, cx| {
        let values = (0..cx.num_inputs()).map(|i| cx.input(i).cloned()).collect::<Result<Vec<_>>>()?;
        if let Some(other) = values.iter().find(|v| v.shape() != values[0].shape()) {
            let shape = values[0].shape();
            return Err(Error::invalid(format!("tensors of shapes {shape} and {} cannot be combined", other.shape())));
        }
        let values: Vec<&Tensor> = values.iter().collect();
        cx.set(0, reduce(&values, reduction(&op.reduction), Last::Id)?);
        Ok(())
    })
    .heavy();

attrs! {
    /// Broadcasts its input to all devices.
    pub struct NcclBroadcast {
        /// Element type.
        dtype: DType = Attr::dtype("T", GATHERED),
        /// Shape of the input.
        shape: PartialShape = Attr::shape("shape"),
    }
}

pub static NCCL_BROADCAST: Def<NcclBroadcast> = op("NcclBroadcast")
    .inputs(&[INPUT])
    .outputs(&[arg("output", of("T"))])
    .stateful()
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| crate::rules::pass(g))
    .kernel(|_, cx| {
        let value = cx.take(0)?;
        cx.set(0, value);
        Ok(())
    });
