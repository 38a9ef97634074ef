//! Fits that share their passes, and rows read in batches.

use super::*;
use crate::clustering::algorithm::InitialState;
use crate::clustering::cpu::{CHUNK, CpuRows, CpuStream};
use crate::clustering::error::Result;
use crate::clustering::fit::context::Fit;
use crate::clustering::fit::initial;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::batches::RowBatches;
use crate::clustering::rows::summary::{DataSummary, SummaryOptions};
use crate::clustering::rows::sums::RequestedSums;
use crate::data::{Precision, ReadTable, TableReader};
use crate::device::Cpu;

const FOUR: [[f64; 2]; 4] = [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0], [8.0, 8.0]];

/// Every variant and every metric with its own iteration.
fn all_settings() -> Vec<FuzzyCMeans> {
    let plain = || FuzzyCMeans::new(3).seed(7).max_iterations(15);
    let both = Variant::PossibilisticFuzzy { membership: 1.0, typicality: 2.0, typicality_fuzzifier: 1.8 };
    vec![
        plain(),
        plain().initial_centers(InitialCenters::Random).criterion(Criterion::Memberships),
        plain().fuzzifier(1.6).initial_centers(InitialCenters::Sample).criterion(Criterion::Objective),
        plain().variant(Variant::Hard),
        plain().variant(Variant::Noise { distance: None }),
        plain().variant(Variant::Possibilistic),
        plain().variant(both),
        plain().metric(Metric::GustafsonKessel { volumes: None, regularize: 0.0 }),
        plain().metric(Metric::GathGeva),
        plain().metric(Metric::Mahalanobis { covariance: None }),
    ]
}

#[test]
fn fits_that_share_their_passes_are_bit_identical_to_separate_fits() {
    let samples = table(2, &clouds(&FOUR, 1200, 1));
    let weights: Vec<f64> = (0..samples.rows()).map(|i| (i % 5) as f64).collect();
    let weighted = samples.samples().with_weights(&weights).unwrap();
    for settings in all_settings() {
        let settings = settings.n_init(2);
        let together = settings.sweep(1..6, &samples, &cpu()).unwrap();
        let alone = |clusters| FuzzyCMeans { clusters, ..settings.clone() };
        let fits: Vec<Partition> = (1..6).map(|c| alone(c).fit(&samples, &cpu()).unwrap()).collect();
        assert_eq!(together, fits, "{settings:?}");
        let together = settings.sweep([4, 2], &weighted, &cpu()).unwrap();
        assert_eq!(together[1], alone(2).fit(&weighted, &cpu()).unwrap(), "{settings:?}");
    }
}

/// Back end that counts its sweeps.
struct SweepCounter<'a>(CpuRows<'a>, usize);

impl RowBackend for SweepCounter<'_> {
    fn summarize(&mut self, options: SummaryOptions) -> Result<DataSummary> {
        self.0.summarize(options)
    }
    fn sweep(&mut self, prototypes: &[&Prototypes], requested: RequestedSums) -> Result<Vec<Sums>> {
        self.1 += 1;
        self.0.sweep(prototypes, requested)
    }
    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        self.0.change(steps)
    }
    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        self.0.gather(rows)
    }
    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        self.0.visit(take)
    }
}

#[test]
fn restarts_take_only_the_passes_of_the_longest_run() {
    let (samples, device, threads) = (table(2, &clouds(&FOUR, 60, 2)), cpu(), Cpu::new().unwrap());
    let settings =
        FuzzyCMeans::new(5).fuzzifier(1.3).seed(11).initial_centers(InitialCenters::Random).n_init(6);
    let view = samples.samples();
    let mut rows = SweepCounter(CpuRows::new(&view, &threads), 0);
    let columns = (samples.names().to_vec(), samples.precision());
    let fit = Fit::prepare(&settings, &[5], &mut rows, columns, &device).unwrap();
    let mut states = || -> Vec<InitialState> {
        let starts = initial::all(&fit, &mut rows).unwrap().into_iter().flatten();
        starts
            .map(|start| InitialState { prototypes: start.prototypes, regularized_clusters: Vec::new() })
            .collect()
    };
    let (shared, alone) = (states(), states());
    rows.1 = 0;
    let together = fit.prepared.optimizer.run(&mut rows, shared).unwrap();
    let passes = std::mem::take(&mut rows.1);
    let mut longest = 0;
    for (state, shared) in alone.into_iter().zip(&together) {
        let outcome = fit.prepared.optimizer.run(&mut rows, vec![state]).unwrap().remove(0);
        longest = longest.max(std::mem::take(&mut rows.1));
        assert_eq!(outcome.prototypes, shared.prototypes);
        assert_eq!((&outcome.history, outcome.iterations), (&shared.history, shared.iterations));
    }
    assert_eq!(passes, longest);
    let lengths: Vec<usize> = together.iter().map(|outcome| outcome.iterations).collect();
    assert!(lengths.iter().any(|n| *n < passes), "{lengths:?}"); // some runs ended earlier
}

