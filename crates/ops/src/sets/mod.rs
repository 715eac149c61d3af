//! Sets of values along the last axis: `SetSize` and what is in one, the other or both of two sets.

mod values;

family! {
    operation: DenseToDenseSetOperation, DenseToSparseSetOperation, SparseToSparseSetOperation;
    size: SetSize;
}
