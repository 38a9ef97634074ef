//! Polynomials in the syntax of fuzzylite's Function, which has neither scientific notation nor unary signs.

/// Σ θ·Π ((name − center)/width)^exponent over the monomials `terms`.
pub(in crate::tuning) fn text(
    theta: &[f64],
    terms: &[Vec<u32>],
    frames: &[(f64, f64)],
    names: &[String],
) -> String {
    let mut text = String::new();
    for (theta, exponents) in theta.iter().zip(terms).filter(|(theta, _)| **theta != 0.0) {
        let sign = match (text.is_empty(), *theta < 0.0) {
            (true, false) => "",
            (true, true) => "0 - ",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text.push_str(sign);
        text.push_str(&number(theta.abs()));
        for (j, exponent) in exponents.iter().enumerate().filter(|(_, exponent)| **exponent > 0) {
            text.push_str(" * ");
            text.push_str(&local(&names[j], frames[j]));
            if *exponent > 1 {
                text.push_str(&format!(" ^ {exponent}"));
            }
        }
    }
    if text.is_empty() { "0".into() } else { text }
}

/// (name − center)/width.
fn local(name: &str, (center, width): (f64, f64)) -> String {
    let sign = if center < 0.0 { '+' } else { '-' };
    format!("(({name} {sign} {}) / {})", number(center.abs()), number(width))
}

/// A non-negative number without scientific notation.
fn number(x: f64) -> String {
    let scientific = format!("{x:e}");
    match scientific.split_once('e').map(|(digits, exponent)| (digits, exponent.parse::<i32>())) {
        Some((digits, Ok(exponent))) if x != 0.0 && !(1e-5..1e16).contains(&x) => {
            let sign = if exponent < 0 { '/' } else { '*' };
            format!("({digits} {sign} 10 ^ {})", exponent.unsigned_abs())
        }
        _ => format!("{x}"),
    }
}
