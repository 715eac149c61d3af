//! Reading a SavedModel: its graph, and the data that a session needs to run it.

use crate::bind::{Bound, call, path_constant};
use crate::objects::{Function, functions};
use crate::proto::{AssetFile, Beside, ObjectGraph};
use crate::signature::{self, INIT};
use crate::{file, proto};
use levada_checkpoint::index_path;
use levada_graph::attr::Attrs;
use levada_graph::collections;
use levada_graph::graph::split_endpoint;
use levada_graph::meta::{SignatureDef, TensorDef};
use levada_graph::{AttrValue, Error, Graph, GraphDef, NodeDef, Registry, Result, Tensor, read};
use levada_kernel::Files;
use levada_kernel::files::failed;
use levada_session::{RunOptions, Session};
use prost::Message;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Collections that name the op that initializes a model.
const INIT_COLLECTIONS: [&str; 2] = ["saved_model_main_op", "legacy_init_op"];
/// The collection of the assets, in models of old exporters.
const ASSETS: &str = "saved_model_assets";

/// Options for reading a SavedModel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// All tags of the MetaGraph; `None` for the only MetaGraph, or the one whose only tag is `serve`.
    pub tags: Option<Vec<String>>,
    /// As [`read::Options::strict`].
    pub strict: bool,
}

/// A file that belongs to a model, such as a vocabulary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asset {
    /// Its name in `assets`.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// The endpoint that holds its path.
    pub endpoint: String,
}

/// A SavedModel without its graph: the values of its variables and tables, and its functions.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its directory.
    pub directory: PathBuf,
    /// The tags of its MetaGraph.
    pub tags: Vec<String>,
    /// The version of TensorFlow that wrote it; may be empty.
    pub tensorflow_version: String,
    /// The files that belong to the model.
    pub assets: Vec<Asset>,
    /// Functions of the saved objects.
    pub functions: Vec<Function>,
    objects: Arc<ObjectGraph>,
    init: Option<String>,
}

/// A signature, and the nodes it needs.
#[derive(Clone, Debug)]
pub struct ResolvedSignature {
    /// Its name.
    pub name: String,
    /// Its endpoints.
    pub def: SignatureDef,
    /// Nodes to add to the graph first.
    pub nodes: Option<GraphDef>,
}

/// The contents of a SavedModel for inspection, valid or not.
pub struct Survey {
    /// The tags of its MetaGraph.
    pub tags: Vec<String>,
    /// The version of TensorFlow that wrote it; may be empty.
    pub tensorflow_version: String,
    /// The files that belong to it.
    pub assets: Vec<Asset>,
    /// Functions of the saved objects.
    pub functions: Vec<Function>,
    directory: PathBuf,
    /// The graph, without the parts at fault.
    pub def: GraphDef,
    /// The checked graph, or every fault.
    pub graph: Result<Graph>,
}

impl Survey {
    /// Surveys the SavedModel in `directory`.
    ///
    /// # Errors
    /// As [`Model::read`], except for faults of the graph.
    pub fn of(directory: impl AsRef<Path>, registry: &Registry, tags: Option<&[String]>) -> Result<Survey> {
        let (directory, bytes, beside) = find(directory.as_ref(), tags)?;
        let named = |e: Error| e.in_file(&directory.join("saved_model.pb").display().to_string());
        let (def, graph) = read::survey_meta_graph(bytes, registry).map_err(named)?;
        let assets = assets(&directory, &beside);
        let functions = beside.objects.as_ref().map_or_else(Vec::new, |objects| functions(objects, &def.library));
        let tensorflow_version = version(&beside);
        let (tags, graph) = (file::tags(&beside), graph.map_err(named));
        Ok(Survey { tags, tensorflow_version, assets, functions, directory, def, graph })
    }

    /// The prefix of the files with the values of its variables, if there are any.
    pub fn checkpoint(&self) -> Option<PathBuf> {
        checkpoint(&self.directory)
    }
}

fn find(directory: &Path, tags: Option<&[String]>) -> Result<(PathBuf, bytes::Bytes, Beside)> {
    // Ops get paths in it, which must not depend on the working directory.
    let directory = fs::canonicalize(directory).map_err(|e| failed(directory, &e))?;
    let (bytes, beside) = file::meta_graph(&directory, tags)?;
    Ok((directory, bytes, beside))
}

fn version(beside: &Beside) -> String {
    beside.meta_info.as_ref().map_or_else(String::new, |info| info.tensorflow_version.clone())
}

