//! `Svd`: singular values and vectors of matrices.

use super::matrix::{
    Field, MATRIX, Matrices, XLA, converted, decomposed, matrix_dims, pieces, with_dims, with_field, write,
};
use super::nodes::{
    adjoint, adjoint_times, diagonal, differences, is_complex, matrix, part, reciprocal, sizes, times, times_adjoint,
    unable,
};
use crate::prelude::*;
use levada_decompose::Decompose;

attrs! {
    /// Computes the singular value decomposition `u * diagonal(s) * v^H` of matrices, with `s` in descending order.
    pub struct Svd {
        /// If true, the singular vectors are computed as well.
        compute_uv: bool = Attr::bool("compute_uv").or_bool(true),
        /// If true, `u` and `v` are square.
        full_matrices: bool = Attr::bool("full_matrices").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", MATRIX),
    }
}

pub static SVD: Def<Svd> = op::<Svd>("Svd")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("s", of("T")), arg("u", of("T")), arg("v", of("T"))])
    .also(&[form("BatchSvd")
        .doc("Legacy name of `Svd`.")
        .attrs(&[Attr::dtype("T", &[DType::F64, DType::F32, DType::C64, DType::C128])])
        .not_differentiable()])
    .shape(infer)
    .gradient(gradient)
    .kernel(|op, cx| with_field!(op.dtype, |T| svd::<T>(op, cx)))
    .heavy()
    .supports(|op| op.dtype != DType::F16)
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

attrs! {
    /// Computes the singular value decomposition `u * diagonal(s) * v^H` of matrices, with square `u` and `v` and `s`
    /// in descending order.
    pub struct XlaSvd {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// XLA's iteration limit; ignored.
        max_iter: i64 = Attr::int("max_iter"),
        /// XLA's tolerance; ignored.
        epsilon: f32 = Attr::float("epsilon"),
        /// XLA's precision of products; ignored.
        precision: Bytes = Attr::string("precision_config"),
    }
}

impl XlaSvd {
    /// The equivalent `Svd`, without the attrs that are ignored.
    fn plain(&self) -> Svd {
        Svd { compute_uv: true, full_matrices: true, dtype: self.dtype }
    }
}

pub static XLA_SVD: Def<XlaSvd> = op::<XlaSvd>("XlaSvd")
    .inputs(&[arg("a", of("T"))])
    .outputs(&[arg("s", of("T")), arg("u", of("T")), arg("v", of("T"))])
    .shape(|op, cx| infer(&op.plain(), cx))
    .kernel(|op, cx| with_field!(op.dtype, |T| svd::<T>(&op.plain(), cx)))
    .heavy()
    .supports(|op| XLA.contains(&op.dtype))
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

fn infer(op: &Svd, cx: &mut ShapeCx<'_>) -> Result<()> {
    let Some((batch, m, n)) = matrix_dims(cx, 0)? else { return Ok(()) };
    let least = m.zip(n).map(|(m, n)| m.min(n));
    cx.output(0, with_dims(&batch, &[least]));
    for (i, rows) in [(1, m), (2, n)] {
        match op.compute_uv {
            true => cx.output(i, with_dims(&batch, &[rows, if op.full_matrices { rows } else { least }])),
            false => cx.output_vector(i, Some(0)),
        }
    }
    Ok(())
}

