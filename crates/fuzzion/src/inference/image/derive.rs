//! The fast path, derived from the rules: a table over one input, or over the S of equation (3).

use super::cpu::evaluate;
use super::pixel::{Pixel, Sum, is_certain, rounded, seen};
use super::window::{NEIGHBORS, Tap, Window};
use crate::data::Precision;
use crate::inference::row::resolve;
use crate::inference::{
    Activation, Antecedent, Conjunction, Dialect, Place, Plan, Proposition, Rule, RuleBlock, System, Variable,
};
use crate::sets::{Hedge, SNorm, Set};
use std::collections::HashSet;

/// The most entries of a table: it should stay in cache, and be made while nobody waits.
const MAX_ENTRIES: usize = 1 << 18;
/// How far a strength of the general path may be from S / 2Tn, relative to it: hundreds of roundings.
const STRENGTH_ERROR: f64 = 1.0 / (1u64 << 43) as f64;
/// How far a membership may be from the straight line by rounding.
const MEMBERSHIP_ERROR: f64 = 1e-14;

/// What takes the place of a system for pixels of one depth.
#[derive(Clone, Debug)]
pub(crate) enum Fast<P: Pixel> {
    /// A pixel for each value of the only input; a difference is moved up by the largest number.
    Table { tap: Tap, table: Vec<P> },
    /// A pixel for each sum.
    Sums { pattern: Pattern<P>, table: Vec<P> },
}

/// The rules as sums of clamped differences.
#[derive(Clone, Debug)]
pub(crate) struct Pattern<P> {
    /// T, in steps of the pixels.
    pub(crate) reach: P,
    pub(crate) shape: Shape,
}

/// Which rules there are.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// FIRE's: neighbors k, k+1, k+2 against k+4, k+5, k+6, for all eight k. The table is over S − nT, never negative.
    Compass,
    /// For each rule its propositions. The table is over S.
    Any(Vec<Vec<Part>>),
}

/// A proposition: (T + sign·clamp(d, −T, T)) / 2T.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) tap: Tap,
    /// 1 or −1.
    pub(crate) sign: i32,
}

impl<P: Pixel> Fast<P> {
    /// What can be derived for these pixels.
    pub(crate) fn derive(plan: &Plan, window: &Window) -> Option<Self> {
        match window.taps[..] {
            [tap] => Fast::of_one(plan, tap),
            _ => Fast::of_sums(plan.system(), plan.dialect(), window),
        }
    }

    fn of_one(plan: &Plan, tap: Tap) -> Option<Self> {
        let most = P::MOST as i32;
        let numbers: Vec<i32> = if tap.difference { (-most..=most).collect() } else { (0..=most).collect() };
        let values = evaluate(plan, &numbers.iter().map(|n| seen::<P>(*n)).collect::<Vec<f64>>());
        let entry = |(v, number): (&f64, &i32)| match rounded(*v) {
            Some(pixel) if is_certain::<P>(*v) => Some(pixel),
            None if tap.is_center() => Some(P::of(*number as u32)), // it stays
            _ => None,
        };
        Some(Fast::Table { tap, table: values.iter().zip(&numbers).map(entry).collect::<Option<_>>()? })
    }

    fn of_sums(system: &System, dialect: Dialect, window: &Window) -> Option<Self> {
        let ([block], [output]) = (&system.blocks[..], &system.outputs[..]) else { return None };
        // Strengths of one set must be joined by their maximum, as sets or as weights.
        let joined =
            output.defuzzifier.is_sampled() || matches!(dialect, Dialect::Fuzzylite8 | Dialect::Fuzzylite6);
        let plain = block.enabled && block.activation == Activation::General && output.variable.enabled;
        if !plain || !joined || output.aggregation != Some(SNorm::Maximum) {
            return None;
        }
        let is_else = |rule: &&Rule| rule.antecedent == Antecedent::Else;
        let (otherwise, rules): (Vec<&Rule>, Vec<&Rule>) = block.rules.iter().partition(is_else);
        let alike = rules.iter().all(|rule| rule.weight == 1.0 && rule.consequent == rules[0].consequent);
        let [conclusion] = &rules.first()?.consequent[..] else { return None };
        if !alike || !conclusion.hedges.is_empty() {
            return None;
        }
        let mut lines = Lines::<P> { system, dialect, window, known: Vec::new() };
        let rules = rules.iter().map(|rule| lines.rule(block, rule)).collect::<Option<Vec<_>>>()?;
        let (reach, parts) = (lines.reach()?, rules[0].len());
        let top = 2 * reach.number() as usize * parts;
        if rules.iter().any(|rule| rule.len() != parts) || top > P::Sum::MOST || top >= MAX_ENTRIES {
            return None;
        }
        let compass = is_compass(&rules);
        let lowest = if compass { top / 2 } else { 0 };
        let tail = System::new("").input(strength()?).output(output.clone());
        let tail = System { blocks: vec![shortened(block, otherwise)?], ..tail };
        let plan = tail.compile(dialect, Precision::F64).ok()?; // not where a set reads the window
        let table = entries(&plan, lowest, top)?;
        let shape = if compass { Shape::Compass } else { Shape::Any(rules) };
        Some(Fast::Sums { pattern: Pattern { reach, shape }, table })
    }
}

/// The strength of all rules as an input, with a set of which it is the membership.
fn strength() -> Option<Variable> {
    Some(Variable::new("strength", 0.0, 1.0).set("fired", Set::ramp(0.0, 1.0).ok()?))
}

