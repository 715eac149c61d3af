//! Node names: legality, similar names for hints, and the names in colocation attrs.

use super::Faults;
use super::links::{Links, Outside};
use crate::attr::{AttrList, AttrValue, Attrs};
use crate::def::GraphDef;
use crate::error::{Error, Result};
use crate::graph::Graph;

/// Checks the name of a node.
///
/// # Errors
/// `INVALID_ARGUMENT`, with the path `name`.
pub(crate) fn legal_name(name: &str) -> Result<()> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'.';
    let inner = |b: u8| word(b) || matches!(b, b'_' | b'\\' | b'/' | b'>' | b'-');
    let bytes = name.as_bytes();
    if bytes.first().is_some_and(|b| word(*b)) && bytes.iter().all(|b| inner(*b)) {
        return Ok(());
    }
    if name.is_empty() {
        return Err(Error::invalid("the node has no name").path("name").help("give it a name that no other node has"));
    }
    let error = Error::invalid(format!("{name:?} is not a legal name for a node"))
        .path("name")
        .expected("letters, digits and any of . _ / > \\ -, beginning with a letter, a digit or a dot");
    let bad = name.chars().find(|c| !c.is_ascii() || !inner(*c as u8));
    Err(match bad {
        Some(c) => error.found(format!("the character {c:?}")),
        None => error.found(format!("{:?} at its beginning", name.chars().next().unwrap_or_default())),
    })
}

/// Similar names for inputs that name no node. The search is expensive, so a file full of such inputs gets hints only
/// for the first.
pub(crate) struct Hints<'d> {
    def: &'d GraphDef,
    outside: Outside<'d>,
    budget: usize,
}

impl<'d> Hints<'d> {
    pub fn new(def: &'d GraphDef, outside: Outside<'d>) -> Hints<'d> {
        Hints { def, outside, budget: 2_000_000 }
    }

    /// The error for the input `text` at `position`.
    pub fn unknown(&mut self, text: &str, position: usize) -> Error {
        let control = text.starts_with('^');
        let name = text.trim_start_matches('^');
        let (name, output) = crate::graph::split_endpoint(name);
        let error = Error::invalid("an input names no node of the graph").path(format!("input[{position}]"));
        let error = error.found(format!("{text:?}"));
        let candidates = self.def.nodes.len() + self.outside.len();
        if self.budget < candidates {
            return error;
        }
        self.budget -= candidates;
        let outside = self.outside.graph.filter(|_| self.outside.by_name);
        let names = self.def.nodes.iter().map(|n| n.name.as_str()).filter(|n| !n.is_empty());
        let names = names.chain(outside.into_iter().flat_map(Graph::names));
        match crate::op::nearest(name, names) {
            Some(near) if control => error.help(format!("did you mean \"^{near}\"?")),
            Some(near) if output > 0 => error.help(format!("did you mean \"{near}:{output}\"?")),
            Some(near) => error.help(format!("did you mean {near:?}?")),
            None => error.expected("the name of a node, name:output or ^name"),
        }
    }
}

/// Checks that the nodes named in colocation attrs exist.
pub(crate) fn colocation(attrs: &[Attrs], links: &Links<'_>, faults: &mut Faults<'_>) {
    for (i, attrs) in attrs.iter().enumerate() {
        let Some(AttrValue::List(AttrList::S(classes))) = attrs.get("_class") else { continue };
        for class in classes {
            let Some(name) = class.strip_prefix(b"loc:@") else { continue };
            let name = String::from_utf8_lossy(name);
            if !links.has(&name) {
                let error = Error::invalid(format!("the node is colocated with {name}, which is not in the graph"))
                    .path("attr._class")
                    .attr("_class")
                    .expected("loc:@ and the name of a node")
                    .found(format!("{:?}", String::from_utf8_lossy(class)));
                faults.push(i, error);
            }
        }
    }
}
