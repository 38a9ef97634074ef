//! Random numbers that are reproducible on every machine and in every version.

/// The SplitMix64 generator, with a period of 2⁶⁴.
///
/// Implemented here because results must be reproducible from one release to the next, which general-purpose libraries
/// do not guarantee. Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform in [lower, upper).
    pub fn between(&mut self, lower: f64, upper: f64) -> f64 {
        lower + (upper - lower) * self.unit()
    }
}

/// A random permutation of `0..n`, determined by `seed`.
pub(crate) fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed);
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        order.swap(last, (random.bits() % (last as u64 + 1)) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_zero_gives_the_published_stream() {
        let mut random = Random::new(0);
        // The first published outputs of SplitMix64 from state 0.
        assert_eq!(random.bits(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(random.bits(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn uniform_numbers_stay_in_range_and_have_the_expected_mean() {
        let mut random = Random::new(7);
        let values: Vec<f64> = (0..10_000).map(|_| random.between(-2.0, 3.0)).collect();
        assert!(values.iter().all(|v| (-2.0..3.0).contains(v)));
        let mean = values.iter().sum::<f64>() / 1e4;
        // Standard error of the mean of a uniform variable of width 5 over 10,000 draws: 5/√12/100 = 0.0144.
        assert!((mean - 0.5).abs() < 5.0 * 0.0144, "{mean}");
    }
}
