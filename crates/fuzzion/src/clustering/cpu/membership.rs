//! Converts distances to the degrees uᵐ of the sums, and to memberships.
//!
//! With r = d_min/d, q = r^(1/(m−1)) and Z = Σ q, Equation (2) is u = q/Z, and uᵐ = q·r/Zᵐ, because m/(m−1) = 1 +
//! 1/(m−1); a row contributes d_min·Z^(1−m) to the objective. Nothing overflows at any scale, and r = 1 at the
//! nearest centers gives a row on s centers membership 1/s in each.

use super::layout::{BLOCK, STRIDE, SweepKernel};
use super::scratch::Scratch;
use crate::clustering::prototypes::{MembershipRule, Power};
use crate::device::math::Real;

/// Invariant of the scratch memory.
const FULL_BLOCK: &str = "invariant: scratch arrays have at least BLOCK values per cluster";

/// Converts distances in `degrees` to uᵐ·weight and adds the contributions of the rows to the objective.
#[inline(always)]
pub(super) fn degrees<T: Real, const FMA: bool>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>) {
    match &kernel.rule {
        MembershipRule::Fuzzy { fuzzifier } => match Power::of(*fuzzifier) {
            Power::One => fuzzy::<T, FMA>(kernel, scratch, 2.0, None, |r| r),
            Power::Half => fuzzy::<T, FMA>(kernel, scratch, 3.0, None, |r| r.sqrt()),
            Power::Two => fuzzy::<T, FMA>(kernel, scratch, 1.5, None, |r| r * r),
            Power::Four => fuzzy::<T, FMA>(kernel, scratch, 1.25, None, |r| (r * r) * (r * r)),
            Power::Any => fuzzy_any_power::<T, FMA>(kernel, scratch, *fuzzifier, None),
        },
        MembershipRule::Noise { fuzzifier, distance } => {
            fuzzy_any_power::<T, FMA>(kernel, scratch, *fuzzifier, Some(*distance))
        }
        MembershipRule::Gaussian { fuzzifier } => gaussian::<T, FMA>(kernel, scratch, *fuzzifier),
        MembershipRule::Hard => {
            for i in 0..BLOCK {
                let contribution = scratch.weights[i] * scratch.nearest[i];
                scratch.objective[i] = scratch.objective[i] + contribution;
            }
            hard(kernel, scratch);
        }
        MembershipRule::Possibilistic { fuzzifier, widths } => {
            possibilistic::<T, FMA>(kernel, scratch, *fuzzifier, 1.0, widths);
        }
        MembershipRule::Mixed { fuzzifier, typicality_fuzzifier, membership, typicality, widths } => {
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
fn fuzzy_any_power<T: Real, const FMA: bool>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    noise: Option<f64>,
) {
    let p = T::cast(1.0 / (m - 1.0));
    fuzzy::<T, FMA>(kernel, scratch, m, noise, |r| (p * r.ln::<FMA>()).exp::<FMA>());
}

/// Equation (2) from inverse distances; `noise` is the squared distance of the noise cluster.
#[inline(always)]
fn fuzzy<T: Real, const FMA: bool>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    noise: Option<f64>,
    power: impl Fn(T) -> T + Copy,
) {
    let mut z = [T::ZERO; BLOCK];
    if let Some(noise) = noise {
        let inverse = T::cast(1.0 / noise);
        for (z, nearest) in z.iter_mut().zip(scratch.nearest.iter_mut()) {
            *nearest = nearest.simd_max(inverse);
            let r = if inverse == *nearest { T::ONE } else { inverse / *nearest };
            *z = power(r);
        }
    }
    let mut nearest = [T::ZERO; BLOCK];
    nearest.copy_from_slice(&scratch.nearest);
    let mut nearest_distance = [T::ZERO; BLOCK];
    for i in 0..BLOCK {
        nearest_distance[i] = T::ONE / nearest[i];
    }
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        let degrees = degrees.first_chunk_mut::<BLOCK>().expect(FULL_BLOCK);
        for i in 0..BLOCK {
            let r = if degrees[i] == nearest[i] { T::ONE } else { degrees[i] * nearest_distance[i] };
            let q = power(r);
            z[i] = z[i] + q;
            degrees[i] = q * r;
        }
    }
    scale_rows::<T, FMA>(kernel, scratch, m, &z, &nearest_distance);
}

