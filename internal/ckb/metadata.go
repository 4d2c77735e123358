package ckb

import (
	"cmp"
	_ "embed"
)

// Metadata is the contract's block about CKB in the metadata of an answer that may use it.
// [Schema] describes it.
type Metadata struct {
	Available    bool         `json:"ckb_available"`
	Reason       Reason       `json:"ckb_fallback_reason,omitempty"` // set when it is not available
	LastError    string       `json:"ckb_last_error,omitempty"`
	CooldownLeft int          `json:"ckb_cooldown_remaining_s,omitempty"` // seconds, from 1 to 60; 0 without a cool-down
	FallbackMode FallbackMode `json:"fallback_mode,omitempty"`            // set when it is not available
	FusionDepth  int          `json:"fusion_depth"`                       // steps that were walked in a graph, from 0 to 5
}

// FallbackMode is what an answer is based on without CKB.
type FallbackMode string

// The modes.
const (
	LocalGraph FallbackMode = "local_graph" // the project's own graph
	VectorOnly FallbackMode = "vector_only" // the search alone
)

// Metadata makes the block for an answer for which a graph was walked to a depth;
// local is set if the project has a graph of its own.
func (s Status) Metadata(depth int, local bool) Metadata {
	m := Metadata{
		Available: s.Available, Reason: s.Reason, LastError: s.LastError, CooldownLeft: s.CooldownLeft, FusionDepth: depth,
	}
	if s.Available {
		return m
	}
	m.Reason = cmp.Or(s.Reason, HealthCheckFailed) // of a zero status
	m.FallbackMode = VectorOnly
	if local && depth > 0 {
		m.FallbackMode = LocalGraph
	}
	return m
}

// Schema is the JSON Schema (draft 7) of [Metadata].
//
//go:embed metadata.schema.json
var Schema string
