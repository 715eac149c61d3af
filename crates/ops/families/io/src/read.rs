//! `ReaderRead`, `ReaderReadUpTo` and their V2 forms.

use super::reader::{Reader, Task, submit};
use crate::prelude::*;
use levada_ops_queues::create::queue_input;
use crate::handle::input;

macro_rules! reads {
    ($($name:ident, $many:ident, $of:expr;)*) => {$(
        attrs! {
            /// Gives the next record, of the next file where this one has no more: `queue_handle` has the files' names.
            pub struct $name {}
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[$of("reader_handle"), $of("queue_handle")],
                outputs: &[arg("key", is(DType::Str)), arg("value", is(DType::Str))],
                act: Some(levada_graph::Act::Take),
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.output_scalar(0);
                cx.output_scalar(1);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let (reader, queue) = (input::<Reader>(cx, 0)?, queue_input(cx, 1)?);
                submit(cx, reader, Task::Read(queue));
                Ok(())
            }
        }

        attrs! {
            /// Gives the next `num_records` records, or fewer where a file ends before.
            pub struct $many {}
        }

        impl Op for $many {
            const SPEC: Spec = Spec {
                name: stringify!($many),
                inputs: &[$of("reader_handle"), $of("queue_handle"), arg("num_records", is(DType::I64))],
                outputs: &[arg("keys", is(DType::Str)), arg("values", is(DType::Str))],
                act: Some(levada_graph::Act::Take),
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.with_rank(2, 0)?;
                cx.output_vector(0, None);
                cx.output_vector(1, None);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $many {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let (reader, queue) = (input::<Reader>(cx, 0)?, queue_input(cx, 1)?);
                let n = cx.scalar::<i64>(2)?;
                let n = usize::try_from(n)
                    .map_err(|_| Error::invalid(format!("num_records must not be negative, but is {n}")))?;
                submit(cx, reader, Task::ReadUpTo(queue, n));
                Ok(())
            }
        }
    )*};
}

const fn reference(name: &'static str) -> Arg {
    arg(name, is(DType::Str)).by_ref()
}

const fn handle(name: &'static str) -> Arg {
    arg(name, is(DType::Resource))
}

reads! {
    ReaderRead, ReaderReadUpTo, reference;
    ReaderReadV2, ReaderReadUpToV2, handle;
}
