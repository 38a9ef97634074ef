//! Random damage of files.

use flate2::{Compression, Crc, write::GzEncoder};
use fuzzion::internals::Random;
use std::io::Write as _;

/// Text with a meaning in at least one format, or that often breaks parsers.
const FRAGMENTS: &[&str] = &[
    "",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\0",
    "é",
    "\u{feff}",
    "\u{202e}",
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
    ".",
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
    "*",
    "/",
    "^",
    "=",
    "0",
    "1",
    "-1",
    "-0",
    "0.99",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "null",
    "true",
    "1e999",
    "1e308",
    "-1e308",
    "1e-308",
    "1e-320",
    "1e-400",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775808",
    "18446744073709551615",
    "99999999999999999999",
    "0x10",
    "1_000",
    "1,5",
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
    "tri(",
    "cuts(",
    "sqrt(",
    "log(",
    "recip(",
    "fma(",
];
/// Values of bytes at which the meaning of a binary field often changes.
const BYTES: [u8; 10] = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, b'\n', b'"', b'{'];

fn below(random: &mut Random, n: usize) -> usize {
    (random.bits() % n.max(1) as u64) as usize
}

fn pick<'a, T: ?Sized>(random: &mut Random, values: &[&'a T]) -> &'a T {
    values[below(random, values.len())]
}

/// Damages `bytes` at one to eight places; `other` is another file of the same format.
pub(crate) fn mutate(bytes: &[u8], other: &[u8], is_text: bool, random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + below(random, 2) * below(random, 8) {
        if is_text && below(random, 8) > 0 {
            change_text(&mut bytes, other, random);
        } else {
            change_bytes(&mut bytes, other, random);
        }
    }
    bytes
}

/// A short range; seldom a long one.
fn range(bytes: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let start = below(random, bytes.len() + 1);
    let length = if below(random, 8) == 0 { below(random, 2000) } else { below(random, 24) };
    start..(start + length).min(bytes.len())
}

fn change_bytes(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    if bytes.is_empty() {
        bytes.extend_from_slice(other);
        return;
    }
    let at = below(random, bytes.len());
    match below(random, 12) {
        0..=2 => bytes[at] ^= 1 << below(random, 8),
        3 => bytes[at] = random.bits() as u8,
        4 | 5 => bytes[at] = BYTES[below(random, BYTES.len())],
        6 => {
            // An integer or a float of 2, 4 or 8 bytes.
            let value =
                [0, 1, u64::MAX, i64::MAX as u64, 1 << 31, 1 << 40, f64::NAN.to_bits(), 1e300f64.to_bits()];
            let (value, size) = (value[below(random, value.len())].to_le_bytes(), 2 << below(random, 3));
            bytes.iter_mut().skip(at).zip(&value[..size]).for_each(|(byte, new)| *byte = *new);
        }
        7 => drop(bytes.drain(range(bytes, random))),
        8 => {
            let copied = bytes[range(bytes, random)].to_vec();
            bytes.splice(at..at, copied);
        }
        9 => {
            let copied = &other[range(other, random)];
            bytes.splice(at..at, copied.iter().copied());
        }
        10 if below(random, 4) == 0 => bytes.truncate(at),
        10 => bytes.push(random.bits() as u8),
        _ => {
            let (from, to) = (range(bytes, random), range(other, random));
            bytes.splice(from, other[to].iter().copied());
        }
    }
}

/// The range of the word, number or symbol at `at`.
fn token(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.+-".contains(byte) || !byte.is_ascii();
    if !bytes.get(at).is_some_and(is_word) {
        return at..(at + 1).min(bytes.len());
    }
    let start = bytes[..at].iter().rposition(|byte| !is_word(byte)).map_or(0, |i| i + 1);
    let end = bytes[at..].iter().position(|byte| !is_word(byte)).map_or(bytes.len(), |i| at + i);
    start..end
}

/// The range of the line at `at`, with its end.
fn line(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
    let end = bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |i| at + i + 1);
    start..end
}

fn change_text(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = below(random, bytes.len() + 1);
    let other_at = below(random, other.len() + 1);
    match below(random, 16) {
        0..=2 => drop(bytes.splice(token(bytes, at), pick(random, FRAGMENTS).bytes())),
        3 => drop(bytes.splice(at..at, pick(random, FRAGMENTS).bytes())),
        4 | 5 => {
            let new = other[token(other, other_at)].to_vec();
            bytes.splice(token(bytes, at), new);
        }
        6 => drop(bytes.drain(line(bytes, at))),
        7 => {
            let new = other[line(other, other_at)].to_vec();
            let at = line(bytes, at).start;
            bytes.splice(at..at, new);
        }
        8 => {
            let copied = bytes[line(bytes, at)].to_vec();
            let at = line(bytes, below(random, bytes.len() + 1)).start;
            bytes.splice(at..at, copied);
        }
        9 if below(random, 40) == 0 => {
            let text = pick(random, FRAGMENTS).repeat(1 + below(random, 3000));
            bytes.splice(at..at, text.into_bytes());
        }
        // Replaces or inserts a digit; most results are still valid.
        _ => {
            let digit = b'0' + below(random, 10) as u8;
            match bytes[at..].iter().position(u8::is_ascii_digit) {
                Some(i) if below(random, 4) == 0 => bytes.insert(at + i, digit),
                Some(i) => bytes[at + i] = digit,
                None => {}
            }
        }
    }
}

/// Gzip data of `bytes`.
pub(crate) fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Corrects the checksums of PNG chunks, so that damage of their contents is not rejected at once.
pub(crate) fn correct_png_checksums(bytes: &mut [u8]) {
    let mut at = 8; // after the signature
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let Some(end) = at.checked_add(8).and_then(|start| start.checked_add(length)) else { return };
        let (Some(chunk), true) = (bytes.get(at + 4..end), end + 4 <= bytes.len()) else { return };
        let mut crc = Crc::new();
        crc.update(chunk);
        bytes[end..end + 4].copy_from_slice(&crc.sum().to_be_bytes());
        at = end + 4;
    }
}
