//! Loops: concurrent iterations, nested loops, loops that do not run, and loops that run straight.

#[cfg(shuttle)]
use super::Runs;
use super::{EXPENSIVE, env, fetched};
use crate::plan::{NodeIx, NodeKind};
use crate::testing::Sketch;
use levada_graph::{Result, Tensor};
use levada_kernel::Io;
use levada_sync::explore;

/// A kernel that outputs whether `goes_on` holds for its input.
fn says(goes_on: impl Fn(i64) -> bool + Send + Sync + 'static) -> impl Fn(&mut Io<'_>) -> Result<()> + Send + Sync {
    move |io| {
        let goes_on = goes_on(io.slice::<i64>(0)?[0]);
        io.set(0, Tensor::scalar(goes_on));
        Ok(())
    }
}

/// A loop around a node that adds one, from the value of `from` for as long as it is less than `most`, in seven nodes
/// starting at `first`: enter, merge, condition, switch, count, next iteration, exit.
fn counts(sketch: Sketch, first: NodeIx, parallel: u32, most: i64) -> Sketch {
    let [enter, merge, less, switch, count, next, exit] = [0, 1, 2, 3, 4, 5, 6].map(|i| first + i);
    sketch
        .acts(less, says(move |value| value < most))
        .frame(0, parallel, &[merge, less, switch, count, next, exit])
        .kind(enter, NodeKind::Enter(false))
        .kind(merge, NodeKind::Merge)
        .kind(switch, NodeKind::Switch)
        .kind(next, NodeKind::NextIteration)
        .kind(exit, NodeKind::Exit)
        .edges(&[(enter, merge), (merge, less), (merge, switch), (less, switch), (count, next), (next, merge)])
        .edge(switch, 1, count)
        .edge(switch, 0, exit)
}

#[test]
fn loops_run_straight_beside_each_other() {
    // The result of the second one is fetched where it leaves the loop.
    let costs: Vec<u32> = (0..16).map(|node| if node == 0 { EXPENSIVE } else { 1 }).collect();
    explore(move || {
        let sketch = Sketch::of(&costs).known().synchronous(true).edges(&[(0, 1), (0, 8), (7, 15)]);
        let sketch = counts(counts(sketch, 1, 2, 3), 8, 2, 5);
        let (plan, env) = (sketch.fetch(15, 0).fetch(14, 0).plan(), env(2));
        assert!(plan.straight(1).is_some() && plan.straight(2).is_some());
        assert_eq!(fetched(&plan, &env).unwrap(), [4, 5]);
    });
}

/// A loop that counts to three, with at most this many concurrent iterations and a second loop variable.
#[cfg(shuttle)]
#[test]
fn iterations_of_a_loop_go_on_beside_each_other() {
    explore(|| {
        // 0 starts; 1 enters, 2 merges, 3 is the condition, 4 switches, 5 counts, 6 is the next iteration, 7 exits.
        // 8 enters, 9 merges, 10 switches, 11 counts, 12 is the next iteration, 13 exits.
        let sketch = Sketch::of(&[EXPENSIVE; 14])
            .edges(&[(0, 1), (0, 8)])
            .kind(8, NodeKind::Enter(false))
            .kind(9, NodeKind::Merge)
            .kind(10, NodeKind::Switch)
            .kind(12, NodeKind::NextIteration)
            .kind(13, NodeKind::Exit)
            .edges(&[(8, 9), (9, 10), (3, 10), (11, 12), (12, 9)])
            .edge(10, 1, 11)
            .edge(10, 0, 13)
            .fetch(7, 0)
            .fetch(13, 0);
        let sketch = counts(sketch, 1, 2, 4).with_frame(1, &[9, 10, 11, 12, 13]);
        let (plan, env) = (sketch.plan(), env(2));
        for _ in 0..2 {
            assert_eq!(fetched(&plan, &env).unwrap(), [4, 4]);
        }
    });
}

