//! NumPy's `.npy` arrays and `.npz` archives of them. Pickled objects are refused, never executed.

use levada::{DType, Error, Result, Shape, Tensor};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::io::{Cursor, Read, Write};
use zip::write::{SimpleFileOptions, StreamWriter};

const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads an array.
///
/// # Errors
/// `INVALID_ARGUMENT` if these are not the bytes of a `.npy` file, or its dtype has no counterpart.
pub fn read(bytes: &[u8]) -> Result<Tensor> {
    let (header, data) = split(bytes)?;
    let header = Header::parse(header)?;
    let shape = Shape::new(header.shape.iter().copied())?;
    let stored = if header.fortran { Shape::new(header.shape.iter().rev().copied())? } else { shape };
    let tensor = header.descr.tensor(stored, data)?;
    if header.fortran { transposed(&tensor) } else { Ok(tensor) }
}

/// Writes an array.
///
/// # Errors
/// `UNIMPLEMENTED` for resources and variants, which have no bytes.
pub fn write(tensor: &Tensor) -> Result<Vec<u8>> {
    let width = string_width(tensor);
    Ok([&header(tensor.dtype(), tensor.shape(), width)?[..], &data(tensor, width)].concat())
}

/// Reads what comes before the elements of an array: their dtype, and the shape.
///
/// # Errors
/// As [`read`].
pub fn read_header(from: &mut impl Read) -> Result<(DType, Shape)> {
    // A header is no longer than what its length, of two bytes or four, says; what is there is read, and no more.
    let mut bytes = Vec::new();
    let early = |e: std::io::Error| Error::data_loss(format!("the header of an array cannot be read: {e}"));
    from.by_ref().take(12).read_to_end(&mut bytes).map_err(early)?;
    let length = match bytes.get(MAGIC.len()..) {
        Some([1, _, a, b, ..]) => u64::from(u16::from_le_bytes([*a, *b])),
        Some([_, _, a, b, c, d]) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        _ => 0,
    };
    from.take(length).read_to_end(&mut bytes).map_err(early)?;
    let header = Header::parse(split(&bytes)?.0)?;
    let dtype = match header.descr.kind {
        Kind::Plain(dtype) => dtype,
        Kind::Bytes(_) | Kind::Unicode(_) => DType::Str,
    };
    Ok((dtype, Shape::new(header.shape)?))
}

/// Bytes of the longest string of a tensor, at least 1.
pub fn string_width(tensor: &Tensor) -> usize {
    let strings = tensor.slice::<levada::graph::Bytes>().unwrap_or_default();
    strings.iter().map(|s| s.len()).max().unwrap_or(0).max(1)
}

/// What comes before the elements of an array; strings take `width` bytes each.
///
/// # Errors
/// As [`write`].
pub fn header(dtype: DType, dims: &[usize], width: usize) -> Result<Vec<u8>> {
    let descr = match dtype {
        DType::Str => format!("|S{width}"),
        _ if dtype.is_quantized() => descr(dtype.storage())?,
        _ => descr(dtype)?,
    };
    let dims: String = dims.iter().map(|d| format!("{d},")).collect();
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({dims}), }}");
    let unpadded = MAGIC.len() + 4 + header.len() + 1;
    header.extend(std::iter::repeat_n(' ', unpadded.next_multiple_of(64) - unpadded));
    header.push('\n');
    let length = u16::try_from(header.len()).map_err(|_| Error::invalid("too many axes for a .npy file"))?;
    Ok([MAGIC, &[1, 0], &length.to_le_bytes(), header.as_bytes()].concat())
}

/// The elements of an array; strings in `width` bytes each.
pub fn data(tensor: &Tensor, width: usize) -> Cow<'_, [u8]> {
    if let Some(bytes) = tensor.bytes() {
        return Cow::Borrowed(bytes);
    }
    let strings = tensor.slice::<levada::graph::Bytes>().unwrap_or_default();
    let mut data = Vec::with_capacity(width * strings.len());
    for s in strings {
        data.extend_from_slice(s);
        data.resize(data.len() + width - s.len(), 0);
    }
    Cow::Owned(data)
}

