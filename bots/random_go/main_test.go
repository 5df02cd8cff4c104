package main

import (
	"bytes"
	"reflect"
	"testing"

	"cardpit"
)

func play() (played []cardpit.Choice) {
	table := &cardpit.Table{Random: cardpit.NewRandom(bytes.Repeat([]byte{7}, 32))}
	bot := newBot(table)
	for range 50 {
		turn := &cardpit.Turn{Table: table, LegalActions: []string{"play 3", "play 4", "pass"}}
		played = append(played, bot.Act(turn))
	}
	return played
}

func TestTheBotPlaysEveryLegalActionAndTheSameOnesFromTheSameSeed(t *testing.T) {
	seen := make(map[cardpit.Choice]bool)
	for _, choice := range play() {
		seen[choice] = true
	}
	for place := range 3 {
		if !seen[cardpit.Index(place)] {
			t.Errorf("never played action %d", place)
		}
	}
	if len(seen) != 3 {
		t.Errorf("played %v", seen)
	}
	if !reflect.DeepEqual(play(), play()) {
		t.Error("the same seed was played in two ways")
	}
}
