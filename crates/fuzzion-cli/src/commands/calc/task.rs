//! A formula with the values of `--let`.

use super::args::Calc;
use super::encoding::Encoding;
use fuzzion::arithmetic::ArithmeticError;
use fuzzion::arithmetic::{Evaluation, Expr};
use fuzzion::inference::InferenceError;
use fuzzion::{Device, Error, Result};

/// A formula, and the variables with a constant value.
pub(super) struct Task {
    pub(super) expr: Expr,
    pub(super) lets: Vec<(String, String)>,
    pub(super) cuts: usize,
    pub(super) method: Evaluation,
}

impl Task {
    /// Parses the formula and the values of `--let`.
    pub(super) fn new(args: &Calc) -> Result<Self> {
        let expr = Expr::new(&args.formula)?;
        let mut lets: Vec<(String, String)> = Vec::new();
        for text in &args.lets {
            let (name, value) = text.split_once('=').map_or((text.trim(), ""), |(a, b)| (a.trim(), b.trim()));
            let problem = if name.is_empty() || value.is_empty() {
                "needs a name and a value, such as `--let x=tri(1,2,3)`".into()
            } else if lets.iter().any(|(known, _)| known == name) {
                format!("sets `{name}` twice; remove one of the values")
            } else if !expr.variables().iter().any(|known| known == name) {
                let known: Vec<String> = expr.variables().iter().map(|known| format!("`{known}`")).collect();
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                format!("sets a variable that is not in the formula; available variables: {known}")
            } else {
                lets.push((name.to_owned(), value.to_owned()));
                continue;
            };
            return Err(Error::Inference(InferenceError::InvalidSystem {
                location: format!("`--let {text}`"),
                problem,
            }));
        }
        Ok(Task { expr, lets, cuts: args.cuts.into(), method: args.method })
    }

    /// The constant variables as columns of one number.
    pub(super) fn constants<A: Encoding>(&self) -> Result<Vec<(&str, A)>> {
        let column = |(name, text): &'_ (String, String)| -> Result<A> {
            A::parse(self.cuts, &[text]).map_err(|error| with_place(error, |_| format!("`--let {name}`")))
        };
        self.lets.iter().map(|named| Ok((named.0.as_str(), column(named)?))).collect()
    }

    /// The variables without a constant value.
    pub(super) fn unbound(&self) -> impl Iterator<Item = &str> {
        let bound = |name: &str| self.lets.iter().any(|(known, _)| known == name);
        self.expr.variables().iter().map(String::as_str).filter(move |name| !bound(name))
    }

    /// Evaluates the formula for the given columns.
    pub(super) fn apply<A: Encoding>(&self, columns: &[(&str, &A)], device: &Device) -> Result<A> {
        A::apply(&self.expr, columns, self.cuts, self.method, device)
    }
}

/// Sets the location of a parse error; `location` receives the row of the number, from 0.
pub(super) fn with_place(error: Error, location: impl Fn(usize) -> String) -> Error {
    match error {
        Error::Arithmetic(ArithmeticError::InvalidNumber { number, problem, text, column, .. }) => {
            Error::Arithmetic(ArithmeticError::InvalidNumber {
                location: location(number),
                number,
                problem,
                text,
                column,
            })
        }
        other => other,
    }
}

/// Names `--decimal-comma` in the message about a number with a decimal comma.
pub(super) fn with_decimal_comma(mut error: Error) -> Error {
    if let Error::Arithmetic(ArithmeticError::InvalidNumber { problem, .. }) = &mut error
        && problem.contains("with a point")
    {
        problem.push_str(", or use `--decimal-comma`");
    }
    error
}
