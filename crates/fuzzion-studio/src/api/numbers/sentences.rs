//! Sentences about which method is narrower and why.

use super::encoding::{Number, Setting};
use fuzzion::arithmetic::{Evaluation, Expr, FuzzyLu};

/// Relative difference of widths that is only rounding.
const ROUNDING: f64 = 1e-9;

/// A method with its result.
pub(super) struct Compared {
    pub(super) setting: Setting,
    pub(super) number: Number,
}

/// Compares the results of all methods for a formula and the values of its variables.
pub(super) fn compare(expr: &Expr, rows: &[Compared], values: &[(&str, &str)]) -> Vec<String> {
    let number = |encoding: &str, method| {
        let setting = Setting::new(encoding, "f64", method);
        rows.iter().find(|row| row.setting == setting).map(|row| &row.number)
    };
    let Some(direct) = number("lu", Evaluation::Direct) else { return Vec::new() };
    let mut sentences = Vec::new();
    if direct.cuts.iter().any(|cut| !cut.is_bounded()) {
        sentences.push(
            "Some cuts are unbounded because of a shape with infinite support, a divisor that contains 0, an argument outside of \
             the domain of a function, or an overflow."
                .to_owned(),
        );
    }
    let repeated: Vec<(&str, usize)> = expr
        .variables()
        .iter()
        .map(|name| (name.as_str(), occurrences(&expr.to_string(), name)))
        .filter(|(_, count)| *count > 1)
        .collect();
    match number("lu", Evaluation::Vertex) {
        Some(vertex) => sentences.extend(about_vertex(expr, direct, vertex, &repeated, values)),
        None => sentences.push(
            "Vertex is left out, because the formula is too long for this number of cuts; reduce the cuts."
                .to_owned(),
        ),
    }
    if let Some(affine) = number("lu", Evaluation::Affine).filter(|_| !repeated.is_empty()) {
        sentences.extend(about_affine(direct, affine, number("lu", Evaluation::Vertex)));
    }
    if let Some(radii) = number("mr", Evaluation::Direct) {
        sentences.extend(about_radii(direct, radii));
    }
    sentences
}

fn about_vertex(
    expr: &Expr,
    direct: &Number,
    vertex: &Number,
    repeated: &[(&str, usize)],
    values: &[(&str, &str)],
) -> Vec<String> {
    if repeated.is_empty() {
        let text = match expr.variables().is_empty() {
            true => "The formula has no variables",
            false => "Every variable occurs once",
        };
        return vec![format!("{text}, so that direct evaluation is exact up to outward rounding.")];
    }
    let names: Vec<String> =
        repeated.iter().map(|(name, count)| format!("`{name}` occurs {count} times")).collect();
    let why = names.join(" and ");
    let mut sentences = vec![match ratio(vertex, direct) {
        Some(ratio) if ratio < 1.0 - ROUNDING => format!(
            "Vertex is narrower than direct: on average, its cuts have {} of the width, because {why}, and direct evaluation \
             treats the occurrences as independent numbers.",
            percent(ratio)
        ),
        Some(_) => format!("Vertex is not narrower than direct for these values, although {why}."),
        None if vertex.cuts.iter().all(|cut| cut.is_bounded()) => format!(
            "Vertex is bounded and direct is not, because {why}, and direct evaluation treats the occurrences as independent \
             numbers."
        ),
        None => return Vec::new(),
    }];
    match is_monotone(expr, values) {
        Some(true) => sentences.push(
            "The formula is proven monotone in every variable, so that vertex is exact up to outward rounding.".into(),
        ),
        Some(false) => sentences.push(
            "The formula is not proven monotone in every variable, so that vertex bisects the cuts; its bounds enclose the exact \
             ones and can be slightly wider."
                .into(),
        ),
        None => {}
    }
    sentences
}

fn about_affine(direct: &Number, affine: &Number, vertex: Option<&Number>) -> Option<String> {
    let narrower = ratio(affine, direct)?;
    if narrower >= 1.0 - ROUNDING {
        return Some(
            "Affine is not narrower than direct, because it tracks only the linear part of the dependence."
                .into(),
        );
    }
    let than_vertex = match vertex.and_then(|vertex| ratio(affine, vertex)) {
        Some(ratio) if ratio > 1.0 + ROUNDING => {
            format!(", but {} times as wide as vertex, because the formula is not linear", digits(ratio))
        }
        Some(ratio) if ratio < 1.0 - ROUNDING => format!(", and {} of the width of vertex", percent(ratio)),
        Some(_) => ", and as narrow as vertex".to_owned(),
        None => String::new(),
    };
    Some(format!(
        "Affine has {} of the width of direct{than_vertex}; it tracks the linear part of the dependence.",
        percent(narrower)
    ))
}

