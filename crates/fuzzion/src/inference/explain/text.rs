//! An explanation for the terminal.

use super::model::{
    Aggregated, Contribution, ExplainedInput, ExplainedOutput, ExplainedRule, Explanation, Standing,
};
use std::fmt;

/// Up to so many rules are all shown; of more than that only those with a strength.
const ALL_RULES: usize = 24;
/// Up to so many memberships of an input are all shown; of more than that only those that are not small.
const ALL_SETS: usize = 6;
const SMALL: f64 = 0.001;
/// Characters of a bar of strength 1.
const BAR: usize = 10;
/// Characters and lines of the aggregated set.
const PLOT: (usize, usize) = (60, 4);
const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A number in four digits at most, as text that a terminal shows and a reader can type.
///
/// ```
/// use fuzzion::inference::explain::brief;
/// assert_eq!(brief(2.0 / 3.0), "0.6667");
/// assert_eq!(brief(-12.5), "-12.5");
/// assert_eq!(brief(123456.0), "123456");
/// assert_eq!(brief(1.5e-7), "1.5e-7");
/// ```
pub fn brief(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { x.to_string() };
    }
    let rounded: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    match rounded.abs() {
        1e4..1e9 => format!("{x:.0}"),
        1e-4..1e4 => rounded.to_string(),
        _ => format!("{rounded:e}"),
    }
}

/// A name from a file, which must not write to the terminal anything but itself.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// A strength from 0 to 1 as a bar of eighths.
fn bar(strength: f64) -> String {
    const PARTS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = (strength.clamp(0.0, 1.0) * (8 * BAR) as f64).round() as usize; // NaN becomes 0
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(PARTS[eighths % 8]);
    }
    bar
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.system.is_empty() { "system" } else { &self.system };
        writeln!(f, "{}, in dialect {}", clean(name), self.dialect.name())?;
        writeln!(f, "\nInputs")?;
        self.inputs.iter().try_for_each(|input| self.input(f, input))?;
        writeln!(f, "\nRules")?;
        let shown = |rule: &ExplainedRule| self.rules.len() <= ALL_RULES || rule.strength != 0.0;
        let number = self.rules.len().to_string().len();
        let strengths = self.rules.iter().filter(|rule| shown(rule));
        let strength = strengths.map(|rule| width(&brief(rule.strength))).max().unwrap_or(0);
        for (i, rule) in self.rules.iter().enumerate().filter(|(_, rule)| shown(rule)) {
            write_rule(f, i, rule, (number, strength))?;
        }
        match self.rules.iter().filter(|rule| !shown(rule)).count() {
            0 => {}
            1 => writeln!(f, "  and one rule of strength 0")?,
            silent => writeln!(f, "  and {silent} rules of strength 0")?,
        }
        self.outputs.iter().try_for_each(|output| write_output(f, output))
    }
}

impl Explanation {
    fn input(&self, f: &mut fmt::Formatter<'_>, input: &ExplainedInput) -> fmt::Result {
        let names = self.inputs.iter().map(|input| width(&clean(&input.name))).max().unwrap_or(0);
        let values = self.inputs.iter().map(|input| width(&brief(input.value))).max().unwrap_or(0);
        let many = input.memberships.len() > ALL_SETS;
        let listed = |m: f64| !many || m.is_nan() || m >= SMALL;
        let sets = input.memberships.iter().filter(|(_, m)| listed(*m));
        let mut sets: Vec<String> = sets.map(|(set, m)| format!("{} {}", clean(set), brief(*m))).collect();
        if sets.len() < input.memberships.len() {
            sets.push(format!("others below {SMALL}"));
        }
        let sets = sets.join(", ");
        let name = clean(&input.name);
        let line = format!("  {name:names$} = {:values$}  {sets}", brief(input.value));
        write!(f, "{}", line.trim_end())?;
        if !input.enabled {
            write!(f, " (not enabled: every proposition about it has membership 0)")?;
        } else if input.value != input.given && !input.given.is_nan() {
            write!(f, " (moved into its range from {})", brief(input.given))?;
        }
        writeln!(f)
    }
}

