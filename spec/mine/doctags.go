package mine

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// documentedErrors are the failures that documentation lists by name: @throws,
// :raises, "Raises:", "# Errors".
var documentedErrors = Rule{
	ID: "documented-error", Evidence: "doc", Section: EdgeCase,
	En: "%s fails with %s%s", Zh: "%s 失败时给出 %s%s",
	find: func(m *Module, found func(Finding)) {
		m.symbols(func(name string, s *code.Symbol) {
			if !s.Exported || !strings.ContainsAny(s.Doc, "@:#<") {
				return
			}
			for _, e := range errorsOf(s.Doc) {
				why := ""
				if e.why != "" {
					why = ": " + plain(e.why)
				}
				found(Finding{Symbol: name, Words: []string{quote(name), quote(e.name), why}, At: []Place{symbolPlace(s)}})
			}
		})
	},
}

// documented is an error with the words on when it comes.
type documented struct{ name, why string }

// errorsOf reads the errors that a doc comment lists.
func errorsOf(doc string) []documented {
	var out []documented
	listed := false // inside a section on errors
	rows := strings.Split(doc, "\n")
	for i, row := range rows {
		text := strings.TrimSpace(row)
		low := strings.ToLower(text)
		switch {
		case low == "raises:" || low == "throws:" || low == "raises" && i+1 < len(rows) && strings.HasPrefix(strings.TrimSpace(rows[i+1]), "---"):
			listed = true
			continue
		case text == "" || strings.HasPrefix(text, "---"):
			listed = listed && strings.HasPrefix(text, "---")
			continue
		}
		if e, ok := taggedError(text, rows[i+1:]); ok {
			out = append(out, e)
			continue
		}
		if name, why, ok := strings.Cut(text, ":"); listed && ok && isErrorType(name) {
			out = append(out, documented{name, strings.TrimSpace(why)})
		}
	}
	return out
}

// errorTags begin the line that documents an error.
var errorTags = []string{"@throws ", "@exception ", ":raises ", ":raise "}

func taggedError(text string, next []string) (documented, bool) {
	for _, tag := range errorTags {
		rest, ok := strings.CutPrefix(text, tag)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, "{")
		name, why, _ := strings.Cut(rest, " ")
		name = strings.TrimRight(name, ":}")
		if !isErrorType(name) {
			return documented{}, false
		}
		for _, row := range next { // the sentence goes on in the following lines
			row = strings.TrimSpace(row)
			if row == "" || row[0] == '@' || row[0] == ':' || row[0] == '<' {
				break
			}
			why += " " + row
		}
		return documented{name, strings.TrimSpace(strings.TrimLeft(why, "-– "))}, true
	}
	return documented{}, false
}

// isErrorType tells the name of a type.
func isErrorType(name string) bool {
	return isWord(name) && !strings.HasPrefix(name, "-") && strings.ToLower(name) != name
}
