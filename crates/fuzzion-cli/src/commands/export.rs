//! `fuzzion export`

use super::paths::is_same;
use super::systems::SystemWords;
use super::words::{counted, shown};
use crate::console::{self, Console};
use fuzzion::Error;
use fuzzion::data::Precision;
use fuzzion::inference::Language;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write a fuzzy system as one source file that needs nothing and computes the same numbers
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion export tipper.fis --to c --out tipper.c        void tipper_infer(const double *inputs, double *outputs)
  fuzzion export tipper.fll --to rust                    pub fn infer(inputs: &[f64; 2]) -> [f64; 1]
  fuzzion export tipper.fll --to cuda --precision f32    a device function and a kernel over rows")]
pub(crate) struct Export {
    #[command(flatten)]
    system: SystemWords,
    /// The language: rust, c or cuda
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    to: Language,
    /// The file to write (default: standard output)
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Samples of every output's range (default: what the file says, else the dialect's)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    samples: Option<u32>,
    /// How centroids are found: over samples, or in closed form for sets of straight lines
    #[arg(long, value_name = "HOW", value_parser = ["sampled", "exact"], default_value = "sampled")]
    centroid: String,
    /// The numbers of the written text: f32 (for cuda) or f64
    #[arg(long, default_value = "f64", value_parser = ["f32", "f64"], hide_possible_values = true)]
    precision: String,
}

fn language(word: &str) -> Result<Language, String> {
    let names = Language::ALL.map(Language::name).join(", ");
    Language::from_name(word).ok_or_else(|| format!("use one of {names}"))
}

impl Export {
    pub(crate) fn run(&self, console: &Console) -> fuzzion::Result<ExitCode> {
        let out = self.out.as_deref().filter(|out| *out != Path::new("-"));
        if out.is_some_and(|out| is_same(out, &self.system.file)) {
            let file = shown(&self.system.file);
            console::complain(&format!("`{file}` is the file to read; name another one to write"));
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
            let failed = |cause| Error::File { doing: "write", path: out.into(), cause };
            std::fs::write(out, &text).map_err(failed)?;
        }
        if console.json() {
            console.say_json(&json!({
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
            None => console.say(&text)?,
            Some(out) => {
                let lines = counted(text.lines().count() as u64, "line");
                let from = shown(&self.system.file);
                console.say(&format!("{from}: {lines} of {} written to {}", self.to.name(), shown(out)))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
