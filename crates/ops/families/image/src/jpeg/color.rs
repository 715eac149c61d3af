//! Converts planes of samples to pixels: sizes, chroma upsampling and color space conversion.

use super::file::{File, Space};
use super::transform::{Inverse, Transform};
use super::{Image, Options, Window, failed, zeros};
use crate::prelude::*;
use levada_kernel::Arena;

/// How the samples of a component are upsampled to the pixel grid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Upsampling {
    /// Repeats each sample this many times horizontally and vertically.
    Repeat(usize, usize),
    /// Doubles the width: three parts of the nearer sample and one of the farther.
    Across,
    /// Doubles the height.
    Down,
    /// Doubles the width and the height.
    Both,
}

/// The processing of a component.
struct Path {
    component: usize,
    transform: Transform,
    /// Samples that are part of the image.
    height: usize,
    width: usize,
    upsampling: Upsampling,
    /// Horizontal samples of the component, and of the image, over the same distance.
    scale: [usize; 2],
}

/// How the pixels of a file are computed.
pub(super) struct Plan {
    pub(super) height: usize,
    pub(super) width: usize,
    channels: usize,
    space: Space,
    /// Whether CMYK values are stored inverted.
    inverted: bool,
    /// Width of an MCU in pixels; a part of the image may begin at multiples of it.
    group: usize,
    /// Lines in a row of MCUs, and lines of each of its groups that are interpolated together.
    rows: usize,
    down: usize,
    paths: Vec<Path>,
}

/// The samples of a component.
pub(super) struct Plane {
    samples: Vec<u8>,
    stride: usize,
}

impl Plan {
    pub(super) fn new(file: &File<'_>, options: Options) -> Result<Plan> {
        let (frame, space) = (&file.frame, file.space());
        let count = frame.components.len();
        let channels = if options.channels == 0 { count.min(3) } else { options.channels };
        match (space, channels) {
            (Space::Gray | Space::Ycc | Space::Rgb, 1 | 3) | (Space::Cmyk | Space::Ycck, 3) => (),
            _ => return Err(failed(format!("{channels} channels requested from an image in color space {space:?}"))),
        }
        let size = 8 / options.ratio;
        let (height, width) = ((frame.height * size).div_ceil(8), (frame.width * size).div_ceil(8));
        if height * width * count >= 1 << 29 {
            return Err(failed(format!("an image of {height} times {width} pixels is too large")));
        }
        let [across, down] = frame.most;
        let needed = if channels == 1 && space == Space::Ycc { 1 } else { count };
        let mut paths = Vec::with_capacity(needed);
        for (component, c) in frame.components.iter().enumerate().take(needed) {
            // If a larger transform yields as many samples as there are pixels, no interpolation is needed.
            let mut own = size;
            while own < 8
                && (across * size).is_multiple_of(c.across * own * 2)
                && (down * size).is_multiple_of(c.down * own * 2)
            {
                own *= 2;
            }
            let transform = match own {
                8 if options.accurate => Transform::Accurate,
                8 => Transform::Fast,
                smaller => Transform::Smaller(smaller),
            };
            let scale = [c.across * own, across * size];
            let width = (frame.width * scale[0]).div_ceil(8 * across);
            let height = (frame.height * c.down * own).div_ceil(8 * down);
            let group = [c.across * own / size, c.down * own / size];
            if across % group[0] != 0 || down % group[1] != 0 {
                return Err(failed("sampling factors that are not multiples of each other"));
            }
            let [x, y] = [across / group[0], down / group[1]];
            let fancy = options.fancy && size > 1;
            let upsampling = match (x, y) {
                (2, 1) if fancy && width > 2 => Upsampling::Across,
                (1, 2) if fancy => Upsampling::Down,
                (2, 2) if fancy && width > 2 => Upsampling::Both,
                _ => Upsampling::Repeat(x, y),
            };
            paths.push(Path { component, transform, height, width, upsampling, scale });
        }
        let group = if count == 1 { size } else { across * size };
        // A lone component is stored one row of blocks at a time.
        let rows = if count == 1 { size } else { down * size };
        Ok(Plan { height, width, channels, space, inverted: file.is_adobe(), group, rows, down, paths })
    }

