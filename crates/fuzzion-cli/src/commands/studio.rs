//! `fuzzion studio`

use crate::console::{self, Console};
use crate::interrupt;
use fuzzion::data::DataError;
use fuzzion::{Device, Error, Result};
use fuzzion_studio::{Server, Settings};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Design and understand fuzzy systems on a local web page
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion studio                         opens the page in the browser
  fuzzion studio tipper.fll              with this system
  fuzzion studio --port 8080 --no-open   prints the address only

The page can open and save files in the current folder, or in the folder of FILE. To use it from another computer, forward the
port: `ssh -L 8080:127.0.0.1:8080 user@host`, and open the printed address there.")]
pub(crate) struct Studio {
    /// System to open (.fll, .fis, .fcl or .json)
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Port on the loopback address [default: 7437, or a free one if it is in use]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Further host name in addresses of the page, for example if a proxy forwards the port; can be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
}

impl Studio {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        let (folder, file) = match &self.file {
            None => (PathBuf::from("."), None),
            Some(file) => folder_of(file)?,
        };
        let settings = Settings::new(folder).port(self.port.unwrap_or(0)).hosts(self.host.clone()).file(file);
        let server = Server::bind(settings, device.clone())?;
        let url = server.url();
        if console.json() {
            console.print_json(&json!({ "url": url }))?;
        } else {
            let note = "closing the tab leaves the server running; press Ctrl-C to end it";
            console.print(&format!("{url}\n{note}"))?;
        }
        if !self.no_open && !open_browser(&url) {
            console::print_warning("no browser was found; open the address yourself");
        }
        server.run(|| interrupt::check().is_break())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The folder of a file, and its name in it.
fn folder_of(file: &Path) -> Result<(PathBuf, Option<PathBuf>)> {
    let failed = |cause| Error::from(DataError::File { doing: "read", path: file.to_path_buf(), cause });
    std::fs::File::open(file).map_err(failed)?;
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok((parent.unwrap_or(Path::new(".")).to_path_buf(), file.file_name().map(PathBuf::from)))
}

/// Opens the address with the program of the system for it. Returns whether the program was started.
fn open_browser(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let quiet = || Stdio::null();
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet());
    command.spawn().is_ok()
}
