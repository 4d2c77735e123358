package service

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// tableRow is what the variables of a scope are given: by a row of a table of tests, or by the call of a helper.
type tableRow map[string]given

// given is a value with the scope in which its names are read.
type given struct {
	*code.Value
	in *scope
}

// hole is a part of a text that is not constant.
const hole = "…"

// placeholders are the parts of texts that stand for values, in all languages.
var placeholders = lazyregexp.New(`\$\{[^}]*\}|#\{[^}]*\}|\{[^{}]*\}|%[a-z]|\$\w+(->\w+)*|/:[A-Za-z_]\w*`)

// holes replaces the placeholders of a text.
func holes(text string) string {
	text = placeholders.ReplaceAllStringFunc(text, func(part string) string {
		if part[0] == '/' {
			return "/" + hole
		}
		return hole
	})
	if strings.HasPrefix(text, ":") {
		return hole
	}
	return text
}

// text returns the text that a value stands for, with holes for what is not constant; ok is false if nothing of it is known.
func (s *scope) text(v *code.Value) (text string, ok bool) { return s.textBelow(v, 0) }

func (s *scope) textBelow(v *code.Value, depth int) (string, bool) {
	if v == nil || depth > maxSteps {
		return "", false
	}
	switch v.Kind {
	case code.ValueString:
		return s.filled(v, depth), true
	case code.ValueNumber:
		return v.Text, true
	case code.ValueName:
		if g, ok := s.value(v); ok {
			return g.in.textBelow(g.Value, depth+1)
		}
	case code.ValueCall:
		return s.result(v, depth)
	case code.ValueOther:
		return s.joined(v, depth)
	default:
	}
	return "", false
}

// filled returns a string with the constants that it names in place of its placeholders.
func (s *scope) filled(v *code.Value, depth int) string {
	text := v.Text
	if rest, ok := strings.CutPrefix(text, hole); ok && len(v.Args) > 0 { // base + "/path"
		if first, known := s.textBelow(&v.Args[0], depth+1); known && len(v.Args) == 1 && !strings.Contains(rest, hole) {
			return first + rest
		}
	}
	return holes(placeholders.ReplaceAllStringFunc(text, func(part string) string {
		name := strings.Trim(part, "${}#")
		if name == "" || part[0] == '%' || part[0] == '/' || strings.ContainsAny(name, " ()+") {
			return part
		}
		if g, ok := s.value(&code.Value{Kind: code.ValueName, Text: name, Line: v.Line}); ok {
			if text, ok := g.in.textBelow(g.Value, depth+1); ok {
				return text
			}
		}
		return part
	}))
}

// joined returns the text of a concatenation whose parts are read one by one.
func (s *scope) joined(v *code.Value, depth int) (string, bool) {
	if len(v.Args) < 2 || v.Text == code.CondFirst || v.Text == code.CondSecond {
		return "", false
	}
	var b strings.Builder
	known := false
	for i := range v.Args {
		text, ok := s.textBelow(&v.Args[i], depth+1)
		if known = known || ok; !ok {
			text = hole
		}
		b.WriteString(strings.TrimSuffix(text, hole))
		if !ok {
			b.WriteString(hole)
		}
	}
	return b.String(), known
}

// wrappersOf are functions whose result is the text that they are given first.
var wrappersOf = []string{"Sprintf", "format", "URI", "create", "Uri", "URL", "encodeURI", "parse", "str", "String", "url", "toString"}

// result returns the text that a call results in: that of a helper's return statement, or of what it is given.
func (s *scope) result(v *code.Value, depth int) (string, bool) {
	if n := s.Node(s.file.Path, v); n != nil && IsFunction(n) {
		if g, ok := s.returned(n, v); ok {
			return g.in.textBelow(g.Value, depth+1)
		}
	}
	if args := positional(v); len(args) > 0 && slices.Contains(wrappersOf, Last(v.Text)) {
		return s.textBelow(args[0], depth+1)
	}
	return "", false
}

// returned returns what a function of the tests returns, if that is one value.
func (s *scope) returned(n *resolve.Node, call *code.Value) (given, bool) {
	f := s.files[n.File]
	if f == nil || s.depth >= maxHelpers {
		return given{}, false
	}
	in := &scope{tester: s.tester, file: f, first: n.StartLine, last: n.EndLine, own: s.own, depth: s.depth + 1, row: s.arguments(n, call)}
	var found []*code.Value
	in.statements(func(stmt *code.Stmt) {
		if stmt.Op == code.StmtReturn && stmt.Value != nil {
			found = append(found, stmt.Value)
		}
	})
	if len(found) != 1 {
		return given{}, false
	}
	return given{found[0], in}, true
}

// arguments returns what a call gives to the parameters of a function.
func (s *scope) arguments(n *resolve.Node, call *code.Value) tableRow {
	out := tableRow{}
	symbol := s.Symbol(n)
	if symbol == nil {
		return out
	}
	args := positional(call)
	at := 0
	for _, param := range symbol.Params {
		if param.Name == "self" || param.Name == "cls" {
			continue
		}
		v := call.Named(param.Name)
		if v == nil && at < len(args) {
			v = args[at]
			at++
		}
		if v == nil && param.Default != "" {
			v = literal(param.Default, n.Line)
		}
		if v != nil {
			out[strings.TrimPrefix(param.Name, "$")] = given{v, s}
		}
	}
	return out
}

