//! `XlaReduceWindow` and `XlaSelectAndScatter`: reduction and selection in windows of a tensor, with given functions.

use crate::calls::{Reducer, perform, put, spread, take};
use crate::numbers::vector;
use crate::prelude::*;
use crate::{ELEMENTS, ELEMENTS_AND_BOOL};

attrs! {
    /// Reduces the elements of `input` in each window with the function `computation`, starting from `init_value`, in
    /// any order.
    pub struct XlaReduceWindow {
        /// Element type.
        dtype: DType = Attr::dtype("T", ELEMENTS_AND_BOOL),
        /// Element type of the sizes.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
        /// Function of two elements.
        computation: Func = Attr::func("computation"),
    }
}

pub static XLA_REDUCE_WINDOW: Def<XlaReduceWindow> = op::<XlaReduceWindow>("XlaReduceWindow")
    .inputs(&[
        arg("input", of("T")),
        arg("init_value", of("T")),
        arg("window_dimensions", of("Tindices")),
        arg("window_strides", of("Tindices")),
        arg("base_dilations", of("Tindices")),
        arg("window_dilations", of("Tindices")),
        arg("padding", of("Tindices")),
    ])
    .outputs(&[arg("output", of("T"))])
    .role(Role::Call)
    .shape(|_, cx| {
        let shape = cx.input(0).rank().map_or(PartialShape::Unknown, PartialShape::of_rank);
        cx.output(0, shape);
        Ok(())
    })
    .kernel(reduce_window)
    .heavy();

/// How a window moves along an axis.
#[derive(Clone, Copy)]
struct Window {
    /// Size of the axis.
    size: usize,
    /// Size of the window.
    width: usize,
    stride: usize,
    /// Distance between adjacent elements of the axis, which is dilated.
    apart: usize,
    /// Distance between adjacent elements of the window.
    dilation: usize,
    /// Padding before the axis; negative to exclude the first elements.
    low: i64,
    /// Number of window positions.
    count: usize,
}

impl Window {
    fn new(axis: usize, size: usize, [width, stride, apart, dilation, low, high]: [i64; 6]) -> Result<Window> {
        let positive = |value: i64, what: &str| {
            usize::try_from(value)
                .ok()
                .filter(|value| *value > 0)
                .ok_or_else(|| Error::invalid(format!("{what} of axis {axis} must be positive")).found(value))
        };
        let too_large = || Error::invalid(format!("the windows of axis {axis} are too large"));
        let window = Window {
            size,
            width: positive(width, "window_dimensions")?,
            stride: positive(stride, "window_strides")?,
            apart: positive(apart, "base_dilations")?,
            dilation: positive(dilation, "window_dilations")?,
            low,
            count: 0,
        };
        let spread = |count: usize, step: usize| -> Option<i64> {
            let last = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(step)?.checked_add(1))?;
            i64::try_from(last).ok()
        };
        let whole = spread(size, window.apart)
            .and_then(|size| size.checked_add(low)?.checked_add(high))
            .ok_or_else(too_large)?;
        let reach = spread(window.width, window.dilation).ok_or_else(too_large)?;
        let count = if whole < reach { 0 } else { (whole - reach) as usize / window.stride + 1 };
        Ok(Window { count, ..window })
    }

    /// Returns the index on the axis of element `offset` of the window at `position`, if there is one.
    fn at(&self, position: usize, offset: usize) -> Option<usize> {
        let at = position as i64 * self.stride as i64 + offset as i64 * self.dilation as i64 - self.low;
        let at = usize::try_from(at).ok().filter(|at| at % self.apart == 0)? / self.apart;
        (at < self.size).then_some(at)
    }
}

/// The windows of a tensor.
struct Windows {
    axes: Vec<Window>,
    /// Number of window positions along each axis.
    positions: Shape,
    /// Shape of the window.
    window: Shape,
    strides: Vec<usize>,
}

impl Windows {
    fn new(axes: Vec<Window>, whole: &Shape) -> Result<Windows> {
        let positions = Shape::new(axes.iter().map(|axis| axis.count))?;
        let window = Shape::new(axes.iter().map(|axis| axis.width))?;
        Ok(Windows { axes, positions, window, strides: whole.strides().to_vec() })
    }

