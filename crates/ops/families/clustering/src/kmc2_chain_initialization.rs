//! `KMC2ChainInitialization`: samples a point by its distance without summing the distances.

use crate::distances::scalar;
use crate::philox::Philox;
use crate::prelude::*;

attrs! {
    /// Samples the index of a point with a Markov chain; points with larger `distances` are more likely.
    pub struct KMC2ChainInitialization {}
}

pub static KMC2_CHAIN_INITIALIZATION: Def<KMC2ChainInitialization> = op("KMC2ChainInitialization")
    .inputs(&[arg("distances", is(DType::F32)), arg("seed", is(DType::I64))])
    .outputs(&[arg("index", is(DType::I64))])
    .shape(|_, cx| {
        cx.with_rank(0, 1)?;
        cx.with_rank(1, 0)?;
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(draw)
    .heavy();

fn draw(_: &KMC2ChainInitialization, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape();
    if shape.rank() != 1 {
        return Err(Error::invalid(format!("Input distances should be a vector, got shape {shape}")));
    }
    let seed = scalar(cx, 1, "seed")?;
    let distances = cx.slice::<f32>(0)?;
    let Some(&first) = distances.first() else {
        return Err(Error::invalid("Expected distances_tensor.size() > 0"));
    };
    let mut lots = Philox::seeded(seed as u64, 0).singles();
    let (mut index, mut selected) = (0, first);
    for (i, &distance) in distances.iter().enumerate().skip(1) {
        if distance > lots.unit_f32() * selected {
            (index, selected) = (i, distance);
        }
    }
    cx.set(0, Tensor::scalar(index as i64));
    Ok(())
}
