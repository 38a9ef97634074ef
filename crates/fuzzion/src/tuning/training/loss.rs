//! Loss functions and their gradients.

use crate::data::encoded;

/// Loss function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loss {
    /// Squared error, summed over outputs.
    #[default]
    SquaredError,
    /// Cross-entropy −Σₒ yₒ·ln pₒ, where p is the softmax of the outputs.
    CrossEntropy,
}

/// Loss of a network and its gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// Weighted sums of the loss over the training and validation rows.
    pub loss: [f64; 2],
    /// Weighted sums of the squared errors over the training and validation rows, summed over outputs; of the
    /// probabilities for cross-entropy.
    pub squares: [f64; 2],
    /// Sums of the weights of the training and validation rows.
    pub weight: [f64; 2],
    /// Gradient of the *mean* training loss with respect to the parameters of each set, Equation (4).
    pub sets: Vec<[f64; 4]>,
    /// Gradient of the mean training loss with respect to θ.
    pub theta: Vec<f64>,
}

encoded! { Gradient { loss, squares, weight, sets, theta } }
