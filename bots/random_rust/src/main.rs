//! Plays any legal action of any game, each as likely as the others.

use cardpit::{Bot, Choice, Random, Table, Turn};

struct RandomBot {
    random: Random,
}

impl RandomBot {
    /// Draws from the seat's private randomness, so that the same board is played the same way.
    fn new(table: &Table) -> RandomBot {
        RandomBot { random: table.random() }
    }
}

impl Bot for RandomBot {
    fn act(&mut self, turn: &Turn) -> Choice {
        self.random.below(turn.legal_actions().len()).into()
    }
}

fn main() {
    cardpit::run(&[], RandomBot::new);
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardpit::v1;

    fn play() -> Vec<Choice> {
        let table = Table { bot_seed: vec![7; 32], ..Table::default() };
        let mut bot = RandomBot::new(&table);
        let legal_actions = ["play 3", "play 4", "pass"].map(String::from).to_vec();
        let turn = Turn::new(&table, v1::Turn { legal_actions, ..v1::Turn::default() });
        (0..50).map(|_| bot.act(&turn)).collect()
    }

    #[test]
    fn the_bot_plays_every_legal_action_and_the_same_ones_from_the_same_seed() {
        let played = play();
        for place in 0..3_usize {
            assert!(played.contains(&Choice::from(place)), "never played action {place}");
        }
        assert_eq!(play(), played);
    }
}
