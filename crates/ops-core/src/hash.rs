//! Hashes of byte strings that must match TensorFlow's.

fn fetch64(s: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| s[at + i]))
}

fn fetch32(s: &[u8], at: usize) -> u64 {
    u64::from(u32::from_le_bytes(std::array::from_fn(|i| s[at + i])))
}

/// MurmurHash64A (Appleby) with TensorFlow's seed, used by `StringToHashBucket`.
pub fn murmur(s: &[u8]) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    let mut h = 0x00de_cafc_affe ^ (s.len() as u64).wrapping_mul(M);
    let words = s.chunks_exact(8);
    let tail = words.remainder();
    for word in words {
        let k = fetch64(word, 0).wrapping_mul(M);
        h = (h ^ (k ^ k >> 47).wrapping_mul(M)).wrapping_mul(M);
    }
    if !tail.is_empty() {
        for (i, &byte) in tail.iter().enumerate() {
            h ^= u64::from(byte) << (8 * i);
        }
        h = h.wrapping_mul(M);
    }
    h = (h ^ h >> 47).wrapping_mul(M);
    h ^ h >> 47
}

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;

fn shift_mix(v: u64) -> u64 {
    v ^ v >> 47
}

fn mix(u: u64, v: u64, mul: u64) -> u64 {
    let a = shift_mix((u ^ v).wrapping_mul(mul));
    shift_mix((v ^ a).wrapping_mul(mul)).wrapping_mul(mul)
}

fn weak(s: &[u8], a: u64, b: u64) -> (u64, u64) {
    let (w, x, y, z) = (fetch64(s, 0), fetch64(s, 8), fetch64(s, 16), fetch64(s, 24));
    let a = a.wrapping_add(w);
    let b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let c = a.wrapping_add(x).wrapping_add(y);
    (c.wrapping_add(z), b.wrapping_add(c.rotate_right(44)).wrapping_add(a))
}

fn up_to_16(s: &[u8]) -> u64 {
    let len = s.len();
    let mul = K2.wrapping_add(2 * len as u64);
    match len {
        8.. => {
            let (a, b) = (fetch64(s, 0).wrapping_add(K2), fetch64(s, len - 8));
            let c = b.rotate_right(37).wrapping_mul(mul).wrapping_add(a);
            let d = a.rotate_right(25).wrapping_add(b).wrapping_mul(mul);
            mix(c, d, mul)
        }
        4.. => mix((len as u64).wrapping_add(fetch32(s, 0) << 3), fetch32(s, len - 4), mul),
        1.. => {
            let y = u64::from(s[0]) + (u64::from(s[len / 2]) << 8);
            let z = len as u64 + (u64::from(s[len - 1]) << 2);
            shift_mix(y.wrapping_mul(K2) ^ z.wrapping_mul(K0)).wrapping_mul(K2)
        }
        0 => K2,
    }
}

fn up_to_32(s: &[u8]) -> u64 {
    let len = s.len();
    let mul = K2.wrapping_add(2 * len as u64);
    let (a, b) = (fetch64(s, 0).wrapping_mul(K1), fetch64(s, 8));
    let (c, d) = (fetch64(s, len - 8).wrapping_mul(mul), fetch64(s, len - 16).wrapping_mul(K2));
    let u = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    mix(u, a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c), mul)
}

fn up_to_64(s: &[u8]) -> u64 {
    let len = s.len();
    let mul = K2.wrapping_add(2 * len as u64);
    let (a, b) = (fetch64(s, 0).wrapping_mul(K2), fetch64(s, 8));
    let (c, d) = (fetch64(s, len - 8).wrapping_mul(mul), fetch64(s, len - 16).wrapping_mul(K2));
    let y = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    let z = mix(y, a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c), mul);
    let (e, f) = (fetch64(s, 16).wrapping_mul(mul), fetch64(s, 24));
    let g = y.wrapping_add(fetch64(s, len - 32)).wrapping_mul(mul);
    let h = z.wrapping_add(fetch64(s, len - 24)).wrapping_mul(mul);
    let u = e.wrapping_add(f).rotate_right(43).wrapping_add(g.rotate_right(30)).wrapping_add(h);
    mix(u, e.wrapping_add(f.wrapping_add(a).rotate_right(18)).wrapping_add(g), mul)
}

