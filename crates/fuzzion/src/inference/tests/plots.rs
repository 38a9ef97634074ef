//! Plots: contents and plotted values.

use super::super::plot::{Response, plot_range};
use super::super::{Dialect, Output, System, Variable, VariableIndex};
use super::{three_inputs, tipper};
use crate::device::Device;
use crate::sets::Set;
use std::ops::ControlFlow;

/// z = 2a − 3b + c over a in 0 … 1, b in 0 … 2 and c in −1 … 3.
fn plane() -> System {
    let input = |name: &str, lower, upper| Variable::new(name, lower, upper);
    let z = Output::new("z", 0.0, 1.0).set("plane", Set::linear(&[2.0, -3.0, 1.0], 0.0).unwrap());
    let system = System::new("").input(input("a", 0.0, 1.0)).input(input("b", 0.0, 2.0));
    system.input(input("c", -1.0, 3.0)).output(z).rule("if a is any then z is plane").unwrap()
}

#[test]
fn a_surface_contains_the_output_at_cell_centers_row_by_row() {
    let values = Response::surface(0, 0, 1).points(4).values(&plane(), &Device::cpu().unwrap()).unwrap();
    for (i, value) in values.iter().enumerate() {
        let (a, b, c) = ((i % 4) as f64 / 4.0 + 0.125, (i / 4) as f64 / 2.0 + 0.25, 1.0);
        assert_eq!(*value, 2.0 * a - 3.0 * b + c, "{i}"); // exact, because all values are multiples of 1/8
    }
    let fixed = vec![None, None, Some(3.0)];
    let higher = Response::surface(0, 0, 1)
        .points(4)
        .fixed_inputs(fixed)
        .values(&plane(), &Device::cpu().unwrap())
        .unwrap();
    assert!(values.iter().zip(&higher).all(|(low, high)| high - low == 2.0));
}

#[test]
fn a_curve_covers_the_range_with_other_inputs_at_their_midpoints() {
    let curve = Response::curve(0, 1).points(5);
    assert_eq!(curve.input_values(&plane(), 1), [0.0, 0.5, 1.0, 1.5, 2.0]);
    // 2·½ + 1 − 3b
    assert_eq!(curve.values(&plane(), &Device::cpu().unwrap()).unwrap(), [2.0, 0.5, -1.0, -2.5, -4.0]);
    let svg = curve.chart(&plane(), &Device::cpu().unwrap()).unwrap().to_svg();
    assert!(svg.contains("z over b") && svg.contains("a = 0.5, c = 1"), "{svg}");
}

#[test]
fn a_surface_uses_its_dialect() {
    let value = |dialect| {
        let response = Response::surface(0, 0, 1).points(2).dialect(dialect);
        response.values(&tipper(), &Device::cpu().unwrap()).unwrap()[3]
    };
    let row = |dialect| tipper().infer_row(&[7.5, 7.5], dialect).unwrap().outputs[0];
    // The order of summation differs.
    assert!((value(Dialect::Matlab) - row(Dialect::Matlab)).abs() < 1e-12);
    assert!((value(Dialect::Matlab) - value(Dialect::Fuzzylite8)).abs() > 1e-6);
}

#[test]
fn an_invalid_response_is_rejected() {
    let problem =
        |response: Response| response.values(&plane(), &Device::cpu().unwrap()).unwrap_err().to_string();
    assert_eq!(
        problem(Response::curve(1, 0)),
        "the response refers to an output that does not exist; use an output of the system"
    );
    assert_eq!(
        problem(Response::surface(0, 0, 3)),
        "the response refers to an input that does not exist; use an input of the system"
    );
    assert_eq!(
        problem(Response::surface(0, 1, 1)),
        "the response uses the same input for both axes; use two different inputs, or a curve over one input"
    );
    for points in [0, 1, 5000] {
        let problem = problem(Response::curve(0, 0).points(points));
        assert_eq!(problem, "the response must have between 2 and 4096 points along each input");
    }
    let stop = |_, _| ControlFlow::Break(());
    let stopped =
        Response::curve(0, 0).values(&plane(), &Device::cpu().unwrap().with_progress(stop)).unwrap_err();
    assert_eq!(stopped.to_string(), "interrupted");
    let unknown = plane().plot_sets(VariableIndex::Output(1)).unwrap_err().to_string();
    assert_eq!(unknown, "the plot refers to an output that does not exist; use an output of the system");
}

