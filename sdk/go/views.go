package cardpit

import (
	"fmt"
	"strings"
	"time"

	cardpitv1 "cardpit/v1"
)

// What a turn shows, as the protocol has it.
type (
	// Observation is all that a seat sees.
	Observation = cardpitv1.Observation
	// Zone is a place where cards lie.
	Zone = cardpitv1.Zone
	// Counter is a named whole number.
	Counter = cardpitv1.Counter
	// Event is something that happened.
	Event = cardpitv1.Event
)

// Common is the owner of a zone that no seat owns.
const Common = -1

// TimeControl is the time that a seat has.
type TimeControl struct {
	// MoveTime is free for each decision.
	MoveTime time.Duration
	// BankTime is for the whole match: what decisions take beyond MoveTime is drawn from it.
	BankTime time.Duration
	// MatchTime is the longest that a match may take.
	MatchTime time.Duration
	// MaxStrikes forfeit the match.
	MaxStrikes int
	// Realtime says that each tick closes on the wall clock.
	Realtime bool
	// TickTime is how long a tick lasts on the wall clock.
	TickTime time.Duration
}

// Table is a seat at a table, for one match.
type Table struct {
	// Number names the table among those of this process.
	Number int
	// Game is the game's id.
	Game string
	// RulesVersion is the version of its rules.
	RulesVersion int
	// Parameters has every parameter of the game with its value as text: "true", "4", "redeal".
	Parameters map[string]string
	// Seat is this bot's seat, from 0, clockwise.
	Seat int
	// Seats is how many seats there are.
	Seats int
	// TimeControl is the bot's time.
	TimeControl TimeControl
	// BotSeed is 32 bytes of private randomness for this seat.
	BotSeed []byte
	// Random draws from BotSeed: a bot that draws from nothing else plays reproducibly.
	Random *Random
}

// Substitution is what the referee did in place of a seat's last answer.
type Substitution struct {
	// Reason is "timeout", "illegal action" or "too late".
	Reason string
	// Action is what was applied.
	Action string
	// Strikes is how many strikes the seat has now.
	Strikes int
}

// Result is how a match ended, by seat.
type Result struct {
	// Payoffs are in the game's unit.
	Payoffs []float64
	// Places begin at 1, the best; equal places are shared.
	Places []int
	// Terminations are "normal", or what the seat is at fault for.
	Terminations []string
}

// Turn is a question to a bot. It needs no memory to be answered.
type Turn struct {
	// Table is where it is asked.
	Table *Table
	// Number counts this seat's turns at this table, from 1.
	Number int
	// LegalActions has every action that may be chosen, in a fixed order.
	LegalActions []string
	// Observation is all that the seat sees.
	Observation *Observation
	// MoveTime is free for this decision.
	MoveTime time.Duration
	// BankTime is left for the rest of the match beyond that.
	BankTime time.Duration
	// Substitution is what the referee did in place of the last answer, if it was late or illegal; else nil.
	Substitution *Substitution
}

// Phase returns the part of the match, from the game's page.
func (t *Turn) Phase() string {
	return t.Observation.GetPhase()
}

// Events returns what happened from this seat's last turn on, its own action included, oldest first.
func (t *Turn) Events() []*Event {
	return t.Observation.GetEvents()
}

// Hand returns the cards in this seat's hand.
func (t *Turn) Hand() []string {
	return t.Zone("hand", t.Table.Seat).GetCards()
}

// Zone returns the place of this name and owner, a seat or [Common]. It panics with a list of those there are.
func (t *Turn) Zone(name string, owner int) *Zone {
	var known []string
	for _, zone := range t.Observation.GetZones() {
		seat := Common
		if zone.Owner != nil {
			seat = int(zone.GetOwner())
		}
		if zone.GetName() == name && seat == owner {
			return zone
		}
		if seat != Common {
			known = append(known, fmt.Sprintf("%s of %d", zone.GetName(), seat))
		} else {
			known = append(known, zone.GetName())
		}
	}
	panic(fmt.Sprintf("cardpit: no zone %q with owner %d: there are %s", name, owner, strings.Join(known, ", ")))
}

// Counter returns a named number. It panics with a list of those there are.
func (t *Turn) Counter(name string) int {
	var known []string
	for _, counter := range t.Observation.GetCounters() {
		if counter.GetName() == name {
			return int(counter.GetValue())
		}
		known = append(known, counter.GetName())
	}
	panic(fmt.Sprintf("cardpit: no counter %q: there are %s", name, strings.Join(known, ", ")))
}

func readTable(message *cardpitv1.TableOpened) *Table {
	parameters := make(map[string]string)
	for _, parameter := range message.GetParameters() {
		parameters[parameter.GetName()] = parameter.GetValue()
	}
	control := message.GetTimeControl()
	return &Table{
		Number:       int(message.GetTable()),
		Game:         message.GetGame(),
		RulesVersion: int(message.GetRulesVersion()),
		Parameters:   parameters,
		Seat:         int(message.GetSeat()),
		Seats:        int(message.GetSeats()),
		TimeControl: TimeControl{
			MoveTime:   control.GetMoveTime().AsDuration(),
			BankTime:   control.GetBankTime().AsDuration(),
			MatchTime:  control.GetMatchTime().AsDuration(),
			MaxStrikes: int(control.GetMaxStrikes()),
			Realtime:   control.GetClock() == cardpitv1.Clock_CLOCK_REALTIME,
			TickTime:   control.GetTickTime().AsDuration(),
		},
		BotSeed: message.GetBotSeed(),
		Random:  NewRandom(message.GetBotSeed()),
	}
}

func readTurn(message *cardpitv1.Turn, table *Table) *Turn {
	turn := &Turn{
		Table:        table,
		Number:       int(message.GetTurn()),
		LegalActions: message.GetLegalActions(),
		Observation:  message.GetObservation(),
		MoveTime:     message.GetMoveTime().AsDuration(),
		BankTime:     message.GetBankTime().AsDuration(),
	}
	if found := message.GetSubstitution(); found != nil {
		reason := words(found.GetReason().String(), "SUBSTITUTION_REASON_")
		turn.Substitution = &Substitution{reason, found.GetAction(), int(found.GetStrikes())}
	}
	return turn
}

func readResult(message *cardpitv1.MatchResult) Result {
	var result Result
	for _, seat := range message.GetSeats() {
		result.Payoffs = append(result.Payoffs, seat.GetPayoff())
		result.Places = append(result.Places, int(seat.GetPlace()))
		result.Terminations = append(result.Terminations, words(seat.GetTermination().String(), "TERMINATION_"))
	}
	return result
}

func words(name, prefix string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, prefix), "_", " "))
}
