//! `RaggedTensorToTensor`: converts a ragged tensor to a dense one, filling short rows with a default value.

use crate::moves::Cell;
use crate::prelude::*;
use crate::rules::{GATHER_ND, Handles, LOGICAL_NOT, WHERE, int, never, range};
use levada_graph::spec::Primitive;

attrs! {
    /// Converts a ragged tensor to a dense one: rows are truncated, or padded with `default_value`, to the sizes in
    /// `shape` or to those of the longest rows.
    pub struct RaggedTensorToTensor {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the partitions.
        index: DType = Attr::dtype("Tindex", &[DType::I64, DType::I32]),
        /// Element type of `shape`.
        shape: DType = Attr::dtype("Tshape", &[DType::I64, DType::I32]),
        /// Number of partitions.
        n: i64 = Attr::int("num_row_partition_tensors").at_least(1),
        /// Kind of each partition: `FIRST_DIM_SIZE`, `VALUE_ROWIDS` or `ROW_SPLITS`.
        kinds: Vec<String> = Attr::strings("row_partition_types"),
    }
}

pub static RAGGED_TENSOR_TO_TENSOR: Def<RaggedTensorToTensor> = op("RaggedTensorToTensor")
    .inputs(&[
        arg("shape", of("Tshape")),
        arg("values", of("T")),
        arg("default_value", of("T")),
        arg("row_partition_tensors", of("Tindex")).times("num_row_partition_tensors"),
    ])
    .outputs(&[arg("result", of("T"))])
    .shape(shape)
    .gradient(gradient)
    .kernel(ragged_tensor_to_tensor)
    .heavy();

fn shape(op: &RaggedTensorToTensor, cx: &mut ShapeCx<'_>) -> Result<()> {
    let axes = op.axes()?.len();
    let asked = match (cx.constant(0), cx.input(0).rank()) {
        (Some(shape), _) => asked(shape)?,
        (None, Some(1)) => cx.constant_shape(0),
        _ => PartialShape::Unknown,
    };
    let values = cx.input(1);
    let own = match values.dims() {
        Some([_, inner @ ..]) => PartialShape::new(std::iter::repeat_n(None, axes + 1).chain(inner.iter().copied())),
        _ => PartialShape::Unknown,
    };
    let shape = own.merge(&asked).map_err(|_| incompatible(&own, &asked))?;
    cx.output(0, shape);
    Ok(())
}

fn ragged_tensor_to_tensor(op: &RaggedTensorToTensor, cx: &mut Cx<'_, '_>) -> Result<()> {
    let kinds = op.axes()?;
    let asked = asked(cx.input(0)?)?;
    let (values, default) = (cx.input(1)?, cx.input(2)?);
    if default.shape().rank() >= values.shape().rank() {
        return Err(op.bad_default(values, default, "default_value.rank must be less than rt_input.flat_values.rank"));
    }
    let inner = &values.shape()[1..];
    let skip = inner.len() - default.shape().rank();
    if default.shape().iter().zip(&inner[skip..]).any(|(&d, &v)| d != v && d != 1) {
        return Err(op.bad_default(values, default, "a size differs"));
    }
    let rank = kinds.len() + 1 + inner.len();
    if asked.rank().is_some_and(|r| r != rank) {
        return Err(incompatible(&PartialShape::of_rank(rank), &asked));
    }
    let size = |axis: usize| asked.dim(axis as isize);
    let given = cx.num_inputs() - 3;
    let skip_first = given - kinds.len();
    let first = cx.input(3)?;
    if first.num_elements() == 0 {
        return Err(Error::invalid("Invalid first partition input. Tensor requires at least one element."));
    }
    let first = match skip_first {
        0 => first.num_elements() as i64 - 1,
        _ => first.to_i64s()?[0],
    };
    let first = usize::try_from(first)
        .map_err(|_| Error::invalid(format!("the first dimension is {first}, which is negative")))?;
    let mut axes = vec![Rows::First(first, size(0).unwrap_or(first))];
    for (i, kind) in kinds.iter().enumerate() {
        let partition = cx.input(3 + skip_first + i)?;
        if partition.shape().rank() != 1 {
            return Err(Error::invalid(format!("a row partition must be a vector, got shape {}", partition.shape())));
        }
        let above = axes[i].len();
        axes.push(rows(*kind, partition.to_i64s()?, above, size(i + 1))?);
    }
    let used = axes[kinds.len()].len();
    if used > values.shape()[0] {
        return Err(Error::invalid(format!(
            "the row partitions are for {used} values, but there are {}",
            values.shape()[0]
        )));
    }
    let outer = axes.iter().map(|axis| match axis {
        Rows::First(_, size) | Rows::Splits(_, size) | Rows::Ids(_, size) => *size,
    });
    let own = PartialShape::new(outer.clone().chain(inner.iter().copied()).map(Some));
    own.merge(&asked).map_err(|_| incompatible(&own, &asked))?;
    let shape = Shape::new(outer.chain(inner.iter().copied()))?;
    let mut out = cx.alloc(op.dtype, &shape)?;
    if out.num_elements() > 0 {
        let width: usize = inner.iter().product();
        let inner_shape = Shape::new(inner.iter().copied())?;
        let strides = inner_shape.strides();
        let from_default = |at: usize| {
            let dims = default.shape().iter().zip(&strides[skip..]);
            dims.fold(0, |place, (&d, &s)| place * d + if d == 1 { 0 } else { at / s % d })
        };
        cells!(op.dtype, |T| {
            let (values, default) = (T::cells(values)?, T::cells(default)?);
            let filler: Vec<T> = (0..width).map(|at| default[from_default(at)].clone()).collect();
            let out = T::cells_mut(&mut out)?;
            out.chunks_exact_mut(width).for_each(|row| row.clone_from_slice(&filler));
            for i in 0..used {
                if let Some(at) = place(&axes, i) {
                    out[at * width..(at + 1) * width].clone_from_slice(&values[i * width..(i + 1) * width]);
                }
            }
        });
    }
    cx.set(0, out);
    Ok(())
}

