//! The examples run, and their output is as described.

macro_rules! examples {
    ($($file:literal $name:ident;)*) => {$(
        #[path = $file]
        mod $name;

        #[test]
        fn $name() {
            $name::main().unwrap();
        }
    )*};
}

examples! {
    "../examples/arrays.rs" arrays;
    "../examples/build_a_graph.rs" build_a_graph;
    "../examples/callables.rs" callables;
    "../examples/datasets.rs" datasets;
    "../examples/devices.rs" devices;
    "../examples/digits_dataset.rs" digits_dataset;
    "../examples/grow.rs" grow;
    "../examples/load_and_run.rs" load_and_run;
    "../examples/monitored.rs" monitored;
    "../examples/queues_with_runners.rs" queues_with_runners;
    "../examples/traces.rs" traces;
    "../examples/train.rs" train;
    "../examples/trees_in_batches.rs" trees_in_batches;
}

/// Each file in `examples/` is in the list above.
#[test]
fn every_example_is_run() {
    let listed = include_str!("examples.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(listed.contains(&format!("\"../examples/{name}\"")), "{name} is not run");
    }
}
