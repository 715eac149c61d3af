//! Operators that move or reshape elements.

use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("CenterCropPad", &[18], center_crop_pad),
    op("Concat", &[1, 4, 11, 13], concat),
    op("DepthToSpace", &[1, 11, 13, 28], depth_to_space),
    op("Expand", &[8, 13], expand),
    op("Flatten", &[1, 9, 11, 13, 21, 23, 24, 25], flatten),
    op("Pad", &[1, 2, 11, 13, 18, 19, 21, 23, 24, 25], pad),
    op("Reshape", &[1, 5, 13, 14, 19, 21, 23, 24, 25], reshape),
    op("ReverseSequence", &[10, 28], reverse_sequence),
    op("Shape", &[1, 13, 15, 19, 21, 23, 24, 25], shape),
    op("Size", &[1, 13, 19, 21, 23, 24, 25], size),
    op("Slice", &[1, 10, 11, 13], slice),
    op("SpaceToDepth", &[1, 13, 28], space_to_depth),
    op("Split", &[1, 2, 11, 13, 18], split),
    op("Squeeze", &[1, 11, 13, 21, 23, 24, 25], squeeze),
    op("Tile", &[1, 6, 13], tile),
    op("Transpose", &[1, 13, 21, 23, 24, 25], transpose),
    op("Trilu", &[14], trilu),
    op("Unsqueeze", &[1, 11, 13, 21, 23, 24, 25], unsqueeze),
];

/// Integers from an input, or in old versions from an attribute.
pub(super) fn ints_from(cx: &mut Cx<'_, '_>, input: usize, attr: &str, since: i64) -> Result<Option<Val>> {
    if cx.version < since {
        let ints = cx.ints(attr)?;
        return ints.map(|ints| cx.i64s(&ints)).transpose();
    }
    let Some(val) = cx.optional(input) else { return Ok(None) };
    cx.cast(&val, DType::I64).map(Some)
}

/// Non-negative axes for possibly negative ones of a tensor of this rank (a scalar int64).
pub(super) fn from_front(cx: &mut Cx<'_, '_>, axes: &Val, rank: &Val) -> Result<Val> {
    cx.op("FloorMod", &[axes, rank])
}