fn incompatible(own: &PartialShape, asked: &PartialShape) -> Error {
    Error::invalid(format!("rt_input.shape and shape={asked} are incompatible"))
        .found(format!("rt_input.shape = {own}"))
}

/// Returns the shape requested by a tensor.
fn asked(shape: &Tensor) -> Result<PartialShape> {
    let dims = shape.to_i64s()?;
    match (shape.shape().rank(), &dims[..]) {
        (0, [-1]) => Ok(PartialShape::Unknown),
        (0, _) => Err(Error::invalid("The only valid scalar shape tensor is the fully unknown shape specified as -1.")),
        (1, _) => match dims.iter().find(|&&d| d < -1) {
            Some(d) => Err(Error::invalid(format!("Dimension {d} must be >= -1"))),
            None => Ok(PartialShape::from_signed(&dims)),
        },
        (rank, _) => Err(Error::invalid(format!("shape must be a scalar or vector, but has rank {rank}"))),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    RowIds,
    Splits,
}

impl RaggedTensorToTensor {
    /// Returns the partition kinds of the ragged axes, from the outermost inwards.
    fn axes(&self) -> Result<Vec<Kind>> {
        let mut kinds = self.kinds.iter().map(String::as_str).peekable();
        let counted = kinds.next_if_eq(&"FIRST_DIM_SIZE").is_some();
        let kind = |kind: &str| match kind {
            "VALUE_ROWIDS" => Ok(Kind::RowIds),
            "ROW_SPLITS" => Ok(Kind::Splits),
            "FIRST_DIM_SIZE" | "ROW_LENGTHS" | "ROW_LIMITS" | "ROW_STARTS" => {
                Err(Error::invalid(format!("Unsupported partition type: {kind}")))
            }
            _ => Err(Error::invalid(format!("Unknown string for partition info type: {kind}"))),
        };
        let axes: Vec<Kind> = kinds.map(kind).collect::<Result<_>>()?;
        if !counted && axes.first() != Some(&Kind::Splits) {
            return Err(Error::invalid("VALUE_ROWIDS cannot be first"));
        }
        if self.kinds.len() as i64 != self.n {
            return Err(Error::invalid(format!("{} partitions but {} types of them", self.n, self.kinds.len())));
        }
        Ok(axes)
    }
}

/// The positions of the rows of an axis in the result.
enum Rows {
    /// Row `i` is at `i`, below a limit, of this many.
    First(usize, usize),
    /// Splits, and the size that rows are truncated to.
    Splits(Vec<i64>, usize),
    /// For each element its row and its position in the row, and the size that rows are truncated to.
    Ids(Vec<(usize, usize)>, usize),
}

impl Rows {
    fn len(&self) -> usize {
        match self {
            Rows::First(n, _) => *n,
            Rows::Splits(splits, _) => splits.last().map_or(0, |&n| n as usize),
            Rows::Ids(ids, _) => ids.len(),
        }
    }
}

/// Returns the position of element `i` of the innermost of `axes`; `None` if it was truncated. The axes are evaluated
/// lazily, because their lengths say nothing about available memory.
fn place(axes: &[Rows], mut i: usize) -> Option<usize> {
    let mut scale = 1;
    let mut at = 0;
    for axis in axes.iter().rev() {
        let (row, column, size) = match axis {
            Rows::First(_, size) => (0, i, *size),
            Rows::Splits(splits, size) => {
                let row = splits.partition_point(|&s| s <= i as i64) - 1;
                (row, i - splits[row] as usize, *size)
            }
            Rows::Ids(ids, size) => (ids[i].0, ids[i].1, *size),
        };
        if column >= size {
            return None;
        }
        at += column * scale;
        scale *= size;
        i = row;
    }
    Some(at)
}

impl RaggedTensorToTensor {
    fn bad_default(&self, values: &Tensor, default: &Tensor, why: &str) -> Error {
        Error::invalid(format!(
            "default_value.shape={} and rt_input.flat_values.shape={} are incompatible: {why}",
            default.shape(),
            values.shape()
        ))
    }
}

/// Returns the rows of an axis below one of `above` elements. Without a size, it is that of the longest row.
fn rows(kind: Kind, found: Vec<i64>, above: usize, size: Dim) -> Result<Rows> {
    match kind {
        Kind::Splits => {
            let wrong = || Error::invalid("Invalid row split size.");
            if found.first().is_some_and(|&s| s != 0) || !found.is_sorted() || found.len() > above.saturating_add(1) {
                return Err(wrong());
            }
            let longest = found.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
            Ok(Rows::Splits(found, size.unwrap_or(longest as usize)))
        }
        Kind::RowIds => {
            let mut ids: Vec<(usize, usize)> = Vec::with_capacity(found.len());
            let mut longest = 0;
            for (i, &id) in found.iter().enumerate() {
                let row = usize::try_from(id).ok().filter(|&row| row < above).ok_or_else(|| {
                    let which = if i == 0 { "current" } else { "next" };
                    Error::invalid(format!("Got {which}_value_rowid={id} which is not less than {above}"))
                })?;
                let column = ids.last().filter(|(last, _)| *last == row).map_or(0, |(_, column)| column + 1);
                longest = longest.max(column + 1);
                ids.push((row, column));
            }
            Ok(Rows::Ids(ids, size.unwrap_or(longest)))
        }
    }
}

fn gradient(op: &RaggedTensorToTensor, g: &GradCx) -> Grads {
    let (values, default, dy) = (g.input(1), g.input(2), g.dy(0));
    let axes = op.kinds.iter().filter(|kind| *kind != "FIRST_DIM_SIZE").count();
    let shape = values.dims();
    let outer = dy.dims().slice1(0, axes as i32 + 1);
    let numbers = range(g, values.rows());
    let mut inputs = vec![outer, numbers, int(g, -1)];
    inputs.extend(g.inputs().into_iter().skip(3));
    let of_numbers = RaggedTensorToTensor { dtype: DType::I32, shape: DType::I32, ..op.clone() };
    let indices = RAGGED_TENSOR_TO_TENSOR.node(g, &of_numbers, &inputs);
    let filled = indices.equal(int(g, -1));
    let taken = filled.apply(LOGICAL_NOT).apply(WHERE);
    let slices = GATHER_ND.call([dy, taken]);
    let numbers = GATHER_ND.call([indices, taken]);
    // The gradient at positions filled with the default, summed over all of them and over the broadcast axes.
    let rest = GATHER_ND.call([dy, filled.apply(WHERE)]);
    let inner = rest.sum(g.ints(&[0]));
    let default_shape = default.dims();
    let along = g.primitive(Primitive::BroadcastGradientArgs, &[inner.dims(), default_shape], &[]).out(1);
    let default = inner.sum(along).reshape(default_shape);
    let mut grads = never(g);
    grads[1] = Some(Grad::Slices { values: slices.at, indices: numbers.at, shape: shape.at });
    grads[2] = default.into();
    grads
}
