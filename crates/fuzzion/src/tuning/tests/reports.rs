//! Reports about rules, compared with sums over the rows of the exported system.

use crate::data::{Labels, Samples, Table};
use crate::device::Device;
use crate::inference::Dialect;
use crate::random::Random;
use crate::sets::Shape;
use crate::tuning::{Classify, TunedSystem, Tuner};

/// The sum of two uniform numbers minus 1: mean 0, between −1 and 1.
fn noise(random: &mut Random) -> f64 {
    random.unit() + random.unit() - 1.0
}

/// y = a·b plus noise.
fn products(rows: usize) -> Table {
    let mut random = Random::new(5);
    let row = |_| {
        let (a, b) = (random.between(0.0, 3.0), random.between(-1.0, 4.0));
        [a, b, a * b + noise(&mut random)]
    };
    Table::new(["a", "b", "y"], (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

fn fitted(table: &Table) -> (TunedSystem, Device) {
    let device = Device::cpu().unwrap();
    (Tuner::grid(&[2, 2]).iterations(2).fit(table, &["y"], &device).unwrap(), device)
}

#[test]
fn reports_are_the_weighted_means_of_the_rows_where_a_rule_fires() {
    let table = products(60);
    let (tuned, device) = fitted(&table);
    let reports = tuned.rule_reports(&table, &device).unwrap();
    let values = table.to_f64();
    let firing: Vec<Vec<f64>> = values
        .chunks_exact(3)
        .map(|row| {
            let rules = tuned.system.infer_row(&row[..2], Dialect::default()).unwrap().rules;
            let total: f64 = rules.iter().map(|rule| rule.strength).sum();
            rules.iter().map(|rule| rule.strength / total).collect()
        })
        .collect();
    let predicted = tuned.predict(&table, &device).unwrap().column("y").unwrap();
    assert_eq!(reports.len(), 4);
    for (k, report) in reports.iter().enumerate() {
        let mean = |value: &dyn Fn(usize) -> f64| {
            (0..60).map(|row| firing[row][k] * value(row)).sum::<f64>()
                / (0..60).map(|row| firing[row][k]).sum::<f64>()
        };
        let rows = (0..60).map(|row| firing[row][k]).sum::<f64>();
        assert!((report.support - rows / 60.0).abs() < 1e-12);
        assert_eq!(report.coverage, (0..60).filter(|row| firing[*row][k] >= 0.1).count() as f64 / 60.0);
        let core = [mean(&|row| values[3 * row]), mean(&|row| values[3 * row + 1])];
        assert!(core.iter().zip(&report.core).all(|(a, b)| (a - b).abs() < 1e-9));
        let rmse = mean(&|row| (predicted[row] - values[3 * row + 2]).powi(2)).sqrt();
        assert!((report.rmse.unwrap() - rmse).abs() < 1e-9);
        let Shape::Linear { coefficients, constant } =
            tuned.system.outputs[0].variable.sets[k].set.shape().clone()
        else {
            panic!("a consequent of order 1 is linear")
        };
        let conclusion = &report.conclusions[0];
        let value = constant + coefficients[0] * core[0] + coefficients[1] * core[1];
        assert!((conclusion.value - value).abs() < 1e-9);
        assert!((conclusion.standard_error - rmse / rows.sqrt()).abs() < 1e-9);
        for (j, slope) in conclusion.slopes.iter().enumerate() {
            let deviation = mean(&|row| (values[3 * row + j] - core[j]).powi(2)).sqrt();
            assert!((slope.value - coefficients[j]).abs() < 1e-9);
            assert!((slope.standard_error - rmse / rows.sqrt() / deviation).abs() < 1e-9);
        }
        let largest = (0..60).map(|row| firing[row][k]).fold(0.0, f64::max);
        assert!((1..=3).contains(&report.examples.len()));
        assert!(report.examples.iter().all(|row| firing[*row][k] >= 0.9 * largest));
    }
    let total: f64 = reports.iter().map(|report| report.support * 60.0).sum();
    assert!((total - 60.0).abs() < 1e-9); // the supports sum to the number of rows
}

#[test]
fn integer_weights_equal_repeated_rows() {
    let table = products(40);
    let (tuned, device) = fitted(&table);
    let values = table.to_f64();
    let weights: Vec<f64> = (0..40).map(|row| f64::from(row % 3)).collect();
    let repeated: Vec<f64> = (0..40).flat_map(|row| values[3 * row..3 * row + 3].repeat(row % 3)).collect();
    let weighted = Samples::new(3, &values[..]).unwrap().with_names(table.names()).unwrap();
    let weighted = tuned.rule_reports(weighted.with_weights(&weights).unwrap(), &device).unwrap();
    let repeated = tuned.rule_reports(&Table::new(["a", "b", "y"], repeated).unwrap(), &device).unwrap();
    for (weighted, repeated) in weighted.iter().zip(&repeated) {
        assert!((weighted.support - repeated.support).abs() < 1e-12);
        assert!((weighted.rmse.unwrap() - repeated.rmse.unwrap()).abs() < 1e-12);
        assert!((weighted.conclusions[0].value - repeated.conclusions[0].value).abs() < 1e-12);
        assert!(weighted.examples.iter().all(|row| row % 3 > 0));
    }
}

#[test]
fn slopes_of_polynomials_are_derivatives_at_the_core() {
    let table = products(80);
    let device = Device::cpu().unwrap();
    let tuned = Tuner::grid(&[1, 1]).order(3).iterations(0).fit(&table, &["y"], &device).unwrap();
    let report = &tuned.rule_reports(&table, &device).unwrap()[0];
    // The only rule has the outputs of the system.
    let output = |a: f64, b: f64| {
        let row = Table::new(["a", "b"], vec![a, b]).unwrap();
        tuned.predict(&row, &device).unwrap().column("y").unwrap()[0]
    };
    let (a, b, step) = (report.core[0], report.core[1], 1e-5);
    let conclusion = &report.conclusions[0];
    assert!((conclusion.value - output(a, b)).abs() < 1e-9);
    let by_a = (output(a + step, b) - output(a - step, b)) / (2.0 * step);
    let by_b = (output(a, b + step) - output(a, b - step)) / (2.0 * step);
    assert!((conclusion.slopes[0].value - by_a).abs() < 1e-5, "{by_a} {conclusion:?}");
    assert!((conclusion.slopes[1].value - by_b).abs() < 1e-5, "{by_b} {conclusion:?}");
}

#[test]
fn a_linear_function_is_printed_without_rounding_errors() {
    let rows = (0..400).flat_map(|i| {
        let (a, b) = (f64::from(i % 20), f64::from(i / 20));
        [a, b, 2.0 * a - b]
    });
    let table = Table::new(["a", "b", "y"], rows.collect::<Vec<f64>>()).unwrap();
    let device = Device::cpu().unwrap();
    let tuned = Tuner::tree(6).fit(&table, &["y"], &device).unwrap();
    let texts = |tuned: &TunedSystem| -> Vec<String> {
        tuned.rule_reports(&table, &device).unwrap().into_iter().map(|report| report.text).collect()
    };
    assert_eq!(texts(&tuned), ["always y = 2 a - b"]);
    assert_eq!(crate::tuning::inspect::rules(&tuned.system).unwrap(), ["always y = 2 a - b"]);
    let grid = Tuner::grid(&[2, 1]).iterations(0).fit(&table, &["y"], &device).unwrap();
    for text in texts(&grid) {
        assert!(text.contains("then y is about ") && text.ends_with(" (+2 per a, -1 per b)"), "{text}");
    }
}

#[test]
fn a_rule_that_never_fires_is_reported_at_the_center_of_its_sets() {
    let rows = (0..40).flat_map(|i| [f64::from(i % 2) * 10.0 + f64::from(i) * 0.01, f64::from(i % 2)]);
    let table = Table::new(["a", "y"], rows.collect::<Vec<f64>>()).unwrap();
    let device = Device::cpu().unwrap();
    let tuner = Tuner::grid(&[5]).order(0).form(crate::tuning::Form::Triangle).iterations(0).ridge(1e-3);
    let tuned = tuner.fit(&table, &["y"], &device).unwrap();
    let reports = tuned.rule_reports(&table, &device).unwrap();
    let idle = &reports[2];
    assert_eq!((idle.support, idle.rmse, idle.examples.len()), (0.0, None, 0));
    assert!((idle.core[0] - 5.195).abs() < 1e-9, "{:?}", idle.core);
    assert!(idle.text.starts_with("if a is medium then y is about "), "{}", idle.text);
    let json = serde_json::to_string(&reports).unwrap();
    let read: Vec<crate::tuning::inspect::RuleReport> = serde_json::from_str(&json).unwrap();
    assert_eq!(read, reports);
}

#[test]
fn rules_of_classifiers_conclude_their_most_probable_class() {
    let mut random = Random::new(3);
    let (mut values, mut kinds) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        let a = random.between(0.0, 9.0);
        values.extend([a, random.unit()]);
        kinds.push(["small", "middle", "large"][(a / 3.0) as usize]);
    }
    let table = Table::new(["a", "b"], values).unwrap().with_labels(Labels::new("size", &kinds)).unwrap();
    let device = Device::cpu().unwrap();
    for classify in [Classify::OneHot, Classify::CrossEntropy] {
        let tuner = Tuner::grid(&[3, 1]).order(0).classify(classify).iterations(30);
        let tuned = tuner.fit(&table, &["size"], &device).unwrap();
        let reports = tuned.rule_reports(&table, &device).unwrap();
        for (report, class) in reports.iter().zip(["small", "middle", "large"]) {
            assert!(report.text.contains(&format!(" then size is {class} (")), "{}", report.text);
            assert!(report.accuracy.unwrap() > 0.8, "{report:?}");
            assert!(report.examples.iter().all(|row| kinds[*row] == class), "{report:?}");
            if classify == Classify::CrossEntropy {
                let sum: f64 = report.conclusions.iter().map(|class| class.value).sum();
                assert!((sum - 1.0).abs() < 1e-12);
            }
        }
    }
}
