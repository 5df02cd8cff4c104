/// Random numbers from a seed: xoshiro128** 1.1 by Blackman and Vigna, the same numbers in every kit.
///
/// Its state is the first 16 bytes of the seed, as four numbers, big end first.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u32; 4],
}

impl Random {
    /// Returns the numbers of a seed. Panics for a seed of less than 16 bytes, or one that begins with 16 zeros.
    pub fn new(seed: &[u8]) -> Random {
        let mut state = [0; 4];
        for (word, bytes) in state.iter_mut().zip(seed.chunks_exact(4)) {
            *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        let bytes = seed.len();
        assert!(
            bytes >= 16 && state != [0; 4],
            "a seed of {bytes} bytes: at least 16 are needed, the first 16 not all zero"
        );
        Random { state }
    }

    /// Returns a number from 0 to `u32::MAX`.
    pub fn next_u32(&mut self) -> u32 {
        let [a, b, c, d] = self.state;
        self.state = [a ^ d ^ b, b ^ c ^ a, c ^ a ^ (b << 9), (d ^ b).rotate_left(11)];
        b.wrapping_mul(5).rotate_left(7).wrapping_mul(9)
    }

    /// Returns a number from 0 to `bound - 1`, each as likely as the others. Panics unless `bound` is 1 to 2^32.
    pub fn below(&mut self, bound: usize) -> usize {
        let (all, wide) = (1_u64 << 32, bound as u64);
        assert!((1..=all).contains(&wide), "a number below {bound}: allowed is a bound of 1 to 2^32");
        let limit = all - all % wide;
        loop {
            let value = u64::from(self.next_u32());
            if value < limit {
                return (value % wide) as usize;
            }
        }
    }

    /// Returns one of the items, each as likely as the others. Panics if there are none.
    pub fn choice<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts the items into a random order, each order as likely as the others.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_every_kit() {
        let mut random = Random::new(&(0..32).collect::<Vec<u8>>());
        let drawn = [(); 4].map(|()| random.next_u32());
        assert_eq!(drawn, [1896324570, 633098894, 3018375, 2145950261]);
        let drawn = [(); 8].map(|()| random.below(52));
        assert_eq!(drawn, [47, 31, 28, 31, 42, 32, 47, 12]);
        let drawn = [(); 6].map(|()| random.below(3_000_000_000));
        assert_eq!(drawn, [2672327894, 2436581595, 2798424326, 298443684, 721305680, 2277623200]);
        let mut letters = "ABCDEFGH".chars().collect::<Vec<_>>();
        random.shuffle(&mut letters);
        assert_eq!(letters.iter().collect::<String>(), "CBAFHDGE");
    }

    #[test]
    #[should_panic(expected = "a seed of 32 bytes")]
    fn a_seed_of_zeros_is_refused() {
        Random::new(&[0; 32]);
    }
}
