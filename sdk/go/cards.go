package cardpit

import (
	"fmt"
	"strings"
)

const (
	// Ranks holds every rank with suits, lowest first where aces are high.
	Ranks = "23456789TJQKA"
	// Suits holds every suit, in the order in which a pack is laid out.
	Suits = "SHDC"
	// SmallJoker is a card without a suit.
	SmallJoker = "x"
	// BigJoker is a card without a suit.
	BigJoker = "X"
)

// Rank returns the rank of a card, such as 'Q' of "QS". A joker is its own rank.
func Rank(card string) byte {
	return card[0]
}

// Suit returns the suit of a card, such as 'S' of "QS"; 0 for a joker.
func Suit(card string) byte {
	if len(card) < 2 {
		return 0
	}
	return card[1]
}

// Pack returns the 52 cards, suit by suit, two to ace.
func Pack() []string {
	pack := make([]string, 0, len(Ranks)*len(Suits))
	for _, suit := range Suits {
		for _, rank := range Ranks {
			pack = append(pack, string(rank)+string(suit))
		}
	}
	return pack
}

// ParseCards returns the cards named in a text, in its order. The error names the first word that is no card.
func ParseCards(text string) ([]string, error) {
	cards := strings.Fields(text)
	for _, card := range cards {
		if card != SmallJoker && card != BigJoker &&
			(len(card) != 2 || !strings.Contains(Ranks, card[:1]) || !strings.Contains(Suits, card[1:])) {
			return nil, fmt.Errorf("%q is no card: a card is a rank of %s and a suit of %s, or x, or X", card, Ranks, Suits)
		}
	}
	return cards, nil
}
