//! `UnsortedSegmentJoin`: joins the strings of each segment.

use super::join::join;
use crate::prelude::*;

attrs! {
    /// Joins the rows of `inputs` with equal `segment_ids`.
    pub struct UnsortedSegmentJoin {
        /// Separator.
        separator: Bytes = Attr::string("separator").or_str(""),
        /// Element type of `segment_ids`.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
        /// Element type of `num_segments`.
        count: DType = Attr::dtype("Tnumsegments", sets::INDEX).or_type(DType::I32),
    }
}

pub static UNSORTED_SEGMENT_JOIN: Def<UnsortedSegmentJoin> = op("UnsortedSegmentJoin")
    .inputs(&[
        arg("inputs", is(DType::Str)),
        arg("segment_ids", of("Tindices")),
        arg("num_segments", of("Tnumsegments")),
    ])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(shape)
    .kernel(unsorted_segment_join);

fn shape(_: &UnsortedSegmentJoin, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (input, ids) = (cx.input(0), cx.input(1));
    if let (Some(dims), Some(rank)) = (input.dims(), ids.rank())
        && rank <= dims.len()
    {
        let segments = cx.constant_i64s(2).and_then(|n| usize::try_from(*n.first()?).ok());
        cx.output(0, PartialShape::new(std::iter::once(segments).chain(dims[rank..].iter().copied())));
    }
    Ok(())
}

fn unsorted_segment_join(op: &UnsortedSegmentJoin, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, ids, count) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    if !count.shape().is_scalar() {
        return Err(Error::invalid("Number of segments must be a scalar"));
    }
    let count = count.to_i64s()?[0];
    let segments = usize::try_from(count)
        .map_err(|_| Error::invalid(format!("Number of segments must be non-negative but got {count}")))?;
    let (dims, id_dims) = (input.shape().dims(), ids.shape().dims());
    if id_dims.is_empty() {
        return Err(Error::invalid("Segment_id cannot have rank 0"));
    }
    if id_dims.len() > dims.len() {
        return Err(Error::out_of_range(format!(
            "Invalid segment_id rank {} for input with {} dimension(s)",
            id_dims.len(),
            dims.len()
        )));
    }
    for (i, (segment, size)) in id_dims.iter().zip(dims).enumerate() {
        if segment != size {
            return Err(Error::invalid(format!(
                "Segment dimension is {segment} while input dimension is {size} in rank {i}"
            )));
        }
    }
    let inner = &dims[id_dims.len()..];
    let shape = Shape::new(std::iter::once(segments).chain(inner.iter().copied()))?;
    let width: usize = inner.iter().product();
    let mut out = cx.zeros(DType::Str, &shape)?;
    cx.device.arena.check(out.num_elements().saturating_mul(size_of::<Vec<&Bytes>>()))?;
    let mut parts: Vec<Vec<&Bytes>> = vec![Vec::new(); out.num_elements()];
    let strings = input.slice::<Bytes>()?;
    for (row, id) in ids.to_i64s()?.into_iter().enumerate() {
        let segment = usize::try_from(id).ok().filter(|s| *s < segments).ok_or_else(|| {
            Error::invalid("segment_ids are not allowed to exceed num_segments or to have negative values.")
                .found(format!("segment {id} of {segments}"))
        })?;
        for column in 0..width {
            parts[segment * width + column].push(&strings[row * width + column]);
        }
    }
    for (joined, parts) in out.slice_mut::<Bytes>()?.iter_mut().zip(parts) {
        *joined = join(&parts, &op.separator)?;
    }
    cx.set(0, out);
    Ok(())
}
