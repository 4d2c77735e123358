package model

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// PrepareResult is what Prepare returns: the code as the parser sees it, and a
// context for a reader, human or model. The field names are the contract's.
type PrepareResult struct {
	Skeletons    []code.Skeleton `json:"skeletons"`
	Merged       code.Skeleton   `json:"mergedSkeleton"`
	Context      Context         `json:"context"`
	CodeSnippets []string        `json:"codeSnippets"` // function bodies, when deep
	FilePaths    []string        `json:"filePaths"`    // relative to the project
	Truncated    bool            `json:"truncated,omitempty"`
	// TruncatedParts names what was cut to keep the reply within its tokens: codeSnippets,
	// dependencySpecs (with imports and calls), mergedSkeleton (its symbols are in
	// Skeletons, too), details (of symbols: what their signatures repeat, hashes, the end
	// of documentation), skeleton (symbols, which are on other pages).
	TruncatedParts []string `json:"truncatedParts,omitempty"`
	// Omitted says how much of them was cut.
	Omitted []Omitted `json:"omitted,omitempty"`
	// Whole is how many tokens the result had before it was cut to a number of them; 0
	// where it was not to be.
	Whole int `json:"-"`
	// More is how many symbols are on the pages after this one, and NextOffset where the
	// next page begins. A file without symbols counts as one.
	More, NextOffset int `json:"-"`
	// Redactions are the secrets that stand in the files; none of them is in the result.
	Redactions []redact.Detection `json:"redactions"`
}

// Omitted is how much of a part was left out of a [PrepareResult].
type Omitted struct {
	Part string `json:"part"` // as in TruncatedParts
	Unit string `json:"unit"` // what is counted: "symbols"
	Left int    `json:"left"` // how many are left out
	Of   int    `json:"of"`   // of how many
}

// Context is the contract's AssembledContext: what a model is given to read.
type Context struct {
	Prompt string `json:"prompt"` // the texts of Parts, one behind the other
	// TokenCount is [Tokens] of the prompt, and the sum of what Breakdown says.
	TokenCount     int       `json:"tokenCount"`
	Breakdown      Breakdown `json:"breakdown"`
	Truncated      bool      `json:"truncated"`
	TruncatedParts []string  `json:"truncatedParts"` // kinds of parts of which something was left out, in the order of cutting
	// Parts are what the prompt is made of, in this order: instructions, which are the
	// same for every target, and then text of the project, fenced as data.
	Parts []Part `json:"-"`
}

// Part is one part of a [Context].
type Part struct {
	Kind   PartKind
	Text   string // Markdown; ends in an empty line unless it is the last
	Tokens int
	Items  int // declarations, modules, functions, ... that are in it
	Left   int // and those that are not, or not in full
}

// PartKind is what a part of a context holds.
type PartKind string

// The parts. Three have the names that the contract has for what was cut.
const (
	Instructions   PartKind = "instructions"
	SkeletonPart   PartKind = "skeleton"        // declarations with their documentation
	DependencyPart PartKind = "dependencySpecs" // interfaces of the modules it rests on; never their source
	SnippetPart    PartKind = "codeSnippets"    // functions in full
	TestPart       PartKind = "tests"           // names of test cases
	ReadmePart     PartKind = "readme"          // how the project introduces itself
)

// Breakdown is where the tokens of a Context went.
type Breakdown struct {
	Skeleton     int `json:"skeleton"`
	Dependencies int `json:"dependencies"`
	Snippets     int `json:"snippets"`
	Instructions int `json:"instructions"`
	Tests        int `json:"tests"`
	Readme       int `json:"readme"`
}

// of is where a part is counted.
func (b *Breakdown) of(kind PartKind) *int {
	switch kind {
	case SkeletonPart:
		return &b.Skeleton
	case DependencyPart:
		return &b.Dependencies
	case SnippetPart:
		return &b.Snippets
	case TestPart:
		return &b.Tests
	case ReadmePart:
		return &b.Readme
	case Instructions, mergedPart, detailPart, redactionPart:
	}
	return &b.Instructions
}