impl Model {
    /// Reads the SavedModel in `directory`: its checked graph, whose `meta` has the signatures, and the model. The
    /// variables are not read yet.
    ///
    /// # Errors
    /// `NOT_FOUND` if there is no SavedModel or none with the tags, listing the available ones; `DATA_LOSS` if its file
    /// is corrupt; every fault of the graph in one error.
    pub fn read(directory: impl AsRef<Path>, registry: &Registry, options: &ReadOptions) -> Result<(Graph, Model)> {
        let (directory, bytes, mut beside) = find(directory.as_ref(), options.tags.as_deref())?;
        let path = directory.join("saved_model.pb").display().to_string();
        let mut found = Vec::new();
        let reading = read::Options { strict: options.strict };
        let graph = reading.meta_graph(bytes, registry, |def| {
            found = assets(&directory, &beside);
            put_paths(def, &found);
            Ok(())
        });
        let graph = graph.map_err(|e| e.in_file(&path))?;
        let objects = Arc::new(beside.objects.take().unwrap_or_default());
        let functions = functions(&objects, &graph.library);
        let (tags, tensorflow_version) = (file::tags(&beside), version(&beside));
        let init = init(&graph);
        Ok((graph, Model { directory, tags, tensorflow_version, assets: found, functions, objects, init }))
    }

    /// A signature of the model's graph by name; without a name the only one, or [`signature::DEFAULT`]. The name may
    /// also be that of one of the [`Model::functions`]; the nodes that call it must then be added to the graph.
    ///
    /// # Errors
    /// `NOT_FOUND` with the available names; `UNIMPLEMENTED` for a function that captures an object that no endpoint
    /// represents.
    pub fn signature(&self, graph: &Graph, name: Option<&str>) -> Result<ResolvedSignature> {
        let signatures = &graph.meta.signatures;
        let known: Vec<&str> = signature::callable(signatures).map(|(name, _)| name).collect();
        let function = match name {
            Some(name) if !known.contains(&name) => {
                self.functions.iter().find(|f| f.name == name || f.concrete == name)
            }
            None if known.is_empty() => match self.functions.as_slice() {
                [one] => Some(one),
                all => all.iter().find(|f| f.name == "__call__"),
            },
            _ => None,
        };
        if let Some(function) = function {
            return self.call(graph, function);
        }
        match signature::choose(signatures, name) {
            Ok((name, def)) => Ok(ResolvedSignature { name: name.to_owned(), def: def.clone(), nodes: None }),
            Err(_) => {
                let functions = self.functions.iter().map(|f| f.name.as_str()).filter(|name| !known.contains(name));
                Err(signature::missing(name, known.iter().copied().chain(functions)).file(self.directory.display()))
            }
        }
    }

    /// A signature for a function, with the nodes that call it with its captures.
    fn call(&self, graph: &Graph, function: &Function) -> Result<ResolvedSignature> {
        let legal = |c: char| if c.is_ascii_alphanumeric() || "_.-/".contains(c) { c } else { '_' };
        let name: String = function.name.chars().map(legal).collect();
        let mut scopes =
            (0..).map(|i| if i == 0 { format!("functions/{name}") } else { format!("functions_{i}/{name}") });
        let scope = scopes.find(|scope| graph.find(scope).is_none()).unwrap_or_default();
        let mut nodes = Vec::new();
        let (mut takes, gives) = (function.types(&function.inputs)?, function.types(&function.outputs)?);
        let mut def = SignatureDef { method: "tensorflow/serving/predict".to_owned(), ..SignatureDef::default() };
        let mut inputs = Vec::new();
        for (i, (name, tensor)) in function.inputs.iter().enumerate() {
            let mut attrs = Attrs::new();
            attrs.set("dtype", AttrValue::Type(takes[i]));
            attrs.set("shape", AttrValue::Shape(tensor.shape.clone()));
            let node = format!("{scope}/argument_{i}");
            inputs.push(node.clone());
            def.inputs.insert(name.clone(), TensorDef { endpoint: format!("{node}:0"), ..tensor.clone() });
            nodes.push(NodeDef { name: node, op: "Placeholder".to_owned(), attrs, ..NodeDef::default() });
        }
        let mut bound = Bound::new(&self.objects, graph, &self.assets);
        for &object in &function.captures {
            inputs.push(bound.endpoint(object, &scope, &mut nodes).map_err(|e| e.node(&function.name))?);
        }
        let captured = graph.library.function(&function.concrete);
        let captured = captured.map_or(&[][..], |f| &f.signature.inputs[function.inputs.len()..]);
        takes.extend(captured.iter().filter_map(|arg| arg.ty));
        nodes.push(call(&scope, &function.concrete, inputs, &takes, &gives));
        for (i, (name, tensor)) in function.outputs.iter().enumerate() {
            let endpoint = format!("{scope}:{i}");
            def.outputs.insert(name.clone(), TensorDef { endpoint, ..tensor.clone() });
        }
        let nodes = Some(GraphDef { nodes, ..GraphDef::default() });
        Ok(ResolvedSignature { name: function.name.clone(), def, nodes })
    }

