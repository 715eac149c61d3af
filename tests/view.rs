//! The page of `levada view`: its data in Rust, and the page itself in Chromium where that is installed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use levada::graph::read;
use levada::trace::{Iteration, NodeEvent, QueueTrace, StepTrace, TensorDescription, Trace};
use levada::view::serve::Server;
use levada::view::{Knowledge, View, html};
use levada::{Bytes, DType, Graph, RunOptions, Session, SessionOptions, Shape, Tensor};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

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

/// The page of a graph, and of a trace that is also the previous one.
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
    assert_eq!(page.matches("<script").count(), 4);
    assert_eq!(page.matches("</script").count(), 4);
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

/// A headless Chromium that is controlled over a pipe.
struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    number: u64,
    session: Option<String>,
    folder: PathBuf,
}

/// A timeout far above the time of any page.
const PATIENCE: Duration = Duration::from_secs(120);

impl Browser {
    /// `None`, with a message, if there is no Chromium.
    fn start(name: &str) -> Option<Browser> {
        let browsers = ["chromium", "chromium-browser", "google-chrome"];
        let is_there =
            |browser: &&str| Command::new(browser).arg("--version").output().is_ok_and(|o| o.status.success());
        let Some(browser) = browsers.into_iter().find(is_there) else {
            eprintln!("skipped: no Chromium is installed");
            return None;
        };
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("view").join(name);
        // No state of an earlier run, such as a chosen theme.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        // It reads from 3 and writes to 4.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", browser])
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe"])
            .args(["--force-device-scale-factor=1", "--window-size=1400,900"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let mut browser = Browser { process, to, from, number: 0, session: None, folder };
        let target = browser.ask("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attached = browser.ask("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        browser.ask(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": false}),
        );
        let still = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}, {"name": "prefers-color-scheme", "value": "light"}]});
        browser.ask("Emulation.setEmulatedMedia", still);
        Some(browser)
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let mut message = json!({"id": self.number, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut answer = Vec::new();
            self.from.read_until(0, &mut answer).unwrap();
            let answer: Value =
                serde_json::from_slice(answer.strip_suffix(b"\0").expect("the browser has ended")).unwrap();
            if answer["id"] == json!(self.number) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The value of an expression, awaited.
    fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.ask("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Opens a page and waits until everything is on it.
    fn open(&mut self, page: &str) {
        let errors = "<script>window.errors = []; onerror = (m, f, line) => errors.push(`${m} at ${line}`); \
            onunhandledrejection = (e) => errors.push(String(e.reason));</script>";
        let path = self.folder.join("page.html");
        std::fs::write(&path, page.replacen("<head>", &format!("<head>{errors}"), 1)).unwrap();
        self.ask("Page.navigate", json!({"url": format!("file://{}", path.display())}));
        let start = Instant::now();
        while self.value("document.body?.dataset.ready ?? (window.errors?.length ? 'failed' : '')") == "" {
            assert!(start.elapsed() < PATIENCE, "the page is not ready");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The values that a script puts into `out`, and all errors.
    fn report(&mut self, script: &str) -> Value {
        self.value(&format!(
            "(async () => {{ const out = {{}}; try {{ {script} }} catch (e) {{ errors.push(String(e)); }} \
             out.errors = errors; out.ready = document.body.dataset.ready; return out; }})()"
        ))
    }

    /// The screen, as PNG.
    fn picture(&mut self) -> Vec<u8> {
        let answer = self.ask("Page.captureScreenshot", json!({"format": "png"}));
        STANDARD.decode(answer["data"].as_str().unwrap()).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let _ = self.process.wait();
    }
}

/// Opens a page in Chromium and runs a script in it that fills `out`. `None` if there is no Chromium.
fn browse(name: &str, page: &str, script: &str) -> Option<Value> {
    let mut browser = Browser::start(name)?;
    browser.open(page);
    Some(browser.report(script))
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

/// A trace of two steps of a graph on two workers, where each node takes as long as its number says.
fn made_up(graph: &Graph) -> Trace {
    let mut starts: HashMap<String, u64> = HashMap::new();
    let mut free = [0u64; 2];
    let mut events = Vec::new();
    for (i, (_, node)) in graph.nodes().enumerate() {
        let from = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
        let ready = from.filter_map(|n| starts.get(&*graph.node(n).name)).copied().max().unwrap_or(0);
        let worker = usize::from(free[1] < free[0]);
        let start = ready.max(free[worker]) + 300;
        let end = start + 1_000 + (i as u64 * 7_919) % 9_000;
        free[worker] = end;
        starts.insert(node.name.to_string(), end);
        let bytes = 1_000 * (i as u64 % 7);
        let outputs =
            vec![Some(TensorDescription { dtype: DType::F32, shape: Shape::vector(bytes as usize / 4), bytes })];
        events.push(NodeEvent {
            op: node.op_name().to_owned().into(),
            device: "/job:localhost/replica:0/task:0/device:CPU:0".into(),
            worker: worker as u32,
            outputs,
            ..event(&node.name, ready, start, end)
        });
    }
    let wall_ns = free[0].max(free[1]);
    let step = |step_id: u64| StepTrace {
        step_id,
        start_unix_us: 1_000 + (step_id - 1) * (wall_ns / 1_000 + 20),
        wall_ns,
        threads: 2,
        events: events.clone(),
        ..StepTrace::default()
    };
    Trace { steps: vec![step(1), step(2)], ..Trace::default() }
}

/// A group of this number of nodes, so that its layout comes with the page, with smaller groups in it.
fn large() -> Graph {
    let mut nodes = vec![json!({"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}})];
    for i in 0..5_000usize {
        let op = ["Neg", "Relu", "Identity", "ZerosLike"][i * 7 % 4];
        let from = if i < 40 { "x".to_owned() } else { format!("n{}", i - 1 - i * 31 % 40) };
        nodes.push(json!({"name": format!("n{i}"), "op": op, "input": [from]}));
        if i % 1_000 == 0 {
            nodes.push(json!({"name": format!("group{i}/a"), "op": "Neg", "input": [format!("n{i}")]}));
            nodes.push(json!({"name": format!("group{i}/b"), "op": "Relu", "input": [format!("group{i}/a")]}));
        }
    }
    of_json(&json!({"node": nodes}))
}

#[test]
fn large_groups_work_in_a_browser() {
    let page = page(&large(), "page", None);
    let script = "out.nodes = levada.nodes(); levada.select('n4321'); out.selected = levada.selected(); \
        const graph = document.getElementById('graph'), key = (k) => graph.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true })); \
        key('ArrowUp'); out.above = levada.selected(); key('ArrowDown'); out.below = levada.selected(); \
        key('ArrowRight'); out.beside = levada.selected(); \
        levada.select('group2000/b'); out.inner = levada.selected(); out.shown = levada.shown().includes('group2000/b'); \
        const box = graph.getBoundingClientRect(); \
        for (const k of [-500, 200, 900]) graph.dispatchEvent(new WheelEvent('wheel', { deltaY: k, clientX: box.x + 300, clientY: box.y + 200, cancelable: true }));";
    let Some(report) = browse("large", &page, script) else { return };
    assert_eq!(report["errors"], json!([]), "{report}");
    assert_eq!((&report["nodes"], &report["selected"]), (&json!(5_011), &json!("n4321")));
    assert_eq!(report["above"], format!("n{}", 4_320 - 4_321 * 31 % 40), "{report}");
    let below: usize = report["below"].as_str().unwrap()[1..].parse().unwrap();
    assert_eq!(report["above"], format!("n{}", below - 1 - below * 31 % 40), "{report}");
    assert_ne!(report["beside"], report["below"], "{report}");
    assert_eq!((&report["inner"], &report["shown"]), (&json!("group2000/b"), &json!(true)));
}

#[test]
fn calls_open_in_place() {
    let script = "levada.select('For_1'); \
        const key = (k) => document.getElementById('graph').dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true })); \
        out.before = levada.shown(); key('Enter'); out.after = levada.shown(); \
        const inner = levada.names().filter((n) => n.startsWith('InnerValue → ')); levada.select(inner[0]); \
        out.found = levada.shown().includes(inner[0]); key('Escape');";
    let Some(report) = browse("calls", &page(&of_file("graphs/tree/train.json"), "page", None), script) else { return };
    assert_eq!((&report["errors"], &report["found"]), (&json!([]), &json!(true)), "{report}");
    let shown = |when: &str| {
        report[when].as_array().unwrap().iter().any(|name| name.as_str().unwrap().starts_with("TestTree → "))
    };
    assert_eq!((shown("before"), shown("after")), (false, true), "{report}");
}

#[test]
fn long_events_are_seen_beside_short_ones() {
    let (graph, _) = ran();
    let events =
        vec![event("layer/w", 0, 0, 10), event("layer/y", 10, 20, 900_000), event("z", 900_000, 900_100, 1_000_000)];
    let step = StepTrace { wall_ns: 1_000_000, events, ..StepTrace::default() };
    let trace = Trace { steps: vec![step], ..Trace::default() };
    let script = "const canvas = document.getElementById('timeline'), c = canvas.getContext('2d'), rows = new Set(); \
        await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); \
        const x = Math.round(canvas.width / 2); out.height = canvas.height; out.colours = []; \
        for (let y = 30; y < 90; y++) rows.add(c.getImageData(x, y, 1, 1).data.join()); out.colours = [...rows];";
    let Some(report) = browse("short", &page(&graph, "page", Some(&trace)), script) else { return };
    assert_eq!(report["errors"], json!([]), "{report}");
    // The background behind the events, and the event.
    assert!(report["colours"].as_array().unwrap().len() >= 2, "{report}");
}

#[test]
fn nodes_computed_as_one_show_what_ran() {
    let (graph, _) = ran();
    let fused = NodeEvent { fused: vec!["layer/y".into(), "z".into()], ..event("z", 0, 10, 500) };
    let step = StepTrace { wall_ns: 600, events: vec![fused], ..StepTrace::default() };
    let page = page(&graph, "page", Some(&Trace { steps: vec![step], ..Trace::default() }));
    assert_eq!(data(&page)["trace"]["fused"], json!({"2": 3}));
    let script = "levada.select('layer/y'); out.details = document.getElementById('details').textContent;";
    let Some(report) = browse("fused", &page, script) else { return };
    assert_eq!(report["errors"], json!([]), "{report}");
    let details = report["details"].as_str().unwrap();
    assert!(details.contains("computed as one: layer/y, z") && details.contains("as one with z"), "{report}");
}

/// Each pixel of a reference picture is the mean of a square of this size.
const SCALE: usize = 4;
/// Maximum difference of pictures, out of 255: in a square of 10 pixels, and in total.
const SQUARE: f64 = 14.0;
const WHOLE: f64 = 1.5;

fn png(op: &str, input: (DType, Tensor)) -> Tensor {
    let graph = of_json(&json!({"node": [
        {"name": "in", "op": "Placeholder", "attr": {"dtype": input.0.to_string()}},
        {"name": "out", "op": op, "input": ["in"], "attr": if op == "DecodePng" { json!({"channels": 3}) } else { json!({}) }},
    ]}));
    let session = Session::new(graph, SessionOptions::default()).unwrap();
    session.run(&[("in", input.1)], &["out"], &[]).unwrap().remove(0)
}

/// Height, width and three values for each pixel.
fn decoded(bytes: Vec<u8>) -> (usize, usize, Vec<f64>) {
    let image = png("DecodePng", (DType::Str, Tensor::string(bytes)));
    let [height, width, 3] = image.shape().dims()[..] else { panic!("{:?}", image.shape()) };
    (height, width, image.slice::<u8>().unwrap().iter().map(|&v| f64::from(v)).collect())
}

/// Means of squares of pixels.
fn shrunk((height, width, values): &(usize, usize, Vec<f64>), by: usize) -> (usize, usize, Vec<f64>) {
    let (h, w) = (height / by, width / by);
    let mut out = vec![0f64; h * w * 3];
    for y in 0..h * by {
        for x in 0..w * by {
            for c in 0..3 {
                out[((y / by) * w + x / by) * 3 + c] += values[(y * width + x) * 3 + c] / (by * by) as f64;
            }
        }
    }
    (h, w, out)
}

/// The widths of some texts: pictures with other fonts cannot be compared.
const FONTS: &str = "(() => { const c = document.createElement('canvas').getContext('2d'); \
    return ['600 12.5px', '11px', '10.5px'].map((f) => { c.font = f + ' system-ui, sans-serif'; \
    return c.measureText('The graph, 0123456789').width.toFixed(2); }).join(' '); })()";

#[test]
fn pages_look_as_they_did() {
    let Some(mut browser) = Browser::start("pictures") else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("view");
    let is_update = std::env::var_os("UPDATE").is_some();
    let fonts = browser.value(FONTS).as_str().unwrap().to_owned();
    if is_update {
        std::fs::write(folder.join("fonts.txt"), &fonts).unwrap();
    } else if std::fs::read_to_string(folder.join("fonts.txt")).unwrap() != fonts {
        eprintln!("skipped: the fonts of this machine are not those of the pictures in tests/view");
        return;
    }
    let (pipeline, lstm) = (of_file("graphs/pipeline/csv.json"), of_file("graphs/lstm/train.json"));
    let pages = [
        ("pipeline", page(&pipeline, "pipeline", Some(&made_up(&pipeline))), "levada.select('examples_Enqueue')"),
        ("memory", page(&pipeline, "pipeline", Some(&made_up(&pipeline))), "levada.tab('memory')"),
        ("lstm", page(&lstm, "lstm", None), "document.getElementById('theme').click()"),
        ("large", page(&large(), "large", None), "levada.select('group2000/b')"),
        ("far", page(&large(), "large", None), "levada.tab('table')"),
    ];
    let mut differ = Vec::new();
    for (name, page, script) in pages {
        browser.open(&page);
        let report = browser.report(&format!(
            "document.getElementById('theme').ariaPressed === 'true' && document.getElementById('theme').click(); {script}; \
             await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame);"
        ));
        assert_eq!(report["errors"], json!([]), "{name}: {report}");
        let now = shrunk(&decoded(browser.picture()), SCALE);
        let path = folder.join(format!("{name}.png"));
        if is_update {
            let bytes = now.2.iter().map(|&v| v.round() as u8).collect();
            let image = Tensor::from_vec(Shape::new([now.0, now.1, 3]).unwrap(), bytes).unwrap();
            let file = png("EncodePng", (DType::U8, image));
            std::fs::write(&path, &file.slice::<Bytes>().unwrap()[0]).unwrap();
            continue;
        }
        let kept = decoded(std::fs::read(&path).unwrap());
        assert_eq!((kept.0, kept.1), (now.0, now.1), "{name}");
        let off: Vec<f64> = kept.2.iter().zip(&now.2).map(|(a, b)| (a - b).abs()).collect();
        let whole = off.iter().sum::<f64>() / off.len() as f64;
        let most = shrunk(&(kept.0, kept.1, off), 10).2.into_iter().fold(0f64, f64::max);
        if whole > WHOLE || most > SQUARE {
            let seen = browser.folder.join(format!("{name}.png"));
            std::fs::write(&seen, browser.picture()).unwrap();
            differ.push(format!("{name}: by {whole:.2}, in one place by {most:.1}; it is {}", seen.display()));
        }
    }
    assert!(differ.is_empty(), "{differ:#?}\nUPDATE=1 cargo test -p levada-tests --test view keeps the new pictures");
}
