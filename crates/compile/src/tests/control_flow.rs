//! `frames` and `loops`.

use super::Case;

/// Counts to ten. The constants in the body wait for `body`, which forwards the loop's value.
const LOOP: &str = "
    zero = Const[dtype=int32; value=0]
    enter = Enter[frame_name=while](zero)
    merge = Merge(enter, next)
    ten = Const[dtype=int32; value=10](^merge)
    less = Less(merge, ten)
    cond = LoopCond(less)
    switch = Switch(merge, cond)
    body = Identity(switch:1)
    one = Const[dtype=int32; value=1](^body)
    add = AddV2(body, one)
    next = NextIteration(add)
    exit = Exit(switch)
    fetch exit
";

#[test]
fn nodes_of_a_loop_are_in_its_frame() {
    Case::new(LOOP).check(
        &["fold", "frames"],
        "
        zero = Const = int32[] 0
        enter = Enter(zero)
        merge = Merge(enter, next) in while
        ten = Const(^merge) in while
        less = Less(merge, ten) in while
        cond = LoopCond(less) in while
        switch = Switch(merge, cond) in while
        body = Identity(switch:1) in while
        one = Const(^body) in while
        add = AddV2(body, one) in while
        next = NextIteration(add) in while
        exit = Exit(switch) in while
        fetch exit = exit
        ",
    );
}

#[test]
fn what_a_loop_computes_from_its_constants_is_known() {
    let of = |consumer: &str| {
        format!(
            "
            zero = Const[dtype=float32; value=0]
            enter = Enter[frame_name=while](zero)
            merge = Merge(enter, next)
            ten = Const[dtype=float32; value=10](^merge)
            less = Less(merge, ten)
            cond = LoopCond(less)
            switch = Switch(merge, cond)
            body = Identity(switch:1)
            two = Const[dtype=float32; value=2](^body)
            three = Const[dtype=float32; value=3](^body)
            five = AddV2(two, three)
            fifteen = Mul(five, three)
            {consumer}
            next = NextIteration(last)
            exit = Exit(switch)
            fetch exit
            "
        )
    };
    let before = "
        zero = Const = float32[] 0.0
        enter = Enter(zero)
        merge = Merge(enter, next) in while
        ten = Const = float32[] 10.0 in while
        less = Less(merge, ten) in while
        switch = Switch(merge, less) in while
    ";
    let after = "
        next = NextIteration(last) in while
        exit = Exit(switch) in while
        fetch exit = exit
    ";
    let check = |consumer: &str, nodes: &str| {
        let expected = format!("{before}{nodes}{after}");
        Case::new(&of(consumer)).check(&["fold", "frames", "loops"], &expected);
    };
    check(
        "last = AddV2(body, fifteen)",
        "
        two = Const = float32[] 2.0 in while
        three = Const = float32[] 3.0 in while
        five = AddV2(two, three) = float32[] 5.0 in while
        fifteen = Mul(five, three) = float32[] 15.0 in while
        last = AddV2(switch:1, fifteen) in while
        ",
    );
    // What only constants lead to has to wait for the loop's value.
    let waiting = "
        body = Identity(switch:1) in while
        two = Const(^body) in while
        three = Const(^body) in while
        five = AddV2(two, three) in while
        fifteen = Mul(five, three) in while
        last = Mul(fifteen, fifteen) in while
    ";
    check("last = Mul(fifteen, fifteen)", waiting);
}

#[test]
fn constants_of_a_loop_are_known_and_identities_skipped() {
    Case::new(LOOP).check(
        &["fold", "frames", "loops"],
        "
        zero = Const = int32[] 0
        enter = Enter(zero)
        merge = Merge(enter, next) in while
        ten = Const = int32[] 10 in while
        less = Less(merge, ten) in while
        switch = Switch(merge, less) in while
        one = Const = int32[] 1 in while
        add = AddV2(switch:1, one) in while
        next = NextIteration(add) in while
        exit = Exit(switch) in while
        fetch exit = exit
        ",
    );
}

#[test]
fn an_identity_that_a_node_waits_for_runs() {
    let graph = LOOP.replace(
        "add = AddV2(body, one)",
        "passed = Identity(body)
add = AddV2(passed, one, ^body)",
    );
    Case::new(&graph).check(
        &["fold", "frames", "loops"],
        "
        zero = Const = int32[] 0
        enter = Enter(zero)
        merge = Merge(enter, next) in while
        ten = Const = int32[] 10 in while
        less = Less(merge, ten) in while
        switch = Switch(merge, less) in while
        body = Identity(switch:1) in while
        one = Const = int32[] 1 in while
        add = AddV2(switch:1, one, ^body) in while
        next = NextIteration(add) in while
        exit = Exit(switch) in while
        fetch exit = exit
        ",
    );
}

#[test]
fn a_constant_whose_consumer_would_live_on_a_dead_branch_keeps_its_control() {
    let graph = "
        x = Placeholder[dtype=float32]
        p = Placeholder[dtype=bool]
        s = Switch(x, p)
        then = Identity(s:1)
        one = Const[dtype=float32; value=1](^then)
        two = Const[dtype=float32; value=2](^then)
        a = AddV2(then, one)
        b = Neg(two)
        m = Merge(s:0, a)
        n = Merge(s:0, b)
        feed x
        feed p
        fetch m
        fetch n
    ";
    Case::new(graph).check(
        &["fold", "frames", "loops"],
        "
        s = Switch(x, p)
        then = Identity(s:1)
        one = Const = float32[] 1.0
        a = AddV2(then, one)
        m = Merge(s, a)
        two = Const(^then)
        b = Neg(two)
        n = Merge(s, b)
        feed x
        feed p
        fetch m = m
        fetch n = n
        ",
    );
}

