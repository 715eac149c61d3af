//! Ops of this family, run one at a time.

mod nd;
