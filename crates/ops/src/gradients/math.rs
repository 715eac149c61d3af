//! Elementwise functions.

use super::{Grads, NONE, attr, never, pass};
use levada_graph::DType;
use levada_graph::grad::{GradCx, Rule, V, is_differentiable};
use std::f64::consts::PI;

/// The gradient of a function of one input, from the gradient, the input and the output.
fn one(g: &GradCx, f: impl for<'g> FnOnce(V<'g>, V<'g>, V<'g>) -> V<'g>) -> Grads {
    vec![f(g.dy(0), g.input(0), g.output(0)).into()]
}

/// The gradients of a function of two inputs that are broadcast, from the gradient and the inputs.
fn two(g: &GradCx, f: impl for<'g> FnOnce(V<'g>, V<'g>, V<'g>) -> (V<'g>, V<'g>)) -> Grads {
    let (dx, dy) = f(g.dy(0), g.input(0), g.input(1));
    g.unbroadcast(dx, dy)
}

fn is_complex(dtype: DType) -> bool {
    matches!(dtype, DType::C64 | DType::C128)
}

/// 1 where `x` is not 0, else 0.
fn not_zero(x: V<'_>) -> V<'_> {
    binary("NotEqual", x, x.like(0.0)).cast(x.dtype())
}

fn binary<'g>(op: &str, x: V<'g>, y: V<'g>) -> V<'g> {
    x.cx().op(op, &[x, y])
}

fn complex<'g>(re: V<'g>, im: V<'g>) -> V<'g> {
    let out = if re.dtype() == DType::F64 { DType::C128 } else { DType::C64 };
    re.cx().node("Complex", &[re, im], &[attr("Tout", out)])
}

fn part<'g>(op: &str, z: V<'g>) -> V<'g> {
    let out = if z.dtype() == DType::C128 { DType::F64 } else { DType::F32 };
    z.cx().node(op, &[z], &[attr("Tout", out)])
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "Neg" => |g| one(g, |dy, _, _| -dy),
        "Abs" => |g| one(g, |dy, x, _| dy * x.op("Sign")),
        "Square" => |g| one(g, |dy, x, _| dy * (x.conj() * 2.0)),
        "Sqrt" => |g| one(g, |dy, _, y| binary("SqrtGrad", y, dy)),
        "Rsqrt" => |g| one(g, |dy, _, y| binary("RsqrtGrad", y, dy)),
        "Exp" => |g| one(g, |dy, _, y| dy * y.conj()),
        "Expm1" => |g| one(g, |dy, x, _| dy * x.conj().op("Exp")),
        "Log" => |g| one(g, |dy, x, _| dy * x.conj().op("Reciprocal")),
        "Log1p" => |g| one(g, |dy, x, _| dy * (x.conj() + 1.0).op("Reciprocal")),
        "Tanh" => |g| one(g, |dy, _, y| binary("TanhGrad", y.conj(), dy)),
        "Sigmoid" => |g| one(g, |dy, _, y| binary("SigmoidGrad", y.conj(), dy)),
        "Sinh" => |g| one(g, |dy, x, _| dy * x.conj().op("Cosh")),
        "Cosh" => |g| one(g, |dy, x, _| dy * x.conj().op("Sinh")),
        "Asinh" => |g| one(g, |dy, _, y| dy / y.conj().op("Cosh")),
        "Acosh" => |g| {
            one(g, |dy, x, y| match x.dtype() {
                DType::F16 | DType::BF16 => dy / y.conj().op("Sinh"),
                _ => dy / y.conj().op("Sinh"),
            })
        },
        "Atanh" => |g| one(g, |dy, x, _| dy * (-(x.conj().op("Square")) + 1.0).op("Reciprocal")),
        "Sin" => |g| one(g, |dy, x, _| dy * x.conj().op("Cos")),
        "Cos" => |g| one(g, |dy, x, _| -dy * x.conj().op("Sin")),
        "Tan" => |g| one(g, |dy, x, _| dy * x.conj().op("Cos").op("Reciprocal").op("Square")),
        "Asin" => |g| one(g, |dy, x, _| dy * (-(x.conj().op("Square")) + 1.0).op("Sqrt").op("Reciprocal")),
        "Acos" => |g| one(g, |dy, x, _| -(dy * (-(x.conj().op("Square")) + 1.0).op("Sqrt").op("Reciprocal"))),
        "Atan" => |g| one(g, |dy, x, _| dy * (x.conj().op("Square") + 1.0).op("Reciprocal")),
        "Erf" => |g| one(g, |dy, x, _| dy * ((-x.op("Square")).op("Exp") * (2.0 / PI.sqrt()))),
        "Erfc" => |g| one(g, |dy, x, _| dy * ((-x.op("Square")).op("Exp") * (-2.0 / PI.sqrt()))),
        "Erfinv" => |g| one(g, |dy, _, y| dy * (y.op("Square").op("Exp") * (PI.sqrt() / 2.0))),
        "Ndtri" => |g| one(g, |dy, _, y| dy * ((y.op("Square") * 0.5).op("Exp") * (2.0 * PI).sqrt())),
        "Lgamma" => |g| one(g, |dy, x, _| dy * x.op("Digamma")),
        "Digamma" => |g| one(g, |dy, x, _| dy * binary("Polygamma", x.ones_like(), x)),
        "BesselI0" => |g| one(g, |dy, x, _| dy * x.op("BesselI1")),
        "BesselI0e" => |g| one(g, |dy, x, y| dy * (x.op("BesselI1e") - x.op("Sign") * y)),
        "BesselJ0" => |g| one(g, |dy, x, _| -dy * x.op("BesselJ1")),
        "BesselI1" => |g| one(g, |dy, x, y| dy * unless_zero(x, 1.0, x.op("BesselI0") - y / x)),
        "BesselI1e" => {
            |g| one(g, |dy, x, y| dy * unless_zero(x, 0.5, x.op("BesselI0e") - y * (x.op("Sign") + x.op("Reciprocal"))))
        }
        "BesselJ1" => |g| one(g, |dy, x, y| dy * unless_zero(x, 0.5, x.op("BesselJ0") - y / x)),
        "BesselK1" => |g| one(g, |dy, x, y| dy * (-x.op("BesselK0") - y / x)),
        "BesselK1e" => |g| one(g, |dy, x, y| dy * (y * (-x.op("Reciprocal") + 1.0) - x.op("BesselK0e"))),
        "BesselY1" => |g| one(g, |dy, x, y| dy * (x.op("BesselY0") - y / x)),
        "BesselK0" => |g| one(g, |dy, x, _| -dy * x.op("BesselK1")),
        "BesselK0e" => |g| one(g, |dy, x, y| dy * (y - x.op("BesselK1e"))),
        "BesselY0" => |g| one(g, |dy, x, _| -dy * x.op("BesselY1")),
        "Dawsn" => |g| one(g, |dy, x, y| dy * (-(x * y * 2.0) + 1.0)),
        "Expint" => |g| one(g, |dy, x, _| dy * x.op("Exp") / x),
        "FresnelCos" => |g| one(g, |dy, x, _| dy * (x.op("Square") * (PI / 2.0)).op("Cos")),
        "FresnelSin" => |g| one(g, |dy, x, _| dy * (x.op("Square") * (PI / 2.0)).op("Sin")),
        "Spence" => |g| {
            one(g, |dy, x, _| {
                let inner = x.op("Log") / (-x + 1.0);
                let at_one = binary("Equal", x, x.like(1.0));
                dy * x.cx().op("SelectV2", &[at_one, -x.ones_like(), inner])
            })
        },
        "Inv" | "Reciprocal" => |g| one(g, |dy, _, y| binary("ReciprocalGrad", y, dy)),
        "Sign" => |g| one(g, |dy, _, _| dy.zeros_like()),
        "Floor"
        | "Ceil"
        | "Round"
        | "Rint"
        | "IsNan"
        | "IsInf"
        | "IsFinite"
        | "Equal"
        | "NotEqual"
        | "Less"
        | "LessEqual"
        | "Greater"
        | "GreaterEqual"
        | "ApproximateEqual"
        | "LogicalAnd"
        | "LogicalOr"
        | "LogicalNot"
        | "FloorDiv"
        | "TruncateDiv"
        | "BitwiseAnd"
        | "BitwiseOr"
        | "BitwiseXor"
        | "Invert"
        | "LeftShift"
        | "RightShift"
        | "PopulationCount"
        | "BroadcastGradientArgs"
        | "BroadcastArgs" => never,
        "Real" => |g| one(g, |dy, _, _| complex(dy, dy.like(0.0))),
        "Imag" => |g| one(g, |dy, _, _| complex(dy.like(0.0), dy)),
        "Angle" => |g| {
            one(g, |dy, z, _| {
                let inverse = complex(part("Imag", z), part("Real", z)).op("Reciprocal");
                -(complex(dy, dy.like(0.0)) * inverse)
            })
        },
        "ComplexAbs" => {
            |g| one(g, |dy, z, y| binary("DivNoNan", complex(dy, dy.zeros_like()) * z, complex(y, y.zeros_like())))
        }
        "Complex" => |g| two(g, |dy, _, _| (part("Real", dy), part("Imag", dy))),
        "Conj" => |g| one(g, |dy, _, _| dy.op("Conj")),
        "Add" | "AddV2" => |g| two(g, |dy, _, _| (dy, dy)),
        "Sub" => |g| two(g, |dy, _, _| (dy, -dy)),
        "Mul" => |g| two(g, |dy, x, y| (dy * y.conj(), x.conj() * dy)),
        "MulNoNan" => |g| two(g, |dy, x, y| (binary("MulNoNan", dy, y), binary("MulNoNan", x, dy))),
        "Div" | "RealDiv" => |g| {
            two(g, |dy, x, y| {
                let (x, y) = (x.conj(), y.conj());
                (dy / y, dy * ((-x / y) / y))
            })
        },
        "DivNoNan" => |g| {
            two(g, |dy, x, y| {
                let (x, y) = (x.conj(), y.conj());
                let over = |a, b| binary("DivNoNan", a, b);
                (over(dy, y), dy * over(over(-x, y), y))
            })
        },
        "Pow" => |g| {
            let (x, y, z, dy) = (g.input(0).conj(), g.input(1).conj(), g.output(0).conj(), g.dy(0));
            let dx = dy * y * binary("Pow", x, y - 1.0);
            let test = if is_complex(x.dtype()) { "NotEqual" } else { "Greater" };
            let mask = binary(test, x, x.like(0.0));
            let safe = g.op("SelectV2", &[mask, x, x.ones_like()]);
            g.unbroadcast(dx, dy * z * safe.op("Log").where_true(mask))
        },
        "Maximum" => |g| extremum(g, "GreaterEqual"),
        "Minimum" => |g| extremum(g, "LessEqual"),
        "SquaredDifference" => |g| {
            two(g, |dy, x, y| {
                let dx = (dy * 2.0) * (x - y);
                (dx, -dx)
            })
        },
        "FloorMod" | "Mod" => |g| two(g, |dy, x, y| (dy, dy * -binary("FloorDiv", x, y))),
        "TruncateMod" => |g| two(g, |dy, x, y| (dy, dy * -binary("TruncateDiv", x, y))),
        "Atan2" => |g| {
            two(g, |dy, y, x| {
                let over = dy / (x.op("Square") + y.op("Square"));
                (x * over, -y * over)
            })
        },
        "NextAfter" => |g| two(g, |dy, _, _| (dy, dy.zeros_like())),
        "Xlogy" => |g| two(g, |dy, x, y| (dy * binary("Xlogy", not_zero(x), y), dy * binary("Xdivy", x, y))),
        "Xlog1py" => |g| two(g, |dy, x, y| (dy * binary("Xlog1py", not_zero(x), y), dy * binary("Xdivy", x, y + 1.0))),
        "Xdivy" => {
            |g| two(g, |dy, x, y| (dy * binary("Xdivy", not_zero(x), y), dy * binary("Xdivy", -x, y.op("Square"))))
        }
        "Polygamma" => |g| {
            let (n, x) = (g.input(0), g.input(1));
            let dx = g.dy(0) * binary("Polygamma", n + 1.0, x);
            vec![NONE, g.unbroadcast(dx, dx)[1]]
        },
        "Zeta" => |g| {
            let (x, q) = (g.input(0), g.input(1));
            let dq = g.dy(0) * (-x * binary("Zeta", x + 1.0, q));
            vec![NONE, g.unbroadcast(dq, dq)[1]]
        },
        "Igamma" => |g| {
            two(g, |dy, a, x| {
                let dx = ((-x) + (a - 1.0) * x.op("Log") - a.op("Lgamma")).op("Exp");
                (dy * binary("IgammaGradA", a, x), dy * dx)
            })
        },
        "Igammac" => |g| {
            two(g, |dy, a, x| {
                let dx = ((-x) + (a - 1.0) * x.op("Log") - a.op("Lgamma")).op("Exp");
                (-(dy * binary("IgammaGradA", a, x)), -(dy * dx))
            })
        },
        "Betainc" => |g| {
            let (a, b, x) = (g.input(0), g.input(1), g.input(2));
            // The logarithm, since the factors can be large.
            let beta = a.op("Lgamma") + b.op("Lgamma") - (a + b).op("Lgamma");
            let slope = (binary("Xlog1py", b - 1.0, -x) + binary("Xlogy", a - 1.0, x) - beta).op("Exp");
            vec![NONE, NONE, reduce_to(g, slope * g.dy(0), x).into()]
        },
        "AddN" => |g| (0..g.num_inputs()).map(|_| g.dy(0).into()).collect(),
        "AccumulateNV2" => |g| (0..g.num_inputs()).map(|_| g.dy(0).into()).collect(),
        "Cast" => |g| {
            let (from, to) = (g.input(0).dtype(), g.output(0).dtype());
            if is_differentiable(from) && is_differentiable(to) {
                let dy = g.dy(0);
                let dy = if is_complex(to) && !is_complex(from) { part("Real", dy) } else { dy };
                vec![dy.cast(from).into()]
            } else {
                vec![NONE]
            }
        },
        "Select" => |g| {
            let (c, dy) = (g.input(0), g.dy(0));
            let zeros = g.input(1).zeros_like();
            vec![NONE, g.op("Select", &[c, dy, zeros]).into(), g.op("Select", &[c, zeros, dy]).into()]
        },
        "SelectV2" => |g| {
            let (c, x, y, dy) = (g.input(0), g.input(1), g.input(2), g.dy(0));
            let zeros = dy.zeros_like();
            let part = |taken: V<'_>, of: V<'_>| reduce_to(g, g.value(taken.at), g.value(of.at)).into();
            vec![NONE, part(g.op("SelectV2", &[c, dy, zeros]), x), part(g.op("SelectV2", &[c, zeros, dy]), y)]
        },
        "ClipByValue" => |g| {
            let (x, low, high, dy) = (g.input(0), g.input(1), g.input(2), g.dy(0));
            let (below, above) = (binary("Less", x, low), binary("Greater", x, high));
            let outside = binary("LogicalOr", below, above);
            let dx = g.op("SelectV2", &[outside, dy.zeros_like(), dy]);
            vec![
                reduce_to(g, dx, x).into(),
                reduce_to(g, dy.where_true(below), low).into(),
                reduce_to(g, dy.where_true(above), high).into(),
            ]
        },
        "TanhGrad" => |g| {
            let (y, before, dy) = (g.input(0).conj(), g.input(1).conj(), g.dy(0));
            vec![(dy * -2.0 * before * y).into(), binary("TanhGrad", y, dy).into()]
        },
        "SigmoidGrad" => |g| {
            let (y, before, dy) = (g.input(0).conj(), g.input(1).conj(), g.dy(0));
            let grown = dy * before;
            vec![(grown - (grown * 2.0) * y).into(), binary("SigmoidGrad", y, dy).into()]
        },
        "SqrtGrad" => |g| {
            let over = g.dy(0) / g.input(0);
            vec![(-(over.conj() * g.output(0))).into(), (over * 0.5).into()]
        },
        "RsqrtGrad" => |g| {
            let (a, b, dy) = (g.input(0).conj(), g.input(1), g.dy(0));
            vec![(dy.conj() * -1.5 * b * a.op("Square")).into(), binary("RsqrtGrad", a, dy).into()]
        },
        "InvGrad" | "ReciprocalGrad" => |g| {
            let (a, b, dy) = (g.input(0).conj(), g.input(1), g.dy(0));
            vec![(dy.conj() * -2.0 * b * a).into(), binary("ReciprocalGrad", a, dy).into()]
        },
        "CheckNumerics" | "CheckNumericsV2" => pass,
        _ => return None,
    })
}

/// `slope`, but `limit` where `x` is 0 and the slope is no number.
fn unless_zero<'g>(x: V<'g>, limit: f64, slope: V<'g>) -> V<'g> {
    x.cx().op("SelectV2", &[binary("Equal", x, x.like(0.0)), x.like(limit), slope])
}

/// The larger or smaller of two: the gradient goes to the one that was taken, of equals to the first.
fn extremum(g: &GradCx, test: &str) -> Grads {
    two(g, |dy, x, y| {
        let first = binary(test, x, y);
        (dy.where_true(first), x.cx().op("SelectV2", &[first, dy.zeros_like(), dy]))
    })
}

/// Sums a gradient over the axes along which `x` was broadcast.
pub(super) fn reduce_to<'g>(g: &'g GradCx, dx: V<'g>, x: V<'g>) -> V<'g> {
    let shape = x.shape_value();
    let axes = g.op("BroadcastGradientArgs", &[shape, dx.op("Shape")]);
    dx.sum(axes).reshape(shape)
}
