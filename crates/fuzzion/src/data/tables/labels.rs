//! Label columns: one string per row, encoded as categories.

use crate::data::error::{DataError, Result};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::Arc;

/// A text column of a table, such as the class of each row.
///
/// Each distinct label is stored once, as in a categorical column: a row stores the index of its label in
/// [`Labels::classes`], which lists the labels in order of first appearance. An empty label is a missing value: it is
/// not a class, and its row has the code [`Labels::MISSING`].
///
/// ```
/// use fuzzion::data::Labels;
/// let kind = Labels::new("kind", ["oak", "elm", "oak"]);
/// assert_eq!(kind.classes(), ["oak", "elm"]);
/// assert_eq!(kind.codes(), [0, 1, 0]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Labels {
    name: String,
    /// Shared with slices of this column, so that slicing copies no strings.
    classes: Arc<Vec<String>>,
    codes: Vec<u32>,
    /// Maps labels to codes; empty until a row is added.
    index: Index,
    /// Number of numeric columns before this column in the file.
    pub(crate) columns_before: usize,
}

/// Label columns are equal if their names and labels are equal.
impl PartialEq for Labels {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.codes.len() == other.codes.len() && self.iter().eq(other.iter())
    }
}

impl Labels {
    /// Code of a missing label.
    pub const MISSING: u32 = u32::MAX;

    /// A label column with one label per row.
    ///
    /// ```
    /// use fuzzion::data::Labels;
    /// let kind = Labels::new("kind", ["oak", "", "oak"]);
    /// assert_eq!((kind.name(), kind.rows(), kind.missing()), ("kind", 3, 1));
    /// assert_eq!(kind.codes(), [0, Labels::MISSING, 0]);
    /// ```
    pub fn new<S: AsRef<str>>(name: impl Into<String>, texts: impl IntoIterator<Item = S>) -> Self {
        let mut labels = Labels::empty(name.into(), usize::MAX);
        texts.into_iter().for_each(|text| labels.push(text.as_ref()));
        labels
    }

    /// A label column without rows, after `columns_before` numeric columns.
    pub(crate) fn empty(name: String, columns_before: usize) -> Self {
        Labels { name, columns_before, ..Labels::default() }
    }

    /// Column name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Distinct labels, in order of first appearance.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Index into [`Labels::classes`] for each row, or [`Labels::MISSING`].
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.codes.len()
    }

    /// Number of rows without a label.
    pub fn missing(&self) -> usize {
        self.codes.iter().filter(|code| **code == Labels::MISSING).count()
    }

    /// Label of a row; `None` if the row does not exist or its label is missing.
    ///
    /// ```
    /// let kind = fuzzion::data::Labels::new("kind", ["oak", ""]);
    /// assert_eq!((kind.get(0), kind.get(1), kind.get(2)), (Some("oak"), None, None));
    /// ```
    pub fn get(&self, row: usize) -> Option<&str> {
        self.codes.get(row).and_then(|code| self.classes.get(*code as usize)).map(String::as_str)
    }

    /// Labels of all rows; a missing label is empty.
    ///
    /// ```
    /// let kind = fuzzion::data::Labels::new("kind", ["oak", "", "elm"]);
    /// assert!(kind.iter().eq(["oak", "", "elm"]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.codes.iter().map(|code| self.classes.get(*code as usize).map_or("", String::as_str))
    }

    /// Number of numeric columns before this column in its file; `usize::MAX` if it was not read from a file.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("trees.csv");
    /// # std::fs::write(&path, "height,kind,width\n12,oak,1\n").unwrap();
    /// use fuzzion::data::ReadTable;
    /// let table = ReadTable::new().labels(["kind"]).read(&path)?; // height,kind,width / 12,oak,1
    /// assert_eq!(table.label("kind")?.columns_before(), 1);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn columns_before(&self) -> usize {
        self.columns_before
    }

    /// Adds a row; an empty label is missing.
    pub(crate) fn push(&mut self, text: &str) {
        let code = if text.is_empty() { Labels::MISSING } else { self.code(text) };
        self.codes.push(code);
    }

    fn code(&mut self, text: &str) -> u32 {
        self.index.reserve_one(&self.classes);
        match self.index.find(text, &self.classes) {
            Ok(code) => code,
            Err(slot) => {
                // 2³² − 1 distinct strings do not fit in memory, so the code never equals MISSING.
                let code = self.classes.len() as u32;
                self.index.slots[slot] = code;
                Arc::make_mut(&mut self.classes).push(text.to_owned());
                code
            }
        }
    }

    /// Appends the rows of `other`.
    pub(crate) fn append(&mut self, other: &Labels) {
        let new_codes: Vec<u32> = other.classes.iter().map(|text| self.code(text)).collect();
        let translate = |code: &u32| new_codes.get(*code as usize).copied().unwrap_or(Labels::MISSING);
        self.codes.extend(other.codes.iter().map(translate));
    }

    /// A range of rows, with the same classes and codes.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Labels {
        let codes = self.codes.get(rows).unwrap_or_default().to_vec();
        let (name, classes) = (self.name.clone(), Arc::clone(&self.classes));
        Labels { name, classes, codes, index: Index::default(), columns_before: self.columns_before }
    }

    /// Sets the number of numeric columns before this column.
    pub(crate) fn with_columns_before(mut self, columns_before: usize) -> Self {
        self.columns_before = columns_before;
        self
    }

    /// Removes all rows, but keeps the classes.
    pub(crate) fn clear(&mut self) {
        self.codes.clear();
    }

    /// Removes the first `rows` rows, but keeps the classes.
    pub(crate) fn drop_front(&mut self, rows: usize) {
        self.codes.drain(..rows.min(self.codes.len()));
    }

    /// Fails unless the column has `rows` rows.
    pub(crate) fn require_rows(&self, rows: usize) -> Result<()> {
        if self.rows() == rows {
            return Ok(());
        }
        Err(DataError::LabelRows { name: self.name.clone(), found: self.rows(), rows })
    }
}

/// Hash table of class codes with open addressing; the labels are stored only in the list of classes.
#[derive(Clone, Debug, Default)]
struct Index {
    /// Power-of-two size, at most half occupied; a free slot is [`Labels::MISSING`].
    slots: Vec<u32>,
    hasher: RandomState,
}

impl Index {
    /// Code of `text`, or the free slot for it.
    fn find(&self, text: &str, classes: &[String]) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = self.hasher.hash_one(text) as usize & mask;
        loop {
            match self.slots[slot] {
                Labels::MISSING => return Err(slot),
                code if classes.get(code as usize).is_some_and(|class| class == text) => return Ok(code),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Ensures that there are enough slots for `classes` and one more class.
    fn reserve_one(&mut self, classes: &[String]) {
        let needed = (2 * (classes.len() + 1)).next_power_of_two().max(16);
        if self.slots.len() >= needed {
            return;
        }
        self.slots = vec![Labels::MISSING; 2 * needed];
        for (class, code) in classes.iter().zip(0..) {
            if let Err(slot) = self.find(class, classes) {
                self.slots[slot] = code;
            }
        }
    }
}
