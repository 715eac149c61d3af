//! `Placeholder` and `PlaceholderWithDefault`: values fed by the caller.

use crate::prelude::*;
use crate::rules::{never, pass};

attrs! {
    /// A tensor that must be fed.
    pub struct Placeholder {
        /// Element type of the fed tensor.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Shape of the fed tensor.
        shape: PartialShape = Attr::shape("shape").or_unknown_shape(),
    }
}

pub static PLACEHOLDER: Def<Placeholder> = op::<Placeholder>("Placeholder")
    .outputs(&[arg("output", of("dtype"))])
    .role(Role::Placeholder)
    .shape(|op: &Placeholder, cx| {
        cx.output(0, op.shape.clone());
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let name = &cx.node().name;
        Err(Error::invalid(format!(
            "You must feed a value for placeholder tensor '{name}' with dtype {} and shape {}",
            op.dtype, op.shape
        ))
        .help(format!("feed it, for instance with --feed {name}=@file.npy")))
    });

attrs! {
    /// Returns its input unless another value is fed.
    pub struct PlaceholderWithDefault {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Shape of the default and of the fed tensor.
        shape: PartialShape = Attr::shape("shape"),
    }
}

pub static PLACEHOLDER_WITH_DEFAULT: Def<PlaceholderWithDefault> =
    op::<PlaceholderWithDefault>("PlaceholderWithDefault")
        .inputs(&[arg("input", of("dtype"))])
        .outputs(&[arg("output", of("dtype"))])
        .role(Role::Placeholder)
        .shape(|op: &PlaceholderWithDefault, cx| {
            cx.output(0, op.shape.clone());
            Ok(())
        })
        .gradient(|_, g| pass(g))
        .kernel(placeholder_with_default)
        .batch(|_, b| b.one(b.input(0)));

fn placeholder_with_default(op: &PlaceholderWithDefault, cx: &mut Cx<'_, '_>) -> Result<()> {
    let tensor = cx.take(0)?;
    if !op.shape.accepts(tensor.shape()) {
        return Err(Error::invalid("the default does not have the placeholder's shape")
            .expected(format!("shape {}", op.shape))
            .found(format!("shape {}", tensor.shape())));
    }
    cx.set(0, tensor);
    Ok(())
}
