//! What an op may do: the kernel contract, the context a kernel computes in, devices, resources, cancellation.
//!
//! In: an op with decoded attrs and the tensors on its inputs. Out: tensors on its outputs, now or, through a
//! [`Completion`], later. This crate knows no graph, no plan and no order of execution.
//!
//! Reading order: [`kernel`] is the contract and [`io`] what a kernel sees; [`def`] is an op with all its names as one
//! value; [`device`] is the contract of devices and the CPU, [`arena`] its memory, [`pool`] its threads, [`share`] how
//! many of them may work, and `turns` in which order; [`transfer`] moves values from one device to another,
//! [`rendezvous`] is where partitions meet, [`lane`] says which of a device's queues a step uses; [`group`] is several
//! nodes computed as one, `pieces` and [`strips`] how the CPU computes them, with [`stream`] for large outputs,
//! [`epilogue`] what follows a product, and [`tiles`] attention; [`region`] runs nodes one after the other as one node, and [`scalar_region`]
//! does so without tensors; [`env`](mod@env), [`files`], [`host`], [`resources`], [`tensors`] and [`cancel`] surround a
//! step; [`background`] is work that belongs to no step; [`limits`] bounds what a step may use; [`disorder`] shuffles
//! nodes in tests; [`subnormals`] are zeros in a step; [`watch`] detects stalls; [`observe`] lets tools watch nodes run and choose their order, and
//! [`finite`] looks for NaNs.

pub mod accumulate;
pub mod arena;
pub mod background;
pub mod cancel;
pub mod def;
pub mod device;
pub mod disorder;
mod divided;
pub mod env;
pub mod epilogue;
pub mod files;
pub mod finite;
pub mod group;
pub mod host;
pub mod io;
pub mod kernel;
pub mod lane;
pub mod limits;
mod matching;
pub mod observe;
mod opaque;
pub mod outside;
mod pieces;
pub mod pool;
pub mod region;
pub mod rendezvous;
pub mod resources;
pub mod scalar_region;
pub mod scalars;
pub mod share;
pub mod stream;
pub mod strips;
pub mod subnormals;
pub mod tensors;
pub mod tiles;
pub mod transfer;
mod turns;
pub mod watch;
mod window;

pub use accumulate::{Accumulation, Carried};
pub use arena::Arena;
pub use background::Background;
pub use cancel::CancelToken;
pub use def::{Bound, Def, Form, form, op};
pub use device::{AnyDevice, Cpu, CpuDevice, Device, DeviceCopies};
pub use disorder::Disorder;
pub use env::{Ask, Callee, Env, Functions, OnReturn, OwnState, Poll, Site, StateScope, StepCx, Tracing};
pub use epilogue::{Epilogue, Finish, Function};
pub use files::Files;
pub use group::Group;
pub use host::{Host, HostCall, HostFunction};
pub use io::{Completion, Entry, Io, NeverParks, NodeMeta, Parker, Used};
pub use kernel::{AnyKernel, Cost, KernelCx, KernelEntry, Piecewise};
pub use levada_trace::pipeline;
pub use limits::{Limits, Meter, Policy};
pub use observe::{Chooser, Nature, Observer, Uses};
pub use outside::Outside;
pub use pool::Pool;
pub use region::{Join, Region};
pub use rendezvous::Rendezvous;
pub use resources::{Resources, Scope};
pub use scalar_region::ScalarRegion;
pub use scalars::ScalarFunction;
pub use stream::Stream;
pub use strips::{Basic, Strip};
pub use tensors::SessionTensors;
pub use tiles::{Cut, Cuts, Given, Stage};
pub use watch::{Wait, Waitable, Watch};
pub use window::{SplitOutput, Window, axis_of};