#[test]
fn sets_are_plotted_as_curves_bars_or_formulas() {
    let svg = tipper().plot_sets(VariableIndex::Input(1)).unwrap().to_svg();
    assert!(svg.contains(">rancid<") && svg.contains(">delicious<") && svg.contains(">food<"));
    let svg = three_inputs().plot_sets(VariableIndex::Output(0)).unwrap().to_svg();
    // One bar and one dot per Constant.
    assert!([">one<", ">two<", ">four<"].iter().all(|name| svg.contains(name)));
    let bars = svg.matches("stroke-width=\"2\" stroke-linejoin=\"round\"").count();
    assert_eq!((bars, svg.matches("stroke-width=\"7\"").count()), (3, 3), "{svg}");
    let svg = plane().plot_sets(VariableIndex::Output(0)).unwrap().to_svg();
    assert!(svg.contains("plane = 2 a - 3 b + c") && svg.contains("nothing to draw"), "{svg}");
}

#[test]
fn set_text_gives_shape_and_parameters_or_a_formula() {
    let text = |set: Set| plane().set_text(&set);
    assert_eq!(text(Set::triangle(0.0, 0.5, 1.0).unwrap()), "Triangle 0 0.5 1");
    let low = Set::triangle(0.0, 0.5, 1.0).unwrap().with_height(0.25).unwrap();
    assert_eq!(text(low), "Triangle 0 0.5 1, height 0.25");
    assert_eq!(text(Set::constant(-1.5).unwrap()), "Constant -1.5");
    assert_eq!(text(Set::linear(&[-1.0, 0.0, 0.5], -2.0).unwrap()), "-a + 0.5 c - 2");
    assert_eq!(text(Set::linear(&[0.0; 3], 0.0).unwrap()), "0");
}

#[test]
fn an_infinite_range_is_plotted_over_its_sets() {
    let infinite = Variable::new("x", f64::NEG_INFINITY, f64::INFINITY);
    assert_eq!(plot_range(&infinite), (0.0, 1.0));
    let hill = infinite.clone().set("hill", Set::triangle(-3.0, 0.0, 5.0).unwrap());
    assert_eq!(plot_range(&hill), (-3.0, 5.0));
    let half = Variable::new("x", 1.0, f64::INFINITY).set("hill", Set::triangle(-3.0, 0.0, 5.0).unwrap());
    assert_eq!(plot_range(&half), (1.0, 5.0));
    assert_eq!(plot_range(&Variable::new("x", 2.0, 2.0)), (1.5, 2.5));
}

#[test]
fn an_explained_output_is_plotted_as_an_area_or_bars_with_its_value() {
    let explained = tipper().explain(&[3.0, 7.5], Dialect::Matlab).unwrap();
    let svg = explained.outputs[0].chart(&tipper().outputs[0].variable).to_svg();
    let value = tipper().infer_row(&[3.0, 7.5], Dialect::Matlab).unwrap().outputs[0];
    assert!(svg.contains(">aggregated<") && svg.contains(&format!(">tip = {value:.2}<")), "{svg}");
    let system = three_inputs().rule("if a is on then y is four").unwrap();
    let explained = system.explain(&[0.5, 0.0, 0.0], Dialect::Fuzzylite8).unwrap();
    let svg = explained.outputs[0].chart(&system.outputs[0].variable).to_svg();
    assert!(svg.contains(">four<") && svg.contains(">y = 4<") && !svg.contains(">one<"), "{svg}");
}

#[test]
fn names_from_files_are_escaped_in_plots() {
    let mut system = tipper();
    system.inputs[0].name = "<script>alert(1)</script>".into();
    system.inputs[0].sets[0].name = "a\"&<b".into();
    system.outputs[0].variable.name = "<o>".into();
    let explained = system.explain(&[1.0, 2.0], Dialect::Matlab).unwrap();
    let charts = [
        system.plot_sets(VariableIndex::Input(0)).unwrap(),
        Response::surface(0, 0, 1).points(3).chart(&system, &Device::cpu().unwrap()).unwrap(),
        Response::curve(0, 0).points(3).chart(&system, &Device::cpu().unwrap()).unwrap(),
        explained.outputs[0].chart(&system.outputs[0].variable),
    ];
    for svg in charts.map(|chart| chart.to_svg()) {
        assert!(!["<script", "<b", "<o>"].iter().any(|tag| svg.contains(tag)), "{svg}");
    }
}
