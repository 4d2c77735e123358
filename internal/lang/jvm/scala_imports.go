package jvm

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/jvm/repair"
)

// imports reads all import and export clauses of the file, at any level.
func (s *scalaReader) imports() {
	for n := range s.Root().Descendants() {
		if !n.Is("import_declaration", "export_declaration") {
			continue
		}
		from := n.Child("import", "export").End()
		for _, clause := range importClauses(s.Source[from:max(s.end(n), from)]) {
			clause.Line, clause.Reexport = n.Line(), n.Is("export_declaration")
			s.File.Imports = append(s.File.Imports, clause)
		}
	}
}

// importClauses reads "a.b.{C => D, _}, x.y" (SLS 4.7; Reference, "Imports").
func importClauses(text []byte) []code.Import {
	tokens, _ := repair.ScalaTokens(text)
	var out []code.Import
	var clause []string
	depth := 0
	for _, t := range tokens {
		word := string(text[t.Start:t.End])
		switch word {
		case "{":
			depth++
		case "}":
			depth--
		case ",":
			if depth == 0 {
				out = append(out, importClause(clause)...)
				clause = nil
				continue
			}
		}
		clause = append(clause, word)
	}
	return append(out, importClause(clause)...)
}

// importClause reads the tokens of one clause.
func importClause(words []string) []code.Import {
	selectors := [][]string{nil}
	var module []string
	for i, word := range words {
		if word == "{" {
			module = words[:max(i-1, 0)]
			for _, w := range words[i+1:] {
				switch w {
				case ",":
					selectors = append(selectors, nil)
				case "}":
				default:
					selectors[len(selectors)-1] = append(selectors[len(selectors)-1], w)
				}
			}
			break
		}
	}
	if module == nil { // a.b.C, a.b.C as D
		last := 0
		for i, word := range words {
			if word == "." {
				last = i + 1
			}
		}
		module, selectors[0] = words[:max(last-1, 0)], words[last:]
	}
	imp := code.Import{Module: strings.ReplaceAll(strings.Join(module, ""), "`", ""), Kind: code.StaticImport}
	for _, s := range selectors {
		selected(&imp, s)
	}
	switch {
	case imp.Module == "" && len(imp.Named) == 0:
		return nil
	case imp.Module == "": // import scala as s
		imp.Module, imp.Named = imp.Named[0], nil
		if imp.Aliases != nil {
			imp.Namespace, imp.Aliases = imp.Aliases[0], nil
		}
	}
	return []code.Import{imp}
}

// selected adds the name in the tokens of a selector.
func selected(imp *code.Import, words []string) {
	if len(words) == 0 {
		return
	}
	name, alias := strings.Trim(words[0], "`"), ""
	switch {
	case name == "_":
		name = "*"
	case len(words) == 3 && (words[1] == "=>" || words[1] == "as"):
		alias = strings.Trim(words[2], "`")
	}
	imp.Named = append(imp.Named, name)
	if alias != "" && imp.Aliases == nil {
		imp.Aliases = make([]string, len(imp.Named)-1, len(imp.Named))
	}
	if imp.Aliases != nil {
		imp.Aliases = append(imp.Aliases, alias)
	}
}
