//! Baseline for the benchmarks: the equations as plain loops over centers and widths, auto-vectorized by the
//! compiler; every rule is evaluated and updated.

use fuzzion::device::Simd;
use fuzzion::internals::device::{exp_f32, mul_add_f32};
use fuzzion::internals::sonfin::{
    EpochStats, Learner, NONE, Network, ScaledSamples, StepSettings, Textbook, TrainingRun,
};
use fuzzion::simd;
use fuzzion::sonfin::SonfinError;

type Result<T> = std::result::Result<T, SonfinError>;

/// Number of independent accumulators; with a single one, the compiler could not vectorize the sum.
const LANES: usize = 16;

/// φ below which a rule is treated as 0; arithmetic with subnormal numbers is about a hundred times slower.
const MIN_FIRING: f32 = 1e-20;

/// A network trained with squared error on samples without missing inputs; adds no rules.
pub(crate) struct PlainLoop<'a> {
    samples: &'a ScaledSamples,
    simd: Simd,
    m: Vec<f32>,
    s: Vec<f32>,
    w: Vec<f32>,
}

impl<'a> PlainLoop<'a> {
    pub(crate) fn new(samples: &'a ScaledSamples, network: &Network, simd: Simd) -> Self {
        PlainLoop {
            samples,
            simd,
            m: network.c.iter().zip(&network.a).map(|(c, a)| c / a).collect(),
            s: network.a.iter().map(|a| 1.0 / a).collect(),
            w: network.w.clone(),
        }
    }
}

simd! {
    /// Trains on one sample and returns the loss.
    fn train_one(x: &[f32], t: &[f32], settings: &StepSettings, m: &mut [f32], s: &mut [f32], w: &mut [f32], phi: &mut [f32], y: &mut [f32], e: &mut [f32]) -> f64 = train_one_body;
}

#[allow(clippy::too_many_arguments)]
#[inline(always)]
fn train_one_body<const FMA: bool>(
    x: &[f32],
    t: &[f32],
    settings: &StepSettings,
    m: &mut [f32],
    s: &mut [f32],
    w: &mut [f32],
    phi: &mut [f32],
    y: &mut [f32],
    e: &mut [f32],
) -> f64 {
    let (dims, outputs) = (x.len(), t.len());
    let mut max = f32::NEG_INFINITY;
    for ((phi, m), s) in phi.iter_mut().zip(m.chunks_exact(dims)).zip(s.chunks_exact(dims)) {
        *phi = -squared_distance::<FMA>(x, m, s);
        max = max.max(*phi);
    }
    for phi in &mut *phi {
        *phi = exp_f32::<FMA>(*phi - max);
    }
    let sum = sum_in_lanes(phi.len(), |k| phi[k]);
    y.fill(0.0);
    for (phi, w) in phi.iter_mut().zip(w.chunks_exact(outputs)) {
        *phi = if *phi < MIN_FIRING { 0.0 } else { *phi / sum };
        for (y, w) in y.iter_mut().zip(w) {
            *y = mul_add_f32::<FMA>(*phi, *w, *y);
        }
    }
    for ((e, y), t) in e.iter_mut().zip(&*y).zip(t) {
        *e = y - t;
    }
    let (y, e) = (&y[..outputs], &e[..outputs]);
    let rules = phi.iter().zip(m.chunks_exact_mut(dims)).zip(s.chunks_exact_mut(dims));
    for (((phi, m), s), w) in rules.zip(w.chunks_exact_mut(outputs)) {
        let q = phi * sum_in_lanes(outputs, |l| e[l] * (w[l] - y[l]));
        for (w, e) in w.iter_mut().zip(e) {
            *w -= settings.rate_w * phi * e;
        }
        let (p, width_rate) = ((-2.0 * settings.rate_m * q).clamp(-0.5, 0.5), 2.0 * settings.rate_s * q);
        for ((m, s), x) in m.iter_mut().zip(s).zip(x) {
            let z = (x - *m) / *s;
            *m += p * (x - *m);
            *s = (*s / (1.0 + width_rate * z * z).clamp(0.5, 2.0)).max(settings.min_width);
        }
    }
    e.iter().map(|e| 0.5 * f64::from(*e).powi(2)).sum()
}

/// Sum of n terms with several accumulators.
#[inline(always)]
fn sum_in_lanes(n: usize, term: impl Fn(usize) -> f32) -> f32 {
    let mut sums = [0.0; 8];
    for first in (0..n - n % 8).step_by(8) {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum += term(first + i);
        }
    }
    let rest: f32 = (n - n % 8..n).map(&term).sum();
    rest + sums.iter().sum::<f32>()
}

#[inline(always)]
fn squared_distance<const FMA: bool>(x: &[f32], m: &[f32], s: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let (x, x_rest) = x.as_chunks::<LANES>();
    let (m, m_rest) = m.as_chunks::<LANES>();
    let (s, s_rest) = s.as_chunks::<LANES>();
    for ((x, m), s) in x.iter().zip(m).zip(s) {
        for i in 0..LANES {
            let z = (x[i] - m[i]) / s[i];
            sums[i] = mul_add_f32::<FMA>(z, z, sums[i]);
        }
    }
    for (i, ((x, m), s)) in x_rest.iter().zip(m_rest).zip(s_rest).enumerate() {
        let z = (x - m) / s;
        sums[i] += z * z;
    }
    sums.iter().sum()
}

impl Learner for PlainLoop<'_> {
    fn learn(&mut self, runs: &[TrainingRun<'_>]) -> Result<Vec<EpochStats>> {
        let outputs = self.samples.outputs;
        let mut phi = vec![0.0; self.w.len() / outputs];
        let (mut y, mut e) = (vec![0.0; outputs], vec![0.0; outputs]);
        let mut learn = |run: &TrainingRun<'_>| {
            let mut stats = EpochStats::default();
            for row in run.order {
                let (x, t) = (self.samples.inputs_of(*row as usize), self.samples.targets_of(*row as usize));
                let (m, s, w) = (&mut self.m, &mut self.s, &mut self.w);
                stats.loss += train_one(self.simd, x, t, &run.settings, m, s, w, &mut phi, &mut y, &mut e);
                stats.decisions.push(NONE);
            }
            stats
        };
        Ok(runs.iter().map(&mut learn).collect())
    }

    fn network(&mut self, _: usize) -> Result<Network> {
        Ok(Network {
            dims: self.samples.dims,
            outputs: self.samples.outputs,
            a: self.s.iter().map(|s| 1.0 / s).collect(),
            c: self.m.iter().zip(&self.s).map(|(m, s)| m / s).collect(),
            w: self.w.clone(),
        })
    }

    fn replace(&mut self, _: usize, network: &Network) -> Result<()> {
        *self = PlainLoop::new(self.samples, network, self.simd);
        Ok(())
    }

    fn outputs(&mut self, index: usize, rows: &[u32]) -> Result<Vec<f32>> {
        let network = self.network(index)?;
        Textbook::new(self.samples, &[network]).outputs(0, rows)
    }
}
