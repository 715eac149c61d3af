//! Checks the attrs of a node against the op's spec.

use crate::attr::{AttrKind, AttrList, AttrValue, Attrs};
use crate::dtype::{DType, EdgeType};
use crate::error::{Code, Error, Result};
use crate::op::{OpDef, check_attr, nearest};
use crate::spec::{AttrSpec, Ty};

/// The error for a missing attr.
pub(super) fn missing(spec: &AttrSpec) -> Error {
    Error::invalid(format!("the attr {} is missing", spec.name))
        .path("attr")
        .attr(spec.name)
        .expected(expected(spec))
        .help(format!("add {}", example(spec)))
}

/// The kind of an attr, with the allowed values.
fn expected(spec: &AttrSpec) -> String {
    let kind = spec.kind.words();
    if !spec.strings.is_empty() {
        return format!("{kind}, one of {}", spec.strings.join(", "));
    }
    // A list of nearly all dtypes is of no help.
    if !spec.dtypes.is_empty() && spec.dtypes.len() <= 10 {
        return format!("{kind}, one of {}", dtypes(spec));
    }
    match spec.min {
        Some(min) if spec.kind.is_list() => format!("{kind}, at least {min} of them"),
        Some(min) => format!("{kind}, at least {min}"),
        None => kind.to_owned(),
    }
}

/// The allowed values, for a value of the right kind that is not allowed.
fn allowed(spec: &AttrSpec) -> String {
    if spec.dtypes.is_empty() { expected(spec) } else { format!("one of {}", dtypes(spec)) }
}

fn dtypes(spec: &AttrSpec) -> String {
    spec.dtypes.iter().map(|d| d.name()).collect::<Vec<_>>().join(", ")
}

/// True for a value of the attr's kind that the op does not support here: a dtype, a string.
pub(super) fn is_lack(value: &AttrValue, spec: &AttrSpec) -> bool {
    let too_small = match (value, spec.min) {
        (AttrValue::I(v), Some(min)) => *v < min,
        (AttrValue::List(list), Some(min)) => (list.len() as i64) < min,
        _ => false,
    };
    spec.kind.fits(value) && reference(value).is_none() && !too_small
}

/// The first reference dtype in a value.
fn reference(value: &AttrValue) -> Option<&EdgeType> {
    match value {
        AttrValue::Type(ty) => Some(ty).filter(|t| t.is_ref),
        AttrValue::List(AttrList::Type(types)) => types.iter().find(|t| t.is_ref),
        _ => None,
    }
}

/// The error for an unsupported feature, unless it looks like a typo.
fn lacking(mut error: Error) -> Error {
    if error.fault().help.is_none() {
        error.fault_mut().code = Code::Unimplemented;
    }
    error
}

