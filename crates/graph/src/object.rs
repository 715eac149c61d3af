//! Elements that are objects: resource handles and variants.

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::tensor::Tensor;
use bytes::Bytes;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

/// The maximum nesting depth of variants for operations that recurse once for each level.
const MOST_NESTED: usize = 256;

thread_local! {
    /// The contents of dropped variants, while one is being dropped on this thread.
    static DROPPED: RefCell<Option<Vec<Arc<dyn VariantValue>>>> = const { RefCell::new(None) };
    /// The current nesting depth of operations on this thread.
    static NESTED: Cell<usize> = const { Cell::new(0) };
}

/// Element of a `resource` tensor: names a resource and may own it.
#[derive(Clone, Default)]
pub struct Handle {
    /// Container that holds the resource; empty for the default one. For a device other than the first CPU it ends with
    /// `@` and the device's name.
    pub container: Arc<str>,
    /// Name within the container.
    pub name: Arc<str>,
    /// The resource itself, if the handle owns it.
    pub object: Option<Arc<dyn Any + Send + Sync>>,
}

impl Handle {
    /// The full name of the device that the resource belongs to; `None` for the first CPU.
    pub fn device(&self) -> Option<&str> {
        self.container.rsplit_once('@').map(|(_, device)| device)
    }
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

/// A value that a variant may hold.
pub trait VariantValue: Any + fmt::Debug + Send + Sync {
    /// The type's name, for messages.
    fn type_name(&self) -> &'static str;

    /// The result of `ZerosLike` for this value: zeros in its shape.
    ///
    /// # Errors
    /// `INTERNAL`, as TensorFlow's, if this type has no zero.
    fn zeros_like(&self) -> Result<Variant> {
        Err(Error::internal(format!("variants of type {} have no zeros", self.type_name())))
    }

    /// The result of `AddN` for this value and another.
    ///
    /// # Errors
    /// `INTERNAL`, as TensorFlow's, if this type cannot be added; the type's own error if these two cannot.
    fn add(&self, other: &Variant) -> Result<Variant> {
        let _ = other;
        Err(Error::internal(format!("variants of type {} cannot be added", self.type_name())))
    }

    /// The result of `AsString` for this value, if it can be shown.
    fn summary(&self) -> Option<String> {
        None
    }

    /// Bytes that the value takes, without the elements of its tensors.
    fn held(&self) -> usize {
        size_of::<Tensor>()
    }

    /// The tensors in this value that kernels read and write in place: those that are copied with the value from one
    /// device's memory to another.
    fn tensors(&self) -> Vec<Tensor> {
        Vec::new()
    }

    /// This value with other tensors in place of those that [`VariantValue::tensors`] returns; `None` if it returns
    /// none.
    fn with_tensors(&self, tensors: Vec<Tensor>) -> Option<Variant> {
        let _ = tensors;
        None
    }
}

/// Element of a `variant` tensor: an immutable value of an opaque type, or empty.
#[derive(Clone, Default)]
pub struct Variant(pub Option<Arc<dyn VariantValue>>);

impl Variant {
    /// A variant that holds `value`.
    pub fn new(value: impl VariantValue) -> Variant {
        Variant(Some(Arc::new(value)))
    }

    /// [`VariantValue::zeros_like`]; an empty variant stays empty.
    ///
    /// # Errors
    /// As [`VariantValue::zeros_like`]; `RESOURCE_EXHAUSTED` for values nested more than 256 levels deep.
    pub fn zeros_like(&self) -> Result<Variant> {
        self.0.as_ref().map_or(Ok(Variant(None)), |value| nested(|| value.zeros_like()))
    }

    /// The sum of two variants: [`VariantValue::add`]. Empty variants cannot be added.
    ///
    /// # Errors
    /// As [`VariantValue::add`]; `INTERNAL` for empty variants; `RESOURCE_EXHAUSTED` for values nested more than 256
    /// levels deep.
    pub fn add(&self, other: &Variant) -> Result<Variant> {
        match &self.0 {
            Some(value) => nested(|| value.add(other)),
            None => Err(Error::internal("a variant without a value cannot be added")),
        }
    }

    /// Bytes that its value takes: [`VariantValue::held`].
    pub(crate) fn held(&self) -> usize {
        self.0.as_ref().map_or(0, |value| value.held())
    }

    /// The value, mutable, if it is a `T` that is not shared.
    pub fn get_mut<T: VariantValue>(&mut self) -> Option<&mut T> {
        let value: &mut dyn Any = Arc::get_mut(self.0.as_mut()?)?;
        value.downcast_mut()
    }

