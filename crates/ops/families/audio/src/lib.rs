//! Audio: WAV files, spectrograms and mel-frequency cepstral coefficients.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::prelude;

mod fourier;

family! {
    audio_spectrogram = AUDIO_SPECTROGRAM;
    decode_wav = DECODE_WAV;
    encode_wav = ENCODE_WAV;
    mfcc = MFCC;
}
