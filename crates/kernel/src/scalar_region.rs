//! Regions of elementwise nodes on scalars: what the nodes hand to each other are bare numbers in registers, not tensors.

use crate::io::{Entry, Io, NodeMeta};
use crate::kernel::{AnyKernel, Cost};
use crate::region::{Member, Region, Source};
use crate::scalars::Scalar;
use levada_graph::{DType, Result};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Members between two looks at the clock.
const LOOK_EVERY: usize = 1024;

/// True for a dtype that a register can hold.
pub fn fits_register(dtype: DType) -> bool {
    matches!(dtype, DType::Bool | DType::I32 | DType::I64 | DType::F32 | DType::F64)
}

/// A region whose members have one output each; those with the same kernel should share it. Where everything that comes in is a scalar of a dtype that
/// [`fits_register`], its members' kernels compute with bare numbers; else it runs as any other region.
pub struct ScalarRegion {
    region: Region,
    /// The kernels of the members, each once.
    kinds: Box<[Kind]>,
    instructions: Box<[Instruction]>,
    /// The registers that the members take, one member behind the other.
    sources: Box<[u32]>,
    /// The constants, with their registers.
    constants: Box<[(u32, Scalar)]>,
    /// The register of each output.
    outputs: Box<[u32]>,
    registers: usize,
}

/// A kernel, which members share: a long list of them stays in the caches only if little is looked at for each.
struct Kind {
    kernel: Arc<dyn AnyKernel>,
    /// Names of the first member that has it.
    meta: NodeMeta,
    /// Set once it was found to need tensors. Relaxed: only saves work.
    needs_tensors: AtomicBool,
}

/// What a member does with registers.
struct Instruction {
    /// Number of its kernel.
    kind: u32,
    /// Where its registers end among the sources.
    end: u32,
    /// The register that it writes.
    to: u32,
}

impl ScalarRegion {
    /// Gives each value a register, which it leaves to another after its last use: a short list stays in the nearest
    /// cache. `None` where a constant is no scalar that fits, or a member has not one output.
    pub fn new(region: Region) -> Option<ScalarRegion> {
        let count = region.inputs as usize + region.members.len();
        // The last member that takes each value; for an output, none.
        let mut last = vec![usize::MAX; count];
        for (at, member) in region.members.iter().enumerate() {
            if member.outputs.len() != 1 || member.outputs.start as usize != region.inputs as usize + at {
                return None;
            }
            for source in &member.inputs {
                if let Source::Value(value) = source {
                    *last.get_mut(*value as usize)? = at;
                }
            }
        }
        for &output in &region.outputs {
            *last.get_mut(output as usize)? = usize::MAX;
        }
        let mut registers = region.inputs;
        let mut next = || {
            registers += 1;
            registers - 1
        };
        let constants: Box<[(u32, Scalar)]> =
            region.constants.iter().map(|constant| Some((next(), Scalar::read(constant)?))).collect::<Option<_>>()?;
        let mut of: Vec<u32> = (0..region.inputs).collect();
        let mut free: Vec<u32> = Vec::new();
        let mut sources = Vec::new();
        let mut instructions = Vec::with_capacity(region.members.len());
        let mut kinds: Vec<Kind> = Vec::new();
        let mut numbers: HashMap<*const (), u32> = HashMap::new();
        for (at, member) in region.members.iter().enumerate() {
            for source in &member.inputs {
                sources.push(match *source {
                    Source::Constant(constant) => constants.get(constant as usize)?.0,
                    Source::Value(value) => *of.get(value as usize)?,
                });
            }
            for source in &member.inputs {
                if let Source::Value(value) = *source
                    && last[value as usize] == at
                {
                    // Once, though the member may take it twice.
                    last[value as usize] = usize::MAX;
                    free.push(of[value as usize]);
                }
            }
            let to = free.pop().unwrap_or_else(&mut next);
            of.push(to);
            let kind = *numbers.entry(Arc::as_ptr(&member.kernel).cast()).or_insert_with(|| {
                let (kernel, meta) = (member.kernel.clone(), member.meta.clone());
                kinds.push(Kind { kernel, meta, needs_tensors: AtomicBool::new(false) });
                kinds.len() as u32 - 1
            });
            instructions.push(Instruction { kind, end: u32::try_from(sources.len()).ok()?, to });
        }
        let outputs = region.outputs.iter().map(|&output| of.get(output as usize).copied()).collect::<Option<_>>()?;
        let (kinds, instructions, sources) = (kinds.into(), instructions.into(), sources.into());
        Some(ScalarRegion { region, kinds, instructions, sources, constants, outputs, registers: registers as usize })
    }
}

impl ScalarRegion {
    /// Computes with registers; false, with all inputs as they were, where that cannot be.
    fn by_registers(&self, io: &mut Io<'_>) -> Result<bool> {
        let mut registers = vec![Scalar::Bool(false); self.registers];
        for (i, register) in registers.iter_mut().enumerate().take(self.region.inputs as usize) {
            match Scalar::read(io.input(i)?) {
                Some(value) => *register = value,
                None => return Ok(false),
            }
        }
        for &(register, value) in &self.constants {
            registers[register as usize] = value;
        }
        let mut given: SmallVec<[Scalar; 8]> = SmallVec::new();
        let mut start = 0;
        for (at, instruction) in self.instructions.iter().enumerate() {
            if at % LOOK_EVERY == LOOK_EVERY - 1 {
                io.step().check()?;
            }
            given.clear();
            let end = instruction.end as usize;
            given.extend(self.sources[start..end].iter().map(|&from| registers[from as usize]));
            start = end;
            let kind = &self.kinds[instruction.kind as usize];
            let bare = match kind.needs_tensors.load(Ordering::Relaxed) {
                true => None,
                false => io.compute_bare(&*kind.kernel, &given, &kind.meta),
            };
            registers[instruction.to as usize] = match bare {
                Some(value) => value,
                None => match by_tensors(io, &self.region.members[at], &given)? {
                    Some(value) => {
                        kind.needs_tensors.store(true, Ordering::Relaxed);
                        value
                    }
                    None => return Ok(false),
                },
            };
        }
        for (i, &register) in self.outputs.iter().enumerate() {
            io.set(i, registers[register as usize].tensor());
        }
        Ok(true)
    }
}

/// Computes a member whose kernel cannot do without tensors; `None` where it gives something else than a scalar that fits.
///
/// # Errors
/// What the kernel fails with, with the member's name.
fn by_tensors(io: &mut Io<'_>, member: &Member, given: &[Scalar]) -> Result<Option<Scalar>> {
    let mut inputs: SmallVec<[Entry; 4]> = given.iter().map(|value| Entry::Value(value.tensor())).collect();
    let mut outputs = [Entry::Empty];
    let computed = io.compute_part(&*member.kernel, &mut inputs, &mut outputs, &member.meta);
    computed.map_err(|error| error.at_node(&member.meta.name, member.meta.op))?;
    Ok(outputs[0].tensor().and_then(Scalar::read))
}

impl AnyKernel for ScalarRegion {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        if self.by_registers(io)? { Ok(()) } else { self.region.compute(io) }
    }

    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}
