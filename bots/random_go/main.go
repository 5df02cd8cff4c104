// The bot plays any legal action of any game, each as likely as the others.
package main

import "cardpit"

type random struct {
	table *cardpit.Table
}

// Act draws from the seat's private randomness, so that the same board is played the same way.
func (b random) Act(turn *cardpit.Turn) cardpit.Choice {
	return cardpit.Index(b.table.Random.Below(len(turn.LegalActions)))
}

func newBot(table *cardpit.Table) cardpit.Bot {
	return random{table}
}

func main() {
	cardpit.Run(newBot)
}
