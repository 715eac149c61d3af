// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `ctc`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_builder::Output;

impl Ops<'_> {
    /// Searches for the most probable label sequences; the last class is the blank. Returns the labels of each of the best paths as a sparse matrix, and the log probabilities.
    ///
    /// - `inputs`: a tensor of `T`
    /// - `sequence_length`: a tensor of int32
    /// - `beam_width`: Number of sequences kept from step to step. At least 1.
    /// - `top_paths`: Number of sequences to return. At least 1.
    ///
    /// `T` is float32, float64.
    pub fn ctc_beam_search_decoder(&self, inputs: impl Input, sequence_length: impl Input, beam_width: i64, top_paths: i64) -> CTCBeamSearchDecoder<'_> {
        let mut node = Node::new(self, "CTCBeamSearchDecoder").input(inputs).input(sequence_length);
        node.set("beam_width", beam_width);
        node.set("top_paths", top_paths);
        CTCBeamSearchDecoder(node)
    }

    /// Chooses the label with the highest score at each step and drops blanks. Returns the labels as a sparse matrix, and for each sequence the negated sum of the scores.
    ///
    /// - `inputs`: a tensor of `T`
    /// - `sequence_length`: a tensor of int32
    ///
    /// `T` is float32, float64.
    pub fn ctc_greedy_decoder(&self, inputs: impl Input, sequence_length: impl Input) -> CTCGreedyDecoder<'_> {
        CTCGreedyDecoder(Node::new(self, "CTCGreedyDecoder").input(inputs).input(sequence_length))
    }

    /// Computes for each sequence the negative log probability of its labels given the scores, and the gradient of that with respect to the scores. The last class is the blank.
    ///
    /// - `inputs`: a tensor of `T`
    /// - `labels_indices`: a tensor of int64
    /// - `labels_values`: a tensor of int32
    /// - `sequence_length`: a tensor of int32
    ///
    /// `T` is float32, float64.
    pub fn ctc_loss(&self, inputs: impl Input, labels_indices: impl Input, labels_values: impl Input, sequence_length: impl Input) -> CTCLoss<'_> {
        CTCLoss(Node::new(self, "CTCLoss").input(inputs).input(labels_indices).input(labels_values).input(sequence_length))
    }

    /// `CTCLoss` with the first class as the blank, for the default attrs only.
    ///
    /// - `inputs`: a tensor of float32
    /// - `labels_indices`: a tensor of int64
    /// - `labels_values`: a tensor of int32
    /// - `sequence_length`: a tensor of int32
    pub fn ctc_loss_v2(&self, inputs: impl Input, labels_indices: impl Input, labels_values: impl Input, sequence_length: impl Input) -> CTCLossV2<'_> {
        CTCLossV2(Node::new(self, "CTCLossV2").input(inputs).input(labels_indices).input(labels_values).input(sequence_length))
    }

    /// Computes the Levenshtein distance between corresponding sequences of `hypothesis` and `truth`: the minimum number of insertions, deletions and replacements. The sequences lie along the last axis of the sparse tensors.
    ///
    /// - `hypothesis_indices`: a tensor of int64
    /// - `hypothesis_values`: a tensor of `T`
    /// - `hypothesis_shape`: a tensor of int64
    /// - `truth_indices`: a tensor of int64
    /// - `truth_values`: a tensor of `T`
    /// - `truth_shape`: a tensor of int64
    ///
    /// `T` is any dtype.
    pub fn edit_distance(&self, hypothesis_indices: impl Input, hypothesis_values: impl Input, hypothesis_shape: impl Input, truth_indices: impl Input, truth_values: impl Input, truth_shape: impl Input) -> EditDistance<'_> {
        EditDistance(Node::new(self, "EditDistance").input(hypothesis_indices).input(hypothesis_values).input(hypothesis_shape).input(truth_indices).input(truth_values).input(truth_shape))
    }
}

/// A node of [`CTCBeamSearchDecoder`](Ops::ctc_beam_search_decoder) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CTCBeamSearchDecoder<'a>(Node<'a>);

impl CTCBeamSearchDecoder<'_> {
    /// Whether to merge repeated labels into one. Default: `true`.
    pub fn merge_repeated(mut self, merge_repeated: bool) -> Self {
        self.0.set("merge_repeated", merge_repeated);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CTCBeamSearchDecoderOutputs {
        let mut outputs = self.0.outputs();
        CTCBeamSearchDecoderOutputs { decoded_indices: outputs.list(), decoded_values: outputs.list(), decoded_shape: outputs.list(), log_probability: outputs.one() }
    }
}

/// The outputs of [`CTCBeamSearchDecoder`](Ops::ctc_beam_search_decoder).
#[derive(Clone, Debug)]
pub struct CTCBeamSearchDecoderOutputs {
    /// Any number of tensors of int64.
    pub decoded_indices: Vec<Output>,
    /// Any number of tensors of int64.
    pub decoded_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub decoded_shape: Vec<Output>,
    /// A tensor of `T`.
    pub log_probability: Output,
}