    /// The op that runs once to initialize tables and the like, if the model has one.
    pub fn init_op(&self) -> Option<&str> {
        self.init.as_deref()
    }

    /// The prefix of the files with the values of its variables; `None` if the model has none.
    pub fn checkpoint(&self) -> Option<PathBuf> {
        checkpoint(&self.directory)
    }

    /// `files` plus read access to the model's directory: what a session needs for [`Model::initialize`].
    ///
    /// # Errors
    /// `NOT_FOUND` and the like if the directory does not exist.
    pub fn files(&self, files: Files) -> Result<Files> {
        files.and_read(&self.directory)
    }

    /// Initializes the variables and tables of a session on the model's graph: restores the checkpoint, then runs the
    /// model's initializer.
    ///
    /// # Errors
    /// `PERMISSION_DENIED` if the session's files lack those of [`Model::files`]; the errors of restoring or
    /// initializing.
    pub fn initialize(&self, session: &Session, options: &RunOptions) -> Result<()> {
        let node = |name: &str| split_endpoint(name.trim_start_matches('^')).0.to_owned();
        let graph = session.graph();
        let saver = graph.meta.saver.clone();
        // A reference to the graph would prevent it from growing in place.
        drop(graph);
        if let (Some(saver), Some(prefix)) = (saver, self.checkpoint())
            && !saver.restore.is_empty()
        {
            let path = Tensor::string(prefix.to_string_lossy().into_owned());
            session.run_with(options, &[(&saver.filename, path)], &[], &[&node(&saver.restore)])?;
        }
        if let Some(init) = &self.init {
            session.run_with(options, &[], &[], &[&node(init)])?;
        }
        Ok(())
    }
}

/// The prefix of the checkpoint of the SavedModel in `directory`, if there is one.
pub(crate) fn checkpoint(directory: &Path) -> Option<PathBuf> {
    let prefix = directory.join("variables").join("variables");
    index_path(&prefix).exists().then_some(prefix)
}

/// The op that initializes a model.
fn init(graph: &Graph) -> Option<String> {
    if let Some(output) = graph.meta.signatures.get(INIT).and_then(|signature| signature.outputs.get(INIT)) {
        return Some(output.endpoint.clone());
    }
    INIT_COLLECTIONS.iter().find_map(|name| collections::nodes(&graph.collections, name).first().cloned())
}

/// The files that belong to a MetaGraph.
fn assets(directory: &Path, beside: &Beside) -> Vec<Asset> {
    let of_collection = || -> Vec<AssetFile> {
        let list = beside.collections.get(ASSETS).and_then(|collection| collection.list.as_ref());
        let messages = list.map_or(&[][..], |list| &list.values);
        messages.iter().filter_map(|any| AssetFile::decode(any.value.clone()).ok()).collect()
    };
    let files = if beside.assets.is_empty() { of_collection() } else { beside.assets.clone() };
    let one = |file: AssetFile| Asset {
        path: directory.join("assets").join(&file.filename),
        name: file.filename,
        endpoint: file.tensor.map_or_else(String::new, |proto::TensorName { name, .. }| name),
    };
    files.into_iter().map(one).collect()
}

/// Sets the nodes that hold the paths of assets to the actual paths.
fn put_paths(def: &mut GraphDef, assets: &[Asset]) {
    for asset in assets {
        let name = split_endpoint(&asset.endpoint).0;
        if let Some(node) = def.nodes.iter_mut().find(|node| node.name == name)
            && matches!(node.op.as_str(), "Const" | "Placeholder" | "PlaceholderWithDefault")
        {
            *node = path_constant(name, &asset.path.to_string_lossy());
        }
    }
}
