//! `_FusedConv2D` and `_FusedMatMul`: several ops fused into one by TensorFlow's optimizer, as found in graphs saved
//! after optimization.

use super::conv2d::Conv2D;
use super::product::dispatch_operand;
use crate::prelude::*;
use levada_gemm::{self as gemm, Gemm, Mat, Size};
use levada_ops_core::constant::Cache;
use levada_ops_core::images::window::Layout;
use num_traits::Float;

attrs! {
    /// Computes a `Conv2D` followed by a bias or a batch norm, then an activation.
    pub struct FusedConv2D {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::F32, DType::F64, DType::I8, DType::QI8]),
        /// Element types of the additional arguments.
        arg_types: Vec<DType> = Attr::dtypes("TArgs", sets::ANY).at_least(1),
        /// Number of additional arguments.
        args: i64 = Attr::int("num_args").at_least(0),
        /// Number of arguments of integer convolutions.
        host_args: i64 = Attr::int("num_host_args").at_least(0).or_int(0),
        /// As in `Conv2D`.
        strides: Vec<i64> = Attr::ints("strides"),
        /// As in `Conv2D`.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID", "EXPLICIT"]),
        /// As in `Conv2D`.
        explicit_paddings: Vec<i64> = Attr::ints("explicit_paddings").or_empty(),
        /// Order of the axes of images.
        data_format: Bytes = Attr::one_of("data_format", &["NHWC", "NCHW", "NCHW_VECT_C"]).or_str("NHWC"),
        /// Order of the axes of the filter.
        filter_format: Bytes = Attr::one_of("filter_format", &["HWIO", "OIHW", "OIHW_VECT_I"]).or_str("HWIO"),
        /// As in `Conv2D`.
        dilations: Vec<i64> = Attr::ints("dilations").or_ints(&[1, 1, 1, 1]),
        /// Ignored.
        use_cudnn_on_gpu: bool = Attr::bool("use_cudnn_on_gpu").or_bool(true),
        /// Names of the ops applied to the result.
        fused_ops: Vec<Bytes> = Attr::strings("fused_ops").or_empty(),
        /// Added to the variances of a batch norm.
        epsilon: f32 = Attr::float("epsilon").or_float(0.0001),
        /// The slope of `LeakyRelu`.
        alpha: f32 = Attr::float("leakyrelu_alpha").or_float(0.2),
    }
}

