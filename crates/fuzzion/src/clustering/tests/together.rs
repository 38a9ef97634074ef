//! Many fits in the same passes, and rows that come in pieces.

use super::super::algorithm::Begin;
use super::super::cpu::{CHUNK, Memory, Stream};
use super::super::fit::Fit;
use super::super::pieces::Pieces;
use super::super::prototypes::Prototypes;
use super::super::rows::{Rows, Samples};
use super::super::starts;
use super::super::sums::Want;
use super::super::survey::{Ask, Survey};
use super::*;
use crate::data::{Precision, ReadTable, TableReader};
use crate::device::Cpu;
use crate::error::Result;

const FOUR: [[f64; 2]; 4] = [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0], [8.0, 8.0]];

/// Every variant and every metric that iterates in its own way.
fn kinds() -> Vec<FuzzyCMeans<'static>> {
    let plain = || FuzzyCMeans::new(3).seed(7).max_iterations(40);
    let both = Variant::PossibilisticFuzzy { membership: 1.0, typicality: 2.0, typicality_fuzzifier: 1.8 };
    vec![
        plain(),
        plain().start(Start::Random).criterion(Criterion::Memberships),
        plain().fuzzifier(1.6).start(Start::Sample).criterion(Criterion::Objective),
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
fn fits_that_share_their_passes_come_to_the_bit_where_each_comes_alone() {
    let samples = table(2, &clouds(&FOUR, 1200, 1));
    let weights: Vec<f64> = (0..samples.rows()).map(|i| (i % 5) as f64).collect();
    for settings in kinds() {
        let settings = settings.n_init(2);
        let together = settings.sweep(1..6, &samples, &cpu()).unwrap();
        let alone = |clusters| FuzzyCMeans { clusters, ..settings.clone() };
        let fits: Vec<Partition> = (1..6).map(|c| alone(c).fit(&samples, &cpu()).unwrap()).collect();
        assert_eq!(together, fits, "{settings:?}");
        let together = settings.sweep_weighted([4, 2], &samples, &weights, &cpu()).unwrap();
        assert_eq!(together[1], alone(2).fit_weighted(&samples, &weights, &cpu()).unwrap(), "{settings:?}");
    }
}

/// Rows that count how often they are swept.
struct Counted<'a>(Memory<'a>, usize);

impl Rows for Counted<'_> {
    fn survey(&mut self, ask: Ask) -> Result<Survey> {
        self.0.survey(ask)
    }
    fn sweep(&mut self, prototypes: &[&Prototypes], want: Want) -> Result<Vec<Sums>> {
        self.1 += 1;
        self.0.sweep(prototypes, want)
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
fn restarts_take_as_many_passes_as_the_longest_of_them_alone() {
    let (samples, device, threads) = (table(2, &clouds(&FOUR, 60, 2)), cpu(), Cpu::new().unwrap());
    let settings = FuzzyCMeans::new(5).fuzzifier(1.3).seed(11).start(Start::Random).n_init(6);
    let mut rows = Counted(Memory::new(Samples::of(&samples, None), &threads), 0);
    let layout = (samples.names().to_vec(), samples.precision());
    let fit = Fit::prepare(&settings, &[5], &mut rows, layout, &device).unwrap();
    let mut begins = || -> Vec<Begin> {
        let starts = starts::all(&fit, &mut rows).unwrap().into_iter();
        starts.map(|start| Begin { prototypes: start.prototypes, rescued: Vec::new() }).collect()
    };
    let (shared, alone) = (begins(), begins());
    rows.1 = 0;
    let together = fit.prepared.course.run(&mut rows, shared).unwrap();
    let passes = std::mem::take(&mut rows.1);
    let mut longest = 0;
    for (begin, shared) in alone.into_iter().zip(&together) {
        let outcome = fit.prepared.course.run(&mut rows, vec![begin]).unwrap().remove(0);
        longest = longest.max(std::mem::take(&mut rows.1));
        assert_eq!(outcome.prototypes, shared.prototypes);
        assert_eq!((&outcome.history, outcome.iterations), (&shared.history, shared.iterations));
    }
    assert_eq!(passes, longest);
    let lengths: Vec<usize> = together.iter().map(|outcome| outcome.iterations).collect();
    assert!(lengths.iter().any(|n| *n < passes), "{lengths:?}"); // some ended before others
}

/// A file of clouds with a column of weights in their midst.
fn file(folder: &std::path::Path, rows: usize) -> std::path::PathBuf {
    let path = folder.join("rows.csv");
    let values = clouds(&FOUR, rows / 4, 3);
    let line = |(i, row): (usize, &[f64])| format!("{:?},{},{:?}\n", row[0], (i * 7) % 4, row[1]);
    let text: String = values.chunks(2).enumerate().map(line).collect();
    std::fs::write(&path, format!("a,w,b\n{text}")).unwrap();
    path
}

/// The fit of a reader in pieces of one chunk.
fn in_small_pieces(
    settings: &FuzzyCMeans<'_>,
    reader: &mut TableReader<'_>,
    weights: Option<&str>,
) -> Partition {
    let device = cpu();
    let threads = Cpu::new().unwrap();
    let pieces = Pieces::new(reader, weights).unwrap();
    let layout = (pieces.names().to_vec(), pieces.precision());
    let mut rows = Stream::new(pieces, &threads).with_chunks_per_piece(1);
    let clusters = [settings.clusters];
    let fit = Fit::prepare(settings, &clusters, &mut rows, layout, &device).unwrap();
    fit.partitions(&mut rows).unwrap().remove(0)
}

#[test]
fn rows_in_pieces_have_the_partition_of_rows_in_memory_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 4 * CHUNK - 100);
    for precision in [Precision::F64, Precision::F32] {
        let all = ReadTable::new().precision(precision).read(&path).unwrap();
        let (samples, weights) = (all.select(["a", "b"]).unwrap(), all.column("w").unwrap());
        let mut plain = ReadTable::new().precision(precision).columns(["a", "b"]).open(&path).unwrap();
        let mut weighted = ReadTable::new().precision(precision).open(&path).unwrap();
        for settings in kinds() {
            let expected = settings.fit(&samples, &cpu()).unwrap();
            assert_eq!(in_small_pieces(&settings, &mut plain, None), expected, "{settings:?}");
            let expected = settings.fit_weighted(&samples, &weights, &cpu()).unwrap();
            assert_eq!(in_small_pieces(&settings, &mut weighted, Some("w")), expected, "{settings:?}");
        }
    }
}

