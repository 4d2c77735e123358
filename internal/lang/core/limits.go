package core

// MaxMarks is more than the marks that anyone writes before a quote: a row of them
// without one is looked at from each.
const MaxMarks = 16

// ParseBudget is how often a text may be parsed to find its unreadable pieces.
const ParseBudget = 16

// MaxPieces is how deep items in items are taken to pieces.
const MaxPieces = 4
