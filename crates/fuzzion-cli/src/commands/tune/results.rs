//! The output files. They are created before the fit, so that an unwritable path is reported early, and renamed to
//! their final names after it, all together.

use super::fitted::Fitted;
use super::outputs::OutputArgs;
use super::page;
use crate::console;
use fuzzion::data::output::AtomicFile;
use fuzzion::inference::{System, SystemFormat};
use fuzzion::tuning::TunedSystem;
use fuzzion::{Device, Error, Result};
use std::io::Write as _;

/// Output files that are being written.
pub(super) struct Results {
    model: Option<(AtomicFile, SystemFormat)>,
    plot: Option<AtomicFile>,
}

impl Results {
    pub(super) fn create(args: &OutputArgs) -> Result<Self> {
        let model = args.model.as_ref().map(|path| {
            let format = args.format().expect("invariant: the extension was checked with the arguments");
            Ok::<_, Error>((AtomicFile::create(path)?, format))
        });
        Ok(Results {
            model: model.transpose()?,
            plot: args.plot.as_ref().map(AtomicFile::create).transpose()?,
        })
    }

    pub(super) fn write(&mut self, fitted: &Fitted<'_>, device: &Device) -> Result<()> {
        if let Some((out, format)) = &mut self.model {
            let text = text(&fitted.tuned, *format)?;
            out.write_all(text.as_bytes()).map_err(|cause| out.error(cause))?;
        }
        if let Some(out) = &mut self.plot {
            let page = page::page(fitted, device)?.to_html();
            out.write_all(page.as_bytes()).map_err(|cause| out.error(cause))?;
        }
        Ok(())
    }

    /// Renames all files to their final names.
    pub(super) fn finish(self) -> Result<()> {
        let model = self.model.map(|(out, _)| out);
        Ok([self.plot, model].into_iter().flatten().try_for_each(AtomicFile::finish)?)
    }
}

fn text(tuned: &TunedSystem, format: SystemFormat) -> Result<String> {
    match format {
        SystemFormat::Fll => Ok(tuned.system.to_fll()?),
        SystemFormat::Fis => fis(tuned.system.clone()),
        _ => Ok(tuned.to_json()? + "\n"),
    }
}

/// The text of a .fis file, which cannot contain bounds of the outputs.
fn fis(mut system: System) -> Result<String> {
    if system.outputs.iter().any(|output| output.variable.lock_range) {
        console::print_error(
            "warning: `.fis` files cannot bound outputs to the range of the target, so that predictions outside of the training \
             data can leave it; `.fll` and `.json` files can",
        );
    }
    system.outputs.iter_mut().for_each(|output| output.variable.lock_range = false);
    Ok(system.to_fis()?)
}
