//! The page of `levada view`: its data in Rust, and the page itself in Chromium where that is installed.

use levada::graph::read;
use levada::trace::{Iteration, NodeEvent, QueueTrace, StepTrace, TensorDescription, Trace};
use levada::view::serve::Server;
use levada::view::{Knowledge, View, html};
use levada::{DType, Graph, RunOptions, Session, SessionOptions, Shape, Tensor};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;

/// Texts that would end a script, an attribute or a line.
const HOSTILE: &[&str] = &[
    "a</script><script>document.title='hacked'</script>",
    "<img src=x onerror=alert(1)>",
    "q\"'&amp;",
    "l\u{2028}\n\0\u{202e}x",
    "/",
    "//a//",
    "ä/日本",
];

fn of_file(path: &str) -> Graph {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    read::json(&std::fs::read(path).unwrap(), &levada::registry()).unwrap()
}

fn of_json(json: &Value) -> Graph {
    read::json(json.to_string().as_bytes(), &levada::registry()).unwrap()
}

/// The page of a graph, and of a trace that is also the one before it.
fn page(graph: &Graph, title: &str, trace: Option<&Trace>) -> String {
    let registry = levada::registry();
    let families = levada::families().flat_map(|(name, ops)| ops.into_iter().map(move |op| (op.spec.name, name)));
    let knowledge =
        Knowledge { families: families.collect(), numbers: &levada::compare::numbers, ..Knowledge::of(&registry) };
    html(&View { trace, before: trace, ..View::new(title, graph, &knowledge) }).unwrap()
}

/// The data of a page.
fn data(page: &str) -> Value {
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = start + page[start..].find("</script>").unwrap();
    serde_json::from_str(&page[start..end]).unwrap()
}

fn nodes_of(data: &Value) -> BTreeSet<&str> {
    data["graph"]["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn every_node_is_on_the_page() {
    let graphs = [
        "graphs/digits/infer.json",
        "graphs/digits/train.json",
        "graphs/lstm/train.json",
        "graphs/tree/train.json",
        "graphs/pipeline/csv.json",
        "graphs/control.json",
    ];
    for path in graphs {
        let graph = of_file(path);
        let page = page(&graph, "page", None);
        let data = data(&page);
        let (names, expected) = (nodes_of(&data), graph.names().collect::<BTreeSet<_>>());
        assert!(names.is_superset(&expected), "{path}: {:?}", expected.difference(&names).take(3).collect::<Vec<_>>());
        assert_eq!(data["graph"]["bodies"][0][2], graph.len(), "{path}");
        assert_eq!(data["graph"]["bodies"].as_array().unwrap().len(), 1 + graph.library.functions.len(), "{path}");
        assert!(page.len() < 2_000_000, "{path}: {} bytes", page.len());
    }
}

#[test]
fn loops_and_stores_are_found() {
    let data = data(&page(&of_file("graphs/lstm/train.json"), "page", None));
    let scopes = data["graph"]["scopes"].as_array().unwrap();
    let kind = |name: &str| scopes.iter().find(|s| s[1] == name).unwrap()[2].clone();
    assert_eq!((kind("lstm"), kind("cell")), (json!(1), json!(0)));

    let data = self::data(&page(&of_file("graphs/pipeline/tfrecords.json"), "page", None));
    let acts: BTreeSet<&str> =
        data["graph"]["acts"].as_array().unwrap().iter().map(|a| a[2].as_str().unwrap()).collect();
    assert_eq!(acts, ["close", "put", "take"].into());
}

/// A graph with hostile texts in it, and a trace of hostile names.
fn hostile() -> (Graph, Trace) {
    let constant = |(i, text): (usize, &&str)| json!({"name": format!("text{i}"), "op": "Const", "attr": {"dtype": "string", "value": text, "_note": text}});
    let mut nodes: Vec<Value> = HOSTILE.iter().enumerate().map(constant).collect();
    nodes.push(json!({"name": format!("{}end", "deep/".repeat(2_000)), "op": "NoOp"}));
    let named = |name: &&str| NodeEvent {
        op: (*name).to_owned().into(),
        device: (*name).into(),
        error: Some((*name).to_owned()),
        iteration: Some(Iteration { frame: (*name).into(), number: 3 }),
        ..event(name, 0, 1, 2)
    };
    let queue =
        |name: &&str| QueueTrace { name: (*name).to_owned(), kind: (*name).to_owned(), ..QueueTrace::default() };
    let step = StepTrace { events: HOSTILE.iter().map(named).collect(), wall_ns: 2, ..StepTrace::default() };
    let trace = Trace { steps: vec![step], queues: HOSTILE.iter().map(queue).collect(), ..Trace::default() };
    (of_json(&json!({"node": nodes})), trace)
}

#[test]
fn texts_cannot_break_the_page() {
    let (graph, trace) = hostile();
    let page = page(&graph, "</title><script>alert(1)</script>", Some(&trace));
    assert_eq!(page.matches("<script").count(), 3);
    assert_eq!(page.matches("</script").count(), 3);
    assert!(!page.contains("<img"));
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains("http://") && !page.contains("https://"));
    let others = data(&page)["trace"]["others"].clone();
    assert_eq!(others, json!(HOSTILE));
}

