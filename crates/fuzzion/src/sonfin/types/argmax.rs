//! Index of the largest value.

/// Index of the largest value, the first one on a tie.
pub(in crate::sonfin) fn argmax<T: PartialOrd>(values: &[T]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}