/// The rank of a value as a scalar int64.
pub(super) fn rank_of(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Val> {
    match cx.rank(x) {
        Some(rank) => cx.i64(rank as i64),
        None => {
            let rank = cx.op("Rank", &[x])?.of_elem(Elem::INT32);
            cx.cast(&rank, DType::I64)
        }
    }
}

/// A vector with `times` copies of a number.
pub(super) fn repeated(cx: &mut Cx<'_, '_>, number: i64, times: &Val) -> Result<Val> {
    let (times, number) = (cx.reshape(times, &[1])?, cx.i64(number)?);
    Ok(cx.op("Fill", &[&times, &number])?.of_elem(Elem::INT64))
}

/// `into` with the elements at these indices (a vector) replaced.
fn with_elements(cx: &mut Cx<'_, '_>, into: &Val, places: &Val, elements: &Val) -> Result<Val> {
    let places = cx.expand(places, 1)?;
    cx.op("TensorScatterUpdate", &[into, &places, elements])
}

/// The numbers from 0 up to but excluding a scalar.
pub(super) fn counting(cx: &mut Cx<'_, '_>, end: &Val) -> Result<Val> {
    let (zero, one) = (cx.scalar_like(end, 0.0)?, cx.scalar_like(end, 1.0)?);
    cx.op("Range", &[&zero, end, &one])
}

fn concat(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let inputs = cx.inputs()?;
    let axis = if cx.version < 4 { cx.int_or("axis", 1)? } else { cx.int_needed("axis")? };
    match &inputs[..] {
        [] => Err(Error::invalid("the operator has no inputs")),
        [one] => Ok(vec![cx.op("Identity", &[one])?]),
        all => Ok(vec![cx.concat(all, axis)?.like(&all[0])]),
    }
}

fn reshape(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let shape = ints_from(cx, 1, "shape", 5)?.ok_or_else(|| Error::invalid("missing input 1: the shape"))?;
    if cx.flag("allowzero", false)? {
        return Ok(vec![cx.op("Reshape", &[&x, &shape])?]);
    }
    // A zero keeps the size of the axis.
    if let Some(dims) = cx.ints_of(&shape) {
        let own = cx.shape(&x);
        let kept = |(i, &dim): (usize, &i64)| if dim == 0 { own.dim(i as isize).map(|d| d as i64) } else { Some(dim) };
        if let Some(dims) = dims.iter().enumerate().map(kept).collect::<Option<Vec<i64>>>() {
            return Ok(vec![cx.reshape(&x, &dims)?]);
        }
        let mut sizes = Vec::new();
        for (i, &dim) in dims.iter().enumerate() {
            sizes.push(if dim == 0 { cx.size_of(&x, i as i64)? } else { cx.i64(dim)? });
        }
        // One unknown size may be left to the op, which infers it from the others.
        let open = dims.iter().enumerate().map(kept).filter(Option::is_none).count();
        if open == 1 && !dims.contains(&-1) && dims.iter().enumerate().filter_map(kept).all(|d| d > 0) {
            let dims: Vec<i64> = dims.iter().enumerate().map(|d| kept(d).unwrap_or(-1)).collect();
            return Ok(vec![cx.reshape(&x, &dims)?]);
        }
        let shape = cx.pack(&sizes)?;
        return Ok(vec![cx.op("Reshape", &[&x, &shape])?]);
    }
    let n = cx.size_of(&shape, 0)?;
    let (own, ones, zero) = (cx.shape_of(&x)?, repeated(cx, 1, &n)?, cx.i64(0)?);
    let padded = cx.concat(&[own, ones], 0)?;
    let (begin, n) = (cx.i64s(&[0])?, cx.reshape(&n, &[1])?);
    let own = cx.op("Slice", &[&padded, &begin, &n])?;
    let is_zero = cx.op("Equal", &[&shape, &zero])?;
    let known = cx.shape(&shape);
    let shape = cx.op("SelectV2", &[&is_zero, &own, &shape])?.of_elem(Elem::INT64);
    cx.set_shape(&shape, known);
    Ok(vec![cx.op("Reshape", &[&x, &shape])?])
}

fn flatten(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let axis = cx.int_or("axis", 1)?;
    if let Some(dims) = cx.shape(&x).dims() {
        let n = dims.len() as i64;
        let axis = if axis < 0 { axis + n } else { axis };
        let Some(axis) = usize::try_from(axis).ok().filter(|a| *a <= dims.len()) else {
            return Err(Error::invalid(format!("an axis is not one of a tensor of rank {n}")).found(axis));
        };
        let size = |dims: &[Option<usize>]| -> Option<i64> { dims.iter().map(|d| d.map(|d| d as i64)).product() };
        match (size(&dims[..axis]), size(&dims[axis..])) {
            (Some(outer), Some(inner)) => return Ok(vec![cx.reshape(&x, &[outer, inner])?]),
            (None, Some(inner)) if inner > 0 => return Ok(vec![cx.reshape(&x, &[-1, inner])?]),
            (Some(outer), None) if outer > 0 => return Ok(vec![cx.reshape(&x, &[outer, -1])?]),
            _ => {}
        }
    }
    let shape = cx.shape_of(&x)?;
    let (outer, inner) = (cx.range_of(&shape, 0, Some(axis))?, cx.range_of(&shape, axis, None)?);
    let (outer, inner) = (cx.reduce("Prod", &outer, &[0], false)?, cx.reduce("Prod", &inner, &[0], false)?);
    let shape = cx.pack(&[outer, inner])?;
    Ok(vec![cx.op("Reshape", &[&x, &shape])?])
}

fn shape(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let shape = cx.shape_of(&x)?;
    let (start, end) = (cx.int_or("start", 0)?, cx.int("end")?);
    if start == 0 && end.is_none() {
        return Ok(vec![shape]);
    }
    Ok(vec![cx.range_of(&shape, start, end)?])
}

fn size(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    Ok(vec![cx.node("Size").input(&x).attr("out_type", DType::I64).add()?.of_elem(Elem::INT64)])
}

fn squeeze(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let Some(axes) = ints_from(cx, 1, "axes", 13)? else {
        return Ok(vec![cx.op("Squeeze", &[&x])?]);
    };
    if let Some(axes) = cx.ints_of(&axes) {
        // An empty list of axes means all in the library's op, but none here.
        return Ok(vec![if axes.is_empty() { cx.op("Identity", &[&x])? } else { cx.squeeze(&x, &axes)? }]);
    }
    let rank = rank_of(cx, &x)?;
    let (axes, all) = (from_front(cx, &axes, &rank)?, counting(cx, &rank)?);
    let kept = cx.node("ListDiff").input(&all).input(&axes).attr("out_idx", DType::I64).add()?;
    let (shape, zero) = (cx.shape_of(&x)?, cx.i32(0)?);
    let shape = cx.op("GatherV2", &[&shape, &kept, &zero])?;
    Ok(vec![cx.op("Reshape", &[&x, &shape])?])
}

fn unsqueeze(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let axes = ints_from(cx, 1, "axes", 13)?.ok_or_else(|| Error::invalid("missing input 1: the axes"))?;
    if let Some(mut axes) = cx.ints_of(&axes) {
        let mixed = axes.iter().any(|a| *a < 0);
        if let (Some(rank), true) = (cx.rank(&x), mixed) {
            let rank = rank + axes.len();
            axes = axes.into_iter().map(|a| cx.axis(a, rank).map(|a| a as i64)).collect::<Result<_>>()?;
        }
        axes.sort_unstable();
        if axes.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Error::invalid("an axis is named twice").attr("axes"));
        }
        if axes.iter().all(|a| *a >= 0) || axes.len() == 1 {
            let mut y = x.clone();
            for axis in axes {
                y = cx.expand(&y, axis)?;
            }
            return Ok(vec![if y == x { cx.op("Identity", &[&x])? } else { y }]);
        }
    }
    let (rank, n) = (rank_of(cx, &x)?, cx.node("Size").input(&axes).attr("out_type", DType::I64).add()?);
    let axes = cx.reshape(&axes, &[-1])?;
    let rank = cx.plus(&rank, &n.of_elem(Elem::INT64))?;
    let (axes, all) = (from_front(cx, &axes, &rank)?, counting(cx, &rank)?);
    let kept = cx.node("ListDiff").input(&all).input(&axes).attr("out_idx", DType::I64).add()?;
    let (shape, ones) = (cx.shape_of(&x)?, repeated(cx, 1, &rank)?);
    let shape = with_elements(cx, &ones, &kept, &shape)?;
    Ok(vec![cx.op("Reshape", &[&x, &shape])?])
}

