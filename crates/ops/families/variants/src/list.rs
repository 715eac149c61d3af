//! The list of tensors.

use crate::moves::Mover;
use crate::prelude::*;
use crate::variant_tensors::{add_each, change, described_shape, value, zeros_like_each};
use levada_graph::{EncodedVariant, Variant, VariantValue};
use levada_kernel::{Arena, Io};

/// A list of tensors of one dtype.
#[derive(Clone, Debug)]
pub(super) struct TensorList {
    pub(super) dtype: DType,
    /// Known shape of the elements.
    pub(super) shape: PartialShape,
    /// Maximum number of elements when pushing.
    pub(super) max: Option<usize>,
    /// The elements; an uninitialized one has no value.
    pub(super) items: Vec<Option<Tensor>>,
}

impl VariantValue for TensorList {
    fn type_name(&self) -> &'static str {
        "tensorflow::TensorList"
    }

    fn summary(&self) -> Option<String> {
        Some("TensorList".to_owned())
    }

    fn zeros_like(&self) -> Result<Variant> {
        let items = zeros_like_each(self.items.iter().map(Option::as_ref))?;
        Ok(Variant::new(TensorList { dtype: self.dtype, shape: self.shape.clone(), max: None, items }))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<TensorList>() else {
            return Err(Error::internal("Trying to add a list of tensors and something else"));
        };
        if self.dtype != other.dtype {
            return Err(Error::invalid(format!(
                "Trying to add two lists of tensors of different dtypes. One is {} and the other is {}",
                self.dtype, other.dtype
            )));
        }
        let shape = self.shape.merge(&other.shape).map_err(|_| {
            Error::invalid(format!(
                "Trying to add two lists of tensors with incompatible element shapes. One is {} and the other is {}",
                self.shape, other.shape
            ))
        })?;
        if self.items.len() != other.items.len() {
            return Err(Error::invalid(format!(
                "Trying to add two lists of tensors with different lengths. One is {} and the other is {}",
                self.items.len(),
                other.items.len()
            )));
        }
        let pairs = self.items.iter().zip(&other.items);
        let items = add_each(pairs.map(|(a, b)| (a.as_ref(), b.as_ref())))?;
        Ok(Variant::new(TensorList { dtype: self.dtype, shape, max: None, items }))
    }

    fn held(&self) -> usize {
        size_of::<TensorList>() + self.items.capacity() * size_of::<Option<Tensor>>()
    }

    fn tensors(&self) -> Vec<Tensor> {
        self.items.iter().flatten().cloned().collect()
    }

    fn with_tensors(&self, tensors: Vec<Tensor>) -> Option<Variant> {
        let mut list = self.clone();
        for (item, tensor) in list.items.iter_mut().flatten().zip(tensors) {
            *item = tensor;
        }
        Some(Variant::new(list))
    }
}

impl TensorList {
    /// Name of the encoding.
    pub(super) const ENCODED: &str = "levada::TensorList";

    /// Returns the list as tensors: its dtype, maximum length, rank or -1, sizes, whether each element is initialized,
    /// and those that are.
    pub(super) fn encode(&self) -> EncodedVariant {
        let max = self.max.map_or(-1, |max| max as i64);
        let mut about = vec![i64::from(self.dtype.number()), max, self.shape.rank().map_or(-1, |rank| rank as i64)];
        about.extend(self.shape.dims().unwrap_or_default().iter().map(|size| size.map_or(-1, |size| size as i64)));
        about.extend(self.items.iter().map(|item| i64::from(item.is_some())));
        let mut tensors = vec![Tensor::vector(about)];
        tensors.extend(self.items.iter().flatten().cloned());
        EncodedVariant { type_name: TensorList::ENCODED.to_owned(), metadata: Bytes::new(), tensors }
    }

