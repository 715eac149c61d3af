//! Writes a SavedModel of a session: its graph with nodes that save and restore, signatures, the values of the
//! variables, assets. TensorFlow can load it.

use crate::bind::path_constant;
use crate::proto::{
    AssetFile, GraphOnly, MetaGraphAdditions, MetaInfo, SavedModel, SaverVersion, TensorName, TensorShape,
};
use crate::signature::INIT;
use levada_builder::Builder;
use levada_checkpoint::Writer;
use levada_graph::collections::{Collection, VariableDef, add_variable, variables};
use levada_graph::graph::split_endpoint;
use levada_graph::meta::{Meta, SaverDef, SignatureDef, TensorDef};
use levada_graph::{AttrValue, Bytes, DType, Error, Graph, GraphDef, PartialShape, Result, Shape, Tensor, write};
use levada_kernel::files::failed;
use levada_session::Session;
use levada_train::Variable;
use prost::Message;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The collection that names the op that initializes a model.
const MAIN_OP: &str = "saved_model_main_op";
/// The collection of the variables that are saved.
const VARIABLES: &str = "variables";
/// The method name of a signature that returns what it computes.
const PREDICT: &str = "tensorflow/serving/predict";
/// The graph version written if a graph has none: older versions have different semantics.
const PRODUCER: i32 = 1882;

/// The parts of a SavedModel besides the graph of a session and the values of its variables.
#[derive(Clone, Debug)]
pub struct Export {
    tags: Vec<String>,
    signatures: BTreeMap<String, Vec<Argument>>,
    assets: Vec<(String, PathBuf)>,
    init_op: Option<String>,
}

/// An input or output of a signature: its name and its endpoint.
#[derive(Clone, Debug)]
struct Argument {
    is_input: bool,
    name: String,
    endpoint: String,
}

impl Default for Export {
    fn default() -> Export {
        Export::new()
    }
}

impl Export {
    /// A model for serving, without signatures.
    pub fn new() -> Export {
        Export { tags: vec!["serve".to_owned()], signatures: BTreeMap::new(), assets: Vec::new(), init_op: None }
    }

    /// Sets the tags.
    pub fn tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Export {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Adds a signature: names of inputs and outputs, with their endpoints.
    pub fn signature(mut self, name: &str, inputs: &[(&str, &str)], outputs: &[(&str, &str)]) -> Export {
        let argument = |is_input| {
            move |(name, endpoint): &(&str, &str)| Argument {
                is_input,
                name: (*name).to_owned(),
                endpoint: (*endpoint).to_owned(),
            }
        };
        let arguments = inputs.iter().map(argument(true)).chain(outputs.iter().map(argument(false)));
        self.signatures.insert(name.to_owned(), arguments.collect());
        self
    }

    /// Adds a file that the graph reads: `endpoint` is the constant that holds its path.
    pub fn asset(mut self, endpoint: &str, path: impl Into<PathBuf>) -> Export {
        self.assets.push((endpoint.to_owned(), path.into()));
        self
    }

    /// Sets the op that initializes tables, which runs when the model is loaded.
    pub fn init_op(mut self, node: &str) -> Export {
        self.init_op = Some(node.to_owned());
        self
    }

    /// Writes the model of a session to `directory`, which must be empty or not exist. Either the whole model is
    /// written or nothing.
    ///
    /// # Errors
    /// `ALREADY_EXISTS` for a directory that is not empty; `NOT_FOUND` for endpoints that the graph lacks and files
    /// that do not exist; `FAILED_PRECONDITION` for a variable without a value; the errors of writing.
    pub fn write(&self, session: &Session, directory: impl AsRef<Path>) -> Result<()> {
        let directory = directory.as_ref();
        if directory.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(Error::already_exists("the directory of the model is not empty")
                .file(directory.display())
                .help("write to a new or empty directory"));
        }
        let mut temporary = directory.as_os_str().to_owned();
        temporary.push(format!(".tmp-{}", std::process::id()));
        let temporary = PathBuf::from(temporary);
        let written = self.write_to(session, &temporary).and_then(|()| {
            if directory.exists() {
                fs::remove_dir(directory).map_err(|e| failed(directory, &e))?;
            }
            fs::rename(&temporary, directory).map_err(|e| failed(directory, &e))
        });
        if written.is_err() {
            let _ = fs::remove_dir_all(&temporary);
        }
        written
    }

