use std::collections::HashMap;

use prost::Message;

use crate::bot::Bot;
use crate::v1::play_request::Kind as Request;
use crate::v1::play_response::Kind as Response;
use crate::v1::{Decision, Decisions, Hello, PlayRequest, PlayResponse, Turn as TurnMessage};
use crate::views::{Table, Turn};

const PROTOCOL: i32 = 1;
const MAX_TABLES: i32 = 1024;

struct Seating<B> {
    table: Table,
    bot: B,
}

/// What one bot process says on its stream, whatever carries it: a bot at each table, an answer to each turn.
pub struct Session<B, F> {
    new_bot: F,
    games: Vec<String>,
    seatings: HashMap<i32, Seating<B>>,
    max_message_size: usize,
    max_comment_length: usize,
}

impl<B: Bot, F: FnMut(&Table) -> B> Session<B, F> {
    pub fn new(games: &[&str], new_bot: F) -> Session<B, F> {
        let games = games.iter().map(ToString::to_string).collect();
        Session { new_bot, games, seatings: HashMap::new(), max_message_size: 64 * 1024, max_comment_length: 200 }
    }

    pub fn hello(&self, token: String) -> PlayRequest {
        let hello = Hello {
            token,
            protocol: PROTOCOL,
            sdk_name: "cardpit-rust".to_string(),
            sdk_version: env!("CARGO_PKG_VERSION").to_string(),
            games: self.games.clone(),
            max_tables: MAX_TABLES,
            omit_legal_actions: false,
        };
        PlayRequest { kind: Some(Request::Hello(hello)) }
    }

    /// Does what a message asks for. Returns what to send; nothing more is to come after Farewell, which gives `None`.
    pub fn receive(&mut self, message: PlayResponse) -> Option<Vec<PlayRequest>> {
        let mut requests = Vec::new();
        match message.kind {
            Some(Response::Turns(turns)) => {
                let decisions = turns.turns.into_iter().map(|turn| self.decide(turn)).collect();
                self.split(decisions, &mut requests);
            }
            Some(Response::TableOpened(opened)) => {
                let table = Table::from(opened);
                let bot = (self.new_bot)(&table);
                self.seatings.insert(table.number, Seating { table, bot });
            }
            Some(Response::TableClosed(closed)) => {
                if let Some(mut seating) = self.seatings.remove(&closed.table) {
                    seating.bot.closed(&closed.result.unwrap_or_default());
                }
            }
            Some(Response::Welcome(welcome)) => {
                self.max_message_size = welcome.max_message_size as usize;
                self.max_comment_length = welcome.max_comment_length as usize;
            }
            Some(Response::Farewell(_)) => return None,
            None => {}
        }
        Some(requests)
    }

    fn decide(&mut self, message: TurnMessage) -> Decision {
        let (table, turn) = (message.table, message.turn);
        let seating = self
            .seatings
            .get_mut(&table)
            .unwrap_or_else(|| panic!("a turn at table {table}, which is not open"));
        let choice = seating.bot.act(&Turn::new(&seating.table, message));
        let comment = choice.comment.chars().take(self.max_comment_length).collect();
        Decision { table, turn, comment, choice: Some(choice.choice) }
    }

    /// Adds decisions in as few messages as the referee's limit on their size allows.
    fn split(&self, mut decisions: Vec<Decision>, requests: &mut Vec<PlayRequest>) {
        let half = decisions.split_off(decisions.len().div_ceil(2));
        if half.is_empty() || self.fits(&decisions, &half) {
            decisions.extend(half);
            requests.push(PlayRequest { kind: Some(Request::Decisions(Decisions { decisions })) });
        } else {
            self.split(decisions, requests);
            self.split(half, requests);
        }
    }

