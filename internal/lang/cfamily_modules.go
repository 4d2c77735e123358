package lang

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// The grammar is older than modules (C++20 [module]). They are read off the text:
// what is imported, and what is exported; the parser is shown neither.

// moduleScan goes over the statements of a text that may be of a module.
type moduleScan struct {
	text    []byte
	tokens  []cToken
	module  bool // it declares a module that others can import
	unit    span // that declaration, with the module's name
	imports []code.Import
	starts  []int  // offsets of the imports, in parallel
	exports []span // declarations that are exported
	hide    []span // what is not shown
}

// scanModule reads the module declarations of a text.
func scanModule(text []byte) *moduleScan {
	m := &moduleScan{text: text}
	if !bytes.Contains(text, []byte("import")) && !bytes.Contains(text, []byte("export")) && !bytes.Contains(text, []byte("module")) {
		return m
	}
	m.tokens = cTokens(text, true)
	begins, depth := true, 0 // whether a statement may begin here
	for i := 0; i < len(m.tokens); i++ {
		if begins && m.tokens[i].kind == cWord {
			i = m.statement(i, depth)
		}
		text := m.at(i)
		switch text {
		case "{":
			depth++
		case "}":
			depth--
		}
		begins = text == ";" || text == "{" || text == "}" || text == "export" || m.tokens[i].kind == cDirective
	}
	return m
}

func (m *moduleScan) at(i int) string {
	if i < 0 || i >= len(m.tokens) {
		return ""
	}
	return string(m.text[m.tokens[i].start:m.tokens[i].end])
}

// statement reads the module declaration that begins at i, if one does, and
// returns its last token.
func (m *moduleScan) statement(i, depth int) int {
	switch text := m.at(i); text {
	case "import", "module":
		if depth == 0 {
			return m.named(i, text)
		}
	case "export":
		word := m.tokens[i]
		m.hide = append(m.hide, span{start: word.start, end: word.end})
		if next := m.at(i + 1); next == "import" || next == "module" {
			return i
		}
		end := m.end(i)
		m.exports = append(m.exports, span{start: word.start, end: end})
		if m.at(i+1) == "{" {
			open := m.tokens[i+1].start
			m.hide = append(m.hide, span{start: open, end: open + 1}, span{start: end - 1, end: end})
		}
	}
	return i
}

// named reads the name of a module, a part of one or a header unit.
func (m *moduleScan) named(i int, word string) int {
	const most = 64 // tokens that a name has
	var text strings.Builder
	end := i + 1
	for ; end < min(len(m.tokens), i+most) && m.at(end) != ";"; end++ {
		text.WriteString(m.at(end))
	}
	name := text.String()
	if m.at(end) != ";" || strings.ContainsAny(name, "=(){}") || name != "" && !m.isName(i+1) || name == "" && word == "import" {
		return i
	}
	m.hide = append(m.hide, span{start: m.tokens[i].start, end: m.tokens[end].end})
	again := m.at(i-1) == "export"
	if word == "module" {
		if again {
			m.module, m.unit = true, span{start: m.tokens[i-1].start, end: m.tokens[end].end, name: name}
		}
		return end
	}
	m.starts = append(m.starts, m.tokens[i].start)
	m.imports = append(m.imports, code.Import{
		Module: strings.Trim(name, `<>"`), Relative: strings.HasPrefix(name, `"`), Reexport: again, Kind: code.StaticImport,
	})
	return end
}

// isName tells whether the name of a module or of a header begins at i.
func (m *moduleScan) isName(i int) bool {
	text := m.at(i)
	return i < len(m.tokens) && m.tokens[i].kind == cWord || text == "<" || text == ":" || strings.HasPrefix(text, `"`)
}

// end is where the declaration after the token i ends.
func (m *moduleScan) end(i int) int {
	depth := 0
	for ; i < len(m.tokens); i++ {
		switch m.at(i) {
		case "{", "(":
			depth++
		case "}", ")":
			depth--
			if depth == 0 && m.at(i) == "}" {
				return m.tokens[i].end
			}
		case ";":
			if depth == 0 {
				return m.tokens[i].end
			}
		}
	}
	return len(m.text)
}

// modules takes what the file imports and exports, and returns the module that it
// declares.
func (c *cReader) modules() []*cDecl {
	if !c.cpp {
		return nil
	}
	m := scanModule(c.Source[:c.written])
	c.module, c.exports = m.module, m.exports
	for i, imp := range m.imports {
		imp.Line = c.Line(m.starts[i])
		c.file.Imports = append(c.file.Imports, imp)
	}
	if !m.module {
		return nil
	}
	d := &cDecl{span: len(c.spans)}
	d.Name, d.Kind, d.Visibility, d.Exported = m.unit.name, code.Module, code.Public, true
	d.Signature = c.reader.head(m.unit.start, m.unit.end, ";")
	d.SignatureHash = shortHash([]byte(words(d.Signature)))
	d.StartLine, d.EndLine = c.Line(m.unit.start), c.Line(m.unit.end)
	c.spans = append(c.spans, m.unit)
	return []*cDecl{d}
}

// isExported tells whether the declaration at offset stands in an export.
func (c *cReader) isExported(offset int) bool {
	for _, e := range c.exports {
		if e.start <= offset && offset < e.end {
			return true
		}
	}
	return false
}
