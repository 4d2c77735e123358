// Package grounding checks what a model writes about code against the code, for package
// spec/model.
//
// A model answers with statements and citations: an [Answer], whose JSON Schema is [Schema].
// [Source.Check] removes statements that name a symbol, signature or file that does not exist,
// and citations of lines that do not exist. It marks statements without a citation as
// inferred. Text in the source that addresses models ("ignore all previous instructions")
// cannot support a statement.
package grounding

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Answer is a model's answer about a module. It has no fields for signatures, names or paths,
// because those come from the code.
type Answer struct {
	Intent       []Statement `json:"intent"`
	Requirements []About     `json:"requirements"`
	Logic        []Statement `json:"business_logic"`
	Constraints  []Statement `json:"constraints"`
	EdgeCases    []Statement `json:"edge_cases"`
	Debt         []Statement `json:"technical_debt"`
}

// Statement is one statement with its evidence.
type Statement struct {
	Text     string   `json:"text"`     // one paragraph of Markdown
	Cites    []string `json:"cites"`    // "path:line" of the evidence
	Inferred bool     `json:"inferred"` // follows from the code, but no single line shows it
}

// About is a statement about an item with an id.
type About struct {
	ID string `json:"id"`
	Statement
}

// parts returns the answer's lists of statements with their JSON names.
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

// Schema returns the JSON Schema of an [Answer]. All fields are required and no others are
// permitted, as providers demand of structured output.
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
		panic(err) // maps of strings always encode
	}
	return text
}

// object returns the schema of an object with exactly these properties.
func object(properties map[string]any) map[string]any {
	var names []string
	for name := range properties {
		names = append(names, name)
	}
	return map[string]any{"type": "object", "properties": properties, "required": sorted(names), "additionalProperties": false}
}

// Limits of an answer; the excess is dropped.
const (
	maxStatements = 60
	maxTextBytes  = 4000
	maxCites      = 8
)

// Parse decodes an answer. Text around the JSON object, which some models add, is ignored.
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

// bound makes a statement a single paragraph within the limits.
func (s *Statement) bound() {
	s.Text = strings.Join(strings.Fields(strings.ToValidUTF8(s.Text, "")), " ")
	if len(s.Text) > maxTextBytes {
		s.Text = strings.ToValidUTF8(s.Text[:maxTextBytes], "") + " …"
	}
	s.Cites = s.Cites[:min(len(s.Cites), maxCites)]
}

// Mark returns the mark of inferred statements in the language of a spec.
func Mark(lang string) string { return message.Translate(message.Lang(lang), "[inferred]") }

// Markdown returns the statement as it appears in a spec, with the mark if it is inferred, and
// its citations.
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

// Inferred counts the inferred statements.
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
