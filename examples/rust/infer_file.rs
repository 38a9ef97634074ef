//! A fuzzy system from a file: the outputs of a table, and why an output is what it is.
//!
//! `cargo run --release -p fuzzion-examples --example infer_file`

use fuzzion::data::Precision;
use fuzzion::inference::System;
use fuzzion::{Device, Result, Table};

pub fn main() -> Result<()> {
    // Also `.fis` files of MATLAB and `.fcl` files of IEC 61131-7; the file determines the dialect.
    let loaded = System::load(concat!(env!("CARGO_MANIFEST_DIR"), "/data/tipper.fll"))?;

    // A system is compiled once and then evaluates any number of rows; columns are matched by name.
    let plan = loaded.system.compile(loaded.dialect, Precision::F64)?;
    let meals = Table::new(["food", "service"], vec![7.5, 3.0, 9.0, 8.0])?;
    let tips = plan.infer(&meals, &Device::best()?)?.column("tip")?;
    println!("tips: {:.2} and {:.2}", tips[0], tips[1]);
    assert!(tips[0] < tips[1]);

    // The inputs are in the order of the system: service, food.
    let explanation = loaded.system.explain(&[3.0, 7.5], loaded.dialect)?;
    println!("\n{explanation}");
    assert!((explanation.outputs[0].value - tips[0]).abs() < 1e-9);
    Ok(())
}