    /// The value, if it is a `T`.
    pub fn get<T: VariantValue>(&self) -> Option<&T> {
        let value: &dyn Any = &**self.0.as_ref()?;
        value.downcast_ref()
    }
}

/// Runs an operation on a value, which may do the same with the values in it.
fn nested<T>(act: impl FnOnce() -> Result<T>) -> Result<T> {
    let depth = NESTED.get();
    if depth >= MOST_NESTED {
        return Err(Error::resource_exhausted("a variant holds values nested too deep")
            .expected(format!("at most {MOST_NESTED} levels")));
    }
    NESTED.set(depth + 1);
    let done = act();
    NESTED.set(depth);
    done
}

/// Nested values are dropped after their parent, not within its drop, so that no depth of nesting exhausts the call
/// stack.
impl Drop for Variant {
    fn drop(&mut self) {
        let Some(value) = self.0.take() else { return };
        let within = DROPPED.try_with(|list| match &mut *list.borrow_mut() {
            Some(list) => {
                list.push(value);
                true
            }
            none => {
                *none = Some(vec![value]);
                false
            }
        });
        while within == Ok(false)
            && let Some(value) = DROPPED.with(|list| list.borrow_mut().as_mut().and_then(Vec::pop))
        {
            drop(value);
        }
        if within == Ok(false) {
            DROPPED.with(|list| *list.borrow_mut() = None);
        }
    }
}

impl PartialEq for Variant {
    /// True for the identical value, not an equal one.
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

/// A variant as a file stores it: not decoded, because only the ops that use it know its type.
#[derive(Clone, PartialEq, Debug)]
pub struct EncodedVariant {
    /// Registered name of the type: `tensorflow::TensorList`, `int`.
    pub type_name: String,
    /// The type's own encoding.
    pub metadata: Bytes,
    /// Tensors in it.
    pub tensors: Vec<Tensor>,
}

impl EncodedVariant {
    /// Its value as a scalar, if its type is `int`, `float`, `double` or `bool`.
    pub fn number(&self) -> Option<Tensor> {
        let dtype = match self.type_name.as_str() {
            "int" => DType::I32,
            "float" => DType::F32,
            "double" => DType::F64,
            "bool" => DType::Bool,
            _ => return None,
        };
        Tensor::from_bytes(dtype, Shape::scalar(), &self.metadata).ok()
    }

    /// A variant of the same type with another encoding.
    fn with(&self, metadata: Vec<u8>) -> Variant {
        let type_name = self.type_name.clone();
        Variant::new(EncodedVariant { type_name, metadata: metadata.into(), tensors: Vec::new() })
    }
}

impl VariantValue for EncodedVariant {
    fn type_name(&self) -> &'static str {
        "encoded"
    }

    fn zeros_like(&self) -> Result<Variant> {
        match self.number() {
            // Zero and false are encoded as zero bytes.
            Some(_) => Ok(self.with(vec![0; self.metadata.len()])),
            None => Err(Error::internal(format!("variants of type {} have no zeros", self.type_name))),
        }
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let other = other.get::<EncodedVariant>().filter(|other| other.type_name == self.type_name);
        let (Some(a), Some(b)) = (self.number(), other.and_then(EncodedVariant::number)) else {
            let found = other.map_or("another type", |other| other.type_name.as_str());
            return Err(Error::internal(format!("a variant of type {} cannot be added to another", self.type_name))
                .expected("two numbers of one type")
                .found(found));
        };
        let sum = match a.dtype() {
            DType::I32 => a.item::<i32>()?.wrapping_add(b.item::<i32>()?).to_le_bytes().to_vec(),
            DType::F32 => (a.item::<f32>()? + b.item::<f32>()?).to_le_bytes().to_vec(),
            DType::F64 => (a.item::<f64>()? + b.item::<f64>()?).to_le_bytes().to_vec(),
            _ => vec![u8::from(a.item::<bool>()? | b.item::<bool>()?)],
        };
        Ok(self.with(sum))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    #[derive(Debug)]
    struct Nest(Variant);

    impl VariantValue for Nest {
        fn type_name(&self) -> &'static str {
            "nest"
        }

        fn zeros_like(&self) -> Result<Variant> {
            Ok(Variant::new(Nest(self.0.zeros_like()?)))
        }
    }

    fn nest(depth: usize) -> Variant {
        (0..depth).fold(Variant::default(), |inner, _| Variant::new(Nest(inner)))
    }

    #[test]
    fn values_nested_deep_are_dropped() {
        let inner = nest(1_000_000);
        let outer = Variant::new(Nest(inner.clone()));
        drop(outer);
        assert!(inner.get::<Nest>().is_some());
        drop(inner);
    }

    #[test]
    fn work_on_values_nested_too_deep_is_refused() {
        assert!(nest(MOST_NESTED).zeros_like().is_ok());
        let error = nest(MOST_NESTED + 1).zeros_like().unwrap_err();
        assert_eq!(error.code(), Code::ResourceExhausted);
        assert!(nest(MOST_NESTED).zeros_like().is_ok());
    }
}
