//! Arguments about files of tensors.

use crate::archive::Kind;
use clap::Args;
use std::path::PathBuf;
use std::str::FromStr;

/// Arguments of `checkpoint`.
#[derive(Args)]
pub struct CheckpointArgs {
    /// A checkpoint's prefix or one of its files, a directory with checkpoints, of which the latest is taken, or a file .safetensors or .npz
    pub file: PathBuf,
    /// Only tensors with these names: patterns with * and ?
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Print tensors
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["compare", "out"])]
    pub print: Vec<String>,
    /// Say how the tensors of another file differ; exit code 1 where they do
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub compare: Option<PathBuf>,
    /// How much numbers may differ, relative to those above 1 [default: not in a bit]
    #[arg(long, value_name = "X", default_value_t = 0.0, hide_default_value = true, value_parser = tolerance, requires = "compare")]
    pub tolerance: f64,
    /// Write the tensors to a file: .safetensors, .npz, or a checkpoint with this prefix
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How to write it [default: as the name says]
    #[arg(long, value_name = "FORMAT", requires = "out")]
    pub format: Option<Kind>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x: &f64| *x >= 0.0).ok_or_else(|| "write a number from 0, such as 1e-6".to_owned())
}

/// Where the variables of a run come from and go to.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Checkpoints")]
pub struct KeepArgs {
    /// Set the variables, after --init, to what a file has under their names: a checkpoint's prefix, a directory, of which the latest
    /// checkpoint is taken, or a file .safetensors or .npz
    #[arg(long, value_name = "PATH")]
    pub restore: Option<PathBuf>,
    /// Let variables that the file does not have keep the values that --init gave them
    #[arg(long, requires = "restore")]
    pub restore_partial: bool,
    /// Name in the file of a variable whose own name it does not have; may be given several times
    #[arg(long, value_name = "VARIABLE=NAME", requires = "restore")]
    pub restore_name: Vec<Renamed>,
    /// Save the variables after the last step: a checkpoint's prefix, or a file .safetensors or .npz
    #[arg(long, value_name = "PATH")]
    pub save: Option<PathBuf>,
    /// Save also after every N steps while others go on, as PATH-STEP; the last 5 are kept
    #[arg(long, value_name = "N", requires = "save", value_parser = clap::value_parser!(u64).range(1..))]
    pub save_every: Option<u64>,
}

/// A variable, and what a file calls it.
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