/// Writes a file of clouds with a column of weights between the others.
fn file(folder: &std::path::Path, rows: usize) -> std::path::PathBuf {
    let path = folder.join("rows.csv");
    let values = clouds(&FOUR, rows / 4, 3);
    let line = |(i, row): (usize, &[f64])| format!("{:?},{},{:?}\n", row[0], (i * 7) % 4, row[1]);
    let text: String = values.chunks(2).enumerate().map(line).collect();
    std::fs::write(&path, format!("a,w,b\n{text}")).unwrap();
    path
}

/// Fits a reader in batches of one chunk.
fn in_small_batches(settings: &FuzzyCMeans, reader: &mut TableReader, weights: Option<&str>) -> Partition {
    let device = cpu();
    let threads = Cpu::new().unwrap();
    let batches = RowBatches::new(reader, weights).unwrap();
    let columns = (batches.names().to_vec(), batches.precision());
    let mut rows = CpuStream::new(batches, &threads).with_chunks_per_batch(1);
    let clusters = [settings.clusters];
    let fit = Fit::prepare(settings, &clusters, &mut rows, columns, &device).unwrap();
    fit.partitions(&mut rows).unwrap().remove(0)
}

#[test]
fn a_fit_in_batches_is_bit_identical_to_a_fit_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 4 * CHUNK - 100);
    for precision in [Precision::F64, Precision::F32] {
        let all = ReadTable::new().precision(precision).read(&path).unwrap();
        let (samples, weights) = (all.select(["a", "b"]).unwrap(), all.column("w").unwrap());
        let mut plain = ReadTable::new().precision(precision).columns(["a", "b"]).open(&path).unwrap();
        let mut weighted = ReadTable::new().precision(precision).open(&path).unwrap();
        for settings in all_settings() {
            let expected = settings.fit(&samples, &cpu()).unwrap();
            assert_eq!(in_small_batches(&settings, &mut plain, None), expected, "{settings:?}");
            let expected = settings.fit(samples.samples().with_weights(&weights).unwrap(), &cpu()).unwrap();
            assert_eq!(in_small_batches(&settings, &mut weighted, Some("w")), expected, "{settings:?}");
        }
    }
}

#[test]
fn initial_memberships_work_with_rows_in_batches() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 2 * CHUNK + 400);
    let samples = ReadTable::new().columns(["a", "b"]).read(&path).unwrap();
    let degree = |i: usize| if i % 3 == i * 3 / (samples.rows() * 3) { 0.6 } else { 0.2 };
    let given: Vec<f64> = (0..samples.rows() * 3).map(degree).collect();
    for metric in [Metric::Euclidean, Metric::GathGeva] {
        let start = InitialCenters::Memberships(table(3, &given));
        let settings = FuzzyCMeans::new(3).metric(metric).initial_centers(start).n_init(4);
        let mut reader = ReadTable::new().columns(["a", "b"]).open(&path).unwrap();
        let expected = settings.fit(&samples, &cpu()).unwrap();
        assert_eq!(in_small_batches(&settings, &mut reader, None), expected);
    }
}

#[test]
fn a_reader_is_always_read_from_its_first_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 400);
    let settings = FuzzyCMeans::new(4).seed(1);
    let mut reader = ReadTable::new().open(&path).unwrap();
    reader.next(150).unwrap();
    let found = settings.fit_reader(&mut reader, Some("w"), &cpu()).unwrap();
    let all = ReadTable::new().read(&path).unwrap();
    let samples = all.select(["a", "b"]).unwrap();
    let weights = all.column("w").unwrap();
    let expected = settings.fit(samples.samples().with_weights(&weights).unwrap(), &cpu()).unwrap();
    assert_eq!(found, expected);
    let swept = settings.sweep_reader([2, 4], &mut reader, Some("w"), &cpu()).unwrap();
    assert_eq!((swept[0].clusters(), &swept[1]), (2, &expected));
}

#[test]
fn invalid_weight_columns_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    let message = |text: &str, column: &str| {
        std::fs::write(&path, text).unwrap();
        let mut reader = ReadTable::new().open(&path).unwrap();
        let fit = FuzzyCMeans::new(1).fit_reader(&mut reader, Some(column), &cpu());
        fit.unwrap_err().to_string()
    };
    let advice = "give one finite, nonnegative weight per row, not all of them 0";
    assert_eq!(message("x,w\n1,1\n2,-3\n", "w"), format!("the sample weight of row 2 is -3; {advice}"));
    assert_eq!(message("x,w\n1,1\n2,2\n3,\n", "w"), format!("the sample weight of row 3 is NaN; {advice}"));
    assert_eq!(message("x,w\n1,0\n2,0\n", "w"), format!("the sample weight of row 1 is 0; {advice}"));
    assert_eq!(message("x,w\n1,0\n2,0\n", "v"), "missing column `v`; available columns: `x`, `w`");
    assert_eq!(
        message("w\n1\n2\n", "w"),
        "no numeric column to cluster; select at least one besides labels and weights"
    );
}
