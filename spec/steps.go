package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// toldFunction is a function of the module with its steps in words.
type toldFunction struct {
	name, at string
	inner    []toldFunction // functions in it that have a name
	lines    []string
	worth    int // above 0 if a reader needs them on a page
	text     string
}

// steps returns what the functions of the module do, step by step: all of them, or, on a page with limits, as many as it has lines for of those
// that decide by each element of a loop, and of the helpers that the page names.
func (m *material) steps(s *Spec) string {
	list := m.toldFunctions()
	if m.limits.requirements > 0 {
		list = m.onPage(list, s)
	}
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n", wording.In(m.lang, "3.4 Steps", "3.4 步骤"))
	if m.limits.requirements == 0 {
		b.WriteString(m.namedBySteps(list))
	}
	for _, f := range list {
		b.WriteString("\n- " + f.text)
		for _, line := range f.lines {
			b.WriteString("\n  " + line)
		}
	}
	return strings.TrimSpace(b.String())
}

// toldFunctions returns the functions of the module whose steps can be told, in the order of the source.
func (m *material) toldFunctions() []toldFunction {
	if m.functions != nil {
		return m.functions
	}
	m.functions = []toldFunction{}
	for _, f := range m.tree.Files {
		if f.Test || f.Generated || f.Vendored || f.Whole == nil || f.Constraint == "ignore" { // what builds the module is none of it
			continue
		}
		for i := range f.Whole.Functions {
			b := &f.Whole.Functions[i]
			if len(b.Outline) == 0 || b.In == "" && b.Name == "" {
				continue
			}
			at := fmt.Sprintf("%s:%d", f.Path, nameLine(f.Symbols, "", cmp.Or(b.In, b.Name), b.Line))
			t := toldFunction{name: cmp.Or(b.In, b.Name), at: at, lines: m.words(f.Path).Steps(b.Outline), worth: decidesInLoop(b.Outline, false)}
			t.text = m.headOfSteps(&t, b.Params, "")
			t.inner = m.innerFunctions(f.Path, t.name, b.Outline)
			m.functions = append(m.functions, t)
		}
	}
	return m.functions
}

// nameLine returns the line of the name of a function, given a line of its declaration: type parameters or a comment may stand
// above it, and the type of a variable before the function that it holds.
func nameLine(list []code.Symbol, owner, name string, line int) int {
	for i := range list {
		s := &list[i]
		if s.StartLine > line || line > s.EndLine {
			continue
		}
		if path := strings.TrimPrefix(owner+"."+s.Name, "."); path == name && s.NameLine > 0 {
			return s.NameLine
		} else if at := nameLine(s.Members, path, name, line); at != line {
			return at
		}
	}
	return line
}

// headOfSteps returns the line above the steps of a function.
func (m *material) headOfSteps(t *toldFunction, params []string, in string) string {
	given := ""
	if in != "" {
		given = fmt.Sprintf(wording.In(m.lang, " in %s", "（在 %s 中）"), markdown.Code(in))
	}
	if len(params) > 0 {
		given += fmt.Sprintf(wording.In(m.lang, " of %s", "，参数为 %s"), markdown.Code(strings.Join(params, ", ")))
	}
	text := fmt.Sprintf("**%s**%s (%s):", markdown.Code(t.name), given, markdown.Code(m.short(t.at)))
	if len(t.lines) == 1 {
		text, t.lines = text+" "+strings.TrimPrefix(t.lines[0], "- "), nil
		return text
	}
	return text
}

// innerFunctions returns the functions that the statements of another one give to variables, or declare.
func (m *material) innerFunctions(file, in string, list []code.Stmt) []toldFunction {
	var out []toldFunction
	code.AllStmts(list, func(s *code.Stmt) {
		name := s.Text
		if s.Op != code.StmtClosure {
			var ok bool
			if name, _, ok = cases.Assigned(s.Source); !ok || len(s.Body) != 1 || s.Body[0].Op != code.StmtClosure {
				return
			}
		}
		if name == "" || name == lastPart(in) {
			return
		}
		t := toldFunction{name: name, at: fmt.Sprintf("%s:%d", file, s.Line), lines: m.words(file).Steps([]code.Stmt{*s})}
		t.text = m.headOfSteps(&t, nil, in)
		out = append(out, t)
	})
	return out
}

// decidesInLoop counts the branches in loops and in functions inside others, and these.
func decidesInLoop(list []code.Stmt, in bool) int {
	n := 0
	for i := range list {
		s := &list[i]
		inner := in || s.Op == code.StmtLoop || s.Op == code.StmtClosure
		if in && s.Op == code.StmtIf || s.Op == code.StmtClosure {
			n++
		}
		n += decidesInLoop(s.Body, inner) + decidesInLoop(s.Else, inner)
		for j := range s.Arms {
			if in {
				n++
			}
			n += decidesInLoop(s.Arms[j].Body, inner)
		}
	}
	return n
}

