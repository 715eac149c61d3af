//! Signatures and savers from JSON, as in a `MetaGraphDef`. They only describe a graph, so fields that are not used
//! here are ignored.

use super::cursor::Cursor;
use super::json::Json;
use crate::meta::{SaverDef, SignatureDef, TensorDef};
use std::collections::BTreeMap;

const SIGNATURE: &[&str; 4] = &["inputs", "outputs", "method_name", "defaults"];
const TENSOR: &[&str; 5] = &["name", "dtype", "tensor_shape", "coo_sparse", "composite_tensor"];
const SPARSE: &[&str; 3] = &["indices_tensor_name", "values_tensor_name", "dense_shape_tensor_name"];
const SAVER: &[&str; 7] = &[
    "filename_tensor_name",
    "save_tensor_name",
    "restore_op_name",
    "max_to_keep",
    "sharded",
    "keep_checkpoint_every_n_hours",
    "version",
];

impl<'s> Cursor<'s> {
    /// Signatures by name.
    pub fn signatures(&mut self, json: &Json<'s>) -> Option<BTreeMap<String, SignatureDef>> {
        self.named(json, "signatureDef", Cursor::signature_def)
    }

    fn signature_def(&mut self, json: &Json<'s>) -> Option<SignatureDef> {
        let [inputs, outputs, method, defaults] = self.fields(json, "a signature", SIGNATURE)?;
        let mut tensors = |member: Option<&super::json::Member<'s>>, what| {
            member.and_then(|m| self.member(m, |cx, json| cx.named(json, what, Cursor::tensor_def))).unwrap_or_default()
        };
        let (inputs, outputs) = (tensors(inputs, "inputs"), tensors(outputs, "outputs"));
        let method = method.and_then(|m| self.member(m, Cursor::string)).unwrap_or_default();
        let defaults = defaults
            .and_then(|m| self.member(m, |cx, json| cx.named(json, "defaults", Cursor::tensor)))
            .unwrap_or_default();
        Some(SignatureDef { inputs, outputs, method, defaults })
    }

    fn tensor_def(&mut self, json: &Json<'s>) -> Option<TensorDef> {
        let [name, dtype, shape, sparse, _] = self.fields(json, "a tensor of a signature", TENSOR)?;
        let def = TensorDef {
            endpoint: name.and_then(|m| self.member(m, Cursor::string)).unwrap_or_default(),
            dtype: dtype.and_then(|m| self.member(m, Cursor::edge_type)),
            shape: shape.and_then(|m| self.member(m, Cursor::shape)).unwrap_or_default(),
            ..TensorDef::default()
        };
        match sparse.and_then(|m| self.member(m, Cursor::sparse_endpoints)) {
            Some([indices, values, dense_shape]) => Some(def.sparse(indices, values, dense_shape)),
            None => Some(def),
        }
    }

    fn sparse_endpoints(&mut self, json: &Json<'s>) -> Option<[String; 3]> {
        let fields = self.fields(json, "the endpoints of a sparse tensor", SPARSE)?;
        Some(fields.map(|member| member.and_then(|m| self.member(m, Cursor::string)).unwrap_or_default()))
    }

    /// The nodes that save and restore.
    pub fn saver(&mut self, json: &Json<'s>) -> Option<SaverDef> {
        let [filename, save, restore, ..] = self.fields(json, "a saver", SAVER)?;
        let mut text = |member: Option<&super::json::Member<'s>>| {
            member.and_then(|m| self.member(m, Cursor::string)).unwrap_or_default()
        };
        Some(SaverDef { filename: text(filename), save: text(save), restore: text(restore) })
    }

    /// The result of `read` for each entry of a map, by key.
    fn named<T>(
        &mut self,
        json: &Json<'s>,
        what: &str,
        read: impl Fn(&mut Cursor<'s>, &Json<'s>) -> Option<T>,
    ) -> Option<BTreeMap<String, T>> {
        let mut named = BTreeMap::new();
        for member in self.entries(json, what)? {
            if let Some(value) = self.member(member, &read) {
                named.insert(member.key.to_string(), value);
            }
        }
        Some(named)
    }
}
