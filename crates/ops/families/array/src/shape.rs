//! `Shape`, `ShapeN`, `Size`, `Rank`: a tensor's shape as a tensor.

use crate::moves::dims_tensor;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// The attrs of ops that return properties of a tensor's shape.
    pub struct Shape {
        /// Element type of the input.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the result.
        out: DType = Attr::dtype("out_type", sets::INDEX).or_type(DType::I32),
    }
}

const INPUT: &[Arg] = &[arg("input", of("T"))];
const OUTPUT: &[Arg] = &[arg("output", of("out_type"))];

pub static SHAPE: Def<Shape> = op::<Shape>("Shape")
    .doc("Returns the shape of the input.")
    .inputs(INPUT)
    .outputs(OUTPUT)
    .metadata()
    .primitive(Primitive::Shape)
    .shape(|_, cx| {
        cx.output_vector(0, cx.input(0).rank());
        Ok(())
    })
    .host_outputs(&[0])
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let out = dims_tensor(op.out, cx.input(0)?.shape())?;
        cx.set(0, out);
        Ok(())
    })
    .batch(|op, b| {
        let known = b.shape(0).known();
        let sizes = known.and_then(|s| s.iter().map(|&n| i32::try_from(n).ok()).collect::<Option<Vec<i32>>>());
        let dims = sizes.map_or_else(|| b.example_dims(0), |sizes| b.g().ints(&sizes));
        b.same(dims.cast(op.out))
    });

pub static SIZE: Def<Shape> = op::<Shape>("Size")
    .doc("Returns the number of elements of the input.")
    .inputs(INPUT)
    .outputs(OUTPUT)
    .metadata()
    .shape(scalar)
    .host_outputs(&[0])
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let out = dims_tensor(op.out, &[cx.input(0)?.num_elements()])?;
        cx.set(0, out.reshaped(levada_graph::Shape::scalar())?);
        Ok(())
    })
    .batch(|op, b| b.same(b.example_dims(0).prod().cast(op.out)));

pub static RANK: Def<Shape> = op::<Shape>("Rank")
    .doc("Returns the number of axes of the input.")
    .without(&["out_type"])
    .inputs(INPUT)
    .outputs(&[arg("output", is(DType::I32))])
    .metadata()
    .primitive(Primitive::Rank)
    .shape(scalar)
    .host_outputs(&[0])
    .gradient(|_, g| never(g))
    .kernel(|_, cx| {
        let rank = cx.input(0)?.shape().rank() as i32;
        cx.set(0, Tensor::scalar(rank));
        Ok(())
    })
    .batch(|_, b| b.same(b.example_dims(0).op("Size")));

fn scalar(_: &Shape, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.output_scalar(0);
    Ok(())
}

attrs! {
    /// Returns the shape of each input.
    pub struct ShapeN {
        /// Number of inputs.
        count: i64 = Attr::int("N").at_least(1),
        /// Element type of the inputs.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the results.
        out: DType = Attr::dtype("out_type", sets::INDEX).or_type(DType::I32),
    }
}

pub static SHAPE_N: Def<ShapeN> = op::<ShapeN>("ShapeN")
    .metadata()
    .inputs(&[arg("input", of("T")).times("N")])
    .outputs(&[arg("output", of("out_type")).times("N")])
    .shape(|_, cx| {
        for i in 0..cx.num_outputs() {
            cx.output_vector(i, cx.input(i).rank());
        }
        Ok(())
    })
    .host_outputs(&[0, 1, 2, 3, 4, 5, 6, 7])
    .gradient(|_, g| never(g))
    .kernel(|op: &ShapeN, cx| {
        for i in 0..cx.num_inputs() {
            let out = dims_tensor(op.out, cx.input(i)?.shape())?;
            cx.set(i, out);
        }
        Ok(())
    })
    .batch(|op, b| Some((0..b.num_inputs()).map(|i| Lanes::same(b.example_dims(i).cast(op.out))).collect()));
