//! From prepared settings to partitions: the starts, the stages of each variant, the best of all restarts.

use super::algorithm::{Begin, Course, Outcome};
use super::metric::Shaping;
use super::model::FuzzyCMeans;
use super::partition::Partition;
use super::prepare::Prepared;
use super::prototypes::{Prototypes, Rule};
use super::rows::Rows;
use super::settings::{Criterion, Start, Variant};
use super::starts::{self, Started};
use super::sums::{Sums, Want};
use crate::data::Precision;
use crate::device::Device;
use crate::error::Result;

/// Steps and tolerance of a fuzzy fit that only prepares another one.
const WARM_ITERATIONS: usize = 50;
const WARM_TOLERANCE: f64 = 1e-3;
/// Dave's λ: the noise distance squared is this share of the mean squared distance.
const NOISE_SHARE: f64 = 0.1;

/// Squared distances that rounding cannot tell from 0, where the spread is near 1; single precision holds the inverse.
const NEGLIGIBLE: f64 = 1e-30;

/// Settings that met their data, for several numbers of clusters.
pub(super) struct Fit<'a> {
    pub(super) settings: &'a FuzzyCMeans<'a>,
    pub(super) clusters: &'a [usize],
    pub(super) names: Vec<String>,
    pub(super) precision: Precision,
    pub(super) device: &'a Device,
    pub(super) prepared: Prepared<'a>,
}

impl<'a> Fit<'a> {
    /// Fits of `settings` to `rows`, which came from a source of these columns and this precision.
    pub(super) fn prepare(
        settings: &'a FuzzyCMeans<'a>,
        clusters: &'a [usize],
        rows: &mut dyn Rows,
        (names, precision): (Vec<String>, Precision),
        device: &'a Device,
    ) -> Result<Self> {
        let prepared = Prepared::new(settings, clusters, rows, &names, precision)?;
        Ok(Fit { settings, clusters, names, precision, device, prepared })
    }

    /// For each number of clusters the best partition of all starts: the lowest objective, the first of equals.
    pub(super) fn partitions(&self, rows: &mut dyn Rows) -> Result<Vec<Partition>> {
        let started = starts::all(self, rows)?;
        let restarts = started.len() / self.clusters.len().max(1);
        let begins = self.staged(rows, started)?;
        let outcomes = self.course().run(rows, begins)?;
        let best = self.best(rows, outcomes, restarts)?;
        self.finish(rows, best)
    }

    /// The outcome with the lowest objective of every `restarts` ones.
    fn best(&self, rows: &mut dyn Rows, outcomes: Vec<Outcome>, restarts: usize) -> Result<Vec<Outcome>> {
        if restarts <= 1 {
            return Ok(outcomes);
        }
        let objectives = self.course().objectives(rows, &outcomes)?;
        let mut pairs = objectives.into_iter().zip(outcomes);
        let mut best = Vec::new();
        while let Some(first) = pairs.next() {
            let others = pairs.by_ref().take(restarts - 1);
            best.push(others.fold(first, |a, b| if b.0 < a.0 { b } else { a }).1);
        }
        Ok(best)
    }

