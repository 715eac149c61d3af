// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `audio`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_builder::Output;

impl Ops<'_> {
    /// Computes the magnitudes of the Fourier transform of each window of each column of samples, weighted by a Hann window.
    ///
    /// - `input`: a tensor of float32
    /// - `window_size`: Number of samples in a window.
    /// - `stride`: Number of samples between the starts of adjacent windows.
    ///
    /// It has no gradient.
    pub fn audio_spectrogram(&self, input: impl Input, window_size: i64, stride: i64) -> AudioSpectrogram<'_> {
        let mut node = Node::new(self, "AudioSpectrogram").input(input);
        node.set("window_size", window_size);
        node.set("stride", stride);
        AudioSpectrogram(node)
    }

    /// Decodes a WAV file of 16-bit samples: the samples scaled to between -1 and 1, one column per channel, and the sample rate in hertz.
    ///
    /// - `contents`: a tensor of string
    ///
    /// It has no gradient.
    pub fn decode_wav(&self, contents: impl Input) -> DecodeWav<'_> {
        DecodeWav(Node::new(self, "DecodeWav").input(contents))
    }

    /// Encodes samples between -1 and 1, one column per channel, as a WAV file of 16-bit samples.
    ///
    /// - `audio`: a tensor of float32
    /// - `sample_rate`: a tensor of int32
    ///
    /// It has no gradient.
    pub fn encode_wav(&self, audio: impl Input, sample_rate: impl Input) -> EncodeWav<'_> {
        EncodeWav(Node::new(self, "EncodeWav").input(audio).input(sample_rate))
    }

    /// Computes the mel-frequency cepstral coefficients of the squared magnitudes that `AudioSpectrogram` returns.
    ///
    /// - `spectrogram`: a tensor of float32
    /// - `sample_rate`: a tensor of int32
    ///
    /// It has no gradient.
    pub fn mfcc(&self, spectrogram: impl Input, sample_rate: impl Input) -> Mfcc<'_> {
        Mfcc(Node::new(self, "Mfcc").input(spectrogram).input(sample_rate))
    }
}

/// A node of [`AudioSpectrogram`](Ops::audio_spectrogram) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AudioSpectrogram<'a>(Node<'a>);

impl AudioSpectrogram<'_> {
    /// Whether to return the squares of the magnitudes. Default: `false`.
    pub fn magnitude_squared(mut self, magnitude_squared: bool) -> Self {
        self.0.set("magnitude_squared", magnitude_squared);
        self
    }
}

/// A node of [`DecodeWav`](Ops::decode_wav) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeWav<'a>(Node<'a>);

impl DecodeWav<'_> {
    /// Number of channels to return: surplus channels are dropped, missing ones repeat the last channel; -1 for those of the file. Default: `-1`.
    pub fn desired_channels(mut self, desired_channels: i64) -> Self {
        self.0.set("desired_channels", desired_channels);
        self
    }

    /// Number of samples to return: surplus samples are dropped, missing ones are zero; -1 for those of the file. Default: `-1`.
    pub fn desired_samples(mut self, desired_samples: i64) -> Self {
        self.0.set("desired_samples", desired_samples);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> DecodeWavOutputs {
        let mut outputs = self.0.outputs();
        DecodeWavOutputs { audio: outputs.one(), sample_rate: outputs.one() }
    }
}

/// The outputs of [`DecodeWav`](Ops::decode_wav).
#[derive(Clone, Copy, Debug)]
pub struct DecodeWavOutputs {
    /// A tensor of float32.
    pub audio: Output,
    /// A tensor of int32.
    pub sample_rate: Output,
}

/// A node of [`EncodeWav`](Ops::encode_wav) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EncodeWav<'a>(Node<'a>);

/// A node of [`Mfcc`](Ops::mfcc) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Mfcc<'a>(Node<'a>);

impl Mfcc<'_> {
    /// Upper frequency limit, in hertz. Default: `4000.0`.
    pub fn upper_frequency_limit(mut self, upper_frequency_limit: f32) -> Self {
        self.0.set("upper_frequency_limit", upper_frequency_limit);
        self
    }

    /// Lower frequency limit, in hertz. Default: `20.0`.
    pub fn lower_frequency_limit(mut self, lower_frequency_limit: f32) -> Self {
        self.0.set("lower_frequency_limit", lower_frequency_limit);
        self
    }

    /// Number of mel filter bands. Default: `40`.
    pub fn filterbank_channel_count(mut self, filterbank_channel_count: i64) -> Self {
        self.0.set("filterbank_channel_count", filterbank_channel_count);
        self
    }

    /// Number of coefficients per window. Default: `13`.
    pub fn dct_coefficient_count(mut self, dct_coefficient_count: i64) -> Self {
        self.0.set("dct_coefficient_count", dct_coefficient_count);
        self
    }
}

common! {
    AudioSpectrogram
    DecodeWav
    EncodeWav
    Mfcc
}

one_output! {
    AudioSpectrogram
    EncodeWav
    Mfcc
}
