//! Support for shells and newcomers: completions, man pages, versions, examples, help, devices.

mod common;
use common::{failure, folder, json, levada, root, stdout};
use std::path::Path;
use std::process::Command;

#[test]
fn shells_complete_every_verb() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&["completions", shell]);
        for word in ["inspect", "completions", "queue-runners", "callers"] {
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    assert_eq!(failure(&["completions", "tcsh"]).0, 2);
    let script = folder("completions").join("levada.bash");
    std::fs::write(&script, stdout(&["completions", "bash"])).unwrap();
    let Ok(output) = Command::new("bash").arg("-n").arg(&script).output() else {
        println!("skipped: no bash");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_verb_has_a_page_and_a_help_with_an_example() {
    let dir = folder("man");
    stdout(&["man", "--out", dir.to_str().unwrap()]);
    let page = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    assert!(page("levada.1").contains("levada\\-inspect"), "{}", page("levada.1"));
    for verb in [
        "run",
        "inspect",
        "place",
        "verify",
        "checkpoint",
        "bench",
        "batch",
        "gradients",
        "devices",
        "trace",
        "examples",
        "completions",
        "man",
    ] {
        assert!(page(&format!("levada-{verb}.1")).contains(".SH OPTIONS"), "{verb}");
        let help = stdout(&[verb, "--help"]);
        assert!(help.contains("  levada "), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 120), "{help}");
    }
}

#[test]
fn the_version_is_one_line_or_says_what_was_built() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(stdout(&["-V"]), format!("levada {version}\n"));
    let long = stdout(&["--version"]);
    assert!(long.starts_with(&format!("levada {version}\n")), "{long}");
    for label in ["system: ", "features: ", "devices:  CPU:0"] {
        assert!(long.lines().any(|line| line.starts_with(label)), "{long}");
    }
}

/// The arguments of a command as a shell reads them.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn examples_run_where_they_were_copied_to() {
    let list = stdout(&["examples"]);
    let names: Vec<&str> = list
        .lines()
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(names, ["short", "control", "digits", "pipeline", "lstm", "tree"]);
    let all = folder("examples");
    for name in names {
        let dir = all.join(name);
        let dir = dir.to_str().unwrap();
        let text = stdout(&["examples", name, dir]);
        assert!(text.contains(&format!("cd {dir}\n")), "{text}");
        let commands: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("levada ")).collect();
        assert!(!commands.is_empty(), "{text}");
        for command in commands {
            let output =
                Command::new(env!("CARGO_BIN_EXE_levada")).args(words(command)).current_dir(dir).output().unwrap();
            assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
        }
        // Repeating it does no harm; a changed file is kept.
        stdout(&["examples", name, dir]);
    }
    let changed = all.join("short/graphs/short.json");
    std::fs::write(&changed, "{}").unwrap();
    let short = all.join("short");
    let (code, error) = failure(&["examples", "short", short.to_str().unwrap()]);
    assert!(code == 1 && error.contains("--force") && error.contains("short.json"), "{error}");
    assert_eq!(std::fs::read_to_string(&changed).unwrap(), "{}");
    stdout(&["examples", "short", short.to_str().unwrap(), "--force"]);
    assert_eq!(std::fs::read(&changed).unwrap(), std::fs::read(root().join("graphs/short.json")).unwrap());
    let (code, error) = failure(&["examples", "digit"]);
    assert!(code == 1 && error.contains("did you mean \"digits\"?"), "{error}");
    assert!(!Path::new("digit").exists());
}

#[test]
fn devices_are_told_without_words_of_others() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_levada"));
    // Makes the loaders print messages.
    let output = command.arg("devices").env("VK_LOADER_DEBUG", "all").env_remove("XDG_RUNTIME_DIR").output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let all = json(&["devices", "--json"]);
    assert_eq!((&all["version"], &all["devices"][0]["name"]), (&1.into(), &"CPU:0".into()));
    let backends: Vec<&str> = all["backends"].as_array().unwrap().iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert_eq!(backends, ["cuda", "wgpu"]);
    assert!(levada(&["devices", "--drivers"]).status.success());
}

#[test]
fn a_recorded_case_of_an_unknown_dtype_is_skipped() {
    let good = std::fs::read_to_string(root().join("tests/golden/session.jsonl")).unwrap();
    let good = good.lines().next().unwrap();
    let odd = r#"{"name": "odd", "graph": {}, "steps": [{"fetches": ["a"], "expect": [{"dtype": "DT_FLOAT3"}]}]}"#;
    let file = common::written(&folder("odd"), "cases.jsonl", &format!("{good}\n{odd}\n"));
    let text = stdout(&["verify", &file]);
    assert!(text.contains("skipped    1: the dtype DT_FLOAT3 is not supported"), "{text}");
    assert!(text.ends_with("1 passed, 0 failed, 1 skipped\n"), "{text}");
}
