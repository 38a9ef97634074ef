//! Step rules: update formulas for the parameter vector, which has four entries for each set.

use crate::tuning::network::form::Form;
use crate::tuning::settings::StepRule;

/// Minimum width of a set, in scaled inputs: a narrower set could lie between two rows and cover neither.
pub(in crate::tuning) const MIN_WIDTH: f64 = 1e-3;
/// Range of the exponent of a bell.
pub(in crate::tuning) const BELL_EXPONENTS: (f64, f64) = (0.25, 16.0);
/// A loss above this multiple of the minimum rejects the step; it corresponds to a 10% larger error.
pub(in crate::tuning) const MAX_LOSS_RATIO: f64 = 1.21;
/// Factor applied to the rate after a rejected step.
pub(in crate::tuning) const RATE_DECAY: f64 = 0.5;
/// Converged if the rate falls below this fraction of the initial rate.
pub(in crate::tuning) const MIN_RATE_RATIO: f64 = 1e-9;
/// Adam's decay rates for the first and second moments.
pub(in crate::tuning) const BETA: (f64, f64) = (0.9, 0.999);
/// Gradient components below this fraction of the largest are set to 0. For symmetric data they are rounding errors
/// that differ between processors, and Adam would turn them into full steps.
pub(in crate::tuning) const GRADIENT_NOISE: f64 = 1e-9;
/// Adam's ε.
pub(in crate::tuning) const EPSILON: f64 = 1e-8;
/// Factors of Jang's rule for the rate, after four decreases and after two oscillations.
pub(in crate::tuning) const JANG_FACTORS: (f64, f64) = (1.1, 0.9);

/// Step rule with its rate and state.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::tuning) struct StepState {
    pub(in crate::tuning) rule: StepRule,
    pub(in crate::tuning) rate: f64,
    /// Adam's running mean of the gradient.
    pub(in crate::tuning) first_moment: Vec<f64>,
    /// Adam's running mean of the squared gradient.
    pub(in crate::tuning) second_moment: Vec<f64>,
    /// Number of steps in Adam's means.
    pub(in crate::tuning) steps: i32,
    /// Jang's rule: whether each of the last steps increased the loss, latest in the lowest bit.
    pub(in crate::tuning) recent_increases: u32,
    /// Jang's rule: number of losses observed since the last change of the rate.
    pub(in crate::tuning) observed: u32,
    /// Previous loss; initially infinite.
    pub(in crate::tuning) last_loss: f64,
}

impl StepState {
    pub(in crate::tuning) fn new(rule: StepRule, rate: f64, parameters: usize) -> Self {
        let zeros = vec![0.0; parameters];
        let (first_moment, second_moment) = (zeros.clone(), zeros);
        StepState {
            rule,
            rate,
            first_moment,
            second_moment,
            steps: 0,
            recent_increases: 0,
            observed: 0,
            last_loss: f64::INFINITY,
        }
    }

    /// Resets the state and reduces the rate after a rejected step.
    pub(in crate::tuning) fn reduce_rate(&mut self) {
        *self = StepState::new(self.rule, self.rate * RATE_DECAY, self.first_moment.len());
    }

    /// Observes the loss at the current parameters and adapts the rate for Jang's rule.
    pub(in crate::tuning) fn observe_loss(&mut self, loss: f64) {
        if self.rule == StepRule::Jang && self.last_loss.is_finite() {
            self.recent_increases = self.recent_increases << 1 | u32::from(loss >= self.last_loss);
            self.observed += 1;
            let factor = match self.recent_increases & 0b1111 {
                0b0000 if self.observed >= 4 => JANG_FACTORS.0,
                0b1010 if self.observed >= 4 => JANG_FACTORS.1,
                _ => 1.0,
            };
            if factor != 1.0 {
                self.rate *= factor;
                self.observed = 0;
            }
        }
        self.last_loss = loss;
    }

    /// Moves `parameters` along the negative `gradient`.
    pub(in crate::tuning) fn apply(&mut self, parameters: &mut [f64], gradient: &[f64]) {
        let pairs = parameters.iter_mut().zip(gradient);
        match self.rule {
            StepRule::Plain => pairs.for_each(|(p, g)| *p -= self.rate * g),
            StepRule::Jang => {
                let norm = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
                if norm > 0.0 {
                    pairs.for_each(|(p, g)| *p -= self.rate * g / norm);
                }
            }
            StepRule::Adam => {
                self.steps += 1;
                let noise = GRADIENT_NOISE * gradient.iter().fold(0.0f64, |largest, g| largest.max(g.abs()));
                let (bias_correction_1, bias_correction_2) =
                    (1.0 - BETA.0.powi(self.steps), 1.0 - BETA.1.powi(self.steps));
                for (((p, g), mean), square) in pairs.zip(&mut self.first_moment).zip(&mut self.second_moment)
                {
                    let g = if g.abs() < noise { 0.0 } else { *g };
                    *mean = BETA.0 * *mean + (1.0 - BETA.0) * g;
                    *square = BETA.1 * *square + (1.0 - BETA.1) * g * g;
                    *p -= self.rate * (*mean / bias_correction_1)
                        / ((*square / bias_correction_2).sqrt() + EPSILON);
                }
            }
        }
    }
}

/// Clamps parameters to valid ranges.
pub(in crate::tuning) fn clamp_parameters(form: Form, p: &mut [f64; 4]) {
    match form {
        Form::Gaussian => p[1] = p[1].max(MIN_WIDTH),
        Form::TwoSided => {
            (p[1], p[3]) = (p[1].max(MIN_WIDTH), p[3].max(MIN_WIDTH));
            if p[0] > p[2] {
                let middle = 0.5 * (p[0] + p[2]);
                (p[0], p[2]) = (middle, middle);
            }
        }
        Form::Bell => {
            p[1] = p[1].max(MIN_WIDTH);
            p[2] = p[2].clamp(BELL_EXPONENTS.0, BELL_EXPONENTS.1);
        }
        Form::Triangle | Form::Trapezoid => {}
    }
}
