//! A system to `.fis`.

use super::{S_NORMS, T_NORMS};
use crate::error::{Error, Result};
use crate::inference::text::{number_text, shown};
use crate::inference::{
    Activation, Antecedent, Conjunction, Defuzzifier, NamedSet, Output, Place, Proposition, Rule, RuleBlock,
    System, Variable, Weighted,
};
use crate::sets::{Hedge, SNorm, Set, Shape};

fn refuse<T>(place: impl Into<String>, problem: &str) -> Result<T> {
    let problem = format!("{problem}, which .fis cannot hold; write FLL or JSON");
    Err(Error::System { place: place.into(), problem })
}

impl System {
    /// The system as a `.fis` file.
    ///
    /// # Errors
    /// [`Error::System`] for what such a file cannot hold: several blocks, other norms than min, prod, max, probor and
    /// sum, antecedents that mix `and` with `or` or ask twice about an input, chained outputs, shapes that MATLAB has
    /// not, locked values, defaults and scales, sets that rules of a weighted output conclude twice and its aggregation joins
    /// otherwise than by their sum; and those of [`System::check`]. Descriptions are left out.
    pub fn to_fis(&self) -> Result<String> {
        self.check()?;
        let [block] = &self.blocks[..] else { return refuse("the system", "has several rule blocks") };
        if !block.enabled || block.activation != Activation::General {
            return refuse("the rule block", "is not enabled or has an activation");
        }
        let mut lines = self.head(block)?;
        for (i, input) in self.inputs.iter().enumerate() {
            variable(&mut lines, &format!("[Input{}]", i + 1), input)?;
        }
        for (i, output) in self.outputs.iter().enumerate() {
            let place = format!("output {}", shown(&output.variable.name));
            if output.default.is_some() || output.lock_previous {
                return refuse(place, "has a default or locked value");
            }
            if output.scale != 1.0 {
                return refuse(place, "has a scale");
            }
            consequents(output, &place)?;
            if !output.defuzzifier.is_sampled() {
                self.check_joined(i, output, block, &place)?;
            }
            variable(&mut lines, &format!("[Output{}]", i + 1), &output.variable)?;
        }
        lines.extend([String::new(), "[Rules]".into()]);
        for (i, rule) in block.rules.iter().enumerate() {
            lines.push(self.fis_rule(rule, &format!("rule {}", i + 1))?);
        }
        lines.push(String::new());
        Ok(lines.join("\n"))
    }

    /// MATLAB adds up what the rules of a Sugeno system conclude; another join is lost where it would matter.
    fn check_joined(&self, i: usize, output: &Output, block: &RuleBlock, place: &str) -> Result<()> {
        let mut concluded = vec![false; output.variable.sets.len()];
        let all = block.rules.iter().flat_map(|rule| &rule.consequent).filter(|c| c.output == i);
        let twice = all.into_iter().any(|c| std::mem::replace(&mut concluded[c.set], true));
        match output.aggregation {
            None | Some(SNorm::UnboundedSum) => Ok(()),
            Some(_) if !twice => Ok(()),
            Some(norm) => {
                let problem = format!("joins what several rules conclude about one set by {}", norm.name());
                refuse(place, &problem)
            }
        }
    }

