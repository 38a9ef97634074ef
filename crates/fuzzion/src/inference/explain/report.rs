//! Formats explanations for the terminal.

use super::model::{
    AggregatedSet, Contribution, ExplainedInput, ExplainedOutput, ExplainedRule, Explanation, RuleStatus,
};
use super::number_format::format_short;
use std::fmt;

/// If there are more rules, those with strength 0 are omitted.
const MAX_RULES: usize = 24;
/// If an input has more sets, those with a membership below [`MIN_MEMBERSHIP`] are omitted.
const MAX_SETS: usize = 6;
const MIN_MEMBERSHIP: f64 = 0.001;
/// Maximum number of characters of a formula in the table of contributions.
const MAX_FORMULA: usize = 48;
/// Width in characters of a bar of strength 1.
const BAR_WIDTH: usize = 10;
/// Columns and lines of the plot of an aggregated set.
const PLOT_SIZE: (usize, usize) = (60, 4);
const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Replaces control characters, which could be terminal escape sequences.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// At most [`MAX_FORMULA`] characters of a text.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_FORMULA) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Bar of block characters for a strength from 0 to 1.
fn bar(strength: f64) -> String {
    const PARTS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = (strength.clamp(0.0, 1.0) * (8 * BAR_WIDTH) as f64).round() as usize; // NaN becomes 0
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(PARTS[eighths % 8]);
    }
    bar
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.system.is_empty() { "system" } else { &self.system };
        writeln!(f, "{} (dialect: {})", printable(name), self.dialect.name())?;
        writeln!(f, "\nInputs")?;
        self.inputs.iter().try_for_each(|input| self.write_input(f, input))?;
        writeln!(f, "\nRules")?;
        let shown = |rule: &ExplainedRule| self.rules.len() <= MAX_RULES || rule.strength != 0.0;
        let index_width = self.rules.len().to_string().len();
        let strengths = self.rules.iter().filter(|rule| shown(rule));
        let strength_width = strengths.map(|rule| width(&format_short(rule.strength))).max().unwrap_or(0);
        for (i, rule) in self.rules.iter().enumerate().filter(|(_, rule)| shown(rule)) {
            write_rule(f, i, rule, (index_width, strength_width))?;
        }
        match self.rules.iter().filter(|rule| !shown(rule)).count() {
            0 => {}
            1 => writeln!(f, "  and 1 rule with strength 0")?,
            omitted => writeln!(f, "  and {omitted} rules with strength 0")?,
        }
        self.outputs.iter().try_for_each(|output| write_output(f, output))
    }
}

impl Explanation {
    fn write_input(&self, f: &mut fmt::Formatter<'_>, input: &ExplainedInput) -> fmt::Result {
        let name_width = self.inputs.iter().map(|input| width(&printable(&input.name))).max().unwrap_or(0);
        let value_width =
            self.inputs.iter().map(|input| width(&format_short(input.value))).max().unwrap_or(0);
        let many = input.memberships.len() > MAX_SETS;
        let listed = |m: f64| !many || m.is_nan() || m >= MIN_MEMBERSHIP;
        let sets = input.memberships.iter().filter(|(_, m)| listed(*m));
        let mut sets: Vec<String> =
            sets.map(|(set, m)| format!("{} {}", printable(set), format_short(*m))).collect();
        if sets.len() < input.memberships.len() {
            sets.push(format!("others below {MIN_MEMBERSHIP}"));
        }
        let sets = sets.join(", ");
        let name = printable(&input.name);
        let line = format!("  {name:name_width$} = {:value_width$}  {sets}", format_short(input.value));
        write!(f, "{}", line.trim_end())?;
        if !input.enabled {
            write!(f, " (disabled: all propositions about it have membership 0)")?;
        } else if input.value != input.given && !input.given.is_nan() {
            write!(f, " (clamped to its range from {})", format_short(input.given))?;
        } else if input.is_outside_range() {
            let (minimum, maximum) = input.range;
            write!(
                f,
                " (warning: outside its range {} to {})",
                format_short(minimum),
                format_short(maximum)
            )?;
        }
        writeln!(f)
    }
}