fn transpose(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let order = match (cx.ints("perm")?, cx.rank(&x)) {
        (Some(order), _) => cx.i32s(&order)?,
        (None, Some(rank)) => cx.i32s(&(0..rank as i64).rev().collect::<Vec<_>>())?,
        (None, None) => {
            let rank = rank_of(cx, &x)?;
            let (last, end, step) = (cx.plus_number(&rank, -1.0)?, cx.i64(-1)?, cx.i64(-1)?);
            cx.op("Range", &[&last, &end, &step])?
        }
    };
    Ok(vec![cx.op("Transpose", &[&x, &order])?])
}

/// The shape of a value after broadcasting to another shape, which may have fewer axes or sizes of one.
pub(super) fn broadcast(cx: &mut Cx<'_, '_>, x: &Val, shape: &Val) -> Result<Val> {
    let own = cx.shape(x);
    if let (Some(own), Some(wanted)) = (own.known(), cx.ints_of(shape)) {
        let shape = own.broadcast(&Shape::from_signed(&wanted)?)?.to_signed();
        let shape = cx.i64s(&shape)?;
        return cx.op("BroadcastTo", &[x, &shape]);
    }
    let wanted = cx.ints_of(shape).map(|dims| PartialShape::from_signed(&dims));
    let rank = cx.shape(shape).dim(0);
    let mut known = match (wanted, rank) {
        (Some(wanted), _) => own.broadcast(&wanted).unwrap_or_default(),
        (None, Some(rank)) => own.rank().map_or(PartialShape::Unknown, |own| PartialShape::of_rank(own.max(rank))),
        (None, None) => PartialShape::Unknown,
    };
    let own = cx.shape_of(x)?;
    let target = cx.op("BroadcastArgs", &[&own, shape])?;
    let y = cx.op("BroadcastTo", &[x, &target])?;
    if let Ok(merged) = cx.shape(&y).merge(&known) {
        known = merged;
    }
    cx.set_shape(&y, known);
    Ok(y)
}

