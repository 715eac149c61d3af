//! The parameters of [`CudnnRNN`](super::cudnn_rnn) in one vector: their number, and conversion to and from the weight
//! matrices and biases of each gate.
//!
//! For each layer, forward and then backward, come the input weights, gate by gate, and then the recurrent weights; the
//! weights of all layers are followed by their biases in the same order. The gates are cuDNN's: input, forget, cell and
//! output for an LSTM; reset, update and candidate for a GRU.

use crate::prelude::*;

/// Element types.
pub(super) const TYPES: &[DType] = &[DType::BF16, DType::F16, DType::F32, DType::F64];

/// Cell types.
pub(super) const MODES: &[&str] = &["rnn_relu", "rnn_tanh", "lstm", "gru"];
/// How the first layer processes the input.
pub(super) const INPUTS: &[&str] = &["linear_input", "skip_input", "auto_select"];
/// The directions in which layers process time.
pub(super) const DIRECTIONS: &[&str] = &["unidirectional", "bidirectional"];

/// The type of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    Relu,
    Tanh,
    Lstm,
    Gru,
}

impl Kind {
    /// The type with this name, one of [`MODES`].
    pub(super) fn named(name: &str) -> Kind {
        match name {
            "rnn_relu" => Kind::Relu,
            "rnn_tanh" => Kind::Tanh,
            "gru" => Kind::Gru,
            _ => Kind::Lstm,
        }
    }

    pub(super) fn gates(self) -> usize {
        match self {
            Kind::Relu | Kind::Tanh => 1,
            Kind::Gru => 3,
            Kind::Lstm => 4,
        }
    }
}

/// The dimensions of a network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Network {
    pub(super) kind: Kind,
    pub(super) layers: usize,
    /// 2 if each layer is bidirectional, otherwise 1.
    pub(super) directions: usize,
    pub(super) units: usize,
    pub(super) input: usize,
    /// If true, the first layer adds its input to each gate and has no input weights.
    pub(super) skips: bool,
}

/// The offsets of a cell's parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Columns of the input weights; 0 if the input is added.
    pub(super) inputs: usize,
    /// Input weights of all gates, `units` rows per gate.
    pub(super) input_at: usize,
    /// Recurrent weights.
    pub(super) state_at: usize,
    /// Input biases of all gates, followed by the recurrent biases.
    pub(super) bias_at: usize,
}

impl Network {
    /// # Errors
    /// `INVALID_ARGUMENT` if a size is not positive or too large, or if a skipped input differs in size from the state.
    pub(super) fn new([kind, input_mode, direction]: [&str; 3], [layers, units, input]: [usize; 3]) -> Result<Network> {
        let skips = input_mode == "skip_input" || (input_mode == "auto_select" && units == input);
        let directions = if direction == "bidirectional" { 2 } else { 1 };
        let network = Network { kind: Kind::named(kind), layers, directions, units, input, skips };
        if layers == 0 || units == 0 || input == 0 {
            return Err(Error::invalid("a recurrent network must have layers, units and inputs")
                .found(format!("{layers} layers, {units} units, {input} inputs")));
        }
        if skips && units != input {
            return Err(Error::invalid("with skip_input the input must be as wide as the state")
                .attr("input_mode")
                .expected(units)
                .found(input));
        }
        // An upper bound on all sums and products of sizes.
        let widest = input.max(units.saturating_mul(2)).checked_add(units + 2);
        let all = widest.and_then(|widest| widest.checked_mul(units)?.checked_mul(layers)?.checked_mul(16));
        match all.filter(|all| *all < isize::MAX as usize) {
            Some(_) => Ok(network),
            None => Err(Error::invalid("a recurrent network is too large")
                .found(format!("{layers} layers, {units} units, {input} inputs"))),
        }
    }

    /// Rows of the weights of one cell, over all gates.
    pub(super) fn rows(&self) -> usize {
        self.kind.gates() * self.units
    }

    /// The number of cells.
    pub(super) fn cells(&self) -> usize {
        self.layers * self.directions
    }

    fn inputs(&self, layer: usize) -> usize {
        match layer {
            0 if self.skips => 0,
            0 => self.input,
            _ => self.units * self.directions,
        }
    }

    /// Number of weights in the layers before this one. Constant time, since the number of layers is unbounded.
    fn below(&self, layer: usize) -> usize {
        let of = |layer| (self.inputs(layer) + self.units) * self.rows() * self.directions;
        if layer == 0 { 0 } else { of(0) + (layer - 1) * of(1) }
    }

