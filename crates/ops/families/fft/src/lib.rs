//! Discrete Fourier transforms.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{moves, prelude};

mod axes;

family! {
    complex = FFT;
    nd = FFT_ND, IRFFT_ND, RFFT_ND;
    real = IRFFT, RFFT;
}
