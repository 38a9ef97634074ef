//! `fuzzion show`

mod charts;
mod describe;
mod page;

use crate::commands::common::files::create_folder;
use crate::commands::common::paths::{JSON_AND_STANDARD_OUTPUT, is_same, wrong_extension};
use crate::commands::common::standalone::parse_args;
use crate::commands::common::system_args::{SystemArgs, inputs_at};
use crate::console::{self, Console};
use crate::format::{count_of, display_path, ellipsize, format_number, quoted_list};
use charts::{Charts, View};
use fuzzion::data::output::AtomicFile;
use fuzzion::inference::InferenceError;
use fuzzion::inference::{Dialect, System};
use fuzzion::{Device, Error, Result};
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Describe a fuzzy system: variables, sets and rules, as text or as an HTML page with charts
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("charts").multiple(true).args(["html", "svg"]),
    after_help = "Without options, prints the system as text. Reads .fll, .fis, .fcl and .json.

Examples:
  fuzzion show tipper.fll                                                 print variables, sets and rules
  fuzzion show tipper.fll --html tipper.html                              write a page with sets, rules, a surface and an example
  fuzzion show dimmer.fll --svg charts                                    write each chart to its own file
  fuzzion show plant.fis --html p.html --surface error,rate --at load=3   plot the surface over two inputs, with load fixed"
)]
pub(crate) struct Show {
    #[command(flatten)]
    system: SystemArgs,
    /// Write a self-contained HTML page with charts
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Write each chart as an SVG file to this folder (created if needed)
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Inputs to plot: two for a surface, or one for a curve [default: the first two inputs]
    #[arg(long, value_name = "X,Y", requires = "charts")]
    surface: Option<String>,
    /// Output to plot [default: all outputs]
    #[arg(long, value_name = "NAME", requires = "charts")]
    output: Option<String>,
    /// Values of the fixed inputs, as name=value,… [default: the middle of each range]
    #[arg(long, value_name = "NAME=V,…", requires = "charts", allow_hyphen_values = true)]
    at: Option<String>,
}

