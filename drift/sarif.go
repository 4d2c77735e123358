package drift

import (
	"io"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/annotation"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// findings returns the items for forges: what breaks users is an error, LOW a note.
func (r *Report) findings() []annotation.Finding {
	var out []annotation.Finding
	for _, i := range r.Items {
		level := annotation.Warning
		switch {
		case i.Breaking:
			level = annotation.Error
		case i.Severity == Low:
			level = annotation.Note
		}
		text := []string{i.Description}
		for _, f := range i.facts() {
			text = append(text, f.words.In(r.Lang)+": "+f.value)
		}
		file, line := splitLocation(i.Location)
		out = append(out, annotation.Finding{Rule: i.Rule, Title: i.SymbolName, Text: strings.Join(text, "\n"), File: file, Line: line, Level: level})
	}
	return out
}

// SARIF returns the report in SARIF 2.1.0.
func (r *Report) SARIF() []byte { return SARIF(r.findings(), r.Lang) }

// Annotations writes the report as workflow commands of GitHub.
func (r *Report) Annotations(w io.Writer) error { return annotation.GitHub(w, r.findings()) }

// SARIF returns findings under the rules of this package in SARIF 2.1.0; descriptions of rules are in lang.
func SARIF(list []annotation.Finding, lang message.Lang) []byte {
	var known []annotation.Rule
	for _, rule := range rules {
		if slices.ContainsFunc(list, func(f annotation.Finding) bool { return f.Rule == rule.ID }) {
			known = append(known, annotation.Rule{ID: rule.ID, Text: message.Translate(lang, rule.Words)})
		}
	}
	return annotation.SARIF(known, list)
}
