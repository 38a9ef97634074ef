//! Samples, networks and lessons as kernels read them.

use super::super::learner::{Course, Lesson, Loss, WidthRule};
use super::super::network::Network;
use super::super::samples::Samples;
use super::layout::{COURSE, Shape};

/// The shape of what is learned from `samples`.
pub(in super::super) fn shape_of(samples: &Samples) -> Shape {
    let missing = samples.x.iter().any(|x| x.is_nan());
    Shape { dims: samples.dims, outputs: samples.outputs, missing }
}

/// Rows: inputs, targets (none where only outputs are asked for), and which target is the largest, the first of equals.
pub(in super::super) fn rows(samples: &Samples, shape: &Shape) -> Vec<f32> {
    let mut rows = vec![0.0; samples.rows() * shape.row()];
    for (row, to) in rows.chunks_exact_mut(shape.row()).enumerate() {
        to[..shape.dims].copy_from_slice(samples.inputs_of(row));
        if samples.t.is_empty() {
            continue;
        }
        let t = samples.targets_of(row);
        to[shape.stride()..][..shape.outputs].copy_from_slice(t);
        let largest = (1..t.len()).fold(0, |best, l| if t[l] > t[best] { l } else { best });
        to[shape.stride() + shape.outputs] = largest as f32;
    }
    rows
}

/// The parameters of networks with room for `most` rules each: a, c, w and how many rules there are.
pub(in super::super) struct Packed {
    pub(in super::super) a: Vec<f32>,
    pub(in super::super) c: Vec<f32>,
    pub(in super::super) w: Vec<f32>,
    pub(in super::super) rules: Vec<i32>,
}

impl Packed {
    pub(in super::super) fn new(networks: &[Network], shape: &Shape, most: usize) -> Self {
        let (stride, size) = (shape.stride(), networks.len() * most);
        let mut packed = Packed {
            a: vec![0.0; size * stride],
            c: vec![0.0; size * stride],
            w: vec![0.0; size * shape.outputs],
            rules: networks.iter().map(|network| network.rules() as i32).collect(),
        };
        for (n, network) in networks.iter().enumerate() {
            let (d, first) = (shape.dims, n * most);
            for k in 0..network.rules() {
                packed.a[(first + k) * stride..][..d].copy_from_slice(&network.a[k * d..][..d]);
                packed.c[(first + k) * stride..][..d].copy_from_slice(&network.c[k * d..][..d]);
            }
            packed.w[first * shape.outputs..][..network.w.len()].copy_from_slice(&network.w);
        }
        packed
    }

    /// Network `index`.
    pub(in super::super) fn network(&self, index: usize, shape: &Shape, most: usize) -> Network {
        let rules = self.rules[index] as usize;
        let (stride, first) = (shape.stride(), index * most);
        let unpadded = |from: &[f32]| -> Vec<f32> {
            from[first * stride..][..rules * stride]
                .chunks_exact(stride)
                .flat_map(|rule| rule[..shape.dims].iter().copied())
                .collect()
        };
        Network {
            dims: shape.dims,
            outputs: shape.outputs,
            a: unpadded(&self.a),
            c: unpadded(&self.c),
            w: self.w[first * shape.outputs..][..rules * shape.outputs].to_vec(),
        }
    }
}

/// A course as numbers: see `Course` in rule.cuh.
pub(in super::super) fn course(course: &Course) -> [f32; COURSE] {
    let width_rule = match course.width_rule {
        WidthRule::Distance => 0.0,
        WidthRule::Thesis => 1.0,
        WidthRule::LogFiring => 2.0,
    };
    [
        course.ln_threshold,
        course.beta,
        course.first_width,
        course.least_width,
        course.rate_w,
        course.rate_m,
        course.rate_s,
        course.most_rules as f32,
        width_rule,
        f32::from(u8::from(course.plain)),
        f32::from(u8::from(course.loss == Loss::CrossEntropy)),
    ]
}

/// Lessons one after another.
pub(in super::super) struct Lessons {
    pub(in super::super) order: Vec<u32>,
    /// First and how many, of each network.
    pub(in super::super) parts: Vec<i32>,
    pub(in super::super) courses: Vec<f32>,
    /// As `order`, or one number that nobody reads.
    pub(in super::super) replay: Vec<i32>,
    pub(in super::super) replays: bool,
}

impl Lessons {
    pub(in super::super) fn new(lessons: &[Lesson<'_>]) -> Self {
        let mut all = Lessons {
            order: Vec::new(),
            parts: Vec::new(),
            courses: Vec::new(),
            replay: Vec::new(),
            replays: lessons.iter().any(|lesson| lesson.replay.is_some()),
        };
        for lesson in lessons {
            all.parts.extend([all.order.len() as i32, lesson.order.len() as i32]);
            all.order.extend_from_slice(lesson.order);
            all.courses.extend(course(&lesson.course));
            all.replay.extend_from_slice(lesson.replay.unwrap_or_default());
        }
        if !all.replays {
            all.replay.push(0);
        }
        all
    }
}
