//! Optimizers, learning rates and averages against TensorFlow's results for the same model.

use levada::train::{self, ExponentialMovingAverage, Minimize, Optimizer, Variable};
use levada::{Builder, DType, Output, PartialShape, Session, SessionOptions, Tensor};
use serde_json::Value;
use std::path::Path;

fn recorded() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("train/optimizers.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f32> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect()
}

fn values(dims: &[usize], scale: f64) -> Tensor {
    let n: usize = dims.iter().product();
    let values: Vec<f32> = (0..n).map(|i| ((i as f64 * 1.7 + n as f64).sin() * scale) as f32).collect();
    Tensor::vector(values).reshaped(levada::Shape::new(dims.to_vec()).unwrap()).unwrap()
}

/// The model of `record_optimizers.py`.
fn model(b: &mut Builder) -> ([Variable; 3], Output) {
    let mut variable = |name: &str, dims: &[usize], scale: f64| {
        let initial = b.constant(values(dims, scale));
        train::variable(b, name, initial)
    };
    let [w, c, e] = [variable("w", &[3, 2], 0.8), variable("c", &[2], 0.1), variable("e", &[5, 3], 1.0)];
    let indices = b.constant(Tensor::vector(vec![1i32, 4, 1, 0]));
    let rows = b.node("ResourceGather").input(e.handle).input(indices).attr("dtype", DType::F32).add();
    let product = b.matmul(rows, w.value);
    let sum = b.add(product, c.value);
    let y = b.op("Tanh", &[sum]);
    let expected = b.constant(values(&[4, 2], 0.9));
    let distance = b.op("SquaredDifference", &[y, expected]);
    let axes = b.constant(Tensor::vector(vec![0i32, 1]));
    let loss = b.op("Mean", &[distance, axes]);
    ([w, c, e], loss)
}

fn optimizer(name: &str, b: &mut Builder, step: Variable) -> Optimizer {
    match name {
        "gradient_descent" => Optimizer::gradient_descent(0.3),
        "momentum" => Optimizer::momentum(0.2, 0.8),
        "nesterov" => Optimizer::Momentum { learning_rate: 0.2.into(), momentum: 0.8.into(), use_nesterov: true },
        "adagrad" => Optimizer::adagrad(0.3),
        "adadelta" => Optimizer::Adadelta { learning_rate: 1.0.into(), rho: 0.95, epsilon: 1e-3 },
        "adam" | "adam_clipped" => Optimizer::adam(0.1),
        "adam_decayed" => Optimizer::adam(train::exponential_decay(b, 0.3, step.value, 3.0, 0.5, true)),
        "adamax" => Optimizer::adamax(0.1),
        "rms_prop" | "rms_prop_centered" => Optimizer::RmsProp {
            learning_rate: 0.05.into(),
            decay: 0.9,
            momentum: 0.5,
            epsilon: 1e-10,
            centered: name.ends_with("centered"),
        },
        "ftrl" | "ftrl_shrinkage" => {
            let shrinks = name == "ftrl_shrinkage";
            Optimizer::Ftrl {
                learning_rate: 0.3.into(),
                learning_rate_power: -0.5,
                initial_accumulator_value: 0.1,
                l1: if shrinks { 0.0 } else { 0.001 },
                l2: if shrinks { 0.0 } else { 0.01 },
                l2_shrinkage: if shrinks { 0.01 } else { 0.0 },
            }
        }
        "proximal_gradient_descent" => {
            Optimizer::ProximalGradientDescent { learning_rate: 0.3.into(), l1: 0.001, l2: 0.01 }
        }
        "proximal_adagrad" => Optimizer::ProximalAdagrad {
            learning_rate: 0.3.into(),
            initial_accumulator_value: 0.1,
            l1: 0.001,
            l2: 0.01,
        },
        "add_sign" => Optimizer::AddSign { learning_rate: 0.1.into(), alpha: 1.0, sign_decay: 0.9.into(), beta: 0.9 },
        "power_sign" => {
            Optimizer::PowerSign { learning_rate: 0.1.into(), logbase: 1.0, sign_decay: 0.9.into(), beta: 0.9 }
        }
        other => panic!("no optimizer {other}"),
    }
}

fn close(what: &str, got: &[f32], expected: &[f32]) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        assert!((g - e).abs() <= 2e-5 * e.abs().max(0.1), "{what}: element {i} is {g}, expected {e}");
    }
}