fn write_rule(
    f: &mut fmt::Formatter<'_>,
    i: usize,
    rule: &ExplainedRule,
    (index_width, strength_width): (usize, usize),
) -> fmt::Result {
    let (bar, strength, text) = (bar(rule.strength), format_short(rule.strength), printable(&rule.text));
    let note = match rule.status {
        RuleStatus::NotChosen => " [not selected by the activation method]",
        RuleStatus::Disabled => " [block disabled]",
        _ => "",
    };
    writeln!(f, "  {:>index_width$}  {strength:>strength_width$}  {bar:BAR_WIDTH$}  {text}{note}", i + 1)?;
    let active = rule.strength != 0.0 || rule.status == RuleStatus::Fired;
    // For a single proposition with weight 1, the membership equals the strength.
    let has_details = rule.propositions.len() > 1 || rule.weight != 1.0 && !rule.propositions.is_empty();
    if active && has_details {
        let parts = rule
            .propositions
            .iter()
            .map(|p| format!("{} {}", printable(&p.text), format_short(p.membership)));
        let weight = if rule.weight == 1.0 {
            String::new()
        } else {
            format!(", weight {}", format_short(rule.weight))
        };
        let gap = " ".repeat(index_width + strength_width + BAR_WIDTH + 8);
        writeln!(f, "{gap}{}{weight}", parts.collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

fn write_output(f: &mut fmt::Formatter<'_>, output: &ExplainedOutput) -> fmt::Result {
    writeln!(f, "\n{} = {}, {}", printable(&output.name), format_short(output.value), output.reason())?;
    let nonzero: Vec<&Contribution> = output.contributions.iter().filter(|c| c.strength != 0.0).collect();
    if !nonzero.is_empty() {
        let mut lines = vec![["rule", "set", "strength", "fraction", "value", "addend"].map(str::to_owned)];
        let number = |x: Option<f64>| x.map(format_short).unwrap_or_default();
        lines.extend(nonzero.iter().map(|c| {
            let percent = format!("{:.1} %", 100.0 * c.fraction);
            let rule = (c.rule + 1).to_string();
            let set = shortened(&printable(c.formula.as_ref().unwrap_or(&c.set)));
            [rule, set, format_short(c.strength), percent, number(c.value), number(c.addend)]
        }));
        let has_addends = nonzero.iter().any(|c| c.addend.is_some());
        let columns = if has_addends { 6 } else { 4 };
        write_table(f, &lines, columns)?;
    }
    match &output.aggregated {
        Some(aggregated) if output.fired => write_plot(f, aggregated, output),
        _ => Ok(()),
    }
}

/// Writes a table; the second column contains names and is left-aligned, the others are right-aligned.
fn write_table(f: &mut fmt::Formatter<'_>, lines: &[[String; 6]], columns: usize) -> fmt::Result {
    let widths: Vec<usize> =
        (0..columns).map(|c| lines.iter().map(|line| width(&line[c])).max().unwrap_or(0)).collect();
    for line in lines {
        let cells = line.iter().zip(&widths).enumerate().map(|(c, (cell, &width))| {
            if c == 1 { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        writeln!(f, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

/// Plots the aggregated set in block characters, with an arrow at the output value.
fn write_plot(f: &mut fmt::Formatter<'_>, set: &AggregatedSet, output: &ExplainedOutput) -> fmt::Result {
    let (columns, lines) = PLOT_SIZE;
    let (lower, upper) = output.range;
    let column =
        |y: f64| ((y - lower) / (upper - lower) * columns as f64).clamp(0.0, columns as f64 - 1.0) as usize;
    let mut heights = vec![0.0f64; columns];
    let mut has_sample = vec![false; columns];
    for (y, membership) in set.points.iter().zip(&set.memberships) {
        heights[column(*y)] = heights[column(*y)].max(*membership);
        has_sample[column(*y)] = true;
    }
    // With fewer samples than columns, a sample also fills the empty columns after it.
    for i in 1..columns {
        if !has_sample[i] {
            heights[i] = heights[i - 1];
        }
    }
    let max = heights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let label = format_short(max);
    let indent = width(&label).max(1);
    writeln!(f)?;
    for line in (0..lines).rev() {
        let cell = |height: &f64| {
            let filled = height / max * (8 * lines) as f64 - (8 * line) as f64;
            EIGHTHS[filled.clamp(0.0, 8.0).round() as usize]
        };
        let cells: String = heights.iter().map(cell).collect();
        let label = if line + 1 == lines { label.as_str() } else { "" };
        writeln!(f, "{}", format!("  {label:>indent$} │{cells}").trim_end())?;
    }
    let mut axis = vec!['─'; columns];
    if output.value.is_finite() {
        axis[column(output.unscaled_value())] = '▲';
    }
    writeln!(f, "  {:indent$} └{}", "", axis.into_iter().collect::<String>())?;
    let (left, right) = (format_short(lower), format_short(upper));
    let gap = columns.saturating_sub(width(&left) + width(&right)).max(1);
    writeln!(f, "  {:indent$}  {left}{}{right}", "", " ".repeat(gap))
}
