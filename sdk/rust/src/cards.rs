//! Playing cards as two characters: `"QS"` is the queen of spades; the jokers are `"x"` (small) and `"X"` (big).

/// Every rank with suits, lowest first where aces are high.
pub const RANKS: &str = "23456789TJQKA";

/// Every suit, in the order in which a pack is laid out.
pub const SUITS: &str = "SHDC";

/// Returns the rank of a card: a joker is its own rank. Panics for an empty text.
pub fn rank(card: &str) -> char {
    card.chars().next().expect("a card has a rank")
}

/// Returns the suit of a card; none for a joker.
pub fn suit(card: &str) -> Option<char> {
    card.chars().nth(1)
}

/// Returns the 52 cards, suit by suit, two to ace.
pub fn pack() -> Vec<String> {
    SUITS.chars().flat_map(|suit| RANKS.chars().map(move |rank| format!("{rank}{suit}"))).collect()
}

/// Returns the cards named in a text, in its order. The error names the first word that is no card.
pub fn parse_cards(text: &str) -> Result<Vec<&str>, String> {
    text.split_whitespace()
        .map(|card| match card.chars().collect::<Vec<_>>()[..] {
            ['x' | 'X'] => Ok(card),
            [rank, suit] if RANKS.contains(rank) && SUITS.contains(suit) => Ok(card),
            _ => Err(format!("{card:?} is no card: a card is a rank of {RANKS} and a suit of {SUITS}, or x, or X")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_a_rank_and_a_suit() {
        assert_eq!(parse_cards(" QS x  TD "), Ok(vec!["QS", "x", "TD"]));
        assert_eq!((rank("QS"), suit("QS"), suit("x")), ('Q', Some('S'), None));
        assert_eq!(pack().len(), 52);
        for wrong in ["1S", "QX", "Q", "QSH"] {
            let error = parse_cards(&format!("QS {wrong}")).unwrap_err();
            assert!(error.starts_with(&format!("{wrong:?} is no card")), "{error}");
        }
    }
}
