//! `LookupTableFindV2` and the other ops on tables.

use super::table::Table;
use crate::prelude::*;
use crate::handle::input;

macro_rules! lookups {
    ($($(#[doc = $doc:literal])* [$($name:ident $handle:ident),*] { $($attrs:tt)* } ($($input:expr),*) -> ($($output:expr),*)
       |$op:ident, $table:ident, $cx:ident| $body:expr;)*) => {
        $(lookups!(@each [$(#[doc = $doc])*] [$($name $handle),*] { $($attrs)* } ($($input),*) ($($output),*) [$op, $table, $cx, $body]);)*
    };
    (@each $docs:tt [$($name:ident $handle:ident),*] $attrs:tt $inputs:tt $outputs:tt $compute:tt) => {
        $(lookups!(@one $docs $name $handle $attrs $inputs $outputs $compute);)*
    };
    (@one [$(#[doc = $doc:literal])*] $name:ident $handle:ident { $($attrs:tt)* } ($($input:expr),*) ($($output:expr),*)
     [$op:ident, $table:ident, $cx:ident, $body:expr]) => {
        attrs! {
            $(#[doc = $doc])*
            pub struct $name { $($attrs)* }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[lookups!(@handle $handle), $($input),*],
                outputs: &[$($output),*],
                ..Spec::STATEFUL
            };
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, $cx: &mut Cx<'_, '_>) -> Result<()> {
                let $table = input::<Table>($cx, 0)?;
                let $op = self;
                $body
            }
        }
    };
    (@handle Reference) => { arg("table_handle", is(DType::Str)).by_ref() };
    (@handle Resource) => { arg("table_handle", is(DType::Resource)) };
}

lookups! {
    /// All keys and values of a table, in no order.
    [LookupTableExport Reference, LookupTableExportV2 Resource] {
        /// Dtype of the keys.
        key: DType = Attr::dtype("Tkeys", sets::ANY),
        /// Dtype of the values.
        value: DType = Attr::dtype("Tvalues", sets::ANY),
    } () -> (arg("keys", of("Tkeys")), arg("values", of("Tvalues"))) |op, table, cx| {
        table.config.check_dtypes(op.key, Some(op.value))?;
        let (keys, values) = table.export(&cx.device.arena)?;
        cx.set(0, keys);
        cx.set(1, values);
        Ok(())
    };
    /// The values of keys; `default_value` for keys that are not there.
    [LookupTableFind Reference, LookupTableFindV2 Resource] {
        /// Dtype of the keys.
        key: DType = Attr::dtype("Tin", sets::ANY),
        /// Dtype of the values.
        value: DType = Attr::dtype("Tout", sets::ANY),
    } (arg("keys", of("Tin")), arg("default_value", of("Tout"))) -> (arg("values", of("Tout"))) |op, table, cx| {
        table.config.check_dtypes(op.key, Some(op.value))?;
        let found = table.find(cx.input(1)?, cx.input(2)?, &cx.device.arena)?;
        cx.set(0, found);
        Ok(())
    };
    /// Makes these keys and values all that is in a table.
    [LookupTableImport Reference, LookupTableImportV2 Resource] {
        /// Dtype of the keys.
        key: DType = Attr::dtype("Tin", sets::ANY),
        /// Dtype of the values.
        value: DType = Attr::dtype("Tout", sets::ANY),
    } (arg("keys", of("Tin")), arg("values", of("Tout"))) -> () |op, table, cx| {
        table.config.check_dtypes(op.key, Some(op.value))?;
        table.import(cx.input(1)?, cx.input(2)?)
    };
    /// Sets the values of keys.
    [LookupTableInsert Reference, LookupTableInsertV2 Resource] {
        /// Dtype of the keys.
        key: DType = Attr::dtype("Tin", sets::ANY),
        /// Dtype of the values.
        value: DType = Attr::dtype("Tout", sets::ANY),
    } (arg("keys", of("Tin")), arg("values", of("Tout"))) -> () |op, table, cx| {
        table.config.check_dtypes(op.key, Some(op.value))?;
        table.insert(cx.input(1)?, cx.input(2)?)
    };
    /// Removes keys.
    [LookupTableRemoveV2 Resource] {
        /// Dtype of the keys.
        key: DType = Attr::dtype("Tin", sets::ANY),
    } (arg("keys", of("Tin"))) -> () |op, table, cx| {
        table.config.check_dtypes(op.key, None)?;
        table.remove(cx.input(1)?)
    };
    /// Number of entries of a table.
    [LookupTableSize Reference, LookupTableSizeV2 Resource] {} () -> (arg("size", is(DType::I64))) |_op, table, cx| {
        let size = table.len();
        cx.set(0, Tensor::scalar(size as i64));
        Ok(())
    };
    /// Fills a table.
    [InitializeTable Reference, InitializeTableV2 Resource] {
        /// Dtype of the keys.
        key: DType = Attr::dtype("Tkey", sets::ANY),
        /// Dtype of the values.
        value: DType = Attr::dtype("Tval", sets::ANY),
    } (arg("keys", of("Tkey")), arg("values", of("Tval"))) -> () |op, table, cx| {
        table.config.check_dtypes(op.key, Some(op.value))?;
        if cx.input(1)?.shape().rank() != 1 {
            return Err(Error::invalid(format!("Keys must be a vector, but received shape {}", cx.input(1)?.shape())));
        }
        let (keys, values) = (cx.input(1)?, cx.input(2)?);
        if values.shape().rank() != 1 {
            return Err(Error::invalid(format!("Values must be a vector, but received shape{}", values.shape())));
        }
        if keys.num_elements() == values.num_elements() && keys.num_elements() == 0 {
            return Err(Error::invalid("keys and values cannot be empty tensors."));
        }
        table.fill(keys, values)
    };
}