impl Show {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        let to_console = self.html.as_deref() == Some(Path::new("-"));
        if console.json() && to_console {
            console::print_error(JSON_AND_STANDARD_OUTPUT);
            return Ok(ExitCode::from(2));
        }
        let page = self.html.as_deref().filter(|path| !is_same(path, &self.system.file));
        if let Some(message) = wrong_extension("--html", page, &["html"]) {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        if let Some(message) = self.fixed_input_of_surface() {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let output = self.execute(device, console)?;
        if !to_console {
            let only_files = self.html.is_some() || self.svg.is_some();
            if only_files && !console.json() {
                console.print_written(&output)?
            } else {
                console.print(&output)?
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The error message for a value in `--at` of an input in `--surface`.
    fn fixed_input_of_surface(&self) -> Option<String> {
        let (surface, at) = (self.surface.as_deref()?, self.at.as_deref()?);
        let fixed = || at.split(',').filter_map(|part| part.rsplit_once('=')).map(|(name, _)| name.trim());
        let name = surface.split(',').map(str::trim).find(|name| fixed().any(|fixed| fixed == *name))?;
        let name = ellipsize(name);
        Some(format!("`--at` fixes `{name}`, over which `--surface` plots; remove it from one of them"))
    }

    /// Runs `fuzzion show` with `args` and returns its printed output.
    pub(crate) fn output_of(args: &[&str], device: &Device) -> Result<String> {
        parse_args::<Show>("fuzzion show", args)?.execute(device, &Console::new(false, true))
    }

    /// Writes the output files and returns the printed output.
    fn execute(&self, device: &Device, console: &Console) -> Result<String> {
        let bar = console.bar("drawing");
        let (system, dialect) = self.system.load()?;
        let written = self.write(&system, dialect, &bar.watch(device))?;
        if console.json() {
            let mut value = describe::as_json(&system, dialect);
            if !written.is_empty() {
                value["files"] = json!(written);
            }
            return Ok(value.to_string());
        }
        if written.is_empty() {
            return Ok(describe::text(&system, dialect));
        }
        let names: Vec<String> = written.iter().map(|path| display_path(path)).collect();
        Ok(format!("wrote {}", names.join(", ")))
    }

    /// Writes the page and the charts; returns their paths.
    fn write(&self, system: &System, dialect: Dialect, device: &Device) -> Result<Vec<PathBuf>> {
        if self.html.is_none() && self.svg.is_none() {
            return Ok(Vec::new());
        }
        if let Some(path) = self.html.as_ref().filter(|path| is_same(path, &self.system.file)) {
            let problem = "is the input file; choose a different path for the page".into();
            return Err(Error::Inference(InferenceError::InvalidSystem {
                location: format!("`{}`", display_path(path)),
                problem,
            }));
        }
        let view = self.view(system, dialect)?;
        // Created before the charts, so that an unwritable path is reported early.
        let html = self.html.as_ref().map(AtomicFile::create).transpose()?;
        if let Some(folder) = &self.svg {
            create_folder(folder)?;
        }
        let charts = Charts::draw(system, &view, device)?;
        let mut files = Vec::new();
        let mut paths = Vec::new();
        if let (Some(mut out), Some(path)) = (html, &self.html) {
            let page = page::page(system, &view, &charts, &self.system)?.to_html();
            out.write_all(page.as_bytes()).map_err(|cause| out.error(cause))?;
            files.push(out);
            paths.push(path.clone());
        }
        if let Some(folder) = &self.svg {
            for named in charts.all() {
                let path = folder.join(named.file_name());
                let mut out = AtomicFile::create(&path)?;
                out.write_all(named.chart.to_svg().as_bytes()).map_err(|cause| out.error(cause))?;
                files.push(out);
                paths.push(path);
            }
        }
        files.into_iter().try_for_each(AtomicFile::finish)?;
        Ok(paths)
    }

    /// The view selected by `--surface`, `--output` and `--at`.
    fn view(&self, system: &System, dialect: Dialect) -> Result<View> {
        let invalid = |flag: &str, problem: String| {
            Error::Inference(InferenceError::InvalidSystem { location: format!("`{flag}`"), problem })
        };
        let names: Vec<String> = system.inputs.iter().map(|input| ellipsize(&input.name)).collect();
        let mut view = View::of(system, dialect);
        if let Some(text) = &self.surface {
            let find = |name: &str| {
                let index = system.inputs.iter().position(|input| input.name.trim() == name.trim());
                index.ok_or_else(|| {
                    let (name, known) = (ellipsize(name.trim()), quoted_list(&names));
                    invalid(
                        "--surface",
                        format!("names the unknown input `{name}`; available inputs: {known}"),
                    )
                })
            };
            view.over = text.split(',').map(find).collect::<Result<Vec<usize>>>()?;
            let twice = view.over.len() == 2 && view.over[0] == view.over[1];
            if view.over.len() > 2 || twice {
                let found = match twice {
                    true => format!("names `{}` twice", names[view.over[0]]),
                    false => format!("names {}", count_of(view.over.len() as u64, "input")),
                };
                let problem = format!("{found}; expected two different inputs, or one for a curve");
                return Err(invalid("--surface", problem));
            }
        }
        if let Some(name) = &self.output {
            let index = system.outputs.iter().position(|output| output.variable.name.trim() == name.trim());
            view.outputs = vec![index.ok_or_else(|| {
                let known: Vec<String> =
                    system.outputs.iter().map(|output| ellipsize(&output.variable.name)).collect();
                let (name, known) = (ellipsize(name), quoted_list(&known));
                invalid("--output", format!("names the unknown output `{name}`; available outputs: {known}"))
            })?];
        }
        if let Some(text) = &self.at {
            view.at = inputs_at(text, system)?;
            warn_about_ranges(system, &view.at);
        }
        Ok(view)
    }
}

/// Warns about the values of fixed inputs that are outside of their range.
fn warn_about_ranges(system: &System, at: &[Option<f64>]) {
    for (input, value) in system.inputs.iter().zip(at) {
        if let Some(value) = value.filter(|value| *value < input.minimum || *value > input.maximum) {
            let [value, low, high] = [value, input.minimum, input.maximum].map(format_number);
            let name = ellipsize(&input.name);
            console::print_warning(&format!(
                "`{name}` is {value}, outside its range {low} to {high}; check the unit"
            ));
        }
    }
}
