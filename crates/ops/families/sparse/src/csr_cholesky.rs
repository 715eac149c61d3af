//! `SparseMatrixSparseCholesky` and `SparseMatrixOrderingAMD`: sparse Cholesky factorization of CSR matrices.

use crate::csr::OfCsr;
use crate::matrices::{Csr, handle, matrix, narrow};
use crate::prelude::*;
use std::collections::{BTreeSet, HashMap};

attrs! {
    /// Computes a fill-reducing ordering of a symmetric CSR matrix, or of each matrix of a batch, by minimum degree:
    /// each step eliminates a row with the fewest neighbors.
    pub struct SparseMatrixOrderingAmd {}
}

pub static SPARSE_MATRIX_ORDERING_AMD: Def<SparseMatrixOrderingAmd> = op("SparseMatrixOrderingAMD")
    .inputs(&[arg("input", is(DType::Variant))])
    .outputs(&[arg("output", is(DType::I32))])
    .kernel(|_, cx| {
        let csr = matrix(cx, 0, None)?;
        let n = square(csr)?;
        let shape = Shape::new(csr.shape[..csr.shape.rank() - 1].iter().copied())?;
        let orders = (0..csr.batch()).map(|batch| order(cx, csr, batch, n)).collect::<Result<Vec<_>>>()?;
        cx.set(0, Tensor::from_vec(shape, orders.concat())?);
        Ok(())
    })
    .heavy();

/// Returns the size of a matrix that must be square.
fn square(csr: &Csr) -> Result<usize> {
    match csr.size() {
        (rows, columns) if rows == columns => Ok(rows),
        _ => Err(Error::invalid("sparse matrix must be square").found(format!("shape {}", csr.shape))),
    }
}

fn order(cx: &Cx<'_, '_>, csr: &Csr, batch: usize, n: usize) -> Result<Vec<i32>> {
    // A neighbor set and an index in the order per row, no matter how few elements there are.
    cx.device.arena.check(n.saturating_mul(64).saturating_add(csr.count() * 64))?;
    let mut neighbours: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); n];
    for row in 0..n {
        for &column in &csr.columns[csr.row(batch, row)] {
            if column as usize != row {
                neighbours[row].insert(column as u32);
                neighbours[column as usize].insert(row as u32);
            }
        }
    }
    let mut next: BTreeSet<(usize, u32)> = (0..n).map(|row| (neighbours[row].len(), row as u32)).collect();
    let mut order = Vec::with_capacity(n);
    while let Some((_, row)) = next.pop_first() {
        order.push(row as i32);
        if order.len() % 256 == 0 {
            cx.step().check()?;
        }
        // The neighbors of an eliminated row become neighbors of each other.
        let around: Vec<u32> = std::mem::take(&mut neighbours[row as usize]).into_iter().collect();
        for &one in &around {
            let own = &mut neighbours[one as usize];
            next.remove(&(own.len(), one));
            own.remove(&row);
            own.extend(around.iter().filter(|other| **other != one));
            next.insert((own.len(), one));
        }
    }
    Ok(order)
}

