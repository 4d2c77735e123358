package spec

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// observed is an exported function whose documentation says something observable.
type observed struct {
	named
	shall, rules string // what its summary says that it does, and the rules after that
	tests        []*cases.Case
}

// observed returns the exported functions whose documentation says something observable that their names do not say, and that
// tests reach or that have a rule in it.
func (m *material) observed() []observed {
	var out []observed
	for _, s := range m.public {
		if s.Doc == "" || s.Kind != code.Function && s.Kind != code.Method {
			continue
		}
		doc := prose.Doc(s.Doc, m.languageOf(s.File))
		summary := doc.Summary()
		shall, rules := prose.Shall(summary, s.Name), observable(doc.Text, summary)
		if shall == "" || doc.Internal || doc.Deprecated != "" || !prose.SaysMore(summary+" "+rules, s.name, s.Signature) {
			continue
		}
		tests := m.reaching.Of(s.File, s.name, s.StartLine)
		if len(tests) == 0 && rules == "" {
			continue
		}
		out = append(out, observed{s, shall, rules, tests})
	}
	return out
}

// documented returns a statement for each function that is observed. Other documentation is part of the interface only.
func (m *material) documented() []statement {
	var out []statement
	for _, o := range m.observed() {
		out = append(out, m.documentedStatement(&o.named, o.shall, o.rules, o.tests))
	}
	return out
}

func (m *material) documentedStatement(s *named, shall, rules string, tests []*cases.Case) statement {
	out := statement{
		title: fmt.Sprintf(wording.In(m.lang, "%s SHALL %s", "%s 必须如文档所述：“%s”"), markdown.Code(s.name), markdown.QuotedRow(shall)),
		text:  foreign(rules, m.lang, "文档还说明：“%s”"), symbol: s.key, keys: []string{s.key}, at: []Evidence{{"doc", api.Place(s.Symbol)}},
	}
	out.text = above(out.text, m.exampleTable(m.examples(s, m.direct(s, tests))))
	for _, t := range tests {
		out.tests = append(out.tests, t.Place())
	}
	out.score = scoreTest * min(len(tests), maxScored)
	return out
}

// normative are words of sentences that say what can be observed.
var normative = strings.Fields("must never always only error errors fails raises throws panics returns ignored default defaults nil null none empty unless before after until at least most")

// maxObservable limits the further sentences of a documented statement.
const maxObservable = 3

// observable returns the sentences of documentation after the first that say what can be observed, on one line.
func observable(text, summary string) string {
	first, _, _ := strings.Cut(text, "\n\n")
	_, rest := markdown.Sentence(first, len(first))
	var out []string
	for rest != "" && len(out) < maxObservable {
		var sentence string
		sentence, rest = markdown.Sentence(rest, len(rest))
		if sentence != summary && strings.HasSuffix(sentence, ".") && saysObservable(sentence) {
			out = append(out, sentence)
		}
	}
	return markdown.QuotedRow(strings.Join(out, " "))
}

// saysObservable reports whether a sentence has one of the words of normative sentences.
func saysObservable(sentence string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(sentence)) {
		for _, w := range normative {
			if strings.Trim(word, "`.,;:()") == w {
				return true
			}
		}
	}
	return false
}

// foreign returns a sentence of documentation; one in another language than a Chinese page is quoted by a format.
func foreign(text, lang, zh string) string {
	if text == "" || strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Han, c) }) {
		return text
	}
	return wording.In(lang, text, strings.Replace(zh, "%s", text, 1))
}
