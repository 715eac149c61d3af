//! Keeps the fetched values of a run's steps until they are written: the first 64 MiB in memory, the rest in a file
//! beside the output file.

use crate::output;
use levada::graph::Bytes;
use levada::{DType, Error, Result, Shape, Tensor};
use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes kept in memory.
const MEMORY: usize = 64 << 20;

/// A summary of the tensors of one name.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Their dtype.
    pub dtype: DType,
    /// Shape of the first.
    pub shape: Shape,
    /// True if all have this shape.
    pub uniform: bool,
    /// Bytes of the longest string.
    pub width: usize,
    /// Maximum number of elements in a row.
    pub columns: usize,
}

/// The tensors of the steps, in order.
pub struct Spool {
    /// Number of tensors per step.
    per_step: usize,
    steps: u64,
    summaries: Vec<Summary>,
    memory: Vec<u8>,
    place: PathBuf,
    file: Option<File>,
}

impl Spool {
    /// For steps of `per_step` tensors each, which will be written to `path`.
    pub fn new(path: &Path, per_step: usize) -> Spool {
        let mut place = output::temporary(path).into_os_string();
        place.push(".steps");
        Spool { per_step, steps: 0, summaries: Vec::new(), memory: Vec::new(), place: place.into(), file: None }
    }

    /// Number of steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Summaries of the tensors of each name; empty before the first step.
    pub fn summaries(&self) -> &[Summary] {
        &self.summaries
    }

    /// Adds a step.
    ///
    /// # Errors
    /// If the spool file cannot be written.
    pub fn push(&mut self, tensors: &[Tensor]) -> Result<()> {
        for (i, tensor) in tensors.iter().enumerate() {
            self.note(i, tensor);
            encode(tensor, &mut self.memory);
        }
        self.steps += 1;
        if self.memory.len() > MEMORY { self.spill() } else { Ok(()) }
    }

    fn note(&mut self, i: usize, tensor: &Tensor) {
        let (shape, width) = (tensor.shape(), crate::npy::string_width(tensor));
        let columns = shape.iter().skip(1).product();
        match self.summaries.get_mut(i) {
            Some(known) => {
                known.uniform &= known.shape == *shape && known.dtype == tensor.dtype();
                known.width = known.width.max(width);
                known.columns = known.columns.max(columns);
            }
            None => {
                let (dtype, shape) = (tensor.dtype(), shape.clone());
                self.summaries.push(Summary { dtype, shape, uniform: true, width, columns });
            }
        }
    }

    fn spill(&mut self) -> Result<()> {
        let failed = |e: io::Error| output::unwritten(&self.place, &e);
        if self.file.is_none() {
            let options = File::options().read(true).write(true).create(true).truncate(true).open(&self.place);
            self.file = Some(options.map_err(failed)?);
        }
        if let Some(file) = &mut self.file {
            file.write_all(&self.memory).map_err(failed)?;
        }
        self.memory.clear();
        Ok(())
    }

    /// Reads all steps: calls `step` for each, in order, with its tensors, or only with tensor `wanted`.
    ///
    /// # Errors
    /// The errors of `step`, and if the spool file cannot be read.
    pub fn each(&mut self, wanted: Option<usize>, mut step: impl FnMut(u64, &[Tensor]) -> Result<()>) -> Result<()> {
        if self.file.is_some() {
            self.spill()?;
        }
        let place = &self.place;
        let failed = |e: io::Error| output::unwritten(place, &e);
        let mut file;
        let mut memory;
        let source: &mut dyn Source = match &mut self.file {
            Some(open) => {
                open.seek(SeekFrom::Start(0)).map_err(failed)?;
                file = BufReader::with_capacity(1 << 18, open);
                &mut file
            }
            None => {
                memory = Cursor::new(&self.memory);
                &mut memory
            }
        };
        let mut tensors = Vec::with_capacity(self.per_step);
        for number in 0..self.steps {
            tensors.clear();
            for i in 0..self.per_step {
                let dtype = self.summaries[i].dtype;
                if wanted.is_none_or(|w| w == i) {
                    tensors.push(decode(dtype, source).map_err(failed)??);
                } else {
                    skip(source).map_err(failed)?;
                }
            }
            step(number + 1, &tensors)?;
        }
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::End(0)).map_err(|e| output::unwritten(&self.place, &e))?;
        }
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = fs::remove_file(&self.place);
        }
    }
}

