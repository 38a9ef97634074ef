//! Settings for reading tables.

use super::format::Format;
use crate::data::csv::Separator;
use crate::data::tables::Precision;
use crate::device::Device;
use crate::macros::setters;
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
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("people.csv");
/// # std::fs::write(&path, "name;size\nann;1,5\nbob;2,25\n").unwrap();
/// use fuzzion::data::{ReadTable, Separator};
/// let settings = ReadTable::new().separator(Separator::Semicolon).decimal_comma(true).keep_text(true);
/// let table = settings.read(&path)?; // name;size / ann;1,5 / bob;2,25
/// assert_eq!(table.column("size")?, [1.5, 2.25]);
/// assert_eq!(table.label("name")?.get(0), Some("ann"));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
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
    /// Columns to read, in this order, if the table has all of them; otherwise all columns. Cells of other columns are not
    /// parsed.
    pub preferred_columns: Option<Vec<String>>,
    /// Columns to read as labels; the others must be numeric.
    pub labels: Vec<String>,
    /// Whether text columns are read as labels instead of causing an error.
    pub keep_text: bool,
    /// Whether all columns of a text file are read as labels, including numeric ones.
    pub all_text: bool,
    /// Whether the text of the rows is kept, for [`TableReader::records`](super::TableReader::records).
    pub keep_records: bool,
    /// Whether rows of text can be returned as soon as they arrive, for slow pipes, and waiting for a pipe can be interrupted
    /// ([`ReadTable::open`]); by default whole blocks are read first, which is faster.
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

    /// The selected columns of a table with the columns `available`; `None` for all.
    pub(crate) fn selected_columns(&self, available: &[String]) -> Option<&[String]> {
        let has_all =
            |names: &&Vec<String>| !names.is_empty() && names.iter().all(|name| available.contains(name));
        let preferred = || self.preferred_columns.as_ref().filter(has_all);
        self.columns.as_ref().or_else(preferred).map(Vec::as_slice)
    }

    /// Settings that read all columns as numbers and detect the rest.
    pub fn new() -> Self {
        ReadTable::default()
    }

    /// Sets [`ReadTable::columns`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("xyz.csv");
    /// # std::fs::write(&path, "x,y,z\n1,2,3\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let table = ReadTable::new().columns(["z", "x"]).read(&path)?; // x,y,z / 1,2,3
    /// assert_eq!(*table.to_f64(), [3.0, 1.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[must_use]
    pub fn columns<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.columns = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets [`ReadTable::preferred_columns`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("xyz.csv");
    /// # std::fs::write(&path, "x,y,z\n1,2,?\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let table = ReadTable::new().preferred_columns(["x"]).read(&path)?; // x,y,z / 1,2,?
    /// assert_eq!(table.names(), ["x"]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[must_use]
    pub fn preferred_columns<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.preferred_columns = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets [`ReadTable::labels`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("codes.csv");
    /// # std::fs::write(&path, "code,x\n7,1\n7,2\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let table = ReadTable::new().labels(["code"]).read(&path)?; // code,x / 7,1 / 7,2
    /// assert_eq!(table.names(), ["x"]);
    /// assert_eq!(table.label("code")?.classes(), ["7"]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[must_use]
    pub fn labels<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.labels = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets [`ReadTable::device`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("x.csv");
    /// # std::fs::write(&path, "x\n1\n2\n").unwrap();
    /// use fuzzion::{Device, data::ReadTable, device::Cpu};
    /// let device = Device::named("cpu", Cpu::with_threads(2)?)?; // parse with two threads
    /// assert_eq!(ReadTable::new().device(&device).read(&path)?.rows(), 2);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[must_use]
    pub fn device(mut self, device: &Device) -> Self {
        self.device = Some(device.clone());
        self
    }
}

setters! {
    ReadTable {
        some precision: Precision,
        some header: bool,
        some separator: Separator,
        some decimal_comma: bool,
        keep_text: bool,
        all_text: bool,
        keep_records: bool,
        live: bool,
        some format: Format,
    }
}
