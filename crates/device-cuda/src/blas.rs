//! Products of matrices by cuBLASLt.
//!
//! It stores matrices column-major, so it is asked for the product's transpose: `outᵀ = bᵀ aᵀ`.

use crate::workspace::{Workspace, Workspaces};
use cudarc::cublaslt::result::{self, CublasError};
use cudarc::cublaslt::sys;
use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUdeviceptr;
use levada_gpu::backend::MatMul;
use levada_graph::{DType, Error, Result};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::Arc;

/// Bytes of workspace for a product; what NVIDIA recommends for the newest devices.
const WORKSPACE: usize = 32 << 20;

/// A larger alignment has no benefit. This is what the library assumes by default.
const ALIGNMENT: u64 = 256;

/// The library, for one stream.
pub(crate) struct Blas {
    handle: sys::cublasLtHandle_t,
    workspace: Workspace,
    stream: Arc<CudaStream>,
    choices: HashMap<Key, Option<Choice>>,
}

/// What the choice of an algorithm depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    dtype: DType,
    tf32: bool,
    sizes: [usize; 3],
    batch: usize,
    transposed: [bool; 2],
    leading: [usize; 2],
    strides: [usize; 2],
    /// The alignment of the addresses of `a`, `b` and `out`, at most [`ALIGNMENT`].
    alignment: [u32; 3],
}

/// How a product is computed.
struct Choice {
    what: sys::cublasLtMatmulDesc_t,
    a: sys::cublasLtMatrixLayout_t,
    b: sys::cublasLtMatrixLayout_t,
    out: sys::cublasLtMatrixLayout_t,
    how: sys::cublasLtMatmulAlgo_t,
}

// SAFETY: what the pointers lead to belongs to this value alone, is bound to no thread, and is used by one thread at a
// time, since every use takes `&mut self`.
#[allow(unsafe_code)]
unsafe impl Send for Blas {}

impl Drop for Blas {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        for choice in self.choices.drain().filter_map(|(_, choice)| choice) {
            choice.destroy();
        }
        // SAFETY: made by `new`, and not used any more.
        let _ = unsafe { result::destroy_handle(self.handle) };
    }
}

impl Choice {
    #[allow(unsafe_code)]
    fn destroy(self) {
        // SAFETY: all four were made by `choose`, and are not used any more. Errors are ignored.
        unsafe {
            let _ = result::destroy_matmul_desc(self.what);
            for layout in [self.a, self.b, self.out] {
                let _ = result::destroy_matrix_layout(layout);
            }
        }
    }
}

fn said(error: CublasError) -> Error {
    Error::internal(format!("cuBLASLt: {error}"))
}

/// The version, such as `13.0.2`; `None` if it is not installed.
#[allow(unsafe_code)]
pub(crate) fn version() -> Option<String> {
    // SAFETY: opens and closes the library; the function only returns a number.
    unsafe {
        if !sys::is_culib_present() {
            return None;
        }
        let version = *sys::culib().get::<unsafe extern "C" fn() -> usize>(b"cublasLtGetVersion\0").ok()?;
        let number = version();
        Some(format!("{}.{}.{}", number / 10_000, number % 10_000 / 100, number % 100))
    }
}

/// cuBLASLt's types for the elements and for the computation; `None` for dtypes that it does not multiply.
fn types(dtype: DType, tf32: bool) -> Option<(sys::cudaDataType, sys::cublasComputeType_t, sys::cudaDataType)> {
    use sys::cublasComputeType_t::{CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_COMPUTE_64F};
    use sys::cudaDataType_t::{CUDA_R_16BF, CUDA_R_16F, CUDA_R_32F, CUDA_R_64F};
    Some(match dtype {
        DType::F32 if tf32 => (CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F),
        DType::F32 => (CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F),
        DType::F16 => (CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F),
        DType::BF16 => (CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F),
        DType::F64 => (CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F),
        _ => return None,
    })
}

impl Blas {
    /// The library on `stream`; `None` if it is not installed or does not start.
    #[allow(unsafe_code)]
    pub(crate) fn new(stream: &Arc<CudaStream>, workspaces: &Arc<Workspaces>) -> Option<Blas> {
        // SAFETY: only opens and closes the library.
        if !unsafe { sys::is_culib_present() } {
            return None;
        }
        stream.context().bind_to_thread().ok()?;
        let workspace = workspaces.alloc(stream, WORKSPACE).ok()?;
        let handle = result::create_handle().ok()?;
        Some(Blas { handle, workspace, stream: stream.clone(), choices: HashMap::new() })
    }

