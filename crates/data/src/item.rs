//! Rust types for elements of pipelines.

use levada_graph::{Bytes, Complex32, Complex64, DType, Element, Error, PartialShape, Result, Tensor, bf16, f16};
use ndarray::ArrayD;

/// A Rust type for an element of a pipeline: numbers, booleans and [`Bytes`] are scalars, vectors of them are tensors
/// with one axis, [`ArrayD`]s are tensors of any shape, and tuples are elements with several components.
pub trait Item: Sized + Send + 'static {
    /// The type of a batch of them.
    type Batch: Item;

    /// Adds the dtype of each component, and its shape as far as known.
    fn describe(to: &mut Vec<(DType, PartialShape)>);

    /// Adds the tensor of each component.
    fn write(self, to: &mut Vec<Tensor>);

    /// Takes the tensor of each component.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if they are not of this type.
    fn read(from: &mut dyn Iterator<Item = Tensor>) -> Result<Self>;
}

fn next(from: &mut dyn Iterator<Item = Tensor>) -> Result<Tensor> {
    from.next().ok_or_else(|| Error::invalid("an element has fewer components than its type"))
}

/// Converts tensors to an element; all of them must be used.
///
/// # Errors
/// `INVALID_ARGUMENT` if they are not of this type.
pub(crate) fn read<T: Item>(tensors: Vec<Tensor>) -> Result<T> {
    let mut tensors = tensors.into_iter();
    let item = T::read(&mut tensors)?;
    match tensors.next() {
        None => Ok(item),
        Some(_) => Err(Error::invalid("an element has more components than its type")),
    }
}

/// The tensors of an element.
pub(crate) fn write(item: impl Item) -> Vec<Tensor> {
    let mut tensors = Vec::new();
    item.write(&mut tensors);
    tensors
}

/// The dtypes and shapes of a type.
pub(crate) fn describe<T: Item>() -> (Vec<DType>, Vec<PartialShape>) {
    let mut components = Vec::new();
    T::describe(&mut components);
    components.into_iter().unzip()
}

macro_rules! scalars {
    ($($ty:ty),*) => {$(
        impl Item for $ty {
            type Batch = Vec<$ty>;

            fn describe(to: &mut Vec<(DType, PartialShape)>) {
                to.push((<$ty as Element>::DTYPE, PartialShape::scalar()));
            }

            fn write(self, to: &mut Vec<Tensor>) {
                to.push(Tensor::scalar(self));
            }

            fn read(from: &mut dyn Iterator<Item = Tensor>) -> Result<$ty> {
                next(from)?.item()
            }
        }
    )*};
}

scalars!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, f16, bf16, bool, Complex32, Complex64, Bytes);

impl<T: Element> Item for Vec<T> {
    type Batch = ArrayD<T>;

    fn describe(to: &mut Vec<(DType, PartialShape)>) {
        to.push((T::DTYPE, PartialShape::new([None])));
    }

    fn write(self, to: &mut Vec<Tensor>) {
        to.push(Tensor::vector(self));
    }

    fn read(from: &mut dyn Iterator<Item = Tensor>) -> Result<Vec<T>> {
        let tensor = next(from)?;
        match tensor.shape().rank() {
            1 => tensor.into_vec(),
            _ => Err(Error::invalid("a component is not a vector").found(format!("shape {}", tensor.shape()))),
        }
    }
}

impl<T: Element> Item for ArrayD<T> {
    type Batch = ArrayD<T>;

    fn describe(to: &mut Vec<(DType, PartialShape)>) {
        to.push((T::DTYPE, PartialShape::Unknown));
    }

    fn write(self, to: &mut Vec<Tensor>) {
        to.push(self.into());
    }

    fn read(from: &mut dyn Iterator<Item = Tensor>) -> Result<ArrayD<T>> {
        next(from)?.try_into()
    }
}

macro_rules! tuples {
    ($(($($name:ident)+))*) => {$(
        impl<$($name: Item),+> Item for ($($name,)+) {
            type Batch = ($($name::Batch,)+);

            fn describe(to: &mut Vec<(DType, PartialShape)>) {
                $($name::describe(to);)+
            }

            #[allow(non_snake_case, reason = "a variable for each type, of its name")]
            fn write(self, to: &mut Vec<Tensor>) {
                let ($($name,)+) = self;
                $($name.write(to);)+
            }

            fn read(from: &mut dyn Iterator<Item = Tensor>) -> Result<($($name,)+)> {
                Ok(($($name::read(from)?,)+))
            }
        }
    )*};
}

tuples!((A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F));
