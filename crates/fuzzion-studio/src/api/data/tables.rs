//! The tables that are open.

use super::clusters::Clusters;
use super::column::Column;
use crate::api::ApiError;
use crate::api::jobs::lock;
use fuzzion::data::Precision;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// Maximum number of tables that are kept; with one more, the table that was not used for the longest time is dropped.
const MAX_TABLES: usize = 4;

/// Maximum number of values of a table, and of the results for its rows; they need 1 GiB of memory.
pub(super) const MAX_VALUES: usize = 1 << 27;

/// The tables that are open, under their numbers.
#[derive(Default)]
pub(crate) struct Tables(Mutex<List>);

#[derive(Default)]
struct List {
    next: u64,
    /// The last used one at the end.
    tables: Vec<(u64, Arc<OpenTable>)>,
}

/// A table and the results for its rows.
pub(super) struct OpenTable {
    pub(super) name: String,
    pub(super) rows: usize,
    /// Precision of the file.
    pub(super) precision: Precision,
    pub(super) columns: Vec<Column>,
    /// Results of the last run of a system.
    pub(super) outputs: Mutex<Option<Arc<Outputs>>>,
    /// The last clustering.
    pub(super) clusters: Mutex<Option<Arc<Clusters>>>,
}

/// The outputs of a system for all rows.
pub(super) struct Outputs {
    pub(super) columns: Vec<Column>,
    /// Precision in which they were computed.
    pub(super) precision: Precision,
}

impl Tables {
    /// Keeps a table and returns its number.
    pub(super) fn insert(&self, table: OpenTable) -> u64 {
        let mut list = lock(&self.0);
        if list.tables.len() >= MAX_TABLES {
            list.tables.remove(0);
        }
        let id = list.next;
        list.next += 1;
        list.tables.push((id, Arc::new(table)));
        id
    }

    pub(super) fn find(&self, id: u64) -> Result<Arc<OpenTable>, ApiError> {
        let mut list = lock(&self.0);
        let Some(position) = list.tables.iter().position(|(known, _)| *known == id) else {
            return Err(ApiError::not_found("this table is no longer open; open the file again"));
        };
        let found = list.tables.remove(position);
        let table = found.1.clone();
        list.tables.push(found);
        Ok(table)
    }
}

impl OpenTable {
    /// What the page shows of the table with this number.
    pub(super) fn describe(&self, id: u64) -> Value {
        let columns: Vec<Value> = self.columns.iter().map(Column::describe).collect();
        json!({ "table": id, "name": self.name, "rows": self.rows, "columns": columns })
    }

    pub(super) fn column(&self, index: usize) -> Result<&Column, ApiError> {
        self.columns.get(index).ok_or_else(|| {
            ApiError::new(format!("the table has no column {}; choose another column", index + 1))
        })
    }

    /// The column of numbers with this index; `what` says what needs numbers.
    pub(super) fn numbers(&self, index: usize, what: &str) -> Result<&Column, ApiError> {
        let column = self.column(index)?;
        if column.is_text() {
            let name = &column.name;
            return Err(ApiError::new(format!("{what} needs numbers, but the column `{name}` has texts")));
        }
        Ok(column)
    }

    /// Fails if `width` values per row are too many; `what` is a plural.
    pub(super) fn require_space(&self, width: usize, what: &str) -> Result<(), ApiError> {
        if self.rows.saturating_mul(width) <= MAX_VALUES {
            return Ok(());
        }
        Err(ApiError::new(format!(
            "the {width} {what} of {} rows are more than {MAX_VALUES} values; use a table with fewer rows",
            self.rows
        )))
    }

    /// The columns with these indices, row by row from `start` to `end`.
    pub(super) fn gather(&self, columns: &[usize], start: usize, end: usize) -> Vec<f64> {
        let mut values = Vec::with_capacity((end - start) * columns.len());
        for row in start..end {
            values.extend(columns.iter().map(|column| self.columns[*column].values[row]));
        }
        values
    }
}
