//! Plot of an explained output.

use super::sets::{add_sets, plot_range};
use crate::inference::Variable;
use crate::inference::explain::{ExplainedOutput, format_short};
use crate::plot::Chart;

impl ExplainedOutput {
    /// Plots the aggregated set, the sets of `variable` (the variable of this output) and the output value.
    ///
    /// For a weighted defuzzifier, plots a bar at each consequent value instead; its height is the strength.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
    /// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
    /// # let heating = System::new("heating")
    /// #     .input(room)
    /// #     .output(valve)
    /// #     .rule("if room is cold then valve is open")?
    /// #     .rule("if room is warm then valve is shut")?;
    /// # let explanation = heating.explain(&[17.0], Dialect::Fuzzylite8)?;
    /// let chart = explanation.outputs[0].chart(&heating.outputs[0].variable);
    /// assert!(chart.to_svg().contains("valve = 0.75"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn chart(&self, variable: &Variable) -> Chart {
        let chart = Chart::new(&self.name).subtitle(self.reason()).x_label(&self.name);
        let chart = match &self.aggregated {
            Some(set) => add_sets(chart, variable, Chart::dashed)
                .area("aggregated", &set.points, &set.memberships)
                .muted(),
            None => self.bars(chart, variable),
        };
        if !self.value.is_finite() {
            return chart;
        }
        let name = format!("{} = {}", self.name, format_short(self.value));
        chart.vertical_line(&name, self.unscaled_value()).color(variable.sets.len())
    }

    fn bars(&self, mut chart: Chart, variable: &Variable) -> Chart {
        let (mut lower, mut upper) = plot_range(variable);
        let nonzero = self.contributions.iter().filter(|c| c.strength != 0.0);
        let bars = nonzero.filter_map(|c| Some((c, c.value.filter(|z| z.is_finite())?)));
        let mut max = 1.0f64;
        for (c, z) in bars {
            // The caller may pass a variable without this set; the bar then has the color of the output value.
            let position = variable.sets.iter().position(|named| named.name == c.set);
            let color = position.unwrap_or(variable.sets.len());
            (lower, upper) = (lower.min(z), upper.max(z));
            max = max.max(c.strength);
            chart = chart.line(&c.set, &[z, z], &[0.0, c.strength]).color(color);
            chart = chart.points(&c.set, &[z], &[c.strength]).color(color);
        }
        let margin = 0.03 * (upper - lower);
        chart.y_label("strength").x_range(lower - margin, upper + margin).y_range(0.0, 1.05 * max)
    }
}
