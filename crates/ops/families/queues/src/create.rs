//! The ops that make queues, in both forms: `FIFOQueue` gives a reference to a string tensor, `FIFOQueueV2` a handle.

use crate::handle::{Shared, set_handle, set_reference};
use super::order::{Fifo, Order, Priority, Shuffle};
use super::queue::{Config, Kind, Queue, QueueState};
use crate::prelude::*;
use crate::variable::resource_name;
use std::sync::Arc;

impl Shared for Queue {
    type Spec = Config;

    fn make(config: Config) -> Result<Queue> {
        let elements: Box<dyn Order> = match config.kind {
            Kind::Fifo | Kind::Padding => Box::<Fifo>::default(),
            Kind::Priority => Box::<Priority>::default(),
            Kind::Shuffle => Box::new(Shuffle::new(config.seeds.0, config.seeds.1)),
        };
        Ok(Queue::new(config, QueueState::new(elements)))
    }

    /// Checks that a queue that is there already is what another op takes it for.
    fn check(&self, asked: &Config) -> Result<()> {
        let this = &self.config;
        let different = |what: &str, has: String, asked: String| {
            Err(Error::invalid(format!("Shared queue '{}' has {what} {has} but requested {what} was {asked}", this.name)))
        };
        if this.kind != asked.kind {
            return different("type", this.kind.name().to_owned(), asked.kind.name().to_owned());
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
        if this.kind == Kind::Shuffle && asked.seeds != (0, 0) && this.seeds != asked.seeds {
            return different("random seeds", format!("{:?}", this.seeds), format!("{:?}", asked.seeds));
        }
        Ok(())
    }
}

/// The attrs that all kinds have.
struct Common<'a> {
    types: &'a [DType],
    shapes: &'a [PartialShape],
    capacity: i64,
    shared_name: &'a str,
}

fn config(cx: &Cx<'_, '_>, kind: Kind, common: Common<'_>) -> Result<Config> {
    let Common { types, shapes, capacity, shared_name } = common;
    let (mut types, mut shapes) = (types.to_vec(), shapes.to_vec());
    let unknown = |s: &PartialShape| match kind {
        Kind::Padding => s.rank().is_none(),
        _ => s.known().is_none(),
    };
    if let Some(shape) = shapes.iter().find(|s| unknown(s)) {
        return Err(Error::invalid(format!("the shape of a component of a {} must be known", kind.name()))
            .attr("shapes")
            .found(shape));
    }
    if kind == Kind::Priority {
        types.insert(0, DType::I64);
        if !shapes.is_empty() || types.len() == 1 {
            shapes.insert(0, PartialShape::scalar());
        }
    }
    if types.is_empty() {
        return Err(Error::invalid("Empty component types for queue").attr("component_types"));
    }
    if (!shapes.is_empty() || kind == Kind::Padding) && shapes.len() != types.len() {
        return Err(Error::invalid(format!(
            "Different number of component types.  Types: {types:?}, Shapes: {shapes:?}"
        ))
        .attr("shapes"));
    }
    // TensorFlow takes the largest int32 for a negative capacity, so that both ask for the same queue.
    let capacity = usize::try_from(capacity).ok().filter(|&c| c < i32::MAX as usize);
    let name = resource_name(shared_name, cx).to_owned();
    Ok(Config { kind, name, types, shapes, capacity, min_after_dequeue: 0, seeds: (0, 0) })
}

macro_rules! queues {
    ($($(#[doc = $doc:literal])* $name:ident, $v2:ident, $kind:ident { $($attrs:tt)* }
       |$op:ident, $config:ident| $finish:expr;)*) => {$(
        queues!(@one $(#[doc = $doc])* $name, $kind, arg("handle", is(DType::Str)).by_ref(), set_reference,
            { $($attrs)* }, $op, $config, $finish);
        queues!(@one $(#[doc = $doc])* $v2, $kind, arg("handle", is(DType::Resource)), set_handle,
            { $($attrs)* }, $op, $config, $finish);
    )*};
    (@one $(#[doc = $doc:literal])* $name:ident, $kind:ident, $output:expr, $set:ident, { $($attrs:tt)* },
     $op:ident, $config:ident, $finish:expr) => {
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// The most elements it holds; negative for no limit.
                capacity: i64 = Attr::int("capacity").or_int(-1),
                /// Container that holds the queue; empty for the default one.
                container: String = Attr::string("container").or_str(""),
                /// Name in the container; empty for the node's.
                shared_name: String = Attr::string("shared_name").or_str(""),
                $($attrs)*
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec { name: stringify!($name), outputs: &[$output], act: Some(Act::Make), ..Spec::STATEFUL };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let handle = if stringify!($name).ends_with("V2") {
                    PartialShape::scalar()
                } else {
                    PartialShape::vector(Some(2))
                };
                cx.output(0, handle);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let common = Common {
                    types: &self.types,
                    shapes: &self.shapes,
                    capacity: self.capacity,
                    shared_name: &self.shared_name,
                };
                #[allow(unused_mut)]
                let mut $config = config(cx, Kind::$kind, common)?;
                let $op = self;
                #[allow(clippy::no_effect)]
                $finish;
                $set::<Queue>(cx, &self.container, &self.shared_name, $config)
            }
        }
    };
}

queues! {
    /// A queue whose elements leave in the order they came.
    FIFOQueue, FIFOQueueV2, Fifo {
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        /// Shapes of the components; none where they may be any.
        shapes: Vec<PartialShape> = Attr::shapes("shapes").or_empty(),
    } |_op, config| ();
    /// A queue whose elements leave in the order they came; its batches are padded where elements differ in shape.
    PaddingFIFOQueue, PaddingFIFOQueueV2, Padding {
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        /// Shapes of the components, with unknown sizes where elements differ.
        shapes: Vec<PartialShape> = Attr::shapes("shapes").or_empty(),
    } |_op, config| ();
    /// A queue whose elements have an int64 before their components; the element with the least leaves first.
    PriorityQueue, PriorityQueueV2, Priority {
        /// Dtypes of the components after the priority.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).or_empty(),
        /// Shapes of the components after the priority.
        shapes: Vec<PartialShape> = Attr::shapes("shapes"),
    } |_op, config| ();
    /// A queue whose elements leave in random order.
    RandomShuffleQueue, RandomShuffleQueueV2, Shuffle {
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        /// Shapes of the components; none where they may be any.
        shapes: Vec<PartialShape> = Attr::shapes("shapes").or_empty(),
        /// Elements that stay until it is closed, so that there is something to choose from.
        min_after_dequeue: i64 = Attr::int("min_after_dequeue").or_int(0),
        /// First seed; where both are 0, the order differs from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
    } |op, config| {
        let keep = usize::try_from(op.min_after_dequeue).map_err(|_| {
            Error::invalid(format!("min_after_dequeue {} must be >= 0", op.min_after_dequeue)).attr("min_after_dequeue")
        })?;
        if let Some(capacity) = config.capacity.filter(|&capacity| keep >= capacity) {
            return Err(Error::invalid(format!("min_after_dequeue {keep} must be < capacity {capacity}"))
                .attr("min_after_dequeue"));
        }
        config.min_after_dequeue = keep;
        config.seeds = (op.seed, op.seed2);
    };
}

/// The queue that input `i` of a node refers to.
pub fn queue_input(cx: &Cx<'_, '_>, i: usize) -> Result<Arc<Queue>> {
    crate::handle::input::<Queue>(cx, i)
}