    /// Queues products; false if the library does not support them or refuses them. `addresses` are those of `a`, `b`
    /// and `out`, which have all elements that the product refers to.
    ///
    /// # Errors
    /// `INTERNAL` with the library's error for matrices that cannot be described.
    #[allow(unsafe_code)]
    pub(crate) fn multiply(&mut self, product: &MatMul<'_>, addresses: [CUdeviceptr; 3]) -> Result<bool> {
        if product.sizes.contains(&0) || product.batch == 0 {
            return Ok(false);
        }
        let key = Key {
            dtype: product.dtype,
            tf32: product.tf32 && product.dtype == DType::F32,
            sizes: product.sizes,
            batch: product.batch,
            transposed: [product.transpose_a, product.transpose_b],
            leading: product.leading,
            strides: product.strides,
            alignment: addresses.map(|address| 1 << (address | ALIGNMENT).trailing_zeros()),
        };
        self.stream.context().bind_to_thread().map_err(|e| Error::internal(format!("CUDA: {e:?}")))?;
        if !self.choices.contains_key(&key) {
            let choice = self.choose(&key).map_err(said)?;
            self.choices.insert(key.clone(), choice);
        }
        let Some(Some(choice)) = self.choices.get(&key) else { return Ok(false) };
        let (one, zero) = (1f32, 0f32);
        let (wide_one, wide_zero) = (1f64, 0f64);
        let scales: [*const c_void; 2] = if product.dtype == DType::F64 {
            [(&raw const wide_one).cast(), (&raw const wide_zero).cast()]
        } else {
            [(&raw const one).cast(), (&raw const zero).cast()]
        };
        let [a, b, out] = addresses;
        let workspace = self.workspace.address(&self.stream);
        // SAFETY: the layouts describe what is at the addresses; the scales are read before this returns; the workspace
        // is used on this stream only, in its order.
        let queued = unsafe {
            result::matmul(
                self.handle,
                choice.what,
                scales[0],
                scales[1],
                b as *const c_void,
                choice.b,
                a as *const c_void,
                choice.a,
                out as *const c_void,
                choice.out,
                out as *mut c_void,
                choice.out,
                &choice.how,
                workspace as *mut c_void,
                WORKSPACE,
                self.stream.cu_stream().cast(),
            )
        };
        if queued.is_err()
            && let Some(Some(refused)) = self.choices.insert(key, None)
        {
            // What the library refuses although it recommended it is computed by programs from now on.
            refused.destroy();
        }
        Ok(queued.is_ok())
    }

    #[allow(unsafe_code)]
    fn choose(&self, key: &Key) -> Result<Option<Choice>, CublasError> {
        use sys::cublasLtMatmulDescAttributes_t::{CUBLASLT_MATMUL_DESC_TRANSA, CUBLASLT_MATMUL_DESC_TRANSB};
        use sys::cublasLtMatmulPreferenceAttributes_t::*;
        let Some((element, compute, scale)) = types(key.dtype, key.tf32) else { return Ok(None) };
        let [m, n, k] = key.sizes.map(|s| s as u64);
        let either =
            |transposed: bool, rows: u64, columns: u64| if transposed { (columns, rows) } else { (rows, columns) };
        let (b_rows, b_columns) = either(key.transposed[1], n, k);
        let (a_rows, a_columns) = either(key.transposed[0], k, m);
        let choice = Choice {
            what: result::create_matmul_desc(compute, scale)?,
            a: layout(element, a_rows, a_columns, key.leading[0], key.batch, key.strides[0])?,
            b: layout(element, b_rows, b_columns, key.leading[1], key.batch, key.strides[1])?,
            out: layout(element, n, m, key.sizes[1], key.batch, key.sizes[0] * key.sizes[1])?,
            how: sys::cublasLtMatmulAlgo_t { data: [0; 8] },
        };
        let [first, second] = [key.transposed[1], key.transposed[0]].map(i32::from);
        let most = WORKSPACE;
        let [a_alignment, b_alignment, out_alignment] = key.alignment;
        // SAFETY: the attributes are read before each call returns, and are of the sizes given.
        let found = unsafe {
            result::set_matmul_desc_attribute(choice.what, CUBLASLT_MATMUL_DESC_TRANSA, (&raw const first).cast(), 4)?;
            result::set_matmul_desc_attribute(choice.what, CUBLASLT_MATMUL_DESC_TRANSB, (&raw const second).cast(), 4)?;
            let wish = result::create_matmul_pref()?;
            result::set_matmul_pref_attribute(
                wish,
                CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                (&raw const most).cast(),
                size_of::<usize>(),
            )?;
            for (attribute, alignment) in [
                (CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, b_alignment),
                (CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, a_alignment),
                (CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, out_alignment),
                (CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, out_alignment),
            ] {
                result::set_matmul_pref_attribute(wish, attribute, (&raw const alignment).cast(), 4)?;
            }
            let found = result::get_matmul_algo_heuristic(
                self.handle,
                choice.what,
                choice.b,
                choice.a,
                choice.out,
                choice.out,
                wish,
            );
            let _ = result::destroy_matmul_pref(wish);
            found
        };
        match found {
            Ok(found) => Ok(Some(Choice { how: found.algo, ..choice })),
            Err(_) => {
                choice.destroy();
                Ok(None)
            }
        }
    }
}

/// The layout of a series of column-major matrices.
#[allow(unsafe_code)]
fn layout(
    element: sys::cudaDataType,
    rows: u64,
    columns: u64,
    leading: usize,
    batch: usize,
    stride: usize,
) -> Result<sys::cublasLtMatrixLayout_t, CublasError> {
    use sys::cublasLtMatrixLayoutAttribute_t::{
        CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
    };
    let layout = result::create_matrix_layout(element, rows, columns, leading as i64)?;
    let (batch, stride) = (batch as i32, stride as i64);
    // SAFETY: the attributes are read before each call returns, and are of the sizes given.
    unsafe {
        result::set_matrix_layout_attribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, (&raw const batch).cast(), 4)?;
        result::set_matrix_layout_attribute(
            layout,
            CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
            (&raw const stride).cast(),
            8,
        )?;
    }
    Ok(layout)
}
