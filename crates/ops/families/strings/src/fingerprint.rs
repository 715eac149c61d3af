//! `Fingerprint`: an eight-byte hash of each row of a tensor.

use crate::hash::fingerprint;
use crate::prelude::*;

attrs! {
    /// Returns the fingerprint of the bytes of each row, along the first axis. For rows of several strings it is the
    /// fingerprint of their fingerprints.
    pub struct Fingerprint {
        /// Element type of `data`.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

/// Number of bytes of a fingerprint.
const BYTES: usize = 8;

pub static FINGERPRINT: Def<Fingerprint> = op("Fingerprint")
    .inputs(&[arg("data", of("T")), arg("method", is(DType::Str))])
    .outputs(&[arg("fingerprint", is(DType::U8))])
    .shape(|_, cx| {
        let data = cx.rank_at_least(0, 1)?;
        cx.with_rank(1, 0)?;
        cx.output(0, PartialShape::new([data.dim(0), Some(BYTES)]));
        Ok(())
    })
    .kernel(fingerprints)
    .heavy()
    .supports(|op| op.dtype.is_plain() || op.dtype == DType::Str);

fn fingerprints(_: &Fingerprint, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (data, method) = (cx.input(0)?, cx.input(1)?);
    if !method.shape().is_scalar() {
        return Err(Error::invalid(format!("`method` should be a scalar string: {}", method.shape())));
    }
    let method = method.item::<Bytes>()?;
    if &method[..] != b"farmhash64" {
        return Err(Error::invalid("Unsupported fingerprint method").found(String::from_utf8_lossy(&method)));
    }
    let Some(&rows) = data.shape().first() else {
        return Err(Error::invalid("`data` should have at least one dimension").found("a scalar"));
    };
    cx.produce::<u8>(0, &Shape::new([rows, BYTES])?, |cx, out| {
        let data = cx.input(0)?;
        let columns = data.num_elements().checked_div(rows).unwrap_or(0);
        let rows = out.chunks_exact_mut(BYTES).enumerate();
        if let Some(bytes) = data.bytes() {
            let width = columns * data.dtype().size();
            rows.for_each(|(i, out)| {
                out.copy_from_slice(&fingerprint(&bytes[i * width..(i + 1) * width]).to_le_bytes())
            });
            return Ok(());
        }
        let strings = data.slice::<Bytes>()?;
        for (i, out) in rows {
            let found = match &strings[i * columns..(i + 1) * columns] {
                [string] => fingerprint(string),
                strings => {
                    let each: Vec<u8> = strings.iter().flat_map(|s| fingerprint(s).to_le_bytes()).collect();
                    fingerprint(&each)
                }
            };
            out.copy_from_slice(&found.to_le_bytes());
        }
        Ok(())
    })
}
