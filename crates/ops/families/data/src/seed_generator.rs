//! `AnonymousSeedGenerator` and its siblings: handles to generators of the seeds of a dataset's iterators.

use crate::dataset::scalar;
use crate::prelude::*;
use crate::seeds::SeedGenerator;
use levada_graph::{Handle, Variant};
use std::sync::Arc;

attrs! {
    /// Creates a handle to a generator of seeds for a dataset's iterators.
    pub struct AnonymousSeedGenerator {}
}

pub static ANONYMOUS_SEED_GENERATOR: Def<AnonymousSeedGenerator> = op("AnonymousSeedGenerator")
    .inputs(&[SEED, SEED2, arg("reshuffle", is(DType::Bool))])
    .outputs(HANDLES)
    .stateful()
    .shape(two_scalars)
    .kernel(|_: &AnonymousSeedGenerator, cx| {
        let reshuffles = scalar(cx, 2, "reshuffle")?;
        make(cx, reshuffles)
    });

attrs! {
    /// Creates a handle to a generator that gives each iterator of a dataset seeds of its own.
    pub struct AnonymousRandomSeedGenerator {}
}

pub static ANONYMOUS_RANDOM_SEED_GENERATOR: Def<AnonymousRandomSeedGenerator> = op("AnonymousRandomSeedGenerator")
    .inputs(&[SEED, SEED2])
    .outputs(HANDLES)
    .stateful()
    .shape(two_scalars)
    .kernel(|_: &AnonymousRandomSeedGenerator, cx| make(cx, true));

attrs! {
    /// Creates a dummy handle, for datasets that get their seeds elsewhere.
    pub struct DummySeedGenerator {}
}

pub static DUMMY_SEED_GENERATOR: Def<DummySeedGenerator> =
    op("DummySeedGenerator").outputs(&[HANDLE]).stateful().shape(crate::dataset::scalar_output).kernel(
        |_: &DummySeedGenerator, cx| {
            let name = cx.node().name.clone();
            cx.set(0, Tensor::scalar(Handle { container: "".into(), name, object: None }));
            Ok(())
        },
    );

attrs! {
    /// Does nothing: a generator is freed with its last handle.
    pub struct DeleteSeedGenerator {}
}

pub static DELETE_SEED_GENERATOR: Def<DeleteSeedGenerator> = op("DeleteSeedGenerator")
    .inputs(HANDLES)
    .also(&[form("DeleteRandomSeedGenerator")])
    .stateful()
    .kernel(|_: &DeleteSeedGenerator, _| Ok(()));

const SEED: Arg = arg("seed", is(DType::I64));
const SEED2: Arg = arg("seed2", is(DType::I64));
const HANDLE: Arg = arg("handle", is(DType::Resource));
const HANDLES: &[Arg] = &[HANDLE, arg("deleter", is(DType::Variant))];

fn two_scalars<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.output_scalar(0);
    cx.output_scalar(1);
    Ok(())
}

fn make(cx: &mut Cx<'_, '_>, reshuffles: bool) -> Result<()> {
    let generator = SeedGenerator::new(scalar(cx, 0, "seed")?, scalar(cx, 1, "seed2")?, reshuffles).with_handle();
    let name = cx.node().name.clone();
    cx.set(0, Tensor::scalar(Handle { container: "".into(), name, object: Some(Arc::new(generator)) }));
    cx.set(1, Tensor::scalar(Variant::default()));
    Ok(())
}

/// Returns the generator that input `i` is a handle to; `None` for a dummy handle.
///
/// # Errors
/// `INVALID_ARGUMENT` for a handle to something else.
pub(crate) fn generator(cx: &Cx<'_, '_>, i: usize) -> Result<Option<Arc<SeedGenerator>>> {
    let [Handle { object, .. }] = cx.slice::<Handle>(i)? else {
        return Err(Error::invalid("seed_generator must be a single handle"));
    };
    let generator = object.clone().map(|object| object.downcast());
    generator.transpose().map_err(|_| Error::invalid("seed_generator is not a handle to a seed generator"))
}
