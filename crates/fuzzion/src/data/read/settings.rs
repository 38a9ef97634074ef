//! Settings for reading tables.

use super::format::Format;
use crate::data::csv::Separator;
use crate::data::tables::Precision;
use crate::device::Device;
use crate::progress::Progress;

/// Settings for reading a table.
///
/// ```
/// # fn main() -> fuzzion::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("x.csv");
/// # std::fs::write(&path, "1;2;3\n4;5;6\n").unwrap();
/// use fuzzion::data::{Precision, ReadTable};
/// let table = ReadTable::new().precision(Precision::F32).header(false).columns(["c3", "c1"]).read(&path)?;
/// assert_eq!(*table.to_f32(), [3.0, 1.0, 6.0, 4.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReadTable {
    /// Precision of the values; by default that of the file, and double for text.
    pub precision: Option<Precision>,
    /// Whether the first line of a text file is a header; detected by default.
    pub header: Option<bool>,
    /// Field separator of a text file; detected by default.
    pub separator: Option<Separator>,
    /// Whether numbers have a decimal comma, as in `-1,5`; detected from the first lines by default.
    pub decimal_comma: Option<bool>,
    /// Columns to read, in this order; all by default.
    pub columns: Option<Vec<String>>,
    /// Columns to read as labels; the others must be numeric.
    pub labels: Vec<String>,
    /// Whether text columns are read as labels instead of causing an error.
    pub keep_text: bool,
    /// Whether all columns of a text file are read as labels, including numeric ones.
    pub all_text: bool,
    /// Whether rows of a text file are returned as soon as they arrive, for slow pipes; by default whole blocks are
    /// read first, which is faster.
    pub live: bool,
    /// File format; detected from the extension or the first bytes by default.
    pub format: Option<Format>,
    /// Device whose CPU threads parse text files and whose progress callback receives the number of bytes read;
    /// [`Device::cpu`] by default.
    pub device: Option<Device>,
}

impl ReadTable {
    /// The progress callback of the device.
    pub(crate) fn progress(&self) -> &Progress {
        const NONE: &Progress = &Progress::none();
        self.device.as_ref().map_or(NONE, Device::progress)
    }

    /// Settings that read all columns as numbers and detect the rest.
    pub fn new() -> Self {
        ReadTable::default()
    }

    /// Sets [`ReadTable::precision`].
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = Some(precision);
        self
    }

    /// Sets [`ReadTable::header`].
    #[must_use]
    pub fn header(mut self, header: bool) -> Self {
        self.header = Some(header);
        self
    }

    /// Sets [`ReadTable::separator`].
    #[must_use]
    pub fn separator(mut self, separator: Separator) -> Self {
        self.separator = Some(separator);
        self
    }

    /// Sets [`ReadTable::decimal_comma`].
    #[must_use]
    pub fn decimal_comma(mut self, decimal_comma: bool) -> Self {
        self.decimal_comma = Some(decimal_comma);
        self
    }

    /// Sets [`ReadTable::columns`].
    #[must_use]
    pub fn columns<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.columns = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets [`ReadTable::labels`].
    #[must_use]
    pub fn labels<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.labels = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets [`ReadTable::keep_text`].
    #[must_use]
    pub fn keep_text(mut self, keep_text: bool) -> Self {
        self.keep_text = keep_text;
        self
    }

    /// Sets [`ReadTable::live`].
    #[must_use]
    pub fn live(mut self, live: bool) -> Self {
        self.live = live;
        self
    }

    /// Sets [`ReadTable::all_text`].
    #[must_use]
    pub fn all_text(mut self, all_text: bool) -> Self {
        self.all_text = all_text;
        self
    }

    /// Sets [`ReadTable::format`].
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets [`ReadTable::device`].
    #[must_use]
    pub fn device(mut self, device: &Device) -> Self {
        self.device = Some(device.clone());
        self
    }
}
