package cardpit

// Bot is a player at one table. Every match has one of its own, made when the match begins.
type Bot interface {
	// Act returns the action to take. A panic ends the process: the match is lost by CRASH.
	Act(turn *Turn) Choice
}

// Closer is a [Bot] that looks at how its match ended.
type Closer interface {
	// Closed is called once, when the match has ended.
	Closed(result Result)
}

// Choice is what a bot answers. Its zero value is the first legal action.
type Choice struct {
	index   int
	action  string
	comment string
}

// Index chooses an action by its place in Turn.LegalActions, from 0.
func Index(place int) Choice {
	return Choice{index: place}
}

// Action chooses an action by its notation.
func Action(notation string) Choice {
	return Choice{action: notation}
}

// Comment returns the choice with a text that the record keeps: up to 200 characters, the rest is cut off.
func (c Choice) Comment(text string) Choice {
	c.comment = text
	return c
}
