//! The methods of `Ops` add the same nodes as the builder does by name.

use levada::ops::Node;
use levada::{Builder, Code, DType, Ops, Output, Session, SessionOptions, Shape, Tensor};

fn run(b: Builder, feeds: &[(&str, Tensor)], fetches: &[&str]) -> Vec<Tensor> {
    let session = Session::new(b.finish().unwrap(), SessionOptions { cpus: 2, ..SessionOptions::default() }).unwrap();
    session.run(feeds, fetches, &[]).unwrap()
}

#[test]
fn inputs_are_outputs_descriptions_or_tensors() {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let x = o.placeholder(DType::F32).shape([-1]).name("x").add();
    let y = o.mul(x, o.add_v2(x, Tensor::scalar(1f32))).name("y").add();
    o.concat_v2([x, y], Tensor::scalar(0i32)).name("both").add();
    o.pack([o.neg(x), o.neg(y)]).axis(1).name("packed").add();
    let feeds = [("x", Tensor::vector(vec![1f32, 2.0]))];
    let found = run(b, &feeds, &["both", "packed"]);
    assert_eq!(found[0].slice::<f32>().unwrap(), [1.0, 2.0, 2.0, 6.0]);
    assert_eq!(found[1], Tensor::from(levada::ndarray::array![[-1f32, -2.0], [-2.0, -6.0]]));
}

#[test]
fn outputs_have_names_and_lists_their_length() {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let x = o.constant(levada::ndarray::array![5f32, 1.0, 4.0, 2.0]);
    let best = o.top_k_v2(x, Tensor::scalar(2i32)).add();
    o.identity(best.values).name("values").add();
    o.identity(best.indices).name("indices").add();
    let parts = o.split(Tensor::scalar(0i32), x, 2).add();
    assert_eq!(parts.len(), 2);
    o.identity(parts[1]).name("second").add();
    let same = o.identity_n([best.values, x]).add();
    assert_eq!(same.len(), 2);
    let several = o.split_v(x, Tensor::vector(vec![1i64, 3]), Tensor::scalar(0i32), 2).add();
    assert_eq!((several.len(), several[1].endpoint().unwrap().output), (2, 1));
    let found = run(b, &[], &["values", "indices", "second"]);
    assert_eq!(found[0].slice::<f32>().unwrap(), [5.0, 4.0]);
    assert_eq!(found[1].slice::<i32>().unwrap(), [0, 2]);
    assert_eq!(found[2].slice::<f32>().unwrap(), [4.0, 2.0]);
}

#[test]
fn nodes_have_names_scopes_devices_and_predecessors() {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let first = o.no_op().name("first").add();
    let inner = o.scope("a", |o| o.scope("b", |o| o.exp(Tensor::scalar(0f32)).device("/cpu:1").after(first).add()));
    let outer = o.exp(Tensor::scalar(0f32)).add();
    let again = o.exp(Tensor::scalar(0f32)).add();
    assert_eq!([inner, outer, again].map(|x| b.node_name(x)), ["a/b/Exp", "Exp", "Exp_1"]);
    let graph = b.graph();
    let node = graph.node(inner.node().unwrap());
    assert_eq!((node.device.as_str(), &node.control_inputs[..]), ("/cpu:1", &[first.node().unwrap()][..]));
}

#[test]
fn attrs_of_every_kind_are_set() {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let image = Tensor::zeros(DType::F32, Shape::new([1, 4, 4, 1]).unwrap());
    let filter = Tensor::zeros(DType::F32, Shape::new([2, 2, 1, 1]).unwrap());
    let images = o.conv2d(image, filter, &[1, 2, 2, 1], "VALID").dilations(&[1, 1, 1, 1]).add();
    let queue = o.fifo_queue_v2(&[DType::F32, DType::I32]).capacity(3).shapes(&[[2].into(), [].into()]).add();
    let cast = o.cast(images, DType::F64).truncate(true).add();
    let eps = o
        .fused_batch_norm_v3(
            images,
            Tensor::vector(vec![1f32]),
            Tensor::vector(vec![0f32]),
            Tensor::vector(vec![0f32]),
            Tensor::vector(vec![1f32]),
        )
        .epsilon(0.5)
        .is_training(false)
        .add();
    assert_eq!(b.shape(images).to_string(), "[1,2,2,1]");
    assert_eq!((b.dtype(cast), b.dtype(eps.y)), (Some(DType::F64), Some(DType::F32)));
    let attr = |x: Output, name: &str| b.graph().node(x.node().unwrap()).attrs.get(name).unwrap().to_string();
    assert!(attr(queue, "capacity").contains('3') && attr(eps.y, "epsilon").contains("0.5"));
}

#[test]
fn mistakes_are_all_reported_at_the_end() {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let x = o.placeholder(DType::F32).name("x").add();
    let halves = o.split(Tensor::scalar(0f32), x, 2).name("halves").add();
    // As many outputs as without the fault, so that later code need not check for mistakes.
    assert_eq!((halves.len(), halves[1].endpoint()), (2, None));
    o.conv2d(x, x, &[1, 1, 1, 1], "FULL").name("images").add();
    o.neg(halves[0]).name("built on a mistake").add();
    let error = b.finish().unwrap_err();
    let names: Vec<_> = error.all().map(|e| e.fault().node.clone().unwrap_or_default()).collect();
    assert_eq!((names, error.code()), (vec!["halves".to_owned(), "images".to_owned()], Code::InvalidArgument));
}

#[test]
fn ops_without_a_method_are_nodes_too() {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let node: Node<'_> = o.node("Cast").input(Tensor::scalar(1i32)).attr("DstT", DType::F32).name("y");
    node.add();
    assert_eq!(run(b, &[], &["y"])[0], Tensor::scalar(1f32));
}
