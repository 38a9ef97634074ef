//! Fuzz test of the system parsers: parses mutated system files and reports panics and failed round trips.
//!
//! `cargo run --release --example fuzz_systems -- [FILES [SEED]]`: number of files (default 100000) and random seed
//! (default: from the clock). The seed is printed, so that a run can be repeated. Exits with code 1 if a problem was
//! found.
#![allow(clippy::print_stdout)] // prints its results

use fuzzion::inference::{Dialect, InferenceError, System};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

type Parse = fn(&str) -> Result<System, InferenceError>;

/// Systems to mutate, with their formats and parsers.
const SEEDS: [(&str, Parse, &str); 7] = [
    ("FLL", System::from_fll, include_str!("systems/tipper.fll")),
    ("FLL", System::from_fll, include_str!("systems/extended.fll")),
    ("FIS", System::from_fis, include_str!("systems/tipper.fis")),
    ("FIS", System::from_fis, include_str!("systems/sugeno.fis")),
    ("FCL", System::from_fcl, include_str!("systems/tipper.fcl")),
    ("FCL", System::from_fcl, include_str!("systems/sugeno.fcl")),
    ("JSON", System::from_json, include_str!("systems/tipper.json")),
];

/// Text fragments that have a meaning in at least one format, or often break parsers.
const FRAGMENTS: [&str; 58] = [
    "",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "é",
    "\u{feff}",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\\",
    ":",
    ":=",
    ";",
    ",",
    "..",
    "|",
    "#",
    "%",
    "//",
    "(*",
    "*)",
    "/*",
    "*/",
    "-",
    "+",
    "=",
    "0",
    "1",
    "-1",
    "0.99",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "1e-400",
    "99999999999999999999",
    "if ",
    "is ",
    "not ",
    "not (",
    "and ",
    "or ",
    "then ",
    "else ",
    "with ",
    "any ",
    "Function ",
    "Linear ",
    "Constant ",
    "Discrete ",
    "# dialect: fuzzion\n",
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, 2014.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }

    /// Random character boundary of `text`.
    fn boundary(&mut self, text: &str) -> usize {
        text.floor_char_boundary(self.below(text.len() + 1))
    }

    /// Random substring of `text`, usually short.
    fn substring<'a>(&mut self, text: &'a str) -> &'a str {
        let from = self.boundary(text);
        let length = if self.below(8) == 0 { self.below(2000) } else { self.below(24) };
        &text[from..text.floor_char_boundary((from + length).min(text.len()))]
    }

    fn line<'a>(&mut self, text: &'a str) -> &'a str {
        let lines = text.lines().count();
        text.lines().nth(self.below(lines)).unwrap_or_default()
    }

    fn mutate(&mut self, text: &mut String) {
        let at = self.boundary(text);
        match self.below(16) {
            0 => {
                let end = text.floor_char_boundary((at + self.below(40)).min(text.len()));
                text.replace_range(at..end, "");
            }
            1 | 2 => {
                let end = text.floor_char_boundary((at + self.below(12)).min(text.len()));
                text.replace_range(at..end, FRAGMENTS[self.below(FRAGMENTS.len())]);
            }
            3 => {
                let substring = self.substring(text).to_owned();
                text.insert_str(at, &substring);
            }
            4 => {
                let (_, _, other) = SEEDS[self.below(SEEDS.len())];
                let line = self.line(other).to_owned();
                text.insert_str(at, &format!("\n{line}\n"));
            }
            5 => {
                let line = self.line(text).to_owned();
                let change = FRAGMENTS[self.below(FRAGMENTS.len())];
                *text = text.replacen(&line, change, 1);
            }
            6 if self.below(50) == 0 => {
                let times = self.below(3000);
                text.insert_str(at, &FRAGMENTS[self.below(FRAGMENTS.len())].repeat(times));
            }
            6 if self.below(20) == 0 => text.truncate(at),
            7 => {
                let digit = (b'0' + self.below(10) as u8) as char;
                text.insert(at, digit);
            }
            8 | 9 => {
                let mut lines: Vec<&str> = text.lines().collect();
                let (a, b) = (self.below(lines.len()), self.below(lines.len()));
                if a < lines.len() && b < lines.len() {
                    lines.swap(a, b);
                }
                *text = lines.join("\n");
            }
            // Replaces a digit; most of the results are still valid systems.
            _ => {
                let from = text[at..].find(|c: char| c.is_ascii_digit());
                if let Some(from) = from.map(|i| at + i) {
                    let digit = (b'0' + self.below(10) as u8) as char;
                    text.replace_range(from..=from, &digit.to_string());
                }
            }
        }
    }
}

