//! A full disk: an error that names the file, no partial files, and existing files stay.
#![cfg(target_os = "linux")]

mod common;

use common::{folder, root, written};
use std::path::Path;
use std::process::Command;

/// Mounts a disk with room for one page besides its initial contents, runs the command that follows, and lists the
/// files.
const SCRIPT: &str = r#"
mount -t tmpfs -o size=8k none "$0" || exit 77
printf old > "$0/$TARGET"
"$@"
code=$?
for file in "$0"/* "$0"/.[!.]*; do
    [ -f "$file" ] && echo "kept: ${file##*/} $(head -c 20 "$file")" >&2
done
exit $code"#;

/// Exit code and standard error of the command with these arguments on a full disk.
fn on_full_disk(disk: &Path, target: &str, args: &[&str]) -> Option<(i32, String)> {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT]).arg(disk).env("TARGET", target);
    let output = command.arg(env!("CARGO_BIN_EXE_levada")).args(args).current_dir(root()).output().ok()?;
    let (code, text) = (output.status.code()?, String::from_utf8_lossy(&output.stderr).into_owned());
    // 77 if nothing can be mounted, 1 from unshare itself if it is not allowed.
    let may = code != 77 && !text.starts_with("unshare");
    may.then_some((code, text))
}

const GRAPH: &str = r#"{"node": [
    {"name": "shape", "op": "Const", "attr": {"dtype": "int32", "value": [64, 64]}},
    {"name": "big", "op": "RandomStandardNormal", "input": ["shape"], "attr": {"dtype": "float32", "seed": 1, "seed2": 2}},
    {"name": "prefix", "op": "Placeholder", "attr": {"dtype": "string", "shape": []}},
    {"name": "names", "op": "Const", "attr": {"dtype": "string", "value": ["big"]}},
    {"name": "slices", "op": "Const", "attr": {"dtype": "string", "value": [""]}},
    {"name": "save", "op": "SaveV2", "input": ["prefix", "names", "slices", "big"]},
    {"name": "text", "op": "AsString", "input": ["big"]},
    {"name": "axes", "op": "Const", "attr": {"dtype": "int32", "value": [0, 1]}},
    {"name": "joined", "op": "ReduceJoin", "input": ["text", "axes"]},
    {"name": "write", "op": "WriteFile", "input": ["prefix", "joined"]}]}"#;

#[test]
fn a_full_disk_is_an_error_and_tears_no_file() {
    let folder = folder("full_disk");
    let graph = written(&folder, "graph.json", GRAPH);
    let disk = folder.join("disk");
    std::fs::create_dir_all(&disk).unwrap();
    let at = |name: &str| disk.join(name).to_str().unwrap().to_owned();
    let (npy, npz, trace, svg) = (at("y.npy"), at("y.npz"), at("t.json"), at("p.svg"));
    let (recording, prefix) = (at("r"), format!("prefix={:?}", at("c")));
    let grant = disk.to_str().unwrap();
    let file = format!("prefix={:?}", at("w.txt"));
    // The file to be written, whether it stays unchanged, and the command.
    let cases: [(&str, bool, Vec<&str>); 7] = [
        ("y.npy", true, vec!["run", &graph, "--fetch", "big", "--out", &npy]),
        ("y.npz", true, vec!["run", &graph, "--fetch", "big", "--out", &npz]),
        ("t.json", true, vec!["run", &graph, "--fetch", "joined", "--steps", "20", "--trace", &trace]),
        ("p.svg", true, vec!["place", "graphs/digits/infer.json", "--devices", "cpu:2", "--svg", &svg]),
        ("r", true, vec!["record", &graph, "--fetch", "big", "--steps", "500", "--recording", &recording]),
        ("other", true, vec!["run", &graph, "--allow-files", grant, "--feed", &prefix, "--target", "save"]),
        // TensorFlow, too, opens the file for writing first.
        ("w.txt", false, vec!["run", &graph, "--allow-files", grant, "--feed", &file, "--target", "write"]),
    ];
    for (target, stays, args) in cases {
        let Some((code, text)) = on_full_disk(&disk, target, &args) else {
            println!("skipped: nothing can be mounted here");
            return;
        };
        assert_eq!(code, 1, "{args:?}: {text}");
        assert!(text.contains("resource exhausted"), "{args:?}: {text}");
        let named = if target == "other" { grant } else { target };
        assert!(text.split("kept: ").next().unwrap().contains(named), "{args:?} does not name its file: {text}");
        if stays {
            assert!(text.contains(&format!("kept: {target} old\n")), "{args:?} has changed what was there: {text}");
            assert_eq!(text.matches("kept: ").count(), 1, "{args:?} leaves something behind: {text}");
        }
    }
}
