//! Charts of fuzzy sets, norms, hedges and α-cuts.

use crate::commands::tour::guide::Guide;
use crate::page::Section;
use fuzzion::Result;
use fuzzion::plot::{Chart, Figure};
use fuzzion::sets::{Hedge, Set, TNorm};

/// Number of points of a curve.
const POINTS: usize = 401;

/// Number of cells along each side of a heat map.
const CELLS: usize = 33;

fn curve(set: &Set, (lower, upper): (f64, f64), guide: &Guide<'_>) -> Result<(Vec<f64>, Vec<f64>)> {
    let step = (upper - lower) / (POINTS - 1) as f64;
    let x: Vec<f64> = (0..POINTS).map(|i| lower + step * i as f64).collect();
    let y = set.memberships(&x, guide.device)?;
    Ok((x, y))
}

pub(crate) fn shapes(guide: &Guide<'_>) -> Result<Section> {
    let sets = [
        ("cold", Set::trapezoid(f64::NEG_INFINITY, f64::NEG_INFINITY, 5.0, 15.0)?),
        ("mild", Set::triangle(5.0, 15.0, 22.0)?),
        ("warm", Set::gaussian(22.0, 3.5)?),
        ("hot", Set::s_shape(22.0, 35.0)?),
    ];
    let mut temperature = Chart::new("Temperature").x_label("°C").y_label("membership").size(840.0, 320.0);
    for (name, set) in &sets {
        let (x, y) = curve(set, (-5.0, 40.0), guide)?;
        temperature = temperature.line(name, &x, &y);
    }
    let at = 18.5;
    let memberships =
        sets.iter().map(|(name, set)| vec![(*name).to_owned(), format!("{:.4}", set.membership(at))]);
    let rows: Vec<Vec<String>> = memberships.collect();
    Ok(Section::new("Fuzzy sets")
        .command(format!("fuzzion tour --out {}", guide.folder.display()))
        .text(
            "A fuzzy set assigns a membership from 0 to 1 to every number. Four sets describe a temperature in everyday terms:",
        )
        .figure(temperature.vertical_line("18.5 °C", at).to_svg(), "18.5 °C is mild and warm, each to some degree.")
        .table(&["set", "membership of 18.5 °C"], &rows)
        .text("Twenty shapes are available, with the names and parameters of fuzzylite:")
        .figure(gallery(guide)?, "All shapes over the range −4 … 4.")
        .note("`fuzzion selftest` compares every shape, in both precisions, with its textbook formula."))
}

fn gallery(guide: &Guide<'_>) -> Result<String> {
    let sets = [
        Set::triangle(-2.0, 0.5, 3.0)?,
        Set::trapezoid(-3.0, -1.0, 1.0, 2.5)?,
        Set::rectangle(-2.0, 2.0)?,
        Set::discrete(&[(-3.0, 0.1), (-1.0, 1.0), (0.5, 0.3), (3.0, 0.8)])?,
        Set::semi_ellipse(-3.0, 3.0)?,
        Set::bell(0.0, 1.5, 3.0)?,
        Set::cosine(0.0, 6.0)?,
        Set::gaussian(0.0, 1.2)?,
        Set::gaussian_product(-1.0, 0.6, 1.0, 1.2)?,
        Set::pi_shape(-3.5, -1.0, 1.0, 3.5)?,
        Set::sigmoid_difference(-1.5, 4.0, 3.0, 1.5)?,
        Set::sigmoid_product(-1.5, 4.0, -3.0, 1.5)?,
        Set::spike(0.0, 8.0)?,
        Set::arc(-2.0, 2.0)?,
        Set::binary(0.0, f64::INFINITY)?,
        Set::concave(-1.0, 2.5)?,
        Set::ramp(-2.0, 2.0)?,
        Set::sigmoid(0.0, 2.0)?,
        Set::s_shape(-2.5, 2.5)?,
        Set::z_shape(-2.5, 2.5)?,
    ];
    let mut figure = Figure::grid(4);
    for set in &sets {
        let (x, y) = curve(set, (-4.0, 4.0), guide)?;
        figure = figure.add(Chart::new(set.shape().name()).y_range(0.0, 1.05).area("", &x, &y));
    }
    Ok(figure.to_svg())
}

pub(crate) fn norms(guide: &Guide<'_>) -> Result<Section> {
    let mut norms = Figure::grid(4);
    for norm in TNorm::ALL {
        let at = |i: usize| i as f64 / (CELLS - 1) as f64;
        let values: Vec<f64> = (0..CELLS * CELLS).map(|i| norm.apply(at(i % CELLS), at(i / CELLS))).collect();
        norms = norms.add(
            Chart::new(norm.name())
                .x_label("a")
                .y_label("b")
                .heat_map(&values, CELLS, (0.0, 1.0), (0.0, 1.0))
                .value_range(0.0, 1.0)
                .size(210.0, 200.0),
        );
    }
    let warm = Set::gaussian(22.0, 3.5)?;
    let (x, y) = curve(&warm, (8.0, 36.0), guide)?;
    let mut hedges = Chart::new("Hedges").x_label("°C").y_label("membership").line("warm", &x, &y);
    for hedge in [Hedge::Very, Hedge::Somewhat, Hedge::Extremely, Hedge::Not] {
        let hedged: Vec<f64> = y.iter().map(|m| hedge.apply(*m)).collect();
        hedges = hedges.line(&format!("{} warm", hedge.name()), &x, &hedged);
    }
    let alphas: Vec<f64> = (1..=10).map(|i| f64::from(i) / 10.0).collect();
    let cuts = alphas.iter().filter_map(|alpha| warm.alpha_cut(*alpha));
    let (lower, upper): (Vec<f64>, Vec<f64>) = cuts.map(|cut| (cut.lower, cut.upper)).unzip();
    let cuts = Chart::new("α-cuts of warm")
        .x_label("°C")
        .y_label("α")
        .alpha_cuts("cuts", &alphas, &lower, &upper)
        .line("warm", &x, &y);
    Ok(Section::new("Norms, hedges and cuts")
        .command(format!("fuzzion tour --out {}", guide.folder.display()))
        .text("A t-norm computes the membership of `a and b` from two memberships; the color is the result:")
        .figure(norms.to_svg(), "The seven t-norms. Each has a dual s-norm for `a or b`.")
        .text("Hedges modify a set; an α-cut is the interval where the membership is at least α.")
        .figure(Figure::grid(2).add(hedges).add(cuts).to_svg(), "The set warm with hedges, and its α-cuts."))
}
