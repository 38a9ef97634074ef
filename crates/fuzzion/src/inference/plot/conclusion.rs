//! What rules concluded about an output.

use super::sets::{outlines, plotted_range};
use crate::inference::Variable;
use crate::inference::explain::{ExplainedOutput, brief};
use crate::plot::Chart;

impl ExplainedOutput {
    /// The aggregated set over the sets of `variable` and the output's number; of a weighted defuzzifier the consequents'
    /// values, each as high as its strength.
    pub fn chart(&self, variable: &Variable) -> Chart {
        let chart = Chart::new(&self.name).subtitle(self.why()).x_label(&self.name);
        let chart = match &self.aggregated {
            Some(set) => outlines(chart, variable, Chart::dashed)
                .area("aggregated", &set.places, &set.memberships)
                .muted(),
            None => self.bars(chart, variable),
        };
        if !self.value.is_finite() {
            return chart;
        }
        let name = format!("{} = {}", self.name, brief(self.value));
        chart.mark_x(&name, self.place()).color(variable.sets.len())
    }

    fn bars(&self, mut chart: Chart, variable: &Variable) -> Chart {
        let (mut lower, mut upper) = plotted_range(variable);
        let concluded = self.contributions.iter().filter(|c| c.strength != 0.0);
        let bars = concluded.filter_map(|c| Some((c, c.value.filter(|z| z.is_finite())?)));
        let mut highest = 1.0f64;
        for (c, z) in bars {
            let color = variable.sets.iter().position(|named| named.name == c.set).unwrap_or(0);
            (lower, upper) = (lower.min(z), upper.max(z));
            highest = highest.max(c.strength);
            chart = chart.line(&c.set, &[z, z], &[0.0, c.strength]).color(color);
            chart = chart.points(&c.set, &[z], &[c.strength]).color(color);
        }
        let room = 0.03 * (upper - lower);
        chart.y_label("strength").x_range(lower - room, upper + room).y_range(0.0, 1.05 * highest)
    }
}
