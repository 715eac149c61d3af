//! cuDNN's functions as declared in C.
//!
//! Statuses and algorithms are returned as integers: each version of the library has values that others lack, and a
//! Rust enum must never hold a value that it lacks.

use cudarc::cudnn::sys;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::sync::OnceLock;

pub(crate) use sys::{
    cudnnConvolutionDescriptor_t as Convolution, cudnnFilterDescriptor_t as Filter, cudnnHandle_t as Handle,
    cudnnTensorDescriptor_t as Tensor,
};

/// A status other than success.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Status(c_uint);

impl Status {
    /// Returned for what the library does not support.
    pub(crate) const NOT_SUPPORTED: Status = Status(sys::cudnnStatus_t::CUDNN_STATUS_NOT_SUPPORTED as c_uint);

    /// Converts the status that a function returned.
    fn check(returned: c_uint) -> Result<(), Status> {
        if returned == sys::cudnnStatus_t::CUDNN_STATUS_SUCCESS as c_uint { Ok(()) } else { Err(Status(returned)) }
    }
}

impl fmt::Display for Status {
    #[allow(unsafe_code)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(library) = Library::open() else { return write!(f, "status {}", self.0) };
        // SAFETY: it takes any number, and returns a string that is never freed, or null.
        let text = unsafe { (library.error_string)(self.0) };
        if text.is_null() {
            return write!(f, "status {}", self.0);
        }
        // SAFETY: as above.
        let text = unsafe { CStr::from_ptr(text) };
        write!(f, "{} (status {})", text.to_string_lossy(), self.0)
    }
}

/// An algorithm that the library recommends: `cudnnConvolutionFwdAlgoPerf_t` and its two siblings, which have the same
/// layout.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Advice {
    pub(crate) algorithm: c_int,
    status: c_uint,
    time: f32,
    /// Bytes that it needs.
    pub(crate) memory: usize,
    determinism: c_uint,
    math: c_uint,
    reserved: [c_int; 3],
}

impl Advice {
    /// True if the algorithm can be used.
    pub(crate) fn is_usable(&self) -> bool {
        Status::check(self.status).is_ok()
    }

    /// True if its results are the same each time.
    pub(crate) fn repeats(&self) -> bool {
        self.determinism == sys::cudnnDeterminism_t::CUDNN_DETERMINISTIC as c_uint
    }

    /// True if it uses tensor cores.
    pub(crate) fn uses_tensor_cores(&self) -> bool {
        use sys::cudnnMathType_t::{CUDNN_TENSOR_OP_MATH, CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION};
        [CUDNN_TENSOR_OP_MATH, CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION].iter().any(|math| *math as c_uint == self.math)
    }
}

type In = *const c_void;
type Out = *mut c_void;

/// Declares the functions that are called. If a version of the library lacks one, it is treated as not installed.
macro_rules! functions {
    ($($name:ident($($arg:ident: $ty:ty),* $(,)?);)*) => {
        /// The library.
        #[allow(non_snake_case)]
        pub(crate) struct Library {
            error_string: unsafe extern "C" fn(c_uint) -> *const c_char,
            version: unsafe extern "C" fn() -> usize,
            $($name: unsafe extern "C" fn($($ty),*) -> c_uint,)*
        }

        impl Library {
            #[allow(unsafe_code)]
            fn load() -> Option<Library> {
                // SAFETY: the types are those that the library's headers declare, an enum being an int.
                unsafe {
                    if !sys::is_culib_present() {
                        return None;
                    }
                    let library = sys::culib();
                    Some(Library {
                        error_string: *library.get(b"cudnnGetErrorString\0").ok()?,
                        version: *library.get(b"cudnnGetVersion\0").ok()?,
                        $($name: *library.get(concat!(stringify!($name), "\0").as_bytes()).ok()?,)*
                    })
                }
            }

            $(
                /// # Safety
                /// The requirements of NVIDIA's reference.
                #[allow(unsafe_code, non_snake_case, clippy::too_many_arguments)]
                pub(crate) unsafe fn $name(&self, $($arg: $ty),*) -> Result<(), Status> {
                    // SAFETY: guaranteed by the caller.
                    Status::check(unsafe { (self.$name)($($arg),*) })
                }
            )*
        }
    };
}

