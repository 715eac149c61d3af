//! The loss of a quantized graph: its layers and fetches compared with those of the original graph.

use super::ranges::Scale;
use super::{Feeds, Scope, run};
use levada_graph::{DType, Result, Tensor};
use levada_session::Session;

/// The error of approximate values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// The maximum absolute error.
    pub max_error: f64,
    /// The mean absolute error.
    pub mean_error: f64,
    /// The signal-to-quantization-noise ratio in decibels; infinite if there is no error.
    pub sqnr_db: f64,
    /// The cosine similarity of the exact and the approximate values: 1 if they are proportional.
    pub cosine: f64,
}

/// A layer in 8-bit integers.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The original convolution or product.
    pub node: String,
    /// Its op.
    pub op: String,
    /// Its output: the last node that became part of it.
    pub output: String,
    /// True if it returns codes, which other layers take.
    pub gives_codes: bool,
    /// The error of its results relative to the float graph, including the losses of all earlier layers.
    pub loss: Loss,
}

/// A fetch of both graphs.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetch {
    /// Its name.
    pub name: String,
    /// Its loss; `None` if it has no floats.
    pub loss: Option<Loss>,
    /// For floats, the fraction of rows with the same position of the maximum; for others, the fraction of equal
    /// elements.
    pub agreement: f64,
}

/// A node that stays in floats.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// Its name.
    pub node: String,
    /// Its op.
    pub op: String,
    /// The reason.
    pub reason: String,
}

/// The loss of a quantized graph, on the feeds of the calibration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The layers in the order of the graph.
    pub layers: Vec<Layer>,
    /// The fetches.
    pub fetches: Vec<Fetch>,
    /// Convolutions and products that stay in floats.
    pub left: Vec<Left>,
}

/// Where both graphs have the output of a layer.
pub(super) struct Shown {
    pub node: String,
    pub op: String,
    pub before: String,
    pub after: String,
    /// The scale if it is codes.
    pub scale: Option<Scale>,
}

/// Sums over exact and approximate values.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    most: f64,
    distance: f64,
    square: f64,
    power: f64,
    other: f64,
    product: f64,
}

impl Sums {
    fn add(&mut self, exact: f32, found: f32) {
        let (exact, found) = (f64::from(exact), f64::from(found));
        let distance = (exact - found).abs();
        self.count += 1.0;
        self.most = self.most.max(distance);
        self.distance += distance;
        self.square += distance * distance;
        self.power += exact * exact;
        self.other += found * found;
        self.product += exact * found;
    }

    fn loss(&self) -> Loss {
        let norms = (self.power * self.other).sqrt();
        Loss {
            max_error: self.most,
            mean_error: self.distance / self.count.max(1.0),
            sqnr_db: if self.square == 0.0 { f64::INFINITY } else { 10.0 * (self.power / self.square).log10() },
            cosine: if norms == 0.0 { f64::from(u8::from(self.power == self.other)) } else { self.product / norms },
        }
    }
}

/// Number of elements that agree, and number of all.
#[derive(Clone, Copy, Default)]
struct Agreement {
    same: usize,
    all: usize,
}

pub(super) fn compare(
    scope: &Scope<'_>,
    before: &Session,
    after: &Session,
    calibration: &[Feeds],
    shown: &[Shown],
    left: Vec<Left>,
) -> Result<Report> {
    let targets: Vec<&str> = scope.targets.iter().map(|&id| scope.name(id)).collect();
    let fetches: Vec<&str> = scope.fetches.iter().map(String::as_str).filter(|name| !targets.contains(name)).collect();
    let names = |of: fn(&Shown) -> &String| -> Vec<&str> {
        shown.iter().map(|s| of(s).as_str()).chain(fetches.iter().copied()).collect()
    };
    let (exact_names, found_names) = (names(|s| &s.before), names(|s| &s.after));
    let mut sums = vec![Sums::default(); exact_names.len()];
    let mut agreements = vec![Agreement::default(); fetches.len()];
    let mut floats = vec![false; fetches.len()];
    for feeds in calibration {
        let (exact, found) = (run(before, feeds, &exact_names)?, run(after, feeds, &found_names)?);
        for (i, (exact, found)) in exact.iter().zip(&found).enumerate() {
            if let Some(at) = i.checked_sub(shown.len()) {
                floats[at] = exact.dtype() == DType::F32;
                agreements[at].add(exact, found)?;
                if !floats[at] {
                    continue;
                }
            }
            match shown.get(i).and_then(|s| s.scale) {
                Some(scale) => {
                    let codes = found.slice::<u8>()?.iter().map(|&code| scale.number(code));
                    exact.slice::<f32>()?.iter().zip(codes).for_each(|(&exact, found)| sums[i].add(exact, found));
                }
                None => {
                    let pairs = exact.slice::<f32>()?.iter().zip(found.slice::<f32>()?);
                    pairs.for_each(|(&exact, &found)| sums[i].add(exact, found));
                }
            }
        }
    }
    let layer = |(shown, sums): (&Shown, &Sums)| Layer {
        node: shown.node.clone(),
        op: shown.op.clone(),
        output: shown.before.clone(),
        gives_codes: shown.scale.is_some(),
        loss: sums.loss(),
    };
    let fetch = |(i, name): (usize, &&str)| Fetch {
        name: (*name).to_owned(),
        loss: floats[i].then(|| sums[shown.len() + i].loss()),
        agreement: agreements[i].same as f64 / agreements[i].all.max(1) as f64,
    };
    Ok(Report {
        layers: shown.iter().zip(&sums).map(layer).collect(),
        fetches: fetches.iter().enumerate().map(fetch).collect(),
        left,
    })
}

impl Agreement {
    fn add(&mut self, exact: &Tensor, found: &Tensor) -> Result<()> {
        if exact.dtype() != DType::F32 {
            let size = exact.dtype().size().max(1);
            let (Some(exact), Some(found)) = (exact.bytes(), found.bytes()) else { return Ok(()) };
            let pairs = exact.chunks(size).zip(found.chunks(size));
            self.same += pairs.filter(|(a, b)| a == b).count();
            self.all += exact.len() / size;
            return Ok(());
        }
        let width = exact.shape().last().copied().unwrap_or(1).max(1);
        let largest = |row: &[f32]| (0..row.len()).fold(0, |best, i| if row[i] > row[best] { i } else { best });
        let rows = exact.slice::<f32>()?.chunks(width).zip(found.slice::<f32>()?.chunks(width));
        for (exact, found) in rows {
            self.same += usize::from(largest(exact) == largest(found));
            self.all += 1;
        }
        Ok(())
    }
}