/// An event with these times.
fn event(node: &str, ready_ns: u64, start_ns: u64, end_ns: u64) -> NodeEvent {
    let outputs = vec![Some(TensorDescription { dtype: DType::F32, shape: Shape::vector(4), bytes: 16 }), None];
    NodeEvent { ready_ns, start_ns, end_ns, outputs, ..NodeEvent::new(node.into(), "NoOp") }
}

#[test]
fn traces_that_make_no_sense_make_a_page() {
    let graph = of_file("graphs/short.json");
    let events = vec![
        event("hidden", u64::MAX, u64::MAX, 0),
        event("hidden", 5, 3, 1),
        event("</script>", 0, u64::MAX, u64::MAX),
        NodeEvent { worker: u32::MAX, function: "f/g".into(), ..event("f/g/x", 0, 1, 2) },
        NodeEvent { fused: vec!["a".into(), "hidden".into()], ..event("hidden", 0, 0, 0) },
    ];
    let edges = vec![("hidden".into(), "hidden".into()), ("nowhere".into(), "</script>".into())];
    let step = StepTrace {
        step_id: u64::MAX,
        start_unix_us: u64::MAX,
        wall_ns: u64::MAX,
        events,
        edges,
        ..StepTrace::default()
    };
    let queue =
        QueueTrace { name: "<b>".into(), mean_size: f64::NAN, sizes: vec![(9, 1), (3, 2)], ..QueueTrace::default() };
    let trace = Trace { steps: vec![step, StepTrace::default()], queues: vec![queue], ..Trace::default() };
    let page = page(&graph, "page", Some(&trace));
    let data = data(&page);
    assert_eq!(data["trace"]["events"], 5);
    assert_eq!(data["trace"]["queues"][0]["mean"], 0.0);
    if let Some(report) = browse(
        "nonsense",
        &page,
        "for (const t of ['timeline', 'memory', 'queues', 'changes', 'table']) levada.tab(t); out.events = levada.events();",
    ) {
        assert_eq!((&report["errors"], &report["events"]), (&json!([]), &json!(5)));
    }
}

#[test]
fn what_is_no_placement_is_refused() {
    let (graph, registry) = (Graph::new(), levada::registry());
    for wrong in [json!([]), json!({"nodes": []}), json!({"placer": "heft", "nodes": [{"name": "x"}]})] {
        let knowledge = Knowledge::of(&registry);
        let error = html(&View { placement: Some(&wrong), ..View::new("t", &graph, &knowledge) }).unwrap_err();
        assert_eq!(error.message(), "this is not a placement");
    }
}

#[test]
fn the_page_is_served_to_this_machine_only() {
    let server = Server::bind(0, "<!DOCTYPE html>page".to_owned()).unwrap();
    let address = server.address().unwrap();
    let asks = |path: &str, host: &str| {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    std::thread::scope(|scope| {
        let mut left = 4;
        scope.spawn(move || {
            server.run(|| {
                left -= 1;
                left > 0
            });
        });
        let answer = asks("/", "localhost:1234");
        assert!(
            answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\n<!DOCTYPE html>page"),
            "{answer}"
        );
        assert!(asks("/?x", "127.0.0.1").starts_with("HTTP/1.1 200"));
        assert!(asks("/etc/passwd", "localhost").starts_with("HTTP/1.1 404"));
        assert!(asks("/", "elsewhere.example").starts_with("HTTP/1.1 403"));
    });
}

/// Opens a page in Chromium, runs a script in it that fills `out`, and returns that with all errors. `None`, with a
/// message, where there is no Chromium.
fn browse(name: &str, page: &str, script: &str) -> Option<Value> {
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    let is_there = |browser: &&str| Command::new(browser).arg("--version").output().is_ok_and(|o| o.status.success());
    let Some(browser) = browsers.into_iter().find(is_there) else {
        eprintln!("skipped: no Chromium is installed");
        return None;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("view").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let errors = "<script>window.errors = []; onerror = (m, f, line) => errors.push(`${m} at ${line}`);</script>";
    let report = format!(
        "<script>const out = {{}}; try {{ {script} }} catch (e) {{ errors.push(String(e)); }} out.errors = errors; \
         out.ready = document.body.dataset.ready; const made = document.createElement('pre'); made.id = 'report'; \
         made.textContent = JSON.stringify(out).replace(/[<>&]/g, '?'); document.body.append(made);</script></body>"
    );
    let page = page.replacen("<head>", &format!("<head>{errors}"), 1);
    let end = page.rfind("</body>").unwrap();
    let path = folder.join("page.html");
    std::fs::write(&path, format!("{}{report}{}", &page[..end], &page[end + "</body>".len()..])).unwrap();
    let output = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", "--window-size=1400,900"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", path.display()))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let start =
        text.find("<pre id=\"report\">").unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let start = start + "<pre id=\"report\">".len();
    Some(serde_json::from_str(&text[start..start + text[start..].find("</pre>").unwrap()]).unwrap())
}

