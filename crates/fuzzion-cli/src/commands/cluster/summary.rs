//! A fit as text and as JSON.

use crate::commands::words::{aligned, clipped, counted, number, short};
use crate::console::seconds;
use fuzzion::clustering::{Indices, Partition, Report, Stop};
use serde_json::{Value, json};

/// The most clusters and columns shown as text.
const CLUSTERS: usize = 40;
const COLUMNS: usize = 8;

/// How long a fit took.
#[derive(Clone, Copy)]
pub(super) struct Timing {
    pub(super) seconds: f64,
    pub(super) ms_per_iteration: f64,
}

/// The indices by their short names, with their long ones and whether large is good.
pub(super) const INDICES: [(&str, &str, bool); 6] = [
    ("pc", "partition coefficient", true),
    ("pe", "partition entropy", false),
    ("mpc", "modified partition coefficient", true),
    ("xb", "Xie-Beni", false),
    ("fs", "Fukuyama-Sugeno", false),
    ("fhv", "fuzzy hypervolume", false),
];

/// The values of [`INDICES`].
pub(super) fn values(indices: &Indices) -> [Option<f64>; 6] {
    [
        Some(indices.partition_coefficient),
        Some(indices.partition_entropy),
        indices.modified_partition_coefficient,
        indices.xie_beni,
        Some(indices.fukuyama_sugeno),
        indices.fuzzy_hypervolume,
    ]
}

/// A fit as JSON.
pub(super) fn json(partition: &Partition, device: &str, timing: Timing) -> Value {
    let report = &partition.report;
    let columns = partition.centers.columns();
    let centers = partition.centers.to_f64();
    let centers = centers.chunks_exact(columns).map(|row| row.iter().map(|x| number(*x)).collect::<Vec<_>>());
    let indices = INDICES.iter().zip(values(&report.indices));
    let indices = indices.map(|((name, ..), value)| ((*name).to_owned(), value.map_or(Value::Null, number)));
    json!({
        "clusters": partition.clusters(),
        "columns": partition.centers.names(),
        "centers": centers.collect::<Vec<_>>(),
        "objective": number(report.objective),
        "history": report.history.iter().map(|x| number(*x)).collect::<Vec<_>>(),
        "iterations": report.iterations,
        "stop": report.stop,
        "sizes": report.sizes,
        "indices": indices.collect::<serde_json::Map<_, _>>(),
        "device": device,
        "seconds": timing.seconds,
        "ms_per_iteration": timing.ms_per_iteration,
        "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// A fit as text, without its heading.
pub(super) fn text(partition: &Partition, timing: Timing) -> String {
    let report = &partition.report;
    let mut out = clusters_table(partition);
    out.push('\n');
    out.push_str(&course(report, timing));
    out.push('\n');
    let mut lines = Vec::new();
    for ((_, name, large), value) in INDICES.iter().zip(values(&report.indices)) {
        let value = value.map_or_else(|| "–".into(), short);
        lines.push(vec![
            (*name).to_owned(),
            value,
            if *large { "large is good" } else { "small is good" }.into(),
        ]);
    }
    out.push_str(&aligned(&lines, &[0, 2]));
    for warning in &report.warnings {
        out.push_str(&format!("\nwarning: {warning}\n"));
    }
    out
}

fn clusters_table(partition: &Partition) -> String {
    let (names, columns) = (partition.centers.names(), partition.centers.columns());
    let shown = columns.min(COLUMNS);
    let header = ["cluster", "size"].into_iter().map(str::to_owned);
    let mut lines: Vec<Vec<String>> = vec![header.chain(names[..shown].iter().map(|n| clipped(n))).collect()];
    let centers = partition.centers.to_f64();
    for (k, center) in centers.chunks_exact(columns).enumerate().take(CLUSTERS) {
        let size = partition.report.sizes.get(k).copied().unwrap_or(f64::NAN);
        let numbers = center[..shown].iter().map(|x| short(*x));
        lines.push([(k + 1).to_string(), short(size)].into_iter().chain(numbers).collect());
    }
    let mut out = aligned(&lines, &[]);
    let more = |all: usize, shown: usize, what: &str| match all.saturating_sub(shown) {
        0 => String::new(),
        more => format!("… and {}; `--centers FILE` writes all\n", counted(more as u64, what)),
    };
    out.push_str(&more(partition.clusters(), CLUSTERS, "more cluster"));
    out.push_str(&more(columns, COLUMNS, "more column"));
    out
}

/// How the iteration went, in a sentence.
fn course(report: &Report, timing: Timing) -> String {
    let ended = match report.stop {
        Stop::Converged => "converged after",
        _ => "stopped, not yet converged, after",
    };
    let iterations = counted(report.iterations as u64, "iteration");
    let each = seconds(timing.ms_per_iteration / 1e3);
    let mut out =
        format!("{ended} {iterations} ({each} each) at the objective {}\n", short(report.objective));
    if report.stop == Stop::MaxIterations {
        out.push_str("`--max-iter` allows more, `--tol` is content with less\n");
    }
    out
}
