package service

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// readMember matches a part of a request with the members of it that are read: req.body.user.email, ctx.request.query.page. Koa's ctx.body
// is the answer.
var readMember = lazyregexp.New(`(?:^|\.\.\.|[^\w.$])(?:(?:ctx|context|c)\.)?(?:(?:req|request)\.(body|query)|ctx\.(query))((?:\??\.\w+)*)`)

// part returns the part of a request, and the members of it, in a match.
func part(text string, m []int) (in, members string) {
	if in = "query"; m[2] >= 0 {
		in = text[m[2]:m[3]]
	}
	return in, strings.TrimPrefix(strings.ReplaceAll(text[m[6]:m[7]], "?", ""), ".")
}

// whole returns what readMember matches if that is all of a text.
func whole(text string) (in, members string, ok bool) {
	text = strings.TrimPrefix(text, "...")
	m := readMember.FindStringSubmatchIndex(text)
	if m == nil || m[0] != 0 || m[1] != len(text) {
		return "", "", false
	}
	in, members = part(text, m)
	return in, members, true
}

// member adds what a text reads of a request.
func (x *ecmaInputReader) member(text string, at Place) {
	for _, m := range readMember.FindAllStringSubmatchIndex(text, -1) {
		in, name := part(text, m)
		if name = fieldName(text, m[1], name); name != "" {
			x.add(Input{In: in, Name: name, At: at})
		}
	}
}

// fieldName returns a name that ends at an index of a text, without a method or the length of a list at its end.
func fieldName(text string, end int, name string) string {
	if end < len(text) && text[end] == '(' || Last(name) == "length" {
		name, _ = CutLast(name)
	}
	return name
}

// texts calls read with each text of the statements of a body that may read something.
func texts(file string, b *code.Body, read func(text string, at Place)) {
	code.AllStmts(b.Stmts, func(s *code.Stmt) {
		at := Place{file, s.Line}
		read(s.Source, at)
		read(s.Label, at)
		conditionTexts(s.Cond, func(text string) { read(text, at) })
		if s.Value == nil {
			return
		}
		s.Value.All(func(v *code.Value) bool {
			text := v.Text
			if v.Kind == code.ValueCall {
				text, _ = CutLast(text)
			}
			read(text, Place{file, v.Line})
			return true
		})
	})
}

func conditionTexts(c *code.Cond, read func(text string)) {
	if c == nil {
		return
	}
	read(c.Text)
	read(c.Of)
	for i := range c.Args {
		conditionTexts(&c.Args[i], read)
	}
}

// readBy adds what the statements of a body read of a request: members of it, and what they take out of one.
func (x *ecmaInputReader) readBy(file string, b *code.Body) {
	code.AllStmts(b.Stmts, func(s *code.Stmt) {
		if s.Value == nil || s.Op != code.StmtAssign || !strings.HasPrefix(s.Text, "{") || s.Value.Kind != code.ValueName {
			return
		}
		if in, members, ok := whole(s.Value.Text); ok {
			x.taken(s.Text, in, members, Place{file, s.Line})
		}
	})
	texts(file, b, x.member)
}

// taken adds the names that a pattern takes out of a part of a request: const { email, password = "x" } = req.body.user.
func (x *ecmaInputReader) taken(pattern, in, prefix string, at Place) {
	for part := range strings.SplitSeq(strings.Trim(pattern, "{} "), ",") {
		name, otherwise, _ := strings.Cut(strings.TrimSpace(part), "=")
		name, _, _ = strings.Cut(strings.TrimSpace(name), ":")
		if name = strings.TrimSpace(name); name != "" && !strings.HasPrefix(name, "...") && !strings.ContainsAny(name, "{}[]") {
			x.add(Input{In: in, Name: strings.TrimPrefix(prefix+"."+name, "."), Default: strings.Trim(otherwise, ` '"`), At: at})
		}
	}
}

// handed adds what a function of the project does with a part of a request that it is given: login(req.body.user),
// login({ ...req.body.user }).
func (x *ecmaInputReader) handed(c Call) {
	for i := range c.Value.Args {
		v := &c.Value.Args[i]
		if v.Kind == code.ValueObject {
			if at := slices.IndexFunc(v.Args, func(a code.Value) bool { return strings.HasPrefix(a.Text, "...") }); at >= 0 {
				v = &v.Args[at]
			}
		}
		in, prefix, ok := whole(v.Text)
		if !ok {
			continue
		}
		n := x.NodeOf(c.File.Path, c.Value.Text, c.Value.Line)
		s := x.Symbol(n)
		if s == nil || i >= len(s.Params) {
			continue
		}
		x.parameter(n, s.Params[i], in, strings.TrimPrefix(prefix+".", "."))
	}
}

// parameter adds the fields of the type of a parameter, or those that its function reads.
func (x *ecmaInputReader) parameter(n *resolve.Node, param code.Param, in, prefix string) {
	if typ := x.Named(n.File, n.StartLine, n.EndLine, param.Type); typ != nil && typ.IsType() {
		x.typed(typ, in, prefix, 0)
		return
	}
	if strings.HasPrefix(param.Name, "{") {
		x.taken(param.Name, in, strings.TrimSuffix(prefix, "."), Place{n.File, n.StartLine})
		return
	}
	body := x.Body(n)
	pattern, err := regexp.Compile(`(?:^|\.\.\.|[^\w.$])` + regexp.QuoteMeta(param.Name) + `((?:\??\.\w+)+)`)
	if body == nil || err != nil || param.Name == "" {
		return
	}
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		if s.Op == code.StmtAssign && strings.HasPrefix(s.Text, "{") && s.Value != nil && s.Value.Text == param.Name {
			x.taken(s.Text, in, strings.TrimSuffix(prefix, "."), Place{n.File, s.Line})
		}
	})
	texts(n.File, body, func(text string, at Place) {
		for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
			name := strings.TrimPrefix(strings.ReplaceAll(text[m[2]:m[3]], "?", ""), ".")
			if name = fieldName(text, m[1], name); name != "" {
				x.add(Input{In: in, Name: prefix + name, At: at})
			}
		}
	})
}

// typed adds the properties of an interface or class.
func (x *ecmaInputReader) typed(n *resolve.Node, in, prefix string, depth int) {
	s := x.Symbol(n)
	if s == nil || !n.IsType() || depth > maxFieldDepth {
		return
	}
	for _, m := range s.Members {
		if m.Kind == code.Property {
			x.add(Input{In: in, Name: prefix + m.Name, Type: m.Returns, Required: !m.Optional, At: Place{n.File, max(m.NameLine, m.StartLine)}})
		}
	}
}
