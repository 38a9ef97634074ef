//! Calculating with numbers that are known only roughly.

use super::{Guide, line};
use crate::commands::calc::Calc;
use crate::page::Section;
use fuzzion::arithmetic::{Expr, LuArray, Method};
use fuzzion::plot::Chart;
use fuzzion::{Error, Progress, Result};

/// Cuts of the numbers that are drawn.
const CUTS: usize = 9;
const SHARE: &str = "ours / (ours + others)";
const OURS: &str = "tri(20, 30, 45)";
const OTHERS: &str = "trap(50, 60, 70, 75)";

pub(super) fn numbers(guide: &Guide<'_>) -> Result<Section> {
    let svg = guide.folder.join("profit.svg");
    let path = svg.to_string_lossy();
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
    let said = Calc::said(&profit, guide.device)?;
    let refused = |cause| Error::File { doing: "read", path: svg.clone(), cause };
    let picture = std::fs::read_to_string(&svg).map_err(refused)?;
    let (ours, others) = (format!("ours={OURS}"), format!("others={OTHERS}"));
    let share = |method| [SHARE, "--let", &ours, "--let", &others, "--cuts", "3", "--method", method];
    let (direct, vertex) = (share("direct"), share("vertex"));
    Ok(Section::new("Fuzzy numbers")
        .text(
            "A plan is full of numbers that nobody knows exactly: a demand of about 100, a price between 2.5 and 2.75. A fuzzy \
             number is a stack of intervals, from what is possible (alpha 0) to what is expected (alpha 1), and a formula is \
             computed at every level. Bounds are only ever rounded outwards, so that the true result lies within them.",
        )
        .command(line("calc", &profit))
        .output(said)
        .figure(picture, "The three numbers and the profit: most likely between 80 and 105, possibly a loss.")
        .text(
            "A variable that appears twice is one number, and operators do not know that: our share of a market comes out too \
             wide, as though our sales could be high in one place and low in the other. The vertex method proves where the \
             formula rises or falls, and looks at the ends alone:",
        )
        .command(line("calc", &direct))
        .output(Calc::said(&direct, guide.device)?)
        .command(line("calc", &vertex))
        .output(Calc::said(&vertex, guide.device)?)
        .figure(both(guide)?, "Both enclose the true share; the vertex method is exact here.")
        .note(
            "A divisor that contains 0 makes a result unbounded, never wrong. `fuzzion calc EXPR --data IN.csv` does the same \
             for every row of a table, whose columns may hold fuzzy numbers.",
        ))
}

/// The share by operators alone and by vertices, over one axis.
fn both(guide: &Guide<'_>) -> Result<String> {
    let expr = Expr::new(SHARE)?;
    let (ours, others) = (LuArray::<f64>::parse(CUTS, &[OURS])?, LuArray::parse(CUTS, &[OTHERS])?);
    let columns = [("ours", &ours), ("others", &others)];
    let alphas: Vec<f64> = (0..CUTS).map(|i| i as f64 / (CUTS - 1) as f64).collect();
    let chart = Chart::new(SHARE).x_label("share").y_label("membership").y_range(0.0, 1.05);
    let chart = [Method::Direct, Method::Vertex].into_iter().try_fold(chart, |chart, method| {
        let share = expr.apply(&columns, CUTS, method, guide.device, Progress::none())?;
        let cuts = (0..CUTS).map(|i| share.cut(0, i));
        let (lower, upper): (Vec<f64>, Vec<f64>) = cuts.map(|cut| (cut.lower, cut.upper)).unzip();
        Ok::<Chart, Error>(chart.alpha_cuts(&method.to_string(), &alphas, &lower, &upper))
    })?;
    Ok(chart.to_svg())
}
