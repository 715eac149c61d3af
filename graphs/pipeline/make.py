#!/usr/bin/env python3
"""Writes the digits that the input pipelines read: as TFRecords of `Example` messages, gzipped, and as CSV.

    python graphs/pipeline/make.py

Needs numpy alone, and writes the same bytes each time. The numbers come from ../digits, whose README.md names their origin
and licence.
"""

import gzip
import struct
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
DIGITS = HERE.parent / "digits"
SHARDS = 4
ROWS = 720


def main():
    images = np.load(DIGITS / "train_images.npy")[:ROWS].reshape(ROWS, 64)
    labels = np.load(DIGITS / "train_labels.npy")[:ROWS]
    table = crc_table()
    for shard in range(SHARDS):
        rows = range(shard, ROWS, SHARDS)
        records = [record(example(images[i].tobytes(), int(labels[i])), table) for i in rows]
        path = HERE / f"digits-{shard:05d}-of-{SHARDS:05d}.tfrecord.gz"
        path.write_bytes(gzip.compress(b"".join(records), mtime=0))
        header = ",".join(["label"] + [f"pixel{p}" for p in range(64)])
        lines = [header] + [",".join(map(str, [labels[i], *images[i]])) for i in rows]
        if shard < 2:
            (HERE / f"digits-{shard}.csv").write_text("\n".join(lines) + "\n")


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def example(image, label):
    """An Example with the features `image`, 64 bytes, and `label`, an int64."""
    features = [(b"image", field(1, field(1, image))), (b"label", field(3, field(1, varint(label))))]
    entries = b"".join(field(1, field(1, name) + field(2, value)) for name, value in features)
    return field(1, entries)


def crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


def checksum(data, table):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def record(data, table):
    length = struct.pack("<Q", len(data))
    return length + checksum(length, table) + data + checksum(data, table)


if __name__ == "__main__":
    main()
