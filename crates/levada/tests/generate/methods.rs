//! The methods of `levada::Ops`: one file for each family.

use super::{differentiable, dtypes};
use levada::graph::OpDef;
use levada::graph::attr::AttrKind;
use levada::graph::spec::{Arg, AttrDefault, AttrSpec, Ty, prose};
use std::fmt::Write;

const HEAD: &str = "// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.\n";

/// Words that cannot be the name of a method, an argument or a field.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Methods that every description has, which no setter may hide; `node` is a variable of the methods of `Ops`.
const TAKEN: &[&str] = &["add", "after", "device", "name", "node"];

/// `ops/mod.rs`.
pub fn index(families: &[(&str, Vec<OpDef>)]) -> String {
    let mut out = format!("{HEAD}//! The ops by family.\n");
    for (family, ops) in families.iter().filter(|(_, ops)| !ops.is_empty()) {
        let some: Vec<String> = ops.iter().take(3).map(|op| format!("`{}`", op.spec.name)).collect();
        let more = if ops.len() > 3 { format!(" and {} more", ops.len() - 3) } else { String::new() };
        let _ = write!(out, "\n/// {}{more}.\n#[rustfmt::skip]\npub mod {family};\n", some.join(", "));
    }
    out
}

/// The file of a family.
pub fn family(family: &str, ops: &[OpDef]) -> String {
    let mut out = format!("{HEAD}//! The ops of the family `{family}`.\n\n");
    let text: String = ops.iter().map(method).collect();
    let types: String = ops.iter().map(described).collect();
    let used = |name: &str| text.contains(name) || types.contains(name);
    let of_node: Vec<&str> =
        ["common", "no_output", "one_output"].into_iter().filter(|name| !group(ops, name).is_empty()).collect();
    let helpers = ["string", "strings"].into_iter().filter(|name| used(&format!("{name}(")));
    let mut from_node = vec!["Input", "Node", "Ops"];
    from_node.retain(|name| *name != "Input" || text.contains("impl Input"));
    from_node.extend(of_node.iter().copied().chain(helpers));
    let _ = writeln!(out, "use crate::node::{{{}}};", from_node.join(", "));
    let graph: Vec<&str> = ["DType", "Func", "PartialShape", "Tensor"]
        .into_iter()
        .filter(|name| is_type(name).iter().any(|n| used(n)))
        .collect();
    if !graph.is_empty() {
        let names = graph.join(", ");
        let _ = match graph.len() {
            1 => writeln!(out, "use levada_graph::{names};"),
            _ => writeln!(out, "use levada_graph::{{{names}}};"),
        };
    }
    if types.contains(": Output") || types.contains("Vec<Output>") {
        out.push_str("use levada_builder::Output;\n");
    }
    let _ = write!(out, "\nimpl Ops<'_> {{\n{}}}\n", text.trim_start_matches('\n'));
    out.push_str(&types);
    for name in &of_node {
        let _ = write!(out, "\n{name}! {{\n");
        for op in group(ops, name) {
            let _ = writeln!(out, "    {op}");
        }
        out.push_str("}\n");
    }
    out
}

/// The forms in which an imported type appears in the text.
fn is_type(name: &str) -> [String; 4] {
    [format!("<{name}>"), format!("[{name}]"), format!(": {name})"), format!(": {name},")]
}

/// The ops that one of the macros covers.
fn group<'a>(ops: &'a [OpDef], name: &str) -> Vec<&'a str> {
    let is_for = |op: &&OpDef| match name {
        "common" => true,
        "no_output" => op.spec.outputs.is_empty(),
        _ => matches!(op.spec.outputs, [only] if !is_list(only)),
    };
    ops.iter().filter(is_for).map(|op| op.spec.name).collect()
}

fn is_list(arg: &Arg) -> bool {
    arg.times.is_some() || matches!(arg.ty, Ty::Each(_))
}

/// A name in snake case, avoiding keywords.
fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (i, &c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| letters[i]);
        let next_is_lower = letters.get(i + 1).is_some_and(|n| n.is_ascii_lowercase());
        let starts_word = c.is_ascii_uppercase()
            && before.is_some_and(|b| {
                b.is_ascii_lowercase()
                    || (b.is_ascii_uppercase() && next_is_lower)
                    || (b.is_ascii_digit() && next_is_lower)
                    || is_version(&letters[i..])
            });
        if starts_word && !out.ends_with('_') {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    free(out)
}

