//! Images with their channels last, the order in which the library convolves.
//!
//! A node whose op has an equal one for the other order of axes is computed in that order, between transposes: from the
//! first convolution on, the nodes after it follow, and the compiler cancels transposes that undo each other. Each value
//! of the model exists in its own order too, for whoever fetches or feeds it.

use crate::block::Val;
use crate::import::Importer;
use crate::known::integers;
use levada_graph::attr::Attrs;
use levada_graph::op::FromAttr;
use levada_graph::{AttrValue, Result, Shape, Tensor};

/// Ops that compute each element of the result from those at the same place, broadcast, of all inputs.
const ELEMENTWISE: &[&str] = &[
    "Abs",
    "AddV2",
    "Cast",
    "Ceil",
    "Cos",
    "Div",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "Expm1",
    "Floor",
    "FloorDiv",
    "FloorMod",
    "Greater",
    "GreaterEqual",
    "Identity",
    "IsInf",
    "IsNan",
    "LeakyRelu",
    "Less",
    "LessEqual",
    "Log",
    "Log1p",
    "LogicalAnd",
    "LogicalNot",
    "LogicalOr",
    "Maximum",
    "Minimum",
    "Mul",
    "Neg",
    "NotEqual",
    "OnesLike",
    "OnnxRequantize",
    "Pow",
    "RealDiv",
    "Reciprocal",
    "Relu",
    "Relu6",
    "Round",
    "Rsqrt",
    "SelectV2",
    "Selu",
    "Sigmoid",
    "Sign",
    "Sin",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Square",
    "SquaredDifference",
    "Sub",
    "Tanh",
    "TruncateDiv",
    "TruncateMod",
    "ZerosLike",
];

/// Tensors of more axes are taken as they are.
const MOST_AXES: usize = 8;

/// The order of axes that moves channels from axis 1 to the end.
fn to_last(rank: usize) -> Vec<usize> {
    std::iter::once(0).chain(2..rank).chain([1]).collect()
}

/// The order of axes that moves channels from the end to axis 1.
fn to_first(rank: usize) -> Vec<usize> {
    [0, rank - 1].into_iter().chain(1..rank - 1).collect()
}

/// Where an axis is once channels are last.
fn moved(axis: usize, rank: usize) -> usize {
    match axis {
        0 => 0,
        1 => rank - 1,
        axis => axis - 1,
    }
}

/// An axis of a tensor of this rank; negative ones count from the end.
fn axis_of(axis: i64, rank: usize) -> Option<usize> {
    usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).ok().filter(|axis| *axis < rank)
}

/// The attr as integers; none if it is absent.
fn ints(attrs: &Attrs, name: &str) -> Vec<i64> {
    attrs.get(name).and_then(Vec::from_attr).unwrap_or_default()
}

fn int(attrs: &Attrs, name: &str) -> i64 {
    attrs.get(name).and_then(i64::from_attr).unwrap_or(0)
}

fn flag(attrs: &Attrs, name: &str) -> bool {
    attrs.get(name).and_then(bool::from_attr).unwrap_or(false)
}

fn has_text(attrs: &Attrs, name: &str, text: &str) -> bool {
    matches!(attrs.get(name), Some(AttrValue::S(found)) if found[..] == *text.as_bytes())
}

fn text(text: &'static str) -> AttrValue {
    AttrValue::S(text.as_bytes().into())
}

/// The rows, one for each axis, in another order.
fn reordered<T: Copy>(rows: &[T], order: &[usize]) -> Vec<T> {
    let width = rows.len() / order.len();
    order.iter().flat_map(|&axis| rows[axis * width..][..width].iter().copied()).collect()
}

