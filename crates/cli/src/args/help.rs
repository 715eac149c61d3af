//! Examples that `--help` shows for each verb.

/// Of the command itself.
pub const LEVADA: &str = "A first step:
  levada examples digits          # copies a graph with data, and says how to run it
  levada inspect GRAPH            # inputs, outputs and contents of a graph

`levada VERB --help` has the options of a verb, with examples. Exit codes: 1 an error in the graph, a feed or the run, 2
wrong usage.";

/// Of `inspect`.
pub const INSPECT: &str = "Examples:
  levada inspect model.meta
  levada inspect model.meta --json | jq '.variables[].name'
  levada inspect model.pb --devices gpu:1          # nodes that no GPU has a kernel for

Exit code 1: something in the graph is unsupported or wrong.";

/// Of `place`.
pub const PLACE: &str = "Examples:
  levada place graphs/digits/infer.json --devices cpu:2
  levada place model.pb --devices cpu:2 --explain dense/MatMul
  levada place model.pb --fetch loss --feed x=32x784 --cluster graphs/clusters/workstation.json --placer m-SCT
  levada place model.pb --fetch loss --feed x=32x784 --simulate --trace step.trace.json";

/// Of `lint`.
pub const LINT: &str = "Examples:
  levada lint model.meta
  levada lint model.pb --fetch loss --target train_op          # what may go wrong in this run
  levada lint model.pb --json | jq '.findings[] | select(.rule == \"race\").nodes'

Exit code 1: there is a race or a stall; waste alone is not a fault.";

/// Of `time`.
pub const TIME: &str = "Examples:
  levada time model.pb --fetch logits --feed x=32x784 --threads 1,2,4,8 --check
  levada time model.pb --fetch logits --feed x=32x784 --trace step.trace.json";

/// Of `memory`.
pub const MEMORY: &str = "Examples:
  levada memory model.pb --fetch logits --feed x=32x224x224x3
  levada memory model.pb --fetch logits --feed x=@x.npy --run                # measured beside predicted
  levada memory model.pb --fetch loss --target train_op --feed x=64x784 --limit 2GB -o ordered.pb

Exit code 1: the step may take more than the limit.";

/// Of `compare`.
pub const COMPARE: &str = "Examples:
  levada compare old.pb new.pb --feed x=@x.npy --fetch logits
  levada compare model.pb model.pb --devices cpu:1 --second-devices gpu:1,cpu:1 --feed x=@x.npy --rtol 1e-4
  levada compare model.pb dump.npz --feed x=@x.npy --fetch logits      # tensors from TensorFlow, by name

Exit code 1: something differs.";

/// Of `explore`.
pub const EXPLORE: &str = "Examples:
  levada explore model.meta --init init --fetch loss --target train_op --feed x=@x.npy --feed y=@y.npy
  levada explore model.pb --fetch y --orders 1000 --json | jq '.differences[].pair'

Exit code 1: something depends on the order. docs/exploring.md says what is tried and compared.";

/// Of `record`.
pub const RECORD: &str = "Examples:
  levada record model.meta --init init --fetch loss --target train_op --steps 100 --threads 4 --recording train.recording
  levada record input.meta --queue-runners --fetch batch --steps 20 --recording input.recording

docs/recording.md says what a recording holds.";

/// Of `replay`.
pub const REPLAY: &str = "Examples:
  levada replay train.recording
  levada replay train.recording --threads 1 --until gradients/MatMul_grad --run 17 --out grad.npz

Exit code 1: a result differs.";

/// Of `view`.
pub const VIEW: &str = "Examples:
  levada view model.pb                                           # writes model.html
  levada run graphs/short.json --feed 'x=[[1, 2, 3, 4]]' --fetch class --trace short.trace.json
  levada view graphs/short.json --trace short.trace.json --serve";

/// Of `data`.
pub const DATA: &str = "Examples:
  levada data train.meta --iterator IteratorV2 --take 3 --allow-files data
  levada data train.meta --iterator IteratorV2 --bench --allow-files data          # the speed of the input alone

