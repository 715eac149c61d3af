//! Shared by the ops that create queues. Each kind of queue has a file with its element order and its op.

use super::queue::{Config, Kind, Queue, QueueState};
use crate::handle::Shared;
use crate::prelude::*;
use crate::variable::resource_name;
use crate::{HANDLE, REFERENCE};
use levada_kernel::def::OpAttrs;
use std::sync::Arc;

impl Shared for Queue {
    type Spec = Config;

    fn make(config: Config) -> Result<Queue> {
        let elements = (config.kind.order)(config.seeds);
        Ok(Queue::new(config, QueueState::new(elements)))
    }

    /// Checks that an existing queue matches the configuration requested by another op.
    fn check(&self, asked: &Config) -> Result<()> {
        let this = &self.config;
        let different = |what: &str, has: String, asked: String| {
            Err(Error::invalid(format!(
                "Shared queue '{}' has {what} {has} but requested {what} was {asked}",
                this.name
            )))
        };
        if this.kind != asked.kind {
            return different("type", this.kind.name.to_owned(), asked.kind.name.to_owned());
        }
        if this.capacity != asked.capacity {
            let text = |capacity: Option<usize>| capacity.map_or_else(|| "unlimited".to_owned(), |c| c.to_string());
            return different("capacity", text(this.capacity), text(asked.capacity));
        }
        if this.min_after_dequeue != asked.min_after_dequeue {
            return different(
                "min_after_dequeue",
                this.min_after_dequeue.to_string(),
                asked.min_after_dequeue.to_string(),
            );
        }
        if this.types != asked.types {
            return different("component types", format!("{:?}", this.types), format!("{:?}", asked.types));
        }
        if this.shapes != asked.shapes {
            return different("component shapes", format!("{:?}", this.shapes), format!("{:?}", asked.shapes));
        }
        if asked.seeds != (0, 0) && this.seeds != asked.seeds {
            return different("random seeds", format!("{:?}", this.seeds), format!("{:?}", asked.seeds));
        }
        Ok(())
    }
}

attrs! {
    /// Creates a queue.
    pub struct Create {
        /// Maximum number of elements; negative for no limit.
        capacity: i64 = Attr::int("capacity").or_int(-1),
        /// Container that holds the queue; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        /// Shapes of the components; empty if they may have any shape.
        shapes: Vec<PartialShape> = Attr::shapes("shapes").or_empty(),
    }
}

const REFERENCES: &[Arg] = &[REFERENCE];
/// The outputs of ops that return a handle.
pub(crate) const HANDLES: &[Arg] = &[HANDLE];

/// Returns the definition of the op that creates queues of the kind named `name`.
pub(crate) const fn maker<A: OpAttrs>(
    name: &'static str,
    also: &'static [Form],
    make: fn(&A, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<A> {
    op::<A>(name)
        .outputs(REFERENCES)
        .also(also)
        .act(Act::Make)
        .shape(|_, cx| {
            cx.output_handle(0);
            Ok(())
        })
        .kernel(make)
}

/// Creates a queue of this kind, or looks it up.
pub(crate) fn make(op: &Create, cx: &mut Cx<'_, '_>, kind: &'static Kind) -> Result<()> {
    crate::handle::set::<Queue>(cx, &op.container, &op.shared_name, |cx| config(op, cx, kind))
}

/// Returns the configuration of a queue of this kind.
pub(crate) fn config(op: &Create, cx: &Cx<'_, '_>, kind: &'static Kind) -> Result<Config> {
    let unknown = |s: &PartialShape| if kind.pads { s.rank().is_none() } else { s.known().is_none() };
    if let Some(shape) = op.shapes.iter().find(|s| unknown(s)) {
        return Err(Error::invalid(format!("the shape of a component of a {} must be known", kind.name))
            .attr("shapes")
            .found(shape));
    }
    let types = [kind.before, &op.types].concat();
    let mut shapes = op.shapes.clone();
    if !shapes.is_empty() || op.types.is_empty() {
        shapes.splice(0..0, kind.before.iter().map(|_| PartialShape::scalar()));
    }
    if types.is_empty() {
        return Err(Error::invalid("Empty component types for queue").attr("component_types"));
    }
    if (!shapes.is_empty() || kind.pads) && shapes.len() != types.len() {
        return Err(Error::invalid(format!(
            "Different number of component types.  Types: {types:?}, Shapes: {shapes:?}"
        ))
        .attr("shapes"));
    }
    // TensorFlow treats a negative capacity as the maximum int32, so both refer to the same queue.
    let capacity = usize::try_from(op.capacity).ok().filter(|&c| c < i32::MAX as usize);
    let name = resource_name(&op.shared_name, cx).to_owned();
    Ok(Config { kind, name, types, shapes, capacity, min_after_dequeue: 0, most: most_elements(cx), seeds: (0, 0) })
}

/// Returns the maximum number of elements that the session allows in a queue or similar resource.
pub(crate) fn most_elements(cx: &Cx<'_, '_>) -> usize {
    cx.step().resources.meter().map_or(usize::MAX, |meter| meter.limits().queue_elements)
}

/// Returns the queue that input `i` of a node refers to.
pub fn queue_input(cx: &Cx<'_, '_>, i: usize) -> Result<Arc<Queue>> {
    crate::handle::input::<Queue>(cx, i)
}