    fn head(&self, block: &RuleBlock) -> Result<Vec<String>> {
        let first = &self.outputs[0]; // the check asks for one
        let alike = |o: &Output| {
            let sampled = o.defuzzifier.is_sampled();
            o.defuzzifier == first.defuzzifier && (!sampled || o.aggregation == first.aggregation)
        };
        if !self.outputs.iter().all(alike) || first.defuzzifier.samples().is_some() {
            return refuse("the system", "has outputs with different defuzzifiers or their own samples");
        }
        let (kind, defuzzifier) = match first.defuzzifier {
            Defuzzifier::Centroid { .. } => ("mamdani", "centroid"),
            Defuzzifier::Bisector { .. } => ("mamdani", "bisector"),
            Defuzzifier::MeanOfMaximum { .. } => ("mamdani", "mom"),
            Defuzzifier::SmallestOfMaximum { .. } => ("mamdani", "som"),
            Defuzzifier::LargestOfMaximum { .. } => ("mamdani", "lom"),
            Defuzzifier::WeightedAverage { kind: Weighted::Tsukamoto }
            | Defuzzifier::WeightedSum { kind: Weighted::Tsukamoto } => {
                return refuse("the system", "is a Tsukamoto system");
            }
            Defuzzifier::WeightedAverage { .. } => ("sugeno", "wtaver"),
            Defuzzifier::WeightedSum { .. } => ("sugeno", "wtsum"),
        };
        let and = match block.conjunction {
            None => Some("min"),
            Some(Conjunction::Norm(norm)) => word(&T_NORMS, norm),
            Some(Conjunction::Mean) => None,
        };
        let or = block.disjunction.map_or(Some("max"), |norm| word(&S_NORMS, norm));
        let imply = block.implication.map_or(Some("prod"), |norm| word(&T_NORMS, norm));
        let aggregation = first.aggregation.filter(|_| first.defuzzifier.is_sampled());
        let aggregate = aggregation.map_or(Some("sum"), |norm| word(&S_NORMS, norm));
        let (Some(and), Some(or), Some(imply), Some(aggregate)) = (and, or, imply, aggregate) else {
            return refuse("the system", "has norms other than min, prod, max, probor and sum");
        };
        let lines = [
            "[System]".to_owned(),
            format!("Name='{}'", quotable(&self.name)),
            format!("Type='{kind}'"),
            "Version=2.0".to_owned(),
            format!("NumInputs={}", self.inputs.len()),
            format!("NumOutputs={}", self.outputs.len()),
            format!("NumRules={}", block.rules.len()),
            format!("AndMethod='{and}'"),
            format!("OrMethod='{or}'"),
            format!("ImpMethod='{imply}'"),
            format!("AggMethod='{aggregate}'"),
            format!("DefuzzMethod='{defuzzifier}'"),
        ];
        Ok(lines.to_vec())
    }

    fn fis_rule(&self, rule: &Rule, place: &str) -> Result<String> {
        let (parts, join) = match &rule.antecedent {
            Antecedent::And(parts) => (&parts[..], 1),
            Antecedent::Or(parts) => (&parts[..], 2),
            one => (std::slice::from_ref(one), 1),
        };
        let mut inputs = vec![None; self.inputs.len()];
        for part in parts {
            let Antecedent::Is(Proposition { variable: Place::Input(i), hedges, set }) = part else {
                return refuse(place, "nests its antecedent or asks about an output");
            };
            let code =
                code(hedges, *set).ok_or(()).or_else(|()| refuse(place, "has hedges without a code"))?;
            if inputs[*i].replace(code).is_some() {
                return refuse(place, "asks twice about an input");
            }
        }
        let ascending = rule.consequent.is_sorted_by_key(|conclusion| conclusion.output);
        if !ascending && rule.consequent.iter().any(|conclusion| !conclusion.hedges.is_empty()) {
            // Fuzzylite carries a hedge on to the conclusions after it.
            return refuse(place, "has hedges in conclusions that are not in the order of the outputs");
        }
        let mut outputs = vec![None; self.outputs.len()];
        for conclusion in &rule.consequent {
            // `any` of a conclusion has no code: it would leave the set out.
            let plain = !conclusion.hedges.contains(&Hedge::Any);
            let code = code(&conclusion.hedges, Some(conclusion.set)).filter(|_| plain);
            let code = code.ok_or(()).or_else(|()| refuse(place, "has hedges without a code"))?;
            if outputs[conclusion.output].replace(code).is_some() {
                return refuse(place, "concludes twice about an output");
            }
        }
        let row = |codes: Vec<Option<String>>| {
            codes.into_iter().map(|code| code.unwrap_or("0".into())).collect::<Vec<_>>().join(" ")
        };
        Ok(format!("{}, {} ({}) : {join}", row(inputs), row(outputs), number_text(rule.weight)))
    }
}

