//! `fuzzion calc`

mod encoding;
mod plot;
mod single;
mod table;

use super::paths::clash;
use super::reading::TextFile;
use crate::console::{self, Console};
use clap::Parser;
use encoding::Encoding;
use fuzzion::arithmetic::{Expr, LuArray, Method, MrArray};
use fuzzion::{Device, Error, Progress, Result};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Calculate with fuzzy numbers: about 5, between 0.4 and 0.7
#[derive(clap::Args)]
#[command(
    after_help = "A fuzzy number is a stack of cuts, from its support (alpha 0) to its core (alpha 1). Every result encloses the \
true one: bounds are only ever rounded outwards.

Numbers: 2  -1.5e3  [1,3]  tri(1,2,3)  trap(1,2,3,4)  gauss(5,0.5)  bell(5,1,2)  cuts([1,3],[2,2])  mid(2,1,0)
Formulas: + - * / ^ ( ), recip sqr sqrt exp log abs of one, min max of two, fma(x,y,z) of three; other names are variables.

In a table the variables are the columns of their names, which hold plain or fuzzy numbers (in quotes where they hold the \
separator); of a missing one nothing is known. To the table come the result as a number that reads back, the bounds of its \
support and its centroid.

Examples:
  fuzzion calc 'tri(1,2,3) * trap(2,3,4,5) / [0.5,2]' --plot product.svg
  fuzzion calc 'x * (1 - x)' --let 'x=tri(0,0.5,1)' --method vertex     x is one number, not two
  fuzzion calc 'demand * price - cost' --data plan.csv --out profit.csv --name profit"
)]
pub(crate) struct Calc {
    /// The formula
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    formula: String,
    /// A variable and its value; may be repeated
    #[arg(long = "let", value_name = "NAME=NUMBER")]
    lets: Vec<String>,
    /// Cuts of every number
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    cuts: u16,
    /// How numbers are held: lower and upper bounds (lu), or a midpoint and radii (mr), which is smaller and wider
    #[arg(long, value_name = "HOW", value_parser = ["lu", "mr"], default_value = "lu", hide_possible_values = true)]
    encoding: String,
    /// How precisely: f32, f64, or mixed for an f64 midpoint and f32 radii (with mr)
    #[arg(long, value_name = "TYPE", value_parser = ["f32", "f64", "mixed"], default_value = "f64", hide_possible_values = true)]
    precision: String,
    /// What is done where a variable appears twice: direct (nothing), vertex (exact where monotone) or affine
    #[arg(long, value_name = "WORD", default_value_t = Method::Direct)]
    method: Method,
    /// Where to draw the result and the numbers it was made of
    #[arg(long, value_name = "OUT.svg", conflicts_with = "data")]
    plot: Option<PathBuf>,
    /// A table whose columns are the variables: CSV, TSV (also .gz), NPY, or `-` for standard input
    #[arg(long, value_name = "IN")]
    data: Option<PathBuf>,
    /// Where to write the table with its results: .csv or .tsv (default: standard output)
    #[arg(long, value_name = "OUT", requires = "data")]
    out: Option<PathBuf>,
    /// What the column of results is called
    #[arg(long, value_name = "NAME", requires = "data", default_value = "result")]
    name: String,
    #[command(flatten)]
    text: TextFile,
}

/// A command line that holds nothing else.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Alone {
    #[command(flatten)]
    calc: Calc,
}

/// A formula and the variables that have one value.
struct Task {
    expr: Expr,
    lets: Vec<(String, String)>,
    cuts: usize,
    method: Method,
}

