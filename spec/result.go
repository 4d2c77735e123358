package spec

import "github.com/reverse-spec/reverse-spec/internal/message"

// GenerateResult is what Generate returns.
type GenerateResult struct {
	SpecPath   string     `json:"specPath"` // relative to the project
	TokenUsage int        `json:"tokenUsage"`
	Confidence Confidence `json:"confidence"`
	Warnings   []string   `json:"warnings"` // never nil
	// Degraded tells that the writer failed: the spec holds what the code proves.
	Degraded bool `json:"degraded,omitempty"`
	// Failure is why, in the words of the writer, which are also in a warning; nil unless
	// Degraded.
	Failure error `json:"-"`
}

// Err returns nil, or for a spec that was written without the writer a [*DegradedError].
func (r *GenerateResult) Err() error {
	if r.Failure == nil {
		return nil
	}
	return &DegradedError{SpecPath: r.SpecPath, Err: r.Failure}
}

// DegradedError says that a writer failed, and where the spec without it is.
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

// Confidence is how far a spec can be trusted; see the rule at [Generate].
type Confidence string

// The levels of confidence.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)
