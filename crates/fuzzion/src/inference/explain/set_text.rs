//! Sets as text.

use super::number_format::format_short;
use crate::inference::System;
use crate::sets::{Set, Shape};

impl System {
    /// Text of a set: the formula of a Linear or Function, otherwise the shape and its parameters.
    ///
    /// ```
    /// use fuzzion::inference::{System, Variable};
    /// use fuzzion::sets::Set;
    /// let heating = System::new("heating").input(Variable::new("room", 10.0, 30.0));
    /// assert_eq!(heating.set_text(&Set::ramp(16.0, 20.0)?), "Ramp 16 20");
    /// assert_eq!(heating.set_text(&Set::linear(&[2.0], -1.0)?), "2 room - 1");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn set_text(&self, set: &Set) -> String {
        let numbers = |values: Vec<f64>| values.into_iter().map(format_short).collect::<Vec<_>>().join(" ");
        match set.shape() {
            Shape::Function { expression } => expression.to_string(),
            Shape::Linear { coefficients, constant } => {
                let named = coefficients.iter().zip(&self.inputs);
                let terms = named.filter(|(c, _)| **c != 0.0).map(|(c, input)| (*c, input.name.as_str()));
                let mut text = String::new();
                for (c, name) in terms.chain((*constant != 0.0).then_some((*constant, ""))) {
                    let sign = match (text.is_empty(), c < 0.0) {
                        (true, false) => "",
                        (true, true) => "-",
                        (false, false) => " + ",
                        (false, true) => " - ",
                    };
                    let factor = match (name.is_empty(), c.abs() == 1.0) {
                        (true, _) => format_short(c.abs()),
                        (false, true) => String::new(),
                        (false, false) => format!("{} ", format_short(c.abs())),
                    };
                    text.push_str(&format!("{sign}{factor}{name}"));
                }
                if text.is_empty() { "0".into() } else { text }
            }
            shape if set.height() == 1.0 || matches!(shape, Shape::Constant { .. }) => {
                format!("{} {}", shape.name(), numbers(shape.parameters()))
            }
            shape => {
                format!(
                    "{} {}, height {}",
                    shape.name(),
                    numbers(shape.parameters()),
                    format_short(set.height())
                )
            }
        }
    }
}