/// `V2` and the like.
fn is_version(rest: &[char]) -> bool {
    matches!(rest, ['V', digits @ ..] if !digits.is_empty() && digits.iter().all(char::is_ascii_digit))
}

fn free(name: String) -> String {
    if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// The name of an attr's argument or setter.
fn attr_name(attr: &AttrSpec) -> String {
    let name = snake(attr.name);
    if TAKEN.contains(&name.as_str()) { format!("{name}_attr") } else { name }
}

/// True if the attr follows from the inputs.
fn follows(op: &OpDef, attr: &AttrSpec) -> bool {
    op.spec
        .inputs
        .iter()
        .any(|arg| arg.times == Some(attr.name) || matches!(arg.ty, Ty::Of(name) | Ty::Each(name) if name == attr.name))
}

fn required(op: &OpDef) -> Vec<&'static AttrSpec> {
    op.attrs.iter().filter(|a| a.default.is_none() && !follows(op, a)).collect()
}

fn optional(op: &OpDef) -> Vec<&'static AttrSpec> {
    op.attrs.iter().filter(|a| a.default.is_some() && !follows(op, a)).collect()
}

/// The type of an attr's argument, and the expression that sets it.
fn parameter(attr: &AttrSpec, name: &str) -> (&'static str, String) {
    let list = |ty: &'static str| (ty, format!("{name}.to_vec()"));
    match attr.kind {
        AttrKind::S => ("impl AsRef<[u8]>", format!("string({name})")),
        AttrKind::I => ("i64", name.to_owned()),
        AttrKind::F => ("f32", name.to_owned()),
        AttrKind::B => ("bool", name.to_owned()),
        AttrKind::Type => ("DType", name.to_owned()),
        AttrKind::Shape => ("impl Into<PartialShape>", format!("{name}.into()")),
        AttrKind::Tensor => ("impl Into<Tensor>", format!("{name}.into()")),
        AttrKind::Func => ("impl Into<Func>", format!("{name}.into()")),
        AttrKind::ListS => ("&[impl AsRef<[u8]>]", format!("strings({name})")),
        AttrKind::ListI => list("&[i64]"),
        AttrKind::ListF => list("&[f32]"),
        AttrKind::ListB => list("&[bool]"),
        AttrKind::ListType => list("&[DType]"),
        AttrKind::ListShape => ("&[PartialShape]", format!("{name}.to_vec()")),
        AttrKind::ListTensor => ("&[Tensor]", format!("{name}.to_vec()")),
        AttrKind::ListFunc => list("&[Func]"),
    }
}

/// The expression that sets the value: a conversion needs its type.
fn set(attr: &AttrSpec, name: &str) -> String {
    let (ty, value) = parameter(attr, name);
    let typed = ty.strip_prefix("impl Into<").and_then(|ty| ty.strip_suffix('>'));
    match typed {
        Some(ty) => format!("node.set({:?}, Into::<{ty}>::into({name}));", attr.name),
        None => format!("node.set({:?}, {value});", attr.name),
    }
}

/// The method of an op on `Ops`.
fn method(op: &OpDef) -> String {
    let name = op.spec.name;
    let mut inputs: Vec<(String, &Arg)> = Vec::new();
    for arg in op.spec.inputs {
        let mut input = free(snake(arg.name));
        while inputs.iter().any(|(taken, _)| *taken == input) || input == "node" {
            input.push('_');
        }
        inputs.push((input, arg));
    }
    let attrs: Vec<(String, &AttrSpec)> = required(op)
        .into_iter()
        .map(|attr| {
            let name = attr_name(attr);
            let taken = inputs.iter().any(|(input, _)| *input == name);
            (if taken { format!("{name}_attr") } else { name }, attr)
        })
        .collect();

    let mut out = String::from("\n");
    comment(&mut out, "    ", &prose(op.doc));
    if !inputs.is_empty() || !attrs.is_empty() {
        out.push_str("    ///\n");
    }
    for (input, arg) in &inputs {
        item(&mut out, input, &kind(arg));
    }
    for (attr_name, attr) in &attrs {
        item(&mut out, attr_name, &about(attr));
    }
    let types = type_attrs(op);
    if !types.is_empty() {
        out.push_str("    ///\n");
        comment(&mut out, "    ", &types);
    }
    if !differentiable(op) && !op.spec.outputs.is_empty() {
        out.push_str("    ///\n    /// It has no gradient.\n");
    }
    let parameters: Vec<String> = inputs
        .iter()
        .map(|(input, arg)| match is_list(arg) {
            true => format!("{input}: impl IntoIterator<Item = impl Input>"),
            false => format!("{input}: impl Input"),
        })
        .chain(attrs.iter().map(|(name, attr)| format!("{name}: {}", parameter(attr, name).0)))
        .collect();
    let _ = writeln!(out, "    pub fn {}(&self{}) -> {name}<'_> {{", snake(name), {
        parameters.iter().map(|p| format!(", {p}")).collect::<String>()
    });
    let mut value = format!("Node::new(self, {name:?})");
    for (input, arg) in &inputs {
        let _ = write!(value, ".{}({input})", if is_list(arg) { "list" } else { "input" });
    }
    if attrs.is_empty() {
        let _ = writeln!(out, "        {name}({value})");
    } else {
        let _ = writeln!(out, "        let mut node = {value};");
        for (attr_name, attr) in &attrs {
            let _ = writeln!(out, "        {}", set(attr, attr_name));
        }
        let _ = writeln!(out, "        {name}(node)");
    }
    out.push_str("    }\n");
    out
}

