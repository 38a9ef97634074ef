//! Calibration of prediction intervals with rows that are held out from training.

use crate::data::{argmax_rows, softmax};
use crate::device::Device;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::model::calibration::Calibration;
use crate::tuning::network::Network;
use crate::tuning::settings::{Classify, Tuner};
use crate::tuning::training::dispatch::backend_for;
use crate::tuning::training::prepare::PreparedData;
use crate::tuning::training::samples::{FOLDS, Folds, ScaledSamples, select_rows};

/// Maximum number of rows of the folds; more do not make the quantiles of the errors more accurate.
const MAX_ROWS: usize = 20_000;
/// Minimum number of rows of the folds.
const MIN_ROWS: usize = 10;

/// A network and the rows that were held out from its training.
#[derive(Clone)]
pub(in crate::tuning) struct HeldOutRows {
    pub(in crate::tuning) network: Network,
    pub(in crate::tuning) rows: Vec<usize>,
}

/// Networks of five folds of the training rows, without the rows of the fold. `None` if there are too few rows.
pub(in crate::tuning) fn trained_folds(
    tuner: &Tuner,
    samples: &ScaledSamples,
    train: impl Fn(&ScaledSamples) -> Result<Network>,
) -> Result<Option<Vec<HeldOutRows>>> {
    if samples.training < MIN_ROWS {
        return Ok(None);
    }
    let split = Folds::new(samples.training, MAX_ROWS, tuner.seed);
    let mut folds = Vec::new();
    for fold in 0..FOLDS {
        let (training, rows) = split.rows(fold);
        match train(&select_rows(samples, &training, training.len())) {
            Ok(network) => folds.push(HeldOutRows { network, rows }),
            Err(TuningError::TooFewRows { .. } | TuningError::TooFewRowsForTree { .. }) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(folds))
}

/// Outputs of rows that were held out from the training of `network`, in scaled units, bounded if `bounded`; class
/// probabilities after the softmax.
pub(in crate::tuning) fn held_out_outputs(
    (tuner, bounded): (&Tuner, bool),
    prepared: &PreparedData,
    network: &Network,
    samples: &ScaledSamples,
    device: &Device,
) -> Result<Vec<Vec<f64>>> {
    let work = (samples.rows() * network.unknowns()) as f64;
    let mut outputs = backend_for(samples, work, device)?.predict(network)?;
    if tuner.classify == Some(Classify::CrossEntropy) {
        softmax(&mut outputs);
    } else if bounded {
        prepared.scale.bound(&mut outputs, !prepared.classes.is_empty());
    }
    Ok(outputs)
}

/// Calibration by the errors of held-out rows, whose outputs are bounded if `bounded`.
pub(in crate::tuning) fn calibration(
    (tuner, bounded): (&Tuner, bool),
    prepared: &PreparedData,
    folds: &[HeldOutRows],
    device: &Device,
) -> Result<Option<Calibration>> {
    let is_classifier = !prepared.classes.is_empty();
    let lists = if is_classifier { 1 } else { prepared.samples.targets.len() };
    let (mut scores, mut weights) = (vec![Vec::new(); lists], Vec::new());
    for fold in folds.iter().filter(|fold| !fold.rows.is_empty()) {
        let samples = select_rows(&prepared.samples, &fold.rows, fold.rows.len());
        let outputs = held_out_outputs((tuner, bounded), prepared, &fold.network, &samples, device)?;
        weights.extend((0..samples.rows()).map(|row| samples.weight(row)));
        if is_classifier {
            let classes = argmax_rows(&samples.targets).into_iter().enumerate();
            scores[0].extend(classes.map(|(row, class)| 1.0 - outputs[class][row]));
            continue;
        }
        for (target, scores) in scores.iter_mut().enumerate() {
            let span = prepared.scale.target_span[target];
            let pairs = outputs[target].iter().zip(&samples.targets[target]);
            scores.extend(pairs.map(|(output, y)| span * (output - y).abs()));
        }
    }
    Ok(Calibration::new(&scores, &weights))
}
