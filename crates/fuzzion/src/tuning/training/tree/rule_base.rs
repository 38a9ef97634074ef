//! Rules of a tree with the normal equations of their consequents.

use super::equations::{Column, Equations, centered, values};
use super::problem::{LocalSlopes, Problem};
use super::region::{Edge, Region};
use crate::tuning::training::samples::ScaledSamples;
use std::sync::Arc;

/// Rules and the columns of their consequents, over the training rows of a [`Problem`].
#[derive(Clone)]
pub(super) struct RuleBase {
    pub(super) regions: Vec<Region>,
    /// Firing strengths of each rule.
    pub(super) firing: Vec<Arc<Vec<f64>>>,
    pub(super) columns: Vec<Column>,
    pub(super) values: Vec<Arc<Vec<f64>>>,
    pub(super) equations: Equations,
}

/// Two rules as one: its region, and for each new column the old columns of which it is the sum.
pub(super) struct Merge {
    pub(super) rules: [usize; 2],
    pub(super) region: Region,
    pub(super) columns: Vec<Column>,
    pub(super) sums: Vec<Vec<usize>>,
}

/// Columns of the consequent of a rule, without those common to all rules.
fn local_columns(problem: &Problem<'_>, rule: usize, region: &Region) -> Vec<Column> {
    let inputs: Vec<usize> = match problem.slopes {
        LocalSlopes::None => Vec::new(),
        LocalSlopes::Conditions => region.inputs().collect(),
        LocalSlopes::All => (0..problem.inputs.len()).collect(),
    };
    let inputs = std::iter::once(None).chain(inputs.into_iter().map(Some));
    inputs.map(|input| Column { rule: Some(rule), input }).collect()
}

