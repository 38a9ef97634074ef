//! The state of a distributed fit, from which each machine computes the statistics of its rows.

use super::problem;
use super::statistics::{Chunk, ClusteringStatistics, Sampled, Values};
use crate::clustering::dispatch::backend_for;
use crate::clustering::error::{ClusteringError, Result};
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::source::RowSource;
use crate::clustering::rows::summary::{DataSummary, SummaryOptions};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::{Precision, Samples, encoded, from_bytes, to_bytes};
use crate::device::Device;

/// State of a [`DistributedFit`](super::DistributedFit): what to compute next, including the centers. It is sent to all
/// machines, as bytes if necessary.
#[derive(Clone, Debug)]
pub struct ClusteringState {
    pub(super) step: u64,
    pub(super) columns: usize,
    pub(super) single: bool,
    pub(super) request: Request,
}

encoded! { ClusteringState { step, columns, single, request } }

/// What to compute.
#[derive(Clone, Debug)]
pub(super) enum Request {
    Summary {
        options: SummaryOptions,
    },
    Sums {
        prototypes: Vec<Prototypes>,
        requested: RequestedSums,
    },
    Changes {
        before: Vec<Prototypes>,
        after: Vec<Prototypes>,
    },
    /// The rows with these indices, in ascending order, if the chunks are concatenated.
    Rows {
        chunks: Vec<Chunk>,
        rows: Vec<u64>,
    },
}

encoded! {
    enum Request {
        0 => Summary { options },
        1 => Sums { prototypes, requested },
        2 => Changes { before, after },
        3 => Rows { chunks, rows },
    }
}

impl ClusteringState {
    /// Number of statistics that were computed before.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Precision of the rows.
    pub fn precision(&self) -> Precision {
        if self.single { Precision::F32 } else { Precision::F64 }
    }