#[test]
fn optimizers_train_as_tensorflow_does() {
    let recorded = recorded();
    for (name, expected) in recorded["optimizers"].as_object().unwrap() {
        let mut b = Builder::new(levada::registry());
        let (variables, loss) = model(&mut b);
        let step = train::global_step(&mut b);
        let optimizer = optimizer(name, &mut b, step);
        let clip_norm = (name == "adam_clipped").then_some(0.05);
        let options = Minimize { global_step: Some(step), clip_norm, ..Minimize::default() };
        let train_op = train::minimize(&mut b, loss, &optimizer, &options).unwrap();
        // TensorFlow's average uses the counter's value at the time of the read.
        let n = step.read_after(&mut b, &[train_op]);
        let average = ExponentialMovingAverage { decay: 0.9, num_updates: Some(n) };
        let (averaged, averages) = average.apply(&mut b, &variables, &[train_op]);
        let init = train::global_variables_initializer(&mut b);
        let [loss, averaged, init] = [b.name(loss), b.node_name(averaged), b.node_name(init)];
        let named = |b: &Builder, v: &[Variable]| v.iter().map(|v| b.name(v.value)).collect::<Vec<_>>();
        let (variables, averages, step) = (named(&b, &variables), named(&b, &averages), b.name(step.value));
        let session = Session::new(b.finish().unwrap(), SessionOptions::default()).unwrap();
        session.run(&[], &[], &[&init]).unwrap();
        let mut losses = Vec::new();
        for _ in 0..expected["losses"].as_array().unwrap().len() {
            losses.push(session.run(&[], &[&loss], &[]).unwrap()[0].item::<f32>().unwrap());
            session.run(&[], &[], &[&averaged]).unwrap();
        }
        close(&format!("{name}: losses"), &losses, &numbers(&expected["losses"]));
        let steps = session.run(&[], &[&step], &[]).unwrap()[0].item::<i64>().unwrap();
        assert_eq!(Some(steps), expected["global_step"].as_i64(), "{name}");
        for (what, names) in [("variables", variables), ("averages", averages)] {
            for (i, v) in names.iter().enumerate() {
                let got = session.run(&[], &[v], &[]).unwrap();
                close(&format!("{name}: {what} {i}"), got[0].slice().unwrap(), &numbers(&expected[what][i]));
            }
        }
    }
}

#[test]
fn learning_rates_decay_as_in_tensorflow() {
    let recorded = recorded();
    let mut b = Builder::new(levada::registry());
    let s = b.placeholder("step", DType::I64, PartialShape::scalar());
    for (name, expected) in recorded["decays"].as_object().unwrap() {
        let rate = match name.as_str() {
            "exponential" => train::exponential_decay(&mut b, 0.1, s, 10.0, 0.5, false),
            "exponential_staircase" => train::exponential_decay(&mut b, 0.1, s, 10.0, 0.5, true),
            "natural_exp" => train::natural_exp_decay(&mut b, 0.1, s, 10.0, 0.5, false),
            "inverse_time" => train::inverse_time_decay(&mut b, 0.1, s, 10.0, 0.5, false),
            "polynomial" => train::polynomial_decay(&mut b, 0.1, s, 20.0, 0.01, 2.0),
            "cosine" => train::cosine_decay(&mut b, 0.1, s, 20.0, 0.1),
            "piecewise" => train::piecewise_constant(&mut b, s, &[5, 12], &[0.1, 0.05, 0.01]),
            other => panic!("no decay {other}"),
        };
        let rate = b.name(rate);
        let session = Session::new(b.graph().clone(), SessionOptions::default()).unwrap();
        let got: Vec<f32> = (0..expected.as_array().unwrap().len() as i64)
            .map(|i| session.run(&[("step", Tensor::scalar(i))], &[&rate], &[]).unwrap()[0].item().unwrap())
            .collect();
        close(name, &got, &numbers(expected));
    }
}

#[test]
fn what_cannot_be_trained_is_said() {
    let mut b = Builder::new(levada::registry());
    let ([w, ..], _) = model(&mut b);
    let other = b.placeholder("other", DType::F32, PartialShape::scalar());
    let error = train::minimize(&mut b, other, &Optimizer::adam(0.1), &Minimize::default()).unwrap_err();
    assert_eq!(error.fault().node.as_deref(), Some("other"), "{error}");
    let name = b.node_name(w.handle);
    assert!(Variable::find(&mut b, &name).is_ok());
    let error = Variable::find(&mut b, "other").unwrap_err();
    assert_eq!(error.code(), levada::Code::InvalidArgument, "{error}");
    let bad = train::piecewise_constant(&mut b, other, &[1, 2], &[0.1]);
    assert_eq!(bad.endpoint(), None);
}
