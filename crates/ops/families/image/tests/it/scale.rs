//! Positions in resized images.

use levada_ops_image::scale::{Alignment, Between};

#[test]
fn places_follow_the_alignment() {
    let plain = Alignment { corners: false, half_pixel: false };
    let corners = Alignment { corners: true, half_pixel: false };
    let half = Alignment { corners: false, half_pixel: true };
    assert_eq!(plain.scale(2, 4).place(3), 1.5);
    assert_eq!(corners.scale(2, 4).place(3), 1.0);
    assert_eq!(half.scale(2, 4).place(0), -0.25);
    let Between { lower, upper, part } = half.scale(2, 4).between(0);
    assert_eq!((lower, upper, part), (0, 0, 0.75));
    assert_eq!((0..4).map(|i| half.scale(2, 4).nearest(i, false)).collect::<Vec<_>>(), [0, 0, 1, 1]);
    assert_eq!(corners.scale(3, 1).place(0), 0.0);
    assert!(Alignment { corners: true, half_pixel: true }.check().is_err());
}
