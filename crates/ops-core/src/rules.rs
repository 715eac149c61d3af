//! Shared parts of gradient rules: rules for whole kinds of op, and typed handles that add nodes.

pub use levada_graph::grad::attr;
use levada_graph::grad::{Grad, GradCx, Grads, V};
use levada_graph::spec::Primitive;
use levada_graph::{AttrValue, DType, Tensor};

/// An op with `N` arguments, for gradient rules of families that do not depend on the op's family. [`HANDLES`] lists
/// all of them.
#[derive(Clone, Copy, Debug)]
pub struct Handle<const N: usize>(&'static str);

impl<const N: usize> Handle<N> {
    /// Adds a node whose attrs have their defaults or follow from the inputs; returns its first output.
    pub fn call<'g>(self, inputs: [V<'g>; N]) -> V<'g> {
        const { assert!(N > 0, "a node without inputs has nothing to follow from") };
        inputs[0].cx().op(self.0, &inputs)
    }

    /// Adds a node with these attrs and inputs, of which there may be several per argument; returns its first output.
    pub fn node<'g>(self, g: &'g GradCx, inputs: &[V<'g>], attrs: &[(&'static str, AttrValue)]) -> V<'g> {
        g.node(self.0, inputs, attrs)
    }
}

macro_rules! handles {
    ($($handle:ident = $op:literal, $arguments:literal;)*) => {
        $(
            #[doc = concat!("`", $op, "`.")]
            pub const $handle: Handle<$arguments> = Handle($op);
        )*
        /// The ops of all handles, with their number of arguments.
        pub const HANDLES: &[(&str, usize)] = &[$(($op, $arguments)),*];
    };
}

handles! {
    ABS = "Abs", 1;
    ADD_N = "AddN", 1;
    BATCH_MAT_MUL_V2 = "BatchMatMulV2", 2;
    BROADCAST_TO = "BroadcastTo", 2;
    CONCAT_V2 = "ConcatV2", 2;
    CONJUGATE_TRANSPOSE = "ConjugateTranspose", 2;
    DIV_NO_NAN = "DivNoNan", 2;
    DYNAMIC_STITCH = "DynamicStitch", 2;
    EQUAL = "Equal", 2;
    ERF = "Erf", 1;
    ERFC = "Erfc", 1;
    EXP = "Exp", 1;
    EXPAND_DIMS = "ExpandDims", 2;
    FILL = "Fill", 2;
    FLOOR_DIV = "FloorDiv", 2;
    FLOOR_MOD = "FloorMod", 2;
    GATHER_ND = "GatherNd", 2;
    GATHER_V2 = "GatherV2", 3;
    GREATER = "Greater", 2;
    GREATER_EQUAL = "GreaterEqual", 2;
    INVERT_PERMUTATION = "InvertPermutation", 1;
    LESS = "Less", 2;
    LIST_DIFF = "ListDiff", 2;
    LOG = "Log", 1;
    LOG1P = "Log1p", 1;
    LOGICAL_AND = "LogicalAnd", 2;
    LOGICAL_NOT = "LogicalNot", 1;
    LOWER_BOUND = "LowerBound", 2;
    MAT_MUL = "MatMul", 2;
    MATRIX_BAND_PART = "MatrixBandPart", 3;
    MATRIX_DIAG = "MatrixDiag", 1;
    MATRIX_DIAG_PART = "MatrixDiagPart", 1;
    MATRIX_DIAG_PART_V3 = "MatrixDiagPartV3", 3;
    MATRIX_INVERSE = "MatrixInverse", 1;
    MATRIX_SET_DIAG = "MatrixSetDiag", 2;
    MAXIMUM = "Maximum", 2;
    MEAN = "Mean", 2;
    MINIMUM = "Minimum", 2;
    PACK = "Pack", 1;
    PAD = "Pad", 2;
    PREVENT_GRADIENT = "PreventGradient", 1;
    PROD = "Prod", 2;
    RANDOM_GAMMA_GRAD = "RandomGammaGrad", 2;
    RANGE = "Range", 3;
    REAL = "Real", 1;
    RECIPROCAL = "Reciprocal", 1;
    RSQRT = "Rsqrt", 1;
    SCATTER_ND = "ScatterNd", 3;
    SELECT_V2 = "SelectV2", 3;
    SIGN = "Sign", 1;
    SIZE = "Size", 1;
    SLICE = "Slice", 3;
    SQUARE = "Square", 1;
    STRIDED_SLICE = "StridedSlice", 4;
    TRANSPOSE = "Transpose", 2;
    UNIQUE = "Unique", 1;
    UNPACK = "Unpack", 1;
    UNSORTED_SEGMENT_SUM = "UnsortedSegmentSum", 3;
    WHERE = "Where", 1;
}

/// No gradient.
pub const NONE: Option<Grad> = None;

/// The rule of an op whose outputs are piecewise constant.
pub fn never(g: &GradCx) -> Grads {
    vec![NONE; g.num_inputs()]
}

/// The rule of an op that forwards its first input.
pub fn pass(g: &GradCx) -> Grads {
    first(g, g.dy(0))
}

