//! Squares of 4-byte words, transposed in vector registers.

/// Side of the square that is transposed in registers.
pub(super) const SIDE: usize = 8;

/// Writes a matrix to `to`, with rows `width` apart; its columns are runs of `src` of `rows` words, `step` apart,
/// beginning at `start`. Returns false, with nothing written, if the machine lacks the instructions or a side is not a
/// multiple of [`SIDE`].
pub fn turn(
    src: &[u32],
    (start, step): (usize, usize),
    (rows, cols): (usize, usize),
    to: &mut [u32],
    width: usize,
) -> bool {
    if !rows.is_multiple_of(SIDE) || !cols.is_multiple_of(SIDE) {
        return false;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        simd.vectorize(x86::Turn { simd, src, from: (start, step), size: (rows, cols), to, width });
        return true;
    }
    let _ = (src, start, step, to, width);
    false
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::SIDE;
    use pulp::x86::V3;
    use std::arch::x86_64::__m256;

    pub(super) struct Turn<'a> {
        pub simd: V3,
        pub src: &'a [u32],
        pub from: (usize, usize),
        pub size: (usize, usize),
        pub to: &'a mut [u32],
        pub width: usize,
    }

    impl pulp::NullaryFnOnce for Turn<'_> {
        type Output = ();

        #[inline(always)]
        fn call(self) {
            let ((start, step), (rows, cols)) = (self.from, self.size);
            for col in (0..cols).step_by(SIDE) {
                for row in (0..rows).step_by(SIDE) {
                    let mut square = [pulp::cast([0f32; SIDE]); SIDE];
                    for (i, column) in square.iter_mut().enumerate() {
                        let from = start + (col + i) * step + row;
                        let words: [u32; SIDE] =
                            self.src[from..from + SIDE].try_into().expect("the slice is of this length");
                        *column = pulp::cast(words);
                    }
                    for (i, vector) in square_turned(self.simd, square).into_iter().enumerate() {
                        let at = (row + i) * self.width + col;
                        let words: [u32; SIDE] = pulp::cast(vector);
                        self.to[at..at + SIDE].copy_from_slice(&words);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn square_turned(simd: V3, [a, b, c, d, e, f, g, h]: [__m256; SIDE]) -> [__m256; SIDE] {
        let s = simd.avx;
        // Interleaves words of two columns, then of four, then of all.
        let (ab, ab_high) = (s._mm256_unpacklo_ps(a, b), s._mm256_unpackhi_ps(a, b));
        let (cd, cd_high) = (s._mm256_unpacklo_ps(c, d), s._mm256_unpackhi_ps(c, d));
        let (ef, ef_high) = (s._mm256_unpacklo_ps(e, f), s._mm256_unpackhi_ps(e, f));
        let (gh, gh_high) = (s._mm256_unpacklo_ps(g, h), s._mm256_unpackhi_ps(g, h));
        const LOW: i32 = 0x44;
        const HIGH: i32 = 0xee;
        let left = [
            s._mm256_shuffle_ps::<LOW>(ab, cd),
            s._mm256_shuffle_ps::<HIGH>(ab, cd),
            s._mm256_shuffle_ps::<LOW>(ab_high, cd_high),
            s._mm256_shuffle_ps::<HIGH>(ab_high, cd_high),
        ];
        let right = [
            s._mm256_shuffle_ps::<LOW>(ef, gh),
            s._mm256_shuffle_ps::<HIGH>(ef, gh),
            s._mm256_shuffle_ps::<LOW>(ef_high, gh_high),
            s._mm256_shuffle_ps::<HIGH>(ef_high, gh_high),
        ];
        [
            s._mm256_permute2f128_ps::<0x20>(left[0], right[0]),
            s._mm256_permute2f128_ps::<0x20>(left[1], right[1]),
            s._mm256_permute2f128_ps::<0x20>(left[2], right[2]),
            s._mm256_permute2f128_ps::<0x20>(left[3], right[3]),
            s._mm256_permute2f128_ps::<0x31>(left[0], right[0]),
            s._mm256_permute2f128_ps::<0x31>(left[1], right[1]),
            s._mm256_permute2f128_ps::<0x31>(left[2], right[2]),
            s._mm256_permute2f128_ps::<0x31>(left[3], right[3]),
        ]
    }
}
