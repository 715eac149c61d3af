//! Rows that are normalized: layer normalization and root mean square normalization, as graphs spell them. A row is read
//! once for its mean, once for the mean of its squares and once for the result, each time in one loop, and stays in the
//! nearest cache.
//!
//! Results have the same bits as those of the group's nodes, since operations are in the same order.

use super::work::FAR;
use super::{Basic, Kind, Plan, Row, Strip};
use crate::group::{Group, Origin};
use crate::io::Io;
use crate::stream::{Stream, is_at_line, prefetch_later};
use pulp::{Arch, Simd, WithSimd};
use smallvec::SmallVec;

/// A normalization. Inputs are those of the group.
pub(super) struct Normal {
    /// What is normalized: an input, or the sum of two.
    x: (usize, Option<usize>),
    /// The reduction to the mean; without one, the squares are of the row itself.
    mean: Option<Row>,
    /// The reduction of the squares.
    variance: Row,
    /// The functions from the variance to the factor, in order.
    numbers: Vec<Number>,
    form: Form,
    weight: Option<usize>,
    bias: Option<usize>,
}

/// A function of the number before it and, if it takes two, of an input.
struct Number {
    basic: Basic,
    other: Option<usize>,
    is_second: bool,
}

/// The result for `x`, the mean `m`, the factor `r`, the weight `w` and the bias `b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// `x (r w) + (b - m (r w))`
    Affine,
    /// `((x - m) r) w + b`
    Factor,
    /// `(x - m) (r w) + b`
    Factors,
    /// `((x - m) / r) w + b`
    Quotient,
}

/// Finds the parts of a normalization.
#[derive(Clone, Copy)]
struct Finder<'a> {
    group: &'a Group,
    strips: &'a [Strip],
}

