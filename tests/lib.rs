//! Tests of the whole.

use std::path::{Path, PathBuf};

/// The files of recorded cases in `folder` whose names end in `suffix`, in order.
pub fn recorded(folder: &str, suffix: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = folder.read_dir().into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = entries.filter(|p| p.to_string_lossy().ends_with(suffix)).collect();
    files.sort();
    files
}
