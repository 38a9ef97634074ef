//! The output files. They are created before the fit, so that an unwritable path is reported early, and renamed to
//! their final names after it, all together.

use super::fitted::Fitted;
use super::outputs::OutputArgs;
use super::page;
use fuzzion::data::output::AtomicFile;
use fuzzion::inference::{System, SystemFormat};
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
            let text = text(&fitted.tuned.system, *format)?;
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

fn text(system: &System, format: SystemFormat) -> Result<String> {
    match format {
        SystemFormat::Fll => Ok(system.to_fll()?),
        SystemFormat::Fis => Ok(system.to_fis()?),
        _ => Ok(system.to_json()? + "\n"),
    }
}
