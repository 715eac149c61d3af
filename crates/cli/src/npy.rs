//! NumPy's `.npy` arrays and `.npz` archives of them. Pickled objects are refused, never executed.

use levada::{DType, Error, Result, Shape, Tensor};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::io::{Cursor, Read, Write};
use zip::write::{SimpleFileOptions, StreamWriter};

const MAGIC: &[u8] = b"\x93NUMPY";

/// Maximum header size in bytes: no array that can be fed needs more.
const MOST_HEADER: u64 = 1 << 20;

/// Maximum number of strings in an array of empty strings, which the size of the file does not bound.
const MOST_WITHOUT_BYTES: usize = 1 << 20;

/// Reads an array.
///
/// # Errors
/// `INVALID_ARGUMENT` if these are not the bytes of a `.npy` file, or its dtype has no counterpart.
pub fn read(bytes: &[u8]) -> Result<Tensor> {
    let (header, data) = split(bytes)?;
    Header::parse(header)?.tensor(data)
}

/// Reads an array and nothing behind it: no more bytes than its header says, however many there are or unpack.
///
/// # Errors
/// As [`read`].
pub fn read_from(from: &mut impl Read) -> Result<Tensor> {
    let header = head(from)?;
    let mut data = Vec::new();
    let size = header.bytes()?;
    from.take(size as u64).read_to_end(&mut data).map_err(|e| lost("the elements", &e))?;
    header.tensor(&data)
}

/// Writes an array.
///
/// # Errors
/// `UNIMPLEMENTED` for resources and variants, which have no bytes.
pub fn write(tensor: &Tensor) -> Result<Vec<u8>> {
    let width = string_width(tensor);
    Ok([&header(tensor.dtype(), tensor.shape(), width)?[..], &data(tensor, width)].concat())
}

/// Reads the header of an array: its dtype and shape.
///
/// # Errors
/// As [`read`].
pub fn read_header(from: &mut impl Read) -> Result<(DType, Shape)> {
    let header = head(from)?;
    let dtype = match header.descr.kind {
        Kind::Plain(dtype) => dtype,
        Kind::Bytes(_) | Kind::Unicode(_) => DType::Str,
    };
    Ok((dtype, Shape::new(header.shape)?))
}

fn head(from: &mut impl Read) -> Result<Header> {
    // The header is as long as its length field of two or four bytes says; no more than that is read.
    let mut bytes = Vec::new();
    let early = |e: std::io::Error| lost("the header", &e);
    from.by_ref().take(12).read_to_end(&mut bytes).map_err(early)?;
    let length = match bytes.get(MAGIC.len()..) {
        Some([1, _, a, b, ..]) => u64::from(u16::from_le_bytes([*a, *b])),
        Some([_, _, a, b, c, d]) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        _ => 0,
    };
    if length > MOST_HEADER {
        return Err(Error::invalid("the .npy header cannot be read")
            .expected(format!("at most {MOST_HEADER} bytes"))
            .found(format!("{length} bytes")));
    }
    // With a two-byte length, two of the 12 bytes are behind it.
    let start = MAGIC.len() + if bytes.get(MAGIC.len()) == Some(&1) { 4 } else { 6 };
    let rest = (start as u64 + length).saturating_sub(bytes.len() as u64);
    from.take(rest).read_to_end(&mut bytes).map_err(early)?;
    Header::parse(split(&bytes)?.0)
}

/// The error for a missing part of an array.
fn lost(what: &str, error: &std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::OutOfMemory => Error::resource_exhausted(format!("no memory for {what} of an array")),
        _ => Error::data_loss(format!("{what} of an array cannot be read: {error}")),
    }
}

/// Bytes of the longest string of a tensor, at least 1.
pub fn string_width(tensor: &Tensor) -> usize {
    let strings = tensor.slice::<levada::graph::Bytes>().unwrap_or_default();
    strings.iter().map(|s| s.len()).max().unwrap_or(0).max(1)
}

/// The header of an array; strings take `width` bytes each.
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
/// `NOT_FOUND` for a missing key, and as [`read`].
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
    read_from(&mut archive.by_index(index).map_err(broken)?)
}

/// Writes an archive. Of several arrays of the same name the first is kept.
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

/// An archive being written.
pub struct Archive<W: Write> {
    zip: zip::ZipWriter<StreamWriter<W>>,
    names: HashSet<String>,
}

impl<W: Write> Archive<W> {
    /// An empty one.
    pub fn new(out: W) -> Archive<W> {
        Archive { zip: zip::ZipWriter::new_stream(out), names: HashSet::new() }
    }

    /// Starts an array, whose header and elements are written next. False if the archive has an array of this name.
    ///
    /// # Errors
    /// If it cannot be written.
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
    /// If it cannot be written.
    pub fn part(&mut self, bytes: &[u8]) -> Result<()> {
        self.zip.write_all(bytes).map_err(|e| unwritten(&e))
    }

    /// Writes a whole array, unless there is one of this name.
    ///
    /// # Errors
    /// As [`write`], and if it cannot be written.
    pub fn array(&mut self, name: &str, tensor: &Tensor) -> Result<()> {
        let width = string_width(tensor);
        let header = header(tensor.dtype(), tensor.shape(), width)?;
        if self.start(name)? {
            self.part(&header)?;
            self.part(&data(tensor, width))?;
        }
        Ok(())
    }

    /// Writes the directory of the archive.
    ///
    /// # Errors
    /// If it cannot be written.
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

/// The contents of a header.
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