impl Finder<'_> {
    /// The origin of a value, past parts that only forward it.
    fn of(&self, mut origin: Origin) -> Origin {
        while let Origin::Part(part) = origin
            && matches!(self.strips[part], Strip::Basic(Basic::Identity))
        {
            origin = self.group.parts[part].inputs[0].origin;
        }
        origin
    }

    /// The operands of a function.
    fn basic(&self, origin: Origin) -> Option<(Basic, SmallVec<[Origin; 2]>)> {
        let Origin::Part(part) = self.of(origin) else { return None };
        let Strip::Basic(basic) = self.strips[part] else { return None };
        let inputs = self.group.parts[part].inputs.iter().map(|source| self.of(source.origin));
        Some((basic, inputs.take(if basic.is_of_two() { 2 } else { 1 }).collect()))
    }

    /// The operands of a function of two values in both orders, or in one if it does not commute.
    fn pairs(&self, origin: Origin, of: Basic) -> SmallVec<[(Origin, Origin); 2]> {
        match self.basic(origin) {
            Some((basic, operands)) if basic == of && operands.len() == 2 => {
                let commutes = matches!(of, Basic::Add | Basic::Mul | Basic::SquaredDifference);
                let both = [(operands[0], operands[1]), (operands[1], operands[0])];
                both.into_iter().take(if commutes { 2 } else { 1 }).collect()
            }
            _ => SmallVec::new(),
        }
    }

    /// The reduction whose result a value is, and what it reduces.
    fn row(&self, origin: Origin) -> Option<(Row, Origin)> {
        let Origin::Part(part) = self.of(origin) else { return None };
        let Strip::Row(row) = self.strips[part] else { return None };
        Some((row, self.of(self.group.parts[part].inputs[0].origin)))
    }

    /// The functions from the variance to the factor, the reduction to the variance, and what that reduces.
    fn numbers(&self, mut origin: Origin) -> Option<(Vec<Number>, Row, Origin)> {
        let mut numbers = Vec::new();
        loop {
            if let Some((row, of)) = self.row(origin) {
                numbers.reverse();
                return Some((numbers, row, of));
            }
            let (basic, operands) = self.basic(origin)?;
            let (other, is_second) = match operands[..] {
                [_] => (None, false),
                [Origin::Part(_), Origin::Input(other)] => (Some(other), false),
                [Origin::Input(other), Origin::Part(_)] => (Some(other), true),
                _ => return None,
            };
            numbers.push(Number { basic, other, is_second });
            origin = operands[usize::from(is_second)];
        }
    }

    /// The normalization of `x` by the mean, if there is one, and this factor.
    fn normal(
        &self,
        (x, mean, factor): (Origin, Option<Origin>, Origin),
        form: Form,
        (weight, bias): (Option<usize>, Option<usize>),
    ) -> Option<Normal> {
        let (numbers, variance, squares) = self.numbers(factor)?;
        let (x, mean) = (self.of(x), mean.map(|mean| self.of(mean)));
        let is_square = match (self.basic(squares)?, mean) {
            ((Basic::SquaredDifference, of), Some(mean)) => of[..] == [x, mean] || of[..] == [mean, x],
            ((Basic::Square, of), Some(mean)) => self.pairs(of[0], Basic::Sub)[..] == [(x, mean)],
            ((Basic::Square, of), None) => of[..] == [x],
            _ => false,
        };
        let mean = match mean {
            Some(mean) => Some(self.row(mean).filter(|(_, of)| *of == x)?.0),
            None => None,
        };
        let x = match x {
            Origin::Input(x) => (x, None),
            sum => match self.basic(sum)? {
                (Basic::Add, of) => match of[..] {
                    [Origin::Input(a), Origin::Input(b)] => (a, Some(b)),
                    _ => return None,
                },
                _ => return None,
            },
        };
        is_square.then_some(Normal { x, mean, variance, numbers, form, weight, bias })
    }

    /// `x (r w) + (b - m (r w))`
    fn affine(&self, last: Origin) -> Option<Normal> {
        self.pairs(last, Basic::Add).into_iter().find_map(|(product, shift)| {
            self.pairs(product, Basic::Mul).into_iter().find_map(|(x, factors)| {
                let is_of_factors = |product: Origin| {
                    let found = self.pairs(product, Basic::Mul).into_iter().find(|&(_, other)| other == factors);
                    found.map(|(mean, _)| mean)
                };
                let (mean, bias) = match self.pairs(shift, Basic::Sub).first() {
                    Some(&(Origin::Input(bias), product)) => (is_of_factors(product)?, Some(bias)),
                    Some(_) => return None,
                    None => match self.basic(is_of_factors(shift)?)? {
                        (Basic::Neg, of) => (of[0], None),
                        _ => return None,
                    },
                };
                let (factor, weight) = self.weighted(factors);
                self.normal((x, Some(mean), factor), Form::Affine, (weight, bias))
            })
        })
    }

    /// The factor and the weight of `r w`; the factor itself without a weight.
    fn weighted(&self, factors: Origin) -> (Origin, Option<usize>) {
        let weighted = self.pairs(factors, Basic::Mul).into_iter().find_map(|(factor, weight)| match weight {
            Origin::Input(weight) => Some((factor, Some(weight))),
            Origin::Part(_) => None,
        });
        weighted.unwrap_or((factors, None))
    }

    /// The other forms.
    fn centered(&self, last: Origin) -> Option<Normal> {
        let with_bias = self.pairs(last, Basic::Add).into_iter().find_map(|(rest, bias)| match bias {
            Origin::Input(bias) => Some((rest, Some(bias))),
            Origin::Part(_) => None,
        });
        let (rest, bias) = with_bias.unwrap_or((last, None));
        let of = |product: Origin, weight: Option<usize>| {
            let quotient = self.pairs(product, Basic::Div).into_iter().map(|pair| (pair, Form::Quotient));
            let products = self.pairs(product, Basic::Mul).into_iter().map(|pair| (pair, Form::Factor));
            quotient.chain(products).find_map(|((difference, factor), form)| {
                let (x, mean) = match self.pairs(difference, Basic::Sub).first() {
                    Some(&(x, mean)) => (x, Some(mean)),
                    None => (difference, None),
                };
                let (factor, form, weight) = match (self.weighted(factor), form, weight) {
                    ((factor, None), form, weight) => (factor, form, weight),
                    ((factor, Some(weight)), Form::Factor, None) => (factor, Form::Factors, Some(weight)),
                    _ => return None,
                };
                self.normal((x, mean, factor), form, (weight, bias))
            })
        };
        match self.weighted(rest) {
            (product, Some(weight)) => of(product, Some(weight)),
            _ => None,
        }
        .or_else(|| of(rest, None))
    }
}

impl Normal {
    /// The normalization that a group is, if it is one.
    pub(super) fn find(group: &Group, strips: &[Strip]) -> Option<Normal> {
        let last = Origin::Part(strips.len().checked_sub(1)?);
        let finder = Finder { group, strips };
        finder.affine(last).or_else(|| finder.centered(last))
    }

