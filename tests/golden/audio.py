"""Records WAV files, spectrograms and mel-frequency coefficients."""

import struct

import numpy as np
import tensorflow as tf
from record import case, write
from record import fed as feed


def fed(value, dtype="float32"):
    """Feeds an array of this dtype."""
    return feed(np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype)


def sound(samples, channels=1, seed=0):
    """Tones and noise, one per column."""
    random, t = np.random.RandomState(seed), np.arange(samples)[:, None]
    tones = np.sin(t * (0.05 * np.arange(1, channels + 1))) * 0.5
    return np.round((tones + random.uniform(-0.2, 0.2, [samples, channels])) * 4096) / 4096


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data


def wav(channels=2, rate=8000, samples=range(-6, 6), bits=16, audio_format=1, per_sample=None, per_second=None, extra=b"",
        before=b"", after=b"", riff=b"RIFF", kind=b"WAVE", data=b"data"):
    per_sample = channels * bits // 8 if per_sample is None else per_sample
    per_second = rate * per_sample % 2**32 if per_second is None else per_second
    head = struct.pack("<HHIIHH", audio_format, channels, rate, per_second, per_sample, bits) + extra
    values = np.asarray([s * 3000 for s in samples], "<i2").tobytes()
    body = kind + before + chunk(b"fmt ", head) + chunk(data, values) + after
    return riff + struct.pack("<I", len(body)) + body


def decode(contents, **attrs):
    return lambda tf, v1: list(tf.raw_ops.DecodeWav(contents=feed(contents, "string"), **attrs))


FILES = {
    "stereo": wav(), "mono": wav(1, 16000), "three": wav(3, 44100), "nothing": wav(samples=[]),
    "half_a_sample": wav(4, samples=range(4)) + b"LIST\0\0\0\0", "long_format": wav(extra=b"\1\2"),
    "junk": wav(before=chunk(b"JUNK", b"abcd") + chunk(b"bext", b"")), "list": wav(after=chunk(b"LIST", b"abcdef")),
    "last_chunk_cut": wav(after=b"LIST" + struct.pack("<I", 1000) + b"ab"),
}
for name, contents in FILES.items():
    case(f"DecodeWav/{name}", decode(contents))
for channels in [-1, 0, 1, 2, 4]:
    for samples in [-1, 0, 3, 9]:
        case(f"DecodeWav/{channels}/{samples}", decode(FILES["stereo"], desired_channels=channels, desired_samples=samples))
        case(f"DecodeWav/three/{channels}/{samples}", decode(
            FILES["three"], desired_channels=channels, desired_samples=samples))
for name, contents in {
        "empty": b"", "short": b"RIFF\1\2\3\4WAVEfm", "riff": wav(riff=b"RIFX"), "kind": wav(kind=b"WAVF"), "data": wav(data=b"dada"),
        "format": wav(audio_format=3), "bits": wav(bits=8), "channels": wav(0, per_sample=0), "per_sample": wav(per_sample=2),
        "per_second": wav(per_second=17), "rate": wav(rate=2**31 + 5), "format_size": wav(extra=b"\1\2\3\4"), "two": wav(after=chunk(b"data", b"ab")),
        "chunk": wav(before=chunk(b"odd ", b"abcd")), "cut": FILES["stereo"][:-3], "rest": FILES["stereo"] + b"x",
        "huge": FILES["stereo"] + b"LIST\xff\xff\xff\xff", "half": wav(4, samples=range(5))}.items():
    case(f"DecodeWav/wrong_{name}", decode(contents), error="INVALID_ARGUMENT")
case("DecodeWav/wrong_vector", decode([FILES["mono"]]), error="INVALID_ARGUMENT")


def encode(audio, rate=8000):
    return lambda tf, v1: tf.raw_ops.EncodeWav(audio=fed(audio), sample_rate=fed(rate, "int32"))


