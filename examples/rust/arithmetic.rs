//! Computing with uncertain numbers; the bounds enclose the exact result.
//!
//! `cargo run --release -p fuzzion-examples --example arithmetic`

use fuzzion::Result;
use fuzzion::arithmetic::{Evaluation, Expr, FuzzyLu, NumberDefuzzifier, Relation};

pub fn main() -> Result<()> {
    // About 100, surely between 90 and 120; a price between 2.5 and 2.75; three α-cuts: 0, 1/2 and 1.
    let demand: FuzzyLu<f64, 3> = "tri(90, 100, 120)".parse()?;
    let price: FuzzyLu<f64, 3> = "[2.5, 2.75]".parse()?;
    let cost: FuzzyLu<f64, 3> = "tri(150, 170, 200)".parse()?;

    let profit = demand * price - cost;
    println!("the profit is {profit}");
    assert_eq!(profit.to_string(), "cuts([25, 180], [52.5, 142.5], [80, 105])");
    let centroid = profit.defuzzify(NumberDefuzzifier::Centroid);
    println!("a single number for it: {centroid:?}");
    let sixty: FuzzyLu<f64, 3> = 60.0.into();
    let at_least_60 = sixty.necessity(Relation::Less, &profit);
    println!("it is above 60 with a necessity of {at_least_60:.2}");

    // A variable that occurs twice: operators treat both occurrences as independent numbers, `Vertex` does not.
    let x: FuzzyLu<f64, 3> = "tri(0, 0.5, 1)".parse()?;
    let formula = Expr::new("x * (1 - x)")?;
    let direct = formula.evaluate(&[("x", x)], Evaluation::Direct)?;
    let vertex = formula.evaluate(&[("x", x)], Evaluation::Vertex)?;
    println!("x·(1 − x) is in {direct}, more exactly in {vertex}");
    assert!(vertex.support().upper < 0.26 && direct.support().upper == 1.0); // the exact maximum is 1/4
    Ok(())
}
