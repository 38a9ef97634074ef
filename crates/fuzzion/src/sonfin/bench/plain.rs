//! What the room's learning is compared with: the equations as loops over centers and widths, which the compiler turns
//! into vector instructions; every rule is asked and moved.

use super::super::learner::{Course, Learner, Lesson, NONE, Tally};
use super::super::network::Network;
use super::super::samples::Samples;
use crate::device::math::exp_f32;
use crate::device::{Simd, mul_add_f32, simd};
use crate::error::Result;

/// Sums that run side by side: a compiler may not reorder a single one.
const LANES: usize = 16;

/// φ below which a rule counts as 0: products with numbers that are hardly above 0 take a hundred times as long.
const FAINT: f32 = 1e-20;

/// A network that learns from samples without missing inputs, with the loss of squares, and adds no rules.
pub(in super::super) struct Plain<'a> {
    samples: &'a Samples,
    simd: Simd,
    m: Vec<f32>,
    s: Vec<f32>,
    w: Vec<f32>,
}

impl<'a> Plain<'a> {
    pub(in super::super) fn new(samples: &'a Samples, network: &Network, simd: Simd) -> Self {
        Plain {
            samples,
            simd,
            m: network.c.iter().zip(&network.a).map(|(c, a)| c / a).collect(),
            s: network.a.iter().map(|a| 1.0 / a).collect(),
            w: network.w.clone(),
        }
    }
}

simd! {
    /// One sample: the loss.
    fn one(x: &[f32], t: &[f32], course: &Course, m: &mut [f32], s: &mut [f32], w: &mut [f32], phi: &mut [f32], y: &mut [f32], e: &mut [f32]) -> f64 = one_body;
}

#[allow(clippy::too_many_arguments)]
#[inline(always)]
fn one_body<const FMA: bool>(
    x: &[f32],
    t: &[f32],
    course: &Course,
    m: &mut [f32],
    s: &mut [f32],
    w: &mut [f32],
    phi: &mut [f32],
    y: &mut [f32],
    e: &mut [f32],
) -> f64 {
    let (dims, outputs) = (x.len(), t.len());
    let mut most = f32::NEG_INFINITY;
    for ((phi, m), s) in phi.iter_mut().zip(m.chunks_exact(dims)).zip(s.chunks_exact(dims)) {
        *phi = -squares::<FMA>(x, m, s);
        most = most.max(*phi);
    }
    for phi in &mut *phi {
        *phi = exp_f32::<FMA>(*phi - most);
    }
    let sum = side_by_side(phi.len(), |k| phi[k]);
    y.fill(0.0);
    for (phi, w) in phi.iter_mut().zip(w.chunks_exact(outputs)) {
        *phi = if *phi < FAINT { 0.0 } else { *phi / sum };
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
        let q = phi * side_by_side(outputs, |l| e[l] * (w[l] - y[l]));
        for (w, e) in w.iter_mut().zip(e) {
            *w -= course.rate_w * phi * e;
        }
        let (p, narrow) = ((-2.0 * course.rate_m * q).clamp(-0.5, 0.5), 2.0 * course.rate_s * q);
        for ((m, s), x) in m.iter_mut().zip(s).zip(x) {
            let z = (x - *m) / *s;
            *m += p * (x - *m);
            *s = (*s / (1.0 + narrow * z * z).clamp(0.5, 2.0)).max(course.least_width);
        }
    }
    e.iter().map(|e| 0.5 * f64::from(*e).powi(2)).sum()
}

/// The sum of n terms, in lanes.
#[inline(always)]
fn side_by_side(n: usize, term: impl Fn(usize) -> f32) -> f32 {
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
fn squares<const FMA: bool>(x: &[f32], m: &[f32], s: &[f32]) -> f32 {
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

impl Learner for Plain<'_> {
    fn learn(&mut self, lessons: &[Lesson<'_>]) -> Result<Vec<Tally>> {
        let outputs = self.samples.outputs;
        let mut phi = vec![0.0; self.w.len() / outputs];
        let (mut y, mut e) = (vec![0.0; outputs], vec![0.0; outputs]);
        let mut learn = |lesson: &Lesson<'_>| {
            let mut tally = Tally::default();
            for row in lesson.order {
                let (x, t) = (self.samples.inputs_of(*row as usize), self.samples.targets_of(*row as usize));
                let (m, s, w) = (&mut self.m, &mut self.s, &mut self.w);
                tally.loss += one(self.simd, x, t, &lesson.course, m, s, w, &mut phi, &mut y, &mut e);
                tally.grown.push(NONE);
            }
            tally
        };
        Ok(lessons.iter().map(&mut learn).collect())
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
        *self = Plain::new(self.samples, network, self.simd);
        Ok(())
    }

    fn outputs(&mut self, index: usize, rows: &[u32]) -> Result<Vec<f32>> {
        let network = self.network(index)?;
        super::super::textbook::Textbook::new(self.samples, &[network]).outputs(0, rows)
    }
}