/// An example of how the attr is written.
fn example(spec: &AttrSpec) -> String {
    let text = spec.strings.first().copied().unwrap_or("...");
    let dtype = spec.dtypes.first().map_or("float32", |_| match spec.dtypes.contains(&DType::F32) {
        true => "float32",
        false => spec.dtypes[0].name(),
    });
    let name = spec.name;
    match spec.kind {
        AttrKind::S => format!(r#""{name}": "{text}""#),
        AttrKind::I => format!(r#""{name}": {}"#, spec.min.unwrap_or(1)),
        AttrKind::F => format!(r#""{name}": 0.5"#),
        AttrKind::B => format!(r#""{name}": true"#),
        AttrKind::Type => format!(r#""{name}": "{dtype}""#),
        AttrKind::Shape => format!(r#""{name}": [null, 64]"#),
        AttrKind::Tensor => format!(r#""{name}": [[1, 2], [3, 4]]"#),
        AttrKind::Func => format!(r#""{name}": "the_function""#),
        AttrKind::ListS => format!(r#""{name}": ["{text}"]"#),
        AttrKind::ListI if spec.min == Some(4) => format!(r#""{name}": [1, 2, 2, 1]"#),
        AttrKind::ListI => format!(r#""{name}": {:?}"#, (1..=spec.min.unwrap_or(2).clamp(2, 8)).collect::<Vec<_>>()),
        AttrKind::ListF => format!(r#""{name}": [0.5, 1.5]"#),
        AttrKind::ListB => format!(r#""{name}": [true, false]"#),
        AttrKind::ListType => format!(r#""{name}": ["{dtype}"]"#),
        AttrKind::ListShape => format!(r#""{name}": [[null, 64], []]"#),
        AttrKind::ListTensor => format!(r#""{name}": [[1, 2], [3, 4]]"#),
        AttrKind::ListFunc => format!(r#""{name}": ["the_function"]"#),
    }
}

/// Checks the value that a node gives an attr.
pub(super) fn check_value(def: &OpDef, value: &AttrValue, spec: &AttrSpec) -> Result<()> {
    let (op, name) = (def.spec.name, spec.name);
    let wrong = |message: String| {
        let error = Error::invalid(message).path(format!("attr.{name}")).attr(name);
        error.expected(expected(spec)).found(value)
    };
    if !spec.kind.fits(value) {
        let error = wrong(format!("the attr {name} of {op} is not {}", spec.kind.words()));
        return Err(error.help(format!("write {}", example(spec))));
    }
    if let Some(ty) = reference(value) {
        return Err(wrong(format!("the attr {name} of {op} names a dtype of references")).expected(ty.dtype).found(ty));
    }
    if check_attr(value, spec).is_ok() {
        return Ok(());
    }
    let strings: &[bytes::Bytes] = match value {
        AttrValue::S(s) => std::slice::from_ref(s),
        AttrValue::List(AttrList::S(list)) => list,
        _ => &[],
    };
    Err(match value {
        AttrValue::List(list) if spec.min.is_some_and(|min| (list.len() as i64) < min) => {
            wrong(format!("the attr {name} of {op} is too short")).help(format!("write {}", example(spec)))
        }
        _ => {
            let error = wrong(format!("the attr {name} of {op} has an invalid value"));
            let error = string_hint(error.expected(allowed(spec)), strings, spec);
            if is_lack(value, spec) { lacking(error) } else { error }
        }
    })
}

/// The error for an attr inferred from the inputs whose value is not allowed: the inputs are wrong then.
pub(super) fn wrong_inference(def: &OpDef, value: &AttrValue, spec: &AttrSpec) -> Error {
    let op = def.spec.name;
    match (value, spec.min) {
        (AttrValue::I(n), Some(min)) => {
            let inputs = |n: i64| if n == 1 { "1 input".to_owned() } else { format!("{n} inputs") };
            Error::invalid(format!("{op} takes at least {}", inputs(min)))
                .path("input")
                .expected(format!("at least {}", inputs(min)))
                .found(inputs(*n))
        }
        (AttrValue::List(list), Some(min)) if (list.len() as i64) < min => {
            Error::invalid(format!("{op} takes more inputs")).path("input").expected(expected(spec)).found(value)
        }
        _ => {
            let input =
                def.spec.inputs.iter().position(|arg| matches!(arg.ty, Ty::Of(a) | Ty::Each(a) if a == spec.name));
            Error::unimplemented(format!("{op} does not take inputs of this type"))
                .path(format!("input[{}]", input.unwrap_or(0)))
                .expected(allowed(spec))
                .found(value)
        }
    }
}

/// The help for a string that is not allowed: misspelt, or plain text instead of base64.
fn string_hint(error: Error, strings: &[bytes::Bytes], spec: &AttrSpec) -> Error {
    use base64::Engine;
    for string in strings {
        if spec.strings.iter().any(|s| s.as_bytes() == &string[..]) {
            continue;
        }
        let encoded = base64::engine::general_purpose::STANDARD.encode(string);
        if let Some(plain) = spec.strings.iter().find(|s| **s == encoded) {
            return error
                .found(format!("{plain:?}, which stands for other bytes"))
                .help(format!("\"s\" holds base64; write \"{}\": \"{plain}\" without the \"s\"", spec.name));
        }
        let text = String::from_utf8_lossy(string);
        if let Some(near) = nearest(&text, spec.strings.iter().copied()) {
            return error.help(format!("did you mean {near:?}?"));
        }
    }
    error
}

/// Attrs that the op does not have. Those with a leading underscore are allowed on any op; those with a zero value
/// (false, zero, empty) are defaults that newer writers add and older readers may ignore.
pub(super) fn unknown_attrs(def: &OpDef, attrs: &Attrs) -> Vec<Error> {
    let mut faults = Vec::new();
    for (name, value) in attrs.iter() {
        if name.starts_with('_') || def.attr(name).is_some() || says_nothing(value) {
            continue;
        }
        let error = Error::invalid(format!("{} has no attr {name}", def.spec.name))
            .path(format!("attr.{name}"))
            .attr(name)
            .found(value);
        let names = || def.attrs.iter().map(|a| a.name);
        faults.push(match nearest(name, names()) {
            Some(near) => error.help(format!("did you mean {near:?}?")),
            None if def.attrs.is_empty() => lacking(error).expected("no attrs"),
            None => lacking(error).expected(format!("one of {}", names().collect::<Vec<_>>().join(", "))),
        });
    }
    faults
}

fn says_nothing(value: &AttrValue) -> bool {
    match value {
        AttrValue::S(s) => s.is_empty(),
        AttrValue::I(i) => *i == 0,
        AttrValue::F(f) => *f == 0.0,
        AttrValue::B(b) => !b,
        AttrValue::List(list) => list.is_empty(),
        AttrValue::Shape(shape) => shape.rank().is_none(),
        AttrValue::Func(func) => func.name.is_empty(),
        AttrValue::Type(_) | AttrValue::Tensor(_) | AttrValue::Placeholder(_) => false,
    }
}

/// Checks that a tensor attr has the dtype of the attr `dtype` next to it.
pub(super) fn tensor_dtype(def: &OpDef, attrs: &Attrs, unsure: &[&str]) -> Option<Error> {
    if unsure.contains(&"dtype") || def.attr("dtype")?.kind != AttrKind::Type {
        return None;
    }
    let Some(AttrValue::Type(said)) = attrs.get("dtype") else { return None };
    let spec = def.attrs.iter().find(|a| a.kind == AttrKind::Tensor && !unsure.contains(&a.name))?;
    let Some(AttrValue::Tensor(tensor)) = attrs.get(spec.name) else { return None };
    (tensor.dtype() != said.dtype).then(|| {
        Error::invalid(format!("the dtype of the attr {} differs from the attr dtype", spec.name))
            .path(format!("attr.{}", spec.name))
            .attr(spec.name)
            .expected(format!("a tensor of {}", said.dtype))
            .found(format!("a tensor of {}", tensor.dtype()))
    })
}
