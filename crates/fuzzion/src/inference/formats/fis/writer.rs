//! Writer for `.fis`.

use super::{S_NORMS, T_NORMS};
use crate::inference::error::{InferenceError, Result};
use crate::inference::syntax::{format_number, quoted};
use crate::inference::{
    Activation, Antecedent, Conjunction, Defuzzifier, NamedSet, Output, Proposition, Rule, RuleBlock, System,
    Variable, VariableIndex, WeightedKind,
};
use crate::sets::{Hedge, SNorm, Set, Shape};

fn fail_unsupported<T>(location: impl Into<String>, problem: &str) -> Result<T> {
    let problem = format!("{problem}, which `.fis` files do not support; save as FLL or JSON");
    Err(InferenceError::InvalidSystem { location: location.into(), problem })
}

impl System {
    /// Formats the system as a `.fis` file, without descriptions.
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
    /// let text = heating.to_fis()?;
    /// assert!(text.contains("MF1='cold':'linzmf',[16 20]"));
    /// assert_eq!(System::from_fis(&text)?.infer_row(&[17.0], Dialect::Matlab)?.outputs, [0.75]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`System::check`], and [`InferenceError::InvalidSystem`] if the format cannot represent the system: several
    /// blocks, norms other than min, prod, max, probor and sum, antecedents that mix `and` and `or` or have two
    /// propositions about one input, propositions about outputs, shapes that MATLAB does not have, locked values,
    /// defaults, scales, and weighted outputs that combine several activations of a set other than by their sum.
    pub fn to_fis(&self) -> Result<String> {
        self.check()?;
        let [block] = &self.blocks[..] else {
            return fail_unsupported("the system", "has several rule blocks");
        };
        if !block.enabled || block.activation != Activation::General {
            return fail_unsupported(
                "the rule block",
                "is disabled or has an activation method other than General",
            );
        }
        let mut lines = self.fis_header(block)?;
        for (i, input) in self.inputs.iter().enumerate() {
            write_variable(&mut lines, &format!("[Input{}]", i + 1), input)?;
        }
        for (i, output) in self.outputs.iter().enumerate() {
            let location = format!("output {}", quoted(&output.variable.name));
            if output.default.is_some() || output.lock_previous {
                return fail_unsupported(location, "has a default or locked value");
            }
            if output.scale != 1.0 {
                return fail_unsupported(location, "has a scale");
            }
            check_consequents(output, &location)?;
            if !output.defuzzifier.is_sampled() {
                self.check_repeated_sets(i, output, block, &location)?;
            }
            write_variable(&mut lines, &format!("[Output{}]", i + 1), &output.variable)?;
        }
        lines.extend([String::new(), "[Rules]".into()]);
        for (i, rule) in block.rules.iter().enumerate() {
            lines.push(self.fis_rule(rule, &format!("rule {}", i + 1))?);
        }
        lines.push(String::new());
        Ok(lines.join("\n"))
    }

    /// Rejects an aggregation other than the sum if a set is activated repeatedly, because MATLAB always sums in Sugeno
    /// systems.
    fn check_repeated_sets(
        &self,
        i: usize,
        output: &Output,
        block: &RuleBlock,
        location: &str,
    ) -> Result<()> {
        let mut seen = vec![false; output.variable.sets.len()];
        let all = block.rules.iter().flat_map(|rule| &rule.consequent).filter(|c| c.output == i);
        let is_repeated = all.into_iter().any(|c| std::mem::replace(&mut seen[c.set], true));
        match output.aggregation {
            None | Some(SNorm::UnboundedSum) => Ok(()),
            Some(_) if !is_repeated => Ok(()),
            Some(norm) => {
                let problem = format!("combines several activations of one set by {}", norm.name());
                fail_unsupported(location, &problem)
            }
        }
    }