/// Reads one array of an archive; without a key the only one.
///
/// # Errors
/// `NOT_FOUND` if it is not there, and as [`read`].
pub fn read_npz(bytes: &[u8], key: Option<&str>) -> Result<Tensor> {
    let broken = |e: zip::result::ZipError| Error::invalid(format!("not an .npz file: {e}"));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let files: BTreeMap<String, usize> = (0..archive.len())
        .filter_map(|i| archive.name_for_index(i)?.ok().map(|n| (n.strip_suffix(".npy").unwrap_or(&n).to_owned(), i)))
        .collect();
    let names = || files.keys().cloned().collect::<Vec<_>>().join(", ");
    let index = match key {
        Some(key) => *files.get(key).ok_or_else(|| {
            Error::not_found(format!("the archive has no array {key:?}")).expected(format!("one of: {}", names()))
        })?,
        None if files.len() == 1 => 0,
        None => {
            return Err(Error::invalid(format!("the archive has {} arrays", files.len()))
                .expected("a key: @FILE.npz:KEY")
                .found(format!("the keys {}", names())));
        }
    };
    let mut bytes = Vec::new();
    archive.by_index(index).map_err(broken)?.read_to_end(&mut bytes).map_err(|e| broken(e.into()))?;
    read(&bytes)
}

/// Writes an archive. Of several arrays of one name the first is kept.
///
/// # Errors
/// As [`write`].
pub fn write_npz(arrays: &[(String, Tensor)]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut archive = Archive::new(&mut bytes);
    for (name, tensor) in arrays {
        archive.array(name, tensor)?;
    }
    archive.finish()?;
    Ok(bytes)
}

/// An archive that is being written.
pub struct Archive<W: Write> {
    zip: zip::ZipWriter<StreamWriter<W>>,
    names: HashSet<String>,
}

impl<W: Write> Archive<W> {
    /// An empty one.
    pub fn new(out: W) -> Archive<W> {
        Archive { zip: zip::ZipWriter::new_stream(out), names: HashSet::new() }
    }

    /// Starts an array: what is written next are its header and its elements. False if it has one of this name.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn start(&mut self, name: &str) -> Result<bool> {
        if !self.names.insert(name.to_owned()) {
            return Ok(false);
        }
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored).large_file(true);
        self.zip.start_file(format!("{name}.npy"), options).map_err(|e| unwritten(&e.into()))?;
        Ok(true)
    }

    /// Writes a part of the array that was started.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn part(&mut self, bytes: &[u8]) -> Result<()> {
        self.zip.write_all(bytes).map_err(|e| unwritten(&e))
    }

    /// Writes a whole array, where there is none of this name.
    ///
    /// # Errors
    /// As [`write`], and where it cannot be written.
    pub fn array(&mut self, name: &str, tensor: &Tensor) -> Result<()> {
        let width = string_width(tensor);
        let header = header(tensor.dtype(), tensor.shape(), width)?;
        if self.start(name)? {
            self.part(&header)?;
            self.part(&data(tensor, width))?;
        }
        Ok(())
    }

    /// Writes the list of the arrays.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn finish(self) -> Result<()> {
        self.zip.finish().map(drop).map_err(|e| unwritten(&e.into()))
    }
}

fn unwritten(error: &std::io::Error) -> Error {
    Error::new(crate::output::code(error), format!("the file cannot be written: {error}"))
}