Each element is a line of JSON. The node that gives the iterator its dataset runs first.";

/// Of `verify`.
pub const VERIFY: &str = "Examples:
  levada verify tests/golden/session.jsonl
  levada verify sessions.jsonl.gz --filter QueueDequeueV2 --json rows.json

A case passes, fails, or is skipped, with the reason. Exit code 1: a case failed.";

/// Of `bench`.
pub const BENCH: &str = "Examples:
  levada bench graphs/digits/infer.json --feed images=@graphs/digits/test_images.npy --fetch predictions
  levada bench model.pb --feed x=@x.npy --fetch y --callers 4          # is it worth calling from several threads?
  levada bench queue.json --target fill --also-fetch take              # an enqueue and a dequeue in turn
  levada bench graphs/pipeline/tfrecords.json --queue-runners --allow-files graphs/pipeline --fetch rows --steps 10";

/// Of `gradients`.
pub const GRADIENTS: &str = "Example:
  levada gradients model.json --of loss --by w,b --out train.json";

/// Of `batch`.
pub const BATCH: &str = "Examples:
  levada batch model.json --by x --fetch y -o batched.pb
  levada batch graphs/tree/infer.json --by sub --fetch probability -o trees.json   # many trees, level by level

docs/batching.md says how ops are batched.";

/// Of `freeze`.
pub const FREEZE: &str = "Examples:
  levada freeze model/ model.pb
  levada freeze model/ model.json --signature classify --fetch scores
  levada freeze graph.meta model.pb --restore checkpoints/model-100 --fetch scores";

/// Of `quantize`.
pub const QUANTIZE: &str = "Examples:
  levada quantize model.pb --calibrate images.npz --batch 8 --fetch probabilities -o model-int8.pb
  levada quantize model.pb --calibrate a.npz,b.npz --fetch y -o int8.json --ranges least-squares --keep conv1/Conv2D
  levada quantize model.pb --calibrate images.npz --fetch y -o int8.pb --json | jq '.layers[] | select(.sqnr_db < 20)'

docs/quantization.md says what is quantized and how.";

/// Of `checkpoint`.
pub const CHECKPOINT: &str = "Examples:
  levada checkpoint checkpoints                    # what the latest one has
  levada checkpoint model-100 --print global_step
  levada checkpoint model-100 --compare model-200 --select 'dense/*' --tolerance 1e-6
  levada checkpoint model-100 --out model.safetensors
  levada checkpoint weights.npz --out model        # as TensorFlow's checkpoint

docs/checkpoints.md has more.";

/// Of `convert`.
pub const CONVERT: &str = "Examples:
  levada convert model.onnx model.json
  levada convert model.onnx model.pb               # a GraphDef, as TensorFlow reads it";

/// Of `devices`.
pub const DEVICES: &str = "Examples:
  levada devices
  levada devices --json | jq -r '.devices[].name'
  levada run model.pb --devices gpu:1,cpu:1 ...    # uses them";

/// Of `trace`.
pub const TRACE: &str = "Examples:
  levada run graphs/control.json --feed 'x=[1, 2, 3]' --fetch last --trace t.json
  levada trace t.json                              # a summary, and the time by op
  levada trace t.json --order                      # --critical-path, --queues, --devices
  levada trace t.json --order --json --step 3

The file opens directly in ui.perfetto.dev and chrome://tracing.";

/// Of `examples`.
pub const EXAMPLES: &str = "Examples:
  levada examples
  levada examples digits
  levada examples pipeline work/pipeline";

/// Of `completions`.
pub const COMPLETIONS: &str = "Where to put it:
  levada completions bash > ~/.local/share/bash-completion/completions/levada
  levada completions zsh > ~/.zfunc/_levada        # a folder of $fpath
  levada completions fish > ~/.config/fish/completions/levada.fish
  levada completions powershell >> $PROFILE
  levada completions elvish >> ~/.config/elvish/rc.elv";

/// Of `man`.
pub const MAN: &str = "Example:
  levada man --out ~/.local/share/man/man1 && man levada-run";