fn write_rule(
    f: &mut fmt::Formatter<'_>,
    i: usize,
    rule: &ExplainedRule,
    (number, strength_width): (usize, usize),
) -> fmt::Result {
    let (bar, strength, text) = (bar(rule.strength), brief(rule.strength), clean(&rule.text));
    let silent = match rule.standing {
        Standing::NotChosen => " [not chosen by its block]",
        Standing::Disabled => " [its block is not enabled]",
        _ => "",
    };
    writeln!(f, "  {:>number$}  {strength:>strength_width$}  {bar:BAR$}  {text}{silent}", i + 1)?;
    let told = rule.strength != 0.0 || rule.standing == Standing::Fired;
    // One proposition alone says what the strength says already.
    let more = rule.propositions.len() > 1 || rule.weight != 1.0 && !rule.propositions.is_empty();
    if told && more {
        let parts = rule.propositions.iter().map(|p| format!("{} {}", clean(&p.text), brief(p.membership)));
        let weight =
            if rule.weight == 1.0 { String::new() } else { format!(", weight {}", brief(rule.weight)) };
        let gap = " ".repeat(number + strength_width + BAR + 8);
        writeln!(f, "{gap}{}{weight}", parts.collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

fn write_output(f: &mut fmt::Formatter<'_>, output: &ExplainedOutput) -> fmt::Result {
    writeln!(f, "\n{} = {}, {}", clean(&output.name), brief(output.value), output.why())?;
    let told: Vec<&Contribution> = output.contributions.iter().filter(|c| c.strength != 0.0).collect();
    if !told.is_empty() {
        let mut lines = vec![["rule", "concludes", "strength", "share", "at", "adds"].map(str::to_owned)];
        let number = |x: Option<f64>| x.map(brief).unwrap_or_default();
        lines.extend(told.iter().map(|c| {
            let percent = format!("{:.1} %", 100.0 * c.share);
            let rule = (c.rule + 1).to_string();
            [rule, clean(&c.set), brief(c.strength), percent, number(c.value), number(c.part)]
        }));
        let has_parts = told.iter().any(|c| c.part.is_some());
        let columns = if has_parts { 6 } else { 4 };
        table(f, &lines, columns)?;
    }
    match &output.aggregated {
        Some(aggregated) if output.fired => plot(f, aggregated, output),
        _ => Ok(()),
    }
}

/// Lines of cells, numbers to the right; the second column is a name.
fn table(f: &mut fmt::Formatter<'_>, lines: &[[String; 6]], columns: usize) -> fmt::Result {
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

/// The aggregated set in block characters above its range, with an arrow at the number.
fn plot(f: &mut fmt::Formatter<'_>, set: &Aggregated, output: &ExplainedOutput) -> fmt::Result {
    let (columns, lines) = PLOT;
    let (lower, upper) = output.range;
    let column =
        |y: f64| ((y - lower) / (upper - lower) * columns as f64).clamp(0.0, columns as f64 - 1.0) as usize;
    let mut heights = vec![0.0f64; columns];
    let mut seen = vec![false; columns];
    for (y, membership) in set.places.iter().zip(&set.memberships) {
        heights[column(*y)] = heights[column(*y)].max(*membership);
        seen[column(*y)] = true;
    }
    // Where there are fewer samples than columns, each holds until the next.
    for i in 1..columns {
        if !seen[i] {
            heights[i] = heights[i - 1];
        }
    }
    let most = heights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let label = brief(most);
    let indent = width(&label).max(1);
    writeln!(f)?;
    for line in (0..lines).rev() {
        let cell = |height: &f64| {
            let filled = height / most * (8 * lines) as f64 - (8 * line) as f64;
            EIGHTHS[filled.clamp(0.0, 8.0).round() as usize]
        };
        let cells: String = heights.iter().map(cell).collect();
        let label = if line + 1 == lines { label.as_str() } else { "" };
        writeln!(f, "{}", format!("  {label:>indent$} │{cells}").trim_end())?;
    }
    let mut axis = vec!['─'; columns];
    if output.value.is_finite() {
        axis[column(output.place())] = '▲';
    }
    writeln!(f, "  {:indent$} └{}", "", axis.into_iter().collect::<String>())?;
    let (left, right) = (brief(lower), brief(upper));
    let gap = columns.saturating_sub(width(&left) + width(&right)).max(1);
    writeln!(f, "  {:indent$}  {left}{}{right}", "", " ".repeat(gap))
}
