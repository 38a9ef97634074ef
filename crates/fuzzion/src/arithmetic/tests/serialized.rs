//! Serialized numbers and arrays are read back exactly, and invalid ones are rejected.

use crate::arithmetic::{AlphaCut, Expr, FuzzyLu, FuzzyMr, LuArray, MrArray};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn round_trip<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn numbers_and_formulas_are_read_back_exactly() {
    let third = FuzzyLu::<f64, 2>::crisp(1.0) / 3.0;
    for number in
        [third, FuzzyLu::unbounded(), FuzzyLu::from_cuts([-1.0, 0.0], [f64::INFINITY, 5e-324]).unwrap()]
    {
        assert_eq!(round_trip(&number), number);
    }
    let narrow = FuzzyLu::<f32, 1>::crisp(1.0) / 3.0;
    assert_eq!(round_trip(&narrow), narrow);
    for number in [FuzzyMr::<f64, 2, f32>::from(third), FuzzyMr::unbounded()] {
        assert_eq!(round_trip(&number), number);
    }
    assert_eq!(round_trip(&third.core()), third.core());
    let formula = Expr::new("2 * tri(1, 2,3) + x ^ 2").unwrap();
    assert_eq!(round_trip(&formula), formula);
}

#[test]
fn serialized_numbers_are_readable() {
    let number = FuzzyLu::<f64, 2>::from_cuts([f64::NEG_INFINITY, 0.5], [4.0, 1.0]).unwrap();
    assert_eq!(serde_json::to_string(&number).unwrap(), r#"[["-inf",4.0],[0.5,1.0]]"#);
    let number = FuzzyMr::<f32, 2>::new(2.0, [0.5, 0.0]).unwrap();
    assert_eq!(serde_json::to_string(&number).unwrap(), r#"{"midpoint":2.0,"radii":[0.5,0.0]}"#);
    let array = LuArray::from_numbers(&[FuzzyLu::<f32, 1>::crisp(2.0)]);
    assert_eq!(serde_json::to_string(&array).unwrap(), r#"{"cuts":1,"numbers":[[[2.0,2.0]]]}"#);
}

#[test]
fn arrays_are_read_back_exactly() {
    let texts: Vec<String> =
        (0..37).map(|i| format!("tri({i}.1, {i}.3, 1e{i})")).chain(["[1, inf]".into()]).collect();
    let lu = LuArray::<f32>::parse(3, &texts).unwrap();
    assert_eq!(round_trip(&lu).bounds(), lu.bounds());
    let mr = MrArray::<f64, f32>::parse(3, &texts[..37]).unwrap();
    assert_eq!(round_trip(&mr).planes(), mr.planes());
    let empty = round_trip(&LuArray::<f64>::crisp(2, &[]).unwrap());
    assert_eq!((empty.len(), empty.cuts()), (0, 2));
}

#[test]
fn numbers_that_are_not_representable_are_rounded_outward() {
    let tenth: AlphaCut<f32> = serde_json::from_str("[0.1, 0.1]").unwrap();
    assert!(f64::from(tenth.lower) < 0.1 && 0.1 < f64::from(tenth.upper));
    let tenth: FuzzyMr<f32, 1> = serde_json::from_str(r#"{"midpoint": 0.1, "radii": [0]}"#).unwrap();
    assert!(f64::from(tenth.support().lower) < 0.1 && 0.1 < f64::from(tenth.support().upper));
}

#[test]
fn invalid_numbers_are_rejected() {
    let lu = |text: &str| serde_json::from_str::<FuzzyLu<f64, 2>>(text).unwrap_err().to_string();
    assert!(lu("[[1, 2]]").starts_with("expected 2 alpha-cuts"));
    assert!(lu("[[1, 2], [0, 2]]").starts_with("alpha-cut 1 is [0, 2], but it must be within the previous"));
    assert!(lu(r#"[[1, "nan"], [1, 1]]"#).starts_with("alpha-cut 0 is [1, NaN]"));
    let mr = serde_json::from_str::<FuzzyMr<f64, 1>>(r#"{"midpoint": "inf", "radii": [1]}"#);
    assert!(mr.unwrap_err().to_string().contains("the midpoint must be finite"));
    let array = |text: &str| serde_json::from_str::<LuArray<f64>>(text).unwrap_err().to_string();
    assert!(
        array(r#"{"cuts": 1, "numbers": [[[1, 2]], [[2, 1]]]}"#)
            .starts_with("number 2: alpha-cut 0 is [2, 1]")
    );
    assert!(array(r#"{"cuts": 0, "numbers": []}"#).contains("cuts"));
    assert!(serde_json::from_str::<Expr>("\"1 +\"").is_err());
}