/// The invariant may come before the loop begins and in any iteration of it.
#[cfg(shuttle)]
#[test]
fn every_iteration_sees_what_comes_into_the_loop_late() {
    explore(|| {
        // 0 starts the loop in 1 to 7; 8 and 9 make what 10 brings into it.
        let runs = Runs::of(11);
        let sketch =
            [0, 5, 8, 9].into_iter().fold(Sketch::of(&[EXPENSIVE; 11]), |s, node| s.acts(node, runs.counts(node)));
        let sketch = counts(sketch.edges(&[(0, 1), (8, 9), (9, 10)]), 1, 2, 9).kind(10, NodeKind::Enter(true));
        let (plan, env) = (sketch.edges(&[(10, 5)]).fetch(7, 0).plan(), env(2));
        for _ in 0..2 {
            // 1, 4, 7, 10.
            assert_eq!(fetched(&plan, &env).unwrap(), [10]);
            assert_eq!(runs.take(), [1, 0, 0, 0, 0, 3, 0, 0, 1, 1, 0]);
        }
    });
}

#[cfg(shuttle)]
#[test]
fn a_loop_in_a_loop_ends_before_its_iteration() {
    // 0 starts; around: 1 enters, 2 merges, 3 is the condition, 4 switches, 12 counts, 13 is the next iteration, 14
    // exits; within: 5 enters, 6 merges, 7 is the condition, 8 switches, 9 counts, 10 is the next iteration, 11 exits.
    for parallel in [1, 3] {
        explore(move || {
            let sketch = Sketch::of(&[EXPENSIVE; 15])
                .acts(3, says(|value| value < 7))
                .acts(7, says(|value| value % 3 != 0))
                .frame(0, parallel, &[2, 3, 4, 5, 12, 13, 14])
                .frame(1, parallel, &[6, 7, 8, 9, 10, 11]);
            let sketch = [1, 5].into_iter().fold(sketch, |s, node| s.kind(node, NodeKind::Enter(false)));
            let sketch = [2, 6].into_iter().fold(sketch, |s, node| s.kind(node, NodeKind::Merge));
            let sketch = [4, 8].into_iter().fold(sketch, |s, node| s.kind(node, NodeKind::Switch));
            let sketch = [10, 13].into_iter().fold(sketch, |s, node| s.kind(node, NodeKind::NextIteration));
            let sketch = [11, 14].into_iter().fold(sketch, |s, node| s.kind(node, NodeKind::Exit));
            let sketch = sketch
                .edges(&[(0, 1), (1, 2), (2, 3), (2, 4), (3, 4), (12, 13), (13, 2)])
                .edges(&[(5, 6), (6, 7), (6, 8), (7, 8), (9, 10), (10, 6), (11, 12)])
                .edge(4, 1, 5)
                .edge(4, 0, 14)
                .edge(8, 1, 9)
                .edge(8, 0, 11)
                .fetch(14, 0);
            let (plan, env) = (sketch.plan(), env(2));
            for _ in 0..2 {
                assert_eq!(fetched(&plan, &env).unwrap(), [7]);
            }
        });
    }
}

/// On a branch that is not taken the whole loop is dead, and its end is reported.
#[cfg(shuttle)]
#[test]
fn a_loop_on_a_branch_runs_or_is_dead() {
    for (taken, is_straight) in [(true, false), (true, true), (false, false), (false, true)] {
        explore(move || {
            // 0 comes first, 1 decides, 2 switches; the loop is 3 to 9, the other branch 10, 11 merges; 12 runs in
            // parallel.
            let sketch = Sketch::of(&[EXPENSIVE; 13])
                .synchronous(is_straight)
                .acts(1, says(move |_| taken))
                .kind(2, NodeKind::Switch)
                .kind(11, NodeKind::Merge)
                .edges(&[(0, 1), (0, 2), (1, 2), (9, 11), (10, 11), (0, 12)])
                .edge(2, 1, 3)
                .edge(2, 0, 10)
                .fetch(11, 0)
                .fetch(12, 0);
            let sketch =
                if is_straight { sketch.cost(&[EXPENSIVE, EXPENSIVE, EXPENSIVE, 1, 1, 1, 1, 1, 1, 1]) } else { sketch };
            let (plan, env) = (counts(sketch, 3, 2, 4).plan(), env(2));
            for _ in 0..2 {
                assert_eq!(fetched(&plan, &env).unwrap(), [if taken { 4 } else { 2 }, 2]);
            }
        });
    }
}

