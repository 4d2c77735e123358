package store

import "time"

// VirtualType is the type of a virtual edge.
type VirtualType string

// The types of virtual edges.
const (
	VirtualCalls   VirtualType = "VIRTUAL_CALLS"   // the source calls the target
	VirtualImports VirtualType = "VIRTUAL_IMPORTS" // the source imports or uses the target without a call
)

// VirtualEdge is an edge from a symbol of the graph to one of another repository: a declaration, or a part of a
// contract such as a service method. Its ends are names, so that it survives a rebuild of either graph. Its column
// and JSON names are those of code-intelligence-mcp.
type VirtualEdge struct {
	ID           string `json:"id"` // determined by the ends, type and contract
	SourceRepo   string `json:"source_repo"`
	SourceSymbol string `json:"source_symbol"` // qualified name of a node of the graph
	TargetRepo   string `json:"target_repo"`
	// TargetSymbol is the qualified name of a node of the target's graph or, for a contract that is not code, the
	// name in the contract: "shop.v1.Orders.Create", "getOrder".
	TargetSymbol string      `json:"target_symbol"`
	Type         VirtualType `json:"edge_type"`
	Contract     string      `json:"contract_type"` // "proto", "openapi", "graphql", "typescript", "go", "npm", ...

	// Confidence is in [0, 1], computed from the three fields below; Level is "high", "medium" or "low". See
	// package crossrepo.
	Confidence          float64 `json:"confidence"`
	Level               string  `json:"confidence_level"`
	ExactMatch          float64 `json:"exact_match"`
	SignatureSimilarity float64 `json:"signature_similarity"`
	ContractBonus       float64 `json:"contract_bonus"`
	Rule                string  `json:"rule"` // the rule that found it

	SourceFile string `json:"source_file,omitempty"` // relative to the source's folder
	SourceLine int    `json:"source_line,omitempty"` // of the first occurrence
	TargetRoot string `json:"target_root,omitempty"` // the target's folder, absolute
	TargetFile string `json:"target_file,omitempty"` // relative to TargetRoot; a folder for a package
	StartLine  int    `json:"start_line,omitempty"`  // of the target; 0 if it has no lines
	EndLine    int    `json:"end_line,omitempty"`
	Signature  string `json:"signature,omitempty"` // of the target

	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"` // time of the last change
}

// File returns the location of the target as "repo://path".
func (e *VirtualEdge) File() string { return e.TargetRepo + "://" + e.TargetFile }
