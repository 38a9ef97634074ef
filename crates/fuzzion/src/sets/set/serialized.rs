//! Serialized form of a set, as in the files of fuzzy systems.

use super::Set;
use crate::sets::Shape;
use crate::sets::number::SerializedNumber;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SerializedSet {
    shape: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parameters: Option<Vec<SerializedNumber>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    height: Option<SerializedNumber>,
}

impl From<Set> for SerializedSet {
    fn from(set: Set) -> Self {
        let (parameters, expression) = match &set.shape {
            Shape::Function { expression } => (None, Some(expression.to_string())),
            shape => (Some(shape.parameters().into_iter().map(SerializedNumber).collect()), None),
        };
        let height = (set.height != 1.0).then_some(SerializedNumber(set.height));
        SerializedSet { shape: set.shape.name().into(), parameters, expression, height }
    }
}

impl TryFrom<SerializedSet> for Set {
    type Error = String;

    fn try_from(fields: SerializedSet) -> Result<Self, String> {
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
        set.map_err(|error| error.to_string())
    }
}
