package lang

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// modules reads the module declarations of C++20 ([module]) off the text, since
// the grammar is older: what is imported, and what is exported.
func (c *cReader) modules() {
	text := c.Source[:c.written]
	if !c.cpp || !bytes.Contains(text, []byte("import")) && !bytes.Contains(text, []byte("export")) {
		return
	}
	m := moduleScan{cReader: c, tokens: cTokens(text, true)}
	begins := true // a statement may begin here
	for i := 0; i < len(m.tokens); i++ {
		text := m.at(i)
		if begins {
			i = m.statement(i, text)
			text = m.at(i)
		}
		begins = text == ";" || text == "{" || text == "}" || m.tokens[min(i, len(m.tokens)-1)].kind == cDirective || text == "export"
	}
}

type moduleScan struct {
	*cReader
	tokens []cToken
}

func (m *moduleScan) at(i int) string {
	if i < 0 || i >= len(m.tokens) {
		return ""
	}
	return string(m.Source[m.tokens[i].start:m.tokens[i].end])
}

// statement reads the module declaration that begins at i, if one does, and
// returns its last token.
func (m *moduleScan) statement(i int, text string) int {
	if text == "export" && (m.at(i+1) == "import" || m.at(i+1) == "module") {
		if m.at(i+1) == "module" {
			m.module = true
			return m.semicolon(i)
		}
		return m.imported(i+1, true)
	}
	switch text {
	case "import":
		return m.imported(i, false)
	case "export":
		if m.at(i+1) != "template" || m.module {
			m.exports = append(m.exports, span{start: m.tokens[i].start, end: m.end(i)})
		}
	}
	return i
}

// imported reads import a.b; import :part; import <header>; import "header";
func (m *moduleScan) imported(i int, again bool) int {
	end := m.semicolon(i)
	name := ""
	for k := i + 1; k < end; k++ {
		name += m.at(k)
	}
	first := m.at(i + 1)
	isName := i+1 < len(m.tokens) && m.tokens[i+1].kind == cWord
	if m.at(end) != ";" || name == "" || !isName && first != "<" && first != ":" && !strings.HasPrefix(first, `"`) || strings.ContainsAny(name, "=()[]{}") {
		return i
	}
	module := strings.Trim(name, `<>"`)
	m.file.Imports = append(m.file.Imports, code.Import{
		Module: module, Relative: strings.HasPrefix(name, `"`), Named: []string{"*"}, Reexport: again, Kind: code.StaticImport, Line: m.Line(m.tokens[i].start),
	})
	return end
}

// semicolon returns the next semicolon after i, within the few tokens that a
// module's name has.
func (m *moduleScan) semicolon(i int) int {
	const most = 64
	for k := i; k < min(len(m.tokens), i+most); k++ {
		if m.at(k) == ";" {
			return k
		}
	}
	return i
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
	return len(m.Source)
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
