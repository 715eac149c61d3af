//! Elements that are objects: resource handles and variants.

use crate::error::{Error, Result};
use crate::tensor::Tensor;
use bytes::Bytes;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Element of a `resource` tensor: names a resource and may hold on to it.
#[derive(Clone, Default)]
pub struct Handle {
    /// Container that holds the resource; empty for the default one.
    pub container: Arc<str>,
    /// Name within the container.
    pub name: Arc<str>,
    /// The resource itself, where the handle owns it.
    pub object: Option<Arc<dyn Any + Send + Sync>>,
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<resource {}/{}>", self.container, self.name)
    }
}

impl PartialEq for Handle {
    fn eq(&self, other: &Handle) -> bool {
        self.container == other.container && self.name == other.name
    }
}

/// What a variant may hold.
pub trait VariantValue: Any + fmt::Debug + Send + Sync {
    /// The type's name, for messages.
    fn type_name(&self) -> &'static str;

    /// What `ZerosLike` makes of this value: zeros in its shape.
    ///
    /// # Errors
    /// `INTERNAL`, as TensorFlow's, where this type has no zero.
    fn zeros_like(&self) -> Result<Variant> {
        Err(Error::internal(format!("variants of type {} have no zeros", self.type_name())))
    }

    /// What `AddN` makes of this value and another.
    ///
    /// # Errors
    /// `INTERNAL`, as TensorFlow's, where this type cannot be added; what the type says where these two cannot.
    fn add(&self, other: &Variant) -> Result<Variant> {
        let _ = other;
        Err(Error::internal(format!("variants of type {} cannot be added", self.type_name())))
    }

    /// What `AsString` shows of this value, where it can be shown.
    fn summary(&self) -> Option<String> {
        None
    }

    /// The tensors in this value that kernels read and write where they are: those that are copied with the value from one
    /// device's memory to another.
    fn tensors(&self) -> Vec<Tensor> {
        Vec::new()
    }

    /// This value with other tensors in the places of those that [`VariantValue::tensors`] gives; `None` where it gives
    /// none.
    fn with_tensors(&self, tensors: Vec<Tensor>) -> Option<Variant> {
        let _ = tensors;
        None
    }
}

/// Element of a `variant` tensor: an immutable value of an opaque type, or nothing.
#[derive(Clone, Default)]
pub struct Variant(pub Option<Arc<dyn VariantValue>>);

impl Variant {
    /// A variant that holds `value`.
    pub fn new(value: impl VariantValue) -> Variant {
        Variant(Some(Arc::new(value)))
    }

    /// [`VariantValue::zeros_like`]; of nothing it is nothing.
    ///
    /// # Errors
    /// As [`VariantValue::zeros_like`].
    pub fn zeros_like(&self) -> Result<Variant> {
        self.0.as_ref().map_or(Ok(Variant(None)), |value| value.zeros_like())
    }

    /// The sum of two variants: [`VariantValue::add`]; nothing adds nothing.
    ///
    /// # Errors
    /// As [`VariantValue::add`]; `INTERNAL` for nothing.
    pub fn add(&self, other: &Variant) -> Result<Variant> {
        match &self.0 {
            Some(value) => value.add(other),
            None => Err(Error::internal("a variant without a value cannot be added")),
        }
    }

    /// The value, to change in place, if it is a `T` that is not shared.
    pub fn get_mut<T: VariantValue>(&mut self) -> Option<&mut T> {
        let value: &mut dyn Any = Arc::get_mut(self.0.as_mut()?)?;
        value.downcast_mut()
    }

    /// The value, where it is a `T`.
    pub fn get<T: VariantValue>(&self) -> Option<&T> {
        let value: &dyn Any = &**self.0.as_ref()?;
        value.downcast_ref()
    }
}

impl PartialEq for Variant {
    /// The same value, not an equal one.
    fn eq(&self, other: &Variant) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => write!(f, "<variant {}>", value.type_name()),
            None => f.write_str("<variant>"),
        }
    }
}

/// A variant as a file holds it: not decoded, because what it is only the ops that use it know.
#[derive(Clone, PartialEq, Debug)]
pub struct EncodedVariant {
    /// Registered name of the type: `tensorflow::TensorList`, `int`.
    pub type_name: String,
    /// The type's own encoding.
    pub metadata: Bytes,
    /// Tensors within.
    pub tensors: Vec<Tensor>,
}

impl VariantValue for EncodedVariant {
    fn type_name(&self) -> &'static str {
        "encoded"
    }
}

/// Memory of a device other than the host.
pub trait DeviceMemory: Any + fmt::Debug + Send + Sync {
    /// Full name of the device that owns it.
    fn device(&self) -> &str;
    /// Number of bytes.
    fn len(&self) -> usize;
    /// True for no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
