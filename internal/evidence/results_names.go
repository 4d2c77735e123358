package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Limits of the definitions of variables: how many are said of one expression, and the length of one in bytes.
const (
	maxDefinitions = 3
	maxDefinition  = 70
)

// bodyNames knows what the names in a body stand for.
type bodyNames struct {
	stmts    []code.Stmt
	language string
	params   []string
	assigned map[string][]*code.Stmt // by variable or member, as written without what follows
	used     []*code.Stmt            // calls for their effect
	loops    []string                // the headers of loops
}

// names returns what the names of the body stand for.
func (r *resulter) names() *bodyNames { return namesOfBody(r.body, r.file.Language) }

func namesOfBody(body *code.Body, language string) *bodyNames {
	n := &bodyNames{stmts: body.Stmts, language: language, assigned: map[string][]*code.Stmt{}}
	for _, p := range body.Params {
		n.params = append(n.params, plainName(p))
	}
	code.AllStmts(body.Stmts, func(s *code.Stmt) {
		switch s.Op {
		case code.StmtAssign:
			for target := range strings.SplitSeq(s.Text, ",") {
				target = plainName(code.AssignedTarget(target))
				n.assigned[target] = append(n.assigned[target], s)
				if root, rest := rootOf(target); rest != "" {
					n.assigned[root+"…"] = append(n.assigned[root+"…"], s)
				}
			}
		case code.StmtCall:
			n.used = append(n.used, s)
		case code.StmtLoop:
			n.loops = append(n.loops, s.Text)
		default:
		}
	})
	return n
}

// plainName returns a variable without the marks of its language.
func plainName(name string) string { return strings.TrimLeft(strings.TrimSpace(name), "$*&.") }

// definitions returns the values of the variables that a text names at a line, "a = f()". It reports false if one is not
// known there: it is assigned several times, changed by a call, or of a loop that the conditions do not name.
func (n *bodyNames) definitions(text string, at *code.Stmt, terms []paths.Term) (out []string, ok bool) {
	line := at.Line
	open := chainsIn(text)
	seen := map[string]bool{}
	for len(open) > 0 {
		written := open[0]
		chain := plainName(written)
		open = open[1:]
		root, _ := rootOf(chain)
		if seen[root] && root == chain || seen[chain] {
			continue
		}
		seen[chain] = true
		if n.changed(chain, line) {
			return nil, false
		}
		if seen[root] && root != chain {
			continue
		}
		seen[root] = true
		list := n.before(root, line)
		if len(list) == 0 {
			if !n.looped(root, terms) {
				return nil, false
			}
			continue
		}
		value := n.only(list, root, at)
		if value == "" || len(out) == maxDefinitions {
			return nil, false
		}
		mark := ""
		if written[0] == '$' {
			mark = "$"
		}
		out = append(out, mark+root+" = "+value)
		open = append(open, chainsIn(value)...)
	}
	return out, true
}

// only returns the value of a variable by its only assignment, which is before a statement; "" if that is not so.
func (n *bodyNames) only(list []*code.Stmt, name string, at *code.Stmt) string {
	if len(list) > 1 || slices.Contains(n.params, name) || !precedes(n.stmts, list[0], at) {
		return ""
	}
	return n.definition(list[0], name)
}

// precedes reports whether a statement is run whenever a later one is: it is in a list around the later one, before it.
func precedes(list []code.Stmt, first, later *code.Stmt) bool {
	for i := range list {
		s := &list[i]
		if s == first {
			found := false
			code.AllStmts(list[i+1:], func(t *code.Stmt) { found = found || t == later })
			return found
		}
		parts := [][]code.Stmt{s.Body, s.Else}
		for j := range s.Arms {
			parts = append(parts, s.Arms[j].Body)
		}
		if slices.ContainsFunc(parts, func(part []code.Stmt) bool { return precedes(part, first, later) }) {
			return true
		}
	}
	return false
}

// before returns the assignments of a variable, all of them if one is in a loop after the line.
func (n *bodyNames) before(name string, line int) []*code.Stmt {
	list := n.assigned[name]
	if len(list) > 0 && list[0].Line > line { // of a loop, or of another branch
		return append(list, list[0])
	}
	return list
}