/// The type that describes a node of an op, with a setter for each attr that has a default, and the type of its
/// outputs.
fn described(op: &OpDef) -> String {
    let name = op.spec.name;
    let mut out = String::new();
    let _ = write!(
        out,
        "\n/// A node of [`{}`](Ops::{}) that is being described.\n#[must_use = \"it is no node before it is added\"]\npub struct {name}<'a>(Node<'a>);\n",
        name,
        snake(name)
    );
    let optional = optional(op);
    let many = outputs(op);
    if !optional.is_empty() || many.is_some() {
        let _ = writeln!(out, "\nimpl {name}<'_> {{");
        let mut first = true;
        for attr in optional {
            let setter = attr_name(attr);
            if !std::mem::take(&mut first) {
                out.push('\n');
            }
            comment(&mut out, "    ", &about(attr));
            let ty = parameter(attr, &setter).0;
            let set = set(attr, &setter).replacen("node.set", "self.0.set", 1);
            let _ = write!(
                out,
                "    pub fn {setter}(mut self, {setter}: {ty}) -> Self {{\n        {set}\n        self\n    }}\n"
            );
        }
        if let Some((ty, body)) = &many {
            if !first {
                out.push('\n');
            }
            let _ = write!(
                out,
                "    /// Adds the node to the graph; returns its outputs.\n    pub fn add(self) -> {ty} {{\n        let mut outputs = self.0.outputs();\n        {body}\n    }}\n"
            );
        }
        out.push_str("}\n");
    }
    if many.is_some() && op.spec.outputs.len() > 1 {
        let copy = if op.spec.outputs.iter().any(is_list) { "" } else { "Copy, " };
        let _ = write!(
            out,
            "\n/// The outputs of [`{name}`](Ops::{}).\n#[derive(Clone, {copy}Debug)]\npub struct {name}Outputs {{\n",
            snake(name)
        );
        for arg in op.spec.outputs {
            let ty = if is_list(arg) { "Vec<Output>" } else { "Output" };
            let about = sentence(&kind(arg));
            let _ = write!(out, "    /// {about}\n    pub {}: {ty},\n", snake(arg.name));
        }
        out.push_str("}\n");
    }
    out
}

/// The result type of `add` for an op whose outputs are not a single tensor, and its body; `None` for no output and for
/// one.
fn outputs(op: &OpDef) -> Option<(String, String)> {
    let of = |arg: &Arg| if is_list(arg) { "outputs.list()" } else { "outputs.one()" };
    match op.spec.outputs {
        [] => None,
        [only] if !is_list(only) => None,
        [_] => Some(("Vec<Output>".to_owned(), "outputs.list()".to_owned())),
        several => {
            let fields: Vec<String> = several.iter().map(|arg| format!("{}: {}", snake(arg.name), of(arg))).collect();
            let ty = format!("{}Outputs", op.spec.name);
            Some((ty.clone(), format!("{ty} {{ {} }}", fields.join(", "))))
        }
    }
}

