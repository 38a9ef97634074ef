//! `fuzzion completions`

use crate::commands::common::names::names;
use crate::console::Console;
use clap::Command;
use clap_complete::{Shell, generate};
use fuzzion::Result;
use std::process::ExitCode;

/// Print completions of commands and options for a shell
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion completions bash > ~/.local/share/bash-completion/completions/fuzzion
  fuzzion completions zsh > ~/.zfunc/_fuzzion                  with fpath+=(~/.zfunc) before compinit in ~/.zshrc
  fuzzion completions fish > ~/.config/fish/completions/fuzzion.fish
  fuzzion completions powershell >> $PROFILE")]
pub(crate) struct Completions {
    /// Shell: bash, zsh, fish or powershell
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    #[arg(value_parser = names::<Shell>(["bash", "zsh", "fish", "powershell"]))]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, mut program: Command, console: &Console) -> Result<ExitCode> {
        let mut script = Vec::new();
        generate(self.shell, &mut program, "fuzzion", &mut script);
        console.print(&String::from_utf8_lossy(&script))?;
        Ok(ExitCode::SUCCESS)
    }
}
