//! Columns of text: names of classes, one for each row.

use crate::error::{Error, Result};
use std::collections::HashMap;
use std::ops::Range;

/// A column of text beside a table's numbers, such as the class of each row.
///
/// Each distinct text is stored once; a row holds its number in [`Labels::classes`], which are in the order of
/// first appearance.
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
    classes: Vec<String>,
    codes: Vec<u32>,
    /// The number of each class; empty until a row is added.
    index: HashMap<Box<[u8]>, u32>,
    /// How many columns of numbers stand before this one in its file.
    pub(crate) before: usize,
}

/// Two label columns are equal when their names and their texts are.
impl PartialEq for Labels {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.codes.len() == other.codes.len() && self.iter().eq(other.iter())
    }
}

impl Labels {
    /// A label column called `name`.
    pub fn new<S: AsRef<str>>(name: impl Into<String>, texts: impl IntoIterator<Item = S>) -> Self {
        let mut labels = Labels::empty(name.into(), usize::MAX);
        texts.into_iter().for_each(|text| labels.push(text.as_ref().as_bytes()));
        labels
    }

    /// A label column without rows that stands after `before` columns of numbers.
    pub(crate) fn empty(name: String, before: usize) -> Self {
        Labels { name, before, ..Labels::default() }
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The distinct texts, in the order of their first appearance.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// For each row, the place of its text in [`Labels::classes`].
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.codes.len()
    }

    /// The text of a row, if there is such a row.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.codes.get(row).map(|code| self.classes[*code as usize].as_str())
    }

    /// The text of every row.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.codes.iter().map(|code| self.classes[*code as usize].as_str())
    }

    /// Adds a row; bytes that are no UTF-8 become the replacement character.
    pub(crate) fn push(&mut self, text: &[u8]) {
        let code = self.code(text);
        self.codes.push(code);
    }

    fn code(&mut self, text: &[u8]) -> u32 {
        if self.index.len() < self.classes.len() {
            let numbered = self.classes.iter().zip(0..);
            self.index = numbered.map(|(class, code)| (class.as_bytes().into(), code)).collect();
        }
        if let Some(code) = self.index.get(text) {
            return *code;
        }
        // 2³² distinct texts would take more memory than their table; the last number then stands for the rest.
        let code = u32::try_from(self.classes.len()).unwrap_or(u32::MAX);
        self.classes.push(String::from_utf8_lossy(text).into_owned());
        self.index.insert(text.into(), code);
        code
    }

    /// Adds the rows of `other` after these.
    pub(crate) fn append(&mut self, other: &Labels) {
        let translated: Vec<u32> = other.classes.iter().map(|text| self.code(text.as_bytes())).collect();
        self.codes.extend(other.codes.iter().map(|code| translated[*code as usize]));
    }

    /// Some of the rows; all classes are kept, under the same numbers.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Labels {
        let codes = self.codes.get(rows).unwrap_or_default().to_vec();
        let (name, classes) = (self.name.clone(), self.classes.clone());
        Labels { name, classes, codes, index: HashMap::new(), before: self.before }
    }

    /// The same column, standing after `before` columns of numbers.
    pub(crate) fn after(mut self, before: usize) -> Self {
        self.before = before;
        self
    }

    /// Forgets the rows, but not the classes.
    pub(crate) fn clear(&mut self) {
        self.codes.clear();
    }

    /// Forgets the first `rows` rows, but not the classes.
    pub(crate) fn drop_front(&mut self, rows: usize) {
        self.codes.drain(..rows.min(self.codes.len()));
    }

    /// Fails unless there is one label for each of `rows` rows.
    pub(crate) fn require_rows(&self, rows: usize) -> Result<()> {
        if self.rows() == rows {
            return Ok(());
        }
        Err(Error::LabelRows { name: self.name.clone(), found: self.rows(), rows })
    }
}
