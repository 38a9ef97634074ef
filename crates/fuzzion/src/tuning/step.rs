//! How far the sets move: plain formulas over all parameters one after the other, four for each set.

use super::form::Form;
use super::settings::Step;

/// Sets are no narrower than this, in scaled inputs: narrower ones fall between the rows.
pub(super) const LEAST_WIDTH: f64 = 1e-3;
/// The exponents that a bell may have.
pub(super) const BELL_SLOPES: (f64, f64) = (0.25, 16.0);
/// A loss of more than this many times the least one seen is a step too far: an error a tenth larger.
pub(super) const TOO_FAR: f64 = 1.21;
/// What the rate is multiplied by after a step too far.
pub(super) const SHRINK: f64 = 0.5;
/// A rate this small a share of the first one moves nothing any more.
pub(super) const AT_REST: f64 = 1e-9;
/// Adam's means of slopes and of squared slopes forget at these rates.
pub(super) const BETA: (f64, f64) = (0.9, 0.999);
/// Slopes this small a share of the largest are rounding. Adam would make whole steps of them, another way on every processor,
/// where data are symmetric: there they are 0.
pub(super) const NOISE: f64 = 1e-9;
/// What keeps Adam from dividing by 0.
pub(super) const EPSILON: f64 = 1e-8;
/// What Jang's rule multiplies the rate by after four steps down, and after two swings up and down.
pub(super) const JANG: (f64, f64) = (1.1, 0.9);

/// How a descent goes on from where it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pace {
    pub(super) step: Step,
    pub(super) rate: f64,
    /// Adam's mean of the slopes.
    pub(super) mean: Vec<f64>,
    /// Adam's mean of the squared slopes.
    pub(super) square: Vec<f64>,
    /// How many steps these means are of.
    pub(super) steps: i32,
    /// Jang's: whether each of the last steps went up, the latest in the lowest bit.
    pub(super) ups: u32,
    /// Jang's: how many of these there are since the rate changed.
    pub(super) seen: u32,
    /// The loss before; infinite at the start.
    pub(super) last: f64,
}

impl Step {
    /// The rate that suits the rule, found on the truck and the Mackey-Glass data.
    pub(super) fn rate(self) -> f64 {
        match self {
            Step::Plain => 1.0,
            Step::Jang => 0.03,
            Step::Adam => 0.0115,
        }
    }
}

impl Pace {
    pub(super) fn new(step: Step, rate: f64, parameters: usize) -> Self {
        let zeros = vec![0.0; parameters];
        let (mean, square) = (zeros.clone(), zeros);
        Pace { step, rate, mean, square, steps: 0, ups: 0, seen: 0, last: f64::INFINITY }
    }

    /// Begins anew at the best parameters, with a smaller rate.
    pub(super) fn shrink(&mut self) {
        *self = Pace::new(self.step, self.rate * SHRINK, self.mean.len());
    }

    /// Learns the loss at the present parameters, which Jang's rule changes the rate by.
    pub(super) fn observe(&mut self, loss: f64) {
        if self.step == Step::Jang && self.last.is_finite() {
            self.ups = self.ups << 1 | u32::from(loss >= self.last);
            self.seen += 1;
            let factor = match self.ups & 0b1111 {
                0b0000 if self.seen >= 4 => JANG.0,
                0b1010 if self.seen >= 4 => JANG.1,
                _ => 1.0,
            };
            if factor != 1.0 {
                self.rate *= factor;
                self.seen = 0;
            }
        }
        self.last = loss;
    }

    /// Moves `parameters` against `slopes`.
    pub(super) fn take(&mut self, parameters: &mut [f64], slopes: &[f64]) {
        let moved = parameters.iter_mut().zip(slopes);
        match self.step {
            Step::Plain => moved.for_each(|(p, slope)| *p -= self.rate * slope),
            Step::Jang => {
                let norm = slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
                if norm > 0.0 {
                    moved.for_each(|(p, slope)| *p -= self.rate * slope / norm);
                }
            }
            Step::Adam => {
                self.steps += 1;
                let noise = NOISE * slopes.iter().fold(0.0f64, |largest, slope| largest.max(slope.abs()));
                let (unbias, unbias_square) = (1.0 - BETA.0.powi(self.steps), 1.0 - BETA.1.powi(self.steps));
                for (((p, slope), mean), square) in moved.zip(&mut self.mean).zip(&mut self.square) {
                    let slope = if slope.abs() < noise { 0.0 } else { *slope };
                    *mean = BETA.0 * *mean + (1.0 - BETA.0) * slope;
                    *square = BETA.1 * *square + (1.0 - BETA.1) * slope * slope;
                    *p -= self.rate * (*mean / unbias) / ((*square / unbias_square).sqrt() + EPSILON);
                }
            }
        }
    }
}

/// Moves parameters that make no set of `form` to the nearest that do.
pub(super) fn limit(form: Form, p: &mut [f64; 4]) {
    match form {
        Form::Gaussian => p[1] = p[1].max(LEAST_WIDTH),
        Form::TwoSided => {
            (p[1], p[3]) = (p[1].max(LEAST_WIDTH), p[3].max(LEAST_WIDTH));
            if p[0] > p[2] {
                let middle = 0.5 * (p[0] + p[2]);
                (p[0], p[2]) = (middle, middle);
            }
        }
        Form::Bell => {
            p[1] = p[1].max(LEAST_WIDTH);
            p[2] = p[2].clamp(BELL_SLOPES.0, BELL_SLOPES.1);
        }
        Form::Triangle => {}
    }
}
