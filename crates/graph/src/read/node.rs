//! `GraphDef`, `NodeDef` and the function library from JSON.

use super::cursor::{Cursor, Step};
use super::json::{Json, Member};
use crate::attr::{AttrKind, AttrValue, Attrs};
use crate::check::Broken;
use crate::def::{ArgDef, AttrDef, FunctionDef, Library, NodeDef, Signature, Versions};
use crate::dtype::DType;
use crate::error::Error;
use crate::op::{OpDef, Registry};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A string field, empty if absent.
macro_rules! text {
    ($cx:expr, $member:expr) => {
        $member.and_then(|m| $cx.member(m, |cx, json| cx.string(json))).unwrap_or_default()
    };
}

/// A list field, empty if absent.
macro_rules! items {
    ($cx:expr, $member:expr, $what:literal, $read:expr) => {
        $member.and_then(|m| $cx.member(m, |cx, json| cx.list(json, $what, $read))).unwrap_or_default()
    };
}

impl<'s> Cursor<'s> {
    /// A `NodeDef`. The second value lists the parts at fault, which are left out.
    pub fn node(&mut self, json: &Json<'s>, registry: Option<&Registry>) -> (NodeDef, Broken) {
        let mut broken = Broken::default();
        let before = self.faults.len();
        let names = &["name", "op", "input", "device", "attr", "experimental_debug_info", "experimental_type"];
        let Some([name, op, input, device, attr, _, _]) = self.fields(json, "a node", names) else {
            (broken.name, broken.op, broken.inputs) = (true, true, true);
            return (NodeDef::default(), broken);
        };
        let unknown_fields = self.faults.len() > before;
        let mut def = NodeDef { name: text!(self, name), op: text!(self, op), ..NodeDef::default() };
        // A present but unreadable field is already a fault, and so may be a misspelt one.
        let absent = |m: Option<&Member<'s>>| m.map_or(!unknown_fields, |m| m.value.as_str() == Some(""));
        (broken.name, broken.op) = (def.name.is_empty(), def.op.is_empty());
        let lacks = Broken { name: broken.name && absent(name), op: broken.op && absent(op), ..Broken::default() };
        broken.inputs = unknown_fields && input.is_none();
        if let Some(member) = input {
            match self.member(member, |cx, json| cx.complete(json, Cursor::string)) {
                Some(inputs) => def.inputs = inputs,
                None => broken.inputs = true,
            }
        }
        def.device = text!(self, device);
        broken.all_attrs = unknown_fields && attr.is_none();
        if let Some(member) = attr {
            let op = registry.map(|r| r.get(&def.op));
            match self.member(member, |cx, json| cx.attrs(json, op, &mut broken.attrs)) {
                Some(attrs) => def.attrs = attrs,
                None => broken.all_attrs = true,
            }
        }
        self.name_node(before, &def, &lacks);
        (def, broken)
    }

    /// Adds faults for a missing name or op, and names the node in all its faults.
    pub fn name_node(&mut self, before: usize, def: &NodeDef, lacks: &Broken) {
        if lacks.name {
            self.fault(Error::invalid("the node has no name").help("add \"name\": a name that no other node has"));
        }
        if lacks.op {
            self.fault(Error::invalid("the node has no op").help("add \"op\": the name of an op such as \"MatMul\""));
        }
        for fault in &mut self.faults[before..] {
            let error = std::mem::replace(&mut fault.error, Error::internal(""));
            fault.error = match def.name.is_empty() {
                true => error,
                false => error.at_node(&def.name, &def.op),
            };
        }
    }

    /// Checks the name of a node in a function.
    pub fn function_node_name(&mut self, def: &NodeDef) {
        if let (false, Err(mut error)) = (def.name.is_empty(), crate::check::legal_name(&def.name)) {
            let path = error.fault_mut().path.take().unwrap_or_default();
            self.within(Step::Key(&path), None, |cx| cx.fault(error.at_node(&def.name, &def.op)));
        }
    }

