//! From distances to the weights uᵐ of the sums, and to the memberships themselves.
//!
//! With r = d_min/d, q = r^(1/(m−1)) and Z = Σ q, equation (2) is u = q/Z, and uᵐ = q·r/Zᵐ, because
//! m/(m−1) = 1 + 1/(m−1); a row's part of the objective is d_min·Z^(1−m). Nothing overflows, whatever the scale, and
//! r = 1 at the nearest centers makes a row on s of them belong to each by 1/s.

use super::Rule;
use super::kernel::{BLOCK, Kernel, STRIDE};
use super::scratch::Scratch;
use crate::device::math::Real;

/// r^(1/(m−1)) for the fuzzifiers that need no logarithm, and for all others.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Power {
    One,
    Half,
    Two,
    Four,
    Any,
}

impl Power {
    pub(super) fn of(fuzzifier: f64) -> Self {
        match fuzzifier {
            2.0 => Power::One,
            3.0 => Power::Half,
            1.5 => Power::Two,
            1.25 => Power::Four,
            _ => Power::Any,
        }
    }
}

/// Turns distances into uᵐ·weight in `degrees`, and adds the rows' parts of the objective.
#[inline(always)]
pub(super) fn block<T: Real, const FMA: bool>(kernel: &Kernel<T>, scratch: &mut Scratch<T>) {
    match &kernel.rule {
        Rule::Fuzzy { fuzzifier } => match Power::of(*fuzzifier) {
            Power::One => fuzzy::<T, FMA>(kernel, scratch, 2.0, None, |r| r),
            Power::Half => fuzzy::<T, FMA>(kernel, scratch, 3.0, None, |r| r.sqrt()),
            Power::Two => fuzzy::<T, FMA>(kernel, scratch, 1.5, None, |r| r * r),
            Power::Four => fuzzy::<T, FMA>(kernel, scratch, 1.25, None, |r| (r * r) * (r * r)),
            Power::Any => general::<T, FMA>(kernel, scratch, *fuzzifier, None),
        },
        Rule::Noise { fuzzifier, distance } => {
            general::<T, FMA>(kernel, scratch, *fuzzifier, Some(*distance))
        }
        Rule::Gaussian { fuzzifier } => gaussian::<T, FMA>(kernel, scratch, *fuzzifier),
        Rule::Hard => {
            for i in 0..BLOCK {
                let part = scratch.weights[i] * scratch.nearest[i];
                scratch.objective[i] = scratch.objective[i] + part;
            }
            hard(kernel, scratch);
        }
        Rule::Possibilistic { fuzzifier, widths } => {
            typical::<T, FMA>(kernel, scratch, *fuzzifier, 1.0, widths);
        }
        Rule::Mixed { fuzzifier, typicality_fuzzifier, membership, typicality, widths } => {
            mixed::<T, FMA>(
                kernel,
                scratch,
                *fuzzifier,
                *typicality_fuzzifier,
                [*membership, *typicality],
                widths,
            );
        }
    }
}

#[inline(always)]
fn general<T: Real, const FMA: bool>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    noise: Option<f64>,
) {
    let p = T::of(1.0 / (m - 1.0));
    fuzzy::<T, FMA>(kernel, scratch, m, noise, |r| (p * r.ln::<FMA>()).exp::<FMA>());
}

/// Equation (2) from inverse distances; `noise` is the squared distance of the noise cluster.
#[inline(always)]
fn fuzzy<T: Real, const FMA: bool>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    noise: Option<f64>,
    power: impl Fn(T) -> T + Copy,
) {
    let mut z = [T::ZERO; BLOCK];
    if let Some(noise) = noise {
        let inverse = T::of(1.0 / noise);
        for (z, nearest) in z.iter_mut().zip(scratch.nearest.iter_mut()) {
            *nearest = nearest.most(inverse);
            let r = if inverse == *nearest { T::ONE } else { inverse / *nearest };
            *z = power(r);
        }
    }
    let mut nearest = [T::ZERO; BLOCK];
    nearest.copy_from_slice(&scratch.nearest);
    let mut least = [T::ZERO; BLOCK];
    for i in 0..BLOCK {
        least[i] = T::ONE / nearest[i];
    }
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        let Some(degrees) = degrees.first_chunk_mut::<BLOCK>() else { continue };
        for i in 0..BLOCK {
            let r = if degrees[i] == nearest[i] { T::ONE } else { degrees[i] * least[i] };
            let q = power(r);
            z[i] = z[i] + q;
            degrees[i] = q * r;
        }
    }
    scale_rows::<T, FMA>(kernel, scratch, m, &z, &least);
}