/// The rule of a function of one input; `f` computes its gradient from the output's gradient, the input and the
/// output.
pub fn one(g: &GradCx, f: impl for<'g> FnOnce(V<'g>, V<'g>, V<'g>) -> V<'g>) -> Grads {
    vec![f(g.dy(0), g.input(0), g.output(0)).into()]
}

/// The rule of a function of two inputs that are broadcast together; `f` computes their gradients from the output's
/// gradient and the inputs.
pub fn two(g: &GradCx, f: impl for<'g> FnOnce(V<'g>, V<'g>, V<'g>) -> (V<'g>, V<'g>)) -> Grads {
    let (dx, dy) = f(g.dy(0), g.input(0), g.input(1));
    g.unbroadcast(dx, dy)
}

/// Sums a gradient over the axes along which `x` was broadcast.
pub fn reduce_to<'g>(dx: V<'g>, x: V<'g>) -> V<'g> {
    let shape = x.shape_value();
    let axes = x.cx().primitive(Primitive::BroadcastGradientArgs, &[shape, dx.dims()], &[]);
    dx.sum(axes).reshape(shape)
}

/// Returns `dx` for the first input, none for the others.
pub fn first(g: &GradCx, dx: V<'_>) -> Grads {
    let mut grads = never(g);
    if let Some(first) = grads.first_mut() {
        *first = dx.into();
    }
    grads
}

/// Returns `shape` with the sizes of `axes` replaced by 1; both are vectors of int32.
pub fn kept_shape<'g>(g: &'g GradCx, shape: V<'g>, axes: V<'g>) -> V<'g> {
    let rank = shape.size();
    let axes = (axes + rank).floor_mod(rank).reshape(g.ints(&[-1]));
    DYNAMIC_STITCH.node(g, &[range(g, rank), axes, shape, axes.ones_like()], &[])
}

/// Returns the integers below `n`.
pub fn range<'g>(g: &'g GradCx, n: V<'g>) -> V<'g> {
    RANGE.node(g, &[n.like(0.0), n, n.like(1.0)], &[])
}

/// Concatenates `values` along an axis.
pub fn concat<'g>(g: &'g GradCx, values: &[V<'g>], axis: i32) -> V<'g> {
    if let [value] = values {
        return *value;
    }
    let mut inputs = values.to_vec();
    inputs.push(int(g, axis));
    CONCAT_V2.node(g, &inputs, &[])
}

/// Inserts an axis of size 1 at `axis`.
pub fn expand<'g>(g: &'g GradCx, x: V<'g>, axis: i32) -> V<'g> {
    EXPAND_DIMS.call([x, int(g, axis)])
}

/// Returns the real part of complex numbers.
pub fn real(z: V<'_>) -> V<'_> {
    let out = if z.dtype() == DType::C128 { DType::F64 } else { DType::F32 };
    REAL.node(z.cx(), &[z], &[attr("Tout", out)])
}

/// Returns a constant int32 scalar.
pub fn int(g: &GradCx, value: i32) -> V<'_> {
    g.constant(Tensor::scalar(value))
}

/// Returns the gradient of a tensor of this shape from which the node gathers along `axis` at the indices in its
/// second input; the first `batch` axes are batch axes.
pub fn gathered<'g>(g: &'g GradCx, shape: V<'g>, axis: V<'g>, batch: i32) -> V<'g> {
    let (indices, dy) = (g.input(1), g.dy(0));
    let vector = |x: V<'g>| x.reshape(g.ints(&[1]));
    let part = |from: V<'g>, begin: V<'g>, size: V<'g>| {
        g.primitive(Primitive::Slice, &[from, vector(begin), vector(size)], &[])
    };
    // Reshaped to four axes: the batch, the axes before the gather axis, the gather axis, the axes after it.
    let outer = vector(part(shape, int(g, 0), int(g, batch)).prod());
    let middle = vector(part(shape, int(g, batch), axis - f64::from(batch)).prod());
    let n = part(shape, axis, int(g, 1));
    let inner = vector(part(shape, axis + 1.0, int(g, -1)).prod());
    let picked = indices.shape_value();
    let k = vector(part(picked, int(g, batch), int(g, -1)).prod());
    let swap = |x: V<'g>| x.transpose(g.ints(&[0, 2, 1, 3]));
    let values = swap(dy.reshape(concat(g, &[outer, middle, k, inner], 0)));
    // The rows of the batches are concatenated.
    let dtype = indices.dtype();
    let scalar = |x: V<'g>| x.reshape(g.ints(&[]));
    let starts = range(g, scalar(outer).cast(dtype)) * n.cast(dtype);
    let ids = indices.reshape(concat(g, &[outer, k], 0)) + starts.reshape(g.ints(&[-1, 1]));
    let sum = values.unsorted_segment_sum(ids, scalar(outer * n));
    swap(sum.reshape(concat(g, &[outer, n, middle, inner], 0))).reshape(shape)
}