    /// The attrs of a node with this op, if a registry is given; the names of those at fault are added to `broken`.
    fn attrs(&mut self, json: &Json<'s>, op: Option<Option<&OpDef>>, broken: &mut Vec<Arc<str>>) -> Option<Attrs> {
        let unknown_op = matches!(op, Some(None));
        let op = op.flatten();
        let members = self.entries(json, "the attrs")?;
        let kind = |name: &str| op.and_then(|op| op.attr(name)).map(|a| a.kind);
        let mut pairs: Vec<(Arc<str>, AttrValue)> = Vec::with_capacity(members.len());
        let mut later: Vec<&Member<'s>> = Vec::new();
        for member in members {
            let kind = kind(&member.key);
            // The kind of a plain list is unknown if the op is unsupported.
            if unknown_op && matches!(member.value, Json::Array(_)) {
                let before = self.faults.len();
                self.attr(member, None, None, &mut pairs, &mut Vec::new());
                self.faults.truncate(before);
                continue;
            }
            // A plain tensor takes its dtype from another attr, so that one is read first.
            if kind == Some(AttrKind::Tensor) && !matches!(member.value, Json::Object(_)) {
                later.push(member);
                continue;
            }
            self.attr(member, kind, None, &mut pairs, broken);
        }
        let says_dtype = op.is_some_and(|op| op.attr("dtype").is_some_and(|a| a.kind == AttrKind::Type));
        for member in later {
            let given = pairs.iter().find(|(name, _)| says_dtype && &**name == "dtype").map(|(_, value)| value.clone());
            let dtype = match given {
                Some(AttrValue::Type(ty)) => Some(ty.dtype),
                _ => None,
            };
            if says_dtype && dtype.is_none() && broken.iter().any(|name| &**name == "dtype") {
                broken.push(self.intern(&member.key));
                continue;
            }
            self.attr(member, Some(AttrKind::Tensor), dtype, &mut pairs, broken);
        }
        let unsaid =
            says_dtype && !pairs.iter().any(|(n, _)| &**n == "dtype") && !broken.iter().any(|n| &**n == "dtype");
        if unsaid {
            let given = pairs.iter().find_map(|(_, value)| match value {
                AttrValue::Tensor(tensor) => Some(AttrValue::Type(tensor.dtype().value())),
                _ => None,
            });
            let name = self.intern("dtype");
            match given {
                Some(dtype) => pairs.push((name, dtype)),
                None if broken.iter().any(|n| kind(n) == Some(AttrKind::Tensor)) => broken.push(name),
                None => {}
            }
        }
        Some(pairs.into_iter().collect())
    }

    fn attr(
        &mut self,
        member: &Member<'s>,
        kind: Option<AttrKind>,
        dtype: Option<DType>,
        pairs: &mut Vec<(Arc<str>, AttrValue)>,
        broken: &mut Vec<Arc<str>>,
    ) {
        let before = self.faults.len();
        let name = self.intern(&member.key);
        let value = self.member(member, |cx, json| cx.attr_value(json, kind, dtype));
        for fault in &mut self.faults[before..] {
            fault.error.fault_mut().attr.get_or_insert_with(|| name.to_string());
        }
        match value {
            Some(value) if self.faults.len() == before => pairs.push((name, value)),
            None if self.faults.len() == before => {}
            _ => broken.push(name),
        }
    }

    /// `VersionDef`.
    pub fn versions(&mut self, json: &Json<'s>) -> Option<Versions> {
        let [producer, min_consumer, bad] =
            self.fields(json, "versions", &["producer", "min_consumer", "bad_consumers"])?;
        let mut number =
            |member: Option<&Member<'s>>| member.and_then(|m| self.member(m, |cx, json| cx.int(json))).unwrap_or(0);
        Some(Versions {
            producer: number(producer),
            min_consumer: number(min_consumer),
            bad_consumers: items!(self, bad, "versions", |cx, json| cx.int(json)),
        })
    }

    /// `FunctionDefLibrary`.
    pub fn library(&mut self, json: &Json<'s>, registry: Option<&Registry>) -> Option<Library> {
        let [function, gradient, registered] =
            self.fields(json, "a library", &["function", "gradient", "registered_gradients"])?;
        Some(Library {
            functions: items!(self, function, "functions", |cx, json| cx.function(json, registry)),
            gradients: items!(self, gradient, "gradients", |cx, json| {
                let [name, gradient] = cx.fields(json, "a gradient", &["function_name", "gradient_func"])?;
                Some((text!(cx, name), text!(cx, gradient)))
            }),
            registered_gradients: items!(self, registered, "registeredGradients", |cx, json| {
                let names = &["gradient_func", "registered_op_type"];
                let [gradient, op_type] = cx.fields(json, "a registered gradient", names)?;
                Some((text!(cx, op_type), text!(cx, gradient)))
            }),
        })
    }

    fn function(&mut self, json: &Json<'s>, registry: Option<&Registry>) -> Option<FunctionDef> {
        let names = &["signature", "attr", "arg_attr", "resource_arg_unique_id", "node_def", "ret", "control_ret"];
        let [signature, attr, arg_attr, unique_id, node_def, ret, control_ret] =
            self.fields(json, "a function", names)?;
        let signature = signature.and_then(|m| self.member(m, |cx, json| cx.signature(json))).unwrap_or_default();
        if signature.name.is_empty() {
            self.fault(Error::invalid("the function has no name").help("add \"name\" to its signature"));
        }
        Some(FunctionDef {
            signature,
            attrs: attr.and_then(|m| self.member(m, |cx, json| cx.attr_map(json))).unwrap_or_default(),
            arg_attrs: self.numbered(arg_attr, |cx, json| {
                let [attr] = cx.fields(json, "the attrs of a parameter", &["attr"])?;
                Some(attr.and_then(|m| cx.member(m, |cx, json| cx.attr_map(json))).unwrap_or_default())
            }),
            resource_arg_unique_ids: self.numbered(unique_id, |cx, json| cx.int(json)),
            nodes: items!(self, node_def, "nodes", |cx, json| {
                let (def, _) = cx.node(json, registry);
                cx.function_node_name(&def);
                Some(def)
            }),
            ret: self.text_map(ret),
            control_ret: self.text_map(control_ret),
        })
    }

