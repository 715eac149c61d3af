//! `levada examples`: graphs to start from, embedded in the command.

use crate::args::ExamplesArgs;
use crate::feed::write_file;
use crate::{print, show};
use levada::{Code, Error, Result};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// An embedded file, under its path in the project, by which graphs name their data.
macro_rules! files {
    ($($path:literal),* $(,)?) => { &[$(($path, include_bytes!(concat!("../../../", $path)))),*] };
}

struct Example {
    name: &'static str,
    about: &'static str,
    files: &'static [(&'static str, &'static [u8])],
    /// Arguments of `levada`, to be run in the folder of the copied files.
    commands: &'static [&'static str],
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "short",
        about: "a perceptron of two layers in the short form: the smallest graph to change and run again",
        files: files!["graphs/short.json"],
        commands: &[
            "run graphs/short.json --feed 'x=[[1, 2, 3, 4]]' --fetch probabilities --fetch class",
            "inspect graphs/short.json",
        ],
    },
    Example {
        name: "control",
        about: "stages ordered by control edges, as a trace shows",
        files: files!["graphs/control.json"],
        commands: &[
            "run graphs/control.json --feed 'x=[1, 2, 3]' --fetch last --target done --trace control.trace.json",
            "trace control.trace.json --order",
        ],
    },
    Example {
        name: "digits",
        about: "a convolutional classifier of handwritten digits: inference, and training from files through queues",
        files: files![
            "graphs/digits/README.md",
            "graphs/digits/infer.json",
            "graphs/digits/train.json",
            "graphs/digits/test_images.npy",
            "graphs/digits/test_labels.npy",
            "graphs/digits/train-00000-of-00004.tfrecord.gz",
            "graphs/digits/train-00001-of-00004.tfrecord.gz",
            "graphs/digits/train-00002-of-00004.tfrecord.gz",
            "graphs/digits/train-00003-of-00004.tfrecord.gz",
        ],
        commands: &[
            "run graphs/digits/infer.json --feed images=@graphs/digits/test_images.npy \
             --feed labels=@graphs/digits/test_labels.npy --fetch accuracy --fetch confusion",
            "run graphs/digits/train.json --queue-runners --allow-files graphs/digits --steps 60 --fetch loss \
             --target train_op --then-fetch accuracy --then-feed images=@graphs/digits/test_images.npy \
             --then-feed labels=@graphs/digits/test_labels.npy",
        ],
    },
    Example {
        name: "pipeline",
        about: "input pipelines: files, readers, decoding, shuffling and batching with queue runners, and by a dataset",
        files: files![
            "graphs/pipeline/README.md",
            "graphs/pipeline/tfrecords.json",
            "graphs/pipeline/csv.json",
            "graphs/pipeline/dataset.json",
            "graphs/pipeline/digits-00000-of-00004.tfrecord.gz",
            "graphs/pipeline/digits-00001-of-00004.tfrecord.gz",
            "graphs/pipeline/digits-00002-of-00004.tfrecord.gz",
            "graphs/pipeline/digits-00003-of-00004.tfrecord.gz",
            "graphs/pipeline/digits-0.csv",
            "graphs/pipeline/digits-1.csv",
        ],
        commands: &[
            "run graphs/pipeline/tfrecords.json --queue-runners --allow-files graphs/pipeline --fetch rows --fetch mean_ink \
             --trace pipeline.trace.json",
            "trace pipeline.trace.json --queues",
            "data graphs/pipeline/dataset.json --iterator digits --bench --allow-files graphs/pipeline",
        ],
    },
    Example {
        name: "lstm",
        about: "a character LSTM in while loops that continues a prompt",
        files: files!["graphs/lstm/README.md", "graphs/lstm/generate.json"],
        commands: &[
            "run graphs/lstm/generate.json --fetch text --feed 'prompt=\"Satan\"' --feed length=60 --feed 'seed=[3, 4]'",
        ],
    },
    Example {
        name: "tree",
        about: "a recursive network: functions that call themselves on trees of any shape",
        files: files!["graphs/tree/README.md", "graphs/tree/infer.json"],
        commands: &["run graphs/tree/infer.json --fetch probability --feed 'left=[-1, -1, 0, -1, 2]' \
             --feed 'right=[-1, -1, 1, -1, 3]' --feed 'token=[1, 2, -1, 0, -1]'"],
    },
];

/// Lists the examples, or copies one and says how to run it.
///
/// # Errors
/// `NOT_FOUND` for an unknown name, `ALREADY_EXISTS` for an existing file with different contents.
pub fn examples(args: &ExamplesArgs) -> Result<ExitCode> {
    let Some(name) = &args.name else {
        let rows: Vec<[String; 2]> = EXAMPLES.iter().map(|e| [format!("  {}", e.name), e.about.to_owned()]).collect();
        print(&format!(
            "{}\n`levada examples NAME [DIR]` copies one and says how to run it.\n",
            show::table("ll", &rows)
        ));
        return Ok(ExitCode::SUCCESS);
    };
    let example = find(name)?;
    let dir = args.dir.clone().unwrap_or_else(|| PathBuf::from(example.name));
    let files: Vec<(PathBuf, &[u8])> = example.files.iter().map(|(path, bytes)| (dir.join(path), *bytes)).collect();
    let changed = |(path, bytes): &&(PathBuf, &[u8])| std::fs::read(path).is_ok_and(|there| there != *bytes);
    if let Some((path, _)) = files.iter().find(changed).filter(|_| !args.force) {
        return Err(Error::already_exists("the file exists and differs from that of the example")
            .file(path.display())
            .help("name another folder, or --force to overwrite it"));
    }
    for (path, bytes) in &files {
        make_folder(path.parent().unwrap_or(&dir))?;
        write_file(path, bytes)?;
    }
    let mut out =
        format!("{} in {}. To run it:\n\n  cd {}\n", show::count(files.len(), "file"), dir.display(), quoted(&dir));
    for command in example.commands {
        out.push_str(&format!("  levada {command}\n"));
    }
    print(&out);
    Ok(ExitCode::SUCCESS)
}

fn find(name: &str) -> Result<&'static Example> {
    EXAMPLES.iter().find(|e| e.name == name).ok_or_else(|| {
        let names: Vec<&str> = EXAMPLES.iter().map(|e| e.name).collect();
        let error = Error::not_found(format!("there is no example {name:?}"));
        match levada::graph::op::nearest(name, names.iter().copied()) {
            Some(near) => error.help(format!("did you mean {near:?}?")),
            None => error.expected(names.join(", ")),
        }
    })
}

/// Makes a folder and those above it.
///
/// # Errors
/// If it cannot be created.
pub fn make_folder(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir).map_err(|e| {
        let code = match e.kind() {
            std::io::ErrorKind::PermissionDenied => Code::PermissionDenied,
            _ => Code::Unknown,
        };
        Error::new(code, format!("the folder cannot be created: {e}")).file(dir.display())
    })
}

/// The path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:\\".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_carried_along_is_small() {
        let bytes: usize = EXAMPLES.iter().flat_map(|e| e.files).map(|(_, bytes)| bytes.len()).sum();
        assert!(bytes < 1_000_000, "{bytes}");
    }

    #[test]
    fn paths_are_quoted_where_a_shell_asks_for_it() {
        assert_eq!(quoted(Path::new("a/b-1.x")), "a/b-1.x");
        assert_eq!(quoted(Path::new("my graphs")), "'my graphs'");
    }
}
