//! `CompressElement`, `UncompressElement`: an element packed into a variant.

use crate::function::check_results;
use crate::prelude::*;
use levada_graph::{Variant, VariantValue};

/// The components of an element. They share the memory of the original tensors; nothing is actually compressed.
#[derive(Clone, Debug)]
pub(crate) struct Compressed(pub(crate) Vec<Tensor>);

impl VariantValue for Compressed {
    fn type_name(&self) -> &'static str {
        "tensorflow::data::CompressedElement"
    }
}

attrs! {
    /// Packs tensors into a variant.
    pub struct CompressElement {
        /// Dtypes of the tensors.
        types: Vec<DType> = Attr::dtypes("input_types", sets::ANY).at_least(1),
    }
}

pub static COMPRESS_ELEMENT: Def<CompressElement> = op("CompressElement")
    .inputs(&[arg("components", each("input_types"))])
    .outputs(&[arg("compressed", is(DType::Variant))])
    .shape(|_: &CompressElement, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(|_: &CompressElement, cx| {
        let all = (0..cx.num_inputs()).map(|i| cx.take(i)).collect::<Result<_>>()?;
        cx.set(0, Tensor::scalar(Variant::new(Compressed(all))));
        Ok(())
    });

attrs! {
    /// Returns the tensors packed into a variant.
    pub struct UncompressElement {
        /// Dtypes of the tensors.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of the tensors.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static UNCOMPRESS_ELEMENT: Def<UncompressElement> = op("UncompressElement")
    .inputs(&[arg("compressed", is(DType::Variant))])
    .outputs(&[arg("components", each("output_types"))])
    .shape(|op: &UncompressElement, cx| {
        crate::flow::declared(cx, &op.shapes);
        Ok(())
    })
    .kernel(|op: &UncompressElement, cx| {
        let held = cx.input(0)?.slice::<Variant>()?.first().and_then(Variant::get::<Compressed>);
        let Some(Compressed(all)) = held.cloned() else {
            return Err(Error::invalid("Tensor does not hold a compressed element."));
        };
        check_results(&all, &op.types)?;
        for (i, tensor) in all.into_iter().enumerate() {
            cx.set(i, tensor);
        }
        Ok(())
    });
