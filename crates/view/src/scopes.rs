//! Groups of nodes: name scopes, including loops and conditionals, and the bodies of functions.

use crate::body::Body;
use levada_graph::attr::AttrValue;
use levada_graph::spec::Role;
use std::collections::{BTreeMap, HashMap};

/// The maximum nesting depth of scopes; the rest of a name belongs to the node.
const DEEPEST: usize = 24;

/// The kind of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Scope = 0,
    Loop = 1,
    Conditional = 2,
    /// A graph or a function.
    Body = 3,
}

/// A group of nodes.
#[derive(Debug)]
pub struct Scope {
    pub parent: Option<u32>,
    pub name: String,
    pub kind: Kind,
}

/// The groups of a body, starting with the body itself, and the group of each node.
pub struct Scopes {
    pub scopes: Vec<Scope>,
    pub of: Vec<u32>,
}

impl Scopes {
    /// Groups the nodes of a body.
    pub fn of(body: &Body) -> Scopes {
        let root = Scope { parent: None, name: body.name.clone(), kind: Kind::Body };
        let mut scopes = Scopes { scopes: vec![root], of: Vec::with_capacity(body.nodes.len()) };
        scopes.group_by_name(body);
        let brought = scopes.bring_constants(body);
        scopes.mark_loops(body);
        scopes.mark_conditionals(body);
        scopes.simplify(&brought);
        scopes
    }

    fn add(&mut self, parent: u32, name: &str, kind: Kind) -> u32 {
        self.scopes.push(Scope { parent: Some(parent), name: name.to_owned(), kind });
        self.scopes.len() as u32 - 1
    }

    fn group_by_name(&mut self, body: &Body) {
        let mut paths: HashMap<&str, u32> = HashMap::new();
        for node in &body.nodes {
            let (mut scope, mut from) = (0, 0);
            let slashes = node.name.match_indices('/').map(|(at, _)| at).filter(|&at| at > 0);
            for at in slashes.take(DEEPEST) {
                let path = &node.name[..at];
                scope = match paths.get(path) {
                    Some(&known) => known,
                    None => {
                        let new = self.add(scope, &node.name[from..at], Kind::Scope);
                        paths.insert(path, new);
                        new
                    }
                };
                from = at + 1;
            }
            self.of.push(scope);
        }
        // A node that has the name of a scope belongs to it, such as a variable and the nodes that read it.
        for (node, scope) in body.nodes.iter().zip(&mut self.of) {
            if let Some(&own) = paths.get(&*node.name) {
                *scope = own;
            }
        }
    }

    /// Moves constants with a single consumer into its group; returns which constants were moved.
    fn bring_constants(&mut self, body: &Body) -> Vec<bool> {
        let mut users: Vec<Option<u32>> = vec![None; body.nodes.len()];
        let mut shared = vec![false; body.nodes.len()];
        for (id, node) in body.nodes.iter().enumerate() {
            for &(from, _) in &node.inputs {
                shared[from as usize] |= users[from as usize].is_some_and(|user| user as usize != id);
                users[from as usize] = Some(id as u32);
            }
            node.controls.iter().for_each(|&from| shared[from as usize] = true);
        }
        let mut brought = vec![false; body.nodes.len()];
        for (id, node) in body.nodes.iter().enumerate() {
            if let (Some(Role::Const), Some(user), false) = (node.spec.map(|s| s.role), users[id], shared[id]) {
                self.of[id] = self.of[user as usize];
                brought[id] = true;
            }
        }
        brought
    }

    fn path_to_root(&self, mut scope: u32) -> Vec<u32> {
        let mut path = vec![scope];
        while let Some(parent) = self.scopes[scope as usize].parent {
            path.push(parent);
            scope = parent;
        }
        path.reverse();
        path
    }

    /// The smallest group that contains all these nodes.
    fn common(&self, nodes: &[u32]) -> u32 {
        let mut common: Option<Vec<u32>> = None;
        for &node in nodes {
            let path = self.path_to_root(self.of[node as usize]);
            common = Some(match common {
                None => path,
                Some(before) => before.into_iter().zip(path).take_while(|(a, b)| a == b).map(|(a, _)| a).collect(),
            });
        }
        common.and_then(|path| path.last().copied()).unwrap_or(0)
    }