#[test]
fn starting_memberships_go_beside_rows_that_come_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 2 * CHUNK + 400);
    let samples = ReadTable::new().columns(["a", "b"]).read(&path).unwrap();
    let degree = |i: usize| if i % 3 == i * 3 / (samples.rows() * 3) { 0.6 } else { 0.2 };
    let given: Vec<f64> = (0..samples.rows() * 3).map(degree).collect();
    for metric in [Metric::Euclidean, Metric::GathGeva] {
        let start = Start::Memberships(table(3, &given));
        let settings = FuzzyCMeans::new(3).metric(metric).start(start).n_init(4);
        let mut reader = ReadTable::new().columns(["a", "b"]).open(&path).unwrap();
        let expected = settings.fit(&samples, &cpu()).unwrap();
        assert_eq!(in_small_pieces(&settings, &mut reader, None), expected);
    }
}

#[test]
fn a_reader_is_read_from_its_first_row_whatever_was_read_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 400);
    let settings = FuzzyCMeans::new(4).seed(1);
    let mut reader = ReadTable::new().open(&path).unwrap();
    reader.next(150).unwrap();
    let found = settings.fit_reader_weighted(&mut reader, "w", &cpu()).unwrap();
    let all = ReadTable::new().read(&path).unwrap();
    let samples = all.select(["a", "b"]).unwrap();
    let expected = settings.fit_weighted(&samples, &all.column("w").unwrap(), &cpu()).unwrap();
    assert_eq!(found, expected);
    let swept = settings.sweep_reader([2, 4], &mut reader, Some("w"), &cpu()).unwrap();
    assert_eq!((swept[0].clusters(), &swept[1]), (2, &expected));
}

#[test]
fn a_column_of_weights_that_count_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    let refused = |text: &str, column: &str| {
        std::fs::write(&path, text).unwrap();
        let mut reader = ReadTable::new().open(&path).unwrap();
        let fit = FuzzyCMeans::new(1).fit_reader_weighted(&mut reader, column, &cpu());
        fit.unwrap_err().to_string()
    };
    let mend = "give one weight per row, each finite and at least 0, not all of them 0";
    assert_eq!(refused("x,w\n1,1\n2,-3\n", "w"), format!("sample weight 2 is -3; {mend}"));
    assert_eq!(refused("x,w\n1,1\n2,2\n3,\n", "w"), format!("sample weight 3 is NaN; {mend}"));
    assert_eq!(refused("x,w\n1,0\n2,0\n", "w"), format!("sample weight 1 is 0; {mend}"));
    assert_eq!(refused("x,w\n1,0\n2,0\n", "v"), "no column is called `v`; there is `x`, `w`");
    assert_eq!(
        refused("w\n1\n2\n", "w"),
        "no column of numbers is left to cluster; name at least one beside labels and weights"
    );
}
