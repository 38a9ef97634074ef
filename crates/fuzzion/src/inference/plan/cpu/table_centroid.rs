//! Centroids by table lookup over a block of rows.

use super::super::centroid::TableLookup;
use super::super::step::Slot;
use super::block::MAX_BLOCK;
use crate::device::math::Real;
use crate::device::simd;

simd! {
    pub(super) fn table_centroid<T: Real>(
        buffers: &[Vec<T>], lookups: &[TableLookup<T>], center: T, strengths: &[Slot], out: &mut [T],
    ) = table_centroid_body;
}

/// Centroid by table lookup, one row per element of `out`.
#[inline(always)]
fn table_centroid_body<T: Real, const FMA: bool>(
    buffers: &[Vec<T>],
    lookups: &[TableLookup<T>],
    center: T,
    strengths: &[Slot],
    out: &mut [T],
) {
    let rows = out.len().min(MAX_BLOCK);
    let (mut area, mut moment) = ([T::ZERO; MAX_BLOCK], [T::ZERO; MAX_BLOCK]);
    let (mut level, mut bucket) = ([T::ZERO; MAX_BLOCK], [0u32; MAX_BLOCK]);
    for lookup in lookups {
        let level = &mut level[..rows];
        for (i, term) in lookup.terms.iter().enumerate() {
            let strength = &buffers[strengths[*term]][..rows];
            match i {
                0 => level.copy_from_slice(strength),
                _ => level.iter_mut().zip(strength).for_each(|(level, w)| *level = w.simd_min(*level)),
            }
        }
        for (bucket, level) in bucket.iter_mut().zip(level.iter()) {
            *bucket = lookup.bucket(*level);
        }
        let sums = area.iter_mut().zip(&mut moment).zip(level.iter().zip(&bucket));
        if lookup.curves.is_empty() {
            for ((area, moment), (level, bucket)) in sums {
                let line = &lookup.lines[lookup.piece(*level, *bucket)];
                *area = *area + level.mul_add::<FMA>(line[1], line[0]);
                *moment = *moment + level.mul_add::<FMA>(line[3], line[2]);
            }
        } else {
            for ((area, moment), (level, bucket)) in sums {
                let c = &lookup.curves[lookup.piece(*level, *bucket)];
                let u = *level - c[3];
                let cubic = u.mul_add::<FMA>(u.mul_add::<FMA>(u.mul_add::<FMA>(c[7], c[6]), c[5]), c[4]);
                *area = *area + u.mul_add::<FMA>(u.mul_add::<FMA>(c[2], c[1]), c[0]);
                *moment = *moment + cubic;
            }
        }
    }
    for ((out, area), moment) in out.iter_mut().zip(&area).zip(&moment) {
        *out = *moment / *area + center;
    }
}
