package model

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// PrepareResult is the result of [Module.Prepare]: the code as parsed and a context for a
// reader, human or model. The field names are those of the contract.
type PrepareResult struct {
	Skeletons    []code.Skeleton `json:"skeletons"`
	Merged       code.Skeleton   `json:"mergedSkeleton"`
	Context      Context         `json:"context"`
	CodeSnippets []string        `json:"codeSnippets"` // function bodies, when deep
	FilePaths    []string        `json:"filePaths"`    // relative to the project
	Truncated    bool            `json:"truncated,omitempty"`
	// TruncatedParts lists what was cut to stay within the limit: codeSnippets, dependencySpecs
	// (with imports and calls), mergedSkeleton (its symbols are also in Skeletons), details (of
	// symbols: what their signatures repeat, hashes, the end of documentation), skeleton
	// (symbols on other pages).
	TruncatedParts []string `json:"truncatedParts,omitempty"`
	// Omitted has the amounts.
	Omitted []Omitted `json:"omitted,omitempty"`
	// Whole is the size in tokens before the result was cut; 0 if there was no limit.
	Whole int `json:"-"`
	// More is the number of symbols on later pages, and NextOffset the offset of the next page.
	// A file without symbols counts as one symbol.
	More, NextOffset int `json:"-"`
	// Redactions are the secrets found in the files; the result contains none of them.
	Redactions []redact.Detection `json:"redactions"`
}

// Omitted is the amount left out of a part of a [PrepareResult].
type Omitted struct {
	Part string `json:"part"` // as in TruncatedParts
	Unit string `json:"unit"` // the unit: "symbols"
	Left int    `json:"left"` // number left out
	Of   int    `json:"of"`   // total number
}

// Context is the contract's AssembledContext: the text for a model to read.
type Context struct {
	Prompt string `json:"prompt"` // the concatenated texts of Parts
	// TokenCount is the estimate of [prompt.Tokens] for the prompt, and the sum of Breakdown.
	TokenCount     int       `json:"tokenCount"`
	Breakdown      Breakdown `json:"breakdown"`
	Truncated      bool      `json:"truncated"`
	TruncatedParts []string  `json:"truncatedParts"` // kinds of the parts that were cut, in cutting order
	// Parts are the parts of the prompt in order: instructions, which are the same for every
	// target, and then text of the project, fenced as data.
	Parts []Part `json:"-"`
}

// Part is one part of a [Context].
type Part struct {
	Kind   PartKind
	Text   string // Markdown; ends with an empty line, except the last
	Tokens int
	Items  int // declarations, modules, functions, ... in it
	Left   int // items that are missing or cut
}

// PartKind is the kind of content of a part.
type PartKind string

// Kinds of parts. Three have the contract's names of truncated parts.
const (
	Instructions   PartKind = "instructions"
	SkeletonPart   PartKind = "skeleton"        // declarations with their documentation
	DependencyPart PartKind = "dependencySpecs" // interfaces of imported modules, without bodies
	SnippetPart    PartKind = "codeSnippets"    // functions in full
	ClaimPart      PartKind = "claims"          // what the code was found to do
	TestPart       PartKind = "tests"           // tests that reach the module, or names of test cases
	ReadmePart     PartKind = "readme"          // the first paragraph of the README
)

// Breakdown has the tokens of a Context by part.
type Breakdown struct {
	Skeleton     int `json:"skeleton"` // and claims
	Dependencies int `json:"dependencies"`
	Snippets     int `json:"snippets"`
	Instructions int `json:"instructions"`
	Tests        int `json:"tests"`
	Readme       int `json:"readme"`
}

// of returns the counter of a part.
func (b *Breakdown) of(kind PartKind) *int {
	switch kind {
	case SkeletonPart, ClaimPart:
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
