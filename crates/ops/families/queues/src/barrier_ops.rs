//! The ops on barriers.

use super::barrier::{Barrier as Resource, Config, Take, Tuples};
use super::create::most_elements;
use crate::handle::{input, set_reference};
use crate::prelude::*;
use crate::variable::resource_name;
use crate::{REFERENCE, scalar};
use levada_kernel::def::OpAttrs;

attrs! {
    /// Creates a barrier, which collects the components of tuples by key until the tuples are complete.
    pub struct Barrier {
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        /// Shapes of the components; empty if they may have any shape.
        shapes: Vec<PartialShape> = Attr::shapes("shapes").or_empty(),
        /// Maximum number of tuples; must be -1, for no limit.
        capacity: i64 = Attr::int("capacity").or_int(-1),
        /// Container that holds the barrier; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static BARRIER: Def<Barrier> = op("Barrier")
    .outputs(&[REFERENCE])
    .act(Act::Make)
    .shape(|_, cx| {
        cx.output_vector(0, Some(2));
        Ok(())
    })
    .kernel(create);

fn create(op: &Barrier, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.shapes.len() != op.types.len() {
        return Err(Error::invalid("All of the component shapes must be specified").attr("shapes"));
    }
    if op.capacity != -1 {
        return Err(Error::invalid(
            "Barrier only accepts capacity=-1. Feed the inputs to your Barrier through a queue to enforce a limited \
             capacity.",
        )
        .attr("capacity"));
    }
    set_reference::<Resource>(cx, &op.container, &op.shared_name, |cx| {
        let name = resource_name(&op.shared_name, cx).to_owned();
        Ok(Config { name, types: op.types.clone(), shapes: op.shapes.clone(), most: most_elements(cx) })
    })
}

attrs! {
    /// Inserts one component of the tuples with the given keys.
    pub struct BarrierInsertMany {
        /// Element type of the component.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Index of the component.
        component_index: i64 = Attr::int("component_index"),
    }
}

pub static BARRIER_INSERT_MANY: Def<BarrierInsertMany> = op("BarrierInsertMany")
    .inputs(&[REFERENCE, arg("keys", is(DType::Str)), arg("values", of("T"))])
    .act(Act::Put)
    .kernel(insert_many);

fn insert_many(op: &BarrierInsertMany, cx: &mut Cx<'_, '_>) -> Result<()> {
    let barrier = input::<Resource>(cx, 0)?;
    let (keys, values, config) = (cx.input(1)?, cx.input(2)?, &barrier.config);
    let component = usize::try_from(op.component_index).ok().filter(|&i| i < config.types.len());
    let component = component.ok_or_else(|| {
        Error::invalid(format!(
            "The component ID is out of range {} > num_components (= {})",
            op.component_index,
            config.types.len()
        ))
        .attr("component_index")
    })?;
    if values.dtype() != config.types[component] {
        return Err(Error::invalid(format!(
            "Type mismatch in tuple component {component}. Expected {}, got {}",
            config.types[component],
            values.dtype()
        )));
    }
    let n = keys.num_elements();
    if keys.shape().rank() > 1 || values.shape().first() != Some(&n) {
        return Err(Error::invalid(format!(
            "Number of keys ({n}) does not match the number of values: keys of shape {}, values of shape {}",
            keys.shape(),
            values.shape()
        )));
    }
    if n > 0 && values.num_elements() == 0 {
        return Err(Error::invalid(format!(
            "Tensors with no elements are not supported {}: received shape {}",
            config.name,
            values.shape()
        )));
    }
    let row = Shape::new(values.shape()[1..].iter().copied())?;
    let keys = keys.slice::<Bytes>()?;
    barrier.change(|tuples| {
        tuples.check_open(config, keys.len())?;
        if let Some(shape) = config.shapes.get(component).filter(|s| !s.accepts(&row)) {
            return Err(Error::invalid(format!(
                "Shape mismatch in tuple component {component}. Expected {shape}, got {row}"
            )));
        }
        tuples.insert(config, keys, component, values)
    })
}

attrs! {
    /// Takes complete tuples out of a barrier, oldest first. Waits until there are enough.
    pub struct BarrierTakeMany {
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        /// Whether fewer tuples may be returned once the barrier is closed.
        allow_small_batch: bool = Attr::bool("allow_small_batch").or_bool(false),
        /// Has no effect, as in TensorFlow.
        wait_for_incomplete: bool = Attr::bool("wait_for_incomplete").or_bool(false),
        /// Timeout; must be -1, for none.
        timeout_ms: i64 = Attr::int("timeout_ms").or_int(-1),
    }
}

pub static BARRIER_TAKE_MANY: Def<BarrierTakeMany> = op("BarrierTakeMany")
    .inputs(&[REFERENCE, arg("num_elements", is(DType::I32))])
    .outputs(&[arg("indices", is(DType::I64)), arg("keys", is(DType::Str)), arg("values", each("component_types"))])
    .act(Act::Take)
    .kernel(take_many);

fn take_many(op: &BarrierTakeMany, cx: &mut Cx<'_, '_>) -> Result<()> {
    super::enqueue::check_timeout(op.timeout_ms)?;
    let barrier = input::<Resource>(cx, 0)?;
    let count = cx.input(1)?;
    if !count.shape().is_scalar() {
        return Err(Error::invalid(format!("num_elements must be a scalar, but it has shape {}", count.shape())));
    }
    let count = count.item::<i32>()?;
    let n =
        usize::try_from(count).map_err(|_| Error::invalid(format!("DequeueManyOp requested {count} < 0 elements")))?;
    if op.types != barrier.config.types {
        return Err(Error::invalid("the barrier's components are of other dtypes").attr("component_types"));
    }
    let arena = cx.device.arena.clone();
    barrier.submit(cx, Take { n, up_to: op.allow_small_batch, taken: Vec::new(), waits: false, arena })
}

attrs! {
    /// Closes a barrier to new keys and, with `cancel_pending_enqueues`, to further components.
    pub struct BarrierClose {
        /// Whether incomplete tuples are discarded.
        cancel_pending_enqueues: bool = Attr::bool("cancel_pending_enqueues").or_bool(false),
    }
}

pub static BARRIER_CLOSE: Def<BarrierClose> = op("BarrierClose").inputs(&[REFERENCE]).act(Act::Close).kernel(close);

fn close(op: &BarrierClose, cx: &mut Cx<'_, '_>) -> Result<()> {
    let barrier = input::<Resource>(cx, 0)?;
    barrier.change(|tuples| tuples.close(&barrier.config, op.cancel_pending_enqueues))
}

attrs! {
    /// Returns the number of incomplete tuples in a barrier.
    pub struct BarrierIncompleteSize {}
}

pub static BARRIER_INCOMPLETE_SIZE: Def<BarrierIncompleteSize> =
    size("BarrierIncompleteSize", |_, cx| set_size(cx, Tuples::incomplete));

attrs! {
    /// Returns the number of complete tuples in a barrier.
    pub struct BarrierReadySize {}
}

pub static BARRIER_READY_SIZE: Def<BarrierReadySize> = size("BarrierReadySize", |_, cx| set_size(cx, Tuples::ready));

const REFERENCES: &[Arg] = &[REFERENCE];
const SIZE: &[Arg] = &[arg("size", is(DType::I32))];

const fn size<A: OpAttrs>(name: &'static str, kernel: fn(&A, &mut Cx<'_, '_>) -> Result<()>) -> Def<A> {
    op::<A>(name).inputs(REFERENCES).outputs(SIZE).stateful().shape(scalar).kernel(kernel)
}

fn set_size(cx: &mut Cx<'_, '_>, size: fn(&Tuples) -> usize) -> Result<()> {
    let size = input::<Resource>(cx, 0)?.look(size);
    cx.set(0, Tensor::scalar(size as i32));
    Ok(())
}
