//! A self-constructing network that classifies two spirals.

use crate::commands::sonfin::Fit;
use crate::commands::tour::guide::{Guide, command_line};
use crate::page::Section;
use fuzzion::Result;
use fuzzion::plot::Figure;
use fuzzion::sonfin::{Classify, Growth, Model, Sonfin, two_spirals};

/// Number of points on each arm of the spiral.
const POINTS: usize = 200;
/// The samples whose nearest rules are printed.
const SAMPLES: [usize; 3] = [0, 101, 250];
/// The numbers of rules of the plotted networks.
const RULES: [usize; 4] = [4, 12, 24, 48];

pub(crate) fn sonfin(guide: &Guide<'_>) -> Result<Section> {
    let (data, model) = (guide.argument("spirals.csv"), guide.argument("spirals.json"));
    let spirals = two_spirals(POINTS)?;
    spirals.write(&data)?;
    let (points, rules) = (POINTS.to_string(), RULES[RULES.len() - 1].to_string());
    let generate = ["spirals", "--points", &points, "--out", &data];
    let fit = [&data, "--target", "arm", "--classify", "--rules", &rules, "--model", &model];
    let output = Fit::output_of(&fit, guide.device)?;

    let mut charts = Figure::grid(2);
    for rules in RULES {
        let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(rules));
        let fitted = sonfin.fit(&spirals, &["arm"], guide.device)?;
        let error = format!("error rate {:.1} %", 100.0 * fitted.report.train_error);
        charts = charts.add(fitted.plot_plane(&spirals, guide.device)?.subtitle(error).size(414.0, 400.0));
    }
    let model = Model::load(&model)?;
    let nearest = |row: &usize| Ok(model.rule_text(&model.explain(&spirals, *row)?.nearest, 2));
    let nearest_rules = SAMPLES.iter().map(nearest).collect::<Result<Vec<String>>>()?;
    Ok(Section::new("Self-constructing networks")
        .text(
            "A self-constructing network adds rules during training: a sample that no rule covers becomes a new rule, and every \
             sample adjusts the rules that it fires. This is useful for data streams, and if the number of rules is not known in \
             advance. The example is the classic problem of two intertwined spirals:",
        )
        .command(command_line("data", &generate))
        .command(command_line("sonfin fit", &fit))
        .output(output)
        .figure(
            charts.to_svg(),
            "The decision regions with increasing numbers of rules; each ellipse is a rule, where its membership is 1/e.",
        )
        .text("The rules are readable; these are the nearest rules of three samples:")
        .output(nearest_rules.join("\n"))
        .note(
            "See `fuzzion sonfin fit --help` for streams, multiple outputs, regression, missing values and the GPU mappings.",
        ))
}
