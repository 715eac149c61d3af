//! Lookup tables.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{handle, prelude, rows, variable};

mod column;
mod table;

family! {
    create: AnonymousHashTable, AnonymousMutableDenseHashTable, AnonymousMutableHashTable,
        AnonymousMutableHashTableOfTensors, HashTable, HashTableV2, MutableDenseHashTable, MutableDenseHashTableV2,
        MutableHashTable, MutableHashTableOfTensors, MutableHashTableOfTensorsV2, MutableHashTableV2;
    lookup: InitializeTable, InitializeTableV2, LookupTableExport, LookupTableExportV2, LookupTableFind,
        LookupTableFindV2, LookupTableImport, LookupTableImportV2, LookupTableInsert, LookupTableInsertV2,
        LookupTableRemoveV2, LookupTableSize, LookupTableSizeV2;
    text_file: InitializeTableFromTextFile, InitializeTableFromTextFileV2;
}