fn about_radii(direct: &Number, radii: &Number) -> Option<String> {
    let ratio = ratio(radii, direct)?;
    Some(match ratio > 1.0 + ROUNDING {
        true => format!(
            "Midpoint and radii (mr) is on average {} times as wide as lower and upper bounds (lu), because one midpoint does not \
             fit asymmetric cuts, and products and quotients widen the radii.",
            digits(ratio)
        ),
        false => "Midpoint and radii (mr) is as narrow as lower and upper bounds (lu), because the cuts are symmetric around \
                  one midpoint."
            .into(),
    })
}

/// Ratio of the mean widths; `None` if one of them is infinite.
fn ratio(number: &Number, reference: &Number) -> Option<f64> {
    let (width, reference) = (number.mean_width(), reference.mean_width());
    match width.is_finite() && reference.is_finite() {
        true if width == reference => Some(1.0),
        true => Some(width / reference),
        false => None,
    }
}

/// Whether the formula is proven monotone on the support; `None` if a number cannot be represented by its support.
fn is_monotone(expr: &Expr, values: &[(&str, &str)]) -> Option<bool> {
    let supports: Option<Vec<(&str, FuzzyLu<f64, 1>)>> = values
        .iter()
        .filter(|(name, _)| expr.variables().iter().any(|variable| variable == name))
        .map(|(name, text)| Some((*name, text.parse().ok()?)))
        .collect();
    let monotone = expr.monotone(&supports?).ok()?;
    Some(monotone.iter().flatten().all(|proven| *proven))
}

/// How often a name occurs in a formula.
fn occurrences(formula: &str, name: &str) -> usize {
    formula.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| *word == name).count()
}

/// Three significant digits.
fn digits(x: f64) -> String {
    let rounded: f64 = format!("{x:.2e}").parse().unwrap_or(x);
    rounded.to_string()
}

fn percent(ratio: f64) -> String {
    format!("{} %", digits(100.0 * ratio))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzzion::Device;

    fn sentences(formula: &str, values: &[(&str, &str)]) -> String {
        let expr = Expr::new(formula).unwrap();
        let device = Device::cpu().unwrap();
        let rows: Vec<Compared> = ["lu", "mr"]
            .iter()
            .flat_map(|encoding| Evaluation::ALL.map(|method| Setting::new(encoding, "f64", method)))
            .map(|setting| Compared { number: setting.evaluate(&expr, values, 3, &device).unwrap(), setting })
            .collect();
        compare(&expr, &rows, values).join(" ")
    }

    #[test]
    fn a_repeated_variable_makes_direct_evaluation_wider() {
        // Cuts of x are [0, 1], [0.25, 0.75] and 0.5; those of x·(1 − x) are [0, 0.25], [0.1875, 0.25] and 0.25, and of direct
        // evaluation [0, 1], [0.0625, 0.5625] and 0.25.
        let text = sentences("x * (1 - x)", &[("x", "tri(0, 0.5, 1)")]);
        assert!(text.contains("Vertex is narrower than direct: on average, its cuts have 20.8 % of the width, because `x` occurs 2 times"), "{text}");
        assert!(text.contains("not proven monotone"), "{text}");
        let linear = sentences("x - x", &[("x", "tri(0, 0.5, 1)")]);
        assert!(linear.contains("and as narrow as vertex") || linear.contains("Affine has 0 %"), "{linear}");
    }

    #[test]
    fn without_repetition_direct_evaluation_is_exact() {
        let text = sentences("x * y", &[("x", "tri(1, 2, 3)"), ("y", "[1, 2]")]);
        assert!(text.contains("Every variable occurs once"), "{text}");
        assert!(text.contains("Midpoint and radii (mr) is on average"), "{text}");
        let sum = sentences("x + y", &[("x", "tri(1, 2, 3)"), ("y", "[1, 2]")]);
        assert!(sum.contains("is as narrow as"), "{sum}");
        assert_eq!(occurrences("x * x1 + max(x, 2) - sin_x", "x"), 2);
    }

    #[test]
    fn unbounded_results_are_explained() {
        let text = sentences("1 / x", &[("x", "[-1, 1]")]);
        assert!(text.contains("a divisor that contains 0"), "{text}");
        let bounded = sentences("x / x", &[("x", "[1, 2]")]);
        assert!(bounded.contains("proven monotone") || bounded.contains("bisects"), "{bounded}");
    }
}