case("EncodeWav/mono", encode(sound(9)))
case("EncodeWav/stereo", encode(sound(5, 2), 44100))
case("EncodeWav/limits", encode([[1.0], [-1.0], [2.0], [-2.0], [np.inf], [-np.inf], [0.5 / 32768], [-1.5 / 32768], [1e30]]))
case("EncodeWav/nothing", encode(np.zeros([0, 2])))
for name, audio, rate in [("rank", [0.5], 1), ("rate", [[0.5]], 0), ("negative_rate", [[0.5]], -5), ("vector", [[0.5]], [1]),
                          ("channels", np.zeros([3, 0]), 8000), ("many_channels", np.zeros([1, 65536]), 8000)]:
    case(f"EncodeWav/wrong_{name}", encode(audio, rate), error="INVALID_ARGUMENT")


def spectrogram(audio, window_size=16, stride=8, **attrs):
    return lambda tf, v1: tf.raw_ops.AudioSpectrogram(input=fed(audio), window_size=window_size, stride=stride, **attrs)


for squared in [False, True]:
    for window, stride in [(2, 1), (3, 2), (16, 8), (16, 16), (10, 17), (33, 5), (64, 64)]:
        case(f"AudioSpectrogram/{squared}/{window}/{stride}",
             spectrogram(sound(70, 2), window, stride, magnitude_squared=squared), atol=2e-6)
    case(f"AudioSpectrogram/{squared}/too_short", spectrogram(sound(15), magnitude_squared=squared))
    case(f"AudioSpectrogram/{squared}/nothing", spectrogram(np.zeros([0, 3]), magnitude_squared=squared))
case("AudioSpectrogram/no_channels", spectrogram(np.zeros([40, 0])))
case("AudioSpectrogram/speech", spectrogram(sound(2100), 480, 160), atol=1e-5)
case("AudioSpectrogram/nan", spectrogram([[np.nan], [1.0], [2.0], [3.0], [4.0]], 2, 2))
case("AudioSpectrogram/wrong_rank", spectrogram(sound(40)[:, 0]), error="INVALID_ARGUMENT")


def mfcc(spectrum, rate=16000, **attrs):
    return lambda tf, v1: tf.raw_ops.Mfcc(spectrogram=fed(spectrum), sample_rate=fed(rate, "int32"), **attrs)


SPECTRUM = np.abs(np.random.RandomState(2).normal(0, 3, [2, 3, 129])) ** 2
case("Mfcc/defaults", mfcc(SPECTRUM), atol=1e-5)
case("Mfcc/bands", mfcc(SPECTRUM, filterbank_channel_count=20, dct_coefficient_count=20), atol=1e-5)
case("Mfcc/one", mfcc(SPECTRUM, filterbank_channel_count=1, dct_coefficient_count=1), atol=1e-5)
case("Mfcc/limits", mfcc(SPECTRUM, 8000, lower_frequency_limit=300.0, upper_frequency_limit=3000.0), atol=1e-5)
case("Mfcc/low", mfcc(SPECTRUM, lower_frequency_limit=0.0, upper_frequency_limit=100.0), atol=1e-5)
case("Mfcc/silence", mfcc(np.zeros([1, 2, 65])), atol=1e-5)
case("Mfcc/negative", mfcc(-SPECTRUM), atol=1e-5)
case("Mfcc/too_short", mfcc(SPECTRUM[..., :5], 4000, upper_frequency_limit=4000.0), atol=1e-5)
case("Mfcc/nothing", mfcc(np.zeros([0, 2, 65])))
for name, given in {"rank": {"spectrum": SPECTRUM[0]}, "vector": {"rate": [8000]}, "rate": {"rate": 0},
                    "length": {"spectrum": SPECTRUM[..., :1]}, "order": {"upper_frequency_limit": 10.0},
                    "negative": {"lower_frequency_limit": -1.0}, "bands": {"filterbank_channel_count": 0},
                    "coefficients": {"dct_coefficient_count": 41}, "no_coefficients": {"dct_coefficient_count": 0}}.items():
    case(f"Mfcc/wrong_{name}", mfcc(**{"spectrum": SPECTRUM, **given}), error="INVALID_ARGUMENT")

write(__file__)
