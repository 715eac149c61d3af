//! Messages with dimension numbers, as stored in attrs: fields of integers.

use crate::prelude::*;
use crate::wire::{Field, Fields, malformed};
use std::collections::BTreeMap;

/// The integers of a message, by field number.
pub struct Numbers(BTreeMap<u64, Vec<i64>>);

impl Numbers {
    /// Parses a message. Other fields are ignored.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for bytes that are not a message.
    pub fn of(bytes: &[u8], attr: &'static str) -> Result<Numbers> {
        let mut numbers: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
        let mut read = || -> Result<()> {
            let mut fields = Fields(bytes);
            while let Some((number, field)) = fields.next()? {
                let all = numbers.entry(number).or_default();
                match field {
                    Field::Varint(value) => all.push(value as i64),
                    Field::Bytes(packed) => {
                        let mut packed = Fields(packed);
                        while !packed.0.is_empty() {
                            all.push(packed.varint()? as i64);
                        }
                    }
                    _ => return Err(malformed()),
                }
            }
            Ok(())
        };
        read().map_err(|error| error.attr(attr))?;
        Ok(Numbers(numbers))
    }

    /// Returns the axes in a field, which must be distinct and below `rank`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` otherwise.
    pub fn axes(&self, field: u64, rank: usize) -> Result<Vec<usize>> {
        let mut axes: Vec<usize> = Vec::new();
        for &value in self.0.get(&field).map_or(&[][..], Vec::as_slice) {
            let axis =
                usize::try_from(value).ok().filter(|axis| *axis < rank && !axes.contains(axis)).ok_or_else(|| {
                    Error::invalid("dimension_numbers has an axis that is out of range or duplicated")
                        .expected(format!("different axes below {rank}"))
                        .found(value)
                })?;
            axes.push(axis);
        }
        Ok(axes)
    }

    /// Returns the single integer of a field, 0 if it is absent; it must be at most `most`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` otherwise.
    pub fn one(&self, field: u64, most: usize) -> Result<usize> {
        let value = self.0.get(&field).and_then(|all| all.last()).copied().unwrap_or(0);
        usize::try_from(value).ok().filter(|value| *value <= most).ok_or_else(|| {
            Error::invalid("dimension_numbers has an axis that is out of range")
                .expected(format!("at most {most}"))
                .found(value)
        })
    }
}

/// Returns the integers in input `i`, which must be a vector of `count` elements.
///
/// # Errors
/// `INVALID_ARGUMENT` otherwise.
pub fn vector(cx: &Cx<'_, '_>, i: usize, what: &str, count: usize) -> Result<Vec<i64>> {
    let tensor = cx.input(i)?;
    if tensor.shape().dims() != [count] {
        return Err(Error::invalid(format!("{what} must be a vector with an element for each axis"))
            .expected(format!("shape [{count}]"))
            .found(format!("shape {}", tensor.shape())));
    }
    tensor.to_i64s()
}
