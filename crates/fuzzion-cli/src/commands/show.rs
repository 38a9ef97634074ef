//! `fuzzion show`

mod describe;
mod page;
mod pictures;

use super::paths::is_same;
use super::systems::{SystemWords, inputs_at};
use super::words::{clipped, counted, shown};
use crate::console::{self, Bar, Console};
use clap::Parser;
use fuzzion::data::output::Output;
use fuzzion::inference::{Dialect, System};
use fuzzion::{Error, Progress, Result};
use pictures::{Pictures, View};
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Show a fuzzy system: its variables, sets and rules, in words or as a page of pictures
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("pictures").multiple(true).args(["html", "svg"]),
    after_help = "Without options the system is printed. Reads .fll, .fis, .fcl and .json.

Examples:
  fuzzion show tipper.fll                                   variables, sets and rules in words
  fuzzion show tipper.fll --html tipper.html                one page: sets, rules, surface, one row explained
  fuzzion show dimmer.fll --svg pictures                    each picture as a file
  fuzzion show plant.fis --html p.html --surface error,rate --at load=3   which surface, and where"
)]
pub(crate) struct Show {
    #[command(flatten)]
    system: SystemWords,
    /// Write one self-contained page of pictures
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Write each picture into a folder, which is made if it does not exist
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// The inputs of the surface, or one for a curve (default: the first two)
    #[arg(long, value_name = "X,Y", requires = "pictures")]
    surface: Option<String>,
    /// Only this output's surface (default: all)
    #[arg(long, value_name = "NAME", requires = "pictures")]
    output: Option<String>,
    /// Values of inputs that keep still, as name=value,… (default: the middles of their ranges)
    #[arg(long, value_name = "NAME=V,…", requires = "pictures", allow_hyphen_values = true)]
    at: Option<String>,
}

/// A command line that holds nothing else.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Alone {
    #[command(flatten)]
    show: Show,
}

impl Show {
    pub(crate) fn run(&self, console: &Console) -> Result<ExitCode> {
        let to_console = self.html.as_deref() == Some(Path::new("-"));
        if console.json() && to_console {
            console::complain("`--json` and a page on `-` cannot share standard output; name a file");
            return Ok(ExitCode::from(2));
        }
        let told = self.tell(console)?;
        if !to_console {
            console.say(&told)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What `fuzzion show` with these words says; its files are written.
    pub(crate) fn said(words: &[&str]) -> Result<String> {
        let told = Alone::try_parse_from(words).map_err(|e| Error::Malformed {
            path: "fuzzion show".into(),
            format: "a command",
            reason: e.to_string(),
        })?;
        told.show.tell(&Console::new(false, true))
    }

    fn tell(&self, console: &Console) -> Result<String> {
        let bar = console.bar("drawing");
        let (system, dialect) = self.system.load()?;
        let written = self.write(&system, dialect, &bar)?;
        if console.json() {
            let mut told = describe::as_json(&system, dialect);
            if !written.is_empty() {
                told["files"] = json!(written);
            }
            return Ok(told.to_string());
        }
        if written.is_empty() {
            return Ok(describe::text(&system, dialect));
        }
        let names: Vec<String> = written.iter().map(|path| shown(path)).collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        Ok(format!("{} {verb} written", names.join(", ")))
    }

    /// Writes the page and the pictures that were asked for; the paths of what is written.
    fn write(&self, system: &System, dialect: Dialect, bar: &Bar) -> Result<Vec<PathBuf>> {
        if self.html.is_none() && self.svg.is_none() {
            return Ok(Vec::new());
        }
        if let Some(path) = self.html.as_ref().filter(|path| is_same(path, &self.system.file)) {
            let problem = "holds the system; name another file for the page".into();
            return Err(Error::System { place: format!("`{}`", shown(path)), problem });
        }
        let view = self.view(system, dialect)?;
        // Begun before the work, so that a place that cannot be written to is said at once.
        let html = self.html.as_ref().map(Output::create).transpose()?;
        if let Some(folder) = &self.svg {
            let refused = |cause| Error::File { doing: "make the folder", path: folder.clone(), cause };
            std::fs::create_dir_all(folder).map_err(refused)?;
        }
        let step = |done, total| bar.step(done, total);
        let pictures = Pictures::draw(system, &view, Progress::new(&step))?;
        let mut files = Vec::new();
        let mut paths = Vec::new();
        if let (Some(mut out), Some(path)) = (html, &self.html) {
            let page = page::page(system, &view, &pictures, &self.system)?.to_html();
            out.write_all(page.as_bytes()).map_err(|cause| out.error(cause))?;
            files.push(out);
            paths.push(path.clone());
        }
        if let Some(folder) = &self.svg {
            for picture in pictures.all() {
                let path = folder.join(picture.file_name());
                let mut out = Output::create(&path)?;
                out.write_all(picture.chart.to_svg().as_bytes()).map_err(|cause| out.error(cause))?;
                files.push(out);
                paths.push(path);
            }
        }
        files.into_iter().try_for_each(Output::finish)?;
        Ok(paths)
    }

    /// The words about the surface as numbers of inputs and outputs.
    fn view(&self, system: &System, dialect: Dialect) -> Result<View> {
        let refused = |place: &str, problem: String| Error::System { place: format!("`{place}`"), problem };
        let names: Vec<String> = system.inputs.iter().map(|input| clipped(&input.name)).collect();
        let mut view = View::of(system, dialect);
        if let Some(text) = &self.surface {
            let find = |name: &str| {
                let place = system.inputs.iter().position(|input| input.name.trim() == name.trim());
                place.ok_or_else(|| {
                    let names = names.join(",");
                    let problem = format!(
                        "names `{}`, which is no input; the inputs are {names}",
                        clipped(name.trim())
                    );
                    refused("--surface", problem)
                })
            };
            view.over = text.split(',').map(find).collect::<Result<Vec<usize>>>()?;
            let twice = view.over.len() == 2 && view.over[0] == view.over[1];
            if view.over.len() > 2 || twice {
                let found =
                    if twice { "one input twice".into() } else { counted(view.over.len() as u64, "input") };
                return Err(refused("--surface", format!("names {found}; name two, or one for a curve")));
            }
        }
        if let Some(name) = &self.output {
            let place = system.outputs.iter().position(|output| output.variable.name.trim() == name.trim());
            view.outputs = vec![place.ok_or_else(|| {
                let known: Vec<String> =
                    system.outputs.iter().map(|output| clipped(&output.variable.name)).collect();
                let problem = format!(
                    "names `{}`, which is no output; the outputs are {}",
                    clipped(name),
                    known.join(",")
                );
                refused("--output", problem)
            })?];
        }
        if let Some(text) = &self.at {
            view.at = inputs_at(text, system)?;
        }
        Ok(view)
    }
}
