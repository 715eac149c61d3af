//! Decodes the Huffman codes of a JPEG to coefficients.

use super::failed;
use super::file::{Frame, ORDER, Scan, Source, next_marker};
use crate::prelude::*;

/// Number of bits per table lookup.
const LOOK: u32 = 8;

/// Number of codes of each length in the standard tables: DC of luma and chroma, then AC of luma and chroma.
const USUAL_COUNTS: [[u8; 16]; 4] = [
    [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
    [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
    [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
    [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
];

/// The symbols of the standard AC tables: run and size.
#[rustfmt::skip]
const USUAL_BRIGHTNESS: [u8; 162] = [
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
    0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72,
    0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37,
    0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
    0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
    0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3,
    0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3,
    0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2,
    0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
];
#[rustfmt::skip]
const USUAL_COLOR: [u8; 162] = [
    0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22,
    0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33, 0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1,
    0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18, 0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36,
    0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
    0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
    0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a,
    0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba,
    0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda,
    0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
];

/// A Huffman table.
pub(super) struct Codes {
    /// Length and symbol of the code with these leading bits; length 0 for longer codes.
    look: [(u8, u8); 1 << LOOK],
    /// The maximum code of each length; -1 if there is none.
    greatest: [i32; 17],
    /// The difference between a code of each length and the index of its symbol.
    offset: [i32; 17],
    symbols: [u8; 256],
    /// False for invalid tables, which are an error only if used.
    valid: bool,
    /// Whether the table may code DC coefficients.
    small: bool,
}

impl Codes {
    /// One of the standard tables.
    pub(super) fn usual(table: usize) -> Codes {
        let mut symbols: [u8; 256] = std::array::from_fn(|i| i as u8);
        match table {
            2 => symbols[..162].copy_from_slice(&USUAL_BRIGHTNESS),
            3 => symbols[..162].copy_from_slice(&USUAL_COLOR),
            _ => (),
        }
        Codes::new(&USUAL_COUNTS[table], &symbols)
    }

    pub(super) fn new(counts: &[u8; 16], symbols: &[u8; 256]) -> Codes {
        let (look, greatest, offset) = ([(0, 0); 1 << LOOK], [-1; 17], [0; 17]);
        let mut codes = Codes { look, greatest, offset, symbols: *symbols, valid: true, small: true };
        let (mut code, mut next) = (0u32, 0usize);
        for length in 1..=16u32 {
            let count = u32::from(counts[length as usize - 1]);
            if count > 0 && code + count > 1 << length {
                codes.valid = false;
                return codes;
            }
            codes.offset[length as usize] = next as i32 - code as i32;
            for _ in 0..count {
                codes.small &= symbols[next] < 16;
                if length <= LOOK {
                    let from = (code << (LOOK - length)) as usize;
                    codes.look[from..from + (1 << (LOOK - length))].fill((length as u8, symbols[next]));
                }
                (code, next) = (code + 1, next + 1);
            }
            if count > 0 {
                codes.greatest[length as usize] = code as i32 - 1;
            }
            code <<= 1;
        }
        codes
    }
}

/// Returns the table if it is usable.
fn usable(tables: &[Option<Codes>; 4], at: usize, first: bool) -> Result<&Codes> {
    let table = tables.get(at).and_then(Option::as_ref).ok_or_else(|| failed("missing Huffman table"))?;
    let usable = table.valid && (table.small || !first);
    usable.then_some(table).ok_or_else(|| failed("invalid Huffman table"))
}

/// The bits of a scan, followed by zeros. Bytes are read ahead exactly as libjpeg does, since that determines where a
/// file counts as truncated.
pub(super) struct Bits<'f, 'a> {
    source: &'f mut Source<'a>,
    bits: u64,
    count: u32,
    /// The marker that ended the bits.
    pub(super) marker: Option<u8>,
    /// Whether bits beyond the end were used.
    short: bool,
    /// Whether there are enough bytes left for libjpeg's larger reads.
    ahead: bool,
}

impl<'f, 'a> Bits<'f, 'a> {
    pub(super) fn new(source: &'f mut Source<'a>) -> Bits<'f, 'a> {
        Bits { source, bits: 0, count: 0, marker: None, short: false, ahead: false }
    }

    /// Reads bytes until at least `n` bits are buffered.
    fn fill(&mut self, n: u32) -> Result<()> {
        let mut before = None;
        while self.count < n && self.marker.is_none() {
            let mut byte = self.source.next();
            let stuffed = byte == Some(0xff);
            while byte == Some(0xff) {
                byte = self.source.next();
            }
            match (byte, stuffed) {
                (None, _) => {
                    if before.replace(self.count) == Some(self.count) {
                        return Err(failed("unexpected end of file"));
                    }
                    self.marker = self.source.again()?;
                    continue;
                }
                (Some(0), true) => byte = Some(0xff),
                (Some(_), true) => {
                    self.marker = byte;
                    break;
                }
                (Some(_), false) => (),
            }
            self.bits = self.bits << 8 | u64::from(byte.unwrap_or_default());
            self.count += 8;
        }
        Ok(())
    }

    /// Reads ahead if fewer than `n` bits, at most 17, are buffered.
    fn need(&mut self, n: u32) -> Result<()> {
        match self.ahead {
            true if self.count <= 16 => self.fill(self.count + 48),
            false if self.count < n => self.fill(57),
            _ => Ok(()),
        }
    }

    /// The next `n` bits, without consuming them.
    fn peek(&self, n: u32) -> u32 {
        let bits = if self.count >= n { self.bits >> (self.count - n) } else { self.bits << (n - self.count) };
        bits as u32 & ((1 << n) - 1)
    }

    fn skip(&mut self, n: u32) {
        self.short |= n > self.count;
        self.count = self.count.saturating_sub(n);
    }

    fn get(&mut self, n: u32) -> Result<i32> {
        self.need(n)?;
        let bits = self.peek(n);
        self.skip(n);
        Ok(bits as i32)
    }

    fn symbol(&mut self, codes: &Codes) -> Result<u8> {
        self.need(LOOK)?;
        let (length, symbol) = codes.look[self.peek(LOOK) as usize];
        if length > 0 {
            self.skip(length.into());
            return Ok(symbol);
        }
        for length in LOOK + 1..=16 {
            self.need(length)?;
            let code = self.peek(length) as i32;
            if code <= codes.greatest[length as usize] {
                self.skip(length);
                return Ok(codes.symbols[(code + codes.offset[length as usize]) as usize & 255]);
            }
        }
        self.need(17)?;
        self.skip(17);
        Ok(0)
    }

    /// Reads a number of `n` bits, negative if its first bit is zero.
    fn number(&mut self, n: u8) -> Result<i32> {
        let n = u32::from(n);
        if n == 0 {
            return Ok(0);
        }
        let bits = self.get(n)?;
        Ok(if bits < 1 << (n - 1) { bits - (1 << n) + 1 } else { bits })
    }

    /// Skips past the restart marker with this number; an unexpected marker is handled as libjpeg does.
    fn restart(&mut self, number: u8) -> Result<()> {
        (self.bits, self.count) = (0, 0);
        let mut found = match self.marker.take() {
            Some(found) => found,
            None => next_marker(self.source)?,
        };
        let is = |found: u8, ahead: u8| found == 0xd0 + (number.wrapping_add(ahead) & 7);
        loop {
            self.marker = None;
            if is(found, 0) {
                self.short = false;
                return Ok(());
            }
            let skip = match found {
                ..0xc0 => true,
                0xd0..=0xd7 if is(found, 1) || is(found, 2) => false,
                0xd0..=0xd7 if is(found, 7) || is(found, 6) => true,
                0xd0..=0xd7 => {
                    self.short = false;
                    return Ok(());
                }
                _ => false,
            };
            if !skip {
                self.marker = Some(found);
                return Ok(());
            }
            found = next_marker(self.source)?;
        }
    }
}

/// Decoder state kept between the blocks of a scan.
struct State {
    last: [i32; 4],
    /// Number of following blocks without further coefficients.
    run: u32,
}

/// Decodes the blocks of a scan.
pub(super) fn read_scan(
    bits: &mut Bits<'_, '_>,
    frame: &mut Frame,
    scan: &Scan,
    tables: [&[Option<Codes>; 4]; 2],
    restart: usize,
) -> Result<()> {
    let progressive = frame.progressive;
    let mut used = [(None, None); 4];
    for (used, (_, dc, ac)) in used.iter_mut().zip(&scan.components) {
        if !progressive || (scan.first == 0 && scan.before == 0) {
            used.0 = Some(usable(tables[0], *dc, true)?);
        }
        if !progressive || scan.first > 0 {
            used.1 = Some(usable(tables[1], *ac, false)?);
        }
    }
    let alone = scan.components.len() == 1;
    let groups = match &scan.components[..] {
        [(i, ..)] => [frame.components[*i].rows, frame.components[*i].columns],
        _ => [frame.height.div_ceil(8 * frame.most[1]), frame.width.div_ceil(8 * frame.most[0])],
    };
    let blocks = |(i, ..): &(usize, usize, usize)| frame.components[*i].across * frame.components[*i].down;
    let blocks = if alone { 1 } else { scan.components.iter().map(blocks).sum::<usize>() };
    if blocks > 10 {
        return Err(failed(format!("{blocks} blocks in an MCU, at most 10 are allowed")));
    }
    frame.complete = 0;
    let mut state = State { last: [0; 4], run: 0 };
    let (mut left, mut number) = (restart, 0);
    for y in 0..groups[0] {
        for x in 0..groups[1] {
            if restart > 0 && left == 0 {
                bits.restart(number)?;
                (state, left, number) = (State { last: [0; 4], run: 0 }, restart, (number + 1) & 7);
            }
            left = left.saturating_sub(1);
            bits.source.begin();
            bits.ahead = !progressive && restart == 0 && bits.marker.is_none() && bits.source.left() >= 512 * blocks;
            let refines_first = progressive && scan.first == 0 && scan.before > 0;
            if bits.short && !refines_first {
                continue;
            }
            for (n, (i, ..)) in scan.components.iter().enumerate() {
                let c = &mut frame.components[*i];
                let [down, across] = if alone { [1, 1] } else { [c.down, c.across] };
                for block in 0..down * across {
                    let at = (y * down + block / across) * c.stride + x * across + block % across;
                    let Some(block) = c.blocks.get_mut(at) else {
                        return Err(failed("a block outside of the image"));
                    };
                    match (used[n], progressive) {
                        ((Some(dc), Some(ac)), false) => sequential(bits, block, dc, ac, &mut state.last[n])?,
                        ((Some(dc), _), true) => {
                            let difference = bits.symbol(dc)?;
                            let difference = bits.number(difference)?;
                            state.last[n] = state.last[n].wrapping_add(difference);
                            block[0] = (state.last[n] << scan.bit) as i16;
                        }
                        ((None, Some(ac)), true) if scan.before == 0 => first(bits, block, ac, scan, &mut state.run)?,
                        ((None, Some(ac)), true) => refine(bits, block, ac, scan, &mut state.run)?,
                        _ => block[0] |= (bits.get(1)? << scan.bit) as i16,
                    }
                }
            }
        }
        frame.complete = y + 1;
    }
    Ok(())
}

fn sequential(bits: &mut Bits<'_, '_>, block: &mut [i16; 64], dc: &Codes, ac: &Codes, last: &mut i32) -> Result<()> {
    let difference = bits.symbol(dc)?;
    *last = last.wrapping_add(bits.number(difference)?);
    block[0] = *last as i16;
    let mut k = 1;
    while k < 64 {
        let symbol = bits.symbol(ac)?;
        let (run, size) = (usize::from(symbol >> 4), symbol & 15);
        if size == 0 {
            if run != 15 {
                break;
            }
            k += 16;
            continue;
        }
        k += run;
        block[usize::from(ORDER[k])] = bits.number(size)? as i16;
        k += 1;
    }
    Ok(())
}

/// The length of a run of blocks, including this one, that end here.
fn run_of(bits: &mut Bits<'_, '_>, run: u8) -> Result<u32> {
    Ok((1 << run) + bits.get(run.into())? as u32)
}

fn first(bits: &mut Bits<'_, '_>, block: &mut [i16; 64], ac: &Codes, scan: &Scan, ends: &mut u32) -> Result<()> {
    if *ends > 0 {
        *ends -= 1;
        return Ok(());
    }
    let mut k = scan.first;
    while k <= scan.last {
        let symbol = bits.symbol(ac)?;
        let (run, size) = (symbol >> 4, symbol & 15);
        if size == 0 && run != 15 {
            *ends = run_of(bits, run)? - 1;
            break;
        }
        k += usize::from(run);
        if size > 0 {
            block[usize::from(ORDER[k])] = (bits.number(size)? << scan.bit) as i16;
        }
        k += 1;
    }
    Ok(())
}

fn refine(bits: &mut Bits<'_, '_>, block: &mut [i16; 64], ac: &Codes, scan: &Scan, ends: &mut u32) -> Result<()> {
    let bit = 1i16 << scan.bit;
    let correct = |bits: &mut Bits<'_, '_>, value: &mut i16| -> Result<()> {
        if bits.get(1)? == 1 && *value & bit == 0 {
            *value = value.wrapping_add(if *value >= 0 { bit } else { -bit });
        }
        Ok(())
    };
    let mut k = scan.first;
    if *ends == 0 {
        while k <= scan.last {
            let symbol = bits.symbol(ac)?;
            let (mut run, size) = (symbol >> 4, symbol & 15);
            let new = match size {
                0 if run != 15 => {
                    *ends = run_of(bits, run)?;
                    break;
                }
                0 => 0,
                _ if bits.get(1)? == 1 => bit,
                _ => -bit,
            };
            while k <= scan.last {
                let value = &mut block[usize::from(ORDER[k])];
                if *value != 0 {
                    correct(bits, value)?;
                } else if run == 0 {
                    break;
                } else {
                    run -= 1;
                }
                k += 1;
            }
            if new != 0 {
                block[usize::from(ORDER[k])] = new;
            }
            k += 1;
        }
    }
    if *ends > 0 {
        for at in ORDER.get(k..=scan.last).unwrap_or_default() {
            let value = &mut block[usize::from(*at)];
            if *value != 0 {
                correct(bits, value)?;
            }
        }
        *ends -= 1;
    }
    Ok(())
}
