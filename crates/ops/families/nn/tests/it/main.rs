//! Ops of this family, run one at a time.

mod avg_pool;
mod avg_pool_grad;
mod batch_norm;
mod bias_add;
mod bias_add_grad;
mod cross_entropy;
mod in_top_k;
mod lrn;
mod max_pool;
mod max_pool_grad;
mod max_pool_with_argmax;
mod nth_element;
mod pooling;
mod softmax;
mod top_k;