fn gradient(op: &Svd, g: &GradCx) -> Grads {
    let (a, ds) = (g.input(0), matrix(g.dy(0)));
    if !op.compute_uv {
        let all = SVD.node(g, &Svd { compute_uv: true, full_matrices: false, dtype: op.dtype }, &[a]);
        return vec![times(all.out(1), times_adjoint(ds, all.out(2))).into()];
    }
    let Some((mut m, mut n)) = sizes(a) else { return unable(g, "of matrices of unknown sizes") };
    let full = op.full_matrices;
    if full && m.abs_diff(n) > 1 {
        return unable(g, "with full_matrices of matrices whose sizes differ by more than one");
    }
    let (s, mut u, mut v, mut du, mut dv) = (g.output(0), g.output(1), g.output(2), g.dy(1), g.dy(2));
    let deep = m > n;
    if deep {
        // Computes the gradient of the conjugate transpose.
        std::mem::swap(&mut m, &mut n);
        std::mem::swap(&mut u, &mut v);
        std::mem::swap(&mut du, &mut dv);
    }
    let singular = matrix(s);
    let f = differences(g, s * s);
    let first = Some(m as i32);
    let (v1, dv1) = if full { (part(v, -1, None, first), part(dv, -1, None, first)) } else { (v, dv) };
    let (udu, vdv) = (adjoint_times(u, du), adjoint_times(v1, dv1));
    let (fu, fv) = (f * udu, f * vdv);
    let inner = ds + times(fu + adjoint(fu), singular) + times(singular, fv + adjoint(fv));
    let mut da = times(u, times_adjoint(inner, v1));
    let inverse = matrix(reciprocal(s));
    if m != n {
        let mut outside = adjoint(dv1) - times_adjoint(adjoint_times(dv1, v1), v1);
        if full {
            let (v2, dv2) = (part(v, -1, first, None), part(dv, -1, first, None));
            outside = outside - times_adjoint(adjoint_times(v1, dv2), v2);
        }
        da = da + times(times(u, inverse), outside);
    }
    if is_complex(a) {
        let l = matrix(diagonal(vdv));
        let turned = times(inverse, adjoint(l) - l);
        da = da + times(u, times_adjoint(turned, v1)) * 0.5;
    }
    vec![if deep { adjoint(da) } else { da }.into()]
}

fn svd<T: Field<Double: Decompose>>(op: &Svd, cx: &mut Cx<'_, '_>) -> Result<()> {
    let vectors = op.compute_uv.then_some(op.full_matrices);
    let all = Matrices::of(cx, 0)?;
    let (m, n) = (all.rows, all.cols);
    let least = m.min(n);
    let (wide, tall) = if vectors == Some(true) { (m, n) } else { (least, least) };
    let shapes = match vectors {
        Some(_) => [all.shape(&[m, wide])?, all.shape(&[n, tall])?],
        None => [Shape::vector(0), Shape::vector(0)],
    };
    let mut outs =
        [cx.alloc(op.dtype, &all.shape(&[least])?)?, cx.alloc(op.dtype, &shapes[0])?, cx.alloc(op.dtype, &shapes[1])?];
    let [s, u, v] = &mut outs;
    let (s, u, v) = (s.slice_mut::<T>()?, u.slice_mut::<T>()?, v.slice_mut::<T>()?);
    let (s, u, v) = (pieces(s, all.count), pieces(u, all.count), pieces(v, all.count));
    let from = cx.slice::<T>(0)?;
    all.each(cx.pool(), all.cubic() * 20.0, &|i, _| {
        let from = all.matrix(from, i);
        let (mut s, mut u, mut v) = (s[i].lock(), u[i].lock(), v[i].lock());
        if from.is_empty() {
            for (out, n) in [(&mut u, m), (&mut v, n)] {
                out.fill(T::zero());
                out.iter_mut().step_by(n + 1).for_each(|v| *v = T::one());
            }
            return Ok(());
        }
        let found = match from.iter().all(|v| v.finite()) {
            true => {
                let wide = converted::<T, T::Double>(from)?;
                decomposed(|| T::Double::svd(&wide, m, n, vectors))
            }
            false => None,
        };
        let Some(found) = found else {
            [&mut s, &mut u, &mut v].into_iter().for_each(|out| out.fill(T::of(f64::NAN, 0.0)));
            return Ok(());
        };
        s.iter_mut().zip(&found.values).for_each(|(s, &value)| *s = T::of(value, 0.0));
        write(&found.left, &mut u);
        write(&found.right, &mut v);
        Ok(())
    })?;
    outs.into_iter().enumerate().for_each(|(i, out)| cx.set(i, out));
    Ok(())
}