/// The kind of an argument.
fn kind(arg: &Arg) -> String {
    let of = match arg.ty {
        Ty::Is(dtype) => dtype.name().to_owned(),
        Ty::Of(attr) => format!("`{attr}`"),
        Ty::Each(_) => return "any number of tensors of any dtypes".to_owned(),
    };
    match (arg.times.is_some(), arg.is_ref) {
        (true, false) => format!("any number of tensors of {of}"),
        (true, true) => format!("references to variables of {of}"),
        (false, false) => format!("a tensor of {of}"),
        (false, true) => format!("a reference to a variable of {of}"),
    }
}

/// The dtypes of the attrs that follow from the inputs.
fn type_attrs(op: &OpDef) -> String {
    let says = |attr: &&AttrSpec| follows(op, attr) && matches!(attr.kind, AttrKind::Type | AttrKind::ListType);
    let one = |attr: &AttrSpec| format!("`{}` is {}.", attr.name, dtypes(attr.dtypes));
    op.attrs.iter().filter(says).map(one).collect::<Vec<_>>().join(" ")
}

/// The description of an attr, its allowed values, and its default.
fn about(attr: &AttrSpec) -> String {
    let mut out = prose(attr.doc);
    if !out.ends_with('.') {
        out.push('.');
    }
    let mut more = Vec::new();
    if !attr.strings.is_empty() {
        more.push(format!("One of {}.", quoted(attr.strings)));
    }
    if matches!(attr.kind, AttrKind::Type | AttrKind::ListType) && !attr.dtypes.is_empty() {
        more.push(format!("Allowed: {}.", dtypes(attr.dtypes)));
    }
    match (attr.min, attr.kind) {
        (Some(min), AttrKind::I) => more.push(format!("At least {min}.")),
        (Some(min), _) => more.push(format!("Length at least {min}.")),
        (None, _) => {}
    }
    if let Some(default) = attr.default {
        more.push(format!("Default: {}.", default_text(default)));
    }
    if !more.is_empty() {
        out.push(' ');
        out.push_str(&more.join(" "));
    }
    out
}

fn quoted(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("`{text:?}`")).collect::<Vec<_>>().join(", ")
}

fn default_text(default: AttrDefault) -> String {
    match default {
        AttrDefault::Int(v) => format!("`{v}`"),
        AttrDefault::Float(v) => format!("`{v:?}`"),
        AttrDefault::Bool(v) => format!("`{v}`"),
        AttrDefault::Str(v) => format!("`{v:?}`"),
        AttrDefault::Type(v) => v.name().to_owned(),
        AttrDefault::Shape(None) => "not known".to_owned(),
        AttrDefault::Shape(Some(v)) => format!("`{v:?}`"),
        AttrDefault::Ints(v) => format!("`{v:?}`"),
        AttrDefault::Floats(v) => format!("`{v:?}`"),
        AttrDefault::Strs(v) => quoted(v),
        AttrDefault::Types(v) => v.iter().map(|d| d.name()).collect::<Vec<_>>().join(", "),
        AttrDefault::Octets(v) => format!("`{v:?}`"),
        AttrDefault::Empty => "none".to_owned(),
        AttrDefault::NoFunc => "no function".to_owned(),
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

fn item(out: &mut String, name: &str, text: &str) {
    let _ = writeln!(out, "    /// - `{name}`: {}", shown(text).replace('\n', " "));
}

fn comment(out: &mut String, indent: &str, text: &str) {
    for line in shown(text).lines() {
        let _ = writeln!(out, "{indent}///{}{line}", if line.is_empty() { "" } else { " " });
    }
}

/// Text for rustdoc: links to items that only the op library has become plain names, and text that looks like a link or
/// a tag but is not is escaped.
fn shown(text: &str) -> String {
    let mut out = String::new();
    let mut in_code = false;
    let letters: Vec<char> = text.chars().collect();
    let mut i = 0;
    while i < letters.len() {
        let c = letters[i];
        let is_link = |i: usize| letters.get(i + 1) == Some(&'`');
        match c {
            '`' => {
                in_code = !in_code;
                out.push(c);
                // The end of a link: its target is dropped too.
                if !in_code && letters.get(i + 1) == Some(&']') {
                    i += 1;
                    if letters.get(i + 1) == Some(&'(') {
                        i += letters[i..].iter().position(|&c| c == ')').unwrap_or(0);
                    }
                }
            }
            '[' if !in_code && is_link(i) => {}
            '[' | ']' | '<' | '>' if !in_code => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
        i += 1;
    }
    out
}