/// uᵐ = q·r/Zᵐ with the row's weight, and its part d_min·Z^(1−m) of the objective.
#[inline(always)]
fn scale_rows<T: Real, const FMA: bool>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    z: &[T; BLOCK],
    least: &[T; BLOCK],
) {
    let (mut power, mut factor) = ([T::ZERO; BLOCK], [T::ZERO; BLOCK]);
    if m == 2.0 {
        for i in 0..BLOCK {
            power[i] = T::ONE / z[i];
        }
    } else {
        for i in 0..BLOCK {
            // Z lies between 1 and the number of clusters: its power is tame.
            power[i] = (T::of(1.0 - m) * z[i].ln::<FMA>()).exp::<FMA>();
        }
    }
    let (Some(weights), Some(objective)) =
        (scratch.weights.first_chunk::<BLOCK>(), scratch.objective.first_chunk_mut::<BLOCK>())
    else {
        return;
    };
    for i in 0..BLOCK {
        factor[i] = weights[i] * power[i] / z[i];
        let part = weights[i] * power[i] * least[i];
        // Past the last row 0·∞ may stand.
        objective[i] = objective[i] + if weights[i] > T::ZERO { part } else { T::ZERO };
    }
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        let Some(degrees) = degrees.first_chunk_mut::<BLOCK>() else { continue };
        for i in 0..BLOCK {
            degrees[i] = degrees[i] * factor[i];
        }
    }
}

/// Equation (2) from logarithms of distances.
#[inline(always)]
fn gaussian<T: Real, const FMA: bool>(kernel: &Kernel<T>, scratch: &mut Scratch<T>, m: f64) {
    let p = T::of(1.0 / (m - 1.0));
    let mut z = [T::ZERO; BLOCK];
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        for i in 0..BLOCK {
            let ln_r = scratch.nearest[i] - degrees[i];
            z[i] = z[i] + (p * ln_r).exp::<FMA>();
            degrees[i] = ((p + T::ONE) * ln_r).exp::<FMA>();
        }
    }
    let mut least = [T::ZERO; BLOCK];
    least.iter_mut().zip(scratch.nearest.iter()).for_each(|(least, ln)| *least = ln.exp::<FMA>());
    scale_rows::<T, FMA>(kernel, scratch, m, &z, &least);
}

#[inline(always)]
fn hard<T: Real>(kernel: &Kernel<T>, scratch: &mut Scratch<T>) {
    let mut free = [T::ONE; BLOCK];
    free.copy_from_slice(&scratch.weights);
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        for i in 0..BLOCK {
            let takes = degrees[i] == scratch.nearest[i];
            degrees[i] = if takes { free[i] } else { T::ZERO };
            free[i] = if takes { T::ZERO } else { free[i] };
        }
    }
}

/// t = 1/(1 + (b·d/η)^(1/(m−1))), equation (9), and 1 − t.
#[inline(always)]
fn typicality<T: Real, const FMA: bool>(d: T, m: f64, b_over_width: T) -> (T, T) {
    let t = d * b_over_width;
    let g = if m == 2.0 { t } else { (T::of(1.0 / (m - 1.0)) * t.ln::<FMA>()).exp::<FMA>() };
    let typicality = T::ONE / (T::ONE + g);
    (typicality, if g < T::INFINITY { g * typicality } else { T::ONE })
}

/// tᵐ for 0 ≤ t ≤ 1.
#[inline(always)]
pub(super) fn raised<T: Real, const FMA: bool>(t: T, m: f64) -> T {
    if m == 2.0 { t * t } else { (T::of(m) * t.ln::<FMA>()).exp::<FMA>() }
}

/// Adds b·tᵐ to what `spare` holds and leaves the sum in `degrees`.
#[inline(always)]
fn typical<T: Real, const FMA: bool>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    b: f64,
    widths: &[f64],
) {
    let adds = matches!(kernel.rule, Rule::Mixed { .. });
    for (cluster, degrees) in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters).enumerate() {
        let (width, b_over_width) = (T::of(widths[cluster]), T::of(b / widths[cluster]));
        for (i, degree) in degrees[..BLOCK].iter_mut().enumerate() {
            let d = *degree;
            let (t, rest) = typicality::<T, FMA>(d, m, b_over_width);
            let typical = T::of(b) * raised::<T, FMA>(t, m);
            let u = if adds { typical + scratch.spare[cluster * STRIDE + i] } else { typical };
            let part = (u * d + width * raised::<T, FMA>(rest, m)) * scratch.weights[i];
            *degree = u * scratch.weights[i];
            scratch.objective[i] = scratch.objective[i] + part;
        }
    }
}

