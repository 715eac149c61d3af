//! Arguments about files of tensors.

use crate::archive::Kind;
use clap::Args;
use std::path::PathBuf;
use std::str::FromStr;

/// Arguments of `checkpoint`.
#[derive(Args)]
pub struct CheckpointArgs {
    /// A checkpoint's prefix or one of its files, a directory whose latest checkpoint is used, or a .safetensors or
    /// .npz file
    pub file: PathBuf,
    /// Only tensors with these names: patterns with * and ?
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Print tensors
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["compare", "out"])]
    pub print: Vec<String>,
    /// Show how the tensors of another file differ; exit code 1 if they do
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub compare: Option<PathBuf>,
    /// Tolerance, absolute up to 1 and relative above [default: bitwise equality]
    #[arg(long, value_name = "X", default_value_t = 0.0, hide_default_value = true, value_parser = tolerance, requires = "compare")]
    pub tolerance: f64,
    /// Write the tensors to a file: .safetensors, .npz, or a checkpoint with this prefix
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Format of --out [default: by its extension]
    #[arg(long, value_name = "FORMAT", requires = "out")]
    pub format: Option<Kind>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x: &f64| *x >= 0.0).ok_or_else(|| "write a number from 0, such as 1e-6".to_owned())
}

/// Checkpoints that the variables of a run are restored from and saved to.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Checkpoints")]
pub struct KeepArgs {
    /// Restore the variables by name, after --init: from a checkpoint's prefix, a directory whose latest checkpoint is
    /// used, or a .safetensors or .npz file
    #[arg(long, value_name = "PATH")]
    pub restore: Option<PathBuf>,
    /// Let variables that the file lacks keep their values from --init
    #[arg(long, requires = "restore")]
    pub restore_partial: bool,
    /// Name under which the file has a variable, if not its own; may be given several times
    #[arg(long, value_name = "VARIABLE=NAME", requires = "restore")]
    pub restore_name: Vec<Renamed>,
    /// Save the variables after the last step: a checkpoint's prefix, or a .safetensors or .npz file
    #[arg(long, value_name = "PATH")]
    pub save: Option<PathBuf>,
    /// Save also after every N steps, in the background, as PATH-STEP; the last 5 are kept
    #[arg(long, value_name = "N", requires = "save", value_parser = clap::value_parser!(u64).range(1..))]
    pub save_every: Option<u64>,
}

/// A variable, and its name in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// Name of the variable.
    pub variable: String,
    /// Name in the file.
    pub name: String,
}

impl FromStr for Renamed {
    type Err = String;

    fn from_str(text: &str) -> Result<Renamed, String> {
        match text.split_once('=') {
            Some((variable, name)) if !variable.is_empty() && !name.is_empty() => {
                Ok(Renamed { variable: variable.to_owned(), name: name.to_owned() })
            }
            _ => Err("write VARIABLE=NAME".to_owned()),
        }
    }
}
