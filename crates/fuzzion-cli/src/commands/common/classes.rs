//! Classes in tables.

use crate::format::{count_of, ellipsize, quoted_list};
use fuzzion::data::{DataError, Labels};
use fuzzion::{Result, Table};
use std::collections::BTreeSet;

/// Maximum number of classes in a warning.
const MAX_CLASSES: usize = 5;

/// Checks that a target which was read as text is not a number with decimals, as the fit does if it is read as a number.
pub(crate) fn check_class(table: &Table, target: &str) -> Result<()> {
    let classes = table.label(target)?.classes();
    let numbers: Option<Vec<f64>> = classes.iter().map(|class| class.trim().parse().ok()).collect();
    if numbers.is_some_and(|numbers| numbers.iter().any(|x| x.is_finite() && x.fract() != 0.0)) {
        let problem = "contains values that are not integers; use it as a numeric target, or encode the classes as integers";
        return Err(DataError::TrainingColumn { what: "class", name: target.to_owned(), problem }.into());
    }
    Ok(())
}

/// Whether two texts are the same class; `1.0` is the class `1`.
pub(crate) fn is_same_class(a: &str, b: &str) -> bool {
    a == b || matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a == b)
}

/// The classes of a target that a model does not know.
#[derive(Default)]
pub(crate) struct UnknownClasses(BTreeSet<String>);

impl UnknownClasses {
    /// Adds those of `labels` that are not in `known`.
    pub(crate) fn add(&mut self, labels: &Labels, known: &[String]) {
        let is_known = |class: &&String| known.iter().any(|known| is_same_class(class, known));
        let unknown = labels.classes().iter().filter(|class| !class.is_empty() && !is_known(class));
        self.0.extend(unknown.cloned());
    }

    /// The warning about these classes, if there are any.
    pub(crate) fn warning(&self, target: &str, known: &[String]) -> Option<String> {
        let list = |names: &mut dyn Iterator<Item = &String>, count: usize| {
            let more = if count > MAX_CLASSES { ", …" } else { "" };
            quoted_list(&names.take(MAX_CLASSES).map(|name| ellipsize(name)).collect::<Vec<_>>()) + more
        };
        let count = self.0.len();
        let verb = if count == 1 { "is" } else { "are" };
        (count > 0).then(|| {
            format!(
                "the target `{}` has {} that {verb} not in the training data ({}; known: {}); the rows of unknown classes count \
                 as errors, check their spelling",
                ellipsize(target),
                count_of(count as u64, "class"),
                list(&mut self.0.iter(), count),
                list(&mut known.iter(), known.len()),
            )
        })
    }
}
