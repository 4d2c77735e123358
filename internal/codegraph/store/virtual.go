package store

import "time"

// VirtualType says what a virtual edge means.
type VirtualType string

// The types of virtual edges.
const (
	VirtualCalls   VirtualType = "VIRTUAL_CALLS"   // the source calls the target
	VirtualImports VirtualType = "VIRTUAL_IMPORTS" // the source imports or uses it without a call
)

// VirtualEdge leads from a symbol of the graph to one of another repository: a
// declaration there, or a part of a contract, such as a method of a service. Its ends
// are names, so that it outlives the ids of either graph. The names of its columns
// and of its JSON are those of code-intelligence-mcp.
type VirtualEdge struct {
	ID           string `json:"id"` // the same for the same ends, type and contract
	SourceRepo   string `json:"source_repo"`
	SourceSymbol string `json:"source_symbol"` // qualified name of a node of the graph
	TargetRepo   string `json:"target_repo"`
	// TargetSymbol is the qualified name of a node of the target's graph or, where
	// the contract is no code, its own name there: "shop.v1.Orders.Create", "getOrder".
	TargetSymbol string      `json:"target_symbol"`
	Type         VirtualType `json:"edge_type"`
	Contract     string      `json:"contract_type"` // "proto", "openapi", "graphql", "typescript", "go", "npm", ...

	// Confidence is in [0, 1], made of the three below; Level is "high", "medium" or
	// "low". See package federate.
	Confidence          float64 `json:"confidence"`
	Level               string  `json:"confidence_level"`
	ExactMatch          float64 `json:"exact_match"`
	SignatureSimilarity float64 `json:"signature_similarity"`
	ContractBonus       float64 `json:"contract_bonus"`
	Rule                string  `json:"rule"` // by which it was found

	SourceFile string `json:"source_file,omitempty"` // relative to the source's folder
	SourceLine int    `json:"source_line,omitempty"` // where it says so first
	TargetRoot string `json:"target_root,omitempty"` // the target's folder, absolute
	TargetFile string `json:"target_file,omitempty"` // relative to TargetRoot; a folder for a package
	StartLine  int    `json:"start_line,omitempty"`  // of the target; 0 where there are no lines
	EndLine    int    `json:"end_line,omitempty"`
	Signature  string `json:"signature,omitempty"` // of the target

	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"` // when anything of it changed
}

// File returns where the target is, as "repo://path".
func (e *VirtualEdge) File() string { return e.TargetRepo + "://" + e.TargetFile }
