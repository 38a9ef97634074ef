//! The charts of a system.

use fuzzion::inference::explain::format_short;
use fuzzion::inference::plot::{Response, plot_range};
use fuzzion::inference::{Dialect, System, VariableIndex};
use fuzzion::plot::Chart;
use fuzzion::{Device, Result};

/// Inputs and outputs of the plotted surfaces.
pub(super) struct View {
    pub(super) dialect: Dialect,
    /// Indices of the varying inputs: one for a curve, two for a surface.
    pub(super) over: Vec<usize>,
    pub(super) outputs: Vec<usize>,
    /// Values of the fixed inputs; `None` for the middle of the range.
    pub(super) at: Vec<Option<f64>>,
}

impl View {
    /// The default view: every output over the first two enabled inputs.
    pub(super) fn of(system: &System, dialect: Dialect) -> Self {
        let inputs = system.inputs.iter().enumerate();
        let over: Vec<usize> = inputs.filter(|(_, input)| input.enabled).map(|(i, _)| i).take(2).collect();
        let over = if over.is_empty() { vec![0] } else { over };
        View { dialect, over, outputs: (0..system.outputs.len()).collect(), at: Vec::new() }
    }

    /// An example row: the fixed values, and for other inputs values off the middle, which show more.
    pub(super) fn row(&self, system: &System) -> Vec<f64> {
        let example = |i: usize| {
            let (lower, upper) = plot_range(&system.inputs[i]);
            let fraction = if i.is_multiple_of(2) { 0.3 } else { 0.75 };
            let value = lower + fraction * (upper - lower);
            format_short(value).parse().unwrap_or(value)
        };
        (0..system.inputs.len())
            .map(|i| self.at.get(i).copied().flatten().unwrap_or_else(|| example(i)))
            .collect()
    }
}

/// A chart with the parts of its file name.
pub(super) struct NamedChart {
    kind: &'static str,
    number: usize,
    name: String,
    pub(super) chart: Chart,
}

impl NamedChart {
    /// A file name that is valid on every file system; the number makes it unique.
    pub(super) fn file_name(&self) -> String {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let name: String = self.name.chars().take(40).map(safe).collect();
        let name = name.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
        let dash = if name.is_empty() { "" } else { "-" };
        format!("{}{}{dash}{name}.svg", self.kind, self.number + 1)
    }
}

/// All charts of a system.
pub(super) struct Charts {
    pub(super) inputs: Vec<NamedChart>,
    pub(super) outputs: Vec<NamedChart>,
    pub(super) surfaces: Vec<NamedChart>,
}

impl Charts {
    pub(super) fn draw(system: &System, view: &View, device: &Device) -> Result<Self> {
        let sets = |kind, number, name: &str, variable| {
            Ok(NamedChart { kind, number, name: name.to_owned(), chart: system.plot_sets(variable)? })
        };
        let inputs = system.inputs.iter().enumerate().filter(|(_, input)| !input.sets.is_empty());
        let outputs = system.outputs.iter().enumerate();
        let surface = |output: &usize| {
            let response = match view.over[..] {
                [x] => Response::curve(*output, x),
                _ => Response::surface(*output, view.over[0], view.over[1]),
            };
            let chart = response.fixed_inputs(view.at.clone()).dialect(view.dialect).chart(system, device)?;
            let kind = if view.over.len() == 1 { "curve" } else { "surface" };
            Ok(NamedChart {
                kind,
                number: *output,
                name: system.outputs[*output].variable.name.clone(),
                chart,
            })
        };
        Ok(Charts {
            inputs: inputs
                .map(|(i, v)| sets("input", i, &v.name, VariableIndex::Input(i)))
                .collect::<Result<_>>()?,
            outputs: outputs
                .map(|(i, o)| sets("output", i, &o.variable.name, VariableIndex::Output(i)))
                .collect::<Result<_>>()?,
            surfaces: view.outputs.iter().map(surface).collect::<Result<_>>()?,
        })
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &NamedChart> {
        self.inputs.iter().chain(&self.outputs).chain(&self.surfaces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variable_names_become_safe_file_names() {
        let name = |name: &str| {
            let chart = Chart::new("");
            NamedChart { kind: "input", number: 0, name: name.into(), chart }.file_name()
        };
        assert_eq!(name("service"), "input1-service.svg");
        assert_eq!(name("../../etc/passwd"), "input1-etc-passwd.svg");
        assert_eq!(name("a\u{0}b\\c:d"), "input1-a-b-c-d.svg");
        assert_eq!(name("…"), "input1.svg");
        assert!(name(&"x".repeat(1000)).len() < 60);
    }
}