/// MATLAB has only constants and linear forms in a weighted output, and no such in another one.
fn consequents(output: &Output, place: &str) -> Result<()> {
    let weighted = !output.defuzzifier.is_sampled();
    let value =
        |named: &&NamedSet| matches!(named.set.shape(), Shape::Constant { .. } | Shape::Linear { .. });
    match output.variable.sets.iter().find(|named| value(named) != weighted) {
        None => Ok(()),
        Some(named) => {
            let (set, shape) = (shown(&named.name), named.set.shape().name());
            let kind = if weighted { "weighted" } else { "not weighted" };
            refuse(place, &format!("is {kind} and has the set {set} of the shape {shape}"))
        }
    }
}

fn word<T: PartialEq + Copy>(known: &[(&'static str, T)], norm: T) -> Option<&'static str> {
    known.iter().find(|(_, one)| *one == norm).map(|(name, _)| *name)
}

/// A name between quotes must not end them.
fn quotable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c == '\'' { ' ' } else { c }).collect()
}

/// The index of a set with its hedges.
fn code(hedges: &[Hedge], set: Option<usize>) -> Option<String> {
    let (sign, hedges) = match hedges {
        [Hedge::Not, rest @ ..] => ("-", rest),
        all => ("", all),
    };
    let hundredths = match hedges {
        [] => "",
        [Hedge::Seldom] => ".01",
        [Hedge::Somewhat] => ".05",
        [Hedge::Very] => ".2",
        [Hedge::Extremely] => ".3",
        [Hedge::Very, Hedge::Very] => ".4",
        [Hedge::Any] => return Some(format!("{sign}{}.99", set.map_or(0, |set| set + 1))),
        _ => return None,
    };
    set.map(|set| format!("{sign}{}{hundredths}", set + 1))
}

fn variable(lines: &mut Vec<String>, section: &str, variable: &Variable) -> Result<()> {
    let place = |what: &str| format!("{what} {}", shown(&variable.name));
    if !variable.enabled || variable.lock_range {
        return refuse(place("variable"), "is not enabled or has a locked range");
    }
    lines.extend([
        String::new(),
        section.to_owned(),
        format!("Name='{}'", quotable(&variable.name)),
        format!("Range=[{} {}]", number_text(variable.minimum), number_text(variable.maximum)),
        format!("NumMFs={}", variable.sets.len()),
    ]);
    for (i, named) in variable.sets.iter().enumerate() {
        let Some((kind, p)) = membership_function(&named.set) else {
            let problem = format!("has the shape {}, or a height", named.set.shape().name());
            return refuse(format!("set {} of {}", shown(&named.name), place("variable")), &problem);
        };
        let numbers = p.into_iter().map(number_text).collect::<Vec<_>>().join(" ");
        lines.push(format!("MF{}='{}':'{kind}',[{numbers}]", i + 1, quotable(&named.name)));
    }
    Ok(())
}

/// MATLAB's name and order of parameters.
fn membership_function(set: &Set) -> Option<(&'static str, Vec<f64>)> {
    let p = set.shape().parameters();
    let order = |kind, places: &[usize]| Some((kind, places.iter().map(|i| p[*i]).collect()));
    if set.height() != 1.0 {
        return None;
    }
    match set.shape() {
        Shape::Triangle { .. } => order("trimf", &[0, 1, 2]),
        Shape::Trapezoid { .. } => order("trapmf", &[0, 1, 2, 3]),
        Shape::Gaussian { .. } => order("gaussmf", &[1, 0]),
        Shape::GaussianProduct { .. } => order("gauss2mf", &[1, 0, 3, 2]),
        Shape::Bell { .. } => order("gbellmf", &[1, 2, 0]),
        Shape::Sigmoid { .. } => order("sigmf", &[1, 0]),
        Shape::SigmoidDifference { .. } => order("dsigmf", &[1, 0, 2, 3]),
        Shape::SigmoidProduct { .. } => order("psigmf", &[1, 0, 2, 3]),
        Shape::PiShape { .. } => order("pimf", &[0, 1, 2, 3]),
        Shape::SShape { .. } => order("smf", &[0, 1]),
        Shape::ZShape { .. } => order("zmf", &[0, 1]),
        Shape::Ramp { start, end } if start <= end => order("linsmf", &[0, 1]),
        Shape::Ramp { .. } => order("linzmf", &[1, 0]),
        Shape::Constant { .. } => order("constant", &[0]),
        Shape::Linear { .. } => Some(("linear", p)),
        _ => None,
    }
}
