use crate::console::Console;
use std::process::ExitCode;
/// Say what a table or image file holds
#[derive(clap::Args)]
pub(crate) struct Head {}
impl Head {
    pub(crate) fn run(&self, _: &Console) -> fuzzion::Result<ExitCode> {
        Ok(ExitCode::SUCCESS)
    }
}