fn expand(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, shape) = (cx.input(0)?, cx.input(1)?);
    Ok(vec![broadcast(cx, &x, &shape)?])
}

fn tile(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, repeats) = (cx.input(0)?, cx.input(1)?);
    if cx.version >= 6 {
        return Ok(vec![cx.op("Tile", &[&x, &repeats])?]);
    }
    // Older versions: the number of repetitions, and the axis.
    let axis = cx.input(2)?;
    let axis = cx.ints_of(&axis).and_then(|axis| axis.first().copied());
    let axis =
        axis.ok_or_else(|| Error::unimplemented("axes computed in the run are not supported in this version"))?;
    let rank = cx.rank_needed(&x)?;
    let axis = cx.axis(axis, rank)?;
    let (times, one) = (cx.cast(&repeats, DType::I64)?, cx.i64(1)?);
    let times = cx.reshape(&times, &[])?;
    let all: Vec<Val> = (0..rank).map(|i| if i == axis { times.clone() } else { one.clone() }).collect();
    let all = cx.pack(&all)?;
    Ok(vec![cx.op("Tile", &[&x, &all])?])
}

fn slice(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let missing = |what: &str| Error::invalid(format!("missing {what}"));
    let starts = ints_from(cx, 1, "starts", 10)?.ok_or_else(|| missing("starts"))?;
    let ends = ints_from(cx, 2, "ends", 10)?.ok_or_else(|| missing("ends"))?;
    let axes = ints_from(cx, 3, "axes", 10)?;
    let steps = ints_from(cx, 4, "steps", 1)?.filter(|_| cx.version >= 10);
    let count = cx.shape(&starts).dim(0);
    let axes = match (axes, count) {
        (Some(axes), _) => axes,
        (None, Some(count)) => cx.i64s(&(0..count as i64).collect::<Vec<_>>())?,
        (None, None) => {
            let n = cx.size_of(&starts, 0)?;
            counting(cx, &n)?
        }
    };
    let rank = cx.rank(&x);
    let known = cx.ints_of(&axes).and_then(|axes| {
        let axis = |a: i64| match rank {
            Some(rank) => cx.axis(a, rank).ok(),
            None => usize::try_from(a).ok(),
        };
        axes.into_iter().map(axis).collect::<Option<Vec<usize>>>()
    });
    let Some(axes) = known else {
        let rank = rank_of(cx, &x)?;
        let axes = from_front(cx, &axes, &rank)?;
        let mut all = Vec::new();
        for (elements, other) in [(Some(&starts), 0), (Some(&ends), i64::MAX), (steps.as_ref(), 1)] {
            let others = repeated(cx, other, &rank)?;
            all.push(match elements {
                Some(elements) => with_elements(cx, &others, &axes, elements)?,
                None => others,
            });
        }
        let sliced = cx.op("StridedSlice", &[&x, &all[0], &all[1], &all[2]])?;
        if let Some(rank) = cx.rank(&x) {
            cx.set_shape(&sliced, PartialShape::of_rank(rank));
        }
        return Ok(vec![sliced]);
    };
    strided(cx, &x, &axes, &starts, &ends, steps.as_ref()).map(|y| vec![y])
}