    fn write_to(&self, session: &Session, directory: &Path) -> Result<()> {
        fs::create_dir_all(directory).map_err(|e| failed(directory, &e))?;
        let names = self.asset_names()?;
        let mut reads = Vec::new();
        let mut saver = None;
        let mut signatures = BTreeMap::new();
        let saved = saved(&session.graph());
        // The nodes that read variables must be in the session, those that restore them only in the file.
        let registry = session.registry().clone();
        session.grow(|graph, _| {
            let mut b = Builder::on(graph.clone(), registry.clone());
            reads = b.new_scope("export", |b, _| {
                let read = |name: &String| Variable::find(b, name).map(|variable| b.name(variable.value));
                saved.iter().map(read).collect::<Result<Vec<_>>>()
            })?;
            b.finish()
        })?;
        let mut b = Builder::on(Graph::clone(&session.graph()), registry);
        for (name, arguments) in &self.signatures {
            signatures.insert(name.clone(), signature(&b, arguments)?);
        }
        if !saved.is_empty() {
            saver = Some(b.new_scope("save", |b, _| add_saver(b, &saved, &reads))?);
        }
        let mut def = b.finish()?.to_def();
        def.meta = Meta { signatures, saver };
        if def.versions.producer == 0 {
            def.versions.producer = PRODUCER;
        }
        self.add_init(&session.graph(), &mut def)?;
        let assets = self.put_assets(&mut def, &names, directory)?;
        let model = SavedModel { schema_version: 1, meta_graphs: vec![self.meta_graph(&def, assets)?] };
        let path = directory.join("saved_model.pb");
        fs::write(&path, model.encode_to_vec()).map_err(|e| failed(&path, &e))?;
        if saved.is_empty() {
            return Ok(());
        }
        let reads: Vec<&str> = reads.iter().map(String::as_str).collect();
        let values = session.run(&[], &reads, &[])?;
        let mut writer = Writer::create(directory.join("variables").join("variables"))?;
        for (name, value) in saved.iter().zip(&values) {
            writer.add(name, value)?;
        }
        writer.finish().map(drop)
    }

    fn meta_graph(&self, def: &GraphDef, assets: Vec<AssetFile>) -> Result<Bytes> {
        let bytes = write::pb(def)?;
        // A graph without other data is written as a GraphDef.
        let mut bytes = match def.meta.is_empty() && def.collections.is_empty() {
            true => GraphOnly { graph: bytes }.encode_to_vec(),
            false => bytes,
        };
        let written = MetaGraphAdditions {
            meta_info: Some(MetaInfo { tags: self.tags.clone(), ..MetaInfo::default() }),
            saver: def.meta.saver.as_ref().map(|_| SaverVersion { max_to_keep: 5, version: 2 }),
            assets,
        };
        bytes.extend(written.encode_to_vec());
        Ok(bytes.into())
    }

    fn add_init(&self, graph: &Graph, def: &mut GraphDef) -> Result<()> {
        let Some(init) = &self.init_op else { return Ok(()) };
        graph.find(init).ok_or_else(|| graph.unknown_node(init, init))?;
        def.collections.insert(MAIN_OP.to_owned(), Collection::Nodes(vec![init.clone()]));
        let output = TensorDef { endpoint: init.clone(), ..TensorDef::default() };
        let signature =
            SignatureDef { outputs: BTreeMap::from([(INIT.to_owned(), output)]), ..SignatureDef::default() };
        def.meta.signatures.insert(INIT.to_owned(), signature);
        Ok(())
    }

    /// Unique names of the assets in the model.
    fn asset_names(&self) -> Result<Vec<String>> {
        let mut known: Vec<(String, &Path)> = Vec::new();
        let mut names = Vec::new();
        for (_, path) in &self.assets {
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .ok_or_else(|| Error::invalid("an asset needs the name of a file").found(path.display()))?;
            let taken = |known: &[(String, &Path)], name: &str| known.iter().any(|(n, p)| n == name && *p != path);
            let mut unique = name.to_owned();
            for i in 1.. {
                if !taken(&known, &unique) {
                    break;
                }
                unique = format!("{name}_{i}");
            }
            known.push((unique.clone(), path));
            names.push(unique);
        }
        Ok(names)
    }

    /// Copies the assets, and replaces the constants that hold their paths by their names, which loading replaces
    /// again.
    fn put_assets(&self, def: &mut GraphDef, names: &[String], directory: &Path) -> Result<Vec<AssetFile>> {
        let mut files = Vec::new();
        for ((endpoint, path), name) in self.assets.iter().zip(names) {
            let target = directory.join("assets");
            fs::create_dir_all(&target).map_err(|e| failed(&target, &e))?;
            fs::copy(path, target.join(name)).map_err(|e| failed(path, &e))?;
            let node = split_endpoint(endpoint).0;
            let found = def.nodes.iter_mut().find(|n| n.name == node);
            let constant = found.filter(|n| matches!(n.op.as_str(), "Const" | "Placeholder")).ok_or_else(|| {
                Error::invalid(format!("the endpoint of the asset {name} is not a constant of the graph")).node(node)
            })?;
            *constant = path_constant(node, name);
            let tensor = TensorName {
                name: format!("{node}:0"),
                dtype: DType::Str.number(),
                shape: Some(TensorShape::default()),
            };
            files.push(AssetFile { tensor: Some(tensor), filename: name.clone() });
        }
        Ok(files)
    }
}

