//! Variables that are parts of larger ones, as declared in graphs: `VariableDef.save_slice_info_def`.

use crate::slice::{Extent, Slice};
use levada_graph::{Error, Result, Shape};
use prost::Message;

/// A variable that is part of a larger one, under whose name it is saved.
#[derive(Clone, PartialEq, Debug)]
pub struct Partition {
    /// Endpoint of the variable.
    pub variable: String,
    /// Name of the whole.
    pub name: String,
    /// Shape of the whole.
    pub shape: Shape,
    /// The part that it is.
    pub slice: Slice,
}

#[derive(Clone, PartialEq, Message)]
struct VariableDef {
    #[prost(string, tag = "1")]
    variable_name: String,
    #[prost(message, optional, tag = "4")]
    save_slice_info_def: Option<SaveSliceInfoDef>,
}

#[derive(Clone, PartialEq, Message)]
struct SaveSliceInfoDef {
    #[prost(string, tag = "1")]
    full_name: String,
    #[prost(int64, repeated, tag = "2")]
    full_shape: Vec<i64>,
    #[prost(int64, repeated, tag = "3")]
    var_offset: Vec<i64>,
    #[prost(int64, repeated, tag = "4")]
    var_shape: Vec<i64>,
}

impl Partition {
    /// Decodes the partition in a `VariableDef` message; `None` for a variable that is not a part.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the bytes are not such a message, or the whole has no such part.
    pub fn decode(variable_def: &[u8]) -> Result<Option<Partition>> {
        let def = VariableDef::decode(variable_def).map_err(|e| {
            Error::invalid("the bytes are not a serialized variable").expected("a VariableDef").found(e)
        })?;
        let Some(info) = def.save_slice_info_def else { return Ok(None) };
        let wrong = || {
            Error::invalid(format!("{}: it is not a valid part of {}", def.variable_name, info.full_name))
                .expected("an offset and a size for each axis")
                .found(format!("offsets {:?} and sizes {:?} of {:?}", info.var_offset, info.var_shape, info.full_shape))
        };
        if info.var_offset.len() != info.var_shape.len() {
            return Err(wrong());
        }
        let extent = |(start, length): (&i64, &i64)| {
            Some(Extent { start: usize::try_from(*start).ok()?, length: Some(usize::try_from(*length).ok()?) })
        };
        let extents: Option<Vec<Extent>> = info.var_offset.iter().zip(&info.var_shape).map(extent).collect();
        let slice = Slice::new(extents.ok_or_else(wrong)?);
        let shape = Shape::from_signed(&info.full_shape).map_err(|_| wrong())?;
        slice.shape_in(&shape).map_err(|_| wrong())?;
        Ok(Some(Partition { variable: def.variable_name, name: info.full_name, shape, slice }))
    }
}
