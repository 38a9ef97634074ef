//! The text of the CUDA source; its results are tested in the emulator and on GPUs.

use crate::data::Precision;
use crate::sets::cuda::source;
use crate::sets::{Hedge, SNorm, Set, TNorm};
use proptest::prelude::*;

proptest! {
    #[test]
    fn literals_round_trip_exactly(value in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL) {
        let text = Precision::F64.literal(value);
        let digits = text.trim_matches(['(', ')']);
        prop_assert_eq!(digits.parse::<f64>().unwrap().to_bits(), value.to_bits());
        prop_assert!(digits.contains(['.', 'e']), "an integer in C++: {}", text);
        let narrow = value as f32;
        if narrow.is_finite() {
            let text = Precision::F32.literal(value);
            let digits = text.trim_matches(['(', ')']).strip_suffix('f').unwrap();
            prop_assert_eq!(digits.parse::<f32>().unwrap().to_bits(), narrow.to_bits());
        }
    }
}

#[test]
fn a_set_becomes_a_device_function_with_its_parameters() {
    let set = Set::trapezoid(f64::NEG_INFINITY, -1.0, 0.1, 2.0).unwrap().with_height(0.5).unwrap();
    assert_eq!(
        source::declare(&set, "cold", Precision::F32),
        "static __device__ inline float cold(const float x) {\n    typedef float real;\n    \
         return 0.5f * sets::trapezoid(x, (-sets::infinity<float>()), (-1.0f), 0.1f, 2.0f);\n}\n"
    );
    let points = Set::discrete(&[(0.0, 0.5), (1.0, 1.0)]).unwrap();
    let text = source::declare(&points, "f", Precision::F64);
    assert!(
        text.starts_with("static __device__ const double f_points[] = {0.0, 0.5, 1.0, 1.0};\n"),
        "{text}"
    );
    assert!(text.contains("return sets::discrete(x, f_points, 2);"), "{text}");
}

#[test]
fn a_consequent_becomes_a_device_function_of_the_inputs() {
    let linear = Set::linear(&[2.0, -1.0], 0.5).unwrap();
    let text = source::declare_output(&linear, "f", Precision::F64, &[]).unwrap();
    assert!(text.contains("return (double)(2.0 * inputs[0] + (-1.0) * inputs[1] + 0.5);"), "{text}");
    let function = Set::function("sin(y) * x % 2").unwrap();
    let text = source::declare_output(&function, "f", Precision::F32, &[7, 3]).unwrap();
    for part in
        ["t0 = inputs[7];", "t1 = sinf(t0);", "t2 = inputs[3];", "t5 = sets::modulo(t3, t4);", "return t5;"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(source::declare_output(&Set::ramp(0.0, 1.0).unwrap(), "f", Precision::F32, &[]), None);
}

#[test]
fn every_function_that_a_program_calls_is_defined() {
    let defined = |call: &str| {
        let name = call.strip_prefix("sets::").unwrap();
        source::FUNCTIONS.contains(&format!(" {name}(const T"))
    };
    assert!(TNorm::ALL.iter().all(|t| defined(&source::tnorm_function(*t))));
    assert!(SNorm::ALL.iter().all(|s| defined(&source::snorm_function(*s))));
    assert!(Hedge::ALL.iter().all(|h| defined(&source::hedge_function(*h))));
    for (name, p) in
        [("Triangle", 3), ("SemiEllipse", 2), ("SShape", 2), ("GaussianProduct", 4), ("ZShape", 2)]
    {
        let set = Set::from_parameters(name, &[1.0, 2.0, 3.0, 4.0][..p]).unwrap();
        let text = source::declare(&set, "f", Precision::F64);
        let call = &text[text.find("sets::").unwrap()..text.find("(x,").unwrap()];
        assert!(defined(call), "{call}");
    }
    let text = source::memberships(&Set::ramp(0.0, 1.0).unwrap(), Precision::F32).text();
    assert!(text.contains("#define REAL float") && text.contains("#define SET set_of_x"));
    assert!(source::tnorms(TNorm::Minimum, Precision::F64).text().contains("#define NORM sets::minimum"));
    assert!(source::snorms(SNorm::Maximum, Precision::F64).text().contains("#define NORM sets::maximum"));
    assert!(source::hedges(Hedge::Not, Precision::F64).text().contains("#define HEDGE sets::hedge_not"));
}
