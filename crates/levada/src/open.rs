//! Opens the graph or model at a path.

use crate::{Session, registry};
use levada_graph::meta::SignatureDef;
use levada_graph::read::{self, Kind};
use levada_graph::{Error, Graph, Result};
use levada_saved_model::{ReadOptions, Signature, signature};
use levada_session::{RunOptions, SessionOptions};
use std::collections::BTreeMap;
use std::path::Path;

/// Options for opening a path.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Refuses a graph that contains anything unsupported, whether or not a run reaches it.
    pub strict: bool,
    /// The tags of the MetaGraph of a SavedModel; `None` for the only MetaGraph, or the one whose only tag is `serve`.
    pub tags: Option<Vec<String>>,
}

/// The contents of a path: a graph with signatures, and the source of its variables' values.
#[derive(Clone)]
pub struct Model {
    /// The graph. Its `meta` holds the signatures.
    pub graph: Graph,
    /// What kind of file or directory the path is.
    pub kind: Kind,
    /// What belongs to a SavedModel.
    pub saved: Option<levada_saved_model::Model>,
    /// Endpoints of the graph by the names that an ONNX model uses for its values.
    pub values: BTreeMap<String, String>,
}

/// Opens a GraphDef, a MetaGraphDef, the directory of a SavedModel, or an ONNX model.
///
/// # Errors
/// `NOT_FOUND` and the like if the path cannot be opened; every fault of the graph in one error; for a SavedModel
/// without a MetaGraph of these tags, the tags that exist.
pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Model> {
    let path = path.as_ref();
    let kind = Kind::of(path)?;
    if options.tags.is_some() && !matches!(kind, Kind::SavedModel(_)) {
        return Err(Error::invalid("only a SavedModel has tags").file(path.display()).help("leave out the tags"));
    }
    match &kind {
        Kind::SavedModel(directory) => {
            let reading = ReadOptions { tags: options.tags.clone(), strict: options.strict };
            let (graph, saved) = levada_saved_model::Model::read(directory, &registry(), &reading)?;
            Ok(Model { graph, kind, saved: Some(saved), values: BTreeMap::new() })
        }
        Kind::Graph => {
            let graph = read::Options { strict: options.strict }.file(path, &registry())?;
            Ok(Model { graph, kind, saved: None, values: BTreeMap::new() })
        }
        Kind::Onnx => open_onnx(path),
    }
}

/// Unsupported operators are always an error, so `strict` makes no difference.
#[cfg(feature = "onnx")]
fn open_onnx(path: &Path) -> Result<Model> {
    let imported = levada_onnx::Model::open(path)?.graph(&registry())?;
    Ok(Model { graph: imported.graph, kind: Kind::Onnx, saved: None, values: imported.endpoints })
}

#[cfg(not(feature = "onnx"))]
fn open_onnx(path: &Path) -> Result<Model> {
    let error = Error::unimplemented("this build does not read ONNX models").file(path.display());
    Err(error.help("build with the feature onnx"))
}

/// Opens a path like [`open`] and makes a session in which the model can be called.
///
/// # Errors
/// As [`open`], and the errors of restoring the variables or initializing the tables.
pub fn load(path: impl AsRef<Path>, options: &OpenOptions, session: SessionOptions) -> Result<Loaded> {
    let mut model = open(path, options)?;
    let saved = model.saved.take();
    let session = start(std::mem::take(&mut model.graph), saved.as_ref(), session)?;
    Ok(Loaded { session, saved })
}

/// A session on the graph in which the variables and tables of the SavedModel are initialized. Ops may read the files
/// of its directory besides those that the options grant.
fn start(graph: Graph, saved: Option<&levada_saved_model::Model>, mut options: SessionOptions) -> Result<Session> {
    let Some(saved) = saved else { return Session::new(graph, options) };
    options.files = saved.files(options.files)?;
    let session = Session::new(graph, options)?;
    saved.initialize(&session, &RunOptions::default())?;
    Ok(session)
}

impl Model {
    /// The signature with this name; without a name the only one, or `serving_default`. The name may also be that of a
    /// function of a SavedModel; the nodes that call it are then added to the graph.
    ///
    /// # Errors
    /// `NOT_FOUND` with the available names.
    pub fn signature(&mut self, name: Option<&str>) -> Result<(String, SignatureDef)> {
        let Some(saved) = &self.saved else {
            let (name, def) = signature::choose(&self.graph.meta.signatures, name)?;
            return Ok((name.to_owned(), def.clone()));
        };
        let found = saved.signature(&self.graph, name)?;
        if let Some(nodes) = found.nodes {
            self.graph.extend(nodes, &registry())?;
            self.graph.meta.signatures.insert(found.name.clone(), found.def.clone());
        }
        Ok((found.name, found.def))
    }

    /// A session on the graph in which the model's variables and tables are initialized. Ops may read the files of a
    /// SavedModel's directory besides those that the options grant.
    ///
    /// # Errors
    /// The errors of restoring the variables or initializing the tables.
    pub fn session(self, options: SessionOptions) -> Result<Session> {
        start(self.graph, self.saved.as_ref(), options)
    }
}

/// A model in a session.
#[derive(Clone)]
pub struct Loaded {
    session: Session,
    saved: Option<levada_saved_model::Model>,
}

impl Loaded {
    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The signature with this name, prepared to be run; the name may be that of a function of a SavedModel.
    ///
    /// # Errors
    /// `NOT_FOUND` with the available names, and any error of preparing it.
    pub fn signature(&self, name: &str) -> Result<Signature> {
        self.find(Some(name))
    }

    /// The only signature, or `serving_default`.
    ///
    /// # Errors
    /// As [`Loaded::signature`].
    pub fn default_signature(&self) -> Result<Signature> {
        self.find(None)
    }

    fn find(&self, name: Option<&str>) -> Result<Signature> {
        let graph = self.session.graph();
        let Some(saved) = &self.saved else {
            let (name, def) = signature::choose(&graph.meta.signatures, name)?;
            return Signature::new(&self.session, name, def);
        };
        let found = saved.signature(&graph, name)?;
        // A reference to the graph would prevent it from growing in place.
        drop(graph);
        if let Some(nodes) = found.nodes {
            self.session.extend(nodes)?;
        }
        Signature::new(&self.session, &found.name, &found.def)
    }
}
