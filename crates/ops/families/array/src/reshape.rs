//! `Reshape`: the same elements in another shape.

use crate::prelude::*;
use crate::rules::first;

attrs! {
    /// Reshapes `tensor` to `shape`; one size may be -1, which is inferred from the others.
    pub struct Reshape {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `shape`.
        index: DType = Attr::dtype("Tshape", sets::INDEX).or_type(DType::I32),
    }
}

pub static RESHAPE: Def<Reshape> = op::<Reshape>("Reshape")
    .keeps_finite()
    .inputs(&[arg("tensor", of("T")), arg("shape", of("Tshape"))])
    .outputs(&[arg("output", of("T"))])
    .counts("T")
    .primitive(Primitive::Reshape)
    .shape(|_, cx| {
        let shape = match (cx.constant_i64s(1), cx.input(0).known()) {
            (Some(sizes), Some(input)) => (&resolve(&input, &sizes)?).into(),
            _ => cx.constant_shape(1),
        };
        cx.output(0, shape);
        Ok(())
    })
    .host_inputs(&[1])
    .gradient(|_, g| first(g, g.dy(0).reshape_as(g.input(0))))
    .kernel(|_, cx| {
        let sizes = cx.input(1)?;
        if sizes.shape().rank() > 1 {
            return Err(Error::invalid(format!("sizes input must be 1-D, not {}", sizes.shape())));
        }
        let shape = resolve(cx.input(0)?.shape(), &sizes.to_i64s()?)?;
        let out = cx.take(0)?.reshaped(shape)?;
        cx.set(0, out);
        Ok(())
    })
    .batch(|op, b| {
        if b.varies(1) {
            return None;
        }
        let shape = match (b.output_shape(0).known(), b.shape(0).known()) {
            // The number of examples is inferred from the number of elements.
            (Some(shape), Some(from)) if shape.num_elements() == from.num_elements() && shape.num_elements() > 0 => {
                let sizes = shape.iter().map(|&size| i32::try_from(size).ok()).collect::<Option<Vec<i32>>>()?;
                b.g().ints(&[&[-1], &sizes[..]].concat())
            }
            (Some(shape), _) => {
                let sizes = shape.iter().map(|&size| i32::try_from(size).ok()).collect::<Option<Vec<i32>>>()?;
                b.concat(&[b.size1(), b.g().ints(&sizes)])
            }
            _ => b.concat(&[b.size1().cast(op.index), b.input(1).reshape(b.g().ints(&[-1]))]),
        };
        b.one(b.input(0).reshape(shape))
    });

/// Resolves the requested `sizes` to a shape with as many elements as `input`.
pub fn resolve(input: &Shape, sizes: &[i64]) -> Result<Shape> {
    let mut unknown = None;
    let (mut product, mut has_zero) = (1i64, false);
    let too_many = || Error::invalid(format!("the shape {sizes:?} has too many elements"));
    for (i, &size) in sizes.iter().enumerate() {
        match size {
            -1 if unknown.is_some() => {
                return Err(Error::invalid(format!(
                    "Only one input size may be -1, not both {} and {i}",
                    unknown.unwrap_or(0)
                )));
            }
            -1 => unknown = Some(i),
            0 => has_zero = true,
            _ if size < 0 => return Err(Error::invalid(format!("Size {i} must be non-negative, not {size}"))),
            _ => product = product.checked_mul(size).ok_or_else(too_many)?,
        }
    }
    let mut dims: Vec<usize> = sizes.iter().map(|&s| usize::try_from(s).unwrap_or(0)).collect();
    if let Some(unknown) = unknown {
        // Zero sizes of the new shape match zero sizes of the old one; the remaining sizes decide.
        let counted = |d: &&usize| **d > 0 || !has_zero;
        let count = input.iter().filter(counted).product::<usize>();
        let skipped = has_zero && input.contains(&0);
        if has_zero && !skipped && count > 0 {
            return Err(Error::invalid(format!(
                "Reshape cannot infer the missing input size for an empty tensor unless all specified input sizes are \
                 non-zero; input has shape {input}"
            )));
        }
        let missing = count / product as usize;
        if !skipped && missing * product as usize != count {
            return Err(Error::invalid(format!(
                "Input to reshape is a tensor with {count} values, but the requested shape requires a multiple of {product}"
            )));
        }
        dims[unknown] = missing;
    }
    let shape = Shape::new(dims)?;
    if shape.num_elements() != input.num_elements() {
        return Err(Error::invalid(format!(
            "Input to reshape is a tensor with {} values, but the requested shape has {}",
            input.num_elements(),
            shape.num_elements()
        )));
    }
    Ok(shape)
}