    /// Number of lines libjpeg outputs for `rows` rows of MCUs if more rows follow.
    pub(super) fn lines(&self, rows: usize) -> usize {
        // The last lines of a row are interpolated with the next row.
        let waits = self.paths.iter().any(|p| matches!(p.upsampling, Upsampling::Down | Upsampling::Both));
        (rows * self.rows).saturating_sub(usize::from(waits) * self.down)
    }

    /// Computes the samples of the needed components.
    pub(super) fn planes(&self, file: &mut File<'_>, arena: &Arena) -> Result<Vec<Plane>> {
        let mut planes = Vec::with_capacity(self.paths.len());
        for path in &self.paths {
            let c = &mut file.frame.components[path.component];
            let inverse = Inverse::new(path.transform, &c.steps.unwrap_or([0; 64]));
            let size = inverse.size();
            let stride = c.columns * size;
            arena.check(stride * c.rows * size)?;
            let mut samples = zeros(stride * c.rows * size)?;
            for (y, lines) in samples.chunks_exact_mut(stride * size).enumerate() {
                for (x, block) in c.blocks[y * c.stride..][..c.columns].iter().enumerate() {
                    inverse.run(block, &mut lines[x * size..], stride);
                }
            }
            c.blocks = Vec::new();
            planes.push(Plane { samples, stride });
        }
        Ok(planes)
    }

    /// Computes the pixels of the image, or of a part of it.
    pub(super) fn pixels(&self, planes: &[Plane], window: Option<Window>) -> Result<Image> {
        let whole = Window { y: 0, x: 0, height: self.height, width: self.width };
        let window = window.unwrap_or(whole);
        // As in libjpeg, a part begins at an MCU and is interpolated as if it had no neighbors.
        let is_part = window.width != self.width;
        let start = if is_part { window.x / self.group * self.group } else { 0 };
        let width = window.x + window.width - start;
        let mut rows = vec![zeros::<u8>(width + 8)?; planes.len()];
        let mut sums = zeros::<u16>(width + 8)?;
        let mut samples = zeros(window.height * window.width * self.channels)?;
        for (line, to) in samples.chunks_exact_mut((window.width * self.channels).max(1)).enumerate() {
            let y = window.y + line;
            for ((path, plane), row) in self.paths.iter().zip(planes).zip(&mut rows) {
                let [own, all] = path.scale;
                let first = start * own / all;
                let count = if is_part { (width * own).div_ceil(all) } else { path.width };
                let upsampling = match path.upsampling {
                    Upsampling::Across if is_part && count < 2 => Upsampling::Repeat(2, 1),
                    Upsampling::Both if is_part && count < 2 => Upsampling::Repeat(2, 2),
                    other => other,
                };
                let line = |y: usize| &plane.samples[y.min(path.height - 1) * plane.stride..][first..][..count];
                upsample(upsampling, line, y, row, &mut sums);
            }
            self.convert(&rows, window.x - start, to);
        }
        Ok(Image { height: window.height, width: window.width, channels: self.channels, samples })
    }

