//! Derives the fast path from the rules: a table over one input, or over S of Equation (3).

use super::cpu::evaluate;
use super::window::{NEIGHBORS, Pixel, Sum, Tap, Window, is_certain, round_to_pixel, to_brightness};
use crate::data::Precision;
use crate::inference::reference::resolve_set;
use crate::inference::{
    Activation, Antecedent, Conjunction, Dialect, Plan, Proposition, Rule, RuleBlock, System, Variable,
    VariableIndex,
};
use crate::sets::{Hedge, SNorm, Set};
use std::collections::HashSet;

/// Maximum number of table entries, so that the table fits in the cache and is computed quickly.
const MAX_ENTRIES: usize = 1 << 18;
/// Maximum relative difference between a strength of the general path and S / 2Tn: hundreds of rounding errors.
const STRENGTH_ERROR: f64 = 1.0 / (1u64 << 43) as f64;
/// Maximum difference between a membership and the straight line due to rounding.
const MEMBERSHIP_ERROR: f64 = 1e-14;

/// Replacement of a system for pixels of one bit depth.
#[derive(Clone, Debug)]
pub(crate) enum FastPath<P: Pixel> {
    /// One pixel per value of the only input. Indices of differences are offset by the maximum pixel.
    OneInput { tap: Tap, table: Vec<P> },
    /// One pixel per sum.
    Sums { pattern: SumPattern<P>, table: Vec<P> },
}

/// The rules as sums of clamped differences.
#[derive(Clone, Debug)]
pub(crate) struct SumPattern<P> {
    /// T in pixel values.
    pub(crate) threshold: P,
    pub(crate) rules: SumRules,
}

/// The rules of a pattern.
#[derive(Clone, Debug)]
pub(crate) enum SumRules {
    /// FIRE's eight rules: neighbors k, k+1, k+2 against k+4, k+5, k+6. The table is over S − nT, which is never negative.
    Compass,
    /// Propositions of each rule. The table is over S.
    General(Vec<Vec<SumTerm>>),
}

/// A proposition: (T + sign·clamp(d, −T, T)) / 2T.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SumTerm {
    pub(crate) tap: Tap,
    /// 1 or −1.
    pub(crate) sign: i32,
}

impl<P: Pixel> FastPath<P> {
    /// Derives the fast path for this pixel type, if possible.
    pub(crate) fn derive(plan: &Plan, window: &Window) -> Option<Self> {
        match window.taps[..] {
            [tap] => FastPath::for_one_input(plan, tap),
            _ => FastPath::for_sums(plan.system(), plan.dialect(), window),
        }
    }

    fn for_one_input(plan: &Plan, tap: Tap) -> Option<Self> {
        let max = P::MAX as i32;
        let inputs: Vec<i32> = if tap.difference { (-max..=max).collect() } else { (0..=max).collect() };
        let values = evaluate(plan, &inputs.iter().map(|n| to_brightness::<P>(*n)).collect::<Vec<f64>>());
        let entry = |(v, input): (&f64, &i32)| match round_to_pixel(*v) {
            Some(pixel) if is_certain::<P>(*v) => Some(pixel),
            None if tap.is_center() => Some(P::from_value(*input as u32)), // unchanged
            _ => None,
        };
        Some(FastPath::OneInput { tap, table: values.iter().zip(&inputs).map(entry).collect::<Option<_>>()? })
    }

