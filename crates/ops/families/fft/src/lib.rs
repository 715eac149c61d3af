//! Discrete Fourier transforms.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{moves, prelude};

mod axes;

family! {
    complex: BatchFFT, BatchFFT2D, BatchFFT3D, BatchIFFT, BatchIFFT2D, BatchIFFT3D, FFT, FFT2D, FFT3D, IFFT, IFFT2D,
        IFFT3D;
    real: IRFFT, IRFFT2D, IRFFT3D, RFFT, RFFT2D, RFFT3D;
}
