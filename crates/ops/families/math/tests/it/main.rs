//! Ops of this family, run one at a time.

mod add;
mod add_n;
mod bitwise;
mod cast;
mod complex;
mod divide;
mod equal;
mod power;
mod select;
mod sign;
mod singles;
mod special;
mod ulps;
