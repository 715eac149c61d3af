//! Convolutions by cuDNN.
//!
//! It takes images in either layout, but filters with the filters first, and the same padding at both ends of an axis.
//! So filters are transposed by a program, and images with uneven padding are padded by one, into memory that every
//! lane keeps for this. float32 values are multiplied without TF32 rounding unless that is allowed; narrow floats by
//! tensor cores, with sums of 32 bits.

use crate::cudnn::{self, Advice, Library, Status};
use crate::workspace::{Workspace, Workspaces};
use cudarc::cudnn::sys;
use cudarc::driver::sys::{CUdeviceptr, CUfunction};
use cudarc::driver::{CudaStream, DriverError};
use levada_gpu::backend::{Convolve, Prepared, Wanted};
use levada_gpu::ir::{Access, Builder, E, Ty};
use levada_graph::DType;
use levada_ops::sizes::{Axis, Layout};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// Bytes that an algorithm may use besides images and filters.
const WORKSPACE: usize = 256 << 20;

/// Maximum number of algorithms that are requested.
const CHOICES: usize = 8;

/// The library, for one stream.
pub(crate) struct Dnn {
    library: &'static Library,
    handle: cudnn::Handle,
    stream: Arc<CudaStream>,
    /// Memory besides images and filters, as much as the largest convolution so far needed.
    memory: Option<Workspace>,
    workspaces: Arc<Workspaces>,
    choices: HashMap<Key, Option<Choice>>,
}

/// What the choice of an algorithm depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    wanted: WantedKind,
    dtype: DType,
    tf32: bool,
    channels_first: bool,
    axes: [[usize; 6]; 2],
    counts: [usize; 4],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum WantedKind {
    Output,
    Input,
    Filter,
}

/// The descriptors of a convolution for the library.
struct Descriptors {
    library: &'static Library,
    input: cudnn::Tensor,
    filter: cudnn::Filter,
    output: cudnn::Tensor,
    what: cudnn::Convolution,
}

/// How a convolution is computed.
struct Choice {
    all: Descriptors,
    wanted: Wanted,
    /// The library's number for the algorithm.
    algorithm: c_int,
    /// Bytes of the transposed filter, of the padded images (0 if either is used unchanged) and of the algorithm's
    /// workspace.
    sizes: [usize; 3],
    /// The filter before it is transposed: its first, its middle and its last axes.
    filter: [u32; 3],
    padded: Option<Padded>,
}

/// Images and the padded ones: the number before height, the number of elements behind width, both heights and widths,
/// and the offset of the images from the start of the padded ones.
#[derive(Clone, Copy)]
struct Padded {
    outer: u32,
    inner: u32,
    sizes: [u32; 2],
    padded: [u32; 2],
    before: [u32; 2],
}

// SAFETY: what the pointers lead to belongs to this value alone, is bound to no thread, and is used by one thread at a
// time, since every use takes `&mut self`.
#[allow(unsafe_code)]
unsafe impl Send for Dnn {}

impl Drop for Dnn {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        self.choices.clear();
        // SAFETY: made by `new`, and not used any more.
        let _ = unsafe { self.library.cudnnDestroy(self.handle) };
    }
}

impl Drop for Descriptors {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        let library = self.library;
        // SAFETY: those that are not null were made by `describe`, and are not used any more. Errors are ignored.
        unsafe {
            for tensor in [self.input, self.output] {
                if !tensor.is_null() {
                    let _ = library.cudnnDestroyTensorDescriptor(tensor);
                }
            }
            if !self.filter.is_null() {
                let _ = library.cudnnDestroyFilterDescriptor(self.filter);
            }
            if !self.what.is_null() {
                let _ = library.cudnnDestroyConvolutionDescriptor(self.what);
            }
        }
    }
}

/// cuDNN's types for the elements and for multiplying them; `None` for those that are left to own programs.
fn types(dtype: DType, tf32: bool) -> Option<(sys::cudnnDataType_t, sys::cudnnMathType_t)> {
    use sys::cudnnDataType_t::{CUDNN_DATA_BFLOAT16, CUDNN_DATA_FLOAT, CUDNN_DATA_HALF};
    use sys::cudnnMathType_t::{CUDNN_DEFAULT_MATH, CUDNN_FMA_MATH, CUDNN_TENSOR_OP_MATH};
    match dtype {
        DType::F32 if tf32 => Some((CUDNN_DATA_FLOAT, CUDNN_DEFAULT_MATH)),
        // The default would be TF32.
        DType::F32 => Some((CUDNN_DATA_FLOAT, CUDNN_FMA_MATH)),
        DType::F16 => Some((CUDNN_DATA_HALF, CUDNN_TENSOR_OP_MATH)),
        DType::BF16 => Some((CUDNN_DATA_BFLOAT16, CUDNN_TENSOR_OP_MATH)),
        _ => None,
    }
}

