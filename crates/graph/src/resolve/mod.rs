//! Decodes one node: infers attrs from its inputs, checks attrs, arity and types.

mod attrs;
mod inputs;

use self::attrs::{check_value, is_lack, missing, tensor_dtype, unknown_attrs, wrong_inference};
use self::inputs::{wrong_arity, wrong_types};
use crate::attr::{AttrList, AttrValue, Attrs};
use crate::dtype::{DType, EdgeType};
use crate::error::{Error, Result};
use crate::op::{AnyOp, OpDef};
use crate::spec::{Arg, AttrSpec, Ty};
use smallvec::SmallVec;
use std::sync::Arc;

/// A node's op with everything that follows from its attrs and inputs.
pub struct Resolved {
    /// The op with its attrs decoded.
    pub op: Arc<dyn AnyOp>,
    /// The attrs, with inferred ones added.
    pub attrs: Attrs,
    /// Types of the inputs, as the op expects them.
    pub input_types: SmallVec<[EdgeType; 2]>,
    /// Types of the outputs.
    pub output_types: SmallVec<[EdgeType; 2]>,
}

/// Decodes a node: infers attrs from the types of its inputs, checks attrs, arity and types. An input type of `None` is
/// unknown (its node is at fault) and is not checked.
///
/// # Errors
/// Every fault, not yet naming the node. The path of each is relative to the node: `attr.T`, `input[1]`.
pub fn resolve(def: &OpDef, attrs: &Attrs, inputs: &[Option<EdgeType>]) -> Result<Resolved, Vec<Error>> {
    match examine(def, attrs.clone(), Some(inputs), &[]) {
        Examined { faults, lacks, .. } if !faults.is_empty() || !lacks.is_empty() => {
            Err(faults.into_iter().chain(lacks).collect())
        }
        Examined { result: Ok(resolved), .. } => Ok(resolved),
        Examined { open, .. } => Err(open.iter().map(|spec| missing(spec)).collect()),
    }
}

/// The result of examining a node, right or wrong.
pub(crate) struct Examined {
    /// The node, if nothing is wrong or unknown; else its attrs, with inferred ones added.
    pub result: Result<Resolved, Attrs>,
    /// The faults. The path of each is relative to the node.
    pub faults: Vec<Error>,
    /// Unsupported features: attrs that the op does not have here, and values that they do not take.
    pub lacks: Vec<Error>,
    /// Attrs that would follow from inputs of unknown type.
    pub open: Vec<&'static AttrSpec>,
    /// The certain output types of a node that is not resolved; `None` if not even their number is certain.
    pub outputs: Option<Types>,
}

/// Types that may be unknown.
pub(crate) type Types = SmallVec<[Option<EdgeType>; 2]>;

