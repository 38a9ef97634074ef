//! Rules in words, and what they make of numbers.

use super::{Guide, line};
use crate::commands::explain::Explain;
use crate::commands::show::Show;
use crate::page::Section;
use fuzzion::data::output::Output as File;
use fuzzion::inference::plot::Response;
use fuzzion::inference::{Dialect, Output, Place, System, Variable};
use fuzzion::sets::Set;
use fuzzion::{Progress, Result};
use std::io::Write as _;

/// The row that is explained: indifferent service, good food.
const ROW: [f64; 2] = [3.0, 7.5];

/// How much to tip, after the example of MATLAB's documentation.
fn tipper() -> Result<System> {
    System::new("tipper")
        .input(
            Variable::new("service", 0.0, 10.0)
                .set("poor", Set::gaussian(0.0, 1.5)?)
                .set("good", Set::gaussian(5.0, 1.5)?)
                .set("excellent", Set::gaussian(10.0, 1.5)?),
        )
        .input(
            Variable::new("food", 0.0, 10.0)
                .set("rancid", Set::trapezoid(-2.0, 0.0, 1.0, 3.0)?)
                .set("delicious", Set::trapezoid(7.0, 9.0, 10.0, 12.0)?),
        )
        .output(
            Output::new("tip", 0.0, 30.0)
                .set("cheap", Set::triangle(0.0, 5.0, 10.0)?)
                .set("average", Set::triangle(10.0, 15.0, 20.0)?)
                .set("generous", Set::triangle(20.0, 25.0, 30.0)?),
        )
        .rule("if service is poor or food is rancid then tip is cheap")?
        .rule("if service is good then tip is average")?
        .rule("if service is excellent or food is delicious then tip is generous")
}

pub(super) fn rules(guide: &Guide<'_>) -> Result<Section> {
    let system = tipper()?;
    let file = guide.folder.join("tipper.fll");
    let mut out = File::create(&file)?;
    out.write_all(system.to_fll()?.as_bytes()).map_err(|cause| out.error(cause))?;
    out.finish()?;
    let (file, page) = (file.to_string_lossy(), guide.folder.join("tipper.html"));
    let page = page.to_string_lossy();
    let at = ROW.map(|value| value.to_string()).join(",");
    let (show, explain) = (vec![file.as_ref(), "--html", &page], vec![file.as_ref(), "--at", &at]);

    let half = |place, row: Option<f64>| -> Result<String> {
        let chart = system.plot_sets(place)?.size(404.0, 250.0);
        let Some(x) = row else { return Ok(chart.to_svg()) };
        Ok(chart.mark_x(&format!("here {x}"), x).color(4).to_svg())
    };
    let sets = vec![
        half(Place::Input(0), Some(ROW[0]))?,
        half(Place::Input(1), Some(ROW[1]))?,
        half(Place::Output(0), None)?,
    ];
    let explained = system.explain(&ROW, Dialect::default())?;
    let conclusion = explained.outputs[0].chart(&system.outputs[0].variable).size(404.0, 250.0).to_svg();
    let surface = Response::surface(0, 0, 1).chart(&system, Progress::none())?.to_svg();
    Ok(Section::new("Rules")
        .text(
            "A fuzzy system says in words what to do: three rules for a tip, from 0 to 30 percent. Fuzzion reads and writes the \
             files of fuzzylite (`.fll`) and MATLAB (`.fis`) and computes their numbers.",
        )
        .command(line("show", &[&file]))
        .output(Show::said(&[&file])?)
        .gallery([sets, vec![conclusion]].concat(), "The sets behind the words, a service of 3, food of 7.5, and what the rules conclude.")
        .text("Which rules fire there, how strongly, and what does each contribute?")
        .command(line("explain", &explain))
        .output(Explain::said(&explain)?)
        .text("All rows at once make a surface:")
        .command(line("show", &show))
        .output(Show::said(&show)?)
        .figure(surface, "The tip for every service and every food; lines join equal tips."))
}
