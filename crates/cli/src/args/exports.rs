//! A flag of `levada trace` for each format that traces are written in.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use levada::trace::export::{EXPORTERS, Exporter};
use std::path::PathBuf;

/// The requested formats, with the file for each.
pub struct Exports(pub Vec<(&'static Exporter, PathBuf)>);

impl Args for Exports {
    fn augment_args(command: Command) -> Command {
        command.args(EXPORTERS.iter().map(|exporter| {
            let file = Arg::new(exporter.name).long(exporter.name).value_name("FILE");
            file.value_parser(value_parser!(PathBuf)).help(format!("Write {}", exporter.about))
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Exports {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let asked = |exporter: &'static Exporter| Some((exporter, matches.get_one::<PathBuf>(exporter.name)?.clone()));
        Ok(Exports(EXPORTERS.iter().filter_map(asked).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
