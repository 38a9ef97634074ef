//! Tests against hand-computed and published values.

pub(super) mod cuda;
mod dialects;
mod explain;
mod export;
mod formats;
mod mutation;
mod plan;
mod plots;
mod random_systems;
mod rules;
mod scale;
mod type2;

use super::{Output, System, Variable};
use crate::sets::Set;

/// System with inputs `a`, `b`, `c` in [0, 1], whose set `on` has membership x, and an output `y` with Constants 1, 2
/// and 4.
fn three_inputs() -> System {
    let on = Set::ramp(0.0, 1.0).unwrap();
    let input = |name: &str| Variable::new(name, 0.0, 1.0).set("on", on.clone());
    let constant = |value: f64| Set::constant(value).unwrap();
    let output = Output::new("y", 0.0, 4.0);
    let output = output.set("one", constant(1.0)).set("two", constant(2.0)).set("four", constant(4.0));
    System::new("three").input(input("a")).input(input("b")).input(input("c")).output(output)
}

/// The tipper system of the MATLAB documentation.
fn tipper() -> System {
    let service = Variable::new("service", 0.0, 10.0)
        .set("poor", Set::gaussian(0.0, 1.5).unwrap())
        .set("good", Set::gaussian(5.0, 1.5).unwrap())
        .set("excellent", Set::gaussian(10.0, 1.5).unwrap());
    let food = Variable::new("food", 0.0, 10.0)
        .set("rancid", Set::trapezoid(-2.0, 0.0, 1.0, 3.0).unwrap())
        .set("delicious", Set::trapezoid(7.0, 9.0, 10.0, 12.0).unwrap());
    let tip = Output::new("tip", 0.0, 30.0)
        .set("cheap", Set::triangle(0.0, 5.0, 10.0).unwrap())
        .set("average", Set::triangle(10.0, 15.0, 20.0).unwrap())
        .set("generous", Set::triangle(20.0, 25.0, 30.0).unwrap());
    let system = System::new("tipper").input(service).input(food).output(tip);
    [
        "if service is poor or food is rancid then tip is cheap",
        "if service is good then tip is average",
        "if service is excellent or food is delicious then tip is generous",
    ]
    .iter()
    .fold(system, |system, rule| system.rule(rule).unwrap())
}
