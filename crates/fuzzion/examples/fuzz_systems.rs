//! Mutates files of fuzzy systems, reads them, and says whether anything panicked or did not come back.
//!
//! `cargo run --release --example fuzz_systems -- [FILES [SEED]]`: so many files (default 100000) from that seed (default:
//! the clock), which is printed, so that what was found can be found again. Ends with code 1 if anything was.
#![allow(clippy::print_stdout)] // it is all it does

use fuzzion::inference::{Dialect, System};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

type Read = fn(&str) -> fuzzion::Result<System>;

/// What is mutated, and how it is read.
const SEEDS: [(&str, Read, &str); 7] = [
    ("FLL", System::from_fll, include_str!("systems/tipper.fll")),
    ("FLL", System::from_fll, include_str!("systems/extended.fll")),
    ("FIS", System::from_fis, include_str!("systems/tipper.fis")),
    ("FIS", System::from_fis, include_str!("systems/sugeno.fis")),
    ("FCL", System::from_fcl, include_str!("systems/tipper.fcl")),
    ("FCL", System::from_fcl, include_str!("systems/sugeno.fcl")),
    ("JSON", System::from_json, include_str!("systems/tipper.json")),
];

/// Pieces that readers care about.
const PIECES: [&str; 58] = [
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

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        // Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, 2014.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }

    /// A place between two characters of `text`.
    fn place(&mut self, text: &str) -> usize {
        text.floor_char_boundary(self.below(text.len() + 1))
    }

    /// A stretch of `text`, mostly short.
    fn stretch<'a>(&mut self, text: &'a str) -> &'a str {
        let from = self.place(text);
        let length = if self.below(8) == 0 { self.below(2000) } else { self.below(24) };
        &text[from..text.floor_char_boundary((from + length).min(text.len()))]
    }

    fn line<'a>(&mut self, text: &'a str) -> &'a str {
        let lines = text.lines().count();
        text.lines().nth(self.below(lines)).unwrap_or_default()
    }

    fn mutate(&mut self, text: &mut String) {
        let at = self.place(text);
        match self.below(16) {
            0 => {
                let end = text.floor_char_boundary((at + self.below(40)).min(text.len()));
                text.replace_range(at..end, "");
            }
            1 | 2 => {
                let end = text.floor_char_boundary((at + self.below(12)).min(text.len()));
                text.replace_range(at..end, PIECES[self.below(PIECES.len())]);
            }
            3 => {
                let stretch = self.stretch(text).to_owned();
                text.insert_str(at, &stretch);
            }
            4 => {
                let (_, _, other) = SEEDS[self.below(SEEDS.len())];
                let line = self.line(other).to_owned();
                text.insert_str(at, &format!("\n{line}\n"));
            }
            5 => {
                let line = self.line(text).to_owned();
                let change = PIECES[self.below(PIECES.len())];
                *text = text.replacen(&line, change, 1);
            }
            6 if self.below(50) == 0 => {
                let times = self.below(3000);
                text.insert_str(at, &PIECES[self.below(PIECES.len())].repeat(times));
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
            // Another digit: most of these are systems still.
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

/// Reads a text, runs what it holds, writes it and reads that again. Whether it was a system.
fn try_one(read: Read, text: &str) -> Result<bool, String> {
    let system = match read(text) {
        Ok(system) => system,
        Err(error) if error.to_string().is_empty() => return Err("an error without words".into()),
        Err(_) => return Ok(false),
    };
    let say = |what: &'static str| move |error: fuzzion::Error| format!("{what}: {error}");
    // A million samples take long and find nothing.
    if system.outputs.iter().all(|output| output.defuzzifier.samples().is_none_or(|n| n <= 1000)) {
        let row: Vec<f64> = (0..system.inputs.len()).map(|i| 0.5 + 2.0 * i as f64).collect();
        for dialect in [Dialect::Matlab, Dialect::Fuzzylite6] {
            system.infer_row(&row, dialect).map_err(say("a system that was read does not run"))?;
        }
    }
    let json = system.to_json().map_err(say("a system that was read is not written as JSON"))?;
    let again = System::from_json(&json).map_err(say("its JSON is not read"))?;
    if again != system {
        return Err("its JSON is another system".into());
    }
    if let Ok(fll) = system.to_fll() {
        let again = System::from_fll(&fll).map_err(say("its FLL is not read"))?;
        let rules =
            |system: &System| system.blocks.iter().map(|block| block.rules.clone()).collect::<Vec<_>>();
        if rules(&again) != rules(&system) {
            return Err("its FLL has other rules".into());
        }
    }
    if let Ok(fis) = system.to_fis() {
        System::from_fis(&fis).map_err(say("its FIS is not read"))?;
    }
    Ok(true)
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let files = words.next().and_then(Result::ok).unwrap_or(100_000);
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let seed = words.next().and_then(Result::ok).unwrap_or_else(clock);
    println!("{files} files, seed {seed}");
    std::panic::set_hook(Box::new(|_| {})); // told below
    let (start, mut dice) = (Instant::now(), Dice(seed));
    let (mut systems, mut found) = (0u64, 0u64);
    for _ in 0..files {
        let (format, read, seed) = SEEDS[dice.below(SEEDS.len())];
        let mut text = seed.to_owned();
        for _ in 0..1 + dice.below(2) * dice.below(4) {
            dice.mutate(&mut text);
        }
        let problem = match catch_unwind(AssertUnwindSafe(|| try_one(read, &text))) {
            Ok(Ok(system)) => {
                systems += u64::from(system);
                continue;
            }
            Ok(Err(problem)) => problem,
            Err(payload) => {
                let said = payload.downcast_ref::<String>().cloned();
                let said = said.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                format!("a panic: {}", said.unwrap_or_default())
            }
        };
        found += 1;
        if found <= 5 {
            println!("---- {format}: {problem}\n{text}\n----");
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{systems} of them were systems, {found} panicked or did not come back, {seconds:.1} s");
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