    /// Converts the samples of a line, from `from` on, to pixels.
    fn convert(&self, rows: &[Vec<u8>], from: usize, to: &mut [u8]) {
        let at = |component: usize| rows[component][from..].iter().copied();
        let pixels = to.chunks_exact_mut(self.channels);
        match (self.space, self.channels) {
            (Space::Rgb, 1) => {
                for (((to, r), g), b) in pixels.zip(at(0)).zip(at(1)).zip(at(2)) {
                    let [r, g, b] = [r, g, b].map(i32::from);
                    to[0] = ((fixed(0.299) * r + fixed(0.587) * g + fixed(0.114) * b + HALF) >> 16) as u8;
                }
            }
            (Space::Rgb, _) => {
                pixels.zip(at(0)).zip(at(1)).zip(at(2)).for_each(|(((to, r), g), b)| to.copy_from_slice(&[r, g, b]));
            }
            (Space::Ycc, 3) => {
                pixels.zip(at(0)).zip(at(1)).zip(at(2)).for_each(|(((to, y), b), r)| to.copy_from_slice(&rgb(y, b, r)));
            }
            (Space::Cmyk | Space::Ycck, _) => {
                for ((((to, c), m), y), k) in pixels.zip(at(0)).zip(at(1)).zip(at(2)).zip(at(3)) {
                    let cmy = if self.space == Space::Ycck { rgb(c, m, y).map(|v| 255 - v) } else { [c, m, y] };
                    let part = |v: u8| match self.inverted {
                        true => u16::from(k) * u16::from(v) / 255,
                        false => u16::from(255 - k) * u16::from(255 - v) / 255,
                    };
                    to.copy_from_slice(&cmy.map(|v| part(v) as u8));
                }
            }
            _ => pixels.zip(at(0)).for_each(|(to, y)| to.fill(y)),
        }
    }
}

/// One half in fixed point.
const HALF: i32 = 1 << 15;

const fn fixed(value: f64) -> i32 {
    (value * 65_536.0 + 0.5) as i32
}

/// Red, green and blue from luma and two chroma differences.
fn rgb(y: u8, cb: u8, cr: u8) -> [u8; 3] {
    let (y, cb, cr) = (i32::from(y), i32::from(cb) - 128, i32::from(cr) - 128);
    let red = (fixed(1.402) * cr + HALF) >> 16;
    let green = (HALF - fixed(0.34414) * cb - fixed(0.71414) * cr) >> 16;
    let blue = (fixed(1.772) * cb + HALF) >> 16;
    [red, green, blue].map(|v| (y + v).clamp(0, 255) as u8)
}

/// Upsamples line `y` of the image; `line` returns lines of the component.
fn upsample<'a>(how: Upsampling, line: impl Fn(usize) -> &'a [u8], y: usize, to: &mut [u8], sums: &mut [u16]) {
    // The second nearest line.
    let other = |y: usize| if y.is_multiple_of(2) { (y / 2).saturating_sub(1) } else { y / 2 + 1 };
    match how {
        Upsampling::Repeat(1, down) => to.iter_mut().zip(line(y / down)).for_each(|(to, v)| *to = *v),
        Upsampling::Repeat(across, down) => {
            to.chunks_mut(across).zip(line(y / down)).for_each(|(to, v)| to.fill(*v));
        }
        Upsampling::Down => {
            let bias = if y.is_multiple_of(2) { 1 } else { 2 };
            for ((to, near), far) in to.iter_mut().zip(line(y / 2)).zip(line(other(y))) {
                *to = ((3 * u16::from(*near) + u16::from(*far) + bias) >> 2) as u8;
            }
        }
        Upsampling::Across => {
            let from = line(y);
            let sums = &mut sums[..from.len()];
            sums.iter_mut().zip(from).for_each(|(to, v)| *to = u16::from(*v));
            across(sums, to, [1, 2], 2);
        }
        Upsampling::Both => {
            let (near, far) = (line(y / 2), line(other(y)));
            let sums = &mut sums[..near.len()];
            for ((to, near), far) in sums.iter_mut().zip(near).zip(far) {
                *to = 3 * u16::from(*near) + u16::from(*far);
            }
            across(sums, to, [8, 7], 4);
        }
    }
}

/// Two samples of each: three parts of it and one of the preceding or following neighbor, divided by `2^bits`.
fn across(from: &[u16], to: &mut [u8], bias: [u16; 2], bits: u32) {
    let last = from.len() - 1;
    for (x, (to, v)) in to.chunks_mut(2).zip(from).enumerate() {
        let before = if x == 0 { *v } else { from[x - 1] };
        let behind = if x == last { *v } else { from[x + 1] };
        to[0] = ((3 * v + before + bias[0]) >> bits) as u8;
        if let Some(to) = to.get_mut(1) {
            *to = ((3 * v + behind + bias[1]) >> bits) as u8;
        }
    }
}
