"""The positions of Landlord: the auction, in which the landlord is found, and the play."""

from collections.abc import Callable, Mapping
from random import Random

from cardpit.cards import format_cards
from cardpit.games.game import Event, IllegalAction, Observation, Outcome, State
from cardpit.games.landlord_deal import Cards, Contract, Deal, Trail
from cardpit.games.landlord_plays import GUARD, PASS, Play, count, write_hand

MOST_REDEALS = 10
"""When nobody has called in so many redeals, the seat that was asked first is landlord."""

CALL = "call"
GRAB = "grab"
NO = "no"

REDEAL = "redeal"
BOTTOM = "bottom"

_TURNS = ((0,), (1,))
_CALLS = (CALL, NO)
_GRABS = (GRAB, NO)


class LandlordState(State):
    """A position of Landlord. Nothing of it ever changes but the list of legal actions, kept once it is made."""

    __slots__ = ("outcome", "trail", "turn")

    turn: tuple[int, ...]
    outcome: Outcome | None
    trail: Trail | None
    """All actions of the match, and what happened at the table."""

    @property
    def deal(self) -> Deal:
        """The cards, as they were dealt."""
        raise NotImplementedError

    def apply(self, actions: Mapping[int, str]) -> "LandlordState":
        """Return the state after the seat to act has acted. Raises :class:`IllegalAction`."""
        if len(actions) == 1:
            for seat, action in actions.items():
                if action in self.legal_actions(seat):
                    return self._after(seat, action)
        raise self._refusal(actions)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text}>"

    def __reduce__(self) -> tuple[Callable[[str], State], tuple[str]]:
        return _restore, (self.text,)

    @property
    def multiplier(self) -> int:
        """What the match is worth by now, in points, without the cap."""
        raise NotImplementedError

    def _counters(self, landlord: int, caller: int, grabs: int, bombs: int) -> tuple[tuple[str, int], ...]:
        return (
            ("landlord", landlord),
            ("first", self.deal.first),
            ("caller", caller),
            ("grabs", grabs),
            ("ceded", grabs),
            ("multiplier", self.multiplier),
            ("bombs", bombs),
            ("redeals", self.deal.number),
        )

    def _events(self, viewer: int) -> tuple[Event, ...]:
        """Return what happened since a seat's last action, that included; for other viewers, in the last transition."""
        events: list[Event] = []
        trail = self.trail
        while trail is not None:
            trail, seat, text = trail
            events.append(Event(seat, text))
            if seat is not None and (viewer < 0 or seat == viewer):
                break
        return tuple(reversed(events))

    def _refusal(self, actions: Mapping[int, str]) -> IllegalAction:
        """Say why the actions cannot be applied."""
        if not self.turn:
            seat, action = next(iter(actions.items()), (0, None))
            return IllegalAction(seat, action, "is not asked for: the match has ended")
        (turn,) = self.turn
        for seat, action in actions.items():
            if seat != turn:
                return IllegalAction(seat, action, f"is not asked for: the turn is seat {turn}'s")
        if turn not in actions:
            return IllegalAction(turn, None, "is no action: the turn is this seat's")
        return IllegalAction(turn, actions[turn], self._fault(turn, actions[turn]))

    def _after(self, seat: int, action: str) -> "LandlordState":
        """Return the state after a legal action."""
        raise NotImplementedError

    def _fault(self, seat: int, action: str) -> str:
        """Say what is wrong with an action of the seat to act."""
        raise NotImplementedError


