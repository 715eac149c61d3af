//! `docs/ops.md`: a table of the ops of each family.

use super::{differentiable, dtypes};
use levada::graph::attr::{AttrKind, Attrs};
use levada::graph::spec::{AttrSpec, Ty, prose};
use levada::graph::{AttrList, AttrValue, OpDef, PartialShape, Shape};
use levada::kernel::AnyDevice;
use levada::{DType, SessionOptions, Tensor};
use levada_gpu::GpuDevice;
use levada_gpu::host::Host;
use levada_gpu::print::Language;
use std::fmt::Write;
use std::sync::Arc;

const HEAD: &str = "# Ops

Every op, with the dtypes that its kernels support on the CPU and on GPUs, and whether it has a gradient. If an op has several
dtype attrs, the column shows the first one. A device may lack dtypes: Vulkan, Metal and Direct3D 12 have no float64, and int64
only if the driver supports it ([devices.md](devices.md)). `levada inspect GRAPH` lists the unsupported parts of a graph. In
Rust every op is a method of `levada::Ops`, whose documentation lists the attrs.

";

/// The page.
pub fn page(families: &[(&str, Vec<OpDef>)]) -> String {
    let cpu = levada::devices(&SessionOptions::default()).swap_remove(0);
    let gpu: Arc<dyn AnyDevice> = Arc::new(GpuDevice::new(0, Arc::new(Host::new(Language::Cuda, None)), None));
    let all = families.iter().map(|(_, ops)| ops.len()).sum::<usize>();
    let mut out = format!("<!-- Written by UPDATE=1 cargo test -p levada --test ops; do not edit. -->\n\n{HEAD}");
    let _ = writeln!(out, "{all} ops in {} families: {}.", families.len(), {
        let link = |(family, ops): &(&str, Vec<OpDef>)| format!("[{family}](#{family}) {}", ops.len());
        families.iter().map(link).collect::<Vec<_>>().join(", ")
    });
    for (family, ops) in families {
        let _ = write!(out, "\n## {family}\n\n| op | | CPU | GPU | gradient |\n|---|---|---|---|---|\n");
        for op in ops {
            let on_cpu = on(op, &*cpu);
            let on_gpu = on(op, &*gpu);
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} |",
                op.spec.name,
                first_sentence(&prose(op.doc)),
                column(op, &on_cpu),
                if on_gpu.is_empty() { "–".to_owned() } else { column(op, &on_gpu) },
                if differentiable(op) { "yes" } else { "–" },
            );
        }
    }
    out
}

fn column(op: &OpDef, dtypes_there: &[DType]) -> String {
    match (main(op), dtypes_there) {
        (_, []) => "–".to_owned(),
        (None, _) => "yes".to_owned(),
        (Some(_), some) => dtypes(some),
    }
}

fn first_sentence(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let end = line.find(". ").map_or(line.len(), |dot| dot + 1);
    line[..end].replace('|', "\\|").replace('<', "\\<")
}

/// The attr with the dtype that the op works on.
fn main(op: &OpDef) -> Option<&'static AttrSpec> {
    let of_arg = |attr: &&AttrSpec| {
        let args = op.spec.inputs.iter().chain(op.spec.outputs);
        attr.kind == AttrKind::Type && args.into_iter().any(|arg| arg.ty == Ty::Of(attr.name))
    };
    op.attrs.iter().find(of_arg)
}

/// The dtypes for which the device has a kernel; for an op without such an attr, any dtype means that it has one.
fn on(op: &OpDef, device: &dyn AnyDevice) -> Vec<DType> {
    let Some(main) = main(op) else {
        let has = op.decode(&attrs(op, None)).is_ok_and(|op| device.kernel(&op).is_some());
        return if has { vec![DType::F32] } else { Vec::new() };
    };
    let allowed = if main.dtypes.is_empty() { DType::ALL } else { main.dtypes };
    let has = |&&dtype: &&DType| {
        let attrs = attrs(op, Some((main.name, dtype)));
        op.decode(&attrs).is_ok_and(|op| device.kernel(&op).is_some())
    };
    let mut dtypes: Vec<DType> = allowed.iter().filter(has).copied().collect();
    dtypes.sort();
    dtypes
}

/// Valid attrs for a node of the op.
fn attrs(op: &OpDef, chosen: Option<(&str, DType)>) -> Attrs {
    let pick = |attr: &AttrSpec| match chosen {
        Some((name, dtype)) if name == attr.name => dtype,
        // Related attrs mostly have the same dtype.
        Some((_, dtype)) if attr.dtypes.is_empty() || attr.dtypes.contains(&dtype) => dtype,
        _ if attr.dtypes.is_empty() || attr.dtypes.contains(&DType::F32) => DType::F32,
        _ => attr.dtypes[0],
    };
    let some = |attr: &AttrSpec| usize::try_from(attr.min.unwrap_or(0)).unwrap_or(0);
    let value = |attr: &AttrSpec| match (attr.default, attr.kind) {
        (_, AttrKind::Type) if attr.default.is_none() || chosen.is_some_and(|(name, _)| name == attr.name) => {
            AttrValue::Type(pick(attr).value())
        }
        (Some(default), _) => default.value(),
        (None, AttrKind::S) => AttrValue::S(attr.strings.first().copied().unwrap_or_default().into()),
        (None, AttrKind::I) => AttrValue::I(attr.min.unwrap_or(1)),
        (None, AttrKind::F) => AttrValue::F(0.0),
        (None, AttrKind::B) => AttrValue::B(false),
        (None, AttrKind::Type) => AttrValue::Type(pick(attr).value()),
        (None, AttrKind::Shape) => AttrValue::Shape(PartialShape::Unknown),
        (None, AttrKind::Tensor) => {
            AttrValue::Tensor(Tensor::zeros(chosen.map_or(DType::F32, |(_, d)| d), Shape::scalar()))
        }
        (None, AttrKind::Func) => AttrValue::Func("f".into()),
        (None, AttrKind::ListI) => AttrValue::List(AttrList::I(vec![1; some(attr).max(4)])),
        (None, AttrKind::ListS) => {
            let text = attr.strings.first().copied().unwrap_or_default();
            AttrValue::List(AttrList::S(vec![text.into(); some(attr)]))
        }
        (None, AttrKind::ListType) => AttrValue::List(AttrList::Type(vec![pick(attr).value(); some(attr).max(1)])),
        (None, _) => AttrValue::List(AttrList::Empty),
    };
    op.attrs.iter().map(|attr| (attr.name, value(attr))).collect()
}