// changed reports whether a member is assigned before a line, or what a variable holds may be changed by then.
func (n *bodyNames) changed(chain string, line int) bool {
	root, rest := rootOf(chain)
	if rest != "" {
		for target, list := range n.assigned {
			if (target == chain || strings.HasPrefix(chain, target+".")) && target != root && list[0].Line <= line {
				return true
			}
		}
	}
	if len(n.assigned[root]) == 0 {
		return false
	}
	if len(n.assigned[root+"…"]) > 0 {
		return true
	}
	return slices.ContainsFunc(n.used, func(s *code.Stmt) bool {
		return s.Line <= line && s.Value != nil && !s.Value.All(func(v *code.Value) bool { return v.Kind == code.ValueString || !code.Mentions(v.Text, root) })
	})
}

// looped reports whether a name that nothing assigns is no variable of a loop, or one that the conditions name.
func (n *bodyNames) looped(name string, terms []paths.Term) bool {
	for _, loop := range n.loops {
		if code.Mentions(loop, name) && !slices.Contains(n.params, name) && declaredBy(loop, name) {
			return slices.ContainsFunc(terms, func(t paths.Term) bool { return strings.Contains(t.Text, loop) })
		}
	}
	return true
}

// declaredBy reports whether the header of a loop declares a variable: it is before the collection.
func declaredBy(loop, name string) bool {
	head := loop
	for _, word := range []string{" in ", " of ", " : ", ":=", " as ", " = "} {
		if at := strings.Index(loop, word); at >= 0 {
			head = loop[:at]
			if word == " as " {
				head = loop[at:]
			}
			break
		}
	}
	return code.Mentions(head, name)
}

// definition returns the value of a variable that is assigned once; "" if it is not known, or may change in place.
func (n *bodyNames) definition(s *code.Stmt, name string) string {
	if s.Value == nil || plainName(s.Text) != name {
		return ""
	}
	text := s.Source
	switch s.Value.Kind {
	case code.ValueString, code.ValueObject, code.ValueFunction:
		return ""
	case code.ValueCall:
		if last := callee(s.Value); makesValue(last[strings.LastIndexAny(last, ".:>")+1:]) || strings.HasPrefix(last, "new ") {
			return ""
		}
	default:
	}
	own := slices.ContainsFunc(chainsIn(text), func(chain string) bool { root, _ := rootOf(chain); return root == name })
	if len(text) > maxDefinition || strings.Contains(text, "; ") || own || strings.ContainsAny(text[:min(1, len(text))], "[{") {
		return ""
	}
	return text
}

// makesValue reports whether a called function makes something new, by its name.
func makesValue(name string) bool {
	return name == "new" || name == "make" || strings.HasPrefix(name, "New")
}

// holes match what is interpolated into a text.
var holes = lazyregexp.New(`[$#]?\{([^{}"]*)\}|\\\(([^()]*)\)|(\$\w+)`)

// chainsIn returns the variables that a text names outside quotes, each with its members: "a", "this.b".
func chainsIn(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '"' || c == '\'' || c == '`':
			end := code.QuoteEnd(text, i)
			for _, hole := range holes.FindAllStringSubmatch(text[i:end+1], -1) {
				out = append(out, chainsIn(hole[1]+hole[2]+hole[3])...)
			}
			i = end + 1
		case isNameByte(c) || c == '@':
			end := chainEnd(text, i)
			chain := strings.TrimRight(text[i:end], "->")
			if before := i > 0 && (text[i-1] == '.' || text[i-1] == ':'); !before && (chain[0] < '0' || chain[0] > '9') {
				out = append(out, chain)
			}
			i = end
		default:
			i++
		}
	}
	return out
}

// chainEnd returns the end of the chain of names that begins at an offset.
func chainEnd(text string, at int) int {
	for at++; at < len(text); at++ {
		switch c := text[at]; {
		case isNameByte(c), c == '@', strings.HasPrefix(text[at:], "->"), c == '>' && text[at-1] == '-':
		case c == '.' && at+1 < len(text) && isNameByte(text[at+1]):
		default:
			return at
		}
	}
	return at
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