impl Calc {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        if let Some(sentence) = self.misdirected(console) {
            console::complain(&sentence);
            return Ok(ExitCode::from(2));
        }
        match (self.encoding.as_str(), self.precision.as_str()) {
            ("lu", "f32") => self.run_with::<LuArray<f32>>(device, console),
            ("lu", _) => self.run_with::<LuArray<f64>>(device, console),
            ("mr", "f32") => self.run_with::<MrArray<f32>>(device, console),
            ("mr", "f64") => self.run_with::<MrArray<f64>>(device, console),
            _ => self.run_with::<MrArray<f64, f32>>(device, console),
        }
    }

    /// What `fuzzion calc` with these words says.
    pub(crate) fn said(words: &[&str], device: &Device) -> Result<String> {
        let told = Alone::try_parse_from(words).map_err(|e| Error::Malformed {
            path: "fuzzion calc".into(),
            format: "a command",
            reason: e.to_string(),
        })?;
        told.calc.single::<LuArray<f64>>(device, Progress::none(), false)
    }

    /// Why the words do not go together.
    fn misdirected(&self, console: &Console) -> Option<String> {
        if self.encoding == "lu" && self.precision == "mixed" {
            return Some(
                "`--precision mixed` is a midpoint and radii of two types; add `--encoding mr`".into(),
            );
        }
        let out = self.out.as_deref().unwrap_or(Path::new("-"));
        if self.data.is_some() && out == Path::new("-") && console.json() {
            return Some(
                "`--json` and a table cannot share standard output; name a file with `--out`".into(),
            );
        }
        clash(&[self.data.as_deref().unwrap_or(Path::new("-"))], &[("--out", out)])
    }

    fn run_with<A: Encoding>(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        let bar = console.bar("calculating");
        let step = |done, total| bar.step(done, total);
        match &self.data {
            Some(data) => self.rows::<A>(data, device, Progress::new(&step), console),
            None if console.json() => {
                let told = self.single_json::<A>(device, Progress::new(&step))?;
                drop(bar);
                console.say_json(&told)
            }
            None => {
                let told = self.single::<A>(device, Progress::new(&step), console.quiet())?;
                drop(bar);
                console.say(&told)
            }
        }
        .map(|()| ExitCode::SUCCESS)
    }

    /// The formula and the values that stand in the command itself.
    fn task(&self) -> Result<Task> {
        let expr = Expr::new(&self.formula)?;
        let mut lets: Vec<(String, String)> = Vec::new();
        for text in &self.lets {
            let (name, value) = text.split_once('=').map_or((text.trim(), ""), |(a, b)| (a.trim(), b.trim()));
            let problem = if name.is_empty() || value.is_empty() {
                "names no variable and its value; write it like `x=tri(1,2,3)`".into()
            } else if lets.iter().any(|(known, _)| known == name) {
                format!("gives `{name}` a second value; leave one of them out")
            } else if !expr.variables().iter().any(|known| known == name) {
                let known: Vec<String> = expr.variables().iter().map(|known| format!("`{known}`")).collect();
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                format!("gives a value to a variable that the formula has not; those there are: {known}")
            } else {
                lets.push((name.to_owned(), value.to_owned()));
                continue;
            };
            return Err(Error::System { place: format!("`--let {text}`"), problem });
        }
        Ok(Task { expr, lets, cuts: self.cuts.into(), method: self.method })
    }
}

impl Task {
    /// The variables of the command itself, each with a column of one number.
    fn columns<A: Encoding>(&self) -> Result<Vec<(&str, A)>> {
        let column = |(name, text): &'_ (String, String)| -> Result<A> {
            A::parse(self.cuts, &[text]).map_err(|error| placed(error, |_| format!("`--let {name}`")))
        };
        self.lets.iter().map(|named| Ok((named.0.as_str(), column(named)?))).collect()
    }

    /// The variables that the command gives no value.
    fn unbound(&self) -> impl Iterator<Item = &str> {
        let bound = |name: &str| self.lets.iter().any(|(known, _)| known == name);
        self.expr.variables().iter().map(String::as_str).filter(move |name| !bound(name))
    }
}

/// A number that cannot be read, at the place that `place` makes of its row, counted from 0.
fn placed(error: Error, place: impl Fn(usize) -> String) -> Error {
    match error {
        Error::FuzzyText { number, problem, text, column, .. } => {
            Error::FuzzyText { place: place(number), number, problem, text, column }
        }
        other => other,
    }
}
