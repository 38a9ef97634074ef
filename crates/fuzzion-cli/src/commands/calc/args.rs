//! The arguments of `fuzzion calc`.

use super::aggregate::Aggregate;
use crate::commands::common::table_args::TextTableArgs;
use fuzzion::arithmetic::Evaluation;
use std::path::PathBuf;

/// Evaluate formulas with fuzzy numbers, such as "about 5" or "between 0.4 and 0.7"
#[derive(clap::Args)]
#[command(
    after_help = "A fuzzy number is represented by nested α-cuts, from its support (alpha 0) to its core (alpha 1). Every result encloses the \
exact result: bounds are rounded outward.

Numbers: 2  -1.5e3  [1,3]  tri(1,2,3)  trap(1,2,3,4)  gauss(5,0.5)  bell(5,1,2)  cuts([1,3],[2,2])  mid(2,1,0)
Formulas: + - * / ^ ( ), recip sqr sqrt exp log abs with one argument, min max with two, fma(x,y,z) with three; other names are variables.

With --data, the variables are table columns of plain or fuzzy numbers (quoted if they contain the separator); a missing value is \
treated as unbounded. The output table adds the bounds of the support, the centroid, and the result in a form that can be read back. \
--aggregate combines the rows instead; the minimum and the maximum are those of the bounds of each α-cut.

Examples:
  fuzzion calc 'tri(1,2,3) * trap(2,3,4,5) / [0.5,2]' --plot product.svg
  fuzzion calc 'x * (1 - x)' --let 'x=tri(0,0.5,1)' --method vertex     treat both occurrences of x as one number
  fuzzion calc 'demand * price - cost' --data plan.csv --out profit.csv --name profit
  fuzzion calc 'demand * price - cost' --data plan.csv --aggregate sum            the total profit"
)]
pub(crate) struct Calc {
    /// Formula to evaluate
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(super) formula: String,
    /// Set a variable; can be repeated
    #[arg(long = "let", value_name = "NAME=NUMBER")]
    pub(super) lets: Vec<String>,
    /// Number of α-cuts per fuzzy number
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) cuts: u16,
    /// Encoding: lu (lower and upper bounds) or mr (midpoint and radii; smaller, but less tight: the column `relative width` is the
    /// width of each cut divided by its width with lu)
    #[arg(long, value_name = "NAME", value_parser = ["lu", "mr"], default_value = "lu", hide_possible_values = true)]
    pub(super) encoding: String,
    /// Precision: f32, f64, or mixed (f64 midpoint with f32 radii; mr only)
    #[arg(long, value_name = "TYPE", value_parser = ["f32", "f64", "mixed"], default_value = "f64", hide_possible_values = true)]
    pub(super) precision: String,
    /// Treatment of repeated variables: direct (independent), vertex (exact if monotone) or affine
    #[arg(long, value_name = "METHOD", default_value_t = Evaluation::Direct)]
    pub(super) method: Evaluation,
    /// Plot the result and its operands to this file
    #[arg(long, value_name = "OUT.svg", conflicts_with = "data")]
    pub(super) plot: Option<PathBuf>,
    /// Table with the variables as columns: CSV, TSV (also .gz), NPY, or `-` for standard input
    #[arg(long, value_name = "IN")]
    pub(super) data: Option<PathBuf>,
    /// Write the table with the results to this .csv or .tsv file [default: standard output]
    #[arg(long, value_name = "OUT", requires = "data")]
    pub(super) out: Option<PathBuf>,
    /// Print the sum, mean, min (minimum) or max (maximum) of the formula over all rows of the table
    #[arg(long, value_name = "NAME", requires = "data", conflicts_with_all = ["out", "name"], hide_possible_values = true)]
    pub(super) aggregate: Option<Aggregate>,
    /// Name of the result column
    #[arg(long, value_name = "NAME", requires = "data", default_value = "result")]
    pub(super) name: String,
    #[command(flatten)]
    pub(super) text: TextTableArgs,
}
