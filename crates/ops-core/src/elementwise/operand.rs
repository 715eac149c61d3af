//! An input that is broadcast to the shape of the output, handed out in pieces.

use super::BLOCK;
use levada_graph::Shape;
use smallvec::SmallVec;

/// Contiguous runs at least this long are returned without a copy.
const LONG_RUN: usize = 256;

/// Patterns of up to this many elements are written out repeatedly.
const LONG_PERIOD: usize = 4096;

/// An axis of the output, or several merged ones, outermost first.
#[derive(Clone, Copy)]
struct Axis {
    size: usize,
    /// 0 if the input is broadcast along this axis.
    stride: usize,
}

/// An input broadcast to the output's shape, read by position in the output.
pub struct Operand<'a, T>(Kind<'a, T>);

enum Kind<'a, T> {
    /// Has all of the output's elements.
    Full(&'a [T]),
    /// One element everywhere.
    Splat(Vec<T>),
    /// The same run of `period` elements over and over, written out to `period + BLOCK` elements.
    Tiled { run: Vec<T>, period: usize },
    /// Anything else.
    Strided { items: &'a [T], axes: SmallVec<[Axis; 4]>, buffer: Vec<T> },
}

impl<'a, T: Clone> Operand<'a, T> {
    /// Returns the elements `items` of shape `from`, broadcast to `to`; at most `len` consecutive elements of the
    /// result will be requested.
    pub fn new(items: &'a [T], from: &Shape, to: &Shape, len: usize) -> Operand<'a, T> {
        if items.len() == to.num_elements() {
            return Operand(Kind::Full(items));
        }
        if let [item] = items {
            return Operand(Kind::Splat(vec![item.clone(); len.min(BLOCK)]));
        }
        let axes = collapse(from, to);
        if let [Axis { stride: 0, .. }, Axis { size, .. }] = axes[..]
            && size <= LONG_PERIOD
        {
            let total = size + len.min(BLOCK);
            let mut run = Vec::with_capacity(total);
            while run.len() < total {
                run.extend_from_slice(&items[..size.min(total - run.len())]);
            }
            return Operand(Kind::Tiled { run, period: size });
        }
        Operand(Kind::Strided { items, axes, buffer: Vec::new() })
    }

    /// Returns the number of elements in the piece at position `at`, at most `max`.
    #[inline]
    pub fn span(&self, at: usize, max: usize) -> usize {
        match &self.0 {
            Kind::Strided { axes, .. } => match axes.last() {
                Some(inner) if inner.stride != 0 && inner.size >= LONG_RUN => max.min(inner.size - at % inner.size),
                _ => max.min(BLOCK),
            },
            _ => max,
        }
    }

    /// Returns the elements starting at position `at` of the output: at least one and at most `max`, which must not be
    /// 0.
    #[inline]
    pub fn piece(&mut self, at: usize, max: usize) -> &[T] {
        match &mut self.0 {
            Kind::Full(items) => &items[at..at + max],
            Kind::Splat(items) => &items[..max.min(items.len())],
            Kind::Tiled { run, period } => {
                let start = at % *period;
                &run[start..(start + max).min(run.len())]
            }
            Kind::Strided { items, axes, buffer } => strided(items, axes, buffer, at, max),
        }
    }
}

fn strided<'b, T: Clone>(items: &'b [T], axes: &[Axis], buffer: &'b mut Vec<T>, at: usize, max: usize) -> &'b [T] {
    let Some((inner, outer)) = axes.split_last() else { return items };
    let (mut rest, column) = (at / inner.size, at % inner.size);
    let mut index: SmallVec<[usize; 8]> = SmallVec::from_elem(0, outer.len());
    let mut row = 0;
    for (i, axis) in outer.iter().enumerate().rev() {
        index[i] = rest % axis.size;
        row += index[i] * axis.stride;
        rest /= axis.size;
    }
    let left = inner.size - column;
    if inner.stride != 0 && (left >= max || inner.size >= LONG_RUN) {
        return &items[row + column..row + column + left.min(max)];
    }
    let total = max.min(BLOCK);
    buffer.clear();
    let mut column = column;
    loop {
        if column == 0
            && let Some(last) = outer.len().checked_sub(1)
        {
            // Short runs, as many as the axis around them has.
            let count = ((total - buffer.len()) / inner.size).min(outer[last].size - index[last]);
            if count > 1 && repeat(items, (row, count), (*inner, outer[last]), buffer) {
                if buffer.len() == total {
                    return buffer;
                }
                row += (count - 1) * outer[last].stride;
                index[last] += count - 1;
                advance(outer, &mut index, &mut row);
                continue;
            }
        }
        let n = (inner.size - column).min(total - buffer.len());
        if inner.stride == 0 {
            buffer.resize(buffer.len() + n, items[row].clone());
        } else {
            buffer.extend_from_slice(&items[row + column..row + column + n]);
        }
        if buffer.len() == total {
            return buffer;
        }
        column = 0;
        advance(outer, &mut index, &mut row);
    }
}

/// Goes on to the next run.
fn advance(outer: &[Axis], index: &mut [usize], row: &mut usize) {
    for (i, axis) in outer.iter().enumerate().rev() {
        index[i] += 1;
        *row += axis.stride;
        if index[i] < axis.size {
            break;
        }
        *row -= axis.size * axis.stride;
        index[i] = 0;
    }
}

/// Appends `count` whole runs, the first of which begins with element `row`; false if there is no faster way than one
/// by one.
fn repeat<T: Clone>(
    items: &[T],
    (row, count): (usize, usize),
    (inner, around): (Axis, Axis),
    buffer: &mut Vec<T>,
) -> bool {
    let start = buffer.len();
    match (inner, around) {
        (Axis { stride: 1, size }, Axis { stride: 0, .. }) => {
            buffer.extend_from_slice(&items[row..row + size]);
            while buffer.len() < start + count * size {
                let more = (buffer.len() - start).min(start + count * size - buffer.len());
                buffer.extend_from_within(start..start + more);
            }
        }
        (Axis { stride: 0, size }, Axis { stride: 1, .. }) => {
            let items = &items[row..row + count];
            match size {
                2 => buffer.extend(items.iter().flat_map(|item| [item.clone(), item.clone()])),
                3 => buffer.extend(items.iter().flat_map(|item| [item.clone(), item.clone(), item.clone()])),
                4 => buffer.extend(items.iter().flat_map(|i| [i.clone(), i.clone(), i.clone(), i.clone()])),
                _ => return false,
            }
        }
        _ => return false,
    }
    true
}

/// Returns the axes of `to` with the strides of `from`; adjacent axes are merged where possible and axes of size 1
/// removed.
fn collapse(from: &Shape, to: &Shape) -> SmallVec<[Axis; 4]> {
    let mut axes: SmallVec<[Axis; 4]> = SmallVec::new();
    let missing = to.rank().saturating_sub(from.rank());
    let strides = from.strides();
    for (i, &size) in to.iter().enumerate() {
        if size == 1 {
            continue;
        }
        let stride = if i < missing || from[i - missing] == 1 { 0 } else { strides[i - missing] };
        match axes.last_mut() {
            Some(last) if (last.stride == 0) == (stride == 0) => {
                last.size *= size;
                last.stride = stride;
            }
            _ => axes.push(Axis { size, stride }),
        }
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(items: &[usize], from: &Shape, to: &Shape) -> Vec<usize> {
        let (strides, missing) = (from.strides(), to.rank() - from.rank());
        (0..to.num_elements())
            .map(|mut at| {
                let mut offset = 0;
                for i in (0..to.rank()).rev() {
                    if i >= missing && from[i - missing] != 1 {
                        offset += at % to[i] * strides[i - missing];
                    }
                    at /= to[i];
                }
                items[offset]
            })
            .collect()
    }

    #[test]
    fn pieces_are_the_broadcast_elements() {
        let shapes: &[(&[usize], &[usize])] = &[
            (&[], &[7]),
            (&[3], &[5, 3]),
            (&[5, 1], &[5, 3]),
            (&[5, 1], &[5, 700]),
            (&[1, 700], &[5, 700]),
            (&[700], &[5, 700]),
            (&[5000], &[2, 5000]),
            (&[2, 1, 3], &[2, 4, 3]),
            (&[2, 1, 3, 1], &[2, 4, 3, 5]),
            (&[1, 4, 1, 5], &[2, 4, 3, 5]),
            (&[2, 1, 90], &[2, 4, 90]),
            (&[9, 1, 4], &[9, 300, 4]),
            (&[3, 1, 1, 5], &[3, 7, 30, 5]),
            (&[9, 300, 1], &[9, 300, 2]),
            (&[9, 30, 1], &[9, 30, 3]),
            (&[300, 1], &[300, 4]),
            (&[2, 3, 40, 1], &[2, 3, 40, 5]),
            (&[2, 3, 1, 1], &[2, 3, 30, 20]),
        ];
        for (from, to) in shapes {
            let from = Shape::new(from.iter().copied()).unwrap();
            let to = Shape::new(to.iter().copied()).unwrap();
            let items: Vec<usize> = (0..from.num_elements()).collect();
            let expected = plain(&items, &from, &to);
            for step in [1, 3, 64, 513, usize::MAX] {
                let mut operand = Operand::new(&items, &from, &to, expected.len());
                let mut found = Vec::new();
                while found.len() < expected.len() {
                    let max = (expected.len() - found.len()).min(step);
                    let piece = operand.piece(found.len(), max);
                    assert!(!piece.is_empty() && piece.len() <= max);
                    found.extend_from_slice(piece);
                }
                assert_eq!(found, expected, "{from} to {to} by {step}");
            }
        }
    }
}
