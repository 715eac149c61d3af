//! Converts the coefficients of a block to samples: libjpeg's accurate and fast inverse DCTs, and those to smaller
//! blocks.
//!
//! Values that libjpeg keeps in 16 bits wrap as they do there.

/// The inverse transform of a block's coefficients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Transform {
    Accurate,
    Fast,
    /// To blocks with a side of 4, 2 or 1 samples.
    Smaller(usize),
}

/// Fractional bits of the constants below.
const CONST_BITS: u32 = 13;
/// Additional fractional bits of the values between the passes.
const PASS_BITS: u32 = 2;

/// The scale factors of the fast transform, with 14 fractional bits.
const SCALES: [[i32; 8]; 8] = [
    [16384, 22725, 21407, 19266, 16384, 12873, 8867, 4520],
    [22725, 31521, 29692, 26722, 22725, 17855, 12299, 6270],
    [21407, 29692, 27969, 25172, 21407, 16819, 11585, 5906],
    [19266, 26722, 25172, 22654, 19266, 15137, 10426, 5315],
    [16384, 22725, 21407, 19266, 16384, 12873, 8867, 4520],
    [12873, 17855, 16819, 15137, 12873, 10114, 6967, 3552],
    [8867, 12299, 11585, 10426, 8867, 6967, 4799, 2446],
    [4520, 6270, 5906, 5315, 4520, 3552, 2446, 1247],
];

/// A transform combined with the quantization steps of a component.
pub(super) struct Inverse {
    transform: Transform,
    /// The factor of each coefficient.
    factors: [i16; 64],
}

impl Inverse {
    pub(super) fn new(transform: Transform, steps: &[u16; 64]) -> Inverse {
        let mut factors = [0; 64];
        for (i, (factor, step)) in factors.iter_mut().zip(steps).enumerate() {
            *factor = match transform {
                Transform::Fast => ((i32::from(*step as i16) * SCALES[i / 8][i % 8] + (1 << 11)) >> 12) as i16,
                _ => *step as i16,
            };
        }
        Inverse { transform, factors }
    }

    /// Number of samples along a side of a block.
    pub(super) fn size(&self) -> usize {
        match self.transform {
            Transform::Accurate | Transform::Fast => 8,
            Transform::Smaller(size) => size,
        }
    }

    /// Writes the samples of a block to the start of each of these lines of `stride` samples.
    pub(super) fn run(&self, block: &[i16; 64], to: &mut [u8], stride: usize) {
        let value = |i: usize| block[i].wrapping_mul(self.factors[i]);
        match self.transform {
            _ if block[1..].iter().all(|c| *c == 0) => {
                // All samples are equal.
                let first = i32::from(value(0));
                let sample = match self.transform {
                    Transform::Fast => sample(i32::from((first as i16) >> 5)),
                    _ => sample((first + 4) >> 3),
                };
                let size = self.size();
                to.chunks_mut(stride).take(size).for_each(|line| line[..size].fill(sample));
            }
            Transform::Accurate => {
                let mut between = [0i16; 64];
                for x in 0..8 {
                    let column = accurate(std::array::from_fn(|i| value(8 * i + x)));
                    for (y, v) in column.into_iter().enumerate() {
                        between[8 * y + x] = short(round(v, CONST_BITS - PASS_BITS));
                    }
                }
                for (line, row) in to.chunks_mut(stride).zip(between.as_chunks::<8>().0) {
                    let row = accurate(*row);
                    line.iter_mut().zip(row).for_each(|(to, v)| *to = sample(round(v, CONST_BITS + PASS_BITS + 3)));
                }
            }
            Transform::Fast => {
                let mut between = [0i16; 64];
                for x in 0..8 {
                    let column = fast(std::array::from_fn(|i| value(8 * i + x)));
                    column.into_iter().enumerate().for_each(|(y, v)| between[8 * y + x] = v);
                }
                for (line, row) in to.chunks_mut(stride).zip(between.as_chunks::<8>().0) {
                    line.iter_mut().zip(fast(*row)).for_each(|(to, v)| *to = sample(i32::from(v >> (PASS_BITS + 3))));
                }
            }
            Transform::Smaller(4) => {
                let mut between = [0i32; 32];
                for x in [0, 1, 2, 3, 5, 6, 7] {
                    let column = four(std::array::from_fn(|i| i32::from(value(8 * i + x))));
                    for (y, v) in column.into_iter().enumerate() {
                        between[8 * y + x] = round(v, CONST_BITS - PASS_BITS + 1);
                    }
                }
                for (line, row) in to.chunks_mut(stride).zip(between.as_chunks::<8>().0) {
                    let row = four(*row);
                    line.iter_mut().zip(row).for_each(|(to, v)| *to = sample(round(v, CONST_BITS + PASS_BITS + 4)));
                }
            }
            Transform::Smaller(2) => {
                let mut between = [0i32; 16];
                for x in [0, 1, 3, 5, 7] {
                    let column = two(std::array::from_fn(|i| i32::from(value(8 * i + x))));
                    for (y, v) in column.into_iter().enumerate() {
                        between[8 * y + x] = round(v, CONST_BITS - PASS_BITS + 2);
                    }
                }
                for (line, row) in to.chunks_mut(stride).zip(between.as_chunks::<8>().0) {
                    let row = two(*row);
                    line.iter_mut().zip(row).for_each(|(to, v)| *to = sample(round(v, CONST_BITS + PASS_BITS + 5)));
                }
            }
            Transform::Smaller(_) => to[0] = sample((i32::from(value(0)) + 4) >> 3),
        }
    }
}

