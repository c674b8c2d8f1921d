//! Random numbers that no dependency can change: SplitMix64.

/// A stream of random numbers.
pub struct Random(u64);

impl Random {
    /// The stream of one kernel: the same for the same seed and index, whatever was drawn before.
    pub fn of(seed: u64, index: u64) -> Random {
        let mut random = Random(seed ^ 0x6d65_7369_756e_7365);
        let mixed = random.next() ^ index.wrapping_mul(0xd6e8_feb8_6659_fd93);
        Random(mixed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `all`.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// One of `all`, by weight.
    pub fn weighted<T: Copy>(&mut self, all: &[(u32, T)]) -> T {
        let total: u32 = all.iter().map(|(w, _)| w).sum();
        let mut at = self.below(total as usize) as u32;
        for (weight, value) in all {
            if at < *weight {
                return *value;
            }
            at -= weight;
        }
        all[0].1
    }

    /// Between `low` and `high`, each factor of two as likely as the other.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        low * (high / low).powf(unit)
    }
}