/// Programs that transpose filters and pad images, for elements of 2 or of 4 bytes.
pub(crate) fn programs(narrow: bool) -> [Prepared; 2] {
    let dtype = if narrow { DType::U16 } else { DType::U32 };
    [Prepared::new(turn(dtype)), Prepared::new(shift(dtype))]
}

/// Reverses the order of three axes.
fn turn(dtype: DType) -> levada_gpu::ir::Program {
    let mut b = Builder::new("turn_filter");
    let (from, to) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Write));
    let [n, first, middle, last] = std::array::from_fn(|_| b.param_u32());
    b.for_each(&n, |b, i| {
        let (x, rest) = (b.let_(&i % &first), b.let_(&i / &first));
        let (y, z) = (b.let_(&rest % &middle), b.let_(&rest / &middle));
        let value = b.load(from, (&x * &middle + &y) * &last + &z);
        b.store(to, &i, value);
    });
    b.finish()
}

/// Copies images to larger or smaller ones, from an unsigned offset on. Elements beyond them are zero.
fn shift(dtype: DType) -> levada_gpu::ir::Program {
    let mut b = Builder::new("shift_images");
    let (from, to) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Write));
    let [n, inner, to_height, to_width, from_height, from_width, down, right] = std::array::from_fn(|_| b.param_u32());
    b.for_each(&n, |b, i| {
        let (channel, rest) = (b.let_(&i % &inner), b.let_(&i / &inner));
        let (x, rest) = (b.let_(&rest % &to_width + &right), b.let_(&rest / &to_width));
        let (y, image) = (b.let_(&rest % &to_height + &down), b.let_(&rest / &to_height));
        let inside = x.lt(&from_width).and(y.lt(&from_height));
        let value = b.let_(E::u32(0));
        b.if_(inside, |b| {
            let at = ((&image * &from_height + &y) * &from_width + &x) * &inner + &channel;
            let loaded = b.load(from, at);
            b.set(&value, loaded.to(Ty::U32));
        });
        b.store(to, &i, &value);
    });
    b.finish()
}

fn round_up(bytes: usize) -> usize {
    bytes.div_ceil(256) * 256
}

/// The best of the recommended algorithms, which are sorted by speed: one with repeatable results may be a little
/// slower.
fn choose(advised: &[Advice], no_tensor_cores: bool) -> Option<Advice> {
    let usable = || {
        advised
            .iter()
            .filter(|one| one.is_usable() && one.memory <= WORKSPACE && !(no_tensor_cores && one.uses_tensor_cores()))
    };
    usable().find(|one| one.repeats()).or_else(|| usable().next()).copied()
}

impl Dnn {
    /// The library on `stream`; `None` if it is not installed, does not start or lacks a function.
    #[allow(unsafe_code)]
    pub(crate) fn new(stream: &Arc<CudaStream>, workspaces: &Arc<Workspaces>) -> Option<Dnn> {
        let library = Library::open()?;
        stream.context().bind_to_thread().ok()?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: there is room for the handle.
        unsafe { library.cudnnCreate(&mut handle) }.ok()?;
        let (stream, workspaces) = (stream.clone(), workspaces.clone());
        let made = Dnn { library, handle, stream, memory: None, workspaces, choices: HashMap::new() };
        // SAFETY: both exist; the stream is kept as long as the handle.
        unsafe { library.cudnnSetStream(handle, made.stream.cu_stream().cast()) }.ok()?;
        Some(made)
    }

