//! `levada completions`, `levada man`, and the text of `levada --version`.

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::examples::make_folder;
use crate::feed::write_file;
use crate::{devices, print};
use clap::{Command, CommandFactory};
use levada::{Error, Result};
use std::process::ExitCode;

/// Prints the completion script for a shell.
///
/// # Errors
/// None.
pub fn completions(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "levada", &mut script);
    print(&String::from_utf8_lossy(&script));
    Ok(ExitCode::SUCCESS)
}

/// Writes a man page for the command and one for each verb.
///
/// # Errors
/// If the folder or a page cannot be written.
pub fn man(args: &ManArgs) -> Result<ExitCode> {
    make_folder(&args.out)?;
    let mut command = Cli::command();
    command.build();
    let verbs = command.get_subcommands().filter(|verb| verb.get_name() != "help");
    let pages: Vec<(String, Command)> = verbs
        .map(|verb| (format!("levada-{}", verb.get_name()), verb.clone()))
        .chain([("levada".to_owned(), command.clone())])
        .collect();
    for (name, page) in &pages {
        let page = page.clone().name(name).display_name(name);
        let mut text = Vec::new();
        clap_mangen::Man::new(page)
            .render(&mut text)
            .map_err(|e| Error::internal(format!("a man page cannot be created: {e}")))?;
        write_file(&args.out.join(format!("{name}.1")), &text)?;
    }
    let dir = args.out.display();
    print(&format!("{} pages in {dir}: man {dir}/levada.1\n", pages.len()));
    Ok(ExitCode::SUCCESS)
}

/// Version, system, features and devices.
pub fn long_version() -> String {
    let features = [("cuda", cfg!(feature = "cuda")), ("wgpu", cfg!(feature = "wgpu"))];
    let features: Vec<&str> = features.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect();
    format!(
        "{}\nsystem:   {} {}\nfeatures: {}\ndevices:  {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if features.is_empty() { "none".to_owned() } else { features.join(", ") },
        devices::names().join(", ")
    )
}
