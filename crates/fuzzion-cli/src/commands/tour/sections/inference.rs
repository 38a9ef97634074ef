//! A fuzzy system with rules.

use crate::commands::common::files::write_file;
use crate::commands::systems::explain::Explain;
use crate::commands::systems::show::Show;
use crate::commands::tour::guide::{Guide, command_line};
use crate::page::Section;
use fuzzion::Result;
use fuzzion::inference::plot::Response;
use fuzzion::inference::{Dialect, Output, System, Variable, VariableIndex};
use fuzzion::sets::Set;

/// The example row: mediocre service and good food.
const ROW: [f64; 2] = [3.0, 7.5];

/// The tipping example of MATLAB's documentation.
fn tipper() -> Result<System> {
    Ok(System::new("tipper")
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
        .rule("if service is excellent or food is delicious then tip is generous")?)
}

pub(crate) fn rules(guide: &Guide<'_>) -> Result<Section> {
    let system = tipper()?;
    write_file(&guide.path("tipper.fll"), system.to_fll()?.as_bytes())?;
    let (file, page) = (guide.argument("tipper.fll"), guide.argument("tipper.html"));
    let at = ROW.map(|value| value.to_string()).join(",");
    let (show, explain) = ([file.as_str(), "--html", &page], [file.as_str(), "--at", &at]);

    let half = |variable, row: Option<f64>| -> Result<String> {
        let chart = system.plot_sets(variable)?.size(404.0, 250.0);
        let Some(x) = row else { return Ok(chart.to_svg()) };
        Ok(chart.vertical_line(&format!("input {x}"), x).color(4).to_svg())
    };
    let sets = vec![
        half(VariableIndex::Input(0), Some(ROW[0]))?,
        half(VariableIndex::Input(1), Some(ROW[1]))?,
        half(VariableIndex::Output(0), None)?,
    ];
    let explained = system.explain(&ROW, Dialect::default())?;
    let conclusion = explained.outputs[0].chart(&system.outputs[0].variable).size(404.0, 250.0).to_svg();
    let surface = Response::surface(0, 0, 1).chart(&system, guide.device)?.to_svg();
    Ok(Section::new("Rules")
        .text(
            "A fuzzy system describes a function with linguistic rules: this one computes a tip from 0 to 30 percent with three \
             rules. Fuzzion reads and writes the files of fuzzylite (`.fll`) and MATLAB (`.fis`) and computes the same results.",
        )
        .command(command_line("show", &[&file]))
        .output(Show::output_of(&[&file], guide.device)?)
        .gallery(
            [sets, vec![conclusion]].concat(),
            "The membership functions with the inputs service = 3 and food = 7.5, and the conclusion of the rules.",
        )
        .text("The explanation lists the fired rules, their firing strengths and their contributions to the output:")
        .command(command_line("explain", &explain))
        .output(Explain::output_of(&explain)?)
        .text("The response over both inputs is the control surface:")
        .command(command_line("show", &show))
        .output(Show::output_of(&show, guide.device)?)
        .figure(surface, "The tip over service and food; contour lines connect equal tips."))
}
