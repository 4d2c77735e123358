package cfamily

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Macros and includes are read from the text, not the tree: directives among values and
// enumerators may have been hidden from the parser, and the grammar does not parse a macro's
// replacement.

// preprocessed adds the macros that the file defines to its declarations, in source order, and
// records its includes.
func (c *reader) preprocessed(list []*declaration) []*declaration {
	p := directives{reader: c, lines: map[int]syntax.Node{}}
	for n := range c.Root().Descendants() {
		if syntax.IsComment(n.Kind()) && c.ownLine(n) {
			p.lines[n.EndLine()] = n
		}
	}
	repair.EachToken(c.Source[:c.Length], c.cpp, func(t repair.Token) {
		if t.Kind == repair.Directive {
			p.directive(t)
		}
	})
	list = append(list, p.macros...)
	slices.SortStableFunc(list, func(a, b *declaration) int { return cmp.Compare(c.at(a), c.at(b)) })
	return list
}

// directives holds the state of the pass over a file's directives.
type directives struct {
	*reader
	lines  map[int]syntax.Node // comments on their own lines, by last line
	macros []*declaration
	groups []bool // for each open group, whether its branch is disabled by #if 0
	seen   int    // number of directives so far
	guard  string // the name that the file's first directive tests
}

func (p *directives) directive(t repair.Token) {
	name, rest := repair.SplitDirective(string(p.Source[t.Start:t.End]))
	p.seen++
	last := len(p.groups) - 1
	switch name {
	case "if":
		p.groups = append(p.groups, repair.Condition(rest) == "0")
		if p.seen == 1 {
			p.guard = strings.TrimPrefix(repair.Condition(rest), "!")
		}
	case "ifdef", "ifndef":
		p.groups = append(p.groups, false)
		if p.seen == 1 && name == "ifndef" {
			p.guard = repair.Condition(rest)
		}
	case "elif", "else", "elifdef", "elifndef":
		if last >= 0 {
			p.groups[last] = false
		}
	case "endif":
		p.groups = p.groups[:max(last, 0)]
	case "define":
		if !slices.Contains(p.groups, true) {
			p.define(t)
		}
	case "include", "include_next", "import":
		if !slices.Contains(p.groups, true) {
			p.include(t, rest)
		}
	}
}

// include records an #include directive (C23 6.10.3). A macro instead of the name is ignored.
func (p *directives) include(t repair.Token, rest string) {
	imp := code.Import{Kind: code.StaticImport, Line: p.Line(t.Start)}
	closing := byte('>')
	switch {
	case strings.HasPrefix(rest, `"`):
		imp.Relative, closing = true, '"'
	case !strings.HasPrefix(rest, "<"):
		return
	}
	end := strings.IndexByte(rest[1:], closing)
	if end <= 0 {
		return
	}
	imp.Module = rest[1 : 1+end]
	p.File.Imports = append(p.File.Imports, imp)
}

// define reads a macro definition (C23 6.10.5), except an include guard.
func (p *directives) define(t repair.Token) {
	tokens := repair.Tokens(p.Source[t.Start+1:t.End], p.cpp)
	for i := range tokens {
		tokens[i].Start += t.Start + 1
		tokens[i].End += t.Start + 1
	}
	if len(tokens) < 2 || tokens[1].Kind != repair.Word {
		return
	}
	name := tokens[1]
	d := &declaration{}
	d.Name, d.Kind = p.text(name), code.Macro
	if len(tokens) == 2 && d.Name == p.guard && p.seen <= 2 {
		return
	}
	head, value := name.End, tokens[2:]
	if len(value) > 0 && value[0].Start == name.End && p.text(value[0]) == "(" {
		closing := slices.IndexFunc(value, func(t repair.Token) bool { return p.text(t) == ")" })
		if closing < 0 {
			return
		}
		d.Params = p.parameters(value[1:closing])
		head, value = value[closing].End, value[closing+1:]
	}
	signed := tokens[:len(tokens)-len(value)]
	d.Signature = srctext.OneLine(joinContinued(string(p.Source[t.Start:head])))
	if len(value) > 0 {
		d.BodyHash = p.hashed(value)
		if text := srctext.OneLine(joinContinued(string(p.Source[value[0].Start:value[len(value)-1].End]))); head == name.End && len(text) <= core.LongValue {
			d.Value = text
			d.Signature += " " + text
			signed = tokens
		}
	}
	d.SignatureHash = p.hashed(signed)
	d.Visibility, d.Exported = code.Private, p.header
	if p.header {
		d.Visibility = code.Public
	}
	d.StartLine, d.EndLine, d.NameLine = p.Line(t.Start), p.Line(max(t.Start, t.End-1)), p.Line(name.Start)
	d.Doc = p.docAt(d.StartLine, tokens[len(tokens)-1].End)
	d.span = len(p.Spans)
	p.Spans = append(p.Spans, core.Span{Start: t.Start, End: t.End, Name: d.Name})
	p.macros = append(p.macros, d)
}

func (p *directives) text(t repair.Token) string { return string(p.Source[t.Start:t.End]) }

// joinContinued removes line continuations.
func joinContinued(text string) string {
	if !strings.Contains(text, "\\") {
		return text
	}
	return strings.NewReplacer("\\\r\n", " ", "\\\n", " ").Replace(text)
}

// parameters reads the parameters of a macro; "..." and the GNU form "args..." are variadic.
func (p *directives) parameters(tokens []repair.Token) []code.Param {
	var out []code.Param
	for _, t := range tokens {
		switch text := p.text(t); {
		case t.Kind == repair.Word:
			out = append(out, code.Param{Name: text})
		case text == "..." && len(out) > 0 && p.Source[t.Start-1] != ' ' && p.Source[t.Start-1] != ',':
			out[len(out)-1].Variadic = true
		case text == "...":
			out = append(out, code.Param{Name: "...", Variadic: true})
		}
	}
	return out
}

// hashed returns the hash of tokens, independent of the white space between them.
func (p *directives) hashed(tokens []repair.Token) string {
	var b []byte
	for _, t := range tokens {
		b = append(append(b, p.Source[t.Start:t.End]...), 0)
	}
	return srctext.ShortHash(b)
}

// next reports whether the text after n continues at a line.
func (p *directives) next(n syntax.Node, line int) bool {
	rest := p.Source[n.End():]
	return p.Line(n.End()+len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))) == line
}

// docAt returns the comment directly above a line, a Doxygen comment at most one line further
// up, or the comment after the directive whose last token ends at end.
func (p *directives) docAt(line, end int) string {
	own, marked := "", false
	rest := p.Source[end:min(len(p.Source), repair.LineEnd(p.Source, end))]
	if text := strings.TrimSpace(string(rest)); strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*") {
		at := end + strings.IndexByte(string(rest), '/')
		text = string(p.Source[at:repair.SkipComment(p.Source, at)])
		own, marked = commentWords(text), isTrailing(text)
	}
	if marked {
		return own
	}
	n, ok := p.lines[line-1]
	if !ok {
		if n, ok = p.lines[line-2]; !ok || !doxygen(n.Text()) || !p.next(n, line) {
			return own
		}
	}
	text := p.commentText(p.run(n))
	if isFileComment(text) || licence(text) || !hasWords(text) {
		return own
	}
	return text
}
