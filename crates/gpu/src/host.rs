//! A backend that interprets programs on the host, for tests of kernels on machines without a graphics processor. It
//! strictly checks what programs must not do: an index out of range is an error.

use crate::backend::{Backend, Block, Launch, OnRead};
use crate::ir::{Bin, E, Node, Program, Stmt, Ty, Un};
use crate::print::Language;
use crate::tracks::Tracks;
use half::{bf16, f16};
use levada_graph::{DType, Error, Result, Tensor};
use levada_kernel::device::OnPassed;
use levada_trace::Stamp;
use parking_lot::{Mutex, MutexGuard};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Maximum number of bytes in a block.
const LARGEST: usize = 1 << 30;

/// The interpreting backend.
pub struct Host {
    language: Language,
    limit: Option<u64>,
    launches: AtomicUsize,
    tracks: Tracks,
    /// Held in traced steps during all work, as there is one queue.
    queue: Mutex<()>,
}

/// Memory of the backend.
#[derive(Debug)]
struct HostBlock(Mutex<Vec<u8>>);

impl Block for HostBlock {}

impl Host {
    /// A backend that stores elements as this language does, with at most `limit` bytes.
    pub fn new(language: Language, limit: Option<u64>) -> Host {
        Host { language, limit, launches: AtomicUsize::new(0), tracks: Tracks::default(), queue: Mutex::default() }
    }

    /// Does the work of `stamp`, if there is one, in its turn.
    fn stamped<T>(&self, stamp: Option<Stamp>, work: impl FnOnce() -> T) -> T {
        let Some(stamp) = stamp else { return work() };
        let _turn = self.queue.lock();
        let start = Instant::now();
        let done = work();
        stamp.ran(start, Instant::now(), Duration::ZERO);
        done
    }

    /// Number of programs that were launched.
    pub fn launches(&self) -> usize {
        self.launches.load(Ordering::Relaxed)
    }
}

fn block(block: &Arc<dyn Block>) -> Result<&HostBlock> {
    let any: &dyn Any = &**block;
    any.downcast_ref().ok_or_else(|| Error::internal("memory of another backend"))
}

impl Host {
    fn interpret(&self, launch: Launch<'_>) -> Result<()> {
        self.launches.fetch_add(1, Ordering::Relaxed);
        let program = &launch.program.program;
        if launch.buffers.len() != program.buffers.len() || launch.params.len() != program.params.len() {
            return Err(Error::internal(format!("{program} has other arguments")));
        }
        let blocks: Vec<&HostBlock> = launch.buffers.iter().map(|piece| block(&piece.block)).collect::<Result<_>>()?;
        // Locked in the order of their addresses: otherwise concurrent launches that read the same blocks in different
        // orders could deadlock.
        let mut distinct = blocks.clone();
        distinct.sort_by_key(|&b| std::ptr::from_ref(b));
        distinct.dedup_by(|a, b| std::ptr::eq(*a, *b));
        let memories: Vec<MutexGuard<'_, Vec<u8>>> = distinct.iter().map(|b| b.0.lock()).collect();
        let mut buffers = Vec::new();
        for ((memory, piece), &(dtype, _)) in blocks.into_iter().zip(launch.buffers).zip(&program.buffers) {
            let size = self.language.element_size(dtype);
            let size = size.ok_or_else(|| Error::internal(format!("{dtype} in a program")))?;
            let memory = distinct.partition_point(|&b| std::ptr::from_ref(b) < std::ptr::from_ref(memory));
            buffers.push(Buffer { memory, first: piece.first * size, size, dtype });
        }
        let size = program.group_size as usize;
        let mut run = Run {
            program,
            language: self.language,
            params: launch.params,
            buffers,
            memories,
            group: 0,
            groups: launch.groups,
            vars: vec![vec![0; size]; program.vars.len()],
            shared: Vec::new(),
        };
        let all: Vec<usize> = (0..size).collect();
        for group in 0..launch.groups {
            run.group = group;
            run.shared = program.shared.iter().map(|&(_, len)| vec![0xa5a5_a5a5; len as usize]).collect();
            run.block(&program.body, &all)?;
        }
        Ok(())
    }
}