/// As [`resolve`], for nodes that are already partly unknown: the inputs, or the values of the attrs in `broken`.
pub(crate) fn examine(
    def: &OpDef,
    mut attrs: Attrs,
    inputs: Option<&[Option<EdgeType>]>,
    broken: &[Arc<str>],
) -> Examined {
    let is_broken = |name: &str| broken.iter().any(|b| **b == *name);
    let inferred = infer_attrs(def, &mut attrs, inputs.unwrap_or_default(), &is_broken);
    let (mut faults, mut lacks) = (Vec::new(), unknown_attrs(def, &attrs));
    let mut open = Vec::new();
    // Attrs that must not be relied on: wrong, missing or unknown.
    let mut unsure: SmallVec<[&str; 4]> = SmallVec::new();
    let mut absent: SmallVec<[&'static AttrSpec; 4]> = SmallVec::new();
    for spec in def.attrs {
        match attrs.get(spec.name) {
            _ if is_broken(spec.name) => unsure.push(spec.name),
            Some(value) => {
                if let Err(error) = check_value(def, value, spec) {
                    let list = if is_lack(value, spec) { &mut lacks } else { &mut faults };
                    list.push(match inferred.contains(&spec.name) {
                        true => wrong_inference(def, value, spec),
                        false => error,
                    });
                    unsure.push(spec.name);
                }
            }
            None if spec.default.is_none() => {
                unsure.push(spec.name);
                match governs_inputs(def, spec.name) {
                    true => absent.push(spec),
                    false => faults.push(missing(spec)),
                }
            }
            None => {}
        }
    }
    faults.extend(tensor_dtype(def, &attrs, &unsure));
    let known = Known { def, attrs: &attrs, unsure: &unsure };
    let (mut fits, mut input_types) = (false, None);
    if let Some(inputs) = inputs {
        match known.count(def.spec.inputs) {
            Some(n) if n != inputs.len() => faults.push(wrong_arity(def, n, inputs.len())),
            Some(_) => {
                input_types = known.expand(def.spec.inputs);
                fits = true;
            }
            None => {}
        }
    }
    let output_types = match known.count(def.spec.outputs) {
        Some(n) if n > MOST_OUTPUTS => {
            faults.push(too_many_outputs(def, n));
            None
        }
        Some(_) => known.expand(def.spec.outputs),
        None => None,
    };
    if let (true, Some(types), Some(inputs)) = (fits, &input_types, inputs) {
        wrong_types(def, &attrs, types, inputs, &mut faults);
    }
    // An attr that the inputs should determine is missing only if nothing else is wrong with them.
    let waits = inputs.is_none_or(|inputs| inputs.iter().any(Option::is_none));
    match waits || !faults.is_empty() || !lacks.is_empty() {
        true => open.extend(absent),
        false => faults.extend(absent.iter().map(|spec| missing(spec))),
    }
    let decided = faults.is_empty() && lacks.is_empty() && open.is_empty() && broken.is_empty();
    if let (true, Some(input_types), Some(output_types)) = (decided && fits, &input_types, &output_types) {
        let input_types = input_types.iter().copied().flatten().collect();
        let output_types = output_types.iter().copied().flatten().collect();
        match def.decode(&attrs) {
            Ok(op) => {
                let result = Ok(Resolved { op, attrs, input_types, output_types });
                return Examined { result, faults, lacks, open, outputs: None };
            }
            Err(error) => faults.push(with_attr_path(error)),
        }
    }
    if decided && faults.is_empty() && inputs.is_some() {
        let error = format!("the attrs of {} do not determine the number of its inputs and outputs", def.spec.name);
        faults.push(Error::invalid(error).path("attr"));
    }
    let outputs = output_types.map(|types| {
        let fixed = fixed_outputs(def, &types);
        types.iter().zip(fixed).map(|(ty, fixed)| if fixed { *ty } else { None }).collect()
    });
    Examined { result: Err(attrs), faults, lacks, open, outputs }
}

fn with_attr_path(error: Error) -> Error {
    match error.fault().attr.clone() {
        Some(attr) if error.fault().path.is_none() => error.path(format!("attr.{attr}")),
        _ => error,
    }
}

/// More outputs than any real node has; a wrong attr must not exhaust the memory.
const MOST_OUTPUTS: usize = 1 << 20;

fn too_many_outputs(def: &OpDef, n: usize) -> Error {
    let error = Error::new(crate::Code::ResourceExhausted, format!("{} has too many outputs", def.spec.name))
        .expected(format!("at most {MOST_OUTPUTS}"))
        .found(n);
    match def.spec.outputs.iter().find_map(|arg| arg.times) {
        Some(attr) => error.path(format!("attr.{attr}")).attr(attr),
        None => error,
    }
}

fn governs_inputs(def: &OpDef, attr: &str) -> bool {
    def.spec.inputs.iter().any(|arg| arg.times == Some(attr) || matches!(arg.ty, Ty::Of(a) | Ty::Each(a) if a == attr))
}

/// For each output, whether its type is independent of the attrs.
fn fixed_outputs(def: &OpDef, types: &Types) -> SmallVec<[bool; 2]> {
    let outputs = def.spec.outputs;
    if outputs.len() == types.len() && outputs.iter().all(|a| a.times.is_none() && !matches!(a.ty, Ty::Each(_))) {
        return outputs.iter().map(|a| matches!(a.ty, Ty::Is(_))).collect();
    }
    let fixed = outputs.iter().all(|a| matches!(a.ty, Ty::Is(_)));
    SmallVec::from_elem(fixed, types.len())
}

/// Infers the missing attrs that the number and types of the inputs determine; returns their names.
fn infer_attrs(
    def: &OpDef,
    attrs: &mut Attrs,
    inputs: &[Option<EdgeType>],
    is_broken: &dyn Fn(&str) -> bool,
) -> SmallVec<[&'static str; 4]> {
    let mut inferred = SmallVec::new();
    let args = def.spec.inputs;
    let lacks = |attrs: &Attrs, name: &str| attrs.get(name).is_none() && !is_broken(name);
    let complete = args.iter().all(|arg| {
        arg.times.is_none_or(|n| attrs.get(n).is_some())
            && match arg.ty {
                Ty::Of(name) | Ty::Each(name) => attrs.get(name).is_some(),
                Ty::Is(_) => true,
            }
    });
    if complete {
        return inferred;
    }
    // Arguments of unknown length share the remaining inputs.
    let counts: SmallVec<[Option<usize>; 4]> = args
        .iter()
        .map(|arg| match (arg.times, arg.ty) {
            (Some(n), _) => match attrs.get(n) {
                Some(AttrValue::I(n)) => usize::try_from(*n).ok(),
                _ => None,
            },
            (None, Ty::Each(list)) => match attrs.get(list) {
                Some(AttrValue::List(types)) => Some(types.len()),
                _ => None,
            },
            _ => Some(1),
        })
        .collect();
    let said = counts.iter().flatten().fold(0usize, |sum, n| sum.saturating_add(*n));
    let silent = counts.iter().filter(|n| n.is_none()).count();
    let share = inputs.len().saturating_sub(said).checked_div(silent).unwrap_or(0);
    let mut next = 0;
    for (arg, count) in args.iter().zip(counts) {
        let left = inputs.len() - next;
        let given = &inputs[next..next + count.unwrap_or(share).min(left)];
        next += given.len();
        if let Some(n) = arg.times.filter(|n| lacks(attrs, n)) {
            attrs.set(n, AttrValue::I(given.len() as i64));
            inferred.push(n);
        }
        match arg.ty {
            Ty::Of(name) if lacks(attrs, name) => {
                if let Some(first) = given.iter().flatten().next() {
                    attrs.set(name, AttrValue::Type(first.dtype.value()));
                    inferred.push(name);
                }
            }
            Ty::Each(name) if lacks(attrs, name) => {
                let types: Option<Vec<EdgeType>> = given.iter().map(|t| t.map(|t| t.dtype.value())).collect();
                if let Some(types) = types {
                    attrs.set(name, AttrValue::List(AttrList::Type(types)));
                    inferred.push(name);
                }
            }
            _ => {}
        }
    }
    inferred
}

/// Attrs, some of which must not be relied on.
struct Known<'a> {
    def: &'a OpDef,
    attrs: &'a Attrs,
    unsure: &'a [&'a str],
}

