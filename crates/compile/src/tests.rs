//! Passes on small graphs: each test compares the graph before and the draft after as whole texts.
//!
//! A line of a graph is `name = Op[attr=value; attr=value](inputs, ^controls) on DEVICE`, or it names what is fed,
//! fetched or run as a target: `feed x`, `fetch y`, `target z`. Values of attrs are JSON or bare words. Drafts print in
//! nearly the same format: see [`text`](crate::text).

mod cells;
mod control_flow;
mod defer;
mod devices;
mod finish;
mod fuse;
mod list;
mod partial;
mod plain;
mod pruning;
mod scalars;
mod tiles;
mod transposes;

use crate::draft::Draft;
use crate::pass::{self, PassCx};
use crate::{CompileOptions, Placement, Signature, prune};
use levada_graph::{AnyOp, Graph, Result, read};
use levada_kernel::pool::Pool;
use levada_kernel::resources::Resources;
use levada_kernel::{AnyDevice, AnyKernel, Env, Join};
use levada_testkit::device::TestDevice;
use levada_testkit::levada;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// A graph and its signature.
pub(crate) struct Case {
    pub(crate) graph: Graph,
    signature: Signature,
    device: Vec<u32>,
    devices: Vec<Arc<dyn AnyDevice>>,
    options: CompileOptions,
}

impl Case {
    pub(crate) fn new(text: &str) -> Case {
        let (mut nodes, mut device) = (Vec::new(), Vec::new());
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        for line in lines() {
            if let Some((name, rest)) = line.split_once(" = ") {
                let (rest, on) = rest.split_once(" on ").unwrap_or((rest, "0"));
                device.push(on.parse().unwrap());
                nodes.push(node(name, rest));
            }
        }
        let file = json!({"node": nodes}).to_string();
        let graph = read::json(file.as_bytes(), &levada::registry()).unwrap();
        let all = |word: &str| lines().filter_map(|l| l.strip_prefix(word)).map(str::trim).collect::<Vec<_>>();
        let endpoints = |word: &str| all(word).into_iter().map(|e| graph.endpoint(e).unwrap()).collect();
        let signature = Signature {
            feeds: endpoints("feed "),
            fetches: endpoints("fetch "),
            targets: all("target ").into_iter().map(|name| graph.find(name).unwrap()).collect(),
            ..Signature::default()
        };
        let devices = levada::devices(&levada::SessionOptions::default()).into_iter().take(1).collect();
        Case { graph, signature, device, devices, options: CompileOptions::default() }
    }

    pub(crate) fn partial(mut self) -> Case {
        self.signature.partial = true;
        self
    }

    pub(crate) fn options(mut self, options: CompileOptions) -> Case {
        self.options = options;
        self
    }

    /// With a second CPU as device 1.
    pub(crate) fn with_cpu(mut self) -> Case {
        let options = levada::SessionOptions { cpus: 2, ..levada::SessionOptions::default() };
        self.devices = levada::devices(&options).into_iter().take(2).collect();
        self
    }

    /// With a device 1 that has memory of its own.
    pub(crate) fn with_memory(mut self) -> Case {
        self.devices.push(Arc::new(TestDevice::new(0, 1, Duration::ZERO)));
        self
    }

    /// With a device 1 that joins nodes.
    pub(crate) fn with_joining(mut self) -> Case {
        self.devices.push(Arc::new(Joining(self.devices[0].clone())));
        self
    }

    /// The draft after the passes with these names, as text.
    pub(crate) fn after(&self, passes: &[&str]) -> Result<String> {
        let placement = Placement { devices: &self.devices, device: &self.device };
        let env = Arc::new(Env::new(Arc::new(Pool::new(1)), Arc::new(Resources::new())));
        let cx = PassCx {
            graph: &self.graph,
            placement,
            env: &env,
            options: &self.options,
            partial: self.signature.partial,
        };
        let pruned = prune(&self.graph, &self.signature)?;
        let mut draft = Draft::new(&self.graph, &self.signature, &pruned, &placement)?;
        pass::run(&mut draft, &cx, &mut Vec::new(), |pass| passes.contains(&pass.name))?;
        Ok(draft.to_string())
    }

    /// Compares the draft after passes with the expected text.
    #[track_caller]
    pub(crate) fn check(&self, passes: &[&str], expected: &str) {
        let lines = |text: &str| -> Vec<String> {
            text.lines().map(|l| l.trim().to_owned()).filter(|l| !l.is_empty()).collect()
        };
        let (found, expected) = (lines(&self.after(passes).unwrap()), lines(expected));
        assert!(found == expected, "found:\n{}\nexpected:\n{}", found.join("\n"), expected.join("\n"));
    }

    /// The error of the passes.
    pub(crate) fn error(&self, passes: &[&str]) -> String {
        self.after(passes).unwrap_err().to_string()
    }
}

/// `Op[attrs](inputs)` as a node of a GraphDef.
fn node(name: &str, text: &str) -> Value {
    let (head, inputs) = text.strip_suffix(')').map_or((text, ""), |text| text.rsplit_once('(').unwrap());
    let (op, attrs) = head.strip_suffix(']').map_or((head, ""), |head| head.split_once('[').unwrap());
    let attr = |attr: &str| {
        let (key, value) = attr.trim().split_once('=').unwrap();
        (key.to_owned(), serde_json::from_str(value).unwrap_or(Value::String(value.to_owned())))
    };
    let attrs: serde_json::Map<String, Value> = attrs.split(';').filter(|a| !a.is_empty()).map(attr).collect();
    let inputs: Vec<&str> = inputs.split(',').map(str::trim).filter(|i| !i.is_empty()).collect();
    json!({"name": name, "op": op, "input": inputs, "attr": attrs})
}

/// A device that joins stateless nodes, and nodes that change variables, into regions. It has the kernels of a CPU.
struct Joining(Arc<dyn AnyDevice>);

impl AnyDevice for Joining {
    fn name(&self) -> &Arc<str> {
        self.0.name()
    }
    fn kernel(&self, op: &Arc<dyn AnyOp>) -> Option<Arc<dyn AnyKernel>> {
        self.0.kernel(op)
    }
    fn knows(&self, op: &str) -> bool {
        self.0.knows(op)
    }
    fn kind(&self) -> &'static str {
        self.0.kind()
    }
    fn joins(&self, op: &Arc<dyn AnyOp>) -> Join {
        match op.name() {
            "VarHandleOp" => Join::Alone,
            "AssignVariableOp" | "AssignAddVariableOp" => Join::Changes,
            "ReadVariableOp" => Join::Reads,
            _ if op.is_stateful() => Join::Never,
            _ => Join::Reads,
        }
    }
}