    /// Queues a convolution; false if own programs are to compute it, since the library cannot or refuses to.
    /// `addresses` are those of images, filter and result, which have all elements that the convolution refers to;
    /// `functions` are the [`programs`] for its dtype.
    ///
    /// # Errors
    /// The driver's error.
    #[allow(unsafe_code)]
    pub(crate) fn convolve(
        &mut self,
        asked: &Convolve<'_>,
        addresses: [CUdeviceptr; 3],
        functions: [CUfunction; 2],
    ) -> Result<bool, DriverError> {
        // Tensor cores read 16 bytes at a time.
        if addresses.iter().any(|address| address % 16 != 0) {
            return Ok(false);
        }
        if !self.prepare(asked)? {
            return Ok(false);
        }
        let Some(Some(choice)) = self.choices.get(&Key::of(asked)) else { return Ok(false) };
        let Some(memory) = &self.memory else { return Ok(false) };
        let turned = memory.address(&self.stream);
        let padded = turned + round_up(choice.sizes[0]) as u64;
        let workspace = padded + round_up(choice.sizes[1]) as u64;
        let [input, filter, output] = addresses;
        let images = if choice.padded.is_some() { padded } else { input };
        let [turn, shift] = functions;
        if asked.wanted != Wanted::Filter {
            self.turn(turn, choice.filter, filter, turned)?;
        }
        if let (Some(padded), true) = (choice.padded, asked.wanted != Wanted::Input) {
            self.shift(shift, padded, true, input, images)?;
        }
        if choice.compute(self.handle, [images, turned, output], workspace).is_err() {
            // What the library refuses although it recommended it is computed by programs from now on.
            self.choices.insert(Key::of(asked), None);
            return Ok(false);
        }
        if asked.wanted == Wanted::Filter {
            let [first, middle, last] = choice.filter;
            self.turn(turn, [last, middle, first], turned, filter)?;
        }
        if let (Some(padded), true) = (choice.padded, asked.wanted == Wanted::Input) {
            self.shift(shift, padded, false, images, input)?;
        }
        Ok(true)
    }

