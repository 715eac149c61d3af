//! Optional values: `OptionalFromValue`, `OptionalNone`, `OptionalHasValue`, `OptionalGetValue`.

use crate::prelude::*;
use crate::rules::never;
use crate::scalar_output;
use crate::variant_tensors::{add, value, zeros_like};
use levada_graph::{EncodedVariant, Variant, VariantValue};
use levada_ops_core::text::summarize::described;

/// A list of tensors, or nothing.
#[derive(Clone, Debug)]
pub(super) struct Optional(Option<Vec<Tensor>>);

impl VariantValue for Optional {
    fn type_name(&self) -> &'static str {
        "tensorflow::data::Optional"
    }

    fn summary(&self) -> Option<String> {
        // Of several components TensorFlow shows the last.
        Some(match self.0.as_deref() {
            None => "OptionalVariant<None>".to_owned(),
            Some([]) => "OptionalVariant<values: ()>".to_owned(),
            Some([.., last]) => format!("OptionalVariant<values: ({})>", described(last)?),
        })
    }

    fn zeros_like(&self) -> Result<Variant> {
        let zeros = self.0.as_ref().map(|all| all.iter().map(zeros_like).collect::<Result<_>>()).transpose()?;
        Ok(Variant::new(Optional(zeros)))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<Optional>() else {
            return Err(Error::internal("Trying to add an optional and something else"));
        };
        match (&self.0, &other.0) {
            (None, None) => Ok(Variant::new(Optional(None))),
            (Some(a), Some(b)) if a.len() == b.len() => {
                let sums = a.iter().zip(b).map(|(a, b)| add(a, b)).collect::<Result<_>>()?;
                Ok(Variant::new(Optional(Some(sums))))
            }
            (Some(_), Some(_)) => {
                Err(Error::invalid("Cannot add optionals because they have different numbers of components."))
            }
            _ => Err(Error::invalid("Cannot add optionals because one has a value and the other doesn't.")),
        }
    }
}

impl Optional {
    /// Name of the encoding.
    pub(super) const ENCODED: &str = "levada::Optional";

    /// Returns the optional as tensors: whether it has a value, and its components.
    pub(super) fn encode(&self) -> EncodedVariant {
        let mut tensors = vec![Tensor::scalar(self.0.is_some())];
        tensors.extend(self.0.iter().flatten().cloned());
        EncodedVariant { type_name: Optional::ENCODED.to_owned(), metadata: Bytes::new(), tensors }
    }

    /// Returns the optional that was encoded; `None` if the tensors encode none.
    pub(super) fn decode(tensors: &[Tensor]) -> Option<Optional> {
        let (there, value) = tensors.split_first()?;
        Some(Optional(there.item::<bool>().ok()?.then(|| value.to_vec())))
    }
}

/// Returns a scalar variant with an optional: these tensors, or nothing.
pub fn optional(value: Option<Vec<Tensor>>) -> Tensor {
    Tensor::scalar(Variant::new(Optional(value)))
}

attrs! {
    /// Creates an optional with a value.
    pub struct OptionalFromValue {
        /// Types of the components.
        types: Vec<DType> = Attr::dtypes("Toutput_types", sets::ANY).at_least(1),
    }
}

pub static OPTIONAL_FROM_VALUE: Def<OptionalFromValue> = op::<OptionalFromValue>("OptionalFromValue")
    .inputs(&[arg("components", each("Toutput_types"))])
    .outputs(&[arg("optional", is(DType::Variant))])
    .shape(scalar_output)
    .gradient(|op, g| {
        let Some(dy) = g.known_dy(0) else { return never(g) };
        let shapes = g.inputs().iter().map(|v| v.shape()).collect();
        let values = OPTIONAL_GET_VALUE.node(g, &OptionalGetValue { types: op.types.clone(), shapes }, &[dy]);
        (0..g.num_inputs()).map(|i| values.out(i).into()).collect()
    })
    .kernel(optional_from_value);

fn optional_from_value(_: &OptionalFromValue, cx: &mut Cx<'_, '_>) -> Result<()> {
    let all = (0..cx.num_inputs()).map(|i| cx.take(i)).collect::<Result<_>>()?;
    cx.set(0, optional(Some(all)));
    Ok(())
}

attrs! {
    /// Creates an optional without a value.
    pub struct OptionalNone {}
}

pub static OPTIONAL_NONE: Def<OptionalNone> = op("OptionalNone")
    .outputs(&[arg("optional", is(DType::Variant))])
    .shape(scalar_output)
    .gradient(|_, g| never(g))
    .kernel(optional_none);

fn optional_none(_: &OptionalNone, cx: &mut Cx<'_, '_>) -> Result<()> {
    cx.set(0, optional(None));
    Ok(())
}

attrs! {
    /// Returns whether an optional has a value.
    pub struct OptionalHasValue {}
}

pub static OPTIONAL_HAS_VALUE: Def<OptionalHasValue> = op("OptionalHasValue")
    .inputs(&[arg("optional", is(DType::Variant))])
    .outputs(&[arg("has_value", is(DType::Bool))])
    .shape(scalar_output)
    .gradient(|_, g| never(g))
    .kernel(optional_has_value);

fn optional_has_value(_: &OptionalHasValue, cx: &mut Cx<'_, '_>) -> Result<()> {
    let there = value::<Optional>(cx, 0, "optional")?.0.is_some();
    cx.set(0, Tensor::scalar(there));
    Ok(())
}

attrs! {
    /// Returns the value of an optional.
    pub struct OptionalGetValue {
        /// Types of the components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of the components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static OPTIONAL_GET_VALUE: Def<OptionalGetValue> = op::<OptionalGetValue>("OptionalGetValue")
    .inputs(&[arg("optional", is(DType::Variant))])
    .outputs(&[arg("components", each("output_types"))])
    .shape(|op, cx| {
        crate::flow::declared(cx, &op.shapes);
        Ok(())
    })
    .gradient(|op, g| {
        let dys: Vec<V<'_>> = (0..g.num_outputs()).map(|i| g.dy(i)).collect();
        vec![OPTIONAL_FROM_VALUE.node(g, &OptionalFromValue { types: op.types.clone() }, &dys).into()]
    })
    .kernel(optional_get_value);

fn optional_get_value(op: &OptionalGetValue, cx: &mut Cx<'_, '_>) -> Result<()> {
    let Some(all) = value::<Optional>(cx, 0, "optional")?.0.clone() else {
        return Err(Error::invalid("The given optional does not have a value."));
    };
    if all.len() != op.types.len() {
        return Err(Error::invalid(format!(
            "The given optional has {} components, expected {}.",
            all.len(),
            op.types.len()
        )));
    }
    for (i, (component, &dtype)) in all.iter().zip(&op.types).enumerate() {
        if component.dtype() != dtype {
            return Err(Error::invalid(format!(
                "The given optional does not match the expected type for component {i}. Expected: {dtype}. \
                 Actual: {}.",
                component.dtype()
            )));
        }
        if op.shapes.get(i).is_some_and(|shape| !shape.accepts(component.shape())) {
            return Err(Error::invalid(format!(
                "The given optional does not match the expected shape for component {i}. Expected: {}. Actual: {}.",
                op.shapes[i],
                component.shape()
            )));
        }
    }
    for (i, component) in all.into_iter().enumerate() {
        cx.set(i, component);
    }
    Ok(())
}