class AuctionState(LandlordState):
    """A position of the auction."""

    __slots__ = ("_deal", "caller", "grabs")

    def __init__(self, deal: Deal, seat: int, trail: Trail | None, caller: int = -1, grabs: int = 0) -> None:
        self.turn = _TURNS[seat]
        self.outcome = None
        self.trail = trail
        self._deal = deal
        self.caller = caller
        """The last seat to call or grab; -1 while none has."""
        self.grabs = grabs

    @property
    def deal(self) -> Deal:
        """The cards, as they were dealt."""
        return self._deal

    def legal_actions(self, seat: int) -> tuple[str, ...]:
        """Return ``call`` or ``grab``, and ``no``."""
        if seat not in self.turn:
            return ()
        return _CALLS if self.caller < 0 else _GRABS

    def default_action(self, seat: int) -> str:
        """Return ``no``."""
        return NO

    def observe(self, seat: int) -> Observation:
        """Return what a viewer sees."""
        counters = self._counters(-1, self.caller, self.grabs, 0)
        return Observation("auction", self._deal.zones(seat), counters, self._events(seat))

    @property
    def multiplier(self) -> int:
        """What the match is worth by now: doubled by each grab."""
        return 1 << self.grabs

    @property
    def chance(self) -> tuple[str, ...]:
        """The deal, if nobody has spoken in it."""
        return self._deal.chance if self.trail is None or self.trail[2] == REDEAL else ()

    def resample(self, seat: int, rng: Random) -> "AuctionState":
        """Return the state with all but the seat's own hand dealt anew."""
        known = [hand if owner == seat else () for owner, hand in enumerate(self._deal.hands)]
        return AuctionState(self._deal.redrawn([*known, ()], rng), self.turn[0], self.trail, self.caller, self.grabs)

    @property
    def text(self) -> str:
        """The position as one line."""
        return _line(self._deal.text, self.trail)

    def _after(self, seat: int, action: str) -> LandlordState:
        deal = self._deal
        trail: Trail = (self.trail, seat, action)
        if action == NO:
            return self._declined(seat, trail)
        grabs = self.grabs + (action == GRAB)
        declined_by_other = action == CALL and seat != deal.first
        if declined_by_other or grabs == deal.rules.max_grabs:
            return self._settled(seat, grabs, trail)
        return AuctionState(deal, 1 - seat, trail, seat, grabs)

    def _declined(self, seat: int, trail: Trail) -> LandlordState:
        deal = self._deal
        if self.caller >= 0:
            return self._settled(self.caller, self.grabs, trail)
        if seat == deal.first:
            return AuctionState(deal, 1 - seat, trail)
        if deal.rules.all_pass == REDEAL and deal.number < MOST_REDEALS:
            deal = Deal.from_seed(deal.rules, deal.seed, deal.number + 1)
            return AuctionState(deal, deal.first, (trail, None, REDEAL))
        return self._settled(deal.first, 0, trail)

    def _settled(self, landlord: int, grabs: int, trail: Trail) -> "PlayState":
        shown = f"{BOTTOM} {format_cards(self._deal.bottom)}"
        return PlayState.opening(Contract(self._deal, landlord, grabs), (trail, None, shown))

    def _fault(self, seat: int, action: str) -> str:
        return f"is not legal now: allowed is {' or '.join(self.legal_actions(seat))}"


