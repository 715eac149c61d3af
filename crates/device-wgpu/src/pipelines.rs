//! Compiled programs.

use crate::scope::{error, scoped};
use levada_gpu::Prepared;
use levada_gpu::ir::Program;
use levada_gpu::print::Language;
use levada_graph::{Error, Result};
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;

/// Alignment of a launch's parameters, in bytes.
pub(crate) const SLOT: u64 = 256;

/// Maximum number of buffers of a program.
pub(crate) const MOST_BUFFERS: usize = 8;

/// The compiled programs of a device.
pub(crate) struct Pipelines {
    device: wgpu::Device,
    /// The layouts for each number of buffers.
    layouts: Vec<(wgpu::BindGroupLayout, wgpu::PipelineLayout)>,
    /// By the id of the program.
    ready: RwLock<HashMap<usize, wgpu::ComputePipeline>>,
    /// By the program itself: sessions have separate ids for the same programs.
    compiled: Mutex<HashMap<Program, wgpu::ComputePipeline>>,
}

/// Bytes of a program's uniform, in whole slots.
pub(crate) fn uniform_size(program: &Program) -> u64 {
    let bytes = (program.buffers.len() + program.params.len()) as u64 * 4;
    bytes.div_ceil(SLOT).max(1) * SLOT
}

impl Pipelines {
    pub(crate) fn new(device: wgpu::Device) -> Pipelines {
        let layouts = (0..=MOST_BUFFERS).map(|buffers| layout(&device, buffers)).collect();
        Pipelines { device, layouts, ready: RwLock::default(), compiled: Mutex::default() }
    }

    /// The layout of the bindings of programs with this many buffers.
    pub(crate) fn bindings(&self, buffers: usize) -> Option<&wgpu::BindGroupLayout> {
        self.layouts.get(buffers).map(|(bindings, _)| bindings)
    }

    /// Returns a program, compiled.
    ///
    /// # Errors
    /// `INTERNAL` if it cannot be compiled.
    pub(crate) fn get(&self, prepared: &Prepared) -> Result<wgpu::ComputePipeline> {
        if let Some(pipeline) = self.ready.read().get(&prepared.id) {
            return Ok(pipeline.clone());
        }
        let program = &prepared.program;
        let mut compiled = self.compiled.lock();
        let pipeline = match compiled.get(program) {
            Some(pipeline) => pipeline.clone(),
            None => {
                let pipeline = self.compile(program)?;
                compiled.insert(program.clone(), pipeline.clone());
                pipeline
            }
        };
        drop(compiled);
        self.ready.write().insert(prepared.id, pipeline.clone());
        Ok(pipeline)
    }

    fn compile(&self, program: &Program) -> Result<wgpu::ComputePipeline> {
        let Some((_, layout)) = self.layouts.get(program.buffers.len()) else {
            return Err(Error::internal(format!("{program} has more than {MOST_BUFFERS} buffers")));
        };
        let source = Language::Wgsl.print(program);
        let (pipeline, failed) = scoped(&self.device, || {
            let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(&program.name),
                source: wgpu::ShaderSource::Wgsl(source.as_str().into()),
            });
            self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(&program.name),
                layout: Some(layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    // Programs write shared arrays before they read them.
                    zero_initialize_workgroup_memory: false,
                    ..Default::default()
                },
                cache: None,
            })
        });
        match failed {
            Some(failed) => Err(error(&failed, &format!("program {program} cannot be compiled"))),
            None => Ok(pipeline),
        }
    }
}

fn layout(device: &wgpu::Device, buffers: usize) -> (wgpu::BindGroupLayout, wgpu::PipelineLayout) {
    let entry = |binding: usize, ty: wgpu::BufferBindingType, has_dynamic_offset: bool| wgpu::BindGroupLayoutEntry {
        binding: binding as u32,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
        count: None,
    };
    let storage = wgpu::BufferBindingType::Storage { read_only: false };
    let mut entries: Vec<_> = (0..buffers).map(|i| entry(i, storage, false)).collect();
    entries.push(entry(buffers, wgpu::BufferBindingType::Uniform, true));
    let bindings = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
    let pipeline = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(&bindings)],
        immediate_size: 0,
    });
    (bindings, pipeline)
}