// value returns what a name stands for: in the row, by the last assignment before, or by a constant of the file or another
// one.
func (s *scope) value(v *code.Value) (given, bool) {
	name := strings.TrimPrefix(v.Text, "$")
	if g, ok := s.row[name]; ok {
		return g, g.Value != nil
	}
	var last *code.Value
	changed := false
	s.statements(func(stmt *code.Stmt) {
		if stmt.Op != code.StmtAssign || stmt.Line > v.Line {
			return
		}
		switch target := strings.TrimPrefix(stmt.Text, "$"); {
		case target == name:
			last, changed = stmt.Value, false
		case strings.HasPrefix(target, name+".") || strings.HasPrefix(target, name+"["):
			changed = true
		}
	})
	if last != nil || changed {
		return given{last, s}, last != nil && last != v && !changed
	}
	for i := range s.file.Bodies.Bindings {
		if b := &s.file.Bodies.Bindings[i]; b.Name == name {
			return given{&b.Value, s.outside(s.file)}, true
		}
	}
	if b, ok := s.bound(s.file.Path, v); ok && b.Value.Kind != code.ValueOther {
		return given{&b.Value, s.outside(b.File)}, true
	}
	return given{}, false
}

// outside returns the scope of a file's own statements.
func (s *scope) outside(f *code.File) *scope {
	return &scope{tester: s.tester, file: f, first: 0, last: -1, own: s.own, depth: s.depth + 1}
}

// maxRows limits how many rows of a table of tests are read.
const maxRows = 40

// rows returns what the variables of a test are given by each row of its table; one empty row if it has no table.
func (s *scope) rows() []tableRow {
	out := []tableRow{{}}
	for i := range s.file.Bodies.Calls {
		c := &s.file.Bodies.Calls[i]
		if !c.Mark || Last(c.Value.Text) != "parametrize" || c.Line > s.first {
			continue
		}
		if n := s.FunctionAt(s.file.Path, c.Line); n == nil || n.EndLine != s.last && n.Line != s.first {
			continue
		}
		out = crossed(out, s.parametrized(&c.Value))
	}
	s.statements(func(stmt *code.Stmt) {
		if stmt.Op == code.StmtLoop && s.file.Language == "go" {
			out = crossed(out, s.looped(stmt.Text))
		}
	})
	return out
}

// crossed returns each row of one list with each of another one.
func crossed(list, with []tableRow) []tableRow {
	if len(with) == 0 {
		return list
	}
	var out []tableRow
	for _, a := range list {
		for _, b := range with {
			r := maps.Clone(a)
			maps.Copy(r, b)
			if out = append(out, r); len(out) == maxRows {
				return out
			}
		}
	}
	return out
}

// parametrized reads @pytest.mark.parametrize("a, b", [(1, 2), …]).
func (s *scope) parametrized(v *code.Value) []tableRow {
	names, list := v.Arg(0), v.Arg(1)
	if names == nil || list == nil {
		return nil
	}
	var words []string
	switch names.Kind {
	case code.ValueString:
		for word := range strings.SplitSeq(names.Text, ",") {
			words = append(words, strings.TrimSpace(word))
		}
	default:
		for i := range names.Args {
			words = append(words, names.Args[i].Text)
		}
	}
	if list.Kind == code.ValueName {
		if g, ok := s.value(list); ok {
			list = g.Value
		}
	}
	var out []tableRow
	for i := range list.Args {
		values := &list.Args[i]
		r := tableRow{}
		for j, word := range words {
			switch {
			case values.Kind == code.ValueCall && Last(values.Text) == "param", len(words) > 1:
				if v := values.Arg(j); v != nil {
					r[word] = given{v, s}
				}
			default:
				r[word] = given{values, s}
			}
		}
		out = append(out, r)
	}
	return out
}

// ranged is the head of a loop of Go over a table of tests.
var ranged = lazyregexp.New(`^\w+, (\w+) := range (\w+)$`)

// looped reads a loop over a table of structs: for _, tt := range tests.
func (s *scope) looped(head string) []tableRow {
	m := ranged.FindStringSubmatch(head)
	if m == nil {
		return nil
	}
	g, ok := s.value(&code.Value{Kind: code.ValueName, Text: m[2], Line: s.last})
	if !ok || g.Kind != code.ValueObject {
		return nil
	}
	fields := structFields(g.Text)
	var out []tableRow
	for i := range g.Args {
		r := tableRow{}
		for j := range g.Args[i].Args {
			v := &g.Args[i].Args[j]
			name := v.Name
			if name == "" && len(fields) == len(g.Args[i].Args) {
				name = fields[j]
			}
			if name != "" {
				r[m[1]+"."+name] = given{v, g.in}
			}
		}
		out = append(out, r)
	}
	return out
}

// structFields returns the names of the fields of a struct type as written on one line: each with a type; nil if they cannot
// be told.
func structFields(text string) []string {
	_, body, ok := strings.Cut(text, "struct {")
	if !ok {
		return nil
	}
	depth := 0
	words := strings.FieldsFunc(body, func(c rune) bool {
		switch {
		case strings.ContainsRune("([{", c):
			depth++
		case strings.ContainsRune(")]}", c):
			depth--
		}
		return depth < 0 || depth == 0 && (c == ' ' || c == ';' || c == '}')
	})
	var out []string
	for i := 0; i+1 < len(words); i += 2 {
		out = append(out, words[i])
	}
	return out
}
