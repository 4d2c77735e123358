package spec

import "github.com/reverse-spec/reverse-spec/code"

// PrepareResult is what Prepare returns: the code as the parser sees it, and a
// context for a reader, human or model. The field names are the contract's.
type PrepareResult struct {
	Skeletons    []code.Skeleton `json:"skeletons"`
	Merged       code.Skeleton   `json:"mergedSkeleton"`
	Context      Context         `json:"context"`
	CodeSnippets []string        `json:"codeSnippets"` // function bodies, when deep
	FilePaths    []string        `json:"filePaths"`    // relative to the project
	Truncated    bool            `json:"truncated,omitempty"`
	// TruncatedParts names what was cut to keep the reply within its tokens, in
	// the order of cutting: codeSnippets, dependencySpecs, skeleton.
	TruncatedParts []string `json:"truncatedParts,omitempty"`
}

// Context is the contract's AssembledContext.
type Context struct {
	Prompt         string    `json:"prompt"`
	TokenCount     int       `json:"tokenCount"` // estimated
	Breakdown      Breakdown `json:"breakdown"`
	Truncated      bool      `json:"truncated"`
	TruncatedParts []string  `json:"truncatedParts"`
}

// Breakdown is where the tokens of a Context went.
type Breakdown struct {
	Skeleton     int `json:"skeleton"`
	Dependencies int `json:"dependencies"`
	Snippets     int `json:"snippets"`
	Instructions int `json:"instructions"`
}

// GenerateResult is what Generate returns.
type GenerateResult struct {
	SpecPath   string     `json:"specPath"` // relative to the project
	TokenUsage int        `json:"tokenUsage"`
	Confidence Confidence `json:"confidence"`
	Warnings   []string   `json:"warnings"` // never nil
}

// Confidence is how far a spec can be trusted; see the rule at [Generate].
type Confidence string

// The levels of confidence.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)