impl Backend for Host {
    fn language(&self) -> Language {
        self.language
    }

    fn attach(&self, device: &Arc<str>) {
        self.tracks.attach(device);
    }

    fn alloc(&self, bytes: usize) -> Result<Arc<dyn Block>> {
        if bytes > LARGEST {
            return Err(Error::resource_exhausted(format!("no block of {bytes} bytes")));
        }
        // A read of unwritten memory does not find zeros.
        Ok(Arc::new(HostBlock(Mutex::new(vec![0xa5; bytes]))))
    }

    fn launch(&self, launch: Launch<'_>) -> Result<()> {
        let stamp = self.tracks.kernel(0, &launch.program.program.name);
        self.stamped(stamp, || self.interpret(launch))
    }

    fn write(&self, to: &Arc<dyn Block>, bytes: Tensor, done: OnPassed) {
        let stamp = self.tracks.copy_in(bytes.num_bytes());
        let write = || {
            let bytes = bytes.bytes().ok_or_else(|| Error::internal("a tensor without bytes"))?;
            let mut memory = block(to)?.0.lock();
            let place = memory.get_mut(..bytes.len()).ok_or_else(|| Error::internal("a write past the end"))?;
            place.copy_from_slice(bytes);
            Ok(())
        };
        done(self.stamped(stamp, write));
    }

    fn read(&self, from: &Arc<dyn Block>, at: usize, like: Tensor, done: OnRead) {
        let read = || {
            let memory = block(from)?.0.lock();
            let bytes = memory.get(at..at + like.num_bytes());
            let bytes = bytes.ok_or_else(|| Error::internal("a read past the end"))?;
            Tensor::from_bytes(like.dtype(), like.shape().clone(), bytes)
        };
        let stamp = self.tracks.copy_out(like.num_bytes());
        done(self.stamped(stamp, read));
    }

    fn copy(&self, from: &Arc<dyn Block>, from_at: usize, to: &Arc<dyn Block>, to_at: usize, len: usize) -> Result<()> {
        let outside = || Error::internal("a copy past the end");
        self.stamped(self.tracks.copy(0, len), || {
            let bytes = block(from)?.0.lock().get(from_at..from_at + len).ok_or_else(outside)?.to_vec();
            block(to)?.0.lock().get_mut(to_at..to_at + len).ok_or_else(outside)?.copy_from_slice(&bytes);
            Ok(())
        })
    }

    fn when_passed(&self, done: OnPassed) {
        done(Ok(()));
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn memory_limit(&self) -> Option<u64> {
        self.limit
    }
}

struct Buffer {
    memory: usize,
    first: usize,
    size: usize,
    dtype: DType,
}

/// One launch. The invocations of a group go through the program in lockstep.
struct Run<'a> {
    program: &'a Program,
    language: Language,
    params: &'a [u32],
    buffers: Vec<Buffer>,
    memories: Vec<MutexGuard<'a, Vec<u8>>>,
    group: u32,
    groups: u32,
    /// For each variable, its value in each invocation.
    vars: Vec<Vec<u64>>,
    shared: Vec<Vec<u64>>,
}