/// FarmHash's `Fingerprint64` (Pike), used by `StringToHashBucketFast` and feature hashing.
pub fn fingerprint(s: &[u8]) -> u64 {
    let len = s.len();
    match len {
        0..=16 => return up_to_16(s),
        17..=32 => return up_to_32(s),
        33..=64 => return up_to_64(s),
        _ => {}
    }
    let seed = 81u64;
    let mut x = seed.wrapping_mul(K2).wrapping_add(fetch64(s, 0));
    let mut y = seed.wrapping_mul(K1).wrapping_add(113);
    let mut z = shift_mix(y.wrapping_mul(K2).wrapping_add(113)).wrapping_mul(K2);
    let (mut v, mut w) = ((0u64, 0u64), (0u64, 0u64));
    // The last 64 bytes are hashed separately, the whole blocks before them in this loop.
    for block in s[..(len - 1) / 64 * 64].chunks_exact(64) {
        let sum = x.wrapping_add(y).wrapping_add(v.0).wrapping_add(fetch64(block, 8));
        x = sum.rotate_right(37).wrapping_mul(K1) ^ w.1;
        y = y.wrapping_add(v.1).wrapping_add(fetch64(block, 48)).rotate_right(42).wrapping_mul(K1);
        y = y.wrapping_add(v.0).wrapping_add(fetch64(block, 40));
        z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(K1);
        v = weak(block, v.1.wrapping_mul(K1), x.wrapping_add(w.0));
        w = weak(&block[32..], z.wrapping_add(w.1), y.wrapping_add(fetch64(block, 16)));
        std::mem::swap(&mut z, &mut x);
    }
    let mul = K1.wrapping_add((z & 0xff) << 1);
    let block = &s[len - 64..];
    w.0 = w.0.wrapping_add((len as u64 - 1) & 63);
    v.0 = v.0.wrapping_add(w.0);
    w.0 = w.0.wrapping_add(v.0);
    let sum = x.wrapping_add(y).wrapping_add(v.0).wrapping_add(fetch64(block, 8));
    x = sum.rotate_right(37).wrapping_mul(mul) ^ w.1.wrapping_mul(9);
    y = y.wrapping_add(v.1).wrapping_add(fetch64(block, 48)).rotate_right(42).wrapping_mul(mul);
    y = y.wrapping_add(v.0.wrapping_mul(9)).wrapping_add(fetch64(block, 40));
    z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(mul);
    v = weak(block, v.1.wrapping_mul(mul), x.wrapping_add(w.0));
    w = weak(&block[32..], z.wrapping_add(w.1), y.wrapping_add(fetch64(block, 16)));
    std::mem::swap(&mut z, &mut x);
    let low = mix(v.0, w.0, mul).wrapping_add(shift_mix(y).wrapping_mul(K0)).wrapping_add(z);
    mix(low, mix(v.1, w.1, mul).wrapping_add(x), mul)
}

/// SipHash-2-4 (Aumasson and Bernstein), used by `StringToHashBucketStrong`.
pub fn sip(key: [u64; 2], s: &[u8]) -> u64 {
    siphasher::sip::SipHasher24::new_with_keys(key[0], key[1]).hash(s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_tensorflow() {
        let long = "x".repeat(100);
        // Recorded as buckets out of 2^62.
        let cases: [(&str, u64, u64, u64); 4] = [
            ("", 105434511174508091, 1936946117179621455, 443797209252341627),
            ("a", 2996632905371535868, 3694432073954588131, 546566331822570742),
            ("hello", 1331861223480393034, 3786372426573024488, 2957200328589801622),
            (&long, 1482511825497849095, 1978794067220662815, 1638981394980189463),
        ];
        for (text, weak, fast, strong) in cases {
            let buckets = 1 << 62;
            assert_eq!(murmur(text.as_bytes()) % buckets, weak, "{text}");
            assert_eq!(fingerprint(text.as_bytes()) % buckets, fast, "{text}");
            assert_eq!(sip([1, 2], text.as_bytes()) % buckets, strong, "{text}");
        }
    }
}