    fn fis_header(&self, block: &RuleBlock) -> Result<Vec<String>> {
        let first = &self.outputs[0]; // `System::check` requires an output
        let equal_settings = |o: &Output| {
            let sampled = o.defuzzifier.is_sampled();
            o.defuzzifier == first.defuzzifier && (!sampled || o.aggregation == first.aggregation)
        };
        if !self.outputs.iter().all(equal_settings) {
            return fail_unsupported("the system", "has outputs with different defuzzifiers or aggregations");
        }
        if first.defuzzifier.samples().is_some() {
            return fail_unsupported("the system", "sets the number of samples for defuzzification");
        }
        let (kind, defuzzifier) = match first.defuzzifier {
            Defuzzifier::Centroid { .. } => ("mamdani", "centroid"),
            Defuzzifier::Bisector { .. } => ("mamdani", "bisector"),
            Defuzzifier::MeanOfMaximum { .. } => ("mamdani", "mom"),
            Defuzzifier::SmallestOfMaximum { .. } => ("mamdani", "som"),
            Defuzzifier::LargestOfMaximum { .. } => ("mamdani", "lom"),
            Defuzzifier::WeightedAverage { kind: WeightedKind::Tsukamoto }
            | Defuzzifier::WeightedSum { kind: WeightedKind::Tsukamoto } => {
                return fail_unsupported("the system", "is a Tsukamoto system");
            }
            Defuzzifier::WeightedAverage { .. } => ("sugeno", "wtaver"),
            Defuzzifier::WeightedSum { .. } => ("sugeno", "wtsum"),
        };
        let and = match block.conjunction {
            None => Some("min"),
            Some(Conjunction::Norm(norm)) => method_name(&T_NORMS, norm),
            Some(Conjunction::Mean) => None,
        };
        let or = block.disjunction.map_or(Some("max"), |norm| method_name(&S_NORMS, norm));
        let imply = block.implication.map_or(Some("prod"), |norm| method_name(&T_NORMS, norm));
        let aggregation = first.aggregation.filter(|_| first.defuzzifier.is_sampled());
        let aggregate = aggregation.map_or(Some("sum"), |norm| method_name(&S_NORMS, norm));
        let (Some(and), Some(or), Some(imply), Some(aggregate)) = (and, or, imply, aggregate) else {
            return fail_unsupported("the system", "has norms other than min, prod, max, probor and sum");
        };
        let lines = [
            "[System]".to_owned(),
            format!("Name='{}'", unquoted(&self.name)),
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

    fn fis_rule(&self, rule: &Rule, location: &str) -> Result<String> {
        let (parts, operator) = match &rule.antecedent {
            Antecedent::And(parts) => (&parts[..], 1),
            Antecedent::Or(parts) => (&parts[..], 2),
            one => (std::slice::from_ref(one), 1),
        };
        let mut inputs = vec![None; self.inputs.len()];
        for part in parts {
            let Antecedent::Is(Proposition { variable: VariableIndex::Input(i), hedges, set }) = part else {
                return fail_unsupported(
                    location,
                    "has a nested antecedent or a proposition about an output",
                );
            };
            let code = encode_index(hedges, *set)
                .ok_or(())
                .or_else(|()| fail_unsupported(location, "has hedges that have no code"))?;
            if inputs[*i].replace(code).is_some() {
                return fail_unsupported(location, "has two propositions about one input");
            }
        }
        let ascending = rule.consequent.is_sorted_by_key(|conclusion| conclusion.output);
        if !ascending && rule.consequent.iter().any(|conclusion| !conclusion.hedges.is_empty()) {
            // In fuzzylite, a hedge also applies to the conclusions after it.
            return fail_unsupported(
                location,
                "has hedges in conclusions that are not in the order of the outputs",
            );
        }
        let mut outputs = vec![None; self.outputs.len()];
        for conclusion in &rule.consequent {
            // `any` has no code in a conclusion, because its code omits the set.
            let has_code = !conclusion.hedges.contains(&Hedge::Any);
            let code = encode_index(&conclusion.hedges, Some(conclusion.set)).filter(|_| has_code);
            let code =
                code.ok_or(()).or_else(|()| fail_unsupported(location, "has hedges that have no code"))?;
            if outputs[conclusion.output].replace(code).is_some() {
                return fail_unsupported(location, "has two conclusions about one output");
            }
        }
        let row = |codes: Vec<Option<String>>| {
            codes.into_iter().map(|code| code.unwrap_or("0".into())).collect::<Vec<_>>().join(" ")
        };
        Ok(format!("{}, {} ({}) : {operator}", row(inputs), row(outputs), format_number(rule.weight)))
    }
}

/// Checks that a weighted output has only Constant and Linear sets, and a sampled output none.
fn check_consequents(output: &Output, location: &str) -> Result<()> {
    let weighted = !output.defuzzifier.is_sampled();
    let is_sugeno =
        |named: &&NamedSet| matches!(named.set.shape(), Shape::Constant { .. } | Shape::Linear { .. });
    match output.variable.sets.iter().find(|named| is_sugeno(named) != weighted) {
        None => Ok(()),
        Some(named) => {
            let (set, shape) = (quoted(&named.name), named.set.shape().name());
            let kind = if weighted { "weighted" } else { "sampled" };
            fail_unsupported(location, &format!("has a {kind} defuzzifier and the {shape} set {set}"))
        }
    }
}

fn method_name<T: PartialEq + Copy>(known: &[(&'static str, T)], norm: T) -> Option<&'static str> {
    known.iter().find(|(_, one)| *one == norm).map(|(name, _)| *name)
}

/// Replaces quotes and control characters.
fn unquoted(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c == '\'' { ' ' } else { c }).collect()
}

/// Index code of a set with its hedges.
fn encode_index(hedges: &[Hedge], set: Option<usize>) -> Option<String> {
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

fn write_variable(lines: &mut Vec<String>, section: &str, variable: &Variable) -> Result<()> {
    let location = |what: &str| format!("{what} {}", quoted(&variable.name));
    if !variable.enabled {
        return fail_unsupported(location("variable"), "is disabled");
    }
    if variable.lock_range {
        return fail_unsupported(location("variable"), "has a locked range");
    }
    lines.extend([
        String::new(),
        section.to_owned(),
        format!("Name='{}'", unquoted(&variable.name)),
        format!("Range=[{} {}]", format_number(variable.minimum), format_number(variable.maximum)),
        format!("NumMFs={}", variable.sets.len()),
    ]);
    for (i, named) in variable.sets.iter().enumerate() {
        let Some((kind, p)) = membership_function(&named.set) else {
            let problem = match named.set.height() {
                1.0 => format!("has the shape {}", named.set.shape().name()),
                height => format!("has the height {}", format_number(height)),
            };
            return fail_unsupported(
                format!("set {} of {}", quoted(&named.name), location("variable")),
                &problem,
            );
        };
        let numbers = p.into_iter().map(format_number).collect::<Vec<_>>().join(" ");
        lines.push(format!("MF{}='{}':'{kind}',[{numbers}]", i + 1, unquoted(&named.name)));
    }
    Ok(())
}

/// MATLAB name and parameters of a set.
fn membership_function(set: &Set) -> Option<(&'static str, Vec<f64>)> {
    let p = set.shape().parameters();
    let order = |kind, indices: &[usize]| Some((kind, indices.iter().map(|i| p[*i]).collect()));
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
