package code

// LookupKind is the kind of a [Lookup].
type LookupKind string

// The kinds of lookups.
const (
	LookupList    LookupKind = "list"    // values: a word list, a set, rows of a table
	LookupMap     LookupKind = "map"     // values by keys
	LookupPattern LookupKind = "pattern" // a regular expression, the only row
)

// Lookup is data written into the code by which it decides: a list of literals, a mapping, a pattern.
type Lookup struct {
	Kind LookupKind
	In   string // the enclosing symbol; "" at top level
	Name string // the variable that holds it; "" for none
	Rows []LookupRow
	// Of a table that a test iterates over: the fields of a row, and the variables that have its key and the row. If Parts is
	// set, the columns are themselves variables, and there is no other for the row.
	Columns   []string
	Key, Each string
	Parts     bool
	Line      int
	EndLine   int // of what iterates over it; 0 if Line says enough
}

// LookupRow is one value with its keys, as written, on one line.
type LookupRow struct {
	Keys  []string // none in a list
	Value string
}

// Limits on lookups: rows, and the text of one, in bytes.
const (
	MaxLookupRows = 2000
	MaxLookupText = 1000
)