/// A slice along these axes; starts, ends and steps are vectors of int64.
fn strided(cx: &mut Cx<'_, '_>, x: &Val, axes: &[usize], starts: &Val, ends: &Val, steps: Option<&Val>) -> Result<Val> {
    let length = axes.iter().max().map_or(0, |axis| axis + 1);
    let mut vectors = Vec::new();
    for (vector, other) in [(Some(starts), 0i64), (Some(ends), 0), (steps, 1)] {
        let values = match vector {
            Some(vector) => cx.ints_of(vector),
            None => Some(vec![1; axes.len()]),
        };
        match (values, vector) {
            (Some(values), _) => {
                let mut all = vec![other; length];
                for (&axis, &value) in axes.iter().zip(&values) {
                    all[axis] = value;
                }
                vectors.push(cx.i64s(&all)?);
            }
            (None, Some(vector)) => {
                let mut all = vec![cx.i64(other)?; length];
                for (i, &axis) in axes.iter().enumerate() {
                    let (i, zero) = (cx.i32(i as i64)?, cx.i32(0)?);
                    all[axis] = cx.op("GatherV2", &[vector, &i, &zero])?;
                }
                vectors.push(cx.pack(&all)?);
            }
            (None, None) => return Err(Error::internal("the steps are given or known")),
        }
    }
    let open: i64 = (0..length).filter(|i| !axes.contains(i)).map(|i| 1i64 << i).sum();
    let node = cx.node("StridedSlice").input(x).inputs(&vectors);
    node.attr("begin_mask", open).attr("end_mask", open).add()
}

fn split(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let axis = cx.int_or("axis", 0)?;
    let sizes = match cx.version < 13 {
        // The first version may also have them as an input.
        true => match cx.ints("split")? {
            Some(sizes) => Some(cx.i64s(&sizes)?),
            None => cx.optional(1),
        },
        false => cx.optional(1),
    };
    let n = match cx.int("num_outputs")? {
        Some(n) => n,
        None => cx.outputs() as i64,
    };
    if n <= 0 || n > 1 << 16 {
        return Err(Error::invalid("the number of outputs is invalid").attr("num_outputs").found(n));
    }
    let axis_val = cx.i32(axis)?;
    let sizes = match sizes {
        Some(sizes) => sizes,
        None => {
            let size = cx.shape(&x).dim(axis as isize);
            if size.is_some_and(|size| size as i64 % n == 0) || cx.version < 18 {
                let split = cx.node("Split").input(&axis_val).input(&x).attr("num_split", n);
                return Ok(split.all()?.into_iter().map(|y| y.like(&x)).collect());
            }
            // The last may be smaller than the others.
            let size = cx.size_of(&x, axis)?;
            let (more, by) = (cx.plus_number(&size, (n - 1) as f64)?, cx.i64(n)?);
            let part = cx.op("FloorDiv", &[&more, &by])?;
            let others = cx.times_number(&part, (n - 1) as f64)?;
            let last = cx.minus(&size, &others)?;
            let mut sizes = vec![part; n as usize - 1];
            sizes.push(last);
            cx.pack(&sizes)?
        }
    };
    let split = cx.node("SplitV").input(&x).input(&sizes).input(&axis_val).attr("num_split", n);
    split.all()
}

/// The sizes of images with channels first, as scalars: batch, channels, height, width.
fn image_sizes(cx: &mut Cx<'_, '_>, x: &Val) -> Result<[Val; 4]> {
    Ok([cx.size_of(x, 0)?, cx.size_of(x, 1)?, cx.size_of(x, 2)?, cx.size_of(x, 3)?])
}

fn block_size(cx: &Cx<'_, '_>) -> Result<i64> {
    let size = cx.int_needed("blocksize")?;
    match (1..1 << 20).contains(&size) {
        true => Ok(size),
        false => Err(Error::invalid("the size of a block must be positive").attr("blocksize").found(size)),
    }
}

