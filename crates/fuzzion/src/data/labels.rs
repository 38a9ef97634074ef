//! Columns of text: names of classes, one for each row.

use crate::error::{Error, Result};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::Arc;

/// A column of text beside a table's numbers, such as the class of each row.
///
/// Each distinct text is stored once; a row holds its number in [`Labels::classes`], which are in the order of
/// first appearance. An empty text is a missing one: it is no class, and its row holds [`Labels::MISSING`].
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
    /// Shared with the pieces cut from this column, so that cutting copies no text.
    classes: Arc<Vec<String>>,
    codes: Vec<u32>,
    /// Finds a class by its text; empty until a row is added.
    index: Index,
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
    /// The code of a row whose text is missing.
    pub const MISSING: u32 = u32::MAX;

    /// A label column called `name`.
    pub fn new<S: AsRef<str>>(name: impl Into<String>, texts: impl IntoIterator<Item = S>) -> Self {
        let mut labels = Labels::empty(name.into(), usize::MAX);
        texts.into_iter().for_each(|text| labels.push(text.as_ref()));
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

    /// For each row, the place of its text in [`Labels::classes`], or [`Labels::MISSING`].
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.codes.len()
    }

    /// How many rows have no text.
    pub fn missing(&self) -> usize {
        self.codes.iter().filter(|code| **code == Labels::MISSING).count()
    }

    /// The text of a row, if there is such a row and it is not missing.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.codes.get(row).and_then(|code| self.classes.get(*code as usize)).map(String::as_str)
    }

    /// The text of every row; a missing one is empty.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.codes.iter().map(|code| self.classes.get(*code as usize).map_or("", String::as_str))
    }

    /// How many columns of numbers stand before this one in its file; `usize::MAX` where it came from none.
    pub fn before(&self) -> usize {
        self.before
    }

    /// Adds a row; an empty text is a missing one.
    pub(crate) fn push(&mut self, text: &str) {
        let code = if text.is_empty() { Labels::MISSING } else { self.code(text) };
        self.codes.push(code);
    }

    fn code(&mut self, text: &str) -> u32 {
        self.index.make_room(&self.classes);
        match self.index.find(text, &self.classes) {
            Ok(code) => code,
            Err(slot) => {
                // 2³² − 1 distinct texts would take more memory than their table: the number never reaches MISSING.
                let code = self.classes.len() as u32;
                self.index.slots[slot] = code;
                Arc::make_mut(&mut self.classes).push(text.to_owned());
                code
            }
        }
    }

    /// Adds the rows of `other` after these.
    pub(crate) fn append(&mut self, other: &Labels) {
        let translated: Vec<u32> = other.classes.iter().map(|text| self.code(text)).collect();
        let translate = |code: &u32| translated.get(*code as usize).copied().unwrap_or(Labels::MISSING);
        self.codes.extend(other.codes.iter().map(translate));
    }

    /// Some of the rows; all classes are kept, under the same numbers.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Labels {
        let codes = self.codes.get(rows).unwrap_or_default().to_vec();
        let (name, classes) = (self.name.clone(), Arc::clone(&self.classes));
        Labels { name, classes, codes, index: Index::default(), before: self.before }
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

/// A hash table of class numbers alone: the texts lie in the list of classes, so that none is stored twice.
#[derive(Clone, Debug, Default)]
struct Index {
    /// A power of two of places, at most half of them taken; a free one holds [`Labels::MISSING`].
    slots: Vec<u32>,
    hasher: RandomState,
}

impl Index {
    /// The number of `text`, or the place where it belongs.
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

    /// Makes sure that `classes` and one more have their places.
    fn make_room(&mut self, classes: &[String]) {
        let wanted = (2 * (classes.len() + 1)).next_power_of_two().max(16);
        if self.slots.len() >= wanted {
            return;
        }
        self.slots = vec![Labels::MISSING; 2 * wanted];
        for (class, code) in classes.iter().zip(0..) {
            if let Err(slot) = self.find(class, classes) {
                self.slots[slot] = code;
            }
        }
    }
}
