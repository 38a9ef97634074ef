//! A fuzzy controller built in Rust, saved for other programs and exported as C code.
//!
//! `cargo run --release -p fuzzion-examples --example build_system`

use fuzzion::Result;
use fuzzion::data::Precision;
use fuzzion::inference::{Dialect, Language, Output, System, Variable};
use fuzzion::sets::Set;

pub fn main() -> Result<()> {
    let fan = System::new("fan")
        .input(
            Variable::new("temperature", 10.0, 40.0)
                .set("cool", Set::ramp(22.0, 18.0)?)
                .set("warm", Set::triangle(18.0, 24.0, 30.0)?)
                .set("hot", Set::ramp(26.0, 32.0)?),
        )
        .input(
            Variable::new("humidity", 0.0, 100.0)
                .set("dry", Set::ramp(50.0, 30.0)?)
                .set("damp", Set::ramp(50.0, 80.0)?),
        )
        .output(
            Output::new("speed", 0.0, 100.0)
                .set("off", Set::constant(0.0)?)
                .set("slow", Set::constant(40.0)?)
                .set("fast", Set::constant(100.0)?),
        )
        .rule("if temperature is cool then speed is off")?
        .rule("if temperature is warm and humidity is not damp then speed is slow")?
        .rule("if temperature is warm and humidity is damp then speed is fast")?
        .rule("if temperature is hot then speed is fast")?;

    let dialect = Dialect::Fuzzylite8;
    for (temperature, humidity) in [(16.0, 40.0), (24.0, 40.0), (24.0, 65.0), (35.0, 40.0)] {
        let row = fan.infer_row(&[temperature, humidity], dialect)?;
        println!("{temperature} °C, {humidity} %: {:.0} % of the speed", row.outputs[0]);
    }
    // Half damp, half not damp: the mean of 40 and 100.
    assert_eq!(fan.infer_row(&[24.0, 65.0], dialect)?.outputs, [70.0]);

    // The FLL file of fuzzylite; `save` also writes `.fis` and `.json`.
    println!("\n{}", fan.to_fll()?);
    assert_eq!(System::from_fll(&fan.to_fll()?)?, fan);

    // One C99 function without dependencies, for example for a microcontroller.
    let source = fan.export(Language::C, dialect, Precision::F64)?;
    println!("{} lines of C", source.lines().count());
    assert!(source.contains("double"));
    Ok(())
}