// Limits of the steps on a page.
const (
	mostSteps   = 14 // lines of one function
	mostOnPage  = 30 // lines of all: a page that tells everything step by step is the code again
	stepsHead   = 1  // lines above the steps of a function
	linesAround = 5  // of the section with its heading, and the row that says what is left out
)

// onPage returns the functions whose steps a page shows, within the lines that are left.
func (m *material) onPage(list []toldFunction, s *Spec) []toldFunction {
	texts := []string{s.Glance, s.Options}
	for i := range s.Requirements {
		texts = append(texts, s.Requirements[i].Title, s.Requirements[i].Text)
	}
	said := strings.Join(texts, "\n")
	exported := map[string]bool{}
	for _, e := range m.public {
		exported[e.name] = true
	}
	var all []toldFunction
	for _, f := range list {
		all = append(all, f)
		if len(f.lines) > m.limits.steps-stepsHead {
			all = append(all, f.inner...)
		}
	}
	list = all
	for i := range list {
		f := &list[i]
		if !exported[f.name] && len(f.lines) > 1 && (callsOf(said, lastPart(f.name)) || strings.Contains(said, markdown.Code(f.name))) {
			f.worth++
		}
	}
	ranked := slices.Clone(list)
	slices.SortStableFunc(ranked, func(a, b toldFunction) int { return cmp.Compare(len(a.lines), len(b.lines)) })
	left, shown := min(m.limits.steps-linesAround, mostOnPage), map[string]bool{}
	for _, f := range ranked {
		if cost := len(f.lines) + stepsHead; f.worth > 0 && len(f.lines) <= mostSteps && cost <= left {
			left -= cost
			shown[f.at] = true
		}
	}
	m.left.steps = len(slices.DeleteFunc(slices.Clone(list), func(f toldFunction) bool { return shown[f.at] || f.worth == 0 }))
	return slices.DeleteFunc(list, func(f toldFunction) bool { return !shown[f.at] })
}

// callsOf reports whether a text has a call of a function.
func callsOf(text, function string) bool {
	for at := strings.Index(text, function+"("); at >= 0; {
		if at == 0 || !isNameByte(text[at-1]) {
			return true
		}
		next := strings.Index(text[at+1:], function+"(")
		if next < 0 {
			return false
		}
		at += 1 + next
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// Patterns of code in the steps: what is marked as code, and a name.
var (
	marked = lazyregexp.New("``.*?``|`[^`]*`")
	word   = lazyregexp.New(`[\p{L}_$][\p{L}\p{N}_$]*`)
)

// namedBySteps returns the declarations of what is not exported and steps or signatures name, other than functions, as a list.
func (m *material) namedBySteps(list []toldFunction) string {
	used := map[string]bool{}
	see := func(text string) {
		for _, w := range word.FindAllString(text, -1) {
			used[w] = true
		}
	}
	for _, f := range list {
		for _, text := range marked.FindAllString(strings.Join(f.lines, "\n")+f.text, -1) {
			see(text)
		}
	}
	for i := range m.merged.Exports {
		see(m.merged.Exports[i].Signature)
	}
	said := map[string]bool{}
	var b strings.Builder
	for more := true; more; {
		more = false
		for i := range m.merged.Internals {
			s := &m.merged.Internals[i]
			if s.Kind == code.Function || s.Kind == code.Method || !used[s.Name] || said[s.File+":"+s.Name] {
				continue
			}
			said[s.File+":"+s.Name], more = true, true
			text := declared(s)
			see(text)
			fmt.Fprintf(&b, "\n- %s (%s)", markdown.Code(text), markdown.Code(m.short(api.Place(s))))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n" + wording.In(m.lang, "They name what is not exported:", "其中提到以下未导出的内容：") + "\n" + b.String() + "\n\n" + wording.In(m.lang, "What they do:", "各函数的步骤：") + "\n"
}

// joinedMembers joins the lines of a declaration; "; " separates members that nothing else does.
func joinedMembers(text string) string {
	out := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "*") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#"):
			continue
		case out == "":
		case strings.ContainsAny(out[len(out)-1:], "{[(,;|&=<>") || strings.ContainsAny(line[:1], "}])|&=."):
			out += " "
		default:
			out += "; "
		}
		out += line
	}
	return out
}

// declared returns the declaration of what is not exported on one line, with its value or its members.
func declared(s *code.Symbol) string {
	text := joinedMembers(s.Signature)
	var members []string
	for i := range s.Members {
		if k := s.Members[i].Kind; k != code.Function && k != code.Method {
			members = append(members, joinedMembers(s.Members[i].Signature))
		}
	}
	value := joinedMembers(s.Value)
	switch i := strings.Index(value, "(iota = "); {
	case i >= 0:
		return text + ", " + strings.TrimSuffix(value[i+1:], ")")
	case len(members) > 0 && !strings.Contains(text, "{"):
		return text + " { " + strings.Join(members, "; ") + " }"
	case value != "" && !strings.Contains(text, value):
		return text + " = " + value
	}
	return text
}
