// Package grounding keeps what a model writes about code true to the code.
//
// A model answers in statements with citations: an [Answer], whose JSON Schema is
// [Schema]. [Source.Check] holds each of them against the code: a statement that
// names a symbol, a signature or a file that is not there is taken out, a citation
// of a line that is not there too, and what no line is cited for is marked as
// inferred. Text in the source that speaks to models ("ignore all previous
// instructions") is nothing a statement may depend on.
package grounding

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Answer is what a model says of a module. There is no place in it for signatures,
// names or paths of their own: those come from the code.
type Answer struct {
	Intent       []Statement `json:"intent"`
	Requirements []About     `json:"requirements"`
	Logic        []Statement `json:"business_logic"`
	Constraints  []Statement `json:"constraints"`
	EdgeCases    []Statement `json:"edge_cases"`
	Debt         []Statement `json:"technical_debt"`
}

// Statement is one thing said, and where it is seen.
type Statement struct {
	Text     string   `json:"text"`     // Markdown, a paragraph
	Cites    []string `json:"cites"`    // "path:line" of what shows it
	Inferred bool     `json:"inferred"` // it follows from the code, but no line says it
}

// About is a statement about something that has an id.
type About struct {
	ID string `json:"id"`
	Statement
}

// parts returns the answer's lists of statements, with their names in JSON.
func (a *Answer) parts() []part {
	return []part{
		{"intent", &a.Intent},
		{"business_logic", &a.Logic},
		{"constraints", &a.Constraints},
		{"edge_cases", &a.EdgeCases},
		{"technical_debt", &a.Debt},
	}
}

type part struct {
	name string
	list *[]Statement
}

// Schema returns the JSON Schema of an [Answer]: every field is required and none
// may be added, as providers want it of structured answers.
func Schema() json.RawMessage {
	statement := map[string]any{
		"text":     map[string]any{"type": "string", "description": "One paragraph of plain Markdown. Names of code in backticks, exactly as in the source."},
		"cites":    map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "description": "The lines that show it, as path:line, from the source given."},
		"inferred": map[string]any{"type": "boolean", "description": "True when it follows from the code but no line says it."},
	}
	about := map[string]any{"id": map[string]any{"type": "string", "description": "The id of a requirement of the spec."}}
	maps.Copy(about, statement)
	list := func(item map[string]any) map[string]any { return map[string]any{"type": "array", "items": item} }
	properties := map[string]any{"requirements": list(object(about))}
	for _, p := range new(Answer).parts() {
		properties[p.name] = list(object(statement))
	}
	text, err := json.Marshal(object(properties))
	if err != nil {
		panic(err) // of maps of texts
	}
	return text
}

// object returns the schema of an object that has these properties and no others.
func object(properties map[string]any) map[string]any {
	var names []string
	for name := range properties {
		names = append(names, name)
	}
	return map[string]any{"type": "object", "properties": properties, "required": sorted(names), "additionalProperties": false}
}

// Bounds of an answer; what is beyond is left out.
const (
	maxStatements = 60
	maxTextBytes  = 4000
	maxCites      = 8
)

// Parse reads an answer. Of a model that cannot answer in JSON alone the text around
// the object is skipped.
func Parse(raw []byte) (*Answer, error) {
	from, to := bytes.IndexByte(raw, '{'), bytes.LastIndexByte(raw, '}')
	if from < 0 || to < from {
		return nil, message.Errorf("the model's answer holds no JSON object")
	}
	var a Answer
	if err := json.Unmarshal(raw[from:to+1], &a); err != nil {
		return nil, message.Errorf("the model's answer is not the JSON that was asked for: %w", err)
	}
	for _, p := range a.parts() {
		*p.list = (*p.list)[:min(len(*p.list), maxStatements)]
		for i := range *p.list {
			(*p.list)[i].bound()
		}
	}
	for i := range a.Requirements {
		a.Requirements[i].bound()
	}
	return &a, nil
}

// bound makes a statement one paragraph within the bounds.
func (s *Statement) bound() {
	s.Text = strings.Join(strings.Fields(strings.ToValidUTF8(s.Text, "")), " ")
	if len(s.Text) > maxTextBytes {
		s.Text = strings.ToValidUTF8(s.Text[:maxTextBytes], "") + " …"
	}
	s.Cites = s.Cites[:min(len(s.Cites), maxCites)]
}

// Mark is what stands before an inferred statement, in the language of a spec.
func Mark(lang string) string { return message.Translate(message.Lang(lang), "[inferred]") }

// Markdown returns the statement as it stands in a spec: marked where it is inferred,
// with its citations.
func (s Statement) Markdown(lang string) string {
	text := s.Text
	if s.Inferred {
		text = Mark(lang) + " " + text
	}
	if len(s.Cites) == 0 {
		return text
	}
	return text + " (`" + strings.Join(s.Cites, "`, `") + "`)"
}

// Inferred counts the statements that no line bears.
func (a *Answer) Inferred() int {
	n := 0
	for _, p := range a.parts() {
		for _, s := range *p.list {
			n += count(s.Inferred)
		}
	}
	for _, r := range a.Requirements {
		n += count(r.Inferred)
	}
	return n
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