impl RuleBase {
    /// One rule without conditions: the linear model.
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        let slopes = if problem.slopes == LocalSlopes::None { 0 } else { problem.inputs.len() };
        let inputs = std::iter::once(None).chain((0..slopes).map(Some));
        let columns = inputs.map(|input| Column { rule: None, input }).collect();
        let none = RuleBase {
            regions: vec![Region::default()],
            firing: vec![Arc::new(vec![1.0; problem.rows()])],
            columns: Vec::new(),
            values: Vec::new(),
            equations: Equations::default(),
        };
        none.with_columns(problem, &[], columns)
    }

    /// Replaces the columns: those at `kept`, with their new names, followed by new ones.
    fn with_columns(mut self, problem: &Problem<'_>, kept: &[usize], columns: Vec<Column>) -> Self {
        let new = columns[kept.len()..].iter().map(|column| {
            let firing = column.rule.map(|rule| &self.firing[rule][..]);
            Arc::new(values(problem.samples, 0..problem.rows(), &problem.roots, firing, column.input))
        });
        let values: Vec<Arc<Vec<f64>>> = kept.iter().map(|at| self.values[*at].clone()).chain(new).collect();
        let slices: Vec<&[f64]> = values.iter().map(|values| &values[..]).collect();
        self.equations = self.equations.replaced(kept, &slices, &problem.targets);
        (self.columns, self.values) = (columns, values);
        self
    }

    /// The same rules without an input in their consequents.
    pub(super) fn without(&self, input: usize) -> Self {
        let kept: Vec<usize> =
            (0..self.columns.len()).filter(|at| self.columns[*at].input != Some(input)).collect();
        let sums: Vec<Vec<usize>> = kept.iter().map(|at| vec![*at]).collect();
        RuleBase {
            regions: self.regions.clone(),
            firing: self.firing.clone(),
            columns: kept.iter().map(|at| self.columns[*at]).collect(),
            values: kept.iter().map(|at| Arc::clone(&self.values[*at])).collect(),
            equations: self.equations.combined(&sums),
        }
    }

    /// The same rules with the equations of other targets.
    pub(super) fn with_targets(mut self, targets: &[Vec<f64>]) -> Self {
        let slices: Vec<&[f64]> = self.values.iter().map(|values| &values[..]).collect();
        self.equations = self.equations.with_targets(&slices, targets);
        self
    }

    /// Coefficients of this rule base that give the same outputs as those of `parent`, of which one rule was split.
    pub(super) fn inherited(&self, parent: &RuleBase, theta: &[Vec<f64>], rule: usize) -> Vec<Vec<f64>> {
        let new_rule = parent.regions.len();
        let position = |column: &Column| {
            let rule = if column.rule == Some(new_rule) { Some(rule) } else { column.rule };
            parent.columns.iter().position(|other| *other == Column { rule, ..*column })
        };
        let positions: Vec<Option<usize>> = self.columns.iter().map(position).collect();
        let of_class = |theta: &Vec<f64>| positions.iter().map(|at| at.map_or(0.0, |at| theta[at])).collect();
        theta.iter().map(of_class).collect()
    }

    /// Splits a rule at an edge.
    pub(super) fn split(&self, problem: &Problem<'_>, rule: usize, input: usize, edge: Edge) -> Self {
        let mut split = self.clone();
        let [below, above] = self.regions[rule].split(input, edge);
        let x = &problem.samples.inputs[input];
        let strengths = self.firing[rule].iter().zip(x);
        let upper: Vec<f64> = strengths.map(|(strength, x)| strength * edge.above(*x)).collect();
        let lower: Vec<f64> = self.firing[rule].iter().zip(&upper).map(|(all, upper)| all - upper).collect();
        split.firing[rule] = Arc::new(lower);
        split.firing.push(Arc::new(upper));
        let kept: Vec<usize> =
            (0..self.columns.len()).filter(|at| self.columns[*at].rule != Some(rule)).collect();
        let mut columns: Vec<Column> = kept.iter().map(|at| self.columns[*at]).collect();
        columns.extend(local_columns(problem, rule, &below));
        columns.extend(local_columns(problem, self.regions.len(), &above));
        split.regions[rule] = below;
        split.regions.push(above);
        split.with_columns(problem, &kept, columns)
    }

    /// All pairs of rules that can be merged.
    pub(super) fn merges(&self, problem: &Problem<'_>) -> Vec<Merge> {
        let pairs = (0..self.regions.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
        pairs.filter_map(|rules| self.merge_of(problem, rules)).collect()
    }

    fn merge_of(&self, problem: &Problem<'_>, rules: [usize; 2]) -> Option<Merge> {
        let region = self.regions[rules[0]].union(&self.regions[rules[1]])?;
        let position = |column: Column| self.columns.iter().position(|other| *other == column);
        let of_others = self.columns.iter().enumerate().filter(|(_, column)| match column.rule {
            None => true,
            Some(rule) => !rules.contains(&rule),
        });
        let (mut columns, mut sums): (Vec<Column>, Vec<Vec<usize>>) =
            of_others.map(|(at, column)| (column.after_merge(rules[1]), vec![at])).unzip();
        // One rule has only the columns that are common to all rules.
        let merged =
            if self.regions.len() == 2 { Vec::new() } else { local_columns(problem, rules[0], &region) };
        for column in merged {
            let parts = rules.map(|rule| position(Column { rule: Some(rule), ..column }));
            columns.push(column);
            sums.push(
                parts
                    .into_iter()
                    .map(|at| at.expect("invariant: merged rules have the columns of their union"))
                    .collect(),
            );
        }
        Some(Merge { rules, region, columns, sums })
    }

    /// Merges two rules, given their combined equations.
    pub(super) fn merged(&self, merge: Merge, equations: Equations) -> Self {
        let sum = |of: &Vec<usize>| match of[..] {
            [one] => self.values[one].clone(),
            _ => {
                let row = |row: usize| of.iter().map(|at| self.values[*at][row]).sum();
                Arc::new((0..self.values[of[0]].len()).map(row).collect())
            }
        };
        let (mut regions, mut firing) = (self.regions.clone(), self.firing.clone());
        let [a, b] = merge.rules;
        firing[a] = Arc::new(firing[a].iter().zip(&*firing[b]).map(|(a, b)| a + b).collect());
        regions[a] = merge.region;
        regions.remove(b);
        firing.remove(b);
        RuleBase {
            regions,
            firing,
            values: merge.sums.iter().map(sum).collect(),
            columns: merge.columns,
            equations,
        }
    }

    /// Targets minus outputs, times the square roots of the weights, for coefficients of each target.
    pub(super) fn residuals(&self, problem: &Problem<'_>, theta: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let residual = |(target, theta): (&Vec<f64>, &Vec<f64>)| {
            let mut residual = target.clone();
            for (values, theta) in self.values.iter().zip(theta) {
                residual.iter_mut().zip(&**values).for_each(|(e, value)| *e -= theta * value);
            }
            residual
        };
        problem.targets.iter().zip(theta).map(residual).collect()
    }

    /// Output for one row of `samples`, Equation (2).
    pub(super) fn output(&self, theta: &[f64], samples: &ScaledSamples, row: usize) -> f64 {
        let x = |input: usize| samples.inputs[input][row];
        let firing: Vec<f64> = self.regions.iter().map(|region| region.membership(x)).collect();
        let term = |(column, theta): (&Column, &f64)| {
            let strength = column.rule.map_or(1.0, |rule| firing[rule]);
            theta * strength * column.input.map_or(1.0, |input| centered(x(input)))
        };
        self.columns.iter().zip(theta).map(term).sum()
    }
}

impl Column {
    /// The same column after the rule `removed` was removed.
    fn after_merge(self, removed: usize) -> Self {
        Column { rule: self.rule.map(|rule| rule - usize::from(rule > removed)), ..self }
    }
}