impl Run<'_> {
    fn block(&mut self, stmts: &[Stmt], lanes: &[usize]) -> Result<()> {
        if lanes.is_empty() {
            return Ok(());
        }
        stmts.iter().try_for_each(|stmt| self.stmt(stmt, lanes))
    }

    fn stmt(&mut self, stmt: &Stmt, lanes: &[usize]) -> Result<()> {
        match stmt {
            Stmt::Let(var, value) | Stmt::Set(var, value) => {
                for &lane in lanes {
                    self.vars[*var][lane] = self.eval(value, lane)?;
                }
            }
            Stmt::Store(buffer, index, value) => {
                for &lane in lanes {
                    let (at, value) = (self.eval(index, lane)? as usize, self.eval(value, lane)?);
                    self.store(buffer.0, at, value)?;
                }
            }
            Stmt::StoreShared(array, index, value) => {
                for &lane in lanes {
                    let (at, value) = (self.eval(index, lane)? as usize, self.eval(value, lane)?);
                    let name = &self.program.name;
                    let place = self.shared[array.0].get_mut(at);
                    *place.ok_or_else(|| Error::internal(format!("{name} writes past a shared array")))? = value;
                }
            }
            Stmt::AtomicAdd(buffer, index, value) => {
                for &lane in lanes {
                    let (at, add) = (self.eval(index, lane)? as usize, self.eval(value, lane)?);
                    let old = self.load(buffer.0, at)?;
                    self.store(buffer.0, at, binary(Bin::Add, value.ty, old, add))?;
                }
            }
            Stmt::If(condition, yes, no) => {
                let (mut taken, mut other) = (Vec::new(), Vec::new());
                for &lane in lanes {
                    if self.eval(condition, lane)? != 0 { taken.push(lane) } else { other.push(lane) }
                }
                self.block(yes, &taken)?;
                self.block(no, &other)?;
            }
            Stmt::For(var, start, end, step, body) => {
                let mut lanes = lanes.to_vec();
                for &lane in &lanes {
                    self.vars[*var][lane] = self.eval(start, lane)?;
                }
                loop {
                    let mut on = Vec::new();
                    for &lane in &lanes {
                        if self.vars[*var][lane] < self.eval(end, lane)? {
                            on.push(lane);
                        }
                    }
                    if on.is_empty() {
                        break;
                    }
                    self.block(body, &on)?;
                    for &lane in &on {
                        let next = self.vars[*var][lane] + self.eval(step, lane)?;
                        if next > u64::from(u32::MAX) {
                            return Err(Error::internal(format!("{} counts past 32 bits", self.program)));
                        }
                        self.vars[*var][lane] = next;
                    }
                    lanes = on;
                }
            }
            Stmt::While(condition, body) => {
                let mut lanes = lanes.to_vec();
                loop {
                    let mut on = Vec::new();
                    for &lane in &lanes {
                        if self.eval(condition, lane)? != 0 {
                            on.push(lane);
                        }
                    }
                    if on.is_empty() {
                        break;
                    }
                    self.block(body, &on)?;
                    lanes = on;
                }
            }
            Stmt::Barrier => {
                if lanes.len() != self.program.group_size as usize {
                    return Err(Error::internal(format!("not all of a group reach a barrier of {}", self.program)));
                }
            }
        }
        Ok(())
    }

    fn place(&self, buffer: usize, index: usize) -> Result<(usize, std::ops::Range<usize>)> {
        let b = &self.buffers[buffer];
        let start = b.first + index * b.size;
        if start + b.size > self.memories[b.memory].len() {
            return Err(Error::internal(format!("{} reaches element {index} of buffer {buffer}", self.program)));
        }
        Ok((b.memory, start..start + b.size))
    }

    fn load(&self, buffer: usize, index: usize) -> Result<u64> {
        let (memory, range) = self.place(buffer, index)?;
        let bytes = &self.memories[memory][range];
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let raw = u64::from_le_bytes(word);
        Ok(match (self.language, self.buffers[buffer].dtype) {
            (_, DType::Bool) => u64::from(raw != 0),
            (Language::Wgsl, _) => raw,
            (Language::Cuda, DType::F16) => u64::from(f16::from_bits(raw as u16).to_f32().to_bits()),
            (Language::Cuda, DType::BF16) => u64::from(bf16::from_bits(raw as u16).to_f32().to_bits()),
            (Language::Cuda, DType::I8) => u64::from(raw as u8 as i8 as i32 as u32),
            (Language::Cuda, DType::I16) => u64::from(raw as u16 as i16 as i32 as u32),
            _ => raw,
        })
    }

    fn store(&mut self, buffer: usize, index: usize, value: u64) -> Result<()> {
        let (memory, range) = self.place(buffer, index)?;
        let float = f32::from_bits(value as u32);
        let cuda = self.language == Language::Cuda;
        let raw = match self.buffers[buffer].dtype {
            DType::F16 if cuda => u64::from(f16::from_f32(float).to_bits()),
            DType::BF16 if cuda => u64::from(bf16::from_f32(float).to_bits()),
            DType::F16 => u64::from(f16::from_f32(float).to_f32().to_bits()),
            DType::BF16 => u64::from(bf16::from_f32(float).to_f32().to_bits()),
            DType::I8 => u64::from(value as i8 as i32 as u32),
            DType::I16 => u64::from(value as i16 as i32 as u32),
            DType::U8 => u64::from(value as u8),
            DType::U16 => u64::from(value as u16),
            _ => value,
        };
        let len = range.len();
        self.memories[memory][range].copy_from_slice(&raw.to_le_bytes()[..len]);
        Ok(())
    }

    fn eval(&self, e: &E, lane: usize) -> Result<u64> {
        Ok(match &*e.node {
            Node::Const(bits) => *bits,
            Node::Param(i) => u64::from(self.params[*i]),
            Node::Var(i) => self.vars[*i][lane],
            Node::Local => lane as u64,
            Node::Group => u64::from(self.group),
            Node::Groups => u64::from(self.groups),
            Node::Load(buffer, index) => self.load(buffer.0, self.eval(index, lane)? as usize)?,
            Node::LoadShared(array, index) => {
                let at = self.eval(index, lane)? as usize;
                let found = self.shared[array.0].get(at);
                *found.ok_or_else(|| Error::internal(format!("{} reads past a shared array", self.program)))?
            }
            Node::Un(f, x) => unary(*f, x.ty, self.eval(x, lane)?),
            Node::Bin(f, a, b) => {
                let x = self.eval(a, lane)?;
                // As in every language, the second operand may not be computed at all.
                match (f, a.ty, x) {
                    (Bin::And, Ty::Bool, 0) => 0,
                    (Bin::Or, Ty::Bool, 1) => 1,
                    _ => binary(*f, a.ty, x, self.eval(b, lane)?),
                }
            }
            Node::Select(condition, yes, no) => {
                let (condition, yes, no) = (self.eval(condition, lane)?, self.eval(yes, lane)?, self.eval(no, lane)?);
                if condition != 0 { yes } else { no }
            }
            Node::Cast(x) => cast(x.ty, e.ty, self.eval(x, lane)?),
            Node::Bits(x) => self.eval(x, lane)?,
        })
    }
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn unary(f: Un, ty: Ty, x: u64) -> u64 {
    macro_rules! float {
        ($x:expr) => {
            match f {
                Un::Neg => -$x,
                Un::Abs => $x.abs(),
                Un::Exp => $x.exp(),
                Un::Log => $x.ln(),
                Un::Sqrt => $x.sqrt(),
                Un::Sin => $x.sin(),
                Un::Cos => $x.cos(),
                Un::Tan => $x.tan(),
                Un::Asin => $x.asin(),
                Un::Acos => $x.acos(),
                Un::Atan => $x.atan(),
                Un::Tanh => $x.tanh(),
                Un::Floor => $x.floor(),
                Un::Ceil => $x.ceil(),
                Un::Trunc => $x.trunc(),
                Un::Round => $x.round_ties_even(),
                Un::Not => $x,
            }
        };
    }
    match (ty, f) {
        (Ty::F32, _) => u64::from(float!(f32_of(x)).to_bits()),
        (Ty::F64, _) => float!(f64::from_bits(x)).to_bits(),
        (Ty::Bool, _) => u64::from(x == 0),
        (Ty::I32 | Ty::U32, Un::Neg) => u64::from((x as u32).wrapping_neg()),
        (Ty::I64 | Ty::U64, Un::Neg) => x.wrapping_neg(),
        (Ty::I32 | Ty::U32, Un::Not) => u64::from(!(x as u32)),
        (_, Un::Not) => !x,
        (Ty::I32, Un::Abs) => u64::from((x as u32 as i32).wrapping_abs() as u32),
        (Ty::I64, Un::Abs) => (x as i64).wrapping_abs() as u64,
        _ => x,
    }
}