    fn for_sums(system: &System, dialect: Dialect, window: &Window) -> Option<Self> {
        let ([block], [output]) = (&system.blocks[..], &system.outputs[..]) else { return None };
        // The strengths of one set must be aggregated by maximum, as sets or as weights.
        let aggregated = output.defuzzifier.is_sampled() || dialect.groups_equal_sets();
        let supported = block.enabled && block.activation == Activation::General && output.variable.enabled;
        if !supported || !aggregated || output.aggregation != Some(SNorm::Maximum) {
            return None;
        }
        let is_else = |rule: &&Rule| rule.antecedent == Antecedent::Else;
        let (otherwise, rules): (Vec<&Rule>, Vec<&Rule>) = block.rules.iter().partition(is_else);
        let same_conclusion =
            rules.iter().all(|rule| rule.weight == 1.0 && rule.consequent == rules[0].consequent);
        let [conclusion] = &rules.first()?.consequent[..] else { return None };
        if !same_conclusion || !conclusion.hedges.is_empty() {
            return None;
        }
        let mut analysis = RuleAnalysis::<P> { system, dialect, window, sets: Vec::new() };
        let rules = rules.iter().map(|rule| analysis.rule(block, rule)).collect::<Option<Vec<_>>>()?;
        let (threshold, terms) = (analysis.threshold()?, rules[0].len());
        let max_sum = 2 * threshold.value() as usize * terms;
        if rules.iter().any(|rule| rule.len() != terms) || max_sum > P::Sum::MAX || max_sum >= MAX_ENTRIES {
            return None;
        }
        let compass = is_compass(&rules);
        let min_sum = if compass { max_sum / 2 } else { 0 };
        let reduced = System::new("").input(strength_input()).output(output.clone());
        let reduced = System { blocks: vec![reduced_block(block, otherwise)], ..reduced };
        let plan = reduced.compile(dialect, Precision::F64).ok()?; // fails if a set reads the window
        let table = entries(&plan, min_sum, max_sum)?;
        let rules = if compass { SumRules::Compass } else { SumRules::General(rules) };
        Some(FastPath::Sums { pattern: SumPattern { threshold, rules }, table })
    }
}

/// An input for the firing strength, with a set whose membership equals it.
fn strength_input() -> Variable {
    let fired = Set::ramp(0.0, 1.0).expect("invariant: a ramp from 0 to 1 is valid");
    Variable::new("strength", 0.0, 1.0).set("fired", fired)
}

/// The block with one rule in place of all rules with the same conclusion.
fn reduced_block(block: &RuleBlock, otherwise: Vec<&Rule>) -> RuleBlock {
    let fired = Proposition { variable: VariableIndex::Input(0), hedges: vec![], set: Some(0) };
    let first = block.rules.iter().find(|rule| rule.antecedent != Antecedent::Else);
    let first = first.expect("invariant: the block has a rule other than ELSE").clone();
    let first = Rule { antecedent: Antecedent::Is(fired), ..first };
    let rules = std::iter::once(first).chain(otherwise.into_iter().cloned()).collect();
    RuleBlock { rules, ..block.clone() }
}

/// Pixels for the strengths `min_sum` / `max_sum` … 1; `None` if rounding errors could change one of them.
fn entries<P: Pixel>(reduced: &Plan, min_sum: usize, max_sum: usize) -> Option<Vec<P>> {
    let of = |error: f64| {
        let strength = |s: usize| (s as f64 / max_sum as f64 * (1.0 + error)).min(1.0);
        evaluate(reduced, &(min_sum..=max_sum).map(strength).collect::<Vec<f64>>())
    };
    let [less, values, more] = [-STRENGTH_ERROR, 0.0, STRENGTH_ERROR].map(of);
    let entry = |(v, (less, more)): (&f64, (&f64, &f64))| {
        let pixel = round_to_pixel::<P>(*v)?;
        let same = round_to_pixel(*less) == Some(pixel) && round_to_pixel(*more) == Some(pixel);
        (same && is_certain::<P>(*v)).then_some(pixel)
    };
    values.iter().zip(less.iter().zip(&more)).map(entry).collect()
}

/// Finds the propositions that are linear between −T and T.
struct RuleAnalysis<'a, P> {
    system: &'a System,
    dialect: Dialect,
    window: &'a Window,
    sets: Vec<LinearSet<P>>,
}

