//! Ops of this family, run one at a time.

mod crop_and_resize;
mod resize_nearest_neighbor;
mod scale;
