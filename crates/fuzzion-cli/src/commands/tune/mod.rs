//! `fuzzion tune`

mod args;
mod command;
mod fitted;
mod outputs;
mod page;
mod predict;
mod prediction;
mod results;
mod rows;
mod settings;
mod simplify;
mod summary;
mod trials;

use crate::console::Console;
use crate::opening::OpeningDevice;
pub(crate) use args::Tune;
use clap::{ArgMatches, Command, FromArgMatches};
use predict::Predict;
use std::process::ExitCode;

/// Name of the subcommand.
const PREDICT: &str = "predict";

/// `fuzzion tune DATA …`, or one of its subcommands. Not derived: with a subcommand, the table and the target are not required.
pub(crate) enum TuneCommand {
    Fit(Box<Tune>),
    Predict(Box<Predict>),
}

impl FromArgMatches for TuneCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(match matches.subcommand_matches(PREDICT) {
            Some(matches) => TuneCommand::Predict(Box::new(Predict::from_arg_matches(matches)?)),
            None => TuneCommand::Fit(Box::new(Tune::from_arg_matches(matches)?)),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = TuneCommand::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for TuneCommand {
    fn augment_args(command: Command) -> Command {
        let command = Tune::augment_args(command).subcommand(Predict::augment_args(Command::new(PREDICT)));
        command.args_conflicts_with_subcommands(true).subcommand_negates_reqs(true)
    }

    fn augment_args_for_update(command: Command) -> Command {
        TuneCommand::augment_args(command)
    }
}

impl TuneCommand {
    pub(crate) fn run(
        &self,
        open: impl FnOnce() -> fuzzion::Result<OpeningDevice>,
        console: &Console,
    ) -> fuzzion::Result<ExitCode> {
        match self {
            TuneCommand::Fit(tune) => tune.run(open, console),
            TuneCommand::Predict(predict) => predict.run(&open()?.wait()?, console),
        }
    }
}