/// A node that waits for the end of a loop is notified even if the loop does not run.
#[cfg(shuttle)]
#[test]
fn what_waits_for_a_loop_that_is_dead_goes_on() {
    explore(|| {
        // 0 comes first, 1 decides, 2 switches; the loop is 3 to 9, the other branch 10; 11 merges that once the loop
        // is over.
        let sketch = Sketch::of(&[EXPENSIVE; 12])
            .acts(1, says(|_| false))
            .kind(2, NodeKind::Switch)
            .kind(11, NodeKind::Merge)
            .edges(&[(0, 1), (0, 2), (1, 2), (10, 11)])
            .edge(2, 1, 3)
            .edge(2, 0, 10)
            .controls(&[(9, 11)])
            .fetch(11, 0);
        let (plan, env) = (counts(sketch, 3, 2, 4).plan(), env(2));
        for _ in 0..2 {
            assert_eq!(fetched(&plan, &env).unwrap(), [2]);
        }
    });
}

/// The value of an inner loop is not used; the iteration ends once that loop has, and then the next begins.
#[cfg(shuttle)]
#[test]
fn an_iteration_waits_for_a_loop_in_it_whose_values_nobody_takes() {
    explore(|| {
        // 0 starts the loop in 1 to 7; the one within is 8 to 14.
        let sketch = counts(Sketch::of(&[EXPENSIVE; 15]).edges(&[(0, 1)]), 1, 1, 4).with_frame(1, &[8]);
        let plan = counts(sketch.edge(4, 1, 8), 8, 1, 6).nested(2, 1).fetch(7, 0).plan();
        let env = env(2);
        for _ in 0..2 {
            assert_eq!(fetched(&plan, &env).unwrap(), [4]);
        }
    });
}

/// If one iteration at a time is allowed, an iteration begins once the one before has ended, with all of its nodes.
#[cfg(shuttle)]
#[test]
fn no_more_iterations_are_under_way_than_may() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};
    for parallel in [1, 2] {
        explore(move || {
            // 0 starts the loop in 1 to 7; 8 and then 9 run in each iteration in parallel with what leads to the next.
            let ended = Arc::new(AtomicI64::new(0));
            let (ends, begins) = (ended.clone(), ended.clone());
            let sketch = counts(Sketch::of(&[EXPENSIVE; 10]).edges(&[(0, 1), (8, 9)]), 1, parallel, 5)
                .with_frame(1, &[8, 9])
                .edge(4, 1, 8)
                .acts(9, move |io| {
                    ends.fetch_add(1, Ordering::Relaxed);
                    io.set(0, Tensor::scalar(0i64));
                    Ok(())
                })
                .acts(3, move |io| {
                    // Iterations count from one.
                    let value = io.slice::<i64>(0)?[0];
                    let ended = begins.load(Ordering::Relaxed);
                    assert!(
                        value - 1 - ended < i64::from(parallel),
                        "{ended} iterations are over as number {value} begins"
                    );
                    io.set(0, Tensor::scalar(value < 5));
                    Ok(())
                });
            assert_eq!(fetched(&sketch.fetch(7, 0).plan(), &env(2)).unwrap(), [5]);
            assert_eq!(ended.load(Ordering::Relaxed), 4);
        });
    }
}