    /// Returns the list that was encoded; `None` if the tensors encode none.
    pub(super) fn decode(tensors: &[Tensor]) -> Option<TensorList> {
        let (about, mut set) = (tensors.first()?.slice::<i64>().ok()?, tensors[1..].iter());
        let [dtype, max, rank, rest @ ..] = about else { return None };
        let dtype = DType::from_number(i32::try_from(*dtype).ok()?)?;
        let (shape, flags) = match usize::try_from(*rank) {
            Ok(rank) => {
                let (sizes, flags) = rest.split_at_checked(rank)?;
                (PartialShape::from_signed(sizes), flags)
            }
            Err(_) => (PartialShape::Unknown, rest),
        };
        let mut items = Vec::with_capacity(flags.len());
        for flag in flags {
            items.push(if *flag == 0 { None } else { Some(set.next()?.clone()) });
        }
        Some(TensorList { dtype, shape, max: usize::try_from(*max).ok(), items })
    }

    /// Returns a list of these elements.
    pub(super) fn new(dtype: DType, shape: PartialShape, items: Vec<Option<Tensor>>) -> TensorList {
        TensorList { dtype, shape, max: None, items }
    }

    /// Checks that the elements have the dtype expected by the op.
    pub(super) fn check_dtype(&self, dtype: DType) -> Result<()> {
        if self.dtype == dtype {
            return Ok(());
        }
        Err(Error::invalid(format!("Invalid data types; op elements {dtype} but list elements {}", self.dtype)))
    }

    /// Checks that a tensor can be an element.
    pub(super) fn check_item(&self, item: &Tensor) -> Result<()> {
        if item.dtype() != self.dtype {
            return Err(Error::invalid(format!(
                "Invalid data types; list elements {} but tried to append {}",
                self.dtype,
                item.dtype()
            )));
        }
        if self.shape.accepts(item.shape()) {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "Tried to put a tensor with incompatible shape into a list. Op element shape: {} list shape: {}",
            item.shape(),
            self.shape
        )))
    }

    /// Returns the position for `index`.
    pub(super) fn position(&self, index: i32, doing: &str) -> Result<usize> {
        usize::try_from(index).ok().filter(|&at| at < self.items.len()).ok_or_else(|| {
            Error::invalid(format!("Trying to {doing} element {index} in a list with {} elements.", self.items.len()))
        })
    }

    /// Returns the common shape of all elements, from input `i` and the known element shape.
    pub(super) fn asked_shape(&self, cx: &Io<'_>, i: usize) -> Result<PartialShape> {
        merged(&described_shape(cx.input(i)?)?, &self.shape)
    }

    /// Returns `shape` refined by the shapes of `items`, if it is not fully known.
    pub(super) fn infer<'a>(
        shape: PartialShape,
        items: impl IntoIterator<Item = &'a Option<Tensor>>,
    ) -> Result<PartialShape> {
        if shape.known().is_some() {
            return Ok(shape);
        }
        items.into_iter().flatten().try_fold(shape, |shape, item| merged(&shape, &item.shape().into()))
    }

    /// Returns the zeros in place of an uninitialized element; `shape` is the requested shape.
    pub(super) fn unset<D: Mover>(&self, cx: &KernelCx<'_, '_, D>, shape: PartialShape) -> Result<Tensor> {
        let known = shape.known().ok_or_else(|| {
            Error::invalid(format!(
                "Trying to read an uninitialized tensor but element_shape is not fully defined: {shape}"
            ))
        })?;
        D::zeros(cx, self.dtype, &known)
    }
}

/// Merges two partially known shapes.
pub(super) fn merged(a: &PartialShape, b: &PartialShape) -> Result<PartialShape> {
    a.merge(b).map_err(|_| match (a.rank(), b.rank()) {
        (Some(rank), Some(other)) if rank != other => {
            Error::invalid(format!("PartialTensorShape: Incompatible ranks during merge: {rank} vs. {other}"))
        }
        _ => Error::invalid(format!("PartialTensorShape: Incompatible shapes during merge: {a} vs. {b}")),
    })
}