    /// Bytes of the elements.
    fn bytes(&self) -> Result<usize> {
        let elements = Shape::new(self.shape.iter().copied())?.num_elements();
        let too_many = || Error::resource_exhausted("the array is larger than the address space");
        elements.checked_mul(self.descr.size()).ok_or_else(too_many)
    }

    /// The array whose elements these bytes are.
    fn tensor(&self, data: &[u8]) -> Result<Tensor> {
        let shape = Shape::new(self.shape.iter().copied())?;
        let stored = if self.fortran { Shape::new(self.shape.iter().rev().copied())? } else { shape };
        let tensor = self.descr.tensor(stored, data)?;
        if self.fortran { transposed(&tensor) } else { Ok(tensor) }
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
            // The type under which numpy.save stores a bfloat16 array.
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

    /// Bytes of an element.
    fn size(&self) -> usize {
        match self.kind {
            Kind::Plain(dtype) => dtype.size(),
            Kind::Bytes(n) => n,
            Kind::Unicode(n) => n.saturating_mul(4),
        }
    }

    fn tensor(&self, shape: Shape, data: &[u8]) -> Result<Tensor> {
        let size = self.size();
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
                let mut swapped = reserved(data.len())?;
                swapped.extend_from_slice(data);
                swapped.chunks_exact_mut(part).for_each(<[u8]>::reverse);
                Tensor::from_bytes(dtype, shape, &swapped)
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
    let n = shape.num_elements();
    if size == 0 && n > MOST_WITHOUT_BYTES {
        return Err(Error::resource_exhausted("too many empty strings")
            .expected(format!("at most {MOST_WITHOUT_BYTES}"))
            .found(n.to_string()));
    }
    let mut items = reserved(n)?;
    // Strings of zero bytes have no data to split.
    for i in 0..n {
        let item = read(&data[i * size..(i + 1) * size]);
        items.push(levada::graph::Bytes::from(item.ok_or_else(|| Error::invalid("a string that is not Unicode"))?));
    }
    Tensor::from_vec(shape, items)
}

/// Reserves room for elements; fails if there is no memory.
fn reserved<T>(n: usize) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    let none = |_| Error::resource_exhausted(format!("no memory for an array of {n} elements"));
    elements.try_reserve_exact(n).map_err(none)?;
    Ok(elements)
}

/// The same array with its axes in the opposite order, moved in memory.
fn transposed(tensor: &Tensor) -> Result<Tensor> {
    levada::graph::dispatch!(tensor.dtype(), any, |T| {
        let view = tensor.view::<T>()?;
        let turned = view.t();
        let mut elements = reserved::<T>(turned.len())?;
        elements.extend(turned.iter().cloned());
        Tensor::from_vec(Shape::new(turned.shape().iter().copied())?, elements)
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

    /// The contents are no larger than an uncompressed file of a few hundred bytes can hold.
    fn is_small(tensor: &Tensor) {
        assert!(tensor.num_bytes() <= MOST_WITHOUT_BYTES * 64, "{}", tensor.shape());
    }

    #[test]
    fn mutants_of_arrays_give_a_value_or_an_error() {
        let [strings, numbers] = [
            Tensor::vector(vec![Bytes::from_static(b"one"), Bytes::from_static(b"seventeen")]),
            Tensor::from_vec(Shape::new([2, 3]).unwrap(), vec![1.5f32; 6]).unwrap(),
        ];
        let unicode = file("{'descr': '<U2', 'fortran_order': True, 'shape': (2, 2), }", &[b'x', 0, 0, 0].repeat(8));
        let empty = file("{'descr': '|S0', 'fortran_order': False, 'shape': (2, 0), }", &[]);
        let arrays = [write(&strings).unwrap(), write(&numbers).unwrap(), unicode, empty];
        levada_testkit::mutants::mutate(".npy", &arrays, |bytes| {
            [read(bytes), read_from(&mut &bytes[..])].iter().flatten().for_each(is_small);
            drop(read_header(&mut &bytes[..]));
        });
        let archive = write_npz(&[("one".to_owned(), numbers.clone()), ("two".to_owned(), strings)]).unwrap();
        let mut packed = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        packed.start_file("one.npy", options).unwrap();
        packed.write_all(&write(&numbers).unwrap()).unwrap();
        let packed = packed.finish().unwrap().into_inner();
        levada_testkit::mutants::mutate(".npz", &[archive, packed], |bytes| {
            for key in [Some("one"), Some("two"), None] {
                read_npz(bytes, key).iter().for_each(is_small);
            }
        });
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
        let endless = file("{'descr': '|S0', 'fortran_order': False, 'shape': (1099511627776,), }", &[]);
        let long = [MAGIC, &[2, 0, 255, 255, 255, 255], &[b' '; 64]].concat();
        let broken = [&huge, &records, &pickled, &wide, short, &unknown, &no_dict, &endless, &long];
        for bytes in broken.map(Vec::as_slice).into_iter().chain([&b""[..], b"\x93NUMPY", &short[..20]]) {
            read(bytes).unwrap_err();
            read_from(&mut &bytes[..]).unwrap_err();
            read_npz(bytes, None).unwrap_err();
        }
    }

    #[test]
    fn of_what_unpacks_to_more_than_the_array_has_nothing_is_taken() {
        struct Endless<'a>(&'a [u8], usize);
        impl Read for Endless<'_> {
            fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
                self.1 += into.len();
                let n = self.0.read(into)?;
                into[n..].fill(0);
                Ok(into.len())
            }
        }
        let array = file("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", &[1, 2, 3]);
        let mut from = Endless(&array, 0);
        assert_eq!(read_from(&mut from).unwrap(), Tensor::vector(vec![1u8, 2, 3]));
        assert!(from.1 < 10_000, "{} bytes", from.1);
    }
}