class PlayState(LandlordState):
    """A position of the play, or its end."""

    __slots__ = ("_legal", "beat", "bombs", "contract", "hands", "left")

    def __init__(
        self,
        contract: Contract,
        turn: tuple[int, ...],
        hands: tuple[int, int],
        left: int,
        beat: Play | None,
        bombs: int,
        trail: Trail | None,
        outcome: Outcome | None = None,
    ) -> None:
        self.contract = contract
        self.turn = turn
        self.hands = hands
        """By seat, as counted ranks."""
        self.left = left
        """How many cards the farmer has."""
        self.beat = beat
        """The play to beat, or at the end the last one; None when anything may be led."""
        self.bombs = bombs
        """Bombs and rockets played."""
        self.trail = trail
        self.outcome = outcome
        self._legal: tuple[str, ...] | None = None

    @classmethod
    def opening(cls, contract: Contract, trail: Trail | None) -> "PlayState":
        """Return the position in which the landlord makes the opening lead."""
        landlord = contract.landlord
        return cls(contract, _TURNS[landlord], contract.start, count(contract.start[1 - landlord]), None, 0, trail)

    @property
    def deal(self) -> Deal:
        """The cards, as they were dealt."""
        return self.contract.deal

    def legal_actions(self, seat: int) -> tuple[str, ...]:
        """Return the plays that the seat may make, weakest kind and lowest first; ``pass`` is last, if it may."""
        if seat not in self.turn:
            return ()
        legal = self._legal
        if legal is None:
            book = self.contract.book
            beat = self.beat
            legal = book.leads(self.hands[seat]) if beat is None else book.answers(self.hands[seat], beat)
            self._legal = legal
        return legal

    def default_action(self, seat: int) -> str:
        """Return ``pass``, or the lowest single when the seat leads."""
        return PASS if self.beat is not None else self.legal_actions(seat)[0]

    def apply(self, actions: Mapping[int, str]) -> "PlayState":
        """Return the state after a play or a pass."""
        turn = self.turn
        if len(actions) != 1 or not turn or turn[0] not in actions:
            raise self._refusal(actions)
        seat = turn[0]
        action = actions[seat]
        hands = self.hands
        beat = self.beat
        contract = self.contract
        play = contract.plays.get(action)
        if play is None:
            if action != PASS or beat is None:
                raise self._refusal(actions)
            trail = (self.trail, seat, action)
            return PlayState(contract, _TURNS[1 - seat], hands, self.left, None, self.bombs, trail)
        hand = hands[seat]
        if ((hand | GUARD) - play.cards) & GUARD != GUARD or (beat is not None and not play.beats(beat)):
            raise self._refusal(actions)
        hand -= play.cards
        hands = (hands[0], hand) if seat else (hand, hands[1])
        trail = (self.trail, seat, action)
        bombs = self.bombs + 1 if play.power else self.bombs
        if seat == contract.landlord:
            if hand:
                return PlayState(contract, _TURNS[1 - seat], hands, self.left, play, bombs, trail)
            return self._ended(seat, hands, self.left, play, trail)
        left = self.left - play.size
        if left > contract.ceded:
            return PlayState(contract, _TURNS[1 - seat], hands, left, play, bombs, trail)
        return self._ended(seat, hands, left, play, trail)

    def observe(self, seat: int) -> Observation:
        """Return what a viewer sees."""
        contract = self.contract
        counters = self._counters(contract.landlord, contract.landlord, contract.ceded, self.bombs)
        phase = "play" if self.outcome is None else "end"
        return Observation(
            phase, contract.zones(self.hands, self.beat, self._maker, seat), counters, self._events(seat)
        )

    @property
    def multiplier(self) -> int:
        """What the match is worth by now, without the cap: doubled by each grab, bomb and rocket, and by a spring."""
        if self.outcome is not None:
            return max(self.outcome.margins)
        return 1 << self.contract.ceded + (self.bombs if self.deal.rules.bomb_x2 else 0)

    @property
    def chance(self) -> tuple[str, ...]:
        """Nothing: all cards lie where the deal has put them."""
        return ()

    def resample(self, seat: int, rng: Random) -> "PlayState":
        """Return the state with the other hand and the unused cards drawn anew: what was played or shown stays."""
        contract = self.contract
        bottom = contract.deal.bottom
        known: list[Cards] = [*contract.deal.hands, bottom]
        for other in (0, 1):
            if other != seat:
                gone = contract.played(other, self.hands[other])
                known[other] = tuple(card for card in gone if card not in bottom)
        drawn = Contract(contract.deal.redrawn(known, rng), contract.landlord, contract.ceded)
        before, now = contract.start, self.hands
        hands = (drawn.start[0] - before[0] + now[0], drawn.start[1] - before[1] + now[1])
        return PlayState(drawn, self.turn, hands, self.left, self.beat, self.bombs, self.trail, self.outcome)

    @property
    def text(self) -> str:
        """The position as one line."""
        trail = self.trail
        while trail is not None and trail[0] is not None:
            trail = trail[0]
        dealt = trail is not None and trail[2] in (CALL, NO)
        contract = self.contract
        settled = "" if dealt else f" landlord={contract.landlord} grabs={contract.ceded}"
        return _line(contract.deal.text + settled, self.trail)

    @property
    def _maker(self) -> int:
        return 1 - self.turn[0] if self.outcome is None else self.outcome.places.index(1)

    def _ended(self, winner: int, hands: tuple[int, int], left: int, play: Play, trail: Trail) -> "PlayState":
        """Return the end, in which a seat has won by a play."""
        bombs = self.bombs + (play.power > 0)
        rules = self.deal.rules
        doubles = self.contract.ceded
        if rules.bomb_x2:
            doubles += bombs
        if rules.spring_x2 and self._is_spring(winner):
            doubles += 1
        worth = 1 << doubles
        points = float(min(worth, rules.cap))
        outcome = (
            Outcome((-points, points), (2, 1), (-worth, worth))
            if winner
            else Outcome((points, -points), (1, 2), (worth, -worth))
        )
        return PlayState(self.contract, (), hands, left, play, bombs, trail, outcome)

    def _is_spring(self, winner: int) -> bool:
        """Tell whether the loser has played nothing, or, as the landlord, nothing but the opening lead."""
        loser = 1 - winner
        plays = 0
        trail = self.trail
        while trail is not None:
            trail, seat, text = trail
            plays += seat == loser and text in self.contract.plays
        return plays == (loser == self.contract.landlord)

    def _fault(self, seat: int, action: str) -> str:
        hand = write_hand(self.hands[seat])
        if action == PASS:
            return f"is not legal when leading: allowed is any combination of the hand {hand}"
        if action not in self.contract.plays:
            return "is not the notation of a combination or a pass"
        beaten = f" that beats {self.beat.text}, or pass" if self.beat is not None else ""
        return f"is not legal: allowed is any combination of the hand {hand}{beaten}"


def _line(start: str, trail: Trail | None) -> str:
    """Write a position: where it started, then ``|`` before each thing that has happened since."""
    told: list[str] = []
    while trail is not None:
        trail, seat, text = trail
        if seat is not None:
            told.append(f"{seat} {text}")
        elif text == REDEAL:
            told.append(text)
    return " | ".join([start, *reversed(told)])


def _restore(text: str) -> State:
    from cardpit.games import find_game

    return find_game("landlord").parse(text)
