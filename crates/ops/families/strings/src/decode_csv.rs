//! `DecodeCSV`: parses records of comma-separated values into one tensor per column.

use crate::prelude::*;
use crate::text::parse::Parse;

attrs! {
    /// Splits each record into fields and parses each field as the dtype of its column.
    pub struct DecodeCSV {
        /// Dtypes of the columns.
        dtypes: Vec<DType> = Attr::dtypes("OUT_TYPE", &[
            DType::F32, DType::F64, DType::I32, DType::I64, DType::Str,
        ]).at_least(1),
        /// Field delimiter: one byte.
        field_delim: Bytes = Attr::string("field_delim").or_str(","),
        /// Whether fields may be quoted.
        use_quote_delim: bool = Attr::bool("use_quote_delim").or_bool(true),
        /// String that marks a missing field, besides the empty string.
        na_value: Bytes = Attr::string("na_value").or_str(""),
        /// Indices of the fields to read, ascending; empty for all.
        select_cols: Vec<i64> = Attr::ints("select_cols").or_empty(),
    }
}

pub static DECODE_CSV: Def<DecodeCSV> = op("DecodeCSV")
    .inputs(&[arg("records", is(DType::Str)), arg("record_defaults", each("OUT_TYPE"))])
    .outputs(&[arg("output", each("OUT_TYPE"))])
    .shape(shape)
    .kernel(decode_csv);

fn shape(_: &DecodeCSV, cx: &mut ShapeCx<'_>) -> Result<()> {
    for i in 1..cx.num_inputs() {
        let default = cx.input(i);
        if default.rank().is_some_and(|r| r > 1) {
            return Err(Error::invalid("Each record default should be at most rank 1"));
        }
        if default.rank() == Some(1) && default.dim(0).is_some_and(|n| n > 1) {
            return Err(Error::invalid("Shape of a default must be a length-0 or length-1 vector, or a scalar."));
        }
    }
    cx.same_as_input(0);
    Ok(())
}

fn decode_csv(op: &DecodeCSV, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (delimiter, columns) = op.checked()?;
    let records = cx.input(0)?;
    let shape = records.shape().clone();
    let defaults = cx.inputs_from(1)?;
    if defaults.len() != op.dtypes.len() {
        return Err(Error::internal("there is not one default for each column"));
    }
    for (i, default) in defaults.iter().enumerate() {
        if default.shape().rank() > 1 {
            return Err(Error::invalid("Each record default should be at most rank 1"));
        }
        if default.num_elements() > 1 {
            return Err(Error::invalid(format!(
                "There should only be 1 default per field but field {i} has {}",
                default.num_elements()
            )));
        }
    }
    let mut rows = Vec::with_capacity(records.num_elements());
    for (i, record) in records.slice::<Bytes>()?.iter().enumerate() {
        let fields = op.fields(record, delimiter, &columns)?;
        if fields.len() != op.dtypes.len() {
            return Err(Error::invalid(format!(
                "Expect {} fields but have {} in record {i}",
                op.dtypes.len(),
                fields.len()
            )));
        }
        rows.push(fields);
    }
    let missing = &op.na_value[..];
    let mut outputs = Vec::with_capacity(defaults.len());
    for (i, (&dtype, &default)) in op.dtypes.iter().zip(&defaults).enumerate() {
        let shape = shape.clone();
        outputs.push(match dtype {
            DType::F32 => Tensor::from_vec(shape, column(&rows, i, default, missing, f32::parse)?),
            DType::F64 => Tensor::from_vec(shape, column(&rows, i, default, missing, f64::parse)?),
            DType::I32 => Tensor::from_vec(shape, column(&rows, i, default, missing, i32::parse)?),
            DType::I64 => Tensor::from_vec(shape, column(&rows, i, default, missing, i64::parse)?),
            DType::Str => {
                let text = |field: &[u8]| Some(Bytes::copy_from_slice(field));
                Tensor::from_vec(shape, column(&rows, i, default, missing, text)?)
            }
            other => Err(Error::unimplemented(format!("columns of type {other}"))),
        }?);
    }
    for (i, output) in outputs.into_iter().enumerate() {
        cx.set(i, output);
    }
    Ok(())
}

