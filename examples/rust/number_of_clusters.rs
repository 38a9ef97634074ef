//! How many clusters? Fits with 2 to 6 clusters, compared by validity indices.
//!
//! `cargo run --release -p fuzzion-examples --example number_of_clusters`

use fuzzion::clustering::{FuzzyCMeans, Metric};
use fuzzion::data::ReadTable;
use fuzzion::{Device, Result};

pub fn main() -> Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/wine.csv");
    let wine = ReadTable::new().labels(["cultivar"]).read(path)?;
    let device = Device::cpu()?;

    // The columns have different units; the diagonal metric divides each by its standard deviation.
    let settings = |clusters| {
        FuzzyCMeans::new(clusters).metric(Metric::Diagonal { variances: None }).fuzzifier(1.5).seed(1)
    };
    println!("clusters  partition coefficient  Xie-Beni");
    let mut best = (f64::INFINITY, 0);
    for clusters in 2..=6 {
        let indices = settings(clusters).fit(&wine, &device)?.report.indices;
        let xie_beni = indices.xie_beni.expect("there are several clusters");
        println!("{clusters:8}  {:21.3}  {xie_beni:8.3}", indices.partition_coefficient);
        if xie_beni < best.0 {
            best = (xie_beni, clusters);
        }
    }
    println!("Xie-Beni is smallest for {} clusters; the wines are from 3 cultivars", best.1);
    assert_eq!(best.1, 3);
    Ok(())
}
