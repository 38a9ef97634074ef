//! Runs `fuzzion tour`.

use super::guide::Guide;
use super::sections::{arithmetic, clustering, data, images, inference, machine, sets, sonfin, tuning};
use crate::commands::common::files::{create_folder, write_file};
use crate::console::Console;
use crate::page::{Page, Section};
use fuzzion::{Device, Error, Result};
use std::path::PathBuf;
use std::process::ExitCode;

/// Run every module on sample data and write an HTML page with the results
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion tour                      write tour/index.html; open it in a browser
  fuzzion tour --out /tmp/tour      write to another folder")]
pub(crate) struct Tour {
    /// Output folder, created if needed
    #[arg(long, default_value = "tour", value_name = "DIR")]
    out: PathBuf,
}

type CreateSection = fn(&Guide<'_>) -> Result<Section>;

/// Names and functions of the sections, in page order: first those with the best pictures, last the definitions.
const SECTIONS: [(&str, CreateSection); 10] = [
    ("images", images::images),
    ("clusters", clustering::clusters),
    ("rules", inference::rules),
    ("learned rules", tuning::tuning),
    ("self-constructing networks", sonfin::sonfin),
    ("fuzzy numbers", arithmetic::numbers),
    ("tables", data::tables),
    ("this machine", machine::machine),
    ("fuzzy sets", sets::shapes),
    ("norms, hedges and cuts", sets::norms),
];

impl Tour {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        create_folder(&self.out)?;
        let guide = Guide { folder: &self.out, device };
        let mut page = Page::new("A tour of Fuzzion")
            .intro(
                "Fuzzion computes with fuzzy sets, fuzzy systems, fuzzy numbers and clusters, on any CPU and on NVIDIA GPUs. \
                 All charts and numbers on this page were computed on this machine by the commands next to them.",
            )
            .footer(format!("computed on {device}"));
        let bar = console.bar("tour");
        for (i, (_, create_section)) in SECTIONS.iter().enumerate() {
            if bar.step(i as u64, SECTIONS.len() as u64).is_break() {
                return Err(Error::Interrupted);
            }
            page = page.section(create_section(&guide)?);
        }
        drop(bar);
        let path = self.out.join("index.html");
        write_file(&path, page.to_html().as_bytes())?;
        if console.json() {
            let names: Vec<&str> = SECTIONS.iter().map(|(name, _)| *name).collect();
            console.print_json(
                &serde_json::json!({ "page": path, "rooms": names, "device": device.to_string() }),
            )?;
        } else {
            console.print_written(&format!("wrote {}; open it in a browser", path.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
