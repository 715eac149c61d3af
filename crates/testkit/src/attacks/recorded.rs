//! Recorded sessions with parts changed: sizes, values, types, edges, attrs, functions. They reach deeper than graphs
//! made from specs, since most of each is valid.

use super::dice::Dice;
use super::values::INTEGERS;
use super::{Fault, GRACE, Outcome, Policy, TIME, is_fault};
use levada::replay::{Case, Runtime, Session, read_lines};
use levada::{Replayer, Result, SessionOptions};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Instant;

/// Lines of more bytes are skipped: they hold many numbers, not more nodes.
const LINE: usize = 60_000;

/// Maximum number of steps of a session to run.
const STEPS: usize = 6;

const TYPES: [&str; 25] = [
    "DT_FLOAT",
    "DT_DOUBLE",
    "DT_INT32",
    "DT_UINT8",
    "DT_INT16",
    "DT_INT8",
    "DT_STRING",
    "DT_COMPLEX64",
    "DT_COMPLEX128",
    "DT_INT64",
    "DT_BOOL",
    "DT_QINT8",
    "DT_QUINT8",
    "DT_QINT32",
    "DT_BFLOAT16",
    "DT_UINT16",
    "DT_HALF",
    "DT_RESOURCE",
    "DT_VARIANT",
    "DT_UINT32",
    "DT_UINT64",
    "DT_INT4",
    "DT_FLOAT8_E5M2",
    "DT_FLOAT_REF",
    "DT_INT32_REF",
];

const FLOATS: [&str; 10] = ["0", "-1", "0.5", "NaN", "Infinity", "-Infinity", "1e38", "-1e38", "1e-45", "2147483648"];

/// Bytes in base64: empty, letters, invalid UTF-8, a pattern, a format, a file name, the beginning of an image, the
/// name of a layout, many equal ones.
const BYTES: [&str; 10] = [
    "",
    "YWJj",
    "//4A",
    "KGEqKSpi",
    "JXMlcyVu",
    "L2V0Yy9wYXNzd2Q=",
    "iVBORw0KGgoAAAANSUhEUv//////////CAY=",
    "TkNIVw==",
    "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB",
    "eHsxMDAwfXsxMDAwfQ==",
];

/// The lines of recorded cases in these files.
///
/// # Errors
/// If one cannot be read.
pub fn cases(files: &[impl AsRef<Path>]) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for file in files {
        all.extend(read_lines(file.as_ref())?.into_iter().filter(|line| line.len() <= LINE));
    }
    Ok(all)
}

/// One of these recorded sessions with a few changes, determined by the seed, as a line.
pub fn mutant(cases: &[String], seed: u64) -> String {
    let mut dice = Dice::new("mutant", seed);
    if cases.is_empty() {
        return String::new();
    }
    let Ok(mut case) = serde_json::from_str::<Value>(dice.pick::<String>(cases)) else { return String::new() };
    for _ in 0..=dice.below(3) {
        change(&mut case, &mut dice);
    }
    // The results are not compared.
    for step in case["steps"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        step.remove("expect");
        step.insert("error".to_owned(), json!("UNKNOWN"));
    }
    case.to_string()
}

/// The nodes of the graph, and of its functions.
fn nodes(case: &mut Value) -> Vec<&mut Map<String, Value>> {
    let mut all: Vec<&mut Value> = Vec::new();
    let Some(graph) = case["graph"].as_object_mut() else { return Vec::new() };
    for (key, part) in graph {
        match key.as_str() {
            "node" => all.extend(part.as_array_mut().into_iter().flatten()),
            "library" => {
                for function in part["function"].as_array_mut().into_iter().flatten() {
                    all.extend(function["nodeDef"].as_array_mut().into_iter().flatten());
                }
            }
            _ => {}
        }
    }
    all.into_iter().filter_map(Value::as_object_mut).collect()
}

