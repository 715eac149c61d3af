//! `Shape`, `ShapeN`, `Size`, `Rank`: what a tensor's shape is, as tensors.

use crate::moves::dims_tensor;
use crate::prelude::*;

attrs! {
    /// The sizes of the input's axes.
    pub struct Shape {
        /// Element type of the input.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the result.
        out: DType = Attr::dtype("out_type", sets::INDEX).or_type(DType::I32),
    }
}

impl Op for Shape {
    const SPEC: Spec =
        Spec { name: "Shape", inputs: &[arg("input", of("T"))], outputs: &[arg("output", of("out_type"))], metadata: true, ..Spec::PURE };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_vector(0, cx.input(0).rank());
        Ok(())
    }
}

impl Kernel<Cpu> for Shape {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let out = dims_tensor(self.out, cx.input(0)?.shape())?;
        cx.set(0, out);
        Ok(())
    }
}

attrs! {
    /// The sizes of the axes of each input.
    pub struct ShapeN {
        /// Number of inputs.
        count: i64 = Attr::int("N").at_least(1),
        /// Element type of the inputs.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the results.
        out: DType = Attr::dtype("out_type", sets::INDEX).or_type(DType::I32),
    }
}

impl Op for ShapeN {
    const SPEC: Spec = Spec {
        name: "ShapeN",
        inputs: &[arg("input", of("T")).times("N")],
        outputs: &[arg("output", of("out_type")).times("N")],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        for i in 0..cx.num_outputs() {
            cx.output_vector(i, cx.input(i).rank());
        }
        Ok(())
    }
}

impl Kernel<Cpu> for ShapeN {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        for i in 0..cx.num_inputs() {
            let out = dims_tensor(self.out, cx.input(i)?.shape())?;
            cx.set(i, out);
        }
        Ok(())
    }
}

attrs! {
    /// The number of elements of the input.
    pub struct Size {
        /// Element type of the input.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the result.
        out: DType = Attr::dtype("out_type", sets::INDEX).or_type(DType::I32),
    }
}

impl Op for Size {
    const SPEC: Spec =
        Spec { name: "Size", inputs: &[arg("input", of("T"))], outputs: &[arg("output", of("out_type"))], metadata: true, ..Spec::PURE };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for Size {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let out = dims_tensor(self.out, &[cx.input(0)?.num_elements()])?;
        cx.set(0, out.reshaped(levada_graph::Shape::scalar())?);
        Ok(())
    }
}

attrs! {
    /// The number of axes of the input.
    pub struct Rank {
        /// Element type of the input.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

impl Op for Rank {
    const SPEC: Spec =
        Spec { name: "Rank", inputs: &[arg("input", of("T"))], outputs: &[arg("output", is(DType::I32))], metadata: true, ..Spec::PURE };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for Rank {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let rank = cx.input(0)?.shape().rank() as i32;
        cx.set(0, Tensor::scalar(rank));
        Ok(())
    }
}
