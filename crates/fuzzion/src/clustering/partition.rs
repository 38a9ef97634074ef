//! A fitted model: what it knows, and what it says about rows.

use super::model::{degrees_of, rows_of};
use super::prepare::sum_weights;
use super::prototypes::{Prototypes, Rule};
use super::report::Report;
use super::rows::{Out, Samples, Source};
use super::sums::{Sums, Want};
use crate::data::{Precision, Table};
use crate::device::Device;
use crate::error::{Error, Result};

/// Clusters found in data; made by [`FuzzyCMeans::fit`](super::FuzzyCMeans::fit).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Partition {
    /// V, one row per cluster, columns as the data's, in double precision.
    pub centers: Table,
    /// F of each cluster, columns × columns, where the metric has them (Gustafson-Kessel, Gath-Geva).
    pub covariances: Option<Vec<Vec<f64>>>,
    /// Σᵢ uₖᵢ of each cluster.
    pub weights: Vec<f64>,
    /// How the fit went.
    pub report: Report,
    pub(super) prototypes: Prototypes,
}

/// The largest memberships of every row, largest first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TopMemberships {
    /// How many there are of each row.
    pub top: usize,
    /// Their clusters, row after row, from 0.
    pub clusters: Vec<u32>,
    /// The memberships, row after row.
    pub memberships: Vec<f64>,
}

impl Partition {
    pub(super) fn new(
        names: Vec<String>,
        prototypes: Prototypes,
        weights: Vec<f64>,
        report: Report,
    ) -> Result<Self> {
        let n = prototypes.columns();
        let centers: Vec<f64> =
            (0..prototypes.clusters()).flat_map(|k| prototypes.space.leave(prototypes.center(k))).collect();
        let covariances = prototypes.shapes.as_ref().map(|shapes| {
            shapes.covariances.chunks_exact(n * n).map(|f| prototypes.space.leave_covariance(f)).collect()
        });
        Ok(Partition { centers: Table::new(names, centers)?, covariances, weights, report, prototypes })
    }

    /// How many clusters there are.
    pub fn clusters(&self) -> usize {
        self.prototypes.clusters()
    }

    /// The memberships of every row, one column per cluster (`cluster1`, `cluster2`, …), in the precision of `samples`.
    ///
    /// Those of a row sum to 1, except that noise takes its share away, and that possibilistic clusters have
    /// typicalities, equation (9), in their place.
    ///
    /// # Errors
    /// [`Error::ClusteringShape`], [`Error::NotFinite`] and [`Error::NotOnGpu`].
    pub fn memberships(&self, samples: &Table, device: &Device) -> Result<Table> {
        self.degrees(&self.prototypes, samples, device)
    }

    /// The typicalities of every row, equation (9) or (10), laid out as [`Partition::memberships`] are: how well a row
    /// fits a cluster whatever it is to the others.
    ///
    /// # Errors
    /// As there, and [`Error::NoTypicalities`] where the variant is neither possibilistic nor possibilistic-fuzzy.
    pub fn typicalities(&self, samples: &Table, device: &Device) -> Result<Table> {
        match &self.prototypes.rule {
            Rule::Possibilistic { .. } => self.memberships(samples, device),
            Rule::Mixed { typicality_fuzzifier, typicality, widths, .. } => {
                // Equation (10) is equation (9) with the widths γ/b.
                let widths = widths.iter().map(|width| width / typicality).collect();
                let rule = Rule::Possibilistic { fuzzifier: *typicality_fuzzifier, widths };
                self.degrees(&Prototypes { rule, ..self.prototypes.clone() }, samples, device)
            }
            _ => Err(Error::NoTypicalities),
        }
    }

    fn degrees(&self, prototypes: &Prototypes, samples: &Table, device: &Device) -> Result<Table> {
        let rows = self.checked(samples)?;
        let clusters = self.clusters();
        let names: Vec<String> = (1..=clusters).map(|k| format!("cluster{k}")).collect();
        if samples.precision() == Precision::F32 {
            let mut out = vec![0.0f32; samples.rows() * clusters];
            degrees_of(rows, prototypes, Out::Single(&mut out), device)?;
            Table::new(names, out)
        } else {
            let mut out = vec![0.0f64; samples.rows() * clusters];
            degrees_of(rows, prototypes, Out::Double(&mut out), device)?;
            Table::new(names, out)
        }
    }

