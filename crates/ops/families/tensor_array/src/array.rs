//! The tensor array: the rules for writes and reads, and its gradients.

use crate::moves::Mover;
use crate::prelude::*;
use levada_kernel::Arena;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// An array of tensors that lives as long as a step.
pub(crate) struct TensorArray {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    pub(crate) is_grad: bool,
    pub(crate) identical_shapes: bool,
    clear_after_read: bool,
    /// Protects the elements and their metadata.
    state: Mutex<State>,
}

struct State {
    elements: Vec<Element>,
    shape: PartialShape,
    dynamic: bool,
    closed: bool,
    /// Number of elements of the last split or unpack, which is also the number of elements of the gradient.
    marked: Option<usize>,
    /// Whether several values have been accumulated in one element, in which case no gradient is available.
    summed: bool,
    /// The gradient arrays, by source.
    gradients: HashMap<String, Arc<TensorArray>>,
}

#[derive(Clone, Default)]
struct Element {
    /// The value; if only the shape is set, it is zeros.
    value: Option<Tensor>,
    shape: Option<Shape>,
    written: bool,
    read: bool,
    cleared: bool,
}

/// The parameters of a new tensor array.
pub(crate) struct Make {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    pub(crate) size: usize,
    pub(crate) shape: PartialShape,
    pub(crate) dynamic: bool,
    pub(crate) clear_after_read: bool,
    pub(crate) identical_shapes: bool,
}

/// Checks that there is memory for `size` elements.
fn check_size(arena: &Arena, size: usize) -> Result<()> {
    arena.check(size.saturating_mul(size_of::<Element>()))
}

impl TensorArray {
    /// Creates an array.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if it does not fit into memory.
    pub(crate) fn new(arena: &Arena, make: Make) -> Result<TensorArray> {
        check_size(arena, make.size)?;
        Ok(TensorArray {
            name: make.name,
            dtype: make.dtype,
            is_grad: false,
            identical_shapes: make.identical_shapes,
            clear_after_read: make.clear_after_read,
            state: Mutex::new(State {
                elements: vec![Element::default(); make.size],
                shape: make.shape,
                dynamic: make.dynamic,
                closed: false,
                marked: None,
                summed: false,
                gradients: HashMap::new(),
            }),
        })
    }

    /// Runs `act` on the state of an array that has not been closed.
    fn open<R>(&self, act: impl FnOnce(&mut State) -> Result<R>) -> Result<R> {
        let mut state = self.state.lock();
        if state.closed {
            return Err(Error::invalid(format!("TensorArray {} has already been closed.", self.name)));
        }
        act(&mut state)
    }

    /// Returns the number of elements.
    pub(crate) fn size(&self) -> Result<usize> {
        self.open(|state| Ok(state.elements.len()))
    }

    /// Returns the number of elements to pack or concatenate.
    pub(crate) fn pack_size(&self) -> Result<usize> {
        self.open(|state| Ok(state.marked.filter(|_| self.is_grad).unwrap_or(state.elements.len())))
    }

    /// Records the number of elements of a split or unpack.
    pub(crate) fn mark(&self, size: usize) {
        if !self.is_grad {
            self.state.lock().marked = Some(size);
        }
    }

    pub(crate) fn is_dynamic(&self) -> bool {
        self.state.lock().dynamic
    }

    /// Refines the known shape of the elements.
    pub(crate) fn refine_shape(&self, shape: &PartialShape) -> Result<()> {
        let mut state = self.state.lock();
        state.shape = state.shape.merge(shape)?;
        Ok(())
    }

    /// Frees the elements' memory; later operations fail.
    pub(crate) fn close(&self) {
        let mut state = self.state.lock();
        state.closed = true;
        let dropped = std::mem::take(&mut state.elements);
        drop(state);
        drop(dropped);
    }

    /// Writes values to elements.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an index out of bounds, a mismatch of dtype or shape, or an element that has been
    /// written or read.
    pub(crate) fn write<D: Mover>(
        &self,
        cx: &KernelCx<'_, '_, D>,
        values: impl Iterator<Item = Result<(i64, Tensor)>>,
    ) -> Result<()> {
        self.open(|state| {
            for value in values {
                let (index, value) = value?;
                self.write_one(cx, state, index, value)?;
            }
            Ok(())
        })
    }

