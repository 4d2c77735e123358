// Package annotated shows what did not pass of contract tests beside the code, as forges do.
package annotated

import (
	"cmp"
	"io"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/annotation"
	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// findings lists what did not pass, in the order of the report. What was blocked is none: it says nothing about the code.
func findings(r *contracttest.Report) []annotation.Finding {
	var out []annotation.Finding
	add := func(rule, title, text, file string, line int) {
		out = append(out, annotation.Finding{Rule: rule, Title: title, Text: text, File: file, Line: line, Level: annotation.Error})
	}
	for _, s := range r.Specs {
		for _, t := range s.Tests {
			if !t.Outcome.Unsettled() {
				continue
			}
			rule := "contract-test-" + string(t.Outcome)
			for _, ran := range t.NotPassed {
				if ran.Outcome == contracttest.Failed || ran.Outcome == contracttest.Gone {
					text := strings.TrimSuffix(ran.Name+": "+cmp.Or(ran.Reason, string(ran.Outcome)), ": ")
					if len(ran.Covers) > 0 {
						text += " (" + strings.Join(ran.Covers, ", ") + ")"
					}
					add(rule, t.ID, text, ran.File, ran.Line)
				}
			}
			if len(out) == 0 || out[len(out)-1].Title != t.ID {
				add(rule, t.ID, t.Title+": "+t.Reason, s.Path, 0)
			}
		}
	}
	return out
}

// GitHub writes what did not pass as workflow commands of GitHub, which shows them at the files.
func GitHub(w io.Writer, r *contracttest.Report) error { return annotation.GitHub(w, findings(r)) }

// SARIF returns what did not pass in SARIF 2.1.0. Texts are in lang.
func SARIF(r *contracttest.Report, lang message.Lang) []byte {
	return annotation.SARIF([]annotation.Rule{
		{ID: "contract-test-" + string(contracttest.Failed), Text: message.New("a contract test failed: the code does not do what its spec says").In(lang)},
		{ID: "contract-test-" + string(contracttest.TimedOut), Text: message.New("a contract test took too long").In(lang)},
	}, findings(r))
}
