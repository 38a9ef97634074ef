//! What the page needs first: `api/start` and `api/examples`.

use super::{ApiResult, Context, files};
use crate::http::{Request, Response};
use fuzzion::inference::image::BUILT_IN;
use fuzzion::inference::type2::TypeReduction;
use fuzzion::inference::{Defuzzifier, Dialect, WeightedKind};
use fuzzion::sets::{Hedge, SNorm, Shape, TNorm};
use serde_json::json;

/// Name, title, description and FLL text of the systems of the gallery.
const EXAMPLES: &[(&str, &str, &str, &str)] = &[
    (
        "tipper",
        "Tipper",
        "How much to tip, from the service and the food: three rules with and/or, the classic first system.",
        include_str!("../../page/examples/tipper.fll"),
    ),
    (
        "pendulum",
        "Inverted pendulum",
        "Nine rules keep a pole upright on a cart. Watch it live, then change the rules.",
        include_str!("../../page/examples/pendulum.fll"),
    ),
    (
        "truck",
        "Truck backer-upper",
        "Steers a truck backwards to the loading dock from its position and angle, by 35 rules.",
        include_str!("../../page/examples/truck.fll"),
    ),
    (
        "iris",
        "Iris flowers",
        "Takagi-Sugeno rules that tell three species of flowers apart by the length and the width of the petal.",
        include_str!("../../page/examples/iris.fll"),
    ),
    (
        "heating",
        "Heating with uncertain sets",
        "Interval type-2 sets: people disagree about what is cold. The output is an interval.",
        include_str!("../../page/examples/heating.fll"),
    ),
];

/// The folder, the first file, and the choices of all menus.
pub(super) fn start(context: &Context, _: &Request) -> ApiResult {
    let name = context.folder.root().file_name().map(|name| name.to_string_lossy().into_owned());
    let kinds = WeightedKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>();
    Ok(Response::json(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "folder": name.unwrap_or_else(|| "/".into()),
        "file": context.file.as_ref().map(|file| file.to_string_lossy().replace('\\', "/")),
        "device": context.device.to_string(),
        "shapes": Shape::WITH_FIXED_PARAMETERS.iter().map(|(name, p)| json!({ "name": name, "parameters": p })).collect::<Vec<_>>(),
        "t_norms": TNorm::ALL.iter().map(|norm| norm.name()).collect::<Vec<_>>(),
        "s_norms": SNorm::ALL.iter().map(|norm| norm.name()).collect::<Vec<_>>(),
        "defuzzifiers": Defuzzifier::ALL.iter().map(|d| json!({ "name": d.name(), "sampled": d.is_sampled() })).collect::<Vec<_>>(),
        "weighted_kinds": kinds,
        "dialects": Dialect::ALL.iter().map(|dialect| dialect.name()).collect::<Vec<_>>(),
        "type_reductions": TypeReduction::ALL.iter().map(|reduction| reduction.name()).collect::<Vec<_>>(),
        "hedges": Hedge::ALL.iter().map(|hedge| hedge.name()).collect::<Vec<_>>(),
    })))
}

/// The systems of the gallery.
pub(super) fn examples(_: &Context, _: &Request) -> ApiResult {
    let mut examples = Vec::new();
    for (name, title, description, text) in EXAMPLES {
        let system = files::example(text)?;
        examples.push(json!({ "name": name, "title": title, "description": description, "system": system }));
    }
    if let Some((name, text)) = BUILT_IN.first() {
        examples.push(json!({
            "name": name,
            "title": "FIRE edges",
            "description": "Finds edges in images: eight brightness differences to the neighbors of a pixel, one output.",
            "system": files::example(text)?,
        }));
    }
    Ok(Response::json(&json!({ "examples": examples })))
}
