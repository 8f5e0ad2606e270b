//! A small seeded generator: the same seed chooses the same trials on every machine.

/// SplitMix64.
pub struct Random(u64);

impl Random {
    /// Mixes a seed with a name, so that each package has choices of its own.
    pub fn new(seed: u64, name: &str) -> Self {
        let mixed = name.bytes().fold(seed, |state, byte| state.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let mut random = Self(mixed);
        random.next();
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("it is below a usize")
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { Some(&from[self.below(from.len())]) }
    }
}
