//! Predictions of a chunk of rows, and their errors.

use crate::commands::common::classes::{UnknownClasses, is_same_class};
use fuzzion::data::Labels;
use fuzzion::tuning::{OutsideRange, RuleStrength, TunedSystem};
use fuzzion::{Device, Result, Table};

/// Maximum number of rules of a row, and the minimum strength of all but the strongest one.
const MAX_RULES: usize = 3;
const MIN_STRENGTH: f64 = 0.005;

/// Predictions of rows.
pub(super) struct PredictedRows {
    /// Targets, or the label and the output of each class.
    predictions: Table,
    /// Lower and upper ends of the intervals.
    intervals: Option<[Table; 2]>,
    /// Whether the prediction set of each row contains each class.
    sets: Option<Vec<Vec<bool>>>,
    outside: Vec<OutsideRange>,
    rules: Option<Vec<Vec<RuleStrength>>>,
}

/// Predicts the rows of a chunk, with intervals or sets of the probability `level`, if any.
pub(super) fn predicted(
    tuned: &TunedSystem,
    chunk: &Table,
    level: Option<f64>,
    explain: bool,
    device: &Device,
) -> Result<PredictedRows> {
    let (predictions, intervals, sets) = match level {
        Some(level) if tuned.classes.is_empty() => {
            let found = tuned.predict_intervals(chunk, level, device)?;
            (found.predictions, Some([found.lower, found.upper]), None)
        }
        Some(level) => {
            let found = tuned.predict_sets(chunk, level, device)?;
            (found.predictions, None, Some(found.contains))
        }
        None => (tuned.predict(chunk, device)?, None, None),
    };
    let outside = tuned.outside_range(chunk, device)?;
    let rules = explain.then(|| tuned.fired_rules(chunk, MAX_RULES, device)).transpose()?;
    Ok(PredictedRows { predictions, intervals, sets, outside, rules })
}

impl PredictedRows {
    /// The output table; without columns of text, if they are not supported.
    pub(super) fn table(&self, tuned: &TunedSystem, with_text: bool) -> Result<Table> {
        let mut names: Vec<String> = self.predictions.names().to_vec();
        let mut table = match &self.intervals {
            None => Table::new(names.clone(), self.predictions.to_f64().into_owned())?,
            Some([lower, upper]) => {
                names = names
                    .iter()
                    .flat_map(|name| [name.clone(), format!("{name}_lower"), format!("{name}_upper")])
                    .collect();
                let [y, lower, upper] = [&self.predictions, lower, upper].map(|table| table.to_f64());
                let values = y.iter().zip(lower.iter()).zip(upper.iter());
                Table::new(
                    names.clone(),
                    values.flat_map(|((y, lower), upper)| [*y, *lower, *upper]).collect::<Vec<f64>>(),
                )?
            }
        };
        if !with_text {
            return Ok(table);
        }
        if let Some(labels) = self.predictions.labels().first() {
            names.insert(0, labels.name().to_owned());
            table = table.with_labels(labels.clone())?;
        }
        let mut columns = Vec::new();
        if let Some(sets) = &self.sets {
            let name = format!("{}_set", tuned.targets[0]);
            columns.push(Labels::new(name, sets.iter().map(|set| class_names(tuned, set))));
        }
        columns.push(Labels::new("outside", self.outside.iter().map(|row| reasons(tuned, row))));
        if let Some(rules) = &self.rules {
            columns.push(Labels::new("rules", rules.iter().map(|fired| strongest(fired))));
        }
        for labels in columns {
            names.push(labels.name().to_owned());
            table = table.with_labels(labels)?;
        }
        Ok(table.select(names)?)
    }
}

/// The classes of a prediction set.
fn class_names(tuned: &TunedSystem, set: &[bool]) -> String {
    let contained = tuned.classes.iter().zip(set).filter(|(_, contained)| **contained);
    contained.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("; ")
}