pub static FUSED_CONV2D: Def<FusedConv2D> = op::<FusedConv2D>("_FusedConv2D")
    .inputs(&[
        arg("input", of("T")),
        arg("filter", of("T")),
        arg("args", each("TArgs")),
        arg("host_args", is(DType::F32)).times("num_host_args"),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(|op, cx| op.convolution().parameters().shape(cx))
    .kernel(|op, cx| {
        let convolution = op.convolution();
        let cache = Cache::of_constant(cx, 1)?;
        let (input, filter) = (cx.input(0)?, cx.input(1)?);
        let sizes = convolution.convolution(input.shape(), filter.shape())?;
        let mut out = dispatch_operand!(op.dtype, |T| sizes.forward::<T>(cx, input, filter, cache.as_deref(), None))?;
        let rest = Rest { first: 2, fused_ops: &op.fused_ops, epsilon: op.epsilon, alpha: op.alpha };
        rest.apply(cx, &mut out, Layout::of(&op.data_format)?)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy()
    .supports(|op| {
        let is_float = matches!(op.dtype, DType::F16 | DType::F32 | DType::F64);
        is_float && op.host_args == 0 && op.filter_format == "HWIO" && Steps::of(&op.fused_ops, op.alpha).is_some()
    });

impl FusedConv2D {
    fn convolution(&self) -> Conv2D {
        Conv2D {
            dtype: self.dtype,
            strides: self.strides.clone(),
            use_cudnn_on_gpu: self.use_cudnn_on_gpu,
            padding: self.padding.clone(),
            explicit_paddings: self.explicit_paddings.clone(),
            data_format: self.data_format.clone(),
            dilations: self.dilations.clone(),
        }
    }
}

attrs! {
    /// Computes a `MatMul` followed by a bias, then an activation.
    pub struct FusedMatMul {
        /// Whether to transpose `a`.
        transpose_a: bool = Attr::bool("transpose_a").or_bool(false),
        /// Whether to transpose `b`.
        transpose_b: bool = Attr::bool("transpose_b").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::BF16, DType::F16, DType::F32]),
        /// Number of additional arguments.
        args: i64 = Attr::int("num_args").at_least(0),
        /// Names of the ops applied to the result.
        fused_ops: Vec<Bytes> = Attr::strings("fused_ops").or_empty(),
        /// Added to the variances of a batch norm.
        epsilon: f32 = Attr::float("epsilon").or_float(0.0001),
        /// The slope of `LeakyRelu`.
        alpha: f32 = Attr::float("leakyrelu_alpha").or_float(0.2),
    }
}

pub static FUSED_MAT_MUL: Def<FusedMatMul> = op::<FusedMatMul>("_FusedMatMul")
    .inputs(&[arg("a", of("T")), arg("b", of("T")), arg("args", of("T")).times("num_args")])
    .outputs(&[arg("product", of("T"))])
    .shape(|op, cx| {
        let (a, b) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
        let rows = a.dim(isize::from(op.transpose_a));
        cx.output(0, PartialShape::new([rows, b.dim(isize::from(!op.transpose_b))]));
        Ok(())
    })
    .kernel(|op, cx| {
        let mut out = dispatch!(op.dtype, floats, |T| op.product::<T>(cx), else unsupported(cx, op.dtype))?;
        let rest = Rest { first: 2, fused_ops: &op.fused_ops, epsilon: op.epsilon, alpha: op.alpha };
        rest.apply(cx, &mut out, Layout::ChannelsLast)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy()
    .supports(|op| Steps::of(&op.fused_ops, op.alpha).is_some_and(|steps| !steps.normalizes));

impl FusedMatMul {
    fn product<T: Gemm + Element>(&self, cx: &Cx<'_, '_>) -> Result<Tensor> {
        let (a, b) = (cx.input(0)?, cx.input(1)?);
        for (i, tensor) in [a, b].into_iter().enumerate() {
            if tensor.shape().rank() != 2 {
                let shape = tensor.shape();
                return Err(Error::invalid(format!("In[{i}] is not a matrix. Instead it has shape {shape}")));
            }
        }
        let sizes = |shape: &Shape, swap: bool| if swap { (shape[1], shape[0]) } else { (shape[0], shape[1]) };
        let ((m, k), (inner, n)) = (sizes(a.shape(), self.transpose_a), sizes(b.shape(), self.transpose_b));
        if k != inner {
            return Err(Error::invalid(format!(
                "Matrix size-incompatible: In[0]: {}, In[1]: {}",
                a.shape(),
                b.shape()
            )));
        }
        let mut out = cx.alloc(self.dtype, &Shape::new([m, n])?)?;
        let left = Mat::new(a.slice::<T>()?, a.shape()[1]).t_if(self.transpose_a);
        let right = Mat::new(b.slice::<T>()?, b.shape()[1]).t_if(self.transpose_b);
        gemm::multiply(cx.pool(), Size { m, n, k }, left, right, out.slice_mut::<T>()?)?;
        Ok(out)
    }
}

/// The ops applied to a product.
struct Steps {
    /// Whether there is a batch norm; otherwise a bias or nothing.
    normalizes: bool,
    /// Number of arguments that have one value per channel.
    vectors: usize,
    activation: Activation,
}

#[derive(Clone, Copy)]
enum Activation {
    None,
    Relu,
    Relu6,
    Elu,
    LeakyRelu(f32),
    Tanh,
    Sigmoid,
}

impl Steps {
    /// Parses `fused_ops`; `None` for unsupported combinations.
    fn of(fused_ops: &[Bytes], alpha: f32) -> Option<Steps> {
        let (first, rest) = match fused_ops {
            [] => return None,
            [first, rest @ ..] => (&first[..], rest),
        };
        let (normalizes, vectors) = match first {
            b"BiasAdd" => (false, 1),
            b"FusedBatchNorm" => (true, 4),
            _ => return None,
        };
        let activation = match rest {
            [] => Activation::None,
            [name] => match &name[..] {
                b"Relu" => Activation::Relu,
                b"Relu6" => Activation::Relu6,
                b"Elu" => Activation::Elu,
                b"LeakyRelu" => Activation::LeakyRelu(alpha),
                b"Tanh" => Activation::Tanh,
                b"Sigmoid" => Activation::Sigmoid,
                _ => return None,
            },
            _ => return None,
        };
        Some(Steps { normalizes, vectors, activation })
    }
}

/// The ops that a node applies to a product, with their arguments.
struct Rest<'a> {
    /// Index of the first input that does not belong to the product.
    first: usize,
    fused_ops: &'a [Bytes],
    epsilon: f32,
    alpha: f32,
}

/// What is applied to the elements of a channel.
struct Channels<W> {
    centers: Vec<W>,
    factors: Vec<W>,
    terms: Vec<W>,
}

impl Rest<'_> {
    fn apply(&self, cx: &Cx<'_, '_>, out: &mut Tensor, layout: Layout) -> Result<()> {
        match out.dtype() {
            DType::F32 => self.apply_to::<f32, f32>(cx, out, layout),
            DType::F64 => self.apply_to::<f64, f64>(cx, out, layout),
            DType::F16 => self.apply_to::<f16, f32>(cx, out, layout),
            DType::BF16 => self.apply_to::<bf16, f32>(cx, out, layout),
            other => unsupported(cx, other),
        }
    }

    fn apply_to<T: Number<Wide = W>, W: Float + Number + Sync + Send>(
        &self,
        cx: &Cx<'_, '_>,
        out: &mut Tensor,
        layout: Layout,
    ) -> Result<()> {
        let steps = Steps::of(self.fused_ops, self.alpha).ok_or_else(|| {
            let names: Vec<_> = self.fused_ops.iter().map(|name| String::from_utf8_lossy(name)).collect();
            Error::unimplemented(format!("fusion of {}", names.join(", "))).attr("fused_ops")
        })?;
        let given = cx.num_inputs() - self.first;
        if given != steps.vectors {
            return Err(Error::invalid(format!("Fused ops must have {} extra arguments", steps.vectors))
                .attr("num_args")
                .found(given));
        }
        let shape = out.shape().clone();
        let axis = layout.channel(shape.rank());
        let channels = shape[axis];
        let vectors = (0..steps.vectors).map(|i| self.vector::<T, W>(cx, i, channels)).collect::<Result<Vec<_>>>()?;
        let of_channels = match &vectors[..] {
            [scale, offset, mean, variance] => {
                let epsilon = W::from(self.epsilon).unwrap_or_else(Float::epsilon);
                let factor = |(&scale, &variance): (&W, &W)| scale * (variance + epsilon).sqrt().recip();
                let factors = scale.iter().zip(variance).map(factor).collect();
                Channels { centers: mean.clone(), factors, terms: offset.clone() }
            }
            _ => Channels {
                centers: vec![<W as Number>::zero(); channels],
                factors: vec![<W as Number>::one(); channels],
                terms: vectors.into_iter().next().unwrap_or_default(),
            },
        };
        let inner: usize = shape[axis + 1..].iter().product();
        let width = if inner == 1 { channels } else { inner };
        if out.num_elements() == 0 {
            return Ok(());
        }
        let Channels { centers, factors, terms } = &of_channels;
        cx.pool().for_chunks(out.slice_mut::<T>()?, width, width as f64 * 0.6, |first, piece| {
            for (i, row) in piece.chunks_exact_mut(width).enumerate() {
                for (j, value) in row.iter_mut().enumerate() {
                    let c = if inner == 1 { j } else { (first + i) % channels };
                    let affine = (value.widen() - centers[c]) * factors[c] + terms[c];
                    *value = T::narrow(activated(steps.activation, affine));
                }
            }
        });
        Ok(())
    }

    /// Returns additional argument `i`, which must have one value per channel.
    fn vector<T: Number<Wide = W>, W>(&self, cx: &Cx<'_, '_>, i: usize, channels: usize) -> Result<Vec<W>> {
        let tensor = cx.input(self.first + i)?;
        if tensor.shape().rank() != 1 || tensor.num_elements() != channels {
            return Err(Error::invalid(format!("argument {i} must have a value for each of {channels} channels"))
                .found(format!("shape {}", tensor.shape())));
        }
        Ok(tensor.slice::<T>()?.iter().map(|value| value.widen()).collect())
    }
}

#[inline(always)]
fn activated<W: Float>(activation: Activation, x: W) -> W {
    let number = |value: f32| W::from(value).unwrap_or_else(W::nan);
    match activation {
        Activation::None => x,
        Activation::Relu => {
            if x < W::zero() {
                W::zero()
            } else {
                x
            }
        }
        Activation::Relu6 => {
            let x = if x < W::zero() { W::zero() } else { x };
            if x > number(6.0) { number(6.0) } else { x }
        }
        Activation::Elu => {
            if x < W::zero() {
                x.exp_m1()
            } else {
                x
            }
        }
        Activation::LeakyRelu(alpha) => {
            if x < W::zero() {
                x * number(alpha)
            } else {
                x
            }
        }
        Activation::Tanh => x.tanh(),
        Activation::Sigmoid => ((-x).exp() + W::one()).recip(),
    }
}
