//! Rules learned from what a controller does.

use super::{Guide, line};
use crate::commands::tune::Tune;
use crate::page::Section;
use fuzzion::Progress;
use fuzzion::Result;
use fuzzion::data::ReadTable;
use fuzzion::inference::plot::Response;
use fuzzion::inference::{Dialect, System};
use fuzzion::plot::{Chart, ColorMap, Figure};
use fuzzion::tuning::{Tuner, truck, truck_teacher};

/// Points along x and phi.
const POINTS: usize = 40;
/// Sets of x and of phi.
const SETS: [usize; 2] = [5, 7];
/// Degrees of the wheels that have the first and the last color.
const THETA: f64 = 32.0;

pub(super) fn tuning(guide: &Guide<'_>) -> Result<Section> {
    let at = |name: &str| guide.folder.join(name).to_string_lossy().into_owned();
    let (data, model, page) = (at("truck.csv"), at("truck.fll"), at("truck.html"));
    truck(POINTS)?.write(&data)?;
    let points = POINTS.to_string();
    let sets = SETS.map(|sets| sets.to_string()).join(",");
    let made = ["truck", "--points", &points, "--out", &data];
    let tune =
        [&data, "--target", "theta", "--sets", &sets, "--order", "0", "--model", &model, "--plot", &page];
    let said = Tune::said(&tune, guide.device)?;

    // The same fit once more, for its course.
    let table = ReadTable::new().read(&data)?;
    let fitted = Tuner::grid(&SETS).order(0).fit(&table, &["theta"], guide.device)?;
    let learned = System::load(&model)?.system;
    let pair = Figure::grid(2)
        .add(surface("the teacher: 35 rules by hand", &truck_teacher()?, Dialect::Matlab)?)
        .add(surface("the pupil: 35 rules learned", &learned, Dialect::default())?);
    Ok(Section::new("Learned rules")
        .text(
            "Where nobody can say the rules, they are learned from rows. Kosko's truck is backed up to a dock by rules that say how to \
             turn its wheels (theta) by its place (x) and direction (phi). Of these rules only what they did is known here:",
        )
        .command(line("data", &made))
        .text(
            "Least squares finds what each rule concludes, gradients move the sets, in turns. The result is a system like any other: \
             rules to read, in a file that fuzzylite, MATLAB and this program run.",
        )
        .command(line("tune", &tune))
        .output(said)
        .figure(fitted.report.plot().to_svg(), "The error in degrees from iteration to iteration; the wheels turn up to 30 degrees.")
        .figure(pair.to_svg(), "What the wheels do, by place and direction of the truck: the rows' source and what was learned from them.")
        .gallery(
            (0..2).map(|i| Ok(fitted.plot_sets(i)?.size(404.0, 250.0).to_svg())).collect::<Result<_>>()?,
            "The sets have moved to where the teacher's surface bends; dashed where they began.",
        )
        .note("Polynomials of any degree, several outputs, classes, streams and rules from clusters: see `fuzzion tune --help`."))
}

fn surface(title: &str, system: &System, dialect: Dialect) -> Result<Chart> {
    let response = Response::surface(0, 0, 1).points(61).dialect(dialect);
    let values = response.values(system, Progress::none())?;
    Ok(Chart::new(title)
        .x_label("x")
        .y_label("phi")
        .value_label("theta")
        .color_map(ColorMap::Diverging)
        .value_range(-THETA, THETA)
        .heat_map(&values, 61, (0.0, 100.0), (-90.0, 270.0))
        .contours()
        .size(414.0, 340.0))
}
