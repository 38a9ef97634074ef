//! Fuzzy numbers, formulas, sets and rules, each from a line of text.

use super::{Input, Outcome, ensure, is_sentence, must, same};
use fuzzion::Error;
use fuzzion::arithmetic::{AlphaCut, Evaluation, Expr, FuzzyLu, FuzzyMr};
use fuzzion::inference::{Dialect, Output, System, Variable};
use fuzzion::internals::Random;
use fuzzion::sets::{Set, expression::Expression};

const CUTS: usize = 3;
/// Longer formulas take too long with bisection.
const MAX_OPERATIONS: usize = 200;
type Lu = FuzzyLu<f64, CUTS>;
type Mr = FuzzyMr<f64, CUTS>;

/// Reads each line as everything that it can be; accepted if one is valid, rejected with the last message.
pub(crate) fn check(input: &Input<'_>, random: &mut Random) -> Result<Outcome, String> {
    let (mut accepted, mut message) = (false, "no line".to_owned());
    let text = input.text();
    let lines: Vec<&str> = text.lines().collect();
    // One line: all of them would take long.
    if let Some(line) = lines.get(random.bits() as usize % lines.len().max(1)) {
        for check in [number, formula, set, expression, rule] {
            match check(line, random)? {
                Ok(()) => accepted = true,
                Err(error) => {
                    message = error.message();
                    ensure(is_sentence(&message), || format!("not one sentence: {message}"))?;
                }
            }
        }
    }
    Ok(if accepted { Outcome::Accepted } else { Outcome::Rejected(message) })
}

/// Whether two cuts that enclose the same numbers have a common one.
fn intersect(a: AlphaCut<f64>, b: AlphaCut<f64>) -> bool {
    a.lower <= b.upper && b.lower <= a.upper
}

fn number(line: &str, _: &mut Random) -> Result<Result<(), Error>, String> {
    let (lu, mr) = match (line.parse::<Lu>(), line.parse::<Mr>()) {
        (Ok(lu), Ok(mr)) => (lu, mr),
        (Err(error), _) | (_, Err(error)) => return Ok(Err(error.into())),
    };
    for cut in 0..CUTS {
        ensure(intersect(lu.cut(cut), mr.cut(cut)), || format!("cut {cut} of {lu} and {mr} are disjoint"))?;
    }
    let again: Lu = must("cannot read a printed number", lu.to_string().parse::<Lu>())?;
    ensure(again.encloses(&lu), || format!("{lu} as read does not enclose the number that was printed"))?;
    Ok(Ok(()))
}

fn formula(line: &str, _: &mut Random) -> Result<Result<(), Error>, String> {
    let formula = match Expr::new(line) {
        Ok(formula) if formula.program().len() <= MAX_OPERATIONS => formula,
        Ok(_) => return Ok(Ok(())),
        Err(error) => return Ok(Err(error.into())),
    };
    let triangle = must("a triangle", Lu::triangular(0.5, 1.25, 3.0))?;
    let values: Vec<(&str, Lu)> = formula.variables().iter().map(|name| (name.as_str(), triangle)).collect();
    let balls: Vec<(&str, Mr)> = values.iter().map(|(name, value)| (*name, Mr::from(*value))).collect();
    let direct = match formula.evaluate(&values, Evaluation::Direct) {
        Ok(direct) => direct,
        Err(error) => return Ok(Err(error.into())),
    };
    let ball =
        must("a formula has a value in one encoding only", formula.evaluate(&balls, Evaluation::Direct))?;
    let affine = must("an affine evaluation", formula.evaluate(&values, Evaluation::Affine))?;
    ensure(direct.encloses(&affine), || format!("{direct} does not enclose {affine}"))?;
    for cut in 0..CUTS {
        ensure(intersect(direct.cut(cut), ball.cut(cut)), || {
            format!("cut {cut} of {direct} and {ball} are disjoint")
        })?;
    }
    Ok(Ok(()))
}

fn set(line: &str, _: &mut Random) -> Result<Result<(), Error>, String> {
    let set: Set = match line.parse() {
        Ok(set) => set,
        Err(error) => return Ok(Err(Error::from(error))),
    };
    let again: Set = must("cannot read a printed set", set.to_string().parse::<Set>())?;
    for x in [-1e300, -3.5, 0.0, 0.25, 1.0, 20.0, f64::INFINITY, f64::NAN] {
        let (expected, found) = (set.membership(x), again.membership(x));
        ensure(same(expected, found), || format!("{set} at {x} is {expected}, after printing {found}"))?;
    }
    let _ = (set.alpha_cuts(0.5), set.core(), set.support(), set.tsukamoto(0.3));
    Ok(Ok(()))
}

fn expression(line: &str, _: &mut Random) -> Result<Result<(), Error>, String> {
    let expression = match Expression::new(line) {
        Ok(expression) => expression,
        Err(error) => return Ok(Err(Error::from(error))),
    };
    let again = must("cannot read a printed expression", Expression::new(&expression.to_string()))?;
    let values: Vec<f64> = (0..expression.variables().len()).map(|i| 0.75 + i as f64).collect();
    let (expected, found) = (expression.evaluate(&values), again.evaluate(&values));
    ensure(same(expected, found), || format!("`{expression}` is {expected}, after printing {found}"))?;
    Ok(Ok(()))
}

fn rule(line: &str, _: &mut Random) -> Result<Result<(), Error>, String> {
    let triangle = |a, b, c| must("a triangle", Set::triangle(a, b, c));
    let system = System::new("s")
        .input(
            Variable::new("a", 0.0, 1.0)
                .set("low", triangle(-1.0, 0.0, 1.0)?)
                .set("high", triangle(0.0, 1.0, 2.0)?),
        )
        .input(
            Variable::new("b", 0.0, 1.0)
                .set("low", triangle(-1.0, 0.0, 1.0)?)
                .set("high", triangle(0.0, 1.0, 2.0)?),
        )
        .output(
            Output::new("y", 0.0, 1.0)
                .set("few", triangle(-1.0, 0.0, 1.0)?)
                .set("many", triangle(0.0, 1.0, 2.0)?),
        );
    match system.rule(line) {
        Ok(system) => {
            must("cannot run a rule", system.infer_row(&[0.25, 0.75], Dialect::Fuzzylite8))?;
            Ok(Ok(()))
        }
        Err(error) => Ok(Err(error.into())),
    }
}
