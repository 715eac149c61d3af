//! `IndexFlatMapDataset`: the rows that a function creates from each element, with random access.

use crate::access::Access;
use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, Tuple, input, make, scalar, scalar_output};
use crate::function::{Call, Calls, Function, check_results};
use crate::iter::{Iter, Next, Turn};
use crate::map::{restore_call, save_call};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_graph::Func;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Returns the rows that `map_func` creates from each element. `index_map_func` maps the index of a row to the
    /// index of its element and the row's offset within it.
    pub struct IndexFlatMapDataset {
        /// Creates the rows of an element.
        map: Func = Attr::func("map_func"),
        /// Maps the index of a row to the index of its element and the row's offset within it.
        index: Func = Attr::func("index_map_func"),
        /// Dtypes of the other arguments of `map_func`.
        map_arguments: Vec<DType> = Attr::dtypes("Tmap_func_args", sets::ANY),
        /// Dtypes of the other arguments of `index_map_func`.
        index_arguments: Vec<DType> = Attr::dtypes("Tindex_map_func_args", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static INDEX_FLAT_MAP_DATASET: Def<IndexFlatMapDataset> = op("IndexFlatMapDataset")
    .inputs(&[
        INPUT,
        arg("map_func_other_args", each("Tmap_func_args")),
        arg("index_map_func_other_args", each("Tindex_map_func_args")),
        arg("output_cardinality", is(DType::I64)),
    ])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &IndexFlatMapDataset, cx| {
        let (to_index, last) = (1 + op.map_arguments.len(), cx.num_inputs() - 1);
        let rows = Rows {
            source: input(cx, 0)?,
            map: Function::of(cx, &op.map, 1..to_index)?,
            index: Function::of(cx, &op.index, to_index..last)?,
            cardinality: scalar(cx, last, "output_cardinality")?,
            types: op.types.as_slice().into(),
        };
        make(cx, op.types.clone(), op.shapes.clone(), rows)
    });

struct Rows {
    source: Source,
    map: Function,
    index: Function,
    cardinality: i64,
    types: Arc<[DType]>,
}

impl Dataset for Rows {
    fn kind(&self) -> &'static str {
        "IndexFlatMap"
    }

    fn cardinality(&self) -> i64 {
        self.cardinality
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let (map, index) = (self.map.at(setup), self.index.at(setup));
        let input = setup.access(&self.source)?;
        Ok(Box::new(RowsAccess { input, map, index, at: At::Begin, types: self.types.clone() }))
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let input = setup.make(&self.source)?;
        let (map, index) = (self.map.at(&setup), self.index.at(&setup));
        let types = self.types.clone();
        Ok(Box::new(RowsIter { input, map, index, types, given: 0, element: 0, rows: Vec::new(), at: At::Begin }))
    }
}

/// A row: the index of its element, and its offset within it.
#[derive(Clone, Copy)]
struct Row {
    element: u64,
    offset: u64,
}

/// Progress of locating a row.
enum At {
    Begin,
    /// Map the row's index.
    Index(Call),
    /// Read its element.
    Input(Row),
    /// Create the element's rows.
    Map(Call, Row),
}

/// Parses the results of `index_map_func`.
///
/// # Errors
/// `INVALID_ARGUMENT` if they are not two integers.
fn row(results: &[Tensor]) -> Result<Row> {
    let number = |tensor: &Tensor| {
        match tensor.dtype() {
        DType::I64 => tensor.item::<i64>().map(|n| n as u64),
        DType::U64 => tensor.item::<u64>(),
        DType::I32 => tensor.item::<i32>().map(|n| n as u64),
        DType::U32 => tensor.item::<u32>().map(u64::from),
        other => Err(Error::invalid(
            "The `index_map_fn` for `index_flat_map` is expected to return two int32/int64 values representing the element \
             index and an offset within the element.",
        )
        .found(other)),
    }
    };
    match results {
        [element, offset] => Ok(Row { element: number(element)?, offset: number(offset)? }),
        _ => Err(Error::invalid(
            "The `index_map_fn` for `index_flat_map` is expected to return two int values representing the element index and \
             an offset within the element.",
        )
        .found(format!("{} values", results.len()))),
    }
}