    /// Returns the positions at which element number `offset` of the window is an element of the tensor, and the
    /// indices of those elements.
    fn pairs(&self, offset: usize) -> (Vec<usize>, Vec<usize>) {
        let mut rest = offset;
        let mut pairs = vec![(0, 0)];
        let offsets: Vec<usize> = self
            .window
            .strides()
            .iter()
            .map(|&stride| {
                let own = rest / stride;
                rest %= stride;
                own
            })
            .collect();
        for ((axis, &offset), &stride) in self.axes.iter().zip(&offsets).zip(&self.strides) {
            let along: Vec<(usize, usize)> =
                (0..axis.count).filter_map(|position| Some((position, axis.at(position, offset)?))).collect();
            pairs = pairs
                .into_iter()
                .flat_map(|(position, element)| {
                    along.iter().map(move |&(p, e)| (position * axis.count + p, element + e * stride))
                })
                .collect();
        }
        pairs.into_iter().unzip()
    }
}

/// Returns the padding in input `i`, a matrix of two sizes per axis.
fn margins(cx: &Cx<'_, '_>, i: usize, rank: usize) -> Result<Vec<[i64; 2]>> {
    let tensor = cx.input(i)?;
    if tensor.shape().dims() != [rank, 2] {
        return Err(Error::invalid("padding must have two sizes for each axis")
            .expected(format!("shape [{rank},2]"))
            .found(format!("shape {}", tensor.shape())));
    }
    Ok(tensor.to_i64s()?.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
}

fn scalar(cx: &Cx<'_, '_>, i: usize) -> Result<Tensor> {
    let value = cx.input(i)?;
    match value.shape().is_scalar() {
        true => Ok(value.clone()),
        false => Err(Error::invalid("init_value must be a scalar").found(format!("shape {}", value.shape()))),
    }
}

fn reduce_window(op: &XlaReduceWindow, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?.clone();
    let shape = input.shape().clone();
    let rank = shape.rank();
    let init = scalar(cx, 1)?;
    let width = vector(cx, 2, "window_dimensions", rank)?;
    let strides = vector(cx, 3, "window_strides", rank)?;
    let apart = vector(cx, 4, "base_dilations", rank)?;
    let dilations = vector(cx, 5, "window_dilations", rank)?;
    let padding = margins(cx, 6, rank)?;
    let axis = |i: usize| {
        let [low, high] = padding[i];
        Window::new(i, shape[i], [width[i], strides[i], apart[i], dilations[i], low, high])
    };
    let windows = Windows::new((0..rank).map(axis).collect::<Result<_>>()?, &shape)?;
    check(cx, &windows, &input)?;
    let reducer = Reducer::of(cx, &op.computation, vec![op.dtype])?;
    perform(cx, async move {
        let mut out = spread(init, &Shape::vector(windows.positions.num_elements()))?;
        let input = input.reshaped(Shape::vector(shape.num_elements()))?;
        for offset in 0..windows.window.num_elements() {
            let (to, from) = windows.pairs(offset);
            if !to.is_empty() {
                let reduced = reducer.each(vec![take(&out, &to)?, take(&input, &from)?]).await?;
                reduced.iter().try_for_each(|reduced| put(&mut out, &to, reduced))?;
            }
        }
        Ok(vec![out.reshaped(windows.positions)?])
    });
    Ok(())
}

/// Checks that there is memory for the elements of all positions and their indices.
fn check(cx: &Cx<'_, '_>, windows: &Windows, input: &Tensor) -> Result<()> {
    let each = input.dtype().size() * 3 + size_of::<[usize; 4]>();
    cx.device.arena.check(windows.positions.num_elements().saturating_mul(each))
}

attrs! {
    /// For each window of `operand`, picks an element with `select` and combines the corresponding element of `source`
    /// into that position of the output, which starts as `init_value`, with `scatter`.
    pub struct XlaSelectAndScatter {
        /// Element type.
        dtype: DType = Attr::dtype("T", ELEMENTS),
        /// Element type of the sizes.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
        /// Function that returns whether the first of two elements stays selected.
        select: Func = Attr::func("select"),
        /// Function that combines an element with the value added to it.
        scatter: Func = Attr::func("scatter"),
    }
}

pub static XLA_SELECT_AND_SCATTER: Def<XlaSelectAndScatter> = op::<XlaSelectAndScatter>("XlaSelectAndScatter")
    .inputs(&[
        arg("operand", of("T")),
        arg("window_dimensions", of("Tindices")),
        arg("window_strides", of("Tindices")),
        arg("padding", of("Tindices")),
        arg("source", of("T")),
        arg("init_value", of("T")),
    ])
    .outputs(&[arg("output", of("T"))])
    .role(Role::Call)
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(select_and_scatter)
    .heavy();

fn select_and_scatter(op: &XlaSelectAndScatter, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (operand, source) = (cx.input(0)?.clone(), cx.input(4)?.clone());
    let shape = operand.shape().clone();
    let rank = shape.rank();
    let width = vector(cx, 1, "window_dimensions", rank)?;
    let strides = vector(cx, 2, "window_strides", rank)?;
    let padding = margins(cx, 3, rank)?;
    let init = scalar(cx, 5)?;
    let axis = |i: usize| Window::new(i, shape[i], [width[i], strides[i], 1, 1, padding[i][0], padding[i][1]]);
    let windows = Windows::new((0..rank).map(axis).collect::<Result<_>>()?, &shape)?;
    check(cx, &windows, &operand)?;
    if *source.shape() != windows.positions {
        return Err(Error::invalid("source must have an element for each position of the window")
            .expected(format!("shape {}", windows.positions))
            .found(format!("shape {}", source.shape())));
    }
    let select = Reducer::of(cx, &op.select, vec![DType::Bool])?;
    let scatter = Reducer::of(cx, &op.scatter, vec![op.dtype])?;
    perform(cx, async move {
        let operand = operand.reshaped(Shape::vector(shape.num_elements()))?;
        // The element selected so far at each position.
        let mut chosen: Vec<Option<usize>> = vec![None; windows.positions.num_elements()];
        for offset in 0..windows.window.num_elements() {
            let (positions, elements) = windows.pairs(offset);
            let mut rivals = Vec::new();
            for (position, element) in positions.into_iter().zip(elements) {
                match chosen[position] {
                    None => chosen[position] = Some(element),
                    Some(held) => rivals.push((position, held, element)),
                }
            }
            if rivals.is_empty() {
                continue;
            }
            let held: Vec<usize> = rivals.iter().map(|rival| rival.1).collect();
            let others: Vec<usize> = rivals.iter().map(|rival| rival.2).collect();
            let stays = select.each(vec![take(&operand, &held)?, take(&operand, &others)?]).await?;
            let stays = stays.first().map_or(Ok(&[][..]), |stays| stays.slice::<bool>())?;
            for (&(position, _, element), stays) in rivals.iter().zip(stays) {
                if !stays {
                    chosen[position] = Some(element);
                }
            }
        }
        let (from, to): (Vec<usize>, Vec<usize>) =
            chosen.iter().enumerate().filter_map(|(position, element)| Some((position, (*element)?))).unzip();
        let source = source.reshaped(Shape::vector(chosen.len()))?;
        let mut out = spread(init, &Shape::vector(shape.num_elements()))?;
        combine(&scatter, &mut out, &to, &take(&source, &from)?).await?;
        Ok(vec![out.reshaped(shape)?])
    });
    Ok(())
}

/// Combines `values` with the elements of a vector at the positions `to`, using `combine`; values for the same
/// position are combined sequentially.
pub async fn combine(combine: &Reducer, out: &mut Tensor, to: &[usize], values: &Tensor) -> Result<()> {
    // The first values for each position, then the second ones, and so on.
    let mut met = vec![0usize; out.num_elements()];
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for (i, &at) in to.iter().enumerate() {
        let round = met[at];
        met[at] += 1;
        if rounds.len() <= round {
            rounds.push(Vec::new());
        }
        rounds[round].push(i);
    }
    drop(met);
    for round in rounds {
        let places: Vec<usize> = round.iter().map(|&i| to[i]).collect();
        let combined = combine.each(vec![take(out, &places)?, take(values, &round)?]).await?;
        combined.iter().try_for_each(|combined| put(out, &places, combined))?;
    }
    Ok(())
}