pub static SPARSE_MATRIX_SPARSE_CHOLESKY: Def<OfCsr> = op::<OfCsr>("SparseMatrixSparseCholesky")
    .doc(
        "Computes the lower triangular Cholesky factor of a positive definite CSR matrix with its rows and columns \
        permuted by `permutation`, or of each matrix of a batch.",
    )
    .inputs(&[arg("input", is(DType::Variant)), arg("permutation", is(DType::I32))])
    .outputs(&[arg("output", is(DType::Variant))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(|op, cx| {
        let csr = matrix(cx, 0, Some(op.dtype))?;
        let (n, batch) = (square(csr)?, csr.batch());
        let permutation = cx.input(1)?;
        let dims = &csr.shape[..csr.shape.rank() - 1];
        if permutation.shape().dims() != dims {
            return Err(Error::invalid("permutation must have one element per row")
                .expected(format!("shape {dims:?}"))
                .found(format!("shape {}", permutation.shape())));
        }
        // Rows, intermediate rows and the elimination tree, for one matrix at a time.
        cx.device.arena.check(n.saturating_mul(160).saturating_add(csr.count() * 64))?;
        let values = csr.wide()?;
        let (mut counts, mut columns, mut factors) = (Vec::new(), Vec::new(), Vec::new());
        for batch in 0..batch {
            let order = &permutation.slice::<i32>()?[batch * n..(batch + 1) * n];
            let rows = permuted(csr, &values, batch, order)?;
            for row in cholesky(cx, &rows)? {
                counts.push(row.len());
                columns.extend(row.iter().map(|entry| entry.0 as i32));
                factors.extend(row.into_iter().map(|entry| entry.1));
            }
        }
        let out = Csr::of_rows(csr.shape.clone(), &counts, columns, factors.clone())?;
        let out = out.with_values(narrow(op.dtype, &factors)?);
        cx.set(0, handle(out));
        Ok(())
    })
    .heavy();

/// The elements of a row, by column.
type Row = Vec<(usize, Complex64)>;

/// Returns the lower triangle of the matrix permuted so that its row and column `i` are row and column `order[i]` of
/// `csr`.
fn permuted(csr: &Csr, values: &[Complex64], batch: usize, order: &[i32]) -> Result<Vec<Row>> {
    let n = order.len();
    let mut place = vec![usize::MAX; n];
    for (to, &from) in order.iter().enumerate() {
        let place =
            usize::try_from(from).ok().and_then(|from| place.get_mut(from)).filter(|place| **place == usize::MAX);
        *place.ok_or_else(|| {
            Error::invalid("permutation must contain each row exactly once")
                .expected(format!("numbers below {n}"))
                .found(from)
        })? = to;
    }
    let rows = order.iter().enumerate().map(|(to, &from)| {
        let own = csr.row(batch, from as usize);
        let mut row: Row =
            own.map(|at| (place[csr.columns[at] as usize], values[at])).filter(|entry| entry.0 <= to).collect();
        row.sort_by_key(|entry| entry.0);
        row
    });
    Ok(rows.collect())
}

/// Returns the rows of the lower triangular factor, given the rows of the lower triangle of the matrix.
fn cholesky(cx: &Cx<'_, '_>, rows: &[Row]) -> Result<Vec<Row>> {
    let n = rows.len();
    // The elimination tree: the parent of a row is the first later row that depends on it.
    let mut parent = vec![usize::MAX; n];
    let mut met = vec![usize::MAX; n];
    // The columns of the factor, without the diagonal.
    let mut below: Vec<Row> = vec![Vec::new(); n];
    let mut diagonal = vec![0.0; n];
    let mut out = Vec::with_capacity(n);
    for (k, row) in rows.iter().enumerate() {
        if k % 256 == 0 {
            cx.step().check()?;
        }
        // The columns of the factor's row: all ancestors of those of the matrix row.
        met[k] = k;
        let mut pattern = Vec::new();
        for &(column, _) in row {
            let mut at = column;
            while met[at] != k {
                met[at] = k;
                pattern.push(at);
                if parent[at] == usize::MAX {
                    parent[at] = k;
                    break;
                }
                at = parent[at];
            }
        }
        pattern.sort_unstable();
        let mut left: HashMap<usize, Complex64> = HashMap::with_capacity(row.len());
        for &(column, value) in row {
            *left.entry(column).or_default() += value;
        }
        let mut square = left.remove(&k).unwrap_or_default().re;
        let mut factor: Row = Vec::with_capacity(pattern.len() + 1);
        for i in pattern {
            let value = left.remove(&i).unwrap_or_default() / diagonal[i];
            for &(p, other) in &below[i] {
                *left.entry(p).or_default() -= value * other.conj();
            }
            square -= value.norm_sqr();
            below[i].push((k, value));
            factor.push((i, value));
        }
        if square.is_nan() || square <= 0.0 {
            return Err(Error::invalid("Sparse Cholesky factorization failed: the matrix is not positive definite"));
        }
        diagonal[k] = square.sqrt();
        factor.push((k, Complex64::new(diagonal[k], 0.0)));
        out.push(factor);
    }
    Ok(out)
}
