//! Formulas over fuzzy numbers: `api/numbers`.

mod drawing;
mod encoding;
mod problem;
mod sentences;

use super::{ApiError, ApiResult, Context, body};
use crate::http::{Request, Response};
use drawing::{AxisRange, curve_of};
use encoding::{Number, Setting};
use fuzzion::arithmetic::{Evaluation, Expr, format_cuts};
use problem::{Problem, is_name};
use sentences::Compared;
use serde::Deserialize;
use serde_json::{Value, json};

/// Largest request.
pub(super) const MAX_NUMBERS_BODY_BYTES: usize = 1 << 20;
/// Maximum number of α-cuts, as on the command line.
const MAX_CUTS: usize = 1000;
/// Maximum number of characters of a formula or a value.
const MAX_TEXT: usize = 4_000;
/// Maximum number of named values.
const MAX_VALUES: usize = 100;
/// Maximum work of the methods vertex and affine: operations times inputs times evaluations per cut, a few seconds.
const MAX_WORK: usize = 500_000_000;
/// Evaluations of a formula for one cut by the method vertex: up to 256 bisections per bound.
const VERTEX_EVALUATIONS: usize = 512;

#[derive(Deserialize)]
struct NumbersRequest {
    formula: String,
    values: Vec<NamedValue>,
    cuts: usize,
    #[serde(flatten)]
    setting: Setting,
}

#[derive(Deserialize)]
struct NamedValue {
    name: String,
    text: String,
}

impl NumbersRequest {
    /// Checks the limits.
    fn check(&self) -> Result<(), ApiError> {
        let texts = self.values.iter().flat_map(|value| [&value.name, &value.text]).chain([&self.formula]);
        if texts.map(|text| text.chars().count()).max().unwrap_or(0) > MAX_TEXT {
            return Err(ApiError::new(format!("a text has more than {MAX_TEXT} characters; shorten it")));
        }
        if self.values.len() > MAX_VALUES {
            return Err(ApiError::new(format!("there are more than {MAX_VALUES} values; delete some")));
        }
        if !(1..=MAX_CUTS).contains(&self.cuts) {
            let cuts = self.cuts;
            return Err(ApiError::new(format!("the number of cuts is {cuts}; use 1 to {MAX_CUTS}")));
        }
        self.setting.check()
    }

    /// Name and text of all values, without surrounding spaces.
    fn pairs(&self) -> Vec<(&str, &str)> {
        self.values.iter().map(|value| (value.name.trim(), value.text.trim())).collect()
    }
}

/// The problem of the name of value `i`, or that its text is missing.
fn value_problem(values: &[(&str, &str)], i: usize) -> Option<Problem> {
    let (name, text) = values[i];
    let message = match (name, text) {
        ("", "") => return None,
        ("", _) => "the value needs a name, such as `a`".to_owned(),
        _ if !is_name(name) => {
            format!("`{name}` cannot be a name; use letters, digits and `_`, but not the name of a function")
        }
        _ if values[..i].iter().any(|(known, _)| *known == name) => {
            format!("`{name}` has two values; delete one of them")
        }
        (_, "") => format!("`{name}` needs a value, such as `tri(1, 2, 3)` or `[1, 3]`"),
        _ => return None,
    };
    Some(Problem::at(1, message))
}

/// The numbers of the values, the result, a comparison of the methods, and the command for the same result.
pub(super) fn numbers(context: &Context, request: &Request) -> ApiResult {
    let request: NumbersRequest = body(request)?;
    request.check()?;
    let pairs = request.pairs();
    let (setting, cuts) = (request.setting.clone(), request.cuts);
    let parsed: Vec<Result<Option<Number>, Problem>> = (0..pairs.len())
        .map(|i| match value_problem(&pairs, i) {
            Some(problem) => Err(problem),
            None if pairs[i].1.is_empty() => Ok(None),
            None => {
                setting.parse(pairs[i].1, cuts).map(Some).map_err(|error| Problem::in_text(pairs[i].1, error))
            }
        })
        .collect();
    let is_valid = |name: &str| {
        pairs.iter().zip(&parsed).any(|((known, _), number)| *known == name && matches!(number, Ok(Some(_))))
    };
    let expr = match request.formula.trim() {
        "" => None,
        _ => Some(Expr::new(&request.formula).map_err(|error| Problem::in_text(&request.formula, error))),
    };
    let used: Vec<String> = match &expr {
        Some(Ok(expr)) => expr.variables().to_vec(),
        _ => Vec::new(),
    };
    let values: Vec<Value> = pairs
        .iter()
        .zip(&parsed)
        .map(|((name, text), number)| {
            json!({
                "number": number.as_ref().ok().and_then(Option::as_ref).map(|number| {
                    let exact = Expr::new(text).ok().filter(|_| setting.encoding == "lu");
                    described(number, |cut| exact.as_ref()?.decimal_places(&[], cut, cuts))
                }),
                "error": number.as_ref().err(),
                "used": used.iter().any(|variable| variable == name),
            })
        })
        .collect();
    let known = |name: &str| pairs.iter().any(|(known, _)| *known == name);
    let unbound: Vec<&String> = used.iter().filter(|name| !known(name)).collect();
    let mut answer = json!({ "values": values, "unbound": unbound, "error": null, "result": null });
    let result = match expr {
        None => return Ok(Response::json(&answer)),
        Some(Err(problem)) => Err(problem),
        Some(Ok(expr)) => match used.iter().find(|name| !is_valid(name)) {
            Some(name) => {
                let problem = match known(name) {
                    true => format!("the value of `{name}` is missing or invalid; correct it"),
                    false => format!("the variable `{name}` has no value; add it to the values"),
                };
                Err(Problem::in_text(&request.formula, expr.error_at(name, problem)))
            }
            None => evaluate(&expr, &request, context),
        },
    };
    match result {
        Ok(mut evaluated) => {
            for name in ["result", "methods", "axis", "sentences", "command"] {
                answer[name] = evaluated[name].take();
            }
        }
        Err(problem) => answer["error"] = json!(problem),
    }
    Ok(Response::json(&answer))
}

