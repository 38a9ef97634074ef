//! Samples, networks and training runs in the layout of the kernels.

use super::layout::{NetworkShape, STEP_SETTINGS};
use crate::device::DeviceError;
use crate::sonfin::error::Result;
use crate::sonfin::learner::{StepSettings, TrainingRun};
use crate::sonfin::types::argmax::argmax;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::{Loss, WidthRule};
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// A count as an argument of a kernel.
pub(super) fn kernel_i32(count: usize) -> Result<i32, DeviceError> {
    let what = "training with more than 2,147,483,647 rules or samples at once";
    i32::try_from(count).map_err(|_| DeviceError::NotOnGpu { what })
}

/// Shape of the networks for `samples`.
pub(in crate::sonfin) fn shape_of(samples: &ScaledSamples) -> NetworkShape {
    let missing = samples.x.iter().any(|x| x.is_nan());
    NetworkShape { dims: samples.dims, outputs: samples.outputs, missing }
}

/// Rows for the kernels: inputs, targets (unset for prediction only), and the index of the largest target, the
/// first one on a tie.
pub(in crate::sonfin) fn encode_rows(samples: &ScaledSamples, shape: &NetworkShape) -> Vec<f32> {
    let mut rows = vec![0.0; samples.rows() * shape.row()];
    for (row, to) in rows.chunks_exact_mut(shape.row()).enumerate() {
        to[..shape.dims].copy_from_slice(samples.inputs_of(row));
        if samples.t.is_empty() {
            continue;
        }
        let t = samples.targets_of(row);
        to[shape.stride()..][..shape.outputs].copy_from_slice(t);
        to[shape.stride() + shape.outputs] = argmax(t) as f32;
    }
    rows
}

/// Parameters of networks, each padded to `capacity` rules: a, c, w and the number of rules.
pub(in crate::sonfin) struct PackedNetworks {
    pub(in crate::sonfin) a: Vec<f32>,
    pub(in crate::sonfin) c: Vec<f32>,
    pub(in crate::sonfin) w: Vec<f32>,
    pub(in crate::sonfin) rules: Vec<i32>,
}

impl PackedNetworks {
    pub(in crate::sonfin) fn new(
        networks: &[Network],
        shape: &NetworkShape,
        capacity: usize,
    ) -> Result<Self> {
        let (stride, size) = (shape.stride(), networks.len() * capacity);
        let mut packed = PackedNetworks {
            a: vec![0.0; size * stride],
            c: vec![0.0; size * stride],
            w: vec![0.0; size * shape.outputs],
            rules: networks.iter().map(|network| kernel_i32(network.rules())).collect::<Result<_, _>>()?,
        };
        for (n, network) in networks.iter().enumerate() {
            let (d, first) = (shape.dims, n * capacity);
            for k in 0..network.rules() {
                packed.a[(first + k) * stride..][..d].copy_from_slice(&network.a[k * d..][..d]);
                packed.c[(first + k) * stride..][..d].copy_from_slice(&network.c[k * d..][..d]);
            }
            packed.w[first * shape.outputs..][..network.w.len()].copy_from_slice(&network.w);
        }
        Ok(packed)
    }

    /// Network `index`.
    pub(in crate::sonfin) fn network(&self, index: usize, shape: &NetworkShape, capacity: usize) -> Network {
        let rules = self.rules[index] as usize;
        let (stride, first) = (shape.stride(), index * capacity);
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

/// Step settings in the order in which `load_settings` in rule.cuh reads them.
pub(in crate::sonfin) fn encode_settings(settings: &StepSettings) -> [f32; STEP_SETTINGS] {
    let width_rule = match settings.width_rule {
        WidthRule::Distance => 0.0,
        WidthRule::Thesis => 1.0,
        WidthRule::LogFiring => 2.0,
    };
    [
        settings.ln_threshold,
        settings.beta,
        settings.first_width,
        settings.min_width,
        settings.rate_w,
        settings.rate_m,
        settings.rate_s,
        settings.max_rules as f32,
        width_rule,
        f32::from(u8::from(settings.plain_gradient)),
        f32::from(u8::from(settings.loss == Loss::CrossEntropy)),
    ]
}

/// Training runs, concatenated.
pub(in crate::sonfin) struct EncodedRuns {
    pub(in crate::sonfin) order: Vec<u32>,
    /// Start and length of each network's run.
    pub(in crate::sonfin) ranges: Vec<i32>,
    pub(in crate::sonfin) step_settings: Vec<f32>,
    /// As `order`, or a single unused value.
    pub(in crate::sonfin) replay: Vec<i32>,
    pub(in crate::sonfin) use_replay: bool,
}

impl EncodedRuns {
    pub(in crate::sonfin) fn new(runs: &[TrainingRun<'_>]) -> Result<Self> {
        let mut all = EncodedRuns {
            order: Vec::new(),
            ranges: Vec::new(),
            step_settings: Vec::new(),
            replay: Vec::new(),
            use_replay: runs.iter().any(|run| run.replay.is_some()),
        };
        for run in runs {
            all.ranges.extend([kernel_i32(all.order.len())?, kernel_i32(run.order.len())?]);
            all.order.extend_from_slice(run.order);
            all.step_settings.extend(encode_settings(&run.settings));
            if all.use_replay {
                let replay = run.replay.expect("invariant: either all runs replay decisions or none does");
                all.replay.extend_from_slice(replay);
            }
        }
        if !all.use_replay {
            all.replay.push(0);
        }
        Ok(all)
    }
}
