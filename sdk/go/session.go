package cardpit

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	cardpitv1 "cardpit/v1"
)

const (
	protocol   = 1
	sdkName    = "cardpit-go"
	sdkVersion = "0.1.0"
	maxTables  = 1024
)

type seating struct {
	table *Table
	bot   Bot
}

// session is what one bot process says on its stream, whatever carries it.
type session struct {
	newBot           func(*Table) Bot
	games            []string
	seatings         map[int32]seating
	maxMessageSize   int
	maxCommentLength int
}

func newSession(newBot func(*Table) Bot, games []string) *session {
	return &session{newBot, games, make(map[int32]seating), 64 * 1024, 200}
}

func (s *session) hello(token string) *cardpitv1.PlayRequest {
	hello := &cardpitv1.Hello{
		Token:      token,
		Protocol:   protocol,
		SdkName:    sdkName,
		SdkVersion: sdkVersion,
		Games:      s.games,
		MaxTables:  maxTables,
	}
	return &cardpitv1.PlayRequest{Kind: &cardpitv1.PlayRequest_Hello{Hello: hello}}
}

// receive does what a message asks for. It returns what to send, and whether there is more to come.
func (s *session) receive(message *cardpitv1.PlayResponse) (requests []*cardpitv1.PlayRequest, more bool) {
	switch kind := message.GetKind().(type) {
	case *cardpitv1.PlayResponse_Turns:
		decisions := make([]*cardpitv1.Decision, 0, len(kind.Turns.GetTurns()))
		for _, turn := range kind.Turns.GetTurns() {
			decisions = append(decisions, s.decide(turn))
		}
		requests = s.split(requests, decisions)
	case *cardpitv1.PlayResponse_TableOpened:
		table := readTable(kind.TableOpened)
		s.seatings[kind.TableOpened.GetTable()] = seating{table, s.newBot(table)}
	case *cardpitv1.PlayResponse_TableClosed:
		number := kind.TableClosed.GetTable()
		if closer, ok := s.seatings[number].bot.(Closer); ok {
			closer.Closed(readResult(kind.TableClosed.GetResult()))
		}
		delete(s.seatings, number)
	case *cardpitv1.PlayResponse_Welcome:
		s.maxMessageSize = int(kind.Welcome.GetMaxMessageSize())
		s.maxCommentLength = int(kind.Welcome.GetMaxCommentLength())
	case *cardpitv1.PlayResponse_Farewell:
		return nil, false
	}
	return requests, true
}

func (s *session) decide(turn *cardpitv1.Turn) *cardpitv1.Decision {
	seating, ok := s.seatings[turn.GetTable()]
	if !ok {
		panic(fmt.Sprintf("cardpit: a turn at table %d, which is not open", turn.GetTable()))
	}
	choice := seating.bot.Act(readTurn(turn, seating.table))
	decision := &cardpitv1.Decision{Table: turn.GetTable(), Turn: turn.GetTurn(), Comment: choice.comment}
	if choice.action != "" {
		decision.Choice = &cardpitv1.Decision_Action{Action: choice.action}
	} else {
		decision.Choice = &cardpitv1.Decision_Index{Index: int32(choice.index)}
	}
	if characters := []rune(choice.comment); len(characters) > s.maxCommentLength {
		decision.Comment = string(characters[:s.maxCommentLength])
	}
	return decision
}

// split appends decisions in as few messages as the referee's limit on their size allows.
func (s *session) split(requests []*cardpitv1.PlayRequest, decisions []*cardpitv1.Decision) []*cardpitv1.PlayRequest {
	request := &cardpitv1.PlayRequest{
		Kind: &cardpitv1.PlayRequest_Decisions{Decisions: &cardpitv1.Decisions{Decisions: decisions}},
	}
	if len(decisions) <= 1 || proto.Size(request) <= s.maxMessageSize {
		return append(requests, request)
	}
	half := len(decisions) / 2
	return s.split(s.split(requests, decisions[:half]), decisions[half:])
}
