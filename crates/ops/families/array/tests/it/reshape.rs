//! `Reshape`.

use levada_ops_array::reshaped;
use levada_ops_core::prelude::Shape;

#[test]
fn the_missing_size_follows_from_the_others() {
    let shape = |dims: &[usize]| Shape::new(dims.iter().copied()).unwrap();
    assert_eq!(reshaped(&shape(&[2, 6]), &[3, -1]).unwrap(), shape(&[3, 4]));
    assert_eq!(reshaped(&shape(&[0, 6]), &[-1, 3]).unwrap(), shape(&[0, 3]));
    assert_eq!(reshaped(&shape(&[0, 6]), &[0, -1]).unwrap(), shape(&[0, 6]));
    assert!(reshaped(&shape(&[2, 6]), &[5, -1]).is_err());
    assert!(reshaped(&shape(&[2, 6]), &[-1, -1]).is_err());
    assert!(reshaped(&shape(&[2, 6]), &[i64::MAX, i64::MAX]).is_err());
}