/// Returns the list in input `i`.
pub(super) fn list<'a>(cx: &'a Io<'_>, i: usize) -> Result<&'a TensorList> {
    value(cx, i, "list")
}

/// Modifies the list in input 0, in place if it is not shared, and sets it as output 0.
pub(super) fn change_list(cx: &mut Io<'_>, act: impl FnOnce(&mut TensorList) -> Result<()>) -> Result<()> {
    change(cx, 0, "list", act)
}

/// Sets output 0 to a list.
pub(super) fn set_list(cx: &mut Io<'_>, list: TensorList) {
    cx.set(0, Tensor::scalar(Variant::new(list)));
}

/// Checks that there is memory for `n` elements.
pub(super) fn check_len(arena: &Arena, n: usize) -> Result<()> {
    arena.check(n.saturating_mul(size_of::<Option<Tensor>>()))
}

/// Returns the size in input `i`: a nonnegative scalar.
pub(super) fn size<D: Mover>(cx: &KernelCx<'_, '_, D>, i: usize, what: &str) -> Result<usize> {
    let n = strict(cx, i, what)?;
    let n = usize::try_from(n)
        .map_err(|_| Error::invalid(format!("The {what} must be a non negative number, but got {n}")))?;
    check_len(D::arena(cx), n)?;
    Ok(n)
}

/// Returns the integer in input `i`, a tensor with one element of any rank.
pub(super) fn scalar(cx: &Io<'_>, i: usize, what: &str) -> Result<i32> {
    let input = cx.input(i)?;
    if input.num_elements() != 1 {
        return Err(Error::invalid(format!("The {what} must be a scalar, but has shape {}", input.shape())));
    }
    input.item::<i32>()
}

/// Returns the scalar in input `i`.
pub(super) fn strict(cx: &Io<'_>, i: usize, what: &str) -> Result<i32> {
    let shape = cx.input(i)?.shape();
    if !shape.is_scalar() {
        return Err(Error::invalid(format!("The {what} must be a scalar, but has shape {shape}")));
    }
    scalar(cx, i, what)
}

/// Stacks the elements, with zeros for uninitialized ones.
pub(super) fn stack<D: Mover>(
    cx: &KernelCx<'_, '_, D>,
    dtype: DType,
    shape: &Shape,
    items: &[&Option<Tensor>],
) -> Result<Tensor> {
    if let Some(other) = items.iter().filter_map(|item| item.as_ref()).find(|item| item.shape() != shape) {
        return Err(Error::invalid(format!("a list's element has the shape {}", other.shape())).expected(shape));
    }
    let whole = crate::rows::batch_shape(items.len(), shape)?;
    join(cx, dtype, whole, items.iter().map(|item| item.as_ref().ok_or_else(|| shape.clone())))
}

/// Returns a tensor of shape `whole` made by joining the parts; a part may be zeros of some shape.
pub(super) fn join<'a, D: Mover>(
    cx: &KernelCx<'_, '_, D>,
    dtype: DType,
    whole: Shape,
    parts: impl Iterator<Item = std::result::Result<&'a Tensor, Shape>>,
) -> Result<Tensor> {
    let mut zeros: Vec<Tensor> = Vec::new();
    let mut all: Vec<Option<&Tensor>> = Vec::new();
    for part in parts {
        match part {
            Ok(tensor) => all.push(Some(tensor)),
            Err(shape) => {
                // Adjacent ones often have the same shape and share one tensor.
                let last = zeros.last().filter(|zero| *zero.shape() == shape).cloned();
                let tensor = last.map_or_else(|| D::zeros(cx, dtype, &shape), Ok)?;
                zeros.push(tensor);
                all.push(None);
            }
        }
    }
    let mut filled = zeros.iter();
    let parts: Vec<&Tensor> = all.into_iter().filter_map(|part| part.or_else(|| filled.next())).collect();
    D::join(cx, &parts, 0, &whole, dtype)
}