functions! {
    cudnnCreate(handle: *mut Handle);
    cudnnDestroy(handle: Handle);
    cudnnSetStream(handle: Handle, stream: sys::cudaStream_t);
    cudnnCreateTensorDescriptor(made: *mut Tensor);
    cudnnSetTensor4dDescriptorEx(
        tensor: Tensor, dtype: sys::cudnnDataType_t, n: c_int, c: c_int, h: c_int, w: c_int,
        n_stride: c_int, c_stride: c_int, h_stride: c_int, w_stride: c_int,
    );
    cudnnDestroyTensorDescriptor(tensor: Tensor);
    cudnnCreateFilterDescriptor(made: *mut Filter);
    cudnnSetFilter4dDescriptor(
        filter: Filter, dtype: sys::cudnnDataType_t, format: sys::cudnnTensorFormat_t,
        k: c_int, c: c_int, h: c_int, w: c_int,
    );
    cudnnDestroyFilterDescriptor(filter: Filter);
    cudnnCreateConvolutionDescriptor(made: *mut Convolution);
    cudnnSetConvolution2dDescriptor(
        what: Convolution, pad_h: c_int, pad_w: c_int, stride_h: c_int, stride_w: c_int,
        dilation_h: c_int, dilation_w: c_int, mode: sys::cudnnConvolutionMode_t, dtype: sys::cudnnDataType_t,
    );
    cudnnSetConvolutionGroupCount(what: Convolution, groups: c_int);
    cudnnSetConvolutionMathType(what: Convolution, math: sys::cudnnMathType_t);
    cudnnDestroyConvolutionDescriptor(what: Convolution);
    cudnnGetConvolutionForwardAlgorithm_v7(
        handle: Handle, input: Tensor, filter: Filter, what: Convolution, output: Tensor,
        most: c_int, count: *mut c_int, found: *mut Advice,
    );
    cudnnGetConvolutionBackwardDataAlgorithm_v7(
        handle: Handle, filter: Filter, output: Tensor, what: Convolution, input: Tensor,
        most: c_int, count: *mut c_int, found: *mut Advice,
    );
    cudnnGetConvolutionBackwardFilterAlgorithm_v7(
        handle: Handle, input: Tensor, output: Tensor, what: Convolution, filter: Filter,
        most: c_int, count: *mut c_int, found: *mut Advice,
    );
    cudnnConvolutionForward(
        handle: Handle, alpha: In, input: Tensor, images: In, filter: Filter, weights: In, what: Convolution,
        algorithm: c_int, memory: Out, size: usize, beta: In, output: Tensor, result: Out,
    );
    cudnnConvolutionBackwardData(
        handle: Handle, alpha: In, filter: Filter, weights: In, output: Tensor, result: In, what: Convolution,
        algorithm: c_int, memory: Out, size: usize, beta: In, input: Tensor, images: Out,
    );
    cudnnConvolutionBackwardFilter(
        handle: Handle, alpha: In, input: Tensor, images: In, output: Tensor, result: In, what: Convolution,
        algorithm: c_int, memory: Out, size: usize, beta: In, filter: Filter, weights: Out,
    );
}

impl Library {
    /// The library; `None` if it is not installed or lacks a function.
    pub(crate) fn open() -> Option<&'static Library> {
        static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
        LIBRARY.get_or_init(Library::load).as_ref()
    }
}

/// The version, such as `9.21.0`.
#[allow(unsafe_code)]
pub(crate) fn version() -> Option<String> {
    // SAFETY: it only returns a number.
    Some(dotted(unsafe { (Library::open()?.version)() }))
}

/// From version 9 on the number has two more digits.
fn dotted(version: usize) -> String {
    let major = if version >= 90_000 { 10_000 } else { 1000 };
    format!("{}.{}.{}", version / major, version % major / 100, version % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_has_the_layout_of_all_three_of_the_librarys() {
        use std::mem::{offset_of, size_of};
        macro_rules! alike {
            ($($theirs:ident)*) => {$(
                assert_eq!(size_of::<Advice>(), size_of::<sys::$theirs>());
                assert_eq!(offset_of!(Advice, algorithm), offset_of!(sys::$theirs, algo));
                assert_eq!(offset_of!(Advice, status), offset_of!(sys::$theirs, status));
                assert_eq!(offset_of!(Advice, memory), offset_of!(sys::$theirs, memory));
                assert_eq!(offset_of!(Advice, determinism), offset_of!(sys::$theirs, determinism));
                assert_eq!(offset_of!(Advice, math), offset_of!(sys::$theirs, mathType));
            )*};
        }
        alike!(cudnnConvolutionFwdAlgoPerf_t cudnnConvolutionBwdDataAlgoPerf_t cudnnConvolutionBwdFilterAlgoPerf_t);
    }

    #[test]
    fn versions_have_points() {
        assert_eq!([8907, 92_100].map(dotted), ["8.9.7", "9.21.0"]);
    }

    #[test]
    fn any_number_can_be_a_status() {
        for number in [1, 3, 8, 9, 3000, 5003, u32::MAX] {
            let status = Status::check(number).unwrap_err();
            assert!(status.to_string().contains(&number.to_string()));
        }
        assert_eq!(Status::check(0), Ok(()));
    }
}
