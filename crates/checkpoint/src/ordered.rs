//! Keys of parts of tensors: an order-preserving encoding.

use crate::slice::Slice;

/// The key of a part of a tensor.
pub(crate) fn slice_key(name: &str, slice: &Slice) -> Vec<u8> {
    let mut key = Vec::new();
    number(&mut key, 0);
    string(&mut key, name.as_bytes());
    number(&mut key, slice.extents().len() as u64);
    for extent in slice.extents() {
        signed(&mut key, extent.start as i64);
        signed(&mut key, extent.length.map_or(-1, |n| n as i64));
    }
    key
}

/// The number of bytes, followed by the bytes, big endian.
fn number(out: &mut Vec<u8>, value: u64) {
    let skip = value.leading_zeros() as usize / 8;
    out.push(8 - skip as u8);
    out.extend_from_slice(&value.to_be_bytes()[skip..]);
}

/// The bytes with 0 and 255 escaped, and a terminator.
fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    for &byte in bytes {
        match byte {
            0 => out.extend([0, 0xff]),
            0xff => out.extend([0xff, 0]),
            byte => out.push(byte),
        }
    }
    out.extend([0, 1]);
}

/// As many leading one bits as there are bytes (zero bits for a negative number), then an opposite bit and the number.
fn signed(out: &mut Vec<u8>, value: i64) {
    let magnitude = if value < 0 { !value } else { value };
    let bits = 64 - magnitude.leading_zeros() as usize;
    // Each byte holds seven bits, one of which is the sign bit.
    let length = bits / 7 + 1;
    let mut bytes = [if value < 0 { 0xff } else { 0 }; 10];
    bytes[2..].copy_from_slice(&value.to_be_bytes());
    let bytes = &mut bytes[10 - length..];
    let header: u16 = !(0xffff_u32 >> length) as u16;
    bytes[0] ^= (header >> 8) as u8;
    if let Some(second) = bytes.get_mut(1) {
        *second ^= header as u8;
    }
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_is_the_order_of_the_numbers() {
        let mut numbers: Vec<i64> = (0..63).flat_map(|i| [1i64 << i, (1 << i) - 1, -(1 << i), -(1 << i) - 1]).collect();
        numbers.extend([i64::MIN, i64::MAX]);
        numbers.sort_unstable();
        numbers.dedup();
        let encoded = |value: i64| {
            let mut out = Vec::new();
            signed(&mut out, value);
            out
        };
        for pair in numbers.windows(2) {
            assert!(encoded(pair[0]) < encoded(pair[1]), "{pair:?}");
        }
        assert_eq!(encoded(0), [0x80]);
        assert_eq!(encoded(-1), [0x7f]);
        assert_eq!(encoded(64), [0xc0, 0x40]);
    }
}