/// The block with one rule in place of all that conclude the same.
fn shortened(block: &RuleBlock, otherwise: Vec<&Rule>) -> Option<RuleBlock> {
    let fired = Proposition { variable: Place::Input(0), hedges: vec![], set: Some(0) };
    let first = block.rules.iter().find(|rule| rule.antecedent != Antecedent::Else)?;
    let first = Rule { antecedent: Antecedent::Is(fired), ..first.clone() };
    let rules = std::iter::once(first).chain(otherwise.into_iter().cloned()).collect();
    Some(RuleBlock { rules, ..block.clone() })
}

/// The pixels of the strengths `lowest` / `top` … 1; `None` where rounding errors could make another of one.
fn entries<P: Pixel>(tail: &Plan, lowest: usize, top: usize) -> Option<Vec<P>> {
    let of = |error: f64| {
        let strength = |s: usize| (s as f64 / top as f64 * (1.0 + error)).min(1.0);
        evaluate(tail, &(lowest..=top).map(strength).collect::<Vec<f64>>())
    };
    let [less, values, more] = [-STRENGTH_ERROR, 0.0, STRENGTH_ERROR].map(of);
    let entry = |(v, (less, more)): (&f64, (&f64, &f64))| {
        let pixel = rounded::<P>(*v)?;
        let same = rounded(*less) == Some(pixel) && rounded(*more) == Some(pixel);
        (same && is_certain::<P>(*v)).then_some(pixel)
    };
    values.iter().zip(less.iter().zip(&more)).map(entry).collect()
}

/// Which propositions are straight lines between −T and T.
struct Lines<'a, P> {
    system: &'a System,
    dialect: Dialect,
    window: &'a Window,
    known: Vec<Line<P>>,
}

/// A set that was looked at.
struct Line<P> {
    set: Set,
    /// The range into which its variable is moved.
    locked: Option<(f64, f64)>,
    reach: P,
    sign: i32,
}

impl<P: Pixel> Lines<'_, P> {
    /// The propositions of a rule that is the mean of them.
    fn rule(&mut self, block: &RuleBlock, rule: &Rule) -> Option<Vec<Part>> {
        let parts = match &rule.antecedent {
            Antecedent::And(parts) if block.conjunction == Some(Conjunction::Mean) => &parts[..],
            one @ Antecedent::Is(_) => std::slice::from_ref(one),
            _ => return None,
        };
        parts.iter().map(|part| if let Antecedent::Is(p) = part { self.part(p) } else { None }).collect()
    }

    fn part(&mut self, proposition: &Proposition) -> Option<Part> {
        let Place::Input(i) = proposition.variable else { return None };
        let (variable, tap) = (&self.system.inputs[i], self.window.taps[i]);
        if !tap.difference || !variable.enabled {
            return None;
        }
        let set = &variable.sets[resolve(variable, proposition.set?, self.dialect)].set;
        let locked = variable.lock_range.then_some((variable.minimum, variable.maximum));
        let known = self.known.iter().find(|line| line.set == *set && line.locked == locked);
        let sign = match known {
            Some(line) => line.sign,
            None => {
                let (reach, sign) = line(|number| set.membership(variable.locked(seen::<P>(number))))?;
                self.known.push(Line { set: set.clone(), locked, reach, sign });
                sign
            }
        };
        let turned = match proposition.hedges[..] {
            [] => sign,
            [Hedge::Not] => -sign,
            _ => return None,
        };
        Some(Part { tap, sign: turned })
    }

    /// T, where it is the same for all.
    fn reach(&self) -> Option<P> {
        let reach = self.known.first()?.reach;
        self.known.iter().all(|line| line.reach == reach).then_some(reach)
    }
}

/// T and the sign of a membership that is (T ± clamp(number, −T, T)) / 2T for every difference.
fn line<P: Pixel>(membership: impl Fn(i32) -> f64) -> Option<(P, i32)> {
    let most = P::MOST as i32;
    let sign = if membership(most) > membership(-most) { 1 } else { -1 };
    let reach = (1..=most).find(|number| membership(sign * number) == 1.0)?;
    let straight = |number: i32| {
        let expected = f64::from(reach + sign * number.clamp(-reach, reach)) / f64::from(2 * reach);
        let error = (membership(number) - expected).abs();
        // Whether a rule fires at all must not be a matter of rounding.
        if expected == 0.0 || expected == 1.0 { error == 0.0 } else { error <= MEMBERSHIP_ERROR }
    };
    (-most..=most).all(straight).then(|| (P::of(reach as u32), sign))
}

/// Whether the rules are the eight of the compass, each once, in any order.
fn is_compass(rules: &[Vec<Part>]) -> bool {
    let key = |parts: &[Part]| {
        let mut key: Vec<(isize, isize, i32)> = parts.iter().map(|p| (p.tap.dx, p.tap.dy, p.sign)).collect();
        key.sort_unstable();
        key
    };
    let found: HashSet<_> = rules.iter().map(|parts| key(parts)).collect();
    let expected = (0..8).map(|k| {
        let part = |i: usize| {
            let (_, (dx, dy)) = NEIGHBORS[(k + i) % 8];
            Part { tap: Tap { dx, dy, difference: true }, sign: if i < 3 { 1 } else { -1 } }
        };
        key(&[0, 1, 2, 4, 5, 6].map(part))
    });
    rules.len() == 8 && expected.collect::<HashSet<_>>() == found
}
