//! Orders between queues.

use levada_gpu::hazards::*;

fn order(hazards: &mut Hazards<(usize, u64)>, queue: usize, uses: &[(BlockId, Use)]) -> Vec<(usize, u64)> {
    let lasts: [u64; 3] = std::array::from_fn(|queue| hazards.last(queue));
    let mut waits = Vec::new();
    let record = |on: usize| Ok::<_, ()>((on, lasts[on]));
    let wait = |event: &(usize, u64)| {
        waits.push(*event);
        Ok(())
    };
    hazards.order(queue, uses, record, wait).unwrap();
    hazards.queued(queue, uses, None);
    waits
}

#[test]
fn queues_wait_for_each_other_only_where_they_must() {
    let mut hazards = Hazards::new(3);
    let (a, b) = (hazards.add(), hazards.add());
    let write = |block| (block, Use::Write);
    let read = |block| (block, Use::Read);
    assert!(order(&mut hazards, 0, &[write(a)]).is_empty());
    assert!(order(&mut hazards, 0, &[read(a), write(b)]).is_empty());
    // Read after write: an event that serves both, as the first write has none of its own.
    assert_eq!(order(&mut hazards, 1, &[read(a)]), [(0, 2)]);
    assert!(order(&mut hazards, 1, &[read(b)]).is_empty());
    // Two readers do not wait for each other; a writer waits for both.
    assert_eq!(order(&mut hazards, 2, &[read(b)]), [(0, 2)]);
    assert_eq!(order(&mut hazards, 0, &[read(a), write(b)]), [(1, 2), (2, 1)]);
    assert!(order(&mut hazards, 0, &[write(a)]).is_empty());
    // Write after write.
    assert_eq!(order(&mut hazards, 2, &[write(b)]), [(0, 4)]);
    // Work that has run needs no event.
    hazards.passed(0, 4);
    assert!(order(&mut hazards, 1, &[write(a)]).is_empty());
    assert_eq!(hazards.users(a).as_slice(), [(1, 3)]);
    hazards.remove(a);
    let c = hazards.add();
    assert_eq!(c, a);
    assert!(order(&mut hazards, 2, &[write(c)]).is_empty());
}

#[test]
fn what_went_wrong_is_among_what_has_not_run() {
    let mut hazards: Hazards<u64> = Hazards::new(2);
    for i in 0..100u64 {
        let (number, due) = hazards.queued(0, &[], Some(&format!("n{i}").into()));
        if due {
            hazards.mark(0, number);
        }
    }
    hazards.queued(1, &[], Some(&"other".into()));
    hazards.poll(0, |&mark| Ok::<_, ()>(mark <= 64)).unwrap();
    assert_eq!(hazards.suspects(Some((0, 67))), "n64, n65, n66, other");
    assert_eq!(hazards.suspects(Some((1, 1))), "n64, n65, n66, n67, n68, n69, n70, n71 and 29 more");
    hazards.passed(1, 1);
    assert!(hazards.suspects(None).ends_with("and 28 more"));
}
