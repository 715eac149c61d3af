//! Pooling windows.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run_on;
use levada_ops_nn::PoolAttrs;
use levada_ops_nn::types::*;

/// float32 pooling of images.
pub fn of_images([h, w]: [i64; 2], [down, right]: [i64; 2], padding: &'static str) -> PoolAttrs {
    PoolAttrs {
        dtype: DType::F32,
        ksize: vec![1, h, w, 1],
        strides: vec![1, down, right, 1],
        padding: padding.into(),
        data_format: "NHWC".into(),
        explicit_paddings: Vec::new(),
        images: DType::F32,
        spatial: 2,
        given: false,
    }
}

/// float32 pooling of volumes with stride 1.
pub fn of_volumes([d, h, w]: [i64; 3], padding: &'static str) -> PoolAttrs {
    PoolAttrs {
        ksize: vec![1, d, h, w, 1],
        strides: vec![1; 5],
        data_format: "NDHWC".into(),
        spatial: 3,
        ..of_images([1, 1], [1, 1], padding)
    }
}

/// An axis's padding before and after, and its number of windows.
fn axis(input: usize, window: usize, stride: usize, padding: &str) -> Option<[usize; 3]> {
    let [before, after] = match padding {
        "VALID" => [0, 0],
        "SAME" => {
            let all = ((input.div_ceil(stride).max(1) - 1) * stride + window).saturating_sub(input);
            [all / 2, all - all / 2]
        }
        _ => [1.min(window - 1), window - 1],
    };
    let room = (input + before + after).checked_sub(window)?;
    Some([before, after, if padding == "SAME" { input.div_ceil(stride) } else { room / stride + 1 }])
}

#[test]
fn runs_of_windows_give_what_each_window_gives() {
    let shapes =
        [[1, 1, 1, 1], [2, 3, 2, 3], [1, 9, 50, 1], [2, 7, 13, 5], [1, 5, 19, 40], [1, 60, 150, 3], [1, 0, 4, 2]];
    let windows = [[1, 1], [2, 2], [3, 3], [3, 5], [1, 4], [9, 10]];
    let paddings = ["VALID", "SAME", "EXPLICIT"];
    let all = shapes.iter().flat_map(|s| windows.map(|w| (s, w))).flat_map(|(s, w)| paddings.map(|p| (s, w, p)));
    for ((&[n, h, w, c], [kh, kw], padding), down) in all.flat_map(|case| [(case, 1), (case, 2)]) {
        let (Some([top, bottom, oh]), Some([left, right, ow])) = (axis(h, kh, down, padding), axis(w, kw, 1, padding))
        else {
            continue;
        };
        let mut attrs = of_images([kh as i64, kw as i64], [down as i64, 1], padding);
        if padding == "EXPLICIT" {
            attrs.explicit_paddings = [0, 0, top, bottom, left, right, 0, 0].map(|p| p as i64).to_vec();
        }
        // Integers, whose sums are exact; zeros of both signs and NaN.
        let whole: Vec<f32> = (0..n * h * w * c).map(|i| ((i * 29) % 31) as f32 - 15.0).collect();
        let special = whole.iter().map(|&x| match x as i32 {
            -14 | 0 => f32::NAN,
            1 | 2 => 0.0,
            3.. => -0.0,
            _ => x,
        });
        let special: Vec<f32> = special.collect();
        let pool = |op, x: &[f32]| {
            let x = Tensor::from_vec(Shape::new([n, h, w, c]).unwrap(), x.to_vec()).unwrap();
            run_on(3, op, vec![x], &[DType::F32]).unwrap().remove(0)
        };
        let (mean, largest) = (pool(AVG_POOL.of(attrs.clone()), &whole), pool(MAX_POOL.of(attrs), &special));
        assert_eq!((mean.shape().dims(), largest.shape()), (&[n, oh, ow, c][..], mean.shape()));
        let found = mean.slice::<f32>().unwrap().iter().zip(largest.slice::<f32>().unwrap());
        for (i, (&mean, &largest)) in found.enumerate() {
            let (b, y, x, channel) = (i / (oh * ow * c), i / (ow * c) % oh * down, i / c % ow, i % c);
            let rows = (y..y + kh).filter(|y| (top..top + h).contains(y)).map(|y| (b * h + y - top) * w);
            let columns = (x..x + kw).filter(|x| (left..left + w).contains(x));
            let under: Vec<usize> =
                rows.flat_map(|row| columns.clone().map(move |x| (row + x - left) * c + channel)).collect();
            let sum: f32 = under.iter().map(|&at| whole[at]).sum();
            let above = |a: f32, &at: &usize| if a < special[at] { special[at] } else { a };
            let expected = (sum / under.len() as f32, under.iter().fold(f32::MIN, above).to_bits());
            let what = format!("{i} of {:?}, {kh} x {kw}, {padding}", [n, h, w, c]);
            assert!(mean == expected.0 || under.is_empty(), "{what}: {mean}");
            assert_eq!(largest.to_bits(), expected.1, "{what}");
        }
    }
}
