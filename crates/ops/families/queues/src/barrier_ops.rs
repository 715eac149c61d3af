//! The ops on barriers.

use super::barrier::{Barrier as Resource, Config, Take};
use crate::handle::{input, set_reference};
use crate::prelude::*;
use crate::variable::resource_name;

const HANDLE: Arg = arg("handle", is(DType::Str)).by_ref();

attrs! {
    /// A barrier.
    pub struct Barrier {
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        /// Shapes of the components; none where they may be any.
        shapes: Vec<PartialShape> = Attr::shapes("shapes").or_empty(),
        /// The most tuples it holds; only -1, for no limit, is allowed.
        capacity: i64 = Attr::int("capacity").or_int(-1),
        /// Container that holds the barrier; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

impl Op for Barrier {
    const SPEC: Spec = Spec { name: "Barrier", outputs: &[HANDLE], act: Some(Act::Make), ..Spec::STATEFUL };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_vector(0, Some(2));
        Ok(())
    }
}

impl Kernel<Cpu> for Barrier {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        if self.shapes.len() != self.types.len() {
            return Err(Error::invalid("All of the component shapes must be specified").attr("shapes"));
        }
        if self.capacity != -1 {
            return Err(Error::invalid(
                "Barrier only accepts capacity=-1. Feed the inputs to your Barrier through a queue to enforce a limited \
                 capacity.",
            )
            .attr("capacity"));
        }
        let name = resource_name(&self.shared_name, cx).to_owned();
        let config = Config { name, types: self.types.clone(), shapes: self.shapes.clone() };
        set_reference::<Resource>(cx, &self.container, &self.shared_name, config)
    }
}

attrs! {
    /// Sets one component of the tuples with the given keys.
    pub struct BarrierInsertMany {
        /// Element type of the component.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Number of the component.
        component_index: i64 = Attr::int("component_index"),
    }
}

impl Op for BarrierInsertMany {
    const SPEC: Spec = Spec {
        name: "BarrierInsertMany",
        inputs: &[HANDLE, arg("keys", is(DType::Str)), arg("values", of("T"))],
        act: Some(Act::Put),
        ..Spec::STATEFUL
    };
}

impl Kernel<Cpu> for BarrierInsertMany {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let barrier = input::<Resource>(cx, 0)?;
        let (keys, values, config) = (cx.input(1)?, cx.input(2)?, &barrier.config);
        let component = usize::try_from(self.component_index).ok().filter(|&i| i < config.types.len());
        let component = component.ok_or_else(|| {
            Error::invalid(format!(
                "The component ID is out of range {} > num_components (= {})",
                self.component_index,
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
}

attrs! {
    /// Takes complete tuples out of a barrier, those that came first, as soon as there are enough.
    pub struct BarrierTakeMany {
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        /// True where fewer are given once the barrier is closed.
        allow_small_batch: bool = Attr::bool("allow_small_batch").or_bool(false),
        /// Without meaning, as in TensorFlow.
        wait_for_incomplete: bool = Attr::bool("wait_for_incomplete").or_bool(false),
        /// A time limit; only -1, for none, is allowed.
        timeout_ms: i64 = Attr::int("timeout_ms").or_int(-1),
    }
}

impl Op for BarrierTakeMany {
    const SPEC: Spec = Spec {
        name: "BarrierTakeMany",
        inputs: &[HANDLE, arg("num_elements", is(DType::I32))],
        outputs: &[
            arg("indices", is(DType::I64)),
            arg("keys", is(DType::Str)),
            arg("values", each("component_types")),
        ],
        act: Some(Act::Take),
        ..Spec::STATEFUL
    };
}

impl Kernel<Cpu> for BarrierTakeMany {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        super::enqueue::check_timeout(self.timeout_ms)?;
        let barrier = input::<Resource>(cx, 0)?;
        let count = cx.input(1)?;
        if !count.shape().is_scalar() {
            return Err(Error::invalid(format!("num_elements must be a scalar, but it has shape {}", count.shape())));
        }
        let count = count.item::<i32>()?;
        let n = usize::try_from(count)
            .map_err(|_| Error::invalid(format!("DequeueManyOp requested {count} < 0 elements")))?;
        if self.types != barrier.config.types {
            return Err(Error::invalid("the barrier's components are of other dtypes").attr("component_types"));
        }
        let arena = cx.device.arena.clone();
        barrier.submit(cx, Take { n, up_to: self.allow_small_batch, taken: Vec::new(), waits: false, arena })
    }
}

attrs! {
    /// Closes a barrier: no new keys, and with `cancel_pending_enqueues` no further components.
    pub struct BarrierClose {
        /// True where tuples that are not complete are thrown away.
        cancel_pending_enqueues: bool = Attr::bool("cancel_pending_enqueues").or_bool(false),
    }
}

impl Op for BarrierClose {
    const SPEC: Spec = Spec { name: "BarrierClose", inputs: &[HANDLE], act: Some(Act::Close), ..Spec::STATEFUL };
}

impl Kernel<Cpu> for BarrierClose {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let barrier = input::<Resource>(cx, 0)?;
        barrier.change(|tuples| tuples.close(&barrier.config, self.cancel_pending_enqueues))
    }
}

macro_rules! sizes {
    ($($(#[doc = $doc:literal])* $name:ident, $size:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {}
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[HANDLE],
                outputs: &[arg("size", is(DType::I32))],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.output_scalar(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let size = input::<Resource>(cx, 0)?.look(|tuples| tuples.$size());
                cx.set(0, Tensor::scalar(size as i32));
                Ok(())
            }
        }
    )*};
}

sizes! {
    /// Number of tuples of which components are missing.
    BarrierIncompleteSize, incomplete;
    /// Number of complete tuples.
    BarrierReadySize, ready;
}
