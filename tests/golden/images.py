"""Image decoding and encoding. The files are made here, byte by byte, so that no library except TensorFlow is
needed."""

import struct
import zlib

import numpy as np

from record import case, fed, tf, v1, write


def png(samples, color, depth=8, palette=None, trns=None):
    samples = np.asarray(samples, ">u2" if depth == 16 else "u1")
    height, width = samples.shape[:2]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    raw = b"".join(b"\0" + row.tobytes() for row in samples)
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0))
    out += chunk(b"PLTE", bytes(palette)) if palette else b""
    out += chunk(b"tRNS", bytes(trns)) if trns else b""
    return out + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def bmp(samples, top_down=False):
    samples = np.asarray(samples, "u1")
    height, width, channels = samples.shape
    order = [2, 1, 0, 3][:channels] if channels > 1 else [0]
    rows = samples[:, :, order]
    rows = rows if top_down else rows[::-1]
    pad = b"\0" * (-width * channels % 4)
    data = b"".join(row.tobytes() + pad for row in rows)
    header = struct.pack("<2sIHHI", b"BM", 54 + len(data), 0, 0, 54)
    header += struct.pack("<IiiHHIIiiII", 40, width, -height if top_down else height, 1, 8 * channels, 0, 0, 0, 0, 0, 0)
    return header + data


