//! Random numbers.

use super::{Grads, NONE, never};
use levada_graph::DType;
use levada_graph::grad::{GradCx, Rule, V};

/// The gradient of samples of a gamma distribution by its parameter, which has fewer axes in front; input `i` is the
/// parameter.
fn gamma(g: &GradCx, i: usize) -> Grads {
    let (alpha, sample) = (g.input(i), g.output(0));
    let slope = g.op("RandomGammaGrad", &[alpha, sample]) * g.dy(0);
    let mut grads = never(g);
    grads[i] = levada_ops_core::rules::reduce_to(slope, alpha).into();
    grads
}

/// The distribution function of a normal distribution.
fn normal(x: V<'_>) -> V<'_> {
    let g = x.cx();
    let w = x * 0.5f64.sqrt();
    let z = w.op("Abs");
    let tail = z.op("Erfc");
    let op = |op: &str, a: V<'_>, b: V<'_>| g.op(op, &[g.value(a.at), g.value(b.at)]);
    let outer = g.op("SelectV2", &[op("Greater", w, w.like(0.0)), -tail + 2.0, tail]);
    g.op("SelectV2", &[op("Less", z, z.like(0.5f64.sqrt())), w.op("Erf") + 1.0, outer]) * 0.5
}

/// The gradient of samples of a truncated normal distribution by the numbers that describe it.
fn truncated_normal(g: &GradCx) -> Grads {
    let [mean, deviation, low, high] = [2, 3, 4, 5].map(|i| g.input(i));
    let (sample, dy) = (g.output(0), g.dy(0));
    let [low_at, high_at, at] = [low, high, sample].map(|v| (v - mean) / deviation);
    let below = normal(low_at);
    let share = (normal(at) - below) / (normal(high_at) - below);
    // Neither 0 nor 1, whose logarithms are infinite.
    let (tiny, epsilon) = match mean.dtype() {
        DType::F16 => (f64::from(levada_graph::f16::MIN_POSITIVE), f64::from(levada_graph::f16::EPSILON)),
        DType::BF16 => (f64::from(levada_graph::bf16::MIN_POSITIVE), f64::from(levada_graph::bf16::EPSILON)),
        DType::F64 => (f64::MIN_POSITIVE, f64::EPSILON),
        _ => (f64::from(f32::MIN_POSITIVE), f64::from(f32::EPSILON)),
    };
    let share = g.op("Minimum", &[share, share.like(1.0 - epsilon)]);
    let share = g.op("Maximum", &[share, share.like(tiny)]);
    let by_bound = |bound: V<'_>, share: V<'_>| {
        let (bound, share) = (g.value(bound.at), g.value(share.at));
        (share + (at.op("Square") - bound.op("Square")) * 0.5).op("Exp")
    };
    let by_low = by_bound(low_at, (-share).op("Log1p"));
    let by_high = by_bound(high_at, share.op("Log"));
    let part =
        |slope: V<'_>, of: V<'_>| levada_ops_core::rules::reduce_to(dy * g.value(slope.at), g.value(of.at)).into();
    vec![
        NONE,
        NONE,
        levada_ops_core::rules::reduce_to(dy, mean).into(),
        part(at, deviation),
        part(by_low, low),
        part(by_high, high),
    ]
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "RandomGamma" => |g| gamma(g, 1),
        "StatelessRandomGammaV2" => |g| gamma(g, 2),
        "StatelessRandomGammaV3" => |g| gamma(g, 4),
        "StatelessParameterizedTruncatedNormal" => truncated_normal,
        "Print" => super::pass,
        "RandomUniform"
        | "RandomUniformInt"
        | "RandomStandardNormal"
        | "TruncatedNormal"
        | "RandomShuffle"
        | "Multinomial"
        | "StatelessRandomUniform"
        | "StatelessRandomNormal"
        | "StatelessTruncatedNormal"
        | "StatelessRandomUniformV2"
        | "StatelessRandomNormalV2"
        | "ParameterizedTruncatedNormal"
        | "RandomPoisson"
        | "RandomPoissonV2" => never,
        _ => return None,
    })
}
