//! `TreeEnsembleClassifier`, `TreeEnsembleRegressor` and `TreeEnsemble` of `ai.onnx.ml`.

use crate::base::{Base, buffer, product, read, write};
use crate::linear_classifier::{Labels, rows};
use crate::post::{self, Post, logistic};
use crate::prelude::*;
use crate::trees::{Aggregate, Lists, Mode, Node, Trees, feature};
use std::sync::Arc;

const AGGREGATES: &[&str] = &["AVERAGE", "SUM", "MIN", "MAX"];

attrs! {
    /// `TreeEnsembleClassifier` of `ai.onnx.ml`: classifies each row of `X` by the summed weights of the leaves it
    /// reaches, and returns the scores of all classes.
    pub struct OnnxTreeEnsembleClassifier {
        /// Element type of `X`.
        dtype: DType = Attr::dtype("T1", sets::REALS),
        /// Element type of the class labels.
        label: DType = Attr::dtype("T2", &[DType::I64, DType::Str]),
        /// Base values added to the class scores.
        base: Vec<f32> = Attr::floats("base_values").or_empty(),
        /// `base_values` in double precision.
        base_tensor: Vec<Tensor> = Attr::tensors("base_values_as_tensor").or_empty(),
        /// Class id of each weight.
        class_ids: Vec<i64> = Attr::ints("class_ids").or_empty(),
        /// Node id of each weight.
        class_nodes: Vec<i64> = Attr::ints("class_nodeids").or_empty(),
        /// Tree id of each weight.
        class_trees: Vec<i64> = Attr::ints("class_treeids").or_empty(),
        /// Weights of the leaves.
        class_weights: Vec<f32> = Attr::floats("class_weights").or_empty(),
        /// `class_weights` in double precision.
        class_weights_tensor: Vec<Tensor> = Attr::tensors("class_weights_as_tensor").or_empty(),
        /// Class labels, if they are integers.
        labels: Vec<i64> = Attr::ints("classlabels_int64s").or_empty(),
        /// Class labels, if they are strings.
        names: Vec<Bytes> = Attr::strings("classlabels_strings").or_empty(),
        /// Next node of each node if its test is false.
        no: Vec<i64> = Attr::ints("nodes_falsenodeids").or_empty(),
        /// Feature index tested by each node.
        features: Vec<i64> = Attr::ints("nodes_featureids").or_empty(),
        /// Whether each node's test is true for NaN.
        missing: Vec<i64> = Attr::ints("nodes_missing_value_tracks_true").or_empty(),
        /// Comparison of each node.
        modes: Vec<String> = Attr::strings("nodes_modes").or_empty(),
        /// Id of each node within its tree.
        ids: Vec<i64> = Attr::ints("nodes_nodeids").or_empty(),
        /// Tree id of each node.
        trees: Vec<i64> = Attr::ints("nodes_treeids").or_empty(),
        /// Next node of each node if its test is true.
        yes: Vec<i64> = Attr::ints("nodes_truenodeids").or_empty(),
        /// Value each node compares with.
        values: Vec<f32> = Attr::floats("nodes_values").or_empty(),
        /// `nodes_values` in double precision.
        values_tensor: Vec<Tensor> = Attr::tensors("nodes_values_as_tensor").or_empty(),
        /// Transform applied to the scores.
        post: String = Attr::one_of("post_transform", post::NAMES).or_str("NONE"),
    }
}