    /// Returns the statistics of a chunk of rows, which may be empty. `chunk` is the number of the chunk: any numbers will
    /// do, but each chunk must have its own, and the same one in all steps.
    ///
    /// # Errors
    /// [`ClusteringError::Shape`] if the number of columns differs, [`ClusteringError::Distributed`] if the precision or
    /// the chunk differs, [`DataError::NotFinite`](crate::data::DataError::NotFinite) with the row of the chunk, and errors
    /// of the device.
    pub fn partial_statistics<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        chunk: u64,
        device: &Device,
    ) -> Result<ClusteringStatistics> {
        let samples = samples.into();
        let rows = samples.rows() as u64;
        if samples.columns() != self.columns {
            let (found, expected) = ((rows, samples.columns()), (rows, self.columns));
            return Err(ClusteringError::Shape { what: "samples", found, expected });
        }
        if samples.precision() != self.precision() {
            return Err(problem(format!(
                "chunk {chunk} has another precision than the fit; convert all chunks to the same one"
            )));
        }
        let values = if rows == 0 { self.of_no_rows(chunk) } else { self.of_rows(&samples, chunk, device)? };
        Ok(ClusteringStatistics { step: self.step, rows, values })
    }

    fn of_rows(&self, samples: &Samples<'_>, chunk: u64, device: &Device) -> Result<Values> {
        let backend = |clusters| backend_for(RowSource::Memory(samples), clusters, device);
        Ok(match &self.request {
            Request::Summary { options } => {
                let weight = samples.weights().map_or(samples.rows() as f64, |weights| weights.iter().sum());
                let chunks = vec![Chunk { number: chunk, rows: samples.rows() as u64 }];
                Values::Summary { chunks, weight, summary: backend(1)?.summarize(*options)? }
            }
            Request::Sums { prototypes, requested } => {
                let prototypes: Vec<&Prototypes> = prototypes.iter().collect();
                Values::Sums { sums: backend(clusters(&prototypes))?.sweep(&prototypes, *requested)? }
            }
            Request::Changes { before, after } => {
                let steps: Vec<(&Prototypes, &Prototypes)> = before.iter().zip(after).collect();
                let clusters = clusters(&before.iter().collect::<Vec<_>>());
                Values::Changes { changes: backend(clusters)?.change(&steps)? }
            }
            Request::Rows { chunks, rows } => {
                let first = first_row(chunks, chunk, samples.rows() as u64)?;
                let range = first..first + samples.rows() as u64;
                let indices: Vec<u64> = rows.iter().copied().filter(|row| range.contains(row)).collect();
                let local: Vec<u64> = indices.iter().map(|row| row - first).collect();
                let (values, weights) =
                    if local.is_empty() { Default::default() } else { backend(1)?.gather(&local)? };
                let columns = self.columns;
                let sampled = indices.into_iter().zip(values.chunks_exact(columns)).zip(weights);
                let sampled = sampled.map(|((index, x), weight)| Sampled { index, x: x.to_vec(), weight });
                Values::Rows { rows: sampled.collect() }
            }
        })
    }

    fn of_no_rows(&self, chunk: u64) -> Values {
        match &self.request {
            Request::Summary { options } => Values::Summary {
                chunks: vec![Chunk { number: chunk, rows: 0 }],
                weight: 0.0,
                summary: DataSummary::new(self.columns, *options),
            },
            Request::Sums { prototypes, requested } => {
                let zero =
                    |p: &Prototypes| Sums::zero(p.clusters(), p.columns(), p.space.partial, *requested);
                Values::Sums { sums: prototypes.iter().map(zero).collect() }
            }
            Request::Changes { before, .. } => Values::Changes { changes: vec![0.0; before.len()] },
            Request::Rows { .. } => Values::Rows { rows: Vec::new() },
        }
    }

    /// Checks that `statistics` are those of all rows at this state; `total` is their number, if it is known.
    pub(crate) fn check(&self, statistics: &ClusteringStatistics, total: Option<u64>) -> Result<()> {
        if statistics.step != self.step {
            return Err(problem(format!(
                "the statistics belong to step {}, but the state to step {}; compute them with the current state",
                statistics.step, self.step
            )));
        }
        if let Some(total) = total.filter(|total| *total != statistics.rows) {
            return Err(problem(format!(
                "the statistics belong to {} rows, but the chunks have {total} rows; merge those of each chunk once",
                statistics.rows
            )));
        }
        let fits = match (&self.request, &statistics.values) {
            (Request::Summary { .. }, Values::Summary { chunks, summary, .. }) => {
                let mut numbers: Vec<u64> = chunks.iter().map(|chunk| chunk.number).collect();
                numbers.sort_unstable();
                if let Some(pair) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
                    return Err(problem(format!(
                        "two chunks have the number {}; give each chunk its own",
                        pair[0]
                    )));
                }
                summary.has_columns(self.columns)
            }
            (Request::Sums { prototypes, .. }, Values::Sums { sums }) => {
                let shape = |(p, s): (&Prototypes, &Sums)| s.require_shape((p.clusters(), p.columns()));
                prototypes.iter().zip(sums).try_for_each(shape)?;
                prototypes.len() == sums.len()
            }
            (Request::Changes { before, .. }, Values::Changes { changes }) => before.len() == changes.len(),
            (Request::Rows { rows, .. }, Values::Rows { rows: found }) => {
                rows.len() == found.len() && found.iter().all(|row| row.x.len() == self.columns)
            }
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(problem("the statistics belong to another fit; compute them with its state".into()))
        }
    }

    /// The encoding for other machines, which must use the same version of the library.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self)
    }

    /// Decodes a state.
    ///
    /// # Errors
    /// [`ClusteringError::Distributed`] if the bytes are malformed or of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        from_bytes(bytes, "state").map_err(problem)
    }
}

fn clusters(prototypes: &[&Prototypes]) -> usize {
    prototypes.iter().map(|prototypes| prototypes.clusters()).sum()
}

/// Index of the first row of a chunk of `rows` rows.
fn first_row(chunks: &[Chunk], number: u64, rows: u64) -> Result<u64> {
    let mut first = 0;
    for chunk in chunks {
        if chunk.number == number {
            return if chunk.rows == rows {
                Ok(first)
            } else {
                Err(problem(format!(
                    "chunk {number} has {rows} rows, but it had {}; pass the same rows in all steps",
                    chunk.rows
                )))
            };
        }
        first += chunk.rows;
    }
    Err(problem(format!("chunk {number} is new; pass the same chunks in all steps")))
}