    fn course(&self) -> &Course<'a> {
        &self.prepared.course
    }

    /// What the variant or metric needs to know before its own iteration.
    fn staged(&self, rows: &mut dyn Rows, started: Vec<Started>) -> Result<Vec<Begin>> {
        if let Some(shaping) = &self.course().shaping {
            return self.shaped(rows, started, shaping);
        }
        let m = self.settings.fuzzifier;
        let mut starts: Vec<Prototypes> = started.into_iter().map(|start| start.prototypes).collect();
        match self.settings.variant {
            Variant::Fuzzy => {}
            Variant::Hard => starts.iter_mut().for_each(|start| start.rule = Rule::Hard),
            Variant::Noise { distance: Some(distance) } => {
                let distance = (distance / self.prepared.space.unit.sqrt()).powi(2);
                starts.iter_mut().for_each(|start| start.rule = Rule::Noise { fuzzifier: m, distance });
            }
            Variant::Noise { distance: None } => {
                starts = self.warm(rows, starts)?;
                let sums = statistics(rows, &starts)?;
                for (start, sums) in starts.iter_mut().zip(sums) {
                    let total = sums.statistics.map_or(0.0, |s| s.distances);
                    let mean = total / (sums.weight * start.clusters() as f64);
                    let distance = (NOISE_SHARE * mean).max(NEGLIGIBLE);
                    start.rule = Rule::Noise { fuzzifier: m, distance };
                }
            }
            Variant::Possibilistic => {
                for (start, widths) in self.with_widths(rows, &mut starts)? {
                    start.rule = Rule::Possibilistic { fuzzifier: m, widths };
                }
            }
            Variant::PossibilisticFuzzy { membership, typicality, typicality_fuzzifier } => {
                for (start, widths) in self.with_widths(rows, &mut starts)? {
                    start.rule =
                        Rule::Mixed { fuzzifier: m, typicality_fuzzifier, membership, typicality, widths };
                }
            }
        }
        Ok(starts.into_iter().map(begin).collect())
    }

    /// Starts with a metric of each cluster's own: that of the given memberships, or of a first step.
    fn shaped(&self, rows: &mut dyn Rows, started: Vec<Started>, shaping: &Shaping) -> Result<Vec<Begin>> {
        let mut begins = Vec::new();
        let (mut starts, mut given) = (Vec::new(), Vec::new());
        for start in started {
            starts.push(start.prototypes);
            given.extend(start.sums);
        }
        let (at, sums) = if given.is_empty() {
            if !matches!(self.settings.start, Start::Centers(_)) {
                starts = self.warm(rows, starts)?;
            }
            let sums = rows.sweep(&starts.iter().collect::<Vec<_>>(), self.course().want())?;
            (starts, sums)
        } else {
            // The sums of given memberships are about 0.
            starts.iter_mut().for_each(|start| start.centers.fill(0.0));
            (starts, given)
        };
        for (mut start, sums) in at.into_iter().zip(sums) {
            let mut rescued = Vec::new();
            let next = sums.centers(&start.centers);
            start.shapes = Some(shaping.shapes(&sums, &start, &next, self.course().size, &mut rescued));
            start.centers = next;
            if matches!(shaping, Shaping::GathGeva) {
                start.rule = Rule::Gaussian { fuzzifier: self.settings.fuzzifier };
            }
            begins.push(Begin { prototypes: start, rescued });
        }
        Ok(begins)
    }

    /// Fuzzy fits that are good enough to start other ones.
    pub(super) fn warm(&self, rows: &mut dyn Rows, starts: Vec<Prototypes>) -> Result<Vec<Prototypes>> {
        self.short(WARM_ITERATIONS, WARM_TOLERANCE, rows, starts)
    }

    fn short(
        &self,
        max_iterations: usize,
        tolerance: f64,
        rows: &mut dyn Rows,
        starts: Vec<Prototypes>,
    ) -> Result<Vec<Prototypes>> {
        let course = Course {
            max_iterations,
            tolerance,
            criterion: Criterion::CenterMove,
            plain: false,
            shaping: None,
            ..*self.course()
        };
        let outcomes = course.run(rows, starts.into_iter().map(begin).collect())?;
        Ok(outcomes.into_iter().map(|outcome| outcome.prototypes).collect())
    }

    /// The starts moved to the end of a fuzzy fit, each with η of its clusters there: the means of d weighted by uᵐ.
    fn with_widths<'s>(
        &self,
        rows: &mut dyn Rows,
        starts: &'s mut Vec<Prototypes>,
    ) -> Result<impl Iterator<Item = (&'s mut Prototypes, Vec<f64>)>> {
        let (max_iterations, tolerance) = (self.settings.max_iterations, self.settings.tolerance);
        *starts = self.short(max_iterations, tolerance, rows, std::mem::take(starts))?;
        let sums = statistics(rows, starts)?;
        let width = |(spread, mass): (f64, &f64)| {
            let width = spread / mass.max(f64::MIN_POSITIVE);
            if width > NEGLIGIBLE { width } else { NEGLIGIBLE }
        };
        let widths = move |sums: Sums| -> Vec<f64> {
            let spreads = sums.statistics.map(|s| s.spreads).unwrap_or_default();
            spreads.into_iter().zip(&sums.masses).map(width).collect()
        };
        Ok(starts.iter_mut().zip(sums.into_iter().map(widths)))
    }

    fn finish(&self, rows: &mut dyn Rows, outcomes: Vec<Outcome>) -> Result<Vec<Partition>> {
        let mean = self.prepared.space.enter(self.prepared.survey.means());
        let finals = self.course().finals(rows, &outcomes)?;
        let finish = |(outcome, (sums, masses)): (Outcome, (Sums, Vec<f64>))| {
            let report = self.course().report(&outcome, &sums, &masses, &mean);
            let weights = sums.statistics.map(|s| s.memberships).unwrap_or_default();
            Partition::new(self.names.clone(), outcome.prototypes, weights, report)
        };
        outcomes.into_iter().zip(finals).map(finish).collect()
    }
}

/// One pass for the statistics of all prototypes.
fn statistics(rows: &mut dyn Rows, prototypes: &[Prototypes]) -> Result<Vec<Sums>> {
    rows.sweep(&prototypes.iter().collect::<Vec<_>>(), Want { statistics: true, scatter: false })
}

fn begin(prototypes: Prototypes) -> Begin {
    Begin { prototypes, rescued: Vec::new() }
}
