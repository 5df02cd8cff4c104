use crate::v1::{MatchResult, decision};
use crate::views::Turn;

/// A player at one table. Every match has one of its own, made when the match begins.
pub trait Bot {
    /// Returns the action to take. A panic ends the process: the match is lost by CRASH.
    fn act(&mut self, turn: &Turn) -> Choice;

    /// Looks at how the match ended.
    fn closed(&mut self, _result: &MatchResult) {}
}

/// What a bot answers: made from an action's notation, or from its place in `turn.legal_actions()`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub(crate) choice: decision::Choice,
    pub(crate) comment: String,
}

impl Choice {
    /// Returns the choice with a text that the record keeps: up to 200 characters, the rest is cut off.
    pub fn comment(self, text: impl Into<String>) -> Choice {
        Choice { comment: text.into(), ..self }
    }
}

impl From<usize> for Choice {
    fn from(place: usize) -> Choice {
        let index = i32::try_from(place).unwrap_or(i32::MAX);
        Choice { choice: decision::Choice::Index(index), comment: String::new() }
    }
}

impl From<String> for Choice {
    fn from(notation: String) -> Choice {
        Choice { choice: decision::Choice::Action(notation), comment: String::new() }
    }
}

impl From<&str> for Choice {
    fn from(notation: &str) -> Choice {
        notation.to_string().into()
    }
}

impl From<&String> for Choice {
    fn from(notation: &String) -> Choice {
        notation.clone().into()
    }
}