/// Header text and data.
fn split(bytes: &[u8]) -> Result<(&str, &[u8])> {
    let not_npy = || Error::invalid("not a .npy file").help("numpy.save writes such files");
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(not_npy)?;
    let (length, rest) = match rest {
        [1, _, a, b, rest @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return Err(not_npy()),
    };
    let (header, data) = rest.split_at_checked(length).ok_or_else(|| Error::invalid("the .npy file ends early"))?;
    Ok((std::str::from_utf8(header).map_err(|_| not_npy())?, data))
}

/// What a header says.
struct Header {
    descr: Descr,
    fortran: bool,
    shape: Vec<usize>,
}

impl Header {
    /// Reads the Python dictionary `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
    fn parse(text: &str) -> Result<Header> {
        let wrong = || Error::invalid("the .npy header cannot be read").found(text.trim());
        let value = |key: &str| -> Option<&str> {
            let after = [format!("'{key}'"), format!("\"{key}\"")].iter().find_map(|k| text.split_once(k.as_str()))?.1;
            Some(after.trim_start().strip_prefix(':')?.trim_start())
        };
        let descr = value("descr").ok_or_else(wrong)?;
        if descr.starts_with('[') {
            return Err(Error::unimplemented("arrays of records cannot be fed").help("feed their fields one by one"));
        }
        let quote = descr.chars().next().filter(|c| matches!(c, '\'' | '"')).ok_or_else(wrong)?;
        let descr = descr[1..].split_once(quote).ok_or_else(wrong)?.0;
        let fortran = match value("fortran_order").ok_or_else(wrong)? {
            v if v.starts_with("True") => true,
            v if v.starts_with("False") => false,
            _ => return Err(wrong()),
        };
        let dims = value("shape").and_then(|v| v.strip_prefix('(')?.split_once(')')).ok_or_else(wrong)?.0;
        let dims = dims.split(',').map(str::trim).filter(|d| !d.is_empty());
        let shape = dims.map(|d| d.trim_end_matches('L').parse().map_err(|_| wrong())).collect::<Result<_>>()?;
        Ok(Header { descr: Descr::parse(descr)?, fortran, shape })
    }
}

/// An element type as NumPy writes it: byte order, kind, size.
struct Descr {
    swapped: bool,
    kind: Kind,
}

enum Kind {
    Plain(DType),
    /// Byte strings of this many bytes, padded with zeros.
    Bytes(usize),
    /// Unicode strings of this many 4-byte code points, padded with zeros.
    Unicode(usize),
}

impl Descr {
    fn parse(text: &str) -> Result<Descr> {
        let unknown = || Error::unimplemented(format!("arrays of NumPy dtype {text:?} cannot be fed"));
        let swapped = match text.chars().next() {
            Some('>') => cfg!(target_endian = "little"),
            Some('<') => cfg!(target_endian = "big"),
            _ => false,
        };
        let code = text.trim_start_matches(['<', '>', '|', '=']);
        let width = |digits: &str| digits.parse::<usize>().map_err(|_| unknown());
        let kind = match code {
            "b1" | "?" => Kind::Plain(DType::Bool),
            "i1" => Kind::Plain(DType::I8),
            "i2" => Kind::Plain(DType::I16),
            "i4" => Kind::Plain(DType::I32),
            "i8" => Kind::Plain(DType::I64),
            "u1" => Kind::Plain(DType::U8),
            "u2" => Kind::Plain(DType::U16),
            "u4" => Kind::Plain(DType::U32),
            "u8" => Kind::Plain(DType::U64),
            "f2" => Kind::Plain(DType::F16),
            "f4" => Kind::Plain(DType::F32),
            "f8" => Kind::Plain(DType::F64),
            "c8" => Kind::Plain(DType::C64),
            "c16" => Kind::Plain(DType::C128),
            // What numpy.save makes of a bfloat16 array.
            "V2" => Kind::Plain(DType::BF16),
            _ if code.starts_with(['S', 'a']) => Kind::Bytes(width(&code[1..])?),
            _ if code.starts_with('U') => Kind::Unicode(width(&code[1..])?),
            _ if code.starts_with('O') => {
                return Err(unknown().help("save it with another dtype; pickled objects are never loaded"));
            }
            _ => return Err(unknown()),
        };
        Ok(Descr { swapped, kind })
    }

    fn tensor(&self, shape: Shape, data: &[u8]) -> Result<Tensor> {
        let size = match self.kind {
            Kind::Plain(dtype) => dtype.size(),
            Kind::Bytes(n) => n,
            Kind::Unicode(n) => n.saturating_mul(4),
        };
        let n = shape.num_elements();
        let wanted = n.checked_mul(size).filter(|&wanted| wanted <= data.len());
        let Some(wanted) = wanted else {
            return Err(Error::invalid("the .npy file ends early")
                .expected(format!("{n} elements of {size} bytes"))
                .found(format!("{} bytes", data.len())));
        };
        let data = &data[..wanted];
        match self.kind {
            Kind::Plain(dtype) if self.swapped => {
                let part = if dtype.is_complex() { size / 2 } else { size };
                let mut data = data.to_vec();
                data.chunks_exact_mut(part).for_each(<[u8]>::reverse);
                Tensor::from_bytes(dtype, shape, &data)
            }
            Kind::Plain(dtype) => Tensor::from_bytes(dtype, shape, data),
            Kind::Bytes(_) => strings(shape, size, data, |item| Some(trim(item).to_vec())),
            Kind::Unicode(_) => strings(shape, size, data, |item| {
                let points = item.chunks_exact(4).map(|c| {
                    let bytes = [c[0], c[1], c[2], c[3]];
                    let number = u32::from_le_bytes(bytes);
                    if self.swapped { number.swap_bytes() } else { number }
                });
                let text: Option<String> = points.map(char::from_u32).collect();
                Some(text?.trim_end_matches('\0').to_owned().into_bytes())
            }),
        }
    }
}

fn trim(item: &[u8]) -> &[u8] {
    let end = item.iter().rposition(|&b| b != 0).map_or(0, |i| i + 1);
    &item[..end]
}

fn strings(shape: Shape, size: usize, data: &[u8], read: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Result<Tensor> {
    // Strings of no bytes have no data to cut into pieces.
    let items =
        (0..shape.num_elements()).map(|i| read(&data[i * size..(i + 1) * size]).map(levada::graph::Bytes::from));
    let items: Option<Vec<levada::graph::Bytes>> = items.collect();
    Tensor::from_vec(shape, items.ok_or_else(|| Error::invalid("a string that is not Unicode"))?)
}

/// The same array with its axes in the opposite order, moved in memory.
fn transposed(tensor: &Tensor) -> Result<Tensor> {
    levada::graph::dispatch!(tensor.dtype(), any, |T| {
        let view = tensor.view::<T>()?;
        let turned = view.t();
        Tensor::from_vec(Shape::new(turned.shape().iter().copied())?, turned.iter().cloned().collect::<Vec<T>>())
    }, else Ok(tensor.clone()))
}

fn descr(dtype: DType) -> Result<String> {
    let letter = match dtype {
        DType::Bool => return Ok("|b1".to_owned()),
        DType::BF16 => 'V',
        d if d.is_complex() => 'c',
        d if d.is_float() => 'f',
        DType::I8 | DType::I16 | DType::I32 | DType::I64 => 'i',
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => 'u',
        other => return Err(Error::unimplemented(format!("{other} tensors cannot be written to a file"))),
    };
    let order = if cfg!(target_endian = "big") { '>' } else { '<' };
    Ok(format!("{order}{letter}{}", dtype.size()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada::graph::{Bytes, bf16};

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), data].concat()
    }

    #[test]
    fn arrays_come_back_as_they_were() {
        let shape = || Shape::new([2, 1, 3]).unwrap();
        let tensors = [
            Tensor::from_vec(shape(), vec![1.5f32, f32::NEG_INFINITY, 3.0, 4.0, 5.0, 6.0]).unwrap(),
            Tensor::from_vec(shape(), vec![1i64, -2, 3, 4, 5, i64::MIN]).unwrap(),
            Tensor::scalar(true),
            Tensor::vector(Vec::<u16>::new()),
            Tensor::vector(vec![bf16::from_f32(1.5), bf16::from_f32(-2.0)]),
            Tensor::vector(vec![Bytes::from_static(b"a\0b"), Bytes::from_static(b"longer"), Bytes::new()]),
        ];
        let arrays: Vec<(String, Tensor)> =
            tensors.iter().enumerate().map(|(i, t)| (format!("t{i}:0"), t.clone())).collect();
        let archive = write_npz(&arrays).unwrap();
        for (name, tensor) in &arrays {
            assert_eq!(&read(&write(tensor).unwrap()).unwrap(), tensor);
            assert_eq!(&read_npz(&archive, Some(name)).unwrap(), tensor);
        }
        assert!(read_npz(&archive, Some("t9")).unwrap_err().to_string().contains("t0:0, t1:0"));
        assert!(read_npz(&archive, None).is_err());
    }

    #[test]
    fn orders_of_bytes_and_axes_are_undone() {
        let big = file("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", &[0, 1, 255, 254]);
        assert_eq!(read(&big).unwrap(), Tensor::vector(vec![1i16, -2]));
        let fortran = file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", &[1, 4, 2, 5, 3, 6]);
        let rows = Tensor::from_vec(Shape::new([2, 3]).unwrap(), vec![1u8, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(read(&fortran).unwrap(), rows);
        let unicode = file("{'descr': '<U2', 'fortran_order': False, 'shape': (), }", &[0xfc, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(read(&unicode).unwrap(), Tensor::string("ü"));
    }

    #[test]
    fn broken_files_are_refused() {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 1000000000), }";
        let huge = file(header, &[0; 8]);
        let records = file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", &[0; 4]);
        let pickled = file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", b"cos\nsystem\n");
        let wide = file("{'descr': '<U4611686018427387905', 'fortran_order': False, 'shape': (4,), }", &[0; 16]);
        let short = &file("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", &[0; 11]);
        let unknown = file("{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }", &[0; 16]);
        let no_dict = file("nonsense", &[]);
        for bytes in [&b""[..], b"\x93NUMPY", &huge, &records, &pickled, &wide, short, &unknown, &no_dict, &short[..20]]
        {
            read(bytes).unwrap_err();
            read_npz(bytes, None).unwrap_err();
        }
    }
}
