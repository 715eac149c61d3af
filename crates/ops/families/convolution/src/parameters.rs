//! The attrs of convolutions, and shape inference from them.

use crate::prelude::*;
use levada_ops_core::images::window::{Layout, Pad, output_dim, pad_of};

/// The attrs of a convolution.
#[derive(Clone, Copy)]
pub(crate) struct Parameters<'a> {
    /// Number of spatial dimensions.
    pub spatial: usize,
    pub strides: &'a [i64],
    /// Empty for ones.
    pub dilations: &'a [i64],
    pub padding: &'a [u8],
    pub explicit_paddings: &'a [i64],
    pub data_format: &'a [u8],
}

/// Stride, dilation and padding along an axis.
pub(crate) type Slide = (i64, i64, Pad);

impl Parameters<'_> {
    /// Returns the layout.
    ///
    /// # Errors
    /// As [`Layout::of`].
    pub(crate) fn layout(&self) -> Result<Layout> {
        Layout::of(self.data_format)
    }

    /// Returns the explicit padding equivalent to padding the images by `margin` zeros before and after each axis
    /// first; `None` if `margin` pads other axes than the spatial ones, or the convolution's padding depends on the
    /// size of the images.
    pub(crate) fn explicit_with(&self, margin: &[(usize, usize)]) -> Option<Vec<i64>> {
        let own: &[i64] = match self.padding {
            b"VALID" => &[],
            b"EXPLICIT" => self.explicit_paddings,
            _ => return None,
        };
        let rank = self.spatial + 2;
        let channel = self.layout().ok()?.channel(rank);
        if margin.len() != rank || margin[0] != (0, 0) || margin[channel] != (0, 0) {
            return None;
        }
        let all = margin.iter().flat_map(|&(before, after)| [before, after]).enumerate();
        all.map(|(i, more)| own.get(i).unwrap_or(&0).checked_add(i64::try_from(more).ok()?)).collect()
    }

    /// Returns how windows slide along depth, height and width.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for lists of the wrong length, `UNIMPLEMENTED` for strides or dilations that skip images or
    /// channels.
    pub(crate) fn slides(&self) -> Result<[Slide; 3]> {
        let (rank, layout) = (self.spatial + 2, self.layout()?);
        let check = |attr: &str, list: &[i64]| -> Result<()> {
            if list.len() != rank {
                return Err(Error::invalid(format!("{attr} must specify {rank} dimensions"))
                    .attr(attr)
                    .expected(format!("{rank} values"))
                    .found(format!("{} values", list.len())));
            }
            if list[0] != 1 || list[layout.channel(rank)] != 1 {
                let what =
                    format!("Current implementation does not yet support {attr} in the batch and depth dimensions");
                return Err(Error::unimplemented(what).attr(attr));
            }
            Ok(())
        };
        check("strides", self.strides)?;
        if !self.dilations.is_empty() {
            check("dilations", self.dilations)?;
        }
        let mut slides = [(1, 1, Pad::Valid); 3];
        for i in 0..self.spatial {
            let axis = layout.spatial(i);
            let dilation = self.dilations.get(axis).copied().unwrap_or(1);
            let pad = pad_of(self.padding, self.explicit_paddings, layout, rank, i)?;
            slides[3 - self.spatial + i] = (self.strides[axis], dilation, pad);
        }
        Ok(slides)
    }

    /// Infers the shape of the convolution of input 0 with the filter in input 1.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the shapes are invalid.
    pub(crate) fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let (rank, layout, slides) = (self.spatial + 2, self.layout()?, self.slides()?);
        let (input, filter) = (cx.with_rank(0, rank)?, cx.with_rank(1, rank)?);
        let mut sizes = [None; 3];
        for i in 0..self.spatial {
            let (stride, dilation, pad) = slides[3 - self.spatial + i];
            sizes[i] =
                output_dim(input.dim(layout.spatial(i) as isize), filter.dim(i as isize), stride, dilation, pad)?;
        }
        if let (Some(c), Some(f)) = (input.dim(layout.channel(rank) as isize), filter.dim(rank as isize - 2)) {
            groups_of(c, f)?;
        }
        cx.output(0, layout.partial(input.dim(0), &sizes[..self.spatial], filter.dim(rank as isize - 1)));
        Ok(())
    }
}

/// Number of groups of input channels.
pub(super) fn groups_of(channels: usize, filter_depth: usize) -> Result<usize> {
    if filter_depth == 0 {
        return Err(Error::invalid("filter depth must be strictly positive, got 0"));
    }
    if !channels.is_multiple_of(filter_depth) {
        return Err(Error::invalid(format!(
            "input depth must be evenly divisible by filter depth: {channels} vs {filter_depth}"
        )));
    }
    Ok(channels / filter_depth)
}
