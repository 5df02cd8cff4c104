use std::collections::BTreeMap;
use std::time::Duration;

use crate::random::Random;
use crate::v1;

/// A seat at a table, for one match.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Names the table among those of this process.
    pub number: i32,
    /// The game's id.
    pub game: String,
    /// The version of its rules.
    pub rules_version: i32,
    /// Every parameter of the game with its value as text: `"true"`, `"4"`, `"redeal"`.
    pub parameters: BTreeMap<String, String>,
    /// This bot's seat, from 0, clockwise.
    pub seat: usize,
    /// How many seats there are.
    pub seats: usize,
    /// The bot's time.
    pub time_control: v1::TimeControl,
    /// 32 bytes of private randomness for this seat.
    pub bot_seed: Vec<u8>,
}

impl Table {
    /// Returns the random numbers of `bot_seed`, from the first on. A bot that keeps them and draws from nothing else
    /// plays reproducibly.
    pub fn random(&self) -> Random {
        Random::new(&self.bot_seed)
    }
}

impl From<v1::TableOpened> for Table {
    fn from(message: v1::TableOpened) -> Table {
        Table {
            number: message.table,
            game: message.game,
            rules_version: message.rules_version,
            parameters: message.parameters.into_iter().map(|parameter| (parameter.name, parameter.value)).collect(),
            seat: message.seat as usize,
            seats: message.seats as usize,
            time_control: message.time_control.unwrap_or_default(),
            bot_seed: message.bot_seed,
        }
    }
}

/// A question to a bot. It needs no memory to be answered.
#[derive(Clone, Debug)]
pub struct Turn<'a> {
    /// The table at which it is asked.
    pub table: &'a Table,
    message: v1::Turn,
    observation: v1::Observation,
}

impl<'a> Turn<'a> {
    /// Returns a turn as bots see it.
    pub fn new(table: &'a Table, mut message: v1::Turn) -> Turn<'a> {
        let observation = message.observation.take().unwrap_or_default();
        Turn { table, message, observation }
    }

    /// Counts this seat's turns at this table, from 1.
    pub fn number(&self) -> i32 {
        self.message.turn
    }

    /// Returns every action that may be chosen, in a fixed order.
    pub fn legal_actions(&self) -> &[String] {
        &self.message.legal_actions
    }

    /// Returns all that the seat sees.
    pub fn observation(&self) -> &v1::Observation {
        &self.observation
    }

    /// Returns the part of the match, from the game's page.
    pub fn phase(&self) -> &str {
        &self.observation.phase
    }

    /// Returns what happened from this seat's last turn on, its own action included, oldest first.
    pub fn events(&self) -> &[v1::Event] {
        &self.observation.events
    }

    /// Returns the cards in this seat's hand. Panics in a game without a zone `hand`.
    pub fn hand(&self) -> &[String] {
        &self.zone("hand", Some(self.table.seat)).cards
    }

    /// Returns the time that is free for this decision.
    pub fn move_time(&self) -> Duration {
        time(self.message.move_time)
    }

    /// Returns the time left for the rest of the match beyond that.
    pub fn bank_time(&self) -> Duration {
        time(self.message.bank_time)
    }

    /// Returns what the referee did in place of the last answer, if it was late or illegal.
    pub fn substitution(&self) -> Option<&v1::Substitution> {
        self.message.substitution.as_ref()
    }

    /// Returns the place of this name and owner, a seat or none. Panics with a list of those there are.
    pub fn zone(&self, name: &str, owner: Option<usize>) -> &v1::Zone {
        let zones = &self.observation.zones;
        let owner_of = |zone: &v1::Zone| zone.owner.map(|seat| seat as usize);
        zones.iter().find(|zone| zone.name == name && owner_of(zone) == owner).unwrap_or_else(|| {
            let known = zones.iter().map(|zone| match zone.owner {
                Some(seat) => format!("{} of {seat}", zone.name),
                None => zone.name.clone(),
            });
            panic!("no zone {name:?} with owner {owner:?}: there are {}", known.collect::<Vec<_>>().join(", "))
        })
    }

    /// Returns a named number. Panics with a list of those there are.
    pub fn counter(&self, name: &str) -> i32 {
        let counters = &self.observation.counters;
        counters.iter().find(|counter| counter.name == name).map(|counter| counter.value).unwrap_or_else(|| {
            let known = counters.iter().map(|counter| counter.name.as_str()).collect::<Vec<_>>();
            panic!("no counter {name:?}: there are {}", known.join(", "))
        })
    }
}

fn time(message: Option<prost_types::Duration>) -> Duration {
    message.and_then(|found| found.try_into().ok()).unwrap_or_default()
}