    /// Tells whether decisions fit into one message, with a few bytes to spare for what is around each.
    fn fits(&self, some: &[Decision], others: &[Decision]) -> bool {
        some.iter().chain(others).map(|decision| decision.encoded_len() + 8).sum::<usize>() <= self.max_message_size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::Choice;
    use crate::v1::{
        Counter, Farewell, MatchResult, Observation, SeatResult, TableClosed, TableOpened, Turns, Welcome, Zone,
        decision,
    };

    struct Tester(i32);

    impl Bot for Tester {
        fn act(&mut self, turn: &Turn) -> Choice {
            assert_eq!(turn.hand(), ["QS", "X"]);
            assert_eq!((turn.counter("multiplier"), turn.phase()), (2, "play"));
            if self.0 == 1 { Choice::from(2).comment("\u{1F0CF}".repeat(300)) } else { "play X".into() }
        }

        fn closed(&mut self, result: &MatchResult) {
            assert_eq!(result.seats[0].payoff, -2.0);
        }
    }

    fn session() -> Session<Tester, fn(&Table) -> Tester> {
        Session::new(&["landlord"], |table| Tester(table.number))
    }

    fn response(kind: Response) -> PlayResponse {
        PlayResponse { kind: Some(kind) }
    }

    fn opened(table: i32) -> PlayResponse {
        response(Response::TableOpened(TableOpened { table, seat: 1, seats: 2, ..Default::default() }))
    }

    fn turns(tables: &[i32]) -> PlayResponse {
        let hand = Zone { name: "hand".into(), owner: Some(1), cards: vec!["QS".into(), "X".into()], unseen: 0 };
        let turn = TurnMessage {
            turn: 7,
            observation: Some(Observation {
                phase: "play".into(),
                zones: vec![hand],
                counters: vec![Counter { name: "multiplier".into(), value: 2 }],
                events: vec![],
            }),
            legal_actions: ["play Q", "play X", "pass"].map(String::from).to_vec(),
            ..Default::default()
        };
        let turns = tables.iter().map(|table| TurnMessage { table: *table, ..turn.clone() }).collect();
        response(Response::Turns(Turns { turns }))
    }

    fn decisions(request: &PlayRequest) -> &[Decision] {
        match &request.kind {
            Some(Request::Decisions(decisions)) => &decisions.decisions,
            other => panic!("sent {other:?}"),
        }
    }

    #[test]
    fn a_session_answers_all_turns_of_a_message_in_one_and_ends_at_farewell() {
        let mut session = session();
        match session.hello("secret".into()).kind {
            Some(Request::Hello(hello)) => assert_eq!((&*hello.token, &*hello.games[0]), ("secret", "landlord")),
            other => panic!("sent {other:?}"),
        }
        assert_eq!(session.receive(opened(1)), Some(vec![]));
        assert_eq!(session.receive(opened(2)), Some(vec![]));
        let sent = session.receive(turns(&[1, 2])).unwrap();
        let [first, second] = decisions(&sent[0]) else { panic!("sent {sent:?}") };
        assert_eq!(sent.len(), 1);
        assert_eq!((first.table, first.turn, &first.choice), (1, 7, &Some(decision::Choice::Index(2))));
        assert_eq!(first.comment.chars().count(), 200);
        assert_eq!((second.table, &second.choice), (2, &Some(decision::Choice::Action("play X".into()))));
        let result = Some(MatchResult { seats: vec![SeatResult { payoff: -2.0, ..Default::default() }], termination: 1 });
        session.receive(response(Response::TableClosed(TableClosed { table: 1, result })));
        assert_eq!(session.receive(response(Response::Farewell(Farewell::default()))), None);
    }

    #[test]
    fn decisions_that_are_too_large_for_one_message_travel_in_several() {
        let mut session = session();
        let welcome = Welcome { max_message_size: 20, max_comment_length: 200, ..Default::default() };
        session.receive(response(Response::Welcome(welcome)));
        session.receive(opened(2));
        let sent = session.receive(turns(&[2, 2, 2, 2])).unwrap();
        assert_eq!(sent.iter().map(|request| decisions(request).len()).collect::<Vec<_>>(), [1, 1, 1, 1]);
    }

    #[test]
    #[should_panic(expected = r#"no zone "stock" with owner None: there are hand of 1"#)]
    fn a_zone_that_is_not_there_is_named_with_those_that_are() {
        let Some(Response::Turns(turns)) = turns(&[1]).kind else { panic!() };
        Turn::new(&Table::default(), turns.turns[0].clone()).zone("stock", None);
    }
}
