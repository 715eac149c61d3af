//! `LoadAndRemapMatrix`: loads a matrix from a checkpoint with its rows and columns rearranged.

use crate::inputs::{granted, text};
use crate::prelude::*;
use crate::rules::never;
use levada_checkpoint::{Reader, index_path};
use std::collections::HashMap;
use std::path::Path;

attrs! {
    /// Loads a matrix from a checkpoint and selects the rows and columns given by `row_remapping` and `col_remapping`,
    /// for instance to turn an embedding of an old vocabulary into one of a new vocabulary. Elements for which either
    /// number is negative are taken from `initializing_values` in row-major order. If `col_remapping` is empty, the
    /// columns stay as they are.
    pub struct LoadAndRemapMatrix {
        /// Number of rows; must equal the number of elements of `row_remapping`.
        num_rows: i64 = Attr::int("num_rows").at_least(0),
        /// Number of columns; must equal the number of elements of `col_remapping` unless that is empty.
        num_cols: i64 = Attr::int("num_cols").at_least(1),
        /// Maximum number of rows to read at a time; ignored.
        max_rows_in_memory: i64 = Attr::int("max_rows_in_memory").or_int(-1),
    }
}

pub static LOAD_AND_REMAP_MATRIX: Def<LoadAndRemapMatrix> = op("LoadAndRemapMatrix")
    .inputs(&[
        arg("ckpt_path", is(DType::Str)),
        arg("old_tensor_name", is(DType::Str)),
        arg("row_remapping", is(DType::I64)),
        arg("col_remapping", is(DType::I64)),
        arg("initializing_values", is(DType::F32)),
    ])
    .outputs(&[arg("output_matrix", is(DType::F32))])
    .stateful()
    .shape(|op: &LoadAndRemapMatrix, cx| {
        cx.with_rank(1, 0)?;
        cx.output(0, PartialShape::from_signed(&[op.num_rows, op.num_cols]));
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(load_and_remap_matrix)
    .heavy();

fn load_and_remap_matrix(op: &LoadAndRemapMatrix, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (path, name) = (text(cx, 0, "ckpt_path")?, text(cx, 1, "old_tensor_name")?);
    let (rows, columns) = (cx.slice::<i64>(2)?, cx.slice::<i64>(3)?);
    if rows.len() as i64 != op.num_rows {
        return Err(Error::invalid(format!(
            "Size of row_remapping is {} instead of being equal to num_rows={}",
            rows.len(),
            op.num_rows
        )));
    }
    if !columns.is_empty() && columns.len() as i64 != op.num_cols {
        return Err(Error::invalid(format!(
            "Provided col_remapping, but its size is {} instead of being equal to num_cols={}",
            columns.len(),
            op.num_cols
        )));
    }
    let rows = Remapping::of(rows)?;
    let columns = if columns.is_empty() { None } else { Some(Remapping::of(columns)?) };
    let files = &cx.env().files;
    if !files.exists(index_path(Path::new(&path)))? {
        return Err(
            Error::not_found(format!("there is no checkpoint {path}")).expected("a file of this name with .index")
        );
    }
    let reader = Reader::open_with(&path, granted(files))?;
    let entry = reader.entry(&name)?;
    let &[old_rows, old_columns] = entry.shape.dims() else {
        return Err(Error::invalid(format!(
            "Tensor {name} has shape {} of invalid rank {} for expected 2",
            entry.shape,
            entry.shape.rank()
        )));
    };
    if entry.dtype != DType::F32 {
        return Err(Error::invalid(format!("Tensor {name} does not have the expected dtype"))
            .expected(DType::F32)
            .found(entry.dtype));
    }
    let columns = match columns {
        Some(columns) => columns,
        None if old_columns as i64 == op.num_cols => Remapping((0..old_columns).map(Some).collect()),
        None => {
            return Err(Error::invalid(format!(
                "Tensor {name} has shape {} where the size of its 2nd dimension is {old_columns} instead of being equal to \
                 num_cols={}",
                entry.shape, op.num_cols
            )));
        }
    };
    let beyond = |what: &str, old: usize| format!("there is no {what} {old} in {name}, whose shape is {}", entry.shape);
    rows.check(old_rows, |old| Error::internal(beyond("row", old)))?;
    columns.check(old_columns, |old| Error::invalid(beyond("column", old)))?;
    let (height, width) = (rows.0.len(), columns.0.len());
    let present = rows.present() * columns.present();
    let initial = cx.slice::<f32>(4)?;
    // This limits the memory taken to that of the file and the initial values.
    let missing = height.checked_mul(width).map(|all| all - present);
    if missing != Some(initial.len()) {
        return Err(Error::invalid(format!(
            "initializing_values contained {} elements, but {} missing values",
            initial.len(),
            missing.map_or_else(|| "there are too many".to_owned(), |n| n.to_string())
        )));
    }
    let old = if present > 0 { Some(reader.read(&name)?) } else { None };
    let old = old.as_ref().map_or(Ok(&[][..]), |old| old.slice::<f32>())?;
    let (mut values, mut initial) = (Vec::with_capacity(height * width), initial.iter().copied());
    for row in &rows.0 {
        for column in &columns.0 {
            let value = row.zip(*column).and_then(|(row, column)| old.get(row * old_columns + column).copied());
            // The check above guarantees that enough initial values are left.
            values.push(value.or_else(|| initial.next()).unwrap_or_default());
        }
    }
    let matrix = Tensor::from_vec(Shape::new([height, width])?, values)?;
    cx.set(0, matrix);
    Ok(())
}

/// The old index for each new position; `None` for elements that are newly initialized.
struct Remapping(Vec<Option<usize>>);

impl Remapping {
    fn of(numbers: &[i64]) -> Result<Remapping> {
        let mut seen = HashMap::new();
        let remapped = numbers.iter().enumerate().map(|(new, &old)| {
            let Ok(number) = usize::try_from(old) else { return Ok(None) };
            match seen.insert(number, new) {
                None => Ok(Some(number)),
                Some(before) => Err(Error::unimplemented(format!(
                    "Old ID {old} is mapped to both new ID {before} and {new}, which is not currently supported."
                ))),
            }
        });
        Ok(Remapping(remapped.collect::<Result<_>>()?))
    }

    /// Fails if an old index is not below `count`.
    fn check(&self, count: usize, beyond: impl Fn(usize) -> Error) -> Result<()> {
        self.0.iter().flatten().find(|old| **old >= count).map_or(Ok(()), |old| Err(beyond(*old)))
    }

    fn present(&self) -> usize {
        self.0.iter().flatten().count()
    }
}