    /// Computes the output; false if the inputs are not rows, vectors and numbers as the normalization takes them.
    /// `taken`: the input whose memory the output uses.
    pub(super) fn compute(
        &self,
        plan: &Plan,
        inputs: &[&[f32]],
        taken: Option<usize>,
        io: &Io<'_>,
        out: &mut [f32],
    ) -> bool {
        let (n, bytes) = (plan.row, size_of_val(out));
        let of_kind = |i: usize, kind: Kind| plan.inputs[i] == kind && plan.picks[i].is_none();
        let is_full = |i: usize| of_kind(i, Kind::Full) && (taken == Some(i) || inputs[i].len() == out.len());
        let are_numbers = self.numbers.iter().filter_map(|number| number.other).all(|i| of_kind(i, Kind::One));
        if plan.output != Kind::Full || !is_full(self.x.0) || !self.x.1.is_none_or(is_full) || !are_numbers {
            return false;
        }
        // Without a weight or a bias: the number that changes nothing, not even the sign of a zero.
        let vector = |i: Option<usize>, none: f32| match i {
            None => Some(vec![none; n]),
            Some(i) if of_kind(i, Kind::One) => Some(vec![*inputs[i].first()?; n]),
            Some(i) => (of_kind(i, Kind::Across) && inputs[i].len() == n).then(|| inputs[i].to_vec()),
        };
        let (Some(weight), Some(bias)) = (vector(self.weight, 1.0), vector(self.bias, -0.0)) else { return false };
        let numbers = self.numbers.iter().map(|number| {
            let other = number.other.and_then(|i| inputs[i].first().copied()).unwrap_or_default();
            (number.basic, other, number.is_second)
        });
        let numbers: SmallVec<[(Basic, f32, bool); 4]> = numbers.collect();
        io.pool().for_chunks(out, n, 20.0 + 0.3 * n as f64, |first, out| {
            let mut stream = Stream::to(bytes).filter(|_| taken.is_none());
            let (mut own, mut squares) = (vec![0.0; n], vec![0.0; n]);
            for (row, out) in (first..).zip(out.chunks_exact_mut(n)) {
                let given = |i: usize| if taken == Some(i) { &[][..] } else { &inputs[i][row * n..][..n] };
                let x = match self.x.1 {
                    None if taken.is_none() => given(self.x.0),
                    second => {
                        let of = |i: usize| if taken == Some(i) { &*out } else { given(i) };
                        match second {
                            None => own.copy_from_slice(of(self.x.0)),
                            Some(second) => {
                                let (a, b) = (of(self.x.0), of(second));
                                Arch::new().dispatch(
                                    #[inline(always)]
                                    || own.iter_mut().zip(a).zip(b).for_each(|((own, a), b)| *own = a + b),
                                );
                            }
                        }
                        &own[..]
                    }
                };
                let mean = self.mean.map_or(0.0, |mean| (mean.reduce)(&mut &*x));
                Arch::new().dispatch(Squares { x, mean, out: &mut squares });
                let variance = (self.variance.reduce)(&mut &squares[..]);
                let factor = numbers.iter().fold(variance, |number, &(basic, other, is_second)| match is_second {
                    true => basic.of(other, number),
                    false => basic.of(number, other),
                });
                let ahead = inputs[self.x.0].get((row + 1) * n..).filter(|_| inputs[self.x.0].len() >= FAR);
                let is_direct = stream.is_none() || is_at_line(out);
                let target = if is_direct { &mut *out } else { &mut squares[..] };
                let to = stream.as_mut().filter(|_| is_direct);
                let last = Last {
                    form: self.form,
                    x,
                    mean,
                    factor,
                    weight: &weight,
                    bias: &bias,
                    out: target,
                    stream: to,
                    ahead: ahead.unwrap_or_default(),
                };
                Arch::new().dispatch(last);
                if let (Some(stream), false) = (&mut stream, is_direct) {
                    stream.copy(&squares, out);
                }
            }
        });
        true
    }
}

/// The squares of what differs from the mean.
struct Squares<'a> {
    x: &'a [f32],
    mean: f32,
    out: &'a mut [f32],
}

impl WithSimd for Squares<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Squares { x, mean, out } = self;
        for (out, &x) in out.iter_mut().zip(x) {
            *out = (x - mean) * (x - mean);
        }
    }
}

/// The last pass over a row.
struct Last<'a> {
    form: Form,
    x: &'a [f32],
    mean: f32,
    factor: f32,
    weight: &'a [f32],
    bias: &'a [f32],
    out: &'a mut [f32],
    stream: Option<&'a mut Stream>,
    /// What is read next.
    ahead: &'a [f32],
}

