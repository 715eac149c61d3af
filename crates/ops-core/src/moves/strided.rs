//! A part of a tensor to write to.

use super::Cell;
use smallvec::SmallVec;

/// Addresses elements of a buffer: their number and stride along each axis.
#[derive(Clone, Debug)]
pub struct Strided {
    /// Position of the first element.
    pub offset: isize,
    /// Number of elements and stride along each axis, outermost first.
    pub axes: SmallVec<[(usize, isize); 4]>,
}

impl Strided {
    /// Writes `src` to the addressed elements of `dst`. `from` addresses `src` and has the same sizes.
    pub fn assign<T: Cell>(&self, dst: &mut [T], src: &[T], from: &Strided) {
        if self.axes.iter().all(|(n, _)| *n != 0) {
            write(dst, self.offset, &self.axes, src, from.offset, &from.axes);
        }
    }
}

fn write<T: Cell>(
    dst: &mut [T],
    to: isize,
    to_axes: &[(usize, isize)],
    src: &[T],
    from: isize,
    from_axes: &[(usize, isize)],
) {
    match (to_axes, from_axes) {
        ([(n, 1)], [(_, 1)]) => {
            let (to, from) = (to as usize, from as usize);
            dst[to..to + n].clone_from_slice(&src[from..from + n]);
        }
        ([(n, to_step), to_rest @ ..], [(_, from_step), from_rest @ ..]) => {
            for i in 0..*n as isize {
                write(dst, to + i * to_step, to_rest, src, from + i * from_step, from_rest);
            }
        }
        _ => dst[to as usize] = src[from as usize].clone(),
    }
}
