//! `LookupTableFindV2` and the other ops on tables.

use super::table::Table;
use crate::handle::input;
use crate::prelude::*;
use crate::rules::never;
use crate::{HANDLE, REFERENCE};
use std::sync::Arc;

attrs! {
    /// Returns all keys and values of a table, in no particular order.
    pub struct LookupTableExport {
        /// Dtype of the keys.
        key: DType = Attr::dtype("Tkeys", sets::ANY),
        /// Dtype of the values.
        value: DType = Attr::dtype("Tvalues", sets::ANY),
    }
}

pub static LOOKUP_TABLE_EXPORT: Def<LookupTableExport> = op::<LookupTableExport>("LookupTableExport")
    .inputs(&[REFERENCE])
    .outputs(&[arg("keys", of("Tkeys")), arg("values", of("Tvalues"))])
    .also(&[form("LookupTableExportV2").inputs(&[HANDLE])])
    .stateful()
    .kernel(|op, cx| {
        let table = table_of(cx, op.key, Some(op.value))?;
        let (keys, values) = table.export(&cx.device.arena)?;
        cx.set(0, keys);
        cx.set(1, values);
        Ok(())
    });

attrs! {
    /// The attrs of ops on the keys and values of a table.
    pub struct LookupTable {
        /// Dtype of the keys.
        key: DType = Attr::dtype("Tin", sets::ANY),
        /// Dtype of the values.
        value: DType = Attr::dtype("Tout", sets::ANY),
    }
}

const KEYS: Arg = arg("keys", of("Tin"));
const DEFAULT_VALUE: Arg = arg("default_value", of("Tout"));
const VALUES: Arg = arg("values", of("Tout"));

pub static LOOKUP_TABLE_FIND: Def<LookupTable> = op::<LookupTable>("LookupTableFind")
    .doc("Looks up the values of keys; missing keys yield `default_value`.")
    .inputs(&[REFERENCE, KEYS, DEFAULT_VALUE])
    .outputs(&[VALUES])
    .also(&[form("LookupTableFindV2").inputs(&[HANDLE, KEYS, DEFAULT_VALUE])])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let table = table_of(cx, op.key, Some(op.value))?;
        let found = table.find(cx.input(1)?, cx.input(2)?, &cx.device.arena)?;
        cx.set(0, found);
        Ok(())
    })
    .batch(|_, b| if b.varies(0) || b.varies(2) { None } else { b.one(b.again(&b.inputs())) });

pub static LOOKUP_TABLE_IMPORT: Def<LookupTable> = op::<LookupTable>("LookupTableImport")
    .doc("Replaces the contents of a table by these keys and values.")
    .inputs(&[REFERENCE, KEYS, VALUES])
    .also(&[form("LookupTableImportV2").inputs(&[HANDLE, KEYS, VALUES])])
    .stateful()
    .kernel(|op, cx| table_of(cx, op.key, Some(op.value))?.import(cx.input(1)?, cx.input(2)?));

pub static LOOKUP_TABLE_INSERT: Def<LookupTable> = op::<LookupTable>("LookupTableInsert")
    .doc("Inserts or updates the values of keys.")
    .inputs(&[REFERENCE, KEYS, VALUES])
    .also(&[form("LookupTableInsertV2").inputs(&[HANDLE, KEYS, VALUES])])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(|op, cx| table_of(cx, op.key, Some(op.value))?.insert(cx.input(1)?, cx.input(2)?));

attrs! {
    /// Removes keys from a table.
    pub struct LookupTableRemoveV2 {
        /// Dtype of the keys.
        key: DType = Attr::dtype("Tin", sets::ANY),
    }
}

pub static LOOKUP_TABLE_REMOVE_V2: Def<LookupTableRemoveV2> = op::<LookupTableRemoveV2>("LookupTableRemoveV2")
    .inputs(&[HANDLE, KEYS])
    .stateful()
    .kernel(|op, cx| table_of(cx, op.key, None)?.remove(cx.input(1)?));

attrs! {
    /// Returns the number of entries of a table.
    pub struct LookupTableSize {}
}

pub static LOOKUP_TABLE_SIZE: Def<LookupTableSize> = op::<LookupTableSize>("LookupTableSize")
    .inputs(&[REFERENCE])
    .outputs(&[arg("size", is(DType::I64))])
    .also(&[form("LookupTableSizeV2").inputs(&[HANDLE])])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(|_, cx| {
        let size = input::<Table>(cx, 0)?.len();
        cx.set(0, Tensor::scalar(size as i64));
        Ok(())
    });

attrs! {
    /// Initializes a table with keys and values.
    pub struct InitializeTable {
        /// Dtype of the keys.
        key: DType = Attr::dtype("Tkey", sets::ANY),
        /// Dtype of the values.
        value: DType = Attr::dtype("Tval", sets::ANY),
    }
}

const FIRST_KEYS: Arg = arg("keys", of("Tkey"));
const FIRST_VALUES: Arg = arg("values", of("Tval"));

pub static INITIALIZE_TABLE: Def<InitializeTable> = op::<InitializeTable>("InitializeTable")
    .inputs(&[REFERENCE, FIRST_KEYS, FIRST_VALUES])
    .also(&[form("InitializeTableV2").inputs(&[HANDLE, FIRST_KEYS, FIRST_VALUES])])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(initialize);

fn initialize(op: &InitializeTable, cx: &mut Cx<'_, '_>) -> Result<()> {
    let table = table_of(cx, op.key, Some(op.value))?;
    let (keys, values) = (cx.input(1)?, cx.input(2)?);
    if keys.shape().rank() != 1 {
        return Err(Error::invalid(format!("Keys must be a vector, but received shape {}", keys.shape())));
    }
    if values.shape().rank() != 1 {
        return Err(Error::invalid(format!("Values must be a vector, but received shape{}", values.shape())));
    }
    table.fill_with_some(keys, values)
}

/// Returns the table in input 0, whose keys and values must have these dtypes.
fn table_of(cx: &Cx<'_, '_>, key: DType, value: Option<DType>) -> Result<Arc<Table>> {
    let table = input::<Table>(cx, 0)?;
    table.config.check_dtypes(key, value)?;
    Ok(table)
}

/// A table whose contents are determined later.
pub struct Unfilled(Arc<Table>);

impl Unfilled {
    /// Returns the table in input `i`, whose keys and values must have these dtypes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if they differ, or if there is no table.
    pub fn of(cx: &Cx<'_, '_>, i: usize, key: DType, value: DType) -> Result<Unfilled> {
        let table = input::<Table>(cx, i)?;
        table.config.check_dtypes(key, Some(value))?;
        Ok(Unfilled(table))
    }

    /// Initializes the table with these keys and values.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION` if it was initialized with others.
    pub fn fill(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        self.0.fill(keys, values)
    }
}