#[test]
fn a_value_of_a_loop_is_passed_on_before_those_it_is_joined_with() {
    let check = |other: &str, join: &str, after: &str| {
        let graph = format!(
            "
            zero = Const[dtype=int32; value=0]
            limit = Placeholder[dtype=int32]
            enter = Enter[frame_name=while](zero)
            end = Enter[frame_name=while; is_constant=true](limit)
            merge = Merge(enter, next)
            less = Less(merge, end)
            cond = LoopCond(less)
            switch = Switch(merge, cond)
            a = Square(switch:1)
            b = {other}
            group = NoOp(^a, ^b)
            t = Identity(a, ^group)
            u = Identity(b, ^group)
            sum = AddV2(t, u)
            next = NextIteration(sum)
            exit = Exit(switch)
            feed limit
            fetch exit
            "
        );
        let expected = format!(
            "
            end = Enter(limit)
            zero = Const = int32[] 0
            enter = Enter(zero)
            merge = Merge(enter, next) in while
            less = Less(merge, end) in while
            switch = Switch(merge, less) in while
            a = Square(switch:1) in while
            b = {after} in while
            {join}
            next = NextIteration(sum) in while
            exit = Exit(switch) in while
            feed limit
            fetch exit = exit
            "
        );
        Case::new(&graph).check(&["fold", "frames", "references", "joins", "loops"], &expected);
    };
    check("Neg(switch:1)", "sum = AddV2(a, b) in while", "Neg(switch:1)");
    // A node that has an effect, or that is alive when the value is dead, is waited for.
    let waits = "group = NoOp(^a, ^b) in while
        t = Identity(a, ^group) in while
        u = Identity(b, ^group) in while
        sum = AddV2(t, u) in while";
    check("Print(switch:1, a)", waits, "Print(switch:1, a)");
}

#[test]
fn values_of_a_loop_with_an_effect_wait_for_each_other() {
    let graph = "
        zero = Const[dtype=int32; value=0]
        limit = Placeholder[dtype=int32]
        enter = Enter[frame_name=while](zero)
        end = Enter[frame_name=while; is_constant=true](limit)
        merge = Merge(enter, next)
        less = Less(merge, end)
        cond = LoopCond(less)
        switch = Switch(merge, cond)
        a = Square(switch:1)
        shown = Print(switch:1, switch:1)
        b = Neg(shown)
        group = NoOp(^a, ^b)
        t = Identity(a, ^group)
        u = Identity(b, ^group)
        sum = AddV2(t, u)
        next = NextIteration(sum)
        exit = Exit(switch)
        feed limit
        fetch exit
    ";
    let after = Case::new(graph).after(&["fold", "frames", "references", "joins", "loops"]).unwrap();
    assert!(after.contains("t = Identity(a, ^group)") && after.contains("u = Identity(b, ^group)"), "{after}");
}

#[test]
fn a_constant_that_a_merge_takes_still_runs() {
    let graph = "
        x = Placeholder[dtype=float32]
        p = Placeholder[dtype=bool]
        s = Switch(x, p)
        c = Const[dtype=float32; value=1]
        m = Merge(s:0, c)
        n = Neg(c)
        feed x
        feed p
        fetch m
        fetch n
    ";
    Case::new(graph).check(
        &["fold", "frames", "loops"],
        "
        c = Const = float32[] 1.0 runs
        n = Neg(c) = float32[] -1.0
        s = Switch(x, p)
        m = Merge(s, c)
        feed x
        feed p
        fetch m = m
        fetch n = n
        ",
    );
}

#[test]
fn malformed_loops_are_refused() {
    let inputs = LOOP.replace("add = AddV2(body, one)", "far = Const[dtype=int32; value=1]\nadd = AddV2(body, far)");
    let error = Case::new(&inputs).error(&["fold", "frames"]);
    assert!(error.contains("add has inputs from different frames"), "{error}");
    let fetched = LOOP.replace("fetch exit", "fetch add");
    let error = Case::new(&fetched).error(&["frames"]);
    assert!(error.contains("add is inside a loop and cannot be fetched"), "{error}");
    let fed = format!("{LOOP}\nfeed body");
    let error = Case::new(&fed).error(&["frames"]);
    assert!(error.contains("a value cannot be fed to a node inside a loop"), "{error}");
    let exit = "x = Placeholder[dtype=float32]\ny = Exit(x)\nz = Neg(y)\nfeed x\nfetch z";
    let error = Case::new(exit).error(&["frames"]);
    assert!(error.contains("an Exit is not inside a loop"), "{error}");
}

#[test]
fn a_cycle_that_is_no_loop_is_refused() {
    let graph = "
        x = Placeholder[dtype=float32]
        a = AddV2(x, x)
        b = Neg(a)
        feed x
        fetch b
    ";
    let mut case = Case::new(graph);
    let (a, b) = (case.graph.find("a").unwrap(), case.graph.find("b").unwrap());
    case.graph.set_input(a, 1, b.into()).unwrap();
    let error = case.error(&[]);
    assert!(error.contains("the graph has a cycle"), "{error}");
}
