//! Classes as targets: an output for each of them.

use super::labels::Labels;
use super::table::Table;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// How classes are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Classify {
    /// As an output for each class, 1 for rows of the class and 0 for others.
    OneHot,
    /// By the cross-entropy of the softmax of such outputs, which are then no longer 0 or 1.
    CrossEntropy,
}

/// The most classes: each is an output with consequents of its own.
const MOST_CLASSES: usize = 1024;

/// The classes in a column, and which of them each row is of.
pub(crate) struct Classes {
    /// As text: in the order of first appearance, numbers ascending.
    pub(crate) names: Vec<String>,
    pub(crate) codes: Vec<usize>,
}

impl Classes {
    /// Those of the label column, or the column of whole numbers, called `name`.
    pub(crate) fn of(table: &Table, name: &str) -> Result<Self> {
        let classes = match table.label(name) {
            Ok(labels) => Classes::of_labels(labels)?,
            Err(_) => Classes::of_numbers(table, name)?,
        };
        match classes.names.len() {
            2..=MOST_CLASSES => Ok(classes),
            found => Err(Error::ClassCount { name: name.to_owned(), found, most: MOST_CLASSES }),
        }
    }

    fn of_labels(labels: &Labels) -> Result<Self> {
        if labels.missing() > 0 {
            let problem = "is empty in some rows; leave these rows out, or give them a class";
            return Err(Error::LearnedColumn { what: "class", name: labels.name().to_owned(), problem });
        }
        // Classes that no row is of (of rows cut away) are not learned.
        let mut places = vec![None; labels.classes().len()];
        let (mut names, mut codes) = (Vec::new(), Vec::new());
        for code in labels.codes() {
            let place = &mut places[*code as usize];
            codes.push(*place.get_or_insert_with(|| {
                names.push(labels.classes()[*code as usize].clone());
                names.len() - 1
            }));
        }
        Ok(Classes { names, codes })
    }

    fn of_numbers(table: &Table, name: &str) -> Result<Self> {
        let values = table.column(name)?;
        if let Some(row) = values.iter().position(|x| !x.is_finite()) {
            let (column, value) = (table.column_index(name)? + 1, values[row]);
            return Err(Error::NotFinite { row: row as u64 + 1, column, name: name.to_owned(), value });
        }
        if values.iter().any(|x| x.fract() != 0.0) {
            let problem = "holds numbers that are not whole, which are no classes; learn it without classes, or number them";
            return Err(Error::LearnedColumn { what: "class", name: name.to_owned(), problem });
        }
        let mut distinct = values.clone();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup(); // -0 equals 0, and stands beside it
        let place = |x: &f64| distinct.partition_point(|class| class < x);
        let codes = values.iter().map(place).collect();
        Ok(Classes { names: distinct.iter().map(|x| format!("{}", x + 0.0)).collect(), codes })
    }

    /// The same for rows whose classes are among `names`, in their order.
    pub(crate) fn among(table: &Table, name: &str, names: &[String]) -> Result<Self> {
        let texts: Vec<String> = match table.label(name) {
            Ok(labels) => labels.iter().map(str::to_owned).collect(),
            Err(_) => table.column(name)?.iter().map(|x| format!("{}", x + 0.0)).collect(),
        };
        let place = |text: &String| names.iter().position(|class| class == text);
        match texts.iter().map(place).collect::<Option<Vec<usize>>>() {
            Some(codes) => Ok(Classes { names: names.to_vec(), codes }),
            None => {
                let problem = "holds classes that were not learned; fit anew with all classes";
                Err(Error::LearnedColumn { what: "class", name: name.to_owned(), problem })
            }
        }
    }

    /// A target for each class: 1 in its rows, 0 in others.
    pub(crate) fn one_hot(&self) -> Vec<Vec<f64>> {
        let column =
            |class: usize| self.codes.iter().map(|code| f64::from(u8::from(*code == class))).collect();
        (0..self.names.len()).map(column).collect()
    }
}

/// The output that is largest in each row; the first of equals.
pub(crate) fn largest(outputs: &[Vec<f64>]) -> Vec<usize> {
    let rows = outputs.first().map_or(0, Vec::len);
    let of = |row: usize| {
        let best = |best: usize, o: usize| if outputs[o][row] > outputs[best][row] { o } else { best };
        (0..outputs.len()).fold(0, best)
    };
    (0..rows).map(of).collect()
}

/// The softmax of each row, in place.
pub(crate) fn softmax(outputs: &mut [Vec<f64>]) {
    for row in 0..outputs.first().map_or(0, Vec::len) {
        let most = outputs.iter().map(|o| o[row]).fold(f64::NEG_INFINITY, f64::max);
        outputs.iter_mut().for_each(|o| o[row] = (o[row] - most).exp());
        let sum: f64 = outputs.iter().map(|o| o[row]).sum();
        outputs.iter_mut().for_each(|o| o[row] /= sum);
    }
}
