//! `IteratorGetNext` and its siblings: the next element of an iterator.

use crate::dataset::scalar_output;
use crate::flow::declared;
use crate::iterator::iterator;
use crate::prelude::*;
use crate::to_device::check_place;
use levada_ops_variants::optional;

attrs! {
    /// The attrs of ops that return the next element of an iterator.
    pub struct GetNext {
        /// Dtypes of the element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of the element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

const ITERATOR: &[Arg] = &[arg("iterator", is(DType::Resource))];

pub static ITERATOR_GET_NEXT: Def<GetNext> = op("IteratorGetNext")
    .doc("Returns the next element of an iterator. Fails with `OUT_OF_RANGE` at the end.")
    .inputs(ITERATOR)
    .outputs(&[arg("components", each("output_types"))])
    .also(&[form("IteratorGetNextSync")])
    .stateful()
    .role(Role::Call)
    .shape(|op: &GetNext, cx| {
        declared(cx, &op.shapes);
        Ok(())
    })
    .kernel(|op, cx| {
        let iterator = iterator(cx, 0)?;
        iterator.check_kind(&op.types, &op.shapes)?;
        let device = cx.node().device.clone();
        iterator.stream()?.next(cx, move |element| {
            let element = element?.ok_or_else(|| Error::out_of_range("End of sequence"))?;
            check_place(&element, &device)?;
            Ok(element)
        })
    })
    .heavy();

pub static ITERATOR_GET_NEXT_AS_OPTIONAL: Def<GetNext> = op("IteratorGetNextAsOptional")
    .doc("Returns the next element of an iterator as an optional value, which is empty at the end.")
    .inputs(ITERATOR)
    .outputs(&[arg("optional", is(DType::Variant))])
    .stateful()
    .role(Role::Call)
    .shape(scalar_output)
    .kernel(|op: &GetNext, cx| {
        let iterator = iterator(cx, 0)?;
        iterator.check_kind(&op.types, &op.shapes)?;
        let device = cx.node().device.clone();
        iterator.stream()?.next(cx, move |element| {
            let element = element?;
            check_place(element.as_deref().unwrap_or_default(), &device)?;
            Ok(vec![optional(element)])
        })
    })
    .heavy();