    fn mark_loops(&mut self, body: &Body) {
        let role = |id: u32| body.nodes[id as usize].spec.map_or(Role::Plain, |s| s.role);
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); body.nodes.len()];
        for (id, node) in body.nodes.iter().enumerate() {
            node.inputs.iter().for_each(|&(from, _)| users[from as usize].push(id as u32));
        }
        let mut frames: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for id in 0..body.nodes.len() as u32 {
            if role(id) == Role::Enter
                && let Some(AttrValue::S(name)) = body.nodes[id as usize].attrs.get("frame_name")
            {
                frames.entry(String::from_utf8_lossy(name).into_owned()).or_default().push(id);
            }
        }
        for (frame, enters) in frames {
            let merges: Vec<u32> =
                enters.iter().flat_map(|&e| &users[e as usize]).copied().filter(|&n| role(n) == Role::Merge).collect();
            if merges.is_empty() {
                continue;
            }
            // Gradients add nodes to a frame from other scopes: the loop is where its condition is.
            let switches = merges.iter().flat_map(|&m| &users[m as usize]).filter(|&&n| role(n) == Role::Switch);
            let conditions = switches.flat_map(|&n| &body.nodes[n as usize].inputs).map(|&(n, _)| n);
            let condition = conditions.into_iter().find(|&n| role(n) == Role::LoopCond);
            let scope = condition.map_or_else(|| self.common(&merges), |n| self.of[n as usize]);
            let is_free = |s: &Scope| s.kind == Kind::Scope;
            if is_free(&self.scopes[scope as usize]) {
                self.scopes[scope as usize].kind = Kind::Loop;
                continue;
            }
            // The loop has no scope of its own: add one for what runs in the frame.
            let name = frame.rsplit('/').find(|part| !part.is_empty()).unwrap_or("loop").to_owned();
            let own = self.add(scope, &name, Kind::Loop);
            let mut seen = vec![false; body.nodes.len()];
            let mut next = enters;
            while let Some(node) = next.pop() {
                if std::mem::replace(&mut seen[node as usize], true) {
                    continue;
                }
                if self.of[node as usize] == scope {
                    self.of[node as usize] = own;
                }
                if role(node) != Role::Exit {
                    next.extend(&users[node as usize]);
                }
            }
        }
    }

    fn mark_conditionals(&mut self, body: &Body) {
        let role = |id: u32| body.nodes[id as usize].spec.map_or(Role::Plain, |s| s.role);
        let mut switches = vec![false; self.scopes.len()];
        for id in 0..body.nodes.len() as u32 {
            if role(id) == Role::Switch {
                switches[self.of[id as usize] as usize] = true;
            }
        }
        for (id, node) in body.nodes.iter().enumerate() {
            let scope = self.of[id] as usize;
            let is_loop = node.inputs.iter().any(|&(from, _)| role(from) == Role::NextIteration);
            let is_free = self.scopes[scope].kind == Kind::Scope;
            if role(id as u32) == Role::Merge && !is_loop && is_free && switches[scope] {
                self.scopes[scope].kind = Kind::Conditional;
            }
        }
    }

    /// Dissolves scopes of a single node, not counting its constants, and merges scopes that contain only another one
    /// with it.
    fn simplify(&mut self, brought: &[bool]) {
        let n = self.scopes.len();
        let (mut nodes, mut all) = (vec![0usize; n], vec![0usize; n]);
        self.of.iter().zip(brought).for_each(|(&s, &brought)| nodes[s as usize] += usize::from(!brought));
        all.clone_from(&nodes);
        // Scopes come after their parents.
        for s in (1..n).rev() {
            let parent = self.scopes[s].parent.expect("only the first has none") as usize;
            all[parent] += all[s];
        }
        // Where a scope's contents go: to the scope itself, or to another one.
        let mut place: Vec<u32> = (0..n as u32).collect();
        let mut children = vec![Vec::new(); n];
        for s in 1..n {
            let parent = place[self.scopes[s].parent.expect("only the first has none") as usize];
            if all[s] <= 1 {
                place[s] = parent;
            } else {
                self.scopes[s].parent = Some(parent);
                children[parent as usize].push(s);
            }
        }
        for s in 1..n {
            if place[s] != s as u32 || nodes[s] > 0 || self.scopes[s].kind != Kind::Scope {
                continue;
            }
            if let [only] = children[s][..]
                && all[only] == all[s]
            {
                let (name, parent) = (std::mem::take(&mut self.scopes[s].name), self.scopes[s].parent);
                let inner = &mut self.scopes[only];
                inner.name = format!("{name}/{}", inner.name);
                inner.parent = parent;
                place[s] = only as u32;
            }
        }
        // New numbers, without the removed ones.
        let mut number = vec![u32::MAX; n];
        let mut kept = 0;
        for s in 0..n {
            if place[s] == s as u32 {
                number[s] = kept;
                kept += 1;
            }
        }
        let target = |mut s: u32| {
            while place[s as usize] != s {
                s = place[s as usize];
            }
            number[s as usize]
        };
        self.of.iter_mut().for_each(|s| *s = target(*s));
        let scopes = std::mem::take(&mut self.scopes);
        for (s, mut scope) in scopes.into_iter().enumerate() {
            if place[s] == s as u32 {
                scope.parent = scope.parent.map(target);
                self.scopes.push(scope);
            }
        }
    }
}