fn binary(f: Bin, ty: Ty, x: u64, y: u64) -> u64 {
    macro_rules! float {
        ($x:expr, $y:expr) => {{
            let (x, y) = ($x, $y);
            match f {
                Bin::Add => x + y,
                Bin::Sub => x - y,
                Bin::Mul => x * y,
                Bin::Div => x / y,
                Bin::Rem => x % y,
                Bin::Min => x.min(y),
                Bin::Max => x.max(y),
                Bin::Pow => x.powf(y),
                Bin::Atan2 => x.atan2(y),
                Bin::Eq => return u64::from(x == y),
                Bin::Ne => return u64::from(x != y),
                Bin::Lt => return u64::from(x < y),
                Bin::Le => return u64::from(x <= y),
                Bin::And | Bin::Or | Bin::Xor | Bin::Shl | Bin::Shr => x,
            }
        }};
    }
    macro_rules! integer {
        ($ty:ty) => {{
            let (x, y) = (x as $ty, y as $ty);
            match f {
                Bin::Add => x.wrapping_add(y),
                Bin::Sub => x.wrapping_sub(y),
                Bin::Mul => x.wrapping_mul(y),
                Bin::Div => x.checked_div(y).unwrap_or(x),
                Bin::Rem => x.checked_rem(y).unwrap_or(0),
                Bin::Min => x.min(y),
                Bin::Max => x.max(y),
                Bin::And => x & y,
                Bin::Or => x | y,
                Bin::Xor => x ^ y,
                Bin::Shl => x.wrapping_shl(y as u32),
                Bin::Shr => x.wrapping_shr(y as u32),
                Bin::Eq => return u64::from(x == y),
                Bin::Ne => return u64::from(x != y),
                Bin::Lt => return u64::from(x < y),
                Bin::Le => return u64::from(x <= y),
                Bin::Pow | Bin::Atan2 => x,
            }
        }};
    }
    match ty {
        Ty::F32 => u64::from(float!(f32_of(x), f32_of(y)).to_bits()),
        Ty::F64 => float!(f64::from_bits(x), f64::from_bits(y)).to_bits(),
        Ty::I32 => u64::from(integer!(i32) as u32),
        Ty::U32 => u64::from(integer!(u32)),
        Ty::I64 => integer!(i64) as u64,
        Ty::U64 => integer!(u64),
        Ty::Bool => u64::from(match f {
            Bin::And => x & y != 0,
            Bin::Or => x | y != 0,
            Bin::Eq => x == y,
            _ => x != y,
        }),
    }
}

fn cast(from: Ty, to: Ty, x: u64) -> u64 {
    macro_rules! to {
        ($x:expr) => {{
            let x = $x;
            match to {
                Ty::Bool => u64::from(x as f64 != 0.0),
                Ty::I32 => u64::from(x as i32 as u32),
                Ty::U32 => u64::from(x as u32),
                Ty::I64 => x as i64 as u64,
                Ty::U64 => x as u64,
                Ty::F32 => u64::from((x as f32).to_bits()),
                Ty::F64 => (x as f64).to_bits(),
            }
        }};
    }
    match from {
        Ty::Bool => to!(u8::from(x != 0)),
        Ty::I32 => to!(x as u32 as i32),
        Ty::U32 => to!(x as u32),
        Ty::I64 => to!(x as i64),
        Ty::U64 => to!(x),
        Ty::F32 => to!(f32_of(x)),
        Ty::F64 => to!(f64::from_bits(x)),
    }
}