attrs! {
    /// `TreeEnsembleRegressor` of `ai.onnx.ml`: aggregates, per target, the weights of the leaves that each row of `X`
    /// reaches.
    pub struct OnnxTreeEnsembleRegressor {
        /// Element type of `X`.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Function that aggregates the leaf weights.
        aggregate: String = Attr::one_of("aggregate_function", AGGREGATES).or_str("SUM"),
        /// Base value added to each target.
        base: Vec<f32> = Attr::floats("base_values").or_empty(),
        /// `base_values` in double precision.
        base_tensor: Vec<Tensor> = Attr::tensors("base_values_as_tensor").or_empty(),
        /// Number of targets.
        n: i64 = Attr::int("n_targets").or_int(1).at_least(1),
        /// Next node of each node if its test is false.
        no: Vec<i64> = Attr::ints("nodes_falsenodeids").or_empty(),
        /// Feature index tested by each node.
        features: Vec<i64> = Attr::ints("nodes_featureids").or_empty(),
        /// Whether each node's test is true for NaN.
        missing: Vec<i64> = Attr::ints("nodes_missing_value_tracks_true").or_empty(),
        /// Comparison of each node.
        modes: Vec<String> = Attr::strings("nodes_modes").or_empty(),
        /// Id of each node within its tree.
        ids: Vec<i64> = Attr::ints("nodes_nodeids").or_empty(),
        /// Tree id of each node.
        trees: Vec<i64> = Attr::ints("nodes_treeids").or_empty(),
        /// Next node of each node if its test is true.
        yes: Vec<i64> = Attr::ints("nodes_truenodeids").or_empty(),
        /// Value each node compares with.
        values: Vec<f32> = Attr::floats("nodes_values").or_empty(),
        /// `nodes_values` in double precision.
        values_tensor: Vec<Tensor> = Attr::tensors("nodes_values_as_tensor").or_empty(),
        /// Transform applied to the targets.
        post: String = Attr::one_of("post_transform", post::NAMES).or_str("NONE"),
        /// Target id of each weight.
        target_ids: Vec<i64> = Attr::ints("target_ids").or_empty(),
        /// Node id of each weight.
        target_nodes: Vec<i64> = Attr::ints("target_nodeids").or_empty(),
        /// Tree id of each weight.
        target_trees: Vec<i64> = Attr::ints("target_treeids").or_empty(),
        /// Weights of the leaves.
        target_weights: Vec<f32> = Attr::floats("target_weights").or_empty(),
        /// `target_weights` in double precision.
        target_weights_tensor: Vec<Tensor> = Attr::tensors("target_weights_as_tensor").or_empty(),
    }
}

attrs! {
    /// `TreeEnsemble` of `ai.onnx.ml`: aggregates, per target, the weights of the leaves that each row of `X` reaches.
    pub struct OnnxTreeEnsemble {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Aggregation of weights: 0 for the average, 1 for the sum, 2 for the minimum, 3 for the maximum.
        aggregate: i64 = Attr::int("aggregate_function").or_int(1),
        /// Target id of each leaf.
        leaf_targets: Vec<i64> = Attr::ints("leaf_targetids").or_empty(),
        /// Weight of each leaf.
        leaf_weights: Tensor = Attr::tensor("leaf_weights"),
        /// Member sets of the nodes that test for membership, each terminated by NaN.
        members: Vec<Tensor> = Attr::tensors("membership_values").or_empty(),
        /// Number of targets.
        n: i64 = Attr::int("n_targets").or_int(1).at_least(1),
        /// Whether the next node for false is a leaf.
        no_leaf: Vec<i64> = Attr::ints("nodes_falseleafs").or_empty(),
        /// Next node of each node if its test is false.
        no: Vec<i64> = Attr::ints("nodes_falsenodeids").or_empty(),
        /// Feature index tested by each node.
        features: Vec<i64> = Attr::ints("nodes_featureids").or_empty(),
        /// Whether each node's test is true for NaN.
        missing: Vec<i64> = Attr::ints("nodes_missing_value_tracks_true").or_empty(),
        /// Comparison of each node: less or equal, less, greater or equal, greater, equal, not equal, member.
        modes: Tensor = Attr::tensor("nodes_modes"),
        /// Value each node compares with.
        splits: Tensor = Attr::tensor("nodes_splits"),
        /// Whether the next node for true is a leaf.
        yes_leaf: Vec<i64> = Attr::ints("nodes_trueleafs").or_empty(),
        /// Next node of each node if its test is true.
        yes: Vec<i64> = Attr::ints("nodes_truenodeids").or_empty(),
        /// Transform applied to the targets: 0 for none, 1 softmax, 2 logistic, 3 softmax of the nonzero scores, 4
        /// probit.
        post: i64 = Attr::int("post_transform").or_int(0),
        /// Root node of each tree.
        roots: Vec<i64> = Attr::ints("tree_roots").or_empty(),
    }
}

/// The values of a list, or of the tensor given in its place.
fn numbers(list: &[f32], tensor: &[Tensor]) -> Result<Vec<f64>> {
    match tensor.first().filter(|tensor| tensor.num_elements() > 0) {
        Some(tensor) => Ok(read::<f64>(tensor)?.into_owned()),
        None => Ok(list.iter().map(|&v| f64::from(v)).collect()),
    }
}

/// The node's trees, built by its first run.
fn trees_of(cx: &Cx<'_, '_>, make: impl FnOnce() -> Result<Trees>) -> Result<Arc<Result<Trees>>> {
    cx.node_state(make)
}

