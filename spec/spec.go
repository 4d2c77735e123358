// Package spec turns parsed code into Markdown specifications and reads them
// back.
//
// The way through: [Prepare] reads the target and assembles what is known;
// [Generate] fills a [Spec] from it, takes over what a person wrote into the
// spec before, and writes it; [Spec.Render] and [Parse] are inverses. Every
// signature, name, path and line in a spec comes from the parser; prose comes
// from the code's own documentation and says so.
package spec

import "github.com/reverse-spec/reverse-spec/internal/code"

// Generator is written into every spec as its maker.
const Generator = "reverse-spec v2.0"

// Spec is a module's specification.
type Spec struct {
	Front Front
	Lang  string // of headings and labels: "en" or "zh"
	Title string

	Attributes    []Attribute
	Intent        string // Markdown, as all strings below
	Requirements  []Requirement
	Scenarios     []Scenario
	Interface     string
	ContractTests []ContractTest
	Trace         []TraceRow
	Links         []TraceLink
	TraceNote     string
	Logic         string
	Constraints   string
	EdgeCases     string
	Debt          string
	Coverage      string
	Dependencies  string
	Files         []InventoryFile
	// Kept holds a person's blocks that stand in lists of items, by section.
	Kept map[Section]string

	Baseline *code.Skeleton // what the code was; nil when the file does not say
}

// Front is a spec's front matter.
type Front struct {
	Type             string     `yaml:"type"` // module-spec
	SpecID           string     `yaml:"specId"`
	Version          string     `yaml:"version"` // v1, v2, ...
	GeneratedBy      string     `yaml:"generatedBy"`
	SourceTarget     string     `yaml:"sourceTarget"`
	Scope            string     `yaml:"scope"` // file; folder: its own files; tree: all below it
	RelatedFiles     []string   `yaml:"relatedFiles"`
	Language         string     `yaml:"language"`
	LastUpdated      string     `yaml:"lastUpdated"`   // RFC 3339
	LastVerified     string     `yaml:"last_verified"` // date; "" before the first verify
	LastReferencedBy string     `yaml:"last_referenced_by"`
	Health           string     `yaml:"health"` // active, drifted, failing, unverified
	Confidence       Confidence `yaml:"confidence"`
	SkeletonHash     string     `yaml:"skeletonHash"` // SHA-256, hex
}

// Attribute is a row of the table under the title.
type Attribute struct{ Name, Value string }

// Requirement is one thing the code promises.
type Requirement struct {
	ID       string // REQ-AUTH-001; stays with its symbol over regenerations
	Title    string
	Text     string
	Symbol   string // "Type.method"
	Evidence []Evidence
}

// Evidence is where a statement comes from.
type Evidence struct {
	Kind  string // doc, guard, test, config, route, inferred
	Place string // file:line
}

// Scenario is one case that a test shows.
type Scenario struct {
	ID, Title         string
	Text              string
	Given, When, Then string
	Covers            []string // requirement ids
	Symbols           []string // what the test uses of the module: "Type.method"; its own calls before those of its helpers
	Evidence          []Evidence
}

// ContractTest is a script that shows that the code keeps its spec.
type ContractTest struct {
	ID, Title string
	Type      string // schema or behavior
	Covers    []string
	Needs     []string // programs without which it says nothing: go, jq
	// Checked says what came of the test before it was written: "passed", or that it was
	// not run, and why.
	Checked string
	Script  string // bash, run in the project's root
	Text    string // anything else
}

// InventoryFile is a row of the file inventory.
type InventoryFile struct {
	Path    string
	LOC     int
	Purpose string
}
