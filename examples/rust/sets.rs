//! Fuzzy sets: memberships, norms, hedges, α-cuts and a chart.
//!
//! `cargo run --release -p fuzzion-examples --example sets`

use fuzzion::plot::Chart;
use fuzzion::sets::{Hedge, SNorm, Set, TNorm, complement};
use fuzzion::{Device, Result};

pub fn main() -> Result<()> {
    let warm = Set::gaussian(22.0, 3.5)?;
    let hot = Set::ramp(25.0, 35.0)?;

    // One temperature.
    let (w, h) = (warm.membership(27.0), hot.membership(27.0));
    println!("27 °C is warm to a degree of {w:.3} and hot to a degree of {h:.3}");
    println!("warm and hot: {:.3}", TNorm::Minimum.apply(w, h));
    println!("warm or hot: {:.3}", SNorm::Maximum.apply(w, h));
    println!("very hot: {:.3}", Hedge::Very.apply(h)); // the square
    println!("not hot: {:.3}", complement(h));
    assert!((h - 0.2).abs() < 1e-12 && (Hedge::Very.apply(h) - 0.04).abs() < 1e-12);

    // The temperatures that are warm to a degree of at least 1/2.
    let cut = warm.alpha_cut(0.5).expect("a Gaussian reaches 0.5");
    println!("warm to at least 0.5: from {:.2} to {:.2} °C", cut.lower, cut.upper);
    assert!((warm.membership(cut.lower) - 0.5).abs() < 1e-12);

    // Many temperatures, on all cores, or on a GPU if that is faster.
    let temperatures: Vec<f64> = (0..=400).map(|i| f64::from(i) / 10.0).collect();
    let device = Device::best()?;
    let chart = Chart::new("Temperature")
        .x_label("°C")
        .y_label("membership")
        .line("warm", &temperatures, &warm.memberships(&temperatures, &device)?)
        .line("hot", &temperatures, &hot.memberships(&temperatures, &device)?);
    let svg = chart.to_svg();
    println!("a chart of {} bytes, which a browser can show", svg.len());
    assert!(svg.starts_with("<svg"));
    Ok(())
}
