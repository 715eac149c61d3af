// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `fft`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_graph::DType;

impl Ops<'_> {
    /// Legacy name of `FFT`.
    ///
    /// - `input`: a tensor of complex64
    ///
    /// It has no gradient.
    pub fn batch_fft(&self, input: impl Input) -> BatchFFT<'_> {
        BatchFFT(Node::new(self, "BatchFFT").input(input))
    }

    /// Legacy name of `FFT2D`.
    ///
    /// - `input`: a tensor of complex64
    ///
    /// It has no gradient.
    pub fn batch_fft2d(&self, input: impl Input) -> BatchFFT2D<'_> {
        BatchFFT2D(Node::new(self, "BatchFFT2D").input(input))
    }

    /// Legacy name of `FFT3D`.
    ///
    /// - `input`: a tensor of complex64
    ///
    /// It has no gradient.
    pub fn batch_fft3d(&self, input: impl Input) -> BatchFFT3D<'_> {
        BatchFFT3D(Node::new(self, "BatchFFT3D").input(input))
    }

    /// Legacy name of `IFFT`.
    ///
    /// - `input`: a tensor of complex64
    ///
    /// It has no gradient.
    pub fn batch_ifft(&self, input: impl Input) -> BatchIFFT<'_> {
        BatchIFFT(Node::new(self, "BatchIFFT").input(input))
    }

    /// Legacy name of `IFFT2D`.
    ///
    /// - `input`: a tensor of complex64
    ///
    /// It has no gradient.
    pub fn batch_ifft2d(&self, input: impl Input) -> BatchIFFT2D<'_> {
        BatchIFFT2D(Node::new(self, "BatchIFFT2D").input(input))
    }

    /// Legacy name of `IFFT3D`.
    ///
    /// - `input`: a tensor of complex64
    ///
    /// It has no gradient.
    pub fn batch_ifft3d(&self, input: impl Input) -> BatchIFFT3D<'_> {
        BatchIFFT3D(Node::new(self, "BatchIFFT3D").input(input))
    }

    /// The discrete Fourier transform over the last axis.
    ///
    /// - `input`: a tensor of `Tcomplex`
    ///
    /// `Tcomplex` is complex64, complex128.
    pub fn fft(&self, input: impl Input) -> FFT<'_> {
        FFT(Node::new(self, "FFT").input(input))
    }

    /// The discrete Fourier transform over the last two axes.
    ///
    /// - `input`: a tensor of `Tcomplex`
    ///
    /// `Tcomplex` is complex64, complex128.
    pub fn fft2d(&self, input: impl Input) -> FFT2D<'_> {
        FFT2D(Node::new(self, "FFT2D").input(input))
    }

    /// The discrete Fourier transform over the last three axes.
    ///
    /// - `input`: a tensor of `Tcomplex`
    ///
    /// `Tcomplex` is complex64, complex128.
    pub fn fft3d(&self, input: impl Input) -> FFT3D<'_> {
        FFT3D(Node::new(self, "FFT3D").input(input))
    }

    /// The discrete Fourier transform over `axes`, each cropped or zero-padded to `fft_length`.
    ///
    /// - `input`: a tensor of `Tcomplex`
    /// - `fft_length`: a tensor of int32
    /// - `axes`: a tensor of int32
    ///
    /// `Tcomplex` is complex64, complex128.
    ///
    /// It has no gradient.
    pub fn fftnd(&self, input: impl Input, fft_length: impl Input, axes: impl Input) -> FFTND<'_> {
        FFTND(Node::new(self, "FFTND").input(input).input(fft_length).input(axes))
    }

    /// The inverse of `FFT`.
    ///
    /// - `input`: a tensor of `Tcomplex`
    ///
    /// `Tcomplex` is complex64, complex128.
    pub fn ifft(&self, input: impl Input) -> IFFT<'_> {
        IFFT(Node::new(self, "IFFT").input(input))
    }

    /// The inverse of `FFT2D`.
    ///
    /// - `input`: a tensor of `Tcomplex`
    ///
    /// `Tcomplex` is complex64, complex128.
    pub fn ifft2d(&self, input: impl Input) -> IFFT2D<'_> {
        IFFT2D(Node::new(self, "IFFT2D").input(input))
    }

    /// The inverse of `FFT3D`.
    ///
    /// - `input`: a tensor of `Tcomplex`
    ///
    /// `Tcomplex` is complex64, complex128.
    pub fn ifft3d(&self, input: impl Input) -> IFFT3D<'_> {
        IFFT3D(Node::new(self, "IFFT3D").input(input))
    }

    /// The inverse of `FFTND`.
    ///
    /// - `input`: a tensor of `Tcomplex`
    /// - `fft_length`: a tensor of int32
    /// - `axes`: a tensor of int32
    ///
    /// `Tcomplex` is complex64, complex128.
    ///
    /// It has no gradient.
    pub fn ifftnd(&self, input: impl Input, fft_length: impl Input, axes: impl Input) -> IFFTND<'_> {
        IFFTND(Node::new(self, "IFFTND").input(input).input(fft_length).input(axes))
    }

    /// The inverse of `RFFT`, with `fft_length` real values along the last axis.
    ///
    /// - `input`: a tensor of `Tcomplex`
    /// - `fft_length`: a tensor of int32
    ///
    /// `Tcomplex` is complex64, complex128.
    pub fn irfft(&self, input: impl Input, fft_length: impl Input) -> IRFFT<'_> {
        IRFFT(Node::new(self, "IRFFT").input(input).input(fft_length))
    }

    /// The inverse of `RFFT2D`.
    ///
    /// - `input`: a tensor of `Tcomplex`
    /// - `fft_length`: a tensor of int32
    ///
    /// `Tcomplex` is complex64, complex128.
    pub fn irfft2d(&self, input: impl Input, fft_length: impl Input) -> IRFFT2D<'_> {
        IRFFT2D(Node::new(self, "IRFFT2D").input(input).input(fft_length))
    }

    /// The inverse of `RFFT3D`.
    ///
    /// - `input`: a tensor of `Tcomplex`
    /// - `fft_length`: a tensor of int32
    ///
    /// `Tcomplex` is complex64, complex128.
    ///
    /// It has no gradient.
    pub fn irfft3d(&self, input: impl Input, fft_length: impl Input) -> IRFFT3D<'_> {
        IRFFT3D(Node::new(self, "IRFFT3D").input(input).input(fft_length))
    }

    /// The inverse of `RFFTND`, with real output.
    ///
    /// - `input`: a tensor of `Tcomplex`
    /// - `fft_length`: a tensor of int32
    /// - `axes`: a tensor of int32
    ///
    /// `Tcomplex` is complex64, complex128.
    ///
    /// It has no gradient.
    pub fn irfftnd(&self, input: impl Input, fft_length: impl Input, axes: impl Input) -> IRFFTND<'_> {
        IRFFTND(Node::new(self, "IRFFTND").input(input).input(fft_length).input(axes))
    }

    /// The discrete Fourier transform of the first `fft_length` real values along the last axis.
    ///
    /// - `input`: a tensor of `Treal`
    /// - `fft_length`: a tensor of int32
    ///
    /// `Treal` is float32, float64.
    pub fn rfft(&self, input: impl Input, fft_length: impl Input) -> RFFT<'_> {
        RFFT(Node::new(self, "RFFT").input(input).input(fft_length))
    }

    /// The discrete Fourier transform of real values over the last two axes.
    ///
    /// - `input`: a tensor of `Treal`
    /// - `fft_length`: a tensor of int32
    ///
    /// `Treal` is float32, float64.
    pub fn rfft2d(&self, input: impl Input, fft_length: impl Input) -> RFFT2D<'_> {
        RFFT2D(Node::new(self, "RFFT2D").input(input).input(fft_length))
    }

    /// The discrete Fourier transform of real values over the last three axes.
    ///
    /// - `input`: a tensor of `Treal`
    /// - `fft_length`: a tensor of int32
    ///
    /// `Treal` is float32, float64.
    ///
    /// It has no gradient.
    pub fn rfft3d(&self, input: impl Input, fft_length: impl Input) -> RFFT3D<'_> {
        RFFT3D(Node::new(self, "RFFT3D").input(input).input(fft_length))
    }

    /// The discrete Fourier transform of real values over `axes`, each cropped or zero-padded to `fft_length`. Only the first `n / 2 + 1` elements along the last of them are returned.
    ///
    /// - `input`: a tensor of `Treal`
    /// - `fft_length`: a tensor of int32
    /// - `axes`: a tensor of int32
    ///
    /// `Treal` is float32, float64.
    ///
    /// It has no gradient.
    pub fn rfftnd(&self, input: impl Input, fft_length: impl Input, axes: impl Input) -> RFFTND<'_> {
        RFFTND(Node::new(self, "RFFTND").input(input).input(fft_length).input(axes))
    }
}

