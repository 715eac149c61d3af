//! Regions of elementwise nodes on scalars: the nodes pass each other bare values in registers, not tensors.

use crate::io::{Entry, Io, NodeMeta};
use crate::kernel::{AnyKernel, Cost};
use crate::region::{Member, Region, Source};
use crate::scalars::{self, Call, ScalarFunction, fits_register};
use levada_graph::{DType, Result};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Members between two checks of the clock.
const LOOK_EVERY: usize = 1024;

/// A region whose members have one output each; those with the same kernel should share it. If all its inputs are
/// scalars, its members' functions of scalars compute it; otherwise it runs like any other region. Members whose kernel
/// [stacks](AnyKernel::stacks) come last.
pub struct ScalarRegion {
    region: Region,
    /// The kernels of the members, each once, with the names of the first member that has it: a long list of members
    /// stays in the caches only if little is read for each.
    kinds: Box<[(Arc<dyn AnyKernel>, NodeMeta)]>,
    /// The functions of the kernels, found in the first run; `None` for one that needs tensors.
    functions: OnceLock<Box<[Option<ScalarFunction>]>>,
    instructions: Box<[Instruction]>,
    /// The registers that the members read, member by member.
    sources: Box<[Register]>,
    inputs: Box<[DType]>,
    /// The constants, with their registers.
    constants: Box<[(u32, u64)]>,
    outputs: Box<[Output]>,
    registers: usize,
}

/// A register, and the dtype of its contents.
#[derive(Clone, Copy)]
struct Register {
    number: u32,
    dtype: DType,
}

/// What a member does with registers.
struct Instruction {
    /// Index of its kernel.
    kind: u32,
    /// Where its registers end among the sources.
    end: u32,
    /// The register that it writes.
    to: u32,
}

/// What leaves the region.
#[derive(Clone)]
enum Output {
    Scalar(Register),
    /// A vector of the contents of these registers.
    Vector(DType, Box<[u32]>),
}