def gif(width, height, frames, palette):
    """Frames are (left, top, rows of color indices, transparent index or None). Every second pixel starts the code table
    anew, so that codes stay three bits wide."""
    out = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | 1, 0, 0) + bytes(palette)
    for left, top, rows, transparent in frames:
        if transparent is not None:
            out += b"\x21\xf9\x04" + struct.pack("<BHB", 1, 0, transparent) + b"\0"
        out += b"\x2c" + struct.pack("<HHHHB", left, top, len(rows[0]), len(rows), 0) + b"\x02"
        codes = []
        for i, index in enumerate(i for row in rows for i in row):
            codes += [4, index] if i % 2 == 0 else [index]
        bits = sum(code << 3 * i for i, code in enumerate(codes + [5]))
        data = bits.to_bytes((3 * (len(codes) + 1) + 7) // 8, "little")
        out += bytes([len(data)]) + data + b"\0"
    return out + b"\x3b"


def evaluated(build):
    with tf.Graph().as_default():
        with v1.Session() as session:
            return session.run(build())


rng = np.random.default_rng(5)
RGB = rng.integers(0, 256, (3, 5, 3))
RGBA = rng.integers(0, 256, (2, 3, 4))
GRAY = rng.integers(0, 256, (3, 4, 1))
PALETTE = [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 8, 7]
PNGS = {
    "rgb": png(RGB, 2),
    "rgba": png(RGBA, 6),
    "gray": png(GRAY, 0),
    "gray_alpha": png(rng.integers(0, 256, (2, 3, 2)), 4),
    "palette": png([[0, 1, 2], [3, 2, 1]], 3, palette=PALETTE),
    "palette_alpha": png([[0, 1, 2], [3, 2, 1]], 3, palette=PALETTE, trns=[0, 100]),
    "rgb16": png(rng.integers(0, 65536, (2, 3, 3)), 2, depth=16),
    "gray16": png(rng.integers(0, 65536, (2, 3, 1)), 0, depth=16),
}
y, x = np.mgrid[0:19, 0:23]
SMOOTH = np.stack([5 * x + 3 * y, 255 - 4 * x, 6 * y + x], -1).astype(np.uint8)
JPEG = evaluated(lambda: tf.io.encode_jpeg(SMOOTH, chroma_downsampling=False))
JPEG_GRAY = evaluated(lambda: tf.io.encode_jpeg(SMOOTH[:, :, :1]))
JPEG_PROGRESSIVE = evaluated(lambda: tf.io.encode_jpeg(SMOOTH, progressive=True, chroma_downsampling=False))
STILL = gif(3, 2, [(0, 0, [[0, 1, 2], [2, 1, 0]], None)], PALETTE)
SMALL = gif(3, 2, [(1, 0, [[1, 2]], None)], PALETTE)
MOVING = gif(3, 2, [(0, 0, [[0, 1, 2], [2, 1, 0]], 1), (1, 1, [[3, 3]], None), (0, 0, [[1, 3, 1], [1, 1, 1]], 1)], PALETTE)

for name, file in PNGS.items():
    for channels in [0, 1, 3, 4]:
        for dtype in [tf.uint8, tf.uint16]:
            case(f"DecodePng/{name}/{channels}/{dtype.name}",
                 lambda tf, v1, f=file, c=channels, d=dtype: tf.raw_ops.DecodePng(contents=fed(f), channels=c, dtype=d))
    case(f"DecodeImage/{name}/float",
         lambda tf, v1, f=file: tf.raw_ops.DecodeImage(contents=fed(f), dtype=tf.float32))
for name, file in {"color": JPEG, "gray": JPEG_GRAY, "progressive": JPEG_PROGRESSIVE}.items():
    for channels in [0, 1, 3]:
        case(f"DecodeJpeg/{name}/{channels}",
             lambda tf, v1, f=file, c=channels: tf.raw_ops.DecodeJpeg(contents=fed(f), channels=c))
    case(f"ExtractJpegShape/{name}",
         lambda tf, v1, f=file: tf.raw_ops.ExtractJpegShape(contents=fed(f), output_type=tf.int64))
case("DecodeAndCropJpeg/part", lambda tf, v1: tf.raw_ops.DecodeAndCropJpeg(contents=fed(JPEG), crop_window=fed([2, 3, 9, 11])))
case("DecodeImage/jpeg/uint16", lambda tf, v1: tf.raw_ops.DecodeImage(contents=fed(JPEG), dtype=tf.uint16))
for name, file in {"bgr": bmp(RGB), "down": bmp(RGB, True), "bgra": bmp(RGBA), "gray": bmp(GRAY)}.items():
    case(f"DecodeBmp/{name}", lambda tf, v1, f=file: tf.raw_ops.DecodeBmp(contents=fed(f)))
    for channels in [3, 4]:
        case(f"DecodeBmp/{name}/{channels}",
             lambda tf, v1, f=file, c=channels: tf.raw_ops.DecodeBmp(contents=fed(f), channels=c))
    if name == "down":
        continue  # TensorFlow's DecodeImage runs out of memory here.
    case(f"DecodeImage/bmp/{name}",
         lambda tf, v1, f=file: tf.raw_ops.DecodeImage(contents=fed(f), dtype=tf.uint16, expand_animations=False))
for name, file in {"still": STILL, "small": SMALL, "moving": MOVING}.items():
    case(f"DecodeGif/{name}", lambda tf, v1, f=file: tf.raw_ops.DecodeGif(contents=fed(f)))
    case(f"DecodeImage/gif/{name}", lambda tf, v1, f=file: tf.raw_ops.DecodeImage(contents=fed(f), dtype=tf.float32))
    case(f"DecodeImage/gif/{name}/first",
         lambda tf, v1, f=file: tf.raw_ops.DecodeImage(contents=fed(f), expand_animations=False))
case("DecodePng/gif", lambda tf, v1: tf.raw_ops.DecodePng(contents=fed(STILL)))
case("DecodeJpeg/png", lambda tf, v1: tf.raw_ops.DecodeJpeg(contents=fed(PNGS["rgb"])))
case("DecodeGif/png", lambda tf, v1: tf.raw_ops.DecodeGif(contents=fed(PNGS["rgb"])))
for name, build in {
    "DecodePng/empty": lambda tf, v1: tf.raw_ops.DecodePng(contents=fed(b"")),
    "DecodePng/cut": lambda tf, v1: tf.raw_ops.DecodePng(contents=fed(PNGS["rgb"][:-30])),
    "DecodePng/moving": lambda tf, v1: tf.raw_ops.DecodePng(contents=fed(MOVING)),
    "DecodePng/bmp": lambda tf, v1: tf.raw_ops.DecodePng(contents=fed(bmp(RGB))),
    "DecodePng/channels": lambda tf, v1: tf.raw_ops.DecodePng(contents=fed(PNGS["rgb"]), channels=2),
    "DecodeBmp/png": lambda tf, v1: tf.raw_ops.DecodeBmp(contents=fed(PNGS["rgb"])),
    "DecodeBmp/channels": lambda tf, v1: tf.raw_ops.DecodeBmp(contents=fed(bmp(GRAY)), channels=1),
    "DecodeBmp/cut": lambda tf, v1: tf.raw_ops.DecodeBmp(contents=fed(bmp(RGB)[:-9])),
    "DecodeBmp/longer": lambda tf, v1: tf.raw_ops.DecodeBmp(contents=fed(bmp(RGB) + b"a")),
    "DecodeImage/bmp/shorter": lambda tf, v1: tf.raw_ops.DecodeImage(contents=fed(bmp(RGB)[:-1])),
    "DecodeAndCropJpeg/rank": lambda tf, v1: tf.raw_ops.DecodeAndCropJpeg(
        contents=fed(JPEG), crop_window=fed([[2, 3, 9, 11]])),
    "DecodeImage/junk": lambda tf, v1: tf.raw_ops.DecodeImage(contents=fed(b"no image at all")),
    "DecodeImage/gif/channels": lambda tf, v1: tf.raw_ops.DecodeImage(contents=fed(STILL), channels=1),
    "DecodeJpeg/cut": lambda tf, v1: tf.raw_ops.DecodeJpeg(contents=fed(JPEG[:-40])),
    "DecodeJpeg/channels": lambda tf, v1: tf.raw_ops.DecodeJpeg(contents=fed(JPEG), channels=4),
    "DecodeJpeg/ratio": lambda tf, v1: tf.raw_ops.DecodeJpeg(contents=fed(JPEG), ratio=3),
    "DecodeAndCropJpeg/outside": lambda tf, v1: tf.raw_ops.DecodeAndCropJpeg(
        contents=fed(JPEG), crop_window=fed([10, 10, 10, 10])),
    "EncodePng/channels": lambda tf, v1: tf.raw_ops.EncodePng(image=fed(np.zeros((1, 1, 5), np.uint8))),
    "EncodePng/compression": lambda tf, v1: tf.raw_ops.EncodePng(image=fed(RGB, tf.uint8), compression=11),
    "EncodeJpeg/quality": lambda tf, v1: tf.raw_ops.EncodeJpeg(image=fed(RGB, tf.uint8), quality=101),
    "EncodeJpeg/channels": lambda tf, v1: tf.raw_ops.EncodeJpeg(image=fed(RGBA, tf.uint8)),
    "EncodeJpeg/format": lambda tf, v1: tf.raw_ops.EncodeJpeg(image=fed(RGB, tf.uint8), format="grayscale"),
}.items():
    case(name, build, error="INVALID_ARGUMENT")
case("EncodePng/empty", lambda tf, v1: tf.raw_ops.EncodePng(image=fed(np.zeros((0, 1, 3), np.uint8))), error="INTERNAL")

# Encoders differ in their bytes; the decoded images are the same.
for channels in [1, 2, 3, 4]:
    for dtype in ["uint8", "uint16"]:
        image = rng.integers(0, 256 if dtype == "uint8" else 65536, (2, 3, 4, channels))
        case(f"EncodePng/{channels}/{dtype}", lambda tf, v1, i=image, d=dtype: [
            tf.raw_ops.DecodePng(contents=tf.raw_ops.EncodePng(image=fed(i, d), compression=9)[k], dtype=d)
            for k in range(2)])
for name, attrs in {
    "plain": {}, "small": {"optimize_size": True}, "progressive": {"progressive": True},
    "full": {"chroma_downsampling": False}, "cm": {"density_unit": "cm", "x_density": 10},
}.items():
    case(f"EncodeJpeg/{name}", lambda tf, v1, a=attrs: tf.cast(
        tf.raw_ops.DecodeJpeg(contents=tf.raw_ops.EncodeJpeg(image=fed(SMOOTH), quality=98, **a)), tf.float32),
        rtol=0, atol=3)
# Colors that differ from pixel to pixel, which shows how chroma is subsampled: taking every second pixel is off by up
# to 128.
SPECKS = np.random.RandomState(5).randint(0, 256, (19, 22, 3)).astype(np.uint8)
case("EncodeJpeg/specks", lambda tf, v1: tf.cast(
    tf.raw_ops.DecodeJpeg(contents=tf.raw_ops.EncodeJpeg(image=fed(SPECKS), quality=95)), tf.float32), rtol=0, atol=3)
case("EncodeJpegVariableQuality/gray", lambda tf, v1: tf.cast(tf.raw_ops.DecodeJpeg(
    contents=tf.raw_ops.EncodeJpegVariableQuality(images=fed(SMOOTH[:, :, :1]), quality=fed(97))), tf.float32), rtol=0, atol=6)

write(__file__)
