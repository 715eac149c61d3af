//! `InitializeTableFromTextFileV2`: initializes a table from the lines of a file.

use super::table::Table;
use crate::handle::input;
use crate::prelude::*;
use crate::rules::never;
use crate::{HANDLE, REFERENCE};

/// Denotes the whole line.
const WHOLE_LINE: i64 = -2;
/// Denotes the line number.
const LINE_NUMBER: i64 = -1;

attrs! {
    /// Initializes a table from a file that holds one key and value per line.
    pub struct InitializeTableFromTextFile {
        /// Column of the key; -2 for the whole line, -1 for the line number.
        key_index: i64 = Attr::int("key_index").at_least(-2),
        /// Column of the value; -2 for the whole line, -1 for the line number.
        value_index: i64 = Attr::int("value_index").at_least(-2),
        /// Number of lines; -1 for all.
        vocab_size: i64 = Attr::int("vocab_size").or_int(-1).at_least(-1),
        /// Column delimiter; one byte.
        delimiter: Bytes = Attr::string("delimiter").or_str("\t"),
        /// Added to line numbers.
        offset: i64 = Attr::int("offset").or_int(0),
    }
}

const FILENAME: Arg = arg("filename", is(DType::Str));

pub static INITIALIZE_TABLE_FROM_TEXT_FILE: Def<InitializeTableFromTextFile> = op("InitializeTableFromTextFile")
    .inputs(&[REFERENCE, FILENAME])
    .also(&[form("InitializeTableFromTextFileV2").inputs(&[HANDLE, FILENAME])])
    .stateful()
    .shape(|_, cx| cx.with_rank(1, 0).map(drop))
    .gradient(|_, g| never(g))
    .kernel(initialize)
    .heavy();

fn initialize(op: &InitializeTableFromTextFile, cx: &mut Cx<'_, '_>) -> Result<()> {
    let [delimiter] = op.delimiter[..] else {
        return Err(Error::invalid("delimiter should be only 1 char").attr("delimiter"));
    };
    let table = input::<Table>(cx, 0)?;
    let name = cx.scalar::<Bytes>(1)?;
    if name.is_empty() {
        return Err(Error::invalid("filename cannot be empty."));
    }
    let name = String::from_utf8_lossy(&name).into_owned();
    let layout = Layout { key: op.key_index, value: op.value_index, delimiter, offset: op.offset };
    layout.check(&table)?;
    let text = cx.env().files.read(&name)?;
    let (keys, values) = layout.read(&name, &text, op.vocab_size, &table)?;
    table.fill(&keys, &values)
}

/// The layout of a line.
struct Layout {
    key: i64,
    value: i64,
    delimiter: u8,
    offset: i64,
}

/// A column being read.
enum Column {
    Strings(Vec<Bytes>),
    Longs(Vec<i64>),
    Ints(Vec<i32>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
}

impl Column {
    fn new(dtype: DType) -> Result<Column> {
        match dtype {
            DType::Str => Ok(Column::Strings(Vec::new())),
            DType::I64 => Ok(Column::Longs(Vec::new())),
            DType::I32 => Ok(Column::Ints(Vec::new())),
            DType::F32 => Ok(Column::Floats(Vec::new())),
            DType::F64 => Ok(Column::Doubles(Vec::new())),
            other => Err(Error::invalid(format!("Data type {other} not supported."))),
        }
    }

    fn dtype(&self) -> DType {
        match self {
            Column::Strings(_) => DType::Str,
            Column::Longs(_) => DType::I64,
            Column::Ints(_) => DType::I32,
            Column::Floats(_) => DType::F32,
            Column::Doubles(_) => DType::F64,
        }
    }

    /// Appends a field; `None` if it cannot be parsed.
    fn push(&mut self, field: &[u8]) -> Option<()> {
        fn number<T: std::str::FromStr>(field: &[u8]) -> Option<T> {
            std::str::from_utf8(field).ok()?.trim().parse().ok()
        }
        match self {
            Column::Strings(all) => all.push(Bytes::copy_from_slice(field)),
            Column::Longs(all) => all.push(number(field)?),
            Column::Ints(all) => all.push(number(field)?),
            Column::Floats(all) => all.push(number(field)?),
            Column::Doubles(all) => all.push(number(field)?),
        }
        Some(())
    }

    fn tensor(self) -> Tensor {
        match self {
            Column::Strings(all) => Tensor::vector(all),
            Column::Longs(all) => Tensor::vector(all),
            Column::Ints(all) => Tensor::vector(all),
            Column::Floats(all) => Tensor::vector(all),
            Column::Doubles(all) => Tensor::vector(all),
        }
    }
}

impl Layout {
    fn check(&self, table: &Table) -> Result<()> {
        let columns = [("Key", "key", self.key, table.config.key), ("Value", "value", self.value, table.config.value)];
        for (what, word, index, dtype) in columns {
            if index == LINE_NUMBER && dtype != DType::I64 {
                return Err(Error::invalid(format!(
                    "{what} index for line number requires table {word} dtype of int64, got {dtype}"
                )));
            }
            let text = matches!(dtype, DType::Str) || (dtype.is_integer() && what == "Key");
            if index == WHOLE_LINE && !text {
                return Err(Error::invalid(format!(
                    "{what} index for whole line requires string or integer table {word}, got {dtype}"
                )));
            }
        }
        Ok(())
    }

    /// Returns the keys and values in the lines.
    fn read(&self, name: &str, text: &[u8], size: i64, table: &Table) -> Result<(Tensor, Tensor)> {
        let (mut keys, mut values) = (Column::new(table.config.key)?, Column::new(table.config.value)?);
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let lines = text.split(|&b| b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let (mut count, mut at) = (0i64, 0);
        for line in if text.is_empty() { None } else { Some(lines) }.into_iter().flatten() {
            if size >= 0 && count >= size {
                break;
            }
            at += line.len() + 1;
            if line.is_empty() {
                return Err(Error::invalid(format!("Invalid content in {name}: empty line found at position {at}.")));
            }
            self.field(name, line, count, self.key, &mut keys)?;
            self.field(name, line, count, self.value, &mut values)?;
            count += 1;
        }
        if size >= 0 && count < size {
            return Err(Error::invalid(format!("Invalid vocab_size in {name}: expected {size} but got {count}")));
        }
        Ok((keys.tensor(), values.tensor()))
    }

    fn field(&self, name: &str, line: &[u8], number: i64, index: i64, column: &mut Column) -> Result<()> {
        let numbered;
        let field = match index {
            WHOLE_LINE => line,
            LINE_NUMBER => {
                numbered = number.wrapping_add(self.offset).to_string();
                numbered.as_bytes()
            }
            _ => {
                let mut fields = line.split(|&b| b == self.delimiter);
                let wanted = usize::try_from(index).unwrap_or(usize::MAX);
                fields.nth(wanted).ok_or_else(|| {
                    let (found, text) = (line.split(|&b| b == self.delimiter).count(), String::from_utf8_lossy(line));
                    Error::invalid(format!(
                        "Invalid number of columns in {name} line {number} ({text}) : expected at least {} got {found}",
                        index + 1
                    ))
                })?
            }
        };
        column.push(field).ok_or_else(|| {
            let field = String::from_utf8_lossy(field);
            Error::invalid(format!("Field {field} in line {number} of {name} is not a valid {}.", column.dtype()))
        })
    }
}
