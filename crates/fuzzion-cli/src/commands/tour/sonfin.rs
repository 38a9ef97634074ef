//! Rules that grow while samples stream past.

use super::{Guide, line};
use crate::commands::sonfin::Fit;
use crate::page::Section;
use fuzzion::Result;
use fuzzion::plot::Figure;
use fuzzion::sonfin::{Classify, Growth, Model, Sonfin, two_spirals};

/// Points on each arm of the spiral.
const POINTS: usize = 200;
/// The samples whose nearest rules are told.
const SAMPLES: [usize; 3] = [0, 101, 250];
/// The numbers of rules that are drawn, from few to enough.
const RULES: [usize; 4] = [4, 12, 24, 48];

pub(super) fn sonfin(guide: &Guide<'_>) -> Result<Section> {
    let at = |name: &str| guide.folder.join(name).to_string_lossy().into_owned();
    let (data, model) = (at("spirals.csv"), at("spirals.json"));
    let spirals = two_spirals(POINTS)?;
    spirals.write(&data)?;
    let (points, rules) = (POINTS.to_string(), RULES[RULES.len() - 1].to_string());
    let made = ["spirals", "--points", &points, "--out", &data];
    let fit = [&data, "--target", "arm", "--classify", "--rules", &rules, "--model", &model];
    let said = Fit::said(&fit, guide.device)?;

    let mut pictures = Figure::grid(2);
    for rules in RULES {
        let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(rules));
        let grown = sonfin.fit(&spirals, &["arm"], guide.device)?;
        let wrong = format!("{:.1} % of the samples wrong", 100.0 * grown.report.train_error);
        pictures = pictures.add(grown.plot_plane(&spirals, guide.device)?.subtitle(wrong).size(414.0, 400.0));
    }
    let learned = Model::load(&model)?;
    let nearest = |row: &usize| Ok(learned.rule_text(&learned.explain(&spirals, *row)?.nearest, 2));
    let cases = SAMPLES.iter().map(nearest).collect::<Result<Vec<String>>>()?;
    Ok(Section::new("Rules that grow")
        .text(
            "Where samples never stop, or nobody knows how many rules are needed, a network grows its own: a sample that no rule \
             knows becomes one, and every sample moves the rules it touches a little. Two spirals that wind around each other are \
             a classic to learn:",
        )
        .command(line("data", &made))
        .command(line("sonfin fit", &fit))
        .output(said)
        .figure(
            pictures.to_svg(),
            "The plane as the network sees it with ever more rules; each ellipse is a rule, where its membership is 1/e.",
        )
        .text("The rules read as cases; these are the nearest to some of the samples:")
        .output(cases.join("\n"))
        .note(
            "Streams, several outputs, numbers instead of classes, missing values, and three ways to lay the work out on a GPU: \
             see `fuzzion sonfin fit --help`.",
        ))
}