impl Importer<'_> {
    /// Adds a node that computes what a node of this op would, in the other order of axes; returns its outputs. `None` if
    /// there is none, or if it would not help.
    ///
    /// # Errors
    /// The faults of the nodes.
    pub(crate) fn channels_last(&mut self, op: &str, attrs: &Attrs, inputs: &[&Val]) -> Result<Option<Vec<Val>>> {
        let one = |val: Option<Val>| val.map(|val| vec![val]);
        if matches!(op, "Conv2D" | "Conv2DBackpropInput") && has_text(attrs, "data_format", "NCHW") {
            return self.convolution(op, attrs, inputs).map(one);
        }
        if op == "Transpose" {
            return self.transposed(attrs, inputs).map(one);
        }
        let rank = inputs.iter().filter_map(|val| self.block().images.get(&val.at()).copied()).max();
        let Some(rank) = rank.filter(|rank| *rank <= MOST_AXES) else { return Ok(None) };
        match op {
            "ConcatV2" => self.concatenated(attrs, inputs, rank).map(one),
            "Split" => self.split(op, attrs, inputs, rank, 1, 0),
            "SplitV" => self.split(op, attrs, inputs, rank, 0, 2),
            _ if ELEMENTWISE.contains(&op) => self.elementwise(op, attrs, inputs, rank).map(one),
            // Of all others, input 0 is the images.
            _ if self.block().images.get(&inputs[0].at()) != Some(&rank) => Ok(None),
            "BiasAdd" if has_text(attrs, "data_format", "NCHW") => {
                let images = self.last(inputs[0], rank)?;
                let mut attrs = attrs.clone();
                attrs.set("data_format", text("NHWC"));
                let y = self.plain(op, attrs, &[&images, inputs[1]])?;
                self.first(&y, rank).map(|y| Some(vec![y]))
            }
            "Mean" | "Max" | "Min" | "Sum" | "Prod" | "All" | "Any" | "ArgMax" | "ArgMin" => {
                self.reduced(op, attrs, inputs, rank).map(one)
            }
            "OnnxMaxPool" if rank == 4 => self.max_pool(attrs, inputs[0]).map(one),
            "OnnxAveragePool" if rank == 4 => self.average_pool(attrs, inputs[0]).map(one),
            "OnnxResize" => self.resized(attrs, inputs, rank).map(one),
            "Pad" | "PadV2" | "MirrorPad" | "Slice" | "Tile" => {
                let is_vector = |val: &&Val| op != "PadV2" || *val != inputs[2];
                let mut all = vec![self.last(inputs[0], rank)?];
                for val in &inputs[1..] {
                    all.push(if is_vector(val) { self.rows(val, &to_last(rank))? } else { (*val).clone() });
                }
                let all: Vec<&Val> = all.iter().collect();
                let y = self.plain(op, attrs.clone(), &all)?;
                self.first(&y, rank).map(|y| Some(vec![y]))
            }
            "OnnxQuantizeLinear" | "OnnxDequantizeLinear" if int(attrs, "block_size") == 0 => {
                let Some(axis) = axis_of(int(attrs, "axis"), rank) else { return Ok(None) };
                let mut attrs = attrs.clone();
                attrs.set("axis", (moved(axis, rank) as i64).to_attr());
                let images = self.last(inputs[0], rank)?;
                let all: Vec<&Val> = [&images].into_iter().chain(inputs[1..].iter().copied()).collect();
                let y = self.plain(op, attrs, &all)?;
                self.first(&y, rank).map(|y| Some(vec![y]))
            }
            "StridedSlice" => self.sliced(attrs, inputs, rank).map(one),
            "ExpandDims" => {
                let axis = self.ints(inputs[1]).and_then(|axis| axis_of(axis[0], rank + 1)).filter(|axis| *axis >= 2);
                let Some(axis) = axis else { return Ok(None) };
                let (images, axis) = (self.last(inputs[0], rank)?, self.constant(Tensor::scalar(axis as i32 - 1))?);
                let y = self.plain(op, attrs.clone(), &[&images, &axis])?;
                self.first(&y, rank + 1).map(|y| Some(vec![y]))
            }
            "Squeeze" => self.squeezed(attrs, inputs[0], rank).map(one),
            // The elements of images of one pixel have the same order.
            "Reshape" if self.is_pixel(inputs[0]) => {
                let images = self.last(inputs[0], rank)?;
                self.plain(op, attrs.clone(), &[&images, inputs[1]]).map(|y| Some(vec![y]))
            }
            "Reshape" => self.in_a_row(inputs, rank).map(one),
            "Size" => {
                let images = self.last(inputs[0], rank)?;
                self.plain(op, attrs.clone(), &[&images]).map(|y| Some(vec![y]))
            }
            "Shape" if self.block().shape(inputs[0]).known().is_none() => {
                let images = self.last(inputs[0], rank)?;
                let shape = self.plain(op, attrs.clone(), &[&images])?;
                self.rows(&shape, &to_first(rank)).map(|y| Some(vec![y]))
            }
            _ => Ok(None),
        }
    }

    /// Images with their channels last.
    fn last(&mut self, val: &Val, rank: usize) -> Result<Val> {
        if let Some(last) = self.block().last.get(&val.at()) {
            return Ok(last.clone().like(val));
        }
        let last = self.permuted(val, &to_last(rank))?;
        self.block().last.insert(val.at(), last.clone());
        Ok(last)
    }

    /// Images with their channels on axis 1, which nodes after them take channels last.
    fn first(&mut self, val: &Val, rank: usize) -> Result<Val> {
        let first = self.permuted(val, &to_first(rank))?;
        self.block().images.insert(first.at(), rank);
        Ok(first)
    }

    fn permuted(&mut self, val: &Val, order: &[usize]) -> Result<Val> {
        let order: Vec<i32> = order.iter().map(|&axis| axis as i32).collect();
        let order = self.constant(Tensor::vector(order))?;
        Ok(self.plain("Transpose", Attrs::new(), &[val, &order])?.like(val))
    }

    /// A tensor with a row for each axis, its rows in another order.
    fn rows(&mut self, val: &Val, order: &[usize]) -> Result<Val> {
        let known = self.block().known(val).filter(|t| t.shape().first() == Some(&order.len())).cloned();
        if let Some(known) = known {
            let shape = known.shape().clone();
            let floats = known.slice::<f32>().ok();
            let permuted = match floats {
                Some(floats) => Tensor::from_vec(shape, reordered(floats, order)).ok(),
                None => known.to_i64s().ok().and_then(|all| integers(known.dtype(), shape, reordered(&all, order))),
            };
            if let Some(permuted) = permuted {
                return Ok(self.constant(permuted)?.like(val));
            }
        }
        let order: Vec<i32> = order.iter().map(|&axis| axis as i32).collect();
        let (order, axis) = (self.constant(Tensor::vector(order))?, self.constant(Tensor::scalar(0i32))?);
        Ok(self.plain("GatherV2", Attrs::new(), &[val, &order, &axis])?.like(val))
    }

    fn ints(&mut self, val: &Val) -> Option<Vec<i64>> {
        self.block().known(val)?.to_i64s().ok().filter(|ints| !ints.is_empty())
    }

    /// True for images of one pixel.
    fn is_pixel(&mut self, val: &Val) -> bool {
        self.block().shape(val).dims().is_some_and(|dims| dims.len() > 2 && dims[2..].iter().all(|d| *d == Some(1)))
    }

    fn convolution(&mut self, op: &str, attrs: &Attrs, inputs: &[&Val]) -> Result<Option<Val>> {
        const RANK: usize = 4;
        let order = to_last(RANK);
        let mut attrs = attrs.clone();
        attrs.set("data_format", text("NHWC"));
        for name in ["strides", "dilations", "explicit_paddings"] {
            let given = ints(&attrs, name);
            if !given.len().is_multiple_of(RANK) {
                return Ok(None);
            }
            attrs.set(name, reordered(&given, &order).to_attr());
        }
        let y = match inputs {
            [sizes, filter, images] => {
                let (sizes, images) = (self.rows(sizes, &order)?, self.last(images, RANK)?);
                self.plain(op, attrs, &[&sizes, filter, &images])?.like(&images)
            }
            [images, filter] => {
                let images = self.last(images, RANK)?;
                self.plain(op, attrs, &[&images, filter])?
            }
            _ => return Ok(None),
        };
        self.first(&y, RANK).map(Some)
    }

    /// Transposes that only move channels become known as such, others start from the images with channels last.
    fn transposed(&mut self, attrs: &Attrs, inputs: &[&Val]) -> Result<Option<Val>> {
        let Some(order) = self.ints(inputs[1]) else { return Ok(None) };
        let Some(order) = order.iter().map(|&axis| axis_of(axis, order.len())).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let rank = order.len();
        if self.block().images.get(&inputs[0].at()) == Some(&rank) {
            let images = self.last(inputs[0], rank)?;
            if order == to_last(rank) {
                return Ok(Some(images));
            }
            let all = to_first(rank);
            let order: Vec<usize> = order.iter().map(|&axis| all[axis]).collect();
            return self.permuted(&images, &order).map(Some);
        }
        if rank < 4 || order != to_first(rank) {
            return Ok(None);
        }
        let y = self.plain("Transpose", attrs.clone(), inputs)?;
        self.block().images.insert(y.at(), rank);
        Ok(Some(y))
    }

    fn elementwise(&mut self, op: &str, attrs: &Attrs, inputs: &[&Val], rank: usize) -> Result<Option<Val>> {
        // It does not help to transpose images only because they are combined with pixels.
        let (mut has_images, mut has_others) = (false, false);
        for val in inputs {
            let is_whole = self.block().shape(val).rank() == Some(rank) && !self.is_pixel(val);
            let is_ours = self.block().images.contains_key(&val.at());
            (has_images, has_others) = (has_images | (is_whole & is_ours), has_others | (is_whole & !is_ours));
        }
        if has_others && !has_images {
            return Ok(None);
        }
        let mut all = Vec::with_capacity(inputs.len());
        for val in inputs {
            let Some(operand) = self.operand(val, rank)? else { return Ok(None) };
            all.push(operand);
        }
        let all: Vec<&Val> = all.iter().collect();
        let y = self.plain(op, attrs.clone(), &all)?;
        self.first(&y, rank).map(Some)
    }

    /// What is broadcast with images whose channels are last in place of `val`.
    fn operand(&mut self, val: &Val, rank: usize) -> Result<Option<Val>> {
        let shape = self.block().shape(val);
        let Some(own) = shape.rank().filter(|own| *own <= rank) else { return Ok(None) };
        if own == 0 || (own == 1 && shape.dim(0) == Some(1)) {
            return Ok(Some(val.clone()));
        }
        let dims = shape.dims().unwrap_or_default();
        let is_vector = !self.block().images.contains_key(&val.at());
        if let Some(channels) = (own + 1 >= rank).then(|| dims[own + 1 - rank]).flatten().filter(|_| is_vector)
            && dims.iter().enumerate().all(|(i, dim)| i + rank == own + 1 || *dim == Some(1))
        {
            let shape = self.constant(Tensor::vector(vec![channels as i64]))?;
            return Ok(Some(self.plain("Reshape", Attrs::new(), &[val, &shape])?.like(val)));
        }
        let mut whole = val.clone();
        for _ in own..rank {
            let axis = self.constant(Tensor::scalar(0i32))?;
            whole = self.plain("ExpandDims", Attrs::new(), &[&whole, &axis])?.like(val);
        }
        self.last(&whole, rank).map(Some)
    }

    fn concatenated(&mut self, attrs: &Attrs, inputs: &[&Val], rank: usize) -> Result<Option<Val>> {
        let Some((axis, vals)) = inputs.split_last() else { return Ok(None) };
        let ours = vals.iter().filter(|val| self.block().images.contains_key(&val.at())).count();
        let fits = vals.iter().all(|val| self.block().shape(val).rank() == Some(rank));
        let axis = self.ints(axis).and_then(|axis| axis_of(axis[0], rank));
        let Some(axis) = axis.filter(|_| fits && 2 * ours >= vals.len()) else { return Ok(None) };
        let mut all = Vec::with_capacity(inputs.len());
        for val in vals {
            all.push(self.last(val, rank)?);
        }
        all.push(self.constant(Tensor::scalar(moved(axis, rank) as i32))?);
        let all: Vec<&Val> = all.iter().collect();
        let y = self.plain("ConcatV2", attrs.clone(), &all)?;
        self.first(&y, rank).map(Some)
    }

    /// `Split` and `SplitV`, whose inputs with these indices are the images and the axis.
    fn split(
        &mut self,
        op: &str,
        attrs: &Attrs,
        inputs: &[&Val],
        rank: usize,
        images: usize,
        axis: usize,
    ) -> Result<Option<Vec<Val>>> {
        let along = self.ints(inputs[axis]).and_then(|axis| axis_of(axis[0], rank));
        let is_ours = self.block().images.contains_key(&inputs[images].at());
        let Some(along) = along.filter(|_| is_ours) else { return Ok(None) };
        let mut all: Vec<Val> = inputs.iter().map(|val| (*val).clone()).collect();
        all[images] = self.last(inputs[images], rank)?;
        all[axis] = self.constant(Tensor::scalar(moved(along, rank) as i32))?;
        let all: Vec<&Val> = all.iter().collect();
        let y = self.plain(op, attrs.clone(), &all)?.like(inputs[images]);
        let parts = 0..self.block().outputs(&y) as u32;
        parts.map(|output| self.first(&Val { output, ..y.clone() }, rank)).collect::<Result<_>>().map(Some)
    }

    fn reduced(&mut self, op: &str, attrs: &Attrs, inputs: &[&Val], rank: usize) -> Result<Option<Val>> {
        let Some(axes) = self.ints(inputs[1]) else { return Ok(None) };
        let Some(axes) = axes.iter().map(|&axis| axis_of(axis, rank)).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let keeps = flag(attrs, "keep_dims");
        // Without the reduced axes, the others must be in the same order.
        let left: Vec<usize> = (0..rank).filter(|axis| !axes.contains(axis)).map(|axis| moved(axis, rank)).collect();
        if !keeps && !left.is_sorted() {
            return Ok(None);
        }
        let images = self.last(inputs[0], rank)?;
        let numbers: Vec<i32> = axes.iter().map(|&axis| moved(axis, rank) as i32).collect();
        let is_scalar = self.block().shape(inputs[1]).rank() == Some(0);
        let axes = if is_scalar { Tensor::scalar(numbers[0]) } else { Tensor::vector(numbers) };
        let axes = self.constant(axes)?;
        let y = self.plain(op, attrs.clone(), &[&images, &axes])?;
        if keeps { self.first(&y, rank).map(Some) } else { Ok(Some(y)) }
    }

    /// Images whose pixels become one axis.
    fn in_a_row(&mut self, inputs: &[&Val], rank: usize) -> Result<Option<Val>> {
        let shape = self.block().shape(inputs[0]);
        let (Some(&[batch, channels, pixels]), Some(dims)) = (self.ints(inputs[1]).as_deref(), shape.dims()) else {
            return Ok(None);
        };
        let is = |dim: Option<usize>, size: i64| dim.is_some_and(|dim| i64::try_from(dim) == Ok(size));
        let own: Option<usize> = dims[2..].iter().try_fold(1usize, |n, dim| n.checked_mul((*dim)?));
        // Either of the other two may be -1.
        if channels == 0 || !is(dims[1], channels) || !(is(dims[0], batch) || is(own, pixels)) {
            return Ok(None);
        }
        let images = self.last(inputs[0], rank)?;
        let sizes = self.constant(Tensor::vector(vec![batch, pixels, channels]))?;
        let y = self.plain("Reshape", Attrs::new(), &[&images, &sizes])?;
        self.first(&y, 3).map(Some)
    }

    fn squeezed(&mut self, attrs: &Attrs, val: &Val, rank: usize) -> Result<Option<Val>> {
        let given = ints(attrs, "squeeze_dims");
        let axes: Option<Vec<usize>> = given.iter().map(|&axis| axis_of(axis, rank).filter(|a| *a >= 2)).collect();
        let Some(mut axes) = axes.filter(|axes| !axes.is_empty()) else { return Ok(None) };
        axes.sort_unstable();
        axes.dedup();
        let images = self.last(val, rank)?;
        let moved: Vec<i64> = axes.iter().map(|axis| *axis as i64 - 1).collect();
        let mut attrs = attrs.clone();
        attrs.set("squeeze_dims", moved.to_attr());
        let y = self.plain("Squeeze", attrs, &[&images])?.like(val);
        let left = rank - axes.len();
        if left < 3 { Ok(Some(y)) } else { self.first(&y, left).map(Some) }
    }

    fn sliced(&mut self, attrs: &Attrs, inputs: &[&Val], rank: usize) -> Result<Option<Val>> {
        let others = ["ellipsis_mask", "new_axis_mask", "shrink_axis_mask"];
        let vectors: Option<Vec<Vec<i64>>> = inputs[1..].iter().map(|val| self.ints(val)).collect();
        let Some([begin, end, steps]) = vectors.as_deref() else { return Ok(None) };
        let given = begin.len();
        if given > rank || end.len() != given || steps.len() != given || others.iter().any(|n| int(attrs, n) != 0) {
            return Ok(None);
        }
        let mut attrs = attrs.clone();
        let order = to_last(rank);
        for name in ["begin_mask", "end_mask"] {
            let mask = int(&attrs, name) | (!0 << given);
            let permuted: i64 = order.iter().enumerate().map(|(i, axis)| (mask >> axis & 1) << i).sum();
            attrs.set(name, permuted.to_attr());
        }
        let mut all = vec![self.last(inputs[0], rank)?];
        for (vector, other) in [(begin, 0), (end, 0), (steps, 1)] {
            let padded: Vec<i64> = (0..rank).map(|axis| vector.get(axis).copied().unwrap_or(other)).collect();
            all.push(self.constant(Tensor::vector(reordered(&padded, &order)))?);
        }
        let all: Vec<&Val> = all.iter().collect();
        let y = self.plain("StridedSlice", attrs, &all)?;
        self.first(&y, rank).map(Some)
    }

    fn resized(&mut self, attrs: &Attrs, inputs: &[&Val], rank: usize) -> Result<Option<Val>> {
        let mut all: Vec<Val> = inputs.iter().map(|val| (*val).clone()).collect();
        let mut attrs = attrs.clone();
        let axes = ints(&attrs, "axes");
        if axes.is_empty() {
            // The regions have two rows for each axis, scales and sizes one, or none if they are not given.
            if self.block().shape(inputs[1]).dim(0) != Some(0) {
                return Ok(None);
            }
            for i in [2, 3] {
                match self.block().shape(inputs[i]).dim(0) {
                    Some(0) => {}
                    Some(n) if n == rank => all[i] = self.rows(inputs[i], &to_last(rank))?,
                    _ => return Ok(None),
                }
            }
        } else {
            let axes: Option<Vec<i64>> =
                axes.iter().map(|&axis| Some(moved(axis_of(axis, rank)?, rank) as i64)).collect();
            let Some(axes) = axes else { return Ok(None) };
            attrs.set("axes", axes.to_attr());
        }
        all[0] = self.last(inputs[0], rank)?;
        let all: Vec<&Val> = all.iter().collect();
        let y = self.plain("OnnxResize", attrs, &all)?;
        self.first(&y, rank).map(Some)
    }

    fn max_pool(&mut self, attrs: &Attrs, images: &Val) -> Result<Option<Val>> {
        let Some(window) = self.window(attrs, images).filter(|_| int(attrs, "num_Indices") == 0) else {
            return Ok(None);
        };
        self.pool("MaxPool", images, &window, None)
    }

    fn average_pool(&mut self, attrs: &Attrs, images: &Val) -> Result<Option<Val>> {
        let Some(window) = self.window(attrs, images).filter(|_| !flag(attrs, "ceil_mode")) else { return Ok(None) };
        let is_padded = window.padding == "EXPLICIT";
        // With odd windows at every place, `SAME` has the same padding, which counts for nothing.
        let is_same = |i: usize| {
            let (size, stride, (before, after)) = (window.kernel[i], window.strides[i], window.pads[i]);
            stride == 1 && before == after && size == 2 * before + 1
        };
        match (is_padded, flag(attrs, "count_include_pad")) {
            (true, false) if (0..2).all(is_same) => {
                self.pool("AvgPool", images, &Window { padding: "SAME", ..window }, None)
            }
            (true, false) => Ok(None),
            (true, true) => {
                let pads = window.pads;
                self.pool("AvgPool", images, &Window { padding: "VALID", ..window }, Some(pads))
            }
            (false, counts) if window.padding == "SAME" && counts => Ok(None),
            (false, _) => self.pool("AvgPool", images, &window, None),
        }
    }

    fn pool(
        &mut self,
        op: &str,
        images: &Val,
        window: &Window,
        margin: Option<[(i64, i64); 2]>,
    ) -> Result<Option<Val>> {
        const RANK: usize = 4;
        let mut last = self.last(images, RANK)?;
        if let Some([(top, bottom), (left, right)]) = margin {
            let pads = vec![0, 0, top as i32, bottom as i32, left as i32, right as i32, 0, 0];
            let pads = self.constant(Tensor::from_vec(Shape::new([RANK, 2])?, pads)?)?;
            last = self.plain("Pad", Attrs::new(), &[&last, &pads])?;
        }
        let around = |[height, width]: [i64; 2]| vec![1, height, width, 1].to_attr();
        let mut attrs = Attrs::new();
        attrs.set("ksize", around(window.kernel));
        attrs.set("strides", around(window.strides));
        attrs.set("padding", text(window.padding));
        if window.padding == "EXPLICIT" {
            let [(top, bottom), (left, right)] = window.pads;
            attrs.set("explicit_paddings", vec![0, 0, top, bottom, left, right, 0, 0].to_attr());
        }
        let y = self.plain(op, attrs, &[&last])?;
        self.first(&y, RANK).map(Some)
    }

    /// The windows of a pool of images, if the library's own pools have such windows.
    fn window(&mut self, attrs: &Attrs, images: &Val) -> Option<Window> {
        let dtype = self.block().dtype(images);
        let sizes = self.block().shape(images);
        let pair = |name: &str, default: i64| match &ints(attrs, name)[..] {
            [] => Some([default; 2]),
            &[height, width] => Some([height, width]),
            _ => None,
        };
        let (kernel, strides) = (pair("kernel_shape", 1)?, pair("strides", 1)?);
        let mut pads = match &ints(attrs, "pads")[..] {
            [] => [(0, 0); 2],
            &[top, left, bottom, right] => [(top, bottom), (left, right)],
            _ => return None,
        };
        let auto = |mode: &str| has_text(attrs, "auto_pad", mode);
        let automatic = match () {
            () if auto("SAME_UPPER") => Some("SAME"),
            () if auto("VALID") => Some("VALID"),
            () if auto("SAME_LOWER") => return None,
            () => None,
        };
        if automatic.is_none() && flag(attrs, "ceil_mode") {
            for i in 0..2 {
                let size = i64::try_from(sizes.dim(i as isize + 2)?).ok()?;
                let (before, after) = pads[i];
                let rest = size.checked_add(before)?.checked_add(after)?.checked_sub(kernel[i])?;
                let by = Some(strides[i]).filter(|by| *by > 0)?;
                let steps = rest.checked_add(by - 1)?.checked_div_euclid(by).filter(|_| rest >= 0)?;
                // The last window begins in the images or before them.
                let steps = if steps.checked_mul(by)? >= size + before { steps - 1 } else { steps };
                pads[i].1 = after.checked_add(steps.checked_mul(by)?.checked_sub(rest)?)?.max(0);
            }
        }
        let is_valid = |i: usize| {
            kernel[i] > 0
                && strides[i] > 0
                && (0..kernel[i]).contains(&pads[i].0)
                && (0..kernel[i]).contains(&pads[i].1)
        };
        let fits = dtype.is_float() && pair("dilations", 1)? == [1, 1] && (0..2).all(is_valid);
        let padding = automatic.unwrap_or(if pads == [(0, 0); 2] { "VALID" } else { "EXPLICIT" });
        (fits && !(automatic.is_some() && flag(attrs, "ceil_mode"))).then_some(Window {
            kernel,
            strides,
            pads,
            padding,
        })
    }
}

/// The windows of a pool of images.
struct Window {
    kernel: [i64; 2],
    strides: [i64; 2],
    /// Padding before and after each axis.
    pads: [(i64, i64); 2],
    padding: &'static str,
}