/// The nodes that make variables; of several nodes for one variable, the first.
fn saved(graph: &Graph) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for (_, node) in graph.nodes() {
        if !matches!(node.op_name(), "VarHandleOp" | "VariableV2" | "Variable") {
            continue;
        }
        let text = |attr: &str| match node.attrs.get(attr) {
            Some(AttrValue::S(text)) if !text.is_empty() => Some(text.clone()),
            _ => None,
        };
        let shared = text("shared_name").unwrap_or_else(|| Bytes::copy_from_slice(node.name.as_bytes()));
        if seen.insert((text("container"), shared)) {
            names.push(node.name.to_string());
        }
    }
    names
}

/// A signature with the known dtypes and shapes of its endpoints.
fn signature(b: &Builder, arguments: &[Argument]) -> Result<SignatureDef> {
    let mut def = SignatureDef { method: PREDICT.to_owned(), ..SignatureDef::default() };
    for Argument { is_input, name, endpoint } in arguments {
        let output = b.find(endpoint)?;
        let (node, number) = split_endpoint(endpoint);
        let tensor = TensorDef {
            endpoint: format!("{node}:{number}"),
            dtype: b.dtype(output).map(DType::value),
            shape: b.shape(output),
            ..TensorDef::default()
        };
        let side = if *is_input { &mut def.inputs } else { &mut def.outputs };
        side.insert(name.clone(), tensor);
    }
    Ok(def)
}

/// Adds the nodes that save and restore variables, as TensorFlow's `Saver` does.
fn add_saver(b: &mut Builder, names: &[String], reads: &[String]) -> Result<SaverDef> {
    let texts = |texts: Vec<Bytes>| Tensor::from_vec(Shape::new([texts.len()])?, texts);
    let keys = texts(names.iter().map(|name| Bytes::from(name.clone())).collect())?;
    let slices = texts(vec![Bytes::new(); names.len()])?;
    let default = b.constant(Tensor::string("model"));
    let prefix =
        b.node("PlaceholderWithDefault").name("filename").input(default).attr("shape", PartialShape::from_signed(&[]));
    let prefix = prefix.add();
    let (keys, slices) = (b.constant(keys), b.constant(slices));
    let mut found = Vec::new();
    for (name, read) in names.iter().zip(reads) {
        found.push((b.find(name)?, b.find(read)?));
    }
    let values = found.iter().map(|(_, read)| *read);
    let save = b.node("SaveV2").inputs([prefix, keys, slices].into_iter().chain(values)).add();
    let saved = b.node("Identity").name("control_dependency").input(prefix).after(save).add();
    let dtypes: Vec<DType> = found.iter().filter_map(|(_, read)| b.dtype(*read)).collect();
    let restore = b.node("RestoreV2").inputs([prefix, keys, slices]).attr("dtypes", dtypes.clone()).add();
    let mut known: HashSet<String> = variables(b.collections_mut(), VARIABLES)?
        .into_iter()
        .map(|def| split_endpoint(&def.variable).0.to_owned())
        .collect();
    let mut assigned = Vec::new();
    for (i, (name, (variable, read))) in names.iter().zip(&found).enumerate() {
        let value = restore.output(i as u32);
        let is_resource = b.dtype(*variable) == Some(DType::Resource);
        let assign = match is_resource {
            true => b.node("AssignVariableOp").attr("dtype", dtypes[i]),
            false => b.node("Assign"),
        };
        let assign = assign.inputs([*variable, value]).add();
        assigned.push(assign);
        if known.insert(name.clone()) {
            let endpoint = |b: &Builder, output| format!("{}:0", b.node_name(output));
            let def = VariableDef {
                variable: format!("{name}:0"),
                initializer: b.node_name(assign),
                snapshot: endpoint(b, *read),
                initial_value: format!("{}:{i}", b.node_name(restore)),
                is_resource,
                trainable: false,
            };
            add_variable(b.collections_mut(), VARIABLES, &def)?;
        }
    }
    let all = assigned.into_iter().fold(b.node("NoOp").name("restore_all"), |node, assign| node.after(assign)).add();
    let endpoint = |output| format!("{}:0", b.node_name(output));
    Ok(SaverDef { filename: endpoint(prefix), save: endpoint(saved), restore: b.node_name(all) })
}
