//! Binary encoding of what the machines of a distributed fit exchange: exact for all numbers, unlike JSON, which has no
//! infinity, and a third of its size.

/// A value with a binary encoding, in little-endian order.
pub(crate) trait Encode: Sized {
    /// Appends the encoding to `out`.
    fn encode(&self, out: &mut Vec<u8>);
    /// Reads a value from the start of `bytes` and removes it; `None` if it is malformed.
    fn decode(bytes: &mut &[u8]) -> Option<Self>;
}

/// Start of the bytes that machines exchange. All must use the same version, because statistics of different versions need not
/// have the same meaning.
const HEADER: &[u8] = concat!("fuzzion ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();

/// The encoding of a state or of statistics.
pub(crate) fn to_bytes(value: &impl Encode) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    value.encode(&mut bytes);
    bytes
}

/// Decodes the bytes of [`to_bytes`]. The error is the problem and how to fix it; `what` is what the bytes contain.
pub(crate) fn from_bytes<T: Encode>(bytes: &[u8], what: &str) -> Result<T, String> {
    let value =
        bytes.strip_prefix(HEADER).and_then(|mut rest| T::decode(&mut rest).filter(|_| rest.is_empty()));
    value.ok_or_else(|| {
        let version = env!("CARGO_PKG_VERSION");
        format!("the bytes of the {what} are malformed; use fuzzion {version} on all machines")
    })
}

/// Encodings of structs and enums, field by field: `encoded! { Struct { a, b } }` and
/// `encoded! { enum Enum { 0 => A { a }, 1 => B {} } }`.
macro_rules! encoded {
    ($type:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::data::Encode for $type {
            fn encode(&self, out: &mut Vec<u8>) {
                $($crate::data::Encode::encode(&self.$field, out);)+
            }

            fn decode(bytes: &mut &[u8]) -> Option<Self> {
                $(let $field = $crate::data::Encode::decode(bytes)?;)+
                Some($type { $($field),+ })
            }
        }
    };
    (enum $type:ident { $($tag:literal => $variant:ident { $($field:ident),* }),+ $(,)? }) => {
        impl $crate::data::Encode for $type {
            fn encode(&self, out: &mut Vec<u8>) {
                match self {
                    $($type::$variant { $($field),* } => {
                        out.push($tag);
                        $($crate::data::Encode::encode($field, out);)*
                    })+
                }
            }

            fn decode(bytes: &mut &[u8]) -> Option<Self> {
                let (tag, rest) = bytes.split_first()?;
                *bytes = rest;
                match tag {
                    $($tag => {
                        $(let $field = $crate::data::Encode::decode(bytes)?;)*
                        Some($type::$variant { $($field),* })
                    })+
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use encoded;

/// Encodings of numbers with `to_le_bytes`.
macro_rules! encoded_numbers {
    ($($type:ident),+) => {
        $(impl Encode for $type {
            fn encode(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn decode(bytes: &mut &[u8]) -> Option<Self> {
                let (number, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some($type::from_le_bytes(*number))
            }
        })+
    };
}
encoded_numbers! { u8, u32, u64, f64 }

impl Encode for String {
    fn encode(&self, out: &mut Vec<u8>) {
        self.len().encode(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let len = usize::decode(bytes)?;
        let (text, rest) = bytes.split_at_checked(len)?;
        *bytes = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}

impl<T: Encode + Copy + Default, const N: usize> Encode for [T; N] {
    fn encode(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.encode(out));
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::decode(bytes)?;
        }
        Some(items)
    }
}

impl Encode for usize {
    fn encode(&self, out: &mut Vec<u8>) {
        (*self as u64).encode(out);
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        u64::decode(bytes)?.try_into().ok()
    }
}

impl Encode for bool {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        match u8::decode(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        self.len().encode(out);
        self.iter().for_each(|item| item.encode(out));
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let len = usize::decode(bytes)?;
        let mut items = Vec::with_capacity(len.min(bytes.len() / size_of::<T>().max(1)));
        for _ in 0..len {
            items.push(T::decode(bytes)?);
        }
        Some(items)
    }
}

impl<T: Encode> Encode for Option<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        self.is_some().encode(out);
        if let Some(value) = self {
            value.encode(out);
        }
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        Some(if bool::decode(bytes)? { Some(T::decode(bytes)?) } else { None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    enum Shape {
        Line { ends: Vec<f64> },
        Empty,
    }
    encoded! { enum Shape { 0 => Line { ends }, 1 => Empty {} } }

    #[derive(Debug, PartialEq)]
    struct Record {
        shapes: Vec<Shape>,
        count: usize,
        flag: Option<bool>,
        name: String,
        pair: [u32; 2],
    }
    encoded! { Record { shapes, count, flag, name, pair } }

    #[test]
    fn values_are_decoded_exactly_and_truncated_or_wrong_bytes_are_rejected() {
        let ends = vec![f64::INFINITY, -0.0, 0.1, f64::MIN_POSITIVE / 3.0];
        let (shapes, name) = (vec![Shape::Empty, Shape::Line { ends }], "μ".to_owned());
        let record = Record { shapes, count: 7, flag: Some(true), name, pair: [3, u32::MAX] };
        let mut bytes = Vec::new();
        record.encode(&mut bytes);
        let mut rest = &bytes[..];
        assert_eq!(Record::decode(&mut rest), Some(record));
        assert!(rest.is_empty());
        for len in 0..bytes.len() {
            assert_eq!(Record::decode(&mut &bytes[..len]), None, "{len}");
        }
        bytes[8] = 9; // the tag of the first shape
        assert_eq!(Record::decode(&mut &bytes[..]), None);
        assert_eq!(Vec::<f64>::decode(&mut &u64::MAX.to_le_bytes()[..]), None);
    }
}