    fn signature(&mut self, json: &Json<'s>) -> Option<Signature> {
        let names = &[
            "name",
            "input_arg",
            "output_arg",
            "control_output",
            "attr",
            "is_stateful",
            "summary",
            "description",
            "deprecation",
            "is_commutative",
            "is_aggregate",
            "allows_uninitialized_input",
            "is_distributed_communication",
        ];
        let [name, inputs, outputs, control, attrs, stateful, summary, description, ..] =
            self.fields(json, "a signature", names)?;
        Some(Signature {
            name: text!(self, name),
            inputs: items!(self, inputs, "parameters", Cursor::arg_def),
            outputs: items!(self, outputs, "results", Cursor::arg_def),
            control_outputs: items!(self, control, "names", |cx, json| cx.string(json)),
            attrs: items!(self, attrs, "attrs", Cursor::attr_def),
            is_stateful: stateful.and_then(|m| self.member(m, |cx, json| cx.bool(json))).unwrap_or(false),
            summary: text!(self, summary),
            description: text!(self, description),
        })
    }

    fn arg_def(&mut self, json: &Json<'s>) -> Option<ArgDef> {
        let names = &[
            "name",
            "description",
            "type",
            "type_attr",
            "number_attr",
            "type_list_attr",
            "is_ref",
            "handle_data",
            "experimental_full_type",
        ];
        let [name, description, ty, type_attr, number_attr, type_list_attr, is_ref, ..] =
            self.fields(json, "a parameter or result", names)?;
        let ty = ty.filter(|m| !matches!(&m.value, Json::Int(0)) && m.value.as_str() != Some("DT_INVALID"));
        Some(ArgDef {
            name: text!(self, name),
            description: text!(self, description),
            ty: ty.and_then(|m| self.member(m, |cx, json| cx.edge_type(json))),
            type_attr: text!(self, type_attr),
            number_attr: text!(self, number_attr),
            type_list_attr: text!(self, type_list_attr),
            is_ref: is_ref.and_then(|m| self.member(m, |cx, json| cx.bool(json))).unwrap_or(false),
        })
    }

    fn attr_def(&mut self, json: &Json<'s>) -> Option<AttrDef> {
        let names = &["name", "type", "default_value", "description", "has_minimum", "minimum", "allowed_values"];
        let [name, kind, default, description, has_minimum, minimum, allowed] =
            self.fields(json, "an attr of a function", names)?;
        let bounded = has_minimum.and_then(|m| self.member(m, |cx, json| cx.bool(json))).unwrap_or(false);
        let minimum = minimum.and_then(|m| self.member(m, |cx, json| cx.int(json))).unwrap_or(0);
        let mut value = |member: Option<&Member<'s>>| {
            member.and_then(|m| self.member(m, |cx, json| cx.attr_value(json, None, None)))
        };
        Some(AttrDef {
            default: value(default),
            allowed: value(allowed),
            name: text!(self, name),
            kind: text!(self, kind),
            description: text!(self, description),
            minimum: bounded.then_some(minimum),
        })
    }

    fn numbered<T>(
        &mut self,
        member: Option<&Member<'s>>,
        mut read: impl FnMut(&mut Cursor<'s>, &Json<'s>) -> Option<T>,
    ) -> BTreeMap<u32, T> {
        let mut map = BTreeMap::new();
        let Some(member) = member else { return map };
        self.member(member, |cx, json| {
            for entry in cx.entries(json, "a map by number").unwrap_or_default() {
                let Ok(number) = entry.key.parse() else {
                    let error = Error::invalid("a parameter is named by its number").found(&entry.key);
                    cx.member(entry, |cx, _| cx.fault(error));
                    continue;
                };
                if let Some(value) = cx.member(entry, &mut read) {
                    map.insert(number, value);
                }
            }
        });
        map
    }

    fn text_map(&mut self, member: Option<&Member<'s>>) -> BTreeMap<String, String> {
        let mut map = BTreeMap::new();
        let Some(member) = member else { return map };
        self.member(member, |cx, json| {
            for entry in cx.entries(json, "a map of names").unwrap_or_default() {
                if let Some(text) = cx.member(entry, |cx, json| cx.string(json)) {
                    map.insert(entry.key.to_string(), text);
                }
            }
        });
        map
    }
}
