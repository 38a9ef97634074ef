//! Columns of numbers and of texts.

use super::json_number;
use fuzzion::data::{Labels, Summary};
use serde_json::{Value, json};

/// Number of bars of a histogram.
const BARS: usize = 24;
/// Maximum number of different texts that are listed.
const MAX_LISTED: usize = 30;
/// Maximum length of a listed text, in characters.
const MAX_TEXT: usize = 80;

/// A column.
pub(super) struct Column {
    pub(super) name: String,
    /// Numbers, or positions in `texts`; NaN if missing.
    pub(super) values: Vec<f64>,
    /// Smallest and largest finite value.
    pub(super) range: Option<(f64, f64)>,
    /// Different texts and their numbers of rows, the most frequent first; `None` for numbers.
    pub(super) texts: Option<Vec<(String, usize)>>,
    summary: Summary,
}

impl Column {
    pub(super) fn numbers(name: String, values: Vec<f64>) -> Self {
        let (range, summary) = (finite_range(&values), Summary::of(values.iter().copied()));
        Column { name, values, range, texts: None, summary }
    }

    /// A column of texts from the codes of [`Labels`].
    pub(super) fn texts(name: String, classes: Vec<String>, codes: &[u32]) -> Self {
        let mut counts = vec![0; classes.len()];
        for code in codes.iter().filter(|code| **code != Labels::MISSING) {
            counts[*code as usize] += 1;
        }
        let mut order: Vec<usize> = (0..classes.len()).collect();
        order.sort_by_key(|class| std::cmp::Reverse(counts[*class]));
        let mut positions = vec![0.0; classes.len()];
        order.iter().enumerate().for_each(|(position, class)| positions[*class] = position as f64);
        let values: Vec<f64> =
            codes.iter().map(|code| positions.get(*code as usize).copied().unwrap_or(f64::NAN)).collect();
        let mut classes: Vec<Option<String>> = classes.into_iter().map(Some).collect();
        let texts = order.iter().map(|class| (classes[*class].take().unwrap_or_default(), counts[*class]));
        let texts: Vec<(String, usize)> = texts.collect();
        // Each text is in the middle of an interval of length 1.
        let range = (!texts.is_empty()).then(|| (-0.5, texts.len() as f64 - 0.5));
        let summary = Summary::of(values.iter().copied());
        Column { name, values, range, texts: Some(texts), summary }
    }

    pub(super) fn is_text(&self) -> bool {
        self.texts.is_some()
    }

    /// What the page shows of the column.
    pub(super) fn describe(&self) -> Value {
        let summary = &self.summary;
        match &self.texts {
            None => {
                let has_values = summary.count > 0;
                let number = |x: f64| if has_values { json_number(x) } else { Value::Null };
                json!({
                    "name": self.name,
                    "kind": "numbers",
                    "min": number(summary.min),
                    "mean": number(summary.mean),
                    "max": number(summary.max),
                    "missing": summary.missing,
                    "range": self.range,
                    "histogram": self.histogram(),
                })
            }
            Some(texts) => {
                let short = |text: &str| match text.char_indices().nth(MAX_TEXT) {
                    Some((end, _)) => format!("{}…", &text[..end]),
                    None => text.to_owned(),
                };
                let listed: Vec<Value> = texts
                    .iter()
                    .take(MAX_LISTED)
                    .map(|(text, count)| json!({ "text": short(text), "count": count }))
                    .collect();
                json!({
                    "name": self.name,
                    "kind": "text",
                    "missing": summary.missing,
                    "different": texts.len(),
                    "texts": listed,
                    "histogram": texts.iter().take(BARS).map(|(_, count)| *count).collect::<Vec<_>>(),
                })
            }
        }
    }

    /// Numbers of finite values in intervals of equal length over the range.
    fn histogram(&self) -> Vec<usize> {
        let Some(range) = self.range else { return Vec::new() };
        let scale = Scale::new(widened(range), BARS);
        let mut counts = vec![0; BARS];
        self.values.iter().filter_map(|x| scale.cell(*x)).for_each(|bar| counts[bar] += 1);
        counts
    }
}

/// Smallest and largest finite value.
pub(super) fn finite_range(values: &[f64]) -> Option<(f64, f64)> {
    let summary = Summary::of(values.iter().copied().filter(|x| x.is_finite()));
    (summary.count > 0).then_some((summary.min, summary.max))
}

/// A range of positive length that contains `range`.
pub(super) fn widened((lower, upper): (f64, f64)) -> (f64, f64) {
    if lower < upper {
        return (lower, upper);
    }
    let margin = (0.05 * lower.abs()).max(0.5);
    ((lower - margin).max(f64::MIN), (upper + margin).min(f64::MAX))
}

/// Divides a range into cells of equal length.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    /// Half of the lower end and of the length, which do not overflow.
    lower: f64,
    length: f64,
    cells: usize,
}

impl Scale {
    pub(super) fn new((lower, upper): (f64, f64), cells: usize) -> Self {
        Scale { lower: lower / 2.0, length: upper / 2.0 - lower / 2.0, cells }
    }

    /// The cell of `x`; `None` if it is outside of the range or missing.
    pub(super) fn cell(&self, x: f64) -> Option<usize> {
        let fraction = (x / 2.0 - self.lower) / self.length;
        let inside = (0.0..=1.0).contains(&fraction);
        inside.then(|| ((fraction * self.cells as f64) as usize).min(self.cells - 1))
    }
}
