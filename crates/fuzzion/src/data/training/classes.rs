//! Classes as training targets.

use crate::data::error::{DataError, Result};
use crate::data::tables::{Labels, Samples};
use crate::macros::named;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

named! {
    /// Training objective for classes.
    ///
    /// ```
    /// use fuzzion::tuning::{Classify, Tuner};
    /// let tuner = Tuner::grid(&[3]).classify("cross-entropy".parse()?);
    /// assert_eq!(tuner.classify, Some(Classify::CrossEntropy));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum Classify("classification loss") {
        /// Least squares with one-hot targets: one output per class, 1 for rows of the class and 0 for others.
        OneHot = "one-hot",
        /// Cross-entropy of the softmax of the outputs.
        CrossEntropy = "cross-entropy",
    }
}

/// Maximum number of classes; each is an output with its own consequents.
const MAX_CLASSES: usize = 1024;

/// Classes of a column, and the class of each row.
pub(crate) struct Classes {
    /// Class names: labels in order of first appearance, numbers in ascending order.
    pub(crate) names: Vec<String>,
    pub(crate) codes: Vec<usize>,
}

impl Classes {
    /// Classes of the label column or integer column `name`.
    pub(crate) fn from_column(samples: &Samples<'_>, name: &str) -> Result<Self> {
        match samples.label(name) {
            Ok(labels) => Classes::from_labels(labels),
            Err(_) => Classes::from_numbers(samples, name),
        }
    }

    /// Checks the number of classes of the column `name`.
    pub(crate) fn check_count(&self, name: &str) -> Result<()> {
        match self.names.len() {
            2..=MAX_CLASSES => Ok(()),
            found => Err(DataError::ClassCount { name: name.to_owned(), found, most: MAX_CLASSES }),
        }
    }

    fn from_labels(labels: &Labels) -> Result<Self> {
        if labels.missing() > 0 {
            let problem = "is missing in some rows; drop these rows, or fill in their class";
            return Err(DataError::TrainingColumn { what: "class", name: labels.name().to_owned(), problem });
        }
        // Classes without rows, as in a slice of a table, are omitted.
        let mut new_codes = vec![None; labels.classes().len()];
        let (mut names, mut codes) = (Vec::new(), Vec::new());
        for code in labels.codes() {
            let new_code = &mut new_codes[*code as usize];
            codes.push(*new_code.get_or_insert_with(|| {
                names.push(labels.classes()[*code as usize].clone());
                names.len() - 1
            }));
        }
        Ok(Classes { names, codes })
    }

    fn from_numbers(samples: &Samples<'_>, name: &str) -> Result<Self> {
        let values = samples.column(name)?;
        if let Some(row) = values.iter().position(|x| !x.is_finite()) {
            let (column, value) = (samples.column_index(name)? + 1, values[row]);
            return Err(DataError::NotFinite { row: row as u64 + 1, column, name: name.to_owned(), value });
        }
        if values.iter().any(|x| x.fract() != 0.0) {
            let problem = "contains values that are not integers; use it as a numeric target, or encode the classes as integers";
            return Err(DataError::TrainingColumn { what: "class", name: name.to_owned(), problem });
        }
        let mut distinct = values.clone();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup(); // -0 equals 0 and is adjacent to it
        let code_of = |x: &f64| distinct.partition_point(|class| class < x);
        let codes = values.iter().map(code_of).collect();
        Ok(Classes { names: distinct.iter().map(|x| format!("{}", x + 0.0)).collect(), codes })
    }

    /// Classes of the column `name` with the known classes `names`, in that order.
    pub(crate) fn with_names(samples: &Samples<'_>, name: &str, names: &[String]) -> Result<Self> {
        let texts: Vec<String> = match samples.label(name) {
            Ok(labels) => labels.iter().map(str::to_owned).collect(),
            Err(_) => samples.column(name)?.iter().map(|x| format!("{}", x + 0.0)).collect(),
        };
        let codes: HashMap<&String, usize> = names.iter().enumerate().map(|(i, name)| (name, i)).collect();
        match texts.iter().map(|text| codes.get(text).copied()).collect::<Option<Vec<usize>>>() {
            Some(codes) => Ok(Classes { names: names.to_vec(), codes }),
            None => {
                let problem = "contains classes that are not in the model; fit again with all classes";
                Err(DataError::TrainingColumn { what: "class", name: name.to_owned(), problem })
            }
        }
    }

    /// One target column per class: 1 for its rows, 0 for others.
    pub(crate) fn one_hot(&self) -> Vec<Vec<f64>> {
        let column =
            |class: usize| self.codes.iter().map(|code| f64::from(u8::from(*code == class))).collect();
        (0..self.names.len()).map(column).collect()
    }
}

/// Index of the largest output of each row, the first one on a tie.
pub(crate) fn argmax_rows(outputs: &[Vec<f64>]) -> Vec<usize> {
    let rows = outputs.first().map_or(0, Vec::len);
    let argmax = |row: usize| {
        let best = |best: usize, o: usize| if outputs[o][row] > outputs[best][row] { o } else { best };
        (0..outputs.len()).fold(0, best)
    };
    (0..rows).map(argmax).collect()
}

/// Applies the softmax to each row, in place.
pub(crate) fn softmax(outputs: &mut [Vec<f64>]) {
    for row in 0..outputs.first().map_or(0, Vec::len) {
        let max = outputs.iter().map(|o| o[row]).fold(f64::NEG_INFINITY, f64::max);
        outputs.iter_mut().for_each(|o| o[row] = (o[row] - max).exp());
        let sum: f64 = outputs.iter().map(|o| o[row]).sum();
        outputs.iter_mut().for_each(|o| o[row] /= sum);
    }
}