impl ScalarRegion {
    /// Assigns each value a register, which is reused after its last use: a short list stays in the nearest cache.
    /// `None` if a constant is not a scalar that fits, or a member does not have exactly one output. `inputs` are the
    /// dtypes of the region's inputs.
    pub fn new(region: Region, inputs: Box<[DType]>) -> Option<ScalarRegion> {
        let count = region.inputs as usize + region.members.len();
        // The last member that takes each value; for an output, none.
        let mut last = vec![usize::MAX; count];
        for (at, member) in region.members.iter().enumerate() {
            if member.outputs.len() != 1 || member.outputs.start as usize != region.inputs as usize + at {
                return None;
            }
            let at = if member.kernel.stacks() { usize::MAX } else { at };
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
        let mut constants = Vec::new();
        let mut of_constants = Vec::new();
        for constant in &region.constants {
            let (number, dtype) = (next(), constant.dtype());
            constants.push((number, scalars::read(constant, dtype)?));
            of_constants.push(Register { number, dtype });
        }
        let mut of: Vec<Output> = Vec::with_capacity(count);
        of.extend((0..).zip(&inputs).map(|(number, &dtype)| Output::Scalar(Register { number, dtype })));
        if of.len() != region.inputs as usize {
            return None;
        }
        let mut free: Vec<u32> = Vec::new();
        let mut sources = Vec::new();
        let mut instructions = Vec::with_capacity(region.members.len());
        let mut kinds: Vec<(Arc<dyn AnyKernel>, NodeMeta)> = Vec::new();
        let mut numbers: HashMap<*const (), u32> = HashMap::new();
        for (at, member) in region.members.iter().enumerate() {
            let of_source = |source: &Source| match *source {
                Source::Constant(constant) => of_constants.get(constant as usize).copied(),
                Source::Value(value) => match of.get(value as usize)? {
                    Output::Scalar(register) => Some(*register),
                    Output::Vector(..) => None,
                },
            };
            let given = member.inputs.iter().map(of_source).collect::<Option<SmallVec<[Register; 4]>>>()?;
            let dtype = *member.meta.outputs.first().filter(|dtype| fits_register(**dtype))?;
            if member.kernel.stacks() {
                of.push(Output::Vector(dtype, given.iter().map(|register| register.number).collect()));
                continue;
            }
            for source in &member.inputs {
                if let Source::Value(value) = *source
                    && last[value as usize] == at
                    && let Output::Scalar(register) = of[value as usize]
                {
                    // Once, though the member may take it twice.
                    last[value as usize] = usize::MAX;
                    free.push(register.number);
                }
            }
            sources.extend(given);
            let to = free.pop().unwrap_or_else(&mut next);
            of.push(Output::Scalar(Register { number: to, dtype }));
            let kind = *numbers.entry(Arc::as_ptr(&member.kernel).cast()).or_insert_with(|| {
                kinds.push((member.kernel.clone(), member.meta.clone()));
                kinds.len() as u32 - 1
            });
            instructions.push(Instruction { kind, end: u32::try_from(sources.len()).ok()?, to });
        }
        let outputs = region.outputs.iter().map(|&output| of.get(output as usize).cloned()).collect::<Option<_>>()?;
        Some(ScalarRegion {
            region,
            kinds: kinds.into(),
            functions: OnceLock::new(),
            instructions: instructions.into(),
            sources: sources.into(),
            inputs,
            constants: constants.into(),
            outputs,
            registers: registers as usize,
        })
    }

    /// The functions of the kernels, if they fit all members that have the kernel.
    fn find_functions(&self, io: &Io<'_>) -> Box<[Option<ScalarFunction>]> {
        let mut functions: Box<[Option<ScalarFunction>]> =
            self.kinds.iter().map(|(kernel, meta)| kernel.scalar_function(meta, io.step())).collect();
        let mut start = 0;
        for (instruction, member) in self.instructions.iter().zip(&self.region.members) {
            let end = instruction.end as usize;
            let given = self.sources[start..end].iter().map(|register| register.dtype);
            start = end;
            let function = &mut functions[instruction.kind as usize];
            *function = function.take().filter(|f| f.fits(given) && member.meta.outputs[..] == [f.gives]);
        }
        functions
    }

    /// Computes with registers; false, with all inputs unchanged, if that is not possible.
    fn by_registers(&self, io: &mut Io<'_>) -> Result<bool> {
        let mut registers = vec![0; self.registers];
        for (i, (register, &dtype)) in registers.iter_mut().zip(&self.inputs).enumerate() {
            match scalars::read(io.input(i)?, dtype) {
                Some(bits) => *register = bits,
                None => return Ok(false),
            }
        }
        for &(register, bits) in &self.constants {
            registers[register as usize] = bits;
        }
        let functions = self.functions.get_or_init(|| self.find_functions(io));
        let mut given: SmallVec<[u64; 8]> = SmallVec::new();
        let mut start = 0;
        for (part, instructions) in self.instructions.chunks(LOOK_EVERY).enumerate() {
            if part > 0 {
                io.step().check()?;
            }
            for (at, instruction) in instructions.iter().enumerate() {
                let sources = &self.sources[start..instruction.end as usize];
                start = instruction.end as usize;
                let value = match (functions[instruction.kind as usize].as_ref().map(|f| &f.call), sources) {
                    (Some(Call::Two(f)), [x, y]) => f(registers[x.number as usize], registers[y.number as usize]),
                    (Some(Call::One(f)), [x]) => f(registers[x.number as usize]),
                    (Some(call), sources) => {
                        given.clear();
                        given.extend(sources.iter().map(|from| registers[from.number as usize]));
                        call.of(&given)
                    }
                    (None, sources) => {
                        let member = &self.region.members[part * LOOK_EVERY + at];
                        match by_tensors(io, member, sources, &registers)? {
                            Some(value) => value,
                            None => return Ok(false),
                        }
                    }
                };
                registers[instruction.to as usize] = value;
            }
        }
        for (i, output) in self.outputs.iter().enumerate() {
            let tensor = match output {
                Output::Scalar(register) => scalars::tensor(register.dtype, registers[register.number as usize]),
                Output::Vector(dtype, of) => {
                    scalars::vector(*dtype, of.iter().map(|&number| registers[number as usize]))?
                }
            };
            io.set(i, tensor);
        }
        Ok(true)
    }
}

/// Computes a member whose kernel has no function of scalars; `None` if its output is not a scalar that fits.
///
/// # Errors
/// The kernel's error, with the member's name.
#[cold]
fn by_tensors(io: &mut Io<'_>, member: &Member, given: &[Register], registers: &[u64]) -> Result<Option<u64>> {
    let entry = |from: &Register| Entry::Value(scalars::tensor(from.dtype, registers[from.number as usize]));
    let mut inputs: SmallVec<[Entry; 4]> = given.iter().map(entry).collect();
    let mut outputs = [Entry::Empty];
    let computed = io.compute_part(&*member.kernel, &mut inputs, &mut outputs, &member.meta);
    computed.map_err(|error| error.at_node(&member.meta.name, member.meta.op))?;
    let output = outputs[0].tensor().filter(|tensor| tensor.dtype() == member.meta.outputs[0]);
    Ok(output.and_then(|tensor| scalars::read(tensor, tensor.dtype())))
}

impl AnyKernel for ScalarRegion {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        if self.by_registers(io)? { Ok(()) } else { self.region.compute(io) }
    }

    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}