    /// Number of weights.
    fn weights(&self) -> usize {
        self.below(self.layers)
    }

    /// The number of parameters.
    pub(super) fn size(&self) -> usize {
        self.weights() + self.cells() * 2 * self.rows()
    }

    /// The offsets of a cell's parameters.
    pub(super) fn cell(&self, layer: usize, direction: usize) -> Cell {
        let inputs = self.inputs(layer);
        let input_at = self.below(layer) + direction * (inputs + self.units) * self.rows();
        Cell {
            inputs,
            input_at,
            state_at: input_at + inputs * self.rows(),
            bias_at: self.weights() + (layer * self.directions + direction) * 2 * self.rows(),
        }
    }

    /// Checks that the number of weight matrices and biases matches the network.
    fn check_pieces(&self, found: usize) -> Result<()> {
        match self.cells().saturating_mul(4 * self.kind.gates()) {
            expected if found == expected => Ok(()),
            expected => Err(Error::invalid("wrong number of matrices and biases for the network")
                .expected(expected)
                .found(found)),
        }
    }

    /// The weight matrices in order, each as offset, rows and columns, and the offset of each bias.
    fn pieces(&self) -> (Vec<(usize, usize, usize)>, Vec<usize>) {
        let (mut weights, mut biases) = (Vec::new(), Vec::new());
        for cell in (0..self.layers).flat_map(|l| (0..self.directions).map(move |d| self.cell(l, d))) {
            for (at, columns) in [(cell.input_at, cell.inputs), (cell.state_at, self.units)] {
                weights
                    .extend((0..self.kind.gates()).map(|gate| (at + gate * self.units * columns, self.units, columns)));
            }
            biases.extend((0..2 * self.kind.gates()).map(|gate| cell.bias_at + gate * self.units));
        }
        (weights, biases)
    }
}

attrs! {
    /// The attrs of ops on the parameters of recurrent networks.
    pub struct CudnnParams {
        /// Element type.
        dtype: DType = Attr::dtype("T", TYPES),
        /// Dtype of the parameter count.
        size: DType = Attr::dtype("S", sets::INDEX).or_type(DType::I32),
        /// Number of weight matrices.
        weights: i64 = Attr::int("num_params_weights").or_int(1).at_least(1),
        /// Number of biases.
        biases: i64 = Attr::int("num_params_biases").or_int(1).at_least(1),
        /// Number of weight matrices and of biases, in older forms.
        both: i64 = Attr::int("num_params").or_int(1).at_least(1),
        /// Cell type.
        mode: String = Attr::one_of("rnn_mode", MODES).or_str("lstm"),
        /// Whether the first layer has input weights.
        input_mode: String = Attr::one_of("input_mode", INPUTS).or_str("linear_input"),
        /// Whether layers are bidirectional.
        direction: String = Attr::one_of("direction", DIRECTIONS).or_str("unidirectional"),
        /// Ignored.
        dropout: f32 = Attr::float("dropout").or_float(0.0),
        /// Ignored.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Ignored.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// Size of the recurrent projection; must be 0, since projections are not supported.
        projection: i64 = Attr::int("num_proj").or_int(0),
    }
}

const LAYERS: Arg = arg("num_layers", is(DType::I32));
const UNITS: Arg = arg("num_units", is(DType::I32));
const INPUT: Arg = arg("input_size", is(DType::I32));

pub static CUDNN_RNN_PARAMS_SIZE: Def<CudnnParams> = op::<CudnnParams>("CudnnRNNParamsSize")
    .doc("The number of parameters of a recurrent network.")
    .without(&["num_params_weights", "num_params_biases", "num_params"])
    .attrs(&[Attr::dtype("S", sets::INDEX)])
    .inputs(&[LAYERS, UNITS, INPUT])
    .outputs(&[arg("params_size", of("S"))])
    .shape(|_, cx| {
        cx.output_vector(0, Some(1));
        Ok(())
    })
    .kernel(|op, cx| {
        let size = op.network(cx)?.size();
        let out = match op.size {
            DType::I64 => Tensor::vector(vec![size as i64]),
            _ => Tensor::vector(vec![i32::try_from(size).map_err(|_| {
                Error::invalid("the number of parameters does not fit into int32").attr("S").found(size)
            })?]),
        };
        cx.set(0, out);
        Ok(())
    });

const PARAMS: Arg = arg("params", of("T"));
const BY_BOTH: &[&str] = &["num_params_weights", "num_params_biases", "S", "num_proj"];
const BY_EACH: &[&str] = &["num_params", "S"];

