//! The markers of a JPEG and their segments.

use super::entropy::{self, Bits, Codes};
use super::failed;
use crate::prelude::*;
use levada_kernel::Arena;

/// The position in its block of each coefficient, in file (zigzag) order. Indices beyond the last map to the last.
pub(super) const ORDER: [u8; 80] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
];

/// Maximum number of scans read from one file.
const SCANS: usize = 1000;

/// The color space of the stored components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Space {
    Gray,
    Rgb,
    Ycc,
    Cmyk,
    Ycck,
    Unknown,
}

/// A component of an image, such as luma.
pub(super) struct Component {
    id: u8,
    /// Horizontal and vertical sampling factors, relative to the maxima in `Frame::most`.
    pub(super) across: usize,
    pub(super) down: usize,
    table: usize,
    /// The quantization steps in natural order, once a scan has begun.
    pub(super) steps: Option<[u16; 64]>,
    /// Columns and rows of blocks that hold its samples.
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Blocks in a row as stored, including padding to whole MCUs.
    pub(super) stride: usize,
    /// Coefficients, block after block, each in natural order.
    pub(super) blocks: Vec<[i16; 64]>,
    /// Low bits of each coefficient still missing in progressive files; -1 before the first scan.
    missing: [i8; 64],
}

/// The frame header.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) progressive: bool,
    pub(super) components: Vec<Component>,
    /// The maximum sampling factors of the components.
    pub(super) most: [usize; 2],
    /// Number of complete MCU rows read.
    pub(super) complete: usize,
}

/// The bytes of a file. As in libjpeg, the start of the unit being read matters: a segment or an MCU.
pub(super) struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the unit being read begins.
    start: usize,
    recover: bool,
    /// Whether the file ended within a unit.
    pub(super) is_cut: bool,
}

impl Source<'_> {
    pub(super) fn byte(&mut self) -> Result<u8> {
        let byte = self.next();
        self.is_cut |= byte.is_none() && self.start < self.bytes.len();
        byte.ok_or_else(|| failed("unexpected end of file"))
    }

    /// The next byte; `None` past the end.
    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at)?;
        self.at += 1;
        Some(*byte)
    }

    /// Starts a unit at the current position.
    pub(super) fn begin(&mut self) {
        self.start = self.at;
    }

    /// Number of remaining bytes.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Handles the end of the data within a scan: rereads the current MCU, or returns an end marker if none of it was
    /// read.
    pub(super) fn again(&mut self) -> Result<Option<u8>> {
        let is_cut = self.start < self.bytes.len();
        if !self.recover {
            self.is_cut |= is_cut;
            return Err(failed("unexpected end of file"));
        }
        if is_cut {
            self.at = self.start;
        }
        Ok((!is_cut).then_some(END))
    }

    fn short(&mut self) -> Result<usize> {
        Ok(usize::from(self.byte()?) << 8 | usize::from(self.byte()?))
    }
}

/// The end-of-image marker.
const END: u8 = 0xd9;

/// A file being read.
pub(super) struct File<'a> {
    source: Source<'a>,
    pub(super) frame: Frame,
    steps: [Option<[u16; 64]>; 4],
    dc: [Option<Codes>; 4],
    ac: [Option<Codes>; 4],
    restart: usize,
    jfif: bool,
    adobe: Option<u8>,
    /// A marker that ended a scan and has not been processed yet.
    marker: Option<u8>,
    /// Number of complete MCU rows, if the file is truncated.
    pub(super) rows: Option<usize>,
}

/// The scan header.
pub(super) struct Scan {
    /// Per component its index, its DC table and its AC table.
    pub(super) components: Vec<(usize, usize, usize)>,
    pub(super) first: usize,
    pub(super) last: usize,
    /// The bit position sent before and the one this scan sends.
    pub(super) before: u8,
    pub(super) bit: u8,
}

