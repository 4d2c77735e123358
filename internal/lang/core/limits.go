package core

// ParseBudget is the maximum number of parses used to isolate the unreadable parts of a file.
const ParseBudget = 16

// MaxPieces is the maximum nesting depth at which unreadable items are split into their parts.
const MaxPieces = 4
