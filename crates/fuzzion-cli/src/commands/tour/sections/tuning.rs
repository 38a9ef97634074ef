//! Rules learned from the behavior of a controller.

use crate::commands::tour::guide::{Guide, command_line};
use crate::commands::tune::Tune;
use crate::page::Section;
use fuzzion::Device;
use fuzzion::Result;
use fuzzion::data::ReadTable;
use fuzzion::inference::plot::Response;
use fuzzion::inference::{Dialect, System};
use fuzzion::plot::{Chart, ColorMap, Figure};
use fuzzion::tuning::{Tuner, truck, truck_controller};

/// Number of points along each of x and phi.
const POINTS: usize = 40;
/// Numbers of sets of x and phi.
const SETS: [usize; 2] = [5, 7];
/// Wheel angle in degrees at the ends of the color scale.
const THETA: f64 = 32.0;

pub(crate) fn tuning(guide: &Guide<'_>) -> Result<Section> {
    let [data, model, page] = ["truck.csv", "truck.fll", "truck.html"].map(|name| guide.argument(name));
    truck(POINTS)?.write(&data)?;
    let points = POINTS.to_string();
    let sets = SETS.map(|sets| sets.to_string()).join(",");
    let generate = ["truck", "--points", &points, "--out", &data];
    let tune =
        [&data, "--target", "theta", "--sets", &sets, "--order", "0", "--model", &model, "--plot", &page];
    let output = Tune::output_of(&tune, guide.device)?;

    // The same fit once more, for its error history and initial sets.
    let table = ReadTable::new().read(&data)?;
    let fitted = Tuner::grid(&SETS).order(0).fit(&table, &["theta"], guide.device)?;
    let learned = System::load(&model)?.system;
    let pair = Figure::grid(2)
        .add(surface("original: 35 rules by hand", &truck_controller()?, Dialect::Matlab, guide.device)?)
        .add(surface("learned: 35 rules", &learned, Dialect::default(), guide.device)?);
    Ok(Section::new("Learned rules")
        .text(
            "If you don't know the rules, learn them from data. Kosko's truck backer-upper is a controller with 35 rules, which \
             computes the wheel angle (theta) from the position (x) and direction (phi) of a truck. The training data are samples of its \
             output:",
        )
        .command(command_line("data", &generate))
        .text(
            "Training alternates between least squares for the consequents and gradient steps for the sets. The result is an ordinary \
             fuzzy system with readable rules, which fuzzylite, MATLAB and Fuzzion can run.",
        )
        .command(command_line("tune", &tune))
        .output(output)
        .figure(fitted.report.plot().to_svg(), "The error in degrees per iteration; the wheels turn by up to 30 degrees.")
        .figure(pair.to_svg(), "The wheel angle over position and direction: the original controller and the learned system.")
        .gallery(
            (0..2).map(|i| Ok(fitted.plot_sets(i)?.size(404.0, 250.0).to_svg())).collect::<Result<_>>()?,
            "The sets after tuning (solid) and before (dashed).",
        )
        .note("See `fuzzion tune --help` for polynomial consequents, multiple outputs, classification and rules from clusters."))
}

fn surface(title: &str, system: &System, dialect: Dialect, device: &Device) -> Result<Chart> {
    let response = Response::surface(0, 0, 1).points(61).dialect(dialect);
    let values = response.values(system, device)?;
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