fn text(node: &Map<String, Value>, key: &str) -> String {
    node.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn change(case: &mut Value, dice: &mut Dice) {
    match dice.below(12) {
        0 | 1 => {
            let steps = case["steps"].as_array_mut().map_or(0, |steps| steps.len());
            if steps > 0 {
                let step = dice.below(steps);
                return descend(&mut case["steps"][step]["feeds"], "feeds", dice);
            }
        }
        2 => {
            // Fetch another node.
            let names: Vec<String> = nodes(case).iter().map(|node| text(node, "name")).collect();
            if let (Some(steps), false) = (case["steps"].as_array_mut(), names.is_empty()) {
                for step in steps {
                    step["fetches"] = json!([format!("{}:0", dice.pick(&names))]);
                }
            }
            return;
        }
        _ => {}
    }
    let mut nodes = nodes(case);
    if nodes.is_empty() {
        return;
    }
    let other = dice.below(nodes.len());
    let (other_name, other_op) = (text(nodes[other], "name"), text(nodes[other], "op"));
    let at = dice.below(nodes.len());
    let node = &mut *nodes[at];
    let inputs = node.get_mut("input").and_then(Value::as_array_mut).filter(|inputs| !inputs.is_empty());
    match (dice.below(24), inputs) {
        (0, Some(inputs)) => {
            let input = dice.below(inputs.len());
            let control = if dice.once_in(6) { "^" } else { "" };
            inputs[input] = json!(format!("{control}{other_name}"));
        }
        (1, Some(inputs)) => {
            let (a, b) = (dice.below(inputs.len()), dice.below(inputs.len()));
            inputs.swap(a, b);
        }
        (2, Some(inputs)) => drop(inputs.remove(dice.below(inputs.len()))),
        (3, _) => drop(node.insert("op".to_owned(), json!(other_op))),
        _ => {
            if let Some(attrs) = node.get_mut("attr") {
                descend(attrs, "attr", dice);
            }
        }
    }
}

/// Changes something in `value`, which is under `key`.
fn descend(value: &mut Value, key: &str, dice: &mut Dice) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let mut name = dice.pick(&names).clone();
            // Other types are usually refused before anything runs.
            if is_type(&fields[&name], &name) && !dice.once_in(8) {
                name = dice.pick(&names).clone();
            }
            match dice.below(60) {
                0 => drop(fields.remove(&name)),
                _ if is_type(&fields[&name], &name) && !dice.once_in(8) => {}
                _ => descend(&mut fields[&name], &name, dice),
            }
        }
        Value::Array(items) if key == "dim" && dice.once_in(2) => {
            *items = (0..dice.below(7)).map(|_| json!({"size": dice.pick(&INTEGERS).to_string()})).collect();
        }
        Value::Array(items) if !items.is_empty() => {
            let at = dice.below(items.len());
            match dice.below(8) {
                0 => items.truncate(at),
                1 => drop(items.remove(at)),
                2 => {
                    let item = items[at].clone();
                    items.extend((0..*dice.pick(&[1, 2, 100])).map(|_| item.clone()));
                }
                _ => descend(&mut items[at], key, dice),
            }
        }
        _ => *value = other(value, key, dice),
    }
}

/// True for an element type, under its key or as a whole attr.
fn is_type(value: &Value, key: &str) -> bool {
    matches!(key, "type" | "dtype") && value.is_string() || value.get("type").is_some() || key.starts_with('_')
}

/// Another value for a field.
fn other(value: &Value, key: &str, dice: &mut Dice) -> Value {
    let number = dice.pick(&INTEGERS).to_string();
    match (key, value) {
        (_, Value::Bool(is)) => json!(!is),
        ("type" | "dtype", _) => json!(dice.pick(&TYPES)),
        ("s" | "stringVal" | "tensorContent", _) => json!(dice.pick(&BYTES)),
        ("name", _) => json!("nothing"),
        ("f" | "floatVal" | "doubleVal" | "scomplexVal" | "dcomplexVal", _) => {
            let text = *dice.pick(&FLOATS);
            text.parse::<f64>().ok().filter(|number| number.is_finite()).map_or(json!(text), |number| json!(number))
        }
        ("intVal" | "halfVal", _) => json!((*dice.pick(&INTEGERS)).clamp(i64::from(i32::MIN), i64::from(i32::MAX))),
        ("list", _) => json!({"i": [number]}),
        _ => json!(number),
    }
}

/// Runs a line of [`mutant`] in a separate session.
///
/// # Errors
/// What went wrong in the runtime.
pub fn run(line: &str, policy: Policy) -> Result<Outcome, Fault> {
    let Ok(case) = Case::parse(line) else { return Ok(Outcome::Refused) };
    let replayer = Replayer::new(SessionOptions { threads: 2, ..policy.options() });
    let session = match replayer.open(case.graph.as_bytes(), &case.config) {
        Ok(session) => session,
        Err(error) if is_fault(&error) => return Err(error.to_string()),
        Err(_) => return Ok(Outcome::Refused),
    };
    let mut outcome = Outcome::Ran;
    for step in case.steps.iter().take(STEPS) {
        let mut run = step.run.clone();
        run.timeout = Some(TIME);
        let begin = Instant::now();
        let result = session.run(&run);
        let taken = begin.elapsed();
        match result {
            Err(error) if is_fault(&error) => return Err(error.to_string()),
            _ if taken > TIME + GRACE => return Err(format!("took {taken:.1?}, and was given {TIME:?}")),
            Err(_) => outcome = Outcome::Failed,
            Ok(_) => {}
        }
    }
    session.close();
    Ok(outcome)
}
