//! Protobuf's wire format: a message as a sequence of numbered fields.

use crate::prelude::*;

/// The contents of a field, by wire type.
#[derive(Clone, Copy, Debug)]
pub enum Field<'a> {
    /// An integer.
    Varint(u64),
    /// Eight bytes.
    Fixed64,
    /// A string, bytes, a message, or packed values.
    Bytes(&'a [u8]),
    /// Four bytes.
    Fixed32([u8; 4]),
}

/// A reader of the fields of a message.
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// Returns the next field with its number; `None` at the end.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the bytes are not a message.
    // Reading may fail, which an iterator's `next` cannot express.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<(u64, Field<'a>)>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        let field = match tag & 7 {
            0 => Field::Varint(self.varint()?),
            1 => {
                self.take(8)?;
                Field::Fixed64
            }
            2 => {
                let length = self.varint()?;
                Field::Bytes(self.take(usize::try_from(length).map_err(|_| malformed())?)?)
            }
            5 => Field::Fixed32(self.take(4)?.try_into().map_err(|_| malformed())?),
            // Groups are deprecated and not used by any message here.
            _ => return Err(malformed()),
        };
        match tag >> 3 {
            0 => Err(malformed()),
            number => Ok(Some((number, field))),
        }
    }

    /// Returns the next integer.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it does not end within ten bytes.
    pub fn varint(&mut self) -> Result<u64> {
        let mut value = 0u64;
        for (i, &byte) in self.0.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * i);
            if byte < 0x80 {
                self.0 = &self.0[i + 1..];
                return Ok(value);
            }
        }
        Err(malformed())
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(taken)
    }
}

/// Returns the error for bytes that are not a serialized message: `INVALID_ARGUMENT`.
#[cold]
pub fn malformed() -> Error {
    Error::invalid("the bytes are not a serialized protobuf message")
}