/// How a row differs from the training rows: the inputs that are out of range; `no` if it does not.
fn reasons(tuned: &TunedSystem, row: &OutsideRange) -> String {
    let inputs = row.inputs.iter().map(|input| tuned.inputs[*input].as_str());
    let far = (row.far_from_rules && row.inputs.is_empty()).then_some("far from all rules");
    let reasons: Vec<&str> = inputs.chain(far).collect();
    if reasons.is_empty() { "no".into() } else { reasons.join("; ") }
}

/// The strongest rules of a row: `2 (85 %); 1 (15 %)`.
fn strongest(fired: &[RuleStrength]) -> String {
    let shown = fired.iter().enumerate().filter(|(i, rule)| *i == 0 || rule.strength >= MIN_STRENGTH);
    let text =
        |(_, rule): (usize, &RuleStrength)| format!("{} ({:.0} %)", rule.rule + 1, 100.0 * rule.strength);
    shown.map(text).collect::<Vec<_>>().join("; ")
}

/// Sums of the prediction errors.
pub(super) struct ErrorSums {
    pub(super) rows: u64,
    /// Number of rows outside of the training data.
    pub(super) outside: u64,
    is_classifier: bool,
    /// Number of wrong classes, or the sum of squared errors of each target.
    errors: Vec<f64>,
    /// Number of targets in their interval or set; empty without intervals.
    covered: Vec<f64>,
    /// Whether the table contains the targets.
    has_targets: bool,
    /// Classes of the target that the model does not know.
    pub(super) unknown: UnknownClasses,
}

impl ErrorSums {
    pub(super) fn new(tuned: &TunedSystem, has_targets: bool) -> Self {
        let is_classifier = !tuned.classes.is_empty();
        let errors = vec![0.0; tuned.targets.len()];
        let (covered, unknown) = (Vec::new(), UnknownClasses::default());
        ErrorSums { rows: 0, outside: 0, is_classifier, errors, covered, has_targets, unknown }
    }

    pub(super) fn add(&mut self, tuned: &TunedSystem, chunk: &Table, rows: &PredictedRows) -> Result<()> {
        self.rows += chunk.rows() as u64;
        self.outside += rows.outside.iter().filter(|row| row.is_outside()).count() as u64;
        if !self.has_targets {
            return Ok(());
        }
        if rows.intervals.is_some() || rows.sets.is_some() {
            self.covered.resize(tuned.targets.len(), 0.0);
        }
        if self.is_classifier {
            let (targets, predicted) =
                (chunk.label(&tuned.targets[0])?, rows.predictions.label(&tuned.targets[0])?);
            self.unknown.add(targets, &tuned.classes);
            for (row, (target, predicted)) in targets.iter().zip(predicted.iter()).enumerate() {
                self.errors[0] += f64::from(u8::from(!is_same_class(target, predicted)));
                if let Some(sets) = &rows.sets {
                    let mut contained =
                        tuned.classes.iter().zip(&sets[row]).filter(|(_, contained)| **contained);
                    let is_covered = contained.any(|(name, _)| is_same_class(target, name));
                    self.covered[0] += f64::from(u8::from(is_covered));
                }
            }
            return Ok(());
        }
        for (target, name) in tuned.targets.iter().enumerate() {
            let (targets, predicted) = (chunk.column(name)?, rows.predictions.column(name)?);
            self.errors[target] +=
                targets.iter().zip(&predicted).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
            if let Some([lower, upper]) = &rows.intervals {
                let (lower, upper) = (lower.column(name)?, upper.column(name)?);
                let is_covered = |row: &usize| (lower[*row]..=upper[*row]).contains(&targets[*row]);
                self.covered[target] += (0..targets.len()).filter(is_covered).count() as f64;
            }
        }
        Ok(())
    }

    /// The error rate of the classes, or the RMSE of each target; empty without targets.
    pub(super) fn means(&self) -> Vec<f64> {
        let mean = self.errors.iter().filter(|_| self.has_targets).map(|sum| sum / self.rows as f64);
        mean.map(|mean| if self.is_classifier { mean } else { mean.sqrt() }).collect()
    }

    /// Fraction of the rows whose target lies in its interval or set; empty without targets or intervals.
    pub(super) fn coverage(&self) -> Vec<f64> {
        self.covered.iter().map(|covered| covered / self.rows as f64).collect()
    }
}