impl Known<'_> {
    /// The number of input or output tensors in `args`, if known.
    fn count(&self, args: &[Arg]) -> Option<usize> {
        let mut count = 0usize;
        for arg in args {
            let mut n = match arg.times {
                Some(attr) => self.int(attr)?,
                None => 1,
            };
            if let Ty::Each(attr) = arg.ty {
                n = 0;
                self.dtypes(attr, |_| n += 1)?;
            }
            count = count.saturating_add(n);
        }
        Some(count)
    }

    /// The type of every input or output tensor in `args`; `None` if their number is unknown.
    fn expand(&self, args: &[Arg]) -> Option<Types> {
        let mut types = Types::new();
        for arg in args {
            let times = match arg.times {
                Some(attr) => self.int(attr)?,
                None => 1,
            };
            let edge = |dtype: DType| Some(EdgeType { dtype, is_ref: arg.is_ref });
            match arg.ty {
                Ty::Is(dtype) => types.extend(std::iter::repeat_n(edge(dtype), times)),
                Ty::Of(attr) => types.extend(std::iter::repeat_n(self.dtype(attr).and_then(edge), times)),
                Ty::Each(attr) => self.dtypes(attr, |dtype| types.push(edge(dtype)))?,
            }
        }
        Some(types)
    }

    fn spec(&self, attr: &str) -> Option<&'static AttrSpec> {
        if self.unsure.contains(&attr) { None } else { self.def.attr(attr) }
    }

    fn int(&self, attr: &str) -> Option<usize> {
        let spec = self.spec(attr)?;
        match (self.attrs.get(attr), spec.default) {
            (Some(&AttrValue::I(n)), _) | (None, Some(crate::spec::AttrDefault::Int(n))) => usize::try_from(n).ok(),
            _ => None,
        }
    }

    fn dtype(&self, attr: &str) -> Option<DType> {
        let spec = self.spec(attr)?;
        match (self.attrs.get(attr), spec.default) {
            (Some(AttrValue::Type(ty)), _) => Some(ty.dtype),
            (None, Some(crate::spec::AttrDefault::Type(dtype))) => Some(dtype),
            _ => None,
        }
    }

    fn dtypes(&self, attr: &str, mut each: impl FnMut(DType)) -> Option<()> {
        let spec = self.spec(attr)?;
        match (self.attrs.get(attr), spec.default) {
            (Some(AttrValue::List(AttrList::Type(types))), _) => types.iter().for_each(|ty| each(ty.dtype)),
            (Some(AttrValue::List(AttrList::Empty)), _) | (None, Some(crate::spec::AttrDefault::Empty)) => {}
            (None, Some(crate::spec::AttrDefault::Types(types))) => types.iter().for_each(|dtype| each(*dtype)),
            _ => return None,
        }
        Some(())
    }
}
