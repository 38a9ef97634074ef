//! The summary of a fit as text and as JSON.

use crate::format::{
    align_columns, count_of, ellipsize, format_number, format_seconds, json_number, without_noise,
};
use fuzzion::clustering::{ClusteringReport, Indices, Partition, Stop};
use serde_json::{Value, json};

/// Maximum number of clusters in the text summary.
const MAX_CLUSTERS: usize = 40;
/// Maximum number of columns in the text summary.
const MAX_COLUMNS: usize = 8;

/// Duration of a fit.
#[derive(Clone, Copy)]
pub(super) struct Timing {
    pub(super) seconds: f64,
    pub(super) ms_per_iteration: f64,
}

/// The validity indices: short name, long name, and whether higher is better.
pub(super) const INDICES: [(&str, &str, bool); 6] = [
    ("pc", "partition coefficient", true),
    ("pe", "partition entropy", false),
    ("mpc", "modified partition coefficient", true),
    ("xb", "Xie-Beni", false),
    ("fs", "Fukuyama-Sugeno", false),
    ("fhv", "fuzzy hypervolume", false),
];

/// The values of [`INDICES`], in the same order.
pub(super) fn index_values(indices: &Indices) -> [Option<f64>; 6] {
    [
        Some(indices.partition_coefficient),
        Some(indices.partition_entropy),
        indices.modified_partition_coefficient,
        indices.xie_beni,
        Some(indices.fukuyama_sugeno),
        indices.fuzzy_hypervolume,
    ]
}

/// The summary as JSON.
pub(super) fn json(partition: &Partition, timing: Timing) -> Value {
    let report = &partition.report;
    let columns = partition.centers.columns();
    let centers = partition.centers.to_f64();
    let centers =
        centers.chunks_exact(columns).map(|row| row.iter().map(|x| json_number(*x)).collect::<Vec<_>>());
    let indices = INDICES.iter().zip(index_values(&report.indices));
    let indices =
        indices.map(|((name, ..), value)| ((*name).to_owned(), value.map_or(Value::Null, json_number)));
    json!({
        "clusters": partition.clusters(),
        "columns": partition.centers.names(),
        "centers": centers.collect::<Vec<_>>(),
        "objective": json_number(report.objective),
        "history": report.history.iter().map(|x| json_number(*x)).collect::<Vec<_>>(),
        "iterations": report.iterations,
        "stop": report.stop,
        "sizes": report.sizes,
        "indices": indices.collect::<serde_json::Map<_, _>>(),
        "seconds": timing.seconds,
        "ms_per_iteration": timing.ms_per_iteration,
        "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// `summary` with another warning, if given.
pub(super) fn with_warning(mut summary: Value, warning: Option<String>) -> Value {
    if let Some(warnings) = summary["warnings"].as_array_mut() {
        warnings.extend(warning.map(Value::from));
    }
    summary
}

/// The summary as text, without its heading.
pub(super) fn text(partition: &Partition, timing: Timing) -> String {
    let report = &partition.report;
    let mut out = clusters_table(partition);
    out.push('\n');
    out.push_str(&convergence(report, timing));
    out.push('\n');
    let mut lines = Vec::new();
    for ((_, name, is_higher_better), value) in INDICES.iter().zip(index_values(&report.indices)) {
        let value = value.map_or_else(|| "–".into(), format_number);
        lines.push(vec![(*name).to_owned(), value, direction(*is_higher_better).into()]);
    }
    out.push_str(&align_columns(&lines, &[0, 2]));
    for warning in &report.warnings {
        out.push_str(&format!("\nwarning: {warning}\n"));
    }
    out
}

/// Which values of an index are better.
pub(super) fn direction(is_higher_better: bool) -> &'static str {
    if is_higher_better { "higher is better" } else { "lower is better" }
}

fn clusters_table(partition: &Partition) -> String {
    let (names, columns) = (partition.centers.names(), partition.centers.columns());
    let shown = columns.min(MAX_COLUMNS);
    let header = ["cluster", "size"].into_iter().map(str::to_owned);
    let mut lines: Vec<Vec<String>> =
        vec![header.chain(names[..shown].iter().map(|n| ellipsize(n))).collect()];
    let centers = partition.centers.to_f64();
    let clusters = centers.chunks_exact(columns).zip(&partition.report.sizes);
    let scale = |column: usize| {
        centers.iter().skip(column).step_by(columns).fold(0.0, |max: f64, x| max.max(x.abs()))
    };
    let scales: Vec<f64> = (0..shown).map(scale).collect();
    for (k, (center, size)) in clusters.enumerate().take(MAX_CLUSTERS) {
        let values = center.iter().zip(&scales).map(|(x, scale)| format_number(without_noise(*x, *scale)));
        lines.push([(k + 1).to_string(), format_number(*size)].into_iter().chain(values).collect());
    }
    let mut out = align_columns(&lines, &[]);
    let more = |all: usize, shown: usize, noun: &str| match all.saturating_sub(shown) {
        0 => String::new(),
        more => format!("… and {}; use `--centers FILE` to write all of them\n", count_of(more as u64, noun)),
    };
    out.push_str(&more(partition.clusters(), MAX_CLUSTERS, "more cluster"));
    out.push_str(&more(columns, MAX_COLUMNS, "more column"));
    out
}

/// Whether the iteration converged, and after how many iterations it stopped.
fn convergence(report: &ClusteringReport, timing: Timing) -> String {
    let stop = match report.stop {
        Stop::Converged => "converged after",
        _ => "not converged after",
    };
    let iterations = count_of(report.iterations as u64, "iteration");
    let each = match report.iterations {
        0 => String::new(),
        _ => format!(" ({} each)", format_seconds(timing.ms_per_iteration / 1e3)),
    };
    let mut out = format!("{stop} {iterations}{each}, objective {}\n", format_number(report.objective));
    if report.stop == Stop::MaxIterations {
        out.push_str("increase `--max-iter` or `--tol` to converge\n");
    }
    out
}