/// A set whose membership is linear between −T and T.
struct LinearSet<P> {
    set: Set,
    /// Range to which its variable is clamped.
    clamp: Option<(f64, f64)>,
    threshold: P,
    sign: i32,
}

impl<P: Pixel> RuleAnalysis<'_, P> {
    /// Terms of a rule that is the mean of its propositions.
    fn rule(&mut self, block: &RuleBlock, rule: &Rule) -> Option<Vec<SumTerm>> {
        let parts = match &rule.antecedent {
            Antecedent::And(parts) if block.conjunction == Some(Conjunction::Mean) => &parts[..],
            one @ Antecedent::Is(_) => std::slice::from_ref(one),
            _ => return None,
        };
        parts.iter().map(|part| if let Antecedent::Is(p) = part { self.term(p) } else { None }).collect()
    }

    fn term(&mut self, proposition: &Proposition) -> Option<SumTerm> {
        let VariableIndex::Input(i) = proposition.variable else { return None };
        let (variable, tap) = (&self.system.inputs[i], self.window.taps[i]);
        if !tap.difference || !variable.enabled {
            return None;
        }
        let set = &variable.sets[resolve_set(variable, proposition.set?, self.dialect)].set;
        let clamp = variable.lock_range.then_some((variable.minimum, variable.maximum));
        let existing = self.sets.iter().find(|linear| linear.set == *set && linear.clamp == clamp);
        let sign = match existing {
            Some(linear) => linear.sign,
            None => {
                let (threshold, sign) =
                    linear_set(|n| set.membership(variable.lock_to_range(to_brightness::<P>(n))))?;
                self.sets.push(LinearSet { set: set.clone(), clamp, threshold, sign });
                sign
            }
        };
        let sign = match proposition.hedges[..] {
            [] => sign,
            [Hedge::Not] => -sign,
            _ => return None,
        };
        Some(SumTerm { tap, sign })
    }

    /// T, if it is the same for all sets.
    fn threshold(&self) -> Option<P> {
        let threshold = self.sets.first()?.threshold;
        self.sets.iter().all(|set| set.threshold == threshold).then_some(threshold)
    }
}

/// T and the sign of a membership that equals (T ± clamp(d, −T, T)) / 2T for every difference d.
fn linear_set<P: Pixel>(membership: impl Fn(i32) -> f64) -> Option<(P, i32)> {
    let max = P::MAX as i32;
    let sign = if membership(max) > membership(-max) { 1 } else { -1 };
    let threshold = (1..=max).find(|d| membership(sign * d) == 1.0)?;
    let is_linear = |d: i32| {
        let expected =
            f64::from(threshold + sign * d.clamp(-threshold, threshold)) / f64::from(2 * threshold);
        let error = (membership(d) - expected).abs();
        // Rounding must not decide whether a rule fires at all.
        if expected == 0.0 || expected == 1.0 { error == 0.0 } else { error <= MEMBERSHIP_ERROR }
    };
    (-max..=max).all(is_linear).then(|| (P::from_value(threshold as u32), sign))
}

/// Whether the rules are FIRE's eight compass rules, each once, in any order.
fn is_compass(rules: &[Vec<SumTerm>]) -> bool {
    let key = |parts: &[SumTerm]| {
        let mut key: Vec<(isize, isize, i32)> = parts.iter().map(|p| (p.tap.dx, p.tap.dy, p.sign)).collect();
        key.sort_unstable();
        key
    };
    let found: HashSet<_> = rules.iter().map(|parts| key(parts)).collect();
    let expected = (0..8).map(|k| {
        let part = |i: usize| {
            let (_, (dx, dy)) = NEIGHBORS[(k + i) % 8];
            SumTerm { tap: Tap { dx, dy, difference: true }, sign: if i < 3 { 1 } else { -1 } }
        };
        key(&[0, 1, 2, 4, 5, 6].map(part))
    });
    rules.len() == 8 && expected.collect::<HashSet<_>>() == found
}
