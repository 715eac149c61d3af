//! Conversions between `ndarray` arrays and tensors.

use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::tensor::{Element, Tensor};
use bytes::Bytes;
use ndarray::{Array, ArrayView, Dimension};

impl Tensor {
    /// A tensor with an array's elements. The tensor takes over the memory of an array in row-major order; elements in
    /// another order, of a part of an array, or of at most 16 bytes in total are copied.
    ///
    /// ```
    /// use levada_graph::Tensor;
    /// use ndarray::array;
    /// let t = Tensor::from_array(array![[1f32, 2.0], [3.0, 4.0]])?;
    /// assert_eq!(t.shape().dims(), [2, 2]);
    /// # Ok::<(), levada_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for more than 254 axes, and for sizes whose product overflows because others are 0.
    pub fn from_array<T: Element, D: Dimension>(array: Array<T, D>) -> Result<Tensor> {
        let shape = Shape::new(array.shape().iter().copied())?;
        if !array.is_standard_layout() {
            return Ok(T::build(shape, array.iter().cloned().collect()));
        }
        let values = match array.into_raw_vec_and_offset() {
            (values, None | Some(0)) if values.len() == shape.num_elements() => values,
            (values, skip) => values.into_iter().skip(skip.unwrap_or(0)).take(shape.num_elements()).collect(),
        };
        Ok(T::build(shape, values))
    }

    /// An array of the tensor's elements. Not copied if the tensor was made from an array or vector of them and is not
    /// shared; [`Tensor::view`] never copies.
    ///
    /// ```
    /// use levada_graph::{Shape, Tensor};
    /// use ndarray::Array2;
    /// let t = Tensor::from_vec(Shape::new([2, 2])?, vec![1i64, 2, 3, 4])?;
    /// let a: Array2<i64> = t.into_array()?;
    /// assert_eq!(a[[1, 0]], 3);
    /// # Ok::<(), levada_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the tensor has another dtype or rank; `INTERNAL` for a tensor in the memory of a device.
    pub fn into_array<T: Element, D: Dimension>(self) -> Result<Array<T, D>> {
        let shape = self.shape().clone();
        if let Some(rank) = D::NDIM.filter(|&rank| rank != shape.rank()) {
            return Err(Error::invalid("the tensor's rank differs from the array's")
                .expected(format!("{rank} axes"))
                .found(format!("the shape {shape}"))
                .help("ArrayD takes any rank"));
        }
        let array = Array::from_shape_vec(ndarray::IxDyn(&shape), self.into_vec()?);
        array
            .and_then(|array| array.into_dimensionality())
            .map_err(|e| Error::internal(format!("a tensor of shape {shape} cannot become an array: {e}")))
    }
}

impl<T: Element, D: Dimension> From<Array<T, D>> for Tensor {
    /// As [`Tensor::from_array`].
    ///
    /// # Panics
    /// If [`Tensor::from_array`] fails.
    fn from(array: Array<T, D>) -> Tensor {
        Tensor::from_array(array).expect("an array has at most 254 axes, of sizes whose product does not overflow")
    }
}

impl<T: Element, D: Dimension> From<ArrayView<'_, T, D>> for Tensor {
    /// Copies the elements.
    ///
    /// # Panics
    /// If [`Tensor::from_array`] fails.
    fn from(view: ArrayView<'_, T, D>) -> Tensor {
        Tensor::from(view.to_owned())
    }
}

impl<D: Dimension> From<Array<String, D>> for Tensor {
    /// A tensor of byte strings, which take over the memory of the strings.
    ///
    /// # Panics
    /// If [`Tensor::from_array`] fails.
    fn from(array: Array<String, D>) -> Tensor {
        Tensor::from(array.mapv_into_any(Bytes::from))
    }
}

impl<D: Dimension> From<Array<&str, D>> for Tensor {
    /// A tensor of byte strings, copied.
    ///
    /// # Panics
    /// If [`Tensor::from_array`] fails.
    fn from(array: Array<&str, D>) -> Tensor {
        Tensor::from(array.mapv(|text| Bytes::copy_from_slice(text.as_bytes())))
    }
}

impl<T: Element, D: Dimension> TryFrom<Tensor> for Array<T, D> {
    type Error = Error;

    /// As [`Tensor::into_array`].
    fn try_from(tensor: Tensor) -> Result<Array<T, D>> {
        tensor.into_array()
    }
}
