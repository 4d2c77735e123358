package spec

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/lock"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// risks lists what a reader should know before relying on the module: requirements without a test, mistakes that no test notices, text that could not be
// parsed, deprecated parts, notes of the authors, secrets, functions that are hard to follow; "" for nothing.
func (m *material) risks(s *Spec) string {
	var rows []string
	rows = append(rows, m.untested(s)...)
	rows = append(rows, m.unnoticedRows(s)...)
	for _, e := range m.merged.ParseErrors {
		touched := ""
		if len(e.Affected) > 0 {
			touched = " · `" + strings.Join(e.Affected, "`, `") + "`"
		}
		rows = append(rows, fmt.Sprintf("- [SYNTAX ERROR: `%s:%d:%d` %s]%s", e.File, e.Line, e.Column, markdown.Quoted(markdown.Cell(e.Message)), touched))
	}
	rows = append(rows, m.secretRows()...)
	rows = append(rows, m.differences()...)
	rows = append(rows, m.databaseHazards()...)
	if row := m.unboundedPages(); row != "" {
		rows = append(rows, row)
	}
	rows = append(rows, m.claimRows(evidence.Smell)...)
	rows = append(rows, m.claimRows(evidence.Deprecation)...)
	rows = append(rows, m.claimRows(evidence.DeprecatedUse, evidence.Note, evidence.Complex)...)
	if unproven := strings.TrimSpace(m.unprovenRows()); unproven != "" {
		return strings.TrimSpace(strings.Join(rows, "\n") + "\n\n" + unproven)
	}
	return strings.Join(rows, "\n")
}

// untested lists the requirements that no test shows.
func (m *material) untested(s *Spec) []string {
	var ids, reached []string
	for i := range s.Requirements {
		r := &s.Requirements[i]
		switch {
		case len(r.Tests) > 0, len(m.trials()) == 0 && m.ofProgram(r.ID):
		case r.Reach > 0, r.Shown == lock.Reached:
			reached = append(reached, r.ID)
		default:
			ids = append(ids, r.ID)
		}
	}
	var out []string
	if len(ids) > 0 {
		out = append(out, "- "+wording.In(m.lang, "**No test**: ", "**无测试**：")+idList(ids))
	}
	if len(reached) > 0 {
		out = append(out, "- "+wording.In(m.lang, "**Reached by tests that name neither the error nor the result**: ", "**测试到达但未指明错误或结果**：")+idList(reached))
	}
	return out
}

// ofProgram reports whether a requirement is about routes or commands. Tests reach these through the program as a whole:
// if none is known to send requests, that does not say that there is none.
func (m *material) ofProgram(id string) bool {
	for _, c := range m.stated[id] {
		switch c.Kind {
		case evidence.Route, evidence.Refusal, evidence.Command, evidence.Service, evidence.Topic:
			return true
		default:
		}
	}
	return false
}
