//! `CompositeTensorVariantFromComponents` and `CompositeTensorVariantToComponents`: composite tensors in variants.

use crate::prelude::*;
use crate::rules::{first, never};
use levada_graph::{Variant, VariantValue};

/// The component tensors of a composite tensor.
#[derive(Debug)]
pub(super) struct Composite {
    pub(super) components: Vec<Tensor>,
}

impl VariantValue for Composite {
    fn type_name(&self) -> &'static str {
        "CompositeTensorVariant"
    }
}

attrs! {
    /// Wraps the component tensors of a composite tensor in a variant.
    pub struct CompositeTensorVariantFromComponents {
        /// Type of the composite tensor; has no effect here.
        metadata: Bytes = Attr::string("metadata"),
        /// Element types of the tensors.
        components: Vec<DType> = Attr::dtypes("Tcomponents", sets::ANY).at_least(0),
    }
}

pub static COMPOSITE_TENSOR_VARIANT_FROM_COMPONENTS: Def<CompositeTensorVariantFromComponents> =
    op::<CompositeTensorVariantFromComponents>("CompositeTensorVariantFromComponents")
        .inputs(&[arg("components", each("Tcomponents"))])
        .outputs(&[arg("encoded", is(DType::Variant))])
        .shape(|_, cx| {
            cx.output_scalar(0);
            Ok(())
        })
        .gradient(|op, g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let CompositeTensorVariantFromComponents { metadata, components } = op.clone();
            let back = CompositeTensorVariantToComponents { metadata, components };
            let parts = COMPOSITE_TENSOR_VARIANT_TO_COMPONENTS.node(g, &back, &[dy]);
            (0..g.num_inputs()).map(|i| parts.out(i).into()).collect()
        })
        .kernel(composite_tensor_variant_from_components);

fn composite_tensor_variant_from_components(
    _: &CompositeTensorVariantFromComponents,
    cx: &mut Cx<'_, '_>,
) -> Result<()> {
    let components = cx.inputs_from(0)?.into_iter().cloned().collect();
    cx.set(0, Tensor::scalar(Variant::new(Composite { components })));
    Ok(())
}

attrs! {
    /// Returns the component tensors of the composite tensor in a variant.
    pub struct CompositeTensorVariantToComponents {
        /// Type of the composite tensor; has no effect here.
        metadata: Bytes = Attr::string("metadata"),
        /// Element types of the tensors.
        components: Vec<DType> = Attr::dtypes("Tcomponents", sets::ANY).at_least(0),
    }
}

pub static COMPOSITE_TENSOR_VARIANT_TO_COMPONENTS: Def<CompositeTensorVariantToComponents> =
    op::<CompositeTensorVariantToComponents>("CompositeTensorVariantToComponents")
        .inputs(&[arg("encoded", is(DType::Variant))])
        .outputs(&[arg("components", each("Tcomponents"))])
        .gradient(|op, g| {
            let parts: Vec<V<'_>> =
                (0..g.num_outputs()).map(|i| g.known_dy(i).unwrap_or_else(|| g.output(i))).collect();
            let CompositeTensorVariantToComponents { metadata, components } = op.clone();
            let back = CompositeTensorVariantFromComponents { metadata, components };
            first(g, COMPOSITE_TENSOR_VARIANT_FROM_COMPONENTS.node(g, &back, &parts))
        })
        .kernel(composite_tensor_variant_to_components);

fn composite_tensor_variant_to_components(op: &CompositeTensorVariantToComponents, cx: &mut Cx<'_, '_>) -> Result<()> {
    let encoded = cx.input(0)?;
    let held = encoded.slice::<Variant>()?.first().filter(|_| encoded.shape().is_scalar());
    let Some(Composite { components }) = held.and_then(Variant::get) else {
        return Err(Error::invalid("The input `encoded` is not a valid CompositeTensorVariant tensor.")
            .found(format!("{held:?}")));
    };
    if components.len() != op.components.len() {
        return Err(Error::invalid(format!(
            "Encoded value has {} tensor components; expected {} components based on type_spec",
            components.len(),
            op.components.len()
        )));
    }
    for (i, (component, &dtype)) in components.iter().zip(&op.components).enumerate() {
        if component.dtype() != dtype {
            return Err(Error::invalid(format!(
                "Tensor component {i} had dtype {}; expected dtype {dtype}",
                component.dtype()
            )));
        }
    }
    let components = components.clone();
    components.into_iter().enumerate().for_each(|(i, component)| cx.set(i, component));
    Ok(())
}