trait Source: Read + Seek {}
impl<S: Read + Seek> Source for S {}

/// Appends rank, sizes, number of bytes and bytes; for strings the length and bytes of each.
fn encode(tensor: &Tensor, out: &mut Vec<u8>) {
    out.extend((tensor.shape().rank() as u64).to_le_bytes());
    tensor.shape().iter().for_each(|&d| out.extend((d as u64).to_le_bytes()));
    let start = out.len();
    out.extend([0; 8]);
    match tensor.bytes() {
        Some(bytes) => out.extend_from_slice(bytes),
        None => {
            for string in tensor.slice::<Bytes>().unwrap_or_default() {
                out.extend((string.len() as u64).to_le_bytes());
                out.extend_from_slice(string);
            }
        }
    }
    let length = (out.len() - start - 8) as u64;
    out[start..start + 8].copy_from_slice(&length.to_le_bytes());
}

fn number(from: &mut dyn Source) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn dims(from: &mut dyn Source) -> io::Result<Vec<usize>> {
    (0..number(from)?).map(|_| Ok(number(from)? as usize)).collect()
}

fn skip(from: &mut dyn Source) -> io::Result<()> {
    dims(from)?;
    let length = number(from)?;
    from.seek_relative(length as i64)
}

fn decode(dtype: DType, from: &mut dyn Source) -> io::Result<Result<Tensor>> {
    let dims = dims(from)?;
    let mut bytes = vec![0; number(from)? as usize];
    from.read_exact(&mut bytes)?;
    Ok(Shape::new(dims).and_then(|shape| match dtype {
        DType::Str => {
            let mut rest = &bytes[..];
            let strings = (0..shape.num_elements()).map(|_| {
                let (length, after) = rest.split_first_chunk::<8>()?;
                let (string, after) = after.split_at_checked(u64::from_le_bytes(*length) as usize)?;
                rest = after;
                Some(Bytes::copy_from_slice(string))
            });
            let strings: Option<Vec<Bytes>> = strings.collect();
            Tensor::from_vec(shape, strings.ok_or_else(|| Error::internal("kept strings cannot be read"))?)
        }
        _ => Tensor::from_bytes(dtype, shape, &bytes),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_back_as_they_were() {
        let place = std::env::temp_dir().join(format!("levada-spool-{}.npz", std::process::id()));
        let steps = [
            [Tensor::vector(vec![1f32, 2.0]), Tensor::string("a")],
            [Tensor::vector(vec![3f32]), Tensor::vector(vec![Bytes::new(), Bytes::from_static(b"long")])],
        ];
        for spilled in [false, true] {
            let mut spool = Spool::new(&place, 2);
            for step in &steps {
                spool.push(step).unwrap();
                if spilled {
                    spool.spill().unwrap();
                }
            }
            let mut seen = Vec::new();
            spool
                .each(None, |_, tensors| {
                    seen.push(tensors.to_vec());
                    Ok(())
                })
                .unwrap();
            assert!(seen.iter().zip(&steps).all(|(a, b)| a == b) && seen.len() == 2);
            let mut strings = Vec::new();
            spool
                .each(Some(1), |n, tensors| {
                    strings.push((n, tensors.to_vec()));
                    Ok(())
                })
                .unwrap();
            assert_eq!(strings[1], (2, vec![steps[1][1].clone()]));
            assert_eq!((spool.summaries()[0].uniform, spool.summaries()[1].width), (false, 4));
            let file = spool.place.clone();
            assert_eq!(file.exists(), spilled);
            drop(spool);
            assert!(!file.exists());
        }
    }
}