/// Equation (10): a·uᵐ in `spare`, then b·tᵑ beside it.
#[inline(always)]
fn mixed<T: Real, const FMA: bool>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    typicality_m: f64,
    [a, b]: [f64; 2],
    widths: &[f64],
) {
    plain::<T, FMA>(kernel, scratch, m);
    let used = kernel.clusters * STRIDE;
    for u in &mut scratch.spare[..used] {
        *u = T::of(a) * raised::<T, FMA>(*u, m);
    }
    typical::<T, FMA>(kernel, scratch, typicality_m, b, widths);
}

/// Equation (2) from distances, into `spare`.
#[inline(always)]
fn plain<T: Real, const FMA: bool>(kernel: &Kernel<T>, scratch: &mut Scratch<T>, m: f64) {
    let p = T::of(1.0 / (m - 1.0));
    scratch.make_spare(kernel.padded * STRIDE);
    let mut z = [T::ZERO; BLOCK];
    let degrees = scratch.degrees.chunks_exact(STRIDE).take(kernel.clusters);
    for (spare, degrees) in scratch.spare.chunks_exact_mut(STRIDE).zip(degrees) {
        for i in 0..BLOCK {
            let r = if degrees[i] == scratch.nearest[i] { T::ONE } else { scratch.nearest[i] / degrees[i] };
            spare[i] = if m == 2.0 { r } else { (p * r.ln::<FMA>()).exp::<FMA>() };
            z[i] = z[i] + spare[i];
        }
    }
    for spare in scratch.spare.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        spare.iter_mut().zip(&z).for_each(|(u, z)| *u = *u / *z);
    }
}

/// The memberships themselves, from distances to `degrees`.
#[inline(always)]
pub(super) fn degrees<T: Real, const FMA: bool>(kernel: &Kernel<T>, scratch: &mut Scratch<T>) {
    let used = kernel.clusters * STRIDE;
    match &kernel.rule {
        Rule::Hard => {
            scratch.weights.fill(T::ONE);
            hard(kernel, scratch);
        }
        Rule::Possibilistic { fuzzifier, widths } => {
            for (i, d) in scratch.degrees[..used].iter_mut().enumerate() {
                *d = typicality::<T, FMA>(*d, *fuzzifier, T::of(1.0 / widths[i / STRIDE])).0;
            }
        }
        Rule::Mixed { fuzzifier, .. } => {
            plain::<T, FMA>(kernel, scratch, *fuzzifier);
            scratch.degrees[..used].copy_from_slice(&scratch.spare[..used]);
        }
        Rule::Fuzzy { fuzzifier } => shares::<T, FMA>(kernel, scratch, *fuzzifier, None),
        Rule::Noise { fuzzifier, distance } => shares::<T, FMA>(kernel, scratch, *fuzzifier, Some(*distance)),
        Rule::Gaussian { fuzzifier } => {
            let p = T::of(1.0 / (fuzzifier - 1.0));
            for (i, d) in scratch.degrees[..used].iter_mut().enumerate() {
                let nearest = scratch.nearest[(i % STRIDE).min(BLOCK - 1)];
                *d = (p * (nearest - *d)).exp::<FMA>();
            }
            normalize(kernel, scratch, &[T::ZERO; BLOCK]);
        }
    }
}

#[inline(always)]
fn shares<T: Real, const FMA: bool>(
    kernel: &Kernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    noise: Option<f64>,
) {
    let p = T::of(1.0 / (m - 1.0));
    let power = |r: T| if m == 2.0 { r } else { (p * r.ln::<FMA>()).exp::<FMA>() };
    let share = |inverse: T, nearest: T| {
        power(if inverse == nearest { T::ONE } else { inverse * (T::ONE / nearest) })
    };
    let mut z = [T::ZERO; BLOCK];
    if let Some(noise) = noise {
        let inverse = T::of(1.0 / noise);
        for (z, nearest) in z.iter_mut().zip(scratch.nearest.iter_mut()) {
            *nearest = nearest.most(inverse);
            *z = share(inverse, *nearest);
        }
    }
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        for (degree, nearest) in degrees.iter_mut().zip(scratch.nearest.iter()) {
            *degree = share(*degree, *nearest);
        }
    }
    normalize(kernel, scratch, &z);
}

/// Divides the degrees of each row by their sum and what `z` adds to it.
#[inline(always)]
fn normalize<T: Real>(kernel: &Kernel<T>, scratch: &mut Scratch<T>, z: &[T; BLOCK]) {
    let mut z = *z;
    for degrees in scratch.degrees.chunks_exact(STRIDE).take(kernel.clusters) {
        z.iter_mut().zip(degrees).for_each(|(z, q)| *z = *z + *q);
    }
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        degrees.iter_mut().zip(&z).for_each(|(u, z)| *u = *u / *z);
    }
}
