//! Serialization of iterator positions to tensors, in the order in which their parts are written and read.

use crate::dataset::Tuple;
use crate::prelude::*;

/// Writes a position.
#[derive(Default)]
pub(crate) struct Saver(Vec<Tensor>);

impl Saver {
    /// Returns everything that was written.
    pub(crate) fn into_values(self) -> Vec<Tensor> {
        self.0
    }

    /// Writes an integer.
    pub(crate) fn int(&mut self, value: impl Into<i64>) {
        self.0.push(Tensor::scalar(value.into()));
    }

    /// Writes a count.
    pub(crate) fn count(&mut self, n: usize) {
        self.int(n as i64);
    }

    /// Writes an element.
    pub(crate) fn element(&mut self, element: &[Tensor]) {
        self.count(element.len());
        self.0.extend_from_slice(element);
    }

    /// Writes a nested position, to be read as one.
    pub(crate) fn nested(&mut self, position: Saver) {
        self.element(&position.0);
    }

    /// Writes an error.
    pub(crate) fn error(&mut self, error: &Error) {
        self.int(error.code() as i64);
        self.0.push(Tensor::string(error.message()));
    }
}

/// Reads a position.
pub(crate) struct Saved(std::vec::IntoIter<Tensor>);

impl Saved {
    pub(crate) fn new(values: Vec<Tensor>) -> Saved {
        Saved(values.into_iter())
    }

    fn tensor(&mut self) -> Result<Tensor> {
        self.0.next().ok_or_else(broken)
    }

    /// Reads an integer.
    pub(crate) fn int(&mut self) -> Result<i64> {
        self.tensor()?.item().map_err(|_| broken())
    }

    /// Reads a count.
    pub(crate) fn count(&mut self) -> Result<usize> {
        usize::try_from(self.int()?).map_err(|_| broken())
    }

    /// Reads a boolean.
    pub(crate) fn flag(&mut self) -> Result<bool> {
        Ok(self.int()? != 0)
    }

    /// Reads an element.
    pub(crate) fn element(&mut self) -> Result<Tuple> {
        let n = self.count()?;
        if n > self.0.len() {
            return Err(broken());
        }
        Ok(self.0.by_ref().take(n).collect())
    }

    /// Reads a nested position.
    pub(crate) fn nested(&mut self) -> Result<Saved> {
        self.element().map(Saved::new)
    }

    /// Reads an error.
    pub(crate) fn error(&mut self) -> Result<Error> {
        let code = self.int()?;
        let code = i32::try_from(code).ok().and_then(Code::from_number).unwrap_or(Code::Unknown);
        let text: Bytes = self.tensor()?.item().map_err(|_| broken())?;
        Ok(Error::new(code, String::from_utf8_lossy(&text).into_owned()))
    }
}

/// The error for a position that belongs to another dataset.
#[cold]
pub(crate) fn broken() -> Error {
    Error::data_loss("this is not a position in the iterator's dataset")
        .help("the dataset must be the same as when the iterator was saved")
}
