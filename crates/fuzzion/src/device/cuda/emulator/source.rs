//! Parser that finds the kernels in CUDA source.

/// Names of a kernel and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
}

/// Every `extern "C" __global__ void name(…)` in `text`, including those excluded by `#if`.
pub(super) fn kernels(text: &str) -> Vec<Signature> {
    let text = without_comments(text);
    let mut found: Vec<Signature> = Vec::new();
    for (at, mark) in text.match_indices("extern \"C\"") {
        if let Some(signature) = signature(&text[at + mark.len()..]) {
            // Two variants of one kernel, selected by `#if`, count as one kernel.
            if found.iter().all(|known| known.name != signature.name) {
                found.push(signature);
            }
        }
    }
    found
}

/// The kernel signature at the start of `rest`, the text after `extern "C"`.
fn signature(rest: &str) -> Option<Signature> {
    let mut rest = rest.trim_start().strip_prefix("__global__")?;
    loop {
        rest = rest.trim_start();
        let word = &rest[..rest.find(|c: char| !is_word(c))?];
        if word.is_empty() {
            return None;
        }
        rest = rest[word.len()..].trim_start();
        let inside = rest.starts_with('(').then(|| parenthesized(rest)).flatten();
        match (word, inside) {
            ("__launch_bounds__" | "__cluster_dims__", Some(inside)) => rest = &rest[inside.len() + 2..],
            (_, Some(inside)) => {
                return Some(Signature { name: word.to_owned(), parameters: parameters(inside) });
            }
            (_, None) => {}
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The text between the opening parenthesis at the start of `text` and its closing parenthesis.
fn parenthesized(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return Some(&text[1..at]);
        }
    }
    None
}

/// The name of each parameter, its last word.
fn parameters(list: &str) -> Vec<String> {
    let last_word = |parameter: &str| {
        let parameter = parameter.trim_end();
        let start = parameter.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
        parameter[start..].to_owned()
    };
    if list.trim().is_empty() { Vec::new() } else { list.split(',').map(last_word).collect() }
}

/// `text` with comments replaced by spaces; line breaks stay.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let comment = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            out.push('/');
            rest = &rest[1..];
            continue;
        };
        out.extend(rest[..comment].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[comment..];
    }
    out.push_str(rest);
    out
}

/// `message` with the source of each "line N" it mentions.
pub(super) fn quote_lines(message: &str, text: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some(at) = rest.find("line ") {
        let after = &rest[at + 5..];
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        out.push_str(&rest[..at + 5 + digits]);
        if let Some(line) =
            after[..digits].parse().ok().and_then(|n: usize| text.lines().nth(n.checked_sub(1)?))
        {
            out.push_str(&format!(" (`{}`)", line.trim()));
        }
        rest = &after[digits..];
    }
    out + rest
}
