//! Rows of elements that can be added, changed and removed individually.

use crate::prelude::*;
use levada_graph::{Handle, Variant};
use std::hash::{Hash, Hasher};

/// Rows of `width` elements of one dtype.
pub(super) struct Column {
    dtype: DType,
    width: usize,
    len: usize,
    cells: Cells,
}

enum Cells {
    /// Elements as bytes.
    Plain(Vec<u8>),
    Strings(Vec<Bytes>),
    Handles(Vec<Handle>),
    Variants(Vec<Variant>),
}

/// Expands the same code for the list of cells and the elements of a tensor of the same kind; `$unit` is the number of
/// list items per element.
macro_rules! cells {
    ($column:expr, $tensor:expr, |$list:ident, $items:ident, $unit:ident| $body:expr) => {{
        let misfit = || Error::invalid("the dtype of a row differs from the table's");
        match &mut $column.cells {
            Cells::Plain($list) => {
                let $unit = $column.dtype.size();
                let $items = $tensor.bytes().filter(|_| $tensor.dtype() == $column.dtype).ok_or_else(misfit)?;
                $body
            }
            Cells::Strings($list) => {
                let ($unit, $items) = (1, $tensor.slice::<Bytes>()?);
                $body
            }
            Cells::Handles($list) => {
                let ($unit, $items) = (1, $tensor.slice::<Handle>()?);
                $body
            }
            Cells::Variants($list) => {
                let ($unit, $items) = (1, $tensor.slice::<Variant>()?);
                $body
            }
        }
    }};
}

impl Column {
    pub(super) fn new(dtype: DType, width: usize) -> Column {
        let cells = match dtype {
            DType::Str => Cells::Strings(Vec::new()),
            DType::Resource => Cells::Handles(Vec::new()),
            DType::Variant => Cells::Variants(Vec::new()),
            _ => Cells::Plain(Vec::new()),
        };
        Column { dtype, width, len: 0, cells }
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Appends row `from` of a tensor.
    pub(super) fn push(&mut self, tensor: &Tensor, from: usize) -> Result<()> {
        let width = self.width;
        cells!(self, tensor, |list, items, unit| {
            let row = items.get(from * width * unit..(from + 1) * width * unit).ok_or_else(no_row)?;
            list.extend_from_slice(row);
        });
        self.len += 1;
        Ok(())
    }

    /// Replaces a row by row `from` of a tensor.
    pub(super) fn set(&mut self, row: usize, tensor: &Tensor, from: usize) -> Result<()> {
        let width = self.width;
        cells!(self, tensor, |list, items, unit| {
            let new = items.get(from * width * unit..(from + 1) * width * unit).ok_or_else(no_row)?;
            let old = list.get_mut(row * width * unit..(row + 1) * width * unit).ok_or_else(no_row)?;
            old.clone_from_slice(new);
        });
        Ok(())
    }

    /// Removes a row; the last row takes its place.
    pub(super) fn swap_remove(&mut self, row: usize) {
        fn remove<T: Clone>(list: &mut Vec<T>, row: usize, step: usize) {
            let last = list.len().saturating_sub(step);
            for i in 0..step {
                list.swap(row * step + i, last + i);
            }
            list.truncate(last);
        }
        match &mut self.cells {
            Cells::Plain(list) => remove(list, row, self.width * self.dtype.size()),
            Cells::Strings(list) => remove(list, row, self.width),
            Cells::Handles(list) => remove(list, row, self.width),
            Cells::Variants(list) => remove(list, row, self.width),
        }
        self.len -= 1;
    }

    /// Copies a row to row `to` of a tensor.
    pub(super) fn read(&self, row: usize, out: &mut Tensor, to: usize) -> Result<()> {
        fn copy<T: Clone>(list: &[T], row: usize, out: &mut [T], to: usize, step: usize) -> Result<()> {
            let from = list.get(row * step..(row + 1) * step).ok_or_else(no_row)?;
            out.get_mut(to * step..(to + 1) * step).ok_or_else(no_row)?.clone_from_slice(from);
            Ok(())
        }
        match &self.cells {
            Cells::Plain(list) => {
                let step = self.width * self.dtype.size();
                copy(list, row, out.bytes_mut().ok_or_else(no_row)?, to, step)
            }
            Cells::Strings(list) => copy(list, row, out.slice_mut()?, to, self.width),
            Cells::Handles(list) => copy(list, row, out.slice_mut()?, to, self.width),
            Cells::Variants(list) => copy(list, row, out.slice_mut()?, to, self.width),
        }
    }

    /// Returns the key in a row.
    pub(super) fn key(&self, row: usize) -> Key {
        match &self.cells {
            Cells::Plain(list) => {
                let step = self.width * self.dtype.size();
                Key::of_bytes(&list[row * step..(row + 1) * step])
            }
            Cells::Strings(list) => Key::of_strings(&list[row * self.width..(row + 1) * self.width]),
            Cells::Handles(_) | Cells::Variants(_) => Key::Word(0),
        }
    }
}

#[cold]
fn no_row() -> Error {
    Error::internal("a table's row does not exist")
}

/// A key, possibly of several elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Key {
    /// Up to eight bytes.
    Word(u64),
    Bytes(Bytes),
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Key::Word(word) => word.hash(state),
            Key::Bytes(bytes) => bytes.hash(state),
        }
    }
}

impl Key {
    fn of_bytes(bytes: &[u8]) -> Key {
        match bytes.len() {
            0..=8 => {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                Key::Word(u64::from_le_bytes(word))
            }
            _ => Key::Bytes(Bytes::copy_from_slice(bytes)),
        }
    }

    fn of_strings(strings: &[Bytes]) -> Key {
        match strings {
            [one] => Key::Bytes(one.clone()),
            several => {
                let mut bytes = Vec::new();
                for string in several {
                    bytes.extend_from_slice(&(string.len() as u64).to_le_bytes());
                    bytes.extend_from_slice(string);
                }
                Key::Bytes(bytes.into())
            }
        }
    }

    /// Returns the keys in a tensor, of `width` elements each.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for elements that cannot be keys.
    pub(super) fn all(tensor: &Tensor, width: usize) -> Result<Vec<Key>> {
        let width = width.max(1);
        if let Some(bytes) = tensor.bytes() {
            return Ok(bytes.chunks_exact(width * tensor.dtype().size()).map(Key::of_bytes).collect());
        }
        if tensor.dtype() != DType::Str {
            return Err(Error::invalid(format!("elements of type {} cannot be keys of a table", tensor.dtype())));
        }
        Ok(tensor.slice::<Bytes>()?.chunks_exact(width).map(Key::of_strings).collect())
    }
}
