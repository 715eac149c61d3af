//! `XlaSharding` and `XlaOptimizationBarrier`: annotations for the XLA compiler, which do not change values.

use crate::flow;
use crate::prelude::*;
use levada_ops_core::rules::pass;

attrs! {
    /// The attrs of sharding annotations.
    pub struct XlaSharding {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Sharding of the tensor; has no effect here.
        sharding: Bytes = Attr::string("sharding").or_str(""),
        /// Axes whose sharding is left to the compiler.
        unspecified: Vec<i64> = Attr::ints("unspecified_dims").or_empty(),
    }
}

pub static XLA_SHARDING: Def<XlaSharding> = op::<XlaSharding>("XlaSharding")
    .doc("Returns its input, annotated with how it may be sharded over devices.")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .forwards()
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| pass(g))
    .kernel(|_, cx| {
        let value = flow::pass(cx, 0, false)?;
        cx.set_entry(0, value);
        Ok(())
    })
    .batch(levada_ops_core::batch::elementwise);

attrs! {
    /// Returns its inputs once all are available.
    pub struct XlaOptimizationBarrier {
        /// Element types.
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(0),
    }
}

pub static XLA_OPTIMIZATION_BARRIER: Def<XlaOptimizationBarrier> = op("XlaOptimizationBarrier")
    .inputs(&[arg("input", each("T"))])
    .outputs(&[arg("output", each("T"))])
    .shape(|_, cx| {
        for i in 0..cx.num_outputs() {
            let shape = cx.input(i);
            cx.output(i, shape);
        }
        Ok(())
    })
    .kernel(|_, cx| {
        for i in 0..cx.num_inputs() {
            let tensor = cx.take(i)?;
            cx.set(i, tensor);
        }
        Ok(())
    });