/// Nodes that rules add to a value.
pub trait Handles<'g>: Copy {
    /// Applies a function of one argument.
    fn apply(self, function: Handle<1>) -> V<'g>;
    /// Gathers rows.
    fn gather(self, rows: V<'g>) -> V<'g>;
    /// Sums the rows with the same segment number, for `count` segments.
    fn unsorted_segment_sum(self, numbers: V<'g>, count: V<'g>) -> V<'g>;
    /// Permutes the axes.
    fn transpose(self, order: V<'g>) -> V<'g>;
    /// Broadcasts to a shape.
    fn broadcast_to(self, shape: V<'g>) -> V<'g>;
    /// Returns the number of elements.
    fn size(self) -> V<'g>;
    /// Returns the shape, computed at run time.
    fn dims(self) -> V<'g>;
    /// Returns the rank, computed at run time.
    fn rank_found(self) -> V<'g>;
    /// Returns the number of rows.
    fn rows(self) -> V<'g>;
    /// Returns this value where `condition` is true, otherwise `other`.
    fn select(self, condition: V<'g>, other: V<'g>) -> V<'g>;
    /// Returns whether the two are equal, element-wise.
    fn equal(self, other: V<'g>) -> V<'g>;
    /// Returns whether this is less than the other, element-wise.
    fn less(self, other: V<'g>) -> V<'g>;
    /// Returns whether this is greater than or equal to the other, element-wise.
    fn at_least(self, other: V<'g>) -> V<'g>;
    /// Returns the element-wise maximum.
    fn maximum(self, other: V<'g>) -> V<'g>;
    /// Returns the quotient; zero for division by zero.
    fn div_no_nan(self, other: V<'g>) -> V<'g>;
    /// Returns the quotient, rounded down.
    fn floor_div(self, other: V<'g>) -> V<'g>;
    /// Returns the remainder, with the sign of the other.
    fn floor_mod(self, other: V<'g>) -> V<'g>;
    /// Returns the exponential.
    fn exp(self) -> V<'g>;
    /// Returns the absolute value.
    fn abs(self) -> V<'g>;
    /// Returns the sign: -1, 0 or 1.
    fn sign(self) -> V<'g>;
    /// Returns the elements that are not in the other, both vectors.
    fn list_diff(self, other: V<'g>) -> V<'g>;
    /// Returns a tensor of shape `dims` filled with this value.
    fn fill(self, dims: V<'g>) -> V<'g>;
}

impl<'g> Handles<'g> for V<'g> {
    fn apply(self, function: Handle<1>) -> V<'g> {
        function.call([self])
    }
    fn gather(self, rows: V<'g>) -> V<'g> {
        GATHER_V2.call([self, rows, int(self.cx(), 0)])
    }
    fn unsorted_segment_sum(self, numbers: V<'g>, count: V<'g>) -> V<'g> {
        UNSORTED_SEGMENT_SUM.call([self, numbers, count])
    }
    fn transpose(self, order: V<'g>) -> V<'g> {
        TRANSPOSE.call([self, order])
    }
    fn broadcast_to(self, shape: V<'g>) -> V<'g> {
        BROADCAST_TO.call([self, shape])
    }
    fn size(self) -> V<'g> {
        SIZE.call([self])
    }
    fn dims(self) -> V<'g> {
        self.cx().primitive(Primitive::Shape, &[self], &[])
    }
    fn rank_found(self) -> V<'g> {
        self.cx().primitive(Primitive::Rank, &[self], &[])
    }
    fn rows(self) -> V<'g> {
        self.dims().slice1(0, 1).reshape(self.cx().ints(&[]))
    }
    fn select(self, condition: V<'g>, other: V<'g>) -> V<'g> {
        self.cx().primitive(Primitive::Select, &[condition, self, other], &[])
    }
    fn equal(self, other: V<'g>) -> V<'g> {
        EQUAL.call([self, other])
    }
    fn less(self, other: V<'g>) -> V<'g> {
        LESS.call([self, other])
    }
    fn at_least(self, other: V<'g>) -> V<'g> {
        GREATER_EQUAL.call([self, other])
    }
    fn maximum(self, other: V<'g>) -> V<'g> {
        MAXIMUM.call([self, other])
    }
    fn div_no_nan(self, other: V<'g>) -> V<'g> {
        DIV_NO_NAN.call([self, other])
    }
    fn floor_div(self, other: V<'g>) -> V<'g> {
        FLOOR_DIV.call([self, other])
    }
    fn floor_mod(self, other: V<'g>) -> V<'g> {
        FLOOR_MOD.call([self, other])
    }
    fn exp(self) -> V<'g> {
        EXP.call([self])
    }
    fn abs(self) -> V<'g> {
        ABS.call([self])
    }
    fn sign(self) -> V<'g> {
        SIGN.call([self])
    }
    fn list_diff(self, other: V<'g>) -> V<'g> {
        LIST_DIFF.call([self, other])
    }
    fn fill(self, dims: V<'g>) -> V<'g> {
        FILL.call([dims, self])
    }
}

/// Returns an input of axes, as a vector or scalar of int32.
pub fn axes(g: &GradCx, input: usize) -> V<'_> {
    g.input(input).cast(DType::I32)
}
