"""Writes `data/compressed`: the checkpoint `data/model-3` with the blocks of its index compressed by Snappy, as older versions of
TensorFlow wrote them, and checks that TensorFlow reads it.

    pip install tensorflow-cpu cramjam
    python tests/saver/compress.py
"""

import shutil
import sys

import cramjam

from record import DATA, read

MAGIC = (0xDB4775248B80FB57).to_bytes(8, "little")
FOOTER = 48


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def take_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def compress(table):
    assert table.endswith(MAGIC)
    out = bytearray()

    def block(start, length):
        assert table[start + length] == 0, "the block is compressed already"
        return table[start : start + length]

    def write(plain):
        start, packed = len(out), bytes(cramjam.snappy.compress_raw(plain)) + b"\x01"
        out.extend(packed + masked_crc(packed).to_bytes(4, "little"))
        return varint(start) + varint(len(packed) - 1)

    at, places = len(table) - FOOTER, []
    for _ in range(4):
        place, at = take_varint(table, at)
        places.append(place)
    index, moved, restarts, at = block(*places[2:]), bytearray(), [], 0
    count = int.from_bytes(index[-4:], "little")
    while at < len(index) - 4 * count - 4:
        shared, at = take_varint(index, at)
        own, at = take_varint(index, at)
        _, at = take_varint(index, at)
        assert shared == 0, "every key of an index is written in full"
        key = index[at : at + own]
        start, at = take_varint(index, at + own)
        length, at = take_varint(index, at)
        place = write(block(start, length))
        restarts.append(len(moved).to_bytes(4, "little"))
        moved += varint(0) + varint(own) + varint(len(place)) + key + place
    meta = write(block(*places[:2]))
    footer = meta + write(bytes(moved) + b"".join(restarts) + len(restarts).to_bytes(4, "little"))
    return bytes(out) + footer.ljust(FOOTER - len(MAGIC), b"\x00") + MAGIC


def main():
    plain = (DATA / "model-3.index").read_bytes()
    (DATA / "compressed.index").write_bytes(compress(plain))
    shutil.copy(DATA / "model-3.data-00000-of-00001", DATA / "compressed.data-00000-of-00001")
    return read(str(DATA / "compressed"))


if __name__ == "__main__":
    sys.exit(bool(main()))
