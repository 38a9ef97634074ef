//! `fuzzion export`

use crate::commands::common::files::write_file;
use crate::commands::common::names::names;
use crate::commands::common::paths::{is_same, same_file, wrong_extension};
use crate::commands::common::system_args::SystemArgs;
use crate::console::{self, Console};
use crate::format::{count_of, display_path};
use fuzzion::data::Precision;
use fuzzion::inference::Language;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Export a fuzzy system as a standalone source file that computes identical results
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion export tipper.fis --to c --out tipper.c        void tipper_infer(const double *inputs, double *outputs)
  fuzzion export tipper.fll --to rust                    pub fn infer(inputs: &[f64; 2]) -> [f64; 1]
  fuzzion export tipper.fll --to cuda --precision f32    a device function, and a kernel that processes many rows")]
pub(crate) struct Export {
    #[command(flatten)]
    system: SystemArgs,
    /// Language: rust, c or cuda
    #[arg(long, value_name = "LANGUAGE")]
    #[arg(value_parser = names::<Language>(Language::ALL.map(|value| value.name())), hide_possible_values = true)]
    to: Language,
    /// Output file [default: standard output]
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Number of samples of the output ranges for defuzzification [default: set by the file, or else by the dialect]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    samples: Option<u32>,
    /// Centroid method: sampled, or exact (closed form, for piecewise linear sets)
    #[arg(long, value_name = "METHOD", value_parser = ["sampled", "exact"], default_value = "sampled", hide_possible_values = true)]
    centroid: String,
    /// Floating-point type of the exported code: f64, or f32 (cuda only)
    #[arg(long, value_name = "TYPE", default_value = "f64", value_parser = ["f32", "f64"], hide_possible_values = true)]
    precision: String,
}

impl Export {
    pub(crate) fn run(&self, console: &Console) -> fuzzion::Result<ExitCode> {
        let out = self.out.as_deref().filter(|out| *out != Path::new("-"));
        if out.is_some_and(|out| is_same(out, &self.system.file)) {
            console::print_error(&same_file(&self.system.file));
            return Ok(ExitCode::from(2));
        }
        let expected: &[&str] = match self.to {
            Language::C => &["c", "h"],
            Language::Cuda => &["cu", "cuh"],
            _ => &["rs"],
        };
        if let Some(message) = wrong_extension("--out", out, expected) {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let (mut system, dialect) = self.system.load()?;
        if let Some(samples) = self.samples {
            for output in &mut system.outputs {
                output.defuzzifier = output.defuzzifier.with_samples(Some(samples as usize));
            }
        }
        let precision = if self.precision == "f32" { Precision::F32 } else { Precision::F64 };
        let plan = match self.centroid.as_str() {
            "exact" => system.compile_exact(dialect, precision)?,
            _ => system.compile(dialect, precision)?,
        };
        let text = plan.export(self.to)?;
        if let Some(out) = out {
            write_file(out, text.as_bytes())?;
        }
        if console.json() {
            console.print_json(&json!({
                "system": system.name,
                "language": self.to.name(),
                "dialect": dialect.name(),
                "precision": self.precision,
                "centroid": self.centroid,
                "inputs": system.inputs.iter().map(|input| &input.name).collect::<Vec<_>>(),
                "outputs": system.outputs.iter().map(|output| &output.variable.name).collect::<Vec<_>>(),
                "out": out.map(|out| out.to_string_lossy()),
                "text": if out.is_none() { Some(&text) } else { None },
            }))?;
            return Ok(ExitCode::SUCCESS);
        }
        match out {
            None => console.print(&text)?,
            Some(out) => {
                let lines = count_of(text.lines().count() as u64, "line");
                let from = display_path(&self.system.file);
                let (language, out) = (self.to.name(), display_path(out));
                console.print_written(&format!("{from}: wrote {lines} of {language} to {out}"))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
