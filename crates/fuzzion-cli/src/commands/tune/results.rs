//! What is written: begun before the work, so that a place that cannot be written to is said at once, and given its name
//! after it, all together.

use super::{Told, page};
use crate::commands::learning::Written;
use crate::commands::words::shown;
use fuzzion::data::output::Output;
use fuzzion::inference::{System, SystemFormat};
use fuzzion::{Device, Error, Result};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where results go, and what else is told.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Results")]
pub(super) struct ResultWords {
    /// Write the system: .fll (fuzzylite), .fis (MATLAB; order 0 and 1) or .json
    #[arg(long, value_name = "OUT")]
    model: Option<PathBuf>,
    /// Write a page of pictures: sets before and after, the error, what is left of it, rules
    #[arg(long, value_name = "OUT.html")]
    plot: Option<PathBuf>,
    /// Make one of sets that have so much in common, above 0 and below 1 (0.8 is a good start), and learn the consequents anew
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) merge: Option<f64>,
    /// Leave out rules with less than this share of the say (0.001 is a good start), and learn the consequents anew
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) prune: Option<f64>,
    /// Tell how much the error grows when an input's column is shuffled
    #[arg(long)]
    pub(super) importance: bool,
}

impl ResultWords {
    /// The files that are written.
    pub(super) fn written(&self) -> Written<'_> {
        Written { model: self.model.as_deref(), plot: self.plot.as_deref() }
    }

    /// The format of the system's file.
    pub(super) fn format(&self) -> Option<SystemFormat> {
        self.model.as_ref().and_then(SystemFormat::of_name)
    }

    /// What is wrong with these words together, in one sentence.
    pub(super) fn complaint(&self, read: &[&Path], json: bool, order: usize, auto: bool) -> Option<String> {
        match self.model.as_ref().map(|path| (path, self.format())) {
            Some((_, Some(SystemFormat::Fis))) if order > 1 && !auto => {
                return Some(
                    "`.fis` holds consequents of order 0 and 1 alone; write `.fll` or `.json`".into(),
                );
            }
            Some((_, Some(SystemFormat::Fll | SystemFormat::Fis | SystemFormat::Json))) | None => {}
            Some((path, _)) => {
                let name = shown(path);
                return Some(format!(
                    "`--model {name}` is no kind of system; name a `.fll`, `.fis` or `.json`"
                ));
            }
        }
        if let Some(sentence) = self.written().complaint(read, json) {
            return Some(sentence);
        }
        if let Some(share) = self.prune.filter(|share| !(0.0..1.0).contains(share)) {
            return Some(format!("`--prune {share}` is no share of the say; give one from 0 to below 1"));
        }
        None
    }
}

/// What is being written.
pub(super) struct Results {
    model: Option<(Output, SystemFormat)>,
    plot: Option<Output>,
}

impl Results {
    pub(super) fn create(words: &ResultWords) -> Result<Self> {
        let model = words.model.as_ref().map(|path| {
            let format = SystemFormat::of_name(path).unwrap_or(SystemFormat::Json);
            Ok::<_, Error>((Output::create(path)?, format))
        });
        Ok(Results { model: model.transpose()?, plot: words.plot.as_ref().map(Output::create).transpose()? })
    }

    pub(super) fn write(&mut self, told: &Told<'_>, device: &Device) -> Result<()> {
        if let Some((out, format)) = &mut self.model {
            let text = text(&told.tuned.system, *format)?;
            out.write_all(text.as_bytes()).map_err(|cause| out.error(cause))?;
        }
        if let Some(out) = &mut self.plot {
            let page = page::page(told, device)?.to_html();
            out.write_all(page.as_bytes()).map_err(|cause| out.error(cause))?;
        }
        Ok(())
    }

    /// Gives all files their names.
    pub(super) fn finish(self) -> Result<()> {
        let model = self.model.map(|(out, _)| out);
        [self.plot, model].into_iter().flatten().try_for_each(Output::finish)
    }
}

fn text(system: &System, format: SystemFormat) -> Result<String> {
    match format {
        SystemFormat::Fll => system.to_fll(),
        SystemFormat::Fis => system.to_fis(),
        _ => Ok(system.to_json()? + "\n"),
    }
}
