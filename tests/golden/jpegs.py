"""Decodes JPEGs of every sampling, kind and size, compared bit for bit. Files are written by Pillow, some by
TensorFlow, and modified here."""

import io

import numpy as np
import tensorflow as tf
from PIL import Image

from record import case, fed, write

raw = tf.raw_ops


def picture(height, width, channels=3, seed=0):
    """Gradients, edges and some noise."""
    rng = np.random.RandomState(seed + height * 31 + width)
    y, x = np.mgrid[0:height, 0:width]
    planes = [5 * x + 3 * y, 255 - 4 * x + y, 6 * y + (x > width // 2) * 120, 200 - 2 * y]
    noise = rng.randint(-30, 31, (height, width, 4))
    return np.clip(np.stack(planes[:4], -1) % 256 + noise, 0, 255).astype(np.uint8)[:, :, :channels].copy()


def jpeg(height, width, mode="RGB", seed=0, **options):
    channels = {"L": 1, "RGB": 3, "CMYK": 4}[mode]
    image = picture(height, width, channels, seed)
    out = io.BytesIO()
    Image.fromarray(image[:, :, 0] if mode == "L" else image, mode).save(out, "JPEG", **options)
    return out.getvalue()


def segments(file):
    """Offsets of the segments before the first scan, by marker."""
    found, at = {}, 2
    while True:
        marker = file[at + 1]
        found.setdefault(marker, at)
        if marker == 0xda:
            return found
        at += 2 + int.from_bytes(file[at + 2:at + 4], "big")


def without(file, marker):
    at = segments(file)[marker]
    return file[:at] + file[at + 2 + int.from_bytes(file[at + 2:at + 4], "big"):]


def changed(file, at, value):
    return file[:at] + bytes([value]) + file[at + 1:]


def sampled(height, width, factors):
    """A file of this size with these sampling factors. Its blocks come from another file, and all have the same
    codes."""
    file = without(jpeg(2 * height, 2 * width, quality=75, keep_rgb=True), 0xee)
    frame, scan = segments(file)[0xc0], segments(file)[0xda]
    for at, value in [(frame + 5, height >> 8), (frame + 6, height & 255), (frame + 7, width >> 8), (frame + 8, width & 255)]:
        file = changed(file, at, value)
    for i, (across, down) in enumerate(factors):
        file = changed(changed(file, frame + 10 + 3 * i, i + 1), frame + 11 + 3 * i, across << 4 | down)
        file = changed(file, scan + 5 + 2 * i, i + 1)
    return file


def decoded(file, **attrs):
    if len(file) > 10000:  # Checksums reveal errors, too.
        def sums(tf, v1):
            pixels = tf.cast(raw.DecodeJpeg(contents=fed(file, "string", []), **attrs), tf.int32)
            return [tf.reduce_sum(pixels, axis) for axis in [0, 1]]
        return sums
    return lambda tf, v1: raw.DecodeJpeg(contents=fed(file, "string", []), **attrs)


def picture_size(name):
    return [int(n) for n in name.split("/")[-1].split("x")]


METHODS = {"fast": {}, "accurate": {"dct_method": "INTEGER_ACCURATE"}, "plain": {"fancy_upscaling": False},
           "gray": {"channels": 1}, "half": {"ratio": 2}, "quarter": {"ratio": 4}, "eighth": {"ratio": 8},
           "half_plain": {"ratio": 2, "fancy_upscaling": False, "dct_method": "INTEGER_ACCURATE"}}
FILES = {f"{name}/{height}x{width}": jpeg(height, width, quality=quality, subsampling=subsampling)
         for name, subsampling in [("444", 0), ("422", 1), ("420", 2)]
         for height, width, quality in [(17, 21, 75), (1, 1, 95), (8, 5, 30), (3, 2, 90)]}
FILES |= {
    "420/33x35": jpeg(33, 35, quality=5, subsampling=2),
    "420/24x40": jpeg(24, 40, quality=100, subsampling=2),
    "440/19x22": sampled(19, 22, [(1, 2), (1, 1), (1, 1)]),
    "411/19x37": sampled(19, 37, [(4, 1), (1, 1), (1, 1)]),
    "410/21x37": sampled(21, 37, [(4, 2), (1, 1), (1, 1)]),
    "mixed/20x30": sampled(20, 30, [(2, 2), (1, 2), (2, 1)]),
    "reverse/20x30": sampled(20, 30, [(1, 1), (2, 2), (2, 1)]),
    "gray/18x23": jpeg(18, 23, "L", quality=80),
    "rgb/12x13": jpeg(12, 13, quality=85, keep_rgb=True),
    "progressive/420/21x34": jpeg(21, 34, quality=85, subsampling=2, progressive=True),
    "progressive/444/16x16": jpeg(16, 16, quality=60, subsampling=0, progressive=True),
    "progressive/gray/20x9": jpeg(20, 9, "L", quality=60, progressive=True),
    "optimized/420/40x24": jpeg(40, 24, quality=70, subsampling=2, optimize=True),
    "restart/420/35x24": jpeg(35, 24, quality=70, subsampling=2, restart_marker_blocks=1),
    "restart/progressive/35x24": jpeg(35, 24, quality=70, subsampling=2, progressive=True, restart_marker_rows=1),
    "cmyk/14x19": jpeg(14, 19, "CMYK", quality=80),
    "cmyk/plain/14x19": without(jpeg(14, 19, "CMYK", quality=80), 0xee),
    "ycck/14x19": changed(jpeg(14, 19, "CMYK", quality=80), segments(jpeg(14, 19, "CMYK"))[0xee] + 15, 2),
}
for name, file in FILES.items():
    for method, attrs in METHODS.items():
        if method in ["gray", "quarter", "eighth", "half_plain"] and not name.startswith(("420/17x21", "420/1x1", "411", "mixed", "rgb", "gray")):
            continue
        if name.startswith(("cmyk", "ycck")) and method == "gray":
            case(f"{name}/{method}", decoded(file, **attrs), error="INVALID_ARGUMENT")
        else:
            case(f"{name}/{method}", decoded(file, **attrs))
    if name.startswith(("rgb", "progressive", "cmyk", "ycck")) or name == "420/17x21":
        case(f"{name}/image", lambda tf, v1, file=file: [
            raw.DecodeImage(contents=fed(file, "string", [])), raw.DecodePng(contents=fed(file, "string", []), channels=3),
            raw.ExtractJpegShape(contents=fed(file, "string", []))])

# Parts of images begin at groups of blocks, and are interpolated as if there were no neighbours.
for name in ["420/33x35", "422/17x21", "444/17x21", "440/19x22", "411/19x37", "gray/18x23", "progressive/420/21x34", "cmyk/14x19"]:
    height, width = picture_size(name)
    for y, x, rows, columns in [(0, 0, height, width), (3, 0, 5, width), (1, 9, 7, 5), (2, width - 3, height - 2, 3), (0, 16, 9, 1), (9, 17, 3, 2)]:
        if x + columns > width or y + rows > height:
            continue
        for method in ["fast", "plain"]:
            case(f"part/{name}/{y},{x},{rows},{columns}/{method}", lambda tf, v1, file=FILES[name], window=[y, x, rows, columns], attrs=METHODS[method]:
                 raw.DecodeAndCropJpeg(contents=fed(file, "string", []), crop_window=fed(window), **attrs))
case("part/half", lambda tf, v1: raw.DecodeAndCropJpeg(contents=fed(FILES["420/33x35"], "string", []), crop_window=fed([2, 9, 11, 8]), ratio=2))
case("part/half/outside", lambda tf, v1: raw.DecodeAndCropJpeg(
    contents=fed(FILES["420/33x35"], "string", []), crop_window=fed([2, 9, 18, 18]), ratio=2), error="INVALID_ARGUMENT")



def attempt(name, file, **attrs):
    """A case that fails if TensorFlow does."""
    build = decoded(file, **attrs)
    try:
        case(name, build)
    except AssertionError as e:
        if "expected no error, got INVALID_ARGUMENT" not in str(e):
            raise
        case(name, build, error="INVALID_ARGUMENT")


# Truncated or corrupt files.
for name in ["420/33x35", "422/17x21", "gray/18x23", "restart/420/35x24", "progressive/444/16x16", "large"]:
    file = FILES[name] if name != "large" else jpeg(100, 100, quality=97, subsampling=2)
    start = segments(file)[0xda] + 14
    for cut in [int((len(file) - start) * part) + start for part in [0.1, 0.6]] + [len(file) - 1, len(file) - 2, len(file) - 3, start - 20]:
        if name == "progressive/444/16x16" and start < cut < len(file) - 2:
            continue  # Missing data is guessed.
        attempt(f"cut/{name}/{cut}", file[:cut])
        attempt(f"cut/{name}/{cut}/part", file[:cut], acceptable_fraction=0.05)
        if file[cut - 1] != 0xff:  # TensorFlow does not terminate.
            attempt(f"cut/{name}/{cut}/recovered", file[:cut], try_recover_truncated=True, dct_method="INTEGER_ACCURATE")
        attempt(f"cut/{name}/{cut}/half", file[:cut], acceptable_fraction=0.3, ratio=2)
    if name == "large" or name.startswith("progressive"):
        continue
    rng = np.random.RandomState(len(file))
    for i in range(3):
        at = int(rng.randint(start, len(file) - 2))
        attempt(f"wrong/{name}/{i}", changed(file, at, int(rng.randint(0, 255))))
BASE = FILES["420/17x21"]
for name, file in [
        ("tables", without(without(BASE, 0xdb), 0xdb)), ("codes", without(BASE, 0xc4)),
        ("jfif", without(BASE, 0xe0)), ("precision", changed(BASE, segments(BASE)[0xc0] + 4, 12)),
        ("height", changed(changed(BASE, segments(BASE)[0xc0] + 5, 0), segments(BASE)[0xc0] + 6, 0)),
        ("factors", changed(BASE, segments(BASE)[0xc0] + 11, 0x52)),
        ("uneven", changed(BASE, segments(BASE)[0xc0] + 11, 0x32)),
        ("junk", BASE[:2] + b"junk" + BASE[2:]), ("behind", BASE + b"junk"), ("scan", BASE[:-2] + BASE[segments(BASE)[0xda]:]),
        ("letters", changed(changed(changed(without(BASE, 0xe0), segments(without(BASE, 0xe0))[0xc0] + 10, 82), segments(without(BASE, 0xe0))[0xda] + 5, 82), 3, BASE[segments(BASE)[0xdb] + 1]))]:
    attempt(f"file/{name}", file)
for name, attrs in {"method": {"dct_method": "FLOAT"}, "ratio": {"ratio": 3}, "channels": {"channels": 4}}.items():
    case(f"attr/{name}", decoded(BASE, **attrs), error="INVALID_ARGUMENT")
write(__file__)
