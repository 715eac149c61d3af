//! The list of passes itself.

use super::Case;
use crate::CompileOptions;
use crate::pass::{ALL, Fact};
use crate::passes::PASSES;

const GRAPH: &str = "
    x = Placeholder[dtype=float32]
    y = Neg(x)
    feed x
    fetch y
";

#[test]
fn every_pass_finds_what_it_needs_whatever_is_turned_off() {
    let names: Vec<&str> = PASSES.iter().map(|p| p.name).collect();
    for off in 0..128u32 {
        let is_on = |bit: u32| off & (1 << bit) == 0;
        let options = CompileOptions {
            fold_constants: is_on(0),
            merge_duplicates: is_on(1),
            simplify_loops: is_on(2),
            fuse: is_on(3),
            regions: is_on(4),
            watched: !is_on(5),
            bypass_no_ops: is_on(6),
        };
        Case::new(GRAPH).options(options).after(&names).unwrap();
        Case::new(GRAPH).options(options).partial().after(&names).unwrap();
    }
}

#[test]
fn what_the_plan_needs_holds_after_all_passes() {
    let mut facts: Vec<Fact> = Vec::new();
    for pass in PASSES {
        facts.retain(|fact| pass.keeps.contains(fact));
        facts.extend(pass.gives);
    }
    assert!(ALL.iter().all(|fact| facts.contains(fact)), "{facts:?}");
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = PASSES.iter().map(|p| p.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), PASSES.len());
}

#[test]
fn a_pass_before_what_it_needs_is_an_error() {
    let error = Case::new(GRAPH).error(&["fuse"]);
    assert!(error.contains("the pass fuse needs Frames"), "{error}");
}