/// Returns row `offset` of each component; scalars are returned as they are.
///
/// # Errors
/// `INVALID_ARGUMENT` if there is no such row.
fn row_of(rows: &[Tensor], offset: u64, types: &[DType]) -> Result<Tuple> {
    let component = |tensor: &Tensor| match tensor.shape().first() {
        None => Ok(tensor.clone()),
        Some(&n) if offset < n as u64 => tensor.row(offset as usize),
        Some(n) => Err(Error::invalid("`index_map_func` returned the index of a row that the element does not have")
            .expected(format!("less than {n}"))
            .found(offset)),
    };
    let element = rows.iter().map(component).collect::<Result<Tuple>>()?;
    check_results(&element, types)?;
    Ok(element)
}

struct RowsIter {
    input: Box<dyn Iter>,
    map: Calls,
    index: Calls,
    types: Arc<[DType]>,
    /// Number of rows returned so far.
    given: u64,
    /// Index of the element whose rows are cached, according to `index_map_func`.
    element: u64,
    rows: Tuple,
    at: At,
}

impl Iter for RowsIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            match &mut self.at {
                At::Begin => self.at = At::Index(self.index.call(vec![Tensor::scalar(self.given as i64)], turn)),
                At::Index(call) => {
                    let results = ready!(call.poll(turn));
                    self.at = At::Begin;
                    let found = row(&results?)?;
                    // As in TensorFlow, the input advances by one element, even if the index advances by more.
                    if self.rows.is_empty() || found.element > self.element {
                        self.rows.clear();
                        self.at = At::Input(found);
                        continue;
                    }
                    return Poll::Ready(self.give(found));
                }
                At::Input(found) => {
                    let found = *found;
                    let element = ready!(self.input.poll(turn));
                    self.at = At::Begin;
                    match element? {
                        None => return Poll::Ready(Ok(None)),
                        Some(element) => self.at = At::Map(self.map.call(element, turn), found),
                    }
                }
                At::Map(call, found) => {
                    let (results, found) = (ready!(call.poll(turn)), *found);
                    self.at = At::Begin;
                    self.rows = results?;
                    self.element = found.element;
                    return Poll::Ready(self.give(found));
                }
            }
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        let (call, found) = match &self.at {
            At::Map(call, found) => (Some(call), *found),
            // Which row comes next is determined again.
            _ => (None, Row { element: 0, offset: 0 }),
        };
        ready!(save_call(call, turn, to));
        for number in [found.element, found.offset, self.given, self.element] {
            to.int(number as i64);
        }
        to.element(&self.rows);
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        let call = restore_call(&self.map, from)?;
        let found = Row { element: from.int()? as u64, offset: from.int()? as u64 };
        (self.given, self.element) = (from.int()? as u64, from.int()? as u64);
        self.rows = from.element()?;
        self.at = call.map_or(At::Begin, |call| At::Map(call, found));
        self.input.restore(from)
    }
}

impl RowsIter {
    fn give(&mut self, found: Row) -> Result<Option<Tuple>> {
        let element = row_of(&self.rows, found.offset, &self.types)?;
        self.given += 1;
        Ok(Some(element))
    }
}

struct RowsAccess {
    input: Box<dyn Access>,
    map: Calls,
    index: Calls,
    at: At,
    types: Arc<[DType]>,
}

impl Access for RowsAccess {
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        loop {
            match &mut self.at {
                At::Begin => self.at = At::Index(self.index.call(vec![Tensor::scalar(index as i64)], turn)),
                At::Index(call) => {
                    let results = ready!(call.poll(turn));
                    self.at = At::Begin;
                    self.at = At::Input(row(&results?)?);
                }
                At::Input(found) => {
                    let found = *found;
                    let element = ready!(self.input.poll(found.element, turn));
                    self.at = At::Begin;
                    self.at = At::Map(self.map.call(element?, turn), found);
                }
                At::Map(call, found) => {
                    let (results, found) = (ready!(call.poll(turn)), *found);
                    self.at = At::Begin;
                    return Poll::Ready(row_of(&results?, found.offset, &self.types));
                }
            }
        }
    }
}