fn scores_shape(cx: &mut ShapeCx<'_>, i: usize, n: Option<usize>) {
    let rows = match cx.input(0).rank() {
        Some(1) => Some(1),
        _ => cx.input(0).dim(0),
    };
    if cx.input(0).rank().is_some() {
        cx.output(i, PartialShape::new([rows, n]));
    }
}

pub static ONNX_TREE_ENSEMBLE_CLASSIFIER: Def<OnnxTreeEnsembleClassifier> = op("OnnxTreeEnsembleClassifier")
    .inputs(&[arg("X", of("T1"))])
    .outputs(&[arg("Y", of("T2")), arg("Z", is(DType::F32))])
    .shape(|_, cx| {
        let rows = if cx.input(0).rank() == Some(1) { Some(1) } else { cx.input(0).dim(0) };
        cx.output_vector(0, rows);
        scores_shape(cx, 1, None);
        Ok(())
    })
    .kernel(onnx_tree_ensemble_classifier)
    .heavy();

fn onnx_tree_ensemble_classifier(op: &OnnxTreeEnsembleClassifier, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.classes() == 0 {
        return Err(Error::invalid("a classifier must have classes").attr("classlabels_int64s"));
    }
    let trees = trees_of(cx, || op.make())?;
    let trees = (*trees).as_ref().map_err(Clone::clone)?;
    let (n, features) = rows(cx)?;
    trees.check_features(features)?;
    let base = numbers(&op.base, &op.base_tensor)?;
    let weights = numbers(&op.class_weights, &op.class_weights_tensor)?;
    // Two classes of which only one has weights: whether all weights are positive determines the meaning of the score.
    let one_class = op.class_ids.windows(2).all(|pair| pair[0] == pair[1]);
    let binary = (op.classes() == 2 && one_class).then(|| weights.iter().all(|&w| w >= 0.0));
    let (mut best, mut width) = (Vec::with_capacity(n), op.classes());
    let mut z: Vec<f32> = Vec::new();
    in_base!(if op.dtype == DType::F64 { DType::F64 } else { DType::F32 }, |B| {
        let x = read::<B>(cx.input(0)?)?;
        let base: Vec<B> = base.iter().map(|&b| B::of(b)).collect();
        let mut has = vec![false; trees.targets];
        cx.device.arena.check(product(&[n, trees.targets])?.saturating_mul(4))?;
        for row in 0..n {
            let mut scores = vec![B::of(0.0); trees.targets];
            trees.scores(&x[row * features..][..features], Aggregate::Sum, &mut scores, &mut has)?;
            best.push(op.decide(&mut scores, &has, &base, binary));
            width = scores.len();
            z.extend(scores.iter().map(|s| s.wide() as f32));
        }
    });
    let y = Labels { numbers: &op.labels, names: &op.names }.of(op.label, &best)?;
    let z = Tensor::from_vec(Shape::new([n, width])?, z)?;
    cx.set(0, y);
    cx.set(1, z);
    Ok(())
}

impl OnnxTreeEnsembleClassifier {
    fn classes(&self) -> usize {
        self.labels.len().max(self.names.len())
    }

    fn make(&self) -> Result<Trees> {
        let lists = Lists {
            trees: &self.trees,
            ids: &self.ids,
            features: &self.features,
            modes: &self.modes,
            values: &numbers(&self.values, &self.values_tensor)?,
            yes: &self.yes,
            no: &self.no,
            missing: &self.missing,
            weight_trees: &self.class_trees,
            weight_ids: &self.class_nodes,
            weight_targets: &self.class_ids,
            weights: &numbers(&self.class_weights, &self.class_weights_tensor)?,
        };
        // Two classes may share a single set of weights.
        Trees::of(&lists, self.classes().max(2))
    }

