//! Running the command as a user does.

#![allow(dead_code)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The project's root, where commands are run.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// A folder for the output of a test, initially empty.
pub fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verbs").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file in the folder of a test.
pub fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The command with these arguments.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_levada"));
    command.args(args).current_dir(root());
    command
}

/// The output of the command.
pub fn levada(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

/// Standard output of a command that succeeds.
pub fn stdout(args: &[&str]) -> String {
    let output = levada(args);
    assert!(output.status.success(), "{args:?}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Standard output of a command that succeeds, as JSON.
pub fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(args)).unwrap()
}

/// Exit code and standard error of a command that fails.
pub fn failure(args: &[&str]) -> (i32, String) {
    let output = levada(args);
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// True if a line of the text consists of these words.
pub fn has(text: &str, words: &str) -> bool {
    text.lines().any(|line| line.split_whitespace().eq(words.split_whitespace()))
}
