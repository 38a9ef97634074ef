//! The pictures of a system.

use fuzzion::inference::explain::brief;
use fuzzion::inference::plot::{Response, plotted_range};
use fuzzion::inference::{Dialect, Place, System};
use fuzzion::plot::Chart;
use fuzzion::{Progress, Result};

/// Which surfaces are drawn, and where.
pub(super) struct View {
    pub(super) dialect: Dialect,
    /// One input for a curve, two for a surface.
    pub(super) over: Vec<usize>,
    pub(super) outputs: Vec<usize>,
    /// Values of inputs that keep still; the middle where there is none.
    pub(super) at: Vec<Option<f64>>,
}

impl View {
    /// Every output over the first two inputs that take part.
    pub(super) fn of(system: &System, dialect: Dialect) -> Self {
        let inputs = system.inputs.iter().enumerate();
        let over: Vec<usize> = inputs.filter(|(_, input)| input.enabled).map(|(i, _)| i).take(2).collect();
        let over = if over.is_empty() { vec![0] } else { over };
        View { dialect, over, outputs: (0..system.outputs.len()).collect(), at: Vec::new() }
    }

    /// A row to explain: the values that keep still, and for other inputs values off the middle, where more is to be seen.
    pub(super) fn row(&self, system: &System) -> Vec<f64> {
        let some = |i: usize| {
            let (lower, upper) = plotted_range(&system.inputs[i]);
            let part = if i.is_multiple_of(2) { 0.3 } else { 0.75 };
            let value = lower + part * (upper - lower);
            brief(value).parse().unwrap_or(value)
        };
        (0..system.inputs.len())
            .map(|i| self.at.get(i).copied().flatten().unwrap_or_else(|| some(i)))
            .collect()
    }
}

/// A picture and what it is called.
pub(super) struct Picture {
    kind: &'static str,
    number: usize,
    name: String,
    pub(super) chart: Chart,
}

impl Picture {
    /// A name that every system of files takes, whatever the variable is called; the number keeps them apart.
    pub(super) fn file_name(&self) -> String {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let name: String = self.name.chars().take(40).map(safe).collect();
        let name = name.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
        let dash = if name.is_empty() { "" } else { "-" };
        format!("{}{}{dash}{name}.svg", self.kind, self.number + 1)
    }
}

/// Everything that is drawn.
pub(super) struct Pictures {
    pub(super) inputs: Vec<Picture>,
    pub(super) outputs: Vec<Picture>,
    pub(super) surfaces: Vec<Picture>,
}

impl Pictures {
    pub(super) fn draw(system: &System, view: &View, progress: Progress<'_>) -> Result<Self> {
        let sets = |kind, number, name: &str, place| {
            Ok(Picture { kind, number, name: name.to_owned(), chart: system.plot_sets(place)? })
        };
        let inputs = system.inputs.iter().enumerate();
        let outputs = system.outputs.iter().enumerate();
        let surface = |output: &usize| {
            let response = match view.over[..] {
                [x] => Response::curve(*output, x),
                _ => Response::surface(*output, view.over[0], view.over[1]),
            };
            let chart = response.at(view.at.clone()).dialect(view.dialect).chart(system, progress)?;
            let kind = if view.over.len() == 1 { "curve" } else { "surface" };
            Ok(Picture { kind, number: *output, name: system.outputs[*output].variable.name.clone(), chart })
        };
        Ok(Pictures {
            inputs: inputs.map(|(i, v)| sets("input", i, &v.name, Place::Input(i))).collect::<Result<_>>()?,
            outputs: outputs
                .map(|(i, o)| sets("output", i, &o.variable.name, Place::Output(i)))
                .collect::<Result<_>>()?,
            surfaces: view.outputs.iter().map(surface).collect::<Result<_>>()?,
        })
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Picture> {
        self.inputs.iter().chain(&self.outputs).chain(&self.surfaces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_a_file_is_a_safe_file_name() {
        let name = |name: &str| {
            let chart = Chart::new("");
            Picture { kind: "input", number: 0, name: name.into(), chart }.file_name()
        };
        assert_eq!(name("service"), "input1-service.svg");
        assert_eq!(name("../../etc/passwd"), "input1-etc-passwd.svg");
        assert_eq!(name("a\u{0}b\\c:d"), "input1-a-b-c-d.svg");
        assert_eq!(name("…"), "input1.svg");
        assert!(name(&"x".repeat(1000)).len() < 60);
    }
}
