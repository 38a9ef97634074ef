//! Fuzzy numbers: a profit, and a market share with a repeated variable.

use crate::commands::calc::Calc;
use crate::commands::common::files::read_text;
use crate::commands::tour::guide::{Guide, command_line};
use crate::page::Section;
use fuzzion::arithmetic::{Evaluation, Expr, LuArray};
use fuzzion::plot::Chart;
use fuzzion::{Error, Result};

/// Number of cuts of the plotted numbers.
const CUTS: usize = 9;
const SHARE: &str = "ours / (ours + others)";
const OURS: &str = "tri(20, 30, 45)";
const OTHERS: &str = "trap(50, 60, 70, 75)";

pub(crate) fn numbers(guide: &Guide<'_>) -> Result<Section> {
    let path = guide.argument("profit.svg");
    let profit = [
        "demand * price - cost",
        "--let",
        "demand=tri(90,100,120)",
        "--let",
        "price=trap(2,2.5,2.75,3)",
        "--let",
        "cost=tri(150,170,200)",
        "--cuts",
        "5",
        "--plot",
        &path,
    ];
    let output = Calc::output_of(&profit, guide.device)?;
    let chart = read_text(path.as_ref())?;
    let (ours, others) = (format!("ours={OURS}"), format!("others={OTHERS}"));
    let share = |method| [SHARE, "--let", &ours, "--let", &others, "--cuts", "3", "--method", method];
    let (direct, vertex) = (share("direct"), share("vertex"));
    Ok(Section::new("Fuzzy numbers")
        .text(
            "Fuzzy numbers represent values that are not known exactly: a demand of about 100, a price between 2.5 and 2.75. A \
             fuzzy number is a family of nested intervals, from all possible values (alpha 0) to the most plausible ones (alpha 1), and \
             formulas are evaluated at every level. Bounds are rounded outward, so that they enclose the exact result.",
        )
        .command(command_line("calc", &profit))
        .output(output)
        .figure(chart, "The three numbers and the profit: most plausibly between 80 and 105, but a loss is possible.")
        .text(
            "A variable that occurs twice is one number, but the operators treat its occurrences as independent: the market share \
             below comes out too wide, as if our sales could be high in one place and low in the other. The vertex method proves \
             where the formula is monotone and evaluates only the end points:",
        )
        .command(command_line("calc", &direct))
        .output(Calc::output_of(&direct, guide.device)?)
        .command(command_line("calc", &vertex))
        .output(Calc::output_of(&vertex, guide.device)?)
        .figure(comparison(guide)?, "Both results enclose the true market share; the vertex method is exact here.")
        .note(
            "A divisor that contains 0 makes the result unbounded, never wrong. `fuzzion calc EXPR --data IN.csv` evaluates a formula \
             for every row of a table, whose columns may contain fuzzy numbers.",
        ))
}

/// The market share by the direct and the vertex method, over one axis.
fn comparison(guide: &Guide<'_>) -> Result<String> {
    let expr = Expr::new(SHARE)?;
    let (ours, others) = (LuArray::<f64>::parse(CUTS, &[OURS])?, LuArray::parse(CUTS, &[OTHERS])?);
    let columns = [("ours", &ours), ("others", &others)];
    let alphas: Vec<f64> = (0..CUTS).map(|i| i as f64 / (CUTS - 1) as f64).collect();
    let chart = Chart::new(SHARE).x_label("market share").y_label("membership").y_range(0.0, 1.05);
    let chart = [Evaluation::Direct, Evaluation::Vertex].into_iter().try_fold(chart, |chart, method| {
        let share = expr.apply(&columns, CUTS, method, guide.device)?;
        let cuts = (0..CUTS).map(|i| share.cut(0, i));
        let (lower, upper): (Vec<f64>, Vec<f64>) = cuts.map(|cut| (cut.lower, cut.upper)).unzip();
        Ok::<Chart, Error>(chart.alpha_cuts(&method.to_string(), &alphas, &lower, &upper))
    })?;
    Ok(chart.to_svg())
}