    /// Decides the class of a row of scores, which are converted to the output scores.
    fn decide<B: Base>(&self, scores: &mut Vec<B>, has: &[bool], base: &[B], binary: Option<bool>) -> usize {
        let (zero, one, post) = (B::of(0.0), B::of(1.0), Post::of(&self.post));
        if self.classes() > 2 {
            scores.iter_mut().zip(base).for_each(|(s, &b)| *s = *s + b);
            let mut best = 0;
            for i in 1..scores.len() {
                best = if scores[i] > scores[best] { i } else { best };
            }
            post.apply(scores);
            return best;
        }
        let mut second = has[1];
        match base {
            [a, b] => {
                scores[0] = scores[0] + *a;
                scores[1] = scores[1] + *b;
                second = true;
            }
            [a] => scores[0] = scores[0] + *a,
            _ => {}
        }
        let weight = if second { scores[1] } else { scores[0] };
        let best = match binary {
            Some(true) => usize::from(weight > B::of(0.5)),
            _ => usize::from(weight > zero),
        };
        if second {
            post.apply(scores);
            return best;
        }
        let score = scores[0];
        (scores[0], scores[1]) = match (binary, post) {
            (_, Post::Probit) => {
                scores.truncate(1);
                post.apply(scores);
                return best;
            }
            (_, Post::Logistic) => (logistic(-score), logistic(score)),
            (Some(true), _) => (one - score, score),
            _ => (-score, score),
        };
        best
    }
}

pub static ONNX_TREE_ENSEMBLE_REGRESSOR: Def<OnnxTreeEnsembleRegressor> = op("OnnxTreeEnsembleRegressor")
    .inputs(&[arg("X", of("T"))])
    .outputs(&[arg("Y", is(DType::F32))])
    .shape(|op: &OnnxTreeEnsembleRegressor, cx| {
        scores_shape(cx, 0, usize::try_from(op.n).ok());
        Ok(())
    })
    .kernel(onnx_tree_ensemble_regressor)
    .heavy();

fn onnx_tree_ensemble_regressor(op: &OnnxTreeEnsembleRegressor, cx: &mut Cx<'_, '_>) -> Result<()> {
    let targets = usize::try_from(op.n).unwrap_or(usize::MAX);
    product(&[targets])?;
    let make = || {
        let lists = Lists {
            trees: &op.trees,
            ids: &op.ids,
            features: &op.features,
            modes: &op.modes,
            values: &numbers(&op.values, &op.values_tensor)?,
            yes: &op.yes,
            no: &op.no,
            missing: &op.missing,
            weight_trees: &op.target_trees,
            weight_ids: &op.target_nodes,
            weight_targets: &op.target_ids,
            weights: &numbers(&op.target_weights, &op.target_weights_tensor)?,
        };
        Trees::of(&lists, targets)
    };
    let trees = trees_of(cx, make)?;
    let trees = (*trees).as_ref().map_err(Clone::clone)?;
    let base = numbers(&op.base, &op.base_tensor)?;
    cx.device.arena.check(targets)?;
    let how = Aggregate::named(&op.aggregate);
    let shape = Shape::new([rows(cx)?.0, targets])?;
    let y = in_base!(if op.dtype == DType::F64 { DType::F64 } else { DType::F32 }, |B| {
        let y = regress::<B>(cx, trees, how, &base, Post::of(&op.post))?;
        write(cx, DType::F32, &shape, y)?
    });
    cx.set(0, y);
    Ok(())
}

/// Computes the scores of all rows of `X`.
fn regress<B: Base>(cx: &Cx<'_, '_>, trees: &Trees, how: Aggregate, base: &[f64], post: Post) -> Result<Vec<B>> {
    let (n, features) = rows(cx)?;
    trees.check_features(features)?;
    let x = read::<B>(cx.input(0)?)?;
    let mut y = buffer::<B>(cx, product(&[n, trees.targets])?)?;
    let mut has = vec![false; trees.targets];
    for (row, scores) in y.chunks_exact_mut(trees.targets).enumerate() {
        trees.scores(&x[row * features..][..features], how, scores, &mut has)?;
        let spoken_of = scores.iter_mut().zip(base).zip(&has).filter(|(_, has)| **has);
        spoken_of.for_each(|((s, &b), _)| *s = *s + B::of(b));
        // As in other runtimes, base values are added only to targets that a leaf has a weight for, and a single target
        // is transformed by probit only.
        if trees.targets > 1 || post == Post::Probit {
            post.apply(scores);
        }
    }
    Ok(y)
}

pub static ONNX_TREE_ENSEMBLE: Def<OnnxTreeEnsemble> = op("OnnxTreeEnsemble")
    .inputs(&[arg("X", of("T"))])
    .outputs(&[arg("Y", of("T"))])
    .shape(|op: &OnnxTreeEnsemble, cx| {
        scores_shape(cx, 0, usize::try_from(op.n).ok());
        Ok(())
    })
    .kernel(onnx_tree_ensemble)
    .heavy();

