package core

// MaxMarks is the maximum number of prefix characters before a quote. A longer run is not a
// string prefix, and scanning it from each character would be quadratic.
const MaxMarks = 16

// ParseBudget is the maximum number of parses used to isolate the unreadable parts of a file.
const ParseBudget = 16

// MaxPieces is the maximum nesting depth at which unreadable items are split into their parts.
const MaxPieces = 4