/// Scales q·r to uᵐ = q·r/Zᵐ times the weight of the row, and adds d_min·Z^(1−m) to the objective.
#[inline(always)]
fn scale_rows<T: Real, const FMA: bool>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    z: &[T; BLOCK],
    nearest_distance: &[T; BLOCK],
) {
    let (mut power, mut factor) = ([T::ZERO; BLOCK], [T::ZERO; BLOCK]);
    if m == 2.0 {
        for i in 0..BLOCK {
            power[i] = T::ONE / z[i];
        }
    } else {
        for i in 0..BLOCK {
            // Z is between 1 and the number of clusters, so its power does not overflow.
            power[i] = (T::cast(1.0 - m) * z[i].ln::<FMA>()).exp::<FMA>();
        }
    }
    let weights = scratch.weights.first_chunk::<BLOCK>().expect(FULL_BLOCK);
    let objective = scratch.objective.first_chunk_mut::<BLOCK>().expect(FULL_BLOCK);
    for i in 0..BLOCK {
        factor[i] = weights[i] * power[i] / z[i];
        let contribution = weights[i] * power[i] * nearest_distance[i];
        // For the padding after the last row, this may be 0·∞.
        objective[i] = objective[i] + if weights[i] > T::ZERO { contribution } else { T::ZERO };
    }
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        let degrees = degrees.first_chunk_mut::<BLOCK>().expect(FULL_BLOCK);
        for i in 0..BLOCK {
            degrees[i] = degrees[i] * factor[i];
        }
    }
}

/// Equation (2) from logarithms of distances.
#[inline(always)]
fn gaussian<T: Real, const FMA: bool>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>, m: f64) {
    let p = T::cast(1.0 / (m - 1.0));
    let mut z = [T::ZERO; BLOCK];
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        for i in 0..BLOCK {
            let ln_r = scratch.nearest[i] - degrees[i];
            z[i] = z[i] + (p * ln_r).exp::<FMA>();
            degrees[i] = ((p + T::ONE) * ln_r).exp::<FMA>();
        }
    }
    let mut nearest_distance = [T::ZERO; BLOCK];
    nearest_distance
        .iter_mut()
        .zip(scratch.nearest.iter())
        .for_each(|(nearest_distance, ln)| *nearest_distance = ln.exp::<FMA>());
    scale_rows::<T, FMA>(kernel, scratch, m, &z, &nearest_distance);
}

#[inline(always)]
fn hard<T: Real>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>) {
    let mut unassigned = [T::ONE; BLOCK];
    unassigned.copy_from_slice(&scratch.weights);
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        for i in 0..BLOCK {
            let is_nearest = degrees[i] == scratch.nearest[i];
            degrees[i] = if is_nearest { unassigned[i] } else { T::ZERO };
            unassigned[i] = if is_nearest { T::ZERO } else { unassigned[i] };
        }
    }
}

/// t = 1/(1 + (b·d/η)^(1/(m−1))), Equation (9), and 1 − t.
#[inline(always)]
fn typicality<T: Real, const FMA: bool>(d: T, m: f64, b_over_width: T) -> (T, T) {
    let t = d * b_over_width;
    let g = if m == 2.0 { t } else { (T::cast(1.0 / (m - 1.0)) * t.ln::<FMA>()).exp::<FMA>() };
    let typicality = T::ONE / (T::ONE + g);
    (typicality, if g < T::INFINITY { g * typicality } else { T::ONE })
}

/// tᵐ for 0 ≤ t ≤ 1.
#[inline(always)]
pub(super) fn raise<T: Real, const FMA: bool>(t: T, m: f64) -> T {
    if m == 2.0 { t * t } else { (T::cast(m) * t.ln::<FMA>()).exp::<FMA>() }
}

/// Writes b·tᵐ, plus the contents of `workspace` for a mixed rule, to `degrees`.
#[inline(always)]
fn possibilistic<T: Real, const FMA: bool>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    b: f64,
    widths: &[f64],
) {
    let mixed = matches!(kernel.rule, MembershipRule::Mixed { .. });
    for (cluster, degrees) in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters).enumerate() {
        let (width, b_over_width) = (T::cast(widths[cluster]), T::cast(b / widths[cluster]));
        for (i, degree) in degrees[..BLOCK].iter_mut().enumerate() {
            let d = *degree;
            let (t, complement) = typicality::<T, FMA>(d, m, b_over_width);
            let degree_t = T::cast(b) * raise::<T, FMA>(t, m);
            let u = if mixed { degree_t + scratch.workspace[cluster * STRIDE + i] } else { degree_t };
            let contribution = (u * d + width * raise::<T, FMA>(complement, m)) * scratch.weights[i];
            *degree = u * scratch.weights[i];
            scratch.objective[i] = scratch.objective[i] + contribution;
        }
    }
}

/// Equation (10): a·uᵐ in `workspace`, plus b·tᵑ.
#[inline(always)]
fn mixed<T: Real, const FMA: bool>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    typicality_m: f64,
    [a, b]: [f64; 2],
    widths: &[f64],
) {
    fuzzy_memberships::<T, FMA>(kernel, scratch, m);
    let used = kernel.clusters * STRIDE;
    for u in &mut scratch.workspace[..used] {
        *u = T::cast(a) * raise::<T, FMA>(*u, m);
    }
    possibilistic::<T, FMA>(kernel, scratch, typicality_m, b, widths);
}

