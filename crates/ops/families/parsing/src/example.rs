//! The messages `Example` and `SequenceExample`: features keyed by name.

use crate::prelude::*;
use crate::wire::{Field, Fields, malformed};
use std::collections::HashMap;

/// The values of a feature.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Strings(Vec<Bytes>),
    Floats(Vec<f32>),
    Ints(Vec<i64>),
}

/// An element type of features.
pub(super) trait FeatureValue: Element {
    /// What the values are called in error messages.
    const WORD: &'static str;
    /// Returns the values if they have this type.
    fn of(values: &Values) -> Option<&[Self]>;
}

macro_rules! feature_values {
    ($($ty:ty: $variant:ident, $word:literal;)*) => {$(
        impl FeatureValue for $ty {
            const WORD: &'static str = $word;
            fn of(values: &Values) -> Option<&[$ty]> {
                if let Values::$variant(values) = values { Some(values) } else { None }
            }
        }
    )*};
}

feature_values! {
    Bytes: Strings, "bytes";
    f32: Floats, "float";
    i64: Ints, "int64";
}

impl Values {
    /// The dtype of the values.
    pub(super) fn dtype(&self) -> DType {
        match self {
            Values::Strings(_) => DType::Str,
            Values::Floats(_) => DType::F32,
            Values::Ints(_) => DType::I64,
        }
    }

    /// Parses a `Feature`; `None` if it has no values of any kind. Strings share the memory of `source`, which contains
    /// `bytes`.
    pub(super) fn read(source: &Bytes, bytes: &[u8]) -> Result<Option<Values>> {
        let mut values: Option<Values> = None;
        let mut fields = Fields(bytes);
        while let Some((number, field)) = fields.next()? {
            let Field::Bytes(list) = field else { continue };
            // Of several kinds the last one wins, and a list in several pieces is concatenated.
            match number {
                1 => {
                    let mut strings = if let Some(Values::Strings(v)) = values { v } else { Vec::new() };
                    read_strings(source, list, &mut strings)?;
                    values = Some(Values::Strings(strings));
                }
                2 => {
                    let mut floats = if let Some(Values::Floats(v)) = values { v } else { Vec::new() };
                    read_floats(list, &mut floats)?;
                    values = Some(Values::Floats(floats));
                }
                3 => {
                    let mut ints = if let Some(Values::Ints(v)) = values { v } else { Vec::new() };
                    read_ints(list, &mut ints)?;
                    values = Some(Values::Ints(ints));
                }
                _ => {}
            }
        }
        Ok(values)
    }
}

fn read_strings(source: &Bytes, list: &[u8], out: &mut Vec<Bytes>) -> Result<()> {
    let mut fields = Fields(list);
    while let Some((number, field)) = fields.next()? {
        if let (1, Field::Bytes(string)) = (number, field) {
            out.push(source.slice_ref(string));
        }
    }
    Ok(())
}

fn read_floats(list: &[u8], out: &mut Vec<f32>) -> Result<()> {
    let mut fields = Fields(list);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Fixed32(bytes)) => out.push(f32::from_le_bytes(bytes)),
            (1, Field::Bytes(packed)) => {
                let (whole, rest) = packed.as_chunks::<4>();
                if !rest.is_empty() {
                    return Err(malformed());
                }
                out.extend(whole.iter().map(|b| f32::from_le_bytes(*b)));
            }
            _ => {}
        }
    }
    Ok(())
}

fn read_ints(list: &[u8], out: &mut Vec<i64>) -> Result<()> {
    let mut fields = Fields(list);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Varint(value)) => out.push(value as i64),
            (1, Field::Bytes(packed)) => {
                let mut packed = Fields(packed);
                while !packed.0.is_empty() {
                    out.push(packed.varint()? as i64);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Messages keyed by name.
pub(super) type Named<'a> = HashMap<&'a [u8], &'a [u8]>;

/// Adds the entries of a map, field 1 of `message`; the later of two entries with the same name wins.
fn read_map<'a>(message: &'a [u8], named: &mut Named<'a>) -> Result<()> {
    let mut fields = Fields(message);
    while let Some((number, field)) = fields.next()? {
        let (1, Field::Bytes(entry)) = (number, field) else { continue };
        let (mut name, mut value) = (&[][..], &[][..]);
        let mut parts = Fields(entry);
        while let Some((number, field)) = parts.next()? {
            match (number, field) {
                (1, Field::Bytes(bytes)) => name = bytes,
                (2, Field::Bytes(bytes)) => value = bytes,
                _ => {}
            }
        }
        named.insert(name, value);
    }
    Ok(())
}

/// The features of an `Example`, from field 1.
pub(super) fn example(bytes: &[u8]) -> Result<Named<'_>> {
    let mut named = Named::new();
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        if let (1, Field::Bytes(features)) = (number, field) {
            read_map(features, &mut named)?;
        }
    }
    Ok(named)
}

/// The context features and feature lists of a `SequenceExample`, from fields 1 and 2.
pub(super) fn sequence_example(bytes: &[u8]) -> Result<(Named<'_>, Named<'_>)> {
    let (mut context, mut lists) = (Named::new(), Named::new());
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Bytes(features)) => read_map(features, &mut context)?,
            (2, Field::Bytes(features)) => read_map(features, &mut lists)?,
            _ => {}
        }
    }
    Ok((context, lists))
}

/// The features of a `FeatureList`, in order.
pub(super) fn feature_list(source: &Bytes, bytes: &[u8]) -> Result<Vec<Option<Values>>> {
    let mut list = Vec::new();
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        if let (1, Field::Bytes(feature)) = (number, field) {
            list.push(Values::read(source, feature)?);
        }
    }
    Ok(list)
}