/// A node of [`CTCGreedyDecoder`](Ops::ctc_greedy_decoder) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CTCGreedyDecoder<'a>(Node<'a>);

impl CTCGreedyDecoder<'_> {
    /// Whether to merge repeated labels into one. Default: `false`.
    pub fn merge_repeated(mut self, merge_repeated: bool) -> Self {
        self.0.set("merge_repeated", merge_repeated);
        self
    }

    /// Index of the blank class; negative values count from the end. Default: `-1`.
    pub fn blank_index(mut self, blank_index: i64) -> Self {
        self.0.set("blank_index", blank_index);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CTCGreedyDecoderOutputs {
        let mut outputs = self.0.outputs();
        CTCGreedyDecoderOutputs { decoded_indices: outputs.one(), decoded_values: outputs.one(), decoded_shape: outputs.one(), log_probability: outputs.one() }
    }
}

/// The outputs of [`CTCGreedyDecoder`](Ops::ctc_greedy_decoder).
#[derive(Clone, Copy, Debug)]
pub struct CTCGreedyDecoderOutputs {
    /// A tensor of int64.
    pub decoded_indices: Output,
    /// A tensor of int64.
    pub decoded_values: Output,
    /// A tensor of int64.
    pub decoded_shape: Output,
    /// A tensor of `T`.
    pub log_probability: Output,
}

/// A node of [`CTCLoss`](Ops::ctc_loss) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CTCLoss<'a>(Node<'a>);

impl CTCLoss<'_> {
    /// Whether to collapse repeated labels into one before computing the loss. Default: `false`.
    pub fn preprocess_collapse_repeated(mut self, preprocess_collapse_repeated: bool) -> Self {
        self.0.set("preprocess_collapse_repeated", preprocess_collapse_repeated);
        self
    }

    /// Whether repeated labels need a blank between them; if false, each counts as a label of its own. Default: `true`.
    pub fn ctc_merge_repeated(mut self, ctc_merge_repeated: bool) -> Self {
        self.0.set("ctc_merge_repeated", ctc_merge_repeated);
        self
    }

    /// Whether sequences with more labels than steps have zero loss; otherwise they are an error. Default: `false`.
    pub fn ignore_longer_outputs_than_inputs(mut self, ignore_longer_outputs_than_inputs: bool) -> Self {
        self.0.set("ignore_longer_outputs_than_inputs", ignore_longer_outputs_than_inputs);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CTCLossOutputs {
        let mut outputs = self.0.outputs();
        CTCLossOutputs { loss: outputs.one(), gradient: outputs.one() }
    }
}

/// The outputs of [`CTCLoss`](Ops::ctc_loss).
#[derive(Clone, Copy, Debug)]
pub struct CTCLossOutputs {
    /// A tensor of `T`.
    pub loss: Output,
    /// A tensor of `T`.
    pub gradient: Output,
}

/// A node of [`CTCLossV2`](Ops::ctc_loss_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CTCLossV2<'a>(Node<'a>);

impl CTCLossV2<'_> {
    /// Whether to collapse repeated labels into one before computing the loss. Default: `false`.
    pub fn preprocess_collapse_repeated(mut self, preprocess_collapse_repeated: bool) -> Self {
        self.0.set("preprocess_collapse_repeated", preprocess_collapse_repeated);
        self
    }

    /// Whether repeated labels need a blank between them; if false, each counts as a label of its own. Default: `true`.
    pub fn ctc_merge_repeated(mut self, ctc_merge_repeated: bool) -> Self {
        self.0.set("ctc_merge_repeated", ctc_merge_repeated);
        self
    }

    /// Whether sequences with more labels than steps have zero loss; otherwise they are an error. Default: `false`.
    pub fn ignore_longer_outputs_than_inputs(mut self, ignore_longer_outputs_than_inputs: bool) -> Self {
        self.0.set("ignore_longer_outputs_than_inputs", ignore_longer_outputs_than_inputs);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CTCLossV2Outputs {
        let mut outputs = self.0.outputs();
        CTCLossV2Outputs { loss: outputs.one(), gradient: outputs.one() }
    }
}

/// The outputs of [`CTCLossV2`](Ops::ctc_loss_v2).
#[derive(Clone, Copy, Debug)]
pub struct CTCLossV2Outputs {
    /// A tensor of float32.
    pub loss: Output,
    /// A tensor of float32.
    pub gradient: Output,
}

/// A node of [`EditDistance`](Ops::edit_distance) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EditDistance<'a>(Node<'a>);

impl EditDistance<'_> {
    /// Whether to divide by the length of the sequence in `truth`. Default: `true`.
    pub fn normalize(mut self, normalize: bool) -> Self {
        self.0.set("normalize", normalize);
        self
    }
}

common! {
    CTCBeamSearchDecoder
    CTCGreedyDecoder
    CTCLoss
    CTCLossV2
    EditDistance
}

one_output! {
    EditDistance
}