/// Equation (2) from distances, written to `workspace`.
#[inline(always)]
fn fuzzy_memberships<T: Real, const FMA: bool>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>, m: f64) {
    let p = T::cast(1.0 / (m - 1.0));
    scratch.reserve_workspace(kernel.padded * STRIDE);
    let mut z = [T::ZERO; BLOCK];
    let degrees = scratch.degrees.chunks_exact(STRIDE).take(kernel.clusters);
    for (workspace, degrees) in scratch.workspace.chunks_exact_mut(STRIDE).zip(degrees) {
        for i in 0..BLOCK {
            let r = if degrees[i] == scratch.nearest[i] { T::ONE } else { scratch.nearest[i] / degrees[i] };
            workspace[i] = if m == 2.0 { r } else { (p * r.ln::<FMA>()).exp::<FMA>() };
            z[i] = z[i] + workspace[i];
        }
    }
    for workspace in scratch.workspace.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        workspace.iter_mut().zip(&z).for_each(|(u, z)| *u = *u / *z);
    }
}

/// Converts distances in `degrees` to memberships.
#[inline(always)]
pub(super) fn memberships<T: Real, const FMA: bool>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>) {
    let used = kernel.clusters * STRIDE;
    match &kernel.rule {
        MembershipRule::Hard => {
            scratch.weights.fill(T::ONE);
            hard(kernel, scratch);
        }
        MembershipRule::Possibilistic { fuzzifier, widths } => {
            for (i, d) in scratch.degrees[..used].iter_mut().enumerate() {
                *d = typicality::<T, FMA>(*d, *fuzzifier, T::cast(1.0 / widths[i / STRIDE])).0;
            }
        }
        MembershipRule::Mixed { fuzzifier, .. } => {
            fuzzy_memberships::<T, FMA>(kernel, scratch, *fuzzifier);
            scratch.degrees[..used].copy_from_slice(&scratch.workspace[..used]);
        }
        MembershipRule::Fuzzy { fuzzifier } => {
            memberships_from_inverse::<T, FMA>(kernel, scratch, *fuzzifier, None)
        }
        MembershipRule::Noise { fuzzifier, distance } => {
            memberships_from_inverse::<T, FMA>(kernel, scratch, *fuzzifier, Some(*distance))
        }
        MembershipRule::Gaussian { fuzzifier } => {
            let p = T::cast(1.0 / (fuzzifier - 1.0));
            for (i, d) in scratch.degrees[..used].iter_mut().enumerate() {
                let nearest = scratch.nearest[(i % STRIDE).min(BLOCK - 1)];
                *d = (p * (nearest - *d)).exp::<FMA>();
            }
            normalize(kernel, scratch, &[T::ZERO; BLOCK]);
        }
    }
}

#[inline(always)]
fn memberships_from_inverse<T: Real, const FMA: bool>(
    kernel: &SweepKernel<T>,
    scratch: &mut Scratch<T>,
    m: f64,
    noise: Option<f64>,
) {
    let p = T::cast(1.0 / (m - 1.0));
    let power = |r: T| if m == 2.0 { r } else { (p * r.ln::<FMA>()).exp::<FMA>() };
    let unnormalized = |inverse: T, nearest: T| {
        power(if inverse == nearest { T::ONE } else { inverse * (T::ONE / nearest) })
    };
    let mut z = [T::ZERO; BLOCK];
    if let Some(noise) = noise {
        let inverse = T::cast(1.0 / noise);
        for (z, nearest) in z.iter_mut().zip(scratch.nearest.iter_mut()) {
            *nearest = nearest.simd_max(inverse);
            *z = unnormalized(inverse, *nearest);
        }
    }
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        for (degree, nearest) in degrees.iter_mut().zip(scratch.nearest.iter()) {
            *degree = unnormalized(*degree, *nearest);
        }
    }
    normalize(kernel, scratch, &z);
}

/// Divides the values of each row by their sum plus `z`.
#[inline(always)]
fn normalize<T: Real>(kernel: &SweepKernel<T>, scratch: &mut Scratch<T>, z: &[T; BLOCK]) {
    let mut z = *z;
    for degrees in scratch.degrees.chunks_exact(STRIDE).take(kernel.clusters) {
        z.iter_mut().zip(degrees).for_each(|(z, q)| *z = *z + *q);
    }
    for degrees in scratch.degrees.chunks_exact_mut(STRIDE).take(kernel.clusters) {
        degrees.iter_mut().zip(&z).for_each(|(u, z)| *u = *u / *z);
    }
}
