//! Serialized form of a set, as in the JSON files of fuzzy systems, and its text, as in fuzzylite's files.

use super::Set;
use crate::macros::serialized_as;
use crate::sets::Shape;
use crate::sets::error::SetError;
use crate::sets::expression::error_at;
use crate::sets::number::SerializedNumber;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The name, the parameters and the height, if it is not 1, separated by spaces; the text parses to the same set.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shape.name())?;
        if let Shape::Function { expression } = &self.shape {
            write!(f, " {expression}")?;
        }
        let height = (self.height != 1.0).then_some(self.height);
        self.shape.parameters().into_iter().chain(height).try_for_each(|number| write!(f, " {number}"))
    }
}

/// Parses the name and parameters of a shape, optionally followed by the height, as in fuzzylite's files.
///
/// ```
/// use fuzzion::sets::Set;
/// let warm: Set = "Triangle 15 22 29".parse()?;
/// assert_eq!((warm.membership(18.5), warm.to_string()), (0.5, "Triangle 15 22 29".into()));
/// # Ok::<(), fuzzion::Error>(())
/// ```
impl FromStr for Set {
    type Err = SetError;

    fn from_str(text: &str) -> Result<Self, SetError> {
        let (name, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        if name == "Function" {
            return Set::function(rest);
        }
        let number = |word: &str| {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            word.parse().map_err(|_| error_at(text, at, format!("`{word}` is not a number")))
        };
        Set::from_parameters(name, &rest.split_whitespace().map(number).collect::<Result<Vec<f64>, _>>()?)
    }
}

/// Fields of a serialized set.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SerializedSet<const INTEGERS: bool = false> {
    pub(crate) shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parameters: Option<Vec<SerializedNumber<INTEGERS>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) height: Option<SerializedNumber<INTEGERS>>,
}

impl<const INTEGERS: bool> From<Set> for SerializedSet<INTEGERS> {
    fn from(set: Set) -> Self {
        let (parameters, expression) = match &set.shape {
            Shape::Function { expression } => (None, Some(expression.to_string())),
            shape => (Some(shape.parameters().into_iter().map(SerializedNumber).collect()), None),
        };
        let height = (set.height != 1.0).then_some(SerializedNumber(set.height));
        SerializedSet { shape: set.shape.name().into(), parameters, expression, height }
    }
}

impl<const INTEGERS: bool> TryFrom<SerializedSet<INTEGERS>> for Set {
    type Error = String;

    fn try_from(fields: SerializedSet<INTEGERS>) -> Result<Self, String> {
        let set = match (fields.shape.as_str(), fields.expression, fields.parameters) {
            ("Function", Some(expression), None) => Set::function(&expression),
            ("Function", ..) => return Err("a Function needs an `expression` and no `parameters`".into()),
            (_, Some(_), _) => return Err("only a Function has an `expression`; remove it".into()),
            (_, None, None) => {
                return Err("missing field `parameters`; add the parameters of the shape".into());
            }
            ("Discrete", None, Some(p)) if p.len() % 2 == 1 => {
                return Err(
                    "Discrete takes pairs of x and y; add the missing y, and specify the height as `height`"
                        .into(),
                );
            }
            (shape, None, Some(parameters)) => {
                Set::from_parameters(shape, &parameters.iter().map(|p| p.0).collect::<Vec<f64>>())
            }
        };
        let set = match fields.height {
            None => set,
            Some(height) => set.and_then(|set| set.with_height(height.0)),
        };
        set.map_err(|error| error.one_line())
    }
}

serialized_as! { Set as SerializedSet }
