//! What cannot be learned is refused with one sentence.

use super::generated::{spiral, waves, with_column};
use crate::Device;
use crate::data::{Labels, Table};
use crate::sonfin::{Classify, Growth, Optimizer, Sonfin};

fn refused(sonfin: &Sonfin<'_>, table: &Table, targets: &[&str]) -> String {
    sonfin.fit(table, targets, &Device::cpu().unwrap()).unwrap_err().to_string()
}

#[test]
fn settings_out_of_range_are_refused() {
    let new = Sonfin::new;
    let adam = |batch, rate| Optimizer::Adam { batch, rate };
    let threshold = |threshold, decay| Growth::Threshold { threshold, decay };
    let cases = [
        (new().epochs(0), "`epochs` is 0, but it must be at least 1"),
        (new().beta(0.0), "`beta` is 0, but it must be above 0"),
        (new().max_rules(0), "`max_rules` is 0, but it must be from 1 to 65,536"),
        (new().growth(Growth::Budget(0)), "`budget of rules` is 0, but it must be from 1 to 65,536"),
        (new().growth(Growth::Gamma(-1.0)), "`gamma` is -1, but it must be above 0 and below 1"),
        (new().growth(threshold(1.0, 1.0)), "`threshold` is 1, but it must be above 0 and below 1"),
        (new().growth(threshold(0.5, 1.5)), "`threshold decay` is 1.5, but it must be above 0 and at most 1"),
        (new().rate_w(-0.1), "`rate_w` is -0.1, but it must be from 0 to 100"),
        (new().rate_m(f64::NAN), "`rate_m` is NaN, but it must be from 0 to 100"),
        (new().rate_s(1e9), "`rate_s` is 1000000000, but it must be from 0 to 100"),
        (new().rate_decay(0.0), "`rate_decay` is 0, but it must be above 0 and at most 1"),
        (new().optimizer(adam(0, 0.1)), "`batch` is 0, but it must be at least 1"),
        (new().optimizer(adam(8, 0.0)), "`rate` is 0, but it must be above 0"),
        (new().optimizer(Optimizer::Thesis(-1.0)), "`rate` is -1, but it must be above 0"),
        (new().validation(0.95), "`validation` is 0.95, but it must be a share from 0 to 0.9"),
    ];
    for (sonfin, sentence) in cases {
        assert_eq!(refused(&sonfin, &waves(10), &["wave"]), format!("sonfin: {sentence}"));
    }
}

#[test]
fn gates_need_adam() {
    assert_eq!(
        refused(&Sonfin::new().gates(true), &waves(10), &["wave"]),
        "gates cannot be combined with on-line learning (they are learned by Adam); leave out one of them"
    );
}

#[test]
fn tables_that_cannot_be_learned_from_are_refused() {
    let classes = Sonfin::new().classify(Classify::OneHot);
    let numbers = Sonfin::new();
    let empty = Table::new(["a", "y"], Vec::<f64>::new()).unwrap();
    assert_eq!(refused(&numbers, &empty, &["y"]), "sonfin: `rows` is 0, but it must be at least 1");
    assert!(
        refused(&numbers, &waves(10), &["nothing"])
            .starts_with("no column is called `nothing`; there is `a`")
    );
    let one = spiral(10).with_labels(Labels::new("one", ["a"; 10])).unwrap();
    assert_eq!(
        refused(&classes.clone().inputs(["x", "y"]), &one, &["one"]),
        "the class `one` takes 1 values, but a classifier tells 2 to 1024 classes apart; name another column"
    );
    assert_eq!(
        refused(
            &numbers,
            &with_column(&waves(10), "bad", |row| if row == 3 { f64::NAN } else { 1.0 * row as f64 }),
            &["wave"]
        ),
        "row 4, column 5 (`bad`) is NaN, but every value must be finite; fill or leave out rows with missing values, or leave \
         the column out"
    );
    assert_eq!(
        refused(&numbers, &spiral(10), &["x"]),
        "the column `kind` holds text, and systems are learned from numbers; leave the column out, or make it the class"
    );
    let flat = with_column(&waves(10), "flat", |_| 1.0);
    assert_eq!(
        refused(&numbers, &flat, &["flat"]),
        "the target `flat` has the same value in every row, so there is nothing to learn; name another one"
    );
    assert_eq!(
        refused(&numbers.clone().inputs(["flat"]), &flat, &["wave"]),
        "the input `flat` has the same value in every row, as all inputs have, so there is nothing to learn from; give at \
         least one that varies"
    );
    assert_eq!(
        refused(&numbers, &waves(10), &[]),
        "sonfin: `targets` is 0, but it must be at least 1 column"
    );
    assert_eq!(
        refused(&classes, &waves(10), &["a", "b"]),
        "sonfin: `targets` is 2, but it must be 1 column where classes are learned"
    );
}
