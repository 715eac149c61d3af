//! Decision trees of `ai.onnx.ml`, in the form that kernels traverse.

use crate::base::Base;
use crate::prelude::*;
use std::collections::HashMap;

/// How a node compares a feature with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Leq,
    Lt,
    Gte,
    Gt,
    Eq,
    Neq,
    /// The feature is one of the node's members.
    Member,
    Leaf,
}

impl Mode {
    /// The mode with this name.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an unknown name.
    pub(crate) fn named(name: &str) -> Result<Mode> {
        Ok(match name {
            "BRANCH_LEQ" => Mode::Leq,
            "BRANCH_LT" => Mode::Lt,
            "BRANCH_GTE" => Mode::Gte,
            "BRANCH_GT" => Mode::Gt,
            "BRANCH_EQ" => Mode::Eq,
            "BRANCH_NEQ" => Mode::Neq,
            "LEAF" => Mode::Leaf,
            _ => {
                return Err(Error::invalid(format!("unknown tree node mode {name:?}"))
                    .attr("nodes_modes")
                    .expected("BRANCH_LEQ, BRANCH_LT, BRANCH_GTE, BRANCH_GT, BRANCH_EQ, BRANCH_NEQ, LEAF"));
            }
        })
    }

    /// The mode with this number in `TreeEnsemble`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an unknown number.
    pub(crate) fn numbered(number: u8) -> Result<Mode> {
        const MODES: [Mode; 7] = [Mode::Leq, Mode::Lt, Mode::Gte, Mode::Gt, Mode::Eq, Mode::Neq, Mode::Member];
        let found = MODES.get(usize::from(number)).copied();
        found.ok_or_else(|| {
            Error::invalid("unknown tree node mode").attr("nodes_modes").expected("0 to 6").found(number)
        })
    }
}

/// A node of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) mode: Mode,
    pub(crate) feature: usize,
    pub(crate) value: f64,
    /// Indices of the next nodes for true and false.
    pub(crate) next: [usize; 2],
    /// Whether the test is true for NaN.
    pub(crate) missing: bool,
    /// Range of a leaf's weights, or of a node's members.
    pub(crate) range: (usize, usize),
}

/// How the weights of the reached leaves are aggregated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Aggregate {
    Sum,
    Average,
    Min,
    Max,
}

impl Aggregate {
    /// The function with this name.
    pub(crate) fn named(name: &str) -> Aggregate {
        match name {
            "AVERAGE" => Aggregate::Average,
            "MIN" => Aggregate::Min,
            "MAX" => Aggregate::Max,
            _ => Aggregate::Sum,
        }
    }
}

/// Trees prepared for traversal.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    pub(crate) nodes: Vec<Node>,
    pub(crate) roots: Vec<usize>,
    /// Target and weight.
    pub(crate) weights: Vec<(usize, f64)>,
    pub(crate) members: Vec<f64>,
    pub(crate) targets: usize,
}

/// The attr lists shared by `TreeEnsembleClassifier` and `TreeEnsembleRegressor`.
pub(crate) struct Lists<'a> {
    pub(crate) trees: &'a [i64],
    pub(crate) ids: &'a [i64],
    pub(crate) features: &'a [i64],
    pub(crate) modes: &'a [String],
    pub(crate) values: &'a [f64],
    pub(crate) yes: &'a [i64],
    pub(crate) no: &'a [i64],
    pub(crate) missing: &'a [i64],
    pub(crate) weight_trees: &'a [i64],
    pub(crate) weight_ids: &'a [i64],
    pub(crate) weight_targets: &'a [i64],
    pub(crate) weights: &'a [f64],
}

fn same_length(attr: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::invalid(format!("{attr} has the wrong length"))
        .attr(attr)
        .expected(format!("{expected} elements"))
        .found(format!("{found} elements")))
}

