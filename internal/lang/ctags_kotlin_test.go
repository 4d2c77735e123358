package lang_test

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kotlinOpinion compares Kotlin with universal-ctags.
func kotlinOpinion() opinion {
	return opinion{
		language: "kotlin", grammar: syntax.Kotlin,
		kinds:  []string{"class", "interface", "method", "object"},
		rename: kotlinRename,
		reasons: []reason{
			{"declared in the body of a function, a property or a block", func(d difference) bool { return !d.ours && inKotlinBody(d) }},
			{"takes a name in backticks for another text", func(d difference) bool {
				return strings.Contains(d.row(d.line), "`") || strings.Contains(d.name, "/") || strings.Contains(d.name, "`")
			}},
			{"takes a parameter of a lambda or a variable of a loop for a function", func(d difference) bool {
				row := d.row(d.line)
				return !d.ours && !strings.Contains(row, "fun ") && (strings.Contains(row, "->") || strings.Contains(row, "for ("))
			}},
			{"does not know value classes", func(d difference) bool { return d.ours && strings.Contains(d.row(d.line), "value class ") }},
			{"stands in a comment or a string", func(d difference) bool { return !d.ours && inKotlinText(d) }},
		},
	}
}

// kotlinRename keeps only the last part of a name: ctags loses the enclosing class after code
// that it cannot parse.
func kotlinRename(d definition) string {
	name := strings.Trim(d.last(), " `")
	if d.kind == string(code.Constructor) || name == "Companion" || strings.HasPrefix(name, "<") {
		return ""
	}
	return name
}

// inKotlinBody reports whether a definition is inside a member that we found.
func inKotlinBody(d difference) bool {
	return kotlinBodyAt(d.read.Symbols, d.line, d.last())
}

func kotlinBodyAt(list []code.Symbol, line int, name string) bool {
	for _, s := range list {
		if line < s.StartLine || line > s.EndLine {
			continue
		}
		body := s.BodyHash != "" && len(s.Members) == 0
		if body && s.Name != name {
			return true
		}
		if kotlinBodyAt(s.Members, line, name) {
			return true
		}
	}
	return false
}

// inKotlinText reports whether a line is in a comment or a multi-line string.
func inKotlinText(d difference) bool {
	row := strings.TrimSpace(d.row(d.line))
	return strings.HasPrefix(row, "*") || strings.HasPrefix(row, "//") || strings.HasPrefix(row, "/*")
}
