//! `ListDataset`: a dataset of listed elements.

use crate::access::{Access, There};
use crate::dataset::{DATASET, Dataset, Setup, make, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::sync::Arc;
use std::task::Poll;

attrs! {
    /// A dataset of these tensors; each element takes as many of them as it has components.
    pub struct ListDataset {
        /// Dtypes of the tensors.
        inputs: Vec<DType> = Attr::dtypes("Tinput_types", sets::ANY).at_least(1),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static LIST_DATASET: Def<ListDataset> = op("ListDataset")
    .inputs(&[arg("tensors", each("Tinput_types"))])
    .outputs(DATASET)
    .shape(scalar_output)
    .stateful()
    .kernel(|op: &ListDataset, cx| {
        let tensors: Arc<[Tensor]> = (0..cx.num_inputs()).map(|i| cx.take(i)).collect::<Result<_>>()?;
        let components = op.types.len();
        if components == 0 || !tensors.len().is_multiple_of(components) {
            return Err(Error::invalid("the number of tensors must be a multiple of the number of components")
                .expected(format!("a multiple of {components}"))
                .found(tensors.len()));
        }
        let mut dtypes = tensors.iter().map(Tensor::dtype).zip(op.types.iter().cycle());
        if dtypes.any(|(found, &expected)| found != expected) {
            return Err(Error::invalid("the tensors of a ListDataset must have the dtypes of its elements")
                .expected(format!("{:?}", op.types)));
        }
        make(cx, op.types.clone(), op.shapes.clone(), List { tensors, components })
    });

struct List {
    tensors: Arc<[Tensor]>,
    components: usize,
}

impl Dataset for List {
    fn kind(&self) -> &'static str {
        "List"
    }

    fn parts(&self) -> (usize, &[Tensor]) {
        (0, &self.tensors)
    }

    fn cardinality(&self) -> i64 {
        (self.tensors.len() / self.components) as i64
    }

    fn access(&self, _: &Setup) -> Result<Box<dyn Access>> {
        let (tensors, n) = (self.tensors.clone(), self.components);
        Ok(Box::new(There(move |i| Ok(tensors.chunks(n).nth(i as usize).unwrap_or(&[]).to_vec()))))
    }

    fn any_order(&self) -> Result<()> {
        Ok(())
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(ListIter { tensors: self.tensors.clone(), components: self.components, next: 0 }))
    }
}

struct ListIter {
    tensors: Arc<[Tensor]>,
    components: usize,
    next: usize,
}

impl Iter for ListIter {
    fn poll(&mut self, _: &mut Turn<'_>) -> Next {
        let element = self.tensors.chunks(self.components).nth(self.next).map(<[Tensor]>::to_vec);
        self.next += usize::from(element.is_some());
        Poll::Ready(Ok(element))
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.count(self.next);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.next = from.count()?;
        Ok(())
    }
}