impl DecodeCSV {
    /// Checks the attrs and returns the delimiter and the indices of the fields to read.
    fn checked(&self) -> Result<(u8, Vec<usize>)> {
        let &[delimiter] = &self.field_delim[..] else {
            return Err(Error::invalid("field_delim should be only 1 char").attr("field_delim"));
        };
        let columns: Option<Vec<usize>> = self.select_cols.iter().map(|c| usize::try_from(*c).ok()).collect();
        let wrong = |why: &str| Error::invalid(why).attr("select_cols").found(format!("{:?}", self.select_cols));
        let columns = columns.ok_or_else(|| wrong("select_cols should be non-negative indices"))?;
        if columns.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(wrong("select_cols should be strictly increasing indices"));
        }
        if !columns.is_empty() && columns.len() != self.dtypes.len() {
            return Err(wrong("select_cols should match output size"));
        }
        Ok((delimiter, columns))
    }

    /// Returns the fields of a record selected by `columns`.
    fn fields(&self, record: &[u8], delimiter: u8, columns: &[usize]) -> Result<Vec<Vec<u8>>> {
        let mut fields: Vec<Vec<u8>> = Vec::new();
        let (mut at, mut parsed) = (0, 0);
        let wanted = |parsed: usize, found: usize| columns.is_empty() || columns.get(found) == Some(&parsed);
        while at < record.len() {
            if matches!(record[at], b'\n' | b'\r') {
                at += 1;
                continue;
            }
            let mut field = Vec::new();
            if self.use_quote_delim && record[at] == b'"' {
                at = quoted(record, at + 1, delimiter, &mut field)?;
            } else {
                while at < record.len() && record[at] != delimiter {
                    if self.use_quote_delim && record[at] == b'"' || matches!(record[at], b'\n' | b'\r') {
                        return Err(Error::invalid("Unquoted fields cannot have quotes/CRLFs inside"));
                    }
                    field.push(record[at]);
                    at += 1;
                }
                at += 1;
            }
            if wanted(parsed, fields.len()) {
                fields.push(field);
                if fields.len() == columns.len() {
                    return Ok(fields);
                }
            }
            parsed += 1;
        }
        // A trailing delimiter is followed by an empty field.
        if record.last() == Some(&delimiter) && wanted(parsed, fields.len()) {
            fields.push(Vec::new());
        }
        Ok(fields)
    }
}

/// Reads a quoted field, starting after its opening quote; returns the start of the next field.
fn quoted(record: &[u8], mut at: usize, delimiter: u8, field: &mut Vec<u8>) -> Result<usize> {
    while at + 1 < record.len() && (record[at] != b'"' || record[at + 1] != delimiter) {
        if record[at] != b'"' {
            field.push(record[at]);
            at += 1;
        } else if record[at + 1] == b'"' {
            field.push(b'"');
            at += 2;
        } else {
            return Err(Error::invalid("Quote inside a string has to be escaped by another quote"));
        }
    }
    let ends = record.get(at) == Some(&b'"') && record.get(at + 1).is_none_or(|next| *next == delimiter);
    if !ends {
        return Err(Error::invalid("Quoted field has to end with quote followed by delim or end"));
    }
    Ok(at + 2)
}

/// Parses column `column`, whose default is `default`.
fn column<T: Element>(
    rows: &[Vec<Vec<u8>>],
    column: usize,
    default: &Tensor,
    missing: &[u8],
    parse: impl Fn(&[u8]) -> Option<T>,
) -> Result<Vec<T>> {
    let default = default.slice::<T>()?.first();
    let read = |(record, row): (usize, &Vec<Vec<u8>>)| {
        let field = &row[column];
        if field.is_empty() || field == missing {
            return default
                .cloned()
                .ok_or_else(|| Error::invalid(format!("Field {column} is required but missing in record {record}!")));
        }
        parse(field).ok_or_else(|| {
            let text = String::from_utf8_lossy(field);
            Error::invalid(format!("Field {column} in record {record} is not a valid {}: {text}", T::DTYPE))
        })
    };
    rows.iter().enumerate().map(read).collect()
}