fn depth_to_space(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let size = block_size(cx)?;
    let by_columns = cx.text_or("mode", "DCR")? == "CRD";
    let [n, c, h, w] = image_sizes(cx, &x)?;
    let (block, area) = (cx.i64(size)?, cx.i64(size * size)?);
    let depth = cx.op("FloorDiv", &[&c, &area])?;
    let (height, width) = (cx.times(&h, &block)?, cx.times(&w, &block)?);
    let (dims, order) = match by_columns {
        true => ([n.clone(), depth.clone(), block.clone(), block, h, w], [0, 1, 4, 2, 5, 3]),
        false => ([n.clone(), block.clone(), block, depth.clone(), h, w], [0, 3, 4, 1, 5, 2]),
    };
    let dims = cx.pack(&dims)?;
    let y = cx.op("Reshape", &[&x, &dims])?;
    let y = cx.transpose(&y, &order)?;
    let dims = cx.pack(&[n, depth, height, width])?;
    Ok(vec![cx.op("Reshape", &[&y, &dims])?])
}

fn space_to_depth(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let size = block_size(cx)?;
    let [n, c, h, w] = image_sizes(cx, &x)?;
    let block = cx.i64(size)?;
    let (height, width) = (cx.op("FloorDiv", &[&h, &block])?, cx.op("FloorDiv", &[&w, &block])?);
    let depth = cx.times_number(&c, (size * size) as f64)?;
    let dims = cx.pack(&[n.clone(), c, height.clone(), block.clone(), width.clone(), block])?;
    let y = cx.op("Reshape", &[&x, &dims])?;
    let order = if cx.text_or("mode", "DCR")? == "CRD" { [0, 1, 3, 5, 2, 4] } else { [0, 3, 5, 1, 2, 4] };
    let y = cx.transpose(&y, &order)?;
    let dims = cx.pack(&[n, depth, height, width])?;
    Ok(vec![cx.op("Reshape", &[&y, &dims])?])
}

fn reverse_sequence(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, lengths) = (cx.input(0)?, cx.input(1)?);
    let (batch, time) = (cx.int_or("batch_axis", 1)?, cx.int_or("time_axis", 0)?);
    let node = cx.node("ReverseSequence").input(&x).input(&lengths);
    Ok(vec![node.attr("seq_dim", time).attr("batch_dim", batch).add()?])
}

fn trilu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let k = match cx.optional(1) {
        Some(k) => cx.reshape(&k, &[])?,
        None => cx.i64(0)?,
    };
    let upper = cx.flag("upper", true)?;
    let (rows, columns) = (cx.size_of(&x, -2)?, cx.size_of(&x, -1)?);
    let (rows, columns) = (counting(cx, &rows)?, counting(cx, &columns)?);
    let rows = cx.expand(&rows, 1)?;
    let first = cx.plus(&rows, &k)?;
    let kept = cx.op(if upper { "GreaterEqual" } else { "LessEqual" }, &[&columns, &first])?.of_elem(Elem::BOOL);
    let zero = cx.op("ZerosLike", &[&x])?;
    let known = cx.shape(&x);
    let y = cx.op("SelectV2", &[&kept, &x, &zero])?.like(&x);
    cx.set_shape(&y, known);
    Ok(vec![y])
}

/// The padding before and after each axis.
enum Padding {
    Known(Vec<(i64, i64)>),
    /// A tensor of shape `[rank, 2]`.
    Computed(Val),
}

