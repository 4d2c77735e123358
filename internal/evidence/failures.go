package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// errorValues finds errors that users can recognise: exported variables and classes named so.
var errorValues = Rule{
	Kind: ErrorValue,
	find: func(m *Module, found func(Claim)) {
		m.exports(func(name string, s *code.Symbol) {
			if isErrorName(s) {
				found(Claim{Subject: name, Role: string(s.Kind), At: []Place{symbolPlace(s)}})
			}
		})
	},
}

func isErrorName(s *code.Symbol) bool {
	last := lastName(s.Name)
	return s.Kind == code.Variable && strings.HasPrefix(last, "Err") ||
		s.Kind == code.Class && (strings.HasSuffix(last, "Error") || strings.HasSuffix(last, "Exception"))
}

// declaredErrors finds signatures that name the errors they throw.
var declaredErrors = Rule{
	Kind: DeclaredErrors,
	find: func(m *Module, found func(Claim)) {
		m.exports(func(name string, s *code.Symbol) {
			if i := strings.Index(s.Signature, " throws "); i >= 0 && s.Kind != code.Variable {
				clause, _, _ := strings.Cut(s.Signature[i+1:], " ->")
				found(Claim{Subject: name, Text: clause, At: []Place{symbolPlace(s)}})
			}
		})
	},
}

// failureWords are words with which documentation describes failures.
var failureWords = []string{"panic", "an error", "error if", "errors if", "error when", "throw", "raise", "fails", "must not", "is undefined"}

// Limits of the sentences about failures: their number for each symbol, and their length in
// bytes.
const (
	maxFailures    = 2
	maxFailureText = 400
)

// failureNotes finds sentences of documentation about failures.
var failureNotes = Rule{
	Kind: FailureNote,
	find: func(m *Module, found func(Claim)) {
		m.exports(func(name string, s *code.Symbol) {
			n := 0
			for _, text := range docSentences(s.Doc) {
				low := strings.ToLower(text)
				if n < maxFailures && len(text) <= maxFailureText && slices.ContainsFunc(failureWords, func(w string) bool { return strings.Contains(low, w) }) {
					found(Claim{Subject: name, Text: text, At: []Place{symbolPlace(s)}})
					n++
				}
			}
		})
	},
}

// docSentences returns the sentences of a doc comment, each on one line, without the parts that
// other rules read: tags, lists and headed sections.
func docSentences(doc string) []string {
	var out []string
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(withoutFences(doc), "\n@", "\n\n@"), "\n\n") {
		first, rest, _ := strings.Cut(paragraph, "\n")
		switch {
		case first == "" || strings.ContainsAny(first[:1], "@:-#*"),
			strings.HasSuffix(strings.TrimSpace(first), ":"),
			strings.HasPrefix(strings.TrimSpace(rest), "---"),
			strings.HasPrefix(first, "param "), strings.HasPrefix(first, "exception "):
			continue
		}
		out = append(out, sentences(strings.Join(strings.Fields(paragraph), " "))...)
	}
	return out
}

// withoutFences returns documentation without its fenced code, whose ends end a paragraph.
func withoutFences(doc string) string {
	if !strings.Contains(doc, "```") {
		return doc
	}
	var out strings.Builder
	fenced := false
	for row := range strings.Lines(doc) {
		switch isFence := strings.HasPrefix(strings.TrimSpace(row), "```"); {
		case isFence:
			fenced = !fenced
			out.WriteByte('\n')
		case !fenced:
			out.WriteString(row)
		}
	}
	return out.String()
}

// exports calls see for every exported symbol, and every exported member of one, with its
// qualified name.
func (m *Module) exports(see func(name string, s *code.Symbol)) {
	var walk func(owner string, list []code.Symbol)
	walk = func(owner string, list []code.Symbol) {
		for i := range list {
			if !list[i].Exported || m.stopped() {
				continue
			}
			name := list[i].Name
			if owner != "" {
				name = owner + "." + name
			}
			see(name, &list[i])
			walk(name, list[i].Members)
		}
	}
	walk("", m.Merged.Exports)
}
