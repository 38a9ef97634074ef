//! Tables: reading selected columns, summaries, sums over chunks of a large file, and writing.
//!
//! `cargo run --release -p fuzzion-examples --example tables`

use fuzzion::data::ReadTable;
use fuzzion::{Result, Table};

pub fn main() -> Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/iris.csv");

    // The separator, the header and the precision are detected; `labels` names the columns of text.
    let iris = ReadTable::new().labels(["species"]).read(path)?;
    println!(
        "{} rows, columns {:?}, species {:?}",
        iris.rows(),
        iris.names(),
        iris.label("species")?.classes()
    );
    for (name, summary) in iris.names().iter().zip(iris.summarize()?) {
        println!("{name}: from {} to {}, mean {:.3}", summary.min, summary.max, summary.mean);
    }
    assert_eq!((iris.rows(), iris.columns()), (150, 4));

    // A file that does not fit in memory is read in chunks, here of 64 rows.
    let mut reader = ReadTable::new().columns(["petal_length"]).open(path)?;
    let (mut sum, mut rows) = (0.0, 0);
    while let Some(chunk) = reader.next(64)? {
        sum += chunk.column("petal_length")?.iter().sum::<f64>();
        rows += chunk.rows();
    }
    println!("mean petal length of {rows} rows: {:.3}", sum / rows as f64);
    assert!((sum / 150.0 - 3.758).abs() < 1e-12);

    // A new table; the extension selects the format: .csv, .tsv, .csv.gz, .npy, …
    let ratios: Vec<f64> =
        iris.column("petal_length")?.iter().zip(iris.column("petal_width")?).map(|(l, w)| l / w).collect();
    let out = std::env::temp_dir().join(format!("ratios-{}.csv.gz", std::process::id()));
    Table::new(["ratio"], ratios.clone())?.write(&out)?;
    assert_eq!(Table::read(&out)?.column("ratio")?, ratios); // numbers are read back exactly
    println!("wrote {}", out.display());
    std::fs::remove_file(out).expect("the file was just written");
    Ok(())
}