impl<'a> File<'a> {
    pub(super) fn new(bytes: &'a [u8], recover: bool) -> File<'a> {
        File {
            source: Source { bytes, at: 0, start: 0, recover, is_cut: false },
            frame: Frame::default(),
            steps: [None; 4],
            // A file may omit the standard tables.
            dc: [Some(Codes::usual(0)), Some(Codes::usual(1)), None, None],
            ac: [Some(Codes::usual(2)), Some(Codes::usual(3)), None, None],
            restart: 0,
            jfif: false,
            adobe: None,
            marker: None,
            rows: None,
        }
    }

    /// Determines the color space of the stored components.
    pub(super) fn space(&self) -> Space {
        let ids = self.frame.components.iter().map(|c| c.id);
        match (self.frame.components.len(), self.jfif, self.adobe) {
            (1, ..) => Space::Gray,
            (3, true, _) => Space::Ycc,
            (3, false, Some(0)) => Space::Rgb,
            (3, false, None) if ids.eq(*b"RGB") => Space::Rgb,
            (3, ..) => Space::Ycc,
            (4, _, None | Some(0)) => Space::Cmyk,
            (4, ..) => Space::Ycck,
            _ => Space::Unknown,
        }
    }

    /// Whether the file was written by Adobe software, which stores CMYK inverted.
    pub(super) fn is_adobe(&self) -> bool {
        self.adobe.is_some()
    }

    /// Reads up to the first scan.
    pub(super) fn read_header(&mut self) -> Result<()> {
        if [self.source.byte()?, self.source.byte()?] != [0xff, 0xd8] {
            return Err(failed("not a JPEG"));
        }
        self.marker = self.segments(None)?;
        match (self.marker, self.frame.components.is_empty()) {
            (None, _) => Err(failed("the file has no image")),
            (Some(_), true) => Err(failed("a scan before the frame header")),
            (Some(_), false) => Ok(()),
        }
    }

    /// Reads all scans up to the end of the file.
    pub(super) fn read_scans(&mut self, arena: &Arena) -> Result<()> {
        self.allocate(arena)?;
        let mut single = false;
        let mut count = 0;
        while self.marker.take().is_some() {
            let scan = self.scan()?;
            count += 1;
            if single {
                return Err(failed("a scan after the one with all components"));
            }
            if count > SCANS {
                return Err(Error::resource_exhausted(format!("a JPEG file has more than {SCANS} scans")));
            }
            single = !self.frame.progressive && scan.components.len() == self.frame.components.len();
            for (i, ..) in &scan.components {
                let component = &mut self.frame.components[*i];
                if component.steps.is_none() {
                    let steps = self.steps.get(component.table).copied().flatten();
                    component.steps = Some(steps.ok_or_else(|| failed("missing quantization table"))?);
                }
            }
            if self.frame.progressive {
                self.progress(&scan)?;
            }
            let mut bits = Bits::new(&mut self.source);
            let read = entropy::read_scan(&mut bits, &mut self.frame, &scan, [&self.dc, &self.ac], self.restart);
            let unread = bits.marker;
            if read.is_err() && single && self.source.is_cut {
                self.rows = Some(self.frame.complete);
                return Ok(());
            }
            read?;
            self.marker = match self.segments(unread) {
                // All pixels have been decoded.
                Err(_) if single && self.source.is_cut => None,
                other => other?,
            };
        }
        if self.is_coarse() {
            return Err(Error::unimplemented("progressive JPEG files that lack their last scans are not supported"));
        }
        Ok(())
    }

    /// Checks the coefficient range of a progressive scan and records it.
    fn progress(&mut self, scan: &Scan) -> Result<()> {
        let is_range = match scan.first {
            0 => scan.last == 0,
            first => first <= scan.last && scan.last < 64 && scan.components.len() == 1,
        };
        let is_next = scan.before == 0 || scan.bit.checked_add(1) == Some(scan.before);
        if !is_range || !is_next || scan.bit > 13 {
            return Err(failed("a progressive scan with an invalid coefficient range"));
        }
        for (i, ..) in &scan.components {
            self.frame.components[*i].missing[scan.first..=scan.last].fill(scan.bit as i8);
        }
        Ok(())
    }

    /// True for a progressive file that lacks bits of the first coefficients, which libjpeg would estimate.
    fn is_coarse(&self) -> bool {
        let components = &self.frame.components;
        let at = |i: usize| usize::from(ORDER[i]);
        let known = |c: &Component| c.missing[0] >= 0 && c.steps.is_some_and(|s| (0..10).all(|i| s[at(i)] != 0));
        self.frame.progressive
            && components.iter().all(known)
            && components.iter().any(|c| c.missing[1..10].iter().any(|m| *m != 0))
    }

    fn allocate(&mut self, arena: &Arena) -> Result<()> {
        let frame = &mut self.frame;
        let groups = [frame.height.div_ceil(8 * frame.most[1]), frame.width.div_ceil(8 * frame.most[0])];
        let count = |c: &Component| (groups[0] * c.down, groups[1] * c.across);
        let blocks = frame.components.iter().map(|c| count(c).0 * count(c).1).sum::<usize>();
        // One additional byte per coefficient for its sample.
        arena.check(blocks * 64 * 3)?;
        for c in &mut frame.components {
            let (rows, columns) = count(c);
            c.stride = columns;
            c.blocks.try_reserve_exact(rows * columns).map_err(|_| {
                Error::resource_exhausted(format!("no memory for {} coefficients of an image", rows * columns * 64))
            })?;
            c.blocks.resize(rows * columns, [0; 64]);
        }
        Ok(())
    }

    /// Reads segments up to the next scan; returns `None` at the end of the file. The first marker may already have
    /// been read.
    fn segments(&mut self, unread: Option<u8>) -> Result<Option<u8>> {
        let mut marker = unread;
        loop {
            let found = match marker.take() {
                Some(found) => found,
                None => next_marker(&mut self.source)?,
            };
            self.source.begin();
            match found {
                END => return Ok(None),
                0xda => return Ok(Some(found)),
                0xd8 => return Err(failed("duplicate start-of-image marker")),
                0xc0..=0xc2 => self.frame(found == 0xc2)?,
                0xc9 | 0xca => return Err(Error::unimplemented("arithmetic-coded JPEG files are not supported")),
                0xc3 => return Err(Error::unimplemented("lossless JPEG files are not supported")),
                0xc4 => self.codes()?,
                0xdb => self.quantization()?,
                0xdd => {
                    if self.source.short()? != 4 {
                        return Err(failed("invalid length of the restart interval segment"));
                    }
                    self.restart = self.source.short()?;
                }
                0xcc | 0xdc | 0xe0..=0xef | 0xfe => self.skip(found)?,
                0xd0..=0xd7 | 0x01 => (),
                _ => return Err(failed(format!("unknown marker {found:#04x}"))),
            }
        }
    }

    /// Skips a segment, noting JFIF and Adobe markers.
    fn skip(&mut self, marker: u8) -> Result<()> {
        let length = self.source.short()?.checked_sub(2).ok_or_else(|| failed("a segment with an invalid length"))?;
        let mut head = [0; 12];
        let known = length.min(head.len());
        for byte in &mut head[..known] {
            *byte = self.source.byte()?;
        }
        match marker {
            0xe0 if length >= 14 && head.starts_with(b"JFIF\0") => self.jfif = true,
            0xee if length >= 12 && head.starts_with(b"Adobe") => self.adobe = Some(head[11]),
            _ => (),
        }
        self.source.at = (self.source.at + length - known).min(self.source.bytes.len());
        self.source.begin();
        Ok(())
    }

    fn frame(&mut self, progressive: bool) -> Result<()> {
        if !self.frame.components.is_empty() {
            return Err(failed("duplicate frame header"));
        }
        let length = self.source.short()?;
        let precision = self.source.byte()?;
        let (height, width) = (self.source.short()?, self.source.short()?);
        let count = usize::from(self.source.byte()?);
        if height == 0 || width == 0 || count == 0 || height > 65_500 || width > 65_500 {
            return Err(failed(format!("an image of {height} times {width} pixels of {count} components")));
        }
        if length != 8 + 3 * count || count > 10 {
            return Err(failed("invalid length of the frame header"));
        }
        if precision != 8 {
            return Err(failed(format!("samples of {precision} bits, expected 8")));
        }
        let mut components = Vec::with_capacity(count);
        for _ in 0..count {
            let (id, samples, table) = (self.source.byte()?, self.source.byte()?, self.source.byte()?);
            let (across, down) = (usize::from(samples >> 4), usize::from(samples & 15));
            if !(1..=4).contains(&across) || !(1..=4).contains(&down) {
                return Err(failed(format!("sampling factors {across} and {down}")));
            }
            let (missing, table) = ([-1; 64], usize::from(table));
            let (columns, rows, stride, blocks) = (0, 0, 0, Vec::new());
            components.push(Component { id, across, down, table, steps: None, columns, rows, stride, blocks, missing });
        }
        let most = |of: fn(&Component) -> usize| components.iter().map(of).max().unwrap_or(1);
        let most = [most(|c| c.across), most(|c| c.down)];
        for c in &mut components {
            c.columns = (width * c.across).div_ceil(8 * most[0]);
            c.rows = (height * c.down).div_ceil(8 * most[1]);
        }
        self.frame = Frame { height, width, progressive, components, most, complete: 0 };
        Ok(())
    }

    fn quantization(&mut self) -> Result<()> {
        let wrong = || failed("invalid quantization table");
        let mut length = self.source.short()?.checked_sub(2).ok_or_else(wrong)?;
        while length > 0 {
            let head = self.source.byte()?;
            let wide = head >> 4 != 0;
            let table = self.steps.get_mut(usize::from(head & 15)).ok_or_else(wrong)?;
            length = length.checked_sub(1 + 64 * (1 + usize::from(wide))).ok_or_else(wrong)?;
            let mut steps = [0; 64];
            for at in &ORDER[..64] {
                steps[usize::from(*at)] =
                    if wide { self.source.short()? as u16 } else { u16::from(self.source.byte()?) };
            }
            *table = Some(steps);
        }
        Ok(())
    }

    fn codes(&mut self) -> Result<()> {
        let wrong = || failed("invalid Huffman table");
        let mut length = self.source.short()?.checked_sub(2).ok_or_else(wrong)?;
        while length > 16 {
            let head = self.source.byte()?;
            let mut counts = [0; 16];
            for count in &mut counts {
                *count = self.source.byte()?;
            }
            let sum = counts.iter().map(|c| usize::from(*c)).sum::<usize>();
            length = length.checked_sub(17 + sum).filter(|_| sum <= 256).ok_or_else(wrong)?;
            let mut symbols = [0; 256];
            for symbol in &mut symbols[..sum] {
                *symbol = self.source.byte()?;
            }
            let tables = if head & 0x10 == 0 { &mut self.dc } else { &mut self.ac };
            let table = tables.get_mut(usize::from(head & !0x10)).ok_or_else(wrong)?;
            *table = Some(Codes::new(&counts, &symbols));
        }
        if length != 0 {
            return Err(wrong());
        }
        Ok(())
    }

    fn scan(&mut self) -> Result<Scan> {
        let length = self.source.short()?;
        let count = usize::from(self.source.byte()?);
        if length != 6 + 2 * count || !(1..=4).contains(&count) {
            return Err(failed("invalid length of the scan header"));
        }
        let mut components: Vec<(usize, usize, usize)> = Vec::with_capacity(count);
        for _ in 0..count {
            let (id, tables) = (self.source.byte()?, self.source.byte()?);
            let is_new = |i: usize| components.iter().all(|(other, ..)| *other != i);
            let found = self.frame.components.iter().enumerate().position(|(i, c)| c.id == id && is_new(i));
            let found = found.ok_or_else(|| failed(format!("a scan of the missing component {id}")))?;
            components.push((found, usize::from(tables >> 4), usize::from(tables & 15)));
        }
        let (first, last, bits) = (self.source.byte()?, self.source.byte()?, self.source.byte()?);
        Ok(Scan { components, first: first.into(), last: last.into(), before: bits >> 4, bit: bits & 15 })
    }
}

/// The next marker; bytes before it are skipped.
pub(super) fn next_marker(source: &mut Source<'_>) -> Result<u8> {
    loop {
        source.begin();
        if source.left() == 0 && source.recover {
            return Ok(END);
        }
        if source.byte()? != 0xff {
            continue;
        }
        let mut found = source.byte()?;
        while found == 0xff {
            found = source.byte()?;
        }
        if found != 0 {
            source.begin();
            return Ok(found);
        }
    }
}