/// A small graph that ran once.
fn ran() -> (Graph, Trace) {
    let graph = of_json(&json!({"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [2, 2]}},
        {"name": "layer/w", "op": "Const", "attr": {"dtype": "float32", "value": [[1, 2], [3, 4]]}},
        {"name": "layer/y", "op": "MatMul", "input": ["x", "layer/w"]},
        {"name": "z", "op": "Neg", "input": ["layer/y"]},
    ]}));
    let session = Session::new(graph.clone(), SessionOptions::default()).unwrap();
    let options = RunOptions { trace: true, ..RunOptions::default() };
    let fed = Tensor::from_vec(Shape::new([2, 2]).unwrap(), vec![1f32; 4]).unwrap();
    let (_, metadata) = session.run_with(&options, &[("x", fed)], &["z"], &[]).unwrap();
    (graph, Trace { steps: vec![metadata.trace.unwrap()], ..Trace::default() })
}

#[test]
fn the_page_works_in_a_browser() {
    let (graph, trace) = ran();
    let page = page(&graph, "page", Some(&trace));
    let script = "out.nodes = levada.nodes(); out.edges = levada.edges(); out.shown = levada.shown(); \
        levada.select('z'); out.selected = levada.selected(); out.address = location.hash; \
        out.details = document.getElementById('details').textContent; \
        levada.tab('table'); out.rows = document.querySelectorAll('#rows tbody tr:not(.blank)').length; \
        levada.tab('memory'); levada.tab('changes'); out.moved = document.getElementById('change-text').textContent; \
        const box = document.getElementById('search'); box.value = 'op:matmul'; box.dispatchEvent(new Event('input')); \
        out.found = [...document.querySelectorAll('#results [role=option] .name')].map((n) => n.textContent); \
        document.getElementById('theme').click(); out.theme = document.documentElement.dataset.theme;";
    let Some(report) = browse("works", &page, script) else { return };
    assert_eq!(report["errors"], json!([]), "{report}");
    assert_eq!(
        (&report["ready"], &report["nodes"], &report["edges"]),
        (&json!("true"), &json!(4), &json!(3)),
        "{report}"
    );
    assert_eq!(report["selected"], "z");
    assert!(report["address"].as_str().unwrap().contains("node=z"), "{report}");
    assert!(report["details"].as_str().unwrap().contains("Why then"), "{report}");
    assert_eq!(report["found"], json!(["layer/y"]));
    assert_eq!(report["rows"], 4);
    assert!(report["moved"].as_str().unwrap().contains("on another device"), "{report}");
    assert!(["dark", "light"].contains(&report["theme"].as_str().unwrap()));
}

#[test]
fn example_graphs_open_in_a_browser() {
    for path in ["graphs/digits/train.json", "graphs/lstm/train.json", "graphs/tree/train.json"] {
        let graph = of_file(path);
        let script =
            "for (const name of levada.names().slice(0, 300)) levada.select(name); out.nodes = levada.nodes();";
        let Some(report) = browse(&path.replace('/', "_"), &page(&graph, "page", None), script) else { return };
        assert_eq!(report["errors"], json!([]), "{path}: {report}");
        assert!(report["nodes"].as_u64().unwrap() >= graph.len() as u64, "{path}");
    }
}

#[test]
fn hostile_texts_do_nothing_in_a_browser() {
    let (graph, trace) = hostile();
    let script = "for (const name of levada.names()) levada.select(name); out.names = levada.names().length; \
        for (const tab of ['timeline', 'memory', 'queues', 'changes', 'table']) levada.tab(tab); \
        out.title = document.title; out.pictures = document.images.length;";
    let Some(report) = browse("hostile", &page(&graph, "page", Some(&trace)), script) else { return };
    assert_eq!(report["errors"], json!([]), "{report}");
    assert_eq!((&report["title"], &report["pictures"]), (&json!("page – Levada"), &json!(0)));
    assert_eq!(report["names"], graph.len() + HOSTILE.len());
}