impl Trees {
    /// Builds the trees that the lists describe, with scores for `targets` targets or classes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the lists differ in length, or refer to nodes or targets that do not exist.
    pub(crate) fn of(lists: &Lists<'_>, targets: usize) -> Result<Trees> {
        let n = lists.ids.len();
        for (attr, found) in [
            ("nodes_treeids", lists.trees.len()),
            ("nodes_featureids", lists.features.len()),
            ("nodes_modes", lists.modes.len()),
            ("nodes_values", lists.values.len()),
            ("nodes_truenodeids", lists.yes.len()),
            ("nodes_falsenodeids", lists.no.len()),
        ] {
            same_length(attr, found, n)?;
        }
        let m = lists.weights.len();
        same_length("the list of tree ids of weights", lists.weight_trees.len(), m)?;
        same_length("the list of node ids of weights", lists.weight_ids.len(), m)?;
        same_length("the list of targets of weights", lists.weight_targets.len(), m)?;
        let mut places: HashMap<(i64, i64), usize> = HashMap::with_capacity(n);
        let mut roots: Vec<usize> = Vec::new();
        for (i, key) in lists.trees.iter().copied().zip(lists.ids.iter().copied()).enumerate() {
            if places.insert(key, i).is_some() {
                return Err(
                    Error::invalid(format!("tree {} has node {} more than once", key.0, key.1)).attr("nodes_nodeids")
                );
            }
            if i == 0 || lists.trees[i - 1] != key.0 {
                roots.push(i);
            }
        }
        let find = |tree: i64, id: i64| {
            places.get(&(tree, id)).copied().ok_or_else(|| Error::invalid(format!("tree {tree} has no node {id}")))
        };
        // The weights of a leaf are adjacent, in the order of the lists.
        let mut of_leaf: Vec<(usize, usize)> = Vec::with_capacity(m);
        for i in 0..m {
            of_leaf.push((find(lists.weight_trees[i], lists.weight_ids[i])?, i));
        }
        of_leaf.sort_unstable();
        let target = |i: usize| {
            usize::try_from(lists.weight_targets[i]).ok().filter(|&t| t < targets).ok_or_else(|| {
                Error::invalid("a leaf of a tree has a weight for a target that does not exist")
                    .expected(format!("0 to {}", targets.saturating_sub(1)))
                    .found(lists.weight_targets[i])
            })
        };
        let weights = of_leaf.iter().map(|&(_, i)| Ok((target(i)?, lists.weights[i]))).collect::<Result<_>>()?;
        let mut nodes = Vec::with_capacity(n);
        let mut next = 0;
        for i in 0..n {
            let mode = Mode::named(&lists.modes[i])?;
            let from = next;
            while of_leaf.get(next).is_some_and(|leaf| leaf.0 == i) {
                next += 1;
            }
            let (tree, is_leaf) = (lists.trees[i], mode == Mode::Leaf);
            nodes.push(Node {
                mode,
                feature: if is_leaf { 0 } else { feature(lists.features[i])? },
                value: lists.values[i],
                next: if is_leaf { [0, 0] } else { [find(tree, lists.yes[i])?, find(tree, lists.no[i])?] },
                missing: lists.missing.get(i).is_some_and(|&m| m != 0),
                range: (from, next),
            });
        }
        Ok(Trees { nodes, roots, weights, members: Vec::new(), targets })
    }

    /// Number of features that the trees use.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it exceeds `given`.
    pub(crate) fn check_features(&self, given: usize) -> Result<()> {
        let most = self.nodes.iter().filter(|node| node.mode != Mode::Leaf).map(|node| node.feature + 1).max();
        match most {
            Some(most) if most > given => Err(Error::invalid("the trees use more features than X has")
                .expected(format!("{most} features"))
                .found(format!("{given} features"))),
            _ => Ok(()),
        }
    }

    /// The weights of the leaf that `x` reaches from `root`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the nodes form a cycle.
    fn leaf<B: Base>(&self, root: usize, x: &[B]) -> Result<&[(usize, f64)]> {
        let mut node = &self.nodes[root];
        for _ in 0..self.nodes.len() {
            let v = x.get(node.feature).copied().map_or(f64::NAN, Base::wide);
            let yes = match node.mode {
                Mode::Leaf => return Ok(&self.weights[node.range.0..node.range.1]),
                Mode::Leq => v <= node.value,
                Mode::Lt => v < node.value,
                Mode::Gte => v >= node.value,
                Mode::Gt => v > node.value,
                Mode::Eq => v == node.value,
                Mode::Neq => v != node.value,
                Mode::Member => self.members[node.range.0..node.range.1].contains(&v),
            };
            let yes = yes || (node.missing && v.is_nan());
            node = &self.nodes[node.next[usize::from(!yes)]];
        }
        Err(Error::invalid("the nodes of a tree form a cycle"))
    }

    /// Computes the scores of `x`, and which targets a reached leaf has a weight for.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the nodes form a cycle.
    pub(crate) fn scores<B: Base>(&self, x: &[B], how: Aggregate, scores: &mut [B], has: &mut [bool]) -> Result<()> {
        scores.fill(B::of(0.0));
        has.fill(false);
        for &root in &self.roots {
            for &(target, weight) in self.leaf(root, x)? {
                let (score, weight) = (&mut scores[target], B::of(weight));
                *score = match how {
                    Aggregate::Sum | Aggregate::Average => *score + weight,
                    _ if !has[target] => weight,
                    Aggregate::Min => score.min(weight),
                    Aggregate::Max => score.max(weight),
                };
                has[target] = true;
            }
        }
        if how == Aggregate::Average {
            let n = B::of(self.roots.len().max(1) as f64);
            scores.iter_mut().for_each(|s| *s = *s / n);
        }
        Ok(())
    }
}

/// Checks a feature index.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is negative.
pub(crate) fn feature(number: i64) -> Result<usize> {
    usize::try_from(number)
        .map_err(|_| Error::invalid("a feature has a negative number").attr("nodes_featureids").found(number))
}