    /// Prepares what a convolution needs, so that nothing is allocated when it is queued; false if it is not supported.
    ///
    /// # Errors
    /// The driver's error.
    #[allow(unsafe_code)]
    pub(crate) fn prepare(&mut self, asked: &Convolve<'_>) -> Result<bool, DriverError> {
        let key = Key::of(asked);
        if !self.choices.contains_key(&key) {
            // A convolution that cannot be described is not supported.
            let choice = self.choose(asked).unwrap_or(None);
            self.choices.insert(key.clone(), choice);
        }
        let Some(Some(choice)) = self.choices.get(&key) else { return Ok(false) };
        let needed: usize = choice.sizes.iter().map(|size| round_up(*size)).sum();
        if self.memory.as_ref().is_none_or(|memory| memory.len() < needed) {
            self.memory = None;
            match self.workspaces.alloc(&self.stream, needed) {
                Ok(memory) => self.memory = Some(memory),
                Err(DriverError(cudarc::driver::sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    fn turn(&self, turn: CUfunction, axes: [u32; 3], from: CUdeviceptr, to: CUdeviceptr) -> Result<(), DriverError> {
        let count = axes.iter().product();
        self.launch(turn, from, to, count, &axes)
    }

    fn shift(
        &self,
        shift: CUfunction,
        padded: Padded,
        grow: bool,
        from: CUdeviceptr,
        to: CUdeviceptr,
    ) -> Result<(), DriverError> {
        let Padded { outer, inner, sizes, padded, before } = padded;
        let (out, into) = if grow { (padded, sizes) } else { (sizes, padded) };
        let [down, right] = before.map(|b| if grow { b.wrapping_neg() } else { b });
        let count = outer * inner * out[0] * out[1];
        self.launch(shift, from, to, count, &[inner, out[0], out[1], into[0], into[1], down, right])
    }

    #[allow(unsafe_code)]
    fn launch(
        &self,
        function: CUfunction,
        from: CUdeviceptr,
        to: CUdeviceptr,
        count: u32,
        params: &[u32],
    ) -> Result<(), DriverError> {
        let mut args: SmallVec<[*mut c_void; 10]> = [
            (&raw const from).cast_mut().cast(),
            (&raw const to).cast_mut().cast(),
            (&raw const count).cast_mut().cast(),
        ]
        .into_iter()
        .chain(params.iter().map(|param| std::ptr::from_ref(param).cast_mut().cast()))
        .collect();
        let groups = count.div_ceil(256).clamp(1, 65_535);
        // SAFETY: the arguments are those of the programs above; both addresses have room for what the choice says.
        unsafe {
            let stream = self.stream.cu_stream();
            cudarc::driver::result::launch_kernel(function, (groups, 1, 1), (256, 1, 1), 0, stream, &mut args)?;
        }
        Ok(())
    }

    #[allow(unsafe_code)]
    fn choose(&self, asked: &Convolve<'_>) -> Result<Option<Choice>, Status> {
        let c = asked.sizes;
        // Own programs are made for one channel in a group; images with depth are not supported at all.
        if c.axes[0].window != 1 || c.axes[0].input != 1 || (c.groups > 1 && c.groups == c.channels) {
            return Ok(None);
        }
        let slides = [c.axes[1], c.axes[2]];
        let alike = slides.iter().all(|axis| windows(axis, axis.input, axis.before) == Some(axis.output));
        let padded =
            slides.map(|axis| if alike { axis.input } else { (axis.output - 1) * axis.stride + extent(&axis) });
        let each = c.channels / c.groups;
        let element = asked.dtype.size();
        let filter_count = slides[0].window * slides[1].window * each * c.filters;
        let counts = [
            c.batch * c.channels * padded[0] * padded[1],
            c.batch * c.channels * slides[0].input * slides[1].input,
            c.batch * c.filters * slides[0].output * slides[1].output,
            filter_count,
        ];
        if counts.iter().any(|count| *count == 0 || *count >= 1 << 31) {
            return Ok(None);
        }
        let all = describe(self.library, asked, padded, if alike { slides.map(|a| a.before) } else { [0; 2] })?;
        let Descriptors { library, input, filter, output, what } = all;
        let (mut advised, mut count) = ([Advice::default(); CHOICES], 0);
        let (handle, most, found) = (self.handle, CHOICES as c_int, advised.as_mut_ptr());
        // SAFETY: all descriptors are complete, and what is written to has room for as many results as are requested.
        unsafe {
            match asked.wanted {
                Wanted::Output => library.cudnnGetConvolutionForwardAlgorithm_v7(
                    handle, input, filter, what, output, most, &mut count, found,
                ),
                Wanted::Input => library.cudnnGetConvolutionBackwardDataAlgorithm_v7(
                    handle, filter, output, what, input, most, &mut count, found,
                ),
                Wanted::Filter => library.cudnnGetConvolutionBackwardFilterAlgorithm_v7(
                    handle, input, output, what, filter, most, &mut count, found,
                ),
            }
        }?;
        let advised = &advised[..usize::try_from(count).unwrap_or(0).min(CHOICES)];
        let Some(Advice { algorithm, memory, .. }) = choose(advised, asked.dtype == DType::F32 && !asked.tf32) else {
            return Ok(None);
        };
        let taps = slides[0].window * slides[1].window;
        let first = c.layout == Layout::ChannelsFirst;
        let filter = if first { [taps, each, c.filters] } else { [taps * each, 1, c.filters] };
        let small = |sizes: [usize; 2]| sizes.map(|size| size as u32);
        let images = Padded {
            outer: (if first { c.batch * c.channels } else { c.batch }) as u32,
            inner: (if first { 1 } else { c.channels }) as u32,
            sizes: small(slides.map(|axis| axis.input)),
            padded: small(padded),
            before: small(slides.map(|axis| axis.before)),
        };
        Ok(Some(Choice {
            all,
            wanted: asked.wanted,
            algorithm,
            sizes: [filter_count * element, if alike { 0 } else { counts[0] * element }, memory],
            filter: filter.map(|size| size as u32),
            padded: (!alike).then_some(images),
        }))
    }
}

impl Choice {
    /// Queues the library's part: images, filter and result are at these addresses.
    #[allow(unsafe_code)]
    fn compute(
        &self,
        handle: cudnn::Handle,
        addresses: [CUdeviceptr; 3],
        workspace: CUdeviceptr,
    ) -> Result<(), Status> {
        let (one, zero) = (1f32, 0f32);
        let (one, zero): (*const c_void, *const c_void) = ((&raw const one).cast(), (&raw const zero).cast());
        let Descriptors { library, input, filter, output, what } = self.all;
        let how = self.algorithm;
        let [images, turned, result] = addresses.map(|address| address as *mut c_void);
        let (memory, size) = (workspace as *mut c_void, self.sizes[2]);
        // SAFETY: the descriptors describe what is at the addresses; the scales are read before this returns; the
        // workspace is used on this stream only, in its order.
        unsafe {
            match self.wanted {
                Wanted::Output => library.cudnnConvolutionForward(
                    handle, one, input, images, filter, turned, what, how, memory, size, zero, output, result,
                ),
                Wanted::Input => library.cudnnConvolutionBackwardData(
                    handle, one, filter, turned, output, result, what, how, memory, size, zero, input, images,
                ),
                Wanted::Filter => library.cudnnConvolutionBackwardFilter(
                    handle, one, input, images, output, result, what, how, memory, size, zero, filter, turned,
                ),
            }
        }
    }
}

impl Key {
    fn of(asked: &Convolve<'_>) -> Key {
        let c = asked.sizes;
        let wanted = match asked.wanted {
            Wanted::Output => WantedKind::Output,
            Wanted::Input => WantedKind::Input,
            Wanted::Filter => WantedKind::Filter,
        };
        let axis = |a: &Axis| [a.input, a.window, a.stride, a.dilation, a.before, a.output];
        Key {
            wanted,
            dtype: asked.dtype,
            tf32: asked.tf32 && asked.dtype == DType::F32,
            channels_first: c.layout == Layout::ChannelsFirst,
            axes: [axis(&c.axes[1]), axis(&c.axes[2])],
            counts: [c.batch, c.channels, c.filters, c.groups],
        }
    }
}

/// Number of elements that a window spans.
fn extent(axis: &Axis) -> usize {
    (axis.window - 1) * axis.dilation + 1
}

/// Number of windows along an axis of `size` elements with `padding` at both ends.
fn windows(axis: &Axis, size: usize, padding: usize) -> Option<usize> {
    Some((size + 2 * padding).checked_sub(extent(axis))? / axis.stride + 1)
}

/// Describes a convolution of images of this height and width, with this padding.
#[allow(unsafe_code)]
fn describe(
    library: &'static Library,
    asked: &Convolve<'_>,
    sizes: [usize; 2],
    padding: [usize; 2],
) -> Result<Descriptors, Status> {
    use sys::cudnnTensorFormat_t::{CUDNN_TENSOR_NCHW, CUDNN_TENSOR_NHWC};
    let c = asked.sizes;
    let unsupported = || Status::NOT_SUPPORTED;
    let (element, math) = types(asked.dtype, asked.tf32).ok_or_else(unsupported)?;
    let small = |size: usize| c_int::try_from(size).map_err(|_| unsupported());
    let first = c.layout == Layout::ChannelsFirst;
    let mut all = Descriptors {
        library,
        input: std::ptr::null_mut(),
        filter: std::ptr::null_mut(),
        output: std::ptr::null_mut(),
        what: std::ptr::null_mut(),
    };
    let tensor = |made: cudnn::Tensor, channels: usize, height: usize, width: usize| {
        let [image, channel, row, column] = if first {
            [channels * height * width, height * width, width, 1]
        } else {
            [channels * height * width, 1, width * channels, channels]
        };
        let [n, c, h, w] = [small(c.batch)?, small(channels)?, small(height)?, small(width)?];
        let [image, channel, row, column] = [small(image)?, small(channel)?, small(row)?, small(column)?];
        // SAFETY: the descriptor was made before.
        unsafe { library.cudnnSetTensor4dDescriptorEx(made, element, n, c, h, w, image, channel, row, column) }
    };
    let [y, x] = [&c.axes[1], &c.axes[2]];
    let format = if first { CUDNN_TENSOR_NCHW } else { CUDNN_TENSOR_NHWC };
    // SAFETY: each is written once, and only used after that; what was made is destroyed with `all`, whatever fails.
    unsafe {
        library.cudnnCreateTensorDescriptor(&mut all.input)?;
        library.cudnnCreateTensorDescriptor(&mut all.output)?;
        library.cudnnCreateFilterDescriptor(&mut all.filter)?;
        library.cudnnCreateConvolutionDescriptor(&mut all.what)?;
        tensor(all.input, c.channels, sizes[0], sizes[1])?;
        tensor(all.output, c.filters, y.output, x.output)?;
        let (filters, channels) = (small(c.filters)?, small(c.channels / c.groups)?);
        let (height, width) = (small(y.window)?, small(x.window)?);
        library.cudnnSetFilter4dDescriptor(all.filter, element, format, filters, channels, height, width)?;
        library.cudnnSetConvolution2dDescriptor(
            all.what,
            small(padding[0])?,
            small(padding[1])?,
            small(y.stride)?,
            small(x.stride)?,
            small(y.dilation)?,
            small(x.dilation)?,
            sys::cudnnConvolutionMode_t::CUDNN_CROSS_CORRELATION,
            sys::cudnnDataType_t::CUDNN_DATA_FLOAT,
        )?;
        library.cudnnSetConvolutionGroupCount(all.what, small(c.groups)?)?;
        library.cudnnSetConvolutionMathType(all.what, math)?;
    }
    Ok(all)
}