/// A node of [`BatchFFT`](Ops::batch_fft) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchFFT<'a>(Node<'a>);

/// A node of [`BatchFFT2D`](Ops::batch_fft2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchFFT2D<'a>(Node<'a>);

/// A node of [`BatchFFT3D`](Ops::batch_fft3d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchFFT3D<'a>(Node<'a>);

/// A node of [`BatchIFFT`](Ops::batch_ifft) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchIFFT<'a>(Node<'a>);

/// A node of [`BatchIFFT2D`](Ops::batch_ifft2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchIFFT2D<'a>(Node<'a>);

/// A node of [`BatchIFFT3D`](Ops::batch_ifft3d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchIFFT3D<'a>(Node<'a>);

/// A node of [`FFT`](Ops::fft) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FFT<'a>(Node<'a>);

/// A node of [`FFT2D`](Ops::fft2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FFT2D<'a>(Node<'a>);

/// A node of [`FFT3D`](Ops::fft3d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FFT3D<'a>(Node<'a>);

/// A node of [`FFTND`](Ops::fftnd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FFTND<'a>(Node<'a>);

/// A node of [`IFFT`](Ops::ifft) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IFFT<'a>(Node<'a>);

/// A node of [`IFFT2D`](Ops::ifft2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IFFT2D<'a>(Node<'a>);

