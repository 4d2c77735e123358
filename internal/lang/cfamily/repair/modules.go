package repair

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// moduleScan holds the module declarations of a text.
type moduleScan struct {
	text    []byte
	tokens  []Token
	Module  bool      // it declares a module that others can import
	Unit    core.Span // the module declaration, with the module's name
	Imports []code.Import
	Starts  []int       // offsets of the imports, in parallel
	Exports []core.Span // exported declarations
	hide    []core.Span // text to hide from the parser
}

// ScanModule reads the module declarations of a text.
func ScanModule(text []byte) *moduleScan {
	m := &moduleScan{text: text}
	if !bytes.Contains(text, []byte("import")) && !bytes.Contains(text, []byte("export")) && !bytes.Contains(text, []byte("module")) {
		return m
	}
	m.tokens = Tokens(text, true)
	begins, depth := true, 0 // begins: a statement may begin here
	for i := 0; i < len(m.tokens); i++ {
		if begins && m.tokens[i].Kind == Word {
			i = m.statement(i, depth)
		}
		text := m.at(i)
		switch text {
		case "{":
			depth++
		case "}":
			depth--
		}
		begins = text == ";" || text == "{" || text == "}" || text == "export" || m.tokens[i].Kind == Directive
	}
	return m
}

func (m *moduleScan) at(i int) string {
	if i < 0 || i >= len(m.tokens) {
		return ""
	}
	return string(m.text[m.tokens[i].Start:m.tokens[i].End])
}

// statement reads the module declaration at i, if there is one, and returns the index of its
// last token.
func (m *moduleScan) statement(i, depth int) int {
	switch text := m.at(i); text {
	case "import", "module":
		if depth == 0 {
			return m.named(i, text)
		}
	case "export":
		word := m.tokens[i]
		m.hide = append(m.hide, core.Span{Start: word.Start, End: word.End})
		if next := m.at(i + 1); next == "import" || next == "module" {
			return i
		}
		end := m.end(i)
		m.Exports = append(m.Exports, core.Span{Start: word.Start, End: end})
		if m.at(i+1) == "{" {
			open := m.tokens[i+1].Start
			m.hide = append(m.hide, core.Span{Start: open, End: open + 1}, core.Span{Start: end - 1, End: end})
		}
	}
	return i
}

// named reads the name of a module, partition or header unit.
func (m *moduleScan) named(i int, word string) int {
	const most = 64 // maximum number of tokens in a name
	var text strings.Builder
	end := i + 1
	for ; end < min(len(m.tokens), i+most) && m.at(end) != ";"; end++ {
		text.WriteString(m.at(end))
	}
	name := text.String()
	if m.at(end) != ";" || strings.ContainsAny(name, "=(){}") || name != "" && !m.isName(i+1) || name == "" && word == "import" {
		return i
	}
	m.hide = append(m.hide, core.Span{Start: m.tokens[i].Start, End: m.tokens[end].End})
	again := m.at(i-1) == "export"
	if word == "module" {
		if again {
			m.Module, m.Unit = true, core.Span{Start: m.tokens[i-1].Start, End: m.tokens[end].End, Name: name}
		}
		return end
	}
	m.Starts = append(m.Starts, m.tokens[i].Start)
	m.Imports = append(m.Imports, code.Import{
		Module: strings.Trim(name, `<>"`), Relative: strings.HasPrefix(name, `"`), Reexport: again, Kind: code.StaticImport,
	})
	return end
}

// isName reports whether the name of a module or header begins at i.
func (m *moduleScan) isName(i int) bool {
	text := m.at(i)
	return i < len(m.tokens) && m.tokens[i].Kind == Word || text == "<" || text == ":" || strings.HasPrefix(text, `"`)
}

// end returns the end of the declaration after token i.
func (m *moduleScan) end(i int) int {
	depth := 0
	for ; i < len(m.tokens); i++ {
		switch m.at(i) {
		case "{", "(":
			depth++
		case "}", ")":
			depth--
			if depth == 0 && m.at(i) == "}" {
				return m.tokens[i].End
			}
		case ";":
			if depth == 0 {
				return m.tokens[i].End
			}
		}
	}
	return len(m.text)
}
