package cardpit

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	cardpitv1 "cardpit/v1"
)

var seed = func() (bytes []byte) {
	for n := range 32 {
		bytes = append(bytes, byte(n))
	}
	return bytes
}()

type tester struct {
	t      *testing.T
	result *Result
}

func (b tester) Act(turn *Turn) Choice {
	if got := fmt.Sprintln(turn.Hand(), turn.Counter("multiplier"), turn.Phase()); got != "[QS X] 2 play\n" {
		b.t.Errorf("the turn shows %s", got)
	}
	if turn.Table.Number == 1 {
		return Index(2).Comment(strings.Repeat("\U0001F0CF", 300))
	}
	return Action("play X")
}

func (b tester) Closed(result Result) {
	*b.result = result
}

func opened(table int32) *cardpitv1.PlayResponse {
	message := &cardpitv1.TableOpened{Table: table, Game: "landlord", Seat: 1, Seats: 2, BotSeed: seed}
	return &cardpitv1.PlayResponse{Kind: &cardpitv1.PlayResponse_TableOpened{TableOpened: message}}
}

func turns(tables ...int32) *cardpitv1.PlayResponse {
	owner := int32(1)
	message := &cardpitv1.Turns{}
	for _, table := range tables {
		message.Turns = append(message.Turns, &cardpitv1.Turn{
			Table: table,
			Turn:  7,
			Observation: &cardpitv1.Observation{
				Phase:    "play",
				Zones:    []*cardpitv1.Zone{{Name: "hand", Owner: &owner, Cards: []string{"QS", "X"}}},
				Counters: []*cardpitv1.Counter{{Name: "multiplier", Value: 2}},
			},
			LegalActions: []string{"play Q", "play X", "pass"},
		})
	}
	return &cardpitv1.PlayResponse{Kind: &cardpitv1.PlayResponse_Turns{Turns: message}}
}

func TestASessionAnswersAllTurnsOfAMessageInOneAndEndsAtFarewell(t *testing.T) {
	var result Result
	session := newSession(func(*Table) Bot { return tester{t, &result} }, []string{"landlord"})
	if hello := session.hello("secret").GetHello(); hello.GetToken() != "secret" || hello.GetGames()[0] != "landlord" {
		t.Errorf("said %v", hello)
	}
	session.receive(opened(1))
	session.receive(opened(2))
	requests, more := session.receive(turns(1, 2))
	if len(requests) != 1 || !more {
		t.Fatalf("sent %d messages, more: %v", len(requests), more)
	}
	first, second := requests[0].GetDecisions().GetDecisions()[0], requests[0].GetDecisions().GetDecisions()[1]
	if first.GetTable() != 1 || first.GetTurn() != 7 || first.GetIndex() != 2 || len([]rune(first.GetComment())) != 200 {
		t.Errorf("decided %v", first)
	}
	if second.GetTable() != 2 || second.GetAction() != "play X" || second.GetComment() != "" {
		t.Errorf("decided %v", second)
	}
	seats := []*cardpitv1.SeatResult{
		{Payoff: -2, Place: 2, Termination: cardpitv1.Termination_TERMINATION_ILLEGAL_ACTION},
	}
	closed := &cardpitv1.TableClosed{Table: 1, Result: &cardpitv1.MatchResult{Seats: seats}}
	session.receive(&cardpitv1.PlayResponse{Kind: &cardpitv1.PlayResponse_TableClosed{TableClosed: closed}})
	if want := (Result{[]float64{-2}, []int{2}, []string{"illegal action"}}); !reflect.DeepEqual(result, want) {
		t.Errorf("closed with %v, want %v", result, want)
	}
	farewell := &cardpitv1.PlayResponse_Farewell{Farewell: &cardpitv1.Farewell{Reason: "the room is done"}}
	if requests, more := session.receive(&cardpitv1.PlayResponse{Kind: farewell}); len(requests) > 0 || more {
		t.Errorf("after farewell sent %d messages, more: %v", len(requests), more)
	}
}

func TestDecisionsThatAreTooLargeForOneMessageTravelInSeveral(t *testing.T) {
	session := newSession(func(*Table) Bot { return tester{t, nil} }, nil)
	welcome := &cardpitv1.Welcome{MaxMessageSize: 20, MaxCommentLength: 200}
	session.receive(&cardpitv1.PlayResponse{Kind: &cardpitv1.PlayResponse_Welcome{Welcome: welcome}})
	session.receive(opened(2))
	if requests, _ := session.receive(turns(2, 2, 2, 2)); len(requests) != 4 {
		t.Errorf("sent %d messages, want 4", len(requests))
	}
}

func TestAZoneThatIsNotThereIsNamedWithThoseThatAre(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); !strings.HasSuffix(got, `no zone "stock" with owner -1: there are hand of 1`) {
			t.Errorf("panicked with %s", got)
		}
	}()
	readTurn(turns(1).GetTurns().GetTurns()[0], &Table{}).Zone("stock", Common)
}

func TestTheRandomNumbersAreThoseOfEveryKit(t *testing.T) {
	random := NewRandom(seed)
	var got []int
	for range 4 {
		got = append(got, int(random.Uint32()))
	}
	for range 8 {
		got = append(got, random.Below(52))
	}
	for range 6 {
		got = append(got, random.Below(3_000_000_000))
	}
	want := []int{
		1896324570, 633098894, 3018375, 2145950261,
		47, 31, 28, 31, 42, 32, 47, 12,
		2672327894, 2436581595, 2798424326, 298443684, 721305680, 2277623200,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("drew %v, want %v", got, want)
	}
	letters := []byte("ABCDEFGH")
	random.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	if string(letters) != "CBAFHDGE" {
		t.Errorf("shuffled to %s", letters)
	}
}

func TestACardIsARankAndASuit(t *testing.T) {
	cards, err := ParseCards(" QS x  TD ")
	if err != nil || !reflect.DeepEqual(cards, []string{"QS", "x", "TD"}) {
		t.Errorf("parsed %v, %v", cards, err)
	}
	if Rank("QS") != 'Q' || Suit("QS") != 'S' || Suit("x") != 0 || len(Pack()) != 52 {
		t.Error("a rank, a suit or the pack is wrong")
	}
	for _, wrong := range []string{"1S", "QX", "Q", "QSH"} {
		if _, err := ParseCards("QS " + wrong); err == nil || !strings.Contains(err.Error(), `"`+wrong+`" is no card`) {
			t.Errorf("parsed %s: %v", wrong, err)
		}
	}
}
