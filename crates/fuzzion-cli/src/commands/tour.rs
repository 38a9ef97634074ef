//! `fuzzion tour`

mod arithmetic;
mod clustering;
mod data;
mod images;
mod inference;
mod landscape;
mod machine;
mod sets;
mod sonfin;
mod tuning;

use crate::console::Console;
use crate::page::{Page, Section};
use fuzzion::data::output::Output;
use fuzzion::plot::Picture;
use fuzzion::{Device, Error, Result};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Run every room on built-in sample data and write one page of pictures, numbers and commands
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion tour                      writes tour/index.html; open it in a browser
  fuzzion tour --out /tmp/tour      the same elsewhere")]
pub(crate) struct Tour {
    /// The folder to write into; it is made if it does not exist
    #[arg(long, default_value = "tour", value_name = "DIR")]
    out: PathBuf,
}

/// What a section needs: where sample files go, and what computes.
pub(crate) struct Guide<'a> {
    /// The folder of the page; sample files lie beside it.
    folder: &'a Path,
    device: &'a Device,
}

type Room = fn(&Guide<'_>) -> Result<Section>;

/// The rooms in the order of the house.
const ROOMS: [(&str, Room); 10] = [
    ("fuzzy sets", sets::shapes),
    ("norms, hedges and cuts", sets::norms),
    ("tables", data::tables),
    ("rules", inference::rules),
    ("pictures", images::images),
    ("clusters", clustering::clusters),
    ("learned rules", tuning::tuning),
    ("rules that grow", sonfin::sonfin),
    ("fuzzy numbers", arithmetic::numbers),
    ("this machine", machine::machine),
];

impl Tour {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        std::fs::create_dir_all(&self.out).map_err(|cause| Error::File {
            doing: "make the folder",
            path: self.out.clone(),
            cause,
        })?;
        let guide = Guide { folder: &self.out, device };
        let mut page = Page::new("A tour of Fuzzion")
            .intro(
                "Fuzzion computes with fuzzy sets, systems, numbers and clusters on the CPU, where nothing need be \
                 installed, and on NVIDIA GPUs. Every picture and number below was made on this machine a moment ago \
                 by the command that stands with it.",
            )
            .footer(format!("computed on {device}"));
        let bar = console.bar("tour");
        for (i, (_, room)) in ROOMS.iter().enumerate() {
            if bar.step(i as u64, ROOMS.len() as u64).is_break() {
                return Err(Error::Interrupted);
            }
            page = page.section(room(&guide)?);
        }
        drop(bar);
        let path = self.out.join("index.html");
        let mut output = Output::create(&path)?;
        output.write_all(page.to_html().as_bytes()).map_err(|cause| output.error(cause))?;
        output.finish()?;
        if console.json() {
            let rooms: Vec<&str> = ROOMS.iter().map(|(name, _)| *name).collect();
            console.say_json(
                &serde_json::json!({ "page": path, "rooms": rooms, "device": device.to_string() }),
            )?;
        } else {
            console.say(&format!("{} is written; open it in a browser", path.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A command as it is typed.
fn line(command: &str, words: &[&str]) -> String {
    let special = |word: &str| word.contains([' ', '(', '[', '*']);
    let quoted = |word: &&str| if special(word) { format!("'{word}'") } else { (*word).to_owned() };
    format!("fuzzion {command} {}", words.iter().map(quoted).collect::<Vec<_>>().join(" "))
}

/// The PNG file at `path` for a chart.
fn picture(path: &Path) -> Result<Picture> {
    let refused = |cause| Error::File { doing: "read", path: path.to_path_buf(), cause };
    Picture::png(&std::fs::read(path).map_err(refused)?)
}