    fn write_one<D: Mover>(
        &self,
        cx: &KernelCx<'_, '_, D>,
        state: &mut State,
        index: i64,
        value: Tensor,
    ) -> Result<()> {
        let (name, size) = (&self.name, state.elements.len());
        let at = usize::try_from(index).ok().filter(|&at| state.dynamic || at < size).ok_or_else(|| {
            Error::invalid(format!(
                "TensorArray {name}: Tried to write to index {index} but array is not resizeable and size is: {size}"
            ))
        })?;
        let refuse = |why: String| {
            Err(Error::invalid(format!(
                "TensorArray {name}: Could not write to TensorArray index {index} because {why}"
            )))
        };
        if value.dtype() != self.dtype {
            return refuse(format!("the value dtype is {} but TensorArray dtype is {}.", value.dtype(), self.dtype));
        }
        if at >= size {
            check_size(D::arena(cx), at)?;
            state.elements.resize(at + 1, Element::default());
        }
        if !state.shape.accepts(value.shape()) {
            return refuse(format!(
                "the value shape is {} which is incompatible with the TensorArray's inferred element shape: {} \
                 (consider setting infer_shape=False).",
                value.shape(),
                state.shape
            ));
        }
        if self.identical_shapes && state.shape.known().is_none() {
            state.shape = value.shape().into();
        }
        let element = &mut state.elements[at];
        if element.read {
            return refuse("it has already been read.".to_owned());
        }
        if !element.written {
            *element =
                Element { shape: Some(value.shape().clone()), value: Some(value), written: true, ..Element::default() };
            return Ok(());
        }
        if !self.is_grad {
            return refuse("it has already been written to.".to_owned());
        }
        if element.shape.as_ref().is_some_and(|shape| shape != value.shape()) {
            return Err(Error::invalid(format!(
                "TensorArray {name}: Could not aggregate to TensorArray index {index} because the existing shape is {} \
                 but the new input shape is {}.",
                element.shape.clone().unwrap_or_default(),
                value.shape()
            )));
        }
        match &mut element.value {
            Some(sum) if sum.num_elements() > 0 => {
                D::add_to(cx, sum, &value)?;
                state.summed = true;
            }
            empty => *empty = Some(value),
        }
        Ok(())
    }

    /// Returns the values of elements.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an index out of bounds, or an element without a value.
    pub(crate) fn read<D: Mover>(
        &self,
        cx: &KernelCx<'_, '_, D>,
        indices: impl Iterator<Item = i64>,
    ) -> Result<Vec<Tensor>> {
        self.open(|state| indices.map(|index| self.read_one(cx, state, index)).collect())
    }

    fn read_one<D: Mover>(&self, cx: &KernelCx<'_, '_, D>, state: &mut State, index: i64) -> Result<Tensor> {
        let (name, size) = (&self.name, state.elements.len());
        let at = usize::try_from(index).ok().filter(|&at| at < size || (self.is_grad && at <= i32::MAX as usize));
        let at = at.ok_or_else(|| {
            Error::invalid(format!("TensorArray {name}: Tried to read from index {index} but array size is: {size}"))
        })?;
        if state.elements.get(at).is_none_or(|e| !e.written) {
            // Nothing was written, for instance because no gradient reaches this element, so it is zeros.
            let known = state.elements.get(at).and_then(|e| e.shape.clone()).filter(|s| self.is_grad && s.rank() > 0);
            let shape = known.or_else(|| state.shape.known()).ok_or_else(|| {
                Error::invalid(format!(
                    "TensorArray {name}: Could not read from TensorArray index {index}.  Furthermore, the element shape \
                     is not fully defined: {}.  It is possible you are working with a resizeable TensorArray and \
                     stop_gradients is not allowing the gradients to be written.  If you set the full element_shape \
                     property on the forward TensorArray, the proper all-zeros tensor will be returned instead of \
                     incurring this error.",
                    state.shape
                ))
            })?;
            let zeros = Element { shape: Some(shape), written: true, ..Element::default() };
            if at >= size {
                check_size(D::arena(cx), at)?;
                state.elements.resize(at, zeros.clone());
                state.elements.push(zeros);
            } else {
                state.elements[at] = zeros;
            }
        }
        let element = &mut state.elements[at];
        if element.cleared {
            return Err(Error::invalid(format!(
                "TensorArray {name}: Could not read index {index} twice because it was cleared after a previous read \
                 (perhaps try setting clear_after_read = false?)."
            )));
        }
        let value = match element.value.take() {
            Some(value) => value,
            None => D::zeros(cx, self.dtype, &element.shape.clone().unwrap_or_default())?,
        };
        element.read = true;
        if self.clear_after_read {
            element.cleared = true;
        } else {
            element.value = Some(value.clone());
        }
        Ok(value)
    }

    /// Returns the gradient array of this one for a source, created on first use: it has the same number of elements,
    /// with the shapes of this array's prefixed by `before`. This array can no longer grow.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if no gradient is available.
    pub(crate) fn gradient(&self, source: &str, before: &Shape) -> Result<Arc<TensorArray>> {
        self.open(|state| {
            state.dynamic = false;
            if state.summed {
                return Err(Error::invalid(format!(
                    "Unable to create a gradients TensorArray for {}.  Perhaps you used the multiple_writes_aggregate \
                     flag on a previous write?  Gradient calculation is impossible when multiple writes are performed \
                     to the same index.",
                    self.name
                )));
            }
            if let Some(found) = state.gradients.get(source) {
                return Ok(found.clone());
            }
            let gradient_of = |e: &Element| -> Result<Element> {
                let shape = match (&e.shape, e.written) {
                    (Some(shape), true) => Some(Shape::new(before.iter().chain(shape.iter()).copied())?),
                    _ => None,
                };
                Ok(Element { written: shape.is_some(), shape, ..Element::default() })
            };
            let array = Arc::new(TensorArray {
                name: format!("{}@{source}", self.name),
                dtype: self.dtype,
                is_grad: true,
                identical_shapes: self.identical_shapes,
                clear_after_read: true,
                state: Mutex::new(State {
                    elements: state.elements.iter().map(gradient_of).collect::<Result<_>>()?,
                    shape: PartialShape::from(before).concat(&state.shape),
                    dynamic: false,
                    closed: false,
                    marked: state.marked,
                    summed: false,
                    gradients: HashMap::new(),
                }),
            });
            state.gradients.insert(source.to_owned(), array.clone());
            Ok(array)
        })
    }
}
