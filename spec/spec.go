// Package spec generates Markdown specifications from code and reads them back, for the
// command line, the MCP server and the packages that compare specs with code.
//
// [Generate] reads a target, fills a [Spec], carries over what a person wrote in the previous
// one, and writes it. [Prepare] returns the same material for a reader to work from.
// What programs need of a spec is in its lock (package lock), next to the pages. [Spec.Render] and
// [Parse] of a page are inverses. Signatures, names, paths and lines come from the
// parser; prose comes from the documentation in the code, or from a [Writer] and is marked as
// such.
package spec

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

// Generator is the generatedBy field of every spec.
const Generator = "reverse-spec v2.0"

// Spec is a module's specification.
type Spec struct {
	Front Front
	Lang  string // of headings and labels: "en" or "zh"
	Title string

	Attributes    []Attribute
	Intent        string // Markdown, as are all strings below
	Glance        string
	Options       string
	Requirements  []Requirement
	Scenarios     []Scenario
	Interface     string
	ContractTests []ContractTest
	Trace         []TraceRow
	Links         []TraceLink
	TraceNote     string
	Risks         string
	// What a writer adds, and sections of specs that others wrote.
	Logic        string
	Constraints  string
	EdgeCases    string
	Debt         string
	Coverage     string
	Dependencies string
	Files        []InventoryFile
	// Kept holds the kept blocks between the items of a section.
	Kept map[Section]string

	// Baseline is the code when the spec was written, Claims what it was found to do then. They are in the lock of
	// the spec ([Spec.ReadLock]), or in the page if an earlier version wrote it. Baseline is nil if unknown.
	Baseline *code.Skeleton
	Claims   []RecordedClaim
	// Unnoticed are the mistakes that no test noticed, which the lock has, too.
	Unnoticed []Unnoticed
}

// Front is a spec's front matter.
type Front struct {
	Type             string     `yaml:"type"` // module-spec; "" in hand-written specs
	SpecID           string     `yaml:"specId"`
	Version          string     `yaml:"version"` // v1, v2, ...
	GeneratedBy      string     `yaml:"generatedBy"`
	SourceTarget     string     `yaml:"sourceTarget"`
	Scope            string     `yaml:"scope"` // file; folder: its own files; tree: all files below it
	RelatedFiles     []string   `yaml:"relatedFiles,flow"`
	Language         string     `yaml:"language"`
	LastUpdated      string     `yaml:"lastUpdated"`   // RFC 3339
	LastVerified     string     `yaml:"last_verified"` // date; "" before the first verify
	LastReferencedBy string     `yaml:"last_referenced_by"`
	Health           string     `yaml:"health"` // active, drifted, failing, unverified
	Confidence       Confidence `yaml:"confidence"`
	SkeletonHash     string     `yaml:"skeletonHash"` // SHA-256, hex
	// SourceCommit is the git commit that has the code that the spec was written from; "" if no commit has it.
	SourceCommit string `yaml:"sourceCommit,omitempty"`
}

// Attribute is a row of the table under the title.
type Attribute struct{ Name, Value string }

// Requirement is a promise of the code.
type Requirement struct {
	ID       string // REQ-AUTH-001; stable across regenerations
	Title    string
	Text     string
	Symbol   string // "Type.method"
	Evidence []Evidence
	Tests    []string // tests of it, nearest first: file:line
	More     int      // the number of others
	Reach    int      // the number of tests that reach Symbol, but do not quote the error that the requirement is about
	Shown    Shown    // how tests show it, if that was measured
}

// RecordedClaim is a claim with the requirement that states it.
type RecordedClaim = lock.Claim

// Evidence is the source of a statement.
type Evidence struct {
	Kind  string // doc, guard, test, config, route, inferred
	Place string // file:line
}

// Scenario is a case that a test shows.
type Scenario struct {
	ID, Title         string
	Text              string
	Given, When, Then string
	Covers            []string // requirement ids
	Symbols           []string // symbols of the module that the test uses: "Type.method"; direct calls before those of helpers
	Evidence          []Evidence
}

// ContractTest is a script that checks the code against its spec.
type ContractTest struct {
	ID, Title string
	Type      string // schema or behavior
	Covers    []string
	Needs     []string // required programs: go, jq
	// Checked is the result of the test before it was written: "passed", or why it was not run.
	Checked string
	Script  string // bash, run in the project's root
	Text    string // anything else
	// Runs are the tests of the code that the script runs, by file; nil if unknown. They are in the lock.
	Runs []RecordedTests
}

// InventoryFile is a row of the file inventory.
type InventoryFile struct {
	Path    string
	LOC     int
	Purpose string
}