pub static CUDNN_RNN_PARAMS_TO_CANONICAL: Def<CudnnParams> = op::<CudnnParams>("CudnnRNNParamsToCanonicalV2")
    .doc("Unpacks the parameter vector of a recurrent network into the weight matrices and biases of each gate.")
    .without(BY_EACH)
    .attrs(&[Attr::int("num_params_weights").at_least(1), Attr::int("num_params_biases").at_least(1)])
    .inputs(&[LAYERS, UNITS, INPUT, PARAMS])
    .outputs(&[arg("weights", of("T")).times("num_params_weights"), arg("biases", of("T")).times("num_params_biases")])
    .also(&[form("CudnnRNNParamsToCanonical")
        .without(BY_BOTH)
        .attrs(&[Attr::int("num_params").at_least(1)])
        .outputs(&[arg("weights", of("T")).times("num_params"), arg("biases", of("T")).times("num_params")])])
    .kernel(|op, cx| {
        let network = op.network(cx)?;
        network.check_pieces(cx.num_outputs())?;
        let params = cx.input(3)?.clone();
        if params.shape().dims() != [network.size()] {
            return Err(Error::invalid("params must be a vector of the parameters of the network")
                .expected(format!("shape [{}]", network.size()))
                .found(format!("shape {}", params.shape())));
        }
        let (weights, biases) = network.pieces();
        let count = weights.len();
        for (i, (at, rows, columns)) in weights.into_iter().enumerate() {
            cx.set(i, params.part(at, Shape::new([rows, columns])?)?);
        }
        for (i, at) in biases.into_iter().enumerate() {
            cx.set(count + i, params.part(at, Shape::vector(network.units))?);
        }
        Ok(())
    });

pub static CUDNN_RNN_CANONICAL_TO_PARAMS: Def<CudnnParams> = op::<CudnnParams>("CudnnRNNCanonicalToParamsV2")
    .doc("Packs the weight matrices and biases of each gate of a recurrent network into its parameter vector.")
    .without(BY_EACH)
    .attrs(&[Attr::int("num_params_weights").at_least(1), Attr::int("num_params_biases").at_least(1)])
    .inputs(&[
        LAYERS,
        UNITS,
        INPUT,
        arg("weights", of("T")).times("num_params_weights"),
        arg("biases", of("T")).times("num_params_biases"),
    ])
    .outputs(&[PARAMS])
    .also(&[form("CudnnRNNCanonicalToParams").without(BY_BOTH).attrs(&[Attr::int("num_params").at_least(1)]).inputs(
        &[
            LAYERS,
            UNITS,
            INPUT,
            arg("weights", of("T")).times("num_params"),
            arg("biases", of("T")).times("num_params"),
        ],
    )])
    .shape(|_, cx| {
        cx.output_vector(0, None);
        Ok(())
    })
    .kernel(|op, cx| {
        let network = op.network(cx)?;
        network.check_pieces(cx.num_inputs() - 3)?;
        let (weights, biases) = network.pieces();
        let all = weights.into_iter().chain(biases.into_iter().map(|at| (at, network.units, 1)));
        let mut out = cx.alloc(op.dtype, &Shape::vector(network.size()))?;
        let width = op.dtype.size();
        for (i, (at, rows, columns)) in all.enumerate() {
            let piece = cx.input(3 + i)?;
            if piece.num_elements() != rows * columns {
                return Err(Error::invalid(format!("parameters {i} of a recurrent network have the wrong size"))
                    .expected(format!("{rows} rows of {columns}"))
                    .found(format!("shape {}", piece.shape())));
            }
            if let (Some(to), Some(from)) = (out.bytes_mut(), piece.bytes()) {
                to[at * width..][..from.len()].copy_from_slice(from);
            }
        }
        cx.set(0, out);
        Ok(())
    });

impl CudnnParams {
    /// The network with the sizes on the first three inputs.
    fn network(&self, cx: &Cx<'_, '_>) -> Result<Network> {
        let size = |i: usize, name: &str| -> Result<usize> {
            let value = cx.scalar::<i32>(i)?;
            usize::try_from(value).map_err(|_| Error::invalid(format!("{name} must be positive")).found(value))
        };
        let sizes = [size(0, "num_layers")?, size(1, "num_units")?, size(2, "input_size")?];
        if self.projection != 0 {
            return Err(projected());
        }
        Network::new([&self.mode, &self.input_mode, &self.direction], sizes)
    }
}

/// The error for recurrent projections.
pub(super) fn projected() -> Error {
    Error::unimplemented("recurrent networks with projections of their states").attr("num_proj").expected(0)
}
