package lang_test

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

func goOpinion() opinion {
	return opinion{
		language: "go", kinds: []string{"func", "struct", "interface", "methodSpec"},
		reasons: []reason{
			{"the blank name is nobody's", func(d difference) bool { return d.last() == "_" }},
			anonymous(), insideFunction(),
		},
	}
}

func javaOpinion() opinion {
	return opinion{
		language: "java", grammar: syntax.Java,
		kinds: []string{"annotation", "class", "enum", "interface", "method"},
		reasons: []reason{
			{"ctags takes an enum's constant with arguments or a body for a method", func(d difference) bool {
				s := named(d.read.Symbols, d.name)
				return !d.ours && s != nil && s.Kind == code.EnumMember
			}},
			{"a member of an enum's constant, which ctags takes for a method", func(d difference) bool {
				s := named(d.read.Symbols, d.owner())
				return d.ours && s != nil && s.Kind == code.EnumMember
			}},
			{"a module, which ctags does not know", func(d difference) bool { return d.ours && d.kind == "module" }},
			{"in or of a record, which ctags takes for a method", func(d difference) bool {
				return strings.Contains(string(d.src), "record "+d.last()) || strings.Contains(d.name, ".") && strings.Contains(string(d.src), "record "+lastPart(d.owner()))
			}},
			{"in or of a sealed type, which ctags does not know", func(d difference) bool {
				return bytes.Contains(d.src, []byte("sealed"))
			}},
			anonymous(), insideFunction(),
		},
	}
}

func javascriptOpinion() opinion {
	return opinion{language: "javascript", grammar: syntax.JavaScript, kinds: []string{"function", "generator", "class", "method"}}
}

func pythonOpinion() opinion {
	return opinion{language: "python", grammar: syntax.Python, kinds: []string{"class", "function", "member"}}
}

func rustOpinion() opinion {
	return opinion{
		language: "rust", grammar: syntax.Rust, kinds: []string{"struct", "interface", "function", "enum", "method"},
		rename: func(d definition) string { // ctags knows one name around a method
			return lastPart(d.owner()) + "." + d.last()
		},
		reasons: []reason{
			{"compiled for tests alone: no symbol outside files of tests", func(d difference) bool { return !d.ours && inTestModule(d) }},
			insideFunction(),
		},
	}
}

func typescriptOpinion() opinion {
	return opinion{language: "typescript", grammar: syntax.TypeScript, kinds: []string{"function", "generator", "class", "interface", "enum", "method"}}
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// inTestModule tells that the nearest #[cfg(test)] above a line opens a module, or
// that the definition is a #[test] itself.
func inTestModule(d difference) bool {
	for line := d.line; line > 0; line-- {
		row := strings.TrimSpace(d.row(line))
		if strings.HasPrefix(row, "#[cfg(") && strings.Contains(row, "test") {
			return true
		}
	}
	return false
}
