//! `ImmutableConst`: a constant stored in a file.

use crate::prelude::*;
use parking_lot::Mutex;
use std::io::Read;

attrs! {
    /// A constant whose elements are the bytes of a file, which is read once.
    pub struct ImmutableConst {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Shape of the tensor.
        shape: PartialShape = Attr::shape("shape"),
        /// Path of the file.
        file: Bytes = Attr::string("memory_region_name"),
    }
}

pub static IMMUTABLE_CONST: Def<ImmutableConst> = op("ImmutableConst")
    .outputs(&[arg("tensor", of("dtype"))])
    .stateful()
    .shape(|op: &ImmutableConst, cx| {
        cx.output(0, op.shape.clone());
        Ok(())
    })
    .kernel(read)
    .heavy()
    .supports(|op| op.dtype.is_plain());

fn read(op: &ImmutableConst, cx: &mut Cx<'_, '_>) -> Result<()> {
    let kept = cx.node_state(|| Mutex::new(None::<Tensor>))?;
    let mut kept = kept.lock();
    let tensor = match &*kept {
        Some(tensor) => tensor.clone(),
        None => kept.insert(load(op, cx)?).clone(),
    };
    cx.set(0, tensor);
    Ok(())
}

fn load(op: &ImmutableConst, cx: &Cx<'_, '_>) -> Result<Tensor> {
    let shape = op
        .shape
        .known()
        .ok_or_else(|| Error::invalid(format!("Shape {} is not fully defined", op.shape)).attr("shape"))?;
    let path = String::from_utf8_lossy(&op.file).into_owned();
    let mut file = cx.env().files.open(&path)?;
    let mut tensor = cx.zeros(op.dtype, &shape)?;
    let bytes = tensor.bytes_mut().unwrap_or_default();
    let needed = bytes.len();
    file.read_exact(bytes).map_err(|error| {
        Error::internal(format!("the file {path} has fewer than the {needed} bytes of the tensor: {error}"))
    })?;
    if op.dtype == DType::Bool && bytes.iter().any(|byte| *byte > 1) {
        return Err(Error::invalid(format!("the file {path} holds bytes that are neither true nor false")));
    }
    Ok(tensor)
}
