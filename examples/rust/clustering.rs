//! Fuzzy c-means: centers, memberships, rows between clusters, and a saved model.
//!
//! `cargo run --release -p fuzzion-examples --example clustering`

use fuzzion::clustering::{FuzzyCMeans, Partition};
use fuzzion::data::ReadTable;
use fuzzion::{Device, Result, Table};

pub fn main() -> Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/iris.csv");
    let iris = ReadTable::new().columns(["petal_length", "petal_width"]).read(path)?;
    let device = Device::cpu()?; // `"cuda".parse()?` for a GPU

    let partition = FuzzyCMeans::new(3).seed(42).fit(&iris, &device)?;
    println!("{} iterations, objective {:.3}", partition.report.iterations, partition.report.objective);
    for (cluster, size) in partition.report.sizes.iter().enumerate() {
        println!("cluster {}: {size} rows, center {:?}", cluster + 1, partition.centers.row(cluster));
    }

    // One column per cluster; the memberships of a row sum to 1.
    let memberships = partition.memberships(&iris, &device)?.into_f64();
    let between = memberships.chunks(3).filter(|row| row.iter().all(|u| *u < 0.6)).count();
    println!("{between} flowers are between two clusters");
    assert!(memberships.chunks(3).all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-12));

    // A saved model assigns new rows.
    let loaded = Partition::from_json(&partition.to_json()?)?; // `save` and `load` for files
    let new = Table::new(["petal_length", "petal_width"], vec![1.5, 0.2, 5.8, 2.2])?;
    let labels = loaded.labels(&new, &device)?;
    println!("the new flowers are in the clusters {labels:?}, counted from 0");
    assert_ne!(labels[0], labels[1]);
    Ok(())
}