fn padding(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Padding> {
    let name = if cx.version < 2 { "paddings" } else { "pads" };
    let pads = ints_from(cx, 1, name, 11)?.ok_or_else(|| Error::invalid("missing pads"))?;
    let axes = match cx.optional(3).filter(|_| cx.version >= 18) {
        Some(axes) => Some(cx.cast(&axes, DType::I64)?),
        None => None,
    };
    let (known, axes_known) = (cx.ints_of(&pads), axes.as_ref().map(|axes| cx.ints_of(axes)));
    let rank = cx.rank(x);
    match (known, axes_known, rank) {
        (Some(pads), None, _) => {
            let n = pads.len() / 2;
            if pads.len() % 2 != 0 || rank.is_some_and(|rank| rank != n) {
                let error = Error::invalid("pads must have two values for each axis");
                return Err(error.attr("pads").found(format!("{} numbers", pads.len())));
            }
            Ok(Padding::Known((0..n).map(|i| (pads[i], pads[n + i])).collect()))
        }
        (Some(pads), Some(Some(axes)), Some(rank)) => {
            if pads.len() != 2 * axes.len() {
                let error = Error::invalid("pads must have two values for each axis");
                return Err(error.attr("pads").found(format!("{} numbers", pads.len())));
            }
            let mut all = vec![(0, 0); rank];
            for (i, &axis) in axes.iter().enumerate() {
                all[cx.axis(axis, rank)?] = (pads[i], pads[axes.len() + i]);
            }
            Ok(Padding::Known(all))
        }
        _ => {
            let pairs = cx.reshape(&pads, &[2, -1])?;
            let pairs = cx.transpose(&pairs, &[1, 0])?;
            let Some(axes) = axes else { return Ok(Padding::Computed(pairs)) };
            let rank = rank_of(cx, x)?;
            let axes = from_front(cx, &axes, &rank)?;
            let axes = cx.expand(&axes, 1)?;
            let two = cx.i64(2)?;
            let shape = cx.pack(&[rank, two])?;
            Ok(Padding::Computed(cx.op("ScatterNd", &[&axes, &pairs, &shape])?.like(&pairs)))
        }
    }
}

fn pad(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let padding = padding(cx, &x)?;
    let mode = cx.text_or("mode", "constant")?;
    let value = match cx.version < 11 {
        true => {
            let value = cx.float_or("value", 0.0)?;
            Some(cx.scalar_like(&x, f64::from(value))?)
        }
        false => cx.optional(2),
    };
    match &mode[..] {
        "constant" => {
            let value = match value {
                Some(value) => cx.reshape(&value, &[])?,
                None if cx.dtype(&x) == DType::Str => cx.constant(Tensor::string(""))?,
                None => cx.scalar_like(&x, 0.0)?,
            };
            let (x, pairs) = match padding {
                Padding::Known(pads) => padded_by(cx, &x, &pads)?,
                Padding::Computed(pairs) => (x, pairs),
            };
            let y = cx.op("PadV2", &[&x, &pairs, &value])?;
            Ok(vec![y])
        }
        "reflect" | "edge" | "wrap" => {
            let rank = cx.rank_needed(&x)?;
            let mut y = x.clone();
            for axis in 0..rank {
                y = match &padding {
                    Padding::Known(pads) if pads[axis] == (0, 0) => y,
                    Padding::Known(pads) => {
                        let (before, after) = (cx.i64(pads[axis].0)?, cx.i64(pads[axis].1)?);
                        along(cx, &y, axis, &before, &after, &mode)?
                    }
                    Padding::Computed(pairs) => {
                        let mut pair = Vec::new();
                        for side in 0..2 {
                            let place = cx.i64s(&[axis as i64, side])?;
                            pair.push(cx.op("GatherNd", &[pairs, &place])?);
                        }
                        along(cx, &y, axis, &pair[0], &pair[1], &mode)?
                    }
                };
            }
            Ok(vec![y])
        }
        other => Err(Error::invalid("the padding mode is unknown").attr("mode").found(other)),
    }
}

/// Crops by negative pads, and returns the others as a tensor of shape `[rank, 2]`.
fn padded_by(cx: &mut Cx<'_, '_>, x: &Val, pads: &[(i64, i64)]) -> Result<(Val, Val)> {
    let pairs: Vec<i64> = pads.iter().flat_map(|(before, after)| [(*before).max(0), (*after).max(0)]).collect();
    let cut: Vec<usize> = (0..pads.len()).filter(|&i| pads[i].0 < 0 || pads[i].1 < 0).collect();
    let mut x = x.clone();
    if !cut.is_empty() {
        let starts: Vec<i64> = cut.iter().map(|&i| (-pads[i].0).max(0)).collect();
        let ends: Vec<i64> = cut.iter().map(|&i| if pads[i].1 < 0 { pads[i].1 } else { i64::MAX }).collect();
        let (starts, ends) = (cx.i64s(&starts)?, cx.i64s(&ends)?);
        x = strided(cx, &x, &cut, &starts, &ends, None)?;
    }
    let pairs = Tensor::from_vec(Shape::new([pads.len(), 2])?, pairs)?;
    Ok((x, cx.constant(pairs)?))
}

/// Pads one axis with its own elements.
fn along(cx: &mut Cx<'_, '_>, x: &Val, axis: usize, before: &Val, after: &Val, mode: &str) -> Result<Val> {
    let size = cx.size_of(x, axis as i64)?;
    let last = cx.plus_number(&size, -1.0)?;
    let (first, end, one) = (cx.op("Neg", &[before])?, cx.plus(&size, after)?, cx.i64(1)?);
    let places = cx.op("Range", &[&first, &end, &one])?;
    let zero = cx.i64(0)?;
    let places = match mode {
        "edge" => {
            let places = cx.op("Maximum", &[&places, &zero])?;
            cx.op("Minimum", &[&places, &last])?
        }
        "wrap" => cx.op("FloorMod", &[&places, &size])?,
        _ => {
            // Back and forth with each end once: an axis of one element has a period of one.
            let period = cx.times_number(&last, 2.0)?;
            let period = cx.op("Maximum", &[&period, &one])?;
            let places = cx.op("FloorMod", &[&places, &period])?;
            let back = cx.minus(&period, &places)?;
            let places = cx.op("Minimum", &[&places, &back])?;
            cx.op("Minimum", &[&places, &last])?
        }
    };
    let axis = cx.i32(axis as i64)?;
    cx.op("GatherV2", &[x, &places, &axis])
}

/// Crops or pads axes on both sides to the requested sizes.
fn center_crop_pad(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, sizes) = (cx.input(0)?, cx.input(1)?);
    let rank = cx.rank_needed(&x)?;
    let axes = cx.ints("axes")?.unwrap_or_else(|| (0..rank as i64).collect());
    let sizes = cx.cast(&sizes, DType::I64)?;
    let (zero, two) = (cx.i64(0)?, cx.i64(2)?);
    let (mut begin, mut size, mut pads) =
        (vec![zero.clone(); rank], Vec::new(), vec![[zero.clone(), zero.clone()]; rank]);
    for i in 0..rank {
        size.push(cx.size_of(&x, i as i64)?);
    }
    for (i, &axis) in axes.iter().enumerate() {
        let axis = cx.axis(axis, rank)?;
        let (place, first) = (cx.i32(i as i64)?, cx.i32(0)?);
        let wanted = cx.op("GatherV2", &[&sizes, &place, &first])?;
        let own = size[axis].clone();
        let (more, less) = (cx.minus(&wanted, &own)?, cx.minus(&own, &wanted)?);
        let (more, less) = (cx.op("Maximum", &[&more, &zero])?, cx.op("Maximum", &[&less, &zero])?);
        begin[axis] = cx.op("FloorDiv", &[&less, &two])?;
        size[axis] = cx.minus(&own, &less)?;
        let before = cx.op("FloorDiv", &[&more, &two])?;
        let after = cx.minus(&more, &before)?;
        pads[axis] = [before, after];
    }
    let (begin, size) = (cx.pack(&begin)?, cx.pack(&size)?);
    let y = cx.op("Slice", &[&x, &begin, &size])?;
    let pairs = cx.pack(&pads.concat())?;
    let pairs = cx.reshape(&pairs, &[-1, 2])?;
    let value = cx.scalar_like(&x, 0.0)?;
    Ok(vec![cx.op("PadV2", &[&y, &pairs, &value])?])
}
