//! The devices that nodes may go to.

use levada_graph::device::DeviceName;
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{DType, Error, Result};
use levada_kernel::kernel::is_listed;
use levada_kernel::{AnyDevice, AnyKernel};
use std::ops::BitAnd;
use std::sync::Arc;

/// A set of device types, by their numbers in [`Targets`], and whether the CPU is preferred among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(pub u32);

/// The CPU is preferred.
const CPU_FIRST: u32 = 1 << 31;

impl Kinds {
    /// Every type, the CPU preferred.
    pub const ALL: Kinds = Kinds(u32::MAX);

    /// True if there are no types.
    pub fn is_empty(self) -> bool {
        self.0 & !CPU_FIRST == 0
    }

    /// True if the CPU comes before faster types: for nodes that only forward host values.
    pub fn has_cpu_first(self) -> bool {
        self.0 & CPU_FIRST != 0
    }

    /// True if the type is in the set.
    pub fn contains(self, kind: u32) -> bool {
        self.0 >> kind & 1 == 1
    }
}

impl BitAnd for Kinds {
    type Output = Kinds;
    fn bitand(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }
}

/// A device that nodes may go to.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its full name.
    pub name: DeviceName,
    /// Its full name as text.
    pub text: Arc<str>,
    /// Number of its type.
    pub kind: u32,
}

/// All devices, and their types.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    all: Vec<Target>,
    kinds: Vec<String>,
}

impl Targets {
    /// Builds the set of devices from their full names.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a name that is malformed or not full, for a duplicate name, and for more than 31 types.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Targets> {
        let mut targets = Targets::default();
        for text in names {
            let name = DeviceName::parse(text)?;
            let Some(kind) = name.kind.clone().filter(|_| name.is_full()) else {
                return Err(Error::invalid("a device needs a full name")
                    .expected("such as /job:localhost/replica:0/task:0/device:CPU:0")
                    .found(format!("{text:?}")));
            };
            if targets.all.iter().any(|t| t.name == name) {
                return Err(Error::invalid(format!("two devices are named {name}")));
            }
            let kind = targets.kinds.iter().position(|k| *k == kind).unwrap_or_else(|| {
                targets.kinds.push(kind);
                targets.kinds.len() - 1
            });
            if kind >= 31 {
                return Err(Error::invalid("there are devices of more than 31 types"));
            }
            let text = name.to_string().into();
            targets.all.push(Target { name, text, kind: kind as u32 });
        }
        if targets.all.is_empty() {
            return Err(Error::invalid("there is no device"));
        }
        Ok(targets)
    }

    /// The devices of a session.
    ///
    /// # Errors
    /// The errors of [`Targets::new`].
    pub fn of(devices: &[Arc<dyn AnyDevice>]) -> Result<Targets> {
        Targets::new(devices.iter().map(|d| &**d.name()))
    }

    /// Number of devices.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// True if there are no devices.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Every device.
    pub fn iter(&self) -> impl Iterator<Item = &Target> {
        self.all.iter()
    }

    /// The device with this number.
    pub fn get(&self, device: u32) -> &Target {
        &self.all[device as usize]
    }

    /// Full names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|t| &*t.text)
    }

    /// The types of devices, by number.
    pub fn kinds(&self) -> &[String] {
        &self.kinds
    }

    /// The number of the device that `name` refers to: the only match.
    pub fn find(&self, name: &DeviceName) -> Option<u32> {
        let mut found = (0..self.all.len()).filter(|&i| name.matches(&self.all[i].name));
        let first = found.next()?;
        found.next().is_none().then_some(first as u32)
    }

    /// The devices that match `name` and are of one of these types, best first: faster types before the CPU, or after
    /// it if `kinds` prefers the CPU, then the default device, then by name.
    pub fn fitting(&self, name: &DeviceName, kinds: Kinds, default: u32) -> Vec<u32> {
        let fits = |i: &u32| {
            let target = self.get(*i);
            kinds.contains(target.kind) && (name.is_any() || name.matches(&target.name))
        };
        let mut found: Vec<u32> = (0..self.all.len() as u32).filter(fits).collect();
        let is_cpu = |i: u32| self.kinds[self.get(i).kind as usize] == "CPU";
        let is_default = |i: u32| i == default;
        found.sort_by(|&a, &b| {
            let key = |i: u32| (is_cpu(i) != kinds.has_cpu_first(), !is_default(i));
            key(a).cmp(&key(b)).then_with(|| self.get(a).text.cmp(&self.get(b).text))
        });
        found
    }

    /// The types of devices with a kernel for `node`; all of them if none has one, so that the missing kernel is
    /// reported as such. The CPU comes first for a node that only forwards host values, on whatever device.
    pub fn supporting(&self, devices: &[Arc<dyn AnyDevice>], node: &Node) -> Kinds {
        let any = Kinds(Kinds::ALL.0 & !CPU_FIRST);
        // A function's argument may be a handle on any device.
        if node.spec().role == Role::Arg && node.output_types.iter().any(|ty| ty.dtype == DType::Resource) {
            return any;
        }
        let (mut kinds, mut hands_on) = (0, false);
        for (i, kind) in self.kinds.iter().enumerate() {
            let Some(device) = devices.iter().find(|d| d.kind() == kind) else { continue };
            if let Some(kernel) = device.kernel(&node.op) {
                kinds |= 1 << i;
                hands_on |= device.memory().is_some() && is_all_on_host(node, &*kernel);
            }
        }
        match kinds {
            0 => any,
            kinds => Kinds(kinds | if hands_on { CPU_FIRST } else { 0 }),
        }
    }
}

/// True for a kernel with all inputs and outputs on the host although its device has its own memory. Excluded are the
/// values of a call, and ops that count, which stay with what they count for.
fn is_all_on_host(node: &Node, kernel: &dyn AnyKernel) -> bool {
    let all = |listed: &[isize], n: usize| (0..n).all(|i| is_listed(listed, i, n));
    let (spec, inputs, outputs) = (node.spec(), node.inputs.len(), node.output_types.len());
    spec.counts.is_none()
        && all(kernel.host_inputs(), inputs)
        && (spec.role == Role::Call || all(kernel.host_outputs(), outputs))
}