fn sample(value: i32) -> u8 {
    value.saturating_add(128).clamp(0, 255) as u8
}

fn short(value: i32) -> i16 {
    value.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
}

fn round(value: i32, bits: u32) -> i32 {
    value.wrapping_add(1 << (bits - 1)) >> bits
}

/// A dot product; 32 bits suffice except for files crafted to overflow.
fn dot<const N: usize>(values: [i32; N], factors: [i32; N]) -> i32 {
    values.iter().zip(factors).fold(0, |sum: i32, (v, f)| sum.wrapping_add(v.wrapping_mul(f)))
}

/// A pass of the accurate transform, with `CONST_BITS` additional bits.
fn accurate(v: [i16; 8]) -> [i32; 8] {
    let wide = |v: i16| i32::from(v);
    let [z2, z3] = [wide(v[2]), wide(v[6])];
    let t2 = dot([z2, z3], [4433, 4433 - 15137]);
    let t3 = dot([z2, z3], [4433 + 6270, 4433]);
    let t0 = wide(v[0].wrapping_add(v[4])) << CONST_BITS;
    let t1 = wide(v[0].wrapping_sub(v[4])) << CONST_BITS;
    let even = [t0.wrapping_add(t3), t1.wrapping_add(t2), t1.wrapping_sub(t2), t0.wrapping_sub(t3)];
    let [t0, t1, t2, t3] = [wide(v[7]), wide(v[5]), wide(v[3]), wide(v[1])];
    let [z3, z4] = [wide(v[7].wrapping_add(v[3])), wide(v[5].wrapping_add(v[1]))];
    let odd3 = dot([z3, z4], [9633 - 16069, 9633]);
    let odd4 = dot([z3, z4], [9633, 9633 - 3196]);
    let odd = [
        dot([t3, t0], [12299 - 7373, -7373]).wrapping_add(odd4),
        dot([t2, t1], [25172 - 20995, -20995]).wrapping_add(odd3),
        dot([t1, t2], [16819 - 20995, -20995]).wrapping_add(odd4),
        dot([t0, t3], [2446 - 7373, -7373]).wrapping_add(odd3),
    ];
    let sum = |i: usize| even[i].wrapping_add(odd[i]);
    let difference = |i: usize| even[i].wrapping_sub(odd[i]);
    [sum(0), sum(1), sum(2), sum(3), difference(3), difference(2), difference(1), difference(0)]
}

/// A pass of the fast transform.
fn fast(v: [i16; 8]) -> [i16; 8] {
    let add = i16::wrapping_add;
    let sub = i16::wrapping_sub;
    // The product with an 8-bit constant; the other factor loses its upper two bits.
    let times = |v: i16, c: i32| ((i32::from(v << 2) * (c << 6)) >> 16) as i16;
    let [t10, t11] = [add(v[0], v[4]), sub(v[0], v[4])];
    let t13 = add(v[2], v[6]);
    let t12 = sub(times(sub(v[2], v[6]), 362), t13);
    let even = [add(t10, t13), add(t11, t12), sub(t11, t12), sub(t10, t13)];
    let [z13, z10] = [add(v[5], v[3]), sub(v[5], v[3])];
    let [z11, z12] = [add(v[1], v[7]), sub(v[1], v[7])];
    let t7 = add(z11, z13);
    let t11 = times(sub(z11, z13), 362);
    let z5 = times(add(z10, z12), 473);
    let t10 = sub(times(z12, 277), z5);
    // 2.6 exceeds the range of the constants, so it is split into 1.6 and 1.
    let t12 = add(sub(times(z10, -413), z10), z5);
    let t6 = sub(t12, t7);
    let t5 = sub(t11, t6);
    let t4 = add(t10, t5);
    let odd = [t7, t6, t5, sub(0, t4)];
    let sum = |i: usize| add(even[i], odd[i]);
    let difference = |i: usize| sub(even[i], odd[i]);
    [sum(0), sum(1), sum(2), sum(3), difference(3), difference(2), difference(1), difference(0)]
}

/// A pass of the transform to four samples, with `CONST_BITS + 1` additional bits.
fn four(v: [i32; 8]) -> [i32; 4] {
    let first = v[0] << (CONST_BITS + 1);
    let second = dot([v[2], v[6]], [15137, -6270]);
    let even = [first.wrapping_add(second), first.wrapping_sub(second)];
    let odds = [v[7], v[5], v[3], v[1]];
    let odd = [dot(odds, [-4176, -4926, 7373, 20995]), dot(odds, [-1730, 11893, -17799, 8697])];
    [
        even[0].wrapping_add(odd[0]),
        even[1].wrapping_add(odd[1]),
        even[1].wrapping_sub(odd[1]),
        even[0].wrapping_sub(odd[0]),
    ]
}

/// A pass of the transform to two samples, with `CONST_BITS + 2` additional bits.
fn two(v: [i32; 8]) -> [i32; 2] {
    let even = v[0] << (CONST_BITS + 2);
    let odd = dot([v[7], v[5], v[3], v[1]], [-5906, 6967, -10426, 29692]);
    [even.wrapping_add(odd), even.wrapping_sub(odd)]
}
