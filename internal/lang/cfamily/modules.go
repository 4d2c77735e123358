package cfamily

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// The grammar is older than modules (C++20 [module]). Imports and exports are read from the
// text and hidden from the parser.

// modules records the imports and exports of the file, and returns the module that it
// declares.
func (c *reader) modules() []*declaration {
	if !c.cpp {
		return nil
	}
	m := repair.ScanModule(c.Source[:c.Length])
	c.module, c.exports = m.Module, m.Exports
	for i, imp := range m.Imports {
		imp.Line = c.Line(m.Starts[i])
		c.File.Imports = append(c.File.Imports, imp)
	}
	if !m.Module {
		return nil
	}
	d := &declaration{span: len(c.Spans)}
	d.Name, d.Kind, d.Visibility, d.Exported = m.Unit.Name, code.Module, code.Public, true
	d.Signature = c.Head(m.Unit.Start, m.Unit.End, ";")
	d.SignatureHash = srctext.ShortHash([]byte(srctext.OneLine(d.Signature)))
	d.StartLine, d.EndLine = c.Line(m.Unit.Start), c.Line(m.Unit.End)
	c.Spans = append(c.Spans, m.Unit)
	return []*declaration{d}
}

// isExported reports whether the declaration at offset is exported.
func (c *reader) isExported(offset int) bool {
	for _, e := range c.exports {
		if e.Start <= offset && offset < e.End {
			return true
		}
	}
	return false
}