/// Parses a text, runs the system, and checks that it round-trips. Returns whether the text was a valid system.
fn check_one(parse: Parse, text: &str) -> Result<bool, String> {
    let system = match parse(text) {
        Ok(system) => system,
        Err(error) if error.to_string().is_empty() => return Err("empty error message".into()),
        Err(_) => return Ok(false),
    };
    let describe = |what: &'static str| move |error: InferenceError| format!("{what}: {error}");
    // Running a system with up to a million samples takes too long.
    if system.outputs.iter().all(|output| output.defuzzifier.samples().is_none_or(|n| n <= 1000)) {
        let row: Vec<f64> = (0..system.inputs.len()).map(|i| 0.5 + 2.0 * i as f64).collect();
        for dialect in [Dialect::Matlab, Dialect::Fuzzylite6] {
            system.infer_row(&row, dialect).map_err(describe("cannot run a parsed system"))?;
        }
    }
    let json = system.to_json().map_err(describe("cannot write a system as JSON"))?;
    let again = System::from_json(&json).map_err(describe("cannot parse the written JSON"))?;
    if again != system {
        return Err("the JSON round trip changes the system".into());
    }
    if let Ok(fll) = system.to_fll() {
        let again = System::from_fll(&fll).map_err(describe("cannot parse the written FLL"))?;
        let rules =
            |system: &System| system.blocks.iter().map(|block| block.rules.clone()).collect::<Vec<_>>();
        if rules(&again) != rules(&system) {
            return Err("the FLL round trip changes the rules".into());
        }
    }
    if let Ok(fis) = system.to_fis() {
        System::from_fis(&fis).map_err(describe("cannot parse the written FIS"))?;
    }
    Ok(true)
}

fn seed_from_clock() -> u64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
    elapsed.expect("invariant: the clock is set to a time after 1970").as_nanos() as u64
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let (Ok(files), Ok(seed)) =
        (arguments.next().unwrap_or(Ok(100_000)), arguments.next().unwrap_or_else(|| Ok(seed_from_clock())))
    else {
        println!("expected integers for FILES and SEED");
        return ExitCode::FAILURE;
    };
    println!("{files} files, seed {seed}");
    std::panic::set_hook(Box::new(|_| {})); // panics are reported below
    let (start, mut random) = (Instant::now(), Random(seed));
    let (mut systems, mut problems) = (0u64, 0u64);
    for _ in 0..files {
        let (format, parse, seed) = SEEDS[random.below(SEEDS.len())];
        let mut text = seed.to_owned();
        for _ in 0..1 + random.below(2) * random.below(4) {
            random.mutate(&mut text);
        }
        let problem = match catch_unwind(AssertUnwindSafe(|| check_one(parse, &text))) {
            Ok(Ok(system)) => {
                systems += u64::from(system);
                continue;
            }
            Ok(Err(problem)) => problem,
            Err(payload) => {
                let message = payload.downcast_ref::<String>().cloned();
                let message =
                    message.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                format!("panic: {}", message.unwrap_or_default())
            }
        };
        problems += 1;
        if problems <= 5 {
            println!("---- {format}: {problem}\n{text}\n----");
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{systems} valid systems, {problems} problems, {seconds:.1} s");
    if problems == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
