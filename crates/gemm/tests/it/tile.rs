//! Panels of columns.

use levada_gemm::tile::Panels;

#[test]
fn panels_cover_the_columns() {
    for most in [2, 4] {
        for lanes in [1, 4, 16] {
            let panels = Panels { lanes, most };
            for columns in 1..200 {
                let split: Vec<usize> = panels.split(columns).collect();
                assert!(split.iter().all(|&n| (1..=most).contains(&n)));
                assert_eq!(split.iter().sum::<usize>() * lanes, panels.width(columns));
            }
        }
    }
}