fn onnx_tree_ensemble(op: &OnnxTreeEnsemble, cx: &mut Cx<'_, '_>) -> Result<()> {
    let targets = usize::try_from(op.n).unwrap_or(usize::MAX);
    product(&[targets])?;
    cx.device.arena.check(targets)?;
    let trees = trees_of(cx, || op.make(targets))?;
    let trees = (*trees).as_ref().map_err(Clone::clone)?;
    let how = match op.aggregate {
        0 => Aggregate::Average,
        1 => Aggregate::Sum,
        2 => Aggregate::Min,
        3 => Aggregate::Max,
        other => return Err(Error::invalid("unknown function").attr("aggregate_function").found(other)),
    };
    let name = usize::try_from(op.post).ok().and_then(|post| post::NAMES.get(post));
    let name = name.ok_or_else(|| Error::invalid("unknown function").attr("post_transform").found(op.post))?;
    let shape = Shape::new([rows(cx)?.0, targets])?;
    let y = in_base!(op.dtype, |B| {
        let y = regress::<B>(cx, trees, how, &[], Post::of(name))?;
        write(cx, op.dtype, &shape, y)?
    });
    cx.set(0, y);
    Ok(())
}

impl OnnxTreeEnsemble {
    fn make(&self, targets: usize) -> Result<Trees> {
        let (modes, splits) = (self.modes.slice::<u8>()?, read::<f64>(&self.splits)?);
        let (n, leaves) = (modes.len(), self.leaf_targets.len());
        for (attr, found, expected) in [
            ("nodes_splits", splits.len(), n),
            ("nodes_featureids", self.features.len(), n),
            ("nodes_truenodeids", self.yes.len(), n),
            ("nodes_falsenodeids", self.no.len(), n),
            ("nodes_trueleafs", self.yes_leaf.len(), n),
            ("nodes_falseleafs", self.no_leaf.len(), n),
            ("leaf_weights", self.leaf_weights.num_elements(), leaves),
        ] {
            if found != expected {
                return Err(Error::invalid(format!("{attr} has the wrong length"))
                    .attr(attr)
                    .expected(format!("{expected} elements"))
                    .found(format!("{found} elements")));
            }
        }
        let place = |id: i64, is_leaf: bool, attr: &str| {
            let (limit, first) = if is_leaf { (leaves, n) } else { (n, 0) };
            usize::try_from(id)
                .ok()
                .filter(|&id| id < limit)
                .map(|id| id + first)
                .ok_or_else(|| Error::invalid("a tree node refers to one that does not exist").attr(attr).found(id))
        };
        let members: Vec<f64> = match self.members.first() {
            Some(members) => read::<f64>(members)?.into_owned(),
            None => Vec::new(),
        };
        let (mut nodes, mut sets) = (Vec::with_capacity(n + leaves), members.split(|v| v.is_nan()));
        let mut from = 0;
        for (i, (&mode, &value)) in modes.iter().zip(splits.iter()).enumerate() {
            let mode = Mode::numbered(mode)?;
            let mut range = (0, 0);
            if mode == Mode::Member {
                let set =
                    sets.next().ok_or_else(|| Error::invalid("a node has no members").attr("membership_values"))?;
                range = (from, from + set.len());
                from += set.len() + 1;
            }
            let yes = place(self.yes[i], self.yes_leaf[i] != 0, "nodes_truenodeids")?;
            let no = place(self.no[i], self.no_leaf[i] != 0, "nodes_falsenodeids")?;
            let missing = self.missing.get(i).is_some_and(|&m| m != 0);
            nodes.push(Node { mode, feature: feature(self.features[i])?, value, next: [yes, no], missing, range });
        }
        let mut weights = Vec::with_capacity(leaves);
        for (i, (&target, &weight)) in self.leaf_targets.iter().zip(read::<f64>(&self.leaf_weights)?.iter()).enumerate()
        {
            let target = usize::try_from(target).ok().filter(|&t| t < targets).ok_or_else(|| {
                Error::invalid("a leaf has a weight for a target that does not exist")
                    .attr("leaf_targetids")
                    .found(target)
            })?;
            weights.push((target, weight));
            let range = (i, i + 1);
            nodes.push(Node { mode: Mode::Leaf, feature: 0, value: 0.0, next: [0, 0], missing: false, range });
        }
        let roots = self.roots.iter().map(|&root| place(root, false, "tree_roots")).collect::<Result<_>>()?;
        Ok(Trees { nodes, roots, weights, members, targets })
    }
}
