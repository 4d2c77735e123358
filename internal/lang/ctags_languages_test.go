package lang_test

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func goOpinion() opinion {
	return opinion{
		language: "go", kinds: []string{"func", "struct", "interface", "methodSpec"},
		reasons: []reason{
			{"the blank name is nobody's", func(d difference) bool { return d.last() == "_" }},
			{"ctags does not read generic types and their methods", func(d difference) bool {
				return strings.Contains(d.row(d.line), "[") || d.ours && d.last() != d.name && generic(d)
			}},
			{"ctags does not read types in a group, or in braces on one line", func(d difference) bool {
				return d.ours && (!strings.HasPrefix(strings.TrimSpace(d.row(d.line)), "type ") || strings.Contains(d.row(d.line), "{"))
			}},
			anonymous(), insideFunction(),
		},
	}
}

// generic reports whether the enclosing type of a definition has type parameters.
func generic(d difference) bool {
	s := named(d.read.Symbols, d.owner())
	return s != nil && len(s.TypeParameters) > 0
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
	return opinion{
		language: "javascript", grammar: syntax.JavaScript, kinds: []string{"function", "generator", "class", "method"},
		reasons: ecmaReasons(),
	}
}

func typescriptOpinion() opinion {
	return opinion{
		language: "typescript", grammar: syntax.TypeScript, kinds: []string{"function", "generator", "class", "interface", "enum", "method"},
		reasons: ecmaReasons(),
	}
}

func ecmaReasons() []reason {
	of := func(d difference, kinds ...code.Kind) bool {
		s := named(d.read.Symbols, d.name)
		return s != nil && slices.Contains(kinds, s.Kind)
	}
	ownerOf := func(d difference, kinds ...code.Kind) bool {
		s := named(d.read.Symbols, d.owner())
		return s != nil && slices.Contains(kinds, s.Kind)
	}
	row := func(d difference) string { return strings.TrimSpace(d.row(d.line)) }
	return []reason{
		{"a function that is the value of a variable: ctags lists it as a constant, or not", func(d difference) bool {
			s := named(d.read.Symbols, d.name)
			return d.ours && s != nil && hasPrefix(s.Signature, "const ", "let ", "var ", "declare const ")
		}},
		{"a property or accessor to us, a method to ctags", func(d difference) bool {
			return !d.ours && of(d, code.Property, code.Getter, code.Setter, code.Variable, code.Const)
		}},
		{"a member of an interface or of an object, which ctags lists as a property or not", func(d difference) bool {
			return d.ours && ownerOf(d, code.Interface, code.TypeDef, code.Const, code.Variable, code.Property, code.Function)
		}},
		{"a constructor, which ctags does not list by itself", func(d difference) bool { return d.ours && d.kind == "constructor" }},
		{"ctags loses members behind syntax that it does not know", func(d difference) bool { return d.ours && d.kind == "method" && ownerOf(d, code.Class) }},
		{"a module or namespace, or in one, which ctags calls otherwise", func(d difference) bool {
			return d.kind == "module" || d.twin != "" || strings.Contains(string(d.src), "declare module") || strings.Contains(string(d.src), "declare global")
		}},
		anonymous(),
		insideFunction(),
		{"set on an object or prototype, not declared: no symbol to us", func(d difference) bool {
			return !d.ours && strings.Contains(row(d), "=")
		}},
		{"a function expression, no declaration", func(d difference) bool {
			at := strings.Index(row(d), "function")
			return !d.ours && (at > 0 && !hasPrefix(row(d), "export", "async") || strings.Contains(row(d), "=>"))
		}},
		{"declared in a block, seen only there", func(d difference) bool {
			return !d.ours && hasPrefix(d.row(d.line), " ", "\t")
		}},
		{"a computed name, which ctags does not list", func(d difference) bool { return d.ours && strings.Contains(d.name, "[") }},
		{"the line declares it; ctags loses what stands behind syntax that it does not know", func(d difference) bool {
			return d.ours && (strings.Contains(row(d), "function "+d.last()) || strings.Contains(row(d), "class "+d.last()))
		}},
		{"a class that is made by a call in an extends clause, which ctags does not read", func(d difference) bool {
			s := named(d.read.Symbols, d.name)
			return d.ours && s != nil && s.Kind == code.Class && len(s.Bases) > 0
		}},
		{"exported by CommonJS under another name, or from an object", func(d difference) bool { return d.ours && strings.Contains(row(d), "exports") }},
	}
}

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

func pythonOpinion() opinion {
	return opinion{
		language: "python", grammar: syntax.Python, kinds: []string{"class", "function", "member"},
		reasons: []reason{
			{"a property to us, a method to ctags", func(d difference) bool {
				s := named(d.read.Symbols, d.name)
				return !d.ours && s != nil && (s.Kind == code.Property || s.Kind == code.Getter || s.Kind == code.Setter)
			}},
			insideFunction(),
			{"in a branch of an if that asks for Python's version, of which one is read", func(d difference) bool { return strings.HasPrefix(d.row(d.line), " ") && !d.ours }},
		},
	}
}

func rustOpinion() opinion {
	return opinion{
		language: "rust", grammar: syntax.Rust, kinds: []string{"struct", "interface", "function", "enum", "method"},
		rename: func(d definition) string { // ctags gives only the innermost enclosing name of a method
			return lastPart(d.owner()) + "." + d.last()
		},
		reasons: []reason{
			{"compiled for tests alone: no symbol outside files of tests", func(d difference) bool { return !d.ours && inTestModule(d) }},
			insideFunction(),
			{"ctags calls it by a type parameter or by nothing: it misreads generic impls", func(d difference) bool { return d.twin != "" }},
			{"a module's name, which ctags gives only to files it follows", func(d difference) bool { return d.kind == "module" }},
		},
	}
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// inTestModule reports whether the nearest #[cfg(test)] above a line opens a module, or the
// definition itself is a #[test].
func inTestModule(d difference) bool {
	for line := d.line; line > 0; line-- {
		row := strings.TrimSpace(d.row(line))
		if strings.HasPrefix(row, "#[cfg(") && strings.Contains(row, "test") || strings.HasPrefix(row, "#[test]") {
			return true
		}
	}
	return false
}