/// A node of [`IFFT3D`](Ops::ifft3d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IFFT3D<'a>(Node<'a>);

/// A node of [`IFFTND`](Ops::ifftnd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IFFTND<'a>(Node<'a>);

/// A node of [`IRFFT`](Ops::irfft) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IRFFT<'a>(Node<'a>);

impl IRFFT<'_> {
    /// Element type of the real values. Allowed: float32, float64. Default: float32.
    pub fn treal(mut self, treal: DType) -> Self {
        self.0.set("Treal", treal);
        self
    }
}

/// A node of [`IRFFT2D`](Ops::irfft2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IRFFT2D<'a>(Node<'a>);

impl IRFFT2D<'_> {
    /// Element type of the real values. Allowed: float32, float64. Default: float32.
    pub fn treal(mut self, treal: DType) -> Self {
        self.0.set("Treal", treal);
        self
    }
}

/// A node of [`IRFFT3D`](Ops::irfft3d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IRFFT3D<'a>(Node<'a>);

impl IRFFT3D<'_> {
    /// Element type of the real values. Allowed: float32, float64. Default: float32.
    pub fn treal(mut self, treal: DType) -> Self {
        self.0.set("Treal", treal);
        self
    }
}

/// A node of [`IRFFTND`](Ops::irfftnd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IRFFTND<'a>(Node<'a>);

impl IRFFTND<'_> {
    /// Element type of the real values. Allowed: float32, float64. Default: float32.
    pub fn treal(mut self, treal: DType) -> Self {
        self.0.set("Treal", treal);
        self
    }
}

/// A node of [`RFFT`](Ops::rfft) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RFFT<'a>(Node<'a>);

impl RFFT<'_> {
    /// Element type of the complex values. Allowed: complex64, complex128. Default: complex64.
    pub fn tcomplex(mut self, tcomplex: DType) -> Self {
        self.0.set("Tcomplex", tcomplex);
        self
    }
}

/// A node of [`RFFT2D`](Ops::rfft2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RFFT2D<'a>(Node<'a>);

impl RFFT2D<'_> {
    /// Element type of the complex values. Allowed: complex64, complex128. Default: complex64.
    pub fn tcomplex(mut self, tcomplex: DType) -> Self {
        self.0.set("Tcomplex", tcomplex);
        self
    }
}

/// A node of [`RFFT3D`](Ops::rfft3d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RFFT3D<'a>(Node<'a>);

impl RFFT3D<'_> {
    /// Element type of the complex values. Allowed: complex64, complex128. Default: complex64.
    pub fn tcomplex(mut self, tcomplex: DType) -> Self {
        self.0.set("Tcomplex", tcomplex);
        self
    }
}

/// A node of [`RFFTND`](Ops::rfftnd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RFFTND<'a>(Node<'a>);

impl RFFTND<'_> {
    /// Element type of the complex values. Allowed: complex64, complex128. Default: complex64.
    pub fn tcomplex(mut self, tcomplex: DType) -> Self {
        self.0.set("Tcomplex", tcomplex);
        self
    }
}

common! {
    BatchFFT
    BatchFFT2D
    BatchFFT3D
    BatchIFFT
    BatchIFFT2D
    BatchIFFT3D
    FFT
    FFT2D
    FFT3D
    FFTND
    IFFT
    IFFT2D
    IFFT3D
    IFFTND
    IRFFT
    IRFFT2D
    IRFFT3D
    IRFFTND
    RFFT
    RFFT2D
    RFFT3D
    RFFTND
}

one_output! {
    BatchFFT
    BatchFFT2D
    BatchFFT3D
    BatchIFFT
    BatchIFFT2D
    BatchIFFT3D
    FFT
    FFT2D
    FFT3D
    FFTND
    IFFT
    IFFT2D
    IFFT3D
    IFFTND
    IRFFT
    IRFFT2D
    IRFFT3D
    IRFFTND
    RFFT
    RFFT2D
    RFFT3D
    RFFTND
}
