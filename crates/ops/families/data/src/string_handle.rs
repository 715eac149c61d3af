//! `IteratorToStringHandle`, `IteratorFromStringHandle`: iterator handles as strings, which can be fed.

use crate::dataset::{scalar, scalar_output};
use crate::iterator::{IteratorResource, iterator};
use crate::prelude::*;
use levada_graph::Handle;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

/// The iterators whose handles were converted to strings, by number.
#[derive(Default)]
struct Known(Mutex<HashMap<u64, Weak<IteratorResource>>>);

/// Name of [`Known`] among the resources.
const KNOWN: &str = "iterators with string handles";
/// Prefix of a string handle.
const BEGINS: &str = "iterator/";

attrs! {
    /// Converts the handle of an iterator to a string.
    pub struct IteratorToStringHandle {}
}

pub static ITERATOR_TO_STRING_HANDLE: Def<IteratorToStringHandle> = op("IteratorToStringHandle")
    .inputs(&[arg("resource_handle", is(DType::Resource))])
    .outputs(&[arg("string_handle", is(DType::Str))])
    .stateful()
    .shape(scalar_output)
    .kernel(|_: &IteratorToStringHandle, cx| {
        let iterator = iterator(cx, 0)?;
        let known = cx.env().resources.get_or_create::<Known>("", KNOWN, || Ok(Known::default()))?;
        let mut known = known.0.lock();
        if !known.contains_key(&iterator.number) {
            known.retain(|_, other| other.strong_count() > 0);
            known.insert(iterator.number, Arc::downgrade(&iterator));
        }
        drop(known);
        cx.set(0, Tensor::string(format!("{BEGINS}{}", iterator.number)));
        Ok(())
    });

attrs! {
    /// Converts a string back to the handle of an iterator.
    pub struct IteratorFromStringHandle {
        /// Dtypes of an element's components; empty for any.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).or_empty(),
        /// Shapes of an element's components; empty for any.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").or_empty(),
    }
}

pub static ITERATOR_FROM_STRING_HANDLE: Def<IteratorFromStringHandle> = op("IteratorFromStringHandle")
    .inputs(&[arg("string_handle", is(DType::Str))])
    .outputs(&[arg("resource_handle", is(DType::Resource))])
    .also(&[form("IteratorFromStringHandleV2")])
    .stateful()
    .shape(scalar_output)
    .kernel(|op: &IteratorFromStringHandle, cx| {
        let text: Bytes = scalar(cx, 0, "string_handle")?;
        let number = std::str::from_utf8(&text).ok().and_then(|text| text.strip_prefix(BEGINS)?.parse().ok());
        let number: u64 = number.ok_or_else(|| {
            Error::invalid("Could not parse string_handle. Please check that it is the string handle of an iterator")
        })?;
        let known = cx.env().resources.get::<Known>("", KNOWN);
        let found = known.and_then(|known| known.0.lock().get(&number).and_then(Weak::upgrade));
        let iterator = found.ok_or_else(|| Error::not_found(format!("there is no iterator {number} (any more)")))?;
        iterator.check_kind(&op.types, &op.shapes)?;
        let (here, device) = (&cx.node().device, &iterator.device);
        if here != device {
            return Err(Error::invalid(format!(
                "Attempted create an iterator on device \"{here}\" from handle defined on device \"{device}\""
            )));
        }
        let name = format!("{BEGINS}{number}").into();
        cx.set(0, Tensor::scalar(Handle { container: "".into(), name, object: Some(iterator) }));
        Ok(())
    });
