package drift

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Severity is the contract's severity of a change.
type Severity string

// Severities. High is reserved for removals.
const (
	High   Severity = "HIGH"
	Medium Severity = "MEDIUM"
	Low    Severity = "LOW"
)

// Category is the kind of promise that changed.
type Category string

// Categories.
const (
	Interface  Category = "Interface"
	Behavior   Category = "Behavior"
	Constraint Category = "Constraint"
)

// ChangeType is the kind of change.
type ChangeType string

// Change types.
const (
	Addition     ChangeType = "addition"
	Removal      ChangeType = "removal"
	Modification ChangeType = "modification"
)

// Item is one difference between a spec and the code. OldValue and NewValue are
// never both empty.
type Item struct {
	ID             string     `json:"id"` // DRIFT-001, ...
	Severity       Severity   `json:"severity"`
	Breaking       bool       `json:"breaking"` // a user of the code must change theirs
	Category       Category   `json:"category"`
	ChangeType     ChangeType `json:"changeType"`
	Rule           string     `json:"rule"`     // id in the rule table: "export-removed"
	Location       string     `json:"location"` // file:line, relative to the project
	SymbolName     string     `json:"symbolName,omitempty"`
	Description    string     `json:"description"`
	OldValue       string     `json:"oldValue,omitempty"`
	NewValue       string     `json:"newValue,omitempty"`
	ProposedUpdate string     `json:"proposedUpdate"`
	DetectedBy     string     `json:"detectedBy"` // "structural"; "semantic" if found by a model
	// Statements are those of the spec that say otherwise than the code does now, Related those about the same symbol
	// that may or may not. Tests are those that show a statement: file:line, or a file and a name.
	Statements []Statement `json:"statements,omitempty"`
	Related    []Statement `json:"related,omitempty"`
	Tests      []string    `json:"tests,omitempty"`
	// Was and Is are the lines of the code that show the old and the new value; nil if unknown.
	Was *Source `json:"was,omitempty"`
	Is  *Source `json:"is,omitempty"`

	// Bodies are the code of a declaration of which the body changed, before and now, for those who show both; nil if one is unknown.
	Bodies *[2]Body `json:"-"`

	old, now *spec.RecordedClaim // what an item about behaviour is about; nil for others
	symbols  [2]*code.Symbol     // before and now, of an item about a declaration
}

// Statement is a requirement or a scenario of a spec.
type Statement struct {
	ID       string `json:"id"` // REQ-AUTH-001, SC-AUTH-002; of an adopted spec login/sign-in
	Title    string `json:"title"`
	Location string `json:"location"`          // file:line of its heading in the spec
	Adopted  bool   `json:"adopted,omitempty"` // a person wrote the spec
}

// Body is the code of a declaration, without secrets.
type Body struct {
	File  string
	First int // number of the first line
	Lines []string
	// Same are the numbers of lines at the beginning and at the end that the other side has, too, except their format.
	Same [2]int
}

// Source is a line of code.
type Source struct {
	Location string `json:"location"` // file:line; of Was as it was then
	Text     string `json:"text,omitempty"`
}

// Summary counts the items of a report.
type Summary struct {
	TotalChanges  int `json:"totalChanges"`
	High          int `json:"high"`
	Medium        int `json:"medium"`
	Low           int `json:"low"`
	Breaking      int `json:"breaking"`
	Additions     int `json:"additions"`
	Removals      int `json:"removals"`
	Modifications int `json:"modifications"`
}

// Report is the contract's DriftReport.
type Report struct {
	SpecPath       string         `json:"specPath"` // the spec, or "git:<rev>" if the baseline is a revision
	SourcePath     string         `json:"sourcePath"`
	GeneratedAt    string         `json:"generatedAt"` // RFC 3339, UTC
	SpecVersion    string         `json:"specVersion"` // v1, v2, ...; the commit if the baseline is a revision
	Summary        Summary        `json:"summary"`
	Items          []Item         `json:"items"`         // never nil; breaking first, then by severity and place
	FilteredNoise  int            `json:"filteredNoise"` // differences without meaning, counted
	NoiseByKind    map[string]int `json:"noiseByKind"`   // whitespace, comments, import-order, trailing-commas, semicolons
	Recommendation string         `json:"recommendation"`
	OutputPath     string         `json:"outputPath,omitempty"` // the report file, relative to the project
	Warnings       []string       `json:"warnings"`
	Parts          []Part         `json:"parts,omitempty"`   // the comparisons, if there were several
	Updated        []Updated      `json:"updated,omitempty"` // what [Update] rewrote
	Lang           message.Lang   `json:"-"`                 // of the texts; "" is English
}

// Result is the result of [Compare].
type Result struct {
	Items []Item         // breaking first, then by severity and place; never nil
	Noise map[string]int // differences without meaning, by kind; never nil
}

// count fills the summary from the items.
func (r *Report) count() {
	r.Summary = Summary{TotalChanges: len(r.Items)}
	for _, i := range r.Items {
		switch i.Severity {
		case High:
			r.Summary.High++
		case Medium:
			r.Summary.Medium++
		case Low:
			r.Summary.Low++
		}
		switch i.ChangeType {
		case Addition:
			r.Summary.Additions++
		case Removal:
			r.Summary.Removals++
		case Modification:
			r.Summary.Modifications++
		}
		if i.Breaking {
			r.Summary.Breaking++
		}
	}
}

// Fails reports whether the report has drift at or above a level: "high",
// "medium" (also ""), "low", or "breaking" for anything that breaks users
// whatever its severity. Another level is an error.
func (r *Report) Fails(level string) (bool, error) {
	s := r.Summary
	switch strings.ToLower(level) {
	case "high":
		return s.High > 0, nil
	case "medium", "":
		return s.High+s.Medium > 0, nil
	case "low":
		return s.TotalChanges > 0, nil
	case "breaking":
		return s.Breaking > 0, nil
	}
	return false, message.Errorf("no such level: %q (high, medium, low or breaking)", level)
}

// recommend returns a recommendation for the items.
func (r *Report) recommend() message.Text {
	s := r.Summary
	switch {
	case s.TotalChanges == 0:
		return message.New("no drift: the spec and the code agree")
	case s.High > 0 || s.Breaking > 0:
		return message.New("%v, %d of them HIGH: confirm that the removals and incompatibilities are intended, then update the spec and tell its users",
			message.Count(s.Breaking, "%d breaking change", "%d breaking changes"), s.High)
	case s.Medium > 0:
		return message.New("%v: check behaviour and constraints, then update the spec as proposed",
			message.Count(s.Medium, "%d MEDIUM change", "%d MEDIUM changes"))
	}
	return message.New("%v and nothing else: regenerate the spec when convenient", message.Count(s.Low, "%d LOW change", "%d LOW changes"))
}
