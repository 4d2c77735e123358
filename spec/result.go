package spec

import "github.com/reverse-spec/reverse-spec/internal/message"

// GenerateResult is the result of [Generate].
type GenerateResult struct {
	SpecPath   string     `json:"specPath"` // relative to the project
	TokenUsage int        `json:"tokenUsage"`
	Confidence Confidence `json:"confidence"`
	Warnings   []string   `json:"warnings"` // never nil
	// Claims counts the claims by how tests show them, if the tools of the tests measured which lines run; otherwise nil.
	Claims *ClaimCounts `json:"claims,omitempty"`
	// Degraded reports whether the writer failed, so that the spec holds only what the code
	// proves.
	Degraded bool `json:"degraded,omitempty"`
	// Outline is what the claims say, for the formats of other tools; nil unless [GenerateOptions] ask for it.
	Outline *Outline `json:"-"`
	// Failure is the writer's error, which is also in a warning; nil unless Degraded.
	Failure error `json:"-"`
}

// Err returns nil, or a [*DegradedError] for a spec that was written without the writer.
func (r *GenerateResult) Err() error {
	if r.Failure == nil {
		return nil
	}
	return &DegradedError{SpecPath: r.SpecPath, Err: r.Failure}
}

// DegradedError reports that a writer failed, and the path of the spec without its prose.
type DegradedError struct {
	SpecPath string // relative to the project
	Err      error  // the writer's
}

func (e *DegradedError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *DegradedError) In(lang message.Lang) string {
	return message.New("%v; the spec with what the code proves is written: %s", e.Err, e.SpecPath).In(lang)
}

func (e *DegradedError) Unwrap() error { return e.Err }

// Confidence is how far a spec can be trusted; [Generate] has the rule.
type Confidence string

// Levels of confidence.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)
