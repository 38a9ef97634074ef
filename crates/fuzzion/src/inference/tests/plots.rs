//! Pictures: what they hold, and the numbers behind them.

use super::super::plot::{Response, plotted_range};
use super::super::{Dialect, Output, Place, System, Variable};
use super::{three, tipper};
use crate::progress::Progress;
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
fn a_surface_has_the_output_at_the_middles_of_its_cells_row_by_row() {
    let values = Response::surface(0, 0, 1).points(4).values(&plane(), Progress::none()).unwrap();
    for (i, value) in values.iter().enumerate() {
        let (a, b, c) = ((i % 4) as f64 / 4.0 + 0.125, (i / 4) as f64 / 2.0 + 0.25, 1.0);
        assert_eq!(*value, 2.0 * a - 3.0 * b + c, "{i}"); // all of them are eighths
    }
    let at = vec![None, None, Some(3.0)];
    let higher = Response::surface(0, 0, 1).points(4).at(at).values(&plane(), Progress::none()).unwrap();
    assert!(values.iter().zip(&higher).all(|(low, high)| high - low == 2.0));
}

#[test]
fn a_curve_runs_from_end_to_end_with_the_other_inputs_in_their_middles() {
    let curve = Response::curve(0, 1).points(5);
    assert_eq!(curve.places(&plane(), 1), [0.0, 0.5, 1.0, 1.5, 2.0]);
    // 2·½ + 1 = 2, less 3b.
    assert_eq!(curve.values(&plane(), Progress::none()).unwrap(), [2.0, 0.5, -1.0, -2.5, -4.0]);
    let svg = curve.chart(&plane(), Progress::none()).unwrap().to_svg();
    assert!(svg.contains("z over b") && svg.contains("a = 0.5, c = 1"), "{svg}");
}

#[test]
fn a_surface_uses_the_numbers_of_its_dialect() {
    let value = |dialect| {
        let response = Response::surface(0, 0, 1).points(2).dialect(dialect);
        response.values(&tipper(), Progress::none()).unwrap()[3]
    };
    let row = |dialect| tipper().infer_row(&[7.5, 7.5], dialect).unwrap().outputs[0];
    // Sums in another order.
    assert!((value(Dialect::Matlab) - row(Dialect::Matlab)).abs() < 1e-12);
    assert!((value(Dialect::Matlab) - value(Dialect::Fuzzylite8)).abs() > 1e-6);
}

#[test]
fn a_response_that_cannot_be_says_why() {
    let problem = |response: Response| response.values(&plane(), Progress::none()).unwrap_err().to_string();
    assert_eq!(
        problem(Response::curve(1, 0)),
        "the response is of an output that there is not; name one of the system's"
    );
    assert_eq!(
        problem(Response::surface(0, 0, 3)),
        "the response is over an input that there is not; name one of the system's"
    );
    assert_eq!(
        problem(Response::surface(0, 1, 1)),
        "the response is over one input twice; name two inputs, or one for a curve"
    );
    for points in [0, 1, 5000] {
        let problem = problem(Response::curve(0, 0).points(points));
        assert_eq!(problem, "the response must have between 2 and 4096 places along each input");
    }
    let stop = |_, _| ControlFlow::Break(());
    let stopped = Response::curve(0, 0).values(&plane(), Progress::new(&stop)).unwrap_err();
    assert_eq!(stopped.to_string(), "interrupted");
    let unknown = plane().plot_sets(Place::Output(1)).unwrap_err().to_string();
    assert_eq!(unknown, "the plot is of an output that there is not; name one of the system's");
}

