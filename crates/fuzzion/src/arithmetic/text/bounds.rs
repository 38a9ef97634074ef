//! The bounds of all cuts of a number as decimal numbers.

use crate::arithmetic::number::cut::AlphaCut;

/// Significant digits of the largest bound.
const DIGITS: usize = 7;

/// The bounds of all cuts as text, rounded outward to seven significant digits of the largest bound and without common trailing
/// zeros. Exact bounds with known `decimal_places`, a function of the index of the cut, are written exactly; see
/// [`Expr::decimal_places`](crate::arithmetic::Expr::decimal_places).
///
/// ```
/// use fuzzion::arithmetic::{AlphaCut, format_cuts};
/// let cuts = [AlphaCut { lower: -1.0 / 3.0, upper: 30.0 }, AlphaCut { lower: 1.5, upper: 30.0 }];
/// assert_eq!(format_cuts(&cuts, |_| None), [["-0.33334", "30.00000"], ["1.50000", "30.00000"]]);
/// assert_eq!(format_cuts(&cuts[1..], |_| None), [["1.5", "30.0"]]);
/// ```
pub fn format_cuts(
    cuts: &[AlphaCut<f64>],
    decimal_places: impl Fn(usize) -> Option<usize>,
) -> Vec<[String; 2]> {
    let bounds = cuts.iter().flat_map(|cut| [cut.lower, cut.upper]);
    let largest = bounds.filter(|bound| bound.is_finite()).fold(0.0, |max: f64, bound| max.max(bound.abs()));
    if largest != 0.0 && !(1e-4..1e9).contains(&largest) {
        return cuts.iter().map(|cut| cut.format_scientific(DIGITS)).collect();
    }
    let exponent = if largest == 0.0 { 0 } else { largest.log10().floor() as i32 };
    let places = usize::try_from(DIGITS as i32 - 1 - exponent).unwrap_or(0);
    let text = |(i, cut): (usize, &AlphaCut<f64>)| match decimal_places(i).filter(|exact| *exact <= places) {
        Some(exact) => cut.format_inward(exact).map(|text| with_zeros(text, places - exact)),
        None => cut.format_fixed(places),
    };
    let mut texts: Vec<[String; 2]> = cuts.iter().enumerate().map(text).collect();
    // Trailing zeros that all bounds share are removed.
    let has_point = |text: &String| text.contains('.');
    let zeros = |text: &String| text.len() - text.trim_end_matches('0').len();
    let common = texts.iter().flatten().filter(|text| has_point(text)).map(zeros).min().unwrap_or(0);
    for text in texts.iter_mut().flatten().filter(|text| has_point(text)) {
        text.truncate(text.len() - common);
        text.truncate(text.trim_end_matches('.').len());
    }
    texts
}

/// The finite number `text` with more decimal places.
fn with_zeros(text: String, zeros: usize) -> String {
    let point = if text.contains('.') || zeros == 0 { "" } else { "." };
    let is_finite = text.ends_with(|c: char| c.is_ascii_digit());
    if is_finite { format!("{text}{point}{}", "0".repeat(zeros)) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_outward_to_seven_digits_without_trailing_zeros() {
        let bounds = |lower: f64, upper: f64| format_cuts(&[AlphaCut { lower, upper }], |_| None)[0].clone();
        assert_eq!(bounds(1.0, 30.0), ["1", "30"]);
        assert_eq!(bounds(1.5, 30.0), ["1.5", "30.0"]);
        assert_eq!(bounds(-1.0 / 3.0, 200.0 / 3.0), ["-0.33334", "66.66667"]);
        assert_eq!(bounds(0.0, 0.0), ["0", "0"]);
        assert_eq!(bounds(f64::NEG_INFINITY, 2.0), ["-inf", "2"]);
        // 2¹⁰⁰⁰ is 1.0715086…·10³⁰¹.
        assert_eq!(bounds(1e-12 / 3.0, 2f64.powi(1000)), ["3.333333e-13", "1.071509e301"]);
    }
}