/// Evaluates a formula whose variables have valid values, with all methods.
fn evaluate(expr: &Expr, request: &NumbersRequest, context: &Context) -> Result<Value, Problem> {
    let (pairs, cuts, chosen) = (request.pairs(), request.cuts, &request.setting);
    let failed = |error| Problem::in_text(&request.formula, error);
    let mut settings: Vec<Setting> = ["lu", "mr"]
        .into_iter()
        .flat_map(|encoding| Evaluation::ALL.map(|method| Setting::new(encoding, "f64", method)))
        .collect();
    if !settings.contains(chosen) {
        settings.push(chosen.clone());
    }
    let mut rows: Vec<Compared> = Vec::new();
    for setting in settings {
        if work(expr, cuts, setting.method()) > MAX_WORK {
            if setting == *chosen {
                let method = setting.method();
                let problem = format!(
                    "the formula is too long for the method {method} and {cuts} cuts; reduce the cuts"
                );
                return Err(Problem::at(1, problem));
            }
            continue;
        }
        match setting.evaluate(expr, &pairs, cuts, &context.device) {
            Ok(number) => rows.push(Compared { setting, number }),
            Err(error) if setting == *chosen => return Err(failed(error)),
            // For example, a literal that only another encoding accepts.
            Err(_) => {}
        }
    }
    let Some(result) = rows.iter().find(|row| row.setting == *chosen) else { return Ok(json!({})) };
    let reference = rows
        .iter()
        .find(|row| row.setting == Setting::new("lu", "f64", chosen.method()))
        .filter(|_| chosen.encoding != "lu");
    let is_decimal = chosen.encoding == "lu" && chosen.method() == Evaluation::Direct;
    let mut described =
        described(&result.number, |cut| expr.decimal_places(&pairs, cut, cuts).filter(|_| is_decimal));
    if let Some(reference) = reference {
        described["relative_widths"] = result.number.relative_widths(&reference.number).collect();
    }
    let axis = AxisRange::of(rows.iter().flat_map(|row| &row.number.cuts));
    let methods: Vec<Value> = rows
        .iter()
        .map(|row| {
            let (first, last) = (row.number.cuts.first(), row.number.cuts.last());
            json!({
                "encoding": row.setting.encoding,
                "precision": row.setting.precision,
                "method": row.setting.method().name(),
                "chosen": row.setting == *chosen,
                "support_width": first.map(|cut| encoding::json_number(cut.width())),
                "core_width": last.map(|cut| encoding::json_number(cut.width())),
                "mean_width": encoding::json_number(row.number.mean_width()),
                "curve": curve_of(&row.number.cuts, axis),
            })
        })
        .collect();
    Ok(json!({
        "result": described,
        "methods": methods,
        "axis": [axis.lower, axis.upper],
        "sentences": sentences::compare(expr, &rows, &pairs),
        "command": command(expr, request),
    }))
}

/// Work of a method as in [`MAX_WORK`].
fn work(expr: &Expr, cuts: usize, method: Evaluation) -> usize {
    let operations = expr.program().len();
    let each = operations.saturating_mul(operations).saturating_mul(cuts);
    match method {
        Evaluation::Direct => 0,
        Evaluation::Vertex => each.saturating_mul(VERTEX_EVALUATIONS),
        _ => each,
    }
}

/// A number for the page: bounds as numbers and as the command line prints them, its text, centroid and curve.
fn described(number: &Number, decimal_places: impl Fn(usize) -> Option<usize>) -> Value {
    let axis = AxisRange::of(&number.cuts);
    let cuts: Vec<Value> = number
        .cuts
        .iter()
        .enumerate()
        .map(|(i, cut)| {
            let alpha = drawing::alpha(i, number.cuts.len());
            json!([alpha, encoding::json_number(cut.lower), encoding::json_number(cut.upper)])
        })
        .collect();
    json!({
        "cuts": cuts,
        "bounds": format_cuts(&number.cuts, decimal_places),
        "text": number.text,
        "centroid": number.centroid,
        "axis": [axis.lower, axis.upper],
        "curve": curve_of(&number.cuts, axis),
        "bounded": number.cuts.iter().all(|cut| cut.is_bounded()),
    })
}

/// The command that prints the result.
fn command(expr: &Expr, request: &NumbersRequest) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let mut words = vec!["fuzzion calc".to_owned(), quoted(request.formula.trim())];
    for (name, text) in request.pairs() {
        if expr.variables().iter().any(|variable| variable == name) {
            words.push(format!("--let {}", quoted(&format!("{name}={text}"))));
        }
    }
    words.push(format!("--cuts {}", request.cuts));
    let defaults = Setting::default();
    let setting = &request.setting;
    for (option, value, default) in [
        ("encoding", &setting.encoding, &defaults.encoding),
        ("precision", &setting.precision, &defaults.precision),
        ("method", &setting.method, &defaults.method),
    ] {
        if value != default {
            words.push(format!("--{option} {value}"));
        }
    }
    words.join(" ")
}