#[test]
fn sets_are_drawn_as_curves_bars_or_formulas() {
    let svg = tipper().plot_sets(Place::Input(1)).unwrap().to_svg();
    assert!(svg.contains(">rancid<") && svg.contains(">delicious<") && svg.contains(">food<"));
    let svg = three().plot_sets(Place::Output(0)).unwrap().to_svg();
    // A bar and a dot for each of the three Constants.
    assert!([">one<", ">two<", ">four<"].iter().all(|name| svg.contains(name)));
    let bars = svg.matches("stroke-width=\"2\" stroke-linejoin=\"round\"").count();
    assert_eq!((bars, svg.matches("stroke-width=\"7\"").count()), (3, 3), "{svg}");
    let svg = plane().plot_sets(Place::Output(0)).unwrap().to_svg();
    assert!(svg.contains("plane = 2 a - 3 b + c") && svg.contains("nothing to draw"), "{svg}");
}

#[test]
fn sets_are_told_in_words() {
    let text = |set: Set| plane().set_text(&set);
    assert_eq!(text(Set::triangle(0.0, 0.5, 1.0).unwrap()), "Triangle 0 0.5 1");
    let low = Set::triangle(0.0, 0.5, 1.0).unwrap().with_height(0.25).unwrap();
    assert_eq!(text(low), "Triangle 0 0.5 1, height 0.25");
    assert_eq!(text(Set::constant(-1.5).unwrap()), "Constant -1.5");
    assert_eq!(text(Set::linear(&[-1.0, 0.0, 0.5], -2.0).unwrap()), "-a + 0.5 c - 2");
    assert_eq!(text(Set::linear(&[0.0; 3], 0.0).unwrap()), "0");
}

#[test]
fn a_range_without_ends_is_drawn_where_its_sets_are() {
    let endless = Variable::new("x", f64::NEG_INFINITY, f64::INFINITY);
    assert_eq!(plotted_range(&endless), (0.0, 1.0));
    let hill = endless.clone().set("hill", Set::triangle(-3.0, 0.0, 5.0).unwrap());
    assert_eq!(plotted_range(&hill), (-3.0, 5.0));
    let half = Variable::new("x", 1.0, f64::INFINITY).set("hill", Set::triangle(-3.0, 0.0, 5.0).unwrap());
    assert_eq!(plotted_range(&half), (1.0, 5.0));
    assert_eq!(plotted_range(&Variable::new("x", 2.0, 2.0)), (1.5, 2.5));
}

#[test]
fn what_rules_concluded_is_an_area_or_bars_with_the_number() {
    let explained = tipper().explain(&[3.0, 7.5], Dialect::Matlab).unwrap();
    let svg = explained.outputs[0].chart(&tipper().outputs[0].variable).to_svg();
    let value = tipper().infer_row(&[3.0, 7.5], Dialect::Matlab).unwrap().outputs[0];
    assert!(svg.contains(">aggregated<") && svg.contains(&format!(">tip = {value:.2}<")), "{svg}");
    let system = three().rule("if a is on then y is four").unwrap();
    let explained = system.explain(&[0.5, 0.0, 0.0], Dialect::Fuzzylite8).unwrap();
    let svg = explained.outputs[0].chart(&system.outputs[0].variable).to_svg();
    assert!(svg.contains(">four<") && svg.contains(">y = 4<") && !svg.contains(">one<"), "{svg}");
}

#[test]
fn names_from_files_are_escaped_in_pictures() {
    let mut system = tipper();
    system.inputs[0].name = "<script>alert(1)</script>".into();
    system.inputs[0].sets[0].name = "a\"&<b".into();
    system.outputs[0].variable.name = "<o>".into();
    let explained = system.explain(&[1.0, 2.0], Dialect::Matlab).unwrap();
    let pictures = [
        system.plot_sets(Place::Input(0)).unwrap(),
        Response::surface(0, 0, 1).points(3).chart(&system, Progress::none()).unwrap(),
        Response::curve(0, 0).points(3).chart(&system, Progress::none()).unwrap(),
        explained.outputs[0].chart(&system.outputs[0].variable),
    ];
    for svg in pictures.map(|chart| chart.to_svg()) {
        assert!(!["<script", "<b", "<o>"].iter().any(|tag| svg.contains(tag)), "{svg}");
    }
}