impl WithSimd for Last<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let s = simd;
        let (m, r) = (s.splat_f32s(self.mean), s.splat_f32s(self.factor));
        match self.form {
            Form::Affine => self.each(
                s,
                #[inline(always)]
                |x, w, b| {
                    let factors = s.mul_f32s(r, w);
                    s.add_f32s(s.mul_f32s(x, factors), s.sub_f32s(b, s.mul_f32s(m, factors)))
                },
            ),
            Form::Factor => self.each(
                s,
                #[inline(always)]
                |x, w, b| s.add_f32s(s.mul_f32s(s.mul_f32s(s.sub_f32s(x, m), r), w), b),
            ),
            Form::Factors => self.each(
                s,
                #[inline(always)]
                |x, w, b| s.add_f32s(s.mul_f32s(s.sub_f32s(x, m), s.mul_f32s(r, w)), b),
            ),
            Form::Quotient => self.each(
                s,
                #[inline(always)]
                |x, w, b| s.add_f32s(s.mul_f32s(s.div_f32s(s.sub_f32s(x, m), r), w), b),
            ),
        }
    }
}

impl Last<'_> {
    #[inline(always)]
    fn each<S: Simd>(self, simd: S, f: impl Fn(S::f32s, S::f32s, S::f32s) -> S::f32s) {
        let Last { x, weight, bias, out, mut stream, ahead, .. } = self;
        let lanes = S::F32_LANES;
        let whole = out.len() / lanes * lanes;
        let (xs, _) = S::as_simd_f32s(&x[..whole]);
        let (ws, _) = S::as_simd_f32s(&weight[..whole]);
        let (bs, _) = S::as_simd_f32s(&bias[..whole]);
        let (to, rest) = out.split_at_mut(whole);
        for (i, ((&x, &w), &b)) in xs.iter().zip(ws).zip(bs).enumerate() {
            if !ahead.is_empty() {
                prefetch_later(ahead, i * lanes);
            }
            let to = &mut to[i * lanes..][..lanes];
            let made = [f(x, w, b)];
            match &mut stream {
                Some(stream) => stream.vectors(simd, &made, to),
                None => S::as_mut_simd_f32s(to).0.copy_from_slice(&made),
            }
        }
        if !rest.is_empty() {
            let load = |of: &[f32]| simd.partial_load_f32s(&of[whole..]);
            simd.partial_store_f32s(rest, f(load(x), load(weight), load(bias)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of this many numbers, stored bypassing the caches.
    #[derive(Clone, Copy)]
    struct Streamed(usize, Form);

    impl WithSimd for Streamed {
        type Output = ();

        fn with_simd<S: Simd>(self, simd: S) {
            let Streamed(n, form) = self;
            let numbers = |by: f32| (0..n).map(|i| i as f32 * by - 3.0).collect::<Vec<f32>>();
            let (x, weight, bias) = (numbers(0.25), numbers(0.5), numbers(-0.125));
            let (mut plain, mut streamed) = (vec![0.0; n], vec![0.0; n + 16]);
            let start = streamed.as_ptr().align_offset(64);
            let mut stream = Stream::to(1 << 30);
            for (out, stream) in [(&mut plain[..], None), (&mut streamed[start..][..n], stream.as_mut())] {
                let (x, weight, bias) = (&x, &weight, &bias);
                Last { form, x, mean: 1.5, factor: 0.75, weight, bias, out, stream, ahead: &[] }.with_simd(simd);
            }
            assert_eq!(plain, streamed[start..][..n]);
            let scalar = |x: f32, w: f32, b: f32| match form {
                Form::Affine => x * (0.75 * w) + (b - 1.5 * (0.75 * w)),
                Form::Factor => (x - 1.5) * 0.75 * w + b,
                Form::Factors => (x - 1.5) * (0.75 * w) + b,
                Form::Quotient => (x - 1.5) / 0.75 * w + b,
            };
            let expected: Vec<f32> = (0..n).map(|i| scalar(x[i], weight[i], bias[i])).collect();
            assert_eq!(plain, expected);
        }
    }

    #[test]
    fn large_results_are_those_of_small_ones_with_each_instruction_set() {
        for form in [Form::Affine, Form::Factor, Form::Factors, Form::Quotient] {
            for n in [1, 7, 16, 40, 64, 101] {
                crate::stream::with_each_simd(Streamed(n, form));
            }
        }
    }
}