    /// The `top` largest memberships of every row, which take rows × `top` memory whatever the number of clusters.
    ///
    /// # Errors
    /// As [`Partition::memberships`].
    pub fn top_memberships(&self, samples: &Table, top: usize, device: &Device) -> Result<TopMemberships> {
        let top = top.clamp(1, self.clusters());
        let mut out = vec![(0u32, 0.0f64); samples.rows() * top];
        degrees_of(self.checked(samples)?, &self.prototypes, Out::Top(top, &mut out), device)?;
        let (clusters, memberships) = out.into_iter().unzip();
        Ok(TopMemberships { top, clusters, memberships })
    }

    /// The cluster each row belongs to most, from 0; the first of equals.
    ///
    /// # Errors
    /// As [`Partition::memberships`].
    pub fn predict(&self, samples: &Table, device: &Device) -> Result<Vec<u32>> {
        let mut labels = vec![0u32; samples.rows()];
        degrees_of(self.checked(samples)?, &self.prototypes, Out::Labels(&mut labels), device)?;
        Ok(labels)
    }

    /// The sums of `samples` at this partition, to be merged with those of other rows and given to
    /// [`Partition::update`].
    ///
    /// # Errors
    /// As [`Partition::memberships`].
    pub fn sums(&self, samples: &Table, device: &Device) -> Result<Sums> {
        self.sums_of(self.checked(samples)?, device)
    }

    /// As [`Partition::sums`], each row counting as often as its weight says.
    ///
    /// # Errors
    /// As there, and [`Error::Weight`].
    pub fn sums_weighted(&self, samples: &Table, weights: &[f64], device: &Device) -> Result<Sums> {
        sum_weights(weights, samples.rows(), 0)?;
        self.sums_of(Samples { weights: Some(weights), ..self.checked(samples)? }, device)
    }

    fn sums_of(&self, samples: Samples<'_>, device: &Device) -> Result<Sums> {
        let want = Want::default();
        let mut sums = rows_of(Source::Memory(samples), device)?.sweep(&[&self.prototypes], want)?;
        let (clusters, columns) = (self.clusters(), self.centers.columns());
        let none = || Sums::zero(clusters, columns, self.prototypes.space.partial, want);
        Ok(sums.pop().unwrap_or_else(none))
    }

    /// One step of the iteration, equation (3), with the sums of all rows; returns how far the farthest center moved,
    /// in the fit's coordinates, where the spread of the data is near 1.
    ///
    /// Shapes and widths of clusters stay as they are; the report still tells of the fit.
    ///
    /// # Errors
    /// [`Error::SumsShape`] for sums of another partition.
    pub fn update(&mut self, sums: &Sums) -> Result<f64> {
        let expected = (self.clusters(), self.centers.columns());
        sums.require_shape(expected)?;
        let next = sums.centers(&self.prototypes.centers);
        let moved = |(a, b): (&[f64], &[f64])| super::indices::squared_distance(a, b);
        let n = expected.1;
        let moves = self.prototypes.centers.chunks_exact(n).zip(next.chunks_exact(n)).map(moved);
        let largest = moves.fold(0.0, f64::max).sqrt();
        self.prototypes.centers = next;
        let names = self.centers.names().to_vec();
        *self = Partition::new(names, self.prototypes.clone(), self.weights.clone(), self.report.clone())?;
        Ok(largest)
    }

    /// Refuses a table of other columns than the fit's.
    pub(super) fn require_columns(&self, samples: &Table) -> Result<()> {
        let (rows, columns) = (samples.rows() as u64, samples.columns());
        let expected = self.centers.columns();
        if columns == expected {
            return Ok(());
        }
        Err(Error::ClusteringShape { what: "samples", found: (rows, columns), expected: (rows, expected) })
    }

    fn checked<'a>(&self, samples: &'a Table) -> Result<Samples<'a>> {
        self.require_columns(samples)?;
        if !self.prototypes.space.partial {
            samples.require_finite()?;
        }
        Ok(Samples::of(samples, None))
    }
}
