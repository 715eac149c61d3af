//! Reinterprets bytes as bools. `bytemuck` checks one byte at a time, which takes as long as most ops on them.

#![allow(unsafe_code)]

/// True if each byte is 0 or 1.
fn are_bools(bytes: &[u8]) -> bool {
    bytes.chunks(1024).all(|bytes| bytes.iter().fold(0, |all, &byte| all | byte) < 2)
}

/// The bytes as bools, if each is 0 or 1.
#[inline]
pub(crate) fn of(bytes: &[u8]) -> Option<&[bool]> {
    // SAFETY: `bool` has the size and alignment of `u8`, and each byte is one that it may have.
    are_bools(bytes).then(|| unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) })
}

/// As [`of`], mutable: any bool that is written is a valid byte.
#[inline]
pub(crate) fn of_mut(bytes: &mut [u8]) -> Option<&mut [bool]> {
    // SAFETY: as above; the bytes are borrowed for as long as the bools.
    are_bools(bytes).then(|| unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_zero_and_one_are_bools() {
        for len in [0usize, 1, 15, 64, 1023, 1024, 1025, 5000] {
            let mut bytes: Vec<u8> = (0..len).map(|i| (i % 3 % 2) as u8).collect();
            let expected: Vec<bool> = bytes.iter().map(|&b| b == 1).collect();
            assert_eq!(of(&bytes), Some(&expected[..]));
            of_mut(&mut bytes).unwrap().iter_mut().for_each(|b| *b = !*b);
            assert!(bytes.iter().zip(&expected).all(|(&b, &e)| (b == 1) != e && b < 2));
            for at in [0, len / 2, len.saturating_sub(1)] {
                for wrong in [2, 3, 128, 255] {
                    let mut bytes = bytes.clone();
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = wrong;
                        assert!(of(&bytes).is_none() && of_mut(&mut bytes).is_none());
                    }
                }
            }
        }
    }
}
